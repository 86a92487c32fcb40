/*
 * The rules of tracked questions: the rank may not get worse, and may not
 * exceed max_rank.
 */
#include <math.h>
#include <string.h>

#include "internal.h"

struct place
run_place(const struct judging *judging, size_t question, const char *document,
    bool *known)
{
	const struct gate_input *in = judging->in;
	const struct answer *answer = &in->run->answers[question];
	struct place place = {.depth = in->run->depth};

	*known = answer_rank(&in->questions->items[question], answer, document,
		     in->rules->relevance, &place.rank) &&
	    !answer->errored;
	return place;
}

bool
side_place(const struct judging *judging, const struct side *side,
    size_t question, const char *document, struct place *place)
{
	if (!side || side->changes[question] != CHANGE_NONE)
		return false;
	place->depth = side->reference->record->depth;
	return answer_rank(&judging->in->questions->items[question],
	    &side->answers[question], document, judging->in->rules->relevance,
	    &place->rank);
}

/* A question at one reference. */
struct seen {
	bool known;
	struct place place;
	const char *commit; /* short, for messages */
};

/* One tracked question on all sides. */
struct sight {
	size_t question;
	const char *subject; /* of waivers */
	bool known;
	struct place now;
	bool unknown; /* a record has the question, and can't tell its rank */
	struct seen before, good;
	const struct held *held; /* good is what it is held to */
	bool back; /* as good again as what it was held to */
};

/* Whether a record has this very question, and yet no rank of it. */
static bool
rank_unknown(const struct side *side, size_t question, bool placed)
{
	return side && !placed &&
	    (side->changes[question] == CHANGE_NONE ||
		side->changes[question] == CHANGE_ERRORED);
}

static struct seen
see(const struct judging *judging, const struct side *side, size_t question,
    const char *document)
{
	struct seen seen = {.known = false};

	seen.known = side_place(judging, side, question, document, &seen.place);
	if (seen.known)
		seen.commit =
		    short_id(judging->arena, side->reference->record->commit);
	return seen;
}

/*
 * A reference whose record is not here, or has the question by a name or a
 * document of other days, is known by what was kept of it: whoever carried it
 * on had the question as it is now, unless the config says otherwise.
 */
static struct seen
see_held(const struct judging *judging, const struct held *held,
    const struct tracked *tracked, const struct sight *v)
{
	const struct rules *rules = judging->in->rules;
	struct seen seen =
	    see(judging, held->side, v->question, tracked->document);

	if (seen.known)
		return seen;
	if (held->side &&
	    held->side->changes[v->question] == CHANGE_REDEFINED &&
	    amended(rules->redefined, rules->nredefined, tracked->question))
		return seen;
	return (struct seen){
	    .known = v->before.known || v->good.known || v->unknown,
	    .place = {(unsigned)held->from.value, held->from.depth},
	    .commit = short_id(judging->arena, held->from.commit)};
}

/*
 * A question that was waived is held to what it was worse than then.  As
 * another question, or as good as that again, it is held no longer.
 */
static void
look_at_held(
    struct judging *judging, const struct tracked *tracked, struct sight *v)
{
	const struct held *held = held_of(judging, v->subject);
	struct seen seen;

	if (!held)
		return;
	seen = see_held(judging, held, tracked, v);
	if (!seen.known ||
	    (v->known && rank_worse(v->now, seen.place, 0) == WORSE_NO)) {
		held_settle(judging, held);
		v->back = seen.known;
		if (v->back)
			v->good = seen;
		return;
	}
	/* Within its limit for now, which a later change may narrow again. */
	if (v->known &&
	    rank_worse(v->now, seen.place, tracked->max_loss) == WORSE_NO)
		return;
	/* Whichever asks more. */
	if (v->good.known &&
	    rank_worse(v->good.place, seen.place, 0) != WORSE_YES)
		return;
	v->held = held;
	v->good = seen;
}

