/* How far an average may drop below both references. */
#include <math.h>
#include <string.h>

#include "internal.h"

#define PERMUTATION_SEED 19350 /* any; fixed */

const char *
drop_meaning(struct arena *arena, const struct threshold *threshold, size_t n)
{
	double allowed = floor(threshold->max_drop * (double)n + ROUNDING);
	size_t least = 1;
	const char *drop =
	    arena_printf(arena, "max_drop %g", threshold->max_drop);

	while (least <= n && permutation_least(least) > threshold->alpha)
		least++;
	if (threshold->alpha > 0 && (n < least || n <= allowed))
		return arena_printf(
		    arena, "alpha %g lets every drop pass", threshold->alpha);
	if (threshold->alpha > 0)
		return arena_printf(arena,
		    "%s with alpha %g fails only where at least %zu of them "
		    "fall",
		    drop, threshold->alpha,
		    (double)least > allowed ? least : (size_t)allowed + 1);
	return allowed < 1
	    ? arena_printf(
		  arena, "%s means that losing any one question fails", drop)
	    : arena_printf(
		  arena, "%s allows for losing %.0f of them", drop, allowed);
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

bool
drop_by_chance(
    const struct threshold *threshold, const double *differences, size_t n)
{
	return threshold->alpha > 0 && differences &&
	    permutation_test(differences, n, PERMUTATION_SEED) >
	    threshold->alpha;
}

/* One metric at one reference. */
struct drop {
	struct comparison c;
	enum worse worse;
	double p; /* how likely chance alone is, NAN where nobody asked */
	const struct side *side; /* what a loss is to be held to */
	const char *commit; /* short, for messages */
	const char *since; /* the same, and what joined later */
	const struct held *held; /* this is what it is held to */
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
	drop.side = side;
	drop.commit = short_id(judging->arena, side->reference->record->commit);
	drop.since = drop.commit;
	if (drop.c.known)
		drop.worse = dropped(judging, threshold, side, &drop);
	return drop;
}

/*
 * Questions that joined while records failed are not in the good one: a loss
 * of theirs is seen against the side where they fell.  joined: good and that.
 */
static struct drop
compare_joined(const struct judging *judging, const struct threshold *threshold,
    const struct side *joined, const struct side *fell)
{
	struct drop drop = compare(judging, threshold, joined);

	if (!joined)
		return drop;
	drop.side = fell;
	drop.since = arena_printf(judging->arena,
	    "%s, and since %s for questions that joined later", drop.commit,
	    short_id(judging->arena, fell->reference->record->commit));
	return drop;
}

/* A reference whose record is not here is known by its mean. */
static struct drop
compare_held(const struct judging *judging, const struct threshold *threshold,
    const struct held *held, const struct drop *now)
{
	const struct gate_input *in = judging->in;
	struct drop drop = {.p = NAN};

	if (held->from.fell)
		drop = compare_joined(judging, threshold,
		    side_joined(
			judging->arena, in->questions, in->good, held->side),
		    held->side);
	if (drop.c.known)
		return drop;
	if (held->side)
		return compare(judging, threshold, held->side);
	drop.c = now->c;
	drop.c.baseline = held->from.value;
	drop.c.differences = NULL;
	drop.commit = short_id(judging->arena, held->from.commit);
	drop.since = drop.commit;
	if (drop.c.known &&
	    drop_exceeds(threshold, drop.c.baseline, drop.c.current))
		drop.worse = WORSE_YES;
	return drop;
}

/* How much of a fall that was there before is of this change all the same. */
static const char *
own_part(struct arena *arena, const struct drop *past)
{
	if (!past || !past->c.known ||
	    past->c.baseline <= past->c.current + ROUNDING)
		return "";
	return arena_printf(arena, " alone (%.3g of it since %s)",
	    past->c.baseline - past->c.current, past->commit);
}

/* "fell by 0.05 since 3f9c1e2; max_drop is 0.02"; past: what excuses it. */
static const char *
drop_message(const struct judging *judging, const struct threshold *threshold,
    enum finding_class class, const struct drop *d, const struct drop *past)
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
		if (d->worse == WORSE_YES)
			return arena_printf(arena,
			    "%s since %s, and the record before looked too "
			    "little deep to tell whether it had fallen there; "
			    "%s",
			    drop, d->since, allowed);
		return arena_printf(arena,
		    "this run looked %u deep and %s looked deeper, so a drop "
		    "of %.3g can't be ruled out; retrieve more results, or "
		    "say `depth` if the lists are whole",
		    judging->in->run->depth, d->commit,
		    d->c.baseline_whole - d->c.current_whole);
	case CLASS_STILL_FAILING:
		return arena_printf(arena,
		    "not by this change%s: %s since %s, %s; %s",
		    own_part(arena, past), drop, d->since,
		    !d->held                 ? "the last good record"
			: d->held->from.fell ? "where it stood before it fell"
					     : "what it is held to since it "
					       "was waived",
		    allowed);
	case CLASS_WORSE_ALLOWED:
		if (!isnan(d->p))
			return arena_printf(arena,
			    "%s since %s, which chance explains: %s", drop,
			    d->since, allowed);
		return arena_printf(arena,
		    "%s since %s, and is no worse than the last good record "
		    "allows",
		    drop, d->commit);
	default:
		return arena_printf(
		    arena, "%s since %s; %s", drop, d->since, allowed);
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
		if (drop.c.current >= drop.c.baseline - ROUNDING &&
		    !drop.c.nerrored)
			held_settle(judging, held);
		return NULL;
	}
	/* Whichever asks more. */
	if (good->c.known && good->worse == WORSE_YES &&
	    good->c.baseline >= drop.c.baseline)
		return NULL;
	drop.held = held;
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

