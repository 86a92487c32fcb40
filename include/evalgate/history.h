/*
 * history: records of past runs in git notes, and which of them the current
 * run is compared with.  libgit2 is known in this layer alone; the rest of
 * the program sees object ids as 40 hex digits in the arena.
 *
 * One ref a suite, refs/notes/evalgate/<suite>.  A note annotates a commit
 * and holds JSON Lines: one line a run, sorted bytewise, unique.
 */
#ifndef EVALGATE_HISTORY_H
#define EVALGATE_HISTORY_H

#include "evalgate/base.h"
#include "evalgate/codec.h"
#include "evalgate/input.h"
#include "evalgate/record.h"

/* ----------------------------------------------------------- repository -- */

struct repo;

/* What the environment says of the repository; the cli layer reads it. */
struct repo_options {
	const char *git_dir; /* GIT_DIR, NULL: found from dir upwards */
	const char *work_tree; /* GIT_WORK_TREE, NULL */
	bool trust_owner; /* EVALGATE_TRUST_OWNER=1 */
	int64_t timeout; /* EVALGATE_TIMEOUT, seconds; 0: two minutes */
};

/*
 * Opens the repository that holds dir.  options may be NULL.  Says the
 * reason and the mend when it can't: not a repository, foreign owner, sha256,
 * reftable, a version of the future.
 */
int repo_open(struct arena *arena, const char *dir,
    const struct repo_options *options, struct repo **repo, struct error *e);
void repo_close(struct repo *repo);
/* The work tree's root, ends without a slash; NULL in a bare repository. */
const char *repo_root(const struct repo *repo);
/* Whether history was cut off on purpose when this clone was made. */
bool repo_shallow(const struct repo *repo);

struct commit {
	const char *id;
	const char *tree;
	const char *const *parents;
	size_t nparents;
	const char *subject; /* first line of the message, valid UTF-8 */
	int64_t time; /* committer's, seconds since 1970 UTC */
};

enum commit_state {
	COMMIT_FOUND,
	COMMIT_SHALLOW, /* found; its parents lie beyond a shallow boundary */
	COMMIT_MISSING, /* no such object here (shallow, partial) */
	COMMIT_BROKEN /* an error was added to e */
};

/* The tree of a commit, NULL where the commit is not here. */
const char *repo_tree(struct repo *repo, const char *id);
/* Reads a commit by id: its true parents, also at a shallow boundary. */
enum commit_state repo_commit(
    struct repo *repo, const char *id, struct commit *commit, struct error *e);
/*
 * The commit that a revision names ("HEAD", "v1.2", "HEAD~3").  A branch
 * without commits is the environment's fault, an unknown revision the user's;
 * in a shallow clone there is no telling.
 */
int repo_resolve(
    struct repo *repo, const char *revision, const char **id, struct error *e);
/* The merge base of two commits; NULL when there is none or can't be told. */
const char *repo_merge_base(
    struct repo *repo, const char *one, const char *two);
/* The branch that HEAD is on, NULL when detached. */
const char *repo_branch(struct repo *repo);
/*
 * Whether tracked files differ from HEAD, but for the nexcept paths (the
 * run's own files, absolute).  false in a bare repository.
 */
int repo_dirty(struct repo *repo, const char *const *except, size_t nexcept,
    bool *dirty, struct error *e);
/*
 * One id for what a tree holds at some paths; NULL when the tree is not
 * here.
 */
const char *repo_inputs(struct repo *repo, const char *tree,
    const char *const *paths, size_t npaths);
/*
 * Whether `ancestor` is id or can be reached from it, false when it can't be
 * told.
 */
bool repo_descends(struct repo *repo, const char *id, const char *ancestor);

/* ---------------------------------------------------------------- notes -- */

/* Suite names: [a-z0-9][a-z0-9._-]{0,63}, no "..", not ending in . or .lock */
bool suite_name_valid(const char *suite);

/* The notes of one suite as they were when loaded. */
struct notes;

/*
 * Loads the suite's tree of notes; a ref that does not exist is an empty
 * history, one that is damaged an error.
 */
int notes_load(struct arena *arena, struct repo *repo, const char *suite,
    struct notes **notes, struct error *e);
