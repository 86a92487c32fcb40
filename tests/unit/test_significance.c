/*
 * significance: against plain implementations, known distributions, and the
 * edges.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Before cmocka, which defines a macro named fail. */
#include "evalgate/base.h"
#include "evalgate/gate.h"

#include <cmocka.h>

/* cmocka 1.1.5 compares floats; this compares doubles. */
static void
assert_near(double got, double want, double tolerance, const char *what)
{
	if (!(fabs(got - want) <= tolerance))
		fail_msg("%s: %.17g, expected %.17g", what, got, want);
}

static void
assert_close(double got, double want, const char *what)
{
	assert_near(got, want, 1e-12, what);
}

/* Marsaglia's xorshift64*: no relation of the generator under test. */
static uint64_t
draw(uint64_t *seed)
{
	*seed ^= *seed >> 12;
	*seed ^= *seed << 25;
	*seed ^= *seed >> 27;
	return *seed * 0x2545f4914f6cdd1d >> 11;
}

/* What scores of retrieval do: many zeroes, few values, ties. */
static double
random_difference(uint64_t *seed)
{
	uint64_t before = draw(seed) % 12, now = draw(seed) % 12;

	if (draw(seed) % 3 == 0)
		return 0;
	return (now ? 1 / (double)now : 0) - (before ? 1 / (double)before : 0);
}

/* All 2^n signs, summed as they come; long double keeps ties together. */
static double
plain_enumeration(const double *differences, size_t n)
{
	size_t mask, i, count = 0;
	long double sum, seen = 0;

	for (i = 0; i < n; i++)
		seen += differences[i];
	for (mask = 0; mask < (size_t)1 << n; mask++) {
		sum = 0;
		for (i = 0; i < n; i++)
			sum += mask >> i & 1 ? -differences[i] : differences[i];
		count += sum <= seen + 1e-10L;
	}
	return (double)count / (double)((size_t)1 << n);
}

static double
plain_sampling(
    const double *differences, size_t n, size_t draws, uint64_t *seed)
{
	size_t i, j, count = 0;
	double sum, seen = 0;

	for (i = 0; i < n; i++)
		seen += differences[i];
	for (j = 0; j < draws; j++) {
		sum = 0;
		for (i = 0; i < n; i++)
			sum +=
			    draw(seed) & 1 ? -differences[i] : differences[i];
		count += sum <= seen + 1e-10;
	}
	return ((double)count + 1) / ((double)draws + 1);
}

static void
exact_equals_plain_enumeration(void **state)
{
	double differences[14];
	uint64_t seed = 1;
	size_t round, n, i;

	(void)state;
	for (round = 0; round < 200; round++) {
		n = draw(&seed) % (COUNT(differences) + 1);
		for (i = 0; i < n; i++)
			differences[i] = random_difference(&seed);
		assert_close(permutation_test(differences, n, round),
		    plain_enumeration(differences, n), "p");
	}
}

static void
small_cases_by_hand(void **state)
{
	const double drop[] = {-1, -0.5, -0.25}, rise[] = {1, 0.5, 0.25},
		     mixed[] = {-1, 0, 1}, one[] = {0, 0, -0.1, 0},
		     zero[] = {0, 0, 0};
	double twenty[20];
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(twenty); i++)
		twenty[i] = -1.0 / 3;
	assert_close(permutation_test(drop, 3, 1), 1.0 / 8, "drop");
	assert_close(permutation_test(rise, 3, 1), 1, "rise");
	assert_close(permutation_test(mixed, 3, 1), 3.0 / 4, "mixed");
	assert_close(permutation_test(one, 4, 1), 1.0 / 2, "one");
	assert_close(permutation_test(zero, 3, 1), 1, "zero");
	assert_close(permutation_test(NULL, 0, 1), 1, "none");
	assert_close(
	    permutation_test(twenty, 20, 1), ldexp(1, -20), "twenty drops");
	/* Ties in spite of rounding: one rise among twenty, P(X <= 1). */
	twenty[7] = 1.0 / 3;
	assert_close(permutation_test(twenty, 20, 1), ldexp(21, -20), "19:1");
}

