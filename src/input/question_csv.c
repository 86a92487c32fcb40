/*
 * CSV as a question file: question,expected[,rank][,further fields].  Several
 * expected documents, with ';' between them, are alternatives.
 */
#include <string.h>

#include "internal.h"

static bool
detect(const struct document *document)
{
	static const char *const columns[] = {"expected"};

	return csv_detect(&document->text, columns, COUNT(columns));
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

static int
add_row(struct question_builder *builder, const struct csv_reader *csv,
    const struct csv_columns *columns, size_t line)
{
	struct arena *arena = builder->arena;
	struct field *fields;
	struct question_more more;
	struct question question;
	struct expected *expected;
	size_t i, n, nfields = 0;

	fields = arena_array(arena, columns->n, sizeof(*fields));
	for (i = 0; i < columns->n; i++) {
		if (i == columns->question || i == columns->expected ||
		    i == columns->rank || !*csv->cells[i])
			continue;
		fields[nfields++] = (struct field){
		    columns->names[i], arena_strdup(arena, csv->cells[i])};
	}
	question = (struct question){
	    .id = arena_strdup(arena, csv->cells[columns->question]),
	    .place = (unsigned)line,
	};
	more = (struct question_more){question.id, fields, nfields, NULL};
	for (i = 0; i < nfields; i++)
		if (strcmp(fields[i].name, "text") == 0)
			more.text = fields[i].value;
	n = expected_split(arena, csv->cells[columns->expected], &expected);
	question.any = n > 1;
	return question_add(builder, question, expected, n, &more);
}

static int
read_text(struct question_builder *builder, struct document *document)
{
	struct text *text = &document->text;
	struct csv_reader csv = {
	    .text = text, .line = 1, .arena = builder->arena};
	struct csv_columns columns;
	size_t line, i;
	int rc;

	if (csv_header(&csv, &columns, builder->e) < 0)
		return -1;
	if (columns.expected == CSV_NONE)
		return fail_at(builder->e, text->file, 1,
		    "has no column 'expected'; the header should read "
		    "question,expected");
	/* The names outlive the text. */
	for (i = 0; i < columns.n; i++)
		columns.names[i] =
		    arena_strdup(builder->arena, columns.names[i]);
	while ((rc = csv_next(&csv, &line, builder->e)) == 1) {
		if (csv.ncells != columns.n)
			return fail_at(builder->e, text->file, line,
			    "%zu cells where the header has %zu", csv.ncells,
			    columns.n);
		if (add_row(builder, &csv, &columns, line) < 0)
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
