/* From what was scored or judged to the flat sheet that formats read. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static const struct sheet_reference *
make_reference(const struct making *m, const struct reference *reference,
    const char *reason)
{
	const struct commit *commit = m->report->commit;
	const struct record *record;
	struct sheet_reference *r;

	if (!reference)
		return NULL;
	record = reference->record;
	r = arena_alloc(m->arena, sizeof(*r));
	*r = (struct sheet_reference){
	    .commit = record->commit,
	    .subject = reference->subject,
	    .reason = reason,
	    .twin_of = reference->twin_of,
	    .twin_by = reference->twin_by,
	    .distance = reference->distance,
	    .has_age = commit && reference->time,
	    /* What is no commit is a results file, and was never judged. */
	    .verdict =
		record->tree ? record_verdict_names[record->verdict] : NULL,
	    .depth = record->depth,
	};
	if (r->has_age)
		r->age = commit->time - reference->time;
	return r;
}

static void
make_references(const struct making *m)
{
	const struct baseline *b = m->report->baseline;
	struct sheet *sheet = m->sheet;

	if (!b)
		return;
	sheet->before = make_reference(m, b->before, b->reason);
	sheet->good = make_reference(m, b->good,
	    b->good_accepted ? "nearest that passed"
			     : "none passed, the nearest");
	sheet->shown = sheet->good ? sheet->good : sheet->before;
	sheet->unrecorded = b->unrecorded;
	sheet->nunrecorded = b->nunrecorded;
}

static void
make_counts(const struct making *m)
{
	const struct report *report = m->report;
	const struct side *shown =
	    report->judgement ? report->judgement->shown : NULL;
	struct sheet_counts *counts = &m->sheet->counts;
	size_t i;

	counts->questions = report->questions->nitems;
	counts->asked = report->questions->nasked;
	counts->answerable = report->questions->nanswerable;
	counts->missing = report->run->nmissing;
	counts->tracked = report->rules->ntracked;
	for (i = 0; i < report->run->nanswers; i++)
		counts->errored += report->run->answers[i].errored;
	if (!shown)
		return;
	counts->common = shown->ncommon;
	counts->added = shown->nadded;
	counts->removed = shown->nremoved;
	counts->redefined = shown->nredefined;
	m->sheet->removed = shown->removed;
	m->sheet->nremoved = shown->nremoved;
}

/* What a step means for the limit that a mean has. */
static const char *
meaning(const struct making *m, const struct measure *measure, double step,
    size_t n)
{
	const struct rules *rules = m->report->rules;
	const char *text = arena_printf(m->arena,
	    "%s moves by up to %.3g when one question changes (n = %zu)",
	    measure->name, step, n);
	size_t i;

	for (i = 0; i < rules->nthresholds; i++) {
		const struct threshold *t = &rules->thresholds[i];

		if (!t->has_max_drop || t->relative || t->where.npairs ||
		    strcmp(t->measure.name, measure->name) != 0)
			continue;
		return arena_printf(
		    m->arena, "%s; %s", text, drop_meaning(m->arena, t, n));
	}
	return text;
}

static void
make_metric(
    const struct making *m, size_t v, size_t k, struct sheet_metric *metric)
{
	const struct report *report = m->report;
	const struct view *view = &report->views->items[v];
	const struct judgement *j = report->judgement;
	size_t i = v * report->rules->nmeasures + k;
	bool reading = report->rules->measures[k].metric->reading_only;
	const struct comparison *c;

	*metric = (struct sheet_metric){
	    .name = report->rules->measures[k].name,
	    .slice = view->name,
	    .n = view->n,
	    .value = report->scores->means[i],
	    .resolution = view->n && !reading ? 1.0 / (double)view->n : NAN,
	    .common = view->n,
	};
	if (!view->name && view->n && !reading)
		metric->meaning = meaning(m, &report->rules->measures[k],
		    metric->resolution, view->n);
	if (!j || !j->comparisons)
		return;
	c = &j->comparisons[i];
	metric->compared = c->known;
	metric->common = c->n;
	metric->current = c->current;
	metric->baseline = c->baseline;
	metric->delta = c->current - c->baseline;
	metric->low = j->intervals[i].low;
	metric->high = j->intervals[i].high;
	metric->wins = c->wins;
	metric->ties = c->ties;
	metric->losses = c->losses;
}

