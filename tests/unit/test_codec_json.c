/* codec: JSON in and out. */
#include <math.h>
#include <stdio.h>

#include "test_codec.h"

static struct reading
json(const char *text)
{
	return read_bytes(json_read, text, strlen(text));
}

/* ------------------------------------------------------------- reading -- */

static void
reads_values_with_lines_and_digits(void **state)
{
	struct reading r = json("{\n\"a\": [1.50, -0, 1E+2],\r\n"
				"\"b\":\n {\"c\": null},\n"
				" \"d\": \"x\\n\\u00e9\\ud83d\\ude00\",\n"
				"\"e\": true, \"f\": false, \"\": []}\n");
	const struct value *v = r.root;

	(void)state;
	assert_non_null(v);
	assert_int_equal(v->type, VALUE_MAP);
	assert_int_equal(v->nitems, 6);
	assert_int_equal(v->line, 1);
	assert_string_equal(v->u.members[0].key, "a");
	assert_int_equal(v->u.members[0].line, 2);
	assert_string_equal(at(at(v, 0), 0)->text, "1.50");
	assert_string_equal(at(at(v, 0), 1)->text, "-0");
	assert_string_equal(at(at(v, 0), 2)->text, "1E+2");
	assert_int_equal(v->u.members[1].line, 3);
	assert_int_equal(at(v, 1)->line, 4);
	assert_int_equal(at(at(v, 1), 0)->type, VALUE_NULL);
	assert_string_equal(at(at(v, 1), 0)->text, "");
	assert_string_equal(at(v, 2)->text, "x\n\xc3\xa9\xf0\x9f\x98\x80");
	assert_int_equal(at(v, 2)->line, 5);
	assert_int_equal(value_get(v, "e")->type, VALUE_BOOL);
	assert_string_equal(value_get(v, "f")->text, "false");
	assert_int_equal(value_get(v, "")->nitems, 0);
	assert_null(value_get(v, "E"));
	done(&r);
}

static void
keys_differ_by_case(void **state)
{
	struct reading r = json("{\"q1\": 1, \"Q1\": 2}");

	(void)state;
	assert_non_null(r.root);
	assert_string_equal(value_get(r.root, "Q1")->text, "2");
	assert_string_equal(value_get(r.root, "q1")->text, "1");
	done(&r);
}

static void
keeps_every_digit(void **state)
{
	static const char *const numbers[] = {
	    "9007199254740993",
	    "123456789012345678901234567890123456789012345678901234567890123",
	    "1234567890123456789012345678901234567890123456789012345678901234",
	    "-0.0000000000000000000000000000000000000000000000000000000000001",
	};
	char text[200];
	struct reading r;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(numbers); i++) {
		snprintf(text, sizeof(text), "[%s, {\"a\":%s}]", numbers[i],
		    numbers[i]);
		r = json(text);
		assert_non_null(r.root);
		assert_string_equal(at(r.root, 0)->text, numbers[i]);
		assert_string_equal(at(at(r.root, 1), 0)->text, numbers[i]);
		done(&r);
	}
}

static void
lines_begin_where_the_source_says(void **state)
{
	struct arena *arena = arena_new();
	struct error e = {.arena = arena};
	struct source good = {"f", 7, "\xef\xbb\xbf[\n1]", 7};
	struct source bad = {"f", 143, "{\"a\": x}", 8};
	const struct value *v = json_read(arena, &good, &e);

	(void)state;
	assert_non_null(v);
	assert_int_equal(v->line, 7);
	assert_int_equal(at(v, 0)->line, 8);
	assert_null(json_read(arena, &bad, &e));
	expect_error(&e, 143, "'x' is not JSON");
	arena_free(arena);
}

