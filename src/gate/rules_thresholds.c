/* thresholds: floors and drops of means, read from the config. */
#include <string.h>

#include "internal.h"

/* A share: finite, 0..1; says what was probably meant. */
int
rules_share(const struct rules_reader *r, const struct value *v,
    const char *key, double *share)
{
	if (value_number(v, r->file, key, share, r->e) < 0)
		return -1;
	if (*share > 1 && *share <= 100)
		return fail_at(r->e, r->file, v->line,
		    "%s is %s, a share above 1; did you mean %g?", key, v->text,
		    *share / 100);
	if (*share > 1)
		return fail_at(r->e, r->file, v->line,
		    "%s is %s, a share above 1; shares lie in 0..1", key,
		    v->text);
	if (*share < 0)
		return fail_at(r->e, r->file, v->line,
		    "%s is %s, below 0; shares lie in 0..1", key, v->text);
	return 0;
}

/* 0.05, or 5% of the baseline. */
static int
read_drop(const struct rules_reader *r, const struct value *v, const char *key,
    struct threshold *threshold)
{
	size_t len = strlen(v->text);
	double percent;

	threshold->has_max_drop = true;
	if (v->type != VALUE_STRING || !len || v->text[len - 1] != '%')
		return rules_share(r, v, key, &threshold->max_drop);
	threshold->relative = true;
	if (number_parse(v->text, len - 1, &percent) < 0)
		return fail_at(r->e, r->file, v->line,
		    "%s is '%s', no percentage; write 5%% or 0.05", key,
		    v->text);
	if (percent < 0 || percent > 100)
		return fail_at(r->e, r->file, v->line,
		    "%s is %s; percentages lie in 0%%..100%%", key, v->text);
	threshold->max_drop = percent / 100;
	return 0;
}

/* "min of recall@5": which limit a message is about. */
static const char *
limit_of(
    const struct rules_reader *r, const char *limit, const struct value *metric)
{
	return metric && metric->type == VALUE_STRING
	    ? arena_printf(r->arena, "%s of %s", limit, metric->text)
	    : limit;
}

/* The level of significance: a drop that chance explains does not fail. */
static void
read_alpha(const struct rules_reader *r, const struct value *v,
    struct threshold *threshold)
{
	if (value_number(v, r->file, "alpha", &threshold->alpha, r->e) < 0)
		return;
	if (threshold->alpha <= 0 || threshold->alpha >= 1)
		fail_at(r->e, r->file, v->line,
		    "alpha is %s; a probability between 0 and 1, such as 0.05",
		    v->text);
	else if (!threshold->has_max_drop)
		fail_at(r->e, r->file, v->line,
		    "alpha is of use with max_drop alone");
	else if (threshold->measure.metric &&
	    threshold->measure.metric->needs == NEEDS_JUDGED)
		fail_at(r->e, r->file, v->line,
		    "%s is compared as a mean, so that its drop has no test "
		    "of significance; leave out alpha",
		    threshold->measure.name);
}

static int
read_threshold(const struct rules_reader *r, const struct value *v,
    struct threshold *threshold)
{
	const struct value *metric, *where, *min, *drop, *alpha, *level;
	size_t before = r->e->nitems;

	if (v->type != VALUE_MAP)
		return fail_at(r->e, r->file, v->line,
		    "a threshold is %s; expected {metric: recall@5, "
		    "min: 0.7}",
		    value_type_name(v));
	rules_unknown_keys(r, v, "a threshold");
	*threshold = (struct threshold){.line = v->line};
	metric = value_get(v, "metric");
	if (!metric)
		fail_at(r->e, r->file, v->line, "a threshold has no 'metric'");
	else
		rules_gated_measure(r, metric, &threshold->measure);
	if ((where = value_get(v, "where")))
		rules_where(r, where, &threshold->where);
	if ((min = value_get(v, "min"))) {
		threshold->has_min = true;
		rules_share(
		    r, min, limit_of(r, "min", metric), &threshold->min);
	}
	if ((drop = value_get(v, "max_drop")))
		read_drop(r, drop, limit_of(r, "max_drop", metric), threshold);
	if (!min && !drop)
		fail_at(r->e, r->file, v->line,
		    "a threshold has neither 'min' nor 'max_drop'; it "
		    "would check nothing");
	if ((alpha = value_get(v, "alpha")))
		read_alpha(r, alpha, threshold);
	if ((level = value_get(v, "level")))
		rules_level(r, level, "level", &threshold->level);
	return r->e->nitems > before ? -1 : 0;
}

/* Two rows may not set the same limit of one metric and slice. */
static void
repeated_limit(const struct rules_reader *r, const struct threshold *thresholds,
    size_t n, const struct threshold *new)
{
	const char *limit = NULL;
	size_t i;

	for (i = 0; i < n && !limit; i++) {
		if (strcmp(thresholds[i].measure.name, new->measure.name) !=
			0 ||
		    !selector_same(&thresholds[i].where, &new->where))
			continue;
		if (thresholds[i].has_min && new->has_min)
			limit = "min";
		else if (thresholds[i].has_max_drop && new->has_max_drop)
			limit = "max_drop";
		if (limit)
			fail_at(r->e, r->file, new->line,
			    "'%s' of %s is set twice; first on line %zu", limit,
			    new->measure.name, thresholds[i].line);
	}
}

/* thresholds: {recall@5: 0.7} is what other tools have. */
static int
thresholds_shape(const struct rules_reader *r, const struct value *v)
{
	struct measure measure;
	const char *mend = NULL;
	size_t i;

	if (v->type != VALUE_MAP || value_get(v, "metric"))
		return rules_want_list(
		    r, v, "thresholds", "[{metric: recall@5, min: 0.7}]");
	for (i = 0; i < v->nitems; i++) {
		const struct member *m = &v->u.members[i];

		if (measure_parse(r->arena, m->key, &measure, &mend) < 0)
			fail_at(r->e, r->file, m->line, "%s", mend);
	}
	return fail_at(r->e, r->file, v->line,
	    "thresholds is a map; expected a list: "
	    "- {metric: %s, min: %s}",
	    v->nitems ? v->u.members[0].key : "recall@5",
	    v->nitems && *v->u.members[0].value->text
		? v->u.members[0].value->text
		: "0.7");
}

void
rules_read_thresholds(const struct rules_reader *r, const struct value *v)
{
	struct threshold *thresholds;
	size_t i, n = 0;

	if (thresholds_shape(r, v) < 0)
		return;
	thresholds = arena_array(r->arena, v->nitems + 1, sizeof(*thresholds));
	for (i = 0; i < v->nitems; i++) {
		if (read_threshold(r, v->u.items[i], &thresholds[n]) < 0)
			continue;
		repeated_limit(r, thresholds, n, &thresholds[n]);
		n++;
	}
	r->rules->thresholds = thresholds;
	r->rules->nthresholds = n;
}
