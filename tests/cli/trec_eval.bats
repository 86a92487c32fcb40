#!/usr/bin/env bats
# trec_eval's own test data, with its answers; and trec_eval itself, where it
# is at hand.

load helper

PAIR=$DATA/trec_eval
CUTS='5 10 15 20 30 100 200 500 1000'

# Every metric that the answers have.
all_metrics() {
	local k list='map, ndcg, mrr, rprec, bpref, hit@1, hit@5, hit@10'
	for k in $CUTS; do
		list+=", recall@$k, precision@$k, map@$k, ndcg@$k"
	done
	config <<-END
		questions: $1
		relevance: ${2:-1}
		metrics: [$list]
	END
}

# answered ANSWERS RUN COUNT
answered() {
	eg 0 score --format json "$2"
	cp "$T/stdout" report.json
	same "$(perl "$CLI/compare_trec_eval.pl" "$1" report.json)" "$3"
}

@test "each question's values and the means equal trec_eval's answers" {
	all_metrics "$PAIR/qrels.test"
	answered "$PAIR/out.test.aq" "$PAIR/results.test" 176
}

@test "with -c: a question that is missing counts 0" {
	all_metrics "$PAIR/qrels.test"
	answered "$PAIR/out.test.aqc" "$PAIR/results.trunc" 176
	json counts/missing=1 questions/302/missing=true \
	    questions/302/rank=null questions/302/metrics/map=0 \
	    questions/302/metrics/bpref=0
}

@test "the order of lines changes nothing" {
	all_metrics "$PAIR/qrels.test"
	eg 0 score --format json "$PAIR/results.test"
	cp "$T/stdout" straight
	sort -k3,3 "$PAIR/results.test" > shuffled
	eg 0 score --format json shuffled
	cmp "$T/stdout" straight
	tac "$PAIR/results.test" > backwards
	sort -k2,4 "$PAIR/qrels.test" > qrels
	eg 0 score -Q qrels --format json backwards
	cmp "$T/stdout" straight
}

@test "shards of a run are one run" {
	all_metrics "$PAIR/qrels.test"
	eg 0 score --format json "$PAIR/results.test"
	cp "$T/stdout" straight
	awk '$1 == 302' "$PAIR/results.test" > part2
	awk '$1 != 302' "$PAIR/results.test" > part1
	eg 0 score --format json part1 part2
	cmp "$T/stdout" straight
	eg 2 score part1 "$PAIR/results.test"
	tells '30'
}

# live QRELS RUN LEVEL: compares with the trec_eval of this machine.
live() {
	local cuts=${CUTS// /,}
	trec_eval -q -c -l "$3" -m map -m ndcg -m recip_rank -m Rprec \
	    -m bpref -m success.1,5,10 -m "recall.$cuts" -m "P.$cuts" \
	    -m "map_cut.$cuts" -m "ndcg_cut.$cuts" "$1" "$2" > answers
	all_metrics "$1" "$3"
	answered answers "$2" "$(wc -l < answers)"
}

@test "trec_eval of this machine says the same of the FORGE runs" {
	command -v trec_eval > /dev/null || skip 'no trec_eval'
	local method
	for method in bm25_chunk keyword_and_stop rrf_equal; do
		live "$DATA/forge/qrels.trec" "$FORGE/runs/$method.trec" 1
		live "$DATA/forge/qrels.trec" "$FORGE/runs/$method.trec" 2
	done
}

@test "trec_eval of this machine says the same of random runs with ties" {
	command -v trec_eval > /dev/null || skip 'no trec_eval'
	local seed
	for seed in 1 2 3 4 5; do
		awk -v seed=$seed 'BEGIN {
			srand(seed)
			for (q = 1; q <= 40; q++)
				for (d = 1; d <= 60; d++)
					if (rand() < .3)
						print "q" q, 0, "d" d,
						    int(rand() * 5) - 1
		}' > qrels
		# Scores that 32 bits hold too: old versions read floats.
		awk -v seed=$seed 'BEGIN {
			srand(seed + 100)
			for (q = 1; q <= 40; q++)
				for (d = 1; d <= 60; d++)
					if (q % 7 && rand() < .5)
						print "q" q, "Q0", "d" d, 1,
						    int(rand() * 20) / 4, "t"
		}' > run
		live qrels run 1
		live qrels run 2
	done
}

@test "relevance 2 is trec_eval's -l 2: binary metrics heed it, nDCG does not" {
	cd "$T"
	printf '%s\n' 'q1 0 a 1' 'q1 0 b 2' 'q1 0 c 3' 'q1 0 d 0' > qrels
	printf '%s\n' 'q1 Q0 a 1 4 t' 'q1 Q0 b 2 3 t' 'q1 Q0 d 3 2 t' \
	    'q1 Q0 c 4 1 t' > run
	config <<-'END'
		questions: qrels
		relevance: 2
		metrics: [recall@2, map, mrr, precision@2, rprec, hit@1, ndcg]
	END
	judged 0 score run
	# R = 2 (b, c): at ranks 2 and 4.  DCG 1 + 2/log2 3 + 3/log2 5.
	json metrics/recall@2/value=0.5 metrics/map/value=0.5 \
	    metrics/mrr/value=0.5 metrics/precision@2/value=0.5 \
	    metrics/rprec/value=0.5 metrics/hit@1/value=0 \
	    metrics/ndcg/value~0.746324
}
