/* Records as lines: written, read, and hostile ones told from ours. */
#include "test_history.h"

#define H1 "1111111111111111111111111111111111111111"
#define H2 "2222222222222222222222222222222222222222"
#define H3 "3333333333333333333333333333333333333333"
#define HEAD \
	"{\"evalgate\":1,\"suite\":\"default\",\"at\":\"2026-01-02T03:04:05Z\"" \
	",\"tool\":\"evalgate 0.1.0\",\"rules\":1"
#define PLACE \
	",\"commit\":\"" H1 "\",\"tree\":\"" H2 "\",\"parents\":[\"" H3 "\"]"
#define TAIL(n) ",\"n\":" #n ",\"qset\":\"" H2 "\",\"ranks\":"
#define FULL(n, ranks) \
	HEAD PLACE ",\"verdict\":\"pass\",\"depth\":10,\"metrics\":{}" TAIL(n) \
	    ranks "}"

static int
setup(void **state)
{
	*state = arena_new();
	return 0;
}

static int
teardown(void **state)
{
	arena_free(*state);
	return 0;
}

static struct record
read_line(struct arena *arena, const char *line)
{
	struct record record;

	if (record_parse(arena, line, strlen(line), &record) != RECORD_READ)
		fail_msg("not read: %s", line);
	return record;
}

static void
assert_foreign(struct arena *arena, const char *line, size_t len)
{
	struct record record;

	if (record_parse(arena, line, len, &record) == RECORD_READ)
		fail_msg("taken for a record: %.200s", line);
	assert_null(record.packed);
}

/* ------------------------------------------------------------- writing -- */

static void
a_record_is_written_key_by_key(void **state)
{
	static const char *const parents[] = {H3};
	static const struct record_metric metrics[] = {
	    {"recall@5", 0.1}, {"mrr", 1.0 / 3}};
	static const int32_t ranks[] = {1, 0, -1};
	struct record r = {
	    .suite = "default",
	    .at = "2026-01-02T03:04:05Z",
	    .tool = "evalgate 0.1.0",
	    .rules = 1,
	    .commit = H1,
	    .tree = H2,
	    .parents = parents,
	    .nparents = 1,
	    .verdict = RECORD_FAIL,
	    .depth = DEPTH_UNBOUNDED,
	    .metrics = metrics,
	    .nmetrics = 2,
	    .n = 3,
	    .qset = H2,
	    .ranks = ranks,
	};
	struct buf out;

	(void)state;
	buf_init(&out);
	record_write(&out, &r);
	assert_string_equal(out.data,
	    HEAD PLACE ",\"verdict\":\"fail\",\"depth\":null,\"metrics\":{"
		       "\"recall@5\":0.1,\"mrr\":0.3333333333333333}" TAIL(
			   3) "[1,0,-1]}\n");
	buf_free(&out);
}

/* Every optional key, in its place. */
static const char everything[] = HEAD
    ",\"run\":\"77\",\"attempt\":2" PLACE ",\"prev\":\"" H3
    "\",\"branch\":\"main\",\"head\":\"" H2 "\",\"base\":\"" H3
    "\",\"dirty\":true,\"verdict\":\"none\",\"start\":\"new \\\"index\\\"\","
    "\"gate\":{\"thresholds\":[{\"metric\":\"mrr\",\"max_drop\":0.05,"
    "\"relative\":true,\"warn\":true},{\"metric\":\"recall@5\",\"min\":0.7}],"
    "\"tracked\":[{\"question\":\"q\",\"document\":\"d\",\"max_loss\":0,"
    "\"max_rank\":10},{\"question\":\"r\",\"max_loss\":1}],\"waivers\":[]},"
    "\"depth\":7,\"metrics\":{\"mrr\":0.5},\"labels\":{\"model\":\"m\\n\"},"
    "\"top\":{\"ranks\":[\"x\",\"y\"],\"qset\":[]}" TAIL(
	4) "[1,[0,2147483647],-1,0]}";

static void
every_optional_key_survives_a_round_trip(void **state)
{
	struct record r = read_line(*state, everything);
	struct buf out;

	buf_init(&out);
	record_write(&out, &r);
	assert_int_equal(out.data[out.len - 1], '\n');
	out.data[out.len - 1] = '\0';
	assert_string_equal(out.data, everything);
	assert_string_equal(r.run, "77");
	assert_int_equal(r.attempt, 2);
	assert_string_equal(r.start, "new \"index\"");
	assert_true(r.dirty);
	assert_int_equal(r.nthresholds, 2);
	assert_true(r.thresholds[0].min < 0);
	assert_true(r.thresholds[0].relative && r.thresholds[0].warn);
	assert_int_equal(r.ntracked, 2);
	assert_int_equal(r.tracked[0].max_rank, 10);
	assert_null(r.tracked[1].document);
	assert_string_equal(r.top[0].documents[1], "y");
	assert_int_equal(r.ranks[2], INT32_MAX);
	assert_int_equal(r.first[2], 3);
	assert_false(r.single[1]);
	buf_free(&out);
}

