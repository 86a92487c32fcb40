/* evalgate schema: the config as a JSON Schema, from the parser's own table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* "a_threshold": what a reference may hold as it is. */
static const char *
definition(struct arena *arena, const char *section)
{
	char *name = arena_strdup(arena, section), *blank;

	while ((blank = strchr(name, ' ')))
		*blank = '_';
	return name;
}

static void
put_reference(struct json *json, struct arena *arena, const char *section)
{
	json_text(json, "$ref",
	    arena_printf(
		arena, "#/definitions/%s", definition(arena, section)));
}

/* "1..10" */
static void
put_range(struct json *json, const char *range)
{
	json_text(json, "type", "integer");
	json_integer(json, "minimum", strtoll(range, NULL, 10));
	json_integer(
	    json, "maximum", strtoll(strstr(range, "..") + 2, NULL, 10));
}

/* "error|warn" */
static void
put_choices(struct json *json, struct arena *arena, const char *choices)
{
	size_t n;

	json_open(json, "enum", '[');
	for (; *choices; choices += n + (choices[n] == '|')) {
		n = strcspn(choices, "|");
		json_text(json, NULL, arena_strndup(arena, choices, n));
	}
	json_close(json, ']');
}

#define NAME "^[a-z0-9][a-z0-9._-]{0,63}$"

/* What the parser asks of texts, as far as a pattern says it. */
static const struct {
	const char *key, *pattern;
} patterns[] = {
    {"suite", NAME},
    {"until", "^([0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])|never)$"},
    {"reason", "[^ \t\r\n]"},
};

static void
put_pattern(struct json *json, const char *key)
{
	size_t i;

	for (i = 0; i < COUNT(patterns); i++)
		if (strcmp(patterns[i].key, key) == 0)
			json_text(json, "pattern", patterns[i].pattern);
}

/* Keys of a section that belong to one another. */
static const struct {
	const char *section;
	const char *one_of[2]; /* the one, or the other */
	bool both; /* or both */
	const char *without[3][2]; /* where the first is, the second is not */
	const char *with[2]; /* where the first is, the second is, too */
} bonds[] = {
    {"a threshold", {"min", "max_drop"}, true, {{NULL}}, {"alpha", "max_drop"}},
    {"a tracked entry", {"question", "where"}, false, {{"where", "document"}},
	{NULL}},
    {"a waiver", {"question", "metric"}, false,
	{{"question", "floor"}, {"question", "where"}, {"metric", "ceiling"}},
	{NULL}},
};

static void
put_required(struct json *json, const char *one, const char *two)
{
	json_open(json, NULL, '{');
	json_open(json, "required", '[');
	json_text(json, NULL, one);
	if (two)
		json_text(json, NULL, two);
	json_close(json, ']');
	json_close(json, '}');
}

static void
put_bonds(struct json *json, const char *section)
{
	size_t i, k;

	for (i = 0; i < COUNT(bonds); i++) {
		if (strcmp(bonds[i].section, section) != 0)
			continue;
		json_open(json, bonds[i].both ? "anyOf" : "oneOf", '[');
		for (k = 0; k < 2; k++)
			put_required(json, bonds[i].one_of[k], NULL);
		json_close(json, ']');
		if (bonds[i].without[0][0]) {
			json_open(json, "not", '{');
			json_open(json, "anyOf", '[');
			for (k = 0; k < COUNT(bonds[i].without) &&
			     bonds[i].without[k][0];
			     k++)
				put_required(json, bonds[i].without[k][0],
				    bonds[i].without[k][1]);
			json_close(json, ']');
			json_close(json, '}');
		}
		if (!bonds[i].with[0])
			continue;
		json_open(json, "dependencies", '{');
		json_open(json, bonds[i].with[0], '[');
		json_text(json, NULL, bonds[i].with[1]);
		json_close(json, ']');
		json_close(json, '}');
	}
}

/* Ids are text, though YAML may take them for numbers. */
static void
put_scalar(struct json *json)
{
	json_open(json, "type", '[');
	json_text(json, NULL, "string");
	json_text(json, NULL, "number");
	json_text(json, NULL, "boolean");
	json_close(json, ']');
}

