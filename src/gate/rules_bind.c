/* The rules against the questions that they are about. */
#include <string.h>

#include "internal.h"

/* The question ids as a list of words, for suggestions. */
static const char *
nearest_question(
    struct arena *arena, const struct questions *questions, const char *id)
{
	const char **ids =
	    arena_array(arena, questions->nitems + 1, sizeof(*ids));
	size_t i;

	for (i = 0; i < questions->nitems; i++)
		ids[i] = questions->items[i].id;
	return suggest(id, ids, questions->nitems);
}

static void
check_document(const struct rules *rules, const struct tracked *tracked,
    const struct question *question, const char *file, unsigned line,
    struct error *e)
{
	const struct judgment *judgment =
	    question_judgment(question, tracked->document);

	if (judgment && judgment->grade >= 1)
		return;
	fail_at(e, rules->file, tracked->line,
	    "tracked document '%s' is not among the expected documents of "
	    "question '%s' (%s:%u)",
	    tracked->document, question->id, file, line);
}

/* The entry that renames a question further, NULL where none does. */
static const struct amendment *
renamed_again(const struct rules *rules, const char *question)
{
	size_t i;

	for (i = 0; i < rules->nrenamed; i++)
		if (strcmp(rules->renamed[i].question, question) == 0)
			return &rules->renamed[i];
	return NULL;
}

/* An id is given up once, and its last name is asked today. */
static void
check_renamed(const struct rules *rules, const struct questions *questions,
    struct error *e)
{
	const struct amendment *one, *first;
	size_t i;

	for (i = 0; i < rules->nrenamed; i++) {
		one = &rules->renamed[i];
		first = renamed_again(rules, one->question);
		if (first && first != one)
			fail_at(e, rules->file, one->line,
			    "'%s' is renamed twice; first on line %zu",
			    one->question, first->line);
		if (questions_find(questions, one->question))
			fail_at(e, rules->file, one->line,
			    "renamed from '%s', which is still among the "
			    "questions",
			    one->question);
		else if (!questions_find(questions, one->to) &&
		    !renamed_again(rules, one->to))
			fail_at(e, rules->file, one->line,
			    "renamed to '%s', which is not among the "
			    "questions",
			    one->to);
	}
}

/*
 * A question that was renamed again goes by its last name: each `to` becomes
 * that.
 */
static void
follow_renamed(struct arena *arena, struct rules *rules,
    const struct questions *questions, struct error *e)
{
	struct amendment *list =
	    arena_array(arena, rules->nrenamed + 1, sizeof(*list));
	const struct amendment *next;
	size_t i, steps;

	for (i = 0; i < rules->nrenamed; i++) {
		list[i] = rules->renamed[i];
		for (steps = 0; !questions_find(questions, list[i].to) &&
		     (next = renamed_again(rules, list[i].to));
		     steps++) {
			if (steps == rules->nrenamed) {
				fail_at(e, rules->file, list[i].line,
				    "'%s' is renamed in a circle, and none of "
				    "its names is among the questions",
				    list[i].question);
				break;
			}
			list[i].to = next->to;
		}
	}
	rules->renamed = list;
}

static void
check_amendments(struct arena *arena, struct rules *rules,
    const struct questions *questions, struct error *e)
{
	size_t i;

	check_renamed(rules, questions, e);
	follow_renamed(arena, rules, questions, e);
	for (i = 0; i < rules->nretired; i++)
		if (questions_find(questions, rules->retired[i].question))
			fail_at(e, rules->file, rules->retired[i].line,
			    "retired question '%s' is still among the "
			    "questions",
			    rules->retired[i].question);
	for (i = 0; i < rules->nredefined; i++)
		if (!questions_find(questions, rules->redefined[i].question))
			fail_at(e, rules->file, rules->redefined[i].line,
			    "redefined question '%s' is not among the "
			    "questions",
			    rules->redefined[i].question);
}

