#!/usr/bin/env bats
# Real results: 78 questions on the 76 reports of Utah FORGE 16A(78)-32, eight
# ways to search, against values computed by another program.

load helper

METHODS="bm25_chunk bm25_doc dense_lsa_chunk dense_lsa_doc keyword_and
keyword_and_stop rrf_bm25x2_dense05 rrf_equal"
# No list there has a report twice.
LISTED="bm25_doc dense_lsa_doc keyword_and keyword_and_stop
rrf_bm25x2_dense05 rrf_equal"

HITS='hit@1, hit@3, hit@5, hit@10'
RECALLS='recall@1, recall@3, recall@5, recall@10'

# scored VIEW RELEVANCE COUNT METHOD...: runs them all and compares.
scored() {
	local view=$1 relevance=$2 count=$3 method run list=()
	shift 3
	for method; do
		case $view in
		trec | csv) run=$FORGE/runs/$method.$view ;;
		jsonl) run=$DATA/forge/runs_jsonl/$method.jsonl ;;
		esac
		eg 0 score --format json "$run"
		silent
		cp "$T/stdout" "$method.json"
		list+=("$method" "$view" "$relevance" "$method.json")
	done
	same "$(perl "$CLI/compare_reference.pl" \
	    "$DATA/forge/reference.tsv" "${list[@]}")" "$count"
}

with_relevance() {
	config <<-END
		questions: $FORGE/questions.yaml
		relevance: $1
		metrics: [$2]
	END
}

same_judgments() {
	config <<-END
		questions: $1
		metrics: [$RECALLS, mrr, ndcg@5, ndcg@10]
	END
	scored trec 1 $((2 * 511)) rrf_equal dense_lsa_chunk
}

@test "TREC files, relevance 1: 511 values a method" {
	with_relevance 1 "$RECALLS, mrr, ndcg@5, ndcg@10"
	scored trec 1 $((8 * 511)) $METHODS
}

@test "TREC files, relevance 2" {
	with_relevance 2 "mrr, $HITS"
	scored trec 2 $((8 * 437)) $METHODS
}

@test "lists in JSON lines, relevance 1" {
	with_relevance 1 "$RECALLS, mrr, ndcg@5, ndcg@10"
	scored jsonl 1 $((6 * 7)) $LISTED
}

@test "lists in JSON lines, relevance 2" {
	with_relevance 2 "mrr, $HITS"
	scored jsonl 2 $((6 * 437)) $LISTED
}

@test "CSV ranks joined with the question file, relevance 2" {
	with_relevance 2 "mrr, $HITS"
	scored csv 2 $((8 * 437)) $METHODS
}

@test "CSV ranks alone are their own question file" {
	config <<-END
		metrics: [$RECALLS, $HITS, mrr, ndcg@5, ndcg@10]
	END
	scored csv 1 $((8 * 11)) $METHODS
}

@test "the same judgments as TREC qrels give the same" {
	same_judgments "$DATA/forge/qrels.trec"
}

@test "the same judgments as BEIR qrels, header line or not, give the same" {
	tail -n +2 "$DATA/forge/qrels_beir.tsv" > no-header.tsv
	same_judgments "$DATA/forge/qrels_beir.tsv"
	same_judgments no-header.tsv
}

@test "ranks alone can't give metrics that need every relevant report" {
	local metric
	for metric in recall@5 ndcg@10 map precision@3 rprec bpref judged@5; do
		with_relevance 2 "mrr, $metric"
		eg 2 score "$FORGE/runs/bm25_doc.csv"
		tells "$metric"
	done
}

@test "both averages rise and the gate fails: T01 69 → 70, N38 40 → 51" {
	new_repo
	cp "$FORGE/questions.yaml" .
	config <<-'END'
		questions: questions.yaml
		relevance: 2
		metrics: [hit@5, mrr]
		tracked:
		  - {question: T01}
		  - {question: N18}
		  - {question: N19}
		  - {question: N38}
		  - {question: N41}
	END
	commit dense
	record 0 "$FORGE/runs/dense_lsa_doc.csv"
	commit hybrid
	judged 1 check "$FORGE/runs/rrf_bm25x2_dense05.csv"
	says 'T01  rank 69 → 70' 'N38  rank 40 → 51'
	json verdict=fail counts/questions=78 counts/answerable=72 \
	    counts/tracked=5 counts/common=72 \
	    metrics/hit@5/baseline~0.5972222 metrics/hit@5/value~0.8333333 \
	    metrics/mrr/baseline~0.406507 metrics/mrr/value~0.617357
	same "$(found error)" 'N38 T01'
}
