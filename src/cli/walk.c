/*
 * The past as a page shows it: the rank of every question and the metrics in
 * each recorded run, as they were that day and over the questions that all
 * of the commits share.
 */
#include <math.h>
#include <string.h>

#include "cli.h"

#define ROWS 200 /* the newest records; --range shows others */
#define LINKS 1000 /* commits that a report looks back on */

struct walk {
	struct session *s;
	const struct trail *trail;
	const struct gating *judged; /* NULL: no run is */
	struct qset qset; /* of the questions as they are now */
	const size_t *shown; /* by column: the question's index */
	size_t nshown;
	struct walk_row {
		const struct chain_link *link; /* NULL: the run itself */
		const struct record *record;
		const enum change *changes; /* NULL: all are the same */
		const struct answer *answers;
		unsigned depth;
		size_t nskipped;
	} * rows; /* oldest first */
	size_t nrows;
	bool *common; /* by question: every row has it, and it counts */
	struct history_report *out;
};

/* Holdout questions count in averages, and are never listed. */
static void
choose_questions(struct walk *p)
{
	const struct questions *questions = &p->s->questions;
	size_t *shown =
	    arena_array(p->s->arena, questions->nitems + 1, sizeof(*shown));
	size_t i;

	for (i = 0; i < questions->nitems; i++)
		if (!questions->items[i].holdout &&
		    !questions->items[i].unanswerable &&
		    !questions->items[i].left_out)
			shown[p->nshown++] = i;
	p->shown = shown;
}

static int
read_record(struct walk *p, const struct trail_run *run, size_t nskipped)
{
	struct session *s = p->s;
	struct record *record = arena_alloc(s->arena, sizeof(*record));
	struct reference reference = {.record = record};
	struct side side;
	struct qset qset;

	*record = *run->record;
	if (notes_qset(p->trail->notes, record->qset, &qset, s->e) < 0)
		return -1;
	/* Of all questions, so that no line is searched a thousand times. */
	record_ranks(s->arena, record);
	side_make(s->arena, &s->config.rules, &s->questions, &p->qset,
	    &reference, &qset, &side);
	p->rows[p->nrows++] =
	    (struct walk_row){.link = &p->trail->links[run->link],
		.record = record,
		.changes = side.changes,
		.answers = side.answers,
		.depth = record->depth,
		.nskipped = nskipped};
	return 0;
}

/* Oldest first, and of those that have records the newest alone. */
static int
read_rows(struct walk *p)
{
	const struct trail *trail = p->trail;
	struct trail_run *runs;
	size_t n = trail_runs(p->s->arena, trail->links, trail->nlinks, &runs);
	size_t i, link = trail->nlinks, skipped;

	p->rows = arena_array(p->s->arena, ROWS + 2, sizeof(*p->rows));
	p->out->nolder = n > ROWS ? n - ROWS : 0;
	for (i = n; i-- > 0; link = runs[i].link) {
		/* Commits between this one and the one before it. */
		skipped = link > runs[i].link ? link - runs[i].link - 1 : 0;
		if (i < ROWS && read_record(p, &runs[i], skipped) < 0)
			return -1;
	}
	if (p->judged)
		p->rows[p->nrows++] =
		    (struct walk_row){.answers = p->s->run.answers,
			.depth = p->s->run.depth,
			.nskipped = p->judged->baseline.nunrecorded};
	return 0;
}

static void
find_common(struct walk *p)
{
	const struct questions *questions = &p->s->questions;
	size_t i, q;

	p->common =
	    arena_array(p->s->arena, questions->nitems + 1, sizeof(*p->common));
	for (q = 0; q < questions->nitems; q++) {
		p->common[q] = question_counts(&questions->items[q]);
		for (i = 0; i < p->nrows; i++)
			if (p->rows[i].changes &&
			    p->rows[i].changes[q] != CHANGE_NONE)
				p->common[q] = false;
		p->out->ncommon += p->common[q];
	}
}

