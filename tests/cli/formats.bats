#!/usr/bin/env bats
# Every format of questions and of runs, in small: told apart by content, the
# same whichever is used, and forced right or wrong by an option.

load helper

# ---------------------------------------------------------------- questions --

# q1 wants a (grade 2) and b, q2 wants c, q3 wants d; z is judged and bad.
question_file() {
	case $1 in
	yaml) cat <<-'END' ;;
		questions:
		  - id: q1
		    text: First?
		    expected: {a: 2, b: 1, z: 0}
		  - {id: q2, question: Second?, expected: [c]}
		  - {id: q3, expected: d}
		END
	list) cat <<-'END' ;;
		- {id: q1, expected: {a: 2, b: 1, z: 0}}
		- {query_id: q2, expected: {c: 1}}
		- {id: q3, expected: d}
		END
	json) cat <<-'END' ;;
		{"questions": [{"id": "q1", "expected": {"a": 2, "b": 1, "z": 0}},
		 {"query_id": "q2", "expected": "c"}, {"id": "q3", "expected": ["d"]}]}
		END
	jsonl) cat <<-'END' ;;
		{"id": "q1", "expected": {"a": 2, "b": 1, "z": 0}}

		{"id": "q2", "expected": "c"}
		{"id": "q3", "expected": ["d"]}
		END
	trec) cat <<-'END' ;;
		q3 0 d 1
		q1 0 z 0
		q1 0 a 2
		q2 0 c 1
		q1 0 b 1
		END
	beir) printf '%s\n' 'q1	a	2' 'q1	b	1' 'q1	z	0' 'q2	c	1' \
	    'q3	d	1' ;;
	header) printf 'query-id\tcorpus-id\tscore\n' && question_file beir ;;
	map) echo '{"q1": {"a": 2, "b": 1, "z": 0}, "q2": {"c": 1}, "q3": {"d": 1}}' ;;
	mapyaml) printf '%s\n' 'q1: {a: 2, b: 1, z: 0}' 'q2:' '  c: 1' 'q3: {d: 1}' ;;
	csv) printf '%s\n' question,expected,category 'q1,a ; b,x' q2,c, q3,d,y ;;
	companion) cat <<-'END' ;;
		[{"query_id": "q1", "question": "First?", "doc_id": "a",
		  "expected_pages": [3, 4], "category": "x", "evaluable": true,
		  "evidence_keyword": "k", "difficulty": "easy"},
		 {"query_id": "q2", "question": "Second?", "doc_id": "c",
		  "expected_pages": [1], "category": "x", "difficulty": "hard"},
		 {"query_id": "q3", "question": "Third?", "doc_id": "d",
		  "expected_pages": [], "category": "y", "difficulty": "hard"},
		 {"query_id": "q4", "question": "None?", "doc_id": null,
		  "evaluable": false, "category": "y", "difficulty": "hard"}]
		END
	esac
}

# a at 1, b at 3; c at 2; d not found.
run_file() {
	case $1 in
	trec) cat <<-'END' ;;
		q2 Q0 c 9 1.5 t
		q1 Q0 a 1 9 t
		q1 Q0 b 2 7 t
		q1 Q0 x 3 8.5 t
		q2 Q0 x 1 2e0 t
		q3 Q0 x 1 0 t
		END
	jsonl) cat <<-'END' ;;
		{"id": "q1", "results": ["a", "x", "b"]}
		{"query_id": "q2", "ranking": [{"doc_id": "x", "score": null}, {"doc_id": "c"}]}
		{"id": "q3", "results": [{"document": "x", "score": 0.5}]}
		END
	array) cat <<-'END' ;;
		[{"id": "q1", "results": [{"doc_id": "a"}, {"doc_id": "x"}, {"doc_id": "b"}]},
		{"id": "q2", "results": ["x", "c"]}, {"id": "q3", "results": ["x"]}]
		END
	scores) echo '{"q1": {"b": 1, "a": 3.5, "x": 2}, "q2": {"c": -2, "x": -1e0}, "q3": {"x": 0}}' ;;
	map) echo '{"q1": ["a", "x", "b"], "q2": ["x", "c"], "q3": ["x"]}' ;;
	csv) printf '%s\n' question,rank q1,1 q2,2 q3, ;;
	zero) printf '%s\n' id,rank q3,0 q2,2 q1,1 ;;
	ranks) echo '[{"question": "q1", "rank": 1}, {"question": "q2", "rank": 2}, {"question": "q3", "rank": null}]' ;;
	companion) cat <<-'END' ;;
		{"results": [
		 {"query_id": "q1", "hit_rank": 1, "page_rank": 2, "keyword_rank": 0, "evaluable": true, "error": ""},
		 {"query_id": "q2", "hit_rank": 2, "page_rank": 2, "keyword_rank": 4},
		 {"query_id": "q3", "hit_rank": 0, "page_rank": 0, "keyword_rank": 3, "error": null}]}
		END
	esac
}

