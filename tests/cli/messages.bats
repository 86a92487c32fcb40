#!/usr/bin/env bats
# What is said of files at fault: the line, what is wrong, and nothing false.

load helper

# given NAME LINE...: a file of these lines.
given() {
	local file=$1
	shift
	printf '%s\n' "$@" > "$file"
}

# Questions q1 and q2 in q, a run r that finds both, and a config.
sound() {
	given q '- {id: q1, expected: a}' '- {id: q2, expected: b, cat: x}'
	given r '{"q1": ["a"], "q2": ["b"]}'
	given evalgate.yaml 'version: 1' 'questions: q' 'metrics: [mrr]'
}

@test "files that hold nothing have a line, too" {
	sound
	local text
	for text in '[]' '{}' 'id,expected' 'questions: []' '{"questions": []}'; do
		given q "$text"
		eg 2 score r
		tells 'q:1: holds no questions'
	done
	given q '- {id: q1, expected: []}'
	eg 2 score r
	tells 'q:1: holds no answerable question'
	sound
	for text in '[]' 'question,rank' '{"results": []}' '{}'; do
		given r "$text"
		eg 2 score r
		tells 'r:1: holds no results'
	done
}

@test "texts alone lack their judgments, and are counted as texts" {
	sound
	given t '{"_id": "q1", "text": "First?"}' '{"_id": "q2", "text": "Second?"}'
	eg 2 score -Q t r
	tells 't:1: ' texts judgments
	eg 0 score -v -Q t -Q q r
	says 't: read as texts, 2 texts' 'q: read as evalgate, 2 questions'
}

@test "nothing in common names both files and the first strange question" {
	sound
	given r '' '{"id": "z", "results": []}' '{"id": "y", "results": []}'
	eg 2 score r
	tells "r:2: question 'z': no question in common with 'q' (2 there, 2 here)"
}

@test "what the config names and is not there is told at its line" {
	sound
	given evalgate.yaml 'version: 1' 'questions:' '  - q' '  - nowhere'
	eg 2 score r
	tells 'evalgate.yaml:4: nowhere: cannot be opened: No such file'
	given evalgate.yaml 'version: 1' 'questions: q' '' 'run: gone-*.json'
	eg 2 score
	tells "evalgate.yaml:4: no file matches 'gone-*.json'"
	given evalgate.yaml 'version: 1' 'questions: q' '' 'run: gone.json'
	eg 2 score
	tells 'evalgate.yaml:4: gone.json: cannot be opened'
	given evalgate.yaml 'version: 1' 'questions: q' 'subset: {only: nope=1}'
	eg 2 score r
	tells 'evalgate.yaml:3: no question has nope=1'
	given evalgate.yaml 'version: 1' 'questions: q' 'subset: {only: ids}'
	eg 2 score r
	tells 'evalgate.yaml:3: ids: cannot be opened'
	given evalgate.yaml 'version: 1' 'questions: q' 'renamed_documents: gone'
	eg 2 score r
	tells 'evalgate.yaml:3: gone: cannot be opened'
	given evalgate.yaml 'version: 1' 'questions: q' 'slices:' ' - cat' ' - nope'
	eg 2 score r
	tells "evalgate.yaml:5: no question has the field 'nope'"
	# The command line has no lines.
	given evalgate.yaml 'version: 1' 'questions: q'
	eg 2 score 'gone-*.json'
	tells "evalgate: no file matches 'gone-*.json'"
	eg 2 score --only nope=1 r
	tells 'evalgate: no question has nope=1'
}

@test "a subset without an answerable question is told where it is asked for" {
	sound
	given q '- {id: q1, expected: a}' '- {id: q2, expected: [], cat: x}'
	echo 'subset: {only: cat=x}' >> evalgate.yaml
	eg 2 score r
	tells 'evalgate.yaml:4: the subset cat=x holds no answerable question'
}

@test "text that is no question file: what is known, and what it looks like" {
	sound
	given q 'q1 0 a one' 'q1 0 b 0'
	eg 2 score r
	tells 'q:1: is text, 4 words on its first line, the last of which is no whole number' \
	    'TREC qrels (qid iter docno grade)' BEIR CSV
	given q '{"q1": {"a": 1}}'
	eg 2 score --question-format evalgate r
	tells 'q:1: is {question: {document: grade}}' 'format map'
	given q 'a: 1'
	eg 2 score r
	tells 'q:1: is a map without `questions:`'
}

