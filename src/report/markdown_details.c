/* The folded part of Markdown: good news, slices, questions. */
#include "internal.h"

#define TEXT 200 /* characters of a question that a row shows */
#define FIRST 1000 /* bytes that a table is worth beginning with */
#define NAMED 8 /* ids that a line lists before it counts the rest */
#define PAST 10 /* ranks of a question's past that a row shows */

/* "<details>", where it and a first row have room; else that it is not here. */
static bool
begin(struct markdown *md, const char *title, size_t n)
{
	if (!n)
		return false;
	buf_printf(
	    &md->item, "\n<details><summary>%s (%zu)</summary>\n\n", title, n);
	if (md->out->len + FIRST <= md->end && markdown_put(md))
		return true;
	buf_free(&md->item);
	buf_printf(md->out, "\n%s: %zu, left out here\n", title, n);
	return false;
}

static void
end(struct markdown *md, size_t left)
{
	if (left)
		buf_printf(md->out, "\nand %zu more, left out here\n", left);
	buf_puts(md->out, "\n</details>\n");
}

/* What is neither an error nor a warning. */
static void
put_said(struct markdown *md, const struct sheet *sheet)
{
	size_t first = sheet_nwrong(sheet), i;

	if (sheet->compared_only ||
	    !begin(md, "Other findings", sheet->nfindings - first))
		return;
	for (i = first; i < sheet->nfindings; i++) {
		const struct sheet_finding *f = &sheet->findings[i];

		buf_puts(&md->item, "- ");
		markdown_code(&md->item, f->subject);
		buf_puts(&md->item, " ");
		if (f->change) {
			markdown_text(&md->item, f->change, TEXT);
			buf_puts(&md->item, " ");
		}
		buf_printf(&md->item, "%s: ", class_names[f->class]);
		markdown_text(&md->item, f->message, TEXT);
		buf_puts(&md->item, "\n");
		if (!markdown_put(md))
			break;
	}
	end(md, sheet->nfindings - i);
}

static void
add_slice(struct buf *out, const struct sheet *sheet,
    const struct sheet_metric *metrics)
{
	size_t i;

	buf_puts(out, "| ");
	markdown_code(out, metrics->slice);
	buf_printf(out, " | %zu |", slice_n(metrics, sheet->nmeasures));
	for (i = 0; i < sheet->nmeasures; i++) {
		buf_printf(out, " %s", mean_text(metric_now(&metrics[i])).text);
		if (metrics[i].compared)
			buf_printf(out, " (%+.4f)", metrics[i].delta);
		buf_puts(out, " |");
	}
	buf_puts(out, "\n");
}

static void
put_slices(struct markdown *md, const struct sheet *sheet)
{
	size_t nm = sheet->nmeasures, i;
	size_t n = nm ? sheet->nmetrics / nm : 0;

	if (n < 2 || !begin(md, "Slices", n - 1))
		return;
	buf_puts(&md->item, "| slice | n |");
	for (i = 0; i < nm; i++)
		buf_printf(&md->item, " %s |", sheet->metrics[i].name);
	buf_puts(&md->item, "\n|:--|--:|");
	for (i = 0; i < nm; i++)
		buf_puts(&md->item, "--:|");
	buf_puts(&md->item, "\n");
	i = 1;
	if (markdown_put(md))
		for (; i < n; i++) {
			add_slice(&md->item, sheet, &sheet->metrics[i * nm]);
			if (!markdown_put(md))
				break;
		}
	end(md, n - i);
}

static const char *
rank_text(bool known, unsigned rank, struct arena *arena)
{
	if (!known)
		return "?";
	return rank ? arena_printf(arena, "%u", rank) : "–";
}

static void
add_tracked(struct markdown *md, const struct sheet *sheet,
    const struct sheet_question *q)
{
	struct buf *out = &md->item;
	const struct sheet_more *more = q->more;
	size_t i = more && more->nhistory > PAST ? more->nhistory - PAST : 0;

	buf_puts(out, "| ");
	markdown_code(out, q->id);
	buf_printf(out, " | %s |", rank_text(q->known, q->rank, md->arena));
	if (sheet->shown)
		buf_printf(out, " %s |",
		    rank_text(q->known_then, q->baseline, md->arena));
	for (; more && i < more->nhistory; i++)
		buf_printf(out, " %s",
		    rank_text(more->history[i].known,
			more->history[i].place.rank, md->arena));
	buf_puts(out, " | ");
	if (q->text)
		markdown_text(out, q->text, TEXT);
	buf_puts(out, " |\n");
}

static bool
is_shown(const struct sheet_question *q)
{
	return q->tracked && !q->holdout;
}

static void
put_tracked(struct markdown *md, const struct sheet *sheet)
{
	size_t i, n = 0;

	for (i = 0; i < sheet->nquestions; i++)
		n += is_shown(&sheet->questions[i]);
	if (!begin(md, "Tracked questions", n))
		return;
	buf_printf(md->out,
	    "| question | rank |%s earlier, oldest first | text |\n"
	    "|:--|--:|%s:--|:--|\n",
	    sheet->shown ? " compared with |" : "", sheet->shown ? "--:|" : "");
	for (i = 0; i < sheet->nquestions; i++) {
		if (!is_shown(&sheet->questions[i]))
			continue;
		add_tracked(md, sheet, &sheet->questions[i]);
		if (!markdown_put(md))
			break;
		n--;
	}
	end(md, n);
}

/* Those that the table of tracked questions has not told of. */
static void
put_moved(struct markdown *md, const struct sheet *sheet)
{
	const struct sheet_question **moved;
	size_t all, n = 0, i;

	moved = sheet_moved(md->arena, sheet, &all);
	for (i = 0; i < all; i++)
		if (!moved[i]->tracked)
			moved[n++] = moved[i];
	if (!begin(
		md, "Other questions that moved, the largest losses first", n))
		return;
	buf_puts(md->out, "| question | rank |\n|:--|:--|\n");
	for (i = 0; i < n; i++) {
		buf_puts(&md->item, "| ");
		markdown_code(&md->item, moved[i]->id);
		buf_printf(&md->item, " | %s |\n",
		    sheet_ranks(md->arena, sheet, moved[i]));
		if (!markdown_put(md))
			break;
	}
	end(md, n - i);
}

/* Ids of some kind, none of a holdout question. */
static void
put_named(struct markdown *md, const struct sheet *sheet, const char *what,
    bool (*is)(const struct sheet_question *))
{
	size_t i, n = 0, named = 0;

	for (i = 0; i < sheet->nquestions; i++)
		n += is(&sheet->questions[i]);
	if (!n)
		return;
	buf_printf(&md->item, "\n%zu %s", n, what);
	for (i = 0; i < sheet->nquestions && named < NAMED; i++) {
		if (!is(&sheet->questions[i]) || sheet->questions[i].holdout)
			continue;
		buf_puts(&md->item, named++ ? ", " : ": ");
		markdown_code(&md->item, sheet->questions[i].id);
	}
	if (named && n > named)
		buf_printf(&md->item, " and %zu more", n - named);
	buf_puts(&md->item, "\n");
	markdown_put(md);
}

void
markdown_details(struct markdown *md, const struct sheet *sheet)
{
	put_named(md, sheet, "not in the run, counted 0", question_is_missing);
	put_named(
	    md, sheet, "unanswerable, left out", question_is_unanswerable);
	put_tracked(md, sheet);
	put_slices(md, sheet);
	put_said(md, sheet);
	put_moved(md, sheet);
}
