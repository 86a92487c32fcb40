/* What is not judged where only a part of the questions is asked. */
#include "cli.h"

const char *
part_text(const struct session *s)
{
	return s->config.subset
	    ? arena_printf(
		  s->arena, " where only %s is asked", s->config.subset)
	    : "";
}

const char *
part_unjudged(const struct session *s, size_t i, bool floor)
{
	const struct view *view = &s->views.items[s->views.of_threshold[i]];

	if (!s->config.subset || (view->n && !floor))
		return NULL;
	return arena_printf(s->arena, "%s: %s", part_text(s) + 1,
	    view->n ? "floors are judged on whole runs alone"
		    : "no question of this slice is");
}
