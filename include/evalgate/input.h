/*
 * input: question and run formats (a table each), and the join of both.
 */
#ifndef EVALGATE_INPUT_H
#define EVALGATE_INPUT_H

#include <limits.h>

#include "evalgate/base.h"
#include "evalgate/codec.h"
#include "evalgate/metric.h"

/* ----------------------------------------------------------- questions -- */

/* Expected pages, ascending; none: any page will do. */
struct pages {
	const int64_t *items;
	size_t n;
};

struct field {
	const char *name;
	const char *value;
};

/* What few questions of a large file have. */
struct question_more {
	const char *text; /* NULL where the file has none */
	const struct field *fields; /* any further field, for slices */
	size_t nfields;
	const struct pages *pages; /* by judgment, NULL: any page will do */
};

struct judgment {
	unsigned document; /* where its id stands, from the question's on */
	int grade;
};

#define MAX_JUDGMENTS ((1u << 27) - 1) /* of one question */

/*
 * One of maybe 100,000 in memory, so it is kept small, and in one piece: what
 * it has further, if anything; its judgments; its id, and those of the
 * documents behind it.  The functions below know where what stands.
 */
struct question {
	const char *id;
	unsigned place; /* see questions_place */
	unsigned njudgments : 27;
	bool further : 1; /* there is a question_more */
	bool any : 1; /* alternatives: the first found counts, R = 1 */
	bool unanswerable : 1; /* no judgments: left out of every average */
	bool holdout : 1;
	bool left_out : 1; /* this run was not to answer it */
};

/* A file of questions, and how many lines the files before it have. */
struct question_file {
	const char *name;
	unsigned before;
};

struct questions {
	struct question *items; /* in bytewise order of ids */
	size_t nitems;
	size_t nasked; /* less than nitems in a subset */
	size_t nanswerable; /* of those asked */
	const char *format; /* the row of the table that read them */
	const struct question_file *files;
	size_t nfiles;
	const char *const *taken; /* by file: what it was taken for */
};

/*
 * Reads questions from files; format NULL tells them apart by content.  The
 * same id twice, in one file or two, is an error with both places.  So is an
 * empty set.
 */
int questions_read(struct arena *arena, const char *const *files, size_t nfiles,
    const char *format, struct questions *questions, struct error *e);
/* The file that asks a question, and on which line. */
const char *questions_place(const struct questions *questions,
    const struct question *question, unsigned *line);

/* In bytewise order of documents, each once. */
static inline const struct judgment *
question_judgments(const struct question *question)
{
	return (const struct judgment *)(const void *)question->id -
	    question->njudgments;
}

static inline const char *
judgment_document(
    const struct question *question, const struct judgment *judgment)
{
	return question->id + judgment->document;
}

/* The judgment of a document, NULL: there is none. */
const struct judgment *question_judgment(
    const struct question *question, const char *document);
/* The pages on which a judged document is wanted, NULL: on any. */
const struct pages *judgment_pages(
    const struct question *question, const struct judgment *judgment);
/* NULL: nothing of it. */
const struct question_more *question_more(const struct question *question);
/* NULL where the file has none. */
const char *question_text(const struct question *question);
/* Its further fields, and how many they are. */
size_t question_fields(
    const struct question *question, const struct field **fields);
/* Whether it counts in averages: asked, and answerable. */
bool question_counts(const struct question *question);
/* Whether one of its fields of that name has the value. */
bool question_has(
    const struct question *question, const char *field, const char *value);

/* A judgment before it is packed. */
struct expected {
	const char *document;
	int grade;
	struct pages pages;
};

/*
 * Packs a question's id, its judgments, which are sorted for it, and what it
 * has further, NULL: nothing; pages are those of its judgments.  False when
 * that is more than a question can hold.
 */
bool question_pack(struct arena *arena, struct question *question,
    struct expected *expected, size_t n, const struct question_more *more);

/* Questions that a notice counts, and some of them by name; begins as {0}. */
struct named {
	const char *list;
	size_t n, nnamed;
};

/* Holdout questions are counted only. */
void named_add(
    struct arena *arena, struct named *named, const struct question *question);
/* ": a, b and 3 more", "" where none may be named. */
const char *named_list(struct arena *arena, const struct named *named);

