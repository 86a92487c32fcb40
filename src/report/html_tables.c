/* The tables of a judged run's page: averages, slices, questions, waivers. */
#include <math.h>
#include <string.h>

#include "internal.h"

/* Both ways of it are told by sign and shape, not by colour alone. */
static void
put_delta(struct buf *out, double delta)
{
	if (fabs(delta) < 5e-5)
		buf_puts(out, "<span class=\"miss\">\302\261 0</span>");
	else
		buf_printf(out, "<span class=\"%s\">%s %.4f</span>",
		    delta < 0 ? "down" : "up",
		    delta < 0 ? "\342\226\274" : "\342\226\262", fabs(delta));
}

static void
put_average(struct buf *out, const struct sheet_metric *m)
{
	buf_puts(out, "<tr><th scope=\"row\">");
	html_user(out, m->name);
	buf_printf(out, "<td><b>%s</b>", mean_text(metric_now(m)).text);
	if (!m->compared) {
		buf_printf(out, "<td><td><td><td><td>%zu</tr>\n", m->n);
		return;
	}
	buf_printf(
	    out, "<td>%.4f \342\206\222 %.4f<td>", m->baseline, m->current);
	put_delta(out, m->delta);
	buf_puts(out, "<td>");
	if (!isnan(m->low) && !isnan(m->high))
		buf_printf(out, "%+.4f to %+.4f", m->low, m->high);
	buf_printf(out, "<td>%zu / %zu / %zu<td>%zu</tr>\n", m->wins, m->ties,
	    m->losses, m->common);
}

static void
put_averages(const struct html *html, const struct sheet *sheet)
{
	const char *means = metrics_over_all(html->arena, sheet);
	struct buf *out = html->out;
	size_t m;

	buf_printf(out,
	    "<section aria-labelledby=\"averages%zu\"><h2 "
	    "id=\"averages%zu\">Averages</h2>\n",
	    html->number, html->number);
	if (*means)
		buf_printf(out,
		    "<p class=\"hint\">Over all %zu questions: %s</p>",
		    sheet->metrics[0].n, means);
	buf_printf(out,
	    "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
	    "aria-labelledby=\"averages%zu\">"
	    "<table>\n<thead><tr><th scope=\"col\">Metric<th scope=\"col\">"
	    "This run<th scope=\"col\">Compared<th scope=\"col\">"
	    "Difference<th scope=\"col\">95 %% interval<th scope=\"col\">"
	    "Better / same / worse<th scope=\"col\">Questions</tr></thead>\n"
	    "<tbody>\n",
	    html->number);
	for (m = 0; m < sheet->nmeasures; m++)
		put_average(out, &sheet->metrics[m]);
	buf_puts(out, "</tbody></table></div></section>\n");
}

static void
put_slice(struct buf *out, const struct sheet_metric *row, size_t nmeasures)
{
	size_t m;

	buf_puts(out, "<tr><th scope=\"row\">");
	html_user(out, row->slice);
	buf_printf(out, "<td>%zu", slice_n(row, nmeasures));
	for (m = 0; m < nmeasures; m++) {
		double now = metric_now(&row[m]);

		buf_printf(out, "<td data-k=\"%.6f\">%s", isnan(now) ? -1 : now,
		    mean_text(now).text);
		if (row[m].compared) {
			buf_puts(out, "<small>");
			put_delta(out, row[m].delta);
			buf_puts(out, "</small>");
		}
	}
	buf_puts(out, "</tr>\n");
}

static void
put_slices(const struct html *html, const struct sheet *sheet)
{
	struct buf *out = html->out;
	size_t i;

	if (sheet->nmetrics <= sheet->nmeasures)
		return;
	buf_printf(out,
	    "<section aria-labelledby=\"slices%zu\"><h2 id=\"slices%zu\">"
	    "Slices</h2>\n<div class=\"scroll\" tabindex=\"0\" "
	    "role=\"region\" aria-labelledby=\"slices%zu\"><table "
	    "class=\"slices sortable\">\n<thead><tr><th scope=\"col\">Slice"
	    "<th scope=\"col\">Questions",
	    html->number, html->number, html->number);
	for (i = 0; i < sheet->nmeasures; i++) {
		buf_puts(out, "<th scope=\"col\">");
		html_user(out, sheet->metrics[i].name);
	}
	buf_puts(out, "</tr></thead>\n<tbody>\n");
	for (i = sheet->nmeasures; i < sheet->nmetrics; i += sheet->nmeasures)
		put_slice(out, &sheet->metrics[i], sheet->nmeasures);
	buf_puts(out, "</tbody></table></div></section>\n");
}

