/* tracked questions, and what the team says it changed about questions. */
#include <string.h>

#include "internal.h"

/* Which questions an entry is about: one, or those that where selects. */
static void
read_whom(const struct rules_reader *r, const struct value *v,
    struct tracked *tracked)
{
	const struct value *question = value_get(v, "question");
	const struct value *where = value_get(v, "where");
	const struct value *document = value_get(v, "document");

	if (!question == !where)
		fail_at(r->e, r->file, v->line,
		    question ? "a tracked entry has both 'question' and "
			       "'where'; write two entries"
			     : "a tracked entry has no 'question'");
	else if (question)
		value_text(
		    question, r->file, "question", &tracked->question, r->e);
	else
		rules_where(r, where, &tracked->where);
	if (document && where)
		fail_at(r->e, r->file, document->line,
		    "a tracked entry with 'where' names no 'document'; each "
		    "question has its own");
	else if (document)
		value_text(
		    document, r->file, "document", &tracked->document, r->e);
}

static int
read_one_tracked(const struct rules_reader *r, const struct value *v,
    struct tracked *tracked)
{
	const struct {
		const char *key;
		int64_t min;
		int64_t *to;
	} numbers[] = {{"max_loss", 0, &tracked->max_loss},
	    {"max_rank", 1, &tracked->max_rank}, {"goal", 1, &tracked->goal}};
	size_t before = r->e->nitems, i;
	const struct value *other;

	*tracked = (struct tracked){.line = v->line};
	/* A bare id is the short form. */
	if (v->type == VALUE_STRING)
		return value_text(
		    v, r->file, "tracked", &tracked->question, r->e);
	if (v->type != VALUE_MAP)
		return fail_at(r->e, r->file, v->line,
		    "a tracked entry is %s; expected {question: id}",
		    value_type_name(v));
	rules_unknown_keys(r, v, "a tracked entry");
	read_whom(r, v, tracked);
	for (i = 0; i < COUNT(numbers); i++)
		if ((other = value_get(v, numbers[i].key)))
			value_integer(other, r->file, numbers[i].key,
			    numbers[i].min, INT32_MAX, numbers[i].to, r->e);
	if ((other = value_get(v, "note")))
		value_text(other, r->file, "note", &tracked->note, r->e);
	return r->e->nitems == before ? 0 : -1;
}

/* A question may have one entry of its own. */
static bool
tracked_twice(const struct rules_reader *r, const struct tracked *list,
    const struct tracked *new)
{
	size_t i;

	for (i = 0; new->question &&list + i < new; i++)
		if (list[i].question &&
		    strcmp(list[i].question, new->question) == 0)
			break;
	if (!new->question || list + i == new)
		return false;
	fail_at(r->e, r->file, new->line,
	    "question '%s' is tracked twice; first on line %zu", new->question,
	    list[i].line);
	return true;
}

void
rules_read_tracked(const struct rules_reader *r, const struct value *v)
{
	struct tracked *entries;
	size_t i, n = 0;

	if (rules_want_list(r, v, "tracked", "[{question: q7}]") < 0)
		return;
	entries = arena_array(r->arena, v->nitems + 1, sizeof(*entries));
	for (i = 0; i < v->nitems; i++)
		if (read_one_tracked(r, v->u.items[i], &entries[n]) == 0 &&
		    !tracked_twice(r, entries, &entries[n]))
			n++;
	r->rules->entries = entries;
	r->rules->nentries = n;
}

/* retired, renamed, redefined: what the team says it changed. */
void
rules_read_amendments(const struct rules_reader *r, const struct value *v,
    const char *key, const struct amendment **to, size_t *nto)
{
	bool rename = strcmp(key, "renamed") == 0;
	struct amendment *list;
	const struct value *item, *id;
	const char *what = arena_printf(r->arena, "an entry of %s", key);
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
		rules_unknown_keys(r, item, key);
		rules_reason(r, item, what, !rename);
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
