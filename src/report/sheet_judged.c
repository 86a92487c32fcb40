/* What a stored report says beyond its scores: references, findings. */
#include <math.h>
#include <string.h>

#include "internal.h"

static const struct sheet_reference *
read_reference(
    const struct reading *r, const struct value *map, const char *key)
{
	const struct value *v = reading_key(r, map, key), *age;
	struct sheet_reference *reference;

	if (!v || v->type == VALUE_NULL)
		return NULL;
	reference = arena_alloc(r->arena, sizeof(*reference));
	*reference = (struct sheet_reference){
	    .commit = reading_text(r, v, "commit"),
	    .subject = reading_nullable(r, v, "subject"),
	    .reason = reading_text(r, v, "reason"),
	    .distance = reading_count(r, v, "distance"),
	    .verdict = reading_nullable(r, v, "verdict"),
	    .depth = reading_depth(r, v),
	};
	if (value_get(v, "serves")) {
		reference->twin_of = reading_text(r, v, "serves");
		reference->twin_by = reading_name(r, v, "same");
	}
	age = reading_key(r, v, "age_seconds");
	reference->has_age = age && age->type != VALUE_NULL;
	if (reference->has_age)
		value_integer(age, r->file, "age_seconds", INT64_MIN, INT64_MAX,
		    &reference->age, r->e);
	return reference;
}

static void
read_displacer(const struct reading *r, const struct value *v, void *item)
{
	*(struct displacer *)item = (struct displacer){
	    .document = reading_text(r, v, "document"),
	    .rank = reading_rank(r, v, "rank"),
	    .old_rank = reading_rank(r, v, "old_rank"),
	};
}

static const struct explanation *
read_explanation(
    const struct reading *r, const struct value *map, const char *question)
{
	const struct value *v = reading_key(r, map, "explain");
	struct explanation *x;

	if (!v || v->type == VALUE_NULL)
		return NULL;
	x = arena_alloc(r->arena, sizeof(*x));
	*x = (struct explanation){
	    .question = question,
	    .top_known = reading_flag(r, v, "top_known"),
	    .best = reading_rank(r, v, "best"),
	    .best_commit = reading_nullable(r, v, "best_commit"),
	    .fall_commit = reading_nullable(r, v, "fall_commit"),
	    .fall_subject = reading_nullable(r, v, "fall_subject"),
	};
	x->above = reading_items(r, v, "above", sizeof(struct displacer),
	    read_displacer, &x->nabove);
	x->left = reading_items(
	    r, v, "left", sizeof(struct displacer), read_displacer, &x->nleft);
	return x;
}

static void
read_finding(const struct reading *r, const struct value *v, void *item)
{
	struct sheet_finding *f = item;

	*f = (struct sheet_finding){
	    .rule = reading_name(r, v, "rule"),
	    .subject = reading_text(r, v, "subject"),
	    .slice = reading_nullable(r, v, "slice"),
	    .level = (enum level)reading_word(
		r, v, "level", level_names, LEVEL_INFO + 1),
	    .class = (enum finding_class)reading_word(
		r, v, "class", class_names, CLASS_SAME),
	    .baseline = reading_number(r, v, "baseline"),
	    .current = reading_number(r, v, "current"),
	    .limit = reading_number(r, v, "limit"),
	    .change = reading_nullable(r, v, "change"),
	    .message = reading_text(r, v, "message"),
	    .file = reading_nullable(r, v, "file"),
	    .line = reading_line(r, v),
	};
	f->question = sheet_question_of(r->sheet, f->subject);
	f->explanation = read_explanation(r, v, f->subject);
}

/* The status of a verdict; worse is what befell whoever had reached it. */
static bool
exit_fits(const struct sheet *sheet)
{
	static const int statuses[] = {
	    [VERDICT_PASS] = 0, [VERDICT_FAIL] = 1, [VERDICT_NONE] = 3};

	return sheet->exit == statuses[sheet->verdict] || sheet->exit == 2 ||
	    (sheet->exit == 4 && sheet->verdict != VERDICT_FAIL);
}

/*
 * A report is a gate in the last job of several: one that was edited, or put
 * together of two, must not pass for what its findings are not.
 */
