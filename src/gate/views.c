/* The parts of the question set over which means are taken. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct maker {
	struct arena *arena;
	const struct rules *rules;
	const struct questions *questions;
	struct view *items;
	size_t nitems, cap;
	struct error *e;
};

/* The name says the selection: "category=hole_problems,difficulty=hard". */
static const char *
name_of(struct arena *arena, const struct selector *where)
{
	const char *name = NULL;
	size_t i;

	for (i = 0; i < where->npairs; i++)
		name = arena_printf(arena, "%s%s%s=%s", name ? name : "",
		    name ? "," : "", where->pairs[i].name,
		    where->pairs[i].value);
	return name;
}

static bool
selected(const struct selector *where, const struct question *question)
{
	size_t i;

	for (i = 0; i < where->npairs; i++)
		if (!question_has(
			question, where->pairs[i].name, where->pairs[i].value))
			return false;
	return true;
}

/* The view of a selection; made once, whoever asks. */
static size_t
view_of(struct maker *m, const struct selector *where)
{
	const char *name = name_of(m->arena, where);
	struct view *view;
	bool *members;
	size_t i;

	for (i = 0; i < m->nitems; i++)
		if (name ? m->items[i].name &&
			    strcmp(m->items[i].name, name) == 0
			 : !m->items[i].name)
			return i;
	members =
	    arena_array(m->arena, m->questions->nitems + 1, sizeof(*members));
	m->items = arena_grow(
	    m->arena, m->items, m->nitems, &m->cap, sizeof(*m->items));
	view = &m->items[m->nitems++];
	*view = (struct view){.name = name, .members = members};
	for (i = 0; i < m->questions->nitems; i++) {
		members[i] = question_counts(&m->questions->items[i]) &&
		    selected(where, &m->questions->items[i]);
		view->n += members[i];
	}
	return m->nitems - 1;
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
static size_t
values_of(const struct maker *m, const char *field, const char ***values)
{
	const char **list = NULL;
	struct map seen;
	const struct field *fields;
	size_t n = 0, cap = 0, nfields, i, j, index;

	if (strcmp(field, "holdout") == 0) {
		*values = holdout_values(m->arena);
		return 2;
	}
	map_init(&seen, m->arena);
	for (i = 0; i < m->questions->nitems; i++) {
		nfields = question_fields(&m->questions->items[i], &fields);
		for (j = 0; j < nfields; j++) {
			index = n;
			if (strcmp(fields[j].name, field) != 0 ||
			    !map_add(&seen, fields[j].value,
				strlen(fields[j].value), &index))
				continue;
			list =
			    arena_grow(m->arena, list, n, &cap, sizeof(*list));
			list[n++] = fields[j].value;
		}
	}
	if (n)
		qsort(list, n, sizeof(*list), compare_text);
	*values = list;
	return n;
}

static void
add_field(struct maker *m, const char *field)
{
	struct field *pair;
	const char **values;
	size_t n = values_of(m, field, &values), i, view;

	if (n == 0)
		fail_at(m->e, m->rules->file, 0,
		    "no question has the field '%s' that `slices` names",
		    field);
	for (i = 0; i < n; i++) {
		pair = arena_alloc(m->arena, sizeof(*pair));
		*pair = (struct field){field, values[i]};
		view = view_of(m, &(struct selector){pair, 1, 0});
		/* Of unanswerable questions alone, or of none asked. */
		if (m->items[view].n == 0)
			m->nitems = view;
	}
}

/* A value near the one that was meant. */
static void
no_question(const struct maker *m, const struct selector *where)
{
	const struct field *pair = &where->pairs[0];
	const char **values = NULL, *near = NULL, *known = "";
	size_t n = 0, i;

	for (i = 0; i < where->npairs && !near; i++) {
		pair = &where->pairs[i];
		n = values_of(m, pair->name, &values);
		near = suggest(pair->value, values, n);
	}
	for (i = 0; i < n && i < 12; i++)
		known = arena_printf(
		    m->arena, "%s%s%s", known, i ? ", " : "", values[i]);
	fail_at(m->e, m->rules->file, where->line,
	    "no answerable question has %s; %s%s%s%s%s",
	    name_of(m->arena, where), near ? "did you mean '" : "",
	    near ? near : "", near ? "'? " : "",
	    n ? arena_printf(m->arena, "values of '%s' are ", pair->name)
	      : arena_printf(m->arena, "there is no field '%s'", pair->name),
	    known);
}

static bool
any_holdout(const struct questions *questions)
{
	size_t i;

	for (i = 0; i < questions->nitems; i++)
		if (questions->items[i].holdout &&
		    question_counts(&questions->items[i]))
			return true;
	return false;
}

/* Holdout questions and the rest, so that the gap between them is seen. */
static void
add_holdout(struct maker *m)
{
	if (any_holdout(m->questions))
		add_field(m, "holdout");
}

int
views_make(struct arena *arena, const struct rules *rules,
    const struct questions *questions, struct views *views, struct error *e)
{
	struct maker m = {
	    .arena = arena, .rules = rules, .questions = questions, .e = e};
	size_t before = e->nitems, i, *of_threshold;

	of_threshold =
	    arena_array(arena, rules->nthresholds + 1, sizeof(size_t));
	view_of(&m, &(struct selector){NULL, 0, 0});
	for (i = 0; i < rules->nslices; i++)
		add_field(&m, rules->slices[i]);
	add_holdout(&m);
	for (i = 0; i < rules->nthresholds; i++) {
		const struct threshold *t = &rules->thresholds[i];

		of_threshold[i] = view_of(&m, &t->where);
		if (t->where.npairs && m.items[of_threshold[i]].n == 0 &&
		    questions->nasked == questions->nitems)
			no_question(&m, &t->where);
	}
	*views = (struct views){m.items, m.nitems, of_threshold};
	return e->nitems > before ? -1 : 0;
}
