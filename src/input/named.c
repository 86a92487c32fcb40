/* Questions that a notice is about: their number, and some by name. */
#include "internal.h"

#define NAMED 8

void
named_add(
    struct arena *arena, struct named *named, const struct question *question)
{
	named->n++;
	if (question->holdout || named->nnamed == NAMED)
		return;
	named->list =
	    arena_printf(arena, "%s%s%s", named->nnamed ? named->list : "",
		named->nnamed ? ", " : ": ", question->id);
	named->nnamed++;
}

const char *
named_list(struct arena *arena, const struct named *named)
{
	if (!named->nnamed)
		return "";
	if (named->n == named->nnamed)
		return named->list;
	return arena_printf(
	    arena, "%s and %zu more", named->list, named->n - named->nnamed);
}
