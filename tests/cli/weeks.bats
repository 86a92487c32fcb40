#!/usr/bin/env bats
# The weeks of a user: what happens to a team that lives with the gate.

load helper

@test "red main, an innocent pull request, the fix" {
	new_repo
	tracked
	push 0 c1 a=5 b=1
	push 1 c2 a=9 b=1
	json findings/a/class=new-regression findings/a/level=error
	# Not by this change: it passes, says so, and is stored as fail.
	request 0 c3 a=9 b=1
	json verdict=pass findings/a/class=still-failing findings/a/level=warn
	says 'not by this change' "recorded for" "as 'fail'"
	push 1 c4 a=9 b=1
	json findings/a/class=still-failing findings/a/level=error
	push 0 c5 a=5 b=1
	json findings/a/class=fixed
	push 0 c6 a=5 b=1
	json findings=0
}

@test "a revert of something bad passes, though it falls against it" {
	new_repo
	config <<-'END'
		tracked: [a]
		metrics: [mrr]
	END
	push 0 c1 a=2 b=2
	# An average climbs while the tracked question falls.
	push 1 c2 a=9 b=1 c=1
	push 0 c3 a=2 b=2
	json findings/a/class=fixed findings/mrr/class=worse-allowed \
	    findings/mrr/level=info
}

@test "a waiver covers a loss, and launders nothing when it is deleted" {
	new_repo
	tracked
	push 0 c1 a=5
	waiver
	push 0 c2 a=9
	json verdict=pass findings/a/class=waived findings/a/level=info \
	    findings/a/baseline=5
	says 'waived until 2023-11-20: a trial (#84)' "as 'pass'"
	[[ $(git notes --ref evalgate/default show HEAD) == \
	    *'"held":{"question/a":{"commit":"'*'","value":5,"depth":null}}'* ]]
	# Several records later it is still rank 5 that counts.
	push 0 c3 a=8
	json findings/a/class=waived findings/a/baseline=5
	push 0 c4 a=9
	json findings/a/class=waived findings/a/baseline=5
	tracked
	push 1 c5 a=9
	json findings/a/class=waiver-exceeded findings/a/level=error \
	    findings/a/baseline=5
	says 'its waiver is gone, and the loss is still there'
	# And once more, since nothing was mended.
	push 1 c6 a=9
	json findings/a/class=waiver-exceeded
	push 0 c7 a=5
	json findings/a/class=fixed
}

@test "a pull request that deletes a waiver fails; one beside it does not" {
	new_repo
	tracked
	push 0 c1 a=5
	waiver
	push 0 c2 a=9
	tracked
	request 1 c3 a=9
	json findings/a/class=waiver-exceeded
	git checkout -q HEAD^
	waiver
	request 0 c4 a=9 b=3
	json findings/a/class=waived
}

@test "a waiver that is over fails on main, and warns on pull requests" {
	new_repo
	tracked
	push 0 c1 a=5
	waiver
	push 0 c2 a=9
	push 0 c3 a=9
	# The last second of its day, in UTC, and the one after it.
	commit c4
	judged 0 check "$T/run.csv" --event push --now 2023-11-20T23:59:59Z
	json findings/a/class=waived
	says 'ends today'
	judged 1 check "$T/run.csv" --event push --now 2023-11-21T00:00:00Z
	json findings/a/class=waiver-exceeded
	says 'its waiver ended on 2023-11-20'
	judged 0 check "$T/run.csv" --event merge_group \
	    --now 2023-11-21T00:00:00Z
	json findings/a/class=still-failing findings/a/level=warn
	ranks "$T/worse.csv" a=10
	judged 1 check "$T/worse.csv" --event merge_group \
	    --now 2023-11-21T00:00:00Z
	json findings/a/class=waiver-exceeded
}

