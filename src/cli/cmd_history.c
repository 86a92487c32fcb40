/* evalgate history: ranks and metrics across commits. */
#include <math.h>
#include <string.h>

#include "cli.h"

#define LINKS 1000000 /* a whole chain */

/* What the columns are and what the rows say, while they are collected. */
struct history {
	struct session *s;
	struct trail trail;
	struct words metrics;
	struct measure *measures; /* by metric; .metric NULL: not known here */
	/* By metric: records that it was computed for, or could not be. */
	size_t *ncomputed, *nuntold;
	struct words questions;
	struct history_report report;
};

static void
add_once(struct history *h, struct words *words, const char *word)
{
	size_t i;

	for (i = 0; i < words->n; i++)
		if (strcmp(words->items[i], word) == 0)
			return;
	words_add(h->s->arena, words, word);
}

/* Whether any record on the chain reports a metric of this name. */
static bool
is_metric(const struct history *h, const char *name)
{
	const struct record *record;
	size_t i, m;

	for (i = 0; i < h->trail.nlinks; i++) {
		record = trail_record(&h->trail.links[i]);
		for (m = 0; record && m < record->nmetrics; m++)
			if (strcmp(record->metrics[m].name, name) == 0)
				return true;
	}
	return false;
}

/* Without names: the metrics and tracked questions of the newest record. */
static void
default_columns(struct history *h)
{
	const struct record *record = NULL;
	size_t i;

	for (i = 0; i < h->trail.nlinks && !record; i++)
		record = trail_record(&h->trail.links[i]);
	if (!record)
		return;
	for (i = 0; i < record->nmetrics; i++)
		add_once(h, &h->metrics, record->metrics[i].name);
	for (i = 0; i < record->ntracked; i++)
		add_once(h, &h->questions, record->tracked[i].question);
}

static bool
question_known(struct history *h, const char *id)
{
	const struct record *record;
	const char *last = NULL;
	struct qset qset;
	size_t i, index;

	if (h->s->e->nitems)
		return true; /* the same, once more */
	for (i = 0; i < h->trail.nlinks; i++) {
		record = trail_record(&h->trail.links[i]);
		if (!record || (last && strcmp(last, record->qset) == 0))
			continue;
		last = record->qset;
		if (notes_qset(h->trail.notes, last, &qset, h->s->e) < 0)
			return true; /* the error says more */
		if (map_get(&qset.by_id, id, strlen(id), &index))
			return true;
	}
	/* Where nothing is recorded, nothing can be mistaken. */
	return last == NULL;
}

static int
choose_columns(struct history *h)
{
	const struct options *o = &h->s->options;
	struct measure measure;
	const char *mend, *word;
	size_t i;

	for (i = 0; i < o->metrics.n; i++) {
		word = o->metrics.items[i];
		if (measure_parse(h->s->arena, word, &measure, &mend) < 0)
			return fail(h->s->e, "%s", mend);
		add_once(h, &h->metrics, measure.name);
	}
	for (i = 0; i < o->questions.n; i++)
		add_once(h, &h->questions, o->questions.items[i]);
	for (i = 0; i < o->args.n; i++) {
		word = o->args.items[i];
		if (is_metric(h, word))
			add_once(h, &h->metrics, word);
		else if (!question_known(h, word) &&
		    measure_parse(h->s->arena, word, &measure, &mend) == 0)
			add_once(h, &h->metrics, measure.name);
		else
			add_once(h, &h->questions, word);
	}
	for (i = 0; i < h->questions.n; i++)
		if (!question_known(h, h->questions.items[i]))
			return fail(h->s->e,
			    "'%s' is neither a question nor a metric of "
			    "suite '%s' on this branch",
			    h->questions.items[i], h->s->config.suite);
	if (!o->metrics.n && !o->questions.n && !o->args.n)
		default_columns(h);
	return h->s->e->nitems ? -1 : 0;
}

