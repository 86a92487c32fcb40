#!/usr/bin/env bats
# Whose fault a loss is, and that none is forgotten: what joined red main, what
# never passed, errors, creep, waivers that end or are narrowed.

load helper

@test "a question that joins red main is held to what it fell from" {
	new_repo
	config <<-'END'
		tracked: [d]
		thresholds: []
	END
	push 0 c1 b=1 d=1
	sed -i 's/\[d\]/[d, a]/' evalgate.yaml
	push 1 c2 a=2 b=1 d=3
	push 1 c3 a=9 b=1 d=3
	json findings/a/class=new-regression
	# Red main is mended, but for what fell meanwhile.
	push 1 c4 a=9 b=1 d=1
	json findings/a/class=still-failing findings/a/baseline=2
	says 'where it stood before it fell'
	request 0 c5 a=9 b=1 d=1
	json findings/a/class=still-failing findings/a/level=warn
	push 0 c6 a=2 b=1 d=1
	json findings/a/class=fixed
	[[ $(git notes --ref evalgate/default show HEAD) != *'"held"'* ]]
	push 0 c7 a=2 b=1 d=1
}

@test "worse_questions counts those that no good record has" {
	new_repo
	config <<-'END'
		tracked: [d]
		thresholds: []
		worse_questions: {max: 0}
	END
	push 0 c1 b=1 d=1
	push 1 c2 a=1 b=1 d=3
	request 1 c3 a= b=1 d=3
	json findings/worse_questions/class=below-limit
	push 1 c4 a= b=1 d=1
	json findings/worse_questions/class=still-failing
	says 'a (1 → not found since'
	push 0 c5 a=1 b=1 d=1
}

@test "on red main a request answers for the questions that it loses itself" {
	new_repo
	config <<-'END'
		thresholds: []
		worse_questions: {max: 0}
	END
	push 0 c1 a=1 b=1 c=1
	push 1 c2 a=2 b=1 c=1
	request 0 c3 a=2 b=1 c=1
	json findings/worse_questions/class=still-failing
	# As many as before, and not the same.
	request 1 c4 a=1 b=99 c=1
	json findings/worse_questions/class=below-limit
	push 1 c5 a=2 b=1 c=1
	request 1 c6 a=77 b=1 c=1
	json findings/worse_questions/class=below-limit
}

@test "a floor that a change breaks by leaving questions out is its own" {
	new_repo
	config <<-'END'
		questions: questions.yaml
		thresholds: [{metric: hit@5, where: {cat: x}, min: 0.5}]
	END
	printf -- '- {id: %s, expected: doc-%s, cat: %s}\n' a a x b b x c c y \
	    > questions.yaml
	push 0 c1 a=1 b= c=1
	sed -i 1d questions.yaml
	request 1 c2 b= c=1
	json findings/hit@5/class=below-limit findings/hit@5/level=error
}

@test "a request that takes off the waiver of a missed limit fails" {
	new_repo
	config <<-'END'
		metrics: [mrr]
		tracked: [{question: a, max_rank: 1, max_loss: 9}]
		thresholds: [{metric: mrr, min: 0.9}]
		waivers:
		  - {question: a, until: 2023-11-20, reason: x}
		  - {metric: mrr, until: 2023-11-20, reason: x}
	END
	push 0 c1 a=2
	sed -i '/waivers/,$d' evalgate.yaml
	request 1 c2 a=2
	json findings/mrr/class=waiver-exceeded findings/a/class=waiver-exceeded
	says 'this change took its waiver off'
}

@test "looking less far back for a good record is said" {
	new_repo
	tracked
	push 0 c1 a=5
	push 1 c2 a=9
	echo 'baseline: {max_distance: 1}' >> evalgate.yaml
	request 0 c3 a=9
	json findings/baseline/class=gate-loosened
	says 'max_distance was 100, is 1'
}

@test "past a waiver's day a request is told what it is held to, and no excuse" {
	new_repo
	config <<-'END'
		metrics: [mrr]
		tracked: [{question: a, max_loss: 2}]
		thresholds: [{metric: mrr, max_drop: 0.2}]
		waivers:
		  - {question: a, until: 2023-11-14, reason: x}
		  - {metric: mrr, until: 2023-11-14, reason: x}
	END
	push 0 c1 a=1
	push 0 c2 a=5
	json findings/a/class=waived findings/mrr/class=waived
	# Two days later: a little worse, within what each limit allows.
	NOW=$((NOW + 2 * 86400))
	request 1 c3 a=6
	json findings/a/class=waiver-exceeded findings/mrr/class=waiver-exceeded
	says 'its waiver ended on 2023-11-14'
	says_not 'not by this change'
	# As it was: not by this change, and against what it is held to.
	push 1 c4 a=5
	request 0 c5 a=5
	json findings/a/class=still-failing findings/mrr/class=still-failing
	says 'what it is held to since it was waived'
	says_not 'the last good record'
}

