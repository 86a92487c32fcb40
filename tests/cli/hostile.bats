#!/usr/bin/env bats
# Files that are broken or made to harm, for each reader: exit status 2, a
# message with file and line, nothing on stdout, nothing written.

load helper
load hostile

# ------------------------------------------------------------ every reader --

NAMES='c.yaml q.yaml q.json q.trec q.csv r.trec r.jsonl r.json r.csv'

what_is() {
	case $1 in
	c*) what=config ;;
	q*) what=questions ;;
	r*) what=run ;;
	esac
}

@test "empty files, and files of nothing but blanks" {
	sound
	local name
	for name in $NAMES; do
		what_is "$name"
		: > "$name"
		refused "$what" "$name" empty
		file "$name" ' \n\n\t\n'
		[ "$name" = c.yaml ] || refused "$what" "$name"
		file "$name" '\xef\xbb\xbf'
		refused "$what" "$name"
	done
}

@test "check, record and score agree, and write nothing" {
	sound
	local command name
	for command in check record score; do
		echo "version: 2" > c.yaml
		refused config c.yaml:1
		echo "- {id: q1}" > q.yaml
		refused questions q.yaml:1
		echo "q1 Q0 d1 1 x t" > r.trec
		refused run r.trec:1
	done
}

@test "a missing file and a directory have no line" {
	sound
	local what
	mkdir dir
	for what in config questions run; do
		refused "$what" missing.x "No such file"
		[[ $err == *$'\n'"missing.x: "* ]]
		refused "$what" dir directory
		[[ $err == *$'\n'"dir: "* ]]
	done
}

# A file of each kind, sound.
each() {
	case $1 in
	c.yaml) file "$1" 'version: 1\nquestions: questions.yaml\nmetrics: [mrr]\n' ;;
	q.yaml) file "$1" -- '- id: q1\n  expected: d1\n- id: q2\n  expected: d2\n' ;;
	q.json) file "$1" '[{"id": "q1",\n"expected": "d1"},\n{"id": "q2", "expected": "d2"}]\n' ;;
	q.trec) file "$1" 'q1 0 d1 1\nq1 0 d9 0\nq2 0 d2 1\n' ;;
	q.csv) file "$1" 'question,expected\nq1,d1\nq2,d2\n' ;;
	r.trec) file "$1" 'q1 Q0 d1 1 2.5 t\nq1 Q0 d9 2 1.5 t\nq2 Q0 d2 1 7 t\n' ;;
	r.jsonl) file "$1" '{"id":"q1","results":["d1"]}\n{"id":"q2","results":["d2"]}\n' ;;
	r.json) file "$1" '{"q1": {"d1": 2},\n"q2": {"d2": 2}}\n' ;;
	r.csv) file "$1" 'question,expected,rank\nq1,d1,1\nq2,d2,2\n' ;;
	esac
}

@test "the sound files are taken" {
	sound
	local name
	for name in $NAMES; do
		each "$name"
		case $name in
		c*) eg 0 check -c "$name" run.trec ;;
		q*) eg 0 check -Q "$name" ;;
		r*) eg 0 check "$name" ;;
		esac
	done
}

@test "a NUL byte, with its line" {
	sound
	local name
	for name in $NAMES; do
		what_is "$name"
		each "$name"
		sed -i '2s/$/\x00/' "$name"
		refused "$what" "$name:2"
	done
}

@test "bytes that are no UTF-8, with their line" {
	sound
	local name bad
	for name in $NAMES; do
		what_is "$name"
		# Alone, overlong, a surrogate, beyond the last, cut off.
		for bad in '\xff' '\xc0\xaf' '\xed\xa0\x80' '\xf4\x90\x80\x80' \
		    '\xe2\x82'; do
			each "$name"
			sed -i "2s/$/$bad/" "$name"
			refused "$what" "$name:2"
		done
	done
}

@test "cut off in the middle" {
	sound
	printf 'version: 1\nthresholds: [{metric: mrr' > c.yaml
	refused config c.yaml:2
	printf 'version: 1\nsuite: "abc' > c.yaml
	refused config c.yaml:2
	printf -- '- id: q1\n  expected: [d1, ' > q.yaml
	refused questions q.yaml
	printf '[{"id": "q1", "expected": "d1"},\n{"id": "q' > q.json
	refused questions q.json:2
	printf 'q1 0 d1 1\nq2 0 d' > q.trec
	refused questions q.trec:2
	printf 'question,expected\nq1,d1\n"q2,d2\n' > q.csv
	refused questions q.csv:3
	printf 'q1 Q0 d1 1 2.5 t\nq1 Q0 d9' > r.trec
	refused run r.trec:2
	printf '{"id":"q1","results":["d1"]}\n{"id":"q2","resu' > r.jsonl
	refused run r.jsonl:2
	printf '{"q1": {"d1": 2},\n"q2": {"d2"' > r.json
	refused run r.json:2
	printf 'question,expected,rank\nq1,d1,1\n"q2' > r.csv
	refused run r.csv:3
}

