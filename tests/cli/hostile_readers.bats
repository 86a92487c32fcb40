#!/usr/bin/env bats
# The same for the formats that hostile.bats does not have, and for what any
# file can be: without an end, without permission, forced to be another.

load helper
load hostile

NAMES='q.companion q.beir q.map q.texts q.jsonl r.companion r.ranks r.array
r.lists'

what_is() {
	case $1 in
	q*) what=questions ;;
	r*) what=run ;;
	esac
}

# A file of each kind, sound; the second line is in the middle of it.
each() {
	case $1 in
	q.companion) file "$1" '[{"query_id": "q1", "doc_id": "d1", "expected_pages": [1]},\n{"query_id": "q2", "doc_id": "d2", "expected_pages": [2]}]\n' ;;
	q.beir) file "$1" 'query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t1\n' ;;
	q.map) file "$1" '{"q1": {"d1": 1},\n"q2": {"d2": 1}}\n' ;;
	q.texts) file "$1" '{"_id": "q1", "text": "one"}\n{"_id": "q2", "text": "two"}\n' ;;
	q.jsonl) file "$1" '{"id": "q1", "expected": "d1"}\n{"id": "q2", "expected": "d2"}\n' ;;
	r.companion) file "$1" '{"results": [{"query_id": "q1", "hit_rank": 1},\n{"query_id": "q2", "hit_rank": 0}]}\n' ;;
	r.ranks) file "$1" '[{"question": "q1", "rank": 1},\n{"question": "q2", "rank": null}]\n' ;;
	r.array) file "$1" '[{"id": "q1", "results": ["d1"]},\n{"id": "q2", "results": []}]\n' ;;
	r.lists) file "$1" '{"q1": ["d1"],\n"q2": []}\n' ;;
	esac
}

# Texts stand beside a question file, never alone.
beside() {
	case $1 in
	q.texts) extra=(-Q questions.yaml) ;;
	*) extra=() ;;
	esac
}

@test "the sound files are taken" {
	sound
	local name extra
	for name in $NAMES; do
		each "$name"
		beside "$name"
		case $name in
		q*) eg 0 check "${extra[@]}" -Q "$name" ;;
		r*) eg 0 check "$name" ;;
		esac
	done
}

@test "empty, blanks, a byte order mark, nothing in it" {
	sound
	local name what
	for name in $NAMES; do
		what_is "$name"
		: > "$name"
		refused $what "$name:1" empty
		file "$name" '\xef\xbb\xbf \n\t\n'
		refused $what "$name:1" empty
	done
	for name in q.companion r.companion r.ranks; do
		what_is "$name"
		echo '[]' > "$name"
		refused $what "$name"
	done
	echo '{"results": []}' > r.companion
	refused run r.companion
	printf 'query-id\tcorpus-id\tscore\n' > q.beir
	refused questions q.beir 'no questions'
	each q.texts
	refused questions q.texts 'texts of questions alone'
	echo '{"questions": {}}' > q.map
	eg 2 check -Q q.map run.trec
}

@test "a NUL byte, bytes that are no UTF-8, with their line" {
	sound
	local name what bad
	for name in $NAMES; do
		what_is "$name"
		for bad in '\x00' '\xff' '\xc0\xaf' '\xed\xa0\x80' '\xe2\x82'; do
			each "$name"
			sed -i "2s/$/$bad/" "$name"
			refused $what "$name:2"
			each "$name"
			sed -i "2s/q[12]/&$bad/" "$name"
			refused $what "$name:2"
		done
	done
}

