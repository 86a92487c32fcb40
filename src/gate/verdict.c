/* Findings into a verdict: the order of classes and levels stands here. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define BOOTSTRAP_SEED 20020 /* any; fixed */

const char *const class_names[] = {
    [CLASS_NEW_REGRESSION] = "new-regression",
    [CLASS_STILL_FAILING] = "still-failing",
    [CLASS_BELOW_LIMIT] = "below-limit",
    [CLASS_REMOVED] = "removed",
    [CLASS_WAIVER_EXCEEDED] = "waiver-exceeded",
    [CLASS_REDEFINED] = "redefined",
    [CLASS_ERRORED] = "errored",
    [CLASS_UNTELLABLE] = "untellable",
    [CLASS_WORSE_ALLOWED] = "worse-allowed",
    [CLASS_WAIVED] = "waived",
    [CLASS_GATE_LOOSENED] = "gate-loosened",
    [CLASS_CREEP] = "creep",
    [CLASS_LABEL_CHANGED] = "label-changed",
    [CLASS_UNSTABLE] = "unstable",
    [CLASS_FIXED] = "fixed",
    [CLASS_IMPROVED] = "improved",
    [CLASS_FOUND] = "found",
    [CLASS_GOAL_REACHED] = "goal-reached",
    [CLASS_ADDED] = "added",
    [CLASS_SAME] = "same",
};

const char *const verdict_names[] = {"pass", "fail", "none"};

/* What an event means; how its baseline is found is the caller's. */
static const struct event
    local = {.name = "local", .records = true},
    push = {.name = "push", .records = true},
    pull_request = {.name = "pull_request",
	.innocent = true,
	.pull_request = true},
    merge_group = {.name = "merge_group", .innocent = true, .records = true},
    schedule = {.name = "schedule", .self = true, .records = true},
    manual = {.name = "manual", .self = true, .records = true};

const struct event *const event_table[] = {
    &local, &push, &pull_request, &merge_group, &schedule, &manual};
const size_t nevents = COUNT(event_table);

const struct event *
event_find(const char *name)
{
	size_t i;

	for (i = 0; i < nevents; i++)
		if (strcmp(event_table[i]->name, name) == 0)
			return event_table[i];
	return NULL;
}

void
add_finding(struct judging *judging, struct finding finding)
{
	judging->findings = arena_grow(judging->arena, judging->findings,
	    judging->nfindings, &judging->cap, sizeof(*judging->findings));
	judging->findings[judging->nfindings++] = finding;
}

enum level
still_failing_level(const struct event *event, enum level level)
{
	return event->innocent && level == LEVEL_ERROR ? LEVEL_WARN : level;
}

/*
 * Worse than before and than good is new.  Worse than good only is what
 * somebody broke earlier, but only where before was provably worse than good
 * itself: otherwise this change took the last step.  Worse than before only
 * undoes something, and is said.  Where one reference does not know the
 * subject, the other speaks for both.
 */
enum finding_class
classify(const struct event *event, struct judged_pair pair, enum level *level,
    bool *fails)
{
	bool excusable;

	*fails = false;
	if (!pair.has_before && !pair.has_good) {
		*level = LEVEL_INFO;
		return CLASS_ADDED;
	}
	if (!pair.has_before)
		pair.before = pair.good;
	if (!pair.has_good)
		pair.good = pair.before;
	excusable =
	    pair.has_before && pair.has_good && pair.before != WORSE_YES;
	if (pair.good == WORSE_YES && excusable && pair.excused == WORSE_YES &&
	    pair.before == WORSE_NO) {
		*fails = *level == LEVEL_ERROR;
		*level = still_failing_level(event, *level);
		return CLASS_STILL_FAILING;
	}
	/* Nobody can tell whose it is, and a request must not pass on that. */
	if (pair.good == WORSE_YES && excusable && event->innocent &&
	    (pair.excused == WORSE_UNTELLABLE ||
		pair.before == WORSE_UNTELLABLE))
		return CLASS_UNTELLABLE;
	if (pair.good == WORSE_YES) {
		*fails = *level == LEVEL_ERROR;
		return CLASS_NEW_REGRESSION;
	}
	if (pair.good == WORSE_UNTELLABLE && pair.before == WORSE_NO) {
		*level = still_failing_level(event, *level);
		return CLASS_UNTELLABLE;
	}
	if (pair.good == WORSE_NO && pair.before == WORSE_NO)
		return CLASS_SAME;
	if (pair.good == WORSE_NO) {
		*level = LEVEL_INFO;
		return CLASS_WORSE_ALLOWED;
	}
	return CLASS_UNTELLABLE;
}

