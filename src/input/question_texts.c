/*
 * BEIR's queries.jsonl: the texts of questions that another file judges.
 * Texts of questions that nobody judges are left alone: BEIR's file has those
 * of all its splits.
 */
#include "internal.h"

static int
read_one(struct question_builder *builder, const char *file,
    const struct value *item)
{
	const struct value *id, *text;
	const char *name, *words;

	id = value_get(item, "_id");
	text = value_get(item, "text");
	if (!id || !text)
		return fail_at(builder->e, file, item->line,
		    "a query has no '%s'", id ? "text" : "_id");
	if (value_text(id, file, "_id", &name, builder->e) < 0 ||
	    value_text(text, file, "text", &words, builder->e) < 0)
		return -1;
	return question_add_text(builder, name, words, file, item->line);
}

static int
read_texts(struct question_builder *builder, struct document *document)
{
	const struct value *tree = document->tree;
	size_t i;

	if (tree->type == VALUE_MAP)
		return read_one(builder, document->text.file, tree);
	if (tree->type != VALUE_LIST)
		return fail_at(builder->e, document->text.file, tree->line,
		    "is %s; expected {\"_id\", \"text\"}, one a line",
		    value_type_name(tree));
	for (i = 0; i < tree->nitems; i++)
		if (read_one(builder, document->text.file, tree->u.items[i]) <
		    0)
			return -1;
	return 0;
}

static bool
detect(const struct document *document)
{
	const struct value *tree = document->tree, *first = tree;

	if (tree && tree->type == VALUE_LIST)
		first = tree_first(tree, NULL, 0);
	return first && value_get(first, "_id") && value_get(first, "text");
}

const struct question_format question_texts = {
    .name = "texts",
    .syntax = SYNTAX_TREE,
    .detect = detect,
    .read = read_texts,
    .summary = "BEIR queries.jsonl: _id, text; beside a qrels file",
};
