/*
 * What holds of every verdict, on cases that a seeded generator makes up:
 * each property is judged some thousand times, the same ones in each run.
 */
#include "test_verdict.h"

#define CASES 3000
#define MOST 6 /* questions of a case; their ids are a to f */
#define LOSS 2 /* max_loss of tracked ones, at most */

/* -------------------------------------------------------------- chance -- */

struct chance {
	uint64_t state;
};

/* 0 .. n - 1: splitmix64 (Steele, Lea & Flood 2014), its bias no matter. */
static unsigned
below(struct chance *chance, unsigned n)
{
	uint64_t z = (chance->state += 0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return (unsigned)((z ^ (z >> 31)) % n);
}

/* --------------------------------------------------------------- cases -- */

/* Ranks of all questions, 0: not found. */
struct ranks {
	unsigned of[MOST];
	unsigned depth; /* 0: without bound */
};

struct limits {
	bool tracked;
	unsigned max_loss;
	unsigned max_rank; /* 0: none */
};

/* A case before it is text. */
struct made {
	size_t n;
	struct limits limits[MOST];
	struct ranks good, before, now;
	bool two; /* good is another than before */
	unsigned min, max_drop; /* tenths; above 9: none */
	unsigned budget; /* questions; above 2: none */
	unsigned window; /* of creep, 0: none */
	unsigned event;
};

static unsigned
made_rank(struct chance *chance, const struct ranks *ranks)
{
	unsigned most = ranks->depth && ranks->depth < 12 ? ranks->depth : 12;

	return below(chance, most + 1);
}

static void
make_ranks(struct chance *chance, size_t n, struct ranks *ranks)
{
	size_t i;

	ranks->depth = below(chance, 3) ? 0 : 4 + below(chance, 12);
	for (i = 0; i < n; i++)
		ranks->of[i] = made_rank(chance, ranks);
}

/* Often next to what was, since limits lie there. */
static void
make_near(struct chance *chance, size_t n, const struct ranks *then,
    struct ranks *ranks)
{
	size_t i;

	make_ranks(chance, n, ranks);
	for (i = 0; i < n; i++)
		if (then->of[i] && below(chance, 2))
			ranks->of[i] = then->of[i] + below(chance, LOSS + 2);
	for (i = 0; i < n; i++)
		if (ranks->depth && ranks->of[i] > ranks->depth)
			ranks->of[i] = 0;
}

static struct made
make(struct chance *chance)
{
	struct made m = {.n = 1 + below(chance, MOST)};
	size_t i;

	for (i = 0; i < m.n; i++)
		m.limits[i] = (struct limits){.tracked = below(chance, 2) == 0,
		    .max_loss = below(chance, LOSS + 1),
		    .max_rank = below(chance, 3) ? 0 : 1 + below(chance, 10)};
	make_ranks(chance, m.n, &m.good);
	make_near(chance, m.n, &m.good, &m.before);
	make_near(chance, m.n, below(chance, 2) ? &m.good : &m.before, &m.now);
	m.two = below(chance, 2);
	m.min = below(chance, 20);
	m.max_drop = below(chance, 20);
	m.budget = below(chance, 6);
	m.window = below(chance, 3);
	m.event = below(chance, (unsigned)nevents);
	return m;
}

/* The letter of question i, by the order wanted; NULL: as they are. */
static char
letter(const size_t *order, size_t i)
{
	return (char)('a' + (order ? order[i] : i));
}

static const char *
side_text(struct table *t, const struct made *m, const struct ranks *ranks,
    const size_t *order)
{
	const char *text = "";
	size_t at, i;

	for (at = 0; at < m->n; at++)
		for (i = 0; i < m->n; i++)
			if (letter(order, i) == (char)('a' + at))
				text = arena_printf(t->arena, "%s%c=%u ", text,
				    letter(order, i), ranks->of[i]);
	if (ranks->depth)
		text = arena_printf(t->arena, "%s@%u", text, ranks->depth);
	return text;
}

static const char *
tracked_text(
    struct table *t, const struct made *m, size_t i, const size_t *order)
{
	const struct limits *l = &m->limits[i];
	const char *text;

	text = arena_printf(t->arena, "- {question: %c, max_loss: %u",
	    letter(order, i), l->max_loss);
	if (l->max_rank)
		text = arena_printf(
		    t->arena, "%s, max_rank: %u", text, l->max_rank);
	return arena_printf(t->arena, "%s}\n", text);
}

/* The config; backwards: every list of it from its end. */
static const char *
rules_text(
    struct table *t, const struct made *m, const size_t *order, bool backwards)
{
	const char *tracked = "", *thresholds = "", *one, *rest = "";
	const char *const metrics[] = {"mrr", "hit@1"};
	size_t i;

	for (i = 0; i < m->n; i++) {
		if (!m->limits[i].tracked)
			continue;
		one = tracked_text(t, m, i, order);
		tracked = arena_printf(t->arena, "%s%s",
		    backwards ? one : tracked, backwards ? tracked : one);
	}
	for (i = 0; i < COUNT(metrics); i++) {
		one = "";
		if (m->min < 10)
			one = arena_printf(t->arena, ", min: 0.%u",
			    (m->min + 3 * (unsigned)i) % 10);
		if (m->max_drop < 10)
			one = arena_printf(
			    t->arena, "%s, max_drop: 0.%u", one, m->max_drop);
		if (!*one)
			continue;
		one = arena_printf(
		    t->arena, "- {metric: %s%s}\n", metrics[i], one);
		thresholds = arena_printf(t->arena, "%s%s",
		    backwards ? one : thresholds, backwards ? thresholds : one);
	}
	if (m->budget <= 2)
		rest = arena_printf(
		    t->arena, "worse_questions: {max: %u, by: 2}\n", m->budget);
	if (m->window)
		rest = arena_printf(t->arena,
		    "%screep: {window: %u, level: error}\n", rest, m->window);
	return arena_printf(t->arena, "metrics: [%s]\n%s%s%s%s%s",
	    backwards ? "hit@1, mrr" : "mrr, hit@1",
	    *tracked ? "tracked:\n" : "", tracked,
	    *thresholds ? "thresholds:\n" : NO_AVERAGES, thresholds, rest);
}

static struct row
row_of(
    struct table *t, const struct made *m, const size_t *order, bool backwards)
{
	const char *good = side_text(t, m, &m->good, order);

	return (struct row){.rules = rules_text(t, m, order, backwards),
	    .event = event_table[m->event]->name,
	    .good = m->two ? good : NULL,
	    .before = m->two ? arena_printf(t->arena, "%s ^fail",
				   side_text(t, m, &m->before, order))
			     : good,
	    .past = m->two ? good : NULL,
	    .now = side_text(t, m, &m->now, order)};
}

static void
say_row(const struct row *row)
{
	print_error("rules\n%sevent %s\ngood   %s\nbefore %s\nnow    %s\n",
	    row->rules, row->event, row->good, row->before, row->now);
}

#define assert_row(row, claim) \
	do { \
		if (!(claim)) \
			say_row(row); \
		assert_true(claim); \
	} while (0)

/* Each case in an arena of its own. */
static void
each(uint64_t seed, void (*judge_case)(struct table *, struct chance *))
{
	struct chance chance = {seed};
	size_t i;

	for (i = 0; i < CASES; i++) {
		struct table t = {.arena = arena_new(), .quick = true};

		t.e.arena = t.arena;
		judge_case(&t, &chance);
		arena_free(t.arena);
	}
}

/* ---------------------------------------------------------- properties -- */

/* As the rule reads: a rank beyond, or a miss where it would have shown. */
static bool
provably_worse(const struct ranks *now, const struct ranks *then, size_t i,
    unsigned max_loss)
{
	unsigned rank = then->of[i];

	if (!rank)
		return false;
	if (now->of[i])
		return now->of[i] > rank + max_loss;
	return !now->depth || now->depth >= rank + max_loss ||
	    (then->depth && now->depth >= then->depth);
}

static void
no_pass(struct table *t, struct chance *chance)
{
	struct made m = make(chance);
	struct row row = row_of(t, &m, NULL, false);
	const struct ranks *before = m.two ? &m.before : &m.good;
	struct scene *scene = arena_alloc(t->arena, sizeof(*scene));
	struct judgement judgement;
	bool worse = false, both = false;
	size_t i;

	for (i = 0; i < m.n; i++) {
		const struct limits *l = &m.limits[i];

		if (!l->tracked ||
		    !provably_worse(&m.now, &m.good, i, l->max_loss))
			continue;
		worse = true;
		both |= provably_worse(&m.now, before, i, l->max_loss);
	}
	judge_scene(t, &row, scene, &judgement);
	if (worse) {
		assert_row(&row, judgement.stored != RECORD_PASS);
		assert_row(&row,
		    scene->in.event->innocent ||
			judgement.verdict == VERDICT_FAIL);
	}
	/* Whoever worsens it is to blame, on a pull request too. */
	if (both)
		assert_row(&row, judgement.verdict == VERDICT_FAIL);
}

static void
test_no_pass_where_a_tracked_rank_worsened(void **state)
{
	(void)state;
	each(1, no_pass);
}

/* Nor does it miss a limit that it had not missed before. */
static void
nothing_new(struct table *t, struct chance *chance)
{
	struct made m = make(chance);
	struct judgement judgement;
	struct row row;
	size_t i;

	m.now = m.two ? m.before : m.good;
	row = row_of(t, &m, NULL, false);
	/* What misses a limit has not passed. */
	row.before = arena_printf(t->arena, "%s ^fail", row.before);
	judge_scene(
	    t, &row, arena_alloc(t->arena, sizeof(struct scene)), &judgement);
	for (i = 0; i < judgement.nfindings; i++)
		assert_row(&row,
		    judgement.findings[i].class != CLASS_NEW_REGRESSION &&
			judgement.findings[i].class != CLASS_BELOW_LIMIT);
}

static void
test_nothing_new_where_nothing_changed(void **state)
{
	(void)state;
	each(2, nothing_new);
}

/* Floors are of all questions; everything else is of those before. */
static void
one_more(struct table *t, struct chance *chance)
{
	struct made m = make(chance);
	const char *one, *two;
	struct row row;

	m.min = 10;
	row = row_of(t, &m, NULL, false);
	one = judge_row(t, &row);
	/* Before the first, or behind the last. */
	row.now = below(chance, 2) ? arena_printf(t->arena, "A=7 %s", row.now)
				   : arena_printf(t->arena, "%s z=7", row.now);
	two = judge_row(t, &row);
	if (strcmp(one, two) != 0)
		say_row(&row);
	assert_string_equal(one, two);
}

static void
test_a_further_question_changes_nothing(void **state)
{
	(void)state;
	each(3, one_more);
}

static void
shuffle(struct chance *chance, size_t *order, size_t n)
{
	size_t i, k, other;

	for (i = 0; i < n; i++) {
		k = below(chance, (unsigned)i + 1);
		other = i;
		order[i] = order[k];
		order[k] = other;
	}
}

/* The findings with today's letters put back, in bytewise order. */
static const char *
findings_text(struct table *t, const struct made *m,
    const struct judgement *judgement, const size_t *order)
{
	const char **words =
	    arena_array(t->arena, judgement->nfindings + 1, sizeof(*words));
	const char *text =
	    arena_printf(t->arena, "%s %s", verdict_names[judgement->verdict],
		record_verdict_names[judgement->stored]);
	size_t i, k;

	for (i = 0; i < judgement->nfindings; i++) {
		const struct finding *f = &judgement->findings[i];
		const char *subject = f->subject;

		for (k = 0; order && !subject[1] && k < m->n; k++)
			if (letter(order, k) == *f->subject)
				subject = arena_printf(
				    t->arena, "%c", letter(NULL, k));
		words[i] = arena_printf(t->arena, "%s %s %s %s %g %g", f->rule,
		    subject, class_names[f->class], level_names[f->level],
		    f->baseline, f->current);
	}
	qsort(words, judgement->nfindings, sizeof(*words), compare_words);
	for (i = 0; i < judgement->nfindings; i++)
		text = arena_printf(t->arena, "%s\n%s", text, words[i]);
	return text;
}

static const char *
findings_of(
    struct table *t, const struct made *m, const size_t *order, bool backwards)
{
	struct scene *scene = arena_alloc(t->arena, sizeof(*scene));
	struct row row = row_of(t, m, order, backwards);
	struct judgement judgement;

	judge_scene(t, &row, scene, &judgement);
	return findings_text(t, m, &judgement, order);
}

static void
any_order(struct table *t, struct chance *chance)
{
	struct made m = make(chance);
	const char *one = findings_of(t, &m, NULL, false);
	size_t order[MOST];

	shuffle(chance, order, m.n);
	assert_string_equal(findings_of(t, &m, NULL, true), one);
	assert_string_equal(findings_of(t, &m, order, false), one);
	assert_string_equal(findings_of(t, &m, order, true), one);
}

static void
test_no_order_matters(void **state)
{
	(void)state;
	each(4, any_order);
}

/* -------------------------------------------------------------- chains -- */

#define LINKS 6

/* A loss that a waiver covers for a while, and rules that would fail it. */
struct loss {
	const char *rules;
	const char *waiver; /* what it is of */
	const char *subject;
	unsigned max_loss;
};

static const struct loss losses[] = {
    {ONE, "question: a", "question/a", 0},
    {ONE_WITH("max_loss: 2"), "question: a", "question/a", 2},
    {"worse_questions: {max: 0, by: 2}\n" NO_AVERAGES, "question: a",
	"question/a", 1},
    {"metrics: [mrr]\n", "metric: mrr", "metric/mrr", 0},
    {HIT("max_drop: 0") "tracked: [b]\n", "metric: hit@1", "metric/hit@1", 0},
};

static const char *
with_waiver(struct table *t, const struct loss *loss, const char *until)
{
	return arena_printf(t->arena,
	    "%swaivers: [{%s, until: %s, reason: r}]\n", loss->rules,
	    loss->waiver, until);
}

/* What a record of this run looks like to the next. */
static const char *
recorded(struct table *t, const char *side, const struct judgement *judgement)
{
	const char *text = arena_printf(
	    t->arena, "%s ^%s", side, record_verdict_names[judgement->stored]);
	size_t i;

	for (i = 0; i < judgement->nheld; i++) {
		const struct record_held *held = &judgement->held[i];

		text = arena_printf(t->arena, "%s held:%s=%.17g", text,
		    held->subject, held->value);
		if (held->depth != DEPTH_UNBOUNDED)
			text =
			    arena_printf(t->arena, "%s@%u", text, held->depth);
	}
	return text;
}

/*
 * A rank that is worse than the first, for all that can be told: a waiver
 * does not cover what can't.
 */
static const char *
worse_side(struct table *t, struct chance *chance, unsigned first,
    const struct loss *loss)
{
	unsigned rank = first + loss->max_loss + 1 + below(chance, 5);

	return arena_printf(t->arena, "a=%u b=1 c=1%s",
	    below(chance, 4) ? rank : 0, below(chance, 3) ? "" : " @30");
}

/* The next run of a chain, judged. */
static const char *
next(struct table *t, struct row *row, const char *side,
    struct judgement *judgement)
{
	row->now = side;
	judge_scene(
	    t, row, arena_alloc(t->arena, sizeof(struct scene)), judgement);
	return recorded(t, side, judgement);
}

/*
 * However many records passed under a waiver, and with failed retrieval in
 * between: when it is over or gone, and the loss is there, it fails; and
 * passes where it is made good.
 */
static void
expiring(struct table *t, struct chance *chance)
{
	const struct loss *loss = &losses[below(chance, COUNT(losses))];
	unsigned first = 1, n = 1 + below(chance, LINKS), i;
	const char *covered = with_waiver(t, loss, "2026-12-01"), *record;
	const char *start = arena_printf(t->arena, "a=%u b=1 c=1", first);
	struct row row = {.rules = covered, .then = covered, .before = start};
	struct judgement judgement;

	for (i = 0; i < n; i++) {
		bool failed = i && below(chance, 6) == 0;

		record = next(t, &row,
		    failed ? "a=e b=1 c=1" : worse_side(t, chance, first, loss),
		    &judgement);
		assert_row(&row,
		    judgement.verdict ==
			(failed ? VERDICT_NONE : VERDICT_PASS));
		assert_int_equal(judgement.nheld, 1);
		assert_string_equal(judgement.held[0].subject, loss->subject);
		assert_true(judgement.held[0].value == 1);
		/* The last that passed is good, and the last one before. */
		row.good = failed ? row.good ? row.good : row.before : NULL;
		row.before = record;
	}
	row.rules =
	    below(chance, 2) ? loss->rules : with_waiver(t, loss, "2026-11-30");
	next(t, &row, worse_side(t, chance, first, loss), &judgement);
	assert_row(&row, judgement.verdict == VERDICT_FAIL);
	assert_row(&row, judgement.stored == RECORD_FAIL);
	assert_row(&row, judgement.nheld == 1);
	next(t, &row, start, &judgement);
	assert_row(&row, judgement.verdict == VERDICT_PASS);
	assert_row(&row, judgement.nheld == 0);
}

static void
test_a_waiver_launders_nothing(void **state)
{
	(void)state;
	each(5, expiring);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_no_pass_where_a_tracked_rank_worsened),
	    cmocka_unit_test(test_nothing_new_where_nothing_changed),
	    cmocka_unit_test(test_a_further_question_changes_nothing),
	    cmocka_unit_test(test_no_order_matters),
	    cmocka_unit_test(test_a_waiver_launders_nothing),
	};

	return cmocka_run_group_tests(tests, open_library, close_library);
}
