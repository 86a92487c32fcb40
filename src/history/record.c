/*
 * Reading a record: the head is JSON, the ranks are read by hand.  Anybody
 * can write notes, so whatever is no record of ours is foreign, not an error.
 */
#include <string.h>

#include "internal.h"

const char *const record_verdict_names[] = {"pass", "fail", "none"};

/* The head's members, read one by one until one is not as it should be. */
struct head {
	struct arena *arena; /* the record's, which outlives the head */
	const struct value *v;
	bool bad;
};

static const struct value *
get(struct head *h, const char *key, enum value_type type, bool required)
{
	const struct value *v = value_get(h->v, key);

	if (v ? v->type != type : required)
		h->bad = true;
	return h->bad ? NULL : v;
}

static const char *
get_text(struct head *h, const char *key, bool required)
{
	const struct value *v = get(h, key, VALUE_STRING, required);

	return v ? arena_strdup(h->arena, v->text) : NULL;
}

static bool
is_id(const struct value *v)
{
	return v->type == VALUE_STRING && strlen(v->text) == HEX &&
	    is_hex(v->text);
}

static const char *
get_id(struct head *h, const char *key, bool required)
{
	const struct value *v = get(h, key, VALUE_STRING, required);

	if (v && !is_id(v))
		h->bad = true;
	return v && !h->bad ? arena_strdup(h->arena, v->text) : NULL;
}

static int64_t
get_integer(
    struct head *h, const char *key, bool required, int64_t min, int64_t max)
{
	const struct value *v = get(h, key, VALUE_NUMBER, required);
	int64_t n = 0;

	if (v &&
	    (integer_parse(v->text, strlen(v->text), &n) < 0 || n < min ||
		n > max))
		h->bad = true;
	return n;
}

static double
get_number(struct head *h, const char *key, bool required, double absent)
{
	const struct value *v = get(h, key, VALUE_NUMBER, required);
	double number = absent;

	if (v && number_parse(v->text, strlen(v->text), &number) < 0)
		h->bad = true;
	return number;
}

static bool
get_flag(struct head *h, const char *key)
{
	const struct value *v = get(h, key, VALUE_BOOL, false);

	return v && strcmp(v->text, "true") == 0;
}

/* YYYY-MM-DDThh:mm:ssZ, so that times compare as texts do. */
static const char *
get_time(struct head *h, const char *key)
{
	static const char form[] = "0000-00-00T00:00:00Z";
	const char *at = get_text(h, key, true);
	size_t i;

	if (!at)
		return NULL;
	if (strlen(at) != sizeof(form) - 1)
		h->bad = true;
	for (i = 0; !h->bad && form[i]; i++)
		if (form[i] == '0' ? at[i] < '0' || at[i] > '9'
				   : at[i] != form[i])
			h->bad = true;
	return at;
}

static enum record_verdict
get_verdict(struct head *h)
{
	const struct value *v = get(h, "verdict", VALUE_STRING, true);
	int i;

	for (i = 0; v && i < (int)COUNT(record_verdict_names); i++)
		if (strcmp(v->text, record_verdict_names[i]) == 0)
			return (enum record_verdict)i;
	h->bad = true;
	return RECORD_NONE;
}

static const char *const *
get_texts(struct head *h, const struct value *list, size_t *n)
{
	const char **texts;
	size_t i;

	*n = 0;
	if (!list || list->type != VALUE_LIST) {
		h->bad = true;
		return NULL;
	}
	texts = arena_array(h->arena, list->nitems, sizeof(*texts));
	for (i = 0; i < list->nitems; i++) {
		if (list->u.items[i]->type != VALUE_STRING) {
			h->bad = true;
			return NULL;
		}
		texts[i] = arena_strdup(h->arena, list->u.items[i]->text);
	}
	*n = list->nitems;
	return texts;
}

static void
get_parents(struct head *h, struct record *r)
{
	const struct value *list = get(h, "parents", VALUE_LIST, true);
	size_t i;

	for (i = 0; list && i < list->nitems; i++)
		if (!is_id(list->u.items[i]))
			h->bad = true;
	if (!h->bad)
		r->parents = get_texts(h, list, &r->nparents);
}

