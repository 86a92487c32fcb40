/* "did you mean": the nearest word of a list. */
#include <string.h>

#include "internal.h"

#define LONGEST 64

/* Edit distance with adjacent transpositions (optimal string alignment). */
static size_t
distance(const char *a, size_t na, const char *b, size_t nb)
{
	size_t rows[3][LONGEST + 1], *last = rows[0], *row = rows[1],
				     *two = rows[2], *t, i, j, best;

	for (j = 0; j <= nb; j++)
		row[j] = j;
	for (i = 1; i <= na; i++) {
		t = two, two = last, last = row, row = t;
		row[0] = i;
		for (j = 1; j <= nb; j++) {
			best = last[j - 1] + (a[i - 1] != b[j - 1]);
			if (last[j] + 1 < best)
				best = last[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1] && two[j - 2] + 1 < best)
				best = two[j - 2] + 1;
			row[j] = best;
		}
	}
	return row[nb];
}

const char *
suggest(const char *word, const char *const *words, size_t nwords)
{
	size_t len = strlen(word), limit = (len + 2) / 3, d, i, n;
	const char *best = NULL;

	if (len > LONGEST)
		return NULL;
	if (limit > 3)
		limit = 3;
	for (i = 0; i < nwords; i++) {
		n = strlen(words[i]);
		if (n > LONGEST)
			continue;
		d = distance(word, len, words[i], n);
		if (d <= limit && d < len) {
			best = words[i];
			limit = d - (d > 0);
			if (d == 0)
				break;
		}
	}
	return best;
}
