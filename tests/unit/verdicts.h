/* The rows of test_verdict.c: one verdict each. */

#define TRACKED "tracked: [a]\nthresholds: []\n"
#define MRR "metrics: [mrr]\nthresholds: [{metric: mrr, max_drop: 0}]\n"

static const struct row rows[] = {
    {"nothing changed", TRACKED, NULL, NULL, "a=5", NULL, "a=5", "pass pass"},
    {"a rank worse than before", TRACKED, NULL, NULL, "a=5", NULL, "a=6",
	"fail fail: tracked a new-regression error"},
    {"still worse than the last good", TRACKED, NULL, "a=5", "a=6 ^fail", NULL,
	"a=6", "fail fail: tracked a still-failing error"},
    {"the same on a pull request", TRACKED, "pull_request", "a=5", "a=6 ^fail",
	NULL, "a=6", "pass fail: tracked a still-failing warn"},
    {"an average fell", MRR, NULL, NULL, "a=1 b=1", NULL, "a=1 b=2",
	"fail fail: max_drop mrr new-regression error"},
    {"held, without a waiver", TRACKED, NULL, NULL, "a=9 held:a=5", NULL, "a=9",
	"fail fail: tracked a waiver-exceeded error | question/a=5"},
    {"held, and as good again", TRACKED, NULL, NULL, "a=9 held:a=5", NULL,
	"a=5", "pass pass: tracked a fixed info"},
};
