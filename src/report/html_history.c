/* The page of `history`: ranks and metrics across commits. */
#include <string.h>

#include "internal.h"

static const char *const newest_words[][2] = {
    {"pass", "The newest record passed"},
    {"fail", "The newest record failed"},
    {"none", "The newest record has no verdict"},
};

/* Since when the verdict is what it is, as far as the records go. */
static void
put_since(const struct html *html, const struct history_report *history)
{
	const struct history_row *rows = history->rows;
	size_t n = history->nrows, i = n - 1;

	while (i && strcmp(rows[i - 1].verdict, rows[n - 1].verdict) == 0)
		i--;
	if (i + 1 == n)
		return;
	buf_printf(html->out, ", as did the %zu before it", n - 1 - i);
}

static void
put_summary(const struct html *html, const struct history_report *history)
{
	const struct history_row *rows = history->rows;
	const struct history_row *last = &rows[history->nrows - 1];
	struct buf *out = html->out;
	size_t i;

	buf_printf(out, "<section class=\"verdict %s\"><div class=\"stamp\">",
	    last->verdict);
	html_stamp(out, last->verdict);
	buf_printf(out, "<h1>%zu record%s</h1><p>", history->nrows,
	    plural(history->nrows));
	for (i = 0; i < COUNT(newest_words); i++)
		if (strcmp(newest_words[i][0], last->verdict) == 0)
			buf_puts(out, newest_words[i][1]);
	put_since(html, history);
	buf_printf(out,
	    "<span>%zu question%s, %zu metric%s</span></p></div>"
	    "<dl class=\"compared\"><div><dt>Newest</dt><dd>",
	    history->nquestions, plural(history->nquestions), history->nmetrics,
	    plural(history->nmetrics));
	html_commit(html, last->commit);
	buf_puts(out, " ");
	html_user(out, last->subject ? last->subject : "");
	buf_puts(out, "</dd><dd>");
	html_day(out, last->at);
	buf_puts(out, "</dd></div><div><dt>Oldest shown</dt><dd>");
	html_commit(html, rows[0].commit);
	buf_puts(out, " ");
	html_user(out, rows[0].subject ? rows[0].subject : "");
	buf_puts(out, "</dd><dd>");
	html_day(out, rows[0].at);
	buf_puts(out, "</dd></div>");
	if (history->nunrecorded)
		buf_printf(out,
		    "<div><dt>Without a record</dt><dd>%zu commit%s</dd>"
		    "</div>",
		    history->nunrecorded, plural(history->nunrecorded));
	buf_puts(out, "</dl></section>\n");
}

/* Tracked questions that have been better, and the commit of the fall. */
static void
put_falls(const struct html *html, const struct history_report *history)
{
	const struct history_question *about = history->about_questions;
	const struct history_row *rows = history->rows;
	struct buf *out = html->out;
	bool any = false;
	size_t k;

	for (k = 0; about && k < history->nquestions; k++) {
		const struct history_rank *now =
		    &rows[history->nrows - 1].ranks[k];

		if (!about[k].tracked || !about[k].fell)
			continue;
		if (!any)
			buf_puts(out,
			    "<section aria-labelledby=\"falls\"><h2 "
			    "id=\"falls\">What fell, and has not come "
			    "back</h2>\n<ul class=\"findings\">\n");
		any = true;
		buf_puts(out, "<li class=\"error\"><p class=\"move\">");
		buf_printf(out, "%s \342\206\222 %s",
		    html_rank(html->arena, &rows[about[k].from].ranks[k]),
		    html_rank(html->arena, now));
		buf_puts(out, "</p><div><h3>");
		html_user(out, history->questions[k]);
		if (about[k].text) {
			buf_puts(out, "</h3><p class=\"say\">");
			html_user(out, about[k].text);
			buf_puts(out, "</p>");
		} else {
			buf_puts(out, "</h3>");
		}
		buf_puts(out, "<p>Fell at ");
		html_commit(html, rows[about[k].fell].commit);
		buf_puts(out, " ");
		if (rows[about[k].fell].subject)
			html_user(out, rows[about[k].fell].subject);
		if (rows[about[k].fell].nskipped)
			buf_printf(out,
			    ", or at one of %zu before it without a record",
			    rows[about[k].fell].nskipped);
		buf_puts(out, "</p></div></li>\n");
	}
	if (any)
		buf_puts(out, "</ul></section>\n");
}

static void
put_place(struct buf *out, const char *label, unsigned rank)
{
	if (rank)
		buf_printf(out, "<td data-l=\"%s\">%u", label, rank);
	else
		buf_printf(out,
		    "<td data-l=\"%s\" class=\"miss\" data-k=\"1e9\">miss",
		    label);
}

