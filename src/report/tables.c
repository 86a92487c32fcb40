/* History as a table that other programs read: CSV and Markdown. */
#include <math.h>
#include <string.h>

#include "internal.h"

#define CELL 200 /* characters of a text that a cell shows */
#define NOTICE 600

static const char *
rank_cell(
    struct arena *arena, const struct history_rank *rank, const char *absent)
{
	if (rank->state == RANK_ABSENT)
		return absent;
	if (rank->state == RANK_ERRORED)
		return "error";
	return rank->rank ? arena_printf(arena, "%u", rank->rank) : "0";
}

static const char *
metric_cell(struct arena *arena, double metric, const char *absent)
{
	struct buf buf;
	const char *text;

	if (isnan(metric))
		return absent;
	buf_init(&buf);
	number_print(&buf, metric);
	text = arena_strdup(arena, buf.data);
	buf_free(&buf);
	return text;
}

/*
 * RFC 4180; what a spreadsheet would take for a formula gets a quote, and
 * what a terminal would obey is made visible.
 */
static void
csv_cell(struct buf *out, const char *text, bool last)
{
	struct buf visible;
	const char *p;
	bool formula;

	buf_init(&visible);
	buf_put_visible(&visible, text);
	p = visible.data;
	formula = *p && strchr("=+-@", *p) != NULL;
	if (formula || strpbrk(p, ",\"")) {
		buf_puts(out, formula ? "\"'" : "\"");
		for (; *p; p++) {
			if (*p == '"')
				buf_putc(out, '"');
			buf_putc(out, *p);
		}
		buf_putc(out, '"');
	} else {
		buf_puts(out, p);
	}
	buf_puts(out, last ? "\n" : ",");
	buf_free(&visible);
}

/* What a row's commit is called, and what its record is. */
static const char *
subject_cell(struct arena *arena, const struct history_row *row)
{
	const char *text = row->subject ? row->subject : "";

	if (row->record_of)
		text = arena_printf(arena, "[record of %s] %s",
		    short_commit(arena, row->record_of), text);
	if (row->dirty)
		text = arena_printf(arena, "[dirty] %s", text);
	if (row->start)
		text =
		    arena_printf(arena, "[new start: %s] %s", row->start, text);
	return text;
}

static const char *
gap_text(struct arena *arena, size_t n)
{
	return arena_printf(
	    arena, "%zu commit%s without a record", n, plural(n));
}

static void
csv_gap(struct arena *arena, struct buf *out, size_t nskipped, size_t ncolumns)
{
	size_t k;

	if (!nskipped)
		return;
	buf_printf(out, ",,%s,", gap_text(arena, nskipped));
	for (k = 0; k < ncolumns; k++)
		buf_putc(out, ',');
	buf_putc(out, '\n');
}

static void
csv_history(struct arena *arena, struct buf *out,
    const struct history_report *history, const struct style *style)
{
	size_t n = history->nmetrics + history->nquestions, i, k;

	(void)style;
	buf_puts(out, "commit,at,subject,verdict");
	buf_puts(out, n ? "," : "\n");
	for (k = 0; k < history->nmetrics; k++)
		csv_cell(out, history->metrics[k], k + 1 == n);
	for (k = 0; k < history->nquestions; k++)
		csv_cell(
		    out, history->questions[k], history->nmetrics + k + 1 == n);
	for (i = 0; i < history->nrows; i++) {
		const struct history_row *row = &history->rows[i];

		csv_gap(arena, out, row->nskipped, n);
		csv_cell(out, row->commit, false);
		csv_cell(out, row->at, false);
		csv_cell(out, subject_cell(arena, row), false);
		csv_cell(out, row->verdict, n == 0);
		for (k = 0; k < history->nmetrics; k++)
			csv_cell(out, metric_cell(arena, row->metrics[k], ""),
			    k + 1 == n);
		for (k = 0; k < history->nquestions; k++)
			csv_cell(out, rank_cell(arena, &row->ranks[k], ""),
			    history->nmetrics + k + 1 == n);
	}
	csv_gap(arena, out, history->nlatest, n);
}

/* Text of users in a table's cell: one line, no cell of its own. */
static void
markdown_cell(struct buf *out, const char *text)
{
	markdown_text(out, text, CELL);
	buf_puts(out, " | ");
}

static void
markdown_gap(
    struct arena *arena, struct buf *out, size_t nskipped, size_t ncolumns)
{
	size_t k;

	if (!nskipped)
		return;
	buf_puts(out, "| · | | | ");
	for (k = 0; k < ncolumns; k++)
		buf_puts(out, "| ");
	buf_printf(out, "%s | \n", gap_text(arena, nskipped));
}

void
markdown_history(struct arena *arena, struct buf *out,
    const struct history_report *history, const struct style *style)
{
	size_t n = history->nmetrics + history->nquestions, i, k;

	(void)style;
	buf_puts(out, "| commit | recorded | verdict | ");
	for (k = 0; k < history->nmetrics; k++)
		markdown_cell(out, history->metrics[k]);
	for (k = 0; k < history->nquestions; k++)
		markdown_cell(out, history->questions[k]);
	buf_puts(out, "subject |\n|---|---|---|");
	for (k = 0; k < n; k++)
		buf_puts(out, "--:|");
	buf_puts(out, "---|\n");
	markdown_gap(arena, out, history->nlatest, n);
	for (i = history->nrows; i-- > 0;) {
		const struct history_row *row = &history->rows[i];

		buf_printf(out, "| %s | %.16s | %s | ",
		    short_commit(arena, row->commit), row->at, row->verdict);
		for (k = 0; k < history->nmetrics; k++)
			buf_printf(out,
			    isnan(row->metrics[k]) ? "· | " : "%.4f | ",
			    row->metrics[k]);
		for (k = 0; k < history->nquestions; k++)
			buf_printf(out, "%s | ",
			    row->ranks[k].state == RANK_GIVEN &&
				    !row->ranks[k].rank
				? "–"
				: rank_cell(arena, &row->ranks[k], "·"));
		markdown_cell(out, subject_cell(arena, row));
		buf_puts(out, "\n");
		markdown_gap(arena, out, row->nskipped, n);
	}
	for (i = 0; i < history->nnotices; i++) {
		buf_puts(out, i ? "- " : "\n- ");
		markdown_text(out, history->notices[i], NOTICE);
		buf_puts(out, "\n");
	}
}

const struct format format_csv = {
    .name = "csv",
    .history = csv_history,
    .summary = "history as a table: 0 is not found, empty not asked",
};
