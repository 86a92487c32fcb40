/*
 * metric: values on hand-made rankings, identities where one document is
 * expected, a second implementation, and how measures are written.
 */
#include <limits.h>
#include <math.h>
#include <regex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Before cmocka, which defines a macro named fail. */
#include "evalgate/metric.h"

#include <cmocka.h>

#define MAX_DOCUMENTS 64
/* Retrieved, and nobody judged it. */
#define UNJUDGED INT_MIN

/* Grades by rank, then those of judged documents that were not retrieved. */
struct sample {
	int list[MAX_DOCUMENTS];
	size_t nlist;
	int missed[MAX_DOCUMENTS];
	size_t nmissed;
	int relevance;
};

/* The same as metrics see it. */
struct view {
	struct judged judged[2 * MAX_DOCUMENTS];
	int ideal[2 * MAX_DOCUMENTS];
	struct ranking ranking;
};

static int
descending(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x < *y) - (*x > *y);
}

static void
add(struct view *view, int grade, unsigned rank)
{
	struct ranking *ranking = &view->ranking;

	view->judged[ranking->njudged++] =
	    (struct judged){.rank = rank, .grade = grade};
	if (grade > 0)
		view->ideal[ranking->nideal++] = grade;
}

static const struct ranking *
see(struct view *view, const struct sample *sample)
{
	size_t i;

	*view = (struct view){.ranking.relevance = sample->relevance,
	    .ranking.nresults = sample->nlist};
	for (i = 0; i < sample->nlist; i++)
		if (sample->list[i] != UNJUDGED)
			add(view, sample->list[i], (unsigned)i + 1);
	view->ranking.nfound = view->ranking.njudged;
	for (i = 0; i < sample->nmissed; i++)
		add(view, sample->missed[i], 0);
	qsort(view->ideal, view->ranking.nideal, sizeof(int), descending);
	view->ranking.judged = view->judged;
	view->ranking.ideal = view->ideal;
	return &view->ranking;
}

static double
value(const struct sample *sample, const char *name)
{
	struct arena *arena = arena_new();
	struct measure measure;
	struct view view;
	const char *mend = "";
	double score;

	if (measure_parse(arena, name, &measure, &mend) != 0)
		fail_msg("%s", mend);
	score = measure.metric->score(see(&view, sample), measure.k);
	arena_free(arena);
	return score;
}

/* No rank at all is the same as no rank at all. */
static bool
same_score(double one, double two)
{
	return one == two || (isnan(one) && isnan(two));
}

/* cmocka 1.1.5 compares floats; this compares doubles. */
static void
assert_close(double got, double want, const char *what)
{
	if (!(fabs(got - want) <= 1e-12))
		fail_msg("%s: %.17g, expected %.17g", what, got, want);
}

struct expectation {
	const char *name;
	double want;
};

static void
assert_values(
    const struct sample *sample, const struct expectation *want, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		assert_close(
		    value(sample, want[i].name), want[i].want, want[i].name);
}

/* -------------------------------------------------------- hand-made ----- */

/*
 * Ranks 1..6: not relevant, 2, unjudged, 1, -1, not relevant; a document of
 * grade 3 and one that is not relevant were missed.  R = 3.
 */
static const struct sample mixed = {
    .list = {0, 2, UNJUDGED, 1, -1, 0},
    .nlist = 6,
    .missed = {3, 0},
    .nmissed = 2,
    .relevance = 1,
};

