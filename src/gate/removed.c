/* Questions that a record tracked, and that are gone or are others now. */
#include <math.h>
#include <string.h>

#include "internal.h"

bool
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
	const char *id = question_today(rules, question);
	size_t i, k;

	if (!questions_index(in->questions, id, strlen(id), &i))
		return amended(rules->retired, rules->nretired, question)
		    ? CLASS_SAME
		    : CLASS_REMOVED;
	/* The record had another question that bears this name today. */
	if (question_in_record(rules, side->qset, id, &k) &&
	    strcmp(side->qset->ids[k], question) != 0)
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
	    short_id(judging->arena, side->reference->record->commit));
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
