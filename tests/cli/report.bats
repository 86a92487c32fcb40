#!/usr/bin/env bats
# bats file_tags=leaks
# Stored reports: read back they are what they were, in every format, and
# several are one document.

load helper

# Two recorded commits and a third whose run is worse, better and lacking.
past() {
	new_repo "${1:-repo}"
	config <<-'EOF'
	metrics: [mrr, recall@5]
	slices: [kind]
	questions: questions.yaml
	tracked: [stuck]
	EOF
	cat > questions.yaml <<-'EOF'
	- {id: stuck, text: stuck pipe, expected: doc-stuck, kind: hole}
	- {id: bit, text: bit wear, expected: doc-bit, kind: hole}
	- {id: mud, expected: doc-mud, kind: fluid}
	- {id: secret, expected: doc-secret, kind: fluid, holdout: true}
	- {id: none, expected: [], kind: fluid}
	EOF
	commit c1
	ranks ../run.csv stuck=3 bit=2 mud= secret=1
	"$EVALGATE" record -q ../run.csv > /dev/null
	commit c2
	ranks ../run.csv stuck=5 bit=2 mud=4 secret=1
	"$EVALGATE" record -q ../run.csv > /dev/null || :
	commit c3
}

# In every format, what is read back is what was told.
round_trip() {
	local format v
	[ "$2" != -v ] || v=-v
	for format in json text; do
		"$EVALGATE" "$@" --format "json:$T/one.json" \
		    --format "$format:$T/told" > /dev/null || :
		"$EVALGATE" report $v "$T/one.json" \
		    --format "$format:$T/again" > /dev/null || :
		[ -s "$T/told" ]
		cmp "$T/told" "$T/again"
	done
}

@test "a stored report reads back as it was, byte by byte" {
	past
	ranks ../run.csv stuck=9 bit=1 mud=2 secret=3
	round_trip check ../run.csv
	round_trip check -v ../run.csv
	round_trip check --event pull_request ../run.csv
	round_trip check --only kind=hole ../run.csv
	round_trip compare HEAD^ HEAD^^
	round_trip compare --fail HEAD^ ../run.csv
	round_trip score ../run.csv
	round_trip record ../run.csv
	round_trip record --start anew ../run.csv
	ranks ../run.csv stuck=9 bit=1
	round_trip check ../run.csv
}

@test "a stored report reads back: lists, depths, ties, pages, repeats" {
	past
	lists ../a.jsonl stuck=4/10 bit=/10 mud=1/10 secret=2/10
	lists ../b.jsonl stuck=2/10 bit=3/10 mud=1/10 secret=/10
	round_trip check ../a.jsonl
	round_trip check --baseline file:../b.jsonl ../a.jsonl
	round_trip check --repeat ../a.jsonl ../b.jsonl
	round_trip score --repeat ../a.jsonl ../b.jsonl
	cd "$T"
	config <<< 'match: page'
	echo '[{"id":"q","expected":"d","pages":[3]}]' > q.json
	echo '{"id":"q","results":[{"doc_id":"d","page":1}]}' \
	    > p.jsonl
	round_trip score -c evalgate.yaml -Q q.json p.jsonl
	grep -q '"document_rank":1' "$T/one.json"
	rm evalgate.yaml
	printf '%s\n' 'q Q0 d 1 0.5 t' 'q Q0 e 2 0.5 t' > t.trec
	echo '{"q":{"d":1}}' > q.json
	round_trip score -Q q.json t.trec
	grep -q '"tied":2' "$T/one.json"
}

@test "several reports are one document, the worst first" {
	past
	ranks ../run.csv stuck=1 bit=1 mud=1 secret=1
	eg 0 check ../run.csv --suite b --format "json:$T/pass.json"
	ranks ../run.csv stuck=9 bit=1 mud=2 secret=3
	eg 1 check ../run.csv --format "json:$T/fail.json"
	eg 3 check ../run.csv --suite a --require-baseline \
	    --format "json:$T/none.json"
	eg 1 report "$T/pass.json" "$T/none.json" "$T/fail.json"
	same "$(grep -oE '^(PASS|FAIL|NO VERDICT)  [a-z]*' <<< "$out")" \
	    $'FAIL  default\nNO VERDICT  a\nPASS  b'
	# In whatever order, and again from what was made of them.
	cp "$T/stdout" "$T/text"
	eg 1 report "$T"/{fail,none,pass}.json --format "json:$T/all.json"
	cmp "$T/stdout" "$T/text"
	eg 1 report "$T/all.json" --format "json:$T/again.json"
	cmp "$T/stdout" "$T/text"
	cmp "$T/all.json" "$T/again.json"
}

