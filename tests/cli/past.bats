#!/usr/bin/env bats
# bats file_tags=leaks
# Looking back: blame, compare, history by range, day, run and format.

load helper

# One tracked question whose lists are kept, recorded at a rank a commit.
fallen() {
	local rank n=0
	new_repo
	config <<'EOF'
questions: ../questions.json
metrics: [mrr]
tracked: [{question: a}]
EOF
	for rank; do
		n=$((n + 1))
		commit "c$n"
		[ "$rank" != none ] || continue
		lists ../run.jsonl "a=$rank/10" b=1/10
		record_any ../run.jsonl
	done
}

# Whatever the verdict.
record_any() {
	local at
	TZ=UTC printf -v at '%(%Y-%m-%dT%H:%M:%SZ)T' "$NOW"
	"$EVALGATE" record -q --now "$at" "$@" > "$T/stdout" || [ $? = 1 ]
}

# ------------------------------------------------------------------- blame --

@test "blame names the fall that never came back, not the one that did" {
	fallen 2 6 1 3 5 3
	eg 0 blame a
	says 'rank 1 → 3, and it never came back'
	eg 0 blame --format json:"$T/report.json" --format text a
	json fell=true at/rank=3 at/subject=c4 last_good/rank=1 \
	    last_good/subject=c3 best/rank=1 now/rank=3 records=6 unrecorded=0
}

@test "blame: a question that is not found any more has fallen" {
	fallen 2 ''
	eg 0 blame a
	says 'rank 2 → not found in 10, and it never came back'
}

@test "blame: what came back, and what never fell" {
	fallen 2 5 2
	eg 0 blame a
	says 'a  has not fallen, or has come back: 3 records'
	eg 0 blame b
	says 'b  has not fallen, or has come back'
}

@test "blame lists commits without a record and the bisect line" {
	fallen 1 none none 4
	eg 0 blame a
	says '2 commits between without a record' \
	    "git bisect start $(git rev-parse --short=7 HEAD) $(git rev-parse --short=7 HEAD~3)"
}

@test "blame names what has stood above a tracked question since" {
	fallen 1 4
	eg 0 blame a
	# x2 to x4 stood below doc-a, x1 came in.
	says '      1  x1  (was not among the first)' '      2  x2  (was 2)' \
	    '      3  x3  (was 3)'
	eg 0 blame b
	fallen_untracked=$out
	[[ $fallen_untracked != *'above it'* ]]
}

@test "blame ends where the question was another one" {
	fallen 1 3
	sed -i 's/"doc-a"/["doc-a","more"]/' ../questions.json
	commit c3
	lists ../run.jsonl a=3/10 b=1/10
	sed -i 's/"doc-a"/["doc-a","more"]/' ../questions.json
	record_any ../run.jsonl
	eg 0 blame a
	says 'has not fallen, or has come back: 1 record'
}

@test "blame of what nobody asked is exit 2" {
	fallen 1
	eg 2 blame nobody
	tells "'nobody'"
	eg 2 blame
	tells 'one question'
}

# ----------------------------------------------------------------- compare --

@test "compare shows what moved between two files, and decides nothing" {
	new_repo
	config <<< 'metrics: [mrr]'
	commit c1
	ranks ../one.csv a=1 b=4 c=2
	ranks ../two.csv a=3 b=1 c=2
	eg 0 compare ../one.csv ../two.csv
	says '2 questions moved' 'a  rank 1 → 3' 'b  rank 4 → 1'
	says_not PASS FAIL
	judged 0 compare ../one.csv ../two.csv
	json metrics/mrr/value~0.611111 metrics/mrr/baseline~0.583333 \
	    metrics/mrr/wins=1 metrics/mrr/ties=1 metrics/mrr/losses=1
	# A CSV on either side is the question file.
	record 0 ../one.csv
	eg 0 compare ../two.csv HEAD
	says 'a  rank 3 → 1' 'b  rank 1 → 4'
}