@test "only a header, only comments" {
	sound
	printf '# nothing\n' > c.yaml
	refused config c.yaml
	printf '# nothing\n\n' > q.yaml
	refused questions q.yaml
	echo '[]' > q.json
	refused questions q.json 'no questions'
	echo '{}' > q.json
	refused questions q.json
	echo 'questions: []' > q.yaml
	refused questions q.yaml 'no questions'
	echo 'question,expected' > q.csv
	refused questions q.csv 'no questions'
	printf '# a\n# b\n' > q.trec
	refused questions q.trec
	printf '# a\n  # b\n' > r.trec
	refused run r.trec
	echo '[]' > r.json
	refused run r.json 'no results'
	echo '{}' > r.json
	refused run r.json
	echo 'question,expected,rank' > r.csv
	refused run r.csv 'no results'
}

@test "deep nesting" {
	sound
	local open close
	printf -v open '%*s' 100000 ''
	close=${open// /]} open=${open// /[}
	printf 'version: 1\nquestions: %s%s\n' "$open" "$close" > c.yaml
	refused config c.yaml
	printf -- '- id: q1\n  expected: %s%s\n' "$open" "$close" > q.yaml
	refused questions q.yaml
	printf '[{"id": "q1", "expected": %s"d1"%s}]\n' "$open" "$close" > q.json
	refused questions q.json
	printf '{"id": "q1", "results": %s"d1"%s}\n' "$open" "$close" > r.jsonl
	refused run r.jsonl
	printf '{"q1": %s%s}\n' "$open" "$close" > r.json
	refused run r.json
	printf '%s' "$open" > r.json
	refused run r.json
}

# ------------------------------------------------------------------ numbers --

@test "scores that are no finite number" {
	sound
	local bad
	for bad in NaN nan inf -Infinity 1e999 0x10 1,5 1.2.3 abc 1e ''; do
		printf 'q1 Q0 d1 1 3 t\nq1 Q0 d9 2 %s t x\n' "${bad:--}" > r.trec
		refused run r.trec:2 "'${bad:--}'"
	done
	for bad in NaN Infinity -Infinity 1e999 0x10 01 .5 +1 '"1"' true; do
		printf '{"q1": {"d1": 2},\n"q2": {"d2": %s}}\n' "$bad" > r.json
		refused run r.json:2
		printf '{"id":"q1","results":[{"doc_id":"d1","score":1}]}\n{"id":"q2","results":[{"doc_id":"d2","score":%s}]}\n' \
		    "$bad" > r.jsonl
		refused run r.jsonl:2
	done
}

@test "a null score is no score" {
	sound
	printf '{"id":"q1","results":[{"doc_id":"d1","score":null}]}\n{"id":"q2","results":[{"doc_id":"d2"}]}\n' \
	    > r.jsonl
	eg 0 check r.jsonl
}

@test "ranks that are no rank" {
	sound
	local bad
	for bad in -1 1.5 x 1e3 99999999999999999999 ' 1 x' NaN; do
		printf 'question,expected,rank\nq1,d1,1\nq2,d2,%s\n' "$bad" \
		    > r.csv
		refused run r.csv:3 rank
	done
}

@test "grades that are no grade" {
	sound
	local bad
	for bad in 0.5 x 1e3 99999999999 2000000 -2000000 NaN; do
		printf 'q1 0 d1 1\nq2 0 d2 %s\n' "$bad" > q.trec
		refused questions q.trec:2 "$bad"
		# YAML has numbers, and this one is 1000.
		[ $bad != 1e3 ] || continue
		printf -- '- id: q1\n  expected:\n    d1: 1\n    d2: %s\n' "$bad" \
		    > q.yaml
		refused questions q.yaml:4 d2
	done
	for bad in 0.5 '"1"' 99999999999 true null; do
		printf '{"q1": {"d1": 1},\n"q2": {"d2": %s}}\n' "$bad" > q.json
		refused questions q.json:2 d2
	done
}

@test "numbers as ids keep every digit, or are refused" {
	sound
	config c.yaml <<-'END'
		metrics: [mrr]
	END
	# 2^53 + 1 is no double, and is told from 2^53.
	printf '[{"id": 9007199254740993, "expected": 9007199254740993},
{"id": 9007199254740992, "expected": [9007199254740992]}]' > q.json
	printf '{"id": 9007199254740993, "results": [9007199254740992, 9007199254740993]}
{"id": "9007199254740992", "results": ["9007199254740992"]}\n' > r.jsonl
	judged 0 check -c c.yaml -Q q.json r.jsonl
	json questions=2 questions/9007199254740993/rank=2 \
	    questions/9007199254740992/rank=1
	printf '[{"id": 9007199254740993.0, "expected": "d1"}]' > q.json
	local status=0
	"$EVALGATE" score -c c.yaml -Q q.json --format json r.jsonl \
	    > "$T/stdout" 2> "$T/stderr" || status=$?
	same "$status" 2
	printf 'q1 0 00012345678901234567890 1\n' > q.trec
	printf 'q1 Q0 00012345678901234567890 1 1 t\nq1 Q0 12345678901234567890 2 2 t\n' \
	    > r.trec
	judged 0 check -c c.yaml -Q q.trec r.trec
	json questions/q1/rank=2
}

