#!/usr/bin/env bats
# bats file_tags=plain
# Inputs that broke other tools: tests/data/cases, a row of its README each.

load helper

# The case's files in a repository of their own.
open() {
	new_repo "${1//\//-}"
	cp -R "$DATA/cases/$1/." .
	commit "$1"
}

@test "ties-by-id: the document id decides, descending, as bytes" {
	open ties-by-id
	judged 1 check
	json verdict=fail metrics/mrr/value~0.6 metrics/precision@1/value~0.2 \
	    metrics/recall@5/value~1 'questions/*/metrics/mrr=0.5,1,0.5,0.5,0.5' \
	    findings=1 findings/mrr/class=below-limit findings/mrr/rule=min \
	    findings/mrr/level=error findings/mrr/line=6
}

@test "missing-question-counts-zero: it stays in every average" {
	open missing-question-counts-zero
	judged 1 check
	says 'not in the run' 'q4' '1 result'
	json metrics/recall@5/value~0.75 metrics/mrr/value~0.75 \
	    metrics/hit@1/value~0.75 questions=4 counts/answerable=4 \
	    counts/missing=1 questions/q4/missing=true \
	    questions/q4/rank=null questions/q4/metrics/mrr=0
}

@test "missing-question-counts-zero: results nobody asked for change nothing" {
	open missing-question-counts-zero
	judged 1 check
	cp "$T/report.json" "$T/with.json"
	sed -i /q9/d run.trec
	judged 1 check
	same "$(perl "$CLI/json.pl" "$T/with.json" 'metrics/*/value')" \
	    "$(perl "$CLI/json.pl" "$T/report.json" 'metrics/*/value')"
}

@test "document-twice: a TREC run is refused, with its line" {
	open document-twice
	judged 2 check -c trec.yaml
	tells 'run.trec:2: ' q1 d1
}

@test "document-twice: a list is refused" {
	open document-twice
	judged 2 check -c list.yaml
	tells 'run.json:1: ' q1 guide
}

@test "document-twice: with duplicates: first it counts once, nothing above 1" {
	open document-twice
	judged 0 check -c list-first.yaml
	json metrics/recall@3/value=1 metrics/mrr/value=1 metrics/map/value=1 \
	    metrics/ndcg@3/value=1 metrics/precision@3/value~0.333333
}

@test "recall-by-judgments: recall and ndcg know what was not retrieved" {
	open recall-by-judgments
	judged 1 check
	json metrics/recall@5/value~0.2 metrics/hit@5/value~1 \
	    metrics/mrr/value~1 metrics/precision@5/value~0.2 \
	    metrics/map/value~0.2 metrics/ndcg@5/value~0.339160
}

@test "layout-noise: tabs, blanks, CRLF, # in ids, exponents, no last newline" {
	open layout-noise/plain
	judged 0 check
	json metrics/mrr/value~0.75 metrics/recall@5/value~1 questions=2 \
	    questions/q1/rank=2 questions/q2/rank=1
}

@test "layout-noise: the same with BOMs" {
	open layout-noise/bom
	judged 0 check
	json metrics/mrr/value~0.75 metrics/recall@5/value~1 questions=2 \
	    questions/q1/rank=2 questions/q2/rank=1
}

@test "short-list: precision divides by k, map by all that is relevant" {
	open short-list
	judged 1 check
	json metrics/precision@5/value~0.2 metrics/map/value~0.5 \
	    metrics/recall@5/value~0.5 metrics/ndcg@5/value~0.613147 \
	    metrics/mrr/value~1
}

@test "ids-are-text: no, on, y and true stay as written" {
	open ids-are-text
	judged 0 check
	json questions=4 'questions/*/id=no,on,true,y' metrics/mrr/value~0.5 \
	    metrics/recall@1/value~0 metrics/recall@5/value~1
	eg 0 score --per-question
	says '  no' '  on' '  true' '  y'
}

@test "config-constructs: a key twice, a section twice, a limit twice" {
	open config-constructs
	judged 2 check -c duplicate-key.yaml
	tells 'duplicate-key.yaml:8: ' "'min'" 'line 6'
	judged 2 check -c duplicate-section.yaml
	tells 'duplicate-section.yaml:6: ' "'thresholds'" 'line 4'
	judged 2 check -c same-limit-twice.yaml
	tells 'same-limit-twice.yaml:7: ' 'recall@5' '5'
}

@test "config-constructs: a second document, a tab" {
	open config-constructs
	judged 2 check -c two-documents.yaml
	tells 'two-documents.yaml:6: ' 'document'
	judged 2 check -c tab.yaml
	tells 'tab.yaml:5: ' 'tab'
}

@test "alias-bomb: refused within 5 s and 256 MiB" {
	open alias-bomb
	local bomb
	for bomb in nested self; do
		# Address space is a sanitizer's own affair.
		[[ ${KIND-} = sanitize ]] || ulimit -v 262144
		ulimit -t 5
		judged 2 check -c "evalgate-$bomb.yaml"
		tells "$bomb.yaml:"
	done
}

