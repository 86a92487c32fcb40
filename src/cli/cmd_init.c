/* evalgate init: a config, a question stub, a workflow to start from. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

static const char config_text[] =
    "# What the gate asks of this retrieval system; `evalgate lint` says what\n"
    "# each line means with your questions.\n"
    "version: 1\n"
    "questions: questions.yaml    # the questions whose answer is known\n"
    "run: results.jsonl           # what your pipeline writes\n"
    "\n"
    "# Averages that may not fall.  Without this, any drop of recall@5, mrr "
    "or\n"
    "# ndcg@10 fails.\n"
    "#thresholds:\n"
    "#  - {metric: recall@5, min: 0.70, max_drop: 0.05}\n"
    "\n"
    "# The hard questions that may never get worse, whatever the averages "
    "do.\n"
    "tracked:\n"
    "  - {question: q1, max_loss: 0, note: why it matters}\n";

static const char questions_text[] =
    "# One entry a question: an id, its text, and the documents that answer "
    "it.\n"
    "# Any further field can be a slice (`slices: [category]` in the "
    "config).\n"
    "- id: q1\n"
    "  text: what was done about the stuck pipe?\n"
    "  expected: [report-39]\n"
    "  category: example\n";

static const char workflow_text[] =
    "name: evalgate\n"
    "on:\n"
    "  push: {branches: [main]}\n"
    "  pull_request:\n"
    "permissions:\n"
    "  contents: write    # the history is pushed to refs/notes/evalgate/*\n"
    "  pull-requests: write    # the comment\n"
    "jobs:\n"
    "  gate:\n"
    "    runs-on: ubuntu-latest\n"
    "    steps:\n"
    "      - uses: actions/checkout@v4\n"
    "      - run: ./retrieve > results.jsonl    # your pipeline\n"
    "      # OWNER is whoever hosts evalgate for you.\n"
    "      - uses: OWNER/evalgate/.github/actions/evalgate@v1\n"
    "        with:\n"
    "          run: results.jsonl\n"
    "          comment: true\n";

static int
make_directories(struct session *s)
{
	static const char *const names[] = {".github", ".github/workflows"};
	size_t i;

	for (i = 0; i < COUNT(names); i++)
		if (mkdir(names[i], 0777) < 0 && errno != EEXIST)
			return fail_environment(s->e, "cannot make '%s': %s",
			    names[i], strerror(errno));
	return 0;
}

static int
run(struct session *s)
{
	const struct {
		const char *path, *text;
		bool wanted;
	} files[] = {
	    {"evalgate.yaml", config_text, true},
	    {"questions.yaml", questions_text, true},
	    {".github/workflows/evalgate.yml", workflow_text,
		s->options.workflow},
	};
	size_t i;

	/* Nothing is written where anything would be overwritten. */
	for (i = 0; i < COUNT(files); i++)
		if (files[i].wanted && access(files[i].path, F_OK) == 0)
			fail(s->e, "'%s' is there already, and stays as it is",
			    files[i].path);
	if (access("evalgate.yml", F_OK) == 0)
		fail(s->e,
		    "'evalgate.yml' is there already, and stays as it is");
	if (s->e->nitems)
		return EXIT_INPUT;
	if (s->options.workflow && make_directories(s) < 0)
		return EXIT_ENVIRONMENT;
	for (i = 0; i < COUNT(files); i++) {
		if (!files[i].wanted)
			continue;
		if (file_write(files[i].path, files[i].text,
			strlen(files[i].text), s->e) < 0)
			return EXIT_ENVIRONMENT;
		printf("wrote %s\n", files[i].path);
	}
	if (!s->options.quiet)
		fputs("next: put your questions into questions.yaml, let your "
		      "pipeline write results.jsonl,\nthen `evalgate lint` "
		      "and `evalgate check`; `evalgate record` begins the "
		      "history\n",
		    stdout);
	return EXIT_PASS;
}

const struct command command_init = {
    .name = "init",
    .bit = COMMAND_INIT,
    .synopsis = "init [OPTION]...",
    .summary = "a config and a question stub to start from",
    .help = "Writes evalgate.yaml and questions.yaml here; with --workflow "
	    "a GitHub workflow as\nwell.  Files that are there are never "
	    "overwritten.\n",
    .run = run,
};
