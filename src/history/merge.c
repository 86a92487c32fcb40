/*
 * The union of two histories of one suite: every note of both, and of a note
 * that both have every line.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct merge {
	struct writer w; /* first: writer_try hands it back */
	git_oid theirs;
	enum merge_state state;
};

/* Updates of a tree, as many as there are. */
struct updates {
	struct arena *arena;
	git_tree_update *items;
	size_t nitems, cap;
};

static void
add_changes(struct updates *updates, const struct changes *changes)
{
	size_t i;

	for (i = 0; i < changes->nitems; i++) {
		updates->items = arena_grow(updates->arena, updates->items,
		    updates->nitems, &updates->cap, sizeof(*updates->items));
		updates->items[updates->nitems] = changes->items[i];
		updates->items[updates->nitems++].path =
		    arena_strdup(updates->arena, changes->items[i].path);
	}
}

static int
load_notes(struct merge *m, const git_oid *commit, git_tree **tree,
    struct note_list *list)
{
	git_commit *object;

	*tree = NULL;
	if (git_commit_lookup(&object, m->w.repo->git, commit) < 0)
		return fail_environment(
		    m->w.e, "'%s' can't be merged: %s", m->w.ref, git_says());
	if (git_commit_tree(tree, object) < 0) {
		git_commit_free(object);
		return fail_environment(
		    m->w.e, "'%s' can't be merged: %s", m->w.ref, git_says());
	}
	git_commit_free(object);
	*list = (struct note_list){.arena = m->w.arena};
	return note_list_load(
	    m->w.repo, git_tree_id(*tree), m->w.ref, list, m->w.e);
}

static int
compare_keys(const void *a, const void *b)
{
	const struct note *x = a, *y = b;

	return git_oid_cmp(&x->key, &y->key);
}

/* Whether they have the very same note, at one depth alone. */
static bool
same_note(const struct note_list *theirs, const struct note *ours)
{
	const struct note *found = theirs->nitems
	    ? bsearch(ours, theirs->items, theirs->nitems, sizeof(*found),
		  compare_keys)
	    : NULL;
	const struct note *end = theirs->items + theirs->nitems;

	if (!found || git_oid_cmp(&found->blob, &ours->blob) != 0)
		return false;
	return (found == theirs->items ||
		   git_oid_cmp(&found[-1].key, &ours->key) != 0) &&
	    (found + 1 == end || git_oid_cmp(&found[1].key, &ours->key) != 0);
}

/* A question set annotates itself; its lines are in an order of their own. */
static int
merge_note(struct merge *m, git_tree *ours, git_tree *theirs,
    const struct note *note, struct updates *updates)
{
	struct lines lines = {.arena = m->w.arena};
	struct changes changes = {.nitems = 0};
	const char *hex = id_text(m->w.arena, &note->key);
	git_oid blob = note->blob;

	if (git_oid_cmp(&note->key, &note->blob) != 0) {
		if (note_gather(
			m->w.repo, ours, hex, m->w.ref, &lines, m->w.e) < 0 ||
		    note_gather(
			m->w.repo, theirs, hex, m->w.ref, &lines, m->w.e) < 0)
			return -1;
		lines_sort(&lines);
		if (lines_write(&m->w, &lines, hex, &blob) < 0)
			return -1;
	}
	note_place(&changes, theirs, hex, &blob);
	add_changes(updates, &changes);
	return 0;
}

/* Entries that are no notes: theirs stay, ours come along. */
static void
keep_others(
    struct merge *m, git_tree *ours, git_tree *theirs, struct updates *updates)
{
	struct changes one;
	const git_tree_entry *entry;
	const char *name;
	size_t i;

	(void)m;
	for (i = 0; i < git_tree_entrycount(ours); i++) {
		entry = git_tree_entry_byindex(ours, i);
		name = git_tree_entry_name(entry);
		if (strspn(name, "0123456789abcdef") == strlen(name) ||
		    git_tree_entry_byname(theirs, name))
			continue;
		one.nitems = 1;
		one.items[0] =
		    (git_tree_update){.action = GIT_TREE_UPDATE_UPSERT,
			.id = *git_tree_entry_id(entry),
			.filemode = git_tree_entry_filemode(entry),
			.path = name};
		add_changes(updates, &one);
	}
}

static int
merge_trees(struct merge *m, git_tree *ours, git_tree *theirs,
    const struct note_list *our_notes, const struct note_list *their_notes,
    git_oid *id)
{
	struct updates updates = {.arena = m->w.arena};
	const struct note *note;
	size_t i;

	for (i = 0; i < our_notes->nitems; i++) {
		note = &our_notes->items[i];
		if (i && git_oid_cmp(&note->key, &note[-1].key) == 0)
			continue;
		if (!same_note(their_notes, note) &&
		    merge_note(m, ours, theirs, note, &updates) < 0)
			return -1;
	}
	keep_others(m, ours, theirs, &updates);
	return tree_write(&m->w, theirs, updates.items, updates.nitems, id);
}

/* The commit that has both tips as parents. */
static enum attempt
unite(struct merge *m, const git_oid *mine, git_oid *tip)
{
	git_tree *ours = NULL, *theirs = NULL;
	struct note_list our_notes, their_notes;
	git_oid parents[2] = {m->theirs, *mine}, tree;
	enum attempt result = ATTEMPT_FAILED;

	if (load_notes(m, mine, &ours, &our_notes) == 0 &&
	    load_notes(m, &m->theirs, &theirs, &their_notes) == 0 &&
	    merge_trees(m, ours, theirs, &our_notes, &their_notes, &tree) ==
		0 &&
	    commit_write(&m->w, &tree, parents, 2, tip) == 0)
		result = ATTEMPT_AGAIN;
	git_tree_free(ours);
	git_tree_free(theirs);
	return result;
}

/* Where it can't be told (shallow notes), it is no descendant. */
static bool
descends(struct merge *m, const git_oid *commit, const git_oid *ancestor)
{
	return git_oid_cmp(commit, ancestor) == 0 ||
	    git_graph_descendant_of(m->w.repo->git, commit, ancestor) == 1;
}

static enum attempt
merge_once(struct writer *w)
{
	struct merge *m = (struct merge *)w;
	enum attempt result;
	git_oid old, tip;
	git_tree *tree;
	bool found;

	result = writer_tip(w, &old, &tree, &found);
	git_tree_free(tree);
	if (result != ATTEMPT_AGAIN)
		return result;
	if (found && descends(m, &old, &m->theirs)) {
		m->state = git_oid_cmp(&old, &m->theirs) == 0 ? MERGE_EQUAL
							      : MERGE_AHEAD;
		return ATTEMPT_SAME;
	}
	if (!found || descends(m, &m->theirs, &old)) {
		m->state = MERGE_FORWARD;
		return ref_swap(w, &old, &m->theirs);
	}
	m->state = MERGE_UNITED;
	result = unite(m, &old, &tip);
	return result == ATTEMPT_AGAIN ? ref_swap(w, &old, &tip) : result;
}

int
notes_merge(struct arena *arena, struct repo *repo, const char *suite,
    const git_oid *theirs, const struct signature *signature,
    enum merge_state *state, struct error *e)
{
	struct merge m = {.theirs = *theirs};

	writer_init(&m.w, arena, repo, suite, signature,
	    "evalgate: unite histories", e);
	if (writer_try(&m.w, merge_once) == ATTEMPT_FAILED)
		return -1;
	*state = m.state;
	return 0;
}
