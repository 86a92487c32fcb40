/*
 * The strict reading of JSON (RFC 8259) that comes before cJSON's lenient
 * one: what passes here has one meaning.  It also notes what cJSON forgets:
 * lines, and the digits of numbers as written.
 */
#include <string.h>

#include "internal.h"

struct scan {
	const struct source *text;
	size_t at; /* offset of the next byte */
	size_t line;
	int depth;
	struct buf *notes;
	struct error *e;
};

static int scan_value(struct scan *s);

/* The byte that stands n after the next one, -1 past the end. */
static int
peek(const struct scan *s, size_t n)
{
	if (n >= s->text->len - s->at)
		return -1;
	return (unsigned char)s->text->data[s->at + n];
}

static bool
digit(int c)
{
	return c >= '0' && c <= '9';
}

static void
skip_blanks(struct scan *s)
{
	int c;

	while ((c = peek(s, 0)) == ' ' || c == '\t' || c == '\n' || c == '\r') {
		s->line += c == '\n';
		s->at++;
	}
}

static void
note(struct scan *s)
{
	struct json_note n = {.line = s->line, .offset = s->at};

	buf_add(s->notes, &n, sizeof(n));
}

#define FAULT(s, ...) fail_at((s)->e, (s)->text->name, (s)->line, __VA_ARGS__)

/* The word that stands here, for a message. */
static const char *
word(const struct scan *s)
{
	size_t n = 0;
	int c;

	while (n < 20 && (c = peek(s, n)) > ' ' && !strchr(",:[]{}\"", c))
		n++;
	if (n == 0 && peek(s, 0) > ' ')
		n = 1;
	while (n && n < s->text->len - s->at && (peek(s, n) & 0xc0) == 0x80)
		n--; /* no half characters */
	return arena_strndup(s->e->arena, s->text->data + s->at, n);
}

/* What other languages write, and what JSON wants instead. */
static const char *
mend(const char *found)
{
	static const char *const mends[][2] = {
	    {"NaN", "write null or a number"},
	    {"nan", "write null or a number"},
	    {"-NaN", "write null or a number"},
	    {"Infinity", "write null or a number"},
	    {"-Infinity", "write null or a number"},
	    {"inf", "write null or a number"},
	    {"-inf", "write null or a number"},
	    {"None", "write null"},
	    {"True", "write true"},
	    {"False", "write false"},
	    {"undefined", "write null"},
	};
	size_t i;

	for (i = 0; i < COUNT(mends); i++)
		if (strcmp(found, mends[i][0]) == 0)
			return mends[i][1];
	if (found[0] == '\'')
		return "write text in double quotes";
	if (found[0] == '/' || found[0] == '#')
		return "JSON has no comments";
	if (found[0] == '+')
		return "a number begins with a digit or '-'";
	if (found[0] == '.')
		return "a number needs a digit before its point";
	return "write text in double quotes";
}

static int
no_value(struct scan *s)
{
	const char *found = word(s);
	int c = peek(s, 0);

	if (c < 0)
		return FAULT(s, "the text ends where a value should stand");
	if (c == ',' || c == ']' || c == '}' || c == ':')
		return FAULT(s, "'%c' where a value should stand", c);
	if (c < ' ')
		return FAULT(s,
		    "control character 0x%02x where a value should stand",
		    (unsigned)c);
	return FAULT(s, "'%s' is not JSON: %s", found, mend(found));
}

static size_t
skip_digits(struct scan *s)
{
	size_t begin = s->at;

	while (digit(peek(s, 0)))
		s->at++;
	return s->at - begin;
}

static int
scan_number(struct scan *s)
{
	size_t begin = s->at;
	struct json_note *last;

	if (peek(s, 0) == '-' && !digit(peek(s, 1)))
		return no_value(s);
	s->at += peek(s, 0) == '-';
	if (peek(s, 0) == '0' && digit(peek(s, 1)))
		return FAULT(s,
		    "a number begins with 0: write it as text in "
		    "double quotes");
	skip_digits(s);
	if (peek(s, 0) == '.') {
		s->at++;
		if (!skip_digits(s))
			return FAULT(s,
			    "a number needs a digit after its "
			    "point");
	}
	if (peek(s, 0) == 'e' || peek(s, 0) == 'E') {
		s->at++;
		s->at += peek(s, 0) == '+' || peek(s, 0) == '-';
		if (!skip_digits(s))
			return FAULT(s,
			    "a number needs a digit after its "
			    "'e'");
	}
	last = (struct json_note *)(void *)(s->notes->data + s->notes->len) - 1;
	last->len = s->at - begin;
	return 0;
}

/* The four hexadecimal digits of \uXXXX whose 'u' is n bytes ahead. */
static int
unicode_escape(const struct scan *s, size_t n)
{
	static const char hex[] = "0123456789abcdef0123456789ABCDEF";
	const char *h;
	int c, value = 0;
	size_t i;

	for (i = 1; i <= 4; i++) {
		c = peek(s, n + i);
		h = c > 0 ? strchr(hex, c) : NULL;
		if (!h)
			return -1;
		value = value * 16 + (int)((h - hex) % 16);
	}
	return value;
}

