/*
 * YAML in: libyaml's events become a tree.  Scalars stay text as written;
 * aliases share the node that their anchor names, within bounds.
 */
#include <string.h>

#include <yaml.h>

#include "internal.h"

/* A node as the reader of its parent needs it. */
struct node {
	const struct value *value;
	int height; /* of lists and maps inside each other */
};

struct reader {
	struct arena *arena;
	const struct source *text;
	struct error *e;
	yaml_parser_t parser;
	struct keys keys;
	struct anchors anchors;
	struct buf pending; /* struct member of all lists and maps begun */
	size_t nnodes; /* aliases followed */
	/* How far lines have been counted. */
	size_t index; /* in characters */
	size_t offset;
	size_t line;
};

static int read_node(
    struct reader *r, const yaml_event_t *event, int depth, struct node *node);

/*
 * libyaml also ends lines at NEL, LS and PS, which no editor counts, so
 * lines are counted here.  Marks come in the order of the text.
 */
static size_t
line_of(struct reader *r, yaml_mark_t mark)
{
	const char *data = r->text->data;

	if (mark.index < r->index) {
		r->index = r->offset = 0;
		r->line = r->text->line;
	}
	while (r->index < mark.index && r->offset < r->text->len) {
		r->line += data[r->offset++] == '\n';
		while (r->offset < r->text->len &&
		    ((unsigned char)data[r->offset] & 0xc0) == 0x80)
			r->offset++;
		r->index++;
	}
	return r->line;
}

/* ------------------------------------------------------------- libyaml -- */

static int
fail_libyaml(struct reader *r)
{
	const yaml_parser_t *p = &r->parser;
	const struct source *text = r->text;
	const char *problem = p->problem ? p->problem : "no YAML";
	const char *words;
	size_t line;

	if (p->error == YAML_MEMORY_ERROR)
		return fail_environment(
		    r->e, "%s: no memory to read it", text->name);
	if (p->error == YAML_READER_ERROR)
		return fail_at(r->e, text->name,
		    source_line(text, p->problem_offset), "%s",
		    yaml_words(r->e->arena, problem, text, SIZE_MAX));
	line = line_of(r, p->problem_mark);
	words = yaml_words(r->e->arena, problem, text, r->offset);
	if (p->context && yaml_words_at_context(problem))
		line = line_of(r, p->context_mark);
	return fail_at(r->e, text->name, line, "%s", words);
}

static int
next_event(struct reader *r, yaml_event_t *event)
{
	return yaml_parser_parse(&r->parser, event) ? 0 : fail_libyaml(r);
}

/* --------------------------------------------------------------- nodes -- */

/* Only !!str is meant by anybody here: every scalar is text. */
static int
check_tag(struct reader *r, const yaml_char_t *tag, bool scalar, size_t line)
{
	static const char core[] = "tag:yaml.org,2002:";
	const char *name = (const char *)tag;
	bool is_core;

	if (!name)
		return 0;
	is_core = strncmp(name, core, sizeof(core) - 1) == 0;
	if (is_core)
		name += sizeof(core) - 1;
	if (is_core && scalar && strcmp(name, "str") == 0)
		return 0;
	return fail_at(r->e, r->text->name, line,
	    "tag '%s%s' is not read here: remove it", is_core ? "!!" : "",
	    value_excerpt(r->e->arena, name));
}

static int
read_scalar(struct reader *r, const yaml_event_t *event, struct value *v)
{
	const char *text = (const char *)event->data.scalar.value;
	size_t len = event->data.scalar.length;

	if (check_tag(r, event->data.scalar.tag, true, v->line) < 0)
		return -1;
	/* "\0" in double quotes. */
	if (strlen(text) < len)
		return fail_at(r->e, r->text->name, v->line, "NUL in a text");
	v->type = VALUE_STRING;
	v->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
	    !event->data.scalar.tag;
	if (v->plain && (len == 0 || strcmp(text, "~") == 0))
		v->type = VALUE_NULL;
	else
		v->text = arena_strndup(r->arena, text, len);
	return 0;
}

/* The members that wait since base; the memory moves with the next one. */
static const struct member *
pending_since(const struct reader *r, size_t base, size_t *n)
{
	*n = (r->pending.len - base) / sizeof(struct member);
	return (const struct member *)(const void *)(r->pending.data + base);
}

static int
read_list(struct reader *r, int depth, struct value *v, int *height)
{
	size_t base = r->pending.len, i;
	const struct member *pending;
	const struct value **items;
	struct node node;
	yaml_event_t event;
	bool end = false;
	int rc;

	while (!end) {
		if (next_event(r, &event) < 0)
			return -1;
		end = event.type == YAML_SEQUENCE_END_EVENT;
		rc = end ? 0 : read_node(r, &event, depth, &node);
		yaml_event_delete(&event);
		if (rc < 0)
			return -1;
		if (end)
			break;
		if (node.height > *height)
			*height = node.height;
		buf_add(&r->pending, &(struct member){.value = node.value},
		    sizeof(struct member));
	}
	v->type = VALUE_LIST;
	pending = pending_since(r, base, &v->nitems);
	items = arena_array(r->arena, v->nitems, sizeof(*items));
	for (i = 0; i < v->nitems; i++)
		items[i] = pending[i].value;
	v->u.items = items;
	r->pending.len = base;
	return 0;
}