/* A selection of questions, and the line of the file that asks for it. */
struct subset {
	const char *what; /* FIELD=VALUE, or a file with an id a line */
	const char *file; /* NULL: a command line */
	size_t line;
};

/*
 * Leaves out every question that a subset does not name.  tracked: by
 * question, those that stay in any case;
 * NULL: none does.
 */
int questions_select(struct arena *arena, const struct subset *subset,
    const bool *tracked, struct questions *questions, struct error *e);

/* A document that goes by another id than in older records. */
struct renamed_document {
	const char *from, *to;
	size_t line; /* of the file */
	size_t earlier; /* place of the one before with the same `to`, or 0 */
};

/* All, the oldest first; places are counted from 1.  Empty when zeroed. */
struct renamed_documents {
	struct renamed_document *items;
	size_t n, cap;
	struct map by_old; /* `from` to its place */
	struct map by_new; /* `to` to an index of last */
	size_t *last; /* the place of the last with a `to` */
	size_t nlast, last_cap;
};

/* Adds those of a CSV with the columns old and new. */
int renamed_documents_read(struct arena *arena, const char *file,
    struct renamed_documents *list, struct error *e);
/*
 * Adds one after those that are older; its ids are not copied.  Returns 0, or
 * the line of the one that has its `from` already.
 */
size_t renamed_documents_add(struct renamed_documents *list,
    struct arena *arena, size_t line, const char *from, const char *to);
/* The place of the last with this `to`; 0 for none. */
size_t renamed_last(const struct renamed_documents *list, const char *to);

/* The question with this id, NULL when there is none. */
const struct question *questions_find(
    const struct questions *questions, const char *id);
/* The same for an id of len bytes, and its place among the questions. */
bool questions_index(const struct questions *questions, const char *id,
    size_t len, size_t *index);
/* ----------------------------------------------------------------- runs -- */

/* What answers of most runs do not have. */
struct answer_more {
	/* With pages: of the document, on whichever page; else NULL. */
	const unsigned *document_ranks;
	const char *const *top; /* ids of the first results, best first */
	size_t ntop;
	/* Over repeated runs: the best and the worst rank of the first. */
	unsigned best, worst; /* 0: not found */
	/* The widest group of equal scores that holds an expected document. */
	unsigned tied; /* its size, 0 where nothing is tied */
	unsigned tied_first; /* the best rank in it */
};

/* What a run, or a record of one, says of one question; kept small, too. */
struct answer {
	/*
	 * By judgment, in the question's order; 0: not found.  What it has
	 * further, if anything, stands before them.
	 */
	const unsigned *ranks;
	unsigned rank; /* where rank_only; 0: not found */
	unsigned nresults;
	unsigned line; /* 0: the run does not name the question */
	unsigned file : 27; /* which of the run's files */
	bool further : 1; /* there is an answer_more */
	bool present : 1; /* the run names the question */
	bool errored : 1; /* its retrieval failed: a miss, and no verdict */
	bool rank_only : 1; /* only the rank of the first expected is known */
	bool flips : 1; /* its rank is not the same in repeated runs */
};

/* CSV ranks, where a miss is a miss however deep one looks. */
#define DEPTH_UNBOUNDED UINT_MAX

struct run {
	struct answer *answers; /* aligned with questions->items */
	size_t nanswers;
	const char *const *files; /* as messages call them */
	unsigned depth; /* longest list, or DEPTH_UNBOUNDED */
	size_t nresults;
	size_t nquestions; /* that the run names, known or not */
	size_t nunknown; /* of them: questions nobody asked */
	const char *unknown; /* some of them, ": a, b and 3 more" */
	size_t nunknown_results; /* of nresults: theirs */
	size_t nmissing; /* answerable questions without an answer */
	unsigned repeats; /* runs that were combined, 1 for a single one */
	bool rank_only;
	const char *format;
	const char **notices;
	size_t nnotices;
};

/* NULL: nothing of it. */
const struct answer_more *answer_more(const struct answer *answer);
/*
 * Gives an answer with n ranks something further, to be filled in; what it
 * had so far it keeps.  The ranks move, so they are to be there already.
 */
struct answer_more *answer_extend(
    struct arena *arena, struct answer *answer, size_t n);
