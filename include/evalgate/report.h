/*
 * report: one model, many formats.  What was judged (struct report) is laid
 * out flat in a sheet, and so is a JSON report that was stored; a format reads
 * sheets and appends to a buffer.  It computes nothing, so that formats can't
 * disagree.
 */
#ifndef EVALGATE_REPORT_H
#define EVALGATE_REPORT_H

#include "evalgate/base.h"
#include "evalgate/gate.h"
#include "evalgate/history.h"

/* The rank of a tracked question at a recorded commit. */
struct past_rank {
	const char *commit;
	const char *subject; /* of the commit, NULL: its object is not here */
	bool known; /* the question was the same, and was not errored */
	struct place place;
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
	const char *config; /* its path in the repository, NULL: as named */
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
	bool noted_only; /* no format tells every question */
	const char *subject; /* of compare: what is compared; else NULL */
	int exit;
	const char *stored; /* what record did, a sentence; NULL */
	bool recorded; /* the next run finds it, new or as it was */
	/* All questions in the walk, this run last; NULL: nobody asked. */
	const struct history_report *walk;
	const char *const *notices;
	size_t nnotices;
};

/* -------------------------------------------------------------- sheets -- */

struct sheet_reference {
	const char *commit; /* an id, or the name of a results file */
	const char *subject; /* NULL: its object is not here */
	const char *reason;
	const char *twin_of; /* the commit it serves, NULL: its own */
	const char *twin_by; /* "tree" or "inputs" */
	size_t distance;
	bool has_age;
	int64_t age; /* seconds that it is older than what is judged */
	const char *verdict; /* NULL: a results file has none */
	unsigned depth; /* DEPTH_UNBOUNDED: any miss is a miss */
};

/* A mean, and how it compares. */
struct sheet_metric {
	const char *name;
	const char *slice; /* NULL: all questions */
	size_t n; /* answerable questions of the slice */
	double value; /* the mean over them */
	double resolution; /* how far one question can move it */
	const char *meaning; /* of the resolution, a sentence; or NULL */
	/* On the questions that both sides have. */
	bool compared;
	size_t common;
	double current, baseline, delta;
	double low, high; /* NAN: no interval */
	size_t wins, ties, losses;
};

/* What few questions have. */
struct sheet_more {
	const struct past_rank *history; /* of a tracked one, oldest first */
	size_t nhistory;
	unsigned tied; /* above 1: so many share one score, this among them */
	unsigned tied_first; /* the best of their ranks */
	bool flips; /* over repeated runs, from best to worst */
	unsigned best, worst;
	bool has_document_rank; /* with pages: on whichever page */
	unsigned document_rank;
};

struct sheet_question {
	const char *id;
	const char *text; /* NULL: the file has none */
	const double *scores; /* by measure; NULL where noted_only */
	const struct sheet_more *more; /* NULL: nothing of it */
	unsigned rank; /* 0: not found */
	unsigned baseline; /* where change is CHANGE_NONE and known_then */
	unsigned depth;
	unsigned char change; /* enum change, where there is a baseline */
	unsigned char class; /* enum finding_class, where it is judged */
	bool known : 1; /* the answer tells the rank */
	bool known_then : 1;
	bool answerable : 1;
	bool missing : 1;
	bool errored : 1;
	bool tracked : 1;
	bool holdout : 1;
	bool nothing_relevant : 1; /* judged, with nothing relevant */
};

struct sheet_finding {
	const char *rule;
	const char *subject;
	const char *slice; /* NULL: all questions, or no metric */
	const struct sheet_question *question; /* the subject; NULL: none */
	bool unnamed; /* of holdout questions, together; not as read */
	enum level level;
	enum finding_class class;
	double baseline, current, limit; /* NAN where not known */
	const char *message;
	const char *change; /* "rank 5 → 9", NULL where none fits */
	const struct explanation *explanation; /* NULL: none */
	const char *file; /* NULL: no file asks for it */
	size_t line; /* 0: none */
};

struct sheet_waiver {
	const char *subject; /* a question's id, or a metric's name */
	const char *slice;
	bool of_question;
	double limit; /* a ceiling or a floor, NAN: none */
	const char *until; /* as written */
	const char *reason;
	const char *issue; /* NULL: none named */
	bool used, exceeded;
	int64_t days_left; /* INT64_MAX: never ends */
	size_t line;
};

/*
 * All that formats know.  Holdout questions are in `questions`, marked, and
 * in no other list.
 */
