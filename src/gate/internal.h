/* What the files of gate share. */
#ifndef GATE_INTERNAL_H
#define GATE_INTERNAL_H

#include "evalgate/gate.h"

/* Sums that differ by rounding alone: far below any real difference. */
#define ROUNDING 1e-9

#define CREEP_WINDOW_MAX 1000 /* records */

/* The gate's keys of a config, while they are read. */
struct rules_reader {
	struct arena *arena;
	const char *file;
	struct rules *rules;
	struct error *e;
};

/* Says every key of a map that its section does not have. */
void rules_unknown_keys(
    const struct rules_reader *r, const struct value *map, const char *section);
int rules_want_list(const struct rules_reader *r, const struct value *v,
    const char *key, const char *example);
int rules_measure(const struct rules_reader *r, const struct value *v,
    const char *key, struct measure *measure);
/* One that may have a limit. */
int rules_gated_measure(const struct rules_reader *r, const struct value *v,
    struct measure *measure);
int rules_level(const struct rules_reader *r, const struct value *v,
    const char *key, enum level *level);
/* where: {category: hole_problems, difficulty: hard} */
int rules_where(const struct rules_reader *r, const struct value *v,
    struct selector *where);
/* A share: finite, 0..1; says what was probably meant. */
int rules_share(const struct rules_reader *r, const struct value *v,
    const char *key, double *share);
/* An entry's reason: text that says something; what: "a waiver". */
const char *rules_reason(const struct rules_reader *r, const struct value *map,
    const char *what, bool required);
void rules_read_budget(const struct rules_reader *r, const struct value *v);
void rules_read_creep(const struct rules_reader *r, const struct value *v);
void rules_read_waivers(const struct rules_reader *r, const struct value *v);
void rules_read_thresholds(const struct rules_reader *r, const struct value *v);
void rules_read_tracked(const struct rules_reader *r, const struct value *v);
void rules_read_amendments(const struct rules_reader *r, const struct value *v,
    const char *key, const struct amendment **to, size_t *nto);

bool selector_selects(
    const struct selector *where, const struct question *question);
bool selector_same(const struct selector *one, const struct selector *two);
/* Says that no question fits, and what was probably meant. */
void selector_no_question(const struct selector *where, const char *file,
    const struct questions *questions, struct error *e);
/* Every value that a field has, in bytewise order; returns their number. */
size_t field_values(struct arena *arena, const struct questions *questions,
    const char *field, const char ***values);

/* "question/q7" of a waiver's subject, or "metric/mrr". */
const char *waiver_subject(struct arena *arena, const struct waiver *waiver);
/* What waivers and carried references are of: "question/q7", "metric/mrr". */
const char *subject_of_question(struct arena *arena, const char *question);
const char *subject_of_measure(
    struct arena *arena, const char *measure, const char *slice);

/* Findings while a run is judged. */
struct judging {
	struct arena *arena;
	const struct gate_input *in;
	struct finding *findings;
	size_t nfindings, cap;
	enum finding_class *classes; /* by question */
	bool *fallen; /* by question: the budget counts it, and is missed */
	/* Good, and before for what good does not have; NULL: good has all. */
	const struct side *joined;
	/* Likewise before, and good for what it does not have. */
	const struct side *past;
	struct waiver_state *waivers;
	struct held *held; /* the input's, with the subjects' names of today */
	bool *settled; /* by held reference: not to be carried on */
	struct record_held *kept; /* for the record */
	size_t nkept, kept_cap;
};

void add_finding(struct judging *judging, struct finding finding);

/*
 * The level of a change that asks less of itself: the record before has a say
 * in it, or it could be lowered by that very change.
 */
enum level gate_level(const struct judging *judging);

/* What a question of a record is called today. */
const char *question_today(const struct rules *rules, const char *question);
/* The place of today's question in a record, by any name that it has had. */
bool question_in_record(const struct rules *rules, const struct qset *qset,
    const char *id, size_t *index);
/*
 * A question as it read in a record that has it by this digest, when its
 * documents had other names; names: those, in the order of its judgments.
 * False when no state of the renames makes it the same.
 */
bool question_as_then(struct arena *arena, const struct rules *rules,
    const struct question *question, const char *digest,
    struct question *former, const char ***names);
/* Whether a list of retired, renamed or redefined questions has one. */
bool amended(const struct amendment *list, size_t n, const char *question);
/* The name of today in a waiver's subject, or a carried reference's. */
const char *subject_today(const struct judging *judging, const char *subject);
/*
 * Whether the record before did not miss its own floor, max_rank or budget,
 * or had none: then it is this change that asks for more than there is.
 * False where nothing is known of its rules.
 */
bool floor_is_new(const struct judging *judging,
    const struct threshold *threshold, double before);
bool max_rank_is_new(const struct judging *judging,
    const struct tracked *tracked, struct place before);
bool budget_is_new(const struct judging *judging, size_t fallen);
/*
 * Whether good is fit to be a standard: it passed, or begins anew.  False where
 * the nearest record serves for want of one that did.
 */