static void
get_depth(struct head *h, struct record *r)
{
	const struct value *v = value_get(h->v, "depth");

	r->depth = DEPTH_UNBOUNDED;
	if (!v)
		h->bad = true;
	else if (v->type != VALUE_NULL)
		r->depth =
		    (unsigned)get_integer(h, "depth", true, 0, INT32_MAX);
}

static void
get_metrics(struct head *h, struct record *r)
{
	const struct value *map = get(h, "metrics", VALUE_MAP, true);
	struct head each = {h->arena, map, false};
	const struct member *member;
	struct record_metric *metrics;
	size_t i;

	if (!map)
		return;
	metrics = arena_array(h->arena, map->nitems, sizeof(*metrics));
	for (i = 0; i < map->nitems; i++) {
		member = &map->u.members[i];
		if (member->value->type == VALUE_NULL)
			continue;
		metrics[r->nmetrics++] = (struct record_metric){
		    .name = arena_strdup(h->arena, member->key),
		    .value = get_number(&each, member->key, true, 0),
		};
	}
	h->bad = h->bad || each.bad;
	r->metrics = metrics;
}

static void
get_labels(struct head *h, struct record *r)
{
	const struct value *map = get(h, "labels", VALUE_MAP, false);
	struct field *labels;
	size_t i;

	if (!map)
		return;
	labels = arena_array(h->arena, map->nitems, sizeof(*labels));
	for (i = 0; i < map->nitems; i++) {
		if (map->u.members[i].value->type != VALUE_STRING) {
			h->bad = true;
			return;
		}
		labels[i].name = arena_strdup(h->arena, map->u.members[i].key);
		labels[i].value =
		    arena_strdup(h->arena, map->u.members[i].value->text);
	}
	r->labels = labels;
	r->nlabels = map->nitems;
}

static void
get_top(struct head *h, struct record *r)
{
	const struct value *map = get(h, "top", VALUE_MAP, false);
	struct record_top *top;
	size_t i;

	if (!map)
		return;
	top = arena_array(h->arena, map->nitems, sizeof(*top));
	for (i = 0; i < map->nitems; i++) {
		top[i].question = arena_strdup(h->arena, map->u.members[i].key);
		top[i].documents =
		    get_texts(h, map->u.members[i].value, &top[i].ndocuments);
	}
	r->top = top;
	r->ntop = map->nitems;
}

/* ---------------------------------------------------------------- gate -- */

static void
get_thresholds(struct head *gate, struct record *r)
{
	const struct value *list = get(gate, "thresholds", VALUE_LIST, true);
	struct record_threshold *t;
	size_t i;

	if (!list)
		return;
	t = arena_array(gate->arena, list->nitems, sizeof(*t));
	for (i = 0; i < list->nitems; i++) {
		struct head h = {gate->arena, list->u.items[i], false};

		t[i].metric = get_text(&h, "metric", true);
		t[i].min = get_number(&h, "min", false, -1);
		t[i].max_drop = get_number(&h, "max_drop", false, -1);
		t[i].relative = get_flag(&h, "relative");
		t[i].warn = get_flag(&h, "warn");
		gate->bad = gate->bad || h.bad;
	}
	r->thresholds = t;
	r->nthresholds = list->nitems;
}

static void
get_tracked(struct head *gate, struct record *r)
{
	const struct value *list = get(gate, "tracked", VALUE_LIST, true);
	struct record_tracked *t;
	size_t i;

	if (!list)
		return;
	t = arena_array(gate->arena, list->nitems, sizeof(*t));
	for (i = 0; i < list->nitems; i++) {
		struct head h = {gate->arena, list->u.items[i], false};

		t[i].question = get_text(&h, "question", true);
		t[i].document = get_text(&h, "document", false);
		t[i].max_loss =
		    get_integer(&h, "max_loss", false, 0, INT32_MAX);
		t[i].max_rank =
		    get_integer(&h, "max_rank", false, 0, INT32_MAX);
		gate->bad = gate->bad || h.bad;
	}
	r->tracked = t;
	r->ntracked = list->nitems;
}

