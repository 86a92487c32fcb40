#!/usr/bin/env bats
# Parts of the question set: slices, thresholds on a part, holdout and
# unanswerable questions, and how far one question moves a mean.

load helper

# Ten questions: f1 to f8 of faq, p1 and p2 of policy; all at rank 1.
ten() {
	local i
	config <<-END
		questions: questions.yaml
		metrics: [mrr, hit@5]
		$1
	END
	for i in f1 f2 f3 f4 f5 f6 f7 f8 p1 p2; do
		echo "- {id: $i, expected: d-$i, kind: ${i%[0-9]}, tags: [all, n${i#?}]}"
	done > questions.yaml
	sed -i 's/kind: f/kind: faq/; s/kind: p/kind: policy/' questions.yaml
	ranked f1=1 f2=1 f3=1 f4=1 f5=1 f6=1 f7=1 f8=1 p1=1 p2=1
}

# The run in $T/run.csv.
ranked() {
	local pair
	echo question,rank > "$T/run.csv"
	for pair; do
		echo "${pair%%=*},${pair#*=}" >> "$T/run.csv"
	done
}

POLICY='mrr[kind%3dpolicy]'

@test "slice-collapses: the average stands, the slice fails" {
	new_repo
	cp -R "$DATA/cases/slice-collapses/." .
	commit c1
	judged 1 check -c slice-limit.yaml
	json metrics/recall@5/value~0.8 metrics/mrr/value~0.8 \
	    'metrics/recall@5[slice%3dfaq]/value=1' \
	    'metrics/recall@5[slice%3dpolicy]/value=0' \
	    'metrics/recall@5[slice%3dpolicy]/n=2' \
	    findings=1 findings/recall@5/slice=slice=policy \
	    findings/recall@5/class=below-limit findings/recall@5/line=7
	says 'recall@5 [slice=policy]' 'slice=faq'
}

@test "slice-collapses: a limit for a slice that is not there is a mistake" {
	new_repo
	cp -R "$DATA/cases/slice-collapses/." .
	commit c1
	judged 2 check -c misspelled-slice.yaml
	tells 'misspelled-slice.yaml:7: ' "'policy'" slice=polcy
	judged 0 check -c no-slice-limit.yaml
	json metrics/recall@5/value~0.8 findings=0
}

@test "slices: a field's values, a list's items, in order, and what has none" {
	ten 'slices: [kind, tags]'
	sed -i '2s/kind: faq, //' questions.yaml
	ranked f1=1 f2=2 f3=1 f4=1 f5=1 f6=1 f7=1 f8=1 p1=2 p2=4
	judged 0 score run.csv
	json metrics/mrr/n=10 metrics/mrr/value~0.825 \
	    'metrics/mrr[kind%3dfaq]/n=7' 'metrics/mrr[kind%3dfaq]/value=1' \
	    "metrics/$POLICY/n=2" "metrics/$POLICY/value=0.375" \
	    'metrics/mrr[tags%3dall]/n=10' 'metrics/mrr[tags%3dn2]/n=2' \
	    'metrics/mrr[tags%3dn2]/value=0.375' \
	    'metrics/mrr[tags%3dn8]/value=1'
	says 'kind=faq' 'kind=policy' 'tags=n1'
	says_not 'holdout'
}

@test "slices: a number, a truth value and text of YAML are as written" {
	ten 'slices: [year, on, x y]'
	sed -i '1s/kind: faq/year: 2020, on: yes, "x y": "a=b, c"/
	    2s/kind: faq/year: 2020.0, on: true/' questions.yaml
	judged 0 score run.csv
	json 'metrics/mrr[year%3d2020]/n=1' 'metrics/mrr[year%3d2020.0]/n=1' \
	    'metrics/mrr[on%3dyes]/n=1' 'metrics/mrr[on%3dtrue]/n=1' \
	    'metrics/mrr[x y%3da%3db, c]/n=1'
}

