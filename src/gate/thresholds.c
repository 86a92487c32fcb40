/* The rules of averages: floors, and drops against both references. */
#include <math.h>
#include <string.h>

#include "internal.h"

#define PERMUTATION_SEED 19350 /* any; fixed */

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
const struct view *
threshold_view(const struct judging *judging, const struct threshold *threshold)
{
	const struct gate_input *in = judging->in;
	size_t i = (size_t)(threshold - in->rules->thresholds);

	return &in->views->items[in->views->of_threshold[i]];
}

/* Where a threshold's mean stands among the scores. */
static size_t
mean_index(const struct judging *judging, const struct threshold *threshold)
{
	const struct gate_input *in = judging->in;

	return (size_t)(threshold_view(judging, threshold) - in->views->items) *
	    in->rules->nmeasures +
	    measure_index(in->rules, threshold);
}

/* A slice's mean is not in the record; its ranks are. */
static double
mean_before(const struct judging *judging, const struct threshold *threshold)
{
	const struct gate_input *in = judging->in;
	const struct view *view = threshold_view(judging, threshold);
	struct comparison c;

	if (!view->name || !in->before)
		return recorded_mean(in->before, threshold->measure.name);
	c = compare_measure(judging->arena, &threshold->measure, view,
	    in->rules, in->questions, in->run, in->before);
	return c.known ? c.baseline : NAN;
}

/* Missed before, too: not by this change, unless it raised the floor. */
static void
missed_before(const struct judging *judging, const struct threshold *threshold,
    struct finding *f, const char *limit)
{
	/* Comparisons with NAN are false: an unknown past excuses nobody. */
	if (!(f->baseline < threshold->min - ROUNDING &&
		f->baseline <= f->current + ROUNDING))
		return;
	if (floor_is_new(judging, threshold, f->baseline)) {
		f->message = arena_printf(judging->arena,
		    "below min %s, which is new with this change", limit);
		return;
	}
	if (threshold->level == LEVEL_ERROR && passed_before(judging))
		return;
	f->class = CLASS_STILL_FAILING;
	f->level = still_failing_level(judging->in->event, f->level);
	f->message = arena_printf(
	    judging->arena, "below min %s, as before this change", limit);
}

