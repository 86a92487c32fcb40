/* From what was judged to the record that is stored. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static void
set_metrics(struct session *s, struct record *record)
{
	const struct scores *scores = &s->scores;
	struct record_metric *metrics =
	    arena_array(s->arena, scores->nmeasures + 1, sizeof(*metrics));
	size_t i;

	for (i = 0; i < scores->nmeasures; i++)
		metrics[i] = (struct record_metric){
		    scores->measures[i].name, scores->means[i]};
	record->metrics = metrics;
	record->nmetrics = scores->nmeasures;
}

static void
set_thresholds(struct session *s, struct record *record)
{
	const struct rules *rules = &s->config.rules;
	struct record_threshold *thresholds =
	    arena_array(s->arena, rules->nthresholds + 1, sizeof(*thresholds));
	size_t i;

	for (i = 0; i < rules->nthresholds; i++) {
		const struct threshold *t = &rules->thresholds[i];

		thresholds[i] = (struct record_threshold){
		    .metric = t->measure.name,
		    .slice = selector_name(s->arena, &t->where),
		    .min = t->has_min ? t->min : -1,
		    .max_drop = t->has_max_drop ? t->max_drop : -1,
		    .relative = t->relative,
		    .alpha = t->alpha,
		    .warn = t->level == LEVEL_WARN,
		};
	}
	record->thresholds = thresholds;
	record->nthresholds = rules->nthresholds;
}

static void
set_tracked(struct session *s, struct record *record)
{
	const struct rules *rules = &s->config.rules;
	struct record_tracked *tracked =
	    arena_array(s->arena, rules->ntracked + 1, sizeof(*tracked));
	size_t i;

	for (i = 0; i < rules->ntracked; i++)
		tracked[i] = (struct record_tracked){
		    .question = rules->tracked[i].question,
		    .document = rules->tracked[i].document,
		    .max_loss = rules->tracked[i].max_loss,
		    .max_rank = rules->tracked[i].max_rank,
		};
	record->tracked = tracked;
	record->ntracked = rules->ntracked;
}

static void
set_waivers(struct session *s, struct record *record)
{
	const struct rules *rules = &s->config.rules;
	struct record_waiver *waivers =
	    arena_array(s->arena, rules->nwaivers + 1, sizeof(*waivers));
	size_t i;

	for (i = 0; i < rules->nwaivers; i++) {
		const struct waiver *w = &rules->waivers[i];

		waivers[i] = (struct record_waiver){
		    .question = w->question,
		    .metric = w->question ? NULL : w->measure.name,
		    .slice = selector_name(s->arena, &w->where),
		    .limit = !w->has_limit ? -1
			: w->question      ? (double)w->ceiling
					   : w->floor,
		    .until = w->until_text,
		};
	}
	record->waivers = waivers;
	record->nwaivers = rules->nwaivers;
}

/* The rules in force, so that a later change of them can be seen. */
static void
set_gate(struct session *s, struct record *record)
{
	const struct budget *budget = &s->config.rules.budget;
	const struct creep *creep = &s->config.rules.creep;

	set_thresholds(s, record);
	set_tracked(s, record);
	set_waivers(s, record);
	record->limits = (struct record_limits){
	    .worse_max = budget->on ? budget->max : -1,
	    .worse_by = budget->by,
	    .worse_warn = budget->level == LEVEL_WARN,
	    .creep_window = creep->window,
	    .creep_warn = creep->level == LEVEL_WARN,
	};
}

/* The first results of tracked questions: what pushed them down later. */
static void
set_top(struct session *s, struct record *record)
{
	struct record_top *top =
	    arena_array(s->arena, s->config.rules.ntracked + 1, sizeof(*top));
	size_t i, n = 0;

	for (i = 0; i < s->questions.nitems; i++) {
		if (!s->run.answers[i].ntop)
			continue;
		top[n++] = (struct record_top){
		    .question = s->questions.items[i].id,
		    .documents = s->run.answers[i].top,
		    .ndocuments = s->run.answers[i].ntop,
		};
	}
	record->top = top;
	record->ntop = n;
}

static void
set_place(struct session *s, const struct gating *g, struct record *record)
{
	const struct commit *commit = &g->commit;
	const struct reference *before = g->baseline.before;

	record->commit = commit->id;
	record->tree = commit->tree;
	record->parents = commit->parents;
	record->nparents = commit->nparents;
	/* Only a walk from the first parent has met an ancestor's record. */
	if (before && before->distance > 0 && !s->options.baseline)
		record->prev = before->record->commit;
	record->branch = repo_branch(s->repo);
	if (!record->branch && !s->options.commit)
		record->branch = s->around.branch;
	if (g->event->pull_request && commit->nparents > 1) {
		record->base = commit->parents[0];
		record->head = commit->parents[1];
	}
}

void
gating_record(struct session *s, const struct gating *g, struct record *record)
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
	set_gate(s, record);
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
	gating_record(s, g, &record);
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
	if (push && session_share(s, &signature, true, NULL) == 0)
		report->stored =
		    arena_printf(s->arena, "%s, and shared with '%s'",
			report->stored, session_remote(s));
}