bool good_is_standard(const struct judging *judging);
/* Then it missed nothing that is an error, whatever its ranks say today. */
bool passed_before(const struct judging *judging);
/* The waiver that the record before had of a subject; NULL. */
const struct record_waiver *waiver_before(
    const struct judging *judging, const char *subject);

/* What both references say of one subject. */
struct judged_pair {
	enum worse before;
	enum worse good;
	bool has_before; /* the subject is known there */
	bool has_good;
	/* Whether before was itself worse than good: only that excuses now. */
	enum worse excused;
};

/*
 * The class that follows from both references, CLASS_SAME when nothing is
 * worse.  *level is the event's, *fails what the record keeps.
 */
enum finding_class classify(const struct event *event, struct judged_pair pair,
    enum level *level, bool *fails);

/* The level of a finding that before already had, by event. */
enum level still_failing_level(const struct event *event, enum level level);

/* What waivers need to know of one subject. */
struct waiving {
	const char *subject;
	enum level level; /* of its rule */
	/* Whether it is beyond the waiver's ceiling or floor. */
	enum worse (*beyond)(
	    const struct waiver *waiver, const struct waiving *waiving);
	struct place place; /* of a question */
	double mean; /* of a metric */
	bool no_better; /* before was no better: not by this change */
	const struct held *held; /* what it is held to, NULL */
	/* What is said where its waiver is over; NULL: as the finding has it. */
	const char *worse;
	/* What it is worse than, to be held to from now on. */
	struct record_held reference; /* commit NULL: a limit of its own */
};

/* The reference that a subject is held to, NULL when none is carried. */
const struct held *held_of(const struct judging *judging, const char *subject);
/* The record will carry it, unless it has one of this subject already. */
void held_keep(struct judging *judging, struct record_held held);
/* It is as good as that again, or a new standard: carried no more. */
void held_settle(struct judging *judging, const struct held *held);
/*
 * What a waiver, or one that is over, makes of a finding that fails; leaves
 * every other as it is.
 */
void waive(
    struct judging *judging, const struct waiving *waiving, struct finding *f);
/* How the waiver of a subject stands, NULL where there is none. */
struct waiver_state *waiver_of(
    const struct judging *judging, const char *subject);
/*
 * Whether a waiver covers a question that is counted with others: then f is
 * waived, and the question held to its reference.
 */
bool waived(
    struct judging *judging, const struct waiving *waiving, struct finding *f);
/*
 * Whether the record before had a waiver of a subject that would hold to this
 * day: this change took it off, if there is none now.
 */
bool waiver_taken_off(const struct judging *judging, const char *subject);
enum worse question_beyond(
    const struct waiver *waiver, const struct waiving *waiving);
enum worse metric_beyond(
    const struct waiver *waiver, const struct waiving *waiving);
/* How all waivers stand, and what the record has to carry on. */
void waivers_begin(struct judging *judging);
void waivers_end(struct judging *judging, struct judgement *judgement);
/* Once the verdict is known: what no longer needs to be carried. */
void waivers_forget(const struct judging *judging, struct judgement *judgement);

/* One file a rule. */
void judge_budget(struct judging *judging);
void judge_creep(struct judging *judging);
void judge_labels(struct judging *judging);
void judge_loosened(struct judging *judging);
void judge_tracked(struct judging *judging);
void judge_max_rank(struct judging *judging);
void judge_removed(struct judging *judging);
void judge_floors(struct judging *judging);
void judge_drops(struct judging *judging);
void judge_errored(struct judging *judging);
void judge_questions(struct judging *judging);

/* "3f9c1e2", as many digits as a person needs. */
const char *short_id(struct arena *arena, const char *id);
/* Digits enough to tell two shares apart: "0.7996", "0.799603". */
void share_texts(struct arena *arena, double one, double two,
    const char **text_one, const char **text_two);
/* The view that a threshold is about. */
const struct view *threshold_view(
    const struct judging *judging, const struct threshold *threshold);
/* Its mean in the run that is judged. */
double threshold_mean(
    const struct judging *judging, const struct threshold *threshold);
/*
 * The same if those whose retrieval failed had been answered best: a limit that
 * this meets may not be missed, and errors leave no verdict as it is.
 */
double threshold_best(
    const struct judging *judging, const struct threshold *threshold);
/* Whether a mean fell by more than the threshold allows. */
bool drop_exceeds(const struct threshold *threshold, double then, double now);
/* Whether a threshold with alpha lets it pass, as chance explains it. */
bool drop_by_chance(
    const struct threshold *threshold, const double *differences, size_t n);
/* Whether a place misses max_rank, or a ceiling. */
enum worse rank_beyond(struct place place, int64_t limit);
/* The place of a question on a side; false when it is not known there. */
bool side_place(const struct judging *judging, const struct side *side,
    size_t question, const char *document, struct place *place);
/*
 * A side that also knows what another has of questions that it does not have
 * itself.  NULL where there are no two, other adds nothing, or they did not
 * look equally deep, and so can't be one.
 */
const struct side *side_joined(struct arena *arena,
    const struct questions *questions, const struct side *side,
    const struct side *other);
/* Likewise in this run; not known where its retrieval failed. */
struct place run_place(const struct judging *judging, size_t question,
    const char *document, bool *known);

#endif
