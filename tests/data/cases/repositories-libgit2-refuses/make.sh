#!/bin/sh
# Usage: EVALGATE=/path/to/evalgate make.sh WORKDIR
# Builds owned (another user's; needs root), sha256, reftable, and main with
# the linked worktree wt; main has rank 2 recorded at the parent of its tip.
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

rm -rf owned sha256 reftable main wt
create main
"$evalgate" record -q "$here/rank2.csv"
commit c2
git worktree add -q --detach "$work/wt" HEAD
cd ..
create owned
cd ..
# Who isn't root can't give it away: that part is then left out.
chown -R 12345:12345 owned 2>/dev/null || rm -rf owned
create --object-format=sha256 sha256
cd ..
create reftable
git config core.repositoryformatversion 1
git config extensions.refStorage reftable
create --object-format=sha256 sha256
cd ..
# What newer gits write: this one may not be able to make it.
create reftable
git config core.repositoryFormatVersion 1
git config extensions.refStorage reftable
