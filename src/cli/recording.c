/* From what was judged to the record that is stored. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static void
set_metrics(struct session *s, struct record *record)
{
	const struct scores *scores = &s->scores;
	struct record_metric *metrics =
	    arena_array(s->arena, scores->nmeasures + 1, sizeof(*metrics));
	size_t i, n = 0;

	for (i = 0; i < scores->nmeasures; i++)
		if (!isnan(scores->means[i]))
			metrics[n++] = (struct record_metric){
			    scores->measures[i].name, scores->means[i]};
	record->metrics = metrics;
	record->nmetrics = n;
}

/* The first results of tracked questions: what pushed them down later. */
static void
set_top(struct session *s, struct record *record)
{
	struct record_top *top =
	    arena_array(s->arena, s->config.rules.ntracked + 1, sizeof(*top));
	const struct answer_more *more;
	size_t i, n = 0;

	for (i = 0; i < s->questions.nitems; i++) {
		more = answer_more(&s->run.answers[i]);
		if (!more || !more->ntop)
			continue;
		top[n++] = (struct record_top){
		    .question = s->questions.items[i].id,
		    .documents = more->top,
		    .ndocuments = more->ntop,
		};
	}
	record->top = top;
	record->ntop = n;
}

/*
 * The nearest recorded ancestor.  The baseline is one only where the walk
 * for it went back from the first parent.
 */
static const char *
previous(struct session *s, const struct gating *g)
{
	const struct reference *before = g->baseline.before;
	const struct record *record;

	if (before && before->distance > 0)
		return before->record->commit;
	if (!g->commit.nparents)
		return NULL;
	record = chain_nearest(s->arena, s->repo, g->notes,
	    g->commit.parents[0], (size_t)s->config.policy.max_distance);
	return record ? record->commit : NULL;
}

static void
set_place(struct session *s, const struct gating *g, struct record *record)
{
	const struct commit *commit = &g->commit;

	record->commit = commit->id;
	record->tree = commit->tree;
	record->parents = commit->parents;
	record->nparents = commit->nparents;
	record->prev = previous(s, g);
	record->branch = repo_branch(s->repo);
	if (!record->branch && !s->options.commit)
		record->branch = s->around.branch;
	if (g->event->pull_request && commit->nparents > 1) {
		record->base = commit->parents[0];
		record->head = commit->parents[1];
	}
}

/*
 * What was judged beside the history is no part of it: a loss against the
 * records between would be stored as a pass, and what they hold forgotten.
 */
int
recording_check(struct session *s)
{
	if (s->options.start && !*s->options.start)
		return fail(
		    s->e, "--start is empty; say why the history begins anew");
	if (!s->options.baseline)
		return 0;
	return fail(s->e,
	    "a record is judged by the history before it, not by --baseline "
	    "%s; compare with that by `evalgate check`, and where history "
	    "does not serve, begin anew with --start REASON",
	    s->options.baseline);
}

struct record_limits
gating_limits(const struct session *s)
{
	struct record_limits limits = rules_limits(&s->config.rules);

	limits.accept_any = s->config.policy.accept_any;
	limits.required = s->config.policy.required;
	limits.max_distance = s->config.policy.max_distance;
	limits.match_page = s->config.reading.match_page;
	limits.page_tolerance = s->config.reading.page_tolerance;
	return limits;
}

/* What it was an error to say stays to be said, or it would pass next time. */
static bool
accepts_any(const struct session *s, const struct gating *g)
{
	const struct record_limits *before;

	if (!s->config.policy.accept_any || !g->baseline.before)
		return s->config.policy.accept_any;
	before = &g->baseline.before->record->limits;
	return before->accept_any ||
	    (!before->change_fails &&
		s->config.rules.gate_change != LEVEL_ERROR);
}

/* The record that stands for what was judged. */
static void
make_record(struct session *s, const struct gating *g, struct record *record)
{
	struct questions questions;
	struct run run;

	*record = (struct record){
	    .suite = s->config.suite,
	    .tool = EVALGATE_VERSION,
	    .rules = RECORD_RULES,
	    .run = s->around.run,
	    .attempt = s->around.attempt,
	    .dirty = g->dirty,
	    .verdict = g->judgement.stored,
	    .start = s->options.start,
	    .subset = s->config.subset,
	    .repeats = s->run.repeats,
	    .inputs = g->inputs,
	    .depth = s->run.depth,
	    .labels = s->config.labels,
	    .nlabels = s->config.nlabels,
	    .qset = g->asked.id,
	};
	/* A new start is held to nothing. */
	if (!record->start) {
		record->held = g->judgement.held;
		record->nheld = g->judgement.nheld;
	}
	set_place(s, g, record);
	set_metrics(s, record);
	rules_record(s->arena, &s->config.rules, &s->views, record);
	record->limits = gating_limits(s);
	record->limits.accept_any = accepts_any(s, g);
	set_top(s, record);
	session_asked(s, &questions, &run);
	record_set_ranks(s->arena, record, &questions, &run);
}

/* Who signs the note: the environment wins over git's config. */
void
session_sign(struct session *s, struct signature *signature)
{
	const char *name = getenv("GIT_COMMITTER_NAME");
	const char *email = getenv("GIT_COMMITTER_EMAIL");

	repo_signature(s->arena, s->repo, signature);
	if (name && *name)
		signature->name = name;
	if (email && *email)
		signature->email = email;
	signature->time = s->now;
}

/*
 * A pull request's token may be for reading alone: that is said, and the
 * verdict decides.
 */
static void
share(struct session *s, const struct gating *g,
    const struct signature *signature, struct report *report)
{
	struct error *e = s->e;
	size_t before = e->nitems, i;
	struct sync_result result;

	if (session_share(s, signature, true, &result) == 0) {
		report->stored =
		    arena_printf(s->arena, "%s, and shared with '%s'",
			report->stored, session_remote_shown(s));
		report->recorded = true;
		return;
	}
	report->stored = arena_printf(s->arena,
	    "%s, in this clone alone: it could not be shared with '%s'",
	    report->stored, session_remote_shown(s));
	if (!g->event->pull_request || !result.refused)
		return;
	for (i = before; i < e->nitems; i++)
		session_notice(s,
		    arena_printf(s->arena, "not shared: %s", e->items[i].text));
	e->nitems = before;
}

void
session_store(
    struct session *s, const struct gating *g, bool push, struct report *report)
{
	struct signature signature;
	struct record record;

	if (g->dirty && !s->options.allow_dirty) {
		fail_environment(s->e,
		    "not recorded: tracked files differ from HEAD; commit "
		    "them, or say --allow-dirty");
		return;
	}
	make_record(s, g, &record);
	record.at = time_text(s->arena, s->now);
	session_sign(s, &signature);
	switch (notes_store(
	    s->arena, s->repo, &record, &g->asked, &signature, s->e)) {
	case STORE_ADDED:
		report->stored =
		    arena_printf(s->arena, "recorded for %.7s as '%s'",
			record.commit, record_verdict_names[record.verdict]);
		break;
	case STORE_UNCHANGED:
		report->stored = arena_printf(s->arena,
		    "the same result is already recorded for %.7s",
		    record.commit);
		break;
	case STORE_FAILED:
		return;
	}
	report->recorded = !push;
	if (push)
		share(s, g, &signature, report);
}