static struct sight
look(struct judging *judging, const struct tracked *tracked)
{
	const struct gate_input *in = judging->in;
	struct sight v = {
	    .subject = subject_of_question(judging->arena, tracked->question)};

	questions_index(in->questions, tracked->question,
	    strlen(tracked->question), &v.question);
	v.now = run_place(judging, v.question, tracked->document, &v.known);
	v.before = see(judging, in->before, v.question, tracked->document);
	v.good = see(judging, in->good, v.question, tracked->document);
	v.unknown = rank_unknown(in->before, v.question, v.before.known) ||
	    rank_unknown(in->good, v.question, v.good.known);
	look_at_held(judging, tracked, &v);
	return v;
}

/* "rank 5 → 9", against the reference that decides. */
static const char *
change_text(struct arena *arena, struct place then, struct place now)
{
	return arena_printf(arena, "rank %s → %s", place_text(arena, then),
	    place_text(arena, now));
}

static double
rank_number(struct place place)
{
	return place.rank ? (double)place.rank : NAN;
}

/* Why it can't be told whether it got worse, or by whom. */
static const char *
untellable(const struct sight *v)
{
	if (!v->known)
		return "the run gives one rank where several documents are "
		       "expected, so the tracked one's can't be told; give "
		       "lists";
	if (!v->before.known && !v->good.known)
		return "its retrieval had failed at the record that this run "
		       "is compared with, so nothing is known to compare";
	if (!v->now.rank &&
	    !(v->good.known && v->good.place.rank &&
		v->now.depth >= v->good.place.rank))
		return "not found, but this run did not look deep enough to "
		       "tell whether that is worse; retrieve more results";
	return "worse than at the last good record, and the one before can't "
	       "tell whether it was so already";
}

static const char *
explain(const struct judging *judging, const struct tracked *tracked,
    enum finding_class class, const struct sight *v)
{
	struct arena *arena = judging->arena;
	const char *allowed = tracked->max_loss
	    ? arena_printf(
		  arena, "; max_loss is %lld", (long long)tracked->max_loss)
	    : "";

	switch (class) {
	case CLASS_NEW_REGRESSION:
		return arena_printf(arena, "worse than at %s%s",
		    v->good.known ? v->good.commit : v->before.commit, allowed);
	case CLASS_STILL_FAILING:
		return arena_printf(arena,
		    "not by this change: still worse than at %s, %s; %s at %s "
		    "before it%s",
		    v->good.commit,
		    !v->held                 ? "the last good record"
			: v->held->from.fell ? "where it stood before it fell"
					     : "what it is held to since it "
					       "was waived",
		    place_text(arena, v->before.place), v->before.commit,
		    allowed);
	case CLASS_UNTELLABLE:
		return untellable(v);
	case CLASS_WORSE_ALLOWED:
		return v->good.known &&
			rank_worse(v->now, v->good.place, 0) == WORSE_NO
		    ? "worse than before, no worse than the last good record"
		    : arena_printf(arena, "within max_loss %lld",
			  (long long)tracked->max_loss);
	case CLASS_FIXED:
		return arena_printf(
		    arena, "as good again as at %s", v->good.commit);
	case CLASS_FOUND:
		return "found now";
	case CLASS_IMPROVED:
		return "improved";
	case CLASS_GOAL_REACHED:
		return arena_printf(arena, "the goal of rank %lld is reached",
		    (long long)tracked->goal);
	default:
		return "no history yet";
	}
}

static bool
reaches(const struct tracked *tracked, struct place place)
{
	return tracked->goal && place.rank && place.rank <= tracked->goal;
}

/* What is no regression may be good news, or a loss within limits. */
static enum finding_class
better(const struct tracked *tracked, const struct sight *v)
{
	struct place then = v->before.known ? v->before.place : v->good.place;

	if (reaches(tracked, v->now) && !reaches(tracked, then))
		return CLASS_GOAL_REACHED;
	if (v->back ||
	    (v->before.known && v->good.known &&
		rank_worse(v->before.place, v->good.place, tracked->max_loss) ==
		    WORSE_YES))
		return CLASS_FIXED;
	if (!then.rank && v->now.rank)
		return CLASS_FOUND;
	if (then.rank && v->now.rank && v->now.rank < then.rank)
		return CLASS_IMPROVED;
	if (rank_worse(v->now, then, 0) == WORSE_YES)
		return CLASS_WORSE_ALLOWED;
	return CLASS_SAME;
}

