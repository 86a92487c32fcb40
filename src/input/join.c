/*
 * The join of a run with the questions: which rank each judged document has.
 * Every reader hands its lists to it, so the rules of order, of repeats and
 * of ties stand here alone.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* Notes that the run names this question; an error when it did before. */
static int
see(struct join *join, const char *id, const char *file, size_t line)
{
	size_t i = join->nplaces;
	const struct seen_place *other;

	if (!map_add(&join->seen, id, strlen(id), &i)) {
		other = &join->places[i];
		return fail_at(join->e, file, line,
		    "question '%s' stands twice in the run; first at %s:%zu",
		    id, other->file, other->line);
	}
	join->places = arena_grow(join->arena, join->places, join->nplaces,
	    &join->cap, sizeof(*join->places));
	join->places[join->nplaces++] = (struct seen_place){file, line};
	return 0;
}

/* trec_eval's order: score, then document id, both descending. */
static int
compare_scored(const void *a, const void *b)
{
	const struct result *x = a, *y = b;

	if (x->score != y->score)
		return x->score < y->score ? 1 : -1;
	return -strcmp(x->document, y->document);
}

static int
repeated(struct join *join, const char *id, const struct result *first,
    const struct result *again, size_t rank, size_t other, const char *file)
{
	return fail_at(join->e, file, again->line,
	    "question '%s': document '%s' is returned twice, %s %zu and %zu; "
	    "if chunks are retrieved, `duplicates: first` counts a document "
	    "once, at its best rank",
	    id, again->document,
	    first->line != again->line ? "on lines" : "at ranks",
	    first->line != again->line ? first->line : rank,
	    first->line != again->line ? again->line : other);
}

/*
 * The place of every document in the ordered list, each once: closes the
 * gaps that repeats leave, or says the first repeat.
 */
static int
index_documents(struct join *join, const char *id, struct result *results,
    size_t *nresults, struct map *places, const char *file)
{
	size_t i, n = 0, place;

	for (i = 0; i < *nresults; i++) {
		place = n;
		if (map_add(places, results[i].document,
			strlen(results[i].document), &place))
			results[n++] = results[i];
		else if (!join->options->duplicates_first)
			return repeated(join, id, &results[place], &results[i],
			    place + 1, i + 1, file);
	}
	*nresults = n;
	return 0;
}

/* How many results share the score of the one at place. */
static unsigned
tie_group(const struct result *results, size_t nresults, size_t place)
{
	size_t first = place, last = place;

	if (!results[place].scored)
		return 1;
	while (first > 0 && results[first - 1].scored &&
	    results[first - 1].score == results[place].score)
		first--;
	while (last + 1 < nresults && results[last + 1].scored &&
	    results[last + 1].score == results[place].score)
		last++;
	return (unsigned)(last - first + 1);
}

static void
find_judged(struct join *join, const struct question *question,
    struct answer *answer, const struct result *results, size_t nresults,
    const struct map *places)
{
	unsigned *ranks =
	    arena_array(join->arena, question->njudgments + 1, sizeof(*ranks));
	const struct judgment *judgment;
	unsigned tied;
	size_t i, place;

	for (i = 0; i < question->njudgments; i++) {
		judgment = &question->judgments[i];
		if (!map_get(places, judgment->document,
			strlen(judgment->document), &place))
			continue;
		ranks[i] = (unsigned)place + 1;
		if (judgment->grade < join->options->relevance)
			continue;
		tied = tie_group(results, nresults, place);
		if (tied > answer->tied)
			answer->tied = tied;
	}
	answer->ranks = ranks;
}

static void
keep_top(struct join *join, struct answer *answer, const struct result *results,
    size_t nresults)
{
	const char **top;
	size_t i;

	answer->ntop = nresults < join->options->keep_top
	    ? nresults
	    : join->options->keep_top;
	top = arena_array(join->arena, answer->ntop + 1, sizeof(*top));
	for (i = 0; i < answer->ntop; i++)
		top[i] = arena_strdup(join->arena, results[i].document);
	answer->top = top;
}

