/* What the files of input share: lines, CSV rows, the join. */
#ifndef INPUT_INTERNAL_H
#define INPUT_INTERNAL_H

#include "evalgate/input.h"

/* A file's text, read whole, without its byte order mark. */
struct text {
	const char *file;
	char *data; /* NUL-terminated; readers may cut it up */
	size_t len;
};

/*
 * Prepares text that was read: passes over a byte order mark, refuses NUL,
 * bytes that are no UTF-8, and nothing but blanks, each with its line.
 */
int text_open(
    struct text *text, struct buf *buf, const char *file, struct error *e);
/* The 1-based line that an offset stands on. */
size_t text_line(const struct text *text, size_t offset);
/* The first byte that is no blank, '\0' where there is none. */
char text_first(const struct text *text);

/*
 * Cuts the text into lines of fields that white space separates; comment and
 * blank lines are passed over.
 */
struct fields {
	const char *at[8];
	size_t n; /* may exceed the 8 that are kept */
	size_t line;
};

struct fields_reader {
	char *next;
	char *end;
	size_t line;
};

bool fields_next(struct fields_reader *reader, struct fields *fields);
/* The first line that holds fields, without cutting anything. */
size_t fields_count_first(const struct text *text, bool *last_is_integer);

/* RFC 4180, with the line each row begins on. */
struct csv_reader {
	struct text *text;
	size_t offset;
	size_t line;
	char **cells;
	size_t ncells;
	size_t cap;
	struct arena *arena;
};

/* 1: a row (blank lines are passed over), 0: the end, -1: an error. */
int csv_next(struct csv_reader *csv, size_t *line, struct error *e);

/* The columns that evalgate's CSV has, from its header. */
struct csv_columns {
	size_t question, expected, rank; /* index, or CSV_NONE */
	const char **names; /* all of them */
	size_t n;
};
#define CSV_NONE ((size_t)-1)

/* Reads the header; -1 when the text is no CSV of ours. */
int csv_header(
    struct csv_reader *csv, struct csv_columns *columns, struct error *e);
/* Whether the first line is a header with these columns. */
bool csv_detect(
    const struct text *text, const char *const *columns, size_t ncolumns);

/* ----------------------------------------------------------- questions -- */

/* A question set while it is being read. */
struct question_builder {
	struct arena *arena;
	struct questions *questions;
	size_t cap;
	struct error *e;
};

/*
 * Adds a question; the judgments may be in any order.  Says a repeated
 * question or document.
 */
int question_add(struct question_builder *builder, struct question question,
    struct judgment *judgments, size_t njudgments);

/* Ids with ';' between them, as judgments of grade 1. */
size_t judgments_split(
    struct arena *arena, const char *expected, struct judgment **judgments);

struct question_format {
	const char *name;
	bool (*detect)(const struct text *text);
	int (*read)(struct question_builder *builder, struct text *text);
	const char *summary;
};

extern const struct question_format question_trec, question_csv, question_json,
    question_yaml;

#define MAX_GRADE 1000000

/* ----------------------------------------------------------------- join -- */

struct result {
	const char *document;
	double score;
	bool scored;
	size_t line;
};

struct seen_place {
	const char *file;
	size_t line;
};

struct join {
	struct arena *arena;
	const struct run_options *options;
	const struct questions *questions;
	struct run *run;
	struct map seen; /* every question id of the run */
	struct map by_text; /* the questions' texts, for CSV */
	size_t unordered; /* lists whose scores say another order */
	struct error *e;
	struct seen_place *places; /* by index in seen */
	size_t nplaces, cap;
	bool lists; /* some answer was a list */
};

/*
 * One question's whole list.  by_score: ordered by score, then by document
 * id, both descending, as trec_eval does; else in the order given.  Refuses
 * a question or a document twice.
 */
int join_list(struct join *join, const char *id, struct result *results,
    size_t nresults, bool by_score, const char *file, size_t line);
/* One question's rank alone, 0: not found; expected as the run names it. */
int join_rank(struct join *join, const char *name, unsigned rank,
    const char *expected, const char *file, size_t line);
/* A question whose retrieval failed. */
int join_error(
    struct join *join, const char *id, const char *file, size_t line);

struct run_format {
	const char *name;
	bool (*detect)(const struct text *text);
	int (*read)(struct join *join, struct text *text);
	const char *summary;
};

extern const struct run_format run_trec, run_csv, run_json;

#endif
