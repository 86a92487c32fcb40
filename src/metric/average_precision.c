/* map and map@k: precision averaged over the relevant documents. */
#include "internal.h"

/*
 * trec_eval's map and map_cut_k: divided by R also with a cutoff, never by
 * min(R, k), so a relevant document below k counts as not found.
 */
static double
average_precision(const struct ranking *ranking, unsigned k)
{
	size_t wanted = count_relevant(ranking), found = 0, i;
	double sum = 0;

	if (wanted == 0)
		return 0;
	for (i = 0; i < ranking->nfound; i++) {
		if (!within(&ranking->judged[i], k))
			break;
		if (relevant(ranking, &ranking->judged[i]))
			sum += (double)++found / ranking->judged[i].rank;
	}
	return sum / (double)wanted;
}

const struct metric metric_map = {
    .name = "map",
    .cutoff = CUTOFF_OPTIONAL,
    .needs = NEEDS_RELEVANT,
    .score = average_precision,
    .trec_eval = "map, map_cut",
    .summary = "precision at the rank of each relevant document (within "
	       "k), summed and divided by the number of all relevant ones; "
	       "its mean is the mean average precision (Buckley & Voorhees "
	       "2005)",
};
