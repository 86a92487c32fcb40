/* A report as a person reads it on a terminal. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define NAMED 8 /* ids that a sentence lists before it counts the rest */

static enum color
level_color(const struct finding *f)
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

static size_t
count_level(const struct judgement *judgement, enum level level)
{
	size_t i, n = 0;

	for (i = 0; i < judgement->nfindings; i++)
		n += judgement->findings[i].level == level;
	return n;
}

/* PASS, FAIL, NO VERDICT: the first word of the page. */
static void
put_verdict(const struct page *page, const struct report *report)
{
	static const struct {
		const char *word;
		enum color color;
	} words[] = {
	    [VERDICT_PASS] = {"PASS", COLOR_GREEN},
	    [VERDICT_FAIL] = {"FAIL", COLOR_RED},
	    [VERDICT_NONE] = {"NO VERDICT", COLOR_YELLOW},
	};
	const struct judgement *j = report->judgement;
	size_t errors = count_level(j, LEVEL_ERROR);
	size_t warnings = count_level(j, LEVEL_WARN);

	page_color(page, words[j->verdict].color, words[j->verdict].word);
	buf_puts(page->out, "  ");
	buf_puts(page->out, report->suite);
	if (report->questions->nasked < report->questions->nitems)
		buf_printf(page->out, ", %zu of %zu questions",
		    report->questions->nasked, report->questions->nitems);
	if (errors)
		buf_printf(page->out, ", %zu error%s", errors, plural(errors));
	if (warnings)
		buf_printf(
		    page->out, ", %zu warning%s", warnings, plural(warnings));
	buf_puts(page->out, "\n");
}

static void
put_reference(const struct page *page, const struct report *report,
    const char *label, const struct reference *reference, const char *reason)
{
	const struct record *record = reference->record;
	int64_t age = report->commit && reference->time
	    ? report->commit->time - reference->time
	    : -1;

	buf_printf(page->out, "%s%s", label,
	    short_commit(page->arena, record->commit));
	if (reference->subject && *reference->subject) {
		buf_puts(page->out, " \"");
		page_user(page, reference->subject);
		buf_puts(page->out, "\"");
	}
	buf_printf(page->out, " (%s", reason);
	if (reference->distance)
		buf_printf(page->out, ", %zu commit%s back",
		    reference->distance, plural(reference->distance));
	if (reference->twin_of)
		buf_printf(page->out, ", for %s with the same %s",
		    short_commit(page->arena, reference->twin_of),
		    reference->twin_by);
	if (age >= 0)
		buf_printf(page->out, ", %s older", age_text(page->arena, age));
	/* A results file has no verdict. */
	if (record->tree)
		buf_printf(page->out, ", verdict %s",
		    record_verdict_names[record->verdict]);
	buf_puts(page->out, ")\n");
}

/* What was compared with what, why, how far, how old. */
static void
put_compared(const struct page *page, const struct report *report)
{
	const struct baseline *b = report->baseline;

	buf_puts(page->out, "  ");
	if (report->subject)
		page_user(page, report->subject);
	else
		buf_puts(
		    page->out, short_commit(page->arena, report->commit->id));
	if (report->commit && *report->commit->subject) {
		buf_puts(page->out, " \"");
		page_user(page, report->commit->subject);
		buf_puts(page->out, "\"");
	}
	if (report->dirty)
		buf_puts(page->out, " with uncommitted changes");
	if (!b || !b->before) {
		buf_puts(page->out, ", compared with nothing\n");
		return;
	}
	buf_puts(page->out, "\n");
	put_reference(page, report, "  before: ", b->before, b->reason);
	if (b->good && b->good != b->before)
		put_reference(page, report, "  last good: ", b->good,
		    b->good_accepted ? "nearest that passed"
				     : "none passed, the nearest");
	if (b->nunrecorded)
		buf_printf(page->out,
		    "  %zu commit%s between without a "
		    "record, newest %s\n",
		    b->nunrecorded, plural(b->nunrecorded),
		    short_commit(page->arena, b->unrecorded[0]));
}

static const struct question *
question_of(const struct report *report, const char *id)
{
	return questions_find(report->questions, id);
}

