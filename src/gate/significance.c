/*
 * The paired permutation test and the paired bootstrap.  Sums are in doubles
 * and in a fixed order, and random numbers are our own.
 */
#include <math.h>
#include <stdlib.h>

#include "evalgate/base.h"
#include "evalgate/gate.h"

#define DRAWS 10000
#define RESAMPLES 10000
/* Order statistics, from either end, that leave out 2.5 % on each side. */
#define TAIL (RESAMPLES / 40)

/* Enumeration splits the signs in two halves of this many bits. */
#define HALF 10
#define EXACT (2 * HALF)

/* Draws whose sums are kept at once, in the first-level cache. */
#define BLOCK 2000
/* Differences whose subsets are summed in advance, one a bit of a byte. */
#define GROUP 8

/* splitmix64 (Steele, Lea & Flood 2014). */
static uint64_t
next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* sums[mask] = the sum of values[i] for the bits i of mask. */
static void
sum_subsets(const double *values, size_t n, double *sums)
{
	size_t bit, mask;

	sums[0] = 0;
	for (bit = 0; bit < n; bit++)
		for (mask = 0; mask < (size_t)1 << bit; mask++)
			sums[mask | (size_t)1 << bit] =
			    sums[mask] + values[bit];
}

/*
 * Takes up to max differences that are not 0, from *at on, and pads with
 * zeroes.  Returns how many there were.
 */
static size_t
take(
    const double *differences, size_t n, size_t *at, double *values, size_t max)
{
	size_t taken = 0, i;

	for (; *at < n && taken < max; ++*at)
		if (differences[*at] != 0)
			values[taken++] = differences[*at];
	for (i = taken; i < max; i++)
		values[i] = 0;
	return taken;
}

/*
 * Flipping the signs of a subset changes the sum by -2 times the subset's:
 * the mean falls as far as it did, or further, exactly where the subset's
 * sum is not below 0.  slack keeps ties that rounding would take apart.
 */
static double
enumerate(const double *differences, size_t n, double slack)
{
	double values[EXACT], low[1 << HALF], high[1 << HALF];
	size_t at = 0, i, j, count = 0;

	take(differences, n, &at, values, EXACT);
	sum_subsets(values, HALF, low);
	sum_subsets(values + HALF, HALF, high);
	for (i = 0; i < COUNT(high); i++)
		for (j = 0; j < COUNT(low); j++)
			count += high[i] + low[j] >= -slack;
	/* Zeroes that pad the values double what is counted and what not. */
	return (double)count / (double)(1 << EXACT);
}

/* Adds the subset of one group that each draw flips, at random, to its sum. */
static void
flip(double *sums, const double *subsets, uint64_t *state)
{
	uint64_t seed = *state, bits;
	size_t i, j;

	for (i = 0; i < BLOCK; i += sizeof(bits)) {
		bits = next(&seed);
		for (j = 0; j < sizeof(bits); j++, bits >>= GROUP)
			sums[i + j] += subsets[bits & ((1 << GROUP) - 1)];
	}
	*state = seed;
}

static double
sample(const double *differences, size_t n, double slack, uint64_t seed)
{
	double values[GROUP], subsets[1 << GROUP], sums[BLOCK];
	size_t block, at, i, count = 0;

	for (block = 0; block < DRAWS / BLOCK; block++) {
		for (i = 0; i < BLOCK; i++)
			sums[i] = 0;
		for (at = 0; take(differences, n, &at, values, GROUP) > 0;) {
			sum_subsets(values, GROUP, subsets);
			flip(sums, subsets, &seed);
		}
		for (i = 0; i < BLOCK; i++)
			count += sums[i] >= -slack;
	}
	return ((double)count + 1) / (DRAWS + 1);
}

double
permutation_test(const double *differences, size_t n, uint64_t seed)
{
	double slack = 0;
	size_t i, different = 0;

	for (i = 0; i < n; i++) {
		different += differences[i] != 0;
		slack += fabs(differences[i]);
	}
	slack *= 1e-12;
	if (different <= EXACT)
		return enumerate(differences, n, slack);
	return sample(differences, n, slack, seed);
}

/* Draws, of more differences than are enumerated, never come so low. */
double
permutation_least(size_t n)
{
	return ldexp(1, n < EXACT ? -(int)n : -EXACT);
}

/*
 * The mean of n differences drawn with replacement.  32 random bits times n
 * give an index with a bias below n / 2^32, which no interval shows.
 */
static double
resample(const double *differences, size_t n, uint64_t *state)
{
	uint64_t seed = *state, bits;
	double even = 0, odd = 0;
	size_t i;

	for (i = 0; i + 1 < n; i += 2) {
		bits = next(&seed);
		even += differences[(bits >> 32) * n >> 32];
		odd += differences[(bits & UINT32_MAX) * n >> 32];
	}
	if (i < n)
		even += differences[(next(&seed) >> 32) * n >> 32];
	*state = seed;
	return (even + odd) / (double)n;
}

void
bootstrap_interval(const double *differences, size_t n, uint64_t seed,
    double *low, double *high)
{
	double means[RESAMPLES];
	size_t i;

	*low = *high = 0;
	if (n == 0)
		return;
	for (i = 0; i < RESAMPLES; i++)
		means[i] = resample(differences, n, &seed);
	qsort(means, RESAMPLES, sizeof(*means), compare_double);
	*low = means[TAIL - 1];
	*high = means[RESAMPLES - TAIL];
}
