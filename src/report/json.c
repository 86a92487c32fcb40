/* The report as JSON, schema 1: stable names, every number in full. */
#include <math.h>
#include <string.h>

#include "internal.h"

static void
put_depth(struct json *json, unsigned depth)
{
	if (depth == DEPTH_UNBOUNDED)
		json_null(json, "depth");
	else
		json_integer(json, "depth", depth);
}

static void
put_reference(
    struct json *json, const char *key, const struct sheet_reference *r)
{
	if (!r) {
		json_null(json, key);
		return;
	}
	json_open(json, key, '{');
	json_text(json, "commit", r->commit);
	json_text(json, "subject", r->subject);
	json_text(json, "reason", r->reason);
	if (r->twin_of) {
		json_text(json, "serves", r->twin_of);
		json_text(json, "same", r->twin_by);
	}
	json_integer(json, "distance", (int64_t)r->distance);
	if (r->has_age)
		json_integer(json, "age_seconds", r->age);
	else
		json_null(json, "age_seconds");
	json_text(json, "verdict", r->verdict);
	put_depth(json, r->depth);
	json_close(json, '}');
}

static void
put_texts(
    struct json *json, const char *key, const char *const *texts, size_t n)
{
	size_t i;

	json_open(json, key, '[');
	for (i = 0; i < n; i++)
		json_text(json, NULL, texts[i]);
	json_close(json, ']');
}

static void
put_judged(struct json *json, const struct sheet *sheet)
{
	json_bool(json, "compared_only", sheet->compared_only);
	json_text(json, "event", sheet->event);
	json_text(json, "compared", sheet->compared);
	json_text(json, "commit", sheet->commit);
	json_text(json, "subject", sheet->subject);
	json_text(json, "tree", sheet->tree);
	json_bool(json, "dirty", sheet->dirty);
	put_reference(json, "before", sheet->before);
	put_reference(json, "good", sheet->good);
	put_texts(json, "unrecorded", sheet->unrecorded, sheet->nunrecorded);
	put_texts(json, "removed", sheet->removed, sheet->nremoved);
	json_text(json, "stored", sheet->stored);
}

static void
put_counts(struct json *json, const struct sheet *sheet)
{
	const struct sheet_counts *counts = &sheet->counts;

	json_open(json, "counts", '{');
	json_integer(json, "questions", (int64_t)counts->questions);
	json_integer(json, "asked", (int64_t)counts->asked);
	json_integer(json, "answerable", (int64_t)counts->answerable);
	json_integer(json, "missing", (int64_t)counts->missing);
	json_integer(json, "errored", (int64_t)counts->errored);
	if (sheet->shown) {
		json_integer(json, "common", (int64_t)counts->common);
		json_integer(json, "added", (int64_t)counts->added);
		json_integer(json, "removed", (int64_t)counts->removed);
		json_integer(json, "redefined", (int64_t)counts->redefined);
	}
	json_integer(json, "tracked", (int64_t)counts->tracked);
	json_close(json, '}');
}

static void
put_comparison(struct json *json, const struct sheet_metric *m)
{
	json_number(json, "baseline", m->compared ? m->baseline : NAN);
	json_number(json, "current", m->compared ? m->current : NAN);
	json_number(json, "delta", m->compared ? m->delta : NAN);
	json_integer(json, "n", (int64_t)m->common);
	json_number(json, "low", m->compared ? m->low : NAN);
	json_number(json, "high", m->compared ? m->high : NAN);
	json_integer(json, "wins", (int64_t)m->wins);
	json_integer(json, "ties", (int64_t)m->ties);
	json_integer(json, "losses", (int64_t)m->losses);
}

