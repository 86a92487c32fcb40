/*
 * Records of other commits that serve one that has none: with the same tree,
 * as after a squash or a rebase, or with the same inputs.
 */
#include <string.h>

#include "internal.h"

/* A commit that has records, and the next one with the same tree or inputs. */
struct twin {
	const char *commit;
	struct record *records; /* newest first */
	size_t nrecords;
	const struct record *newest; /* usable at its own commit */
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

static void
add_twin(struct twin_index *index, struct twin twin)
{
	size_t i = index->nitems++;

	index->items[i] = twin;
	index->items[i].next_tree =
	    chain_up(&index->by_tree, twin.newest->tree, i, index->items, true);
	index->items[i].next_inputs = NO_TWIN;
	if (twin.newest->inputs)
		index->items[i].next_inputs = chain_up(&index->by_inputs,
		    twin.newest->inputs, i, index->items, false);
}

/* Reads every record once: only where some commit has none of its own. */
static int
load(struct twins *twins, struct error *e)
{
	struct twin_index *index = arena_alloc(twins->arena, sizeof(*index));
	size_t n = notes_count(twins->notes), i;
	struct skipped skipped;
	struct twin twin;

	map_init(&index->by_tree, twins->arena);
	map_init(&index->by_inputs, twins->arena);
	map_init(&index->way, twins->arena);
	index->items = arena_array(twins->arena, n + 1, sizeof(*index->items));
	for (i = 0; i < n; i++) {
		twin = (struct twin){.commit = notes_commit(twins->notes, i)};
		if (twins->judged && strcmp(twin.commit, twins->judged) == 0)
			continue;
		if (notes_records(twins->notes, twin.commit, NULL,
			&twin.records, &twin.nrecords, &skipped, e) < 0)
			return -1;
		twin.newest = records_newest(twin.records, twin.nrecords);
		if (twin.newest)
			add_twin(index, twin);
	}
	twins->index = index;
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

/*
 * Of a list: the newest that may serve.  None where one of them is on the
 * way: it is the nearest of kin, and is met at its own place.
 */
static const struct twin *
best_of(const struct twins *twins, size_t first, bool tree)
{
	const struct twin *items = twins->index->items, *best = NULL, *t;
	size_t at, i;

	for (i = first; i != NO_TWIN;
	     i = tree ? items[i].next_tree : items[i].next_inputs) {
		t = &items[i];
		if (map_get(&twins->index->way, t->commit, HEX, &at))
			return NULL;
		if (!on_request_side(twins, t->commit) &&
		    (!best || newer(t->newest, best->newest)))
			best = t;
	}
	return best;
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
	if (map_get(&twins->index->by_tree, link->commit.tree, HEX, &first))
		twin = best_of(twins, first, true);
	link->twin_by = "tree";
	if (!twin && policy && policy->ninputs) {
		inputs = repo_inputs(twins->repo, link->commit.tree,
		    policy->inputs, policy->ninputs);
		if (inputs &&
		    map_get(&twins->index->by_inputs, inputs, HEX, &first))
			twin = best_of(twins, first, false);
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
