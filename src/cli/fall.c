/* When a question fell for good, and which documents pushed it down. */
#include <string.h>

#include "cli.h"

size_t
fall_find(const struct place *places, size_t n)
{
	size_t i, j;

	for (i = 0; i + 1 < n; i++) {
		for (j = 0; j <= i; j++)
			if (rank_worse(places[j], places[i + 1], 0) !=
			    WORSE_YES)
				break;
		if (j > i)
			return i;
	}
	return n;
}

size_t
fall_best(const struct place *places, size_t n)
{
	size_t i, best = 0;

	for (i = 0; i < n; i++)
		/* 0, not found, less 1 is the greatest. */
		if (places[i].rank - 1 <= places[best].rank - 1)
			best = i;
	return best;
}

const struct record_top *
record_top(const struct record *record, const char *question)
{
	size_t i;

	for (i = 0; i < record->ntop; i++)
		if (strcmp(record->top[i].question, question) == 0)
			return &record->top[i];
	return NULL;
}

/* Two lists of results; documents may have had other ids in the older one. */
struct lists {
	struct arena *arena;
	const struct rules *rules;
	const struct top *now, *then;
};

/* 1-based, 0: not among them.  of_today: the document is, the list is not. */
static unsigned
rank_in(const struct lists *lists, const struct top *top, const char *document,
    bool of_today)
{
	const char *other;
	size_t i;

	for (i = 0; i < top->n; i++)
		if (strcmp(top->documents[i], document) == 0)
			return (unsigned)i + 1;
	for (i = 0; i < top->n; i++) {
		other = top->documents[i];
		if (document_was(lists->arena, lists->rules,
			of_today ? document : other,
			of_today ? other : document))
			return (unsigned)i + 1;
	}
	return 0;
}

/* How many of its first results stand above the question's own. */
static size_t
above(const struct top *top)
{
	return top->rank && top->rank - 1 < top->n ? top->rank - 1 : top->n;
}

/* What stands above in one list, and did not in the other. */
static size_t
compare(const struct lists *lists, bool of_today, const struct displacer **list)
{
	const struct top *one = of_today ? lists->now : lists->then;
	const struct top *other = of_today ? lists->then : lists->now;
	struct displacer *found =
	    arena_array(lists->arena, above(one) + 1, sizeof(*found));
	unsigned rank;
	size_t i, n = 0;

	for (i = 0; i < above(one); i++) {
		rank = rank_in(lists, other, one->documents[i], of_today);
		if (!rank || rank > above(other))
			found[n++] = (struct displacer){
			    one->documents[i], (unsigned)i + 1, rank};
	}
	*list = found;
	return n;
}

void
fall_displacers(struct arena *arena, const struct rules *rules,
    const struct top *now, const struct top *then, struct explanation *to)
{
	struct lists lists = {arena, rules, now, then};
	struct displacer *left;
	const struct displacer *list;
	size_t i;

	to->nabove = compare(&lists, true, &to->above);
	to->nleft = compare(&lists, false, &list);
	left = arena_array(arena, to->nleft + 1, sizeof(*left));
	for (i = 0; i < to->nleft; i++)
		left[i] = (struct displacer){
		    list[i].document, list[i].old_rank, list[i].rank};
	to->left = left;
}