static void
check_verdict(
    const struct reading *r, const struct value *map, const struct sheet *sheet)
{
	enum verdict verdict = VERDICT_PASS;
	size_t i;

	for (i = 0; i < sheet->nerrors && verdict != VERDICT_FAIL; i++)
		verdict = finding_is_doubt(&sheet->findings[i]) ? VERDICT_NONE
								: VERDICT_FAIL;
	if (verdict != sheet->verdict)
		fail_at(r->e, r->file, value_get(map, "verdict")->line,
		    "the verdict is '%s', but its findings make it '%s'; make "
		    "the report again",
		    verdict_names[sheet->verdict], verdict_names[verdict]);
	else if (sheet->compared_only ? sheet->exit != 0 : !exit_fits(sheet))
		fail_at(r->e, r->file, value_get(map, "exit")->line,
		    "exit is %d, which is no status of the verdict '%s'; make "
		    "the report again",
		    sheet->exit, verdict_names[sheet->verdict]);
}

void
reading_findings(
    const struct reading *r, const struct value *map, struct sheet *sheet)
{
	struct sheet_finding *findings = reading_items(r, map, "findings",
	    sizeof(*findings), read_finding, &sheet->nfindings);

	findings_sort(r->arena, findings, sheet->nfindings);
	sheet->findings = findings;
	sheet_count_levels(sheet);
	if (r->e->nitems == r->nbefore)
		check_verdict(r, map, sheet);
}

static void
read_waiver(const struct reading *r, const struct value *v, void *item)
{
	struct sheet_waiver *w = item;
	static const char *const kinds[] = {"metric", "question"};
	const struct value *days;

	*w = (struct sheet_waiver){
	    .subject = reading_text(r, v, "subject"),
	    .slice = reading_nullable(r, v, "slice"),
	    .of_question = reading_word(r, v, "of", kinds, COUNT(kinds)) == 1,
	    .limit = reading_number(r, v, "limit"),
	    .until = reading_name(r, v, "until"),
	    .reason = reading_text(r, v, "reason"),
	    .issue = reading_nullable(r, v, "issue"),
	    .used = reading_flag(r, v, "used"),
	    .exceeded = reading_flag(r, v, "exceeded"),
	    .days_left = INT64_MAX,
	    .line = reading_line(r, v),
	};
	days = reading_key(r, v, "days_left");
	if (days && days->type != VALUE_NULL)
		value_integer(days, r->file, "days_left", INT64_MIN,
		    INT64_MAX - 1, &w->days_left, r->e);
}

void
reading_waivers(
    const struct reading *r, const struct value *map, struct sheet *sheet)
{
	sheet->waivers = reading_items(r, map, "waivers",
	    sizeof(*sheet->waivers), read_waiver, &sheet->nwaivers);
}

void
reading_judged(
    const struct reading *r, const struct value *v, struct sheet *sheet)
{
	const struct value *status = reading_key(r, v, "exit");
	int64_t n = 0;

	if (status)
		value_integer(status, r->file, "exit", 0, 4, &n, r->e);
	sheet->exit = (int)n;
	sheet->verdict = (enum verdict)reading_word(
	    r, v, "verdict", verdict_names, VERDICT_NONE + 1);
	sheet->compared_only = reading_flag(r, v, "compared_only");
	sheet->event = reading_name(r, v, "event");
	sheet->compared = reading_nullable(r, v, "compared");
	sheet->commit = reading_nullable(r, v, "commit");
	sheet->subject = reading_nullable(r, v, "subject");
	sheet->tree = reading_nullable(r, v, "tree");
	sheet->dirty = reading_flag(r, v, "dirty");
	sheet->before = read_reference(r, v, "before");
	sheet->good = read_reference(r, v, "good");
	sheet->shown = sheet->good ? sheet->good : sheet->before;
	sheet->unrecorded =
	    reading_texts(r, v, "unrecorded", &sheet->nunrecorded);
	sheet->removed = reading_texts(r, v, "removed", &sheet->nremoved);
	sheet->stored = reading_nullable(r, v, "stored");
}