/* 1 with the key of m, 0 at the end of the map. */
static int
read_key(struct reader *r, int depth, struct member *m, bool *behind_comma)
{
	const struct value *key;
	struct node node;
	yaml_event_t event;
	int rc;

	if (next_event(r, &event) < 0)
		return -1;
	if (event.type == YAML_MAPPING_END_EVENT) {
		yaml_event_delete(&event);
		return 0;
	}
	m->line = line_of(r, event.start_mark);
	*behind_comma = r->offset && r->text->data[r->offset - 1] == ',';
	rc = read_node(r, &event, depth, &node);
	yaml_event_delete(&event);
	if (rc < 0)
		return -1;
	key = node.value;
	if (key->type == VALUE_NULL)
		return fail_at(
		    r->e, r->text->name, m->line, "a key has no text");
	if (key->type != VALUE_STRING)
		return fail_at(r->e, r->text->name, m->line,
		    "a key must be text, not %s", value_type_name(key));
	if (key->plain && strcmp(key->text, "<<") == 0)
		return fail_at(r->e, r->text->name, m->line,
		    "'<<' (merging maps) is not read here: write the keys out");
	m->key = key->text;
	return 1;
}

/*
 * {min: 0,8} reads as {min: 0, "8": nothing}.  A key of digits right behind
 * a comma and a whole number, without a value, is meant otherwise.
 */
static int
check_decimal_comma(
    struct reader *r, const struct member *before, const struct member *m)
{
	const char *whole;
	int64_t n;

	if (!before->value || m->value->type != VALUE_NULL ||
	    before->value->type != VALUE_STRING || !before->value->plain)
		return 0;
	whole = before->value->text;
	if (integer_parse(whole, strlen(whole), &n) < 0 ||
	    m->key[strspn(m->key, "0123456789")] != '\0')
		return 0;
	return fail_at(r->e, r->text->name, m->line,
	    "%s is '%s,%s': a decimal comma; write %s.%s",
	    value_excerpt(r->e->arena, before->key), whole,
	    value_excerpt(r->e->arena, m->key), whole,
	    value_excerpt(r->e->arena, m->key));
}

/* One key with its value, m was the one before: 1, 0 at the map's end. */
static int
read_member(struct reader *r, int depth, struct member *m, int *height)
{
	struct member before = *m;
	struct node node;
	yaml_event_t event;
	bool behind_comma;
	int rc = read_key(r, depth, m, &behind_comma);

	if (rc <= 0)
		return rc;
	r->keys.within = m->key;
	if (next_event(r, &event) < 0)
		return -1;
	rc = read_node(r, &event, depth, &node);
	yaml_event_delete(&event);
	if (rc < 0)
		return -1;
	m->value = node.value;
	if (node.height > *height)
		*height = node.height;
	if (behind_comma && check_decimal_comma(r, &before, m) < 0)
		return -1;
	return 1;
}

static int
read_map(struct reader *r, int depth, struct value *v, int *height)
{
	size_t base = r->pending.len;
	const struct member *pending;
	struct member m = {0}, *members;
	const char *within = r->keys.within;
	int more;

	while ((more = read_member(r, depth, &m, height)) > 0)
		buf_add(&r->pending, &m, sizeof(m));
	if (more < 0)
		return -1;
	r->keys.within = within;
	v->type = VALUE_MAP;
	pending = pending_since(r, base, &v->nitems);
	members = arena_array(r->arena, v->nitems, sizeof(*members));
	if (v->nitems)
		memcpy(members, pending, v->nitems * sizeof(*members));
	v->u.members = members;
	r->pending.len = base;
	return keys_check(&r->keys, members, v->nitems);
}

static const char *
anchor_of(const yaml_event_t *event)
{
	const yaml_char_t *name;

	switch (event->type) {
	case YAML_ALIAS_EVENT:
		name = event->data.alias.anchor;
		break;
	case YAML_SCALAR_EVENT:
		name = event->data.scalar.anchor;
		break;
	case YAML_SEQUENCE_START_EVENT:
		name = event->data.sequence_start.anchor;
		break;
	default:
		name = event->data.mapping_start.anchor;
	}
	return (const char *)name;
}

/* depth: how many lists and maps are open, this node's own not counted. */
static int
read_collection(struct reader *r, const yaml_event_t *event, int depth,
    struct value *v, int *height)
{
	bool list = event->type == YAML_SEQUENCE_START_EVENT;
	int rc;

