#!/usr/bin/env bats
# Runs that were to answer a part of the questions: `subset` and --only.

load helper

# Six questions, a1 to a3 of kind a, b1 to b3 of kind b; b3 is tracked.
six() {
	local i
	new_repo
	config <<-END
		metrics: [mrr]
		questions: questions.yaml
		tracked: [{question: b3}]
		$1
	END
	for i in a1 a2 a3 b1 b2 b3; do
		echo "- {id: $i, expected: doc-$i, kind: ${i%?}}"
	done > questions.yaml
	ranks ../all.csv a1=1 a2=1 a3=1 b1=1 b2=1 b3=1
	ranks ../part.csv a1=1 a2=1 a3=1 b3=1
	commit c1
}

@test "--only FIELD=VALUE: these and the tracked ones are asked, no others" {
	six
	judged 0 check --only kind=a ../part.csv
	json counts/questions=6 counts/asked=4 counts/answerable=4 \
	    counts/missing=0 metrics/mrr/n=4 metrics/mrr/value=1 subset=kind=a \
	    'questions/*/id=a1,a2,a3,b3'
	says '4 of 6 questions'
	says_not b1 b2
	judged 0 check ../part.csv
	json counts/asked=6 counts/missing=2 subset=null
	judged 0 score --only kind=a ../part.csv
	json metrics/mrr/n=4
	says '4 of 6 questions'
}

@test "the report opens with how many of how many" {
	six
	eg 0 check --only kind=a ../part.csv
	[[ ${out%%mrr*} = *'4 of 6 questions'* ]] || {
		show
		return 1
	}
	eg 0 check -q --only kind=a ../part.csv
	says '4 of 6 questions'
	eg 0 score --only kind=a ../part.csv
	[[ ${out%%mrr*} = *'4 of 6 questions'* ]]
}

@test "--only FILE: an id a line; blanks, comments, CRLF, BOM are nothing" {
	six
	printf '\xef\xbb\xbf# nightly\r\n\r\n  a2\t\r\na1' > ../only
	judged 0 check --only ../only ../part.csv
	json counts/asked=3 'questions/*/id=a1,a2,b3'
	says '3 of 6 questions'
	# A file goes before a field, whatever its name.
	cp ../only 'kind=b'
	judged 0 check --only kind=b ../part.csv
	json 'questions/*/id=a1,a2,b3'
}

@test "subset in the config; the command line's word is the last" {
	six 'subset: {only: kind=a}'
	judged 0 check ../part.csv
	json counts/asked=4 subset=kind=a
	judged 0 check --only kind=b ../all.csv
	json counts/asked=3 'questions/*/id=b1,b2,b3'
	sed -i 's/^subset.*/subset: {only: core.txt}/' evalgate.yaml
	echo a1 > core.txt
	commit c2
	judged 0 check ../part.csv
	json counts/asked=2
	mkdir deeper
	cd deeper
	judged 0 check ../../part.csv
	json counts/asked=2
}

@test "a subset that names nothing, something unknown, or cannot be read" {
	six
	local bad
	eg 2 check --only kind=c ../part.csv
	tells kind=c
	eg 2 check --only knid=a ../part.csv
	tells knid=a
	printf 'a1\nzz\nb1\nyy\n' > ../only
	eg 2 check --only ../only ../part.csv
	tells '../only:2: ' "'zz'" '../only:4: ' "'yy'"
	eg 2 check --only ../nowhere ../part.csv
	tells '../nowhere: '
	eg 2 check --only .. ../part.csv
	tells '..: ' directory
	printf 'a1\n\xff\n' > ../only
	eg 2 check --only ../only ../part.csv
	tells '../only:2: '
	: > ../only
	eg 2 check --only ../only ../part.csv
	tells '../only'
	printf '# none\n' > ../only
	sed -i '/^tracked/d' evalgate.yaml
	eg 2 check --only ../only ../part.csv
	tells '../only'
	for bad in 'only' '{only: [a]}' '{olny: kind=a}' '[kind=a]' '{}'; do
		config <<-END
			questions: questions.yaml
			subset: $bad
		END
		eg 2 check ../part.csv
		tells 'evalgate.yaml:3: ' subset
	done
}

