/*
 * Sharing the history: fetch, unite, push, and again when somebody else was
 * faster.  Never by force: nothing that anybody has recorded is lost.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define MAX_SLEEP_MS 2000
#define PATIENCE 8 /* attempts, after which sleeps are short */
#define IMPATIENT_MS 150
#define LOCKED_MS 30000 /* a lock that nobody's push explains */
#define STILL 2 /* pushes that came too late though nobody was faster */
#define NETWORK_TRIES 3

struct sync {
	struct arena *arena;
	struct repo *repo;
	const struct sync_options *options;
	struct sync_result *result;
	struct error *e;
	struct talk talk;
	const char *tracking; /* refs/evalgate/remotes/<remote>/ */
	struct writer w; /* for its chance */
	struct {
		const char **items;
		size_t nitems, cap;
	} left_out; /* suites that are damaged or refused */
	const char *last; /* why the last push came too late */
	int64_t moved; /* when somebody else was last seen to push */
	int nstill; /* pushes that came too late since */
	size_t notices_cap;
};

/* A suite that can't be shared, of which the error has been told. */
static void
leave_out(struct sync *s, const char *suite)
{
	s->left_out.items = arena_grow(s->arena, s->left_out.items,
	    s->left_out.nitems, &s->left_out.cap, sizeof(*s->left_out.items));
	s->left_out.items[s->left_out.nitems++] = arena_strdup(s->arena, suite);
}

static bool
is_left_out(const struct sync *s, const char *suite)
{
	size_t i;

	for (i = 0; i < s->left_out.nitems; i++)
		if (strcmp(s->left_out.items[i], suite) == 0)
			return true;
	return false;
}

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

/* What is recorded stays here, and why it stays here alone. */
static void
tell_too_late(struct sync *s)
{
	int n = s->result->attempts;

	if (s->nstill < STILL)
		fail_environment(s->e,
		    "could not push to '%s' in %d attempt%s within %lld "
		    "seconds, so many others did; what was recorded is kept "
		    "here, and `evalgate sync` will share it",
		    s->talk.shown, n, n == 1 ? "" : "s",
		    (long long)s->talk.allowed);
	else
		fail_environment(s->e,
		    "could not push to '%s' in %d attempts, though nobody "
		    "else did; a lock may be left there by a process that "
		    "died: %s",
		    s->talk.shown, n, s->last);
}

/* --------------------------------------------------------------- fetch -- */

static int
fetch_once(struct sync *s, bool again_all)
{
	static const char *const options[] = {
	    "--no-filter", "--prune", "--refetch"};
	struct git_call call;
	struct git_run run;
	bool again = true;
	int tries, rc = -1;

	call_fetch(&call, &s->talk, options, again_all ? 3 : 2);
	call_add(&call,
	    arena_printf(s->arena, "+refs/notes/evalgate/*:%s*", s->tracking));
	for (tries = 1; again && rc < 0; tries++) {
		if (git_run(call.words, &s->talk, &run, s->e) < 0)
			break;
		again = tries < NETWORK_TRIES && run.end == GIT_ENDED;
		if (run.status == 0)
			rc = 0;
		else if (again)
			writer_sleep(&s->w, 100 << tries);
		else if (run.end == GIT_LATE && s->last)
			tell_too_late(s);
		else
			git_failed(&s->talk, "fetch from", &run);
		git_run_free(&run);
	}
	/* New packs came by another process. */
	git_odb_refresh(s->repo->odb);
	return rc;
}

/* --------------------------------------------------------------- unite -- */

static int
list(struct sync *s, const char *prefix, struct tips *tips)
{
	return tips_list(
	    s->arena, s->repo, prefix, s->options->suite, tips, s->e);
}

/*
 * In a partial clone git takes the texts of notes that it was not sent for
 * something that it can have at any time.
 */
static int
fetch(struct sync *s)
{
	struct tips tips;
	size_t i;

	if (fetch_once(s, false) < 0 || list(s, s->tracking, &tips) < 0)
		return -1;
	for (i = 0; i < tips.nitems; i++)
		if (tip_sound(s->repo, &tips.items[i].id) &&
		    !tip_whole(s->repo, &tips.items[i].id))
			return fetch_once(s, true);
	return 0;
}

/* A ref of ours that names no commit is nobody's to get. */
static bool
suite_sound(struct sync *s, const char *suite)
{
	git_oid commit, tree;
	bool found;

	return notes_tip(s->repo, suite, &found, &commit, &tree, s->e) == 0 &&
	    found;
}