static void
every_formula(void **state)
{
	const double ideal2 = 3 + 2 / log2(3), ideal = ideal2 + 0.5,
		     dcg2 = 2 / log2(3), dcg = dcg2 + 1 / log2(5);
	const struct expectation want[] = {
	    {"recall@1", 0},
	    {"recall@2", 1.0 / 3},
	    {"recall@4", 2.0 / 3},
	    {"recall@1000", 2.0 / 3},
	    {"precision@1", 0},
	    {"precision@2", 0.5},
	    {"precision@4", 0.5},
	    {"precision@10", 0.2},
	    {"hit@1", 0},
	    {"hit@2", 1},
	    {"mrr", 0.5},
	    {"mrr@1", 0},
	    {"mrr@2", 0.5},
	    {"map", (1.0 / 2 + 2.0 / 4) / 3},
	    {"map@3", (1.0 / 2) / 3},
	    {"map@1", 0},
	    {"rprec", 1.0 / 3},
	    {"ndcg@1", 0},
	    {"ndcg@2", dcg2 / ideal2},
	    {"ndcg@10", dcg / ideal},
	    {"ndcg", dcg / ideal},
	    {"ndcg_exp@2", 3 / log2(3) / (7 + 3 / log2(3))},
	    {"ndcg_exp@10",
		(3 / log2(3) + 1 / log2(5)) / (7 + 3 / log2(3) + 0.5)},
	    /* N = 3; one stands above either document found. */
	    {"bpref", (2.0 / 3 + 2.0 / 3) / 3},
	    {"judged@1", 1},
	    {"judged@3", 2.0 / 3},
	    {"judged@6", 4.0 / 6},
	    {"judged@10", 1 - 2.0 / 10},
	};

	(void)state;
	assert_values(&mixed, want, COUNT(want));
}

static void
relevance_is_for_binary_metrics_alone(void **state)
{
	struct sample strict = mixed;
	/* Grade 1 is now judged not relevant: R = 2, N = 4. */
	const struct expectation want[] = {
	    {"recall@4", 0.5},
	    {"precision@4", 0.25},
	    {"hit@4", 1},
	    {"mrr", 0.5},
	    {"map", 0.25},
	    {"rprec", 0.5},
	    {"bpref", 0.25},
	    {"judged@6", 4.0 / 6},
	};
	static const char *const graded[] = {
	    "ndcg", "ndcg@2", "ndcg@10", "ndcg_exp@2", "ndcg_exp@10"};
	size_t i;

	(void)state;
	strict.relevance = 2;
	assert_values(&strict, want, COUNT(want));
	for (i = 0; i < COUNT(graded); i++)
		assert_close(value(&strict, graded[i]),
		    value(&mixed, graded[i]), graded[i]);
}

/* More judged and rejected documents above than there are relevant ones. */
static void
bpref_stops_counting_at_r(void **state)
{
	const struct sample sample = {
	    .list = {1, 0, 0, 0, 1, 1},
	    .nlist = 6,
	    .missed = {0},
	    .nmissed = 1,
	    .relevance = 1,
	};
	const struct sample few = {
	    .list = {0, 1, 1},
	    .nlist = 3,
	    .missed = {1},
	    .nmissed = 1,
	    .relevance = 1,
	};

	(void)state;
	assert_close(value(&sample, "bpref"), 1.0 / 3, "min(n, R)");
	assert_close(value(&few, "bpref"), 0, "min(N, R)");
}

static const struct sample nothing_relevant = {
    .list = {0, UNJUDGED, -1},
    .nlist = 3,
    .missed = {-2},
    .nmissed = 1,
    .relevance = 1,
};
static const struct sample nothing_found = {
    .missed = {1, 2},
    .nmissed = 2,
    .relevance = 1,
};
static const struct sample nothing_at_all = {.relevance = 1};

static void
nothing_is_zero_and_no_nan(void **state)
{
	const struct sample *samples[] = {
	    &nothing_relevant, &nothing_found, &nothing_at_all};
	struct view view;
	size_t i, j;

	(void)state;
	for (i = 0; i < COUNT(samples); i++)
		for (j = 0; j < nmetrics; j++)
			if (metric_table[j]->reading_only)
				assert_true(isnan(metric_table[j]->score(
				    see(&view, samples[i]), 5)));
			else if (strcmp(metric_table[j]->name, "judged") != 0)
				assert_close(metric_table[j]->score(
						 see(&view, samples[i]), 5),
				    0, metric_table[j]->name);
}

