/*
 * Questions as YAML or JSON: a list, the same below `questions:`, or grades
 * as {question: {document: grade}}.
 */
#include <string.h>

#include "internal.h"

#define NFIELDS_LIST 64 /* values of one list-valued field that are kept */

struct reader {
	struct question_builder *builder;
	const char *file;
};

static const struct value *
one_of(const struct value *item, const char *name, const char *other)
{
	const struct value *v = value_get(item, name);

	return v ? v : value_get(item, other);
}

static int
read_grade(const struct reader *reader, const struct member *member,
    struct judgment *judgment)
{
	int64_t grade;

	if (!*member->key)
		return fail_at(reader->builder->e, reader->file, member->line,
		    "an expected document has an empty id");
	if (value_integer(member->value, reader->file,
		arena_printf(
		    reader->builder->arena, "grade of '%s'", member->key),
		-MAX_GRADE, MAX_GRADE, &grade, reader->builder->e) < 0)
		return -1;
	*judgment = (struct judgment){member->key, (int)grade};
	return 0;
}

/* One id, a list of ids, or {id: grade}. */
static int
read_expected(const struct reader *reader, const struct value *expected,
    struct judgment **judgments, size_t *n)
{
	struct error *e = reader->builder->e;
	size_t i;
	bool list = expected->type == VALUE_LIST;
	bool map = expected->type == VALUE_MAP;

	*n = list || map ? expected->nitems : 1;
	*judgments =
	    arena_array(reader->builder->arena, *n, sizeof(**judgments));
	for (i = 0; i < *n; i++) {
		struct judgment *to = &(*judgments)[i];

		if (map) {
			if (read_grade(reader, &expected->u.members[i], to) < 0)
				return -1;
			continue;
		}
		to->grade = 1;
		if (value_text(list ? expected->u.items[i] : expected,
			reader->file, "expected", &to->document, e) < 0)
			return -1;
		if (!*to->document)
			return fail_at(e, reader->file, expected->line,
			    "an expected document has an empty id");
	}
	return 0;
}

static bool
scalar(const struct value *v)
{
	return v->type == VALUE_STRING || v->type == VALUE_NUMBER ||
	    v->type == VALUE_BOOL;
}

/* Scalars become fields, so do the items of a list of scalars (tags). */
static void
read_fields(const struct reader *reader, const struct value *item,
    struct question *question)
{
	static const char *const known[] = {"id", "query_id", "text",
	    "question", "expected", "expected_any", "holdout", "evaluable"};
	struct arena *arena = reader->builder->arena;
	struct field *fields = NULL;
	size_t n = 0, cap = 0, i, j;

	for (i = 0; i < item->nitems; i++) {
		const struct member *m = &item->u.members[i];
		bool list = m->value->type == VALUE_LIST;
		size_t nvalues = list ? m->value->nitems : 1;

		for (j = 0; j < COUNT(known); j++)
			if (strcmp(m->key, known[j]) == 0)
				break;
		if (j < COUNT(known))
			continue;
		for (j = 0; j < nvalues && j < NFIELDS_LIST; j++) {
			const struct value *v =
			    list ? m->value->u.items[j] : m->value;

			if (!scalar(v))
				continue;
			fields =
			    arena_grow(arena, fields, n, &cap, sizeof(*fields));
			fields[n++] = (struct field){m->key, v->text};
		}
	}
	question->fields = fields;
	question->nfields = n;
}

static int
read_flags(const struct reader *reader, const struct value *item,
    struct question *question)
{
	const struct value *holdout = value_get(item, "holdout");
	const struct value *evaluable = value_get(item, "evaluable");
	bool flag = true;

	if (holdout &&
	    value_bool(holdout, reader->file, "holdout", &question->holdout,
		reader->builder->e) < 0)
		return -1;
	if (evaluable &&
	    value_bool(evaluable, reader->file, "evaluable", &flag,
		reader->builder->e) < 0)
		return -1;
	question->unanswerable = !flag;
	return 0;
}

