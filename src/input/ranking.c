/*
 * From an answer's ranks to what metrics and gates look at.  The same code
 * serves the current run and the ranks of a record.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static int
compare_judged(const void *a, const void *b)
{
	const struct judged *x = a, *y = b;

	/* Those not retrieved, rank 0, come last: 0 - 1 is the greatest. */
	if (x->rank - 1 != y->rank - 1)
		return x->rank - 1 < y->rank - 1 ? -1 : 1;
	return y->grade - x->grade;
}

static int
compare_descending(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*y > *x) - (*y < *x);
}

static void
reserve(struct ranking_scratch *scratch, size_t n)
{
	if (scratch->cap >= n && scratch->judged)
		return;
	scratch->cap = 2 * n + 16;
	scratch->judged =
	    arena_array(scratch->arena, scratch->cap, sizeof(*scratch->judged));
	scratch->ideal =
	    arena_array(scratch->arena, scratch->cap, sizeof(*scratch->ideal));
}

const struct answer_more *
answer_more(const struct answer *answer)
{
	const void *ranks = answer->ranks;

	return answer->further ? (const struct answer_more *)ranks - 1 : NULL;
}

struct answer_more *
answer_extend(struct arena *arena, struct answer *answer, size_t n)
{
	const struct answer_more *old = answer_more(answer);
	size_t size = n * sizeof(*answer->ranks);
	struct answer_more *more = arena_alloc(arena, sizeof(*more) + size);

	if (old)
		*more = *old;
	if (answer->ranks)
		memcpy(more + 1, answer->ranks, size);
	answer->ranks = (const unsigned *)(const void *)(more + 1);
	answer->further = true;
	return more;
}

void
answer_set_ranks(
    struct arena *arena, struct answer *answer, const unsigned *ranks, size_t n)
{
	const struct answer_more *more = answer_more(answer);

	answer->ranks = ranks;
	answer->further = false;
	if (more)
		*answer_extend(arena, answer, n) = *more;
}

/* Whether a judgment is one of those that an alternative may be met by. */
static bool
counts(const struct judgment *judgment, int relevance)
{
	return judgment->grade >= relevance;
}

/*
 * The first relevant document's rank, 0 when none was found; -1 when no
 * document is relevant.
 */
static int64_t
first_rank(
    const struct question *question, const struct answer *answer, int relevance)
{
	const struct judgment *judgments = question_judgments(question);
	int64_t best = -1;
	size_t i;

	if (answer->rank_only)
		return answer->rank;
	for (i = 0; i < question->njudgments; i++) {
		if (!counts(&judgments[i], relevance))
			continue;
		if (best < 0)
			best = 0;
		if (answer->ranks[i] &&
		    (best == 0 || answer->ranks[i] < (unsigned)best))
			best = answer->ranks[i];
	}
	return best;
}

/* Alternatives are one wanted document, at the best of their ranks. */
static size_t
fill_alternatives(struct ranking_scratch *scratch,
    const struct question *question, const struct answer *answer, int relevance)
{
	int64_t rank = first_rank(question, answer, relevance);

	if (rank < 0)
		return 0;
	scratch->judged[0] = (struct judged){(unsigned)rank, relevance};
	return 1;
}

/* With a rank alone, it goes to the first relevant document. */
static size_t
fill_judged(struct ranking_scratch *scratch, const struct question *question,
    const struct answer *answer, int relevance)
{
	const struct judgment *judgment = question_judgments(question);
	bool given = false;
	size_t i;

	for (i = 0; i < question->njudgments; i++, judgment++) {
		scratch->judged[i] = (struct judged){0, judgment->grade};
		if (!answer->rank_only) {
			scratch->judged[i].rank = answer->ranks[i];
		} else if (!given && counts(judgment, relevance)) {
			scratch->judged[i].rank = answer->rank;
			given = true;
		}
	}
	return question->njudgments;
}

struct ranking
ranking_of(struct ranking_scratch *scratch, const struct question *question,
    const struct answer *answer, int relevance, unsigned cut)
{
	struct ranking ranking = {.relevance = relevance};
	size_t i;

	reserve(scratch, question->njudgments + 1);
	ranking.njudged = question->any
	    ? fill_alternatives(scratch, question, answer, relevance)
	    : fill_judged(scratch, question, answer, relevance);
	for (i = 0; i < ranking.njudged; i++) {
		struct judged *judged = &scratch->judged[i];

		if (cut && judged->rank > cut)
			judged->rank = 0;
		ranking.nfound += judged->rank > 0;
		if (judged->grade > 0)
			scratch->ideal[ranking.nideal++] = judged->grade;
	}
	sort(scratch->judged, ranking.njudged, sizeof(*scratch->judged),
	    compare_judged);
	sort(scratch->ideal, ranking.nideal, sizeof(*scratch->ideal),
	    compare_descending);
	ranking.nresults = answer->nresults;
	if (cut && ranking.nresults > cut)
		ranking.nresults = cut;
	ranking.judged = scratch->judged;
	ranking.ideal = scratch->ideal;
	return ranking;
}

bool
answer_rank(const struct question *question, const struct answer *answer,
    const char *document, int relevance, unsigned *rank)
{
	const struct judgment *judgments = question_judgments(question);
	size_t i, nrelevant = 0;
	int64_t first;

	*rank = 0;
	if (!document) {
		first = first_rank(question, answer, relevance);
		*rank = first > 0 ? (unsigned)first : 0;
		return true;
	}
	for (i = 0; i < question->njudgments; i++) {
		nrelevant += counts(&judgments[i], relevance);
		if (!answer->rank_only &&
		    strcmp(judgment_document(question, &judgments[i]),
			document) == 0)
			*rank = answer->ranks[i];
	}
	if (!answer->rank_only)
		return true;
	*rank = answer->rank;
	return nrelevant <= 1;
}

unsigned
answer_tied(const struct answer *answer)
{
	const struct answer_more *more = answer_more(answer);

	return more && more->tied ? more->tied : 1;
}

bool
answer_gives(const struct question *question, const struct answer *answer,
    const struct measure *measure, int relevance)
{
	const struct judgment *judgments = question_judgments(question);
	size_t i, nrelevant = 0, npositive = 0;

	if (!answer->rank_only || measure->metric->needs == NEEDS_FIRST_RANK)
		return true;
	if (measure->metric->needs == NEEDS_JUDGED)
		return false;
	if (question->any)
		return true;
	/* Otherwise the one rank must be that of the one document. */
	for (i = 0; i < question->njudgments; i++) {
		npositive += judgments[i].grade > 0;
		nrelevant += counts(&judgments[i], relevance);
	}
	return npositive <= 1 && nrelevant == npositive;
}
