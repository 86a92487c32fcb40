#!/usr/bin/env bats
# renamed_documents, renamed: what went by other ids in older records.

load helper

# q1 wants old-a and old-b, q2 old-c on page 3; recorded at 1, 3 and 2.  Then
# all three have other names, in another order.
renamed() {
	new_repo
	config <<-'END'
		metrics: [mrr, recall@2]
		questions: questions.yaml
		tracked:
		  - {question: q1, document: a-old}
		  - {question: q2}
	END
	printf '%s\n' '- {id: q1, expected: {a-old: 2, b-old: 1}}' \
	    '- {id: q2, expected: c-old, pages: 3}' > questions.yaml
	echo '{"q1": ["a-old", "x", "b-old"], "q2": ["x", "c-old"]}' > ../run.json
	commit c1
	record 0 ../run.json
	sed -i 's/a-old/z-new/; s/b-old/y-new/; s/c-old/c-new/' evalgate.yaml \
	    questions.yaml ../run.json
	printf '%s\n' old,new a-old,z-new b-old,y-new c-old,c-new > renames.csv
	commit c2
}

@test "without the file the questions are others" {
	renamed
	judged 1 check ../run.json
	json counts/redefined=2 counts/common=0 findings/q1/class=redefined
}

@test "with it they are the same, and each document keeps its rank" {
	renamed
	echo 'renamed_documents: renames.csv' >> evalgate.yaml
	commit c3
	judged 0 check ../run.json
	json counts/redefined=0 counts/common=2 metrics/mrr/baseline=0.75 \
	    metrics/mrr/delta=0 metrics/recall@2/baseline=0.75 findings=0 \
	    questions/q1/baseline=1 questions/q2/baseline=2
	# The ranks of q1's two must not be exchanged.
	echo '{"q1": ["y-new", "x", "z-new"], "q2": ["x", "c-new"]}' > ../run.json
	judged 1 check ../run.json
	says 'q1  rank 1 → 3'
	json findings/q1/baseline=1 findings/q1/current=3
}

@test "records of the new names need it no more, older ones still do" {
	renamed
	echo 'renamed_documents: renames.csv' >> evalgate.yaml
	commit c3
	record 0 ../run.json
	commit c4
	judged 0 check ../run.json
	json before/distance=1 counts/common=2
	judged 0 check --baseline rev:HEAD~3 ../run.json
	json before/distance=3 counts/common=2
}

@test "alternatives, and names that were exchanged" {
	new_repo
	config <<-'END'
		metrics: [mrr]
		questions: questions.yaml
		renamed_documents: renames.csv
	END
	echo '- {id: q1, expected_any: [p, r]}' > questions.yaml
	echo old,new > renames.csv
	echo '{"q1": ["x", "p", "y", "r"]}' > ../run.json
	commit c1
	record 0 ../run.json
	# p is called q now, and r is called p.
	printf '%s\n' old,new p,q r,p > renames.csv
	echo '- {id: q1, expected_any: [q, p]}' > questions.yaml
	echo '{"q1": ["x", "q", "y", "p"]}' > ../run.json
	commit c2
	judged 0 check ../run.json
	json counts/common=1 metrics/mrr/baseline=0.5 metrics/mrr/value=0.5
}

@test "documents that are renamed again while main is red" {
	renamed
	echo 'renamed_documents: renames.csv' >> evalgate.yaml
	commit c3
	echo '{"q1": ["x", "z-new", "y-new"], "q2": ["x", "c-new"]}' \
	    > ../run.json
	record 1 ../run.json --event push
	sed -i 's/z-new/zz/; s/c-new/cc/' evalgate.yaml questions.yaml ../run.json
	printf '%s\n' z-new,zz c-new,cc >> renames.csv
	commit c4
	judged 1 check ../run.json --event push
	json before/distance=1 good/distance=3 counts/common=2 \
	    findings/q1/class=still-failing findings/q1/baseline=1
	# Out of order the older record can't be read.
	printf '%s\n' old,new z-new,zz c-new,cc a-old,z-new b-old,y-new \
	    c-old,c-new > renames.csv
	judged 1 check ../run.json --event push
	json findings/q1/class=redefined
}

@test "questions that are renamed again while main is red" {
	new_repo
	asks() {
		config <<-END
			questions: questions.yaml
			tracked: [$1]
			thresholds: []
			renamed: [$2]
		END
		printf '%s\n' "- {id: $1, text: t, expected: d}" > questions.yaml
		echo "{\"$1\": $3}" > ../run.json
	}
	asks a '' '["d"]'
	commit c1
	record 0 ../run.json --event push
	asks b '{from: a, to: b}' '["x", "d"]'
	commit c2
	record 1 ../run.json --event push
	asks c '{from: a, to: b}, {from: b, to: c}' '["x", "d"]'
	commit c3
	judged 1 check ../run.json --event push
	json good/distance=2 findings/c/class=still-failing \
	    findings/c/baseline=1
	# Each name said on its own serves as well.
	asks c '{from: a, to: c}, {from: b, to: c}' '["x", "d"]'
	commit c4
	judged 1 check ../run.json --event push
	json good/distance=3 findings/c/class=still-failing
}

