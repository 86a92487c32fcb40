/*
 * CSV ranks: question,rank[,expected].  question is an id, else a text; an
 * empty rank or 0 is a miss.
 */
#include <string.h>

#include "fast.h"

static bool
detect(const struct document *document)
{
	static const char *const columns[] = {"rank"};

	return csv_detect(&document->text, columns, COUNT(columns));
}

static int
add_row(struct join *join, const struct csv_reader *csv,
    const struct csv_columns *columns, size_t line)
{
	const char *file = csv->text->file, *cell, *expected = NULL;
	int64_t rank = 0;

	if (csv->ncells != columns->n)
		return fail_at(join->e, file, line,
		    "%zu cells where the header has %zu", csv->ncells,
		    columns->n);
	cell = csv->cells[columns->rank];
	if (*cell &&
	    (integer_parse(cell, strlen(cell), &rank) < 0 || rank < 0 ||
		rank > INT32_MAX))
		return fail_at(join->e, file, line,
		    "rank '%s' is no rank; write 1, 2, ... or leave it empty "
		    "when nothing was found",
		    cell);
	if (csv_expected(csv, columns, line, &expected, join->e) < 0)
		return -1;
	if (rank && expected && !*expected)
		return fail_at(join->e, file, line,
		    "question '%s' has rank %s and no expected document; a "
		    "rank is that of one",
		    csv->cells[columns->question], cell);
	return join_rank(join, csv->cells[columns->question], (unsigned)rank,
	    expected, file, line);
}

static int
read_header(
    struct join *join, struct csv_reader *csv, struct csv_columns *columns)
{
	if (csv_header(csv, columns, join->e) < 0)
		return -1;
	if (columns->rank == CSV_NONE)
		return fail_at(join->e, csv->text->file, 1,
		    "has no column 'rank'; the header should read "
		    "question,expected,rank");
	return 0;
}

static int
read_rows(struct join *join, struct csv_reader *csv,
    const struct csv_columns *columns)
{
	size_t line;
	int rc;

	while ((rc = csv_next(csv, &line, join->e)) == 1)
		if (add_row(join, csv, columns, line) < 0)
			return -1;
	return rc;
}

static int
read_text(struct join *join, struct document *document)
{
	struct csv_reader csv = {
	    .text = &document->text, .line = 1, .arena = arena_new()};
	struct csv_columns columns;
	int rc;

	rc = read_header(join, &csv, &columns);
	if (rc == 0)
		rc = read_rows(join, &csv, &columns);
	arena_free(csv.arena);
	return rc;
}

/*
 * Where the last whole row of the window ends: behind a line end with an even
 * number of quotes before it.  A quote that is out of place is a fault in its
 * row, which is found before what follows could be taken for another row.
 */
static size_t
whole_rows(const struct window *w)
{
	const char *begin = w->data + w->at, *end = w->data + w->complete;
	const char *p = begin, *rows = begin, *quote, *line;
	bool open = false;

	while ((quote = memchr(p, '"', (size_t)(end - p)))) {
		/* The last line end of the part that is not quoted. */
		for (line = quote; !open && line > p && line[-1] != '\n';)
			line--;
		if (!open && line > p)
			rows = line;
		open = !open;
		p = quote + 1;
	}
	return open ? (size_t)(rows - w->data) : w->complete;
}

/* The rows of the window up to end, which csv_next cuts up where they are. */
static int
read_window(struct join *join, struct csv_reader *csv,
    struct csv_columns *columns, struct window *w, size_t end)
{
	char saved = w->data[end];
	int rc = 0;

	*csv->text = (struct text){w->file, w->data + w->at, end - w->at};
	csv->offset = 0;
	w->data[end] = '\0';
	if (!columns->n)
		rc = read_header(join, csv, columns);
	if (rc == 0)
		rc = read_rows(join, csv, columns);
	w->data[end] = saved;
	w->at = w->keep = end;
	return rc;
}

static enum stream_result
stream_rows(struct join *join, struct csv_reader *csv, struct window *w)
{
	struct csv_columns columns = {.n = 0};
	enum stream_result result;
	size_t end;

	while ((result = window_fill(w, join->e)) == STREAM_LINES) {
		/* A row with line ends in it may need more of the file. */
		end = whole_rows(w);
		while (end == w->at && w->len < LONG_LINE &&
		    window_extend(w, join->e))
			end = whole_rows(w);
		if (end == w->at && !w->ended)
			return STREAM_ODD;
		if (w->ended)
			end = w->complete;
		/* A header that is not there yet is the slow path's to tell. */
		if (read_window(join, csv, &columns, w, end) < 0)
			return columns.n ? STREAM_FAILED : STREAM_ODD;
	}
	return result;
}

static enum stream_result
stream(struct join *join, struct window *window)
{
	struct text text = {.data = NULL};
	struct csv_reader csv = {
	    .text = &text, .line = 1, .arena = arena_new()};
	enum stream_result result = stream_rows(join, &csv, window);

	arena_free(csv.arena);
	return result;
}

const struct run_format run_csv = {
    .name = "csv",
    .syntax = SYNTAX_TEXT,
    .detect = detect,
    .read = read_text,
    .stream = stream,
    .summary = "CSV ranks: question,expected,rank",
};