static void
make_metrics(const struct making *m)
{
	const struct views *views = m->report->views;
	size_t nm = m->report->rules->nmeasures, n = 0, v, k;
	struct sheet_metric *metrics =
	    arena_array(m->arena, views->nitems * nm + 1, sizeof(*metrics));

	/* A slice of which nothing is asked has no mean. */
	for (v = 0; v < views->nitems; v++)
		for (k = 0; k < nm && (v == 0 || views->items[v].n); k++)
			make_metric(m, v, k, &metrics[n++]);
	m->sheet->metrics = metrics;
	m->sheet->nmetrics = n;
	m->sheet->nmeasures = nm;
}

static bool
has_nothing_relevant(const struct question *question, int relevance)
{
	const struct judgment *judgments = question_judgments(question);
	size_t i;

	for (i = 0; i < question->njudgments; i++)
		if (judgments[i].grade >= relevance)
			return false;
	return question_counts(question);
}

/* What the run says of a question beyond its rank; NULL: nothing. */
static const struct sheet_more *
make_more(const struct making *m, const struct question *question,
    const struct answer *answer)
{
	const struct answer_more *further = answer_more(answer);
	struct answer documents = *answer;
	struct sheet_more *more;

	if (!further)
		return NULL;
	more = arena_alloc(m->arena, sizeof(*more));
	more->tied = answer_tied(answer);
	if (more->tied > 1)
		more->tied_first = further->tied_first;
	more->flips = answer->flips;
	more->best = further->best;
	more->worst = further->worst;
	if (!further->document_ranks)
		return more;
	more->has_document_rank = true;
	documents.ranks = further->document_ranks;
	documents.further = false;
	answer_rank(question, &documents, NULL, m->report->rules->relevance,
	    &more->document_rank);
	return more;
}

/* Only formats that tell every question tell its scores. */
static const double *
make_scores(const struct making *m, const struct question *question,
    const struct answer *answer)
{
	const struct rules *rules = m->report->rules;
	double *values;

	if (m->report->noted_only)
		return NULL;
	values = arena_array(m->arena, rules->nmeasures + 1, sizeof(*values));
	scores_of(m->scratch, question, answer, rules, values);
	return values;
}

static void
make_question(const struct making *m, size_t q, struct sheet_question *row)
{
	const struct report *report = m->report;
	const struct question *question = &report->questions->items[q];
	const struct answer *answer = &report->run->answers[q];
	const struct tracked *tracked =
	    rules_tracked(report->rules, question->id);
	const char *document = tracked ? tracked->document : NULL;
	const struct judgement *j = report->judgement;
	int relevance = report->rules->relevance;

	*row = (struct sheet_question){
	    .id = question->id,
	    .text = question_text(question),
	    .scores = make_scores(m, question, answer),
	    .more = make_more(m, question, answer),
	    .depth = report->run->depth,
	    .class = (unsigned char)(j ? j->classes[q] : CLASS_SAME),
	    .answerable = !question->unanswerable,
	    .missing = !answer->present,
	    .errored = answer->errored,
	    .tracked = tracked != NULL,
	    .holdout = question->holdout,
	    .nothing_relevant = has_nothing_relevant(question, relevance),
	};
	row->known =
	    answer_rank(question, answer, document, relevance, &row->rank);
	if (!j || !j->shown)
		return;
	row->change = (unsigned char)j->shown->changes[q];
	if (row->change == CHANGE_NONE)
		row->known_then = answer_rank(question, &j->shown->answers[q],
		    document, relevance, &row->baseline);
}

