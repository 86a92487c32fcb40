/*
 * Reading a record: the head is JSON, the ranks are read by hand.  Anybody
 * can write notes, so whatever is no record of ours is foreign, not an error.
 */
#include <string.h>

#include "internal.h"

const char *const record_verdict_names[] = {"pass", "fail", "none"};

const struct value *
head_get(struct head *h, const char *key, enum value_type type, bool required)
{
	const struct value *v = value_get(h->v, key);

	if (v ? v->type != type : required)
		h->bad = true;
	return h->bad ? NULL : v;
}

const char *
head_text(struct head *h, const char *key, bool required)
{
	const struct value *v = head_get(h, key, VALUE_STRING, required);

	return v ? arena_strdup(h->arena, v->text) : NULL;
}

static bool
is_id(const struct value *v)
{
	return v->type == VALUE_STRING && strlen(v->text) == HEX &&
	    is_hex(v->text);
}

const char *
head_id(struct head *h, const char *key, bool required)
{
	const struct value *v = head_get(h, key, VALUE_STRING, required);

	if (v && !is_id(v))
		h->bad = true;
	return v && !h->bad ? arena_strdup(h->arena, v->text) : NULL;
}

int64_t
head_integer(
    struct head *h, const char *key, bool required, int64_t min, int64_t max)
{
	const struct value *v = head_get(h, key, VALUE_NUMBER, required);
	int64_t n = 0;

	if (v &&
	    (integer_parse(v->text, strlen(v->text), &n) < 0 || n < min ||
		n > max))
		h->bad = true;
	return n;
}

double
head_number(struct head *h, const char *key, bool required, double absent)
{
	const struct value *v = head_get(h, key, VALUE_NUMBER, required);
	double number = absent;

	if (v && number_parse(v->text, strlen(v->text), &number) < 0)
		h->bad = true;
	return number;
}

bool
head_flag(struct head *h, const char *key)
{
	const struct value *v = head_get(h, key, VALUE_BOOL, false);

	return v && strcmp(v->text, "true") == 0;
}

/* YYYY-MM-DDThh:mm:ssZ, so that times compare as texts do. */
static const char *
get_time(struct head *h, const char *key)
{
	static const char form[] = "0000-00-00T00:00:00Z";
	const char *at = head_text(h, key, true);
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
	const struct value *v = head_get(h, "verdict", VALUE_STRING, true);
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
	const struct value *list = head_get(h, "parents", VALUE_LIST, true);
	size_t i;

	for (i = 0; list && i < list->nitems; i++)
		if (!is_id(list->u.items[i]))
			h->bad = true;
	if (!h->bad)
		r->parents = get_texts(h, list, &r->nparents);
}

unsigned
head_depth(struct head *h)
{
	const struct value *v = value_get(h->v, "depth");

	if (!v)
		h->bad = true;
	if (!v || v->type == VALUE_NULL)
		return DEPTH_UNBOUNDED;
	return (unsigned)head_integer(h, "depth", true, 0, INT32_MAX);
}

static void
get_metrics(struct head *h, struct record *r)
{
	const struct value *map = head_get(h, "metrics", VALUE_MAP, true);
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
		    .value = head_number(&each, member->key, true, 0),
		};
	}
	h->bad = h->bad || each.bad;
	r->metrics = metrics;
}

