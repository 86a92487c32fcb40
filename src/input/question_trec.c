/*
 * TREC qrels, qid iter docno grade, and BEIR qrels, the same without iter and
 * with a header or not; lines in any order.  White space separates; where
 * BEIR's first line has three columns with tabs between them, only tabs do, so
 * that ids may have blanks in them.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define FEW 16 /* of so many lines a copy costs nothing */

/* Where a judgment stands. */
struct place {
	unsigned question; /* index in order of appearance */
	unsigned line;
};

/* The judgments of all questions are one array, a part of it each. */
struct qrels {
	struct arena *arena; /* what stays */
	struct arena *scratch; /* of this file alone */
	struct judgment *judgments;
	struct place *places; /* by judgment */
	size_t nlines;
	const char **ids;
	size_t nids, ids_cap;
	struct map by_id;
	bool beir; /* three columns */
};

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

/* Ids that come in order are new without a look: most files have them so. */
static bool
ascends(const struct qrels *qrels, const char *id)
{
	return !qrels->by_id.nkeys &&
	    (!qrels->nids || strcmp(qrels->ids[qrels->nids - 1], id) < 0);
}

/* A question's place in order of appearance. */
static size_t
index_of(struct qrels *qrels, const char *id)
{
	size_t i, index = qrels->nids;

	if (index && strcmp(qrels->ids[index - 1], id) == 0)
		return index - 1;
	if (!ascends(qrels, id)) {
		for (i = qrels->by_id.nkeys; i < qrels->nids; i++) {
			index = i;
			map_add(&qrels->by_id, qrels->ids[i],
			    strlen(qrels->ids[i]), &index);
		}
		if (map_get(&qrels->by_id, id, strlen(id), &index))
			return index;
	}
	qrels->ids = arena_regrow(qrels->scratch, qrels->ids, qrels->nids,
	    &qrels->ids_cap, sizeof(*qrels->ids));
	qrels->ids[qrels->nids] = arena_strdup(qrels->arena, id);
	return qrels->nids++;
}

static int
add_line(struct qrels *qrels, const struct fields *fields, const char *file,
    struct error *e)
{
	size_t index, ncolumns = qrels->beir ? 3 : 4;
	const char *document, *text;
	int64_t grade;

	if (fields->n != ncolumns)
		return fail_at(e, file, fields->line, "%zu column%s where %s",
		    fields->n, fields->n == 1 ? "" : "s",
		    qrels->beir ? "BEIR qrels have 3: query-id corpus-id score"
				: "qrels have 4: qid iter docno grade");
	document = fields->at[ncolumns - 2];
	text = fields->at[ncolumns - 1];
	if (!*document)
		return fail_at(e, file, fields->line,
		    "question '%s': a judged document has an empty id",
		    fields->at[0]);
	if (integer_parse(text, strlen(text), &grade) < 0 ||
	    grade < -MAX_GRADE || grade > MAX_GRADE)
		return fail_at(e, file, fields->line,
		    "question '%s': grade '%s' of document '%s' is no whole "
		    "number within -1000000..1000000",
		    fields->at[0], text, document);
	index = index_of(qrels, fields->at[0]);
	qrels->places[qrels->nlines] =
	    (struct place){(unsigned)index, (unsigned)fields->line};
	qrels->judgments[qrels->nlines++] = (struct judgment){
	    .document = arena_strdup(qrels->arena, document),
	    .grade = (int)grade,
	};
	return 0;
}

/* The judgments i .. i + n - 1 are one question's, by document. */
static int
add_question(struct question_builder *builder, const struct qrels *qrels,
    size_t i, size_t n, const char *file)
{
	struct judgment *judgments = qrels->judgments + i;
	const struct place *places = qrels->places + i;
	const char *id = qrels->ids[places[0].question];
	unsigned first = places[0].line;
	size_t k;

	for (k = 1; k < n; k++) {
		if (strcmp(judgments[k].document, judgments[k - 1].document) ==
		    0)
			return fail_at(builder->e, file, places[k].line,
			    "question '%s': document '%s' is judged twice; "
			    "first on line %u",
			    id, judgments[k].document, places[k - 1].line);
		if (places[k].line < first)
			first = places[k].line;
	}
	return question_add(
	    builder, (struct question){.id = id, .line = first}, judgments, n);
}

