/*
 * evalgate blame: the last fall of a question from which its rank never came
 * back, and what has stood above it since.
 */
#include <string.h>

#include "cli.h"

/* The question in one recorded run. */
struct stop {
	const struct record *record;
	size_t link; /* index of its commit's */
	struct place place;
};

struct blaming {
	struct session *s;
	struct trail trail;
	struct stop *stops; /* newest first */
	size_t nstops;
	struct blame_report report;
};

/* Stops where the question becomes another one, or was not asked. */
static int
collect(struct blaming *b, const char *id)
{
	struct session *s = b->s;
	const char *digest = NULL, *last = NULL;
	const struct record *record;
	struct history_rank rank;
	struct trail_run *runs;
	struct qset qset;
	size_t n = trail_runs(s->arena, b->trail.links, b->trail.nlinks, &runs),
	       i, index;

	b->stops = arena_array(s->arena, n + 1, sizeof(*b->stops));
	for (i = 0; i < n && !b->report.start; i++) {
		record = runs[i].record;
		if (record->start)
			b->report.start = record->commit;
		if (!last || strcmp(last, record->qset) != 0) {
			last = record->qset;
			if (notes_qset(b->trail.notes, last, &qset, s->e) < 0)
				return -1;
		}
		if (!map_get(&qset.by_id, id, strlen(id), &index))
			continue;
		if (digest && strcmp(digest, qset.digests[index]) != 0)
			break;
		digest = qset.digests[index];
		rank = trail_rank(s->arena, record, index);
		if (rank.state != RANK_GIVEN)
			continue;
		b->stops[b->nstops++] = (struct stop){
		    record, runs[i].link, {rank.rank, record->depth}};
	}
	if (!digest)
		return fail(s->e,
		    "no record of suite '%s' on this branch%s has a question "
		    "'%s'",
		    s->config.suite,
		    b->report.start ? ", back to the new start," : "", id);
	return 0;
}

static struct blame_point
point(const struct blaming *b, const struct stop *stop)
{
	const struct chain_link *link = &b->trail.links[stop->link];

	return (struct blame_point){
	    .commit = link->commit.id,
	    .subject = link->known ? link->commit.subject : NULL,
	    .at = stop->record->at,
	    .place = stop->place,
	};
}

/* Documents that stand above the question's now and did not before. */
static void
find_above(struct blaming *b, const struct stop *fall,
    const struct stop *before, const char *id)
{
	const struct record_top *now = record_top(fall->record, id);
	const struct record_top *then = record_top(before->record, id);
	struct explanation explanation = {.question = id};

	if (!now || !then)
		return;
	fall_displacers(b->s->arena, &b->s->config.rules,
	    &(struct top){now->documents, now->ndocuments, fall->place.rank},
	    &(struct top){
		then->documents, then->ndocuments, before->place.rank},
	    &explanation);
	b->report.top_known = true;
	b->report.above = explanation.above;
	b->report.nabove = explanation.nabove;
}

/* What was not recorded between the last good commit and the fall. */
static void
find_unrecorded(
    struct blaming *b, const struct stop *fall, const struct stop *before)
{
	const char **list = arena_array(
	    b->s->arena, before->link - fall->link + 1, sizeof(*list));
	size_t i, n = 0;

	for (i = fall->link + 1; i < before->link; i++)
		list[n++] = b->trail.links[i].commit.id;
	b->report.unrecorded = list;
	b->report.nunrecorded = n;
}

static int
run(struct session *s)
{
	struct blaming b = {.s = s};
	struct place *places;
	const char *id;
	size_t fall, i;

	if (s->options.args.n != 1) {
		fail(s->e, "blame needs one question's id");
		return EXIT_INPUT;
	}
	id = s->options.args.items[0];
	if (session_open_repo(s) < 0 || session_read_config(s) < 0 ||
	    session_read_renamed(s) < 0 || trail_read(s, &b.trail) < 0 ||
	    collect(&b, id) < 0)
		return EXIT_INPUT;
	b.report.tool = EVALGATE_VERSION;
	b.report.suite = s->config.suite;
	b.report.question = id;
	b.report.nrecords = b.nstops;
	places = arena_array(s->arena, b.nstops + 1, sizeof(*places));
	for (i = 0; i < b.nstops; i++)
		places[i] = b.stops[i].place;
	if (b.nstops) {
		b.report.now = point(&b, &b.stops[0]);
		b.report.best =
		    point(&b, &b.stops[fall_best(places, b.nstops)]);
	}
	fall = fall_find(places, b.nstops);
	if (fall < b.nstops) {
		b.report.fell = true;
		b.report.at = point(&b, &b.stops[fall]);
		b.report.last_good = point(&b, &b.stops[fall + 1]);
		find_unrecorded(&b, &b.stops[fall], &b.stops[fall + 1]);
		find_above(&b, &b.stops[fall], &b.stops[fall + 1], id);
	}
	return output_blame(s, &b.report) < 0 ? EXIT_ENVIRONMENT : EXIT_PASS;
}

const struct command command_blame = {
    .name = "blame",
    .bit = COMMAND_BLAME,
    .synopsis = "blame [OPTION]... QUESTION",
    .summary = "when a question fell for good, and what pushed it down",
    .help = "Finds the last commit at which the question's rank got worse "
	    "and never came back,\nand the documents that have stood above "
	    "it since.\n",
    .run = run,
};
