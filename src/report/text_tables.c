/* The tables of a text report: metrics, slices, every question. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define MOVES 20 /* moved questions that are listed without -v */

/* Blanks, then text: numbers end at the same column. */
static void
put_right(const struct page *page, size_t width, const char *text)
{
	size_t used = utf8_width(text);

	while (used++ < width)
		buf_putc(page->out, ' ');
	buf_puts(page->out, text);
}

static void
put_left(const struct page *page, size_t width, const char *text)
{
	size_t used = utf8_width(text);

	buf_puts(page->out, text);
	while (used++ < width)
		buf_putc(page->out, ' ');
}

static size_t
longest_measure(const struct report *report)
{
	size_t width = 6, i, n;

	for (i = 0; i < report->rules->nmeasures; i++) {
		n = strlen(report->rules->measures[i].name);
		if (n > width)
			width = n;
	}
	return width;
}

static void
put_comparison(const struct page *page, const struct comparison *c)
{
	const char *change;

	if (!c->known) {
		put_right(page, 11, "–");
		return;
	}
	put_right(page, 11, arena_printf(page->arena, "%.4f", c->baseline));
	change = arena_printf(page->arena, "%+.4f", c->current - c->baseline);
	/* Escape sequences take no columns, so the blanks come first. */
	put_right(page, 11 - utf8_width(change), "");
	page_color(page,
	    c->current < c->baseline       ? COLOR_RED
		: c->current > c->baseline ? COLOR_GREEN
					   : COLOR_NONE,
	    change);
	put_right(page, 20,
	    arena_printf(
		page->arena, "%zu / %zu / %zu", c->wins, c->ties, c->losses));
	put_right(page, 8, arena_printf(page->arena, "%zu", c->n));
}

static void
put_slice_cell(const struct page *page, const struct report *report,
    const struct judgement *j, size_t i)
{
	const struct comparison *c =
	    j && j->comparisons ? &j->comparisons[i] : NULL;
	const char *value =
	    arena_printf(page->arena, "%.4f", report->scores->means[i]);
	const char *change = "";

	put_right(page, c ? 10 : 19, value);
	if (!c)
		return;
	if (c->known)
		change = arena_printf(
		    page->arena, "%+.4f", c->current - c->baseline);
	put_right(page, 9 - utf8_width(change), "");
	page_color(page,
	    c->current < c->baseline       ? COLOR_RED
		: c->current > c->baseline ? COLOR_GREEN
					   : COLOR_DIM,
	    change);
}

/* A slice a line, with the change of each mean behind it. */
void
text_slices(const struct page *page, const struct report *report)
{
	const struct judgement *j = report->judgement;
	const struct rules *rules = report->rules;
	size_t nm = rules->nmeasures, width = 5, v, m;

	for (v = 1; v < report->views->nitems; v++)
		if (utf8_width(report->views->items[v].name) > width)
			width = utf8_width(report->views->items[v].name);
	if (report->views->nitems < 2)
		return;
	buf_puts(page->out, "\n  ");
	put_left(page, width, "slice");
	put_right(page, 6, "n");
	for (m = 0; m < nm; m++)
		put_right(page, 19, rules->measures[m].name);
	buf_puts(page->out, "\n");
	for (v = 1; v < report->views->nitems; v++) {
		const char *name = report->views->items[v].name;

		buf_puts(page->out, "  ");
		page_user(page, name);
		put_right(page, width - utf8_width(name), "");
		put_right(page, 6,
		    arena_printf(
			page->arena, "%zu", report->views->items[v].n));
		for (m = 0; m < nm; m++)
			put_slice_cell(page, report, j, v * nm + m);
		buf_puts(page->out, "\n");
	}
}

/* Where the table is of a part of the questions, the means of all. */
static void
put_whole(const struct page *page, const struct report *report)
{
	const struct comparison *c = report->judgement->comparisons;
	const double *means = report->scores->means;
	bool any = false;
	size_t i;

	for (i = 0; i < report->rules->nmeasures; i++) {
		if (!c[i].known || fabs(c[i].current - means[i]) < 1e-12)
			continue;
		if (any)
			buf_puts(page->out, ", ");
		else
			buf_printf(page->out, "  over all %zu questions: ",
			    report->views->items[0].n);
		any = true;
		buf_printf(page->out, "%s %.4f",
		    report->rules->measures[i].name, means[i]);
	}
	if (any)
		buf_puts(page->out, "\n");
}

