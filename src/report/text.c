/* A report as a person reads it on a terminal. */
#include <string.h>

#include "internal.h"

#define NAMED 8 /* ids that a sentence lists before it counts the rest */

static enum color
level_color(const struct sheet_finding *f)
{
	if (f->level == LEVEL_ERROR)
		return COLOR_RED;
	if (f->level == LEVEL_WARN)
		return COLOR_YELLOW;
	return f->class == CLASS_FIXED || f->class == CLASS_IMPROVED ||
		f->class == CLASS_FOUND
	    ? COLOR_GREEN
	    : COLOR_NONE;
}

/* PASS, FAIL, NO VERDICT: the first word of the page. */
static void
put_verdict(const struct page *page, const struct sheet *sheet)
{
	static const enum color colors[] = {
	    [VERDICT_PASS] = COLOR_GREEN,
	    [VERDICT_FAIL] = COLOR_RED,
	    [VERDICT_NONE] = COLOR_YELLOW,
	};

	page_color(page, colors[sheet->verdict], verdict_words[sheet->verdict]);
	buf_puts(page->out, "  ");
	page_user(page, sheet->suite);
	if (sheet->counts.asked < sheet->counts.questions)
		buf_printf(page->out, ", %zu of %zu questions",
		    sheet->counts.asked, sheet->counts.questions);
	if (sheet->nerrors)
		buf_printf(page->out, ", %zu error%s", sheet->nerrors,
		    plural(sheet->nerrors));
	if (sheet->nwarnings)
		buf_printf(page->out, ", %zu warning%s", sheet->nwarnings,
		    plural(sheet->nwarnings));
	buf_puts(page->out, "\n");
}

static void
put_commit(const struct page *page, const char *commit, const char *subject)
{
	page_user(page, short_commit(page->arena, commit));
	if (!subject || !*subject)
		return;
	buf_puts(page->out, " \"");
	page_user(page, subject);
	buf_puts(page->out, "\"");
}

static void
put_reference(const struct page *page, const char *label,
    const struct sheet_reference *r, const char *reason)
{
	buf_puts(page->out, label);
	put_commit(page, r->commit, r->subject);
	buf_puts(page->out, " (");
	page_user(page, reason);
	if (r->distance)
		buf_printf(page->out, ", %zu commit%s back", r->distance,
		    plural(r->distance));
	if (r->twin_of) {
		buf_puts(page->out, ", for ");
		page_user(page, short_commit(page->arena, r->twin_of));
		buf_puts(page->out, " with the same ");
		page_user(page, r->twin_by);
	}
	if (r->has_age && r->age >= 0)
		buf_printf(
		    page->out, ", %s older", age_text(page->arena, r->age));
	if (r->verdict) {
		buf_puts(page->out, ", verdict ");
		page_user(page, r->verdict);
	}
	buf_puts(page->out, ")\n");
}

/* What was compared with what, why, how far, how old. */
static void
put_compared(const struct page *page, const struct sheet *sheet)
{
	buf_puts(page->out, "  ");
	if (sheet->compared)
		put_commit(page, sheet->compared, NULL);
	else if (sheet->commit)
		put_commit(page, sheet->commit, sheet->subject);
	if (sheet->dirty)
		buf_puts(page->out, " with uncommitted changes");
	if (!sheet->before) {
		buf_puts(page->out, ", compared with nothing\n");
		return;
	}
	buf_puts(page->out, "\n");
	put_reference(page, "  before: ", sheet->before, sheet->before->reason);
	if (sheet_two_references(sheet))
		put_reference(
		    page, "  last good: ", sheet->good, sheet->good->reason);
	if (sheet->nunrecorded) {
		buf_printf(page->out,
		    "  %zu commit%s between without a record, newest ",
		    sheet->nunrecorded, plural(sheet->nunrecorded));
		put_commit(page, sheet->unrecorded[0], NULL);
		buf_puts(page->out, "\n");
	}
}

