/*
 * What a CI system reads beside the reports: GitHub's step summary and its
 * outputs.  Both are files that are appended to.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"

#define SUMMARY_MAX ((size_t)900 << 10) /* GitHub drops one above 1 MiB */
#define SUMMARY_MIN ((size_t)4 << 10) /* less is of no use to anybody */

static int
append(struct session *s, const char *path, const struct buf *out)
{
	FILE *f = fopen(path, "a");
	bool well = f && fwrite(out->data, 1, out->len, f) == out->len;
	int saved = errno;

	if (f && fclose(f) != 0) {
		saved = errno;
		well = false;
	}
	if (well)
		return 0;
	return fail_environment(
	    s->e, "cannot append to '%s': %s", path, strerror(saved));
}

int
summary_append(struct session *s, const struct report *report)
{
	struct style style = {.limit = SUMMARY_MAX};
	const char *path = s->around.summary;
	struct sheet sheet;
	struct stat there;
	struct buf out;
	int rc;

	/* What stands there counts: over the limit all of it is dropped. */
	if (stat(path, &there) == 0)
		style.limit = (size_t)there.st_size < SUMMARY_MAX
		    ? SUMMARY_MAX - (size_t)there.st_size
		    : 0;
	if (style.limit < SUMMARY_MIN) {
		session_notice(s,
		    "the step summary is full already: nothing was added to "
		    "it");
		return 0;
	}
	sheet_make(s->arena, report, &sheet);
	buf_init(&out);
	format_find("markdown")->report(s->arena, &out, &sheet, 1, &style);
	buf_putc(&out, '\n');
	rc = append(s, path, &out);
	buf_free(&out);
	return rc;
}

/* A value of one line: what follows it must not become an output too. */
static void
put_line(struct buf *out, const char *key, const char *value)
{
	buf_printf(out, "%s=", key);
	for (; *value; value++)
		buf_putc(out, *value == '\n' || *value == '\r' ? ' ' : *value);
	buf_putc(out, '\n');
}

/* The subjects of findings of some kind, as a JSON list. */
static void
put_subjects(struct buf *out, const char *key, const struct report *report,
    bool (*is)(const struct finding *))
{
	const struct judgement *j = report ? report->judgement : NULL;
	size_t i, n = 0;

	buf_printf(out, "%s=[", key);
	for (i = 0; j && i < j->nfindings; i++) {
		const struct question *q =
		    questions_find(report->questions, j->findings[i].subject);

		/* Holdout questions are never listed. */
		if (!is(&j->findings[i]) || (q && q->holdout))
			continue;
		buf_puts(out, n++ ? ",\"" : "\"");
		json_escape(out, j->findings[i].subject);
		buf_putc(out, '"');
	}
	buf_puts(out, "]\n");
}

static bool
is_regressed(const struct finding *f)
{
	return f->level == LEVEL_ERROR && f->class < CLASS_WORSE_ALLOWED;
}

static bool
is_improved(const struct finding *f)
{
	return f->class >= CLASS_FIXED && f->class < CLASS_ADDED;
}

static bool
is_waived(const struct finding *f)
{
	return f->class == CLASS_WAIVED;
}

/* The file that a format was asked to write, "" for none. */
static const char *
path_of(const struct session *s, const char *format)
{
	const struct words *words = &s->options.formats;
	size_t len = strlen(format), i;

	for (i = 0; i < words->n; i++)
		if (strncmp(words->items[i], format, len) == 0 &&
		    words->items[i][len] == ':')
			return words->items[i] + len + 1;
	return "";
}

int
outputs_append(struct session *s, const struct report *report, int status)
{
	const struct baseline *b = report ? report->baseline : NULL;
	const char *page = path_of(s, "html");
	struct buf out;
	int rc;

	buf_init(&out);
	put_line(&out, "verdict",
	    report ? verdict_names[report->judgement->verdict] : "error");
	buf_printf(&out, "exit-code=%d\n", status);
	put_subjects(&out, "regressed", report, is_regressed);
	put_subjects(&out, "improved", report, is_improved);
	put_subjects(&out, "waived", report, is_waived);
	put_line(
	    &out, "baseline", b && b->before ? b->before->record->commit : "");
	put_line(&out, "baseline-reason", b && b->before ? b->reason : "none");
	put_line(&out, "report", *page ? page : path_of(s, "markdown"));
	put_line(&out, "report-json", path_of(s, "json"));
	put_line(
	    &out, "recorded", report && report->recorded ? "true" : "false");
	rc = append(s, s->around.outputs, &out);
	buf_free(&out);
	return rc;
}
