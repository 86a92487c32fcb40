/* Question sets: the table of formats, and what all of them must keep. */
#include <stdlib.h>
#include <string.h>

#include "fast.h"

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

bool
question_is_new(struct question_builder *builder, const char *id)
{
	size_t index;

	return is_new(builder, id, &index);
}

static int
refuse_again(struct question_builder *builder, const struct question *question,
    const struct question *first)
{
	unsigned line;
	const char *file = questions_place(builder->questions, first, &line);

	return fail_at(builder->e, builder->file, question->place,
	    "question '%s' stands twice; first at %s:%u", question->id, file,
	    line);
}

/* The document that a question has twice, NULL: none. */
static const char *
repeated(const struct question *question)
{
	const struct judgment *judgments = question_judgments(question);
	const char *document = NULL, *last;
	size_t i;

	for (i = 0; i < question->njudgments; i++) {
		last = document;
		document = judgment_document(question, &judgments[i]);
		if (last && strcmp(last, document) == 0)
			return document;
	}
	return NULL;
}

int
question_add(struct question_builder *builder, struct question question,
    struct expected *expected, size_t n, const struct question_more *more)
{
	struct questions *questions = builder->questions;
	const char *file = builder->file, *document;
	struct error *e = builder->e;
	size_t i;

	if (!*question.id)
		return fail_at(
		    e, file, question.place, "a question has an empty id");
	if (!is_new(builder, question.id, &i))
		return refuse_again(builder, &question, &questions->items[i]);
	if (!question_pack(builder->arena, &question, expected, n, more))
		return fail_at(e, file, question.place,
		    "question '%s' has more judgments than evalgate holds",
		    question.id);
	document = repeated(&question);
	if (document)
		return fail_at(e, file, question.place,
		    "question '%s': document '%s' is judged twice", question.id,
		    document);
	question.unanswerable |= n == 0;
	question.place += builder->before;
	if (question.place > builder->last)
		builder->last = question.place;
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

static const struct question_format *
detect_text(const struct document *document)
{
	size_t i;

	for (i = 0; i < COUNT(formats); i++)
		if (formats[i]->syntax == SYNTAX_TEXT &&
		    formats[i]->detect(document))
			return formats[i];
	return NULL;
}

/* Text formats first; what none of them knows is JSON or YAML. */
static const struct question_format *
detect(struct question_builder *builder, struct document *document)
{
	const struct question_format *format;
	size_t i;

	if (!tree_is_json(&document->text)) {
		format = detect_text(document);
		if (format)
			return format;
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

/* The text format of a file's first lines; NULL: can't tell. */
static const struct question_format *
detect_lines(const struct window *window)
{
	char *end = window->data + window->complete, saved = *end;
	struct document document = {
	    .text = {window->file, window->data + window->at,
		window->complete - window->at}};
	const struct question_format *format = NULL;

	*end = '\0';
	if (!tree_is_json(&document.text))
		format = detect_text(&document);
	*end = saved;
	return format;
}

static int
read_whole(struct question_builder *builder, struct stream *stream,
    const struct question_format *format)
{
	struct document document = {.tree = NULL};
	struct buf buf;
	int rc;

	buf_init(&buf);
	rc = stream_read_all(stream, &buf, builder->e);
	if (rc == 0)
		rc = text_open(&document.text, &buf, builder->file, builder->e);
	if (rc == 0)
		rc = read_document(builder, &document, format);
	buf_free(&buf);
	return rc;
}

/* Forgets the questions from n on. */
static void
take_back(struct question_builder *builder, size_t n)
{
	bool mapped = builder->by_id.nkeys > 0;
	size_t index;

	map_drop(&builder->by_id);
	builder->questions->nitems = n;
	/* Where they are in no order, asking for one maps all of them. */
	if (mapped && n)
		is_new(builder, builder->questions->items[n - 1].id, &index);
}

/*
 * Text of lines, in little memory; what is odd in it is left to the slow
 * path, which says it.
 */
static enum stream_result
read_stream(struct question_builder *builder, struct stream *stream,
    const struct question_format *format)
{
	const struct run_options options = {.format = NULL};
	size_t n = builder->questions->nitems, nerrors = builder->e->nitems;
	enum stream_result result = STREAM_ODD;
	struct window window;

	window_init(&window, stream, builder->file, &options);
	if (!format && window_extend(&window, builder->e))
		format = detect_lines(&window);
	if (format && format->stream) {
		builder->questions->format = builder->format = format->name;
		result = format->stream(builder, &window);
		if (builder->questions->nitems == n)
			result = STREAM_ODD;
	}
	window_free(&window);
	if (result != STREAM_DONE) {
		take_back(builder, n);
		builder->e->nitems = nerrors;
		result = STREAM_ODD;
	}
	return result;
}

static int
read_file(struct question_builder *builder, const char *file,
    const struct question_format *format)
{
	struct stream *stream = stream_open(file, true, builder->e);
	int rc = 0;

	if (!stream)
		return -1;
	if (read_stream(builder, stream, format) == STREAM_ODD)
		rc = stream_rewind(stream, builder->e) < 0
		    ? -1
		    : read_whole(builder, stream, format);
	stream_close(stream);
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
		if (builder->ntexts && !question_text(q) &&
		    map_get(&builder->texts, q->id, strlen(q->id), &index))
			question_set_text(
			    builder->arena, q, builder->text_items[index]);
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
	struct question_file *asked;
	const char **taken;
	size_t i, before = e->nitems;

	*questions = (struct questions){.nitems = 0};
	map_init(&builder.by_id, arena);
	map_init(&builder.texts, arena);
	if (format && !(row = find_format(format, e)))
		return -1;
	taken = arena_array(arena, nfiles + 1, sizeof(*taken));
	questions->files = asked =
	    arena_array(arena, nfiles + 1, sizeof(*asked));
	for (i = 0; i < nfiles; i++) {
		size_t n = questions->nitems, ntexts = builder.ntexts;

		builder.file = file_name(files[i]);
		builder.before = builder.last;
		asked[questions->nfiles++] =
		    (struct question_file){builder.file, builder.before};
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

const char *
questions_place(const struct questions *questions,
    const struct question *question, unsigned *line)
{
	const struct question_file *files = questions->files;
	size_t i = questions->nfiles - 1;

	while (i > 0 && files[i].before >= question->place)
		i--;
	*line = question->place - files[i].before;
	return files[i].name;
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
