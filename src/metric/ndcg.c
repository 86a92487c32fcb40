/*
 * ndcg, ndcg@k and ndcg_exp@k: graded relevance, discounted by rank.  They
 * look at grades and never at the lowest grade that counts as relevant.
 */
#include <math.h>

#include "internal.h"

/*
 * A gain is what a document of this grade is worth, best being the highest
 * grade of the question.  Here the grade itself, as trec_eval has it
 * (Järvelin & Kekäläinen 2002).
 */
static double
linear(int grade, int best)
{
	(void)best;
	return grade;
}

/*
 * 2^grade - 1 (Burges et al. 2005), divided by 2^best: the quotient of two
 * sums stays the same to the bit, and a grade of 2000 is no infinity.
 */
static double
exponential(int grade, int best)
{
	return ldexp(1, grade - best) - ldexp(1, -best);
}

static double
discount(size_t rank)
{
	return log2((double)rank + 1);
}

/*
 * DCG / IDCG.  The ideal list holds all documents with a grade above 0,
 * retrieved or not, and is cut at k; without k it is not cut at all.
 */
static double
normalized(const struct ranking *ranking, unsigned k,
    double (*gain)(int grade, int best))
{
	const struct judged *judged = ranking->judged;
	double dcg = 0, ideal = 0;
	size_t i;
	int best;

	if (ranking->nideal == 0)
		return 0;
	best = ranking->ideal[0];
	for (i = 0; i < ranking->nfound && within(&judged[i], k); i++)
		if (judged[i].grade > 0)
			dcg += gain(judged[i].grade, best) /
			    discount(judged[i].rank);
	for (i = 0; i < ranking->nideal && (k == 0 || i < k); i++)
		ideal += gain(ranking->ideal[i], best) / discount(i + 1);
	/* Not above 1 by rounding alone. */
	return dcg < ideal ? dcg / ideal : 1;
}

static double
ndcg(const struct ranking *ranking, unsigned k)
{
	return normalized(ranking, k, linear);
}

static double
ndcg_exp(const struct ranking *ranking, unsigned k)
{
	return normalized(ranking, k, exponential);
}

const struct metric metric_ndcg = {
    .name = "ndcg",
    .cutoff = CUTOFF_OPTIONAL,
    .needs = NEEDS_RELEVANT,
    .score = ndcg,
    .trec_eval = "ndcg, ndcg_cut",
    .summary = "sum of grade / log2(rank + 1) (over the first k), divided "
	       "by the same sum of the best possible list of all judged "
	       "documents (Järvelin & Kekäläinen 2002)",
};

const struct metric metric_ndcg_exp = {
    .name = "ndcg_exp",
    .cutoff = CUTOFF_REQUIRED,
    .needs = NEEDS_RELEVANT,
    .score = ndcg_exp,
    .summary = "ndcg@k with 2^grade - 1 in the place of the grade (Burges "
	       "et al. 2005)",
};
