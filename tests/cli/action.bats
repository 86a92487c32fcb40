#!/usr/bin/env bats
# bats file_tags=plain
# The action's steps, run as the runner does: its variables, its event files,
# and a `gh` that keeps what it was told.

load helper

# What the runner sets for every job.
runner() {
	export GITHUB_ACTIONS=true GITHUB_REPOSITORY=o/r GITHUB_RUN_ID=77
	export GITHUB_RUN_ATTEMPT=1 RUNNER_TEMP=$T/temp
	export GITHUB_OUTPUT=$T/outputs GITHUB_STEP_SUMMARY=$T/summary.md
	export GITHUB_EVENT_PATH=$T/event.json
	mkdir -p "$RUNNER_TEMP/evalgate/bin"
	ln -s "$EVALGATE" "$RUNNER_TEMP/evalgate/bin/evalgate"
	mkdir "$T/bin"
	cat > "$T/bin/gh" <<-'END'
		#!/bin/sh
		echo "$@" >> "$T/gh.log"
		case "$*" in
		*--method*) cat > "$T/body.json" && exit "${GH_STATUS-0}" ;;
		*/comments) cat "$T/comments.json" ;;
		*) exit 1 ;;
		esac
	END
	chmod +x "$T/bin/gh"
	export T PATH=$T/bin:$PATH
	echo '[]' > "$T/comments.json"
}

# event NAME [JSON]: a new job, of this event.
event() {
	export GITHUB_EVENT_NAME=$1
	echo "${2-{\}}" > "$GITHUB_EVENT_PATH"
	: > "$GITHUB_OUTPUT"
	: > "$GITHUB_STEP_SUMMARY"
}

# The inputs as action.yml has them by default, NAME=VALUE... over them.
inputs() {
	export INPUT_RUN='' INPUT_CONFIG='' INPUT_SUITE='' INPUT_BASELINE=''
	export INPUT_RECORD=auto INPUT_PUSH=true INPUT_SUMMARY=true
	export INPUT_ANNOTATIONS=true INPUT_REPORT='' INPUT_FAIL=true
	export INPUT_NO_VERDICT=fail
	local pair
	for pair; do
		export "INPUT_$pair"
	done
}

# step STATUS NAME
step() {
	local want=$1 status=0
	shift
	"$ROOT/ci/action" "$@" > "$T/stdout" 2> "$T/stderr" || status=$?
	slurp out "$T/stdout"
	slurp err "$T/stderr"
	[ "$status" = "$want" ] || {
		echo "exit $status, expected $want: ci/action $*"
		show
		return 1
	}
}

# The job's gate, and the step that fails it: gate STATUS
gate() {
	step 0 gate
	EXIT_CODE=$(output exit-code) step "$1" decide
}

output() {
	sed -n "s/^$1=//p" "$GITHUB_OUTPUT"
}

team() {
	new_repo
	git init -q --bare -b main "$T/remote.git"
	git remote add origin "$T/remote.git"
	config <<-'END'
		run: ../run.csv
		tracked: [{question: a, note: the pump}]
		metrics: [mrr]
	END
	commit c1
	ranks "$T/run.csv" a=2 b=1
}

recorded() {
	git --git-dir "$T/remote.git" notes --ref evalgate/default list |
	    wc -l | tr -d ' '
}

@test "a push is judged, recorded, shared, and told in summary and outputs" {
	team
	runner
	inputs
	event push
	gate 0
	same "$(output verdict)" pass
	same "$(output exit-code)" 0
	same "$(output recorded)" true
	same "$(output baseline-reason)" \
	    'first run: there is no record before this commit'
	grep -q 'default' "$GITHUB_STEP_SUMMARY"
	commit c2
	ranks "$T/run.csv" a=5 b=1
	event push
	step 0 gate
	says '::error file=evalgate.yaml,line=3' 'rank 2'
	same "$(output verdict)" fail
	same "$(output regressed)" '["a","mrr"]'
	same "$(output baseline)" "$(git rev-parse HEAD^)"
	grep -q 'rank 2 → 5' "$GITHUB_STEP_SUMMARY"
	EXIT_CODE=1 step 1 decide
	inputs FAIL=false
	EXIT_CODE=1 step 0 decide
	# Two commits and their set of questions.
	same "$(recorded)" 3
}

@test "a pull request: the comment is made once and then replaced" {
	team
	runner
	inputs
	event push
	gate 0
	git checkout -q -b topic
	commit topic
	git checkout -q main
	commit c2
	git checkout -q --detach
	merge topic
	ranks "$T/run.csv" a=4 b=1
	event pull_request '{"pull_request": {"number": 12, "head": {"repo": {"full_name": "o/r"}}, "base": {"repo": {"full_name": "o/r"}, "ref": "main"}}}'
	GITHUB_BASE_REF=main gate 1
	same "$(output recorded)" false
	step 0 comment
	grep -q -- '--method POST repos/o/r/issues/12/comments' "$T/gh.log"
	same "$(jq -r .body "$T/body.json" | head -n 1)" \
	    '<!-- evalgate default -->'
	jq -r .body "$T/body.json" | grep -q 'rank 2 → 4'
	jq -n '[{id: 5, body: "nice", user: {type: "Bot"}},
	    {id: 6, body: "<!-- evalgate default -->\nforged",
		user: {type: "User"}, author_association: "NONE"},
	    {id: 7, body: "<!-- evalgate default -->\nold",
		user: {type: "Bot"}, author_association: "NONE"}]' \
	    > "$T/comments.json"
	step 0 comment
	grep -q -- '--method PATCH repos/o/r/issues/comments/7' "$T/gh.log"
	# An old verdict does not stay where there is none.
	sed -i 's/mrr/mrrr/' evalgate.yaml
	GITHUB_BASE_REF=main step 0 gate
	step 0 comment
	jq -r .body "$T/body.json" | grep -q 'No verdict: .* exit status 2'
	# A token that may not write is a warning, and fails nothing.
	GH_STATUS=1 step 0 comment
	says '::warning::evalgate: the comment could not be written'
}

