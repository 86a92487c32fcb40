#!/usr/bin/env bats
# bats file_tags=leaks
# init, lint, selftest, noise, accept: what helps to set up a gate and to
# live with it.

load helper

# Four questions, of which a and b are tracked.
gate() {
	new_repo
	config <<-'END'
		metrics: [mrr, hit@5]
		thresholds:
		  - {metric: mrr, max_drop: 0.05, min: 0.2}
		  - {metric: hit@5, max_drop: 0.3}
		tracked:
		  - {question: a, max_rank: 5}
		  - {question: b}
		worse_questions: {max: 1, by: 1}
	END
	ranks "$T/run.csv" a=1 b=2 c=1 d=1
}

# ------------------------------------------------------------------- init --

@test "init writes a config that lint accepts, and a workflow" {
	mkdir new && cd new
	eg 0 init --workflow
	says 'wrote evalgate.yaml' 'wrote questions.yaml' \
	    'wrote .github/workflows/evalgate.yml' 'evalgate lint'
	eg 0 lint
	echo '{"id": "q1", "results": ["x", "report-39"]}' > results.jsonl
	eg 0 score
	says 'mrr        0.5000'
}

@test "init overwrites nothing, and then writes nothing" {
	echo mine > questions.yaml
	eg 2 init
	tells "'questions.yaml' is there already"
	absent evalgate.yaml
	rm questions.yaml
	echo mine > evalgate.yml
	eg 2 init
	absent evalgate.yaml
}

# ------------------------------------------------------------------- lint --

@test "lint says what each rule means at this n" {
	gate
	eg 0 lint -Q "$T/run.csv"
	says 'evalgate.yaml:4: mrr moves by up to 0.25 when one question of 4 changes; max_drop 0.05 means that losing any one question fails' \
	    'evalgate.yaml:5: hit@5 moves by up to 0.25 when one question of 4 changes; max_drop 0.3 allows for losing 1 of them' \
	    'min 0.2 of mrr: the sum over 4 questions must be 0.8 or more' \
	    '2 tracked questions' 'no holdout question' '0 warnings'
}

@test "lint warns of rules that can never fire, or always do" {
	new_repo
	cat > q.yaml <<-'END'
		- {id: a, expected: d1, author: kim}
		- {id: b, expected: d2, author: kim}
	END
	config <<-'END'
		questions: q.yaml
		depth: 10
		thresholds:
		  - {metric: mrr, min: 0}
		  - {metric: mrr, max_drop: 100%}
		  - {metric: hit@5, min: 1}
		  - {metric: recall@5, max_drop: 0, alpha: 0.05}
		tracked: [{question: a, max_rank: 20, goal: 30}]
		worse_questions: {max: 1}
		waivers:
		  - {question: a, until: 2020-01-01, reason: old}
		  - {question: b, until: never, reason: open}
	END
	eg 0 lint
	says 'evalgate.yaml:5: warning: min 0 of mrr can never be missed' \
	    'evalgate.yaml:6: warning: max_drop of mrr allows for any drop' \
	    'evalgate.yaml:7: warning: min 1 of hit@5 is missed by one question of 2' \
	    'evalgate.yaml:8: warning: with 2 questions p is never below 0.25' \
	    'evalgate.yaml:9: warning: max_rank 20 of a lies beyond depth 10' \
	    'evalgate.yaml:9: warning: goal 30 of a is no better' \
	    'evalgate.yaml:10: warning: worse_questions allows for 1, and only 1' \
	    'evalgate.yaml:12: warning: the waiver of a ended on 2020-01-01' \
	    'evalgate.yaml:13: warning: the waiver of b has no ceiling' \
	    'all questions are by one author, kim' '10 warnings'
}

