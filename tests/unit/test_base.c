/* base: memory, text, errors, maps, numbers, files. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Before cmocka, which defines a macro named fail. */
#include "evalgate/base.h"

static int
fail_plainly(struct error *e)
{
	return fail(e, "'%s' is wrong", "x");
}

#include <cmocka.h>

/* -------------------------------------------------------------- memory -- */

static void
arena_zeroes_and_aligns(void **state)
{
	static const size_t sizes[] = {1, 7, 0, 16, 1000, 16384, 65536, 300000};
	struct arena *arena = arena_new();
	unsigned char *p;
	size_t i, j, round;

	(void)state;
	for (round = 0; round < 50; round++) {
		for (i = 0; i < COUNT(sizes); i++) {
			p = arena_alloc(arena, sizes[i]);
			assert_int_equal((uintptr_t)p % 16, 0);
			for (j = 0; j < sizes[i]; j++)
				assert_int_equal(p[j], 0);
			memset(p, 0xa5, sizes[i]);
		}
	}
	arena_free(arena);
	arena_free(NULL);
}

static void
arena_grow_keeps_elements(void **state)
{
	struct arena *arena = arena_new();
	int *array = NULL, i;
	size_t cap = 0;

	(void)state;
	for (i = 0; i < 10000; i++) {
		array =
		    arena_grow(arena, array, (size_t)i, &cap, sizeof(*array));
		assert_true(cap > (size_t)i);
		array[i] = i;
	}
	for (i = 0; i < 10000; i++)
		assert_int_equal(array[i], i);
	arena_free(arena);
}

static void
arena_copies_text(void **state)
{
	struct arena *arena = arena_new();
	char *text = arena_printf(arena, "%s-%d-%s", "a", 42, "b");

	(void)state;
	assert_string_equal(text, "a-42-b");
	assert_string_equal(arena_strndup(arena, "abcdef", 3), "abc");
	assert_string_equal(arena_strndup(arena, "", 0), "");
	assert_string_equal(arena_strdup(arena, "xyz"), "xyz");
	text = arena_printf(arena, "%100000d", 1);
	assert_int_equal(strlen(text), 100000);
	arena_free(arena);
}

/* ---------------------------------------------------------------- text -- */

static void
buf_is_text_from_the_start(void **state)
{
	struct buf buf;
	int i;

	(void)state;
	buf_init(&buf);
	assert_string_equal(buf.data, "");
	buf_free(&buf);
	buf_add(&buf, "", 0);
	assert_string_equal(buf.data, "");
	for (i = 0; i < 1000; i++) {
		buf_putc(&buf, 'a');
		buf_puts(&buf, "bc");
		buf_printf(&buf, "%d", i % 10);
	}
	assert_int_equal(buf.len, 4000);
	assert_int_equal(strlen(buf.data), 4000);
	assert_memory_equal(buf.data + 3996, "abc9", 5);
	buf_free(&buf);
	assert_string_equal(buf.data, "");
	assert_int_equal(buf.len, 0);
}

static void
terminals_do_not_obey(void **state)
{
	static const struct {
		const char *text, *shown;
	} cases[] = {
	    {"plain \xc3\xa9 \xf0\x9f\x98\x80",
		"plain \xc3\xa9 "
		"\xf0\x9f\x98\x80"},
	    {"a\nb\rc\td", "a\\nb\\rc\\td"},
	    {"\x1b[31mred", "\\x1b[31mred"},
	    {"\x7f", "\\x7f"},
	    {"\xc2\x9b", "\\u{009B}"},
	    {"\xe2\x80\xae", "\\u{202E}"},
	    {"\xe2\x81\xa6", "\\u{2066}"},
	    {"a\xe2\x80\x8b\xe2\x80\x8d", "a\\u{200B}\\u{200D}"},
	    {"\xc2\xad\xe2\x81\xa0", "\\u{00AD}\\u{2060}"},
	    {"\xf3\xa0\x81\x81", "\\u{E0041}"},
	    {"\xe2\x98\x83\xef\xb8\x8f", "\xe2\x98\x83\xef\xb8\x8f"},
	    {"\xff\xc3", "\\xff\\xc3"},
	    {"\xe2\x82", "\\xe2\\x82"},
	    {"\xef\xbf\xbf", "\\u{FFFF}"},
	    /* Nor does the log of a CI job. */
	    {"::error::x", "\\x3a:error::x"},
	    {"  ::error::x", "  \\x3a:error::x"},
	    {"a ::error::x", "a ::error::x"},
	    {"a ##[error]x", "a \\x23#[error]x"},
	    {"###vso[x]", "#\\x23#vso[x]"},
	    {"## heading", "## heading"},
	};
	struct buf buf;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(cases); i++) {
		buf_init(&buf);
		buf_put_visible(&buf, cases[i].text);
		assert_string_equal(buf.data, cases[i].shown);
		buf_free(&buf);
	}
}