static void
refuses_what_is_no_json(void **state)
{
	static const struct hostile texts[] = {
	    {"", 0, 1, "is empty"},
	    {" \n\n", 0, 3, "is empty"},
	    {"\xef\xbb\xbf", 0, 1, "is empty"},
	    {"\xef\xbb\xbf\xef\xbb\xbf[]", 0, 1, "is not JSON"},
	    {"\xff\xfe[\0]\0", 6, 1, "UTF-16"},
	    {"\xfe\xff\0[\0]", 6, 1, "UTF-16"},
	    {"[\n\"\xff\"]", 0, 2, "byte 0xff is no UTF-8"},
	    {"[\"\xed\xa0\x80\"]", 0, 1, "no UTF-8"},
	    {"[\"\xc0\xaf\"]", 0, 1, "no UTF-8"},
	    {"[\"\xf4\xbf\xbf\xbf\"]", 0, 1, "no UTF-8"},
	    {"[\"\xc3\"]", 0, 1, "no UTF-8"},
	    {"[1]\n\0", 5, 2, "NUL"},
	    {"[\"a\0b\"]", 7, 1, "NUL"},
	    /* values */
	    {"nul", 0, 1, "'nul' is not JSON"},
	    {"nulll", 0, 1, "'nulll' is not JSON"},
	    {"[tru]", 0, 1, "'tru'"},
	    {"[\nTrue]", 0, 2, "write true"},
	    {"[None]", 0, 1, "write null"},
	    {"[NaN]", 0, 1, "'NaN' is not JSON: write null"},
	    {"[nan]", 0, 1, "write null"},
	    {"[-Infinity]", 0, 1, "write null"},
	    {"['a']", 0, 1, "double quotes"},
	    {"[\xc3\xa9]", 0, 1, "double quotes"},
	    {"[1 // one\n]", 0, 1, "'//'"},
	    {"// one\n[1]", 0, 1, "no comments"},
	    {"[/* one */ 1]", 0, 1, "no comments"},
	    {"#\n1", 0, 1, "no comments"},
	    {"[\v1]", 0, 1, "control character 0x0b"},
	    {"\f[]", 0, 1, "control character 0x0c"},
	    /* numbers */
	    {"[039]", 0, 1, "begins with 0"},
	    {"[-012]", 0, 1, "begins with 0"},
	    {"[+1]", 0, 1, "digit or '-'"},
	    {"[.5]", 0, 1, "before its point"},
	    {"[1.]", 0, 1, "after its point"},
	    {"[1.e3]", 0, 1, "after its point"},
	    {"[1e]", 0, 1, "after its 'e'"},
	    {"[1e+]", 0, 1, "after its 'e'"},
	    {"[-]", 0, 1, "'-' is not JSON"},
	    {"[--1]", 0, 1, "is not JSON"},
	    {"[0x1]", 0, 1, "'x1' where ','"},
	    {"[1_000]", 0, 1, "'_000' where ','"},
	    {"[1e1.5]", 0, 1, "where ','"},
	    {"[1 2]", 0, 1, "'2' where ',' or ']'"},
	    {"-", 0, 1, "not JSON"},
	    /* texts */
	    {"[\"a", 0, 1, "ends inside double quotes"},
	    {"[\"a\\", 0, 1, "ends inside double quotes"},
	    {"[\"a\\\"]", 0, 1, "ends inside double quotes"},
	    {"[\n\"a\nb\"]", 0, 2, "a line ends inside double quotes"},
	    {"[\"a\tb\"]", 0, 1, "write \\u0009"},
	    {"[\"\x1f\"]", 0, 1, "write \\u001f"},
	    {"[\"\\x41\"]", 0, 1, "unknown escape '\\x'"},
	    {"[\"\\'\"]", 0, 1, "unknown escape"},
	    {"[\"\\\xc3\xa9\"]", 0, 1, "unknown escape"},
	    {"[\"\\u12\"]", 0, 1, "four hexadecimal"},
	    {"[\"\\u12g4\"]", 0, 1, "four hexadecimal"},
	    {"[\"\\u+123\"]", 0, 1, "four hexadecimal"},
	    {"[\"\\u", 0, 1, "four hexadecimal"},
	    {"[\n\"\\u0000\"]", 0, 2, "\\u0000"},
	    {"{\"\\u0000\": 1}", 0, 1, "\\u0000"},
	    {"[\"\\ud800\"]", 0, 1, "half a surrogate pair"},
	    {"[\"\\udc00\"]", 0, 1, "half a surrogate pair"},
	    {"[\"\\ud800\\ud800\"]", 0, 1, "half a surrogate pair"},
	    {"[\"\\ud800\\n\"]", 0, 1, "half a surrogate pair"},
	    {"[\"\\uD83D\\u12\"]", 0, 1, "half a surrogate pair"},
	    /* lists */
	    {"[", 0, 1, "'[' of line 1 is closed"},
	    {"[\n[1,\n2", 0, 3, "'[' of line 2 is closed"},
	    {"[1,", 0, 1, "is closed"},
	    {"[1,]", 0, 1, "',' before ']'"},
	    {"[1,,2]", 0, 1, "',' where a value"},
	    {"[,1]", 0, 1, "',' where a value"},
	    {"[1}", 0, 1, "'}' where ',' or ']'"},
	    {"]", 0, 1, "']' where a value"},
	    {"[1:2]", 0, 1, "':' where ','"},
	    /* objects */
	    {"{", 0, 1, "'{' of line 1 is closed"},
	    {"{\"a\"", 0, 1, "'{' of line 1 is closed"},
	    {"{\"a\":", 0, 1, "'{' of line 1 is closed"},
	    {"{\"a\":1", 0, 1, "'{' of line 1 is closed"},
	    {"{\"a\":1,", 0, 1, "'{' of line 1 is closed"},
	    {"{\"a\":1,}", 0, 1, "',' before '}'"},
	    {"{\"a\" 1}", 0, 1, "':' missing"},
	    {"{\"a\"}", 0, 1, "':' missing"},
	    {"{\"a\":}", 0, 1, "'}' where a value"},
	    {"{\"a\"::1}", 0, 1, "':' where a value"},
	    {"{a: 1}", 0, 1, "'a' is no key"},
	    {"{'a': 1}", 0, 1, "is no key"},
	    {"{1: 1}", 0, 1, "'1' is no key"},
	    {"{,}", 0, 1, "',' is no key"},
	    {"{\"a\":1 \"b\":2}", 0, 1, "where ',' or '}'"},
	    {"{\"a\":1]", 0, 1, "']' where ',' or '}'"},
	    /* one value a file */
	    {"{}\n{}", 0, 2, "more than one JSON value"},
	    {"[1]]", 0, 1, "more than one JSON value"},
	    {"1 2", 0, 1, "more than one JSON value"},
	    {"\"a\" x", 0, 1, "more than one JSON value"},
	    /* keys given twice */
	    {"{\"a\": 1,\n \"a\": 1}", 0, 2,
		"'a' is given twice, first on "
		"line 1"},
	    {"[{\"b\": 1, \"\\u0062\": 1}]", 0, 1, "'b' is given twice"},
	    {"{\"\": 1, \"\": 1}", 0, 1, "'' is given twice"},
	};

	(void)state;
	refuse_all(json_read, texts, COUNT(texts));
}

