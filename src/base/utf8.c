/* UTF-8 as RFC 3629 has it: no overlong forms, no surrogates. */
#include <string.h>

#include "internal.h"

size_t
utf8_sequence(const unsigned char *p, size_t len)
{
	unsigned char low = 0x80, high = 0xbf;
	size_t n, i;

	if (len == 0)
		return 0;
	if (p[0] < 0x80)
		return 1;
	if (p[0] < 0xc2 || p[0] > 0xf4)
		return 0;
	n = p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
	if (len < n)
		return 0;
	/* The second byte's range depends on the first (RFC 3629, 4). */
	if (p[0] == 0xe0)
		low = 0xa0;
	else if (p[0] == 0xed)
		high = 0x9f;
	else if (p[0] == 0xf0)
		low = 0x90;
	else if (p[0] == 0xf4)
		high = 0x8f;
	if (p[1] < low || p[1] > high)
		return 0;
	for (i = 2; i < n; i++)
		if (p[i] < 0x80 || p[i] > 0xbf)
			return 0;
	return n;
}

size_t
utf8_check(const char *data, size_t len)
{
	const unsigned char *p = (const unsigned char *)data;
	size_t i = 0, n;

	while (i < len) {
		n = utf8_sequence(p + i, len - i);
		if (!n)
			return i;
		i += n;
	}
	return len;
}

size_t
utf8_width(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}