/* Zeroes are no evidence, however many. */
static void
zeroes_change_nothing(void **state)
{
	double dense[60], sparse[600] = {0};
	uint64_t seed = 2;
	size_t n, i;

	(void)state;
	for (n = 5; n <= COUNT(dense); n += 11) {
		memset(sparse, 0, sizeof(sparse));
		for (i = 0; i < n; i++) {
			dense[i] = (double)(draw(&seed) % 1000) / 1000 - 0.6;
			sparse[i * 10 + 3] = dense[i];
		}
		assert_true(permutation_test(dense, n, 7) ==
		    permutation_test(sparse, COUNT(sparse), 7));
	}
}

/* Equal differences: the rises are binomial, so p is known. */
static void
sampling_meets_the_binomial(void **state)
{
	double differences[100];
	double p = 0, term = ldexp(1, -100);
	size_t i, rises = 42;

	(void)state;
	for (i = 0; i < COUNT(differences); i++)
		differences[i] = i % 50 < 21 ? 0.1 : -0.1;
	for (i = 0; i <= rises; i++) {
		p += term;
		term *= (double)(100 - i) / (double)(i + 1);
	}
	/* Four standard deviations of a share of 10,000 draws. */
	assert_near(permutation_test(differences, 100, 3), p,
	    4 * sqrt(p * (1 - p) / 10000), "p");
}

static void
sampling_agrees_with_plain(void **state)
{
	double differences[300], plain, p;
	uint64_t seed = 4;
	size_t round, n, i;

	(void)state;
	for (round = 0; round < 20; round++) {
		n = 40 + draw(&seed) % 260;
		for (i = 0; i < n; i++)
			differences[i] = random_difference(&seed);
		plain = plain_sampling(differences, n, 10000, &seed);
		p = permutation_test(differences, n, round);
		assert_near(p, plain,
		    5 * sqrt(2 * plain * (1 - plain) / 10000) + 1e-3, "p");
	}
}

static void
p_is_never_zero(void **state)
{
	double differences[1000];
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(differences); i++)
		differences[i] = -0.5;
	assert_close(
	    permutation_test(differences, 1000, 5), 1.0 / 10001, "all worse");
	for (i = 0; i < COUNT(differences); i++)
		differences[i] = 0.5;
	assert_close(permutation_test(differences, 1000, 5), 1, "all better");
}

/* Where nothing happened, 5 % of the tests say p <= .05. */
static void
level_is_kept(void **state)
{
	double differences[50];
	uint64_t seed = 6;
	size_t round, i, rejected = 0;

	(void)state;
	for (round = 0; round < 400; round++) {
		for (i = 0; i < COUNT(differences); i++)
			differences[i] =
			    (double)(draw(&seed) % 20001) / 10000 - 1;
		rejected += permutation_test(differences, 50, round) <= 0.05;
	}
	assert_in_range(rejected, 6, 36);
}

static void
seeds_decide(void **state)
{
	double differences[500], low[3], high[3];
	uint64_t seed = 8;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(differences); i++)
		differences[i] = random_difference(&seed);
	assert_true(permutation_test(differences, 500, 1) ==
	    permutation_test(differences, 500, 1));
	assert_true(permutation_test(differences, 500, 1) !=
	    permutation_test(differences, 500, 2));
	for (i = 0; i < 3; i++)
		bootstrap_interval(differences, 500, i / 2, &low[i], &high[i]);
	assert_true(low[0] == low[1] && high[0] == high[1]);
	assert_true(low[0] != low[2] || high[0] != high[2]);
}

/* The generator's stream is part of the promise: the same on all machines. */
static void
bits_are_the_same_everywhere(void **state)
{
	double differences[101], low, high;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(differences); i++)
		differences[i] = (double)((i * 37) % 64) / 64 - 0.53125;
	assert_true(permutation_test(differences, 101, 42) == 833.0 / 10001);
	bootstrap_interval(differences, 101, 42, &low, &high);
	assert_close(low, -0.096998762376237627, "low");
	assert_close(high, 0.01531559405940594, "high");
}

