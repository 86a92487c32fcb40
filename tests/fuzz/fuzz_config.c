/*
 * Any bytes as a whole config, of one of its suites and of none: no crash,
 * mistakes have a line of the file, and limits are such as can be.
 */
#include <string.h>

#include "../../src/cli/cli.h"

#include "memory_file.h"
#include "target.h"

static void
read_suite(const char *path, const char *suite)
{
	struct arena *arena = arena_new();
	struct error e = {.arena = arena};
	struct config config;
	size_t i;

	if (config_read(arena, path, NULL, suite, &config, &e) < 0) {
		must(e.nitems > 0);
		for (i = 0; i < e.nitems; i++)
			must(e.items[i].file && *e.items[i].text);
	} else {
		must(e.nitems == 0);
		must(suite_name_valid(config.suite));
		must(config.policy.max_distance >= 1);
		must(config.keep_top >= 0 && config.keep_top <= 1000);
		must(config.rules.nmeasures > 0);
	}
	arena_free(arena);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = memory_file(data, size, 0);

	read_suite(path, NULL);
	read_suite(path, "north");
	memory_file_remove(path);
	return 0;
}
