#!/usr/bin/env bats
# Reports for CI: each is read again as its reader would, none obeys what
# users wrote, all tell the same numbers, and none grows beyond its bounds.

load helper

FORMATS='text json markdown comment github junit gitlab'

# Every format of a command, into files of a directory.
all() {
	local dir=$1 format args=()
	shift
	mkdir -p "$dir"
	for format in $FORMATS; do
		args+=(--format "$format:$dir/$format")
	done
	eg "$@" "${args[@]}"
}

outputs() {
	perl "$CLI/outputs.pl" "$@"
}

# Each read as what it is.
sound() {
	local dir=$1
	outputs markdown "$dir/markdown" "$dir/comment"
	outputs plain "$dir"/{text,markdown,comment,github,junit,gitlab}
	xmllint --noout "$dir/junit"
	perl -MJSON::PP -e 'local $/; decode_json(<>) for 1' "$dir/gitlab"
	[ "$(wc -c < "$dir/markdown")" -lt $((900 * 1024)) ]
	[ "$(wc -m < "$dir/comment")" -lt 60000 ]
	[ "$(wc -l < "$dir/github")" -le 10 ]
	same "$(outputs runner "$dir/text")" ""
	same "$(outputs runner "$dir/github" | grep -cE '^(error|warning)\|')" \
	    "$(wc -l < "$dir/github")"
}

three() {
	new_repo
	config <<-'EOF'
	questions: questions.yaml
	metrics: [mrr, recall@5]
	slices: [kind]
	tracked: [stuck, bit, {question: mud, max_rank: 3}]
	waivers:
	  - {question: bit, ceiling: 9, until: 2027-03-01, reason: on trial, issue: "#84"}
	EOF
	cat > questions.yaml <<-'EOF'
	- {id: stuck, text: stuck pipe, expected: doc-stuck, kind: hole}
	- {id: bit, text: bit wear, expected: doc-bit, kind: hole}
	- {id: mud, expected: doc-mud, kind: fluid}
	- {id: secret-one, expected: doc-s, kind: fluid, holdout: true}
	EOF
	commit 'c1'
	lists ../run.jsonl stuck=5/10 bit=2/10 mud=1/10 secret-one=1/10
	"$EVALGATE" record -q ../run.jsonl > /dev/null
	commit 'c2'
	lists ../run.jsonl stuck=9/10 bit=4/10 mud=/10 secret-one=/10
}

@test "all formats tell one verdict, the same means and ranks" {
	three
	all "$T/out" 1 check --now 2027-01-01T00:00:00Z ../run.jsonl
	sound "$T/out"
	# Ranks are seen in findings of five formats.
	[ "$(outputs numbers "$T/out")" -ge 8 ]
	# Not of what a stored report says, either.
	all "$T/again" 1 report "$T/out/json"
	diff -r "$T/out" "$T/again"
	# A pass is one, too.
	lists ../run.jsonl stuck=1/10 bit=1/10 mud=1/10 secret-one=1/10
	all "$T/pass" 0 check --now 2027-01-01T00:00:00Z ../run.jsonl
	sound "$T/pass"
	outputs numbers "$T/pass"
	absent_text "$T/pass/github"
}

absent_text() {
	[ ! -s "$1" ] || { cat "$1" && return 1; }
}

@test "a holdout question is named in JSON's questions alone" {
	three
	all "$T/out" 1 check --now 2027-01-01T00:00:00Z ../run.jsonl
	same "$(grep -l secret-one "$T"/out/*)" "$T/out/json"
	same "$(grep -c secret-one "$T/out/json")" 1
}

@test "markdown says what fell, the averages, waivers with their dates" {
	three
	eg 1 check --now 2027-01-01T00:00:00Z ../run.jsonl --format markdown
	says '## FAIL: default' '<code>stuck</code> **rank 5 → 9**' \
	    '| mrr | ' '2027-03-01, 59 days left' 'on trial' \
	    '<details><summary>Tracked questions (3)</summary>'
}

