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

void words_add(struct arena *arena, struct words *words, const char *word);

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
	const char *range;
	const char *since;
	const char *until;
	bool runs;
	const char *remote;
	bool fetch;
	bool push;
	bool record;
	bool repeat;
	bool fail;
	bool require_baseline;
	bool allow_dirty;
	bool no_record;
	bool no_push;
	bool no_summary;
	bool no_annotations;
	bool all;
	bool write;
	bool workflow;
	const char *reason;
	const char *issue;
	struct words run_files;
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
	COMMAND_HISTORY = 8,
	COMMAND_COMPARE = 16,
	COMMAND_BLAME = 32,
	COMMAND_DOCTOR = 64,
	COMMAND_SYNC = 128,
	COMMAND_CI = 256,
	COMMAND_SELFTEST = 512,
	COMMAND_NOISE = 1024,
	COMMAND_LINT = 2048,
	COMMAND_INIT = 4096,
	COMMAND_ACCEPT = 8192,
	COMMAND_REPORT = 16384,
	COMMAND_SCHEMA = 32768,
	COMMAND_COMPLETION = 65536
};

/* Reads argv[0 .. argc - 1], the words after the command's name. */
int options_parse(struct arena *arena, enum command_bit command,
    const char *name, int argc, char **argv, struct options *options,
    struct error *e);
/* An option of a command as completions see it. */
struct option_name {
	const char *name;
	char letter; /* '\0': none */
	const char *value; /* what it takes, "FILE"; NULL: nothing */
	const char *help;
};

/* The i-th option of a command; false past the last. */
bool options_at(enum command_bit command, size_t i, struct option_name *option);
/* The options of a command, one a line, for --help. */
void options_help(struct buf *out, enum command_bit command);

/* -------------------------------------------------------------- config -- */

struct config {
	const char *file; /* NULL: none was found */
	const char *suite;
	struct words questions; /* files, relative to the working directory */
	struct words runs;
	/* The values of these keys, for the lines they stand on; NULL. */
	const struct value *question_values, *run_values, *subset_value,
	    *renamed_value;
	struct words inputs; /* paths that decide on the results */
	unsigned depth; /* 0: as the run shows */
	const char *subset; /* FIELD=VALUE or a file, NULL: all questions */
	const char *renamed_documents; /* a file, NULL */
	const char *remote; /* a name or a URL, NULL: none is named */
	int64_t keep_top; /* ids kept of tracked questions */
	bool deepen; /* `ci` may fetch more commits */
	struct run_options reading;
	struct rules rules;
	struct baseline_policy policy;
	const struct field *labels;
	size_t nlabels;
};

/*
 * Reads the config that --config names, else evalgate.yaml or .yml at root.
 * suite: of which suite, NULL for the config's own.
 * Where there is none, the defaults.  All mistakes are told at once.
 */
int config_read(struct arena *arena, const char *named, const char *root,
    const char *suite, struct config *config, struct error *e);
/*
 * Whether a file that the i-th item of a key names can be read; an error at
 * its line where not.
 */
int config_file_there(const struct config *config, const struct value *v,
    size_t i, const char *path, struct error *e);
/* The line of the i-th item of a key's value, be it a list or one. */
size_t config_line(const struct value *v, size_t i);
/* Whether a key is the whole config's, and no suite can set it. */
bool suite_lacks(const char *key);
/*
 * Puts the keys of the suite `name` in place of the tree's own, where its
 * `suites` has one; NULL: no suite was asked for.
 */
int suite_choose(struct arena *arena, const char *file, const char *name,
    const struct value **tree, struct error *e);

/* --------------------------------------------------------- environment -- */

/* What the surroundings say; read here and nowhere else. */
struct surroundings {
	const char *event; /* a row of the event table, NULL: none named */
	const char *target; /* branch that a pull request goes to, NULL */
	const char *base; /* its tip as the event names it, NULL */
	const char *head; /* the pull request's own last commit, NULL */
	const char *merge_base; /* where CI says it, NULL */
	const char *merge; /* the commit that merges it into base, NULL */
	/* It comes from another repository, or may: how that is said; NULL. */
	const char *fork;
	const char *run;
	int64_t attempt;
	const char *branch;
	struct repo_options repo;
	bool no_color;
	bool annotations; /* whoever shows the log understands them */
	const char *summary; /* files of the step's, NULL */
	const char *outputs;
	enum run_reader reader; /* EVALGATE_READER, for tests */
};

void surroundings_read(struct arena *arena, struct surroundings *around);
/* Seconds since 1970: --now, else the clock. */
int now_read(const char *option, int64_t *now, struct error *e);

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
	enum command_bit command;
	struct arena *arena;
	struct error *e;
	struct options options;
	struct surroundings around;
	struct config config;
	struct repo *repo; /* NULL: none needed, or none there */
	struct questions questions;
	struct run run;
	struct words run_names; /* where the words are no runs; else empty */
	struct words run_files;
	bool own_questions; /* a CSV run names them, and no other file */
	struct views views;
	struct scores scores;
	struct words notices;
	int64_t now; /* seconds since 1970 */
	bool reported; /* a verdict was told */
	bool unfetched; /* the history that a remote has could not be had */
};

