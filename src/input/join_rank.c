/*
 * The join of what is no list: a rank alone, an error, or a question that was
 * not evaluated.
 */
#include <string.h>

#include "internal.h"

/* A text that two questions have names neither; the first one's place. */
static void
mark_shared(struct join *join, size_t again, size_t first)
{
	if (!join->shared_text)
		join->shared_text = arena_array(join->arena,
		    join->questions->nitems, sizeof(*join->shared_text));
	join->shared_text[first] = again;
}

/* Once, and only for runs that name questions by what they ask. */
static void
map_texts(struct join *join)
{
	const struct question *question;
	const char *text;
	size_t i, index;

	if (join->texts)
		return;
	join->texts = true;
	map_init(&join->by_text, join->arena);
	for (i = 0; i < join->questions->nitems; i++) {
		question = &join->questions->items[i];
		index = i;
		text = question_text(question);
		if (text &&
		    !map_add(&join->by_text, text, strlen(text), &index))
			mark_shared(join, i, index);
	}
}

/* The question that a rank belongs to: by id, else by its text. */
static const struct question *
named(struct join *join, const char *name)
{
	const struct question *question, *found = NULL;
	size_t i;

	question = questions_find(join->questions, name);
	if (question)
		return question;
	map_texts(join);
	if (map_get(&join->by_text, name, strlen(name), &i))
		found = &join->questions->items[i];
	return found;
}

/* Whether two lists of ids, one with ';' between them, are the same set. */
static bool
same_documents(struct arena *arena, const struct question *question,
    int relevance, const char *expected)
{
	const struct judgment *judgments = question_judgments(question);
	struct expected *wanted;
	size_t n = expected_split(arena, expected, &wanted), i, j, found = 0;

	for (i = 0; i < question->njudgments; i++) {
		if (judgments[i].grade < relevance)
			continue;
		for (j = 0; j < n; j++)
			if (strcmp(wanted[j].document,
				judgment_document(question, &judgments[i])) ==
			    0)
				break;
		if (j == n)
			return false;
		found++;
	}
	return found == n;
}

/* Whether a question was found by a text that another one has, too. */
static bool
shared_with(const struct join *join, const struct question *question,
    const char *name, const char **other)
{
	size_t i = (size_t)(question - join->questions->items);

	if (!join->shared_text || !join->shared_text[i] ||
	    strcmp(question->id, name) == 0)
		return false;
	*other = join->questions->items[join->shared_text[i]].id;
	return true;
}

static int
refuse_expected(struct join *join, const struct question *question,
    const char *expected, const char *file, size_t line)
{
	unsigned asked;
	const char *where = questions_place(join->questions, question, &asked);

	return fail_at(join->e, file, line,
	    "the rank is that of '%s', but question '%s' (%s:%u) expects "
	    "other documents at relevance %d; correct one of them, or set "
	    "`relevance`",
	    expected, question->id, where, asked, join->options->relevance);
}

int
join_rank(struct join *join, const char *name, unsigned rank,
    const char *expected, const char *file, size_t line)
{
	const struct question *question = named(join, name);
	struct answer *answer;
	const char *other;

	if (question && shared_with(join, question, name, &other))
		return fail_at(join->e, file, line,
		    "'%s' is the text of questions '%s' and '%s'; name them "
		    "by their ids",
		    name, question->id, other);
	if (join_see(join, question, name, file, line) < 0)
		return -1;
	join->run->rank_only = true;
	if (!question) {
		join->run->nunknown++;
		return 0;
	}
	/* The rank is of what the run expected: is that what we expect? */
	if (expected && !question->unanswerable &&
	    !same_documents(
		join->arena, question, join->options->relevance, expected))
		return refuse_expected(join, question, expected, file, line);
	if (join->options->match_page && !join->page_ranks)
		return fail_at(join->e, file, line,
		    "question '%s': a rank alone is that of a document, and "
		    "`match: page` asks for pages; give lists with pages, or "
		    "a companion file and --rank-field page_rank",
		    question->id);
	answer = join_begin(join, question);
	answer->rank_only = true;
	answer->rank = rank;
	join->run->nresults += rank > 0;
	return 0;
}

int
join_error(struct join *join, const char *id, const char *file, size_t line)
{
	const struct question *question = questions_find(join->questions, id);
	struct answer *answer;

	if (join_see(join, question, id, file, line) < 0)
		return -1;
	answer = join_begin(join, question);
	if (answer)
		answer->errored = true;
	return 0;
}

int
join_unevaluated(
    struct join *join, const char *id, const char *file, size_t line)
{
	const struct question *question = questions_find(join->questions, id);

	if (join_see(join, question, id, file, line) < 0)
		return -1;
	if (!question) {
		join->run->nunknown++;
	} else if (question_counts(question)) {
		join_begin(join, question)->rank_only = true;
		named_add(join->arena, &join->unevaluated, question);
	}
	return 0;
}
