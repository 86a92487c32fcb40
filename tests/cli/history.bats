#!/usr/bin/env bats
# Records in git notes: what is stored, what is not, and that nothing is lost.

load helper

# One question that is tracked and one that is not; c1 is not recorded.
small() {
	new_repo
	config <<-'END'
		metrics: [mrr]
		tracked:
		  - {question: a}
	END
	ranks ../r1.csv a=1 b=2
	ranks ../r2.csv a=2 b=2
	ranks ../r5.csv a=5 b=1
	commit c1
}

lines() {
	git notes --ref=evalgate/default show "${1:-HEAD}" | wc -l
}

# Stored as git stores notes, and sound.
sound() {
	git fsck --strict 2> "$T/fsck"
	[ "$(grep -vc '^\(notice\|Checking\)' "$T/fsck")" = 0 ] || {
		cat "$T/fsck"
		return 1
	}
}

@test "a record is a note of its commit, for stock git too" {
	small
	record 0 ../r1.csv
	says "recorded for $(git rev-parse --short=7 HEAD)"
	git notes --ref=evalgate/default list |
	    grep -q " $(git rev-parse HEAD)\$"
	same "$(lines)" 1
	git notes --ref=evalgate/default show > "$T/report.json"
	json evalgate=1 suite=default at=2023-11-14T22:14:20Z rules=1 \
	    commit="$(git rev-parse HEAD)" tree="$(git rev-parse HEAD^{tree})" \
	    parents=0 branch=main verdict=pass depth=null \
	    metrics/mrr~0.75 n=2 ranks/0=1 ranks/1=2 \
	    gate/tracked/0/question=a
	git log --notes=evalgate/default -1 | grep -q '"evalgate":1'
	sound
	same "$(git status --porcelain)" ''
}

@test "the same result again changes nothing" {
	small
	record 0 ../r1.csv
	was=$(notes)
	record 0 ../r1.csv
	same "$(notes)" "$was"
	eg 0 record ../r1.csv --now 2030-01-01T00:00:00Z
	same "$(notes)" "$was"
	GITHUB_RUN_ID=77 GITHUB_RUN_ATTEMPT=2 GITHUB_REF_NAME=main \
	    eg 0 record ../r1.csv --now 2031-01-01T00:00:00Z
	same "$(notes)" "$was"
	same "$(lines)" 1
}

@test "another result of the same commit is kept beside the first" {
	small
	record 0 ../r1.csv
	eg 0 record ../r2.csv --now 2030-01-01T00:00:00Z
	same "$(lines)" 2
	eg 0 history --format "json:$T/report.json"
	json records=1 'records/*/ranks/a=2'
	sound
}

@test "a failed verdict is stored too, and says so" {
	small
	record 0 ../r1.csv
	commit c2
	record 1 ../r5.csv
	git notes --ref=evalgate/default show > "$T/report.json"
	json verdict=fail prev="$(git rev-parse HEAD^)"
	eg 0 history --format "json:$T/report.json"
	json 'records/*/verdict=pass,fail' 'records/*/ranks/a=1,5'
}

@test "suites have histories of their own" {
	small
	record 0 ../r1.csv
	record 0 ../r5.csv --suite other
	commit c2
	judged 1 check ../r5.csv
	judged 0 check ../r5.csv --suite other
	json suite=other questions/a/baseline=5
	differ "$(notes other)" none
	differ "$(notes other)" "$(notes)"
}

# -------------------------------------------------------------------- dirty --

@test "a dirty tree is judged, and not recorded: exit 4" {
	small
	echo x > file
	commit c2
	record 0 ../r1.csv
	commit c3
	echo y >> file
	judged 1 check ../r5.csv
	says 'rank 1 → 5' 'uncommitted changes'
	json dirty=true
	was=$(notes)
	eg 4 record ../r1.csv
	says PASS
	tells "not recorded" --allow-dirty
	same "$(notes)" "$was"
	git add file
	eg 4 record ../r1.csv
	git checkout -q HEAD file
	rm file
	eg 4 record ../r1.csv
	same "$(notes)" "$was"
	# The gate's failure comes before the environment's.
	eg 1 record ../r5.csv
	same "$(notes)" "$was"
	git checkout -q HEAD file
	eg 0 record ../r1.csv
	differ "$(notes)" "$was"
}