@test "compare --fail applies the rules" {
	new_repo
	config <<< 'metrics: [mrr]'
	ranks ../one.csv a=1
	ranks ../two.csv a=2
	commit c1
	judged 1 compare --fail ../one.csv ../two.csv
	says FAIL 'mrr  1.000 → 0.500'
	judged 0 compare --fail ../two.csv ../one.csv
	says PASS
}

@test "compare needs no repository" {
	cd "$T"
	ranks one.csv a=1
	ranks two.csv a=2
	eg 0 compare one.csv two.csv
	says 'a  rank 1 → 2'
}

@test "compare takes revisions that have a record, and mixes them with files" {
	fallen 1 4
	eg 0 compare HEAD~1 HEAD
	says 'a  rank 1 → 4'
	lists ../run.jsonl a=2/10 b=1/10
	eg 0 compare HEAD ../run.jsonl
	says 'a  rank 4 → 2'
	commit c3
	eg 2 compare HEAD~1 HEAD
	tells "has no record in suite 'default'"
	eg 2 compare HEAD~1 nothing-of-that-name
	eg 2 compare HEAD
	tells 'two'
}

@test "compare: a CSV on each side has questions of its own" {
	new_repo
	config <<< 'metrics: [mrr]'
	commit c1
	ranks ../one.csv a=1 b=1 c=3 d=1
	ranks ../two.csv a=1 b=1 e=2
	judged 0 compare ../one.csv ../two.csv
	json metrics/mrr/n=2 metrics/mrr/baseline=1 metrics/mrr/value~0.833333 \
	    counts/common=2 counts/added=1 counts/removed=2 removed=2 \
	    questions/e/since=added questions/e/baseline=null
	says '0 questions moved' '1 added since, not compared: e' \
	    '2 no longer asked, not compared: c, d'
	judged 0 compare --fail ../one.csv ../two.csv
	json counts/removed=2 findings=0
	eg 0 compare ../one.csv - < ../two.csv
	says '2 no longer asked, not compared: c, d'
	eg 0 compare - ../two.csv < ../one.csv
	says '2 no longer asked, not compared: c, d'
	judged 0 check --baseline file:../one.csv ../two.csv
	json counts/added=1 counts/removed=2
}

@test "compare --fail: a tracked question that B does not ask is removed" {
	new_repo
	config <<- 'END'
		metrics: [mrr]
		tracked: [{where: {kind: x}}]
	END
	commit c1
	printf '%s\n' question,expected,rank,kind a,d1,1,x b,d2,1,x > ../one.csv
	printf '%s\n' question,expected,rank,kind a,d1,1,x c,d3,1,y > ../two.csv
	judged 1 compare --fail ../one.csv ../two.csv
	json findings=1 findings/b/class=removed findings/b/level=error
	judged 0 compare --fail ../two.csv ../one.csv
	config <<< 'tracked: [b]'
	commit c2
	eg 2 compare --fail ../one.csv ../two.csv
	tells "tracked question 'b' is not among the questions"
}

@test "compare names what either run lacks of the questions, or has beyond" {
	new_repo
	config <<-END
		metrics: [mrr]
		questions: $T/questions.json
	END
	commit c1
	lists ../short.jsonl a=1/3 x=1/3
	lists ../whole.jsonl a=1/3 b=2/3 c=1/3
	judged 0 compare ../short.jsonl ../whole.jsonl
	says '../short.jsonl lacks 2 questions, not found there: b, c' \
	    '../short.jsonl has 1 question that nobody asked: x'
	json metrics/mrr/n=3
	slurp report "$T/report.json"
	[[ $report == *'lacks 2 questions, not found there: b, c'* ]]
	judged 1 compare --fail ../whole.jsonl ../short.jsonl
	says '2 not in the run, counted 0: b, c' \
	    'the run has 1 question that nobody asked (3 results): x'
	judged 0 check --baseline file:../short.jsonl ../whole.jsonl
	says '../short.jsonl lacks 2 questions' '../short.jsonl has 1 question'
}

