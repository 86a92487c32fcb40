/* Every measure of every question, and their means. */
#include "internal.h"

static int
ungiven(const struct question *question, const struct measure *measure,
    const struct rules *rules, struct error *e)
{
	if (measure->metric->needs == NEEDS_JUDGED)
		return fail(e,
		    "%s of question '%s' (%s:%u) does not follow from one "
		    "rank: it asks where documents stand that are judged not "
		    "relevant, too; give lists instead, or report hit@k and "
		    "mrr",
		    measure->name, question->id, question->more->file,
		    question->line);
	return fail(e,
	    "%s of question '%s' (%s:%u) does not follow from one rank, "
	    "since several documents are judged relevant; give lists "
	    "instead, or report hit@k and mrr at relevance %d",
	    measure->name, question->id, question->more->file, question->line,
	    rules->relevance);
}

/* Means are summed in bytewise order of ids, which is the set's. */
static void
average(const struct views *views, const struct scores *scores, double *means)
{
	size_t nq = scores->nquestions, nm = scores->nmeasures, v, m;

	for (v = 0; v < views->nitems; v++)
		for (m = 0; m < nm; m++)
			means[v * nm + m] = mean(scores->values + m * nq,
			    views->items[v].members, nq);
}

int
scores_make(struct arena *arena, const struct questions *questions,
    const struct answer *answers, const struct rules *rules,
    const struct views *views, struct scores *scores, struct error *e)
{
	struct ranking_scratch scratch = {.arena = arena};
	size_t nq = questions->nitems, nm = rules->nmeasures, m, q;
	double *values = arena_array(arena, nm * nq + 1, sizeof(*values));
	double *means =
	    arena_array(arena, nm * views->nitems + 1, sizeof(*means));
	const struct question *question;
	struct ranking ranking;

	*scores = (struct scores){rules->measures, nm, nq, values, means};
	for (q = 0; q < nq; q++) {
		question = &questions->items[q];
		if (!question_counts(question))
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
	average(views, scores, means);
	return 0;
}
