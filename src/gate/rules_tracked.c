/* tracked questions, and what the team says it changed about questions. */
#include <string.h>

#include "internal.h"

static const char *const tracked_keys[] = {
    "question", "document", "max_loss", "max_rank", "note"};

static int
read_one_tracked(const struct rules_reader *r, const struct value *v,
    struct tracked *tracked)
{
	const struct value *question, *other;
	size_t before = r->e->nitems;

	*tracked = (struct tracked){.line = v->line};
	/* A bare id is the short form. */
	if (v->type == VALUE_STRING)
		return value_text(
		    v, r->file, "tracked", &tracked->question, r->e);
	if (v->type != VALUE_MAP)
		return fail_at(r->e, r->file, v->line,
		    "a tracked entry is %s; expected {question: id}",
		    value_type_name(v));
	rules_unknown_keys(
	    r, v, tracked_keys, COUNT(tracked_keys), "a tracked entry");
	question = value_get(v, "question");
	if (!question)
		fail_at(r->e, r->file, v->line,
		    "a tracked entry has no 'question'");
	else
		value_text(
		    question, r->file, "question", &tracked->question, r->e);
	if ((other = value_get(v, "document")))
		value_text(
		    other, r->file, "document", &tracked->document, r->e);
	if ((other = value_get(v, "max_loss")))
		value_integer(other, r->file, "max_loss", 0, INT32_MAX,
		    &tracked->max_loss, r->e);
	if ((other = value_get(v, "max_rank")))
		value_integer(other, r->file, "max_rank", 1, INT32_MAX,
		    &tracked->max_rank, r->e);
	return tracked->question && r->e->nitems == before ? 0 : -1;
}

void
rules_read_tracked(const struct rules_reader *r, const struct value *v)
{
	struct tracked *tracked;
	size_t i, j, n = 0;

	if (rules_want_list(r, v, "tracked", "[{question: q7}]") < 0)
		return;
	tracked = arena_array(r->arena, v->nitems + 1, sizeof(*tracked));
	for (i = 0; i < v->nitems; i++) {
		if (read_one_tracked(r, v->u.items[i], &tracked[n]) < 0)
			continue;
		for (j = 0; j < n; j++)
			if (strcmp(tracked[j].question, tracked[n].question) ==
			    0)
				break;
		if (j < n)
			fail_at(r->e, r->file, tracked[n].line,
			    "question '%s' is tracked twice; first on line "
			    "%zu",
			    tracked[n].question, tracked[j].line);
		else
			n++;
	}
	r->rules->tracked = tracked;
	r->rules->ntracked = n;
}

/* retired, renamed, redefined: what the team says it changed. */
void
rules_read_amendments(const struct rules_reader *r, const struct value *v,
    const char *key, const struct amendment **to, size_t *nto)
{
	static const char *const other_keys[] = {"question", "reason"};
	static const char *const rename_keys[] = {"from", "to", "reason"};
	bool rename = strcmp(key, "renamed") == 0;
	struct amendment *list;
	const struct value *item, *id;
	size_t i, n = 0;

	if (rules_want_list(r, v, key,
		rename ? "[{from: q1, to: q2}]"
		       : "[{question: q1, reason: why}]") < 0)
		return;
	list = arena_array(r->arena, v->nitems + 1, sizeof(*list));
	for (i = 0; i < v->nitems; i++) {
		item = v->u.items[i];
		if (item->type != VALUE_MAP) {
			fail_at(r->e, r->file, item->line,
			    "an entry of %s is %s; expected a map", key,
			    value_type_name(item));
			continue;
		}
		rules_unknown_keys(r, item, rename ? rename_keys : other_keys,
		    rename ? COUNT(rename_keys) : COUNT(other_keys), key);
		if (!rename && !value_get(item, "reason"))
			fail_at(r->e, r->file, item->line,
			    "an entry of %s has no 'reason'; say why", key);
		list[n].line = item->line;
		id = value_get(item, rename ? "from" : "question");
		if (!id || (rename && !value_get(item, "to"))) {
			fail_at(r->e, r->file, item->line,
			    "an entry of %s has no '%s'", key,
			    rename ? "from' and 'to" : "question");
			continue;
		}
		if (value_text(id, r->file, key, &list[n].question, r->e) < 0 ||
		    (rename &&
			value_text(value_get(item, "to"), r->file, "to",
			    &list[n].to, r->e) < 0))
			continue;
		n++;
	}
	*to = list;
	*nto = n;
}