# Two records, of which the later one was asked less and failed at one.
asked_less() {
	new_repo
	config <<-END
		metrics: [mrr]
		questions: questions.json
		slices: [kind]
		thresholds: [{metric: mrr, where: {kind: y}, max_drop: 0, min: 1}]
	END
	lists ../run.jsonl a=1/3 b=1/3 c=1/3 d=1/3 e=1/3
	sed 's/"\([cd]\)",/&"kind": "y",/; s/"\([abe]\)",/&"kind": "x",/' \
	    ../questions.json > questions.json
	cp questions.json ../whole.json
	commit c1
	record 0 ../run.jsonl
	sed -i '/"[cd]"/d' questions.json
	sed -i '/thresholds/d' evalgate.yaml
	sed '/"[cd]"/d; /"b"/s/"results".*/"error": "timeout"}/' \
	    ../run.jsonl > ../less.jsonl
	commit c2
	record 3 ../less.jsonl
	cp ../whole.json questions.json
	git checkout -q HEAD~1 evalgate.yaml
	commit c3
}

@test "compare: what the record of B lacks is left out and said" {
	asked_less
	judged 0 compare HEAD~2 HEAD~1
	json counts/asked=3 counts/answerable=3 counts/common=3 \
	    'questions/*/id=a,b,e' metrics/mrr/n=2 metrics/mrr/losses=0 \
	    questions/b/errored=true
	says '3 of 5 questions, 3 answerable' \
	    'note: 2 questions left out, which the record of HEAD~1 lacks or has otherwise: c, d' \
	    '1 errored, counted 0: b'
	# An error in a record leaves no verdict, as in a run.
	judged 3 compare --fail HEAD~2 HEAD~1
	json findings=1 findings/b/class=errored
	says 'note: floors are not judged: this run answers a part' \
	    'no question of the slice is asked: mrr [kind=y]'
	# What is tracked is asked in any case.
	echo 'tracked: [c]' >> evalgate.yaml
	commit c4
	judged 1 compare --fail HEAD~3 HEAD~2
	json findings/c/class=new-regression counts/missing=1
	says 'c  rank 1 → not found' '1 not in the run, counted 0: c' \
	    '1 question left out, which the record of HEAD~2 lacks or has otherwise: d'
	# Asked less now than the record was.
	sed -i '/"[ab]"/d' questions.json
	judged 0 compare HEAD~2 HEAD~3
	says "2 questions of the record of HEAD~3 are no longer asked: a, b"
	sed -i 's/doc-/other-/' questions.json
	sed -i '/^tracked/d' evalgate.yaml
	eg 2 compare HEAD~2 HEAD~3
	tells "the record of 'HEAD~3' answers no question as it is asked now"
}

@test "compare: the record of a part is a part" {
	asked_less
	judged 0 record --allow-dirty --only kind=x ../run.jsonl
	judged 0 compare --fail HEAD~2 HEAD
	json subset=kind=x counts/asked=3 findings=0
	says '3 of 5 questions' 'the record of HEAD lacks or has otherwise: c, d'
}

# ----------------------------------------------------------------- history --

@test "history by range and by day" {
	fallen 1 2 3 4
	eg 0 history a --range HEAD~2..HEAD
	says 'default: 2 records' '3, 4'
	eg 0 history a --range HEAD~3..HEAD~1
	says 'default: 2 records' '2, 3'
	eg 2 history a --range HEAD
	tells 'A..B'
	eg 0 history a --since 2023-11-14 --until 2023-11-14
	says 'default: 4 records'
	eg 0 history a --since 2023-11-15
	says 'default: 0 records'
	eg 2 history a --since yesterday
	tells 'YYYY-MM-DD'
}

@test "history --runs shows every run of a commit, oldest first" {
	fallen 1
	lists ../run.jsonl a=3/10 b=1/10
	NOW=$((NOW + 60))
	record_any ../run.jsonl
	eg 0 history a
	says 'default: 1 record' '  a  █  3'
	eg 0 history a --runs
	says 'default: 2 records' '1, 3'
}

