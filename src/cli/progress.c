/* How far long work has come, on a terminal's stderr alone. */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

/* Shorter work is done before anybody asks; then a few times a second. */
#define PATIENCE 1.0
#define STEP 0.2

static double
seconds(void)
{
	struct timespec t;

	if (clock_gettime(CLOCK_MONOTONIC, &t) < 0)
		return 0;
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void
tell(void *context, const char *file, uint64_t done, uint64_t size)
{
	struct progress_line *line = context;
	double now = seconds();
	struct buf out;

	if (now - line->begun < PATIENCE || now - line->told < STEP)
		return;
	line->told = now;
	line->shown = true;
	buf_init(&out);
	buf_puts(&out, "\r\033[Kreading ");
	buf_put_visible(&out, file);
	if (size)
		buf_printf(&out, " %" PRIu64 " %%",
		    done < size ? done * 100 / size : 100);
	else
		buf_printf(&out, " %" PRIu64 " MB", done / 1000000);
	fputs(out.data, stderr);
	fflush(stderr);
	buf_free(&out);
}

void
progress_begin(struct progress_line *line, bool quiet)
{
	*line = (struct progress_line){.begun = seconds()};
	line->progress = (struct progress){tell, line};
	line->on = !quiet && isatty(STDERR_FILENO);
}

void
progress_end(struct progress_line *line)
{
	if (line->shown)
		fputs("\r\033[K", stderr);
	line->shown = false;
}