/* -------------------------------------------------------------- questions */

/* Which way a rank went: below 0 for the worse. */
static int
way(const struct sheet_question *q)
{
	if (!q->known || !q->known_then || q->change != CHANGE_NONE ||
	    q->rank == q->baseline)
		return 0;
	return sheet_fell(q) ? -1 : 1;
}

static void
put_rank(struct buf *out, const char *label, bool known, unsigned rank)
{
	buf_printf(out, "<td data-l=\"%s\"", label);
	if (!known)
		buf_puts(out, ">");
	else if (rank)
		buf_printf(out, ">%u", rank);
	else
		buf_puts(out, " class=\"miss\" data-k=\"1e9\">miss");
}

static void
put_change(struct buf *out, const struct sheet_question *q)
{
	int to = way(q);

	if (!to)
		buf_puts(out, "<td>");
	else if (!q->rank)
		buf_puts(out,
		    "<td class=\"down\" data-k=\"-1e9\">\342\226\274 lost");
	else if (!q->baseline)
		buf_puts(
		    out, "<td class=\"up\" data-k=\"1e9\">\342\226\262 found");
	else if (to < 0)
		buf_printf(out,
		    "<td class=\"down\" data-k=\"-%u\">\342\226\274 %u",
		    q->rank - q->baseline, q->rank - q->baseline);
	else
		buf_printf(out,
		    "<td class=\"up\" data-k=\"%u\">\342\226\262 %u",
		    q->baseline - q->rank, q->baseline - q->rank);
}

/* What stands beside the id: what is particular about the question. */
static void
put_tags(
    struct buf *out, const struct sheet *sheet, const struct sheet_question *q)
{
	const char *p;

	if (q->tracked)
		buf_puts(out, " <span class=\"tag\">tracked</span>");
	if (!q->answerable)
		buf_puts(out, " <span class=\"tag\">no answer</span>");
	if (q->missing && q->answerable)
		buf_puts(out, " <span class=\"tag bad\">not in the run</span>");
	if (q->more && q->more->flips)
		buf_puts(out, " <span class=\"tag\">flips</span>");
	if (!sheet->judged || q->class == CLASS_SAME)
		return;
	buf_printf(out, " <span class=\"tag%s\">",
	    q->class < CLASS_WORSE_ALLOWED                          ? " bad"
		: q->class >= CLASS_FIXED && q->class < CLASS_ADDED ? " good"
								    : "");
	for (p = class_names[q->class]; *p; p++)
		buf_putc(out, *p == '-' ? ' ' : *p);
	buf_puts(out, "</span>");
}

static void
put_question(const struct html *html, const struct sheet *sheet,
    const struct map *columns, const struct sheet_question *q)
{
	struct buf *out = html->out;
	int to = way(q);
	size_t column;

	buf_printf(out, "<tr class=\"%s%s%s\"><th scope=\"row\">",
	    to < 0       ? "fell "
		: to > 0 ? "rose "
			 : "",
	    q->tracked ? "tracked " : "",
	    q->known && !q->rank && q->answerable ? "missed" : "");
	html_user(out, q->id);
	put_tags(out, sheet, q);
	if (q->text && strcmp(q->text, q->id) != 0) {
		buf_puts(out, "<p>");
		html_user(out, q->text);
		buf_puts(out, "</p>");
	}
	if (q->errored)
		buf_puts(out, "<td data-l=\"rank\" class=\"down\">error");
	else
		put_rank(out, "rank", q->known && q->answerable, q->rank);
	if (sheet->shown) {
		put_rank(out, "before",
		    q->known_then && q->change == CHANGE_NONE && q->answerable,
		    q->baseline);
		put_change(out, q);
	}
	if (sheet->walk) {
		buf_puts(out, "<td>");
		if (map_get(columns, q->id, strlen(q->id), &column))
			html_spark(html, sheet->walk, column);
	}
	buf_puts(out, "</tr>\n");
}

