/*
 * Ranks in a record: from a run, into a line, out of it again, and back into
 * a question's answer.  Histories hold millions of them, so the integers are
 * read by hand, and kept in a byte or two until somebody asks for them.
 */
#include <assert.h>
#include <string.h>

#include "internal.h"

#define ERRORED (-1)

/* ------------------------------------------------------------- reading -- */

static inline unsigned
digit(char c)
{
	return (unsigned char)c - (unsigned)'0';
}

/*
 * One integer at p; returns what follows it, NULL when it is none.  Most have
 * one digit or two, and which of it nobody foretells: no branch asks.
 */
static inline const char *
integer_read(const char *p, int32_t *rank)
{
	unsigned d = digit(p[0]), ones, two;
	uint64_t n = d;

	if (d > 9) {
		if (p[0] != '-' || p[1] != '1')
			return NULL;
		*rank = ERRORED;
		return p + 2;
	}
	ones = digit(p[1]);
	two = ones <= 9;
	if (digit(p[1 + two]) > 9 && d >= two) {
		*rank = (int32_t)(d + two * (9 * d + ones));
		return p + 1 + two;
	}
	if (d == 0)
		return NULL;
	p++;
	while ((d = digit(*p)) <= 9) {
		n = n * 10 + d;
		if (n > INT32_MAX)
			return NULL;
		p++;
	}
	*rank = (int32_t)n;
	return p;
}

/* ------------------------------------------------------------- packing -- */

/*
 * A rank, 2 added to it, is written in as many bytes as it needs, seven bits
 * each, the lowest first; the eighth says that more follow.  So no rank has a
 * byte 0: it stands before and behind the ranks of an array.
 */
static inline unsigned char *
rank_pack(unsigned char *to, int32_t rank)
{
	uint32_t n = (uint32_t)rank + 2;

	for (; n >= 0x80; n >>= 7)
		*to++ = (unsigned char)(n | 0x80);
	*to++ = (unsigned char)n;
	return to;
}

static inline const unsigned char *
rank_unpack(const unsigned char *p, int32_t *rank)
{
	uint32_t n = *p & 0x7f;
	unsigned shift = 7;

	for (; *p++ & 0x80; shift += 7)
		n |= (uint32_t)(*p & 0x7f) << shift;
	*rank = (int32_t)(n - 2);
	return p;
}

/* "1,0]", whose '[' is past; NULL when it is no array. */
static const char *
array_pack(const char *p, unsigned char **to)
{
	int32_t rank;

	*(*to)++ = 0;
	for (;; p++) {
		p = integer_read(p, &rank);
		if (!p || (*p != ',' && *p != ']'))
			return NULL;
		*to = rank_pack(*to, rank);
		if (*p == ']')
			break;
	}
	*(*to)++ = 0;
	return p + 1;
}

/* Nothing is longer packed than as text, so it can stand where that was. */
bool
ranks_pack(struct arena *arena, char *text, struct record *record)
{
	unsigned char *packed = (unsigned char *)text, *to = packed;
	const char *p = text;
	int32_t rank;
	size_t i;

	for (i = 0; i < record->n; i++) {
		if (*p == '[') {
			p = array_pack(p + 1, &to);
		} else {
			p = integer_read(p, &rank);
			if (p)
				to = rank_pack(to, rank);
		}
		if (!p || *p != (i + 1 < record->n ? ',' : ']'))
			return false;
		p++;
	}
	if (strcmp(p, "}") != 0)
		return false;
	record->npacked = (size_t)(to - packed);
	record->packed = (const unsigned char *)arena_strndup(
	    arena, (const char *)packed, record->npacked);
	return true;
}

/* A question's ranks, one or an array; returns what follows them. */
static const unsigned char *
question_unpack(
    const unsigned char *p, int32_t *ranks, size_t *nranks, bool *single)
{
	*single = *p != 0;
	if (*single)
		return rank_unpack(p, &ranks[(*nranks)++]);
	for (p++; *p; (*nranks)++)
		p = rank_unpack(p, &ranks[*nranks]);
	return p + 1;
}