@test "an average remembers what joined red main, and fell there" {
	new_repo
	config <<-'END'
		metrics: [hit@5]
		thresholds: [{metric: hit@5, max_drop: 0}]
	END
	push 0 c1 b=1 d=1
	push 1 c2 a=1 b=1 d=9
	# It is no standard that d is lost: of a, only c2 can speak.
	push 1 c3 a=9 b=1 d=1
	json findings/hit@5/class=still-failing findings/hit@5/baseline=1
	says 'for questions that joined later'
	push 1 c4 a=9 b=1 d=1
	json findings/hit@5/class=still-failing
	says 'where it stood before it fell'
	request 0 c5 a=9 b=1 d=1
	json findings/hit@5/class=still-failing findings/hit@5/level=warn
	push 0 c6 a=1 b=1 d=1
	push 0 c7 a=1 b=1 d=1
	[[ $(git notes --ref evalgate/default show HEAD) != *'"held"'* ]]
}

@test "what joined red main falls within an average that is red already" {
	new_repo
	config <<-'END'
		metrics: [hit@5]
		thresholds: [{metric: hit@5, max_drop: 0}]
	END
	push 0 c1 b=1 d=1
	push 1 c2 a=1 b=1 d=9
	push 1 c3 a=9 b=1 d=9
	json findings/hit@5/class=new-regression
	push 1 c4 a=9 b=1 d=1
	json findings/hit@5/class=still-failing
	push 0 c5 a=1 b=1 d=1
}

@test "what a request is blamed for may be the fault of a commit without a record" {
	new_repo
	tracked
	push 0 c1 a=1
	commit c2
	request 1 c3 a=3
	json findings/a/class=new-regression
	says "it may be the fault of $(git rev-parse --short=7 HEAD~1), which has no record"
	commit c4
	commit c5
	commit c6
	ranks "$T/run.csv" a=4
	record 1 "$T/run.csv" --event push
	says "one of 2 commits before this one that have no record"
}

@test "a loss is remembered while nothing has passed yet" {
	new_repo
	config <<-'END'
		metrics: [mrr]
		thresholds: [{metric: mrr, min: 0.9, max_drop: 0}]
		tracked: [a]
		worse_questions: {max: 0}
	END
	push 1 c1 a=2 b=2 c=1 d=1
	push 1 c2 a=5 b=9 c=1 d=1
	json findings/a/class=new-regression \
	    findings/worse_questions/class=below-limit
	push 1 c3 a=5 b=9 c=1 d=1
	json findings/a/class=still-failing findings/a/baseline=2 \
	    findings/worse_questions/class=still-failing
	says 'b (2 → 9 since'
	# All the rest is mended, and more.
	sed -i 's/min: 0.9/min: 0.5/' evalgate.yaml
	push 1 c4 a=5 b=9 c=1 d=1
	json findings/a/class=still-failing \
	    findings/worse_questions/class=still-failing
	push 0 c5 a=2 b=2 c=1 d=1
	[[ $(git notes --ref evalgate/default show HEAD) != *'"held"'* ]]
}

@test "a record without a verdict is the standard, where there is no other" {
	new_repo
	printf -- '- {id: %s, expected: doc-%s}\n' a a b b > questions.yaml
	config <<-'END'
		questions: questions.yaml
		tracked: [a]
		thresholds: []
	END
	commit c1
	printf '{"id": "%s", %s}\n' a '"results": ["x", "doc-a"]' \
	    b '"error": "timeout"' > "$T/run.jsonl"
	record 3 "$T/run.jsonl" --event push
	commit c2
	printf '{"id": "%s", "results": [%s]}\n' a '"x", "y", "doc-a"' \
	    b '"doc-b"' > "$T/run.jsonl"
	record 1 "$T/run.jsonl" --event push
	json findings/a/class=new-regression
	commit c3
	sed -i 's/"y", //' "$T/run.jsonl"
	record 0 "$T/run.jsonl" --event push
}

@test "identical results with an error are no regression" {
	new_repo
	printf -- '- {id: %s, expected: doc-%s, kind: %s}\n' a a x b b y \
	    > questions.yaml
	config <<-'END'
		questions: questions.yaml
		metrics: [mrr]
		tracked: [a]
		thresholds:
		  - {metric: mrr, where: {kind: x}, min: 0.5, max_drop: 0}
	END
	printf '{"id": "%s", "results": ["doc-%s"]}\n' a a b b > "$T/run.jsonl"
	commit c1
	record 0 "$T/run.jsonl" --event push
	sed -i '1s/.*/{"id": "a", "error": "timeout"}/' "$T/run.jsonl"
	commit c2
	for event in push pull_request schedule; do
		record 3 "$T/run.jsonl" --event $event
		json findings/a/class=errored
		[[ $out != *regression* && $out != *below* ]]
	done
}

