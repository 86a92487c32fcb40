/* The gate's own keys of a config, read into rules. */
#include <string.h>

#include "internal.h"

const char *const level_names[] = {"error", "warn", "info"};

void
rules_unknown_keys(
    const struct rules_reader *r, const struct value *map, const char *section)
{
	keys_unknown(config_keys, nconfig_keys, section, map, r->file, r->e);
}

int
rules_want_list(const struct rules_reader *r, const struct value *v,
    const char *key, const char *example)
{
	if (v->type == VALUE_LIST)
		return 0;
	return fail_at(r->e, r->file, v->line,
	    "%s is %s; expected a list, such as %s", key, value_type_name(v),
	    example);
}

int
rules_measure(const struct rules_reader *r, const struct value *v,
    const char *key, struct measure *measure)
{
	const char *text, *mend;

	if (value_text(v, r->file, key, &text, r->e) < 0)
		return -1;
	if (measure_parse(r->arena, text, measure, &mend) < 0)
		return fail_at(r->e, r->file, v->line, "%s", mend);
	return 0;
}

int
rules_gated_measure(const struct rules_reader *r, const struct value *v,
    struct measure *measure)
{
	if (rules_measure(r, v, "metric", measure) < 0)
		return -1;
	if (measure->metric->reading_only)
		return fail_at(r->e, r->file, v->line,
		    "%s is for reading alone, since losing a question "
		    "improves it; gate found, or mrr",
		    measure->name);
	return 0;
}

int
rules_level(const struct rules_reader *r, const struct value *v,
    const char *key, enum level *level)
{
	const char *text;

	if (value_text(v, r->file, key, &text, r->e) < 0)
		return -1;
	if (strcmp(text, "error") == 0)
		*level = LEVEL_ERROR;
	else if (strcmp(text, "warn") == 0)
		*level = LEVEL_WARN;
	else
		return fail_at(r->e, r->file, v->line,
		    "%s is '%s'; write error or warn", key, text);
	return 0;
}

static void
read_measures(const struct rules_reader *r, const struct value *v)
{
	struct measure *measures;
	size_t i, j, n = 0;

	if (rules_want_list(r, v, "metrics", "[recall@5, mrr]") < 0)
		return;
	if (v->nitems == 0)
		fail_at(r->e, r->file, v->line,
		    "metrics is empty; remove it for the default");
	measures = arena_array(r->arena, v->nitems + 1, sizeof(*measures));
	for (i = 0; i < v->nitems; i++) {
		if (rules_measure(r, v->u.items[i], "metrics", &measures[n]) <
		    0)
			continue;
		for (j = 0; j < n; j++)
			if (strcmp(measures[j].name, measures[n].name) == 0)
				break;
		if (j < n)
			fail_at(r->e, r->file, v->u.items[i]->line,
			    "metric '%s' is listed twice", measures[n].name);
		else
			n++;
	}
	r->rules->measures = measures;
	r->rules->nmeasures = n;
}

static void
read_slices(const struct rules_reader *r, const struct value *v)
{
	const char **fields;
	size_t i, j;

	if (rules_want_list(r, v, "slices", "[category, difficulty]") < 0)
		return;
	fields = arena_array(r->arena, v->nitems + 1, sizeof(*fields));
	for (i = 0; i < v->nitems; i++) {
		fields[i] = "";
		value_text(v->u.items[i], r->file, "slices", &fields[i], r->e);
		for (j = 0; j < i && strcmp(fields[i], fields[j]) != 0; j++)
			;
		if (j < i && *fields[i])
			fail_at(r->e, r->file, v->u.items[i]->line,
			    "field '%s' is listed twice in slices", fields[i]);
	}
	r->rules->slices_list = v;
	r->rules->slices = fields;
	r->rules->nslices = v->nitems;
}