@test "ids in YAML stay as they are written" {
	sound
	cat > q.yaml <<-'END'
		- {id: 039, expected: 1e3}
		- {id: 2020-11-26, expected: 0x1F}
		- {id: 1_000, expected: 12:30:45}
		- {id: ~x, expected: "null"}
		- {id: .5, expected: +1}
	END
	echo '{"039":["1e3"],"2020-11-26":["0x1F"],"1_000":["12:30:45"],"~x":["null"],".5":["x","+1"]}' \
	    > r.json
	config c.yaml <<< 'metrics: [mrr]'
	judged 0 check -c c.yaml -Q q.yaml r.json
	json questions=5 metrics/mrr/value~0.9 questions/039/rank=1 \
	    questions/.5/rank=2 questions/2020-11-26/rank=1
}

# -------------------------------------------------------------- wrong shapes --

@test "wrong columns" {
	sound
	printf 'q1 Q0 d1 1 2.5 t\nq1 Q0 d9 2 1.5\n' > r.trec
	refused run r.trec:2 'columns'
	printf 'q1 0 d1 1\nq2 0 d2 1 5\n' > q.trec
	refused questions q.trec:2 'columns'
	printf 'question,expected,rank\nq1,d1,1,5\n' > r.csv
	refused run r.csv:2 cells
	printf 'question,expected,rank\nq1,d1\n' > r.csv
	refused run r.csv:2 cells
	printf 'query,rank,rank\nq1,1,2\n' > r.csv
	refused run r.csv:1 rank
	printf 'frage,expected,rank\nq1,d1,1\n' > r.csv
	refused run r.csv:1 question
	printf 'frage,expected\nq1,d1\n' > q.csv
	refused questions q.csv:1 question
	printf 'question,expected\nq1,d1,x\n' > q.csv
	refused questions q.csv:2 cells
	printf 'question,expected,rank\nq1,d1,1\nq2,a "b" c,1\n' > r.csv
	refused run r.csv:3 quote
	printf 'question,expected,rank\nq1,"d1"x,1\n' > r.csv
	refused run r.csv:2 quote
	printf 'hello world\n' > r.txt
	refused run r.txt:1 TREC
}

@test "JSON of another shape" {
	sound
	local bad
	for bad in '"text"' 17 null true '{"q1": 5}' '[1, 2]' '[["d1"]]' \
	    '{"q1": {"d1": {}}}' '{"q1": [{"page": 1}]}' '[{"results": []}]' \
	    '[{"id": "q1"}]' '[{"id": "q1", "results": "d1"}]' \
	    '[{"id": ["q1"], "results": []}]' '{"q1": ["d1"],}' "{'q1': []}" \
	    '{"q1": ["d1"]} x' '{"q1": ["d1"] /* c */}' '{"q1": ["\u0000"]}' \
	    '{"q1": ["\ud800"]}' '{"q1": ["\x"]}' '{"": ["d1"]}'; do
		echo "$bad" > r.json
		refused run r.json
	done
	for bad in '"text"' 17 '[17]' '[{"expected": "d1"}]' \
	    '[{"id": "q1"}]' '[{"id": "", "expected": "d1"}]' \
	    '[{"id": "q1", "expected": ""}]' '[{"id": {}, "expected": "d"}]' \
	    '[{"id": "q1", "expected": [["d"]]}]' \
	    '[{"id": "q1", "expected": "d", "expected_any": "d"}]' \
	    '[{"id": "q1", "expected": "d", "holdout": "maybe"}]' \
	    '{"q1": ["d1"]}' '{"q1": {"d1": 1}, "q1": {"d1": 1}}' \
	    '[{"id": "q1", "expected": ["d", "d"]}]' \
	    '[{"id": "q1", "id": "q2", "expected": "d"}]'; do
		echo "$bad" > q.json
		refused questions q.json
	done
}

