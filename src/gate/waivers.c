/*
 * Waivers.  When one first bites, the reference that its subject was worse
 * than is kept in the record and carried on from record to record, until the
 * subject is so good again: a waiver launders nothing.
 */
#include <math.h>
#include <string.h>

#include "internal.h"

const char *
subject_of_question(struct arena *arena, const char *question)
{
	return arena_printf(arena, "question/%s", question);
}

const char *
subject_of_measure(struct arena *arena, const char *measure, const char *slice)
{
	return arena_printf(arena, "metric/%s%s%s", measure, slice ? "/" : "",
	    slice ? slice : "");
}

/* ---------------------------------------------------------------- held -- */

const struct held *
held_of(const struct judging *judging, const char *subject)
{
	const struct gate_input *in = judging->in;
	size_t i;

	/* Where nothing is compared, it is carried on as it is. */
	if (!in->before)
		return NULL;
	for (i = 0; i < in->nheld; i++)
		if (strcmp(judging->held[i].from.subject, subject) == 0)
			return &judging->held[i];
	return NULL;
}

void
held_settle(struct judging *judging, const struct held *held)
{
	judging->settled[held - judging->held] = true;
}

/* Several rules may keep the same subject; the first says what it is. */
void
held_keep(struct judging *judging, struct record_held held)
{
	size_t i;

	for (i = 0; i < judging->nkept; i++)
		if (strcmp(judging->kept[i].subject, held.subject) == 0)
			return;
	judging->kept = arena_grow(judging->arena, judging->kept,
	    judging->nkept, &judging->kept_cap, sizeof(held));
	judging->kept[judging->nkept++] = held;
}

/* -------------------------------------------------------------- waivers -- */

struct waiver_state *
waiver_of(const struct judging *judging, const char *subject)
{
	const struct rules *rules = judging->in->rules;
	size_t i;

	for (i = 0; i < rules->nwaivers; i++)
		if (strcmp(waiver_subject(judging->arena, &rules->waivers[i]),
			subject) == 0)
			return &judging->waivers[i];
	return NULL;
}

enum worse
question_beyond(const struct waiver *waiver, const struct waiving *waiving)
{
	return waiver->has_limit ? rank_beyond(waiving->place, waiver->ceiling)
				 : WORSE_NO;
}

enum worse
metric_beyond(const struct waiver *waiver, const struct waiving *waiving)
{
	return waiver->has_limit && waiving->mean < waiver->floor - ROUNDING
	    ? WORSE_YES
	    : WORSE_NO;
}

/* "waived until 2027-03-01: even weights on trial (#84)" */
static const char *
terms(struct arena *arena, const struct waiver *w)
{
	return arena_printf(arena, "%s%s: %s%s%s%s",
	    w->until == INT64_MAX ? "waived for good" : "waived until ",
	    w->until == INT64_MAX ? "" : w->until_text, w->reason,
	    w->issue ? " (" : "", w->issue ? w->issue : "",
	    w->issue ? ")" : "");
}

/* A waiver without an end is a new standard. */
static void
say_for_good(struct judging *judging, const struct waiver *waiver,
    const struct finding *f)
{
	struct finding said = *f;

	said.rule = "gate";
	said.level = gate_level(judging);
	said.class = CLASS_GATE_LOOSENED;
	said.fails_record = said.level == LEVEL_ERROR;
	said.line = waiver->line;
	said.message = arena_printf(judging->arena,
	    "`until: never` makes what is waived the new standard: %s",
	    waiver->reason);
	add_finding(judging, said);
}

/* A limit stays missed, so that it is said of the change that waives it. */
static bool
new_standard(const struct judging *judging, const struct waiving *waiving)
{
	const struct record_waiver *before;

	if (waiving->reference.commit)
		return true;
	before = waiver_before(judging, waiving->subject);
	return judging->in->before &&
	    !(before && strcmp(before->until, "never") == 0);
}

static void
cover(struct judging *judging, const struct waiving *waiving,
    struct waiver_state *state, struct finding *f)
{
	struct record_held reference = waiving->reference;

	reference.fell = false;
	f->class = CLASS_WAIVED;
	f->level = LEVEL_INFO;
	f->fails_record = false;
	f->unknown_record = false;
	f->message = arena_printf(judging->arena, "%s; %s", f->message,
	    terms(judging->arena, state->waiver));
	state->used = true;
	if (state->waiver->until == INT64_MAX) {
		if (new_standard(judging, waiving))
			say_for_good(judging, state->waiver, f);
		if (waiving->held)
			held_settle(judging, waiving->held);
	} else if (waiving->reference.commit) {
		held_keep(judging, reference);
	}
}

bool
waiver_taken_off(const struct judging *judging, const char *subject)
{
	const struct record_waiver *w = waiver_before(judging, subject);
	int64_t until;

	return w &&
	    (strcmp(w->until, "never") == 0 ||
		(time_parse(w->until, &until) == 0 &&
		    judging->in->now <= until + DAY - 1));
}

/*
 * Worse, and no waiver covers it any more.  A change that did nothing to it
 * is not to blame, unless it was this one that took the waiver away.
 */
static void
exceed(struct judging *judging, const struct waiving *waiving,
    struct finding *f, const char *why, bool deleted)
{
	const struct event *event = judging->in->event;

	f->level = waiving->level;
	f->fails_record = f->level == LEVEL_ERROR;
	if (event->innocent && waiving->no_better && !deleted) {
		f->class = CLASS_STILL_FAILING;
		f->level = still_failing_level(event, f->level);
	} else {
		f->class = CLASS_WAIVER_EXCEEDED;
		if (waiving->worse)
			f->message = waiving->worse;
	}
	f->message = arena_printf(judging->arena, "%s; %s", f->message, why);
}