/* Past one question's ranks; *n: how many they are. */
static const unsigned char *
question_skip(const unsigned char *p, size_t *n)
{
	bool array = *p == 0;

	*n = 0;
	p += array;
	do {
		while (*p & 0x80)
			p++;
		p++;
		++*n;
	} while (array && *p);
	return p + array;
}

void
record_ranks(struct arena *arena, struct record *record)
{
	const unsigned char *p = record->packed, *end = p + record->npacked;
	size_t *first = NULL, nranks = 0, i;
	bool *single = NULL, arrays, one;
	int32_t *ranks;

	if (record->ranks)
		return;
	arrays = memchr(p, 0, record->npacked) != NULL;
	ranks = arena_array(arena, (size_t)(end - p), sizeof(*ranks));
	if (arrays) {
		first = arena_array(arena, record->n + 1, sizeof(*first));
		single = arena_array(arena, record->n, sizeof(*single));
	}
	for (i = 0; i < record->n; i++) {
		if (arrays)
			first[i] = nranks;
		p = question_unpack(p, ranks, &nranks, &one);
		if (arrays)
			single[i] = one;
	}
	assert(p == end);
	if (arrays)
		first[record->n] = nranks;
	record->ranks = ranks;
	record->first = first;
	record->single = single;
}

/* ------------------------------------------------------------- writing -- */

static void
put_rank(struct buf *out, int32_t rank)
{
	char digits[12], *p = digits + sizeof(digits);
	uint32_t n = rank < 0 ? (uint32_t)-rank : (uint32_t)rank;

	do
		*--p = (char)('0' + n % 10);
	while (n /= 10);
	if (rank < 0)
		*--p = '-';
	buf_add(out, p, (size_t)(digits + sizeof(digits) - p));
}

void
ranks_write(struct buf *out, const struct record *r)
{
	size_t i, k;

	buf_putc(out, '[');
	for (i = 0; i < r->n; i++) {
		if (i > 0)
			buf_putc(out, ',');
		if (!r->first || r->single[i]) {
			put_rank(out, r->ranks[r->first ? r->first[i] : i]);
			continue;
		}
		buf_putc(out, '[');
		for (k = r->first[i]; k < r->first[i + 1]; k++) {
			if (k > r->first[i])
				buf_putc(out, ',');
			put_rank(out, r->ranks[k]);
		}
		buf_putc(out, ']');
	}
	buf_putc(out, ']');
}

/* ------------------------------------------------------- from a record -- */

/* Documents whose ranks are kept: judged relevant in the widest sense. */
static bool
kept(const struct judgment *judgment)
{
	return judgment->grade >= 1;
}

static size_t
count_kept(const struct question *question)
{
	const struct judgment *judgments = question_judgments(question);
	size_t n = 0, i;

	for (i = 0; i < question->njudgments; i++)
		n += kept(&judgments[i]);
	return n;
}

static unsigned
best_rank(const int32_t *ranks, size_t n)
{
	unsigned best = 0;
	size_t i;

	for (i = 0; i < n; i++)
		if (ranks[i] > 0 && (best == 0 || (unsigned)ranks[i] < best))
			best = (unsigned)ranks[i];
	return best;
}

static void
answer_top(struct arena *arena, struct answer *answer,
    const struct record *record, const struct question *question)
{
	struct answer_more *more;
	size_t i;

	for (i = 0; i < record->ntop; i++) {
		if (strcmp(record->top[i].question, question->id) != 0)
			continue;
		more = answer_extend(arena, answer, question->njudgments);
		more->top = record->top[i].documents;
		more->ntop = record->top[i].ndocuments;
	}
}