static void
put_finding(const struct page *page, const struct sheet_finding *f)
{
	const struct sheet_question *q = f->question;

	buf_puts(page->out, "  ");
	page_user(page, f->subject);
	if (f->slice) {
		buf_puts(page->out, " [");
		page_user(page, f->slice);
		buf_puts(page->out, "]");
	}
	buf_puts(page->out, "  ");
	if (f->change) {
		page_color(page, COLOR_BOLD, page_visible(page, f->change));
		buf_puts(page->out, "  ");
	}
	page_color(page, level_color(f), class_names[f->class]);
	if (f->level == LEVEL_WARN)
		page_color(page, COLOR_YELLOW, " (warning)");
	buf_puts(page->out, "\n");
	/* Good news is told in a line. */
	if ((f->class == CLASS_IMPROVED || f->class == CLASS_FOUND) &&
	    !page->style->verbose)
		return;
	buf_puts(page->out, "      ");
	if (q && q->text && strcmp(q->text, q->id) != 0) {
		page_color(page, COLOR_DIM, "\"");
		page_user(page, q->text);
		page_color(page, COLOR_DIM, "\": ");
	}
	page_user(page, f->message);
	buf_puts(page->out, "\n");
	if (!page->style->quiet)
		text_fall(page, f);
}

static void
put_findings(const struct page *page, const struct sheet *sheet)
{
	bool any = false;
	size_t i;

	for (i = 0; i < sheet->nfindings; i++) {
		if (page->style->quiet &&
		    sheet->findings[i].level == LEVEL_INFO)
			continue;
		if (!any)
			buf_puts(page->out, "\n");
		any = true;
		put_finding(page, &sheet->findings[i]);
	}
}

/*
 * "3 not in the run: q1, q2, q3".  Holdout questions count, and are never
 * named.  put_more, or NULL: what stands behind each id.
 */
static void
put_named(const struct page *page, const struct sheet *sheet, const char *what,
    bool (*is)(const struct sheet_question *),
    void (*put_more)(const struct page *, const struct sheet_question *))
{
	size_t i, n = 0, named = 0;

	for (i = 0; i < sheet->nquestions; i++)
		n += is(&sheet->questions[i]);
	if (!n)
		return;
	buf_printf(page->out, "  %zu %s", n, what);
	for (i = 0; i < sheet->nquestions && named < NAMED; i++) {
		const struct sheet_question *q = &sheet->questions[i];

		if (!is(q) || q->holdout)
			continue;
		buf_puts(page->out, named++ ? ", " : ": ");
		page_user(page, q->id);
		if (put_more)
			put_more(page, q);
	}
	if (n > named && named)
		buf_printf(page->out, " and %zu more", n - named);
	buf_puts(page->out, "\n");
}

static bool
is_errored(const struct sheet_question *q)
{
	return q->errored;
}

static bool
is_tied(const struct sheet_question *q)
{
	return q->more && q->more->tied > 1 && q->answerable;
}

static bool
is_added(const struct sheet_question *q)
{
	return q->change == CHANGE_ADDED;
}

static bool
is_redefined(const struct sheet_question *q)
{
	return q->change == CHANGE_REDEFINED;
}

static bool
was_errored(const struct sheet_question *q)
{
	return q->change == CHANGE_ERRORED;
}

static bool
has_nothing_relevant(const struct sheet_question *q)
{
	return q->nothing_relevant;
}

/* "q1 (with 3, ranks 2 to 5)" */
static void
put_group(const struct page *page, const struct sheet_question *q)
{
	buf_printf(page->out, " (with %u, ranks %u to %u)", q->more->tied - 1,
	    q->more->tied_first, q->more->tied_first + q->more->tied - 1);
}

/* Where depths differ, both sides are cut at the smaller one. */
static void
put_depths(const struct page *page, const struct sheet *sheet)
{
	unsigned then, now = sheet->depth;

	if (!sheet->shown)
		return;
	then = sheet->shown->depth;
	if (now != then)
		buf_printf(page->out,
		    "  compared at depth %u, since %s looked no deeper\n",
		    now < then ? now : then,
		    now < then ? "this run" : "the record");
}

