/*
 * Charts as SVG that is ready to be looked at: the script only says what
 * stands at each point.  Ranks go downwards on a logarithmic axis, since the
 * way from 1 to 5 matters more than that from 91 to 95.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define WIDTH 360
#define LEFT 30
#define RIGHT 318
#define TOP 10
#define BOTTOM 124 /* of ranks and values */
#define LANE 140 /* where what was not found stands */
#define AXIS 153
#define HEIGHT 172
#define DOTTED 60 /* points, up to which each has its dot */
#define SPARKED 60 /* the newest ranks of a sparkline */

enum mark { MARK_NONE, MARK_DOT, MARK_MISS, MARK_ERROR };

struct plot {
	const struct html *html;
	const struct history_report *history;
	double *y; /* by row; NAN: nothing there */
	enum mark *marks;
	size_t n;
};

/* To a tenth, without what says nothing. */
static void
put(struct buf *out, char before, double number)
{
	long tenths = lround(number * 10);

	if (before)
		buf_putc(out, before);
	buf_printf(out, "%ld", tenths / 10);
	if (tenths % 10)
		buf_printf(out, ".%ld", labs(tenths % 10));
}

static double
step_of(const struct plot *plot)
{
	return plot->n > 1 ? (double)(RIGHT - LEFT) / (double)(plot->n - 1) : 0;
}

static double
x_of(const struct plot *plot, size_t i)
{
	return plot->n > 1 ? LEFT + step_of(plot) * (double)i : RIGHT;
}

static void
put_point(struct buf *out, char letter, double x, double y)
{
	put(out, letter, x);
	put(out, ' ', y);
}

/* From point to point, and none over what is not known. */
static void
put_line(const struct plot *plot, const char *class, const double *y)
{
	const struct history_row *rows = plot->history->rows;
	struct buf *out = plot->html->out;
	size_t i;

	buf_printf(out, "<path class=\"%s\" d=\"", class);
	for (i = 0; i < plot->n; i++) {
		if (isnan(y[i]))
			continue;
		if (!i || isnan(y[i - 1]) || rows[i].nskipped)
			put_point(out, 'M', x_of(plot, i), y[i]);
		else if (i + 1 < plot->n && y[i - 1] == y[i] &&
		    y[i + 1] == y[i] && !rows[i + 1].nskipped)
			continue; /* on its way */
		else if (y[i - 1] == y[i])
			put(out, 'H', x_of(plot, i));
		else
			put_point(out, 'L', x_of(plot, i), y[i]);
	}
	buf_puts(out, "\"/>");
}

/* Over commits without a record the way is not known. */
static void
put_leaps(const struct plot *plot)
{
	const struct history_row *rows = plot->history->rows;
	struct buf *out = plot->html->out;
	bool any = false;
	size_t i;

	for (i = 1; i < plot->n; i++) {
		if (!rows[i].nskipped || isnan(plot->y[i]) ||
		    isnan(plot->y[i - 1]))
			continue;
		if (!any)
			buf_puts(out, "<path class=\"leap\" d=\"");
		any = true;
		put_point(out, 'M', x_of(plot, i - 1), plot->y[i - 1]);
		put_point(out, 'L', x_of(plot, i), plot->y[i]);
	}
	if (any)
		buf_puts(out, "\"/>");
}

static void
put_marks(const struct plot *plot, const char *class, enum mark mark)
{
	struct buf *out = plot->html->out;
	bool any = false;
	size_t i;

	for (i = 0; i < plot->n; i++) {
		if (plot->marks[i] != mark)
			continue;
		if (!any)
			buf_printf(out, "<path class=\"%s\" d=\"M", class);
		put_point(out, any ? ' ' : '\0', x_of(plot, i), plot->y[i]);
		any = true;
	}
	if (any)
		buf_puts(out, "\"/>");
}

static void
put_across(const struct plot *plot, const char *class, double y)
{
	buf_printf(plot->html->out, "<path class=\"%s\" d=\"", class);
	put_point(plot->html->out, 'M', LEFT, y);
	put(plot->html->out, 'H', RIGHT);
	buf_puts(plot->html->out, "\"/>");
}

static void
put_label(const struct plot *plot, const char *class, double x, double y,
    const char *text)
{
	buf_printf(plot->html->out, "<text class=\"%s\" x=\"", class);
	put(plot->html->out, '\0', x);
	buf_puts(plot->html->out, "\" y=\"");
	put(plot->html->out, '\0', y);
	buf_printf(plot->html->out, "\">%s</text>", text);
}