static void
rules_of_the_gate_have_one_order(void **state)
{
	struct record r = read_line(*state, everything);
	struct record_tracked swapped[] = {r.tracked[1], r.tracked[0]};
	struct buf out;

	buf_init(&out);
	r.tracked = swapped;
	record_write(&out, &r);
	out.data[out.len - 1] = '\0';
	assert_string_equal(out.data, everything);
	buf_free(&out);
}

static void
flat_ranks_have_no_index(void **state)
{
	struct record r = read_line(*state, FULL(3, "[1,0,12]"));

	assert_null(r.first);
	assert_null(r.single);
	assert_int_equal(r.ranks[2], 12);
}

static void
unknown_keys_are_passed_over(void **state)
{
	struct record r = read_line(*state,
	    HEAD PLACE ",\"verdict\":\"pass\",\"depth\":null,\"metrics\":{},"
		       "\"later\":{\"ranks\":[[1]]}" TAIL(1) "[5]}");

	assert_int_equal(r.depth, DEPTH_UNBOUNDED);
	assert_int_equal(r.ranks[0], 5);
}

/* ------------------------------------------------------------- hostile -- */

static void
hostile_lines_are_foreign(void **state)
{
	static const char *const lines[] = {
	    FULL(1, "[2147483648]"),
	    FULL(1, "[99999999999999999999]"),
	    FULL(1, "[-2]"),
	    FULL(1, "[-]"),
	    FULL(1, "[-10]"),
	    FULL(1, "[01]"),
	    FULL(1, "[1.5]"),
	    FULL(1, "[1e3]"),
	    FULL(1, "[+1]"),
	    FULL(1, "[ 1]"),
	    FULL(1, "[]"),
	    FULL(1, "[null]"),
	    FULL(1, "[[]]"),
	    FULL(1, "[[[1]]]"),
	    FULL(1, "[[1,]]"),
	    FULL(1, "[[1,2]"),
	    FULL(2, "[1,,2]"),
	    FULL(2, "[1,2,]"),
	    FULL(2, "[,1]"),
	    FULL(2, "[1]"),
	    FULL(2, "[1,2,3]"),
	    FULL(0, "[]"),
	    FULL(100001, "[1]"),
	    FULL(100000, "[1]"),
	    FULL(1, "[1],\"more\":1"),
	    FULL(1, "[1]}"),
	    FULL(1, "[1]") "\r",
	    FULL(1, "[1") "",
	    HEAD
	    ",\"rules\":1" PLACE
	    ",\"verdict\":\"pass\",\"depth\":1,\"metrics\":{}" TAIL(1) "[1]}",
	    HEAD PLACE
	    ",\"verdict\":\"won\",\"depth\":1,\"metrics\":{}" TAIL(1) "[1]}",
	    HEAD PLACE
	    ",\"verdict\":\"pass\",\"depth\":-1,\"metrics\":{}" TAIL(1) "[1]}",
	    HEAD PLACE ",\"verdict\":\"pass\",\"metrics\":{}" TAIL(1) "[1]}",
	    HEAD PLACE
	    ",\"verdict\":\"pass\",\"depth\":1,\"metrics\":{\"a\":\"b\"}" TAIL(
		1) "[1]}",
	    HEAD PLACE ",\"verdict\":\"pass\xff\",\"depth\":1,\"metrics\":"
		       "{}" TAIL(1) "[1]}",
	    HEAD
	    ",\"verdict\":\"pass\",\"depth\":1,\"metrics\":{}" TAIL(1) "[1]}",
	    "{\"evalgate\":2,\"suite\":\"default\",\"ranks\":[1]}",
	    "{\"evalgate\":1" TAIL(1) "[1]}",
	    "{" TAIL(1) "[1]}",
	    "{}",
	    "{",
	    "",
	    "reviewed by somebody",
	    "[1,2]",
	};
	size_t i;

	for (i = 0; i < COUNT(lines); i++)
		assert_foreign(*state, lines[i], strlen(lines[i]));
}

static void
every_truncation_is_foreign(void **state)
{
	size_t len;

	for (len = 0; len < sizeof(everything) - 1; len++)
		assert_foreign(*state, everything, len);
}