@test "lint: what alpha asks for, and floors beyond what the grades allow" {
	new_repo
	cat > questions.yaml <<-'END'
		- {id: a, expected: {d-a: 1, x-a: 3}, author: x}
		- {id: b, expected: {d-b: 1}, author: y}
		- {id: c, expected: {d-c: 2}, author: y}
		- {id: d, expected: {d-d: 2}, author: y}
		- {id: e, expected: {d-e: 2}, author: y, holdout: true}
	END
	config <<-'END'
		questions: questions.yaml
		relevance: 2
		metrics: [mrr, hit@1, precision@5]
		thresholds:
		  - {metric: mrr, max_drop: 0.02, alpha: 0.05, min: 0.8}
		  - {metric: hit@1, max_drop: 0.9, alpha: 0.3, min: 0.81}
		  - {metric: precision@5, max_drop: 0.02, alpha: 0.01, min: 0.17}
		tracked: [b, {question: a, document: d-a}, c]
	END
	eg 0 lint
	says 'yaml:6: mrr moves by up to 0.2 when one question of 5 changes; max_drop 0.02 with alpha 0.05 fails only where at least 5 of them fall' \
	    'yaml:6: min 0.8 of mrr: the sum over 5' \
	    'max_drop 0.9 with alpha 0.3 fails only where at least 5 of them fall' \
	    'yaml:7: warning: min 0.81 of hit@1 is always missed' 'it is 0.8 at best' \
	    'yaml:8: warning: min 0.17 of precision@5 is always missed' 'it is 0.16 at best' \
	    'yaml:8: warning: with 5 questions p is never below 0.0312' \
	    'yaml:9: warning: every document of b lies below `relevance`, 2' \
	    'yaml:9: warning: the tracked document of a lies below `relevance`, 2' \
	    '5 warnings'
	[[ $out != *'any one question fails'* ]]
}

@test "lint with a run names documents that it never returned" {
	new_repo
	cat > q.yaml <<-'END'
		- {id: a, expected: doc-one}
		- {id: b, expected: doc-two}
		- {id: c, expected: doc-three}
	END
	config <<< 'questions: q.yaml'
	echo '{"a": ["doc-one"], "b": ["x"], "c": ["doc-two"]}' > "$T/run.json"
	eg 0 lint "$T/run.json"
	says '1 expected document occurs nowhere in the run (renamed? not indexed?): doc-three (c)'
	gzip "$T/run.json"
	eg 0 lint "$T/run.json.gz"
	says 'doc-three (c)'
}

@test "lint: waivers that cover nothing, a holdout question that is named" {
	new_repo
	cat > q.yaml <<-'END'
		- {id: a, expected: d1, kind: x}
		- {id: b, expected: d2, holdout: true, kind: y}
	END
	config <<-'END'
		questions: q.yaml
		thresholds: [{metric: mrr, max_drop: 0.1}]
		tracked: [b]
		waivers:
		  - {question: a, ceiling: 3, until: never, reason: r}
		  - {metric: hit@3, floor: 0, until: never, reason: r}
		  - {metric: mrr, where: {kind: x}, floor: 0, until: never, reason: r}
		  - {metric: mrr, floor: 0, until: never, reason: r}
	END
	eg 0 lint
	says 'evalgate.yaml:4: warning: b is a holdout question, and reports name' \
	    'evalgate.yaml:6: warning: no rule can fail for a: its waiver' \
	    'evalgate.yaml:7: warning: no rule can fail for hit@3: its waiver' \
	    'evalgate.yaml:8: warning: no rule can fail for mrr [kind=x]: its'
	says_not 'evalgate.yaml:9'
}

@test "a reason that says nothing is none" {
	new_repo
	config <<-'END'
		waivers: [{question: a, until: never, reason: " "}]
		retired: [{question: b, reason: ""}]
		redefined: [{question: a, reason: [x]}]
	END
	ranks "$T/run.csv" a=1
	eg 2 check "$T/run.csv"
	tells 'evalgate.yaml:2: the reason of a waiver is empty; say why' \
	    'evalgate.yaml:3: the reason of an entry of retired is empty' \
	    'evalgate.yaml:4: reason is a list'
}

@test "lint: mistakes exit 2" {
	gate
	sed -i 's/mrr, max_drop/mrr2, max_drop/' evalgate.yaml
	eg 2 lint -Q "$T/run.csv"
	tells 'evalgate.yaml:4: unknown metric'
}

