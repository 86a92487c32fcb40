#!/usr/bin/env bats
# Where results come from: standard input, gzip, shards, patterns; and what -v
# says of each file.

load helper

# Questions q1 to q4, and a run of each, q1.trec to q4.trec, ranks 1 to 4.
four() {
	local i j
	config <<-'END'
		questions: questions.json
		metrics: [mrr]
	END
	echo '{"q1": {"d": 1}, "q2": {"d": 1}, "q3": {"d": 1}, "q4": {"d": 1}}' \
	    > questions.json
	for i in 1 2 3 4; do
		for j in 1 2 3 4; do
			if [ $i = $j ]; then
				echo "q$i Q0 d $j $((9 - j)) t"
			else
				echo "q$i Q0 x$j $j $((9 - j)) t"
			fi
		done > q$i.trec
	done
	cat q?.trec > whole
}

MRR=metrics/mrr/value~0.5208333

# ------------------------------------------------------------ standard input --

@test "-: from a file and from a pipe, runs and questions" {
	four
	judged 0 score - < whole
	json $MRR
	cat whole | judged 0 score -
	json $MRR
	gzip < whole | judged 0 score -
	json $MRR
	judged 0 score -Q - whole < questions.json
	json $MRR
	cat questions.json | judged 0 score -Q - whole
	json $MRR
}

@test "-: as one shard of several" {
	four
	judged 0 score q1.trec - q4.trec < <(cat q2.trec q3.trec)
	json $MRR
	eg 2 score q1.trec q2.trec - < q1.trec
	tells 'standard input:1: ' "'q1'" 'q1.trec:1'
}

@test "-: mistakes name standard input and the line" {
	four
	printf 'q1 Q0 d 1 2 t\nq1 Q0 x 1 y t\n' > bad
	eg 2 score - < bad
	tells 'standard input:2: '
	eg 2 score - < /dev/null
	tells 'standard input:1: ' empty
	eg 2 score -Q - whole <<< '[{"id": 1}'
	tells 'standard input:2: '
}

# ----------------------------------------------------------------------- gzip --

@test "gzip: whole, whatever the name, and of every kind of file" {
	four
	gzip -c whole > whole.trec.gz
	gzip -c questions.json > questions.json.gz
	gzip -c evalgate.yaml > c.yaml.gz
	judged 0 score whole.trec.gz
	json $MRR
	mv whole.trec.gz named-otherwise
	judged 0 score -c c.yaml.gz -Q questions.json.gz named-otherwise
	json $MRR
	printf 'question,expected,rank\nq1,d,1\nq2,d,2\n' | gzip > own.csv.gz
	config <<< 'metrics: [mrr]'
	judged 0 score own.csv.gz
	json metrics/mrr/value=0.75
}

@test "gzip: YAML in flow style is YAML" {
	four
	printf '[{id: q1, expected: d}, {id: q2, expected: d}]\n' |
	    gzip > q.yaml.gz
	gzip -c whole > whole.gz
	judged 0 score -Q q.yaml.gz whole.gz
	json questions=2 metrics/mrr/value=0.75
}

@test "gzip: members one behind the other are one file" {
	four
	local i
	for i in 1 2 3 4; do
		gzip -c q$i.trec
	done > all.gz
	judged 0 score all.gz
	json $MRR
	# A member's end need not be a line's.
	{ head -c 100 whole | gzip; gzip < /dev/null
	    tail -c +101 whole | gzip; } > all.gz
	judged 0 score all.gz
	json $MRR
}

@test "gzip: cut off anywhere, damaged, or followed by something else" {
	four
	gzip -c whole > all.gz
	local size length
	size=$(wc -c < all.gz)
	for length in 2 9 10 11 30 $((size / 2)) $((size - 8)) $((size - 1)); do
		head -c $length all.gz > cut.gz
		eg 2 score cut.gz
		[[ $err = cut.gz:[0-9]*': '*'cut off'* ]] || {
			echo "at $length: $err"
			return 1
		}
	done
	cat all.gz all.gz | head -c $((size + 20)) > cut.gz
	eg 2 score cut.gz
	[[ $err = cut.gz:[0-9]*': '*'cut off'* ]]
	# The check sum, and a bit in the middle.
	{ head -c $((size - 8)) all.gz; printf 'abcd'; tail -c 4 all.gz; } \
	    > bad.gz
	eg 2 score bad.gz
	tells 'bad.gz:17: ' gzip
	{ head -c 20 all.gz; printf '\xff\xff\xff\xff'
	    tail -c +25 all.gz; } > bad.gz
	eg 2 score bad.gz
	[[ $err = bad.gz:[0-9]*": "*gzip* ]]
	{ cat all.gz; echo 'q9 Q0 d 1 1 t'; } > bad.gz
	eg 2 score bad.gz
	[[ $err = bad.gz:[0-9]*": "*gzip* ]]
	printf '\x1f\x8b' > bad.gz
	eg 2 score -Q bad.gz whole
	[[ $err = bad.gz:[0-9]*": "*gzip* ]]
}