/* A metric over the common questions; NAN where ranks do not tell it. */
static double
common_mean(struct walk *p, const struct walk_row *row,
    const struct measure *measure, struct ranking_scratch *scratch)
{
	const struct session *s = p->s;
	int relevance = s->config.rules.relevance;
	struct ranking ranking;
	struct mean mean = {0};
	size_t q;

	for (q = 0; q < s->questions.nitems; q++) {
		const struct question *question = &s->questions.items[q];

		if (!p->common[q])
			continue;
		if (!answer_gives(
			question, &row->answers[q], measure, relevance) ||
		    (row->link && measure->metric->needs == NEEDS_JUDGED))
			return NAN;
		ranking = ranking_of(
		    scratch, question, &row->answers[q], relevance, 0);
		mean_add(&mean, measure->metric->score(&ranking, measure->k));
	}
	return p->out->ncommon ? mean_value(&mean) : NAN;
}

static void
fill_metrics(struct walk *p, const struct walk_row *row, double *metrics)
{
	const struct rules *rules = &p->s->config.rules;
	size_t m, i;

	for (m = 0; m < rules->nmeasures; m++) {
		if (!row->record) {
			metrics[m] = p->s->scores.means[m];
			continue;
		}
		metrics[m] = NAN;
		for (i = 0; i < row->record->nmetrics; i++)
			if (strcmp(row->record->metrics[i].name,
				rules->measures[m].name) == 0)
				metrics[m] = row->record->metrics[i].value;
	}
}

static struct history_rank
rank_of(struct walk *p, const struct walk_row *row, size_t q)
{
	const struct rules *rules = &p->s->config.rules;
	const struct question *question = &p->s->questions.items[q];
	const struct tracked *tracked = rules_tracked(rules, question->id);
	struct history_rank rank = {RANK_ABSENT, 0};

	if (row->answers[q].errored)
		rank.state = RANK_ERRORED;
	else if ((!row->changes || row->changes[q] == CHANGE_NONE) &&
	    answer_rank(question, &row->answers[q],
		tracked ? tracked->document : NULL, rules->relevance,
		&rank.rank))
		rank.state = RANK_GIVEN;
	return rank;
}

/* What the commit of a row is called, and how it was judged. */
static void
name_row(struct walk *p, const struct walk_row *row, struct history_row *out)
{
	const struct gating *g = p->judged;

	if (row->link) {
		out->commit = row->link->commit.id;
		out->subject =
		    row->link->known ? row->link->commit.subject : NULL;
		out->at = row->record->at;
		out->verdict = record_verdict_names[row->record->verdict];
		out->start = row->record->start;
		return;
	}
	out->current = true;
	out->commit = g->commit.id;
	out->subject = g->commit.subject;
	out->at = time_text(p->s->arena, g->commit.time);
	out->verdict = verdict_names[g->judgement.verdict];
	out->start = p->s->options.start;
}

static void
fill_rows(struct walk *p)
{
	struct arena *arena = p->s->arena;
	const struct rules *rules = &p->s->config.rules;
	struct history_row *rows =
	    arena_array(arena, p->nrows + 1, sizeof(*rows));
	struct ranking_scratch scratch = {.arena = arena};
	size_t i, k;

	for (i = 0; i < p->nrows; i++) {
		const struct walk_row *row = &p->rows[i];
		struct history_rank *ranks =
		    arena_array(arena, p->nshown + 1, sizeof(*ranks));
		double *metrics =
		    arena_array(arena, rules->nmeasures + 1, sizeof(*metrics));
		double *common =
		    arena_array(arena, rules->nmeasures + 1, sizeof(*common));

		name_row(p, row, &rows[i]);
		fill_metrics(p, row, metrics);
		for (k = 0; k < rules->nmeasures; k++)
			common[k] =
			    common_mean(p, row, &rules->measures[k], &scratch);
		for (k = 0; k < p->nshown; k++)
			ranks[k] = rank_of(p, row, p->shown[k]);
		rows[i].metrics = metrics;
		rows[i].common = common;
		rows[i].ranks = ranks;
		rows[i].depth = row->depth;
		rows[i].nskipped = row->nskipped;
	}
	p->out->rows = rows;
	p->out->nrows = p->nrows;
}

/* What the thresholds on all questions ask of a metric. */
static struct history_metric
limits_of(const struct walk *p, size_t m)
{
	const struct rules *rules = &p->s->config.rules;
	const struct judgement *j = p->judged ? &p->judged->judgement : NULL;
	struct history_metric limits = {NAN, NAN};
	size_t i;

	for (i = 0; i < rules->nthresholds; i++) {
		const struct threshold *t = &rules->thresholds[i];
		double base;

		if (t->where.npairs ||
		    strcmp(t->measure.name, rules->measures[m].name) != 0)
			continue;
		if (t->has_min)
			limits.min = t->min;
		if (!t->has_max_drop || !j || !j->comparisons ||
		    !j->comparisons[m].known)
			continue;
		base = j->comparisons[m].baseline;
		limits.lowest =
		    base - (t->relative ? t->max_drop * base : t->max_drop);
	}
	return limits;
}

