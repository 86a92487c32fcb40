/* codec: YAML in. */
#include <math.h>

#include "test_codec.h"

static struct reading
yaml(const char *text)
{
	return read_bytes(yaml_read, text, strlen(text));
}

static void
scalars_stay_as_written(void **state)
{
	static const char *const words[] = {
	    "no",
	    "yes",
	    "on",
	    "off",
	    "y",
	    "n",
	    "true",
	    "NO",
	    "null",
	    "039",
	    "1e3",
	    "2020-11-26",
	    "0x1F",
	    "1_000",
	    "12:30:45",
	    ".inf",
	    "9007199254740993",
	};
	struct reading r;
	struct buf buf;
	size_t i;

	(void)state;
	buf_init(&buf);
	for (i = 0; i < COUNT(words); i++)
		buf_printf(&buf, "- %s\n", words[i]);
	r = yaml(buf.data);
	assert_non_null(r.root);
	assert_int_equal(r.root->nitems, COUNT(words));
	for (i = 0; i < COUNT(words); i++) {
		assert_int_equal(at(r.root, i)->type, VALUE_STRING);
		assert_true(at(r.root, i)->plain);
		assert_string_equal(at(r.root, i)->text, words[i]);
		assert_int_equal(at(r.root, i)->line, i + 1);
	}
	done(&r);
	buf_free(&buf);
}

static void
quotes_tags_and_nothing(void **state)
{
	struct reading r = yaml("a:\n"
				"b: ~\n"
				"c: ''\n"
				"d: '~'\n"
				"e: \"x\\ty\"\n"
				"f: !!str\n"
				"g: !!str 0.8\n"
				"h: |\n  l1\n  l2\n"
				"'<<': x\n");

	(void)state;
	assert_non_null(r.root);
	assert_int_equal(value_get(r.root, "a")->type, VALUE_NULL);
	assert_string_equal(value_get(r.root, "a")->text, "");
	assert_int_equal(value_get(r.root, "a")->line, 1);
	assert_int_equal(value_get(r.root, "b")->type, VALUE_NULL);
	assert_int_equal(value_get(r.root, "c")->type, VALUE_STRING);
	assert_false(value_get(r.root, "c")->plain);
	assert_string_equal(value_get(r.root, "d")->text, "~");
	assert_string_equal(value_get(r.root, "e")->text, "x\ty");
	assert_int_equal(value_get(r.root, "f")->type, VALUE_STRING);
	assert_false(value_get(r.root, "g")->plain);
	assert_string_equal(value_get(r.root, "h")->text, "l1\nl2\n");
	assert_string_equal(value_get(r.root, "<<")->text, "x");
	done(&r);
}

static void
nothing_is_null(void **state)
{
	static const char *const texts[] = {
	    "", "\n", "# only a comment\n", "---\n", "\xef\xbb\xbf", "~"};
	struct reading r;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(texts); i++) {
		r = yaml(texts[i]);
		assert_non_null(r.root);
		assert_int_equal(r.root->type, VALUE_NULL);
		done(&r);
	}
}

static void
lines_are_those_of_editors(void **state)
{
	/* libyaml takes NEL and LS for line ends too. */
	struct reading r = yaml("\xef\xbb\xbf# \xc3\xa9\r\n"
				"a: \"x\xe2\x80\xa8y\xc2\x85z\"\r\n"
				"b:\r\n"
				"  - {c: 1,\r\n"
				"     d: [x]}\r\n"
				"\r\n"
				"e: &e\r\n"
				"  f: 1\r\n"
				"g: *e");
	const struct value *v = r.root, *c;

	(void)state;
	assert_non_null(v);
	assert_int_equal(v->line, 2);
	assert_int_equal(v->u.members[1].line, 3);
	c = at(value_get(v, "b"), 0);
	assert_int_equal(c->line, 4);
	assert_int_equal(c->u.members[1].line, 5);
	assert_int_equal(v->u.members[2].line, 7);
	assert_int_equal(v->u.members[3].line, 9);
	/* An alias stands where it is, what it names where that is. */
	assert_int_equal(value_get(v, "g")->line, 9);
	assert_ptr_equal(
	    value_get(v, "g")->u.members, value_get(v, "e")->u.members);
	done(&r);
}

