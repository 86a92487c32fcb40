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
longest_measure(const struct sheet *sheet)
{
	size_t width = 6, i, n;

	for (i = 0; i < sheet->nmeasures; i++) {
		n = strlen(sheet->metrics[i].name);
		if (n > width)
			width = n;
	}
	return width;
}

/* Escape sequences take no columns, so the blanks come first. */
static void
put_change(const struct page *page, size_t width, double delta, enum color none)
{
	const char *change = arena_printf(page->arena, "%+.4f", delta);
	size_t used = utf8_width(change);

	put_right(page, used < width ? width - used : 0, "");
	page_color(page,
	    delta < 0       ? COLOR_RED
		: delta > 0 ? COLOR_GREEN
			    : none,
	    change);
}

static void
put_comparison(const struct page *page, const struct sheet_metric *m)
{
	if (!m->compared) {
		put_right(page, 9, "–");
		return;
	}
	put_right(page, 9, arena_printf(page->arena, "%.4f", m->baseline));
	put_change(page, 9, m->delta, COLOR_NONE);
	put_right(page, 17,
	    isnan(m->low)
		? "–"
		: arena_printf(page->arena, "%+.3f..%+.3f", m->low, m->high));
	put_right(page, 19,
	    arena_printf(
		page->arena, "%zu / %zu / %zu", m->wins, m->ties, m->losses));
	put_right(page, 6, arena_printf(page->arena, "%zu", m->common));
}

static void
put_slice_cell(const struct page *page, const struct sheet *sheet,
    const struct sheet_metric *m)
{
	put_right(page, sheet->shown ? 10 : 19, mean_text(metric_now(m)).text);
	if (m->compared)
		put_change(page, 9, m->delta, COLOR_DIM);
	else if (sheet->shown)
		put_right(page, 9, "–");
}

/* A slice a line, with the change of each mean behind it. */
void
text_slices(const struct page *page, const struct sheet *sheet)
{
	size_t nm = sheet->nmeasures, width = 5, i, m;
	const char *name;

	if (sheet->nmetrics <= nm)
		return;
	for (i = nm; i < sheet->nmetrics; i += nm) {
		name = page_visible(page, sheet->metrics[i].slice);
		if (utf8_width(name) > width)
			width = utf8_width(name);
	}
	buf_puts(page->out, "\n  ");
	put_left(page, width, "slice");
	put_right(page, 6, "n");
	for (m = 0; m < nm; m++)
		put_right(page, 19, sheet->metrics[m].name);
	buf_puts(page->out, "\n");
	for (i = nm; i < sheet->nmetrics; i += nm) {
		buf_puts(page->out, "  ");
		put_left(
		    page, width, page_visible(page, sheet->metrics[i].slice));
		put_right(page, 6,
		    arena_printf(
			page->arena, "%zu", slice_n(&sheet->metrics[i], nm)));
		for (m = 0; m < nm; m++)
			put_slice_cell(page, sheet, &sheet->metrics[i + m]);
		buf_puts(page->out, "\n");
	}
}

/* Where the table is of a part of the questions, the means of all. */
static void
put_whole(const struct page *page, const struct sheet *sheet)
{
	const char *means = metrics_over_all(page->arena, sheet);

	if (*means)
		buf_printf(page->out, "  over all %zu questions: %s\n",
		    sheet->metrics[0].n, means);
}

/* All questions, a metric a line. */
void
text_measures(const struct page *page, const struct sheet *sheet)
{
	size_t width = longest_measure(sheet), i;

	buf_puts(page->out, "\n  ");
	put_left(page, width, "metric");
	put_right(page, 9, "now");
	if (sheet->shown) {
		put_right(page, 9,
		    sheet->shown->verdict
			? page_visible(page,
			      short_commit(page->arena, sheet->shown->commit))
			: "before");
		put_right(page, 9, "change");
		put_right(page, 17, "95 % interval");
		put_right(page, 19, "better/same/worse");
		put_right(page, 6, "n");
	}
	buf_puts(page->out, "\n");
	for (i = 0; i < sheet->nmeasures; i++) {
		const struct sheet_metric *m = &sheet->metrics[i];

		buf_puts(page->out, "  ");
		put_left(page, width, m->name);
		put_right(page, 9, mean_text(metric_now(m)).text);
		if (sheet->shown)
			put_comparison(page, m);
		buf_puts(page->out, "\n");
	}
	if (sheet->shown)
		put_whole(page, sheet);
}

static void
put_question_row(const struct page *page, const struct sheet *sheet,
    const struct sheet_question *q)
{
	struct place place = {q->rank, q->depth};
	size_t m;

	if (!q->answerable || q->holdout)
		return;
	put_right(page, 8, place.rank ? place_text(page->arena, place) : "–");
	for (m = 0; m < sheet->nmeasures; m++)
		put_right(page, 12, mean_text(q->scores[m]).text);
	buf_puts(page->out, "  ");
	page_user(page, q->id);
	buf_puts(page->out, "\n");
}

void
text_per_question(const struct page *page, const struct sheet *sheet)
{
	size_t i;

	buf_puts(page->out, "\n");
	put_right(page, 8, "rank");
	for (i = 0; i < sheet->nmeasures; i++)
		put_right(page, 12, sheet->metrics[i].name);
	buf_puts(page->out, "  question\n");
	for (i = 0; i < sheet->nquestions; i++)
		put_question_row(page, sheet, &sheet->questions[i]);
}

void
text_moves(const struct page *page, const struct sheet *sheet)
{
	size_t n, i, shown;
	const struct sheet_question **moved =
	    sheet_moved(page->arena, sheet, &n);

	shown = page->style->verbose || n <= MOVES ? n : MOVES;
	buf_printf(page->out, "\n  %zu question%s moved%s\n", n, plural(n),
	    shown < n ? ", the largest losses first; -v shows all" : "");
	for (i = 0; i < shown; i++) {
		buf_puts(page->out, "    ");
		page_user(page, moved[i]->id);
		buf_puts(page->out, "  ");
		page_color(page, sheet_fell(moved[i]) ? COLOR_RED : COLOR_GREEN,
		    arena_printf(page->arena, "rank %s",
			sheet_ranks(page->arena, sheet, moved[i])));
		buf_puts(page->out, "\n");
	}
}
