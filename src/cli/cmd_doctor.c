/*
 * evalgate doctor: is everything there that a verdict needs?  Each line says
 * what was looked at and, where it is not well, the mend.
 */
#include <stdio.h>
#include <string.h>

#include "cli.h"

#define STALE 600 /* seconds after which a lock is nobody's */

enum health { WELL, WARNING, ILL };

struct visit {
	struct session *s;
	int status;
	const char *head;
	struct notes *notes;
};

static void
tell(struct visit *v, enum health health, const char *what, const char *text)
{
	static const char *const words[] = {"ok", "warn", "FAIL"};
	struct buf line;

	if (health == WELL && v->s->options.quiet)
		return;
	buf_init(&line);
	buf_printf(&line, "%-5s %-11s ", words[health], what);
	buf_put_visible(&line, text);
	buf_putc(&line, '\n');
	fputs(line.data, stdout);
	buf_free(&line);
}

/* What went wrong since `before`, told as this visit's. */
static void
tell_errors(struct visit *v, const char *what, size_t before, int status)
{
	struct error *e = v->s->e;
	size_t i;

	for (i = before; i < e->nitems; i++) {
		const struct error_item *item = &e->items[i];

		tell(v, ILL, what,
		    !item->file      ? item->text
			: item->line ? arena_printf(e->arena, "%s:%zu: %s",
					   item->file, item->line, item->text)
				     : arena_printf(e->arena, "%s: %s",
					   item->file, item->text));
	}
	e->nitems = before;
	if (v->status != EXIT_INPUT)
		v->status = status;
}

static bool
visit_repository(struct visit *v)
{
	struct session *s = v->s;
	size_t before = s->e->nitems;
	const char *root;

	if (session_open_repo(s) < 0 ||
	    repo_resolve(s->repo, "HEAD", &v->head, s->e) < 0) {
		tell_errors(v, "repository", before, EXIT_ENVIRONMENT);
		return s->repo != NULL;
	}
	root = repo_root(s->repo);
	tell(v, WELL, "repository", root ? root : "bare");
	if (repo_shallow(s->repo))
		tell(v, WARNING, "depth",
		    "the clone is shallow; records name their parents, but "
		    "where some are missing, fetch more: "
		    "git fetch --deepen=100");
	else
		tell(v, WELL, "depth", "the whole history is here");
	return true;
}

static void
visit_config(struct visit *v)
{
	struct session *s = v->s;
	size_t before = s->e->nitems, i;

	if (session_read_config(s) < 0) {
		tell_errors(v, "config", before, EXIT_INPUT);
		return;
	}
	if (!s->config.file) {
		tell(v, WARNING, "config",
		    "there is no evalgate.yaml; the README shows four lines "
		    "that suffice");
		return;
	}
	tell(v, WELL, "config", s->config.file);
	inputs_say(s);
	for (i = 0; i < s->notices.n; i++)
		tell(v, WARNING, "config", s->notices.items[i]);
	if (!s->config.questions.n && !s->options.questions.n)
		return;
	if (session_read_questions(s) < 0)
		tell_errors(v, "questions", before, EXIT_INPUT);
	else
		tell(v, WELL, "questions",
		    arena_printf(s->arena,
			"%zu, of which %zu answerable and %zu tracked",
			s->questions.nitems, s->questions.nanswerable,
			s->config.rules.ntracked));
}

static void
visit_locks(struct visit *v)
{
	struct notes_lock *locks;
	size_t n = notes_locks(v->s->arena, v->s->repo, v->s->now, &locks), i;

	for (i = 0; i < n; i++)
		tell(v, locks[i].age > STALE ? WARNING : WELL, "lock",
		    arena_printf(v->s->arena,
			locks[i].age > STALE
			    ? "'%s' is %lld seconds old; if no git is at "
			      "work there: rm it"
			    : "'%s' is %lld seconds old: somebody writes",
			locks[i].path, (long long)locks[i].age));
}

