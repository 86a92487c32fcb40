/* The table of metrics, and reading their names. */
#include <string.h>
#include <strings.h>

#include "internal.h"

#define LONGEST_NAME 64
#define MAX_CUTOFF 1000000

const struct metric *const metric_table[] = {
    &metric_recall,
    &metric_precision,
    &metric_hit,
    &metric_mrr,
    &metric_ndcg,
    &metric_ndcg_exp,
    &metric_map,
    &metric_rprec,
    &metric_bpref,
    &metric_judged,
    &metric_found,
    &metric_mean_rank,
};
const size_t nmetrics = COUNT(metric_table);

/* Names that the field uses for the same thing; case never matters. */
static const struct {
	const char *name;
	const struct metric *metric;
} aliases[] = {
    {"success", &metric_hit},
    {"hit_rate", &metric_hit},
    {"hitrate", &metric_hit},
    {"p", &metric_precision},
    {"recip_rank", &metric_mrr},
    {"reciprocal_rank", &metric_mrr},
    {"mean_reciprocal_rank", &metric_mrr},
    {"rr", &metric_mrr},
    {"ndcg_cut", &metric_ndcg},
    {"map_cut", &metric_map},
    {"ap", &metric_map},
    {"average_precision", &metric_map},
    {"mean_average_precision", &metric_map},
    {"r_precision", &metric_rprec},
};

/* NULL when neither the table nor the aliases know the name. */
static const struct metric *
find(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < nmetrics; i++)
		if (strlen(metric_table[i]->name) == len &&
		    strncasecmp(metric_table[i]->name, name, len) == 0)
			return metric_table[i];
	for (i = 0; i < COUNT(aliases); i++)
		if (strlen(aliases[i].name) == len &&
		    strncasecmp(aliases[i].name, name, len) == 0)
			return aliases[i].metric;
	return NULL;
}

/* "recall@k, mrr, mrr@k, ...": the table as users write it. */
static const char *
known(struct arena *arena)
{
	const char *list = "", *name, *comma;
	size_t i;

	for (i = 0; i < nmetrics; i++) {
		name = metric_table[i]->name;
		comma = i ? ", " : "";
		switch (metric_table[i]->cutoff) {
		case CUTOFF_NONE:
			list = arena_printf(arena, "%s%s%s", list, comma, name);
			break;
		case CUTOFF_OPTIONAL:
			list = arena_printf(
			    arena, "%s%s%s, %s@k", list, comma, name, name);
			break;
		case CUTOFF_REQUIRED:
			list =
			    arena_printf(arena, "%s%s%s@k", list, comma, name);
			break;
		}
	}
	return list;
}

/* The known name that is nearest to what was written, NULL for none. */
static const struct metric *
nearest(const char *name, size_t len)
{
	const char *words[COUNT(metric_table) + COUNT(aliases)], *word;
	char lower[LONGEST_NAME + 1];
	size_t i, n = 0;

	if (len > LONGEST_NAME)
		return NULL;
	for (i = 0; i < len; i++)
		lower[i] = name[i] >= 'A' && name[i] <= 'Z'
		    ? (char)(name[i] - 'A' + 'a')
		    : name[i];
	lower[len] = '\0';
	for (i = 0; i < nmetrics; i++)
		words[n++] = metric_table[i]->name;
	for (i = 0; i < COUNT(aliases); i++)
		words[n++] = aliases[i].name;
	word = suggest(lower, words, n);
	return word ? find(word, strlen(word)) : NULL;
}

/* How a metric may be written, with this cutoff where it takes one. */
static const char *
spelled(struct arena *arena, const struct metric *metric, const char *k)
{
	if (metric->cutoff == CUTOFF_NONE ||
	    (metric->cutoff == CUTOFF_OPTIONAL && *k == '\0'))
		return metric->name;
	return arena_printf(arena, "%s@%s", metric->name, *k ? k : "5");
}

/*
 * What was meant by an unknown name.  trec_eval's own spelling of cutoffs,
 * recall_5 or recall.5, is told apart from a slip of the finger.
 */
static const char *
unknown(struct arena *arena, const char *text, size_t len)
{
	const char *k = text[len] ? text + len + 1 : "";
	const struct metric *metric;
	size_t stem = len;

	while (stem > 0 && text[stem - 1] >= '0' && text[stem - 1] <= '9')
		stem--;
	if (*k == '\0' && stem < len && stem > 1 &&
	    strchr("_.-@", text[stem - 1]) && find(text, stem - 1))
		return spelled(arena, find(text, stem - 1), text + stem);
	/* A cutoff that is no good either is not repeated. */
	if (strspn(k, "0123456789") != strlen(k) || *k == '0')
		k = "";
	metric = nearest(text, len);
	return metric ? spelled(arena, metric, k) : NULL;
}

