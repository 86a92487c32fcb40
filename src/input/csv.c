/*
 * CSV as RFC 4180 has it, with LF or CRLF.  Our own reader rather than a
 * library's: it must know the line that a row begins on, and the line of a
 * quote that is never closed.
 */
#include <string.h>

#include "internal.h"

static void
add_cell(struct csv_reader *csv, char *cell)
{
	csv->cells = arena_grow(csv->arena, csv->cells, csv->ncells, &csv->cap,
	    sizeof(*csv->cells));
	csv->cells[csv->ncells++] = cell;
}

/* Unquotes in place; returns what follows the closing quote, or NULL. */
static char *
quoted(struct csv_reader *csv, char *p, char **cell)
{
	char *to = ++p;

	*cell = to;
	for (;; p++) {
		if (!*p)
			return NULL;
		if (*p == '\n')
			csv->line++;
		if (*p == '"') {
			if (p[1] != '"')
				break;
			p++;
		}
		*to++ = *p;
	}
	/* The closing quote itself leaves room for the NUL. */
	*to = '\0';
	return p + 1;
}

/* Reads one cell; *p is left on its delimiter, which is then overwritten. */
static int
cell(struct csv_reader *csv, char **p, char *delimiter, struct error *e)
{
	size_t line = csv->line;
	char *text, *end;

	if (**p == '"') {
		end = quoted(csv, *p, &text);
		if (!end)
			return fail_at(e, csv->text->file, line,
			    "a quote is opened here and never closed");
		if (*end && !strchr(",\r\n", *end))
			return fail_at(e, csv->text->file, csv->line,
			    "text follows a closing quote; double a quote "
			    "(\"\") that belongs to the text");
	} else {
		text = *p;
		end = text + strcspn(text, ",\n\"");
		if (*end == '"')
			return fail_at(e, csv->text->file, line,
			    "a quote inside a cell that is not quoted; put "
			    "the cell in quotes and double those inside");
	}
	*delimiter = *end;
	if (**p != '"' && end > text && *end != ',' && end[-1] == '\r')
		end[-1] = '\0';
	if (*end == '\r' && end[1] == '\n')
		*delimiter = *++end;
	*end = '\0';
	*p = end;
	add_cell(csv, text);
	return 0;
}

int
csv_next(struct csv_reader *csv, size_t *line, struct error *e)
{
	struct text *text = csv->text;
	char *p, delimiter = '\0';

	do {
		if (csv->offset >= text->len)
			return 0;
		p = text->data + csv->offset;
		*line = csv->line;
		csv->ncells = 0;
		for (;;) {
			if (cell(csv, &p, &delimiter, e) < 0)
				return -1;
			if (delimiter != ',')
				break;
			p++;
		}
		csv->line++;
		csv->offset = (size_t)(p - text->data) + 1;
	} while (csv->ncells == 1 &&
	    csv->cells[0][strspn(csv->cells[0], " \t\r")] == '\0');
	return 1;
}

int
csv_names(struct csv_reader *csv, struct csv_columns *columns, struct error *e)
{
	size_t line, i, j;
	int rc;

	*columns = (struct csv_columns){.n = 0};
	rc = csv_next(csv, &line, e);
	if (rc == 0)
		return fail_at(e, csv->text->file, 1, "has no header");
	if (rc < 0)
		return -1;
	columns->n = csv->ncells;
	columns->names =
	    arena_array(csv->arena, columns->n, sizeof(*columns->names));
	for (i = 0; i < columns->n; i++) {
		columns->names[i] = csv->cells[i];
		for (j = 0; j < i; j++)
			if (strcmp(csv->cells[i], csv->cells[j]) == 0)
				return fail_at(e, csv->text->file, line,
				    "column '%s' stands twice", csv->cells[i]);
	}
	return 0;
}

