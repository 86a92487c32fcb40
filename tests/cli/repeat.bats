#!/usr/bin/env bats
# --repeat: several runs of one thing; a rank is their upper median.

load helper

# Four questions and four runs of them, r1.jsonl to r4.jsonl in $T.
three() {
	config <<-END
		metrics: [mrr, hit@1]
		questions: $T/questions.json
	END
	lists "$T/r1.jsonl" a=1/4 b=2/4 c=1/4 d=/4
	lists "$T/r2.jsonl" a=1/4 b=4/4 c=3/4 d=2/4
	lists "$T/r3.jsonl" a=1/4 b=1/4 c=/4 d=/4
	lists "$T/r4.jsonl" a=1/3 b=3/3 c=2/3 d=1/3
}

@test "of two the worse, of three the middle, of four the worse middle one" {
	three
	judged 0 score --repeat r1.jsonl
	json metrics/mrr/value=0.625 questions/b/rank=2
	judged 0 score --repeat r1.jsonl r2.jsonl
	json questions/a/rank=1 questions/b/rank=4 questions/c/rank=3 \
	    questions/d/rank=null metrics/mrr/value~0.3958333 \
	    metrics/hit@1/value=0.25
	judged 0 score --repeat r1.jsonl r2.jsonl r3.jsonl
	json questions/a/rank=1 questions/b/rank=2 questions/c/rank=3 \
	    questions/d/rank=null metrics/mrr/value~0.4583333
	judged 0 score --repeat r3.jsonl r1.jsonl r2.jsonl r4.jsonl
	json questions/a/rank=1 questions/b/rank=3 questions/c/rank=3 \
	    questions/d/rank=null
}

@test "the order of the runs changes nothing" {
	three
	eg 0 score --format json --repeat r1.jsonl r2.jsonl r3.jsonl r4.jsonl
	cp "$T/stdout" straight
	eg 0 score --format json --repeat r4.jsonl r2.jsonl r3.jsonl r1.jsonl
	cmp "$T/stdout" straight
}

@test "flips are said, each with its best and worst rank" {
	three
	judged 0 score --repeat r1.jsonl r2.jsonl r3.jsonl
	says '3 runs' '3 questions flip'
	json questions/b/best=1 questions/b/worst=4 questions/c/best=1 \
	    questions/c/worst=null questions/d/best=2 questions/d/worst=null
	perl -e 'exit !!(`cat report.json` =~ /"id":"a"[^\n]*"best"/)'
	judged 0 score --repeat r1.jsonl r1.jsonl
	says '0 questions flip'
	lists "$T/r5.jsonl" a=2/4 b=2/4 c=1/4 d=/4
	judged 0 score --repeat r1.jsonl r5.jsonl
	says '1 question flips'
}

@test "the depth is the smallest" {
	three
	judged 0 score --repeat r1.jsonl r4.jsonl
	json questions/a/depth=3
}

@test "ranks alone repeat too, and do not mix with lists" {
	config <<< 'metrics: [mrr]'
	ranks r1.csv a=1 b=2 c=
	ranks r2.csv a=2 b=4 c=1
	ranks r3.csv a=1 b=8 c=1
	judged 0 score --repeat -Q r1.csv r1.csv r2.csv r3.csv
	json questions/a/rank=1 questions/b/rank=4 questions/c/rank=1 \
	    questions/a/depth=null metrics/mrr/value=0.75
	echo '{"a": ["doc-a"]}' > list.json
	eg 2 score --repeat -Q r1.csv r1.csv r2.csv list.json
	tells list.json r1.csv ranks lists
}

@test "a question that one of the runs lacks is a miss of that run alone" {
	three
	sed -i '/"id":"a"/d' r2.jsonl
	judged 0 score --repeat r1.jsonl r2.jsonl r3.jsonl
	json questions/a/rank=1 questions/a/metrics/mrr=1 questions/a/best=1 \
	    questions/a/worst=null
	# It counted, so nobody may say that it counted 0.
	says_not 'counted 0: a'
	judged 0 score --repeat r1.jsonl r2.jsonl
	json questions/a/rank=null questions/a/metrics/mrr=0
}