LISTS='trec jsonl array scores map'
RANKS='csv zero ranks companion'

both_metrics() {
	config <<-END
		questions: q
		metrics: [$1]
	END
}

@test "questions: every format gives the same, told apart by content" {
	local name
	run_file trec > r
	both_metrics 'recall@3, mrr, ndcg@3, judged@3'
	for name in yaml list json jsonl trec beir header map mapyaml; do
		question_file $name > q
		judged 0 score r
		json questions=3 metrics/recall@3/value~0.6666667 \
		    metrics/mrr/value~0.5 metrics/ndcg@3/value~0.5270547 \
		    metrics/judged@3/value~0.6666667 \
		    questions/q2/rank=2 questions/q3/rank=null || {
			echo "as $name"
			return 1
		}
	done
}

@test "questions: CSV with alternatives and fields" {
	run_file trec > r
	question_file csv > q
	both_metrics 'recall@3, mrr'
	echo 'slices: [category]' >> evalgate.yaml
	judged 0 score r
	json questions=3 metrics/recall@3/value~0.6666667 \
	    metrics/mrr/value~0.5 'metrics/mrr[category%3dx]/value=1' \
	    'metrics/mrr[category%3dy]/value=0'
}

@test "questions: the companion's, with its fields, pages and flag" {
	run_file jsonl > r
	question_file companion > q
	both_metrics 'recall@3, mrr'
	echo 'slices: [category, difficulty]' >> evalgate.yaml
	judged 0 score r
	json questions=4 counts/answerable=3 metrics/mrr/value~0.5 \
	    questions/q4/answerable=false 'questions/q1/text=First?' \
	    'metrics/mrr[category%3dx]/value=0.75' \
	    'metrics/mrr[difficulty%3dhard]/value=0.25'
	echo '[{"id":"q1","results":[{"doc_id":"a","page":1},{"doc_id":"a","page":4}]},
	{"id":"q3","results":[{"doc_id":"d","page":7}]}]' > r
	echo 'match: page' >> evalgate.yaml
	judged 0 score r
	json questions/q1/rank=2 questions/q1/document_rank=1 \
	    questions/q3/rank=1 questions/q2/missing=true
}

@test "questions: the companion's, whichever comes first" {
	run_file jsonl > r
	echo '[{"query_id": "q4", "question": "None?", "doc_id": null, "evaluable": false},
	{"query_id": "q1", "question": "First?", "doc_id": "a"}]' > q
	both_metrics mrr
	judged 0 score r
	json questions=2 counts/answerable=1 metrics/mrr/value=1
}

@test "questions: JSON Lines of one line" {
	run_file jsonl > r
	both_metrics mrr
	echo '{"id": "q2", "expected": "c"}' > q
	judged 0 score r
	json questions=1 metrics/mrr/value=0.5
	echo '{"expected": {"c": 1}, "id": "q2"}' > q
	judged 0 score r
	json questions=1 metrics/mrr/value=0.5
}

@test "questions: a map of questions called id, expected and questions" {
	both_metrics mrr
	echo '{"questions": {"a": 1}, "id": {"b": 1}, "results": {"c": 1}}' > q
	echo '{"questions": ["a"], "id": ["x", "b"], "results": ["c"]}' > r
	judged 0 score r
	json questions=3 questions/id/rank=2 metrics/mrr/value~0.8333333
}

