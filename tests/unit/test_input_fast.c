/*
 * The readers of runs give one answer: slow, scalar, vector, and a reference
 * that lives here alone; whatever the layout, wherever a chunk ends.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "test_reading.h"

#include <cmocka.h>

static const char qrels[] =
    "q1 0 a 1\nq1 0 b 2\nq1 0 zz 0\n"
    "q2 0 a 1\nq2 0 gone 1\n"
    "q3 0 a-document-whose-id-is-longer-than-sixty-four-bytes-and-then-some-"
    "more-of-it 1\n"
    "q4 0 d7 1\nq4 0 d8 1\nq4 0 d9 1\n"
    "q5 0 d1000 1\nq5 0 d17 1\nq5 0 d3 -1\n";

static const char *const texts[] = {
    /* Layouts. */
    "q1 Q0 a 1 3.0 t\nq1 Q0 b 2 2.0 t\nq1 Q0 c 3 1.0 t\n",
    "q1 Q0 a 1 3.0 t\r\nq1 Q0 b 2 2.0 t\r\nq1 Q0 c 3 1.0 t\r\n",
    "q1\tQ0\ta\t1\t3.0\tt\nq1\tQ0\tb\t2\t2.0\tt\nq1\tQ0\tc\t3\t1.0\tt",
    "q1   Q0 a \t 1   3.0 t\nq1  Q0  b   2\t2.0 t\nq1 Q0 c 3 1.0  t\n",
    "\xef\xbb\xbfq1 Q0 a 1 3.0 t\nq1 Q0 b 2 2.0 t\n",
    "\xef\xbb\xbf# c\nq1 Q0 a 1 3.0 t\n# c\n\n  # d\nq1 Q0 b 2 2.0 t\n#",
    "  q1 Q0 a 1 3.0 t  \n q1 Q0 b 2 2.0 t junk more \nq1 Q0 c 3 1.0 t x\n",
    "\n\n\nq1 Q0 a 1 3.0 t\n\n\nq1 Q0 b 2 2.0 t\n\n",
    "q1 Q0 a 1 3.0 t\fx\nq1\vQ0 b 2 2.0 t\nq1 Q0 c 3 1.0 t\r\n\r\n",
    "q1 Q0 a 1 3.0 t\nq1 Q0 b\x01x 2 2.0 t\nq1 Q0 b 3 1.0 t\n",
    "q1 Q0 \xc3\xa9 1 3.0 t\nq1 Q0 b 2 2.0 t\nq2 Q0 a 1 1 \xe2\x82\xac\n",
    /* Ids. */
    "q3 Q0 x 1 3.0 t\nq3 Q0 a-document-whose-id-is-longer-than-sixty-four-"
    "bytes-and-then-some-more-of-it 2 2.0 t\nq3 Q0 y 3 1.0 t\n",
    "a-question-whose-id-is-longer-than-sixty-four-bytes-too-and-unknown-here "
    "Q0 a 1 3.0 t\nq1 Q0 a 1 3.0 t\n",
    "q1 Q0 a 1 3.0 t\nq1x Q0 a 1 3.0 t\nq Q0 b 1 3.0 t\n",
    /* Order. */
    "q1 Q0 c 1 1.0 t\nq1 Q0 b 2 2.0 t\nq1 Q0 a 3 3.0 t\n",
    "q1 Q0 a 1 10.0 t\nq1 Q0 b 2 9.0 t\nq1 Q0 c 3 9.5 t\nq1 Q0 d 4 8 t\n",
    "q1 Q0 a 1 1.0 t\nq1 Q0 b 2 1.00 t\nq1 Q0 c 3 1 t\nq1 Q0 zz 4 1e0 t\n",
    "q1 Q0 a 1 -1.5 t\nq1 Q0 b 2 -2.5 t\nq1 Q0 c 3 -2.4 t\n",
    "q1 Q0 a 1 -0.0 t\nq1 Q0 b 2 0.0 t\nq1 Q0 c 3 -0 t\nq1 Q0 d 4 +0 t\n",
    "q1 Q0 a 1 1e3 t\nq1 Q0 b 2 999 t\nq1 Q0 c 3 .5 t\nq1 Q0 d 4 5. t\n",
    "q1 Q0 a 1 0.12345678901234567 t\nq1 Q0 b 2 0.12345678901234568 t\n"
    "q1 Q0 c 3 0.12345678901234569 t\n",
    "q1 Q0 a 1 0.1999999999999999999 t\nq1 Q0 b 2 0.2000000000000000000 t\n",
    "q1 Q0 a 1 9007199254740993 t\nq1 Q0 b 2 9007199254740992 t\n",
    "q1 Q0 a 1 100000000000000000000000000000000 t\nq1 Q0 b 2 1 t\n",
    "q1 Q0 a 1 1.0 t\nq1 Q0 b 2 1.0 t\nq1 Q0 c 3 1.0 t\nq2 Q0 a 1 0 t\n",
    "q4 Q0 d9 1 1.0 t\nq4 Q0 x 2 1.0 t\nq4 Q0 d8 3 0.5 t\nq4 Q0 d7 4 0.5 t\n"
    "q4 Q0 d6 5 0.5 t\n",
    "q4 Q0 d9 1 1.0 t\nq4 Q0 x 2 2.0 t\nq4 Q0 d8 3 2.0 t\nq4 Q0 d7 4 0.5 t\n",
    /* Scattered questions. */
    "q1 Q0 a 1 3.0 t\nq2 Q0 a 1 3.0 t\nq1 Q0 b 2 2.0 t\nq2 Q0 b 2 2 t\n",
    "q2 Q0 a 1 3 t\nq1 Q0 a 1 3 t\nqq Q0 a 1 3 t\nq2 Q0 a 2 2.0 t\n",
    "q1 Q0 a 1 3 t\nq1 Q0 a 2 2 t\nq2 Q0 a 1 3 t\nq1 Q0 b 2 2.0 t\n",
    /* Faults, and which of several is told. */
    "q1 Q0 a 1 3.0 t\nq1 Q0 b 2 2.0 t\nq1 Q0 a 3 1.0 t\nq2 Q0 a 1 1 t\n",
    "q1 Q0 a 1 1.0 t\nq1 Q0 b 2 2.0 t\nq1 Q0 a 3 3.0 t\nq2 Q0 b 1 nan t\n",
    "q1 Q0 a 1 3.0 t\nq1 Q0 b 2 1,5 t\nq1 Q0 c 3 0x1 t\n",
    "q1 Q0 a 1 3.0 t\nq1 Q0 b 2 2.0\nq1 Q0 c 3 0x1 t\n",
    "q1 Q0 a 1 3.0 t\nq1 Q0 b 2 2.0 t\nq1 Q0 c\n",
    "q1 Q0 a 1 1e999 t\n",
    "q1 Q0 a 1 inf t\n",
    "q1 Q0 a 1 . t\nq1 Q0 b 1 - t\n",
    "q1 Q0 a 1 3.0 t\nq1 Q0 b 2 2.. t\n",
    "q1 Q0 a 1 3.0 t\nq1 Q0 b 2 2-0 t\n",
    "q1 Q0 a 1 -3.0 t\nq1 Q0 b 2 --.0 t\n",
    "q1 Q0 a 1 3.0 t\nq1 Q0 b 2 x t\n\xff\n",
    "q1 Q0 a 1 3.0 t\nq1 Q0 \xc3 2 2 t\n",
    "nobody Q0 a 1 3.0 t\n",
    "nobody Q0 a 1 3.0 t\nnobody Q0 a 1 3.0 t\nq1 Q0 a 1 3.0 t\n",
    "# nothing\n",
    "\n",
    "",
    "\xef\xbb\xbf",
    "q1 Q0 a 1\n",
    /* JSON Lines. */
    "{\"id\": \"q1\", \"results\": [\"a\", \"b\", \"c\"]}\n"
    "{\"id\":\"q2\",\"results\":[\"b\",\"a\"]}\n",
    "{\"query_id\": \"q1\", \"ranking\": [{\"doc_id\": \"a\", \"score\": 2.5},"
    " {\"doc_id\": \"b\", \"score\": 2.50, \"page\": 3}]}\r\n\r\n"
    "{\"id\": \"q2\", \"results\": []}",
    "\xef\xbb\xbf{\"id\":\"q1\",\"results\":[{\"id\":\"a\",\"rank\":1},"
    "{\"document\":\"b\",\"score\":null,\"text\":\"x\"}]}\n"
    "{\"results\": [\"a\"], \"id\": \"q2\", \"k\": 5}\n",
    "{\"id\": 7, \"results\": [1, 2]}\n{\"id\": \"q1\", \"results\": [3]}\n",
    "{\"id\": \"q1\", \"results\": [\"\\u0061\", \"b\"]}\n"
    "{\"\\u0069d\": \"q2\", \"results\": [\"a\"]}\n",
    "{\"id\": \"q1\", \"results\": [\"a\", \"b\", \"a\"]}\n{\"id\":\"q2\","
    "\"results\": []}\n",
    "{\"id\": \"q1\", \"results\": [\"a\"]}\n{\"id\": \"q1\", \"results\": "
    "[\"a\"]}\n",
    "{\"id\": \"q1\", \"results\": [\"a\"], \"id\": \"q2\"}\n{}\n",
    "{\"id\": \"q1\", \"results\": [\"a\"], \"x\": 1, \"x\": 2}\n{\"id\":\"q2\""
    ",\"results\":[]}\n",
    "{\"id\": \"q1\", \"results\": [\"a\",]}\n{}\n",
    "{\"id\": \"q1\", \"results\": [\"a\"]}\n{\"id\": \"q2\", \"results\": "
    "[\"a\"]\n",
    "{\"id\": \"q1\", \"results\": [\"a\"]}\n[1]\n",
    "{\"id\": \"q1\", \"results\": [\"a\"]}\n{\"id\":\"q2\",\"results\":[{"
    "\"doc_id\":\"a\",\"score\":1e999}]}\n",
    "{\"id\": \"q1\", \"results\": [\"a\"]}\n{\"id\":\"q2\",\"results\":[{"
    "\"doc_id\":\"a\",\"page\":-1}]}\n",
    "{\"id\": \"q1\", \"results\": [\"a\"]}\n{\"id\":\"q2\",\"results\":[{"
    "\"doc_id\":\"a\",\"score\":01}]}\n",
    "{\"id\": \"q1\", \"error\": \"timeout\"}\n{\"id\": \"q2\", \"error\": "
    "\"\", \"results\": [\"a\"]}\n",
    "{\"id\": \"q1\", \"results\": [{\"doc_id\":\"c\",\"score\":1},{\"doc_id\":"
    "\"a\",\"score\":2},{\"doc_id\":\"b\",\"score\":2}]}\n{\"id\":\"q2\","
    "\"results\":[{\"doc_id\":\"a\"}]}\n",
    "{\"id\": \"q1\", \"results\": [\"a\tb\"]}\n{}\n",
    "{\"id\": \"q1\", \"results\": [\"\xff\"]}\n{}\n",
    "{\"id\": \"q1\", \"results\": [\"\"]}\n{\"id\": \"\", \"results\": [\"\"]}",
    /* Other JSON is a tree, and one line alone is one too. */
    "{\"id\": \"q1\", \"results\": [\"a\"]}\n",
    "[{\"id\": \"q1\", \"results\": [\"a\"]}]",
    "{\"q1\": {\"a\": 1, \"b\": 2}}",
    /* CSV. */
    "question,rank\nq1,1\nq2,\nq4,3\n",
    "question,expected,rank\r\n\"q1\",a;b,2\r\n\r\nq2,\"a;gone\",0\r\n",
    "\xef\xbb\xbfrank,question,note\n3,q1,\"two\nlines, \"\"q\"\"\"\n1,q2,x",
    "question,rank\nq1,1\nq1,2\n",
    "question,rank\nq1,1\n\"q2,2\n",
    "question,rank\n\"q1,1\n\"q2\",2\n\nq\"3,3\nq4",
    "question,rank\n\"q1\n\",1\n\"q2\n\n\",2\n\"q4\",3\n",
    "question,rank\nq1,1,1\n",
    "question,rank\nq1,\"1\"x\n",
    "question,rank\nq1,1\nq\"2,1\n",
    "question,rank\nq1,-1\n\xff",
    "question,rank,rank\nq1,1,1\n",
    "other,rank\nq1,1\n",
    "question,rank\n",
};

