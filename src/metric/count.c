/* Counting relevant documents, which most metrics begin with. */
#include "internal.h"

bool
within(const struct judged *judged, unsigned k)
{
	return k == 0 || judged->rank <= k;
}

bool
relevant(const struct ranking *ranking, const struct judged *judged)
{
	return judged->grade >= ranking->relevance;
}

size_t
count_relevant(const struct ranking *ranking)
{
	size_t i, n = 0;

	for (i = 0; i < ranking->njudged; i++)
		n += relevant(ranking, &ranking->judged[i]);
	return n;
}

size_t
count_relevant_within(const struct ranking *ranking, unsigned k)
{
	size_t i, n = 0;

	for (i = 0; i < ranking->nfound; i++) {
		if (!within(&ranking->judged[i], k))
			break;
		n += relevant(ranking, &ranking->judged[i]);
	}
	return n;
}