@test "beyond its ceiling a waiver covers nothing" {
	new_repo
	tracked
	push 0 c1 a=5
	waiver
	push 1 c2 a=10
	json findings/a/class=waiver-exceeded
	says "beyond its waiver's ceiling 9"
	# A run that is not so deep can't tell whether it is beyond.
	lists "$T/deep.jsonl" a=5/12
	record 0 "$T/deep.jsonl" --questions "$T/questions.json" \
	    --start 'lists from now on'
	commit c3
	lists "$T/shallow.jsonl" a=0/7
	judged 3 check "$T/shallow.jsonl" --questions "$T/questions.json" \
	    --now 2023-11-15T00:00:00Z
	json findings/a/class=untellable
	says "its waiver's ceiling is 9, but this run looked less deep"
}

@test "a waived question that came back is held to nothing any more" {
	new_repo
	tracked
	push 0 c1 a=5
	waiver
	push 0 c2 a=9
	push 0 c3 a=4
	says 'the waiver of a' 'is not needed by this run'
	[[ $(git notes --ref evalgate/default show HEAD) != *'"held"'* ]]
	tracked
	push 1 c4 a=5
	json findings/a/class=new-regression findings/a/baseline=4
}

@test "until: never sets a new standard, and says so" {
	new_repo
	tracked
	push 0 c1 a=5
	config <<-'END'
		tracked: [a]
		thresholds: []
		waivers: [{question: a, until: never, reason: a new index}]
	END
	push 0 c2 a=9
	says 'gate-loosened' 'waived for good: a new index'
	tracked
	push 0 c3 a=9
	json findings=0
	push 1 c4 a=10
	json findings/a/class=new-regression findings/a/baseline=9
}

@test "a cheaper reranker is accepted by a metric's waiver" {
	new_repo
	config <<-'END'
		metrics: [mrr]
	END
	push 0 c1 a=1 b=1
	config <<-'END'
		metrics: [mrr]
		waivers:
		  - {metric: mrr, floor: 0.7, until: 2023-11-20, reason: reranker off}
	END
	push 0 c2 a=2 b=1
	json findings/mrr/class=waived findings/mrr/baseline=1
	push 0 c3 a=2 b=1
	json findings/mrr/class=waived findings/mrr/baseline=1
	push 1 c4 a=3 b=1
	json findings/mrr/class=waiver-exceeded
	says "below its waiver's floor 0.7"
	config <<-'END'
		metrics: [mrr]
	END
	push 1 c5 a=2 b=1
	json findings/mrr/class=waiver-exceeded
	push 0 c6 a=1 b=1
}

@test "small losses, each allowed, are caught by creep" {
	new_repo
	config <<-'END'
		tracked: [{question: a, max_loss: 1}]
		thresholds: []
	END
	push 0 c1 a=2
	push 0 c2 a=3
	push 0 c3 a=4
	push 0 c4 a=5
	config <<-'END'
		tracked: [{question: a, max_loss: 1}]
		thresholds: []
		creep: {window: 20, level: error}
	END
	push 1 c5 a=5
	json findings/a/rule=creep findings/a/class=creep findings/a/baseline=2
	says '2 at ' ', 3 at ' ', 4 at ' ', 5 at ' ', 5 now'
	# A request that takes no step itself is not to blame.
	request 0 c6 a=5
	json findings/a/level=warn
	request 1 c7 a=6
	json findings/a/level=error
}

@test "twenty new questions change nothing, and are named" {
	new_repo
	config <<-'END'
		tracked: [a]
		metrics: [mrr]
	END
	push 0 c1 a=2 b=1
	push 0 c2 a=2 b=1 n01= n02= n03= n04= n05= n06= n07= n08= n09= n10= \
	    n11= n12= n13= n14= n15= n16= n17= n18= n19= n20=
	says 'added since, not compared'
	json counts/added=20 counts/common=2 metrics/mrr/delta=0
}

