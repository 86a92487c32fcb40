/*
 * JSON in: cJSON reads, after json_scan.c has refused what cJSON lets pass.
 * The tree is walked in the order of the scan's notes.
 */
#include <string.h>

#include <cjson/cJSON.h>

#include "internal.h"

/* cJSON 1.7 copies a number into 64 bytes and drops what doesn't fit. */
#define CJSON_NUMBER_MAX 63

struct walk {
	struct arena *arena;
	const struct source *text;
	const struct json_note *notes;
	size_t next; /* the note of the next value or key */
	struct keys keys;
};

static struct value *convert(struct walk *w, const cJSON *item);

static size_t
count(const cJSON *child)
{
	size_t n = 0;

	for (; child; child = child->next)
		n++;
	return n;
}

static int
convert_list(struct walk *w, const cJSON *list, struct value *v)
{
	const struct value **items;
	const cJSON *child;
	size_t i = 0;

	v->type = VALUE_LIST;
	v->nitems = count(list->child);
	items = arena_array(w->arena, v->nitems, sizeof(*items));
	v->u.items = items;
	for (child = list->child; child; child = child->next) {
		items[i] = convert(w, child);
		if (!items[i++])
			return -1;
	}
	return 0;
}

static int
convert_map(struct walk *w, const cJSON *object, struct value *v)
{
	const char *within = w->keys.within;
	struct member *members, *m;
	const cJSON *child;

	v->type = VALUE_MAP;
	v->nitems = count(object->child);
	m = members = arena_array(w->arena, v->nitems, sizeof(*members));
	v->u.members = members;
	for (child = object->child; child; child = child->next, m++) {
		m->key = arena_strdup(w->arena, child->string);
		m->line = w->notes[w->next++].line;
		w->keys.within = m->key;
		m->value = convert(w, child);
		if (!m->value)
			return -1;
	}
	w->keys.within = within;
	return keys_check(&w->keys, members, v->nitems);
}

static struct value *
convert(struct walk *w, const cJSON *item)
{
	const struct json_note *note = &w->notes[w->next++];
	struct value *v = arena_alloc(w->arena, sizeof(*v));
	int rc = 0;

	v->line = note->line;
	v->text = "";
	if (cJSON_IsArray(item)) {
		rc = convert_list(w, item, v);
	} else if (cJSON_IsObject(item)) {
		rc = convert_map(w, item, v);
	} else if (cJSON_IsString(item)) {
		v->type = VALUE_STRING;
		v->text = arena_strdup(w->arena, item->valuestring);
	} else if (cJSON_IsNumber(item)) {
		v->type = VALUE_NUMBER;
		v->text = arena_strndup(
		    w->arena, w->text->data + note->offset, note->len);
	} else if (cJSON_IsBool(item)) {
		v->type = VALUE_BOOL;
		v->text = cJSON_IsTrue(item) ? "true" : "false";
	}
	return rc < 0 ? NULL : v;
}

/*
 * The text as cJSON can read it: where a number is too long for it, a copy
 * that has 0 and blanks there; our own digits come from the notes.
 */
static const char *
shorten(const struct source *text, const struct json_note *notes, size_t nnotes,
    struct buf *copy)
{
	size_t i;

	for (i = 0; i < nnotes; i++) {
		if (notes[i].len <= CJSON_NUMBER_MAX)
			continue;
		if (!copy->len)
			buf_add(copy, text->data, text->len);
		memset(copy->data + notes[i].offset, ' ', notes[i].len);
		copy->data[notes[i].offset] = '0';
	}
	return copy->len ? copy->data : text->data;
}

const struct value *
json_read(struct arena *arena, const struct source *source, struct error *e)
{
	struct source text;
	struct buf notes, copy;
	struct walk w = {.arena = arena, .text = &text};
	struct value *v = NULL;
	cJSON *tree = NULL;

	buf_init(&notes);
	buf_init(&copy);
	keys_init(&w.keys, &text, e);
	if (source_open(source, &text, e) < 0 ||
	    json_scan(&text, &notes, e) < 0)
		goto out;
	w.notes = (const struct json_note *)(const void *)notes.data;
	tree = cJSON_ParseWithLengthOpts(
	    shorten(&text, w.notes, notes.len / sizeof(*w.notes), &copy),
	    text.len, NULL, false);
	if (!tree) {
		/* The text is sound, so it can only be memory. */
		fail_environment(e, "%s: no memory to read it", source->name);
		goto out;
	}
	v = convert(&w, tree);
	if (w.keys.nrepeated)
		v = NULL;
out:
	cJSON_Delete(tree);
	keys_free(&w.keys);
	buf_free(&copy);
	buf_free(&notes);
	return v;
}
