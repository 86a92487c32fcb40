/*
 * Storing a record: compare-and-swap on the suite's ref, again and again
 * until nobody else was faster.  Whatever fails, the ref stays as it was.
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

struct writer {
	struct arena *arena; /* one attempt's, emptied between them */
	struct repo *repo;
	const char *ref;
	const struct record *record;
	const struct qset *qset;
	const struct signature *signature;
	struct line line; /* the record's, without LF */
	struct error *e;
	uint64_t random;
	int64_t began;
	int64_t locked; /* since when the same lock was seen, 0: none */
	struct timespec lock_at; /* its time of change */
};

/* What one attempt came to. */
enum attempt { ATTEMPT_DONE, ATTEMPT_SAME, ATTEMPT_AGAIN, ATTEMPT_FAILED };

/* ---------------------------------------------------------------- time -- */

static int64_t
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

static void
sleep_jitter(struct writer *w, int attempt)
{
	int64_t most = attempt < 6 ? 1 << attempt : MAX_SLEEP_MS;
	int64_t us = (int64_t)(random_next(w) % (uint64_t)(most * 1000 + 1));
	struct timespec pause = {us / 1000000, us % 1000000 * 1000};

	nanosleep(&pause, NULL);
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
static int
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

/* --------------------------------------------------------------- lines -- */

/*
 * Whether a stored line is the new record but for when and in which run it
 * was made.  Only a line that we would write byte for byte is compared: what
 * a later version added is not overlooked.
 */
static bool
same_record(struct writer *w, const struct line *stored)
{
	struct record old;
	struct buf again;
	bool same;

	if (record_parse(w->arena, stored->data, stored->len, &old) !=
	    RECORD_READ)
		return false;
	buf_init(&again);
	record_write(&again, &old);
	same = again.len == stored->len + 1 &&
	    memcmp(again.data, stored->data, stored->len) == 0;
	old.at = w->record->at;
	old.run = w->record->run;
	old.attempt = w->record->attempt;
	again.len = 0;
	record_write(&again, &old);
	same = same && again.len == w->line.len + 1 &&
	    memcmp(again.data, w->line.data, w->line.len) == 0;
	buf_free(&again);
	return same;
}

static bool
already_there(struct writer *w, const struct lines *lines)
{
	size_t i;

	for (i = 0; i < lines->nitems; i++)
		if (same_record(w, &lines->items[i]))
			return true;
	return false;
}

static int
note_write(struct writer *w, const struct lines *lines, git_oid *blob)
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
		    "commit %.10s would have more than %d records",
		    w->record->commit, MAX_NOTE_LINES);
	else if (text.len > MAX_NOTE)
		fail_environment(w->e,
		    "the records of commit %.10s would take %zu bytes, more "
		    "than %u",
		    w->record->commit, text.len, MAX_NOTE);
	else
		rc =
		    object_write(w, blob, text.data, text.len, GIT_OBJECT_BLOB);
	buf_free(&text);
	return rc;
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
static int
commit_write(struct writer *w, const git_oid *tree, const git_oid *parent,
    git_oid *commit)
{
	struct buf text;
	int rc;

	buf_init(&text);
	buf_printf(&text, "tree %s\n", id_text(w->arena, tree));
	if (parent)
		buf_printf(&text, "parent %s\n", id_text(w->arena, parent));
	put_signature(&text, "author", w->signature);
	put_signature(&text, "committer", w->signature);
	buf_printf(&text, "\nevalgate: record %.7s\n", w->record->commit);
	rc = object_write(w, commit, text.data, text.len, GIT_OBJECT_COMMIT);
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

static enum attempt
ref_swap(struct writer *w, const git_oid *old, const git_oid *new)
{
	static const int gone[] = {ENOENT};
	git_reference *ref = NULL;
	int rc;

	/* Without an old value there would be no comparison at all. */
	rc = git_reference_create_matching(&ref, w->repo->git, w->ref, new, 1,
	    old,
	    arena_printf(w->arena, "evalgate: record %.7s", w->record->commit));
	git_reference_free(ref);
	if (rc == 0)
		return ATTEMPT_DONE;
	if (rc == GIT_ELOCKED && lock_stale(w))
		return ATTEMPT_FAILED;
	if (!hopeless() &&
	    (rc == GIT_EMODIFIED || rc == GIT_ELOCKED || rc == GIT_EEXISTS ||
		rc == GIT_ENOTFOUND || says_errno(gone, COUNT(gone))))
		return ATTEMPT_AGAIN;
	fail_environment(w->e, "cannot update '%s': %s", w->ref, git_says());
	return ATTEMPT_FAILED;
}

/* ------------------------------------------------------------- attempt -- */

static int
tree_write(struct writer *w, git_tree *tree, const git_oid *note, git_oid *id)
{
	struct changes changes = {.nitems = 0};
	git_oid qset;
	int tries;

	if (object_write(w, &qset, w->qset->blob, strlen(w->qset->blob),
		GIT_OBJECT_BLOB) < 0)
		return -1;
	note_place(&changes, tree, w->record->commit, note);
	if (!note_exists(tree, w->qset->id))
		note_place(&changes, tree, w->qset->id, &qset);
	for (tries = 0; tries < WRITE_TRIES; tries++) {
		if (git_tree_create_updated(id, w->repo->git, tree,
			changes.nitems, changes.items) == 0) {
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

/* The new tip, from the old one's tree (NULL: there is none yet). */
static enum attempt
build(struct writer *w, git_tree *tree, const git_oid *parent, git_oid *tip)
{
	struct lines lines = {.arena = w->arena};
	git_oid note, changed;
	bool known;

	if (note_gather(
		w->repo, tree, w->record->commit, w->ref, &lines, w->e) < 0)
		return ATTEMPT_FAILED;
	known = already_there(w, &lines);
	if (known && note_exists(tree, w->qset->id))
		return ATTEMPT_SAME;
	if (!known)
		lines_add(&lines, w->line.data, w->line.len);
	lines_sort(&lines);
	if (note_write(w, &lines, &note) < 0 ||
	    tree_write(w, tree, &note, &changed) < 0 ||
	    commit_write(w, &changed, parent, tip) < 0)
		return ATTEMPT_FAILED;
	return ATTEMPT_AGAIN;
}

static enum attempt
attempt_once(struct writer *w)
{
	git_oid old = {{0}}, tree_id, tip;
	git_tree *tree = NULL;
	enum attempt result;
	bool found;

	if (notes_tip(w->repo, w->record->suite, &found, &old, &tree_id, w->e) <
	    0)
		return ATTEMPT_FAILED;
	/* All zeroes stand for "must not exist". */
	if (!found)
		memset(&old, 0, sizeof(old));
	if (found && git_tree_lookup(&tree, w->repo->git, &tree_id) < 0) {
		fail_environment(w->e,
		    "'%s' is damaged: %s; it is left as it is", w->ref,
		    git_says());
		return ATTEMPT_FAILED;
	}
	result = build(w, tree, found ? &old : NULL, &tip);
	git_tree_free(tree);
	return result == ATTEMPT_AGAIN ? ref_swap(w, &old, &tip) : result;
}

/* --------------------------------------------------------------- store -- */

static enum attempt
attempt_all(struct writer *w)
{
	enum attempt result = ATTEMPT_AGAIN;
	int n;

	for (n = 0; result == ATTEMPT_AGAIN; n++) {
		if (n > 0)
			sleep_jitter(w, n);
		if (now_ms(CLOCK_MONOTONIC) - w->began > DEADLINE_MS) {
			fail_environment(w->e,
			    "'%s' could not be updated in %d seconds and %d "
			    "attempts, so busy is it: %s",
			    w->ref, DEADLINE_MS / 1000, n, git_says());
			return ATTEMPT_FAILED;
		}
		w->arena = arena_new();
		result = attempt_once(w);
		arena_free(w->arena);
	}
	return result;
}

static int
check_limits(const struct record *record, const struct qset *qset, size_t len,
    struct error *e)
{
	if (!suite_name_valid(record->suite))
		return fail(e, "'%s' is no name of a suite", record->suite);
	if (strcmp(record->qset, qset->id) != 0 || record->n != qset->n)
		return fail_environment(
		    e, "a record and its question set are not the same");
	if (qset->n > MAX_QUESTIONS)
		return fail_environment(e,
		    "%zu questions are more than the %d that a record holds",
		    qset->n, MAX_QUESTIONS);
	if (len > MAX_LINE || strlen(qset->blob) > MAX_NOTE)
		return fail_environment(e,
		    "a record of %zu bytes is longer than the %u that a "
		    "record may have",
		    len, MAX_LINE);
	return 0;
}

enum store_state
notes_store(struct arena *arena, struct repo *repo, const struct record *record,
    const struct qset *qset, const struct signature *signature, struct error *e)
{
	struct writer w = {
	    .repo = repo,
	    .ref = notes_ref(arena, record->suite),
	    .record = record,
	    .qset = qset,
	    .signature = signature,
	    .e = e,
	    .began = now_ms(CLOCK_MONOTONIC),
	};
	enum attempt result = ATTEMPT_FAILED;
	struct buf line;

	buf_init(&line);
	record_write(&line, record);
	w.line = (struct line){line.data, line.len - 1};
	random_seed(&w);
	/* A power cut must not leave a ref that names a lost object. */
	git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 1);
	if (check_limits(record, qset, w.line.len, e) == 0)
		result = attempt_all(&w);
	git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 0);
	buf_free(&line);
	if (result == ATTEMPT_FAILED)
		return STORE_FAILED;
	return result == ATTEMPT_SAME ? STORE_UNCHANGED : STORE_ADDED;
}
