/* Files that are trees: JSON, one JSON object a line, YAML. */
#include <string.h>

#include "internal.h"

/* A list in YAML's flow style begins as JSON does; there the name decides. */
static bool
named_yaml(const char *file)
{
	static const char *const ends[] = {
	    ".yaml", ".yml", ".yaml.gz", ".yml.gz"};
	size_t len = strlen(file), n, i;

	for (i = 0; i < COUNT(ends); i++) {
		n = strlen(ends[i]);
		if (len > n && strcmp(file + len - n, ends[i]) == 0)
			return true;
	}
	return false;
}

bool
tree_is_json(const struct text *text)
{
	char first = text_first(text);

	return (first == '{' || first == '[') && !named_yaml(text->file);
}

static bool
scalar(const struct value *v)
{
	return v->type != VALUE_LIST && v->type != VALUE_MAP;
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

bool
tree_next_line(const struct text *text, size_t *next, struct source *source)
{
	const char *end;

	while (*next < text->len) {
		source->data = text->data + *next;
		end = memchr(source->data, '\n', text->len - *next);
		source->len =
		    end ? (size_t)(end - source->data) : text->len - *next;
		*next += source->len + 1;
		source->line++;
		if (!blank(source->data, source->len))
			return true;
	}
	return false;
}

/*
 * Whether an object is a record, not a map of questions: of those, too, one
 * could stand on a line, and what follows it is a fault.
 */
static bool
is_record(const struct value *v)
{
	static const char *const ids[] = {"id", "query_id", "_id"};
	size_t i;

	if (v->type != VALUE_MAP)
		return false;
	for (i = 0; i < v->nitems; i++)
		if (scalar(v->u.members[i].value))
			return true;
	return tree_one_of(v, ids, COUNT(ids)) != NULL;
}

bool
tree_is_lines(const struct text *text)
{
	struct arena *scratch = arena_new();
	struct error ignored = {.arena = scratch};
	struct source source = {.name = text->file}, rest = {.name = NULL};
	const struct value *v = NULL;
	size_t next = 0;
	bool more = false;

	if (tree_next_line(text, &next, &source)) {
		v = json_read(scratch, &source, &ignored);
		more = tree_next_line(text, &next, &rest);
	}
	more &= v && is_record(v);
	arena_free(scratch);
	return more;
}

static const struct value *
read_lines(struct arena *arena, const struct text *text, struct error *e)
{
	struct source source = {.name = text->file};
	const struct value **items = NULL;
	size_t n = 0, cap = 0, next = 0;
	struct value *list = arena_alloc(arena, sizeof(*list));

	while (tree_next_line(text, &next, &source)) {
		items = arena_grow(arena, items, n, &cap, sizeof(*items));
		items[n] = json_read(arena, &source, e);
		if (!items[n++])
			return NULL;
	}
	*list = (struct value){
	    .type = VALUE_LIST, .line = 1, .text = "", .nitems = n};
	list->u.items = items;
	return list;
}

const struct value *
tree_read_json(struct arena *arena, const struct text *text, struct error *e)
{
	struct source source = {text->file, 1, text->data, text->len};

	if (tree_is_lines(text))
		return read_lines(arena, text, e);
	return json_read(arena, &source, e);
}

const struct value *
tree_read_yaml(struct arena *arena, const struct text *text, struct error *e)
{
	struct source source = {text->file, 1, text->data, text->len};

	return yaml_read(arena, &source, e);
}

const struct value *
tree_one_of(const struct value *map, const char *const *names, size_t n)
{
	const struct value *found = NULL;
	size_t i;

	for (i = 0; i < n && !found; i++)
		found = value_get(map, names[i]);
	return found;
}

int
tree_only_one(const struct value *map, const char *const *names, size_t n,
    const char *file, const struct value **found, struct error *e)
{
	const char *name = NULL;
	size_t i;

	*found = NULL;
	for (i = 0; i < n; i++) {
		const struct value *v = value_get(map, names[i]);

		if (!v)
			continue;
		if (!*found || (*found)->type == VALUE_NULL) {
			*found = v;
			name = names[i];
		} else if (v->type != VALUE_NULL &&
		    (!scalar(v) || !scalar(*found) ||
			strcmp(v->text, (*found)->text) != 0)) {
			return fail_at(e, file, v->line,
			    "has both '%s' and '%s', which say different "
			    "things; keep one",
			    name, names[i]);
		}
	}
	return 0;
}

const struct value *
tree_first(const struct value *tree, const char *const *names, size_t n)
{
	const struct value *list = tree;

	if (tree && tree->type == VALUE_MAP)
		list = tree_one_of(tree, names, n);
	if (!list || list->type != VALUE_LIST || !list->nitems)
		return NULL;
	return list->u.items[0];
}

bool
tree_says_error(const struct value *record)
{
	const struct value *v = value_get(record, "error");

	if (!v || v->type == VALUE_NULL)
		return false;
	switch (v->type) {
	case VALUE_STRING:
		return *v->text != '\0';
	case VALUE_BOOL:
		return strcmp(v->text, "true") == 0;
	default:
		return true;
	}
}

bool
tree_is_one(const struct value *tree, const char *const *id_names, size_t n)
{
	const struct value *id = tree_one_of(tree, id_names, n);

	return id && id->type != VALUE_MAP && id->type != VALUE_LIST;
}