@test "floors are judged on whole runs alone, max_rank and tracked always" {
	six 'thresholds: [{metric: mrr, min: 0.9}]'
	ranks ../low.csv a1= a2= a3= b1=1 b2=1 b3=2
	judged 1 check ../low.csv
	json findings/mrr/class=below-limit
	judged 0 check --only kind=a ../low.csv
	json findings=0
	sed -i 's/^tracked.*/tracked: [{question: b3, max_rank: 1}]/' evalgate.yaml
	commit c2
	judged 1 check --only kind=a ../low.csv
	json findings/b3/rule=max_rank
}

@test "a part is compared with the same part of a whole run" {
	six
	ranks ../before.csv a1=1 a2=2 a3=1 b1=10 b2=10 b3=1
	record 0 ../before.csv
	commit c2
	judged 0 check --only kind=a ../part.csv
	json metrics/mrr/n=4 metrics/mrr/baseline=0.875 metrics/mrr/value=1 \
	    counts/common=4 counts/removed=0 counts/added=0
	ranks ../worse.csv a1=1 a2=4 a3=1 b3=1
	judged 1 check --only kind=a ../worse.csv
	json metrics/mrr/value=0.8125 findings/mrr/class=new-regression
	ranks ../lost.csv a1=1 a2=1 a3=1 b3=5
	judged 1 check --only kind=a ../lost.csv
	says 'b3  rank 1 → 5'
}

@test "a record of a part serves runs that ask no more, never the whole" {
	six
	record 0 ../all.csv
	commit c2
	ranks ../lower.csv a1=2 a2=2 a3=2 b3=1
	record 1 --only kind=a ../lower.csv
	ranks ../lower.csv a1=1 a2=1 a3=1 b3=1
	record 0 --only kind=a ../lower.csv
	json subset=kind=a
	local part
	part=$(git rev-parse HEAD)
	commit c3
	# The same part, a smaller one, the whole, another part.
	judged 0 check --only kind=a ../part.csv
	json before/distance=1 "before/commit=$part" counts/common=4
	echo a1 > ../only
	judged 0 check --only ../only ../part.csv
	json before/distance=1 counts/common=2
	judged 0 check ../all.csv
	json before/distance=2 counts/common=6
	judged 0 check --only kind=b ../all.csv
	json before/distance=2 counts/common=3 unrecorded=0
	says 'passed over 1 nearer recorded commit'
}

@test "records of parts alone are no history of the whole" {
	six
	record 0 --only kind=a ../part.csv
	commit c2
	judged 0 check --only kind=a ../part.csv
	json before/distance=1
	judged 3 check --require-baseline ../all.csv
	json before=null
	judged 0 check ../all.csv
	json before=null
	same "$(perl "$CLI/json.pl" "$T/report.json" counts/asked)" 6
}

@test "a question that left the set is removed, asked or not" {
	six
	record 0 ../all.csv
	sed -i '/a3/d' questions.yaml
	commit c2
	judged 0 check --only kind=a ../all.csv
	json counts/asked=3 counts/questions=5
	sed -i '/b3/d' questions.yaml
	config <<-'END'
		metrics: [mrr]
		questions: questions.yaml
	END
	commit c3
	judged 1 check --only kind=a ../all.csv
	json findings/b3/class=removed
}

@test "a slice of which nothing is asked is none, a limit on it no mistake" {
	six 'slices: [kind]
thresholds: [{metric: mrr, where: {kind: b}, max_drop: 0.1}]'
	sed -i '/^tracked/d' evalgate.yaml
	commit c2
	record 0 ../all.csv
	commit c3
	judged 0 check --only kind=a ../part.csv
	json metrics/mrr/n=3 'metrics/mrr[kind%3da]/n=3'
}

# Six questions with rules of which a part of them can break some alone.
ruled() {
	six "$1"
	cat >> evalgate.yaml <<-'END'
		thresholds:
		  - {metric: mrr, min: 0.5, max_drop: 0.1}
		  - {metric: hit@5, min: 0.5}
		  - {metric: mrr, where: {kind: b, twice: "1"}, max_drop: 5%, min: 0.3}
		worse_questions: {max: 3, by: 1}
		waivers:
		  - {question: b1, ceiling: 5, until: never, reason: r}
		  - {question: a1, ceiling: 5, until: never, reason: r}
		  - {metric: hit@5, floor: 0.2, until: never, reason: r}
		  - {metric: mrr, floor: 0.2, until: never, reason: r}
	END
	sed -i '/id: b[12]/s/}/, twice: "1"}/' questions.yaml
	commit c2
}

