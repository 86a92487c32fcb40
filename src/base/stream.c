/*
 * Files read piece by piece, from the start again where that is asked for;
 * what is gzip is unpacked on the way.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "internal.h"

#define PACKED (64 * 1024)
/* What a gzip file may unpack to: beyond, it is a bomb and no results. */
#define UNPACKED_MAX ((uint64_t)1 << 34)

struct stream {
	const char *name; /* for messages */
	int fd;
	bool opened; /* fd is ours to close */
	FILE *spool; /* the copy of what can't be read twice; NULL */
	off_t start;
	uint64_t size; /* 0: not known */
	uint64_t done;
	unsigned char head[2]; /* was read to tell gzip */
	size_t nhead, head_at;
	bool gzip;
	z_stream z;
	unsigned char *packed;
	bool z_open, z_ended;
	uint64_t unpacked;
	size_t line; /* of what was unpacked so far, the one it ends on */
};

/* read() that goes on after a signal, and counts. */
static int
read_some(struct stream *stream, void *data, size_t size, size_t *got,
    struct error *e)
{
	ssize_t n;

	do
		n = read(stream->fd, data, size);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return fail_at(
		    e, stream->name, 0, "cannot be read: %s", strerror(errno));
	stream->done += (uint64_t)n;
	*got = (size_t)n;
	return 0;
}

/* The bytes as they stand in the file, those of the head first. */
static int
read_raw(struct stream *stream, void *data, size_t size, size_t *got,
    struct error *e)
{
	size_t n = stream->nhead - stream->head_at;

	if (!n)
		return read_some(stream, data, size, got, e);
	if (n > size)
		n = size;
	memcpy(data, stream->head + stream->head_at, n);
	stream->head_at += n;
	*got = n;
	return 0;
}

/* Reads the first two bytes, by which gzip is known. */
static int
begin(struct stream *stream, struct error *e)
{
	size_t got = 1;

	stream->nhead = stream->head_at = 0;
	stream->done = stream->unpacked = 0;
	stream->line = 1;
	while (stream->nhead < sizeof(stream->head) && got) {
		if (read_some(stream, stream->head + stream->nhead,
			sizeof(stream->head) - stream->nhead, &got, e) < 0)
			return -1;
		stream->nhead += got;
	}
	stream->gzip =
	    stream->nhead == 2 && memcmp(stream->head, "\x1f\x8b", 2) == 0;
	if (!stream->gzip)
		return 0;
	if (stream->z_open)
		inflateEnd(&stream->z);
	stream->z = (z_stream){0};
	stream->z_open = stream->z_ended = false;
	if (inflateInit2(&stream->z, 15 + 16) != Z_OK)
		out_of_memory();
	stream->z_open = true;
	if (!stream->packed)
		stream->packed = checked_realloc(NULL, PACKED);
	return 0;
}

static int
open_file(struct stream *stream, const char *path, struct error *e)
{
	struct stat st;

	if (strcmp(path, "-") == 0) {
		stream->name = "standard input";
		stream->fd = STDIN_FILENO;
	} else {
		stream->fd = open(path, O_RDONLY | O_CLOEXEC);
		if (stream->fd < 0)
			return fail_at(e, path, 0, "cannot be opened: %s",
			    strerror(errno));
		stream->opened = true;
	}
	if (fstat(stream->fd, &st) < 0)
		return 0;
	if (S_ISDIR(st.st_mode))
		return fail_at(
		    e, stream->name, 0, "is a directory, not a file");
	if (S_ISREG(st.st_mode))
		stream->size = (uint64_t)st.st_size;
	return 0;
}

/* Copies what can't seek, a pipe, into a file that nobody else sees. */
static int
spool(struct stream *stream, struct error *e)
{
	char chunk[64 * 1024];
	size_t got = 1;

	stream->spool = tmpfile();
	if (!stream->spool)
		return fail_environment(e,
		    "%s is no file, and no temporary file can be made to keep "
		    "it: %s",
		    stream->name, strerror(errno));
	while (got) {
		if (read_some(stream, chunk, sizeof(chunk), &got, e) < 0)
			return -1;
		if (fwrite(chunk, 1, got, stream->spool) != got)
			break;
	}
	if (got || fflush(stream->spool) != 0)
		return fail_environment(e,
		    "%s cannot be kept in a temporary file: %s", stream->name,
		    strerror(errno));
	if (stream->opened)
		close(stream->fd);
	stream->opened = false;
	stream->fd = fileno(stream->spool);
	stream->start = 0;
	stream->size = stream->done;
	return lseek(stream->fd, 0, SEEK_SET) == 0
	    ? 0
	    : fail_environment(e, "%s: %s", stream->name, strerror(errno));
}