@test "the exit status is the worst of the reports: 2, 1, 4, 3, 0" {
	local status
	past
	ranks ../run.csv stuck=1 bit=1 mud=1 secret=1
	eg 0 check ../run.csv --format "json:$T/0.json"
	eg 0 report "$T/0.json"
	for status in 2 4; do
		sed "s/\"exit\": 0/\"exit\": $status/" "$T/0.json" \
		    > "$T/$status.json"
		cmp "$T/0.json" "$T/$status.json" && return 1
	done
	eg 3 check ../run.csv --suite none --require-baseline \
	    --format "json:$T/3.json"
	ranks ../run.csv stuck=9 bit=1 mud=1 secret=1
	eg 1 check ../run.csv --format "json:$T/1.json"
	for status in 1 3 4; do
		eg "$status" report "$T/0.json" "$T/$status.json"
	done
	"$EVALGATE" report "$T"/[034].json > /dev/null || status=$?
	same "$status" 4
	"$EVALGATE" report "$T"/[0134].json > /dev/null || status=$?
	same "$status" 1
	"$EVALGATE" report "$T"/[01234].json > /dev/null || status=$?
	same "$status" 2
}

@test "what is no report is refused with its line, and nothing is written" {
	past
	ranks ../run.csv stuck=9 bit=1 mud=2 secret=3
	eg 1 check ../run.csv --format "json:$T/good.json"
	broken() {
		perl -0pe "$1" "$T/good.json" > "$T/bad.json"
		never cmp -s "$T/good.json" "$T/bad.json"
		eg 2 report "$T/bad.json" --format "json:$T/made.json"
		tells "$T/bad.json:$2"
		absent "$T/made.json"
	}
	broken 's/"schema": 1/"schema": 2/' '2: is no report of schema 1'
	broken 's/ "suite".*\n//' "1: a report lacks 'suite'"
	broken 's/"suite": "default"/"suite": "<b>"/' \
	    "7: suite is '<b>', which is no name"
	broken 's/"verdict": "fail"/"verdict": "bad"/' '5: unknown verdict'
	broken 's/"exit": 1/"exit": 9/' '6: exit is 9: must be from 0 to 4'
	broken 's/"verdict": "fail"/"verdict": "pass"/' \
	    "5: the verdict is 'pass', but its findings make it 'fail'"
	broken 's/"exit": 1/"exit": 0/' \
	    "6: exit is 0, which is no status of the verdict 'fail'"
	broken 's/"exit": 1/"exit": 4/' '6: exit is 4'
	broken 's/"level":"error"/"level":"warn"/g' '5: the verdict'
	broken 's/"dirty": false/"dirty": 0/' '16: dirty is a number'
	broken 's/"level":"error"/"level":"fatal"/' ''
	broken 's/"class":"new-regression"/"class":"x"/' ''
	broken 's/"rank":9/"rank":0/' ''
	broken 's/"id":"bit"/"id":"zzz"/' ''
	broken 's/"name":"mrr"/"name":"m|r"/' ''
	broken 's/"slice":null/"slice":"a=b"/' ''
	broken 's/"waivers": \[\]/"waivers": {}/' ''
	broken 's/\}\s*$//s' ''
	echo '[]' > "$T/bad.json"
	eg 2 report "$T/bad.json"
	tells 'holds no report'
	eg 2 report
	tells 'report needs reports'
	eg 2 report "$T/missing.json"
	tells 'missing.json'
	"$EVALGATE" history --format "json:$T/bad.json" > /dev/null
	eg 2 report "$T/bad.json"
	tells 'is a history, not a report'
}

@test "the page of a stored report says that it holds no history" {
	past
	ranks ../run.csv stuck=5 bit=2 mud=4 secret=1
	act 1 check ../run.csv --format "json:$T/report.json" \
	    --format "html:$T/whole.html"
	act 1 report "$T/report.json" --format html
	says 'holds no history but the ranks' 'aria-label="Rank of stuck'
	never grep -q 'holds no history' "$T/whole.html"
	grep -q 'aria-label="mrr over 3 records' "$T/whole.html"
	act 0 compare HEAD^ HEAD^^ --format html
	says_not 'holds no history'
}

@test "what stands beside a change is what was compared, in slices too" {
	past
	echo '- {id: new, expected: doc-new, kind: hole}' >> questions.yaml
	ranks ../run.csv stuck=5 bit=4 mud=4 secret=1 new=1
	act 1 check ../run.csv --format text --format "markdown:$T/md" \
	    --format "html:$T/html"
	grep -Eq '^  kind=hole +2 +0\.2250 +-' "$T/stdout"
	grep -Eq '^\| .*kind=hole.* \| 2 \| 0\.2250 \(-' "$T/md"
	grep -q 'kind=hole.*<td>2<td data-k="0\.225000">0\.2250' "$T/html"
	# The means over all are told once.
	says 'over all 5 questions: mrr 0.5400'
	grep -q '^Over all 5 questions: mrr 0.5400' "$T/md"
	grep -q 'Over all 5 questions: mrr 0.5400' "$T/html"
}

# Subjects of what is wrong, as each format lists them.
subjects() {
	perl -0777 -ne '
		my %of = (text => qr/^  (\S+)(?: \[\S+\])?  .*(?:regression|failing|limit|errored)/m,
		    markdown => qr/^- <code>(\w+)<.* (?:\w+-\w+|errored): /m,
		    github => qr/^::error .*title=(\S+) /m,
		    gitlab => qr/"description":\s*"default: (\w+)/,
		    junit => qr/name="([^"]+)" time="0">\s*<(?:failure|error)/,
		    json => qr/"subject": ?"(\S+?)", ?"slice": ?\S+, ?"level": ?"error"/);
		my ($body) = $ARGV[0];
		print join(" ", /$of{$ENV{FORM}}/g), "\n"' "$1"
}

