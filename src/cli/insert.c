/* Waivers inserted into a config, of which nothing else is touched. */
#include <string.h>

#include "cli.h"

#define PASTE "paste what `evalgate accept` prints without --write"

const char *
indented(struct arena *arena, const char *lines, size_t columns)
{
	const char *text, *end;
	struct buf out;
	size_t i;

	buf_init(&out);
	for (; *lines; lines = end + 1) {
		end = strchr(lines, '\n');
		for (i = 0; i < columns; i++)
			buf_putc(&out, ' ');
		buf_add(&out, lines, (size_t)(end - lines) + 1);
	}
	text = arena_strdup(arena, out.data);
	buf_free(&out);
	return text;
}

/* Lines that end as those of the text do. */
static const char *
ended_as(struct arena *arena, const char *text, const char *lines)
{
	const char *first = strchr(text, '\n'), *made;
	struct buf out;

	if (!first || first == text || first[-1] != '\r')
		return lines;
	buf_init(&out);
	for (; *lines; lines++) {
		if (*lines == '\n')
			buf_putc(&out, '\r');
		buf_putc(&out, *lines);
	}
	made = arena_strdup(arena, out.data);
	buf_free(&out);
	return made;
}

/* The line that begins with "waivers:" at the first column; NULL: none. */
static const char *
find_key(const char *text)
{
	const char *line = text;

	for (;;) {
		if (strncmp(line, "waivers:", 8) == 0)
			return line;
		line += strcspn(line, "\n");
		if (!*line)
			return NULL;
		line++;
	}
}

static const char *
skip_blanks(const char *p)
{
	return p + strspn(p, " \t\r");
}

/*
 * Where "waivers:" ends, be it with an empty list behind it; NULL where more
 * stands on its line than a comment.  *bare: where its word ends.
 */
static const char *
find_block(const char *key, const char **bare)
{
	const char *p = skip_blanks(key + 8), *close;

	*bare = p;
	if (*p == '[') {
		close = skip_blanks(p + 1);
		if (*close != ']')
			return NULL;
		*bare = key + 8;
		p = close + 1;
	}
	return strchr("\n#", *skip_blanks(p)) ? p : NULL;
}

/* The columns before the first item's dash, 2 where there is none. */
static size_t
indent_of(const char *after)
{
	size_t n;

	while (*after) {
		n = strspn(after, " ");
		if (after[n] == '-')
			return n;
		if (after[n] != '#' && after[n] != '\n' && after[n] != '\r')
			break;
		after += strcspn(after, "\n");
		after += *after == '\n';
	}
	return 2;
}

/* The config with the lines in it; NULL where no place for them is seen. */
static const char *
insert(struct arena *arena, const char *text, const char *lines)
{
	const char *key = find_key(text), *bare, *rest, *after;
	size_t len = strlen(text);

	if (!key)
		return arena_printf(arena, "%s%s", text,
		    ended_as(arena, text,
			arena_printf(arena, "%swaivers:\n%s",
			    len && text[len - 1] != '\n' ? "\n" : "",
			    indented(arena, lines, 2))));
	rest = find_block(key, &bare);
	if (!rest)
		return NULL;
	after = rest + strcspn(rest, "\n");
	lines = indented(arena, lines, *after ? indent_of(after + 1) : 2);
	if (*after)
		after++;
	else
		lines = arena_printf(arena, "\n%s", lines);
	return arena_printf(arena, "%.*s%.*s%s%s", (int)(bare - text), text,
	    (int)(after - rest), rest, ended_as(arena, text, lines), after);
}

/* It must still be a config, with all that it had and the waivers. */
static int
check(struct session *s, const char *text)
{
	struct error e = {.arena = s->arena};
	struct source source = {s->config.file, 1, text, strlen(text)};
	const struct value *tree = yaml_read(s->arena, &source, &e);
	struct rules rules;

	if (!tree ||
	    suite_choose(s->arena, source.name, s->options.suite, &tree, &e) <
		0 ||
	    rules_read(s->arena, tree, source.name, &rules, &e) < 0)
		return fail_at(s->e, s->config.file, e.items[0].line,
		    "would be no config with these waivers in it (%s); " PASTE,
		    e.items[0].text);
	if (rules.nwaivers > s->config.rules.nwaivers)
		return 0;
	return fail_at(s->e, s->config.file, value_get(tree, "waivers")->line,
	    "suite '%s' has waivers of its own; " PASTE, s->config.suite);
}

/* Where a key stands: how many lines end before it, and one. */
static size_t
line_of(const char *text, const char *key)
{
	size_t n = 1;

	for (; text < key; text++)
		n += *text == '\n';
	return n;
}

int
waivers_insert(struct session *s, const char *lines)
{
	const char *made;
	struct buf text;
	int rc = -1;

	if (!s->config.file)
		return fail(s->e, "there is no config to insert waivers into");
	buf_init(&text);
	if (file_read(s->config.file, &text, s->e) == 0) {
		made = insert(s->arena, text.data, lines);
		if (!made)
			fail_at(s->e, s->config.file,
			    line_of(text.data, find_key(text.data)),
			    "its waivers are not a list of lines; " PASTE);
		else if (check(s, made) == 0)
			rc = file_write(
			    s->config.file, made, strlen(made), s->e);
	}
	buf_free(&text);
	return rc;
}
