/* What the formats share. */
#ifndef REPORT_INTERNAL_H
#define REPORT_INTERNAL_H

#include "evalgate/report.h"

extern const struct format format_text, format_json, format_csv,
    format_markdown, format_comment, format_github, format_junit, format_gitlab,
    format_html;

/* text.c's pieces, one file a part of the page. */
struct page {
	struct arena *arena;
	struct buf *out;
	const struct style *style;
};

enum color {
	COLOR_NONE,
	COLOR_BOLD,
	COLOR_DIM,
	COLOR_RED,
	COLOR_GREEN,
	COLOR_YELLOW
};

/* Appends text of ours in a colour, where colours are wanted. */
void page_color(const struct page *page, enum color color, const char *text);
/* Appends text of users, made visible and harmless. */
void page_user(const struct page *page, const char *text);
/* The same as finished text. */
const char *page_visible(const struct page *page, const char *text);
/* Blanks until the column that begins width after `from` columns. */
void page_pad(const struct page *page, size_t used, size_t width);

/* "▁▃█", lower ranks higher; a miss is the lowest, a gap a blank. */
void sparkline(struct buf *out, const struct history_rank *ranks, size_t n);

const char *age_text(struct arena *arena, int64_t seconds);
const char *short_commit(struct arena *arena, const char *id);
const char *plural(size_t n);

/* A sheet that is made from a report. */
struct making {
	struct arena *arena;
	const struct report *report;
	struct sheet *sheet;
	struct ranking_scratch *scratch;
};

/* Parts of it. */
void sheet_findings(const struct making *m);
void sheet_waivers(const struct making *m);

/* "PASS", "FAIL", "NO VERDICT" */
extern const char *const verdict_words[];
/* "0.4065"; "–" where there is none. */
struct mean_text {
	char text[32];
};
struct mean_text mean_text(double mean);
/*
 * What a table shows beside a change: the mean over what both sides have,
 * where they are compared.
 */
double metric_now(const struct sheet_metric *m);
/* Whether that is another value than the mean over all. */
bool metric_is_of_part(const struct sheet_metric *m);
/* The questions of a slice's row, of which one metric at least is compared. */
size_t slice_n(const struct sheet_metric *row, size_t nmeasures);
/* "mrr 0.5000, map 0.3000" of those over all questions; "": none differs. */
const char *metrics_over_all(struct arena *arena, const struct sheet *sheet);
/* What a question is against the baseline: "same", "added", ... */
extern const char *const change_names[];
/* The row of a question, NULL: none has this id. */
const struct sheet_question *sheet_question_of(
    const struct sheet *sheet, const char *id);
/* Not in the run, and counted 0 for it. */
bool question_is_missing(const struct sheet_question *question);
bool question_is_unanswerable(const struct sheet_question *question);
/*
 * What a run that nothing came before is told to do next; NULL where it was
 * compared, or has more to mend first.
 */
const char *sheet_next(const struct sheet *sheet);
/* The same whatever else there is to mend. */
const char *sheet_uncompared(const struct sheet *sheet);
/* Whether good is another record than before. */
bool sheet_two_references(const struct sheet *sheet);
/* Questions whose rank is another now, losses first, the largest first. */
const struct sheet_question **sheet_moved(
    struct arena *arena, const struct sheet *sheet, size_t *n);
/*
 * The order of findings, the worst first: by level, by class, then questions
 * by the ranks they lost, then the rest.  0: of equal ones the first stays so.
 */
int finding_compare(
    const struct sheet_finding *one, const struct sheet_finding *two);
/* Puts them in this order. */
void findings_sort(
    struct arena *arena, struct sheet_finding *findings, size_t n);
/* Sets how many errors and warnings there are. */
void sheet_count_levels(struct sheet *sheet);
/* Errors and warnings, which are the first. */
size_t sheet_nwrong(const struct sheet *sheet);
/* Of one that moved: for the worse. */
bool sheet_fell(const struct sheet_question *question);
/* "5 → not found in 10" */
const char *sheet_ranks(struct arena *arena, const struct sheet *sheet,
    const struct sheet_question *question);

