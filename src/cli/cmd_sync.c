/* evalgate sync: share the history with a remote. */
#include <stdio.h>

#include "cli.h"

const char *
session_remote(const struct session *s)
{
	if (s->options.remote)
		return s->options.remote;
	return s->config.remote ? s->config.remote : "origin";
}

const char *
session_remote_shown(const struct session *s)
{
	return remote_shown(s->arena, session_remote(s));
}

int
session_share(struct session *s, const struct signature *signature, bool push,
    struct sync_result *result)
{
	struct sync_options options = {
	    .remote = session_remote(s),
	    .suite = s->command == COMMAND_SYNC && !s->options.suite
		? NULL
		: s->config.suite,
	    .fetch = true,
	    .push = push,
	    .signature = signature,
	};
	struct sync_result own;
	size_t i;
	int rc;

	if (!result)
		result = &own;
	rc = history_sync(s->arena, s->repo, &options, result, s->e);
	for (i = 0; i < result->nnotices; i++)
		session_notice(s, result->notices[i]);
	return rc;
}

static void
tell(const struct session *s, const struct sync_result *r)
{
	size_t i;

	if (!s->options.quiet)
		printf("%s: %zu suite%s there, %zu brought up to date, %zu "
		       "united, %zu pushed\n",
		    session_remote_shown(s), r->nsuites,
		    r->nsuites == 1 ? "" : "s", r->nforwarded, r->nunited,
		    r->npushed);
	for (i = 0; i < s->notices.n; i++)
		printf("  note: %s\n", s->notices.items[i]);
}

static int
run(struct session *s)
{
	struct signature signature;
	struct sync_result result;

	if (s->options.args.n) {
		fail(s->e, "sync takes no arguments; see --remote");
		return EXIT_INPUT;
	}
	if (session_open_repo(s) < 0 || session_read_config(s) < 0)
		return EXIT_INPUT;
	session_sign(s, &signature);
	if (session_share(s, &signature, s->options.push || !s->options.fetch,
		&result) < 0)
		return EXIT_ENVIRONMENT;
	tell(s, &result);
	return EXIT_PASS;
}

const struct command command_sync = {
    .name = "sync",
    .bit = COMMAND_SYNC,
    .synopsis = "sync [OPTION]...",
    .summary = "share the history with a remote",
    .help = "Fetches the history of every suite, unites it with the one "
	    "here, and pushes what is\nnew; with --fetch it only brings what "
	    "is there.  git does the talking, so its\ncredentials and "
	    "proxies work.  Never by force.\n",
    .run = run,
};
