/*
 * Questions as a list of maps, in YAML, JSON or one JSON object a line, also
 * below `questions:`: evalgate's own notation, and the companion pipeline's
 * eval_questions.json, which has other names for the same things.
 */
#include <string.h>

#include "internal.h"

#define NVALUES 64 /* values of one list-valued field that are kept */

/* What a notation calls things; the first name found is taken. */
struct names {
	const char *id[2];
	const char *text[2];
	const char *expected;
	const char *pages;
};

static const struct names evalgate = {
    {"id", "query_id"}, {"text", "question"}, "expected", "pages"};
static const struct names companion = {
    {"query_id", "id"}, {"question", "text"}, "doc_id", "expected_pages"};

struct reader {
	struct question_builder *builder;
	struct error *e;
	struct arena *arena;
	const struct names *names;
	const char *file;
};

static int
read_grade(const struct reader *r, const struct member *member,
    struct expected *expected)
{
	int64_t grade;

	if (value_integer(member->value, r->file,
		arena_printf(r->arena, "grade of '%s'", member->key),
		-MAX_GRADE, MAX_GRADE, &grade, r->e) < 0)
		return -1;
	*expected =
	    (struct expected){.document = member->key, .grade = (int)grade};
	return 0;
}

struct entry {
	const char *document;
	size_t line;
};

static int
compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = strcmp(x->document, y->document);

	return order ? order : (x->line > y->line) - (x->line < y->line);
}

/* A list's documents stand once each; question_add knows no lines of them. */
static int
check_entries(const struct reader *r, const struct question *question,
    const struct value *list, const struct expected *expected)
{
	struct arena *scratch = arena_new();
	struct entry *entries =
	    arena_array(scratch, list->nitems + 1, sizeof(*entries));
	size_t i;
	int rc = 0;

	for (i = 0; i < list->nitems; i++)
		entries[i] = (struct entry){
		    expected[i].document, list->u.items[i]->line};
	sort(entries, list->nitems, sizeof(*entries), compare_entries);
	for (i = 1; rc == 0 && i < list->nitems; i++)
		if (strcmp(entries[i].document, entries[i - 1].document) == 0)
			rc = fail_at(r->e, r->file, entries[i].line,
			    "question '%s': document '%s' is judged twice; "
			    "first on line %zu",
			    question->id, entries[i].document,
			    entries[i - 1].line);
	arena_free(scratch);
	return rc;
}

/* One id, a list of ids, or {id: grade}. */
static int
read_expected(const struct reader *r, const struct question *question,
    const struct value *v, struct expected **expected, size_t *n)
{
	bool list = v->type == VALUE_LIST, map = v->type == VALUE_MAP;
	struct expected *to;
	size_t i;

	*n = list || map ? v->nitems : v->type != VALUE_NULL;
	*expected = arena_array(r->arena, *n + 1, sizeof(**expected));
	for (i = 0; i < *n; i++) {
		to = &(*expected)[i];
		to->grade = 1;
		if (map) {
			if (read_grade(r, &v->u.members[i], to) < 0)
				return -1;
		} else if (value_text(list ? v->u.items[i] : v, r->file,
			       r->names->expected, &to->document, r->e) < 0) {
			return -1;
		}
		if (!*to->document)
			return fail_at(r->e, r->file,
			    list ? v->u.items[i]->line : v->line,
			    "question '%s': an expected document has an empty "
			    "id",
			    question->id);
	}
	if (!list)
		return 0;
	return check_entries(r, question, v, *expected);
}

/* One page or a list of them, ascending. */
static int
read_page_list(
    const struct reader *r, const struct value *v, struct pages *pages)
{
	bool list = v->type == VALUE_LIST;
	size_t n = list ? v->nitems : v->type != VALUE_NULL, i;
	int64_t *to = arena_array(r->arena, n + 1, sizeof(*to));

	for (i = 0; i < n; i++)
		if (value_integer(list ? v->u.items[i] : v, r->file,
			r->names->pages, 0, INT32_MAX, &to[i], r->e) < 0)
			return -1;
	*pages = pages_of(to, n);
	return 0;
}

/* Pages of all expected documents, or {document: pages}. */
static int
read_pages(const struct reader *r, const struct value *item,
    struct expected *expected, size_t n)
{
	const struct value *v = value_get(item, r->names->pages);
	struct pages all;
	size_t i, j;

