/*
 * A change that asks less of itself than the record before did: a rule taken
 * off, a limit widened, an error made a warning.
 */
#include <math.h>
#include <string.h>

#include "internal.h"

struct loosening {
	struct judging *judging;
	const struct side *side;
	const struct record *record; /* the side's, with its rules */
	bool here; /* against before: by this change */
};

enum level
gate_level(const struct judging *judging)
{
	const struct side *before = judging->in->before;

	return before && before->reference->record->limits.change_fails
	    ? LEVEL_ERROR
	    : judging->in->rules->gate_change;
}

static void
say(const struct loosening *l, const char *subject, const char *slice,
    size_t line, const char *message)
{
	const struct gate_input *in = l->judging->in;
	enum level level = gate_level(l->judging);

	add_finding(l->judging,
	    (struct finding){
		.rule = "gate",
		.subject = subject,
		.slice = slice,
		.level =
		    l->here ? level : still_failing_level(in->event, level),
		.class = l->here ? CLASS_GATE_LOOSENED : CLASS_STILL_FAILING,
		.fails_record = level == LEVEL_ERROR,
		.baseline = NAN,
		.current = NAN,
		.limit = NAN,
		.message = arena_printf(l->judging->arena,
		    "asks less than at %s%s: %s",
		    short_id(l->judging->arena, l->record->commit),
		    l->here ? "" : ", already before this change", message),
		.file = in->rules->file,
		.line = line,
	    });
}

/* ---------------------------------------------------------- thresholds -- */

static const char *
slice_of(const struct loosening *l, const struct threshold *t)
{
	return selector_name(l->judging->arena, &t->where);
}

/* The threshold that has a floor, or a drop, of the record's metric. */
static const struct threshold *
threshold_now(
    const struct loosening *l, const struct record_threshold *then, bool floor)
{
	const struct rules *rules = l->judging->in->rules;
	const struct threshold *t;
	size_t i;

	for (i = 0; i < rules->nthresholds; i++) {
		t = &rules->thresholds[i];
		if (strcmp(t->measure.name, then->metric) == 0 &&
		    slice_same(slice_of(l, t), then->slice) &&
		    (floor ? t->has_min : t->has_max_drop))
			return t;
	}
	return NULL;
}

static void
floor_loosened(const struct loosening *l, const struct record_threshold *then)
{
	const struct threshold *now = threshold_now(l, then, true);
	struct arena *arena = l->judging->arena;

	if (!now)
		say(l, then->metric, then->slice, 0,
		    arena_printf(arena, "min %g is gone", then->min));
	else if (now->min < then->min)
		say(l, then->metric, then->slice, now->line,
		    arena_printf(
			arena, "min was %g, is %g", then->min, now->min));
	else if (now->level == LEVEL_WARN && !then->warn)
		say(l, then->metric, then->slice, now->line,
		    "min was an error, is a warning");
}

static void
drop_loosened(const struct loosening *l, const struct record_threshold *then)
{
	const struct threshold *now = threshold_now(l, then, false);
	struct arena *arena = l->judging->arena;
	const char *unit = then->relative ? "%" : "";
	double scale = then->relative ? 100 : 1;

	if (!now)
		say(l, then->metric, then->slice, 0,
		    arena_printf(arena, "max_drop %g%s is gone",
			then->max_drop * scale, unit));
	else if (now->relative != then->relative && now->max_drop > 0)
		say(l, then->metric, then->slice, now->line,
		    "max_drop is of another kind, absolute or relative");
	else if (now->max_drop > then->max_drop)
		say(l, then->metric, then->slice, now->line,
		    arena_printf(arena, "max_drop was %g%s, is %g%s",
			then->max_drop * scale, unit, now->max_drop * scale,
			unit));
	else if (now->alpha > 0 &&
	    (then->alpha <= 0 || now->alpha < then->alpha))
		say(l, then->metric, then->slice, now->line,
		    arena_printf(arena, "alpha is %g now, was %s", now->alpha,
			then->alpha > 0 ? arena_printf(arena, "%g", then->alpha)
					: "none"));
	else if (now->level == LEVEL_WARN && !then->warn)
		say(l, then->metric, then->slice, now->line,
		    "max_drop was an error, is a warning");
}

/*
 * Questions that are in the slice no more, by a label that was changed: their
 * losses are its losses no more.  Those that were removed are listed apart.
 */
static void
slice_loosened(const struct loosening *l, const struct record_threshold *then)
{
	const struct gate_input *in = l->judging->in;
	const struct threshold *now = threshold_now(l, then, then->min >= 0);
	const struct view *view;
	size_t i, left = 0;

	if (!now || !then->n || in->subset)
		return;
	view = threshold_view(l->judging, now);
	for (i = 0; i < in->questions->nitems; i++)
		left += view_has(view, in->questions, i) &&
		    l->side->changes[i] != CHANGE_ADDED;
	if (left + l->side->nremoved < (size_t)then->n)
		say(l, then->metric, then->slice, now->line,
		    arena_printf(l->judging->arena,
			"the slice had %lld questions, and %zu of them are in "
			"it now",
			(long long)then->n, left));
}

/* ------------------------------------------------------------- tracked -- */