const char *
short_id(struct arena *arena, const char *id)
{
	/* What is no id is the name of a file. */
	return strlen(id) == 40 ? arena_strndup(arena, id, 7) : id;
}

void
share_texts(struct arena *arena, double one, double two, const char **text_one,
    const char **text_two)
{
	int digits;

	for (digits = 3; digits < 17; digits++) {
		*text_one = arena_printf(arena, "%.*f", digits, one);
		*text_two = arena_printf(arena, "%.*f", digits, two);
		if (one == two || strcmp(*text_one, *text_two) != 0)
			return;
	}
}

const char *
place_text(struct arena *arena, struct place place)
{
	if (place.rank)
		return arena_printf(arena, "%u", place.rank);
	if (place.depth == DEPTH_UNBOUNDED)
		return "not found";
	return arena_printf(arena, "not found in %u", place.depth);
}

/* Errors first, then warnings, then what is only said. */
static void
order(struct judging *judging)
{
	struct finding *sorted;
	size_t i, n = 0;
	int level;

	sorted = arena_array(
	    judging->arena, judging->nfindings + 1, sizeof(*sorted));
	for (level = LEVEL_ERROR; level <= LEVEL_INFO; level++)
		for (i = 0; i < judging->nfindings; i++)
			if ((int)judging->findings[i].level == level)
				sorted[n++] = judging->findings[i];
	judging->findings = sorted;
}

/* A commit that was never judged may have lost what this one is blamed for. */
static void
suspect_unrecorded(struct judging *judging)
{
	const struct baseline *baseline = judging->in->baseline;
	const char *text;
	struct finding *f;
	size_t i;

	if (!baseline || !baseline->nunrecorded)
		return;
	text = short_id(judging->arena, baseline->unrecorded[0]);
	text = baseline->nunrecorded == 1
	    ? arena_printf(judging->arena,
		  "it may be the fault of %s, which has no record", text)
	    : arena_printf(judging->arena,
		  "it may be the fault of one of %zu commits before this one "
		  "that have no record, %s the latest",
		  baseline->nunrecorded, text);
	for (i = 0; i < judging->nfindings; i++) {
		f = &judging->findings[i];
		if (f->class == CLASS_NEW_REGRESSION)
			f->message = arena_printf(
			    judging->arena, "%s; %s", f->message, text);
	}
}

static bool no_verdict(enum finding_class class)
{
	return class == CLASS_ERRORED || class == CLASS_UNTELLABLE;
}

static void
conclude(const struct judging *judging, struct judgement *judgement)
{
	bool fail = false, none = false, stored = false, unknown = false;
	const struct finding *f;
	size_t i;

	for (i = 0; i < judging->nfindings; i++) {
		f = &judging->findings[i];
		stored |= f->fails_record;
		unknown |= f->unknown_record;
		if (f->level != LEVEL_ERROR)
			continue;
		if (no_verdict(f->class))
			none = true;
		else
			fail = true;
	}
	judgement->verdict = fail ? VERDICT_FAIL
	    : none                ? VERDICT_NONE
				  : VERDICT_PASS;
	/* Red main can't be washed by a pull request. */
	judgement->stored = fail || stored ? RECORD_FAIL
	    : unknown                      ? RECORD_NONE
					   : RECORD_PASS;
}

/*
 * Every measure against the side that is shown, with the interval of its
 * difference.  The seed is fixed: the same input gives the same bytes.
 */
static void
compare_shown(const struct judging *judging, struct judgement *judgement)
{
	const struct gate_input *in = judging->in;
	size_t nm = in->rules->nmeasures, n = in->views->nitems * nm, i;
	struct comparison *comparisons =
	    arena_array(judging->arena, n + 1, sizeof(*comparisons));
	struct interval *intervals =
	    arena_array(judging->arena, n + 1, sizeof(*intervals));

	for (i = 0; i < n; i++) {
		comparisons[i] = compare_measure(judging->arena,
		    &in->rules->measures[i % nm], &in->views->items[i / nm],
		    in->rules, in->questions, in->run, judgement->shown);
		intervals[i] = (struct interval){NAN, NAN};
		if (comparisons[i].differences)
			bootstrap_interval(comparisons[i].differences,
			    comparisons[i].n, BOOTSTRAP_SEED, &intervals[i].low,
			    &intervals[i].high);
	}
	judgement->comparisons = comparisons;
	judgement->intervals = intervals;
}

