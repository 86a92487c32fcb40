/*
 * Records of other commits that serve one that has none: with the same tree,
 * as after a squash or a rebase, or with the same inputs.
 */
#include <string.h>

#include "internal.h"

/* A commit that has records, and the next one with the same tree or inputs. */
struct twin {
	const char *commit;
	const char *tree; /* NULL: the commit is not here */
	bool read; /* what follows is known */
	struct record *records; /* newest first */
	size_t nrecords;
	const struct record *newest; /* usable at its own commit; NULL */
	size_t next_tree, next_inputs;
};

#define NO_TWIN ((size_t)-1)
#define LONG_WAY 10000 /* commits, where no policy says how far */

struct twin_index {
	struct twin *items;
	size_t nitems, cap;
	struct map by_tree, by_inputs; /* to the first of a list */
	struct map way; /* first parents, from where the walk began */
};

void
twins_init(struct twins *twins, struct arena *arena, struct repo *repo,
    struct notes *notes, const struct baseline_policy *policy,
    const char *judged)
{
	*twins = (struct twins){
	    .arena = arena,
	    .repo = repo,
	    .notes = notes,
	    .policy = policy,
	    .judged = judged,
	};
}

/* Puts an item before those with the same key; returns the one after it. */
static size_t
chain_up(struct map *map, const char *key, size_t item, struct twin *items,
    bool tree)
{
	size_t first = item, next, last;

	if (map_add(map, key, HEX, &first))
		return NO_TWIN;
	/* The first stays; the new one follows it. */
	next = tree ? items[first].next_tree : items[first].next_inputs;
	last = first;
	if (tree)
		items[last].next_tree = item;
	else
		items[last].next_inputs = item;
	return next;
}

static int
read_twin(struct twins *twins, struct twin *twin, struct error *e)
{
	struct skipped skipped;

	if (twin->read)
		return 0;
	if (notes_records(twins->notes, twin->commit, twin->tree,
		&twin->records, &twin->nrecords, &skipped, e) < 0)
		return -1;
	twin->newest = records_newest(twin->records, twin->nrecords);
	twin->read = true;
	return 0;
}

/*
 * A commit's tree is in the commit, which is read much faster than a record;
 * a record is read where there is no commit, or inputs are asked for.
 */
static int
add_twin(struct twins *twins, const char *commit, struct error *e)
{
	struct twin_index *index = twins->index;
	bool inputs = twins->policy && twins->policy->ninputs;
	size_t i = index->nitems++;
	struct twin *twin = &index->items[i];
	const char *tree = repo_tree(twins->repo, commit);

	*twin = (struct twin){.commit = commit,
	    .tree = tree,
	    .next_tree = NO_TWIN,
	    .next_inputs = NO_TWIN};
	if ((!tree || inputs) && read_twin(twins, twin, e) < 0)
		return -1;
	if (!tree && twin->newest)
		tree = twin->newest->tree;
	if (tree)
		twin->next_tree =
		    chain_up(&index->by_tree, tree, i, index->items, true);
	if (twin->newest && twin->newest->inputs)
		twin->next_inputs = chain_up(&index->by_inputs,
		    twin->newest->inputs, i, index->items, false);
	return 0;
}

/* Looks at every record once: only where some commit has none of its own. */
static int
load(struct twins *twins, struct error *e)
{
	struct twin_index *index = arena_alloc(twins->arena, sizeof(*index));
	size_t n = notes_count(twins->notes), i;
	const char *commit;

	map_init(&index->by_tree, twins->arena);
	map_init(&index->by_inputs, twins->arena);
	map_init(&index->way, twins->arena);
	index->items = arena_array(twins->arena, n + 1, sizeof(*index->items));
	twins->index = index;
	for (i = 0; i < n; i++) {
		commit = notes_commit(twins->notes, i);
		if ((!twins->judged || strcmp(commit, twins->judged) != 0) &&
		    add_twin(twins, commit, e) < 0)
			return -1;
	}
	return 0;
}

/*
 * The walk's own commits, as far as a baseline may lie away.  The record of
 * one of them serves at its own place and at no other: taken for another
 * commit on the way, a revert's for one, it would hide what was recorded in
 * between.
 */
static void
note_way(struct twins *twins)
{
	struct error ignored = {.arena = twins->arena};
	int64_t left = twins->policy ? twins->policy->max_distance : LONG_WAY;
	const char *id = twins->start;
	struct commit commit;
	size_t at = 0;

	for (; left >= 0; left--) {
		if (!map_add(&twins->index->way, id, HEX, &at) ||
		    repo_commit(twins->repo, id, &commit, &ignored) !=
			COMMIT_FOUND ||
		    !commit.nparents)
			return;
		id = commit.parents[0];
	}
}

