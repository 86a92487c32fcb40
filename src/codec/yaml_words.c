/* libyaml's messages in words that say how to mend the file. */
#include <string.h>

#include "internal.h"

static const struct {
	const char *problem; /* as libyaml has it */
	bool at_context; /* the fault is where the construct began */
	const char *words;
} table[] = {
    {"mapping values are not allowed in this context", false,
	"': ' out of place: indent this line like its neighbours, or put "
	"text that holds ': ' in quotes"},
    {"could not find expected ':'", true, "':' missing after a key"},
    {"did not find expected key", false,
	"no key where one should stand: check indentation and quotes"},
    {"did not find expected '-' indicator", false,
	"no '- ' where one should stand: check indentation and quotes"},
    {"did not find expected ',' or ']'", true,
	"',' or ']' missing in the list that '[' begins"},
    {"did not find expected ',' or '}'", true,
	"',' or '}' missing in the map that '{' begins"},
    {"did not find expected node content", false, "a key or value is missing"},
    {"block sequence entries are not allowed in this context", false,
	"an item '- ' can't stand here: begin it on a line of its own"},
    {"mapping keys are not allowed in this context", false,
	"a key can't stand here: begin it on a line of its own"},
    {"found unexpected end of stream", true, "a quote is never closed"},
    {"found unexpected document indicator", true,
	"a quote is never closed before the document ends"},
    {"found unknown escape character", false,
	"unknown escape in double quotes: write '\\\\' for a backslash, or "
	"use single quotes"},
    {"did not find expected hexdecimal number", false,
	"an escape in double quotes lacks hexadecimal digits"},
    {"found invalid Unicode character escape code", false,
	"an escape in double quotes is no character"},
    {"did not find expected alphabetic or numeric character", false,
	"'&' or '*' without a name: put text that begins with it in quotes"},
    {"did not find expected <document start>", false,
	"text after the end of the document: more than one document is not "
	"read"},
    {"found incompatible YAML document", false,
	"a version of YAML other than 1.1 and 1.2"},
    {"found undefined tag handle", false, "a tag is not defined"},
    {"control characters are not allowed", false,
	"control character: write it as an escape in double quotes"},
};

/* Whether a tab indents the line that holds offset. */
static bool
tab_indents(const struct source *text, size_t offset)
{
	size_t i = offset;

	while (i && text->data[i - 1] != '\n')
		i--;
	while (i < text->len && text->data[i] == ' ')
		i++;
	return i < text->len && text->data[i] == '\t';
}

const char *
yaml_words(struct arena *arena, const char *problem, const struct source *text,
    size_t offset)
{
	char found = offset < text->len ? text->data[offset] : '\0';
	size_t i;

	/* A quote that is never closed may well hold tabs. */
	if (offset <= text->len && !strstr(problem, "end of stream") &&
	    tab_indents(text, offset))
		return "a tab may not indent: use spaces";
	if (strstr(problem, "cannot start any token") && found > ' ')
		return arena_printf(arena,
		    "'%c' can't begin a value: put the text in quotes", found);
	for (i = 0; i < COUNT(table); i++)
		if (strcmp(problem, table[i].problem) == 0)
			return table[i].words;
	return problem;
}

bool
yaml_words_at_context(const char *problem)
{
	size_t i;

	for (i = 0; i < COUNT(table); i++)
		if (strcmp(problem, table[i].problem) == 0)
			return table[i].at_context;
	return false;
}
