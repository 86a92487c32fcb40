/* When a question fell: as text and as JSON. */
#include <string.h>

#include "internal.h"

static void
put_point(
    const struct page *page, const char *label, const struct blame_point *point)
{
	buf_printf(page->out, "  %-10s %s  rank %-12s %.10s  ", label,
	    short_commit(page->arena, point->commit),
	    place_text(page->arena, point->place), point->at);
	page_user(page, point->subject ? point->subject : "");
	buf_puts(page->out, "\n");
}

static void
put_above(const struct page *page, const struct blame_report *blame)
{
	size_t i;

	if (!blame->top_known) {
		buf_puts(page->out,
		    "\n  what stands above it is not recorded: only tracked "
		    "questions keep their first results\n");
		return;
	}
	buf_printf(page->out, "\n  above it since then%s\n",
	    blame->nabove ? "" : ": nothing new");
	for (i = 0; i < blame->nabove; i++) {
		buf_printf(page->out, "    %3u  ", blame->above[i].rank);
		page_user(page, blame->above[i].document);
		if (blame->above[i].old_rank)
			buf_printf(page->out, "  (was %u)\n",
			    blame->above[i].old_rank);
		else
			buf_puts(page->out, "  (was not among the first)\n");
	}
}

static void
put_start(const struct page *page, const struct blame_report *blame)
{
	if (blame->start)
		buf_printf(page->out,
		    "\n  look-back ended at the new start, %s\n",
		    short_commit(page->arena, blame->start));
}

void
text_blame(struct arena *arena, struct buf *out,
    const struct blame_report *blame, const struct style *style)
{
	struct page page = {arena, out, style};

	page_user(&page, blame->question);
	if (!blame->fell) {
		buf_printf(out,
		    "  has not fallen, or has come back: %zu record%s\n",
		    blame->nrecords, plural(blame->nrecords));
		if (blame->nrecords) {
			put_point(&page, "now", &blame->now);
			put_point(&page, "best ever", &blame->best);
		}
		put_start(&page, blame);
		return;
	}
	buf_puts(out, "  ");
	page_color(&page, COLOR_RED,
	    arena_printf(arena, "rank %s → %s",
		place_text(arena, blame->last_good.place),
		place_text(arena, blame->at.place)));
	buf_puts(out, ", and it never came back\n");
	put_point(&page, "fell at", &blame->at);
	put_point(&page, "last good", &blame->last_good);
	put_point(&page, "best ever", &blame->best);
	put_point(&page, "now", &blame->now);
	if (blame->nunrecorded)
		buf_printf(out,
		    "\n  %zu commit%s between without a record; to narrow it "
		    "down:\n    git bisect start %s %s\n",
		    blame->nunrecorded, plural(blame->nunrecorded),
		    short_commit(arena, blame->at.commit),
		    short_commit(arena, blame->last_good.commit));
	if (strcmp(blame->at.commit, blame->last_good.commit) == 0)
		buf_puts(out,
		    "\n  two runs of one commit: what changed is beside it, "
		    "such as an index or a model\n");
	put_above(&page, blame);
	put_start(&page, blame);
}

static void
json_point(struct json *json, const char *key, const struct blame_point *point)
{
	json_open(json, key, '{');
	json_text(json, "commit", point->commit);
	json_text(json, "subject", point->subject);
	json_text(json, "at", point->at);
	if (point->place.rank)
		json_integer(json, "rank", point->place.rank);
	else
		json_null(json, "rank");
	json_close(json, '}');
}

void
json_blame(struct arena *arena, struct buf *out,
    const struct blame_report *blame, const struct style *style)
{
	struct json json;
	size_t i;

	(void)arena;
	(void)style;
	json_init(&json, out, 1);
	json_open(&json, NULL, '{');
	json_integer(&json, "schema", 1);
	json_text(&json, "tool", blame->tool);
	json_text(&json, "suite", blame->suite);
	json_text(&json, "question", blame->question);
	json_bool(&json, "fell", blame->fell);
	json_integer(&json, "records", (int64_t)blame->nrecords);
	json_text(&json, "start", blame->start);
	if (blame->fell) {
		json_point(&json, "at", &blame->at);
		json_point(&json, "last_good", &blame->last_good);
	}
	if (blame->nrecords) {
		json_point(&json, "best", &blame->best);
		json_point(&json, "now", &blame->now);
	}
	json_open(&json, "unrecorded", '[');
	for (i = 0; i < blame->nunrecorded; i++)
		json_text(&json, NULL, blame->unrecorded[i]);
	json_close(&json, ']');
	json_open(&json, "above", '[');
	for (i = 0; i < blame->nabove; i++) {
		json_open(&json, NULL, '{');
		json_text(&json, "document", blame->above[i].document);
		json_integer(&json, "rank", blame->above[i].rank);
		if (blame->above[i].old_rank)
			json_integer(
			    &json, "old_rank", blame->above[i].old_rank);
		else
			json_null(&json, "old_rank");
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_close(&json, '}');
	buf_putc(out, '\n');
}
