/*
 * A report as Markdown, for the page of a CI job and for a comment on a
 * change: the verdict first, then what fell, the averages, the waivers; what
 * else there is stands below, folded.  What doesn't fit is counted.
 */
#include <math.h>
#include <string.h>

#include "internal.h"

#define SUMMARY (900 * 1024) /* bytes; GitHub takes 1 MiB a step */
#define COMMENT 59000 /* bytes, below 60,000 characters in any case */
#define LEAST 8192 /* bytes that a suite's part is worth beginning with */
#define TAIL 800 /* bytes kept for what ends a part: counts, ends of folds */
#define SHORT 160 /* characters of a subject line that are shown */
#define LONG 600 /* characters of a question or a message that are shown */
#define ABOVE 5 /* documents that are named above a question */

/* "and 12 more, which are left out here" */
static void
put_left_out(struct markdown *md, size_t n, const char *what)
{
	if (n)
		buf_printf(md->out, "\nand %zu more %s%s, left out here\n", n,
		    what, plural(n));
}

static void
add_commit(struct buf *out, struct arena *arena, const char *commit,
    const char *subject)
{
	markdown_code(out, short_commit(arena, commit));
	if (!subject || !*subject)
		return;
	buf_putc(out, ' ');
	markdown_text(out, subject, SHORT);
}

static void
add_reference(
    struct markdown *md, const char *label, const struct sheet_reference *r)
{
	struct buf *out = &md->item;

	buf_puts(out, label);
	add_commit(out, md->arena, r->commit, r->subject);
	buf_puts(out, " (");
	markdown_text(out, r->reason, SHORT);
	if (r->distance)
		buf_printf(out, ", %zu commit%s back", r->distance,
		    plural(r->distance));
	if (r->twin_of) {
		buf_puts(out, ", for ");
		add_commit(out, md->arena, r->twin_of, NULL);
		buf_puts(out, " with the same ");
		markdown_text(out, r->twin_by, SHORT);
	}
	if (r->has_age && r->age >= 0)
		buf_printf(out, ", %s older", age_text(md->arena, r->age));
	if (r->verdict) {
		buf_puts(out, ", verdict ");
		markdown_text(out, r->verdict, SHORT);
	}
	buf_puts(out, ")");
}

/* What was compared with what, why, how far, how old. */
static void
put_compared(struct markdown *md, const struct sheet *sheet)
{
	struct buf *out = &md->item;

	buf_puts(out, "\n");
	if (sheet->compared)
		add_commit(out, md->arena, sheet->compared, NULL);
	else if (sheet->commit)
		add_commit(out, md->arena, sheet->commit, sheet->subject);
	else
		buf_puts(out, "This run");
	if (sheet->dirty)
		buf_puts(out, " with uncommitted changes");
	if (!sheet->before) {
		buf_printf(out, ", %s.\n",
		    sheet_next(sheet) ? sheet_next(sheet)
				      : "compared with nothing");
		markdown_put(md);
		return;
	}
	buf_puts(out, "<br>\n");
	add_reference(md, "before: ", sheet->before);
	if (sheet_two_references(sheet))
		add_reference(md, "<br>\nlast good: ", sheet->good);
	if (sheet->nunrecorded)
		buf_printf(out, "<br>\n%zu commit%s between without a record",
		    sheet->nunrecorded, plural(sheet->nunrecorded));
	buf_puts(out, "\n");
	markdown_put(md);
}

/* "2 errors, 1 warning, 60 of 300 questions" */
static void
add_counts(struct buf *out, const struct sheet *sheet)
{
	const struct sheet_counts *counts = &sheet->counts;

	if (sheet->nerrors)
		buf_printf(out, "%zu error%s, ", sheet->nerrors,
		    plural(sheet->nerrors));
	if (sheet->nwarnings)
		buf_printf(out, "%zu warning%s, ", sheet->nwarnings,
		    plural(sheet->nwarnings));
	if (counts->asked < counts->questions)
		buf_printf(out, "%zu of ", counts->asked);
	buf_printf(out, "%zu question%s", counts->questions,
	    plural(counts->questions));
	if (counts->missing)
		buf_printf(out, ", %zu missing from the run", counts->missing);
	if (counts->errored)
		buf_printf(out, ", %zu errored", counts->errored);
}

