/* Names of files, and patterns that the shell did not expand. */
#include <glob.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

int
files_expand(struct arena *arena, const char *name, const char *file,
    size_t line, const char *const **files, size_t *nfiles, struct error *e)
{
	const char **list;
	glob_t found;
	size_t i;
	int rc;

	if (strcmp(name, "-") == 0 || access(name, F_OK) == 0 ||
	    !strpbrk(name, "*?[")) {
		list = arena_array(arena, 1, sizeof(*list));
		list[0] = name;
		*files = list;
		*nfiles = 1;
		return 0;
	}
	/* glob sorts by strcoll, which is strcmp without setlocale. */
	rc = glob(name, GLOB_ERR, NULL, &found);
	if (rc != 0)
		return fail_at(e, file, line, "no file matches '%s'", name);
	list = arena_array(arena, found.gl_pathc, sizeof(*list));
	for (i = 0; i < found.gl_pathc; i++)
		list[i] = arena_strdup(arena, found.gl_pathv[i]);
	*files = list;
	*nfiles = found.gl_pathc;
	globfree(&found);
	return 0;
}