@test "annotations stand at the line of the rule, and share stdout with text" {
	three
	eg 1 check --now 2027-01-01T00:00:00Z ../run.jsonl --format text \
	    --format github
	says 'FAIL  default'
	outputs runner "$T/stdout" > "$T/seen"
	grep -qF 'error|evalgate.yaml|5|stuck rank 5 → 9 (new-regression)|"stuck pipe": ' \
	    "$T/seen"
	eg 1 check ../run.jsonl --format github --format text
	eg 2 check ../run.jsonl --format github --format junit
	eg 2 check ../run.jsonl --format github --format text --format text
	tells 'both want standard output'
}

@test "a config below the root is named as the forge knows it" {
	three
	mkdir sub
	sed 's/: questions.yaml/: ..\/questions.yaml/' evalgate.yaml \
	    > sub/gate.yaml
	(cd sub && "$EVALGATE" check -c gate.yaml "$T/run.jsonl" \
	    --format "github:$T/g" --format "gitlab:$T/l" > /dev/null) || :
	grep -q '^::error file=sub/gate.yaml,line=5,' "$T/g"
	grep -q '"path":"sub/gate.yaml"' "$T/l"
}

@test "junit: failure, error, skipped" {
	three
	eg 1 check --now 2027-01-01T00:00:00Z ../run.jsonl --format junit
	xmllint --noout "$T/stdout"
	count() {
		xmllint --xpath "string(count($1))" "$T/stdout"
	}
	same "$(count '//testcase[@name="stuck"]/failure')" 1
	same "$(count '//testcase[@name="bit"]/skipped')" 1
	same "$(count '//failure')" \
	    "$(xmllint --xpath 'string(//testsuite/@failures)' "$T/stdout")"
	same "$(count '//testcase')" \
	    "$(xmllint --xpath 'string(//testsuite/@tests)' "$T/stdout")"
	echo '{"id":"stuck","error":"timeout"}' > ../run.jsonl
	eg 1 check ../run.jsonl --format junit || eg 3 check ../run.jsonl \
	    --format junit
	same "$(count '//testcase[@name="stuck"]/*[self::error or self::failure]')" 1
}

@test "gitlab: a finding keeps its fingerprint when its line moves" {
	three
	prints() {
		perl -MJSON::PP -e 'local $/; print map { "$_->{fingerprint} ".
		    "$_->{check_name} $_->{severity} $_->{location}{path}\n" }
		    @{decode_json(<STDIN>)}' < "$T/stdout"
	}
	eg 1 check ../run.jsonl --format gitlab
	prints > "$T/one"
	perl -pi -e 's/^tracked/\n\n\ntracked/' evalgate.yaml
	eg 1 check ../run.jsonl --format gitlab
	prints > "$T/two"
	diff "$T/one" "$T/two"
	same "$(sort -u "$T/one" | wc -l)" "$(wc -l < "$T/one")"
	grep -q 'evalgate/new-regression critical evalgate.yaml' "$T/one"
}

@test "hostile ids, texts, documents, slices, subjects, branches: all data" {
	new_repo
	FOUND=1 outputs hostile
	commit $'::error::x\n\n@all fixes #1 <script>alert(1)</script> | \e[1m'
	git checkout -q -b '<b>|@x'
	"$EVALGATE" record -q ../run.jsonl > /dev/null
	outputs hostile
	commit '[a](b) | `c` ##[error]x'
	all "$T/out" 1 check ../run.jsonl
	sound "$T/out"
	all "$T/again" 1 report "$T/out/json"
	diff -r "$T/out" "$T/again"
	# Only what is ours is obeyed.
	same "$(outputs runner "$T/out/github" |
	    grep -cvE '^error\|(evalgate.yaml\||\|\|evalgate\|and )')" 0
	eg 1 check ../run.jsonl --format text --format github
	same "$(outputs runner "$T/stdout" | grep -cvE '^error\|')" 0
	same "$(xmllint --xpath 'count(//*[not(self::testsuites or
	    self::testsuite or self::testcase or self::failure or
	    self::system-out)])' "$T/out/junit")" 0
}