static const char *
verdict_word(const struct sheet *sheet)
{
	if (!sheet->judged)
		return "Scores";
	return sheet->compared_only ? "Compared"
				    : verdict_words[sheet->verdict];
}

static void
put_head(struct markdown *md, const struct sheet *sheet)
{
	buf_printf(&md->item, "## %s: ", verdict_word(sheet));
	markdown_text(&md->item, sheet->suite, SHORT);
	buf_puts(&md->item, "\n\n");
	add_counts(&md->item, sheet);
	buf_puts(&md->item, "\n");
	markdown_put(md);
	if (sheet->judged)
		put_compared(md, sheet);
}

static void
add_displacers(struct buf *out, const char *label,
    const struct displacer *displacers, size_t n)
{
	size_t i;

	if (!n)
		return;
	buf_puts(out, label);
	for (i = 0; i < n && i < ABOVE; i++) {
		buf_puts(out, i ? ", " : "");
		markdown_code(out, displacers[i].document);
		if (displacers[i].old_rank && displacers[i].rank)
			buf_printf(out, " (%u → %u)", displacers[i].old_rank,
			    displacers[i].rank);
		else if (displacers[i].rank)
			buf_printf(out, " (new, %u)", displacers[i].rank);
		else
			buf_printf(out, " (was %u)", displacers[i].old_rank);
	}
	if (n > ABOVE)
		buf_printf(out, " and %zu more", n - ABOVE);
	buf_puts(out, "\n");
}

static void
add_explanation(struct markdown *md, const struct explanation *x)
{
	struct buf *out = &md->item;

	add_displacers(out, "  - now above it: ", x->above, x->nabove);
	add_displacers(out, "  - no longer found: ", x->left, x->nleft);
	if (x->best_commit && x->best) {
		buf_printf(out, "  - best before: rank %u at ", x->best);
		add_commit(out, md->arena, x->best_commit, NULL);
		buf_puts(out, "\n");
	}
	if (!x->fall_commit)
		return;
	buf_puts(out, "  - fell at ");
	add_commit(out, md->arena, x->fall_commit, x->fall_subject);
	buf_puts(out, "\n");
}

static void
add_finding(struct markdown *md, const struct sheet_finding *f)
{
	const struct sheet_question *q = f->question;
	struct buf *out = &md->item;

	buf_puts(out, "- ");
	markdown_code(out, f->subject);
	if (f->slice) {
		buf_puts(out, " in ");
		markdown_code(out, f->slice);
	}
	if (f->change) {
		buf_puts(out, " **");
		markdown_text(out, f->change, SHORT);
		buf_puts(out, "**");
	}
	buf_printf(out, " %s%s: ", class_names[f->class],
	    f->level == LEVEL_WARN ? " (warning)" : "");
	if (q && q->text && strcmp(q->text, q->id) != 0) {
		buf_puts(out, "“");
		markdown_text(out, q->text, LONG);
		buf_puts(out, "”, ");
	}
	markdown_text(out, f->message, LONG);
	buf_puts(out, "\n");
	if (f->explanation)
		add_explanation(md, f->explanation);
}

static void
put_findings(struct markdown *md, const struct sheet *sheet)
{
	size_t n = sheet_nwrong(sheet), i;

	if (!n)
		return;
	buf_puts(md->out, "\n### What is wrong\n\n");
	for (i = 0; i < n; i++) {
		add_finding(md, &sheet->findings[i]);
		if (!markdown_put(md))
			break;
	}
	put_left_out(md, n - i, "finding");
}