static void
get_labels(struct head *h, struct record *r)
{
	const struct value *map = head_get(h, "labels", VALUE_MAP, false);
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
	const struct value *map = head_get(h, "top", VALUE_MAP, false);
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

/* ---------------------------------------------------------------- line -- */

static void
get_head(struct head *h, struct record *r)
{
	head_integer(h, "evalgate", true, 1, 1);
	r->suite = head_text(h, "suite", true);
	if (r->suite && !suite_name_valid(r->suite))
		h->bad = true;
	r->at = get_time(h, "at");
	r->tool = head_text(h, "tool", true);
	r->rules = head_integer(h, "rules", true, 1, INT32_MAX);
	r->run = head_text(h, "run", false);
	r->attempt = head_integer(h, "attempt", false, 0, INT64_MAX);
	r->commit = head_id(h, "commit", true);
	r->tree = head_id(h, "tree", true);
	get_parents(h, r);
	r->prev = head_id(h, "prev", false);
	r->branch = head_text(h, "branch", false);
	r->head = head_id(h, "head", false);
	r->base = head_id(h, "base", false);
	r->dirty = head_flag(h, "dirty");
	r->verdict = get_verdict(h);
	r->start = head_text(h, "start", false);
	r->subset = head_text(h, "subset", false);
	r->repeats = head_integer(h, "repeats", false, 0, INT32_MAX);
	record_held(h, r);
	record_gate(h, r);
	r->inputs = head_id(h, "inputs", false);
	r->depth = head_depth(h);
	get_metrics(h, r);
	get_labels(h, r);
	get_top(h, r);
	r->n = (size_t)head_integer(h, "n", true, 1, MAX_QUESTIONS);
	r->qset = head_id(h, "qset", true);
}

static const char ranks_word[] = ",\"ranks\":[";

/*
 * What follows `,"ranks":[`, which stands after the question set's id; NULL
 * when it does not.  A question of that name, in "top", is not taken for it.
 */
static char *
find_ranks(char *line)
{
	static const char before[] = "\"qset\":\"";
	const size_t back = sizeof(before) - 1 + HEX + 1;
	char *p;

	for (p = line; (p = strstr(p, ranks_word)); p++)
		if ((size_t)(p - line) > back && p[-1] == '"' &&
		    memcmp(p - back, before, sizeof(before) - 1) == 0)
			return p + sizeof(ranks_word) - 1;
	return NULL;
}

/*
 * What stands before the ranks, made an object of its own; its value lives as
 * long as scratch.
 */
static const struct value *
read_head(struct arena *scratch, char *line, const char *ranks)
{
	size_t len = (size_t)(ranks - line) - (sizeof(ranks_word) - 1);
	struct error ignored = {.arena = scratch};
	struct source source = {
	    .name = "note", .line = 1, .data = line, .len = len + 1};

	line[len] = '}';
	line[len + 1] = '\0';
	return json_read(scratch, &source, &ignored);
}

static bool
read_line(struct arena *arena, struct arena *scratch, char *line,
    struct record *record)
{
	struct head h = {.arena = arena};
	char *ranks = find_ranks(line);

	if (!ranks)
		return false;
	h.v = read_head(scratch, line, ranks);
	if (!h.v || h.v->type != VALUE_MAP)
		return false;
	get_head(&h, record);
	return !h.bad && ranks_pack(arena, ranks, record);
}

/* Whether a line begins as a later version's records do. */
static bool
is_later(const char *line, size_t len)
{
	static const char word[] = "{\"evalgate\":";
	const char *digits = line + sizeof(word) - 1;
	int64_t version;
	size_t n = 0;

	if (len < sizeof(word) || memcmp(line, word, sizeof(word) - 1) != 0)
		return false;
	while (
	    sizeof(word) - 1 + n < len && digits[n] >= '0' && digits[n] <= '9')
		n++;
	return integer_parse(digits, n, &version) == 0 && version > 1;
}

enum record_state
record_head(
    struct arena *arena, const char *line, size_t len, struct record *record)
{
	struct arena *scratch;
	bool read;

	*record = (struct record){0};
	if (len > MAX_LINE || len < 2 || line[0] != '{' ||
	    memchr(line, '\0', len))
		return RECORD_FOREIGN;
	scratch = arena_new();
	read = read_line(
	    arena, scratch, arena_strndup(scratch, line, len), record);
	arena_free(scratch);
	if (!read) {
		*record = (struct record){0};
		return is_later(line, len) ? RECORD_LATER : RECORD_FOREIGN;
	}
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