/* What is reported, and gated, where the config says nothing. */
static void
defaults(const struct rules_reader *r, bool thresholds_given)
{
	static const char *const names[] = {"recall@5", "mrr", "ndcg@10"};
	struct rules *rules = r->rules;
	struct measure *measures;
	struct threshold *thresholds;
	const char *mend;
	size_t i, n = 0;

	if (!rules->measures) {
		measures =
		    arena_array(r->arena, COUNT(names), sizeof(*measures));
		for (i = 0; i < COUNT(names); i++)
			measure_parse(r->arena, names[i], &measures[i], &mend);
		rules->measures = measures;
		rules->nmeasures = COUNT(names);
	}
	if (thresholds_given)
		return;
	thresholds =
	    arena_array(r->arena, rules->nmeasures + 1, sizeof(*thresholds));
	for (i = 0; i < rules->nmeasures; i++)
		if (!rules->measures[i].metric->reading_only)
			thresholds[n++] =
			    (struct threshold){.measure = rules->measures[i],
				.has_max_drop = true};
	rules->thresholds = thresholds;
	rules->nthresholds = n;
}

/* A gated metric is reported, also where `metrics` does not list it. */
static void
report_gated(const struct rules_reader *r)
{
	struct rules *rules = r->rules;
	struct measure *measures;
	size_t n = rules->nmeasures, i, j;

	measures = arena_array(
	    r->arena, n + rules->nthresholds + 1, sizeof(*measures));
	if (n)
		memcpy(measures, rules->measures, n * sizeof(*measures));
	for (i = 0; i < rules->nthresholds; i++) {
		for (j = 0; j < n; j++)
			if (strcmp(measures[j].name,
				rules->thresholds[i].measure.name) == 0)
				break;
		if (j == n)
			measures[n++] = rules->thresholds[i].measure;
	}
	rules->measures = measures;
	rules->nmeasures = n;
}

const char *
rules_reason(const struct rules_reader *r, const struct value *map,
    const char *what, bool required)
{
	const struct value *v = value_get(map, "reason");
	const char *reason = NULL;

	if (!v && required)
		fail_at(r->e, r->file, map->line, "%s has no 'reason'; say why",
		    what);
	if (!v || value_text(v, r->file, "reason", &reason, r->e) < 0)
		return NULL;
	if (!reason[strspn(reason, " \t\r\n")])
		fail_at(r->e, r->file, v->line,
		    "the reason of %s is empty; say why", what);
	return reason;
}

static void
read_gate_change(const struct rules_reader *r, const struct value *v)
{
	rules_level(r, v, "gate_change", &r->rules->gate_change);
}

static void
read_relevance(const struct rules_reader *r, const struct value *v)
{
	int64_t relevance = 1;

	value_integer(v, r->file, "relevance", 1, 1000000, &relevance, r->e);
	r->rules->relevance = (int)relevance;
}

static void
read_retired(const struct rules_reader *r, const struct value *v)
{
	rules_read_amendments(
	    r, v, "retired", &r->rules->retired, &r->rules->nretired);
}

static void
read_renamed(const struct rules_reader *r, const struct value *v)
{
	rules_read_amendments(
	    r, v, "renamed", &r->rules->renamed, &r->rules->nrenamed);
}

static void
read_redefined(const struct rules_reader *r, const struct value *v)
{
	rules_read_amendments(
	    r, v, "redefined", &r->rules->redefined, &r->rules->nredefined);
}

static const struct {
	const char *key;
	void (*read)(const struct rules_reader *r, const struct value *v);
} readers[] = {
    {"relevance", read_relevance},
    {"metrics", read_measures},
    {"thresholds", rules_read_thresholds},
    {"tracked", rules_read_tracked},
    {"worse_questions", rules_read_budget},
    {"slices", read_slices},
    {"creep", rules_read_creep},
    {"waivers", rules_read_waivers},
    {"retired", read_retired},
    {"renamed", read_renamed},
    {"redefined", read_redefined},
    {"gate_change", read_gate_change},
};

int
rules_read(struct arena *arena, const struct value *config, const char *file,
    struct rules *rules, struct error *e)
{
	struct rules_reader r = {arena, file, rules, e};
	size_t before = e->nitems, i;
	const struct value *v;

	*rules = (struct rules){
	    .file = file, .relevance = 1, .gate_change = LEVEL_WARN};
	map_init(&rules->tracked_by, arena);
	for (i = 0; i < COUNT(readers); i++)
		if ((v = value_get(config, readers[i].key)))
			readers[i].read(&r, v);
	if (e->nitems > before)
		return -1;
	defaults(&r, value_get(config, "thresholds") != NULL);
	report_gated(&r);
	return 0;
}
