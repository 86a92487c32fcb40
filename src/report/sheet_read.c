/* A JSON report that was stored, back into the sheet it was written from. */
#include <math.h>
#include <string.h>

#include "internal.h"

static void
read_counts(
    const struct reading *r, const struct value *map, struct sheet *sheet)
{
	const struct value *v = reading_key(r, map, "counts");
	struct sheet_counts *counts = &sheet->counts;

	if (!v)
		return;
	counts->questions = reading_count(r, v, "questions");
	counts->asked = reading_count(r, v, "asked");
	counts->answerable = reading_count(r, v, "answerable");
	counts->missing = reading_count(r, v, "missing");
	counts->errored = reading_count(r, v, "errored");
	counts->tracked = reading_count(r, v, "tracked");
	if (!sheet->shown)
		return;
	counts->common = reading_count(r, v, "common");
	counts->added = reading_count(r, v, "added");
	counts->removed = reading_count(r, v, "removed");
	counts->redefined = reading_count(r, v, "redefined");
}

static void
read_metric(const struct reading *r, const struct value *v, void *item)
{
	struct sheet_metric *m = item;

	*m = (struct sheet_metric){
	    .name = reading_name(r, v, "name"),
	    .slice = reading_nullable(r, v, "slice"),
	    .n = reading_count(r, v, "all"),
	    .value = reading_number(r, v, "value"),
	    .resolution = reading_number(r, v, "resolution"),
	    .common = reading_count(r, v, "n"),
	};
	if (value_get(v, "meaning"))
		m->meaning = reading_text(r, v, "meaning");
	if (!r->sheet->judged)
		return;
	m->baseline = reading_number(r, v, "baseline");
	m->current = reading_number(r, v, "current");
	m->delta = reading_number(r, v, "delta");
	m->low = reading_number(r, v, "low");
	m->high = reading_number(r, v, "high");
	m->wins = reading_count(r, v, "wins");
	m->ties = reading_count(r, v, "ties");
	m->losses = reading_count(r, v, "losses");
	m->compared =
	    !isnan(m->baseline) && !isnan(m->current) && !isnan(m->delta);
}

/* Whether rows are whole slices, each with the measures of the first. */
static bool
whole(const struct sheet_metric *metrics, size_t n, size_t nmeasures)
{
	size_t i;

	if (nmeasures == 0 || n % nmeasures != 0)
		return false;
	for (i = 0; i < n; i++)
		if (strcmp(metrics[i].name, metrics[i % nmeasures].name) != 0 ||
		    !slice_same(
			metrics[i].slice, metrics[i - i % nmeasures].slice) ||
		    (i >= nmeasures && !metrics[i].slice))
			return false;
	return true;
}

static void
read_metrics(
    const struct reading *r, const struct value *map, struct sheet *sheet)
{
	struct sheet_metric *metrics = reading_items(
	    r, map, "metrics", sizeof(*metrics), read_metric, &sheet->nmetrics);
	size_t n = 0;

	while (n < sheet->nmetrics && !metrics[n].slice)
		n++;
	if (r->e->nitems == r->nbefore && !whole(metrics, sheet->nmetrics, n))
		fail_at(r->e, r->file, value_get(map, "metrics")->line,
		    "metrics are no table: every slice has the same names in "
		    "the same order, and all questions come first");
	sheet->metrics = metrics;
	sheet->nmeasures = n;
}

static void
read_past(const struct reading *r, const struct value *v, void *item)
{
	*(struct past_rank *)item = (struct past_rank){
	    .commit = reading_text(r, v, "commit"),
	    .subject = reading_nullable(r, v, "subject"),
	    .known = !reading_mark(r, v, "unknown"),
	    .place = {reading_rank(r, v, "rank"), reading_depth(r, v)},
	};
}

static void
read_scores(
    const struct reading *r, const struct value *map, struct sheet_question *q)
{
	const struct sheet *sheet = r->sheet;
	const struct value *v = reading_key(r, map, "metrics");
	double *scores =
	    arena_array(r->arena, sheet->nmeasures + 1, sizeof(*scores));
	size_t i;

	q->scores = scores;
	if (!v)
		return;
	for (i = 0; i < sheet->nmeasures; i++)
		scores[i] = reading_number(r, v, sheet->metrics[i].name);
	if (v->type == VALUE_MAP && v->nitems > sheet->nmeasures)
		fail_at(r->e, r->file, v->line,
		    "a question has metrics that the report has not");
}

/* What few questions have; NULL: nothing of it. */
static const struct sheet_more *
read_more(const struct reading *r, const struct value *v)
{
	struct sheet_more more = {.flips = value_get(v, "best") != NULL}, *kept;
	bool past = value_get(v, "history") != NULL;
	int64_t tied = 0;

	more.has_document_rank = value_get(v, "document_rank") != NULL;
	if (value_get(v, "tied"))
		value_integer(value_get(v, "tied"), r->file, "tied", 2,
		    UINT_MAX - 1, &tied, r->e);
	more.tied = (unsigned)tied;
	if (tied)
		more.tied_first = reading_rank(r, v, "tied_best");
	if (!past && !tied && !more.flips && !more.has_document_rank)
		return NULL;
	if (more.flips) {
		more.best = reading_rank(r, v, "best");
		more.worst = reading_rank(r, v, "worst");
	}
	if (more.has_document_rank)
		more.document_rank = reading_rank(r, v, "document_rank");
	if (past)
		more.history = reading_items(r, v, "history",
		    sizeof(*more.history), read_past, &more.nhistory);
	kept = arena_alloc(r->arena, sizeof(*kept));
	*kept = more;
	return kept;
}

