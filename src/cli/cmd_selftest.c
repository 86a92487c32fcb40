/*
 * evalgate selftest: would the gate turn red?  Each rule's subject is made
 * worse in memory, and the gate has to say so.
 */
#include <stdio.h>
#include <string.h>

#include "cli.h"

struct selftest {
	struct session *s;
	struct qset qset;
	struct reference reference;
	struct side side; /* the run as it is: what is compared with */
	struct run run; /* a copy of it, with something worse */
	size_t nrules, nred;
	size_t nskipped; /* rules that this part of the questions can't break */
	bool failed; /* a rule stayed green */
};

static void
tell(struct selftest *t, const char *word, const char *rule,
    const char *subject, const char *slice, const char *text)
{
	struct buf line;

	if (t->s->options.quiet && strcmp(word, "GREEN") != 0)
		return;
	buf_init(&line);
	buf_printf(&line, "%-6s %-16s", word, rule);
	buf_put_visible(&line, subject);
	if (slice) {
		buf_puts(&line, " [");
		buf_put_visible(&line, slice);
		buf_puts(&line, "]");
	}
	buf_puts(&line, ": ");
	buf_put_visible(&line, text);
	buf_putc(&line, '\n');
	fputs(line.data, stdout);
	buf_free(&line);
}

/* The run as it is again. */
static void
restore(struct selftest *t)
{
	const struct run *run = &t->s->run;

	t->run = *run;
	t->run.answers = arena_array(
	    t->s->arena, run->nanswers + 1, sizeof(*t->run.answers));
	memcpy(t->run.answers, run->answers,
	    run->nanswers * sizeof(*run->answers));
}

/* As if nothing relevant had been found. */
static void
lose(struct selftest *t, size_t question)
{
	const struct question *q = &t->s->questions.items[question];
	struct answer *answer = &t->run.answers[question];

	answer->rank = 0;
	answer_set_ranks(t->s->arena, answer,
	    arena_array(t->s->arena, q->njudgments + 1, sizeof(unsigned)),
	    q->njudgments);
}

static unsigned
rank_of(const struct selftest *t, size_t question, const char *document)
{
	const struct session *s = t->s;
	unsigned rank = 0;

	answer_rank(&s->questions.items[question], &s->run.answers[question],
	    document, s->config.rules.relevance, &rank);
	return rank;
}

/* What the gate says of a subject, made worse; NULL: nothing. */
static const struct finding *
answer_of_gate(struct selftest *t, const char *rule, const char *subject,
    const char *slice)
{
	struct session *s = t->s;
	const struct finding *findings;
	struct judgement judgement;
	struct scores scores;
	size_t i;

	if (scores_make(s->arena, &s->questions, t->run.answers,
		&s->config.rules, &s->views, &scores, s->e) < 0)
		return NULL;
	session_judge(s, &t->run, &scores, &t->side, NULL, 0, &judgement);
	findings = judgement.findings;
	for (i = 0; i < judgement.nfindings; i++)
		if (strcmp(findings[i].rule, rule) == 0 &&
		    strcmp(findings[i].subject, subject) == 0 &&
		    slice_same(findings[i].slice, slice))
			return &findings[i];
	return NULL;
}

/* Asks the gate, and tells what came of it. */
static void
ask(struct selftest *t, const char *rule, const char *subject,
    const char *slice, const char *made)
{
	struct arena *arena = t->s->arena;
	const struct finding *f = answer_of_gate(t, rule, subject, slice);

	t->nrules++;
	/* What could not be compared is called new: no rule fired. */
	if (!f || f->level == LEVEL_INFO || f->class == CLASS_ADDED) {
		t->failed = true;
		tell(t, "GREEN", rule, subject, slice,
		    arena_printf(arena, "%s, and the gate stays green%s%s",
			made, f ? ": " : "", f ? f->message : ""));
		return;
	}
	t->nred += f->level == LEVEL_ERROR;
	tell(t, f->level == LEVEL_ERROR ? "red" : "warns", rule, subject, slice,
	    arena_printf(arena, "%s: %s", made,
		f->class == CLASS_UNTELLABLE ? "no verdict"
					     : class_names[f->class]));
}

static void
stay_green(struct selftest *t, const char *rule, const char *subject,
    const char *slice, const char *why)
{
	t->nrules++;
	t->failed = true;
	tell(t, "GREEN", rule, subject, slice, why);
}

/*
 * A rule that this run can't break, since it answers a part of the questions.
 * Where the config says so of every run, the rule protects nothing.
 */
