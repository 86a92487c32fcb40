/* JSON Lines of any size: a line is a question with all its results. */
#include <string.h>

#include "fast.h"

static bool
blank(const char *line, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r')
			return false;
	return true;
}

static enum list_result
read_line(struct join *join, const struct window *w, struct list *list,
    const char *line, size_t len)
{
	struct json_record record;
	enum list_result result = LIST_SLOW;
	struct source source = {w->file, w->line, line, len};

	list_clear(list, false);
	if (json_scan_record(line, len, list, &record, w->vector))
		result = list_join(join, list, line,
		    join_find(join, record.id, record.idlen), record.id,
		    record.idlen, w->file, w->line);
	if (result != LIST_SLOW)
		return result;
	return jsonl_read_line(join, &source) < 0 ? LIST_FAILED : LIST_JOINED;
}

/*
 * Where the very first line is at fault, the text may be no lines at all but
 * one value over several: the slow path tells.
 */
static enum stream_result
read_lines(struct join *join, struct window *w, struct list *list, bool *first)
{
	const char *line, *lf;
	size_t len;

	while (w->at < w->complete) {
		line = w->data + w->at;
		lf = memchr(line, '\n', w->complete - w->at + 1);
		len = (size_t)(lf - line);
		if (!blank(line, len)) {
			if (read_line(join, w, list, line, len) == LIST_FAILED)
				return *first ? STREAM_ODD : STREAM_FAILED;
			*first = false;
		}
		w->at += len + 1;
		w->line++;
	}
	w->keep = w->at;
	return STREAM_LINES;
}

static bool
begins_list(const struct window *w)
{
	size_t i = w->at;

	while (i < w->complete && strchr(" \t\r\n", w->data[i]))
		i++;
	return i < w->complete && w->data[i] == '[';
}

enum stream_result
jsonl_stream(struct join *join, struct window *window)
{
	struct list list = {.n = 0};
	enum stream_result result;
	bool begun = false, first = true;

	while ((result = window_fill(window, join->e)) == STREAM_LINES) {
		/* A list in brackets is no lines, whoever says so. */
		if (!begun && begins_list(window))
			result = STREAM_ODD;
		else
			result = read_lines(join, window, &list, &first);
		begun = true;
		if (result != STREAM_LINES)
			break;
	}
	list_free(&list);
	return result;
}
