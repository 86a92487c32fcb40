/* Runs: the table of formats, shards read as one, and what is said of it. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* In the order in which they are tried. */
static const struct run_format *const formats[] = {
    &run_csv,
    &run_trec,
    &run_companion,
    &run_ranks,
    &run_jsonl,
    &run_map,
};

static const char known[] =
    "known are TREC (qid Q0 docno rank score tag), JSONL or a JSON list of "
    "{\"id\", \"results\"}, {question: {document: score}}, and CSV with a "
    "column 'rank'";

static const struct run_format *
find_format(const char *name, struct error *e)
{
	const char *names[COUNT(formats)], *near, *list = "";
	size_t i;

	for (i = 0; i < COUNT(formats); i++) {
		if (strcmp(formats[i]->name, name) == 0)
			return formats[i];
		names[i] = formats[i]->name;
		list = arena_printf(
		    e->arena, "%s%s%s", list, i ? ", " : "", names[i]);
	}
	near = suggest(name, names, COUNT(formats));
	fail(e, "unknown run format '%s'; %s%s%sknown are %s", name,
	    near ? "did you mean '" : "", near ? near : "", near ? "'? " : "",
	    list);
	return NULL;
}

/* JSON Lines are read line by line; other JSON becomes a tree first. */
static const struct run_format *
detect(struct join *join, struct document *document, struct arena *scratch)
{
	bool json = tree_is_json(&document->text);
	size_t i;

	if (json && tree_is_lines(&document->text))
		return &run_jsonl;
	if (json) {
		document->tree =
		    tree_read_json(scratch, &document->text, join->e);
		if (!document->tree)
			return NULL;
	}
	for (i = 0; i < COUNT(formats); i++)
		if ((formats[i]->syntax == SYNTAX_TREE) == json &&
		    formats[i]->detect(document))
			return formats[i];
	fail_at(join->e, document->text.file, 1,
	    "is no run that evalgate knows; %s", known);
	return NULL;
}

static void
say_file(struct join *join, const struct run_format *format, const char *file,
    const struct run *before)
{
	struct run *run = join->run;

	run->notices = arena_grow(join->arena, run->notices, run->nnotices,
	    &join->notices_cap, sizeof(*run->notices));
	run->notices[run->nnotices++] = arena_printf(join->arena,
	    "%s: read as %s, %zu questions (%zu unknown), %zu results", file,
	    format->name, join->nplaces - before->nquestions,
	    run->nunknown - before->nunknown, run->nresults - before->nresults);
}

static int
read_document(struct join *join, struct document *document,
    const struct run_format *format)
{
	struct arena *scratch = arena_new();
	struct run before = *join->run;
	int rc = -1;

	before.nquestions = join->nplaces;
	if (!format)
		format = detect(join, document, scratch);
	else if (format->syntax == SYNTAX_TREE && format != &run_jsonl)
		document->tree =
		    tree_read_json(scratch, &document->text, join->e);
	if (format &&
	    (document->tree || format->syntax == SYNTAX_TEXT ||
		format == &run_jsonl)) {
		join->run->format = format->name;
		rc = format->read(join, document);
		if (join->options->verbose)
			say_file(join, format, document->text.file, &before);
	}
	arena_free(scratch);
	return rc;
}

static int
read_file(struct join *join, const char *file, const struct run_format *format)
{
	struct document document = {.tree = NULL};
	struct buf buf;
	int rc;

	buf_init(&buf);
	rc = file_read(file, &buf, join->e);
	if (rc == 0)
		rc = text_open(&document.text, &buf, file_name(file), join->e);
	if (rc == 0)
		rc = read_document(join, &document, format);
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
		run->nmissing += question_counts(question);
		run->answers[i].rank_only = run->rank_only;
		run->answers[i].tied = 1;
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
	run->nquestions = join->nplaces;
	if (!join->unordered)
		return 0;
	run->notices = arena_grow(join->arena, run->notices, run->nnotices,
	    &join->notices_cap, sizeof(*run->notices));
	run->notices[run->nnotices++] = arena_printf(join->arena,
	    "%zu list%s in another order than the scores say; the list's "
	    "order counts, or say `order: score`",
	    join->unordered, join->unordered == 1 ? " is" : "s are");
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

	*run = (struct run){.nanswers = questions->nitems, .repeats = 1};
	run->answers = arena_array(arena, run->nanswers, sizeof(*run->answers));
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