@test "what stands twice is told with both lines" {
	sound
	printf 'q1 Q0 d1 1 2 t\nq2 Q0 d1 1 3 t\nq1 Q0 d1 3 1 t\n' > r.trec
	refused run r.trec:3 d1
	tells q1 1
	printf 'q1 0 d1 1\nq2 0 d1 1\nq1 0 d1 0\n' > q.trec
	refused questions q.trec:3 d1
	tells 'line 1'
	printf -- '- id: q1\n  expected: d1\n- id: q1\n  expected: d2\n' > q.yaml
	refused questions q.yaml:3 q1
	tells 'q.yaml:1'
	printf '{"id":"q1","results":["d1"]}\n{"id":"q2","results":[]}\n{"id":"q1","results":["d1"]}\n' \
	    > r.jsonl
	refused run r.jsonl:3 q1
	printf '{"id":"q1","results":["d1","x",\n"d1"]}\n' > r.json
	refused run r.json d1
	printf 'question,expected,rank\nq1,d1,1\nq1,d1,2\n' > r.csv
	refused run r.csv:3 q1
	printf 'question,expected\nq1,d1\nq1,d2\n' > q.csv
	refused questions q.csv:3 q1
}

@test "a run that shares no question with the question file" {
	sound
	printf 'Q1 Q0 d1 1 2 t\nQ2 Q0 d2 1 2 t\n' > r.trec
	refused run r.trec 'in common'
}

@test "YAML that is more than data, or less than one document" {
	sound
	printf 'version: 1\nbase: &b {min: 1}\nthresholds:\n  - {<<: *b, metric: mrr}\n' \
	    > c.yaml
	refused config c.yaml:4 '<<'
	printf 'version: 1\nmetrics: *nothing\n' > c.yaml
	refused config c.yaml:2
	printf 'version: 1\n---\nversion: 1\n' > c.yaml
	refused config c.yaml:2 document
	printf 'version: 1\nversion: 1\n' > c.yaml
	refused config c.yaml:2 version
	printf 'version: 1\nmetrics: [mrr\nsuite: x\n' > c.yaml
	refused config c.yaml
	printf 'version: 1\n  metrics: [mrr]\n' > c.yaml
	refused config c.yaml:2
	printf -- '- version: 1\n' > c.yaml
	refused config c.yaml:1 map
	printf 'just text\n' > c.yaml
	refused config c.yaml:1 map
	printf 'version: 1\nmetrics: {mrr: 1}\n' > c.yaml
	refused config c.yaml:2 metrics
	printf 'version: 1\nthresholds: mrr\n' > c.yaml
	refused config c.yaml:2 thresholds
	printf 'version: 1\ntracked: [q1, {question: [q1]}]\n' > c.yaml
	refused config c.yaml:2
}

@test "comments, blank lines and CRLF in TREC files are nothing" {
	sound
	printf '# c\r\n# q9 0 d 5\r\n\r\nq1 0 d1 1\r\n   \nq2\t0\td2\t1\n# last' \
	    > q.trec
	printf '# c\r\n\r\nq1 Q0 d1 1 2 t\r\n\t\nq2 Q0 d2 1 2 t a b c\n# end' \
	    > r.trec
	judged 0 check -Q q.trec r.trec
	json questions=2 metrics/mrr/value~1
}

@test "long ids and many results" {
	sound
	local long
	printf -v long '%*s' 70000 ''
	long=${long// /x}
	printf 'q1 0 %s 1\n' "$long" > q.trec
	awk -v long="$long" 'BEGIN {
		for (i = 1; i < 3000; i++)
			print "q1", "Q0", "d" i, i, 5000 - i, "t"
		print "q1", "Q0", long, 3000, 1, "t"
	}' > r.trec
	judged 0 check -Q q.trec r.trec
	json questions/q1/rank=3000
}