static void
refuses_what_has_two_meanings(void **state)
{
	static const struct hostile texts[] = {
	    /* bytes */
	    {"a: \xff", 0, 1, "byte 0xff is no UTF-8"},
	    {"a: 1\nb: \xc3", 0, 2, "no UTF-8"},
	    {"\xff\xfe"
	     "a\0",
		4, 1, "UTF-16"},
	    {"\xfe\xff\0a", 4, 1, "UTF-16"},
	    {"a: 1\nb: \0", 9, 2, "NUL"},
	    {"a: 1\nb: \"\\0\"", 0, 2, "NUL"},
	    {"a: 1\nb: \x01", 0, 2, "control character"},
	    {"a: \"\\ud800\"", 0, 1, "no character"},
	    /* keys */
	    {"a: 1\nb: 2\na: 3", 0, 3, "'a' is given twice, first on line 1"},
	    {"{a: 1, \"a\": 2}", 0, 1, "'a' is given twice"},
	    {"x:\n  recall@5: 1\n  b: 1\n  'recall@5': 2", 0, 4,
		"'recall@5' is given twice, first on line 2"},
	    {"a: 1\n<<: {b: 2}", 0, 2, "'<<'"},
	    {"? [a]\n: 1", 0, 1, "a key must be text, not a list"},
	    {"? {a: 1}\n: 1", 0, 1, "a key must be text, not a map"},
	    {"a: 1\n~: 2", 0, 2, "a key has no text"},
	    {"a: 1\n? \n: 2", 0, 2, "a key has no text"},
	    {"{: 2}", 0, 1, "a key or value is missing"},
	    /* documents */
	    {"a: 1\n---\nb: 1", 0, 2, "more than one document"},
	    {"a: 1\n...\nb: 1", 0, 3, "more than one document"},
	    {"---\n---\n", 0, 2, "more than one document"},
	    {"%TAG ! x\n--- a", 0, 1, "'%TAG'"},
	    {"# c\n\n%TAG ! x\n--- a", 0, 3, "'%TAG'"},
	    {"a\n...\n%TAG ! x\n--- a", 0, 3, "'%TAG'"},
	    {"%YAML 3.0\n--- a", 0, 1, "version of YAML"},
	    /* tags */
	    {"a: !!int 1", 0, 1, "tag '!!int'"},
	    {"a:\n  !custom x", 0, 2, "tag '!custom'"},
	    {"a: !!binary aGk=", 0, 1, "tag '!!binary'"},
	    {"!!map {a: 1}", 0, 1, "tag '!!map'"},
	    {"- !!set {a}", 0, 1, "tag '!!set'"},
	    {"- !!str [a]", 0, 1, "tag '!!str'"},
	    {"a: !u!x 1", 0, 1, "not defined"},
	    /* aliases */
	    {"a: *x", 0, 1, "alias '*x' has no anchor"},
	    {"a: 1\nb: &x [1, *x]", 0, 2, "inside what it names, from line 2"},
	    {"&x a: {b: &y {c: *y}}", 0, 1, "inside what it names"},
	    {"a: &x 1\nb: &x 2", 0, 2, "'&x' is given twice, first on line 1"},
	    /* tabs */
	    {"a:\n\tb: 1", 0, 2, "a tab may not indent"},
	    {"a: 1\n\tb: 2", 0, 2, "a tab may not indent"},
	    {"a:\n  - x\n\t- y", 0, 3, "a tab may not indent"},
	    {"a:\n  b: 1\n  \tc: 2", 0, 3, "a tab may not indent"},
	    /* grammar */
	    {"a: b: c", 0, 1, "': ' out of place"},
	    {"a: 1\n  b: 2", 0, 2, "': ' out of place"},
	    {"a: 1\nb\nc: 2", 0, 2, "':' missing after a key"},
	    {"a:\n  b: 1\n c: 2", 0, 3, "check indentation"},
	    {"a: \"b\" c", 0, 1, "check indentation and quotes"},
	    {"a: 1\n- b", 0, 2, "check indentation"},
	    {"a: - b", 0, 1, "item '- ' can't stand here"},
	    {"- a\nb: 1", 0, 2, "check indentation"},
	    {"a: [1, 2\nb: 3", 0, 1, "',' or ']' missing"},
	    {"\na: {x: 1", 0, 2, "',' or '}' missing"},
	    {"a: 1\nb: 'x\nc: 2\n\ty", 0, 2, "a quote is never closed"},
	    {"a: \"x\n---\n", 0, 1, "a quote is never closed"},
	    {"a: @x", 0, 1, "'@' can't begin a value"},
	    {"a: 1\nb: `x`", 0, 2, "'`' can't begin a value"},
	    {"a: %x", 0, 1, "'%' can't begin a value"},
	    {"a: *", 0, 1, "'*' without a name"},
	    {"a: \"C:\\qed\"", 0, 1, "write '\\\\' for a backslash"},
	    {"a: [,]", 0, 1, "a key or value is missing"},
	    /* a comma that YAML takes for the end of a value */
	    {"- {metric: x, min: 0,8}", 0, 1,
		"min is '0,8': a decimal comma; write 0.8"},
	    {"{min: -1,\n b: 0,85}", 0, 2, "b is '0,85'"},
	};

	(void)state;
	refuse_all(yaml_read, texts, COUNT(texts));
}