@test "keys-are-exact: case tells questions and documents apart" {
	open keys-are-exact
	judged 0 check -c case.yaml
	json metrics/mrr/value~0.75 questions=2 questions/Q1/metrics/mrr~0.5 \
	    questions/q1/metrics/mrr~1
}

@test "keys-are-exact: a question or a document twice is refused" {
	open keys-are-exact
	judged 2 check question-twice.json
	tells 'question-twice.json:1: ' q1
	judged 2 check document-twice.json
	tells 'document-twice.json:1: ' d1
}

@test "json-files: two values are never one record alone" {
	open json-files
	local status=0
	"$EVALGATE" check two-values.json > "$T/stdout" 2> "$T/stderr" ||
	    status=$?
	if [ $status = 1 ]; then
		judged 1 check two-values.json
		json metrics/recall@5/value~0.5
	else
		judged 2 check two-values.json
		tells 'two-values.json:'
	fi
}

@test "json-files: too deep, cut off" {
	open json-files
	judged 2 check deep.json
	tells 'deep.json:1: ' deep
	judged 2 check cut-off.json
	tells 'cut-off.json:1: '
}

@test "json-files: JSON lines with BOM, CRLF, blank lines, no last newline" {
	open json-files
	judged 0 check -c evalgate3.yaml blank-lines.jsonl
	json metrics/recall@5/value~0.666667 metrics/mrr/value~0.5 questions=3
}

@test "json-files: the broken line is named by its number in the file" {
	open json-files
	judged 2 check -c evalgate3.yaml broken-line-4.jsonl
	tells 'broken-line-4.jsonl:4: '
}

@test "csv-quoting: BOM, CRLF, a quoted line break, doubled quotes" {
	open csv-quoting
	local file
	for file in results.csv rank-zero.csv; do
		judged 0 check "$file"
		json questions=5 metrics/recall@3/value~0.8 \
		    metrics/mrr/value~0.566667 metrics/ndcg@3/value~0.626186 \
		    metrics/hit@1/value~0.4 \
		    'questions/Last casing job?/rank=null' \
		    'questions/Who wrote "coolant leak" first?/rank=1' \
		    'questions/Which report covers the pump swap, and why?/rank=1'
	done
}

# ------------------------------------------------------------- repositories --

# Each of the two folders makes its repositories; once is enough.
setup_file() {
	local BATS_TEST_TMPDIR=$BATS_FILE_TMPDIR
	pin
	EVALGATE=$EVALGATE "$DATA/cases/notes-not-fetched/make.sh" \
	    "$T/notes" > /dev/null
	EVALGATE=$EVALGATE "$DATA/cases/repositories-libgit2-refuses/make.sh" \
	    "$T/refused" > /dev/null
}

@test "notes-not-fetched: a clone has no notes, and is told how to get them" {
	cp -R "$BATS_FILE_TMPDIR/notes" "$T/made"
	cd "$T/made/clone"
	judged 0 check "$DATA/cases/notes-not-fetched/rank5.csv"
	says 'no history' 'evalgate sync --fetch' 'refs/notes/evalgate'
	says_not 'no question got worse'
	json before=null good=null metrics/hit@1/value~0.5
}

@test "notes-not-fetched: where a baseline is required there is no verdict" {
	cp -R "$BATS_FILE_TMPDIR/notes" "$T/made"
	cd "$T/made/clone"
	cp "$DATA/cases/notes-not-fetched/required.yaml" evalgate.yaml
	judged 3 check "$DATA/cases/notes-not-fetched/rank5.csv"
	says 'NO VERDICT' 'fetch'
	json verdict=none
}

@test "notes-not-fetched: once they are fetched the fall is seen" {
	cp -R "$BATS_FILE_TMPDIR/notes" "$T/made"
	cd "$T/made/clone"
	git fetch -q origin '+refs/notes/*:refs/notes/*'
	judged 1 check "$DATA/cases/notes-not-fetched/rank5.csv"
	says 'rank 2 → 5'
	json findings/0/class=new-regression findings/0/baseline=2 \
	    findings/0/current=5
}

REFUSED=$DATA/cases/repositories-libgit2-refuses

@test "repositories-libgit2-refuses: another user's, and how to trust it" {
	local made=$BATS_FILE_TMPDIR/refused
	[ -d "$made/owned" ] || skip 'only root can give a repository away'
	cd "$made/owned"
	eg 4 check "$REFUSED/rank5.csv"
	tells 'safe.directory' "$made/owned"
}

@test "repositories-libgit2-refuses: SHA-256" {
	local made=$BATS_FILE_TMPDIR/refused
	cd "$made/sha256"
	eg 4 check "$REFUSED/rank5.csv"
	tells sha256 object
}