/* The steps that commands have in common; each -1 after an error. */
int session_find_repo(struct session *s); /* where there is one */
int session_open_repo(struct session *s);
/* The repository, where nothing else says where the config is. */
void session_find_config_repo(struct session *s);
int session_read_config(struct session *s);
int session_read_renamed(struct session *s); /* with the questions, too */
/* The questions, and the rules about them, without a run. */
int session_read_questions(struct session *s);
int session_read_run(struct session *s);
/* The run's files by name, of the command line or else of the config. */
int session_find_run_files(struct session *s);
/* Each RUN a run of its own, all of one thing, into s->run. */
int session_read_repeats(struct session *s, const struct run_options *options);
/* Scores what is in s->run. */
int session_score(struct session *s);
/* Reads another run, as the config says: of the same questions, or others. */
int session_read_other(struct session *s, const char *file,
    const struct questions *questions, struct run *run);
/* Names the questions that a run lacks; shown: and that this one has; NULL. */
void session_say_lacks(
    struct session *s, const struct run *run, const struct run *shown);
/* All that is to be said of a run which no report shows. */
void session_say_other(struct session *s, const struct run *run);
/*
 * A results file in place of a record, with questions of its own where it is
 * a CSV and nothing else names any.
 */
int session_read_reference(struct session *s, const char *file,
    const struct qset *qset, struct reference *reference, struct side *side);
void session_notice(struct session *s, const char *notice);
/* A run of the same questions in place of a record; name is its commit's. */
void session_reference(struct session *s, const char *name,
    const struct run *run, const struct qset *qset, struct reference *reference,
    struct side *side);
/* Judges a run against one side, and what its record holds subjects to. */
void session_judge(struct session *s, const struct run *run,
    const struct scores *scores, const struct side *side,
    const struct held *held, size_t nheld, struct judgement *judgement);

/* A record before what is judged. */
struct past_record {
	const struct record *record;
	const char *subject; /* of its commit, NULL: its object is not here */
};

struct past {
	struct past_record *records; /* newest first, from `before` on */
	size_t nrecords;
	struct side *sides; /* of the first nsides of them */
	size_t nsides;
	size_t nwindow; /* how many of these creep looks at */
	struct held *held; /* what waived subjects are held to */
	size_t nheld, held_cap;
};

/* Everything that check and record know of one run. */
struct gating {
	struct commit commit;
	const struct event *event;
	bool dirty;
	struct notes *notes;
	struct qset qset; /* of all questions: what is compared */
	struct qset asked; /* of those that this run was to answer */
	const char *inputs; /* one id of what decided on the results, NULL */
	struct baseline baseline;
	struct qset before_qset, good_qset;
	struct side before, good;
	struct past past;
	struct judgement judgement;
};

/* Where the walk for the baseline starts, and why there. */
struct start {
	const char *id; /* NULL: there is nothing before */
	size_t distance; /* first-parent steps to it, 0 if unknown */
	const char *judged; /* whose own records never serve; NULL: none */
	const char *reason;
	const char *unknown; /* why the start can't be told, NULL if it can */
	const char *file; /* results to compare with instead, NULL */
};

/* Fills in the policy's inputs and g->inputs, where the config has any. */
void inputs_find(struct session *s, struct gating *g);
/* Those that name nothing become notices. */
void inputs_say(struct session *s);
int start_find(struct session *s, const struct gating *g, struct start *start);

enum revision {
	REVISION_KNOWN,
	REVISION_SHALLOW, /* a shallow clone may only lack it */
	REVISION_FAULTY /* repo_resolve says why */
};

/*
 * The commit that a revision names; by its whole id also one that is not
 * here and has a record.
 */
enum revision session_revision(struct session *s, const struct notes *notes,
    const char *revision, const char **id);
/* A commit's own records, by its tree where its object is here. */
int session_records(struct session *s, struct notes *notes, const char *commit,
    struct record **records, size_t *nrecords, struct skipped *skipped);
/* A record seen through today's questions. */
int gating_side(struct session *s, const struct gating *g,
    const struct reference *reference, struct qset *qset, struct side *side);
/* The records before the baseline: what creep and waivers look at. */
int past_read(struct session *s, struct gating *g);
/*
 * Adds what a reference holds subjects to, where none held them before; a
 * new start ends it all.
 */
int past_held(struct session *s, struct gating *g, const struct record *record);
/* The ranks of tracked questions, and why those that fell did. */
void past_tell(struct session *s, struct gating *g, struct report *report);

/* The first results of a question, and where its own document stands. */
struct top {
	const char *const *documents;
	size_t n;
	unsigned rank; /* 0: not found */
};

/*
 * The newest place, of n with the newest first, that was worse than the one
 * before it and never came back; n when there is none.
 */
size_t fall_find(const struct place *places, size_t n);
/* The best of n places, the oldest of equals. */
size_t fall_best(const struct place *places, size_t n);
const struct record_top *record_top(
    const struct record *record, const char *question);
