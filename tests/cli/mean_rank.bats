#!/usr/bin/env bats
# found and mean_rank: the one gates like a share, the other is for reading.

load helper

three() {
	new_repo
	config <<-'END'
		metrics: [found, mean_rank]
		slices: [kind]
		questions: questions.yaml
	END
	cat > questions.yaml <<-'END'
		- {id: a, expected: doc-a, kind: x}
		- {id: b, expected: doc-b, kind: x}
		- {id: c, expected: doc-c, kind: y}
		- {id: u, expected: [], kind: y}
	END
	commit c1
}

@test "mean_rank is of found questions alone, found of all" {
	three
	ranks "$T/run.csv" a=1 b=4 c=
	record 0 "$T/run.csv"
	json metrics/found/value=0.6666666666666666 metrics/mean_rank/value=2.5 \
	    metrics/mean_rank/resolution=null questions/b/metrics/mean_rank=4 \
	    questions/c/metrics/mean_rank=null questions/c/metrics/found=0
	says 'found       0.6667' 'mean_rank   2.5000' 'kind=y'
	eg 0 history --metric mean_rank
	says 2.5
	commit c2
	# Losing the worst one improves it, and only found says so.
	ranks "$T/run.csv" a=1 b= c=
	judged 1 check "$T/run.csv"
	json findings=1 findings/found/class=new-regression \
	    metrics/mean_rank/value=1 metrics/mean_rank/baseline=null \
	    metrics/mean_rank/wins=0
	says_not 'not gated'
}

@test "mean_rank of nothing found is none, in every format" {
	local format
	three
	ranks "$T/run.csv" a= b= c=
	record 0 "$T/run.csv"
	json metrics/mean_rank/value=null
	says 'mean_rank        –'
	for format in text json markdown comment github junit gitlab html; do
		eg 0 check "$T/run.csv" --format "$format:$T/out"
		never grep -qi '[^a-z]nan[^a-z]' "$T/out"
	done
	git notes --ref=evalgate/default show > "$T/note"
	never grep -q mean_rank "$T/note"
	eg 0 history --metric mean_rank
	eg 0 history --format "html:$T/out"
	never grep -q '[^a-z]nan[^a-z]' "$T/out"
	ranks "$T/other.csv" a=1 b= c=
	eg 0 noise "$T/run.csv" "$T/other.csv"
	says 'metric: found, max_drop: 0.334'
	says_not 'metric: mean_rank,'
}

@test "mean_rank takes neither threshold nor waiver" {
	three
	config <<-'END'
		questions: questions.yaml
		thresholds:
		  - {metric: mean_rank, max_drop: 0.1}
		waivers:
		  - {metric: mean_rank, until: never, reason: r}
	END
	ranks "$T/run.csv" a=1 b=1 c=1
	eg 2 check "$T/run.csv"
	tells 'evalgate.yaml:4: mean_rank is for reading alone' \
	    'evalgate.yaml:6: mean_rank is for reading alone'
}
