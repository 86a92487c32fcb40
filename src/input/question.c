/*
 * A question in memory, of which there may be 100,000: one piece that holds
 * what it has further, its judgments, its id and those of its documents.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static int
compare_expected(const void *a, const void *b)
{
	const struct expected *x = a, *y = b;

	return strcmp(x->document, y->document);
}

/* By judgment; NULL where any page of all of them will do. */
static const struct pages *
list_pages(struct arena *arena, const struct expected *expected, size_t n)
{
	struct pages *pages;
	size_t i;

	for (i = 0; i < n && !expected[i].pages.n; i++)
		;
	if (i == n)
		return NULL;
	pages = arena_array(arena, n, sizeof(*pages));
	for (i = 0; i < n; i++)
		pages[i] = expected[i].pages;
	return pages;
}

/*
 * The piece for n judgments and so many bytes of text, with what the question
 * has further filled in; *text is where the text begins.
 */
static struct judgment *
piece_new(struct arena *arena, struct question *question,
    const struct question_more *more, size_t n, size_t size, char **text)
{
	size_t head = n * sizeof(struct judgment);
	char *piece;

	question->njudgments = (unsigned)n & MAX_JUDGMENTS;
	question->further = more->text || more->nfields || more->pages;
	if (question->further) {
		piece = arena_alloc(arena, sizeof(*more) + head + size);
		memcpy(piece, more, sizeof(*more));
		piece += sizeof(*more);
	} else {
		piece = arena_pack(arena, head + size);
	}
	*text = piece + head;
	return (struct judgment *)(void *)piece;
}

bool
question_pack(struct arena *arena, struct question *question,
    struct expected *expected, size_t n, const struct question_more *more)
{
	struct question_more all = {.text = NULL};
	size_t len = strlen(question->id) + 1, size = len, i;
	struct judgment *judgments;
	char *text, *end;

	if (more)
		all = *more;
	sort(expected, n, sizeof(*expected), compare_expected);
	for (i = 0; i < n; i++)
		size += strlen(expected[i].document) + 1;
	if (n > MAX_JUDGMENTS || size > UINT_MAX)
		return false;
	all.pages = list_pages(arena, expected, n);
	judgments = piece_new(arena, question, &all, n, size, &text);
	memcpy(text, question->id, len);
	for (i = 0, end = text + len; i < n; i++, end += len) {
		judgments[i].document = (unsigned)(end - text);
		judgments[i].grade = expected[i].grade;
		len = strlen(expected[i].document) + 1;
		memcpy(end, expected[i].document, len);
	}
	question->id = text;
	return true;
}

void
question_set_text(
    struct arena *arena, struct question *question, const char *words)
{
	const struct judgment *old = question_judgments(question);
	const struct question_more *more = question_more(question);
	struct question_more all = {.text = NULL};
	size_t n = question->njudgments, size;
	const char *last =
	    n ? judgment_document(question, &old[n - 1]) : question->id;
	struct judgment *judgments;
	char *text;

	if (more)
		all = *more;
	all.text = words;
	size = (size_t)(last - question->id) + strlen(last) + 1;
	judgments = piece_new(arena, question, &all, n, size, &text);
	memcpy(judgments, old, n * sizeof(*judgments));
	memcpy(text, question->id, size);
	question->id = text;
}

const struct question_more *
question_more(const struct question *question)
{
	const void *judgments = question_judgments(question);

	if (!question->further)
		return NULL;
	return (const struct question_more *)judgments - 1;
}

const char *
question_text(const struct question *question)
{
	const struct question_more *more = question_more(question);

	return more ? more->text : NULL;
}

size_t
question_fields(const struct question *question, const struct field **fields)
{
	const struct question_more *more = question_more(question);

	*fields = more ? more->fields : NULL;
	return more ? more->nfields : 0;
}

const struct judgment *
question_judgment(const struct question *question, const char *document)
{
	const struct judgment *judgments = question_judgments(question);
	size_t low = 0, high = question->njudgments, middle;
	int order;

	while (low < high) {
		middle = low + (high - low) / 2;
		order = strcmp(
		    judgment_document(question, &judgments[middle]), document);
		if (order == 0)
			return &judgments[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

const struct pages *
judgment_pages(const struct question *question, const struct judgment *judgment)
{
	const struct question_more *more = question_more(question);

	if (!more || !more->pages)
		return NULL;
	return &more->pages[judgment - question_judgments(question)];
}

bool
question_counts(const struct question *question)
{
	return !question->unanswerable && !question->left_out;
}

bool
question_has(
    const struct question *question, const char *field, const char *value)
{
	const struct field *fields;
	size_t n = question_fields(question, &fields), i;

	/* A flag of ours that is asked for as any field is. */
	if (strcmp(field, "holdout") == 0)
		return strcmp(value, question->holdout ? "true" : "false") == 0;
	for (i = 0; i < n; i++)
		if (strcmp(fields[i].name, field) == 0 &&
		    strcmp(fields[i].value, value) == 0)
			return true;
	return false;
}