/* As it was recorded, else from the ranks, else NAN. */
static double
value_of(struct history *h, const struct record *record, size_t column)
{
	double value = NAN;
	size_t m;

	for (m = 0; m < record->nmetrics; m++)
		if (strcmp(record->metrics[m].name, h->metrics.items[column]) ==
		    0)
			return record->metrics[m].value;
	if (h->measures[column].metric &&
	    record_measure(record, &h->measures[column], &value))
		h->ncomputed[column]++;
	else
		h->nuntold[column]++;
	return value;
}

static void
fill_row(struct history *h, const struct chain_link *link,
    const struct record *record, const struct qset *qset,
    struct history_row *row)
{
	struct arena *arena = h->s->arena;
	struct history_rank *ranks =
	    arena_array(arena, h->questions.n + 1, sizeof(*ranks));
	double *metrics =
	    arena_array(arena, h->metrics.n + 1, sizeof(*metrics));
	size_t i, index;

	for (i = 0; i < h->metrics.n; i++)
		metrics[i] = value_of(h, record, i);
	for (i = 0; i < h->questions.n; i++)
		if (map_get(&qset->by_id, h->questions.items[i],
			strlen(h->questions.items[i]), &index))
			ranks[i] = trail_rank(arena, record, index);
	*row = (struct history_row){
	    .commit = link->commit.id,
	    .subject = link->known ? link->commit.subject : NULL,
	    .at = record->at,
	    .verdict = record_verdict_names[record->verdict],
	    .start = record->start,
	    .dirty = record->dirty,
	    .metrics = metrics,
	    .ranks = ranks,
	    .depth = record->depth,
	    .record_of = link->twin,
	};
}

/* The rows of one commit: its newest run, or with --runs every one. */
static int
fill_commit(struct history *h, const struct chain_link *link,
    struct history_row *rows, struct qset *qset, const char **last)
{
	const struct record *newest = trail_record(link), *record;
	size_t i;

	if (!newest) {
		h->report.nunrecorded++;
		h->report.nlatest++;
		return 0;
	}
	for (i = link->nrecords; i-- > 0;) {
		record = &link->records[i];
		if (record != newest && !h->s->options.runs)
			continue;
		if (!*last || strcmp(*last, record->qset) != 0) {
			*last = record->qset;
			if (notes_qset(h->trail.notes, *last, qset, h->s->e) <
			    0)
				return -1;
		}
		fill_row(h, link, record, qset, &rows[h->report.nrows]);
		rows[h->report.nrows++].nskipped = h->report.nlatest;
		h->report.nlatest = 0;
	}
	return 0;
}

static void
know_measures(struct history *h)
{
	size_t n = h->metrics.n, i;
	const char *mend;

	h->measures = arena_array(h->s->arena, n + 1, sizeof(*h->measures));
	h->ncomputed = arena_array(h->s->arena, n + 1, sizeof(*h->ncomputed));
	h->nuntold = arena_array(h->s->arena, n + 1, sizeof(*h->nuntold));
	for (i = 0; i < n; i++)
		if (measure_parse(h->s->arena, h->metrics.items[i],
			&h->measures[i], &mend) < 0)
			h->measures[i].metric = NULL;
}

/* Rows, oldest first; a question set is read once while it stays the same. */
static int
fill_rows(struct history *h)
{
	const char *last = NULL;
	struct history_row *rows;
	struct qset qset;
	size_t i, n = 0;

	for (i = 0; i < h->trail.nlinks; i++)
		n += h->trail.links[i].nrecords;
	rows = arena_array(h->s->arena, n + 1, sizeof(*rows));
	know_measures(h);
	for (i = h->trail.nlinks; i-- > 0;)
		if (fill_commit(h, &h->trail.links[i], rows, &qset, &last) < 0)
			return -1;
	h->report.rows = rows;
	return 0;
}

/*
 * A page shows every question, where the question file is here: it says which
 * are held out.  Else, and where columns were named, it shows the columns.
 */
