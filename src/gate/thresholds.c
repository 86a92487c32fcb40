/* The rules of averages: floors, and drops against both references. */
#include <math.h>
#include <string.h>

#include "internal.h"

static size_t
measure_index(const struct rules *rules, const struct threshold *threshold)
{
	size_t i;

	for (i = 0; i < rules->nmeasures; i++)
		if (strcmp(rules->measures[i].name, threshold->measure.name) ==
		    0)
			break;
	return i;
}

/* The mean that a record reported, NAN where it did not report it. */
static double
recorded_mean(const struct side *side, const char *name)
{
	const struct record *record;
	size_t i;

	if (!side)
		return NAN;
	record = side->reference->record;
	for (i = 0; i < record->nmetrics; i++)
		if (strcmp(record->metrics[i].name, name) == 0)
			return record->metrics[i].value;
	return NAN;
}

/* The view that a threshold is about. */
static const struct view *
view_of(const struct judging *judging, const struct threshold *threshold)
{
	const struct gate_input *in = judging->in;
	size_t i = (size_t)(threshold - in->rules->thresholds);

	return &in->views->items[in->views->of_threshold[i]];
}

/* A slice's mean is not in the record; its ranks are. */
static double
mean_before(const struct judging *judging, const struct threshold *threshold)
{
	const struct gate_input *in = judging->in;
	const struct view *view = view_of(judging, threshold);
	struct comparison c;

	if (!view->name || !in->before)
		return recorded_mean(in->before, threshold->measure.name);
	c = compare_measure(judging->arena, &threshold->measure, view,
	    in->rules, in->questions, in->run, in->before);
	return c.known ? c.baseline : NAN;
}

static void
judge_floor(struct judging *judging, const struct threshold *threshold)
{
	const struct gate_input *in = judging->in;
	const struct view *view = view_of(judging, threshold);
	double value = in->scores->means[(size_t)(view - in->views->items) *
		in->rules->nmeasures +
	    measure_index(in->rules, threshold)];
	double before = mean_before(judging, threshold);
	struct finding f = {.rule = "min",
	    .subject = threshold->measure.name,
	    .slice = view->name,
	    .level = threshold->level,
	    .class = CLASS_BELOW_LIMIT,
	    .fails_record = threshold->level == LEVEL_ERROR,
	    .baseline = before,
	    .current = value,
	    .limit = threshold->min,
	    .file = in->rules->file,
	    .line = threshold->line};
	const char *now, *limit;

	if (value >= threshold->min - ROUNDING || in->subset)
		return;
	share_texts(judging->arena, value, threshold->min, &now, &limit);
	f.change = now;
	f.message = arena_printf(judging->arena, "below min %s", limit);
	/* Comparisons with NAN are false: an unknown past excuses nobody. */
	if (before < threshold->min - ROUNDING && before <= value + ROUNDING) {
		f.class = CLASS_STILL_FAILING;
		f.level = still_failing_level(in->event, f.level);
		f.message = arena_printf(judging->arena,
		    "below min %s, as before this change", limit);
	}
	add_finding(judging, f);
}

void
judge_floors(struct judging *judging)
{
	const struct rules *rules = judging->in->rules;
	size_t i;

	for (i = 0; i < rules->nthresholds; i++)
		if (rules->thresholds[i].has_min)
			judge_floor(judging, &rules->thresholds[i]);
}

static double
allowed_drop(const struct threshold *threshold, double baseline)
{
	return threshold->relative ? threshold->max_drop * baseline
				   : threshold->max_drop;
}

static bool
exceeds(const struct threshold *threshold, double then, double now)
{
	return then - now > allowed_drop(threshold, then) + ROUNDING;
}

/*
 * Both sides are compared as deep as both looked.  A run that looked less
 * deep than the record, and lost what lay deeper there, can't be told from
 * one that would still find it.
 */
static enum worse
dropped(const struct judging *judging, const struct threshold *threshold,
    const struct comparison *c, const struct side *side)
{
	if (exceeds(threshold, c->baseline, c->current))
		return WORSE_YES;
	if (c->cut &&
	    judging->in->run->depth < side->reference->record->depth &&
	    exceeds(threshold, c->baseline_whole, c->current_whole))
		return WORSE_UNTELLABLE;
	return WORSE_NO;
}

static struct comparison
compare(const struct judging *judging, const struct threshold *threshold,
    const struct side *side)
{
	const struct gate_input *in = judging->in;

	if (!side)
		return (struct comparison){.known = false};
	return compare_measure(judging->arena, &threshold->measure,
	    view_of(judging, threshold), in->rules, in->questions, in->run,
	    side);
}

