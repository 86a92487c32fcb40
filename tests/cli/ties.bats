#!/usr/bin/env bats
# The order of results: scores, ties, lists; alternatives.

load helper

one() {
	config <<-'END'
		questions: questions.yaml
		metrics: [mrr, recall@5]
	END
	echo '- {id: q1, expected: d}' > questions.yaml
}

# ---------------------------------------------------------------- the order --

@test "score files are ordered by score, then by id, descending, as bytes" {
	one
	printf 'q1 Q0 %s 1 %s t\n' d 1.5 e 1.5 D 1.5 é 1.5 z 1 > run.trec
	judged 0 score run.trec
	json questions/q1/rank=3 questions/q1/tied=4 \
	    questions/q1/tied_best=1 questions/q1/tied_worst=4
	says '1 tied by equal scores, which ids then order: q1 (with 3, ranks 1 to 4)'
	echo '{"q1": {"z": 1, "D": 1.5, "d": 15e-1, "é": 1.50, "e": 1.5}}' > run.json
	judged 0 score run.json
	json questions/q1/rank=3 questions/q1/tied=4
}

@test "scores are doubles: what differs by little is no tie" {
	one
	printf 'q1 Q0 %s 1 %s t\n' d 0.1000000000000000055 e 0.1 > run.trec
	judged 0 score run.trec
	json questions/q1/rank=2 questions/q1/tied=2
	printf 'q1 Q0 %s 1 %s t\n' d 0.10000000000000002 e 0.1 > run.trec
	judged 0 score run.trec
	json questions/q1/rank=1
	printf 'q1 Q0 %s 1 %s t\n' d -0.0 e 0 f -1e-320 > run.trec
	judged 0 score run.trec
	json questions/q1/rank=2 questions/q1/tied=2
}

@test "lists keep their order; that scores say another is a notice" {
	one
	echo '{"id": "q1", "results": [{"doc_id": "x", "score": 1}, {"doc_id": "d", "score": 2}]}
	{"id": "q2", "results": [{"doc_id": "x", "score": 2}, {"doc_id": "d", "score": 2}]}' \
	    > run.jsonl
	judged 0 score run.jsonl
	json questions/q1/rank=2
	says '1 list is in another order' 'order: score'
	echo '- {id: q1, expected: d}
- {id: q2, expected: x}' > questions.yaml
	judged 0 score run.jsonl
	json questions/q1/rank=2 questions/q2/rank=1
	says '1 list is in another order'
	# A null score says nothing.
	echo '{"q1": [{"doc_id": "x", "score": null}, {"doc_id": "d", "score": 2}]}' \
	    > run.json
	judged 0 score run.json
	says_not 'another order'
}

@test "order: score orders lists as score files are, and wants every score" {
	one
	echo 'order: score' >> evalgate.yaml
	echo '{"q1": [{"doc_id": "x", "score": 1}, {"doc_id": "d", "score": 2}, {"doc_id": "e", "score": 2}]}' \
	    > run.json
	judged 0 score run.json
	json questions/q1/rank=2 questions/q1/tied=2
	says_not 'another order'
	local bad
	for bad in '{"doc_id": "e"}' '{"doc_id": "e", "score": null}' '"e"'; do
		echo '{"q1": [{"doc_id": "x", "score": 1},
		'"$bad"']}' > run.json
		eg 2 score run.json
		tells 'run.json:2: ' "'q1'" "'e'" score
	done
	sed -i 's/order: .*/order: rank/' evalgate.yaml
	eg 2 score run.json
	tells 'evalgate.yaml:4: ' order
	sed -i 's/order: .*/order: list/' evalgate.yaml
	eg 0 score run.json
}

