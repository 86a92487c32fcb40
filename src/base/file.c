/* Whole files in, whole files out. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "internal.h"

static int
read_all(int fd, const char *path, struct buf *buf, struct error *e)
{
	static const size_t step = 64 * 1024;
	char chunk[64 * 1024];
	ssize_t n;

	for (;;) {
		n = read(fd, chunk, step);
		if (n == 0)
			return 0;
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail_at(
			    e, path, 0, "cannot be read: %s", strerror(errno));
		buf_add(buf, chunk, (size_t)n);
	}
}

/* Inflates every member of a gzip file, one behind the other. */
static int
inflate_all(z_stream *z, const char *path, struct buf *out, struct error *e)
{
	static const size_t limit = (size_t)1 << 34; /* a bomb, no results */
	char chunk[64 * 1024];
	int rc;

	do {
		z->next_out = (Bytef *)chunk;
		z->avail_out = sizeof(chunk);
		rc = inflate(z, Z_NO_FLUSH);
		buf_add(out, chunk, sizeof(chunk) - z->avail_out);
		if (out->len > limit)
			return fail_at(e, path, 0,
			    "grows beyond 16 GiB when it is unpacked");
		if (rc == Z_STREAM_END && z->avail_in)
			rc = inflateReset(z);
	} while (rc == Z_OK);
	if (rc == Z_BUF_ERROR)
		return fail_at(
		    e, path, 0, "is cut off: its gzip data ends early");
	if (rc != Z_STREAM_END)
		return fail_at(e, path, 0, "is no sound gzip file: %s",
		    z->msg ? z->msg : "its data is damaged");
	return 0;
}

/* Replaces what is compressed by what it holds; leaves all else alone. */
static int
unpack(const char *path, struct buf *buf, struct error *e)
{
	z_stream z = {0};
	struct buf out;
	int rc;

	if (buf->len < 2 || memcmp(buf->data, "\x1f\x8b", 2) != 0)
		return 0;
	if (buf->len > UINT_MAX)
		return fail_at(e, path, 0, "is larger than 4 GiB packed");
	if (inflateInit2(&z, 15 + 16) != Z_OK)
		out_of_memory();
	z.next_in = (Bytef *)buf->data;
	z.avail_in = (uInt)buf->len;
	buf_init(&out);
	rc = inflate_all(&z, path, &out, e);
	inflateEnd(&z);
	buf_free(buf);
	*buf = out;
	return rc;
}

static int
write_all(int fd, const char *data, size_t len)
{
	ssize_t n;

	while (len) {
		n = write(fd, data, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		data += n;
		len -= (size_t)n;
	}
	return 0;
}

/* Where it can be, standard input is left as it was, to be read again. */
static int
read_stdin(struct buf *buf, struct error *e)
{
	static const char name[] = "standard input";
	off_t start = lseek(STDIN_FILENO, 0, SEEK_CUR);

	if (read_all(STDIN_FILENO, name, buf, e) < 0)
		return -1;
	if (start >= 0)
		lseek(STDIN_FILENO, start, SEEK_SET);
	return unpack(name, buf, e);
}

int
file_keep_stdin(struct error *e)
{
	FILE *copy;
	struct buf buf;
	int rc;

	if (lseek(STDIN_FILENO, 0, SEEK_CUR) >= 0)
		return 0;
	buf_init(&buf);
	rc = read_all(STDIN_FILENO, "standard input", &buf, e);
	copy = rc == 0 ? tmpfile() : NULL;
	if (rc == 0 &&
	    (!copy || write_all(fileno(copy), buf.data, buf.len) < 0 ||
		lseek(fileno(copy), 0, SEEK_SET) < 0 ||
		dup2(fileno(copy), STDIN_FILENO) < 0))
		rc = fail_environment(e,
		    "cannot keep standard input in a temporary file: %s",
		    strerror(errno));
	if (copy)
		fclose(copy);
	buf_free(&buf);
	return rc;
}

int
file_read(const char *path, struct buf *buf, struct error *e)
{
	struct stat st;
	int fd, rc;

	if (strcmp(path, "-") == 0)
		return read_stdin(buf, e);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return fail_at(
		    e, path, 0, "cannot be opened: %s", strerror(errno));
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		close(fd);
		return fail_at(e, path, 0, "is a directory, not a file");
	}
	rc = read_all(fd, path, buf, e);
	close(fd);
	return rc < 0 ? -1 : unpack(path, buf, e);
}

/* A device or a pipe is written to; it can't be replaced. */
static int
write_through(const char *path, const char *data, size_t len)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), saved;

	if (fd < 0)
		return -1;
	if (write_all(fd, data, len) < 0) {
		saved = errno;
		close(fd);
		errno = saved;
		return -1;
	}
	return close(fd);
}

static int
write_beside(const char *beside, const char *path, const char *data, size_t len)
{
	int fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	int saved;

	if (fd < 0)
		return -1;
	if (write_all(fd, data, len) < 0) {
		saved = errno;
		close(fd);
		errno = saved;
	} else if (close(fd) == 0 && rename(beside, path) == 0) {
		return 0;
	}
	saved = errno;
	unlink(beside);
	errno = saved;
	return -1;
}

int
file_write(const char *path, const char *data, size_t len, struct error *e)
{
	struct stat st;
	int rc;

	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		rc = write_through(path, data, len);
	else
		rc = write_beside(
		    arena_printf(e->arena, "%s.%ld.tmp", path, (long)getpid()),
		    path, data, len);
	if (rc < 0)
		return fail_environment(
		    e, "cannot write '%s': %s", path, strerror(errno));
	return 0;
}

const char *
file_name(const char *path)
{
	return strcmp(path, "-") == 0 ? "standard input" : path;
}

const char *
path_beside(struct arena *arena, const char *file, const char *name)
{
	const char *slash = strrchr(file, '/');

	if (name[0] == '/' || !slash)
		return name;
	return arena_printf(arena, "%.*s/%s", (int)(slash - file), file, name);
}
