/*
 * A record seen through the current question set: which questions are the
 * same on both sides, and what the record says of them.
 */
#include <string.h>

#include "internal.h"

/* Ranks by former ids, back in the order of today's. */
static struct answer
former_answer(struct arena *arena, const struct record *record, size_t index,
    const struct question *question, const struct question *former,
    const char *const *names)
{
	struct answer answer = record_answer(arena, record, index, former);
	const struct judgment *found;
	unsigned *ranks;
	size_t i;

	if (answer.rank_only)
		return answer;
	ranks = arena_array(arena, question->njudgments + 1, sizeof(*ranks));
	for (i = 0; i < question->njudgments; i++) {
		found = question_judgment(former, names[i]);
		ranks[i] = answer.ranks[found - question_judgments(former)];
	}
	answer_set_ranks(arena, &answer, ranks, question->njudgments);
	return answer;
}

/* What the record says of a question, if it is the same question there. */
static enum change
look_up(struct arena *arena, const struct rules *rules,
    const struct question *question, const char *digest,
    const struct reference *reference, const struct qset *qset, size_t *index,
    struct answer *answer)
{
	struct question former;
	const char **names;

	if (!question_in_record(rules, qset, question->id, index))
		return CHANGE_ADDED;
	if (strcmp(digest, qset->digests[*index]) == 0) {
		*answer =
		    record_answer(arena, reference->record, *index, question);
		return CHANGE_NONE;
	}
	if (!question_as_then(
		arena, rules, question, qset->digests[*index], &former, &names))
		return CHANGE_REDEFINED;
	*answer = former_answer(
	    arena, reference->record, *index, question, &former, names);
	return CHANGE_NONE;
}

/* Questions of the record that nobody asks any more. */
static void
list_removed(struct arena *arena, const struct qset *qset, const bool *met,
    struct side *side)
{
	const char **removed;
	size_t i;

	removed = arena_array(arena, qset->n + 1, sizeof(*removed));
	for (i = 0; i < qset->n; i++)
		if (!met[i])
			removed[side->nremoved++] = qset->ids[i];
	side->removed = removed;
}

void
side_make(struct arena *arena, const struct rules *rules,
    const struct questions *questions, const struct qset *current,
    const struct reference *reference, const struct qset *qset,
    struct side *side)
{
	size_t n = questions->nitems, i, index;
	enum change *changes = arena_array(arena, n + 1, sizeof(*changes));
	struct answer *answers = arena_array(arena, n + 1, sizeof(*answers));
	bool *met = arena_array(arena, qset->n + 1, sizeof(*met));
	const struct question *question;

	*side = (struct side){.reference = reference,
	    .qset = qset,
	    .changes = changes,
	    .answers = answers};
	for (i = 0; i < n; i++) {
		question = &questions->items[i];
		changes[i] = look_up(arena, rules, question,
		    current->digests[i], reference, qset, &index, &answers[i]);
		if (changes[i] != CHANGE_ADDED)
			met[index] = true;
		if (question->left_out)
			changes[i] = CHANGE_LEFT_OUT;
		else if (changes[i] == CHANGE_NONE && answers[i].errored)
			changes[i] = CHANGE_ERRORED;
		side->nadded += changes[i] == CHANGE_ADDED;
		side->nredefined += changes[i] == CHANGE_REDEFINED;
		side->ncommon +=
		    changes[i] == CHANGE_NONE && question_counts(question);
	}
	list_removed(arena, qset, met, side);
}

const struct side *
side_joined(struct arena *arena, const struct questions *questions,
    const struct side *side, const struct side *other)
{
	size_t n = questions->nitems, njoined = 0, i;
	struct answer *answers;
	enum change *changes;
	struct side *joined;

	if (!side || !other || side == other ||
	    side->reference->record->depth != other->reference->record->depth)
		return NULL;
	answers = arena_array(arena, n + 1, sizeof(*answers));
	changes = arena_array(arena, n + 1, sizeof(*changes));
	for (i = 0; i < n; i++) {
		bool has = side->changes[i] == CHANGE_NONE;

		changes[i] = has ? CHANGE_NONE : other->changes[i];
		answers[i] = has ? side->answers[i] : other->answers[i];
		njoined += !has && changes[i] == CHANGE_NONE;
	}
	if (!njoined)
		return NULL;
	joined = arena_alloc(arena, sizeof(*joined));
	*joined = *side;
	joined->changes = changes;
	joined->answers = answers;
	return joined;
}