static void
get_gate(struct head *h, struct record *r)
{
	struct head gate = {h->arena, get(h, "gate", VALUE_MAP, false), false};

	if (!gate.v)
		return;
	get_thresholds(&gate, r);
	get_tracked(&gate, r);
	h->bad = h->bad || gate.bad;
}

/* ---------------------------------------------------------------- line -- */

static void
get_head(struct head *h, struct record *r)
{
	get_integer(h, "evalgate", true, 1, 1);
	r->suite = get_text(h, "suite", true);
	if (r->suite && !suite_name_valid(r->suite))
		h->bad = true;
	r->at = get_time(h, "at");
	r->tool = get_text(h, "tool", true);
	r->rules = get_integer(h, "rules", true, 1, INT32_MAX);
	r->run = get_text(h, "run", false);
	r->attempt = get_integer(h, "attempt", false, 0, INT64_MAX);
	r->commit = get_id(h, "commit", true);
	r->tree = get_id(h, "tree", true);
	get_parents(h, r);
	r->prev = get_id(h, "prev", false);
	r->branch = get_text(h, "branch", false);
	r->head = get_id(h, "head", false);
	r->base = get_id(h, "base", false);
	r->dirty = get_flag(h, "dirty");
	r->verdict = get_verdict(h);
	r->start = get_text(h, "start", false);
	r->subset = get_text(h, "subset", false);
	r->repeats = get_integer(h, "repeats", false, 0, INT32_MAX);
	get_gate(h, r);
	r->inputs = get_id(h, "inputs", false);
	get_depth(h, r);
	get_metrics(h, r);
	get_labels(h, r);
	get_top(h, r);
	r->n = (size_t)get_integer(h, "n", true, 1, MAX_QUESTIONS);
	r->qset = get_id(h, "qset", true);
}

static const char ranks_word[] = ",\"ranks\":[";

/*
 * What follows `,"ranks":[`, which stands after the question set's id; NULL
 * when it does not.  A question of that name, in "top", is not taken for it.
 */
const char *
ranks_find(const char *line)
{
	static const char before[] = "\"qset\":\"";
	const size_t back = sizeof(before) - 1 + HEX + 1;
	const char *p;

	for (p = line; (p = strstr(p, ranks_word)); p++)
		if ((size_t)(p - line) > back && p[-1] == '"' &&
		    memcmp(p - back, before, sizeof(before) - 1) == 0)
			return p + sizeof(ranks_word) - 1;
	return NULL;
}

/* The head's value lives as long as scratch. */
static const struct value *
read_head(struct arena *scratch, const char *line, size_t len)
{
	char *head = arena_array(scratch, len + 2, 1);
	struct error ignored = {.arena = scratch};
	struct source source = {
	    .name = "note", .line = 1, .data = head, .len = len + 1};

	memcpy(head, line, len);
	head[len] = '}';
	return json_read(scratch, &source, &ignored);
}

enum record_state
record_head(
    struct arena *arena, const char *line, size_t len, struct record *record)
{
	struct head h = {.arena = arena};
	struct arena *scratch;
	const char *copy, *ranks;
	size_t nhead;

	*record = (struct record){0};
	if (len > MAX_LINE || len < 2 || line[0] != '{' ||
	    memchr(line, '\0', len))
		return RECORD_FOREIGN;
	copy = arena_strndup(arena, line, len);
	ranks = ranks_find(copy);
	if (!ranks)
		return RECORD_FOREIGN;
	nhead = (size_t)(ranks - copy) - (sizeof(ranks_word) - 1);
	scratch = arena_new();
	h.v = read_head(scratch, copy, nhead);
	h.bad = !h.v || h.v->type != VALUE_MAP;
	if (!h.bad)
		get_head(&h, record);
	arena_free(scratch);
	if (h.bad || !ranks_check(ranks, record->n)) {
		*record = (struct record){0};
		return RECORD_FOREIGN;
	}
	record->line = copy;
	return RECORD_READ;
}

enum record_state
record_parse(
    struct arena *arena, const char *line, size_t len, struct record *record)
{
	enum record_state state = record_head(arena, line, len, record);

	if (state == RECORD_READ)
		record_ranks(arena, record);
	return state;
}
