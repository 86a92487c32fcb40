/* A file's text, its lines, and the fields of a line. */
#include <string.h>

#include "internal.h"

size_t
text_line(const struct text *text, size_t offset)
{
	const char *p = text->data, *end = text->data + offset;
	size_t line = 1;

	while ((p = memchr(p, '\n', (size_t)(end - p)))) {
		line++;
		p++;
	}
	return line;
}

static bool
blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

char
text_first(const struct text *text)
{
	const char *p = text->data;

	while (blank(*p))
		p++;
	return *p;
}

int
text_open(struct text *text, struct buf *buf, const char *file, struct error *e)
{
	const char *nul;
	size_t bad;

	*text = (struct text){.file = file, .data = buf->data, .len = buf->len};
	if (text->len >= 3 && memcmp(text->data, "\xef\xbb\xbf", 3) == 0) {
		text->data += 3;
		text->len -= 3;
	}
	nul = memchr(text->data, '\0', text->len);
	if (nul)
		return fail_at(e, file,
		    text_line(text, (size_t)(nul - text->data)),
		    "holds a NUL byte; it is no text file, or was cut off");
	bad = utf8_check(text->data, text->len);
	if (bad < text->len)
		return fail_at(e, file, text_line(text, bad),
		    "byte 0x%02x is no UTF-8; convert the file to UTF-8",
		    (unsigned char)text->data[bad]);
	if (!text_first(text))
		return fail_at(e, file, 1, "is empty");
	return 0;
}

bool
fields_next(struct fields_reader *reader, struct fields *fields)
{
	char *p, *end;

	while (reader->next < reader->end) {
		p = reader->next;
		end = memchr(p, '\n', (size_t)(reader->end - p));
		if (!end)
			end = reader->end;
		reader->next = end + 1;
		fields->line = reader->line++;
		fields->n = 0;
		while (p < end) {
			while (p < end && blank(*p))
				p++;
			if (p == end || (fields->n == 0 && *p == '#'))
				break;
			if (fields->n < COUNT(fields->at))
				fields->at[fields->n] = p;
			fields->n++;
			while (p < end && !blank(*p))
				p++;
			if (p < end)
				*p++ = '\0';
		}
		/* The text is NUL-terminated, so the last field is too. */
		*end = '\0';
		if (fields->n)
			return true;
	}
	return false;
}

size_t
fields_count_first(const struct text *text, bool *last_is_integer)
{
	const char *p = text->data, *end, *begin = NULL;
	size_t n = 0;
	int64_t number;

	for (;;) {
		while (blank(*p))
			p++;
		if (*p != '#')
			break;
		p += strcspn(p, "\n");
	}
	end = p + strcspn(p, "\n");
	while (p < end) {
		while (p < end && blank(*p))
			p++;
		if (p == end)
			break;
		n++;
		begin = p;
		while (p < end && !blank(*p))
			p++;
		*last_is_integer =
		    integer_parse(begin, (size_t)(p - begin), &number) == 0;
	}
	return n;
}
