/*
 * Which records a run is compared with: the nearest one, and the nearest
 * that is fit to be a standard.
 */
#include <string.h>

#include "internal.h"

struct search {
	struct arena *arena;
	struct repo *repo;
	struct notes *notes;
	const char *judged; /* NULL: none is left out */
	const struct baseline_policy *policy;
	struct baseline *found;
	const char **unrecorded;
	size_t unrecorded_cap;
	const char **notices;
	size_t notices_cap;
	size_t ncarried; /* on the way, and at the judged commit */
	size_t nunfit; /* nearer commits that answered less */
	bool gap; /* the walk passed over commits not here */
	bool started; /* a new start ended the walk */
	/* The nearest record with a verdict, where none is acceptable. */
	const struct reference *failed;
	const char *budget; /* max_distance ended it, as text */
};

static void
notice(struct search *s, const char *text)
{
	s->notices = arena_grow(s->arena, s->notices, s->found->nnotices,
	    &s->notices_cap, sizeof(*s->notices));
	s->notices[s->found->nnotices++] = text;
	s->found->notices = s->notices;
}

static void
add_unrecorded(struct search *s, const char *id)
{
	struct baseline *b = s->found;

	s->unrecorded = arena_grow(s->arena, s->unrecorded, b->nunrecorded,
	    &s->unrecorded_cap, sizeof(*s->unrecorded));
	s->unrecorded[b->nunrecorded++] = id;
	b->unrecorded = s->unrecorded;
}

static const struct reference *
reference(struct search *s, struct record *record,
    const struct chain_link *link, size_t distance)
{
	struct reference *r = arena_alloc(s->arena, sizeof(*r));
	struct error ignored = {.arena = s->arena};
	struct commit twin;

	record_ranks(s->arena, record);
	r->record = record;
	r->distance = distance;

	if (link->known) {
		r->time = link->commit.time;
		r->subject = link->commit.subject;
	} else {
		time_parse(record->at, &r->time);
	}
	if (!link->twin)
		return r;
	r->twin_of = link->commit.id;
	r->twin_by = link->twin_by;
	r->subject = NULL;
	if (repo_commit(s->repo, link->twin, &twin, &ignored) == COMMIT_FOUND)
		r->subject = twin.subject;
	return r;
}

/* ----------------------------------------------------------- one commit -- */

/* Whether the record of a subset answered all that is asked now. */
static bool
answers_enough(struct search *s, const struct record *record)
{
	const struct qset *wanted = s->policy->wanted;
	struct error ignored = {.arena = s->arena};
	struct qset qset;
	size_t i, index;

	if (!record->subset || !wanted)
		return true;
	if (notes_qset(s->notes, record->qset, &qset, &ignored) < 0)
		return false;
	for (i = 0; i < wanted->n; i++)
		if (!map_get(&qset.by_id, wanted->ids[i],
			strlen(wanted->ids[i]), &index))
			return false;
	return true;
}

/* What the records of one commit, newest first, have to offer. */
struct offer {
	struct record *newest;
	struct record *passing;
	struct record *start; /* the newest new start */
};

static struct offer
offer_of(struct search *s, const struct chain_link *link)
{
	struct offer offer = {0};
	struct record *r;
	size_t i;

	for (i = 0; i < link->nrecords; i++) {
		r = &link->records[i];
		/* What is older than a new start counts no more. */
		if (offer.start || r->dirty || !answers_enough(s, r))
			continue;
		if (!offer.newest)
			offer.newest = r;
		if (!offer.passing && r->verdict == RECORD_PASS)
			offer.passing = r;
		if (r->start)
			offer.start = r;
	}
	return offer;
}