static struct readings readings;

static struct run_options
options_of(unsigned i)
{
	struct run_options options = {
	    .relevance = i & 1 ? 2 : 1,
	    .tracked = i & 1 ? NULL : readings.tracked,
	    .keep_top = 3,
	    .duplicates_first = i & 2,
	    .order_by_score = i == 4,
	    .match_page = i == 5,
	    .verbose = i == 3,
	};

	return options;
}

#define OPTIONS 6

static void
agree(const void *data, size_t len, size_t chunk_max)
{
	struct run_options options;
	unsigned i;

	for (i = 0; i < OPTIONS; i++) {
		options = options_of(i);
		if (!readings_agree(&readings, &options, data, len, 0,
			i == 0 || chunk_max < 4 ? chunk_max : 4))
			fail_msg("options %u: %.*s", i, (int)len,
			    (const char *)data);
	}
}

static void
readers_agree_on_odd_texts(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(texts); i++)
		agree(texts[i], strlen(texts[i]), strlen(texts[i]) + 1);
	agree("q1 Q0 a 1 3.0 t\nq1 Q0 b\0b 2 2.0 t\n", 34, 35);
	agree("\xef\xbb\xbf", 3, 4);
	agree("q1 Q0 a 1 3.0 \xff\nq1 Q0 b\0b 2 2.0 t\n", 34, 35);
}