static void
tracked_loosened(const struct loosening *l, const struct record_tracked *then)
{
	const struct rules *rules = l->judging->in->rules;
	const char *id = question_today(rules, then->question);
	const struct tracked *now = rules_tracked(rules, id);
	struct arena *arena = l->judging->arena;

	if (!now) {
		/* One that is gone has a rule of its own. */
		if (questions_find(l->judging->in->questions, id))
			say(l, id, NULL, 0, "it is tracked no more");
		return;
	}
	if (now->max_loss > then->max_loss)
		say(l, id, NULL, now->line,
		    arena_printf(arena, "max_loss was %lld, is %lld",
			(long long)then->max_loss, (long long)now->max_loss));
	if (then->max_rank && !now->max_rank)
		say(l, id, NULL, now->line,
		    arena_printf(arena, "max_rank %lld is gone",
			(long long)then->max_rank));
	else if (then->max_rank && now->max_rank > then->max_rank)
		say(l, id, NULL, now->line,
		    arena_printf(arena, "max_rank was %lld, is %lld",
			(long long)then->max_rank, (long long)now->max_rank));
	if (then->document && !now->document)
		say(l, id, NULL, now->line,
		    arena_printf(arena,
			"any relevant document counts, no longer '%s' alone",
			then->document));
	else if (then->document &&
	    !document_was(arena, rules, now->document, then->document))
		say(l, id, NULL, now->line,
		    arena_printf(arena, "'%s' is followed, no longer '%s'",
			now->document, then->document));
}

/* -------------------------------------------------------------- limits -- */

static void
limits_loosened(const struct loosening *l)
{
	const struct record_limits *then = &l->record->limits;
	const struct budget *budget = &l->judging->in->rules->budget;
	const struct creep *creep = &l->judging->in->rules->creep;

	if (then->worse_by > 0 &&
	    (!budget->on || budget->max > then->worse_max ||
		budget->by > then->worse_by))
		say(l, "worse_questions", NULL, budget->line,
		    "more questions may fall, or further");
	else if (then->worse_by > 0 && budget->level == LEVEL_WARN &&
	    !then->worse_warn)
		say(l, "worse_questions", NULL, budget->line,
		    "it was an error, is a warning");
	if (then->creep_window > 0 &&
	    (creep->window < then->creep_window ||
		(creep->level == LEVEL_WARN && !then->creep_warn)))
		say(l, "creep", NULL, creep->line,
		    "small losses are looked for less");
	if (then->change_fails &&
	    l->judging->in->rules->gate_change != LEVEL_ERROR)
		say(l, "gate_change", NULL, 0,
		    "a change like this was an error, is a warning");
}

/* ------------------------------------------- keys that other layers read -- */

/* A laxer reading ranks higher without being any better. */
static void
reading_loosened(const struct loosening *l)
{
	const struct record_limits *then = &l->record->limits;
	const struct record_limits *now = l->judging->in->limits;
	struct arena *arena = l->judging->arena;

	if (now->relevance < then->relevance)
		say(l, "relevance", NULL, 0,
		    arena_printf(arena, "relevance was %lld, is %lld",
			(long long)then->relevance, (long long)now->relevance));
	if (then->match_page && !now->match_page)
		say(l, "match", NULL, 0,
		    "match was page, is document: any page of it will do");
	else if (then->match_page && now->page_tolerance > then->page_tolerance)
		say(l, "page_tolerance", NULL, 0,
		    arena_printf(arena, "page_tolerance was %lld, is %lld",
			(long long)then->page_tolerance,
			(long long)now->page_tolerance));
}

static void
baseline_loosened(const struct loosening *l)
{
	const struct record_limits *then = &l->record->limits;
	const struct record_limits *now = l->judging->in->limits;

	if (!then->accept_any && now->accept_any)
		say(l, "baseline", NULL, 0,
		    "accept was passing, is any: a record that failed is a "
		    "standard now");
	if (then->required && !now->required)
		say(l, "baseline", NULL, 0,
		    "a baseline was required, and is no more");
	if (now->max_distance < then->max_distance)
		say(l, "baseline", NULL, 0,
		    arena_printf(l->judging->arena,
			"max_distance was %lld, is %lld: good records beyond "
			"are forgotten",
			(long long)then->max_distance,
			(long long)now->max_distance));
	if (!l->record->subset && l->judging->in->subset_kept)
		say(l, "subset", NULL, 0,
		    "floors are not judged on a subset, nor questions beyond "
		    "it; to ask some of them now and then, use --only");
}

static void
against(struct judging *judging, const struct side *side, bool here)
{
	struct loosening l = {judging, side, side->reference->record, here};
	const struct record *record = l.record;
	size_t i;

	for (i = 0; i < record->nthresholds; i++) {
		if (record->thresholds[i].min >= 0)
			floor_loosened(&l, &record->thresholds[i]);
		if (record->thresholds[i].max_drop >= 0)
			drop_loosened(&l, &record->thresholds[i]);
		slice_loosened(&l, &record->thresholds[i]);
	}
	for (i = 0; i < record->ntracked; i++)
		tracked_loosened(&l, &record->tracked[i]);
	limits_loosened(&l);
	if (!judging->in->limits)
		return;
	reading_loosened(&l);
	baseline_loosened(&l);
}

/*
 * Before says what this change does.  Where that is an error, a gate that
 * was loosened by a record that failed for it stays loosened: the last good
 * one says so, until gate_change is lowered on purpose.
 */
void
judge_loosened(struct judging *judging)
{
	const struct gate_input *in = judging->in;
	size_t n = judging->nfindings;

	if (!in->before)
		return;
	against(judging, in->before, true);
	if (judging->nfindings == n && in->good && in->good != in->before &&
	    in->rules->gate_change == LEVEL_ERROR)
		against(judging, in->good, false);
}
