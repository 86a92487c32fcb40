/*
 * evalgate ci: fetch the history, check, record where the event allows it,
 * and share.  What CI calls.
 */
#include <string.h>

#include "cli.h"

static bool
has_remote(struct session *s)
{
	struct error ignored = {.arena = s->arena};

	return history_remote_known(s->repo, session_remote(s), &ignored);
}

/* Nobody named a remote, and there is none: the history is local. */
static bool
is_local(struct session *s)
{
	const char *const *names;

	return !s->options.remote && !s->config.remote &&
	    history_remotes(s->arena, s->repo, &names) == 0;
}

/*
 * A history that can't be fetched might hold the very record that matters,
 * so that failure is no first run.
 */
static int
fetch(struct session *s, const struct signature *signature)
{
	if (is_local(s)) {
		session_notice(s,
		    arena_printf(s->arena,
			"there is no remote '%s': the history is this "
			"repository's alone",
			session_remote(s)));
		return 0;
	}
	return session_share(s, signature, false, NULL);
}

/* Judges; where the walk was cut off, with more commits a second time. */
static int
judge_deepening(struct session *s, struct gating *g, struct report *report)
{
	size_t notices = s->notices.n;
	int64_t n = s->config.policy.max_distance;

	if (gating_run(s, g, report) < 0)
		return -1;
	if ((g->baseline.outcome != BASELINE_CUT && !g->baseline.good_cut) ||
	    !s->config.deepen || !repo_shallow(s->repo) || !has_remote(s))
		return 0;
	if (history_deepen(s->arena, s->repo, session_remote(s), n, s->e) < 0)
		return 0; /* the verdict stands as it is, and the error is told */
	s->notices.n = notices;
	session_notice(s,
	    arena_printf(s->arena,
		"the clone was too shallow for the way back: fetched up to "
		"%lld more commits",
		(long long)n));
	return gating_run(s, g, report);
}

/* Why nothing is stored for this event; NULL when it is. */
static const char *
not_stored(const struct session *s, const struct gating *g)
{
	if (s->options.no_record)
		return "not recorded, as asked";
	if (s->options.baseline)
		return "not recorded: compared with what --baseline says, not "
		       "with the history before it";
	if (s->around.fork)
		return arena_printf(
		    s->arena, "not recorded: %s", s->around.fork);
	/* Nobody could be compared with it. */
	if (s->unfetched && g->judgement.stored == RECORD_NONE)
		return "not recorded: there is no verdict, since the history "
		       "could not be fetched";
	if (!g->event->records && !s->options.record)
		return "not recorded: a pull request is measured, and stored "
		       "only with --record";
	return NULL;
}

/* Judges, stores, shares and reports; NULL after an error. */
static const struct report *
gate(struct session *s, struct gating *gating, struct report *report)
{
	struct signature signature;
	const char *why;
	bool push;

	if ((s->options.record && recording_check(s) < 0) ||
	    session_open_repo(s) < 0 || session_read_config(s) < 0 ||
	    session_read_run(s) < 0)
		return NULL;
	session_sign(s, &signature);
	s->unfetched = fetch(s, &signature) < 0;
	if (judge_deepening(s, gating, report) < 0)
		return NULL;
	why = not_stored(s, gating);
	if (why)
		report->stored = why;
	/* Whoever could not be asked can't be told either. */
	push = !s->unfetched && !s->options.no_push && has_remote(s);
	if (!why)
		session_store(s, gating, push, report);
	/* A clone of CI's is thrown away. */
	report->recorded = report->recorded && (push || is_local(s));
	report->exit = exit_status(s->e, report->exit);
	if (s->around.summary && !s->options.no_summary)
		summary_append(s, report);
	output_report(s, report);
	return report;
}

/* Annotations go where the log goes, unless something else has stdout. */
static void
annotate(struct session *s)
{
	if (!s->around.annotations || s->options.no_annotations ||
	    output_takes_stdout(s))
		return;
	words_add(s->arena, &s->options.formats, "text");
	words_add(s->arena, &s->options.formats, "github");
}

static int
run(struct session *s)
{
	struct gating gating;
	struct report made;
	const struct report *report;
	int status;

	annotate(s);
	report = gate(s, &gating, &made);
	status = exit_status(s->e, report ? report->exit : EXIT_INPUT);
	if (s->around.outputs)
		outputs_append(s, report, status);
	return report ? report->exit : EXIT_INPUT;
}

const struct command command_ci = {
    .name = "ci",
    .bit = COMMAND_CI,
    .synopsis = "ci [OPTION]... RUN...",
    .summary = "what CI calls: fetch the history, check, record, share",
    .help = "Fetches the history, judges as `check` does, and on pushes, "
	    "merge groups, schedules and\nby hand stores and shares the "
	    "record; on pull requests only with --record, on those\nfrom "
	    "forks never.  A clone that is too shallow is deepened.  In "
	    "GitHub Actions the step's\nsummary, annotations and outputs are "
	    "written too.\n",
    .run = run,
};
