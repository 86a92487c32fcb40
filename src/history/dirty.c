/*
 * Whether tracked files differ from HEAD.  libgit2 answers without a process
 * of its own; git is asked where libgit2 can't tell (split and sparse
 * indexes) or says yes, for it does not know filters such as LFS's.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "internal.h"

extern char **environ;

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

/* Runs git status and appends what it prints; -1 when it can't be run. */
static int
run_status(const char *root, struct buf *out)
{
	char words[][24] = {"git", "--no-optional-locks", "status",
	    "--porcelain", "-z", "--no-renames", "-uno", "-C"};
	char *argv[] = {words[0], words[1], words[7], NULL, words[2], words[3],
	    words[4], words[5], words[6], NULL};
	posix_spawn_file_actions_t actions;
	char chunk[4096];
	int fds[2], status = -1, rc;
	ssize_t n;
	pid_t pid;

	if (pipe(fds) < 0)
		return -1;
	argv[3] = strdup(root);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fds[1], STDOUT_FILENO);
	posix_spawn_file_actions_addclose(&actions, fds[0]);
	posix_spawn_file_actions_addclose(&actions, fds[1]);
	rc = posix_spawnp(&pid, "git", &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	free(argv[3]);
	close(fds[1]);
	while (rc == 0 &&
	    ((n = read(fds[0], chunk, sizeof(chunk))) > 0 ||
		(n < 0 && errno == EINTR)))
		buf_add(out, chunk, n > 0 ? (size_t)n : 0);
	close(fds[0]);
	if (rc != 0)
		return -1;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

/* The same answers as ask_libgit2. */
static int
ask_git(const struct exceptions *but)
{
	struct buf out;
	const char *p;
	int dirty;

	buf_init(&out);
	dirty = run_status(but->root, &out);
	/* Entries of "XY path", each ended by NUL. */
	for (p = out.data; dirty == 0 && p < out.data + out.len;
	     p += strlen(p) + 1)
		dirty = strlen(p) > 3 && !excepted(but, p + 3);
	buf_free(&out);
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
	second = ask_git(&but);
	if (first < 0 && second < 0)
		return fail_environment(e,
		    "cannot tell whether tracked files were changed: %s",
		    git_says());
	*dirty = second < 0 ? first : second;
	return 0;
}
