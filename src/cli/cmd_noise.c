/*
 * evalgate noise: repeated runs of the same thing.  How much do ranks and
 * means differ though nothing changed, and which limits leave room for it?
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

struct noise {
	struct session *s;
	struct run *runs;
	struct scores *scores;
	size_t n;
	struct buf out;
};

/* The best and the worst place of a question over all runs. */
struct range {
	struct place best, worst;
	size_t nmissed; /* runs that did not find it */
};

static struct range
range_of(const struct noise *noise, size_t question, const char *document)
{
	const struct session *s = noise->s;
	struct range range = {.nmissed = 0};
	struct place place;
	size_t i;

	for (i = 0; i < noise->n; i++) {
		place = (struct place){.depth = noise->runs[i].depth};
		answer_rank(&s->questions.items[question],
		    &noise->runs[i].answers[question], document,
		    s->config.rules.relevance, &place.rank);
		range.nmissed += !place.rank;
		/* 0, not found, less 1 is the greatest. */
		if (i == 0 || place.rank - 1 < range.best.rank - 1)
			range.best = place;
		if (i == 0 || place.rank - 1 > range.worst.rank - 1)
			range.worst = place;
	}
	return range;
}

/* Whose ranks differ, in the order of ids; how many they are. */
static size_t
put_flips(struct noise *noise)
{
	const struct session *s = noise->s;
	size_t i, n = 0;

	for (i = 0; i < s->questions.nitems; i++) {
		const struct question *q = &s->questions.items[i];
		struct range range = range_of(noise, i, NULL);

		if (!question_counts(q) || q->holdout ||
		    range.best.rank == range.worst.rank)
			continue;
		if (!n++)
			buf_puts(
			    &noise->out, "\n  questions whose rank differs\n");
		buf_puts(&noise->out, "    ");
		buf_put_visible(&noise->out, q->id);
		buf_printf(&noise->out, "  rank %s to %s",
		    place_text(s->arena, range.best),
		    place_text(s->arena, range.worst));
		if (range.nmissed && range.best.rank)
			buf_printf(&noise->out, ", missed by %zu of %zu runs",
			    range.nmissed, noise->n);
		buf_putc(&noise->out, '\n');
	}
	return n;
}

/* The least and the greatest mean of a measure over a view. */
static void
spread_of(const struct noise *noise, size_t view, size_t measure, double *least,
    double *greatest)
{
	size_t at = view * noise->s->config.rules.nmeasures + measure, i;
	double mean;

	*least = *greatest = noise->scores[0].means[at];
	for (i = 1; i < noise->n; i++) {
		mean = noise->scores[i].means[at];
		if (isnan(*least) || mean < *least)
			*least = mean;
		if (isnan(*greatest) || mean > *greatest)
			*greatest = mean;
	}
}

static void
put_measures(struct noise *noise)
{
	const struct rules *rules = &noise->s->config.rules;
	double least, greatest;
	size_t i;

	buf_printf(&noise->out, "  %-14s %9s %9s %9s\n", "metric", "least",
	    "greatest", "spread");
	for (i = 0; i < rules->nmeasures; i++) {
		spread_of(noise, 0, i, &least, &greatest);
		if (isnan(least))
			continue;
		buf_printf(&noise->out, "  %-14s %9.4f %9.4f %9.4f\n",
		    rules->measures[i].name, least, greatest, greatest - least);
	}
}

/* Rounded up, so that a drop of the whole spread passes. */
static double
room(double spread)
{
	return spread > 0 ? ceil(spread * 1000 - 1e-6) / 1000 : 0;
}

/* Whether some runs find it and others do not. */
static bool
lost_by_chance(const struct range *range)
{
	return !range->worst.rank && range->best.rank;
}

static struct range
range_of_tracked(const struct noise *noise, const struct tracked *tracked)
{
	size_t question;

	questions_index(&noise->s->questions, tracked->question,
	    strlen(tracked->question), &question);
	return range_of(noise, question, tracked->document);
}

static void
put_tracked(struct noise *noise)
{
	const struct rules *rules = &noise->s->config.rules;
	struct range range;
	size_t i, n = 0;

	for (i = 0; i < rules->ntracked; i++) {
		range = range_of_tracked(noise, &rules->tracked[i]);
		if (lost_by_chance(&range))
			continue;
		buf_puts(&noise->out, n++ ? "" : "tracked:\n");
		buf_puts(&noise->out, "  - {question: \"");
		json_escape(&noise->out, rules->tracked[i].question);
		buf_printf(&noise->out, "\", max_loss: %u}\n",
		    range.worst.rank - range.best.rank);
	}
	for (i = 0; i < rules->ntracked; i++) {
		range = range_of_tracked(noise, &rules->tracked[i]);
		if (!lost_by_chance(&range))
			continue;
		buf_puts(&noise->out, "# ");
		buf_put_visible(&noise->out, rules->tracked[i].question);
		buf_puts(&noise->out,
		    " is lost by chance: no max_loss protects it; mend the "
		    "pipeline, or retrieve more\n");
	}
}

