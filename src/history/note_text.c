/*
 * Notes and question sets as git has them: looked at before they are read,
 * and where they can't be, what is wrong and what mends it.
 */
#include "internal.h"

const char *
missing_mend(struct repo *repo)
{
	git_config_iterator *it = NULL;
	git_config_entry *entry;
	git_config *config = NULL;
	bool partial = false;

	if (git_repository_config(&config, repo->git) == 0 &&
	    git_config_iterator_glob_new(&it, config,
		"^(extensions\\.partialclone|remote\\..*\\.promisor)$") == 0)
		partial = git_config_next(&entry, it) == 0;
	git_config_iterator_free(it);
	git_config_free(config);
	return partial
	    ? "; the clone is partial: `evalgate sync --fetch` brings it"
	    : "; `evalgate sync --fetch` brings it where the remote has it, "
	      "and 'git fsck' names what else is missing";
}

static const char *const kinds[] = {
    [NOTE_RECORDS] = "note", [NOTE_QSET] = "question set"};

/* What is not here can be fetched; what is damaged must go first. */
static void
unreadable(struct repo *repo, const git_oid *blob, enum note_kind kind,
    const char *ref, int rc, struct error *e)
{
	const char *id = id_text(e->arena, blob);

	if (rc == GIT_ENOTFOUND)
		fail_environment(e, "a %s of %s, blob %s, is not here%s",
		    kinds[kind], ref, id, missing_mend(repo));
	else
		fail_environment(e,
		    "a %s of %s, blob %s, is damaged: %s; 'git fsck' names "
		    "what is, and a clone or a backup has it sound",
		    kinds[kind], ref, id, git_says());
}

/* A tree or a commit, say, where a text has to be. */
static void
no_text(const git_oid *object, git_object_t type, enum note_kind kind,
    const char *ref, struct error *e)
{
	const char *id = id_text(e->arena, object);

	fail_environment(e, "a %s of %s, object %s, is no text but a %s; %s",
	    kinds[kind], ref, id, git_object_type2string(type),
	    kind == NOTE_RECORDS
		? arena_printf(e->arena,
		      "'git notes --ref=%s list' names its commit", ref)
		: arena_printf(e->arena,
		      "'git grep -l %s %s' names the notes that say "
		      "so",
		      id, ref));
}

git_odb_object *
note_open(struct repo *repo, const git_oid *blob, enum note_kind kind,
    const char *ref, struct error *e)
{
	git_odb_object *object;
	git_object_t type;
	size_t size;
	int rc;

	rc = git_odb_read_header(&size, &type, repo->odb, blob);
	if (rc < 0) {
		unreadable(repo, blob, kind, ref, rc, e);
		return NULL;
	}
	if (type != GIT_OBJECT_BLOB) {
		no_text(blob, type, kind, ref, e);
		return NULL;
	}
	if (size > MAX_NOTE) {
		fail_environment(e,
		    "a %s of %s, object %s, has %zu bytes, more than the "
		    "%u that evalgate reads",
		    kinds[kind], ref, id_text(e->arena, blob), size, MAX_NOTE);
		return NULL;
	}
	rc = git_odb_read(&object, repo->odb, blob);
	if (rc < 0) {
		unreadable(repo, blob, kind, ref, rc, e);
		return NULL;
	}
	return object;
}

int
note_read(struct arena *arena, struct repo *repo, const git_oid *blob,
    const char *ref, struct line *text, struct error *e)
{
	git_odb_object *object = note_open(repo, blob, NOTE_RECORDS, ref, e);

	if (!object)
		return -1;
	text->len = git_odb_object_size(object);
	text->data =
	    arena_strndup(arena, git_odb_object_data(object), text->len);
	git_odb_object_free(object);
	return 0;
}
