/* Ranks and metrics across commits, as JSON. */
#include <math.h>

#include "internal.h"

static void
put_row(struct json *json, const struct history_report *history,
    const struct history_row *row)
{
	size_t i;

	json_open(json, NULL, '{');
	json_text(json, "commit", row->commit);
	json_text(json, "at", row->at);
	json_text(json, "subject", row->subject);
	json_text(json, "verdict", row->verdict);
	json_text(json, "start", row->start);
	if (row->dirty)
		json_bool(json, "dirty", true);
	if (row->record_of)
		json_text(json, "record_of", row->record_of);
	if (row->nskipped)
		json_integer(json, "skipped", (int64_t)row->nskipped);
	json_open(json, "metrics", '{');
	for (i = 0; i < history->nmetrics; i++)
		if (!isnan(row->metrics[i]))
			json_number(json, history->metrics[i], row->metrics[i]);
	json_close(json, '}');
	json_open(json, "ranks", '{');
	for (i = 0; i < history->nquestions; i++) {
		/* Not asked then: the key is left out. */
		if (row->ranks[i].state == RANK_ABSENT)
			continue;
		if (row->ranks[i].state == RANK_GIVEN && row->ranks[i].rank)
			json_integer(
			    json, history->questions[i], row->ranks[i].rank);
		else
			json_null(json, history->questions[i]);
	}
	json_close(json, '}');
	json_close(json, '}');
}

void
json_history(struct arena *arena, struct buf *out,
    const struct history_report *history, const struct style *style)
{
	struct json json;
	size_t i;

	(void)arena;
	(void)style;
	json_init(&json, out, 2);
	json_open(&json, NULL, '{');
	json_integer(&json, "schema", 1);
	json_text(&json, "tool", history->tool);
	json_text(&json, "suite", history->suite);
	json_open(&json, "records", '[');
	for (i = 0; i < history->nrows; i++)
		put_row(&json, history, &history->rows[i]);
	json_close(&json, ']');
	if (history->nlatest)
		json_integer(&json, "skipped", (int64_t)history->nlatest);
	json_open(&json, "notices", '[');
	for (i = 0; i < history->nnotices; i++)
		json_text(&json, NULL, history->notices[i]);
	json_close(&json, ']');
	json_close(&json, '}');
	buf_putc(out, '\n');
}