static void
tells_all_repeated_keys(void **state)
{
	struct reading r = json("{\"a\": {\"x\": 1,\n\"x\": 2},\n\"a\": 1}");

	(void)state;
	assert_null(r.root);
	assert_int_equal(r.e.nitems, 2);
	assert_int_equal(r.e.items[0].line, 2);
	assert_int_equal(r.e.items[1].line, 3);
	done(&r);
}

/* before n times, middle, after n times. */
static struct buf
repeat(const char *before, const char *middle, const char *after, size_t n)
{
	struct buf buf;
	size_t i;

	buf_init(&buf);
	for (i = 0; i < n; i++)
		buf_puts(&buf, before);
	buf_puts(&buf, middle);
	for (i = 0; i < n; i++)
		buf_puts(&buf, after);
	return buf;
}

static void
nests_a_hundred_deep(void **state)
{
	static const struct {
		const char *before, *middle, *after;
		size_t n;
		bool good;
	} cases[] = {
	    {"[", "", "]", 100, true},
	    {"[", "", "]", 101, false},
	    {"{\"a\":", "1", "}", 100, true},
	    {"{\"a\":", "1", "}", 101, false},
	    {"[", "", "", 200000, false},
	    {"{\"a\":[", "", "", 200000, false},
	};
	struct reading r;
	struct buf buf;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(cases); i++) {
		buf = repeat(cases[i].before, cases[i].middle, cases[i].after,
		    cases[i].n);
		r = read_bytes(json_read, buf.data, buf.len);
		if (cases[i].good)
			assert_non_null(r.root);
		else
			expect_error(&r.e, 1, "deeper than 100");
		done(&r);
		buf_free(&buf);
	}
}

