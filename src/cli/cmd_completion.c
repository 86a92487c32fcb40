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

static void
bash(struct buf *out)
{
	struct option_name option;
	size_t i, k;

	buf_puts(out,
	    "# bash completion for evalgate\n"
	    "_evalgate()\n{\n"
	    "\tlocal cur=${COMP_WORDS[COMP_CWORD]} words=\n"
	    "\tif [ \"$COMP_CWORD\" = 1 ]; then\n"
	    "\t\twords='--help --version");
	for (i = 0; i < ncommands; i++)
		buf_printf(out, " %s", command_table[i]->name);
	buf_puts(out, "'\n\telse\n\t\tcase ${COMP_WORDS[1]} in\n");
	for (i = 0; i < ncommands; i++) {
		buf_printf(out, "\t\t%s) words='", command_table[i]->name);
		for (k = 0; options_at(command_table[i]->bit, k, &option); k++)
			buf_printf(out, "%s--%s", k ? " " : "", option.name);
		buf_puts(out, "' ;;\n");
	}
	buf_puts(out,
	    "\t\tesac\n"
	    "\t\t[[ $cur == -* ]] || words=\n"
	    "\tfi\n"
	    "\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
	    "\t[ \"$COMP_CWORD\" = 1 ] || [[ $cur == -* ]] ||\n"
	    "\t\tmapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
	    "}\n"
	    "complete -o filenames -F _evalgate evalgate\n");
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
			buf_printf(
			    out, "]%s'", option.value ? ":value:_files" : "");
		}
		buf_puts(out, " \\\n\t\t'*:file:_files' ;;\n");
	}
	buf_puts(out, "\tesac\n}\n_evalgate \"$@\"\n");
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
			buf_printf(out, "%s -d '", option.value ? " -r" : "");
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
