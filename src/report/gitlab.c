/* Findings as GitLab's code quality report. */
#include <inttypes.h>
#include <string.h>

#include "internal.h"

/*
 * FNV-1a over the parts that make a finding the same one in the next run;
 * where it stands in the config is no part of it.
 */
static uint64_t
hash(uint64_t h, const char *text)
{
	const unsigned char *p = (const unsigned char *)(text ? text : "");

	do {
		h = (h ^ *p) * UINT64_C(1099511628211);
	} while (*p++);
	return h;
}

/*
 * Without the class: the same loss is new on one commit and still failing on
 * the next, and GitLab tells what is new by these alone.
 */
static uint64_t
fingerprint(const struct sheet *sheet, const struct sheet_finding *f)
{
	uint64_t h = UINT64_C(14695981039346656037);

	h = hash(h, sheet->suite);
	h = hash(h, f->rule);
	h = hash(h, f->subject);
	return hash(h, f->slice);
}

/* In words of GitLab's own. */
static const char *const severities[] = {
    [LEVEL_ERROR] = "critical",
    [LEVEL_WARN] = "minor",
    [LEVEL_INFO] = "info",
};

/* A second finding alike needs a print of its own: GitLab drops twins. */
static uint64_t
distinct(struct arena *arena, struct map *seen, uint64_t print)
{
	const char *key;
	size_t ignored = 0;

	do {
		key = arena_printf(arena, "%016" PRIx64, print++);
	} while (!map_add(seen, key, 16, &ignored));
	return print - 1;
}

static const char *
description(struct arena *arena, const struct sheet *sheet,
    const struct sheet_finding *f)
{
	return arena_printf(arena, "%s: %s%s%s%s%s%s: %s", sheet->suite,
	    f->subject, f->slice ? " [" : "", f->slice ? f->slice : "",
	    f->slice ? "]" : "", f->change ? " " : "",
	    f->change ? f->change : "", f->message);
}

static void
put_finding(struct json *json, struct arena *arena, struct map *seen,
    const struct sheet *sheet, const struct sheet_finding *f)
{
	uint64_t print = distinct(arena, seen, fingerprint(sheet, f));

	json_open(json, NULL, '{');
	json_text(json, "description",
	    visible_start(arena, description(arena, sheet, f), 1000));
	json_text(json, "check_name",
	    arena_printf(arena, "evalgate/%s", class_names[f->class]));
	json_text(
	    json, "fingerprint", arena_printf(arena, "%016" PRIx64, print));
	json_text(json, "severity", severities[f->level]);
	json_open(json, "location", '{');
	json_text(json, "path", f->file ? f->file : "evalgate.yaml");
	json_open(json, "lines", '{');
	json_integer(json, "begin", f->line ? (int64_t)f->line : 1);
	json_close(json, '}');
	json_close(json, '}');
	json_close(json, '}');
}

/*
 * A first run as a finding, of no line in particular: an empty report would
 * say that all is well.
 */
static void
put_uncompared(struct json *json, struct arena *arena, struct map *seen,
    const struct sheet *sheet)
{
	const struct sheet_finding f = {
	    .rule = "baseline",
	    .subject = "baseline",
	    .level = LEVEL_INFO,
	    .class = CLASS_ADDED,
	    .message = sheet_uncompared(sheet),
	};

	put_finding(json, arena, seen, sheet, &f);
}

static void
gitlab_report(struct arena *arena, struct buf *out, const struct sheet *sheets,
    size_t nsheets, const struct style *style)
{
	struct map seen;
	struct json json;
	size_t i, k, n;

	(void)style;
	map_init(&seen, arena);
	json_init(&json, out, 1);
	json_open(&json, NULL, '[');
	for (i = 0; i < nsheets; i++) {
		n = sheets[i].compared_only ? 0 : sheet_nwrong(&sheets[i]);
		for (k = 0; k < n; k++)
			put_finding(&json, arena, &seen, &sheets[i],
			    &sheets[i].findings[k]);
		if (sheet_uncompared(&sheets[i]))
			put_uncompared(&json, arena, &seen, &sheets[i]);
	}
	json_close(&json, ']');
	buf_putc(out, '\n');
}

const struct format format_gitlab = {
    .name = "gitlab",
    .report = gitlab_report,
    .summary = "GitLab's code quality",
};
