/* What the files of cli share: options, the config, the commands. */
#ifndef CLI_H
#define CLI_H

#include "evalgate/base.h"
#include "evalgate/gate.h"
#include "evalgate/history.h"
#include "evalgate/report.h"

enum exit_status {
	EXIT_PASS = 0,
	EXIT_GATE = 1,
	EXIT_INPUT = 2,
	EXIT_NO_VERDICT = 3,
	EXIT_ENVIRONMENT = 4
};

/* ------------------------------------------------------------- options -- */

struct words {
	const char **items;
	size_t n, cap;
};

struct options {
	const char *config;
	const char *directory;
	const char *suite;
	const char *baseline;
	const char *event;
	const char *now;
	const char *color;
	const char *commit;
	const char *start;
	struct words formats;
	const char *only;
	const char *question_format;
	const char *run_format;
	const char *rank_field;
	struct words labels;
	struct words questions;
	struct words metrics;
	bool repeat;
	bool require_baseline;
	bool allow_dirty;
	bool per_question;
	bool quiet;
	bool verbose;
	bool help;
	struct words args; /* what is no option */
};

/* The commands, a bit each, for the table of options. */
enum command_bit {
	COMMAND_SCORE = 1,
	COMMAND_CHECK = 2,
	COMMAND_RECORD = 4,
	COMMAND_HISTORY = 8
};

/* Reads argv[0 .. argc - 1], the words after the command's name. */
int options_parse(struct arena *arena, enum command_bit command,
    const char *name, int argc, char **argv, struct options *options,
    struct error *e);
/* The options of a command, one a line, for --help. */
void options_help(struct buf *out, enum command_bit command);

/* -------------------------------------------------------------- config -- */

struct config {
	const char *file; /* NULL: none was found */
	const char *suite;
	struct words questions; /* files, relative to the working directory */
	struct words runs;
	unsigned depth; /* 0: as the run shows */
	const char *subset; /* FIELD=VALUE or a file, NULL: all questions */
	const char *renamed_documents; /* a file, NULL */
	struct run_options reading;
	struct rules rules;
	struct baseline_policy policy;
	const struct field *labels;
	size_t nlabels;
};

/*
 * Reads the config that --config names, else evalgate.yaml or .yml at root.
 * Where there is none, the defaults.  All mistakes are told at once.
 */
int config_read(struct arena *arena, const char *named, const char *root,
    struct config *config, struct error *e);

/* --------------------------------------------------------- environment -- */

/* What the surroundings say; read here and nowhere else. */
struct surroundings {
	const char *event; /* a row of the event table, NULL: none named */
	const char *target; /* branch that a pull request goes to, NULL */
	const char *run;
	int64_t attempt;
	const char *branch;
	struct repo_options repo;
	bool no_color;
	enum run_reader reader; /* EVALGATE_READER, for tests */
};

void surroundings_read(struct arena *arena, struct surroundings *around);
/* Seconds since 1970: --now, else the clock. */
int now_read(const char *option, int64_t *now, struct error *e);
/* "2026-12-01T23:59:59Z" */
const char *time_text(struct arena *arena, int64_t seconds);

/* ------------------------------------------------------------ progress -- */

/* A line on a terminal, once reading has taken a second. */
struct progress_line {
	struct progress progress; /* for whoever reads */
	bool on; /* stderr is a terminal, and nobody said -q */
	bool shown;
	double begun, told; /* seconds of a steady clock */
};

void progress_begin(struct progress_line *line, bool quiet);
/* Wipes the line away. */
void progress_end(struct progress_line *line);

/* ------------------------------------------------------------ commands -- */

struct session {
	struct arena *arena;
	struct error *e;
	struct options options;
	struct surroundings around;
	struct config config;
	struct repo *repo; /* NULL: none needed, or none there */
	struct questions questions;
	struct run run;
	struct words run_files;
	struct views views;
	struct scores scores;
	struct words notices;
};

/* The steps that commands have in common; each -1 after an error. */
int session_open_repo(struct session *s);
int session_read_config(struct session *s);
int session_read_run(struct session *s);
void session_notice(struct session *s, const char *notice);

/* Everything that check and record know of one run. */
struct gating {
	struct commit commit;
	const struct event *event;
	bool dirty;
	struct notes *notes;
	struct qset qset; /* of all questions: what is compared */
	struct qset asked; /* of those that this run was to answer */
	struct baseline baseline;
	struct qset before_qset, good_qset;
	struct side before, good;
	struct judgement judgement;
};

/* Finds the baseline and judges; the report is ready for output. */
int gating_run(struct session *s, struct gating *g, struct report *report);
/* The questions that a run was to answer, and what it says of them. */
void session_asked(
    struct session *s, struct questions *questions, struct run *run);
/* The record that stands for what was judged. */
void gating_record(
    struct session *s, const struct gating *g, struct record *record);
/* The exit status of a verdict. */
int verdict_exit(enum verdict verdict);

/* Checks --format before any work is done. */
int output_check(struct session *s);
/* Writes a report in every format that was asked for. */
int output_report(struct session *s, const struct report *report);
int output_history(struct session *s, const struct history_report *history);

struct command {
	const char *name;
	enum command_bit bit;
	const char *synopsis;
	const char *summary; /* a line */
	const char *help; /* a paragraph */
	/* The exit status; errors in s->e are printed by the caller. */
	int (*run)(struct session *s);
};

extern const struct command command_score, command_check, command_record,
    command_history;

#endif
