/*
 * A record seen through the current question set: which questions are the
 * same on both sides, and what the record says of them.
 */
#include <string.h>

#include "internal.h"

/* The id that a question had in older records. */
static const char *
former_id(const struct rules *rules, const char *id)
{
	size_t i;

	for (i = 0; i < rules->nrenamed; i++)
		if (strcmp(rules->renamed[i].to, id) == 0)
			return rules->renamed[i].question;
	return NULL;
}

static bool
find_in_record(const struct rules *rules, const struct qset *qset,
    const char *id, size_t *index)
{
	const char *former;

	if (map_get(&qset->by_id, id, strlen(id), index))
		return true;
	former = former_id(rules, id);
	return former && map_get(&qset->by_id, former, strlen(former), index);
}

static enum change
change_of(const struct rules *rules, const struct qset *current,
    size_t question, const struct qset *qset, size_t *index)
{
	if (!find_in_record(rules, qset, current->ids[question], index))
		return CHANGE_ADDED;
	if (strcmp(current->digests[question], qset->digests[*index]) != 0)
		return CHANGE_REDEFINED;
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

	*side = (struct side){.reference = reference,
	    .qset = qset,
	    .changes = changes,
	    .answers = answers};
	for (i = 0; i < n; i++) {
		changes[i] = change_of(rules, current, i, qset, &index);
		if (changes[i] != CHANGE_ADDED)
			met[index] = true;
		side->nadded += changes[i] == CHANGE_ADDED;
		side->nredefined += changes[i] == CHANGE_REDEFINED;
		if (changes[i] != CHANGE_NONE)
			continue;
		answers[i] = record_answer(
		    arena, reference->record, index, &questions->items[i]);
		if (answers[i].errored)
			changes[i] = CHANGE_ERRORED;
		else
			side->ncommon += !questions->items[i].unanswerable;
	}
	list_removed(arena, qset, met, side);
}
