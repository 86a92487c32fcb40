/* What YAML and JSON ask of their bytes alike: UTF-8 without NUL. */
#include <string.h>

#include "internal.h"

size_t
source_line(const struct source *source, size_t offset)
{
	const char *p = source->data, *end = p + offset, *lf;
	size_t line = source->line;

	while (p < end && (lf = memchr(p, '\n', (size_t)(end - p)))) {
		line++;
		p = lf + 1;
	}
	return line;
}

/* Editors of Windows still write UTF-16; its marks are no UTF-8. */
static bool
utf16(const struct source *source)
{
	return source->len >= 2 &&
	    (memcmp(source->data, "\xff\xfe", 2) == 0 ||
		memcmp(source->data, "\xfe\xff", 2) == 0);
}

int
source_open(const struct source *source, struct source *text, struct error *e)
{
	size_t bad;
	const char *nul;

	*text = *source;
	if (utf16(source))
		return fail_at(e, source->name, source->line,
		    "is UTF-16: save it as UTF-8");
	if (text->len >= 3 && memcmp(text->data, "\xef\xbb\xbf", 3) == 0) {
		text->data += 3;
		text->len -= 3;
	}
	bad = utf8_check(text->data, text->len);
	if (bad < text->len)
		return fail_at(e, source->name, source_line(text, bad),
		    "byte 0x%02x is no UTF-8: save it as UTF-8",
		    (unsigned char)text->data[bad]);
	nul = text->len ? memchr(text->data, '\0', text->len) : NULL;
	if (nul)
		return fail_at(e, source->name,
		    source_line(text, (size_t)(nul - text->data)),
		    "NUL byte: save it as UTF-8 text");
	return 0;
}