/*
 * Equal scores are ordered by id, which says nothing of relevance: whoever
 * reads of a change should know that it may be that order's.
 */
static const char *
with_tie(const struct judging *judging, size_t question, const char *message)
{
	const struct answer *a = &judging->in->run->answers[question];
	const struct answer_more *more = answer_more(a);
	unsigned tied = answer_tied(a);

	if (tied < 2)
		return message;
	return arena_printf(judging->arena,
	    "%s; tied with %u: equal scores at ranks %u to %u", message,
	    tied - 1, more->tied_first, more->tied_first + tied - 1);
}

/* How both references see it; the class is the pair's, if nothing is odd. */
static enum finding_class
class_of(const struct judging *judging, const struct tracked *tracked,
    const struct sight *v, struct finding *f)
{
	struct judged_pair pair = {
	    .has_before = v->before.known, .has_good = v->good.known};
	enum finding_class class;

	if (v->before.known)
		pair.before =
		    rank_worse(v->now, v->before.place, tracked->max_loss);
	if (v->good.known)
		pair.good =
		    rank_worse(v->now, v->good.place, tracked->max_loss);
	if (v->before.known && v->good.known)
		pair.excused = rank_worse(
		    v->before.place, v->good.place, tracked->max_loss);
	class = classify(judging->in->event, pair, &f->level, &f->fails_record);
	if (!v->known ||
	    (class == CLASS_ADDED && v->unknown && good_is_standard(judging))) {
		class = CLASS_UNTELLABLE;
		f->level = LEVEL_ERROR;
		f->fails_record = false;
	}
	if (class == CLASS_SAME) {
		class = better(tracked, v);
		f->level = LEVEL_INFO;
	}
	return class;
}

/* The place that a finding of a class compares with. */
static struct place
compared_with(enum finding_class class, const struct sight *v)
{
	bool nearest = class >= CLASS_WORSE_ALLOWED;

	if (nearest ? v->before.known : !v->good.known)
		return v->before.place;
	return v->good.place;
}

static struct waiving
waiving_of(const struct judging *judging, const struct sight *v)
{
	const struct side *side =
	    v->good.known ? judging->in->good : judging->in->before;
	struct waiving w = {.subject = v->subject,
	    .level = LEVEL_ERROR,
	    .beyond = question_beyond,
	    .place = v->now,
	    .no_better = v->before.known &&
		rank_worse(v->now, v->before.place, 0) == WORSE_NO,
	    .held = v->held};
	struct seen then = v->good.known ? v->good : v->before;

	if (v->held)
		w.reference = v->held->from;
	else if (then.known && then.place.rank)
		w.reference = (struct record_held){.subject = v->subject,
		    .commit = side->reference->record->commit,
		    .value = then.place.rank,
		    .depth = then.place.depth};
	return w;
}

static const char *
with_note(const struct judging *judging, const struct tracked *tracked,
    const char *message)
{
	return tracked->note
	    ? arena_printf(judging->arena, "%s (%s)", message, tracked->note)
	    : message;
}

static void
judge_one(struct judging *judging, const struct tracked *tracked)
{
	struct sight v = look(judging, tracked);
	struct finding f = {.rule = "tracked", .subject = tracked->question};
	bool compared = (v.before.known || v.good.known) && v.known;
	struct waiving waiving;
	struct place then;

	/* Of one whose retrieval failed nothing is known, and that is said. */
	if (judging->in->run->answers[v.question].errored ||
	    (!judging->in->before && v.known))
		return;
	f.class = class_of(judging, tracked, &v, &f);
	f.unknown_record = f.class == CLASS_UNTELLABLE;
	judging->classes[v.question] = f.class;
	if (f.class == CLASS_SAME)
		return;
	then = compared_with(f.class, &v);
	f.baseline = compared ? rank_number(then) : NAN;
	f.current = rank_number(v.now);
	f.limit = !compared || !then.rank
	    ? NAN
	    : (double)then.rank + (double)tracked->max_loss;
	f.change = !compared ? arena_printf(judging->arena, "rank %s",
				   place_text(judging->arena, v.now))
			     : change_text(judging->arena, then, v.now);
	f.message = with_tie(
	    judging, v.question, explain(judging, tracked, f.class, &v));
	f.file = judging->in->rules->file;
	f.line = tracked->line;
	waiving = waiving_of(judging, &v);
	waiving.worse = explain(judging, tracked, CLASS_NEW_REGRESSION, &v);
	waive(judging, &waiving, &f);
	/* As long as no good record has it, nothing else remembers. */
	if (f.class == CLASS_NEW_REGRESSION && waiving.reference.commit &&
	    (!v.good.known || !good_is_standard(judging))) {
		waiving.reference.fell = true;
		held_keep(judging, waiving.reference);
	}
	f.message = with_note(judging, tracked, f.message);
	judging->classes[v.question] = f.class;
	add_finding(judging, f);
}

