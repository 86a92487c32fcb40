/*
 * Sharing the history: fetch, unite, push, and again when somebody else was
 * faster.  Never by force: nothing that anybody has recorded is lost.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define DEADLINE_MS 240000
#define MIN_ATTEMPTS 40
#define MAX_SLEEP_MS 2000
#define PATIENCE 8 /* attempts, after which sleeps are short */
#define IMPATIENT_MS 150
#define NETWORK_TRIES 3

struct sync {
	struct arena *arena;
	struct repo *repo;
	const struct sync_options *options;
	struct sync_result *result;
	struct error *e;
	const char *git_dir; /* --git-dir=... */
	const char *tracking; /* refs/evalgate/remotes/<remote>/ */
	struct writer w; /* for its chance and its clock */
	size_t notices_cap;
};

static void
notice(struct sync *s, const char *text)
{
	struct sync_result *r = s->result;

	r->notices = arena_grow(s->arena, r->notices, r->nnotices,
	    &s->notices_cap, sizeof(*r->notices));
	r->notices[r->nnotices++] = text;
}

/* ------------------------------------------------------------- remotes -- */

/* A remote's name as a part of a ref: a URL goes by a digest. */
static const char *
tracking_name(struct arena *arena, const char *remote)
{
	char hex[HEX + 1];

	if (!strpbrk(remote, "/:\\") && *remote != '.')
		return remote;
	blob_id(hex, remote, strlen(remote));
	return arena_strndup(arena, hex, 12);
}

/* --------------------------------------------------------------- fetch -- */

static int
fetch(struct sync *s)
{
	const char *refspec =
	    arena_printf(s->arena, "+refs/notes/evalgate/*:%s*", s->tracking);
	const char *const words[] = {"git", s->git_dir, "-c", "gc.auto=0", "-c",
	    "maintenance.auto=false", "fetch", "--quiet", "--no-tags",
	    "--no-write-fetch-head", "--no-filter", "--prune",
	    "--no-recurse-submodules", "--", s->options->remote, refspec, NULL};
	struct git_run run;
	int tries, rc = -1;

	for (tries = 0; tries < NETWORK_TRIES; tries++) {
		if (git_run(words, &run, s->e) < 0)
			break;
		if (run.status == 0)
			rc = 0;
		else if (tries + 1 == NETWORK_TRIES)
			git_failed(s->arena, "fetch from", s->options->remote,
			    &run, s->e);
		git_run_free(&run);
		if (rc == 0)
			break;
		writer_sleep(&s->w, 100 << tries);
	}
	/* New packs came by another process. */
	git_odb_refresh(s->repo->odb);
	return rc;
}

/* --------------------------------------------------------------- unite -- */

struct tip {
	const char *suite;
	git_oid id;
};

struct tips {
	struct arena *arena;
	struct tip *items;
	size_t nitems, cap;
};

/* Suites that have a ref below a prefix, and its commit. */
static int
list_tips(struct sync *s, const char *prefix, struct tips *tips)
{
	git_reference_iterator *it;
	const char *name;
	git_oid id;

	*tips = (struct tips){.arena = s->arena};
	if (git_reference_iterator_glob_new(
		&it, s->repo->git, arena_printf(s->arena, "%s*", prefix)) < 0)
		return fail_environment(
		    s->e, "cannot list refs: %s", git_says());
	while (git_reference_next_name(&name, it) == 0) {
		if (strncmp(name, prefix, strlen(prefix)) != 0 ||
		    !suite_name_valid(name + strlen(prefix)) ||
		    git_reference_name_to_id(&id, s->repo->git, name) < 0)
			continue;
		if (s->options->suite &&
		    strcmp(name + strlen(prefix), s->options->suite) != 0)
			continue;
		tips->items = arena_grow(s->arena, tips->items, tips->nitems,
		    &tips->cap, sizeof(*tips->items));
		tips->items[tips->nitems++] = (struct tip){
		    arena_strdup(s->arena, name + strlen(prefix)), id};
	}
	git_reference_iterator_free(it);
	return 0;
}

