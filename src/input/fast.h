/*
 * What the streaming readers share: a window on a file, the results of one
 * question, and their join.  They give the answers of the slow path, text,
 * order and line of errors included; what they don't understand they leave
 * to it, line by line, question by question, or file by file.
 */
#ifndef INPUT_FAST_H
#define INPUT_FAST_H

#include <string.h>

#include "internal.h"

/* SSE2 is a part of every x86-64; elsewhere the scalar twin serves. */
#if defined(__SSE2__) && !defined(EVALGATE_SCALAR)
#define HAVE_VECTOR 1
#else
#define HAVE_VECTOR 0
#endif

/* What vectors may read, and nobody looks at, behind any text. */
#define SLACK 128

/* A longer line is left to the slow path, which has it in memory whole. */
#define LONG_LINE ((size_t)4 << 20)

/* -------------------------------------------------------------- window -- */

/* The part of a file that is in memory: whole lines up to `complete`. */
struct window {
	struct stream *stream;
	const char *file;
	const struct run_options *options;
	size_t chunk; /* bytes a read asks for */
	bool vector;
	char *data; /* len bytes, then '\n' and SLACK that may be read */
	size_t len, cap;
	size_t keep; /* what is before it is needed no more */
	size_t at; /* where the next line begins */
	size_t complete; /* lines below are whole and sound text */
	size_t line; /* the number of the line at `at` */
	bool begins; /* nothing was read yet */
	bool ended; /* the file has no more */
	bool odd; /* what window_extend met */
};

/* The window at the beginning of a file, empty. */
void window_init(struct window *window, struct stream *stream, const char *file,
    const struct run_options *options);
/* Reads on though there are lines; false at the end, or when it is odd. */
bool window_extend(struct window *window, struct error *e);
/* Starts again from the first byte. */
int window_rewind(struct window *window, struct error *e);
void window_free(struct window *window);

/*
 * Whole lines behind `at`: reads on where there are none, for which what is
 * before `keep` goes and every offset moves.
 */
enum stream_result window_fill(struct window *window, struct error *e);

/*
 * Whether all of it is ASCII without NUL: the text that needs no closer look.
 */
bool plain_text(const char *data, size_t len, bool vector);

/* ---------------------------------------------------------------- list -- */

/* One result: where it stands, from the first byte of its question. */
struct entry {
	uint32_t document, length;
	uint32_t score; /* offset of the score's text */
	uint32_t score_length : 31; /* 0: it has none */
	bool tied : 1; /* its score is that of the one before */
};

/* What is known of a score's text; zero: nothing. */
struct score_shape {
	uint32_t length;
	uint32_t others; /* bit i: byte i is no digit */
	bool simple; /* [-]digits[.digits] of up to 15 digits */
	bool negative;
	double number; /* of the last score, where it is not simple */
};

/* The results of one question, while they are read. */
struct list {
	struct entry *entries;
	uint32_t *hashes; /* of their documents */
	size_t n, cap;
	bool by_score; /* else in the order given */
	bool rising; /* a score is greater than the one before it */
	struct score_shape shape; /* of the last score */
	uint32_t *slots; /* the table in which repeats are found */
	size_t nslots;
	double *scores;
	size_t nscores;
};

void list_free(struct list *list);
/* Another question begins. */
void list_clear(struct list *list, bool by_score);
/* Room for one more. */
struct entry *list_grow(struct list *list);

static inline uint64_t
load_bytes(const char *p, size_t n)
{
	uint64_t w = 0;

	memcpy(&w, p, n);
	return w;
}

static inline uint64_t
load_few(const char *p, size_t n)
{
	if (n == 0)
		return 0;
	return load_bytes(p, 1) | load_bytes(p + n / 2, 1) << 8 |
	    load_bytes(p + n - 1, 1) << 16;
}

/*
 * Multiply and fold, eight bytes at a time; the last eight may overlap.
 * Never 0, which says that a place is free.
 */
static inline uint32_t
hash_id(const char *id, size_t len)
{
	static const uint64_t k = 0x9e3779b97f4a7c15u;
	uint64_t h = len * k;
	size_t i;

	if (len < 8) {
		h ^= len < 4
		    ? load_few(id, len)
		    : load_bytes(id, 4) | load_bytes(id + len - 4, 4) << 32;
		h *= k;
		return (uint32_t)((h ^ h >> 29) * k >> 32) | (uint32_t)1 << 31;
	}
	for (i = 0; i + 8 < len; i += 8) {
		h = (h ^ load_bytes(id + i, 8)) * k;
		h ^= h >> 32;
	}
	h = (h ^ load_bytes(id + len - 8, 8)) * k;
	return (uint32_t)((h ^ h >> 29) * k >> 32) | (uint32_t)1 << 31;
}

/* Adds a document, without a score; offsets are from base. */
static inline struct entry *
list_add(struct list *list, const char *base, const char *document, size_t len)
{
	struct entry *entry =
	    list->n < list->cap ? &list->entries[list->n] : list_grow(list);

	list->hashes[list->n++] = hash_id(document, len);
	entry->document = (uint32_t)(document - base);
	entry->length = (uint32_t)len;
	entry->score = entry->score_length = 0;
	entry->tied = false;
	return entry;
}

/*
 * Compares the score of the last entry with that of the one before it, and
 * notes ties and rises.  False when it is no number.  base: the question's
 * first byte.
 */
bool score_note(struct list *list, const char *base, bool vector);

enum list_result {
	LIST_JOINED,
	LIST_FAILED,
	LIST_SLOW /* nothing was done: join_list knows what this is */
};

/*
 * join_list for a question whose results have nothing odd.  question is the
 * one with that id, NULL when nobody asked it.
 */
enum list_result list_join(struct join *join, struct list *list,
    const char *base, const struct question *question, const char *id,
    size_t idlen, const char *file, size_t line);

/* ---------------------------------------------------------------- TREC -- */

/* A line's fields, from its first byte. */
struct trec_line {
	size_t id, idlen, document, length, score, score_length;
	size_t rank, rank_length;
	size_t nfields; /* 0: a comment or blank */
};

/* Any line whatever, without its line end. */
void trec_split(const char *line, size_t len, struct trec_line *fields);
/* What the column says of the rank, -1: nothing that is one. */
int64_t trec_rank(const char *text, size_t len);
int trec_check(const char *line, const struct trec_line *fields,
    const char *file, size_t number, struct error *e);

enum stream_result trec_stream(struct join *join, struct window *window);
/*
 * Joins questions whose lines stand in any order, a part of them at a time,
 * in as many passes over the file as its size needs.
 */
enum stream_result trec_read_scattered(
    struct join *join, struct window *window);
/* Reads text as run_trec does; line: the number of its first line. */
int trec_read_text(
    struct join *join, char *data, size_t len, size_t line, const char *file);

/* --------------------------------------------------------------- JSONL -- */

enum stream_result jsonl_stream(struct join *join, struct window *window);

/* One line through strict JSON; source->name is the file. */
int jsonl_read_line(struct join *join, const struct source *source);

struct json_record {
	const char *id;
	size_t idlen;
};

/*
 * Scans {"id": ..., "results": [...]} into list, offsets from line.  False
 * when there is anything out of the way, right or wrong.
 */
bool json_scan_record(const char *line, size_t len, struct list *list,
    struct json_record *record, bool vector);

#endif
