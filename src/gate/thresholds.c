/* Where the means that thresholds are about stand, and their floors. */
#include <math.h>
#include <string.h>

#include "internal.h"

size_t
measure_index(const struct rules *rules, const struct measure *measure)
{
	size_t i;

	for (i = 0; i < rules->nmeasures; i++)
		if (strcmp(rules->measures[i].name, measure->name) == 0)
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

const struct view *
threshold_view(const struct judging *judging, const struct threshold *threshold)
{
	const struct gate_input *in = judging->in;
	size_t i = (size_t)(threshold - in->rules->thresholds);

	return &in->views->items[in->views->of_threshold[i]];
}

double
threshold_mean(const struct judging *judging, const struct threshold *threshold)
{
	const struct gate_input *in = judging->in;
	size_t view =
	    (size_t)(threshold_view(judging, threshold) - in->views->items);

	return in->scores->means[view * in->rules->nmeasures +
	    measure_index(in->rules, &threshold->measure)];
}

double
threshold_best(const struct judging *judging, const struct threshold *threshold)
{
	const struct gate_input *in = judging->in;
	const struct view *view = threshold_view(judging, threshold);
	size_t i, n = 0;

	for (i = 0; i < in->questions->nitems; i++)
		n += in->run->answers[i].errored &&
		    view_has(view, in->questions, i);
	return threshold_mean(judging, threshold) +
	    (n ? (double)n / (double)view->n : 0);
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

/* By how much a record's mean may be higher, had nothing errored there. */
static double
errored_before(const struct judging *judging, const struct threshold *threshold)
{
	const struct view *view = threshold_view(judging, threshold);
	const struct gate_input *in = judging->in;
	size_t n = 0, i;

	for (i = 0; in->before && i < in->questions->nitems; i++)
		n += in->before->changes[i] == CHANGE_ERRORED &&
		    view_has(view, in->questions, i);
	return n ? (double)n / (double)view->n : 0;
}

/* Missed before, too: not by this change, unless it raised the floor. */
static void
missed_before(const struct judging *judging, const struct threshold *threshold,
    struct finding *f, const char *limit)
{
	/* Comparisons with NAN are false: an unknown past excuses nobody. */
	if (!(f->baseline + errored_before(judging, threshold) <
		    threshold->min - ROUNDING &&
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
	double value = threshold_mean(judging, threshold);
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
	double best;

	if (value >= threshold->min - ROUNDING || in->subset)
		return;
	best = threshold_best(judging, threshold);
	if (best >= threshold->min - ROUNDING)
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
		.mean = best,
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
