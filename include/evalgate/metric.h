/*
 * metric: the table of metrics.  A metric sees ranks and grades and never a
 * document's id.
 */
#ifndef EVALGATE_METRIC_H
#define EVALGATE_METRIC_H

#include "evalgate/base.h"

/* A judged document in one question's ranking. */
struct judged {
	unsigned rank; /* 1-based, 0: not retrieved */
	int grade; /* as judged; below 0 is not judged at all */
};

/*
 * One question's results, joined with its judgments.  Unjudged documents are
 * present only as the gaps between ranks, and as nresults beyond the last.
 */
struct ranking {
	const struct judged *judged; /* by rank, those not retrieved last */
	size_t njudged;
	size_t nfound; /* judged[0 .. nfound - 1] were retrieved */
	const int *ideal; /* grades > 0, descending */
	size_t nideal;
	size_t nresults; /* retrieved in all, judged or not */
	int relevance; /* lowest grade that counts as relevant, >= 1 */
};

enum metric_cutoff {
	CUTOFF_NONE, /* map of the whole list */
	CUTOFF_OPTIONAL, /* mrr, mrr@10 */
	CUTOFF_REQUIRED /* recall@5 */
};

/* What a metric has to know of a ranking. */
enum metric_needs {
	NEEDS_FIRST_RANK, /* the rank of the first relevant document */
	NEEDS_RELEVANT, /* the ranks of all documents with grade >= 1 */
	NEEDS_JUDGED /* those of documents judged not relevant, too */
};

struct metric {
	const char *name; /* without cutoff */
	enum metric_cutoff cutoff;
	enum metric_needs needs;
	/*
	 * A rank, not a share, and of what was found alone: it is shown, and
	 * neither compared nor gated.
	 */
	bool reading_only;
	/*
	 * k: cutoff, 0 for none.  A value in 0..1; of one for reading only a
	 * rank, NAN where there is none.
	 */
	double (*score)(const struct ranking *ranking, unsigned k);
	const char *trec_eval; /* its name there, NULL when it has none */
	const char *summary; /* formula and source, a line for the manual */
};

extern const struct metric *const metric_table[];
extern const size_t nmetrics;

/* A metric with its cutoff, as configs and reports name it. */
struct measure {
	const struct metric *metric;
	unsigned k; /* 0: none */
	const char *name; /* canonical: "recall@5" */
};

/*
 * Reads "recall@5" or an alias (success@5, hit_rate@5, mean reciprocal
 * rank's "mrr").  On failure returns -1 and sets *mend to a sentence that
 * says what is wrong and what is known.
 */
int measure_parse(struct arena *arena, const char *text,
    struct measure *measure, const char **mend);

/*
 * The same as a regular expression of all that it reads; gated: less what is
 * for reading only.
 */
const char *measure_pattern(struct arena *arena, bool gated);

/*
 * A mean in the making, { 0 } at first: summed in the order in which scores
 * are added.  Those that are NAN are left out.
 */
struct mean {
	double sum;
	size_t n, nscored;
};

void mean_add(struct mean *mean, double score);
/* 0 where nothing was added; NAN where nothing but NAN was. */
double mean_value(const struct mean *mean);

#endif
