#!/usr/bin/env bats
# What a run is compared with, and when it is worse.

load helper

# One tracked question; more lines of config from standard input.
small() {
	new_repo
	{
		echo 'tracked:'
		echo '  - {question: a, document: doc-a}'
		echo 'metrics: [mrr]'
		cat
	} | config
	commit c1
}

# Runs of the tracked question at each rank, ../r5.csv for 5, ../r.csv for a
# miss, beside one that is always found.
runs() {
	local rank
	for rank; do
		ranks "../r$rank.csv" "a=$rank" b=1
	done
	ranks ../r.csv a= b=1
}

# ---------------------------------------------------------------- the event --

@test "the nearest recorded first parent serves, unrecorded ones are named" {
	small < /dev/null
	runs 1 5
	record 0 ../r1.csv
	commit c2
	commit c3
	commit c4
	judged 1 check ../r5.csv
	says 'nearest recorded first-parent ancestor' '3 commits back' \
	    '2 commits between without a record' \
	    "$(git rev-parse --short=7 HEAD^)"
	json before/commit="$(git rev-parse HEAD~3)" before/distance=3 \
	    before/age_seconds=180
}

@test "a merge on the main branch is compared with its first parent" {
	small < /dev/null
	runs 1 2 5
	record 0 ../r1.csv
	git checkout -q -b side
	commit s1
	record 1 ../r5.csv
	git checkout -q main
	commit c2
	merge side
	judged 1 check ../r2.csv
	json event=local before/commit="$(git rev-parse HEAD~2)" \
	    before/distance=2 findings/a/class=new-regression
}

# main: c1 at rank 1, c2 at rank 5, which fails; HEAD is detached at a merge
# of a branch into it.
pull_request() {
	small < /dev/null
	runs 1 2 5 6
	record 0 ../r1.csv
	commit c2
	record 1 ../r5.csv
	git checkout -q -b topic
	echo x > topic
	commit t1
	record 1 ../r6.csv
	git checkout -q --detach main
	merge topic
}

@test "a detached merge counts as a pull request: its first parent serves" {
	pull_request
	judged 1 check ../r6.csv
	json event=pull_request before/commit="$(git rev-parse main)" \
	    before/distance=1 good/commit="$(git rev-parse main^)" \
	    findings/a/class=new-regression findings/a/level=error
}

@test "still failing is a warning on a pull request, and is stored as fail" {
	pull_request
	judged 0 check ../r5.csv
	says PASS 'still-failing' '(warning)'
	json verdict=pass findings/a/class=still-failing findings/a/level=warn
	record 0 ../r5.csv
	git notes --ref=evalgate/default show > "$T/report.json"
	json verdict=fail base="$(git rev-parse main)" \
	    head="$(git rev-parse topic)"
	commit next
	judged 1 check --event push ../r5.csv
	json before/commit="$(git rev-parse HEAD^)" before/verdict=fail \
	    good/commit="$(git rev-parse main^)"
}

@test "still failing is a warning in a merge queue, an error elsewhere" {
	pull_request
	judged 0 check --event merge_group ../r5.csv
	json event=merge_group findings/a/level=warn
	local event
	for event in push local schedule manual; do
		judged 1 check --event "$event" ../r5.csv
		json event="$event" findings/a/class=still-failing \
		    findings/a/level=error
	done
}

@test "the environment names the event, the option has the last word" {
	pull_request
	GITHUB_EVENT_NAME=push judged 1 check ../r5.csv
	json event=push
	GITHUB_EVENT_NAME=workflow_dispatch judged 1 check ../r5.csv
	json event=manual
	CI_PIPELINE_SOURCE=merge_request_event judged 0 check ../r5.csv
	json event=pull_request
	GITHUB_EVENT_NAME=push judged 0 check --event pull_request ../r5.csv
	json event=pull_request
}

@test "an event that evalgate has no rule for makes no pull request" {
	pull_request
	GITHUB_EVENT_NAME=release judged 1 check ../r5.csv
	json findings/a/level=error
}

