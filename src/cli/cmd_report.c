/* evalgate report: stored JSON reports, in every format, as one document. */
#include "cli.h"

static int
read_report(
    struct session *s, const char *file, struct sheet **sheets, size_t *n)
{
	struct source source = {.name = file_name(file), .line = 1};
	struct buf buf;
	int rc;

	buf_init(&buf);
	rc = file_read(file, &buf, s->e);
	if (rc == 0) {
		source.data = buf.data;
		source.len = buf.len;
		rc = sheet_read(s->arena, &source, sheets, n, s->e);
	}
	buf_free(&buf);
	return rc;
}

/* All mistakes of all files are told; with one, nothing is rendered. */
static int
read_reports(struct session *s, struct sheet **sheets, size_t *n)
{
	const struct words *args = &s->options.args;
	const char *const *files;
	size_t i, k, nfiles;
	int rc = 0;

	if (args->n == 0)
		return fail(s->e,
		    "report needs reports: files that `--format json:FILE` "
		    "wrote");
	for (i = 0; i < args->n; i++) {
		if (files_expand(s->arena, args->items[i], NULL, 0, &files,
			&nfiles, s->e) < 0) {
			rc = -1;
			continue;
		}
		for (k = 0; k < nfiles; k++)
			if (read_report(s, files[k], sheets, n) < 0)
				rc = -1;
	}
	if (rc == 0 && *n == 0)
		rc = fail_at(s->e, args->items[0], 1, "holds no report");
	return rc;
}

static int
run(struct session *s)
{
	struct sheet *sheets = NULL;
	size_t n = 0;

	if (read_reports(s, &sheets, &n) < 0)
		return EXIT_INPUT;
	sheet_sort(sheets, n);
	output_sheets(s, sheets, n);
	return sheet_exit(sheets, n);
}

const struct command command_report = {
    .name = "report",
    .bit = COMMAND_REPORT,
    .synopsis = "report [OPTION]... JSON...",
    .summary = "stored JSON reports in any format, several as one",
    .help = "Renders reports that `--format json:FILE` left, worst first: "
	    "the last job of a\nmatrix makes one document of them all.  No "
	    "config and no repository are read.\nThe exit status is the worst "
	    "that the reports had (2, then 1, then 4, then 3),\nso that job "
	    "can be the one a branch has to pass; a missing report is 2.\n",
    .run = run,
};