@test "a text in an annotation is what the runner reads back" {
	new_repo
	config <<-'EOF'
	questions: questions.json
	metrics: [recall@5]
	tracked: [{question: "q:1,a", max_rank: 5}]
	EOF
	echo '[{"id":"q:1,a","expected":"d",
	    "text":"Is 100%0A of\nthe::error::budget, spent?"}]' \
	    > questions.json
	commit c1
	echo '{"id":"q:1,a","results":["x","y","z","u","v"]}' > ../run.jsonl
	eg 1 check ../run.jsonl --format github
	says 'Is 100%250A of%0Athe::error::budget, spent?' 'q%3A1%2Ca'
	outputs runner "$T/stdout" > "$T/seen"
	same "$(wc -l < "$T/seen")" 1
	grep -qF '"Is 100%0A of\nthe::error::budget, spent?"' "$T/seen"
	grep -qF '|q:1,a ' "$T/seen"
}

@test "1,200 long failing questions: bounds hold, the worst comes first" {
	new_repo
	perl -e '
		open(my $q, ">", "questions.json");
		open(my $a, ">", "../a.jsonl");
		open(my $b, ">", "../b.jsonl");
		open(my $c, ">", "evalgate.yaml");
		print $c "version: 1\nquestions: questions.json\n",
		    "metrics: [mrr]\ntracked:\n";
		for my $i (1 .. 1200) {
			my $id = sprintf "question-%04d", $i;
			my $lost = $i == 777 ? 9 : 1;
			print $c "  - {question: $id}\n";
			print $q $i > 1 ? ",\n" : "[",
			    "{\"id\":\"$id\",\"text\":\"", "<long|text> " x 300,
			    "\",\"expected\":\"d\"}";
			my @list = map { "\"x$_\"" } 1 .. 9;
			print $a "{\"id\":\"$id\",\"results\":[",
			    join(",", "\"d\"", @list), "]}\n";
			splice @list, $lost, 0, "\"d\"";
			print $b "{\"id\":\"$id\",\"results\":[",
			    join(",", @list), "]}\n";
		}
		print $q "]\n";'
	commit c1
	"$EVALGATE" record -q ../a.jsonl > /dev/null
	commit c2
	all "$T/out" 1 check ../b.jsonl
	sound "$T/out"
	local format
	for format in markdown comment github; do
		grep -m 1 'question-' "$T/out/$format" | grep -q question-0777
		grep -qE 'and [0-9]+ more' "$T/out/$format"
	done
	# What is listed and what is said to be left out are all there is.
	for format in markdown comment; do
		perl -ne '
			$in = /What is wrong/ if /^### /;
			$n++ if $in && /^- <code>/;
			$n += $1 if $in && /^and (\d+) more finding/;
			END { print "$n\n" }' "$T/out/$format" > "$T/n"
		same "$(cat "$T/n")" 1201
	done
	never grep -q '| \.<\|| \.&#\|“\.\|<code>\.' "$T/out/markdown" \
	    "$T/out/comment"
	same "$(wc -l < "$T/out/github")" 10
	grep -q '::and 1192 more: 1192 errors' "$T/out/github"
	# Of several suites each has its part.
	for format in a b c d e f g h i j; do
		sed "s/\"suite\": \"default\"/\"suite\": \"$format\"/" \
		    "$T/out/json" > "$T/$format.json"
	done
	all "$T/many" 1 report "$T"/?.json
	sound "$T/many"
	same "$(grep -c '^| FAIL | ' "$T/many/comment")" 10
	grep -q 'and [0-9]* more suites' "$T/many/comment"
}

@test "a file called - is standard output" {
	fall_of_one
	act 1 check ../run.csv --format json:- --format "text:$T/text"
	[[ $out == '{'* ]]
	absent -
	eg 2 check ../run.csv --format json:- --format html
	tells 'both want standard output'
	# Annotations are no part of it.
	GITHUB_ACTIONS=true act 1 ci --no-record ../run.csv --format json:-
	[[ $out == '{'*'}' ]]
	says_not '::error'
}