@test "repositories-libgit2-refuses: reftable" {
	local made=$BATS_FILE_TMPDIR/refused
	cd "$made/reftable"
	eg 4 check "$REFUSED/rank5.csv"
	tells reftable
}

@test "repositories-libgit2-refuses: a linked worktree is none of them" {
	local made=$BATS_FILE_TMPDIR/refused
	cd "$made/wt"
	judged 1 check "$REFUSED/rank5.csv"
	says 'rank 2 → 5'
}

# --------------------------------------------------------------------- gate --

@test "threshold-met-exactly: a share met exactly passes" {
	open threshold-met-exactly
	judged 0 check -c share.yaml
	json verdict=pass findings=0 metrics/recall@3/value~0.8
}

@test "threshold-met-exactly: so does a sum that rounding leaves short" {
	open threshold-met-exactly
	judged 0 check -c sum.yaml
	json verdict=pass findings=0 metrics/recall@5/value~0.8
}

@test "threshold-met-exactly: .799603 is below .8, and shown so" {
	open threshold-met-exactly
	judged 1 check -c nearly.yaml
	says '0.7996'
	says_not '0.80 < 0.80' '0.800 → 0.800' '0.800 <'
	json metrics/mrr/value~0.799603 findings/mrr/class=below-limit \
	    findings/mrr/limit~0.8
}

@test "threshold-met-exactly: a drop of exactly what is allowed passes" {
	open threshold-met-exactly
	record 0 -c drop.yaml baseline.csv
	commit next
	judged 0 check -c drop.yaml current.csv
	json metrics/recall@10/baseline~0.85 metrics/recall@10/value~0.84
}

@test "threshold-met-exactly: a little less allowed, and it fails" {
	open threshold-met-exactly
	record 0 -c drop-less.yaml baseline.csv
	commit next
	judged 1 check -c drop-less.yaml current.csv
	says '0.85' '0.84'
	json findings/recall@10/class=new-regression \
	    findings/recall@10/rule=max_drop
}

@test "unusable-limits: no number, no share" {
	open unusable-limits
	local name
	for name in nan percent decimal-comma no-value below-zero infinite; do
		judged 2 check -c "$name.yaml"
		tells "$name.yaml:6: " 'recall@5'
	done
	judged 2 check -c percent.yaml
	tells '0.8'
}

@test "unusable-limits: no such metric, no cutoff" {
	open unusable-limits
	judged 2 check -c misspelled-metric.yaml
	tells 'misspelled-metric.yaml:5: ' 'recal@5' 'recall@'
	judged 2 check -c cutoff-zero.yaml
	tells 'cutoff-zero.yaml:5: ' 'recall@0'
	judged 2 check -c no-cutoff.yaml
	tells 'no-cutoff.yaml:5: ' 'recall' 'recall@'
}

@test "unusable-limits: a misspelled key, no questions" {
	open unusable-limits
	judged 2 check -c misspelled-key.yaml
	tells 'misspelled-key.yaml:4: ' 'treshold' 'thresholds'
	judged 2 check -c no-questions.yaml
	tells 'empty.yaml' 'no questions'
}

@test "unusable-limits: an exponent is a number" {
	open unusable-limits
	judged 1 check -c exponent.yaml
	json metrics/recall@5/value~0.5 findings/recall@5/limit~0.9
}

# tracked BASELINE CURRENT STATUS CLAIM...
fallen() {
	open tracked-falls-averages-rise
	record 0 "$1"
	commit next
	judged "$3" check "$2"
	shift 3
	json "$@"
}

LEAK='Which log first mentions the coolant leak?'

@test "tracked-falls-averages-rise: 4 → 7 fails though the averages rise" {
	fallen baseline.csv falls.csv 1 metrics/mrr/value~0.660714 \
	    metrics/recall@10/value~1 findings=1 \
	    "findings/$LEAK/class=new-regression"
	says "$LEAK" 'rank 4 → 7'
}

@test "tracked-falls-averages-rise: 4 → not found fails" {
	fallen baseline.csv lost.csv 1 metrics/mrr/value~0.75 \
	    metrics/recall@10/value~0.75 findings=1 \
	    "findings/$LEAK/class=new-regression" "findings/$LEAK/current=null"
	says "$LEAK" 'rank 4 → not found'
}

@test "tracked-falls-averages-rise: an untracked question may fall" {
	fallen baseline.csv other-falls.csv 0 metrics/mrr/value~0.520833
	same "$(found error)$(found warn)" ''
}

@test "tracked-falls-averages-rise: up, unchanged, found" {
	fallen baseline.csv rises.csv 0 metrics/mrr/value~0.583333
	rm -rf "$T/tracked-falls-averages-rise"
	fallen baseline.csv unchanged.csv 0 metrics/mrr/value~0.5625 findings=0
	rm -rf "$T/tracked-falls-averages-rise"
	fallen baseline-missed.csv found.csv 0 metrics/mrr/value~0.53125
	json "questions/$LEAK/class=found"
}