/* The number of annotated commits. */
size_t notes_count(const struct notes *notes);
/* The i-th annotated commit's id, in order of ids. */
const char *notes_commit(const struct notes *notes, size_t i);
bool notes_has(const struct notes *notes, const char *commit);
/* Lines of a note that are none of its commit's records. */
struct skipped {
	size_t nforeign; /* no record that this version reads */
	size_t nlater; /* of these, those of a later version */
	/* Of another commit or tree: a rewrite of history took them along. */
	size_t ncarried;
};

/*
 * The records of a commit, newest (`at`, attempt, line) first, the dirty
 * ones too; tree NULL: it is not known, and any will do.  Zero records when
 * it has none.
 */
int notes_records(struct notes *notes, const char *commit, const char *tree,
    struct record **records, size_t *nrecords, struct skipped *skipped,
    struct error *e);
/* The newest of them that is not dirty; NULL: none is. */
const struct record *records_newest(
    const struct record *records, size_t nrecords);
/* "2 records are about another commit ...", for a notice. */
const char *carried_text(struct arena *arena, size_t ncarried);
int notes_qset(
    struct notes *notes, const char *id, struct qset *qset, struct error *e);

/* Who signs the notes commit. */
struct signature {
	const char *name;
	const char *email;
	int64_t time;
};

/*
 * user.name and user.email of git's config, else "evalgate" and
 * "evalgate@localhost"; time is left alone.  The environment's names, which
 * win, are the cli layer's to read.
 */
void repo_signature(
    struct arena *arena, struct repo *repo, struct signature *signature);

enum store_state {
	STORE_ADDED,
	STORE_UNCHANGED, /* the same record but for at, run, attempt */
	STORE_FAILED /* an error was added to e */
};

/*
 * Adds a record to its commit's note by compare-and-swap on the ref, with
 * its question set; retries with jitter.  Nothing is overwritten.
 */
enum store_state notes_store(struct arena *arena, struct repo *repo,
    const struct record *record, const struct qset *qset,
    const struct signature *signature, struct error *e);

/* ------------------------------------------------------------- baseline -- */

struct baseline_policy {
	bool accept_any; /* before is the only reference */
	int64_t max_distance; /* first-parent steps */
	bool required;
	/*
	 * What this run was to answer: the record of a subset serves only
	 * where it answered all of it.  NULL: every record serves.
	 */
	const struct qset *wanted;
	/* Paths of the tree that decide on the results, in order. */
	const char *const *inputs;
	size_t ninputs;
	const char *side; /* a pull request's own last commit, NULL */
};

struct reference {
	const struct record *record;
	/*
	 * First-parent steps from the commit under judgment; at least so many
	 * where the walk passed over commits that are not here.
	 */
	size_t distance;
	int64_t time; /* the commit's; its record's where it is not here */
	const char *subject; /* NULL when its object is not here */
	const char *twin_of; /* the commit that has no record of its own */
	const char *twin_by; /* "tree" or "inputs" */
};

enum baseline_outcome {
	BASELINE_FOUND,
	BASELINE_FIRST, /* no records, or only on descendants */
	BASELINE_LOST, /* records elsewhere only */
	BASELINE_CUT /* the walk ended before any record was met */
};

struct baseline {
	enum baseline_outcome outcome;
	const struct reference *before; /* nearest record, NULL if none */
	/* nearest acceptable one; before itself when none is; NULL if none */
	const struct reference *good;
	bool good_accepted; /* false: none was acceptable */
	/*
	 * Why the walk ended before an acceptable one was met, though a
	 * nearer record was; NULL where it went all the way, or as far as
	 * max_distance says.
	 */
	const char *good_cut;
	const char *reason; /* "nearest recorded first-parent ancestor" */
	/* commits without a record between the judged one and before */
	const char *const *unrecorded;
	size_t nunrecorded;
	const char *cut; /* why the walk ended, for BASELINE_CUT */
	const char *const *notices;
	size_t nnotices;
};

/*
 * Walks the first parents from `start` (a commit id; NULL when the judged
 * commit has no parent) and picks the two references.  distance0: steps from
 * the judged commit to start.  judged: its id, whose own records never
 * serve.
 */
int baseline_find(struct arena *arena, struct repo *repo, struct notes *notes,
    const char *judged, const char *start, size_t distance0,
    const struct baseline_policy *policy, struct baseline *baseline,
    struct error *e);

/*
 * The nearest commit's record on the way back from start, not dirty, within
 * max steps; NULL without one.
 */
