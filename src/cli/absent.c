/* Missed expected documents that occur nowhere in the run. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

#define SOUGHT 16 /* documents: each is sought in all of the run */
#define NAMED 8

struct seeking {
	struct session *s;
	const char *ids[SOUGHT];
	const char *questions[SOUGHT]; /* a question that misses it */
	bool occurs[SOUGHT];
	size_t n;
	bool more; /* there were others still */
};

static void
seek(struct seeking *k, const char *document, const char *question)
{
	size_t i;

	for (i = 0; i < k->n; i++)
		if (strcmp(k->ids[i], document) == 0)
			return;
	if (k->n == SOUGHT) {
		k->more = true;
		return;
	}
	k->ids[k->n] = document;
	k->questions[k->n++] = question;
}

/* The expected documents that a question's answer does not hold. */
static void
seek_missed(struct seeking *k, size_t question)
{
	const struct session *s = k->s;
	const struct question *q = &s->questions.items[question];
	const struct judgment *judgments = question_judgments(q);
	const struct answer *a = &s->run.answers[question];
	size_t i;

	if (!question_counts(q) || q->holdout || a->rank_only || !a->ranks)
		return;
	for (i = 0; i < q->njudgments; i++)
		if (judgments[i].grade >= s->config.rules.relevance &&
		    !a->ranks[i])
			seek(k, judgment_document(q, &judgments[i]), q->id);
}

void
absent_say(struct session *s)
{
	struct seeking k = {.s = s};
	const char *list = "";
	size_t i, pass, n = 0;
	bool tracked;

	/* What came through a pipe is gone. */
	for (i = 0; i < s->run_files.n; i++)
		if (strcmp(s->run_files.items[i], "-") == 0)
			return;
	if (s->run.rank_only)
		return;
	/* Tracked questions first: of many misses only some are sought. */
	for (pass = 0; pass < 2; pass++)
		for (i = 0; i < s->questions.nitems; i++) {
			tracked = rules_tracked(&s->config.rules,
				      s->questions.items[i].id) != NULL;
			if (tracked == (pass == 0))
				seek_missed(&k, i);
		}
	if (!k.n ||
	    run_occurs(s->run_files.items, s->run_files.n, k.ids, k.n, k.occurs,
		s->e) < 0)
		return;
	for (i = 0; i < k.n; i++) {
		if (k.occurs[i] || n++ >= NAMED)
			continue;
		list = arena_printf(s->arena, "%s%s%s (%s)", list,
		    n > 1 ? ", " : "", k.ids[i], k.questions[i]);
	}
	if (n)
		session_notice(s,
		    arena_printf(s->arena,
			"%zu expected document%s nowhere in the run (renamed? "
			"not indexed?): %s%s",
			n, n == 1 ? " occurs" : "s occur", list,
			n > NAMED || k.more ? ", ..." : ""));
}
