/* History as a table that other programs read: CSV and Markdown. */
#include <math.h>
#include <string.h>

#include "internal.h"

#define CELL 200 /* characters of a text that a cell shows */

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

/* RFC 4180; what a spreadsheet would take for a formula gets a quote. */
static void
csv_cell(struct buf *out, const char *text, bool last)
{
	bool formula = *text && strchr("=+-@\t\r", *text) != NULL;

	if (formula || strpbrk(text, ",\"\r\n")) {
		buf_puts(out, formula ? "\"'" : "\"");
		for (; *text; text++) {
			if (*text == '"')
				buf_putc(out, '"');
			buf_putc(out, *text);
		}
		buf_putc(out, '"');
	} else {
		buf_puts(out, text);
	}
	buf_puts(out, last ? "\n" : ",");
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

		csv_cell(out, row->commit, false);
		csv_cell(out, row->at, false);
		csv_cell(out, row->subject ? row->subject : "", false);
		csv_cell(out, row->verdict, n == 0);
		for (k = 0; k < history->nmetrics; k++)
			csv_cell(out, metric_cell(arena, row->metrics[k], ""),
			    k + 1 == n);
		for (k = 0; k < history->nquestions; k++)
			csv_cell(out, rank_cell(arena, &row->ranks[k], ""),
			    history->nmetrics + k + 1 == n);
	}
}

/* Text of users in a table's cell: one line, no cell of its own. */
static void
markdown_cell(struct buf *out, const char *text)
{
	markdown_text(out, text, CELL);
	buf_puts(out, " | ");
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
		buf_puts(out, row->dirty ? "(dirty) " : "");
		markdown_cell(out, row->subject ? row->subject : "");
		buf_puts(out, "\n");
	}
}

const struct format format_csv = {
    .name = "csv",
    .history = csv_history,
    .summary = "history as a table: 0 is not found, empty not asked",
};
