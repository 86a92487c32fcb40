/* What check and record share: find the baseline, compare, judge. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

int
verdict_exit(enum verdict verdict)
{
	switch (verdict) {
	case VERDICT_PASS:
		return EXIT_PASS;
	case VERDICT_FAIL:
		return EXIT_GATE;
	default:
		return EXIT_NO_VERDICT;
	}
}

static int
find_commit(struct session *s, struct gating *g)
{
	const char *revision = s->options.commit ? s->options.commit : "HEAD";
	const char *id;

	if (repo_resolve(s->repo, revision, &id, s->e) < 0)
		return -1;
	switch (repo_commit(s->repo, id, &g->commit, s->e)) {
	case COMMIT_FOUND:
	case COMMIT_SHALLOW:
		return 0;
	case COMMIT_MISSING:
		return fail_environment(
		    s->e, "commit %s is not in this clone", id);
	default:
		return -1;
	}
}

static int
find_event(struct session *s, struct gating *g)
{
	const char *name = s->options.event;

	if (!name)
		name = s->around.event;
	/* A detached merge commit is what CI checks out for a pull request. */
	if (!name && !s->options.commit && g->commit.nparents > 1 &&
	    !repo_branch(s->repo))
		name = "pull_request";
	g->event = event_find(name ? name : "local");
	if (!g->event)
		return fail(s->e,
		    "--event is '%s'; known are local, push, pull_request, "
		    "merge_group, schedule, manual",
		    name);
	return 0;
}

/* Uncommitted changes, but for the results themselves. */
static int
find_dirty(struct session *s, struct gating *g)
{
	const char **except =
	    arena_array(s->arena, s->run_files.n + 1, sizeof(*except));
	size_t i, n = 0;
	char *path;

	if (s->options.commit)
		return 0;
	for (i = 0; i < s->run_files.n; i++) {
		path = realpath(s->run_files.items[i], NULL);
		if (path)
			except[n++] = arena_strdup(s->arena, path);
		free(path);
	}
	return repo_dirty(s->repo, except, n, &g->dirty, s->e);
}

/* Other suites that have a history here: was the name mistyped? */
static const char *
other_suites(struct session *s)
{
	const char *const *suites;
	const char *list = "";
	size_t n = history_suites(s->arena, s->repo, &suites), i;

	for (i = 0; i < n; i++)
		if (strcmp(suites[i], s->config.suite) != 0)
			list = arena_printf(s->arena, "%s%s%s", list,
			    *list ? ", " : "; there is one of: ", suites[i]);
	return list;
}

static void
say_first_run(struct session *s, const struct gating *g)
{
	if (g->baseline.outcome != BASELINE_FIRST || s->unfetched)
		return;
	if (notes_count(g->notes)) {
		session_notice(s,
		    "no earlier commit has a record, so nothing was "
		    "compared: only floors and max_rank decide");
		return;
	}
	session_notice(s,
	    arena_printf(s->arena,
		"no history of suite '%s' was found%s, so nothing was "
		"compared: only floors and max_rank decide; `evalgate sync "
		"--fetch` brings one from the remote (refs/notes/evalgate/*), "
		"`evalgate record` begins one",
		s->config.suite, other_suites(s)));
}

/* Reported metrics whose drop no threshold looks at. */
static void
say_not_gated(struct session *s)
{
	const struct rules *rules = &s->config.rules;
	const char *list = NULL;
	size_t i, t;

	for (i = 0; i < rules->nmeasures; i++) {
		if (rules->measures[i].metric->reading_only)
			continue;
		for (t = 0; t < rules->nthresholds; t++)
			if (rules->thresholds[t].has_max_drop &&
			    !rules->thresholds[t].where.npairs &&
			    strcmp(rules->thresholds[t].measure.name,
				rules->measures[i].name) == 0)
				break;
		if (t == rules->nthresholds)
			list = list ? arena_printf(s->arena, "%s, %s", list,
					  rules->measures[i].name)
				    : rules->measures[i].name;
	}
	if (list)
		session_notice(
		    s, arena_printf(s->arena, "drops not gated: %s", list));
}

static void
make_qsets(struct session *s, struct gating *g)
{
	struct questions questions;
	struct run run;

	qset_make(s->arena, &s->questions, &g->qset);
	g->asked = g->qset;
	if (s->questions.nasked == s->questions.nitems)
		return;
	session_asked(s, &questions, &run);
	qset_make(s->arena, &questions, &g->asked);
}

/* Another results file, read as this one was, stands for a record. */
static int
baseline_of_file(struct session *s, struct gating *g, const struct start *start)
{
	struct reference *reference = arena_alloc(s->arena, sizeof(*reference));

	if (session_read_reference(
		s, start->file, &g->qset, reference, &g->before) < 0)
		return -1;
	g->good = g->before;
	g->baseline = (struct baseline){.outcome = BASELINE_FOUND,
	    .before = reference,
	    .good = reference,
	    .good_accepted = true,
	    .reason = start->reason};
	return 0;
}