@test "renamed questions at fault, all at once" {
	new_repo
	config <<-'END'
		questions: questions.yaml
		renamed:
		  - {from: a, to: b}
		  - {from: b, to: a}
		  - {from: x, to: q}
		  - {from: x, to: r}
		  - {from: q, to: r}
		  - {from: z, to: y}
	END
	printf '%s\n' '- {id: q, expected: d}' '- {id: r, expected: e}' \
	    > questions.yaml
	echo '{"q": ["d"], "r": ["e"]}' > ../run.json
	eg 2 check ../run.json
	tells "evalgate.yaml:4: 'a' is renamed in a circle" \
	    "evalgate.yaml:5: 'b' is renamed in a circle" \
	    "evalgate.yaml:7: 'x' is renamed twice; first on line 6" \
	    "evalgate.yaml:8: renamed from 'q', which is still among" \
	    "evalgate.yaml:9: renamed to 'y', which is not among the questions"
}

@test "what stands above is no newcomer for its new name" {
	new_repo
	config <<-'END'
		questions: questions.yaml
		tracked: [a]
		thresholds: []
		renamed_documents: renames.csv
	END
	echo '- {id: a, expected: d}' > questions.yaml
	echo old,new > renames.csv
	echo '{"a": ["x", "y", "d", "z"]}' > ../run.json
	commit c1
	record 0 ../run.json --event push
	printf '%s\n' x,x1 x1,x2 y,y1 z,z1 >> renames.csv
	echo '{"a": ["x2", "z1", "new", "y1", "d"]}' > ../run.json
	commit c2
	record 1 ../run.json --event push
	says 'above it now: z1 (2, was 4), new (3, was out of sight)'
	says_not 'x2 (' 'y1 ('
	eg 0 blame a
	says 'z1' 'new'
	says_not 'x2' 'y1'
}

@test "a file of renames at fault, with its line" {
	renamed
	echo 'renamed_documents: renames.csv' >> evalgate.yaml
	commit c3
	printf 'old,neu\na,b\n' > renames.csv
	eg 2 check ../run.json
	tells 'renames.csv:1: ' "'new'"
	printf 'old,new\na,b,c\n' > renames.csv
	eg 2 check ../run.json
	tells 'renames.csv:2: ' cells
	printf 'old,new\na,b\n"c,d\n' > renames.csv
	eg 2 check ../run.json
	tells 'renames.csv:3: ' quote
	printf 'old,new\na,\n' > renames.csv
	eg 2 check ../run.json
	tells 'renames.csv:2: '
	# One document can't have become two.
	printf 'old,new\na,b\na,c\n' > renames.csv
	eg 2 check ../run.json
	tells 'renames.csv:3: ' "'a'"
	rm renames.csv
	eg 2 check ../run.json
	tells 'renames.csv: '
	: > renames.csv
	eg 2 check ../run.json
	tells 'renames.csv:1: ' empty
}

@test "a table without ids: a question's other words are its other name" {
	new_repo
	config <<-'END'
		tracked: ["who drills?"]
		thresholds: []
	END
	printf '%s\n' question,expected,rank 'who drills?,d,2' > ../run.csv
	commit c1
	record 0 ../run.csv
	config <<-'END'
		tracked: ["who drills it?"]
		thresholds: []
		renamed: [{from: "who drills?", to: "who drills it?"}]
	END
	printf '%s\n' question,expected,rank 'who drills it?,d,5' > ../run.csv
	commit c2
	judged 1 check ../run.csv
	says 'who drills it?  rank 2 → 5'
}

@test "a waived loss is held to, also where renamed_documents is gone again" {
	renamed
	echo 'thresholds: []' >> evalgate.yaml
	echo 'renamed_documents: renames.csv' >> evalgate.yaml
	echo 'waivers: [{question: q2, until: 2023-11-20, reason: a trial}]' \
	    >> evalgate.yaml
	commit c3
	echo '{"q1": ["z-new", "x", "y-new"], "q2": ["x", "x2", "c-new"]}' \
	    > ../run.json
	record 0 ../run.json
	json findings/q2/class=waived findings/q2/baseline=2
	sed -i '/^renamed_documents/d; /^waivers/d' evalgate.yaml
	commit c4
	judged 1 check ../run.json --event push
	json findings/q2/class=waiver-exceeded findings/q2/baseline=2
}
