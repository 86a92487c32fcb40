/*
 * CSV ranks: question,rank[,expected].  question is an id, else a text; an
 * empty rank or 0 is a miss.
 */
#include <string.h>

#include "internal.h"

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
	if (columns->expected != CSV_NONE)
		expected = csv->cells[columns->expected];
	return join_rank(join, csv->cells[columns->question], (unsigned)rank,
	    expected, file, line);
}

static int
read_text(struct join *join, struct document *document)
{
	struct text *text = &document->text;
	struct csv_reader csv = {.text = text, .line = 1, .arena = arena_new()};
	struct csv_columns columns;
	size_t line;
	int rc;

	rc = csv_header(&csv, &columns, join->e);
	if (rc == 0 && columns.rank == CSV_NONE)
		rc = fail_at(join->e, text->file, 1,
		    "has no column 'rank'; the header should read "
		    "question,expected,rank");
	while (rc == 0 && (rc = csv_next(&csv, &line, join->e)) == 1)
		rc = add_row(join, &csv, &columns, line);
	arena_free(csv.arena);
	return rc;
}

const struct run_format run_csv = {
    .name = "csv",
    .syntax = SYNTAX_TEXT,
    .detect = detect,
    .read = read_text,
    .summary = "CSV ranks: question,expected,rank",
};
