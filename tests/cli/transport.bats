#!/usr/bin/env bats
# bats file_tags=leaks
# What comes between two repositories: forges, partial clones, git's own
# housekeeping, and objects that are missing or damaged.

load helper

teardown() {
	[ -z "${SERVER-}" ] || kill "$SERVER" 2> "$T/kill" || :
}

# Serves origin.git to who knows the token, and sets URL.
serve() {
	git --git-dir="$T/origin.git" config http.receivepack true
	perl "$CLI/http_backend.pl" "$T" Authorization 'basic dG9rZW4=' \
	    "$T/port" > "$T/server" 2>&1 3>&- &
	SERVER=$!
	while [ ! -f "$T/port" ]; do
		kill -0 "$SERVER"
		sleep 0.05
	done
	URL=http://127.0.0.1:$(cat "$T/port")/origin.git
}

# As actions/checkout leaves a repository: a header for the forge's address.
checked_out() {
	git clone -q --template= "$T/origin.git" "$T/$1"
	cd "$T/$1"
	git remote set-url origin "$URL"
	git config "http.${URL%/*}/.extraheader" 'AUTHORIZATION: basic dG9rZW4='
}

# The file of a loose object.
loose() {
	echo ".git/objects/${1:0:2}/${1:2}"
}

# The blob of HEAD's note.
note() {
	git notes --ref=evalgate/default list HEAD
}

@test "the header that actions/checkout leaves opens the forge's door" {
	shared
	serve
	checked_out two
	eg 0 record --push "$T/r1.csv"
	says "and shared with 'origin'"
	same "$(git --git-dir="$T/origin.git" rev-parse \
	    refs/notes/evalgate/default)" "$(notes)"
	checked_out three
	act 0 sync --fetch
	says '1 brought up to date'
	eg 0 history a
	says 'default: 1 record'
}

@test "without the header the result is kept here, and exit is 4" {
	shared
	serve
	git remote set-url origin "$URL"
	run -4 "$EVALGATE" record --push "$T/r1.csv"
	[[ $output == *PASS* ]]
	git notes --ref=evalgate/default show > "$T/kept"
	run -1 git --git-dir="$T/origin.git" rev-parse -q --verify \
	    refs/notes/evalgate/default
}

@test "a ref that is locked on the other side is tried again" {
	shared
	mkdir "$T/origin.git/hooks"
	cat > "$T/origin.git/hooks/pre-receive" <<'EOF'
#!/bin/sh
# The first push finds the ref locked, the second one does not.
lock=refs/notes/evalgate/default.lock
echo push >> pushes
if [ -f "$lock" ]; then
	rm "$lock"
else
	mkdir -p "${lock%/*}"
	: > "$lock"
fi
EOF
	chmod +x "$T/origin.git/hooks/pre-receive"
	eg 0 record --push "$T/r1.csv"
	says "and shared with 'origin'"
	same "$(wc -l < "$T/origin.git/pushes")" 2
}

@test "a partial clone whose notes came without their text: the remedy works" {
	shared
	eg 0 record --push "$T/r1.csv"
	git --git-dir="$T/origin.git" config uploadpack.allowFilter true
	git clone -q --filter=blob:none --template= "file://$T/origin.git" "$T/two"
	cd "$T/two"
	git fetch -q origin 'refs/notes/evalgate/*:refs/notes/evalgate/*'
	run -4 "$EVALGATE" history a
	[[ $output == *"is not here"*"is partial: \`evalgate sync --fetch\`"* ]]
	act 0 sync --fetch
	eg 0 history a
	says 'default: 1 record'
}

@test "a treeless clone has its history" {
	shared
	eg 0 record --push "$T/r1.csv"
	git --git-dir="$T/origin.git" config uploadpack.allowFilter true
	git clone -q --filter=tree:0 --template= "file://$T/origin.git" "$T/two"
	cd "$T/two"
	act 0 sync --fetch
	eg 0 history a
	says 'default: 1 record'
}

@test "a damaged note is no partial clone's, and its ref stays" {
	local ref blob file
	shared
	eg 0 record "$T/r1.csv"
	ref=$(notes) blob=$(note)
	file=$(loose "$blob")
	chmod +w "$file"
	echo 'no object' > "$file"
	run -4 "$EVALGATE" history a
	[[ $output == *"is damaged"*"git fsck"* && $output != *refetch* ]]
	run -4 "$EVALGATE" record "$T/r2.csv"
	same "$(notes)" "$ref"
}

