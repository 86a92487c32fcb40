/*
 * Verdicts by rows of texts: what was, what is, the rules, and what the gate
 * must say.  A person can read a row, and a program can make one up.
 *
 * A side is "a=5 b=1 c=0", in bytewise order of ids: ranks, where 0 is not
 * found, "e" errored, "-" missing, "." not asked of this run, "u"
 * unanswerable.  Question a has the document doc-a; "a=5+9" has doc-a at 5
 * and doc-a2 at 9, "a=5?" the same two and one rank for both.  a' is another
 * question by the id of a, a~ the one that any other id with a ~ is too, one
 * with an h in front a holdout question, and "a=5,kind=x" has a field.  Further words: "@10" is how deep it looked, else
 * without bound; "^fail" a record's verdict; "held:question/a=5" what it
 * holds a to; "k:model=x" a label; "rules:2" by what it was read.
 */
#ifndef TEST_VERDICT_H
#define TEST_VERDICT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <git2.h>

#include "evalgate/gate.h"

/* After ours: it has a macro fail. */
#include <cmocka.h>

#define WORD 64
#define QUESTIONS 64 /* of a side, at most */
#define NOW "2026-12-01T12:00:00Z"

/* Rules as rows share them, each a line of a config. */
#define NO_AVERAGES "thresholds: []\n"
#define ONE "tracked: [a]\n" NO_AVERAGES
#define ONE_WITH(more) "tracked: [{question: a, " more "}]\n" NO_AVERAGES
#define HITS(thresholds) "metrics: [hit@1]\nthresholds: [" thresholds "]\n"
#define HIT(limits) HITS("{metric: hit@1, " limits "}")
#define WAIVED_TO(of, until) \
	"waivers: [{question: " of ", until: " until ", reason: r}]\n"
#define WAIVED(of) WAIVED_TO(of, "2027-03-01")

struct row {
	const char *name;
	const char *rules; /* YAML */
	const char *event; /* NULL: push */
	/* The last good record; NULL: before is good itself. */
	const char *good;
	const char *before; /* NULL: there is no record */
	const char *past; /* further records for creep, "a=4; a=3" */
	const char *origin; /* what "held:" was, where it is still here */
	const char *then; /* the rules of all records; NULL: the same */
	const char *good_then; /* those of good; NULL: as of before */
	const char *documents; /* renamed: "old=new ..." */
	const char *now;
	/* "fail stored-as: rule subject class level; ... | held=value" */
	const char *want;
	enum baseline_outcome outcome; /* without before; 0: a first run */
	bool required; /* a baseline */
	const char *good_cut; /* why no acceptable record was met */
};

/* One side of a row: a run, and what a record of it says. */
struct sample {
	struct questions questions;
	struct run run;
	struct qset qset;
	struct record record;
	struct reference reference;
	struct side side;
	struct field labels[8];
	size_t nlabels;
	struct record_held held[8];
	size_t nheld;
	bool subset;
};

struct table {
	struct arena *arena;
	struct error e;
	/* Without intervals: they cost the most, and no verdict needs them. */
	bool quick;
};

/* Kept open: else each question set opens the library, which takes long. */
static inline int
open_library(void **state)
{
	(void)state;
	return git_libgit2_init() < 0;
}

static inline int
close_library(void **state)
{
	(void)state;
	return git_libgit2_shutdown() < 0;
}

static inline bool
next_word(const char **text, char *word)
{
	size_t n;

	*text += strspn(*text, " ");
	n = strcspn(*text, " ;");
	assert_true(n < WORD);
	memcpy(word, *text, n);
	word[n] = '\0';
	*text += n;
	return n > 0;
}

/* Its text, and its documents: n, one or two, of which a' has others. */
static inline void
set_content(struct table *t, struct question *q, char mark, size_t n,
    struct question_more *more)
{
	struct expected expected[] = {{.grade = 1}, {.grade = 1}};

	more->text = mark == '~' ? "one" : q->id;
	expected[0].document = arena_printf(
	    t->arena, "doc-%s%s", more->text, mark == '\'' ? "-2" : "");
	expected[1].document = arena_printf(t->arena, "doc-%s2", more->text);
	assert_true(question_pack(t->arena, q, expected, n, more));
}

/* ",kind=x" */
static inline void
set_field(struct table *t, struct question_more *more, char *comma)
{
	struct field *field = arena_alloc(t->arena, sizeof(*field));
	char *equals;

	if (!comma)
		return;
	*comma = '\0';
	equals = strchr(comma + 1, '=');
	assert_non_null(equals);
	*equals = '\0';
	field->name = arena_strdup(t->arena, comma + 1);
	field->value = arena_strdup(t->arena, equals + 1);
	more->fields = field;
	more->nfields = 1;
}