static const struct tip *
find_tip(const struct tips *tips, const char *suite)
{
	size_t i;

	for (i = 0; i < tips->nitems; i++)
		if (strcmp(tips->items[i].suite, suite) == 0)
			return &tips->items[i];
	return NULL;
}

/* A history that does not go on from where it was seen is told. */
static void
tell_rewritten(struct sync *s, const struct tips *before, const struct tip *now)
{
	const struct tip *seen = find_tip(before, now->suite);

	if (!seen || git_oid_cmp(&seen->id, &now->id) == 0 ||
	    git_graph_descendant_of(s->repo->git, &now->id, &seen->id) != 0)
		return;
	notice(s,
	    arena_printf(s->arena,
		"history was rewritten on '%s': suite '%s' does not go on "
		"from what was fetched before; nothing that is here was "
		"dropped",
		s->options->remote, now->suite));
}

/* What was there once and is gone will be pushed again. */
static void
tell_gone(struct sync *s, const struct tips *before, const struct tips *fetched)
{
	size_t i;

	for (i = 0; i < before->nitems; i++)
		if (!find_tip(fetched, before->items[i].suite))
			notice(s,
			    arena_printf(s->arena,
				"'%s' has no history of suite '%s' any more",
				s->options->remote, before->items[i].suite));
}

static int
unite_all(struct sync *s, const struct tips *before)
{
	enum merge_state state;
	struct tips fetched;
	size_t i;

	if (list_tips(s, s->tracking, &fetched) < 0)
		return -1;
	tell_gone(s, before, &fetched);
	for (i = 0; i < fetched.nitems; i++) {
		tell_rewritten(s, before, &fetched.items[i]);
		if (notes_merge(s->arena, s->repo, fetched.items[i].suite,
			&fetched.items[i].id, s->options->signature, &state,
			s->e) < 0)
			return -1;
		s->result->nsuites++;
		s->result->nunited += state == MERGE_UNITED;
		s->result->nforwarded += state == MERGE_FORWARD;
	}
	return 0;
}

static int
fetch_and_unite(struct sync *s)
{
	struct tips before;

	if (list_tips(s, s->tracking, &before) < 0 || fetch(s) < 0)
		return -1;
	s->result->nsuites = 0;
	return unite_all(s, &before);
}

/* ---------------------------------------------------------------- push -- */

enum pushed { PUSH_DONE, PUSH_AGAIN, PUSH_FAILED };

/* What the server means by "somebody was faster". */
static bool
lost_a_race(const char *line)
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

/* Porcelain lines: a flag, a tab, from:to, a tab, what became of it. */
static enum pushed
read_porcelain(struct sync *s, const struct git_run *run)
{
	enum pushed result = PUSH_DONE;
	const char *p = run->out.data, *end, *line;

	for (; *p; p = *end ? end + 1 : end) {
		end = p + strcspn(p, "\n");
		if (p[0] != '!' || p[1] != '\t')
			continue;
		line = arena_strndup(s->arena, p, (size_t)(end - p));
		if (lost_a_race(line)) {
			if (result == PUSH_DONE)
				result = PUSH_AGAIN;
			continue;
		}
		line = strrchr(line, '\t') + 1;
		fail_environment(s->e, "'%s' refused the history: %s%s",
		    s->options->remote, line,
		    *git_mend(line) ? git_mend(line) : git_mend(run->err.data));
		result = PUSH_FAILED;
	}
	return result;
}

/* Only suites of which something is not there yet. */
static size_t
refspecs(struct sync *s, const struct tips *ours, const struct tips *theirs,
    const char **words)
{
	const struct tip *there;
	size_t i, n = 0;

	for (i = 0; i < ours->nitems && n < GIT_REFSPECS; i++) {
		there = find_tip(theirs, ours->items[i].suite);
		if (there && git_oid_cmp(&there->id, &ours->items[i].id) == 0)
			continue;
		words[n++] = arena_printf(s->arena,
		    "refs/notes/evalgate/%s:refs/notes/evalgate/%s",
		    ours->items[i].suite, ours->items[i].suite);
	}
	return n;
}