/* Each text, cut short at every byte. */
static void
readers_agree_on_cut_texts(void **state)
{
	struct run_options options = options_of(0);
	size_t i, len;

	(void)state;
	for (i = 0; i < COUNT(texts); i++)
		for (len = 0; len < strlen(texts[i]); len++)
			if (!readings_agree(
				&readings, &options, texts[i], len, 0, 1))
				fail_msg("%.*s", (int)len, texts[i]);
}

/* ------------------------------------------------------------ reference -- */

struct line {
	char document[16];
	double score;
};

static int
compare_lines(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	if (x->score != y->score)
		return x->score < y->score ? 1 : -1;
	return -strcmp(x->document, y->document);
}

/* Ranks of q4's or q5's documents by sorting: nothing of ours. */
static void
reference(struct line *lines, size_t n, const char *const *documents,
    size_t ndocuments, unsigned *ranks)
{
	size_t i, j;

	qsort(lines, n, sizeof(*lines), compare_lines);
	for (j = 0; j < ndocuments; j++)
		for (ranks[j] = i = 0; i < n; i++)
			if (strcmp(lines[i].document, documents[j]) == 0)
				ranks[j] = (unsigned)i + 1;
}

static void
compare_with_reference(enum run_reader reader, size_t chunk,
    const char *const *documents, size_t ndocuments, const unsigned *ranks)
{
	struct run_options options = {
	    .relevance = 1, .reader = reader, .chunk = chunk};
	struct error e = {.arena = arena_new()};
	const char *files[] = {readings.path};
	const struct judgment *judged;
	const struct question *q;
	struct run run;
	size_t i, j;

	assert_int_equal(run_read(e.arena, files, 1, &options,
			     &readings.questions, &run, &e),
	    0);
	q = questions_find(&readings.questions, "q5");
	judged = question_judgments(q);
	for (i = 0; i < q->njudgments; i++)
		for (j = 0; j < ndocuments; j++)
			if (strcmp(judgment_document(q, &judged[i]),
				documents[j]) == 0)
				assert_int_equal(
				    run.answers[q - readings.questions.items]
					.ranks[i],
				    ranks[j]);
	arena_free(e.arena);
}

