#!/usr/bin/env bats
# `match: page`: an expected document counts on its pages only, and both ranks
# are kept.

load helper

# book is wanted on page 12, or with `q2` on 3 and 40; q3 wants any page.
paged() {
	config <<-'END'
		questions: questions.yaml
		match: page
		metrics: [mrr, hit@3]
	END
	cat > questions.yaml <<-'END'
		- {id: q1, expected: book, pages: 12}
		- {id: q2, expected: book, pages: [40, 3]}
		- {id: q3, expected: book}
	END
	cat > run.jsonl <<-'END'
		{"id": "q1", "results": [{"doc_id": "book", "page": 10}, {"doc_id": "other", "page": 12}, {"doc_id": "book", "page": 12}]}
		{"id": "q2", "results": [{"doc_id": "x", "page": 3}, {"doc_id": "book", "page": 4}, {"doc_id": "book", "page": 39}]}
		{"id": "q3", "results": [{"doc_id": "x", "page": 1}, {"doc_id": "book", "page": 7}]}
	END
}

@test "document rank and page rank are both there" {
	paged
	judged 0 score run.jsonl
	json metrics/mrr/value~0.2777778 metrics/hit@3/value~0.6666667 \
	    questions/q1/rank=3 questions/q1/document_rank=1 \
	    questions/q2/rank=null questions/q2/document_rank=2 \
	    questions/q3/rank=2 questions/q3/document_rank=2
}

@test "match: document looks at no page, and takes a document once" {
	paged
	sed -i '/^match/d' evalgate.yaml
	eg 2 score run.jsonl
	tells 'run.jsonl:1: ' "'book'" 'duplicates: first'
	echo 'duplicates: first' >> evalgate.yaml
	judged 0 score run.jsonl
	json metrics/mrr/value~0.6666667 questions/q1/rank=1
	perl -e 'exit !(`cat report.json` !~ /document_rank/)'
}

@test "page_tolerance: so many pages off still count, on either side" {
	paged
	echo 'page_tolerance: 1' >> evalgate.yaml
	judged 0 score run.jsonl
	json questions/q1/rank=3 questions/q2/rank=2 questions/q2/document_rank=2
	sed -i 's/^page_tol.*/page_tolerance: 2/' evalgate.yaml
	judged 0 score run.jsonl
	json questions/q1/rank=1 questions/q2/rank=2
	sed -i 's/\[40, 3\]/[40]/' questions.yaml
	judged 0 score run.jsonl
	json questions/q2/rank=3
	sed -i 's/^page_tol.*/page_tolerance: 0/' evalgate.yaml
	judged 0 score run.jsonl
	json questions/q2/rank=null
	local bad
	for bad in -1 1.5 x '[1]'; do
		sed -i "s/^page_tol.*/page_tolerance: $bad/" evalgate.yaml
		eg 2 score run.jsonl
		tells 'evalgate.yaml:5: ' page_tolerance
	done
}

@test "pages of each document, as {document: pages}" {
	paged
	cat > questions.yaml <<-'END'
		- id: q1
		  expected: {book: 2, other: 1, free: 1}
		  pages: {book: 12, other: [1, 2]}
	END
	echo '{"q1": [{"doc_id": "other", "page": 12}, {"doc_id": "free", "page": 9},
	{"doc_id": "book", "page": 12}, {"doc_id": "other", "page": 2}]}' > run.json
	sed -i 's/^metrics.*/metrics: [mrr, recall@3, ndcg@4]/' evalgate.yaml
	judged 0 score run.json
	json questions/q1/rank=2 questions/q1/document_rank=1 \
	    metrics/recall@3/value~0.6666667 metrics/mrr/value=0.5 \
	    metrics/ndcg@4/value~0.6584646
	cat > questions.yaml <<-'END'
		- id: q1
		  expected: book
		  pages: {boook: 12}
	END
	eg 2 score run.json
	tells 'questions.yaml:3: ' "'boook'"
}