static void
commas_that_separate(void **state)
{
	static const char *const texts[] = {"[0,8]", "{a: 0, 8}", "{a: 0,8: 1}",
	    "{a: x,8}", "a: 0\n8:\n", "{a: 0,b}", "{0,8}"};
	struct reading r;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(texts); i++) {
		r = yaml(texts[i]);
		if (!r.root)
			fail_msg("refused: %s", texts[i]);
		done(&r);
	}
}

/* n times before. */
static struct reading
repeated(const char *before, const char *after, size_t n, size_t nafter)
{
	struct reading r;
	struct buf buf;
	size_t i;

	buf_init(&buf);
	for (i = 0; i < n; i++)
		buf_puts(&buf, before);
	for (i = 0; i < nafter; i++)
		buf_puts(&buf, after);
	r = read_bytes(yaml_read, buf.data, buf.len);
	buf_free(&buf);
	return r;
}

static void
nests_a_hundred_deep(void **state)
{
	static const char *const deep[] = {"[", "{", "- ", "? ", "{a: ", "[{"};
	struct reading r = repeated("[", "]", 100, 100);
	size_t i;

	(void)state;
	assert_non_null(r.root);
	done(&r);
	r = repeated("[", "]", 101, 101);
	expect_error(&r.e, 1, "deeper than 100");
	done(&r);
	for (i = 0; i < COUNT(deep); i++) {
		r = repeated(deep[i], "", 200000, 0);
		assert_null(r.root);
		expect_error(&r.e, 1, "deeper than 100");
		done(&r);
	}
}

static void
aliases_are_bounded(void **state)
{
	struct reading r;
	struct buf buf;
	int i, j;

	(void)state;
	buf_init(&buf);
	buf_puts(&buf, "- &a0 [x]\n");
	for (i = 1; i < 10; i++) {
		buf_printf(&buf, "- &a%d [", i);
		for (j = 0; j < 10; j++)
			buf_printf(&buf, "%s*a%d", j ? "," : "", i - 1);
		buf_puts(&buf, "]\n");
	}
	r = read_bytes(yaml_read, buf.data, buf.len);
	assert_null(r.root);
	expect_error(&r.e, 7, "aliases make this document too large");
	done(&r);
	buf.len = 0;
	buf_puts(&buf, "- &a0 [x]\n");
	for (i = 1; i < 200; i++)
		buf_printf(&buf, "- &a%d [*a%d]\n", i, i - 1);
	r = read_bytes(yaml_read, buf.data, buf.len);
	assert_null(r.root);
	expect_error(&r.e, 100, "'*a98' nests lists and maps deeper than 100");
	done(&r);
	buf_free(&buf);
}

static void
large_documents_are_no_bombs(void **state)
{
	struct reading r = repeated("- [a, b]\n", "", 100000, 0);

	(void)state;
	assert_non_null(r.root);
	assert_int_equal(r.root->nitems, 100000);
	assert_int_equal(at(r.root, 99999)->line, 100000);
	done(&r);
}

static void
aliases_may_be_keys(void **state)
{
	struct reading r = yaml("a: &x id\nb: {*x : 1}");

	(void)state;
	assert_non_null(r.root);
	assert_string_equal(at(r.root, 1)->u.members[0].key, "id");
	done(&r);
}

