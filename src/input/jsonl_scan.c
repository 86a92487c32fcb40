/*
 * Our own scanner for the JSON that runs consist of: an id and a list of
 * documents, plain or as objects.  It says no to whatever it does not fully
 * understand, right or wrong; strict JSON then reads the line.  What it takes
 * has one meaning: no escapes, no key twice, numbers by RFC 8259's grammar.
 */
#include <string.h>

#include "fast.h"

#if HAVE_VECTOR
#include <emmintrin.h>
#endif

/* Keys of no meaning to us that one object may have. */
#define OTHERS 8

struct text_span {
	const char *at;
	size_t len;
};

/* The line ends in '\n', which is neither a blank nor part of a value. */
struct cursor {
	const char *p;
	const char *line;
	struct list *list;
	bool vector;
};

/* The keys that one object had. */
struct seen_keys {
	struct text_span others[OTHERS];
	size_t nothers;
};

static inline void
blanks(struct cursor *c)
{
	while (*c->p == ' ' || *c->p == '\t' || *c->p == '\r')
		c->p++;
}

static bool
is(const struct text_span *span, const char *word)
{
	return span->len == strlen(word) &&
	    memcmp(span->at, word, span->len) == 0;
}

#if HAVE_VECTOR
/* The first quote, backslash or control character from p on. */
static inline const char *
text_end_vector(const char *p)
{
	const __m128i quote = _mm_set1_epi8('"');
	const __m128i backslash = _mm_set1_epi8('\\');
	const __m128i control = _mm_set1_epi8(0x1f);
	__m128i v, stop;
	int bits;

	for (;; p += 16) {
		v = _mm_loadu_si128((const __m128i *)(const void *)p);
		stop = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(v, quote),
					_mm_cmpeq_epi8(v, backslash)),
		    _mm_cmpeq_epi8(_mm_min_epu8(v, control), v));
		bits = _mm_movemask_epi8(stop);
		if (bits)
			return p + __builtin_ctz((unsigned)bits);
	}
}
#endif

static inline const char *
text_end_scalar(const char *p)
{
	while (*p != '"' && *p != '\\' && (unsigned char)*p >= ' ')
		p++;
	return p;
}

/* "...": its content, which has no escapes. */
static inline bool
text(struct cursor *c, struct text_span *span)
{
	const char *end;

	if (*c->p != '"')
		return false;
	span->at = c->p + 1;
#if HAVE_VECTOR
	end = c->vector ? text_end_vector(span->at) : text_end_scalar(span->at);
#else
	end = text_end_scalar(span->at);
#endif
	if (*end != '"')
		return false;
	span->len = (size_t)(end - span->at);
	c->p = end + 1;
	return true;
}

static size_t
digits(struct cursor *c)
{
	const char *begin = c->p;

	while (*c->p >= '0' && *c->p <= '9')
		c->p++;
	return (size_t)(c->p - begin);
}

static bool
number(struct cursor *c, struct text_span *span)
{
	span->at = c->p;
	c->p += *c->p == '-';
	if (*c->p == '0')
		c->p++;
	else if (!digits(c))
		return false;
	if (*c->p == '.') {
		c->p++;
		if (!digits(c))
			return false;
	}
	if (*c->p == 'e' || *c->p == 'E') {
		c->p++;
		c->p += *c->p == '+' || *c->p == '-';
		if (!digits(c))
			return false;
	}
	span->len = (size_t)(c->p - span->at);
	return true;
}

static bool
null(struct cursor *c)
{
	if (memcmp(c->p, "null", 4) != 0)
		return false;
	c->p += 4;
	return true;
}

/* A page as everybody writes it; its value matters to the strict path. */
static bool
page(struct cursor *c)
{
	struct text_span span;

	if (null(c))
		return true;
	span.at = c->p;
	return number(c, &span) && span.len <= 9 &&
	    !memchr(span.at, '-', span.len) &&
	    !memchr(span.at, '.', span.len) &&
	    !memchr(span.at, 'e', span.len) && !memchr(span.at, 'E', span.len);
}

