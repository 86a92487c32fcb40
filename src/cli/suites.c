/* suites: several pipelines in one config, each with keys of its own. */
#include <string.h>

#include "cli.h"

/* Keys of the file as a whole, that no suite can set. */
static const char *const whole[] = {"version", "suite", "suites"};

bool
suite_lacks(const char *key)
{
	size_t i;

	for (i = 0; i < COUNT(whole); i++)
		if (strcmp(whole[i], key) == 0)
			return true;
	return false;
}

static bool
check_suite(const struct member *suite, const char *file, struct error *e)
{
	const struct value *v = suite->value;
	size_t before = e->nitems, i;

	if (!suite_name_valid(suite->key))
		fail_at(e, file, suite->line,
		    "suite is '%s'; a name has small letters, digits, '.', "
		    "'_' and '-'",
		    suite->key);
	if (v->type != VALUE_MAP) {
		fail_at(e, file, suite->line,
		    "suite '%s' is %s; expected a map of keys that it sets, "
		    "such as {run: north.jsonl}",
		    suite->key, value_type_name(v));
		return false;
	}
	for (i = 0; i < COUNT(whole); i++)
		if (value_get(v, whole[i]))
			fail_at(e, file, value_get(v, whole[i])->line,
			    "'%s' stands at the top, not in a suite", whole[i]);
	return e->nitems == before;
}

static const struct member *
find_suite(const struct value *suites, const char *name)
{
	size_t i;

	for (i = 0; name && i < suites->nitems; i++)
		if (strcmp(suites->u.members[i].key, name) == 0)
			return &suites->u.members[i];
	return NULL;
}

/* The members of the tree, with the suite's in place of theirs. */
static const struct value *
overlay(struct arena *arena, const struct value *tree, const struct value *over)
{
	struct value *made = arena_alloc(arena, sizeof(*made));
	struct member *members = arena_array(
	    arena, tree->nitems + over->nitems + 1, sizeof(*members));
	size_t i, n = 0;

	for (i = 0; i < tree->nitems; i++)
		if (!value_get(over, tree->u.members[i].key))
			members[n++] = tree->u.members[i];
	for (i = 0; i < over->nitems; i++)
		members[n++] = over->u.members[i];
	*made = *tree;
	made->nitems = n;
	made->u.members = members;
	return made;
}

static int
unknown_suite(const struct value *suites, const char *name, const char *file,
    struct error *e)
{
	const char **names =
	    arena_array(e->arena, suites->nitems + 1, sizeof(*names));
	size_t i;

	for (i = 0; i < suites->nitems; i++)
		names[i] = suites->u.members[i].key;
	return fail_unknown(
	    e, file, suites->line, "suite", name, "", names, suites->nitems);
}

int
suite_choose(struct arena *arena, const char *file, const char *name,
    const struct value **tree, struct error *e)
{
	const struct value *suites = value_get(*tree, "suites");
	const struct value *top = value_get(*tree, "suite");
	const struct member *chosen;
	size_t before = e->nitems, i;

	if (!suites)
		return 0;
	if (suites->type != VALUE_MAP)
		return fail_at(e, file, suites->line,
		    "suites is %s; expected a map, such as {north: {run: "
		    "north.jsonl}}",
		    value_type_name(suites));
	for (i = 0; i < suites->nitems; i++)
		check_suite(&suites->u.members[i], file, e);
	if (e->nitems > before)
		return -1;
	chosen = find_suite(suites, name);
	if (chosen)
		*tree = overlay(arena, *tree, chosen->value);
	else if (name && strcmp(name, top ? top->text : "default") != 0)
		return unknown_suite(suites, name, file, e);
	return 0;
}