static void
put_question(const struct html *html, const struct history_report *history,
    size_t column)
{
	const struct history_question *about =
	    &history->about_questions[column];
	const struct history_rank *now =
	    &history->rows[history->nrows - 1].ranks[column];
	struct buf *out = html->out;

	buf_puts(out, "<tr class=\"");
	if (about->tracked)
		buf_puts(out, "tracked ");
	if (about->fell)
		buf_puts(out, "fell ");
	if (now->state == RANK_GIVEN && !now->rank)
		buf_puts(out, "missed");
	buf_puts(out, "\"><th scope=\"row\">");
	html_user(out, history->questions[column]);
	if (about->tracked)
		buf_puts(out, " <span class=\"tag\">tracked</span>");
	if (about->text) {
		buf_puts(out, "<p>");
		html_user(out, about->text);
		buf_puts(out, "</p>");
	}
	if (now->state == RANK_GIVEN)
		put_place(out, "now", now->rank);
	else
		buf_printf(
		    out, "<td data-l=\"now\">%s", html_rank(html->arena, now));
	put_place(out, "best", about->best);
	put_place(out, "worst", about->worst);
	buf_puts(out, "<td>");
	html_spark(html, history, column);
	buf_puts(out, "</tr>\n");
}

static void
put_questions(const struct html *html, const struct history_report *history)
{
	static const char *const chips[] = {"tracked", "Tracked", "fell",
	    "Has been better", "missed", "Not found", NULL};
	struct buf *out = html->out;
	size_t k;

	if (!history->about_questions || !history->nquestions)
		return;
	buf_puts(out,
	    "<section aria-labelledby=\"all\"><h2 id=\"all\">All "
	    "questions</h2>\n");
	html_tools(html, chips);
	buf_printf(out,
	    "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
	    "aria-labelledby=\"all\"><table class=\"questions sortable\" "
	    "id=\"questions%zu\">\n<thead><tr><th scope=\"col\">Question"
	    "<th scope=\"col\" data-sort=\"descending\">Now<th "
	    "scope=\"col\">Best<th scope=\"col\" data-sort=\"descending\">"
	    "Worst<th scope=\"col\" data-sort=\"no\" class=\"l\">Newest "
	    "records</tr></thead>\n<tbody>\n",
	    html->number);
	for (k = 0; k < history->nquestions; k++)
		put_question(html, history, k);
	buf_puts(out, "</tbody></table></div></section>\n");
}

void
html_tools(const struct html *html, const char *const *chips)
{
	struct buf *out = html->out;

	buf_printf(out,
	    "<div class=\"tools\" data-of=\"questions%zu\" hidden>"
	    "<input type=\"search\" placeholder=\"Search id or text  (/)\" "
	    "aria-label=\"Search questions\"><div class=\"chips\" "
	    "role=\"group\" aria-label=\"Which questions\"><button "
	    "type=\"button\" data-kind=\"\" aria-pressed=\"true\">All"
	    "</button>",
	    html->number);
	for (; chips[0]; chips += 2)
		buf_printf(out,
		    "<button type=\"button\" data-kind=\"%s\" "
		    "aria-pressed=\"false\">%s</button>",
		    chips[0], chips[1]);
	buf_puts(
	    out, "</div><span class=\"hint\" role=\"status\"></span></div>\n");
}

void
html_notices(
    const struct html *html, const char *const *notices, size_t nnotices)
{
	struct buf *out = html->out;
	size_t i;

	if (!nnotices)
		return;
	buf_printf(out,
	    "<section aria-labelledby=\"notes%zu\"><h2 id=\"notes%zu\">Notes"
	    "</h2>\n<ul class=\"notes\">\n",
	    html->number, html->number);
	for (i = 0; i < nnotices; i++) {
		buf_puts(out, "<li>");
		html_user(out, notices[i]);
		buf_puts(out, "</li>\n");
	}
	buf_puts(out, "</ul></section>\n");
}

static void
put_top(const struct html *html, const struct history_report *history)
{
	struct buf *out = html->out;

	buf_puts(out,
	    "<header class=\"top wrap\"><p><b>evalgate</b> history of <b>");
	html_user(out, history->suite);
	buf_puts(out, "</b></p>");
	if (history->nrows) {
		buf_puts(out, "<p>");
		buf_printf(out, "%.10s to %.10s", history->rows[0].at,
		    history->rows[history->nrows - 1].at);
		buf_puts(out, "</p>");
	}
	buf_puts(out, "</header>\n<main class=\"wrap\" id=\"main\">\n");
}

void
html_history(struct arena *arena, struct buf *out,
    const struct history_report *history, const struct style *style)
{
	struct html html = {.arena = arena, .out = out, .number = 1};

	(void)style;
	if (history->page)
		history = history->page;
	html.web = history->web;
	html_open(&html,
	    arena_printf(
		arena, "history of %s \302\267 evalgate", history->suite));
	put_top(&html, history);
	if (history->nrows)
		put_summary(&html, history);
	else
		buf_puts(out, "<h1>No records</h1>\n");
	if (history->nrows) {
		put_falls(&html, history);
		html_rank_charts(&html, history);
		html_metric_charts(&html, history);
		put_questions(&html, history);
		html_records(&html, history);
	}
	html_notices(&html, history->notices, history->nnotices);
	buf_puts(out, "</main>\n");
	html_close(&html, history->tool);
}
