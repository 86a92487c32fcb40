/*
 * report: one model, many formats.  A format reads the model and appends to
 * a buffer; it computes nothing, so that formats can't disagree.
 */
#ifndef EVALGATE_REPORT_H
#define EVALGATE_REPORT_H

#include "evalgate/base.h"
#include "evalgate/gate.h"
#include "evalgate/history.h"

/* The rank of a tracked question at a recorded commit. */
struct past_rank {
	const char *commit;
	bool known; /* the question was the same, and was not errored */
	unsigned rank;
};

struct past_ranks {
	size_t question; /* index in the question set */
	const struct past_rank *ranks; /* oldest first, this run not included */
	size_t nranks;
};

/* A document that pushed another one down. */
struct displacer {
	const char *document;
	unsigned rank; /* now; 0: it left */
	unsigned old_rank; /* 0: not among the first results then */
};

/* Why a question's rank got worse: what is known beside both ranks. */
struct explanation {
	const char *question;
	bool top_known; /* the record kept its first results */
	const struct displacer *above; /* stand above it now, did not then */
	size_t nabove;
	const struct displacer *left; /* stood above it then, do not now */
	size_t nleft;
	unsigned best; /* the best rank in reach, 0: never found */
	const char *best_commit; /* NULL: no record knows the question */
	/* Where it fell and never came back; NULL: by this run. */
	const char *fall_commit;
	const char *fall_subject; /* NULL: its object is not here */
};

/* How a waiver stands. */
struct waiver_state {
	const struct waiver *waiver;
	bool used; /* it covers a loss of this run */
	bool exceeded; /* beyond its limit, or past its day */
	int64_t days_left; /* below 0: over; INT64_MAX: never ends */
};

/* The outcome of score, check and record. */
struct report {
	const char *tool; /* version */
	const char *command; /* score, check, record */
	const char *suite;
	const struct rules *rules;
	const struct questions *questions;
	const struct run *run;
	const struct views *views;
	const struct scores *scores;
	const char *subset; /* what this run was to answer; NULL: all */
	bool per_question; /* asked for in text */
	/* score has none of what follows. */
	const struct judgement *judgement;
	const struct event *event;
	const struct commit *commit; /* NULL outside a repository */
	bool dirty;
	const struct baseline *baseline;
	const struct side *before, *good;
	const struct past_ranks *past;
	size_t npast;
	const struct explanation *explanations; /* of questions that fell */
	size_t nexplanations;
	const struct waiver_state *waivers; /* in the config's order */
	size_t nwaivers;
	bool compared_only; /* side by side: no verdict is told */
	const char *subject; /* of compare: what is compared; else NULL */
	int exit;
	const char *stored; /* what record did, a sentence; NULL */
	const char *const *notices;
	size_t nnotices;
};

/* A recorded commit in `history`. */
struct history_row {
	const char *commit;
	const char *subject; /* NULL when its object is not here */
	const char *at;
	const char *verdict; /* pass fail none */
	const char *start;
	bool dirty; /* of a work tree that was changed */
	const double *metrics; /* by column, NAN where not known */
	const struct history_rank {
		enum { RANK_ABSENT, RANK_ERRORED, RANK_GIVEN } state;
		unsigned rank; /* 0: not found */
	} * ranks; /* by column */
	unsigned depth;
};

struct history_report {
	const char *tool;
	const char *suite;
	const char *const *metrics; /* columns */
	size_t nmetrics;
	const char *const *questions;
	size_t nquestions;
	const struct history_row *rows; /* oldest first */
	size_t nrows;
	size_t nunrecorded; /* commits of the walk without a record */
	const char *cut; /* why the walk ended early, NULL */
	const char *const *notices;
	size_t nnotices;
};

/* When a question fell for good, and what pushed it down. */
struct blame_report {
	const char *tool;
	const char *suite;
	const char *question;
	size_t nrecords; /* that have the question as it is now */
	bool fell; /* else it never fell, or always came back */
	struct blame_point {
		const char *commit;
		const char *subject; /* NULL when its object is not here */
		const char *at;
		struct place place;
	} at, last_good, best, now;
	/* Commits without a record between last_good and the fall. */
	const char *const *unrecorded;
	size_t nunrecorded;
	/* What stands above it since; old rank 0: not in the top then. */
	const struct blame_above {
		const char *document;
		unsigned rank, old_rank;
	} * above;
	size_t nabove;
	bool top_known; /* the records hold the first results */
};

/* How text is shown; other formats ignore it. */
struct style {
	bool color;
	bool quiet;
	bool verbose;
};

/* A function is NULL where the format has nothing to say. */
struct format {
	const char *name;
	void (*report)(struct arena *arena, struct buf *out,
	    const struct report *report, const struct style *style);
	void (*history)(struct arena *arena, struct buf *out,
	    const struct history_report *history, const struct style *style);
	void (*blame)(struct arena *arena, struct buf *out,
	    const struct blame_report *blame, const struct style *style);
	const char *summary;
};

extern const struct format *const format_table[];
extern const size_t nformats;
const struct format *format_find(const char *name);

#endif
