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
	output_sheet(s, report, &sheet);
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

/* "mrr", or "mrr [category=faq]", as reports write it. */
static const char *
name_of(struct arena *arena, const struct sheet_finding *f)
{
	return f->slice ? arena_printf(arena, "%s [%s]", f->subject, f->slice)
			: f->subject;
}

/*
 * What findings of some kind speak of, as a JSON list: the worst first, as in
 * reports, and each once.  Holdout questions are never listed.
 */
static void
put_subjects(struct arena *arena, struct buf *out, const char *key,
    const struct sheet *sheet, bool (*is)(const struct sheet_finding *))
{
	struct map told;
	size_t i, n = 0;

	map_init(&told, arena);
	buf_printf(out, "%s=[", key);
	for (i = 0; i < sheet->nfindings; i++) {
		const struct sheet_finding *f = &sheet->findings[i];
		const char *name = name_of(arena, f);
		size_t place = n;

		if (!is(f) || f->unnamed ||
		    (f->question && f->question->holdout) ||
		    !map_add(&told, name, strlen(name), &place))
			continue;
		buf_puts(out, n++ ? ",\"" : "\"");
		json_escape(out, name);
		buf_putc(out, '"');
	}
	buf_puts(out, "]\n");
}

static bool
is_regressed(const struct sheet_finding *f)
{
	/* A history that is lost is no question's or metric's fall. */
	return f->level == LEVEL_ERROR && f->class < CLASS_WORSE_ALLOWED &&
	    strcmp(f->rule, "baseline") != 0;
}

static bool
is_improved(const struct sheet_finding *f)
{
	return f->class >= CLASS_FIXED && f->class < CLASS_ADDED;
}

static bool
is_waived(const struct sheet_finding *f)
{
	return f->class == CLASS_WAIVED;
}

/* What it was compared with, or why there was nothing. */
static const char *
reason(struct session *s, const struct report *report)
{
	const struct baseline *b = report ? report->baseline : NULL;

	if (!report)
		return "nothing was compared: the input is at fault";
	if (b && b->before)
		return b->reason;
	if (s->options.start)
		return arena_printf(
		    s->arena, "new start: %s", s->options.start);
	if (s->unfetched)
		return "the history could not be fetched";
	if (b && b->cut)
		return arena_printf(
		    s->arena, "the walk back was cut: %s", b->cut);
	if (b && b->outcome == BASELINE_LOST)
		return "history lost: there are records, but none before this "
		       "commit";
	return "first run: there is no record before this commit";
}

int
outputs_append(struct session *s, const struct report *report, int status)
{
	const struct baseline *b = report ? report->baseline : NULL;
	const char *page = output_path(s, "html");
	struct sheet sheet = {.nfindings = 0};
	struct buf out;
	int rc;

	if (report)
		output_sheet(s, report, &sheet);
	buf_init(&out);
	put_line(&out, "verdict",
	    report ? verdict_names[report->judgement->verdict] : "error");
	buf_printf(&out, "exit-code=%d\n", status);
	put_subjects(s->arena, &out, "regressed", &sheet, is_regressed);
	put_subjects(s->arena, &out, "improved", &sheet, is_improved);
	put_subjects(s->arena, &out, "waived", &sheet, is_waived);
	put_line(
	    &out, "baseline", b && b->before ? b->before->record->commit : "");
	put_line(&out, "baseline-reason", reason(s, report));
	put_line(&out, "report", *page ? page : output_path(s, "markdown"));
	put_line(&out, "report-json", output_path(s, "json"));
	put_line(
	    &out, "recorded", report && report->recorded ? "true" : "false");
	rc = append(s, s->around.outputs, &out);
	buf_free(&out);
	return rc;
}