# HEAD is a topic's head, off c1, and main went on.
topic() {
	small < /dev/null
	runs 1 2 5
	record 0 ../r2.csv
	git checkout -q -b topic
	commit t1
	record 1 ../r5.csv
	commit t2
	git checkout -q main
	commit c2
	record 0 ../r1.csv
	git checkout -q "${1:-topic}"
}

@test "a pull request's head is compared from the merge base" {
	topic
	GITHUB_BASE_REF=main judged 1 check --event pull_request ../r5.csv
	says 'merge base with main'
	json before/commit="$(git rev-parse main^)" before/distance=2 \
	    questions/a/baseline=2
	GITHUB_EVENT_NAME=pull_request GITHUB_BASE_REF=main \
	    judged 0 check ../r2.csv
	CI_PIPELINE_SOURCE=merge_request_event \
	    CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main judged 1 check ../r5.csv
	json event=pull_request before/commit="$(git rev-parse main^)"
}

@test "the remote's target branch goes before a local one of that name" {
	topic
	git update-ref refs/remotes/origin/main main
	git branch -q -f main topic
	GITHUB_BASE_REF=main judged 1 check --event pull_request ../r5.csv
	json before/commit="$(git rev-parse origin/main^)"
}

@test "a pull request whose target can't be told has no verdict: exit 3" {
	topic
	eg 3 check --event pull_request ../r5.csv
	[[ $out$err == *--baseline* ]]
	says 'NO VERDICT'
	GITHUB_BASE_REF=gone eg 3 check --event pull_request ../r5.csv
	[[ $out$err == *gone* ]]
	says 'NO VERDICT'
}

@test "a schedule compares with the commit's own record, others never do" {
	small < /dev/null
	runs 1 2 5
	record 0 ../r1.csv
	judged 0 check ../r5.csv
	json before=null
	local event
	for event in schedule manual; do
		judged 1 check --event "$event" ../r2.csv
		says 'this commit'
		json before/commit="$(git rev-parse HEAD)" before/distance=0 \
		    findings/a/class=new-regression
	done
}

@test "--baseline rev: that commit's record, or the nearest before it" {
	small < /dev/null
	runs 1 2 5
	record 0 ../r5.csv
	commit c2
	record 0 ../r2.csv
	commit c3
	commit c4
	record 0 ../r1.csv
	judged 0 check --baseline rev:HEAD~3 ../r5.csv
	json before/commit="$(git rev-parse HEAD~3)" before/distance=3
	judged 1 check --baseline rev:HEAD~1 ../r5.csv
	json before/commit="$(git rev-parse HEAD~2)" questions/a/baseline=2
	judged 1 check --baseline rev:HEAD ../r2.csv
	json before/commit="$(git rev-parse HEAD)" questions/a/baseline=1
	git tag release HEAD~2
	judged 0 check --baseline rev:release ../r2.csv
	says release
	eg 2 check --baseline rev:no-such ../r2.csv
	tells no-such
}

# ------------------------------------------------------------- two references --

@test "worse than the last record alone is said, and no error" {
	small <<-'END'
		thresholds:
		  - {metric: mrr, min: 0.6}
	END
	ranks ../good.csv a=3 b=1
	ranks ../bad.csv a=1 b=
	record 0 ../good.csv
	commit c2
	# The floor is missed, but a gained.
	record 1 ../bad.csv
	commit c3
	judged 0 check ../good.csv
	says 'rank 1 → 3'
	json before/commit="$(git rev-parse HEAD^)" \
	    good/commit="$(git rev-parse HEAD^^)" findings/a/level=info \
	    findings/a/class=worse-allowed findings/a/baseline=1
}

@test "back at the good one: fixed" {
	small < /dev/null
	runs 1 5
	record 0 ../r1.csv
	commit c2
	record 1 ../r5.csv
	commit c3
	judged 0 check ../r1.csv
	json verdict=pass questions/a/class=fixed
	same "$(found error)$(found warn)" ''
}

@test "worse again than what was failing before is a new regression" {
	small < /dev/null
	runs 1 5 7
	record 0 ../r1.csv
	commit c2
	record 1 ../r5.csv
	commit c3
	judged 1 check ../r7.csv
	says 'rank 1 → 7'
	json findings/a/class=new-regression
}

