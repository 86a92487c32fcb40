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

bool
view_has(const struct view *view, const struct questions *questions, size_t i)
{
	return view->members ? view->members[i]
			     : question_counts(&questions->items[i]);
}

/* The view of a selection; made once, whoever asks. */
static size_t
view_of(struct maker *m, const struct selector *where)
{
	const char *name = selector_name(m->arena, where);
	struct view *view;
	bool *members = NULL;
	size_t i;

	for (i = 0; i < m->nitems; i++)
		if (name ? m->items[i].name &&
			    strcmp(m->items[i].name, name) == 0
			 : !m->items[i].name)
			return i;
	if (name)
		members = arena_array(
		    m->arena, m->questions->nitems + 1, sizeof(*members));
	m->items = arena_grow(
	    m->arena, m->items, m->nitems, &m->cap, sizeof(*m->items));
	view = &m->items[m->nitems++];
	*view = (struct view){.name = name, .members = members};
	for (i = 0; i < m->questions->nitems; i++) {
		if (members)
			members[i] = question_counts(&m->questions->items[i]) &&
			    selector_selects(where, &m->questions->items[i]);
		view->n += view_has(view, m->questions, i);
	}
	return m->nitems - 1;
}

static void
add_field(struct maker *m, const char *field, size_t line)
{
	struct field *pair;
	const char **values;
	size_t n = field_values(m->arena, m->questions, field, &values), i,
	       view;

	if (n == 0)
		fail_at(m->e, m->rules->file, line,
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
		add_field(m, "holdout", 0);
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
		add_field(
		    &m, rules->slices[i], rules->slices_list->u.items[i]->line);
	add_holdout(&m);
	for (i = 0; i < rules->nthresholds; i++) {
		const struct threshold *t = &rules->thresholds[i];

		of_threshold[i] = view_of(&m, &t->where);
		if (t->where.npairs && m.items[of_threshold[i]].n == 0 &&
		    questions->nasked == questions->nitems)
			selector_no_question(
			    &t->where, rules->file, questions, e);
	}
	*views = (struct views){m.items, m.nitems, of_threshold};
	return e->nitems > before ? -1 : 0;
}
