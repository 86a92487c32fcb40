#!/usr/bin/env bats
# What takes its time: many writers, many clones, kills at any moment.  Sizes
# come from the environment, see `make soak` (long) and `make soak SHORT=1`.

load ../cli/helper

WRITERS=${SOAK_WRITERS:-8} RECORDS=${SOAK_RECORDS:-50}
CLONES=${SOAK_CLONES:-8} PUSHES=${SOAK_PUSHES:-10}
KILLS=${SOAK_KILLS:-200}

# A repository of empty commits, whose ids go to $T/commits.
many_commits() {
	local i
	{
		for ((i = 1; i <= $1; i++)); do
			printf 'commit refs/heads/main\ncommitter T <t@example.com> %d +0000\ndata 2\nc\n\n' \
			    $((1700000000 + i))
			[ "$i" -gt 1 ] || printf 'M 100644 inline evalgate.yaml\ndata 11\nversion: 1\n\n'
		done
	} | git fast-import --quiet
	git reset -q --hard main
	git rev-list --reverse main > "$T/commits"
}

# Records every commit that stands in a file, a run of its own each.
record_all() {
	local commit n=0
	while read -r commit; do
		n=$((n + 1))
		ranks "$T/run-$1-$n.csv" a=$((n % 7 + 1)) "b=$1"
		"$EVALGATE" record -q --commit "$commit" \
		    "$T/run-$1-$n.csv" > /dev/null 2> "$T/err-$1-$n" ||
		    [ $? = 1 ] || {
			cat "$T/err-$1-$n" >&2
			return 1
		}
	done
}

notes_of() {
	git --git-dir="$1" notes --ref=evalgate/default list | wc -l
}

@test "writers at once, while refs are packed and objects repacked: none is lost" {
	local w pids=() packer
	new_repo
	many_commits $((WRITERS * RECORDS))
	while :; do
		git pack-refs --all --prune || :
		git repack -q -d || :
	done > /dev/null 2>&1 &
	packer=$!
	for ((w = 0; w < WRITERS; w++)); do
		tail -n +$((w * RECORDS + 1)) "$T/commits" |
		    head -n "$RECORDS" | record_all "$w" &
		pids+=($!)
	done
	for w in "${pids[@]}"; do
		wait "$w"
	done
	kill "$packer"
	wait "$packer" || :
	sleep 1
	local kept=0 commit
	while read -r commit; do
		! git notes --ref=evalgate/default list "$commit" > /dev/null ||
		    kept=$((kept + 1))
	done < "$T/commits"
	echo "kept $kept of $((WRITERS * RECORDS))"
	[ "$kept" = $((WRITERS * RECORDS)) ]
	git fsck --strict
}

# CLONES clones, each with PUSHES records of commits of its own and one of a
# commit that all of them record.
clones_push() {
	local url=$1 c pids=() shared
	shared=$(head -n 1 "$T/commits")
	for ((c = 0; c < CLONES; c++)); do
		git clone -q "$url" "$T/clone-$c"
	done
	for ((c = 0; c < CLONES; c++)); do
		(
			cd "$T/clone-$c"
			local n commit
			for ((n = 1; n <= PUSHES; n++)); do
				commit=$(sed -n "$((1 + c * PUSHES + n))p" "$T/commits")
				[ "$n" -gt 1 ] || commit=$shared
				ranks "$T/p-$c-$n.csv" "a=$((c + 1))" "b=$n"
				"$EVALGATE" record -q --push --commit "$commit" \
				    "$T/p-$c-$n.csv" > /dev/null 2> "$T/e-$c-$n" ||
				    [ $? = 1 ] || {
					cat "$T/e-$c-$n" >&2
					exit 1
				}
			done
		) &
		pids+=($!)
	done
	for c in "${pids[@]}"; do
		wait "$c"
	done
	# A line for every record: those of the shared commit stand together.
	local total=0 commit
	while read -r commit; do
		total=$((total + $(git --git-dir="$T/origin.git" notes \
		    --ref=evalgate/default show "$commit" 2> /dev/null |
		    grep -c '^{"evalgate"' || :)))
	done < "$T/commits"
	echo "lines $total of $((CLONES * PUSHES))"
	[ "$total" = $((CLONES * PUSHES)) ]
	[ "$(git --git-dir="$T/origin.git" notes --ref=evalgate/default \
	    show "$shared" | grep -c '^{"evalgate"')" = "$CLONES" ]
	git --git-dir="$T/origin.git" fsck --strict
}

origin() {
	new_repo seed
	many_commits $((1 + CLONES * PUSHES))
	git clone -q --bare . "$T/origin.git"
	git --git-dir="$T/origin.git" config core.logAllRefUpdates false
}

@test "clones that push at once over file://: every record is there" {
	origin
	clones_push "file://$T/origin.git"
}

@test "clones that push at once to a git daemon: every record is there" {
	local port
	[ -x "$(git --exec-path)/git-daemon" ] || skip 'git daemon is not here'
	origin
	port=$((20000 + RANDOM % 20000))
	git daemon --listen=127.0.0.1 --port=$port --base-path="$T" \
	    --export-all --enable=receive-pack --reuseaddr \
	    --pid-file="$T/daemon.pid" > /dev/null 2>&1 3>&- &
	sleep 1
	clones_push "git://127.0.0.1:$port/origin.git"
	kill "$(cat "$T/daemon.pid")"
}

@test "kill -9 at any moment: nothing acknowledged is lost, the next run works" {
	local i commit pid delay
	new_repo
	many_commits "$KILLS"
	git clone -q --bare . "$T/origin.git"
	git remote add origin "$T/origin.git"
	: > "$T/acknowledged"
	i=0
	while read -r commit; do
		i=$((i + 1))
		ranks "$T/k.csv" "a=$((i % 9 + 1))"
		"$EVALGATE" record -q --push --commit "$commit" "$T/k.csv" \
		    > /dev/null 2>&1 &
		pid=$!
		delay=0.0$((RANDOM % 10))$((RANDOM % 10))
		sleep "$delay"
		kill -9 "$pid" 2> /dev/null || :
		# 137: killed; all else had come to its end.
		wait "$pid" && echo "$commit" >> "$T/acknowledged" ||
		    [ $? = 137 ] || [ $? -lt 137 ]
		# A lock that the kill left behind is told, and removed by hand.
		find .git "$T/origin.git" -name '*.lock' -delete
	done < "$T/commits"
	git fsck --strict 2>&1 | { ! grep -v '^dangling'; }
	git --git-dir="$T/origin.git" fsck --strict 2>&1 |
	    { ! grep -v '^dangling'; }
	echo "acknowledged $(wc -l < "$T/acknowledged") of $KILLS"
	while read -r commit; do
		git notes --ref=evalgate/default list "$commit" > /dev/null
	done < "$T/acknowledged"
	ranks "$T/k.csv" a=1
	"$EVALGATE" record -q --push --commit "$(tail -n 1 "$T/commits")" \
	    "$T/k.csv" > /dev/null || [ $? = 1 ]
	"$EVALGATE" sync -q
	[ "$(notes_of .git)" = "$(notes_of "$T/origin.git")" ]
}