static void
put_resolution(const struct page *page, const struct sheet *sheet)
{
	size_t i;

	for (i = 0; i < sheet->nmeasures; i++) {
		if (!sheet->metrics[i].meaning)
			continue;
		buf_puts(page->out, "  ");
		page_user(page, sheet->metrics[i].meaning);
		buf_puts(page->out, "\n");
	}
}

/* The questions that are on one side alone, or are others now. */
static void
put_changed(const struct page *page, const struct sheet *sheet)
{
	size_t i;

	if (!sheet->shown)
		return;
	put_named(page, sheet, "added since, not compared", is_added, NULL);
	put_named(page, sheet, "another question now, not compared",
	    is_redefined, NULL);
	put_named(page, sheet, "errored in the record, not compared",
	    was_errored, NULL);
	if (!sheet->nremoved)
		return;
	buf_printf(page->out,
	    "  %zu no longer asked, not compared: ", sheet->nremoved);
	for (i = 0; i < sheet->nremoved && i < NAMED; i++) {
		if (i)
			buf_puts(page->out, ", ");
		page_user(page, sheet->removed[i]);
	}
	if (sheet->nremoved > NAMED)
		buf_printf(page->out, " and %zu more", sheet->nremoved - NAMED);
	buf_puts(page->out, "\n");
}

static void
put_counts(const struct page *page, const struct sheet *sheet)
{
	const struct sheet_counts *counts = &sheet->counts;
	size_t i;

	buf_puts(page->out, "\n  ");
	if (counts->asked < counts->questions)
		buf_printf(page->out, "%zu of ", counts->asked);
	buf_printf(page->out, "%zu question%s, %zu answerable",
	    counts->questions, plural(counts->questions), counts->answerable);
	if (sheet->depth != DEPTH_UNBOUNDED)
		buf_printf(page->out, ", depth %u", sheet->depth);
	buf_puts(page->out, "\n");
	put_changed(page, sheet);
	put_depths(page, sheet);
	if (page->style->verbose)
		put_resolution(page, sheet);
	put_named(page, sheet, "not in the run, counted 0", question_is_missing,
	    NULL);
	put_named(page, sheet, "judged with nothing relevant, counted 0",
	    has_nothing_relevant, NULL);
	put_named(page, sheet, "unanswerable, left out",
	    question_is_unanswerable, NULL);
	put_named(page, sheet, "errored, counted 0", is_errored, NULL);
	put_named(page, sheet, "tied by equal scores, which ids then order",
	    is_tied, put_group);
	for (i = 0; i < sheet->nnotices; i++) {
		buf_puts(page->out, "  note: ");
		page_user(page, sheet->notices[i]);
		buf_puts(page->out, "\n");
	}
	if (sheet->stored) {
		buf_puts(page->out, "  ");
		page_user(page, sheet->stored);
		buf_puts(page->out, "\n");
	}
}

static void
put_sheet(const struct page *page, const struct sheet *sheet)
{
	const struct style *style = page->style;

	if (sheet->judged) {
		if (!sheet->compared_only)
			put_verdict(page, sheet);
		put_compared(page, sheet);
		if (sheet->compared_only)
			text_moves(page, sheet);
		else
			put_findings(page, sheet);
	}
	if (!style->quiet || !sheet->judged) {
		if (!sheet->judged &&
		    sheet->counts.asked < sheet->counts.questions)
			buf_printf(page->out, "%zu of %zu questions\n",
			    sheet->counts.asked, sheet->counts.questions);
		text_measures(page, sheet);
	}
	if (!style->quiet)
		text_slices(page, sheet);
	if (!style->quiet)
		put_counts(page, sheet);
	if (style->per_question)
		text_per_question(page, sheet);
}

void
text_report(struct arena *arena, struct buf *out, const struct sheet *sheets,
    size_t nsheets, const struct style *style)
{
	struct page page = {arena, out, style};
	size_t i;

	for (i = 0; i < nsheets; i++) {
		if (i)
			buf_puts(out, "\n");
		put_sheet(&page, &sheets[i]);
	}
}

const struct format format_text = {
    .name = "text",
    .report = text_report,
    .history = text_history,
    .blame = text_blame,
    .summary = "for a terminal",
};
