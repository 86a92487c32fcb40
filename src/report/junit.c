/*
 * A report as JUnit's XML: a suite is a test suite, each tracked question,
 * each average and whatever else a finding speaks of is a test.  There is no
 * clock in it.
 */
#include <string.h>

#include "internal.h"

#define TEXT 2000 /* characters of a text that are shown */

enum outcome { OUTCOME_PASSED, OUTCOME_SKIPPED, OUTCOME_ERROR, OUTCOME_FAILED };

struct test {
	const char *class; /* what kind of thing */
	const char *subject;
	const char *slice; /* NULL: none */
	const struct sheet_question *question; /* or */
	const struct sheet_metric *metric;
	const struct sheet_finding *finding; /* the worst, NULL: none */
	bool told;
};

struct tests {
	struct arena *arena;
	struct map places;
	struct test *items;
	size_t n, cap;
};

/* Text for an element or an attribute; made visible, it has no control
 * characters and no code points that XML 1.0 refuses. */
static void
put_text(struct arena *arena, struct buf *out, const char *text)
{
	const char *p = visible_start(arena, text, TEXT);

	for (; *p; p++) {
		if (strchr("<>&\"'", *p))
			buf_printf(out, "&#%d;", *p);
		else
			buf_putc(out, *p);
	}
}

static void
put_attribute(
    struct arena *arena, struct buf *out, const char *name, const char *text)
{
	buf_printf(out, " %s=\"", name);
	put_text(arena, out, text);
	buf_puts(out, "\"");
}

static struct test *
test_of(struct tests *tests, const char *class, const char *subject,
    const char *slice)
{
	const char *key =
	    arena_printf(tests->arena, "%s\n%s", subject, slice ? slice : "");
	size_t place = tests->n;

	if (!map_add(&tests->places, key, strlen(key), &place))
		return &tests->items[place];
	tests->items = arena_grow(tests->arena, tests->items, tests->n,
	    &tests->cap, sizeof(*tests->items));
	tests->items[tests->n] =
	    (struct test){.class = class, .subject = subject, .slice = slice};
	return &tests->items[tests->n++];
}

/* The first of a test is the worst. */
static void
set_finding(struct tests *tests, const struct sheet_finding *f)
{
	struct test *test = test_of(tests, "findings", f->subject, f->slice);

	if (!test->finding)
		test->finding = f;
}

static enum outcome
outcome(const struct test *test)
{
	const struct sheet_finding *f = test->finding;

	if (!f)
		return OUTCOME_PASSED;
	if (f->level != LEVEL_ERROR)
		return OUTCOME_SKIPPED;
	return finding_is_doubt(f) ? OUTCOME_ERROR : OUTCOME_FAILED;
}

static void
make_tests(struct arena *arena, const struct sheet *sheet, struct tests *tests)
{
	size_t i;

	*tests = (struct tests){.arena = arena};
	map_init(&tests->places, arena);
	for (i = 0; i < sheet->nquestions; i++)
		if (sheet->questions[i].tracked && !sheet->questions[i].holdout)
			test_of(tests, "tracked", sheet->questions[i].id, NULL)
			    ->question = &sheet->questions[i];
	for (i = 0; i < sheet->nmeasures; i++)
		test_of(tests, "metrics", sheet->metrics[i].name, NULL)
		    ->metric = &sheet->metrics[i];
	if (sheet->compared_only)
		return;
	for (i = 0; i < sheet->nfindings; i++)
		if (i < sheet_nwrong(sheet) ||
		    sheet->findings[i].class == CLASS_WAIVED)
			set_finding(tests, &sheet->findings[i]);
}

/* The numbers of a test, for whoever opens it. */
static void
put_numbers(struct arena *arena, struct buf *out, const struct sheet *sheet,
    const struct test *test)
{
	const struct sheet_metric *m = test->metric;
	const struct sheet_question *q = test->question;
	const char *text;

	if (q)
		text = arena_printf(arena, "rank %s",
		    q->known_then
			? sheet_ranks(arena, sheet, q)
			: place_text(arena, (struct place){q->rank, q->depth}));
	else if (m && m->compared)
		text = arena_printf(arena, "%.4f → %.4f (%+.4f)", m->baseline,
		    m->current, m->delta);
	else if (m)
		text = arena_printf(arena, "%s", mean_text(m->value).text);
	else
		return;
	buf_puts(out, "   <system-out>");
	put_text(arena, out, text);
	buf_puts(out, "</system-out>\n");
}

