/* What readers of values share: look-up, and messages that say the mend. */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "internal.h"

#define EXCERPT 60

const struct value *
value_get(const struct value *v, const char *key)
{
	size_t i;

	if (!v || v->type != VALUE_MAP)
		return NULL;
	for (i = 0; i < v->nitems; i++)
		if (strcmp(v->u.members[i].key, key) == 0)
			return v->u.members[i].value;
	return NULL;
}

const char *
value_type_name(const struct value *v)
{
	switch (v->type) {
	case VALUE_NULL:
		return "no value";
	case VALUE_BOOL:
		return strcmp(v->text, "true") == 0 ? "true" : "false";
	case VALUE_NUMBER:
		return "a number";
	case VALUE_STRING:
		return "text";
	case VALUE_LIST:
		return "a list";
	case VALUE_MAP:
		return "a map";
	}
	return "a value";
}

const char *
value_excerpt(struct arena *arena, const char *text)
{
	size_t n = EXCERPT;

	if (strnlen(text, EXCERPT + 4) <= EXCERPT + 3)
		return text;
	while (((unsigned char)text[n] & 0xc0) == 0x80)
		n--; /* no half characters */
	return arena_printf(arena, "%.*s...", (int)n, text);
}

/* The value as a message shows it. */
static const char *
shown(const struct value *v, struct error *e)
{
	if (v->type == VALUE_STRING || v->type == VALUE_NUMBER)
		return arena_printf(
		    e->arena, "'%s'", value_excerpt(e->arena, v->text));
	return value_type_name(v);
}

/* The message for a value that is not wanted at all. */
static int
fail_type(const struct value *v, const char *file, const char *what,
    const char *wanted, struct error *e)
{
	if (v->type == VALUE_NULL)
		return fail_at(e, file, v->line, "%s has no value", what);
	return fail_at(
	    e, file, v->line, "%s is %s, not %s", what, shown(v, e), wanted);
}

int
value_text(const struct value *v, const char *file, const char *what,
    const char **text, struct error *e)
{
	switch (v->type) {
	case VALUE_STRING:
		break;
	case VALUE_NUMBER:
		/* 1e3 and 1000 are one number but two ids. */
		if (!strpbrk(v->text, ".eE"))
			break;
		/* FALLTHROUGH */
	case VALUE_BOOL:
		return fail_at(e, file, v->line,
		    "%s is %s, not text: write it as a string, \"%s\"", what,
		    v->text, value_excerpt(e->arena, v->text));
	default:
		return fail_type(v, file, what, "text", e);
	}
	*text = v->text;
	return 0;
}

/* The same text with a point for its only comma, NULL when no number. */
static const char *
with_point(struct arena *arena, const char *text)
{
	const char *comma = strchr(text, ',');
	char *copy;
	double number;

	if (!comma || strchr(text, '.'))
		return NULL;
	copy = arena_strdup(arena, text);
	copy[comma - text] = '.';
	return number_parse(copy, strlen(copy), &number) == 0 ? copy : NULL;
}

/* "80%" as the share it means, NULL when it is no percentage. */
static const char *
as_share(struct arena *arena, const char *text)
{
	size_t len = strlen(text);
	const char *share;
	struct buf buf;
	double number;

	if (len < 2 || text[len - 1] != '%' ||
	    number_parse(text, len - 1, &number) < 0)
		return NULL;
	buf_init(&buf);
	number_print(&buf, number / 100);
	share = arena_strdup(arena, buf.data);
	buf_free(&buf);
	return share;
}

static bool
is_word(const char *text, const char *const *words, size_t nwords)
{
	size_t i;

	text += *text == '+' || *text == '-';
	text += *text == '.';
	for (i = 0; i < nwords; i++)
		if (strcasecmp(text, words[i]) == 0)
			return true;
	return false;
}

