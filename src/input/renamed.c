/*
 * Documents that go by other ids than in older records: CSV old,new, the
 * oldest first.  A name can be given up but once; several may have become one.
 */
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

size_t
renamed_documents_add(struct renamed_documents *list, struct arena *arena,
    size_t line, const char *from, const char *to)
{
	size_t place = list->n + 1, last = list->nlast;

	if (!list->n) {
		map_init(&list->by_old, arena);
		map_init(&list->by_new, arena);
	}
	if (!map_add(&list->by_old, from, strlen(from), &place))
		return list->items[place - 1].line;
	if (map_add(&list->by_new, to, strlen(to), &last)) {
		list->last = arena_grow(arena, list->last, list->nlast,
		    &list->last_cap, sizeof(*list->last));
		list->last[list->nlast++] = 0;
	}
	list->items = arena_grow(
	    arena, list->items, list->n, &list->cap, sizeof(*list->items));
	list->items[list->n++] =
	    (struct renamed_document){from, to, line, list->last[last]};
	list->last[last] = place;
	return 0;
}

size_t
renamed_last(const struct renamed_documents *list, const char *to)
{
	size_t i;

	return map_get(&list->by_new, to, strlen(to), &i) ? list->last[i] : 0;
}

static int
read_rows(struct csv_reader *csv, struct arena *arena,
    struct renamed_documents *list, struct error *e)
{
	struct csv_columns columns;
	size_t from, to, line, first;
	const char *old;
	int rc;

	if (csv_names(csv, &columns, e) < 0)
		return -1;
	from = column(&columns, "old");
	to = column(&columns, "new");
	if (from == CSV_NONE || to == CSV_NONE)
		return fail_at(e, csv->text->file, 1,
		    "has no columns 'old' and 'new'; the header should read "
		    "old,new");
	while ((rc = csv_next(csv, &line, e)) == 1) {
		if (csv->ncells != columns.n)
			return fail_at(e, csv->text->file, line,
			    "%zu cells where the header has %zu", csv->ncells,
			    columns.n);
		if (!*csv->cells[from] || !*csv->cells[to])
			return fail_at(e, csv->text->file, line,
			    "a document's id is empty");
		old = arena_strdup(arena, csv->cells[from]);
		first = renamed_documents_add(list, arena, line, old,
		    arena_strdup(arena, csv->cells[to]));
		if (first)
			return fail_at(e, csv->text->file, line,
			    "'%s' stands twice as old; first on line %zu", old,
			    first);
	}
	return rc;
}

int
renamed_documents_read(struct arena *arena, const char *file,
    struct renamed_documents *list, struct error *e)
{
	struct csv_reader csv = {.line = 1, .arena = arena};
	struct text text;
	struct buf buf;
	int rc;

	buf_init(&buf);
	rc = file_read(file, &buf, e);
	if (rc == 0)
		rc = text_open(&text, &buf, file, e);
	csv.text = &text;
	if (rc == 0)
		rc = read_rows(&csv, arena, list, e);
	buf_free(&buf);
	return rc;
}
