/*
 * evalgate accept: the waivers for what fails now, to be pasted into the
 * config or, with --write, inserted there.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

struct accepting {
	struct session *s;
	struct gating gating;
	struct buf lines; /* a list's items, a line each, not indented */
	size_t n;
	size_t nhidden; /* holdout questions that fell and were not named */
};

/* Failing, for a reason that a waiver can cover. */
static bool
can_waive(const struct finding *f)
{
	static const char *const rules[] = {
	    "tracked", "max_rank", "max_drop", "min", "creep"};
	size_t i;

	if (f->class != CLASS_NEW_REGRESSION &&
	    f->class != CLASS_STILL_FAILING && f->class != CLASS_BELOW_LIMIT &&
	    f->class != CLASS_WAIVER_EXCEEDED && f->class != CLASS_CREEP)
		return false;
	for (i = 0; i < COUNT(rules); i++)
		if (strcmp(f->rule, rules[i]) == 0)
			return true;
	return false;
}

static bool
is_question(const struct accepting *a, const struct finding *f)
{
	return questions_find(&a->s->questions, f->subject) &&
	    (strcmp(f->rule, "tracked") == 0 ||
		strcmp(f->rule, "max_rank") == 0 ||
		(strcmp(f->rule, "creep") == 0 && !f->slice));
}

/* Text in double quotes, as YAML and JSON have it alike. */
static void
put_quoted(struct buf *out, const char *text)
{
	buf_putc(out, '"');
	json_escape(out, text);
	buf_putc(out, '"');
}

/* where: {category: hole_problems} of a slice's name. */
static void
put_where(struct accepting *a, const struct finding *f)
{
	const struct rules *rules = &a->s->config.rules;
	const struct threshold *t;
	const char *slice;
	size_t i;

	for (i = 0; f->slice && i < rules->nthresholds; i++) {
		t = &rules->thresholds[i];
		slice = selector_name(a->s->arena, &t->where);
		if (!slice_same(slice, f->slice))
			continue;
		buf_puts(&a->lines, ", where: ");
		selector_print(&a->lines, &t->where);
		return;
	}
}

/* Rounded down, so that the mean of now is not below it. */
static double
floor_of(double mean)
{
	return floor(mean * 10000 + 1e-9) / 10000;
}

/* Two waivers of one thing are none: the one that is there is to be changed. */
static void
refuse_second(
    const struct accepting *a, const struct finding *f, const char *line)
{
	const struct rules *rules = &a->s->config.rules;
	const struct waiver *w;
	const char *slice;
	size_t i;

	for (i = 0; i < rules->nwaivers; i++) {
		w = &rules->waivers[i];
		slice = selector_name(a->s->arena, &w->where);
		if (strcmp(w->question ? w->question : w->measure.name,
			f->subject) == 0 &&
		    !w->question == !is_question(a, f) &&
		    slice_same(slice, f->slice))
			fail_at(a->s->e, rules->file, w->line,
			    "'%s' has this waiver already; put in its place %s",
			    f->subject, line);
	}
}

static void
put_waiver(struct accepting *a, const struct finding *f)
{
	const struct options *options = &a->s->options;
	struct buf *out = &a->lines;
	size_t begin = out->len;

	if (is_question(a, f)) {
		buf_puts(out, "- {question: ");
		put_quoted(out, f->subject);
		if (!isnan(f->current))
			buf_printf(out, ", ceiling: %.0f", f->current);
	} else {
		buf_printf(out, "- {metric: %s", f->subject);
		put_where(a, f);
		buf_printf(out, ", floor: %g", floor_of(f->current));
	}
	buf_printf(out, ", until: %s, reason: ", options->until);
	put_quoted(out, options->reason);
	if (options->issue) {
		buf_puts(out, ", issue: ");
		put_quoted(out, options->issue);
	}
	buf_puts(out, "}");
	if (options->write)
		refuse_second(a, f, out->data + begin);
	buf_putc(out, '\n');
	a->n++;
}

static bool
wanted(const struct accepting *a, const char *name)
{
	const struct words *args = &a->s->options.args;
	size_t i;

	if (a->s->options.all)
		return true;
	for (i = 0; i < args->n; i++)
		if (strcmp(args->items[i], name) == 0)
			return true;
	return false;
}

static bool
same_subject(const struct finding *one, const struct finding *two)
{
	return strcmp(one->subject, two->subject) == 0 &&
	    slice_same(one->slice, two->slice);
}

/*
 * How many questions whose retrieval failed a finding counts as misses: how
 * bad its subject is can't be told, and an error is nothing to get used to.
 */
