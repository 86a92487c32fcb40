/*
 * Names of today, and of older records.  What was renamed again is followed:
 * a config has to know every name since the last good record.
 */
#include <string.h>

#include "internal.h"

/* ----------------------------------------------------------- questions -- */

/* rules_bind() has followed each `to` to the name of today. */
const char *
question_today(const struct rules *rules, const char *question)
{
	size_t i;

	for (i = 0; i < rules->nrenamed; i++)
		if (strcmp(rules->renamed[i].question, question) == 0)
			return rules->renamed[i].to;
	return question;
}

bool
question_in_record(const struct rules *rules, const struct qset *qset,
    const char *id, size_t *index)
{
	const struct amendment *one;
	size_t i;

	if (map_get(&qset->by_id, id, strlen(id), index))
		return true;
	for (i = 0; i < rules->nrenamed; i++) {
		one = &rules->renamed[i];
		if (strcmp(one->to, id) == 0 &&
		    map_get(&qset->by_id, one->question, strlen(one->question),
			index))
			return true;
	}
	return false;
}

/* ----------------------------------------------------------- documents -- */

/* A name that a document had, until a line of the renames, from 1. */
struct past_name {
	const char *name;
	size_t line;
};

/* All of them, the newest first. */
struct past_names {
	struct past_name *items;
	size_t n, cap;
	size_t next; /* of them, while a question goes back in time */
};

/* Where a name was last given to the document; line 0: nowhere. */
struct trail {
	const char *name;
	size_t line;
};

/*
 * The last line up to `limit` that gave a name, 0 for none.  One before the
 * line that gave the name up is of another document.
 */
static size_t
line_before(
    const struct renamed_documents *list, const char *name, size_t limit)
{
	size_t line = renamed_last(list, name), given_up;

	while (line > limit)
		line = list->items[line - 1].earlier;
	if (map_get(&list->by_old, name, strlen(name), &given_up) &&
	    given_up <= limit && given_up > line)
		return 0;
	return line;
}

/* Several documents may have become one, so that a name has several trails. */
static struct past_names
past_names(struct arena *arena, const struct renamed_documents *list,
    const char *document)
{
	struct past_names past = {.items = NULL};
	struct trail *trails = NULL, *newest;
	size_t n = 0, cap = 0, i;
	const struct renamed_document *r;
	struct trail one = {document, line_before(list, document, list->n)};

	for (;;) {
		trails = arena_grow(arena, trails, n, &cap, sizeof(*trails));
		trails[n++] = one;
		newest = trails;
		for (i = 1; i < n; i++)
			if (trails[i].line > newest->line)
				newest = &trails[i];
		if (!newest->line)
			return past;
		r = &list->items[newest->line - 1];
		past.items = arena_grow(
		    arena, past.items, past.n, &past.cap, sizeof(*past.items));
		past.items[past.n++] =
		    (struct past_name){r->from, newest->line};
		one = (struct trail){
		    r->from, line_before(list, r->from, newest->line - 1)};
		newest->line =
		    line_before(list, newest->name, newest->line - 1);
	}
}

/* Its name before all the renames, taken as made at once. */
static const char *
document_before(const struct renamed_documents *list, const char *document)
{
	size_t line = renamed_last(list, document);

	return line ? list->items[line - 1].from : document;
}

bool
document_was(struct arena *arena, const struct rules *rules,
    const char *document, const char *then)
{
	const struct renamed_documents *list = &rules->renamed_documents;
	struct past_names past;
	size_t i;

	if (strcmp(document, then) == 0)
		return true;
	if (!list->n)
		return false;
	if (strcmp(document_before(list, document), then) == 0)
		return true;
	past = past_names(arena, list, document);
	for (i = 0; i < past.n; i++)
		if (strcmp(past.items[i].name, then) == 0)
			return true;
	return false;
}

/* ------------------------------------------- questions by older names -- */

static struct question
with_names(struct arena *arena, const struct question *question,
    const char *const *names)
{
	const struct judgment *judgments = question_judgments(question);
	struct question former = *question;
	const struct pages *pages;
	struct expected *expected =
	    arena_array(arena, question->njudgments + 1, sizeof(*expected));
	size_t i;

	for (i = 0; i < question->njudgments; i++) {
		expected[i].document = names[i];
		expected[i].grade = judgments[i].grade;
		pages = judgment_pages(question, &judgments[i]);
		if (pages)
			expected[i].pages = *pages;
	}
	question_pack(arena, &former, expected, question->njudgments,
	    question_more(question));
	return former;
}

static bool
has_digest(
    struct arena *arena, const struct question *question, const char *digest)
{
	struct question one = *question;
	struct questions set = {.items = &one, .nitems = 1};
	struct qset qset;

	qset_make(arena, &set, &qset);
	return strcmp(qset.digests[0], digest) == 0;
}

/* Takes back the newest line left; false when none concerns the question. */
static bool
take_back(struct past_names *past, size_t n, const char **names)
{
	const struct past_name *name;
	size_t newest = 0, i;

	for (i = 0; i < n; i++)
		if (past[i].next < past[i].n &&
		    past[i].items[past[i].next].line > newest)
			newest = past[i].items[past[i].next].line;
	for (i = 0; newest && i < n; i++) {
		name = &past[i].items[past[i].next];
		if (past[i].next == past[i].n || name->line != newest)
			continue;
		names[i] = name->name;
		past[i].next++;
	}
	return newest > 0;
}

bool
question_as_then(struct arena *arena, const struct rules *rules,
    const struct question *question, const char *digest,
    struct question *former, const char ***names)
{
	const struct renamed_documents *list = &rules->renamed_documents;
	const struct judgment *judgments = question_judgments(question);
	size_t n = question->njudgments, i;
	struct past_names *past;

	if (!list->n)
		return false;
	*names = arena_array(arena, n + 1, sizeof(**names));
	for (i = 0; i < n; i++)
		(*names)[i] = document_before(
		    list, judgment_document(question, &judgments[i]));
	*former = with_names(arena, question, *names);
	if (has_digest(arena, former, digest))
		return true;
	past = arena_array(arena, n + 1, sizeof(*past));
	for (i = 0; i < n; i++) {
		(*names)[i] = judgment_document(question, &judgments[i]);
		past[i] = past_names(arena, list, (*names)[i]);
	}
	while (take_back(past, n, *names)) {
		*former = with_names(arena, question, *names);
		if (has_digest(arena, former, digest))
			return true;
	}
	return false;
}
