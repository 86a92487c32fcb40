/* Runs beside the one that is judged: what would go unseen in a report. */
#include "cli.h"

void
session_say_lacks(
    struct session *s, const struct run *run, const struct run *shown)
{
	struct named lacks = {.n = 0};
	size_t i;

	for (i = 0; i < s->questions.nitems; i++)
		if (!run->answers[i].present &&
		    (!shown || shown->answers[i].present) &&
		    question_counts(&s->questions.items[i]))
			named_add(s->arena, &lacks, &s->questions.items[i]);
	if (lacks.n)
		session_notice(s,
		    arena_printf(s->arena,
			"%s lacks %zu question%s, not found there%s",
			run->files[0], lacks.n, lacks.n == 1 ? "" : "s",
			named_list(s->arena, &lacks)));
}

void
session_say_other(struct session *s, const struct run *run)
{
	size_t i;

	for (i = 0; i < run->nnotices; i++)
		session_notice(s,
		    arena_printf(
			s->arena, "%s: %s", run->files[0], run->notices[i]));
	if (run->nunknown)
		session_notice(s,
		    arena_printf(s->arena,
			"%s has %zu question%s that nobody asked%s",
			run->files[0], run->nunknown,
			run->nunknown == 1 ? "" : "s", run->unknown));
	session_say_lacks(s, run, NULL);
}
