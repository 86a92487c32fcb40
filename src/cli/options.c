/* The table of options, and reading them. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum option_kind { OPTION_FLAG, OPTION_TEXT, OPTION_WORDS };

struct option_row {
	const char *name;
	char letter; /* '\0': none */
	const char *value;
	enum option_kind kind;
	unsigned commands;
	size_t offset;
	const char *help;
};

#define GATES (COMMAND_CHECK | COMMAND_RECORD | COMMAND_CI)
#define RUNS (COMMAND_SCORE | GATES | COMMAND_COMPARE)
#define PAST (COMMAND_HISTORY | COMMAND_BLAME)
#define SHARES (COMMAND_RECORD | COMMAND_SYNC | COMMAND_DOCTOR | COMMAND_CI)
#define TRIES (COMMAND_SELFTEST | COMMAND_NOISE)
#define READS (RUNS | TRIES | COMMAND_LINT | COMMAND_ACCEPT)
#define CONFIGURED (READS | PAST | COMMAND_SYNC | COMMAND_DOCTOR)
#define EVERY (COMMAND_SCHEMA | COMMAND_COMPLETION)
#define ALL (CONFIGURED | COMMAND_INIT | COMMAND_REPORT)
#define AT(field) offsetof(struct options, field)

static const struct option_row rows[] = {
    {"config", 'c', "FILE", OPTION_TEXT, CONFIGURED, AT(config),
	"the config (default: evalgate.yaml at the repository's root)"},
    {"directory", 'C', "DIR", OPTION_TEXT, ALL, AT(directory),
	"work as if started in DIR"},
    {"questions", 'Q', "FILE", OPTION_WORDS, READS, AT(questions),
	"question file, instead of the config's; may be repeated"},
    {"question-format", '\0', "NAME", OPTION_TEXT, READS, AT(question_format),
	"evalgate, companion, trec, beir, csv, map or texts\n"
	"(default: by content)"},
    {"run-format", '\0', "NAME", OPTION_TEXT, READS, AT(run_format),
	"trec, jsonl, map, ranks, companion or csv (default: by content)"},
    {"rank-field", '\0', "NAME", OPTION_TEXT, READS, AT(rank_field),
	"of a companion file: hit_rank, page_rank or keyword_rank"},
    {"fail", '\0', NULL, OPTION_FLAG, COMMAND_COMPARE, AT(fail),
	"apply the rules: exit 1 where B is worse than they allow"},
    {"only", '\0', "FILE|FIELD=VALUE", OPTION_TEXT, READS, AT(only),
	"this run was to answer these questions, and the tracked ones"},
    {"repeat", '\0', NULL, OPTION_FLAG,
	(COMMAND_SCORE | COMMAND_SELFTEST | COMMAND_ACCEPT | GATES), AT(repeat),
	"the RUNs are repetitions of one thing, not shards"},
    {"suite", '\0', "NAME", OPTION_TEXT, CONFIGURED, AT(suite),
	"the history to use (default: the config's, else 'default')"},
    {"baseline", '\0', "rev:REV|file:RUN", OPTION_TEXT, GATES | COMMAND_ACCEPT,
	AT(baseline),
	"compare with this commit's record or the nearest before it,\n"
	"or with another results file"},
    {"event", '\0', "NAME", OPTION_TEXT, GATES, AT(event),
	"local, push, pull_request, merge_group, schedule or manual\n"
	"(default: from the environment)"},
    {"require-baseline", '\0', NULL, OPTION_FLAG, GATES, AT(require_baseline),
	"exit 3 where there is nothing to compare with"},
    {"commit", '\0', "REV", OPTION_TEXT, COMMAND_RECORD, AT(commit),
	"store for this commit rather than for HEAD"},
    {"start", '\0', "REASON", OPTION_TEXT, COMMAND_RECORD, AT(start),
	"begin a new history: compare with nothing, be the reference"},
    {"record", '\0', NULL, OPTION_FLAG, COMMAND_CI, AT(record),
	"store on a pull request, too; never on one from a fork"},
    {"allow-dirty", '\0', NULL, OPTION_FLAG, COMMAND_RECORD | COMMAND_CI,
	AT(allow_dirty),
	"store in spite of uncommitted changes; never a baseline"},
    {"label", '\0', "KEY=VALUE", OPTION_WORDS, GATES, AT(labels),
	"a label kept with the record; may be repeated"},
    {"metric", '\0', "NAME", OPTION_WORDS, COMMAND_HISTORY, AT(metrics),
	"show this metric; may be repeated"},
    {"question", '\0', "ID", OPTION_WORDS, COMMAND_HISTORY, AT(questions),
	"show this question; may be repeated"},
    {"fetch", '\0', NULL, OPTION_FLAG, COMMAND_SYNC, AT(fetch),
	"bring what the remote has, and push nothing"},
    {"push", '\0', NULL, OPTION_FLAG, COMMAND_RECORD | COMMAND_SYNC, AT(push),
	"share it: fetch, unite, push, and again if others were faster"},
    {"remote", '\0', "NAME|URL", OPTION_TEXT, SHARES, AT(remote),
	"whom to share with (default: the config's, else origin)"},
    {"range", '\0', "A..B", OPTION_TEXT, PAST, AT(range),
	"commits after A up to B, instead of all up to HEAD"},
    {"until", '\0', "DATE", OPTION_TEXT, COMMAND_ACCEPT, AT(until),
	"the waiver's last day (YYYY-MM-DD, UTC), or never"},
    {"reason", '\0', "TEXT", OPTION_TEXT, COMMAND_ACCEPT, AT(reason),
	"why the loss is accepted"},
    {"issue", '\0', "TEXT", OPTION_TEXT, COMMAND_ACCEPT, AT(issue),
	"where it is followed up"},
    {"no-record", '\0', NULL, OPTION_FLAG, COMMAND_CI, AT(no_record),
	"store nothing, whatever the event"},
    {"no-push", '\0', NULL, OPTION_FLAG, COMMAND_CI, AT(no_push),
	"store here, and share nothing"},
    {"no-summary", '\0', NULL, OPTION_FLAG, COMMAND_CI, AT(no_summary),
	"leave the step's summary alone"},
    {"no-annotations", '\0', NULL, OPTION_FLAG, COMMAND_CI, AT(no_annotations),
	"print no annotations"},
    {"all", '\0', NULL, OPTION_FLAG, COMMAND_ACCEPT, AT(all),
	"everything that fails now"},
    {"write", '\0', NULL, OPTION_FLAG, COMMAND_ACCEPT, AT(write),
	"insert the waivers into the config"},
    {"run", '\0', "RUN", OPTION_WORDS, COMMAND_ACCEPT, AT(run_files),
	"the results that fall short (default: the config's); may be\n"
	"repeated for shards"},
    {"workflow", '\0', NULL, OPTION_FLAG, COMMAND_INIT, AT(workflow),
	"a GitHub workflow too, .github/workflows/evalgate.yml"},
    {"since", '\0', "DATE", OPTION_TEXT, PAST, AT(since),
	"commits of this day (YYYY-MM-DD, UTC) or later"},
    {"until", '\0', "DATE", OPTION_TEXT, PAST, AT(until),
	"commits of this day or earlier"},
    {"runs", '\0', NULL, OPTION_FLAG, COMMAND_HISTORY, AT(runs),
	"every recorded run of a commit, not the newest alone"},
    {"per-question", '\0', NULL, OPTION_FLAG, COMMAND_SCORE | COMMAND_REPORT,
	AT(per_question), "every question's rank and scores in text too"},
    {"format", '\0', "NAME[:PATH]", OPTION_WORDS,
	(RUNS | PAST | COMMAND_REPORT), AT(formats),
	"text, json, ..., to stdout or a file; may be repeated"},
    {"now", '\0', "TIME", OPTION_TEXT, GATES | COMMAND_ACCEPT, AT(now),
	"the time of recording, YYYY-MM-DDThh:mm:ssZ"},
    {"color", '\0', "WHEN", OPTION_TEXT, ALL, AT(color),
	"auto, always or never"},
    {"quiet", 'q', NULL, OPTION_FLAG, ALL, AT(quiet),
	"verdict and what is wrong, nothing else"},
    {"verbose", 'v', NULL, OPTION_FLAG, ALL, AT(verbose),
	"say what files were taken for"},
    {"help", 'h', NULL, OPTION_FLAG, ALL | EVERY, AT(help), "this page"},
};

