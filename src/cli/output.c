/* Reports to stdout and to files, each in the format that was asked for. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

struct target {
	const struct format *format;
	const char *path; /* NULL: stdout */
};

static int
read_target(struct session *s, const char *word, struct target *target)
{
	const char *names = "", *colon = strchr(word, ':');
	size_t i;

	target->path = colon && colon[1] ? colon + 1 : NULL;
	target->format = format_find(colon
		? arena_strndup(s->arena, word, (size_t)(colon - word))
		: word);
	if (target->format)
		return 0;
	for (i = 0; i < nformats; i++)
		names = arena_printf(s->arena, "%s%s%s", names, i ? ", " : "",
		    format_table[i]->name);
	return fail(s->e, "--format is '%s'; known are %s", word, names);
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
	if (fwrite(out->data, 1, out->len, stdout) != out->len ||
	    fflush(stdout) != 0)
		return fail_environment(s->e,
		    "cannot write to standard output: %s", strerror(errno));
	return 0;
}

static int
write_target(struct session *s, const struct target *target,
    const struct report *report, const struct history_report *history)
{
	struct style style = {
	    .color = !target->path && wants_color(s),
	    .quiet = s->options.quiet,
	    .verbose = s->options.verbose,
	};
	struct buf out;
	int rc;

	buf_init(&out);
	if (report)
		target->format->report(s->arena, &out, report, &style);
	else
		target->format->history(s->arena, &out, history, &style);
	rc = put(s, target, &out);
	buf_free(&out);
	return rc;
}

/* The formats asked for, and text on stdout where nothing else goes there. */
static int
write_all(struct session *s, const struct report *report,
    const struct history_report *history)
{
	const struct words *words = &s->options.formats;
	struct target target;
	bool taken = false;
	size_t i;
	int rc = 0;

	/* One report that can't be written keeps no other back. */
	for (i = 0; i < words->n; i++) {
		if (read_target(s, words->items[i], &target) < 0 ||
		    write_target(s, &target, report, history) < 0)
			rc = -1;
		taken |= !target.path;
	}
	if (taken)
		return rc;
	target = (struct target){format_find("text"), NULL};
	return write_target(s, &target, report, history) < 0 ? -1 : rc;
}

int
output_check(struct session *s)
{
	const struct words *words = &s->options.formats;
	const char *taken = NULL;
	struct target target;
	size_t i;

	for (i = 0; i < words->n; i++) {
		if (read_target(s, words->items[i], &target) < 0)
			return -1;
		if (target.path)
			continue;
		if (taken)
			return fail(s->e,
			    "--format %s and --format %s both want standard "
			    "output; give one a file, as in json:FILE",
			    taken, words->items[i]);
		taken = words->items[i];
	}
	return 0;
}

int
output_report(struct session *s, const struct report *report)
{
	s->reported = true;
	return write_all(s, report, NULL);
}

int
output_history(struct session *s, const struct history_report *history)
{
	return write_all(s, NULL, history);
}