/* An average at every reference. */
struct descent {
	const char *subject; /* of waivers */
	struct drop before;
	struct drop good; /* or what asks more of it */
	struct drop joined;
	struct drop past; /* before, and good for what before can't tell */
	const struct held *held; /* good is what it is held to */
};

static struct descent
look(struct judging *judging, const struct threshold *threshold)
{
	const struct gate_input *in = judging->in;
	struct descent d = {.subject = subject_of_measure(judging->arena,
				threshold->measure.name,
				threshold_view(judging, threshold)->name)};

	d.before = compare(judging, threshold, in->before);
	d.good = in->good == in->before ? d.before
					: compare(judging, threshold, in->good);
	d.joined =
	    compare_joined(judging, threshold, judging->joined, in->before);
	d.past = compare(judging, threshold, judging->past);
	if (!d.past.c.known)
		d.past = d.before;
	if (d.joined.worse == WORSE_YES && d.good.worse != WORSE_YES)
		d.good = d.joined;
	d.held = held_drop(judging, threshold, d.subject, &d.good, &d.before);
	return d;
}

/* The reference that decides. */
static const struct drop *
decisive(const struct descent *d)
{
	return d->good.c.known ? &d->good : &d->before;
}

/* Whether what lies between two drops would have failed itself. */
static bool
fell_between(const struct threshold *threshold, const struct drop *then,
    const struct drop *later, struct arena *arena)
{
	const double *one = then->c.differences, *two = later->c.differences;
	double *between;
	size_t i;

	if (!drop_exceeds(threshold, then->c.baseline, later->c.baseline))
		return false;
	/* Of the same questions, or nothing can be said of chance. */
	if (!one || !two || then->c.n != later->c.n)
		return true;
	between = arena_array(arena, then->c.n, sizeof(*between));
	for (i = 0; i < then->c.n; i++)
		between[i] = one[i] - two[i];
	return !drop_by_chance(threshold, between, then->c.n);
}

/*
 * Whether before was worse than good itself, so that the loss is not of this
 * change.  What before can't tell, as its retrieval failed or it did not look
 * so deep, excuses nobody.
 */
static enum worse
excused(const struct judging *judging, const struct threshold *threshold,
    const struct descent *d)
{
	const struct drop *past = &d->past;
	unsigned k = threshold->measure.k, depth;

	if (!d->before.c.known || !d->good.c.known || !past->c.known)
		return WORSE_NO;
	if (!no_better(past) &&
	    !fell_between(threshold, &d->good, past, judging->arena))
		return WORSE_NO;
	depth = past->side->reference->record->depth;
	return d->good.side && past->c.cut == depth && (!k || k > depth) &&
		d->good.side->reference->record->depth > depth
	    ? WORSE_UNTELLABLE
	    : WORSE_YES;
}