static void
interval_edges(void **state)
{
	const double one[] = {-0.25}, same[] = {0.5, 0.5, 0.5, 0.5, 0.5};
	double low = 9, high = 9;

	(void)state;
	bootstrap_interval(NULL, 0, 1, &low, &high);
	assert_true(low == 0 && high == 0);
	bootstrap_interval(one, 1, 1, &low, &high);
	assert_true(low == -0.25 && high == -0.25);
	bootstrap_interval(same, 5, 1, &low, &high);
	assert_true(low == 0.5 && high == 0.5);
}

static int
ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void
interval_agrees_with_plain(void **state)
{
	static double means[10000];
	double differences[200], mean = 0, variance = 0, low, high, error;
	uint64_t seed = 9;
	size_t i, j;

	(void)state;
	for (i = 0; i < COUNT(differences); i++) {
		differences[i] = random_difference(&seed);
		mean += differences[i] / 200;
	}
	for (i = 0; i < COUNT(differences); i++)
		variance += pow(differences[i] - mean, 2) / 200;
	error = sqrt(variance / 200);
	for (i = 0; i < COUNT(means); i++)
		for (means[i] = 0, j = 0; j < 200; j++)
			means[i] += differences[draw(&seed) % 200] / 200;
	qsort(means, COUNT(means), sizeof(*means), ascending);
	bootstrap_interval(differences, 200, 10, &low, &high);
	assert_near(low, means[249], error / 8, "low");
	assert_near(high, means[9750], error / 8, "high");
	assert_near(low, mean - 1.96 * error, error / 5, "normal low");
	assert_near(high, mean + 1.96 * error, error / 5, "normal high");
}

/* ------------------------------------------- all pairs of real methods -- */

#define NMETHODS 8
#define NFORGE 72 /* answerable questions */
#define REFERENCE "tests/data/forge/reference.tsv"

static const char *const methods[NMETHODS] = {"keyword_and", "keyword_and_stop",
    "dense_lsa_doc", "bm25_doc", "rrf_bm25x2_dense05", "rrf_equal",
    "bm25_chunk", "dense_lsa_chunk"};
static const char *const measures[] = {"recall@5", "mrr"};

/* Values by measure, method and question, questions in any one order. */
struct forge {
	char ids[NFORGE][64];
	size_t nids;
	double values[COUNT(measures)][NMETHODS][NFORGE];
	size_t nvalues;
};

static size_t
place_of(const char *const *names, size_t n, const char *name)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			break;
	return i;
}

static size_t
forge_question(struct forge *forge, const char *id)
{
	size_t i;

	for (i = 0; i < forge->nids; i++)
		if (strcmp(forge->ids[i], id) == 0)
			return i;
	assert_true(forge->nids < NFORGE && strlen(id) < 64);
	snprintf(forge->ids[forge->nids], 64, "%s", id);
	return forge->nids++;
}

/* The view trec at relevance 1: method view scope metric relevance value. */
static void
read_forge(struct forge *forge)
{
	char line[256], method[64], view[16], scope[64], metric[16];
	FILE *f = fopen(REFERENCE, "r");
	size_t i, k;
	int relevance;
	double value;

	memset(forge, 0, sizeof(*forge));
	if (!f)
		fail_msg("%s: run from the repository's root", REFERENCE);
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%63s %15s %63s %15s %d %lf", method, view,
			scope, metric, &relevance, &value) != 6)
			continue;
		i = place_of(methods, NMETHODS, method);
		k = place_of(measures, COUNT(measures), metric);
		if (strcmp(view, "trec") != 0 || relevance != 1 ||
		    strcmp(scope, "mean") == 0 || k == COUNT(measures))
			continue;
		assert_true(i < NMETHODS);
		forge->values[k][i][forge_question(forge, scope)] = value;
		forge->nvalues++;
	}
	fclose(f);
	assert_int_equal(forge->nids, NFORGE);
	assert_int_equal(forge->nvalues, COUNT(measures) * NMETHODS * NFORGE);
}

/* Those that are not 0: zeroes double what is counted and what is not. */
static size_t
drop_zeroes(const double *differences, size_t n, double *kept)
{
	size_t i, nkept = 0;

	for (i = 0; i < n; i++)
		if (differences[i] != 0)
			kept[nkept++] = differences[i];
	return nkept;
}

