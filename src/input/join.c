/*
 * The join of a run with the questions: which rank each judged document has.
 * Every reader hands its lists to it, so the rules of order, of repeats and
 * of ties stand here alone.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

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

/* What may stand once in a list: a document, or a page of one. */
static const char *
unit_of(
    const struct join *join, struct arena *scratch, const struct result *result)
{
	if (!join->options->match_page)
		return result->document;
	return arena_printf(
	    scratch, "%s\x1f%lld", result->document, (long long)result->page);
}

/* Leaves each unit once: closes the gaps of repeats, or says the first. */
static int
drop_repeats(struct join *join, const char *id, struct result *results,
    size_t *nresults, const char *file)
{
	struct arena *scratch = arena_new();
	const char *unit;
	struct map places;
	size_t i, n = 0, place;
	int rc = 0;

	map_init(&places, scratch);
	for (i = 0; rc == 0 && i < *nresults; i++) {
		place = n;
		unit = unit_of(join, scratch, &results[i]);
		if (map_add(&places, unit, strlen(unit), &place))
			results[n++] = results[i];
		else if (!join->options->duplicates_first)
			rc = repeated(join, id, &results[place], &results[i],
			    place + 1, i + 1, file);
	}
	*nresults = n;
	arena_free(scratch);
	return rc;
}

static struct answer_more *
join_more(struct join *join, struct answer *answer)
{
	size_t i = (size_t)(answer - join->run->answers);

	return answer_extend(
	    join->arena, answer, join->questions->items[i].njudgments);
}

void
join_tie(struct join *join, struct answer *answer, const struct tie *tie)
{
	struct answer_more *more;

	if (tie->size < 2)
		return;
	more = join_more(join, answer);
	more->tied = tie->size;
	more->tied_first = tie->first;
}

void
join_keep(struct join *join, struct answer *answer, const char *const *top,
    size_t ntop)
{
	struct answer_more *more = join_more(join, answer);

	more->top = top;
	more->ntop = ntop;
}

/* The group of equal scores that the result at place stands in. */
static void
note_tie(const struct result *results, size_t nresults, size_t place,
    struct tie *tie)
{
	size_t first = place, last = place;

	if (!results[place].scored)
		return;
	while (first > 0 && results[first - 1].scored &&
	    results[first - 1].score == results[place].score)
		first--;
	while (last + 1 < nresults && results[last + 1].scored &&
	    results[last + 1].score == results[place].score)
		last++;
	if (last - first + 1 <= tie->size)
		return;
	tie->size = (unsigned)(last - first + 1);
	tie->first = (unsigned)first + 1;
}

static bool
right_page(const struct join *join, const struct question *question,
    const struct judgment *judgment, const struct result *result)
{
	const struct pages *pages = judgment_pages(question, judgment);
	int64_t distance;
	size_t i;

	if (!pages || pages->n == 0)
		return true;
	for (i = 0; i < pages->n; i++) {
		distance = result->page - pages->items[i];
		if (distance < 0)
			distance = -distance;
		if (distance <= join->options->page_tolerance)
			return true;
	}
	return false;
}

static void
find_judged(struct join *join, const struct question *question,
    struct answer *answer, const struct result *results, size_t nresults)
{
	size_t n = question->njudgments, i, k;
	unsigned *ranks = join_ranks(join, answer), *documents = ranks;
	struct tie tie = {0, 0};
	const struct judgment *judgment;

	if (join->options->match_page)
		documents = arena_array(join->arena, n + 1, sizeof(*documents));
	for (i = 0; n && i < nresults; i++) {
		judgment = question_judgment(question, results[i].document);
		if (!judgment)
			continue;
		k = (size_t)(judgment - question_judgments(question));
		if (!documents[k])
			documents[k] = (unsigned)i + 1;
		if (documents != ranks && !ranks[k] &&
		    right_page(join, question, judgment, &results[i]))
			ranks[k] = (unsigned)i + 1;
		if (ranks[k] == i + 1 &&
		    judgment->grade >= join->options->relevance)
			note_tie(results, nresults, i, &tie);
	}
	if (documents != ranks)
		join_more(join, answer)->document_ranks = documents;
	join_tie(join, answer, &tie);
}