static bool
hidden(const struct report *report, const struct finding *f)
{
	const struct question *q = question_of(report, f->subject);

	return q && q->holdout && strcmp(f->rule, "tracked") != 0 &&
	    strcmp(f->rule, "max_rank") != 0;
}

static void
put_finding(const struct page *page, const struct report *report,
    const struct finding *f)
{
	const struct question *q = question_of(report, f->subject);
	const char *class = class_names[f->class];

	buf_puts(page->out, "  ");
	page_user(page, f->subject);
	if (f->slice) {
		buf_puts(page->out, " [");
		page_user(page, f->slice);
		buf_puts(page->out, "]");
	}
	buf_puts(page->out, "  ");
	if (f->change) {
		page_color(page, COLOR_BOLD, f->change);
		buf_puts(page->out, "  ");
	}
	page_color(page, level_color(f), class);
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
}

static void
put_findings(const struct page *page, const struct report *report)
{
	const struct judgement *j = report->judgement;
	bool any = false;
	size_t i;

	for (i = 0; i < j->nfindings; i++) {
		if (hidden(report, &j->findings[i]))
			continue;
		if (page->style->quiet && j->findings[i].level == LEVEL_INFO)
			continue;
		if (!any)
			buf_puts(page->out, "\n");
		any = true;
		put_finding(page, report, &j->findings[i]);
	}
}

/* "3 questions are missing from the run: q1, q2, q3". */
static void
put_named(const struct page *page, const struct report *report,
    const char *what, bool (*is)(const struct report *, size_t))
{
	const struct questions *questions = report->questions;
	size_t i, n = 0;

	for (i = 0; i < questions->nitems; i++)
		n += is(report, i);
	if (!n)
		return;
	buf_printf(page->out, "  %zu %s: ", n, what);
	for (i = n = 0; i < questions->nitems; i++) {
		if (!is(report, i))
			continue;
		if (++n > NAMED)
			continue;
		if (n > 1)
			buf_puts(page->out, ", ");
		page_user(page, questions->items[i].id);
	}
	if (n > NAMED)
		buf_printf(page->out, " and %zu more", n - NAMED);
	buf_puts(page->out, "\n");
}

static bool
is_missing(const struct report *report, size_t i)
{
	return !report->run->answers[i].present &&
	    question_counts(&report->questions->items[i]);
}

static bool
is_unanswerable(const struct report *report, size_t i)
{
	return report->questions->items[i].unanswerable &&
	    !report->questions->items[i].left_out;
}

static bool
is_tied(const struct report *report, size_t i)
{
	return answer_tied(&report->run->answers[i]) > 1 &&
	    question_counts(&report->questions->items[i]) &&
	    !report->questions->items[i].holdout;
}

static bool
is_added(const struct report *report, size_t i)
{
	return report->judgement->shown->changes[i] == CHANGE_ADDED &&
	    !report->questions->items[i].holdout;
}

static bool
is_redefined(const struct report *report, size_t i)
{
	return report->judgement->shown->changes[i] == CHANGE_REDEFINED &&
	    !report->questions->items[i].holdout;
}

static bool
has_nothing_relevant(const struct report *report, size_t i)
{
	const struct question *q = &report->questions->items[i];
	size_t k;

	for (k = 0; k < q->njudgments; k++)
		if (q->judgments[k].grade >= report->rules->relevance)
			return false;
	return question_counts(q);
}

/* Where depths differ, both sides are cut at the smaller one. */
static void
put_depths(const struct page *page, const struct report *report)
{
	const struct side *shown =
	    report->judgement ? report->judgement->shown : NULL;
	unsigned then, now = report->run->depth;

	if (!shown)
		return;
	then = shown->reference->record->depth;
	if (now != then)
		buf_printf(page->out,
		    "  compared at depth %u, since %s looked no deeper\n",
		    now < then ? now : then,
		    now < then ? "this run" : "the record");
}

/* What an allowed drop means at this number of questions. */
static void
put_allowance(const struct page *page, const struct report *report,
    const struct measure *measure, double step)
{
	const struct rules *rules = report->rules;
	size_t i;

	for (i = 0; i < rules->nthresholds; i++) {
		const struct threshold *t = &rules->thresholds[i];

		if (!t->has_max_drop || t->relative || t->where.npairs ||
		    strcmp(t->measure.name, measure->name) != 0)
			continue;
		if (t->max_drop < step)
			buf_printf(page->out,
			    "; max_drop %g means that losing any one "
			    "question fails",
			    t->max_drop);
		else
			buf_printf(page->out,
			    "; max_drop %g allows for losing %.0f of them",
			    t->max_drop, floor(t->max_drop / step + 1e-9));
	}
}