@test "gzip: lines are those of what is inside" {
	four
	printf 'q1 Q0 d 1 2 t\n\nq1 Q0 x 1 y t\n' | gzip > bad.gz
	eg 2 score bad.gz
	tells 'bad.gz:3: '
	gzip < /dev/null > empty.gz
	eg 2 score empty.gz
	tells 'empty.gz:1: ' empty
}

# --------------------------------------------------------------------- shards --

@test "shards: several files are one run, of whatever lists" {
	four
	judged 0 score q1.trec q2.trec q3.trec q4.trec
	json $MRR questions/q1/depth=4
	echo '{"q4": ["x", "y", "z", "d"], "q2": ["x", "d"]}' > some.json
	echo '{"id": "q3", "results": ["x", "y", "d"]}' | gzip > more.gz
	judged 0 score some.json more.gz q1.trec
	json $MRR counts/missing=0
}

@test "shards: a question in two is an error that names both files" {
	four
	eg 2 score q1.trec q2.trec whole
	tells 'whole:1: ' "'q1'" 'q1.trec:1'
	echo '{"q3": ["d"]}' > again.json
	eg 2 score whole again.json
	tells 'again.json:1: ' "'q3'" 'whole:9'
	# One that nobody asked about is no better.
	echo 'q9 Q0 d 1 1 t' > unknown1
	cp unknown1 unknown2
	eg 2 score whole unknown1 unknown2
	tells 'unknown2:1: ' "'q9'" 'unknown1:1'
	eg 2 score whole whole
	tells "'q1'" 'whole:1'
}

@test "shards: ranks alone and lists do not mix" {
	four
	printf 'question,rank\nq4,4\n' > q4.csv
	eg 2 score q1.trec q2.trec q3.trec q4.csv
	tells ranks lists
	printf 'question,rank\nq1,1\nq2,2\n' > a.csv
	printf 'question,rank\nq3,3\nq4,4\n' > b.csv
	judged 0 score a.csv b.csv
	json $MRR
}

@test "shards: none has a question in common, one has" {
	four
	echo 'Q9 Q0 d 1 1 t' > other
	judged 0 score other whole
	json $MRR
	echo 'Q8 Q0 d 1 1 t' > another
	eg 2 score other another
	tells 'in common'
}

# ------------------------------------------------------------------- patterns --

@test "patterns: what the shell did not expand, and what it did" {
	four
	mkdir shards
	mv q?.trec shards
	judged 0 score 'shards/*.trec'
	json $MRR
	judged 0 score shards/*.trec
	json $MRR
	judged 0 score 'shards/q[12].trec' 'shards/q[!12].trec'
	json $MRR
	sed -i '$arun: "shards/q?.trec"' evalgate.yaml
	judged 0 score
	json $MRR
	eg 2 score 'shards/*.jsonl'
	tells "'shards/*.jsonl'"
	eg 2 score 'nowhere/*'
	tells "'nowhere/*'"
}

@test "patterns: a file of that very name goes first" {
	four
	cp whole 'q*.trec'
	judged 0 score 'q*.trec'
	json $MRR
}

@test "patterns: a config's are relative to it" {
	four
	mkdir -p conf/runs
	mv q?.trec conf/runs
	config conf/evalgate.yaml <<-END
		questions: ../questions.json
		run: runs/*.trec
		metrics: [mrr]
	END
	judged 0 score -c conf/evalgate.yaml
	json $MRR
}

# --------------------------------------------------------------------- verbose --

@test "-v: what each file was taken for, and how much it held" {
	four
	{ cat q3.trec; echo 'q9 Q0 d 1 1 t'; } > rest
	echo '{"q4": ["x", "y", "z", "d"]}' > q4.json
	judged 0 score -v q1.trec q2.trec rest q4.json
	json $MRR
	says 'q1.trec: read as trec, 1 question' '4 results' \
	    'rest: read as trec, 2 questions (1 unknown), 5 results' \
	    'q4.json: read as map, 1 question'
	printf 'question,rank\nq1,1\nq2,\n' > r.csv
	judged 0 score -v r.csv
	says 'r.csv: read as csv, 2 questions (0 unknown), 1 result'
	judged 0 score r.csv
	says_not 'read as'
	judged 0 score -v - < whole
	says 'standard input: read as trec, 4 questions'
}

@test "-v: question files too" {
	four
	judged 0 score -v whole
	says 'questions.json: read as map, 4 questions'
	printf '%s\n' '- {id: q1, expected: d}' '- {id: q2, expected: []}' > q.yaml
	judged 0 score -v -Q q.yaml whole
	says 'q.yaml: read as evalgate, 2 questions'
}
