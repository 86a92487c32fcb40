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
/*
 * What text_open would say of a file, without having it in memory: 0 when it
 * is sound, 1 when a fault was added to e, -1 when it could not be read.
 */
int text_stream_fault(struct stream *stream, const char *file, struct error *e);
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
	bool tabs; /* a line with tabs is cut at those alone */
};

bool fields_next(struct fields_reader *reader, struct fields *fields);
/* The first line that holds fields, past blanks before it and comments. */
const char *fields_first(const struct text *text);
/* How many it has, without cutting anything. */
size_t fields_count_first(const struct text *text, bool *last_is_integer);
/* Whether it is three cells with tabs between them. */
bool fields_first_is_tabs(const struct text *text);

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
	/* Index, or CSV_NONE. */
	size_t question, text, expected, expected_any, rank;
	size_t pages, holdout, evaluable;
	const char **names; /* all of them */
	size_t n;
};
#define CSV_NONE ((size_t)-1)

/* Reads the header, whatever its columns; each may stand once. */
int csv_names(
    struct csv_reader *csv, struct csv_columns *columns, struct error *e);
/* Reads a header of ours: question, expected, rank, further fields. */
int csv_header(
    struct csv_reader *csv, struct csv_columns *columns, struct error *e);
/* Whether the first line is a header with these columns. */
bool csv_detect(
    const struct text *text, const char *const *columns, size_t ncolumns);
/*
 * The expected documents of a row, of whichever column has them; NULL where
 * the file has neither.  Both in one row is an error.
 */
int csv_expected(const struct csv_reader *csv,
    const struct csv_columns *columns, size_t line, const char **expected,
    struct error *e);

/* ---------------------------------------------------------------- trees -- */

/* A file as a format sees it: its text, and the tree that it is, if any. */
struct document {
	struct text text;
	const struct value *tree; /* NULL where the text is no tree */
};

/* Whether the text begins as JSON does and is not named as YAML. */
bool tree_is_json(const struct text *text);
/*
 * Whether it is one JSON object a line: the first line that holds anything
 * is a whole object, and more follows.
 */
bool tree_is_lines(const struct text *text);
/*
 * The next line that holds anything, from offset *next on; source->line
 * counts on from the last call's.
 */
bool tree_next_line(
    const struct text *text, size_t *next, struct source *source);
/* Reads JSON, or one object a line as a list of them. */
const struct value *tree_read_json(
    struct arena *arena, const struct text *text, struct error *e);
const struct value *tree_read_yaml(
    struct arena *arena, const struct text *text, struct error *e);
/* The first of several names that a map has, NULL when it has none. */
const struct value *tree_one_of(
    const struct value *map, const char *const *names, size_t n);
/*
 * The same, and an error where another of them says something else: the same
 * text twice, or nothing, is no contradiction.
 */
int tree_only_one(const struct value *map, const char *const *names, size_t n,
    const char *file, const struct value **found, struct error *e);
/* Whether a map is one record: its id is a scalar, and no question's name. */
bool tree_is_one(
    const struct value *tree, const char *const *id_names, size_t n);
/* Whether a record has an `error` that says something. */
bool tree_says_error(const struct value *record);
/* The first item of a list, also below one of the names; NULL if none. */
const struct value *tree_first(
    const struct value *tree, const char *const *names, size_t n);

/* -------------------------------------------------------------- streams -- */

/* How a streaming reader ends; the window's own results too. */
enum stream_result {
	STREAM_LINES, /* there are whole lines */
	STREAM_DONE,
	STREAM_FAILED,
	STREAM_ODD, /* the slow path has to read this file */
	STREAM_SCATTERED /* a question's lines do not stand together */
};

struct window;

/* ----------------------------------------------------------- questions -- */

/* A question set while it is being read. */
struct question_builder {
	struct arena *arena;
	const char *file; /* the one being read, as messages call it */
	const char *format; /* of that file */
	unsigned before, last; /* places of the files before, and so far */
	struct questions *questions;
	size_t cap;
	struct map by_id; /* empty while ids come in order */
	struct error *e;
	/* Texts that a file of their own gives, by question id. */
	struct map texts;
	const char **text_items;
	size_t ntexts, texts_cap;
};

/* Notes the text of a question that another file judges. */
int question_add_text(struct question_builder *builder, const char *id,
    const char *text, const char *file, size_t line);

/* Whether no question has this id yet. */
bool question_is_new(struct question_builder *builder, const char *id);
/*
 * Adds a copy of a question, its place being the line in its file; what is
 * expected may be in any order.  Says a repeated question or document.
 */
int question_add(struct question_builder *builder, struct question question,
    struct expected *expected, size_t n, const struct question_more *more);
/* Gives a packed question a text. */
void question_set_text(
    struct arena *arena, struct question *question, const char *words);

/* Pages in ascending order, of items, which are sorted where they are. */
struct pages pages_of(int64_t *items, size_t n);

/* Ids with ';' between them, expected with grade 1. */
size_t expected_split(
    struct arena *arena, const char *ids, struct expected **expected);

enum syntax {
	SYNTAX_TEXT, /* lines: TREC, CSV */
	SYNTAX_TREE /* JSON, JSON Lines or YAML */
};

