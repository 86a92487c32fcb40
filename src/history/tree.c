/*
 * Changing one note in a tree of notes.  Ours stand at ab/cd...; git moves
 * them to other depths as it likes, so all of those are looked at.
 */
#include <string.h>

#include "internal.h"

/* "abcd..." with fanout 0, "ab/cd..." with 1, "ab/cd/..." with 2. */
static void
note_path(char path[NOTE_PATH], const char *hex, int fanout)
{
	int i;

	for (i = 0; i < fanout; i++) {
		memcpy(path, hex, 2);
		path[2] = '/';
		path += 3;
		hex += 2;
	}
	memcpy(path, hex, strlen(hex) + 1);
}

/* The entry at path; NULL when there is none. */
static git_tree_entry *
entry_at(git_tree *tree, const char *path)
{
	git_tree_entry *entry = NULL;

	if (!tree || git_tree_entry_bypath(&entry, tree, path) < 0)
		return NULL;
	return entry;
}

static void
change(struct changes *changes, git_tree_update_t action, const char *hex,
    int fanout, const git_oid *id)
{
	git_tree_update *item = &changes->items[changes->nitems];
	char *path = changes->paths[changes->nitems++];

	note_path(path, hex, fanout);
	*item = (git_tree_update){
	    .action = action, .filemode = GIT_FILEMODE_BLOB, .path = path};
	if (id)
		git_oid_cpy(&item->id, id);
}

/* 1, and 0 where somebody's file has the name that our directory needs. */
static int
own_fanout(git_tree *tree, const char *hex)
{
	char name[3] = {hex[0], hex[1], '\0'};
	git_tree_entry *entry = entry_at(tree, name);
	bool taken = entry && git_tree_entry_type(entry) != GIT_OBJECT_TREE;

	git_tree_entry_free(entry);
	return taken ? 0 : 1;
}

void
note_place(struct changes *changes, git_tree *tree, const char *hex,
    const git_oid *blob)
{
	char path[NOTE_PATH];
	git_tree_entry *entry;
	int own = own_fanout(tree, hex), i;

	change(changes, GIT_TREE_UPDATE_UPSERT, hex, own, blob);
	for (i = 0; i <= MAX_FANOUT; i++) {
		if (i == own)
			continue;
		note_path(path, hex, i);
		entry = entry_at(tree, path);
		if (entry && git_tree_entry_type(entry) == GIT_OBJECT_BLOB)
			change(changes, GIT_TREE_UPDATE_REMOVE, hex, i, NULL);
		git_tree_entry_free(entry);
	}
}

int
note_gather(struct repo *repo, git_tree *tree, const char *hex,
    const char *what, struct lines *lines, struct error *e)
{
	char path[NOTE_PATH];
	git_tree_entry *entry;
	struct line text;
	int i, rc = 0;

	for (i = 0; rc == 0 && i <= MAX_FANOUT; i++) {
		note_path(path, hex, i);
		entry = entry_at(tree, path);
		if (!entry)
			continue;
		if (git_tree_entry_type(entry) == GIT_OBJECT_BLOB) {
			rc = note_read(lines->arena, repo,
			    git_tree_entry_id(entry), what, &text, e);
			if (rc == 0)
				lines_add(lines, text.data, text.len);
		}
		git_tree_entry_free(entry);
	}
	return rc;
}

bool
note_exists(git_tree *tree, const char *hex)
{
	char path[NOTE_PATH];
	git_tree_entry *entry;
	bool found = false;
	int i;

	for (i = 0; i <= MAX_FANOUT && !found; i++) {
		note_path(path, hex, i);
		entry = entry_at(tree, path);
		found = entry != NULL;
		git_tree_entry_free(entry);
	}
	return found;
}