	if (!v)
		return 0;
	for (i = 0; v->type == VALUE_MAP && i < v->nitems; i++) {
		const struct member *m = &v->u.members[i];

		for (j = 0; j < n; j++)
			if (strcmp(expected[j].document, m->key) == 0)
				break;
		if (j == n)
			return fail_at(r->e, r->file, m->line,
			    "%s names '%s', which is not expected",
			    r->names->pages, m->key);
		if (read_page_list(r, m->value, &expected[j].pages) < 0)
			return -1;
	}
	if (v->type == VALUE_MAP)
		return 0;
	if (read_page_list(r, v, &all) < 0)
		return -1;
	for (j = 0; j < n; j++)
		expected[j].pages = all;
	return 0;
}

static bool
known(const struct reader *r, const char *key)
{
	const char *const keys[] = {r->names->id[0], r->names->id[1],
	    r->names->text[0], r->names->text[1], r->names->expected,
	    r->names->pages, "expected_any", "holdout", "evaluable"};
	size_t i;

	for (i = 0; i < COUNT(keys); i++)
		if (strcmp(key, keys[i]) == 0)
			return true;
	return false;
}

static bool
scalar(const struct value *v)
{
	return v->type == VALUE_STRING || v->type == VALUE_NUMBER ||
	    v->type == VALUE_BOOL;
}

/* Scalars become fields, so do the items of a list of scalars (tags). */
static size_t
read_fields(
    const struct reader *r, const struct value *item, const struct field **all)
{
	struct field *fields = NULL;
	size_t n = 0, cap = 0, i, j;

	for (i = 0; i < item->nitems; i++) {
		const struct member *m = &item->u.members[i];
		bool list = m->value->type == VALUE_LIST;
		size_t nvalues = list ? m->value->nitems : 1;

		if (known(r, m->key))
			continue;
		for (j = 0; j < nvalues && j < NVALUES; j++) {
			const struct value *v =
			    list ? m->value->u.items[j] : m->value;

			if (!scalar(v) || !*v->text)
				continue;
			fields = arena_grow(
			    r->arena, fields, n, &cap, sizeof(*fields));
			fields[n++] = (struct field){m->key, v->text};
		}
	}
	*all = fields;
	return n;
}

static int
read_flags(
    const struct reader *r, const struct value *item, struct question *question)
{
	const struct value *holdout = value_get(item, "holdout");
	const struct value *evaluable = value_get(item, "evaluable");
	bool held_out = false, answerable = true;

	if (holdout &&
	    value_bool(holdout, r->file, "holdout", &held_out, r->e) < 0)
		return -1;
	if (evaluable &&
	    value_bool(evaluable, r->file, "evaluable", &answerable, r->e) < 0)
		return -1;
	question->holdout = held_out;
	question->unanswerable = !answerable;
	return 0;
}

static int
read_id_and_text(const struct reader *r, const struct value *item,
    struct question *question, struct question_more *more)
{
	const struct value *id, *text;

	if (tree_only_one(item, r->names->id, COUNT(r->names->id), r->file, &id,
		r->e) < 0 ||
	    tree_only_one(item, r->names->text, COUNT(r->names->text), r->file,
		&text, r->e) < 0)
		return -1;
	if (!id)
		return fail_at(r->e, r->file, item->line,
		    "a question has no '%s'", r->names->id[0]);
	if (value_text(id, r->file, r->names->id[0], &question->id, r->e) < 0)
		return -1;
	if (!text || text->type == VALUE_NULL)
		return 0;
	return value_text(text, r->file, r->names->text[0], &more->text, r->e);
}

/* `expected`, or the alternatives; NULL where unanswerable. */
static int
find_expected(const struct reader *r, const struct value *item,
    struct question *question, const struct value **expected)
{
	const struct value *any = value_get(item, "expected_any");

