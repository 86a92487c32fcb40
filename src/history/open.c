/*
 * Opening a repository: what libgit2 refuses without need is opened, and
 * what can't be opened is refused with its reason and its mend.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

/* A repository before it is open. */
struct place {
	const char *dir;
	const char *git_dir; /* without a slash at the end */
	const char *common; /* likewise; the same but in linked work trees */
	const char *top; /* what safe.directory names */
};

static const char *
real_path(struct arena *arena, const char *path)
{
	char *real = realpath(path, NULL);
	const char *copy = arena_strdup(arena, real ? real : path);

	free(real);
	return copy;
}

/* A file's first line, NULL when there is none. */
static const char *
first_line(struct arena *arena, const char *path)
{
	char line[PATH_MAX];
	FILE *file = fopen(path, "r");
	bool read;

	if (!file)
		return NULL;
	read = fgets(line, sizeof(line), file);
	fclose(file);
	if (!read)
		return NULL;
	line[strcspn(line, "\r\n")] = '\0';
	return arena_strdup(arena, line);
}

static const char *
common_dir(struct arena *arena, const char *git_dir)
{
	const char *path = arena_printf(arena, "%s/commondir", git_dir);
	const char *named = first_line(arena, path);

	if (!named)
		return git_dir;
	return real_path(arena, path_beside(arena, path, named));
}

/* The directory at or above dir with an entry .git, else git_dir. */
static const char *
top_of(struct arena *arena, const char *dir, const char *git_dir)
{
	char *at = arena_strdup(arena, real_path(arena, dir)), *slash;

	while (at[0]) {
		if (access(arena_printf(arena, "%s/.git", at), F_OK) == 0)
			return at;
		slash = strrchr(at, '/');
		if (!slash)
			break;
		*slash = '\0';
	}
	return git_dir;
}

static int
place_find(struct arena *arena, const char *dir,
    const struct repo_options *options, struct place *place, struct error *e)
{
	git_buf found = {0};

	place->dir = dir;
	if (options->git_dir) {
		place->git_dir = real_path(arena, options->git_dir);
		place->top = place->git_dir;
	} else {
		if (git_repository_discover(&found, dir, 0, NULL) < 0)
			return fail_environment(e,
			    "not in a git repository: '%s'; change into one, "
			    "or make one with 'git init'",
			    dir);
		place->git_dir = real_path(arena, found.ptr);
		git_buf_dispose(&found);
		place->top = top_of(arena, dir, place->git_dir);
	}
	place->common = common_dir(arena, place->git_dir);
	return 0;
}

/* A key of the repository's own config, NULL when it is not set. */
static const char *
config_text(struct arena *arena, git_config *config, const char *key)
{
	git_buf value = {0};
	const char *text = NULL;

	if (git_config_get_string_buf(&value, config, key) == 0)
		text = arena_strdup(arena, value.ptr);
	git_buf_dispose(&value);
	return text;
}

/*
 * libgit2 names an extension and not its value, and 1.5 refuses some that
 * change nothing for us: so the values are looked at here.
 */
static int
format_check(const struct place *place, const char *objects, const char *refs,
    int32_t version, struct error *e)
{
	if (objects && strcasecmp(objects, "sha1") != 0)
		return fail_environment(e,
		    "repository '%s' has %s object ids, which libgit2 can't "
		    "read; evalgate needs one with sha1",
		    place->top, objects);
	if (refs && strcasecmp(refs, "files") != 0)
		return fail_environment(e,
		    "repository '%s' keeps its refs as %s, which libgit2 "
		    "can't read; 'git refs migrate --ref-format=files' "
		    "changes that",
		    place->top, refs);
	if (version > 1)
		return fail_environment(e,
		    "repository '%s' has format version %d, and only 0 and 1 "
		    "are known; use a newer evalgate",
		    place->top, (int)version);
	return 0;
}

static int
format_allow(struct arena *arena, const struct place *place, struct error *e)
{
	const char *names[6] = {"worktreeconfig", "preciousobjects",
	    "partialclone", "relativeworktrees"};
	const char *objects, *refs;
	size_t n = 4;
	int32_t version = 0;
	git_config *config;
	int rc;

	if (git_config_open_ondisk(
		&config, arena_printf(arena, "%s/config", place->common)) < 0)
		return 0; /* opening will say why */
	objects = config_text(arena, config, "extensions.objectformat");
	refs = config_text(arena, config, "extensions.refstorage");
	if (git_config_get_int32(
		&version, config, "core.repositoryformatversion") < 0)
		version = 0;
	git_config_free(config);
	rc = format_check(place, objects, refs, version, e);
	if (rc == 0 && objects)
		names[n++] = "objectformat";
	if (rc == 0 && refs)
		names[n++] = "refstorage";
	if (rc == 0)
		git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, names, n);
	return rc;
}

/* --------------------------------------------------------------- owner -- */

static bool
is_ours(const char *path)
{
	struct stat here;

	return lstat(path, &here) == 0 && here.st_uid == geteuid();
}

/* Whether everything that says what a repository is belongs to the user. */
static bool
owned(struct arena *arena, const struct place *place)
{
	const char *file = arena_printf(arena, "%s/.git", place->top);

	return is_ours(place->top) && is_ours(place->git_dir) &&
	    (access(file, F_OK) != 0 || is_ours(file));
}