static void
add_metric(
    struct buf *out, const struct sheet *sheet, const struct sheet_metric *m)
{
	buf_printf(out, "| %s | %s |", m->name, mean_text(metric_now(m)).text);
	if (sheet->shown && !m->compared)
		buf_puts(out, " – | – | – | – | – |");
	else if (sheet->shown)
		buf_printf(out, " %.4f | %+.4f |", m->baseline, m->delta);
	if (m->compared && isnan(m->low))
		buf_puts(out, " – |");
	else if (m->compared)
		buf_printf(out, " %+.4f to %+.4f |", m->low, m->high);
	if (m->compared)
		buf_printf(out, " %zu / %zu / %zu | %zu |", m->wins, m->ties,
		    m->losses, m->common);
	else if (!sheet->shown)
		buf_printf(out, " %zu |", m->n);
	buf_puts(out, "\n");
}

static void
put_averages(struct markdown *md, const struct sheet *sheet)
{
	const char *means = metrics_over_all(md->arena, sheet);
	size_t i;

	if (sheet->shown) {
		buf_puts(&md->item, "\n### Averages\n\n| metric | now | ");
		add_commit(&md->item, md->arena, sheet->shown->commit, NULL);
		buf_puts(&md->item,
		    " | change | 95 % interval | better / same / worse | n |\n"
		    "|:--|--:|--:|--:|:-:|:-:|--:|\n");
	} else {
		buf_puts(&md->item,
		    "\n### Averages\n\n| metric | value | n |\n"
		    "|:--|--:|--:|\n");
	}
	if (!markdown_put(md))
		return;
	for (i = 0; i < sheet->nmeasures; i++) {
		add_metric(&md->item, sheet, &sheet->metrics[i]);
		if (!markdown_put(md))
			break;
	}
	put_left_out(md, sheet->nmeasures - i, "metric");
	if (!*means)
		return;
	buf_printf(&md->item, "\nOver all %zu questions: %s\n",
	    sheet->metrics[0].n, means);
	markdown_put(md);
}

static void
add_waiver(struct buf *out, const struct sheet_waiver *w)
{
	buf_puts(out, "| ");
	markdown_code(out, w->subject);
	if (w->slice) {
		buf_puts(out, " in ");
		markdown_code(out, w->slice);
	}
	if (isnan(w->limit))
		buf_puts(out, " | – | ");
	else
		buf_printf(out, " | %s %g | ",
		    w->of_question ? "rank" : "at least", w->limit);
	markdown_text(out, w->until, SHORT);
	if (w->days_left < 0)
		buf_puts(out, ", over");
	else if (w->days_left != INT64_MAX)
		buf_printf(out, ", %lld day%s left", (long long)w->days_left,
		    plural((size_t)w->days_left));
	buf_printf(out, " | %s | ",
	    w->exceeded   ? "exceeded"
		: w->used ? "in use"
			  : "not needed");
	markdown_text(out, w->reason, LONG);
	if (w->issue) {
		buf_puts(out, " (");
		markdown_text(out, w->issue, SHORT);
		buf_puts(out, ")");
	}
	buf_puts(out, " |\n");
}

static void
put_waivers(struct markdown *md, const struct sheet *sheet)
{
	size_t i;

	if (!sheet->nwaivers)
		return;
	buf_puts(md->out,
	    "\n### Waivers\n\n| waived | as far as | until | now | reason |\n"
	    "|:--|:--|:--|:--|:--|\n");
	for (i = 0; i < sheet->nwaivers; i++) {
		add_waiver(&md->item, &sheet->waivers[i]);
		if (!markdown_put(md))
			break;
	}
	put_left_out(md, sheet->nwaivers - i, "waiver");
}

