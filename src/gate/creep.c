/*
 * Creep: small losses, each within its limit, that add up.  A run is compared
 * with the best of the last records too, not with the nearest alone.
 */
#include <math.h>
#include <string.h>

#include "internal.h"

/* "2 at 1a2b3c4, 3 at 5d6e7f8": each step down, oldest first. */
static const char *
step(struct arena *arena, const char *steps, const char *text,
    const char *commit)
{
	return arena_printf(arena, "%s%s%s at %s", steps, *steps ? ", " : "",
	    text, short_id(arena, commit));
}

/* The place where a question stood best, and each loss since. */
struct slide {
	struct place best;
	const struct side *side; /* where it stood best, NULL: nowhere */
	const char *steps;
};

static struct slide
slide_of(
    struct judging *judging, const struct tracked *tracked, size_t question)
{
	const struct gate_input *in = judging->in;
	struct slide slide = {.side = NULL, .steps = ""};
	struct place place, last = {0};
	size_t i;

	for (i = in->nwindow; i-- > 0;) {
		const struct side *side = &in->window[i];

		/* The window is there where it has records. */
		if (!side ||
		    !side_place(
			judging, side, question, tracked->document, &place))
			continue;
		if (place.rank &&
		    (!slide.side || place.rank <= slide.best.rank)) {
			slide.side = side;
			slide.best = place;
			slide.steps = "";
		}
		if (slide.side == side ||
		    rank_worse(place, last, 0) == WORSE_YES)
			slide.steps = step(judging->arena, slide.steps,
			    place_text(judging->arena, place),
			    side->reference->record->commit);
		last = place;
	}
	return slide;
}

/* What another rule has failed already is no creep. */
static bool
told(const struct judging *judging, const char *rule, const char *subject,
    const char *slice)
{
	const struct finding *f;
	size_t i;

	for (i = 0; i < judging->nfindings; i++) {
		f = &judging->findings[i];
		if (f->class <= CLASS_UNTELLABLE &&
		    strcmp(f->rule, rule) == 0 &&
		    strcmp(f->subject, subject) == 0 &&
		    slice_same(f->slice, slice))
			return true;
	}
	return false;
}

static struct finding
creep_finding(const struct judging *judging, const char *subject)
{
	const struct creep *creep = &judging->in->rules->creep;

	return (struct finding){.rule = "creep",
	    .subject = subject,
	    .level = creep->level,
	    .class = CLASS_CREEP,
	    .fails_record = creep->level == LEVEL_ERROR,
	    .limit = NAN,
	    .file = judging->in->rules->file,
	    .line = creep->line};
}

/*
 * What a waiver makes of it.  A change that takes no step itself is not to
 * blame for those before, unless they were no error until it made them one.
 */
static void
conclude(
    struct judging *judging, const struct waiving *waiving, struct finding *f)
{
	const char *subject = waiving->subject;
	bool here = passed_before(judging) &&
	    (!waiver_before(judging, subject) ||
		waiver_taken_off(judging, subject));

	waive(judging, waiving, f);
	if (f->class == CLASS_CREEP && waiving->no_better && !here)
		f->level = still_failing_level(judging->in->event, f->level);
	add_finding(judging, *f);
}

static void
judge_question(struct judging *judging, const struct tracked *tracked)
{
	struct finding f = creep_finding(judging, tracked->question);
	struct place now, before = {0};
	struct waiving waiving = {.level = f.level, .beyond = question_beyond};
	struct slide slide;
	size_t question;
	bool known, known_before;

	questions_index(judging->in->questions, tracked->question,
	    strlen(tracked->question), &question);
	now = run_place(judging, question, tracked->document, &known);
	slide = slide_of(judging, tracked, question);
	if (!known || !slide.side ||
	    rank_worse(now, slide.best, tracked->max_loss) != WORSE_YES ||
	    told(judging, "tracked", tracked->question, NULL))
		return;
	known_before = side_place(
	    judging, judging->in->before, question, tracked->document, &before);
	f.baseline = slide.best.rank;
	f.current = now.rank ? now.rank : NAN;
	f.limit = (double)(slide.best.rank + tracked->max_loss);
	f.change = arena_printf(judging->arena, "rank %s → %s",
	    place_text(judging->arena, slide.best),
	    place_text(judging->arena, now));
	f.message = arena_printf(judging->arena,
	    "lost in small steps, max_loss is %lld: %s, %s now",
	    (long long)tracked->max_loss, slide.steps,
	    place_text(judging->arena, now));
	waiving.subject =
	    subject_of_question(judging->arena, tracked->question);
	waiving.place = now;
	waiving.no_better =
	    known_before && rank_worse(now, before, 0) == WORSE_NO;
	conclude(judging, &waiving, &f);
}

/* Whether the mean was no better before this change. */
static bool
mean_no_better(const struct judging *judging, const struct threshold *threshold)
{
	const struct gate_input *in = judging->in;
	struct comparison c = {.known = false};

	if (in->before)
		c = compare_measure(judging->arena, &threshold->measure,
		    threshold_view(judging, threshold), in->rules,
		    in->questions, in->run, in->before);
	return c.known && c.baseline <= c.current + ROUNDING;
}

/* The best mean of the window, and each loss since. */
static void
judge_mean(struct judging *judging, const struct threshold *threshold)
{
	const struct gate_input *in = judging->in;
	const struct view *view = threshold_view(judging, threshold);
	struct finding f = creep_finding(judging, threshold->measure.name);
	struct comparison c, best = {.known = false};
	const char *steps = "", *then, *now;
	double last = NAN;
	size_t i;

	f.slice = view->name;
	if (told(judging, "max_drop", f.subject, f.slice))
		return;
	for (i = in->nwindow; i-- > 0;) {
		c = compare_measure(judging->arena, &threshold->measure, view,
		    in->rules, in->questions, in->run, &in->window[i]);
		if (!c.known)
			continue;
		if (!best.known ||
		    c.baseline - c.current >= best.baseline - best.current) {
			best = c;
			steps = "";
			last = NAN;
		}
		if (isnan(last) || c.baseline < last - ROUNDING)
			steps = step(judging->arena, steps,
			    arena_printf(judging->arena, "%.4f", c.baseline),
			    in->window[i].reference->record->commit);
		last = c.baseline;
	}
	if (!best.known ||
	    !drop_exceeds(threshold, best.baseline, best.current))
		return;
	if (drop_by_chance(threshold, best.differences, best.n))
		return;
	f.baseline = best.baseline;
	f.current = best.current;
	share_texts(judging->arena, best.baseline, best.current, &then, &now);
	f.change = arena_printf(judging->arena, "%s → %s", then, now);
	f.message = arena_printf(
	    judging->arena, "lost in small steps: %s, %s now", steps, now);
	conclude(judging,
	    &(struct waiving){
		.subject =
		    subject_of_measure(judging->arena, f.subject, f.slice),
		.level = f.level,
		.beyond = metric_beyond,
		.mean = best.current,
		.no_better = mean_no_better(judging, threshold),
	    },
	    &f);
}

void
judge_creep(struct judging *judging)
{
	const struct rules *rules = judging->in->rules;
	size_t i;

	if (!rules->creep.window)
		return;
	for (i = 0; i < rules->ntracked; i++)
		judge_question(judging, &rules->tracked[i]);
	for (i = 0; i < rules->nthresholds; i++)
		if (rules->thresholds[i].has_max_drop)
			judge_mean(judging, &rules->thresholds[i]);
}