@test "a failing check names missed documents that occur nowhere" {
	new_repo
	config <<< 'tracked: [a]'
	lists "$T/one.jsonl" a=1/3 b=1/3
	commit c1
	record 0 "$T/one.jsonl" -Q "$T/questions.json"
	commit c2
	lists "$T/two.jsonl" a=0/3 b=1/3
	judged 1 check "$T/two.jsonl" -Q "$T/questions.json"
	says '1 expected document occurs nowhere in the run' 'doc-a (a)'
}

# --------------------------------------------------------------- selftest --

@test "selftest: every rule turns red" {
	gate
	eg 0 selftest "$T/run.csv"
	says 'red    tracked         a: rank 1 → not found: new-regression' \
	    'red    max_rank        a: rank 1 → not found: below-limit' \
	    'red    max_drop        mrr: nothing found: new-regression' \
	    'red    min             mrr: nothing found: below-limit' \
	    'red    worse_questions worse_questions: 2 untracked questions lost' \
	    '7 of 7 rules turn the gate red'
}

@test "selftest: a rule that stays green is told, exit 1" {
	new_repo
	config <<-'END'
		thresholds:
		  - {metric: mrr, min: 0}
		  - {metric: hit@5, max_drop: 0, level: warn}
		tracked: [a, b]
	END
	ranks "$T/run.csv" a= b=2
	eg 1 selftest "$T/run.csv"
	says 'GREEN  min             mrr: nothing found, and the gate stays green' \
	    'GREEN  tracked         a: not found by this run' \
	    'warns  max_drop        hit@5' 'red    tracked         b' \
	    '1 of 4 rules'
}

# ------------------------------------------------------------------ noise --

@test "noise: whose rank flips, how far means spread, limits to paste" {
	gate
	ranks "$T/r1.csv" a=1 b=2 c=1 d=1
	ranks "$T/r2.csv" a=3 b= c=1 d=1
	ranks "$T/r3.csv" a=2 b=4 c=1 d=1
	eg 0 noise "$T/r1.csv" "$T/r2.csv" "$T/r3.csv"
	says 'a  rank 1 to 3' 'b  rank 2 to not found, missed by 1 of 3 runs' \
	    '3 runs, 4 answerable questions, 2 with another rank' \
	    'mrr               0.5833    0.8750    0.2917' \
	    '- {metric: mrr, min: 0.2, max_drop: 0.292}' \
	    '- {question: "a", max_loss: 2}' '# b is lost by chance'
	# What it says to paste is a config under which none of them fails.
	{ echo 'version: 1' && sed -n '/^thresholds:/,$p' <<< "$out"; } > c.yaml
	eg 0 compare --fail -c c.yaml -Q "$T/r1.csv" "$T/r1.csv" "$T/r3.csv"
	eg 2 noise "$T/r1.csv" -Q "$T/r1.csv"
	tells 'two runs or more'
}

@test "noise: limits of slices too, beside the floors that are there" {
	new_repo
	config <<-'END'
		questions: questions.yaml
		metrics: [mrr]
		thresholds:
		  - {metric: mrr, min: 0.123456789}
		  - {metric: mrr, where: {kind: 'a "b"'}, max_drop: 0}
	END
	printf '%s\n' "- {id: a, expected: d, kind: 'a \"b\"'}" \
	    '- {id: b, expected: d, kind: c}' > questions.yaml
	echo '{"a": ["d", "x"], "b": ["d"]}' > ../r1.json
	echo '{"a": ["x", "d"], "b": ["d"]}' > ../r2.json
	eg 0 noise ../r1.json ../r2.json
	says '- {metric: mrr, min: 0.123456789, max_drop: 0.25}' \
	    '- {metric: mrr, where: {"kind": "a \"b\""}, max_drop: 0.5}'
	{ printf '%s\n' 'version: 1' 'questions: questions.yaml' &&
	    sed -n '/^thresholds:/,$p' <<< "$out"; } > c.yaml
	eg 0 compare --fail -c c.yaml ../r1.json ../r2.json
}

