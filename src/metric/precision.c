/* precision@k and R-precision: how much of the top is what was wanted. */
#include <limits.h>

#include "internal.h"

/* trec_eval's P_k: divided by k, however few were retrieved. */
static double
precision(const struct ranking *ranking, unsigned k)
{
	return (double)count_relevant_within(ranking, k) / k;
}

/* trec_eval's Rprec. */
static double
rprec(const struct ranking *ranking, unsigned k)
{
	size_t wanted = count_relevant(ranking);

	(void)k;
	if (wanted == 0 || wanted > UINT_MAX)
		return 0;
	return (double)count_relevant_within(ranking, (unsigned)wanted) /
	    (double)wanted;
}

const struct metric metric_precision = {
    .name = "precision",
    .cutoff = CUTOFF_REQUIRED,
    .needs = NEEDS_RELEVANT,
    .score = precision,
    .trec_eval = "P",
    .summary = "relevant documents among the first k, divided by k, also "
	       "where fewer than k were retrieved (Kent et al. 1955)",
};

const struct metric metric_rprec = {
    .name = "rprec",
    .cutoff = CUTOFF_NONE,
    .needs = NEEDS_RELEVANT,
    .score = rprec,
    .trec_eval = "Rprec",
    .summary = "precision at R, the number of relevant documents, where it "
	       "equals recall (Buckley & Voorhees 2005)",
};