@test "questions: several files are one set; a question in two is refused" {
	run_file trec > r
	config <<< 'metrics: [mrr]'
	question_file beir | head -n 3 > q1.tsv
	echo '- {id: q2, expected: c}' > q2.yaml
	echo '{"q3": {"d": 1}}' > q3.json
	judged 0 score -Q q1.tsv -Q q2.yaml -Q q3.json r
	json questions=3 metrics/mrr/value=0.5
	eg 2 score -Q q1.tsv -Q q2.yaml -Q q3.json -Q q2.yaml r
	tells 'q2.yaml:1: ' "'q2'" 'q2.yaml:1'
	echo '[{"id": "q1", "expected": "a"}]' > again.json
	eg 2 score -Q q1.tsv -Q again.json r
	tells 'again.json:1: ' "'q1'" 'q1.tsv:1'
}

@test "--question-format: forced right, every name" {
	local name format
	run_file trec > r
	both_metrics mrr
	for name in yaml:evalgate jsonl:evalgate trec:trec beir:beir \
	    header:beir map:map mapyaml:map csv:csv companion:companion; do
		format=${name#*:} name=${name%:*}
		question_file $name > q
		judged 0 score --question-format $format r
		json metrics/mrr/value=0.5
	done
}

@test "--question-format: forced wrong, with file and line" {
	local name format
	run_file trec > r
	both_metrics mrr
	for name in yaml list json jsonl trec header beir map csv companion; do
		question_file $name > q
		for format in evalgate companion trec beir csv map texts; do
			# What can be read either way is no mistake.
			case $name/$format in
			yaml/evalgate | list/evalgate | json/evalgate) continue ;;
			jsonl/evalgate | trec/trec | header/beir) continue ;;
			beir/beir | map/map | csv/csv) continue ;;
			companion/companion) continue ;;
			esac
			eg 2 score --question-format $format r || {
				echo "$name forced as $format"
				return 1
			}
			[[ $err =~ ^q:[0-9]+:\ . ]] || {
				echo "$name as $format: $err"
				return 1
			}
		done
	done
	eg 2 score --question-format trek r
	tells "'trek'" "'trec'"
}

# --------------------------------------------------------------------- runs --

@test "runs: every list gives the same, told apart by content" {
	local name
	question_file trec > q
	both_metrics 'recall@3, mrr, ndcg@3, judged@3'
	for name in $LISTS; do
		run_file $name > r
		judged 0 score r
		json questions=3 metrics/recall@3/value~0.6666667 \
		    metrics/mrr/value~0.5 metrics/ndcg@3/value~0.5270547 \
		    metrics/judged@3/value~0.6666667 \
		    questions/q1/depth=3 questions/q2/rank=2 \
		    questions/q3/rank=null counts/missing=0 || {
			echo "as $name"
			return 1
		}
	done
}

@test "runs: every file of ranks gives the same" {
	local name
	question_file trec > q
	both_metrics 'mrr, hit@1, hit@3'
	for name in $RANKS; do
		run_file $name > r
		judged 0 score r
		json questions=3 metrics/mrr/value=0.5 \
		    metrics/hit@1/value~0.3333333 metrics/hit@3/value~0.6666667 \
		    questions/q1/depth=null questions/q2/rank=2 \
		    questions/q3/rank=null counts/missing=0 || {
			echo "as $name"
			return 1
		}
	done
}

@test "runs: a metric that a rank alone can't give is named, with a question" {
	local name
	question_file trec > q
	both_metrics 'mrr, recall@3'
	for name in $RANKS; do
		run_file $name > r
		eg 2 score r
		tells 'recall@3' "q1"
	done
}

@test "runs: --rank-field picks among the companion's ranks" {
	question_file companion > q
	run_file companion > r
	both_metrics mrr
	judged 0 score --rank-field hit_rank r
	json metrics/mrr/value=0.5 questions/q3/rank=null
	judged 0 score --rank-field page_rank r
	json metrics/mrr/value~0.3333333 questions/q1/rank=2
	judged 0 score --rank-field keyword_rank r
	json metrics/mrr/value~0.1944444 questions/q1/rank=null \
	    questions/q3/rank=3
	eg 2 score --rank-field hitrank r
	tells hitrank
}

@test "runs: the companion's, where what is not evaluable comes first" {
	question_file companion > q
	both_metrics mrr
	echo '{"results": [
	 {"query_id": "q4", "evaluable": false, "question": "None?"},
	 {"query_id": "q1", "hit_rank": 2, "evaluable": true},
	 {"query_id": "q2", "hit_rank": 1}, {"query_id": "q3", "hit_rank": 0}]}' > r
	judged 0 score r
	json metrics/mrr/value=0.5 counts/missing=0 questions/q1/rank=2
}

