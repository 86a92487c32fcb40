/* evalgate: the table of commands, messages, the exit status. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

#define MESSAGES 50 /* that are printed before the rest is counted */

const struct command *const command_table[] = {
    &command_score,
    &command_check,
    &command_record,
    &command_compare,
    &command_history,
    &command_blame,
    &command_sync,
    &command_doctor,
    &command_ci,
    &command_init,
    &command_lint,
    &command_selftest,
    &command_noise,
    &command_accept,
    &command_report,
    &command_schema,
    &command_completion,
};
const size_t ncommands = COUNT(command_table);

static void
help(FILE *to)
{
	size_t i;

	fputs(
	    "usage: evalgate COMMAND [OPTION]... [ARGUMENT]...\n\n"
	    "Keeps a retrieval system from getting quietly worse: scores a "
	    "run, compares it\nwith the records of earlier commits, and fails "
	    "when an average or a tracked\nquestion got worse.\n\n",
	    to);
	for (i = 0; i < COUNT(command_table); i++)
		fprintf(to, "  %-10s %s\n", command_table[i]->name,
		    command_table[i]->summary);
	fputs("\n`evalgate COMMAND --help` says more; --version prints the "
	      "version.\n\n"
	      "exit status: 0 pass, 1 the gate failed, 2 input at fault, 3 no "
	      "verdict,\n             4 repository, disk or network at "
	      "fault\n",
	    to);
}

static void
command_help(const struct command *command)
{
	struct buf out;

	buf_init(&out);
	buf_printf(&out, "usage: evalgate %s\n\n%s\n", command->synopsis,
	    command->help);
	options_help(&out, command->bit);
	fputs(out.data, stdout);
	buf_free(&out);
}

int
exit_status(const struct error *e, int verdict)
{
	bool kinds[3] = {false};
	size_t i;

	for (i = 0; i < e->nitems; i++)
		kinds[e->items[i].kind] = true;
	if (kinds[ERROR_INPUT])
		return EXIT_INPUT;
	if (verdict == EXIT_GATE)
		return EXIT_GATE;
	if (kinds[ERROR_ENVIRONMENT])
		return EXIT_ENVIRONMENT;
	if (kinds[ERROR_NO_VERDICT])
		return EXIT_NO_VERDICT;
	return verdict;
}

static void
print_errors(const struct error *e)
{
	struct buf out;
	size_t i;

	buf_init(&out);
	for (i = 0; i < e->nitems && i < MESSAGES; i++) {
		if (e->items[i].file)
			buf_put_visible(&out, e->items[i].file);
		else
			buf_puts(&out, "evalgate");
		if (e->items[i].line)
			buf_printf(&out, ":%zu", e->items[i].line);
		buf_puts(&out, ": ");
		buf_put_visible(&out, e->items[i].text);
		buf_putc(&out, '\n');
	}
	if (e->nitems > MESSAGES)
		buf_printf(&out, "evalgate: and %zu more mistakes\n",
		    e->nitems - MESSAGES);
	fputs(out.data, stderr);
	buf_free(&out);
}

static const struct command *
find(const char *name, struct error *e)
{
	const char *names[COUNT(command_table)], *near;
	size_t i;

	for (i = 0; i < COUNT(command_table); i++) {
		if (strcmp(command_table[i]->name, name) == 0)
			return command_table[i];
		names[i] = command_table[i]->name;
	}
	near = suggest(name, names, COUNT(command_table));
	fail(e, "unknown command '%s'%s%s%s; see `evalgate --help`", name,
	    near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
	return NULL;
}

static int
run(struct session *s, const struct command *command, int argc, char **argv)
{
	int verdict;

	if (options_parse(s->arena, command->bit, command->name, argc, argv,
		&s->options, s->e) < 0)
		return EXIT_INPUT;
	if (s->options.help) {
		command_help(command);
		return EXIT_PASS;
	}
	if (s->options.directory && chdir(s->options.directory) < 0) {
		fail(s->e, "cannot go to '%s': %s", s->options.directory,
		    strerror(errno));
		return EXIT_INPUT;
	}
	s->command = command->bit;
	if (output_check(s) < 0 || now_read(s->options.now, &s->now, s->e) < 0)
		return EXIT_INPUT;
	surroundings_read(s->arena, &s->around);
	verdict = command->run(s);
	repo_close(s->repo);
	return verdict;
}

/* evalgate -C DIR check: as git and make have it, before the command too. */
static void
command_first(int argc, char **argv)
{
	char *command;

	if (argc < 4 || strcmp(argv[1], "-C") != 0)
		return;
	command = argv[3];
	argv[3] = argv[2];
	argv[2] = argv[1];
	argv[1] = command;
}

int
main(int argc, char **argv)
{
	struct arena *arena = arena_new();
	struct error e = {.arena = arena};
	struct session session = {.arena = arena, .e = &e};
	const struct command *command = NULL;
	int status = EXIT_PASS;

	/* Full pipes and file size limits are errors to tell, not to die of. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	command_first(argc, argv);
	if (argc < 2) {
		help(stderr);
		status = EXIT_INPUT;
	} else if (strcmp(argv[1], "--version") == 0) {
		puts("evalgate " EVALGATE_VERSION);
	} else if (strcmp(argv[1], "--help") == 0 ||
	    strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
		help(stdout);
	} else {
		command = find(argv[1], &e);
		if (command)
			status = run(&session, command, argc - 2, argv + 2);
		status = exit_status(&e, status);
	}
	if (e.nitems && command && !session.reported &&
	    command->bit & (COMMAND_CHECK | COMMAND_RECORD | COMMAND_CI))
		fputs("ERROR  no verdict, nothing stored\n", stderr);
	print_errors(&e);
	arena_free(arena);
	return status;
}