	*expected = value_get(item, r->names->expected);
	if (*expected && any)
		return fail_at(r->e, r->file, item->line,
		    "question '%s' has both '%s' and 'expected_any'; keep "
		    "one",
		    question->id, r->names->expected);
	question->any = any != NULL;
	if (any)
		*expected = any;
	if (question->unanswerable) {
		*expected = NULL;
		return 0;
	}
	/* The companion pipeline has nothing where nothing answers. */
	if (*expected && !any && r->names == &companion &&
	    (*expected)->type == VALUE_NULL && !value_get(item, "evaluable")) {
		question->unanswerable = true;
		*expected = NULL;
		return 0;
	}
	if (*expected && (*expected)->type == VALUE_NULL)
		return fail_at(r->e, r->file, (*expected)->line,
		    "question '%s': %s has no value; write [] if it can't "
		    "be answered",
		    question->id, r->names->expected);
	if (!*expected)
		return fail_at(r->e, r->file, item->line,
		    "question '%s' has no '%s'; write `%s: []` if it can't "
		    "be answered",
		    question->id, r->names->expected, r->names->expected);
	return 0;
}

static int
read_question(const struct reader *r, const struct value *item)
{
	struct question question = {.place = (unsigned)item->line};
	struct question_more more = {.text = NULL};
	struct expected *expected = NULL;
	const struct value *v;
	size_t n = 0;

	if (item->type != VALUE_MAP)
		return fail_at(r->e, r->file, item->line,
		    "a question is %s; it should be a map with %s, %s and %s",
		    value_type_name(item), r->names->id[0], r->names->text[0],
		    r->names->expected);
	if (read_id_and_text(r, item, &question, &more) < 0 ||
	    read_flags(r, item, &question) < 0 ||
	    find_expected(r, item, &question, &v) < 0)
		return -1;
	if (v &&
	    (read_expected(r, &question, v, &expected, &n) < 0 ||
		read_pages(r, item, expected, n) < 0))
		return -1;
	more.nfields = read_fields(r, item, &more.fields);
	return question_add(r->builder, question, expected, n, &more);
}

static const char *const list_names[] = {"questions"};

static int
read_list(struct question_builder *builder, struct document *document,
    const struct names *names)
{
	struct reader r = {.builder = builder,
	    .e = builder->e,
	    .arena = builder->arena,
	    .names = names,
	    .file = document->text.file};
	const struct value *list = document->tree;
	size_t before = builder->e->nitems, i;

	/* One question alone, as of JSON Lines with one line. */
	if (tree_is_one(list, names->id, COUNT(names->id)))
		return read_question(&r, list);
	if (list->type == VALUE_MAP)
		list = value_get(list, list_names[0]);
	if (list && list->type == VALUE_NULL)
		return 0;
	if (!list && question_map.detect(document))
		return fail_at(r.e, r.file, document->tree->line,
		    "is {question: {document: grade}}, which is the format "
		    "map and not this");
	if (!list && document->tree->type == VALUE_MAP)
		return document->tree->nitems
		    ? fail_at(r.e, r.file, document->tree->line,
			  "is a map without `questions:`; expected that, a "
			  "list of questions, or {question: {document: "
			  "grade}}")
		    : 0;
	if (!list || list->type != VALUE_LIST)
		return question_unknown(
		    r.e, &document->text, list ? list : document->tree);
	for (i = 0; i < list->nitems; i++)
		read_question(&r, list->u.items[i]);
	return builder->e->nitems > before ? -1 : 0;
}

static int
read_evalgate(struct question_builder *builder, struct document *document)
{
	return read_list(builder, document, &evalgate);
}

static int
read_companion(struct question_builder *builder, struct document *document)
{
	return read_list(builder, document, &companion);
}

static bool
detect_evalgate(const struct document *document)
{
	return document->tree != NULL;
}

static bool
detect_companion(const struct document *document)
{
	const struct value *first =
	    tree_first(document->tree, list_names, COUNT(list_names));

	return first && value_get(first, "query_id") &&
	    value_get(first, "doc_id") && !value_get(first, "expected");
}

const struct question_format question_evalgate = {
    .name = "evalgate",
    .syntax = SYNTAX_TREE,
    .detect = detect_evalgate,
    .read = read_evalgate,
    .summary = "YAML, JSON or JSON Lines: id, text, expected",
};

const struct question_format question_companion = {
    .name = "companion",
    .syntax = SYNTAX_TREE,
    .detect = detect_companion,
    .read = read_companion,
    .summary = "eval_questions.json: query_id, question, doc_id, "
	       "expected_pages",
};