static int
scan_unicode(struct scan *s)
{
	int first = unicode_escape(s, 1), second;

	if (first < 0)
		return FAULT(s, "\\u without four hexadecimal digits");
	if (first == 0)
		return FAULT(s, "\\u0000 in a text");
	s->at += 6;
	if (first < 0xd800 || first > 0xdfff)
		return 0;
	second = -1;
	if (peek(s, 0) == '\\' && peek(s, 1) == 'u')
		second = unicode_escape(s, 1);
	if (first > 0xdbff || second < 0xdc00 || second > 0xdfff)
		return FAULT(s, "\\u%04x is half a surrogate pair", first);
	s->at += 6;
	return 0;
}

/* Where lines are read one by one, the end of one is the end of all. */
static int
unclosed(struct scan *s)
{
	size_t at = s->at;

	while (at < s->text->len && strchr(" \t\r\n", s->text->data[at]))
		at++;
	if (at == s->text->len)
		return FAULT(s,
		    "the text ends inside double quotes: close them, or was "
		    "the file cut off?");
	return FAULT(
	    s, "a line ends inside double quotes: close them or write \\n");
}

static int
scan_escape(struct scan *s)
{
	int c = peek(s, 1);

	if (c == 'u')
		return scan_unicode(s);
	if (c < 0)
		return unclosed(s);
	if (!strchr("\"\\/bfnrt", c)) {
		if (c > ' ' && c < 0x7f)
			return FAULT(s, "unknown escape '\\%c'", c);
		return FAULT(s, "unknown escape: write '\\\\' for a backslash");
	}
	s->at += 2;
	return 0;
}

static int
scan_text(struct scan *s)
{
	int c;

	for (s->at++; (c = peek(s, 0)) != '"';) {
		if (c < 0 || c == '\n' || c == '\r')
			return unclosed(s);
		if (c < ' ')
			return FAULT(s,
			    "control character inside double quotes: "
			    "write \\u%04x",
			    (unsigned)c);
		if (c != '\\')
			s->at++;
		else if (scan_escape(s) < 0)
			return -1;
	}
	s->at++;
	return 0;
}

static int
scan_key(struct scan *s)
{
	int c = peek(s, 0);

	if (c == '}')
		return FAULT(s, "',' before '}' with nothing between");
	if (c != '"' && c >= 0)
		return FAULT(
		    s, "'%s' is no key: write text in double quotes", word(s));
	note(s);
	if (c < 0 || scan_text(s) < 0)
		return c < 0 ? 0 : -1; /* the caller tells the end */
	skip_blanks(s);
	c = peek(s, 0);
	if (c >= 0 && c != ':')
		return FAULT(s, "':' missing after a key");
	s->at += c == ':';
	return 0;
}

/* Behind an item: 1 when the container goes on, 0 when close ended it. */
static int
scan_comma(struct scan *s, char close)
{
	int c = peek(s, 0);

	if (c >= 0 && c != ',' && c != close)
		return FAULT(
		    s, "'%s' where ',' or '%c' should stand", word(s), close);
	s->at += c >= 0;
	return c != close;
}

static int
scan_items(struct scan *s, char close)
{
	size_t begin = s->line;
	int more = 1;

	s->at++;
	skip_blanks(s);
	if (peek(s, 0) == close) {
		s->at++;
		return 0;
	}
	while (more) {
		if (close == '}' && scan_key(s) < 0)
			return -1;
		skip_blanks(s);
		if (peek(s, 0) == ']' && close == ']')
			return FAULT(s, "',' before ']' with nothing between");
		if (peek(s, 0) >= 0 && scan_value(s) < 0)
			return -1;
		skip_blanks(s);
		more = scan_comma(s, close);
		if (more < 0)
			return -1;
		skip_blanks(s);
		if (more && peek(s, 0) < 0)
			return FAULT(s,
			    "the text ends before the '%c' of line %zu is "
			    "closed: close it, or was the file cut off?",
			    close == '}' ? '{' : '[', begin);
	}
	return 0;
}

static int
scan_nested(struct scan *s, char close)
{
	int rc;

	if (s->depth == NESTING_MAX)
		return FAULT(s, "lists and objects are nested deeper than %d",
		    NESTING_MAX);
	s->depth++;
	rc = scan_items(s, close);
	s->depth--;
	return rc;
}

static int
scan_word(struct scan *s, const char *expected)
{
	const char *found = word(s);

	if (strcmp(found, expected) != 0)
		return no_value(s);
	s->at += strlen(expected);
	return 0;
}

static int
scan_value(struct scan *s)
{
	int c = peek(s, 0);

	note(s);
	switch (c) {
	case '{':
		return scan_nested(s, '}');
	case '[':
		return scan_nested(s, ']');
	case '"':
		return scan_text(s);
	case 't':
		return scan_word(s, "true");
	case 'f':
		return scan_word(s, "false");
	case 'n':
		return scan_word(s, "null");
	default:
		if (c == '-' || digit(c))
			return scan_number(s);
		return no_value(s);
	}
}

int
json_scan(const struct source *text, struct buf *notes, struct error *e)
{
	struct scan s = {
	    .text = text,
	    .line = text->line,
	    .notes = notes,
	    .e = e,
	};

	skip_blanks(&s);
	if (peek(&s, 0) < 0)
		return FAULT(&s, "is empty: no JSON value");
	if (scan_value(&s) < 0)
		return -1;
	skip_blanks(&s);
	if (peek(&s, 0) >= 0)
		return FAULT(&s,
		    "more than one JSON value: '%s' follows the first",
		    word(&s));
	return 0;
}