@test "a label that changed is said" {
	new_repo
	config <<-'END'
		tracked: [a]
		labels: {model: small, index: v1}
	END
	push 0 c1 a=2
	config <<-'END'
		tracked: [a]
		labels: {model: large}
	END
	push 0 c2 a=2
	json findings/model/class=label-changed findings/index/class=label-changed
	says 'model  small → large' 'index  v1 → none'
}

@test "a gate that asks less of itself is said, or fails" {
	new_repo
	config <<-'END'
		tracked: [a, {question: b, max_rank: 5}]
		thresholds: [{metric: mrr, min: 0.2, max_drop: 0.1}]
		worse_questions: {max: 1, by: 2}
	END
	push 0 c1 a=2 b=2 c=1
	config <<-'END'
		tracked: [{question: b, max_loss: 2, max_rank: 9}]
		thresholds: [{metric: mrr, min: 0.1}]
		worse_questions: {max: 2, by: 2}
	END
	push 0 c2 a=2 b=2 c=1
	says 'it is tracked no more' 'max_loss was 0, is 2' \
	    'max_rank was 5, is 9' 'min was 0.2, is 0.1' \
	    'max_drop 0.1 is gone' 'more questions may fall'
	same "$(found warn)" 'a b b mrr mrr worse_questions'
	config <<-'END'
		tracked: []
		thresholds: [{metric: mrr, min: 0.1}]
		worse_questions: {max: 2, by: 2}
		gate_change: error
	END
	request 1 c3 a=2 b=2 c=1
	json findings/b/class=gate-loosened findings/b/level=error
	says "as 'fail'"
	push 1 c4 a=2 b=2 c=1
}

@test "too many untracked questions fell" {
	new_repo
	config <<-'END'
		thresholds: []
		worse_questions: {max: 1, by: 3}
	END
	push 0 c1 a=1 b=1 c=1 d=1
	ranks "$T/one.csv" a=4 b=3 c=3 d=1
	commit c2
	judged 0 check "$T/one.csv"
	push 1 c3 a=4 b=4 c=3 d=1
	json findings/worse_questions/class=below-limit \
	    findings/worse_questions/current=2
	says 'a (1 → 4), b (1 → 4)'
	request 0 c4 a=4 b=4 c=3 d=1
	json findings/worse_questions/class=still-failing
}

@test "tracked by a field: explicit entries win, the strictest holds" {
	new_repo
	cat > q.yaml <<-'END'
		- {id: a, expected: doc-a, difficulty: hard, kind: x}
		- {id: b, expected: doc-b, difficulty: hard}
		- {id: c, expected: doc-c, difficulty: easy, kind: x}
		- {id: h, expected: doc-h, difficulty: hard, holdout: true}
		- {id: u, expected: [], difficulty: hard}
	END
	config <<-'END'
		questions: q.yaml
		thresholds: []
		tracked:
		  - {where: {difficulty: hard}, max_loss: 2}
		  - {question: b, max_loss: 5}
		  - {where: {kind: x}, max_loss: 1, max_rank: 9}
	END
	push 0 c1 a=1 b=1 c=1 h=1
	json counts/tracked=3 questions/a/tracked=true questions/h/tracked=false
	push 0 c2 a=2 b=6 c=2 h=9
	push 1 c3 a=4 b=6 c=3 h=9
	same "$(found error)" 'a'
	sed -i 's/difficulty: hard}, max/difficulty: harsh}, max/' evalgate.yaml
	commit c4
	eg 2 check "$T/run.csv"
	tells 'evalgate.yaml:5: no answerable question has difficulty=harsh'
}

@test "a goal that is reached is celebrated once, and never gates" {
	new_repo
	config <<-'END'
		thresholds: []
		tracked: [{question: a, goal: 3, note: the rig stood still}]
	END
	push 0 c1 a=5
	push 0 c2 a=3
	json findings/a/class=goal-reached findings/a/level=info
	says 'the goal of rank 3 is reached (the rig stood still)'
	push 0 c3 a=3
	json findings=0
	push 1 c4 a=4
	says 'the rig stood still'
}