/* Gives it n other ranks, and leaves it what it has further. */
void answer_set_ranks(struct arena *arena, struct answer *answer,
    const unsigned *ranks, size_t n);

/* The file of an answer as messages call it, NULL where it has none. */
const char *run_file(const struct run *run, const struct answer *answer);

/*
 * Whether each of nids document ids occurs anywhere in the files.  One that
 * a format may write in other bytes counts as occurring.  Standard input
 * can't be read again and must not be among the files.
 */
int run_occurs(const char *const *files, size_t nfiles, const char *const *ids,
    size_t nids, bool *occurs, struct error *e);

/* Which of the readers, that all give the same answers; tests choose. */
enum run_reader {
	READER_BEST,
	READER_SLOW, /* whole files in memory */
	READER_SCALAR, /* streaming, without vectors */
	READER_VECTOR /* streaming, with them where the machine has them */
};

/* Is told how much of a file was read; size 0: not known. */
struct progress {
	void (*tell)(
	    void *context, const char *file, uint64_t done, uint64_t size);
	void *context;
};

struct run_options {
	const char *format; /* NULL: by content */
	int relevance;
	bool duplicates_first; /* a document counts once, at its best rank */
	bool order_by_score; /* lists too */
	bool match_page; /* an expected document counts on its page only */
	int64_t page_tolerance;
	const char *rank_field; /* of a companion file; NULL: hit_rank */
	/* By question: whether the first keep_top ids are kept; or NULL. */
	const bool *tracked;
	size_t keep_top;
	bool verbose; /* a notice says what each file was taken for */
	enum run_reader reader;
	size_t chunk; /* bytes of a read; 0: as is fast */
	const struct progress *progress; /* NULL: nobody is told */
};

/*
 * Reads one run from files (shards of one run; "-" is standard input) and
 * joins it with the questions.  No question in common is an error, so are a
 * question or a document twice, and what is no number in a score's place.
 */
int run_read(struct arena *arena, const char *const *files, size_t nfiles,
    const struct run_options *options, const struct questions *questions,
    struct run *run, struct error *e);

/*
 * Several runs of one thing, each read from one file, as one.  A question's
 * answer is whole that of the run in the middle, ordered by the rank of the
 * first relevant document, then of the next ones, a miss being worse than any
 * rank; of an even number the worse of the middle two.  What was errored in
 * any is errored; the depth is the smallest.
 */
void run_combine(struct arena *arena, const struct run *runs, size_t nruns,
    const struct questions *questions, int relevance, struct run *run);

/*
 * Whether a run file is its own question file: a CSV with the columns
 * question, expected and rank.
 */
int run_is_questions(const char *file, bool *is_questions, struct error *e);

/*
 * The files that names stand for: "-", a file, or a pattern in which the
 * shell would find files.  A pattern that finds none is an error, at the line
 * of the file that has it; NULL: a command line.
 */
int files_expand(struct arena *arena, const char *name, const char *file,
    size_t line, const char *const **files, size_t *nfiles, struct error *e);

/*
 * The ranking of one question as metrics see it.  cut > 0 treats ranks below
 * cut as not found.  scratch belongs to the caller and is used again for the
 * next question: init it with zeroes, it grows in the arena.
 */
struct ranking_scratch {
	struct arena *arena;
	struct judged *judged;
	int *ideal;
	size_t cap;
};

struct ranking ranking_of(struct ranking_scratch *scratch,
    const struct question *question, const struct answer *answer, int relevance,
    unsigned cut);

/*
 * The rank that gates look at: of document, or (NULL) of the best-ranked
 * relevant one.  0: not found.  False when the answer can't tell, because it
 * holds one rank and several documents could be meant.
 */
bool answer_rank(const struct question *question, const struct answer *answer,
    const char *document, int relevance, unsigned *rank);

/* How many equal scores its first expected document is one of; 1: alone. */
unsigned answer_tied(const struct answer *answer);

/*
 * Whether a measure follows from what the answer knows.  A rank alone gives
 * what depends on the first relevant document, and everything where only one
 * document is judged relevant.
 */
bool answer_gives(const struct question *question, const struct answer *answer,
    const struct measure *measure, int relevance);

#endif