/* Runs of one commit that give different results are told. */
static void
tell_unstable(struct search *s, const struct chain_link *link,
    const struct record *newest)
{
	size_t i, n = 0;

	for (i = 0; i < link->nrecords; i++)
		if (&link->records[i] != newest && !link->records[i].dirty &&
		    !record_same_ranks(&link->records[i], newest))
			n++;
	if (n)
		notice(s,
		    arena_printf(s->arena,
			"unstable: %zu other recorded run%s of %.7s gave%s "
			"other ranks; the newest serves",
			n, n == 1 ? "" : "s", newest->commit,
			n == 1 ? "" : " each"));
	for (i = n = 0; i < link->nrecords; i++)
		n += &link->records[i] != newest && !link->records[i].dirty &&
		    link->records[i].verdict != newest->verdict &&
		    record_same_ranks(&link->records[i], newest);
	if (n)
		notice(s,
		    arena_printf(s->arena,
			"the same ranks were recorded for %.7s with another "
			"verdict, too; the newest serves",
			newest->commit));
}

/* Takes from a commit what is still wanted; true when nothing is any more. */
static bool
take(struct search *s, const struct chain_link *link, size_t distance)
{
	struct baseline *b = s->found;
	struct offer offer = offer_of(s, link);
	struct record *good = offer.passing ? offer.passing : offer.start;

	if (!offer.newest) {
		if (!b->before && records_newest(link->records, link->nrecords))
			s->nunfit++;
		else if (!b->before)
			add_unrecorded(s, link->commit.id);
		return false;
	}
	if (!b->before) {
		b->before = reference(s, offer.newest, link, distance);
		tell_unstable(s, link, offer.newest);
	}
	/* One without a verdict serves where there is nothing better. */
	if (!s->failed && offer.newest->verdict == RECORD_FAIL)
		s->failed = offer.newest == b->before->record
		    ? b->before
		    : reference(s, offer.newest, link, distance);
	if (s->policy->accept_any)
		good = offer.newest;
	if (good) {
		b->good = good == b->before->record
		    ? b->before
		    : reference(s, good, link, distance);
		b->good_accepted = true;
	}
	s->started = offer.start != NULL;
	return good != NULL;
}

/* -------------------------------------------------------- no record met -- */

/* Whether a commit, here or known by its records, comes after `start`. */
static bool
comes_after(struct search *s, const char *id, const char *start,
    const struct record *records, size_t nrecords)
{
	size_t i, k;

	if (repo_descends(s->repo, id, start))
		return true;
	for (i = 0; i < nrecords; i++)
		for (k = 0; k < records[i].nparents; k++)
			if (repo_descends(
				s->repo, records[i].parents[k], start))
				return true;
	return false;
}

/*
 * Whether the suite has records that are neither the judged commit's nor
 * those of commits after the place where the walk begins.
 */
static int
recorded_elsewhere(
    struct search *s, const char *start, bool *elsewhere, struct error *e)
{
	size_t n = notes_count(s->notes), i, nrecords;
	struct skipped skipped;
	struct record *records;
	const char *id;

	*elsewhere = false;
	for (i = 0; i < n && !*elsewhere; i++) {
		id = notes_commit(s->notes, i);
		if (s->judged && strcmp(id, s->judged) == 0)
			continue;
		if (notes_records(s->notes, id, NULL, &records, &nrecords,
			&skipped, e) < 0)
			return -1;
		*elsewhere = records_newest(records, nrecords) &&
		    !(start && comes_after(s, id, start, records, nrecords));
	}
	return 0;
}

static int
nothing_found(struct search *s, const struct chain *chain, const char *start,
    struct error *e)
{
	struct baseline *b = s->found;
	bool elsewhere;

	b->nunrecorded = 0;
	if (recorded_elsewhere(s, start ? start : s->judged, &elsewhere, e) < 0)
		return -1;
	/*
	 * A record carried to another place was lost at its own, and what
	 * can't be read was one once.
	 */
	elsewhere = elsewhere || chain->skipped.ncarried > 0 ||
	    chain->skipped.nforeign > 0;
	b->cut = chain->cut ? chain->cut : s->budget;
	if (chain->skipped.nlater)
		b->cut = "the records on it are of a later version; use a "
			 "newer evalgate";
	b->outcome = !elsewhere ? BASELINE_FIRST
	    : b->cut            ? BASELINE_CUT
				: BASELINE_LOST;
	if (b->outcome != BASELINE_CUT)
		b->cut = NULL;
	return 0;
}

/* ---------------------------------------------------------------- find -- */

