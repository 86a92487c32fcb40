/* The config's top level: a table of keys, each read by its own layer. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

struct reader {
	struct arena *arena;
	struct config *config;
	const char *file;
	struct error *e;
};

static void
add(struct reader *r, struct words *words, const char *word)
{
	words_add(r->arena, words, word);
}

size_t
config_line(const struct value *v, size_t i)
{
	if (v->type == VALUE_LIST && i < v->nitems)
		return v->u.items[i]->line;
	return v->line;
}

int
config_file_there(const struct config *config, const struct value *v, size_t i,
    const char *path, struct error *e)
{
	if (!v || strcmp(path, "-") == 0 || access(path, R_OK) == 0)
		return 0;
	return fail_at(e, config->file, config_line(v, i),
	    "%s: cannot be opened: %s", path, strerror(errno));
}

/* One file or several, relative to the config. */
static void
read_files(struct reader *r, const struct value *v, const char *key,
    struct words *files)
{
	bool list = v->type == VALUE_LIST;
	size_t n = list ? v->nitems : 1, i;
	const char *name;

	for (i = 0; i < n; i++)
		if (value_text(list ? v->u.items[i] : v, r->file, key, &name,
			r->e) == 0)
			add(r, files, path_beside(r->arena, r->file, name));
	if (n == 0)
		fail_at(r->e, r->file, v->line, "%s is empty", key);
}

static void
read_version(struct reader *r, const struct value *v)
{
	int64_t version;

	if (value_integer(
		v, r->file, "version", 0, INT32_MAX, &version, r->e) == 0 &&
	    version != 1)
		fail_at(r->e, r->file, v->line,
		    "version is %lld; this evalgate knows version 1",
		    (long long)version);
}

static void
read_questions(struct reader *r, const struct value *v)
{
	r->config->question_values = v;
	read_files(r, v, "questions", &r->config->questions);
}

static void
read_run(struct reader *r, const struct value *v)
{
	r->config->run_values = v;
	read_files(r, v, "run", &r->config->runs);
}

static void
read_suite(struct reader *r, const struct value *v)
{
	if (value_text(v, r->file, "suite", &r->config->suite, r->e) == 0 &&
	    !suite_name_valid(r->config->suite))
		fail_at(r->e, r->file, v->line,
		    "suite is '%s'; a name has small letters, digits, '.', "
		    "'_' and '-', begins with a letter or digit and has no "
		    "more than 64 characters",
		    r->config->suite);
}

static void
read_depth(struct reader *r, const struct value *v)
{
	int64_t depth = 0;

	value_integer(v, r->file, "depth", 1, INT32_MAX, &depth, r->e);
	r->config->depth = (unsigned)depth;
}

/* A word out of two: whether it is the second. */
static bool
read_choice(struct reader *r, const struct value *v, const char *key,
    const char *first, const char *second)
{
	const char *text;

	if (value_text(v, r->file, key, &text, r->e) < 0)
		return false;
	if (strcmp(text, first) != 0 && strcmp(text, second) != 0)
		fail_at(r->e, r->file, v->line, "%s is '%s'; write %s or %s",
		    key, text, first, second);
	return strcmp(text, second) == 0;
}

static void
read_match(struct reader *r, const struct value *v)
{
	r->config->reading.match_page =
	    read_choice(r, v, "match", "document", "page");
}

static void
read_page_tolerance(struct reader *r, const struct value *v)
{
	value_integer(v, r->file, "page_tolerance", 0, INT32_MAX,
	    &r->config->reading.page_tolerance, r->e);
}

static void
read_duplicates(struct reader *r, const struct value *v)
{
	r->config->reading.duplicates_first =
	    read_choice(r, v, "duplicates", "error", "first");
}

static void
read_order(struct reader *r, const struct value *v)
{
	r->config->reading.order_by_score =
	    read_choice(r, v, "order", "list", "score");
}

/* {only: FILE} or {only: FIELD=VALUE}; a file is relative to the config. */
static void
read_subset(struct reader *r, const struct value *v)
{
	const struct value *only = value_get(v, "only");
	const char *text;

	r->config->subset_value = v;
	if (!only || v->nitems != 1)
		fail_at(r->e, r->file, v->line,
		    "subset should read {only: FILE} or {only: "
		    "FIELD=VALUE}");
	else if (value_text(only, r->file, "only of subset", &text, r->e) == 0)
		r->config->subset = strchr(text, '=')
		    ? text
		    : path_beside(r->arena, r->file, text);
}

static void
read_inputs(struct reader *r, const struct value *v)
{
	read_files(r, v, "inputs", &r->config->inputs);
}

static void
read_renamed_documents(struct reader *r, const struct value *v)
{
	const char *text;

	r->config->renamed_value = v;
	if (value_text(v, r->file, "renamed_documents", &text, r->e) == 0)
		r->config->renamed_documents =
		    path_beside(r->arena, r->file, text);
}

static void
read_accept(struct reader *r, const struct value *v)
{
	r->config->policy.accept_any =
	    read_choice(r, v, "accept", "passing", "any");
}

/* A map of known keys; false after an error. */
static bool
want_map(struct reader *r, const struct value *v, const char *section,
    const char *example)
{
	if (v->type == VALUE_MAP) {
		keys_unknown(
		    config_keys, nconfig_keys, section, v, r->file, r->e);
		return true;
	}
	fail_at(r->e, r->file, v->line, "%s is %s; expected a map, such as %s",
	    section, value_type_name(v), example);
	return false;
}