@test "where nothing in reach has passed, the nearest serves, and it is said" {
	small <<-'END'
		thresholds:
		  - {metric: mrr, min: 0.9, level: error}
	END
	runs 3 5
	record 1 ../r3.csv
	commit c2
	judged 1 check ../r5.csv
	says "no record in reach has passed"
	json good/commit="$(git rev-parse HEAD^)" \
	    findings/a/class=new-regression
}

@test "a record that a rewrite carried to another commit is ignored" {
	small < /dev/null
	runs 1 5
	record 0 ../r1.csv
	commit c2
	record 1 ../r5.csv
	was=$(git rev-parse HEAD)
	echo x > file
	git add file
	git commit -q --amend -m again
	git notes --ref=evalgate/default copy "$was" HEAD
	commit c3
	judged 0 check ../r1.csv
	says "another commit"
	json before/commit="$(git rev-parse HEAD~2)"
}

@test "a squash merge finds the record of the same tree" {
	small < /dev/null
	runs 1 2 5
	record 0 ../r5.csv
	git checkout -q -b topic
	echo x > file
	commit t1
	record 0 ../r1.csv
	git checkout -q main
	git merge -q --squash topic > /dev/null
	commit squashed
	same "$(git rev-parse HEAD^{tree})" "$(git rev-parse topic^{tree})"
	git branch -q -D topic
	commit c3
	judged 1 check ../r2.csv
	says 'same tree'
	json questions/a/baseline=1 findings/a/class=new-regression
}

@test "a clone of depth 1 finds the parent's record without the parent" {
	small < /dev/null
	runs 1 5
	record 0 ../r1.csv
	commit c2
	git clone -q --depth 1 "file://$T/repo" "$T/shallow"
	cd "$T/shallow"
	git fetch -q origin '+refs/notes/evalgate/*:refs/notes/evalgate/*'
	judged 1 check ../r5.csv
	json before/distance=1 findings/a/baseline=1
}

@test "a clone too shallow to find a record has no verdict: exit 3" {
	small < /dev/null
	runs 1 5
	record 0 ../r1.csv
	commit c2
	commit c3
	git clone -q --depth 1 "file://$T/repo" "$T/shallow"
	cd "$T/shallow"
	git fetch -q origin '+refs/notes/evalgate/*:refs/notes/evalgate/*'
	judged 3 check ../r5.csv
	says 'NO VERDICT' shallow
	git fetch -q --unshallow
	judged 1 check ../r5.csv
}

# -------------------------------------------------------------------- limits --

@test "max_loss: as much is allowed, more is not" {
	new_repo
	config <<-'END'
		metrics: [hit@50]
		tracked:
		  - {question: a, max_loss: 2}
	END
	commit c1
	runs 5 6 7 8
	record 0 ../r5.csv
	commit c2
	judged 0 check ../r7.csv
	says 'rank 5 → 7'
	json findings/a/class=worse-allowed findings/a/level=info
	judged 1 check ../r8.csv
	says 'rank 5 → 8'
	json findings/a/class=new-regression findings/a/limit=7
	judged 1 check ../r.csv
	says 'rank 5 → not found'
}

@test "max_loss does not add up over commits that passed by it" {
	new_repo
	config <<-'END'
		metrics: [hit@50]
		tracked:
		  - {question: a, max_loss: 1}
	END
	commit c1
	runs 1 2 3
	record 0 ../r1.csv
	commit c2
	record 0 ../r2.csv
	commit c3
	# The reference is the nearest that passed: this is what it says.
	judged 0 check ../r3.csv
	json questions/a/baseline=2
}

@test "max_rank: at it passes, beyond it fails, without a history too" {
	new_repo
	config <<-'END'
		metrics: [hit@50]
		tracked:
		  - {question: a, max_rank: 10, max_loss: 5}
	END
	commit c1
	runs 9 10 11 12 13
	judged 0 check ../r10.csv
	judged 1 check ../r11.csv
	json findings/a/rule=max_rank findings/a/class=below-limit \
	    findings/a/current=11 findings/a/limit=10 findings=1 \
	    findings/a/line=4
	judged 1 check ../r.csv
	json findings/a/class=below-limit
	record 0 ../r9.csv
	commit c2
	judged 1 check ../r11.csv
	says 'max_rank'
	json findings=2 questions/a/class=below-limit
	same "$(found error)" a
}

