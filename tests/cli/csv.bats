#!/usr/bin/env bats
# CSV: every column that has a meaning, as the YAML form has it.

load helper

# wanted LINE...: the question file q.csv, and a run of lists r.jsonl.
wanted() {
	config <<-'END'
		metrics: [recall@3, mrr]
		questions: q.csv
	END
	printf '%s\n' "$@" > q.csv
	cat > r.jsonl <<-'END'
		{"id": "q1", "results": ["x", {"doc_id": "a", "page": 3}, "b"]}
		{"id": "q2", "results": ["b"]}
	END
}

@test "questions: expected_any, beside expected and alone" {
	wanted id,text,expected,expected_any 'q1,First?,,a;z' 'q2,Second?,b,'
	judged 0 score r.jsonl
	json questions/q1/rank=2 metrics/mrr/value=0.75 \
	    metrics/recall@3/value=1 'questions/q1/text=First?'
	wanted id,expected_any q1,a\;z 'q2,'
	judged 0 score -v r.jsonl
	json questions/q1/rank=2 questions/q2/answerable=false \
	    metrics/recall@3/value=1
	says 'read as csv, 2 questions'
	wanted id,expected,expected_any q1,a,z q2,b,
	eg 2 score r.jsonl
	tells 'q.csv:2: ' "'q1'" "'expected'" "'expected_any'"
}

@test "questions: holdout and evaluable are flags, and nothing else is one" {
	local word
	wanted id,expected,holdout,evaluable q1,a,TRUE, q2,b,,False
	judged 0 score r.jsonl
	json questions/q1/holdout=true questions/q2/answerable=false \
	    counts/answerable=1
	for word in maybe 1 yes; do
		wanted id,expected,holdout q1,a,true q2,b,$word
		eg 2 score r.jsonl
		tells 'q.csv:3: ' "holdout is '$word'" 'true or false'
		wanted id,expected,evaluable q1,a,$word
		eg 2 score r.jsonl
		tells 'q.csv:2: ' "evaluable is '$word'"
	done
}

@test "questions: pages" {
	local word
	wanted id,expected,pages q1,a,7\;3
	echo 'match: page' >> evalgate.yaml
	sed -i 's/"x"/{"doc_id": "a", "page": 1}/; s/"b"/{"doc_id": "b", "page": 1}/
	    /q2/d' r.jsonl
	judged 0 score r.jsonl
	json questions/q1/rank=2 questions/q1/document_rank=1
	for word in x 1.5 -1 '3;x' 99999999999; do
		wanted id,expected,pages q1,a,"$word"
		eg 2 score r.jsonl
		tells 'q.csv:2: ' 'pages is'
	done
}

@test "questions: a column that says a thing again is refused" {
	wanted id,query_id,expected q1,q9,a
	eg 2 score r.jsonl
	tells 'q.csv:1: ' "'id'" "'query_id'"
	wanted id,text,question,expected 'q1,First?,Other?,a'
	eg 2 score r.jsonl
	tells 'q.csv:1: ' "'text'" "'question'"
	wanted id,question,expected 'q1,First?,a'
	judged 0 score r.jsonl
	json 'questions/q1/text=First?'
}

@test "a run that is its own question file may say expected_any" {
	config <<< 'metrics: [mrr]'
	printf '%s\n' question,expected_any,rank 'Who?,a;b,2' 'None?,,' > r.csv
	judged 0 score r.csv
	json metrics/mrr/value=0.5 'questions/None?/answerable=false'
}

@test "a rank without an expected document is refused" {
	config <<< 'metrics: [mrr]'
	printf '%s\n' question,expected,rank 'What?,a,1' 'Who?,,2' > r.csv
	eg 2 score r.csv
	tells 'r.csv:3: ' "'Who?'" 'rank 2' 'no expected document'
	eg 2 score -Q r.csv r.csv
	tells 'r.csv:3: '
	sed -i 's/Who?,,2/Who?,,0/' r.csv
	judged 0 score r.csv
}