static void
a_nul_or_a_long_line_is_foreign(void **state)
{
	size_t len = 5 * 1024 * 1024, i;
	char nul[] = FULL(1, "[1]"), *big = malloc(len);

	nul[sizeof(nul) - 4] = '\0';
	assert_foreign(*state, nul, sizeof(nul) - 1);
	assert_non_null(big);
	memcpy(big, nul, 20);
	for (i = 20; i < len; i++)
		big[i] = i % 2 ? '1' : ',';
	assert_foreign(*state, big, len);
	free(big);
}

/* One byte after the other is changed; nothing may go wrong under ASan. */
static void
no_changed_byte_is_a_crash(void **state)
{
	char line[sizeof(everything)];
	struct record record;
	size_t i, k;

	(void)state;
	for (i = 0; i < sizeof(everything) - 1; i++)
		for (k = 0; k < 4; k++) {
			struct arena *arena = arena_new();

			memcpy(line, everything, sizeof(line));
			line[i] = "\xff,[9"[k];
			record_parse(arena, line, sizeof(line) - 1, &record);
			arena_free(arena);
		}
}

/* --------------------------------------------------- questions' answers -- */

static void
answers_come_back_from_a_record(void **state)
{
	static const unsigned one[] = {3}, two[] = {0, 4, 9};
	struct answer answers[] = {
	    {.present = true, .ranks = one},
	    {.present = true, .ranks = two},
	    {.present = false},
	};
	struct run run = {.answers = answers, .nanswers = 3, .depth = 10};
	struct questions questions;
	struct record record = {0};
	struct answer a;

	some_questions(*state, &questions);
	record_set_ranks(*state, &record, &questions, &run);
	assert_int_equal(record.n, 3);
	assert_true(record.single[0] && !record.single[1] && record.single[2]);
	a = record_answer(*state, &record, 0, &questions.items[0]);
	assert_false(a.rank_only);
	assert_int_equal(a.ranks[0], 3);
	a = record_answer(*state, &record, 1, &questions.items[1]);
	assert_false(a.rank_only || a.errored);
	assert_int_equal(a.ranks[0], 0);
	assert_int_equal(a.ranks[1], 4);
	assert_int_equal(a.ranks[2], 0); /* grade 0: not kept */
	a = record_answer(*state, &record, 2, &questions.items[2]);
	assert_true(a.present);
	assert_false(a.errored || a.rank_only);
}

static void
one_rank_for_several_documents_stays_one(void **state)
{
	struct answer answers[] = {
	    {.present = true, .errored = true},
	    {.present = true, .rank_only = true, .rank = 6},
	    {.present = false},
	};
	struct run run = {.answers = answers, .nanswers = 3, .rank_only = true};
	struct questions questions;
	struct record record = {0};
	struct answer a;

	some_questions(*state, &questions);
	record_set_ranks(*state, &record, &questions, &run);
	assert_null(record.first);
	assert_int_equal(record.ranks[0], -1);
	a = record_answer(*state, &record, 0, &questions.items[0]);
	assert_true(a.errored);
	a = record_answer(*state, &record, 1, &questions.items[1]);
	assert_true(a.rank_only);
	assert_int_equal(a.rank, 6);
}

static void
one_question_needs_no_arrays(void **state)
{
	struct expected two[] = {
	    {.document = "d1", .grade = 1},
	    {.document = "d2", .grade = 1},
	};
	struct question one = {.id = "a"}, both = {.id = "b"};
	struct record r = read_line(*state, everything);
	struct answer a;
	size_t n;

	question_pack(*state, &one, two, 1, NULL);
	question_pack(*state, &both, two, 2, NULL);
	r.ranks = NULL;
	r.first = NULL;
	r.single = NULL;
	a = record_answer(*state, &r, 0, &one);
	assert_int_equal(a.ranks[0], 1);
	a = record_answer(*state, &r, 1, &both);
	assert_int_equal(a.ranks[0], 0);
	assert_int_equal(a.ranks[1], INT32_MAX);
	assert_true(record_answer(*state, &r, 2, &both).errored);
	a = record_answer(*state, &r, 3, &one);
	assert_int_equal(a.ranks[0], 0);
	assert_int_equal(record_ranks_of(*state, &r, 1, &n)[1], INT32_MAX);
	assert_int_equal(n, 2);
	record_ranks(*state, &r);
	assert_int_equal(record_ranks_of(*state, &r, 1, &n)[1], INT32_MAX);
	assert_int_equal(n, 2);
	assert_int_equal(r.first[4], 5);
	assert_int_equal(r.ranks[3], -1);
}