@test "a second value behind a map of questions is told on its line" {
	sound
	local second
	for second in '{"q2": ["b"]}' '// x'; do
		given r '{"q1": ["a"]}' "$second"
		eg 2 score r
		tells 'r:2: more than one JSON value'
	done
	given q '{"q1": {"a": 1}}' '{"q2": {"b": 1}}'
	given r '{"q1": ["a"]}'
	eg 2 score r
	tells 'q:2: more than one JSON value'
}

@test "JSON that ends too early may be cut off" {
	sound
	printf '{"q1": ["a' > r
	eg 2 score r
	tells 'r:1: ' 'cut off'
	given r '{"q1": ["a'
	eg 2 score r
	tells 'r:1: ' 'cut off'
	given r '{"q1": ["a"],'
	eg 2 score r
	tells 'cut off'
	given r '{"q1": ["a' '"]}'
	eg 2 score r
	tells 'r:1: a line ends inside double quotes'
}

@test "results without a rank are no lists of documents" {
	sound
	given r '{"results": [{"query_id": "q1"}]}'
	eg 2 score r
	tells "r:1: question 'q1' has no 'hit_rank'"
	# A question may be called so.
	given q '- {id: results, expected: a}'
	given r '{"results": [{"doc_id": "a"}]}'
	judged 0 score r
	json questions/results/rank=1
}

@test "a metric that one rank does not give is told with the true reason" {
	sound
	given evalgate.yaml 'version: 1' 'questions: q' 'metrics: [bpref]'
	given r question,rank q1,1 q2,1
	eg 2 score r
	tells bpref 'judged not relevant'
	[[ $err != *'several documents'* ]]
}

@test "where: what it is, and no suggestion of what was written" {
	sound
	echo 'thresholds: [{metric: mrr, where: cat, min: 0.1}]' >> evalgate.yaml
	eg 2 score r
	tells 'evalgate.yaml:4: where is text'
	sound
	given q '- {id: q1, expected: a}' '- {id: q2, expected: [], cat: z=1}'
	echo 'thresholds: [{metric: mrr, where: {cat: z=1}, min: 0.1}]' \
	    >> evalgate.yaml
	eg 2 score r
	tells 'evalgate.yaml:4: no answerable question has cat=z=1' \
	    "can't be answered"
	[[ $err != *'did you mean'* ]]
	sed -i 's/z=1}/z=2}/' evalgate.yaml
	eg 2 score r
	tells "did you mean 'z=1'?"
}

@test "slices that stand twice are refused" {
	sound
	given evalgate.yaml 'version: 1' 'questions: q' 'slices: [cat,' 'cat]'
	eg 2 score r
	tells "evalgate.yaml:4: field 'cat' is listed twice"
}

@test "renamed documents: which one stands twice, and the first line" {
	sound
	echo 'renamed_documents: names.csv' >> evalgate.yaml
	given names.csv old,new d1,a d2,b d1,z
	eg 2 score r
	tells "names.csv:4: 'd1' stands twice as old; first on line 2"
}

@test "faults of a document name its question" {
	sound
	given r '{"q1": {"a": 1,' '"a": 2}}'
	eg 2 score r
	tells "r:2: key 'a' is given twice, first on line 1: keep one in 'q1'"
	given r 'q1 Q0 a 1 nan t'
	eg 2 score r
	tells "r:1: question 'q1': score 'nan' of document 'a'"
	given q 'q1 0 a 1' 'q1 0 b 1.5'
	eg 2 score r
	tells "q:2: question 'q1': grade '1.5' of document 'b'"
}

@test "a document twice is refused for a question nobody asked, too" {
	sound
	local reader
	for reader in '' scalar slow; do
		export EVALGATE_READER=$reader
		given r '{"id": "q1", "results": ["a"]}' \
		    '{"id": "z", "results": ["a", "b", "a"]}'
		eg 2 score r
		tells "r:2: question 'z': document 'a' is returned twice"
		given r 'q1 Q0 a 1 1 t' 'z Q0 a 1 1 t' 'z Q0 a 2 1 t'
		eg 2 score r
		tells "r:3: question 'z': document 'a'"
	done
}

@test "an alias is told where it stands" {
	sound
	given q '- id: q1' '  expected:' '    - &d a' '    - b' '    - *d'
	eg 2 score r
	tells "q:5: question 'q1': document 'a' is judged twice; first on line 3"
}

@test "an endless word is cut" {
	sound
	local word
	word=$(printf 'é%.0s' {1..3000})
	given r "q1 Q0 a 1 $word t"
	eg 2 score r
	tells "…' of document 'a' is no finite"
	[ "${#err}" -lt 700 ] || { show; false; }
	[ -z "$(iconv -f UTF-8 -t UTF-8 "$T/stderr" 2>&1 > /dev/null)" ]
}
