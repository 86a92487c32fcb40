/* The report as JSON, schema 1: stable names, every number in full. */
#include <math.h>
#include <string.h>

#include "internal.h"

static void
put_reference(struct json *json, const char *key, const struct report *report,
    const struct reference *reference, const char *reason)
{
	if (!reference) {
		json_null(json, key);
		return;
	}
	json_open(json, key, '{');
	json_text(json, "commit", reference->record->commit);
	json_text(json, "reason", reason);
	if (reference->twin_of) {
		json_text(json, "serves", reference->twin_of);
		json_text(json, "same", reference->twin_by);
	}
	json_integer(json, "distance", (int64_t)reference->distance);
	if (report->commit && reference->time)
		json_integer(json, "age_seconds",
		    report->commit->time - reference->time);
	else
		json_null(json, "age_seconds");
	json_text(
	    json, "verdict", record_verdict_names[reference->record->verdict]);
	json_close(json, '}');
}

static void
put_judged(struct json *json, const struct report *report)
{
	const struct baseline *b = report->baseline;

	json_text(json, "verdict", verdict_names[report->judgement->verdict]);
	json_integer(json, "exit", report->exit);
	json_text(json, "suite", report->suite);
	json_text(json, "event", report->event->name);
	json_text(json, "commit", report->commit ? report->commit->id : NULL);
	json_text(json, "tree", report->commit ? report->commit->tree : NULL);
	json_bool(json, "dirty", report->dirty);
	json_text(json, "subset", report->subset);
	put_reference(
	    json, "before", report, b ? b->before : NULL, b ? b->reason : NULL);
	put_reference(json, "good", report, b ? b->good : NULL,
	    b && b->good_accepted ? "nearest acceptable record"
				  : "no record was acceptable; the nearest");
}

static void
put_counts(struct json *json, const struct report *report)
{
	const struct side *shown =
	    report->judgement ? report->judgement->shown : NULL;
	size_t errored = 0, i;

	for (i = 0; i < report->run->nanswers; i++)
		errored += report->run->answers[i].errored;
	json_open(json, "counts", '{');
	json_integer(json, "questions", (int64_t)report->questions->nitems);
	json_integer(json, "asked", (int64_t)report->questions->nasked);
	json_integer(
	    json, "answerable", (int64_t)report->questions->nanswerable);
	json_integer(json, "missing", (int64_t)report->run->nmissing);
	json_integer(json, "errored", (int64_t)errored);
	if (shown) {
		json_integer(json, "common", (int64_t)shown->ncommon);
		json_integer(json, "added", (int64_t)shown->nadded);
		json_integer(json, "removed", (int64_t)shown->nremoved);
		json_integer(json, "redefined", (int64_t)shown->nredefined);
	}
	json_integer(json, "tracked", (int64_t)report->rules->ntracked);
	json_close(json, '}');
}

/* How far one question alone can move a mean. */
static double
resolution(const struct view *view)
{
	return view->n ? 1.0 / (double)view->n : NAN;
}

static void
put_comparison(struct json *json, const struct judgement *j,
    const struct view *view, size_t i)
{
	struct comparison c = {.known = false, .n = view->n};
	struct interval interval = {NAN, NAN};

	if (j->comparisons) {
		c = j->comparisons[i];
		interval = j->intervals[i];
	}
	json_number(json, "baseline", c.known ? c.baseline : NAN);
	json_number(json, "delta", c.known ? c.current - c.baseline : NAN);
	json_integer(json, "n", (int64_t)c.n);
	json_number(json, "low", c.known ? interval.low : NAN);
	json_number(json, "high", c.known ? interval.high : NAN);
	json_integer(json, "wins", (int64_t)c.wins);
	json_integer(json, "ties", (int64_t)c.ties);
	json_integer(json, "losses", (int64_t)c.losses);
}

static void
put_measure(struct json *json, const struct report *report, size_t v, size_t m)
{
	const struct view *view = &report->views->items[v];
	const struct judgement *j = report->judgement;
	size_t i = v * report->rules->nmeasures + m;

	json_open(json, NULL, '{');
	json_text(json, "name", report->rules->measures[m].name);
	json_text(json, "slice", view->name);
	json_number(json, "value", report->scores->means[i]);
	if (j)
		put_comparison(json, j, view, i);
	else
		json_integer(json, "n", (int64_t)view->n);
	json_number(json, "resolution", resolution(view));
	json_close(json, '}');
}

static void
put_rank(struct json *json, const char *key, bool known, unsigned rank)
{
	if (known && rank)
		json_integer(json, key, rank);
	else
		json_null(json, key);
}

static void
put_past(struct json *json, const struct report *report, size_t q)
{
	const struct past_ranks *past = NULL;
	size_t i;

	for (i = 0; i < report->npast; i++)
		if (report->past[i].question == q)
			past = &report->past[i];
	if (!past)
		return;
	json_open(json, "history", '[');
	for (i = 0; i < past->nranks; i++) {
		json_open(json, NULL, '{');
		json_text(json, "commit", past->ranks[i].commit);
		put_rank(
		    json, "rank", past->ranks[i].known, past->ranks[i].place.rank);
		json_close(json, '}');
	}
	json_close(json, ']');
}

