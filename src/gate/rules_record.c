/* The rules in force, as a record keeps them: a later change can be seen. */
#include "internal.h"

/* A subset's run says nothing of how large a slice is. */
static void
set_thresholds(struct arena *arena, const struct rules *rules,
    const struct views *views, struct record *record)
{
	struct record_threshold *thresholds =
	    arena_array(arena, rules->nthresholds + 1, sizeof(*thresholds));
	size_t i;

	for (i = 0; i < rules->nthresholds; i++) {
		const struct threshold *t = &rules->thresholds[i];
		const struct view *view = &views->items[views->of_threshold[i]];

		thresholds[i] = (struct record_threshold){
		    .metric = t->measure.name,
		    .slice = selector_name(arena, &t->where),
		    .min = t->has_min ? t->min : -1,
		    .max_drop = t->has_max_drop ? t->max_drop : -1,
		    .relative = t->relative,
		    .alpha = t->alpha,
		    .warn = t->level == LEVEL_WARN,
		    .n = view->name && !record->subset ? (int64_t)view->n : 0,
		};
	}
	record->thresholds = thresholds;
	record->nthresholds = rules->nthresholds;
}

void
rules_record_tracked(
    struct arena *arena, const struct rules *rules, struct record *record)
{
	struct record_tracked *tracked =
	    arena_array(arena, rules->ntracked + 1, sizeof(*tracked));
	size_t i;

	for (i = 0; i < rules->ntracked; i++)
		tracked[i] = (struct record_tracked){
		    .question = rules->tracked[i].question,
		    .document = rules->tracked[i].document,
		    .max_loss = rules->tracked[i].max_loss,
		    .max_rank = rules->tracked[i].max_rank,
		};
	record->tracked = tracked;
	record->ntracked = rules->ntracked;
}

static void
set_waivers(
    struct arena *arena, const struct rules *rules, struct record *record)
{
	struct record_waiver *waivers =
	    arena_array(arena, rules->nwaivers + 1, sizeof(*waivers));
	size_t i;

	for (i = 0; i < rules->nwaivers; i++) {
		const struct waiver *w = &rules->waivers[i];

		waivers[i] = (struct record_waiver){
		    .question = w->question,
		    .metric = w->question ? NULL : w->measure.name,
		    .slice = selector_name(arena, &w->where),
		    .limit = !w->has_limit ? -1
			: w->question      ? (double)w->ceiling
					   : w->floor,
		    .until = w->until_text,
		};
	}
	record->waivers = waivers;
	record->nwaivers = rules->nwaivers;
}

struct record_limits
rules_limits(const struct rules *rules)
{
	const struct budget *budget = &rules->budget;
	const struct creep *creep = &rules->creep;

	return (struct record_limits){
	    .worse_max = budget->max,
	    .worse_by = budget->on ? budget->by : 0,
	    .worse_warn = budget->level == LEVEL_WARN,
	    .creep_window = creep->window,
	    .creep_warn = creep->level == LEVEL_WARN,
	    .change_fails = rules->gate_change == LEVEL_ERROR,
	    .relevance = rules->relevance,
	};
}

void
rules_record(struct arena *arena, const struct rules *rules,
    const struct views *views, struct record *record)
{
	set_thresholds(arena, rules, views, record);
	rules_record_tracked(arena, rules, record);
	set_waivers(arena, rules, record);
	record->limits = rules_limits(rules);
}
