/*
 * Reading the notes of a suite: the ref, the tree with whatever fanout, and
 * the texts.  libgit2's own functions for notes lose updates, overwrite
 * damaged refs and are quadratic, so none of them is called.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct notes {
	struct arena *arena;
	struct repo *repo;
	const char *ref;
	struct note_list all;
	size_t *commits; /* places in all of the first note of each commit */
	size_t ncommits;
};

bool
suite_name_valid(const char *suite)
{
	size_t len = strlen(suite), i;

	if (len == 0 || len > 64 || strstr(suite, "..") ||
	    suite[len - 1] == '.' ||
	    (len > 5 && strcmp(suite + len - 5, ".lock") == 0))
		return false;
	for (i = 0; i < len; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789", suite[i]) &&
		    (i == 0 || !strchr("._-", suite[i])))
			return false;
	return true;
}

const char *
notes_ref(struct arena *arena, const char *suite)
{
	return arena_printf(arena, "refs/notes/evalgate/%s", suite);
}

/* ---------------------------------------------------------------- tree -- */

struct reader {
	struct repo *repo;
	const char *what;
	struct note_list *list;
	struct error *e;
};

static bool
hex_digits(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (!((text[i] >= '0' && text[i] <= '9') ||
			(text[i] >= 'a' && text[i] <= 'f')))
			return false;
	return true;
}

static int
add_note(struct reader *r, const char *hex, const git_oid *blob)
{
	struct note_list *list = r->list;
	struct note *note;

	if (list->nitems == 2 * MAX_NOTES)
		return fail_environment(r->e,
		    "%s has more than %d notes, which is more than evalgate "
		    "reads",
		    r->what, MAX_NOTES);
	list->items = arena_grow(list->arena, list->items, list->nitems,
	    &list->cap, sizeof(*list->items));
	note = &list->items[list->nitems++];
	id_read(&note->key, hex);
	git_oid_cpy(&note->blob, blob);
	return 0;
}

/* hex: the digits of the path so far, and room for all of them. */
static int
read_tree(struct reader *r, const git_oid *id, char *hex, size_t nhex)
{
	const git_tree_entry *entry;
	const char *name;
	git_tree *tree;
	git_object_t type;
	size_t i, n, len;
	int rc = 0;

	if (git_tree_lookup(&tree, r->repo->git, id) < 0)
		return fail_environment(r->e, "%s is damaged: %s%s", r->what,
		    git_says(), missing_mend(r->repo));
	n = git_tree_entrycount(tree);
	for (i = 0; rc == 0 && i < n; i++) {
		entry = git_tree_entry_byindex(tree, i);
		name = git_tree_entry_name(entry);
		type = git_tree_entry_type(entry);
		len = strlen(name);
		/* What is no note belongs to somebody else. */
		if (len > HEX - nhex || !hex_digits(name, len))
			continue;
		memcpy(hex + nhex, name, len);
		if (type == GIT_OBJECT_BLOB && nhex + len == HEX)
			rc = add_note(r, hex, git_tree_entry_id(entry));
		else if (type == GIT_OBJECT_TREE && len == 2 &&
		    nhex + len < HEX)
			rc = read_tree(
			    r, git_tree_entry_id(entry), hex, nhex + 2);
	}
	git_tree_free(tree);
	return rc;
}

static int
compare_notes(const void *a, const void *b)
{
	const struct note *x = a, *y = b;
	int order = git_oid_cmp(&x->key, &y->key);

	return order ? order : git_oid_cmp(&x->blob, &y->blob);
}

int
note_list_load(struct repo *repo, const git_oid *tree, const char *what,
    struct note_list *list, struct error *e)
{
	struct reader r = {repo, what, list, e};
	char hex[HEX + 1] = {0};

	if (read_tree(&r, tree, hex, 0) < 0)
		return -1;
	if (list->nitems > 0)
		qsort(list->items, list->nitems, sizeof(*list->items),
		    compare_notes);
	return 0;
}

