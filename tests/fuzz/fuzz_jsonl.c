/*
 * JSON Lines: our scanner says of any bytes what strict JSON says, with
 * vectors and without, whatever the size of chunks.
 */
#include "../unit/test_reading.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static const char qrels[] = "q1 0 a 1\nq1 0 b 2\nq1 0 zz 0\n"
			    "q2 0 a 1\nq2 0 gone 1\n"
			    "q 0 d 1\nq 0 e 1\nq 0 0 1\nq 0 1 -1\n";

/* The first byte chooses options, the rest is the file. */
int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	static struct readings readings;
	struct run_options options = {.relevance = 1, .keep_top = 2};
	size_t i, chunk = 0;

	if (!readings.arena)
		readings_open(&readings, qrels);
	if (size < 2)
		return 0;
	options.duplicates_first = data[0] & 1;
	options.order_by_score = data[0] & 2;
	options.match_page = data[0] & 4;
	options.tracked = data[0] & 8 ? readings.tracked : NULL;
	options.format = data[0] & 16 ? NULL : "jsonl";
	/* Another size of chunks for each input, and the ends of all. */
	for (i = 0; i < size; i++)
		chunk = chunk * 31 + data[i];
	chunk = 1 + chunk % size;
	if (!readings_agree(&readings, &options, data + 1, size - 1, 0, 1) ||
	    !readings_agree(
		&readings, &options, data + 1, size - 1, chunk, chunk))
		abort();
	return 0;
}