@test "an input that is not set, or spelled otherwise, switches no gate off" {
	export EXIT_CODE=1
	local value
	inputs
	for value in '' true True yes 1; do
		inputs "FAIL=$value"
		step 1 decide
		silent
	done
	for value in false False no 0; do
		inputs "FAIL=$value"
		step 0 decide
	done
	inputs FAIL=fasle
	step 1 decide
	says 'fail is neither true nor false'
}

@test "from a fork nothing is recorded, whatever the inputs say" {
	team
	runner
	inputs
	event push
	gate 0
	commit topic
	inputs RECORD=always
	event pull_request '{"pull_request": {"number": 12, "head": {"repo": {"full_name": "x/r"}}, "base": {"repo": {"full_name": "o/r"}, "ref": "main"}}}'
	CI_MERGE_REQUEST_DIFF_BASE_SHA=$(git rev-parse HEAD^) step 0 gate
	says 'not recorded: the pull request comes from a fork'
	same "$(output exit-code)" 0
	same "$(output recorded)" false
}

@test "a merge group and a schedule are recorded; never, no" {
	team
	runner
	inputs
	event merge_group
	gate 0
	same "$(output recorded)" true
	commit c2
	inputs RECORD=never
	event schedule
	gate 0
	same "$(output recorded)" false
	# In this clone alone, which goes with the job.
	inputs PUSH=false
	event schedule
	gate 0
	same "$(output recorded)" false
	same "$(recorded)" 2
}

@test "a push that is refused: the verdict is told, exit 4" {
	team
	runner
	inputs
	mkdir -p "$T/remote.git/hooks"
	printf '#!/bin/sh\nexit 1\n' > "$T/remote.git/hooks/pre-receive"
	chmod +x "$T/remote.git/hooks/pre-receive"
	event push
	step 0 gate
	same "$(output exit-code)" 4
	same "$(output verdict)" pass
	same "$(output recorded)" false
	says 'in this clone alone: it could not be shared'
	EXIT_CODE=4 step 4 decide
	# Where nothing had to be recorded, the verdict decides.
	commit topic
	inputs RECORD=always
	event pull_request '{"pull_request": {"number": 12, "head": {"repo": {"full_name": "o/r"}}, "base": {"repo": {"full_name": "o/r"}, "ref": "main"}}}'
	step 0 gate
	same "$(output exit-code)" 0
	same "$(output recorded)" false
	says 'not shared: '
}

@test "faulty input: outputs say so, exit 2; no verdict as asked" {
	team
	runner
	inputs
	echo 'nonsense: 1' >> evalgate.yaml
	event push
	step 0 gate
	same "$(output verdict)" error
	same "$(output exit-code)" 2
	tells 'evalgate.yaml:5: unknown key'
	EXIT_CODE=2 step 2 decide
	inputs NO_VERDICT=warn
	EXIT_CODE=3 step 0 decide
	says '::warning::evalgate: no verdict'
	inputs NO_VERDICT=pass
	EXIT_CODE=3 step 0 decide
	inputs
	EXIT_CODE=3 step 3 decide
	EXIT_CODE='' step 4 decide
}

@test "inputs are words, not commands" {
	team
	runner
	inputs 'RUN=../run.csv
$(touch pwned)' 'SUITE=x;touch pwned'
	event push
	step 0 gate
	same "$(output exit-code)" 2
	absent pwned
	absent "$T/pwned"
}

@test "depth 1: the clone that checkout makes finds its baseline" {
	team
	runner
	inputs
	event push
	gate 0
	commit c2
	git push -q origin main
	git clone -q --depth 1 "file://$T/remote.git" "$T/clone"
	cd "$T/clone"
	ranks "$T/run.csv" a=3 b=1
	event push
	gate 1
	same "$(output regressed)" '["a","mrr"]'
}

@test "no summary and no annotations where nobody wants them" {
	team
	runner
	inputs SUMMARY=false ANNOTATIONS=false
	event push
	gate 0
	commit c2
	ranks "$T/run.csv" a=5 b=1
	event push
	step 0 gate
	says_not '::error'
	[ ! -s "$GITHUB_STEP_SUMMARY" ]
}

@test "the program comes from the cache, else it is built" {
	runner
	step 0 source
	same "$(output program)" "$RUNNER_TEMP/evalgate"
	[[ $(output key) =~ ^[0-9-]+$ ]]
	step 0 build
	says 'evalgate '
}
