/*
 * Findings as GitHub's workflow commands, which become annotations at the
 * line of the config that asks for them.
 */
#include <string.h>

#include "internal.h"

#define SHOWN 9 /* GitHub keeps ten of a kind a step: one says the rest */
#define TEXT 600 /* characters of a text that are shown */

/*
 * As the runner unescapes: %25, %0D, %0A, and %3A, %2C in a property.  What
 * else is no plain text is made visible first.
 */
static void
put_escaped(
    struct arena *arena, struct buf *out, const char *text, bool property)
{
	const char *line = text, *p;
	size_t n;

	for (;; line += n + 1) {
		n = strcspn(line, "\r\n");
		p = visible_start(arena, arena_strndup(arena, line, n), TEXT);
		for (; *p; p++) {
			if (*p == '%' || (property && (*p == ':' || *p == ',')))
				buf_printf(out, "%%%02X", *p);
			else
				buf_putc(out, *p);
		}
		if (!line[n] || (size_t)(line + n - text) > TEXT)
			return;
		buf_puts(out, line[n] == '\n' ? "%0A" : "%0D");
	}
}

/* "stuck-pipe rank 5 → 9 (new-regression)" */
static const char *
title(struct arena *arena, const struct sheet *sheet, bool several,
    const struct sheet_finding *f)
{
	return arena_printf(arena, "%s%s%s%s%s%s%s%s (%s)",
	    several ? sheet->suite : "", several ? ": " : "", f->subject,
	    f->slice ? " [" : "", f->slice ? f->slice : "", f->slice ? "]" : "",
	    f->change ? " " : "", f->change ? f->change : "",
	    class_names[f->class]);
}

static void
put_finding(struct arena *arena, struct buf *out, const char *title,
    const struct sheet_finding *f)
{
	const struct sheet_question *q = f->question;

	buf_puts(out, f->level == LEVEL_ERROR ? "::error " : "::warning ");
	if (f->file) {
		buf_puts(out, "file=");
		put_escaped(arena, out, f->file, true);
		buf_printf(out, ",line=%zu,", f->line ? f->line : 1);
	}
	buf_puts(out, "title=");
	put_escaped(arena, out, title, true);
	buf_puts(out, "::");
	if (q && q->text && strcmp(q->text, q->id) != 0) {
		buf_puts(out, "\"");
		put_escaped(arena, out, q->text, false);
		buf_puts(out, "\": ");
	}
	put_escaped(arena, out, f->message, false);
	buf_puts(out, "\n");
}

/* A finding, and whose it is. */
struct annotation {
	const struct sheet *sheet;
	const struct sheet_finding *finding;
};

/* Those of one suite lie side by side, in order. */
static int
compare(const void *a, const void *b)
{
	const struct annotation *x = a, *y = b;
	int order = finding_compare(x->finding, y->finding);

	if (order)
		return order;
	if (x->sheet != y->sheet)
		return x->sheet < y->sheet ? -1 : 1;
	return x->finding < y->finding ? -1 : x->finding > y->finding;
}

/* Of all suites, so that what is cut is nobody's worst. */
static struct annotation *
collect(struct arena *arena, const struct sheet *sheets, size_t nsheets,
    size_t *nall)
{
	struct annotation *all;
	size_t i, k, n = 0;

	for (i = 0; i < nsheets; i++)
		n += sheet_nwrong(&sheets[i]);
	all = arena_array(arena, n + 1, sizeof(*all));
	for (i = n = 0; i < nsheets; i++)
		for (k = 0;
		     !sheets[i].compared_only && k < sheet_nwrong(&sheets[i]);
		     k++)
			all[n++] = (struct annotation){
			    &sheets[i], &sheets[i].findings[k]};
	sort(all, n, sizeof(*all), compare);
	*nall = n;
	return all;
}

static void
github_report(struct arena *arena, struct buf *out, const struct sheet *sheets,
    size_t nsheets, const struct style *style)
{
	size_t i, n, errors = 0, warnings = 0;
	struct annotation *all = collect(arena, sheets, nsheets, &n);

	(void)style;
	for (i = 0; i < n; i++) {
		const struct sheet_finding *f = all[i].finding;

		if (i < SHOWN)
			put_finding(arena, out,
			    title(arena, all[i].sheet, nsheets > 1, f), f);
		else if (f->level == LEVEL_ERROR)
			errors++;
		else
			warnings++;
	}
	for (i = 0; i < nsheets; i++) {
		if (!sheet_next(&sheets[i]))
			continue;
		buf_puts(out, "::notice title=");
		put_escaped(arena, out,
		    arena_printf(arena, "evalgate: %s", sheets[i].suite), true);
		buf_printf(out, "::%s\n", sheet_next(&sheets[i]));
	}
	if (errors + warnings)
		buf_printf(out,
		    "::%s title=evalgate::and %zu more: %zu error%s, %zu "
		    "warning%s\n",
		    errors ? "error" : "warning", errors + warnings, errors,
		    plural(errors), warnings, plural(warnings));
}

const struct format format_github = {
    .name = "github",
    .report = github_report,
    .summary = "annotations; may share standard output with text",
};
