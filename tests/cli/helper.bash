# What the tests of the program share: a pinned environment, throw-away
# repositories, and one way to run the program and to look at what it did.
#
# A test starts in an empty directory $T.  Repositories are made below it, and
# result files stand beside them, so that they are no part of a work tree.

bats_require_minimum_version 1.5.0
shopt -s globstar dotglob nullglob

ROOT=${BATS_TEST_DIRNAME%/tests/*}
CLI=$ROOT/tests/cli
DATA=$ROOT/tests/data
FORGE=$ROOT/examples/forge-16a
EVALGATE=${EVALGATE:-$ROOT/build/evalgate}

# bats traps every single command to know the line that fails, which takes as
# long as the tests do; with this it does so in the tests alone, and not in
# the functions they call.
setup() {
	set +T
	pin
}

# Nothing of the user's or of a CI system's gets in.
pin() {
	T=$BATS_TEST_TMPDIR
	unset ${!GIT_@} ${!GITHUB_@} ${!GITLAB_@} ${!CI_@} ${!EVALGATE_@} \
	    CI NO_COLOR
	export HOME=$T LC_ALL=C TZ=UTC TERM=dumb
	export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
	export GIT_AUTHOR_NAME=Tester GIT_AUTHOR_EMAIL=tester@example.com
	export GIT_COMMITTER_NAME=Tester GIT_COMMITTER_EMAIL=tester@example.com
	NOW=1700000000
	cd "$T"
}

# For what must fail: a bare `! command` fails no test.
never() {
	! "$@"
}

# ------------------------------------------------------------ repositories --

# Makes a repository and goes there.
new_repo() {
	git init -q -b main --template= "$T/${1:-repo}"
	cd "$T/${1:-repo}"
}

# Everything here, as a commit of its own minute.
commit() {
	NOW=$((NOW + 60))
	add
	GIT_AUTHOR_DATE="$NOW +0000" GIT_COMMITTER_DATE="$NOW +0000" \
	    git -c maintenance.auto=false commit -q --allow-empty -m "$1"
}

# Most commits have nothing new, and git takes its time to find that out.
add() {
	local file
	for file in . **; do
		case $file in
		.git | .git/*) continue ;;
		esac
		# As old as the last time may still be younger: clocks tick
		# slowly.  The index is no clock: a checkout writes it, too.
		if [ ! .git/added -nt "$file" ]; then
			if [ -d .git ]; then
				: > .git/added
			fi
			git add -A
			return
		fi
	done
}

# Merges branches into the one checked out, as a merge commit always.
merge() {
	NOW=$((NOW + 60))
	GIT_AUTHOR_DATE="$NOW +0000" GIT_COMMITTER_DATE="$NOW +0000" \
	    git merge -q --no-ff -m "merge $*" "$@"
}

# A bare origin and a clone, "one", with a commit in both, and some runs.
shared() {
	git init -q --bare -b main --template= "$T/origin.git"
	new_repo one
	config <<< 'metrics: [mrr]'
	commit c1
	git remote add origin "$T/origin.git"
	git push -q origin main
	ranks "$T/r1.csv" a=1 b=1
	ranks "$T/r2.csv" a=2 b=1
	ranks "$T/r5.csv" a=5 b=1
}

# The notes ref of a suite, "none" where there is none.
notes() {
	git rev-parse -q --verify "refs/notes/evalgate/${1:-default}" ||
	    echo none
}

# Every file and every ref of a repository: what must not have changed.  By
# bash itself, since it is done twice a run.  Where .git is a file, its refs
# are left to the test.
state() {
	local file line
	for file in **; do
		case $file in
		.git/index) continue ;;
		.git/HEAD | .git/packed-refs | .git/refs/*)
			[ ! -f "$file" ] || while read -r line; do
				file+=" $line"
			done < "$file" ;;
		esac
		state+=$file$'\n'
	done
}

# ------------------------------------------------------------------- input --

# A config beside which no question file is needed: runs are made by `ranks`.
#   config [FILE] < LINES
config() {
	local lines
	slurp lines /dev/stdin
	printf 'version: 1\n%s\n' "$lines" > "${1:-evalgate.yaml}"
}

# A CSV run.  The document of question q is doc-q, no rank is a miss.
#   ranks FILE a=1 b=
ranks() {
	local file=$1 pair
	shift
	echo question,expected,rank > "$file"
	for pair; do
		echo "${pair%%=*},doc-${pair%%=*},${pair#*=}" >> "$file"
	done
}

# A JSONL run of lists, each of a depth, and the questions it answers.
#   lists FILE a=1/10 b=/10
lists() {
	local file=$1 pair id rank depth i list
	shift
	: > "$file"
	echo '[' > "$T/questions.json"
	for pair; do
		id=${pair%%=*} rank=${pair#*=} list=
		depth=${rank#*/} rank=${rank%/*}
		for ((i = 1; i <= depth; i++)); do
			if [ "$i" = "$rank" ]; then
				list+=",\"doc-$id\""
			else
				list+=",\"x$i\""
			fi
		done
		echo "{\"id\":\"$id\",\"results\":[${list#,}]}" >> "$file"
	done
	for pair; do
		id=${pair%%=*}
		echo "{\"id\":\"$id\",\"expected\":\"doc-$id\"},"
	done | sed '$s/,$//' >> "$T/questions.json"
	echo ']' >> "$T/questions.json"
}

# ----------------------------------------------------------------- running --

# Runs the program and wants this exit status of it.  What it printed is in
# $out and $err, its JSON report in $T/report.json.  But for `record`, and for
# `record` too where the input was at fault, nothing of a repository may have
# changed, and nobody may have been told a verdict of faulty input.
#   eg STATUS ARGUMENT...
eg() {
	local want=$1 status=0 was='' state=''
	shift
	if [ -e .git ] && { [ "$1" != record ] || [ "$want" = 2 ]; }; then
		state
		was=$state state=
	fi
	"$EVALGATE" "$@" > "$T/stdout" 2> "$T/stderr" || status=$?
	slurp out "$T/stdout"
	slurp err "$T/stderr"
	if [ "$status" != "$want" ]; then
		echo "exit $status, expected $want: evalgate $*"
		show
		return 1
	fi
	if [ "$want" = 2 ] && [ -s "$T/stdout" ]; then
		echo "faulty input, but there is something on stdout"
		show
		return 1
	fi
	[ -n "$was" ] || return 0
	state
	if [ "$state" != "$was" ]; then
		echo "something was written by evalgate $*"
		diff <(echo "$was") <(echo "$state")
		return 1
	fi
}

# A file up to its first NUL, into a variable, without a process.
slurp() {
	IFS= read -r -d '' "$1" < "$2" || :
	printf -v "$1" %s "${!1%$'\n'}"
}

# The same with a JSON report in $T/report.json, whose exit has to be the
# status.
judged() {
	local want=$1
	shift
	# One that is left, or is left empty, was not written by this run.
	if [ "$want" != 2 ]; then
		: > "$T/report.json"
	elif [ -e "$T/report.json" ]; then
		rm "$T/report.json"
	fi
	eg "$want" "$@" --format "json:$T/report.json" --format text
	if [ "$want" = 2 ]; then
		absent "$T/report.json"
	elif [ "$1" != score ]; then
		slurp report "$T/report.json"
		[[ $report == *$'\n '"\"exit\": $want,"* ]] || {
			echo "the report lacks the exit"
			head -n 12 "$T/report.json"
			return 1
		}
	fi
}

# Records at the time of the last commit.
record() {
	local want=$1 at
	shift
	TZ=UTC printf -v at '%(%Y-%m-%dT%H:%M:%SZ)T' "$NOW"
	judged "$want" record --now "$at" "$@"
}

show() {
	printf 'stdout:\n%s\nstderr:\n%s\n' "$out" "$err"
}

# ----------------------------------------------------------------- looking --

# stdout has this text, one argument a text.
says() {
	local text
	for text; do
		[[ $out == *"$text"* ]] || {
			echo "stdout lacks: $text"
			show
			return 1
		}
	done
}

says_not() {
	local text
	for text; do
		[[ $out != *"$text"* ]] || {
			echo "stdout has: $text"
			show
			return 1
		}
	done
}

# Runs a command that writes, whatever it writes.
act() {
	local want=$1 status=0
	shift
	"$EVALGATE" "$@" > "$T/stdout" 2> "$T/stderr" < /dev/null || status=$?
	slurp out "$T/stdout"
	slurp err "$T/stderr"
	[ "$status" = "$want" ] || {
		echo "exit $status, expected $want: evalgate $*"
		show
		return 1
	}
}

# stderr has this text.
tells() {
	local text
	for text; do
		[[ $err == *"$text"* ]] || {
			echo "stderr lacks: $text"
			show
			return 1
		}
	done
}

silent() {
	[ -z "$err" ] || {
		echo "stderr is not empty"
		show
		return 1
	}
}

# Claims on the JSON report, as in json.pl.
json() {
	perl "$CLI/json.pl" "$T/report.json" "$@" || {
		show
		return 1
	}
}

same() {
	[ "$1" = "$2" ] || {
		printf 'got:\n%s\nexpected:\n%s\n' "$1" "$2"
		return 1
	}
}

differ() {
	[ "$1" != "$2" ] || {
		printf 'both are:\n%s\n' "$1"
		return 1
	}
}

absent() {
	[ ! -e "$1" ] || {
		echo "$1 is there"
		return 1
	}
}

# The subjects of the report's findings at a level, sorted.
found() {
	perl -MJSON::PP -e '
		my ($file, $level) = @ARGV;
		open(my $in, "<:raw", $file) or die "$file: $!\n";
		my $json = decode_json(do { local $/; <$in> });
		print join(" ", sort map { $_->{subject} }
		    grep { $_->{level} eq $level } @{$json->{findings}});
	' "$T/report.json" "$1"
}

# A commit, and its run judged as what was pushed: push STATUS SUBJECT Q=RANK...
push() {
	local status=$1 subject=$2
	shift 2
	commit "$subject"
	ranks "$T/run.csv" "$@"
	record "$status" "$T/run.csv" --event push
}

# The same of a pull request: its merge commit, as CI checks it out.
request() {
	local status=$1 subject=$2 base
	shift 2
	base=$(git rev-parse HEAD)
	commit "$subject"
	git checkout -q "$(GIT_AUTHOR_DATE="$NOW +0000" \
	    GIT_COMMITTER_DATE="$NOW +0000" git commit-tree -p "$base" -p HEAD \
	    -m "merge $subject" 'HEAD^{tree}')"
	ranks "$T/run.csv" "$@"
	record "$status" "$T/run.csv" --event pull_request
}

tracked() {
	config <<-'END'
		tracked: [a]
		thresholds: []
	END
}

# The tracked question a may be as low as 9, for a while.
waiver() {
	config <<-'END'
		tracked: [a]
		thresholds: []
		waivers:
		  - {question: a, ceiling: 9, until: 2023-11-20, reason: a trial, issue: "#84"}
	END
}
