/*
 * Remotes: whether one is there, what it lets us do, more commits from it,
 * and the mend for what git says of it.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* --------------------------------------------------------------- names -- */

/* "remote.NAME.url": the name; NULL for another key. */
static const char *
name_in(struct arena *arena, const char *key)
{
	static const char *const ends[] = {".url", ".pushurl"};
	size_t len = strlen(key), end, i;

	for (i = 0; i < COUNT(ends); i++) {
		end = strlen(ends[i]);
		if (len > 7 + end && strncmp(key, "remote.", 7) == 0 &&
		    strcmp(key + len - end, ends[i]) == 0)
			return arena_strndup(arena, key + 7, len - 7 - end);
	}
	return NULL;
}

size_t
history_remotes(
    struct arena *arena, struct repo *repo, const char *const **names)
{
	git_config_iterator *it;
	git_config_entry *entry;
	git_config *config;
	const char **list = NULL, *name;
	size_t n = 0, cap = 0, i, k;

	*names = NULL;
	if (git_repository_config(&config, repo->git) < 0)
		return 0;
	if (git_config_iterator_glob_new(&it, config, "^remote\\.") == 0) {
		while (git_config_next(&entry, it) == 0) {
			name = name_in(arena, entry->name);
			if (!name)
				continue;
			list = arena_grow(arena, list, n, &cap, sizeof(*list));
			list[n++] = name;
		}
		git_config_iterator_free(it);
	}
	git_config_free(config);
	if (n)
		qsort(list, n, sizeof(*list), compare_text);
	for (i = k = 0; i < n; i++)
		if (i == 0 || strcmp(list[i], list[i - 1]) != 0)
			list[k++] = list[i];
	*names = list;
	return k;
}