#define MEASURE "measure"
#define GATED "gated measure"

/* A metric, as the parser reads it; examples are what editors offer. */
static void
put_measure(struct json *json, struct arena *arena, bool gated)
{
	size_t i;

	json_text(json, "type", "string");
	json_text(json, "pattern", measure_pattern(arena, gated));
	json_open(json, "examples", '[');
	for (i = 0; i < nmetrics; i++)
		if (!gated || !metric_table[i]->reading_only)
			json_text(json, NULL,
			    arena_printf(arena, "%s%s", metric_table[i]->name,
				metric_table[i]->cutoff == CUTOFF_REQUIRED
				    ? "@5"
				    : ""));
	json_close(json, ']');
}

/* Beside $ref a reader may pass over all else. */
static void
put_all_of(struct json *json, struct arena *arena, const char *section)
{
	json_open(json, "allOf", '[');
	json_open(json, NULL, '{');
	put_reference(json, arena, section);
	json_close(json, '}');
	json_close(json, ']');
}

static void
put_share(struct json *json)
{
	json_text(json, "type", "number");
	json_integer(json, "minimum", 0);
	json_integer(json, "maximum", 1);
}

/* Neither 0 nor 1. */
static void
put_probability(struct json *json)
{
	json_text(json, "type", "number");
	json_integer(json, "exclusiveMinimum", 0);
	json_integer(json, "exclusiveMaximum", 1);
}

static void
put_words(struct json *json, int64_t least)
{
	json_text(json, "type", "array");
	json_integer(json, "minItems", least);
	json_open(json, "items", '{');
	put_scalar(json);
	json_close(json, '}');
}

/* None would be no report. */
static void
put_measures(struct json *json, struct arena *arena)
{
	json_text(json, "type", "array");
	json_integer(json, "minItems", 1);
	json_open(json, "items", '{');
	put_reference(json, arena, MEASURE);
	json_close(json, '}');
}

/* A text, or a list of such. */
static void
put_texts(struct json *json)
{
	json_open(json, "oneOf", '[');
	json_open(json, NULL, '{');
	put_scalar(json);
	json_close(json, '}');
	json_open(json, NULL, '{');
	put_words(json, 1);
	json_close(json, '}');
	json_close(json, ']');
}

static void
put_drop(struct json *json)
{
	json_open(json, "oneOf", '[');
	json_open(json, NULL, '{');
	put_share(json);
	json_close(json, '}');
	json_open(json, NULL, '{');
	json_text(json, "type", "string");
	json_text(json, "pattern", "^0*(100(\\.0+)?|[0-9]{1,2}(\\.[0-9]+)?)%$");
	json_close(json, '}');
	json_close(json, ']');
}

/* A tracked entry may be an id alone. */
static void
put_list(struct json *json, struct arena *arena, const char *section)
{
	json_text(json, "type", "array");
	json_open(json, "items", '{');
	if (strcmp(section, "a tracked entry") == 0) {
		json_open(json, "oneOf", '[');
		json_open(json, NULL, '{');
		put_scalar(json);
		json_close(json, '}');
		json_open(json, NULL, '{');
		put_reference(json, arena, section);
		json_close(json, '}');
		json_close(json, ']');
	} else {
		put_reference(json, arena, section);
	}
	json_close(json, '}');
}

static void
put_map(struct json *json, struct arena *arena, const char *section)
{
	json_text(json, "type", "object");
	json_open(json, "additionalProperties", '{');
	if (!section)
		put_scalar(json);
	else
		put_reference(json, arena, *section ? section : "suite");
	json_close(json, '}');
}