@test "outputs name the slice of a metric, and say why nothing was compared" {
	fall_of_one
	GITHUB_OUTPUT=$T/outputs act 1 ci --no-record ../run.csv
	grep -qx 'regressed=\["a","mrr \[kind=x\]"\]' "$T/outputs" ||
	    { cat "$T/outputs" && return 1; }
	grep -qx 'baseline-reason=nearest recorded first-parent ancestor' \
	    "$T/outputs"
	: > "$T/outputs"
	echo 'nonsense: 1' >> evalgate.yaml
	GITHUB_OUTPUT=$T/outputs act 2 ci ../run.csv
	grep -qx 'baseline-reason=nothing was compared: the input is at fault' \
	    "$T/outputs"
}

@test "the step's summary has the notes" {
	new_repo
	mkdir sub
	config sub/gate.yaml <<< $'metrics: [mrr]\nthresholds: [{metric: mrr, min: 0.9}]'
	commit c1
	ranks ../run.csv a=2
	GITHUB_STEP_SUMMARY=$T/summary act 1 ci --no-record -c sub/gate.yaml \
	    ../run.csv
	grep -q '^### Notes' "$T/summary"
	grep -q '^- drops not gated: mrr' "$T/summary"
}

@test "outputs list subjects as reports do, the worst first, each once" {
	new_repo
	config <<-'EOF'
	questions: ../questions.json
	metrics: [mrr]
	tracked: [{question: a, max_rank: 1}, b, c, d, e, {question: f, max_rank: 2}, g, h, secret]
	waivers:
	  - {question: g, ceiling: 9, until: never, reason: r}
	  - {question: h, ceiling: 9, until: never, reason: r}
	EOF
	lists ../run.jsonl a=1/9 b=1/9 c=1/9 d=4/9 e=/9 f=3/9 g=1/9 h=1/9 \
	    secret=1/9
	commit c1
	act 1 record ../run.jsonl
	commit c2
	lists ../run.jsonl a=2/9 b=4/9 c=/9 d=2/9 e=1/9 f=3/9 g=2/9 h=4/9 \
	    secret=/9
	sed -i '/"secret"/s/}/, "holdout": true}/' ../questions.json
	GITHUB_OUTPUT=$T/outputs act 1 ci --no-record ../run.jsonl
	grep -x 'regressed=\["c","b","a","mrr","f"\]' "$T/outputs"
	grep -x 'improved=\["d","e"\]' "$T/outputs"
	grep -x 'waived=\["h","g"\]' "$T/outputs"
	act 1 check ../run.jsonl
	says 'secret  rank 1 → not found in 9  new-regression'
	# What is no question and no metric is in no list.
	: > "$T/outputs"
	git update-ref -d refs/notes/evalgate/default
	GITHUB_OUTPUT=$T/outputs act 1 ci --no-record --require-baseline \
	    ../run.jsonl
	grep -x 'regressed=\["a","f"\]' "$T/outputs"
}

# A recorded commit, and a run in which one question fell.
fall_of_one() {
	new_repo
	config <<-'EOF'
	questions: q.yaml
	metrics: [mrr]
	tracked: [a]
	thresholds: [{metric: mrr, where: {kind: x}, max_drop: 0}]
	EOF
	cat > q.yaml <<-'EOF'
	- {id: a, expected: doc-a, kind: x}
	- {id: b, expected: doc-b, kind: y}
	EOF
	commit c1
	ranks ../run.csv a=1 b=2
	act 0 record ../run.csv
	commit c2
	ranks ../run.csv a=4 b=2
}

@test "whole ids of commits become no links in Markdown" {
	local id=0123456789abcdef0123456789abcdef01234567
	new_repo
	config <<< $'metrics: [mrr]\ntracked: ['"$id]"
	commit "reverts $id"
	ranks ../run.csv "$id=1" b=1
	act 0 record ../run.csv
	commit "again $id"
	ranks ../run.csv "$id=3" b=1
	act 1 check ../run.csv --format markdown
	says '0<!-- -->123456789abcdef'
	says_not "$id"
}