static void
unknown_question(const struct rules *rules, const char *what, const char *id,
    size_t line, const struct questions *questions, struct error *e)
{
	const char *near = nearest_question(e->arena, questions, id);

	fail_at(e, rules->file, line,
	    "%s question '%s' is not among the questions%s%s%s", what, id,
	    near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static void
check_tracked(const struct rules *rules, const struct tracked *tracked,
    const struct questions *questions, struct error *e)
{
	const struct question *question =
	    questions_find(questions, tracked->question);
	const char *file;
	unsigned line;

	if (!question) {
		unknown_question(rules, "tracked", tracked->question,
		    tracked->line, questions, e);
		return;
	}
	file = questions_place(questions, question, &line);
	if (question->unanswerable)
		fail_at(e, rules->file, tracked->line,
		    "tracked question '%s' (%s:%u) has no expected "
		    "document; its rank can't be told",
		    question->id, file, line);
	else if (tracked->document)
		check_document(rules, tracked, question, file, line, e);
}

/* ---------------------------------------------------------------- bind -- */

struct binder {
	struct rules *rules;
	struct tracked *tracked;
	size_t cap;
};

static void
bind(struct arena *arena, struct binder *b, struct tracked one)
{
	size_t i = b->rules->ntracked;

	map_add(&b->rules->tracked_by, one.question, strlen(one.question), &i);
	b->tracked = arena_grow(
	    arena, b->tracked, b->rules->ntracked, &b->cap, sizeof(one));
	b->tracked[b->rules->ntracked++] = one;
	b->rules->tracked = b->tracked;
}

/* The smaller of two limits, of which 0 is none. */
static int64_t
stricter(int64_t one, int64_t two)
{
	return !one || (two && two < one) ? two : one;
}

/* One question that a selection takes in. */
static void
bind_selected(struct arena *arena, struct binder *b,
    const struct tracked *entry, const char *question)
{
	struct tracked one = *entry, *other;
	size_t i;

	if (!b->tracked ||
	    !map_get(&b->rules->tracked_by, question, strlen(question), &i)) {
		one.question = question;
		bind(arena, b, one);
		return;
	}
	other = &b->tracked[i];
	/* An entry of its own says it all. */
	if (!other->where.npairs)
		return;
	if (entry->max_loss < other->max_loss)
		other->max_loss = entry->max_loss;
	other->max_rank = stricter(other->max_rank, entry->max_rank);
	other->goal = stricter(other->goal, entry->goal);
}

/* Holdout questions are never listed, so no selection tracks them. */
static void
bind_where(struct arena *arena, struct binder *b, const struct tracked *entry,
    const struct questions *questions, struct error *e)
{
	const struct question *q;
	size_t i, n = 0;

	for (i = 0; i < questions->nitems; i++) {
		q = &questions->items[i];
		if (q->unanswerable || q->holdout ||
		    !selector_selects(&entry->where, q))
			continue;
		bind_selected(arena, b, entry, q->id);
		n++;
	}
	if (!n)
		selector_no_question(
		    &entry->where, b->rules->file, questions, e);
}

static void
check_waivers(const struct rules *rules, const struct questions *questions,
    struct error *e)
{
	size_t i;

	for (i = 0; i < rules->nwaivers; i++)
		if (rules->waivers[i].question &&
		    !questions_find(questions, rules->waivers[i].question))
			unknown_question(rules, "waived",
			    rules->waivers[i].question, rules->waivers[i].line,
			    questions, e);
}

int
rules_bind(struct arena *arena, struct rules *rules,
    const struct questions *questions, struct error *e)
{
	struct binder b = {.rules = rules};
	size_t before = e->nitems, i;

	for (i = 0; i < rules->nentries; i++) {
		if (!rules->entries[i].question)
			continue;
		check_tracked(rules, &rules->entries[i], questions, e);
		bind(arena, &b, rules->entries[i]);
	}
	for (i = 0; i < rules->nentries; i++)
		if (!rules->entries[i].question)
			bind_where(arena, &b, &rules->entries[i], questions, e);
	check_waivers(rules, questions, e);
	check_amendments(arena, rules, questions, e);
	return e->nitems > before ? -1 : 0;
}

const struct tracked *
rules_tracked(const struct rules *rules, const char *question)
{
	size_t i;

	return map_get(&rules->tracked_by, question, strlen(question), &i)
	    ? &rules->tracked[i]
	    : NULL;
}
