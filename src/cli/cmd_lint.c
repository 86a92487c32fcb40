/*
 * evalgate lint: the config and the questions alone.  What does each rule
 * mean with so many questions, and which can never fire, or always do?
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

struct lint {
	struct session *s;
	struct buf out;
	size_t nwarnings;
};

/* "evalgate.yaml:7: warning: ..." */
static void
put(struct lint *lint, size_t line, bool warning, const char *text)
{
	const char *file = lint->s->config.file;

	if (!warning && lint->s->options.quiet)
		return;
	lint->nwarnings += warning;
	buf_put_visible(&lint->out, file ? file : "evalgate.yaml");
	if (line)
		buf_printf(&lint->out, ":%zu", line);
	buf_puts(&lint->out, warning ? ": warning: " : ": ");
	buf_put_visible(&lint->out, text);
	buf_putc(&lint->out, '\n');
}

static void
say(struct lint *lint, size_t line, const char *text)
{
	put(lint, line, false, text);
}

static void
warn(struct lint *lint, size_t line, const char *text)
{
	put(lint, line, true, text);
}

/* ---------------------------------------------------------- thresholds -- */

static void
lint_drop(
    struct lint *lint, const struct threshold *t, const char *name, size_t n)
{
	struct arena *arena = lint->s->arena;
	double step = 1.0 / (double)n;

	if (t->max_drop >= 1)
		warn(lint, t->line,
		    arena_printf(arena,
			"max_drop of %s allows for any drop: it can never "
			"fail",
			name));
	else if (t->alpha > 0 && permutation_least(n) > t->alpha)
		warn(lint, t->line,
		    arena_printf(arena,
			"with %zu question%s p is never below %.3g, so that "
			"alpha %g lets every drop of %s pass",
			n, n == 1 ? "" : "s", permutation_least(n), t->alpha,
			name));
	else if (t->relative)
		say(lint, t->line,
		    arena_printf(arena,
			"%s may fall by %g%% of the baseline's mean; one "
			"question of %zu moves it by up to %.3g",
			name, t->max_drop * 100, n, step));
	else
		say(lint, t->line,
		    arena_printf(arena,
			"%s moves by up to %.3g when one question of %zu "
			"changes; %s",
			name, step, n, drop_meaning(arena, t, n)));
}

/* Whether a document of it, or that one, is relevant: else it is never found. */
static bool
findable(
    const struct lint *lint, const struct question *q, const char *document)
{
	const struct judgment *judgments = question_judgments(q);
	size_t i;

	for (i = 0; i < q->njudgments; i++)
		if (judgments[i].grade >= lint->s->config.rules.relevance &&
		    (!document ||
			strcmp(judgment_document(q, &judgments[i]), document) ==
			    0))
			return true;
	return false;
}

static void
lint_floor(struct lint *lint, const struct threshold *t, const char *name,
    const struct view *view)
{
	struct arena *arena = lint->s->arena;
	const struct session *s = lint->s;
	double best = scores_best(s->arena, &s->questions, view, &t->measure,
	    s->config.rules.relevance);
	size_t n = view->n;

	if (t->min <= 0)
		warn(lint, t->line,
		    arena_printf(
			arena, "min 0 of %s can never be missed", name));
	else if (t->min > best + 1e-9)
		warn(lint, t->line,
		    arena_printf(arena,
			"min %g of %s is always missed: with the documents "
			"that these %zu questions expect, at grade %d or more, "
			"it is %.4g at best",
			t->min, name, n, s->config.rules.relevance, best));
	else if (t->min >= 1)
		warn(lint, t->line,
		    arena_printf(arena,
			"min 1 of %s is missed by one question of %zu that is "
			"not perfect",
			name, n));
	else
		say(lint, t->line,
		    arena_printf(arena,
			"min %g of %s: the sum over %zu questions must be "
			"%.4g or more",
			t->min, name, n, t->min * (double)n));
}

/* A limit that a run of a part can't miss, whatever it answers. */
static bool
lint_unjudged(struct lint *lint, size_t i, bool floor, const char *name)
{
	const struct session *s = lint->s;
	const struct threshold *t = &s->config.rules.thresholds[i];
	const char *why = part_unjudged(s, i, floor);

	if (why)
		warn(lint, t->line,
		    arena_printf(s->arena, "%s %g%s of %s can never fail %s",
			floor ? "min" : "max_drop",
			floor             ? t->min
			    : t->relative ? t->max_drop * 100
					  : t->max_drop,
			!floor && t->relative ? "%" : "", name, why));
	return why != NULL;
}

