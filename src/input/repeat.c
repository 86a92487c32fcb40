/* Several runs of one thing, as one: the upper median of each rank. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static int
compare_ranks(const void *a, const void *b)
{
	const unsigned *x = a, *y = b;

	/* 0, not found, comes last: 0 - 1 is the greatest. */
	return (*x - 1 > *y - 1) - (*x - 1 < *y - 1);
}

/* Sorts ranks; of an even number the worse one of the middle two. */
static unsigned
upper_median(unsigned *ranks, size_t n)
{
	qsort(ranks, n, sizeof(*ranks), compare_ranks);
	return ranks[n / 2];
}

/* One judgment's ranks over all runs. */
static unsigned
median_of_judgment(const struct run *runs, size_t nruns, size_t question,
    size_t judgment, bool document, unsigned *scratch)
{
	const struct answer *a;
	size_t i;

	for (i = 0; i < nruns; i++) {
		a = &runs[i].answers[question];
		scratch[i] =
		    (document ? a->document_ranks : a->ranks)[judgment];
	}
	return upper_median(scratch, nruns);
}

static const unsigned *
medians(struct arena *arena, const struct run *runs, size_t nruns,
    size_t question, size_t njudgments, bool document, unsigned *scratch)
{
	unsigned *ranks = arena_array(arena, njudgments + 1, sizeof(*ranks));
	size_t k;

	for (k = 0; k < njudgments; k++)
		ranks[k] = median_of_judgment(
		    runs, nruns, question, k, document, scratch);
	return ranks;
}

/* What does not depend on the documents: presence, errors, flips. */
static void
combine_marks(const struct run *runs, size_t nruns,
    const struct question *question, size_t q, int relevance,
    struct answer *answer, unsigned *scratch)
{
	size_t i;

	for (i = 0; i < nruns; i++) {
		const struct answer *a = &runs[i].answers[q];

		answer->errored |= a->errored;
		answer->present &= a->present;
		if (a->nresults < answer->nresults)
			answer->nresults = a->nresults;
		if (a->tied > answer->tied) {
			answer->tied = a->tied;
			answer->tied_first = a->tied_first;
		}
		answer_rank(question, a, NULL, relevance, &scratch[i]);
	}
	answer->rank = upper_median(scratch, nruns);
	answer->best = scratch[0];
	answer->worst = scratch[nruns - 1];
	answer->flips = answer->best != answer->worst;
}

/* All lists, or all ranks alone: run_read has seen to each, not to both. */
static bool
any_rank_only(const struct run *runs, size_t nruns)
{
	size_t i;

	for (i = 0; i < nruns; i++)
		if (runs[i].rank_only)
			return true;
	return false;
}

void
run_combine(struct arena *arena, const struct run *runs, size_t nruns,
    const struct questions *questions, int relevance, struct run *run)
{
	unsigned *scratch = arena_array(arena, nruns, sizeof(*scratch));
	bool rank_only = any_rank_only(runs, nruns);
	size_t q, i;

	*run = runs[0];
	run->repeats = (unsigned)nruns;
	run->rank_only = rank_only;
	run->answers = arena_array(arena, run->nanswers, sizeof(*run->answers));
	run->nmissing = 0;
	for (i = 1; i < nruns; i++)
		if (runs[i].depth < run->depth)
			run->depth = runs[i].depth;
	for (q = 0; q < run->nanswers; q++) {
		const struct question *question = &questions->items[q];
		struct answer *answer = &run->answers[q];

		*answer = runs[0].answers[q];
		combine_marks(
		    runs, nruns, question, q, relevance, answer, scratch);
		answer->rank_only = rank_only;
		if (!rank_only)
			answer->ranks = medians(arena, runs, nruns, q,
			    question->njudgments, false, scratch);
		if (!rank_only && answer->document_ranks)
			answer->document_ranks = medians(arena, runs, nruns, q,
			    question->njudgments, true, scratch);
		run->nmissing += !answer->present && question_counts(question);
	}
}
