/*
 * Any bytes as a run, in the format that the first byte names or by content,
 * against a small question set: no crash, and every score lies in 0..1.
 */
#include <string.h>

#include "evalgate/gate.h"

#include "memory_file.h"
#include "target.h"

static const char judgments[] =
    "{\"q1\":{\"a\":1,\"b\":2,\"c\":0,\"d\":-1},\"q2\":{\"x\":1},"
    "\"q3\":{\"y\":0}}";

static void
score(struct arena *arena, const struct questions *questions,
    const struct run *run)
{
	static const char *const names[] = {"recall@2", "mrr", "ndcg", "map",
	    "precision@3", "rprec", "bpref", "judged@2"};
	struct measure measures[COUNT(names)];
	struct rules rules = {
	    .relevance = 1, .measures = measures, .nmeasures = COUNT(names)};
	struct ranking_scratch scratch = {.arena = arena};
	struct error e = {.arena = arena};
	double values[COUNT(names)];
	struct views views;
	struct scores scores;
	const char *mend;
	size_t i, q;

	for (i = 0; i < COUNT(names); i++)
		must(measure_parse(arena, names[i], &measures[i], &mend) == 0);
	must(views_make(arena, &rules, questions, &views, &e) == 0);
	if (scores_make(arena, questions, run->answers, &rules, &views, &scores,
		&e) < 0) {
		must(e.nitems > 0);
		return;
	}
	for (q = 0; q < questions->nitems; q++) {
		must(scores_of(&scratch, &questions->items[q], &run->answers[q],
			 &rules, values) == COUNT(names));
		for (i = 0; i < COUNT(names); i++)
			must(values[i] >= 0 && values[i] <= 1);
	}
	for (i = 0; i < COUNT(names); i++)
		must(scores.means[i] >= 0 && scores.means[i] <= 1);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const formats[] = {
	    NULL, "trec", "jsonl", "map", "ranks", "companion", "csv"};
	struct run_options options = {.relevance = 1};
	struct questions questions;
	struct arena *arena;
	struct error e;
	struct run run;
	const char *file;

	if (size < 2)
		return 0;
	arena = arena_new();
	e = (struct error){.arena = arena};
	file =
	    memory_file((const uint8_t *)judgments, sizeof(judgments) - 1, 0);
	must(questions_read(arena, &file, 1, "map", &questions, &e) == 0);
	memory_file_remove(file);
	options.format = formats[data[0] % COUNT(formats)];
	options.duplicates_first = data[1] & 1;
	options.order_by_score = data[1] & 2;
	options.match_page = data[1] & 4;
	file = memory_file(data + 2, size - 2, 1);
	if (run_read(arena, &file, 1, &options, &questions, &run, &e) == 0)
		score(arena, &questions, &run);
	else
		must(e.nitems > 0);
	memory_file_remove(file);
	arena_free(arena);
	return 0;
}
