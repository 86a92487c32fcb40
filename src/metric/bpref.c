/* bpref: a metric for judgments that are known to be incomplete. */
#include "internal.h"

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Judged, and judged not relevant; a negative grade is no judgment. */
static bool
rejected(const struct ranking *ranking, const struct judged *judged)
{
	return judged->grade >= 0 && !relevant(ranking, judged);
}

/* trec_eval's bpref (Buckley & Voorhees 2004, with min(N, R)). */
static double
bpref(const struct ranking *ranking, unsigned k)
{
	size_t wanted = count_relevant(ranking), nrejected = 0, above = 0, i;
	double sum = 0;

	(void)k;
	if (wanted == 0)
		return 0;
	for (i = 0; i < ranking->njudged; i++)
		nrejected += rejected(ranking, &ranking->judged[i]);
	for (i = 0; i < ranking->nfound; i++) {
		if (rejected(ranking, &ranking->judged[i]))
			above++;
		else if (relevant(ranking, &ranking->judged[i]) && above == 0)
			sum += 1;
		else if (relevant(ranking, &ranking->judged[i]))
			sum += 1 -
			    (double)least(above, wanted) /
				(double)least(nrejected, wanted);
	}
	return sum / (double)wanted;
}

const struct metric metric_bpref = {
    .name = "bpref",
    .cutoff = CUTOFF_NONE,
    .needs = NEEDS_JUDGED,
    .score = bpref,
    .trec_eval = "bpref",
    .summary = "mean over the relevant documents, 0 for those not found, of "
	       "1 - min(n, R) / min(N, R): n documents judged not relevant "
	       "stand above, of N in all; unjudged ones are passed over "
	       "(Buckley & Voorhees 2004)",
};
