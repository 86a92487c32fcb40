/*
 * Random question sets and runs: what is read, joined and scored equals a
 * plain scorer that is written here a second time, straight from the
 * formulas, with no sharing of code or of ideas.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "evalgate/gate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define ROUNDS 1000
#define MAX_QUESTIONS 8
#define NDOCUMENTS 24

static uint64_t state;

static unsigned
chance(unsigned n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state % n);
}

/* One world: what is judged and what was retrieved, as plain arrays. */
struct world {
	int nquestions;
	bool judged[MAX_QUESTIONS][NDOCUMENTS];
	int grade[MAX_QUESTIONS][NDOCUMENTS];
	bool retrieved[MAX_QUESTIONS][NDOCUMENTS];
	int score[MAX_QUESTIONS][NDOCUMENTS]; /* few values, so that they tie */
};

static const char *
document(int d)
{
	/* Cases, digits and prefixes, so that the order of bytes matters. */
	static const char *const names[NDOCUMENTS] = {"a", "B", "b", "10", "9",
	    "100", "a-1", "a.1", "a_1", "Z", "z", "zz", "doc#1", "d1", "d10",
	    "d2", "\xc3\xa9t\xc3\xa9", "e", "x:y", "x/y", "p-1", "p-10", "p-2",
	    "~"};

	return names[d];
}

static void
make_world(struct world *w)
{
	int q, d;

	memset(w, 0, sizeof(*w));
	w->nquestions = 1 + (int)chance(MAX_QUESTIONS);
	for (q = 0; q < w->nquestions; q++) {
		unsigned many = 1 + chance(4);
		bool missing = chance(6) == 0;

		for (d = 0; d < NDOCUMENTS; d++) {
			w->judged[q][d] = chance(5) == 0;
			w->grade[q][d] = (int)chance(5) - 1;
			w->retrieved[q][d] = !missing && chance(many) == 0;
			w->score[q][d] = (int)chance(7) - 3;
		}
		w->judged[q][q] = true;
	}
	w->retrieved[0][0] = true;
}

/* Lines in any order, questions mixed. */
static void
shuffle(char (*lines)[64], size_t n)
{
	char keep[64];
	size_t i, j;

	for (i = n; i > 1; i--) {
		j = chance((unsigned)i);
		memcpy(keep, lines[i - 1], 64);
		memcpy(lines[i - 1], lines[j], 64);
		memcpy(lines[j], keep, 64);
	}
}

static void
write_lines(const char *path, char (*lines)[64], size_t n)
{
	FILE *f = fopen(path, "w");
	size_t i;

	assert_non_null(f);
	for (i = 0; i < n; i++)
		fprintf(f, "%s\n", lines[i]);
	fclose(f);
}

static void
write_trec(const struct world *w, const char *qrels, const char *run)
{
	static char lines[MAX_QUESTIONS * NDOCUMENTS][64];
	size_t n = 0;
	int q, d;

	for (q = 0; q < w->nquestions; q++)
		for (d = 0; d < NDOCUMENTS; d++)
			if (w->judged[q][d])
				snprintf(lines[n++], 64, "q%d 0 %s %d", q,
				    document(d), w->grade[q][d]);
	if (chance(2))
		shuffle(lines, n);
	write_lines(qrels, lines, n);
	n = 0;
	for (q = 0; q < w->nquestions; q++)
		for (d = 0; d < NDOCUMENTS; d++)
			if (w->retrieved[q][d])
				snprintf(lines[n++], 64, "q%d\tQ0 %s %d %d.5 t",
				    q, document(d), (int)chance(9),
				    w->score[q][d]);
	shuffle(lines, n);
	write_lines(run, lines, n);
}

/* -------------------------------------------------- the plain scorer -- */

