/* The questions that a run has named so far, and taking some of them back. */
#include <string.h>

#include "internal.h"

const struct question *
join_find(struct join *join, const char *id, size_t idlen)
{
	const struct questions *questions = join->questions;
	const struct question *question;
	size_t i = join->next;

	if (i < questions->nitems) {
		question = &questions->items[i];
		if (strncmp(question->id, id, idlen) == 0 &&
		    question->id[idlen] == '\0') {
			join->next++;
			return question;
		}
	}
	if (!questions_index(questions, id, idlen, &i))
		return NULL;
	join->next = i + 1;
	return &questions->items[i];
}

bool
join_seen(const struct join *join, const struct question *question,
    const char *id, size_t idlen, unsigned *file)
{
	const struct answer *answer;
	size_t i;

	if (question) {
		answer = &join->run->answers[question - join->questions->items];
		*file = answer->file;
		return answer->line != 0;
	}
	if (!map_get(&join->seen, id, idlen, &i))
		return false;
	*file = join->others[i].file;
	return true;
}

static int
seen_twice(struct join *join, const struct question *question, const char *id,
    const char *file, size_t line)
{
	const struct answer *answer;
	const struct seen_place *other;
	unsigned first_file, first_line;
	size_t i = 0;

	if (question) {
		answer = &join->run->answers[question - join->questions->items];
		first_file = answer->file;
		first_line = answer->line;
	} else {
		map_get(&join->seen, id, strlen(id), &i);
		other = &join->others[i];
		first_file = other->file;
		first_line = other->line;
	}
	return fail_at(join->e, file, line,
	    "question '%s' stands twice in the run; first at %s:%u", id,
	    join->run->files[first_file], first_line);
}

/* A question that nobody asked. */
static void
see_other(struct join *join, const char *id, size_t line)
{
	size_t index = join->nothers;

	id = arena_strdup(join->arena, id);
	map_add(&join->seen, id, strlen(id), &index);
	join->others = arena_regrow(join->arena, join->others, join->nothers,
	    &join->cap, sizeof(*join->others));
	join->others[join->nothers++] =
	    (struct seen_place){id, join->file, (unsigned)line};
}

int
join_see(struct join *join, const struct question *question, const char *id,
    const char *file, size_t line)
{
	struct answer *answer;
	unsigned first;

	if (!*id)
		return fail_at(
		    join->e, file, line, "a result's question has an empty id");
	if (join_seen(join, question, id, strlen(id), &first))
		return seen_twice(
		    join, question, question ? question->id : id, file, line);
	if (question) {
		answer = &join->run->answers[question - join->questions->items];
		answer->file = join->file;
		answer->line = line < UINT_MAX ? (unsigned)line : UINT_MAX;
	} else {
		see_other(join, id, line);
	}
	join->nplaces++;
	return 0;
}

struct join_mark
join_mark(const struct join *join)
{
	return (struct join_mark){*join->run, join->nplaces, join->nothers,
	    join->unordered, join->misranked, join->e->nitems, join->lists};
}

void
join_reset(struct join *join, const struct join_mark *mark)
{
	unsigned *ranks = join->ranks;
	size_t i, n, index;

	/* As if this file had named no question. */
	for (i = 0; i < join->questions->nitems; i++, ranks += n) {
		n = join->questions->items[i].njudgments;
		if (join->run->answers[i].file != join->file)
			continue;
		memset(ranks, 0, n * sizeof(*ranks));
		join->run->answers[i] = (struct answer){.ranks = ranks};
	}
	*join->run = mark->run;
	join->nplaces = mark->nplaces;
	join->nothers = mark->nothers;
	join->unordered = mark->unordered;
	join->misranked = mark->misranked;
	join->lists = mark->lists;
	join->e->nitems = mark->nerrors;
	map_drop(&join->seen);
	for (i = 0; i < join->nothers; i++) {
		index = i;
		map_add(&join->seen, join->others[i].id,
		    strlen(join->others[i].id), &index);
	}
}
