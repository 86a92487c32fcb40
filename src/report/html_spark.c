/* Sparklines: a question's newest ranks in a line of its table. */
#include <math.h>

#include "internal.h"

#define SPARKED 60 /* the newest ranks */

/* Height of a rank in a sparkline, from 1 at the top to 16; 20: a miss. */
static long
spark_y(const struct history_rank *rank, unsigned worst)
{
	if (rank->state == RANK_ERRORED || !rank->rank)
		return 20;
	if (rank->rank == 1)
		return 2;
	return 2 + lround(13 * log(rank->rank) / log(worst));
}

void
html_spark(const struct html *html, const struct history_report *history,
    size_t column)
{
	size_t first = history->nrows > SPARKED ? history->nrows - SPARKED : 0;
	size_t n = history->nrows - first, i, flat = 0;
	long step = n > 1 ? 118 / (long)(n - 1) : 0, was = -1, y;
	struct buf *out = html->out;
	unsigned worst = 10;

	if (step > 24)
		step = 24;
	for (i = first; i < history->nrows; i++)
		if (history->rows[i].ranks[column].rank > worst)
			worst = history->rows[i].ranks[column].rank;
	buf_puts(out,
	    "<svg class=\"spark\" viewBox=\"0 0 122 22\" "
	    "aria-hidden=\"true\"><path d=\"");
	for (i = 0; i < n; i++) {
		const struct history_rank *rank =
		    &history->rows[first + i].ranks[column];

		y = rank->state == RANK_ABSENT ? -1 : spark_y(rank, worst);
		if (y >= 0 && y == was) {
			flat++;
			continue;
		}
		if (flat)
			buf_printf(out, "h%ld", step * (long)flat);
		flat = 0;
		if (y >= 0 && was < 0)
			buf_printf(
			    out, "M%ld %ld", 120 - step * (long)(n - 1 - i), y);
		else if (y >= 0)
			buf_printf(out, "l%ld %ld", step, y - was);
		was = y;
	}
	if (flat)
		buf_printf(out, "h%ld", step * (long)flat);
	buf_puts(out, "\"/></svg>");
}
