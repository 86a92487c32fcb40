/* Any bytes as the gate's part of a config: no crash, limits that can be. */
#include <math.h>

#include "evalgate/gate.h"

#include "target.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct error e = {.arena = arena};
	struct source source = {"config", 1, (const char *)data, size};
	const struct value *tree = yaml_read(arena, &source, &e);
	const struct threshold *t;
	struct rules rules;
	size_t i;

	if (!tree || rules_read(arena, tree, "config", &rules, &e) < 0) {
		must(e.nitems > 0);
		arena_free(arena);
		return 0;
	}
	must(rules.relevance >= 1 && rules.nmeasures > 0);
	for (i = 0; i < rules.nthresholds; i++) {
		t = &rules.thresholds[i];
		must(t->has_min || t->has_max_drop);
		must(t->min >= 0 && t->min <= 1);
		must(t->max_drop >= 0 && t->max_drop <= 1);
	}
	for (i = 0; i < rules.nentries; i++)
		must(rules.entries[i].max_loss >= 0 &&
		    (rules.entries[i].question ||
			rules.entries[i].where.npairs));
	for (i = 0; i < rules.nwaivers; i++)
		must(rules.waivers[i].reason && rules.waivers[i].until_text);
	arena_free(arena);
	return 0;
}
