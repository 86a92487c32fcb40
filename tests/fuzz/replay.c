/*
 * Runs a fuzz target over its corpus, as a test: what was found once is
 * looked at each time.  The corpus is the directory named in the arguments.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t
read_file(const char *path, uint8_t **data)
{
	FILE *f = fopen(path, "rb");
	size_t n = 0, cap = 1 << 20;

	*data = malloc(cap);
	if (f && *data)
		n = fread(*data, 1, cap, f);
	if (f)
		fclose(f);
	return n;
}

int
main(void)
{
	char path[4096];
	struct dirent *entry;
	uint8_t *data;
	size_t size, n = 0;
	DIR *directory = opendir(CORPUS);

	printf("1..1\n");
	while (directory && (entry = readdir(directory))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", CORPUS, entry->d_name);
		size = read_file(path, &data);
		LLVMFuzzerTestOneInput(data, size);
		free(data);
		n++;
	}
	if (directory)
		closedir(directory);
	printf("%s 1 - %zu inputs replayed\n", n ? "ok" : "not ok", n);
	return n == 0;
}