static enum finding_class
class_of(const struct judging *judging, const struct threshold *threshold,
    const struct descent *d, struct finding *f)
{
	const struct drop *before = &d->before, *good = &d->good;
	struct judged_pair pair = {.has_before = before->c.known,
	    .has_good = good->c.known,
	    .before = before->worse,
	    .good = good->worse};
	enum finding_class class;

	pair.excused = excused(judging, threshold, d);
	class = classify(judging->in->event, pair, &f->level, &f->fails_record);
	if (class == CLASS_SAME && !isnan(decisive(d)->p)) {
		class = CLASS_WORSE_ALLOWED;
		f->level = LEVEL_INFO;
	}
	/*
	 * Means are compared as deep as both looked; what lies deeper is said,
	 * and such a record is no standard, or it would be forgotten.
	 */
	if (class == CLASS_UNTELLABLE) {
		f->unknown_record = f->level == LEVEL_ERROR;
		/* A loss is there; whose it is decides on a request. */
		if (good->worse != WORSE_YES)
			f->level = LEVEL_WARN;
	}
	return class;
}

/* What a loss is held to from now on. */
static struct record_held
reference_of(const char *subject, const struct drop *drop)
{
	const struct record *record = drop->side->reference->record;

	return (struct record_held){.subject = subject,
	    .commit = record->commit,
	    .value = drop->c.baseline,
	    .depth = record->depth};
}

static void
waive_drop(struct judging *judging, const struct threshold *threshold,
    const struct descent *d, struct finding *f)
{
	const struct drop *then = decisive(d);
	struct waiving w = {.subject = d->subject,
	    .level = threshold->level,
	    .beyond = metric_beyond,
	    .mean = threshold_best(judging, threshold),
	    .no_better = d->past.c.known && no_better(&d->past),
	    .worse = drop_message(
		judging, threshold, CLASS_NEW_REGRESSION, then, NULL),
	    .held = d->held};

	w.reference = d->held ? d->held->from : reference_of(d->subject, then);
	waive(judging, &w, f);
}

/* As long as no good record has what fell, nothing else remembers. */
static void
remember(struct judging *judging, const struct descent *d)
{
	struct record_held held;

	if (held_of(judging, d->subject))
		return;
	if (d->joined.worse == WORSE_YES)
		held = reference_of(d->subject, &d->joined);
	else if (!good_is_standard(judging))
		held = reference_of(d->subject, decisive(d));
	else
		return;
	held.fell = true;
	held_keep(judging, held);
}

static void
judge_drop(struct judging *judging, const struct threshold *threshold)
{
	struct descent descent = look(judging, threshold);
	const struct drop *d = decisive(&descent);
	struct finding f = {.rule = "max_drop",
	    .subject = threshold->measure.name,
	    .slice = threshold_view(judging, threshold)->name,
	    .level = threshold->level,
	    .file = judging->in->rules->file,
	    .line = threshold->line};
	const char *then, *now;

	if (!d->c.known) {
		/* A slice of which nothing is asked is no slice. */
		if (judging->in->before &&
		    threshold_view(judging, threshold)->n)
			not_compared(judging, threshold);
		return;
	}
	f.class = class_of(judging, threshold, &descent, &f);
	if (f.class == CLASS_SAME)
		return;
	if (f.class == CLASS_WORSE_ALLOWED && descent.before.worse == WORSE_YES)
		d = &descent.before;
	f.baseline = d->c.baseline;
	f.current = d->c.current;
	f.limit = d->c.baseline - allowed_drop(threshold, d->c.baseline);
	share_texts(judging->arena, d->c.baseline, d->c.current, &then, &now);
	f.change = arena_printf(judging->arena, "%s → %s", then, now);
	f.message = drop_message(judging, threshold, f.class, d, &descent.past);
	waive_drop(judging, threshold, &descent, &f);
	if (f.fails_record)
		remember(judging, &descent);
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
