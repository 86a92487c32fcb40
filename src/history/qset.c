/*
 * Question sets: which questions a record's ranks belong to, and whether a
 * question is still the one it was.
 */
#include <string.h>

#include "internal.h"

#define DIGEST 16
static const char magic[] = "evalgate-qset 1\n";

/*
 * What a question is, in one spelling.  Its id and the fields that serve
 * slices are left out, and so is who is judged not relevant: judging more
 * documents does not make it another question.  A text that is the id, as in
 * a table without ids, goes with it, or `renamed` could not serve there.
 */
static void
canonical(struct buf *out, const struct question *question)
{
	const struct judgment *judgment = question_judgments(question);
	const char *words = question_text(question);
	const struct pages *pages;
	size_t i, k;

	buf_puts(out, "text\t");
	if (words && strcmp(words, question->id) != 0)
		json_escape(out, words);
	buf_puts(out,
	    question->unanswerable ? "\nunanswerable\n"
		: question->any    ? "\nany\n"
				   : "\nall\n");
	for (i = 0; i < question->njudgments; i++, judgment++) {
		if (judgment->grade < 1)
			continue;
		buf_printf(out, "%d\t", judgment->grade);
		json_escape(out, judgment_document(question, judgment));
		pages = judgment_pages(question, judgment);
		for (k = 0; pages && k < pages->n; k++)
			buf_printf(out, "\t%lld", (long long)pages->items[k]);
		buf_putc(out, '\n');
	}
}

static void
qset_allocate(struct arena *arena, struct qset *qset, size_t n,
    const char ***ids, const char ***digests)
{
	*qset = (struct qset){.n = n};
	qset->ids = *ids = arena_array(arena, n, sizeof(**ids));
	qset->digests = *digests = arena_array(arena, n, sizeof(**digests));
	map_init(&qset->by_id, arena);
}

void
qset_make(
    struct arena *arena, const struct questions *questions, struct qset *qset)
{
	const char **ids, **digests;
	char hex[HEX + 1];
	struct buf blob, one;
	size_t i;

	buf_init(&blob);
	buf_init(&one);
	buf_puts(&blob, magic);
	qset_allocate(arena, qset, questions->nitems, &ids, &digests);
	/* One beginning and one end for all the hashes. */
	library_begin();
	for (i = 0; i < qset->n; i++) {
		one.len = 0;
		canonical(&one, &questions->items[i]);
		blob_id(hex, one.data, one.len);
		ids[i] = questions->items[i].id;
		digests[i] = arena_strndup(arena, hex, DIGEST);
		map_add(&qset->by_id, ids[i], strlen(ids[i]), &(size_t){i});
		json_escape(&blob, ids[i]);
		buf_printf(&blob, "\t%s\n", digests[i]);
	}
	blob_id(hex, blob.data, blob.len);
	library_end();
	qset->blob = arena_strndup(arena, blob.data, blob.len);
	qset->id = arena_strdup(arena, hex);
	buf_free(&one);
	buf_free(&blob);
}

/* ------------------------------------------------------------- reading -- */

/* An id without its escapes, NULL when they are wrong. */
static const char *
unescape(struct arena *arena, const char *text, size_t len)
{
	const struct value *value;
	struct error ignored = {.arena = arena};
	struct source source = {.name = "question set", .line = 1};

	if (!memchr(text, '\\', len) && !memchr(text, '"', len))
		return arena_strndup(arena, text, len);
	source.data = arena_printf(arena, "\"%.*s\"", (int)len, text);
	source.len = len + 2;
	value = json_read(arena, &source, &ignored);
	return value && value->type == VALUE_STRING ? value->text : NULL;
}

/* A line "id TAB digest"; NULL, or the line after it. */
static const char *
line_parse(struct arena *arena, const char *p, const char *end, const char **id,
    const char **digest)
{
	const char *eol = memchr(p, '\n', (size_t)(end - p)), *tab;
	size_t i;

	if (!eol || (size_t)(eol - p) < DIGEST + 1)
		return NULL;
	tab = eol - DIGEST - 1;
	if (*tab != '\t' || memchr(p, '\t', (size_t)(tab - p)))
		return NULL;
	for (i = 1; i <= DIGEST; i++)
		if (!strchr("0123456789abcdef", tab[i]) || !tab[i])
			return NULL;
	*id = unescape(arena, p, (size_t)(tab - p));
	*digest = arena_strndup(arena, tab + 1, DIGEST);
	return *id ? eol + 1 : NULL;
}

static size_t
count_lines(const char *p, const char *end)
{
	size_t n = 0;

	for (; p < end && (p = memchr(p, '\n', (size_t)(end - p))); p++)
		n++;
	return n;
}

int
qset_parse(struct arena *arena, const char *data, size_t len, struct qset *qset,
    struct error *e)
{
	const char *end = data + len, *p = data + sizeof(magic) - 1;
	const char **ids, **digests;
	char hex[HEX + 1];
	size_t i, n;

	if (len < sizeof(magic) - 1 ||
	    memcmp(data, magic, sizeof(magic) - 1) != 0)
		return fail_environment(e,
		    "a question set of an unknown format; use a newer "
		    "evalgate");
	if (utf8_check(data, len) != len || memchr(data, '\0', len))
		return fail_environment(e, "a question set is no valid UTF-8");
	n = count_lines(p, end);
	if (n > MAX_QUESTIONS)
		return fail_environment(e,
		    "a question set has %zu questions, more than %d", n,
		    MAX_QUESTIONS);
	qset_allocate(arena, qset, n, &ids, &digests);
	for (i = 0; p && i < n; i++) {
		p = line_parse(arena, p, end, &ids[i], &digests[i]);
		if (p && i > 0 && strcmp(ids[i - 1], ids[i]) >= 0)
			p = NULL;
		if (p)
			map_add(
			    &qset->by_id, ids[i], strlen(ids[i]), &(size_t){i});
	}
	if (p != end)
		return fail_environment(
		    e, "a question set is damaged at line %zu", i + 1);
	blob_id(hex, data, len);
	qset->blob = arena_strndup(arena, data, len);
	qset->id = arena_strdup(arena, hex);
	return 0;
}