@test "cut off anywhere: never taken for the whole" {
	sound
	local name what size length whole
	for name in q.companion q.map r.companion r.ranks r.array r.lists; do
		what_is "$name"
		each "$name"
		whole=$(cat "$name")
		size=${#whole}
		for ((length = 1; length < size; length += 7)); do
			printf %s "${whole:0:length}" > "$name"
			refused $what "$name"
		done
	done
}

@test "broken in the second line, with the line" {
	sound
	local name what
	for name in $NAMES; do
		what_is "$name"
		each "$name"
		sed -i '2s/[]}]*$/ x"/' "$name"
		refused $what "$name:2"
	done
}

@test "what is missing or of another kind: questions" {
	sound
	local bad
	for bad in '{"query_id": "q2"}' '{"doc_id": "d"}' \
	    '{"query_id": "q2", "doc_id": null, "evaluable": true}' \
	    '{"query_id": "q2", "doc_id": ""}' \
	    '{"query_id": "", "doc_id": "d"}' \
	    '{"query_id": null, "doc_id": "d"}' \
	    '{"query_id": ["q2"], "doc_id": "d"}' \
	    '{"query_id": "q2", "doc_id": {"d": "x"}}' \
	    '{"query_id": "q2", "doc_id": "d", "expected_pages": ["x"]}' \
	    '{"query_id": "q2", "doc_id": "d", "expected_pages": -1}' \
	    '{"query_id": "q2", "doc_id": "d", "evaluable": "no"}' \
	    '{"query_id": "q2", "doc_id": "d", "holdout": 1}' \
	    '{"query_id": "q1", "doc_id": "d"}' '"q2"' '[]' null; do
		printf '[{"query_id": "q1", "doc_id": "d1"},\n%s]\n' "$bad" \
		    > q.json
		refused questions q.json:2
	done
	for bad in 'q2\td2' 'q2\td2\t1\t1' 'q2\td2\t1.5' 'q2\td2\tx' \
	    'q2\td2\t1e1' 'q2\td2\t99999999' 'q1\td1\t1'; do
		file q.tsv 'query-id\tcorpus-id\tscore\nq1\td1\t1\n%b\n' "$bad"
		refused questions q.tsv:3
	done
	for bad in '{"_id": "q2"}' '{"text": "x"}' '{"_id": ["q2"], "text": "x"}' \
	    '{"_id": "q2", "text": {}}' '{"_id": "q1", "text": "x"}' '[]' 7; do
		printf '{"_id": "q1", "text": "one"}\n%s\n' "$bad" > texts
		eg 2 check -Q questions.yaml -Q texts
		[[ $'\n'$err == *$'\ntexts:2: '* ]] || {
			echo "for $bad"
			show
			return 1
		}
	done
}

@test "what is missing or of another kind: runs" {
	sound
	local bad
	for bad in '{"query_id": "q2"}' '{"hit_rank": 1}' \
	    '{"query_id": "q2", "hit_rank": -1}' \
	    '{"query_id": "q2", "hit_rank": 1.5}' \
	    '{"query_id": "q2", "hit_rank": "1"}' \
	    '{"query_id": "q2", "hit_rank": 4294967296}' \
	    '{"query_id": "q2", "hit_rank": 1e999}' \
	    '{"query_id": "q2", "hit_rank": true}' \
	    '{"query_id": "q2", "hit_rank": 1, "evaluable": "no"}' \
	    '{"query_id": null, "hit_rank": 1}' \
	    '{"query_id": "q1", "hit_rank": 1}' '"q2"' '[]' null; do
		printf '{"results": [{"query_id": "q1", "hit_rank": 1},\n%s]}\n' \
		    "$bad" > r.json
		refused run r.json:2
	done
	for bad in '{"question": "q2"}' '{"rank": 1}' \
	    '{"question": "q2", "rank": -1}' '{"question": "q2", "rank": 0.5}' \
	    '{"question": "q2", "rank": "x"}' '{"question": {}, "rank": 1}' \
	    '{"question": "q2", "rank": 99999999999}' \
	    '{"question": "q2", "rank": 1, "expected": "d9"}' \
	    '{"question": "q2", "rank": 1, "expected": {"d2": 1}}' \
	    '{"question": "q2", "rank": 1, "expected": [["d2"]]}' \
	    '{"question": "q1", "rank": 2}' 5 '[]' null; do
		printf '[{"question": "q1", "rank": 1},\n%s]\n' "$bad" > r.json
		refused run r.json:2
	done
	for bad in '{"doc_id": ""}' '{"page": 1}' '{"doc_id": null}' '{}' '""' \
	    '{"doc_id": "d", "score": "1"}' '{"doc_id": "d", "score": 1e999}' \
	    '{"doc_id": "d", "page": 1.5}' '{"doc_id": ["d"]}' null '[]' true; do
		printf '{"q1": ["d1"],\n"q2": [%s]}\n' "$bad" > r.json
		refused run r.json:2
	done
}

@test "one endless line" {
	sound
	local name
	perl -e 'print "x" x 5_000_000' > endless
	for name in run questions; do
		refused $name endless
	done
	{ printf '['; perl -e 'print "1," x 500_000'; } > endless
	refused run endless:1
	refused questions endless:1
	{ printf '{"id": "q1", "results": ["'; perl -e 'print "x" x 5_000_000'; } \
	    > endless
	refused run endless:1
	{ printf 'q1 Q0 '; perl -e 'print "d " x 1_000_000'; } > endless
	refused run endless:1
	{ printf 'question,rank\nq1,'; perl -e 'print "1" x 2_000_000'; } > endless
	refused run endless:2 rank
	{ printf 'question,expected\n"'; perl -e 'print "q," x 1_000_000'; } \
	    > endless
	refused questions endless:2 quote
	{ printf -- '- {id: q1, expected: ['; perl -e 'print "d," x 100_000'; } \
	    > endless
	refused questions endless:1
	# The message itself must not be endless.
	[ ${#err} -lt 4000 ]
	perl -e 'print "q1 Q0 d1 1 ", "9" x 100_000, "x t\n"' > endless
	refused run endless:1
	[ ${#err} -lt 4000 ] || {
		echo "a message of ${#err} bytes"
		return 1
	}
}

@test "2^53 + 1 as an id keeps its digits, in every format" {
	sound
	local name big=9007199254740993 near=9007199254740992
	config c.yaml <<< 'metrics: [mrr]'
	for name in companion map beir; do
		case $name in
		companion) printf '[{"query_id": %s, "doc_id": %s}, {"query_id": %s, "doc_id": %s}]' \
		    $big $near $near $big ;;
		map) printf '{"%s": {"%s": 1}, "%s": {"%s": 1}}' \
		    $big $near $near $big ;;
		beir) printf '%s\t%s\t1\n' $big $near $near $big ;;
		esac > q
		printf '[{"id": %s, "results": [%s, %s]}, {"id": %s, "results": [{"doc_id": %s}]}]' \
		    $big $big $near $near $big > r
		judged 0 check -c c.yaml -Q q r
		json questions=2 questions/$big/rank=2 questions/$near/rank=1
		printf '{"%s": {"%s": 1, "%s": 2}, "%s": {"%s": 5}}' \
		    $big $near $big $near $big > r
		judged 0 check -c c.yaml -Q q r
		json questions/$big/rank=2 questions/$near/rank=1
		printf '{"results": [{"query_id": %s, "hit_rank": 4}, {"query_id": %s, "hit_rank": 3}]}' \
		    $big $near > r
		judged 0 check -c c.yaml -Q q r
		json questions/$big/rank=4 questions/$near/rank=3
		printf '[{"question": %s, "rank": 4}, {"question": %s, "rank": 3}]' \
		    $big $near > r
		judged 0 check -c c.yaml -Q q r
		json questions/$big/rank=4 questions/$near/rank=3
	done
	# As another spelling of a number it is refused, or another id.
	for name in "${big}e0" "${big}.0" -0; do
		echo '[{"query_id": '$name', "hit_rank": 1}]' > r
		eg 2 check -c c.yaml -Q q r
	done
}

@test "no permission, with the file, for each kind" {
	[ "$(id -u)" != 0 ] || skip 'root may read everything'
	sound
	local name what
	for name in $NAMES; do
		what_is "$name"
		each "$name"
		chmod 0 "$name"
		refused $what "$name" 'Permission denied'
	done
	cp evalgate.yaml c.yaml
	chmod 0 c.yaml
	refused config c.yaml 'Permission denied'
}

@test "the wrong format forced: nothing is stored, and the file is named" {
	sound
	local format
	for format in jsonl map ranks companion csv; do
		eg 2 record --run-format $format run.trec
		tells 'run.trec:1: '
		same "$(notes)" none
	done
	for format in trec beir csv map companion texts; do
		eg 2 record --question-format $format
		tells 'questions.yaml:'
		same "$(notes)" none
	done
}

@test "gzip: packed files are refused as the same unpacked would be" {
	sound
	local name what
	for name in $NAMES; do
		what_is "$name"
		each "$name"
		sed -i '2s/[]}]*$/ x"/' "$name"
		gzip -nf "$name"
		refused $what "$name.gz:2"
		each "$name"
		gzip -nf "$name"
		head -c 20 "$name.gz" > "$name"
		refused $what "$name" 'cut off'
	done
	mkfifo pipe
	rm pipe
	ln -s loop loop
	refused run loop
	refused questions loop
}

@test "a pipe and a device are files like others" {
	sound
	eg 0 check <(cat run.trec)
	eg 0 check -Q <(cat questions.yaml) <(gzip < run.trec)
	refused run /dev/null:1 empty
}

@test "what is deep or wide in the companion's files" {
	sound
	local open
	printf -v open '%*s' 100000 ''
	open=${open// /[}
	printf '{"results": [{"query_id": "q1", "hit_rank": 1, "x": %s' "$open" \
	    > r.json
	refused run r.json:1 deep
	printf '[{"query_id": "q1", "doc_id": "d", "x": %s' "$open" > q.json
	refused questions q.json:1 deep
	printf '{"_id": "q1", "text": "x", "metadata": %s\n' "$open" > q.json
	refused questions q.json:1
}