const int32_t *
record_ranks_of(
    struct arena *arena, const struct record *record, size_t index, size_t *n)
{
	size_t begin = record->first ? record->first[index] : index, i;
	const unsigned char *p = record->packed, *at;
	int32_t *ranks;
	bool single;

	if (record->ranks) {
		*n = record->first ? record->first[index + 1] - begin : 1;
		return record->ranks + begin;
	}
	for (at = p, i = 0; i <= index; i++)
		p = question_skip(at = p, n);
	ranks = arena_array(arena, *n, sizeof(*ranks));
	i = 0;
	question_unpack(at, ranks, &i, &single);
	return ranks;
}

struct answer
record_answer(struct arena *arena, const struct record *record, size_t index,
    const struct question *question)
{
	const struct judgment *judgments = question_judgments(question);
	struct answer answer = {.present = true};
	size_t nkept = count_kept(question), n, i, k;
	const int32_t *stored = record_ranks_of(arena, record, index, &n);
	unsigned *ranks;

	ranks = arena_array(arena, question->njudgments, sizeof(*ranks));
	answer.ranks = ranks;
	for (i = 0; i < n; i++)
		if (stored[i] == ERRORED)
			answer.errored = true;
	/* Fewer or more than asked for: one rank that could be any's. */
	if (nkept > 0 && n != nkept) {
		answer.rank_only = true;
		answer.rank = best_rank(stored, n);
	}
	for (i = k = 0; !answer.rank_only && i < question->njudgments; i++)
		if (kept(&judgments[i]) && k < n) {
			ranks[i] = stored[k] > 0 ? (unsigned)stored[k] : 0;
			k++;
		}
	answer_top(arena, &answer, record, question);
	return answer;
}

/* ---------------------------------------------------------- from a run -- */

static int32_t
clamp(unsigned rank)
{
	return rank > INT32_MAX ? INT32_MAX : (int32_t)rank;
}

/* Appends a question's ranks; returns whether it is one integer. */
static bool
set_ranks(const struct question *question, const struct answer *answer,
    int32_t *ranks, size_t *nranks)
{
	const struct judgment *judgments = question_judgments(question);
	size_t n = count_kept(question), i;

	if (n == 0 || answer->errored || answer->rank_only) {
		ranks[(*nranks)++] = n == 0 ? 0
		    : answer->errored       ? ERRORED
					    : clamp(answer->rank);
		return true;
	}
	for (i = 0; i < question->njudgments; i++)
		if (kept(&judgments[i]))
			ranks[(*nranks)++] = answer->present && answer->ranks
			    ? clamp(answer->ranks[i])
			    : 0;
	return n == 1;
}

void
record_set_ranks(struct arena *arena, struct record *record,
    const struct questions *questions, const struct run *run)
{
	size_t n = questions->nitems, total = n, nranks = 0, i;
	size_t *first = arena_array(arena, n + 1, sizeof(*first));
	bool *single = arena_array(arena, n, sizeof(*single)), all = true;
	struct answer absent = {.rank_only = run->rank_only};
	const struct answer *answer;
	int32_t *ranks;

	for (i = 0; i < n; i++)
		total += questions->items[i].njudgments;
	ranks = arena_array(arena, total, sizeof(*ranks));
	for (i = 0; i < n; i++) {
		answer = i < run->nanswers && run->answers[i].present
		    ? &run->answers[i]
		    : &absent;
		first[i] = nranks;
		single[i] =
		    set_ranks(&questions->items[i], answer, ranks, &nranks);
		all = all && single[i];
	}
	first[n] = nranks;
	record->n = n;
	record->ranks = ranks;
	record->first = all ? NULL : first;
	record->single = all ? NULL : single;
}

bool
record_same_ranks(const struct record *one, const struct record *two)
{
	return one->packed && two->packed &&
	    strcmp(one->qset, two->qset) == 0 && one->npacked == two->npacked &&
	    memcmp(one->packed, two->packed, one->npacked) == 0;
}