/* A history that does not go on from where it was seen is told. */
static void
tell_rewritten(struct sync *s, const struct tips *before, const struct tip *now)
{
	const struct tip *seen = tips_find(before, now->suite);

	if (!seen || git_oid_cmp(&seen->id, &now->id) == 0 ||
	    git_graph_descendant_of(s->repo->git, &now->id, &seen->id) != 0)
		return;
	notice(s,
	    arena_printf(s->arena,
		"history was rewritten on '%s': suite '%s' does not go on "
		"from what was fetched before; nothing that is here was "
		"dropped",
		s->talk.shown, now->suite));
}

/* What was there once and is gone will be pushed again. */
static void
tell_gone(struct sync *s, const struct tips *before, const struct tips *fetched)
{
	size_t i;

	for (i = 0; i < before->nitems; i++)
		if (!tips_find(fetched, before->items[i].suite))
			notice(s,
			    arena_printf(s->arena,
				"'%s' has no history of suite '%s' any more",
				s->talk.shown, before->items[i].suite));
}

/* One suite of the remote's; what can't be united keeps no other from it. */
static void
unite(struct sync *s, const struct tips *before, const struct tip *theirs)
{
	enum merge_state state;

	if (!tip_sound(s->repo, &theirs->id)) {
		fail_environment(s->e,
		    "the history of suite '%s' on '%s' is damaged: "
		    "'refs/notes/evalgate/%s' names no commit there; what is "
		    "here stays as it is, and is shared once somebody removes "
		    "it there (git push %s :refs/notes/evalgate/%s)",
		    theirs->suite, s->talk.shown, theirs->suite, s->talk.shown,
		    theirs->suite);
		leave_out(s, theirs->suite);
		return;
	}
	tell_rewritten(s, before, theirs);
	if (notes_merge(s->arena, s->repo, theirs->suite, &theirs->id,
		s->options->signature, &state, s->e) < 0) {
		leave_out(s, theirs->suite);
		return;
	}
	s->result->nunited += state == MERGE_UNITED;
	s->result->nforwarded += state == MERGE_FORWARD;
}

static int
fetch_and_unite(struct sync *s)
{
	struct tips before, fetched;
	const struct tip *seen;
	size_t i;

	if (list(s, s->tracking, &before) < 0 || fetch(s) < 0 ||
	    list(s, s->tracking, &fetched) < 0)
		return -1;
	tell_gone(s, &before, &fetched);
	for (i = 0; i < fetched.nitems; i++) {
		if (!is_left_out(s, fetched.items[i].suite))
			unite(s, &before, &fetched.items[i]);
		seen = tips_find(&before, fetched.items[i].suite);
		if (!seen ||
		    git_oid_cmp(&seen->id, &fetched.items[i].id) != 0) {
			s->moved = now_ms(CLOCK_MONOTONIC);
			s->nstill = 0;
		}
	}
	s->result->nsuites = fetched.nitems;
	return 0;
}

/* ---------------------------------------------------------------- push -- */

enum pushed {
	PUSH_DONE,
	PUSH_MORE, /* there are more suites than one call holds */
	PUSH_AGAIN, /* somebody was faster */
	PUSH_FAILED /* an error was added */
};

/* A suite on its way. */
struct pushing {
	const struct tip *tip;
	const char *refspec;
	bool done;
};

/* The tip that a line of "from:to" is about. */
static struct pushing *
find_pushing(struct pushing *sent, size_t n, const char *line)
{
	const char *tab = strchr(line + 2, '\t');
	size_t len = (size_t)(tab ? tab - line : 0), i, k;

	for (i = 0; i < n; i++) {
		k = strlen(sent[i].refspec);
		if (len == k + 2 && strncmp(line + 2, sent[i].refspec, k) == 0)
			return &sent[i];
	}
	return NULL;
}

static void
tell_refused(struct sync *s, const struct git_run *run, const char *suite,
    const char *why)
{
	const char *says = git_server_says(s->arena, run);
	const char *mend = git_mend(why);

	if (!*mend)
		mend = git_mend(run->err.data);
	fail_environment(s->e, "'%s' refused the history of suite '%s': %s%s%s",
	    s->talk.shown, suite, remote_shown(s->arena, why), says, mend);
}

/* Porcelain lines: a flag, a tab, from:to, a tab, what became of it. */
static enum pushed
read_porcelain(
    struct sync *s, const struct git_run *run, struct pushing *sent, size_t n)
{
	enum pushed result = PUSH_DONE;
	const char *p = run->out.data, *end, *line, *why;
	struct pushing *about;

