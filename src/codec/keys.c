/*
 * Keys that stand twice in one map, whose value readers disagree about, and
 * those that nobody knows.
 */
#include <string.h>

#include "internal.h"

#define FEW 16 /* up to here comparing beats hashing */
#define REPEATED_MAX 20 /* messages about one document */

void
keys_init(struct keys *keys, const struct source *source, struct error *e)
{
	*keys = (struct keys){.source = source, .e = e};
}

void
keys_free(struct keys *keys)
{
	arena_free(keys->scratch);
	keys->scratch = NULL;
}

static int
repeated(
    struct keys *keys, const struct member *first, const struct member *second)
{
	struct arena *arena = keys->e->arena;
	const char *in = "";

	if (keys->within)
		in = arena_printf(
		    arena, " in '%s'", value_excerpt(arena, keys->within));
	fail_at(keys->e, keys->source->name, second->line,
	    "key '%s' is given twice, first on line %zu: keep one%s",
	    value_excerpt(arena, second->key), first->line, in);
	return ++keys->nrepeated < REPEATED_MAX ? 0 : -1;
}

static int
check_few(struct keys *keys, const struct member *members, size_t nmembers)
{
	size_t i, j;

	for (i = 1; i < nmembers; i++) {
		for (j = 0; j < i; j++)
			if (strcmp(members[j].key, members[i].key) == 0)
				break;
		if (j < i && repeated(keys, &members[j], &members[i]) < 0)
			return -1;
	}
	return 0;
}

int
keys_check(struct keys *keys, const struct member *members, size_t nmembers)
{
	struct map map;
	size_t i, first;

	if (nmembers <= FEW)
		return check_few(keys, members, nmembers);
	if (!keys->scratch)
		keys->scratch = arena_new();
	map_init(&map, keys->scratch);
	for (i = 0; i < nmembers; i++) {
		first = i;
		if (!map_add(
			&map, members[i].key, strlen(members[i].key), &first) &&
		    repeated(keys, &members[first], &members[i]) < 0)
			return -1;
	}
	return 0;
}

static size_t
names_of(const struct key_row *rows, size_t nrows, const char *section,
    const char **names)
{
	size_t i, n = 0;

	for (i = 0; i < nrows; i++)
		if (strcmp(rows[i].section, section) == 0)
			names[n++] = rows[i].name;
	return n;
}

void
keys_unknown(const struct key_row *rows, size_t nrows, const char *section,
    const struct value *map, const char *file, struct error *e)
{
	const char **names = arena_array(e->arena, nrows + 1, sizeof(*names));
	size_t n = names_of(rows, nrows, section, names), i, k;
	const struct member *m;

	for (i = 0; i < map->nitems; i++) {
		m = &map->u.members[i];
		for (k = 0; k < n; k++)
			if (strcmp(m->key, names[k]) == 0)
				break;
		if (k == n)
			fail_unknown(e, file, m->line, "key", m->key,
			    *section ? arena_printf(e->arena, " in %s", section)
				     : "",
			    names, n);
	}
}