static void
put_notices(struct markdown *md, const struct sheet *sheet)
{
	size_t i;

	if (sheet->nnotices)
		buf_puts(md->out, "\n### Notes\n\n");
	for (i = 0; i < sheet->nnotices; i++) {
		buf_puts(&md->item, "- ");
		markdown_text(&md->item, sheet->notices[i], LONG);
		buf_puts(&md->item, "\n");
		if (!markdown_put(md))
			break;
	}
	put_left_out(md, sheet->nnotices - i, "note");
	if (!sheet->stored)
		return;
	buf_puts(&md->item, "\n");
	markdown_text(&md->item, sheet->stored, LONG);
	buf_puts(&md->item, "\n");
	markdown_put(md);
}

/* Up to `end`: each kind of thing has its share, and what it leaves. */
static void
put_sheet(struct markdown *md, const struct sheet *sheet, size_t end)
{
	size_t start = md->out->len, room = end - start - TAIL;

	md->end = start + room * 6 / 10;
	put_head(md, sheet);
	if (!sheet->compared_only)
		put_findings(md, sheet);
	md->end = start + room * 7 / 10;
	put_averages(md, sheet);
	md->end = start + room * 75 / 100;
	put_waivers(md, sheet);
	md->end = start + room * 8 / 10;
	put_notices(md, sheet);
	md->end = start + room;
	markdown_details(md, sheet);
}

/* A suite a line, the worst first. */
static void
put_overview(struct markdown *md, const struct sheet *sheets, size_t n)
{
	size_t i;

	buf_puts(md->out,
	    "| verdict | suite | errors | warnings | questions |\n"
	    "|:--|:--|--:|--:|--:|\n");
	for (i = 0; i < n; i++) {
		buf_printf(&md->item, "| %s | ", verdict_word(&sheets[i]));
		markdown_text(&md->item, sheets[i].suite, SHORT);
		buf_printf(&md->item, " | %zu | %zu | %zu |\n",
		    sheets[i].nerrors, sheets[i].nwarnings,
		    sheets[i].counts.asked);
		if (!markdown_put(md))
			break;
	}
	put_left_out(md, n - i, "suite");
	buf_puts(md->out, "\n");
}

static void
put_document(struct arena *arena, struct buf *out, const struct sheet *sheets,
    size_t n, size_t limit)
{
	struct markdown md = {.arena = arena, .out = out, .end = limit / 4};
	size_t i, shown = n;

	buf_init(&md.item);
	if (n > 1)
		put_overview(&md, sheets, n);
	if (shown > (limit - out->len) / LEAST)
		shown = (limit - out->len) / LEAST;
	/* The worst is told in whatever room there is. */
	if (!shown && limit > out->len + 4 * TAIL)
		shown = 1;
	for (i = 0; i < shown; i++) {
		if (i)
			buf_puts(out, "\n");
		put_sheet(&md, &sheets[i],
		    out->len + (limit - TAIL - out->len) / (shown - i));
	}
	put_left_out(&md, n - shown, "suite");
}

/* What is left of a limit, where the caller has one. */
static size_t
limit_of(const struct style *style, size_t own)
{
	return style->limit && style->limit < own ? style->limit : own;
}

static void
markdown_summary(struct arena *arena, struct buf *out,
    const struct sheet *sheets, size_t nsheets, const struct style *style)
{
	put_document(arena, out, sheets, nsheets, limit_of(style, SUMMARY));
}

/*
 * Its first line, which nobody sees, tells the comment from all others, so
 * that the next run finds and replaces it.
 */
static void
markdown_comment(struct arena *arena, struct buf *out,
    const struct sheet *sheets, size_t nsheets, const struct style *style)
{
	bool one = nsheets == 1 && suite_name_valid(sheets[0].suite);

	buf_printf(out, "<!-- evalgate%s%s -->\n", one ? " " : "",
	    one ? sheets[0].suite : "");
	put_document(arena, out, sheets, nsheets, limit_of(style, COMMENT));
}

const struct format format_markdown = {
    .name = "markdown",
    .report = markdown_summary,
    .history = markdown_history,
    .summary = "for the page of a CI job, under 900 KiB",
};

const struct format format_comment = {
    .name = "comment",
    .report = markdown_comment,
    .summary = "the same in under 60,000 characters",
};