void
judge_tracked(struct judging *judging)
{
	size_t i;

	for (i = 0; i < judging->in->rules->ntracked; i++)
		judge_one(judging, &judging->in->rules->tracked[i]);
}

enum worse
rank_beyond(struct place place, int64_t limit)
{
	if (place.rank)
		return place.rank > limit ? WORSE_YES : WORSE_NO;
	return place.depth == DEPTH_UNBOUNDED || place.depth >= limit
	    ? WORSE_YES
	    : WORSE_UNTELLABLE;
}

/* Missed before, too: not by this change, unless it lowered max_rank. */
static void
missed_before(const struct judging *judging, const struct tracked *tracked,
    const struct sight *v, struct finding *f)
{
	if (max_rank_is_new(judging, tracked, v->before.place)) {
		f->message = arena_printf(judging->arena,
		    "max_rank is %lld, which is new with this change",
		    (long long)tracked->max_rank);
		return;
	}
	if (passed_before(judging))
		return;
	f->class = CLASS_STILL_FAILING;
	f->level = still_failing_level(judging->in->event, f->level);
	f->baseline = rank_number(v->before.place);
	f->message = arena_printf(judging->arena,
	    "max_rank is %lld, missed before this change too: %s at %s",
	    (long long)tracked->max_rank,
	    place_text(judging->arena, v->before.place), v->before.commit);
}

static void
judge_one_max_rank(struct judging *judging, const struct tracked *tracked)
{
	struct sight v = look(judging, tracked);
	enum worse now = rank_beyond(v.now, tracked->max_rank);
	struct finding f = {.rule = "max_rank",
	    .subject = tracked->question,
	    .file = judging->in->rules->file,
	    .line = tracked->line,
	    .current = rank_number(v.now),
	    .baseline = NAN,
	    .limit = (double)tracked->max_rank};
	struct waiving waiving;

	if (now == WORSE_NO || !v.known)
		return;
	f.change = arena_printf(
	    judging->arena, "rank %s", place_text(judging->arena, v.now));
	f.class = CLASS_BELOW_LIMIT;
	f.fails_record = true;
	f.message = arena_printf(
	    judging->arena, "max_rank is %lld", (long long)tracked->max_rank);
	if (now == WORSE_UNTELLABLE) {
		f.class = CLASS_UNTELLABLE;
		f.fails_record = false;
		f.unknown_record = true;
		f.message = arena_printf(judging->arena,
		    "max_rank is %lld, but this run looked less deep; "
		    "retrieve more results",
		    (long long)tracked->max_rank);
	} else if (v.before.known &&
	    rank_beyond(v.before.place, tracked->max_rank) == WORSE_YES &&
	    rank_worse(v.now, v.before.place, 0) == WORSE_NO) {
		missed_before(judging, tracked, &v, &f);
	}
	waiving = waiving_of(judging, &v);
	waiving.reference.commit = NULL;
	waiving.held = NULL;
	waive(judging, &waiving, &f);
	f.message = with_note(judging, tracked, f.message);
	if (judging->classes[v.question] > CLASS_UNTELLABLE)
		judging->classes[v.question] = f.class;
	add_finding(judging, f);
}

void
judge_max_rank(struct judging *judging)
{
	const struct rules *rules = judging->in->rules;
	size_t i;

	for (i = 0; i < rules->ntracked; i++)
		if (rules->tracked[i].max_rank)
			judge_one_max_rank(judging, &rules->tracked[i]);
}
