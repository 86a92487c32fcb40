#!/usr/bin/env bats
# A change that asks less of itself, by keys that decide how runs are read or
# what they are compared with: the record remembers, and the gate says so.

load helper

# A change from the keys THEN to the keys NOW, with a run that passes by both.
#   change STATUS THEN NOW
change() {
	printf 'questions: questions.yaml\n%s\n' "$2" | config
	commit before
	record 0 ../run.jsonl --event push --start 'another case'
	printf 'questions: questions.yaml\n%s\n' "$3" | config
	commit now
	judged "$1" check ../run.jsonl --event push
}

# That NOW asks less than THEN is said of SUBJECT, and an error where it was
# one to change the gate; the way back is no news.
#   less SUBJECT MESSAGE THEN NOW
less() {
	change 0 "$3" "$4"
	json "findings/$1/class=gate-loosened" "findings/$1/level=warn"
	says "$2"
	change 1 "$3"$'\ngate_change: error' "$4"
	json "findings/$1/class=gate-loosened" "findings/$1/level=error"
	change 0 "$4" "$3"
	json findings=0
}

paged() {
	new_repo
	cat > questions.yaml <<-'END'
		- {id: q1, expected: book, pages: 12}
	END
	cat > ../run.jsonl <<-'END'
		{"id": "q1", "results": [{"doc_id": "book", "page": 12}, {"doc_id": "x", "page": 1}]}
	END
}

@test "match: page becomes document" {
	paged
	less match 'match was page, is document' 'match: page' ''
}

@test "page_tolerance grows" {
	paged
	less page_tolerance 'page_tolerance was 1, is 2' \
	    $'match: page\npage_tolerance: 1' $'match: page\npage_tolerance: 2'
}

@test "relevance falls" {
	new_repo
	echo '- {id: q1, expected: {good: 2, fair: 1}}' > questions.yaml
	echo '{"id": "q1", "results": ["good", "fair"]}' > ../run.jsonl
	less relevance 'relevance was 2, is 1' \
	    $'metrics: [mrr]\nrelevance: 2' 'metrics: [mrr]'
}

@test "worse_questions: a level is not a count" {
	paged
	less worse_questions 'it was an error, is a warning' \
	    'worse_questions: {max: 0}' 'worse_questions: {max: 0, level: warn}'
	less worse_questions 'more questions may fall, or further' \
	    'worse_questions: {max: 0}' 'worse_questions: {max: 1}'
}

@test "a baseline is required no more" {
	paged
	less baseline 'a baseline was required, and is no more' \
	    'baseline: {required: true}' ''
}

@test "a subset comes into the config" {
	paged
	echo '- {id: q2, expected: x, kind: hard}' >> questions.yaml
	echo '{"id": "q2", "results": ["x"]}' >> ../run.jsonl
	change 0 '' ''
	# Asked for once, it is nobody's standard.
	judged 0 check ../run.jsonl --only kind=hard --event push
	json findings=0
	change 0 '' 'subset: {only: kind=hard}'
	json findings/subset/class=gate-loosened findings/subset/level=warn
	says 'to ask some of them now and then, use --only'
	change 1 'gate_change: error' 'subset: {only: kind=hard}'
	json findings/subset/class=gate-loosened findings/subset/level=error
}

@test "a label takes a question out of a gated slice" {
	paged
	cat > questions.yaml <<-'END'
		- {id: q1, expected: book, kind: hard}
		- {id: q2, expected: x, kind: hard}
		- {id: q3, expected: y, kind: hard}
	END
	printf '{"id": "%s", "results": ["%s"]}\n' q1 book q2 x q3 y \
	    > ../run.jsonl
	config <<-'END'
		questions: questions.yaml
		thresholds: [{metric: mrr, where: {kind: hard}, max_drop: 0}]
	END
	commit c1
	record 0 ../run.jsonl --event push
	sed -i '/q3/s/hard/easy/' questions.yaml
	sed -i 's/"y"/"z"/' ../run.jsonl
	commit c2
	record 0 ../run.jsonl --event push
	json findings/mrr/class=gate-loosened findings/mrr/slice=kind=hard
	says 'the slice had 3 questions, and 2 of them are in it now'
	# One that is asked no more is listed, and is no label's fault.
	sed -i '/q2/d' questions.yaml
	sed -i '/q2/d' ../run.jsonl
	commit c3
	record 0 ../run.jsonl --event push
	json findings=0
}