static void
check_p(const double *differences, const char *what, size_t *exact)
{
	double kept[NFORGE], plain, p;
	size_t n = drop_zeroes(differences, NFORGE, kept);
	uint64_t seed = 0x9e3779b97f4a7c15;

	p = permutation_test(differences, NFORGE, 11);
	assert_true(p > 0 && p <= 1);
	assert_true(p == permutation_test(differences, NFORGE, 11));
	if (n <= 20) {
		assert_close(p, plain_enumeration(kept, n), what);
		++*exact;
		return;
	}
	/* Four standard errors of the difference of two such samples. */
	plain = plain_sampling(kept, n, 40000, &seed);
	assert_near(p, plain,
	    4 * sqrt(plain * (1 - plain) * (1.0 / 10000 + 1.0 / 40000)) + 2e-4,
	    what);
}

/* The share of means below a value, and of those not above it. */
static void
shares(const double *means, size_t n, double value, double *below, double *upto)
{
	size_t i;

	*below = *upto = 0;
	for (i = 0; i < n; i++) {
		*below += means[i] < value - 1e-12;
		*upto += means[i] <= value + 1e-12;
	}
	*below /= (double)n;
	*upto /= (double)n;
}

/*
 * Resampled by indexes, one at a time: an end is a percentile of these means
 * as well, within four standard errors of both samples.  Few values differ,
 * so the means are few, and an end is compared by its place among them.
 */
static void
check_interval(const double *differences, const char *what)
{
	static double means[10000];
	const double slack = 4 * sqrt(2 * 0.025 * 0.975 / 10000);
	double low, high, again, below, upto;
	uint64_t seed = 0xda942042e4dd58b5;
	size_t i, j;

	for (i = 0; i < COUNT(means); i++) {
		means[i] = 0;
		for (j = 0; j < NFORGE; j++)
			means[i] += differences[draw(&seed) % NFORGE];
		means[i] /= NFORGE;
	}
	bootstrap_interval(differences, NFORGE, 11, &low, &high);
	shares(means, COUNT(means), low, &below, &upto);
	if (below > 0.025 + slack || upto < 0.025 - slack)
		fail_msg("%s: low %g is at %g to %g", what, low, below, upto);
	shares(means, COUNT(means), high, &below, &upto);
	if (below > 0.975 + slack || upto < 0.975 - slack)
		fail_msg("%s: high %g is at %g to %g", what, high, below, upto);
	bootstrap_interval(differences, NFORGE, 11, &again, &high);
	assert_true(again == low);
}

static void
all_pairs_of_real_methods(void **state)
{
	static struct forge forge;
	double differences[NFORGE];
	char what[128];
	size_t m, a, b, i, pairs = 0, exact = 0;

	(void)state;
	read_forge(&forge);
	for (m = 0; m < COUNT(measures); m++)
		for (a = 0; a < NMETHODS; a++)
			for (b = 0; b < NMETHODS; b++) {
				if (a == b)
					continue;
				for (i = 0; i < NFORGE; i++)
					differences[i] = forge.values[m][b][i] -
					    forge.values[m][a][i];
				snprintf(what, sizeof(what), "%s, %s -> %s",
				    measures[m], methods[a], methods[b]);
				check_p(differences, what, &exact);
				check_interval(differences, what);
				pairs++;
			}
	assert_int_equal(pairs, 2 * 56);
	/* Both ways of computing were met. */
	assert_true(exact > 10 && exact < 100);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(exact_equals_plain_enumeration),
	    cmocka_unit_test(small_cases_by_hand),
	    cmocka_unit_test(zeroes_change_nothing),
	    cmocka_unit_test(sampling_meets_the_binomial),
	    cmocka_unit_test(sampling_agrees_with_plain),
	    cmocka_unit_test(p_is_never_zero),
	    cmocka_unit_test(level_is_kept),
	    cmocka_unit_test(seeds_decide),
	    cmocka_unit_test(bits_are_the_same_everywhere),
	    cmocka_unit_test(interval_edges),
	    cmocka_unit_test(interval_agrees_with_plain),
	    cmocka_unit_test(all_pairs_of_real_methods),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
