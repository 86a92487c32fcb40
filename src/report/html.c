/* The format of pages: one file that needs nothing else, to be looked at. */
#include <math.h>
#include <string.h>

#include "internal.h"

/*
 * A stored report knows of the past only how its tracked questions stood:
 * that is shown.  All of them have been through the same commits.
 */
static void
fill_row(const struct sheet *sheet, const size_t *shown, size_t nshown,
    size_t i, struct history_row *row, struct history_rank *ranks)
{
	size_t k;

	for (k = 0; k < nshown; k++) {
		const struct sheet_question *q = &sheet->questions[shown[k]];
		const struct past_rank *past = &q->more->history[i];

		if (i == q->more->nhistory) {
			ranks[k].state = q->known ? RANK_GIVEN : RANK_ABSENT;
			ranks[k].rank = q->known ? q->rank : 0;
			continue;
		}
		ranks[k].state = past->known ? RANK_GIVEN : RANK_ABSENT;
		ranks[k].rank = past->place.rank;
		row->commit = past->commit;
		row->subject = past->subject;
	}
	row->at = row->verdict = "";
	row->ranks = ranks;
}

static size_t
history_length(const struct sheet_question *q)
{
	return q->more ? q->more->nhistory : 0;
}

static const struct history_report *
walk_of(struct arena *arena, const struct sheet *sheet)
{
	struct history_report *walk = arena_alloc(arena, sizeof(*walk));
	struct history_question *about =
	    arena_array(arena, sheet->nquestions + 1, sizeof(*about));
	const char **ids =
	    arena_array(arena, sheet->nquestions + 1, sizeof(*ids));
	size_t *shown =
	    arena_array(arena, sheet->nquestions + 1, sizeof(*shown));
	struct history_row *rows;
	size_t i, n = 0;

	for (i = 0; i < sheet->nquestions; i++) {
		const struct sheet_question *q = &sheet->questions[i];

		if (!history_length(q) || q->holdout ||
		    (n &&
			history_length(q) !=
			    history_length(&sheet->questions[shown[0]])))
			continue;
		ids[n] = q->id;
		about[n].text = q->text;
		about[n].tracked = true;
		shown[n++] = i;
	}
	if (!n)
		return NULL;
	walk->nrows = history_length(&sheet->questions[shown[0]]) + 1;
	rows = arena_array(arena, walk->nrows, sizeof(*rows));
	for (i = 0; i < walk->nrows; i++)
		fill_row(sheet, shown, n, i, &rows[i],
		    arena_array(arena, n, sizeof(struct history_rank)));
	rows[walk->nrows - 1].current = true;
	rows[walk->nrows - 1].commit = sheet->commit ? sheet->commit : "";
	rows[walk->nrows - 1].subject = sheet->subject;
	rows[walk->nrows - 1].verdict = verdict_names[sheet->verdict];
	walk->rows = rows;
	walk->questions = ids;
	walk->nquestions = n;
	walk->about_questions = about;
	return walk;
}

static void
put_top(const struct html *html, const struct sheet *sheets, size_t nsheets)
{
	struct buf *out = html->out;

	buf_puts(out, "<header class=\"top wrap\"><p><b>evalgate</b>");
	if (nsheets == 1) {
		buf_puts(out, " suite <b>");
		html_user(out, sheets->suite);
		buf_puts(out, "</b>");
	} else {
		buf_printf(out, " %zu suites", nsheets);
	}
	buf_puts(out, "</p></header>\n<main class=\"wrap\" id=\"main\">\n");
}

/* Several suites: which, how each stands, and the way to it. */
static void
put_suites(const struct html *html, const struct sheet *sheets, size_t nsheets)
{
	struct buf *out = html->out;
	size_t i;

	buf_puts(out,
	    "<nav class=\"suites scroll\" aria-label=\"Suites\"><table>"
	    "<thead><tr><th scope=\"col\">Suite<th scope=\"col\" "
	    "class=\"l\">Verdict<th scope=\"col\">Errors<th scope=\"col\">"
	    "Warnings</tr></thead><tbody>\n");
	for (i = 0; i < nsheets; i++) {
		const char *verdict =
		    sheets[i].judged && !sheets[i].compared_only
		    ? verdict_names[sheets[i].verdict]
		    : "";

		buf_printf(
		    out, "<tr><th scope=\"row\"><a href=\"#suite%zu\">", i + 1);
		html_user(out, sheets[i].suite);
		buf_printf(out,
		    "</a><td class=\"l\"><span class=\"word %s\">%s</span>"
		    "<td>%zu<td>%zu</tr>\n",
		    verdict, verdict, sheets[i].nerrors, sheets[i].nwarnings);
	}
	buf_puts(out, "</tbody></table></nav>\n");
}

static void
html_report(struct arena *arena, struct buf *out, const struct sheet *sheets,
    size_t nsheets, const struct style *style)
{
	struct html html = {.arena = arena, .out = out};
	struct sheet sheet;
	size_t i;

	(void)style;
	html_open(&html,
	    arena_printf(arena, "%s \302\267 evalgate",
		html_check_title(arena, &sheets[0])));
	put_top(&html, sheets, nsheets);
	if (nsheets > 1)
		put_suites(&html, sheets, nsheets);
	for (i = 0; i < nsheets; i++) {
		sheet = sheets[i];
		html.pastless =
		    sheet.judged && !sheet.compared_only && !sheet.walk;
		if (!sheet.walk)
			sheet.walk = walk_of(arena, &sheet);
		html.number = i + 1;
		html.sheet = sheet.judged ? &sheet : NULL;
		html.web = sheet.walk ? sheet.walk->web : NULL;
		if (nsheets > 1) {
			buf_puts(out, "<article class=\"suite\" aria-label=\"");
			html_text(out, sheet.suite);
			buf_puts(out, "\">\n");
		}
		html_check_first(&html, &sheet);
		html_check_tables(&html, &sheet);
		html_notices(&html, sheet.notices, sheet.nnotices);
		if (nsheets > 1)
			buf_puts(out, "</article>\n");
	}
	buf_puts(out, "</main>\n");
	html_close(&html, sheets[0].tool);
}

const struct format format_html = {
    .name = "html",
    .report = html_report,
    .history = html_history,
    .each_question = true,
    .page = true,
    .summary = "a page with charts, one file",
};
