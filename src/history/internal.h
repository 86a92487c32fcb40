/*
 * What the files of history share: the repository as libgit2 has it, ids,
 * the tree of notes, and the walk along first parents.
 */
#ifndef HISTORY_INTERNAL_H
#define HISTORY_INTERNAL_H

#include <git2.h>
#include <signal.h>
#include <time.h>

#include "evalgate/history.h"

/* Beyond these a history is not one of ours, or needs another tool. */
#define MAX_QUESTIONS 100000
#define MAX_LINE (4u * 1024 * 1024)
#define MAX_NOTE (32u * 1024 * 1024)
#define MAX_NOTE_LINES 1000
#define MAX_NOTES 200000

#define HEX GIT_OID_HEXSZ

struct repo {
	struct arena *arena;
	git_repository *git;
	git_odb *odb;
	const char *root; /* without a slash at the end, NULL: bare */
	const char *common; /* the common git directory, slash at the end */
	int64_t timeout; /* seconds that talking to a remote may take */
	struct map shallow; /* boundary commits by id */
};

/* Begin and end libgit2; they nest. */
void library_begin(void);
void library_end(void);

/* Reads which commits are a shallow clone's boundary. */
void repo_read_shallow(struct repo *repo);

/* ----------------------------------------------------------------- ids -- */

/* Whether text begins with 40 lower-case hex digits. */
bool is_hex(const char *text);
const char *id_text(struct arena *arena, const git_oid *oid);
/* text: 40 hex digits. */
void id_read(git_oid *oid, const char *text);
/* The id that git gives a blob of these bytes. */
void blob_id(char hex[HEX + 1], const char *data, size_t len);

/* What libgit2 said last, never NULL. */
const char *git_says(void);

/* ---------------------------------------------------------- text lines -- */

struct line {
	const char *data;
	size_t len; /* without LF */
};

/*
 * A note's lines: sorted bytewise, unique, empty ones dropped.  They refer
 * to the texts they came from.
 */
struct lines {
	struct arena *arena;
	struct line *items;
	size_t nitems;
	size_t cap;
};

void lines_add(struct lines *lines, const char *data, size_t len);
void lines_sort(struct lines *lines);
int compare_lines(const void *a, const void *b);

/* --------------------------------------------------------------- notes -- */

struct note {
	git_oid key;
	git_oid blob;
};

/*
 * Every note of a tree in order of keys, whatever its fanout: a key at two
 * depths stands there twice.
 */
struct note_list {
	struct arena *arena;
	struct note *items;
	size_t nitems;
	size_t cap;
};

/* Returns -1 after an error; what names the ref for messages. */
int note_list_load(struct repo *repo, const git_oid *tree, const char *what,
    struct note_list *list, struct error *e);

/*
 * The ref of a suite's notes: *found false when there is none.  Otherwise
 * its commit's id and tree.  A ref that names anything else is an error.
 */
int notes_tip(struct repo *repo, const char *suite, bool *found,
    git_oid *commit, git_oid *tree, struct error *e);
const char *notes_ref(struct arena *arena, const char *suite);

enum note_kind { NOTE_RECORDS, NOTE_QSET };

/*
 * A text of a ref's tree as libgit2 holds it, which spares a copy; NULL after
 * an error.  Its type and size are checked before it is read.
 */
git_odb_object *note_open(struct repo *repo, const git_oid *blob,
    enum note_kind kind, const char *ref, struct error *e);
/* A note's text, in the arena. */
int note_read(struct arena *arena, struct repo *repo, const git_oid *blob,
    const char *ref, struct line *text, struct error *e);

/* -------------------------------------------------------- tree of notes -- */

/* Directories above a note: git needs no more for millions of notes. */
#define MAX_FANOUT 3
/* Digits, a slash for each directory, NUL. */
#define NOTE_PATH (HEX + MAX_FANOUT + 1)

/* Changes of a tree, collected for git_tree_create_updated. */
struct changes {
	git_tree_update items[2 * (MAX_FANOUT + 1)];
	char paths[2 * (MAX_FANOUT + 1)][NOTE_PATH];
	size_t nitems;
};

/*
 * Puts a note under a key where we want it, and takes it from where git had
 * put it.  tree NULL: there is none yet.
 */
void note_place(struct changes *changes, git_tree *tree, const char *hex,
    const git_oid *blob);
bool note_exists(git_tree *tree, const char *hex);
/* Adds the lines of the key's notes, at whatever depths. */
int note_gather(struct repo *repo, git_tree *tree, const char *hex,
    const char *what, struct lines *lines, struct error *e);