struct stream *
stream_open(const char *path, bool again, struct error *e)
{
	struct stream *stream = checked_realloc(NULL, sizeof(*stream));

	*stream = (struct stream){.name = path, .fd = -1};
	if (open_file(stream, path, e) < 0)
		goto fault;
	stream->start = lseek(stream->fd, 0, SEEK_CUR);
	if (stream->start < 0 && again && spool(stream, e) < 0)
		goto fault;
	if (begin(stream, e) == 0)
		return stream;
fault:
	stream_close(stream);
	return NULL;
}

/* The next member of a gzip file, one behind the other. */
static int
next_member(struct stream *stream)
{
	stream->z_ended = stream->z.avail_in == 0;
	return stream->z_ended ? Z_STREAM_END : inflateReset(&stream->z);
}

static int
refill(struct stream *stream, struct error *e)
{
	size_t got;

	if (stream->z.avail_in)
		return 0;
	if (read_raw(stream, stream->packed, PACKED, &got, e) < 0)
		return -1;
	stream->z.next_in = stream->packed;
	stream->z.avail_in = (uInt)got;
	if (stream->z_ended && got) {
		stream->z_ended = false;
		inflateReset(&stream->z);
	}
	return 0;
}

static void
count_lines(struct stream *stream, const char *data, size_t len)
{
	const char *end = data + len, *lf;

	while ((lf = memchr(data, '\n', (size_t)(end - data)))) {
		stream->line++;
		data = lf + 1;
	}
}

static int
read_gzip(struct stream *stream, void *data, size_t size, size_t *got,
    struct error *e)
{
	z_stream *z = &stream->z;
	int rc = Z_OK;

	z->next_out = data;
	z->avail_out = size > PACKED ? PACKED : (uInt)size;
	while (z->avail_out && (rc == Z_OK || rc == Z_STREAM_END)) {
		if (refill(stream, e) < 0)
			return -1;
		if (!z->avail_in)
			break;
		rc = inflate(z, Z_NO_FLUSH);
		if (rc == Z_STREAM_END)
			rc = next_member(stream);
	}
	*got = (size_t)(z->next_out - (Bytef *)data);
	stream->unpacked += *got;
	count_lines(stream, data, *got);
	if (stream->unpacked > UNPACKED_MAX)
		return fail_at(e, stream->name, stream->line,
		    "grows beyond 16 GiB when it is unpacked");
	if (rc != Z_OK && rc != Z_STREAM_END)
		return fail_at(e, stream->name, stream->line,
		    "is no sound gzip file: %s",
		    z->msg ? z->msg : "its data is damaged");
	if (!*got && !stream->z_ended)
		return fail_at(e, stream->name, stream->line,
		    "is cut off: its gzip data ends early");
	return 0;
}

int
stream_read(struct stream *stream, void *data, size_t size, size_t *got,
    struct error *e)
{
	return stream->gzip ? read_gzip(stream, data, size, got, e)
			    : read_raw(stream, data, size, got, e);
}

int
stream_read_all(struct stream *stream, struct buf *buf, struct error *e)
{
	char chunk[64 * 1024];
	size_t got;

	do {
		if (stream_read(stream, chunk, sizeof(chunk), &got, e) < 0)
			return -1;
		buf_add(buf, chunk, got);
	} while (got);
	return 0;
}

int
stream_rewind(struct stream *stream, struct error *e)
{
	if (lseek(stream->fd, stream->start, SEEK_SET) < 0)
		return fail_at(e, stream->name, 0,
		    "cannot be read a second time: %s", strerror(errno));
	return begin(stream, e);
}

void
stream_progress(const struct stream *stream, uint64_t *done, uint64_t *size)
{
	*done = stream->done;
	*size = stream->size;
}

void
stream_close(struct stream *stream)
{
	if (!stream)
		return;
	if (stream->z_open)
		inflateEnd(&stream->z);
	free(stream->packed);
	/* Where it can be, standard input is left to be read again. */
	if (!stream->opened && !stream->spool && stream->start >= 0)
		lseek(stream->fd, stream->start, SEEK_SET);
	if (stream->spool)
		fclose(stream->spool);
	if (stream->opened)
		close(stream->fd);
	free(stream);
}
