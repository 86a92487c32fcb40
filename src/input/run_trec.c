/*
 * TREC runs: qid Q0 docno rank score tag.  Lines may stand in any order; the
 * rank column is ignored, as trec_eval does.
 */
#include <stdlib.h>
#include <string.h>

#include "fast.h"

struct line {
	size_t question; /* index in order of appearance */
	struct result result;
};

struct lines {
	struct line *items;
	size_t nitems, cap;
	const char **ids;
	size_t nids, ids_cap;
	struct map by_id;
	struct arena *arena; /* of this file alone */
};

static bool
detect(const struct document *document)
{
	bool integer;

	return fields_count_first(&document->text, &integer) >= 5;
}

static int
add_line(struct lines *lines, const struct fields *fields, const char *file,
    struct error *e)
{
	size_t index = lines->nids;
	struct line line = {.question = 0};

	if (fields->n < 6)
		return fail_at(e, file, fields->line,
		    "%zu column%s where a TREC run has 6: qid Q0 docno rank "
		    "score tag",
		    fields->n, fields->n == 1 ? "" : "s");
	if (number_parse(
		fields->at[4], strlen(fields->at[4]), &line.result.score) < 0)
		return fail_at(e, file, fields->line,
		    "question '%s': score '%s' of document '%s' is no finite "
		    "decimal number",
		    fields->at[0], fields->at[4], fields->at[2]);
	if (map_add(
		&lines->by_id, fields->at[0], strlen(fields->at[0]), &index)) {
		lines->ids = arena_grow(lines->arena, lines->ids, lines->nids,
		    &lines->ids_cap, sizeof(*lines->ids));
		lines->ids[lines->nids++] = fields->at[0];
	}
	line.question = index;
	line.result.document = fields->at[2];
	line.result.scored = true;
	line.result.rank = trec_rank(fields->at[3], strlen(fields->at[3]));
	line.result.line = fields->line;
	lines->items = arena_grow(lines->arena, lines->items, lines->nitems,
	    &lines->cap, sizeof(*lines->items));
	lines->items[lines->nitems++] = line;
	return 0;
}

static int
compare_lines(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	if (x->question != y->question)
		return x->question < y->question ? -1 : 1;
	return x->result.line < y->result.line ? -1 : 1;
}

/* items[from ..] up to the next question's. */
static int
join_question(struct join *join, struct lines *lines, size_t from, size_t n,
    const char *file)
{
	struct result *results = arena_array(lines->arena, n, sizeof(*results));
	size_t i;

	for (i = 0; i < n; i++)
		results[i] = lines->items[from + i].result;
	return join_list(join, lines->ids[lines->items[from].question], results,
	    n, true, file, results[0].line);
}

int
trec_read_text(
    struct join *join, char *data, size_t len, size_t line, const char *file)
{
	struct fields_reader reader = {data, data + len, line, false};
	struct lines lines = {.arena = arena_new()};
	struct fields fields;
	size_t i, n;
	int rc = 0;

	map_init(&lines.by_id, lines.arena);
	while (rc == 0 && fields_next(&reader, &fields))
		rc = add_line(&lines, &fields, file, join->e);
	if (lines.nitems)
		qsort(lines.items, lines.nitems, sizeof(*lines.items),
		    compare_lines);
	for (i = 0; rc == 0 && i < lines.nitems; i += n) {
		for (n = 1; i + n < lines.nitems &&
		     lines.items[i + n].question == lines.items[i].question;)
			n++;
		rc = join_question(join, &lines, i, n, file);
	}
	arena_free(lines.arena);
	return rc;
}

static int
read_text(struct join *join, struct document *document)
{
	struct text *text = &document->text;

	return trec_read_text(join, text->data, text->len, 1, text->file);
}

const struct run_format run_trec = {
    .name = "trec",
    .syntax = SYNTAX_TEXT,
    .detect = detect,
    .read = read_text,
    .stream = trec_stream,
    .summary = "TREC: qid Q0 docno rank score tag",
};