/* "5", "5+9", "5?", "e", "-", ".", "u" */
static inline void
set_answer(struct table *t, struct question *q, struct answer *answer,
    const char *text)
{
	unsigned *ranks = arena_array(t->arena, 2, sizeof(*ranks));
	char *end;

	ranks[0] = (unsigned)strtoul(text, &end, 10);
	if (*end == '+')
		ranks[1] = (unsigned)strtoul(end + 1, NULL, 10);
	*answer = (struct answer){.present = *text != '-' && *text != '.',
	    .errored = *text == 'e',
	    .rank_only = *end == '?',
	    .rank = ranks[0],
	    .ranks = ranks,
	    .line = 1};
	q->left_out = *text == '.';
	q->unanswerable = *text == 'u';
}

/* "a=5" */
static inline void
add_question(struct table *t, struct sample *s, char *word)
{
	struct question *q = &s->questions.items[s->questions.nitems];
	static const struct question_file file = {"questions", 0};
	struct question_more more = {.nfields = 0};
	char *equals = strchr(word, '='), *comma = strchr(word, ',');
	char mark;

	assert_true(equals && equals > word);
	assert_true(s->questions.nitems < QUESTIONS);
	*equals = '\0';
	mark = equals[-1];
	if (mark == '\'' || mark == '~')
		equals[-1] = '\0';
	*q = (struct question){.id = arena_strdup(t->arena, word), .place = 1};
	q->holdout = *word == 'h';
	set_field(t, &more, comma);
	set_content(t, q, mark,
	    equals[1] == 'u'                ? 0
		: strpbrk(equals + 1, "+?") ? 2
					    : 1,
	    &more);
	set_answer(t, q, &s->run.answers[s->questions.nitems], equals + 1);
	/* As a reader leaves them; the map of a record's set relies on it. */
	if (s->questions.nitems && strcmp(q[-1].id, q->id) >= 0)
		fail_msg("%s stands after %s", q->id, q[-1].id);
	s->questions.files = &file;
	s->questions.nfiles = 1;
	s->questions.nitems++;
	s->questions.nasked += !q->left_out;
	s->questions.nanswerable += question_counts(q);
	s->run.nmissing += *(equals + 1) == '-';
	s->subset |= q->left_out;
}

static inline const char *
key_value(struct table *t, char *word, const char **value)
{
	char *equals = strchr(word, '=');

	assert_non_null(equals);
	*equals = '\0';
	*value = arena_strdup(t->arena, equals + 1);
	return arena_strdup(t->arena, word);
}

/* "question/a=5", "question/a=5@20", "metric/mrr=0.5" */
static inline void
add_record_held(struct table *t, struct sample *s, char *word)
{
	const char *subject, *value;
	char *equals = strrchr(word, '='), *end;
	struct record_held *held = &s->held[s->nheld++];

	assert_non_null(equals);
	*equals = '\0';
	subject = arena_strdup(t->arena, word);
	value = equals + 1;
	*held = (struct record_held){.subject = subject,
	    .commit = "held000000000000000000000000000000000000",
	    .value = strtod(value, &end),
	    .depth = DEPTH_UNBOUNDED};
	if (*end == '@')
		held->depth = (unsigned)strtoul(end + 1, NULL, 10);
}

static inline void
add_word(struct table *t, struct sample *s, char *word)
{
	const char *key, *value;

	if (*word == '@') {
		s->run.depth = (unsigned)strtoul(word + 1, NULL, 10);
	} else if (*word == '^') {
		s->record.verdict = strcmp(word, "^fail") == 0 ? RECORD_FAIL
		    : strcmp(word, "^none") == 0               ? RECORD_NONE
							       : RECORD_PASS;
	} else if (strncmp(word, "rules:", 6) == 0) {
		s->record.rules = strtol(word + 6, NULL, 10);
	} else if (strncmp(word, "k:", 2) == 0) {
		key = key_value(t, word + 2, &value);
		s->labels[s->nlabels++] = (struct field){key, value};
	} else if (strncmp(word, "held:", 5) == 0) {
		add_record_held(t, s, word + 5);
	} else {
		add_question(t, s, word);
	}
}

/* Reads a side, up to a ";"; returns what follows. */
static inline const char *
read_sample(
    struct table *t, const char *text, const char *commit, struct sample *s)
{
	char word[WORD];