@test "slices: a field that no question has is a mistake" {
	ten 'slices: [kind, knid]'
	eg 2 score run.csv
	tells 'evalgate.yaml' "'knid'"
	sed -i 's/^slices.*/slices: kind/' evalgate.yaml
	eg 2 score run.csv
	tells 'evalgate.yaml:4: ' slices
	sed -i 's/^slices.*/slices: [[kind]]/' evalgate.yaml
	eg 2 score run.csv
	tells 'evalgate.yaml:4: '
}

@test "where: floors and drops of a part, with several fields" {
	new_repo
	ten 'thresholds:
  - {metric: mrr, where: {kind: policy}, max_drop: 0.1}
  - {metric: mrr, where: {kind: faq, tags: n2}, min: 0.5, max_drop: 20%}
  - {metric: mrr, where: {tags: n1}, max_drop: 0.05, level: warn}
'
	commit c1
	record 0 ../run.csv
	commit c2
	judged 0 check ../run.csv
	json 'metrics/mrr[kind%3dfaq,tags%3dn2]/n=1' \
	    "metrics/$POLICY/baseline=1"
	# policy falls by a half; (1 + .5) / 2 of n1 is a warning.
	sed -i 's/^p1,1/p1,2/' ../run.csv
	judged 1 check ../run.csv
	json findings/0/slice=kind=policy findings/0/class=new-regression \
	    findings/0/line=5 findings/1/level=warn "metrics/$POLICY/losses=1" \
	    "metrics/$POLICY/delta=-0.25"
	same "$(found error)" mrr
	# A drop by half, and the floor is met exactly.
	sed -i 's/^p1,2/p1,1/; s/^f2,1/f2,2/' ../run.csv
	judged 1 check ../run.csv
	json findings=1 findings/0/slice=kind=faq,tags=n2 findings/0/rule=max_drop
	sed -i 's/^f2,2/f2,3/' ../run.csv
	judged 1 check ../run.csv
	json findings=2
}

@test "where: the same limit twice for one part, and parts that differ" {
	ten 'thresholds:
  - {metric: mrr, where: {kind: faq, tags: n1}, min: 0.1}
  - {metric: mrr, where: {tags: n1, kind: faq}, min: 0.2}
'
	eg 2 score run.csv
	tells 'evalgate.yaml:6: ' 'mrr' 'line 5'
	sed -i '6s/faq/policy/' evalgate.yaml
	eg 0 score run.csv
}

@test "where: a field or a value that is not there, with a suggestion" {
	ten 'thresholds: [{metric: mrr, where: {knid: faq}, min: 0.1}]'
	eg 2 score run.csv
	tells 'evalgate.yaml:4: ' knid=faq
	sed -i 's/knid: faq/kind: fap/' evalgate.yaml
	eg 2 score run.csv
	tells 'evalgate.yaml:4: ' kind=fap "'faq'"
}

# ------------------------------------------------------------ unanswerable --

