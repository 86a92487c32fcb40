/*
 * Changing a suite's ref: objects are written and looked for, the ref is
 * swapped only where it is still what it was, and whoever comes too late
 * tries again.  Whatever fails, the ref stays as it was.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

#define DEADLINE_MS 30000
/* A lock that nobody touched for so long is nobody's. */
#define STALE_MS 5000
#define MAX_SLEEP_MS 64
#define WRITE_TRIES 5
#define FOLDER "refs/notes/evalgate"

/* ---------------------------------------------------------------- time -- */

int64_t
now_ms(clockid_t clock)
{
	struct timespec now = {0};

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Writers that met once must not meet again: the seed is the process's. */
static void
random_seed(struct writer *w)
{
	struct timespec now = {0};

	clock_gettime(CLOCK_MONOTONIC, &now);
	w->random = (uint64_t)now.tv_nsec << 32 ^ (uint64_t)getpid() << 8 ^
	    (uint64_t)(uintptr_t)w ^ 0x9e3779b97f4a7c15u;
}

/* Marsaglia's xorshift64. */
static uint64_t
random_next(struct writer *w)
{
	w->random ^= w->random << 13;
	w->random ^= w->random >> 7;
	w->random ^= w->random << 17;
	return w->random;
}

void
writer_sleep(struct writer *w, int64_t most)
{
	int64_t us = (int64_t)(random_next(w) % (uint64_t)(most * 1000 + 1));
	struct timespec pause = {us / 1000000, us % 1000000 * 1000};

	nanosleep(&pause, NULL);
}

static void
sleep_jitter(struct writer *w, int attempt)
{
	writer_sleep(w, attempt < 6 ? 1 << attempt : MAX_SLEEP_MS);
}

/* ------------------------------------------------------------- objects -- */

/* libgit2 ends a failure of the system with what strerror says. */
static bool
says_errno(const int *numbers, size_t n)
{
	const char *text = git_says();
	size_t i;

	for (i = 0; i < n; i++)
		if (strstr(text, strerror(numbers[i])))
			return true;
	return false;
}

static bool
hopeless(void)
{
	static const int numbers[] = {
	    EROFS, ENOSPC, EACCES, EPERM, EDQUOT, EFBIG};

	return says_errno(numbers, COUNT(numbers));
}

/*
 * Writes an object and makes sure that it is there.  git can prune the
 * directory it was about to go into, so that is tried again.
 */
int
object_write(struct writer *w, git_oid *id, const char *data, size_t len,
    git_object_t type)
{
	int tries;

	for (tries = 0; tries < WRITE_TRIES; tries++) {
		if (git_odb_write(id, w->repo->odb, data, len, type) == 0) {
			if (git_odb_exists(w->repo->odb, id))
				return 0;
		} else if (hopeless()) {
			break;
		}
		sleep_jitter(w, tries);
	}
	return fail_environment(
	    w->e, "cannot write to the repository: %s", git_says());
}

/* -------------------------------------------------------------- commit -- */

/* A name as a commit object can hold it. */
static void
put_name(struct buf *out, const char *name, const char *otherwise)
{
	size_t before = out->len;

	for (; *name; name++)
		if ((unsigned char)*name >= ' ' && !strchr("<>\x7f", *name))
			buf_putc(out, *name);
	if (out->len == before)
		buf_puts(out, otherwise);
}

static void
put_signature(struct buf *out, const char *role, const struct signature *s)
{
	buf_printf(out, "%s ", role);
	put_name(out, s->name ? s->name : "", "evalgate");
	buf_puts(out, " <");
	put_name(out, s->email ? s->email : "", "evalgate@localhost");
	buf_printf(out, "> %lld +0000\n", (long long)s->time);
}

/*
 * The object is written as text: git_commit_create of libgit2 1.5 can
 * succeed without having written anything.
 */
int
commit_write(struct writer *w, const git_oid *tree, const git_oid *parents,
    size_t nparents, git_oid *commit)
{
	struct buf text;
	size_t i;
	int rc;

	buf_init(&text);
	buf_printf(&text, "tree %s\n", id_text(w->arena, tree));
	for (i = 0; i < nparents; i++)
		buf_printf(
		    &text, "parent %s\n", id_text(w->arena, &parents[i]));
	put_signature(&text, "author", w->signature);
	put_signature(&text, "committer", w->signature);
	buf_printf(&text, "\n%s\n", w->message);
	rc = object_write(w, commit, text.data, text.len, GIT_OBJECT_COMMIT);
	buf_free(&text);
	return rc;
}

int
tree_write(struct writer *w, git_tree *base, const git_tree_update *updates,
    size_t nupdates, git_oid *id)
{
	int tries;

	for (tries = 0; tries < WRITE_TRIES; tries++) {
		if (git_tree_create_updated(
			id, w->repo->git, base, nupdates, updates) == 0) {
			if (git_odb_exists(w->repo->odb, id))
				return 0;
		} else if (hopeless()) {
			break;
		}
		sleep_jitter(w, tries);
	}
	return fail_environment(
	    w->e, "cannot write to the repository: %s", git_says());
}

int
lines_write(struct writer *w, const struct lines *lines, const char *what,
    git_oid *blob)
{
	struct buf text;
	size_t i;
	int rc = -1;

	buf_init(&text);
	for (i = 0; i < lines->nitems; i++) {
		buf_add(&text, lines->items[i].data, lines->items[i].len);
		buf_putc(&text, '\n');
	}
	if (lines->nitems > MAX_NOTE_LINES)
		fail_environment(w->e,
		    "commit %.10s would have more than %d records", what,
		    MAX_NOTE_LINES);
	else if (text.len > MAX_NOTE)
		fail_environment(w->e,
		    "the records of commit %.10s would take %zu bytes, more "
		    "than %u",
		    what, text.len, MAX_NOTE);
	else
		rc =
		    object_write(w, blob, text.data, text.len, GIT_OBJECT_BLOB);
	buf_free(&text);
	return rc;
}

/* ----------------------------------------------------------------- ref -- */

/* Whether the ref's lock file is the one seen all along. */
static bool
lock_stale(struct writer *w)
{
	const char *path =
	    arena_printf(w->arena, "%s%s.lock", w->repo->common, w->ref);
	struct stat st;
	int64_t now = now_ms(CLOCK_MONOTONIC);

	if (stat(path, &st) < 0) {
		w->locked = 0;
		return false;
	}
	if (w->locked == 0 || st.st_mtim.tv_sec != w->lock_at.tv_sec ||
	    st.st_mtim.tv_nsec != w->lock_at.tv_nsec) {
		w->locked = now;
		w->lock_at = st.st_mtim;
	}
	if (now - w->locked < STALE_MS)
		return false;
	fail_environment(w->e,
	    "'%s' is locked by '%s', which is %lld seconds old; if no git is "
	    "at work there, remove that file",
	    w->ref, path,
	    (long long)(now_ms(CLOCK_REALTIME) / 1000 - st.st_mtim.tv_sec));
	return true;
}

enum attempt
ref_swap(struct writer *w, const git_oid *old, const git_oid *new)
{
	static const int gone[] = {ENOENT};
	git_reference *ref = NULL;
	int rc;

	/* Without an old value there would be no comparison at all. */
	rc = git_reference_create_matching(
	    &ref, w->repo->git, w->ref, new, 1, old, w->message);
	git_reference_free(ref);
	ref = NULL;
	if (rc == 0)
		return ATTEMPT_DONE;
	if (rc == GIT_ELOCKED && lock_stale(w))
		return ATTEMPT_FAILED;
	if (!hopeless() &&
	    (rc == GIT_EMODIFIED || rc == GIT_ELOCKED || rc == GIT_EEXISTS ||
		rc == GIT_ENOTFOUND || says_errno(gone, COUNT(gone))))
		return ATTEMPT_AGAIN;
	if (git_reference_lookup(&ref, w->repo->git, FOLDER) == 0)
		fail_environment(w->e,
		    "cannot update '%s', since the ref '" FOLDER "' stands "
		    "where a folder must be; if nobody needs it: git "
		    "update-ref -d " FOLDER,
		    w->ref);
	else
		fail_environment(
		    w->e, "cannot update '%s': %s", w->ref, git_says());
	git_reference_free(ref);
	return ATTEMPT_FAILED;
}

/* ------------------------------------------------------------ attempts -- */

void
writer_init(struct writer *w, struct arena *arena, struct repo *repo,
    const char *suite, const struct signature *signature, const char *message,
    struct error *e)
{
	*w = (struct writer){
	    .repo = repo,
	    .suite = suite,
	    .ref = notes_ref(arena, suite),
	    .signature = signature,
	    .message = message,
	    .e = e,
	    .began = now_ms(CLOCK_MONOTONIC),
	};
	random_seed(w);
}

enum attempt
writer_tip(struct writer *w, git_oid *old, git_tree **tree, bool *found)
{
	git_oid id;

	*tree = NULL;
	if (notes_tip(w->repo, w->suite, found, old, &id, w->e) < 0)
		return ATTEMPT_FAILED;
	/* All zeroes stand for "must not exist". */
	if (!*found)
		memset(old, 0, sizeof(*old));
	if (*found && git_tree_lookup(tree, w->repo->git, &id) < 0) {
		fail_environment(w->e,
		    "'%s' is damaged: %s; it is left as it is", w->ref,
		    git_says());
		return ATTEMPT_FAILED;
	}
	return ATTEMPT_AGAIN;
}

enum attempt
writer_try(struct writer *w, enum attempt (*once)(struct writer *))
{
	enum attempt result = ATTEMPT_AGAIN;
	int n;

	/* A power cut must not leave a ref that names a lost object. */
	git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 1);
	for (n = 0; result == ATTEMPT_AGAIN; n++) {
		if (n > 0)
			sleep_jitter(w, n);
		if (now_ms(CLOCK_MONOTONIC) - w->began > DEADLINE_MS) {
			fail_environment(w->e,
			    "'%s' could not be updated in %d seconds and %d "
			    "attempts, so busy is it: %s",
			    w->ref, DEADLINE_MS / 1000, n, git_says());
			result = ATTEMPT_FAILED;
			break;
		}
		w->arena = arena_new();
		result = once(w);
		arena_free(w->arena);
	}
	git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 0);
	return result;
}
