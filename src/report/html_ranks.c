/*
 * The chart of a question's rank.  Ranks go downwards on a logarithmic axis,
 * since the way from 1 to 5 matters more than that from 91 to 95.
 */
#include <math.h>
#include <string.h>

#include "internal.h"

static double
rank_y(double rank, double worst)
{
	return PLOT_TOP + (PLOT_BOTTOM - PLOT_TOP) * log(rank) / log(worst);
}

/* 1, 2, 5, 10, 20, 50 ... as far as the axis goes. */
static void
put_rank_grid(const struct plot *plot, double worst)
{
	static const unsigned ticks[] = {1, 2, 5};
	double tick, y, last = 0;
	double decade = 1;
	size_t i = 0;

	for (tick = 1; tick <= worst;) {
		y = rank_y(tick, worst);
		if (tick <= 1 || y - last >= 14) {
			plot_across(plot, "grid", y);
			plot_label(plot, "y", PLOT_LEFT - 8, y + 3.5,
			    arena_printf(plot->html->arena, "%.0f", tick));
			last = y;
		}
		if (++i == COUNT(ticks)) {
			i = 0;
			decade *= 10;
		}
		tick = ticks[i] * decade;
	}
}

const char *
html_rank(struct arena *arena, const struct history_rank *rank)
{
	if (rank->state == RANK_ABSENT)
		return "not asked";
	if (rank->state == RANK_ERRORED)
		return "error";
	return rank->rank ? arena_printf(arena, "%u", rank->rank) : "not found";
}

static void
put_ranks(const struct plot *plot, size_t column)
{
	struct buf *out = plot->html->out;
	size_t i;

	buf_puts(out, " data-v=\"");
	for (i = 0; i < plot->n; i++) {
		const struct history_rank *rank =
		    &plot->history->rows[i].ranks[column];

		if (i)
			buf_putc(out, ',');
		if (rank->state == RANK_ERRORED)
			buf_putc(out, '!');
		else if (rank->state == RANK_GIVEN && !rank->rank)
			buf_putc(out, '-');
		else if (rank->state == RANK_GIVEN)
			buf_printf(out, "%u", rank->rank);
	}
	buf_puts(out, "\">");
}

void
html_rank_chart(const struct html *html, const struct history_report *history,
    size_t column, int64_t limit)
{
	struct plot plot = plot_make(html, history);
	double worst = limit > 10 ? (double)limit : 10;
	const struct history_rank *rank;
	const char *label;
	size_t i;

	if (!plot.n)
		return;
	rank = &history->rows[0].ranks[column];
	for (i = 0; i < plot.n; i++)
		if (history->rows[i].ranks[column].rank > worst)
			worst = history->rows[i].ranks[column].rank;
	for (i = 0; i < plot.n; i++) {
		rank = &history->rows[i].ranks[column];
		plot.y[i] = rank->state == RANK_ABSENT ? NAN : PLOT_LANE;
		if (rank->state == RANK_ERRORED) {
			plot.marks[i] = MARK_ERROR;
		} else if (rank->state == RANK_GIVEN) {
			plot.marks[i] = rank->rank ? MARK_DOT : MARK_MISS;
			if (rank->rank)
				plot.y[i] = rank_y(rank->rank, worst);
		}
	}
	label = arena_printf(html->arena,
	    "Rank of %s over %zu record%s, newest: %s",
	    history->questions[column], plot.n, plural(plot.n),
	    html_rank(html->arena, rank));
	plot_open(&plot, "rank", label);
	put_ranks(&plot, column);
	put_rank_grid(&plot, worst);
	plot_across(&plot, "lane", PLOT_LANE);
	plot_label(&plot, "y", PLOT_LEFT - 8, PLOT_LANE + 3.5, "miss");
	if (limit > 0) {
		plot_across(&plot, "floor", rank_y((double)limit, worst));
		plot_label(&plot, "limit", PLOT_LEFT + 4,
		    rank_y((double)limit, worst) - 4,
		    arena_printf(html->arena, "limit %lld", (long long)limit));
	}
	plot_leaps(&plot);
	plot_line(&plot, "line", plot.y);
	plot_close(&plot,
	    rank->state == RANK_ERRORED ? "error"
		: rank->rank            ? html_rank(html->arena, rank)
					: "miss");
}
