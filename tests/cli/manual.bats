#!/usr/bin/env bats
# bats file_tags=plain
# The manual, completions and the schema say what the program does: each is
# compared with the program's own tables.

load helper

MANUAL=$ROOT/src/cli/evalgate.1
CONFIG_MANUAL=$ROOT/src/cli/evalgate.yaml.5
FORMATS_MANUAL=$ROOT/src/cli/evalgate-formats.5

commands() {
	"$EVALGATE" --help | sed -n 's/^  \([a-z]*\) .*/\1/p'
}

# The keys of the schema, those of every section.
keys() {
	"$EVALGATE" schema | jq -r '(.properties | keys[]),
	    (.definitions[] | .properties // {} | keys[])' | sort -u
}

@test "the manuals are mdoc without a warning" {
	mandoc -Tlint -W warning "$MANUAL" "$CONFIG_MANUAL" \
	    "$FORMATS_MANUAL"
}

# missing FILE WORDS: there are words in FILE, and none that is not of WORDS.
missing() {
	[ -s "$1" ] && same "$(grep -vxF "$2" "$1")" ''
}

@test "every command and every option is in the manual" {
	local command
	for command in $(commands); do
		echo "$command" >> commands
		"$EVALGATE" "$command" --help |
		    sed -n 's/^  \(-.,\|   \) --\([a-z-]*\).*/\2/p' >> options
	done
	missing commands "$(sed -n 's/^\.It Cm \([a-z]*\).*/\1/p' "$MANUAL")"
	missing options "$(sed -n '/^\.It/s/Fl -/\n/gp' "$MANUAL" |
	    sed -n 's/^\([a-z][a-z-]*\).*/\1/p')"
}

@test "no option of the manual is unknown" {
	local option all
	all=$(for command in $(commands); do
		"$EVALGATE" "$command" --help
	done)
	for option in $(grep '^\.It Fl' "$MANUAL" |
	    grep -o 'Fl -[a-z-]*' | sed 's/Fl -//'); do
		[ "$option" = version ] || [[ $all == *"--$option"* ]] || {
			echo "--$option"
			return 1
		}
	done
}

@test "every key of the config is in its manual, and no other" {
	same "$(sed -n 's/^\.It Cm //p' "$CONFIG_MANUAL" |
	    tr -s ', ' '\n' | sort -u)" "$(keys)"
}

# The words of a table of the source, so that a new row is missed here.
#   table FILE FIRST-LINE
table() {
	sed -n "/$2/,/^};/p" "$ROOT/$1" | sed -n 's/.*"\([a-z-]*\)".*/\1/p'
}

