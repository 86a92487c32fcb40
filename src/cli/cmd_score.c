/* evalgate score: the metrics of a run; no git needed. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

/* Whether a directory above this one is a repository's top. */
static bool
below_repository(struct session *s)
{
	char *at = realpath(".", NULL), *slash;
	bool found = false;

	while (at && !found && (slash = strrchr(at, '/'))) {
		*slash = '\0';
		found =
		    access(arena_printf(s->arena, "%s/.git", at), F_OK) == 0;
	}
	free(at);
	return found;
}

/*
 * A repository only says where the config is.  Where that is known without,
 * libgit2 is not started: it would read every certificate of the system.
 */
static bool
needs_repository(struct session *s)
{
	if (s->options.config)
		return false;
	if (s->around.repo.git_dir || s->around.repo.work_tree)
		return true;
	return access(".git", F_OK) != 0 && below_repository(s);
}

static int
run(struct session *s)
{
	struct report report;

	if (needs_repository(s))
		session_find_repo(s);
	if (session_read_config(s) < 0 || session_read_run(s) < 0)
		return EXIT_INPUT;
	report = (struct report){
	    .tool = EVALGATE_VERSION,
	    .command = "score",
	    .suite = s->config.suite,
	    .rules = &s->config.rules,
	    .questions = &s->questions,
	    .run = &s->run,
	    .views = &s->views,
	    .scores = &s->scores,
	    .subset = s->config.subset,
	    .notices = s->notices.items,
	    .nnotices = s->notices.n,
	};
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
