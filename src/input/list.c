/*
 * The fast join of one question's results.  Nothing is sorted: a document's
 * rank is 1 and the number of better ones.  What is odd is found before
 * anything is done, and left to join_list.
 */
#include <stdlib.h>
#include <string.h>

#include "fast.h"

/* So many judged documents among unsorted results, and sorting is faster. */
#define COUNTING_MAX 24

void
list_free(struct list *list)
{
	free(list->entries);
	free(list->hashes);
	free(list->slots);
	free(list->scores);
	*list = (struct list){.n = 0};
}

void
list_clear(struct list *list, bool by_score)
{
	list->by_score = by_score;
	list->n = 0;
	list->rising = false;
	list->shape = (struct score_shape){.length = 0};
}

struct entry *
list_grow(struct list *list)
{
	list->cap = list->cap ? list->cap * 2 : 1024;
	list->entries =
	    memory_resize(list->entries, list->cap, sizeof(*list->entries));
	list->hashes =
	    memory_resize(list->hashes, list->cap, sizeof(*list->hashes));
	return &list->entries[list->n];
}

/* A table that is at most half full, all of it free. */
static void
make_table(struct list *list)
{
	size_t n = 16;

	while (n < list->n * 5 / 2)
		n *= 2;
	if (n > list->nslots)
		list->slots =
		    memory_resize(list->slots, n, sizeof(*list->slots));
	list->nslots = n;
	memset(list->slots, 0, n * sizeof(*list->slots));
}

/* Whether the hash is in the table; *slot is its place there. */
static inline bool
has_hash(const struct list *list, uint32_t hash, size_t *slot)
{
	size_t mask = list->nslots - 1, i = hash & mask;

	while (list->slots[i] && list->slots[i] != hash)
		i = (i + 1) & mask;
	*slot = i;
	return list->slots[i] == hash;
}

/* The first of n entries with a document, NULL when there is none. */
static const struct entry *
find(const struct list *list, size_t n, const char *base, uint32_t hash,
    const char *document, size_t len)
{
	const struct entry *entry;
	size_t i;

	for (i = 0; i < n; i++) {
		entry = &list->entries[i];
		if (list->hashes[i] == hash && entry->length == len &&
		    memcmp(base + entry->document, document, len) == 0)
			return entry;
	}
	return NULL;
}

/*
 * Puts the hash of every document into the table, which stays in the first
 * cache.  The same hash is rare enough to look for the same document then.
 */
static bool
all_different(struct list *list, const char *base)
{
	const struct entry *entry;
	size_t i, slot;

	make_table(list);
	for (i = 0; i < list->n; i++) {
		if (has_hash(list, list->hashes[i], &slot)) {
			entry = &list->entries[i];
			if (find(list, i, base, list->hashes[i],
				base + entry->document, entry->length))
				return false;
		}
		list->slots[slot] = list->hashes[i];
	}
	return true;
}

static const struct entry *
find_document(
    const struct list *list, const char *base, const char *document, size_t len)
{
	uint32_t hash = hash_id(document, len);
	size_t slot;

	if (!has_hash(list, hash, &slot))
		return NULL;
	return find(list, list->n, base, hash, document, len);
}

/* Where a result stands, and the group of equal scores around it. */
struct place {
	size_t rank;
	size_t tied, tied_first; /* 1-based */
};

static bool
greater_id(const char *base, const struct entry *x, const struct entry *y)
{
	size_t n = x->length < y->length ? x->length : y->length;
	int order = memcmp(base + x->document, base + y->document, n);

	return order ? order > 0 : x->length > y->length;
}

/* In a list whose scores fall, the group stands together. */
static struct place
place_in_order(
    const struct list *list, const char *base, const struct entry *entry)
{
	size_t at = (size_t)(entry - list->entries), first = at, end = at + 1;
	struct place place;
	size_t i, better = 0;

	while (first && list->entries[first].tied)
		first--;
	while (end < list->n && list->entries[end].tied)
		end++;
	for (i = first; list->by_score && i < end; i++)
		better += i != at && greater_id(base, &list->entries[i], entry);
	place.rank = (list->by_score ? first + better : at) + 1;
	place.tied = entry->score_length ? end - first : 1;
	place.tied_first = first + 1;
	return place;
}

static struct place
place_by_counting(
    const struct list *list, const char *base, const struct entry *entry)
{
	size_t at = (size_t)(entry - list->entries), i;
	size_t better = 0, equal = 0, greater = 0;
	double score = list->scores[at];

	for (i = 0; i < list->n; i++) {
		better += list->scores[i] > score;
		equal += list->scores[i] == score;
	}
	for (i = 0; equal > 1 && i < list->n; i++)
		greater += list->scores[i] == score && i != at &&
		    greater_id(base, &list->entries[i], entry);
	return (struct place){better + greater + 1, equal, better + 1};
}

/* The widest group, of equal ones the first, as note_tie keeps it. */
static void
note_place(struct tie *tie, const struct place *place)
{
	if (place->tied < tie->size || place->tied == 1 ||
	    (place->tied == tie->size && place->tied_first >= tie->first))
		return;
	tie->size = (unsigned)place->tied;
	tie->first = (unsigned)place->tied_first;
}

