# Files that are broken or made to harm: what their tests share.

# A repository with a sound config, question file and run of each kind.
sound() {
	new_repo
	config <<-'END'
		questions: questions.yaml
		run: run.trec
		metrics: [mrr]
		tracked:
		  - {question: q1}
	END
	printf '%s\n' '- {id: q1, expected: d1}' '- {id: q2, expected: d2}' \
	    > questions.yaml
	printf '%s\n' 'q1 Q0 d1 1 2 t' 'q2 Q0 d2 1 2 t' > run.trec
	commit c1
	eg 0 check
}

# refused WHAT FILE[:LINE] [TEXT]: the file is at fault as a config, question
# file or run, on some line where none is given.
refused() {
	local what=$1 file=${2%%:*} line=${2#*:} text=${3-} args
	[ "$line" != "$2" ] || line='[0-9]+'
	case $what in
	config) args=(-c "$file") ;;
	questions) args=(-Q "$file") ;;
	run) args=("$file") ;;
	esac
	# A report was asked for as well: that may not be there either.
	judged 2 "${command:-record}" "${args[@]}" || return 1
	[[ $'\n'$err =~ $'\n'$file(:$line)?:\ (.*) &&
	    ${BASH_REMATCH[2]} == *"$text"* ]] || {
		echo "expected: $file:$line: ...$text"
		show
		return 1
	}
	[ "$line" = "[0-9]+" ] || [[ $'\n'$err == *$'\n'"$file:$line: "* ]] || {
		echo "expected: line $line of $file"
		show
		return 1
	}
}

# file NAME FORMAT ARGUMENT...: as printf writes it.
file() {
	local name=$1
	shift
	printf "$@" > "$name"
}