/* Whether its waiver, as the record before had it, would cover it today. */
static bool
covered_before(const struct judging *judging, const struct waiving *waiving)
{
	const struct record_waiver *then =
	    waiver_before(judging, waiving->subject);
	struct waiver waiver;

	if (!waiver_taken_off(judging, waiving->subject))
		return false;
	waiver = (struct waiver){.question = then->question,
	    .has_limit = then->limit >= 0,
	    .ceiling = (int64_t)then->limit,
	    .floor = then->limit};
	return waiving->beyond(&waiver, waiving) == WORSE_NO;
}

static const char *
limit_text(struct arena *arena, const struct waiver *w)
{
	return w->question
	    ? arena_printf(arena, "beyond its waiver's ceiling %lld",
		  (long long)w->ceiling)
	    : arena_printf(arena, "below its waiver's floor %g", w->floor);
}

static void
apply(struct judging *judging, const struct waiving *waiving,
    struct waiver_state *state, struct finding *f)
{
	const struct waiver *w = state->waiver;
	enum worse beyond =
	    w->has_limit ? waiving->beyond(w, waiving) : WORSE_NO;

	if (judging->in->now > w->until) {
		state->exceeded = true;
		exceed(judging, waiving, f,
		    arena_printf(judging->arena, "its waiver ended on %s",
			w->until_text),
		    covered_before(judging, waiving));
	} else if (beyond == WORSE_YES) {
		state->exceeded = true;
		exceed(judging, waiving, f, limit_text(judging->arena, w),
		    covered_before(judging, waiving));
	} else if (beyond == WORSE_UNTELLABLE) {
		f->class = CLASS_UNTELLABLE;
		f->level = waiving->level;
		f->fails_record = false;
		f->unknown_record = true;
		f->message = arena_printf(judging->arena,
		    "its waiver's ceiling is %lld, but this run looked less "
		    "deep; retrieve more results",
		    (long long)w->ceiling);
	} else {
		cover(judging, waiving, state, f);
	}
}

void
waive(struct judging *judging, const struct waiving *waiving, struct finding *f)
{
	struct waiver_state *state = waiver_of(judging, waiving->subject);

	if (f->class != CLASS_NEW_REGRESSION &&
	    f->class != CLASS_STILL_FAILING && f->class != CLASS_BELOW_LIMIT &&
	    f->class != CLASS_CREEP)
		return;
	if (state)
		apply(judging, waiving, state, f);
	else if (waiving->held && !waiving->held->from.fell)
		exceed(judging, waiving, f,
		    "its waiver is gone, and the loss is still there",
		    waiver_taken_off(judging, waiving->subject));
	/* A limit that is missed is held to nothing. */
	else if (!waiving->held && !waiving->reference.commit &&
	    f->class != CLASS_CREEP &&
	    waiver_taken_off(judging, waiving->subject))
		exceed(judging, waiving, f,
		    "this change took its waiver off, and it is still missed",
		    true);
}

bool
waived(
    struct judging *judging, const struct waiving *waiving, struct finding *f)
{
	struct waiver_state *state = waiver_of(judging, waiving->subject);
	enum worse beyond;
	bool over;

	if (!state)
		return false;
	over = judging->in->now > state->waiver->until;
	beyond = question_beyond(state->waiver, waiving);
	state->exceeded |= over || beyond == WORSE_YES;
	if (over || beyond != WORSE_NO)
		return false;
	cover(judging, waiving, state, f);
	return true;
}

/* ------------------------------------------------------- begin and end -- */

void
waivers_begin(struct judging *judging)
{
	const struct gate_input *in = judging->in;
	const struct waiver *w;
	size_t i;

	judging->held =
	    arena_array(judging->arena, in->nheld + 1, sizeof(*judging->held));
	for (i = 0; i < in->nheld; i++) {
		judging->held[i] = in->held[i];
		judging->held[i].from.subject =
		    subject_today(judging, in->held[i].from.subject);
	}
	judging->settled =
	    arena_array(judging->arena, in->nheld + 1, sizeof(bool));
	judging->waivers = arena_array(
	    judging->arena, in->rules->nwaivers + 1, sizeof(*judging->waivers));
	for (i = 0; i < in->rules->nwaivers; i++) {
		w = &in->rules->waivers[i];
		judging->waivers[i] = (struct waiver_state){.waiver = w,
		    .days_left = w->until == INT64_MAX
			? INT64_MAX
			: (w->until + 1) / DAY - in->now / DAY - 1};
	}
}

static int
compare_held(const void *a, const void *b)
{
	const struct record_held *x = a, *y = b;

	return strcmp(x->subject, y->subject);
}

void
waivers_end(struct judging *judging, struct judgement *judgement)
{
	const struct gate_input *in = judging->in;
	size_t i;

	for (i = 0; i < in->nheld; i++)
		if (!judging->settled[i])
			held_keep(judging, judging->held[i].from);
	sort(judging->kept, judging->nkept, sizeof(*judging->kept),
	    compare_held);
	judgement->held = judging->kept;
	judgement->nheld = judging->nkept;
	judgement->waivers = judging->waivers;
}

/* A good record that has the question speaks for it from now on. */
void
waivers_forget(const struct judging *judging, struct judgement *judgement)
{
	size_t i, n = 0;

	if (judgement->stored != RECORD_PASS)
		return;
	for (i = 0; i < judging->nkept; i++)
		if (!judging->kept[i].fell)
			judging->kept[n++] = judging->kept[i];
	judgement->nheld = n;
}