const struct record *chain_nearest(struct arena *arena, struct repo *repo,
    struct notes *notes, const char *start, size_t max);

/* One recorded or unrecorded commit on the first-parent chain. */
struct chain_link {
	struct commit commit;
	/*
	 * The commit's own object was here; else id, tree and parents are as
	 * its record names them.
	 */
	bool known;
	bool after_gap; /* commits before it, as the walk goes, are unknown */
	struct record *records; /* newest first */
	size_t nrecords;
	struct skipped skipped; /* of its own note */
	/*
	 * The commit whose records these are, where this one has none of its
	 * own: one with the same "tree" or the same "inputs".
	 */
	const char *twin;
	const char *twin_by;
};

/*
 * The chain from `start` back, newest first, at most max links.  *cut: why
 * it ended before a commit without parents, NULL otherwise.
 */
int chain_walk(struct arena *arena, struct repo *repo, struct notes *notes,
    const char *start, size_t max, struct chain_link **links, size_t *nlinks,
    const char **cut, struct error *e);

/* ------------------------------------------------------------- sharing -- */

struct sync_options {
	const char *remote; /* a name or a URL */
	const char *suite; /* NULL: every suite */
	bool fetch;
	bool push; /* fetches too: others may have written */
	const struct signature *signature;
};

/*
 * A remote as it may be told: where it is a URL, without the password, or
 * what stands in a name's place and may be a token.
 */
const char *remote_shown(struct arena *arena, const char *remote);

struct sync_result {
	size_t nsuites; /* that the remote has */
	size_t nforwarded; /* brought up to what the remote has */
	size_t nunited; /* merged, since both sides had something new */
	size_t npushed; /* suites of which something was pushed */
	int attempts; /* to push */
	bool refused; /* the remote answered, and took nothing */
	const char **notices;
	size_t nnotices;
};

/*
 * Shares the history by running git, which has the credentials: fetches,
 * unites line by line, pushes, and does it again where somebody else was
 * faster, until the time is over that talking to a remote may take.  Never
 * by force.  A suite that is damaged, here or there, is an error and keeps
 * no other from being shared.
 */
int history_sync(struct arena *arena, struct repo *repo,
    const struct sync_options *options, struct sync_result *result,
    struct error *e);

/* The suites that have a ref here, in bytewise order. */
size_t history_suites(
    struct arena *arena, struct repo *repo, const char *const **suites);

/* Whether a remote of this name is configured, or it is a URL. */
bool history_remote_known(
    struct repo *repo, const char *remote, struct error *e);
/* The names of the configured remotes, in bytewise order. */
size_t history_remotes(
    struct arena *arena, struct repo *repo, const char *const **names);

/* A refspec that a remote's fetch follows in the user's configuration. */
struct refspec {
	const char *remote, *text;
};

/*
 * Those by which every `git fetch` sets a suite's ref to the remote's, and
 * with it drops records that were not shared yet.  By remote, in bytewise
 * order.
 */
size_t history_overwriting(struct arena *arena, struct repo *repo,
    const char *suite, struct refspec **refspecs);

/*
 * What stands before a commit's id where people look at it on the web,
 * "https://github.com/owner/name/commit/"; NULL when the host is not a known
 * one.  Neither a user nor a password of url is in it.
 */
const char *history_web_of(struct arena *arena, const char *url);
/* The same of a remote's name, or of its URL. */
const char *repo_web(
    struct arena *arena, struct repo *repo, const char *remote);

/* What a remote would let us do. */
struct sync_probe {
	bool reached;
	const char *why; /* not reached */
	size_t nsuites; /* that it has a history of */
	bool may_push; /* a dry run was let in */
	const char *push_why;
};

/* Asks a remote, and changes nothing there or here. */
int history_probe(struct arena *arena, struct repo *repo, const char *remote,
    struct sync_probe *probe, struct error *e);

/* A lock file that stands in the way of a suite's ref. */
struct notes_lock {
	const char *path;
	int64_t age; /* seconds */
};

/* The locks on all suites' refs, as of `now`. */
size_t notes_locks(struct arena *arena, struct repo *repo, int64_t now,
    struct notes_lock **locks);

/*
 * Fetches up to n further commits behind a shallow boundary, of HEAD and of
 * the remote's branches.
 */
int history_deepen(struct arena *arena, struct repo *repo, const char *remote,
    int64_t n, struct error *e);

#endif
