#!/bin/sh
# Shards on one machine with GNU parallel: each gets a part of the questions,
# and evalgate reads all of them as one run.
#   shards.sh QUESTIONS RETRIEVE [N]
# QUESTIONS has a question a line, RETRIEVE reads such lines and prints
# results in JSON Lines.
set -eu

questions=$1 retrieve=$2 n=${3:-4}
shards=$(mktemp -d)
trap 'rm -rf "$shards"' EXIT

parallel --jobs "$n" --pipepart --block -1 --arg-file "$questions" \
    "$retrieve > $shards/{#}.jsonl"
evalgate check "$shards"/*.jsonl