static void
all_at_the_top_is_one(void **state)
{
	const struct sample best = {
	    .list = {7, 3, 3, 1, 0, UNJUDGED},
	    .nlist = 6,
	    .relevance = 1,
	};
	static const char *const names[] = {"recall@4", "precision@4", "hit@1",
	    "mrr", "mrr@1", "ndcg", "ndcg@1", "ndcg@3", "ndcg@99", "ndcg_exp@3",
	    "ndcg_exp@99", "map", "map@4", "rprec", "bpref", "judged@4",
	    "found", "mean_rank"};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(names); i++)
		assert_true(value(&best, names[i]) == 1);
}

/* 2^grade is past every double here. */
static void
huge_grades_stay_finite(void **state)
{
	const struct sample sample = {
	    .list = {999999, 1000000, 1},
	    .nlist = 3,
	    .relevance = 1,
	};

	(void)state;
	assert_close(value(&sample, "ndcg_exp@5"),
	    (0.5 + 1 / log2(3)) / (1 + 0.5 / log2(3)), "ndcg_exp@5");
	assert_true(value(&sample, "ndcg@5") < 1);
}

/* ------------------------------------------------------ random rankings -- */

/* Marsaglia's xorshift64: the same rankings on every machine. */
static uint64_t
draw(uint64_t *seed, uint64_t below)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed % below;
}

static struct sample
random_sample(uint64_t *seed)
{
	static const int grades[] = {UNJUDGED, UNJUDGED, UNJUDGED, UNJUDGED, -2,
	    -1, 0, 0, 0, 1, 1, 2, 3, 5};
	struct sample sample = {0};
	size_t i;

	sample.relevance = 1 + (int)draw(seed, 3);
	sample.nlist = draw(seed, MAX_DOCUMENTS + 1);
	sample.nmissed = draw(seed, 8);
	for (i = 0; i < sample.nlist; i++)
		sample.list[i] = grades[draw(seed, COUNT(grades))];
	for (i = 0; i < sample.nmissed; i++)
		sample.missed[i] = grades[4 + draw(seed, COUNT(grades) - 4)];
	return sample;
}

static double
score(const char *name, const struct ranking *ranking, unsigned k)
{
	size_t i;

	for (i = 0; i < nmetrics; i++)
		if (strcmp(metric_table[i]->name, name) == 0)
			return metric_table[i]->score(ranking, k);
	fail_msg("no metric '%s'", name);
	return 0;
}

/* Only one relevant document, at rank r or not retrieved: r says it all. */
static void
one_expected_document(void **state)
{
	uint64_t seed = 1;
	struct view view;
	const struct ranking *ranking;
	unsigned round, k, r;
	double in, discounted, reciprocal;
	size_t i;

	(void)state;
	for (round = 0; round < 1000; round++) {
		struct sample sample = {.relevance = 1};
		int grade = 1 + (int)draw(&seed, 5);

		sample.nlist = draw(&seed, MAX_DOCUMENTS + 1);
		for (i = 0; i < sample.nlist; i++)
			sample.list[i] = draw(&seed, 2) ? 0 : UNJUDGED;
		r = (unsigned)draw(&seed, sample.nlist + 1);
		if (r > 0)
			sample.list[r - 1] = grade;
		else
			sample.missed[sample.nmissed++] = grade;
		k = 1 + (unsigned)draw(&seed, MAX_DOCUMENTS);
		in = r > 0 && r <= k;
		reciprocal = r ? 1.0 / r : 0;
		discounted = r ? 1 / log2(r + 1.0) : 0;
		ranking = see(&view, &sample);

		assert_close(score("recall", ranking, k), in, "recall@k");
		assert_close(score("hit", ranking, k), in, "hit@k");
		assert_close(score("precision", ranking, k), in / k, "P@k");
		assert_close(score("rprec", ranking, 0), r == 1, "rprec");
		assert_close(score("mrr", ranking, 0), reciprocal, "mrr");
		assert_close(score("map", ranking, 0), reciprocal, "map");
		assert_close(
		    score("mrr", ranking, k), in * reciprocal, "mrr@k");
		assert_close(
		    score("map", ranking, k), in * reciprocal, "map@k");
		assert_close(score("ndcg", ranking, 0), discounted, "ndcg");
		assert_close(
		    score("ndcg", ranking, k), in * discounted, "ndcg@k");
		assert_close(score("ndcg_exp", ranking, k), in * discounted,
		    "ndcg_exp@k");
	}
}