@test "lint says what can never fail where a part is asked" {
	ruled 'subset: {only: kind=a}'
	eg 0 lint
	says 'evalgate.yaml:7: mrr moves by up to 0.25 when one question of 4' \
	    'evalgate.yaml:7: warning: min 0.5 of mrr can never fail where only kind=a is asked: floors are judged on whole runs alone' \
	    'evalgate.yaml:8: warning: min 0.5 of hit@5 can never fail where only kind=a is asked: floors' \
	    'evalgate.yaml:9: warning: max_drop 5% of mrr [kind=b,twice=1] can never fail where only kind=a is asked: no question of this slice is' \
	    'evalgate.yaml:9: warning: min 0.3 of mrr [kind=b,twice=1] can never fail where only kind=a' \
	    'evalgate.yaml:10: warning: worse_questions allows for 3, and only 3 are untracked where only kind=a is asked' \
	    'evalgate.yaml:12: warning: no rule can fail for b1 where only kind=a is asked: its waiver covers nothing' \
	    'evalgate.yaml:14: warning: no rule can fail for hit@5 where only' \
	    '4 of 6 questions are asked (kind=a), 4 answerable' '7 warnings'
	says_not 'evalgate.yaml:13' 'evalgate.yaml:15'
	# The whole can break them all.
	sed -i '/^subset/d' evalgate.yaml
	commit c3
	eg 0 lint
	says '6 questions, 6 answerable' '0 warnings'
	says_not asked
	eg 0 lint --only kind=a
	says '7 warnings'
	# Nothing is left that could fail.
	sed -i '/^worse_questions/d; s/, max_drop: 0.1//; /^tracked/d' evalgate.yaml
	commit c4
	eg 0 lint --only kind=a
	says 'no threshold and no tracked question where only kind=a is asked: the gate can never fail'
	eg 0 lint
	says_not 'the gate can never fail'
}

@test "selftest tells what a part can't break from what protects nothing" {
	ruled ''
	eg 0 selftest ../all.csv
	says '7 of 7 rules turn the gate red'
	eg 0 selftest --only kind=a ../part.csv
	says 'red    max_drop        mrr: nothing found: waiver-exceeded' \
	    'skips  min             mrr: not judged where only kind=a is asked: floors' \
	    'skips  max_drop        mrr [kind=b,twice=1]: not judged where only kind=a is asked: no question of this slice is' \
	    'skips  worse_questions worse_questions: 3 may fall, and only 3 untracked can where only' \
	    '2 of 2 rules turn the gate red when their subject gets worse, 5 more are not judged on this part'
	says_not added GREEN
	# Where nothing can turn red, nothing was shown.
	config "$T/floor.yaml" <<-END
		questions: $PWD/questions.yaml
		thresholds: [{metric: mrr, min: 0.5}]
	END
	eg 1 selftest -c "$T/floor.yaml" --only kind=a ../part.csv
	says '0 of 0 rules' '1 more is not judged on this part'
	# What no run of this config is held to protects nothing.
	sed -i 's/^metrics/subset: {only: kind=a}\n&/' evalgate.yaml
	commit c3
	eg 1 selftest ../part.csv
	says 'GREEN  min             mrr: not judged where only kind=a is asked' \
	    'GREEN  max_drop        mrr [kind=b,twice=1]: not judged where' \
	    'GREEN  worse_questions worse_questions: 3 untracked questions lost' \
	    '2 of 7 rules'
	says_not added skips
}

@test "a part gives no advice about what it does not ask" {
	ruled ''
	record 0 ../all.csv
	commit c3
	judged 0 check --only kind=a ../part.csv
	json findings=0
	says 'drops not gated, since no question of the slice is asked: mrr [kind=b,twice=1]' \
	    'the waiver of a1 (evalgate.yaml:13) is not needed by this run'
	says_not 'waiver of b1' 'waiver of hit@5' 'waiver of mrr' ' 0.0000  ' '"n": 0'
	judged 0 check ../all.csv
	says 'waiver of b1' 'waiver of hit@5' 'waiver of mrr'
	says_not 'no question of the slice'
}
