#!/usr/bin/env bats
# The story evalgate exists for: report #39 for "stuck pipe" is not found by
# keywords, at rank 5 in the dense ranking, 9 in the weighted hybrid and 7 in
# the even one.

load helper

SAMPLE=$FORGE/sample10
KEYWORD=$SAMPLE/ch03_keyword_and.trec
DENSE=$SAMPLE/ch04_dense_minilm_quoted.trec
WEIGHTED=$SAMPLE/ch09_rrf_bm25x2_dense05.trec
EVEN=$SAMPLE/ch09_rrf_equal.trec

# A repository with the first methods recorded, a commit each, and a further
# commit without a record.
story() {
	local run
	new_repo
	cp "$SAMPLE/questions.yaml" .
	config <<-'END'
		questions: questions.yaml
		tracked:
		  - {question: T01, document: FORGE-16A-78-32_Drilling_039_2020-11-27.pdf}
		metrics: [mrr]
	END
	{ cat evalgate.yaml && echo 'baseline: {accept: any}'; } > any.yaml
	commit c1
	for run; do
		"$EVALGATE" record -q "$run" > /dev/null || [ $? = 1 ]
		commit "c$(($(git rev-list --count HEAD) + 1))"
	done
}

@test "keyword search does not find it: a first run passes and says so" {
	story
	judged 0 check "$KEYWORD"
	says 'PASS' 'compared with nothing' 'no history' 'evalgate record' \
	    'evalgate sync --fetch'
	json verdict=pass before=null good=null counts/tracked=1 \
	    questions/T01/rank=null questions/T01/baseline=null \
	    metrics/mrr/value=0 findings=0
}

@test "dense retrieval finds it: exit 0, found" {
	story "$KEYWORD"
	judged 0 check "$DENSE"
	says 'PASS' 'T01  rank not found'
	json verdict=pass event=local \
	    before/commit="$(git rev-parse HEAD^)" before/verdict=pass \
	    before/distance=1 before/age_seconds=60 \
	    good/commit="$(git rev-parse HEAD^)" \
	    questions/T01/rank=5 questions/T01/baseline=null \
	    questions/T01/class=found metrics/mrr/value=0.2 \
	    metrics/mrr/baseline=0
}

@test "the weighted hybrid pushes it down: exit 1, rank 5 → 9" {
	story "$KEYWORD" "$DENSE"
	judged 1 check "$WEIGHTED"
	says 'FAIL' 'T01  rank 5 → 9' 'stuck pipe'
	json verdict=fail before/commit="$(git rev-parse HEAD^)" \
	    good/commit="$(git rev-parse HEAD^)" \
	    questions/T01/rank=9 questions/T01/baseline=5 \
	    questions/T01/depth=10 questions/T01/class=new-regression \
	    findings/T01/class=new-regression findings/T01/level=error \
	    findings/T01/baseline=5 findings/T01/current=9 \
	    findings/T01/rule=tracked findings/T01/file=evalgate.yaml \
	    findings/T01/line=4 \
	    findings/mrr/class=new-regression findings=2 \
	    'questions/T01/history/*/rank=null,5'
}

@test "the even hybrid is no way back: exit 1, still failing, rank 5 → 7" {
	story "$KEYWORD" "$DENSE" "$WEIGHTED"
	judged 1 check "$EVEN"
	says 'FAIL' 'T01  rank 5 → 7' 'still-failing'
	json verdict=fail before/commit="$(git rev-parse HEAD^)" \
	    before/verdict=fail good/commit="$(git rev-parse HEAD^^)" \
	    good/verdict=pass good/distance=2 \
	    questions/T01/rank=7 questions/T01/baseline=5 \
	    questions/T01/class=still-failing \
	    findings/T01/class=still-failing findings/T01/level=error \
	    findings/mrr/class=still-failing
}

@test "with accept: any it is an improvement: exit 0, rank 9 → 7" {
	story "$KEYWORD" "$DENSE" "$WEIGHTED"
	judged 0 check -c any.yaml "$EVEN"
	says 'PASS' 'T01  rank 9 → 7'
	json verdict=pass before/commit="$(git rev-parse HEAD^)" \
	    good/commit="$(git rev-parse HEAD^)" \
	    questions/T01/rank=7 questions/T01/baseline=9 \
	    questions/T01/class=improved
}

@test "history shows what became of it, oldest first" {
	story "$KEYWORD" "$DENSE" "$WEIGHTED" "$EVEN"
	eg 0 history T01 --format text --format "json:$T/report.json"
	says '–, 5, 9, 7'
	json suite=default records=4 'records/*/ranks/T01=null,5,9,7' \
	    'records/*/subject=c1,c2,c3,c4' \
	    'records/*/verdict=pass,pass,fail,fail' \
	    records/0/commit="$(git rev-parse HEAD~4)"
}

@test "history needs no question file" {
	story "$KEYWORD" "$DENSE"
	git rm -q questions.yaml
	commit 'no questions'
	eg 0 history --format "json:$T/report.json"
	json 'records/*/ranks/T01=null,5' 'records/*/metrics/mrr=0,0.2'
}
