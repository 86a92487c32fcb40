/* Verdicts by tables: a row a verdict, a file a theme. */
#include "test_verdict.h"

#include "verdicts_averages.h"
#include "verdicts_baseline.h"
#include "verdicts_budget.h"
#include "verdicts_depth.h"
#include "verdicts_gate.h"
#include "verdicts_questions.h"
#include "verdicts_tracked.h"
#include "verdicts_waivers.h"

static void
judge_rows(const struct row *rows, size_t n)
{
	size_t i, nwrong = 0;

	for (i = 0; i < n; i++) {
		struct table t = {.arena = arena_new()};
		const char *got;

		t.e.arena = t.arena;
		got = judge_row(&t, &rows[i]);
		if (strcmp(got, rows[i].want) != 0) {
			print_error("%s\n  got    %s\n  wanted %s\n",
			    rows[i].name, got, rows[i].want);
			nwrong++;
		}
		arena_free(t.arena);
	}
	if (nwrong)
		fail_msg("%zu of %zu rows are wrong", nwrong, n);
}

#define TEST_ROWS(theme) \
	static void test_##theme(void **state) \
	{ \
		(void)state; \
		judge_rows(theme##_rows, COUNT(theme##_rows)); \
	}

TEST_ROWS(tracked)
TEST_ROWS(depth)
TEST_ROWS(averages)
TEST_ROWS(budget)
TEST_ROWS(questions)
TEST_ROWS(waivers)
TEST_ROWS(gate)
TEST_ROWS(baseline)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_tracked),
	    cmocka_unit_test(test_depth),
	    cmocka_unit_test(test_averages),
	    cmocka_unit_test(test_budget),
	    cmocka_unit_test(test_questions),
	    cmocka_unit_test(test_waivers),
	    cmocka_unit_test(test_gate),
	    cmocka_unit_test(test_baseline),
	};

	return cmocka_run_group_tests(tests, open_library, close_library);
}
