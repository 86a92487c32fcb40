/* waivers: losses that the team accepts, until a day it names. */
#include <string.h>

#include "internal.h"

/* The subject: a question, or a metric in total or of a slice. */
static void
read_subject(
    const struct rules_reader *r, const struct value *v, struct waiver *waiver)
{
	const struct value *question = value_get(v, "question");
	const struct value *metric = value_get(v, "metric");
	const struct value *where = value_get(v, "where");

	if (!question == !metric)
		fail_at(r->e, r->file, v->line,
		    question ? "a waiver has both 'question' and 'metric'; "
			       "write two waivers"
			     : "a waiver has neither 'question' nor 'metric'");
	else if (question)
		value_text(
		    question, r->file, "question", &waiver->question, r->e);
	else
		rules_gated_measure(r, metric, &waiver->measure);
	if (where && question)
		fail_at(r->e, r->file, where->line,
		    "'where' selects a metric's slice; a waiver of a question "
		    "has none");
	else if (where)
		rules_where(r, where, &waiver->where);
}

static void
read_limit(
    const struct rules_reader *r, const struct value *v, struct waiver *waiver)
{
	const char *right = waiver->question ? "ceiling" : "floor";
	const char *wrong = waiver->question ? "floor" : "ceiling";
	const struct value *limit = value_get(v, right);
	const struct value *other = value_get(v, wrong);

	if (other)
		fail_at(r->e, r->file, other->line,
		    "a waiver of a %s has no '%s'; write '%s'",
		    waiver->question ? "question" : "metric", wrong, right);
	if (!limit)
		return;
	waiver->has_limit = true;
	if (waiver->question)
		value_integer(limit, r->file, right, 1, INT32_MAX,
		    &waiver->ceiling, r->e);
	else
		rules_share(r, limit, right, &waiver->floor);
}

/* The last second of the day, in UTC. */
static void
read_until(
    const struct rules_reader *r, const struct value *v, struct waiver *waiver)
{
	if (value_text(v, r->file, "until", &waiver->until_text, r->e) < 0)
		return;
	if (strcmp(waiver->until_text, "never") == 0) {
		waiver->until = INT64_MAX;
		return;
	}
	if (strlen(waiver->until_text) != 10 ||
	    time_parse(waiver->until_text, &waiver->until) < 0) {
		fail_at(r->e, r->file, v->line,
		    "until is '%s'; write a day, YYYY-MM-DD (UTC, inclusive), "
		    "or never",
		    waiver->until_text);
		return;
	}
	waiver->until += DAY - 1;
}

static int
read_waiver(
    const struct rules_reader *r, const struct value *v, struct waiver *waiver)
{
	const struct value *until, *issue;
	size_t before = r->e->nitems;

	if (v->type != VALUE_MAP)
		return fail_at(r->e, r->file, v->line,
		    "a waiver is %s; expected {question: id, until: "
		    "YYYY-MM-DD, reason: why}",
		    value_type_name(v));
	rules_unknown_keys(r, v, "a waiver");
	*waiver = (struct waiver){.line = v->line};
	read_subject(r, v, waiver);
	if (r->e->nitems == before)
		read_limit(r, v, waiver);
	if ((until = value_get(v, "until")))
		read_until(r, until, waiver);
	else
		fail_at(r->e, r->file, v->line,
		    "a waiver has no 'until'; a day (YYYY-MM-DD), or never");
	waiver->reason = rules_reason(r, v, "a waiver", true);
	if ((issue = value_get(v, "issue")))
		value_text(issue, r->file, "issue", &waiver->issue, r->e);
	return r->e->nitems > before ? -1 : 0;
}

const char *
waiver_subject(struct arena *arena, const struct waiver *waiver)
{
	return waiver->question
	    ? subject_of_question(arena, waiver->question)
	    : subject_of_measure(arena, waiver->measure.name,
		  selector_name(arena, &waiver->where));
}

void
rules_read_waivers(const struct rules_reader *r, const struct value *v)
{
	struct waiver *list;
	size_t i, j, n = 0;

	if (rules_want_list(r, v, "waivers",
		"[{question: q7, until: 2027-01-31, reason: why}]") < 0)
		return;
	list = arena_array(r->arena, v->nitems + 1, sizeof(*list));
	for (i = 0; i < v->nitems; i++) {
		if (read_waiver(r, v->u.items[i], &list[n]) < 0)
			continue;
		for (j = 0; j < n; j++)
			if (strcmp(waiver_subject(r->arena, &list[j]),
				waiver_subject(r->arena, &list[n])) == 0)
				break;
		if (j < n)
			fail_at(r->e, r->file, list[n].line,
			    "%s is waived twice; first on line %zu",
			    list[n].question ? list[n].question
					     : list[n].measure.name,
			    list[j].line);
		else
			n++;
	}
	r->rules->waivers = list;
	r->rules->nwaivers = n;
}