static void
utf8_is_rfc_3629(void **state)
{
	static const struct {
		const char *text;
		size_t len, good;
	} cases[] = {
	    {"", 0, 0},
	    {"abc", 3, 3},
	    {"a\0b", 3, 3},
	    {"\xc2\x80", 2, 2},
	    {"\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf", 8, 8},
	    {"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", 8, 8},
	    {"\xed\x9f\xbf\xee\x80\x80", 6, 6},
	    {"a\x80", 2, 1},
	    {"a\xc1\xbf", 3, 1},
	    {"\xc2", 1, 0},
	    {"\xe0\x9f\xbf", 3, 0},
	    {"\xed\xa0\x80", 3, 0},
	    {"\xe2\x82", 2, 0},
	    {"ab\xf0\x8f\xbf\xbf", 6, 2},
	    {"\xf4\x90\x80\x80", 4, 0},
	    {"\xf5\x80\x80\x80", 4, 0},
	    {"\xf0\x9f\x98", 3, 0},
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(cases); i++)
		assert_int_equal(
		    utf8_check(cases[i].text, cases[i].len), cases[i].good);
	assert_int_equal(utf8_width("a\xc3\xa9\xf0\x9f\x98\x80"), 3);
}

static void
suggests_the_nearest_word(void **state)
{
	static const char *const words[] = {
	    "thresholds", "tracked", "metrics", "min", "max_drop", "suite"};
	static const struct {
		const char *word, *meant;
	} cases[] = {
	    {"treshold", "thresholds"},
	    {"threshlods", "thresholds"},
	    {"metric", "metrics"},
	    {"mim", "min"},
	    {"max-drop", "max_drop"},
	    {"suit", "suite"},
	    {"xyz", NULL},
	    {"", NULL},
	    {"completely different", NULL},
	};
	char longest[200];
	const char *meant;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(cases); i++) {
		meant = suggest(cases[i].word, words, COUNT(words));
		if (cases[i].meant) {
			assert_non_null(meant);
			assert_string_equal(meant, cases[i].meant);
		} else {
			assert_null(meant);
		}
	}
	memset(longest, 'm', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	assert_null(suggest(longest, words, COUNT(words)));
	assert_null(suggest("min", words, 0));
}

/* -------------------------------------------------------------- errors -- */

static void
errors_add_up(void **state)
{
	struct arena *arena = arena_new();
	struct error e = {.arena = arena};

	(void)state;
	assert_int_equal(fail_plainly(&e), -1);
	assert_int_equal(fail_at(&e, "f.yaml", 7, "bad %d", 3), -1);
	assert_int_equal(fail_environment(&e, "disk"), -1);
	assert_int_equal(fail_no_verdict(&e, "lost"), -1);
	assert_int_equal(e.nitems, 4);
	assert_string_equal(e.items[0].text, "'x' is wrong");
	assert_null(e.items[0].file);
	assert_int_equal(e.items[0].line, 0);
	assert_int_equal(e.items[0].kind, ERROR_INPUT);
	assert_string_equal(e.items[1].file, "f.yaml");
	assert_int_equal(e.items[1].line, 7);
	assert_string_equal(e.items[1].text, "bad 3");
	assert_int_equal(e.items[1].kind, ERROR_INPUT);
	assert_int_equal(e.items[2].kind, ERROR_ENVIRONMENT);
	assert_int_equal(e.items[3].kind, ERROR_NO_VERDICT);
	arena_free(arena);
}

/* ---------------------------------------------------------------- maps -- */

