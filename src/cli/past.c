/*
 * The past of what is judged: the records before it, ranks of tracked
 * questions, what waived subjects are held to, and why a question fell.
 */
#include <string.h>

#include "cli.h"

#define SHOWN 20 /* recorded ranks of tracked questions in a report */

int
gating_side(struct session *s, const struct gating *g,
    const struct reference *reference, struct qset *qset, struct side *side)
{
	if (notes_qset(g->notes, reference->record->qset, qset, s->e) < 0)
		return -1;
	side_make(s->arena, &s->config.rules, &s->questions, &g->qset,
	    reference, qset, side);
	return 0;
}

/* -------------------------------------------------------------- records -- */

/* Runs of one commit after another, until enough are there or a new start. */
static void
add_runs(struct session *s, struct past *past, const struct chain_link *links,
    size_t nlinks, size_t wanted)
{
	struct trail_run *runs;
	size_t n = trail_runs(s->arena, links, nlinks, &runs), i;
	const struct chain_link *link;

	for (i = 0; i < n && past->nrecords < wanted; i++) {
		if (past->nrecords &&
		    past->records[past->nrecords - 1].record->start)
			return;
		link = &links[runs[i].link];
		past->records[past->nrecords++] = (struct past_record){
		    runs[i].record, link->known ? link->commit.subject : NULL};
	}
}

/* The commit whose records serve that of `before`, as a link of a chain. */
static int
read_twin(struct session *s, struct gating *g, struct chain_link *link)
{
	const struct reference *before = g->baseline.before;
	struct record *records;

	*link = (struct chain_link){.known = before->subject != NULL,
	    .commit.subject = before->subject};
	if (session_records(s, g->notes, before->record->commit, &records,
		&link->nrecords, &link->skipped) < 0)
		return -1;
	link->records = records;
	return 0;
}

/* The recorded runs from `before` on, newest first, to a new start. */
static int
read_records(struct session *s, struct gating *g, size_t wanted)
{
	const struct reference *before = g->baseline.before;
	struct past *past = &g->past;
	struct chain_link *links, twin;
	size_t nlinks;
	const char *cut;

	if (chain_walk(s->arena, s->repo, g->notes,
		before->twin_of ? before->twin_of : before->record->commit,
		(size_t)s->config.policy.max_distance + wanted, &links, &nlinks,
		&cut, s->e) < 0)
		return -1;
	past->records =
	    arena_array(s->arena, wanted + 1, sizeof(*past->records));
	if (!before->twin_of) {
		add_runs(s, past, links, nlinks, wanted);
		return 0;
	}
	/* A twin by `inputs` is not seen by a walk. */
	if (read_twin(s, g, &twin) < 0)
		return -1;
	add_runs(s, past, &twin, 1, wanted);
	add_runs(s, past, links + 1, nlinks ? nlinks - 1 : 0, wanted);
	return 0;
}

/* The first n records, each seen through today's questions, once. */
static int
make_sides(struct session *s, struct gating *g, size_t n)
{
	struct past *past = &g->past;
	struct reference *reference;
	struct qset *qset;

	if (!past->sides)
		past->sides = arena_array(
		    s->arena, past->nrecords + 1, sizeof(*past->sides));
	for (; past->nsides < n; past->nsides++) {
		reference = arena_alloc(s->arena, sizeof(*reference));
		qset = arena_alloc(s->arena, sizeof(*qset));
		*reference = (struct reference){
		    .record = past->records[past->nsides].record};
		if (gating_side(
			s, g, reference, qset, &past->sides[past->nsides]) < 0)
			return -1;
	}
	return 0;
}

/* ----------------------------------------------------------------- held -- */

/* The record that a loss was accepted against; NULL when it is not here. */
static int
side_of_held(struct session *s, struct gating *g, const char *commit,
    const struct side **side)
{
	struct reference *reference = arena_alloc(s->arena, sizeof(*reference));
	struct qset *qset = arena_alloc(s->arena, sizeof(*qset));
	struct side *made = arena_alloc(s->arena, sizeof(*made));
	const struct record *chosen = NULL;
	struct record *records;
	struct skipped skipped;
	size_t n, i;

	*side = NULL;
	if (session_records(s, g->notes, commit, &records, &n, &skipped) < 0)
		return -1;
	for (i = 0; i < n; i++)
		if (!records[i].dirty &&
		    (!chosen ||
			(chosen->verdict != RECORD_PASS &&
			    records[i].verdict == RECORD_PASS)))
			chosen = &records[i];
	if (!chosen)
		return 0;
	reference->record = chosen;
	if (gating_side(s, g, reference, qset, made) < 0)
		return -1;
	*side = made;
	return 0;
}

int
past_held(struct session *s, struct gating *g, const struct record *record)
{
	struct past *past = &g->past;
	struct held *held;
	size_t i, k;

	if (record->start)
		return 0;
	for (i = 0; i < record->nheld; i++) {
		for (k = 0; k < past->nheld; k++)
			if (strcmp(past->held[k].from.subject,
				record->held[i].subject) == 0)
				break;
		if (k < past->nheld)
			continue;
		past->held = arena_grow(s->arena, past->held, past->nheld,
		    &past->held_cap, sizeof(*past->held));
		held = &past->held[past->nheld++];
		held->from = record->held[i];
		if (side_of_held(s, g, held->from.commit, &held->side) < 0)
			return -1;
	}
	return 0;
}