/* How many from i on belong to one question. */
static size_t
group(const struct qrels *qrels, size_t i)
{
	size_t n = 1;

	while (i + n < qrels->nlines &&
	    qrels->places[i + n].question == qrels->places[i].question)
		n++;
	return n;
}

/* A judgment and its place, while they are sorted. */
struct line {
	struct judgment judgment;
	struct place place;
};

static int
compare_lines(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	unsigned p = x->place.question, q = y->place.question;
	int order;

	if (p != q)
		return p < q ? -1 : 1;
	order = strcmp(x->judgment.document, y->judgment.document);
	if (order)
		return order;
	return (x->place.line > y->place.line) -
	    (x->place.line < y->place.line);
}

static void
sort_range(struct qrels *qrels, size_t from, size_t n)
{
	struct line few[FEW], *lines = few;
	size_t i;

	if (n > FEW)
		lines = memory_resize(NULL, n, sizeof(*lines));
	for (i = 0; i < n; i++)
		lines[i] = (struct line){
		    qrels->judgments[from + i], qrels->places[from + i]};
	sort(lines, n, sizeof(*lines), compare_lines);
	for (i = 0; i < n; i++) {
		qrels->judgments[from + i] = lines[i].judgment;
		qrels->places[from + i] = lines[i].place;
	}
	if (lines != few)
		free(lines);
}

/* Lines mostly stand together already; then each question's are sorted. */
static void
sort_lines(struct qrels *qrels)
{
	size_t i, n;

	for (i = 1; i < qrels->nlines; i++)
		if (qrels->places[i].question < qrels->places[i - 1].question)
			break;
	if (i < qrels->nlines) {
		sort_range(qrels, 0, qrels->nlines);
		return;
	}
	for (i = 0; i < qrels->nlines; i += n) {
		n = group(qrels, i);
		sort_range(qrels, i, n);
	}
}

/* Room for every line at once: growing would copy all of them again. */
static void
reserve_lines(struct qrels *qrels, const struct text *text)
{
	const char *p = text->data, *end = text->data + text->len;
	size_t n = 1;

	while (p < end && (p = memchr(p, '\n', (size_t)(end - p)))) {
		n++;
		p++;
	}
	qrels->judgments =
	    arena_array(qrels->arena, n, sizeof(*qrels->judgments));
	qrels->places = arena_array(qrels->scratch, n, sizeof(*qrels->places));
}

static int
read_lines(struct question_builder *builder, struct qrels *qrels,
    const struct text *text)
{
	struct fields_reader reader = {text->data, text->data + text->len, 1,
	    qrels->beir && fields_first_is_tabs(text)};
	struct fields fields;
	size_t i, n;

	reserve_lines(qrels, text);
	if (qrels->beir && has_header(text))
		fields_next(&reader, &fields);
	while (fields_next(&reader, &fields))
		if (add_line(qrels, &fields, text->file, builder->e) < 0)
			return -1;
	sort_lines(qrels);
	question_reserve(builder, qrels->nids);
	for (i = 0; i < qrels->nlines; i += n) {
		n = group(qrels, i);
		if (add_question(builder, qrels, i, n, text->file) < 0)
			return -1;
	}
	return 0;
}

static int
read_text(struct question_builder *builder, const struct text *text, bool beir)
{
	struct qrels qrels = {.arena = builder->arena, .beir = beir};
	int rc;

	qrels.scratch = arena_new();
	map_init(&qrels.by_id, qrels.scratch);
	rc = read_lines(builder, &qrels, text);
	arena_free(qrels.scratch);
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
    .summary = "TREC qrels: qid iter docno grade",
};

const struct question_format question_beir = {
    .name = "beir",
    .syntax = SYNTAX_TEXT,
    .detect = detect_beir,
    .read = read_beir,
    .summary = "BEIR qrels: query-id corpus-id score, with a header or not",
};
