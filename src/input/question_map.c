/* Grades as {question: {document: grade}}, in JSON or YAML. */
#include <string.h>

#include "internal.h"

static int
read_grades(struct question_builder *builder, const char *file,
    const struct member *member)
{
	struct question question = {
	    .id = member->key, .place = (unsigned)member->line};
	const struct value *grades = member->value;
	struct expected *expected;
	int64_t grade;
	size_t i;

	if (grades->type != VALUE_MAP)
		return fail_at(builder->e, file, member->line,
		    "'%s' is %s; expected {document: grade}", member->key,
		    value_type_name(grades));
	expected =
	    arena_array(builder->arena, grades->nitems + 1, sizeof(*expected));
	for (i = 0; i < grades->nitems; i++) {
		const struct member *m = &grades->u.members[i];

		if (!*m->key)
			return fail_at(builder->e, file, m->line,
			    "a judged document has an empty id");
		if (value_integer(m->value, file,
			arena_printf(builder->arena, "grade of '%s'", m->key),
			-MAX_GRADE, MAX_GRADE, &grade, builder->e) < 0)
			return -1;
		expected[i] =
		    (struct expected){.document = m->key, .grade = (int)grade};
	}
	return question_add(builder, question, expected, grades->nitems, NULL);
}

static int
read_map(struct question_builder *builder, struct document *document)
{
	const struct value *tree = document->tree;
	size_t before = builder->e->nitems, i;

	if (tree->type != VALUE_MAP)
		return fail_at(builder->e, document->text.file, tree->line,
		    "is %s; expected {question: {document: grade}}",
		    value_type_name(tree));
	for (i = 0; i < tree->nitems; i++)
		read_grades(builder, document->text.file, &tree->u.members[i]);
	return builder->e->nitems > before ? -1 : 0;
}

static const char *const id_names[] = {"id", "query_id"};

/* A question may be called "questions"; its value is no list then. */
static bool
detect(const struct document *document)
{
	const struct value *tree = document->tree, *inner;

	if (!tree || tree->type != VALUE_MAP || !tree->nitems ||
	    tree_is_one(tree, id_names, COUNT(id_names)))
		return false;
	inner = value_get(tree, "questions");
	return tree->u.members[0].value->type == VALUE_MAP &&
	    (!inner || inner->type == VALUE_MAP);
}

const struct question_format question_map = {
    .name = "map",
    .syntax = SYNTAX_TREE,
    .detect = detect,
    .read = read_map,
    .summary = "{question: {document: grade}}",
};