static size_t
failed(const struct accepting *a, const struct finding *f)
{
	const struct session *s = a->s;
	const struct view *view = NULL;
	size_t i, n = 0;

	if (is_question(a, f)) {
		questions_index(
		    &s->questions, f->subject, strlen(f->subject), &i);
		return s->run.answers[i].errored;
	}
	for (i = 0; i < s->views.nitems && !view; i++)
		if (slice_same(s->views.items[i].name, f->slice))
			view = &s->views.items[i];
	for (i = 0; can_waive(f) && view && i < s->questions.nitems; i++)
		n += s->run.answers[i].errored &&
		    view_has(view, &s->questions, i);
	return n;
}

/* Why no waiver covers a finding; NULL: one does, or another says why not. */
static const char *
uncovered(const struct accepting *a, const struct finding *f)
{
	struct arena *arena = a->s->arena;
	size_t n = failed(a, f);

	if (f->class == CLASS_ERRORED)
		return arena_printf(arena, "%s; mend the run", f->message);
	if (is_question(a, f) && n)
		return NULL;
	if (can_waive(f) && n)
		return arena_printf(arena,
		    "%s; %zu question%s whose retrieval failed count%s as %s: "
		    "mend the run",
		    f->message, n, n == 1 ? "" : "s", n == 1 ? "s" : "",
		    n == 1 ? "a miss" : "misses");
	if (can_waive(f) ||
	    (strcmp(f->rule, "worse_questions") == 0 &&
		f->class != CLASS_UNTELLABLE))
		return NULL;
	return f->level == LEVEL_ERROR ? f->message : NULL;
}

/* The waivers of what fails and was named, once a subject. */
static void
put_findings(struct accepting *a)
{
	const struct judgement *j = &a->gating.judgement;
	const struct finding *f;
	size_t i, k;

	for (i = 0; i < j->nfindings; i++) {
		f = &j->findings[i];
		if (!can_waive(f) || failed(a, f) || !wanted(a, f->subject) ||
		    (a->s->options.all && f->level != LEVEL_ERROR))
			continue;
		for (k = 0; k < i; k++)
			if (can_waive(&j->findings[k]) &&
			    same_subject(&j->findings[k], f))
				break;
		if (k == i)
			put_waiver(a, f);
	}
}

/*
 * Whether a question that worse_questions counts was named, itself or with
 * the others; one of the holdout set only itself: it is never listed.
 */
static bool
wanted_of_fallen(const struct accepting *a, const struct question *question)
{
	if (question->holdout && a->s->options.all)
		return false;
	return wanted(a, question->id) ||
	    (!question->holdout && wanted(a, "worse_questions"));
}

/* A question that is waived leaves the count of worse_questions. */
static void
put_fallen(struct accepting *a)
{
	struct session *s = a->s;
	const struct question *question;
	struct finding f = {.rule = "tracked"};
	unsigned rank;
	size_t i;

	for (i = 0; i < s->questions.nitems; i++) {
		question = &s->questions.items[i];
		if (!a->gating.judgement.fallen[i])
			continue;
		if (!wanted_of_fallen(a, question)) {
			a->nhidden += question->holdout;
			continue;
		}
		f.subject = question->id;
		f.current = answer_rank(question, &s->run.answers[i], NULL,
				s->config.rules.relevance, &rank) &&
			rank
		    ? rank
		    : NAN;
		put_waiver(a, &f);
	}
}

/* Whether something fails by this name that was accepted, and all of it. */
static bool
accepted(const struct accepting *a, const char *name)
{
	const struct judgement *j = &a->gating.judgement;
	const struct finding *f;
	bool any = false;
	size_t i;

	for (i = 0; i < j->nfindings; i++) {
		f = &j->findings[i];
		if (strcmp(f->subject, name) != 0)
			continue;
		if (failed(a, f))
			return false;
		any |= can_waive(f) ||
		    (strcmp(name, "worse_questions") == 0 && !uncovered(a, f));
	}
	return any ||
	    (questions_index(&a->s->questions, name, strlen(name), &i) &&
		j->fallen[i]);
}

/* "; what fails: q7, mrr", as far as a waiver can cover it. */
static const char *
what_fails(const struct accepting *a)
{
	const struct judgement *j = &a->gating.judgement;
	const char *text = "";
	size_t i, k;

	for (i = 0; i < j->nfindings; i++) {
		if (!can_waive(&j->findings[i]))
			continue;
		for (k = 0; k < i; k++)
			if (can_waive(&j->findings[k]) &&
			    strcmp(j->findings[k].subject,
				j->findings[i].subject) == 0)
				break;
		if (k == i)
			text = arena_printf(a->s->arena, "%s%s%s", text,
			    *text ? ", " : "; what fails: ",
			    j->findings[i].subject);
	}
	return text;
}

/* Whether anything of the config goes by a name. */
static bool
known_name(const struct accepting *a, const char *name)
{
	struct measure measure;
	const char *mend;

	return questions_find(&a->s->questions, name) ||
	    strcmp(name, "worse_questions") == 0 ||
	    measure_parse(a->s->arena, name, &measure, &mend) == 0;
}