static const struct option_row *
find(const char *name, size_t len, char letter, enum command_bit command)
{
	size_t i;

	for (i = 0; i < COUNT(rows); i++) {
		if (!(rows[i].commands & (unsigned)command))
			continue;
		if (letter ? rows[i].letter == letter
			   : strlen(rows[i].name) == len &&
			    memcmp(rows[i].name, name, len) == 0)
			return &rows[i];
	}
	return NULL;
}

static int
unknown(struct error *e, const char *command, enum command_bit bit,
    const char *word)
{
	const char *names[COUNT(rows)], *near, *name = word;
	size_t i, n = 0;

	while (*name == '-')
		name++;
	for (i = 0; i < COUNT(rows); i++)
		if (rows[i].commands & (unsigned)bit)
			names[n++] = rows[i].name;
	name = arena_strndup(e->arena, name, strcspn(name, "="));
	near = suggest(name, names, n);
	return fail(e, "unknown option '%s'%s%s%s; see `evalgate %s --help`",
	    word, near ? "; did you mean --" : "", near ? near : "",
	    near ? "?" : "", command);
}

void
words_add(struct arena *arena, struct words *words, const char *word)
{
	words->items = arena_grow(
	    arena, words->items, words->n, &words->cap, sizeof(*words->items));
	words->items[words->n++] = word;
}

