/*
 * One text read by every reader, at any size of chunks: what each of them
 * understood, written down as text, so that two are compared as strings.
 */
#ifndef TEST_READING_H
#define TEST_READING_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "evalgate/input.h"

/* A question set, made once; and a file that texts are put into. */
struct readings {
	struct arena *arena;
	struct questions questions;
	bool *tracked;
	char path[64];
};

static inline void
readings_file(const char *path, const void *data, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, data, len) != (ssize_t)len)
		abort();
	close(fd);
}

/* qrels as text; every second question is tracked. */
static inline void
readings_open(struct readings *r, const char *qrels)
{
	const char *dir = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
	struct error e = {.arena = NULL};
	const char *file = r->path;
	size_t i;

	r->arena = e.arena = arena_new();
	snprintf(r->path, sizeof(r->path), "%s/evalgate-reading.%ld", dir,
	    (long)getpid());
	readings_file(r->path, qrels, strlen(qrels));
	if (questions_read(r->arena, &file, 1, "trec", &r->questions, &e) < 0)
		abort();
	r->tracked =
	    arena_array(r->arena, r->questions.nitems, sizeof(*r->tracked));
	for (i = 0; i < r->questions.nitems; i += 2)
		r->tracked[i] = true;
}

static inline void
readings_close(struct readings *r)
{
	unlink(r->path);
	arena_free(r->arena);
}

static inline void
write_answer(
    struct buf *out, const struct readings *r, size_t q, const struct answer *a)
{
	const struct question *question = &r->questions.items[q];
	const struct answer_more none = {.ntop = 0};
	const struct answer_more *more = a->further ? answer_more(a) : &none;
	size_t i;

	buf_printf(out, "%s: %d%d%d %u line %u, %u results, tied %u at %u",
	    question->id, a->present, a->errored, a->rank_only, a->rank,
	    a->line, a->nresults, more->tied, more->tied_first);
	for (i = 0; a->ranks && i < question->njudgments; i++)
		buf_printf(out, " %u", a->ranks[i]);
	for (i = 0; more->document_ranks && i < question->njudgments; i++)
		buf_printf(out, " d%u", more->document_ranks[i]);
	for (i = 0; i < more->ntop; i++)
		buf_printf(out, " [%s]", more->top[i]);
	buf_putc(out, '\n');
}

/* Everything that a reader says of the file at r->path. */
static inline void
readings_read(const struct readings *r, struct run_options options,
    enum run_reader reader, size_t chunk, struct buf *out)
{
	struct error e = {.arena = arena_new()};
	const char *files[] = {r->path};
	struct run run;
	size_t i;
	int rc;

	options.reader = reader;
	options.chunk = chunk;
	out->len = 0;
	rc = run_read(e.arena, files, 1, &options, &r->questions, &run, &e);
	buf_printf(out, "%d\n", rc);
	for (i = 0; i < e.nitems; i++)
		buf_printf(out, "%d %s:%zu: %s\n", (int)e.items[i].kind,
		    e.items[i].file, e.items[i].line, e.items[i].text);
	if (rc == 0) {
		buf_printf(out,
		    "%s depth %u, %zu results, %zu questions, "
		    "%zu unknown, %zu missing, %d\n",
		    run.format, run.depth, run.nresults, run.nquestions,
		    run.nunknown, run.nmissing, run.rank_only);
		for (i = 0; i < run.nnotices; i++)
			buf_printf(out, "%s\n", run.notices[i]);
		for (i = 0; i < run.nanswers; i++)
			write_answer(out, r, i, &run.answers[i]);
	}
	arena_free(e.arena);
}

/*
 * Whether all readers say the same of data, with chunks of first bytes up to
 * those of last (0: the usual size); says on stderr where they don't.
 */
static inline bool
readings_agree(const struct readings *r, const struct run_options *options,
    const void *data, size_t len, size_t first, size_t last)
{
	static const enum run_reader readers[] = {READER_SCALAR, READER_VECTOR};
	struct buf slow, fast;
	size_t i, chunk;
	bool same = true;

	buf_init(&slow);
	buf_init(&fast);
	readings_file(r->path, data, len);
	readings_read(r, *options, READER_SLOW, 0, &slow);
	for (chunk = first; same && chunk <= last; chunk++)
		for (i = 0; same && i < COUNT(readers); i++) {
			readings_read(r, *options, readers[i], chunk, &fast);
			same = fast.len == slow.len &&
			    memcmp(fast.data, slow.data, fast.len) == 0;
			if (!same)
				fprintf(stderr,
				    "reader %d, chunks of %zu:\n%sslow:\n%s",
				    (int)readers[i], chunk, fast.data,
				    slow.data);
		}
	buf_free(&slow);
	buf_free(&fast);
	return same;
}

#endif