@test "an error in one of the runs leaves no verdict" {
	new_repo
	three
	commit c1
	sed -i 's/{"id":"a","results.*/{"id":"a","error":"timeout"}/' ../r2.jsonl
	judged 3 check --repeat ../r1.jsonl ../r2.jsonl ../r3.jsonl
	json findings/a/class=errored counts/errored=1
}

@test "without --repeat the same files are shards, and a question twice" {
	three
	eg 2 score r1.jsonl r2.jsonl
	tells 'r2.jsonl:1: ' "'a'" 'r1.jsonl:1'
	eg 2 score --repeat r1.jsonl r1.jsonl nowhere.jsonl
	tells 'nowhere.jsonl: '
}

# several EXPECTED METRICS LIST...: one question, each list a run.
several() {
	local expected=$1 metrics=$2 list files=()
	shift 2
	config <<-END
		metrics: [$metrics]
		questions: questions.yaml
	END
	echo "- {id: q, $expected}" > questions.yaml
	for list; do
		files+=("run${#files[@]}")
		echo "{\"q\": $list}" > "${files[-1]}"
	done
	judged 0 score --repeat "${files[@]}"
}

@test "several wanted documents: the question's rank, not each document's" {
	# Found at rank 1 by every run, each time another one of them.
	several 'expected: [d1, d2, d3]' 'mrr, recall@1, map' \
	    '["d1", "x"]' '["d2", "x"]' '["d3", "x"]'
	json questions/q/rank=1 metrics/mrr/value=1 \
	    metrics/recall@1/value~0.3333333 metrics/map/value~0.3333333
	says '0 questions flip'
	several 'expected: [a, b]' 'mrr, recall@1, recall@2' \
	    '["a", "b", "x"]' '["x", "a", "b"]' '["b", "x", "y"]'
	json questions/q/rank=1 metrics/recall@1/value=0.5 \
	    metrics/recall@2/value=0.5
}

@test "of runs with the same rank the one that is in the middle further on" {
	# The next is at 2, at 3 and nowhere, in any order of the runs.
	local x='["a", "b", "c"]' y='["a", "c", "b"]' z='["a", "c", "d"]' i
	for i in 1 2 3; do
		several 'expected: [a, b]' 'map, recall@2, recall@3' \
		    "$x" "$y" "$z"
		json metrics/map/value~0.8333333 metrics/recall@2/value=0.5 \
		    metrics/recall@3/value=1
		set -- "$x" "$y" "$z"
		x=$2 y=$3 z=$1
	done
}

@test "every metric, and a tracked document's rank, is of one ranking" {
	config <<-'END'
		metrics: [mrr, map, recall@2, ndcg]
		questions: questions.yaml
		tracked: [{question: q, document: b}]
	END
	echo '- {id: q, expected: [a, b]}' > questions.yaml
	echo '{"q": ["a", "x", "y", "b"]}' > run1
	echo '{"q": ["x", "a", "b", "y"]}' > run2
	echo '{"q": ["x", "y", "a", "z", "b"]}' > run3
	judged 0 score run2
	cp report.json one.json
	judged 0 score --repeat run1 run2 run3
	perl -MJSON::PP -e '
		for my $file (@ARGV) {
			open(my $in, "<:raw", $file) or die;
			my $json = decode_json(do { local $/; <$in> });
			print join(" ", map { "$_->{name}=$_->{value}" }
			    @{$json->{metrics}}), "\n";
		}
	' one.json report.json > values
	same "$(sed -n 1p values)" "$(sed -n 2p values)"
	new_repo
	cp ../evalgate.yaml ../questions.yaml .
	commit c1
	record 0 --repeat ../run1 ../run2 ../run3
	commit c2
	judged 1 check ../run1
	says 'rank 3 → 4'
}

