/* Runs: the table of formats, shards read as one, and what is said of it. */
#include <stdlib.h>
#include <string.h>

#include "fast.h"

/* In the order in which they are tried. */
static const struct run_format *const formats[] = {
    &run_csv,
    &run_trec,
    &run_companion,
    &run_ranks,
    &run_jsonl,
    &run_map,
};

static const char known[] =
    "known are TREC (qid Q0 docno rank score tag), JSONL or a JSON list of "
    "{\"id\", \"results\"}, {question: {document: score}}, and CSV with a "
    "column 'rank'";

static const struct run_format *
find_format(const char *name, struct error *e)
{
	const char *names[COUNT(formats)];
	size_t i;

	for (i = 0; i < COUNT(formats); i++) {
		if (strcmp(formats[i]->name, name) == 0)
			return formats[i];
		names[i] = formats[i]->name;
	}
	fail_unknown(e, NULL, 0, "run format", name, "", names, COUNT(formats));
	return NULL;
}

/* JSON Lines are read line by line; other JSON becomes a tree first. */
static const struct run_format *
detect(struct join *join, struct document *document, struct arena *scratch)
{
	bool json = tree_is_json(&document->text);
	size_t i;

	if (json && tree_is_lines(&document->text))
		return &run_jsonl;
	if (json) {
		document->tree =
		    tree_read_json(scratch, &document->text, join->e);
		if (!document->tree)
			return NULL;
	}
	for (i = 0; i < COUNT(formats); i++)
		if ((formats[i]->syntax == SYNTAX_TREE) == json &&
		    formats[i]->detect(document))
			return formats[i];
	fail_at(join->e, document->text.file, 1,
	    "is no run that evalgate knows; %s", known);
	return NULL;
}

static void
say_file(struct join *join, const struct run_format *format, const char *file,
    const struct join_mark *before)
{
	const struct run *run = join->run;
	size_t nquestions = join->nplaces - before->nplaces;
	size_t nresults = run->nresults - before->run.nresults;
	size_t misranked = join->misranked - before->misranked;
	const char *ranks = "";

	if (format == &run_trec && misranked)
		ranks = arena_printf(join->arena,
		    "; the rank column says another order than the scores on "
		    "%zu line%s",
		    misranked, misranked == 1 ? "" : "s");
	join_notice(join,
	    arena_printf(join->arena,
		"%s: read as %s, %zu question%s (%zu unknown), %zu result%s%s",
		file_name(file), format->name, nquestions,
		nquestions == 1 ? "" : "s",
		run->nunknown - before->run.nunknown, nresults,
		nresults == 1 ? "" : "s", ranks));
}

/* The reader of a file was found. */
static int
begin_format(
    struct join *join, const struct run_format *format, const char *file)
{
	join->run->format = format->name;
	join->page_ranks = false;
	if (!join->options->rank_field || format == &run_companion)
		return 0;
	return fail_at(join->e, file, 0,
	    "is read as %s; --rank-field is for a companion file alone, which "
	    "has several ranks",
	    format->name);
}

static int
read_document(struct join *join, struct document *document,
    const struct run_format *format)
{
	struct arena *scratch = arena_new();
	struct join_mark before = join_mark(join);
	bool lines = false; /* read one by one, without a tree */
	int rc = -1;

	if (!format)
		format = detect(join, document, scratch);
	if (format == &run_jsonl)
		lines = tree_is_lines(&document->text);
	if (format && format->syntax == SYNTAX_TREE && !lines &&
	    !document->tree)
		document->tree =
		    tree_read_json(scratch, &document->text, join->e);
	if (format &&
	    (document->tree || format->syntax == SYNTAX_TEXT || lines)) {
		rc = begin_format(join, format, document->text.file);
		if (rc == 0)
			rc = format->read(join, document);
		if (join->options->verbose)
			say_file(join, format, document->text.file, &before);
	}
	arena_free(scratch);
	return rc;
}

/* The slow path, and the reference: the whole file in memory. */
static int
read_whole(struct join *join, struct stream *stream, const char *file,
    const struct run_format *format)
{
	struct document document = {.tree = NULL};
	struct buf buf;
	int rc;

	buf_init(&buf);
	rc = stream_read_all(stream, &buf, join->e);
	if (rc == 0)
		rc = text_open(&document.text, &buf, file_name(file), join->e);
	if (rc == 0)
		rc = read_document(join, &document, format);
	buf_free(&buf);
	return rc;
}