int
past_read(struct session *s, struct gating *g)
{
	size_t wanted = (size_t)s->config.rules.creep.window;
	const struct baseline *b = &g->baseline;

	g->past = (struct past){.nrecords = 0};
	/* Another results file has no past. */
	if (!b->before || !b->before->record->tree)
		return 0;
	/* Nobody would look at it. */
	if ((wanted || s->config.rules.ntracked) &&
	    read_records(s, g, wanted > SHOWN ? wanted : SHOWN) < 0)
		return -1;
	if (g->past.nrecords < wanted)
		wanted = g->past.nrecords;
	g->past.nwindow = wanted;
	if (make_sides(s, g, wanted) < 0 ||
	    (b->good && past_held(s, g, b->good->record) < 0))
		return -1;
	return past_held(s, g, b->before->record);
}

/* ----------------------------------------------------------- tracked -- */

/* One tracked question along the recorded commits, oldest first. */
static struct past_ranks
ranks_of(struct session *s, const struct gating *g,
    const struct tracked *tracked, size_t n)
{
	const struct side *sides = g->past.sides;
	struct past_rank *ranks = arena_array(s->arena, n + 1, sizeof(*ranks));
	struct past_ranks past = {.ranks = ranks, .nranks = n};
	const struct question *question;
	const struct past_record *record;
	size_t i;

	questions_index(&s->questions, tracked->question,
	    strlen(tracked->question), &past.question);
	question = &s->questions.items[past.question];
	for (i = 0; i < n; i++) {
		record = &g->past.records[n - 1 - i];
		ranks[i] = (struct past_rank){.commit = record->record->commit,
		    .subject = record->subject,
		    .place.depth = record->record->depth};
		ranks[i].known =
		    sides[n - 1 - i].changes[past.question] == CHANGE_NONE &&
		    answer_rank(question,
			&sides[n - 1 - i].answers[past.question],
			tracked->document, s->config.rules.relevance,
			&ranks[i].place.rank);
	}
	return past;
}

/* -------------------------------------------------------------- reasons -- */

/* Worse than at some reference, in whatever class. */
static bool
fell(const struct finding *f)
{
	switch (f->class) {
	case CLASS_NEW_REGRESSION:
	case CLASS_STILL_FAILING:
	case CLASS_BELOW_LIMIT:
	case CLASS_WAIVER_EXCEEDED:
	case CLASS_WORSE_ALLOWED:
	case CLASS_WAIVED:
	case CLASS_CREEP:
		return true;
	default:
		return false;
	}
}

/* The past and this run, newest first: where did it fall for good? */
static void
find_fall(struct arena *arena, const struct past_ranks *past, struct place now,
    struct explanation *to)
{
	struct place *places =
	    arena_array(arena, past->nranks + 1, sizeof(*places));
	const struct past_rank **of =
	    arena_array(arena, past->nranks + 1, sizeof(*of));
	size_t n = 0, i, fall;

	places[n++] = now;
	for (i = past->nranks; i-- > 0;) {
		if (!past->ranks[i].known)
			continue;
		of[n] = &past->ranks[i];
		places[n++] = past->ranks[i].place;
	}
	fall = fall_find(places, n);
	if (fall > 0 && fall < n) {
		to->fall_commit = of[fall]->commit;
		to->fall_subject = of[fall]->subject;
	}
	if (n > 1) {
		i = 1 + fall_best(places + 1, n - 1);
		to->best = of[i]->place.rank;
		to->best_commit = of[i]->commit;
	}
}

static struct explanation
explain(
    struct session *s, const struct gating *g, const struct past_ranks *past)
{
	const struct answer *answer = &s->run.answers[past->question];
	const struct answer_more *more = answer_more(answer);
	const struct question *question = &s->questions.items[past->question];
	const struct tracked *tracked =
	    rules_tracked(&s->config.rules, question->id);
	const struct side *side = g->judgement.shown;
	struct explanation to = {.question = question->id};
	struct place now = {.depth = s->run.depth}, then = {0};
	const struct record_top *top;

	answer_rank(question, answer, tracked->document,
	    s->config.rules.relevance, &now.rank);
	find_fall(s->arena, past, now, &to);
	if (!side || side->changes[past->question] != CHANGE_NONE)
		return to;
	answer_rank(question, &side->answers[past->question], tracked->document,
	    s->config.rules.relevance, &then.rank);
	top = record_top(side->reference->record, question->id);
	if (!top || !more || !more->ntop)
		return to;
	to.top_known = true;
	fall_displacers(s->arena, &s->config.rules,
	    &(struct top){more->top, more->ntop, now.rank},
	    &(struct top){top->documents, top->ndocuments, then.rank}, &to);
	return to;
}

void
past_tell(struct session *s, struct gating *g, struct report *report)
{
	const struct rules *rules = &s->config.rules;
	const struct judgement *j = &g->judgement;
	struct past_ranks *past =
	    arena_array(s->arena, rules->ntracked + 1, sizeof(*past));
	struct explanation *explanations =
	    arena_array(s->arena, rules->ntracked + 1, sizeof(*explanations));
	size_t n = g->past.nrecords < SHOWN ? g->past.nrecords : SHOWN, i, k;

	report->past = past;
	report->explanations = explanations;
	if (!n || make_sides(s, g, n) < 0)
		return;
	for (i = 0; i < rules->ntracked; i++) {
		past[i] = ranks_of(s, g, &rules->tracked[i], n);
		report->npast++;
		for (k = 0; k < j->nfindings; k++)
			if (strcmp(j->findings[k].subject,
				rules->tracked[i].question) == 0 &&
			    fell(&j->findings[k]))
				break;
		if (k < j->nfindings)
			explanations[report->nexplanations++] =
			    explain(s, g, &past[i]);
	}
}