static void
numbers_say_how_to_mend(void **state)
{
	static const struct {
		const char *yaml;
		double number;
		const char *word;
	} cases[] = {
	    {"min: 0.8", 0.8, NULL},
	    {"min: 9e-1", 0.9, NULL},
	    {"min: .5", 0.5, NULL},
	    {"min: +1", 1, NULL},
	    {"min: 0,8", 0, "min is '0,8': a decimal comma; write 0.8"},
	    {"min: 1,000,000", 0, "min is '1,000,000', not a number"},
	    {"min: .nan", 0, "min is '.nan': not a number"},
	    {"min: NaN", 0, "not a number"},
	    {"min: -.INF", 0, "min is '-.INF': not finite"},
	    {"min: infinity", 0, "not finite"},
	    {"min: 1e999", 0, "not a number"},
	    {"min:", 0, "min has no value"},
	    {"min: ~", 0, "min has no value"},
	    {"min: '0.8'", 0, "remove the quotes around 0.8"},
	    {"min: !!str 0.8", 0, "is text"},
	    {"min: 80%", 0, "min is '80%': a percentage; write 0.8"},
	    {"min: 0x10", 0, "min is '0x10', not a number"},
	    {"min: 1_000", 0, "not a number"},
	    {"min: high", 0, "min is 'high', not a number"},
	    {"min: [1]", 0, "min is a list, not a number"},
	    {"min: {a: 1}", 0, "min is a map, not a number"},
	};
	struct reading r;
	double number;
	size_t i;
	int rc;

	(void)state;
	for (i = 0; i < COUNT(cases); i++) {
		r = yaml(cases[i].yaml);
		number = NAN;
		rc = value_number(at(r.root, 0), "f", "min", &number, &r.e);
		assert_int_equal(rc, cases[i].word ? -1 : 0);
		if (cases[i].word)
			expect_error(&r.e, 1, cases[i].word);
		else
			assert_true(number == cases[i].number);
		done(&r);
	}
}

static void
long_values_are_cut_in_messages(void **state)
{
	struct reading r =
	    yaml("k: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
		 "aaaaaaaaaaaaaaa\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"
		 "\xc3\xa9\xc3\xa9");
	double number;

	(void)state;
	assert_int_equal(
	    value_number(at(r.root, 0), "f", "k", &number, &r.e), -1);
	assert_string_equal(r.e.items[0].text,
	    "k is 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	    "...', not a number");
	done(&r);
}

static void
booleans_are_true_or_false(void **state)
{
	static const char *const words[] = {
	    "yes", "no", "on", "Off", "y", "True", "FALSE", "1"};
	struct reading r = yaml("[true, false, 'true', ~]");
	bool flag = false;
	size_t i;

	(void)state;
	assert_int_equal(value_bool(at(r.root, 0), "f", "b", &flag, &r.e), 0);
	assert_true(flag);
	assert_int_equal(value_bool(at(r.root, 1), "f", "b", &flag, &r.e), 0);
	assert_false(flag);
	assert_int_equal(value_bool(at(r.root, 2), "f", "b", &flag, &r.e), -1);
	assert_int_equal(value_bool(at(r.root, 3), "f", "b", &flag, &r.e), -1);
	expect_error(&r.e, 1, "remove the quotes around true");
	assert_string_equal(r.e.items[1].text, "b has no value");
	done(&r);
	for (i = 0; i < COUNT(words); i++) {
		r = yaml(words[i]);
		assert_int_equal(value_bool(r.root, "f", "b", &flag, &r.e), -1);
		expect_error(&r.e, 1, "write true or false");
		done(&r);
	}
}

static void
ids_are_text(void **state)
{
	struct reading r = yaml("[039, no, '', ~, [a]]");
	const char *text;

	(void)state;
	assert_int_equal(value_text(at(r.root, 0), "f", "id", &text, &r.e), 0);
	assert_string_equal(text, "039");
	assert_int_equal(value_text(at(r.root, 1), "f", "id", &text, &r.e), 0);
	assert_string_equal(text, "no");
	assert_int_equal(value_text(at(r.root, 2), "f", "id", &text, &r.e), 0);
	assert_string_equal(text, "");
	assert_int_equal(value_text(at(r.root, 3), "f", "id", &text, &r.e), -1);
	assert_int_equal(value_text(at(r.root, 4), "f", "id", &text, &r.e), -1);
	assert_string_equal(r.e.items[0].text, "id has no value");
	assert_string_equal(r.e.items[1].text, "id is a list, not text");
	done(&r);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(scalars_stay_as_written),
	    cmocka_unit_test(quotes_tags_and_nothing),
	    cmocka_unit_test(nothing_is_null),
	    cmocka_unit_test(lines_are_those_of_editors),
	    cmocka_unit_test(refuses_what_has_two_meanings),
	    cmocka_unit_test(commas_that_separate),
	    cmocka_unit_test(nests_a_hundred_deep),
	    cmocka_unit_test(aliases_are_bounded),
	    cmocka_unit_test(large_documents_are_no_bombs),
	    cmocka_unit_test(aliases_may_be_keys),
	    cmocka_unit_test(numbers_say_how_to_mend),
	    cmocka_unit_test(long_values_are_cut_in_messages),
	    cmocka_unit_test(booleans_are_true_or_false),
	    cmocka_unit_test(ids_are_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