static void
put_test(struct arena *arena, struct buf *out, const struct sheet *sheet,
    const struct test *test)
{
	static const char *const elements[] = {
	    [OUTCOME_SKIPPED] = "skipped",
	    [OUTCOME_ERROR] = "error",
	    [OUTCOME_FAILED] = "failure",
	};
	const struct sheet_finding *f = test->finding;

	buf_puts(out, "  <testcase");
	put_attribute(arena, out, "classname",
	    arena_printf(arena, "%s.%s", sheet->suite, test->class));
	put_attribute(arena, out, "name",
	    test->slice
		? arena_printf(arena, "%s [%s]", test->subject, test->slice)
		: test->subject);
	buf_puts(out, " time=\"0\">\n");
	if (f) {
		buf_printf(out, "   <%s", elements[outcome(test)]);
		if (outcome(test) != OUTCOME_SKIPPED)
			put_attribute(
			    arena, out, "type", class_names[f->class]);
		put_attribute(arena, out, "message",
		    arena_printf(arena, "%s%s%s: %s",
			f->change ? f->change : "", f->change ? " " : "",
			class_names[f->class], f->message));
		buf_puts(out, "/>\n");
	}
	put_numbers(arena, out, sheet, test);
	buf_puts(out, "  </testcase>\n");
}

/* What is wrong in the order of all reports, then the rest. */
static void
put_tests(struct arena *arena, struct buf *out, const struct sheet *sheet,
    struct tests *tests)
{
	struct test *test;
	size_t i;

	for (i = 0; !sheet->compared_only && i < sheet_nwrong(sheet); i++) {
		const struct sheet_finding *f = &sheet->findings[i];

		test = test_of(tests, "findings", f->subject, f->slice);
		if (!test->told)
			put_test(arena, out, sheet, test);
		test->told = true;
	}
	for (i = 0; i < tests->n; i++)
		if (!tests->items[i].told)
			put_test(arena, out, sheet, &tests->items[i]);
}

/*
 * A first run: whoever reads that all tests passed has to see that no drop
 * was looked for.  Readers pass over properties, and show what was skipped.
 */
static void
put_uncompared(struct arena *arena, struct buf *out, const struct sheet *sheet)
{
	if (!sheet_uncompared(sheet))
		return;
	buf_puts(out, "  <testcase");
	put_attribute(arena, out, "classname",
	    arena_printf(arena, "%s.baseline", sheet->suite));
	put_attribute(arena, out, "name", "compared with the past");
	buf_puts(out, " time=\"0\">\n   <skipped");
	put_attribute(arena, out, "message", sheet_uncompared(sheet));
	buf_puts(out, "/>\n  </testcase>\n");
}

static void
put_suite(struct arena *arena, struct buf *out, const struct sheet *sheet)
{
	size_t counts[4] = {0}, i, n = sheet_uncompared(sheet) != NULL;
	struct tests tests;

	make_tests(arena, sheet, &tests);
	for (i = 0; i < tests.n; i++)
		counts[outcome(&tests.items[i])]++;
	buf_puts(out, " <testsuite");
	put_attribute(arena, out, "name", sheet->suite);
	buf_printf(out,
	    " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\""
	    " time=\"0\">\n",
	    tests.n + n, counts[OUTCOME_FAILED], counts[OUTCOME_ERROR],
	    counts[OUTCOME_SKIPPED] + n);
	put_uncompared(arena, out, sheet);
	put_tests(arena, out, sheet, &tests);
	buf_puts(out, " </testsuite>\n");
}

static void
junit_report(struct arena *arena, struct buf *out, const struct sheet *sheets,
    size_t nsheets, const struct style *style)
{
	size_t i;

	(void)style;
	buf_puts(out,
	    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	    "<testsuites name=\"evalgate\">\n");
	for (i = 0; i < nsheets; i++)
		put_suite(arena, out, &sheets[i]);
	buf_puts(out, "</testsuites>\n");
}

const struct format format_junit = {
    .name = "junit",
    .report = junit_report,
    .summary = "a test for each tracked question and metric",
};