static void
ranks_of_every_size_survive_a_round_trip(void **state)
{
	static const char line[] = FULL(15,
	    "[[-1,0,1],125,126,127,128,[129],16381,16382,[16383,16384],"
	    "2097149,2097150,268435453,268435454,2147483646,[2147483647,0]]");
	struct record r = read_line(*state, line);
	struct buf again;
	size_t n;

	r.ranks = NULL;
	assert_int_equal(record_ranks_of(*state, &r, 14, &n)[0], INT32_MAX);
	assert_int_equal(n, 2);
	record_ranks(*state, &r);
	assert_int_equal(r.ranks[3], 125);
	assert_int_equal(r.first[15], 19);
	buf_init(&again);
	record_write(&again, &r);
	again.data[again.len - 1] = '\0';
	assert_string_equal(again.data, line);
	buf_free(&again);
}

static void
a_missing_answer_is_not_found(void **state)
{
	struct answer answers[3] = {{.present = false}};
	struct run run = {.answers = answers, .nanswers = 3};
	struct questions questions;
	struct record record = {0};
	struct answer a;

	some_questions(*state, &questions);
	record_set_ranks(*state, &record, &questions, &run);
	a = record_answer(*state, &record, 1, &questions.items[1]);
	assert_false(a.rank_only);
	assert_int_equal(a.ranks[0] + a.ranks[1], 0);
}

/* -------------------------------------------------------- question set -- */

static void
a_question_set_is_read_as_written(void **state)
{
	struct place p = {.arena = *state, .e = {.arena = *state}};
	struct qset *made = some_qset(&p), read;
	size_t i;

	assert_int_equal(
	    qset_parse(*state, made->blob, strlen(made->blob), &read, &p.e), 0);
	assert_string_equal(read.id, made->id);
	assert_int_equal(read.n, 3);
	assert_string_equal(read.ids[1], "packer \"x\"");
	for (i = 0; i < 3; i++)
		assert_string_equal(read.digests[i], made->digests[i]);
	assert_true(map_get(&read.by_id, "zz", 2, &i));
	assert_int_equal(i, 2);
}

static void
a_digest_changes_with_the_question_alone(void **state)
{
	struct place p = {.arena = *state};
	struct questions questions;
	struct question copy[3];
	struct expected expected = {.document = "doc-a", .grade = 2};
	struct qset *before = some_qset(&p), after;

	some_questions(*state, &questions);
	memcpy(copy, questions.items, sizeof(copy));
	questions.items = copy;
	copy[0].holdout = true;
	qset_make(*state, &questions, &after);
	assert_string_equal(after.id, before->id);
	question_pack(*state, &copy[0], &expected, 1, question_more(&copy[0]));
	qset_make(*state, &questions, &after);
	assert_string_not_equal(after.digests[0], before->digests[0]);
	assert_string_equal(after.digests[1], before->digests[1]);
	copy[1].any = true;
	qset_make(*state, &questions, &after);
	assert_string_not_equal(after.digests[1], before->digests[1]);
}

static void
damaged_question_sets_are_refused(void **state)
{
#define SET "evalgate-qset 1\n"
#define D "0123456789abcdef"
	static const char *const sets[] = {"", "evalgate-qset 2\n", SET "a\t" D,
	    SET "a " D "\n", SET "a\t0123\n", SET "b\t" D "\na\t" D "\n",
	    SET "a\t" D "\na\t" D "\n", SET "\\q\t" D "\n", SET "\xff\t" D "\n",
	    SET "a\t" D "\n\n", SET "a\tb\t" D "\n",
	    SET "a\t0123456789abcdeF\n"};
	struct error e = {.arena = *state};
	struct qset qset;
	size_t i;

	for (i = 0; i < COUNT(sets); i++)
		if (qset_parse(*state, sets[i], strlen(sets[i]), &qset, &e) !=
		    -1)
			fail_msg("taken for a question set: %s", sets[i]);
	assert_int_equal(e.nitems, COUNT(sets));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_record_is_written_key_by_key),
	    cmocka_unit_test(every_optional_key_survives_a_round_trip),
	    cmocka_unit_test(rules_of_the_gate_have_one_order),
	    cmocka_unit_test(flat_ranks_have_no_index),
	    cmocka_unit_test(unknown_keys_are_passed_over),
	    cmocka_unit_test(hostile_lines_are_foreign),
	    cmocka_unit_test(every_truncation_is_foreign),
	    cmocka_unit_test(a_nul_or_a_long_line_is_foreign),
	    cmocka_unit_test(no_changed_byte_is_a_crash),
	    cmocka_unit_test(answers_come_back_from_a_record),
	    cmocka_unit_test(one_rank_for_several_documents_stays_one),
	    cmocka_unit_test(one_question_needs_no_arrays),
	    cmocka_unit_test(ranks_of_every_size_survive_a_round_trip),
	    cmocka_unit_test(a_missing_answer_is_not_found),
	    cmocka_unit_test(a_question_set_is_read_as_written),
	    cmocka_unit_test(a_digest_changes_with_the_question_alone),
	    cmocka_unit_test(damaged_question_sets_are_refused),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
