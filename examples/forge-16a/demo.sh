#!/bin/sh
# The main job on real data.  In a throw-away repository, one commit a
# retrieval method; `record` and `check` are called as CI would call them.
# Averages rise with each step, and two questions that matter fall.
# Exits 0 when the gate failed for that reason, and for no other.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
evalgate=${EVALGATE:-$here/../../build/evalgate}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The repository is nobody's: neither names nor settings of yours get in.
export HOME="$work" GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
export GIT_AUTHOR_NAME=Demo GIT_AUTHOR_EMAIL=demo@example.org
export GIT_COMMITTER_NAME=Demo GIT_COMMITTER_EMAIL=demo@example.org
unset GITHUB_EVENT_NAME CI_PIPELINE_SOURCE GIT_DIR GIT_WORK_TREE || :

PATH=$(dirname "$evalgate"):$PATH
mkdir "$work/retriever"
cd "$work/retriever"
git init -q -b main .
cp "$here/questions.yaml" "$here/evalgate.yaml" .
echo results.csv > .gitignore

say() {
	printf '\n# %s\n' "$*"
}

run() {
	printf '$ %s\n' "$*"
	"$@"
}

# A new retriever: its commit, and the results that it leaves behind.
commit() {
	echo "$1" > method.txt
	cp "$here/runs/$1.csv" results.csv
	git add .
	GIT_AUTHOR_DATE="$2" GIT_COMMITTER_DATE="$2" git commit -q -m "$3"
}

say "78 questions about the daily drilling reports of a geothermal well."
say "Monday: keyword search.  CI records its ranks with the commit."
commit keyword_and_stop 2026-03-02T09:00:00Z 'search by keywords'
run evalgate record --quiet results.csv

say "Tuesday: dense retrieval finds far more."
commit dense_lsa_doc 2026-03-03T09:00:00Z 'dense retrieval'
run evalgate record --quiet results.csv

say "Wednesday: a hybrid of both.  The averages rise again."
commit rrf_bm25x2_dense05 2026-03-04T09:00:00Z 'hybrid, BM25 twice'
status=0
run evalgate check results.csv || status=$?
printf '(exit status %d)\n' "$status"

say "Red main is remembered: the record keeps the verdict."
run evalgate record --quiet results.csv > /dev/null || :
say "When did they fall?  Ranks live with the commits, in git notes."
run evalgate history T01 N38 hit@5

say "What to do: give dense retrieval more weight, and check again.  Or accept
# the loss for a while, where everybody reads it: in evalgate.yaml."
run evalgate accept T01 N38 --run results.csv --until 2030-01-31 \
    --reason trial

# The right reason: both averages rose, and T01 and N38 alone fell.
check() {
	git notes --ref=evalgate/default show HEAD | grep -q "$1" || {
		echo "demo: the record does not say $1" >&2
		exit 1
	}
}
[ "$status" = 1 ] || {
	echo "demo: the gate should have failed with 1, not $status" >&2
	exit 1
}
check '"verdict":"fail"'
fallen=$(evalgate check results.csv --format json |
	sed -n 's/.*"subject":"\([^"]*\)".*"level":"error","class":"new-regression".*/\1/p' |
	tr '\n' ' ')
[ "$fallen" = "N38 T01 " ] || {
	echo "demo: N38 and T01 should have fallen, in this order, and no other: $fallen" >&2
	exit 1
}