/* As page_visible, cut after so many characters, with "…". */
const char *visible_start(struct arena *arena, const char *text, size_t max);
/* Whether a finding is why there is no verdict. */
bool finding_is_doubt(const struct sheet_finding *f);

/*
 * Markdown in pieces: each is made in `item`, then goes into the document
 * where it fits.
 */
struct markdown {
	struct arena *arena;
	struct buf *out;
	struct buf item;
	size_t end; /* how long the document may become */
};

/* Text of users, at most so many characters of it: no markup, one line. */
void markdown_text(struct buf *out, const char *text, size_t max);
/* The same set as code, as ids and documents are. */
void markdown_code(struct buf *out, const char *text);
/* The item into the document; false where it doesn't fit.  Empties it. */
bool markdown_put(struct markdown *md);
void markdown_history(struct arena *arena, struct buf *out,
    const struct history_report *history, const struct style *style);
/* What is folded: the tables of everything. */
void markdown_details(struct markdown *md, const struct sheet *sheet);

void text_measures(const struct page *page, const struct sheet *sheet);
void text_slices(const struct page *page, const struct sheet *sheet);
void text_moves(const struct page *page, const struct sheet *sheet);
void text_per_question(const struct page *page, const struct sheet *sheet);
/* Why a finding's question fell, as far as the records tell. */
void text_fall(const struct page *page, const struct sheet_finding *f);
void text_history(struct arena *arena, struct buf *out,
    const struct history_report *history, const struct style *style);
void text_report(struct arena *arena, struct buf *out,
    const struct sheet *sheets, size_t nsheets, const struct style *style);
void text_blame(struct arena *arena, struct buf *out,
    const struct blame_report *blame, const struct style *style);
void json_blame(struct arena *arena, struct buf *out,
    const struct blame_report *blame, const struct style *style);
void json_history(struct arena *arena, struct buf *out,
    const struct history_report *history, const struct style *style);

/* Reading stored reports. */
struct reading {
	struct arena *arena;
	const char *file;
	struct error *e;
	size_t nbefore; /* errors that were there */
	const struct sheet
	    *sheet; /* what rows refer to, as far as it is read */
};

/* Whether enough was told of one report. */
bool reading_enough(const struct reading *r);

/*
 * The value of a key.  One that lacks, or is of another type, is an error at
 * its line; what is returned then is of no meaning, but can be looked at.
 */
const struct value *reading_key(
    const struct reading *r, const struct value *map, const char *key);
const char *reading_text(
    const struct reading *r, const struct value *map, const char *key);
/* A name of letters, digits and "._@+-", which no format has to escape. */
const char *reading_name(
    const struct reading *r, const struct value *map, const char *key);
/* Text, or null: NULL. */
const char *reading_nullable(
    const struct reading *r, const struct value *map, const char *key);
/* The index of a word in a list. */
int reading_word(const struct reading *r, const struct value *map,
    const char *key, const char *const *words, size_t nwords);
/* A number, or null: NAN. */
double reading_number(
    const struct reading *r, const struct value *map, const char *key);
size_t reading_count(
    const struct reading *r, const struct value *map, const char *key);
/* From 1 on, or null: 0. */
unsigned reading_rank(
    const struct reading *r, const struct value *map, const char *key);
size_t reading_line(const struct reading *r, const struct value *map);
/* The key "depth"; null: DEPTH_UNBOUNDED. */
unsigned reading_depth(const struct reading *r, const struct value *map);
bool reading_flag(
    const struct reading *r, const struct value *map, const char *key);
/* One that is written only where it is true. */
bool reading_mark(
    const struct reading *r, const struct value *map, const char *key);
/* A list; NULL after an error. */
const struct value *reading_list(
    const struct reading *r, const struct value *map, const char *key);
/* A list of maps, each read into an item of its own; NULL after an error. */
void *reading_items(const struct reading *r, const struct value *map,
    const char *key, size_t size,
    void (*read)(const struct reading *r, const struct value *v, void *item),
    size_t *n);
