/* What the files of codec share and nobody else sees. */
#ifndef CODEC_INTERNAL_H
#define CODEC_INTERNAL_H

#include "evalgate/codec.h"

/* Lists and maps inside each other, so that every walk may recurse. */
#define NESTING_MAX 100

/* ------------------------------------------------------------- source.c -- */

/*
 * text: source behind its byte order mark, known to be UTF-8 without NUL.
 * -1 after an error.
 */
int source_open(
    const struct source *source, struct source *text, struct error *e);
/* The line that the byte at offset stands on. */
size_t source_line(const struct source *source, size_t offset);

/* --------------------------------------------------------------- keys.c -- */

/* Finds repeated keys, across all maps of one document. */
struct keys {
	const struct source *source;
	struct error *e;
	struct arena *scratch; /* NULL until a map is large */
	size_t nrepeated;
	const char *within; /* the key whose value the map is in, NULL */
};

void keys_init(struct keys *keys, const struct source *source, struct error *e);
void keys_free(struct keys *keys);
/*
 * Adds an error for each key that stands twice in members; -1 when there
 * have been so many that reading on is of no use.
 */
int keys_check(
    struct keys *keys, const struct member *members, size_t nmembers);

/* -------------------------------------------------------------- value.c -- */

/* The beginning of a text, for messages. */
const char *value_excerpt(struct arena *arena, const char *text);

/* ---------------------------------------------------------- json_scan.c -- */

/* Where a value or key begins; the walk over cJSON's tree meets them again. */
struct json_note {
	size_t line;
	size_t offset; /* of the value's first byte */
	size_t len; /* of numbers, as written */
};

/*
 * Checks that text is one value by RFC 8259, and appends a struct json_note
 * for every value and key, in the order of the text.
 */
int json_scan(const struct source *text, struct buf *notes, struct error *e);

/* ------------------------------------------------------ yaml_anchors.c -- */

struct anchor {
	size_t line;
	const struct value *value; /* NULL until its node is finished */
	size_t nnodes; /* of the node, aliases followed */
	int height; /* of lists and maps inside each other */
};

struct anchors {
	struct arena *arena;
	const struct source *text;
	struct error *e;
	struct map names;
	struct anchor *items;
	size_t nitems;
	size_t cap;
	size_t naliased; /* nodes that aliases added */
};

void anchors_init(struct anchors *anchors, struct arena *arena,
    const struct source *text, struct error *e);
/* Where the node of an anchor begins; *index is for anchors_end. */
int anchors_begin(
    struct anchors *anchors, const char *name, size_t line, size_t *index);
void anchors_end(struct anchors *anchors, size_t index,
    const struct value *value, size_t nnodes, int height);
/* What an alias inside depth lists and maps names; NULL after an error. */
const struct anchor *anchors_follow(
    struct anchors *anchors, const char *name, size_t line, int depth);

/* -------------------------------------------------------- yaml_words.c -- */

/* libyaml's words for a fault at offset (SIZE_MAX: unknown) in plain ones. */
const char *yaml_words(struct arena *arena, const char *problem,
    const struct source *text, size_t offset);
/* Whether the fault is best told at the line where its context begins. */
bool yaml_words_at_context(const char *problem);

#endif
