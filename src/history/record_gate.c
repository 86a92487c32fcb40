/* Reading a record: the rules that were in force, and what they are held to. */
#include <string.h>

#include "internal.h"

/*
 * A list of objects, each read into an item of its own; NULL where it is not
 * there, or one of them is not as it should be.
 */
static void *
get_list(struct head *gate, const char *key, bool required, size_t size,
    void (*read)(struct head *h, void *item), size_t *n)
{
	const struct value *list = head_get(gate, key, VALUE_LIST, required);
	char *items;
	size_t i;

	*n = 0;
	if (!list)
		return NULL;
	items = arena_array(gate->arena, list->nitems, size);
	for (i = 0; i < list->nitems; i++) {
		struct head h = {gate->arena, list->u.items[i], false};

		read(&h, items + i * size);
		gate->bad = gate->bad || h.bad;
	}
	*n = list->nitems;
	return items;
}

static void
read_threshold(struct head *h, void *item)
{
	struct record_threshold *t = item;

	t->metric = head_text(h, "metric", true);
	t->slice = head_text(h, "slice", false);
	t->alpha = head_number(h, "alpha", false, 0);
	t->min = head_number(h, "min", false, -1);
	t->max_drop = head_number(h, "max_drop", false, -1);
	t->relative = head_flag(h, "relative");
	t->warn = head_flag(h, "warn");
	t->n = head_integer(h, "n", false, 0, INT32_MAX);
}

static void
read_tracked(struct head *h, void *item)
{
	struct record_tracked *t = item;

	t->question = head_text(h, "question", true);
	t->document = head_text(h, "document", false);
	t->max_loss = head_integer(h, "max_loss", false, 0, INT32_MAX);
	t->max_rank = head_integer(h, "max_rank", false, 0, INT32_MAX);
}

static void
read_waiver(struct head *h, void *item)
{
	struct record_waiver *w = item;

	w->question = head_text(h, "question", false);
	w->metric = head_text(h, "metric", false);
	w->slice = head_text(h, "slice", false);
	w->limit = head_number(h, "limit", false, -1);
	w->until = head_text(h, "until", true);
	h->bad = h->bad || !w->question == !w->metric;
}

static void
get_limits(struct head *gate, struct record *r)
{
	struct head worse = {gate->arena, NULL, false}, creep = worse;

	worse.v = head_get(gate, "worse_questions", VALUE_MAP, false);
	creep.v = head_get(gate, "creep", VALUE_MAP, false);
	r->limits = (struct record_limits){
	    .change_fails = head_flag(gate, "change_fails"),
	    .accept_any = head_flag(gate, "accept_any"),
	    .required = head_flag(gate, "required"),
	    .max_distance =
		head_integer(gate, "max_distance", false, 1, INT32_MAX),
	    .relevance = head_integer(gate, "relevance", false, 1, INT32_MAX),
	    .match_page = head_flag(gate, "match_page"),
	    .page_tolerance =
		head_integer(gate, "page_tolerance", false, 0, INT32_MAX)};
	if (worse.v) {
		r->limits.worse_max =
		    head_integer(&worse, "max", true, 0, INT32_MAX);
		r->limits.worse_by =
		    head_integer(&worse, "by", true, 1, INT32_MAX);
		r->limits.worse_warn = head_flag(&worse, "warn");
	}
	if (creep.v) {
		r->limits.creep_window =
		    head_integer(&creep, "window", true, 1, INT32_MAX);
		r->limits.creep_warn = head_flag(&creep, "warn");
	}
	gate->bad = gate->bad || worse.bad || creep.bad;
}

void
record_held(struct head *head, struct record *r)
{
	const struct value *map = head_get(head, "held", VALUE_MAP, false);
	struct record_held *held;
	size_t i;

	if (!map)
		return;
	held = arena_array(head->arena, map->nitems, sizeof(*held));
	for (i = 0; i < map->nitems; i++) {
		struct head h = {head->arena, map->u.members[i].value, false};

		held[i].subject =
		    arena_strdup(head->arena, map->u.members[i].key);
		held[i].commit = head_id(&h, "commit", true);
		held[i].value = head_number(&h, "value", true, 0);
		held[i].depth = head_depth(&h);
		held[i].fell = head_flag(&h, "fell");
		head->bad = head->bad || h.bad;
	}
	r->held = held;
	r->nheld = map->nitems;
}

void
record_gate(struct head *h, struct record *r)
{
	struct head gate = {
	    h->arena, head_get(h, "gate", VALUE_MAP, false), false};

	if (!gate.v)
		return;
	r->thresholds = get_list(&gate, "thresholds", true,
	    sizeof(*r->thresholds), read_threshold, &r->nthresholds);
	r->tracked = get_list(&gate, "tracked", true, sizeof(*r->tracked),
	    read_tracked, &r->ntracked);
	r->waivers = get_list(&gate, "waivers", false, sizeof(*r->waivers),
	    read_waiver, &r->nwaivers);
	get_limits(&gate, r);
	h->bad = h->bad || gate.bad;
}