/* All questions, a metric a line. */
void
text_measures(const struct page *page, const struct report *report)
{
	const struct judgement *j = report->judgement;
	bool compared = j && j->comparisons;
	size_t width = longest_measure(report), i;
	const struct comparison *c;
	double now;

	buf_puts(page->out, "\n  ");
	put_left(page, width, "metric");
	put_right(page, 10, "now");
	if (compared) {
		put_right(page, 11,
		    j->shown->reference->record->tree
			? short_commit(
			      page->arena, j->shown->reference->record->commit)
			: "before");
		put_right(page, 11, "change");
		put_right(page, 20, "better/same/worse");
		put_right(page, 8, "n");
	}
	buf_puts(page->out, "\n");
	for (i = 0; i < report->rules->nmeasures; i++) {
		buf_puts(page->out, "  ");
		put_left(page, width, report->rules->measures[i].name);
		c = compared ? &j->comparisons[i] : NULL;
		now = c && c->known ? c->current : report->scores->means[i];
		put_right(page, 10, arena_printf(page->arena, "%.4f", now));
		if (compared)
			put_comparison(page, &j->comparisons[i]);
		buf_puts(page->out, "\n");
	}
	if (compared)
		put_whole(page, report);
}

static void
put_question_row(const struct page *page, const struct report *report, size_t q)
{
	const struct scores *s = report->scores;
	const struct question *question = &report->questions->items[q];
	struct place place = {.depth = report->run->depth};
	size_t m;

	if (!question_counts(question) || question->holdout)
		return;
	answer_rank(question, &report->run->answers[q], NULL,
	    report->rules->relevance, &place.rank);
	put_right(page, 8, place.rank ? place_text(page->arena, place) : "–");
	for (m = 0; m < s->nmeasures; m++)
		put_right(page, 12,
		    arena_printf(
			page->arena, "%.4f", s->values[m * s->nquestions + q]));
	buf_puts(page->out, "  ");
	page_user(page, question->id);
	buf_puts(page->out, "\n");
}

void
text_per_question(const struct page *page, const struct report *report)
{
	size_t i;

	buf_puts(page->out, "\n");
	put_right(page, 8, "rank");
	for (i = 0; i < report->scores->nmeasures; i++)
		put_right(page, 12, report->scores->measures[i].name);
	buf_puts(page->out, "  question\n");
	for (i = 0; i < report->questions->nitems; i++)
		put_question_row(page, report, i);
}

/* A question whose rank is another now. */
struct move {
	const struct question *question;
	struct place then, now;
};

/* Losses first, the largest first; a miss is worse than any rank. */
static int
compare_moves(const void *a, const void *b)
{
	const struct move *x = a, *y = b;
	int64_t one = (int64_t)(x->now.rank - 1) - (int64_t)(x->then.rank - 1);
	int64_t two = (int64_t)(y->now.rank - 1) - (int64_t)(y->then.rank - 1);

	if (one != two)
		return one > two ? -1 : 1;
	return strcmp(x->question->id, y->question->id);
}

static size_t
find_moves(const struct report *report, struct move *moves)
{
	const struct side *side = report->judgement->shown;
	int relevance = report->rules->relevance;
	struct place then, now;
	size_t i, n = 0;

	for (i = 0; i < report->questions->nitems; i++) {
		const struct question *q = &report->questions->items[i];

		if (side->changes[i] != CHANGE_NONE || !question_counts(q) ||
		    q->holdout)
			continue;
		then.depth = side->reference->record->depth;
		now.depth = report->run->depth;
		answer_rank(q, &side->answers[i], NULL, relevance, &then.rank);
		answer_rank(
		    q, &report->run->answers[i], NULL, relevance, &now.rank);
		if (then.rank != now.rank)
			moves[n++] = (struct move){q, then, now};
	}
	return n;
}

void
text_moves(const struct page *page, const struct report *report)
{
	struct move *moves = arena_array(
	    page->arena, report->questions->nitems + 1, sizeof(*moves));
	size_t n = find_moves(report, moves), i;
	size_t shown = page->style->verbose || n <= MOVES ? n : MOVES;

	if (n)
		qsort(moves, n, sizeof(*moves), compare_moves);
	buf_printf(page->out, "\n  %zu question%s moved%s\n", n, plural(n),
	    shown < n ? ", the largest losses first; -v shows all" : "");
	for (i = 0; i < shown; i++) {
		bool worse = moves[i].now.rank - 1 > moves[i].then.rank - 1;

		buf_puts(page->out, "    ");
		page_user(page, moves[i].question->id);
		buf_puts(page->out, "  ");
		page_color(page, worse ? COLOR_RED : COLOR_GREEN,
		    arena_printf(page->arena, "rank %s → %s",
			place_text(page->arena, moves[i].then),
			place_text(page->arena, moves[i].now)));
		buf_puts(page->out, "\n");
	}
}
