/* The rules of the record before, under the names that things have today. */
#include <string.h>

#include "internal.h"

/* NULL where there is none, or it is a file, which kept no rules. */
static const struct record *
record_before(const struct judging *judging)
{
	const struct side *before = judging->in->before;

	return before && before->reference->record->tree
	    ? before->reference->record
	    : NULL;
}

bool
passed_before(const struct judging *judging)
{
	const struct record *record = record_before(judging);

	return record && record->verdict == RECORD_PASS;
}

bool
good_is_standard(const struct judging *judging)
{
	return !judging->in->baseline || judging->in->baseline->good_accepted;
}

bool
floor_is_new(const struct judging *judging, const struct threshold *threshold,
    double before)
{
	const struct record *record = record_before(judging);
	const char *slice = selector_name(judging->arena, &threshold->where);
	const struct record_threshold *then;
	size_t i;

	if (!record)
		return false;
	for (i = 0; i < record->nthresholds; i++) {
		then = &record->thresholds[i];
		if (then->min >= 0 && slice_same(then->slice, slice) &&
		    strcmp(then->metric, threshold->measure.name) == 0)
			return before >= then->min - ROUNDING ||
			    (then->warn && threshold->level == LEVEL_ERROR);
	}
	return true;
}

bool
max_rank_is_new(const struct judging *judging, const struct tracked *tracked,
    struct place before)
{
	const struct record *record = record_before(judging);
	const struct record_tracked *then;
	size_t i;

	if (!record)
		return false;
	for (i = 0; i < record->ntracked; i++) {
		then = &record->tracked[i];
		if (then->max_rank &&
		    strcmp(question_today(judging->in->rules, then->question),
			tracked->question) == 0)
			return rank_beyond(before, then->max_rank) != WORSE_YES;
	}
	return true;
}

bool
budget_is_new(const struct judging *judging, size_t fallen)
{
	const struct record *record = record_before(judging);
	const struct budget *budget = &judging->in->rules->budget;

	return record &&
	    (record->limits.worse_by == 0 ||
		record->limits.worse_by > budget->by ||
		fallen <= (size_t)record->limits.worse_max);
}

/* What is said of a question goes on under its new name. */
const char *
subject_today(const struct judging *judging, const char *subject)
{
	static const char word[] = "question/";
	const size_t n = sizeof(word) - 1;

	if (strncmp(subject, word, n) != 0)
		return subject;
	return subject_of_question(
	    judging->arena, question_today(judging->in->rules, subject + n));
}

const struct record_waiver *
waiver_before(const struct judging *judging, const char *subject)
{
	const struct record *record = record_before(judging);
	const struct record_waiver *w;
	const char *whose;
	size_t i;

	for (i = 0; record && i < record->nwaivers; i++) {
		w = &record->waivers[i];
		whose = w->question
		    ? subject_of_question(judging->arena, w->question)
		    : subject_of_measure(judging->arena, w->metric, w->slice);
		if (strcmp(subject_today(judging, whose), subject) == 0)
			return w;
	}
	return NULL;
}