/* Fills in what stands above now and did not then, and what left. */
void fall_displacers(struct arena *arena, const struct rules *rules,
    const struct top *now, const struct top *then, struct explanation *to);

/* Finds the baseline and judges; the report is ready for output. */
int gating_run(struct session *s, struct gating *g, struct report *report);
/* The questions that a run was to answer, and what it says of them. */
void session_asked(
    struct session *s, struct questions *questions, struct run *run);
/* Refuses options by which nothing can be recorded. */
int recording_check(struct session *s);
/* What the record will keep of the config beside lists of rules. */
struct record_limits gating_limits(const struct session *s);
/*
 * Stores what was judged, and shares it when push; report->stored says what
 * became of it.
 */
void session_store(struct session *s, const struct gating *g, bool push,
    struct report *report);
/* Who signs a note: the environment, else git's config. */
void session_sign(struct session *s, struct signature *signature);
const char *session_remote(const struct session *s);
/* The same as it may be told: without a password. */
const char *session_remote_shown(const struct session *s);
/*
 * Shares the suite's history, with push or only fetching; result may be
 * NULL.  What has to be said becomes a notice.
 */
int session_share(struct session *s, const struct signature *signature,
    bool push, struct sync_result *result);
/* The exit status of a verdict. */
int verdict_exit(enum verdict verdict);
/* The program's: 2 for faulty input, then a failed gate's 1, then 4, then 3. */
int exit_status(const struct error *e, int verdict);

/* Adds the report to the step's summary, as far as there is room. */
int summary_append(struct session *s, const struct report *report);
/*
 * Adds the verdict and what belongs to it to the step's outputs; report NULL
 * where there is none.
 */
int outputs_append(struct session *s, const struct report *report, int status);
/* Whether a format was asked for that takes standard output. */
bool output_takes_stdout(const struct session *s);

/* Whether this run is to answer a part of the questions. */
bool part_is(const struct session *s);
/* What it is not held to, as notices. */
void part_say(struct session *s);
/* " where only category=faq is asked"; "" where all questions are. */
const char *part_text(const struct session *s);
/*
 * Why the floor, or else the drop, of the i-th threshold is not judged, since
 * only a part of the questions is asked: "where only ..."; NULL: it is.
 */
const char *part_unjudged(const struct session *s, size_t i, bool floor);
/* Missed expected documents that occur nowhere in the run become a notice. */
void absent_say(struct session *s);
/* Each line moved to the right. */
const char *indented(struct arena *arena, const char *lines, size_t columns);
/* Inserts waivers, an item a line, into the config, or changes nothing. */
int waivers_insert(struct session *s, const char *lines);

/* Checks --format before any work is done. */
int output_check(struct session *s);
/* The recorded past along first parents, newest first. */
struct trail {
	struct notes *notes;
	struct chain_link *links;
	size_t nlinks;
	bool narrowed; /* some records lie outside of what was asked for */
	const char *cut; /* why it ended early, NULL */
};

/* Reads it from HEAD, or from --range's end, within --since and --until. */
int trail_read(struct session *s, struct trail *trail);
/* A commit's newest record that is its own and not dirty; NULL. */
const struct record *trail_record(const struct chain_link *link);
/* A run that was recorded, of a commit that may have several. */
struct trail_run {
	const struct record *record;
	size_t link; /* index of its commit's */
};

/*
 * Every run of these commits that is not dirty, newest first: what is sought
 * in the past, a standard, a best rank or a fall, may be any of them.
 */
size_t trail_runs(struct arena *arena, const struct chain_link *links,
    size_t nlinks, struct trail_run **runs);
/* The best rank that a record has for a question of its set. */
struct history_rank trail_rank(
    struct arena *arena, const struct record *record, size_t index);

/*
 * What a page shows of the past: every question along a chain, newest first,
 * of which the newest records are taken, and then the run under judgment,
 * where there is one.  The questions have been read.
 */
int walk_make(struct session *s, const struct trail *trail,
    const struct gating *judged, struct history_report *past);
/* The same as a part of a report, where a format was asked for that shows it. */
int walk_tell(struct session *s, const struct gating *g, struct report *report);
/* Whether a format has something to say of what a command tells. */
bool format_speaks(const struct format *format, enum command_bit command);
/* The first file that a format was asked to write, "": none. */
const char *output_path(const struct session *s, const char *format);
/* Whether there is such a format. */
bool output_wants_past(const struct session *s);

/* Lays out what came of a run: the rest is as the session has it now. */
void output_sheet(
    struct session *s, const struct report *report, struct sheet *sheet);
/* Writes it in every format that was asked for. */
int output_report(struct session *s, const struct report *report);
int output_sheets(
    struct session *s, const struct sheet *sheets, size_t nsheets);
int output_history(struct session *s, const struct history_report *history);
int output_blame(struct session *s, const struct blame_report *blame);

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
    command_compare, command_history, command_blame, command_sync,
    command_doctor, command_ci, command_selftest, command_noise, command_lint,
    command_init, command_accept, command_report, command_schema,
    command_completion;

/* All of them, in the order of --help. */
extern const struct command *const command_table[];
extern const size_t ncommands;

#endif