@test "unanswerable: left out of every average, counted and named" {
	ten 'slices: [kind]'
	sed -i 's/^- {id: p1, expected: d-p1/- {id: p1, expected: []/
	    s/^- {id: f1,/- {id: f1, evaluable: false,/' questions.yaml
	ranked f2=1 f3=2 f4=1 f5=1 f6=1 f7=1 f8=1 p1=1 p2=2
	judged 0 score run.csv
	json questions=10 counts/answerable=8 counts/missing=0 \
	    metrics/mrr/value=0.875 metrics/mrr/n=8 \
	    'metrics/mrr[kind%3dfaq]/n=7' "metrics/$POLICY/n=1" \
	    questions/p1/answerable=false questions/f1/answerable=false
	says '2 unanswerable, left out: f1, p1'
	eg 0 score --per-question run.csv
	says ' f2' ' p2'
	[[ $out != *$'  p1\n'* ]]
}

@test "unanswerable: a slice of them alone has no row, all of them none" {
	ten 'slices: [kind]'
	sed -i 's/expected: d-p[12]/expected: []/' questions.yaml
	judged 0 score run.csv
	says_not 'kind=policy'
	json metrics/mrr/n=8
	sed -i 's/expected: d-f[0-9]/expected: []/' questions.yaml
	eg 2 score run.csv
	tells questions.yaml answerable
}

@test "judged with nothing relevant: counts 0, and is named" {
	config <<-'END'
		questions: qrels
		metrics: [mrr]
		relevance: 2
	END
	printf '%s\n' 'q1 0 d 2' 'q2 0 d 1' 'q3 0 d 0' 'q4 0 d -1' > qrels
	printf '%s Q0 d 1 1 t\n' q1 q2 q3 q4 > run
	judged 0 score run
	json metrics/mrr/value=0.25 counts/answerable=4
	says '3 judged with nothing relevant, counted 0: q2, q3, q4'
}

# ----------------------------------------------------------------- holdout --

# Three of them; one falls, one of the rest falls.
held_out() {
	ten "$1"
	sed -i 's/^- {id: \(f[12]\|p1\),/- {id: \1, holdout: true,/' questions.yaml
}

@test "holdout: the gap to the rest is shown, in text and JSON" {
	held_out
	ranked f1=2 f2=4 f3=1 f4=1 f5=1 f6=1 f7=1 f8=1 p1= p2=2
	judged 0 score run.csv
	json metrics/mrr/value=0.725 \
	    'metrics/mrr[holdout%3dtrue]/n=3' \
	    'metrics/mrr[holdout%3dtrue]/value=0.25' \
	    'metrics/mrr[holdout%3dfalse]/n=7' \
	    'metrics/mrr[holdout%3dfalse]/value~0.9285714' \
	    questions/f1/holdout=true questions/f3/holdout=false
	says 'holdout=false' 'holdout=true'
}

@test "holdout: never listed, whatever happens to them" {
	new_repo
	held_out
	commit c1
	record 0 ../run.csv
	commit c2
	sed -i 's/^f1,1/f1,7/; s/^f3,1/f3,6/' ../run.csv
	judged 1 check -v ../run.csv
	[[ ! $out =~ [^a-z]f1[^0-9] ]]
	json questions/f1/holdout=true metrics/mrr/losses=2
	eg 0 score --per-question ../run.csv
	[[ $out =~ ' f3' && ! $out =~ ' f1' && ! $out =~ ' p1' ]]
	eg 0 compare -v ../run.csv ../run.csv
	cp ../run.csv ../old.csv
	sed -i 's/^f1,7/f1,1/; s/^f3,6/f3,1/' ../old.csv
	eg 0 compare -v ../old.csv ../run.csv
	says 'f3  rank 1 → 6'
	[[ ! $out =~ [^a-z]f1[^0-9] ]]
}

@test "holdout: one that is tracked is told of, since it was asked for" {
	new_repo
	held_out 'tracked: [{question: f1}]'
	commit c1
	record 0 ../run.csv
	commit c2
	sed -i 's/^f1,1/f1,7/' ../run.csv
	judged 1 check ../run.csv
	says 'f1  rank 1 → 7'
}

@test "holdout: can be sliced, limited and picked as any field" {
	held_out 'slices: [holdout]'
	judged 0 score run.csv
	json 'metrics/mrr[holdout%3dtrue]/n=3'
	sed -i 's/^slices.*/thresholds: [{metric: mrr, where: {holdout: true}, min: 0.5}]/' \
	    evalgate.yaml
	judged 0 score run.csv
	judged 0 score --only holdout=false run.csv
	json metrics/mrr/n=7
}

# -------------------------------------------------------------- resolution --

@test "resolution: how far one question moves a mean, in JSON and with -v" {
	ten 'slices: [kind]'
	judged 0 score -v run.csv
	json metrics/mrr/resolution=0.1 "metrics/$POLICY/resolution=0.5" \
	    'metrics/hit@5[kind%3dfaq]/resolution=0.125'
	says 'mrr moves by up to 0.1 ' 'hit@5 moves' '(n = 10)'
	# A limit that the loss of any one question breaks is told.
	cat >> evalgate.yaml <<-'END'
		thresholds: [{metric: hit@5, max_drop: 0.02}]
	END
	judged 0 score -v run.csv
	says 'any one question'
}