static void
map_finds_what_was_added(void **state)
{
	struct arena *arena = arena_new();
	struct map map;
	char *key;
	size_t i, index;

	(void)state;
	map_init(&map, arena);
	assert_false(map_get(&map, "a", 1, &index));
	for (i = 0; i < 100000; i++) {
		key = arena_printf(arena, "k%zu", i);
		index = i;
		assert_true(map_add(&map, key, strlen(key), &index));
	}
	assert_int_equal(map.nkeys, 100000);
	for (i = 0; i < 100000; i += 97) {
		key = arena_printf(arena, "k%zu", i);
		assert_true(map_get(&map, key, strlen(key), &index));
		assert_int_equal(index, i);
		index = 5;
		assert_false(map_add(&map, key, strlen(key), &index));
		assert_int_equal(index, i);
	}
	assert_false(map_get(&map, "k100000", 7, &index));
	arena_free(arena);
}

static void
map_keys_are_bytes(void **state)
{
	struct arena *arena = arena_new();
	struct map map;
	size_t index = 1;

	(void)state;
	map_init(&map, arena);
	assert_true(map_add(&map, "a\0b", 3, &index));
	index = 2;
	assert_true(map_add(&map, "a\0c", 3, &index));
	index = 3;
	assert_true(map_add(&map, "a", 1, &index));
	index = 4;
	assert_true(map_add(&map, "A", 1, &index));
	index = 5;
	assert_true(map_add(&map, "", 0, &index));
	assert_true(map_get(&map, "a\0b", 3, &index));
	assert_int_equal(index, 1);
	assert_true(map_get(&map, "", 0, &index));
	assert_int_equal(index, 5);
	arena_free(arena);
}

/* ------------------------------------------------------------- numbers -- */

static void
reads_decimal_numbers_only(void **state)
{
	static const struct {
		const char *text;
		double number;
	} good[] = {
	    {"0", 0},
	    {"-0.5", -0.5},
	    {"+1", 1},
	    {".5", .5},
	    {"5.", 5},
	    {"9e-1", .9},
	    {"1E+2", 100},
	    {"007", 7},
	    {"0.1", 0.1},
	    {"1e-999", 0},
	    {"1.7976931348623157e308", 1.7976931348623157e308},
	    {"0.1000000000000000055511151231257827021181583404541015625000000"
	     "000",
		0.1},
	};
	static const char *const bad[] = {"", " 1", "1 ", "0x1", "nan", "inf",
	    "infinity", "1,5", "1e999", "-1e999", "1e", "1e+", ".", "-", "+",
	    "+-1", "--1", "e5", "1_0", "1f", "1e1.5", "1.2.3", "0x1p3"};
	double number;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(good); i++) {
		number = NAN;
		assert_int_equal(
		    number_parse(good[i].text, strlen(good[i].text), &number),
		    0);
		assert_true(number == good[i].number);
	}
	for (i = 0; i < COUNT(bad); i++) {
		if (number_parse(bad[i], strlen(bad[i]), &number) == 0)
			fail_msg("accepted: '%s'", bad[i]);
	}
	assert_int_equal(number_parse("12345", 2, &number), 0);
	assert_true(number == 12);
	assert_int_equal(number_parse("1\0", 2, &number), -1);
}

static void
reads_whole_numbers(void **state)
{
	static const struct {
		const char *text;
		int64_t number;
	} good[] = {
	    {"0", 0},
	    {"-0", 0},
	    {"+42", 42},
	    {"007", 7},
	    {"9223372036854775807", INT64_MAX},
	    {"-9223372036854775808", INT64_MIN},
	};
	static const char *const bad[] = {"", "-", "+", "1.0", "1e3", " 1",
	    "1 ", "0x1", "9223372036854775808", "-9223372036854775809",
	    "99999999999999999999999", "--1"};
	int64_t n;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(good); i++) {
		n = 77;
		assert_int_equal(
		    integer_parse(good[i].text, strlen(good[i].text), &n), 0);
		assert_true(n == good[i].number);
	}
	for (i = 0; i < COUNT(bad); i++) {
		if (integer_parse(bad[i], strlen(bad[i]), &n) == 0)
			fail_msg("accepted: '%s'", bad[i]);
	}
}

