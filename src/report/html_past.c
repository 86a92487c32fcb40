/* Sections of a page that tell of the past: charts and records. */
#include <math.h>
#include <string.h>

#include "internal.h"

#define CHARTS 24 /* tracked questions that have a chart */
#define COLUMNS 8 /* tracked questions that the records list */

static bool
is_tracked(const struct history_report *history, size_t column)
{
	return !history->about_questions ||
	    history->about_questions[column].tracked;
}

/* Worse than it was: to the gate, where the page tells of its verdict. */
static bool
fell(const struct html *html, const struct history_report *history,
    size_t column)
{
	const struct sheet_question *question;

	if (!history->about_questions)
		return false;
	if (!html->sheet)
		return history->about_questions[column].fell != 0;
	question = sheet_question_of(html->sheet, history->questions[column]);
	return question && question->class < CLASS_WORSE_ALLOWED;
}

static void
put_rank_chart(const struct html *html, const struct history_report *history,
    size_t column)
{
	const struct history_question *about =
	    history->about_questions ? &history->about_questions[column] : NULL;
	const struct history_row *last = &history->rows[history->nrows - 1];
	struct buf *out = html->out;
	bool bad = fell(html, history, column);

	buf_printf(out, "<figure class=\"chart%s\"><figcaption><h3>",
	    bad ? " bad" : "");
	html_user(out, history->questions[column]);
	buf_printf(out, "</h3><p class=\"now\">%s",
	    html_rank(html->arena, &last->ranks[column]));
	if (bad && about->fell)
		buf_printf(out, " <small>\342\226\274 was %s</small>",
		    html_rank(html->arena,
			&history->rows[about->from].ranks[column]));
	buf_puts(out, "</p>");
	if (about && about->text) {
		buf_puts(out, "<p class=\"about\">");
		html_user(out, about->text);
		buf_puts(out, "</p>");
	}
	buf_puts(out, "</figcaption>");
	html_rank_chart(html, history, column, about ? about->max_rank : 0);
	buf_puts(out, "</figure>\n");
}

/* How the marks are to be read. */
static void
put_key(struct buf *out)
{
	static const char *const marks[][2] = {
	    {"<path class=\"misses\" d=\"M11 6h0\"/>", "not found"},
	    {"<path class=\"errors\" d=\"M11 6h0\"/>", "retrieval failed"},
	    {"<path class=\"leap\" d=\"M0 6h22\"/>",
		"commits without a record in between"},
	    {"<path class=\"axis\" d=\"M0 4h22\"/>"
	     "<path class=\"failed\" d=\"M11 4v5\"/>",
		"a record that failed"},
	};
	size_t i;

	buf_puts(out, "<ul class=\"key\" aria-label=\"Key\">");
	for (i = 0; i < COUNT(marks); i++)
		buf_printf(out,
		    "<li><span class=\"plot\"><svg viewBox=\"0 0 22 12\" "
		    "aria-hidden=\"true\">%s</svg></span>%s</li>",
		    marks[i][0], marks[i][1]);
	buf_puts(out, "<li>a gap: not asked then</li></ul>\n");
}

void
html_rank_charts(const struct html *html, const struct history_report *history)
{
	size_t pass, k, n = 0, all = 0;
	struct buf *out = html->out;

	for (k = 0; k < history->nquestions; k++)
		all += is_tracked(history, k);
	if (!all || !history->nrows)
		return;
	buf_printf(out,
	    "<section aria-labelledby=\"ranks%zu\"><h2 id=\"ranks%zu\">"
	    "Tracked questions</h2>\n<p class=\"hint\">The rank of the "
	    "expected document at each record, best at the top; "
	    "logarithmic.",
	    html->number, html->number);
	if (all > CHARTS)
		buf_printf(out,
		    " %d of %zu are drawn, those that fell first; the table "
		    "below has all.",
		    CHARTS, all);
	buf_puts(out, "</p>\n<div class=\"charts\">\n");
	for (pass = 0; pass < 2; pass++)
		for (k = 0; k < history->nquestions && n < CHARTS; k++)
			if (is_tracked(history, k) &&
			    fell(html, history, k) == (pass == 0)) {
				put_rank_chart(html, history, k);
				n++;
			}
	buf_puts(out, "</div>\n");
	put_key(out);
	buf_puts(out, "</section>\n");
}

