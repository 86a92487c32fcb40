/*
 * How a remote is talked to.  What the user has configured for his own
 * fetches and pushes holds for none of ours: a refspec of his that names all
 * notes would overwrite records that nobody else has, a mirror would
 * push all there is, pruning would take away.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define TIMEOUT 120 /* seconds, unless the user says otherwise */

/* ------------------------------------------------------------- secrets -- */

/*
 * The end of what stands before the @ of a URL's host; NULL without one.
 * text: behind "://".
 */
static const char *
userinfo_end(const char *text)
{
	size_t len = strcspn(text, "/?# \t\n'\"");

	while (len > 0 && text[len - 1] != '@')
		len--;
	return len > 0 ? text + len - 1 : NULL;
}

/* Whether a URL's scheme is one for which a user's name may be a token. */
static bool
names_are_secret(const char *text, const char *colon)
{
	return !(colon - text >= 3 && strncmp(colon - 3, "ssh", 3) == 0);
}

const char *
remote_shown(struct arena *arena, const char *text)
{
	const char *p = text, *mark, *end, *colon, *shown;
	struct buf out;

	buf_init(&out);
	while ((mark = strstr(p, "://"))) {
		buf_add(&out, p, (size_t)(mark + 3 - p));
		p = mark + 3;
		end = userinfo_end(p);
		if (!end)
			continue;
		colon = memchr(p, ':', (size_t)(end - p));
		if (colon)
			buf_printf(&out, "%.*s:***", (int)(colon - p), p);
		else if (names_are_secret(text, mark))
			buf_puts(&out, "***");
		else
			buf_add(&out, p, (size_t)(end - p));
		p = end;
	}
	buf_puts(&out, p);
	shown = arena_strdup(arena, out.data);
	buf_free(&out);
	return shown;
}

/* ---------------------------------------------------------------- talk -- */

int
talk_begin(struct talk *talk, struct arena *arena, struct repo *repo,
    const char *remote, struct error *e)
{
	*talk = (struct talk){
	    .arena = arena,
	    .repo = repo,
	    .remote = remote,
	    .shown = remote_shown(arena, remote),
	    .git_dir = arena_printf(
		arena, "--git-dir=%s", git_repository_path(repo->git)),
	    .allowed = repo->timeout > 0 ? repo->timeout : TIMEOUT,
	    .e = e,
	};
	if (!history_remote_known(repo, remote, e))
		return -1;
	talk->named = remote_named(repo, remote);
	talk->until = now_ms(CLOCK_MONOTONIC) + talk->allowed * 1000;
	signals_hold(talk->was);
	return 0;
}

void
talk_end(struct talk *talk)
{
	signals_release(talk->was);
}

/* --------------------------------------------------------------- calls -- */

void
call_add(struct git_call *call, const char *word)
{
	call->words[call->n++] = word;
	call->words[call->n] = NULL;
}

static void
add_all(struct git_call *call, const char *const *words, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		call_add(call, words[i]);
}

/* Settings that no option of fetch or push takes back. */
static void
begin(struct git_call *call, const struct talk *talk)
{
	static const char *const settings[] = {"gc.auto=0",
	    "maintenance.auto=false", "fetch.writeCommitGraph=false",
	    "push.pushOption=", "color.ui=false", "color.push=false",
	    "color.transport=false", "color.remote=false",
	    "color.advice=false"};
	static const char *const of_remote[] = {
	    "mirror=false", "followRemoteHEAD=never"};
	size_t i;

	call->n = 0;
	call_add(call, "git");
	call_add(call, talk->git_dir);
	for (i = 0; i < COUNT(settings); i++) {
		call_add(call, "-c");
		call_add(call, settings[i]);
	}
	/* git splits at the first "=". */
	if (!talk->named || strchr(talk->remote, '='))
		return;
	for (i = 0; i < COUNT(of_remote); i++) {
		call_add(call, "-c");
		call_add(call,
		    arena_printf(talk->arena, "remote.%s.%s", talk->remote,
			of_remote[i]));
	}
}

void
call_fetch(struct git_call *call, const struct talk *talk,
    const char *const *options, size_t noptions)
{
	static const char *const common[] = {"fetch", "--quiet",
	    "--refmap=", "--no-tags", "--no-prune-tags",
	    "--no-write-fetch-head", "--no-recurse-submodules"};

	begin(call, talk);
	add_all(call, common, COUNT(common));
	add_all(call, options, noptions);
	call_add(call, "--");
	call_add(call, talk->remote);
}

void
call_push(struct git_call *call, const struct talk *talk, bool dry)
{
	static const char *const common[] = {"push", "--porcelain",
	    "--no-verify", "--no-follow-tags", "--no-recurse-submodules"};

	begin(call, talk);
	add_all(call, common, COUNT(common));
	if (dry)
		call_add(call, "--dry-run");
	call_add(call, "--");
	call_add(call, talk->remote);
}
