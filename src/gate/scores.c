/* Every measure of every question, and their means. */
#include "internal.h"

static int
ungiven(const struct question *question, const struct measure *measure,
    const struct rules *rules, struct error *e)
{
	return fail(e,
	    "%s of question '%s' (%s:%zu) does not follow from one rank, "
	    "since several documents are judged relevant; give lists "
	    "instead, or report hit@k and mrr at relevance %d",
	    measure->name, question->id, question->file, question->line,
	    rules->relevance);
}

int
scores_make(struct arena *arena, const struct questions *questions,
    const struct answer *answers, const struct rules *rules,
    struct scores *scores, struct error *e)
{
	struct ranking_scratch scratch = {.arena = arena};
	size_t nq = questions->nitems, nm = rules->nmeasures, m, q;
	double *values = arena_array(arena, nm * nq + 1, sizeof(*values));
	double *means = arena_array(arena, nm + 1, sizeof(*means));
	double *answerable = arena_array(arena, nq + 1, sizeof(*answerable));
	const struct question *question;
	struct ranking ranking;

	*scores = (struct scores){rules->measures, nm, nq, values, means, 0};
	for (q = 0; q < nq; q++) {
		question = &questions->items[q];
		if (question->unanswerable)
			continue;
		ranking = ranking_of(
		    &scratch, question, &answers[q], rules->relevance, 0);
		for (m = 0; m < nm; m++) {
			const struct measure *measure = &rules->measures[m];

			if (!answer_gives(question, &answers[q], measure,
				rules->relevance))
				return ungiven(question, measure, rules, e);
			values[m * nq + q] =
			    measure->metric->score(&ranking, measure->k);
		}
	}
	for (m = 0; m < nm; m++) {
		scores->n = 0;
		for (q = 0; q < nq; q++)
			if (!questions->items[q].unanswerable)
				answerable[scores->n++] = values[m * nq + q];
		means[m] = mean(answerable, scores->n);
	}
	return 0;
}
