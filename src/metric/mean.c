/* The mean over questions. */
#include "evalgate/metric.h"

double
mean(const double *scores, size_t n)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += scores[i];
	return n ? sum / (double)n : 0;
}
