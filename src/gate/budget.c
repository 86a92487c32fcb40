/* worse_questions: how many untracked questions may fall, and how far. */
#include <math.h>
#include <string.h>

#include "internal.h"

#define NAMED 5 /* questions that the message names, the worst first */

/* A question that fell. */
struct fallen {
	const struct question *question;
	struct place then, now;
	const char *commit; /* where it was `then` */
	const struct held *held; /* that is what it is held to; NULL */
	bool joined; /* good does not have it: then is before */
};

struct counting {
	struct fallen *fallen;
	size_t nfallen;
	size_t nuntellable;
	size_t nbefore; /* that had fallen before this change */
	size_t nown; /* that fell by this change, or further */
	size_t nlapsed; /* fallen ones that a waiver covers no more */
};

/* Fell by so many ranks, or out of what was looked at. */
static enum worse
fell(struct place now, struct place then, int64_t by)
{
	return rank_worse(now, then, now.rank ? by - 1 : 0);
}

static bool
counts(const struct judging *judging, size_t i)
{
	const struct gate_input *in = judging->in;
	const struct question *q = &in->questions->items[i];

	return question_counts(q) && !rules_tracked(in->rules, q->id) &&
	    !in->run->answers[i].errored;
}

/*
 * A question that was waived is held to where it stood then, if that asks
 * more, until it has not fallen from there any more.
 */
static const struct held *
look_at_held(struct judging *judging, size_t i, const char *subject,
    struct place now, struct place *then)
{
	const struct held *held = held_of(judging, subject);
	struct place place = {0}, before;
	bool known;

	if (!held)
		return NULL;
	known = side_place(judging, held->side, i, NULL, &place);
	/* By a name of other days it is known by what was kept of it. */
	if (!known)
		place = (struct place){
		    (unsigned)held->from.value, held->from.depth};
	known = known || !held->side ||
	    side_place(judging, judging->in->before, i, NULL, &before);
	if (!known ||
	    fell(now, place, judging->in->rules->budget.by) == WORSE_NO) {
		held_settle(judging, held);
		return NULL;
	}
	if (rank_worse(*then, place, 0) != WORSE_YES)
		return NULL;
	*then = place;
	return held;
}

/* Whether a waiver takes a question that fell out of the count. */
static bool
excused(struct judging *judging, const struct fallen *f, const char *subject)
{
	const struct gate_input *in = judging->in;
	struct waiving waiving = {.subject = subject,
	    .place = f->now,
	    .held = f->held,
	    .reference = {.subject = subject,
		.commit = f->commit,
		.value = f->then.rank,
		.depth = f->then.depth}};
	struct finding finding = {.rule = "worse_questions",
	    .subject = f->question->id,
	    .baseline = f->then.rank,
	    .current = f->now.rank ? f->now.rank : NAN,
	    .limit = NAN,
	    .message = arena_printf(judging->arena, "worse than at %s",
		short_id(judging->arena, f->commit)),
	    .file = in->rules->file,
	    .line = in->rules->budget.line};

	if (f->held)
		waiving.reference = f->held->from;
	finding.change = arena_printf(judging->arena, "rank %s → %s",
	    place_text(judging->arena, f->then),
	    place_text(judging->arena, f->now));
	if (!waived(judging, &waiving, &finding))
		return false;
	add_finding(judging, finding);
	return true;
}

/* Where it stood at the last good record, else at the one before. */
static bool
find_then(const struct judging *judging, size_t i, const struct side *side,
    struct fallen *f)
{
	const struct side *before = judging->in->before;

	f->commit = side->reference->record->commit;
	if (side_place(judging, side, i, NULL, &f->then))
		return true;
	f->joined = true;
	if (before)
		f->commit = before->reference->record->commit;
	return side_place(judging, before, i, NULL, &f->then);
}

/* Whose fall it is. */
static void
count_before(const struct judging *judging, size_t i, const char *subject,
    const struct fallen *f, struct counting *to)
{
	int64_t by = judging->in->rules->budget.by;
	struct place before;

	if (!side_place(judging, judging->in->before, i, NULL, &before))
		return;
	if (fell(before, f->then, by) == WORSE_YES)
		to->nbefore += !waiver_taken_off(judging, subject);
	if (fell(f->now, before, by) == WORSE_YES)
		to->nown++;
}

static void
count_one(struct judging *judging, size_t i, const struct side *side,
    struct counting *to)
{
	struct fallen f = {.question = &judging->in->questions->items[i]};
	const char *subject =
	    subject_of_question(judging->arena, f.question->id);
	enum worse worse;
	bool known;

	f.now = run_place(judging, i, NULL, &known);
	if (!find_then(judging, i, side, &f))
		return;
	f.held = look_at_held(judging, i, subject, f.now, &f.then);
	if (f.held)
		f.commit = f.held->from.commit;
	worse = fell(f.now, f.then, judging->in->rules->budget.by);
	if (worse != WORSE_NO && excused(judging, &f, subject))
		return;
	count_before(judging, i, subject, &f, to);
	to->nuntellable += worse == WORSE_UNTELLABLE;
	if (worse != WORSE_YES)
		return;
	to->fallen[to->nfallen++] = f;
	to->nlapsed +=
	    (f.held && !f.held->from.fell) || waiver_of(judging, subject);
}

