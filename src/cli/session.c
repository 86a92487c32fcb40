/* The steps that commands have in common, from the options to the scores. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

void
session_notice(struct session *s, const char *notice)
{
	words_add(s->arena, &s->notices, notice);
}

int
session_open_repo(struct session *s)
{
	return repo_open(s->arena, ".", &s->around.repo, &s->repo, s->e);
}

int
session_find_repo(struct session *s)
{
	struct error ignored = {.arena = s->arena};

	if (repo_open(s->arena, ".", &s->around.repo, &s->repo, &ignored) < 0)
		s->repo = NULL;
	return 0;
}

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
 * libgit2 is not started, which takes longer than the search.
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

void
session_find_config_repo(struct session *s)
{
	if (needs_repository(s))
		session_find_repo(s);
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
	/* Files that are not parts of one run are each as good as another. */
	bool whole = runs->n == 1 || (runs->n > 1 && s->options.repeat);
	bool itself = false;

	*files =
	    s->options.questions.n ? s->options.questions : s->config.questions;
	if (files->n)
		return 0;
	if (runs->n == 1 && strcmp(runs->items[0], "-") == 0 &&
	    file_keep_stdin(s->e) < 0)
		return -1;
	if (whole && run_is_questions(runs->items[0], &itself, s->e) < 0)
		return -1;
	if (itself) {
		*files = *runs;
		files->n = 1;
		s->own_questions = true;
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

/* By question: whether it is tracked; NULL: none is. */
static bool *
tracked_questions(struct session *s)
{
	bool *tracked;
	size_t i;

	if (!s->config.rules.ntracked)
		return NULL;
	tracked =
	    arena_array(s->arena, s->questions.nitems + 1, sizeof(*tracked));
	for (i = 0; i < s->questions.nitems; i++)
		tracked[i] = rules_tracked(&s->config.rules,
				 s->questions.items[i].id) != NULL;
	return tracked;
}

/* As deep as the config says, and no less deep than the lists are long. */
static void
set_depth(const struct session *s, struct run *run)
{
	if (s->config.depth && (run->rank_only || run->depth < s->config.depth))
		run->depth = s->config.depth;
}

static int
read_answers(struct session *s)
{
	struct run_options *options = &s->config.reading;
	struct progress_line progress;
	int rc;

	options->reader = s->around.reader;
	progress_begin(&progress, s->options.quiet);
	options->progress = progress.on ? &progress.progress : NULL;
	rc = s->options.repeat
	    ? session_read_repeats(s, options)
	    : run_read(s->arena, s->run_files.items, s->run_files.n, options,
		  &s->questions, &s->run, s->e);
	progress_end(&progress);
	options->progress = NULL;
	if (rc == 0)
		set_depth(s, &s->run);
	return rc;
}

/* The command line's patterns and files, else the config's. */
int
session_find_run_files(struct session *s)
{
	const struct words *named = s->run_names.n ? &s->run_names
	    : s->command != COMMAND_ACCEPT && s->options.args.n
	    ? &s->options.args
	    : &s->config.runs;
	struct words *to = &s->run_files;
	bool of_config = named == &s->config.runs;
	const struct value *values = of_config ? s->config.run_values : NULL;
	const char *const *files;
	size_t i, j, n;

	if (named->n == 0)
		return fail(s->e,
		    "no run: name a results file, or set `run` in the "
		    "config");
	for (i = 0; i < named->n; i++) {
		if (files_expand(s->arena, named->items[i],
			values ? s->config.file : NULL,
			values ? config_line(values, i) : 0, &files, &n,
			s->e) < 0)
			return -1;
		for (j = 0; j < n; j++) {
			if (config_file_there(
				&s->config, values, i, files[j], s->e) < 0)
				return -1;
			words_add(s->arena, to, files[j]);
		}
	}
	return 0;
}

int
session_read_renamed(struct session *s)
{
	struct config *config = &s->config;

	if (!config->renamed_documents)
		return 0;
	if (config_file_there(config, config->renamed_value, 0,
		config->renamed_documents, s->e) < 0)
		return -1;
	return renamed_documents_read(s->arena, config->renamed_documents,
	    &config->rules.renamed_documents, s->e);
}

/*
 * The questions, and what the config says of them.  All mistakes in it are told
 * at once: those of form, from `mistakes` on, and what is not there.
 */
static int
read_questions(struct session *s, size_t mistakes)
{
	struct config *config = &s->config;
	struct words files;
	struct views views;
	size_t i;

	if (question_files(s, &files) < 0)
		return -1;
	for (i = 0; !s->options.questions.n && i < config->questions.n; i++)
		if (config_file_there(config, config->question_values, i,
			config->questions.items[i], s->e) < 0)
			return -1;
	if (questions_read(s->arena, files.items, files.n,
		s->options.question_format, &s->questions, s->e) < 0)
		return -1;
	if (rules_bind(s->arena, &config->rules, &s->questions, s->e) < 0 ||
	    s->e->nitems > mistakes) {
		views_make(
		    s->arena, &config->rules, &s->questions, &views, s->e);
		errors_in_order(s->e, mistakes);
		return -1;
	}
	for (i = 0; s->options.verbose && i < files.n; i++)
		session_notice(s, s->questions.taken[i]);
	return session_read_renamed(s);
}

int
session_read_config(struct session *s)
{
	struct config *config = &s->config;
	size_t before = s->e->nitems;

	if (config_read(s->arena, s->options.config, config_root(s),
		s->options.suite, config, s->e) < 0) {
		if (config->questions.n)
			read_questions(s, before);
		return -1;
	}
	if (s->options.suite)
		config->suite = s->options.suite;
	if (!suite_name_valid(config->suite))
		fail(s->e,
		    "--suite is '%s'; a name has small letters, digits, "
		    "'.', '_' and '-'",
		    config->suite);
	return s->e->nitems > before ? -1 : 0;
}

/* How runs are read: the config's word, and the command line's. */
static void
read_reading(struct session *s)
{
	struct run_options *reading = &s->config.reading;

	reading->format = s->options.run_format;
	reading->rank_field = s->options.rank_field;
	reading->relevance = s->config.rules.relevance;
	reading->verbose = s->options.verbose;
	reading->tracked = tracked_questions(s);
	reading->keep_top = (size_t)s->config.keep_top;
}

/* What --only or the config's `subset` asks for. */
static int
select_subset(struct session *s)
{
	struct config *config = &s->config;
	struct subset subset = {.what = config->subset};

	if (!s->options.only) {
		subset.file = config->file;
		subset.line = config->subset_value->line;
	}
	if (!strchr(subset.what, '=') && subset.file &&
	    config_file_there(
		config, config->subset_value, 0, subset.what, s->e) < 0)
		return -1;
	if (questions_select(s->arena, &subset, config->reading.tracked,
		&s->questions, s->e) < 0)
		return -1;
	if (s->questions.nanswerable)
		return 0;
	return fail_at(s->e, subset.file, subset.line,
	    "the subset %s holds no answerable question; a gate without "
	    "questions checks nothing",
	    subset.what);
}

int
session_read_questions(struct session *s)
{
	unsigned line;

	if (s->options.only)
		s->config.subset = s->options.only;
	if (read_questions(s, s->e->nitems) < 0)
		return -1;
	read_reading(s);
	if (s->config.subset && select_subset(s) < 0)
		return -1;
	if (s->questions.nanswerable == 0)
		return fail_at(s->e,
		    questions_place(
			&s->questions, &s->questions.items[0], &line),
		    1,
		    "holds no answerable question; a gate without questions "
		    "checks nothing");
	return views_make(
	    s->arena, &s->config.rules, &s->questions, &s->views, s->e);
}

int
session_score(struct session *s)
{
	return scores_make(s->arena, &s->questions, s->run.answers,
	    &s->config.rules, &s->views, &s->scores, s->e);
}

int
session_read_other(struct session *s, const char *file,
    const struct questions *questions, struct run *run)
{
	struct run_options reading = s->config.reading;

	if (questions != &s->questions)
		reading.tracked = NULL; /* by question of the set */
	if (run_read(s->arena, &file, 1, &reading, questions, run, s->e) < 0)
		return -1;
	set_depth(s, run);
	return 0;
}

int
session_read_run(struct session *s)
{
	if (session_find_run_files(s) < 0 || read_labels(s) < 0 ||
	    session_read_questions(s) < 0 || read_answers(s) < 0)
		return -1;
	return session_score(s);
}

void
session_asked(struct session *s, struct questions *questions, struct run *run)
{
	size_t i, n = 0;

	*questions = s->questions;
	*run = s->run;
	if (s->questions.nasked == s->questions.nitems)
		return;
	questions->items = arena_array(
	    s->arena, s->questions.nitems, sizeof(*questions->items));
	run->answers =
	    arena_array(s->arena, s->questions.nitems, sizeof(*run->answers));
	for (i = 0; i < s->questions.nitems; i++) {
		if (s->questions.items[i].left_out)
			continue;
		questions->items[n] = s->questions.items[i];
		run->answers[n++] = s->run.answers[i];
	}
	questions->nitems = run->nanswers = n;
}