static void
keep_top(struct join *join, struct answer *answer, const struct result *results,
    size_t nresults)
{
	size_t keep = join->options->keep_top, i;
	size_t n = nresults < keep ? nresults : keep;
	const char **top = arena_array(join->arena, n + 1, sizeof(*top));

	for (i = 0; i < n; i++)
		top[i] = arena_strdup(join->arena, results[i].document);
	join_keep(join, answer, top, n);
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

struct answer *
join_begin(struct join *join, const struct question *question)
{
	struct answer *answer;

	if (!question) {
		join->run->nunknown++;
		return NULL;
	}
	answer = &join->run->answers[question - join->questions->items];
	answer->present = true;
	return answer;
}

unsigned *
join_ranks(struct join *join, const struct answer *answer)
{
	return join->ranks + (answer->ranks - join->ranks);
}

/* Pages are told apart by page, so every result must have one. */
static int
want_pages(struct join *join, const char *id, const struct result *results,
    size_t nresults, const char *file)
{
	size_t i;

	for (i = 0; i < nresults; i++)
		if (!results[i].paged)
			return fail_at(join->e, file, results[i].line,
			    "question '%s': result '%s' has no page, and "
			    "`match: page` needs one",
			    id, results[i].document);
	return 0;
}

static int
want_scores(struct join *join, const char *id, const struct result *results,
    size_t nresults, const char *file)
{
	size_t i;

	for (i = 0; i < nresults; i++)
		if (!results[i].scored)
			return fail_at(join->e, file, results[i].line,
			    "question '%s': result '%s' has no score, and "
			    "`order: score` needs one",
			    id, results[i].document);
	return 0;
}

/*
 * How many of the results, in the order of their scores, a TREC run gives
 * another rank.  Some count from 0.
 */
static size_t
misranked(const struct result *results, size_t nresults)
{
	int64_t first = 1;
	size_t i, n = 0;

	for (i = 0; i < nresults; i++)
		if (results[i].rank == 0)
			first = 0;
	for (i = 0; i < nresults; i++)
		n += results[i].rank != first + (int64_t)i;
	return n;
}

int
join_list(struct join *join, const char *id, struct result *results,
    size_t nresults, bool by_score, const char *file, size_t line)
{
	const struct question *question = questions_find(join->questions, id);
	const struct run_options *options = join->options;
	struct answer *answer;

	if (join_see(join, question, id, file, line) < 0)
		return -1;
	join->lists = true;
	if (options->order_by_score && !by_score) {
		if (want_scores(join, id, results, nresults, file) < 0)
			return -1;
		by_score = true;
	}
	if (by_score && nresults)
		qsort(results, nresults, sizeof(*results), compare_scored);
	else
		join->unordered += unordered(results, nresults);
	if (options->verbose)
		join->misranked += misranked(results, nresults);
	answer = join_begin(join, question);
	if (options->match_page &&
	    want_pages(join, id, results, nresults, file) < 0)
		return -1;
	if (drop_repeats(join, id, results, &nresults, file) < 0)
		return -1;
	join->run->nresults += nresults;
	if (nresults > join->run->depth)
		join->run->depth = (unsigned)nresults;
	if (!answer) {
		join->run->nunknown_results += nresults;
		return 0;
	}
	answer->nresults = (unsigned)nresults;
	find_judged(join, question, answer, results, nresults);
	if (options->tracked &&
	    options->tracked[question - join->questions->items])
		keep_top(join, answer, results, nresults);
	return 0;
}

void
join_notice(struct join *join, const char *notice)
{
	struct run *run = join->run;

	run->notices = arena_grow(join->arena, run->notices, run->nnotices,
	    &join->notices_cap, sizeof(*run->notices));
	run->notices[run->nnotices++] = notice;
}
