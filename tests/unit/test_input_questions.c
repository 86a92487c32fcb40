/* Questions from files: in whatever order they stand, they are the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "evalgate/input.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define MANY 6000 /* questions: more than a window shows at a time */

struct files {
	struct arena *arena;
	char directory[32];
	const char *names[2];
};

static int
setup(void **state)
{
	static struct files files;

	files.arena = arena_new();
	strcpy(files.directory, "/tmp/evalgate-asked-XXXXXX");
	if (!mkdtemp(files.directory))
		return -1;
	files.names[0] = arena_printf(files.arena, "%s/one", files.directory);
	files.names[1] = arena_printf(files.arena, "%s/two", files.directory);
	*state = &files;
	return 0;
}

static int
teardown(void **state)
{
	struct files *files = *state;

	unlink(files->names[0]);
	unlink(files->names[1]);
	rmdir(files->directory);
	arena_free(files->arena);
	return 0;
}

static void
write_text(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static int
read_files(
    struct files *files, size_t n, struct questions *questions, struct error *e)
{
	*e = (struct error){.arena = files->arena};
	return questions_read(
	    files->arena, files->names, n, NULL, questions, e);
}

/* One line for each judgment: all that the order of lines may not change. */
static const char *
told(struct arena *arena, const struct questions *questions)
{
	const struct judgment *judgments;
	const struct question *q;
	const char *text;
	struct buf out;
	size_t i, k;

	buf_init(&out);
	for (i = 0; i < questions->nitems; i++) {
		q = &questions->items[i];
		judgments = question_judgments(q);
		for (k = 0; k < q->njudgments; k++)
			buf_printf(&out, "%s %s %d\n", q->id,
			    judgment_document(q, &judgments[k]),
			    judgments[k].grade);
	}
	text = arena_strdup(arena, out.data);
	buf_free(&out);
	return text;
}

/* MANY questions of three documents; step: apart, from line to line. */
static void
write_many(struct files *files, unsigned step)
{
	struct buf out;
	unsigned i, at;

	buf_init(&out);
	for (i = 0; i < 3 * MANY; i++) {
		at = (unsigned)((unsigned long long)i * step % (3 * MANY));
		buf_printf(&out, "q%05u 0 doc-%u-%u %d\n", at / 3, at % 3, at,
		    (int)(at % 5) - 1);
	}
	write_text(files->names[0], out.data);
	buf_free(&out);
}

static void
qrels_in_any_order_are_the_same_questions(void **state)
{
	static const unsigned steps[] = {7919, 3 * MANY - 1, 3 * MANY / 2 + 1};
	struct files *files = *state;
	struct questions questions;
	const char *wanted;
	struct error e;
	size_t i;

	write_many(files, 1);
	assert_int_equal(read_files(files, 1, &questions, &e), 0);
	assert_int_equal(questions.nitems, MANY);
	wanted = told(files->arena, &questions);
	for (i = 0; i < COUNT(steps); i++) {
		write_many(files, steps[i]);
		assert_int_equal(read_files(files, 1, &questions, &e), 0);
		assert_string_equal(told(files->arena, &questions), wanted);
	}
}

static void
a_question_knows_its_file_and_line(void **state)
{
	static const char *const ids[] = {"a", "b", "c", "d"};
	static const unsigned file[] = {1, 0, 0, 1}, lines[] = {4, 5, 2, 1};
	struct files *files = *state;
	struct questions questions;
	struct error e;
	unsigned line;
	size_t i;

	write_text(files->names[0], "# two\nc 0 x 1\nc 0 y 2\n\nb 0 x 1\n\n\n");
	write_text(files->names[1], "d 0 z 1\n\n\na 0 x 1\nd 0 a 1\n");
	assert_int_equal(read_files(files, 2, &questions, &e), 0);
	assert_int_equal(questions.nitems, COUNT(ids));
	for (i = 0; i < COUNT(ids); i++) {
		assert_string_equal(questions.items[i].id, ids[i]);
		assert_string_equal(
		    questions_place(&questions, &questions.items[i], &line),
		    files->names[file[i]]);
		assert_int_equal(line, lines[i]);
	}
}

static void
refuses(struct files *files, const char *one, const char *two, size_t file,
    unsigned line, const char *text)
{
	struct questions questions;
	struct error e;

	write_text(files->names[0], one);
	write_text(files->names[1], two);
	assert_int_equal(read_files(files, 2, &questions, &e), -1);
	assert_int_equal(e.nitems, 1);
	assert_string_equal(e.items[0].file, files->names[file]);
	assert_int_equal(e.items[0].line, line);
	if (!strstr(e.items[0].text, text))
		fail_msg("says: %s", e.items[0].text);
}

static void
what_is_odd_is_said_once_with_its_line(void **state)
{
	struct files *files = *state;
	const char *again =
	    arena_printf(files->arena, "first at %s:2", files->names[0]);

	refuses(files, "b 0 x 1\na 0 x 1\n", "c 0 x 1\nd 0 x 1\na 0 x 1\n", 1,
	    3, again);
	refuses(files, "b 0 x 1\na 0 x 1\n",
	    "c 0 x 1\nd 0 x 1\nc 0 y 1\na 0 x 1\n", 1, 4, again);
	refuses(files, "b 0 x 1\n", "c 0 x 1\nc 0 y 1\nc 0 x 2\n", 1, 3,
	    "first on line 1");
	refuses(files, "b 0 x 1\n", "c 0 x 1\n\nc 0 y 1.5\n", 1, 3, "'1.5'");
	refuses(files, "b 0 x 1\nb 0 y\n", "c 0 x 1\n", 0, 2, "3 columns");
	refuses(files, "b 0 x 1\nb 0 \xff 1\n", "c 0 x 1\n", 0, 2, "no UTF-8");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(qrels_in_any_order_are_the_same_questions),
	    cmocka_unit_test(a_question_knows_its_file_and_line),
	    cmocka_unit_test(what_is_odd_is_said_once_with_its_line),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