static void
set_history(const struct making *m, const struct past_ranks *past,
    struct sheet_question *row)
{
	struct sheet_more *more = arena_alloc(m->arena, sizeof(*more));

	if (row->more)
		*more = *row->more;
	more->history = past->ranks;
	more->nhistory = past->nranks;
	row->more = more;
}

/* Whether a score has more to say of a question than its rank. */
static bool
is_of_note(const struct making *m, size_t q)
{
	const struct report *report = m->report;
	const struct question *question = &report->questions->items[q];
	const struct answer *answer = &report->run->answers[q];

	return question->unanswerable || !answer->present || answer->errored ||
	    answer->further ||
	    has_nothing_relevant(question, report->rules->relevance) ||
	    rules_tracked(report->rules, question->id);
}

static void
make_questions(const struct making *m)
{
	const struct report *report = m->report;
	const struct questions *questions = report->questions;
	struct sheet_question *rows = NULL;
	size_t i, p, n = 0, cap = 0;

	for (i = 0; i < questions->nitems; i++) {
		if (questions->items[i].left_out ||
		    (report->noted_only && !is_of_note(m, i)))
			continue;
		rows = arena_regrow(m->arena, rows, n, &cap, sizeof(*rows));
		make_question(m, i, &rows[n++]);
		for (p = 0; p < report->npast; p++)
			if (report->past[p].question == i)
				set_history(m, &report->past[p], &rows[n - 1]);
	}
	m->sheet->questions = rows;
	m->sheet->nquestions = n;
}

static void
make_notices(const struct making *m)
{
	const struct report *report = m->report;
	const struct run *run = report->run;
	const char *results = "";
	size_t n = 0;
	const char **notices = arena_array(
	    m->arena, run->nnotices + report->nnotices + 2, sizeof(*notices));

	for (; n < run->nnotices; n++)
		notices[n] = run->notices[n];
	if (run->nunknown_results)
		results = arena_printf(m->arena, " (%zu result%s)",
		    run->nunknown_results, plural(run->nunknown_results));
	if (run->nunknown)
		notices[n++] = arena_printf(m->arena,
		    "the run has %zu question%s that nobody asked%s%s",
		    run->nunknown, plural(run->nunknown), results,
		    run->unknown);
	if (report->nnotices)
		memcpy(notices + n, report->notices,
		    report->nnotices * sizeof(*notices));
	m->sheet->notices = notices;
	m->sheet->nnotices = n + report->nnotices;
}

static void
make_judged(const struct making *m)
{
	const struct report *report = m->report;
	const struct commit *commit = report->commit;
	struct sheet *sheet = m->sheet;

	sheet->judged = true;
	sheet->compared_only = report->compared_only;
	sheet->verdict = report->judgement->verdict;
	sheet->exit = report->exit;
	sheet->event = report->event->name;
	sheet->compared = report->subject;
	sheet->commit = commit ? commit->id : NULL;
	sheet->tree = commit ? commit->tree : NULL;
	sheet->subject = commit && *commit->subject ? commit->subject : NULL;
	sheet->dirty = report->dirty;
	sheet->stored = report->stored;
	make_references(m);
	sheet_findings(m);
	sheet_waivers(m);
}

void
sheet_make(
    struct arena *arena, const struct report *report, struct sheet *sheet)
{
	struct ranking_scratch scratch = {.arena = arena};
	struct making m = {arena, report, sheet, &scratch};

	*sheet = (struct sheet){
	    .tool = report->tool,
	    .command = report->command,
	    .suite = report->suite,
	    .subset = report->subset,
	    .depth = report->run->depth,
	};
	make_counts(&m);
	make_metrics(&m);
	make_questions(&m);
	make_notices(&m);
	sheet->walk = report->walk;
	if (report->judgement)
		make_judged(&m);
}
