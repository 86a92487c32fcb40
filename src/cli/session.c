/* The steps that commands have in common, from the options to the scores. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

void
session_notice(struct session *s, const char *notice)
{
	s->notices.items = arena_grow(s->arena, s->notices.items, s->notices.n,
	    &s->notices.cap, sizeof(*s->notices.items));
	s->notices.items[s->notices.n++] = notice;
}

int
session_open_repo(struct session *s)
{
	return repo_open(s->arena, ".", &s->around.repo, &s->repo, s->e);
}

/* Where the default config lives, "" spelled as nothing where we are. */
static const char *
config_root(struct session *s)
{
	const char *root = s->repo ? repo_root(s->repo) : NULL;
	char *here;

	if (!root)
		return NULL;
	here = realpath(".", NULL);
	if (here && strcmp(here, root) == 0)
		root = NULL;
	free(here);
	return root;
}

int
session_read_config(struct session *s)
{
	struct config *config = &s->config;
	size_t before = s->e->nitems;

	if (config_read(
		s->arena, s->options.config, config_root(s), config, s->e) < 0)
		return -1;
	if (s->options.suite)
		config->suite = s->options.suite;
	if (!suite_name_valid(config->suite))
		fail(s->e,
		    "--suite is '%s'; a name has small letters, digits, "
		    "'.', '_' and '-'",
		    config->suite);
	config->policy.required |= s->options.require_baseline;
	return s->e->nitems > before ? -1 : 0;
}

/* Labels of the command line win over the config's. */
static int
read_labels(struct session *s)
{
	struct config *config = &s->config;
	struct field *labels;
	const char *word, *equals;
	size_t i, j, n = config->nlabels;

	labels =
	    arena_array(s->arena, n + s->options.labels.n + 1, sizeof(*labels));
	if (n)
		memcpy(labels, config->labels, n * sizeof(*labels));
	for (i = 0; i < s->options.labels.n; i++) {
		word = s->options.labels.items[i];
		equals = strchr(word, '=');
		if (!equals || equals == word)
			return fail(
			    s->e, "--label is '%s'; write KEY=VALUE", word);
		word = arena_strndup(s->arena, word, (size_t)(equals - word));
		for (j = 0; j < n; j++)
			if (strcmp(labels[j].name, word) == 0)
				break;
		n += j == n;
		labels[j] = (struct field){word, equals + 1};
	}
	config->labels = labels;
	config->nlabels = n;
	return 0;
}

/*
 * The question files: the command line's, else the config's, else the run
 * itself where it is a CSV that names its expected documents.
 */
static int
question_files(struct session *s, struct words *files)
{
	const struct words *runs = &s->run_files;
	bool itself = false;

	*files =
	    s->options.questions.n ? s->options.questions : s->config.questions;
	if (files->n)
		return 0;
	if (runs->n == 1 && strcmp(runs->items[0], "-") != 0 &&
	    run_is_questions(runs->items[0], &itself, s->e) < 0)
		return -1;
	if (itself) {
		*files = *runs;
		return 0;
	}
	if (s->config.file)
		return fail_at(s->e, s->config.file, 1,
		    "names no questions; add `questions: FILE`, or pass "
		    "--questions FILE");
	return fail(s->e,
	    "there is no config (evalgate.yaml) and no --questions FILE; a "
	    "CSV with question,expected,rank needs neither");
}

static int
read_answers(struct session *s)
{
	struct run_options options = {
	    .relevance = s->config.rules.relevance, .keep_top = 10};
	bool *tracked =
	    arena_array(s->arena, s->questions.nitems + 1, sizeof(*tracked));
	size_t i;

	for (i = 0; i < s->questions.nitems; i++)
		tracked[i] = rules_tracked(&s->config.rules,
				 s->questions.items[i].id) != NULL;
	options.tracked = tracked;
	if (run_read(s->arena, s->run_files.items, s->run_files.n, &options,
		&s->questions, &s->run, s->e) < 0)
		return -1;
	if (s->config.depth)
		s->run.depth = s->config.depth;
	return 0;
}

int
session_read_run(struct session *s)
{
	struct words files;

	s->run_files = s->options.args.n ? s->options.args : s->config.runs;
	if (s->run_files.n == 0)
		return fail(s->e,
		    "no run: name a results file, or set `run` in the "
		    "config");
	if (read_labels(s) < 0 || question_files(s, &files) < 0)
		return -1;
	if (questions_read(
		s->arena, files.items, files.n, NULL, &s->questions, s->e) < 0)
		return -1;
	if (rules_check(&s->config.rules, &s->questions, s->e) < 0)
		return -1;
	if (read_answers(s) < 0)
		return -1;
	if (s->options.verbose)
		session_notice(s,
		    arena_printf(s->arena,
			"questions read as %s, run read as %s: %zu results",
			s->questions.format, s->run.format, s->run.nresults));
	return scores_make(s->arena, &s->questions, s->run.answers,
	    &s->config.rules, &s->scores, s->e);
}