/* The mend as git words it, which knows what it looks for. */
static const char *
trust_mend(
    struct arena *arena, const struct place *place, const struct git_run *run)
{
	const char *line =
	    strstr(run->err.data, "git config --global --add safe.directory ");

	if (line)
		return arena_strndup(arena, line, strcspn(line, "\n"));
	return arena_printf(
	    arena, "git config --global --add safe.directory '%s'", place->top);
}

/*
 * A foreign repository is trusted where git trusts it: its rules on
 * safe.directory are many, and change.  libgit2's are others, and 1.5 does
 * not survive one without a value.  GIT_DIR is trusted, as it is by git.
 */
static int
owner_check(struct arena *arena, const struct place *place,
    const struct repo_options *options, struct error *e)
{
	const char *const words[] = {
	    "git", "-C", place->dir, "rev-parse", "--git-dir", NULL};
	struct error ignored = {.arena = arena};
	const char *mend;
	struct git_run run;
	bool trusted;

	if (options->git_dir || options->trust_owner || owned(arena, place))
		return 0;
	if (git_run(words, NULL, &run, &ignored) < 0)
		return fail_environment(e,
		    "repository '%s' belongs to another user, and git, which "
		    "would say whether you trust it, is not installed; if you "
		    "do: EVALGATE_TRUST_OWNER=1",
		    place->top);
	trusted = run.status == 0;
	mend = trust_mend(arena, place, &run);
	git_run_free(&run);
	if (trusted)
		return 0;
	return fail_environment(e,
	    "repository '%s' belongs to another user; if you trust it: %s",
	    place->top, mend);
}

static int
open_once(git_repository **git, const struct place *place,
    const struct repo_options *options)
{
	if (options->git_dir)
		return git_repository_open_ext(
		    git, place->git_dir, GIT_REPOSITORY_OPEN_NO_SEARCH, NULL);
	return git_repository_open_ext(git, place->dir, 0, NULL);
}

static int
open_place(struct arena *arena, git_repository **git, const struct place *place,
    const struct repo_options *options, struct error *e)
{
	int rc;

	if (owner_check(arena, place, options, e) < 0)
		return -1;
	git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
	rc = open_once(git, place, options);
	if (rc == 0 && options->work_tree)
		rc = git_repository_set_workdir(*git, options->work_tree, 0);
	if (rc < 0)
		return fail_environment(e, "cannot open repository '%s': %s%s",
		    place->top, git_says(),
		    strstr(git_says(), "unsupported extension")
			? "; a newer evalgate may know it"
			: "");
	return 0;
}

/* ---------------------------------------------------------------- open -- */

/*
 * libgit2 1.5 looks for this file in the wrong place in linked work trees,
 * and newer ones cut parents off where we want to see them.
 */
void
repo_read_shallow(struct repo *repo)
{
	char line[128];
	size_t index = 0;
	FILE *file =
	    fopen(arena_printf(repo->arena, "%sshallow", repo->common), "r");

	map_init(&repo->shallow, repo->arena);
	if (!file)
		return;
	while (fgets(line, sizeof(line), file))
		if (is_hex(line))
			map_add(&repo->shallow,
			    arena_strndup(repo->arena, line, HEX), HEX, &index);
	fclose(file);
}

static const char *
root_of(struct arena *arena, git_repository *git)
{
	const char *dir = git_repository_workdir(git);
	size_t len = dir ? strlen(dir) : 0;

	if (!dir)
		return NULL;
	while (len > 1 && dir[len - 1] == '/')
		len--;
	return arena_strndup(arena, dir, len);
}

int
repo_open(struct arena *arena, const char *dir,
    const struct repo_options *options, struct repo **repo, struct error *e)
{
	static const struct repo_options none;
	struct repo *r = arena_alloc(arena, sizeof(*r));
	struct place place = {0};

	r->arena = arena;
	if (!options)
		options = &none;
	r->timeout = options->timeout;
	library_begin();
	/* zlib's sums suffice for reading, as they do for git. */
	git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
	if (place_find(arena, dir, options, &place, e) < 0 ||
	    format_allow(arena, &place, e) < 0 ||
	    open_place(arena, &r->git, &place, options, e) < 0)
		goto out;
	if (git_repository_odb(&r->odb, r->git) < 0) {
		fail_environment(e, "cannot open the objects of '%s': %s",
		    place.top, git_says());
		goto out;
	}
	r->root = root_of(arena, r->git);
	r->common = arena_strdup(arena, git_repository_commondir(r->git));
	repo_read_shallow(r);
	*repo = r;
	return 0;
out:
	repo_close(r);
	return -1;
}

void
repo_close(struct repo *repo)
{
	if (!repo)
		return;
	git_odb_free(repo->odb);
	git_repository_free(repo->git);
	repo->odb = NULL;
	repo->git = NULL;
	library_end();
}

const char *
repo_root(const struct repo *repo)
{
	return repo->root;
}

bool
repo_shallow(const struct repo *repo)
{
	return repo->shallow.nkeys > 0;
}
