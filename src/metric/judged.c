/*
 * judged@k: how much of the top anybody has judged.  A red flag and no
 * quality: a low value says that the other metrics know too little.
 */
#include "internal.h"

/*
 * 1 - trec_eval's unj_k: a list shorter than k is padded with documents that
 * count as judged.  Nothing retrieved at all is 0, as in every metric.
 */
static double
judged(const struct ranking *ranking, unsigned k)
{
	size_t i, shown = ranking->nresults < k ? ranking->nresults : k;
	size_t n = 0;

	if (shown == 0)
		return 0;
	for (i = 0; i < ranking->nfound; i++) {
		if (!within(&ranking->judged[i], k))
			break;
		n += ranking->judged[i].grade >= 0;
	}
	return 1 - (double)(shown - n) / k;
}

const struct metric metric_judged = {
    .name = "judged",
    .cutoff = CUTOFF_REQUIRED,
    .needs = NEEDS_JUDGED,
    .score = judged,
    .trec_eval = "1 - unj",
    .summary = "1 - documents among the first k that nobody judged / k; 0 "
	       "where nothing was retrieved",
};
