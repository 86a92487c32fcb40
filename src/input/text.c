/* A file's text, its lines, and the fields of a line. */
#include <stdlib.h>
#include <string.h>

#include "fast.h"

/* No list of results is that long; who holds it whole needs memory for it. */
#define LINE_MAX_BYTES ((size_t)256 << 20)

static size_t
count_lines(const char *data, size_t len)
{
	const char *p = data, *end = data + len;
	size_t n = 0;

	while (p < end && (p = memchr(p, '\n', (size_t)(end - p)))) {
		n++;
		p++;
	}
	return n;
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

/*
 * Of the first faults of each kind, the one that is told: a NUL byte, else
 * no UTF-8, else a line without end.
 */
struct faults {
	size_t nul, bad, long_line; /* lines, 0: none */
	unsigned char byte;
	size_t line;
	size_t length; /* of the line so far */
};

/* Whole lines and whole characters, but for the last piece. */
static void
find_faults(struct faults *f, const char *data, size_t len)
{
	const char *p = data, *end = data + len, *lf, *nul;
	bool plain = plain_text(data, len, HAVE_VECTOR);
	size_t bad;

	nul = f->nul || plain ? NULL : memchr(data, '\0', len);
	bad = f->bad || plain ? len : utf8_check(data, len);
	if (nul)
		f->nul = f->line + count_lines(data, (size_t)(nul - data));
	if (bad < len) {
		f->bad = f->line + count_lines(data, bad);
		f->byte = (unsigned char)data[bad];
	}
	while (p < end) {
		lf = memchr(p, '\n', (size_t)(end - p));
		f->length += (size_t)((lf ? lf : end) - p);
		if (f->length > LINE_MAX_BYTES && !f->long_line)
			f->long_line = f->line;
		if (!lf)
			break;
		f->length = 0;
		f->line++;
		p = lf + 1;
	}
}

static int
tell_faults(const struct faults *f, const char *file, struct error *e)
{
	if (f->nul)
		return fail_at(e, file, f->nul,
		    "holds a NUL byte; it is no text file, or was cut off");
	if (f->bad)
		return fail_at(e, file, f->bad,
		    "byte 0x%02x is no UTF-8; convert the file to UTF-8",
		    f->byte);
	if (f->long_line)
		return fail_at(e, file, f->long_line,
		    "the line is longer than 256 MiB; write a question or a "
		    "result a line");
	return 0;
}

int
text_open(struct text *text, struct buf *buf, const char *file, struct error *e)
{
	struct faults faults = {.line = 1};

	*text = (struct text){.file = file, .data = buf->data, .len = buf->len};
	if (text->len >= 3 && memcmp(text->data, "\xef\xbb\xbf", 3) == 0) {
		text->data += 3;
		text->len -= 3;
	}
	find_faults(&faults, text->data, text->len);
	if (tell_faults(&faults, file, e) < 0)
		return -1;
	if (!text_first(text))
		return fail_at(e, file, 1, "is empty");
	return 0;
}

/* How many of the last bytes may be a character whose rest is to come. */
static size_t
unfinished(const char *data, size_t len)
{
	size_t n;
	unsigned char c;

	for (n = 1; n <= 3 && n <= len; n++) {
		c = (unsigned char)data[len - n];
		if (c >= 0xc0)
			return (c >= 0xf0          ? 4u
				       : c >= 0xe0 ? 3u
						   : 2u) > n
			    ? n
			    : 0;
		if (c < 0x80)
			return 0;
	}
	return 0;
}

int
text_stream_fault(struct stream *stream, const char *file, struct error *e)
{
	static const size_t size = 256 * 1024;
	struct faults faults = {.line = 1};
	char *data = memory_resize(NULL, size, 1);
	size_t got, len = 0, rest;
	int rc;

	rc = stream_rewind(stream, e);
	while (rc == 0) {
		rc = stream_read(stream, data + len, size - len, &got, e);
		if (rc < 0)
			break;
		len += got;
		rest = got ? unfinished(data, len) : 0;
		find_faults(&faults, data, len - rest);
		memmove(data, data + len - rest, rest);
		len = rest;
		if (!got)
			break;
	}
	free(data);
	if (rc < 0)
		return -1;
	return tell_faults(&faults, file, e) < 0;
}

/* What a byte is to the fields of a line. */
enum byte { IN_FIELD, BLANK, LINE_END };

static inline enum byte
byte_of(char c)
{
	/* NUL is the text's end alone. */
	static const unsigned char table[256] = {
	    [0] = LINE_END,
	    ['\t'] = BLANK,
	    ['\n'] = LINE_END,
	    ['\v'] = BLANK,
	    ['\f'] = BLANK,
	    ['\r'] = BLANK,
	    [' '] = BLANK,
	};

	return (enum byte)table[(unsigned char)c];
}

/* Cuts one line; where it ends, all of whose last field is cut off too. */
static char *
cut_line(char *p, struct fields *fields)
{
	fields->n = 0;
	for (;;) {
		while (byte_of(*p) == BLANK)
			p++;
		if (byte_of(*p) == LINE_END)
			return p;
		if (fields->n == 0 && *p == '#')
			return p + strcspn(p, "\n");
		if (fields->n < COUNT(fields->at))
			fields->at[fields->n] = p;
		fields->n++;
		while (byte_of(*p) == IN_FIELD)
			p++;
		if (byte_of(*p) == LINE_END)
			return p;
		*p++ = '\0';
	}
}

/* Where a cell's text begins and ends, without the blanks around it. */
static char *
trim(char *begin, char **end)
{
	while (begin < *end && blank(*begin))
		begin++;
	while (*end > begin && blank((*end)[-1]))
		--*end;
	return begin;
}

/* Whether there are cells to cut: a tab, and no comment or blank line. */
static bool
has_cells(const char *line)
{
	size_t n = strcspn(line, "\n"), first;

	first = strspn(line, " \t\v\f\r");
	return memchr(line, '\t', n) && first < n && line[first] != '#';
}

/* Whether a line is three cells with something in them, tabs between. */
static bool
three_cells(const char *line)
{
	const char *end = line + strcspn(line, "\n");
	size_t n = 0;
	bool filled;

	for (; line <= end; line++) {
		filled = false;
		for (; line < end && *line != '\t'; line++)
			filled |= !blank(*line);
		if (!filled)
			return false;
		n++;
	}
	return n == 3;
}

/* The same by tabs alone: there may be blanks inside the cells. */
static char *
cut_cells(char *p, struct fields *fields)
{
	char *end = p + strcspn(p, "\n"), *cell_end;

	fields->n = 0;
	for (; p <= end && fields->n < COUNT(fields->at); p = cell_end + 1) {
		char *to = cell_end = p + strcspn(p, "\t\n");

		fields->at[fields->n++] = trim(p, &to);
		if (to < end)
			*to = '\0';
	}
	return end;
}

bool
fields_next(struct fields_reader *reader, struct fields *fields)
{
	char *end;

	while (reader->next < reader->end) {
		if (reader->tabs && has_cells(reader->next))
			end = cut_cells(reader->next, fields);
		else
			end = cut_line(reader->next, fields);
		*end = '\0';
		reader->next = end + 1;
		fields->line = reader->line++;
		if (fields->n)
			return true;
	}
	return false;
}

const char *
fields_first(const struct text *text)
{
	const char *p = text->data;

	for (;;) {
		while (blank(*p))
			p++;
		if (*p != '#')
			return p;
		p += strcspn(p, "\n");
	}
}

bool
fields_first_is_tabs(const struct text *text)
{
	return three_cells(fields_first(text));
}

size_t
fields_count_first(const struct text *text, bool *last_is_integer)
{
	const char *p = fields_first(text), *end, *begin = NULL;
	size_t n = 0;
	int64_t number;

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
