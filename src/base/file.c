/* Whole files in, whole files out. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

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

int
file_read(const char *path, struct buf *buf, struct error *e)
{
	struct stream *stream = stream_open(path, false, e);
	int rc = stream ? stream_read_all(stream, buf, e) : -1;

	stream_close(stream);
	return rc;
}

/* All of standard input into a file, piece by piece. */
static int
copy_stdin(int to)
{
	char chunk[64 * 1024];
	ssize_t n;

	for (;;) {
		n = read(STDIN_FILENO, chunk, sizeof(chunk));
		if (n == 0)
			return 0;
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 || write_all(to, chunk, (size_t)n) < 0)
			return -1;
	}
}

int
file_keep_stdin(struct error *e)
{
	FILE *copy;
	int rc = 0;

	if (lseek(STDIN_FILENO, 0, SEEK_CUR) >= 0)
		return 0;
	copy = tmpfile();
	if (!copy || copy_stdin(fileno(copy)) < 0 ||
	    lseek(fileno(copy), 0, SEEK_SET) < 0 ||
	    dup2(fileno(copy), STDIN_FILENO) < 0)
		rc = fail_environment(e,
		    "cannot keep standard input in a temporary file: %s",
		    strerror(errno));
	if (copy)
		fclose(copy);
	return rc;
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
