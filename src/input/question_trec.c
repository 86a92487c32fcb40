/*
 * TREC qrels, qid iter docno grade, and BEIR qrels, the same without iter and
 * with a header or not; lines in any order.  White space separates; where
 * BEIR's first line has three columns with tabs between them, only tabs do, so
 * that ids may have blanks in them.  A file whose questions' lines stand
 * together is read in one pass, a question at a time.
 */
#include <stdlib.h>
#include <string.h>

#include "fast.h"

/* Whether the second word is what TREC's files have there. */
static bool
has_iteration(const struct text *text)
{
	static const char white[] = " \t\v\f\r";
	const char *p = fields_first(text);

	p += strcspn(p, white);
	p += strspn(p, white);
	p += *p == 'Q';
	return *p == '0' && strchr(white, p[1]);
}

static bool
detect_trec(const struct document *document)
{
	const struct text *text = &document->text;
	bool integer = false;

	if (fields_count_first(text, &integer) != 4 || !integer ||
	    text_first(text) == '-')
		return false;
	/* Three cells and four words: a blank in an id, or mixed separators. */
	return !fields_first_is_tabs(text) || has_iteration(text);
}

static const char beir_header[] = "query-id";

static bool
has_header(const struct text *text)
{
	size_t n = sizeof(beir_header) - 1;

	return text->len > n && memcmp(text->data, beir_header, n) == 0 &&
	    (text->data[n] == '\t' || text->data[n] == ' ');
}

static bool
detect_beir(const struct document *document)
{
	const struct text *text = &document->text;
	bool integer = false;
	size_t n = fields_count_first(text, &integer);

	return has_header(text) ||
	    ((n == 3 || fields_first_is_tabs(text)) && integer &&
		text_first(text) != '-');
}

/* What a line's last columns say; false when they are not as they should be. */
static bool
judgment_read(
    const struct fields *fields, bool beir, const char **document, int *grade)
{
	size_t ncolumns = beir ? 3 : 4;
	const char *text;
	int64_t number;

	if (fields->n != ncolumns)
		return false;
	text = fields->at[ncolumns - 1];
	if (!*fields->at[ncolumns - 2] ||
	    integer_parse(text, strlen(text), &number) < 0 ||
	    number < -MAX_GRADE || number > MAX_GRADE)
		return false;
	*document = fields->at[ncolumns - 2];
	*grade = (int)number;
	return true;
}

/* ------------------------------------------------------- lines together -- */

/* The question whose lines are being read. */
struct group {
	struct question_builder *builder;
	bool beir;
	bool tabs; /* alone separate */
	struct buf text; /* its id, and those of its documents */
	struct expected *expected; /* without their documents */
	size_t n, cap;
	size_t line; /* the first; 0: there is no question yet */
};

static int
finish_question(struct group *g)
{
	struct question question = {
	    .id = g->text.data, .place = (unsigned)g->line};
	const char *p = g->text.data;
	size_t i;

	if (!g->line)
		return 0;
	for (i = 0; i < g->n; i++) {
		p += strlen(p) + 1;
		g->expected[i].document = p;
	}
	return question_add(g->builder, question, g->expected, g->n, NULL);
}

/* False where lines of the question may have been before. */
static bool
begin_question(struct group *g, const struct fields *fields)
{
	if (finish_question(g) < 0 ||
	    !question_is_new(g->builder, fields->at[0]))
		return false;
	g->line = fields->line;
	g->n = g->text.len = 0;
	buf_add(&g->text, fields->at[0], strlen(fields->at[0]) + 1);
	return true;
}

static bool
add_line(struct group *g, const struct fields *fields)
{
	const char *document;
	int grade;

	if (!judgment_read(fields, g->beir, &document, &grade))
		return false;
	if ((!g->line || strcmp(g->text.data, fields->at[0]) != 0) &&
	    !begin_question(g, fields))
		return false;
	if (g->n == g->cap) {
		g->cap = g->cap ? 2 * g->cap : 16;
		g->expected =
		    memory_resize(g->expected, g->cap, sizeof(*g->expected));
	}
	g->expected[g->n++] = (struct expected){.grade = grade};
	buf_add(&g->text, document, strlen(document) + 1);
	return true;
}

static enum stream_result
read_window(struct group *g, struct window *w)
{
	struct text text = {
	    .data = w->data + w->at, .len = w->complete - w->at};
	struct fields_reader reader = {
	    text.data, w->data + w->complete, w->line, false};
	struct fields fields;

	if (g->beir && w->line == 1)
		g->tabs = fields_first_is_tabs(&text);
	reader.tabs = g->tabs;
	if (g->beir && w->line == 1 && has_header(&text))
		fields_next(&reader, &fields);
	while (fields_next(&reader, &fields))
		if (!add_line(g, &fields))
			return STREAM_ODD;
	w->keep = w->at = w->complete;
	w->line = reader.line;
	return STREAM_LINES;
}

static enum stream_result
read_stream(struct question_builder *builder, struct window *window, bool beir)
{
	struct group g = {.builder = builder, .beir = beir};
	enum stream_result result;

	buf_init(&g.text);
	do {
		result = window_fill(window, builder->e);
		if (result == STREAM_LINES)
			result = read_window(&g, window);
	} while (result == STREAM_LINES);
	if (result == STREAM_DONE && finish_question(&g) < 0)
		result = STREAM_ODD;
	buf_free(&g.text);
	free(g.expected);
	return result;
}

static enum stream_result
stream_trec(struct question_builder *builder, struct window *window)
{
	return read_stream(builder, window, false);
}

static enum stream_result
stream_beir(struct question_builder *builder, struct window *window)
{
	return read_stream(builder, window, true);
}

