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
	size_t i, k;

	for (i = 0; f->slice && i < rules->nthresholds; i++) {
		t = &rules->thresholds[i];
		slice = selector_name(a->s->arena, &t->where);
		if (!slice || strcmp(slice, f->slice) != 0)
			continue;
		buf_puts(&a->lines, ", where: {");
		for (k = 0; k < t->where.npairs; k++) {
			buf_puts(&a->lines, k ? ", " : "");
			put_quoted(&a->lines, t->where.pairs[k].name);
			buf_puts(&a->lines, ": ");
			put_quoted(&a->lines, t->where.pairs[k].value);
		}
		buf_puts(&a->lines, "}");
		return;
	}
}

/* Rounded down, so that the mean of now is not below it. */
static double
floor_of(double mean)
{
	return floor(mean * 10000 + 1e-9) / 10000;
}

static void
put_waiver(struct accepting *a, const struct finding *f)
{
	const struct options *options = &a->s->options;
	struct buf *out = &a->lines;

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
	buf_puts(out, "}\n");
	a->n++;
}

static bool
wanted(const struct accepting *a, const struct finding *f)
{
	const struct words *args = &a->s->options.args;
	size_t i;

	if (a->s->options.all)
		return true;
	for (i = 0; i < args->n; i++)
		if (strcmp(args->items[i], f->subject) == 0)
			return true;
	return false;
}

static bool
same_subject(const struct finding *one, const struct finding *two)
{
	return strcmp(one->subject, two->subject) == 0 &&
	    !one->slice == !two->slice &&
	    (!one->slice || strcmp(one->slice, two->slice) == 0);
}

/* A waiver for each subject that fails and was named, once. */
static int
collect(struct accepting *a)
{
	const struct judgement *j = &a->gating.judgement;
	const struct words *args = &a->s->options.args;
	size_t i, k;

	for (i = 0; i < j->nfindings; i++) {
		if (!can_waive(&j->findings[i]) || !wanted(a, &j->findings[i]))
			continue;
		for (k = 0; k < i; k++)
			if (can_waive(&j->findings[k]) &&
			    same_subject(&j->findings[k], &j->findings[i]))
				break;
		if (k == i)
			put_waiver(a, &j->findings[i]);
	}
	for (i = 0; i < args->n; i++) {
		for (k = 0; k < j->nfindings; k++)
			if (can_waive(&j->findings[k]) &&
			    strcmp(j->findings[k].subject, args->items[i]) == 0)
				break;
		if (k == j->nfindings)
			fail(a->s->e,
			    "'%s' does not fail now: there is nothing to "
			    "accept",
			    args->items[i]);
	}
	return a->s->e->nitems ? -1 : 0;
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
	else if (strcmp(o->until, "never") != 0 &&
	    (strlen(o->until) != 10 || time_parse(o->until, &until) < 0))
		fail(s->e, "--until is '%s'; write a day, YYYY-MM-DD, or never",
		    o->until);
	if (!o->reason || !*o->reason)
		fail(s->e, "accept needs --reason TEXT");
	return s->e->nitems ? -1 : 0;
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
	if (collect(&a) < 0) {
		status = EXIT_INPUT;
	} else if (!a.n) {
		puts("nothing fails now: there is nothing to accept");
		status = EXIT_PASS;
	} else if (!s->options.write) {
		printf("waivers:\n%s", indented(s->arena, a.lines.data, 2));
		status = EXIT_PASS;
	} else {
		status = waivers_insert(s, a.lines.data) < 0 ? EXIT_INPUT
							     : EXIT_PASS;
		if (status == EXIT_PASS)
			printf("inserted %zu waiver%s into %s\n", a.n,
			    a.n == 1 ? "" : "s", s->config.file);
	}
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
