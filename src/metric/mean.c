/* The mean over questions. */
#include <math.h>

#include "evalgate/metric.h"

double
mean(const double *scores, const bool *members, size_t n)
{
	double sum = 0;
	size_t i, counted = 0, among = 0;

	for (i = 0; i < n; i++) {
		among += members[i];
		if (members[i] && !isnan(scores[i])) {
			sum += scores[i];
			counted++;
		}
	}
	if (!counted)
		return among ? NAN : 0;
	return sum / (double)counted;
}
