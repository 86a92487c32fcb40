/*
 * Numbers are read and printed here alone.  setlocale is never called, so
 * strtod and printf keep the C locale's point.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* So few elements, and so small, are sorted by insertion. */
#define FEW 12
#define FEW_SIZE 64

static bool
digit(char c)
{
	return c >= '0' && c <= '9';
}

static const char *
digits(const char *p, const char *end)
{
	while (p < end && digit(*p))
		p++;
	return p;
}

/* Whether text is [+-] digits [. digits] [e [+-] digits], none empty. */
static bool
well_formed(const char *p, const char *end)
{
	const char *before, *point;
	size_t n;

	if (p < end && (*p == '+' || *p == '-'))
		p++;
	before = p;
	p = digits(p, end);
	n = (size_t)(p - before);
	if (p < end && *p == '.') {
		point = p + 1;
		p = digits(point, end);
		n += (size_t)(p - point);
	}
	if (n == 0)
		return false;
	if (p < end && (*p == 'e' || *p == 'E')) {
		p++;
		if (p < end && (*p == '+' || *p == '-'))
			p++;
		if (p == end || !digit(*p))
			return false;
		p = digits(p, end);
	}
	return p == end;
}

/*
 * [-]digits[.digits] of up to 15 digits: both the digits and the power of ten
 * are doubles without rounding, so one division rounds as strtod does.
 */
static bool
parse_plain(const char *p, size_t len, double *number)
{
	static const double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7,
	    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
	const char *end = p + len, *point = NULL, *begin;
	uint64_t n = 0;
	bool negative;
	unsigned d;

	if (len > 17)
		return false;
	negative = len && *p == '-';
	p += negative;
	for (begin = p; p < end; p++) {
		d = (unsigned)(unsigned char)*p - '0';
		if (d <= 9)
			n = n * 10 + d;
		else if (*p == '.' && !point)
			point = p;
		else
			return false;
	}
	len = (size_t)(end - begin) - (point != NULL);
	if (len == 0 || len > 15)
		return false;
	*number = (double)n;
	if (point)
		*number /= powers[end - point - 1];
	if (negative)
		*number = -*number;
	return true;
}

int
number_parse(const char *text, size_t len, double *number)
{
	char copy[64], *p = copy;
	double d;

	if (parse_plain(text, len, number))
		return 0;
	if (!well_formed(text, text + len))
		return -1;
	if (len >= sizeof(copy))
		p = checked_realloc(NULL, len + 1);
	memcpy(p, text, len);
	p[len] = '\0';
	d = strtod(p, NULL);
	if (p != copy)
		free(p);
	if (!isfinite(d))
		return -1;
	*number = d;
	return 0;
}

int
integer_parse(const char *text, size_t len, int64_t *number)
{
	bool negative = len && text[0] == '-';
	size_t i = len && (text[0] == '-' || text[0] == '+');
	uint64_t n = 0, limit = (uint64_t)INT64_MAX + negative;
	unsigned d;

	if (i == len)
		return -1;
	for (; i < len; i++) {
		if (!digit(text[i]))
			return -1;
		d = (unsigned)(text[i] - '0');
		if (n > (limit - d) / 10)
			return -1;
		n = n * 10 + d;
	}
	if (negative)
		*number = n == limit ? INT64_MIN : -(int64_t)n;
	else
		*number = (int64_t)n;
	return 0;
}

void
number_print(struct buf *buf, double number)
{
	char text[32];
	int precision;

	if (!isfinite(number)) {
		buf_puts(buf, "null");
		return;
	}
	if (number == 0)
		number = 0; /* no minus zero in a report */
	for (precision = 15; precision <= 17; precision++) {
		snprintf(text, sizeof(text), "%.*g", precision, number);
		if (strtod(text, NULL) == number)
			break;
	}
	buf_puts(buf, text);
}

/* By insertion; the element in hand is held in a place of its own. */
static void
sort_few(
    char *p, size_t n, size_t size, int (*compare)(const void *, const void *))
{
	char held[FEW_SIZE];
	size_t i, k;

	for (i = 1; i < n; i++) {
		k = i;
		while (k && compare(p + (k - 1) * size, p + i * size) > 0)
			k--;
		if (k == i)
			continue;
		memcpy(held, p + i * size, size);
		memmove(p + (k + 1) * size, p + k * size, (i - k) * size);
		memcpy(p + k * size, held, size);
	}
}

void
sort(void *items, size_t n, size_t size,
    int (*compare)(const void *, const void *))
{
	const char *p = items;
	size_t i;

	if (n <= FEW && size <= FEW_SIZE) {
		sort_few(items, n, size, compare);
		return;
	}
	for (i = 1; i < n; i++)
		if (compare(p + (i - 1) * size, p + i * size) > 0)
			break;
	if (i < n)
		qsort(items, n, size, compare);
}

int
compare_text(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

int
compare_double(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}
