/* The recorded past along first parents, as history and blame look at it. */
#include <string.h>

#include "cli.h"

#define LINKS 1000000 /* a whole chain */

enum revision
session_revision(struct session *s, const struct notes *notes,
    const char *revision, const char **id)
{
	struct error ignored = {.arena = s->arena};

	if (repo_resolve(s->repo, revision, id, &ignored) == 0)
		return REVISION_KNOWN;
	if (strlen(revision) == 40 &&
	    strspn(revision, "0123456789abcdef") == 40 &&
	    notes_has(notes, revision)) {
		*id = revision;
		return REVISION_KNOWN;
	}
	return repo_shallow(s->repo) ? REVISION_SHALLOW : REVISION_FAULTY;
}

static int
resolve(struct session *s, const struct notes *notes, const char *revision,
    const char **id)
{
	if (session_revision(s, notes, revision, id) == REVISION_KNOWN)
		return 0;
	return repo_resolve(s->repo, revision, id, s->e);
}

static int
find_end(struct session *s, const struct notes *notes, const char **from,
    const char **stop)
{
	const char *range = s->options.range, *dots;
	const char *name = "HEAD";

	*stop = NULL;
	if (range) {
		dots = strstr(range, "..");
		if (!dots || dots == range || strncmp(dots, "...", 3) == 0)
			return fail(s->e,
			    "--range is '%s'; write A..B, such as "
			    "v1.0..HEAD",
			    range);
		if (resolve(s, notes,
			arena_strndup(s->arena, range, (size_t)(dots - range)),
			stop) < 0)
			return -1;
		if (dots[2])
			name = dots + 2;
	}
	return resolve(s, notes, name, from);
}

static int
read_day(struct session *s, const char *option, const char *text, bool end,
    int64_t *seconds)
{
	if (!text)
		return 0;
	if (time_parse(text, seconds) < 0)
		return fail(s->e,
		    "--%s is '%s'; write YYYY-MM-DD or "
		    "YYYY-MM-DDThh:mm:ssZ, in UTC",
		    option, text);
	/* A day's end is a part of it. */
	if (end && !strchr(text, 'T'))
		*seconds += 86399;
	return 0;
}

/* When a link happened: its commit's date, else that of its record. */
static int64_t
time_of(const struct chain_link *link)
{
	const struct record *record = trail_record(link);
	int64_t seconds = 0;

	if (link->known)
		return link->commit.time;
	if (record)
		time_parse(record->at, &seconds);
	return seconds;
}

/*
 * How many links come after `stop`, which may lie beside the chain: all from
 * one on that it descends from are before it.
 */
static size_t
links_after(struct session *s, const struct trail *trail, const char *stop)
{
	size_t low = 0, high = trail->nlinks, middle;

	for (middle = 0; middle < high; middle++)
		if (strcmp(trail->links[middle].commit.id, stop) == 0)
			return middle;
	while (low < high) {
		middle = low + (high - low) / 2;
		if (repo_descends(
			s->repo, stop, trail->links[middle].commit.id))
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Keeps what lies after `stop` and within the days. */
static void
narrow(struct session *s, struct trail *trail, const char *stop, int64_t since,
    int64_t until)
{
	size_t end = stop ? links_after(s, trail, stop) : trail->nlinks;
	size_t i, n = 0;
	int64_t at;

	if (end < trail->nlinks)
		trail->cut = NULL;
	for (i = 0; i < trail->nlinks; i++) {
		at = time_of(&trail->links[i]);
		if (i < end && at >= since && at <= until)
			trail->links[n++] = trail->links[i];
		else
			trail->narrowed |= trail->links[i].nrecords > 0;
	}
	trail->nlinks = n;
}

int
trail_read(struct session *s, struct trail *trail)
{
	int64_t since = INT64_MIN, until = INT64_MAX;
	const char *from, *stop;

	if (read_day(s, "since", s->options.since, false, &since) < 0 ||
	    read_day(s, "until", s->options.until, true, &until) < 0 ||
	    notes_load(
		s->arena, s->repo, s->config.suite, &trail->notes, s->e) < 0 ||
	    find_end(s, trail->notes, &from, &stop) < 0 ||
	    chain_walk(s->arena, s->repo, trail->notes, from, LINKS,
		&trail->links, &trail->nlinks, &trail->cut, s->e) < 0)
		return -1;
	narrow(s, trail, stop, since, until);
	return 0;
}

int
session_records(struct session *s, struct notes *notes, const char *commit,
    struct record **records, size_t *nrecords, struct skipped *skipped)
{
	struct error ignored = {.arena = s->arena};
	struct commit here;

	repo_commit(s->repo, commit, &here, &ignored);
	return notes_records(
	    notes, commit, here.tree, records, nrecords, skipped, s->e);
}

const struct record *
trail_record(const struct chain_link *link)
{
	return records_newest(link->records, link->nrecords);
}

size_t
trail_runs(struct arena *arena, const struct chain_link *links, size_t nlinks,
    struct trail_run **runs)
{
	size_t n = 0, i, k;

	for (i = 0; i < nlinks; i++)
		n += links[i].nrecords;
	*runs = arena_array(arena, n + 1, sizeof(**runs));
	for (i = n = 0; i < nlinks; i++)
		for (k = 0; k < links[i].nrecords; k++)
			if (!links[i].records[k].dirty)
				(*runs)[n++] =
				    (struct trail_run){&links[i].records[k], i};
	return n;
}

struct history_rank
trail_rank(struct arena *arena, const struct record *record, size_t index)
{
	struct history_rank rank = {RANK_GIVEN, 0};
	const int32_t *ranks;
	size_t n, i;

	ranks = record_ranks_of(arena, record, index, &n);
	for (i = 0; i < n; i++) {
		if (ranks[i] < 0)
			rank.state = RANK_ERRORED;
		else if (ranks[i] &&
		    (!rank.rank || (unsigned)ranks[i] < rank.rank))
			rank.rank = (unsigned)ranks[i];
	}
	return rank;
}