/* What a pull request brings can't be its own standard. */
static bool
on_request_side(const struct twins *twins, const char *commit)
{
	const char *side = twins->policy ? twins->policy->side : NULL;

	if (!side)
		return false;
	if (strcmp(side, commit) == 0)
		return true;
	return repo_descends(twins->repo, side, commit) &&
	    !repo_descends(twins->repo, twins->start, commit);
}

static bool
newer(const struct record *one, const struct record *two)
{
	int order = strcmp(one->at, two->at);

	if (order != 0)
		return order > 0;
	if (one->attempt != two->attempt)
		return one->attempt > two->attempt;
	return strcmp(one->commit, two->commit) > 0;
}

static size_t
next_of(const struct twin *twin, bool tree)
{
	return tree ? twin->next_tree : twin->next_inputs;
}

/* One of them is on the way: it is the nearest of kin, at its own place. */
static int
any_on_way(
    struct twins *twins, size_t first, bool tree, bool *any, struct error *e)
{
	struct twin *items = twins->index->items;
	size_t at, i;

	*any = false;
	for (i = first; i != NO_TWIN && !*any; i = next_of(&items[i], tree)) {
		if (!map_get(&twins->index->way, items[i].commit, HEX, &at))
			continue;
		if (read_twin(twins, &items[i], e) < 0)
			return -1;
		*any = items[i].newest != NULL;
	}
	return 0;
}

/* Of a list: the newest that may serve, NULL for none. */
static int
best_of(struct twins *twins, size_t first, bool tree, const struct twin **best,
    struct error *e)
{
	struct twin *items = twins->index->items, *t;
	bool any;
	size_t i;

	if (any_on_way(twins, first, tree, &any, e) < 0)
		return -1;
	for (i = any ? NO_TWIN : first; i != NO_TWIN; i = next_of(t, tree)) {
		t = &items[i];
		if (read_twin(twins, t, e) < 0)
			return -1;
		if (!t->newest || on_request_side(twins, t->commit))
			continue;
		if (!*best || newer(t->newest, (*best)->newest))
			*best = t;
	}
	return 0;
}

int
twins_find(struct twins *twins, struct chain_link *link, struct error *e)
{
	const struct baseline_policy *policy = twins->policy;
	const struct twin *twin = NULL;
	const char *inputs;
	size_t first;

	if (!twins->index) {
		if (load(twins, e) < 0)
			return -1;
		note_way(twins);
	}
	if (map_get(&twins->index->by_tree, link->commit.tree, HEX, &first) &&
	    best_of(twins, first, true, &twin, e) < 0)
		return -1;
	link->twin_by = "tree";
	if (!twin && policy && policy->ninputs) {
		inputs = repo_inputs(twins->repo, link->commit.tree,
		    policy->inputs, policy->ninputs);
		if (inputs &&
		    map_get(&twins->index->by_inputs, inputs, HEX, &first) &&
		    best_of(twins, first, false, &twin, e) < 0)
			return -1;
		link->twin_by = "inputs";
	}
	if (!twin) {
		link->twin_by = NULL;
		return 0;
	}
	link->twin = twin->commit;
	link->records = twin->records;
	link->nrecords = twin->nrecords;
	return 0;
}

const char *
repo_inputs(struct repo *repo, const char *tree_id, const char *const *paths,
    size_t npaths)
{
	char hex[HEX + 1] = "", found[HEX + 1];
	git_tree_entry *entry;
	git_tree *tree;
	struct buf text;
	git_oid oid;
	size_t i;

	id_read(&oid, tree_id);
	if (git_tree_lookup(&tree, repo->git, &oid) < 0)
		return NULL;
	buf_init(&text);
	for (i = 0; i < npaths; i++) {
		json_escape(&text, paths[i]);
		if (git_tree_entry_bypath(&entry, tree, paths[i]) == 0) {
			git_oid_tostr(
			    found, sizeof(found), git_tree_entry_id(entry));
			buf_printf(&text, "\t%s\n", found);
			git_tree_entry_free(entry);
		} else {
			buf_puts(&text, "\tabsent\n");
		}
	}
	blob_id(hex, text.data, text.len);
	git_tree_free(tree);
	buf_free(&text);
	return arena_strdup(repo->arena, hex);
}
