/* What the formats share. */
#ifndef REPORT_INTERNAL_H
#define REPORT_INTERNAL_H

#include "evalgate/report.h"

extern const struct format format_text, format_json, format_csv,
    format_markdown;

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

#endif
