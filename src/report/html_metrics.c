/* The chart of a metric, with its thresholds. */
#include <math.h>
#include <string.h>

#include "internal.h"

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

/* The way from one number at the axis to the next. */
static double
step_of(const struct scale *scale)
{
	/* Those above 0.5 are of mean_rank. */
	static const double steps[] = {1e6, 1e5, 1e4, 1000, 500, 200, 100, 50,
	    20, 10, 5, 2, 1, 0.5, 0.25, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005,
	    0.002, 0.001};
	double span = scale->high - scale->low;
	size_t i;

	/* What never changes needs no digits to tell values apart. */
	if (span < 1e-9)
		return scale->high > 1 ? 1 : 0.1;
	for (i = 0; i + 1 < COUNT(steps); i++)
		if (span / steps[i] >= 1.5)
			break;
	return steps[i];
}

/* Round numbers around all that is drawn, two to five of them. */
static struct scale
scale_of(const struct history_report *history, size_t column,
    const struct history_metric *limits)
{
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
	scale.step = step_of(&scale);
	scale.low = floor(scale.low / scale.step + 1e-9) * scale.step;
	scale.high = ceil(scale.high / scale.step - 1e-9) * scale.step;
	if (scale.high <= scale.low && scale.high >= scale.step)
		scale.low -= scale.step;
	else if (scale.high <= scale.low)
		scale.high += scale.step;
	return scale;
}

static double
value_y(double value, const struct scale *scale)
{
	return PLOT_LANE -
	    (PLOT_LANE - PLOT_TOP) * (value - scale->low) /
	    (scale->high - scale->low);
}

static void
put_value_grid(const struct plot *plot, const struct scale *scale)
{
	int digits = scale->step >= 1                   ? 0
	    : scale->step >= 0.1 && scale->step != 0.25 ? 1
	    : scale->step >= 0.01                       ? 2
							: 3;
	double tick;
	size_t i;

	for (i = 0;; i++) {
		tick = scale->low + scale->step * (double)i;
		if (tick > scale->high + scale->step / 2)
			return;
		plot_across(plot, "grid", value_y(tick, scale));
		plot_label(plot, "y", PLOT_LEFT - 6, value_y(tick, scale) + 3.5,
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
	plot_across(plot, "floor", y);
	plot_label(plot, "limit", PLOT_LEFT + 4,
	    y > PLOT_LANE - 14 ? y - 4 : y + 11,
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
	struct plot plot = plot_make(html, history);
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
	plot_open(&plot, "metric",
	    arena_printf(html->arena, "%s over %zu record%s, newest: %s",
		history->metrics[column], plot.n, plural(plot.n),
		mean_text(values[plot.n - 1]).text));
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
		plot_line(&plot, "same", y);
	plot_leaps(&plot);
	plot_line(&plot, "line", plot.y);
	plot_close(
	    &plot, arena_printf(html->arena, "%.3f", values[plot.n - 1]));
}