/*
 * The second implementation: the formulas as printed, on the plain list of
 * grades, with no joined ranking, no early end and no shared helper.
 */
static int
grade_at(const struct sample *sample, size_t rank)
{
	return rank <= sample->nlist ? sample->list[rank - 1] : UNJUDGED;
}

static size_t
plain_relevant(const struct sample *sample, size_t from, size_t to)
{
	size_t rank, n = 0;

	for (rank = from; rank <= to; rank++)
		n += grade_at(sample, rank) >= sample->relevance;
	return n;
}

static size_t
plain_wanted(const struct sample *sample)
{
	size_t i, n = plain_relevant(sample, 1, sample->nlist);

	for (i = 0; i < sample->nmissed; i++)
		n += sample->missed[i] >= sample->relevance;
	return n;
}

static double
plain_gain(int grade, bool exponential)
{
	if (grade <= 0)
		return 0;
	return exponential ? pow(2, grade) - 1 : grade;
}

static double
plain_ndcg(const struct sample *sample, size_t k, bool exponential)
{
	int all[2 * MAX_DOCUMENTS];
	size_t n = 0, i;
	double dcg = 0, ideal = 0;

	for (i = 0; i < sample->nlist; i++)
		all[n++] = sample->list[i];
	for (i = 0; i < sample->nmissed; i++)
		all[n++] = sample->missed[i];
	qsort(all, n, sizeof(int), descending);
	for (i = 1; i <= k; i++)
		dcg += plain_gain(grade_at(sample, i), exponential) /
		    (log(i + 1.0) / log(2));
	for (i = 1; i <= k && i <= n; i++)
		ideal += plain_gain(all[i - 1], exponential) /
		    (log(i + 1.0) / log(2));
	return ideal > 0 ? dcg / ideal : 0;
}

static double
plain_map(const struct sample *sample, size_t k)
{
	size_t i, wanted = plain_wanted(sample);
	double sum = 0;

	for (i = 1; i <= k; i++)
		if (plain_relevant(sample, i, i))
			sum += (double)plain_relevant(sample, 1, i) / (double)i;
	return wanted ? sum / (double)wanted : 0;
}

static double
plain_mrr(const struct sample *sample, size_t k)
{
	size_t i;

	for (i = 1; i <= k; i++)
		if (plain_relevant(sample, i, i))
			return 1 / (double)i;
	return 0;
}

static size_t
plain_rejected(const struct sample *sample, size_t to)
{
	size_t rank, n = 0;

	for (rank = 1; rank <= to; rank++)
		n += grade_at(sample, rank) >= 0 &&
		    grade_at(sample, rank) < sample->relevance;
	return n;
}

static double
plain_bpref(const struct sample *sample)
{
	double wanted = (double)plain_wanted(sample), sum = 0, above, all;
	size_t i;

	all = (double)plain_rejected(sample, sample->nlist);
	for (i = 0; i < sample->nmissed; i++)
		all += sample->missed[i] >= 0 &&
		    sample->missed[i] < sample->relevance;
	for (i = 1; i <= sample->nlist; i++)
		if (plain_relevant(sample, i, i)) {
			above = (double)plain_rejected(sample, i);
			sum += above == 0
			    ? 1
			    : 1 - fmin(above, wanted) / fmin(all, wanted);
		}
	return wanted > 0 ? sum / wanted : 0;
}

