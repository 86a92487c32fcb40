/* A results file, or the run itself, in place of a record. */
#include <string.h>

#include "cli.h"

static struct record *
record_of_run(struct session *s, const char *name,
    const struct questions *questions, const struct run *run)
{
	struct record *record = arena_alloc(s->arena, sizeof(*record));

	*record = (struct record){.commit = name,
	    .verdict = RECORD_PASS,
	    .depth = run->depth,
	    .rules = RECORD_RULES,
	    .limits.accept_any = true};
	record_set_ranks(s->arena, record, questions, run);
	return record;
}

void
session_reference(struct session *s, const char *name, const struct run *run,
    const struct qset *qset, struct reference *reference, struct side *side)
{
	*reference = (struct reference){
	    .record = record_of_run(s, name, &s->questions, run)};
	side_make(s->arena, &s->config.rules, &s->questions, qset, reference,
	    qset, side);
}

/*
 * Which of a reference's own questions the rules track: one that is gone is
 * missed.  An entry of a question that it lacks is no mistake here.
 */
static void
track(
    struct session *s, const struct questions *questions, struct record *record)
{
	struct rules rules = s->config.rules;
	struct error ignored = {.arena = s->arena};
	struct tracked *there;
	size_t i, n = 0;

	rules.tracked = NULL;
	rules.ntracked = 0;
	map_init(&rules.tracked_by, s->arena);
	rules_bind(s->arena, &rules, questions, &ignored);
	there = arena_array(s->arena, rules.ntracked + 1, sizeof(*there));
	for (i = 0; i < rules.ntracked; i++)
		if (questions_find(questions, rules.tracked[i].question))
			there[n++] = rules.tracked[i];
	rules.tracked = there;
	rules.ntracked = n;
	rules_record_tracked(s->arena, &rules, record);
}

/* A CSV has questions of its own, as a record has. */
static int
read_own(struct session *s, const char *file, const struct qset *qset,
    struct reference *reference, struct side *side)
{
	struct questions *questions = arena_alloc(s->arena, sizeof(*questions));
	struct qset *own = arena_alloc(s->arena, sizeof(*own));
	struct record *record;
	struct run run;

	if (questions_read(s->arena, &file, 1, s->options.question_format,
		questions, s->e) < 0 ||
	    session_read_other(s, file, questions, &run) < 0)
		return -1;
	qset_make(s->arena, questions, own);
	record = record_of_run(s, file, questions, &run);
	track(s, questions, record);
	*reference = (struct reference){.record = record};
	side_make(s->arena, &s->config.rules, &s->questions, qset, reference,
	    own, side);
	return 0;
}

int
session_read_reference(struct session *s, const char *file,
    const struct qset *qset, struct reference *reference, struct side *side)
{
	bool own = false;
	struct run run;

	if (s->own_questions &&
	    ((strcmp(file, "-") == 0 && file_keep_stdin(s->e) < 0) ||
		run_is_questions(file, &own, s->e) < 0))
		return -1;
	if (own)
		return read_own(s, file, qset, reference, side);
	if (session_read_other(s, file, &s->questions, &run) < 0)
		return -1;
	session_say_other(s, &run);
	session_reference(s, file, &run, qset, reference, side);
	return 0;
}

void
session_judge(struct session *s, const struct run *run,
    const struct scores *scores, const struct side *side,
    const struct held *held, size_t nheld, struct judgement *judgement)
{
	struct gate_input input = {
	    .rules = &s->config.rules,
	    .questions = &s->questions,
	    .run = run,
	    .views = &s->views,
	    .scores = scores,
	    .event = event_find("local"),
	    .subset = part_is(s),
	    .suite = s->config.suite,
	    .before = side,
	    .good = side,
	    .held = held,
	    .nheld = nheld,
	    .now = s->now,
	};

	judge(s->arena, &input, judgement);
}