static void
read_history(struct reader *r, const struct value *v)
{
	struct config *config = r->config;
	const struct value *item;

	if (!want_map(r, v, "history", "{remote: origin}"))
		return;
	if ((item = value_get(v, "keep_top")))
		value_integer(item, r->file, "keep_top", 0, 1000,
		    &config->keep_top, r->e);
	if ((item = value_get(v, "remote")))
		value_text(item, r->file, "remote", &config->remote, r->e);
	if ((item = value_get(v, "deepen")))
		value_bool(item, r->file, "deepen", &config->deepen, r->e);
}

static void
read_baseline(struct reader *r, const struct value *v)
{
	struct baseline_policy *policy = &r->config->policy;
	const struct value *item;

	if (!want_map(r, v, "baseline", "{accept: passing}"))
		return;
	if ((item = value_get(v, "accept")))
		read_accept(r, item);
	if ((item = value_get(v, "max_distance")))
		value_integer(item, r->file, "max_distance", 1, 1000000,
		    &policy->max_distance, r->e);
	if ((item = value_get(v, "required")))
		value_bool(item, r->file, "required", &policy->required, r->e);
}

static void
read_labels(struct reader *r, const struct value *v)
{
	struct field *labels;
	size_t i;

	if (v->type != VALUE_MAP) {
		fail_at(r->e, r->file, v->line,
		    "labels is %s; expected a map, such as {model: name}",
		    value_type_name(v));
		return;
	}
	labels = arena_array(r->arena, v->nitems + 1, sizeof(*labels));
	for (i = 0; i < v->nitems; i++) {
		labels[i].name = v->u.members[i].key;
		value_text(v->u.members[i].value, r->file, labels[i].name,
		    &labels[i].value, r->e);
	}
	r->config->labels = labels;
	r->config->nlabels = v->nitems;
}

/* The keys that are read here; gate reads its own. */
static const struct key {
	const char *name;
	void (*read)(struct reader *r, const struct value *v);
} keys[] = {
    {"version", read_version},
    {"questions", read_questions},
    {"run", read_run},
    {"suite", read_suite},
    {"depth", read_depth},
    {"match", read_match},
    {"page_tolerance", read_page_tolerance},
    {"duplicates", read_duplicates},
    {"order", read_order},
    {"subset", read_subset},
    {"renamed_documents", read_renamed_documents},
    {"inputs", read_inputs},
    {"baseline", read_baseline},
    {"labels", read_labels},
    {"history", read_history},
};

static void
read_keys(struct reader *r, const struct value *v)
{
	const struct value *item;
	size_t i;

	keys_unknown(config_keys, nconfig_keys, "", v, r->file, r->e);
	for (i = 0; i < COUNT(keys); i++)
		if ((item = value_get(v, keys[i].name)))
			keys[i].read(r, item);
	if (!value_get(v, "version"))
		fail_at(r->e, r->file, v->line,
		    "has no 'version'; begin with `version: 1`");
}

static void
set_defaults(struct config *config)
{
	*config = (struct config){.suite = "default",
	    .keep_top = 10,
	    .deepen = true,
	    .policy.max_distance = 100};
}

/* A mistake in a suite is told whichever is chosen, and what all share once. */
static void
check_suites(
    const struct reader *r, const struct value *tree, const char *chosen)
{
	const struct value *suites = value_get(tree, "suites"), *made;
	struct config ignored;
	struct reader other = {r->arena, &ignored, r->file, r->e};
	const char *name;
	size_t i;

	for (i = 0; suites && i < suites->nitems; i++) {
		name = suites->u.members[i].key;
		made = tree;
		if ((chosen && strcmp(chosen, name) == 0) ||
		    suite_choose(r->arena, r->file, name, &made, r->e) < 0)
			continue;
		set_defaults(&ignored);
		read_keys(&other, made);
		rules_read(r->arena, made, r->file, &ignored.rules, r->e);
	}
}

static int
read_tree(struct reader *r, const struct value *tree, const char *suite)
{
	const struct value *whole = tree;
	size_t before = r->e->nitems;

	if (tree->type == VALUE_NULL)
		return fail_at(
		    r->e, r->file, 1, "is empty; begin with `version: 1`");
	if (tree->type != VALUE_MAP)
		return fail_at(r->e, r->file, tree->line,
		    "is %s; expected a map with `version: 1`",
		    value_type_name(tree));
	if (suite_choose(r->arena, r->file, suite, &tree, r->e) < 0)
		return -1;
	read_keys(r, tree);
	rules_read(r->arena, tree, r->file, &r->config->rules, r->e);
	check_suites(r, whole, suite);
	errors_in_order(r->e, before);
	return r->e->nitems > before ? -1 : 0;
}

/* The file that --config names, else the default one; NULL for none. */
static const char *
find_config(struct arena *arena, const char *named, const char *root)
{
	static const char *const names[] = {"evalgate.yaml", "evalgate.yml"};
	const char *path;
	size_t i;

	if (named)
		return named;
	for (i = 0; i < COUNT(names); i++) {
		path = root ? arena_printf(arena, "%s/%s", root, names[i])
			    : names[i];
		if (access(path, F_OK) == 0)
			return path;
	}
	return NULL;
}

int
config_read(struct arena *arena, const char *named, const char *root,
    const char *suite, struct config *config, struct error *e)
{
	static const struct value nothing = {.type = VALUE_NULL, .text = ""};
	struct reader r = {arena, config, NULL, e};
	const struct value *tree;
	struct source source;
	struct buf buf;
	int rc = -1;

	set_defaults(config);
	config->file = r.file = find_config(arena, named, root);
	if (!r.file)
		return rules_read(arena, &nothing, NULL, &config->rules, e);
	buf_init(&buf);
	if (file_read(r.file, &buf, e) == 0) {
		source = (struct source){r.file, 1, buf.data, buf.len};
		tree = yaml_read(arena, &source, e);
		if (tree)
			rc = read_tree(&r, tree, suite);
	}
	buf_free(&buf);
	return rc;
}
