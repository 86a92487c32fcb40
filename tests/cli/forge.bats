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
	tells 'bm25_chunk.jsonl:1: ' "'S01'" 'at ranks 2 and 8' \
	    "'FORGE-16A-78-32_Drilling_016_2020-11-04.pdf'" \
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
	local ties=$FILES/edge/keyword_and_stop.ties.trec
	with_relevance 1 mrr
	judged 0 score "$ties"
	json metrics/mrr/value~0.0763889 metrics/mrr/n=72 \
	    questions/S05/rank=1 questions/S05/tied=7 \
	    questions/N10/rank=2 questions/N10/tied=2
	with_relevance 2 mrr
	judged 0 score "$ties"
	json metrics/mrr/value~0.0644841 questions/S05/rank=7 \
	    questions/S05/tied=7
	with_relevance 1 mrr
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

# converted PERL < LINES: each split at blanks.
converted() {
	perl -MJSON::PP -lane "\$json //= {}; $1; END { print JSON::PP->new->canonical->encode(\$json) }"
}

@test "the same judgments as {question: {document: grade}} give the same" {
	converted '$json->{$F[0]}{$F[2]} = $F[3] + 0' \
	    < "$FILES/qrels.trec" > qrels.json
	same_judgments qrels.json
}

@test "the texts of queries.jsonl belong to the judgments beside them" {
	local qrels
	for qrels in qrels.trec qrels_beir.tsv; do
		same_judgments "$FILES/$qrels, $FILES/queries_beir.jsonl"
		perl "$CLI/json.pl" rrf_equal.json questions=72 \
		    'questions/T01/text=stuck pipe'
		# Ranks named by text find their question.
		printf 'question,rank\nstuck pipe,4\n' > texts.csv
		config <<< 'metrics: [mrr]'
		judged 0 score -Q "$FILES/$qrels" \
		    -Q "$FILES/queries_beir.jsonl" texts.csv
		json questions/T01/rank=4 counts/missing=71
	done
}

@test "the same runs as {question: {document: score}} give the same" {
	local method
	mkdir runs
	for method in keyword_and_stop dense_lsa_doc bm25_chunk; do
		converted '$json->{$F[0]}{$F[2]} = $F[4] + 0' \
		    < "$FORGE/runs/$method.trec" > "runs/$method.trec"
	done
	with_relevance 1 "$RECALLS, mrr, ndcg@5, ndcg@10"
	RUNS=$T/runs
	scored trec 1 $((3 * 511)) keyword_and_stop dense_lsa_doc bm25_chunk
}

@test "the same runs as a JSON list, and as {question: [document]}" {
	local method
	mkdir -p files/runs_jsonl
	cp "$FILES/reference.tsv" files
	with_relevance 2 "mrr, $HITS"
	for method in bm25_doc keyword_and_stop; do
		sed '1s/^/[/; $!s/$/,/; $s/$/]/' \
		    "$FILES/runs_jsonl/$method.jsonl" \
		    > "files/runs_jsonl/$method.jsonl"
	done
	FILES=$T/files scored jsonl 2 $((2 * 437)) bm25_doc keyword_and_stop
	for method in bm25_doc keyword_and_stop; do
		perl -MJSON::PP -ne '
			my $line = decode_json($_);
			$map{$line->{query_id}} =
			    [map { $_->{doc_id} } @{$line->{results}}];
			END { print encode_json(\%map) }
		' "$FILES/runs_jsonl/$method.jsonl" \
		    > "files/runs_jsonl/$method.jsonl"
	done
	FILES=$T/files scored jsonl 2 $((2 * 437)) bm25_doc keyword_and_stop
}