struct sheet {
	const char *tool;
	const char *command;
	const char *suite;
	const char *subset; /* NULL: all questions */
	unsigned depth;
	struct sheet_counts {
		size_t questions, asked, answerable, missing, errored, tracked;
		/* Against the baseline, where there is one. */
		size_t common, added, removed, redefined;
	} counts;
	/* Whole slices, each with every measure in one order; first: all. */
	const struct sheet_metric *metrics;
	size_t nmetrics;
	size_t nmeasures;
	const struct sheet_question *questions; /* asked, or of note */
	size_t nquestions;
	const char *const *notices;
	size_t nnotices;
	/* A score has none of what follows. */
	bool judged;
	bool compared_only; /* side by side: no verdict is told */
	enum verdict verdict;
	int exit;
	size_t nerrors, nwarnings; /* findings of these levels */
	const char *event;
	const char *compared; /* what is, where no commit is judged; or NULL */
	const char *commit, *tree; /* NULL: none */
	const char *subject; /* the commit's, NULL: none */
	bool dirty;
	const struct sheet_reference *before, *good; /* NULL: none */
	const struct sheet_reference *shown; /* what means are against */
	const char *const *unrecorded; /* commits between, newest first */
	size_t nunrecorded;
	const char *const *removed; /* ids that are no longer asked */
	size_t nremoved;
	const struct sheet_finding *findings; /* the worst first */
	size_t nfindings;
	const struct sheet_waiver *waivers;
	size_t nwaivers;
	const char *stored; /* what became of the record, a sentence */
	const struct history_report *walk; /* NULL: not asked for */
};

/* Lays out what was scored or judged; the sheet refers to the report. */
void sheet_make(
    struct arena *arena, const struct report *report, struct sheet *sheet);
/*
 * Adds the sheets of a JSON report, schema 1, to *sheets: one, or a list of
 * them.  A key that lacks or has another type, a word of no meaning and a
 * table that is not whole are errors at their line.
 */
int sheet_read(struct arena *arena, const struct source *source,
    struct sheet **sheets, size_t *n, struct error *e);
/* Worst first: fail, no verdict, pass; of one verdict by name of suite. */
void sheet_sort(struct sheet *sheets, size_t n);
/* The worst of their exit statuses: 2, then 1, then 4, then 3. */
int sheet_exit(const struct sheet *sheets, size_t n);

/* ------------------------------------------------------------ the past -- */

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
	size_t nskipped; /* commits without a record just before this one */
	const char
	    *record_of; /* the commit whose record serves, NULL: its own */
	/*
	 * What only a page's report has: the metrics over the questions that
	 * all rows share, and whether this is the run under judgment.
	 */
	const double *common; /* by column, NAN where ranks don't tell; NULL */
	bool current;
};

/* What a page knows of a column. */
struct history_metric {
	double min; /* its floor, NAN: none */
	double lowest; /* what max_drop still lets pass, NAN: none */
};

struct history_question {
	const char *text; /* NULL: not known */
	bool tracked; /* it has a chart of its own */
	int64_t max_rank; /* 0: none */
	unsigned best, worst; /* ranks in these rows, 0: never found */
	size_t fell; /* the row since which it is worse; 0: none */
	size_t from; /* the row before, where it was better */
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
	size_t nlatest; /* those of them after the last row */
	const char *cut; /* why the walk ended early, NULL */
	const char *const *notices;
	size_t nnotices;
	/*
	 * The same for a page: all questions, the newest records; NULL where
	 * no format wants one.  It alone has what follows.
	 */
	const struct history_report *page;
	const struct history_metric *about_metrics; /* by column */
	const struct history_question *about_questions; /* by column */
	size_t nolder; /* records that are left out, since they are older */
	size_t ncommon; /* questions that all rows share */
	const char *web; /* a commit's id after it is a link; NULL */
};

/* When a question fell for good, and what pushed it down. */
struct blame_report {
	const char *tool;
	const char *suite;
	const char *question;
	size_t nrecords; /* that have the question as it is now */
	const char *start; /* the commit of a new start, NULL: met none */
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
	const struct displacer *above;
	size_t nabove;
	bool top_known; /* the records hold the first results */
};

/* ------------------------------------------------------------- formats -- */

/* How a report is shown. */
struct style {
	bool color; /* of text alone, and so the next three */
	bool quiet;
	bool verbose;
	bool per_question;
	size_t limit; /* bytes that a format may fill, 0: its own limit */
};

/* A function is NULL where the format has nothing to say. */
struct format {
	const char *name;
	/* Several sheets become one document, in their order. */
	void (*report)(struct arena *arena, struct buf *out,
	    const struct sheet *sheets, size_t nsheets,
	    const struct style *style);
	void (*history)(struct arena *arena, struct buf *out,
	    const struct history_report *history, const struct style *style);
	void (*blame)(struct arena *arena, struct buf *out,
	    const struct blame_report *blame, const struct style *style);
	bool each_question; /* tells those of which nothing is of note, too */
	bool page; /* shows the past of every question */
	const char *summary;
};

extern const struct format *const format_table[];
extern const size_t nformats;
const struct format *format_find(const char *name);

#endif
