#!/bin/sh
# Usage: EVALGATE=/path/to/evalgate make.sh WORKDIR
# Builds origin, where rank 2 is recorded at the parent of the tip, and a full
# clone of it, which has no notes: git fetches branches alone.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
evalgate=${EVALGATE:-evalgate}
mkdir -p "$1"
cd "$1"
work=$(pwd)
export GIT_AUTHOR_NAME=Tester GIT_AUTHOR_EMAIL=tester@example.com
export GIT_COMMITTER_NAME=Tester GIT_COMMITTER_EMAIL=tester@example.com
now=1700000000

commit() {
	now=$((now + 60))
	GIT_AUTHOR_DATE="$now +0000" GIT_COMMITTER_DATE="$now +0000" \
	    git commit -q --allow-empty -m "$1"
}

# A repository of this name with the config in its first commit.
create() {
	git init -q -b main "$@"
	for name; do :; done
	cd "$name"
	cp "$here/evalgate.yaml" .
	git add evalgate.yaml
	commit c1
}

rm -rf origin clone
create origin
commit c2
"$evalgate" record -q "$here/rank2.csv"
commit c3
cd ..
git clone -q "file://$work/origin" clone