@test "neither untracked files nor the run itself make a tree dirty" {
	small
	ranks run.csv a=1 b=2
	commit c2
	ranks run.csv a=1 b=1
	echo x > untracked
	eg 0 record run.csv
	says_not uncommitted
	differ "$(notes)" none
}

@test "--allow-dirty stores, and what it stored is never a baseline" {
	small
	record 0 ../r1.csv
	commit c2
	echo '# changed' >> evalgate.yaml
	eg 0 record --allow-dirty ../r1.csv
	git notes --ref=evalgate/default show > "$T/report.json"
	json dirty=true
	commit c3
	judged 0 check ../r1.csv
	json before/commit="$(git rev-parse HEAD~2)" before/distance=2
}

@test "a dirty record alone is no history" {
	small
	echo '# changed' >> evalgate.yaml
	eg 0 record --allow-dirty ../r1.csv
	commit c2
	judged 0 check ../r5.csv
	json before=null good=null
}

# ------------------------------------------------------------------- places --

@test "--commit stores for an older commit, whatever the tree looks like" {
	small
	commit c2
	commit c3
	echo '# changed' >> evalgate.yaml
	record 0 --commit HEAD~2 ../r1.csv
	git notes --ref=evalgate/default show HEAD~2 > "$T/report.json"
	json commit="$(git rev-parse HEAD~2)"
	git checkout -q HEAD evalgate.yaml
	judged 1 check ../r5.csv
	json before/commit="$(git rev-parse HEAD~2)" before/distance=2
	was=$(notes)
	eg 2 record --commit no-such-branch ../r1.csv
	tells no-such-branch
	same "$(notes)" "$was"
}

@test "a bare repository" {
	small
	git clone -q --bare . "$T/bare.git"
	cd "$T/bare.git"
	eg 0 record -c "$T/repo/evalgate.yaml" "$T/r1.csv"
	differ "$(notes)" none
	eg 0 history -c "$T/repo/evalgate.yaml" --format "json:$T/report.json"
	json 'records/*/ranks/a=1'
	sound
}

@test "a linked worktree has the same history" {
	small
	record 0 ../r1.csv
	git worktree add -q -b side "$T/linked"
	cd "$T/linked"
	commit c2
	record 1 ../r5.csv
	same "$(git -C "$T/repo" notes --ref=evalgate/default show side)" \
	    "$(git notes --ref=evalgate/default show)"
	json before/commit="$(git rev-parse HEAD^)" event=local
}

@test "a detached HEAD that is no merge is like a branch" {
	small
	record 0 ../r1.csv
	commit c2
	git checkout -q --detach
	record 1 ../r5.csv
	json event=local before/commit="$(git rev-parse HEAD^)"
	differ "$(git notes --ref=evalgate/default show)" ''
}

@test "without user.name, without HOME" {
	small
	unset GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME \
	    GIT_COMMITTER_EMAIL HOME
	record 0 ../r1.csv
	same "$(git log -1 --format='%an' "$(notes)")" evalgate
	sound
}

@test "the committer of the environment is the committer of the notes" {
	small
	GIT_COMMITTER_NAME=Robot GIT_COMMITTER_EMAIL=robot@example.com \
	    eg 0 record ../r1.csv
	same "$(git log -1 --format='%cn <%ce>' "$(notes)")" \
	    'Robot <robot@example.com>'
}

@test "GIT_DIR is honoured" {
	small
	mv .git "$T/elsewhere.git"
	export GIT_DIR=$T/elsewhere.git GIT_WORK_TREE=$T/repo
	eg 0 record -c "$T/repo/evalgate.yaml" ../r1.csv
	differ "$(notes)" none
}

@test "a branch without commits: exit 4" {
	new_repo
	config <<< 'metrics: [mrr]'
	ranks ../r1.csv a=1
	eg 4 check ../r1.csv
	tells commit
	eg 4 record ../r1.csv
	eg 0 score ../r1.csv
}

