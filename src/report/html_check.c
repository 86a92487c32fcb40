/*
 * The first screen of a judged run's page: the verdict, what was compared,
 * what fell and why.
 */
#include <math.h>
#include <string.h>

#include "internal.h"

#define SAID_OPEN 8 /* changes that are only said, and not folded */

static void
put_number_of(struct buf *out, size_t n, const char *what)
{
	buf_printf(out, "%zu %s%s", n, what, plural(n));
}

static const char *
verdict_title(const struct sheet *sheet)
{
	static const char *const titles[] = {
	    [VERDICT_PASS] = "PASS",
	    [VERDICT_FAIL] = "FAIL",
	    [VERDICT_NONE] = "NO VERDICT",
	};

	if (!sheet->judged)
		return "Scores";
	return sheet->compared_only ? "Side by side" : titles[sheet->verdict];
}

const char *
html_check_title(struct arena *arena, const struct sheet *sheet)
{
	return arena_printf(
	    arena, "%s \302\267 %s", verdict_title(sheet), sheet->suite);
}

/* One side of the comparison, as a term and what it is. */
static void
put_reference(const struct html *html, const char *term,
    const struct sheet_reference *reference, const char *why)
{
	struct buf *out = html->out;

	buf_printf(out, "<div><dt>%s</dt><dd>", term);
	html_commit(html, reference->commit);
	if (reference->subject && *reference->subject) {
		buf_putc(out, ' ');
		html_user(out, reference->subject);
	}
	buf_puts(out, "</dd><dd>");
	html_text(out, why);
	if (reference->distance) {
		buf_puts(out, ", ");
		put_number_of(out, reference->distance, "commit");
		buf_puts(out, " back");
	}
	if (reference->twin_of) {
		buf_puts(out, ", for ");
		html_commit(html, reference->twin_of);
		buf_puts(out, " with the same ");
		html_text(out, reference->twin_by);
	}
	if (reference->has_age && reference->age >= 0)
		buf_printf(
		    out, ", %s older", age_text(html->arena, reference->age));
	if (reference->verdict) {
		buf_puts(out, "; verdict ");
		html_text(out, reference->verdict);
	}
	buf_puts(out, "</dd></div>\n");
}

static void
put_run(const struct html *html, const struct sheet *sheet)
{
	struct buf *out = html->out;

	buf_puts(out, "<div><dt>This run</dt><dd>");
	if (sheet->commit)
		html_commit(html, sheet->commit);
	else if (sheet->compared)
		html_user(out, sheet->compared);
	if (sheet->subject && *sheet->subject) {
		buf_putc(out, ' ');
		html_user(out, sheet->subject);
	}
	buf_puts(out, "</dd><dd>");
	if (sheet->event) {
		html_text(out, sheet->event);
		buf_puts(out, sheet->dirty ? ", with uncommitted changes" : "");
	}
	buf_puts(out, "</dd></div>\n");
}

static void
put_compared(const struct html *html, const struct sheet *sheet)
{
	struct buf *out = html->out;

	buf_puts(out, "<dl class=\"compared\">");
	put_run(html, sheet);
	if (!sheet->before)
		buf_puts(out,
		    "<div><dt>Before</dt><dd>Nothing: once a run is recorded, "
		    "the next one is compared with it</dd></div>");
	else
		put_reference(
		    html, "Before", sheet->before, sheet->before->reason);
	if (sheet_two_references(sheet))
		put_reference(
		    html, "Last good", sheet->good, sheet->good->reason);
	if (sheet->nunrecorded) {
		buf_puts(out, "<div><dt>Between them</dt><dd>");
		put_number_of(out, sheet->nunrecorded, "commit");
		buf_puts(out, " without a record</dd><dd>newest ");
		html_commit(html, sheet->unrecorded[0]);
		buf_puts(out, "</dd></div>");
	}
	buf_puts(out, "</dl>");
}