static void
put_metric(
    struct json *json, const struct sheet *sheet, const struct sheet_metric *m)
{
	json_open(json, NULL, '{');
	json_text(json, "name", m->name);
	json_text(json, "slice", m->slice);
	json_number(json, "value", m->value);
	json_integer(json, "all", (int64_t)m->n);
	if (sheet->judged)
		put_comparison(json, m);
	else
		json_integer(json, "n", (int64_t)m->n);
	json_number(json, "resolution", m->resolution);
	if (m->meaning)
		json_text(json, "meaning", m->meaning);
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

/* Only where it is so. */
static void
put_flag(struct json *json, const char *key, bool flag)
{
	if (flag)
		json_bool(json, key, true);
}

static void
put_past(struct json *json, const struct sheet_more *more)
{
	size_t i;

	json_open(json, "history", '[');
	for (i = 0; i < more->nhistory; i++) {
		const struct past_rank *past = &more->history[i];

		json_open(json, NULL, '{');
		json_text(json, "commit", past->commit);
		json_text(json, "subject", past->subject);
		put_rank(json, "rank", past->known, past->place.rank);
		put_depth(json, past->place.depth);
		put_flag(json, "unknown", !past->known);
		json_close(json, '}');
	}
	json_close(json, ']');
}

/* What a run or a record may say beyond the rank. */
static void
put_details(struct json *json, const struct sheet_question *q)
{
	const struct sheet_more *more = q->more;

	put_flag(json, "errored", q->errored);
	put_flag(json, "unknown", !q->known);
	put_flag(json, "nothing_relevant", q->nothing_relevant);
	if (!more)
		return;
	if (more->tied > 1) {
		json_integer(json, "tied", more->tied);
		json_integer(json, "tied_best", more->tied_first);
		json_integer(
		    json, "tied_worst", more->tied_first + more->tied - 1);
	}
	if (more->flips) {
		put_rank(json, "best", true, more->best);
		put_rank(json, "worst", true, more->worst);
	}
	if (more->has_document_rank)
		put_rank(json, "document_rank", true, more->document_rank);
}

static void
put_question(struct json *json, const struct sheet *sheet,
    const struct sheet_question *q)
{
	size_t m;

	json_open(json, NULL, '{');
	json_text(json, "id", q->id);
	json_text(json, "text", q->text);
	put_rank(json, "rank", q->known, q->rank);
	if (sheet->judged)
		put_rank(json, "baseline", q->known_then, q->baseline);
	put_depth(json, q->depth);
	json_bool(json, "answerable", q->answerable);
	json_bool(json, "missing", q->missing);
	json_bool(json, "tracked", q->tracked);
	json_bool(json, "holdout", q->holdout);
	put_details(json, q);
	if (sheet->judged) {
		json_text(json, "class", class_names[q->class]);
		json_text(json, "since",
		    sheet->shown ? change_names[q->change] : NULL);
		put_flag(json, "unknown_then",
		    sheet->shown && q->change == CHANGE_NONE && !q->known_then);
	}
	json_open(json, "metrics", '{');
	for (m = 0; m < sheet->nmeasures; m++)
		json_number(json, sheet->metrics[m].name, q->scores[m]);
	json_close(json, '}');
	if (q->more && q->more->history)
		put_past(json, q->more);
	json_close(json, '}');
}

static void
put_displacers(struct json *json, const char *key,
    const struct displacer *displacers, size_t n)
{
	size_t i;

	json_open(json, key, '[');
	for (i = 0; i < n; i++) {
		json_open(json, NULL, '{');
		json_text(json, "document", displacers[i].document);
		put_rank(json, "rank", true, displacers[i].rank);
		put_rank(json, "old_rank", true, displacers[i].old_rank);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void
put_explanation(struct json *json, const struct explanation *x)
{
	if (!x) {
		json_null(json, "explain");
		return;
	}
	json_open(json, "explain", '{');
	json_bool(json, "top_known", x->top_known);
	put_displacers(json, "above", x->above, x->nabove);
	put_displacers(json, "left", x->left, x->nleft);
	put_rank(json, "best", true, x->best);
	json_text(json, "best_commit", x->best_commit);
	json_text(json, "fall_commit", x->fall_commit);
	json_text(json, "fall_subject", x->fall_subject);
	json_close(json, '}');
}

static void
put_line(struct json *json, size_t line)
{
	if (line)
		json_integer(json, "line", (int64_t)line);
	else
		json_null(json, "line");
}

static void
put_finding(struct json *json, const struct sheet_finding *f)
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
	json_text(json, "change", f->change);
	json_text(json, "message", f->message);
	put_explanation(json, f->explanation);
	json_text(json, "file", f->file);
	put_line(json, f->line);
	json_close(json, '}');
}

static void
put_waiver(struct json *json, const struct sheet_waiver *w)
{
	json_open(json, NULL, '{');
	json_text(json, "subject", w->subject);
	json_text(json, "slice", w->slice);
	json_text(json, "of", w->of_question ? "question" : "metric");
	json_number(json, "limit", w->limit);
	json_text(json, "until", w->until);
	json_text(json, "reason", w->reason);
	json_text(json, "issue", w->issue);
	json_bool(json, "used", w->used);
	json_bool(json, "exceeded", w->exceeded);
	if (w->days_left == INT64_MAX)
		json_null(json, "days_left");
	else
		json_integer(json, "days_left", w->days_left);
	put_line(json, w->line);
	json_close(json, '}');
}

static void
put_sheet(struct json *json, const struct sheet *sheet)
{
	size_t i;

	json_open(json, NULL, '{');
	json_integer(json, "schema", 1);
	json_text(json, "tool", sheet->tool);
	json_text(json, "command", sheet->command);
	if (sheet->judged) {
		json_text(json, "verdict", verdict_names[sheet->verdict]);
		json_integer(json, "exit", sheet->exit);
	}
	json_text(json, "suite", sheet->suite);
	json_text(json, "subset", sheet->subset);
	put_depth(json, sheet->depth);
	if (sheet->judged)
		put_judged(json, sheet);
	put_counts(json, sheet);
	json_open(json, "metrics", '[');
	for (i = 0; i < sheet->nmetrics; i++)
		put_metric(json, sheet, &sheet->metrics[i]);
	json_close(json, ']');
	json_open(json, "questions", '[');
	for (i = 0; i < sheet->nquestions; i++)
		put_question(json, sheet, &sheet->questions[i]);
	json_close(json, ']');
	if (sheet->judged) {
		json_open(json, "findings", '[');
		for (i = 0; i < sheet->nfindings; i++)
			put_finding(json, &sheet->findings[i]);
		json_close(json, ']');
		json_open(json, "waivers", '[');
		for (i = 0; i < sheet->nwaivers; i++)
			put_waiver(json, &sheet->waivers[i]);
		json_close(json, ']');
	}
	put_texts(json, "notices", sheet->notices, sheet->nnotices);
	json_close(json, '}');
}

/* One sheet is an object, several are a list of them. */
static void
json_report(struct arena *arena, struct buf *out, const struct sheet *sheets,
    size_t nsheets, const struct style *style)
{
	struct json json;
	size_t i;

	(void)arena;
	(void)style;
	json_init(&json, out, nsheets == 1 ? 2 : 3);
	if (nsheets != 1)
		json_open(&json, NULL, '[');
	for (i = 0; i < nsheets; i++)
		put_sheet(&json, &sheets[i]);
	if (nsheets != 1)
		json_close(&json, ']');
	buf_putc(out, '\n');
}

const struct format format_json = {
    .name = "json",
    .each_question = true,
    .report = json_report,
    .history = json_history,
    .blame = json_blame,
    .summary = "schema 1, for programs",
};
