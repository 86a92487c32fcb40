/*
 * Verdicts by tables: what was, what is, the rules, and what the gate must
 * say.  A row is read from its fields' texts, so that it can be read by a
 * person too.
 *
 * A side is "a=5 b=1 c=0": ranks, 0 is not found, e errored.  "@10" is how
 * deep it looked, else without bound.  A question has the document doc-<id>;
 * a' is another question by the id of a.  "^fail" is a record's verdict,
 * "held:a=5" what it holds a to, "k:model=x" a label.
 */
#include <math.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "evalgate/gate.h"

/* After ours: it has a macro fail. */
#include <cmocka.h>

#define WORD 64
#define NOW "2026-12-01T12:00:00Z"

struct row {
	const char *name;
	const char *rules; /* YAML */
	const char *event; /* NULL: push */
	/* The last good record; NULL: before is good itself. */
	const char *good;
	const char *before; /* NULL: there is no record */
	const char *then; /* the rules of both records; NULL: the same */
	const char *now;
	/* "fail stored-as: rule subject class level; ..." */
	const char *want;
};

#include "verdicts.h"

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
};

struct table {
	struct arena *arena;
	struct error e;
};

static bool
next_word(const char **text, char *word)
{
	size_t n;

	*text += strspn(*text, " ");
	n = strcspn(*text, " ");
	assert_true(n < WORD);
	memcpy(word, *text, n);
	word[n] = '\0';
	*text += n;
	return n > 0;
}

static const struct question_more more = {.file = "questions"};

static struct question
question(struct table *t, const char *id, bool other)
{
	struct judgment *judgment = arena_alloc(t->arena, sizeof(*judgment));

	judgment->document =
	    arena_printf(t->arena, "doc-%s%s", id, other ? "-2" : "");
	judgment->grade = 1;
	return (struct question){.id = id,
	    .text = id,
	    .judgments = judgment,
	    .njudgments = 1,
	    .holdout = *id == 'h',
	    .more = &more,
	    .line = 1};
}

/* "a=5" */
static void
add_question(struct table *t, struct sample *s, char *word)
{
	struct question *items = (struct question *)s->questions.items;
	struct answer *answers = (struct answer *)s->run.answers;
	char *equals = strchr(word, '=');
	unsigned *rank = arena_alloc(t->arena, sizeof(*rank));
	size_t i = s->questions.nitems++;
	bool other;

	assert_non_null(equals);
	*equals = '\0';
	other = equals > word && equals[-1] == '\'';
	if (other)
		equals[-1] = '\0';
	items[i] = question(t, arena_strdup(t->arena, word), other);
	*rank = (unsigned)strtoul(equals + 1, NULL, 10);
	answers[i] = (struct answer){.present = true,
	    .errored = equals[1] == 'e',
	    .ranks = rank,
	    .line = 1};
}

static const char *
key_value(struct table *t, char *word, const char **value)
{
	char *equals = strchr(word, '=');

	assert_non_null(equals);
	*equals = '\0';
	*value = arena_strdup(t->arena, equals + 1);
	return arena_strdup(t->arena, word);
}

static void
add_word(struct table *t, struct sample *s, char *word)
{
	const char *key, *value;

	if (*word == '@') {
		s->run.depth = (unsigned)strtoul(word + 1, NULL, 10);
	} else if (*word == '^') {
		s->record.verdict = strcmp(word, "^fail") == 0 ? RECORD_FAIL
		    : strcmp(word, "^none") == 0               ? RECORD_NONE
							       : RECORD_PASS;
	} else if (strncmp(word, "k:", 2) == 0) {
		key = key_value(t, word + 2, &value);
		s->labels[s->nlabels++] = (struct field){key, value};
	} else if (strncmp(word, "held:", 5) == 0) {
		key = key_value(t, word + 5, &value);
		s->held[s->nheld++] = (struct record_held){
		    .subject = arena_printf(t->arena,
			strpbrk(key, "@m") ? "metric/%s" : "question/%s", key),
		    .commit = "held000000000000000000000000000000000000",
		    .value = strtod(value, NULL),
		    .depth = DEPTH_UNBOUNDED};
	} else {
		add_question(t, s, word);
	}
}

static void
read_sample(
    struct table *t, const char *text, const char *commit, struct sample *s)
{
	char word[WORD];
	size_t i;

	*s = (struct sample){.run.depth = DEPTH_UNBOUNDED};
	s->questions.items =
	    arena_array(t->arena, 64, sizeof(*s->questions.items));
	s->run.answers = arena_array(t->arena, 64, sizeof(*s->run.answers));
	while (next_word(&text, word))
		add_word(t, s, word);
	s->run.nanswers = s->questions.nasked = s->questions.nanswerable =
	    s->questions.nitems;
	for (i = 0; i < s->questions.nitems; i++)
		s->run.nmissing += !s->run.answers[i].present;
	qset_make(t->arena, &s->questions, &s->qset);
	s->record.commit = commit;
	s->record.tree = commit;
	s->record.rules = RECORD_RULES;
	s->record.depth = s->run.depth;
	s->record.labels = s->labels;
	s->record.nlabels = s->nlabels;
	s->record.held = s->held;
	s->record.nheld = s->nheld;
	record_set_ranks(t->arena, &s->record, &s->questions, &s->run);
	s->reference = (struct reference){.record = &s->record, .distance = 1};
}

