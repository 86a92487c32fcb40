#!/usr/bin/env bats
# bats file_tags=leaks
# Records that a rewrite of history took along to commits that they are not
# about, records of other commits that serve, and what is told of the one
# before.

load helper

prev() {
	git notes --ref=evalgate/default show "${1:-HEAD}" |
	    grep -o '"prev":"[^"]*"' || echo none
}

# c1 (a 1), and c2 (a 5), which was amended: its note went along.
amended() {
	shared
	git config notes.rewriteRef 'refs/notes/evalgate/*'
	git config notes.rewriteMode concatenate
	act 0 record "$T/r1.csv"
	echo 1 > file
	commit c2
	act 1 record "$T/r5.csv"
	echo 2 > file
	git add -A
	git commit -q --amend -m c2amended
}

CARRIED='1 record is about another commit or tree than where it stands'

@test "a record that was carried along serves no comparison" {
	amended
	act 2 compare HEAD "$T/r2.csv"
	tells "has no record of its own in suite 'default'"
	act 0 compare HEAD~1 "$T/r2.csv"
}

@test "a record that was carried along is said by whoever meets it" {
	amended
	act 0 check "$T/r1.csv"
	says "note: $CARRIED"
	act 0 history
	says 'default: 1 record, 1 commit without one' "note: $CARRIED"
	act 0 history --runs
	says 'default: 1 record,'
	act 0 doctor
	says "warn  history     $CARRIED"
	act 0 blame a
	says 'rank 1'
	says_not 'rank 5'
	commit c3
	act 0 check "$T/r1.csv"
	says "note: $CARRIED"
}

@test "a record whose tree is another than its commit's serves nowhere" {
	local line tree
	shared
	act 0 record "$T/r1.csv"
	line=$(git notes --ref=evalgate/default show)
	tree=$(git rev-parse 'HEAD^{tree}')
	git notes --ref=evalgate/default add -f -m "${line/$tree/${tree//?/0}}"
	act 2 compare HEAD "$T/r1.csv"
	act 0 history
	says 'default: 0 records'
	commit c2
	act 3 check "$T/r1.csv"
	says "note: $CARRIED"
}

@test "prev is the nearest record, however the run was compared" {
	shared
	act 0 record "$T/r1.csv"
	same "$(prev)" none
	commit c2
	commit c3
	act 0 record --start 'new corpus' "$T/r5.csv"
	same "$(prev)" "\"prev\":\"$(git rev-parse HEAD~2)\""
	commit c4
	act 0 record --event schedule "$T/r5.csv"
	same "$(prev)" "\"prev\":\"$(git rev-parse HEAD~1)\""
}

@test "only records of a later version: a newer evalgate is the mend" {
	local line
	shared
	act 0 record "$T/r1.csv"
	line=$(git notes --ref=evalgate/default show)
	git notes --ref=evalgate/default add -f \
	    -m "${line/\"evalgate\":1/\"evalgate\":2}"
	commit c2
	act 3 check "$T/r1.csv"
	says 'use a newer evalgate'
	says_not --start
}