static double
plain_judged(const struct sample *sample, size_t k)
{
	size_t rank, unjudged = 0;

	for (rank = 1; rank <= k && rank <= sample->nlist; rank++)
		unjudged += sample->list[rank - 1] < 0;
	return sample->nlist ? 1 - (double)unjudged / (double)k : 0;
}

static void
same_as_plain_formulas(void **state)
{
	uint64_t seed = 2;
	struct view view;
	const struct ranking *ranking;
	unsigned round, k;

	(void)state;
	for (round = 0; round < 1000; round++) {
		struct sample sample = random_sample(&seed);
		size_t wanted = plain_wanted(&sample), all = MAX_DOCUMENTS * 2;
		double hits, r = wanted ? (double)wanted : 1;

		k = 1 + (unsigned)draw(&seed, MAX_DOCUMENTS + 10);
		hits = (double)plain_relevant(&sample, 1, k);
		ranking = see(&view, &sample);

		assert_close(score("recall", ranking, k), hits / r, "recall");
		assert_close(
		    score("precision", ranking, k), hits / k, "precision");
		assert_close(score("hit", ranking, k), hits > 0, "hit");
		assert_close(score("rprec", ranking, 0),
		    (double)plain_relevant(&sample, 1, wanted) / r, "rprec");
		assert_close(
		    score("mrr", ranking, 0), plain_mrr(&sample, all), "mrr");
		assert_close(
		    score("mrr", ranking, k), plain_mrr(&sample, k), "mrr@k");
		assert_close(
		    score("map", ranking, 0), plain_map(&sample, all), "map");
		assert_close(
		    score("map", ranking, k), plain_map(&sample, k), "map@k");
		assert_close(score("ndcg", ranking, 0),
		    plain_ndcg(&sample, all, false), "ndcg");
		assert_close(score("ndcg", ranking, k),
		    plain_ndcg(&sample, k, false), "ndcg@k");
		assert_close(score("ndcg_exp", ranking, k),
		    plain_ndcg(&sample, k, true), "ndcg_exp@k");
		assert_close(
		    score("bpref", ranking, 0), plain_bpref(&sample), "bpref");
		assert_close(score("judged", ranking, k),
		    plain_judged(&sample, k), "judged@k");
	}
}

/* One more document nobody asked for, at the end, is never noticed. */
static void
an_unjudged_tail_changes_nothing(void **state)
{
	uint64_t seed = 3;
	struct view shorter, longer;
	unsigned round;
	size_t i;

	(void)state;
	for (round = 0; round < 200; round++) {
		struct sample sample = random_sample(&seed), more = sample;

		if (more.nlist == MAX_DOCUMENTS)
			continue;
		more.list[more.nlist++] = UNJUDGED;
		for (i = 0; i < nmetrics; i++)
			if (strcmp(metric_table[i]->name, "judged") != 0)
				assert_true(
				    same_score(metric_table[i]->score(
						   see(&shorter, &sample), 10),
					metric_table[i]->score(
					    see(&longer, &more), 10)));
	}
}

static void
every_value_is_a_share(void **state)
{
	uint64_t seed = 4;
	struct view view;
	unsigned round;
	double got;
	size_t i;

	(void)state;
	for (round = 0; round < 1000; round++) {
		struct sample sample = random_sample(&seed);

		for (i = 0; i < nmetrics; i++) {
			got = metric_table[i]->score(
			    see(&view, &sample), 1 + round % 70);
			assert_true(metric_table[i]->reading_only
				? isnan(got) ||
				    (got >= 1 && got <= MAX_DOCUMENTS)
				: got >= 0 && got <= 1);
		}
	}
}