static void
large_objects_find_repeated_keys(void **state)
{
	struct reading r;
	struct buf buf;
	int i;

	(void)state;
	buf_init(&buf);
	buf_puts(&buf, "{\n");
	for (i = 0; i < 100000; i++)
		buf_printf(&buf, "\"k%d\": %d,\n", i, i);
	buf_puts(&buf, "\"last\": 1\n}");
	r = read_bytes(json_read, buf.data, buf.len);
	assert_non_null(r.root);
	assert_int_equal(r.root->nitems, 100001);
	assert_string_equal(r.root->u.members[99999].key, "k99999");
	assert_int_equal(r.root->u.members[99999].line, 100001);
	done(&r);
	memcpy(strstr(buf.data, "\"last\""), "\"k777\"", 6);
	r = read_bytes(json_read, buf.data, buf.len);
	assert_null(r.root);
	expect_error(&r.e, 100002, "'k777' is given twice, first on line 779");
	done(&r);
	buf_free(&buf);
}

/* -------------------------------------------------------------- values -- */

static void
ids_are_text_or_whole_digits(void **state)
{
	static const struct {
		const char *json, *text, *word;
	} cases[] = {
	    {"\"a\"", "a", NULL},
	    {"\"\"", "", NULL},
	    {"12345678901234567890123", "12345678901234567890123", NULL},
	    {"-0", "-0", NULL},
	    {"1.0", NULL, "id is 1.0, not text: write it as a string, \"1.0\""},
	    {"1e3", NULL, "write it as a string, \"1e3\""},
	    {"1E3", NULL, "write it as a string"},
	    {"true", NULL, "id is true, not text"},
	    {"null", NULL, "id has no value"},
	    {"[]", NULL, "id is a list, not text"},
	    {"{}", NULL, "id is a map, not text"},
	};
	struct reading r;
	const char *text;
	size_t i;
	int rc;

	(void)state;
	for (i = 0; i < COUNT(cases); i++) {
		r = json(cases[i].json);
		text = NULL;
		rc = value_text(r.root, "f", "id", &text, &r.e);
		assert_int_equal(rc, cases[i].word ? -1 : 0);
		if (cases[i].word)
			expect_error(&r.e, 1, cases[i].word);
		else
			assert_string_equal(text, cases[i].text);
		done(&r);
	}
}

