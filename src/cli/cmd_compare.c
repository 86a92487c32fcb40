/* evalgate compare: two runs side by side, from files or from records. */
#include <string.h>
#include <unistd.h>

#include "cli.h"

struct comparing {
	struct session *s;
	struct gating g; /* its notes, its questions and what A holds */
};

static bool
is_file(const char *name)
{
	return strcmp(name, "-") == 0 || access(name, F_OK) == 0;
}

/* The newest record of a commit that is not dirty; NULL after an error. */
static const struct record *
record_of(struct comparing *c, const char *revision)
{
	struct session *s = c->s;
	const struct record *newest;
	struct record *records;
	struct skipped skipped;
	const char *id;
	size_t n;

	if (!s->repo) {
		fail(s->e, "'%s' is no file, and there is no repository",
		    revision);
		return NULL;
	}
	if (!c->g.notes &&
	    notes_load(s->arena, s->repo, s->config.suite, &c->g.notes, s->e) <
		0)
		return NULL;
	if (session_revision(s, c->g.notes, revision, &id) != REVISION_KNOWN) {
		repo_resolve(s->repo, revision, &id, s->e);
		return NULL;
	}
	if (session_records(s, c->g.notes, id, &records, &n, &skipped) < 0)
		return NULL;
	if (skipped.ncarried)
		session_notice(s, carried_text(s->arena, skipped.ncarried));
	newest = records_newest(records, n);
	if (!newest)
		fail(s->e, "commit %.7s ('%s') has no record%s in suite '%s'",
		    id, revision, skipped.ncarried ? " of its own" : "",
		    s->config.suite);
	return newest;
}

/* A record, or a results file that stands for one. */
static int
side_of(struct comparing *c, const char *name, struct reference *reference,
    struct side *side)
{
	struct session *s = c->s;
	struct qset *qset;

	*reference = (struct reference){.record = NULL};
	if (is_file(name))
		return session_read_reference(
		    s, name, &c->g.qset, reference, side);
	qset = arena_alloc(s->arena, sizeof(*qset));
	reference->record = record_of(c, name);
	if (!reference->record)
		return -1;
	return gating_side(s, &c->g, reference, qset, side);
}

/*
 * What a record does not answer, or answered as another question: a tracked
 * one is a miss, every other is left out, as in a subset.
 */
static void
leave_out(struct comparing *c, const struct side *side, struct named *left)
{
	struct session *s = c->s;
	struct questions *questions = &s->questions;
	size_t i;

	questions->nasked = questions->nanswerable = 0;
	for (i = 0; i < questions->nitems; i++) {
		struct question *q = &questions->items[i];
		struct answer *answer = &s->run.answers[i];

		*answer = side->answers[i];
		answer->errored = side->changes[i] == CHANGE_ERRORED;
		answer->present =
		    answer->errored || side->changes[i] == CHANGE_NONE;
		if (!answer->present)
			answer_set_ranks(s->arena, answer,
			    arena_array(
				s->arena, q->njudgments + 1, sizeof(unsigned)),
			    q->njudgments);
		if (!answer->present && !q->left_out &&
		    !rules_tracked(&s->config.rules, q->id)) {
			named_add(s->arena, left, q);
			q->left_out = true;
		}
		questions->nasked += !q->left_out;
		questions->nanswerable += question_counts(q);
		s->run.nmissing += question_counts(q) && !answer->present;
	}
}

