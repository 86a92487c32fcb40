/*
 * CSV as a question file: question,expected[,rank][,further fields], or
 * id,text,expected.  Several expected documents, with ';' between them, are
 * alternatives, as expected_any says outright; pages, holdout and evaluable
 * are what they are in YAML.
 */
#include <string.h>
#include <strings.h>

#include "internal.h"

static bool
detect(const struct document *document)
{
	static const char *const all[] = {"expected"};
	static const char *const any[] = {"expected_any"};

	return csv_detect(&document->text, all, COUNT(all)) ||
	    csv_detect(&document->text, any, COUNT(any));
}

size_t
expected_split(struct arena *arena, const char *ids, struct expected **expected)
{
	size_t n = 0, cap = 0, len;
	char *one;

	*expected = NULL;
	for (; *ids; ids += len + (ids[len] == ';')) {
		len = strcspn(ids, ";");
		one = arena_strndup(arena, ids, len);
		one += strspn(one, " \t");
		while (*one && strchr(" \t", one[strlen(one) - 1]))
			one[strlen(one) - 1] = '\0';
		if (!*one)
			continue;
		*expected =
		    arena_grow(arena, *expected, n, &cap, sizeof(**expected));
		(*expected)[n++] =
		    (struct expected){.document = one, .grade = 1};
	}
	return n;
}

struct row {
	struct question_builder *builder;
	const struct csv_reader *csv;
	const struct csv_columns *columns;
	size_t line;
};

/* A cell's text, "" where there is no such column. */
static const char *
cell(const struct row *row, size_t column)
{
	return column == CSV_NONE ? "" : row->csv->cells[column];
}

static int
read_flag(const struct row *row, size_t column, bool *flag)
{
	const char *text = cell(row, column);

	/* Spreadsheets and data frames write them in other letters. */
	if (strcasecmp(text, "true") == 0)
		*flag = true;
	else if (strcasecmp(text, "false") == 0)
		*flag = false;
	else if (*text)
		return fail_at(row->builder->e, row->builder->file, row->line,
		    "%s is '%s': write true or false, or leave it empty",
		    row->columns->names[column], text);
	return 0;
}

/* Pages of all its documents, with ';' between them, ascending. */
static int
read_pages(const struct row *row, struct expected *expected, size_t nexpected)
{
	struct arena *arena = row->builder->arena;
	struct expected *words;
	struct pages pages;
	int64_t *to;
	size_t n, i;

	/* The cell is split as one of documents is. */
	n = expected_split(arena, cell(row, row->columns->pages), &words);
	if (!n)
		return 0;
	to = arena_array(arena, n, sizeof(*to));
	for (i = 0; i < n; i++) {
		const char *word = words[i].document;

		if (integer_parse(word, strlen(word), &to[i]) < 0 ||
		    to[i] < 0 || to[i] > INT32_MAX)
			return fail_at(row->builder->e, row->builder->file,
			    row->line,
			    "pages is '%s': write page numbers, with ';' "
			    "between several",
			    word);
	}
	pages = pages_of(to, n);
	for (i = 0; i < nexpected; i++)
		expected[i].pages = pages;
	return 0;
}

/* Whether a column has a meaning of its own. */
static bool
known(const struct csv_columns *columns, size_t i)
{
	const size_t ours[] = {columns->question, columns->text,
	    columns->expected, columns->expected_any, columns->rank,
	    columns->pages, columns->holdout, columns->evaluable};
	size_t k;

	for (k = 0; k < COUNT(ours); k++)
		if (ours[k] == i)
			return true;
	return false;
}

static size_t
read_fields(const struct row *row, const struct field **all)
{
	struct arena *arena = row->builder->arena;
	const struct csv_columns *columns = row->columns;
	struct field *fields = arena_array(arena, columns->n, sizeof(*fields));
	size_t i, n = 0;

	for (i = 0; i < columns->n; i++)
		if (!known(columns, i) && *cell(row, i))
			fields[n++] = (struct field){columns->names[i],
			    arena_strdup(arena, cell(row, i))};
	*all = fields;
	return n;
}

static int
add_row(const struct row *row)
{
	struct question_builder *builder = row->builder;
	const struct csv_columns *columns = row->columns;
	struct arena *arena = builder->arena;
	const char *cells, *text = cell(row, columns->text);
	struct question_more more = {.text = NULL};
	struct expected *expected = NULL;
	bool holdout = false, evaluable = true;
	struct question question = {.place = (unsigned)row->line};
	size_t n = 0;

	if (csv_expected(row->csv, columns, row->line, &cells, builder->e) <
		0 ||
	    read_flag(row, columns->holdout, &holdout) < 0 ||
	    read_flag(row, columns->evaluable, &evaluable) < 0)
		return -1;
	if (evaluable)
		n = expected_split(arena, cells, &expected);
	if (n && read_pages(row, expected, n) < 0)
		return -1;
	question.id = arena_strdup(arena, cell(row, columns->question));
	question.any = n > 1;
	question.holdout = holdout;
	more.text = *text ? arena_strdup(arena, text) : question.id;
	more.nfields = read_fields(row, &more.fields);
	return question_add(builder, question, expected, n, &more);
}

static int
read_text(struct question_builder *builder, struct document *document)
{
	struct text *text = &document->text;
	struct csv_reader csv = {
	    .text = text, .line = 1, .arena = builder->arena};
	struct csv_columns columns;
	struct row row = {builder, &csv, &columns, 0};
	size_t i;
	int rc;

	if (csv_header(&csv, &columns, builder->e) < 0)
		return -1;
	if (columns.expected == CSV_NONE && columns.expected_any == CSV_NONE)
		return fail_at(builder->e, text->file, 1,
		    "has no column 'expected'; the header should read "
		    "question,expected");
	/* The names outlive the text. */
	for (i = 0; i < columns.n; i++)
		columns.names[i] =
		    arena_strdup(builder->arena, columns.names[i]);
	while ((rc = csv_next(&csv, &row.line, builder->e)) == 1) {
		if (csv.ncells != columns.n)
			return fail_at(builder->e, text->file, row.line,
			    "%zu cells where the header has %zu", csv.ncells,
			    columns.n);
		if (add_row(&row) < 0)
			return -1;
	}
	return rc;
}

const struct question_format question_csv = {
    .name = "csv",
    .syntax = SYNTAX_TEXT,
    .detect = detect,
    .read = read_text,
    .summary = "CSV: question,expected, ';' between alternatives",
};
