/*
 * gate: the rules, the comparison with past records, findings, the verdict.
 *
 * Everything here depends on its arguments alone: no clock, no environment,
 * no repository.
 */
#ifndef EVALGATE_GATE_H
#define EVALGATE_GATE_H

#include "evalgate/base.h"
#include "evalgate/codec.h"
#include "evalgate/history.h"
#include "evalgate/input.h"
#include "evalgate/metric.h"

/* --------------------------------------------------------------- rules -- */

enum level { LEVEL_ERROR, LEVEL_WARN, LEVEL_INFO };
extern const char *const level_names[]; /* error warn info */

/* Questions whose fields have these values, all of them; none: every one. */
struct selector {
	const struct field *pairs;
	size_t npairs;
	size_t line;
};

/* "category=hole_problems,difficulty=hard"; NULL: selects everything. */
const char *selector_name(struct arena *arena, const struct selector *where);
/* As a config has it: {"category": "hole_problems"}. */
void selector_print(struct buf *out, const struct selector *where);
/* Whether two of these names are of the same questions. */
bool slice_same(const char *one, const char *two);

struct threshold {
	struct measure measure;
	struct selector where;
	bool has_min;
	double min; /* the mean must not be below */
	bool has_max_drop;
	double max_drop; /* by how much the mean may fall */
	bool relative; /* max_drop is a share of the baseline's mean */
	/*
	 * A drop fails only where chance would bring it with a probability
	 * of at most alpha; 0: however likely it is.
	 */
	double alpha;
	enum level level;
	size_t line; /* 0: the default rule, any drop fails */
};

struct tracked {
	const char *question; /* NULL in an entry: those that `where` selects */
	struct selector where;
	const char *document; /* NULL: the best-ranked relevant one */
	int64_t max_loss; /* ranks it may lose */
	int64_t max_rank; /* 0: none */
	int64_t goal; /* a rank to be glad of; 0: none */
	const char *note; /* why it matters, NULL */
	size_t line;
};

/* How many untracked questions may fall, and how far before it counts. */
struct budget {
	bool on;
	int64_t max; /* questions */
	int64_t by; /* ranks; out of the lists counts in any case */
	enum level level;
	size_t line;
};

/* Against the best of the last records too. */
struct creep {
	int64_t window; /* records; 0: off */
	enum level level;
	size_t line;
};

/*
 * A loss that the team accepts for a while, of a question's rank or of a
 * metric's mean.
 */
struct waiver {
	const char *question; /* NULL: of a metric */
	struct measure measure;
	struct selector where; /* the metric's slice; no pairs: all */
	bool has_limit;
	int64_t ceiling; /* of a question: no rank beyond */
	double floor; /* of a metric: no mean below */
	int64_t until; /* the last second it holds; INT64_MAX: never ends */
	const char *until_text; /* "2027-03-01", as written */
	const char *reason;
	const char *issue; /* NULL: none named */
	size_t line;
};

/* A question that the team says it changed on purpose. */
struct amendment {
	const char *question;
	const char *to; /* renamed: the new id */
	size_t line;
};

struct rules {
	const char *file; /* the config, for findings */
	int relevance;
	const struct measure *measures; /* reported, in the order wanted */
	size_t nmeasures;
	const struct threshold *thresholds;
	size_t nthresholds;
	const struct tracked *entries; /* tracked, as the config has it */
	size_t nentries;
	/* By rules_bind: a question once, in the order of entries. */
	const struct tracked *tracked;
	size_t ntracked;
	struct map tracked_by; /* question to its place in tracked */
	struct budget budget;
	struct creep creep;
	enum level gate_change;
	const char *const *slices; /* fields that are reported by value */
	const struct value *slices_list; /* as the config has them, NULL */
	size_t nslices;
	const struct waiver *waivers;
	size_t nwaivers;
	const struct amendment *retired;
	size_t nretired;
	const struct amendment *renamed;
	size_t nrenamed;
	const struct amendment *redefined;
	size_t nredefined;
	/* Read from the file that the config names; else none. */
	struct renamed_documents renamed_documents;
};