@test "the same ranks as [{question, rank}], null for a miss" {
	mkdir runs
	perl -MJSON::PP -ne '
		next if $. == 1;
		my ($question, $rank) = /^("(?:[^"]|"")*"|[^,]*),.*,(\d*)$/;
		$question =~ s/^"(.*)"$/$1/ and $question =~ s/""/"/g;
		push @list, {question => $question,
		    rank => $rank ne "" ? $rank + 0 : undef};
		END { print encode_json(\@list) }
	' "$FORGE/runs/bm25_doc.csv" > runs/bm25_doc.csv
	with_relevance 2 "mrr, $HITS"
	RUNS=$T/runs scored csv 2 437 bm25_doc
}

# ranked FIELD FILE: the mean of 1 / rank and of rank <= 5 over what could be
# evaluated, straight from the file.
ranked() {
	perl -MJSON::PP -e '
		my ($field, $file) = @ARGV;
		open(my $in, "<:raw", $file) or die "$file: $!\n";
		my @results = grep { $_->{evaluable} }
		    @{decode_json(do { local $/; <$in> })->{results}};
		my ($mrr, $hit) = (0, 0);
		for my $rank (map { $_->{$field} } @results) {
			$mrr += $rank ? 1 / $rank : 0;
			$hit += $rank && $rank <= 5;
		}
		printf "metrics/mrr/value~%.12f metrics/hit\@5/value~%.12f " .
		    "metrics/mrr/n=%d\n", $mrr / @results, $hit / @results,
		    scalar @results;
	' "$@"
}

@test "the companion's results: each of its three ranks, 0 is a miss" {
	local field file n=72
	with_relevance 2 'mrr, hit@5'
	for file in {,sample10/}companion/eval_results_{bm25,dense_lsa}_chunk; do
		if [[ $file = sample10/* ]]; then
			QUESTIONS=$FILES/sample10/questions.yaml n=6
			with_relevance 2 'mrr, hit@5'
		fi
		file=$FILES/$file.json
		for field in hit_rank page_rank keyword_rank; do
			judged 0 score --rank-field "$field" "$file"
			silent
			# shellcheck disable=SC2046 # claims
			json $(ranked "$field" "$file") \
			    "counts/answerable=$n" counts/missing=0
		done
		judged 0 score "$file"
		# shellcheck disable=SC2046 # claims
		json $(ranked hit_rank "$file")
	done
	# Not evaluable there, unanswerable here.
	QUESTIONS=$FORGE/questions.yaml
	with_relevance 2 'mrr, hit@5'
	file=$FILES/companion/eval_results_bm25_chunk.json
	judged 0 score "$file"
	json questions/U01/answerable=false questions/U01/rank=null \
	    questions/S02/rank=3 questions/T01/rank=null
	judged 0 score --rank-field page_rank "$file"
	json questions/S02/rank=1 questions/S05/rank=null
}

@test "the companion's results are no question file, and need one" {
	config <<< 'metrics: [mrr]'
	eg 2 score "$FILES/companion/eval_results_bm25_chunk.json"
	tells questions
}

@test "the ten reports of the sample, in every format" {
	local view
	FILES=$FILES/sample10
	QUESTIONS=$FILES/questions.yaml RUNS=$FILES/runs
	with_relevance 1 "$RECALLS, mrr, ndcg@5, ndcg@10"
	echo 'duplicates: first' >> evalgate.yaml
	scored trec 1 $((8 * 7)) $METHODS
	scored jsonl 1 $((8 * 7)) $METHODS
	sed -i "s|^questions: .*|questions: $FILES/qrels.trec|" evalgate.yaml
	scored trec 1 $((8 * 7)) $METHODS
	sed -i "s|^questions: .*|questions: $FILES/qrels_beir.tsv|" evalgate.yaml
	scored trec 1 $((8 * 7)) $METHODS
	with_relevance 2 "mrr, $HITS"
	echo 'duplicates: first' >> evalgate.yaml
	for view in trec jsonl csv; do
		scored $view 2 $((8 * (5 + 6))) $METHODS
	done
	judged 0 score "$FILES/edge/keyword_and_stop.ties.trec"
	json metrics/mrr/value~0.1666667
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
