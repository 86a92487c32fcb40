/*
 * What the tests of history share: throw-away repositories with everything
 * pinned, and records to put there.
 */
#ifndef TEST_HISTORY_H
#define TEST_HISTORY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* cmocka makes a macro of fail, so our headers come first. */
#include "evalgate/history.h"

#include <cmocka.h>

/* libgit2 1.5 forgets what it allocated for a pattern that did not match. */
const char *__lsan_default_suppressions(void);

const char *
__lsan_default_suppressions(void)
{
	return "leak:libpcre2\n";
}

/* A directory with a repository `r` in it, and what one test needs. */
struct place {
	char dir[64];
	char repo_dir[80];
	struct arena *arena;
	struct error e;
	struct repo *repo; /* NULL until place_open */
};

/* Runs a shell command in the place's directory; its status. */
static inline int PRINTF_LIKE(2, 3)
    try_shell(struct place *p, const char *fmt, ...)
{
	struct buf command;
	va_list args;
	char text[4096];
	int status;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	buf_init(&command);
	buf_printf(&command, "cd '%s' && { %s\n} >>log 2>&1", p->dir, text);
	status = system(command.data);
	buf_free(&command);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#define shell(p, ...) assert_int_equal(try_shell(p, __VA_ARGS__), 0)

/* What a command prints, without the last newline. */
static inline const char *PRINTF_LIKE(2, 3)
    output(struct place *p, const char *fmt, ...)
{
	static char none[] = "";
	va_list args;
	char text[2048];
	struct buf buf;
	const char *copy;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	try_shell(p, "{ %s\n} >out", text);
	buf_init(&buf);
	if (file_read(arena_printf(p->arena, "%s/out", p->dir), &buf, &p->e))
		return none;
	if (buf.len && buf.data[buf.len - 1] == '\n')
		buf.data[--buf.len] = '\0';
	copy = arena_strdup(p->arena, buf.data);
	buf_free(&buf);
	return copy;
}

static inline void
place_make(struct place *p)
{
	const char *tmp = getenv("TMPDIR");

	*p = (struct place){.arena = arena_new()};
	p->e.arena = p->arena;
	snprintf(p->dir, sizeof(p->dir), "%s/evalgate-test-XXXXXX",
	    tmp && strlen(tmp) < 30 ? tmp : "/tmp");
	assert_non_null(mkdtemp(p->dir));
	snprintf(p->repo_dir, sizeof(p->repo_dir), "%s/r", p->dir);
	setenv("HOME", p->dir, 1);
	setenv("XDG_CONFIG_HOME", p->dir, 1);
	setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("GIT_AUTHOR_NAME", "A", 1);
	setenv("GIT_AUTHOR_EMAIL", "a@example.org", 1);
	setenv("GIT_COMMITTER_NAME", "C", 1);
	setenv("GIT_COMMITTER_EMAIL", "c@example.org", 1);
	setenv("GIT_AUTHOR_DATE", "2026-01-02T03:04:05Z", 1);
	setenv("GIT_COMMITTER_DATE", "2026-01-02T03:04:05Z", 1);
	setenv("LC_ALL", "C", 1);
	setenv("TZ", "UTC", 1);
	unsetenv("GIT_DIR");
	unsetenv("GIT_WORK_TREE");
	unsetenv("GIT_INDEX_FILE");
	shell(p, "git init -q -b main r");
}

static inline void
place_free(struct place *p)
{
	repo_close(p->repo);
	if (chdir("/") == 0)
		try_shell(p, "umount t 2>/dev/null; rm -rf '%s'", p->dir);
	arena_free(p->arena);
}

static inline void
print_errors(const struct error *e)
{
	size_t i;

	for (i = 0; i < e->nitems; i++)
		print_message("error: %s\n", e->items[i].text);
}

static inline void
place_open(struct place *p, const char *name)
{
	const char *dir = arena_printf(p->arena, "%s/%s", p->dir, name);

	repo_close(p->repo);
	p->repo = NULL;
	if (repo_open(p->arena, dir, NULL, &p->repo, &p->e) < 0) {
		print_errors(&p->e);
		fail_msg("cannot open %s", dir);
	}
}

/* n more commits on the current branch of r. */
static inline void
commits(struct place *p, int n)
{
	shell(p,
	    "cd r; for i in $(seq %d); do echo $i.$(git rev-list --count "
	    "--all) >f; git add f; git commit -q -m \"change $i\"; done",
	    n);
}

static inline const char *
commit_id(struct place *p, const char *revision)
{
	const char *id = output(p, "git -C r rev-parse '%s^{}'", revision);

	assert_int_equal(strlen(id), 40);
	return id;
}

/* Asserts that the last error says so, and is of this kind. */
static inline void
assert_says(const struct error *e, enum error_kind kind, const char *text)
{
	assert_true(e->nitems > 0);
	if (!strstr(e->items[e->nitems - 1].text, text))
		fail_msg("'%s' does not say '%s'", e->items[e->nitems - 1].text,
		    text);
	assert_int_equal(e->items[e->nitems - 1].kind, kind);
}

/* ------------------------------------------------------------- records -- */

/* Three questions: one document, two documents, unanswerable. */
static inline void
some_questions(struct arena *arena, struct questions *questions)
{
	struct expected one[] = {
	    {.document = "doc-a", .grade = 1},
	};
	struct expected two[] = {
	    {.document = "doc-b", .grade = 2},
	    {.document = "doc-c", .grade = 1},
	    {.document = "doc-d", .grade = 0},
	};
	struct question *items = arena_array(arena, 3, sizeof(*items));

	items[0].id = "039";
	items[1].id = "packer \"x\"";
	items[2].id = "zz";
	items[2].unanswerable = true;
	question_pack(arena, &items[0], one, COUNT(one),
	    &(struct question_more){.text = "stuck"});
	question_pack(arena, &items[1], two, COUNT(two), NULL);
	question_pack(arena, &items[2], NULL, 0,
	    &(struct question_more){.text = "nothing"});
	*questions =
	    (struct questions){.items = items, .nitems = 3, .nanswerable = 2};
}

static inline struct qset *
some_qset(struct place *p)
{
	struct qset *qset = arena_alloc(p->arena, sizeof(*qset));
	struct questions questions;

	some_questions(p->arena, &questions);
	qset_make(p->arena, &questions, qset);
	return qset;
}

/* A record of a commit of r, with given time and first rank. */
static inline struct record
some_record(struct place *p, const char *revision, int minute, int32_t rank)
{
	static const size_t first[] = {0, 1, 3, 4};
	static const bool single[] = {true, false, true};
	int32_t *ranks = arena_array(p->arena, 4, sizeof(*ranks));
	struct record r = {
	    .suite = "default",
	    .at = arena_printf(p->arena, "2026-01-02T04:%02d:00Z", minute % 60),
	    .tool = "evalgate 0.1.0",
	    .rules = RECORD_RULES,
	    .commit = commit_id(p, revision),
	    .tree = output(p, "git -C r rev-parse '%s^{tree}'", revision),
	    .verdict = RECORD_PASS,
	    .depth = 10,
	    .n = 3,
	    .qset = some_qset(p)->id,
	    .ranks = ranks,
	    .first = first,
	    .single = single,
	};
	const char *parents, **list;

	ranks[0] = rank;
	ranks[1] = 2;
	parents = output(p, "git -C r show -s --format=%%P '%s'", revision);
	r.nparents = (strlen(parents) + 1) / 41;
	list = arena_array(p->arena, r.nparents, sizeof(*list));
	for (size_t i = 0; i < r.nparents; i++)
		list[i] = arena_strndup(p->arena, parents + 41 * i, 40);
	r.parents = list;
	return r;
}

static inline enum store_state
store(struct place *p, const struct record *record)
{
	static const struct signature signature = {
	    "evalgate", "evalgate@localhost", 1767323045};

	return notes_store(
	    p->arena, p->repo, record, some_qset(p), &signature, &p->e);
}

static inline struct notes *
load(struct place *p)
{
	struct notes *notes = NULL;

	if (notes_load(p->arena, p->repo, "default", &notes, &p->e) < 0) {
		print_errors(&p->e);
		fail_msg("notes can't be loaded");
	}
	return notes;
}

#define REF "refs/notes/evalgate/default"

static inline const char *
tip(struct place *p)
{
	return output(p, "git -C r rev-parse -q --verify " REF " || true");
}

/* What every test of a repository ends with. */
static inline void
assert_sound(struct place *p)
{
	assert_string_equal(
	    output(p, "git -C r fsck --strict --no-dangling 2>&1"), "");
}

static inline int
place_setup(void **state)
{
	struct place *p = malloc(sizeof(*p));

	if (!p)
		return -1;
	place_make(p);
	*state = p;
	return 0;
}

static inline int
place_teardown(void **state)
{
	place_free(*state);
	free(*state);
	return 0;
}

#define place_test(f) \
	cmocka_unit_test_setup_teardown(f, place_setup, place_teardown)

#endif
