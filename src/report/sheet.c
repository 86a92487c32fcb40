/* Sheets: finding a question, several in order, the worst exit status. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

const char *const change_names[] = {
    [CHANGE_NONE] = "same",
    [CHANGE_ADDED] = "added",
    [CHANGE_REDEFINED] = "redefined",
    [CHANGE_ERRORED] = "errored",
    [CHANGE_LEFT_OUT] = "left-out",
};

const char *const verdict_words[] = {
    [VERDICT_PASS] = "PASS",
    [VERDICT_FAIL] = "FAIL",
    [VERDICT_NONE] = "NO VERDICT",
};

static int
compare_id(const void *id, const void *row)
{
	return strcmp(id, ((const struct sheet_question *)row)->id);
}

const struct sheet_question *
sheet_question_of(const struct sheet *sheet, const char *id)
{
	if (!sheet->nquestions)
		return NULL;
	return bsearch(id, sheet->questions, sheet->nquestions,
	    sizeof(*sheet->questions), compare_id);
}

bool
question_is_missing(const struct sheet_question *q)
{
	return q->missing && q->answerable;
}

bool
question_is_unanswerable(const struct sheet_question *q)
{
	return !q->answerable;
}

const char *
sheet_next(const struct sheet *sheet)
{
	return sheet->verdict == VERDICT_PASS ? sheet_uncompared(sheet) : NULL;
}

const char *
sheet_uncompared(const struct sheet *sheet)
{
	size_t i;

	if (!sheet->judged || sheet->compared_only || sheet->before)
		return NULL;
	/* A history that should be there is a finding. */
	for (i = 0; i < sheet->nfindings; i++)
		if (strcmp(sheet->findings[i].rule, "baseline") == 0)
			return NULL;
	return "nothing to compare with yet: only floors and max_rank were "
	       "judged; once a run is recorded, the next one is compared with "
	       "it";
}

bool
sheet_two_references(const struct sheet *sheet)
{
	const struct sheet_reference *a = sheet->before, *b = sheet->good;

	if (!a || !b)
		return false;
	/* Two runs of one commit may differ in their verdict. */
	return strcmp(a->commit, b->commit) != 0 ||
	    strcmp(a->verdict ? a->verdict : "",
		b->verdict ? b->verdict : "") != 0;
}

/* By how many ranks it is worse; a miss is worse than any rank. */
static int64_t
loss(const struct sheet_question *q)
{
	if (q->change != CHANGE_NONE || !q->known || !q->known_then)
		return 0;
	return (int64_t)(q->rank - 1) - (int64_t)(q->baseline - 1);
}

static int
compare_loss(const void *a, const void *b)
{
	const struct sheet_question *const *x = a, *const *y = b;

	if (loss(*x) != loss(*y))
		return loss(*x) > loss(*y) ? -1 : 1;
	return strcmp((*x)->id, (*y)->id);
}

const struct sheet_question **
sheet_moved(struct arena *arena, const struct sheet *sheet, size_t *n)
{
	const struct sheet_question **moved, *q;
	size_t i;

	*n = 0;
	moved = arena_array(arena, sheet->nquestions + 1, sizeof(*moved));
	for (i = 0; sheet->shown && i < sheet->nquestions; i++) {
		q = &sheet->questions[i];
		if (q->change == CHANGE_NONE && q->answerable && !q->holdout &&
		    q->rank != q->baseline)
			moved[(*n)++] = q;
	}
	sort(moved, *n, sizeof(*moved), compare_loss);
	return moved;
}

bool
finding_is_doubt(const struct sheet_finding *f)
{
	return f->class == CLASS_ERRORED || f->class == CLASS_UNTELLABLE;
}

/*
 * What this change did and somebody has to mend comes first, then what it
 * left as it was, then what could not be told; good news is last.
 */
static int rank_of_class(enum finding_class class)
{
	static const unsigned char ranks[] = {
	    [CLASS_NEW_REGRESSION] = 0,
	    [CLASS_WAIVER_EXCEEDED] = 1,
	    [CLASS_BELOW_LIMIT] = 2,
	    [CLASS_STILL_FAILING] = 3,
	    [CLASS_REMOVED] = 4,
	    [CLASS_REDEFINED] = 5,
	    [CLASS_UNTELLABLE] = 6,
	    [CLASS_ERRORED] = 7,
	    [CLASS_GATE_LOOSENED] = 8,
	    [CLASS_CREEP] = 9,
	    [CLASS_WORSE_ALLOWED] = 10,
	    [CLASS_WAIVED] = 11,
	};

	/* The rest is in the order of the enum. */
	return class < COUNT(ranks) ? ranks[class] : (int)class;
}

