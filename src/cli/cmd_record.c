/* evalgate record: check, then store the record with the commit. */
#include "cli.h"

static void
store(struct session *s, const struct gating *g, int64_t now,
    struct report *report)
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
	record.at = time_text(s->arena, now);
	session_sign(s, now, &signature);
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
	if (s->options.push && session_share(s, &signature, true, NULL) == 0)
		report->stored =
		    arena_printf(s->arena, "%s, and shared with '%s'",
			report->stored, session_remote(s));
}

static int
run(struct session *s)
{
	struct report report;
	struct gating gating;
	int64_t now;

	if (now_read(s->options.now, &now, s->e) < 0 ||
	    session_open_repo(s) < 0 || session_read_config(s) < 0 ||
	    session_read_run(s) < 0 || gating_run(s, &gating, &report) < 0)
		return EXIT_INPUT;
	report.command = "record";
	store(s, &gating, now, &report);
	report.notices = s->notices.items;
	report.nnotices = s->notices.n;
	/* A verdict that was reached is printed, whatever became of it. */
	output_report(s, &report);
	return report.exit;
}

const struct command command_record = {
    .name = "record",
    .bit = COMMAND_RECORD,
    .synopsis = "record [OPTION]... RUN...",
    .summary = "check, then store the record with the commit",
    .help = "Judges a run as `check` does and stores its ranks with the "
	    "commit, in the notes\nref refs/notes/evalgate/SUITE, whatever "
	    "the verdict (which is in the record).\nThe same result is not "
	    "stored twice.\n",
    .run = run,
};
