#!/usr/bin/env bats
# bats file_tags=plain
# The README, followed to the letter by somebody new.

load helper

# The n-th fenced block of a language in a section.
block() {
	awk -v section="$1" -v language="$2" -v wanted="$3" '
		!inside && /^##? / { here = $0 == section }
		/^```/ && inside { inside = 0; next }
		here && $0 == "```" language { inside = ++n == wanted; skip = !inside; next }
		inside { print }
	' "$ROOT/README.md"
}

@test "from its blocks to a first verdict, and a second that fails" {
	new_repo
	block '## Your first verdict' yaml 1 > questions.yaml
	block '## Your first verdict' json 1 > "$T/results.jsonl"
	block '## Your first verdict' yaml 2 > evalgate.yaml
	[ -s questions.yaml ] && [ -s "$T/results.jsonl" ] && [ -s evalgate.yaml ]
	commit c1
	judged 0 check "$T/results.jsonl"
	says 'compared with nothing'
	json questions/stuck-pipe/rank=2 counts/tracked=1
	record 0 "$T/results.jsonl"
	commit c2
	sed -i 's/"report-38.pdf", /"report-38.pdf", "report-7.pdf", /' \
	    "$T/results.jsonl"
	judged 1 check "$T/results.jsonl"
	says 'stuck-pipe  rank 2 → 3' 'above it now: report-7.pdf (2, was out of sight)'
}

@test "its whole config is one, and its output is the demo's" {
	new_repo
	block '## The config' yaml 1 > evalgate.yaml
	cat > questions.yaml <<-'END'
		- {id: stuck-pipe, expected: report-39.pdf, difficulty: hard, category: faq}
		- {id: packers-failed, expected: d2, difficulty: hard, category: faq}
		- {id: q9, expected: d3, difficulty: easy, category: other}
	END
	echo old,new > renames.csv
	echo stuck-pipe > nightly.txt
	mkdir retriever
	eg 0 lint
	# What a reader sees first is what the program says.
	block '# evalgate' '' 1 > first.txt
	sh "$FORGE/demo.sh" 2> /dev/null |
	    sed -n '/^\$ evalgate check/,/^  6 unanswerable/p' > demo.txt
	strip() {
		sed 's/[0-9a-f]\{7\}/ID/g; s/1 day older/AGE/' "$1"
	}
	diff <(strip first.txt) <(strip demo.txt)
}

@test "every file that it names is there" {
	local file
	for file in $(grep -o '](\([a-z][^)#:]*\))' "$ROOT/README.md" |
	    sed 's/](\(.*\))/\1/'); do
		[ -e "$ROOT/$file" ] || {
			echo "$file"
			return 1
		}
	done
}