/* What a row says it needs is all that it looks at. */
static void
needs_hold(void **state)
{
	uint64_t seed = 5;
	struct view view;
	unsigned round, k;
	enum metric_needs needs;
	size_t i, j;
	double got;

	(void)state;
	for (round = 0; round < 500; round++) {
		struct sample sample = random_sample(&seed);
		struct sample reduced[] = {
		    [NEEDS_FIRST_RANK] = sample,
		    [NEEDS_RELEVANT] = sample,
		    [NEEDS_JUDGED] = sample,
		};
		int *first = reduced[NEEDS_FIRST_RANK].list;
		int *graded = reduced[NEEDS_RELEVANT].list;
		bool found = false;

		for (i = 0; i < sample.nlist; i++) {
			if (found || first[i] < sample.relevance)
				first[i] = UNJUDGED;
			else
				found = true;
			if (graded[i] < 1)
				graded[i] = UNJUDGED;
		}
		k = 1 + (unsigned)draw(&seed, 20);
		for (j = 0; j < nmetrics; j++) {
			needs = metric_table[j]->needs;
			got = metric_table[j]->score(see(&view, &sample), k);
			assert_true(same_score(got,
			    metric_table[j]->score(
				see(&view, &reduced[needs]), k)));
		}
	}
}

/* ----------------------------------------------------------- measures --- */

/* Whether the pattern of measures, or of gated ones, takes a text. */
static bool
matches(struct arena *arena, const char *text, bool gated)
{
	regex_t pattern;
	bool matched;

	assert_int_equal(regcomp(&pattern, measure_pattern(arena, gated),
			     REG_EXTENDED | REG_NOSUB),
	    0);
	matched = regexec(&pattern, text, 0, NULL, 0) == 0;
	regfree(&pattern);
	return matched;
}

static void
the_pattern_knows_what_is_gated(void **state)
{
	struct arena *arena = arena_new();

	(void)state;
	assert_true(matches(arena, "mean_rank", false));
	assert_false(matches(arena, "mean_rank", true));
	assert_true(matches(arena, "found", true));
	arena_free(arena);
}

static void
names_are_read(void **state)
{
	static const struct {
		const char *text, *name;
	} cases[] = {
	    {"recall@5", "recall@5"},
	    {"recall@005", "recall@5"},
	    {"Recall@1000000", "recall@1000000"},
	    {"precision@1", "precision@1"},
	    {"P@3", "precision@3"},
	    {"success@5", "hit@5"},
	    {"hit_rate@5", "hit@5"},
	    {"mrr", "mrr"},
	    {"MRR@10", "mrr@10"},
	    {"recip_rank", "mrr"},
	    {"mean_reciprocal_rank", "mrr"},
	    {"nDCG", "ndcg"},
	    {"nDCG@10", "ndcg@10"},
	    {"ndcg_cut@10", "ndcg@10"},
	    {"ndcg_exp@10", "ndcg_exp@10"},
	    {"map", "map"},
	    {"map_cut@100", "map@100"},
	    {"Rprec", "rprec"},
	    {"bpref", "bpref"},
	    {"judged@10", "judged@10"},
	};
	struct arena *arena = arena_new();
	struct measure measure;
	const char *mend = NULL;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(cases); i++) {
		if (measure_parse(arena, cases[i].text, &measure, &mend) != 0)
			fail_msg("%s", mend);
		assert_string_equal(measure.name, cases[i].name);
		assert_true(matches(arena, cases[i].text, true));
	}
	arena_free(arena);
}

