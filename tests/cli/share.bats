#!/usr/bin/env bats
# Sharing the history, what CI calls, and the doctor.

load helper

# Another clone; notes do not come with it.
clone() {
	git clone -q --template= "$T/origin.git" "$T/$1"
	cd "$T/$1"
}

there() {
	git --git-dir="$T/origin.git" rev-parse -q --verify \
	    refs/notes/evalgate/default
}

# -------------------------------------------------------------------- sync --

@test "record --push shares; sync --fetch brings it to a clone" {
	shared
	act 0 record --push "$T/r1.csv"
	says "recorded for $(git rev-parse --short=7 HEAD) as 'pass', and shared with 'origin'"
	same "$(there)" "$(notes)"
	clone two
	same "$(notes)" none
	act 0 sync --fetch
	says 'origin: 1 suite there, 1 brought up to date, 0 united, 0 pushed'
	same "$(notes)" "$(there)"
	act 0 sync
	says '0 brought up to date, 0 united, 0 pushed'
}

@test "two clones that recorded the same commit keep both lines" {
	shared
	clone two
	act 0 record --push "$T/r1.csv"
	cd ../one
	act 0 record "$T/r2.csv"
	act 0 sync
	says '1 united, 1 pushed'
	same "$(git notes --ref=evalgate/default show HEAD | wc -l)" 2
	same "$(there)" "$(notes)"
	cd ../two
	act 0 sync
	says '1 brought up to date'
	same "$(notes)" "$(there)"
	git fsck --strict
}

@test "suites are shared together by sync, apart by --suite" {
	shared
	act 0 record "$T/r1.csv" --suite north
	act 0 record "$T/r1.csv" --suite south
	act 0 sync --suite north
	same "$(git --git-dir="$T/origin.git" for-each-ref --format='%(refname)' refs/notes)" \
	    refs/notes/evalgate/north
	act 0 sync
	says '1 pushed'
	git --git-dir="$T/origin.git" rev-parse -q refs/notes/evalgate/south
}

@test "a history that was rewritten on the remote is told, and nothing is dropped" {
	shared
	act 0 record --push "$T/r1.csv"
	git --git-dir="$T/origin.git" update-ref -d refs/notes/evalgate/default
	clone two
	act 0 record --push "$T/r2.csv"
	cd ../one
	act 0 sync
	says "history was rewritten on 'origin'"
	same "$(git notes --ref=evalgate/default show HEAD | wc -l)" 2
}

@test "a hook that declines is told with the mend, and not tried again" {
	shared
	mkdir -p "$T/origin.git/hooks"
	printf '#!/bin/sh\necho "$$" >> %s/calls\nexit 1\n' "$T" \
	    > "$T/origin.git/hooks/pre-receive"
	chmod +x "$T/origin.git/hooks/pre-receive"
	act 4 record --push "$T/r1.csv"
	says PASS
	tells "'origin' refused the history" 'hook declined' 'rule or hook'
	same "$(wc -l < "$T/calls")" 1
	# The record is kept, to be shared later.
	differ "$(notes)" none
	rm "$T/origin.git/hooks/pre-receive"
	act 0 sync
	same "$(there)" "$(notes)"
}

@test "no remote, a wrong one, and no git: exit 4 with the mend" {
	shared
	act 4 sync --remote nowhere
	tells "there is no remote 'nowhere'" --remote
	act 4 sync --remote "$T/missing.git"
	tells "cannot fetch from" 'address'
	PATH=/nowhere act 4 sync
	tells 'git is not installed'
}

@test "doctor where git is not installed: what needs it is told, exit 4" {
	shared
	act 0 record "$T/r1.csv"
	PATH=/nowhere eg 4 doctor
	says 'ok    repository' 'ok    config' 'ok    history' \
	    'FAIL  remote      git is not installed'
	says_not 'ok    push'
	silent
}

@test "a repository with an extension that nobody knows: exit 4, named" {
	shared
	git config core.repositoryformatversion 1
	git config extensions.quantum true
	act 4 doctor
	says 'FAIL  repository' quantum
	says_not 'ok    '
	act 4 record "$T/r1.csv"
	same "$out" ''
	tells 'ERROR  no verdict' quantum
	absent .git/refs/notes
}

@test "\`inputs\` that name nothing: doctor and lint say which" {
	shared
	mkdir prompts
	echo text > prompts/one
	echo '[{"id":"a","expected":"doc-a"}]' > q.json
	config <<-'END'
		metrics: [mrr]
		questions: q.json
		inputs: [prompts, chnuker.py, q.json]
	END
	act 0 doctor
	says "warn  config      \`inputs\` names 'chnuker.py', which is not"
	says_not "names 'prompts'" "names 'q.json'"
	act 0 lint
	says "warning: \`inputs\` names 'chnuker.py', which is not there"
	says_not "names 'prompts'" "names 'q.json'"
}

@test "a failed gate stays exit 1 when it can't be shared" {
	shared
	act 0 record "$T/r1.csv"
	commit c2
	act 1 record --push --remote "$T/missing.git" "$T/r5.csv"
	says FAIL
	tells 'cannot fetch from'
}

@test "a URL is a remote, too" {
	shared
	git remote remove origin
	act 0 record --push --remote "$T/origin.git" "$T/r1.csv"
	same "$(there)" "$(notes)"
	act 0 sync --remote "file://$T/origin.git"
	says '0 pushed'
}

@test "in a partial clone the notes come whole" {
	shared
	act 0 record --push "$T/r1.csv"
	git --git-dir="$T/origin.git" config uploadpack.allowFilter true
	git clone -q --filter=blob:none --template= "file://$T/origin.git" "$T/two"
	cd "$T/two"
	act 0 sync --fetch
	act 0 history a
	says 'default: 1 record'
}

