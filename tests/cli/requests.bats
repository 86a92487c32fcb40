#!/usr/bin/env bats
# bats file_tags=leaks
# Pull requests as GitHub and GitLab check them out: what HEAD is, where it
# comes from, and whether anything of it may be stored.

load helper

# main: c1 (a 2), m2 (a 1); topic: p1 (a 5), and then main merged into it.
merged_head() {
	shared
	act 0 record "$T/r2.csv"
	git switch -q -c topic
	commit p1
	act 1 record --event push "$T/r5.csv"
	git switch -q main
	commit m2
	act 0 record "$T/r1.csv"
	git push -q origin main
	git switch -q topic
	merge main
	HEAD=$(git rev-parse HEAD) BASE=$(git rev-parse main)
	git checkout -q --detach
}

# What GitHub's event file says: base, head, merge, and the repositories.
event() {
	cat > "$T/event.json" <<EOF
{"pull_request": {"base": {"ref": "main", "sha": "$1",
    "repo": {"full_name": "us/it"}},
  "head": {"sha": "$2", "repo": ${4-{\"full_name\": \"us/it\"\}}},
  "merge_commit_sha": "$3"}}
EOF
	export GITHUB_EVENT_NAME=pull_request GITHUB_EVENT_PATH=$T/event.json
}

gitlab() {
	export GITLAB_CI=true CI_PIPELINE_SOURCE=merge_request_event
	export CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main
	export CI_MERGE_REQUEST_DIFF_BASE_SHA=$BASE
	export CI_MERGE_REQUEST_PROJECT_ID=1
	export CI_MERGE_REQUEST_SOURCE_PROJECT_ID=1
	CI_COMMIT_SHA=$(git rev-parse HEAD)
	export CI_COMMIT_SHA CI_MERGE_REQUEST_EVENT_TYPE=$1
}

# HEAD becomes the merge of topic into main, as forges make it.
merge_ref() {
	git checkout -q --detach main
	merge topic
}

@test "GitLab: a detached pipeline's head that is a merge has a merge base" {
	merged_head
	gitlab detached
	act 1 check -q "$T/r2.csv"
	says 'the merge base with main' '"m2"'
	CI_MERGE_REQUEST_EVENT_TYPE='' act 1 check -q "$T/r2.csv"
	says 'the merge base with main'
}

@test "GitLab: merged results and trains have the first parent" {
	local type
	merged_head
	merge_ref
	for type in merged_result merge_train; do
		gitlab "$type"
		act 1 check -q "$T/r2.csv"
		says "the merge's first parent, 1 commit back" '"m2"'
	done
}

@test "GitHub: the merge is known by the event's merge, head or base" {
	local merge
	merged_head
	merge_ref
	merge=$(git rev-parse HEAD)
	event x x "$merge"
	act 1 check -q "$T/r2.csv"
	says "the merge's first parent, 1 commit back"
	event x "$HEAD" x
	act 1 check -q "$T/r2.csv"
	says "the merge's first parent, 1 commit back"
	event "$BASE" x x
	act 1 check -q "$T/r2.csv"
	says "the merge's first parent, 1 commit back"
}

@test "GitHub: without an event file GITHUB_REF says what HEAD is" {
	merged_head
	export GITHUB_EVENT_NAME=pull_request GITHUB_BASE_REF=main
	GITHUB_REF=refs/pull/7/merge GITHUB_SHA=$BASE act 1 check -q "$T/r2.csv"
	says 'the merge base with main'
	merge_ref
	GITHUB_REF=refs/pull/7/merge GITHUB_SHA=$(git rev-parse HEAD) \
	    act 1 check -q "$T/r2.csv"
	says "the merge's first parent, 1 commit back"
}

@test "where nothing tells but the target branch, that does" {
	merged_head
	export GITHUB_EVENT_NAME=pull_request GITHUB_BASE_REF=main
	act 1 check -q "$T/r2.csv"
	says 'the merge base with main'
	merge_ref
	act 1 check -q "$T/r2.csv"
	says "the merge's first parent, 1 commit back"
}

@test "where nothing tells at all, what is assumed is said, by -q too" {
	merged_head
	act 0 check -q "$T/r5.csv"
	says "first parent, assumed to be a pull request's, 1 commit back"
}

@test "a fork is a fork even where the event says little, and stores nothing" {
	local before
	merged_head
	before=$(notes)
	event "$BASE" "$HEAD" x null
	act 0 ci --record "$T/r1.csv"
	says 'not recorded: the pull request may come from a fork'
	event "$BASE" "$HEAD" x '{"full_name": "them/it"}'
	act 0 ci --record "$T/r1.csv"
	says 'not recorded: the pull request comes from a fork'
	echo '{' > "$T/event.json"
	GITHUB_BASE_REF=main act 0 ci --record "$T/r1.csv"
	says 'not recorded: the pull request may come from a fork' \
	    "event file can't be read"
	unset GITHUB_EVENT_NAME GITHUB_EVENT_PATH
	gitlab detached
	CI_MERGE_REQUEST_SOURCE_PROJECT_ID=2 act 0 ci --record "$T/r1.csv"
	says 'not recorded: the merge request comes from a fork'
	CI_MERGE_REQUEST_SOURCE_PROJECT_ID='' act 0 ci --record "$T/r1.csv"
	says 'not recorded: the merge request comes from a fork'
	same "$(notes)" "$before"
	CI_PIPELINE_SOURCE=parent_pipeline CI_MERGE_REQUEST_SOURCE_PROJECT_ID=2 \
	    act 0 ci --record "$T/r1.csv"
	says 'not recorded: the merge request comes from a fork'
	CI_PIPELINE_SOURCE=external_pull_request_event \
	    CI_EXTERNAL_PULL_REQUEST_SOURCE_REPOSITORY=them/it \
	    CI_EXTERNAL_PULL_REQUEST_TARGET_REPOSITORY=us/it \
	    act 0 ci --record "$T/r1.csv"
	says 'not recorded: the pull request may come from a fork'
	same "$(notes)" "$before"
	act 0 ci --record "$T/r1.csv"
	says "as 'pass', and shared"
}

@test "what follows a fork's workflow or a request's comment stores nothing" {
	local before
	merged_head
	before=$(notes)
	export GITHUB_EVENT_PATH=$T/event.json GITHUB_EVENT_NAME=workflow_run
	echo '{"repository": {"full_name": "us/it"}, "workflow_run":
	    {"head_repository": {"full_name": "them/it"}}}' > "$T/event.json"
	act 0 ci --record "$T/r1.csv"
	says 'not recorded: the workflow that it follows may be of a fork'
	export GITHUB_EVENT_NAME=issue_comment
	echo '{"issue": {"pull_request": {"url": "u"}}}' > "$T/event.json"
	act 0 ci --record "$T/r1.csv"
	says 'not recorded: the pull request may come from a fork'
	same "$(notes)" "$before"
	export GITHUB_EVENT_NAME=workflow_run
	echo '{"repository": {"full_name": "us/it"}, "workflow_run":
	    {"head_repository": {"full_name": "us/it"}}}' > "$T/event.json"
	act 0 ci --record "$T/r1.csv"
	says_not 'not recorded'
}

@test "a pull request whose push is refused: said, and the verdict decides" {
	merged_head
	mkdir "$T/origin.git/hooks"
	printf '#!/bin/sh\nexit 1\n' > "$T/origin.git/hooks/pre-receive"
	chmod +x "$T/origin.git/hooks/pre-receive"
	event "$BASE" "$HEAD" x
	act 0 ci --record "$T/r1.csv"
	says 'PASS' "note: not shared: 'origin' refused"
	GITHUB_EVENT_NAME=push GITHUB_EVENT_PATH='' act 4 ci "$T/r1.csv"
	tells "'origin' refused"
}
