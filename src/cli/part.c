/* What is not judged where only a part of the questions is asked. */
#include "cli.h"

bool
part_is(const struct session *s)
{
	return s->config.subset || s->questions.nasked < s->questions.nitems;
}

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

void
part_say(struct session *s)
{
	const struct rules *rules = &s->config.rules;
	const struct view *view;
	const char *slices = NULL;
	bool floors = false;
	size_t i;

	for (i = 0; part_is(s) && i < rules->nthresholds; i++) {
		view = &s->views.items[s->views.of_threshold[i]];
		floors |= rules->thresholds[i].has_min;
		if (!view->n && rules->thresholds[i].has_max_drop)
			slices = arena_printf(s->arena, "%s%s%s [%s]",
			    slices ? slices : "", slices ? ", " : "",
			    rules->thresholds[i].measure.name, view->name);
	}
	if (floors)
		session_notice(s,
		    "floors are not judged: this run answers a part of the "
		    "questions");
	if (slices)
		session_notice(s,
		    arena_printf(s->arena,
			"drops not gated, since no question of the slice is "
			"asked: %s",
			slices));
}