@test "a drop that chance explains does not fail" {
	new_repo
	config <<-'END'
		thresholds: [{metric: mrr, max_drop: 0, alpha: 0.05}]
	END
	push 0 c1 a=1 b=1 c=1 d=1 e=1 f=1 g=1 h=1
	ranks "$T/four.csv" a=2 b=2 c=2 d=2 e=1 f=1 g=1 h=1
	commit c2
	judged 0 check "$T/four.csv"
	json findings/mrr/class=worse-allowed findings/mrr/level=info
	says 'p = 0.0625 > alpha 0.05'
	push 1 c3 a=2 b=2 c=2 d=2 e=2 f=1 g=1 h=1
	json findings/mrr/class=new-regression
	says 'p = 0.0312 <= alpha 0.05'
}

@test "a revert that was pushed with another commit hides nothing" {
	new_repo
	tracked
	push 0 c1 a=9
	echo x > code
	push 0 c2 a=2
	# The revert's tree is c1's, whose record would serve; c2's is nearer.
	git rm -q code
	commit revert
	echo d > docs
	commit docs
	ranks "$T/run.csv" a=9
	judged 1 check "$T/run.csv" --event push
	json before/commit="$(git rev-parse HEAD~2)" before/distance=2 \
	    findings/a/class=new-regression findings/a/baseline=2
}

@test "a commit that was never recorded has no record of a later one's" {
	new_repo
	tracked
	commit c1
	push 0 c2 a=2
	push 1 c3 a=9
	# All three have one tree.
	eg 0 history a
	says '2 records' '2, 9'
	says_not ', 2, 9' '9, 2'
	eg 0 blame a
	says_not c1
}

@test "accept: any makes red main green, but not unsaid" {
	new_repo
	tracked
	push 0 c1 a=5
	push 1 c2 a=9
	{ cat evalgate.yaml && echo 'baseline: {accept: any}'; } > any.yaml
	mv any.yaml evalgate.yaml
	push 0 c3 a=9
	json findings/baseline/class=gate-loosened findings/baseline/level=warn
	says 'accept was passing, is any'
	push 0 c4 a=9
	json findings=0
}

@test "where a gate may not change, accept: any is an error, and stays one" {
	new_repo
	config <<-'END'
		tracked: [a]
		thresholds: []
		gate_change: error
	END
	push 0 c1 a=5
	push 1 c2 a=9
	{ cat evalgate.yaml && echo 'baseline: {accept: any}'; } > any.yaml
	mv any.yaml evalgate.yaml
	push 1 c3 a=9
	json findings/baseline/class=gate-loosened findings/baseline/level=error
	push 1 c4 a=9
	json findings/baseline/class=gate-loosened
}

@test "a change can't take gate_change away and loosen in one" {
	new_repo
	config <<-'END'
		tracked: [a]
		thresholds: []
		gate_change: error
	END
	push 0 c1 a=5
	config <<-'END'
		tracked: [{question: a, max_loss: 9}]
		thresholds: []
	END
	request 1 c2 a=9
	json findings/a/class=gate-loosened findings/a/level=error \
	    findings/gate_change/class=gate-loosened \
	    findings/gate_change/level=error
}

@test "what is compared as asked is no record" {
	new_repo
	tracked
	push 0 c1 a=9
	push 0 c2 a=5
	commit c3
	ranks "$T/run.csv" a=9
	eg 2 record "$T/run.csv" --baseline rev:HEAD~2
	[[ $err == *'not by --baseline rev:HEAD~2'*'--start REASON'* ]]
	eg 2 record "$T/run.csv" --baseline "file:$T/run.csv"
	eg 2 ci --record "$T/run.csv" --baseline rev:HEAD~2
	eg 0 ci "$T/run.csv" --event push --baseline rev:HEAD~2
	says 'not recorded: compared with what --baseline says'
	eg 0 history a
	says '2 records'
}

