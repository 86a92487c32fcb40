#!/usr/bin/env bats
# Whole outputs, byte by byte: a folder of tests/golden a case.  `run` is what
# is done, in an empty directory with this file's helpers; `out` is what it
# prints.  `make test UPDATE=1` rewrites them, and the diff is reviewed.

load helper

GOLDEN=$ROOT/tests/golden

# What a person types, as it is printed before it is run.
evalgate() {
	printf '$ evalgate %s\n' "$*"
	"$EVALGATE" "$@" || printf '(exit status %d)\n' $?
}

# A retrieval method of the story, and the results that it leaves.
method() {
	cp "$FORGE/sample10/$1.trec" "$T/run.trec"
	echo "$1" > method
	commit "$1"
}

golden() {
	# shellcheck source=/dev/null
	(. "$GOLDEN/$1/run") > "$T/out" 2>&1
	if [ -n "${UPDATE-}" ]; then
		cp "$T/out" "$GOLDEN/$1/out"
	fi
	diff -u "$GOLDEN/$1/out" "$T/out"
}

@test "golden: the story of one question, as text" {
	golden story
}

@test "golden: the story, as JSON" {
	golden story-json
}

@test "golden: the story, as Markdown" {
	golden story-markdown
}

@test "golden: the story, as GitHub's annotations" {
	golden story-github
}

@test "golden: the story, as JUnit's XML" {
	golden story-junit
}

@test "golden: the story, as GitLab's code quality" {
	golden story-gitlab
}

@test "golden: what a score says" {
	golden score
}

@test "golden: mistakes of a config, all at once" {
	golden mistakes
}

@test "golden: help of every command" {
	golden help
}