@test "a notes ref that points to a tree or a tag of one is refused and stays" {
	local oid
	shared
	git tag -a -m tree tree 'HEAD^{tree}'
	for oid in "$(git rev-parse 'HEAD^{tree}')" "$(git rev-parse tree)"; do
		mkdir -p .git/refs/notes/evalgate
		echo "$oid" > .git/refs/notes/evalgate/default
		run -4 "$EVALGATE" record "$T/r1.csv"
		[[ $output == *refs/notes/evalgate/default* ]]
		same "$(cat .git/refs/notes/evalgate/default)" "$oid"
	done
}

@test "gc --prune=now and notes prune take nothing of a history" {
	shared
	eg 0 record "$T/r1.csv"
	commit c2
	eg 0 record "$T/r1.csv"
	git reflog expire --expire=now --all
	git gc -q --prune=now
	git notes --ref=evalgate/default prune
	same "$(git fsck --strict --no-dangling 2>&1)" ''
	eg 0 history a --format csv
	same "$(wc -l <<< "$out")" 3
	same "$(git log --notes=evalgate/default --format=%N |
	    grep -c '"ranks"')" 2
}

@test "a history that git flattened, copied and merged is the same one" {
	shared
	eg 0 record "$T/r1.csv"
	git notes --ref=evalgate/other add -m '{"x":1}' HEAD
	git notes --ref=evalgate/default merge -q -s cat_sort_uniq evalgate/other
	commit c2
	eg 0 record "$T/r1.csv"
	eg 0 history a --format csv
	same "$(wc -l <<< "$out")" 3
	git notes --ref=evalgate/default show HEAD^ | grep -qF '{"x":1}'
}

@test "a sparse checkout with a sparse index" {
	shared
	mkdir in out
	echo a > in/a
	echo b > out/b
	commit c2
	git sparse-checkout set --cone --sparse-index in
	same "$(ls)" $'evalgate.yaml\nin'
	eg 0 record "$T/r1.csv"
	echo changed >> in/a
	run -4 "$EVALGATE" record "$T/r2.csv"
	[[ $output == *"tracked files differ from HEAD"* ]]
}

@test "a linked worktree of a shallow clone" {
	shared
	eg 0 record --push "$T/r1.csv"
	commit c2
	git push -q origin main
	git clone -q --depth 1 --template= "file://$T/origin.git" "$T/two"
	cd "$T/two"
	act 0 sync --fetch
	git worktree add -q --detach "$T/linked"
	cd "$T/linked"
	judged 0 check "$T/r1.csv"
	json before/commit="$(git -C "$T/one" rev-parse HEAD^)"
}

@test "the same results in a German locale are the same note" {
	local blob
	shared
	eg 0 record --now 2026-01-01T00:00:00Z "$T/r1.csv"
	blob=$(note)
	git update-ref -d refs/notes/evalgate/default
	LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 \
	    "$EVALGATE" record -q --now 2026-01-01T00:00:00Z "$T/r1.csv"
	same "$(note)" "$blob"
}

@test "a record whose questions are a commit, a tree or not here: told once" {
	local id what said
	shared
	act 0 record "$T/r1.csv"
	commit c2
	git notes --ref=evalgate/default show HEAD^ > "$T/line"
	for what in commit tree 'not here'; do
		case $what in
		commit) id=$(git rev-parse HEAD) ;;
		tree) id=$(git rev-parse HEAD^{tree}) ;;
		*) id=$(printf '1%.0s' {1..40}) ;;
		esac
		sed "s/\"qset\":\"[0-9a-f]*\"/\"qset\":\"$id\"/" "$T/line" \
		    > "$T/false"
		git notes --ref=evalgate/default add -f \
		    -C "$(git hash-object -w "$T/false")" HEAD^ 2> "$T/added"
		said="a question set of refs/notes/evalgate/default, "
		eg 4 check "$T/r2.csv"
		tells "$said" "$id" "$what"
		says_not PASS FAIL
		act 4 record "$T/r2.csv"
		tells "$said" "$id" "$what"
		eg 4 history a
		tells "$said" "$id" "$what"
		same "$(wc -l < "$T/stderr")" 1
		eg 4 doctor
		says "FAIL  history     $said" "$id" "$what"
		says_not 'ok    history'
	done
	git notes --ref=evalgate/default list > "$T/list"
	never grep -q "$(git rev-parse HEAD)\$" "$T/list"
}