@test "runs: not evaluable here, answerable there: it counts 0, and is named" {
	question_file trec > q
	both_metrics mrr
	echo '{"results": [{"query_id": "q1", "hit_rank": 1},
	 {"query_id": "q2", "evaluable": false},
	 {"query_id": "q3", "hit_rank": 1}]}' > r
	judged 0 score r
	json metrics/mrr/value~0.6666667 questions/q2/rank=null \
	    questions/q2/missing=false questions/q2/depth=null
	says '1 question is not evaluable in the run, but answerable in the question file, counted 0: q2'
	says_not 'not in the run' 'depth 0'
	# No rank at all is no list without results.
	echo '{"results": [{"query_id": "q1", "hit_rank": 1, "error": "x"},
	 {"query_id": "q2", "evaluable": false}]}' > r
	judged 0 score r
	says_not 'depth 0'
	json questions/q1/depth=null
}

@test "questions: the companion's without a document can't be answered" {
	run_file companion > r
	both_metrics mrr
	echo '[{"query_id": "q1", "doc_id": "a"},
	 {"query_id": "q2", "doc_id": null}]' > q
	judged 0 score r
	json counts/answerable=1 questions/q2/answerable=false
	says '1 unanswerable, left out: q2'
	echo '[{"query_id": "q1", "doc_id": "a"},
	 {"query_id": "q2", "doc_id": null, "evaluable": true}]' > q
	eg 2 score r
	tells 'q:2: ' "'q2'" doc_id
}

@test "--rank-field is the option's fault, not a line's" {
	question_file trec > q
	both_metrics mrr
	run_file companion > r
	eg 2 score --rank-field hitrank r
	tells "evalgate: unknown rank field 'hitrank'" "'hit_rank'?"
	echo '[{"query_id": "q1", "page_rank": 1}]' > r
	eg 2 score r
	tells 'r:1: ' "no 'hit_rank'" "'page_rank', which --rank-field"
	local name
	for name in $LISTS csv ranks; do
		run_file "$name" > r
		eg 2 score --rank-field page_rank r
		tells 'r: is read as ' --rank-field
	done
}

@test "runs: an error, in every format that has one, is a miss without verdict" {
	local error
	new_repo
	question_file trec > q
	both_metrics mrr
	commit c1
	for error in '"timeout"' '{"code": 500}' '["a"]' true; do
		echo '{"results": [{"query_id": "q1", "hit_rank": 1},
		 {"query_id": "q2", "hit_rank": 1, "error": '"$error"'},
		 {"query_id": "q3", "hit_rank": 1, "error": ""}]}' > ../r
		judged 3 check ../r
		json metrics/mrr/value~0.6666667 counts/errored=1 \
		    questions/q2/class=errored findings/q2/class=errored
		echo '[{"id": "q1", "results": ["a"]},
		 {"id": "q2", "results": ["c"], "error": '"$error"'},
		 {"id": "q3", "results": ["d"], "error": null}]' > ../r
		judged 3 check ../r
		json metrics/mrr/value~0.6666667 counts/errored=1 \
		    findings/q2/class=errored
	done
	echo '[{"id": "q1", "results": ["a"]}, {"id": "q2", "error": "x"}]' > ../r
	judged 3 check ../r
	json counts/errored=1 counts/missing=1
}

@test "runs: an array of one line, a list of one record, one record alone" {
	local run
	question_file trec > q
	both_metrics mrr
	for run in '{"id": "q1", "results": ["a"]}' \
	    '[{"id": "q1", "results": ["a"]}]' '{"q1": ["a"]}' \
	    '{"q1": {"a": 1}}' 'q1 Q0 a 1 1 t'; do
		echo "$run" > r
		judged 0 score r
		json questions/q1/rank=1 counts/missing=2
	done
}

@test "runs: a question called id or results is one" {
	both_metrics mrr
	echo '[{"id": "id", "expected": "a"}, {"id": "results", "expected": "b"}]' > q
	echo '{"id": {"a": 2, "x": 1}, "results": {"b": 1, "x": 2}}' > r
	judged 0 score r
	json questions/id/rank=1 questions/results/rank=2
	echo '{"id": ["a"], "results": ["x", "b"]}' > r
	judged 0 score r
	json questions/id/rank=1 questions/results/rank=2
}