static void
read_question(const struct reading *r, const struct value *v, void *item)
{
	struct sheet_question *q = item;

	*q = (struct sheet_question){
	    .id = reading_text(r, v, "id"),
	    .text = reading_nullable(r, v, "text"),
	    .rank = reading_rank(r, v, "rank"),
	    .depth = reading_depth(r, v),
	    .answerable = reading_flag(r, v, "answerable"),
	    .missing = reading_flag(r, v, "missing"),
	    .tracked = reading_flag(r, v, "tracked"),
	    .holdout = reading_flag(r, v, "holdout"),
	    .more = read_more(r, v),
	    .class = CLASS_SAME,
	    .known = !reading_mark(r, v, "unknown"),
	    .errored = reading_mark(r, v, "errored"),
	    .nothing_relevant = reading_mark(r, v, "nothing_relevant"),
	};
	if (r->sheet->judged) {
		q->baseline = reading_rank(r, v, "baseline");
		q->class = (unsigned char)reading_word(
		    r, v, "class", class_names, CLASS_SAME + 1);
	}
	if (r->sheet->shown) {
		q->change = (unsigned char)reading_word(
		    r, v, "since", change_names, CHANGE_LEFT_OUT + 1);
		q->known_then = q->change == CHANGE_NONE &&
		    !reading_mark(r, v, "unknown_then");
	}
	read_scores(r, v, q);
}

static void
read_questions(
    const struct reading *r, const struct value *map, struct sheet *sheet)
{
	const struct sheet_question *rows = reading_items(r, map, "questions",
	    sizeof(*rows), read_question, &sheet->nquestions);
	const struct value *list = value_get(map, "questions");
	size_t i;

	for (i = 1; i < sheet->nquestions && !reading_enough(r); i++)
		if (strcmp(rows[i - 1].id, rows[i].id) >= 0)
			fail_at(r->e, r->file, list->u.items[i]->line,
			    "questions are not in bytewise order of ids, "
			    "each once: '%s'",
			    rows[i].id);
	sheet->questions = rows;
}

static int
read_schema(const struct reading *r, const struct value *v)
{
	const struct value *schema = value_get(v, "schema");

	if (!schema)
		return fail_at(r->e, r->file, v->line,
		    "is no report: it has no 'schema'; `evalgate check "
		    "--format json:FILE` writes one");
	if (schema->type == VALUE_NUMBER && strcmp(schema->text, "1") == 0 &&
	    value_get(v, "counts"))
		return 0;
	if (value_get(v, "records"))
		return fail_at(
		    r->e, r->file, v->line, "is a history, not a report");
	return fail_at(r->e, r->file, schema->line,
	    "is no report of schema 1, which is what this version reads");
}

static int
read_sheet(struct reading *r, const struct value *v, struct sheet *sheet)
{
	r->nbefore = r->e->nitems;
	if (read_schema(r, v) < 0)
		return -1;
	*sheet = (struct sheet){
	    .tool = reading_name(r, v, "tool"),
	    .command = reading_name(r, v, "command"),
	    .suite = reading_name(r, v, "suite"),
	    .subset = reading_nullable(r, v, "subset"),
	    .depth = reading_depth(r, v),
	    .judged = value_get(v, "verdict") != NULL,
	};
	r->sheet = sheet;
	if (sheet->judged)
		reading_judged(r, v, sheet);
	read_counts(r, v, sheet);
	read_metrics(r, v, sheet);
	/* Rows are read by the columns that metrics name. */
	if (r->e->nitems > r->nbefore)
		return -1;
	read_questions(r, v, sheet);
	if (r->e->nitems > r->nbefore)
		return -1;
	if (sheet->judged) {
		reading_findings(r, v, sheet);
		reading_waivers(r, v, sheet);
	}
	sheet->notices = reading_texts(r, v, "notices", &sheet->nnotices);
	return r->e->nitems > r->nbefore ? -1 : 0;
}

int
sheet_read(struct arena *arena, const struct source *source,
    struct sheet **sheets, size_t *n, struct error *e)
{
	struct reading r = {arena, source->name, e, e->nitems, NULL};
	const struct value *v = json_read(arena, source, e);
	size_t nitems, i;
	struct sheet *all;
	int rc = 0;

	if (!v)
		return -1;
	nitems = v->type == VALUE_LIST ? v->nitems : 1;
	all = arena_array(arena, *n + nitems + 1, sizeof(*all));
	if (*n)
		memcpy(all, *sheets, *n * sizeof(*all));
	for (i = 0; i < nitems; i++)
		if (read_sheet(&r, v->type == VALUE_LIST ? v->u.items[i] : v,
			&all[*n + i]) < 0)
			rc = -1;
	if (rc < 0)
		return rc;
	*sheets = all;
	*n += nitems;
	return 0;
}