static void
skip(struct selftest *t, const char *rule, const char *subject,
    const char *slice, const char *why)
{
	if (!t->s->options.only) {
		stay_green(t, rule, subject, slice, why);
		return;
	}
	t->nskipped++;
	tell(t, "skips", rule, subject, slice, why);
}

static void
test_tracked(struct selftest *t, const struct tracked *tracked)
{
	unsigned rank;
	size_t question;
	const char *made;

	questions_index(&t->s->questions, tracked->question,
	    strlen(tracked->question), &question);
	rank = rank_of(t, question, tracked->document);
	if (!rank) {
		stay_green(t, "tracked", tracked->question, NULL,
		    "not found by this run, so it can't get worse");
		return;
	}
	restore(t);
	lose(t, question);
	made = arena_printf(t->s->arena, "rank %u → not found", rank);
	ask(t, "tracked", tracked->question, NULL, made);
	if (tracked->max_rank)
		ask(t, "max_rank", tracked->question, NULL, made);
}

/* A limit of the i-th threshold. */
static void
test_limit(struct selftest *t, size_t i, bool floor)
{
	const struct session *s = t->s;
	const char *rule = floor ? "min" : "max_drop";
	const char *name = s->config.rules.thresholds[i].measure.name;
	const char *slice = s->views.items[s->views.of_threshold[i]].name;
	const char *why = part_unjudged(s, i, floor);

	if (why)
		skip(t, rule, name, slice,
		    arena_printf(s->arena, "not judged %s", why));
	else
		ask(t, rule, name, slice, "nothing found");
}

static void
test_threshold(struct selftest *t, size_t i)
{
	struct session *s = t->s;
	const struct threshold *threshold = &s->config.rules.thresholds[i];
	const struct view *view = &s->views.items[s->views.of_threshold[i]];
	size_t q;

	restore(t);
	for (q = 0; q < s->questions.nitems; q++)
		if (view_has(view, &s->questions, q))
			lose(t, q);
	if (threshold->has_max_drop)
		test_limit(t, i, false);
	if (threshold->has_min)
		test_limit(t, i, true);
}

static void
test_budget(struct selftest *t)
{
	struct session *s = t->s;
	const struct budget *budget = &s->config.rules.budget;
	int64_t n = 0;
	size_t q;

	restore(t);
	for (q = 0; q < s->questions.nitems && n <= budget->max; q++) {
		if (!question_counts(&s->questions.items[q]) ||
		    !rank_of(t, q, NULL) ||
		    rules_tracked(&s->config.rules, s->questions.items[q].id))
			continue;
		lose(t, q);
		n++;
	}
	if (s->options.only && n <= budget->max) {
		skip(t, "worse_questions", "worse_questions", NULL,
		    arena_printf(s->arena,
			"%lld may fall, and only %lld untracked can%s",
			(long long)budget->max, (long long)n, part_text(s)));
		return;
	}
	ask(t, "worse_questions", "worse_questions", NULL,
	    arena_printf(s->arena, "%lld untracked question%s lost",
		(long long)n, n == 1 ? "" : "s"));
}

static int
run(struct session *s)
{
	struct selftest t = {.s = s};
	const struct rules *rules = &s->config.rules;
	size_t i;

	session_find_config_repo(s);
	if (session_read_config(s) < 0 || session_read_run(s) < 0)
		return EXIT_INPUT;
	qset_make(s->arena, &s->questions, &t.qset);
	session_reference(
	    s, "this run", &s->run, &t.qset, &t.reference, &t.side);
	for (i = 0; i < rules->ntracked; i++)
		test_tracked(&t, &rules->tracked[i]);
	for (i = 0; i < rules->nthresholds; i++)
		test_threshold(&t, i);
	if (rules->budget.on)
		test_budget(&t);
	printf("%zu of %zu rules turn the gate red when their subject gets "
	       "worse",
	    t.nred, t.nrules);
	if (t.nskipped)
		printf(", %zu more %s not judged on this part", t.nskipped,
		    t.nskipped == 1 ? "is" : "are");
	putchar('\n');
	/* Where all is skipped, nothing was shown to turn red. */
	return t.failed || (t.nskipped && !t.nrules) ? EXIT_GATE : EXIT_PASS;
}

const struct command command_selftest = {
    .name = "selftest",
    .bit = COMMAND_SELFTEST,
    .synopsis = "selftest [OPTION]... RUN...",
    .summary = "worsen each rule's subject in memory: does the gate turn red?",
    .help = "Takes RUN as it is for the baseline, then loses each tracked "
	    "question, and everything\nthat each threshold looks at, and "
	    "shows what the gate says.  Exit 1 where a rule stays\ngreen: it "
	    "protects nothing.  Nothing is stored.\n",
    .run = run,
};