static void
read_rules(struct table *t, const char *yaml, const struct questions *questions,
    struct rules *rules)
{
	struct source source = {"rules", 1, yaml, strlen(yaml)};
	const struct value *tree = yaml_read(t->arena, &source, &t->e);

	if (!tree || rules_read(t->arena, tree, "rules", rules, &t->e) < 0 ||
	    rules_bind(t->arena, rules, questions, &t->e) < 0)
		fail_msg("%s: %s", yaml, t->e.items[0].text);
}

/* What a record says of the metrics, and the gate it was judged by. */
static void
finish_record(struct table *t, const struct rules *rules, struct sample *s)
{
	struct record_metric *metrics =
	    arena_array(t->arena, rules->nmeasures + 1, sizeof(*metrics));
	struct scores scores;
	struct views views;
	size_t i;

	assert_int_equal(
	    views_make(t->arena, rules, &s->questions, &views, &t->e), 0);
	assert_int_equal(scores_make(t->arena, &s->questions, s->run.answers,
			     rules, &views, &scores, &t->e),
	    0);
	for (i = 0; i < rules->nmeasures; i++)
		metrics[i] = (struct record_metric){
		    rules->measures[i].name, scores.means[i]};
	s->record.metrics = metrics;
	s->record.nmetrics = rules->nmeasures;
	rules_record(t->arena, rules, &s->record);
}

static int
compare_words(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* "fail fail: tracked a new-regression error; ..." in bytewise order. */
static const char *
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

static void
put_side(struct table *t, const struct rules *rules, const struct sample *now,
    struct sample *then)
{
	side_make(t->arena, rules, &now->questions, &now->qset,
	    &then->reference, &then->qset, &then->side);
}

static const char *
judge_row(struct table *t, const struct row *row)
{
	struct sample *now = arena_alloc(t->arena, sizeof(*now));
	struct sample *before = arena_alloc(t->arena, sizeof(*before));
	struct sample *good = arena_alloc(t->arena, sizeof(*good));
	struct baseline baseline = {.outcome = BASELINE_FIRST};
	struct rules rules, then;
	struct judgement judgement;
	struct gate_input in = {.rules = &rules,
	    .questions = &now->questions,
	    .run = &now->run,
	    .event = event_find(row->event ? row->event : "push"),
	    .baseline = &baseline,
	    .suite = "default"};
	struct held held[16];
	struct scores scores;
	struct views views;
	size_t i;

	read_sample(
	    t, row->now, "now0000000000000000000000000000000000000", now);
	read_rules(t, row->rules, &now->questions, &rules);
	assert_int_equal(
	    views_make(t->arena, &rules, &now->questions, &views, &t->e), 0);
	assert_int_equal(scores_make(t->arena, &now->questions,
			     now->run.answers, &rules, &views, &scores, &t->e),
	    0);
	assert_int_equal(time_parse(NOW, &in.now), 0);
	in.views = &views;
	in.scores = &scores;
	in.labels = now->labels;
	in.nlabels = now->nlabels;
	if (row->before) {
		read_sample(t, row->before,
		    "before0000000000000000000000000000000000", before);
		read_rules(t, row->then ? row->then : row->rules,
		    &before->questions, &then);
		finish_record(t, &then, before);
		put_side(t, &rules, now, before);
		in.before = in.good = &before->side;
		in.window = &before->side;
		in.nwindow = 1;
		baseline.outcome = BASELINE_FOUND;
		baseline.before = baseline.good = &before->reference;
		baseline.good_accepted = true;
	}
	if (row->good) {
		read_sample(t, row->good,
		    "good000000000000000000000000000000000000", good);
		read_rules(t, row->then ? row->then : row->rules,
		    &good->questions, &then);
		finish_record(t, &then, good);
		put_side(t, &rules, now, good);
		in.good = &good->side;
		baseline.good = &good->reference;
	}
	for (i = 0; row->before && i < before->nheld; i++)
		held[in.nheld++] = (struct held){before->held[i], NULL};
	in.held = held;
	judge(t->arena, &in, &judgement);
	return describe(t, &judgement);
}

static void
test_rows(void **state)
{
	size_t i, nwrong = 0;

	(void)state;
	for (i = 0; i < COUNT(rows); i++) {
		struct table t = {.arena = arena_new()};
		const char *got;

		t.e.arena = t.arena;
		got = judge_row(&t, &rows[i]);
		if (strcmp(got, rows[i].want) != 0) {
			print_error("%s\n  got    %s\n  wanted %s\n",
			    rows[i].name, got, rows[i].want);
			nwrong++;
		}
		arena_free(t.arena);
	}
	if (nwrong)
		fail_msg("%zu of %zu rows are wrong", nwrong, COUNT(rows));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