/* The axis of commits: failed ones, new starts, the first and last day. */
static void
put_axis(const struct plot *plot)
{
	const struct history_row *rows = plot->history->rows;
	struct buf *out = plot->html->out;
	bool any = false;
	size_t i;

	put_across(plot, "axis", AXIS);
	for (i = 0; i < plot->n; i++) {
		if (strcmp(rows[i].verdict, "fail") != 0)
			continue;
		if (!any)
			buf_puts(out, "<path class=\"failed\" d=\"");
		any = true;
		put_point(out, 'M', x_of(plot, i), AXIS);
		buf_puts(out, "v4");
	}
	if (any)
		buf_puts(out, "\"/>");
	for (i = 0; i < plot->n; i++)
		if (rows[i].start) {
			buf_puts(out, "<path class=\"start\" d=\"");
			put_point(out, 'M', x_of(plot, i), TOP);
			buf_printf(out, "V%d\"/>", AXIS);
		}
	if (plot->n > 1)
		put_label(plot, "x", LEFT, HEIGHT - 4,
		    arena_printf(plot->html->arena, "%.10s", rows[0].at));
	put_label(plot, "r", RIGHT, HEIGHT - 4,
	    arena_printf(plot->html->arena, "%.10s", rows[plot->n - 1].at));
}

/* What the script and a reader of the screen need to know. */
static void
open_picture(const struct plot *plot, const char *kind, const char *label)
{
	struct buf *out = plot->html->out;
	size_t i;

	buf_printf(out,
	    "<div class=\"plot\"><svg viewBox=\"0 0 %d %d\" role=\"img\" "
	    "data-kind=\"%s\" data-of=\"records%zu\" data-top=\"%d\" "
	    "data-bottom=\"%d\" data-from=\"",
	    WIDTH, HEIGHT, kind, plot->html->number, TOP, AXIS);
	put(out, '\0', x_of(plot, 0));
	buf_printf(out, "\" data-step=\"%.4f\" data-y=\"", step_of(plot));
	for (i = 0; i < plot->n; i++) {
		if (i)
			buf_putc(out, ',');
		if (!isnan(plot->y[i]))
			put(out, '\0', plot->y[i]);
	}
	buf_puts(out, "\" aria-label=\"");
	html_text(out, label);
	buf_puts(out, "\"");
}

static void
close_picture(const struct plot *plot, const char *last)
{
	struct buf *out = plot->html->out;
	size_t end = plot->n - 1;

	if (plot->n <= DOTTED)
		put_marks(plot, "dots", MARK_DOT);
	put_marks(plot, "misses", MARK_MISS);
	put_marks(plot, "errors", MARK_ERROR);
	put_axis(plot);
	if (!isnan(plot->y[end])) {
		buf_printf(out, "<circle class=\"end%s\" r=\"4.5\" cx=\"",
		    plot->marks[end] == MARK_DOT ? "" : " miss");
		put(out, '\0', x_of(plot, end));
		buf_puts(out, "\" cy=\"");
		put(out, '\0', plot->y[end]);
		buf_puts(out, "\"/>");
		put_label(plot, "last", RIGHT + 9, plot->y[end] + 4, last);
	}
	buf_puts(out, "</svg></div>");
}

static struct plot
plot_of(const struct html *html, const struct history_report *history)
{
	struct plot plot = {.html = html, .history = history};

	plot.n = history->nrows;
	plot.y = arena_array(html->arena, plot.n + 1, sizeof(*plot.y));
	plot.marks = arena_array(html->arena, plot.n + 1, sizeof(*plot.marks));
	return plot;
}

/* ------------------------------------------------------------------ ranks */

