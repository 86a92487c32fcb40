/*
 * TREC runs whose questions' lines do not stand together.  The first pass
 * over the file counts the lines of each question; every further one holds
 * those of as many questions as a part of the file's size allows.
 */
#include <stdlib.h>
#include <string.h>

#include "fast.h"

/* Lines that are held at a time: these, or a part of all. */
#define HELD_MIN ((size_t)1 << 16)
#define PASSES 16

struct held {
	uint32_t document, length; /* in text */
	double score;
	int64_t rank;
	size_t line;
	size_t question; /* in order of appearance */
};

struct scattered {
	struct join *join;
	struct window *window;
	struct arena *arena;
	struct map by_id;
	const char **ids;
	size_t *counts; /* lines, by question */
	size_t nids, ids_cap, counts_cap;
	size_t nlines;
	/* The questions of this pass, and their lines. */
	size_t from, to;
	struct held *held;
	size_t nheld, cap;
	struct buf text;
	struct result *results;
	size_t nresults;
};

static int
count_line(struct scattered *s, const char *line, const struct trec_line *f)
{
	size_t index = s->nids, number = s->window->line;
	const char *id = line + f->id;

	if (trec_check(line, f, s->window->file, number, s->join->e) < 0)
		return -1;
	if (!map_get(&s->by_id, id, f->idlen, &index)) {
		id = arena_strndup(s->arena, id, f->idlen);
		map_add(&s->by_id, id, f->idlen, &index);
		s->ids = arena_grow(
		    s->arena, s->ids, s->nids, &s->ids_cap, sizeof(*s->ids));
		s->counts = arena_grow(s->arena, s->counts, s->nids,
		    &s->counts_cap, sizeof(*s->counts));
		s->ids[s->nids] = id;
		s->counts[s->nids++] = 0;
	}
	s->counts[index]++;
	s->nlines++;
	return 0;
}

static int
hold_line(struct scattered *s, const char *line, const struct trec_line *f)
{
	struct held *held;
	size_t index;

	if (!map_get(&s->by_id, line + f->id, f->idlen, &index) ||
	    index < s->from || index >= s->to)
		return 0;
	if (s->nheld == s->cap) {
		s->cap = s->cap ? s->cap * 2 : 1024;
		s->held = memory_resize(s->held, s->cap, sizeof(*s->held));
	}
	held = &s->held[s->nheld++];
	held->document = (uint32_t)s->text.len;
	held->length = (uint32_t)f->length;
	held->line = s->window->line;
	held->question = index;
	held->rank = trec_rank(line + f->rank, f->rank_length);
	number_parse(line + f->score, f->score_length, &held->score);
	buf_add(&s->text, line + f->document, f->length);
	buf_putc(&s->text, '\0');
	return 0;
}

/* Gives every line of the file to take. */
static enum stream_result
each_line(struct scattered *s,
    int (*take)(struct scattered *, const char *, const struct trec_line *))
{
	struct window *w = s->window;
	enum stream_result result;
	struct trec_line f;
	const char *line, *lf;

	if (window_rewind(w, s->join->e) < 0)
		return STREAM_FAILED;
	while ((result = window_fill(w, s->join->e)) == STREAM_LINES) {
		for (; w->at < w->complete; w->line++) {
			line = w->data + w->at;
			lf = memchr(line, '\n', w->complete - w->at + 1);
			trec_split(line, (size_t)(lf - line), &f);
			if (f.nfields && take(s, line, &f) < 0)
				return STREAM_FAILED;
			w->at += (size_t)(lf - line) + 1;
		}
		w->keep = w->at;
		if (s->text.len > UINT32_MAX / 2)
			return STREAM_ODD;
	}
	return result;
}

static int
compare_held(const void *a, const void *b)
{
	const struct held *x = a, *y = b;

	if (x->question != y->question)
		return x->question < y->question ? -1 : 1;
	return x->line < y->line ? -1 : 1;
}

static int
join_question(struct scattered *s, const struct held *held, size_t n)
{
	size_t i;

	if (n > s->nresults) {
		s->nresults = n + n / 2;
		s->results =
		    memory_resize(s->results, s->nresults, sizeof(*s->results));
	}
	for (i = 0; i < n; i++)
		s->results[i] = (struct result){
		    .document = s->text.data + held[i].document,
		    .score = held[i].score,
		    .scored = true,
		    .rank = held[i].rank,
		    .line = held[i].line,
		};
	return join_list(s->join, s->ids[held->question], s->results, n, true,
	    s->window->file, held->line);
}

/* The next questions whose lines can be held together. */
static void
choose(struct scattered *s)
{
	size_t limit = s->nlines / PASSES, n = 0;

	if (limit < HELD_MIN)
		limit = HELD_MIN;
	s->from = s->to;
	while (s->to < s->nids && (n == 0 || n + s->counts[s->to] <= limit))
		n += s->counts[s->to++];
	s->nheld = s->text.len = 0;
}

static enum stream_result
read_part(struct scattered *s)
{
	enum stream_result result = each_line(s, hold_line);
	size_t i, n;

	if (result != STREAM_DONE)
		return result;
	qsort(s->held, s->nheld, sizeof(*s->held), compare_held);
	for (i = 0; i < s->nheld; i += n) {
		n = s->counts[s->held[i].question];
		if (join_question(s, &s->held[i], n) < 0)
			return STREAM_FAILED;
	}
	return STREAM_DONE;
}

enum stream_result
trec_read_scattered(struct join *join, struct window *window)
{
	struct scattered s = {
	    .join = join, .window = window, .arena = arena_new()};
	enum stream_result result;

	buf_init(&s.text);
	map_init(&s.by_id, s.arena);
	result = each_line(&s, count_line);
	while (result == STREAM_DONE && s.to < s.nids) {
		choose(&s);
		result = read_part(&s);
	}
	buf_free(&s.text);
	free(s.held);
	free(s.results);
	arena_free(s.arena);
	return result;
}
