/* found and mean_rank: whether, and where, a relevant document stands. */
#include <math.h>

#include "internal.h"

/* hit@k without a cutoff: as deep as the retriever looked. */
static double
found(const struct ranking *ranking, unsigned k)
{
	return count_relevant_within(ranking, k) > 0;
}

/* Of a miss there is none, so that its mean runs over the found ones. */
static double
first_rank(const struct ranking *ranking, unsigned k)
{
	size_t i;

	(void)k;
	for (i = 0; i < ranking->nfound; i++)
		if (relevant(ranking, &ranking->judged[i]))
			return ranking->judged[i].rank;
	return NAN;
}

const struct metric metric_found = {
    .name = "found",
    .cutoff = CUTOFF_NONE,
    .needs = NEEDS_FIRST_RANK,
    .score = found,
    .summary = "1 when a relevant document is anywhere in the list, else 0",
};

const struct metric metric_mean_rank = {
    .name = "mean_rank",
    .cutoff = CUTOFF_NONE,
    .needs = NEEDS_FIRST_RANK,
    .reading_only = true,
    .score = first_rank,
    .summary = "rank of the first relevant document, over questions that "
	       "have one; for reading alone, since losing a question "
	       "improves it",
};
