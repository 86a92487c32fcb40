#!/usr/bin/env bats
# The command line itself: help, options, formats, the config, exit status 2.

load helper

# Those that help names; the ones that were there first are among them.
commands() {
	"$EVALGATE" --help | sed -n "s/^  \\([a-z]*\\) .*/\\1/p"
}

# A config, a run of two questions beside it, and a commit.
small() {
	new_repo
	config <<-'END'
		metrics: [mrr]
		thresholds:
		  - {metric: mrr, min: 0.5}
	END
	ranks ../run.csv a=1 b=2
	commit c1
}

@test "--help of every command, on stdout, exit 0" {
	local command all
	all=$(commands)
	for command in score check record history; do
		[[ $all == *"$command"* ]]
	done
	eg 0 --help
	silent
	says 'usage: evalgate COMMAND' 'exit status'
	for command in $all; do
		eg 0 "$command" --help
		silent
		says "usage: evalgate $command" --help
		cp "$T/stdout" "$T/help"
		eg 0 "$command" -h
		cmp "$T/stdout" "$T/help"
	done
}

@test "help mentions every option that a command takes, and it takes no other" {
	local option
	small
	for option in --commit --start --allow-dirty; do
		eg 0 record --help
		says "$option"
		eg 0 check --help
		says_not "$option"
		eg 2 check "$option" x ../run.csv
		tells "$option"
	done
}

@test "--version" {
	eg 0 --version
	silent
	[[ $out =~ ^evalgate\ [0-9]+\.[0-9]+\.[0-9]+ ]]
}

@test "no command: the usage on stderr, exit 2" {
	eg 2
	tells 'usage: evalgate'
}

@test "an unknown command, with a suggestion" {
	eg 2 chekc run.csv
	tells "unknown command 'chekc'" "did you mean 'check'?"
	eg 2 xyzzy
	tells "unknown command 'xyzzy'" '--help'
	[[ $err != *'did you mean'* ]]
}

@test "an unknown option, with a suggestion" {
	eg 2 check --fromat json run.csv
	tells '--fromat' 'did you mean --format?'
	eg 2 score --xyzzy
	tells '--xyzzy'
	eg 2 score -Z run.csv
	tells '-Z'
}

@test "an option without its value, and one that takes none" {
	local option
	for option in --config --format --suite --event --now --label -C -c; do
		eg 2 check run.csv "$option"
		tells needs
	done
	eg 2 check --quiet=yes run.csv
	tells '--quiet'
}

@test "values that an option does not know" {
	small
	eg 2 check --event psuh ../run.csv
	tells psuh pull_request
	eg 2 check --format yaml ../run.csv
	tells yaml json
	eg 2 check --color blue ../run.csv
	tells blue always
	eg 2 check --label device ../run.csv
	tells device KEY=VALUE
	eg 2 check --suite 'Bad/Name' ../run.csv
	tells 'Bad/Name'
	eg 2 check --baseline yesterday ../run.csv
	tells yesterday rev:
	for time in yesterday 2026-13-01 2026-02-30 2026-12-01T24:00:00Z; do
		eg 2 record --now "$time" ../run.csv
		tells "$time"
	done
	same "$(notes)" none
}

@test "letters in one word, a value behind the last, -C before the command" {
	small
	cp evalgate.yaml other.yaml
	eg 0 score -vc other.yaml ../run.csv
	says 'read as csv'
	eg 0 score -qvcother.yaml ../run.csv
	eg 2 score -qZv ../run.csv
	tells "unknown option '-qZv'"
	eg 2 score -qvc
	tells '--config needs'
	cd ..
	eg 0 -C "$OLDPWD" score ../run.csv
	eg 2 -C nowhere score run.csv
	tells nowhere
}

@test "--option=VALUE and -- are understood" {
	small
	eg 0 check "--format=json" ../run.csv
	[[ $out == '{'* ]]
	cp ../run.csv ./-run.csv
	eg 0 score -- -run.csv
}

# ------------------------------------------------------------------ formats --

@test "two reports that both want stdout are refused" {
	small
	eg 2 check --format text --format json ../run.csv
	tells 'json:FILE'
	eg 2 check --format json --format json ../run.csv
	eg 2 history --format text --format json
	eg 2 check --format "json:$T/r" --format "markdown:$T/r" ../run.csv
	tells "two reports want the file '$T/r'"
	absent "$T/r"
	eg 2 check --format json --format "json:$T/r.json" --format text ../run.csv
	absent "$T/r.json"
}

