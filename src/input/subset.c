/* The part of the questions that a run was to answer. */
#include <string.h>
#include <unistd.h>

#include "internal.h"

/* FIELD=VALUE, unless a file has that name. */
static bool
is_field(const char *subset)
{
	return strchr(subset, '=') && access(subset, F_OK) != 0;
}

static int
select_field(struct arena *arena, const struct subset *subset,
    struct questions *questions, struct error *e)
{
	size_t len = strcspn(subset->what, "="), i, n = 0;
	const char *field = arena_strndup(arena, subset->what, len);

	for (i = 0; i < questions->nitems; i++) {
		questions->items[i].left_out = !question_has(
		    &questions->items[i], field, subset->what + len + 1);
		n += !questions->items[i].left_out;
	}
	if (n == 0)
		return fail_at(e, subset->file, subset->line,
		    "no question has %s, as the subset asks", subset->what);
	return 0;
}

/* One id a line; blanks around it, blank lines and comments are nothing. */
static int
select_line(struct questions *questions, const char *file, size_t number,
    char *line, struct error *e)
{
	char *id = line + strspn(line, " \t\r");
	size_t len = strlen(id), i;

	while (len && strchr(" \t\r", id[len - 1]))
		id[--len] = '\0';
	if (!len || *id == '#')
		return 0;
	if (!questions_index(questions, id, len, &i))
		return fail_at(
		    e, file, number, "'%s' is not among the questions", id);
	questions->items[i].left_out = false;
	return 0;
}

static int
select_ids(const char *file, struct questions *questions, struct error *e)
{
	size_t before = e->nitems, number = 0;
	struct text text;
	struct buf buf;
	char *line, *end;

	buf_init(&buf);
	if (file_read(file, &buf, e) == 0 &&
	    text_open(&text, &buf, file, e) == 0)
		for (line = text.data; line; line = end) {
			end = strchr(line, '\n');
			if (end)
				*end++ = '\0';
			select_line(questions, file, ++number, line, e);
		}
	buf_free(&buf);
	return e->nitems > before ? -1 : 0;
}

int
questions_select(struct arena *arena, const struct subset *subset,
    const bool *tracked, struct questions *questions, struct error *e)
{
	size_t i;
	int rc;

	for (i = 0; i < questions->nitems; i++)
		questions->items[i].left_out = true;
	rc = is_field(subset->what) ? select_field(arena, subset, questions, e)
				    : select_ids(subset->what, questions, e);
	if (rc < 0)
		return -1;
	questions->nasked = questions->nanswerable = 0;
	for (i = 0; i < questions->nitems; i++) {
		if (tracked && tracked[i])
			questions->items[i].left_out = false;
		questions->nasked += !questions->items[i].left_out;
		questions->nanswerable += question_counts(&questions->items[i]);
	}
	return 0;
}