	*s = (struct sample){.run.depth = DEPTH_UNBOUNDED};
	s->questions.items =
	    arena_array(t->arena, QUESTIONS, sizeof(*s->questions.items));
	s->run.answers =
	    arena_array(t->arena, QUESTIONS, sizeof(*s->run.answers));
	s->record.rules = RECORD_RULES;
	while (next_word(&text, word))
		add_word(t, s, word);
	s->run.nanswers = s->questions.nitems;
	qset_make(t->arena, &s->questions, &s->qset);
	s->record.commit = commit;
	s->record.tree = commit;
	s->record.depth = s->run.depth;
	s->record.labels = s->labels;
	s->record.nlabels = s->nlabels;
	s->record.held = s->held;
	s->record.nheld = s->nheld;
	record_set_ranks(t->arena, &s->record, &s->questions, &s->run);
	s->reference = (struct reference){.record = &s->record, .distance = 1};
	return *text == ';' ? text + 1 : text;
}

static inline void
read_rules(struct table *t, const char *yaml, const struct questions *questions,
    struct rules *rules)
{
	struct source source = {"rules", 1, yaml, strlen(yaml)};
	const struct value *tree = yaml_read(t->arena, &source, &t->e);

	if (!tree || rules_read(t->arena, tree, "rules", rules, &t->e) < 0 ||
	    rules_bind(t->arena, rules, questions, &t->e) < 0)
		fail_msg("%s: %s", yaml, t->e.items[0].text);
}

static inline void
make_scores(struct table *t, const struct rules *rules,
    const struct sample *sample, struct views *views, struct scores *scores)
{
	if (views_make(t->arena, rules, &sample->questions, views, &t->e) < 0 ||
	    scores_make(t->arena, &sample->questions, sample->run.answers,
		rules, views, scores, &t->e) < 0)
		fail_msg("%s", t->e.items[0].text);
}

/* What a record says of the metrics, and the gate it was judged by. */
static inline void
finish_record(struct table *t, const struct rules *rules, struct sample *s)
{
	struct record_metric *metrics =
	    arena_array(t->arena, rules->nmeasures + 1, sizeof(*metrics));
	struct scores scores;
	struct views views;
	size_t i;

	make_scores(t, rules, s, &views, &scores);
	for (i = 0; i < rules->nmeasures; i++)
		metrics[i] = (struct record_metric){
		    rules->measures[i].name, scores.means[i]};
	s->record.metrics = metrics;
	s->record.nmetrics = rules->nmeasures;
	rules_record(t->arena, rules, &views, &s->record);
}