static void
judge_floor(struct judging *judging, const struct threshold *threshold)
{
	const struct gate_input *in = judging->in;
	const struct view *view = threshold_view(judging, threshold);
	double value = in->scores->means[mean_index(judging, threshold)];
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
	missed_before(judging, threshold, &f, limit);
	waive(judging,
	    &(struct waiving){
		.subject = subject_of_measure(
		    judging->arena, threshold->measure.name, view->name),
		.level = threshold->level,
		.beyond = metric_beyond,
		.mean = value,
		.no_better = before <= value + ROUNDING,
	    },
	    &f);
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

bool
drop_exceeds(const struct threshold *threshold, double then, double now)
{
	return then - now > allowed_drop(threshold, then) + ROUNDING;
}

/* One metric at one reference. */
struct drop {
	struct comparison c;
	enum worse worse;
	double p; /* how likely chance alone is, NAN where nobody asked */
	const char *commit; /* short, for messages */
	bool held; /* what a waiver was given against */
};

/*
 * Both sides are compared as deep as both looked.  A run that looked less
 * deep than the record, and lost what lay deeper there, can't be told from
 * one that would still find it.
 */
static enum worse
dropped(const struct judging *judging, const struct threshold *threshold,
    const struct side *side, struct drop *drop)
{
	const struct comparison *c = &drop->c;

	if (drop_exceeds(threshold, c->baseline, c->current)) {
		if (threshold->alpha > 0 && c->differences)
			drop->p = permutation_test(
			    c->differences, c->n, PERMUTATION_SEED);
		return drop->p > threshold->alpha ? WORSE_NO : WORSE_YES;
	}
	if (c->cut &&
	    judging->in->run->depth < side->reference->record->depth &&
	    drop_exceeds(threshold, c->baseline_whole, c->current_whole))
		return WORSE_UNTELLABLE;
	return WORSE_NO;
}

static struct drop
compare(const struct judging *judging, const struct threshold *threshold,
    const struct side *side)
{
	const struct gate_input *in = judging->in;
	struct drop drop = {.p = NAN};

	if (!side)
		return drop;
	drop.c = compare_measure(judging->arena, &threshold->measure,
	    threshold_view(judging, threshold), in->rules, in->questions,
	    in->run, side);
	drop.commit = short_id(judging->arena, side->reference->record->commit);
	if (drop.c.known)
		drop.worse = dropped(judging, threshold, side, &drop);
	return drop;
}

/* A reference whose record is not here is known by its mean. */
static struct drop
compare_held(const struct judging *judging, const struct threshold *threshold,
    const struct held *held, const struct drop *now)
{
	struct drop drop = {.p = NAN};

	if (held->side)
		return compare(judging, threshold, held->side);
	drop.c = now->c;
	drop.c.baseline = held->from.value;
	drop.c.differences = NULL;
	drop.commit = short_id(judging->arena, held->from.commit);
	if (drop.c.known &&
	    drop_exceeds(threshold, drop.c.baseline, drop.c.current))
		drop.worse = WORSE_YES;
	return drop;
}

/* "fell by 0.05 since 3f9c1e2; max_drop is 0.02". */
static const char *
drop_message(const struct judging *judging, const struct threshold *threshold,
    enum finding_class class, const struct drop *d)
{
	struct arena *arena = judging->arena;
	const char *allowed = threshold->line == 0 ? "no drop is allowed"
	    : threshold->relative
	    ? arena_printf(arena, "max_drop is %g%%", threshold->max_drop * 100)
	    : arena_printf(arena, "max_drop is %g", threshold->max_drop);
	const char *drop =
	    arena_printf(arena, "fell by %.3g", d->c.baseline - d->c.current);

	if (d->c.cut)
		drop = arena_printf(arena, "%s at depth %u", drop, d->c.cut);
	if (!isnan(d->p))
		allowed = arena_printf(arena, "%s, and p = %.3g %s alpha %g",
		    allowed, d->p,
		    d->p > threshold->alpha ? ">" : "<=", threshold->alpha);
	switch (class) {
	case CLASS_UNTELLABLE:
		return arena_printf(arena,
		    "this run looked %u deep and %s looked deeper, so a drop "
		    "of %.3g can't be ruled out; retrieve more results, or "
		    "say `depth` if the lists are whole",
		    judging->in->run->depth, d->commit,
		    d->c.baseline_whole - d->c.current_whole);
	case CLASS_STILL_FAILING:
		return arena_printf(arena,
		    "not by this change: %s since %s, %s; %s", drop, d->commit,
		    d->held ? "what it is held to since it was waived"
			    : "the last good record",
		    allowed);
	case CLASS_WORSE_ALLOWED:
		if (!isnan(d->p))
			return arena_printf(arena,
			    "%s since %s, which chance explains: %s", drop,
			    d->commit, allowed);
		return arena_printf(arena,
		    "%s since %s, and is no worse than the last good record "
		    "allows",
		    drop, d->commit);
	default:
		return arena_printf(
		    arena, "%s since %s; %s", drop, d->commit, allowed);
	}
}

static void
not_compared(struct judging *judging, const struct threshold *threshold)
{
	add_finding(judging,
	    (struct finding){
		.rule = "max_drop",
		.subject = threshold->measure.name,
		.slice = threshold_view(judging, threshold)->name,
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

/* The reference that an accepted loss is held to, where it asks more. */
static const struct held *
held_drop(struct judging *judging, const struct threshold *threshold,
    const char *subject, struct drop *good, const struct drop *before)
{
	const struct held *held = held_of(judging, subject);
	struct drop drop;

	if (!held)
		return NULL;
	drop = compare_held(
	    judging, threshold, held, good->c.known ? good : before);
	if (!drop.c.known)
		return NULL;
	/* A loss within its limit is carried on: limits can be narrowed. */
	if (drop.worse == WORSE_NO) {
		if (drop.c.current >= drop.c.baseline - ROUNDING)
			held_settle(judging, held);
		return NULL;
	}
	/* Whichever asks more. */
	if (good->c.known && good->worse == WORSE_YES &&
	    good->c.baseline >= drop.c.baseline)
		return NULL;
	drop.held = true;
	*good = drop;
	return held;
}

/*
 * Whether before was no better, so that this change took no step down.  At
 * the same depth, which may not be the one at which good is compared.
 */
static bool
no_better(const struct drop *before)
{
	return before->c.baseline <= before->c.current + ROUNDING;
}

static void
waive_drop(struct judging *judging, const struct threshold *threshold,
    const char *subject, const struct held *held, const struct drop *good,
    const struct drop *before, struct finding *f)
{
	const struct gate_input *in = judging->in;
	const struct drop *then = good->c.known ? good : before;
	const struct side *side = in->good ? in->good : in->before;
	struct waiving w = {.subject = subject,
	    .level = threshold->level,
	    .beyond = metric_beyond,
	    .mean = in->scores->means[mean_index(judging, threshold)],
	    .no_better = before->c.known && no_better(before),
	    .worse =
		drop_message(judging, threshold, CLASS_NEW_REGRESSION, then),
	    .held = held};

	w.reference = held ? held->from
			   : (struct record_held){.subject = subject,
				 .commit = side->reference->record->commit,
				 .value = then->c.baseline,
				 .depth = side->reference->record->depth};
	waive(judging, &w, f);
}

static void
judge_drop(struct judging *judging, const struct threshold *threshold)
{
	const struct gate_input *in = judging->in;
	const char *slice = threshold_view(judging, threshold)->name;
	const char *subject =
	    subject_of_measure(judging->arena, threshold->measure.name, slice);
	struct drop before = compare(judging, threshold, in->before);
	struct drop good = compare(judging, threshold, in->good);
	const struct held *held =
	    held_drop(judging, threshold, subject, &good, &before);
	struct judged_pair pair = {.has_before = before.c.known,
	    .has_good = good.c.known,
	    .before = before.worse,
	    .good = good.worse};
	const struct drop *d = good.c.known ? &good : &before;
	struct finding f = {.rule = "max_drop",
	    .subject = threshold->measure.name,
	    .slice = slice,
	    .level = threshold->level,
	    .file = in->rules->file,
	    .line = threshold->line};
	const char *then, *now;

	if (!before.c.known && !good.c.known) {
		if (in->before)
			not_compared(judging, threshold);
		return;
	}
	if (before.c.known && good.c.known &&
	    (no_better(&before) ||
		drop_exceeds(threshold, good.c.baseline, before.c.baseline)))
		pair.excused = WORSE_YES;
	f.class = classify(in->event, pair, &f.level, &f.fails_record);
	if (f.class == CLASS_SAME) {
		if (isnan(d->p))
			return;
		f.class = CLASS_WORSE_ALLOWED;
		f.level = LEVEL_INFO;
	} else if (f.class == CLASS_WORSE_ALLOWED) {
		d = &before;
	}
	/*
	 * Means are compared as deep as both looked; what lies deeper is said,
	 * and such a record is no standard, or it would be forgotten.
	 */
	if (f.class == CLASS_UNTELLABLE) {
		f.unknown_record = f.level == LEVEL_ERROR;
		f.level = LEVEL_WARN;
	}
	f.baseline = d->c.baseline;
	f.current = d->c.current;
	f.limit = d->c.baseline - allowed_drop(threshold, d->c.baseline);
	share_texts(judging->arena, d->c.baseline, d->c.current, &then, &now);
	f.change = arena_printf(judging->arena, "%s → %s", then, now);
	f.message = drop_message(judging, threshold, f.class, d);
	waive_drop(judging, threshold, subject, held, &good, &before, &f);
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