@test "--format json:FILE writes the file, and the text goes to stdout" {
	small
	eg 0 check --format "json:$T/report.json" ../run.csv
	says PASS
	json schema=1 verdict=pass exit=0
	eg 0 score --format "json:$T/report.json" ../run.csv
	says mrr
	json metrics/mrr/value~0.75
	"$EVALGATE" record -q ../run.csv > /dev/null
	eg 0 history --format "json:$T/report.json"
	says '1 record'
	json schema=1 records=1
}

@test "a report's file is replaced as a whole, through no leftovers" {
	small
	head -c 100000 /dev/zero > "$T/report.json"
	eg 0 check --format "json:$T/report.json" ../run.csv
	json verdict=pass
	same "$(cd "$T" && echo report*)" report.json
}

@test "a report that can't be written: exit 4, and the verdict is told" {
	small
	eg 4 check --format "json:$T/missing/report.json" --format text \
	    ../run.csv
	tells 'missing/report.json'
	says PASS
	eg 4 check --format "json:$T" --format text ../run.csv
	says PASS
}

@test "stdout that can't be written is exit 4" {
	[ -w /dev/full ] || skip 'no /dev/full'
	small
	local status=0
	"$EVALGATE" check ../run.csv > /dev/full 2> "$T/stderr" || status=$?
	same "$status" 4
	grep -q 'standard output' "$T/stderr"
	status=0
	"$EVALGATE" score ../run.csv > /dev/full 2> "$T/stderr" || status=$?
	same "$status" 4
}

@test "the JSON report has the keys of schema 1" {
	small
	"$EVALGATE" record -q ../run.csv > /dev/null
	commit c2
	judged 0 check ../run.csv
	same "$(perl -MJSON::PP -e 'print join " ", sort keys %{decode_json(
	    do { local $/; <> })}' "$T/report.json")" \
	    "$(echo before command commit compared compared_only counts \
	    depth dirty event exit findings good metrics notices questions \
	    removed schema stored subject subset suite tool tree unrecorded \
	    verdict waivers)"
	json tool suite event commit tree subset=null before/reason \
	    before/distance=1 before/age_seconds=60 before/verdict=pass \
	    good/commit counts/questions counts/answerable counts/missing=0 \
	    counts/errored=0 counts/common=2 counts/added=0 counts/removed=0 \
	    counts/redefined=0 counts/tracked=0 metrics/mrr/slice=null \
	    metrics/mrr/baseline metrics/mrr/delta metrics/mrr/n=2 \
	    metrics/mrr/low metrics/mrr/high metrics/mrr/wins=0 \
	    metrics/mrr/ties=2 metrics/mrr/losses=0 questions/a/text \
	    questions/a/rank=1 questions/a/baseline=1 questions/a/depth=null \
	    questions/a/tracked=false questions/a/holdout=false \
	    questions/a/class=same questions/a/metrics/mrr=1 \
	    commit="$(git rev-parse HEAD)" tree="$(git rev-parse HEAD^{tree})" \
	    before/commit="$(git rev-parse HEAD^)"
}

@test "-q tells the verdict and what is wrong" {
	small
	eg 0 check -q ../run.csv
	says PASS
	says_not 'metric  ' answerable
	ranks ../run.csv a=3 b=
	eg 1 check -q ../run.csv
	says FAIL mrr 0.5
	says_not answerable
}

@test "-v says what files were taken for" {
	small
	eg 0 check -v ../run.csv
	says csv
}

# -------------------------------------------------------------- environment --

@test "colour: only where it is asked for, never beside NO_COLOR" {
	small
	local escape=$'\e['
	eg 0 check ../run.csv
	says_not "$escape"
	eg 0 check --color always ../run.csv
	says "$escape"
	eg 0 check --color never ../run.csv
	says_not "$escape"
	NO_COLOR=1 eg 0 check --color always ../run.csv
	says "$escape"
	eg 0 history --color always
	eg 0 check --color always --format json ../run.csv
	says_not "$escape"
}

