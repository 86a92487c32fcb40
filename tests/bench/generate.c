/*
 * The data of `make bench`: made, seeded, the same on every machine.
 *   generate qrels|run|jsonl|shuffled|interleaved QUESTIONS RESULTS >FILE
 * Each question's random numbers depend on its own number alone, so that all
 * kinds of one size describe the same run.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DOCUMENTS 8841823u /* passages of MS MARCO, a prime */
#define SCALE 1000000

struct random {
	uint64_t state;
};

struct result {
	uint32_t document;
	uint32_t rank;
	uint32_t score; /* in millionths */
};

/* SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t
next(struct random *r)
{
	uint64_t z = r->state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static uint32_t
below(struct random *r, uint32_t n)
{
	return (uint32_t)(next(r) % n);
}

static unsigned
question_id(unsigned q)
{
	return 1000000 + q * 7;
}

/* A ranking: scores fall, one in a hundred ties with the one before it. */
static void
rank(struct random *r, struct result *results, unsigned n)
{
	uint32_t start = below(r, DOCUMENTS), i;
	uint32_t step = 1 + below(r, DOCUMENTS - 1);
	uint32_t score = 25 * SCALE + below(r, 10 * SCALE);

	for (i = 0; i < n; i++) {
		results[i].document =
		    (uint32_t)((start + (uint64_t)i * step) % DOCUMENTS);
		results[i].rank = i + 1;
		results[i].score = score;
		if (below(r, 100))
			score -= 1 + below(r, score / (n < 100 ? 100 : n));
	}
}

/* One to three relevant ones, more often near the top; some not found. */
static void
judge(struct random *r, unsigned q, const struct result *results, unsigned n)
{
	unsigned wanted = 1 + below(r, 3), i, at = 0;

	for (i = 0; i < wanted; i++) {
		at += 1 + below(r, i ? n : 1 + below(r, n));
		if (at <= n)
			printf("%u 0 %07" PRIu32 " 1\n", question_id(q),
			    results[at - 1].document);
	}
	printf("%u 0 X%06u 1\n", question_id(q), q);
}

static void
shuffle(struct random *r, struct result *results, unsigned n)
{
	unsigned i, j;
	struct result other;

	for (i = n; i > 1; i--) {
		j = below(r, i);
		other = results[i - 1];
		results[i - 1] = results[j];
		results[j] = other;
	}
}

static void
put_line(unsigned q, const struct result *result)
{
	printf("%u Q0 %07" PRIu32 " %" PRIu32 " %" PRIu32 ".%06" PRIu32
	       " bm25-01\n",
	    question_id(q), result->document, result->rank,
	    result->score / SCALE, result->score % SCALE);
}

static void
put_json(unsigned q, const struct result *results, unsigned n)
{
	unsigned i;

	printf("{\"id\": \"%u\", \"results\": [", question_id(q));
	for (i = 0; i < n; i++)
		printf(
		    "%s\"%07" PRIu32 "\"", i ? ", " : "", results[i].document);
	puts("]}");
}

static void
put_question(const char *kind, unsigned q, struct result *results, unsigned n)
{
	struct random r = {.state = q};
	unsigned i;

	rank(&r, results, n);
	if (strcmp(kind, "qrels") == 0) {
		judge(&r, q, results, n);
		return;
	}
	if (strcmp(kind, "jsonl") == 0) {
		put_json(q, results, n);
		return;
	}
	if (strcmp(kind, "shuffled") == 0)
		shuffle(&r, results, n);
	for (i = 0; i < n; i++)
		put_line(q, &results[i]);
}

/* Line i of every question, then line i + 1: as far apart as can be. */
static void
interleave(unsigned nquestions, struct result *results, unsigned n)
{
	struct random r;
	unsigned i, q;

	for (i = 0; i < n; i++)
		for (q = 0; q < nquestions; q++) {
			r.state = q;
			rank(&r, results, n);
			put_line(q, &results[i]);
		}
}

int
main(int argc, char **argv)
{
	static const char kinds[] = " qrels run jsonl shuffled interleaved ";
	unsigned nquestions, n, q;
	struct result *results;

	if (argc != 4 || !strstr(kinds, argv[1])) {
		fprintf(stderr, "usage: generate%s QUESTIONS RESULTS >FILE\n",
		    kinds);
		return 2;
	}
	nquestions = (unsigned)strtoul(argv[2], NULL, 10);
	n = (unsigned)strtoul(argv[3], NULL, 10);
	results = calloc(n ? n : 1, sizeof(*results));
	if (!results || !n)
		return 2;
	if (strcmp(argv[1], "interleaved") == 0)
		interleave(nquestions, results, n);
	else
		for (q = 0; q < nquestions; q++)
			put_question(argv[1], q, results, n);
	free(results);
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 4;
}