@test "not a repository: exit 4, and nothing is made" {
	ranks r1.csv a=1
	config <<< 'metrics: [mrr]'
	eg 4 check r1.csv
	tells repository
	eg 4 record r1.csv
	eg 4 history
	absent .git
}

# ------------------------------------------------------------ at the start --

@test "a first run passes with a notice, or fails by its floors" {
	small
	judged 0 check ../r5.csv
	says 'no history' 'evalgate record'
	config floor.yaml <<-'END'
		metrics: [mrr]
		thresholds:
		  - {metric: mrr, min: 0.7}
	END
	judged 1 check -c floor.yaml ../r5.csv
	judged 0 check -c floor.yaml ../r1.csv
}

@test "a first run that fails is stored as fail" {
	small
	config <<-'END'
		tracked:
		  - {question: a, max_rank: 3}
	END
	commit c2
	record 1 ../r5.csv
	git notes --ref=evalgate/default show > "$T/report.json"
	json verdict=fail
}

@test "with required there is no verdict on a first run: exit 3" {
	small
	judged 3 check --require-baseline ../r1.csv
	says 'NO VERDICT' 'baseline'
	config <<-'END'
		baseline: {required: true}
		tracked:
		  - {question: a}
	END
	commit c2
	judged 3 check ../r1.csv
	json verdict=none
	# Fault of the gate's own comes first.
	config floor.yaml <<-'END'
		baseline: {required: true}
		thresholds:
		  - {metric: mrr, min: 0.9}
	END
	judged 1 check -c floor.yaml ../r5.csv
}

@test "records of descendants alone: a first run" {
	small
	commit c2
	record 0 ../r1.csv
	git checkout -q --detach HEAD^
	judged 0 check ../r5.csv
	says 'no earlier commit has a record'
	json before=null
}

@test "max_distance ends the walk before a record: exit 3" {
	small
	record 0 ../r1.csv
	commit c2
	commit c3
	config near.yaml <<-'END'
		baseline: {max_distance: 2}
		tracked:
		  - {question: a}
	END
	judged 1 check -c near.yaml ../r5.csv
	commit c4
	judged 3 check -c near.yaml ../r1.csv
	says 'NO VERDICT' 'max_distance'
	json verdict=none before=null
	judged 0 check ../r1.csv
}

@test "a rewritten branch has lost its history: exit 3, with the mend" {
	small
	record 0 ../r1.csv
	echo '# changed' >> evalgate.yaml
	git add -A
	git commit -q --amend -m 'c1 again'
	commit c2
	judged 3 check ../r1.csv
	says 'NO VERDICT' 'rewritten' '--start'
	json verdict=none before=null good=null
	record 0 --start 'branch rewritten' ../r1.csv
	commit c3
	judged 1 check ../r5.csv
	json before/commit="$(git rev-parse HEAD^)"
}

@test "--start compares with nothing and is the reference from then on" {
	small
	record 0 ../r1.csv
	commit c2
	record 0 --start 'new index' ../r5.csv
	json before=null good=null verdict=pass
	git notes --ref=evalgate/default show > "$T/report.json"
	json start='new index'
	commit c3
	judged 0 check ../r5.csv
	json before/commit="$(git rev-parse HEAD^)" \
	    good/commit="$(git rev-parse HEAD^)" questions/a/baseline=5
	eg 0 history --format text --format "json:$T/report.json"
	says 'new index'
	json 'records/*/start=null,new index'
}

@test "--start whose floors are missed is the reference all the same" {
	small
	config <<-'END'
		metrics: [mrr]
		thresholds:
		  - {metric: mrr, min: 0.7, max_drop: 0}
	END
	record 0 --allow-dirty ../r1.csv
	commit c2
	record 0 ../r1.csv
	commit c3
	record 1 --start 'smaller index' ../r5.csv
	git notes --ref=evalgate/default show > "$T/report.json"
	json verdict=fail
	commit c4
	judged 1 check ../r5.csv
	json good/commit="$(git rev-parse HEAD^)" findings=1 \
	    findings/mrr/class=still-failing findings/mrr/rule=min
}

