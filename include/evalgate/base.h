/*
 * base: memory, text, errors, maps, numbers, files.
 *
 * Nothing here reads the clock, the environment or the locale.
 */
#ifndef EVALGATE_BASE_H
#define EVALGATE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define PRINTF_LIKE(fmt, args)
#endif

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* -------------------------------------------------------------- memory -- */

/*
 * One arena per run of the program holds what is ours; it is released as a
 * whole.  Allocation never fails: without memory the program says so and
 * exits with 4, since no verdict can be trusted from then on.
 */
struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *arena);

/* size bytes, zeroed, aligned for any type. */
void *arena_alloc(struct arena *arena, size_t size);
/* The same, aligned for int alone: many small ones take less room. */
void *arena_pack(struct arena *arena, size_t size);
/* n elements of size bytes, zeroed; the product is checked. */
void *arena_array(struct arena *arena, size_t n, size_t size);
/*
 * Gives back a piece of size bytes that nobody looks at any more; small ones
 * stay until the arena goes.
 */
void arena_drop(struct arena *arena, const void *piece, size_t size);
/*
 * Room for one more element: returns array when *cap > n, else a larger copy
 * of its n elements, and updates *cap.  array may be NULL when n is 0.
 */
void *arena_grow(
    struct arena *arena, void *array, size_t n, size_t *cap, size_t size);
/* The same, where nothing points into the old array: it is given back. */
void *arena_regrow(
    struct arena *arena, void *array, size_t n, size_t *cap, size_t size);
/*
 * Memory of its own for n elements, that goes with free(): old resized, or
 * new where old is NULL.  Like the arena's it never fails; the product is
 * checked; it is not zeroed.
 */
