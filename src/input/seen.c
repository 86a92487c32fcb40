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
	if (!map_get(&questions->by_id, id, idlen, &i))
		return NULL;
	join->next = i + 1;
	return &questions->items[i];
}

bool
join_seen(const struct join *join, const struct question *question,
    const char *id, size_t idlen, size_t *place)
{
	uint32_t asked;

	if (!question)
		return map_get(&join->seen, id, idlen, place);
	asked = join->asked[question - join->questions->items];
	*place = asked - 1;
	return asked != 0;
}

int
join_see(struct join *join, const struct question *question, const char *id,
    const char *file, size_t line)
{
	size_t i = join->nplaces;
	const struct seen_place *other;

	id = question ? question->id : arena_strdup(join->arena, id);
	if (join_seen(join, question, id, strlen(id), &i)) {
		other = &join->places[i];
		return fail_at(join->e, file, line,
		    "question '%s' stands twice in the run; first at %s:%zu",
		    id, other->file, other->line);
	}
	if (question)
		join->asked[question - join->questions->items] =
		    (uint32_t)join->nplaces + 1;
	else
		map_add(&join->seen, id, strlen(id), &join->nplaces);
	join->places = arena_regrow(join->arena, join->places, join->nplaces,
	    &join->cap, sizeof(*join->places));
	join->places[join->nplaces++] = (struct seen_place){id, file, line};
	return 0;
}

struct join_mark
join_mark(const struct join *join)
{
	return (struct join_mark){*join->run, join->nplaces, join->unordered,
	    join->e->nitems, join->lists};
}

void
join_reset(struct join *join, const struct join_mark *mark)
{
	const struct question *question;
	size_t i, index;

	for (i = mark->nplaces; i < join->nplaces; i++) {
		question = questions_find(join->questions, join->places[i].id);
		if (!question)
			continue;
		index = (size_t)(question - join->questions->items);
		join->run->answers[index] = (struct answer){.present = false};
		join->asked[index] = 0;
	}
	*join->run = mark->run;
	join->nplaces = mark->nplaces;
	join->unordered = mark->unordered;
	join->lists = mark->lists;
	join->e->nitems = mark->nerrors;
	map_drop(&join->seen);
	for (i = 0; i < join->nplaces; i++) {
		index = i;
		if (!questions_find(join->questions, join->places[i].id))
			map_add(&join->seen, join->places[i].id,
			    strlen(join->places[i].id), &index);
	}
}
