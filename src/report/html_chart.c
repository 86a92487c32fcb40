/*
 * Charts as SVG that is ready to be looked at: the script only says what
 * stands at each point.  Here is what charts of ranks and of metrics share:
 * the axis of commits, lines, marks, labels.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define WIDTH 360
#define HEIGHT 172
#define DOTTED 60 /* points, up to which each has its dot */

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
	return plot->n > 1
	    ? (double)(PLOT_RIGHT - PLOT_LEFT) / (double)(plot->n - 1)
	    : 0;
}

static double
x_of(const struct plot *plot, size_t i)
{
	return plot->n > 1 ? PLOT_LEFT + step_of(plot) * (double)i : PLOT_RIGHT;
}

static void
put_point(struct buf *out, char letter, double x, double y)
{
	put(out, letter, x);
	put(out, ' ', y);
}

/* From point to point, and none over what is not known. */
void
plot_line(const struct plot *plot, const char *class, const double *y)
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
void
plot_leaps(const struct plot *plot)
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

void
plot_across(const struct plot *plot, const char *class, double y)
{
	buf_printf(plot->html->out, "<path class=\"%s\" d=\"", class);
	put_point(plot->html->out, 'M', PLOT_LEFT, y);
	put(plot->html->out, 'H', PLOT_RIGHT);
	buf_puts(plot->html->out, "\"/>");
}

void
plot_label(const struct plot *plot, const char *class, double x, double y,
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

	plot_across(plot, "axis", PLOT_AXIS);
	for (i = 0; i < plot->n; i++) {
		if (strcmp(rows[i].verdict, "fail") != 0)
			continue;
		if (!any)
			buf_puts(out, "<path class=\"failed\" d=\"");
		any = true;
		put_point(out, 'M', x_of(plot, i), PLOT_AXIS);
		buf_puts(out, "v4");
	}
	if (any)
		buf_puts(out, "\"/>");
	for (i = 0; i < plot->n; i++)
		if (rows[i].start) {
			buf_puts(out, "<path class=\"start\" d=\"");
			put_point(out, 'M', x_of(plot, i), PLOT_TOP);
			buf_printf(out, "V%d\"/>", PLOT_AXIS);
		}
	if (plot->n > 1)
		plot_label(plot, "x", PLOT_LEFT, HEIGHT - 4,
		    arena_printf(plot->html->arena, "%.10s", rows[0].at));
	plot_label(plot, "r", PLOT_RIGHT, HEIGHT - 4,
	    arena_printf(plot->html->arena, "%.10s", rows[plot->n - 1].at));
}

/* What the script and a reader of the screen need to know. */
void
plot_open(const struct plot *plot, const char *kind, const char *label)
{
	struct buf *out = plot->html->out;
	size_t i;

	buf_printf(out,
	    "<div class=\"plot\"><svg viewBox=\"0 0 %d %d\" role=\"img\" "
	    "data-kind=\"%s\" data-of=\"records%zu\" data-top=\"%d\" "
	    "data-bottom=\"%d\" data-from=\"",
	    WIDTH, HEIGHT, kind, plot->html->number, PLOT_TOP, PLOT_AXIS);
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

void
plot_close(const struct plot *plot, const char *last)
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
		plot_label(
		    plot, "last", PLOT_RIGHT + 9, plot->y[end] + 4, last);
	}
	buf_puts(out, "</svg></div>");
}

struct plot
plot_make(const struct html *html, const struct history_report *history)
{
	struct plot plot = {.html = html, .history = history};

	plot.n = history->nrows;
	plot.y = arena_array(html->arena, plot.n + 1, sizeof(*plot.y));
	plot.marks = arena_array(html->arena, plot.n + 1, sizeof(*plot.marks));
	return plot;
}
