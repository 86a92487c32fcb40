/*
 * Any bytes as stored reports: what is accepted is written in every format
 * without a crash, within its bounds, and reads back as the same bytes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evalgate/report.h"

#define NARROW 4096 /* bytes */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(bool so, const char *what)
{
	if (so)
		return;
	fprintf(stderr, "%s\n", what);
	abort();
}

static void
write_within(struct arena *arena, const char *name, const struct sheet *sheets,
    size_t n, size_t limit, struct buf *out)
{
	struct style style = {
	    .verbose = true, .per_question = true, .limit = limit};

	buf_init(out);
	format_find(name)->report(arena, out, sheets, n, &style);
}

static void
write_as(struct arena *arena, const char *name, const struct sheet *sheets,
    size_t n, struct buf *out)
{
	write_within(arena, name, sheets, n, 0, out);
}

/* No control characters, and nothing that is no UTF-8. */
static void
must_be_plain(const struct buf *out)
{
	size_t i;

	must(utf8_check(out->data, out->len) == out->len, "no UTF-8");
	for (i = 0; i < out->len; i++)
		must(
		    (unsigned char)out->data[i] >= 0x20 || out->data[i] == '\n',
		    "a control character");
}

/* Where others have filled most of a page already. */
static void
write_narrow(struct arena *arena, const struct sheet *sheets, size_t n)
{
	struct buf out;

	write_within(arena, "markdown", sheets, n, NARROW, &out);
	must(out.len <= NARROW, "a summary longer than its room");
	must_be_plain(&out);
	buf_free(&out);
}

/* As GitHub's runner takes a log apart: at most ten commands, all ours. */
static void
must_not_command(const struct buf *out, size_t most)
{
	const char *p = out->data;
	size_t n = 0;

	while (*p) {
		p += strspn(p, " ");
		n += strncmp(p, "::", 2) == 0;
		p += strcspn(p, "\n");
		p += *p == '\n';
	}
	must(n <= most, "a command that is not ours");
}

static void
write_all(struct arena *arena, const struct sheet *sheets, size_t n)
{
	size_t i;
	struct buf out;

	for (i = 0; i < nformats; i++) {
		if (!format_table[i]->report)
			continue;
		write_as(arena, format_table[i]->name, sheets, n, &out);
		if (strcmp(format_table[i]->name, "json") != 0 &&
		    strcmp(format_table[i]->name, "html") != 0)
			must_be_plain(&out);
		if (strcmp(format_table[i]->name, "markdown") == 0)
			must(out.len < 900 * 1024, "a summary too long");
		if (strcmp(format_table[i]->name, "comment") == 0)
			must(out.len < 60000, "a comment too long");
		if (strcmp(format_table[i]->name, "text") == 0)
			must_not_command(&out, 0);
		if (strcmp(format_table[i]->name, "github") == 0)
			must_not_command(&out, 10);
		buf_free(&out);
	}
}

static void
write_and_read(struct arena *arena, const struct sheet *sheets, size_t n)
{
	struct error e = {.arena = arena};
	struct sheet *again = NULL;
	size_t nagain = 0;
	struct buf out, twice;

	write_as(arena, "json", sheets, n, &out);
	must(sheet_read(arena, &(struct source){"again", 1, out.data, out.len},
		 &again, &nagain, &e) == 0,
	    "what was written is refused");
	must(nagain == n, "some report is gone");
	write_as(arena, "json", again, n, &twice);
	must(twice.len == out.len && memcmp(twice.data, out.data, out.len) == 0,
	    "what was written reads back otherwise");
	buf_free(&twice);
	buf_free(&out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct error e = {.arena = arena};
	struct source source = {"report", 1, (const char *)data, size};
	struct sheet *sheets = NULL;
	size_t n = 0;
	int rc = sheet_read(arena, &source, &sheets, &n, &e);

	must((rc == 0) == (e.nitems == 0), "neither a report nor an error");
	if (rc == 0 && n > 0) {
		sheet_sort(sheets, n);
		write_all(arena, sheets, n);
		write_narrow(arena, sheets, n);
		write_and_read(arena, sheets, n);
	}
	arena_free(arena);
	return 0;
}
