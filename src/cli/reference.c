/* A results file, or the run itself, in place of a record. */
#include "cli.h"

void
session_reference(struct session *s, const char *name, const struct run *run,
    const struct qset *qset, struct reference *reference, struct side *side)
{
	struct record *record = arena_alloc(s->arena, sizeof(*record));

	*record = (struct record){.commit = name,
	    .verdict = RECORD_PASS,
	    .depth = run->depth,
	    .rules = RECORD_RULES,
	    .limits.accept_any = true};
	record_set_ranks(s->arena, record, &s->questions, run);
	*reference = (struct reference){.record = record};
	side_make(s->arena, &s->config.rules, &s->questions, qset, reference,
	    qset, side);
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
	    .subset = s->config.subset != NULL,
	    .suite = s->config.suite,
	    .before = side,
	    .good = side,
	    .held = held,
	    .nheld = nheld,
	    .now = s->now,
	};

	judge(s->arena, &input, judgement);
}
