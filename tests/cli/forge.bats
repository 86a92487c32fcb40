#!/usr/bin/env bats
# Real results: 78 questions on the 76 reports of Utah FORGE 16A(78)-32, eight
# ways to search, against values computed by another program.

load helper

FILES=$DATA/forge

METHODS="bm25_chunk bm25_doc dense_lsa_chunk dense_lsa_doc keyword_and
keyword_and_stop rrf_bm25x2_dense05 rrf_equal"
# No list there has a report twice.
LISTED="bm25_doc dense_lsa_doc keyword_and keyword_and_stop
rrf_bm25x2_dense05 rrf_equal"
# These have, one for each chunk.
CHUNKS="bm25_chunk dense_lsa_chunk"

HITS='hit@1, hit@3, hit@5, hit@10'
RECALLS='recall@1, recall@3, recall@5, recall@10'

# scored VIEW RELEVANCE COUNT METHOD...: runs them all and compares.
scored() {
	local view=$1 relevance=$2 count=$3 method run list=()
	shift 3
	for method; do
		case $view in
		trec | csv) run=${RUNS-$FORGE/runs}/$method.$view ;;
		jsonl) run=${FILES}/runs_jsonl/$method.jsonl ;;
		esac
		eg 0 score --format json "$run"
		silent
		cp "$T/stdout" "$method.json"
		list+=("$method" "$view" "$relevance" "$method.json")
	done
	same "$(perl "$CLI/compare_reference.pl" \
	    "${REFERENCE-$FILES/reference.tsv}" "${list[@]}")" "$count"
}

# 17 slices: 9 categories, 3 difficulties, 3 authors, holdout and the rest.
with_slices() {
	REFERENCE=$T/reference.tsv
	cat "$FILES/reference.tsv" "$FILES/slices.tsv" > "$REFERENCE"
	echo 'slices: [category, difficulty, author]' >> evalgate.yaml
}

with_relevance() {
	config <<-END
		questions: ${QUESTIONS-$FORGE/questions.yaml}
		relevance: $1
		metrics: [$2]
	END
}

same_judgments() {
	config <<-END
		questions: [$1]
		metrics: [$RECALLS, mrr, ndcg@5, ndcg@10]
	END
	scored trec 1 $((2 * 511)) rrf_equal dense_lsa_chunk
}

@test "TREC files, relevance 1: 511 values a method and 7 a slice" {
	with_relevance 1 "$RECALLS, mrr, ndcg@5, ndcg@10"
	with_slices
	scored trec 1 $((8 * (511 + 17 * 7))) $METHODS
}

@test "TREC files, relevance 2" {
	with_relevance 2 "mrr, $HITS"
	with_slices
	scored trec 2 $((8 * (437 + 17 * 5))) $METHODS
}

@test "lists in JSON lines, relevance 1" {
	with_relevance 1 "$RECALLS, mrr, ndcg@5, ndcg@10"
	scored jsonl 1 $((6 * 7)) $LISTED
}

@test "lists in JSON lines, relevance 2" {
	with_relevance 2 "mrr, $HITS"
	scored jsonl 2 $((6 * 437)) $LISTED
}

@test "lists of chunks, duplicates: first, equal those of distinct reports" {
	with_relevance 1 "$RECALLS, mrr, ndcg@5, ndcg@10"
	echo 'duplicates: first' >> evalgate.yaml
	with_slices
	scored jsonl 1 $((2 * (7 + 17 * 7))) $CHUNKS
	with_relevance 2 "mrr, $HITS"
	echo 'duplicates: first' >> evalgate.yaml
	with_slices
	scored jsonl 2 $((2 * (437 + 17 * 5))) $CHUNKS
}

@test "lists of chunks are refused without it, with document and places" {
	with_relevance 1 mrr
	eg 2 score "$FILES/runs_jsonl/bm25_chunk.jsonl"
	tells 'bm25_chunk.jsonl:1: ' "'S01'" \
	    "'FORGE-16A-78-32_Drilling_038_2020-11-26.pdf'" \
	    'duplicates: first'
	eg 2 score "$FILES/runs_jsonl/dense_lsa_chunk.jsonl"
	tells 'dense_lsa_chunk.jsonl:1: ' 'duplicates: first'
}

# The lines of edge/bm25_chunk.duplicates.trec, which are those of the list.
duplicates() {
	perl -MJSON::PP -ne '
		my $line = decode_json($_);
		my $rank = 0;
		printf "%s Q0 %s %d %f bm25_chunk\n", $line->{query_id},
		    $_->{doc_id}, ++$rank, $_->{score}
		    for @{$line->{results}};
	' "$FILES/runs_jsonl/bm25_chunk.jsonl"
}

@test "a TREC file with repeated reports: refused, or the best rank counts" {
	FILES=$T/files
	mkdir -p "$FILES/runs_jsonl"
	cp "$DATA/forge/reference.tsv" "$FILES"
	FILES=$DATA/forge duplicates > "$FILES/runs_jsonl/bm25_chunk.jsonl"
	with_relevance 2 "mrr, $HITS"
	eg 2 score "$FILES/runs_jsonl/bm25_chunk.jsonl"
	tells 'bm25_chunk.jsonl:' 'duplicates: first'
	echo 'duplicates: first' >> evalgate.yaml
	scored jsonl 2 437 bm25_chunk
}

@test "constant scores: ids descending decide, mrr .0764, and ties are told" {
	with_relevance 2 mrr
	judged 0 score --format json:report.json \
	    "$FILES/edge/keyword_and_stop.ties.trec"
	json metrics/mrr/value~0.0763889 metrics/mrr/n=72 \
	    questions/S05/rank=6 questions/S05/tied=8
	with_relevance 2 mrr
	judged 0 score "$FORGE/runs/keyword_and_stop.trec"
	json metrics/mrr/value~0.0833333
}

@test "CSV ranks joined with the question file, relevance 2" {
	with_relevance 2 "mrr, $HITS"
	with_slices
	scored csv 2 $((8 * (437 + 17 * 5))) $METHODS
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
