/* One line of a TREC run, whatever its layout, and what can be wrong in it. */
#include <string.h>

#include "fast.h"

static bool
blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

void
trec_split(const char *line, size_t len, struct trec_line *fields)
{
	size_t at[5], lengths[5], n = 0, i = 0, begin;

	for (;;) {
		while (i < len && blank(line[i]))
			i++;
		if (i == len || (n == 0 && line[i] == '#'))
			break;
		begin = i;
		while (i < len && !blank(line[i]))
			i++;
		if (n < COUNT(at)) {
			at[n] = begin;
			lengths[n] = i - begin;
		}
		n++;
	}
	*fields = (struct trec_line){.nfields = n};
	if (n < COUNT(at))
		return;
	fields->id = at[0];
	fields->idlen = lengths[0];
	fields->document = at[2];
	fields->length = lengths[2];
	fields->rank = at[3];
	fields->rank_length = lengths[3];
	fields->score = at[4];
	fields->score_length = lengths[4];
}

int64_t
trec_rank(const char *text, size_t len)
{
	int64_t rank;

	return integer_parse(text, len, &rank) == 0 && rank >= 0 ? rank : -1;
}

int
trec_check(const char *line, const struct trec_line *fields, const char *file,
    size_t number, struct error *e)
{
	double score;

	if (fields->nfields < 6)
		return fail_at(e, file, number,
		    "%zu column%s where a TREC run has 6: qid Q0 docno rank "
		    "score tag",
		    fields->nfields, fields->nfields == 1 ? "" : "s");
	if (number_parse(line + fields->score, fields->score_length, &score) ==
	    0)
		return 0;
	return fail_at(e, file, number,
	    "question '%s': score '%s' of document '%s' is no finite decimal "
	    "number",
	    arena_strndup(e->arena, line + fields->id, fields->idlen),
	    arena_strndup(e->arena, line + fields->score, fields->score_length),
	    arena_strndup(e->arena, line + fields->document, fields->length));
}
