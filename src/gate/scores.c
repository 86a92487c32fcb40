/* The measures of questions, and their means. */
#include <string.h>

#include "internal.h"

static int
ungiven(const struct questions *questions, const struct question *question,
    const struct measure *measure, const struct rules *rules, struct error *e)
{
	unsigned line;
	const char *file = questions_place(questions, question, &line);

	if (measure->metric->needs == NEEDS_JUDGED)
		return fail(e,
		    "%s of question '%s' (%s:%u) does not follow from one "
		    "rank: it asks where documents stand that are judged not "
		    "relevant, too; give lists instead, or report hit@k and "
		    "mrr",
		    measure->name, question->id, file, line);
	return fail(e,
	    "%s of question '%s' (%s:%u) does not follow from one rank, "
	    "since several documents are judged relevant; give lists "
	    "instead, or report hit@k and mrr at relevance %d",
	    measure->name, question->id, file, line, rules->relevance);
}

size_t
scores_of(struct ranking_scratch *scratch, const struct question *question,
    const struct answer *answer, const struct rules *rules, double *values)
{
	const struct measure *measure;
	struct ranking ranking;
	size_t m;

	memset(values, 0, rules->nmeasures * sizeof(*values));
	if (!question_counts(question))
		return rules->nmeasures;
	ranking = ranking_of(scratch, question, answer, rules->relevance, 0);
	for (m = 0; m < rules->nmeasures; m++) {
		measure = &rules->measures[m];
		if (!answer_gives(question, answer, measure, rules->relevance))
			break;
		values[m] = measure->metric->score(&ranking, measure->k);
	}
	return m;
}

/* Means are summed in bytewise order of ids, which is the set's. */
int
scores_make(struct arena *arena, const struct questions *questions,
    const struct answer *answers, const struct rules *rules,
    const struct views *views, struct scores *scores, struct error *e)
{
	struct ranking_scratch scratch = {.arena = arena};
	size_t nm = rules->nmeasures, given, m, q, v;
	double *values = arena_array(arena, nm + 1, sizeof(*values));
	size_t n = nm * views->nitems;
	struct mean *sums = arena_array(arena, n + 1, sizeof(*sums));
	double *means = arena_array(arena, n + 1, sizeof(*means));

	*scores = (struct scores){rules->measures, nm, means};
	for (q = 0; q < questions->nitems; q++) {
		given = scores_of(
		    &scratch, &questions->items[q], &answers[q], rules, values);
		if (given < nm)
			return ungiven(questions, &questions->items[q],
			    &rules->measures[given], rules, e);
		for (v = 0; v < views->nitems; v++)
			for (m = 0;
			     m < nm && view_has(&views->items[v], questions, q);
			     m++)
				mean_add(&sums[v * nm + m], values[m]);
	}
	for (m = 0; m < n; m++)
		means[m] = mean_value(&sums[m]);
	return 0;
}

static int
higher_grade(const void *a, const void *b)
{
	const struct judgment *const *x = a, *const *y = b;

	return ((*x)->grade < (*y)->grade) - ((*x)->grade > (*y)->grade);
}

/* Its documents in order of their grades, from rank 1 on. */
static struct answer
best_answer(struct arena *arena, const struct question *q)
{
	const struct judgment *judgments = question_judgments(q), **sorted;
	struct answer answer = {.rank_only = false};
	size_t n = q->njudgments, i;
	unsigned *ranks = arena_array(arena, n + 1, sizeof(*ranks));

	sorted = arena_array(arena, n + 1, sizeof(*sorted));
	for (i = 0; i < n; i++)
		sorted[i] = &judgments[i];
	sort(sorted, n, sizeof(*sorted), higher_grade);
	for (i = 0; i < n; i++)
		ranks[sorted[i] - judgments] = (unsigned)i + 1;
	answer_set_ranks(arena, &answer, ranks, n);
	return answer;
}

double
scores_best(struct arena *arena, const struct questions *questions,
    const struct view *view, const struct measure *measure, int relevance)
{
	struct ranking_scratch scratch = {.arena = arena};
	const struct question *question;
	struct ranking ranking;
	struct answer best;
	double sum = 0;
	size_t i;

	if (measure->metric->needs == NEEDS_JUDGED)
		return 1;
	for (i = 0; i < questions->nitems; i++) {
		question = &questions->items[i];
		if (!view_has(view, questions, i))
			continue;
		best = best_answer(arena, question);
		ranking = ranking_of(&scratch, question, &best, relevance, 0);
		sum += measure->metric->score(&ranking, measure->k);
	}
	return sum / (double)view->n;
}