/* Losses first, the largest first; a miss is worse than any rank. */
static int
compare_fallen(const void *a, const void *b)
{
	const struct fallen *x = a, *y = b;
	int64_t one = (int64_t)(x->now.rank - 1) - (int64_t)(x->then.rank - 1);
	int64_t two = (int64_t)(y->now.rank - 1) - (int64_t)(y->then.rank - 1);

	if (one != two)
		return one > two ? -1 : 1;
	return strcmp(x->question->id, y->question->id);
}

/* "q7 (2 → 9), q3 (1 → not found in 10) and 4 more" */
static const char *
names(struct arena *arena, const struct counting *counting,
    const struct side *side)
{
	const char *commit = side->reference->record->commit;
	const struct fallen *f;
	const char *text = "";
	size_t i, n = 0;

	for (i = 0; i < counting->nfallen && n < NAMED; i++) {
		f = &counting->fallen[i];
		if (f->question->holdout)
			continue;
		text = arena_printf(arena, "%s%s%s (%s → %s%s%s)", text,
		    n++ ? ", " : "", f->question->id,
		    place_text(arena, f->then), place_text(arena, f->now),
		    strcmp(f->commit, commit) == 0 ? "" : " since ",
		    strcmp(f->commit, commit) == 0
			? ""
			: short_id(arena, f->commit));
	}
	if (n < counting->nfallen)
		text = arena_printf(arena, "%s%s%zu%s", text, n ? " and " : "",
		    counting->nfallen - n, n ? " more" : " of the holdout set");
	return text;
}

static void
say(struct judging *judging, const struct counting *counting,
    const struct side *side)
{
	const struct gate_input *in = judging->in;
	const struct budget *budget = &in->rules->budget;
	const char *commit =
	    short_id(judging->arena, side->reference->record->commit);
	struct finding f = {.rule = "worse_questions",
	    .subject = "worse_questions",
	    .level = budget->level,
	    .class = CLASS_BELOW_LIMIT,
	    .fails_record = budget->level == LEVEL_ERROR,
	    .baseline = NAN,
	    .current = (double)counting->nfallen,
	    .limit = (double)budget->max,
	    .file = in->rules->file,
	    .line = budget->line};
	size_t max = (size_t)budget->max;
	bool before = counting->nbefore > max &&
	    counting->nbefore >= counting->nfallen && counting->nown <= max &&
	    !budget_is_new(judging, counting->nbefore);
	bool lapsed = counting->nfallen - counting->nlapsed <= max;

	f.change =
	    arena_printf(judging->arena, "%zu questions", counting->nfallen);
	f.message = arena_printf(judging->arena,
	    "fell by %lld or more since %s, at most %lld may: %s",
	    (long long)budget->by, commit, (long long)budget->max,
	    names(judging->arena, counting, side));
	if (counting->nfallen <= max) {
		f.class = CLASS_UNTELLABLE;
		f.fails_record = false;
		f.unknown_record = budget->level == LEVEL_ERROR;
		f.message = arena_printf(judging->arena,
		    "%zu fell since %s, and %zu more were not found by this "
		    "run, which looked less deep; at most %lld may fall; "
		    "retrieve more results",
		    counting->nfallen, commit, counting->nuntellable,
		    (long long)budget->max);
	} else if (lapsed && !(in->event->innocent && before)) {
		f.class = CLASS_WAIVER_EXCEEDED;
		f.message = arena_printf(judging->arena,
		    "%s; no waiver covers %zu of them any more", f.message,
		    counting->nlapsed);
	} else if (before) {
		f.class = CLASS_STILL_FAILING;
		f.level = still_failing_level(in->event, f.level);
		f.baseline = (double)counting->nbefore;
		f.message = arena_printf(
		    judging->arena, "not by this change: %s", f.message);
	}
	add_finding(judging, f);
}

/*
 * The questions that are too many.  What one that no good record has fell
 * from is carried on, or nothing would remember.
 */
static void
remember(struct judging *judging, const struct counting *counting)
{
	const struct fallen *f;
	size_t i;

	for (i = 0; i < counting->nfallen; i++) {
		f = &counting->fallen[i];
		judging->fallen[f->question - judging->in->questions->items] =
		    true;
		if ((f->joined || !good_is_standard(judging)) && !f->held)
			held_keep(judging,
			    (struct record_held){
				.subject = subject_of_question(
				    judging->arena, f->question->id),
				.commit = f->commit,
				.value = f->then.rank,
				.depth = f->then.depth,
				.fell = true,
			    });
	}
}

void
judge_budget(struct judging *judging)
{
	const struct gate_input *in = judging->in;
	const struct budget *budget = &in->rules->budget;
	const struct side *side = in->good ? in->good : in->before;
	struct counting counting = {0};
	size_t i;

	if (!budget->on || !side)
		return;
	counting.fallen = arena_array(judging->arena, in->questions->nitems + 1,
	    sizeof(*counting.fallen));
	for (i = 0; i < in->questions->nitems; i++)
		if (counts(judging, i))
			count_one(judging, i, side, &counting);
	if (counting.nfallen + counting.nuntellable <= (size_t)budget->max)
		return;
	if (counting.nfallen > (size_t)budget->max)
		remember(judging, &counting);
	sort(counting.fallen, counting.nfallen, sizeof(*counting.fallen),
	    compare_fallen);
	say(judging, &counting, side);
}
