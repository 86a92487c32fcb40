/* evalgate completion: what a shell can complete, from the tables of cli. */
#include <stdio.h>
#include <string.h>

#include "cli.h"

/* A help text's first line, without what would end a quoted word. */
static void
put_help(struct buf *out, const char *help)
{
	for (; *help && *help != '\n'; help++)
		if (*help != '\'' && *help != '[' && *help != ']' &&
		    *help != ':' && *help != '\\')
			buf_putc(out, *help);
}

/* Options whose values are of a few words. */
static const char *const choices[][2] = {
    {"baseline", "rev: file:"},
    {"color", "auto always never"},
    {"question-format", "evalgate companion trec beir csv map texts"},
    {"rank-field", "hit_rank page_rank keyword_rank"},
    {"run-format", "trec jsonl map ranks companion csv"},
};

/* The words that an option takes, a blank before each; none: free text. */
static void
put_choices(struct buf *out, enum command_bit command, const char *option)
{
	size_t i;

	for (i = 0; i < nformats && strcmp(option, "format") == 0; i++)
		if (format_speaks(format_table[i], command))
			buf_printf(out, " %s", format_table[i]->name);
	for (i = 0; i < nevents && strcmp(option, "event") == 0; i++)
		buf_printf(out, " %s", event_table[i]->name);
	for (i = 0; i < COUNT(choices); i++)
		if (strcmp(option, choices[i][0]) == 0)
			buf_printf(out, " %s", choices[i][1]);
}

/* How bash's compgen finds what an option takes: files, directories, none. */
static const char *
bash_kind(const char *value)
{
	if (strncmp(value, "FILE", 4) == 0 || strcmp(value, "RUN") == 0)
		return "-f";
	return strcmp(value, "DIR") == 0 ? "-d" : "";
}

static void
bash_command(struct buf *out, const struct command *command)
{
	struct option_name option;
	size_t k;

	buf_printf(out, "\t\t%s)\n\t\t\tcase $prev in\n", command->name);
	for (k = 0; options_at(command->bit, k, &option); k++) {
		if (!option.value)
			continue;
		buf_printf(out, "\t\t\t--%s", option.name);
		if (option.letter)
			buf_printf(out, " | -%c", option.letter);
		buf_printf(out, ") kind=%s words='", bash_kind(option.value));
		put_choices(out, command->bit, option.name);
		buf_puts(out, "' ;;\n");
	}
	buf_puts(out, "\t\t\t*) options='");
	for (k = 0; options_at(command->bit, k, &option); k++)
		buf_printf(out, "%s--%s", k ? " " : "", option.name);
	buf_puts(out, "' ;;\n\t\t\tesac ;;\n");
}

/* Bash parts words at '=', too. */
static void
bash(struct buf *out)
{
	size_t i;

	buf_puts(out,
	    "# bash completion for evalgate\n"
	    "_evalgate()\n{\n"
	    "\tlocal at=$COMP_CWORD first=1 kind=-f words= options=\n"
	    "\tlocal cur=${COMP_WORDS[at]} prev=${COMP_WORDS[at - 1]}\n"
	    "\tif [ \"$cur\" = = ]; then\n"
	    "\t\tcur=\n"
	    "\telif [ \"$prev\" = = ]; then\n"
	    "\t\tprev=${COMP_WORDS[at - 2]}\n"
	    "\tfi\n"
	    "\t[ \"${COMP_WORDS[1]}\" != -C ] || first=3\n"
	    "\tif [ \"$at\" = 2 ] && [ \"$first\" = 3 ]; then\n"
	    "\t\tkind=-d\n"
	    "\telif [ \"$at\" = \"$first\" ]; then\n"
	    "\t\tkind= words='--help --version");
	for (i = 0; i < ncommands; i++)
		buf_printf(out, " %s", command_table[i]->name);
	buf_puts(out, "'\n\telse\n\t\tcase ${COMP_WORDS[first]} in\n");
	for (i = 0; i < ncommands; i++)
		bash_command(out, command_table[i]);
	buf_puts(out,
	    "\t\tesac\n"
	    "\t\tif [ -n \"$options\" ] && [[ $cur == -* ]]; then\n"
	    "\t\t\tkind= words=$options\n"
	    "\t\telif [ -n \"$options\" ] &&\n"
	    "\t\t    [ \"${COMP_WORDS[first]}\" = completion ]; then\n"
	    "\t\t\tkind= words='bash zsh fish'\n"
	    "\t\tfi\n"
	    "\tfi\n"
	    "\tmapfile -t COMPREPLY < <(\n"
	    "\t\t[ -z \"$words\" ] || compgen -W \"$words\" -- \"$cur\"\n"
	    "\t\t[ -z \"$kind\" ] || compgen $kind -- \"$cur\")\n"
	    "}\n"
	    "complete -o filenames -F _evalgate evalgate\n");
}

