/* What the formats share. */
#ifndef REPORT_INTERNAL_H
#define REPORT_INTERNAL_H

#include "evalgate/report.h"

extern const struct format format_text, format_json, format_csv,
    format_markdown, format_html;

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
/* Blanks until the column that begins width after `from` columns. */
void page_pad(const struct page *page, size_t used, size_t width);

/* "▁▃█", lower ranks higher; a miss is the lowest, a gap a blank. */
void sparkline(struct buf *out, const struct history_rank *ranks, size_t n);

const char *age_text(struct arena *arena, int64_t seconds);
const char *short_commit(struct arena *arena, const char *id);
const char *plural(size_t n);

void text_measures(const struct page *page, const struct report *report);
void text_slices(const struct page *page, const struct report *report);
void text_moves(const struct page *page, const struct report *report);
void text_per_question(const struct page *page, const struct report *report);
void text_history(struct arena *arena, struct buf *out,
    const struct history_report *history, const struct style *style);
void text_report(struct arena *arena, struct buf *out,
    const struct report *report, const struct style *style);
void text_blame(struct arena *arena, struct buf *out,
    const struct blame_report *blame, const struct style *style);
void json_blame(struct arena *arena, struct buf *out,
    const struct blame_report *blame, const struct style *style);
void json_history(struct arena *arena, struct buf *out,
    const struct history_report *history, const struct style *style);

/* A page of its own, in pieces: html_*.c. */
struct html {
	struct arena *arena;
	struct buf *out;
	const char *web; /* a commit's id after it is a link; NULL */
	size_t number; /* of the suite, in ids that must not meet */
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
/* Sections that both kinds of page have. */
void html_rank_charts(
    const struct html *html, const struct history_report *history);
void html_metric_charts(
    const struct html *html, const struct history_report *history);
void html_records(
    const struct html *html, const struct history_report *history);
/* Search and filters of the questions' table; chips: kind, name, ..., NULL. */
void html_tools(const struct html *html, const char *const *chips);
void html_notices(const struct html *html, const char *const *notices,
    size_t nnotices);
void html_history(struct arena *arena, struct buf *out,
    const struct history_report *history, const struct style *style);

#endif
