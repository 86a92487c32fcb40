/* evalgate record: check, then store the record with the commit. */
#include "cli.h"

static int
run(struct session *s)
{
	struct report report;
	struct gating gating;

	if (recording_check(s) < 0)
		return EXIT_INPUT;
	if (session_open_repo(s) < 0 || session_read_config(s) < 0 ||
	    session_read_run(s) < 0 || gating_run(s, &gating, &report) < 0)
		return EXIT_INPUT;
	session_store(s, &gating, s->options.push, &report);
	report.exit = exit_status(s->e, report.exit);
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