/* Why a name can't be accepted. */
static void
refuse(const struct accepting *a, const char *name)
{
	const struct judgement *j = &a->gating.judgement;
	const char *why;
	size_t i;

	for (i = 0; i < j->nfindings; i++) {
		if (strcmp(j->findings[i].subject, name) != 0)
			continue;
		why = uncovered(a, &j->findings[i]);
		if (!why)
			continue;
		fail(a->s->e, "no waiver covers '%s': %s", name, why);
		return;
	}
	fail(a->s->e, "'%s' %s: there is nothing to accept%s", name,
	    known_name(a, name) ? "does not fail now"
				: "is neither a question nor a metric",
	    what_fails(a));
}

static int
collect(struct accepting *a)
{
	const struct words *args = &a->s->options.args;
	size_t i;

	put_findings(a);
	put_fallen(a);
	for (i = 0; i < args->n; i++)
		if (!accepted(a, args->items[i]))
			refuse(a, args->items[i]);
	return a->s->e->nitems ? -1 : 0;
}

/* What still fails with these waivers; returns how many. */
static size_t
say_rest(const struct accepting *a)
{
	const struct judgement *j = &a->gating.judgement;
	const char *why;
	struct buf out;
	size_t i, n = 0;

	if (!a->s->options.all)
		return 0;
	buf_init(&out);
	for (i = 0; i < j->nfindings; i++) {
		why = uncovered(a, &j->findings[i]);
		if (!why || j->findings[i].level != LEVEL_ERROR)
			continue;
		buf_puts(&out, "evalgate: no waiver covers '");
		buf_put_visible(&out, j->findings[i].subject);
		buf_puts(&out, "': ");
		buf_put_visible(&out, why);
		buf_putc(&out, '\n');
		n++;
	}
	if (a->nhidden > (size_t)a->s->config.rules.budget.max) {
		buf_printf(&out,
		    "evalgate: no waiver covers 'worse_questions': %zu holdout "
		    "question%s fell, and no list names them\n",
		    a->nhidden, a->nhidden == 1 ? "" : "s");
		n++;
	}
	fputs(out.data, stderr);
	buf_free(&out);
	return n;
}

static int
check_options(struct session *s)
{
	struct options *o = &s->options;
	int64_t until;

	if (!o->args.n == !o->all)
		fail(s->e,
		    o->all ? "name what to accept, or say --all, not both"
			   : "accept needs questions or metrics, or --all");
	if (!o->until)
		fail(s->e, "accept needs --until DATE, or never");
	else if (strcmp(o->until, "never") == 0)
		;
	else if (strlen(o->until) != 10 || time_parse(o->until, &until) < 0)
		fail(s->e, "--until is '%s'; write a day, YYYY-MM-DD, or never",
		    o->until);
	else if (s->now >= until + DAY)
		fail(s->e, "--until is '%s', a day that is over", o->until);
	if (!o->reason || !*o->reason)
		fail(s->e, "accept needs --reason TEXT");
	return s->e->nitems ? -1 : 0;
}

/* Prints the waivers, or inserts them into the config. */
static int
give(struct accepting *a)
{
	struct session *s = a->s;

	if (!a->n && a->gating.judgement.verdict == VERDICT_PASS)
		puts("nothing fails now: there is nothing to accept");
	if (!a->n)
		return 0;
	if (!s->options.write) {
		printf("waivers:\n%s", indented(s->arena, a->lines.data, 2));
		return 0;
	}
	if (waivers_insert(s, a->lines.data) < 0)
		return -1;
	printf("inserted %zu waiver%s into %s\n", a->n, a->n == 1 ? "" : "s",
	    s->config.file);
	return 0;
}

static int
run(struct session *s)
{
	struct accepting a = {.s = s};
	struct report report;
	int status = EXIT_INPUT;

	/* The words are subjects here, and the run is an option. */
	if (check_options(s) < 0 || session_open_repo(s) < 0 ||
	    session_read_config(s) < 0)
		return EXIT_INPUT;
	s->run_names = s->options.run_files;
	if (session_read_run(s) < 0 || gating_run(s, &a.gating, &report) < 0)
		return EXIT_INPUT;
	buf_init(&a.lines);
	if (collect(&a) == 0 && give(&a) == 0)
		status = say_rest(&a) ? verdict_exit(a.gating.judgement.verdict)
				      : EXIT_PASS;
	buf_free(&a.lines);
	return status;
}

const struct command command_accept = {
    .name = "accept",
    .bit = COMMAND_ACCEPT,
    .synopsis = "accept [OPTION]... QUESTION|METRIC...",
    .summary = "the waivers for what fails now, until a day",
    .help = "Judges the run as `check` does, and prints a waiver for each "
	    "named question or metric\nthat fails: as bad as now it may be, "
	    "and no worse, until the day.  With --write it is\ninserted into "
	    "the config, of which nothing else is touched.\n",
    .run = run,
};