@test "noise names what a run lacks, or has beyond" {
	new_repo
	config <<< 'metrics: [mrr]'
	ranks "$T/r1.csv" a=1 b=2 c=1
	ranks "$T/r2.csv" a=1 d=1 e=1
	eg 0 noise "$T/r1.csv" "$T/r2.csv"
	says "note: $T/r2.csv lacks 2 questions, not found there: b, c" \
	    "note: $T/r2.csv has 2 questions that nobody asked: d, e"
	says_not "$T/r1.csv lacks" "$T/r1.csv has"
	eg 0 noise "$T/r2.csv" "$T/r1.csv"
	says "note: $T/r1.csv lacks 2 questions, not found there: d, e" \
	    "note: $T/r1.csv has 2 questions that nobody asked: b, c"
	eg 0 noise "$T/r1.csv" "$T/r1.csv"
	says_not note:
}

# ----------------------------------------------------------------- accept --

fallen() {
	gate
	commit c1
	record 0 "$T/run.csv"
	commit c2
	ranks "$T/run.csv" a=3 b=2 c=1 d=1
}

@test "accept prints a waiver to paste, and that makes the gate pass" {
	fallen
	eg 0 accept a mrr --run "$T/run.csv" --until 2030-01-31 \
	    --reason 'a "cheaper" model' --issue '#7'
	same "$out" 'waivers:
  - {question: "a", ceiling: 3, until: 2030-01-31, reason: "a \"cheaper\" model", issue: "#7"}
  - {metric: mrr, floor: 0.7083, until: 2030-01-31, reason: "a \"cheaper\" model", issue: "#7"}'
	echo "$out" >> evalgate.yaml
	judged 0 check "$T/run.csv"
	json findings/a/class=waived findings/mrr/class=waived
}

@test "accept --all --write inserts, and touches nothing else" {
	fallen
	cp evalgate.yaml before.yaml
	"$EVALGATE" accept --all --write --run "$T/run.csv" \
	    --until 2030-01-31 --reason why
	diff before.yaml evalgate.yaml > diff.txt || true
	same "$(grep -c '^>' diff.txt)" 3
	same "$(grep -c '^<' diff.txt || true)" 0
	judged 0 check "$T/run.csv"
	# Into the list that is there now, at its own indentation.
	sed -i 's/^waivers:/waivers:   # of this year/; s/^  - {metric: mrr, fl/    - {metric: mrr, fl/; s/^  - {question: "a"/    - {question: "a"/' evalgate.yaml
	ranks "$T/run.csv" a=3 b=4 c=1 d=1
	"$EVALGATE" accept b --write --run "$T/run.csv" --until never \
	    --reason why
	grep -q '^    - {question: "b", ceiling: 4, until: never' evalgate.yaml
	eg 0 lint -Q "$T/run.csv"
}

@test "accept refuses what it can't do, and writes nothing" {
	fallen
	eg 2 accept c --run "$T/run.csv" --until 2030-01-31 --reason why
	tells "'c' does not fail now" 'what fails: '
	eg 2 accept b --run "$T/run.csv" --until 2020-01-31 --reason why
	tells "--until is '2020-01-31', a day that is over"
	eg 2 accept nobody --run "$T/run.csv" --until 2030-01-31 --reason why
	tells "'nobody' is neither a question nor a metric" 'what fails: '
	eg 2 accept a --run "$T/run.csv" --reason why
	tells '--until'
	eg 2 accept a --run "$T/run.csv" --until tomorrow --reason why
	tells "--until is 'tomorrow'"
	eg 2 accept a --run "$T/run.csv" --until 2030-01-31
	tells '--reason'
	eg 2 accept --run "$T/run.csv" --until 2030-01-31 --reason why
	tells 'questions or metrics, or --all'
	echo 'waivers: [{question: d, until: never, reason: x}]' >> evalgate.yaml
	eg 2 accept a --write --run "$T/run.csv" --until 2030-01-31 --reason why
	tells "evalgate.yaml:$(grep -n '^waivers:' evalgate.yaml |
	    cut -d: -f1): its waivers are not a list of lines"
}

@test "accept --write keeps a config's line ends" {
	fallen
	sed -i 's/$/\r/' evalgate.yaml
	eg 0 accept a --write --run "$T/run.csv" --until 2030-01-31 \
	    --reason why
	eg 0 accept mrr --write --run "$T/run.csv" --until 2030-01-31 \
	    --reason why
	same "$(grep -c 'waivers:' evalgate.yaml)" 1
	same "$(grep -vc $'\r$' evalgate.yaml || true)" 0
}