/* How many documents stand before this one, and itself. */
static int
plain_rank(const struct world *w, int q, int d)
{
	int other, rank = 1;

	if (!w->retrieved[q][d])
		return 0;
	for (other = 0; other < NDOCUMENTS; other++)
		/* -n.5: the more negative the integer, the lower. */
		if (other != d && w->retrieved[q][other]) {
			double mine = w->score[q][d] < 0 ? w->score[q][d] - 0.5
							 : w->score[q][d] + 0.5;
			double theirs = w->score[q][other] < 0
			    ? w->score[q][other] - 0.5
			    : w->score[q][other] + 0.5;

			if (theirs > mine ||
			    (theirs == mine &&
				strcmp(document(other), document(d)) > 0))
				rank++;
		}
	return rank;
}

/* The document at a rank, -1 beyond the end. */
static int
plain_at(const struct world *w, int q, int rank)
{
	int d;

	for (d = 0; d < NDOCUMENTS; d++)
		if (plain_rank(w, q, d) == rank)
			return d;
	return -1;
}

static bool
plain_relevant(const struct world *w, int q, int d, int relevance)
{
	return d >= 0 && w->judged[q][d] && w->grade[q][d] >= relevance;
}

static int
plain_wanted(const struct world *w, int q, int relevance)
{
	int d, n = 0;

	for (d = 0; d < NDOCUMENTS; d++)
		n += plain_relevant(w, q, d, relevance);
	return n;
}

static int
plain_hits(const struct world *w, int q, int relevance, int k)
{
	int rank, n = 0;

	for (rank = 1; rank <= k; rank++)
		n += plain_relevant(w, q, plain_at(w, q, rank), relevance);
	return n;
}

static double
plain_rr(const struct world *w, int q, int relevance, int k)
{
	int rank;

	for (rank = 1; rank <= k; rank++)
		if (plain_relevant(w, q, plain_at(w, q, rank), relevance))
			return 1.0 / rank;
	return 0;
}

static double
plain_ap(const struct world *w, int q, int relevance, int k)
{
	int wanted = plain_wanted(w, q, relevance), rank;
	double sum = 0;

	for (rank = 1; rank <= k; rank++)
		if (plain_relevant(w, q, plain_at(w, q, rank), relevance))
			sum += (double)plain_hits(w, q, relevance, rank) / rank;
	return wanted ? sum / wanted : 0;
}

static double
gain(int grade, bool exponential)
{
	if (grade <= 0)
		return 0;
	return exponential ? pow(2, grade) - 1 : grade;
}

static double
plain_ndcg(const struct world *w, int q, int k, bool exponential)
{
	int best[NDOCUMENTS], n = 0, d, rank, i, j;
	double got = 0, ideal = 0;

	for (rank = 1; rank <= k; rank++) {
		d = plain_at(w, q, rank);
		if (d >= 0 && w->judged[q][d])
			got += gain(w->grade[q][d], exponential) /
			    (log(rank + 1) / log(2));
	}
	for (d = 0; d < NDOCUMENTS; d++)
		if (w->judged[q][d] && w->grade[q][d] > 0)
			best[n++] = w->grade[q][d];
	for (i = 0; i < n; i++)
		for (j = i + 1; j < n; j++)
			if (best[j] > best[i]) {
				int keep = best[i];

				best[i] = best[j];
				best[j] = keep;
			}
	for (i = 0; i < n && i < k; i++)
		ideal += gain(best[i], exponential) / (log(i + 2) / log(2));
	return ideal > 0 ? got / ideal : 0;
}

