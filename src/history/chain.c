/*
 * The walk along first parents.  It is our own: libgit2 ends its walks one
 * commit before a shallow boundary.  Where a commit is not here, its record
 * names its parents, so a clone of depth 1 still has a history.
 */
#include <string.h>

#include "internal.h"

void
chain_start(struct chain *chain, struct arena *arena, struct repo *repo,
    struct notes *notes, const char *start)
{
	*chain = (struct chain){
	    .arena = arena,
	    .repo = repo,
	    .notes = notes,
	    .next = start,
	};
	map_init(&chain->absent, arena);
}

static void
cut_off(struct chain *chain, const char *id)
{
	chain->next = NULL;
	if (repo_shallow(chain->repo))
		chain->cut = arena_printf(chain->arena,
		    "the clone is shallow: commit %.10s is not here; 'git "
		    "fetch --deepen=100' brings more, '--unshallow' all",
		    id);
	else
		chain->cut = arena_printf(chain->arena,
		    "commit %.10s is missing from the repository; 'git fsck' "
		    "says more, and 'git fetch --refetch' may bring it",
		    id);
}

/* Fills in from its record a commit that is not here; false without one. */
static bool
from_record(struct chain_link *link, const struct record *record)
{
	if (!record)
		return false;
	link->commit.id = record->commit;
	link->commit.tree = record->tree;
	link->commit.parents = record->parents;
	link->commit.nparents = record->nparents;
	return true;
}

/* Records are anybody's to write: they could name each other in a circle. */
static bool
first_time(struct chain *chain, const char *id)
{
	size_t index = 0;

	return map_add(&chain->absent, id, HEX, &index);
}

static int
chain_read(struct chain *chain, const char *id, struct chain_link *link,
    enum commit_state *state, struct error *e)
{
	struct skipped *all = &chain->skipped, *s = &link->skipped;

	*state = repo_commit(chain->repo, id, &link->commit, e);
	if (*state == COMMIT_BROKEN ||
	    notes_records(chain->notes, id, link->commit.tree, &link->records,
		&link->nrecords, s, e) < 0)
		return -1;
	all->nforeign += s->nforeign;
	all->nlater += s->nlater;
	all->ncarried += s->ncarried;
	link->known = *state != COMMIT_MISSING;
	if (chain->twins && !chain->twins->start)
		chain->twins->start = id;
	if (chain->twins && link->known && !link->nrecords)
		return twins_find(chain->twins, link, e);
	return 0;
}

int
chain_next(struct chain *chain, struct chain_link *link, struct error *e)
{
	enum commit_state state;
	const struct record *own;
	bool gap = false;

	while (chain->next) {
		const char *id = chain->next;

		*link = (struct chain_link){.after_gap = gap};
		if (chain_read(chain, id, link, &state, e) < 0)
			return -1;
		own = link->nrecords && !link->twin ? link->records : NULL;
		if (link->known ||
		    (first_time(chain, id) && from_record(link, own))) {
			chain->nabsent += !link->known;
			chain->next = link->commit.nparents
			    ? link->commit.parents[0]
			    : NULL;
			if (own)
				chain->prev = own->prev;
			return 1;
		}
		/* Neither here nor recorded: on to what the last one named. */
		if (!chain->prev || !notes_has(chain->notes, chain->prev)) {
			cut_off(chain, id);
			return 0;
		}
		gap = true;
		chain->next = chain->prev;
		chain->prev = NULL;
	}
	return 0;
}

/* A record that serves several commits is seen at the oldest of them. */
static void
serve_once(struct arena *arena, struct chain_link *links, size_t n)
{
	size_t index = 0;
	struct map seen;

	map_init(&seen, arena);
	while (n-- > 0) {
		if (!links[n].twin ||
		    map_add(&seen, links[n].twin, HEX, &index))
			continue;
		links[n].twin = links[n].twin_by = NULL;
		links[n].records = NULL;
		links[n].nrecords = 0;
	}
}

int
chain_walk(struct arena *arena, struct repo *repo, struct notes *notes,
    const char *start, size_t max, struct chain_link **links, size_t *nlinks,
    const char **cut, struct error *e)
{
	struct twins twins;
	struct chain chain;
	size_t cap = 0;
	int rc = 1;

	*links = NULL;
	*nlinks = 0;
	chain_start(&chain, arena, repo, notes, start);
	twins_init(&twins, arena, repo, notes, NULL, NULL);
	chain.twins = &twins;
	while (*nlinks < max && rc > 0) {
		*links =
		    arena_regrow(arena, *links, *nlinks, &cap, sizeof(**links));
		rc = chain_next(&chain, &(*links)[*nlinks], e);
		*nlinks += rc > 0;
	}
	*cut = chain.cut;
	if (rc < 0)
		return -1;
	serve_once(arena, *links, *nlinks);
	return 0;
}

const struct record *
chain_nearest(struct arena *arena, struct repo *repo, struct notes *notes,
    const char *start, size_t max)
{
	struct error ignored = {.arena = arena};
	const struct record *record = NULL;
	struct chain_link link;
	struct twins twins;
	struct chain chain;

	chain_start(&chain, arena, repo, notes, start);
	twins_init(&twins, arena, repo, notes, NULL, NULL);
	chain.twins = &twins;
	while (!record && max-- > 0 && chain_next(&chain, &link, &ignored) > 0)
		record = records_newest(link.records, link.nrecords);
	return record;
}
