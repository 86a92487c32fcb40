/* Growing text, and text of users made safe to show. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

void
buf_init(struct buf *buf)
{
	/* Never written to: cap 0 makes the first addition allocate. */
	static char empty[1];

	*buf = (struct buf){.data = empty};
}

void
buf_free(struct buf *buf)
{
	if (buf->cap)
		free(buf->data);
	buf_init(buf);
}

/* Room for len more bytes and the NUL. */
static void
reserve(struct buf *buf, size_t len)
{
	size_t cap;

	if (len > SIZE_MAX / 4 || buf->len > SIZE_MAX / 4)
		out_of_memory();
	if (buf->len + len + 1 <= buf->cap)
		return;
	cap = buf->cap ? buf->cap * 2 : 256;
	if (cap < buf->len + len + 1)
		cap = buf->len + len + 1;
	buf->data = checked_realloc(buf->cap ? buf->data : NULL, cap);
	buf->cap = cap;
}

void
buf_add(struct buf *buf, const void *data, size_t len)
{
	reserve(buf, len);
	if (len)
		memcpy(buf->data + buf->len, data, len);
	buf->len += len;
	buf->data[buf->len] = '\0';
}

void
buf_puts(struct buf *buf, const char *text)
{
	buf_add(buf, text, strlen(text));
}

void
buf_putc(struct buf *buf, char c)
{
	buf_add(buf, &c, 1);
}

void
buf_printf(struct buf *buf, const char *fmt, ...)
{
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	if (len < 0)
		return;
	reserve(buf, (size_t)len);
	va_start(args, fmt);
	vsnprintf(buf->data + buf->len, (size_t)len + 1, fmt, args);
	va_end(args);
	buf->len += (size_t)len;
}

/*
 * Code points that reorder or hide what stands around them, or that nobody
 * sees (Unicode: Default_Ignorable_Code_Point, but for variation selectors,
 * which belong to what is before them).
 */
static bool
deceives(unsigned c)
{
	static const struct {
		unsigned first, last;
	} ranges[] = {
	    {0x80, 0x9f}, /* C1 controls */
	    {0xad, 0xad}, /* soft hyphen */
	    {0x34f, 0x34f}, /* combining grapheme joiner */
	    {0x61c, 0x61c}, /* Arabic letter mark */
	    {0x115f, 0x1160}, /* Hangul fillers */
	    {0x17b4, 0x17b5}, /* Khmer inherent vowels */
	    {0x180e, 0x180e}, /* Mongolian vowel separator */
	    {0x200b, 0x200f}, /* zero width; direction marks */
	    {0x2028, 0x202e}, /* line ends; overrides of direction */
	    {0x2060, 0x206f}, /* invisible operators; isolates */
	    {0x3164, 0x3164}, /* Hangul filler */
	    {0xfeff, 0xfeff}, /* byte order mark */
	    {0xffa0, 0xffa0}, /* half width Hangul filler */
	    {0xfff0, 0xfffb}, /* interlinear annotations */
	    {0xe0000, 0xe00ff}, /* tags */
	};
	size_t i;

	for (i = 0; i < COUNT(ranges); i++)
		if (c >= ranges[i].first && c <= ranges[i].last)
			return true;
	/* No character is U+nFFFE or U+nFFFF. */
	return (c & 0xfffe) == 0xfffe;
}

static unsigned
decode(const unsigned char *p, size_t n)
{
	unsigned c = n == 1 ? p[0] : p[0] & (0x7f >> n);
	size_t i;

	for (i = 1; i < n; i++)
		c = c << 6 | (p[i] & 0x3f);
	return c;
}

static void
put_control(struct buf *buf, unsigned char c)
{
	switch (c) {
	case '\n':
		buf_puts(buf, "\\n");
		break;
	case '\r':
		buf_puts(buf, "\\r");
		break;
	case '\t':
		buf_puts(buf, "\\t");
		break;
	default:
		buf_printf(buf, "\\x%02x", c);
	}
}

/* Whether what is appended would be the first of its line but for blanks. */
static bool
line_begins(const struct buf *buf)
{
	size_t i = buf->len;

	while (i > 0 && buf->data[i - 1] == ' ')
		i--;
	return i == 0 || buf->data[i - 1] == '\n';
}

/*
 * What the log of a CI job would obey: "::error::" at the start of a line,
 * "##[error]" and "##vso[" anywhere.
 */
static bool
commands(const struct buf *buf, const char *p)
{
	if (*p == ':')
		return p[1] == ':' && line_begins(buf);
	if (p[0] != '#' || p[1] != '#')
		return false;
	p += 2 + strspn(p + 2, "abcdefghijklmnopqrstuvwxyz");
	return *p == '[';
}

void
buf_put_visible(struct buf *buf, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t n;
	unsigned c;

	for (; *p; p += n) {
		/* The NUL ends any sequence, so len needs no bound. */
		n = utf8_sequence(p, 4);
		c = n ? decode(p, n) : 0;
		if (!n) {
			n = 1;
			buf_printf(buf, "\\x%02x", *p);
		} else if (c < 0x20 || c == 0x7f) {
			put_control(buf, *p);
		} else if (commands(buf, (const char *)p)) {
			buf_printf(buf, "\\x%02x", *p);
		} else if (deceives(c)) {
			buf_printf(buf, "\\u{%04X}", c);
		} else {
			buf_add(buf, p, n);
		}
	}
}