/* "78 questions, 72 answerable, 70 compared" */
static void
put_counts(struct buf *out, const struct sheet *sheet)
{
	const struct sheet_counts *n = &sheet->counts;

	if (n->asked < n->questions)
		buf_printf(out, "%zu of ", n->asked);
	put_number_of(out, n->questions, "question");
	buf_printf(out, ", %zu answerable", n->answerable);
	if (sheet->shown)
		buf_printf(out, ", %zu compared", n->common);
	if (n->missing)
		buf_printf(out, ", %zu missing from the run", n->missing);
	if (n->errored)
		buf_printf(out, ", %zu failed", n->errored);
	if (n->added)
		buf_printf(out, ", %zu added", n->added);
	if (n->removed)
		buf_printf(out, ", %zu removed", n->removed);
	if (n->redefined)
		buf_printf(out, ", %zu redefined", n->redefined);
}

static void
put_verdict(const struct html *html, const struct sheet *sheet)
{
	struct buf *out = html->out;
	bool told = sheet->judged && !sheet->compared_only;

	buf_printf(out,
	    "<section class=\"verdict %s\" id=\"suite%zu\"><div "
	    "class=\"stamp\">",
	    told ? verdict_names[sheet->verdict] : "", html->number);
	if (told)
		html_stamp(out, verdict_names[sheet->verdict]);
	buf_printf(out, "<h1>%s</h1><p>", verdict_title(sheet));
	if (told) {
		if (sheet->nerrors)
			put_number_of(out, sheet->nerrors, "error");
		if (sheet->nerrors && sheet->nwarnings)
			buf_puts(out, ", ");
		if (sheet->nwarnings)
			put_number_of(out, sheet->nwarnings, "warning");
		if (!sheet->nerrors && !sheet->nwarnings)
			buf_puts(out,
			    sheet->before
				? "Nothing got worse than allowed"
				: "Nothing to compare with yet: only floors "
				  "and max_rank were judged");
	} else {
		html_user(out, sheet->suite);
	}
	buf_puts(out, "<span>");
	put_counts(out, sheet);
	if (sheet->subset) {
		buf_puts(out, "; asked: ");
		html_user(out, sheet->subset);
	}
	buf_puts(out, "</span></p></div>");
	if (sheet->judged)
		put_compared(html, sheet);
	buf_puts(out, "</section>\n");
}

/* --------------------------------------------------------------- findings */

/* A class as words: "new-regression" is "new regression". */
static void
put_class(struct buf *out, enum finding_class class)
{
	const char *p;

	for (p = class_names[class]; *p; p++)
		buf_putc(out, *p == '-' ? ' ' : *p);
}

/* "rank 5 → 9" is large, and what it is of small. */
static void
put_move(struct buf *out, const struct sheet_finding *f)
{
	bool rank = f->change && strncmp(f->change, "rank ", 5) == 0;

	buf_puts(out, "<p class=\"move\">");
	if (f->change)
		html_text(out, f->change + (rank ? 5 : 0));
	buf_printf(out, "<small>%s</small></p>", rank ? "rank" : "");
}

static void
put_displacers(struct buf *out, const char *title,
    const struct displacer *displacers, size_t n)
{
	size_t i;

	if (!n)
		return;
	buf_printf(out, "<li>%s", title);
	for (i = 0; i < n; i++) {
		buf_puts(out, i ? ", " : " ");
		html_user(out, displacers[i].document);
		if (displacers[i].rank && displacers[i].old_rank)
			buf_printf(out, " (%u, was %u)", displacers[i].rank,
			    displacers[i].old_rank);
		else if (displacers[i].rank)
			buf_printf(out, " (%u)", displacers[i].rank);
		else if (displacers[i].old_rank)
			buf_printf(out, " (was %u)", displacers[i].old_rank);
	}
	buf_puts(out, "</li>");
}

