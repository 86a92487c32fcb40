/*
 * Any bytes as a record's line: no crash; what is read and written again is
 * read as the same.
 */
#include <stdlib.h>
#include <string.h>

#include "evalgate/history.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	char *line = arena_strndup(arena, (const char *)data, size);
	struct record record, again;
	struct buf one, two;

	buf_init(&one);
	buf_init(&two);
	if (record_parse(arena, line, size, &record) == RECORD_READ) {
		record_write(&one, &record);
		if (record_parse(arena, one.data, one.len - 1, &again) !=
		    RECORD_READ)
			abort();
		record_write(&two, &again);
		if (one.len != two.len ||
		    memcmp(one.data, two.data, one.len) != 0)
			abort();
	}
	buf_free(&one);
	buf_free(&two);
	arena_free(arena);
	return 0;
}
