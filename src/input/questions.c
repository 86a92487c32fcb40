/* Question sets: the table of formats, and what all of them must keep. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* In the order in which they are tried. */
static const struct question_format *const formats[] = {
    &question_csv,
    &question_trec,
    &question_beir,
    &question_texts,
    &question_companion,
    &question_map,
    &question_evalgate,
};

static int
compare_judgments(const void *a, const void *b)
{
	const struct judgment *x = a, *y = b;

	return strcmp(x->document, y->document);
}

void
question_reserve(struct question_builder *builder, size_t n)
{
	struct questions *questions = builder->questions;

	if (questions->nitems || builder->cap >= n)
		return;
	questions->items =
	    arena_array(builder->arena, n, sizeof(*questions->items));
	builder->cap = n;
}

const struct question_more *
question_more(struct question_builder *builder, const struct field *fields,
    size_t nfields, const struct pages *pages)
{
	struct question_more *more;
	bool plain = !nfields && !pages;

	if (plain && builder->plain && builder->plain->file == builder->file)
		return builder->plain;
	more = arena_alloc(builder->arena, sizeof(*more));
	*more = (struct question_more){builder->file, fields, nfields, pages};
	if (plain)
		builder->plain = more;
	return more;
}

/*
 * Whether the id is new; *index is where the other one stands.  Ids that come
 * in order are new without a look: most files have them so.
 */
static bool
is_new(struct question_builder *builder, const char *id, size_t *index)
{
	const struct questions *questions = builder->questions;
	struct map *by_id = &builder->by_id;
	size_t n = questions->nitems, i;

	if (!by_id->nkeys && (!n || strcmp(questions->items[n - 1].id, id) < 0))
		return true;
	while (by_id->nkeys < n) {
		i = by_id->nkeys;
		map_add(by_id, questions->items[i].id,
		    strlen(questions->items[i].id), &i);
	}
	return !map_get(by_id, id, strlen(id), index);
}

int
question_add(struct question_builder *builder, struct question question,
    struct judgment *judgments, size_t njudgments)
{
	struct questions *questions = builder->questions;
	const struct question *other;
	const char *file = builder->file;
	struct error *e = builder->e;
	size_t i;

	if (!*question.id)
		return fail_at(
		    e, file, question.line, "a question has an empty id");
	if (!is_new(builder, question.id, &i)) {
		other = &questions->items[i];
		return fail_at(e, file, question.line,
		    "question '%s' stands twice; first at %s:%u", question.id,
		    other->more->file, other->line);
	}
	sort(judgments, njudgments, sizeof(*judgments), compare_judgments);
	for (i = 1; i < njudgments; i++)
		if (compare_judgments(&judgments[i - 1], &judgments[i]) == 0)
			return fail_at(e, file, question.line,
			    "question '%s': document '%s' is judged twice",
			    question.id, judgments[i].document);
	if (njudgments > MAX_JUDGMENTS)
		return fail_at(e, file, question.line,
		    "question '%s' has more than %u judgments", question.id,
		    MAX_JUDGMENTS);
	if (!question.more)
		question.more = question_more(builder, NULL, 0, NULL);
	question.judgments = judgments;
	question.njudgments = (unsigned)njudgments & MAX_JUDGMENTS;
	question.unanswerable |= njudgments == 0;
	questions->items = arena_regrow(builder->arena, questions->items,
	    questions->nitems, &builder->cap, sizeof(*questions->items));
	questions->items[questions->nitems++] = question;
	return 0;
}

int
question_add_text(struct question_builder *builder, const char *id,
    const char *text, const char *file, size_t line)
{
	size_t i = builder->ntexts;

	if (!map_add(&builder->texts, id, strlen(id), &i))
		return fail_at(builder->e, file, line,
		    "the text of question '%s' stands twice", id);
	builder->text_items = arena_grow(builder->arena, builder->text_items,
	    builder->ntexts, &builder->texts_cap, sizeof(*builder->text_items));
	builder->text_items[builder->ntexts++] = text;
	return 0;
}