@test "colour: on a terminal, but not with NO_COLOR" {
	command -v script > /dev/null || skip 'no script(1)'
	small
	export TERM=xterm
	script -qec "'$EVALGATE' check ../run.csv" /dev/null > "$T/stdout" \
	    < /dev/null
	grep -q $'\e\\[' "$T/stdout"
	NO_COLOR=1 script -qec "'$EVALGATE' check ../run.csv" /dev/null \
	    > "$T/stdout" < /dev/null
	[ "$(grep -c $'\e\\[' "$T/stdout")" = 0 ]
	grep -q PASS "$T/stdout"
}

@test "the same input gives the same bytes" {
	small
	"$EVALGATE" record -q ../run.csv > /dev/null
	commit c2
	ranks ../run.csv a=3 b=3
	judged 1 check ../run.csv
	cp "$T/stdout" "$T/first.txt"
	cp "$T/report.json" "$T/first.json"
	judged 1 check ../run.csv
	cmp "$T/stdout" "$T/first.txt"
	cmp "$T/report.json" "$T/first.json"
}

@test "the locale and the time zone change nothing" {
	small
	config <<-'END'
		metrics: [mrr]
		thresholds:
		  - {metric: mrr, min: 0.5, max_drop: 1.5%}
	END
	commit c2
	judged 0 check ../run.csv
	cp "$T/stdout" "$T/first.txt"
	cp "$T/report.json" "$T/first.json"
	LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 LC_NUMERIC=de_DE.UTF-8 \
	    TZ=Pacific/Auckland judged 0 check ../run.csv
	cmp "$T/stdout" "$T/first.txt"
	cmp "$T/report.json" "$T/first.json"
	LC_ALL=tr_TR.UTF-8 judged 0 check ../run.csv
	cmp "$T/stdout" "$T/first.txt"
}

@test "score works outside a repository, and without a config" {
	ranks run.csv a=1 b=2 c=
	eg 0 score run.csv
	silent
	says '3 questions'
	eg 0 score --format "json:$T/report.json" run.csv
	json metrics=3 metrics/recall@5/value~0.666667 \
	    metrics/mrr/value~0.5 metrics/ndcg@10/value~0.543643
	same "$(cd "$T" && echo *)" 'report.json run.csv stderr stdout'
}

@test "standard input: -" {
	small
	eg 0 score --format json "$FORGE/sample10/ch09_bm25.trec" \
	    -Q "$FORGE/sample10/questions.yaml"
	cp "$T/stdout" "$T/file.json"
	eg 0 score --format json - -Q "$FORGE/sample10/questions.yaml" \
	    < "$FORGE/sample10/ch09_bm25.trec"
	cmp "$T/stdout" "$T/file.json"
	echo 'T01 Q0 x 1' > "$T/bad"
	eg 2 score - -Q "$FORGE/sample10/questions.yaml" < "$T/bad"
	tells ':1: '
}

@test "a CSV with its documents may come from standard input too" {
	small
	eg 0 score --format json ../run.csv
	cp "$T/stdout" "$T/file.json"
	eg 0 score --format json - < ../run.csv
	cmp "$T/stdout" "$T/file.json"
}

@test "-C DIR works as if started there" {
	small
	mkdir sub
	ranks sub/run.csv a=1 b=1
	cd "$T"
	eg 0 check -C repo sub/run.csv
	says PASS
	eg 0 score -C repo/sub run.csv --format json
	cp stdout report.json
	json metrics/mrr/value~1
	eg 2 check -C missing run.csv
	tells missing
}

@test "from a subdirectory: the root's config, RUN from here" {
	small
	mkdir sub
	cp ../run.csv sub/here.csv
	cd sub
	eg 0 check here.csv
	says PASS
	eg 2 check sub/here.csv
	tells 'sub/here.csv'
}

@test "paths in a config are relative to it" {
	small
	mkdir conf conf/data
	lists conf/data/run.jsonl a=1/3 b=3/3
	mv "$T/questions.json" conf/data/
	config conf/gate.yaml <<-'END'
		questions: data/questions.json
		run: data/run.jsonl
		metrics: [mrr]
	END
	eg 0 score -c conf/gate.yaml --format "json:$T/report.json"
	json metrics/mrr/value~0.666667
	cd "$T"
	eg 0 score -c repo/conf/gate.yaml --format "json:$T/report.json"
	json metrics/mrr/value~0.666667
}

@test "evalgate.yml serves where there is no evalgate.yaml" {
	small
	mv evalgate.yaml evalgate.yml
	ranks ../run.csv a=4 b=
	eg 1 check ../run.csv
	says 'mrr'
}