static void
numbers_are_finite(void **state)
{
	static const struct {
		const char *json;
		double number;
		const char *word;
	} cases[] = {
	    {"0.8", 0.8, NULL},
	    {"-1e-3", -0.001, NULL},
	    {"1e999", 0, "score is 1e999: not finite"},
	    {"\"0.8\"", 0, "score is text, not a number: remove the quotes"},
	    {"\"x\"", 0, "score is 'x', not a number"},
	    {"false", 0, "score is false, not a number"},
	    {"null", 0, "score has no value"},
	    {"[1]", 0, "score is a list, not a number"},
	};
	struct reading r;
	double number;
	size_t i;
	int rc;

	(void)state;
	for (i = 0; i < COUNT(cases); i++) {
		r = json(cases[i].json);
		number = NAN;
		rc = value_number(r.root, "f", "score", &number, &r.e);
		assert_int_equal(rc, cases[i].word ? -1 : 0);
		if (cases[i].word)
			expect_error(&r.e, 1, cases[i].word);
		else
			assert_true(number == cases[i].number);
		done(&r);
	}
}

static void
whole_numbers_have_a_range(void **state)
{
	static const struct {
		const char *json;
		int64_t min, max, number;
		const char *word;
	} cases[] = {
	    {"3", 1, 5, 3, NULL},
	    {"5.0", 1, 5, 5, NULL},
	    {"1e2", 1, INT64_MAX, 100, NULL},
	    {"-9223372036854775808", INT64_MIN, INT64_MAX, INT64_MIN, NULL},
	    {"9223372036854775807", INT64_MIN, INT64_MAX, INT64_MAX, NULL},
	    {"9223372036854775808", INT64_MIN, INT64_MAX, 0, "from -9223"},
	    {"0", 1, 5, 0, "k is 0: must be from 1 to 5"},
	    {"6", 1, 5, 0, "must be from 1 to 5"},
	    {"0", 1, INT64_MAX, 0, "k is 0: must be 1 or more"},
	    {"1e300", 1, 5, 0, "k is 1e300: must be from 1 to 5"},
	    {"2.5", 1, 5, 0, "k is 2.5, not a whole number"},
	    {"\"3\"", 1, 5, 0, "remove the quotes"},
	    {"true", 0, 5, 0, "k is true, not a whole number"},
	    {"null", 0, 5, 0, "k has no value"},
	};
	struct reading r;
	int64_t n;
	size_t i;
	int rc;

	(void)state;
	for (i = 0; i < COUNT(cases); i++) {
		r = json(cases[i].json);
		n = -77;
		rc = value_integer(
		    r.root, "f", "k", cases[i].min, cases[i].max, &n, &r.e);
		assert_int_equal(rc, cases[i].word ? -1 : 0);
		if (cases[i].word)
			expect_error(&r.e, 1, cases[i].word);
		else
			assert_true(n == cases[i].number);
		done(&r);
	}
}

static void
booleans_are_true_or_false(void **state)
{
	struct reading r =
	    json("[true, false,\n\"true\",\n0,\nnull,\n\"yes\"]");
	bool flag = false;

	(void)state;
	assert_int_equal(value_bool(at(r.root, 0), "f", "b", &flag, &r.e), 0);
	assert_true(flag);
	assert_int_equal(value_bool(at(r.root, 1), "f", "b", &flag, &r.e), 0);
	assert_false(flag);
	assert_int_equal(value_bool(at(r.root, 2), "f", "b", &flag, &r.e), -1);
	assert_int_equal(value_bool(at(r.root, 3), "f", "b", &flag, &r.e), -1);
	assert_int_equal(value_bool(at(r.root, 4), "f", "b", &flag, &r.e), -1);
	assert_int_equal(value_bool(at(r.root, 5), "f", "b", &flag, &r.e), -1);
	assert_int_equal(r.e.nitems, 4);
	expect_error(&r.e, 2, "b is text: remove the quotes around true");
	assert_string_equal(r.e.items[1].text, "b is '0', not true or false");
	assert_string_equal(r.e.items[2].text, "b has no value");
	assert_string_equal(
	    r.e.items[3].text, "b is 'yes': write true or false");
	done(&r);
}

/* ------------------------------------------------------------- writing -- */