static void
printed_numbers_read_back(void **state)
{
	static const struct {
		double number;
		const char *text;
	} cases[] = {
	    {0, "0"},
	    {-0.0, "0"},
	    {1, "1"},
	    {-0.5, "-0.5"},
	    {0.1, "0.1"},
	    {0.1 + 0.2, "0.30000000000000004"},
	    {2.0 / 3, "0.6666666666666666"},
	    {1e22, "1e+22"},
	    {100000, "100000"},
	    {1e-7, "1e-07"},
	    {NAN, "null"},
	    {INFINITY, "null"},
	    {-INFINITY, "null"},
	};
	struct buf buf;
	double number, x = 0.1;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(cases); i++) {
		buf_init(&buf);
		number_print(&buf, cases[i].number);
		assert_string_equal(buf.data, cases[i].text);
		buf_free(&buf);
	}
	for (i = 0; i < 2000; i++) {
		x = fmod(x * 1103.515245 + 0.12345, 1.0);
		buf_init(&buf);
		number_print(&buf, x);
		assert_int_equal(number_parse(buf.data, buf.len, &number), 0);
		assert_true(number == x);
		buf_free(&buf);
	}
}

static void
sorts_bytes_and_numbers(void **state)
{
	const char *texts[] = {"b", "\xc3\xa9", "", "a", "B", "aa"};
	double numbers[] = {2, -1, 0, 1e300, -1e300};

	(void)state;
	qsort(texts, COUNT(texts), sizeof(*texts), compare_text);
	assert_string_equal(texts[0], "");
	assert_string_equal(texts[1], "B");
	assert_string_equal(texts[2], "a");
	assert_string_equal(texts[3], "aa");
	assert_string_equal(texts[5], "\xc3\xa9");
	qsort(numbers, COUNT(numbers), sizeof(*numbers), compare_double);
	assert_true(numbers[0] == -1e300 && numbers[1] == -1);
	assert_true(numbers[3] == 2 && numbers[4] == 1e300);
}

/* --------------------------------------------------------------- files -- */

static char directory[] = "/tmp/test_base.XXXXXX";

static int
make_directory(void **state)
{
	(void)state;
	return mkdtemp(directory) ? 0 : -1;
}

/* rmdir fails, and so does the group, when a temporary file was left. */
static int
remove_directory(void **state)
{
	(void)state;
	return rmdir(directory);
}

static void
files_are_replaced_whole(void **state)
{
	struct arena *arena = arena_new();
	struct error e = {.arena = arena};
	char *path = arena_printf(arena, "%s/a", directory);
	struct buf buf;

	(void)state;
	assert_int_equal(file_write(path, "first\n", 6, &e), 0);
	assert_int_equal(file_write(path, "a\0b", 3, &e), 0);
	buf_init(&buf);
	assert_int_equal(file_read(path, &buf, &e), 0);
	assert_int_equal(buf.len, 3);
	assert_memory_equal(buf.data, "a\0b", 3);
	buf_free(&buf);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(file_write("/dev/null", "x", 1, &e), 0);
	assert_int_equal(e.nitems, 0);
	arena_free(arena);
}

static void
files_that_cannot_be_read_or_written(void **state)
{
	struct arena *arena = arena_new();
	struct error e = {.arena = arena};
	char *missing = arena_printf(arena, "%s/none/x", directory);
	struct buf buf;

	(void)state;
	buf_init(&buf);
	assert_int_equal(file_read(missing, &buf, &e), -1);
	assert_int_equal(file_read(directory, &buf, &e), -1);
	assert_int_equal(file_write(missing, "x", 1, &e), -1);
	assert_int_equal(e.nitems, 3);
	assert_string_equal(e.items[0].file, missing);
	assert_int_equal(e.items[0].kind, ERROR_INPUT);
	assert_non_null(strstr(e.items[0].text, strerror(ENOENT)));
	assert_int_equal(e.items[1].kind, ERROR_INPUT);
	assert_non_null(strstr(e.items[1].text, "directory"));
	assert_int_equal(e.items[2].kind, ERROR_ENVIRONMENT);
	assert_non_null(strstr(e.items[2].text, missing));
	buf_free(&buf);
	arena_free(arena);
}

static void
names_beside_a_file(void **state)
{
	static const struct {
		const char *file, *name, *path;
	} cases[] = {
	    {"evalgate.yaml", "q.yaml", "q.yaml"},
	    {"a/b/evalgate.yaml", "q.yaml", "a/b/q.yaml"},
	    {"a/evalgate.yaml", "../q.yaml", "a/../q.yaml"},
	    {"a/evalgate.yaml", "/abs/q.yaml", "/abs/q.yaml"},
	    {"/evalgate.yaml", "q.yaml", "/q.yaml"},
	};
	struct arena *arena = arena_new();
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(cases); i++)
		assert_string_equal(
		    path_beside(arena, cases[i].file, cases[i].name),
		    cases[i].path);
	arena_free(arena);
}