static void
put_resolution(const struct page *page, const struct report *report)
{
	size_t n = report->views->items[0].n, i;
	double step = 1.0 / (double)n;

	for (i = 0; i < report->rules->nmeasures; i++) {
		buf_printf(page->out,
		    "  %s moves by up to %.3g when one question changes "
		    "(n = %zu)",
		    report->rules->measures[i].name, step, n);
		put_allowance(page, report, &report->rules->measures[i], step);
		buf_puts(page->out, "\n");
	}
}

/* The questions that are on one side alone, or are others now. */
static void
put_changed(const struct page *page, const struct report *report)
{
	const struct side *shown =
	    report->judgement ? report->judgement->shown : NULL;
	size_t i;

	if (!shown)
		return;
	put_named(page, report, "added since, not compared", is_added);
	put_named(
	    page, report, "another question now, not compared", is_redefined);
	if (!shown->nremoved)
		return;
	buf_printf(page->out,
	    "  %zu no longer asked, not compared: ", shown->nremoved);
	for (i = 0; i < shown->nremoved && i < NAMED; i++) {
		if (i)
			buf_puts(page->out, ", ");
		page_user(page, shown->removed[i]);
	}
	if (shown->nremoved > NAMED)
		buf_printf(page->out, " and %zu more", shown->nremoved - NAMED);
	buf_puts(page->out, "\n");
}

static void
put_counts(const struct page *page, const struct report *report)
{
	const struct questions *q = report->questions;
	size_t i;

	buf_puts(page->out, "\n  ");
	if (q->nasked < q->nitems)
		buf_printf(page->out, "%zu of ", q->nasked);
	buf_printf(page->out, "%zu question%s, %zu answerable", q->nitems,
	    plural(q->nitems), q->nanswerable);
	if (report->run->depth != DEPTH_UNBOUNDED)
		buf_printf(page->out, ", depth %u", report->run->depth);
	buf_puts(page->out, "\n");
	put_changed(page, report);
	put_depths(page, report);
	if (page->style->verbose)
		put_resolution(page, report);
	put_named(page, report, "not in the run, counted 0", is_missing);
	put_named(page, report, "judged with nothing relevant, counted 0",
	    has_nothing_relevant);
	put_named(page, report, "unanswerable, left out", is_unanswerable);
	put_named(page, report,
	    "tied with others by equal scores, which ids then order", is_tied);
	for (i = 0; i < report->run->nnotices; i++)
		buf_printf(page->out, "  note: %s\n", report->run->notices[i]);
	if (report->run->nunknown)
		buf_printf(page->out,
		    "  note: %zu result%s for questions that nobody asked\n",
		    report->run->nunknown, plural(report->run->nunknown));
	for (i = 0; i < report->nnotices; i++) {
		buf_puts(page->out, "  note: ");
		page_user(page, report->notices[i]);
		buf_puts(page->out, "\n");
	}
	if (report->stored)
		buf_printf(page->out, "  %s\n", report->stored);
}

void
text_report(struct arena *arena, struct buf *out, const struct report *report,
    const struct style *style)
{
	struct page page = {arena, out, style};

	if (report->judgement) {
		if (!report->compared_only)
			put_verdict(&page, report);
		put_compared(&page, report);
		if (report->compared_only)
			text_moves(&page, report);
		else
			put_findings(&page, report);
	}
	if (!style->quiet || !report->judgement) {
		if (!report->judgement &&
		    report->questions->nasked < report->questions->nitems)
			buf_printf(out, "%zu of %zu questions\n",
			    report->questions->nasked,
			    report->questions->nitems);
		text_measures(&page, report);
	}
	if (!style->quiet)
		text_slices(&page, report);
	if (!style->quiet)
		put_counts(&page, report);
	if (report->per_question)
		text_per_question(&page, report);
}

const struct format format_text = {
    .name = "text",
    .report = text_report,
    .history = text_history,
    .blame = text_blame,
    .summary = "for a terminal",
};
