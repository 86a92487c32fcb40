/* Writing a record: one line, its keys in one order, absent ones left out. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* Each member but the first begins with a comma. */
static void
put_key(struct buf *out, const char *key)
{
	if (out->len && !strchr("{[", out->data[out->len - 1]))
		buf_putc(out, ',');
	buf_printf(out, "\"%s\":", key);
}

static void
put_string(struct buf *out, const char *text)
{
	buf_putc(out, '"');
	json_escape(out, text);
	buf_putc(out, '"');
}

static void
put_text(struct buf *out, const char *key, const char *text)
{
	if (!text)
		return;
	put_key(out, key);
	put_string(out, text);
}

static void
put_integer(struct buf *out, const char *key, int64_t number)
{
	put_key(out, key);
	buf_printf(out, "%lld", (long long)number);
}

static void
put_number(struct buf *out, const char *key, double number)
{
	put_key(out, key);
	number_print(out, number);
}

static void
put_flag(struct buf *out, const char *key, bool flag)
{
	if (!flag)
		return;
	put_key(out, key);
	buf_puts(out, "true");
}

static void
put_texts(struct buf *out, const char *const *texts, size_t ntexts)
{
	size_t i;

	buf_putc(out, '[');
	for (i = 0; i < ntexts; i++) {
		if (i > 0)
			buf_putc(out, ',');
		put_string(out, texts[i]);
	}
	buf_putc(out, ']');
}

/* A user's text as key: it is escaped, and the comma is told by place. */
static void
put_named(struct buf *out, size_t i, const char *name)
{
	if (i > 0)
		buf_putc(out, ',');
	put_string(out, name);
	buf_putc(out, ':');
}

/* ---------------------------------------------------------------- gate -- */

static void
put_threshold(struct buf *out, const struct record_threshold *t)
{
	buf_putc(out, '{');
	put_text(out, "metric", t->metric);
	put_text(out, "slice", t->slice);
	if (t->min >= 0)
		put_number(out, "min", t->min);
	if (t->max_drop >= 0)
		put_number(out, "max_drop", t->max_drop);
	put_flag(out, "relative", t->relative);
	if (t->alpha > 0)
		put_number(out, "alpha", t->alpha);
	put_flag(out, "warn", t->warn);
	if (t->n > 0)
		put_integer(out, "n", t->n);
	buf_putc(out, '}');
}

static void
put_tracked(struct buf *out, const struct record_tracked *t)
{
	buf_putc(out, '{');
	put_text(out, "question", t->question);
	put_text(out, "document", t->document);
	put_integer(out, "max_loss", t->max_loss);
	if (t->max_rank > 0)
		put_integer(out, "max_rank", t->max_rank);
	buf_putc(out, '}');
}

/* Finished objects in bytewise order, so that a config's order is no news. */
static void
put_sorted(struct buf *out, const char *key, const char **texts, size_t n)
{
	size_t i;

	if (n > 0)
		qsort(texts, n, sizeof(*texts), compare_text);
	put_key(out, key);
	buf_putc(out, '[');
	for (i = 0; i < n; i++) {
		if (i > 0)
			buf_putc(out, ',');
		buf_puts(out, texts[i]);
	}
	buf_putc(out, ']');
}

static void
put_depth(struct buf *out, unsigned depth)
{
	put_key(out, "depth");
	if (depth == DEPTH_UNBOUNDED)
		buf_puts(out, "null");
	else
		buf_printf(out, "%u", depth);
}

static void
put_waiver(struct buf *out, const struct record_waiver *w)
{
	buf_putc(out, '{');
	put_text(out, "question", w->question);
	put_text(out, "metric", w->metric);
	put_text(out, "slice", w->slice);
	if (w->limit >= 0)
		put_number(out, "limit", w->limit);
	put_text(out, "until", w->until);
	buf_putc(out, '}');
}

static bool
limits_anything(const struct record_limits *limits)
{
	return limits->worse_by > 0 || limits->creep_window > 0 ||
	    limits->change_fails || limits->accept_any || limits->required ||
	    limits->max_distance > 0 || limits->relevance > 1 ||
	    limits->match_page;
}

static void
put_limits(struct buf *out, const struct record_limits *limits)
{
	if (limits->worse_by > 0) {
		put_key(out, "worse_questions");
		buf_putc(out, '{');
		put_integer(out, "max", limits->worse_max);
		put_integer(out, "by", limits->worse_by);
		put_flag(out, "warn", limits->worse_warn);
		buf_putc(out, '}');
	}
	if (limits->creep_window > 0) {
		put_key(out, "creep");
		buf_putc(out, '{');
		put_integer(out, "window", limits->creep_window);
		put_flag(out, "warn", limits->creep_warn);
		buf_putc(out, '}');
	}
	put_flag(out, "change_fails", limits->change_fails);
	put_flag(out, "accept_any", limits->accept_any);
	put_flag(out, "required", limits->required);
	if (limits->max_distance > 0)
		put_integer(out, "max_distance", limits->max_distance);
	if (limits->relevance > 1)
		put_integer(out, "relevance", limits->relevance);
	put_flag(out, "match_page", limits->match_page);
	if (limits->match_page && limits->page_tolerance > 0)
		put_integer(out, "page_tolerance", limits->page_tolerance);
}