static void
write_sample(struct json *json)
{
	json_open(json, NULL, '{');
	json_text(json, "a", "x");
	json_open(json, "b", '[');
	json_integer(json, NULL, INT64_MIN);
	json_number(json, NULL, 0.1);
	json_open(json, NULL, '{');
	json_bool(json, "t", true);
	json_bool(json, "f", false);
	json_close(json, '}');
	json_close(json, ']');
	json_open(json, "c", '{');
	json_close(json, '}');
	json_open(json, "d", '[');
	json_close(json, ']');
	json_null(json, "\"");
	json_text(json, "n", NULL);
	json_number(json, "inf", INFINITY);
	json_close(json, '}');
}

static void
writes_in_the_order_of_calls(void **state)
{
	static const char *const expected[] = {
	    "{\"a\":\"x\",\"b\":[-9223372036854775808,0.1,"
	    "{\"t\":true,\"f\":false}],\"c\":{},\"d\":[],\"\\\"\":null,"
	    "\"n\":null,\"inf\":null}",
	    "{\n \"a\": \"x\",\n"
	    " \"b\": [-9223372036854775808,0.1,{\"t\":true,\"f\":false}],\n"
	    " \"c\": {},\n \"d\": [],\n \"\\\"\": null,\n \"n\": null,\n"
	    " \"inf\": null\n}",
	    "{\n \"a\": \"x\",\n"
	    " \"b\": [\n  -9223372036854775808,\n  0.1,\n"
	    "  {\"t\":true,\"f\":false}\n ],\n"
	    " \"c\": {},\n \"d\": [],\n \"\\\"\": null,\n \"n\": null,\n"
	    " \"inf\": null\n}",
	};
	struct json out;
	struct buf buf;
	int pretty;

	(void)state;
	for (pretty = 0; pretty < 3; pretty++) {
		buf_init(&buf);
		json_init(&out, &buf, pretty);
		write_sample(&out);
		assert_string_equal(buf.data, expected[pretty]);
		buf_free(&buf);
	}
}

static void
escapes_what_json_reserves(void **state)
{
	static const struct {
		const char *text, *escaped;
	} cases[] = {
	    {"", ""},
	    {"plain", "plain"},
	    {"\"\\/", "\\\"\\\\/"},
	    {"\b\f\n\r\t", "\\b\\f\\n\\r\\t"},
	    {"\x01\x1f\x7f", "\\u0001\\u001f\x7f"},
	    {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
		"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"},
	    {"a\xe2\x80\xa8z\xe2\x80\xa9", "a\\u2028z\\u2029"},
	    {"\xff", "\\ufffd"},
	    {"a\xc3", "a\\ufffd"},
	    {"\xe2\x82", "\\ufffd\\ufffd"},
	    {"\xc3(", "\\ufffd("},
	    {"\xed\xa0\x80", "\\ufffd\\ufffd\\ufffd"},
	    {"\xf0\x9f\x98\"", "\\ufffd\\ufffd\\ufffd\\\""},
	};
	struct buf buf;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(cases); i++) {
		buf_init(&buf);
		json_escape(&buf, cases[i].text);
		assert_string_equal(buf.data, cases[i].escaped);
		buf_free(&buf);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(reads_values_with_lines_and_digits),
	    cmocka_unit_test(keys_differ_by_case),
	    cmocka_unit_test(keeps_every_digit),
	    cmocka_unit_test(lines_begin_where_the_source_says),
	    cmocka_unit_test(refuses_what_is_no_json),
	    cmocka_unit_test(tells_all_repeated_keys),
	    cmocka_unit_test(nests_a_hundred_deep),
	    cmocka_unit_test(large_objects_find_repeated_keys),
	    cmocka_unit_test(ids_are_text_or_whole_digits),
	    cmocka_unit_test(numbers_are_finite),
	    cmocka_unit_test(whole_numbers_have_a_range),
	    cmocka_unit_test(booleans_are_true_or_false),
	    cmocka_unit_test(writes_in_the_order_of_calls),
	    cmocka_unit_test(escapes_what_json_reserves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
