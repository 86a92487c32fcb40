/*
 * TREC runs of any size.  Most lines look like the one before: the same
 * question, single separators, a score of the same shape.  Those are told by
 * a few vectors a line; any other line is split field by field.
 */
#include <stdlib.h>
#include <string.h>

#include "fast.h"

#if HAVE_VECTOR
#include <emmintrin.h>
#endif

#define PREFIX_MAX 32

struct trec_reader {
	struct join *join;
	struct window *window;
	struct list list;
	/* The question being read, which begins at window->keep. */
	char *id;
	size_t idlen, idcap;
	const struct question *question; /* NULL: nobody asked it */
	size_t first_line;
	bool open;
	/* Its lines' beginning, up to the document; 0: no such beginning. */
	char prefix[PREFIX_MAX];
	size_t nprefix;
	uint32_t prefix_bits;
	struct join_mark mark; /* what was there before this file */
	bool failed; /* a question was at fault; lines are still checked */
};

/* The question that was read, the slow way: its text, line by line. */
static int
join_slowly(struct trec_reader *r)
{
	struct window *w = r->window;
	struct buf copy;
	int rc;

	buf_init(&copy);
	buf_add(&copy, w->data + w->keep, w->at - w->keep);
	rc = trec_read_text(
	    r->join, copy.data, copy.len, r->first_line, w->file);
	buf_free(&copy);
	return rc;
}

static void
finish_question(struct trec_reader *r)
{
	struct window *w = r->window;
	enum list_result result;

	if (!r->open)
		return;
	r->open = false;
	if (r->failed)
		return;
	result = list_join(r->join, &r->list, w->data + w->keep, r->question,
	    r->id, r->idlen, w->file, r->first_line);
	if (result == LIST_SLOW)
		result = join_slowly(r) < 0 ? LIST_FAILED : LIST_JOINED;
	r->failed = result == LIST_FAILED;
}

/* Another id: false when lines of it have been before, in this file. */
static bool
begin_question(struct trec_reader *r, const char *id, size_t idlen)
{
	struct window *w = r->window;
	unsigned file;

	finish_question(r);
	r->question = join_find(r->join, id, idlen);
	if (join_seen(r->join, r->question, id, idlen, &file) &&
	    file == r->join->file)
		return false;
	if (idlen > r->idcap) {
		r->idcap = idlen * 2;
		r->id = memory_resize(r->id, r->idcap, 1);
	}
	memcpy(r->id, id, idlen);
	r->idlen = idlen;
	r->open = true;
	r->first_line = w->line;
	w->keep = w->at;
	list_clear(&r->list, true);
	return true;
}

/* What the next lines will begin with, if they are like this one. */
static void
learn_prefix(struct trec_reader *r, const char *line, const struct trec_line *f)
{
	r->nprefix = 0;
	if (f->id || f->document > PREFIX_MAX)
		return;
	memcpy(r->prefix, line, f->document);
	r->nprefix = f->document;
	r->prefix_bits = 0xffffffffu >> (PREFIX_MAX - f->document);
}

static inline void
add_entry(struct list *list, const char *base, const char *document,
    size_t length, const char *score, size_t score_length)
{
	struct entry *entry = list_add(list, base, document, length);

	entry->score = (uint32_t)(score - base);
	entry->score_length = (uint32_t)score_length & INT32_MAX;
}

#if HAVE_VECTOR
static inline __m128i
load16(const char *p)
{
	return _mm_loadu_si128((const __m128i *)(const void *)p);
}

/* A bit for each byte up to a blank, which all white space is. */
static inline uint64_t
blanks16(const char *p)
{
	__m128i v = load16(p);

	return (uint32_t)_mm_movemask_epi8(
	    _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(' ')), v));
}

static inline uint64_t
blanks64(const char *p)
{
	return blanks16(p) | blanks16(p + 16) << 16 | blanks16(p + 32) << 32 |
	    blanks16(p + 48) << 48;
}

/* A bit for each byte that is white space, as trec_split knows it. */
static inline uint64_t
white16(const char *p)
{
	__m128i v = load16(p), control = _mm_sub_epi8(v, _mm_set1_epi8('\t'));

	/* \t \n \v \f \r stand in a row. */
	control = _mm_cmpeq_epi8(
	    _mm_min_epu8(control, _mm_set1_epi8('\r' - '\t')), control);
	return (uint32_t)_mm_movemask_epi8(
	    _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8(' ')), control));
}

/* trec_split for a line of less than 64 bytes. */
static void
split_short(const char *line, size_t len, struct trec_line *f)
{
	uint64_t white, begins, ends;
	unsigned at[5], to[5], i;

	white = white16(line) | white16(line + 16) << 16 |
	    white16(line + 32) << 32 | white16(line + 48) << 48 |
	    ~(uint64_t)0 << len;
	begins = ~white & (white << 1 | 1);
	ends = white & ~(white << 1 | 1);
	*f = (struct trec_line){
	    .nfields = (unsigned)__builtin_popcountll(begins)};
	if (f->nfields && line[__builtin_ctzll(begins)] == '#')
		f->nfields = 0;
	if (f->nfields < COUNT(at))
		return;
	for (i = 0; i < COUNT(at); i++) {
		at[i] = (unsigned)__builtin_ctzll(begins);
		to[i] = (unsigned)__builtin_ctzll(ends);
		begins &= begins - 1;
		ends &= ends - 1;
	}
	f->id = at[0];
	f->idlen = to[0] - at[0];
	f->document = at[2];
	f->length = to[2] - at[2];
	f->rank = at[3];
	f->rank_length = to[3] - at[3];
	f->score = at[4];
	f->score_length = to[4] - at[4];
}
#endif

