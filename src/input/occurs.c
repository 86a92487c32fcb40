/*
 * Whether documents occur anywhere in a run: a missed one that does not was
 * perhaps renamed, or never indexed.
 */
#include <string.h>

#include "internal.h"

#define CHUNK ((size_t)1 << 20)

/*
 * An id can stand in a file in other bytes than its own where a format
 * escapes some of them; of such ids nothing is said.
 */
static bool
plain(const char *id)
{
	for (; *id; id++)
		if ((unsigned char)*id < 0x21 || (unsigned char)*id > 0x7e ||
		    strchr("\"\\/", *id))
			return false;
	return true;
}

static bool
holds(const struct buf *buf, const char *id)
{
	const char *p = buf->data, *end = buf->data + buf->len;
	size_t len = strlen(id);

	while ((size_t)(end - p) >= len &&
	    (p = memchr(p, *id, (size_t)(end - p) - len + 1))) {
		if (memcmp(p, id, len) == 0)
			return true;
		p++;
	}
	return false;
}

/* The last bytes stay, so that an id across two chunks is seen. */
static void
keep_tail(struct buf *buf, size_t tail)
{
	if (buf->len <= tail)
		return;
	memmove(buf->data, buf->data + buf->len - tail, tail);
	buf->len = tail;
}

static int
search(const char *file, const char *const *ids, size_t nids, size_t longest,
    bool *occurs, struct error *e)
{
	struct stream *stream = stream_open(file, false, e);
	char *chunk = arena_alloc(e->arena, CHUNK);
	struct buf window;
	size_t got = 1, i;
	int rc = 0;

	if (!stream)
		return -1;
	buf_init(&window);
	while (rc == 0 && got) {
		rc = stream_read(stream, chunk, CHUNK, &got, e);
		if (rc < 0 || !got)
			break;
		buf_add(&window, chunk, got);
		for (i = 0; i < nids; i++)
			if (!occurs[i])
				occurs[i] = holds(&window, ids[i]);
		keep_tail(&window, longest);
	}
	buf_free(&window);
	stream_close(stream);
	return rc;
}

int
run_occurs(const char *const *files, size_t nfiles, const char *const *ids,
    size_t nids, bool *occurs, struct error *e)
{
	size_t longest = 0, i;

	for (i = 0; i < nids; i++) {
		occurs[i] = !plain(ids[i]);
		if (strlen(ids[i]) > longest)
			longest = strlen(ids[i]);
	}
	for (i = 0; i < nfiles; i++)
		if (search(files[i], ids, nids, longest, occurs, e) < 0)
			return -1;
	return 0;
}