/* Ranks that were read by other rules say nothing of today's. */
static bool
other_rules(const struct baseline *baseline)
{
	return baseline && baseline->outcome == BASELINE_FOUND &&
	    (baseline->before->record->rules != RECORD_RULES ||
		baseline->good->record->rules != RECORD_RULES);
}

/* No reference where there should be one is no pass. */
static void
judge_baseline(struct judging *judging)
{
	const struct gate_input *in = judging->in;
	const struct baseline *baseline = in->baseline;
	enum level level = LEVEL_ERROR;
	const char *message = NULL;

	if (!baseline)
		return;
	switch (baseline->outcome) {
	case BASELINE_FOUND:
		if (other_rules(baseline)) {
			message = "the record was made by other rules of "
				  "reading runs than this version's; begin "
				  "anew with `evalgate record --start REASON`";
			break;
		}
		if (!baseline->good_cut)
			return;
		/* Red main must not be washed by looking away. */
		level = still_failing_level(in->event, LEVEL_ERROR);
		message = arena_printf(judging->arena,
		    "the nearest record failed, and the last good one was "
		    "not met before the way back ended: %s",
		    baseline->good_cut);
		break;
	case BASELINE_FIRST:
		if (!in->baseline_required && !in->unfetched)
			return;
		message = in->unfetched
		    ? "the history could not be fetched, and none is here, so "
		      "it can't be told whether this is a first run"
		    : "a baseline is required, and there is no record to "
		      "compare with; fetch the history, or record a "
		      "first run";
		break;
	case BASELINE_LOST:
		message = "there are records, but none on the way back from "
			  "this commit; was the branch rewritten? begin "
			  "anew with `evalgate record --start REASON`";
		break;
	case BASELINE_CUT:
		message = arena_printf(judging->arena,
		    "the way back ended before any record was met: %s",
		    baseline->cut ? baseline->cut : "history is missing");
		break;
	}
	add_finding(judging,
	    (struct finding){
		.rule = "baseline",
		.subject = in->suite,
		.level = level,
		.class = CLASS_UNTELLABLE,
		.unknown_record = true,
		.baseline = NAN,
		.current = NAN,
		.limit = NAN,
		.message = message,
		.file = in->rules->file,
	    });
}

void
judge(struct arena *arena, const struct gate_input *input,
    struct judgement *judgement)
{
	struct judging judging = {.arena = arena, .in = input};
	struct gate_input alone = *input;
	const struct side *shown = input->good ? input->good : input->before;

	*judgement = (struct judgement){.shown = shown};
	judging.classes = arena_array(
	    arena, input->questions->nitems + 1, sizeof(*judging.classes));
	judging.fallen = arena_array(
	    arena, input->questions->nitems + 1, sizeof(*judging.fallen));
	waivers_begin(&judging);
	judge_baseline(&judging);
	judge_errored(&judging);
	judge_questions(&judging);
	if (other_rules(input->baseline)) {
		alone.before = alone.good = NULL;
		alone.nwindow = 0;
		judging.in = &alone;
	}
	judging.joined = side_joined(
	    arena, input->questions, judging.in->good, judging.in->before);
	judging.past = side_joined(
	    arena, input->questions, judging.in->before, judging.in->good);
	judge_tracked(&judging);
	judge_max_rank(&judging);
	judge_removed(&judging);
	judge_floors(&judging);
	judge_drops(&judging);
	judge_budget(&judging);
	judge_creep(&judging);
	judge_labels(&judging);
	judge_loosened(&judging);
	waivers_end(&judging, judgement);
	suspect_unrecorded(&judging);
	order(&judging);
	if (shown)
		compare_shown(&judging, judgement);
	judgement->findings = judging.findings;
	judgement->nfindings = judging.nfindings;
	judgement->classes = judging.classes;
	judgement->fallen = judging.fallen;
	conclude(&judging, judgement);
	waivers_forget(&judging, judgement);
}