void *memory_resize(void *old, size_t n, size_t size);
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t len);
char *arena_printf(struct arena *arena, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* ---------------------------------------------------------------- text -- */

/* Growing text; data is NUL-terminated and never NULL. */
struct buf {
	char *data;
	size_t len;
	size_t cap; /* 0: data is the shared empty string */
};

void buf_init(struct buf *buf);
void buf_free(struct buf *buf);
void buf_add(struct buf *buf, const void *data, size_t len);
void buf_puts(struct buf *buf, const char *text);
void buf_putc(struct buf *buf, char c);
void buf_printf(struct buf *buf, const char *fmt, ...) PRINTF_LIKE(2, 3);
/*
 * Text of users as one line that a terminal shows and never obeys: control
 * characters, DEL, C1 controls, bidirectional overrides, what has no width,
 * and bytes that are no UTF-8 are written as \n, \t, \xNN or \u{NNNN}.  So is
 * what begins a command in the log of a CI job: "::" at the start of a line,
 * "##[".
 */
void buf_put_visible(struct buf *buf, const char *text);

/* The offset of the first byte that is no UTF-8 (RFC 3629), or len. */
size_t utf8_check(const char *data, size_t len);
/* Columns that UTF-8 text takes on a terminal, a code point counted as one. */
size_t utf8_width(const char *text);

/*
 * The word of a list that was probably meant: the nearest by edit distance,
 * NULL when none is near enough (a third of the word, at most 3).
 */
const char *suggest(const char *word, const char *const *words, size_t nwords);

/* -------------------------------------------------------------- errors -- */

/* What is at fault decides the exit status: 2, 4, 3. */
enum error_kind {
	ERROR_INPUT, /* usage, config, questions, run: exit 2 */
	ERROR_ENVIRONMENT, /* repository, disk, permission: exit 4 */
	ERROR_NO_VERDICT /* lost history, too shallow: exit 3 */
};

struct error_item {
	enum error_kind kind;
	const char *file; /* NULL where no file is at fault */
	size_t line; /* 1-based, 0 where no line is */
	const char *text;
};

/*
 * Errors add up, so that all mistakes of a file are told at once.  Messages
 * live in the arena.  Lower case, no full stop, what failed first, the
 * subject in 'quotes', the mend last.
 */
struct error {
	struct arena *arena;
	struct error_item *items;
	size_t nitems;
	size_t cap;
};

/* Each returns -1, so that `return fail(e, "...")` reads as one thought. */
int fail(struct error *e, const char *fmt, ...) PRINTF_LIKE(2, 3);
int fail_at(struct error *e, const char *file, size_t line, const char *fmt,
    ...) PRINTF_LIKE(4, 5);
/*
 * "unknown key 'x' in a threshold; did you mean 'y'? known are ...": what
 * says of what kind the word is, where it stands ("" or " in ...").
 */
int fail_unknown(struct error *e, const char *file, size_t line,
    const char *what, const char *word, const char *where,
    const char *const *known, size_t nknown);
int fail_environment(struct error *e, const char *fmt, ...) PRINTF_LIKE(2, 3);
int fail_no_verdict(struct error *e, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Those of one file, from an index on, as its lines stand, and each once. */
void errors_in_order(struct error *e, size_t from);

/* ---------------------------------------------------------------- maps -- */

/* A map from byte strings to indices.  Keys are not copied. */
struct map {
	struct arena *arena;
	struct map_slot *slots;
	size_t nslots; /* a power of two, 0 before the first key */
	size_t nkeys;
};

void map_init(struct map *map, struct arena *arena);
/* Room for so many keys at once. */
void map_reserve(struct map *map, size_t nkeys);
/* Empties it, and gives back its memory. */
void map_drop(struct map *map);
/* Whether key is there; *index is set when it is. */
bool map_get(const struct map *map, const char *key, size_t len, size_t *index);
/*
 * Adds key with index; returns false, with *index as it was put before, when
 * the key is already there.
 */
bool map_add(struct map *map, const char *key, size_t len, size_t *index);

/* ------------------------------------------------------------- numbers -- */

/*
 * A decimal number as JSON writes it, also with a leading '+', with digits
 * on one side of the point only, and nothing around it.  Returns 0, or -1
 * for anything else: "", "0x1", "nan", "inf", "1,5", "1e999", "1 ".
 */
int number_parse(const char *text, size_t len, double *number);
/* A whole number, optional sign, digits only; -1 past int64_t. */
int integer_parse(const char *text, size_t len, int64_t *number);
/* The shortest digits that read back to the same double; "null" if none. */
void number_print(struct buf *buf, double number);

/* --------------------------------------------------------------- times -- */

#define DAY 86400 /* seconds */

/*
 * Seconds since 1970 of YYYY-MM-DDThh:mm:ssZ, or of YYYY-MM-DD's first, in
 * UTC; -1 for all else, a 30 February among it.
 */
int time_parse(const char *text, int64_t *seconds);
/* "2026-12-01T23:59:59Z" */
const char *time_text(struct arena *arena, int64_t seconds);

/* -------------------------------------------------------------- sorting -- */

/* qsort, which copies all, but for few, for none, and for what is in order. */
void sort(void *items, size_t n, size_t size,
    int (*compare)(const void *, const void *));
/* qsort comparators: const char * elements by bytes; double ascending. */
int compare_text(const void *a, const void *b);
int compare_double(const void *a, const void *b);

/* --------------------------------------------------------------- files -- */

/*
 * Reads a whole file, or standard input when path is "-", into buf; what is
 * gzip is unpacked, known by its first bytes.  A
 * missing file, a directory, a permission are the user's input at fault.
 */
int file_read(const char *path, struct buf *buf, struct error *e);

/*
 * A file that is read piece by piece, gzip and "-" as above.  again: it will
 * be read from the start again, so what can't seek (a pipe) is kept in a
 * temporary file first.  stream_open returns NULL after an error.
 */
struct stream;

struct stream *stream_open(const char *path, bool again, struct error *e);
/* Up to size bytes, *got of them; 0: the end. */
int stream_read(struct stream *stream, void *data, size_t size, size_t *got,
    struct error *e);
/* What is left of it. */
int stream_read_all(struct stream *stream, struct buf *buf, struct error *e);
int stream_rewind(struct stream *stream, struct error *e);
/* Bytes of the file that were read, and all of them, 0: not known. */
void stream_progress(
    const struct stream *stream, uint64_t *done, uint64_t *size);
void stream_close(struct stream *stream);

/*
 * Makes standard input one that can be read twice: what comes through a pipe
 * is kept in a temporary file of no name.
 */
int file_keep_stdin(struct error *e);
/*
 * Writes beside path and renames, so that a reader never sees half a file.
 * Failures are the environment's.
 */
int file_write(const char *path, const char *data, size_t len, struct error *e);
/* What messages call a file: "-" is standard input. */
const char *file_name(const char *path);
/* name as seen from the directory that holds file; name when absolute. */
const char *path_beside(
    struct arena *arena, const char *file, const char *name);

#endif
