/* Documents that go by other ids than in older records: CSV old,new. */
#include <string.h>

#include "internal.h"

static size_t
column(const struct csv_columns *columns, const char *name)
{
	size_t i;

	for (i = 0; i < columns->n; i++)
		if (strcmp(columns->names[i], name) == 0)
			return i;
	return CSV_NONE;
}

/* An id stands once in its column; what is kept is its line. */
static int
add_once(struct map *map, const struct csv_reader *csv, size_t cell,
    size_t line, struct error *e)
{
	const char *id = arena_strdup(csv->arena, csv->cells[cell]);
	size_t first = line;

	if (map_add(map, id, strlen(id), &first))
		return 0;
	return fail_at(e, csv->text->file, line,
	    "'%s' stands twice in this column; first on line %zu", id, first);
}

static int
read_rows(struct csv_reader *csv, struct arena *arena,
    const struct renamed_document **documents, size_t *n, struct error *e)
{
	struct renamed_document *list = NULL;
	struct csv_columns columns;
	struct map olds, news;
	size_t from, to, line, cap = 0;
	int rc;

	if (csv_names(csv, &columns, e) < 0)
		return -1;
	from = column(&columns, "old");
	to = column(&columns, "new");
	if (from == CSV_NONE || to == CSV_NONE)
		return fail_at(e, csv->text->file, 1,
		    "has no columns 'old' and 'new'; the header should read "
		    "old,new");
	map_init(&olds, arena);
	map_init(&news, arena);
	while ((rc = csv_next(csv, &line, e)) == 1) {
		if (csv->ncells != columns.n)
			return fail_at(e, csv->text->file, line,
			    "%zu cells where the header has %zu", csv->ncells,
			    columns.n);
		if (!*csv->cells[from] || !*csv->cells[to])
			return fail_at(e, csv->text->file, line,
			    "a document's id is empty");
		if (add_once(&olds, csv, from, line, e) < 0 ||
		    add_once(&news, csv, to, line, e) < 0)
			return -1;
		list = arena_grow(arena, list, *n, &cap, sizeof(*list));
		list[(*n)++] = (struct renamed_document){
		    arena_strdup(arena, csv->cells[from]),
		    arena_strdup(arena, csv->cells[to])};
	}
	*documents = list;
	return rc;
}

int
renamed_documents_read(struct arena *arena, const char *file,
    const struct renamed_document **documents, size_t *n, struct error *e)
{
	struct csv_reader csv = {.line = 1, .arena = arena};
	struct text text;
	struct buf buf;
	int rc;

	*n = 0;
	buf_init(&buf);
	rc = file_read(file, &buf, e);
	if (rc == 0)
		rc = text_open(&text, &buf, file, e);
	csv.text = &text;
	if (rc == 0)
		rc = read_rows(&csv, arena, documents, n, e);
	buf_free(&buf);
	return rc;
}
