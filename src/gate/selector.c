/* Selections of questions by the values of their fields. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static int
compare_pairs(const void *a, const void *b)
{
	const struct field *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/*
 * where: {category: hole_problems, difficulty: hard}.  In the order of names,
 * so that a selection has one name, whoever wrote it how.
 */
int
rules_where(
    const struct rules_reader *r, const struct value *v, struct selector *where)
{
	struct field *pairs;
	size_t i;

	if (v->type != VALUE_MAP || !v->nitems)
		return fail_at(r->e, r->file, v->line,
		    "where is %s; expected a map, such as {category: faq}",
		    v->type == VALUE_MAP ? "empty" : value_type_name(v));
	pairs = arena_array(r->arena, v->nitems, sizeof(*pairs));
	for (i = 0; i < v->nitems; i++) {
		pairs[i].name = v->u.members[i].key;
		if (value_text(v->u.members[i].value, r->file, pairs[i].name,
			&pairs[i].value, r->e) < 0)
			return -1;
	}
	sort(pairs, v->nitems, sizeof(*pairs), compare_pairs);
	*where = (struct selector){pairs, v->nitems, v->line};
	return 0;
}

/* The name says the selection: "category=hole_problems,difficulty=hard". */
const char *
selector_name(struct arena *arena, const struct selector *where)
{
	const char *name = NULL;
	size_t i;

	for (i = 0; i < where->npairs; i++)
		name = arena_printf(arena, "%s%s%s=%s", name ? name : "",
		    name ? "," : "", where->pairs[i].name,
		    where->pairs[i].value);
	return name;
}

void
selector_print(struct buf *out, const struct selector *where)
{
	const struct field *pair;
	size_t i;

	buf_puts(out, "{");
	for (i = 0; i < where->npairs; i++) {
		pair = &where->pairs[i];
		buf_puts(out, i ? ", \"" : "\"");
		json_escape(out, pair->name);
		buf_puts(out, "\": \"");
		json_escape(out, pair->value);
		buf_puts(out, "\"");
	}
	buf_puts(out, "}");
}

bool
slice_same(const char *one, const char *two)
{
	return !one == !two && (!one || strcmp(one, two) == 0);
}

bool
selector_selects(const struct selector *where, const struct question *question)
{
	size_t i;

	for (i = 0; i < where->npairs; i++)
		if (!question_has(
			question, where->pairs[i].name, where->pairs[i].value))
			return false;
	return true;
}

bool
selector_same(const struct selector *one, const struct selector *two)
{
	size_t i;

	for (i = 0; i < one->npairs && i < two->npairs; i++)
		if (strcmp(one->pairs[i].name, two->pairs[i].name) != 0 ||
		    strcmp(one->pairs[i].value, two->pairs[i].value) != 0)
			return false;
	return one->npairs == two->npairs;
}

static const char **
holdout_values(struct arena *arena)
{
	const char **values = arena_array(arena, 2, sizeof(*values));

	values[0] = "false";
	values[1] = "true";
	return values;
}

/* Every value that a field has, in bytewise order. */
size_t
field_values(struct arena *arena, const struct questions *questions,
    const char *field, const char ***values)
{
	const char **list = NULL;
	struct map seen;
	const struct field *fields;
	size_t n = 0, cap = 0, nfields, i, j, index;

	if (strcmp(field, "holdout") == 0) {
		*values = holdout_values(arena);
		return 2;
	}
	map_init(&seen, arena);
	for (i = 0; i < questions->nitems; i++) {
		nfields = question_fields(&questions->items[i], &fields);
		for (j = 0; j < nfields; j++) {
			index = n;
			if (strcmp(fields[j].name, field) != 0 ||
			    !map_add(&seen, fields[j].value,
				strlen(fields[j].value), &index))
				continue;
			list = arena_grow(arena, list, n, &cap, sizeof(*list));
			list[n++] = fields[j].value;
		}
	}
	if (n)
		qsort(list, n, sizeof(*list), compare_text);
	*values = list;
	return n;
}

/* A value near the one that was meant. */
void
selector_no_question(const struct selector *where, const char *file,
    const struct questions *questions, struct error *e)
{
	const struct field *pair = &where->pairs[0];
	const char **values = NULL, *near = NULL, *known = "";
	size_t n = 0, i, nright = 0;

	for (i = 0; i < where->npairs && !near; i++) {
		pair = &where->pairs[i];
		n = field_values(e->arena, questions, pair->name, &values);
		near = suggest(pair->value, values, n);
		if (!near || strcmp(near, pair->value) != 0)
			continue;
		near = NULL;
		nright++;
	}
	if (nright == where->npairs) {
		fail_at(e, file, where->line,
		    "no answerable question has %s; %s",
		    selector_name(e->arena, where),
		    nright > 1
			? "some have one of these, but none has all"
			: "those that have it can't be answered, or are held "
			  "out and chosen by no selection");
		return;
	}
	for (i = 0; i < n && i < 12; i++)
		known = arena_printf(
		    e->arena, "%s%s%s", known, i ? ", " : "", values[i]);
	fail_at(e, file, where->line,
	    "no answerable question has %s; %s%s%s%s%s",
	    selector_name(e->arena, where), near ? "did you mean '" : "",
	    near ? near : "", near ? "'? " : "",
	    n ? arena_printf(e->arena, "values of '%s' are ", pair->name)
	      : arena_printf(e->arena, "there is no field '%s'", pair->name),
	    known);
}
