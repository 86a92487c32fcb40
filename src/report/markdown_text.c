/* Text of users in Markdown: as it is to be read, and no markup of its own. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "internal.h"

#define CODE 200 /* characters of an id that are shown */

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* A list, a rule, a heading's line or code, where a line begins with it. */
static bool
opens_block(const char *p)
{
	size_t digits = strspn(p, "0123456789");

	return (*p && strchr(" -+=", *p)) ||
	    (digits && p[digits] && strchr(".)", p[digits]) &&
		!is_word(p[digits + 1]));
}

/* The '@' of recall@5, which names nobody and is no address. */
static bool
is_cutoff(const char *text, const char *p)
{
	size_t digits = strspn(p + 1, "0123456789");
	char after = p[1 + digits];

	return p > text && is_word(p[-1]) && digits && !is_word(after) &&
	    (!after || !strchr("._-", after));
}

/* ":tada:", which a forge shows as a picture. */
static bool
is_emoji(const char *p)
{
	size_t n = strspn(p + 1, "abcdefghijklmnopqrstuvwxyz0123456789_+-");

	return n > 0 && p[1 + n] == ':';
}

/*
 * What GitHub and GitLab take for a mention, an issue, a merge request, a
 * label, a milestone, a snippet, a picture or an address.
 */
static bool
refers(const char *text, const char *p)
{
	if (*p == '@')
		return !is_cutoff(text, p);
	if (*p == ':')
		return strncmp(p, "://", 3) == 0 || is_emoji(p);
	return strchr("#!~%$&", *p) && (is_word(p[1]) || p[1] == '"');
}

/*
 * A whole id of a commit: a document's id may be one, too.  A short one of
 * ours may become a link.
 */
static bool
is_object(const char *text, const char *p)
{
	size_t n = strspn(p, "0123456789abcdefABCDEF");

	return (n == 40 || n == 64) && !is_word(p[n]) &&
	    (p == text || !is_word(p[-1]));
}

/* Words that refer without a sign of their own: www.x.org, GH-12. */
static bool
begins_reference(const char *text, const char *p)
{
	return strncasecmp(p, "www.", 4) == 0 ||
	    (strncasecmp(p, "gh-", 3) == 0 && isdigit((unsigned char)p[3])) ||
	    is_object(text, p);
}

static bool
is_markup(const char *text, const char *p)
{
	/* Within a word it is itself. */
	if (*p == '_' && p > text && is_word(p[-1]) && is_word(p[1]))
		return false;
	return strchr("&<>\\|`*_[]~#$", *p) || (p == text && opens_block(p));
}

/*
 * What could be markup becomes a character reference.  A reference alone is
 * not enough where the forge looks for references in the finished text: there
 * an empty comment parts the text in two.
 */
static void
put_escaped(struct buf *out, const char *text)
{
	const char *p;

	for (p = text; *p; p++) {
		if (refers(text, p))
			buf_printf(out, "&#%d;<!-- -->", *p);
		else if (begins_reference(text, p))
			buf_printf(out, "%c<!-- -->", *p);
		else if (is_markup(text, p))
			buf_printf(out, "&#%d;", *p);
		else
			buf_putc(out, *p);
	}
}

void
markdown_text(struct buf *out, const char *text, size_t max)
{
	struct arena *arena = arena_new();

	put_escaped(out, visible_start(arena, text, max));
	arena_free(arena);
}

void
markdown_code(struct buf *out, const char *text)
{
	buf_puts(out, "<code>");
	markdown_text(out, text, CODE);
	buf_puts(out, "</code>");
}

bool
markdown_put(struct markdown *md)
{
	bool fits = md->out->len + md->item.len <= md->end;

	if (fits)
		buf_add(md->out, md->item.data, md->item.len);
	buf_free(&md->item);
	return fits;
}