/* With pages: the rank of the document, on whichever page it stood. */
static void
put_document_rank(struct json *json, const struct report *report, size_t q)
{
	struct answer answer = report->run->answers[q];
	unsigned rank;

	answer.ranks = answer.document_ranks;
	answer_rank(&report->questions->items[q], &answer, NULL,
	    report->rules->relevance, &rank);
	put_rank(json, "document_rank", true, rank);
}

static void
put_scores(struct json *json, const struct report *report, size_t q)
{
	const struct scores *s = report->scores;
	size_t m;

	json_open(json, "metrics", '{');
	for (m = 0; m < s->nmeasures; m++)
		json_number(json, s->measures[m].name,
		    s->values[m * s->nquestions + q]);
	json_close(json, '}');
}

static void
put_question(struct json *json, const struct report *report, size_t q)
{
	const struct question *question = &report->questions->items[q];
	const struct answer *answer = &report->run->answers[q];
	const struct tracked *tracked =
	    rules_tracked(report->rules, question->id);
	const char *document = tracked ? tracked->document : NULL;
	const struct judgement *j = report->judgement;
	const struct side *side = j ? j->shown : NULL;
	unsigned rank, then = 0;
	bool known, known_then = false;

	known = answer_rank(
	    question, answer, document, report->rules->relevance, &rank);
	if (side && side->changes[q] == CHANGE_NONE)
		known_then = answer_rank(question, &side->answers[q], document,
		    report->rules->relevance, &then);
	json_open(json, NULL, '{');
	json_text(json, "id", question->id);
	json_text(json, "text", question->text);
	put_rank(json, "rank", known, rank);
	if (j)
		put_rank(json, "baseline", known_then, then);
	if (report->run->depth == DEPTH_UNBOUNDED)
		json_null(json, "depth");
	else
		json_integer(json, "depth", report->run->depth);
	json_bool(json, "answerable", !question->unanswerable);
	json_bool(json, "missing", !answer->present);
	json_bool(json, "tracked", tracked != NULL);
	json_bool(json, "holdout", question->holdout);
	if (answer->tied > 1)
		json_integer(json, "tied", answer->tied);
	if (answer->flips) {
		put_rank(json, "best", true, answer->best);
		put_rank(json, "worst", true, answer->worst);
	}
	if (answer->document_ranks)
		put_document_rank(json, report, q);
	if (j)
		json_text(json, "class", class_names[j->classes[q]]);
	put_scores(json, report, q);
	put_past(json, report, q);
	json_close(json, '}');
}

static void
put_finding(struct json *json, const struct finding *f)
{
	json_open(json, NULL, '{');
	json_text(json, "rule", f->rule);
	json_text(json, "subject", f->subject);
	json_text(json, "slice", f->slice);
	json_text(json, "level", level_names[f->level]);
	json_text(json, "class", class_names[f->class]);
	json_number(json, "baseline", f->baseline);
	json_number(json, "current", f->current);
	json_number(json, "limit", f->limit);
	json_text(json, "message", f->message);
	json_null(json, "explain");
	json_text(json, "file", f->file);
	if (f->line)
		json_integer(json, "line", (int64_t)f->line);
	else
		json_null(json, "line");
	json_close(json, '}');
}

static void
json_report(struct arena *arena, struct buf *out, const struct report *report,
    const struct style *style)
{
	struct json json;
	size_t i, m;

	(void)arena;
	(void)style;
	json_init(&json, out, 2);
	json_open(&json, NULL, '{');
	json_integer(&json, "schema", 1);
	json_text(&json, "tool", report->tool);
	if (report->judgement)
		put_judged(&json, report);
	put_counts(&json, report);
	json_open(&json, "metrics", '[');
	for (i = 0; i < report->views->nitems; i++)
		for (m = 0; m < report->rules->nmeasures; m++)
			put_measure(&json, report, i, m);
	json_close(&json, ']');
	json_open(&json, "questions", '[');
	for (i = 0; i < report->questions->nitems; i++)
		if (!report->questions->items[i].left_out)
			put_question(&json, report, i);
	json_close(&json, ']');
	if (report->judgement) {
		json_open(&json, "findings", '[');
		for (i = 0; i < report->judgement->nfindings; i++)
			put_finding(&json, &report->judgement->findings[i]);
		json_close(&json, ']');
	}
	json_open(&json, "notices", '[');
	for (i = 0; i < report->run->nnotices; i++)
		json_text(&json, NULL, report->run->notices[i]);
	for (i = 0; i < report->nnotices; i++)
		json_text(&json, NULL, report->notices[i]);
	json_close(&json, ']');
	json_close(&json, '}');
	buf_putc(out, '\n');
}

const struct format format_json = {
    .name = "json",
    .report = json_report,
    .history = json_history,
    .blame = json_blame,
    .summary = "schema 1, for programs",
};
