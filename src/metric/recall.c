/* recall@k and hit@k: how much of what was wanted is near the top. */
#include "internal.h"

/* trec_eval's recall_k: divided by R, never by min(R, k). */
static double
recall(const struct ranking *ranking, unsigned k)
{
	size_t wanted = count_relevant(ranking);

	if (wanted == 0)
		return 0;
	return (double)count_relevant_within(ranking, k) / (double)wanted;
}

/* trec_eval's success_k. */
static double
hit(const struct ranking *ranking, unsigned k)
{
	return count_relevant_within(ranking, k) > 0;
}

const struct metric metric_recall = {
    .name = "recall",
    .cutoff = CUTOFF_REQUIRED,
    .needs = NEEDS_RELEVANT,
    .score = recall,
    .trec_eval = "recall",
    .summary = "relevant documents among the first k, divided by all "
	       "relevant ones; lists shorter than k count as padded with "
	       "documents that are not relevant (Kent et al. 1955)",
};

const struct metric metric_hit = {
    .name = "hit",
    .cutoff = CUTOFF_REQUIRED,
    .needs = NEEDS_FIRST_RANK,
    .score = hit,
    .trec_eval = "success",
    .summary = "1 when a relevant document is among the first k, else 0; "
	       "also called success@k and hit rate",
};