static const char *
drop_message(const struct judging *judging, const struct threshold *threshold,
    const struct finding *f, const struct comparison *c,
    const struct side *side)
{
	struct arena *arena = judging->arena;
	const char *commit = short_id(arena, side->reference->record->commit);
	const char *allowed = threshold->line == 0 ? "no drop is allowed"
	    : threshold->relative
	    ? arena_printf(arena, "max_drop is %g%%", threshold->max_drop * 100)
	    : arena_printf(arena, "max_drop is %g", threshold->max_drop);
	const char *drop =
	    arena_printf(arena, "fell by %.3g", c->baseline - c->current);

	if (c->cut)
		drop = arena_printf(arena, "%s at depth %u", drop, c->cut);
	switch (f->class) {
	case CLASS_UNTELLABLE:
		return arena_printf(arena,
		    "this run looked %u deep and %s looked deeper, so a drop "
		    "of %.3g can't be ruled out; retrieve more results, or "
		    "say `depth` if the lists are whole",
		    judging->in->run->depth, commit,
		    c->baseline_whole - c->current_whole);
	case CLASS_STILL_FAILING:
		return arena_printf(arena,
		    "not by this change: %s since %s, the last good record; "
		    "%s",
		    drop, commit, allowed);
	case CLASS_WORSE_ALLOWED:
		return arena_printf(arena,
		    "%s since %s, and is no worse than the last good record "
		    "allows",
		    drop, commit);
	default:
		return arena_printf(
		    arena, "%s since %s; %s", drop, commit, allowed);
	}
}

static void
not_compared(struct judging *judging, const struct threshold *threshold)
{
	add_finding(judging,
	    (struct finding){
		.rule = "max_drop",
		.subject = threshold->measure.name,
		.slice = view_of(judging, threshold)->name,
		.level = LEVEL_WARN,
		.class = CLASS_ADDED,
		.baseline = NAN,
		.current = NAN,
		.limit = threshold->max_drop,
		.message = "its drop is not gated this time: no question is "
			   "the same on both sides, or the record can't tell "
			   "this metric",
		.file = judging->in->rules->file,
		.line = threshold->line,
	    });
}

static void
judge_drop(struct judging *judging, const struct threshold *threshold)
{
	const struct gate_input *in = judging->in;
	struct comparison before = compare(judging, threshold, in->before);
	struct comparison good = compare(judging, threshold, in->good);
	const struct comparison *c = good.known ? &good : &before;
	const struct side *side = good.known ? in->good : in->before;
	struct judged_pair pair = {
	    .has_before = before.known, .has_good = good.known};
	struct finding f = {.rule = "max_drop",
	    .subject = threshold->measure.name,
	    .slice = view_of(judging, threshold)->name,
	    .level = threshold->level,
	    .file = in->rules->file,
	    .line = threshold->line};
	const char *then, *now;

	if (before.known)
		pair.before = dropped(judging, threshold, &before, in->before);
	if (good.known)
		pair.good = dropped(judging, threshold, &good, in->good);
	if (before.known && good.known)
		pair.excused =
		    exceeds(threshold, good.baseline, before.baseline)
		    ? WORSE_YES
		    : WORSE_NO;
	if (!before.known && !good.known) {
		if (in->before)
			not_compared(judging, threshold);
		return;
	}
	f.class = classify(in->event, pair, &f.level, &f.fails_record);
	if (f.class == CLASS_SAME)
		return;
	/* Means are compared as deep as both looked; what lies deeper is said. */
	if (f.class == CLASS_UNTELLABLE)
		f.level = LEVEL_WARN;
	if (f.class == CLASS_WORSE_ALLOWED) {
		c = &before;
		side = in->before;
	}
	f.baseline = c->baseline;
	f.current = c->current;
	f.limit = c->baseline - allowed_drop(threshold, c->baseline);
	share_texts(judging->arena, c->baseline, c->current, &then, &now);
	f.change = arena_printf(judging->arena, "%s → %s", then, now);
	f.message = drop_message(judging, threshold, &f, c, side);
	add_finding(judging, f);
}

void
judge_drops(struct judging *judging)
{
	const struct rules *rules = judging->in->rules;
	size_t i;

	for (i = 0; i < rules->nthresholds; i++)
		if (rules->thresholds[i].has_max_drop)
			judge_drop(judging, &rules->thresholds[i]);
}