/* Where a gated measure stands among those reported. */
size_t measure_index(const struct rules *rules, const struct measure *measure);
/* Whether a document of today is, or was once, called `then`. */
bool document_was(struct arena *arena, const struct rules *rules,
    const char *document, const char *then);

/* Every key of a config, those of other layers among them. */
extern const struct key_row config_keys[];
extern const size_t nconfig_keys;

/*
 * Reads the gate's own keys of a config, from metrics to waivers.  config may
 * be VALUE_NULL: all defaults.  Mistakes add up in e.
 */
int rules_read(struct arena *arena, const struct value *config,
    const char *file, struct rules *rules, struct error *e);
/*
 * Checks the rules against the questions they name, and finds those that
 * `where` selects: an explicit entry wins, and of several selections the
 * strictest of each limit holds.
 */
int rules_bind(struct arena *arena, struct rules *rules,
    const struct questions *questions, struct error *e);
/* What a record keeps of them beside its lists. */
struct record_limits rules_limits(const struct rules *rules);
/* The tracked entry of a question, NULL when it has none. */
const struct tracked *rules_tracked(
    const struct rules *rules, const char *question);

/* --------------------------------------------------------------- views -- */

/* Questions over which means are taken. */
struct view {
	const char *name; /* "category=hole_problems", NULL: all of them */
	/*
	 * By question: answerable, asked, in the slice.  NULL: no slice, so
	 * that a run of many questions costs no list of them.
	 */
	const bool *members;
	size_t n; /* how many */
};

/*
 * All questions first; then each value of each field in `slices`, then
 * holdout questions and the rest where there are any, then what thresholds
 * select beyond these.
 */
struct views {
	const struct view *items;
	size_t nitems;
	const size_t *of_threshold; /* by threshold: its view */
};

/* Whether the i-th question is one of the view's. */
bool view_has(
    const struct view *view, const struct questions *questions, size_t i);
/* Makes the views; a slice without a question is an error at its line. */
int views_make(struct arena *arena, const struct rules *rules,
    const struct questions *questions, struct views *views, struct error *e);
/* Sets a record's gate to the rules in force; subset is set already. */
void rules_record(struct arena *arena, const struct rules *rules,
    const struct views *views, struct record *record);
/* Of them, what is tracked. */
void rules_record_tracked(
    struct arena *arena, const struct rules *rules, struct record *record);

/* -------------------------------------------------------------- scores -- */

/* The mean of every measure over every view. */
struct scores {
	const struct measure *measures;
	size_t nmeasures;
	const double *means; /* [view * nmeasures + measure] */
};

/*
 * Scores a run at the rules' relevance.  -1 when a measure does not follow
 * from one rank alone: it is named with the question.
 */
int scores_make(struct arena *arena, const struct questions *questions,
    const struct answer *answers, const struct rules *rules,
    const struct views *views, struct scores *scores, struct error *e);
/*
 * The measures of one question, to values; all 0 where it does not count.
 * Returns how many there are before one that does not follow from one rank.
 */
size_t scores_of(struct ranking_scratch *scratch,
    const struct question *question, const struct answer *answer,
    const struct rules *rules, double *values);

/*
 * The highest mean that a view with questions can have: each found as well as
 * its grades allow.  1 where that also depends on what is not relevant.
 */
double scores_best(struct arena *arena, const struct questions *questions,
    const struct view *view, const struct measure *measure, int relevance);

/* ---------------------------------------------------------- comparison -- */

enum change {
	CHANGE_NONE, /* the same question on both sides */
	CHANGE_ADDED, /* not in the record */
	CHANGE_REDEFINED, /* other text, documents or grades */
	CHANGE_ERRORED, /* failed there: its rank is not known */
	CHANGE_LEFT_OUT /* not asked in this run */
};

