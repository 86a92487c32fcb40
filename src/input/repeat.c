/*
 * Several runs of one thing, as one.  A question's answer is taken whole from
 * one of them, so that every metric is that of a ranking which was given:
 * ranks put together from several would be those of none.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* What one of the runs says of a question. */
struct candidate {
	const struct answer *answer;
	unsigned run; /* which one */
	unsigned rank; /* of the first relevant document */
	size_t n;
	unsigned *found; /* of all relevant ones, the best first */
};

static int
order_ranks(unsigned x, unsigned y)
{
	/* 0, not found, comes last: 0 - 1 is the greatest. */
	return (x - 1 > y - 1) - (x - 1 < y - 1);
}

static int
compare_ranks(const void *a, const void *b)
{
	return order_ranks(*(const unsigned *)a, *(const unsigned *)b);
}

static int
order_lists(const unsigned *x, const unsigned *y, size_t n)
{
	size_t i;
	int order = 0;

	for (i = 0; x && y && i < n && order == 0; i++)
		order = order_ranks(x[i], y[i]);
	return order;
}

/* What has no bearing on a metric, but must not hang on the runs' order. */
static int
order_more(const struct answer_more *x, const struct answer_more *y, size_t n)
{
	size_t i;
	int order;

	if (!x || !y)
		return (x == NULL) - (y == NULL);
	order = order_lists(x->document_ranks, y->document_ranks, n);
	for (i = 0; order == 0 && i < x->ntop && i < y->ntop; i++)
		order = strcmp(x->top[i], y->top[i]);
	return order ? order : (x->tied > y->tied) - (x->tied < y->tied);
}

/*
 * From the best answer to the worst: by the rank of the first relevant
 * document, then of the next ones; then by each document's.
 */
static int
compare_candidates(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	const struct answer *p = x->answer, *q = y->answer;
	int order = order_ranks(x->rank, y->rank);

	if (order == 0)
		order = order_lists(x->found, y->found, x->n);
	if (order == 0 && !p->rank_only && !q->rank_only)
		order = order_lists(p->ranks, q->ranks, x->n);
	if (order == 0)
		order =
		    (p->nresults < q->nresults) - (p->nresults > q->nresults);
	if (order == 0)
		order = order_more(answer_more(p), answer_more(q), x->n);
	return order ? order : (x->run > y->run) - (x->run < y->run);
}

/* found: room for the ranks of all the judgments. */
static struct candidate
candidate_of(const struct question *question, const struct answer *answer,
    int relevance, unsigned run, unsigned *found)
{
	struct candidate c = {
	    .answer = answer,
	    .run = run,
	    .n = question->njudgments,
	    .found = found,
	};
	const struct judgment *judgments = question_judgments(question);
	size_t i;

	memset(found, 0, c.n * sizeof(*found));
	answer_rank(question, answer, NULL, relevance, &c.rank);
	for (i = 0; i < c.n && !answer->rank_only; i++)
		if (judgments[i].grade >= relevance)
			found[i] = answer->ranks[i];
	sort(found, c.n, sizeof(*found), compare_ranks);
	return c;
}

/* The one in the middle; of an even number the worse of the middle two. */
static struct answer
combine(struct arena *arena, struct candidate *candidates, size_t n)
{
	const struct candidate *taken;
	struct answer_more *more;
	struct answer answer;
	size_t i;

	sort(candidates, n, sizeof(*candidates), compare_candidates);
	taken = &candidates[n / 2];
	answer = *taken->answer;
	more = answer_extend(arena, &answer, taken->n);
	more->best = candidates[0].rank;
	more->worst = candidates[n - 1].rank;
	answer.file = taken->run & ((1u << 27) - 1);
	answer.flips = more->best != more->worst;
	/* What went wrong in any of them is known of all. */
	for (i = 0; i < n; i++) {
		answer.errored |= candidates[i].answer->errored;
		answer.present |= candidates[i].answer->present;
	}
	return answer;
}

static bool
said(const struct run *run, const char *notice)
{
	size_t i;

	for (i = 0; i < run->nnotices; i++)
		if (strcmp(run->notices[i], notice) == 0)
			return true;
	return false;
}

/* What is said of any of them, the same once. */
static void
combine_notices(
    struct arena *arena, const struct run *runs, size_t nruns, struct run *run)
{
	size_t i, k, cap = 0;

	run->notices = NULL;
	run->nnotices = 0;
	for (i = 0; i < nruns; i++)
		for (k = 0; k < runs[i].nnotices; k++) {
			if (said(run, runs[i].notices[k]))
				continue;
			run->notices = arena_grow(arena, run->notices,
			    run->nnotices, &cap, sizeof(*run->notices));
			run->notices[run->nnotices++] = runs[i].notices[k];
		}
}

/* The least depth; of what is only counted, the most. */
static void
combine_counts(
    struct arena *arena, const struct run *runs, size_t nruns, struct run *run)
{
	const char **files = arena_array(arena, nruns, sizeof(*files));
	size_t i;

	*run = runs[0];
	for (i = 0; i < nruns; i++) {
		const struct run *r = &runs[i];

		files[i] = r->files[0];
		if (r->depth < run->depth)
			run->depth = r->depth;
		if (r->nresults > run->nresults)
			run->nresults = r->nresults;
		if (r->nquestions > run->nquestions)
			run->nquestions = r->nquestions;
		if (r->nunknown > run->nunknown) {
			run->nunknown = r->nunknown;
			run->unknown = r->unknown;
		}
		if (r->nunknown_results > run->nunknown_results)
			run->nunknown_results = r->nunknown_results;
	}
	run->files = files;
	run->repeats = (unsigned)nruns;
	combine_notices(arena, runs, nruns, run);
}

static size_t
most_judgments(const struct questions *questions)
{
	size_t most = 0, i;

	for (i = 0; i < questions->nitems; i++)
		if (questions->items[i].njudgments > most)
			most = questions->items[i].njudgments;
	return most;
}

void
run_combine(struct arena *arena, const struct run *runs, size_t nruns,
    const struct questions *questions, int relevance, struct run *run)
{
	struct arena *scratch = arena_new();
	size_t width = most_judgments(questions) + 1, q, i;
	unsigned *found = arena_array(scratch, nruns * width, sizeof(*found));
	struct candidate *candidates =
	    arena_array(scratch, nruns, sizeof(*candidates));

	combine_counts(arena, runs, nruns, run);
	run->answers = arena_array(arena, run->nanswers, sizeof(*run->answers));
	run->nmissing = 0;
	for (q = 0; q < run->nanswers; q++) {
		const struct question *question = &questions->items[q];

		for (i = 0; i < nruns; i++)
			candidates[i] =
			    candidate_of(question, &runs[i].answers[q],
				relevance, (unsigned)i, found + i * width);
		run->answers[q] = combine(arena, candidates, nruns);
		run->nmissing +=
		    !run->answers[q].present && question_counts(question);
	}
	arena_free(scratch);
}
