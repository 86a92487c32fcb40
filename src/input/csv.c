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

/* Other names that a column goes by in the wild. */
static bool
is_question(const char *name)
{
	return strcmp(name, "question") == 0 || strcmp(name, "id") == 0 ||
	    strcmp(name, "query_id") == 0 || strcmp(name, "query") == 0;
}

int
csv_names(struct csv_reader *csv, struct csv_columns *columns, struct error *e)
{
	size_t line, i, j;
	int rc;

	*columns = (struct csv_columns){CSV_NONE, CSV_NONE, CSV_NONE, NULL, 0};
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

int
csv_header(struct csv_reader *csv, struct csv_columns *columns, struct error *e)
{
	size_t i;

	if (csv_names(csv, columns, e) < 0)
		return -1;
	for (i = 0; i < columns->n; i++) {
		if (strcmp(csv->cells[i], "expected") == 0)
			columns->expected = i;
		else if (strcmp(csv->cells[i], "rank") == 0)
			columns->rank = i;
		else if (columns->question == CSV_NONE &&
		    is_question(csv->cells[i]))
			columns->question = i;
	}
	if (columns->question == CSV_NONE)
		return fail_at(e, csv->text->file, 1,
		    "has no column 'question'; the header should read "
		    "question,expected,rank");
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