static void
mistakes_are_explained(void **state)
{
	static const struct {
		const char *text, *says;
	} cases[] = {
	    {"recall", "'recall' needs a cutoff, such as recall@5"},
	    {"P", "'P' needs a cutoff, such as precision@5"},
	    {"recall@0", "'recall@0': the cutoff must be 1 or more"},
	    {"recall@000", "the cutoff must be 1 or more"},
	    {"recall@1000001",
		"'recall@1000001': the cutoff is larger than "
		"1000000"},
	    {"recall@99999999999999999999", "larger than 1000000"},
	    {"recall@", "the cutoff after '@' must be a whole number"},
	    {"recall@-1", "must be a whole number of 1 or more"},
	    {"recall@+1", "must be a whole number of 1 or more"},
	    {"recall@5.0", "must be a whole number of 1 or more"},
	    {"recall@5@5", "must be a whole number of 1 or more"},
	    {"recall@five", "must be a whole number of 1 or more"},
	    {"recall@ 5", "must be a whole number of 1 or more"},
	    {"map@", "such as map@5"},
	    {"bpref@5", "'bpref@5': bpref takes no cutoff, write bpref"},
	    {"ndcg_exp", "needs a cutoff, such as ndcg_exp@5"},
	    {"recal@5", "unknown metric 'recal@5', did you mean 'recall@5'?"},
	    {"recal", "did you mean 'recall@5'?"},
	    {"recal@0", "did you mean 'recall@5'?"},
	    {"mpa", "unknown metric 'mpa', did you mean 'map'?"},
	    {"recall_5", "did you mean 'recall@5'?"},
	    {"ndcg_cut_10", "did you mean 'ndcg@10'?"},
	    {"P.20", "did you mean 'precision@20'?"},
	    {"mapx7q", "unknown metric 'mapx7q', known: recall@k"},
	    {"",
		"unknown metric '', known: recall@k, precision@k, hit@k, "
		"mrr, mrr@k, ndcg, ndcg@k, ndcg_exp@k, map, map@k, rprec, "
		"bpref, judged@k"},
	    {"@5", "unknown metric '@5', known: "},
	};
	struct arena *arena = arena_new();
	struct measure measure;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(cases); i++) {
		const char *mend = "accepted";

		assert_false(matches(arena, cases[i].text, false));
		if (measure_parse(arena, cases[i].text, &measure, &mend) == 0)
			fail_msg("'%s' was accepted", cases[i].text);
		if (strstr(mend, cases[i].says) == NULL)
			fail_msg("'%s': %s", cases[i].text, mend);
	}
	arena_free(arena);
}

static void
names_are_unique(void **state)
{
	size_t i, j;

	(void)state;
	for (i = 0; i < nmetrics; i++)
		for (j = 0; j < i; j++)
			assert_string_not_equal(
			    metric_table[i]->name, metric_table[j]->name);
}

static void
mean_of_scores(void **state)
{
	const double scores[] = {1, 0, 0.5, 0.25};
	struct mean mean = {0};
	size_t i;

	(void)state;
	assert_close(mean_value(&mean), 0, "mean of none");
	mean_add(&mean, NAN);
	assert_true(isnan(mean_value(&mean)));
	mean_add(&mean, scores[0]);
	assert_close(mean_value(&mean), 1, "mean of one");
	for (i = 1; i < COUNT(scores); i++)
		mean_add(&mean, scores[i]);
	mean_add(&mean, NAN);
	assert_close(mean_value(&mean), 0.4375, "mean");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_formula),
	    cmocka_unit_test(relevance_is_for_binary_metrics_alone),
	    cmocka_unit_test(bpref_stops_counting_at_r),
	    cmocka_unit_test(nothing_is_zero_and_no_nan),
	    cmocka_unit_test(all_at_the_top_is_one),
	    cmocka_unit_test(huge_grades_stay_finite),
	    cmocka_unit_test(one_expected_document),
	    cmocka_unit_test(same_as_plain_formulas),
	    cmocka_unit_test(an_unjudged_tail_changes_nothing),
	    cmocka_unit_test(every_value_is_a_share),
	    cmocka_unit_test(needs_hold),
	    cmocka_unit_test(the_pattern_knows_what_is_gated),
	    cmocka_unit_test(names_are_read),
	    cmocka_unit_test(mistakes_are_explained),
	    cmocka_unit_test(names_are_unique),
	    cmocka_unit_test(mean_of_scores),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
