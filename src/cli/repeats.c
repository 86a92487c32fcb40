/* Repeated runs of one thing, and what is said of how they differ. */
#include "cli.h"

static void
say_flips(struct session *s)
{
	struct named flips = {.n = 0};
	size_t i;

	for (i = 0; i < s->questions.nitems; i++)
		if (s->run.answers[i].flips &&
		    question_counts(&s->questions.items[i]))
			named_add(s->arena, &flips, &s->questions.items[i]);
	if (s->run.repeats == 1)
		session_notice(s, "one run alone: nothing is repeated");
	else
		session_notice(s,
		    arena_printf(s->arena,
			"%u runs of one thing, each question's rank their "
			"upper median; %zu question%s%s",
			s->run.repeats, flips.n,
			flips.n == 1 ? " flips" : "s flip",
			named_list(s->arena, &flips)));
}

static int
one_form(struct session *s, const struct run *runs, size_t n)
{
	static const char *const forms[] = {"lists", "ranks alone"};
	size_t i;

	for (i = 1; i < n; i++)
		if (runs[i].rank_only != runs[0].rank_only)
			return fail_at(s->e, s->run_files.items[i], 1,
			    "gives %s where '%s' gives %s; repeated runs "
			    "must be of one form",
			    forms[runs[i].rank_only], s->run_files.items[0],
			    forms[runs[0].rank_only]);
	return 0;
}

int
session_read_repeats(struct session *s, const struct run_options *options)
{
	size_t n = s->run_files.n, i;
	struct run *runs = arena_array(s->arena, n, sizeof(*runs));

	for (i = 0; i < n; i++)
		if (run_read(s->arena, &s->run_files.items[i], 1, options,
			&s->questions, &runs[i], s->e) < 0)
			return -1;
	if (one_form(s, runs, n) < 0)
		return -1;
	run_combine(
	    s->arena, runs, n, &s->questions, options->relevance, &s->run);
	say_flips(s);
	/* What all lack, or have beyond, the report says anyway. */
	for (i = 0; i < n; i++)
		session_say_lacks(s, &runs[i], &s->run);
	return 0;
}
