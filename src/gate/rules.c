/* The gate's own keys of a config, read into rules. */
#include <string.h>

#include "internal.h"

const char *const level_names[] = {"error", "warn", "info"};

struct reader {
	struct arena *arena;
	const char *file;
	struct rules *rules;
	struct error *e;
};

/* Says every key of a map that is not among the known ones. */
static void
unknown_keys(const struct reader *r, const struct value *map,
    const char *const *known, size_t nknown, const char *where)
{
	const char *near, *list = "";
	size_t i, j;

	for (i = 0; i < nknown; i++)
		list = arena_printf(
		    r->arena, "%s%s%s", list, i ? ", " : "", known[i]);
	for (i = 0; i < map->nitems; i++) {
		for (j = 0; j < nknown; j++)
			if (strcmp(map->u.members[i].key, known[j]) == 0)
				break;
		if (j < nknown)
			continue;
		near = suggest(map->u.members[i].key, known, nknown);
		fail_at(r->e, r->file, map->u.members[i].line,
		    "unknown key '%s' in %s; %s%s%sknown are %s",
		    map->u.members[i].key, where, near ? "did you mean '" : "",
		    near ? near : "", near ? "'? " : "", list);
	}
}

static int
want_list(const struct reader *r, const struct value *v, const char *key,
    const char *example)
{
	if (v->type == VALUE_LIST)
		return 0;
	return fail_at(r->e, r->file, v->line,
	    "%s is %s; expected a list, such as %s", key, value_type_name(v),
	    example);
}

static int
read_measure(const struct reader *r, const struct value *v, const char *key,
    struct measure *measure)
{
	const char *text, *mend;

	if (value_text(v, r->file, key, &text, r->e) < 0)
		return -1;
	if (measure_parse(r->arena, text, measure, &mend) < 0)
		return fail_at(r->e, r->file, v->line, "%s", mend);
	return 0;
}

