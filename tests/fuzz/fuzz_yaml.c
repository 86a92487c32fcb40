/* YAML in: what is accepted is bounded, in UTF-8 and without repeated keys. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evalgate/codec.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

/* What a walk over the tree, aliases followed, has seen. */
struct walk {
	struct error *e;
	size_t nlines;
	size_t nvalues;
};

static void
require(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "%s\n", what);
	abort();
}

static void
check_text(const char *text)
{
	size_t len = strlen(text);

	require(utf8_check(text, len) == len, "a text that is no UTF-8");
}

static void
read_as_everything(const struct value *v, struct error *e)
{
	const char *text;
	double number;
	int64_t integer;
	bool flag;

	value_text(v, "f", "key", &text, e);
	value_number(v, "f", "key", &number, e);
	value_integer(v, "f", "key", 1, 10, &integer, e);
	value_bool(v, "f", "key", &flag, e);
}

static void
check_map(const struct value *v)
{
	const struct member *m = v->u.members;
	size_t i;

	for (i = 0; i < v->nitems; i++) {
		check_text(m[i].key);
		/* The first of two equal keys would be found. */
		if (v->nitems < 100)
			require(value_get(v, m[i].key) == m[i].value,
			    "a key given twice");
	}
}

static void
walk(struct walk *w, const struct value *v, int depth)
{
	size_t i;

	require(depth <= 100, "nested too deep");
	require(v->line >= 1 && v->line <= w->nlines, "a line out of the file");
	require(++w->nvalues <= 5000000, "a bomb");
	check_text(v->text);
	if (w->nvalues < 1000)
		read_as_everything(v, w->e);
	if (v->type == VALUE_MAP)
		check_map(v);
	for (i = 0; i < v->nitems; i++)
		walk(w,
		    v->type == VALUE_MAP ? v->u.members[i].value
					 : v->u.items[i],
		    depth + 1);
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct arena *arena = arena_new();
	struct error e = {.arena = arena};
	struct source source = {"f", 1, (const char *)data, size};
	struct walk w = {.e = &e, .nlines = 1};
	const struct value *v = yaml_read(arena, &source, &e);
	size_t i;

	for (i = 0; i < size; i++)
		w.nlines += data[i] == '\n';
	require((v != NULL) == (e.nitems == 0), "neither a value nor an error");
	if (v)
		walk(&w, v, 0);
	for (i = 0; i < e.nitems; i++)
		require(e.items[i].line >= 1 && e.items[i].line <= w.nlines,
		    "an error out of the file");
	arena_free(arena);
	return 0;
}
