#!/usr/bin/env bats
# What a user's configuration, a server that hangs, a prompt and a damaged
# ref could do to a shared history, and do not.

load helper

teardown() {
	[ -z "${SERVER-}" ] || kill "$SERVER" 2> "$T/kill" || :
}

# Another clone; notes do not come with it.
clone() {
	git clone -q --template= "$T/origin.git" "$T/$1"
	cd "$T/$1"
}

there() {
	git --git-dir="$T/origin.git" "$@"
}

# The refs of the remote, but for its branches.
refs_there() {
	there for-each-ref --format='%(refname)' refs/notes refs/tags refs/x
}

# The number of lines in HEAD's note.
lines() {
	git notes --ref=evalgate/default show "${1:-HEAD}" | wc -l
}

wait_for() {
	while [ ! -f "$1" ]; do
		kill -0 "$SERVER"
		sleep 0.05
	done
}

# Takes connections and never answers; sets URL.
hang() {
	"$CLI/hang.pl" "$T/port" > "$T/server" 2>&1 3>&- &
	SERVER=$!
	wait_for "$T/port"
	URL=http://127.0.0.1:$(cat "$T/port")/origin.git
}

# Wants a token that nobody here has; sets URL.
closed() {
	perl "$CLI/http_backend.pl" "$T" Authorization 'basic dG9rZW4=' \
	    "$T/port" > "$T/server" 2>&1 3>&- &
	SERVER=$!
	wait_for "$T/port"
	URL=http://127.0.0.1:$(cat "$T/port")/origin.git
}

# ----------------------------------------------------------- configuration --

@test "a refspec for notes of the user's takes no record away" {
	shared
	act 0 record --push "$T/r1.csv"
	clone two
	git config --add remote.origin.fetch '+refs/notes/*:refs/notes/*'
	git config fetch.prune true
	git config remote.origin.prune true
	git config fetch.pruneTags true
	commit c2
	act 0 record "$T/r2.csv"
	act 0 record --suite own "$T/r2.csv"
	act 0 sync --fetch
	same "$(lines)" 1
	differ "$(notes own)" none
	act 0 sync
	says '2 pushed'
	same "$(there rev-parse refs/notes/evalgate/default)" "$(notes)"
}

@test "doctor warns of a refspec by which \`git fetch\` overwrites records" {
	shared
	act 0 record --push "$T/r1.csv"
	git config --add remote.origin.fetch 'refs/notes/*:refs/notes/*'
	git config --add remote.origin.fetch '+refs/notes/*:refs/seen/*'
	git config --add remote.origin.fetch '+refs/notes/a/*:refs/notes/b/*'
	act 0 doctor
	says_not refspec
	git config --fixed-value --unset remote.origin.fetch \
	    'refs/notes/*:refs/notes/*'
	git config --add remote.origin.fetch '+refs/notes/*:refs/notes/*'
	eg 0 doctor
	says "warn  refspec     '+refs/notes/*:refs/notes/*' makes each" \
	    'git fetch origin' 'evalgate sync'
	commit c2
	act 1 record "$T/r2.csv"
	git fetch -q
	git notes --ref=evalgate/default list > "$T/list"
	never grep -q "$(git rev-parse HEAD)" "$T/list"
	# The mend is one to be pasted.
	act 0 doctor
	sed -n 's/.* needs no refspec: //p' "$T/stdout" > "$T/mend"
	sh "$T/mend"
	act 0 doctor
	says_not refspec
	act 1 record "$T/r2.csv"
	git fetch -q
	same "$(git notes --ref=evalgate/default list HEAD | wc -l)" 1
}

@test "doctor warns of a mirror's refspec, of each remote's" {
	shared
	act 0 record --push "$T/r1.csv"
	git remote add copy "$T/origin.git"
	git config remote.copy.fetch '+refs/*:refs/*'
	act 0 doctor
	says "'+refs/*:refs/*' makes each \`git fetch copy\`" \
	    "remote.copy.fetch '+refs/*:refs/*'"
	act 0 doctor --suite own
	says "'+refs/*:refs/*' makes"
}