/* How many limits can be missed. */
static size_t
lint_thresholds(struct lint *lint)
{
	const struct session *s = lint->s;
	const struct rules *rules = &s->config.rules;
	size_t i, n = 0;

	for (i = 0; i < rules->nthresholds; i++) {
		const struct threshold *t = &rules->thresholds[i];
		const struct view *view =
		    &s->views.items[s->views.of_threshold[i]];
		const char *name = view->name
		    ? arena_printf(
			  s->arena, "%s [%s]", t->measure.name, view->name)
		    : t->measure.name;

		if (t->has_max_drop && !lint_unjudged(lint, i, false, name)) {
			lint_drop(lint, t, name, view->n);
			n++;
		}
		if (t->has_min && !lint_unjudged(lint, i, true, name)) {
			lint_floor(lint, t, name, view);
			n++;
		}
	}
	return n;
}

/* ------------------------------------------------------------- tracked -- */

static void
lint_tracked(struct lint *lint)
{
	const struct session *s = lint->s;
	const struct rules *rules = &s->config.rules;
	size_t i;

	for (i = 0; i < rules->ntracked; i++) {
		const struct tracked *t = &rules->tracked[i];
		const struct question *q =
		    questions_find(&s->questions, t->question);

		if (!findable(lint, q, t->document))
			warn(lint, t->line,
			    arena_printf(s->arena,
				"%s of %s lies below `relevance`, %d: it is "
				"never found, and so can't fall",
				t->document ? "the tracked document"
					    : "every document",
				t->question, rules->relevance));
		if (s->config.depth && t->max_rank > (int64_t)s->config.depth)
			warn(lint, t->line,
			    arena_printf(s->arena,
				"max_rank %lld of %s lies beyond depth %u: a "
				"miss can't be told from a hit there",
				(long long)t->max_rank, t->question,
				s->config.depth));
		if (q->holdout)
			warn(lint, t->line,
			    arena_printf(s->arena,
				"%s is a holdout question, and reports name "
				"what is tracked: it is held out no more",
				t->question));
		if (t->goal && t->max_rank && t->goal > t->max_rank)
			warn(lint, t->line,
			    arena_printf(s->arena,
				"goal %lld of %s is no better than its "
				"max_rank %lld",
				(long long)t->goal, t->question,
				(long long)t->max_rank));
	}
	if (rules->ntracked)
		say(lint, rules->entries[0].line,
		    arena_printf(s->arena, "%zu tracked question%s",
			rules->ntracked, rules->ntracked == 1 ? "" : "s"));
	else
		warn(lint, 0,
		    "no tracked question: an average can climb while the one "
		    "question that matters falls");
}

static void
lint_budget(struct lint *lint)
{
	const struct session *s = lint->s;
	const struct budget *budget = &s->config.rules.budget;
	size_t i, n = 0;

	if (!budget->on)
		return;
	for (i = 0; i < s->questions.nitems; i++)
		n += question_counts(&s->questions.items[i]) &&
		    !rules_tracked(&s->config.rules, s->questions.items[i].id);
	if ((size_t)budget->max >= n)
		warn(lint, budget->line,
		    arena_printf(s->arena,
			"worse_questions allows for %lld, and only %zu are "
			"untracked%s: it can never fail",
			(long long)budget->max, n, part_text(s)));
	else
		say(lint, budget->line,
		    arena_printf(s->arena,
			"%lld of %zu untracked questions may fall by %lld or "
			"more",
			(long long)budget->max, n, (long long)budget->by));
}

/* Whether any rule could fail for what a waiver is of. */
static bool
gated(const struct session *s, const struct waiver *w)
{
	const struct rules *rules = &s->config.rules;
	const char *slice = selector_name(s->arena, &w->where);
	const struct question *question;
	const struct threshold *t;
	size_t i;

	if (w->question) {
		question = questions_find(&s->questions, w->question);
		return rules_tracked(rules, w->question) ||
		    (rules->budget.on && question && question_counts(question));
	}
	for (i = 0; i < rules->nthresholds; i++) {
		t = &rules->thresholds[i];
		if (strcmp(t->measure.name, w->measure.name) == 0 &&
		    slice_same(slice, selector_name(s->arena, &t->where)) &&
		    ((t->has_min && !part_unjudged(s, i, true)) ||
			(t->has_max_drop && !part_unjudged(s, i, false))))
			return true;
	}
	return false;
}