/* Whether scores are there and say another order than the list's. */
static bool
unordered(const struct result *results, size_t nresults)
{
	size_t i;

	for (i = 1; i < nresults; i++)
		if (results[i].scored && results[i - 1].scored &&
		    results[i].score > results[i - 1].score)
			return true;
	return false;
}

static struct answer *
begin(struct join *join, const struct question *question, const char *file,
    size_t line)
{
	struct answer *answer;

	if (!question) {
		join->run->nunknown++;
		return NULL;
	}
	answer = &join->run->answers[question - join->questions->items];
	answer->present = true;
	answer->file = file;
	answer->line = line;
	return answer;
}

int
join_list(struct join *join, const char *id, struct result *results,
    size_t nresults, bool by_score, const char *file, size_t line)
{
	const struct question *question = questions_find(join->questions, id);
	struct arena *scratch;
	struct answer *answer;
	struct map places;
	int rc = -1;

	if (see(join, arena_strdup(join->arena, id), file, line) < 0)
		return -1;
	join->lists = true;
	answer = begin(join, question, file, line);
	if (by_score && nresults)
		qsort(results, nresults, sizeof(*results), compare_scored);
	else
		join->unordered += unordered(results, nresults);
	scratch = arena_new();
	map_init(&places, scratch);
	if (!answer ||
	    index_documents(join, id, results, &nresults, &places, file) == 0) {
		join->run->nresults += nresults;
		if (nresults > join->run->depth)
			join->run->depth = (unsigned)nresults;
		rc = 0;
	}
	if (rc == 0 && answer) {
		answer->nresults = nresults;
		find_judged(join, question, answer, results, nresults, &places);
		if (join->options->tracked &&
		    join->options->tracked[question - join->questions->items])
			keep_top(join, answer, results, nresults);
	}
	arena_free(scratch);
	return rc;
}

/* The question that a rank belongs to: by id, else by its text. */
static const struct question *
named(const struct join *join, const char *name)
{
	const struct question *question, *found = NULL;
	size_t i;

	question = questions_find(join->questions, name);
	if (question)
		return question;
	if (map_get(&join->by_text, name, strlen(name), &i))
		found = &join->questions->items[i];
	return found;
}

/* Whether two lists of ids, one with ';' between them, are the same set. */
static bool
same_documents(struct arena *arena, const struct question *question,
    int relevance, const char *expected)
{
	struct judgment *wanted;
	size_t n = judgments_split(arena, expected, &wanted), i, j, found = 0;

	for (i = 0; i < question->njudgments; i++) {
		if (question->judgments[i].grade < relevance)
			continue;
		for (j = 0; j < n; j++)
			if (strcmp(wanted[j].document,
				question->judgments[i].document) == 0)
				break;
		if (j == n)
			return false;
		found++;
	}
	return found == n;
}

int
join_rank(struct join *join, const char *name, unsigned rank,
    const char *expected, const char *file, size_t line)
{
	const struct question *question = named(join, name);
	struct answer *answer;

	if (see(join, arena_strdup(join->arena, question ? question->id : name),
		file, line) < 0)
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
		return fail_at(join->e, file, line,
		    "the rank is that of '%s', but question '%s' (%s:%zu) "
		    "expects other documents at relevance %d; correct one of "
		    "them, or set `relevance`",
		    expected, question->id, question->file, question->line,
		    join->options->relevance);
	answer = begin(join, question, file, line);
	answer->rank_only = true;
	answer->rank = rank;
	answer->tied = 1;
	join->run->nresults += rank > 0;
	return 0;
}

int
join_error(struct join *join, const char *id, const char *file, size_t line)
{
	const struct question *question = questions_find(join->questions, id);
	struct answer *answer;

	if (see(join, arena_strdup(join->arena, id), file, line) < 0)
		return -1;
	answer = begin(join, question, file, line);
	if (question) {
		answer->errored = true;
		answer->ranks = arena_array(join->arena,
		    question->njudgments + 1, sizeof(*answer->ranks));
	}
	return 0;
}