@test "a worse run of a commit hides no better one from any look-back" {
	fallen 2
	commit c2
	lists ../run.jsonl a=1/10 b=1/10
	record_any ../run.jsonl
	NOW=$((NOW + 60))
	lists ../run.jsonl a=6/10 b=1/10
	record_any ../run.jsonl
	eg 0 blame a
	says 'rank 1 → 6, and it never came back' 'two runs of one commit'
	eg 0 blame --format json:"$T/report.json" --format text a
	json best/rank=1 best/commit="$(git rev-parse HEAD)" start=null
	eg 0 history a
	says '2, 6' '1 older run of these commits is not in the table'
	eg 0 history a --runs
	says '2, 1, 6'
	says_not 'older run'
	commit c3
	lists ../run.jsonl a=7/10 b=1/10
	judged 1 check ../run.jsonl
	says 'ranks: ▇█▃▂  2, 1, 6, 7; best 1 at'
	json good/verdict=pass before/verdict=fail
	json 'questions/0/history/0/rank=2' 'questions/0/history/1/rank=1' \
	    'questions/0/history/2/rank=6'
	act 0 history --format "html:$T/page.html"
	grep -q 'data-v="2,1,6"' "$T/page.html"
}

@test "blame and reports look back as far as a new start" {
	fallen 1 4
	commit c3
	record_any ../run.jsonl --start 'new index'
	eg 0 blame a
	says 'has not fallen' '1 record' \
	    "look-back ended at the new start, $(git rev-parse --short=7 HEAD)"
	commit c4
	lists ../run.jsonl a=5/10 b=1/10
	record_any ../run.jsonl
	eg 0 blame a
	says 'rank 4 → 5, and it never came back'
}

@test "history of a range that is empty says so, and no beginner's advice" {
	fallen 1 2 3 4
	eg 0 history a --range HEAD..HEAD~3
	says 'default: 0 records' 'B comes after A'
	says_not 'begins a history'
	eg 0 history a --range HEAD..HEAD
	says 'default: 0 records' 'B comes after A'
	eg 0 history a --since 2030-01-01
	says 'default: 0 records' 'though there are others'
	says_not 'begins a history'
}

@test "history by a range whose beginning is on another branch" {
	fallen 1 2
	git checkout -q -b side
	commit side
	git checkout -q main
	commit c3
	lists ../run.jsonl a=3/10 b=1/10
	record_any ../run.jsonl
	eg 0 history a --range side..main
	says 'default: 1 record' '  a  █  3'
}

@test "history --runs says which records are of a dirty tree" {
	fallen 1
	echo '# changed' >> evalgate.yaml
	lists ../run.jsonl a=3/10 b=1/10
	record_any --allow-dirty ../run.jsonl
	eg 0 history a
	says 'default: 1 record'
	says_not dirty
	eg 0 history a --runs
	says 'default: 2 records'
	same "$(grep -c '\[dirty\]' <<< "$out")" 1
	eg 0 history a --runs --format json
	same "$(grep -c '"dirty": *true' <<< "$out")" 1
}

@test "history of a metric that no record holds is computed from the ranks" {
	fallen 1 4 none 20
	eg 0 history --metric hit@3 --format csv
	same "$(cut -d, -f5 <<< "$out" | tr '\n' ' ')" 'hit@3 1 0.5  0.5 '
	eg 0 history hit@3
	says '0.5000' 'hit@3 of 3 records is computed from the recorded ranks'
	eg 0 history --metric bpref
	says '·' 'bpref does not follow from what 3 records hold'
	# mrr alone does not prove that there was one document a question.
	eg 0 history --metric recall@3
	says 'recall@3 does not follow from what 3 records hold'
}

@test "history: recall follows where the record's ndcg does" {
	fallen
	sed -i 's/mrr/ndcg/' evalgate.yaml
	commit c1
	lists ../run.jsonl a=4/10 b=1/10
	record_any ../run.jsonl
	eg 0 history --metric recall@3 --metric mrr --format csv
	says ',0.5,0.625'
}

@test "history: nothing is computed where an unanswerable question hides" {
	new_repo
	config <<'EOF'
questions: ../q.yaml
metrics: [mrr]
EOF
	cat > ../q.yaml <<'EOF'
- {id: a, text: a, expected: [da]}
- {id: z, text: z, expected: []}
EOF
	commit c1
	echo '{"id": "a", "results": ["da"]}' > ../run.jsonl
	record_any ../run.jsonl
	eg 0 history --metric hit@3
	says 'hit@3 does not follow from what 1 record holds'
}