	if (check_tag(r,
		list ? event->data.sequence_start.tag
		     : event->data.mapping_start.tag,
		false, v->line) < 0)
		return -1;
	if (depth == NESTING_MAX)
		return fail_at(r->e, r->text->name, v->line,
		    "lists and maps are nested deeper than %d", NESTING_MAX);
	rc = list ? read_list(r, depth + 1, v, height)
		  : read_map(r, depth + 1, v, height);
	++*height;
	return rc;
}

static int
read_alias(struct reader *r, const char *name, size_t line, int depth,
    struct node *node)
{
	const struct anchor *a = anchors_follow(&r->anchors, name, line, depth);
	struct value *v;

	if (!a)
		return -1;
	/* It is told at the alias, what is in it where that stands. */
	v = arena_alloc(r->arena, sizeof(*v));
	*v = *a->value;
	v->line = line;
	r->nnodes += a->nnodes;
	node->value = v;
	node->height = a->height;
	return 0;
}

static int
read_node(
    struct reader *r, const yaml_event_t *event, int depth, struct node *node)
{
	const char *anchor = anchor_of(event);
	size_t line = line_of(r, event->start_mark), before, index = 0;
	struct value *v;
	int rc;

	*node = (struct node){0};
	if (event->type == YAML_ALIAS_EVENT)
		return read_alias(r, anchor, line, depth, node);
	if (anchor && anchors_begin(&r->anchors, anchor, line, &index) < 0)
		return -1;
	before = r->nnodes++;
	v = arena_alloc(r->arena, sizeof(*v));
	v->line = line;
	v->text = "";
	if (event->type == YAML_SCALAR_EVENT)
		rc = read_scalar(r, event, v);
	else
		rc = read_collection(r, event, depth, v, &node->height);
	if (rc < 0)
		return -1;
	node->value = v;
	if (anchor)
		anchors_end(
		    &r->anchors, index, v, r->nnodes - before, node->height);
	return 0;
}

/* ----------------------------------------------------------- documents -- */

/*
 * A tag prefix has no use here, and libyaml compares each with all before it.
 * Directives stand between offset and the next document.
 */
static int
check_directives(struct reader *r, size_t offset)
{
	const char *p = r->text->data + offset;
	const char *end = r->text->data + r->text->len;

	for (; p < end; p++) {
		if (*p == ' ' || *p == '\r' || *p == '\n')
			continue;
		if (*p != '#' && *p != '%')
			break;
		if (end - p >= 4 && memcmp(p, "%TAG", 4) == 0)
			return fail_at(r->e, r->text->name,
			    source_line(r->text, (size_t)(p - r->text->data)),
			    "'%%TAG' is not read here: remove it");
		p = memchr(p, '\n', (size_t)(end - p));
		if (!p)
			break;
	}
	return 0;
}

/* The root node; no value when there is no document at all. */
static int
read_document(struct reader *r, struct node *root)
{
	yaml_event_t event;
	enum yaml_event_type_e type;
	size_t line;
	int rc;

	if (check_directives(r, 0) < 0)
		return -1;
	do { /* the stream's start, the document's start */
		if (next_event(r, &event) < 0)
			return -1;
		type = event.type;
		rc = 0;
		if (type != YAML_STREAM_START_EVENT &&
		    type != YAML_DOCUMENT_START_EVENT &&
		    type != YAML_STREAM_END_EVENT)
			rc = read_node(r, &event, 0, root);
		yaml_event_delete(&event);
		if (rc < 0)
			return -1;
		if (type == YAML_STREAM_END_EVENT)
			return 0;
	} while (!root->value);
	do { /* the document's end, the stream's end */
		if (next_event(r, &event) < 0)
			return -1;
		type = event.type;
		line = line_of(r, event.start_mark);
		line_of(r, event.end_mark);
		yaml_event_delete(&event);
		if (check_directives(r, r->offset) < 0)
			return -1;
		if (type == YAML_DOCUMENT_START_EVENT)
			return fail_at(r->e, r->text->name, line,
			    "more than one document: this one begins a second");
	} while (type != YAML_STREAM_END_EVENT);
	return 0;
}

const struct value *
yaml_read(struct arena *arena, const struct source *source, struct error *e)
{
	struct source text;
	struct reader r = {.arena = arena, .text = &text, .e = e};
	struct node root = {0};
	struct value *nothing;
	int rc;

	if (source_open(source, &text, e) < 0)
		return NULL;
	if (!yaml_parser_initialize(&r.parser)) {
		fail_environment(e, "%s: no memory to read it", source->name);
		return NULL;
	}
	r.line = text.line;
	keys_init(&r.keys, &text, e);
	anchors_init(&r.anchors, arena, &text, e);
	buf_init(&r.pending);
	yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(
	    &r.parser, (const unsigned char *)text.data, text.len);
	rc = read_document(&r, &root);
	yaml_parser_delete(&r.parser);
	buf_free(&r.pending);
	keys_free(&r.keys);
	if (rc < 0 || r.keys.nrepeated)
		return NULL;
	if (root.value)
		return root.value;
	nothing = arena_alloc(arena, sizeof(*nothing));
	nothing->line = text.line;
	nothing->text = "";
	return nothing;
}