@test "max_rank: missed before by no less is still failing" {
	new_repo
	config <<-'END'
		metrics: [hit@50]
		tracked:
		  - {question: a, max_rank: 10, max_loss: 5}
	END
	commit c1
	runs 11 12 13
	record 1 ../r12.csv
	commit c2
	judged 1 check ../r12.csv
	json findings/a/class=still-failing findings/a/level=error
	judged 1 check ../r11.csv
	git checkout -q -b topic
	GITHUB_BASE_REF=main judged 0 check --event pull_request ../r12.csv
	json findings/a/class=still-failing findings/a/level=warn
	GITHUB_BASE_REF=main judged 1 check --event pull_request ../r13.csv
	same "$(found error)" a
}

@test "by default any drop of a reported metric fails" {
	new_repo
	config <<< 'metrics: [mrr, hit@5]'
	commit c1
	ranks ../one.csv a=1 b=2 c=9
	ranks ../two.csv a=1 b=3 c=5
	ranks ../three.csv a=1 b=2 c=9
	record 0 ../one.csv
	commit c2
	judged 1 check ../two.csv
	json findings=1 findings/mrr/class=new-regression metrics/mrr/wins=1 \
	    metrics/mrr/ties=1 metrics/mrr/losses=1 metrics/hit@5/wins=1
	judged 0 check ../three.csv
	json findings=0
}

@test "max_drop: absolute, relative, exactly met, as a warning" {
	new_repo
	config <<-'END'
		metrics: [mrr]
		thresholds:
		  - {metric: mrr, max_drop: 0.25}
	END
	commit c1
	ranks ../one.csv a=1 b=1
	ranks ../half.csv a=1 b=2
	ranks ../third.csv a=1 b=3
	record 0 ../one.csv
	commit c2
	judged 0 check ../half.csv
	judged 1 check ../third.csv
	json findings/mrr/limit~0.75 findings/mrr/current~0.6666667
	config relative.yaml <<-'END'
		thresholds:
		  - {metric: mrr, max_drop: 25%}
	END
	judged 0 check -c relative.yaml ../half.csv
	judged 1 check -c relative.yaml ../third.csv
	config warn.yaml <<-'END'
		thresholds:
		  - {metric: mrr, max_drop: 0.1, level: warn}
	END
	judged 0 check -c warn.yaml ../third.csv
	says '(warning)'
	json verdict=pass findings/mrr/level=warn \
	    findings/mrr/class=new-regression
}

@test "one floor switches the default drop check off, and that is said" {
	new_repo
	config <<-'END'
		metrics: [recall@5, mrr]
		thresholds:
		  - {metric: mrr, min: 0.1}
	END
	commit c1
	ranks ../one.csv a=1 b=1
	ranks ../half.csv a=1 b=2
	record 0 ../one.csv
	commit c2
	judged 0 check ../half.csv
	says 'drops not gated: recall@5, mrr'
}

# --------------------------------------------------------------------- depth --

# Lists in the middle of which a is at a rank of a depth.
#   deep CONFIG-LINE... < further lines
deep() {
	new_repo
	{
		echo 'questions: ../questions.json'
		echo 'metrics: [hit@1]'
		echo 'tracked:'
		echo "  - {question: a${1:+, $1}}"
		cat
	} | config
	commit c1
	lists ../6of20 a=6/20 b=1/20
	lists ../8of20 a=8/20 b=1/20
	lists ../14of20 a=14/20 b=1/20
	lists ../miss20 a=/20 b=1/20
	lists ../miss10 a=/10 b=1/10
	lists ../miss9 a=/9 b=1/9
	lists ../30of40 a=30/40 b=1/40
}

