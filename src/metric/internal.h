/*
 * What the families of metrics share.  Each family's file defines its rows;
 * table.c lists them.
 */
#ifndef EVALGATE_METRIC_INTERNAL_H
#define EVALGATE_METRIC_INTERNAL_H

#include "evalgate/metric.h"

extern const struct metric metric_recall, metric_hit;
extern const struct metric metric_precision, metric_rprec;
extern const struct metric metric_mrr;
extern const struct metric metric_ndcg, metric_ndcg_exp;
extern const struct metric metric_map;
extern const struct metric metric_bpref;
extern const struct metric metric_judged;
extern const struct metric metric_found, metric_mean_rank;

/* Whether a retrieved document stands at rank k or above; k 0: anywhere. */
bool within(const struct judged *judged, unsigned k);
/* Whether a grade counts for binary metrics. */
bool relevant(const struct ranking *ranking, const struct judged *judged);
/* R: all relevant documents, retrieved or not. */
size_t count_relevant(const struct ranking *ranking);
/* The relevant ones among the first k results; k 0: among all. */
size_t count_relevant_within(const struct ranking *ranking, unsigned k);

#endif
