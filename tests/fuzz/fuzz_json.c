/* JSON in: what is accepted reads back equal after it is written again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evalgate/codec.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void
require(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "%s\n", what);
	abort();
}

static void
write_value(struct json *json, const char *key, const struct value *v)
{
	double number;
	size_t i;

	switch (v->type) {
	case VALUE_NULL:
		json_null(json, key);
		break;
	case VALUE_BOOL:
		json_bool(json, key, strcmp(v->text, "true") == 0);
		break;
	case VALUE_NUMBER:
		if (number_parse(v->text, strlen(v->text), &number) == 0)
			json_number(json, key, number);
		else
			json_null(json, key);
		break;
	case VALUE_STRING:
		json_text(json, key, v->text);
		break;
	case VALUE_LIST:
		json_open(json, key, '[');
		for (i = 0; i < v->nitems; i++)
			write_value(json, NULL, v->u.items[i]);
		json_close(json, ']');
		break;
	case VALUE_MAP:
		json_open(json, key, '{');
		for (i = 0; i < v->nitems; i++)
			write_value(
			    json, v->u.members[i].key, v->u.members[i].value);
		json_close(json, '}');
	}
}

static bool
same_number(const struct value *a, const struct value *b)
{
	double x, y;

	if (number_parse(a->text, strlen(a->text), &x) < 0)
		return b->type == VALUE_NULL;
	require(number_parse(b->text, strlen(b->text), &y) == 0,
	    "a printed number does not parse");
	return x == y;
}

static bool
same(const struct value *a, const struct value *b)
{
	size_t i;

	if (a->type == VALUE_NUMBER)
		return same_number(a, b);
	if (a->type != b->type || a->nitems != b->nitems ||
	    strcmp(a->text, b->text) != 0)
		return false;
	for (i = 0; i < a->nitems; i++) {
		if (a->type == VALUE_LIST) {
			if (!same(a->u.items[i], b->u.items[i]))
				return false;
			continue;
		}
		if (strcmp(a->u.members[i].key, b->u.members[i].key) != 0 ||
		    !same(a->u.members[i].value, b->u.members[i].value))
			return false;
	}
	return true;
}

static void
write_and_read(const struct value *v, int pretty)
{
	struct arena *arena = arena_new();
	struct error e = {.arena = arena};
	const struct value *again;
	struct json json;
	struct buf buf;

	buf_init(&buf);
	json_init(&json, &buf, pretty);
	write_value(&json, NULL, v);
	again = json_read(
	    arena, &(struct source){"again", 1, buf.data, buf.len}, &e);
	require(again != NULL, "what was written is refused");
	require(same(v, again), "what was written reads back otherwise");
	buf_free(&buf);
	arena_free(arena);
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

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct arena *arena = arena_new();
	struct error e = {.arena = arena};
	struct source source = {"f", 1, (const char *)data, size};
	const struct value *v = json_read(arena, &source, &e);

	require((v != NULL) == (e.nitems == 0), "neither a value nor an error");
	if (v) {
		write_and_read(v, 0);
		write_and_read(v, 2);
		read_as_everything(v, &e);
	} else {
		require(e.items[0].line >= 1, "an error without a line");
	}
	arena_free(arena);
	return 0;
}