@test "rank 14 of 20, then not found in 10: it can't be told, exit 3" {
	deep '' < /dev/null
	record 0 ../14of20
	commit c2
	judged 3 check ../miss10
	says 'NO VERDICT' 'rank 14 → not found in 10'
	json verdict=none findings/a/class=untellable findings/a/level=error
	record 3 ../miss10
	git notes --ref=evalgate/default show > "$T/report.json"
	json verdict=none depth=10 ranks/0=0
}

@test "in doubt about the good reference alone: a warning on a pull request" {
	deep '' < /dev/null
	record 0 ../14of20
	commit c2
	record 3 ../miss10
	git checkout -q -b topic
	commit t1
	GITHUB_BASE_REF=main judged 0 check --event pull_request ../miss10
	json findings/a/class=untellable findings/a/level=warn
	judged 3 check ../miss10
}

@test "a miss that looked as deep as baseline and max_loss fails" {
	deep 'max_loss: 2' < /dev/null
	record 0 ../8of20
	commit c2
	judged 1 check ../miss10
	says 'rank 8 → not found in 10'
	judged 3 check ../miss9
}

@test "a miss that looked no less deep than the baseline fails" {
	deep 'max_loss: 10' < /dev/null
	record 0 ../14of20
	commit c2
	judged 1 check ../miss20
	says 'rank 14 → not found in 20'
}

@test "\`depth\` in the config says how deep a short list looked" {
	deep '' <<< 'depth: 20'
	record 0 ../14of20
	commit c2
	judged 1 check ../miss10
	json questions/a/depth=20 findings/a/class=new-regression
}

@test "not found and found now is no regression, however deep" {
	deep '' < /dev/null
	record 0 ../miss10
	commit c2
	judged 0 check ../30of40
	json questions/a/class=found questions/a/rank=30
	judged 0 check ../miss20
	judged 0 check ../miss9
	same "$(found error)$(found warn)" ''
}

@test "max_rank is missed by a miss that looked that deep, else untellable" {
	deep 'max_rank: 10' < /dev/null
	judged 1 check ../miss10
	json findings/a/rule=max_rank findings/a/class=below-limit
	judged 3 check ../miss9
	json findings/a/rule=max_rank findings/a/class=untellable
	judged 0 check ../6of20
}

@test "metrics are compared at the smaller depth" {
	deep '' < /dev/null
	config <<-'END'
		questions: ../questions.json
		metrics: [mrr, hit@20]
	END
	commit c2
	record 0 ../14of20
	commit c3
	judged 0 check ../miss10
	json metrics/mrr/value~0.5 metrics/mrr/delta~0 \
	    metrics/hit@20/delta~0
}

# ----------------------------------------------------------------- questions --

@test "a tracked question that is no longer asked fails, unless retired" {
	small < /dev/null
	runs 1
	record 0 ../r1.csv
	config <<< 'metrics: [mrr]'
	commit c2
	ranks ../without.csv b=1
	judged 1 check ../without.csv
	json findings/a/class=removed findings/a/level=error \
	    counts/removed=1 counts/common=1
	config <<-'END'
		metrics: [mrr]
		retired: [{question: a, reason: report withdrawn}]
	END
	judged 0 check ../without.csv
}

@test "taken off the list by the change that makes it fall: still judged" {
	small < /dev/null
	runs 1 5
	record 0 ../r1.csv
	config <<-'END'
		metrics: [hit@50]
	END
	ranks ../other.csv b=1
	commit c2
	judged 1 check ../other.csv
	json findings/a/class=removed
}

@test "a tracked question with other documents fails, unless redefined" {
	small < /dev/null
	runs 1
	record 0 ../r1.csv
	config <<-'END'
		tracked:
		  - {question: a}
		metrics: [mrr]
	END
	commit c2
	sed s/doc-a/doc-z/ ../r1.csv > ../z.csv
	judged 1 check ../z.csv
	json findings/a/class=redefined counts/redefined=1 counts/common=1
	config <<-'END'
		tracked:
		  - {question: a}
		metrics: [mrr]
		redefined: [{question: a, reason: another report is right}]
	END
	commit c3
	judged 0 record ../z.csv
	says_not '`redefined` names'
	commit c4
	judged 0 check ../z.csv
	says '`redefined` names a (evalgate.yaml:5), which is as it was'
}