static void
lint_waivers(struct lint *lint)
{
	const struct session *s = lint->s;
	size_t i;

	for (i = 0; i < s->config.rules.nwaivers; i++) {
		const struct waiver *w = &s->config.rules.waivers[i];
		const char *subject =
		    w->question ? w->question : w->measure.name;

		if (s->now > w->until)
			warn(lint, w->line,
			    arena_printf(s->arena,
				"the waiver of %s ended on %s", subject,
				w->until_text));
		else if (!gated(s, w))
			warn(lint, w->line,
			    arena_printf(s->arena,
				"no rule can fail for %s%s%s%s%s: its waiver "
				"covers nothing",
				subject, w->where.npairs ? " [" : "",
				w->where.npairs
				    ? selector_name(s->arena, &w->where)
				    : "",
				w->where.npairs ? "]" : "", part_text(s)));
		else if (!w->has_limit)
			warn(lint, w->line,
			    arena_printf(s->arena,
				"the waiver of %s has no %s: it covers any "
				"loss",
				subject, w->question ? "ceiling" : "floor"));
	}
}

/* ----------------------------------------------------------- questions -- */

static const char *
author_of(const struct question *q)
{
	const struct field *fields;
	size_t n = question_fields(q, &fields), i;

	for (i = 0; i < n; i++)
		if (strcmp(fields[i].name, "author") == 0)
			return fields[i].value;
	return NULL;
}

static void
lint_questions(struct lint *lint)
{
	const struct session *s = lint->s;
	const char *author = NULL, *other;
	bool one = true, holdout = false;
	size_t i;

	for (i = 0; i < s->questions.nitems; i++) {
		const struct question *q = &s->questions.items[i];

		other = author_of(q);
		one = one && other && (!author || strcmp(author, other) == 0);
		author = other;
		holdout |= q->holdout;
	}
	if (one && s->questions.nitems > 1)
		warn(lint, 0,
		    arena_printf(s->arena,
			"all questions are by one author, %s: they share that "
			"person's words and blind spots",
			author));
	if (!holdout)
		say(lint, 0,
		    "no holdout question: whether the pipeline was fitted to "
		    "these questions can't be seen");
	if (s->config.subset)
		say(lint, 0,
		    arena_printf(s->arena,
			"%zu of %zu questions are asked (%s), %zu answerable",
			s->questions.nasked, s->questions.nitems,
			s->config.subset, s->questions.nanswerable));
	else
		say(lint, 0,
		    arena_printf(s->arena, "%zu questions, %zu answerable",
			s->questions.nitems, s->questions.nanswerable));
}

static int
run(struct session *s)
{
	struct lint lint = {.s = s};
	size_t i;

	session_find_config_repo(s);
	/* With a run, what it never returned is told as well. */
	if (session_read_config(s) < 0 ||
	    (s->options.args.n ? session_read_run(s)
			       : session_read_questions(s)) < 0)
		return EXIT_INPUT;
	if (s->options.args.n)
		absent_say(s);
	buf_init(&lint.out);
	if (!lint_thresholds(&lint) && !s->config.rules.ntracked &&
	    !s->config.rules.budget.on)
		warn(&lint, 0,
		    arena_printf(s->arena,
			"no threshold and no tracked question%s: the gate can "
			"never fail",
			part_text(s)));
	lint_tracked(&lint);
	lint_budget(&lint);
	lint_waivers(&lint);
	lint_questions(&lint);
	inputs_say(s);
	for (i = 0; i < s->notices.n; i++)
		warn(&lint, 0, s->notices.items[i]);
	buf_printf(&lint.out, "%zu warning%s\n", lint.nwarnings,
	    lint.nwarnings == 1 ? "" : "s");
	fputs(lint.out.data, stdout);
	buf_free(&lint.out);
	return EXIT_PASS;
}

const struct command command_lint = {
    .name = "lint",
    .bit = COMMAND_LINT,
    .synopsis = "lint [OPTION]... [RUN...]",
    .summary = "config and questions alone: what does each rule mean?",
    .help = "Reads the config and the questions, and says what each rule "
	    "means with so many\nquestions, which can never fail, and what "
	    "is missing.  With RUN, expected documents\nthat it has never "
	    "returned are named.  Mistakes exit 2, warnings 0.\n",
    .run = run,
};
