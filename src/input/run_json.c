/*
 * Runs as JSON: one object a line, or a list of them, {"id", "results"};
 * or a map {question: {document: score}} or {question: [document, ...]}.
 */
#include <string.h>

#include "internal.h"

struct reader {
	struct join *join;
	const char *file;
};

static bool
detect(const struct text *text)
{
	char first = text_first(text);

	return first == '{' || first == '[';
}

/* The first of the names that the map has. */
static const struct value *
one_of(const struct value *v, const char *const *names, size_t n)
{
	const struct value *found = NULL;
	size_t i;

	for (i = 0; i < n && !found; i++)
		found = value_get(v, names[i]);
	return found;
}

static const char *const id_names[] = {"id", "query_id"};
static const char *const list_names[] = {"results", "ranking"};
static const char *const document_names[] = {"doc_id", "document", "id"};

static int
read_score(const struct reader *reader, const struct value *score,
    const char *what, struct result *result)
{
	if (!score || score->type == VALUE_NULL)
		return 0;
	result->scored = true;
	return value_number(
	    score, reader->file, what, &result->score, reader->join->e);
}

/* "doc", or {"doc_id": "doc", "score": 1.5}. */
static int
read_result(const struct reader *reader, const struct value *item,
    struct result *result)
{
	struct error *e = reader->join->e;
	const struct value *document = item;

	result->line = item->line;
	if (item->type == VALUE_MAP) {
		document = one_of(item, document_names, COUNT(document_names));
		if (!document)
			return fail_at(e, reader->file, item->line,
			    "a result has no 'doc_id'");
		if (read_score(
			reader, value_get(item, "score"), "score", result) < 0)
			return -1;
	}
	return value_text(
	    document, reader->file, "doc_id", &result->document, e);
}

/* Documents with their scores, or the documents in order. */
static int
read_results(const struct reader *reader, const char *id,
    const struct value *list, size_t line)
{
	struct join *join = reader->join;
	struct arena *scratch = arena_new();
	struct result *results =
	    arena_array(scratch, list->nitems + 1, sizeof(*results));
	bool map = list->type == VALUE_MAP;
	size_t i;
	int rc = 0;

	for (i = 0; rc == 0 && i < list->nitems; i++) {
		if (!map) {
			rc = read_result(reader, list->u.items[i], &results[i]);
			continue;
		}
		results[i].document = list->u.members[i].key;
		results[i].line = list->u.members[i].line;
		rc = value_number(list->u.members[i].value, reader->file,
		    "score", &results[i].score, join->e);
		results[i].scored = true;
	}
	if (rc == 0)
		rc = join_list(
		    join, id, results, list->nitems, map, reader->file, line);
	arena_free(scratch);
	return rc;
}

static int
read_record(const struct reader *reader, const struct value *record)
{
	struct error *e = reader->join->e;
	const struct value *id, *list, *error;
	const char *text;

	if (record->type != VALUE_MAP)
		return fail_at(e, reader->file, record->line,
		    "%s where {\"id\": ..., \"results\": [...]} is expected",
		    value_type_name(record));
	id = one_of(record, id_names, COUNT(id_names));
	if (!id)
		return fail_at(e, reader->file, record->line,
		    "a result has no 'id' or 'query_id'");
	if (value_text(id, reader->file, "id", &text, e) < 0)
		return -1;
	error = value_get(record, "error");
	if (error && error->type == VALUE_STRING && *error->text)
		return join_error(
		    reader->join, text, reader->file, record->line);
	list = one_of(record, list_names, COUNT(list_names));
	if (!list)
		return fail_at(e, reader->file, record->line,
		    "question '%s' has no 'results'; an empty list says that "
		    "nothing was found",
		    text);
	if (list->type != VALUE_LIST)
		return fail_at(e, reader->file, list->line,
		    "results of '%s' are %s; expected a list", text,
		    value_type_name(list));
	return read_results(reader, text, list, record->line);
}

/* A line's own object, and not the whole file's map. */
static bool
is_record(const struct value *v)
{
	const struct value *list = one_of(v, list_names, COUNT(list_names));
	const struct value *id = one_of(v, id_names, COUNT(id_names));

	return id && id->type != VALUE_MAP && id->type != VALUE_LIST &&
	    (!list || list->type == VALUE_LIST);
}

static int
read_tree(const struct reader *reader, const struct value *tree)
{
	const struct member *member;
	size_t i;
	int rc = 0;

	if (tree->type == VALUE_LIST) {
		for (i = 0; rc == 0 && i < tree->nitems; i++)
			rc = read_record(reader, tree->u.items[i]);
		return rc;
	}
	if (tree->type != VALUE_MAP || is_record(tree))
		return read_record(reader, tree);
	for (i = 0; rc == 0 && i < tree->nitems; i++) {
		member = &tree->u.members[i];
		if (member->value->type != VALUE_MAP &&
		    member->value->type != VALUE_LIST)
			rc =
			    fail_at(reader->join->e, reader->file, member->line,
				"'%s' is %s; expected {document: score} or a "
				"list of documents",
				member->key, value_type_name(member->value));
		else
			rc = read_results(
			    reader, member->key, member->value, member->line);
	}
	return rc;
}

/* Where the next line begins, or the end. */
static size_t
line_end(const struct text *text, size_t from)
{
	const char *end = memchr(text->data + from, '\n', text->len - from);

	return end ? (size_t)(end - text->data) : text->len;
}

static bool
blank(const char *data, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (!strchr(" \t\r\n", data[i]))
			return false;
	return true;
}

/*
 * One object a line?  So it is when the first line that holds anything is a
 * whole JSON object, and more follows.
 */
static bool
is_lines(const struct text *text)
{
	struct arena *scratch = arena_new();
	struct error ignored = {.arena = scratch};
	size_t from = 0, end = line_end(text, 0);
	struct source source;
	const struct value *v;
	bool lines;

	while (blank(text->data + from, end - from) && end < text->len) {
		from = end + 1;
		end = line_end(text, from);
	}
	source = (struct source){text->file, 1, text->data + from, end - from};
	v = json_read(scratch, &source, &ignored);
	lines = v && v->type == VALUE_MAP &&
	    !blank(text->data + end, text->len - end);
	arena_free(scratch);
	return lines;
}

static int
read_lines(const struct reader *reader, const struct text *text)
{
	struct arena *scratch;
	struct source source = {.name = text->file};
	const struct value *v;
	size_t from, end;
	int rc = 0;

	for (from = 0; rc == 0 && from < text->len; from = end + 1) {
		end = line_end(text, from);
		source.line++;
		if (blank(text->data + from, end - from))
			continue;
		source.data = text->data + from;
		source.len = end - from;
		scratch = arena_new();
		v = json_read(scratch, &source, reader->join->e);
		rc = v ? read_record(reader, v) : -1;
		arena_free(scratch);
	}
	return rc;
}

static int
read_text(struct join *join, struct text *text)
{
	struct source source = {text->file, 1, text->data, text->len};
	struct reader reader = {join, text->file};
	struct arena *scratch;
	const struct value *tree;
	int rc;

	if (is_lines(text))
		return read_lines(&reader, text);
	scratch = arena_new();
	tree = json_read(scratch, &source, join->e);
	rc = tree ? read_tree(&reader, tree) : -1;
	arena_free(scratch);
	return rc;
}

const struct run_format run_json = {
    .name = "json",
    .detect = detect,
    .read = read_text,
    .summary = "JSONL or JSON: {\"id\", \"results\"}, or {question: "
	       "{document: score}}",
};