static int
find_baseline(struct session *s, struct gating *g)
{
	struct baseline *b = &g->baseline;
	struct start start;
	size_t i;

	if (notes_load(s->arena, s->repo, s->config.suite, &g->notes, s->e) < 0)
		return -1;
	make_qsets(s, g);
	s->config.policy.wanted = &g->asked;
	if (s->options.start)
		return 0;
	inputs_find(s, g);
	if (start_find(s, g, &start) < 0)
		return -1;
	if (start.file)
		return baseline_of_file(s, g, &start);
	if (start.unknown) {
		b->outcome = BASELINE_CUT;
		b->cut = start.unknown;
		return 0;
	}
	if (baseline_find(s->arena, s->repo, g->notes, start.judged, start.id,
		start.distance, &s->config.policy, b, s->e) < 0)
		return -1;
	b->reason = start.reason;
	/* With an event that counts the commit itself, it is not "between". */
	if (b->nunrecorded && strcmp(b->unrecorded[0], g->commit.id) == 0) {
		b->unrecorded++;
		b->nunrecorded--;
	}
	for (i = 0; i < b->nnotices; i++)
		session_notice(s, b->notices[i]);
	say_first_run(s, g);
	if (b->before &&
	    gating_side(s, g, b->before, &g->before_qset, &g->before) < 0)
		return -1;
	if (b->good && b->good != b->before)
		return gating_side(s, g, b->good, &g->good_qset, &g->good);
	g->good = g->before;
	return 0;
}

/* Whether this run alone is no measure of what a waiver is of. */
static bool
beyond_part(const struct session *s, const struct waiver *waiver)
{
	const struct question *question;

	if (!s->options.only)
		return false;
	question = waiver->question
	    ? questions_find(&s->questions, waiver->question)
	    : NULL;
	return !question || question->left_out;
}

#define SOON 14 /* days left that are worth a word */

/* Waivers that are of no use, or will be over soon. */
static void
say_waivers(struct session *s, const struct judgement *judgement)
{
	const struct waiver_state *state;
	const char *subject, *said;
	size_t i;

	for (i = 0; i < s->config.rules.nwaivers; i++) {
		state = &judgement->waivers[i];
		subject = state->waiver->question ? state->waiver->question
						  : state->waiver->measure.name;
		if (state->exceeded ||
		    (!state->used && beyond_part(s, state->waiver)))
			continue;
		if (!state->used)
			said = "is not needed by this run; take it off, or "
			       "the next loss is waived unseen";
		else if (state->days_left == 0)
			said = "ends today";
		else if (state->days_left <= SOON)
			said = arena_printf(s->arena, "ends in %lld day%s",
			    (long long)state->days_left,
			    state->days_left == 1 ? "" : "s");
		else
			continue;
		session_notice(s,
		    arena_printf(s->arena, "the waiver of %s (%s:%zu) %s",
			subject, s->config.file, state->waiver->line, said));
	}
}

/* An entry that has done its work would cover what is changed next. */
static void
say_redefined(struct session *s, const struct gating *g)
{
	const struct rules *rules = &s->config.rules;
	const struct amendment *entry;
	size_t i, k;

	for (i = 0; g->baseline.before && i < rules->nredefined; i++) {
		entry = &rules->redefined[i];
		if (!questions_index(&s->questions, entry->question,
			strlen(entry->question), &k) ||
		    g->before.changes[k] != CHANGE_NONE ||
		    g->good.changes[k] != CHANGE_NONE)
			continue;
		session_notice(s,
		    arena_printf(s->arena,
			"`redefined` names %s (%s:%zu), which is as it was at "
			"the record; take it off, or its next change goes "
			"unseen",
			entry->question, s->config.file, entry->line));
	}
}

static void
fill_report(struct session *s, const struct gating *g, struct report *report)
{
	const struct baseline *b = &g->baseline;

	*report = (struct report){
	    .judgement = &g->judgement,
	    .event = g->event,
	    .commit = &g->commit,
	    .dirty = g->dirty,
	    .baseline = b,
	    .before = b->before ? &g->before : NULL,
	    .good = b->good ? &g->good : NULL,
	    .waivers = g->judgement.waivers,
	    .nwaivers = s->config.rules.nwaivers,
	    .exit = verdict_exit(g->judgement.verdict),
	};
}

int
gating_run(struct session *s, struct gating *g, struct report *report)
{
	struct record_limits limits = gating_limits(s);
	struct gate_input input;

	*g = (struct gating){.dirty = false};
	if (find_commit(s, g) < 0 || find_event(s, g) < 0 ||
	    find_dirty(s, g) < 0 || find_baseline(s, g) < 0 ||
	    past_read(s, g) < 0)
		return -1;
	input = (struct gate_input){
	    .rules = &s->config.rules,
	    .questions = &s->questions,
	    .run = &s->run,
	    .views = &s->views,
	    .scores = &s->scores,
	    .event = g->event,
	    .baseline = s->options.start ? NULL : &g->baseline,
	    .baseline_required =
		s->config.policy.required || s->options.require_baseline,
	    .unfetched = s->unfetched,
	    .limits = &limits,
	    .subset = s->config.subset != NULL,
	    .subset_kept = s->config.subset && !s->options.only,
	    .suite = s->config.suite,
	    .before = g->baseline.before ? &g->before : NULL,
	    .good = g->baseline.good ? &g->good : NULL,
	    .held = g->past.held,
	    .nheld = g->past.nheld,
	    .window = g->past.sides,
	    .nwindow = g->past.nwindow,
	    .labels = s->config.labels,
	    .nlabels = s->config.nlabels,
	    .now = s->now,
	};
	say_not_gated(s);
	part_say(s);
	judge(s->arena, &input, &g->judgement);
	say_waivers(s, &g->judgement);
	say_redefined(s, g);
	if (g->judgement.verdict == VERDICT_FAIL)
		absent_say(s);
	fill_report(s, g, report);
	past_tell(s, g, report);
	return walk_tell(s, g, report);
}