void
html_metric_charts(
    const struct html *html, const struct history_report *history)
{
	const struct history_row *last;
	struct buf *out = html->out;
	size_t k;

	if (!history->nmetrics || !history->nrows)
		return;
	last = &history->rows[history->nrows - 1];
	buf_printf(out,
	    "<section aria-labelledby=\"trends%zu\"><h2 id=\"trends%zu\">"
	    "Metrics over commits</h2>\n",
	    html->number, html->number);
	buf_puts(out, "<p class=\"hint\">Solid: the averages of the day.");
	if (history->ncommon)
		buf_printf(out,
		    " Dotted, where it differs: the %zu question%s that all "
		    "these records have in common.",
		    history->ncommon, plural(history->ncommon));
	buf_puts(out, " Dashed: thresholds.</p>\n<div class=\"charts\">\n");
	for (k = 0; k < history->nmetrics; k++) {
		buf_puts(out, "<figure class=\"chart\"><figcaption><h3>");
		html_user(out, history->metrics[k]);
		buf_puts(out, "</h3><p class=\"now\">");
		if (isnan(last->metrics[k]))
			buf_puts(out, "not recorded");
		else
			buf_printf(out, "%.4f", last->metrics[k]);
		buf_puts(out, "</p></figcaption>");
		html_metric_chart(html, history, k);
		buf_puts(out, "</figure>\n");
	}
	buf_puts(out, "</div></section>\n");
}

/* ---------------------------------------------------------------- records */

static void
put_rank_cell(struct buf *out, const struct history_rank *rank)
{
	if (rank->state == RANK_ABSENT)
		buf_puts(out, "<td>");
	else if (rank->state == RANK_ERRORED)
		buf_puts(out, "<td class=\"down\">error");
	else if (rank->rank)
		buf_printf(out, "<td>%u", rank->rank);
	else
		buf_puts(out, "<td class=\"miss\">miss");
}

static void
put_record(const struct html *html, const struct history_report *history,
    const struct history_row *row)
{
	struct buf *out = html->out;
	size_t k, n = 0;

	buf_puts(out, "<tr");
	if (row->nskipped)
		buf_printf(out, " data-skipped=\"%zu\"", row->nskipped);
	if (row->current)
		buf_puts(out, " data-name=\"this run\"");
	buf_puts(out, "><th scope=\"row\">");
	html_commit(html, row->commit);
	if (row->current)
		buf_puts(out, " <span class=\"tag\">this run</span>");
	buf_puts(out, "<td class=\"l\">");
	html_day(out, row->at);
	buf_printf(out, "<td class=\"l\"><span class=\"word %s\">%s</span>",
	    row->verdict, row->verdict);
	for (k = 0; k < history->nmetrics; k++) {
		buf_puts(out, "<td>");
		if (!isnan(row->metrics[k]))
			buf_printf(out, "%.4f", row->metrics[k]);
	}
	for (k = 0; k < history->nquestions && n < COLUMNS; k++)
		if (is_tracked(history, k)) {
			put_rank_cell(out, &row->ranks[k]);
			n++;
		}
	buf_puts(out, "<td class=\"l text\">");
	if (row->start) {
		buf_puts(out, "<span class=\"tag\">new start: ");
		html_user(out, row->start);
		buf_puts(out, "</span> ");
	}
	if (row->subject)
		html_user(out, row->subject);
	buf_puts(out, "</tr>\n");
}

void
html_records(const struct html *html, const struct history_report *history)
{
	struct buf *out = html->out;
	size_t k, n = 0, i;

	if (!history->nrows)
		return;
	buf_printf(out,
	    "<section aria-labelledby=\"commits%zu\"><h2 id=\"commits%zu\">"
	    "Records</h2>\n<p class=\"hint\">Newest first",
	    html->number, html->number);
	if (history->nolder)
		buf_printf(out, "; %zu older one%s not shown", history->nolder,
		    history->nolder == 1 ? " is" : "s are");
	buf_printf(out,
	    ".</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
	    "aria-labelledby=\"commits%zu\"><table id=\"records%zu\">\n"
	    "<thead><tr><th scope=\"col\">Commit<th scope=\"col\" "
	    "class=\"l\">Recorded<th scope=\"col\" class=\"l\">Verdict",
	    html->number, html->number);
	for (k = 0; k < history->nmetrics; k++) {
		buf_puts(out, "<th scope=\"col\">");
		html_user(out, history->metrics[k]);
	}
	for (k = 0; k < history->nquestions && n < COLUMNS; k++)
		if (is_tracked(history, k)) {
			buf_puts(out, "<th scope=\"col\">");
			html_user(out, history->questions[k]);
			n++;
		}
	buf_puts(out,
	    "<th scope=\"col\" class=\"l\">Subject</tr></thead>\n<tbody>\n");
	for (i = history->nrows; i-- > 0;)
		put_record(html, history, &history->rows[i]);
	buf_puts(out, "</tbody></table></div></section>\n");
}