/* ---------------------------------------------------- lines in any order -- */

struct line {
	const char *document; /* in the text */
	int grade;
	unsigned question; /* index in order of appearance */
	unsigned number;
};

struct qrels {
	struct arena *arena; /* of this file alone */
	struct line *lines;
	size_t nlines, lines_cap;
	const char **ids;
	size_t nids, ids_cap;
	struct map by_id;
	bool beir; /* three columns */
};

/* A question's place in order of appearance. */
static size_t
index_of(struct qrels *qrels, const char *id)
{
	size_t index = qrels->nids;

	if (index && strcmp(qrels->ids[index - 1], id) == 0)
		return index - 1;
	if (!map_add(&qrels->by_id, id, strlen(id), &index))
		return index;
	qrels->ids = arena_regrow(qrels->arena, qrels->ids, qrels->nids,
	    &qrels->ids_cap, sizeof(*qrels->ids));
	qrels->ids[qrels->nids] = id;
	return qrels->nids++;
}

static int
refuse_line(const struct qrels *qrels, const struct fields *fields,
    const char *file, struct error *e)
{
	size_t ncolumns = qrels->beir ? 3 : 4;

	if (fields->n != ncolumns)
		return fail_at(e, file, fields->line, "%zu column%s where %s",
		    fields->n, fields->n == 1 ? "" : "s",
		    qrels->beir ? "BEIR qrels have 3: query-id corpus-id score"
				: "qrels have 4: qid iter docno grade");
	if (!*fields->at[ncolumns - 2])
		return fail_at(e, file, fields->line,
		    "question '%s': a judged document has an empty id",
		    fields->at[0]);
	return fail_at(e, file, fields->line,
	    "question '%s': grade '%s' of document '%s' is no whole number "
	    "within -1000000..1000000",
	    fields->at[0], fields->at[ncolumns - 1], fields->at[ncolumns - 2]);
}

static int
keep_line(struct qrels *qrels, const struct fields *fields, const char *file,
    struct error *e)
{
	struct line line = {.number = (unsigned)fields->line};

	if (!judgment_read(fields, qrels->beir, &line.document, &line.grade))
		return refuse_line(qrels, fields, file, e);
	line.question = (unsigned)index_of(qrels, fields->at[0]);
	qrels->lines = arena_regrow(qrels->arena, qrels->lines, qrels->nlines,
	    &qrels->lines_cap, sizeof(*qrels->lines));
	qrels->lines[qrels->nlines++] = line;
	return 0;
}

static int
compare_lines(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	int order;

	if (x->question != y->question)
		return x->question < y->question ? -1 : 1;
	order = strcmp(x->document, y->document);
	if (order)
		return order;
	return (x->number > y->number) - (x->number < y->number);
}

/* n lines are one question's, by document. */
static int
add_question(struct question_builder *builder, const struct qrels *qrels,
    const struct line *lines, size_t n)
{
	struct question question = {
	    .id = qrels->ids[lines[0].question], .place = lines[0].number};
	struct expected *expected = memory_resize(NULL, n, sizeof(*expected));
	size_t i;
	int rc = 0;

	for (i = 0; i < n && rc == 0; i++) {
		expected[i] = (struct expected){
		    .document = lines[i].document, .grade = lines[i].grade};
		if (lines[i].number < question.place)
			question.place = lines[i].number;
		if (i && strcmp(lines[i].document, lines[i - 1].document) == 0)
			rc = fail_at(builder->e, builder->file, lines[i].number,
			    "question '%s': document '%s' is judged twice; "
			    "first on line %u",
			    question.id, lines[i].document,
			    lines[i - 1].number);
	}
	if (rc == 0)
		rc = question_add(builder, question, expected, n, NULL);
	free(expected);
	return rc;
}

static int
read_lines(struct question_builder *builder, struct qrels *qrels,
    const struct text *text)
{
	struct fields_reader reader = {text->data, text->data + text->len, 1,
	    qrels->beir && fields_first_is_tabs(text)};
	struct fields fields;
	size_t i, n;

	if (qrels->beir && has_header(text))
		fields_next(&reader, &fields);
	while (fields_next(&reader, &fields))
		if (keep_line(qrels, &fields, text->file, builder->e) < 0)
			return -1;
	sort(qrels->lines, qrels->nlines, sizeof(*qrels->lines), compare_lines);
	for (i = 0; i < qrels->nlines; i += n) {
		for (n = 1; i + n < qrels->nlines &&
		     qrels->lines[i + n].question == qrels->lines[i].question;)
			n++;
		if (add_question(builder, qrels, qrels->lines + i, n) < 0)
			return -1;
	}
	return 0;
}

static int
read_text(struct question_builder *builder, const struct text *text, bool beir)
{
	struct qrels qrels = {.arena = arena_new(), .beir = beir};
	int rc;

	map_init(&qrels.by_id, qrels.arena);
	rc = read_lines(builder, &qrels, text);
	arena_free(qrels.arena);
	return rc;
}

static int
read_trec(struct question_builder *builder, struct document *document)
{
	return read_text(builder, &document->text, false);
}

static int
read_beir(struct question_builder *builder, struct document *document)
{
	return read_text(builder, &document->text, true);
}

const struct question_format question_trec = {
    .name = "trec",
    .syntax = SYNTAX_TEXT,
    .detect = detect_trec,
    .read = read_trec,
    .stream = stream_trec,
    .summary = "TREC qrels: qid iter docno grade",
};

const struct question_format question_beir = {
    .name = "beir",
    .syntax = SYNTAX_TEXT,
    .detect = detect_beir,
    .read = read_beir,
    .stream = stream_beir,
    .summary = "BEIR qrels: query-id corpus-id score, with a header or not",
};