/* A record seen through the current question set. */
struct side {
	const struct reference *reference;
	const struct qset *qset;
	const enum change *changes; /* by current question */
	const struct answer *answers; /* by current question */
	const char *const *removed; /* ids that are no longer asked */
	size_t nremoved;
	size_t ncommon; /* answerable and the same on both sides */
	size_t nadded;
	size_t nredefined;
};

void side_make(struct arena *arena, const struct rules *rules,
    const struct questions *questions, const struct qset *current,
    const struct reference *reference, const struct qset *qset,
    struct side *side);

/*
 * One measure on those questions of a view that both sides have, and whose
 * retrieval failed on neither.
 */
struct comparison {
	bool known; /* false: nothing in common, or not told by ranks */
	size_t n;
	size_t nerrored; /* left out: their retrieval failed in this run */
	double current;
	double baseline;
	size_t wins, ties, losses;
	const double *differences; /* now less then, by question; or NULL */
	/*
	 * Where depths differ: the depth at which both are cut, and the means
	 * without a cut, which a shallower run can't be held to.
	 */
	unsigned cut;
	double current_whole;
	double baseline_whole;
};

struct comparison compare_measure(struct arena *arena,
    const struct measure *measure, const struct view *view,
    const struct rules *rules, const struct questions *questions,
    const struct run *run, const struct side *side);

/*
 * What an absolute max_drop means for a mean over n questions, n > 0: "max_drop
 * 0.02 allows for losing 3 of them", and how many alpha asks for.
 */
const char *drop_meaning(
    struct arena *arena, const struct threshold *threshold, size_t n);

/* Whether a rank got worse than a reference's by more than max_loss. */
enum worse { WORSE_NO, WORSE_YES, WORSE_UNTELLABLE };

struct place {
	unsigned rank; /* 0: not found */
	unsigned depth; /* how deep was looked */
};

enum worse rank_worse(struct place now, struct place then, int64_t max_loss);

/* -------------------------------------------------------- significance -- */

/*
 * Both functions look at paired differences, one a question: the score now
 * less the score before, so that below 0 is worse.  The same seed gives the
 * same bits on every machine.
 */

/*
 * The probability, in 0 < p <= 1, that the mean falls at least as far by
 * chance, were each difference as likely to have the other sign: a paired
 * sign-flip permutation test (Fisher 1935), one-sided, small when the scores
 * dropped.  Exact by enumeration up to 20 differences that are not 0, else
 * from 10,000 draws, of which k fall as far: p = (k + 1) / (10,000 + 1)
 * (Phipson & Smyth 2010), so it is never 0.  1 when nothing differs.
 */
double permutation_test(const double *differences, size_t n, uint64_t seed);
/* The least that it gives for n differences: all of them are losses. */
double permutation_least(size_t n);

/*
 * The 95 % percentile interval of the mean difference by the paired
 * bootstrap, 10,000 resamples of all n differences (Efron & Tibshirani
 * 1993).  Both ends are 0 when n is 0.
 */
void bootstrap_interval(const double *differences, size_t n, uint64_t seed,
    double *low, double *high);

/* ------------------------------------------------------------ findings -- */

enum finding_class {
	/* These fail, or leave no verdict. */
	CLASS_NEW_REGRESSION, /* worse than before and than the last good */
	CLASS_STILL_FAILING, /* worse than the last good only */
	CLASS_BELOW_LIMIT, /* a floor or max_rank is missed */
	CLASS_REMOVED, /* a tracked question is gone */
	CLASS_WAIVER_EXCEEDED, /* beyond its ceiling, or past its day */
	CLASS_REDEFINED, /* a tracked question is another now */
	CLASS_ERRORED, /* no verdict */
	CLASS_UNTELLABLE, /* no verdict */
	/* These are said. */
	CLASS_WORSE_ALLOWED,
	CLASS_WAIVED, /* worse, and the team said for how long */
	CLASS_GATE_LOOSENED, /* this change asks less of itself */
	CLASS_CREEP, /* worse than the best of the window */
	CLASS_LABEL_CHANGED,
	CLASS_UNSTABLE, /* records of one commit disagree */
	CLASS_FIXED,
	CLASS_IMPROVED,
	CLASS_FOUND,
	CLASS_GOAL_REACHED,
	CLASS_ADDED,
	CLASS_SAME /* of questions alone, never a finding */
};
extern const char *const class_names[]; /* "new-regression", ... */

