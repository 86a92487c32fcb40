/* evalgate check: judge a run against the past; writes nothing to git. */
#include "cli.h"

static int
run(struct session *s)
{
	struct report report;
	struct gating gating;

	if (session_open_repo(s) < 0 || session_read_config(s) < 0 ||
	    session_read_run(s) < 0 || gating_run(s, &gating, &report) < 0)
		return EXIT_INPUT;
	output_report(s, &report);
	return report.exit;
}

const struct command command_check = {
    .name = "check",
    .bit = COMMAND_CHECK,
    .synopsis = "check [OPTION]... RUN...",
    .summary = "compare a run with the past and judge it; stores nothing",
    .help = "Scores results, compares them with the records of earlier "
	    "commits, and fails when\na threshold or a tracked question got "
	    "worse.  Nothing is written to git.\n",
    .run = run,
};
