/*
 * Metrics on the questions that two sides have in common, and ranks at the
 * depth that both looked.
 */
#include <string.h>

#include "internal.h"

enum worse
rank_worse(struct place now, struct place then, int64_t max_loss)
{
	/* Not found before and found now is never a regression. */
	if (!then.rank)
		return WORSE_NO;
	if (now.rank)
		return now.rank > then.rank + max_loss ? WORSE_YES : WORSE_NO;
	/* A miss at depth d means worse than d. */
	if (now.depth == DEPTH_UNBOUNDED || now.depth >= then.rank + max_loss)
		return WORSE_YES;
	if (then.depth != DEPTH_UNBOUNDED && now.depth >= then.depth)
		return WORSE_YES;
	return WORSE_UNTELLABLE;
}

/* Where depths differ, both sides are cut at the smaller one. */
static unsigned
common_depth(unsigned one, unsigned two)
{
	if (one == two)
		return 0;
	return one < two ? one : two;
}

static const struct record_metric *
stored(const struct record *record, const char *name)
{
	size_t i;

	for (i = 0; i < record->nmetrics; i++)
		if (strcmp(record->metrics[i].name, name) == 0)
			return &record->metrics[i];
	return NULL;
}

/*
 * What ranks of relevant documents can't give is compared with the mean that
 * the record holds, and only where it was taken over the same questions.
 */
static struct comparison
compare_stored(struct ranking_scratch *scratch, const struct measure *measure,
    const struct view *view, const struct rules *rules,
    const struct questions *questions, const struct run *run,
    const struct side *side)
{
	const struct record *record = side->reference->record;
	const struct record_metric *then = stored(record, measure->name);
	struct comparison c = {.known = false};
	struct ranking ranking;
	size_t i;

	if (view->name || !then || side->nadded || side->nredefined ||
	    side->nremoved || record->depth != run->depth)
		return c;
	for (i = 0; i < questions->nitems; i++) {
		if (!view_has(view, questions, i))
			continue;
		if (side->changes[i] != CHANGE_NONE || run->answers[i].errored)
			return c;
		ranking = ranking_of(scratch, &questions->items[i],
		    &run->answers[i], rules->relevance, 0);
		c.current += measure->metric->score(&ranking, measure->k);
		c.n++;
	}
	if (!c.n)
		return c;
	c.known = true;
	c.current /= (double)c.n;
	c.baseline = then->value;
	return c;
}

static double
score_at(struct ranking_scratch *scratch, const struct question *question,
    const struct answer *answer, const struct measure *measure, int relevance,
    unsigned cut)
{
	struct ranking ranking =
	    ranking_of(scratch, question, answer, relevance, cut);

	return measure->metric->score(&ranking, measure->k);
}

struct comparison
compare_measure(struct arena *arena, const struct measure *measure,
    const struct view *view, const struct rules *rules,
    const struct questions *questions, const struct run *run,
    const struct side *side)
{
	struct ranking_scratch scratch = {.arena = arena};
	struct comparison c = {.known = false};
	unsigned cut = common_depth(run->depth, side->reference->record->depth);
	double now, then, sum_now = 0, sum_then = 0, *differences;
	const struct question *question;
	size_t i;

	if (measure->metric->reading_only)
		return c;
	if (measure->metric->needs == NEEDS_JUDGED)
		return compare_stored(
		    &scratch, measure, view, rules, questions, run, side);
	differences =
	    arena_array(arena, questions->nitems + 1, sizeof(*differences));
	for (i = 0; i < questions->nitems; i++) {
		question = &questions->items[i];
		if (!view_has(view, questions, i) ||
		    side->changes[i] != CHANGE_NONE)
			continue;
		if (run->answers[i].errored) {
			c.nerrored++;
			continue;
		}
		if (!answer_gives(
			question, &side->answers[i], measure, rules->relevance))
			return c;
		now = score_at(&scratch, question, &run->answers[i], measure,
		    rules->relevance, cut);
		then = score_at(&scratch, question, &side->answers[i], measure,
		    rules->relevance, cut);
		if (cut) {
			c.current_whole += score_at(&scratch, question,
			    &run->answers[i], measure, rules->relevance, 0);
			c.baseline_whole += score_at(&scratch, question,
			    &side->answers[i], measure, rules->relevance, 0);
		}
		sum_now += now;
		sum_then += then;
		c.wins += now > then;
		c.losses += now < then;
		c.ties += now == then;
		differences[c.n++] = now - then;
	}
	if (!c.n)
		return c;
	c.known = true;
	c.cut = cut;
	c.current_whole /= (double)c.n;
	c.baseline_whole /= (double)c.n;
	c.differences = differences;
	c.current = sum_now / (double)c.n;
	c.baseline = sum_then / (double)c.n;
	return c;
}
