/*
 * Runs that give one rank a question: [{"question", "rank"}], where null is
 * a miss, and the companion pipeline's eval_results.json, where 0 is one.
 */
#include <string.h>

#include "internal.h"

static const char *const name_names[] = {"question", "id", "query_id"};
static const char *const id_names[] = {"query_id", "id"};
static const char *const result_names[] = {"results"};

const char *const companion_ranks[3] = {
    "hit_rank", "page_rank", "keyword_rank"};

static int
read_rank(struct join *join, const char *file, const struct value *v,
    const char *what, unsigned *rank)
{
	int64_t n = 0;

	if (v->type != VALUE_NULL &&
	    value_integer(v, file, what, 0, INT32_MAX, &n, join->e) < 0)
		return -1;
	*rank = (unsigned)n;
	return 0;
}

/* One or several expected documents, as CSV writes them: with ';'. */
static const char *
expected_of(struct join *join, const struct value *item)
{
	const struct value *v = value_get(item, "expected");
	const char *list = "";
	size_t i;

	if (!v || v->type == VALUE_STRING)
		return v ? v->text : NULL;
	for (i = 0; v->type == VALUE_LIST && i < v->nitems; i++)
		list = arena_printf(join->arena, "%s%s%s", list, i ? ";" : "",
		    v->u.items[i]->text);
	return list;
}

static int
read_one(struct join *join, const char *file, const struct value *item)
{
	const struct value *name =
	    tree_one_of(item, name_names, COUNT(name_names));
	const struct value *value = value_get(item, "rank"), *id;
	const char *text;
	unsigned rank;

	/* Beside an id, `question` is its text. */
	if (tree_only_one(item, id_names, COUNT(id_names), file, &id, join->e) <
	    0)
		return -1;
	if (!name || !value)
		return fail_at(join->e, file, item->line,
		    "a result has no '%s'", name ? "rank" : "question");
	if (value_text(name, file, "question", &text, join->e) < 0 ||
	    read_rank(join, file, value, "rank", &rank) < 0)
		return -1;
	return join_rank(
	    join, text, rank, expected_of(join, item), file, item->line);
}

static int
read_ranks(struct join *join, struct document *document)
{
	const struct value *tree = document->tree;
	size_t i;
	int rc = 0;

	if (tree->type != VALUE_LIST)
		return fail_at(join->e, document->text.file, tree->line,
		    "is %s; expected [{\"question\", \"rank\"}]",
		    value_type_name(tree));
	join->run->rank_only = true;
	for (i = 0; rc == 0 && i < tree->nitems; i++)
		rc = read_one(join, document->text.file, tree->u.items[i]);
	return rc;
}

static bool
detect_ranks(const struct document *document)
{
	const struct value *first = tree_first(document->tree, NULL, 0);

	return first && value_get(first, "rank") &&
	    tree_one_of(first, name_names, COUNT(name_names)) &&
	    !value_get(first, "results");
}

/* Which of its ranks counts. */
static const char *
rank_field(const struct join *join)
{
	const char *field = join->options->rank_field;

	return field ? field : companion_ranks[0];
}

/* The mend is an option where the result has another rank. */
static int
no_rank(struct join *join, const char *file, const struct value *item,
    const char *question)
{
	const char *mend = "";
	size_t i;

	for (i = 0; i < COUNT(companion_ranks) && !*mend; i++)
		if (value_get(item, companion_ranks[i]))
			mend = arena_printf(join->arena,
			    "; it has '%s', which --rank-field can name",
			    companion_ranks[i]);
	return fail_at(join->e, file, item->line, "question '%s' has no '%s'%s",
	    question, rank_field(join), mend);
}

static int
read_result(struct join *join, const char *file, const struct value *item)
{
	const char *field = rank_field(join);
	const struct value *id, *value, *evaluable;
	bool evaluated = true;
	const char *text;
	unsigned rank;

	if (tree_only_one(item, id_names, COUNT(id_names), file, &id, join->e) <
	    0)
		return -1;
	if (!id)
		return fail_at(
		    join->e, file, item->line, "a result has no 'query_id'");
	if (value_text(id, file, "query_id", &text, join->e) < 0)
		return -1;
	evaluable = value_get(item, "evaluable");
	if (evaluable &&
	    value_bool(evaluable, file, "evaluable", &evaluated, join->e) < 0)
		return -1;
	if (tree_says_error(item))
		return join_error(join, text, file, item->line);
	/* What was not evaluated is no answer. */
	if (!evaluated)
		return join_unevaluated(join, text, file, item->line);
	value = value_get(item, field);
	if (!value)
		return no_rank(join, file, item, text);
	if (read_rank(join, file, value, field, &rank) < 0)
		return -1;
	return join_rank(join, text, rank, NULL, file, item->line);
}

static int
read_companion(struct join *join, struct document *document)
{
	const struct value *tree = document->tree, *list = tree;
	size_t i;
	int rc = 0;

	if (tree->type == VALUE_MAP)
		list = tree_one_of(tree, result_names, COUNT(result_names));
	if (!list || list->type != VALUE_LIST)
		return fail_at(join->e, document->text.file, tree->line,
		    "has no list of 'results'");
	join->run->rank_only = true;
	join->page_ranks = strcmp(rank_field(join), "page_rank") == 0;
	for (i = 0; rc == 0 && i < list->nitems; i++)
		rc = read_result(join, document->text.file, list->u.items[i]);
	return rc;
}

static bool
names_query(const struct value *item)
{
	return value_get(item, "query_id") && !value_get(item, "doc_id") &&
	    !value_get(item, "document");
}

/*
 * Any result may be the first that was evaluated.  A list of nothing, or of
 * what names a query and no document, is of results without a rank.
 */
static bool
detect_companion(const struct document *document)
{
	const struct value *list = document->tree, *alone = NULL;
	size_t i;

	if (list && list->type == VALUE_MAP) {
		if (list->nitems == 1)
			alone = value_get(list, "results");
		list = tree_one_of(list, result_names, COUNT(result_names));
	}
	if (!list || list->type != VALUE_LIST)
		return false;
	if (alone && (!list->nitems || names_query(list->u.items[0])))
		return true;
	for (i = 0; i < list->nitems; i++)
		if (tree_one_of(list->u.items[i], companion_ranks,
			COUNT(companion_ranks)))
			return true;
	return false;
}

const struct run_format run_ranks = {
    .name = "ranks",
    .syntax = SYNTAX_TREE,
    .detect = detect_ranks,
    .read = read_ranks,
    .summary = "[{\"question\", \"rank\"}], null for a miss",
};

const struct run_format run_companion = {
    .name = "companion",
    .syntax = SYNTAX_TREE,
    .detect = detect_companion,
    .read = read_companion,
    .summary = "eval_results.json: query_id, hit_rank, 0 for a miss",
};