static bool
new_key(struct seen_keys *keys, const struct text_span *key)
{
	const struct text_span *other;
	size_t i;

	for (i = 0; i < keys->nothers; i++) {
		other = &keys->others[i];
		if (other->len == key->len &&
		    memcmp(other->at, key->at, key->len) == 0)
			return false;
	}
	if (keys->nothers == OTHERS)
		return false;
	keys->others[keys->nothers++] = *key;
	return true;
}

/* The value of a key that has no meaning here: a scalar. */
static bool
skip_value(struct cursor *c)
{
	struct text_span span;

	return *c->p == '"' ? text(c, &span) : null(c) || number(c, &span);
}

/* "key": up to the value. */
static bool
key_of(struct cursor *c, struct seen_keys *keys, struct text_span *key)
{
	if (!text(c, key))
		return false;
	blanks(c);
	if (*c->p++ != ':')
		return false;
	blanks(c);
	return new_key(keys, key);
}

/* Behind a value: 1 where the container goes on, 0 where it ended. */
static inline int
comma(struct cursor *c, char close)
{
	/* As most write it. */
	if (c->p[0] == ',' && c->p[1] == ' ' && c->p[2] > ' ') {
		c->p += 2;
		return 1;
	}
	blanks(c);
	if (*c->p == close) {
		c->p++;
		return 0;
	}
	if (*c->p != ',')
		return -1;
	c->p++;
	blanks(c);
	return 1;
}

static bool
add_scored(struct cursor *c, const struct text_span *document,
    const struct text_span *score)
{
	struct entry *entry;

	/* One without an id is for the strict reader to tell. */
	if (!document->at || !document->len)
		return false;
	entry = list_add(c->list, c->line, document->at, document->len);
	if (!score->at) {
		c->list->shape = (struct score_shape){.length = 0};
		return true;
	}
	entry->score = (uint32_t)(score->at - c->line);
	entry->score_length = (uint32_t)score->len & INT32_MAX;
	return score_note(c->list, c->line, c->vector);
}

/* {"doc_id": ..., "score": ..., "page": ...} */
static bool
result(struct cursor *c)
{
	struct text_span document = {NULL, 0}, score = {NULL, 0}, key;
	struct seen_keys keys = {.nothers = 0};
	int more = 1;
	bool ok;

	c->p++;
	blanks(c);
	while (more == 1) {
		if (!key_of(c, &keys, &key))
			return false;
		if (is(&key, "doc_id") || is(&key, "document") ||
		    is(&key, "id"))
			ok = !document.at && text(c, &document);
		else if (is(&key, "score"))
			ok = null(c) || number(c, &score);
		else if (is(&key, "page"))
			ok = page(c);
		else
			ok = skip_value(c);
		if (!ok)
			return false;
		more = comma(c, '}');
	}
	return more == 0 && add_scored(c, &document, &score);
}

static bool
results(struct cursor *c)
{
	struct text_span document;
	int more = 1;

	if (*c->p++ != '[')
		return false;
	blanks(c);
	if (*c->p == ']') {
		c->p++;
		return true;
	}
	while (more == 1) {
		if (*c->p == '"') {
			if (!text(c, &document) || !document.len)
				return false;
			list_add(c->list, c->line, document.at, document.len);
			c->list->shape.simple = false;
		} else if (*c->p != '{' || !result(c)) {
			return false;
		}
		more = comma(c, ']');
	}
	return more == 0;
}

bool
json_scan_record(const char *line, size_t len, struct list *list,
    struct json_record *record, bool vector)
{
	struct cursor c = {line, line, list, vector};
	struct text_span id = {NULL, 0}, key;
	struct seen_keys keys = {.nothers = 0};
	bool listed = false, ok;
	int more = 1;

	blanks(&c);
	if (*c.p++ != '{')
		return false;
	blanks(&c);
	while (more == 1) {
		if (!key_of(&c, &keys, &key))
			return false;
		if (is(&key, "id") || is(&key, "query_id")) {
			ok = !id.at && text(&c, &id);
		} else if (is(&key, "results") || is(&key, "ranking")) {
			ok = !listed && results(&c);
			listed = true;
		} else {
			ok = !is(&key, "error") && skip_value(&c);
		}
		if (!ok)
			return false;
		more = comma(&c, '}');
	}
	blanks(&c);
	if (more != 0 || c.p != line + len || !id.at || !listed)
		return false;
	record->id = id.at;
	record->idlen = id.len;
	return true;
}
