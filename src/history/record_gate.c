/* Reading a record: the rules that were in force, and what they are held to. */
#include <string.h>

#include "internal.h"

static void
get_thresholds(struct head *gate, struct record *r)
{
	const struct value *list =
	    head_get(gate, "thresholds", VALUE_LIST, true);
	struct record_threshold *t;
	size_t i;

	if (!list)
		return;
	t = arena_array(gate->arena, list->nitems, sizeof(*t));
	for (i = 0; i < list->nitems; i++) {
		struct head h = {gate->arena, list->u.items[i], false};

		t[i].metric = head_text(&h, "metric", true);
		t[i].slice = head_text(&h, "slice", false);
		t[i].alpha = head_number(&h, "alpha", false, 0);
		t[i].min = head_number(&h, "min", false, -1);
		t[i].max_drop = head_number(&h, "max_drop", false, -1);
		t[i].relative = head_flag(&h, "relative");
		t[i].warn = head_flag(&h, "warn");
		gate->bad = gate->bad || h.bad;
	}
	r->thresholds = t;
	r->nthresholds = list->nitems;
}

static void
get_tracked(struct head *gate, struct record *r)
{
	const struct value *list = head_get(gate, "tracked", VALUE_LIST, true);
	struct record_tracked *t;
	size_t i;

	if (!list)
		return;
	t = arena_array(gate->arena, list->nitems, sizeof(*t));
	for (i = 0; i < list->nitems; i++) {
		struct head h = {gate->arena, list->u.items[i], false};

		t[i].question = head_text(&h, "question", true);
		t[i].document = head_text(&h, "document", false);
		t[i].max_loss =
		    head_integer(&h, "max_loss", false, 0, INT32_MAX);
		t[i].max_rank =
		    head_integer(&h, "max_rank", false, 0, INT32_MAX);
		gate->bad = gate->bad || h.bad;
	}
	r->tracked = t;
	r->ntracked = list->nitems;
}

static void
get_waivers(struct head *gate, struct record *r)
{
	const struct value *list = head_get(gate, "waivers", VALUE_LIST, false);
	struct record_waiver *w;
	size_t i;

	if (!list)
		return;
	w = arena_array(gate->arena, list->nitems, sizeof(*w));
	for (i = 0; i < list->nitems; i++) {
		struct head h = {gate->arena, list->u.items[i], false};

		w[i].question = head_text(&h, "question", false);
		w[i].metric = head_text(&h, "metric", false);
		w[i].slice = head_text(&h, "slice", false);
		w[i].limit = head_number(&h, "limit", false, -1);
		w[i].until = head_text(&h, "until", true);
		gate->bad =
		    gate->bad || h.bad || !w[i].question == !w[i].metric;
	}
	r->waivers = w;
	r->nwaivers = list->nitems;
}

static void
get_limits(struct head *gate, struct record *r)
{
	struct head worse = {gate->arena, NULL, false}, creep = worse;

	worse.v = head_get(gate, "worse_questions", VALUE_MAP, false);
	creep.v = head_get(gate, "creep", VALUE_MAP, false);
	r->limits = (struct record_limits){-1, -1, false, 0, false};
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
	get_thresholds(&gate, r);
	get_tracked(&gate, r);
	get_waivers(&gate, r);
	get_limits(&gate, r);
	h->bad = h->bad || gate.bad;
}