/* A drop's limit; with the floor that the config has for the same. */
static void
put_limit(struct noise *noise, const struct threshold *of, size_t view,
    size_t measure)
{
	const struct rules *rules = &noise->s->config.rules;
	double least, greatest;

	spread_of(noise, view, measure, &least, &greatest);
	buf_printf(
	    &noise->out, "  - {metric: %s", rules->measures[measure].name);
	if (of && of->where.npairs) {
		buf_puts(&noise->out, ", where: ");
		selector_print(&noise->out, &of->where);
	}
	if (of && of->has_min) {
		buf_puts(&noise->out, ", min: ");
		number_print(&noise->out, of->min);
	}
	buf_printf(&noise->out, ", max_drop: %g}\n", room(greatest - least));
}

/* The config's threshold of a measure over all questions, NULL. */
static const struct threshold *
threshold_of_all(const struct rules *rules, const struct measure *measure)
{
	size_t i;

	for (i = 0; i < rules->nthresholds; i++)
		if (!rules->thresholds[i].where.npairs &&
		    strcmp(rules->thresholds[i].measure.name, measure->name) ==
			0)
			return &rules->thresholds[i];
	return NULL;
}

/* YAML to paste: the smallest limits that this noise alone does not break. */
static void
put_limits(struct noise *noise)
{
	const struct rules *rules = &noise->s->config.rules;
	const struct threshold *t;
	size_t i;

	buf_puts(&noise->out,
	    "\n# the smallest limits that this noise alone does not break\n"
	    "thresholds:\n");
	for (i = 0; i < rules->nmeasures; i++)
		if (!rules->measures[i].metric->reading_only)
			put_limit(noise,
			    threshold_of_all(rules, &rules->measures[i]), 0, i);
	for (i = 0; i < rules->nthresholds; i++) {
		t = &rules->thresholds[i];
		if (t->where.npairs)
			put_limit(noise, t, noise->s->views.of_threshold[i],
			    measure_index(rules, &t->measure));
	}
	put_tracked(noise);
}

static int
read_runs(struct noise *noise)
{
	struct session *s = noise->s;
	size_t i;

	noise->n = s->run_files.n;
	noise->runs = arena_array(s->arena, noise->n, sizeof(*noise->runs));
	noise->scores = arena_array(s->arena, noise->n, sizeof(*noise->scores));
	for (i = 0; i < noise->n; i++)
		if (session_read_other(s, s->run_files.items[i], &s->questions,
			&noise->runs[i]) < 0 ||
		    scores_make(s->arena, &s->questions, noise->runs[i].answers,
			&s->config.rules, &s->views, &noise->scores[i],
			s->e) < 0)
			return -1;
	return 0;
}

static int
run(struct session *s)
{
	struct noise noise = {.s = s};
	size_t n, i;

	/* Each file is a whole run, as with --repeat. */
	s->options.repeat = true;
	session_find_config_repo(s);
	if (session_read_config(s) < 0 || session_find_run_files(s) < 0)
		return EXIT_INPUT;
	if (s->run_files.n < 2) {
		fail(s->e, "noise needs two runs or more of the same thing");
		return EXIT_INPUT;
	}
	if (session_read_questions(s) < 0 || read_runs(&noise) < 0)
		return EXIT_INPUT;
	buf_init(&noise.out);
	put_measures(&noise);
	n = put_flips(&noise);
	buf_printf(&noise.out,
	    "\n  %zu runs, %zu answerable questions, %zu with another rank "
	    "from run to run\n",
	    noise.n, s->questions.nanswerable, n);
	for (i = 0; i < noise.n; i++)
		session_say_other(s, &noise.runs[i]);
	for (i = 0; i < s->notices.n; i++) {
		buf_puts(&noise.out, "  note: ");
		buf_put_visible(&noise.out, s->notices.items[i]);
		buf_putc(&noise.out, '\n');
	}
	put_limits(&noise);
	fputs(noise.out.data, stdout);
	buf_free(&noise.out);
	return EXIT_PASS;
}

const struct command command_noise = {
    .name = "noise",
    .bit = COMMAND_NOISE,
    .synopsis = "noise [OPTION]... RUN RUN...",
    .summary = "how much repeated runs differ, and the limits to paste",
    .help = "Each RUN is one run of the same pipeline, unchanged.  Shows "
	    "whose rank differs between\nthem, how far each mean spreads, and "
	    "the smallest limits that leave room for it.\n",
    .run = run,
};
