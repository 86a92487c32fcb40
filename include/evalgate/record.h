/*
 * record: what a note's line holds, a part of the history layer: history.h
 * brings it in.
 */
#ifndef EVALGATE_RECORD_H
#define EVALGATE_RECORD_H

#include "evalgate/base.h"
#include "evalgate/input.h"

/* --------------------------------------------------------- question set -- */

/*
 * The canonical text of a question set: a line a question, id and digest, in
 * bytewise order of ids.  digest: first 16 hex digits of the git blob id of
 * the question's text, expected documents and grades.
 */
struct qset {
	size_t n;
	const char *const *ids;
	const char *const *digests;
	struct map by_id;
	const char *blob; /* its text */
	const char *id; /* its git blob id, 40 hex digits */
};

void qset_make(
    struct arena *arena, const struct questions *questions, struct qset *qset);
int qset_parse(struct arena *arena, const char *data, size_t len,
    struct qset *qset, struct error *e);

/* --------------------------------------------------------------- record -- */

enum record_verdict { RECORD_PASS, RECORD_FAIL, RECORD_NONE };
extern const char *const record_verdict_names[]; /* pass fail none */

/* The version of the rules by which runs are read and ranked. */
#define RECORD_RULES 1

struct record_metric {
	const char *name;
	double value;
};

/* A rule as it was in force, for "this change loosens its own gate". */
struct record_tracked {
	const char *question;
	const char *document; /* NULL: best-ranked relevant one */
	int64_t max_loss;
	int64_t max_rank; /* 0: none */
};

struct record_threshold {
	const char *metric;
	const char *slice; /* "field=value", NULL: all questions */
	double min; /* < 0: none */
	double max_drop; /* < 0: none */
	bool relative; /* max_drop is a share of the baseline */
	double alpha; /* 0: none */
	bool warn;
	int64_t n; /* questions that counted in its slice; 0: not known */
};

struct record_waiver {
	const char *question; /* NULL: of a metric */
	const char *metric;
	const char *slice; /* NULL: all questions */
	double limit; /* ceiling or floor; < 0: none */
	const char *until; /* YYYY-MM-DD or never */
};

/* What a gate says of small losses, of itself, and of how runs are read. */
struct record_limits {
	int64_t worse_max; /* untracked questions that may fall */
	int64_t worse_by; /* ranks; 0: they are not limited */
	bool worse_warn;
	int64_t creep_window; /* records; 0: not looked for */
	bool creep_warn;
	bool change_fails; /* a change that asks less is an error */
	bool accept_any; /* a record that failed is a standard, too */
	bool required; /* no verdict without a baseline */
	int64_t max_distance; /* how far it is looked for; 0: not known */
	int64_t relevance; /* the least grade that counts; 0: not known */
	bool match_page; /* a result must show an expected page */
	int64_t page_tolerance;
};

/*
 * What a waived subject was worse than when its waiver first bit: it is held
 * to that until it is so good again.  Likewise a question that fell while no
 * good record had it yet, as long as records fail.
 */
struct record_held {
	const char *subject; /* "question/q7", "metric/mrr" */
	const char *commit;
	double value; /* a rank, or a mean */
	unsigned depth;
	bool fell; /* no waiver covered it */
};

struct record {
	const char *suite;
	const char *at; /* YYYY-MM-DDThh:mm:ssZ */
	const char *tool;
	int64_t rules;
	const char *run; /* CI's run id, NULL */
	int64_t attempt; /* 0: none */
	const char *commit;
	const char *tree;
	const char *const *parents;
	size_t nparents;
	const char *prev; /* nearest recorded first-parent ancestor, NULL */
	const char *branch; /* NULL */
	const char *head; /* pull request's head, NULL */
	const char *base; /* NULL */
	bool dirty;
	enum record_verdict verdict;
	const char *start; /* reason of a new start, NULL */
	const char *subset; /* what the run was to answer, NULL: everything */
	int64_t repeats; /* runs that were combined; 0: a single one */
	const char *inputs; /* what decided on the results, NULL */
	const struct record_held *held;
	size_t nheld;
	const struct record_threshold *thresholds;
	size_t nthresholds;
	const struct record_tracked *tracked;
	size_t ntracked;
	const struct record_waiver *waivers;
	size_t nwaivers;
	struct record_limits limits;
	unsigned depth; /* DEPTH_UNBOUNDED: null */
	const struct record_metric *metrics;
	size_t nmetrics;
	const struct field *labels;
	size_t nlabels;
	/* top ids of tracked questions */
	const struct record_top {
		const char *question;
		const char *const *documents;
		size_t ndocuments;
	} * top;
	size_t ntop;
	size_t n; /* questions */
	const char *qset; /* blob id */
	/*
	 * Question i has ranks[first[i]] .. ranks[first[i + 1] - 1].  >= 1:
	 * rank, 0: not found, -1: errored.  single[i]: one integer stood
	 * there, not an array.  first and single are NULL where every
	 * question has one integer: then question i has ranks[i].  All three
	 * are NULL in a record from notes_records or chain_walk until
	 * record_ranks fills them in.
	 */
	const int32_t *ranks;
	const size_t *first;
	const bool *single;
	/* The same as it was read, a byte for most; NULL in a new record. */
	const unsigned char *packed;
	size_t npacked;
};

/*
 * The mean of a measure that the record does not hold, from its ranks; false
 * where it does not follow from them.
 */
bool record_measure(
    const struct record *record, const struct measure *measure, double *value);

/*
 * Appends the record's line, LF included: the same record gives the same
 * bytes.  The gate's rules are written in an order of their own.
 */
void record_write(struct buf *out, const struct record *record);

enum record_state {
	RECORD_READ,
	RECORD_FOREIGN, /* no record: skipped, kept */
	RECORD_LATER, /* a later version's: the same */
};

/*
 * Reads a line (without LF).  What can't be read is never an
 * error: notes are open to other writers.
 */
enum record_state record_parse(
    struct arena *arena, const char *line, size_t len, struct record *record);

/*
 * Fills in ranks, first and single of a record that was read, unless they are
 * there.  A baseline's records have them.
 */
void record_ranks(struct arena *arena, struct record *record);

/* The n ranks that a record holds for the question at index. */
const int32_t *record_ranks_of(
    struct arena *arena, const struct record *record, size_t index, size_t *n);

/*
 * A question's answer as a record holds it, also where its ranks were not
 * filled in: that is the quick way to one question, and not to all.  index: the question's place in
 * the record's question set.  The caller has made sure that the question is
 * the same (digest).  ranks of documents with grade < 1 are 0.
 */
struct answer record_answer(struct arena *arena, const struct record *record,
    size_t index, const struct question *question);
/* The inverse: fills ranks, first, single and n from a run. */
void record_set_ranks(struct arena *arena, struct record *record,
    const struct questions *questions, const struct run *run);

#endif
