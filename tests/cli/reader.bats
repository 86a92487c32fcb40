#!/usr/bin/env bats
# What reads runs: of any size, from anywhere, and whichever reader it is.

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	printf '%s 0 %s 1\n' q1 a q1 b q2 c >qrels
	cat >run <<-'END'
	q1 Q0 a 1 3.0 t
	q1 Q0 x 2 2.0 t
	q1 Q0 b 3 1.0 t
	q2 Q0 y 1 3.5 t
	q2 Q0 c 2 3.25 t
	END
	"$EVALGATE" score --questions qrels --format json run >want
}

score() {
	"$EVALGATE" score --questions qrels --format json "$@"
}

@test "every reader says the same" {
	for reader in slow scalar vector; do
		EVALGATE_READER=$reader score run | cmp - want
	done
}

@test "a pipe is read as a file is" {
	cat run | score - | cmp - want
	gzip -c run | score - | cmp - want
	score - <run | cmp - want
}

@test "a question whose lines do not stand together is read from a pipe" {
	sort -k5 run | score - | cmp - want
}

@test "gzip files are unpacked on the way, several members too" {
	head -2 run | gzip >run.gz
	tail -n +3 run | gzip >>run.gz
	score run.gz | cmp - want
}

@test "a gzip file that is cut off is refused" {
	gzip -c run | head -c 40 >run.gz
	run score run.gz
	[ "$status" -eq 2 ]
	[[ $output == *"run.gz:"[0-9]*": is cut off: its gzip data ends early"* ]]
}

@test "a line of 1 GB is refused with its number, in little memory" {
	for format in '' '{"id": "q1", "results": ["' 'question,rank\nq1,"'; do
		{ printf '%b' "$format"; head -c 1000000000 /dev/zero |
		    tr '\0' a; } >big
		run bash -c '[ "$KIND" = sanitize ] || ulimit -v 400000; "$EVALGATE" score \
		    --questions qrels big'
		rm big
		[ "$status" -eq 2 ]
		[[ $output == big:[12]:" the line is longer than 256 MiB"* ]]
	done
}

@test "a repeated document is refused with its lines, far into a file" {
	awk 'BEGIN { for (i = 0; i < 100000; i++)
		printf "u%d Q0 d%d 1 1 t\n", i / 100, i }' >long
	cat run long >both
	echo "q2 Q0 c 3 1.0 t" >>both
	run score both
	[ "$status" -eq 2 ]
	[[ $output == both:100006:*"'c' is returned twice, on lines 5 and 100006"* ]]
}

@test "what is no text is said before any other mistake" {
	{ cat run; echo 'q2 Q0 c 3'; printf 'q9 Q0 \377 1 1 t\n'; } >bad
	run score bad
	[ "$status" -eq 2 ]
	[ "$output" = "bad:7: byte 0xff is no UTF-8; convert the file to UTF-8" ]
}

@test "progress is for terminals" {
	run score run
	[[ $output != *reading* ]]
}