/* ----------------------------------------------------------------- ref -- */

static bool
is_symbolic(struct repo *repo, const char *name)
{
	git_reference *ref = NULL;
	bool symbolic = git_reference_lookup(&ref, repo->git, name) == 0 &&
	    git_reference_type(ref) == GIT_REFERENCE_SYMBOLIC;

	git_reference_free(ref);
	return symbolic;
}

int
notes_tip(struct repo *repo, const char *suite, bool *found, git_oid *commit,
    git_oid *tree, struct error *e)
{
	const char *ref = notes_ref(repo->arena, suite);
	git_commit *tip = NULL;
	int rc = GIT_ENOTFOUND, tries;

	/* While git packs refs, one can be in neither place for a moment. */
	for (tries = 0; tries < 3 && rc == GIT_ENOTFOUND; tries++)
		rc = git_reference_name_to_id(commit, repo->git, ref);
	*found = rc == 0;
	if (is_symbolic(repo, ref))
		return fail_environment(e,
		    "'%s' is a symbolic ref; evalgate writes to no other ref "
		    "through it; it is left as it is",
		    ref);
	if (rc == GIT_ENOTFOUND)
		return 0;
	if (rc < 0)
		return fail_environment(
		    e, "'%s' can't be read: %s", ref, git_says());
	rc = git_commit_lookup(&tip, repo->git, commit);
	if (rc < 0)
		return fail_environment(e,
		    "'%s' is damaged, it names no commit that is here: %s; "
		    "it is left as it is; 'git update-ref -d %s' and then "
		    "`evalgate sync --fetch` replace it by the remote's",
		    ref, git_says(), ref);
	git_oid_cpy(tree, git_commit_tree_id(tip));
	git_commit_free(tip);
	return 0;
}

/* ---------------------------------------------------------------- load -- */

/* A question set's note stands under its own id, all others are commits'. */
static void
find_commits(struct notes *notes)
{
	const struct note_list *all = &notes->all;
	size_t i, k;
	bool own;

	notes->commits =
	    arena_array(notes->arena, all->nitems, sizeof(*notes->commits));
	for (i = 0; i < all->nitems; i = k) {
		own = false;
		for (k = i; k < all->nitems &&
		     git_oid_equal(&all->items[k].key, &all->items[i].key);
		     k++)
			if (git_oid_equal(
				&all->items[k].key, &all->items[k].blob))
				own = true;
		if (!own)
			notes->commits[notes->ncommits++] = i;
	}
}

int
notes_load(struct arena *arena, struct repo *repo, const char *suite,
    struct notes **notes, struct error *e)
{
	struct notes *n = arena_alloc(arena, sizeof(*n));
	git_oid commit, tree;
	bool found;

	if (!suite_name_valid(suite))
		return fail(e,
		    "'%s' is no name of a suite: a-z, 0-9, and after the first "
		    "also . _ -, at most 64",
		    suite);
	n->arena = arena;
	n->repo = repo;
	n->ref = notes_ref(arena, suite);
	n->all.arena = arena;
	if (notes_tip(repo, suite, &found, &commit, &tree, e) < 0)
		return -1;
	if (found && note_list_load(repo, &tree, n->ref, &n->all, e) < 0)
		return -1;
	find_commits(n);
	*notes = n;
	return 0;
}

size_t
notes_count(const struct notes *notes)
{
	return notes->ncommits;
}

const char *
notes_commit(const struct notes *notes, size_t i)
{
	return id_text(notes->arena, &notes->all.items[notes->commits[i]].key);
}

