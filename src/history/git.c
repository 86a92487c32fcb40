/* Commits as they lie in the repository, and the questions asked of them. */
#include <string.h>

#include "internal.h"

bool
is_hex(const char *text)
{
	size_t i;

	for (i = 0; i < HEX; i++)
		if (!((text[i] >= '0' && text[i] <= '9') ||
			(text[i] >= 'a' && text[i] <= 'f')))
			return false;
	return true;
}

const char *
id_text(struct arena *arena, const git_oid *oid)
{
	char *hex = arena_array(arena, HEX + 1, 1);

	return git_oid_tostr(hex, HEX + 1, oid);
}

void
id_read(git_oid *oid, const char *text)
{
	git_oid_fromstr(oid, text);
}

void
blob_id(char hex[HEX + 1], const char *data, size_t len)
{
	git_oid oid;

	/* Scores are made outside of repositories, too. */
	library_begin();
	git_odb_hash(&oid, data, len, GIT_OBJECT_BLOB);
	library_end();
	git_oid_tostr(hex, HEX + 1, &oid);
}

const char *
git_says(void)
{
	const git_error *last = git_error_last();

	return last && last->message ? last->message : "no reason given";
}

/* ------------------------------------------------------------- commits -- */

static const char *
clean_utf8(struct arena *arena, const char *text, size_t len)
{
	struct buf buf;
	const char *clean;
	size_t n = utf8_check(text, len);

	if (n == len)
		return arena_strndup(arena, text, len);
	buf_init(&buf);
	for (; n < len; n = utf8_check(text, len)) {
		buf_add(&buf, text, n);
		buf_puts(&buf, "\xef\xbf\xbd");
		text += n + 1;
		len -= n + 1;
	}
	buf_add(&buf, text, len);
	clean = arena_strdup(arena, buf.data);
	buf_free(&buf);
	return clean;
}

/* "<name> <<email>> <seconds> <zone>": the seconds, 0 for what is none. */
static int64_t
seconds_of(const char *line, const char *end)
{
	const char *p = end, *digits;
	int64_t seconds = 0;

	while (p > line && p[-1] != '>')
		p--;
	while (p < end && *p == ' ')
		p++;
	for (digits = p; p < end && *p != ' '; p++)
		;
	if (integer_parse(digits, (size_t)(p - digits), &seconds) < 0)
		return 0;
	return seconds;
}

static void
add_parent(struct arena *arena, struct commit *commit, size_t *cap,
    const char ***parents, const char *id)
{
	*parents = arena_grow(
	    arena, *parents, commit->nparents, cap, sizeof(**parents));
	(*parents)[commit->nparents++] = arena_strndup(arena, id, HEX);
	commit->parents = *parents;
}

static bool
starts(const char *line, const char *end, const char *word)
{
	size_t len = strlen(word);

	return (size_t)(end - line) >= len && memcmp(line, word, len) == 0;
}

static bool
names_id(const char *line, const char *end, const char *word)
{
	return starts(line, end, word) &&
	    (size_t)(end - line) == strlen(word) + HEX &&
	    is_hex(line + strlen(word));
}

/*
 * The object's own text: newer versions of libgit2 cut off the parents of
 * boundary commits.  False when it is no commit.
 */
static bool
commit_parse(
    struct arena *arena, const char *text, size_t len, struct commit *commit)
{
	const char *p = text, *end = text + len, *eol, **parents = NULL;
	size_t cap = 0;

	for (; p < end && *p != '\n'; p = eol + (eol < end)) {
		eol = memchr(p, '\n', (size_t)(end - p));
		if (!eol)
			eol = end;
		if (!commit->tree && names_id(p, eol, "tree "))
			commit->tree = arena_strndup(arena, p + 5, HEX);
		else if (names_id(p, eol, "parent "))
			add_parent(arena, commit, &cap, &parents, p + 7);
		else if (starts(p, eol, "committer "))
			commit->time = seconds_of(p, eol);
	}
	while (p < end && *p == '\n')
		p++;
	eol = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;
	commit->subject = clean_utf8(arena, p, (size_t)((eol ? eol : end) - p));
	return commit->tree != NULL;
}