@test "history: ids that are long, or that hide something" {
	local long hidden=$'a\xe2\x80\x8bb'
	printf -v long 'question-%080d-039' 0
	new_repo
	printf 'questions: ../q.json\ntracked: [{question: "%s"}, {question: "%s"}]\n' \
	    "$long" "$hidden" | config
	printf '[{"id":"%s","expected":["d"]},{"id":"%s","expected":["d"]}]' \
	    "$long" "$hidden" > ../q.json
	commit c1
	printf '{"id":"%s","results":["d"]}\n{"id":"%s","results":["d"]}\n' \
	    "$long" "$hidden" > ../run.jsonl
	record_any ../run.jsonl
	eg 0 history
	says 'question…000-039' 'a\u{200B}b'
	same "$(awk 'length > 160' <<< "$out")" ''
	eg 0 history --format csv
	says "$long"
}

@test "history as CSV: RFC 4180, nothing that a spreadsheet would compute" {
	fallen 1
	commit '=HYPERLINK("x"),"y"'
	lists ../run.jsonl a=/10 b=1/10
	record_any ../run.jsonl
	eg 0 history a mrr --format csv
	same "$(head -n 1 <<< "$out")" 'commit,at,subject,verdict,mrr,a'
	says ',c1,pass,1,1' ",\"'=HYPERLINK(\"\"x\"\"),\"\"y\"\"\",fail,0.5,0"
}

@test "history as CSV: nothing that a terminal would obey" {
	fallen 1
	commit "$(printf '\033[31mred\302\233x')"
	record_any ../run.jsonl --start "$(printf 'a\033b')"
	eg 0 history a --format csv
	says '\x1b[31mred' '[new start: a\x1bb]'
	[[ $out != *$'\033'* && $out != *$'\302\233'* ]]
}

@test "commits without a record are seen, in every format" {
	fallen 1
	commit x1
	commit x2
	eg 2 record --start '' ../run.jsonl
	tells '--start is empty'
	record_any ../run.jsonl --start 'new corpus'
	commit x3
	eg 0 history a
	says '·        1 commit without a record' 'n/a not asked, · no record'
	eg 0 history a --format csv
	says ',,1 commit without a record,,' '[new start: new corpus] x2'
	eg 0 history a --format markdown
	says '| 1 commit without a record |' 'new start: new corpus&#93; x2'
	eg 0 history a --format json
	says '"skipped": 1' '"skipped":1'
}

@test "a record that serves several commits is seen once, and marked" {
	shared
	act 0 record "$T/r1.csv"
	git switch -q -c topic
	echo 1 > file
	commit p1
	act 1 record "$T/r5.csv"
	git switch -q main
	git merge -q --squash topic > "$T/squash"
	commit squash
	commit empty
	act 1 check "$T/r5.csv"
	act 0 history
	says 'default: 2 records, 1 commit without one' \
	    "[record of $(git rev-parse --short=7 topic)] squash"
	act 0 history --format json
	says "\"record_of\":\"$(git rev-parse topic)\""
}

@test "the same ranks with another verdict are not called other ranks" {
	shared
	config <<< $'metrics: [mrr]\nbaseline: {required: true}'
	commit c2
	act 3 record "$T/r1.csv"
	act 0 record --start begin "$T/r1.csv"
	commit c3
	act 0 check "$T/r1.csv"
	says 'the same ranks were recorded' 'with another verdict'
	says_not unstable
}

@test "history as Markdown: a row a record, whatever the subjects hold" {
	fallen 1
	commit 'a | b <img src=x> `c` @all'
	record_any ../run.jsonl
	eg 0 history a --format markdown
	same "$(awk -F'|' '{ print NF }' <<< "$out" | sort -u | wc -l)" 1
	says_not '<img' '@all' '`c`'
}

@test "formats that a command does not have are refused" {
	fallen 1
	eg 2 check ../run.jsonl --format csv
	tells "'csv'" 'text, json'
	eg 2 blame a --format markdown
	tells "'markdown'"
}
