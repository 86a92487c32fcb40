/* The anchors of a YAML document, and the bounds of what aliases add. */
#include <string.h>

#include "internal.h"

/* What aliases may add: 4 million nodes, and 1,000 for each byte. */
#define ALIASED_MAX 4000000
#define ALIASED_PER_BYTE 1000

void
anchors_init(struct anchors *anchors, struct arena *arena,
    const struct source *text, struct error *e)
{
	*anchors = (struct anchors){.arena = arena, .text = text, .e = e};
	map_init(&anchors->names, arena);
}

int
anchors_begin(
    struct anchors *anchors, const char *name, size_t line, size_t *index)
{
	struct arena *arena = anchors->arena;

	*index = anchors->nitems;
	name = arena_strdup(arena, name);
	if (!map_add(&anchors->names, name, strlen(name), index))
		return fail_at(anchors->e, anchors->text->name, line,
		    "anchor '&%s' is given twice, first on line %zu",
		    value_excerpt(anchors->e->arena, name),
		    anchors->items[*index].line);
	anchors->items = arena_grow(arena, anchors->items, anchors->nitems,
	    &anchors->cap, sizeof(*anchors->items));
	anchors->items[anchors->nitems++] = (struct anchor){.line = line};
	return 0;
}

void
anchors_end(struct anchors *anchors, size_t index, const struct value *value,
    size_t nnodes, int height)
{
	struct anchor *a = &anchors->items[index];

	a->value = value;
	a->nnodes = nnodes;
	a->height = height;
}

/* Whether following a at depth stays within bounds. */
static int
check_bounds(struct anchors *anchors, const struct anchor *a, const char *name,
    size_t line, int depth)
{
	const struct source *text = anchors->text;

	anchors->naliased += a->nnodes;
	if (anchors->naliased > ALIASED_MAX ||
	    anchors->naliased / ALIASED_PER_BYTE > text->len)
		return fail_at(anchors->e, text->name, line,
		    "aliases make this document too large, here '*%s'", name);
	if (depth + a->height > NESTING_MAX)
		return fail_at(anchors->e, text->name, line,
		    "alias '*%s' nests lists and maps deeper than %d", name,
		    NESTING_MAX);
	return 0;
}

const struct anchor *
anchors_follow(
    struct anchors *anchors, const char *name, size_t line, int depth)
{
	const char *file = anchors->text->name;
	const char *seen = value_excerpt(anchors->e->arena, name);
	const struct anchor *a;
	size_t index;

	if (!map_get(&anchors->names, name, strlen(name), &index)) {
		fail_at(anchors->e, file, line,
		    "alias '*%s' has no anchor '&%s' before it", seen, seen);
		return NULL;
	}
	a = &anchors->items[index];
	if (!a->value) {
		fail_at(anchors->e, file, line,
		    "alias '*%s' stands inside what it names, from line %zu",
		    seen, a->line);
		return NULL;
	}
	return check_bounds(anchors, a, seen, line, depth) < 0 ? NULL : a;
}