@test "of a repeated document the best rank counts, by score or by list" {
	one
	echo 'duplicates: first' >> evalgate.yaml
	printf 'q1 Q0 %s 1 %s t\n' d 1 x 3 d 2 y 1.5 x 0 > run.trec
	judged 0 score run.trec
	json questions/q1/rank=2 questions/q1/depth=3
	echo '{"q1": ["x", "x", "d", "y", "d"]}' > run.json
	judged 0 score run.json
	json questions/q1/rank=2 questions/q1/depth=3
}

# -------------------------------------------------------------------- ties --

@test "ties: a tracked question's finding says with how many, and where" {
	new_repo
	one
	echo 'tracked: [{question: q1}]' >> evalgate.yaml
	commit c1
	printf 'q1 Q0 %s 1 %s t\n' a 3 d 2 b 1 c 1 > ../run1.trec
	printf 'q1 Q0 %s 1 %s t\n' a 3 d 2 e 2 f 2 c 1 > ../run2.trec
	record 0 ../run1.trec
	commit c2
	judged 1 check ../run2.trec
	says 'q1  rank 2 → 4' 'tied with 2' 'ranks 2 to 4'
	json questions/q1/tied=3
}

@test "ties: of what no rule follows they are said all the same" {
	one
	echo '- {id: q2, expected: d}' >> questions.yaml
	printf '%s Q0 %s 1 %s t\n' q1 a 3 q1 d 2 q1 e 2 q2 d 4 q2 x 1 q2 y 1 \
	    > run.trec
	judged 0 score run.trec
	json questions/q1/tied=2
	says 'tied' 'q1'
	[[ $out != *'tied'*'q2'* ]]
}

# ------------------------------------------------------------ alternatives --

@test "expected_any: the first found counts, and it is all that is wanted" {
	one
	sed -i 's/^metrics.*/metrics: [mrr, recall@1, recall@5, map, ndcg@5, precision@5]/' \
	    evalgate.yaml
	echo '- {id: q1, expected_any: [a, b, c]}' > questions.yaml
	echo '{"q1": ["x", "c", "a", "y"]}' > run.json
	judged 0 score run.json
	json questions/q1/rank=2 metrics/recall@1/value=0 \
	    metrics/recall@5/value=1 metrics/map/value=0.5 \
	    metrics/ndcg@5/value~0.6309298 metrics/precision@5/value=0.2
	echo '- {id: q1, expected: [a, b, c]}' > questions.yaml
	judged 0 score run.json
	json questions/q1/rank=2 metrics/recall@5/value~0.6666667 \
	    metrics/map/value~0.3888889 metrics/precision@5/value=0.4
	echo '- {id: q1, expected_any: c}' > questions.yaml
	judged 0 score run.json
	json metrics/recall@5/value=1
	echo '- {id: q1, expected_any: []}
- {id: q2, expected: a}' > questions.yaml
	judged 0 score run.json
	json counts/answerable=1 questions/q1/answerable=false
}

@test "expected_any: CSV has ';' between them, and a rank alone suffices" {
	config <<< 'metrics: [mrr, recall@5, ndcg@5]'
	printf '%s\n' question,expected,rank 'q1,a; b ;c,2' 'q2,"d",' 'q3,,' \
	    > run.csv
	judged 0 score run.csv
	json questions=3 counts/answerable=2 metrics/recall@5/value=0.5 \
	    metrics/ndcg@5/value~0.3154649 questions/q3/answerable=false
	says '1 unanswerable, left out: q3'
}

@test "expected_any: another of them found is no change, all lost is" {
	new_repo
	one
	echo '- {id: q1, expected_any: [a, b]}' > questions.yaml
	echo 'tracked: [{question: q1}]' >> evalgate.yaml
	commit c1
	echo '{"q1": ["x", "a", "y"]}' > ../run1.json
	echo '{"q1": ["x", "b", "y"]}' > ../run2.json
	echo '{"q1": ["x", "z", "y"]}' > ../run3.json
	record 0 ../run1.json
	commit c2
	judged 0 check ../run2.json
	judged 1 check ../run3.json
	says 'rank 2 → not found'
}