@test "a config that is not there, that is a directory, that is empty" {
	small
	judged 2 check -c missing.yaml ../run.csv
	tells 'missing.yaml: '
	judged 2 check -c .git ../run.csv
	tells '.git: '
	: > empty.yaml
	judged 2 check -c empty.yaml ../run.csv
	tells 'empty.yaml:1: '
}

@test "all mistakes of a config are told at once, each with its line" {
	small
	cat > bad.yaml <<-'END'
		version: 2
		metrics: [recall@5, mrrr]
		thresholds:
		  - {metric: mrr, min: 80}
		  - {metric: recall@5, max_drop: .nan}
		  - {metric: recall@5, min: 0.5}
		  - {metric: recall@5, min: 0.6}
		  - {metric: mean_rank, min: 0.6}
		tracked:
		  - {question: a, max_loss: -1}
		  - {question: a, max_rnak: 10}
		  - {document: d}
		baseline: {accept: failing, max_distance: 0}
		suite: Über
		depth: 0
		relevance: x
		lables: {a: b}
	END
	judged 2 check -c bad.yaml ../run.csv
	local line
	for line in 1 2 4 5 7 8 10 11 12 13 14 15 16 17; do
		tells "bad.yaml:$line: "
	done
	tells 'mrrr' "did you mean" 'max_rank' 'labels'
	[[ $err != *'bad.yaml:6: '* && $err != *'bad.yaml:3: '* ]]
	eg 2 record -c bad.yaml ../run.csv
	same "$(notes)" none
	eg 2 score -c bad.yaml ../run.csv
}

@test "thresholds and tracked entries for what does not exist" {
	small
	config bad.yaml <<-'END'
		metrics: [mrr]
		tracked:
		  - {question: a}
		  - {question: nobody}
		  - {question: b, document: doc-x}
	END
	judged 2 check -c bad.yaml ../run.csv
	tells 'bad.yaml:5: ' nobody 'bad.yaml:6: ' doc-x
	[[ $err != *'bad.yaml:4: '* ]]
}

@test "what does not exist is told with mistakes of form, in their order" {
	small
	echo '- {id: a, expected: d, kind: easy}' > questions.yaml
	config bad.yaml <<-'END'
		questions: questions.yaml
		slices: [knid]
		metrics: [mrrr]
		thresholds: [{metric: mrr, where: {kind: hard}, min: 0.5}]
		tracked: [a, nobody]
		waivers: [{question: gone, reason: x}]
		retired: [{question: a, reason: x}]
	END
	judged 2 check -c bad.yaml ../run.csv
	same "$(sed -n 's/^bad.yaml:\([0-9]*\): .*/\1/p' <<< "$err" | xargs)" \
	    '3 4 5 6 7 8'
	tells "'knid'" "'mrrr'" hard "'nobody'" until "'a'"
	rm questions.yaml
	judged 2 check -c bad.yaml ../run.csv
	tells "bad.yaml:4: " "bad.yaml:2: "
}

@test "no run at all, and a run that is named by nothing" {
	small
	judged 2 check
	tells 'no run'
	judged 2 check ../missing.csv
	tells '../missing.csv: '
	judged 2 check ..
	tells '..: '
	config named.yaml <<< 'run: ../nowhere.csv'
	judged 2 check -c named.yaml
	tells 'nowhere.csv'
}

@test "several faulty files at once leave nothing behind" {
	small
	eg 2 record -c missing.yaml ../run.csv --format "json:$T/report.json"
	absent "$T/report.json"
	same "$(notes)" none
}

@test "labels are kept with the record, the command line's win" {
	small
	echo 'labels: {model: one, device: cpu}' >> evalgate.yaml
	commit c2
	record 0 ../run.csv --label model=two --label 'note=a=b "c"'
	git notes --ref=evalgate/default show > "$T/note"
	grep -q '"labels":{.*"model":"two"' "$T/note"
	grep -q '"device":"cpu"' "$T/note"
	grep -qF '"note":"a=b \"c\""' "$T/note"
}

@test "text of a user can't send escapes to a terminal" {
	small
	printf 'question,expected,rank\n"\e[31mred\a","d\e]0;x\a",2\n' \
	    > ../run.csv
	eg 0 check ../run.csv
	says_not $'\e' $'\a'
	eg 0 score --per-question ../run.csv
	says_not $'\e' $'\a'
	eg 2 score $'mi\e[31mssing'
	[[ $err != *$'\e'* ]]
}
