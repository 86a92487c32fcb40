/* Why a question fell, as far as the records tell. */
#include <string.h>

#include "internal.h"

#define NAMED 5 /* documents a line */
#define SHOWN 10 /* the newest ranks of the past */

/* "doc-7 (rank 3, was 8), doc-2 (rank 4, not among the first then)" */
static void
put_displacers(const struct page *page, const char *what,
    const struct displacer *list, size_t n, bool left)
{
	size_t i;

	if (!n)
		return;
	buf_printf(page->out, "      %s", what);
	for (i = 0; i < n && i < NAMED; i++) {
		buf_puts(page->out, i ? ", " : "");
		page_user(page, list[i].document);
		if (left && list[i].rank)
			buf_printf(page->out, " (%u, now %u)", list[i].old_rank,
			    list[i].rank);
		else if (left)
			buf_printf(page->out, " (%u, now out of sight)",
			    list[i].old_rank);
		else if (list[i].old_rank)
			buf_printf(page->out, " (%u, was %u)", list[i].rank,
			    list[i].old_rank);
		else
			buf_printf(
			    page->out, " (%u, was out of sight)", list[i].rank);
	}
	if (n > NAMED)
		buf_printf(page->out, " and %zu more", n - NAMED);
	buf_puts(page->out, "\n");
}

/* "▁▅█  –, 5, 9; best 5 at 1a2b3c4" */
static void
put_past(const struct page *page, const struct sheet_question *q,
    const struct explanation *x)
{
	const struct sheet_more *more = q->more;
	size_t first, n, i;
	struct history_rank *ranks;

	if (!more || !more->nhistory)
		return;
	first = more->nhistory > SHOWN ? more->nhistory - SHOWN : 0;
	n = more->nhistory - first;
	ranks = arena_array(page->arena, n + 1, sizeof(*ranks));
	for (i = 0; i < n; i++)
		if (more->history[first + i].known)
			ranks[i] = (struct history_rank){
			    RANK_GIVEN, more->history[first + i].place.rank};
	ranks[n++] = (struct history_rank){RANK_GIVEN, q->rank};
	buf_puts(page->out, "      ranks: ");
	sparkline(page->out, ranks, n);
	buf_puts(page->out, first ? "  … " : "  ");
	for (i = 0; i < n; i++) {
		buf_puts(page->out, i ? ", " : "");
		if (ranks[i].state != RANK_GIVEN)
			buf_puts(page->out, "·");
		else if (ranks[i].rank)
			buf_printf(page->out, "%u", ranks[i].rank);
		else
			buf_puts(page->out, "–");
	}
	if (x->best && x->best_commit) {
		buf_printf(page->out, "; best %u at ", x->best);
		page_user(page, short_commit(page->arena, x->best_commit));
	}
	buf_puts(page->out, "\n");
}

void
text_fall(const struct page *page, const struct sheet_finding *f)
{
	const struct explanation *x = f->explanation;

	if (!x || !f->question)
		return;
	put_displacers(page, "above it now: ", x->above, x->nabove, false);
	put_displacers(page, "left from above: ", x->left, x->nleft, true);
	put_past(page, f->question, x);
	if (!x->fall_commit)
		return;
	buf_puts(page->out, "      fell at ");
	page_user(page, short_commit(page->arena, x->fall_commit));
	if (x->fall_subject && *x->fall_subject) {
		buf_puts(page->out, " \"");
		page_user(page, x->fall_subject);
		buf_puts(page->out, "\"");
	}
	buf_puts(page->out, "\n");
}