static void
put_explanation(const struct html *html, const struct explanation *x)
{
	struct buf *out = html->out;

	buf_puts(out, "<ul class=\"why\">");
	put_displacers(out, "Above it now:", x->above, x->nabove);
	put_displacers(out, "Gone from above it:", x->left, x->nleft);
	if (x->best_commit) {
		if (x->best)
			buf_printf(out, "<li>Best ever: rank %u, at ", x->best);
		else
			buf_puts(out, "<li>Never found, first asked at ");
		html_commit(html, x->best_commit);
		buf_puts(out, "</li>");
	}
	buf_puts(out, "<li>Fell ");
	if (x->fall_commit) {
		buf_puts(out, "at ");
		html_commit(html, x->fall_commit);
		if (x->fall_subject) {
			buf_putc(out, ' ');
			html_user(out, x->fall_subject);
		}
	} else {
		buf_puts(out, "by this run");
	}
	buf_puts(out, "</li></ul>");
}

static void
put_finding(const struct html *html, const struct sheet_finding *f)
{
	struct buf *out = html->out;

	buf_printf(out, "<li class=\"%s\">", level_names[f->level]);
	put_move(out, f);
	buf_puts(out, "<div><h3>");
	html_user(out, f->subject);
	if (f->slice) {
		buf_puts(out, " <span class=\"tag\">");
		html_user(out, f->slice);
		buf_puts(out, "</span>");
	}
	buf_puts(out, " <span class=\"tag lead\">");
	put_class(out, f->class);
	buf_printf(
	    out, "%s</span></h3>", f->level == LEVEL_WARN ? ", a warning" : "");
	if (f->question && f->question->text &&
	    strcmp(f->question->text, f->subject) != 0) {
		buf_puts(out, "<p class=\"say\">");
		html_user(out, f->question->text);
		buf_puts(out, "</p>");
	}
	buf_puts(out, "<p>");
	html_user(out, f->message);
	if (f->file) {
		buf_puts(out, " <span class=\"hint\">");
		html_user(out, f->file);
		if (f->line)
			buf_printf(out, ":%zu", f->line);
		buf_puts(out, "</span>");
	}
	buf_puts(out, "</p>");
	if (f->explanation)
		put_explanation(html, f->explanation);
	buf_puts(out, "</div></li>\n");
}

static void
put_errors(const struct html *html, const struct sheet *sheet)
{
	struct buf *out = html->out;
	size_t i;

	if (!sheet_nwrong(sheet))
		return;
	buf_printf(out,
	    "<section aria-labelledby=\"falls%zu\"><h2 id=\"falls%zu\">%s"
	    "</h2>\n<ul class=\"findings\">\n",
	    html->number, html->number,
	    sheet->nerrors ? "What fell, and why" : "What to watch");
	for (i = 0; i < sheet_nwrong(sheet); i++)
		put_finding(html, &sheet->findings[i]);
	buf_puts(out, "</ul></section>\n");
}

/* What is only said, a line each, and folded where it is much. */
static void
put_said(const struct html *html, const struct sheet *sheet)
{
	size_t n = sheet->nfindings - sheet->nerrors - sheet->nwarnings, i;
	struct buf *out = html->out;

	if (!n)
		return;
	buf_printf(out, "<details class=\"said\"%s><summary>",
	    n <= SAID_OPEN ? " open" : "");
	put_number_of(out, n, "other change");
	buf_puts(out, "</summary><ul>\n");
	for (i = 0; i < sheet->nfindings; i++) {
		const struct sheet_finding *f = &sheet->findings[i];

		if (f->level != LEVEL_INFO)
			continue;
		buf_puts(out, "<li><b>");
		html_user(out, f->subject);
		buf_puts(out, "</b> ");
		if (f->slice) {
			html_user(out, f->slice);
			buf_putc(out, ' ');
		}
		if (f->change) {
			html_text(out, f->change);
			buf_putc(out, ' ');
		}
		buf_printf(out, "<span class=\"tag%s\">",
		    f->class >= CLASS_FIXED && f->class <= CLASS_GOAL_REACHED
			? " good"
			: "");
		put_class(out, f->class);
		buf_puts(out, "</span></li>\n");
	}
	buf_puts(out, "</ul></details>\n");
}

void
html_check_first(const struct html *html, const struct sheet *sheet)
{
	put_verdict(html, sheet);
	put_errors(html, sheet);
	put_said(html, sheet);
}
