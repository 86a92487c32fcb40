/* Lock files that a killed git left on the refs of suites. */
#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "internal.h"

size_t
notes_locks(struct arena *arena, struct repo *repo, int64_t now,
    struct notes_lock **locks)
{
	const char *directory =
	    arena_printf(arena, "%srefs/notes/evalgate", repo->common);
	struct dirent *entry;
	const char *path, *dot;
	size_t n = 0, cap = 0;
	struct stat st;
	DIR *dir;

	*locks = NULL;
	dir = opendir(directory);
	if (!dir)
		return 0;
	while ((entry = readdir(dir))) {
		dot = strrchr(entry->d_name, '.');
		if (!dot || strcmp(dot, ".lock") != 0)
			continue;
		path = arena_printf(arena, "%s/%s", directory, entry->d_name);
		if (stat(path, &st) < 0)
			continue;
		*locks = arena_grow(arena, *locks, n, &cap, sizeof(**locks));
		(*locks)[n++] =
		    (struct notes_lock){path, now - (int64_t)st.st_mtime};
	}
	closedir(dir);
	return n;
}