@test "deepening a clone takes no record away either" {
	shared
	act 0 record --push "$T/r1.csv"
	commit c2
	commit c3
	git push -q origin main
	git clone -q --depth=1 --template= "file://$T/origin.git" "$T/two"
	cd "$T/two"
	git config --add remote.origin.fetch '+refs/notes/*:refs/notes/*'
	git config remote.origin.prune true
	act 0 record --suite own --start new "$T/r1.csv"
	GITHUB_EVENT_NAME=push act 0 ci "$T/r1.csv"
	says 'too shallow'
	same "$(git notes --ref=evalgate/own show HEAD | wc -l)" 1
	same "$(lines)" 1
}

@test "nothing but the history is fetched or pushed, whatever is configured" {
	shared
	act 0 record "$T/r1.csv"
	git tag -a -m t1 t1
	git config remote.origin.mirror true
	git config remote.origin.push 'refs/heads/*:refs/x/*'
	git config remote.origin.tagOpt --tags
	git config push.followTags true
	git config push.default matching
	git config push.pushOption no-such-option
	act 0 sync
	says '1 pushed'
	same "$(refs_there)" refs/notes/evalgate/default
	there tag t2 main
	act 0 sync
	same "$(git tag)" t1
	act 0 doctor
	says 'ok    push'
}

# ----------------------------------------------------------------- remotes --

@test "a remote that is named and is none: exit 4, with the nearest" {
	shared
	act 0 record --push "$T/r1.csv"
	commit c2
	act 4 ci --event push --remote orgin "$T/r1.csv"
	says PASS
	tells "there is no remote 'orgin'; did you mean 'origin'?"
	config <<< $'metrics: [mrr]\nhistory: {remote: upstream}'
	commit c3
	act 4 sync
	tells "there is no remote 'upstream'; there is 'origin'"
	act 4 doctor
	says "FAIL  remote      there is no remote 'upstream'"
}

@test "no remote 'origin' where there are others: exit 4, and they are named" {
	shared
	git remote rename origin forge
	act 4 ci --event push "$T/r1.csv"
	says 'NO VERDICT' 'could not be fetched' 'not recorded'
	says_not 'a baseline is required'
	tells "there is no remote 'origin'; there is 'forge'"
	same "$(notes)" none
}

