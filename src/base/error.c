/* Errors add up; only cli prints them. */
#include <string.h>

#include "internal.h"

#define LONGEST 2000 /* bytes of a message, whatever text it quotes */

/* Cut between two characters. */
static const char *
bounded(struct arena *arena, char *text)
{
	size_t len = strlen(text), end = LONGEST;

	if (len <= LONGEST)
		return text;
	while (end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80)
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
