/* TREC qrels: qid iter docno grade, in any order of lines. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct line {
	const char *document;
	int grade;
	size_t question; /* index in order of appearance */
	size_t line;
};

struct qrels {
	struct arena *arena;
	struct line *lines;
	size_t nlines, cap;
	const char **ids;
	size_t nids, ids_cap;
	struct map by_id;
};

static bool
detect(const struct text *text)
{
	bool integer = false;

	return fields_count_first(text, &integer) == 4 && integer &&
	    text_first(text) != '-';
}

static int
add_line(struct qrels *qrels, const struct fields *fields, const char *file,
    struct error *e)
{
	size_t index = qrels->nids, len;
	int64_t grade;
	const char *id;

	if (fields->n != 4)
		return fail_at(e, file, fields->line,
		    "%zu columns where qrels have 4: qid iter docno grade",
		    fields->n);
	if (integer_parse(fields->at[3], strlen(fields->at[3]), &grade) < 0 ||
	    grade < -MAX_GRADE || grade > MAX_GRADE)
		return fail_at(e, file, fields->line,
		    "grade '%s' of document '%s' is no whole number within "
		    "-1000000..1000000",
		    fields->at[3], fields->at[2]);
	len = strlen(fields->at[0]);
	id = fields->at[0];
	if (!map_get(&qrels->by_id, id, len, &index)) {
		id = arena_strndup(qrels->arena, id, len);
		map_add(&qrels->by_id, id, len, &index);
		qrels->ids = arena_grow(qrels->arena, qrels->ids, qrels->nids,
		    &qrels->ids_cap, sizeof(*qrels->ids));
		qrels->ids[qrels->nids++] = id;
	}
	qrels->lines = arena_grow(qrels->arena, qrels->lines, qrels->nlines,
	    &qrels->cap, sizeof(*qrels->lines));
	qrels->lines[qrels->nlines++] = (struct line){
	    .document = arena_strdup(qrels->arena, fields->at[2]),
	    .grade = (int)grade,
	    .question = index,
	    .line = fields->line,
	};
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
	return order ? order : (x->line > y->line) - (x->line < y->line);
}

/* lines[0 .. n - 1] are one question's, by document. */
static int
add_question(struct question_builder *builder, const struct qrels *qrels,
    const struct line *lines, size_t n, const char *file)
{
	struct judgment *judgments =
	    arena_array(qrels->arena, n, sizeof(*judgments));
	const char *id = qrels->ids[lines[0].question];
	size_t first = lines[0].line, i;

	for (i = 0; i < n; i++) {
		if (i && strcmp(lines[i].document, lines[i - 1].document) == 0)
			return fail_at(builder->e, file, lines[i].line,
			    "question '%s': document '%s' is judged twice; "
			    "first on line %zu",
			    id, lines[i].document, lines[i - 1].line);
		judgments[i].document = lines[i].document;
		judgments[i].grade = lines[i].grade;
		if (lines[i].line < first)
			first = lines[i].line;
	}
	return question_add(builder,
	    (struct question){.id = id, .file = file, .line = first}, judgments,
	    n);
}

static int
read_text(struct question_builder *builder, struct text *text)
{
	struct qrels qrels = {.arena = builder->arena};
	struct fields_reader reader = {text->data, text->data + text->len, 1};
	struct fields fields;
	size_t i, n;

	map_init(&qrels.by_id, builder->arena);
	while (fields_next(&reader, &fields))
		if (add_line(&qrels, &fields, text->file, builder->e) < 0)
			return -1;
	if (qrels.nlines)
		qsort(qrels.lines, qrels.nlines, sizeof(*qrels.lines),
		    compare_lines);
	for (i = 0; i < qrels.nlines; i += n) {
		for (n = 1; i + n < qrels.nlines &&
		     qrels.lines[i + n].question == qrels.lines[i].question;)
			n++;
		if (add_question(
			builder, &qrels, qrels.lines + i, n, text->file) < 0)
			return -1;
	}
	return 0;
}

const struct question_format question_trec = {
    .name = "trec",
    .detect = detect,
    .read = read_text,
    .summary = "TREC qrels: qid iter docno grade",
};
