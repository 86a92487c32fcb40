/* Labels that are others than the record's: another model, another index. */
#include <math.h>
#include <string.h>

#include "internal.h"

static const char *
value_of(const struct field *labels, size_t n, const char *name)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (strcmp(labels[i].name, name) == 0)
			return labels[i].value;
	return NULL;
}

static void
say(struct judging *judging, const char *name, const char *then,
    const char *now, const char *commit)
{
	if (then && now && strcmp(then, now) == 0)
		return;
	add_finding(judging,
	    (struct finding){
		.rule = "labels",
		.subject = name,
		.level = LEVEL_INFO,
		.class = CLASS_LABEL_CHANGED,
		.baseline = NAN,
		.current = NAN,
		.limit = NAN,
		.change = arena_printf(judging->arena, "%s → %s",
		    then ? then : "none", now ? now : "none"),
		.message = arena_printf(judging->arena,
		    "this label is another than at %s",
		    short_id(judging->arena, commit)),
		.file = judging->in->rules->file,
	    });
}

void
judge_labels(struct judging *judging)
{
	const struct gate_input *in = judging->in;
	const struct record *record;
	size_t i;

	/* A results file has no labels. */
	if (!in->before || !in->before->reference->record->tree)
		return;
	record = in->before->reference->record;
	for (i = 0; i < in->nlabels; i++)
		say(judging, in->labels[i].name,
		    value_of(
			record->labels, record->nlabels, in->labels[i].name),
		    in->labels[i].value, record->commit);
	for (i = 0; i < record->nlabels; i++)
		if (!value_of(in->labels, in->nlabels, record->labels[i].name))
			say(judging, record->labels[i].name,
			    record->labels[i].value, NULL, record->commit);
}