static int
compare_pages(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

struct pages
pages_of(int64_t *items, size_t n)
{
	if (n)
		qsort(items, n, sizeof(*items), compare_pages);
	return (struct pages){items, n};
}

int
question_unknown(
    struct error *e, const struct text *text, const struct value *tree)
{
	bool integer = false;
	size_t n = fields_count_first(text, &integer);
	const char *seen = value_type_name(tree);

	if (tree->type == VALUE_STRING && n > 1)
		seen = arena_printf(e->arena,
		    "text, %zu words on its first line, the last of which is "
		    "%s whole number",
		    n, integer ? "a" : "no");
	return fail_at(e, text->file, tree->line,
	    "is %s; known are a list of questions, also below `questions:`, "
	    "{question: {document: grade}}, TREC qrels (qid iter docno "
	    "grade), BEIR qrels (query-id corpus-id score) and CSV with a "
	    "column 'expected'",
	    seen);
}

static const struct question_format *
find_format(const char *name, struct error *e)
{
	const char *names[COUNT(formats)];
	size_t i;

	for (i = 0; i < COUNT(formats); i++) {
		if (strcmp(formats[i]->name, name) == 0)
			return formats[i];
		names[i] = formats[i]->name;
	}
	fail_unknown(
	    e, NULL, 0, "question format", name, "", names, COUNT(formats));
	return NULL;
}

/* Text formats first; what none of them knows is JSON or YAML. */
static const struct question_format *
detect(struct question_builder *builder, struct document *document)
{
	size_t i;

	if (!tree_is_json(&document->text)) {
		for (i = 0; i < COUNT(formats); i++)
			if (formats[i]->syntax == SYNTAX_TEXT &&
			    formats[i]->detect(document))
				return formats[i];
		document->tree =
		    tree_read_yaml(builder->arena, &document->text, builder->e);
	} else {
		document->tree =
		    tree_read_json(builder->arena, &document->text, builder->e);
	}
	if (!document->tree)
		return NULL;
	for (i = 0; i < COUNT(formats); i++)
		if (formats[i]->syntax == SYNTAX_TREE &&
		    formats[i]->detect(document))
			return formats[i];
	return &question_evalgate;
}

static int
read_document(struct question_builder *builder, struct document *document,
    const struct question_format *format)
{
	struct arena *arena = builder->arena;

	if (!format)
		format = detect(builder, document);
	else if (format->syntax == SYNTAX_TREE)
		document->tree = tree_is_json(&document->text)
		    ? tree_read_json(arena, &document->text, builder->e)
		    : tree_read_yaml(arena, &document->text, builder->e);
	if (!format || (format->syntax == SYNTAX_TREE && !document->tree))
		return -1;
	/* Texts alone are no question file. */
	if (format != &question_texts || !builder->questions->format)
		builder->questions->format = format->name;
	builder->format = format->name;
	return format->read(builder, document);
}

static int
read_file(struct question_builder *builder, const char *file,
    const struct question_format *format)
{
	struct document document = {.tree = NULL};
	struct buf buf;
	int rc;

	builder->file = file_name(file);
	buf_init(&buf);
	rc = file_read(file, &buf, builder->e);
	if (rc == 0)
		rc = text_open(
		    &document.text, &buf, file_name(file), builder->e);
	if (rc == 0)
		rc = read_document(builder, &document, format);
	buf_free(&buf);
	return rc;
}

static int
compare_questions(const void *a, const void *b)
{
	const struct question *x = a, *y = b;

	return strcmp(x->id, y->id);
}

static void
finish(struct question_builder *builder)
{
	struct questions *questions = builder->questions;
	struct question *q;
	size_t i, index;

	/* Bytewise order of ids is the order of every sum (METRICS: means). */
	sort(questions->items, questions->nitems, sizeof(*questions->items),
	    compare_questions);
	map_drop(&builder->by_id);
	for (i = 0; i < questions->nitems; i++) {
		q = &questions->items[i];
		if (!q->text &&
		    map_get(&builder->texts, q->id, strlen(q->id), &index))
			q->text = builder->text_items[index];
		questions->nanswerable += !q->unanswerable;
	}
	questions->nasked = questions->nitems;
}

static int
no_questions(const struct question_builder *builder, const char *file)
{
	if (builder->ntexts)
		return fail_at(builder->e, file_name(file), 1,
		    "holds texts of questions alone; name the file with their "
		    "judgments (qrels) too");
	return fail_at(builder->e, file ? file_name(file) : NULL, 1,
	    "holds no questions; a gate without questions checks nothing");
}

int
questions_read(struct arena *arena, const char *const *files, size_t nfiles,
    const char *format, struct questions *questions, struct error *e)
{
	struct question_builder builder = {
	    .arena = arena, .questions = questions, .e = e};
	const struct question_format *row = NULL;
	const char **taken;
	size_t i, before = e->nitems;

	*questions = (struct questions){.nitems = 0};
	map_init(&builder.by_id, arena);
	map_init(&builder.texts, arena);
	if (format && !(row = find_format(format, e)))
		return -1;
	taken = arena_array(arena, nfiles + 1, sizeof(*taken));
	for (i = 0; i < nfiles; i++) {
		size_t n = questions->nitems, ntexts = builder.ntexts;

		read_file(&builder, files[i], row);
		n = questions->nitems - n;
		ntexts = builder.ntexts - ntexts;
		taken[i] = arena_printf(arena, "%s: read as %s, %zu %s%s",
		    file_name(files[i]),
		    builder.format ? builder.format : "nothing",
		    ntexts ? ntexts : n, ntexts ? "text" : "question",
		    (ntexts ? ntexts : n) == 1 ? "" : "s");
	}
	questions->taken = taken;
	if (e->nitems > before)
		return -1;
	if (questions->nitems == 0)
		return no_questions(&builder, nfiles ? files[0] : NULL);
	finish(&builder);
	return 0;
}

const struct question *
questions_find(const struct questions *questions, const char *id)
{
	size_t i;

	if (!questions_index(questions, id, strlen(id), &i))
		return NULL;
	return &questions->items[i];
}

/* They stand in order, so that no map of them is needed. */
bool
questions_index(const struct questions *questions, const char *id, size_t len,
    size_t *index)
{
	size_t low = 0, high = questions->nitems, middle;
	const char *other;
	int order;

	while (low < high) {
		middle = low + (high - low) / 2;
		other = questions->items[middle].id;
		order = strncmp(other, id, len);
		if (order == 0)
			order = other[len] != '\0';
		if (order == 0) {
			*index = middle;
			return true;
		}
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

const struct pages *
judgment_pages(const struct question *question, const struct judgment *judgment)
{
	if (!judgment->pages)
		return NULL;
	return &question->more->pages[judgment->pages];
}

size_t
question_fields(const struct question *question, const struct field **fields)
{
	*fields = question->more ? question->more->fields : NULL;
	return question->more ? question->more->nfields : 0;
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
