/* Reports to stdout and to files, each in the format that was asked for. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

struct target {
	const struct format *format;
	const char *path; /* NULL: stdout */
};

/* One of these is told. */
struct outcome {
	const struct sheet *sheets;
	size_t nsheets;
	const struct history_report *history;
	const struct blame_report *blame;
};

bool
format_speaks(const struct format *format, enum command_bit command)
{
	switch (command) {
	case COMMAND_HISTORY:
		return format->history != NULL;
	case COMMAND_BLAME:
		return format->blame != NULL;
	default:
		return format->report != NULL;
	}
}

/* The format of "json" or "json:FILE", NULL: there is none. */
static const struct format *
format_of(const struct session *s, const char *word)
{
	return format_find(arena_strndup(s->arena, word, strcspn(word, ":")));
}

/* The file of "json:FILE"; NULL: standard output, as for "json:-". */
static const char *
path_of(const char *word)
{
	const char *colon = strchr(word, ':');

	return colon && colon[1] && strcmp(colon + 1, "-") != 0 ? colon + 1
								: NULL;
}

static int
read_target(struct session *s, const char *word, struct target *target)
{
	const char *names = "";
	size_t i;

	target->path = path_of(word);
	target->format = format_of(s, word);
	if (target->format && format_speaks(target->format, s->command))
		return 0;
	for (i = 0; i < nformats; i++)
		if (format_speaks(format_table[i], s->command))
			names = arena_printf(s->arena, "%s%s%s", names,
			    *names ? ", " : "", format_table[i]->name);
	return fail(s->e, "--format is '%s'; known here are %s", word, names);
}

static bool
wants_color(const struct session *s)
{
	if (strcmp(s->options.color, "auto") != 0)
		return strcmp(s->options.color, "always") == 0;
	return !s->around.no_color && isatty(STDOUT_FILENO);
}

static int
put(struct session *s, const struct target *target, const struct buf *out)
{
	if (target->path)
		return file_write(target->path, out->data, out->len, s->e);
	if (fwrite(out->data, 1, out->len, stdout) == out->len &&
	    fflush(stdout) == 0)
		return 0;
	/* A reader that has seen enough, such as head, is no fault. */
	if (errno == EPIPE)
		return 0;
	return fail_environment(
	    s->e, "cannot write to standard output: %s", strerror(errno));
}

static int
write_target(struct session *s, const struct target *target,
    const struct outcome *outcome)
{
	struct style style = {
	    .color = !target->path && wants_color(s),
	    .quiet = s->options.quiet,
	    .verbose = s->options.verbose,
	    .per_question = s->options.per_question,
	};
	struct buf out;
	int rc;

	buf_init(&out);
	if (outcome->sheets)
		target->format->report(
		    s->arena, &out, outcome->sheets, outcome->nsheets, &style);
	else if (outcome->history)
		target->format->history(
		    s->arena, &out, outcome->history, &style);
	else
		target->format->blame(s->arena, &out, outcome->blame, &style);
	rc = put(s, target, &out);
	buf_free(&out);
	return rc;
}

/* The formats asked for, and text on stdout where nothing else goes there. */
static int
write_all(struct session *s, const struct outcome *outcome)
{
	const struct words *words = &s->options.formats;
	struct target target;
	bool taken = false;
	size_t i;
	int rc = 0;

	/* One report that can't be written keeps no other back. */
	for (i = 0; i < words->n; i++) {
		if (read_target(s, words->items[i], &target) < 0 ||
		    write_target(s, &target, outcome) < 0)
			rc = -1;
		taken |= !target.path;
	}
	if (taken)
		return rc;
	target = (struct target){format_find("text"), NULL};
	return write_target(s, &target, outcome) < 0 ? -1 : rc;
}

/*
 * Annotations are picked out of whatever is printed, so they share standard
 * output with text; two of anything else would be one broken file.
 */
static bool
may_share(const char *one, const char *other)
{
	return (strcmp(one, "text") == 0 && strcmp(other, "github") == 0) ||
	    (strcmp(one, "github") == 0 && strcmp(other, "text") == 0);
}

/* Whether one of the first n formats goes to this file, too. */
static bool
same_target(struct session *s, size_t n, const char *path)
{
	struct target other;
	size_t i;

	for (i = 0; i < n; i++)
		if (read_target(s, s->options.formats.items[i], &other) == 0 &&
		    other.path && strcmp(other.path, path) == 0)
			return true;
	return false;
}