@test "runs: results named by text where no id is" {
	question_file yaml > q
	both_metrics mrr
	printf '%s\n' question,rank 'First?,2' q2,1 '"q3",' > r
	judged 0 score r
	json questions/q1/rank=2 questions/q2/rank=1 counts/missing=0
	printf '%s\n' '- {id: q1, text: Same?, expected: a}' \
	    '- {id: q2, text: Same?, expected: c}' > q
	printf '%s\n' question,rank 'Same?,2' > r
	eg 2 score r
	tells 'r:2: ' q1 q2
}

@test "runs: the rank of another document than ours is no rank" {
	question_file list > q
	both_metrics mrr
	printf '%s\n' question,expected,rank q2,c,1 q3,other,1 > r
	eg 2 score r
	tells 'r:3: ' other "'q3'" 'q:3'
	printf '%s\n' question,expected,rank 'q1,b;a,1' q2,c,1 q3,d,1 > r
	judged 0 score r
	json metrics/mrr/value=1
	printf '%s\n' '[{"question": "q2", "expected": "c", "rank": 1},' \
	    '{"question": "q3", "expected": ["other"], "rank": 1}]' > r
	eg 2 score r
	tells 'r:2: ' other "'q3'"
}

@test "runs: BOM, CRLF and a missing last newline are nothing" {
	local name
	question_file trec > q
	both_metrics mrr
	for name in $LISTS $RANKS; do
		{ printf '\xef\xbb\xbf' && run_file $name; } | sed 's/$/\r/' |
		    head -c -1 > r
		judged 0 score r
		json metrics/mrr/value=0.5 || {
			echo "as $name"
			return 1
		}
	done
	run_file trec > r
	for name in yaml list json jsonl trec beir header map mapyaml csv \
	    companion; do
		{ printf '\xef\xbb\xbf' && question_file $name; } |
		    sed 's/$/\r/' | head -c -1 > q
		judged 0 score r
		json metrics/mrr/value=0.5 questions/q1/rank=1 || {
			echo "questions as $name"
			return 1
		}
	done
}

@test "--run-format: forced right, every name" {
	local name format
	question_file trec > q
	both_metrics mrr
	for name in trec:trec jsonl:jsonl array:jsonl scores:map map:map \
	    csv:csv ranks:ranks companion:companion; do
		format=${name#*:} name=${name%:*}
		run_file $name > r
		judged 0 score --run-format $format r
		json metrics/mrr/value=0.5
	done
}

@test "--run-format: forced wrong, with file and line" {
	local name format
	question_file trec > q
	both_metrics mrr
	for name in trec jsonl array scores map csv ranks companion; do
		run_file $name > r
		for format in trec jsonl map ranks companion csv; do
			case $name/$format in
			trec/trec | jsonl/jsonl | array/jsonl) continue ;;
			scores/map | map/map | csv/csv) continue ;;
			ranks/ranks | companion/companion) continue ;;
			esac
			eg 2 score --run-format $format r || {
				echo "$name forced as $format"
				return 1
			}
			[[ $err =~ ^r:[0-9]+:\ . ]] || {
				echo "$name as $format: $err"
				return 1
			}
		done
	done
	eg 2 score --run-format trek r
	tells "'trek'" "'trec'"
}

@test "a document twice among the expected: the entry's line, and the first" {
	both_metrics mrr
	run_file jsonl > r
	printf '%s\n' '- id: q1' '  expected:' '    - a' '    - b' '    - a' > q
	eg 2 score r
	tells "q:5: question 'q1': document 'a' is judged twice; first on line 3"
	printf '%s\n' '- id: q1' '  expected_any: [b,' '    b]' > q
	eg 2 score r
	tells "q:3: question 'q1': document 'b' is judged twice; first on line 2"
	printf '%s\n' '[{"query_id": "q1",' '"doc_id": ["a",' '"",' '"b"]}]' > q
	eg 2 score r
	tells "q:3: question 'q1': an expected document has an empty id"
}