@test "what errored in the record is named, and not compared" {
	new_repo
	config <<< 'thresholds: []'
	ranks "$T/q.csv" a=1 b=1
	echo 'questions: q.csv' >> evalgate.yaml
	cp "$T/q.csv" .
	printf '{"id": "%s", "%s": %s}\n' a results '["doc-a"]' \
	    b error '"timeout"' > "$T/run.jsonl"
	commit c1
	record 3 "$T/run.jsonl" --event push
	printf '{"id": "%s", "results": ["doc-%s"]}\n' a a b b > "$T/run.jsonl"
	commit c2
	judged 0 check "$T/run.jsonl" --event push
	says '1 errored in the record, not compared: b'
}

@test "whose a loss is: what this change added, and what nobody looked at" {
	new_repo
	config <<-'END'
		metrics: [mrr]
		thresholds: [{metric: mrr, max_drop: 0.1}]
	END
	push 0 c1 a=1 b=1 c=1 d=1
	push 1 c2 a=2 b=1 c=1 d=1
	push 1 c3 a=2 b=1 c=1 d=9
	push 1 c4 a=2 b=1 c=1 d=10
	says 'not by this change alone (0.00278 of it since'
	config <<-'END'
		questions: q.csv
		metrics: [recall@5]
		tracked: [a]
		thresholds: [{metric: recall@5, max_drop: 0.1}]
		depth: 5
	END
	ranks q.csv a=1 b=1
	commit c5
	ranks "$T/run.csv" a=4 b=1
	record 0 "$T/run.csv" --event push --start 'new rules'
	sed -i 's/depth: 5/depth: 2/' evalgate.yaml
	commit c6
	ranks "$T/run.csv" a= b=1
	record 3 "$T/run.csv" --event push
	says 'this run did not look deep enough' 'this run looked 2 deep'
	sed -i 's/depth: 2/depth: 5/' evalgate.yaml
	request 3 c7 a= b=1
	says "the one before can't tell whether it was so already" \
	    'the record before looked too little deep'
}

@test "creep is a request's only where it took a step, or made it an error" {
	new_repo
	config <<-'END'
		metrics: [mrr]
		thresholds: [{metric: mrr, max_drop: 0.06}]
		creep: {window: 9, level: error}
	END
	push 0 c1 a=2 b=2 c=2 d=2 e=2 f=2
	push 0 c2 a=6 b=2 c=2 d=2 e=2 f=2
	# What joined is no part of what crept.
	push 1 c3 a=6 b=6 c=2 d=2 e=2 f=2 g=1
	json findings/mrr/class=creep
	request 0 c4 a=6 b=6 c=2 d=2 e=2 f=2 g=1
	json findings/mrr/class=creep findings/mrr/level=warn
}

@test "creep under a waiver that ends is not the fault of a request" {
	new_repo
	config <<-'END'
		tracked: [{question: a, max_loss: 1}]
		thresholds: []
		creep: {window: 9, level: error}
		waivers: [{question: a, until: 2023-11-15, reason: x}]
	END
	push 0 c1 a=2
	push 0 c2 a=3
	push 0 c3 a=4
	says 'lost in small steps' 'waived until 2023-11-15'
	NOW=$((NOW + 4 * 86400))
	request 0 c4 a=4
	json findings/a/class=still-failing findings/a/level=warn
	NOW=$((NOW - 4 * 86400))
	# Whoever takes it off before its day answers for it.
	git checkout -q HEAD~1
	sed -i /waivers/d evalgate.yaml
	request 1 c5 a=4
	json findings/a/class=creep findings/a/level=error
}

@test "what a question was held to ends where \`redefined\` names it" {
	new_repo
	asks() {
		config <<-END
			questions: questions.yaml
			tracked: [a]
			thresholds: []
			$1
		END
		echo "- {id: a, text: $2, expected: doc-a}" > questions.yaml
	}
	asks 'waivers: [{question: a, until: 2023-11-20, reason: x}]' old
	push 0 c0 a=1
	push 0 c1 a=4
	asks '' new
	push 1 c2 a=2
	json findings/a/class=redefined
	# Said one commit late, it is as true.
	asks 'redefined: [{question: a, reason: x}]' new
	push 0 c3 a=2
	asks '' new
	push 0 c4 a=2
	push 1 c5 a=3
	json findings/a/class=new-regression findings/a/baseline=2
}

@test "a request that narrows a waiver below what is there fails" {
	new_repo
	waiver
	push 0 c0 a=5 b=1
	push 0 c1 a=8 b=1
	sed -i 's/ceiling: 9/ceiling: 6/' evalgate.yaml
	request 1 c2 a=8 b=1
	json findings/a/class=waiver-exceeded findings/a/level=error
	git checkout -q HEAD~1
	sed -i 's/ceiling: 6/ceiling: 9/; s/2023-11-20/2023-11-13/' evalgate.yaml
	request 1 c3 a=8 b=1
	json findings/a/class=waiver-exceeded findings/a/level=error
}