static double
plain(const struct world *w, int q, const char *name, int relevance)
{
	int wanted = plain_wanted(w, q, relevance);

	if (strcmp(name, "recall@3") == 0)
		return wanted ? (double)plain_hits(w, q, relevance, 3) / wanted
			      : 0;
	if (strcmp(name, "precision@5") == 0)
		return plain_hits(w, q, relevance, 5) / 5.0;
	if (strcmp(name, "hit@1") == 0)
		return plain_hits(w, q, relevance, 1) > 0;
	if (strcmp(name, "mrr") == 0)
		return plain_rr(w, q, relevance, NDOCUMENTS);
	if (strcmp(name, "mrr@2") == 0)
		return plain_rr(w, q, relevance, 2);
	if (strcmp(name, "map") == 0)
		return plain_ap(w, q, relevance, NDOCUMENTS);
	if (strcmp(name, "map@4") == 0)
		return plain_ap(w, q, relevance, 4);
	if (strcmp(name, "rprec") == 0)
		return wanted
		    ? (double)plain_hits(w, q, relevance, wanted) / wanted
		    : 0;
	if (strcmp(name, "ndcg") == 0)
		return plain_ndcg(w, q, NDOCUMENTS, false);
	if (strcmp(name, "ndcg@4") == 0)
		return plain_ndcg(w, q, 4, false);
	return plain_ndcg(w, q, 3, true);
}

/* ------------------------------------------------------------- rounds -- */

static const char *const names[] = {"recall@3", "precision@5", "hit@1", "mrr",
    "mrr@2", "map", "map@4", "rprec", "ndcg", "ndcg@4", "ndcg_exp@3"};

static void
set_rules(struct arena *arena, struct rules *rules, int relevance)
{
	static struct measure measures[COUNT(names)];
	const char *mend;
	size_t i;

	for (i = 0; i < COUNT(names); i++)
		assert_int_equal(
		    measure_parse(arena, names[i], &measures[i], &mend), 0);
	*rules = (struct rules){.relevance = relevance,
	    .measures = measures,
	    .nmeasures = COUNT(names)};
}

static void
check(const struct world *w, const char *qrels, const char *run_file,
    int relevance)
{
	struct arena *arena = arena_new();
	struct error e = {.arena = arena};
	struct run_options options = {.relevance = relevance};
	struct questions questions;
	struct scores scores;
	struct rules rules;
	struct views views;
	struct run run;
	struct ranking_scratch scratch = {.arena = arena};
	double wanted, sums[COUNT(names)] = {0}, values[COUNT(names)];
	size_t m;
	int q;

	set_rules(arena, &rules, relevance);
	assert_int_equal(
	    questions_read(arena, &qrels, 1, NULL, &questions, &e), 0);
	assert_int_equal(
	    run_read(arena, &run_file, 1, &options, &questions, &run, &e), 0);
	assert_int_equal(views_make(arena, &rules, &questions, &views, &e), 0);
	assert_int_equal(scores_make(arena, &questions, run.answers, &rules,
			     &views, &scores, &e),
	    0);
	assert_int_equal(questions.nitems, (size_t)w->nquestions);
	for (q = 0; q < w->nquestions; q++) {
		assert_int_equal(scores_of(&scratch, &questions.items[q],
				     &run.answers[q], &rules, values),
		    COUNT(names));
		for (m = 0; m < COUNT(names); m++) {
			wanted = plain(w, q, names[m], relevance);
			sums[m] += wanted;
			if (fabs(values[m] - wanted) > 1e-12)
				fail_msg("%s of q%d is %.17g, not %.17g",
				    names[m], q, values[m], wanted);
		}
	}
	for (m = 0; m < COUNT(names); m++)
		assert_true(
		    fabs(scores.means[m] - sums[m] / w->nquestions) < 1e-12);
	arena_free(arena);
}

static void
random_runs_equal_the_plain_scorer(void **unused)
{
	char directory[] = "/tmp/evalgate-random-XXXXXX";
	char qrels[64], run[64];
	struct world world;
	int round;

	(void)unused;
	assert_non_null(mkdtemp(directory));
	snprintf(qrels, sizeof(qrels), "%s/qrels", directory);
	snprintf(run, sizeof(run), "%s/run", directory);
	state = 88172645463325252u;
	for (round = 0; round < ROUNDS; round++) {
		make_world(&world);
		write_trec(&world, qrels, run);
		check(&world, qrels, run, 1 + (int)chance(2));
	}
	unlink(qrels);
	unlink(run);
	rmdir(directory);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(random_runs_equal_the_plain_scorer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