@test "the same page twice is refused, or the first counts" {
	paged
	echo '{"id": "q1", "results": [{"doc_id": "x", "page": 12}, {"doc_id": "x", "page": 12}, {"doc_id": "x", "page": 13}, {"doc_id": "book", "page": 12}, {"doc_id": "book", "page": 12}]}' \
	    > run.jsonl
	eg 2 score run.jsonl
	tells 'run.jsonl:1: ' "'x'" 'duplicates: first'
	echo 'duplicates: first' >> evalgate.yaml
	judged 0 score run.jsonl
	json questions/q1/rank=3 questions/q1/document_rank=3
}

@test "a result without a page is refused, in every format" {
	paged
	echo '{"id": "q1", "results": [{"doc_id": "book", "page": 12}, {"doc_id": "x"}]}' \
	    > run.jsonl
	eg 2 score run.jsonl
	tells 'run.jsonl:1: ' "'q1'" "'x'" page
	printf 'q2 Q0 x 1 1 t\nq1 Q0 x 1 1 t\n' > run.trec
	eg 2 score run.trec
	tells 'run.trec:1: ' "'q2'" page
	echo '{"q1": {"book": 1}}' > run.json
	eg 2 score run.json
	tells 'run.json:1: ' "'q1'" page
	echo '{"q1": ["book"]}' > run.json
	eg 2 score run.json
	tells 'run.json:1: ' "'q1'" page
	echo '{"q1": [{"doc_id": "book", "page": null}]}' > run.json
	eg 2 score run.json
	tells 'run.json:1: ' "'q1'" page
}

@test "ranks alone are those of documents, but for the companion's of pages" {
	paged
	printf '%s\n' question,rank q1,1 q2, > run.csv
	echo '[{"question": "q1", "rank": 1}]' > ranks.json
	echo '{"results": [{"query_id": "q1", "hit_rank": 1, "page_rank": 2}]}' \
	    > companion.json
	eg 2 score run.csv
	tells 'run.csv:2: ' "'q1'" 'match: page' lists
	eg 2 score ranks.json
	tells 'ranks.json:1: ' "'q1'" 'match: page'
	eg 2 score companion.json
	tells 'companion.json:1: ' '--rank-field page_rank'
	judged 0 score --rank-field page_rank companion.json
	json questions/q1/rank=2
	eg 2 score --rank-field keyword_rank companion.json
	# A question that nobody asked has no pages.
	echo '[{"question": "other", "rank": 1}]' > ranks.json
	eg 2 score ranks.json
	tells 'no question in common'
}

@test "a page that is none, in questions and in results" {
	paged
	local bad
	for bad in -1 1.5 '"x"' 99999999999 '{}' true; do
		echo '{"q1": [{"doc_id": "book",
		"page": '"$bad"'}]}' > run.json
		eg 2 score run.json
		tells 'run.json:2: ' page
		echo '[{"id": "q1", "expected": "book",
		"pages": ['"$bad"']}]' > q.json
		eg 2 score -Q q.json run.jsonl
		tells 'q.json:2: ' pages
	done
}

@test "a gate looks at pages: page rank 1 -> 2 fails, the document's stays" {
	new_repo
	paged
	echo 'tracked: [{question: q1}]' >> evalgate.yaml
	rm run.jsonl
	commit c1
	echo '{"q1": [{"doc_id": "book", "page": 12}, {"doc_id": "book", "page": 1}]}' \
	    > ../run1.json
	echo '{"q1": [{"doc_id": "book", "page": 1}, {"doc_id": "book", "page": 12}]}' \
	    > ../run2.json
	record 0 ../run1.json
	commit c2
	judged 1 check ../run2.json
	says 'q1  rank 1 → 2'
	json questions/q1/document_rank=1 questions/q1/rank=2 \
	    questions/q1/baseline=1
	# Other pages are another question.
	sed -i 's/pages: 12/pages: 1/' questions.yaml
	commit c3
	judged 1 check ../run2.json
	json findings/q1/class=redefined
}