@test "keys that contradict each other are refused, with both names" {
	local line
	both_metrics mrr
	question_file trec > q
	for line in '{"id": "q1", "query_id": "q2", "results": ["a"]}' \
	    '{"id": "q1", "query_id": "q2", "error": "x"}' \
	    '{"query_id": "q1", "id": "q2", "hit_rank": 1}' \
	    '{"question": "First?", "query_id": "q1", "id": "q2", "rank": 1}'; do
		echo "[$line]" > r
		eg 2 score r
		tells 'r:1: ' "'id'" "'query_id'"
	done
	echo '{"id": "q1", "results": ["a"]}' > r
	echo '{"id": "q2", "results": ["c"], "ranking": ["c"]}' >> r
	eg 2 score r
	tells 'r:2: ' "'results'" "'ranking'"
	# The same, or nothing, contradicts nothing.
	echo '{"id": "q1", "query_id": "q1", "results": null, "ranking": ["a"]}' > r
	judged 0 score r
	json questions/q1/rank=1
	for line in 'id: q1, query_id: q2' 'id: q1, text: a, question: b'; do
		echo "- {$line, expected: a}" > q
		eg 2 score r
		tells 'q:1: ' 'different things'
	done
	echo '- {id: q1, query_id: q1, text: a, question: a, expected: a}' > q
	judged 0 score r
}

@test "an empty question id in a run is refused, in every format" {
	local run
	both_metrics mrr
	question_file trec > q
	for run in '{"id": "", "results": ["a"]}' '{"": ["a"]}' '{"": {"a": 1}}' \
	    '[{"id": "q1", "results": ["a"]},\n{"id": "", "error": "x"}]' \
	    '[{"question": "", "rank": 1}]' '[{"query_id": "", "hit_rank": 1}]' \
	    '[{"query_id": "", "evaluable": false, "hit_rank": 0}]' \
	    'question,rank\nq1,1\n,2' '{"id": "q1", "results": []}\n{"id": "", "results": []}'; do
		printf "$run\n" > r
		eg 2 score r
		tells "r:$(grep -c '' r): " 'an empty id'
	done
}

@test "questions: BEIR qrels with tabs may have blanks inside ids" {
	both_metrics mrr
	echo '{"first one": ["x", "doc 1"], "q 2": ["doc 1"]}' > r
	printf '%s\n' 'first one	doc 1	1' 'q 2	 other  ; doc	2' > q
	judged 0 score -v r
	json 'questions/first one/rank=2' questions/q\ 2/rank=null
	says 'read as beir, 2 questions'
	sed -i '1i query-id	corpus-id	score' q
	judged 0 score r
	json 'questions/first one/rank=2'
	echo 'q 3		1' >> q
	eg 2 score r
	tells 'q:4: '
	# TREC's columns may be a mix of both.
	printf 'q1 0\tc\t1\n' > q
	echo '{"q1": ["c"]}' > r
	judged 0 score -v r
	says 'read as trec'
}

@test "-v counts the lines whose rank says another order than the scores" {
	local reader
	question_file trec > q
	both_metrics mrr
	run_file trec > r
	eg 0 score r
	says_not 'rank column'
	# c is at 2, not at 9; b and x changed places.  Also one by one, and
	# where a question's lines do not stand together.
	for reader in '' scalar slow; do
		export EVALGATE_READER=$reader
		eg 0 score -v r
		says 'read as trec, 3 questions (0 unknown), 6 results; the rank column says another order than the scores on 3 lines'
		sort -k 3 r > r2
		eg 0 score -v r2
		says 'on 3 lines'
		# From 0 on is an order too.
		printf '%s\n' 'q1 Q0 a 0 3 t' 'q1 Q0 b 1 2 t' 'u Q0 z x 1 t' > r3
		eg 0 score -v r3
		says 'another order than the scores on 1 line'
		sed -i 's/z x 1/z 1 1/' r3
		eg 0 score -v r3
		says 'read as trec, 2 questions'
		says_not 'rank column'
	done
}

@test "questions that nobody asked are counted and named, and their results" {
	local i
	both_metrics mrr
	echo '- {id: q1, expected: a}' > q
	for i in {1..6}; do
		printf "q$i Q0 a 1 2 t\nq$i Q0 b 2 1 t\n"
	done > r
	judged 0 score r
	says 'the run has 5 questions that nobody asked (10 results): q2, q3, q4, q5, q6'
	printf 'question,rank\nq1,1\nq2,1\n' > r
	judged 0 score r
	says 'the run has 1 question that nobody asked: q2'
	says_not results
}