# ------------------------------------------------------------------ showing --

@test "history shows what is asked for, by name or by option" {
	small
	record 0 ../r1.csv
	commit c2
	record 0 ../r2.csv --start anew
	eg 0 history --format "json:$T/report.json" b
	says '2, 2'
	json 'records/*/ranks/b=2,2' 'records/0/ranks=1' 'records/0/metrics=0'
	eg 0 history --format "json:$T/report.json" mrr
	json 'records/*/metrics/mrr=0.75,0.5' 'records/0/ranks=0'
	eg 0 history --format "json:$T/report.json" --question a --metric mrr
	json 'records/*/ranks/a=1,2' 'records/*/metrics/mrr=0.75,0.5'
	local args
	for args in nobody '--question nobody' '--metric nobody' \
	    '--question mrr'; do
		eg 2 history $args
		tells nobody || tells mrr
	done
}

@test "history without records says how there would be some" {
	small
	eg 0 history --format text --format "json:$T/report.json"
	says '0 records' 'evalgate record' 'evalgate sync --fetch'
	json records=0
}

# ------------------------------------------------------------ nothing lost --

@test "8 processes at once, 25 records each: none is lost" {
	small
	# Sanitized starts take long, and find no more in 25 records than in 5;
	# no_writer_loses_a_record of the units has as many, sanitized.
	local n=200
	[[ ${KIND-} != sanitize ]] || n=40
	config <<-'END'
		metrics: [mrr]
		baseline: {max_distance: 1000}
	END
	commit c2
	# That many commits by one process.
	awk -v n=$n 'BEGIN {
		for (i = 1; i <= n; i++) {
			print "commit refs/heads/main"
			print "mark :" i
			print "committer T <t@example.com> " 1800000000 + i \
			    " +0000"
			print "data 1\nx"
			if (i == 1)
				print "from refs/heads/main^0"
			print ""
		}
	}' | git fast-import --quiet
	git rev-list -$n HEAD > "$T/commits"
	local p pids=()
	for p in 0 1 2 3 4 5 6 7; do
		awk -v p=$p 'NR % 8 == p' "$T/commits" > "$T/part$p"
		( while read -r id; do
			"$EVALGATE" record -q --commit "$id" ../r1.csv \
			    > "$T/text$p" 2>&1 || cat "$T/text$p"
		done < "$T/part$p" > "$T/out$p" ) &
		pids+=($!)
	done
	wait "${pids[@]}"
	same "$(cat "$T"/out[0-7])" ''
	git notes --ref=evalgate/default list | cut -d' ' -f2 | sort \
	    > "$T/noted"
	same "$(sort "$T/commits" | comm -23 - "$T/noted" | wc -l)" 0
	same "$(wc -l < "$T/noted")" $((n + 1))
	sound
	absent .git/refs/notes/evalgate/default.lock
}

@test "writers to one commit at once: every result is kept" {
	small
	local i pids=()
	for i in 1 2 3 4 5 6 7 8; do
		ranks "$T/w$i.csv" "a=$i" b=1
		"$EVALGATE" record -q "$T/w$i.csv" > "$T/out$i" 2>&1 &
		pids+=($!)
	done
	for i in "${pids[@]}"; do
		wait "$i" || [ $? = 1 ]
	done
	same "$(lines)" 8
	same "$(git notes --ref=evalgate/default show |
	    sed 's/.*"ranks":\[\([0-9]*\).*/\1/' | sort | tr '\n' ' ')" \
	    '1 2 3 4 5 6 7 8 '
	sound
}

@test "notes of other tools in the ref survive, and git's own rewrites do no harm" {
	small
	record 0 ../r1.csv
	commit c2
	git notes --ref=evalgate/default add -m 'a note by hand' HEAD
	commit c3
	record 0 ../r1.csv
	same "$(git notes --ref=evalgate/default show HEAD^)" 'a note by hand'
	judged 1 check --baseline rev:HEAD~1 ../r5.csv
	json before/commit="$(git rev-parse HEAD~2)"
}

