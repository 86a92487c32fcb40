/* Bytes under a name that can be opened, for what reads files. */
#ifndef FUZZ_MEMORY_FILE_H
#define FUZZ_MEMORY_FILE_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The same file each time; the caller has read it before the next call. */
static inline const char *
memory_file(const uint8_t *data, size_t size, int which)
{
	static char paths[2][64];
	ssize_t n = 0;
	int fd;

	if (!paths[which][0])
		snprintf(paths[which], sizeof(paths[which]),
		    "/tmp/evalgate-fuzz-%ld-%d", (long)getpid(), which);
	fd = open(paths[which], O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd < 0)
		abort();
	while (size > 0 && (n = write(fd, data, size)) > 0) {
		data += n;
		size -= (size_t)n;
	}
	close(fd);
	return paths[which];
}

static inline void
memory_file_remove(const char *path)
{
	unlink(path);
}

#endif
