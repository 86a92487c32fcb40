/* Which suites there are, here or as a remote has them, and their commits. */
#include <string.h>

#include "internal.h"

/* Suites that have a ref below a prefix, and its commit. */
int
tips_list(struct arena *arena, struct repo *repo, const char *prefix,
    const char *suite, struct tips *tips, struct error *e)
{
	git_reference_iterator *it;
	const char *name;
	git_oid id;

	*tips = (struct tips){.arena = arena};
	if (git_reference_iterator_glob_new(
		&it, repo->git, arena_printf(arena, "%s*", prefix)) < 0)
		return fail_environment(e, "cannot list refs: %s", git_says());
	while (git_reference_next_name(&name, it) == 0) {
		if (strncmp(name, prefix, strlen(prefix)) != 0 ||
		    !suite_name_valid(name + strlen(prefix)) ||
		    git_reference_name_to_id(&id, repo->git, name) < 0)
			continue;
		if (suite && strcmp(name + strlen(prefix), suite) != 0)
			continue;
		tips->items = arena_grow(arena, tips->items, tips->nitems,
		    &tips->cap, sizeof(*tips->items));
		tips->items[tips->nitems++] = (struct tip){
		    arena_strdup(arena, name + strlen(prefix)), id};
	}
	git_reference_iterator_free(it);
	return 0;
}

const struct tip *
tips_find(const struct tips *tips, const char *suite)
{
	size_t i;

	for (i = 0; i < tips->nitems; i++)
		if (strcmp(tips->items[i].suite, suite) == 0)
			return &tips->items[i];
	return NULL;
}

/* Whether the text of every note of a tip is here. */
bool
tip_whole(struct repo *repo, const git_oid *id)
{
	struct arena *scratch = arena_new();
	struct note_list list = {.arena = scratch};
	struct error ignored = {.arena = scratch};
	git_commit *commit = NULL;
	bool whole = false;
	size_t i;

	if (git_commit_lookup(&commit, repo->git, id) == 0 &&
	    note_list_load(
		repo, git_commit_tree_id(commit), "", &list, &ignored) == 0) {
		whole = true;
		for (i = 0; whole && i < list.nitems; i++)
			whole =
			    git_odb_exists(repo->odb, &list.items[i].blob) == 1;
	}
	git_commit_free(commit);
	arena_free(scratch);
	return whole;
}

/* Whether it is a commit that is here, with its tree. */
bool
tip_sound(struct repo *repo, const git_oid *id)
{
	git_commit *commit = NULL;
	git_tree *tree = NULL;
	bool sound = git_commit_lookup(&commit, repo->git, id) == 0 &&
	    git_commit_tree(&tree, commit) == 0;

	git_tree_free(tree);
	git_commit_free(commit);
	return sound;
}
