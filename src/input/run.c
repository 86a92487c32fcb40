/* Runs: the table of formats, shards read as one, and what is said of it. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* In the order in which they are tried. */
static const struct run_format *const formats[] = {
    &run_json,
    &run_csv,
    &run_trec,
};

static const char known[] =
    "known are TREC (qid Q0 docno rank score tag), JSONL or a JSON list of "
    "{\"id\", \"results\"}, {question: {document: score}}, and CSV with a "
    "column 'rank'";

static const struct run_format *
find_format(const char *name, struct error *e)
{
	const char *names[COUNT(formats)], *near;
	size_t i;

	for (i = 0; i < COUNT(formats); i++) {
		if (strcmp(formats[i]->name, name) == 0)
			return formats[i];
		names[i] = formats[i]->name;
	}
	near = suggest(name, names, COUNT(formats));
	fail(e, "unknown run format '%s'%s%s%s; known are json, csv, trec",
	    name, near ? "; did you mean '" : "", near ? near : "",
	    near ? "'?" : "");
	return NULL;
}

static int
read_file(struct join *join, const char *file, const struct run_format *format)
{
	struct text text;
	struct buf buf;
	size_t i;
	int rc;

	buf_init(&buf);
	rc = file_read(file, &buf, join->e);
	if (rc == 0)
		rc = text_open(&text, &buf, file, join->e);
	for (i = 0; rc == 0 && !format && i < COUNT(formats); i++)
		if (formats[i]->detect(&text))
			format = formats[i];
	if (rc == 0 && !format)
		rc = fail_at(join->e, file, 1,
		    "is no run that evalgate knows; %s", known);
	if (rc == 0) {
		join->run->format = format->name;
		rc = format->read(join, &text);
	}
	buf_free(&buf);
	return rc;
}

static void
map_texts(struct join *join)
{
	const struct question *question;
	size_t i, index;

	map_init(&join->by_text, join->arena);
	for (i = 0; i < join->questions->nitems; i++) {
		question = &join->questions->items[i];
		index = i;
		if (question->text)
			map_add(&join->by_text, question->text,
			    strlen(question->text), &index);
	}
}

/* Questions without an answer have ranks as well: all of them misses. */
static void
fill_missing(struct join *join)
{
	struct run *run = join->run;
	const struct question *question;
	size_t i;

	for (i = 0; i < run->nanswers; i++) {
		question = &join->questions->items[i];
		if (run->answers[i].present)
			continue;
		run->nmissing += !question->unanswerable;
		run->answers[i].rank_only = run->rank_only;
		run->answers[i].ranks = arena_array(
		    join->arena, question->njudgments + 1, sizeof(unsigned));
	}
}

static int
finish(struct join *join, const char *file)
{
	struct run *run = join->run;

	if (join->nplaces == 0)
		return fail_at(join->e, file, 0, "holds no results");
	if (run->nunknown == join->nplaces)
		return fail_at(join->e, file, 0,
		    "has no question in common with the question file (%zu "
		    "there, %zu here); are the ids written alike?",
		    join->questions->nitems, run->nunknown);
	if (run->rank_only && join->lists)
		return fail_at(join->e, file, 0,
		    "some shards have ranks alone, others lists; give all in "
		    "one form");
	if (run->rank_only)
		run->depth = DEPTH_UNBOUNDED;
	fill_missing(join);
	if (join->unordered)
		run->notices[run->nnotices++] = arena_printf(join->arena,
		    "%zu list%s order other than their scores say; the "
		    "lists' order counts",
		    join->unordered,
		    join->unordered == 1 ? " has an" : "s have an");
	return 0;
}

int
run_read(struct arena *arena, const char *const *files, size_t nfiles,
    const struct run_options *options, const struct questions *questions,
    struct run *run, struct error *e)
{
	struct join join = {
	    .arena = arena,
	    .options = options,
	    .questions = questions,
	    .run = run,
	    .e = e,
	};
	const struct run_format *format = NULL;
	size_t i;

	*run = (struct run){.nanswers = questions->nitems};
	run->answers = arena_array(arena, run->nanswers, sizeof(*run->answers));
	run->notices = arena_array(arena, 4, sizeof(*run->notices));
	map_init(&join.seen, arena);
	map_texts(&join);
	if (options->format && !(format = find_format(options->format, e)))
		return -1;
	for (i = 0; i < nfiles; i++)
		if (read_file(&join, files[i], format) < 0)
			return -1;
	return finish(&join, nfiles ? files[0] : "run");
}

int
run_is_questions(const char *file, bool *is_questions, struct error *e)
{
	static const char *const columns[] = {"expected", "rank"};
	struct text text;
	struct buf buf;
	int rc;

	buf_init(&buf);
	rc = file_read(file, &buf, e);
	if (rc == 0)
		rc = text_open(&text, &buf, file, e);
	if (rc == 0)
		*is_questions = csv_detect(&text, columns, COUNT(columns));
	buf_free(&buf);
	return rc;
}
