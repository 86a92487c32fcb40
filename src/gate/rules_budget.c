/* worse_questions and creep: small losses that add up. */
#include "internal.h"

static int
want_map(const struct rules_reader *r, const struct value *v, const char *key,
    const char *example)
{
	if (v->type == VALUE_MAP)
		return 0;
	return fail_at(r->e, r->file, v->line,
	    "%s is %s; expected a map, such as %s", key, value_type_name(v),
	    example);
}

/* An integer of a map; absent, it stays as it is. */
static void
read_integer(const struct rules_reader *r, const struct value *map,
    const char *key, int64_t min, int64_t *number)
{
	const struct value *v = value_get(map, key);

	if (v)
		value_integer(v, r->file, key, min, INT32_MAX, number, r->e);
}

void
rules_read_budget(const struct rules_reader *r, const struct value *v)
{
	struct budget *budget = &r->rules->budget;

	if (want_map(r, v, "worse_questions", "{max: 3, by: 3}") < 0)
		return;
	rules_unknown_keys(r, v, "worse_questions");
	*budget = (struct budget){.on = true, .by = 1, .line = v->line};
	if (!value_get(v, "max"))
		fail_at(r->e, r->file, v->line,
		    "worse_questions has no 'max'; how many may fall?");
	read_integer(r, v, "max", 0, &budget->max);
	read_integer(r, v, "by", 1, &budget->by);
	if (value_get(v, "level"))
		rules_level(r, value_get(v, "level"), "level", &budget->level);
}

void
rules_read_creep(const struct rules_reader *r, const struct value *v)
{
	struct creep *creep = &r->rules->creep;

	if (want_map(r, v, "creep", "{window: 20, level: warn}") < 0)
		return;
	rules_unknown_keys(r, v, "creep");
	*creep =
	    (struct creep){.window = 20, .level = LEVEL_WARN, .line = v->line};
	read_integer(r, v, "window", 1, &creep->window);
	if (creep->window > CREEP_WINDOW_MAX)
		fail_at(r->e, r->file, v->line,
		    "window of creep is %lld; at most %d records are read",
		    (long long)creep->window, CREEP_WINDOW_MAX);
	if (value_get(v, "level"))
		rules_level(r, value_get(v, "level"), "level", &creep->level);
}
