/* The mean over questions. */
#include "evalgate/metric.h"

double
mean(const double *scores, const bool *members, size_t n)
{
	double sum = 0;
	size_t i, counted = 0;

	for (i = 0; i < n; i++)
		if (members[i]) {
			sum += scores[i];
			counted++;
		}
	return counted ? sum / (double)counted : 0;
}