int
output_check(struct session *s)
{
	const struct words *words = &s->options.formats;
	const char *taken = NULL;
	struct target target;
	bool full = false;
	size_t i;

	for (i = 0; i < words->n; i++) {
		if (read_target(s, words->items[i], &target) < 0)
			return -1;
		if (target.path && same_target(s, i, target.path))
			return fail(s->e,
			    "two reports want the file '%s'; the later one "
			    "would overwrite the other",
			    target.path);
		if (target.path)
			continue;
		if (taken && (full || !may_share(taken, target.format->name)))
			return fail(s->e,
			    "--format %s and --format %s both want standard "
			    "output; give one a file, as in json:FILE",
			    taken, words->items[i]);
		full = taken != NULL;
		taken = target.format->name;
	}
	return 0;
}

const char *
output_path(const struct session *s, const char *format)
{
	const struct words *words = &s->options.formats;
	size_t len = strlen(format), i;
	const char *path;

	for (i = 0; i < words->n; i++) {
		path = path_of(words->items[i]);
		if (path && strncmp(words->items[i], format, len) == 0 &&
		    words->items[i][len] == ':')
			return path;
	}
	return "";
}

bool
output_takes_stdout(const struct session *s)
{
	const struct words *words = &s->options.formats;
	size_t i;

	for (i = 0; i < words->n; i++)
		if (!path_of(words->items[i]))
			return true;
	return false;
}

bool
output_wants_past(const struct session *s)
{
	const struct words *words = &s->options.formats;
	const struct format *format;
	size_t i;

	for (i = 0; i < words->n; i++) {
		format = format_of(s, words->items[i]);
		if (format && format->page)
			return true;
	}
	return false;
}

/* Whether some output tells every question. */
static bool
tells_each(const struct session *s)
{
	const struct words *words = &s->options.formats;
	const struct format *format;
	size_t i;

	for (i = 0; i < words->n; i++) {
		format = format_of(s, words->items[i]);
		if (format && format->each_question)
			return true;
	}
	return s->options.per_question;
}

/* The config as seen from the repository's root; NULL where it is not in it. */
static const char *
config_path(struct session *s)
{
	const char *root = s->repo ? repo_root(s->repo) : NULL;
	size_t len = root ? strlen(root) : 0;
	const char *path = NULL;
	char *real = s->config.file ? realpath(s->config.file, NULL) : NULL;

	if (real && len && strncmp(real, root, len) == 0 && real[len] == '/')
		path = arena_strdup(s->arena, real + len + 1);
	free(real);
	return path;
}

static const char *
command_name(enum command_bit bit)
{
	size_t i;

	for (i = 0; i < ncommands && command_table[i]->bit != bit; i++)
		;
	return i < ncommands ? command_table[i]->name : NULL;
}

void
output_sheet(
    struct session *s, const struct report *report, struct sheet *sheet)
{
	struct report whole = *report;

	whole.tool = EVALGATE_VERSION;
	whole.command = command_name(s->command);
	whole.suite = s->config.suite;
	whole.rules = &s->config.rules;
	whole.questions = &s->questions;
	whole.run = &s->run;
	whole.views = &s->views;
	whole.scores = &s->scores;
	whole.subset = s->config.subset;
	whole.config = config_path(s);
	whole.noted_only = !report->judgement && !tells_each(s);
	whole.notices = s->notices.items;
	whole.nnotices = s->notices.n;
	sheet_make(s->arena, &whole, sheet);
}

int
output_report(struct session *s, const struct report *report)
{
	struct sheet sheet;

	output_sheet(s, report, &sheet);
	return output_sheets(s, &sheet, 1);
}

int
output_sheets(struct session *s, const struct sheet *sheets, size_t nsheets)
{
	s->reported = true;
	return write_all(
	    s, &(struct outcome){.sheets = sheets, .nsheets = nsheets});
}

int
output_history(struct session *s, const struct history_report *history)
{
	return write_all(s, &(struct outcome){.history = history});
}

int
output_blame(struct session *s, const struct blame_report *blame)
{
	return write_all(s, &(struct outcome){.blame = blame});
}