static void
set(struct arena *arena, struct options *options, const struct option_row *row,
    const char *value)
{
	void *field = (char *)options + row->offset;

	switch (row->kind) {
	case OPTION_FLAG:
		*(bool *)field = true;
		break;
	case OPTION_TEXT:
		*(const char **)field = value;
		break;
	case OPTION_WORDS:
		words_add(arena, field, value);
		break;
	}
}

struct parsing {
	struct arena *arena;
	enum command_bit command;
	const char *name; /* of the command */
	int argc;
	char **argv;
	int i; /* the word that is looked at */
	struct options *options;
	struct error *e;
};

/* Sets an option to value, else to the word that follows. */
static int
give(struct parsing *p, const struct option_row *row, const char *value)
{
	if (row->kind == OPTION_FLAG && value)
		return fail(p->e, "--%s takes no value", row->name);
	if (row->kind != OPTION_FLAG && !value) {
		if (p->i + 1 >= p->argc)
			return fail(
			    p->e, "--%s needs %s", row->name, row->value);
		value = p->argv[++p->i];
	}
	set(p->arena, p->options, row, value);
	return 0;
}

static int
read_long(struct parsing *p)
{
	const char *word = p->argv[p->i], *name = word + 2;
	size_t len = strcspn(name, "=");
	const struct option_row *row = find(name, len, '\0', p->command);

	if (!row)
		return unknown(p->e, p->name, p->command, word);
	return give(p, row, name[len] ? name + len + 1 : NULL);
}

/* Flags in one word, of which the last may have its value behind it. */
static int
read_letters(struct parsing *p)
{
	const char *word = p->argv[p->i], *letter = word;
	const struct option_row *row;

	while (*++letter) {
		row = find("", 0, *letter, p->command);
		if (!row)
			return unknown(p->e, p->name, p->command, word);
		if (row->kind != OPTION_FLAG)
			return give(p, row, letter[1] ? letter + 1 : NULL);
		set(p->arena, p->options, row, NULL);
	}
	return 0;
}

int
options_parse(struct arena *arena, enum command_bit command, const char *name,
    int argc, char **argv, struct options *options, struct error *e)
{
	struct parsing p = {arena, command, name, argc, argv, 0, options, e};
	bool only_args = false;
	size_t before = e->nitems;
	const char *word;

	*options = (struct options){.color = "auto"};
	for (; p.i < argc; p.i++) {
		word = argv[p.i];
		if (only_args || word[0] != '-' || !word[1])
			words_add(arena, &options->args, word);
		else if (strcmp(word, "--") == 0)
			only_args = true;
		else if (word[1] == '-')
			read_long(&p);
		else
			read_letters(&p);
	}
	if (strcmp(options->color, "auto") != 0 &&
	    strcmp(options->color, "always") != 0 &&
	    strcmp(options->color, "never") != 0)
		fail(e, "--color is '%s'; write auto, always or never",
		    options->color);
	return e->nitems > before ? -1 : 0;
}

bool
options_at(enum command_bit command, size_t i, struct option_name *option)
{
	size_t k;

	for (k = 0; k < COUNT(rows); k++) {
		if (!(rows[k].commands & (unsigned)command) || i--)
			continue;
		*option = (struct option_name){
		    rows[k].name, rows[k].letter, rows[k].value, rows[k].help};
		return true;
	}
	return false;
}

void
options_help(struct buf *out, enum command_bit command)
{
	const char *p;
	size_t i, start;

	for (i = 0; i < COUNT(rows); i++) {
		if (!(rows[i].commands & (unsigned)command))
			continue;
		start = out->len;
		if (rows[i].letter)
			buf_printf(out, "  -%c, ", rows[i].letter);
		else
			buf_puts(out, "      ");
		buf_printf(out, "--%s", rows[i].name);
		if (rows[i].value)
			buf_printf(out, " %s", rows[i].value);
		for (p = rows[i].help; *p; p += strspn(p, "\n")) {
			while (out->len - start < 29)
				buf_putc(out, ' ');
			buf_puts(out, " ");
			buf_add(out, p, strcspn(p, "\n"));
			buf_putc(out, '\n');
			p += strcspn(p, "\n");
			start = out->len;
		}
	}
}
