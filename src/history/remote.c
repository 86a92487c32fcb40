/*
 * Remotes: whether one is there, what it lets us do, more commits from it,
 * and the mend for what git says of it.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct asking {
	struct arena *arena;
	const char *git_dir; /* --git-dir=... */
	const char *remote;
	struct error *e;
};

bool
history_remote_known(struct repo *repo, const char *remote, struct error *e)
{
	git_remote *found = NULL;
	bool known = strpbrk(remote, "/:") != NULL ||
	    git_remote_lookup(&found, repo->git, remote) == 0;

	git_remote_free(found);
	if (!known)
		fail_environment(e,
		    "there is no remote '%s'; name one with --remote or "
		    "`history: {remote: ...}`",
		    remote);
	return known;
}

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
	    {"denied",
		"; these credentials may not write: in GitHub Actions grant "
		"`permissions: contents: write`"},
	    {"could not read Username",
		"; git has no credentials for this remote"},
	    {"Authentication failed",
		"; git has no valid credentials for this remote"},
	    {"terminal prompts disabled",
		"; git has no credentials for this remote"},
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

int
git_failed(struct arena *arena, const char *what, const char *remote,
    const struct git_run *run, struct error *e)
{
	return fail_environment(e, "cannot %s '%s': %s%s", what, remote,
	    git_run_says(arena, run), git_mend(run->err.data));
}

/* --------------------------------------------------------------- probe -- */

static void
probe_fetch(struct asking *s, struct sync_probe *probe)
{
	const char *const words[] = {"git", s->git_dir, "ls-remote", "--",
	    s->remote, "refs/notes/evalgate/*", NULL};
	struct git_run run;
	const char *p;

	if (git_run(words, &run, s->e) < 0)
		return;
	probe->reached = run.status == 0;
	for (p = run.out.data; (p = strstr(p, "refs/notes/evalgate/")); p++)
		probe->nsuites++;
	if (!probe->reached)
		probe->why = arena_printf(s->arena, "%s%s",
		    git_run_says(s->arena, &run), git_mend(run.err.data));
	git_run_free(&run);
}

/* Asks whether a push would be let in, with a ref that nobody has. */
static void
probe_push(struct asking *s, struct sync_probe *probe)
{
	const char *const words[] = {"git", s->git_dir, "push", "--dry-run",
	    "--porcelain", "--no-verify", "--", s->remote,
	    "HEAD:refs/notes/evalgate/doctor-asks", NULL};
	struct git_run run;

	if (git_run(words, &run, s->e) < 0)
		return;
	probe->may_push = run.status == 0;
	if (!probe->may_push)
		probe->push_why = arena_printf(s->arena, "%s%s",
		    git_run_says(s->arena, &run), git_mend(run.err.data));
	git_run_free(&run);
}

int
history_probe(struct arena *arena, struct repo *repo, const char *remote,
    struct sync_probe *probe, struct error *e)
{
	const char *git_dir =
	    arena_printf(arena, "--git-dir=%s", git_repository_path(repo->git));
	struct asking asking = {arena, git_dir, remote, e};
	size_t before = e->nitems;

	*probe = (struct sync_probe){.nsuites = 0};
	if (!history_remote_known(repo, remote, e))
		return -1;
	probe_fetch(&asking, probe);
	if (probe->reached)
		probe_push(&asking, probe);
	return e->nitems > before ? -1 : 0;
}

/* -------------------------------------------------------------- deepen -- */

int
history_deepen(struct arena *arena, struct repo *repo, const char *remote,
    int64_t n, struct error *e)
{
	const char *git_dir =
	    arena_printf(arena, "--git-dir=%s", git_repository_path(repo->git));
	const char *const words[] = {"git", git_dir, "-c", "gc.auto=0", "-c",
	    "maintenance.auto=false", "fetch", "--quiet", "--no-tags",
	    "--no-write-fetch-head", "--no-recurse-submodules",
	    arena_printf(arena, "--deepen=%lld", (long long)n), "--", remote,
	    NULL};
	struct git_run run;
	int rc = 0;

	if (!history_remote_known(repo, remote, e) ||
	    git_run(words, &run, e) < 0)
		return -1;
	if (run.status != 0)
		rc = git_failed(arena, "deepen from", remote, &run, e);
	git_run_free(&run);
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