@test "compare --fail holds to what a waiver was given against, as check does" {
	new_repo
	waiver
	push 0 c1 a=5
	push 0 c2 a=9
	tracked
	commit c3
	ranks "$T/run.csv" a=9
	judged 1 check "$T/run.csv" --event push
	json findings/a/class=waiver-exceeded
	judged 1 compare --fail HEAD~1 "$T/run.csv"
	json findings/a/class=waiver-exceeded
	ranks "$T/run.csv" a=5
	judged 0 compare --fail HEAD~1 "$T/run.csv"
}

@test "a name that a question had launders no waiver of it" {
	local names='renamed: [{from: a, to: a2}]'
	new_repo
	asked() {
		printf '%s\n' "- {id: $1, text: t, expected: doc-a}" \
		    '- {id: b, expected: doc-b}' > questions.yaml
		config <<-END
			questions: questions.yaml
			tracked: [$1]
			thresholds: []
			$2
			$3
		END
	}
	lists_of() {
		lists "$T/run.jsonl" "$1=$2/20" b=1/20
		sed -i 's/doc-a2/doc-a/' "$T/run.jsonl"
	}
	step() {
		commit "$2"
		record "$1" "$T/run.jsonl" --event push
	}
	waives() {
		echo "waivers: [{question: $1, ceiling: 9, until: $2, reason: r}]"
	}
	asked a
	lists_of a 2
	step 0 c1
	asked a "$(waives a 2023-11-20)"
	lists_of a 5
	step 0 c2
	# Under its new name it is waived, and the request can't drop that.
	asked a2 "$names" "$(waives a2 2023-11-20)"
	lists_of a2 5
	step 0 c3
	json findings/a2/class=waived
	asked a2 "$(waives a2 2023-11-20)"
	step 0 c4
	json findings/a2/class=waived
	asked a2
	step 1 c5
	json findings/a2/class=waiver-exceeded findings/a2/level=error
}

@test "a request that renames a question and drops its waiver is to blame" {
	new_repo
	printf '%s\n' '- {id: a, text: t, expected: doc-a}' > questions.yaml
	config <<-'END'
		questions: questions.yaml
		tracked: [a]
		thresholds: []
		waivers: [{question: a, ceiling: 9, until: 2023-11-20, reason: r}]
	END
	commit c1
	lists "$T/run.jsonl" a=2/20
	record 0 "$T/run.jsonl" --event push
	commit c2
	lists "$T/run.jsonl" a=5/20
	record 0 "$T/run.jsonl" --event push
	printf '%s\n' '- {id: a2, text: t, expected: doc-a}' > questions.yaml
	config <<-'END'
		questions: questions.yaml
		tracked: [a2]
		thresholds: []
		renamed: [{from: a, to: a2}]
	END
	sed -i 's/"a"/"a2"/' "$T/run.jsonl"
	base=$(git rev-parse HEAD)
	commit c3
	git checkout -q "$(GIT_AUTHOR_DATE="$NOW +0000" \
	    GIT_COMMITTER_DATE="$NOW +0000" git commit-tree -p "$base" -p HEAD \
	    -m merge 'HEAD^{tree}')"
	record 1 "$T/run.jsonl" --event pull_request
	json findings/a2/class=waiver-exceeded findings/a2/level=error
}

@test "a run that gives again what an older one of its commit gave is stored" {
	new_repo
	tracked
	commit c1
	ranks "$T/run.csv" a=1
	record 0 "$T/run.csv"
	NOW=$((NOW + 1))
	ranks "$T/run.csv" a=2
	record 0 "$T/run.csv"
	NOW=$((NOW + 1))
	ranks "$T/run.csv" a=1
	record 0 "$T/run.csv"
	says 'recorded for'
	NOW=$((NOW + 1))
	record 0 "$T/run.csv"
	says 'the same result is already recorded'
	commit c2
	ranks "$T/run.csv" a=2
	judged 1 check "$T/run.csv"
	json findings/a/class=new-regression
}
