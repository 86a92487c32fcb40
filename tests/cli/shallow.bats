#!/usr/bin/env bats
# Where the way back ends early: shallow clones, max_distance, and the mends,
# each of which is followed.

load helper

# c1 (a 1, recorded), c2 .. c4 without a record, all of it at origin.
four() {
	shared
	act 0 record --push "$T/r1.csv"
	changed c2
	changed c3
	changed c4
	git push -q origin main
}

# A commit whose tree nothing else has.
changed() {
	echo "$1" > file
	commit "$1"
}

# A clone of depth 1, with the notes.
shallow() {
	git clone -q --depth=1 --template= "file://$T/origin.git" "$T/two"
	cd "$T/two"
	act 0 sync --fetch
}

@test "too shallow: the mend is named, and works" {
	four
	shallow
	act 3 check "$T/r1.csv"
	says 'the clone is shallow' "'git fetch --deepen=100'"
	act 0 history
	says "'git fetch --deepen=100'"
	git fetch -q --deepen=100
	act 0 check "$T/r1.csv"
	says '3 commits back'
}

@test "max_distance: the mend is named, and works" {
	four
	config <<< $'metrics: [mrr]\nbaseline: {max_distance: 2}'
	changed c5
	act 3 check "$T/r1.csv"
	says 'max_distance is 2 commits; raise `baseline: {max_distance: ...}`'
	config <<< $'metrics: [mrr]\nbaseline: {max_distance: 9}'
	changed c6
	act 0 check "$T/r1.csv"
}

@test "--baseline rev: a whole id serves without its commit" {
	local id
	four
	id=$(git rev-parse HEAD~3)
	shallow
	act 1 check --baseline "rev:$id" "$T/r5.csv"
	says "nearest record from $id, as asked"
	act 0 history --range "$id..HEAD"
	act 0 history --range "$id..$id"
}

@test "--baseline rev: of a name that a shallow clone lacks: ci deepens" {
	four
	shallow
	act 3 check --baseline rev:HEAD~3 "$T/r5.csv"
	says "'HEAD~3' names no commit in this shallow clone" --deepen=100
	act 3 history --range HEAD~3..HEAD
	tells 'shallow clone' --deepen=100
	act 3 compare HEAD~3 "$T/r1.csv"
	act 1 ci --event push --baseline rev:HEAD~3 "$T/r5.csv"
	says 'too shallow' 'nearest record from HEAD~3, as asked'
}

@test "a failing record in reach, a passing one beyond max_distance" {
	four
	act 1 record "$T/r5.csv"
	config <<< $'metrics: [mrr]\nbaseline: {max_distance: 2}'
	changed c5
	act 0 check "$T/r5.csv"
	says 'no record in reach has passed; the nearest one serves'
}

@test "a failing record, and a boundary before a passing one: ci deepens" {
	four
	act 1 record --push "$T/r5.csv"
	changed c5
	git push -q origin main
	git clone -q --depth=2 --template= "file://$T/origin.git" "$T/two"
	cd "$T/two"
	act 0 sync --fetch
	act 1 ci --event push "$T/r5.csv"
	says 'still-failing'
}
