/*
 * The rules of tracked questions: the rank may not get worse, may not exceed
 * max_rank, and the question may not vanish.
 */
#include <math.h>
#include <string.h>

#include "internal.h"

struct place
run_place(const struct judging *judging, size_t question, const char *document,
    bool *known)
{
	const struct gate_input *in = judging->in;
	struct place place = {.depth = in->run->depth};

	*known = answer_rank(&in->questions->items[question],
	    &in->run->answers[question], document, in->rules->relevance,
	    &place.rank);
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

/* One tracked question on all sides. */
struct sight {
	size_t question;
	bool known;
	struct place now;
	bool in_before, in_good;
	bool unknown; /* a record has the question, and can't tell its rank */
	struct place before, good;
};

/* Whether a record has this very question, and yet no rank of it. */
static bool
rank_unknown(const struct side *side, size_t question, bool placed)
{
	return side && !placed &&
	    (side->changes[question] == CHANGE_NONE ||
		side->changes[question] == CHANGE_ERRORED);
}

static struct sight
look(const struct judging *judging, const struct tracked *tracked)
{
	const struct gate_input *in = judging->in;
	struct sight v = {0};

	questions_index(in->questions, tracked->question,
	    strlen(tracked->question), &v.question);
	v.now = run_place(judging, v.question, tracked->document, &v.known);
	v.in_before = side_place(
	    judging, in->before, v.question, tracked->document, &v.before);
	v.in_good = side_place(
	    judging, in->good, v.question, tracked->document, &v.good);
	v.unknown = rank_unknown(in->before, v.question, v.in_before) ||
	    rank_unknown(in->good, v.question, v.in_good);
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

static const char *
commit_of(const struct judging *judging, const struct side *side)
{
	return short_id(judging->arena, side->reference->record->commit);
}

/* Why it can't be told whether it got worse, or by whom. */
static const char *
untellable(const struct sight *v)
{
	if (!v->known)
		return "the run gives one rank where several documents are "
		       "expected, so the tracked one's can't be told; give "
		       "lists";
	if (!v->in_before && !v->in_good)
		return "its retrieval had failed at the record that this run "
		       "is compared with, so nothing is known to compare";
	if (!v->now.rank)
		return "not found, but this run did not look deep enough to "
		       "tell whether that is worse; retrieve more results";
	return "worse than at the last good record, and the one before can't "
	       "tell whether it was so already";
}

static const char *
explain(const struct judging *judging, const struct tracked *tracked,
    enum finding_class class, const struct sight *v)
{
	const struct gate_input *in = judging->in;
	struct arena *arena = judging->arena;
	const char *allowed = tracked->max_loss
	    ? arena_printf(
		  arena, "; max_loss is %lld", (long long)tracked->max_loss)
	    : "";

	switch (class) {
	case CLASS_NEW_REGRESSION:
		return arena_printf(arena, "worse than at %s%s",
		    commit_of(judging, v->in_good ? in->good : in->before),
		    allowed);
	case CLASS_STILL_FAILING:
		return arena_printf(arena,
		    "not by this change: still worse than at %s, the last "
		    "good record; %s at %s before it%s",
		    commit_of(judging, in->good), place_text(arena, v->before),
		    commit_of(judging, in->before), allowed);
	case CLASS_UNTELLABLE:
		return untellable(v);
	case CLASS_WORSE_ALLOWED:
		return v->in_good && rank_worse(v->now, v->good, 0) == WORSE_NO
		    ? "worse than before, no worse than the last good record"
		    : arena_printf(arena, "within max_loss %lld",
			  (long long)tracked->max_loss);
	case CLASS_FIXED:
		return arena_printf(arena, "as good again as at %s",
		    commit_of(judging, in->good));
	case CLASS_FOUND:
		return "found now";
	case CLASS_IMPROVED:
		return "improved";
	default:
		return "no history yet";
	}
}

/* What is no regression may be good news, or a loss within limits. */
static enum finding_class
better(const struct tracked *tracked, const struct sight *v,
    struct judged_pair pair)
{
	struct place then = v->in_before ? v->before : v->good;

	(void)pair;
	if (v->in_before && v->in_good &&
	    rank_worse(v->before, v->good, tracked->max_loss) == WORSE_YES)
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
	unsigned tied = answer_tied(a);

	if (tied < 2)
		return message;
	return arena_printf(judging->arena,
	    "%s; tied with %u: equal scores at ranks %u to %u", message,
	    tied - 1, a->more->tied_first, a->more->tied_first + tied - 1);
}

static void
judge_one(struct judging *judging, const struct tracked *tracked)
{
	struct sight v = look(judging, tracked);
	struct judged_pair pair = {
	    .has_before = v.in_before, .has_good = v.in_good};
	struct finding f = {.rule = "tracked", .subject = tracked->question};
	struct place then = v.in_good ? v.good : v.before;
	bool compared;

	if (!judging->in->before && v.known)
		return;
	if (v.in_before)
		pair.before = rank_worse(v.now, v.before, tracked->max_loss);
	if (v.in_good)
		pair.good = rank_worse(v.now, v.good, tracked->max_loss);
	if (v.in_before && v.in_good)
		pair.excused = rank_worse(v.before, v.good, tracked->max_loss);
	f.class = classify(judging->in->event, pair, &f.level, &f.fails_record);
	if (!v.known || (f.class == CLASS_ADDED && v.unknown)) {
		f.class = CLASS_UNTELLABLE;
		f.level = LEVEL_ERROR;
		f.fails_record = false;
	}
	f.unknown_record = f.class == CLASS_UNTELLABLE;
	if (f.class == CLASS_SAME) {
		f.class = better(tracked, &v, pair);
		f.level = LEVEL_INFO;
		then = v.in_before ? v.before : v.good;
	} else if (f.class == CLASS_WORSE_ALLOWED) {
		then = v.before;
	}
	judging->classes[v.question] = f.class;
	if (f.class == CLASS_SAME)
		return;
	compared = (v.in_before || v.in_good) && v.known;
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
	add_finding(judging, f);
}

void
judge_tracked(struct judging *judging)
{
	size_t i;

	for (i = 0; i < judging->in->rules->ntracked; i++)
		judge_one(judging, &judging->in->rules->tracked[i]);
}

/* Whether a place misses max_rank. */
static enum worse
beyond(struct place place, int64_t max_rank)
{
	if (place.rank)
		return place.rank > max_rank ? WORSE_YES : WORSE_NO;
	return place.depth == DEPTH_UNBOUNDED || place.depth >= max_rank
	    ? WORSE_YES
	    : WORSE_UNTELLABLE;
}

static void
judge_one_max_rank(struct judging *judging, const struct tracked *tracked)
{
	struct sight v = look(judging, tracked);
	enum worse now = beyond(v.now, tracked->max_rank);
	struct finding f = {.rule = "max_rank",
	    .subject = tracked->question,
	    .file = judging->in->rules->file,
	    .line = tracked->line,
	    .current = rank_number(v.now),
	    .baseline = NAN,
	    .limit = (double)tracked->max_rank};

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
		f.message = arena_printf(judging->arena,
		    "max_rank is %lld, but this run looked less deep; "
		    "retrieve more results",
		    (long long)tracked->max_rank);
	} else if (v.in_before &&
	    beyond(v.before, tracked->max_rank) == WORSE_YES &&
	    rank_worse(v.now, v.before, 0) == WORSE_NO) {
		f.class = CLASS_STILL_FAILING;
		f.level = still_failing_level(judging->in->event, f.level);
		f.baseline = rank_number(v.before);
		f.message = arena_printf(judging->arena,
		    "max_rank is %lld, missed before this change too: %s at "
		    "%s",
		    (long long)tracked->max_rank,
		    place_text(judging->arena, v.before),
		    commit_of(judging, judging->in->before));
	}
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

static bool
amended(const struct amendment *list, size_t n, const char *question)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (strcmp(list[i].question, question) == 0)
			return true;
	return false;
}

/* What became of a question that a record tracked. */
static enum finding_class
fate(const struct judging *judging, const struct side *side,
    const char *question)
{
	const struct gate_input *in = judging->in;
	const struct rules *rules = in->rules;
	const char *id = question;
	size_t i, k;

	for (i = 0; i < rules->nrenamed; i++)
		if (strcmp(rules->renamed[i].question, question) == 0)
			id = rules->renamed[i].to;
	if (!questions_index(in->questions, id, strlen(id), &i))
		return amended(rules->retired, rules->nretired, question)
		    ? CLASS_SAME
		    : CLASS_REMOVED;
	/* A name that the record had for another question is no new name. */
	if (strcmp(id, question) != 0 &&
	    map_get(&side->qset->by_id, id, strlen(id), &k))
		return CLASS_REMOVED;
	if (side->changes[i] != CHANGE_REDEFINED)
		return CLASS_SAME;
	return amended(rules->redefined, rules->nredefined, id)
	    ? CLASS_SAME
	    : CLASS_REDEFINED;
}

static bool
tracks(const struct side *side, const char *question)
{
	const struct record *record = side->reference->record;
	size_t i;

	for (i = 0; i < record->ntracked; i++)
		if (strcmp(record->tracked[i].question, question) == 0)
			return true;
	return false;
}

static void
lost(struct judging *judging, const struct side *side, const char *question)
{
	const struct gate_input *in = judging->in;
	enum finding_class class = fate(judging, side, question);
	bool before = in->before && tracks(in->before, question) &&
	    fate(judging, in->before, question) != CLASS_SAME;
	struct finding f = {.rule = "tracked",
	    .subject = question,
	    .class = class,
	    .fails_record = true,
	    .baseline = NAN,
	    .current = NAN,
	    .limit = NAN,
	    .file = in->rules->file};

	if (class == CLASS_SAME)
		return;
	f.message = arena_printf(judging->arena,
	    class == CLASS_REMOVED
		? "was tracked at %s and is no longer asked; say so with "
		  "`retired` or `renamed`"
		: "was tracked at %s and is another question now (text, "
		  "documents or grades); say so with `redefined`",
	    commit_of(judging, side));
	if (!before) {
		f.class = CLASS_STILL_FAILING;
		f.level = still_failing_level(in->event, f.level);
	}
	add_finding(judging, f);
}

void
judge_removed(struct judging *judging)
{
	const struct gate_input *in = judging->in;
	const struct record *record;
	size_t i;

	if (in->good) {
		record = in->good->reference->record;
		for (i = 0; i < record->ntracked; i++)
			lost(judging, in->good, record->tracked[i].question);
	}
	if (!in->before)
		return;
	record = in->before->reference->record;
	for (i = 0; i < record->ntracked; i++)
		if (!in->good || !tracks(in->good, record->tracked[i].question))
			lost(judging, in->before, record->tracked[i].question);
}