/* ":value:(auto always never)", ":value:_files" */
static void
zsh_value(
    struct buf *out, enum command_bit command, const struct option_name *option)
{
	struct buf words;
	const char *p;

	if (!option->value)
		return;
	buf_init(&words);
	put_choices(&words, command, option->name);
	buf_printf(out, ":value:%s",
	    words.len                       ? "("
		: *bash_kind(option->value) ? "_files"
					    : "");
	for (p = words.data + (words.len > 0); *p; p++)
		buf_printf(out, *p == ':' ? "\\%c" : "%c", *p);
	buf_puts(out, words.len ? ")" : "");
	buf_free(&words);
}

static void
zsh(struct buf *out)
{
	struct option_name option;
	size_t i, k;

	buf_puts(out,
	    "#compdef evalgate\n"
	    "_evalgate() {\n"
	    "\tlocal -a commands\n"
	    "\tcommands=(\n");
	for (i = 0; i < ncommands; i++) {
		buf_printf(out, "\t\t'%s:", command_table[i]->name);
		put_help(out, command_table[i]->summary);
		buf_puts(out, "'\n");
	}
	buf_puts(out,
	    "\t)\n"
	    "\tif (( CURRENT == 2 )); then\n"
	    "\t\t_describe command commands\n"
	    "\t\treturn\n"
	    "\tfi\n"
	    "\tlocal command=$words[2]\n"
	    "\tshift words\n"
	    "\t(( CURRENT-- ))\n"
	    "\tcase $command in\n");
	for (i = 0; i < ncommands; i++) {
		buf_printf(out, "\t%s) _arguments", command_table[i]->name);
		for (k = 0; options_at(command_table[i]->bit, k, &option);
		     k++) {
			buf_printf(out, " \\\n\t\t'--%s%s[", option.name,
			    option.value ? "=" : "");
			put_help(out, option.help);
			buf_puts(out, "]");
			zsh_value(out, command_table[i]->bit, &option);
			buf_puts(out, "'");
		}
		buf_puts(out, " \\\n\t\t'*:file:_files' ;;\n");
	}
	buf_puts(out, "\tesac\n}\n_evalgate \"$@\"\n");
}

/* " -r", and where it takes words and no file " -f -a 'words'". */
static void
fish_value(
    struct buf *out, enum command_bit command, const struct option_name *option)
{
	struct buf words;

	if (!option->value)
		return;
	buf_init(&words);
	put_choices(&words, command, option->name);
	buf_printf(out, " -r%s", *bash_kind(option->value) ? "" : " -f");
	if (words.len)
		buf_printf(out, " -a '%s'", words.data + 1);
	buf_free(&words);
}

static void
fish(struct buf *out)
{
	struct option_name option;
	size_t i, k;

	buf_puts(out, "# fish completion for evalgate\n");
	for (i = 0; i < ncommands; i++) {
		buf_printf(out,
		    "complete -c evalgate -n __fish_use_subcommand -a %s "
		    "-d '",
		    command_table[i]->name);
		put_help(out, command_table[i]->summary);
		buf_puts(out, "'\n");
	}
	for (i = 0; i < ncommands; i++) {
		for (k = 0; options_at(command_table[i]->bit, k, &option);
		     k++) {
			buf_printf(out,
			    "complete -c evalgate -n "
			    "'__fish_seen_subcommand_from %s' -l %s",
			    command_table[i]->name, option.name);
			if (option.letter)
				buf_printf(out, " -s %c", option.letter);
			fish_value(out, command_table[i]->bit, &option);
			buf_puts(out, " -d '");
			put_help(out, option.help);
			buf_puts(out, "'\n");
		}
	}
}

static const struct {
	const char *name;
	void (*put)(struct buf *out);
} shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};

static int
run(struct session *s)
{
	const struct words *args = &s->options.args;
	struct buf out;
	size_t i;

	for (i = 0; args->n == 1 && i < COUNT(shells); i++) {
		if (strcmp(shells[i].name, args->items[0]) != 0)
			continue;
		buf_init(&out);
		shells[i].put(&out);
		fputs(out.data, stdout);
		buf_free(&out);
		return EXIT_PASS;
	}
	fail(s->e, "completion needs a shell: bash, zsh or fish");
	return EXIT_INPUT;
}

const struct command command_completion = {
    .name = "completion",
    .bit = COMMAND_COMPLETION,
    .synopsis = "completion bash|zsh|fish",
    .summary = "what a shell needs to complete commands and options",
    .help = "Prints a completion script; `make install` puts them where "
	    "the shells look.\n",
    .run = run,
};
