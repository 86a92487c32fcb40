/* Storing a record: its line joins those of its commit, nothing is lost. */
#include <string.h>

#include "internal.h"

/* One record on its way into the notes; the writer comes first. */
struct store {
	struct writer w;
	const struct record *record;
	const struct qset *qset;
	struct line line; /* the record's, without LF */
};

/* --------------------------------------------------------------- lines -- */

/*
 * Whether a stored line is the new record but for when and in which run it
 * was made.  Only a line that we would write byte for byte is compared: what
 * a later version added is not overlooked.
 */
static bool
same_record(struct store *s, const struct line *stored)
{
	struct record old;
	struct buf again;
	bool same;

	if (record_parse(s->w.arena, stored->data, stored->len, &old) !=
	    RECORD_READ)
		return false;
	buf_init(&again);
	record_write(&again, &old);
	same = again.len == stored->len + 1 &&
	    memcmp(again.data, stored->data, stored->len) == 0;
	old.at = s->record->at;
	old.run = s->record->run;
	old.attempt = s->record->attempt;
	again.len = 0;
	record_write(&again, &old);
	same = same && again.len == s->line.len + 1 &&
	    memcmp(again.data, s->line.data, s->line.len) == 0;
	buf_free(&again);
	return same;
}

/*
 * The newest run of a commit serves, so that one which gives again what an
 * older one gave is news where another came in between.
 */
static bool
already_there(struct store *s, const struct lines *lines)
{
	const struct line *newest = NULL;
	struct record one, best;
	size_t i;
	int order;

	for (i = 0; i < lines->nitems; i++) {
		if (record_head(s->w.arena, lines->items[i].data,
			lines->items[i].len, &one) != RECORD_READ)
			continue;
		order = newest ? strcmp(one.at, best.at) : 1;
		if (order < 0 || (order == 0 && one.attempt < best.attempt))
			continue;
		newest = &lines->items[i];
		best = one;
	}
	return newest && same_record(s, newest);
}

/* ------------------------------------------------------------- attempt -- */

static int
put_note(struct store *s, git_tree *tree, const git_oid *note, git_oid *id)
{
	struct changes changes = {.nitems = 0};
	git_oid qset;

	if (object_write(&s->w, &qset, s->qset->blob, strlen(s->qset->blob),
		GIT_OBJECT_BLOB) < 0)
		return -1;
	note_place(&changes, tree, s->record->commit, note);
	if (!note_exists(tree, s->qset->id))
		note_place(&changes, tree, s->qset->id, &qset);
	return tree_write(&s->w, tree, changes.items, changes.nitems, id);
}

/* The new tip, from the old one's tree (NULL: there is none yet). */
static enum attempt
build(struct store *s, git_tree *tree, const git_oid *parent, git_oid *tip)
{
	struct lines lines = {.arena = s->w.arena};
	git_oid note, changed;
	bool known;

	if (note_gather(s->w.repo, tree, s->record->commit, s->w.ref, &lines,
		s->w.e) < 0)
		return ATTEMPT_FAILED;
	known = already_there(s, &lines);
	if (known && note_exists(tree, s->qset->id))
		return ATTEMPT_SAME;
	if (!known)
		lines_add(&lines, s->line.data, s->line.len);
	lines_sort(&lines);
	if (lines_write(&s->w, &lines, s->record->commit, &note) < 0 ||
	    put_note(s, tree, &note, &changed) < 0 ||
	    commit_write(&s->w, &changed, parent, parent ? 1 : 0, tip) < 0)
		return ATTEMPT_FAILED;
	return ATTEMPT_AGAIN;
}

static enum attempt
store_once(struct writer *w)
{
	struct store *s = (struct store *)w;
	enum attempt result;
	git_tree *tree;
	git_oid old, tip;
	bool found;

	result = writer_tip(w, &old, &tree, &found);
	if (result == ATTEMPT_AGAIN)
		result = build(s, tree, found ? &old : NULL, &tip);
	git_tree_free(tree);
	return result == ATTEMPT_AGAIN ? ref_swap(w, &old, &tip) : result;
}

/* --------------------------------------------------------------- store -- */

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
	struct store s = {.record = record, .qset = qset};
	enum attempt result = ATTEMPT_FAILED;
	struct buf line;

	buf_init(&line);
	record_write(&line, record);
	s.line = (struct line){line.data, line.len - 1};
	if (check_limits(record, qset, s.line.len, e) == 0) {
		writer_init(&s.w, arena, repo, record->suite, signature,
		    arena_printf(
			arena, "evalgate: record %.7s", record->commit),
		    e);
		result = writer_try(&s.w, store_once);
	}
	buf_free(&line);
	if (result == ATTEMPT_FAILED)
		return STORE_FAILED;
	return result == ATTEMPT_SAME ? STORE_UNCHANGED : STORE_ADDED;
}