/* A record's answers in place of a run. */
static int
run_of_record(struct comparing *c, const char *name)
{
	struct session *s = c->s;
	struct reference reference;
	struct named left = {.n = 0}, gone = {.n = 0};
	struct side side;
	size_t i;

	if (side_of(c, name, &reference, &side) < 0)
		return -1;
	s->run = (struct run){.nanswers = s->questions.nitems,
	    .repeats = 1,
	    .depth = reference.record->depth,
	    .format = "record"};
	s->run.answers =
	    arena_array(s->arena, s->run.nanswers + 1, sizeof(*s->run.answers));
	if (!s->config.subset)
		s->config.subset = reference.record->subset;
	leave_out(c, &side, &left);
	for (i = 0; i < side.nremoved; i++)
		named_add(
		    s->arena, &gone, &(struct question){.id = side.removed[i]});
	if (left.n)
		session_notice(s,
		    arena_printf(s->arena,
			"%zu question%s left out, which the record of %s lacks "
			"or has otherwise%s",
			left.n, left.n == 1 ? "" : "s", name,
			named_list(s->arena, &left)));
	if (gone.n)
		session_notice(s,
		    arena_printf(s->arena,
			"%zu question%s of the record of %s %s no longer "
			"asked%s",
			gone.n, gone.n == 1 ? "" : "s", name,
			gone.n == 1 ? "is" : "are",
			named_list(s->arena, &gone)));
	if (!s->questions.nanswerable)
		return fail(s->e,
		    "the record of '%s' answers no question as it is asked now",
		    name);
	/* Means run over what is left. */
	return views_make(
	    s->arena, &s->config.rules, &s->questions, &s->views, s->e);
}

static int
read_current(struct comparing *c, const char *name)
{
	struct session *s = c->s;

	if (!is_file(name))
		return run_of_record(c, name);
	return session_read_other(s, name, &s->questions, &s->run);
}

static int
report_sides(struct comparing *c, const char *const *names,
    const struct reference *reference, const struct side *side)
{
	struct session *s = c->s;
	struct judgement judgement;
	struct baseline baseline = {.outcome = BASELINE_FOUND,
	    .before = reference,
	    .good = reference,
	    .good_accepted = true,
	    .reason = "as asked"};
	struct report report = {
	    .judgement = &judgement,
	    .event = event_find("local"),
	    .baseline = &baseline,
	    .before = side,
	    .good = side,
	    .compared_only = !s->options.fail,
	    .subject = names[1],
	};

	if (s->options.fail)
		part_say(s);
	session_judge(s, &s->run, &s->scores, side, c->g.past.held,
	    c->g.past.nheld, &judgement);
	report.exit =
	    s->options.fail ? verdict_exit(judgement.verdict) : EXIT_PASS;
	if (output_report(s, &report) < 0)
		return EXIT_ENVIRONMENT;
	return report.exit;
}

static int
run(struct session *s)
{
	struct comparing c = {.s = s};
	const struct words *args = &s->options.args;
	struct reference reference;
	struct side side;
	size_t i;

	if (args->n != 2) {
		fail(s->e, "compare needs two results files or revisions");
		return EXIT_INPUT;
	}
	session_find_repo(s);
	if (session_read_config(s) < 0)
		return EXIT_INPUT;
	/* A CSV may be its own question file here, too. */
	for (i = 2; i-- > 0 && !s->run_files.n;)
		if (is_file(args->items[i]))
			s->run_files = (struct words){&args->items[i], 1, 1};
	if (session_read_questions(s) < 0)
		return EXIT_INPUT;
	qset_make(s->arena, &s->questions, &c.g.qset);
	/* B first: what it leaves out is not asked of A. */
	if (read_current(&c, args->items[1]) < 0 ||
	    side_of(&c, args->items[0], &reference, &side) < 0 ||
	    past_held(s, &c.g, reference.record) < 0 || session_score(s) < 0)
		return EXIT_INPUT;
	return report_sides(&c, args->items, &reference, &side);
}

const struct command command_compare = {
    .name = "compare",
    .bit = COMMAND_COMPARE,
    .synopsis = "compare [OPTION]... A B",
    .summary = "two runs side by side",
    .help = "Shows how B differs from A; each is a results file or a "
	    "revision that has a record.\nWith --fail the rules decide on "
	    "the exit status, as in `check`.\n",
    .run = run,
};
