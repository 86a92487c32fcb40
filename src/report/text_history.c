/* Ranks and metrics across commits, for a terminal. */
#include <math.h>
#include <string.h>

#include "internal.h"

#define SHOWN 20 /* the newest values of a series */
/* The widest name over a column, and before a series. */
#define NAME_WIDTH 16
#define LABEL_WIDTH 40

/* The next code point's first byte. */
static const char *
forward(const char *p)
{
	do
		p++;
	while (((unsigned char)*p & 0xc0) == 0x80);
	return p;
}

/*
 * A name as it is shown, in no more columns than width: the middle of a long
 * one gives way, since ids differ at their ends.
 */
static const char *
fit(struct arena *arena, const char *name, size_t width)
{
	const char *head, *tail, *text;
	struct buf visible;
	size_t len, i;

	buf_init(&visible);
	buf_put_visible(&visible, name);
	text = arena_strndup(arena, visible.data, visible.len);
	buf_free(&visible);
	len = utf8_width(text);
	if (len <= width)
		return text;
	for (head = text, i = 0; i < width / 2; i++)
		head = forward(head);
	for (tail = head; i + (width - 1 - width / 2) < len; i++)
		tail = forward(tail);
	return arena_printf(arena, "%.*s…%s", (int)(head - text), text, tail);
}

static const char *
rank_text(struct arena *arena, const struct history_rank *rank)
{
	if (rank->state == RANK_ABSENT)
		return "n/a";
	if (rank->state == RANK_ERRORED)
		return "×";
	return rank->rank ? arena_printf(arena, "%u", rank->rank) : "–";
}

/* T01  ▁█▂▅  –, 5, 9, 7: oldest first. */
static void
put_series(const struct page *page, const struct history_report *history,
    size_t column, size_t width)
{
	size_t first = history->nrows > SHOWN ? history->nrows - SHOWN : 0;
	size_t n = history->nrows - first, i;
	struct history_rank *ranks =
	    arena_array(page->arena, n + 1, sizeof(*ranks));
	const char *name =
	    fit(page->arena, history->questions[column], LABEL_WIDTH);

	buf_printf(page->out, "  %s", name);
	page_pad(page, utf8_width(name), width);
	for (i = 0; i < n; i++)
		ranks[i] = history->rows[first + i].ranks[column];
	sparkline(page->out, ranks, n);
	buf_puts(page->out, first ? "  … " : "  ");
	for (i = 0; i < n; i++)
		buf_printf(page->out, "%s%s%s", i ? ", " : "",
		    i && history->rows[first + i].nskipped ? "·, " : "",
		    rank_text(page->arena, &ranks[i]));
	buf_puts(page->out, "\n");
}

static void
put_cell(const struct page *page, size_t width, const char *text)
{
	size_t used = utf8_width(text);

	while (used++ < width)
		buf_putc(page->out, ' ');
	buf_puts(page->out, text);
}

static size_t
width_of(const struct page *page, const char *name)
{
	size_t width = utf8_width(fit(page->arena, name, NAME_WIDTH)) + 2;

	return width < 9 ? 9 : width;
}

static void
put_row(const struct page *page, const struct history_report *history,
    const struct history_row *row)
{
	enum color color = strcmp(row->verdict, "fail") == 0 ? COLOR_RED
	    : strcmp(row->verdict, "pass") == 0              ? COLOR_GREEN
							     : COLOR_YELLOW;
	size_t i;

	buf_printf(page->out, "  %s  %.16s  ",
	    short_commit(page->arena, row->commit), row->at);
	page_color(page, color, row->verdict);
	for (i = 0; i < history->nmetrics; i++)
		put_cell(page, width_of(page, history->metrics[i]),
		    isnan(row->metrics[i])
			? "·"
			: arena_printf(page->arena, "%.4f", row->metrics[i]));
	for (i = 0; i < history->nquestions; i++)
		put_cell(page, width_of(page, history->questions[i]),
		    rank_text(page->arena, &row->ranks[i]));
	buf_puts(page->out, "  ");
	if (row->start) {
		buf_puts(page->out, "[new start: ");
		page_user(page, row->start);
		buf_puts(page->out, "] ");
	}
	if (row->dirty)
		buf_puts(page->out, "[dirty] ");
	if (row->record_of)
		buf_printf(page->out, "[record of %s] ",
		    short_commit(page->arena, row->record_of));
	page_user(page, row->subject ? row->subject : "");
	buf_puts(page->out, "\n");
}

static void
put_gap(const struct page *page, size_t n)
{
	if (n)
		buf_printf(page->out,
		    "  ·        %zu commit%s without a record\n", n, plural(n));
}

static void
put_table(const struct page *page, const struct history_report *history)
{
	size_t i;

	buf_puts(page->out, "\n  commit   recorded          ");
	buf_puts(page->out, "    ");
	for (i = 0; i < history->nmetrics; i++)
		put_cell(page, width_of(page, history->metrics[i]),
		    history->metrics[i]);
	for (i = 0; i < history->nquestions; i++)
		put_cell(page, width_of(page, history->questions[i]),
		    fit(page->arena, history->questions[i], NAME_WIDTH));
	buf_puts(page->out, "\n");
	put_gap(page, history->nlatest);
	for (i = history->nrows; i-- > 0;) {
		put_row(page, history, &history->rows[i]);
		put_gap(page, history->rows[i].nskipped);
	}
}

void
text_history(struct arena *arena, struct buf *out,
    const struct history_report *history, const struct style *style)
{
	struct page page = {arena, out, style};
	size_t width = 0, i, n;

	buf_printf(out, "%s: %zu record%s", history->suite, history->nrows,
	    plural(history->nrows));
	if (history->nunrecorded)
		buf_printf(out, ", %zu commit%s without one",
		    history->nunrecorded, plural(history->nunrecorded));
	buf_puts(out, "\n");
	if (history->nquestions && history->nrows)
		buf_puts(out,
		    "\n  ranks, oldest first (– not found, × errored, "
		    "n/a not asked, · no record)\n");
	for (i = 0; i < history->nquestions; i++) {
		n = utf8_width(fit(arena, history->questions[i], LABEL_WIDTH)) +
		    2;
		if (n > width)
			width = n;
	}
	for (i = 0; history->nrows && i < history->nquestions; i++)
		put_series(&page, history, i, width);
	if (history->nrows)
		put_table(&page, history);
	if (history->cut)
		buf_printf(
		    out, "  note: the walk ended early: %s\n", history->cut);
	for (i = 0; i < history->nnotices; i++) {
		buf_puts(out, "  note: ");
		page_user(&page, history->notices[i]);
		buf_puts(out, "\n");
	}
}
