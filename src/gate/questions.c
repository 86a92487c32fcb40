/* What is said of every question, and of those whose retrieval failed. */
#include <math.h>

#include "internal.h"

void
judge_errored(struct judging *judging)
{
	const struct gate_input *in = judging->in;
	const struct answer *answer;
	size_t i;

	for (i = 0; i < in->questions->nitems; i++) {
		answer = &in->run->answers[i];
		if (!answer->errored)
			continue;
		add_finding(judging,
		    (struct finding){
			.rule = "errored",
			.subject = in->questions->items[i].id,
			.level = LEVEL_ERROR,
			.class = CLASS_ERRORED,
			.unknown_record = true,
			.baseline = NAN,
			.current = NAN,
			.limit = NAN,
			.message = "its retrieval failed; it counts as a miss, "
				   "and there is no verdict",
			.file = run_file(in->run, answer),
			.line = answer->line,
		    });
	}
}

static enum finding_class
class_of(const struct judging *judging, size_t question)
{
	const struct gate_input *in = judging->in;
	const struct side *side = in->good ? in->good : in->before;
	struct place now, then;
	bool known;

	if (in->run->answers[question].errored)
		return CLASS_ERRORED;
	if (!side)
		return CLASS_ADDED;
	now = run_place(judging, question, NULL, &known);
	if (!side_place(judging, side, question, NULL, &then))
		return CLASS_ADDED;
	if (rank_worse(now, then, 0) == WORSE_YES)
		return CLASS_WORSE_ALLOWED;
	if (!then.rank && now.rank)
		return CLASS_FOUND;
	if (now.rank && then.rank && now.rank < then.rank)
		return CLASS_IMPROVED;
	return CLASS_SAME;
}

/* No rule speaks of an untracked question alone; its change is shown. */
void
judge_questions(struct judging *judging)
{
	const struct questions *questions = judging->in->questions;
	size_t i;

	for (i = 0; i < questions->nitems; i++)
		judging->classes[i] = !question_counts(&questions->items[i])
		    ? CLASS_SAME
		    : class_of(judging, i);
}