static void
put_questions(const struct html *html, const struct sheet *sheet)
{
	static const char *const chips[] = {"fell", "Fell", "rose", "Rose",
	    "missed", "Not found", "tracked", "Tracked", NULL};
	static const char *const alone[] = {
	    "missed", "Not found", "tracked", "Tracked", NULL};
	struct buf *out = html->out;
	struct map columns;
	size_t i, column;

	map_init(&columns, html->arena);
	for (i = 0; sheet->walk && i < sheet->walk->nquestions; i++) {
		column = i;
		map_add(&columns, sheet->walk->questions[i],
		    strlen(sheet->walk->questions[i]), &column);
	}
	buf_printf(out,
	    "<section aria-labelledby=\"all%zu\"><h2 id=\"all%zu\">All "
	    "questions</h2>\n",
	    html->number, html->number);
	html_tools(html, sheet->shown ? chips : alone);
	buf_printf(out,
	    "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
	    "aria-labelledby=\"all%zu\"><table class=\"questions sortable\" "
	    "id=\"questions%zu\">\n<thead><tr><th scope=\"col\">Question"
	    "<th scope=\"col\" data-sort=\"descending\">Rank",
	    html->number, html->number);
	if (sheet->shown)
		buf_puts(out,
		    "<th scope=\"col\" data-sort=\"descending\">Before"
		    "<th scope=\"col\">Change");
	if (sheet->walk)
		buf_puts(out,
		    "<th scope=\"col\" data-sort=\"no\" class=\"l\">History");
	buf_puts(out, "</tr></thead>\n<tbody>\n");
	for (i = 0; i < sheet->nquestions; i++)
		if (!sheet->questions[i].holdout)
			put_question(
			    html, sheet, &columns, &sheet->questions[i]);
	buf_puts(out, "</tbody></table></div></section>\n");
}

/* ---------------------------------------------------------------- waivers */

static void
put_waivers(const struct html *html, const struct sheet *sheet)
{
	struct buf *out = html->out;
	size_t i;

	if (!sheet->nwaivers)
		return;
	buf_printf(out,
	    "<section aria-labelledby=\"waivers%zu\"><h2 id=\"waivers%zu\">"
	    "Waivers</h2>\n<div class=\"scroll\" tabindex=\"0\" "
	    "role=\"region\" aria-labelledby=\"waivers%zu\"><table>\n"
	    "<thead><tr><th scope=\"col\">What<th scope=\"col\" class=\"l\">"
	    "State<th scope=\"col\">Until<th scope=\"col\">Limit<th "
	    "scope=\"col\" class=\"l\">Reason</tr></thead>\n<tbody>\n",
	    html->number, html->number, html->number);
	for (i = 0; i < sheet->nwaivers; i++) {
		const struct sheet_waiver *w = &sheet->waivers[i];

		buf_puts(out, "<tr><th scope=\"row\">");
		html_user(out, w->subject);
		if (w->slice) {
			buf_puts(out, " <span class=\"tag\">");
			html_user(out, w->slice);
			buf_puts(out, "</span>");
		}
		buf_printf(out, "<td class=\"l%s\">%s<td>",
		    w->exceeded ? " down" : "",
		    w->exceeded   ? "exceeded"
			: w->used ? "in use"
				  : "not needed");
		html_text(out, w->until);
		buf_puts(out, "<td>");
		if (!isnan(w->limit))
			buf_printf(out, "%g", w->limit);
		buf_puts(out, "<td class=\"l text\">");
		html_user(out, w->reason);
		if (w->issue) {
			buf_putc(out, ' ');
			html_user(out, w->issue);
		}
		buf_puts(out, "</tr>\n");
	}
	buf_puts(out, "</tbody></table></div></section>\n");
}

/* A JSON report has ranks of tracked questions, and no other past. */
static void
put_pastless(const struct html *html)
{
	buf_printf(html->out,
	    "<section aria-labelledby=\"trends%zu\"><h2 id=\"trends%zu\">"
	    "Metrics over commits</h2>\n<p class=\"hint\">Not here: a report "
	    "that was stored, or compares two sides, holds no history but the "
	    "ranks of tracked questions. A page with trends and records is "
	    "made by <code>check</code>, <code>record</code>, <code>ci</code> "
	    "or <code>history</code> with <code>--format html:FILE</code>."
	    "</p></section>\n",
	    html->number, html->number);
}

void
html_check_tables(const struct html *html, const struct sheet *sheet)
{
	/* One point is no line. */
	bool past = sheet->walk && sheet->walk->nrows > 1;

	put_averages(html, sheet);
	if (past) {
		html_rank_charts(html, sheet->walk);
		if (!html->pastless)
			html_metric_charts(html, sheet->walk);
	}
	if (html->pastless)
		put_pastless(html);
	put_slices(html, sheet);
	put_questions(html, sheet);
	put_waivers(html, sheet);
	if (past)
		html_records(html, sheet->walk);
}