bool
remote_named(struct repo *repo, const char *name)
{
	const char *const *names;
	size_t n = history_remotes(repo->arena, repo, &names), i;

	for (i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/* What may have been meant: "; did you mean 'origin'?", or all there are. */
static const char *
other_remotes(struct repo *repo, const char *remote)
{
	const char *const *names, *near, *list = "";
	size_t n = history_remotes(repo->arena, repo, &names), i;

	near = suggest(remote, names, n);
	if (near)
		return arena_printf(repo->arena, "; did you mean '%s'?", near);
	for (i = 0; i < n; i++)
		list = arena_printf(repo->arena, "%s%s'%s'", list,
		    *list ? ", " : "; there is ", names[i]);
	return list;
}

bool
history_remote_known(struct repo *repo, const char *remote, struct error *e)
{
	if (remote_named(repo, remote) || strpbrk(remote, "/:"))
		return true;
	fail_environment(e,
	    "there is no remote '%s'%s; name one with --remote or "
	    "`history: {remote: ...}`",
	    remote, other_remotes(repo, remote));
	return false;
}

/* --------------------------------------------------------------- mends -- */

/* The mend that goes with what git or the server said. */
const char *
git_mend(const char *says)
{
	static const struct {
		const char *word, *mend;
	} mends[] = {
	    {"hook declined",
		"; a rule or hook on the server refuses "
		"refs/notes/evalgate/*"},
	    {"protected", "; a rule on the server protects these refs"},
	    {"403",
		"; the token may not write: in GitHub Actions grant "
		"`permissions: contents: write`"},
	    {"Permission denied (publickey",
		"; ssh was let in by no key: is one there, and does the "
		"server know it?"},
	    {"Host key verification failed",
		"; ssh does not know this server's key: add it to "
		"known_hosts"},
	    {"Connection refused",
		"; is the server up, and the address right?"},
	    {"Connection timed out",
		"; is the network there, and the address right?"},
	    {"Could not resolve hostname", "; is the network there?"},
	    {"denied",
		"; these credentials may not write: in GitHub Actions grant "
		"`permissions: contents: write`"},
	    {"could not read Username",
		"; git has no credentials for this remote"},
	    {"Authentication failed",
		"; git has no valid credentials for this remote"},
	    {"terminal prompts disabled",
		"; git has no credentials for this remote"},
	    {"returned error: 5",
		"; the server is in trouble: try again later"},
	    {"not found",
		"; is the address right, and may these credentials read it?"},
	    {"Could not resolve host", "; is the network there?"},
	    {"unable to access", "; is the network there?"},
	    {"does not appear to be a git repository",
		"; is the remote's address right?"},
	};
	size_t i;

	for (i = 0; i < COUNT(mends); i++)
		if (strstr(says, mends[i].word))
			return mends[i].mend;
	return "";
}

/* What the server means by "somebody was faster". */
bool
git_says_late(const char *line)
{
	static const char *const words[] = {"fetch first", "non-fast-forward",
	    "cannot lock ref", "already exists", "stale info",
	    "failed to update ref", "incorrect old value", "needs force"};
	size_t i;

	/* A ref in the way of ours, as x/y is in that of x, stays there. */
	if (strstr(line, "cannot create"))
		return false;
	for (i = 0; i < COUNT(words); i++)
		if (strstr(line, words[i]))
			return true;
	return false;
}

int
git_failed(const struct talk *talk, const char *what, const struct git_run *run)
{
	return fail_environment(talk->e, "cannot %s '%s': %s%s%s", what,
	    talk->shown, git_run_says(talk->arena, run),
	    git_server_says(talk->arena, run), git_mend(run->err.data));
}

/* --------------------------------------------------------------- probe -- */

static void
probe_fetch(const struct talk *talk, struct sync_probe *probe)
{
	const char *const words[] = {"git", talk->git_dir, "ls-remote", "--",
	    talk->remote, "refs/notes/evalgate/*", NULL};
	struct git_run run;
	const char *p;

	if (git_run(words, talk, &run, talk->e) < 0)
		return;
	probe->reached = run.status == 0;
	for (p = run.out.data; (p = strstr(p, "refs/notes/evalgate/")); p++)
		probe->nsuites++;
	if (!probe->reached)
		probe->why = arena_printf(talk->arena, "%s%s",
		    git_run_says(talk->arena, &run), git_mend(run.err.data));
	git_run_free(&run);
}

/* Asks whether a push would be let in, with a ref that nobody has. */
static void
probe_push(const struct talk *talk, struct sync_probe *probe)
{
	struct git_call call;
	struct git_run run;

	call_push(&call, talk, true);
	call_add(&call, "HEAD:refs/notes/evalgate/doctor-asks");
	if (git_run(call.words, talk, &run, talk->e) < 0)
		return;
	probe->may_push = run.status == 0;
	if (!probe->may_push)
		probe->push_why = arena_printf(talk->arena, "%s%s",
		    git_run_says(talk->arena, &run), git_mend(run.err.data));
	git_run_free(&run);
}

int
history_probe(struct arena *arena, struct repo *repo, const char *remote,
    struct sync_probe *probe, struct error *e)
{
	size_t before = e->nitems;
	struct talk talk;

	*probe = (struct sync_probe){.nsuites = 0};
	if (talk_begin(&talk, arena, repo, remote, e) < 0)
		return -1;
	probe_fetch(&talk, probe);
	if (probe->reached)
		probe_push(&talk, probe);
	talk_end(&talk);
	return e->nitems > before ? -1 : 0;
}

/* ------------------------------------------------------------ refspecs -- */

size_t
history_overwriting(struct arena *arena, struct repo *repo, const char *suite,
    struct refspec **refspecs)
{
	const char *ref = arena_printf(arena, "refs/notes/evalgate/%s", suite);
	const char *const *names;
	const git_refspec *spec;
	git_remote *remote;
	size_t nnames = history_remotes(arena, repo, &names);
	size_t n = 0, cap = 0, i, k;

	*refspecs = NULL;
	for (i = 0; i < nnames; i++) {
		if (git_remote_lookup(&remote, repo->git, names[i]) < 0)
			continue;
		for (k = 0; k < git_remote_refspec_count(remote); k++) {
			spec = git_remote_get_refspec(remote, k);
			if (git_refspec_direction(spec) !=
				GIT_DIRECTION_FETCH ||
			    !git_refspec_force(spec) ||
			    !git_refspec_dst_matches(spec, ref))
				continue;
			*refspecs = arena_grow(
			    arena, *refspecs, n, &cap, sizeof(**refspecs));
			(*refspecs)[n++] = (struct refspec){names[i],
			    arena_strdup(arena, git_refspec_string(spec))};
		}
		git_remote_free(remote);
	}
	return n;
}

/* -------------------------------------------------------------- deepen -- */

/*
 * Of the refspecs that the user has for a remote those that follow its
 * branches: others may write where nobody but us should.  HEAD where there
 * are none.
 */
static void
add_branches(struct git_call *call, const struct talk *talk)
{
	const char *key =
	    arena_printf(talk->arena, "remote.%s.fetch", talk->remote);
	git_config_iterator *it;
	git_config_entry *entry;
	git_config *config;
	size_t before = call->n;

	if (talk->named &&
	    git_repository_config(&config, talk->repo->git) == 0) {
		if (git_config_multivar_iterator_new(&it, config, key, NULL) ==
		    0) {
			while (git_config_next(&entry, it) == 0)
				if (entry->value &&
				    strstr(entry->value, ":refs/remotes/") &&
				    call->n < GIT_WORDS)
					call_add(call,
					    arena_strdup(
						talk->arena, entry->value));
			git_config_iterator_free(it);
		}
		git_config_free(config);
	}
	if (call->n == before)
		call_add(call, "HEAD");
}

int
history_deepen(struct arena *arena, struct repo *repo, const char *remote,
    int64_t n, struct error *e)
{
	const char *const options[] = {
	    arena_printf(arena, "--deepen=%lld", (long long)n), "--no-prune"};
	struct git_call call;
	struct git_run run;
	struct talk talk;
	int rc;

	if (talk_begin(&talk, arena, repo, remote, e) < 0)
		return -1;
	call_fetch(&call, &talk, options, COUNT(options));
	add_branches(&call, &talk);
	rc = git_run(call.words, &talk, &run, e);
	if (rc == 0) {
		if (run.status != 0)
			rc = git_failed(&talk, "deepen from", &run);
		git_run_free(&run);
	}
	talk_end(&talk);
	git_odb_refresh(repo->odb);
	if (rc == 0)
		repo_read_shallow(repo);
	return rc;
}

size_t
history_suites(
    struct arena *arena, struct repo *repo, const char *const **suites)
{
	static const char prefix[] = "refs/notes/evalgate/";
	git_reference_iterator *it;
	const char **list = NULL, *name;
	size_t n = 0, cap = 0;

	*suites = NULL;
	if (git_reference_iterator_glob_new(
		&it, repo->git, "refs/notes/evalgate/*") < 0)
		return 0;
	while (git_reference_next_name(&name, it) == 0) {
		if (!suite_name_valid(name + sizeof(prefix) - 1))
			continue;
		list = arena_grow(arena, list, n, &cap, sizeof(*list));
		list[n++] = arena_strdup(arena, name + sizeof(prefix) - 1);
	}
	git_reference_iterator_free(it);
	if (n)
		qsort(list, n, sizeof(*list), compare_text);
	*suites = list;
	return n;
}
