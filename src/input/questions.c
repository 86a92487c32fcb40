/* Question sets: the table of formats, and what all of them must keep. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* In the order in which they are tried. */
static const struct question_format *const formats[] = {
    &question_json,
    &question_csv,
    &question_trec,
    &question_yaml,
};

static int
compare_judgments(const void *a, const void *b)
{
	const struct judgment *x = a, *y = b;

	return strcmp(x->document, y->document);
}

int
question_add(struct question_builder *builder, struct question question,
    struct judgment *judgments, size_t njudgments)
{
	struct questions *questions = builder->questions;
	const struct question *other;
	struct error *e = builder->e;
	size_t i = questions->nitems;

	if (!*question.id)
		return fail_at(e, question.file, question.line,
		    "a question has an empty id");
	if (!map_add(&questions->by_id, question.id, strlen(question.id), &i)) {
		other = &questions->items[i];
		return fail_at(e, question.file, question.line,
		    "question '%s' stands twice; first at %s:%zu", question.id,
		    other->file, other->line);
	}
	if (njudgments)
		qsort(judgments, njudgments, sizeof(*judgments),
		    compare_judgments);
	for (i = 1; i < njudgments; i++)
		if (compare_judgments(&judgments[i - 1], &judgments[i]) == 0)
			return fail_at(e, question.file, question.line,
			    "question '%s': document '%s' is judged twice",
			    question.id, judgments[i].document);
	question.judgments = judgments;
	question.njudgments = njudgments;
	question.unanswerable |= njudgments == 0;
	questions->items = arena_grow(builder->arena, questions->items,
	    questions->nitems, &builder->cap, sizeof(*questions->items));
	questions->items[questions->nitems++] = question;
	return 0;
}

static const struct question_format *
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
	fail(e,
	    "unknown question format '%s'; %s%s%sknown are json, csv, trec, "
	    "yaml",
	    name, near ? "did you mean '" : "", near ? near : "",
	    near ? "'? " : "");
	return NULL;
}

static int
read_file(struct question_builder *builder, const char *file,
    const struct question_format *format)
{
	struct text text;
	struct buf buf;
	size_t i;
	int rc;

	buf_init(&buf);
	rc = file_read(file, &buf, builder->e);
	if (rc == 0)
		rc = text_open(&text, &buf, file, builder->e);
	/* The last row, YAML, takes what nobody else knows. */
	for (i = 0; rc == 0 && !format; i++)
		if (i + 1 == COUNT(formats) || formats[i]->detect(&text))
			format = formats[i];
	if (rc == 0) {
		builder->questions->format = format->name;
		rc = format->read(builder, &text);
	}
	buf_free(&buf);
	return rc;
}

static int
compare_questions(const void *a, const void *b)
{
	const struct question *x = a, *y = b;

	return strcmp(x->id, y->id);
}

/* Bytewise order of ids is the order of every sum (METRICS: means). */
static void
finish(struct arena *arena, struct questions *questions)
{
	size_t i, index;

	if (questions->nitems)
		qsort(questions->items, questions->nitems,
		    sizeof(*questions->items), compare_questions);
	map_init(&questions->by_id, arena);
	for (i = 0; i < questions->nitems; i++) {
		index = i;
		map_add(&questions->by_id, questions->items[i].id,
		    strlen(questions->items[i].id), &index);
		questions->nanswerable += !questions->items[i].unanswerable;
	}
}

int
questions_read(struct arena *arena, const char *const *files, size_t nfiles,
    const char *format, struct questions *questions, struct error *e)
{
	struct question_builder builder = {
	    .arena = arena, .questions = questions, .e = e};
	const struct question_format *row = NULL;
	size_t i, before = e->nitems;

	*questions = (struct questions){.nitems = 0};
	map_init(&questions->by_id, arena);
	if (format && !(row = find_format(format, e)))
		return -1;
	for (i = 0; i < nfiles; i++)
		read_file(&builder, files[i], row);
	if (e->nitems > before)
		return -1;
	if (questions->nitems == 0)
		return fail_at(e, nfiles ? files[0] : NULL, 0,
		    "holds no questions; a gate without questions checks "
		    "nothing");
	finish(arena, questions);
	return 0;
}

const struct question *
questions_find(const struct questions *questions, const char *id)
{
	size_t i;

	if (!map_get(&questions->by_id, id, strlen(id), &i))
		return NULL;
	return &questions->items[i];
}