/* Says of text that is no tree of questions what is known instead. */
int question_unknown(
    struct error *e, const struct text *text, const struct value *tree);

struct question_format {
	const char *name;
	enum syntax syntax;
	/* Whether a document is of this format, by its content. */
	bool (*detect)(const struct document *document);
	int (*read)(
	    struct question_builder *builder, struct document *document);
	/* Reads it in pieces, in little memory; NULL: read does it all. */
	enum stream_result (*stream)(
	    struct question_builder *builder, struct window *window);
	const char *summary;
};

extern const struct question_format question_trec, question_beir, question_csv,
    question_evalgate, question_companion, question_map, question_texts;

#define MAX_GRADE 1000000

/* ----------------------------------------------------------------- join -- */

struct result {
	const char *document;
	int64_t page;
	double score;
	bool paged; /* page is given */
	bool scored;
	int64_t rank; /* a TREC run's fourth column, -1 where it is no number */
	size_t line;
};

/* Where the run names a question that nobody asked. */
struct seen_place {
	const char *id;
	unsigned file, line;
};

struct join {
	struct arena *arena;
	const struct run_options *options;
	const struct questions *questions;
	struct run *run;
	unsigned file; /* which one is being read */
	unsigned *ranks; /* of all answers, one behind the other */
	struct map seen; /* ids of the run that nobody asked about */
	size_t next; /* the question after the last one: runs keep the order */
	bool texts; /* the next two are made */
	struct map by_text; /* the questions' texts, for CSV */
	/* By question: another with the same text, 0: none.  NULL: all differ. */
	size_t *shared_text;
	size_t unordered; /* lists whose scores say another order */
	size_t misranked; /* TREC lines whose rank says another; verbose only */
	struct error *e;
	size_t nplaces; /* questions that the run named so far */
	struct seen_place *others; /* those in `seen`, as they appeared */
	size_t nothers, cap;
	bool lists; /* some answer was a list */
	bool page_ranks; /* ranks alone are of the page that is wanted */
	struct named unevaluated; /* though the questions have an answer */
	size_t notices_cap;
};

/* Something to say of the run; the text stays. */
void join_notice(struct join *join, const char *notice);

/* What the file in hand added is taken back, to read it in another way. */
struct join_mark {
	struct run run;
	size_t nplaces, nothers, unordered, misranked, nerrors;
	bool lists;
};

struct join_mark join_mark(const struct join *join);
void join_reset(struct join *join, const struct join_mark *mark);

/*
 * One question's whole list.  by_score: ordered by score, then by document
 * id, both descending, as trec_eval does; else in the order given.  Refuses
 * a question or a document twice.
 */
int join_list(struct join *join, const char *id, struct result *results,
    size_t nresults, bool by_score, const char *file, size_t line);
/* The question with this id, NULL: nobody asked it. */
const struct question *join_find(
    struct join *join, const char *id, size_t idlen);
/*
 * Notes that the run names this question; an error when it did before.
 * question NULL: nobody asked about it.
 */
int join_see(struct join *join, const struct question *question, const char *id,
    const char *file, size_t line);
/* Whether it was named before, and in which file. */
bool join_seen(const struct join *join, const struct question *question,
    const char *id, size_t idlen, unsigned *file);
/* The answer to fill in; NULL, and counted, where nobody asked. */
struct answer *join_begin(struct join *join, const struct question *question);
/* The ranks of an answer with nothing further, to fill in: all misses yet. */
unsigned *join_ranks(struct join *join, const struct answer *answer);
/* The widest group of equal scores that holds an expected document. */
struct tie {
	unsigned size, first;
};

void join_tie(struct join *join, struct answer *answer, const struct tie *tie);
/* Keeps the first results; top: their ids, in the arena. */
void join_keep(struct join *join, struct answer *answer, const char *const *top,
    size_t ntop);
/*
 * One question's rank alone, 0: not found; expected as the run names it.
 * Where pages are asked for, it has to be that of a page (join->page_ranks).
 */
int join_rank(struct join *join, const char *name, unsigned rank,
    const char *expected, const char *file, size_t line);
/* A list of documents, plain or as {"doc_id", "page", "score"}. */
int join_tree(struct join *join, const char *id, const struct value *list,
    const char *file, size_t line);
/*
 * A question that the run names as one that can't be answered.  Where the
 * question file has an answer, that is said, and it counts as not found.
 */
int join_unevaluated(
    struct join *join, const char *id, const char *file, size_t line);
/* A question whose retrieval failed. */
int join_error(
    struct join *join, const char *id, const char *file, size_t line);

struct run_format {
	const char *name;
	enum syntax syntax;
	bool (*detect)(const struct document *document);
	int (*read)(struct join *join, struct document *document);
	/* Reads it in pieces, in little memory; NULL: read does it all. */
	enum stream_result (*stream)(struct join *join, struct window *window);
	const char *summary;
};

/* The ranks that a companion file has; the first unless one is asked for. */
extern const char *const companion_ranks[3];

extern const struct run_format run_trec, run_csv, run_jsonl, run_map, run_ranks,
    run_companion;

#endif
