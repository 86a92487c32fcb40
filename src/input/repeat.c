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
	const struct answer_more *more;
	const struct answer *a;
	const unsigned *ranks;
	size_t i;

	for (i = 0; i < nruns; i++) {
		a = &runs[i].answers[question];
		ranks = a->ranks;
		more = answer_more(a);
		if (document)
			ranks = more ? more->document_ranks : NULL;
		scratch[i] = ranks ? ranks[judgment] : 0;
	}
	return upper_median(scratch, nruns);
}

/* The place of the best rank after another, SIZE_MAX when none is left. */
static size_t
next_best(const unsigned *ranks, const bool *done, size_t n)
{
	size_t best = SIZE_MAX, i;

	for (i = 0; i < n; i++)
		if (ranks[i] && !done[i] &&
		    (best == SIZE_MAX || ranks[i] < ranks[best]))
			best = i;
	return best;
}

/*
 * Medians of several documents can be one rank, which no ranking has: the
 * later one moves down.
 */
static void
tell_apart(struct arena *arena, unsigned *ranks, size_t n)
{
	bool *done = arena_array(arena, n + 1, sizeof(*done));
	unsigned last = 0;
	size_t i;

	while ((i = next_best(ranks, done, n)) != SIZE_MAX) {
		done[i] = true;
		if (ranks[i] <= last)
			ranks[i] = last + 1;
		last = ranks[i];
	}
}

/* first: the median of the first relevant document's rank, run by run. */
static const unsigned *
medians(struct arena *arena, const struct run *runs, size_t nruns, size_t q,
    const struct question *question, int relevance, unsigned first,
    bool document, unsigned *scratch)
{
	const struct judgment *judgments = question_judgments(question);
	size_t n = question->njudgments, best = SIZE_MAX, k;
	unsigned *ranks = arena_array(arena, n + 1, sizeof(*ranks));

	for (k = 0; k < n; k++) {
		ranks[k] =
		    median_of_judgment(runs, nruns, q, k, document, scratch);
		if (judgments[k].grade >= relevance &&
		    (best == SIZE_MAX || ranks[k] - 1 < ranks[best] - 1))
			best = k;
	}
	/* Of alternatives the first found counts, whichever it was. */
	if (question->any && best != SIZE_MAX && !document)
		ranks[best] = first;
	tell_apart(arena, ranks, n);
	return ranks;
}

/* What does not depend on the documents: presence, errors, flips. */
static void
combine_marks(const struct run *runs, size_t nruns,
    const struct question *question, size_t q, int relevance,
    struct answer *answer, struct answer_more *more, unsigned *scratch)
{
	size_t i;

	for (i = 0; i < nruns; i++) {
		const struct answer *a = &runs[i].answers[q];
		const struct answer_more *further = answer_more(a);

		answer->errored |= a->errored;
		answer->present |= a->present;
		if (a->nresults < answer->nresults)
			answer->nresults = a->nresults;
		if (further && further->tied > more->tied) {
			more->tied = further->tied;
			more->tied_first = further->tied_first;
		}
		answer_rank(question, a, NULL, relevance, &scratch[i]);
	}
	answer->rank = upper_median(scratch, nruns);
	more->best = scratch[0];
	more->worst = scratch[nruns - 1];
	answer->flips = more->best != more->worst;
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
	struct answer_more more;
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
		more = (struct answer_more){.ntop = 0};
		if (answer->further)
			more = *answer_more(answer);
		combine_marks(runs, nruns, question, q, relevance, answer,
		    &more, scratch);
		answer->rank_only = rank_only;
		if (!rank_only)
			answer->ranks = medians(arena, runs, nruns, q, question,
			    relevance, answer->rank, false, scratch);
		answer->further = false;
		if (!rank_only && more.document_ranks)
			more.document_ranks = medians(arena, runs, nruns, q,
			    question, relevance, 0, true, scratch);
		*answer_extend(arena, answer, question->njudgments) = more;
		run->nmissing += !answer->present && question_counts(question);
	}
}