@test "questions that flip, and those a run lacks, are named; no holdout" {
	local i
	config <<-'END'
		metrics: [mrr]
		questions: questions.yaml
	END
	for i in {01..12}; do
		echo "- {id: q$i, expected: d, holdout: $([ $i = 02 ] &&
		    echo true || echo false)}"
	done > questions.yaml
	for i in {01..12}; do
		echo "{\"id\": \"q$i\", \"results\": [\"d\"]}"
	done > run1
	sed 's/\["d"\]/["x", "d"]/' run1 > run2
	judged 0 score --repeat run1 run2
	says '12 questions flip: q01, q03, q04, q05, q06, q07, q08, q09 and 4 more'
	says_not q02,
	grep -v 'q0[23]' run1 > run3
	judged 0 score --repeat run1 run3
	says '2 questions flip: q03 and 1 more' \
	    'run3 lacks 2 questions, not found there: q03 and 1 more'
	judged 0 score --repeat run1
	says 'one run alone'
	says_not '1 runs'
}

@test "an answer is reported at the file that it was taken from" {
	new_repo
	three
	commit c1
	sed -i 's/{"id":"a","results.*/{"id":"a","error":"timeout"}/' ../r2.jsonl
	judged 3 check --repeat ../r1.jsonl ../r2.jsonl
	json findings/a/file=../r2.jsonl
}

@test "what is said of a run is said of each" {
	three
	eg 0 score -v --repeat r1.jsonl r2.jsonl
	says 'r1.jsonl: read as jsonl' 'r2.jsonl: read as jsonl'
}

@test "alternatives: the median is that of the first found" {
	# 1, 2, 1, whichever of them it is.
	several 'expected_any: [a, b]' 'mrr, recall@2' \
	    '["a", "b", "x"]' '["x", "a", "b"]' '["b", "x", "y"]'
	json metrics/recall@2/value=1 metrics/mrr/value=1 questions/q/rank=1 \
	    questions/q/best=1 questions/q/worst=2
	says '1 question flips'
	several 'expected_any: [a, b]' mrr '["a"]' '["b"]' '["x"]'
	json metrics/mrr/value=1
	several 'expected_any: [a, b]' mrr '["a"]' '["b"]' '["a"]' '["b"]'
	json metrics/mrr/value=1
}

@test "no metric is above 1, though two documents may have the same median" {
	# Medians are 1, 2 and 2: three documents in the first two places.
	several 'expected: [a, b, c]' \
	    'precision@2, ndcg@2, ndcg, map, rprec, map@2, recall@2, judged@2' \
	    '["a", "b", "x"]' '["a", "c", "x"]' '["b", "c", "x"]'
	perl -MJSON::PP -e '
		my $json = decode_json(do { local $/; <STDIN> });
		print "$_->{name} $_->{value}\n"
		    for grep { $_->{value} > 1 } @{$json->{metrics}};
	' < report.json > above
	same "$(cat above)" ''
}

@test "pages: both ranks are medians" {
	config <<-'END'
		metrics: [mrr]
		match: page
		questions: questions.yaml
	END
	echo '- {id: q, expected: d, pages: 2}' > questions.yaml
	echo '{"q": [{"doc_id": "d", "page": 2}]}' > run1
	echo '{"q": [{"doc_id": "d", "page": 1}, {"doc_id": "d", "page": 2}]}' > run2
	echo '{"q": [{"doc_id": "x", "page": 2}, {"doc_id": "d", "page": 1}]}' > run3
	judged 0 score --repeat run1 run2 run3
	json questions/q/rank=2 questions/q/document_rank=1
}

@test "a record of repeated runs holds the medians" {
	new_repo
	three
	echo 'tracked: [{question: b}]' >> evalgate.yaml
	commit c1
	record 0 --repeat ../r1.jsonl ../r2.jsonl ../r3.jsonl
	commit c2
	judged 1 check --repeat ../r2.jsonl ../r2.jsonl ../r1.jsonl
	says 'b  rank 2 → 4'
	judged 0 check --repeat ../r1.jsonl ../r3.jsonl ../r2.jsonl
	json findings=0
}
