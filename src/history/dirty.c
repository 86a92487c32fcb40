/*
 * Whether tracked files differ from HEAD.  libgit2 answers without a process
 * of its own; git is asked where libgit2 can't tell (split and sparse
 * indexes) or says yes, for it does not know filters such as LFS's.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct exceptions {
	const char *root;
	const char *const *paths; /* absolute */
	size_t npaths;
};

/* Whether path, as seen from the root, is one of the exceptions. */
static bool
excepted(const struct exceptions *but, const char *path)
{
	size_t len = strlen(but->root), i;
	const char *wanted;
	char *real;
	bool same;

	for (i = 0; i < but->npaths; i++) {
		real = realpath(but->paths[i], NULL);
		wanted = real ? real : but->paths[i];
		same = strncmp(wanted, but->root, len) == 0 &&
		    wanted[len] == '/' && strcmp(wanted + len + 1, path) == 0;
		free(real);
		if (same)
			return true;
	}
	return false;
}

/* 1: dirty, 0: clean, -1: libgit2 can't tell. */
static int
ask_libgit2(struct repo *repo, const struct exceptions *but)
{
	git_status_options options;
	git_status_list *list;
	const git_status_entry *entry;
	const git_diff_delta *delta;
	size_t i, n;
	int dirty = 0;

	git_status_options_init(&options, GIT_STATUS_OPTIONS_VERSION);
	options.show = GIT_STATUS_SHOW_INDEX_AND_WORKDIR;
	options.flags = 0;
	if (git_status_list_new(&list, repo->git, &options) < 0)
		return -1;
	n = git_status_list_entrycount(list);
	for (i = 0; i < n && !dirty; i++) {
		entry = git_status_byindex(list, i);
		delta = entry->head_to_index ? entry->head_to_index
					     : entry->index_to_workdir;
		dirty = entry->status != GIT_STATUS_CURRENT &&
		    !(delta && excepted(but, delta->new_file.path));
	}
	git_status_list_free(list);
	return dirty;
}

/* The same answers as ask_libgit2. */
static int
ask_git(struct repo *repo, const struct exceptions *but)
{
	struct error ignored = {.arena = repo->arena};
	const char *const words[] = {"git",
	    arena_printf(
		repo->arena, "--git-dir=%s", git_repository_path(repo->git)),
	    arena_printf(repo->arena, "--work-tree=%s", repo->root),
	    "--no-optional-locks", "status", "--porcelain", "-z",
	    "--no-renames", "-uno", NULL};
	struct git_run run;
	const char *p;
	int dirty;

	if (git_run(words, NULL, &run, &ignored) < 0)
		return -1;
	dirty = run.status == 0 ? 0 : -1;
	/* Entries of "XY path", each ended by NUL. */
	for (p = run.out.data; dirty == 0 && p < run.out.data + run.out.len;
	     p += strlen(p) + 1)
		dirty = strlen(p) > 3 && !excepted(but, p + 3);
	git_run_free(&run);
	return dirty;
}

int
repo_dirty(struct repo *repo, const char *const *except, size_t nexcept,
    bool *dirty, struct error *e)
{
	struct exceptions but = {repo->root, except, nexcept};
	int first, second;

	*dirty = false;
	if (!repo->root)
		return 0;
	first = ask_libgit2(repo, &but);
	if (first == 0)
		return 0;
	second = ask_git(repo, &but);
	if (first < 0 && second < 0)
		return fail_environment(e,
		    "cannot tell whether tracked files were changed: %s",
		    git_says());
	*dirty = second < 0 ? first : second;
	return 0;
}
