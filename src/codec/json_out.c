/* JSON out, member by member, in the order of the calls. */
#include <inttypes.h>
#include <string.h>

#include "internal.h"

void
json_init(struct json *json, struct buf *out, int pretty)
{
	*json = (struct json){.out = out, .pretty = pretty};
}

static void
new_line(struct json *json)
{
	int i;

	buf_putc(json->out, '\n');
	for (i = 0; i < json->depth; i++)
		buf_putc(json->out, ' ');
}

/* What stands before a value: comma, line break, key. */
static void
begin(struct json *json, const char *key)
{
	bool pretty = json->depth <= json->pretty;

	if (json->comma)
		buf_putc(json->out, ',');
	if (json->depth && pretty)
		new_line(json);
	json->comma = true;
	if (!key)
		return;
	buf_putc(json->out, '"');
	json_escape(json->out, key);
	buf_puts(json->out, pretty ? "\": " : "\":");
}

void
json_open(struct json *json, const char *key, char bracket)
{
	begin(json, key);
	buf_putc(json->out, bracket);
	json->depth++;
	json->comma = false;
}

void
json_close(struct json *json, char bracket)
{
	bool pretty = json->depth <= json->pretty;

	json->depth--;
	if (json->comma && pretty)
		new_line(json);
	buf_putc(json->out, bracket == '{' || bracket == '}' ? '}' : ']');
	json->comma = true;
}

void
json_text(struct json *json, const char *key, const char *text)
{
	if (!text) {
		json_null(json, key);
		return;
	}
	begin(json, key);
	buf_putc(json->out, '"');
	json_escape(json->out, text);
	buf_putc(json->out, '"');
}

void
json_number(struct json *json, const char *key, double number)
{
	begin(json, key);
	number_print(json->out, number);
}

void
json_integer(struct json *json, const char *key, int64_t number)
{
	begin(json, key);
	buf_printf(json->out, "%" PRId64, number);
}

void
json_bool(struct json *json, const char *key, bool flag)
{
	begin(json, key);
	buf_puts(json->out, flag ? "true" : "false");
}

void
json_null(struct json *json, const char *key)
{
	begin(json, key);
	buf_puts(json->out, "null");
}

static void
escape_ascii(struct buf *out, char c)
{
	static const char plain[] = "\"\\\b\f\n\r\t";
	static const char escaped[] = "\"\\bfnrt";
	const char *p = strchr(plain, c);

	if (p)
		buf_printf(out, "\\%c", escaped[p - plain]);
	else if ((unsigned char)c < 0x20)
		buf_printf(out, "\\u%04x", (unsigned)c);
	else
		buf_putc(out, c);
}

/* Bytes of the character at p, 0 when it is no UTF-8. */
static size_t
character(const char *p)
{
	unsigned char c = (unsigned char)*p;
	size_t n = c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;

	return strnlen(p, n) == n && utf8_check(p, n) == n ? n : 0;
}

void
json_escape(struct buf *out, const char *text)
{
	const char *p = text, *run;
	size_t n;

	while (*p) {
		for (run = p; (unsigned char)*p >= 0x20 && *p != '"' &&
		     *p != '\\' && (unsigned char)*p < 0x80;)
			p++;
		buf_add(out, run, (size_t)(p - run));
		if (!*p)
			return;
		if ((unsigned char)*p < 0x80) {
			escape_ascii(out, *p++);
			continue;
		}
		n = character(p);
		if (!n)
			buf_puts(out, "\\ufffd");
		else if (memcmp(p, "\xe2\x80\xa8", 3) == 0)
			buf_puts(out, "\\u2028"); /* line ends in JavaScript */
		else if (memcmp(p, "\xe2\x80\xa9", 3) == 0)
			buf_puts(out, "\\u2029");
		else
			buf_add(out, p, n);
		p += n ? n : 1;
	}
}