static void
put_key(struct json *json, struct arena *arena, const struct key_row *row)
{
	json_open(json, row->name, '{');
	json_text(json, "description", row->doc);
	switch (row->kind) {
	case KEY_TEXT:
		if (strcmp(row->name, "metric") == 0) {
			put_all_of(json, arena, GATED);
		} else {
			put_scalar(json);
			put_pattern(json, row->name);
		}
		break;
	case KEY_TEXTS:
		put_texts(json);
		break;
	case KEY_WORDS:
		if (strcmp(row->name, "metrics") == 0)
			put_measures(json, arena);
		else
			put_words(json, 0);
		json_bool(json, "uniqueItems", true);
		break;
	case KEY_INTEGER:
		put_range(json, row->more);
		break;
	case KEY_SHARE:
		if (strcmp(row->name, "alpha") == 0)
			put_probability(json);
		else
			put_share(json);
		break;
	case KEY_DROP:
		put_drop(json);
		break;
	case KEY_BOOL:
		json_text(json, "type", "boolean");
		break;
	case KEY_CHOICE:
		put_choices(json, arena, row->more);
		break;
	case KEY_FIELDS:
		put_map(json, arena, NULL);
		if (strcmp(row->name, "where") == 0)
			json_integer(json, "minProperties", 1);
		break;
	case KEY_MAP:
		put_all_of(json, arena, row->more);
		break;
	case KEY_LIST:
		put_list(json, arena, row->more);
		break;
	case KEY_NAMED:
		put_map(json, arena, row->more);
		json_open(json, "propertyNames", '{');
		json_text(json, "pattern", NAME);
		json_close(json, '}');
		break;
	}
	json_close(json, '}');
}

/* whole: of the file, whose keys a suite has too, but for some. */
static void
put_section(
    struct json *json, struct arena *arena, const char *section, bool whole)
{
	bool required = false;
	size_t i;

	json_text(json, "type", "object");
	json_bool(json, "additionalProperties", false);
	json_open(json, "properties", '{');
	for (i = 0; i < nconfig_keys; i++)
		if (strcmp(config_keys[i].section, section) == 0 &&
		    (whole || !suite_lacks(config_keys[i].name)))
			put_key(json, arena, &config_keys[i]);
	json_close(json, '}');
	for (i = 0; whole && i < nconfig_keys; i++) {
		if (strcmp(config_keys[i].section, section) != 0 ||
		    !config_keys[i].required)
			continue;
		if (!required)
			json_open(json, "required", '[');
		required = true;
		json_text(json, NULL, config_keys[i].name);
	}
	if (required)
		json_close(json, ']');
	put_bonds(json, section);
}

static void
put_definitions(struct json *json, struct arena *arena)
{
	const char *last = "";
	size_t i;

	json_open(json, "definitions", '{');
	json_open(json, "suite", '{');
	put_section(json, arena, "", false);
	json_close(json, '}');
	json_open(json, definition(arena, MEASURE), '{');
	put_measure(json, arena, false);
	json_close(json, '}');
	json_open(json, definition(arena, GATED), '{');
	put_measure(json, arena, true);
	json_close(json, '}');
	for (i = 0; i < nconfig_keys; i++) {
		if (strcmp(config_keys[i].section, last) == 0)
			continue;
		last = config_keys[i].section;
		json_open(json, definition(arena, last), '{');
		put_section(json, arena, last, true);
		json_close(json, '}');
	}
	json_close(json, '}');
}

static int
run(struct session *s)
{
	struct json json;
	struct buf out;

	if (s->options.args.n) {
		fail(s->e, "schema takes no argument");
		return EXIT_INPUT;
	}
	buf_init(&out);
	json_init(&json, &out, 2);
	json_open(&json, NULL, '{');
	json_text(&json, "$schema", "http://json-schema.org/draft-07/schema#");
	json_text(&json, "title", "evalgate.yaml");
	put_section(&json, s->arena, "", true);
	put_definitions(&json, s->arena);
	json_close(&json, '}');
	puts(out.data);
	buf_free(&out);
	return EXIT_PASS;
}

const struct command command_schema = {
    .name = "schema",
    .bit = COMMAND_SCHEMA,
    .synopsis = "schema",
    .summary = "the config as a JSON Schema, for editors",
    .help = "Prints a JSON Schema (draft 7) of evalgate.yaml: editors "
	    "complete and check the config\nwith it.\n",
    .run = run,
};
