/* Findings and waivers of a sheet: whose, why, and who is never named. */
#include <math.h>
#include <string.h>

#include "internal.h"

/* Of a question that nobody named in the config. */
static bool
hidden(const struct sheet_question *question, const char *rule)
{
	return question && question->holdout && strcmp(rule, "tracked") != 0 &&
	    strcmp(rule, "max_rank") != 0;
}

static const struct explanation *
explanation_of(const struct report *report, const char *question)
{
	size_t i;

	for (i = 0; i < report->nexplanations; i++)
		if (strcmp(report->explanations[i].question, question) == 0)
			return &report->explanations[i];
	return NULL;
}

/* Where a finding points to, as seen from the repository's root. */
static const char *
file_of(const struct making *m, const struct finding *f)
{
	const char *config = m->report->rules->file;

	if (f->file && config && m->report->config &&
	    strcmp(f->file, config) == 0)
		return m->report->config;
	return f->file;
}

static void
put_finding(const struct making *m, const struct finding *f,
    const struct sheet_question *question, struct sheet_finding *to)
{
	*to = (struct sheet_finding){
	    .rule = f->rule,
	    .subject = f->subject,
	    .slice = f->slice,
	    .question = question,
	    .level = f->level,
	    .class = f->class,
	    .baseline = f->baseline,
	    .current = f->current,
	    .limit = f->limit,
	    .message = f->message,
	    .change = f->change,
	    .file = file_of(m, f),
	    .line = f->line,
	};
}

/* Why a question fell stands once; good news needs no reason. */
static void
explain(const struct making *m, struct sheet_finding *findings, size_t n)
{
	struct sheet_finding *f = &findings[n];
	size_t i;

	if (!f->question || f->level == LEVEL_INFO)
		return;
	for (i = 0; i < n; i++)
		if (findings[i].question == f->question)
			return;
	f->explanation = explanation_of(m->report, f->subject);
}

/* Findings of holdout questions, as one of their kind that names none. */
static void
put_hidden(const struct making *m, const struct finding *f, size_t n,
    struct sheet_finding *to)
{
	*to = (struct sheet_finding){
	    .rule = f->rule,
	    .subject = "holdout questions",
	    .unnamed = true,
	    .level = f->level,
	    .class = f->class,
	    .baseline = NAN,
	    .current = NAN,
	    .limit = NAN,
	    .message =
		arena_printf(m->arena, "%zu of them, which are never named", n),
	    .file = file_of(m, f),
	    .line = f->line,
	};
}

void
sheet_count_levels(struct sheet *sheet)
{
	size_t i;

	for (i = 0; i < sheet->nfindings; i++) {
		sheet->nerrors += sheet->findings[i].level == LEVEL_ERROR;
		sheet->nwarnings += sheet->findings[i].level == LEVEL_WARN;
	}
}

void
sheet_findings(const struct making *m)
{
	const struct judgement *j = m->report->judgement;
	struct sheet_finding *findings =
	    arena_array(m->arena, j->nfindings + 1, sizeof(*findings));
	const struct sheet_question *question;
	size_t i, k, n = 0, *nhidden;

	nhidden = arena_array(m->arena, j->nfindings + 1, sizeof(*nhidden));
	for (i = 0; i < j->nfindings; i++) {
		const struct finding *f = &j->findings[i];

		question = sheet_question_of(m->sheet, f->subject);
		if (!hidden(question, f->rule)) {
			put_finding(m, f, question, &findings[n++]);
			continue;
		}
		if (f->level == LEVEL_INFO)
			continue;
		for (k = 0; k < n; k++)
			if (nhidden[k] && findings[k].class == f->class &&
			    findings[k].level == f->level)
				break;
		n += k == n;
		put_hidden(m, f, ++nhidden[k], &findings[k]);
	}
	findings_sort(m->arena, findings, n);
	for (i = 0; i < n; i++)
		explain(m, findings, i);
	m->sheet->findings = findings;
	m->sheet->nfindings = n;
	sheet_count_levels(m->sheet);
}

void
sheet_waivers(const struct making *m)
{
	const struct report *report = m->report;
	struct sheet_waiver *waivers =
	    arena_array(m->arena, report->nwaivers + 1, sizeof(*waivers));
	size_t i;

	for (i = 0; i < report->nwaivers; i++) {
		const struct waiver_state *state = &report->waivers[i];
		const struct waiver *w = state->waiver;

		waivers[i] = (struct sheet_waiver){
		    .subject = w->question ? w->question : w->measure.name,
		    .slice = selector_name(m->arena, &w->where),
		    .of_question = w->question != NULL,
		    .limit = !w->has_limit ? NAN
			: w->question      ? (double)w->ceiling
					   : w->floor,
		    .until = w->until_text,
		    .reason = w->reason,
		    .issue = w->issue,
		    .used = state->used,
		    .exceeded = state->exceeded,
		    .days_left = state->days_left,
		    .line = w->line,
		};
	}
	m->sheet->waivers = waivers;
	m->sheet->nwaivers = report->nwaivers;
}
