/* {question: {document: score}} or {question: [document, ...]}, in JSON. */
#include <string.h>

#include "internal.h"

static int
read_scores(struct join *join, const struct member *member, const char *file)
{
	const struct value *scores = member->value;
	struct arena *scratch = arena_new();
	struct result *results =
	    arena_array(scratch, scores->nitems + 1, sizeof(*results));
	size_t i;
	int rc = 0;

	for (i = 0; rc == 0 && i < scores->nitems; i++) {
		results[i].document = scores->u.members[i].key;
		if (!*results[i].document)
			rc = fail_at(join->e, file, scores->u.members[i].line,
			    "a result's document has an empty id");
		results[i].line = scores->u.members[i].line;
		results[i].scored = true;
		if (rc == 0)
			rc = value_number(scores->u.members[i].value, file,
			    arena_printf(
				scratch, "score of '%s'", results[i].document),
			    &results[i].score, join->e);
	}
	if (rc == 0)
		rc = join_list(join, member->key, results, scores->nitems, true,
		    file, member->line);
	arena_free(scratch);
	return rc;
}

static int
read_map(struct join *join, struct document *document)
{
	const struct value *tree = document->tree;
	const char *file = document->text.file;
	size_t i;
	int rc = 0;

	if (tree->type != VALUE_MAP)
		return fail_at(join->e, file, tree->line,
		    "is %s; expected {question: {document: score}}",
		    value_type_name(tree));
	for (i = 0; rc == 0 && i < tree->nitems; i++) {
		const struct member *m = &tree->u.members[i];

		if (m->value->type == VALUE_MAP)
			rc = read_scores(join, m, file);
		else if (m->value->type == VALUE_LIST)
			rc = join_tree(join, m->key, m->value, file, m->line);
		else
			rc = fail_at(join->e, file, m->line,
			    "'%s' is %s; expected {document: score} or a "
			    "list of documents",
			    m->key, value_type_name(m->value));
	}
	return rc;
}

static bool
detect(const struct document *document)
{
	return document->tree && document->tree->type == VALUE_MAP;
}

const struct run_format run_map = {
    .name = "map",
    .syntax = SYNTAX_TREE,
    .detect = detect,
    .read = read_map,
    .summary = "{question: {document: score}}, {question: [document, ...]}",
};