static inline int
compare_words(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* "fail fail: tracked a new-regression error; ..." in bytewise order. */
static inline const char *
describe(struct table *t, const struct judgement *j)
{
	const char **words =
	    arena_array(t->arena, j->nfindings + 1, sizeof(*words));
	const char *text = arena_printf(t->arena, "%s %s",
	    verdict_names[j->verdict], record_verdict_names[j->stored]);
	size_t i;

	for (i = 0; i < j->nfindings; i++) {
		const struct finding *f = &j->findings[i];

		assert_non_null(f->message);
		words[i] = arena_printf(t->arena, "%s %s%s%s%s %s %s", f->rule,
		    f->subject, f->slice ? "[" : "", f->slice ? f->slice : "",
		    f->slice ? "]" : "", class_names[f->class],
		    level_names[f->level]);
	}
	qsort(words, j->nfindings, sizeof(*words), compare_words);
	for (i = 0; i < j->nfindings; i++)
		text = arena_printf(
		    t->arena, "%s%s%s", text, i ? "; " : ": ", words[i]);
	for (i = 0; i < j->nheld; i++)
		text = arena_printf(t->arena, "%s | %s=%g", text,
		    j->held[i].subject, j->held[i].value);
	return text;
}

/* A record: its run, and the rules that it was judged by. */
static inline struct sample *
put_record(struct table *t, const struct rules *rules, const struct sample *now,
    const char **text, const char *yaml, const char *commit)
{
	struct sample *s = arena_alloc(t->arena, sizeof(*s));
	struct rules then;

	*text = read_sample(t, *text, commit, s);
	read_rules(t, yaml, &s->questions, &then);
	finish_record(t, &then, s);
	side_make(t->arena, rules, &now->questions, &now->qset, &s->reference,
	    &s->qset, &s->side);
	return s;
}

/* What is renamed in a row, as the config's file would have it. */
static inline void
rename_documents(struct table *t, const struct row *row, struct rules *rules)
{
	const char *text = row->documents, *from, *to;
	char word[WORD];

	while (text && next_word(&text, word)) {
		from = key_value(t, word, &to);
		assert_int_equal(
		    renamed_documents_add(
			&rules->renamed_documents, t->arena, 1, from, to),
		    0);
	}
}

/* Everything that judge() is given, from a row. */
struct scene {
	struct rules rules;
	struct sample *now, *before, *good, *origin;
	struct views views;
	struct scores scores;
	struct baseline baseline;
	struct held held[16];
	struct side window[8];
	struct gate_input in;
};

static inline void
add_held(struct scene *scene, const struct sample *s)
{
	size_t i, k;

	for (i = 0; i < s->nheld; i++) {
		for (k = 0; k < scene->in.nheld; k++)
			if (strcmp(scene->held[k].from.subject,
				s->held[i].subject) == 0)
				break;
		if (k == scene->in.nheld)
			scene->held[scene->in.nheld++] =
			    (struct held){s->held[i],
				scene->origin ? &scene->origin->side : NULL};
	}
}

/* The window of creep: before, and the records before it. */
static inline void
set_window(struct table *t, const struct row *row, struct scene *scene)
{
	const char *yaml = row->then ? row->then : row->rules;
	const char *text = row->past;
	size_t most = (size_t)scene->rules.creep.window;

	scene->in.window = scene->window;
	if (scene->before)
		scene->window[scene->in.nwindow++] = scene->before->side;
	while (text && *text)
		scene->window[scene->in.nwindow++] =
		    put_record(t, &scene->rules, scene->now, &text, yaml,
			"past000000000000000000000000000000000000")
			->side;
	if (scene->in.nwindow > most)
		scene->in.nwindow = most;
}

static inline void
set_references(struct table *t, const struct row *row, struct scene *scene)
{
	const char *yaml = row->then ? row->then : row->rules;
	const char *good_yaml = row->good_then ? row->good_then : yaml;
	const char *before = row->before, *good = row->good;
	const char *origin = row->origin;

	scene->baseline = (struct baseline){
	    .outcome = row->outcome ? row->outcome : BASELINE_FIRST,
	    .good_cut = row->good_cut};
	if (!before)
		return;
	scene->before = scene->good = put_record(t, &scene->rules, scene->now,
	    &before, yaml, "before0000000000000000000000000000000000");
	if (good)
		scene->good = put_record(t, &scene->rules, scene->now, &good,
		    good_yaml, "good000000000000000000000000000000000000");
	if (origin)
		scene->origin = put_record(t, &scene->rules, scene->now,
		    &origin, yaml, "held000000000000000000000000000000000000");
	scene->in.before = &scene->before->side;
	scene->in.good = &scene->good->side;
	scene->baseline.outcome = BASELINE_FOUND;
	scene->baseline.before = &scene->before->reference;
	scene->baseline.good = &scene->good->reference;
	scene->baseline.good_accepted = true;
	/* As the program does: what good holds to comes first. */
	add_held(scene, scene->good);
	add_held(scene, scene->before);
}

static inline void
judge_scene(struct table *t, const struct row *row, struct scene *scene,
    struct judgement *judgement)
{
	*scene =
	    (struct scene){.now = arena_alloc(t->arena, sizeof(*scene->now))};
	scene->in = (struct gate_input){.rules = &scene->rules,
	    .questions = &scene->now->questions,
	    .run = &scene->now->run,
	    .views = &scene->views,
	    .scores = &scene->scores,
	    .event = event_find(row->event ? row->event : "push"),
	    .baseline = &scene->baseline,
	    .baseline_required = row->required,
	    .suite = "default",
	    .held = scene->held,
	    .labels = scene->now->labels};
	assert_non_null(scene->in.event);
	assert_int_equal(time_parse(NOW, &scene->in.now), 0);
	read_sample(t, row->now, "now0000000000000000000000000000000000000",
	    scene->now);
	scene->in.nlabels = scene->now->nlabels;
	scene->in.subset = scene->now->subset;
	read_rules(t, row->rules, &scene->now->questions, &scene->rules);
	rename_documents(t, row, &scene->rules);
	make_scores(
	    t, &scene->rules, scene->now, &scene->views, &scene->scores);
	set_references(t, row, scene);
	set_window(t, row, scene);
	if (t->quick)
		scene->views.nitems = 0;
	judge(t->arena, &scene->in, judgement);
}

/* What the gate says of a row. */
static inline const char *
judge_row(struct table *t, const struct row *row)
{
	struct scene *scene = arena_alloc(t->arena, sizeof(*scene));
	struct judgement judgement;

	judge_scene(t, row, scene, &judgement);
	return describe(t, &judgement);
}

#endif