@test "every class, event, format and exit status is in the manual" {
	local word classes
	classes=$(table src/gate/verdict.c 'class_names\[\] = {')
	[[ $classes == *new-regression*same ]]
	for word in $classes; do
		grep -q "^\.It Cm .*\b$word\b" "$MANUAL" || {
			echo "$word is missing"
			return 1
		}
	done
	# The program's own lists of formats and events, out of its messages.
	new_repo
	ranks run.csv a=1
	commit c1
	eg 2 score run.csv --format x
	for word in ${err##*known here are }; do
		grep -q "^\.It Cm ${word%,}$" "$MANUAL" || {
			echo "$word is missing"
			return 1
		}
	done
	eg 2 check run.csv --event x
	for word in ${err##*known are }; do
		grep -q "^\.It Cm .*\b${word%,}\b" "$MANUAL" || {
			echo "$word is missing"
			return 1
		}
	done
	for word in 0 1 2 3 4; do
		grep -q "^\.It $word$" "$MANUAL"
	done
}

@test "every output and every variable is in the manual" {
	local name
	new_repo
	config <<< 'metrics: [mrr]'
	commit c1
	ranks ../run.csv a=1
	GITHUB_OUTPUT=$T/outputs act 0 ci ../run.csv
	for name in $(sed 's/=.*//' "$T/outputs") \
	    $(grep -rhoE '"(EVALGATE|GITHUB|CI|GITLAB)_[A-Z_]+"' \
		"$ROOT"/src | tr -d '"' | sort -u); do
		grep -qE "^\.It .*\b$name\b" "$ROOT/src/cli/evalgate.1" || {
			echo "$name is not in the manual"
			return 1
		}
	done
}

@test "bash completes values, and commands behind -C" {
	complete_of() {
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
		_evalgate
		printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' '
	}
	source /dev/stdin <<< "$("$EVALGATE" completion bash)"
	mkdir -p sub/inner
	touch sub/file results.jsonl
	same "$(complete_of evalgate -C sub ch)" 'check '
	same "$(complete_of evalgate -C sub check --bas)" '--baseline '
	same "$(complete_of evalgate -C su)" 'sub '
	same "$(complete_of evalgate check --event p)" 'pull_request push '
	same "$(complete_of evalgate check --color '')" 'always auto never '
	same "$(complete_of evalgate check --format ht)" 'html '
	same "$(complete_of evalgate history --format c)" 'csv '
	same "$(complete_of evalgate check --run-format j)" 'jsonl '
	same "$(complete_of evalgate check --config res)" 'results.jsonl '
	same "$(complete_of evalgate record --start re)" ' '
	same "$(complete_of evalgate check res)" 'results.jsonl '
	same "$(complete_of evalgate completion z)" 'zsh '
}

@test "bash completes commands and options" {
	source /dev/stdin <<< "$("$EVALGATE" completion bash)"
	COMP_WORDS=(evalgate sel) COMP_CWORD=1
	_evalgate
	same "${COMPREPLY[*]}" selftest
	COMP_WORDS=(evalgate check --bas) COMP_CWORD=2
	_evalgate
	same "${COMPREPLY[*]}" --baseline
}

@test "every shell's completion knows every command" {
	local shell command
	for shell in bash zsh fish; do
		eg 0 completion "$shell"
		for command in $(commands); do
			says "$command"
		done
	done
	if command -v zsh > /dev/null; then
		"$EVALGATE" completion zsh | zsh -n
	fi
	if command -v fish > /dev/null; then
		"$EVALGATE" completion fish | fish -n
	fi
	eg 2 completion csh
	tells 'bash, zsh or fish'
}

@test "the manual's example is a config that lint accepts" {
	new_repo
	cat > questions.yaml <<-'E'
		- {id: stuck-pipe, expected: d1, category: faq, difficulty: hard}
		- {id: b, expected: d2, category: faq}
		- {id: c, expected: d3, category: faq}
		- {id: d, expected: d4, category: faq}
		- {id: e, expected: d5, category: faq}
	E
	sed -n '/^\.Sh EXAMPLES/,/^\.Ed/p' "$CONFIG_MANUAL" | grep -v '^\.' \
	    > evalgate.yaml
	eg 0 lint
}

@test "make install puts program, manuals, completions and schema in place" {
	make -C "$ROOT" -s install PREFIX=/usr DESTDIR="$T/root" > /dev/null
	cd "$T/root/usr"
	same "$(find . -type f | sort | tr '\n' ' ')" \
	    './bin/evalgate ./share/bash-completion/completions/evalgate ./share/evalgate/evalgate.schema.json ./share/fish/vendor_completions.d/evalgate.fish ./share/man/man1/evalgate.1 ./share/man/man5/evalgate-formats.5 ./share/man/man5/evalgate.yaml.5 ./share/zsh/site-functions/_evalgate '
	jq -e .properties share/evalgate/evalgate.schema.json > /dev/null
}

# The example of a format in a part of the manual of formats.
#   example QUESTIONS|RUNS FORMAT
example() {
	sed -n "/^\.Sh $1/,/^\.El/p" "$FORMATS_MANUAL" |
	    sed -n "/^\.It Cm $2\$/,/^\.Ed/p" |
	    sed '1,/^\.Bd/d; /^\.Ed/d'
}

@test "the manual's files of each format are read, and as that" {
	local name formats
	config <<< 'metrics: [mrr]'
	example RUNS jsonl > r
	example QUESTIONS trec > qrels
	formats=$(sed -n 's/^    .name = "\(.*\)",$/\1/p' \
	    "$ROOT"/src/input/question_*.c)
	[[ $formats == *companion* ]]
	for name in $formats; do
		example QUESTIONS "$name" > "q.$name"
		[ -s "q.$name" ]
		eg 0 score -v -Q "q.$name" \
		    $([ "$name" != texts ] || echo -Q qrels) r
		says "q.$name: read as $name, "
	done
	example QUESTIONS evalgate > q
	formats=$(sed -n 's/^    .name = "\(.*\)",$/\1/p' \
	    "$ROOT"/src/input/run_*.c)
	[[ $formats == *companion* ]]
	for name in $formats; do
		example RUNS "$name" > "r.$name"
		[ -s "r.$name" ]
		# CSV names its own questions, by their text.
		eg 0 score -v -Q "$([ "$name" = csv ] && echo r.csv || echo q)" \
		    "r.$name"
		says "r.$name: read as $name, "
	done
}
