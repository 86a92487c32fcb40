/* The mean over questions. */
#include <math.h>

#include "evalgate/metric.h"

void
mean_add(struct mean *mean, double score)
{
	mean->n++;
	if (isnan(score))
		return;
	mean->sum += score;
	mean->nscored++;
}

double
mean_value(const struct mean *mean)
{
	if (!mean->nscored)
		return mean->n ? NAN : 0;
	return mean->sum / (double)mean->nscored;
}
