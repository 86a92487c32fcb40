/* Keys of a stored report, each of the type it has to be. */
#include <math.h>
#include <string.h>

#include "internal.h"

#define MISTAKES 20 /* that are told of one report */

bool
reading_enough(const struct reading *r)
{
	return r->e->nitems - r->nbefore >= MISTAKES;
}

/* A key that has to be there; NULL after an error. */
const struct value *
reading_key(const struct reading *r, const struct value *map, const char *key)
{
	const struct value *v = value_get(map, key);

	if (!v && map->type == VALUE_MAP)
		fail_at(r->e, r->file, map->line,
		    "a report lacks '%s'; make it again with this version",
		    key);
	else if (!v)
		fail_at(r->e, r->file, map->line,
		    "%s stands where a report has an object with '%s'",
		    value_type_name(map), key);
	return v;
}

/* Text as it stands, or null: NULL. */
const char *
reading_nullable(
    const struct reading *r, const struct value *map, const char *key)
{
	const struct value *v = reading_key(r, map, key);

	if (!v || v->type == VALUE_NULL)
		return NULL;
	if (v->type == VALUE_STRING)
		return v->text;
	fail_at(r->e, r->file, v->line, "%s is %s, not text", key,
	    value_type_name(v));
	return NULL;
}

/* Text that has to be there; "" after an error. */
const char *
reading_text(const struct reading *r, const struct value *map, const char *key)
{
	size_t before = r->e->nitems;
	const char *text = reading_nullable(r, map, key);

	if (!text && r->e->nitems == before)
		fail_at(r->e, r->file, value_get(map, key)->line,
		    "%s is null, not text", key);
	return text ? text : "";
}

const char *
reading_name(const struct reading *r, const struct value *map, const char *key)
{
	static const char letters[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	    "._@+-";
	size_t before = r->e->nitems;
	const char *text = reading_text(r, map, key);

	if (r->e->nitems == before && (!*text || text[strspn(text, letters)]))
		fail_at(r->e, r->file, value_get(map, key)->line,
		    "%s is '%s', which is no name", key, text);
	return text;
}

int
reading_word(const struct reading *r, const struct value *map, const char *key,
    const char *const *words, size_t nwords)
{
	size_t before = r->e->nitems, i;
	const char *text = reading_text(r, map, key);

	for (i = 0; i < nwords; i++)
		if (strcmp(words[i], text) == 0)
			return (int)i;
	if (r->e->nitems == before)
		fail_unknown(r->e, r->file, value_get(map, key)->line, key,
		    text, "", words, nwords);
	return 0;
}

/* A number, or null: NAN. */
double
reading_number(
    const struct reading *r, const struct value *map, const char *key)
{
	const struct value *v = reading_key(r, map, key);
	double number = NAN;

	if (v && v->type != VALUE_NULL)
		value_number(v, r->file, key, &number, r->e);
	return number;
}

size_t
reading_count(const struct reading *r, const struct value *map, const char *key)
{
	const struct value *v = reading_key(r, map, key);
	int64_t n = 0;

	if (v)
		value_integer(v, r->file, key, 0, INT64_MAX, &n, r->e);
	return (size_t)n;
}

/* A rank from 1 on, or null: 0. */
unsigned
reading_rank(const struct reading *r, const struct value *map, const char *key)
{
	const struct value *v = reading_key(r, map, key);
	int64_t n = 0;

	if (v && v->type != VALUE_NULL)
		value_integer(v, r->file, key, 1, UINT_MAX - 1, &n, r->e);
	return (unsigned)n;
}

unsigned
reading_depth(const struct reading *r, const struct value *map)
{
	const struct value *v = reading_key(r, map, "depth");
	int64_t n = DEPTH_UNBOUNDED;

	if (v && v->type != VALUE_NULL)
		value_integer(v, r->file, "depth", 0, UINT_MAX - 1, &n, r->e);
	return (unsigned)n;
}

bool
reading_flag(const struct reading *r, const struct value *map, const char *key)
{
	const struct value *v = reading_key(r, map, key);
	bool flag = false;

	if (v && v->type == VALUE_BOOL)
		flag = strcmp(v->text, "true") == 0;
	else if (v)
		fail_at(r->e, r->file, v->line, "%s is %s, not true or false",
		    key, value_type_name(v));
	return flag;
}

/* One that is written only where it is true. */
bool
reading_mark(const struct reading *r, const struct value *map, const char *key)
{
	return value_get(map, key) && reading_flag(r, map, key);
}

/* A list; NULL after an error. */
const struct value *
reading_list(const struct reading *r, const struct value *map, const char *key)
{
	const struct value *v = reading_key(r, map, key);

	if (!v || v->type == VALUE_LIST)
		return v;
	fail_at(r->e, r->file, v->line, "%s is %s, not a list", key,
	    value_type_name(v));
	return NULL;
}

void *
reading_items(const struct reading *r, const struct value *map, const char *key,
    size_t size,
    void (*read)(const struct reading *r, const struct value *v, void *item),
    size_t *n)
{
	const struct value *list = reading_list(r, map, key);
	char *items;

	*n = 0;
	if (!list)
		return NULL;
	items = arena_array(r->arena, list->nitems + 1, size);
	for (; *n < list->nitems && !reading_enough(r); ++*n)
		read(r, list->u.items[*n], items + *n * size);
	return items;
}

const char *const *
reading_texts(const struct reading *r, const struct value *map, const char *key,
    size_t *n)
{
	const struct value *list = reading_list(r, map, key);
	const char **texts;
	size_t i;

	*n = 0;
	if (!list)
		return NULL;
	texts = arena_array(r->arena, list->nitems + 1, sizeof(*texts));
	for (i = 0; i < list->nitems; i++) {
		if (list->u.items[i]->type != VALUE_STRING) {
			fail_at(r->e, r->file, list->u.items[i]->line,
			    "%s holds %s, not text", key,
			    value_type_name(list->u.items[i]));
			return texts;
		}
		texts[i] = list->u.items[i]->text;
	}
	*n = list->nitems;
	return texts;
}

size_t
reading_line(const struct reading *r, const struct value *map)
{
	const struct value *v = reading_key(r, map, "line");
	int64_t n = 0;

	if (v && v->type != VALUE_NULL)
		value_integer(v, r->file, "line", 1, INT64_MAX, &n, r->e);
	return (size_t)n;
}
