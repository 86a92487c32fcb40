/*
 * The order of scores, seen on their text: numbers are made only where it
 * leaves doubt.
 *
 * Two texts of digits with one point, of the same length, with the point at
 * the same place, compare as bytes as their numbers do.  Up to 15 digits,
 * different ones are different doubles too (IEEE 754: DBL_DIG), so neither a
 * tie nor an order can come out otherwise than from the numbers.
 */
#include <float.h>
#include <string.h>

#include "fast.h"

#if HAVE_VECTOR
#include <emmintrin.h>
#endif

_Static_assert(DBL_DIG >= 15, "doubles of 15 decimal digits");

#define VECTOR 16

/* A bit for each byte of the text that is no digit. */
static uint32_t
others_of(const char *text, size_t len)
{
	uint32_t bits = 0;
	size_t i;

	for (i = 0; i < len; i++)
		bits |= (uint32_t)(text[i] < '0' || text[i] > '9') << i;
	return bits;
}

/*
 * The shape of a text of up to 16 bytes: [-]digits[.digits], at least one
 * digit before or behind the point, and no more than 15.
 */
static struct score_shape
shape_of(const char *text, uint32_t len, uint32_t others)
{
	struct score_shape shape = {.length = len, .others = others};
	uint32_t rest = others, digits = len;

	shape.negative = text[0] == '-';
	if (shape.negative)
		rest &= ~1u;
	digits -= shape.negative;
	/* One bit at most, and that the point's. */
	if (rest & (rest - 1))
		return shape;
	if (rest) {
		uint32_t at = 0;

		while (!(rest >> at & 1))
			at++;
		if (text[at] != '.')
			return shape;
		digits--;
	}
	shape.simple = digits >= 1 && digits <= 15;
	return shape;
}

/* -1, 0, 1 as the first differing byte says; the shapes are the same. */
static int
order_scalar(const char *x, const char *y, uint32_t len)
{
	int order = memcmp(x, y, len);

	return (order > 0) - (order < 0);
}

static inline void
note_order(struct list *list, struct entry *last, int order)
{
	last->tied = order == 0;
	list->rising |= order > 0;
}

/* The score before the last one; false where there is none. */
static bool
number_before(const struct list *list, const char *base,
    const struct score_shape *shape, double *number)
{
	const struct entry *before;

	if (list->n < 2)
		return false;
	before = &list->entries[list->n - 2];
	if (!before->score_length)
		return false;
	/* Simple shapes are passed on without their number. */
	*number = shape->number;
	if (shape->simple)
		number_parse(
		    base + before->score, before->score_length, number);
	return true;
}

/* Anything that is not the shape of the score before. */
static bool
note_other(struct list *list, const char *base, struct entry *last)
{
	const struct score_shape before = list->shape;
	const char *text = base + last->score;
	uint32_t len = last->score_length;
	double x, y;

	list->shape = (struct score_shape){.length = len};
	if (len <= VECTOR)
		list->shape = shape_of(text, len, others_of(text, len));
	/* Once it rises, order and ties are told from the numbers anyway. */
	if (list->by_score && list->rising && list->shape.simple)
		return true;
	if (number_parse(text, len, &y) < 0)
		return false;
	list->shape.number = y;
	if (number_before(list, base, &before, &x))
		note_order(list, last, (y > x) - (y < x));
	return true;
}

#if HAVE_VECTOR
/* The same shape as the score before: 16 bytes at once. */
static inline bool
note_vector(struct list *list, const char *base, struct entry *last)
{
	const struct score_shape *shape = &list->shape;
	uint32_t mask = 0xffffu >> (VECTOR - shape->length), equal, digits;
	const char *text = base + last->score;
	const char *before = base + last[-1].score;
	__m128i x = _mm_loadu_si128((const __m128i *)(const void *)text);
	__m128i y = _mm_loadu_si128((const __m128i *)(const void *)before);
	__m128i d = _mm_sub_epi8(x, _mm_set1_epi8('0'));
	int at;

	equal = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(x, y));
	digits = (uint32_t)_mm_movemask_epi8(
	    _mm_cmpeq_epi8(_mm_min_epu8(d, _mm_set1_epi8(9)), d));
	/* No digits where there were none, and the same sign and point. */
	if ((~digits & mask) != shape->others || (shape->others & ~equal))
		return false;
	equal = ~equal & mask;
	last->tied = equal == 0;
	if (equal) {
		at = __builtin_ctz(equal);
		list->rising |= (text[at] > before[at]) != shape->negative;
	}
	return true;
}
#endif

static bool
note_scalar(struct list *list, const char *base, struct entry *last)
{
	const struct score_shape *shape = &list->shape;
	const char *text = base + last->score;
	const char *before = base + last[-1].score;
	size_t i;
	int order;

	if (others_of(text, shape->length) != shape->others)
		return false;
	for (i = 0; i < shape->length; i++)
		if ((shape->others >> i & 1) && text[i] != before[i])
			return false;
	order = order_scalar(text, before, shape->length);
	note_order(list, last, shape->negative ? -order : order);
	return true;
}

bool
score_note(struct list *list, const char *base, bool vector)
{
	struct entry *last = &list->entries[list->n - 1];

	last->tied = false;
	if (list->shape.simple && last->score_length == list->shape.length &&
	    list->n > 1 && last[-1].score_length == list->shape.length) {
#if HAVE_VECTOR
		if (vector ? note_vector(list, base, last)
			   : note_scalar(list, base, last))
			return true;
#else
		if (note_scalar(list, base, last))
			return true;
#endif
	}
	(void)vector;
	return note_other(list, base, last);
}