/* The larger, the more is to be told; what is no question comes after. */
static int64_t
finding_weight(const struct sheet_finding *f)
{
	if (!f->question)
		return INT64_MIN;
	return f->class >= CLASS_FIXED ? -loss(f->question) : loss(f->question);
}

int
finding_compare(const struct sheet_finding *x, const struct sheet_finding *y)
{
	if (x->level != y->level)
		return x->level < y->level ? -1 : 1;
	if (x->class != y->class)
		return rank_of_class(x->class) - rank_of_class(y->class);
	if (finding_weight(x) != finding_weight(y))
		return finding_weight(x) > finding_weight(y) ? -1 : 1;
	return 0;
}

static int
compare_places(const void *a, const void *b)
{
	const struct sheet_finding *x = *(const struct sheet_finding *const *)a;
	const struct sheet_finding *y = *(const struct sheet_finding *const *)b;
	int order = finding_compare(x, y);

	return order ? order : x < y ? -1 : x > y;
}

void
findings_sort(struct arena *arena, struct sheet_finding *findings, size_t n)
{
	const struct sheet_finding **places =
	    arena_array(arena, n + 1, sizeof(*places));
	struct sheet_finding *sorted =
	    arena_array(arena, n + 1, sizeof(*sorted));
	size_t i;

	for (i = 0; i < n; i++)
		places[i] = &findings[i];
	sort(places, n, sizeof(*places), compare_places);
	for (i = 0; i < n; i++)
		sorted[i] = *places[i];
	if (n)
		memcpy(findings, sorted, n * sizeof(*sorted));
}

size_t
sheet_nwrong(const struct sheet *sheet)
{
	return sheet->nerrors + sheet->nwarnings;
}

bool
sheet_fell(const struct sheet_question *question)
{
	return loss(question) > 0;
}

const char *
sheet_ranks(struct arena *arena, const struct sheet *sheet,
    const struct sheet_question *question)
{
	struct place then = {question->baseline, sheet->shown->depth};
	struct place now = {question->rank, question->depth};

	return arena_printf(
	    arena, "%s → %s", place_text(arena, then), place_text(arena, now));
}

/* Scores and what is only compared have no verdict: they come last. */
static int
badness(const struct sheet *sheet)
{
	if (!sheet->judged || sheet->compared_only)
		return 0;
	switch (sheet->verdict) {
	case VERDICT_FAIL:
		return 3;
	case VERDICT_NONE:
		return 2;
	default:
		return 1;
	}
}

static bool
before(const struct sheet *a, const struct sheet *b)
{
	if (badness(a) != badness(b))
		return badness(a) > badness(b);
	return strcmp(a->suite, b->suite) < 0;
}

/* By insertion: they are few, and equal ones keep their order. */
void
sheet_sort(struct sheet *sheets, size_t n)
{
	struct sheet sheet;
	size_t i, k;

	for (i = 1; i < n; i++) {
		sheet = sheets[i];
		for (k = i; k > 0 && before(&sheet, &sheets[k - 1]); k--)
			sheets[k] = sheets[k - 1];
		sheets[k] = sheet;
	}
}

int
sheet_exit(const struct sheet *sheets, size_t n)
{
	static const int worst[] = {2, 1, 4, 3};
	size_t i, k;

	for (k = 0; k < COUNT(worst); k++)
		for (i = 0; i < n; i++)
			if (sheets[i].exit == worst[k])
				return worst[k];
	return 0;
}

struct mean_text
mean_text(double mean)
{
	struct mean_text made = {"–"};

	if (!isnan(mean))
		snprintf(made.text, sizeof(made.text), "%.4f", mean);
	return made;
}

double
metric_now(const struct sheet_metric *m)
{
	return m->compared ? m->current : m->value;
}

bool
metric_is_of_part(const struct sheet_metric *m)
{
	return m->compared && fabs(m->current - m->value) >= 1e-12;
}

size_t
slice_n(const struct sheet_metric *row, size_t nmeasures)
{
	size_t i;

	for (i = 0; i < nmeasures; i++)
		if (row[i].compared)
			return row[i].common;
	return nmeasures ? row->n : 0;
}

const char *
metrics_over_all(struct arena *arena, const struct sheet *sheet)
{
	const char *text = "";
	size_t i;

	for (i = 0; i < sheet->nmeasures; i++) {
		const struct sheet_metric *m = &sheet->metrics[i];

		if (metric_is_of_part(m))
			text = arena_printf(arena, "%s%s%s %.4f", text,
			    *text ? ", " : "", m->name, m->value);
	}
	return text;
}