/* A whole number from 1 to MAX_CUTOFF in plain digits, 0 for all else. */
static unsigned
cutoff(const char *text)
{
	unsigned k = 0;

	if (*text == '\0')
		return 0;
	for (; *text; text++) {
		if (*text < '0' || *text > '9')
			return 0;
		k = k * 10 + (unsigned)(*text - '0');
		if (k > MAX_CUTOFF)
			return 0;
	}
	return k;
}

/* Why the text after '@' is no cutoff of this metric. */
static const char *
bad_cutoff(
    struct arena *arena, const char *text, const char *name, const char *k)
{
	size_t len = strlen(k), digits = strspn(k, "0123456789");

	if (len > 0 && strspn(k, "0") == len)
		return arena_printf(arena,
		    "'%s': the cutoff must be 1 or more, such as %s@5", text,
		    name);
	if (len > 0 && digits == len)
		return arena_printf(arena, "'%s': the cutoff is larger than %d",
		    text, MAX_CUTOFF);
	return arena_printf(arena,
	    "'%s': the cutoff after '@' must be a whole number of 1 or more, "
	    "such as %s@5",
	    text, name);
}

int
measure_parse(struct arena *arena, const char *text, struct measure *measure,
    const char **mend)
{
	size_t len = strcspn(text, "@");
	bool has_cutoff = text[len] == '@';
	const struct metric *metric = find(text, len);
	const char *meant;
	unsigned k;

	if (metric == NULL) {
		meant = unknown(arena, text, len);
		*mend = meant
		    ? arena_printf(arena,
			  "unknown metric '%s', did you mean '%s'? known: %s",
			  text, meant, known(arena))
		    : arena_printf(arena, "unknown metric '%s', known: %s",
			  text, known(arena));
		return -1;
	}
	if (has_cutoff && metric->cutoff == CUTOFF_NONE) {
		*mend =
		    arena_printf(arena, "'%s': %s takes no cutoff, write %s",
			text, metric->name, metric->name);
		return -1;
	}
	if (!has_cutoff && metric->cutoff == CUTOFF_REQUIRED) {
		*mend = arena_printf(arena, "'%s' needs a cutoff, such as %s@5",
		    text, metric->name);
		return -1;
	}
	k = has_cutoff ? cutoff(text + len + 1) : 0;
	if (has_cutoff && k == 0) {
		*mend = bad_cutoff(arena, text, metric->name, text + len + 1);
		return -1;
	}
	*measure = (struct measure){.metric = metric, .k = k};
	measure->name =
	    k ? arena_printf(arena, "%s@%u", metric->name, k) : metric->name;
	return 0;
}

/* "[Mm][Rr][Rr]": case never matters, and patterns have no flag for that. */
static void
put_name(struct buf *out, const char *name)
{
	for (; *name; name++) {
		if (*name >= 'a' && *name <= 'z')
			buf_printf(out, "[%c%c]", *name - 'a' + 'A', *name);
		else
			buf_putc(out, *name);
	}
}

/* A metric, or its other name, with the cutoffs that it takes. */
static void
put_pattern(struct buf *out, const char *name, const struct metric *metric)
{
	/* From 1 to MAX_CUTOFF. */
	static const char cutoff[] = "@0*([1-9][0-9]{0,5}|1000000)";

	buf_puts(out, out->len ? "|" : "^(");
	put_name(out, name);
	if (metric->cutoff == CUTOFF_OPTIONAL)
		buf_printf(out, "(%s)?", cutoff);
	else if (metric->cutoff == CUTOFF_REQUIRED)
		buf_puts(out, cutoff);
}

const char *
measure_pattern(struct arena *arena, bool gated)
{
	const char *pattern;
	struct buf out;
	size_t i;

	buf_init(&out);
	for (i = 0; i < nmetrics; i++)
		if (!gated || !metric_table[i]->reading_only)
			put_pattern(
			    &out, metric_table[i]->name, metric_table[i]);
	for (i = 0; i < COUNT(aliases); i++)
		if (!gated || !aliases[i].metric->reading_only)
			put_pattern(&out, aliases[i].name, aliases[i].metric);
	pattern = arena_printf(arena, "%s)$", out.data);
	buf_free(&out);
	return pattern;
}
