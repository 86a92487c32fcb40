/*
 * A note's text as a set of lines: what makes merging a union, and a writer
 * one that never takes anything away.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* Bytewise, a prefix first. */
int
compare_lines(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	size_t len = x->len < y->len ? x->len : y->len;
	int order = memcmp(x->data, y->data, len);

	return order ? order : (x->len > y->len) - (x->len < y->len);
}

void
lines_add(struct lines *lines, const char *data, size_t len)
{
	const char *end = data + len, *eol;

	for (; data < end; data = eol + 1) {
		eol = memchr(data, '\n', (size_t)(end - data));
		if (!eol)
			eol = end;
		if (eol == data)
			continue;
		lines->items = arena_grow(lines->arena, lines->items,
		    lines->nitems, &lines->cap, sizeof(*lines->items));
		lines->items[lines->nitems++] =
		    (struct line){data, (size_t)(eol - data)};
	}
}

void
lines_sort(struct lines *lines)
{
	size_t i, n = 0;

	if (lines->nitems == 0)
		return;
	qsort(
	    lines->items, lines->nitems, sizeof(*lines->items), compare_lines);
	for (i = 1; i < lines->nitems; i++)
		if (compare_lines(&lines->items[n], &lines->items[i]) != 0)
			lines->items[++n] = lines->items[i];
	lines->nitems = n + 1;
}