struct finding {
	const char *rule; /* tracked max_rank max_drop min errored */
	const char *subject; /* a question's id, or a measure's name */
	const char *slice; /* of a measure; NULL: all questions */
	enum level level;
	enum finding_class class;
	/* Counts against the record's verdict, whatever the level here. */
	bool fails_record;
	/* Likewise: the record can't tell, though here it is a warning. */
	bool unknown_record;
	double baseline; /* NAN where not known, or not found */
	double current;
	double limit;
	const char *message; /* one line, complete in itself */
	const char *change; /* "rank 5 → 9"; NULL where none fits */
	const char *file;
	size_t line;
};

/* What the event means for the verdict. */
struct event {
	const char *name; /* local push pull_request merge_group ... */
	bool innocent; /* what others broke is a warning only */
	bool pull_request;
	bool self; /* the commit's own record may be the baseline */
	bool records; /* what CI measures is stored without being asked */
};

const struct event *event_find(const char *name);
extern const struct event *const event_table[];
extern const size_t nevents;

/* How a waiver stands. */
struct waiver_state {
	const struct waiver *waiver;
	bool used; /* it covers a loss of this run */
	bool exceeded; /* beyond its limit, or past its day */
	int64_t days_left; /* below 0: over; INT64_MAX: never ends */
};

/*
 * A reference that a waived subject is held to, from the records that the
 * run is compared with.
 */
struct held {
	struct record_held from;
	const struct side *side; /* that record; NULL: it is not here */
};

enum verdict { VERDICT_PASS, VERDICT_FAIL, VERDICT_NONE };
extern const char *const verdict_names[]; /* pass fail none */

struct judgement {
	enum verdict verdict;
	enum record_verdict stored; /* what the record says */
	const struct finding *findings; /* errors first, in order of rules */
	size_t nfindings;
	/* By question: its class against the baseline. */
	const enum finding_class *classes;
	/* By question: more of these fell than worse_questions allows. */
	const bool *fallen;
	/*
	 * [view * nmeasures + measure], against good, else before; NULL
	 * without a baseline.
	 */
	const struct comparison *comparisons;
	/* Likewise: the 95 % interval of the difference. */
	const struct interval {
		double low, high;
	} * intervals;
	const struct side *shown; /* the side they are against, or NULL */
	const struct waiver_state *waivers; /* of the rules', in order */
	const struct record_held *held; /* to be carried on by the record */
	size_t nheld;
};

struct gate_input {
	const struct rules *rules;
	const struct questions *questions;
	const struct run *run;
	const struct views *views;
	const struct scores *scores;
	const struct event *event;
	/* Why there is no reference, where there is none; NULL: none wanted. */
	const struct baseline *baseline;
	bool baseline_required;
	/* The history could not be fetched: no record is no first run. */
	bool unfetched;
	/* As the record will keep them; NULL: nothing to compare them with. */
	const struct record_limits *limits;
	bool subset; /* floors are judged on whole runs alone */
	bool subset_kept; /* it is the config's own, for every run to come */
	const char *suite;
	const struct side *before; /* NULL: no baseline */
	const struct side *good; /* NULL: no baseline */
	const struct held *held;
	size_t nheld;
	const struct side *window; /* records before, newest first: creep */
	size_t nwindow;
	const struct field *labels; /* of this run */
	size_t nlabels;
	int64_t now; /* seconds since 1970: for waivers alone */
};

void judge(struct arena *arena, const struct gate_input *input,
    struct judgement *judgement);

/* "5", "not found", "not found in 10". */
const char *place_text(struct arena *arena, struct place place);

#endif
