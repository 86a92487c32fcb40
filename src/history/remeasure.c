/*
 * Metrics that a record does not hold, from the ranks that it does.  The
 * record says neither which questions are unanswerable nor what grades their
 * documents have, so a way of computing is believed only where it gives what
 * the record itself says of the metrics that it holds.
 */
#include <math.h>
#include <string.h>

#include "internal.h"

#define SAME 1e-9

/* A record with its ranks, and room for one question's. */
struct remeasured {
	struct arena *arena;
	struct record record;
	struct judged *judged;
	int *ideal;
};

static int
compare_judged(const void *a, const void *b)
{
	const struct judged *x = a, *y = b;

	/* Those not retrieved, rank 0, come last: 0 - 1 is the greatest. */
	return (x->rank - 1 > y->rank - 1) - (x->rank - 1 < y->rank - 1);
}

/* Every document whose rank was kept as one of grade 1. */
static struct ranking
ranking_at(struct remeasured *r, size_t question)
{
	const struct record *record = &r->record;
	struct ranking ranking = {.relevance = 1};
	const int32_t *ranks;
	size_t i;

	ranks = record_ranks_of(r->arena, record, question, &ranking.njudged);
	for (i = 0; i < ranking.njudged; i++) {
		r->ideal[i] = 1;
		r->judged[i] =
		    (struct judged){ranks[i] > 0 ? (unsigned)ranks[i] : 0, 1};
		ranking.nfound += ranks[i] > 0;
	}
	sort(r->judged, ranking.njudged, sizeof(*r->judged), compare_judged);
	ranking.judged = r->judged;
	ranking.ideal = r->ideal;
	ranking.nideal = ranking.njudged;
	return ranking;
}

/* Of several documents only the first one's rank means the same to all. */
static bool
from_ranks(const struct remeasured *r, const struct measure *measure)
{
	return measure->metric->needs == NEEDS_FIRST_RANK ||
	    (measure->metric->needs == NEEDS_RELEVANT && !r->record.first);
}

static double
average(struct remeasured *r, const struct measure *measure)
{
	struct ranking ranking;
	struct mean mean = {0};
	size_t i;

	for (i = 0; i < r->record.n; i++) {
		ranking = ranking_at(r, i);
		mean_add(&mean, measure->metric->score(&ranking, measure->k));
	}
	return mean_value(&mean);
}

/* Whether what the record holds comes out, and proves enough for measure. */
static bool
believable(struct remeasured *r, const struct measure *measure)
{
	const struct record_metric *held;
	struct measure other;
	const char *mend;
	bool proven = false;
	size_t i;

	for (i = 0; i < r->record.nmetrics; i++) {
		held = &r->record.metrics[i];
		if (measure_parse(r->arena, held->name, &other, &mend) < 0 ||
		    !from_ranks(r, &other))
			continue;
		if (fabs(average(r, &other) - held->value) > SAME)
			return false;
		proven |= other.metric->needs >= measure->metric->needs;
	}
	return proven && !isnan(average(r, measure));
}

bool
record_measure(
    const struct record *record, const struct measure *measure, double *value)
{
	struct remeasured r = {.arena = arena_new(), .record = *record};
	size_t most = 1, n, i;
	bool found;

	record_ranks(r.arena, &r.record);
	for (i = 0; r.record.first && i < r.record.n; i++) {
		n = r.record.first[i + 1] - r.record.first[i];
		most = n > most ? n : most;
	}
	r.judged = arena_array(r.arena, most, sizeof(*r.judged));
	r.ideal = arena_array(r.arena, most, sizeof(*r.ideal));
	found = from_ranks(&r, measure) && believable(&r, measure);
	if (found)
		*value = average(&r, measure);
	arena_free(r.arena);
	return found;
}
