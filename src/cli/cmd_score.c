/* evalgate score: the metrics of a run; no git needed. */
#include "cli.h"

static int
run(struct session *s)
{
	const struct report report = {.judgement = NULL};

	session_find_config_repo(s);
	if (session_read_config(s) < 0 || session_read_run(s) < 0)
		return EXIT_INPUT;
	if (output_report(s, &report) < 0)
		return EXIT_ENVIRONMENT;
	return EXIT_PASS;
}

const struct command command_score = {
    .name = "score",
    .bit = COMMAND_SCORE,
    .synopsis = "score [OPTION]... RUN...",
    .summary = "the metrics of a run, without any history",
    .help = "Scores results against the questions and prints the means; "
	    "works outside a\nrepository too.  RUN is a results file, or - "
	    "for standard input; several are\nshards of one run.  Without "
	    "RUN, the config's `run` is taken.\n",
    .run = run,
};