/* The format of the lines that the window holds so far, NULL: can't tell. */
static const struct run_format *
sniff_lines(const struct window *window)
{
	struct document document = {.tree = NULL};
	char *end = window->data + window->complete, saved = *end;
	const struct run_format *format = NULL;
	size_t i;

	document.text = (struct text){window->file, window->data + window->at,
	    window->complete - window->at};
	*end = '\0';
	if (tree_is_json(&document.text)) {
		if (tree_is_lines(&document.text))
			format = &run_jsonl;
	} else {
		for (i = 0; i < COUNT(formats) && !format; i++)
			if (formats[i]->syntax == SYNTAX_TEXT &&
			    formats[i]->detect(&document))
				format = formats[i];
	}
	*end = saved;
	return format;
}

/* As detect, from no more of the file than it takes. */
static const struct run_format *
sniff(struct window *window, struct error *e)
{
	const struct run_format *format = NULL;

	while (!format && window_extend(window, e) &&
	    window->len < LONG_LINE + window->chunk)
		format = sniff_lines(window);
	return format;
}

/* Text that is no text is said before all else that is wrong in a file. */
static bool
tell_fault(
    struct join *join, const struct join_mark *mark, struct window *window)
{
	struct error found = {.arena = join->e->arena};
	const struct error_item *item;

	if (text_stream_fault(window->stream, window->file, &found) == 0)
		return false;
	join->e->nitems = mark->nerrors;
	item = &found.items[0];
	fail_at(join->e, item->file, item->line, "%s", item->text);
	return true;
}

static enum stream_result
read_stream(struct join *join, struct stream *stream, const char *file,
    const struct run_format *format)
{
	struct join_mark mark = join_mark(join);
	struct window window;
	enum stream_result result = STREAM_ODD;

	window_init(&window, stream, file_name(file), join->options);
	if (!format)
		format = sniff(&window, join->e);
	if (format && format->stream) {
		result = begin_format(join, format, window.file) < 0
		    ? STREAM_FAILED
		    : format->stream(join, &window);
		/* Nothing at all: empty, or without results? */
		if (result == STREAM_DONE && join->nplaces == mark.nplaces)
			result = STREAM_ODD;
	}
	window_free(&window);
	if (result == STREAM_DONE && join->options->verbose)
		say_file(join, format, file, &mark);
	if (result != STREAM_DONE && tell_fault(join, &mark, &window))
		return STREAM_FAILED;
	if (result == STREAM_ODD)
		join_reset(join, &mark);
	return result;
}

static int
read_file(struct join *join, const char *file, const struct run_format *format)
{
	bool slow = join->options->reader == READER_SLOW;
	struct stream *stream = stream_open(file, !slow, join->e);
	enum stream_result result = STREAM_ODD;
	int rc = -1;

	if (!stream)
		return -1;
	if (!slow)
		result = read_stream(join, stream, file, format);
	if (result == STREAM_DONE)
		rc = 0;
	else if (result == STREAM_ODD &&
	    (slow || stream_rewind(stream, join->e) == 0))
		rc = read_whole(join, stream, file, format);
	stream_close(stream);
	return rc;
}

/* Questions without an answer: all their ranks are misses. */
static void
fill_missing(struct join *join)
{
	struct run *run = join->run;
	const struct question *question;
	size_t i;

	for (i = 0; i < run->nanswers; i++) {
		question = &join->questions->items[i];
		if (run->answers[i].present)
			continue;
		run->nmissing += question_counts(question);
		run->answers[i].rank_only = run->rank_only;
	}
}

/* What is accepted, and may not be what was meant. */
static void
say_oddities(struct join *join)
{
	const struct named *named = &join->unevaluated;

	if (join->unordered)
		join_notice(join,
		    arena_printf(join->arena,
			"%zu list%s in another order than the scores say; "
			"the list's order counts, or say `order: score`",
			join->unordered,
			join->unordered == 1 ? " is" : "s are"));
	if (named->n)
		join_notice(join,
		    arena_printf(join->arena,
			"%zu question%s not evaluable in the run, but "
			"answerable in the question file, counted 0%s",
			named->n, named->n == 1 ? " is" : "s are",
			named_list(join->arena, named)));
}

