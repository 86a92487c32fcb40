/*
 * Any bytes as a question file, in the format that the first byte names or
 * by content: no crash, and what is accepted keeps its promises.
 */
#include <string.h>

#include "evalgate/input.h"

#include "memory_file.h"
#include "target.h"

static void
check(const struct questions *questions)
{
	const struct judgment *judged;
	const struct question *q;
	size_t i, k, answerable = 0;
	unsigned line;

	must(questions->nitems > 0);
	for (i = 0; i < questions->nitems; i++) {
		q = &questions->items[i];
		must(*q->id != '\0');
		must(i == 0 || strcmp(q[-1].id, q->id) < 0);
		must(questions_find(questions, q->id) == q);
		must(utf8_check(q->id, strlen(q->id)) == strlen(q->id));
		must(questions_place(questions, q, &line) && line > 0);
		judged = question_judgments(q);
		for (k = 1; k < q->njudgments; k++)
			must(strcmp(judgment_document(q, &judged[k - 1]),
				 judgment_document(q, &judged[k])) < 0);
		answerable += !q->unanswerable;
	}
	must(answerable == questions->nanswerable);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const formats[] = {NULL, "evalgate", "companion",
	    "trec", "beir", "csv", "map", "texts"};
	struct arena *arena;
	struct error e;
	struct questions questions;
	const char *file;

	if (size < 1)
		return 0;
	arena = arena_new();
	e = (struct error){.arena = arena};
	file = memory_file(data + 1, size - 1, 0);
	if (questions_read(arena, &file, 1, formats[data[0] % COUNT(formats)],
		&questions, &e) == 0)
		check(&questions);
	else
		must(e.nitems > 0);
	memory_file_remove(file);
	arena_free(arena);
	return 0;
}
