#!/usr/bin/env bats
# bats file_tags=plain
# Every pair of methods on the real reports where the average rises: how many
# questions rise and fall, which leave the first five, which tracked ones fall
# and which categories, against counts of another program.

load helper

# compared QUESTIONS RUNS PAIRS TRACKED: ranks from the CSV files, which know each
# rank however deep; averages and slices from the TREC files.
compared() {
	local one two rest view
	config <<-END
		questions: $1
		relevance: 2
		metrics: [mrr, hit@5]
		slices: [category]
		tracked: [$4]
	END
	while read -r one two rest; do
		[ "$one" != '#' ] || continue
		for view in csv trec; do
			eg 0 compare "$2/$one.$view" "$2/$two.$view" \
			    --format "json:$one-$two.$view.json"
		done
	done < "$3"
	perl "$CLI/compare_pairs.pl" "$3" .
}

@test "76 reports, 72 questions: all 27 pairs" {
	same "$(compared "$FORGE/questions.yaml" "$FORGE/runs" \
	    "$DATA/forge/pairs.tsv" 'T01, N18, N19, N38, N41')" 27
}

@test "the sample of ten reports, 6 questions: all 25 pairs" {
	local sample=$DATA/forge/sample10
	same "$(compared "$sample/questions.yaml" "$sample/runs" \
	    "$sample/pairs.tsv" T01)" 25
}
