/*
 * Which commits come from which.  libgit2 knows, and is quick at it; but in
 * a shallow clone it gives up where a commit is missing, so there we walk.
 */
#include <string.h>

#include "internal.h"

/* Commits that are here, reached by any parent, nearest first. */
struct walk {
	struct repo *repo;
	struct arena *arena;
	struct map seen;
	const char **ids;
	size_t nids;
	size_t cap;
	size_t done;
};

static void
walk_add(struct walk *w, const char *id)
{
	if (!map_add(&w->seen, id, HEX, &(size_t){0}))
		return;
	w->ids =
	    arena_grow(w->arena, w->ids, w->nids, &w->cap, sizeof(*w->ids));
	w->ids[w->nids++] = id;
}

static void
walk_begin(
    struct walk *w, struct arena *arena, struct repo *repo, const char *id)
{
	*w = (struct walk){.repo = repo, .arena = arena};
	map_init(&w->seen, arena);
	walk_add(w, id);
}

/* The next commit's id, NULL at the end.  What can't be read has no parents. */
static const char *
walk_next(struct walk *w)
{
	struct error ignored = {.arena = w->arena};
	struct commit commit;
	const char *id;
	size_t i;

	if (w->done == w->nids)
		return NULL;
	id = w->ids[w->done++];
	repo_commit(w->repo, id, &commit, &ignored);
	for (i = 0; i < commit.nparents; i++)
		walk_add(w, commit.parents[i]);
	return id;
}

static bool
walked_descends(struct repo *repo, const char *id, const char *ancestor)
{
	struct arena *scratch = arena_new();
	struct walk w;
	const char *at;

	walk_begin(&w, scratch, repo, id);
	while ((at = walk_next(&w)) && strcmp(at, ancestor) != 0)
		;
	arena_free(scratch);
	return at != NULL;
}

static const char *
walked_base(struct repo *repo, const char *one, const char *two)
{
	struct arena *scratch = arena_new();
	struct walk ours, theirs;
	const char *at, *base = NULL;
	size_t index;

	walk_begin(&ours, scratch, repo, one);
	while (walk_next(&ours))
		;
	walk_begin(&theirs, scratch, repo, two);
	while (
	    (at = walk_next(&theirs)) && !map_get(&ours.seen, at, HEX, &index))
		;
	if (at)
		base = arena_strdup(repo->arena, at);
	arena_free(scratch);
	return base;
}

static bool
is_here(struct repo *repo, const git_oid *oid)
{
	return git_odb_exists(repo->odb, oid) == 1;
}

const char *
repo_merge_base(struct repo *repo, const char *one, const char *two)
{
	git_oid a, b, base;

	if (repo_shallow(repo))
		return walked_base(repo, one, two);
	id_read(&a, one);
	id_read(&b, two);
	if (git_merge_base(&base, repo->git, &a, &b) < 0)
		return NULL;
	return id_text(repo->arena, &base);
}

bool
repo_descends(struct repo *repo, const char *id, const char *ancestor)
{
	git_oid a, b;

	if (strcmp(id, ancestor) == 0)
		return true;
	if (repo_shallow(repo))
		return walked_descends(repo, id, ancestor);
	id_read(&a, id);
	id_read(&b, ancestor);
	/* Below 0 there is no telling, whatever the number. */
	return is_here(repo, &a) && is_here(repo, &b) &&
	    git_graph_descendant_of(repo->git, &a, &b) == 1;
}