/* A text where a number should stand: says what was probably meant. */
static int
fail_number(
    const struct value *v, const char *file, const char *what, struct error *e)
{
	static const char *const infinite[] = {"inf", "infinity"};
	static const char *const nan[] = {"nan"};
	const char *seen = value_excerpt(e->arena, v->text), *meant;
	double number;

	if (v->type == VALUE_STRING && !v->plain &&
	    number_parse(v->text, strlen(v->text), &number) == 0)
		return fail_at(e, file, v->line,
		    "%s is text, not a number: remove the quotes around %s",
		    what, seen);
	if (is_word(v->text, infinite, COUNT(infinite)))
		return fail_at(
		    e, file, v->line, "%s is '%s': not finite", what, seen);
	if (is_word(v->text, nan, COUNT(nan)))
		return fail_at(
		    e, file, v->line, "%s is '%s': not a number", what, seen);
	meant = with_point(e->arena, v->text);
	if (meant)
		return fail_at(e, file, v->line,
		    "%s is '%s': a decimal comma; write %s", what, seen,
		    value_excerpt(e->arena, meant));
	meant = as_share(e->arena, v->text);
	if (meant)
		return fail_at(e, file, v->line,
		    "%s is '%s': a percentage; write %s", what, seen, meant);
	return fail_type(v, file, what, "a number", e);
}

int
value_number(const struct value *v, const char *file, const char *what,
    double *number, struct error *e)
{
	if (v->type != VALUE_NUMBER && v->type != VALUE_STRING)
		return fail_type(v, file, what, "a number", e);
	if (v->type == VALUE_STRING && !v->plain)
		return fail_number(v, file, what, e);
	if (number_parse(v->text, strlen(v->text), number) == 0)
		return 0;
	/* JSON's grammar held, so only its size can be at fault. */
	if (v->type == VALUE_NUMBER)
		return fail_at(e, file, v->line,
		    "%s is %s: not finite, too large for a number", what,
		    value_excerpt(e->arena, v->text));
	return fail_number(v, file, what, e);
}

static int
fail_range(const struct value *v, const char *file, const char *what,
    int64_t min, int64_t max, struct error *e)
{
	const char *seen = value_excerpt(e->arena, v->text);

	if (max == INT64_MAX && min != INT64_MIN)
		return fail_at(e, file, v->line,
		    "%s is %s: must be %" PRId64 " or more", what, seen, min);
	return fail_at(e, file, v->line,
	    "%s is %s: must be from %" PRId64 " to %" PRId64, what, seen, min,
	    max);
}

int
value_integer(const struct value *v, const char *file, const char *what,
    int64_t min, int64_t max, int64_t *number, struct error *e)
{
	/* Up to here every whole number is a double of its own. */
	static const double exact = 9007199254740992.0;
	int64_t n;
	double d;

	if (v->type == VALUE_NULL || v->type == VALUE_BOOL ||
	    v->type == VALUE_LIST || v->type == VALUE_MAP)
		return fail_type(v, file, what, "a whole number", e);
	if (value_number(v, file, what, &d, e) < 0)
		return -1;
	if (d != floor(d))
		return fail_at(e, file, v->line, "%s is %s, not a whole number",
		    what, value_excerpt(e->arena, v->text));
	/* 3.0 and 1e2 are whole: writers of floats mean them so. */
	if (integer_parse(v->text, strlen(v->text), &n) < 0) {
		if (fabs(d) > exact)
			return fail_range(v, file, what, min, max, e);
		n = (int64_t)d;
	}
	if (n < min || n > max)
		return fail_range(v, file, what, min, max, e);
	*number = n;
	return 0;
}

int
value_bool(const struct value *v, const char *file, const char *what,
    bool *flag, struct error *e)
{
	bool yes = strcmp(v->text, "true") == 0;

	if (v->type != VALUE_BOOL && v->type != VALUE_STRING)
		return fail_type(v, file, what, "true or false", e);
	if (!yes && strcmp(v->text, "false") != 0)
		return fail_at(e, file, v->line,
		    "%s is '%s': write true or false", what,
		    value_excerpt(e->arena, v->text));
	if (v->type == VALUE_STRING && !v->plain)
		return fail_at(e, file, v->line,
		    "%s is text: remove the quotes around %s", what, v->text);
	*flag = yes;
	return 0;
}
