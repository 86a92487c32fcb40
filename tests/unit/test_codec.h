/* What the tests of YAML and of JSON share. */
#ifndef TEST_CODEC_H
#define TEST_CODEC_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Before cmocka, which defines a macro named fail. */
#include "evalgate/codec.h"

#include <cmocka.h>

typedef const struct value *reader(
    struct arena *arena, const struct source *source, struct error *e);

/* One reading: arena, errors, the tree. */
struct reading {
	struct arena *arena;
	struct error e;
	const struct value *root;
};

static struct reading
read_bytes(reader *read, const char *data, size_t len)
{
	struct reading r = {.arena = arena_new()};
	struct source source = {"f", 1, data, len};

	r.e.arena = r.arena;
	r.root = read(r.arena, &source, &r.e);
	return r;
}

static void
done(struct reading *r)
{
	arena_free(r->arena);
}

/* Whether the first error stands on line and its text holds word. */
static void
expect_error(const struct error *e, size_t line, const char *word)
{
	if (!e->nitems)
		fail_msg("no error that says '%s'", word);
	if (e->items[0].line != line || !strstr(e->items[0].text, word))
		fail_msg("%zu: %s, expected %zu: ...%s...", e->items[0].line,
		    e->items[0].text, line, word);
}

/* A text that has to be refused. */
struct hostile {
	const char *data;
	size_t len; /* 0: up to the NUL */
	size_t line;
	const char *word;
};

static void
refuse_all(reader *read, const struct hostile *texts, size_t ntexts)
{
	struct reading r;
	size_t i, len;

	for (i = 0; i < ntexts; i++) {
		len = texts[i].len ? texts[i].len : strlen(texts[i].data);
		r = read_bytes(read, texts[i].data, len);
		if (r.root)
			fail_msg("accepted: %s", texts[i].data);
		expect_error(&r.e, texts[i].line, texts[i].word);
		assert_int_equal(r.e.items[0].kind, ERROR_INPUT);
		assert_string_equal(r.e.items[0].file, "f");
		done(&r);
	}
}

/* The i-th value of a list or map. */
static const struct value *
at(const struct value *v, size_t i)
{
	assert_true(i < v->nitems);
	return v->type == VALUE_MAP ? v->u.members[i].value : v->u.items[i];
}

#endif