enum commit_state
repo_commit(
    struct repo *repo, const char *id, struct commit *commit, struct error *e)
{
	git_odb_object *object = NULL;
	git_oid oid;
	size_t index;
	bool ok;
	int rc;

	*commit = (struct commit){0};
	if (!is_hex(id)) {
		fail_environment(e, "'%s' is no commit id", id);
		return COMMIT_BROKEN;
	}
	id_read(&oid, id);
	rc = git_odb_read(&object, repo->odb, &oid);
	if (rc == GIT_ENOTFOUND)
		return COMMIT_MISSING;
	if (rc < 0) {
		fail_environment(
		    e, "commit %s can't be read: %s", id, git_says());
		return COMMIT_BROKEN;
	}
	commit->id = arena_strndup(repo->arena, id, HEX);
	ok = git_odb_object_type(object) == GIT_OBJECT_COMMIT &&
	    commit_parse(repo->arena, git_odb_object_data(object),
		git_odb_object_size(object), commit);
	git_odb_object_free(object);
	if (!ok) {
		fail_environment(e,
		    "object %s is no sound commit; 'git fsck' says more", id);
		return COMMIT_BROKEN;
	}
	if (map_get(&repo->shallow, id, HEX, &index))
		return COMMIT_SHALLOW;
	return COMMIT_FOUND;
}

const char *
repo_tree(struct repo *repo, const char *id)
{
	struct error ignored = {.arena = repo->arena};
	struct commit commit;
	git_oid oid;

	id_read(&oid, id);
	/* What is not here is not sought in packs that may have come since. */
	if (!git_odb_exists_ext(repo->odb, &oid, GIT_ODB_LOOKUP_NO_REFRESH))
		return NULL;
	return repo_commit(repo, id, &commit, &ignored) == COMMIT_BROKEN
	    ? NULL
	    : commit.tree;
}

/* ------------------------------------------------------------ questions -- */

int
repo_resolve(
    struct repo *repo, const char *revision, const char **id, struct error *e)
{
	git_object *named = NULL, *commit = NULL;
	int rc;

	if (strcmp(revision, "HEAD") == 0 &&
	    git_repository_head_unborn(repo->git) == 1)
		return fail_environment(
		    e, "there is no commit yet; commit first");
	rc = git_revparse_single(&named, repo->git, revision);
	if (rc == 0)
		rc = git_object_peel(&commit, named, GIT_OBJECT_COMMIT);
	if (rc == 0)
		*id = id_text(repo->arena, git_object_id(commit));
	else if (repo_shallow(repo))
		fail_no_verdict(e,
		    "revision '%s' names no commit in this shallow clone; "
		    "'git fetch --unshallow' brings the others, 'git fetch "
		    "--deepen=100' some",
		    revision);
	else
		fail(e, "revision '%s' names no commit: %s", revision,
		    git_says());
	git_object_free(commit);
	git_object_free(named);
	return rc < 0 ? -1 : 0;
}

const char *
repo_branch(struct repo *repo)
{
	git_reference *head = NULL;
	const char *target, *branch = NULL;

	if (git_reference_lookup(&head, repo->git, "HEAD") < 0)
		return NULL;
	target = git_reference_symbolic_target(head);
	if (target && strncmp(target, "refs/heads/", 11) == 0)
		branch = arena_strdup(repo->arena, target + 11);
	git_reference_free(head);
	return branch;
}

void
repo_signature(
    struct arena *arena, struct repo *repo, struct signature *signature)
{
	git_config *config = NULL;
	git_buf value = {0};

	signature->name = "evalgate";
	signature->email = "evalgate@localhost";
	if (git_repository_config(&config, repo->git) < 0)
		return;
	if (git_config_get_string_buf(&value, config, "user.name") == 0 &&
	    value.ptr[0])
		signature->name = arena_strdup(arena, value.ptr);
	git_buf_dispose(&value);
	if (git_config_get_string_buf(&value, config, "user.email") == 0 &&
	    value.ptr[0])
		signature->email = arena_strdup(arena, value.ptr);
	git_buf_dispose(&value);
	git_config_free(config);
}