/* One object of a list of the gate, by its place in the list. */
typedef void put_item(struct buf *out, const struct record *r, size_t i);

static void
put_threshold_at(struct buf *out, const struct record *r, size_t i)
{
	put_threshold(out, &r->thresholds[i]);
}

static void
put_tracked_at(struct buf *out, const struct record *r, size_t i)
{
	put_tracked(out, &r->tracked[i]);
}

static void
put_waiver_at(struct buf *out, const struct record *r, size_t i)
{
	put_waiver(out, &r->waivers[i]);
}

static void
put_list(struct buf *out, const char *key, const struct record *r, size_t n,
    put_item *put)
{
	struct arena *scratch = arena_new();
	const char **texts = arena_array(scratch, n + 1, sizeof(*texts));
	struct buf one;
	size_t i;

	buf_init(&one);
	for (i = 0; i < n; i++) {
		one.len = 0;
		put(&one, r, i);
		texts[i] = arena_strdup(scratch, one.data);
	}
	put_sorted(out, key, texts, n);
	buf_free(&one);
	arena_free(scratch);
}

static void
put_gate(struct buf *out, const struct record *r)
{
	if (r->nthresholds + r->ntracked + r->nwaivers == 0 &&
	    !limits_anything(&r->limits))
		return;
	put_key(out, "gate");
	buf_putc(out, '{');
	put_list(out, "thresholds", r, r->nthresholds, put_threshold_at);
	put_list(out, "tracked", r, r->ntracked, put_tracked_at);
	put_list(out, "waivers", r, r->nwaivers, put_waiver_at);
	put_limits(out, &r->limits);
	buf_putc(out, '}');
}

static void
put_held(struct buf *out, const struct record *r)
{
	const struct record_held *held;
	size_t i;

	if (!r->nheld)
		return;
	put_key(out, "held");
	buf_putc(out, '{');
	for (i = 0; i < r->nheld; i++) {
		held = &r->held[i];
		put_named(out, i, held->subject);
		buf_putc(out, '{');
		put_text(out, "commit", held->commit);
		put_number(out, "value", held->value);
		put_depth(out, held->depth);
		put_flag(out, "fell", held->fell);
		buf_putc(out, '}');
	}
	buf_putc(out, '}');
}

/* ---------------------------------------------------------------- line -- */

static void
put_place(struct buf *out, const struct record *r)
{
	put_text(out, "commit", r->commit);
	put_text(out, "tree", r->tree);
	put_key(out, "parents");
	put_texts(out, r->parents, r->nparents);
	put_text(out, "prev", r->prev);
	put_text(out, "branch", r->branch);
	put_text(out, "head", r->head);
	put_text(out, "base", r->base);
	put_flag(out, "dirty", r->dirty);
}

static void
put_metrics(struct buf *out, const struct record *r)
{
	size_t i;

	put_key(out, "metrics");
	buf_putc(out, '{');
	for (i = 0; i < r->nmetrics; i++) {
		put_named(out, i, r->metrics[i].name);
		number_print(out, r->metrics[i].value);
	}
	buf_putc(out, '}');
}

static void
put_labels(struct buf *out, const struct record *r)
{
	size_t i;

	if (r->nlabels == 0)
		return;
	put_key(out, "labels");
	buf_putc(out, '{');
	for (i = 0; i < r->nlabels; i++) {
		put_named(out, i, r->labels[i].name);
		put_string(out, r->labels[i].value);
	}
	buf_putc(out, '}');
}

static void
put_top(struct buf *out, const struct record *r)
{
	size_t i;

	if (r->ntop == 0)
		return;
	put_key(out, "top");
	buf_putc(out, '{');
	for (i = 0; i < r->ntop; i++) {
		put_named(out, i, r->top[i].question);
		put_texts(out, r->top[i].documents, r->top[i].ndocuments);
	}
	buf_putc(out, '}');
}

void
record_write(struct buf *all, const struct record *r)
{
	struct buf line, *out = &line;

	/* A line of its own: put_key looks at the byte before. */
	buf_init(out);
	buf_putc(out, '{');
	put_integer(out, "evalgate", 1);
	put_text(out, "suite", r->suite);
	put_text(out, "at", r->at);
	put_text(out, "tool", r->tool);
	put_integer(out, "rules", r->rules);
	put_text(out, "run", r->run);
	if (r->attempt > 0)
		put_integer(out, "attempt", r->attempt);
	put_place(out, r);
	put_text(out, "verdict", record_verdict_names[r->verdict]);
	put_text(out, "start", r->start);
	put_text(out, "subset", r->subset);
	if (r->repeats > 1)
		put_integer(out, "repeats", r->repeats);
	put_held(out, r);
	put_gate(out, r);
	put_text(out, "inputs", r->inputs);
	put_depth(out, r->depth);
	put_metrics(out, r);
	put_labels(out, r);
	put_top(out, r);
	put_integer(out, "n", (int64_t)r->n);
	put_text(out, "qset", r->qset);
	put_key(out, "ranks");
	ranks_write(out, r);
	buf_puts(out, "}\n");
	buf_add(all, out->data, out->len);
	buf_free(out);
}