@test "every format has the findings in one order, the worst first" {
	local form
	new_repo
	config <<< $'questions: ../questions.json\nmetrics: [mrr]\ntracked: [b, c, d, e]'
	lists ../run.jsonl a=1/9 b=1/9 c=1/9 d=3/9 e=1/9
	commit c1
	record 0 ../run.jsonl
	commit c2
	# a's retrieval fails, e is lost most, then c, b; d is below a limit.
	sed -i 's/ d,/ {question: d, max_rank: 1},/' evalgate.yaml
	lists ../run.jsonl a=1/9 b=2/9 c=4/9 d=3/9 e=/9
	sed -i '/"id":"a"/s/"results.*/"error":"timeout"}/' ../run.jsonl
	act 1 check ../run.jsonl --format text --format "markdown:$T/markdown" \
	    --format "github:$T/github" --format "gitlab:$T/gitlab" \
	    --format "junit:$T/junit" --format "json:$T/report.json"
	for form in github gitlab junit markdown; do
		echo "$form"
		FORM=$form same "$(FORM=$form subjects "$T/$form")" 'e c b mrr d a'
	done
	FORM=text same "$(FORM=text subjects "$T/stdout")" 'e c b mrr d a'
	json 'findings/*/subject=e,c,b,mrr,d,a'
	act 1 report "$T/report.json" --format json
	cmp "$T/stdout" "$T/report.json"
}

@test "a metric that never changed has an axis of round numbers" {
	new_repo
	config <<< 'metrics: [mrr]'
	ranks ../run.csv a=1 b=1
	commit c1
	act 0 record ../run.csv
	commit c2
	act 0 check ../run.csv --format html
	says '>0.9</text>' '>1.0</text>'
	says_not '>1.001</text>'
}

@test "a first run is no clean sheet in the formats that GitLab reads" {
	local counts='concat(//testsuite/@tests, " ", //testsuite/@failures, " ",
	    //testsuite/@skipped, " ", count(//testcase), " ", count(//skipped))'
	new_repo
	config <<< $'metrics: [mrr]\ntracked: [{question: a, max_rank: 2}]'
	ranks ../run.csv a=1 b=1
	ranks ../low.csv a=3 b=1
	commit c1
	act 0 check ../run.csv --format junit
	same "$(xmllint --xpath "$counts" "$T/stdout")" '3 0 1 3 1'
	same "$(xmllint --xpath 'string(//testcase[skipped]/@classname)' \
	    "$T/stdout")" default.baseline
	says '<skipped message="nothing to compare with yet: only floors'
	act 0 check ../run.csv --format gitlab
	jq -e 'length == 1 and .[0].severity == "info" and
	    .[0].check_name == "evalgate/added" and
	    (.[0].description | contains("nothing to compare with yet"))' \
	    "$T/stdout"
	# What fails on a first run was not compared either; it comes first.
	act 1 check ../low.csv --format junit
	same "$(xmllint --xpath "$counts" "$T/stdout")" '3 1 1 3 1'
	act 1 check ../low.csv --format gitlab
	jq -e 'map(.severity) == ["critical", "info"]' "$T/stdout"
	# Where a history is wanted, its lack is a finding, and said once.
	act 3 check --require-baseline ../run.csv --format gitlab
	jq -e 'map(.severity) == ["critical"]' "$T/stdout"
	act 3 check --require-baseline ../run.csv --format junit
	same "$(xmllint --xpath "$counts" "$T/stdout")" '3 0 0 3 0'
	act 0 compare ../run.csv ../run.csv --format gitlab
	same "$out" '[]'
	act 0 record ../run.csv
	commit c2
	act 0 check ../run.csv --format gitlab
	same "$out" '[]'
	act 0 check ../run.csv --format junit
	same "$(xmllint --xpath "$counts" "$T/stdout")" '2 0 0 2 0'
	act 0 score ../run.csv --format junit
	same "$(xmllint --xpath "$counts" "$T/stdout")" '2 0 0 2 0'
}

@test "a first run is told what comes next, in every format for people" {
	local format
	new_repo
	config <<< $'metrics: [mrr]\ntracked: [a]'
	ranks ../run.csv a=1 b=1
	commit c1
	for format in markdown github html; do
		eg 0 check ../run.csv --format "$format"
		[[ ${out,,} == *'nothing to compare with yet'* ]]
		says 'once a run is recorded, the next one is compared with it'
		says_not 'Nothing got worse'
	done
	eg 0 check ../run.csv
	says 'compared with nothing' '`evalgate record` begins one'
	for format in text markdown html; do
		eg 0 history --format "$format"
		says 'evalgate record' 'begins a history'
	done
	act 0 record ../run.csv
	commit c2
	for format in markdown github html; do
		eg 0 check ../run.csv --format "$format"
		says_not 'to compare with yet'
	done
}