static int
read_question(const struct reader *reader, const struct value *item)
{
	struct error *e = reader->builder->e;
	const struct value *id, *text, *expected, *any;
	struct question question = {.file = reader->file, .line = item->line};
	struct judgment *judgments = NULL;
	size_t n = 0;

	if (item->type != VALUE_MAP)
		return fail_at(e, reader->file, item->line,
		    "a question is %s; it should be a map with id, text and "
		    "expected",
		    value_type_name(item));
	id = one_of(item, "id", "query_id");
	if (!id)
		return fail_at(
		    e, reader->file, item->line, "a question has no 'id'");
	if (value_text(id, reader->file, "id", &question.id, e) < 0)
		return -1;
	text = one_of(item, "text", "question");
	if (text && text->type != VALUE_NULL &&
	    value_text(text, reader->file, "text", &question.text, e) < 0)
		return -1;
	if (read_flags(reader, item, &question) < 0)
		return -1;
	expected = value_get(item, "expected");
	any = value_get(item, "expected_any");
	if (expected && any)
		return fail_at(e, reader->file, item->line,
		    "question '%s' has both 'expected' and 'expected_any'; "
		    "keep one",
		    question.id);
	question.any = any != NULL;
	if (any)
		expected = any;
	if (!expected && !question.unanswerable)
		return fail_at(e, reader->file, item->line,
		    "question '%s' has no 'expected'; write `expected: []` "
		    "if it can't be answered",
		    question.id);
	if (expected && !question.unanswerable &&
	    read_expected(reader, expected, &judgments, &n) < 0)
		return -1;
	read_fields(reader, item, &question);
	return question_add(reader->builder, question, judgments, n);
}

/* {question: {document: grade}} */
static int
read_grades(const struct reader *reader, const struct member *member)
{
	struct question question = {
	    .id = member->key, .file = reader->file, .line = member->line};
	struct judgment *judgments;
	size_t n;

	if (member->value->type != VALUE_MAP)
		return fail_at(reader->builder->e, reader->file, member->line,
		    "'%s' is %s; expected a list of questions, a map with "
		    "`questions:`, or {question: {document: grade}}",
		    member->key, value_type_name(member->value));
	if (read_expected(reader, member->value, &judgments, &n) < 0)
		return -1;
	return question_add(reader->builder, question, judgments, n);
}

static int
read_tree(struct question_builder *builder, const char *file,
    const struct value *tree)
{
	struct reader reader = {builder, file};
	const struct value *list = tree, *inner;
	size_t before = builder->e->nitems, i;

	if (tree->type == VALUE_MAP) {
		inner = value_get(tree, "questions");
		if (inner && inner->type != VALUE_MAP)
			list = inner;
	}
	if (list->type == VALUE_NULL)
		return 0;
	if (list->type != VALUE_LIST && list->type != VALUE_MAP)
		return fail_at(builder->e, file, list->line,
		    "is %s; expected a list of questions",
		    value_type_name(list));
	for (i = 0; i < list->nitems; i++)
		if (list->type == VALUE_LIST)
			read_question(&reader, list->u.items[i]);
		else
			read_grades(&reader, &list->u.members[i]);
	return builder->e->nitems > before ? -1 : 0;
}

/* A list in YAML's flow style begins as JSON does; there the name decides. */
static bool
named_yaml(const char *file)
{
	const char *dot = strrchr(file, '.');

	return dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

static bool
detect_json(const struct text *text)
{
	char first = text_first(text);

	return (first == '{' || first == '[') && !named_yaml(text->file);
}

static bool
detect_yaml(const struct text *text)
{
	return text->len > 0;
}

static int
read_json(struct question_builder *builder, struct text *text)
{
	struct source source = {text->file, 1, text->data, text->len};
	const struct value *tree =
	    json_read(builder->arena, &source, builder->e);

	return tree ? read_tree(builder, text->file, tree) : -1;
}

static int
read_yaml(struct question_builder *builder, struct text *text)
{
	struct source source = {text->file, 1, text->data, text->len};
	const struct value *tree =
	    yaml_read(builder->arena, &source, builder->e);

	return tree ? read_tree(builder, text->file, tree) : -1;
}

const struct question_format question_json = {
    .name = "json",
    .detect = detect_json,
    .read = read_json,
    .summary = "JSON: a list of questions, or {question: {document: grade}}",
};

const struct question_format question_yaml = {
    .name = "yaml",
    .detect = detect_yaml,
    .read = read_yaml,
    .summary = "YAML: a list of questions, also below `questions:`",
};