static int
make_page(struct history *h, struct history_report *page)
{
	struct session *s = h->s;
	struct error *e = s->e, ignored = {.arena = s->arena};
	int rc;

	if (!output_wants_past(s) || s->options.args.n ||
	    s->options.questions.n || s->options.metrics.n)
		return 0;
	s->e = &ignored;
	rc = session_read_questions(s);
	s->e = e;
	if (rc < 0) {
		session_notice(s,
		    s->config.questions.n
			? "the question file can't be read, so only tracked "
			  "questions are shown"
			: "the config names no question file, so only tracked "
			  "questions are shown");
		return 0;
	}
	if (walk_make(s, &h->trail, NULL, page) < 0)
		return -1;
	page->nunrecorded = h->report.nunrecorded;
	h->report.page = page;
	return 0;
}

/* What each column's values are, where not all were recorded. */
static void
tell_metrics(struct history *h)
{
	struct arena *arena = h->s->arena;
	size_t i, n;

	for (i = 0; i < h->metrics.n; i++) {
		n = h->ncomputed[i];
		if (n)
			session_notice(h->s,
			    arena_printf(arena,
				"%s of %zu record%s is computed from the "
				"recorded ranks",
				h->metrics.items[i], n, n == 1 ? "" : "s"));
		n = h->nuntold[i];
		if (n)
			session_notice(h->s,
			    arena_printf(arena,
				"%s does not follow from what %zu record%s "
				"hold%s; shown as ·",
				h->metrics.items[i], n, n == 1 ? "" : "s",
				n == 1 ? "s" : ""));
	}
}

static void
tell_carried(struct history *h)
{
	size_t i, n = 0;

	for (i = 0; i < h->trail.nlinks; i++)
		n += h->trail.links[i].skipped.ncarried;
	if (n)
		session_notice(h->s, carried_text(h->s->arena, n));
}

/* A table that shows one run a commit may not show the best, nor the worst. */
static void
tell_runs(struct history *h)
{
	struct trail_run *runs;
	size_t n =
	    trail_runs(h->s->arena, h->trail.links, h->trail.nlinks, &runs);

	if (h->s->options.runs || n <= h->report.nrows)
		return;
	n -= h->report.nrows;
	session_notice(h->s,
	    arena_printf(h->s->arena,
		"%zu older run%s of these commits %s not in the table, which "
		"has the newest of each; --runs shows all",
		n, n == 1 ? "" : "s", n == 1 ? "is" : "are"));
}

static int
run(struct session *s)
{
	struct history h = {.s = s};
	struct history_report page;

	if (session_open_repo(s) < 0 || session_read_config(s) < 0 ||
	    trail_read(s, &h.trail) < 0)
		return EXIT_INPUT;
	h.report.cut = h.trail.cut;
	if (choose_columns(&h) < 0 || fill_rows(&h) < 0 ||
	    make_page(&h, &page) < 0)
		return EXIT_INPUT;
	h.report.tool = EVALGATE_VERSION;
	h.report.suite = s->config.suite;
	h.report.web = repo_web(s->arena, s->repo, session_remote(s));
	h.report.metrics = h.metrics.items;
	h.report.nmetrics = h.metrics.n;
	h.report.questions = h.questions.items;
	h.report.nquestions = h.questions.n;
	tell_metrics(&h);
	tell_carried(&h);
	tell_runs(&h);
	if (h.report.nrows == 0 && h.trail.narrowed)
		session_notice(s,
		    "no record lies within what was asked for, though there "
		    "are others; in A..B, B comes after A");
	else if (h.report.nrows == 0)
		session_notice(s,
		    "no records here; `evalgate record` begins a history, and "
		    "`evalgate sync --fetch` brings the remote's");
	h.report.notices = page.notices = s->notices.items;
	h.report.nnotices = page.nnotices = s->notices.n;
	return output_history(s, &h.report) < 0 ? EXIT_ENVIRONMENT : EXIT_PASS;
}

const struct command command_history = {
    .name = "history",
    .bit = COMMAND_HISTORY,
    .synopsis = "history [OPTION]... [NAME]...",
    .summary = "ranks and metrics across commits",
    .help = "Shows the recorded ranks of questions and the metrics along "
	    "the first parents of\nHEAD.  NAME is a question's id or a "
	    "metric; without one, the metrics and tracked\nquestions of the "
	    "newest record.  Needs no question file.\nA metric that a record "
	    "does not hold is computed from its ranks, where it follows\nfrom "
	    "them.\n",
    .run = run,
};