/* -------------------------------------------------------------- writing -- */

/* What one attempt to change a ref came to. */
enum attempt { ATTEMPT_DONE, ATTEMPT_SAME, ATTEMPT_AGAIN, ATTEMPT_FAILED };

struct writer {
	struct arena *arena; /* one attempt's, emptied between them */
	struct repo *repo;
	const char *suite;
	const char *ref;
	const struct signature *signature;
	const char *message; /* of the commit and in the reflog */
	struct error *e;
	uint64_t random;
	int64_t began;
	int64_t locked; /* since when the same lock was seen, 0: none */
	struct timespec lock_at; /* its time of change */
};

void writer_init(struct writer *w, struct arena *arena, struct repo *repo,
    const char *suite, const struct signature *signature, const char *message,
    struct error *e);
/* Calls once again and again, until nobody else is faster, or 30 s. */
enum attempt writer_try(
    struct writer *w, enum attempt (*once)(struct writer *));
/* Sleeps from 0 to `most` ms, by chance. */
void writer_sleep(struct writer *w, int64_t most);
int64_t now_ms(clockid_t clock);
/*
 * The ref's tip and tree, NULL and zeroes where it does not exist;
 * ATTEMPT_AGAIN when all is well.
 */
enum attempt writer_tip(
    struct writer *w, git_oid *old, git_tree **tree, bool *found);
int object_write(struct writer *w, git_oid *id, const char *data, size_t len,
    git_object_t type);
int lines_write(struct writer *w, const struct lines *lines, const char *what,
    git_oid *blob);
int tree_write(struct writer *w, git_tree *base, const git_tree_update *updates,
    size_t nupdates, git_oid *id);
int commit_write(struct writer *w, const git_oid *tree, const git_oid *parents,
    size_t nparents, git_oid *commit);
/* Sets the ref to new where it is still old; zeroes: must not exist. */
enum attempt ref_swap(struct writer *w, const git_oid *old, const git_oid *new);

/* ------------------------------------------------------------- sharing -- */

/* What ends a program that is waiting for the network. */
#define SIGNALS 3

/*
 * Talking to a remote by git: as long as `allowed` seconds all in all, and
 * by none of the rules that the user has for his own fetches and pushes.
 */
struct talk {
	struct arena *arena;
	struct repo *repo;
	const char *remote; /* a name or a URL */
	const char *shown; /* the same, but for a password */
	bool named; /* it is configured under this name */
	const char *git_dir; /* --git-dir=... */
	int64_t allowed; /* seconds */
	int64_t until; /* milliseconds of the monotonic clock */
	struct sigaction was[SIGNALS];
	struct error *e;
};

/*
 * Fails where there is no such remote.  From here to its end a signal ends
 * what git is doing, and not the program.
 */
int talk_begin(struct talk *talk, struct arena *arena, struct repo *repo,
    const char *remote, struct error *e);
void talk_end(struct talk *talk);

/* Whether a remote is configured under this name. */
bool remote_named(struct repo *repo, const char *name);

void signals_hold(struct sigaction was[SIGNALS]);
void signals_release(const struct sigaction was[SIGNALS]);

/* The words of one call of git, and how many of them may be refspecs. */
#define GIT_WORDS 160
#define GIT_REFSPECS 100

struct git_call {
	const char *words[GIT_WORDS + 1];
	size_t n;
};

void call_add(struct git_call *call, const char *word);
/* All of a fetch or a push but for its refspecs. */
void call_fetch(struct git_call *call, const struct talk *talk,
    const char *const *options, size_t noptions);
void call_push(struct git_call *call, const struct talk *talk, bool dry);

enum git_end {
	GIT_ENDED, /* by itself */
	GIT_LATE, /* its time was over */
	GIT_INTERRUPTED /* by a signal to us */
};

struct git_run {
	struct buf out, err;
	enum git_end end;
	int64_t allowed; /* seconds that it had */
	int status; /* git's exit status, 128 where a signal ended it */
};

/*
 * Runs git with these words, the first of which is "git", without a terminal
 * to ask on; -1 when it can't be run, else git_run_free is due.  talk NULL:
 * a local command, which takes as long as it takes.
 */
int git_run(const char *const *words, const struct talk *talk,
    struct git_run *run, struct error *e);
