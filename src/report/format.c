/* The table of formats. */
#include <string.h>

#include "internal.h"

const struct format *const format_table[] = {
    &format_text,
    &format_json,
    &format_csv,
    &format_markdown,
    &format_comment,
    &format_github,
    &format_junit,
    &format_gitlab,
    &format_html,
};
const size_t nformats = COUNT(format_table);

const struct format *
format_find(const char *name)
{
	size_t i;

	for (i = 0; i < nformats; i++)
		if (strcmp(format_table[i]->name, name) == 0)
			return format_table[i];
	return NULL;
}
