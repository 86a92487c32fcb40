/* mrr and mrr@k: how early the first relevant document comes. */
#include "internal.h"

/* trec_eval's recip_rank; with k, 0 where the first one stands below k. */
static double
reciprocal_rank(const struct ranking *ranking, unsigned k)
{
	size_t i;

	for (i = 0; i < ranking->nfound; i++) {
		if (!within(&ranking->judged[i], k))
			break;
		if (relevant(ranking, &ranking->judged[i]))
			return 1.0 / ranking->judged[i].rank;
	}
	return 0;
}

const struct metric metric_mrr = {
    .name = "mrr",
    .cutoff = CUTOFF_OPTIONAL,
    .needs = NEEDS_FIRST_RANK,
    .score = reciprocal_rank,
    .trec_eval = "recip_rank",
    .summary = "1 / rank of the first relevant document, 0 when there is "
	       "none (within k); its mean is the mean reciprocal rank "
	       "(Voorhees 1999)",
};