#define SCORES 8

static void
write_score(char *text, size_t size, size_t how, double d)
{
	switch (how) {
	case 0:
		snprintf(text, size, "%.0f", d);
		break;
	case 1:
		snprintf(text, size, "%.2f", d);
		break;
	case 2:
		snprintf(text, size, "%.6f", d);
		break;
	case 3:
		snprintf(text, size, "-%.3f", d);
		break;
	case 4:
		snprintf(text, size, "%.17g", d);
		break;
	case 5:
		snprintf(text, size, "%g", d);
		break;
	case 6:
		snprintf(text, size, "%e", d);
		break;
	default:
		snprintf(text, size, "-%.0f", d);
	}
}

/* 3,000 results of one question, with many ties or few, in any order. */
static void
ranks_are_those_of_a_plain_sort(void **state)
{
	static const char *const documents[] = {"d1000", "d17", "d3"};
	static const size_t chunks[] = {0, 7, 4096};
	enum { N = 3000 };
	static struct line lines[N];
	unsigned ranks[COUNT(documents)], seed = 1;
	size_t f, i, c, order;
	char score[64];
	struct buf text;

	(void)state;
	buf_init(&text);
	for (f = 0; f < SCORES * 3; f++) {
		order = f % 3;
		text.len = 0;
		for (i = 0; i < N; i++) {
			double d = order == 0 ? (double)(N - i)
			    : order == 1      ? (double)i / 3
					      : (seed >> 8) % 1000 / 7.0;

			seed = seed * 1103515245 + 12345;
			write_score(score, sizeof(score), f / 3, d / 10);
			snprintf(lines[i].document, sizeof(lines[i].document),
			    "d%zu", (i * 7 + 5) % N);
			lines[i].score = strtod(score, NULL);
			buf_printf(&text, "q5 Q0 %s %zu %s tag\n",
			    lines[i].document, i + 1, score);
		}
		reference(lines, N, documents, COUNT(documents), ranks);
		readings_file(readings.path, text.data, text.len);
		for (c = 0; c < COUNT(chunks); c++) {
			compare_with_reference(READER_SLOW, chunks[c],
			    documents, COUNT(documents), ranks);
			compare_with_reference(READER_SCALAR, chunks[c],
			    documents, COUNT(documents), ranks);
			compare_with_reference(READER_VECTOR, chunks[c],
			    documents, COUNT(documents), ranks);
		}
		agree(text.data, text.len, 0);
	}
	buf_free(&text);
}