static inline void
split(const struct window *w, const char *line, size_t len, struct trec_line *f)
{
#if HAVE_VECTOR
	if (w->vector && len < 64) {
		split_short(line, len, f);
		return;
	}
#endif
	(void)w;
	trec_split(line, len, f);
}

/* A line of any layout, at window->at. */
static enum stream_result
read_any(struct trec_reader *r, size_t len)
{
	struct window *w = r->window;
	const char *line = w->data + w->at, *base;
	struct trec_line f;
	bool sound;

	split(w, line, len, &f);
	if (f.nfields == 0)
		return STREAM_LINES;
	if (!r->open || f.idlen != r->idlen ||
	    memcmp(line + f.id, r->id, f.idlen) != 0) {
		if (f.nfields >= 6 && !begin_question(r, line + f.id, f.idlen))
			return STREAM_SCATTERED;
	}
	sound = f.nfields >= 6;
	if (sound) {
		base = w->data + w->keep;
		add_entry(&r->list, base, line + f.document, f.length,
		    line + f.score, f.score_length);
		sound = score_note(&r->list, base, w->vector);
		learn_prefix(r, line, &f);
	}
	if (sound)
		return STREAM_LINES;
	/* A line's fault comes before a question's. */
	r->join->e->nitems = r->mark.nerrors;
	trec_check(line, &f, w->file, w->line, r->join->e);
	return STREAM_FAILED;
}

#if HAVE_VECTOR
static inline bool
same_prefix(const struct trec_reader *r, const char *line)
{
	uint32_t low, high;

	low = (uint32_t)_mm_movemask_epi8(
	    _mm_cmpeq_epi8(load16(line), load16(r->prefix)));
	high = (uint32_t)_mm_movemask_epi8(
	    _mm_cmpeq_epi8(load16(line + 16), load16(r->prefix + 16)));
	return ((low | high << 16) & r->prefix_bits) == r->prefix_bits;
}

/*
 * A line like the one before, and how long it is with its end; 0: read_any
 * has to look at it, for which nothing was done yet.
 */
static inline size_t
read_alike(struct trec_reader *r, const char *line, const char *base)
{
	const char *p = line + r->nprefix;
	char separator = p[-1];
	unsigned document, rank, score, end;
	uint64_t all, m;

	if (!same_prefix(r, line))
		return 0;
	all = m = blanks64(p);
	document = m ? (unsigned)__builtin_ctzll(m) : 0;
	m &= m - 1;
	rank = m ? (unsigned)__builtin_ctzll(m) : 0;
	m &= m - 1;
	score = m ? (unsigned)__builtin_ctzll(m) : 0;
	m &= m - 1;
	if (!m)
		return 0;
	end = (unsigned)__builtin_ctzll(m);
	/* Single separators, all alike, and then the line's end. */
	if ((all & all >> 1 & (((uint64_t)1 << end) - 1)) || (all & 1) ||
	    p[document] != separator || p[rank] != separator ||
	    p[score] != separator || separator == '\n')
		return 0;
	if (p[end] == '\r')
		end++;
	if (p[end] != '\n')
		return 0;
	add_entry(&r->list, base, p, document, p + rank + 1, score - rank - 1);
	if (!score_note(&r->list, base, true)) {
		r->list.n--;
		return 0;
	}
	return r->nprefix + end + 1;
}

/* As many lines like the one before as there are. */
static void
read_all_alike(struct trec_reader *r)
{
	struct window *w = r->window;
	const char *base = w->data + w->keep, *line = w->data + w->at;
	const char *end = w->data + w->complete;
	size_t n = 1, lines = 0;

	while (line < end && (n = read_alike(r, line, base))) {
		line += n;
		lines++;
	}
	w->at = (size_t)(line - w->data);
	w->line += lines;
}
#endif

static enum stream_result
read_lines(struct trec_reader *r)
{
	struct window *w = r->window;
	enum stream_result result = STREAM_LINES;
	const char *line, *lf;

	while (result == STREAM_LINES && w->at < w->complete) {
#if HAVE_VECTOR
		if (w->vector && r->open && r->nprefix) {
			read_all_alike(r);
			if (w->at >= w->complete)
				break;
		}
#endif
		line = w->data + w->at;
		/* There is one: behind the last line the window has its own. */
		lf = memchr(line, '\n', w->complete - w->at + 1);
		result = read_any(r, (size_t)(lf - line));
		w->at += (size_t)(lf - line) + 1;
		w->line++;
	}
	return result;
}

static enum stream_result
stream(struct trec_reader *r)
{
	struct window *w = r->window;
	enum stream_result result;

	while ((result = window_fill(w, r->join->e)) == STREAM_LINES) {
		result = read_lines(r);
		if (result != STREAM_LINES)
			return result;
		if (!r->open)
			w->keep = w->at;
	}
	if (result != STREAM_DONE)
		return result;
	finish_question(r);
	return r->failed ? STREAM_FAILED : STREAM_DONE;
}

enum stream_result
trec_stream(struct join *join, struct window *window)
{
	struct trec_reader r = {
	    .join = join,
	    .window = window,
	    .mark = join_mark(join),
	};
	enum stream_result result = stream(&r);

	list_free(&r.list);
	free(r.id);
	if (result == STREAM_SCATTERED) {
		join_reset(join, &r.mark);
		result = trec_read_scattered(join, window);
	}
	return result;
}
