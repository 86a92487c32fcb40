/* What the files of gate share. */
#ifndef GATE_INTERNAL_H
#define GATE_INTERNAL_H

#include "evalgate/gate.h"

/* Sums that differ by rounding alone: far below any real difference. */
#define ROUNDING 1e-9

/* The gate's keys of a config, while they are read. */
struct rules_reader {
	struct arena *arena;
	const char *file;
	struct rules *rules;
	struct error *e;
};

/* Says every key of a map that is not among the known ones. */
void rules_unknown_keys(const struct rules_reader *r, const struct value *map,
    const char *const *known, size_t nknown, const char *where);
int rules_want_list(const struct rules_reader *r, const struct value *v,
    const char *key, const char *example);
int rules_measure(const struct rules_reader *r, const struct value *v,
    const char *key, struct measure *measure);
int rules_level(const struct rules_reader *r, const struct value *v,
    const char *key, enum level *level);
/* where: {category: hole_problems, difficulty: hard} */
int rules_where(const struct rules_reader *r, const struct value *v,
    struct selector *where);
void rules_read_thresholds(const struct rules_reader *r, const struct value *v);
void rules_read_tracked(const struct rules_reader *r, const struct value *v);
void rules_read_amendments(const struct rules_reader *r, const struct value *v,
    const char *key, const struct amendment **to, size_t *nto);

/* "category=hole_problems,difficulty=hard"; NULL: selects everything. */
const char *selector_name(struct arena *arena, const struct selector *where);
bool selector_selects(
    const struct selector *where, const struct question *question);
bool selector_same(const struct selector *one, const struct selector *two);
/* Says that no question fits, and what was probably meant. */
void selector_no_question(const struct selector *where, const char *file,
    const struct questions *questions, struct error *e);
/* Every value that a field has, in bytewise order; returns their number. */
size_t field_values(struct arena *arena, const struct questions *questions,
    const char *field, const char ***values);

/* Findings while a run is judged. */
struct judging {
	struct arena *arena;
	const struct gate_input *in;
	struct finding *findings;
	size_t nfindings, cap;
	enum finding_class *classes; /* by question */
};

void add_finding(struct judging *judging, struct finding finding);

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

/* One file a rule. */
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
/* The place of a question on a side; false when it is not known there. */
bool side_place(const struct judging *judging, const struct side *side,
    size_t question, const char *document, struct place *place);
struct place run_place(const struct judging *judging, size_t question,
    const char *document, bool *known);

#endif