/* Some of the questions that nobody asked, by name. */
static const char *
unknown_list(const struct join *join)
{
	struct question question;
	struct named named = {.n = 0};
	size_t i;

	for (i = 0; i < join->nothers; i++) {
		question = (struct question){.id = join->others[i].id};
		named_add(join->arena, &named, &question);
	}
	return named_list(join->arena, &named);
}

static int
finish(struct join *join, const char *file)
{
	struct run *run = join->run;
	const struct questions *questions = join->questions;
	unsigned line;

	if (join->nplaces == 0)
		return fail_at(join->e, file, 1, "holds no results");
	if (run->nunknown == join->nplaces)
		return fail_at(join->e, run->files[join->others[0].file],
		    join->others[0].line,
		    "question '%s': no question in common with '%s' (%zu "
		    "there, %zu here); are the ids written alike?",
		    join->others[0].id,
		    questions_place(questions, &questions->items[0], &line),
		    questions->nitems, run->nunknown);
	if (run->rank_only && join->lists)
		return fail_at(join->e, file, 1,
		    "some shards have ranks alone, others lists; give all in "
		    "one form");
	if (run->rank_only)
		run->depth = DEPTH_UNBOUNDED;
	fill_missing(join);
	run->unknown = unknown_list(join);
	run->nquestions = join->nplaces;
	say_oddities(join);
	return 0;
}

/* An empty answer to each question; the ranks of all in one piece. */
static void
make_answers(struct join *join)
{
	const struct questions *questions = join->questions;
	struct run *run = join->run;
	size_t i, n = 0;

	for (i = 0; i < questions->nitems; i++)
		n += questions->items[i].njudgments;
	join->ranks = arena_array(join->arena, n + 1, sizeof(*join->ranks));
	run->answers =
	    arena_array(join->arena, run->nanswers, sizeof(*run->answers));
	for (i = n = 0; i < questions->nitems; i++) {
		run->answers[i].ranks = join->ranks + n;
		n += questions->items[i].njudgments;
	}
}

const char *
run_file(const struct run *run, const struct answer *answer)
{
	return run->files && answer->line ? run->files[answer->file] : NULL;
}

static int
check_rank_field(const char *field, struct error *e)
{
	size_t i;

	for (i = 0; field && i < COUNT(companion_ranks); i++)
		if (strcmp(field, companion_ranks[i]) == 0)
			return 0;
	return field ? fail_unknown(e, NULL, 0, "rank field", field, "",
			   companion_ranks, COUNT(companion_ranks))
		     : 0;
}

int
run_read(struct arena *arena, const char *const *files, size_t nfiles,
    const struct run_options *options, const struct questions *questions,
    struct run *run, struct error *e)
{
	struct join join = {
	    .arena = arena,
	    .options = options,
	    .questions = questions,
	    .run = run,
	    .e = e,
	};
	const struct run_format *format = NULL;
	const char **names;
	size_t i;

	*run = (struct run){.nanswers = questions->nitems, .repeats = 1};
	run->files = names = arena_array(arena, nfiles + 1, sizeof(*names));
	make_answers(&join);
	map_init(&join.seen, arena);
	if (options->format && !(format = find_format(options->format, e)))
		return -1;
	if (check_rank_field(options->rank_field, e) < 0)
		return -1;
	for (i = 0; i < nfiles; i++) {
		join.file = (unsigned)i;
		names[i] = file_name(files[i]);
		if (read_file(&join, files[i], format) < 0)
			return -1;
	}
	return finish(&join, nfiles ? names[0] : "run");
}

int
run_is_questions(const char *file, bool *is_questions, struct error *e)
{
	const struct run_options options = {.format = NULL};
	static const char *const all[] = {"expected", "rank"};
	static const char *const any[] = {"expected_any", "rank"};
	struct stream *stream = stream_open(file, true, e);
	struct window window;
	struct text text;

	*is_questions = false;
	if (!stream)
		return -1;
	window_init(&window, stream, file, &options);
	if (window_extend(&window, e)) {
		window.data[window.complete] = '\0';
		text = (struct text){
		    file, window.data + window.at, window.complete - window.at};
		*is_questions = csv_detect(&text, all, COUNT(all)) ||
		    csv_detect(&text, any, COUNT(any));
	}
	window_free(&window);
	stream_close(stream);
	return 0;
}