static void
read_measures(const struct reader *r, const struct value *v)
{
	struct measure *measures;
	size_t i, j, n = 0;

	if (want_list(r, v, "metrics", "[recall@5, mrr]") < 0)
		return;
	if (v->nitems == 0)
		fail_at(r->e, r->file, v->line,
		    "metrics is empty; remove it for the default");
	measures = arena_array(r->arena, v->nitems + 1, sizeof(*measures));
	for (i = 0; i < v->nitems; i++) {
		if (read_measure(r, v->u.items[i], "metrics", &measures[n]) < 0)
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

/* A share: finite, 0..1; says what was probably meant. */
static int
read_share(const struct reader *r, const struct value *v, const char *key,
    double *share)
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
read_drop(
    const struct reader *r, const struct value *v, struct threshold *threshold)
{
	size_t len = strlen(v->text);
	double percent;

	threshold->has_max_drop = true;
	if (v->type != VALUE_STRING || !len || v->text[len - 1] != '%')
		return read_share(r, v, "max_drop", &threshold->max_drop);
	threshold->relative = true;
	if (number_parse(v->text, len - 1, &percent) < 0)
		return fail_at(r->e, r->file, v->line,
		    "max_drop is '%s', no percentage; write 5%% or 0.05",
		    v->text);
	if (percent < 0 || percent > 100)
		return fail_at(r->e, r->file, v->line,
		    "max_drop is %s; percentages lie in 0%%..100%%", v->text);
	threshold->max_drop = percent / 100;
	return 0;
}

static int
read_level(const struct reader *r, const struct value *v, enum level *level)
{
	const char *text;

	if (value_text(v, r->file, "level", &text, r->e) < 0)
		return -1;
	if (strcmp(text, "error") == 0)
		*level = LEVEL_ERROR;
	else if (strcmp(text, "warn") == 0)
		*level = LEVEL_WARN;
	else
		return fail_at(r->e, r->file, v->line,
		    "level is '%s'; write error or warn", text);
	return 0;
}

/* where: {category: hole_problems, difficulty: hard} */
static int
read_where(
    const struct reader *r, const struct value *v, struct selector *where)
{
	struct field *pairs;
	size_t i;

	if (v->type != VALUE_MAP || !v->nitems)
		return fail_at(r->e, r->file, v->line,
		    "where is %s; expected a map, such as {category: faq}",
		    v->nitems ? value_type_name(v) : "empty");
	pairs = arena_array(r->arena, v->nitems, sizeof(*pairs));
	for (i = 0; i < v->nitems; i++) {
		pairs[i].name = v->u.members[i].key;
		if (value_text(v->u.members[i].value, r->file, pairs[i].name,
			&pairs[i].value, r->e) < 0)
			return -1;
	}
	*where = (struct selector){pairs, v->nitems, v->line};
	return 0;
}

static const char *const threshold_keys[] = {
    "metric", "where", "min", "max_drop", "level"};

static int
read_threshold(
    const struct reader *r, const struct value *v, struct threshold *threshold)
{
	const struct value *metric, *where, *min, *drop, *level;
	size_t before = r->e->nitems;

	if (v->type != VALUE_MAP)
		return fail_at(r->e, r->file, v->line,
		    "a threshold is %s; expected {metric: recall@5, "
		    "min: 0.7}",
		    value_type_name(v));
	unknown_keys(
	    r, v, threshold_keys, COUNT(threshold_keys), "a threshold");
	*threshold = (struct threshold){.line = v->line};
	metric = value_get(v, "metric");
	if (!metric)
		fail_at(r->e, r->file, v->line, "a threshold has no 'metric'");
	else
		read_measure(r, metric, "metric", &threshold->measure);
	if ((where = value_get(v, "where")))
		read_where(r, where, &threshold->where);
	if ((min = value_get(v, "min"))) {
		threshold->has_min = true;
		read_share(r, min, "min", &threshold->min);
	}
	if ((drop = value_get(v, "max_drop")))
		read_drop(r, drop, threshold);
	if (!min && !drop)
		fail_at(r->e, r->file, v->line,
		    "a threshold has neither 'min' nor 'max_drop'; it "
		    "would check nothing");
	if ((level = value_get(v, "level")))
		read_level(r, level, &threshold->level);
	return r->e->nitems > before ? -1 : 0;
}

static bool
same_where(const struct selector *one, const struct selector *two)
{
	size_t i, j;

	if (one->npairs != two->npairs)
		return false;
	for (i = 0; i < one->npairs; i++) {
		for (j = 0; j < two->npairs; j++)
			if (strcmp(one->pairs[i].name, two->pairs[j].name) ==
				0 &&
			    strcmp(one->pairs[i].value, two->pairs[j].value) ==
				0)
				break;
		if (j == two->npairs)
			return false;
	}
	return true;
}

/* Two rows may not set the same limit of one metric and slice. */
static void
repeated_limit(const struct reader *r, const struct threshold *thresholds,
    size_t n, const struct threshold *new)
{
	const char *limit = NULL;
	size_t i;

	for (i = 0; i < n && !limit; i++) {
		if (strcmp(thresholds[i].measure.name, new->measure.name) !=
			0 ||
		    !same_where(&thresholds[i].where, &new->where))
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
thresholds_shape(const struct reader *r, const struct value *v)
{
	struct measure measure;
	const char *mend = NULL;
	size_t i;

	if (v->type != VALUE_MAP)
		return want_list(
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

static void
read_thresholds(const struct reader *r, const struct value *v)
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

static const char *const tracked_keys[] = {
    "question", "document", "max_loss", "max_rank", "note"};

static int
read_one_tracked(
    const struct reader *r, const struct value *v, struct tracked *tracked)
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
	unknown_keys(
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

static void
read_tracked(const struct reader *r, const struct value *v)
{
	struct tracked *tracked;
	size_t i, j, n = 0;

	if (want_list(r, v, "tracked", "[{question: q7}]") < 0)
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

static void
read_slices(const struct reader *r, const struct value *v)
{
	const char **fields;
	size_t i;

	if (want_list(r, v, "slices", "[category, difficulty]") < 0)
		return;
	fields = arena_array(r->arena, v->nitems + 1, sizeof(*fields));
	for (i = 0; i < v->nitems; i++)
		value_text(v->u.items[i], r->file, "slices", &fields[i], r->e);
	r->rules->slices = fields;
	r->rules->nslices = v->nitems;
}

/* retired, renamed, redefined: what the team says it changed. */
static void
read_amendments(const struct reader *r, const struct value *v, const char *key,
    const struct amendment **to, size_t *nto)
{
	static const char *const other_keys[] = {"question", "reason"};
	static const char *const rename_keys[] = {"from", "to", "reason"};
	bool rename = strcmp(key, "renamed") == 0;
	struct amendment *list;
	const struct value *item, *id;
	size_t i, n = 0;

	if (want_list(r, v, key,
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
		unknown_keys(r, item, rename ? rename_keys : other_keys,
		    rename ? COUNT(rename_keys) : COUNT(other_keys), key);
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

/* What is reported, and gated, where the config says nothing. */
static void
defaults(const struct reader *r, bool thresholds_given)
{
	static const char *const names[] = {"recall@5", "mrr", "ndcg@10"};
	struct rules *rules = r->rules;
	struct measure *measures;
	struct threshold *thresholds;
	const char *mend;
	size_t i;

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
		thresholds[i] = (struct threshold){
		    .measure = rules->measures[i], .has_max_drop = true};
	rules->thresholds = thresholds;
	rules->nthresholds = rules->nmeasures;
}

/* A gated metric is reported, also where `metrics` does not list it. */
static void
report_gated(const struct reader *r)
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

int
rules_read(struct arena *arena, const struct value *config, const char *file,
    struct rules *rules, struct error *e)
{
	struct reader r = {arena, file, rules, e};
	size_t before = e->nitems;
	const struct value *v;
	int64_t relevance = 1;

	*rules = (struct rules){.file = file};
	if ((v = value_get(config, "relevance")))
		value_integer(v, file, "relevance", 1, 1000000, &relevance, e);
	rules->relevance = (int)relevance;
	if ((v = value_get(config, "metrics")))
		read_measures(&r, v);
	if ((v = value_get(config, "thresholds")))
		read_thresholds(&r, v);
	if ((v = value_get(config, "tracked")))
		read_tracked(&r, v);
	if ((v = value_get(config, "slices")))
		read_slices(&r, v);
	if ((v = value_get(config, "retired")))
		read_amendments(
		    &r, v, "retired", &rules->retired, &rules->nretired);
	if ((v = value_get(config, "renamed")))
		read_amendments(
		    &r, v, "renamed", &rules->renamed, &rules->nrenamed);
	if ((v = value_get(config, "redefined")))
		read_amendments(
		    &r, v, "redefined", &rules->redefined, &rules->nredefined);
	if (e->nitems > before)
		return -1;
	defaults(&r, value_get(config, "thresholds") != NULL);
	report_gated(&r);
	return 0;
}

/* The question ids as a list of words, for suggestions. */
static const char *
nearest_question(
    struct arena *arena, const struct questions *questions, const char *id)
{
	const char **ids =
	    arena_array(arena, questions->nitems + 1, sizeof(*ids));
	size_t i;

	for (i = 0; i < questions->nitems; i++)
		ids[i] = questions->items[i].id;
	return suggest(id, ids, questions->nitems);
}

static void
check_document(const struct rules *rules, const struct tracked *tracked,
    const struct question *question, struct error *e)
{
	size_t i;

	for (i = 0; i < question->njudgments; i++)
		if (question->judgments[i].grade >= 1 &&
		    strcmp(question->judgments[i].document,
			tracked->document) == 0)
			return;
	fail_at(e, rules->file, tracked->line,
	    "tracked document '%s' is not among the expected documents of "
	    "question '%s' (%s:%zu)",
	    tracked->document, question->id, question->file, question->line);
}

int
rules_check(const struct rules *rules, const struct questions *questions,
    struct error *e)
{
	size_t before = e->nitems, i;
	const struct question *question;
	const char *near;

	for (i = 0; i < rules->ntracked; i++) {
		const struct tracked *tracked = &rules->tracked[i];

		question = questions_find(questions, tracked->question);
		if (!question) {
			near = nearest_question(
			    e->arena, questions, tracked->question);
			fail_at(e, rules->file, tracked->line,
			    "tracked question '%s' is not among the "
			    "questions%s%s%s",
			    tracked->question, near ? "; did you mean '" : "",
			    near ? near : "", near ? "'?" : "");
		} else if (question->unanswerable) {
			fail_at(e, rules->file, tracked->line,
			    "tracked question '%s' (%s:%zu) has no expected "
			    "document; its rank can't be told",
			    question->id, question->file, question->line);
		} else if (tracked->document) {
			check_document(rules, tracked, question, e);
		}
	}
	return e->nitems > before ? -1 : 0;
}

const struct tracked *
rules_tracked(const struct rules *rules, const char *question)
{
	size_t i;

	for (i = 0; i < rules->ntracked; i++)
		if (strcmp(rules->tracked[i].question, question) == 0)
			return &rules->tracked[i];
	return NULL;
}