/* The first note of *n under a key, NULL when there is none. */
static const struct note *
find_notes(const struct notes *notes, const char *id, size_t *n)
{
	const struct note *items = notes->all.items;
	size_t low = 0, high = notes->all.nitems, middle;
	git_oid key;

	*n = 0;
	id_read(&key, id);
	while (low < high) {
		middle = low + (high - low) / 2;
		if (git_oid_cmp(&items[middle].key, &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	while (low + *n < notes->all.nitems &&
	    git_oid_equal(&items[low + *n].key, &key))
		++*n;
	return *n ? items + low : NULL;
}

bool
notes_has(const struct notes *notes, const char *commit)
{
	size_t n;

	find_notes(notes, commit, &n);
	return n > 0;
}

/* ---------------------------------------------------------------- text -- */

static bool
is_newer(const struct record *x, const struct record *y)
{
	int order = strcmp(x->at, y->at);

	return order ? order > 0 : x->attempt > y->attempt;
}

/* A rewrite of history can carry a note to a commit that it is not about. */
static bool
in_place(const struct record *record, const char *commit, const char *tree)
{
	return strcmp(record->commit, commit) == 0 &&
	    (!tree || strcmp(record->tree, tree) == 0);
}

static void
parse_lines(struct notes *notes, const struct lines *lines, const char *commit,
    const char *tree, struct record **records, size_t *nrecords,
    struct skipped *skipped)
{
	enum record_state state;
	struct record *items =
	    arena_array(notes->arena, lines->nitems, sizeof(*items));
	struct record record;
	size_t i, k, n = 0;

	/* By at, attempt and line, descending: the lines come in order. */
	for (i = lines->nitems; i-- > 0;) {
		state = record_head(notes->arena, lines->items[i].data,
		    lines->items[i].len, &record);
		skipped->nlater += state == RECORD_LATER;
		if (state != RECORD_READ) {
			skipped->nforeign++;
			continue;
		}
		if (!in_place(&record, commit, tree)) {
			skipped->ncarried++;
			continue;
		}
		for (k = n++; k > 0 && is_newer(&record, &items[k - 1]); k--)
			items[k] = items[k - 1];
		items[k] = record;
	}
	*records = items;
	*nrecords = n;
}

const struct record *
records_newest(const struct record *records, size_t nrecords)
{
	size_t i;

	for (i = 0; i < nrecords; i++)
		if (!records[i].dirty)
			return &records[i];
	return NULL;
}

const char *
carried_text(struct arena *arena, size_t ncarried)
{
	return arena_printf(arena,
	    "%zu record%s about another commit or tree than where it stands "
	    "(carried along by a rewrite?): ignored",
	    ncarried, ncarried == 1 ? " is" : "s are");
}

int
notes_records(struct notes *notes, const char *commit, const char *tree,
    struct record **records, size_t *nrecords, struct skipped *skipped,
    struct error *e)
{
	struct lines lines = {.arena = notes->arena};
	git_odb_object **texts;
	const struct note *note;
	size_t n, i, nread;

	*records = NULL;
	*nrecords = 0;
	*skipped = (struct skipped){0};
	note = find_notes(notes, commit, &n);
	if (n == 0)
		return 0;
	texts = arena_array(notes->arena, n, sizeof(*texts));
	for (nread = 0; nread < n; nread++) {
		texts[nread] = note_open(notes->repo, &note[nread].blob,
		    NOTE_RECORDS, notes->ref, e);
		if (!texts[nread])
			break;
		lines_add(&lines, git_odb_object_data(texts[nread]),
		    git_odb_object_size(texts[nread]));
	}
	lines_sort(&lines);
	if (nread == n)
		parse_lines(
		    notes, &lines, commit, tree, records, nrecords, skipped);
	for (i = 0; i < nread; i++)
		git_odb_object_free(texts[i]);
	return nread == n ? 0 : -1;
}

int
notes_qset(
    struct notes *notes, const char *id, struct qset *qset, struct error *e)
{
	git_odb_object *text;
	git_oid blob;
	int rc;

	id_read(&blob, id);
	text = note_open(notes->repo, &blob, NOTE_QSET, notes->ref, e);
	if (!text)
		return -1;
	rc = qset_parse(notes->arena, git_odb_object_data(text),
	    git_odb_object_size(text), qset, e);
	git_odb_object_free(text);
	return rc;
}