void git_run_free(struct git_run *run);
/* What it said on stderr, in a line, without a password. */
const char *git_run_says(struct arena *arena, const struct git_run *run);
/* What the server's hooks and rules said, as "; it says: ...", or "". */
const char *git_server_says(struct arena *arena, const struct git_run *run);

/* The mend that goes with what git or the server said; "" without one. */
const char *git_mend(const char *says);
/* Whether a server refused a ref since somebody else was faster. */
bool git_says_late(const char *line);
/* Says what git could not do, why, and the mend. */
int git_failed(
    const struct talk *talk, const char *what, const struct git_run *run);

/* A suite's ref and its commit. */
struct tip {
	const char *suite;
	git_oid id;
};

struct tips {
	struct arena *arena;
	struct tip *items;
	size_t nitems, cap;
};

/* Suites that have a ref below a prefix; suite NULL: all of them. */
int tips_list(struct arena *arena, struct repo *repo, const char *prefix,
    const char *suite, struct tips *tips, struct error *e);
const struct tip *tips_find(const struct tips *tips, const char *suite);
/* Whether it is a commit that is here, with its tree. */
bool tip_sound(struct repo *repo, const git_oid *id);
bool tip_whole(struct repo *repo, const git_oid *id);
/* What brings a note's object that is not here: "; ...". */
const char *missing_mend(struct repo *repo);

enum merge_state {
	MERGE_EQUAL, /* both are the same */
	MERGE_AHEAD, /* ours has all of theirs */
	MERGE_FORWARD, /* theirs has all of ours: it is ours now */
	MERGE_UNITED /* a new commit has both */
};

/* Brings theirs, a commit, into the suite's notes. */
int notes_merge(struct arena *arena, struct repo *repo, const char *suite,
    const git_oid *theirs, const struct signature *signature,
    enum merge_state *state, struct error *e);

/* ---------------------------------------------------------------- walk -- */

/* Records of other commits that serve one without; see twins.c. */
struct twins {
	struct arena *arena;
	struct repo *repo;
	struct notes *notes;
	const struct baseline_policy *policy; /* NULL for a mere look back */
	const char *judged;
	const char *start; /* where the walk began */
	struct twin_index *index; /* NULL until it is needed */
};

void twins_init(struct twins *twins, struct arena *arena, struct repo *repo,
    struct notes *notes, const struct baseline_policy *policy,
    const char *judged);
/* Gives a link without records those of its twin, where it has one. */
int twins_find(struct twins *twins, struct chain_link *link, struct error *e);

/* Along first parents, through commits that only their records know. */
struct chain {
	struct twins *twins; /* NULL: none are sought */
	struct arena *arena;
	struct repo *repo;
	struct notes *notes;
	const char *next; /* NULL: ended */
	const char *prev; /* what the last record names as the one before */
	const char *cut; /* why it ended early */
	struct map absent;
	size_t nabsent; /* links whose commits are not here */
	struct skipped skipped; /* in the notes of all links */
};

void chain_start(struct chain *chain, struct arena *arena, struct repo *repo,
    struct notes *notes, const char *start);
/* 1: a link; 0: the end, see cut; -1: an error was added. */
int chain_next(struct chain *chain, struct chain_link *link, struct error *e);

/* -------------------------------------------------------------- record -- */

/* record_parse without the ranks, which are left packed. */
enum record_state record_head(
    struct arena *arena, const char *line, size_t len, struct record *record);
/*
 * Packs the ranks of all the record's questions, as a line has them to its
 * end; false when they are none.  The text is used up.
 */
bool ranks_pack(struct arena *arena, char *text, struct record *record);
void ranks_write(struct buf *out, const struct record *record);
/* Whether two stored records have the same question set and ranks. */
bool record_same_ranks(const struct record *one, const struct record *two);

/* ------------------------------------------------------ reading a record -- */

/* Members of a JSON map, read one by one until one is not as it should be. */
struct head {
	struct arena *arena; /* the record's, which outlives the head */
	const struct value *v;
	bool bad;
};

const struct value *head_get(
    struct head *h, const char *key, enum value_type type, bool required);
const char *head_text(struct head *h, const char *key, bool required);
const char *head_id(struct head *h, const char *key, bool required);
int64_t head_integer(
    struct head *h, const char *key, bool required, int64_t min, int64_t max);
double head_number(
    struct head *h, const char *key, bool required, double absent);
bool head_flag(struct head *h, const char *key);
unsigned head_depth(struct head *h);
/* The keys "gate" and "held". */
void record_gate(struct head *h, struct record *r);
void record_held(struct head *h, struct record *r);

#endif