@test "a renamed question is the same one" {
	new_repo
	config <<-'END'
		questions: questions.yaml
		metrics: [mrr]
		tracked:
		  - {question: q12}
	END
	printf '%s\n' '- {id: q12, text: t, expected: d}' \
	    '- {id: other, expected: e}' > questions.yaml
	commit c1
	echo '{"q12":["d"],"other":["e"]}' > ../one.json
	record 0 ../one.json
	sed -i s/q12/packers/ questions.yaml evalgate.yaml
	echo 'renamed: [{from: q12, to: packers}]' >> evalgate.yaml
	commit c2
	echo '{"packers":["d"],"other":["e"]}' > ../same.json
	judged 0 check ../same.json
	echo '{"packers":["x","d"],"other":["e"]}' > ../worse.json
	judged 1 check ../worse.json
	json findings/packers/class=new-regression findings/packers/baseline=1
}

@test "questions that came and went change no comparison of averages" {
	new_repo
	config <<< 'metrics: [mrr]'
	commit c1
	ranks ../one.csv a=1 b=1 gone=1
	ranks ../two.csv a=1 b=1 new=5 newer=
	record 0 ../one.csv
	commit c2
	judged 0 check ../two.csv
	json counts/common=2 counts/added=2 counts/removed=1 \
	    metrics/mrr/delta~0 metrics/mrr/n=2 metrics/mrr/value~0.55
}

@test "the order of questions is no change" {
	new_repo
	config <<< 'metrics: [mrr]'
	commit c1
	ranks ../one.csv a=1 b=2 c=3
	record 0 ../one.csv
	was=$(notes)
	{ head -n 1 ../one.csv && tail -n +2 ../one.csv | tac; } > ../two.csv
	record 0 ../two.csv
	same "$(notes)" "$was"
}

@test "a question with an error counts as a miss and leaves no verdict" {
	new_repo
	config <<-'END'
		questions: ../questions.json
		metrics: [mrr]
	END
	commit c1
	lists ../run.jsonl a=1/3 b=1/3
	echo '{"id":"b","error":"timeout"}' > ../error
	sed -i 2d ../run.jsonl
	cat ../error >> ../run.jsonl
	judged 3 check ../run.jsonl
	says 'NO VERDICT'
	json verdict=none counts/errored=1 findings/b/class=errored \
	    metrics/mrr/value~0.5
	record 3 ../run.jsonl
	git notes --ref=evalgate/default show > "$T/report.json"
	json verdict=none ranks/0=1 ranks/1=-1
}

@test "alternatives and several wanted documents" {
	new_repo
	cat > questions.yaml <<-'END'
		- {id: any, expected_any: [d1, d2]}
		- {id: all, expected: [d1, d2]}
		- {id: none, expected: []}
	END
	config <<-'END'
		questions: questions.yaml
		metrics: [recall@3, hit@3, mrr]
	END
	commit c1
	echo '{"any":["x","d2","d1"],"all":["x","d2","y"],"none":["x"]}' > ../r
	judged 0 check ../r
	json counts/questions=3 counts/answerable=2 \
	    questions/any/metrics/recall@3~1 questions/any/rank=2 \
	    questions/all/metrics/recall@3~0.5 questions/all/rank=2 \
	    metrics/recall@3/value~0.75
	says none
}

@test "a tracked entry follows its document, or the best of several" {
	new_repo
	cat > questions.yaml <<-'END'
		- {id: best, expected: [d1, d2]}
		- {id: one, expected: [d1, d2]}
	END
	config <<-'END'
		questions: questions.yaml
		metrics: [hit@9]
		tracked:
		  - {question: best}
		  - {question: one, document: d1}
	END
	commit c1
	echo '{"best":["d1","x","d2"],"one":["d1","x","d2"]}' > ../r1
	echo '{"best":["d2","x","d1"],"one":["d2","x","d1"]}' > ../r2
	record 0 ../r1
	commit c2
	judged 1 check ../r2
	says 'one  rank 1 → 3'
	json findings=1 findings/one/class=new-regression
}
