/*
 * Where the walk for the baseline starts: the event decides, unless the
 * command line does.
 *
 *   pull_request     the merge commit's first parent, else the merge base
 *                    with the target branch
 *   schedule manual  this very commit: corpus and models drift
 *   everything else  the first parent
 */
#include <string.h>

#include "cli.h"

/* First-parent steps from a commit to one of its ancestors, 0 if unknown. */
static size_t
steps(struct session *s, const struct commit *from, const char *to)
{
	int64_t max = s->config.policy.max_distance, n;
	struct error ignored = {.arena = s->arena};
	struct commit c = *from;

	for (n = 0; n <= max; n++) {
		if (strcmp(c.id, to) == 0)
			return (size_t)n;
		if (!c.nparents ||
		    repo_commit(s->repo, c.parents[0], &c, &ignored) !=
			COMMIT_FOUND)
			break;
	}
	return 0;
}

/* The tip of the branch that a pull request goes to; NULL when unknown. */
static const char *
target_tip(struct session *s)
{
	const struct surroundings *around = &s->around;
	struct error ignored = {.arena = s->arena};
	const char *id;

	if (around->base &&
	    repo_resolve(s->repo, around->base, &id, &ignored) == 0)
		return id;
	if (around->target &&
	    (repo_resolve(s->repo,
		 arena_printf(
		     s->arena, "refs/remotes/origin/%s", around->target),
		 &id, &ignored) == 0 ||
		repo_resolve(s->repo, around->target, &id, &ignored) == 0))
		return id;
	return NULL;
}

static bool
is(const char *named, const char *id)
{
	return named && strcmp(named, id) == 0;
}

/*
 * CI checks out the merge of a pull request; a merge commit may also be the
 * head of its branch, and then its first parent is the branch's own past.
 * *assumed: nothing says which.
 */
static bool
is_merge_of_request(
    struct session *s, const struct commit *commit, bool *assumed)
{
	const struct surroundings *around = &s->around;
	const char *tip;

	*assumed = false;
	if (commit->nparents < 2 || is(around->head, commit->id))
		return false;
	if (is(around->merge, commit->id) ||
	    is(around->head, commit->parents[1]) ||
	    is(around->base, commit->parents[0]))
		return true;
	if (around->merge || around->head || around->merge_base)
		return false;
	/* What the target has already is the side that was merged into it. */
	tip = target_tip(s);
	if (tip && repo_descends(s->repo, tip, commit->parents[0]))
		return true;
	if (tip && repo_descends(s->repo, tip, commit->parents[1]))
		return false;
	*assumed = true;
	return true;
}

static void
start_of_pull_request(
    struct session *s, const struct gating *g, struct start *start)
{
	const char *target = s->around.target ? s->around.target : "its target";
	const char *tip;
	bool assumed;

	if (is_merge_of_request(s, &g->commit, &assumed)) {
		start->id = g->commit.parents[0];
		s->config.policy.side = g->commit.parents[1];
		start->distance = 1;
		start->reason = assumed
		    ? "nearest record from the merge's first parent, assumed "
		      "to be a pull request's"
		    : "nearest record from the merge's first parent";
		return;
	}
	s->config.policy.side = g->commit.id;
	start->id = s->around.merge_base;
	if (!start->id) {
		tip = target_tip(s);
		start->id =
		    tip ? repo_merge_base(s->repo, g->commit.id, tip) : NULL;
	}
	if (!start->id) {
		start->unknown = arena_printf(s->arena,
		    "the merge base with %s can't be told; check out the "
		    "merge commit, fetch more of both branches, or say "
		    "--baseline rev:REV",
		    target);
		return;
	}
	start->distance = steps(s, &g->commit, start->id);
	start->reason = arena_printf(
	    s->arena, "nearest record from the merge base with %s", target);
}

static int
start_as_asked(struct session *s, const struct gating *g, struct start *start)
{
	const char *mode = s->options.baseline;

	if (strncmp(mode, "file:", 5) == 0 && mode[5]) {
		start->file = mode + 5;
		start->reason = "as asked";
		return 0;
	}
	if (strncmp(mode, "rev:", 4) != 0 || !mode[4])
		return fail(s->e,
		    "--baseline is '%s'; write rev:REV, such as "
		    "rev:origin/main, or file:RESULTS",
		    mode);
	switch (session_revision(s, g->notes, mode + 4, &start->id)) {
	case REVISION_KNOWN:
		break;
	case REVISION_SHALLOW:
		start->unknown = arena_printf(s->arena,
		    "revision '%s' names no commit in this shallow clone; "
		    "'git fetch --deepen=100' brings more, '--unshallow' all",
		    mode + 4);
		return 0;
	case REVISION_FAULTY:
		return repo_resolve(s->repo, mode + 4, &start->id, s->e);
	}
	/* Whoever names this very commit wants its record. */
	if (strcmp(start->id, g->commit.id) == 0)
		start->judged = NULL;
	start->distance = steps(s, &g->commit, start->id);
	start->reason = arena_printf(
	    s->arena, "nearest record from %s, as asked", mode + 4);
	return 0;
}

int
start_find(struct session *s, const struct gating *g, struct start *start)
{
	*start = (struct start){.judged = g->commit.id,
	    .reason = "nearest recorded first-parent ancestor"};
	if (s->options.baseline)
		return start_as_asked(s, g, start);
	if (g->event->pull_request) {
		start_of_pull_request(s, g, start);
	} else if (g->event->self) {
		start->id = g->commit.id;
		start->judged = NULL;
		start->reason = "nearest record, this commit's included";
	} else {
		start->id = g->commit.nparents ? g->commit.parents[0] : NULL;
		start->distance = 1;
	}
	return 0;
}