@test "a line of a later version is skipped, said, and kept" {
	small
	record 0 ../r1.csv
	commit c2
	git notes --ref=evalgate/default add -m '{"evalgate":99,"new":true}' \
	    HEAD
	record 0 ../r1.csv
	git notes --ref=evalgate/default show | grep -q '"evalgate":99'
	same "$(lines)" 2
}

@test "a notes ref that points to no commit is refused and stays" {
	small
	blob=$(echo x | git hash-object -w --stdin)
	mkdir -p .git/refs/notes/evalgate
	echo "$blob" > .git/refs/notes/evalgate/default
	eg 4 record ../r1.csv
	tells refs/notes/evalgate/default
	same "$(cat .git/refs/notes/evalgate/default)" "$blob"
}

@test "a stale lock: the verdict is told, exit 4, and the lock is named" {
	small
	record 0 ../r1.csv
	was=$(notes)
	commit c2
	: > .git/refs/notes/evalgate/default.lock
	eg 4 record ../r1.csv
	says PASS
	tells lock
	same "$(notes)" "$was"
	[ -e .git/refs/notes/evalgate/default.lock ]
}

# ---------------------------------------------------------- no room to write --

# Runs `record` through a pipe, since the disk has no room.
#   cramped STATUS COMMAND...
cramped() {
	local want=$1
	shift
	set +e
	"$@" 2> >(cat > "$T/stderr") | cat > "$T/stdout"
	status=${PIPESTATUS[0]}
	set -e
	wait
	slurp out "$T/stdout"
	slurp err "$T/stderr"
	same "$status" "$want"
}

limited() {
	ulimit -f 0
	"$EVALGATE" record ../r1.csv
}

@test "no byte can be written: the verdict is told, exit 4, nothing changes" {
	small
	cramped 4 limited
	says PASS
	tells evalgate:
	same "$(notes)" none
	sound
	record 0 ../r1.csv
	was=$(notes)
	commit c2
	cramped 4 limited
	says PASS
	same "$(notes)" "$was"
	eg 0 record ../r1.csv
}

@test "a full disk: the verdict is told, exit 4, nothing is lost" {
	mkdir disk
	mount -t tmpfs -o size=1m none disk 2> /dev/null ||
	    skip 'no tmpfs can be mounted'
	(
		trap 'cd /; umount "$T/disk"' EXIT
		set -e
		small
		cp -R "$T/repo" "$T/disk/repo"
		cd "$T/disk/repo"
		cp ../../*.csv ..
		record 0 ../r1.csv
		was=$(notes)
		commit c2
		dd if=/dev/zero of="$T/disk/fill" bs=4096 2> /dev/null || :
		eg 4 record ../r1.csv
		says PASS
		tells evalgate:
		same "$(notes)" "$was"
		rm "$T/disk/fill"
		sound
		record 0 ../r1.csv
		differ "$(notes)" "$was"
	)
}

@test "a repository that can't be written: the verdict is told, exit 4" {
	local run=()
	small
	record 0 ../r1.csv
	was=$(notes)
	commit c2
	if [ "$(id -u)" = 0 ]; then
		run=(setpriv --reuid=12345 --regid=12345 --clear-groups)
		cp "$EVALGATE" "$T/evalgate"
		chmod a+x "$BATS_RUN_TMPDIR" "$BATS_RUN_TMPDIR/test"
		chmod -R a+rX "$T"
		chown -R 12345:12345 "$T/repo"
		"${run[@]}" sh -c "cd '$T/repo' && '$T/evalgate' --version" ||
		    skip 'root can write anyway'
		EVALGATE=$T/evalgate
	fi
	chmod -R a-w .git
	status=0
	"${run[@]}" "$EVALGATE" record ../r1.csv > "$T/stdout" \
	    2> "$T/stderr" || status=$?
	slurp out "$T/stdout"
	slurp err "$T/stderr"
	chmod -R u+w .git
	same "$status" 4
	says PASS
	tells evalgate:
	[ "$(id -u)" != 0 ] || chown -R 0:0 .git .
	same "$(notes)" "$was"
}