/* Up to 15 digits there is a short way, and it rounds as strtod does. */
static void
numbers_round_as_strtod_does(void **state)
{
	uint64_t seed = 1;
	double number, expected;
	char text[64];
	unsigned i;

	(void)state;
	for (i = 0; i < 200000; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		snprintf(text, sizeof(text), "%s%.*f", i & 1 ? "-" : "",
		    (int)(i % 15),
		    (double)(seed >> 11) / (double)(1u << i % 32));
		text[2 + seed % 15] = '\0';
		expected = strtod(text, NULL);
		if (number_parse(text, strlen(text), &number) == 0)
			assert_memory_equal(&number, &expected, sizeof(number));
		else
			assert_true(strcmp(text, "-") == 0);
	}
}

static int
compare_ints(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* More and fewer than are sorted by insertion. */
static void
sort_all_orders(void)
{
	unsigned state = 1;
	int items[40], round, n, i;

	for (round = 0; round < 200; round++) {
		n = round % 40 + 1;
		for (i = 0; i < n; i++) {
			state = state * 1664525 + 1013904223;
			items[i] = (int)(state >> 29);
		}
		sort(items, (size_t)n, sizeof(*items), compare_ints);
		for (i = 1; i < n; i++)
			assert_true(items[i - 1] <= items[i]);
	}
}

static void
sorting_leaves_what_is_in_order(void **state)
{
	int items[] = {1, 2, 2, 9}, others[] = {3, 1, 2};

	(void)state;
	sort(NULL, 0, sizeof(int), compare_ints);
	sort_all_orders();
	sort(items, 4, sizeof(int), compare_ints);
	assert_int_equal(items[3], 9);
	sort(others, 3, sizeof(int), compare_ints);
	assert_int_equal(others[0], 1);
	assert_int_equal(others[2], 3);
}

static void
outgrown_memory_is_given_back(void **state)
{
	struct arena *arena = arena_new();
	size_t n, cap = 0, *items = NULL;
	char *small = arena_strdup(arena, "small");

	(void)state;
	for (n = 0; n < 100000; n++) {
		items = arena_regrow(arena, items, n, &cap, sizeof(*items));
		items[n] = n;
	}
	for (n = 0; n < 100000; n++)
		assert_int_equal(items[n], n);
	arena_drop(arena, small, 6);
	arena_drop(arena, items, cap * sizeof(*items));
	assert_string_equal(small, "small");
	arena_free(arena);
}

static void
a_map_keeps_its_keys_when_room_is_made(void **state)
{
	struct arena *arena = arena_new();
	struct map map;
	size_t i = 7;

	(void)state;
	map_init(&map, arena);
	map_reserve(&map, 3);
	assert_true(map_add(&map, "a", 1, &i));
	map_reserve(&map, 5000);
	i = 0;
	assert_true(map_get(&map, "a", 1, &i));
	assert_int_equal(i, 7);
	map_drop(&map);
	assert_false(map_get(&map, "a", 1, &i));
	arena_free(arena);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(arena_zeroes_and_aligns),
	    cmocka_unit_test(arena_grow_keeps_elements),
	    cmocka_unit_test(arena_copies_text),
	    cmocka_unit_test(buf_is_text_from_the_start),
	    cmocka_unit_test(terminals_do_not_obey),
	    cmocka_unit_test(utf8_is_rfc_3629),
	    cmocka_unit_test(suggests_the_nearest_word),
	    cmocka_unit_test(errors_add_up),
	    cmocka_unit_test(map_finds_what_was_added),
	    cmocka_unit_test(map_keys_are_bytes),
	    cmocka_unit_test(reads_decimal_numbers_only),
	    cmocka_unit_test(reads_whole_numbers),
	    cmocka_unit_test(printed_numbers_read_back),
	    cmocka_unit_test(sorts_bytes_and_numbers),
	    cmocka_unit_test(files_are_replaced_whole),
	    cmocka_unit_test(files_that_cannot_be_read_or_written),
	    cmocka_unit_test(names_beside_a_file),
	    cmocka_unit_test(numbers_round_as_strtod_does),
	    cmocka_unit_test(sorting_leaves_what_is_in_order),
	    cmocka_unit_test(outgrown_memory_is_given_back),
	    cmocka_unit_test(a_map_keeps_its_keys_when_room_is_made),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
