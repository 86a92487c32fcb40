/*
 * Runs as JSON Lines, or as a JSON list of the same: {"id", "results"}, where
 * a result is a document's id or {"doc_id", "page", "score"}.  Lines are read
 * one at a time.
 */
#include <string.h>

#include "fast.h"

struct reader {
	struct join *join;
	const char *file;
};

static const char *const id_names[] = {"id", "query_id"};
static const char *const list_names[] = {"results", "ranking"};
static const char *const document_names[] = {"doc_id", "document", "id"};

/* A key that may be absent or null. */
static const struct value *
given(const struct value *item, const char *key)
{
	const struct value *v = value_get(item, key);

	return v && v->type != VALUE_NULL ? v : NULL;
}

static int
read_result(
    const struct reader *r, const struct value *item, struct result *result)
{
	struct error *e = r->join->e;
	const struct value *document = item, *score, *page;

	result->line = item->line;
	if (item->type == VALUE_MAP) {
		document =
		    tree_one_of(item, document_names, COUNT(document_names));
		if (!document)
			return fail_at(
			    e, r->file, item->line, "a result has no 'doc_id'");
		score = given(item, "score");
		page = given(item, "page");
		result->scored = score != NULL;
		result->paged = page != NULL;
		if ((score &&
			value_number(
			    score, r->file, "score", &result->score, e) < 0) ||
		    (page &&
			value_integer(page, r->file, "page", 0, INT32_MAX,
			    &result->page, e) < 0))
			return -1;
	}
	if (value_text(document, r->file, "doc_id", &result->document, e) < 0)
		return -1;
	if (!*result->document)
		return fail_at(e, r->file, item->line,
		    "a result's document has an empty id");
	return 0;
}

int
join_tree(struct join *join, const char *id, const struct value *list,
    const char *file, size_t line)
{
	struct reader r = {join, file};
	struct arena *scratch = arena_new();
	struct result *results =
	    arena_array(scratch, list->nitems + 1, sizeof(*results));
	size_t i;
	int rc = 0;

	for (i = 0; rc == 0 && i < list->nitems; i++)
		rc = read_result(&r, list->u.items[i], &results[i]);
	if (rc == 0)
		rc = join_list(
		    join, id, results, list->nitems, false, file, line);
	arena_free(scratch);
	return rc;
}

static int
read_record(const struct reader *r, const struct value *record)
{
	struct error *e = r->join->e;
	const struct value *id, *list;
	const char *text;

	if (record->type != VALUE_MAP)
		return fail_at(e, r->file, record->line,
		    "%s where {\"id\": ..., \"results\": [...]} is expected",
		    value_type_name(record));
	if (tree_only_one(record, id_names, COUNT(id_names), r->file, &id, e) <
		0 ||
	    tree_only_one(
		record, list_names, COUNT(list_names), r->file, &list, e) < 0)
		return -1;
	if (!id)
		return fail_at(e, r->file, record->line,
		    "a result has no 'id' or 'query_id'");
	if (value_text(id, r->file, "id", &text, e) < 0)
		return -1;
	if (tree_says_error(record))
		return join_error(r->join, text, r->file, record->line);
	if (!list)
		return fail_at(e, r->file, record->line,
		    "question '%s' has no 'results'; an empty list says that "
		    "nothing was found",
		    text);
	if (list->type != VALUE_LIST)
		return fail_at(e, r->file, list->line,
		    "results of '%s' are %s; expected a list", text,
		    value_type_name(list));
	return join_tree(r->join, text, list, r->file, record->line);
}

int
jsonl_read_line(struct join *join, const struct source *source)
{
	struct reader r = {join, source->name};
	struct arena *scratch = arena_new();
	const struct value *v = json_read(scratch, source, join->e);
	int rc = v ? read_record(&r, v) : -1;

	arena_free(scratch);
	return rc;
}

static int
read_lines(struct join *join, const struct text *text)
{
	struct source source = {.name = text->file};
	size_t next = 0;
	int rc = 0;

	while (rc == 0 && tree_next_line(text, &next, &source))
		rc = jsonl_read_line(join, &source);
	return rc;
}

static int
read_run(struct join *join, struct document *document)
{
	struct reader r = {join, document->text.file};
	const struct value *tree = document->tree;
	size_t i;
	int rc = 0;

	if (!tree)
		return read_lines(join, &document->text);
	if (tree->type != VALUE_LIST)
		return read_record(&r, tree);
	for (i = 0; rc == 0 && i < tree->nitems; i++)
		rc = read_record(&r, tree->u.items[i]);
	return rc;
}

/*
 * A list, or one record: a map whose id is a scalar and whose results are a
 * list, so that a question named "id" is no trap.
 */
static bool
detect(const struct document *document)
{
	const struct value *tree = document->tree;

	if (!tree || tree->type == VALUE_LIST)
		return true;
	/* A map of questions may have one called "id", but no scalar there. */
	return tree_is_one(tree, id_names, COUNT(id_names));
}

const struct run_format run_jsonl = {
    .name = "jsonl",
    .syntax = SYNTAX_TREE,
    .detect = detect,
    .read = read_run,
    .stream = jsonl_stream,
    .summary = "JSON Lines or a JSON list: {\"id\", \"results\"}",
};