@test "a password in a remote's URL is told nowhere" {
	local url
	shared
	closed
	url=${URL/:\/\//:\/\/me:sekrit@}
	act 4 sync --remote "$url"
	tells '://me:***@127.0.0.1'
	act 4 sync --remote "${URL/:\/\//:\/\/sekrit@}"
	tells '://***@127.0.0.1'
	act 4 doctor --remote "$url"
	says '://me:***@127.0.0.1'
	run "$EVALGATE" ci --event push --remote "$url" "$T/r1.csv" \
	    --format json --format "markdown:$T/x.md" --format "html:$T/x.html"
	[[ $output == *"me:***@"* && $output != *sekrit* ]]
	run grep -l sekrit "$T/x.md" "$T/x.html"
	same "$output" ''
}

# -------------------------------------------------------------------- time --

@test "a server that never answers has its time, and no more" {
	shared
	hang
	export EVALGATE_TIMEOUT=1
	git remote set-url origin "$URL"
	SECONDS=0
	act 4 sync
	tells 'no answer within 1 seconds' EVALGATE_TIMEOUT
	act 4 doctor
	says "can't be reached: no answer"
	act 4 ci --event push "$T/r1.csv"
	says 'NO VERDICT'
	[ "$SECONDS" -lt 30 ]
	run pgrep -f "$URL"
	same "$output" ''
}

@test "a push that hangs, or is cancelled, loses neither verdict nor record" {
	local pid status=0
	shared
	hang
	git config remote.origin.pushurl "$URL"
	EVALGATE_TIMEOUT=1 act 4 ci --event push "$T/r1.csv"
	says PASS "recorded for $(git rev-parse --short=7 HEAD)"
	tells 'cannot push to' 'no answer'
	commit c2
	GITHUB_OUTPUT=$T/outputs "$EVALGATE" ci --event push "$T/r5.csv" \
	    > "$T/stdout" 2> "$T/stderr" 3>&- &
	pid=$!
	while [ "$(git notes --ref=evalgate/default list | wc -l)" -lt 3 ]; do
		sleep 0.05
	done
	sleep 0.5
	kill -TERM "$pid"
	wait "$pid" || status=$?
	same "$status" 1
	grep -q '^FAIL' "$T/stdout"
	grep -q 'interrupted' "$T/stderr"
	grep -q '^recorded=false' "$T/outputs"
	run pgrep -f "$URL"
	same "$output" ''
}

@test "a lock that stays on the server is not blamed on others" {
	shared
	mkdir -p "$T/origin.git/refs/notes/evalgate"
	: > "$T/origin.git/refs/notes/evalgate/default.lock"
	EVALGATE_TIMEOUT=4 act 4 record --push "$T/r1.csv"
	says PASS
	tells 'nobody else did' 'default.lock'
	differ "$(notes)" none
}

# ----------------------------------------------------------------- prompts --

@test "nobody is asked for a password, and a helper that knows one is" {
	shared
	closed
	printf '#!/bin/sh\necho asked >> "%s"\nsleep 60\n' "$T/asked" \
	    > "$T/ask"
	chmod +x "$T/ask"
	git remote set-url origin "$URL"
	GIT_ASKPASS=$T/ask act 4 sync
	SSH_ASKPASS=$T/ask DISPLAY=:0 act 4 sync
	git config core.askPass "$T/ask"
	act 4 sync
	tells 'git has no credentials'
	absent "$T/asked"
	git config credential.helper \
	    "!echo helped >> '$T/helped'; echo username=u; echo password=p; :"
	act 4 sync
	[ -s "$T/helped" ]
	tells 'no valid credentials'
}

# ------------------------------------------------------------ damaged refs --

@test "a suite that is damaged on the remote is refused, others are shared" {
	local blob
	shared
	act 0 record "$T/r1.csv" --suite aaa
	act 0 record "$T/r1.csv" --suite zzz
	for blob in "$(echo x | there hash-object -w --stdin)" \
	    "$(there rev-parse 'main^{tree}')"; do
		there update-ref refs/notes/evalgate/aaa "$blob"
		there update-ref -d refs/notes/evalgate/zzz
		act 4 sync
		tells "suite 'aaa' on 'origin' is damaged"
		same "$(there rev-parse refs/notes/evalgate/zzz)" \
		    "$(notes zzz)"
		same "$(there rev-parse refs/notes/evalgate/aaa)" "$blob"
		same "$(git cat-file -t refs/notes/evalgate/aaa)" commit
	done
	git update-ref -d refs/notes/evalgate/aaa
	act 4 sync --fetch
	same "$(notes aaa)" none
}

@test "a suite that is damaged here is not pushed, others are" {
	shared
	act 0 record "$T/r1.csv" --suite zzz
	git update-ref refs/notes/evalgate/aaa \
	    "$(echo x | git hash-object -w --stdin)"
	act 4 sync
	tells 'refs/notes/evalgate/aaa' damaged
	same "$(refs_there)" refs/notes/evalgate/zzz
}

@test "a suite that the server refuses keeps no other from being shared" {
	shared
	mkdir "$T/origin.git/hooks"
	cat > "$T/origin.git/hooks/update" <<'EOF'
#!/bin/sh
case $1 in */aaa) echo 'not this one'; exit 1 ;; esac
EOF
	chmod +x "$T/origin.git/hooks/update"
	act 0 record "$T/r1.csv" --suite aaa
	act 0 record "$T/r1.csv" --suite zzz
	act 4 sync
	tells "suite 'aaa': [remote rejected] (hook declined)" \
	    'it says: not this one' 'a rule or hook on the server'
	same "$(refs_there)" refs/notes/evalgate/zzz
}

@test "what ssh, a closed port and a ref in the way say is told, with the mend" {
	shared
	printf '#!/bin/sh\necho "x: Permission denied (publickey)." >&2\nexit 255\n' \
	    > "$T/ssh"
	chmod +x "$T/ssh"
	GIT_SSH=$T/ssh act 4 sync --remote ssh://git@127.0.0.1/x.git
	tells 'Permission denied (publickey)' 'let in by no key'
	act 4 sync --remote git://127.0.0.1:1/x.git
	tells 'Connection refused' 'is the server up'
	git update-ref refs/notes/evalgate HEAD
	act 4 record "$T/r1.csv"
	tells 'git update-ref -d refs/notes/evalgate'
}