/* A hundred thousand lines of three questions, each in three places. */
static void
scattered_questions_are_read_in_parts(void **state)
{
	struct run_options options = options_of(0);
	struct buf text;
	unsigned i;

	(void)state;
	buf_init(&text);
	for (i = 0; i < 200000; i++)
		buf_printf(&text, "q%u Q0 d%u 1 %u t\n", 3 + i % 3, i,
		    i * 7919 % 100003);
	assert_true(
	    readings_agree(&readings, &options, text.data, text.len, 0, 0));
	/* The last line is a fault of the first question's. */
	buf_puts(&text, "q3 Q0 d0 1 5 t\n");
	assert_true(
	    readings_agree(&readings, &options, text.data, text.len, 0, 0));
	buf_free(&text);
}

static void
shards_that_share_a_question_are_refused(void **state)
{
	static const enum run_reader readers[] = {
	    READER_SLOW, READER_SCALAR, READER_VECTOR};
	const char *files[] = {readings.path, readings.path};
	struct run_options options = {.relevance = 1};
	struct error e;
	struct run run;
	size_t i;

	(void)state;
	readings_file(readings.path, "q1 Q0 a 1 1 t\n", 14);
	for (i = 0; i < COUNT(readers); i++) {
		e = (struct error){.arena = arena_new()};
		options.reader = readers[i];
		assert_int_equal(run_read(e.arena, files, 2, &options,
				     &readings.questions, &run, &e),
		    -1);
		assert_int_equal(e.nitems, 1);
		assert_non_null(strstr(e.items[0].text, "stands twice"));
		assert_int_equal(e.items[0].line, 1);
		arena_free(e.arena);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(readers_agree_on_odd_texts),
	    cmocka_unit_test(readers_agree_on_cut_texts),
	    cmocka_unit_test(ranks_are_those_of_a_plain_sort),
	    cmocka_unit_test(scattered_questions_are_read_in_parts),
	    cmocka_unit_test(shards_that_share_a_question_are_refused),
	};
	int failed;

	readings_open(&readings, qrels);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	readings_close(&readings);
	return failed;
}