/* No standard was met: the nearest serves, and the reader is told why. */
static void
settle(struct search *s, const struct chain *chain)
{
	struct baseline *b = s->found;

	b->outcome = BASELINE_FOUND;
	b->reason = s->gap ? "nearest recorded ancestor that records name"
			   : "nearest recorded first-parent ancestor";
	if (b->good)
		return;
	b->good = s->failed ? s->failed : b->before;
	b->good_cut = chain->cut;
	/* As far as max_distance says is as far as a standard is sought. */
	if (!chain->cut)
		notice(
		    s, "no record in reach has passed; the nearest one serves");
}

static void
tell(struct search *s, const struct chain *chain)
{
	if (s->ncarried)
		notice(s, carried_text(s->arena, s->ncarried));
	if (s->nunfit)
		notice(s,
		    arena_printf(s->arena,
			"passed over %zu nearer recorded commit%s: of a run "
			"that was to answer less",
			s->nunfit, s->nunfit == 1 ? "" : "s"));
	if (chain->skipped.nforeign)
		notice(s,
		    arena_printf(s->arena,
			"%zu line%s in the notes %s no record that this "
			"version reads: skipped, and kept",
			chain->skipped.nforeign,
			chain->skipped.nforeign == 1 ? "" : "s",
			chain->skipped.nforeign == 1 ? "is" : "are"));
	if (chain->nabsent)
		notice(s,
		    arena_printf(s->arena,
			"%zu commit%s not here and known by records alone",
			chain->nabsent, chain->nabsent == 1 ? " is" : "s are"));
	if (s->started)
		notice(s, "look-back ends at a new start");
	if (s->gap)
		notice(s,
		    "some commits in between are not known, so that "
		    "distances are at least as given");
}

static int
walk(struct search *s, struct chain *chain, size_t distance, struct error *e)
{
	struct chain_link link;
	int rc;

	for (;; distance++) {
		if (chain->next && s->policy->max_distance >= 0 &&
		    distance > (size_t)s->policy->max_distance) {
			s->budget = arena_printf(s->arena,
			    "max_distance is %lld commits; raise `baseline: "
			    "{max_distance: ...}`, or record a nearer commit",
			    (long long)s->policy->max_distance);
			return 0;
		}
		rc = chain_next(chain, &link, e);
		if (rc <= 0)
			return rc;
		s->gap = s->gap || link.after_gap;
		if (s->judged && strcmp(link.commit.id, s->judged) == 0)
			continue;
		if (take(s, &link, distance) || s->started)
			return 0;
	}
}

/* Those of the judged commit, which the walk does not meet, count too. */
static int
count_carried(struct search *s, const struct chain *chain, struct error *e)
{
	struct error ignored = {.arena = s->arena};
	struct record *records;
	struct skipped skipped;
	struct commit commit;
	size_t n;

	s->ncarried = chain->skipped.ncarried;
	if (!s->judged)
		return 0;
	repo_commit(s->repo, s->judged, &commit, &ignored);
	if (notes_records(s->notes, s->judged, commit.tree, &records, &n,
		&skipped, e) < 0)
		return -1;
	s->ncarried += skipped.ncarried;
	return 0;
}

int
baseline_find(struct arena *arena, struct repo *repo, struct notes *notes,
    const char *judged, const char *start, size_t distance0,
    const struct baseline_policy *policy, struct baseline *baseline,
    struct error *e)
{
	struct search s = {
	    .arena = arena,
	    .repo = repo,
	    .notes = notes,
	    .judged = judged,
	    .policy = policy,
	    .found = baseline,
	};
	struct twins twins;
	struct chain chain;

	*baseline = (struct baseline){.outcome = BASELINE_FIRST};
	chain_start(&chain, arena, repo, notes, start);
	twins_init(&twins, arena, repo, notes, policy, judged);
	chain.twins = &twins;
	if (walk(&s, &chain, distance0, e) < 0 ||
	    count_carried(&s, &chain, e) < 0)
		return -1;
	if (baseline->before)
		settle(&s, &chain);
	else if (nothing_found(&s, &chain, start, e) < 0)
		return -1;
	tell(&s, &chain);
	return 0;
}
