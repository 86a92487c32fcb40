/* One arena per run of the program: allocated piece by piece, freed whole. */
#define _DEFAULT_SOURCE /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "internal.h"

#define CHUNK_FIRST ((size_t)4 * 1024) /* most arenas are short-lived */
#define CHUNK ((size_t)64 * 1024)
#define CHUNK_MAX (64 * CHUNK)
#define TEXT_BLOCK ((size_t)4096)
#define HUGE_PAGE ((size_t)2 << 20)
#define LARGE (CHUNK / 4) /* such a piece is a chunk of its own */
#define ALIGN _Alignof(max_align_t)

struct chunk {
	struct chunk *next;
	size_t size;
	size_t used;
	/* The pieces; max_align_t keeps the first one aligned. */
	max_align_t data[];
};

struct arena {
	struct chunk *chunks; /* the one in use first */
	size_t total; /* of all chunks so far */
	char *text; /* room for texts and other small pieces */
	size_t ntext;
};

void
out_of_memory(void)
{
	static const char message[] = "evalgate: out of memory\n";

	/* No buffers and no exit handlers: nothing may need memory now. */
	if (write(STDERR_FILENO, message, sizeof(message) - 1) < 0)
		_exit(4);
	_exit(4);
}

void *
checked_realloc(void *old, size_t size)
{
	void *p = realloc(old, size);

	if (!p)
		out_of_memory();
	return p;
}

void *
memory_resize(void *old, size_t n, size_t size)
{
	if (size && n > SIZE_MAX / size)
		out_of_memory();
	return checked_realloc(old, n && size ? n * size : 1);
}

struct arena *
arena_new(void)
{
	struct arena *arena = checked_realloc(NULL, sizeof(*arena));

	*arena = (struct arena){.chunks = NULL};
	return arena;
}

void
arena_free(struct arena *arena)
{
	struct chunk *chunk, *next;

	if (!arena)
		return;
	for (chunk = arena->chunks; chunk; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	free(arena);
}

/*
 * Filling megabytes costs more in page faults than in work, so the system is
 * asked for larger pages where it has them; it may say no.
 */
static void
ask_for_huge_pages(void *data, size_t size)
{
#ifdef MADV_HUGEPAGE
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t skip = (page - (uintptr_t)data % page) % page;

	if (size >= HUGE_PAGE)
		madvise((char *)data + skip, (size - skip) / page * page,
		    MADV_HUGEPAGE);
#else
	(void)data;
	(void)size;
#endif
}

/* Zeroed, by calloc: pages of large ones cost nothing until they are used. */
static struct chunk *
chunk_new(struct arena *arena, size_t size)
{
	struct chunk *chunk;

	if (size > SIZE_MAX - sizeof(*chunk))
		out_of_memory();
	chunk = calloc(1, sizeof(*chunk) + size);
	if (!chunk)
		out_of_memory();
	ask_for_huge_pages(chunk, sizeof(*chunk) + size);
	chunk->size = size;
	arena->total += size;
	return chunk;
}

/*
 * The size of the next chunk of small pieces, the first of which is at hand:
 * doubled at first, and what grew large, grows fast.
 */
static size_t
chunk_size(const struct arena *arena, size_t piece)
{
	size_t size = arena->total / 8;

	if (size < CHUNK)
		size = arena->total < CHUNK ? arena->total : CHUNK;
	if (size < CHUNK_FIRST)
		size = CHUNK_FIRST;
	if (size > CHUNK_MAX)
		size = CHUNK_MAX;
	return size < piece ? piece : size;
}

void *
arena_alloc(struct arena *arena, size_t size)
{
	struct chunk *chunk = arena->chunks;
	void *p;

	if (size > SIZE_MAX - ALIGN)
		out_of_memory();
	size = (size + ALIGN - 1) / ALIGN * ALIGN;
	if (size >= LARGE && chunk) {
		/* Large pieces stand alone, behind the chunk in use. */
		struct chunk *large = chunk_new(arena, size);

		large->next = chunk->next;
		chunk->next = large;
		chunk = large;
	} else if (!chunk || chunk->size - chunk->used < size) {
		chunk = chunk_new(arena, chunk_size(arena, size));
		chunk->next = arena->chunks;
		arena->chunks = chunk;
	}
	p = (char *)chunk->data + chunk->used;
	chunk->used += size;
	return p;
}

void *
arena_array(struct arena *arena, size_t n, size_t size)
{
	if (size && n > SIZE_MAX / size)
		out_of_memory();
	return arena_alloc(arena, n * size);
}

void
arena_drop(struct arena *arena, const void *piece, size_t size)
{
	struct chunk **at = &arena->chunks, *chunk;

	if (size < LARGE || !*at)
		return;
	/* The first chunk is the one in use. */
	for (at = &(*at)->next; (chunk = *at); at = &chunk->next) {
		if (chunk->data != piece)
			continue;
		if (chunk->used < size + ALIGN && chunk->size < size + ALIGN) {
			*at = chunk->next;
			arena->total -= chunk->size;
			free(chunk);
		}
		return;
	}
}

void *
arena_grow(struct arena *arena, void *array, size_t n, size_t *cap, size_t size)
{
	void *larger;

	if (*cap > n)
		return array;
	*cap = n < 8 ? 8 : n + n / 2 + 1;
	larger = arena_array(arena, *cap, size);
	if (n)
		memcpy(larger, array, n * size);
	return larger;
}

void *
arena_regrow(
    struct arena *arena, void *array, size_t n, size_t *cap, size_t size)
{
	size_t before = *cap;
	void *larger = arena_grow(arena, array, n, cap, size);

	if (larger != array && array)
		arena_drop(arena, array, before * size);
	return larger;
}

/* Small pieces stand close to one another, in blocks of their own. */
static void *
pack(struct arena *arena, size_t size, size_t align)
{
	size_t skip = -(uintptr_t)arena->text % align;
	char *piece;

	if (size >= TEXT_BLOCK / 8)
		return arena_alloc(arena, size);
	if (arena->ntext < skip + size) {
		arena->text = arena_alloc(arena, TEXT_BLOCK);
		arena->ntext = TEXT_BLOCK;
		skip = 0;
	}
	piece = arena->text + skip;
	arena->text += skip + size;
	arena->ntext -= skip + size;
	return piece;
}

void *
arena_pack(struct arena *arena, size_t size)
{
	return pack(arena, size, _Alignof(int));
}

char *
arena_strndup(struct arena *arena, const char *text, size_t len)
{
	char *copy = pack(arena, len + 1, 1);

	memcpy(copy, text, len);
	return copy;
}

char *
arena_strdup(struct arena *arena, const char *text)
{
	return arena_strndup(arena, text, strlen(text));
}

char *
arena_vprintf(struct arena *arena, const char *fmt, va_list args)
{
	va_list again;
	char *text;
	int len;

	va_copy(again, args);
	len = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (len < 0)
		return arena_strdup(arena, fmt);
	text = arena_array(arena, (size_t)len + 1, 1);
	vsnprintf(text, (size_t)len + 1, fmt, args);
	return text;
}

char *
arena_printf(struct arena *arena, const char *fmt, ...)
{
	va_list args;
	char *text;

	va_start(args, fmt);
	text = arena_vprintf(arena, fmt, args);
	va_end(args);
	return text;
}