/* Scores as numbers, which they are known to be. */
static void
parse_scores(struct list *list, const char *base)
{
	const struct entry *entry;
	size_t i;

	if (list->nscores < list->n) {
		list->nscores = list->cap;
		list->scores = memory_resize(
		    list->scores, list->nscores, sizeof(*list->scores));
	}
	for (i = 0; i < list->n; i++) {
		entry = &list->entries[i];
		number_parse(
		    base + entry->score, entry->score_length, &list->scores[i]);
	}
}

static void
find_judged(struct join *join, struct list *list, const char *base,
    const struct question *question, struct answer *answer)
{
	const struct judgment *judgments = question_judgments(question);
	size_t n = question->njudgments, i, len;
	unsigned *ranks = join_ranks(join, answer);
	const struct entry *entry;
	const char *document;
	struct place place;
	struct tie tie = {0, 0};
	bool parsed = false;

	for (i = 0; i < n; i++) {
		document = judgment_document(question, &judgments[i]);
		len = strlen(document);
		entry = find_document(list, base, document, len);
		if (!entry)
			continue;
		if (list->by_score && list->rising) {
			if (!parsed)
				parse_scores(list, base);
			parsed = true;
			place = place_by_counting(list, base, entry);
		} else {
			place = place_in_order(list, base, entry);
		}
		ranks[i] = (unsigned)place.rank;
		if (judgments[i].grade >= join->options->relevance)
			note_place(&tie, &place);
	}
	join_tie(join, answer, &tie);
}

/* Whether the first results are in order, and no tie asks which come first. */
static bool
top_is_plain(const struct list *list, size_t keep)
{
	size_t i;

	if (!list->by_score)
		return true;
	for (i = 0; i <= keep && i < list->n; i++)
		if (list->entries[i].tied)
			return false;
	return !list->rising;
}

static void
keep_top(struct join *join, const struct list *list, const char *base,
    struct answer *answer)
{
	size_t keep = join->options->keep_top, i;
	size_t n = list->n < keep ? list->n : keep;
	const char **top = arena_array(join->arena, n + 1, sizeof(*top));

	for (i = 0; i < n; i++)
		top[i] = arena_strndup(join->arena,
		    base + list->entries[i].document, list->entries[i].length);
	join_keep(join, answer, top, n);
}

/* Whether join_list has to look at it. */
static bool
odd(const struct join *join, struct list *list, const char *base,
    const struct question *question)
{
	const struct run_options *options = join->options;

	if (options->match_page || (options->order_by_score && !list->by_score))
		return true;
	if (options->verbose && list->by_score && !top_is_plain(list, list->n))
		return true;
	if (question && list->by_score && list->rising &&
	    question->njudgments > COUNTING_MAX)
		return true;
	if (question && options->tracked &&
	    options->tracked[question - join->questions->items] &&
	    !top_is_plain(list, options->keep_top))
		return true;
	return !all_different(list, base);
}

/* The rank that a TREC line gives, between its document and its score. */
static int64_t
rank_of(const struct entry *entry, const char *base)
{
	const char *begin = base + entry->document + entry->length;
	const char *end = base + entry->score;

	while (begin < end && (unsigned char)*begin <= ' ')
		begin++;
	while (end > begin && (unsigned char)end[-1] <= ' ')
		end--;
	return trec_rank(begin, (size_t)(end - begin));
}

/* As join_list counts them, of lines whose scores fall. */
static size_t
misranked(const struct list *list, const char *base)
{
	int64_t first = 1;
	size_t i, n = 0;

	for (i = 0; i < list->n; i++)
		if (rank_of(&list->entries[i], base) == 0)
			first = 0;
	for (i = 0; i < list->n; i++)
		n += rank_of(&list->entries[i], base) != first + (int64_t)i;
	return n;
}

enum list_result
list_join(struct join *join, struct list *list, const char *base,
    const struct question *question, const char *id, size_t idlen,
    const char *file, size_t line)
{
	struct answer *answer;

	if (odd(join, list, base, question))
		return LIST_SLOW;
	if (join_see(join, question,
		question ? question->id : arena_strndup(join->arena, id, idlen),
		file, line) < 0)
		return LIST_FAILED;
	join->lists = true;
	join->unordered += !list->by_score && list->rising;
	if (list->by_score && join->options->verbose)
		join->misranked += misranked(list, base);
	answer = join_begin(join, question);
	join->run->nresults += list->n;
	if (list->n > join->run->depth)
		join->run->depth = (unsigned)list->n;
	if (!answer) {
		join->run->nunknown_results += list->n;
		return LIST_JOINED;
	}
	answer->nresults = (unsigned)list->n;
	find_judged(join, list, base, question, answer);
	if (join->options->tracked &&
	    join->options->tracked[question - join->questions->items])
		keep_top(join, list, base, answer);
	return LIST_JOINED;
}