/* The column with one of these names, the first; *other: a second one. */
static size_t
column_of(const struct csv_columns *columns, const char *const *names,
    size_t nnames, size_t *other)
{
	size_t found = CSV_NONE, i, j;

	*other = CSV_NONE;
	for (i = 0; i < columns->n; i++)
		for (j = 0; j < nnames; j++) {
			if (strcmp(columns->names[i], names[j]) != 0)
				continue;
			if (found == CSV_NONE)
				found = i;
			else if (*other == CSV_NONE)
				*other = i;
		}
	return found;
}

static size_t
column(const struct csv_columns *columns, const char *name)
{
	size_t other;

	return column_of(columns, &name, 1, &other);
}

/* Names that a question's id and its text go by in the wild. */
static const char *const id_names[] = {"id", "query_id"};
static const char *const text_names[] = {"text", "question", "query"};
static const char *const question_names[] = {
    "question", "id", "query_id", "query"};

static int
two_columns(const struct csv_reader *csv, const struct csv_columns *columns,
    size_t first, size_t other, struct error *e)
{
	return fail_at(e, csv->text->file, 1,
	    "columns '%s' and '%s' say the same thing of a question; keep one",
	    columns->names[first], columns->names[other]);
}

/*
 * `question` is what the rows are about, an id or a text; beside a column
 * with ids it is the text.
 */
static int
find_question(
    const struct csv_reader *csv, struct csv_columns *columns, struct error *e)
{
	size_t other, id;

	columns->question =
	    column_of(columns, question_names, COUNT(question_names), &other);
	if (columns->question == CSV_NONE)
		return fail_at(e, csv->text->file, 1,
		    "has no column 'question'; the header should read "
		    "question,expected,rank");
	id = column_of(columns, id_names, COUNT(id_names), &other);
	if (other != CSV_NONE)
		return two_columns(csv, columns, id, other, e);
	columns->text =
	    column_of(columns, text_names, COUNT(text_names), &other);
	if (columns->text == columns->question) {
		columns->text = other;
		return 0;
	}
	if (other != CSV_NONE && other != columns->question)
		return two_columns(csv, columns, columns->text, other, e);
	return 0;
}

int
csv_header(struct csv_reader *csv, struct csv_columns *columns, struct error *e)
{
	if (csv_names(csv, columns, e) < 0)
		return -1;
	columns->expected = column(columns, "expected");
	columns->expected_any = column(columns, "expected_any");
	columns->rank = column(columns, "rank");
	columns->pages = column(columns, "pages");
	columns->holdout = column(columns, "holdout");
	columns->evaluable = column(columns, "evaluable");
	return find_question(csv, columns, e);
}

int
csv_expected(const struct csv_reader *csv, const struct csv_columns *columns,
    size_t line, const char **expected, struct error *e)
{
	const char *all = NULL, *any = NULL;

	if (columns->expected != CSV_NONE)
		all = csv->cells[columns->expected];
	if (columns->expected_any != CSV_NONE)
		any = csv->cells[columns->expected_any];
	if (all && any && *all && *any)
		return fail_at(e, csv->text->file, line,
		    "question '%s' has both 'expected' and 'expected_any'; "
		    "keep one",
		    csv->cells[columns->question]);
	*expected = any && (!all || *any) ? any : all;
	return 0;
}

/* Whether the header line names a column, quoted or not. */
static bool
names_column(const char *line, size_t len, const char *column)
{
	size_t n = strlen(column), i, cell;

	for (i = 0; i < len; i += cell + 1) {
		cell = 0;
		while (i + cell < len && line[i + cell] != ',')
			cell++;
		if (cell == n && memcmp(line + i, column, n) == 0)
			return true;
		if (cell == n + 2 && line[i] == '"' &&
		    memcmp(line + i + 1, column, n) == 0)
			return true;
	}
	return false;
}

bool
csv_detect(const struct text *text, const char *const *columns, size_t ncolumns)
{
	size_t len = strcspn(text->data, "\r\n"), i;

	if (!memchr(text->data, ',', len))
		return false;
	for (i = 0; i < ncolumns; i++)
		if (!names_column(text->data, len, columns[i]))
			return false;
	return true;
}