const char *const *reading_texts(const struct reading *r,
    const struct value *map, const char *key, size_t *n);

/* Parts of a sheet. */
void reading_judged(
    const struct reading *r, const struct value *map, struct sheet *sheet);
void reading_findings(
    const struct reading *r, const struct value *map, struct sheet *sheet);
void reading_waivers(
    const struct reading *r, const struct value *map, struct sheet *sheet);

/* A page of its own, in pieces: html_*.c. */
struct html {
	struct arena *arena;
	struct buf *out;
	const char *web; /* a commit's id after it is a link; NULL */
	size_t number; /* of the suite, in ids that must not meet */
	const struct sheet *sheet; /* NULL: no verdict is told */
	bool pastless; /* judged, and the records were not at hand */
};

/* Made by make from the files of these names; ASCII. */
extern const char html_css[], html_js[];

/* SHA-256 in base64. */
void html_hash(struct buf *out, const char *text);
/* Text of users, as text: in an element or within quotes. */
void html_text(struct buf *out, const char *text);
/* The same inside a sentence, whose order it leaves alone. */
void html_user(struct buf *out, const char *text);
void html_commit(const struct html *html, const char *id);
/* "2026-03-02 09:00", of a time as records have it. */
void html_day(struct buf *out, const char *at);
/* Everything before the page's content, and after it. */
void html_open(const struct html *html, const char *title);
void html_close(const struct html *html, const char *tool);
void html_stamp(struct buf *out, const char *verdict);
/* "5", "not found", "error", "not asked" */
const char *html_rank(struct arena *arena, const struct history_rank *rank);
void html_rank_chart(const struct html *html,
    const struct history_report *history, size_t column, int64_t limit);
void html_metric_chart(const struct html *html,
    const struct history_report *history, size_t column);
void html_spark(const struct html *html, const struct history_report *history,
    size_t column);
/* A chart on its way: html_chart.c. */
enum mark { MARK_NONE, MARK_DOT, MARK_MISS, MARK_ERROR };

struct plot {
	const struct html *html;
	const struct history_report *history;
	double *y; /* by row; NAN: nothing there */
	enum mark *marks;
	size_t n;
};

/* Edges, in the picture's own units. */
#define PLOT_LEFT 30
#define PLOT_RIGHT 318
#define PLOT_TOP 10
#define PLOT_BOTTOM 124 /* of ranks */
#define PLOT_LANE 140 /* where what was not found stands */
#define PLOT_AXIS 153

/* A plot without points, one row a record. */
struct plot plot_make(
    const struct html *html, const struct history_report *history);
/* Up to the svg tag, which is left open for data-v. */
void plot_open(const struct plot *plot, const char *kind, const char *label);
void plot_across(const struct plot *plot, const char *class, double y);
void plot_label(const struct plot *plot, const char *class, double x, double y,
    const char *text);
void plot_line(const struct plot *plot, const char *class, const double *y);
void plot_leaps(const struct plot *plot);
/* Marks, axis, the end with its label, and all tags closed. */
void plot_close(const struct plot *plot, const char *last);
/* Sections that both kinds of page have. */
void html_rank_charts(
    const struct html *html, const struct history_report *history);
void html_metric_charts(
    const struct html *html, const struct history_report *history);
void html_records(
    const struct html *html, const struct history_report *history);
/* Search and filters of the questions' table; chips: kind, name, ..., NULL. */
void html_tools(const struct html *html, const char *const *chips);
void html_notices(
    const struct html *html, const char *const *notices, size_t nnotices);
void html_history(struct arena *arena, struct buf *out,
    const struct history_report *history, const struct style *style);
/* "FAIL · suite" */
const char *html_check_title(struct arena *arena, const struct sheet *sheet);
/* The verdict, what was compared, what fell and why; then all the rest. */
void html_check_first(const struct html *html, const struct sheet *sheet);
void html_check_tables(const struct html *html, const struct sheet *sheet);

#endif
