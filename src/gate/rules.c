/* The gate's own keys of a config, read into rules. */
#include <string.h>

#include "internal.h"

const char *const level_names[] = {"error", "warn", "info"};

void
rules_unknown_keys(const struct rules_reader *r, const struct value *map,
    const char *const *known, size_t nknown, const char *where)
{
	const struct member *m;
	size_t i, j;

	for (i = 0; i < map->nitems; i++) {
		m = &map->u.members[i];
		for (j = 0; j < nknown; j++)
			if (strcmp(m->key, known[j]) == 0)
				break;
		if (j == nknown)
			fail_unknown(r->e, r->file, m->line, "key", m->key,
			    arena_printf(r->arena, " in %s", where), known,
			    nknown);
	}
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
	size_t i;

	if (rules_want_list(r, v, "slices", "[category, difficulty]") < 0)
		return;
	fields = arena_array(r->arena, v->nitems + 1, sizeof(*fields));
	for (i = 0; i < v->nitems; i++)
		value_text(v->u.items[i], r->file, "slices", &fields[i], r->e);
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

int
rules_read(struct arena *arena, const struct value *config, const char *file,
    struct rules *rules, struct error *e)
{
	struct rules_reader r = {arena, file, rules, e};
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
		rules_read_thresholds(&r, v);
	if ((v = value_get(config, "tracked")))
		rules_read_tracked(&r, v);
	if ((v = value_get(config, "slices")))
		read_slices(&r, v);
	if ((v = value_get(config, "retired")))
		rules_read_amendments(
		    &r, v, "retired", &rules->retired, &rules->nretired);
	if ((v = value_get(config, "renamed")))
		rules_read_amendments(
		    &r, v, "renamed", &rules->renamed, &rules->nrenamed);
	if ((v = value_get(config, "redefined")))
		rules_read_amendments(
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
	    "question '%s' (%s:%u)",
	    tracked->document, question->id, question->more->file,
	    question->line);
}

/* Every `to` is asked today and stands once, as does every `from`. */
static void
check_renamed(const struct rules *rules, const struct questions *questions,
    struct error *e)
{
	const struct amendment *one, *two;
	size_t i, j;

	for (i = 0; i < rules->nrenamed; i++) {
		one = &rules->renamed[i];
		if (!questions_find(questions, one->to))
			fail_at(e, rules->file, one->line,
			    "renamed to '%s', which is not among the "
			    "questions",
			    one->to);
		if (questions_find(questions, one->question))
			fail_at(e, rules->file, one->line,
			    "renamed from '%s', which is still among the "
			    "questions",
			    one->question);
		for (j = 0; j < i; j++) {
			two = &rules->renamed[j];
			if (strcmp(one->question, two->question) == 0 ||
			    strcmp(one->to, two->to) == 0)
				fail_at(e, rules->file, one->line,
				    "'%s' or '%s' is renamed twice; first on "
				    "line %zu",
				    one->question, one->to, two->line);
		}
	}
}

static void
check_amendments(const struct rules *rules, const struct questions *questions,
    struct error *e)
{
	size_t i;

	check_renamed(rules, questions, e);
	for (i = 0; i < rules->nretired; i++)
		if (questions_find(questions, rules->retired[i].question))
			fail_at(e, rules->file, rules->retired[i].line,
			    "retired question '%s' is still among the "
			    "questions",
			    rules->retired[i].question);
	for (i = 0; i < rules->nredefined; i++)
		if (!questions_find(questions, rules->redefined[i].question))
			fail_at(e, rules->file, rules->redefined[i].line,
			    "redefined question '%s' is not among the "
			    "questions",
			    rules->redefined[i].question);
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
			    "tracked question '%s' (%s:%u) has no expected "
			    "document; its rank can't be told",
			    question->id, question->more->file, question->line);
		} else if (tracked->document) {
			check_document(rules, tracked, question, e);
		}
	}
	check_amendments(rules, questions, e);
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