@test "accept --write fills an empty list, and adds no second waiver" {
	fallen
	sed -i '2i waivers: [ ]  # none yet' evalgate.yaml
	eg 0 accept a --write --run "$T/run.csv" --until 2025-01-31 \
	    --reason why --now 2025-01-31T23:59:59Z
	same "$(sed -n 2p evalgate.yaml)" 'waivers:  # none yet'
	[[ $(sed -n 3p evalgate.yaml) == '  - {question: "a"'* ]]
	# Its day is over; both stand in one message.
	cp evalgate.yaml before.yaml
	eg 2 accept a --write --run "$T/run.csv" --until 2030-01-31 \
	    --reason why
	tells "evalgate.yaml:3: 'a' has this waiver already" \
	    'put in its place - {question: "a", ceiling: 3, until: 2030-01-31'
	cmp before.yaml evalgate.yaml
	eg 0 accept a --run "$T/run.csv" --until 2030-01-31 --reason why
	says 'until: 2030-01-31'
}

@test "accept --write says which suite has waivers of its own" {
	new_repo
	config <<-'END'
		tracked: [a]
		thresholds: []
		suites:
		  north:
		    waivers: [{question: b, until: never, reason: x}]
	END
	commit c1
	ranks "$T/run.csv" a=1 b=1
	record 0 "$T/run.csv" --suite north
	commit c2
	ranks "$T/run.csv" a=2 b=1
	cp evalgate.yaml before.yaml
	eg 2 accept a --write --suite north --run "$T/run.csv" \
	    --until 2030-01-31 --reason why
	tells "evalgate.yaml:6: suite 'north' has waivers of its own"
	cmp before.yaml evalgate.yaml
}

@test "accept covers the questions that worse_questions counts" {
	new_repo
	config <<-'END'
		thresholds: []
		worse_questions: {max: 0, by: 2}
	END
	commit c1
	ranks "$T/run.csv" a=1 b=1 c=1
	record 0 "$T/run.csv"
	commit c2
	ranks "$T/run.csv" a=4 b= c=2
	for name in worse_questions --all; do
		eg 0 accept "$name" --run "$T/run.csv" --until 2030-01-31 \
		    --reason why
		same "$out" 'waivers:
  - {question: "a", ceiling: 4, until: 2030-01-31, reason: "why"}
  - {question: "b", until: 2030-01-31, reason: "why"}'
	done
	echo "$out" >> evalgate.yaml
	judged 0 check "$T/run.csv"
	ranks "$T/run.csv" a=4 b= c=2
}

@test "accept --all names no holdout question, and says that one fell" {
	new_repo
	config <<-'END'
		thresholds: []
		worse_questions: {max: 0, by: 2}
		questions: questions.yaml
	END
	cat > questions.yaml <<-'END'
		- {id: a, expected: doc-a}
		- {id: secret, expected: doc-secret, holdout: true}
	END
	commit c1
	ranks "$T/run.csv" a=1 secret=1
	record 0 "$T/run.csv"
	commit c2
	ranks "$T/run.csv" a=4 secret=5
	eg 1 accept --all --run "$T/run.csv" --until 2030-01-31 --reason why
	same "$out" 'waivers:
  - {question: "a", ceiling: 4, until: 2030-01-31, reason: "why"}'
	tells "no waiver covers 'worse_questions': 1 holdout question fell"
	eg 0 accept secret --run "$T/run.csv" --until 2030-01-31 --reason why
	says 'question: "secret", ceiling: 5'
}

