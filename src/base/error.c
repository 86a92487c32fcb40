/* Errors add up; only cli prints them. */
#include <string.h>

#include "internal.h"

#define LONGEST 2000 /* bytes of a message, whatever text it quotes */
#define LONGEST_WORD 200 /* of one word: nobody reads an endless one */

static bool
inside_character(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

static bool
ends_word(char c)
{
	return c == '\0' || c == ' ' || c == '\t' || c == '\n';
}

/* Cuts each endless word between two of its characters, where it stands. */
static void
shorten_words(char *text)
{
	static const char dots[] = "…";
	char *to = text, *from = text, *end, *rest;
	size_t n;

	for (; *from; from = end) {
		for (end = from + 1; !ends_word(*end); end++)
			;
		rest = end;
		if (end - from > LONGEST_WORD + 16) {
			/* The quote around it stays closed. */
			while (end - rest < 3 && strchr("':;,)", rest[-1]))
				rest--;
			for (n = LONGEST_WORD; inside_character(from[n]);)
				n--;
			memmove(to, from, n);
			to = (char *)memcpy(to + n, dots, sizeof(dots) - 1) +
			    sizeof(dots) - 1;
			from = rest;
		}
		memmove(to, from, (size_t)(end - from));
		to += end - from;
	}
	*to = '\0';
}

/* Cut between two characters. */
static const char *
bounded(struct arena *arena, char *text)
{
	size_t len, end = LONGEST;

	shorten_words(text);
	len = strlen(text);
	if (len <= LONGEST)
		return text;
	while (end > 0 && inside_character(text[end]))
		end--;
	text[end] = '\0';
	return arena_printf(arena, "%s ... (%zu bytes more)", text, len - end);
}

static int add(struct error *e, enum error_kind kind, const char *file,
    size_t line, const char *fmt, va_list args) PRINTF_LIKE(5, 0);

static int
add(struct error *e, enum error_kind kind, const char *file, size_t line,
    const char *fmt, va_list args)
{
	e->items = arena_grow(
	    e->arena, e->items, e->nitems, &e->cap, sizeof(*e->items));
	e->items[e->nitems++] = (struct error_item){
	    .kind = kind,
	    .file = file,
	    .line = line,
	    .text = bounded(e->arena, arena_vprintf(e->arena, fmt, args)),
	};
	return -1;
}

int
fail(struct error *e, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add(e, ERROR_INPUT, NULL, 0, fmt, args);
	va_end(args);
	return -1;
}

int
fail_at(struct error *e, const char *file, size_t line, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add(e, ERROR_INPUT, file, line, fmt, args);
	va_end(args);
	return -1;
}

int
fail_unknown(struct error *e, const char *file, size_t line, const char *what,
    const char *word, const char *where, const char *const *known,
    size_t nknown)
{
	const char *near = suggest(word, known, nknown), *list = "";
	size_t i;

	for (i = 0; i < nknown; i++)
		list = arena_printf(
		    e->arena, "%s%s%s", list, i ? ", " : "", known[i]);
	return fail_at(e, file, line, "unknown %s '%s'%s; %s%s%sknown are %s",
	    what, word, where, near ? "did you mean '" : "", near ? near : "",
	    near ? "'? " : "", list);
}

int
fail_environment(struct error *e, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add(e, ERROR_ENVIRONMENT, NULL, 0, fmt, args);
	va_end(args);
	return -1;
}

int
fail_no_verdict(struct error *e, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add(e, ERROR_NO_VERDICT, NULL, 0, fmt, args);
	va_end(args);
	return -1;
}

static bool
same_place(const struct error_item *one, const struct error_item *two)
{
	return one->file && two->file && strcmp(one->file, two->file) == 0 &&
	    one->line == two->line;
}

static bool
told(
    const struct error *e, size_t from, size_t n, const struct error_item *item)
{
	size_t i;

	for (i = from; i < n; i++)
		if (same_place(&e->items[i], item) &&
		    strcmp(e->items[i].text, item->text) == 0)
			return true;
	return false;
}

void
errors_in_order(struct error *e, size_t from)
{
	struct error_item item;
	const struct error_item *other;
	size_t n = from, i, k;

	for (i = from; i < e->nitems; i++) {
		item = e->items[i];
		if (told(e, from, n, &item))
			continue;
		for (k = n++; k > from; k--) {
			other = &e->items[k - 1];
			if (!item.file || !other->file ||
			    strcmp(item.file, other->file) != 0 ||
			    other->line <= item.line)
				break;
			e->items[k] = *other;
		}
		e->items[k] = item;
	}
	e->nitems = n;
}