static struct place
place_of(const struct history_row *row, size_t column)
{
	return (struct place){row->ranks[column].rank, row->depth};
}

/* The last fall from which the rank has not come back. */
static void
find_fall(const struct walk *p, size_t column, int64_t max_loss,
    struct history_question *about)
{
	const struct history_row *rows = p->out->rows;
	size_t i = p->nrows, next;
	struct place now;

	if (!i || rows[--i].ranks[column].state != RANK_GIVEN)
		return;
	now = place_of(&rows[i], column);
	for (next = i; i-- > 0;) {
		if (rows[i].ranks[column].state != RANK_GIVEN)
			continue;
		if (rank_worse(now, place_of(&rows[i], column), max_loss) ==
		    WORSE_YES) {
			about->fell = next;
			about->from = i;
			return;
		}
		next = i;
	}
}

static void
fill_columns(struct walk *p)
{
	struct arena *arena = p->s->arena;
	const struct rules *rules = &p->s->config.rules;
	const char **metrics =
	    arena_array(arena, rules->nmeasures + 1, sizeof(*metrics));
	const char **ids = arena_array(arena, p->nshown + 1, sizeof(*ids));
	struct history_metric *about_metrics =
	    arena_array(arena, rules->nmeasures + 1, sizeof(*about_metrics));
	struct history_question *about =
	    arena_array(arena, p->nshown + 1, sizeof(*about));
	size_t k, i;

	for (k = 0; k < rules->nmeasures; k++) {
		metrics[k] = rules->measures[k].name;
		about_metrics[k] = limits_of(p, k);
	}
	for (k = 0; k < p->nshown; k++) {
		const struct question *question =
		    &p->s->questions.items[p->shown[k]];
		const struct tracked *tracked =
		    rules_tracked(rules, question->id);

		ids[k] = question->id;
		about[k].text = question_text(question);
		about[k].tracked = tracked != NULL;
		about[k].max_rank = tracked ? tracked->max_rank : 0;
		for (i = 0; i < p->nrows; i++) {
			unsigned r = p->out->rows[i].ranks[k].rank;

			if (r && (!about[k].best || r < about[k].best))
				about[k].best = r;
			if (r > about[k].worst)
				about[k].worst = r;
		}
		find_fall(p, k, tracked ? tracked->max_loss : 0, &about[k]);
	}
	p->out->metrics = metrics;
	p->out->nmetrics = rules->nmeasures;
	p->out->questions = ids;
	p->out->nquestions = p->nshown;
	p->out->about_metrics = about_metrics;
	p->out->about_questions = about;
}

int
walk_make(struct session *s, const struct trail *trail,
    const struct gating *judged, struct history_report *past)
{
	struct walk p = {.s = s, .trail = trail, .judged = judged, .out = past};

	*past = (struct history_report){.tool = EVALGATE_VERSION,
	    .suite = s->config.suite,
	    .cut = trail->cut};
	qset_make(s->arena, &s->questions, &p.qset);
	choose_questions(&p);
	if (read_rows(&p) < 0)
		return -1;
	find_common(&p);
	fill_rows(&p);
	fill_columns(&p);
	past->web = repo_web(s->arena, s->repo, session_remote(s));
	return 0;
}

int
walk_tell(struct session *s, const struct gating *g, struct report *report)
{
	struct history_report *walk = arena_alloc(s->arena, sizeof(*walk));
	const struct reference *before = g->baseline.before;
	struct trail trail = {.notes = g->notes};

	if (!output_wants_past(s))
		return 0;
	/* A results file has no past. */
	if (before && before->record->tree &&
	    chain_walk(s->arena, s->repo, g->notes,
		before->twin_of ? before->twin_of : before->record->commit,
		LINKS, &trail.links, &trail.nlinks, &trail.cut, s->e) < 0)
		return -1;
	report->walk = walk;
	return walk_make(s, &trail, g, walk);
}