@test "accept: an error is nothing to accept, nor a mean that counts it" {
	new_repo
	config <<-END
		questions: $T/questions.json
		tracked: [a, {question: b, max_rank: 1}]
		thresholds:
		  - {metric: mrr, min: 0.9}
		  - {metric: mrr, where: {kind: x}, max_drop: 0}
		  - {metric: mrr, where: {kind: y}, max_drop: 0, level: warn}
		worse_questions: {max: 0}
	END
	lists "$T/run.jsonl" a=1/3 b=1/3 c=1/3 d=1/3
	sed -i '/"[ac]"/s/}/, "kind": "x"}/; /"[bd]"/s/}/, "kind": "y"}/' \
	    "$T/questions.json"
	commit c1
	record 0 "$T/run.jsonl"
	commit c2
	lists "$T/run.jsonl" a=2/3 b=1/3 c=2/3 d=1/3
	sed -i '/"[ac]"/s/}/, "kind": "x"}/; /"[bd]"/s/}/, "kind": "y"}/' \
	    "$T/questions.json"
	sed -i '/"id":"[bd]"/s/"results".*/"error":"timeout"}/' "$T/run.jsonl"
	judged 1 check "$T/run.jsonl"
	eg 1 accept --all --run "$T/run.jsonl" --until 2030-01-31 --reason why
	same "$out" 'waivers:
  - {question: "a", ceiling: 2, until: 2030-01-31, reason: "why"}
  - {metric: mrr, where: {"kind": "x"}, floor: 0.5, until: 2030-01-31, reason: "why"}
  - {question: "c", ceiling: 2, until: 2030-01-31, reason: "why"}'
	tells "covers 'b': its retrieval failed; it counts as a miss, and there is no verdict; mend the run" \
	    "covers 'd': its retrieval failed" \
	    "covers 'mrr': below min 0.900; 2 questions whose retrieval failed count as misses: mend the run"
	# By name neither, nor one of the two means of that name.
	for name in b d mrr; do
		eg 2 accept "$name" --run "$T/run.jsonl" --until 2030-01-31 \
		    --reason why
		tells "no waiver covers '$name': " 'mend the run'
	done
	eg 0 accept a c --run "$T/run.jsonl" --until 2030-01-31 --reason why
}

@test "accept says what no waiver covers" {
	new_repo
	config <<-'END'
		tracked: [a, b]
		thresholds: []
	END
	commit c1
	ranks "$T/run.csv" a=1 b=1 c=1
	record 0 "$T/run.csv"
	config <<-'END'
		tracked: [a]
		thresholds: []
	END
	commit c2
	ranks "$T/run.csv" a=2 c=1
	eg 1 accept --all --run "$T/run.csv" --until 2030-01-31 --reason why
	same "$out" 'waivers:
  - {question: "a", ceiling: 2, until: 2030-01-31, reason: "why"}'
	tells "no waiver covers 'b': was tracked at"
	eg 2 accept b --run "$T/run.csv" --until 2030-01-31 --reason why
	tells "no waiver covers 'b': was tracked at"
}

# ----------------------------------------------------------------- suites --

@test "a mistake in a suite is told whichever is chosen, and what all share once" {
	new_repo
	config <<-'END'
		questions: q.csv
		keep_tpo: 3
		suites:
		  north: {label: x}
		  south: {thresholds: [{metric: mrr, min: 80}]}
	END
	ranks q.csv a=1
	for suite in north south default; do
		eg 2 check q.csv --suite $suite
		same "$(sed -n 's/^evalgate.yaml:\([0-9]*\): .*/\1/p' \
		    <<< "$err" | xargs)" '3 5 6'
	done
}

@test "several suites in one config, each a history of its own" {
	new_repo
	config <<-END
		metrics: [mrr]
		suites:
		  north: {run: $T/north.csv, labels: {device: cpu}}
		  south:
		    run: $T/south.csv
		    tracked: [b]
	END
	commit c1
	ranks "$T/north.csv" a=1 b=1
	ranks "$T/south.csv" a=2 b=2
	record 0 --suite north
	json suite=north metrics/mrr/value=1 counts/tracked=0
	record 0 --suite south
	json suite=south metrics/mrr/value=0.5 counts/tracked=1
	commit c2
	judged 0 check --suite south
	json before/distance=1
	eg 2 check --suite nroth
	tells "unknown suite 'nroth'; did you mean 'north'?"
	cat >> evalgate.yaml <<-'END'
		  west: {version: 1, suite: x}
		  east: 5
		  Bad: {run: r}
	END
	eg 2 check --suite north
	tells "evalgate.yaml:8: 'version' stands at the top" \
	    "evalgate.yaml:9: suite 'east' is" \
	    "evalgate.yaml:10: suite is 'Bad'"
}