# ---------------------------------------------------------------------- ci --

@test "ci on a push fetches, judges, records and shares" {
	shared
	act 0 record --push "$T/r1.csv"
	commit c2
	git push -q origin main
	clone two
	GITHUB_EVENT_NAME=push act 1 ci "$T/r5.csv"
	says FAIL 'a' "recorded for $(git rev-parse --short=7 HEAD) as 'fail', and shared"
	same "$(there)" "$(notes)"
}

@test "ci on a pull request stores nothing unless it is asked to" {
	local before
	shared
	act 0 record --push "$T/r1.csv"
	before=$(there)
	git switch -q -c topic
	commit c2
	git switch -q --detach main
	merge topic
	GITHUB_EVENT_NAME=pull_request act 1 ci "$T/r5.csv"
	says 'not recorded: a pull request' "the merge's first parent"
	same "$(there)" "$before"
	GITHUB_EVENT_NAME=pull_request act 1 ci --record "$T/r5.csv"
	says "as 'fail', and shared"
	differ "$(there)" "$before"
}

@test "ci on a pull request from a fork never stores" {
	local before
	shared
	act 0 record --push "$T/r1.csv"
	before=$(there)
	git switch -q -c topic
	commit c2
	git switch -q --detach main
	merge topic
	cat > "$T/event.json" <<'EOF'
{"pull_request": {"base": {"ref": "main", "repo": {"full_name": "us/it"}},
  "head": {"sha": "x", "repo": {"full_name": "them/it"}}}}
EOF
	GITHUB_EVENT_NAME=pull_request GITHUB_EVENT_PATH=$T/event.json \
	    act 1 ci --record "$T/r5.csv"
	says 'not recorded: the pull request comes from a fork'
	same "$(there)" "$before"
}

@test "a head that is a merge itself is compared with the merge base" {
	shared
	act 0 record --push "$T/r1.csv"
	git switch -q -c topic
	commit topic1
	git switch -q main
	commit main2
	git switch -q topic
	merge main
	cat > "$T/event.json" <<EOF
{"pull_request": {"base": {"ref": "main", "sha": "$(git rev-parse main)"},
  "head": {"sha": "$(git rev-parse HEAD)"}}}
EOF
	GITHUB_EVENT_NAME=pull_request GITHUB_EVENT_PATH=$T/event.json \
	    act 1 check "$T/r5.csv"
	says 'merge base with main'
}

@test "ci without a remote keeps the history here, and says so" {
	shared
	git remote remove origin
	act 0 ci "$T/r1.csv"
	says "no remote 'origin'" "as 'pass'"
	differ "$(notes)" none
}

@test "ci that can't fetch makes no first run of it" {
	shared
	git remote set-url origin "$T/missing.git"
	act 4 ci "$T/r1.csv"
	says 'NO VERDICT'
	tells 'cannot fetch from'
}

@test "ci deepens a clone that is too shallow, and finds the baseline" {
	shared
	act 0 record --push "$T/r1.csv"
	commit c2
	commit c3
	commit c4
	git push -q origin main
	git clone -q --depth=1 --template= "file://$T/origin.git" "$T/two"
	cd "$T/two"
	act 0 sync --fetch
	act 3 check "$T/r5.csv"
	says 'NO VERDICT' shallow
	GITHUB_EVENT_NAME=push act 1 ci "$T/r5.csv"
	says 'too shallow' 'a' '3 commits back'
}

@test "a depth-1 checkout of a pull request's merge finds its baseline" {
	shared
	act 0 record --push "$T/r1.csv"
	git switch -q -c topic
	commit c2
	git switch -q --detach main
	merge topic
	git push -q origin HEAD:refs/pull/1/merge
	mkdir "$T/two"
	cd "$T/two"
	git init -q --template= .
	git remote add origin "file://$T/origin.git"
	git fetch -q --depth=1 origin +refs/pull/1/merge:refs/remotes/pull/1/merge
	git checkout -q --detach refs/remotes/pull/1/merge
	act 0 sync --fetch
	GITHUB_EVENT_NAME=pull_request act 1 check "$T/r5.csv"
	says "nearest record from the merge's first parent" '1 commit back'
}

# ------------------------------------------------------------------ doctor --

@test "doctor: all is well" {
	shared
	act 0 record --push "$T/r1.csv"
	eg 0 doctor
	says 'ok    repository' 'ok    depth' 'ok    config' \
	    'ok    history' 'ok    remote' 'ok    push'
	says_not FAIL
	act 0 doctor -q
	same "$out" ''
}

@test "doctor: what is not well, and the mends" {
	shared
	act 0 doctor
	says 'warn  history' 'evalgate sync --fetch'
	git remote set-url origin "$T/missing.git"
	act 4 doctor
	says 'FAIL  remote'
	echo 'treshold: 1' >> evalgate.yaml
	act 2 doctor
	says 'FAIL  config' "did you mean 'thresholds'"
	cd "$T"
	act 4 doctor
	says 'FAIL  repository'
}

@test "doctor names a lock that is nobody's any more" {
	shared
	act 0 record "$T/r1.csv"
	touch -d '1 hour ago' .git/refs/notes/evalgate/default.lock
	act 0 doctor
	says 'warn  lock' 'default.lock' 'rm it'
}

@test "doctor changes nothing, here or there" {
	local before
	shared
	before=$(git --git-dir="$T/origin.git" for-each-ref)
	eg 0 doctor
	same "$(git --git-dir="$T/origin.git" for-each-ref)" "$before"
}