	for (; *p; p = *end ? end + 1 : end) {
		end = p + strcspn(p, "\n");
		if (strchr("!*=+- ", p[0]) == NULL || p[1] != '\t')
			continue;
		line = arena_strndup(s->arena, p, (size_t)(end - p));
		about = find_pushing(sent, n, line);
		if (!about)
			continue;
		about->done = p[0] != '!';
		if (about->done)
			continue;
		why = strrchr(line, '\t') + 1;
		if (git_says_late(why)) {
			s->last = arena_printf(s->arena, "%s%s",
			    remote_shown(s->arena, why),
			    git_server_says(s->arena, run));
			s->nstill += result != PUSH_AGAIN;
			result = PUSH_AGAIN;
			continue;
		}
		tell_refused(s, run, about->tip->suite, why);
		s->result->refused = true;
		leave_out(s, about->tip->suite);
	}
	return result;
}

/* Only suites of which something is not there yet, and that are sound. */
static size_t
choose(struct sync *s, const struct tips *ours, const struct tips *theirs,
    struct pushing *sent)
{
	const struct tip *tip, *there;
	size_t i, n = 0;

	for (i = 0; i < ours->nitems && n < GIT_REFSPECS; i++) {
		tip = &ours->items[i];
		there = tips_find(theirs, tip->suite);
		if (is_left_out(s, tip->suite) ||
		    (there && git_oid_cmp(&there->id, &tip->id) == 0))
			continue;
		if (!suite_sound(s, tip->suite)) {
			leave_out(s, tip->suite);
			continue;
		}
		sent[n++] = (struct pushing){.tip = tip,
		    .refspec = arena_printf(s->arena,
			"refs/notes/evalgate/%s:refs/notes/evalgate/%s",
			tip->suite, tip->suite)};
	}
	return n;
}

/* What was pushed is what the remote has now. */
static void
note_pushed(struct sync *s, const struct pushing *sent, size_t n)
{
	git_reference *ref;
	size_t i;

	for (i = 0; i < n; i++) {
		if (!sent[i].done)
			continue;
		ref = NULL;
		git_reference_create(&ref, s->repo->git,
		    arena_printf(
			s->arena, "%s%s", s->tracking, sent[i].tip->suite),
		    &sent[i].tip->id, 1, "evalgate: pushed");
		git_reference_free(ref);
		s->result->npushed++;
	}
}

static enum pushed
push_once(struct sync *s)
{
	struct pushing sent[GIT_REFSPECS];
	struct tips ours, theirs;
	struct git_call call;
	enum pushed result;
	struct git_run run;
	size_t n, i, before = s->e->nitems;

	if (list(s, "refs/notes/evalgate/", &ours) < 0 ||
	    list(s, s->tracking, &theirs) < 0)
		return PUSH_FAILED;
	n = choose(s, &ours, &theirs, sent);
	if (n == 0)
		return PUSH_DONE;
	call_push(&call, &s->talk, false);
	for (i = 0; i < n; i++)
		call_add(&call, sent[i].refspec);
	if (git_run(call.words, &s->talk, &run, s->e) < 0)
		return PUSH_FAILED;
	result = read_porcelain(s, &run, sent, n);
	note_pushed(s, sent, n);
	if (result == PUSH_DONE && run.status != 0 && s->e->nitems == before) {
		if (run.end == GIT_LATE && s->last)
			tell_too_late(s);
		else
			git_failed(&s->talk, "push to", &run);
		s->result->refused = run.end == GIT_ENDED;
		result = PUSH_FAILED;
	} else if (result == PUSH_DONE && n == GIT_REFSPECS) {
		result = PUSH_MORE;
	}
	git_run_free(&run);
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

/* Time is over, or nobody pushes and still the ref is not to be had. */
static bool
give_up(struct sync *s)
{
	int64_t now = now_ms(CLOCK_MONOTONIC);

	if (now < s->talk.until && now - s->moved < LOCKED_MS)
		return false;
	tell_too_late(s);
	return true;
}

static int
push(struct sync *s)
{
	int attempt;

	s->moved = now_ms(CLOCK_MONOTONIC);
	s->nstill = 0;
	for (attempt = 0;; attempt++) {
		s->result->attempts = attempt + 1;
		switch (push_once(s)) {
		case PUSH_DONE:
			return 0;
		case PUSH_FAILED:
			return -1;
		case PUSH_MORE:
			continue;
		case PUSH_AGAIN:
			break;
		}
		if (give_up(s))
			return -1;
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
	};
	size_t before = e->nitems;

	*result = (struct sync_result){.attempts = 0};
	if (talk_begin(&s.talk, arena, repo, options->remote, e) < 0)
		return -1;
	s.tracking = arena_printf(arena, "refs/evalgate/remotes/%s/",
	    tracking_name(arena, options->remote));
	writer_init(&s.w, arena, repo, "default", options->signature, "", e);
	if (fetch_and_unite(&s) == 0 && options->push)
		push(&s);
	talk_end(&s.talk);
	return e->nitems > before ? -1 : 0;
}