static void
visit_history(struct visit *v)
{
	struct session *s = v->s;
	size_t before = s->e->nitems, n;
	const struct record *record;
	const char *last = NULL; /* question set */
	struct trail trail;
	struct qset qset;
	size_t recorded = 0, carried = 0, i;
	bool failed;

	if (notes_load(s->arena, s->repo, s->config.suite, &v->notes, s->e) <
		0 ||
	    trail_read(s, &trail) < 0) {
		tell_errors(v, "history", before, EXIT_ENVIRONMENT);
		return;
	}
	n = notes_count(v->notes);
	for (i = 0; i < trail.nlinks; i++) {
		record = trail_record(&trail.links[i]);
		recorded += record != NULL;
		if (record && (!last || strcmp(last, record->qset) != 0)) {
			last = record->qset;
			notes_qset(v->notes, last, &qset, s->e);
		}
		carried += trail.links[i].skipped.ncarried;
	}
	failed = s->e->nitems > before;
	if (failed)
		tell_errors(v, "history", before, EXIT_ENVIRONMENT);
	if (carried)
		tell(v, WARNING, "history", carried_text(s->arena, carried));
	if (n == 0)
		tell(v, WARNING, "history",
		    arena_printf(s->arena,
			"suite '%s' has no records here; `evalgate sync "
			"--fetch` brings them, `evalgate record` begins",
			s->config.suite));
	else if (!failed)
		tell(v, recorded ? WELL : WARNING, "history",
		    arena_printf(s->arena,
			"suite '%s': %zu notes, %zu of the commits on the "
			"way back from HEAD have a record%s",
			s->config.suite, n, recorded,
			recorded ? ""
				 : "; was the branch rewritten? see "
				   "`record --start`"));
	visit_locks(v);
}

/* What the user's own `git fetch` would do to records. */
static void
visit_refspecs(struct visit *v)
{
	struct session *s = v->s;
	struct refspec *found;
	size_t i, n;

	n = history_overwriting(s->arena, s->repo, s->config.suite, &found);
	for (i = 0; i < n; i++)
		tell(v, WARNING, "refspec",
		    arena_printf(s->arena,
			"'%s' makes each `git fetch %s` overwrite records "
			"that are not there yet, and `evalgate sync` needs no "
			"refspec: git config --fixed-value --unset-all "
			"remote.%s.fetch '%s'",
			found[i].text, found[i].remote, found[i].remote,
			found[i].text));
}

static void
visit_remote(struct visit *v)
{
	struct session *s = v->s;
	const char *remote = session_remote_shown(s);
	size_t before = s->e->nitems;
	const char *const *names;
	struct sync_probe probe;

	if (history_probe(s->arena, s->repo, session_remote(s), &probe, s->e) <
	    0) {
		/* No remote is no fault of a repository that has none. */
		if (s->options.remote || s->config.remote ||
		    history_remotes(s->arena, s->repo, &names)) {
			tell_errors(v, "remote", before, EXIT_ENVIRONMENT);
			return;
		}
		tell(v, WARNING, "remote", s->e->items[before].text);
		s->e->nitems = before;
		return;
	}
	if (!probe.reached) {
		tell(v, ILL, "remote",
		    arena_printf(s->arena, "'%s' can't be reached: %s", remote,
			probe.why));
		v->status =
		    v->status == EXIT_INPUT ? v->status : EXIT_ENVIRONMENT;
		return;
	}
	tell(v, WELL, "remote",
	    arena_printf(s->arena, "'%s' has a history of %zu suite%s", remote,
		probe.nsuites, probe.nsuites == 1 ? "" : "s"));
	tell(v, probe.may_push ? WELL : WARNING, "push",
	    probe.may_push ? "a dry run was let in"
			   : arena_printf(s->arena, "a dry run was refused: %s",
				 probe.push_why));
}

static int
run(struct session *s)
{
	struct visit v = {.s = s, .status = EXIT_PASS};

	if (!visit_repository(&v))
		return v.status;
	visit_config(&v);
	if (v.status == EXIT_PASS) {
		visit_history(&v);
		visit_refspecs(&v);
		visit_remote(&v);
	}
	return v.status;
}

const struct command command_doctor = {
    .name = "doctor",
    .bit = COMMAND_DOCTOR,
    .synopsis = "doctor [OPTION]...",
    .summary = "is everything there that a verdict needs? and the mends",
    .help = "Looks at the repository, its depth and ownership, the config, "
	    "the history, locks, the\nremote and the right to push (a dry "
	    "run), and says the mend for each.  Changes nothing.\n",
    .run = run,
};