/* What was pushed is what the remote has now. */
static void
note_pushed(struct sync *s, const struct tips *ours)
{
	git_reference *ref;
	size_t i;

	for (i = 0; i < ours->nitems; i++) {
		ref = NULL;
		git_reference_create(&ref, s->repo->git,
		    arena_printf(
			s->arena, "%s%s", s->tracking, ours->items[i].suite),
		    &ours->items[i].id, 1, "evalgate: pushed");
		git_reference_free(ref);
	}
}

static enum pushed
push_once(struct sync *s)
{
	const char *words[GIT_WORDS + 1] = {"git", s->git_dir, "push",
	    "--porcelain", "--no-verify", "--no-recurse-submodules", "--",
	    s->options->remote};
	struct tips ours, theirs;
	enum pushed result;
	struct git_run run;
	size_t n;

	if (list_tips(s, "refs/notes/evalgate/", &ours) < 0 ||
	    list_tips(s, s->tracking, &theirs) < 0)
		return PUSH_FAILED;
	n = refspecs(s, &ours, &theirs, words + 8);
	if (n == 0)
		return PUSH_DONE;
	if (git_run(words, &run, s->e) < 0)
		return PUSH_FAILED;
	result = read_porcelain(s, &run);
	if (result == PUSH_DONE && run.status != 0) {
		git_failed(s->arena, "push to", s->options->remote, &run, s->e);
		result = PUSH_FAILED;
	}
	git_run_free(&run);
	if (result == PUSH_DONE) {
		note_pushed(s, &ours);
		s->result->npushed = n;
	}
	return result;
}

/*
 * Full jitter: with a doubling alone the loser of a race would starve.  Who
 * has lost often sleeps less than those who begin, so that its turn comes.
 */
static int64_t
longest_sleep(int attempt)
{
	if (attempt >= PATIENCE)
		return IMPATIENT_MS;
	return attempt < 5 ? 100 << attempt : MAX_SLEEP_MS;
}

static int
push(struct sync *s)
{
	enum pushed result;
	int attempt;

	for (attempt = 0;; attempt++) {
		result = push_once(s);
		s->result->attempts = attempt + 1;
		if (result != PUSH_AGAIN)
			return result == PUSH_DONE ? 0 : -1;
		if (attempt >= MIN_ATTEMPTS &&
		    now_ms(CLOCK_MONOTONIC) - s->w.began > DEADLINE_MS)
			return fail_environment(s->e,
			    "could not push to '%s' in %d attempts, so many "
			    "others did; what was recorded is kept here, "
			    "and `evalgate sync` will share it",
			    s->options->remote, attempt + 1);
		writer_sleep(&s->w, longest_sleep(attempt));
		if (fetch_and_unite(s) < 0)
			return -1;
	}
}

/* ---------------------------------------------------------------- sync -- */

int
history_sync(struct arena *arena, struct repo *repo,
    const struct sync_options *options, struct sync_result *result,
    struct error *e)
{
	struct sync s = {
	    .arena = arena,
	    .repo = repo,
	    .options = options,
	    .result = result,
	    .e = e,
	    .git_dir = arena_printf(arena, "--git-dir=%s", repo->common),
	};

	*result = (struct sync_result){.attempts = 0};
	if (!history_remote_known(repo, options->remote, e))
		return -1;
	s.tracking = arena_printf(arena, "refs/evalgate/remotes/%s/",
	    tracking_name(arena, options->remote));
	writer_init(&s.w, arena, repo, "default", options->signature, "", e);
	if ((options->fetch || options->push) && fetch_and_unite(&s) < 0)
		return -1;
	return options->push ? push(&s) : 0;
}
