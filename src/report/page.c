/* What a terminal page is made of: colours, columns, sparklines, ages. */
#include <string.h>

#include "internal.h"

void
page_color(const struct page *page, enum color color, const char *text)
{
	static const char *const codes[] = {
	    [COLOR_BOLD] = "1",
	    [COLOR_DIM] = "2",
	    [COLOR_RED] = "1;31",
	    [COLOR_GREEN] = "32",
	    [COLOR_YELLOW] = "33",
	};

	if (!page->style->color || color == COLOR_NONE) {
		buf_puts(page->out, text);
		return;
	}
	buf_printf(page->out, "\033[%sm%s\033[0m", codes[color], text);
}

void
page_user(const struct page *page, const char *text)
{
	buf_put_visible(page->out, text);
}

const char *
page_visible(const struct page *page, const char *text)
{
	const char *visible;
	struct buf buf;

	buf_init(&buf);
	buf_put_visible(&buf, text);
	visible = arena_strndup(page->arena, buf.data, buf.len);
	buf_free(&buf);
	return visible;
}

const char *
visible_start(struct arena *arena, const char *text, size_t max)
{
	const char *p, *whole;
	struct buf buf;
	size_t n = 0;

	buf_init(&buf);
	/* It will not be the first of its line. */
	buf_putc(&buf, '.');
	/* Bytes for so many characters; not all of a novel is made visible. */
	buf_put_visible(
	    &buf, arena_strndup(arena, text, strnlen(text, max * 4 + 4)));
	for (p = buf.data + 1; *p && n <= max; p++)
		n += ((unsigned char)*p & 0xc0) != 0x80;
	if (n <= max) {
		whole = arena_strdup(arena, buf.data + 1);
	} else {
		while (((unsigned char)*--p & 0xc0) == 0x80)
			continue;
		whole = arena_printf(
		    arena, "%.*s…", (int)(p - buf.data) - 1, buf.data + 1);
	}
	buf_free(&buf);
	return whole;
}

void
page_pad(const struct page *page, size_t used, size_t width)
{
	do
		buf_putc(page->out, ' ');
	while (++used < width);
}

void
sparkline(struct buf *out, const struct history_rank *ranks, size_t n)
{
	static const char *const bars[] = {
	    "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	unsigned best = 0, worst = 0, r;
	size_t i;

	for (i = 0; i < n; i++) {
		r = ranks[i].state == RANK_GIVEN ? ranks[i].rank : 0;
		if (r && (!best || r < best))
			best = r;
		if (r > worst)
			worst = r;
	}
	for (i = 0; i < n; i++) {
		r = ranks[i].rank;
		if (ranks[i].state != RANK_GIVEN)
			buf_putc(out, ' ');
		else if (!r)
			buf_puts(out, bars[0]);
		else if (best == worst)
			buf_puts(out, bars[7]);
		else
			/* Never the bar of a miss. */
			buf_puts(out,
			    bars[7 -
				(size_t)(6.0 * (r - best) / (worst - best) +
				    0.5)]);
	}
}

const char *
plural(size_t n)
{
	return n == 1 ? "" : "s";
}

const char *
age_text(struct arena *arena, int64_t seconds)
{
	static const struct {
		int64_t seconds;
		const char *name;
	} units[] = {
	    {86400, "day"}, {3600, "hour"}, {60, "minute"}, {1, "second"}};
	size_t i;

	for (i = 0; i < COUNT(units) - 1; i++)
		if (seconds >= units[i].seconds)
			break;
	seconds /= units[i].seconds;
	return arena_printf(arena, "%lld %s%s", (long long)seconds,
	    units[i].name, plural((size_t)seconds));
}

const char *
short_commit(struct arena *arena, const char *id)
{
	/* What is no id is the name of a file. */
	return strlen(id) == 40 ? arena_strndup(arena, id, 7) : id;
}