static double
rank_y(double rank, double worst)
{
	return TOP + (BOTTOM - TOP) * log(rank) / log(worst);
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
			put_across(plot, "grid", y);
			put_label(plot, "y", LEFT - 8, y + 3.5,
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
	struct plot plot = plot_of(html, history);
	double worst = limit > 10 ? (double)limit : 10;
	const struct history_rank *rank = NULL;
	const char *label;
	size_t i;

	for (i = 0; i < plot.n; i++)
		if (history->rows[i].ranks[column].rank > worst)
			worst = history->rows[i].ranks[column].rank;
	for (i = 0; i < plot.n; i++) {
		rank = &history->rows[i].ranks[column];
		plot.y[i] = rank->state == RANK_ABSENT ? NAN : LANE;
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
	open_picture(&plot, "rank", label);
	put_ranks(&plot, column);
	put_rank_grid(&plot, worst);
	put_across(&plot, "lane", LANE);
	put_label(&plot, "y", LEFT - 8, LANE + 3.5, "miss");
	if (limit > 0) {
		put_across(&plot, "floor", rank_y((double)limit, worst));
		put_label(&plot, "limit", LEFT + 4,
		    rank_y((double)limit, worst) - 4,
		    arena_printf(html->arena, "limit %lld", (long long)limit));
	}
	put_leaps(&plot);
	put_line(&plot, "line", plot.y);
	close_picture(&plot,
	    rank->state == RANK_ERRORED ? "error"
		: rank->rank            ? html_rank(html->arena, rank)
					: "miss");
}

/* ---------------------------------------------------------------- metrics */

struct scale {
	double low, high, step;
};

static void
widen(struct scale *scale, double value)
{
	if (isnan(value))
		return;
	if (isnan(scale->low) || value < scale->low)
		scale->low = value;
	if (isnan(scale->high) || value > scale->high)
		scale->high = value;
}

/* Round numbers around all that is drawn, two to five of them. */
static struct scale
scale_of(const struct history_report *history, size_t column,
    const struct history_metric *limits)
{
	static const double steps[] = {
	    0.5, 0.25, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001};
	struct scale scale = {NAN, NAN, 0};
	size_t i;

	for (i = 0; i < history->nrows; i++) {
		widen(&scale, history->rows[i].metrics[column]);
		if (history->rows[i].common)
			widen(&scale, history->rows[i].common[column]);
	}
	if (limits) {
		widen(&scale, limits->min);
		widen(&scale, limits->lowest);
	}
	if (isnan(scale.low))
		scale.low = scale.high = 0.5;
	for (i = 0; i + 1 < COUNT(steps); i++)
		if ((scale.high - scale.low) / steps[i] >= 1.5)
			break;
	scale.step = steps[i];
	scale.low = floor(scale.low / scale.step + 1e-9) * scale.step;
	scale.high = ceil(scale.high / scale.step - 1e-9) * scale.step;
	if (scale.high <= scale.low)
		scale.high = scale.low + scale.step;
	return scale;
}

static double
value_y(double value, const struct scale *scale)
{
	return LANE -
	    (LANE - TOP) * (value - scale->low) / (scale->high - scale->low);
}

static void
put_value_grid(const struct plot *plot, const struct scale *scale)
{
	int digits = scale->step >= 0.1 && scale->step != 0.25 ? 1
	    : scale->step >= 0.01                              ? 2
							       : 3;
	double tick;
	size_t i;

	for (i = 0;; i++) {
		tick = scale->low + scale->step * (double)i;
		if (tick > scale->high + scale->step / 2)
			return;
		put_across(plot, "grid", value_y(tick, scale));
		put_label(plot, "y", LEFT - 6, value_y(tick, scale) + 3.5,
		    arena_printf(plot->html->arena, "%.*f", digits, tick));
	}
}

static void
put_values(const struct plot *plot, const char *name, const double *values)
{
	struct buf *out = plot->html->out;
	size_t i;

	buf_printf(out, " data-%s=\"", name);
	for (i = 0; i < plot->n; i++) {
		if (i)
			buf_putc(out, ',');
		if (!isnan(values[i]))
			buf_printf(out, "%.4f", values[i]);
	}
	buf_puts(out, "\"");
}

/* A threshold's line, named at its left end. */
static void
put_threshold(const struct plot *plot, const struct scale *scale,
    const char *name, double value)
{
	double y = value_y(value, scale);

	if (isnan(value))
		return;
	put_across(plot, "floor", y);
	put_label(plot, "limit", LEFT + 4, y > LANE - 14 ? y - 4 : y + 11,
	    arena_printf(plot->html->arena, "%s %.4g", name, value));
}

/* Whether the averages over common questions are another line at all. */
static bool
differ(const double *values, const double *common, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!isnan(common[i]) &&
		    (isnan(values[i]) || fabs(values[i] - common[i]) > 1e-9))
			return true;
	return false;
}

void
html_metric_chart(const struct html *html, const struct history_report *history,
    size_t column)
{
	const struct history_metric *limits =
	    history->about_metrics ? &history->about_metrics[column] : NULL;
	struct scale scale = scale_of(history, column, limits);
	struct plot plot = plot_of(html, history);
	double *values, *common, *y;
	size_t i;

	values = arena_array(html->arena, plot.n + 1, sizeof(*values));
	common = arena_array(html->arena, plot.n + 1, sizeof(*common));
	y = arena_array(html->arena, plot.n + 1, sizeof(*y));
	for (i = 0; i < plot.n; i++) {
		const struct history_row *row = &history->rows[i];

		values[i] = row->metrics[column];
		common[i] = row->common ? row->common[column] : NAN;
		plot.marks[i] = isnan(values[i]) ? MARK_NONE : MARK_DOT;
		plot.y[i] = isnan(values[i]) ? NAN : value_y(values[i], &scale);
		y[i] = isnan(common[i]) ? NAN : value_y(common[i], &scale);
	}
	open_picture(&plot, "metric",
	    arena_printf(html->arena, "%s over %zu record%s, newest: %.4f",
		history->metrics[column], plot.n, plural(plot.n),
		values[plot.n - 1]));
	put_values(&plot, "v", values);
	if (differ(values, common, plot.n))
		put_values(&plot, "w", common);
	buf_puts(html->out, ">");
	put_value_grid(&plot, &scale);
	if (limits) {
		put_threshold(&plot, &scale, "min", limits->min);
		put_threshold(&plot, &scale, "no lower than", limits->lowest);
	}
	if (differ(values, common, plot.n))
		put_line(&plot, "same", y);
	put_leaps(&plot);
	put_line(&plot, "line", plot.y);
	close_picture(
	    &plot, arena_printf(html->arena, "%.3f", values[plot.n - 1]));
}

/* ------------------------------------------------------------- sparklines */

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
