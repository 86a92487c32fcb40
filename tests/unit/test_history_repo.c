/* Repositories of every kind: opened, or refused with reason and mend. */
#include <sys/stat.h>

#include "test_history.h"

/* Opens a directory of the place; -1 after an error. */
static int
try_open(struct place *p, const char *name, const struct repo_options *options)
{
	repo_close(p->repo);
	p->repo = NULL;
	return repo_open(p->arena,
	    arena_printf(p->arena, "%s/%s", p->dir, name), options, &p->repo,
	    &p->e);
}

static void
assert_opens(struct place *p, const char *name)
{
	struct commit commit;
	const char *id;

	place_open(p, name);
	assert_int_equal(repo_resolve(p->repo, "HEAD", &id, &p->e), 0);
	assert_int_equal(
	    repo_commit(p->repo, id, &commit, &p->e), COMMIT_FOUND);
	assert_string_equal(commit.subject, "change 2");
}

static void
assert_refused(struct place *p, const char *name, const char *says)
{
	assert_int_equal(try_open(p, name, NULL), -1);
	assert_says(&p->e, ERROR_ENVIRONMENT, says);
}

/* ------------------------------------------------------------- opening -- */

static void
a_repository_is_found_from_below(void **state)
{
	struct place *p = *state;

	commits(p, 2);
	shell(p, "mkdir -p r/a/b");
	assert_opens(p, "r/a/b");
	assert_string_equal(repo_root(p->repo),
	    output(p, "git -C r rev-parse --show-toplevel"));
	assert_false(repo_shallow(p->repo));
	assert_refused(p, ".", "not in a git repository");
	assert_refused(p, "missing", "not in a git repository");
}

static void
extensions_that_change_nothing_are_allowed(void **state)
{
	struct place *p = *state;

	commits(p, 2);
	shell(p, "git config -f r/.git/config core.repositoryformatversion 1");
	shell(p, "git config -f r/.git/config extensions.worktreeConfig true");
	assert_opens(p, "r");
	shell(p, "git config -f r/.git/config extensions.objectFormat sha1");
	assert_opens(p, "r");
	shell(p, "git config -f r/.git/config extensions.refStorage files");
	shell(p, "git config -f r/.git/config extensions.preciousObjects true");
	shell(p, "git config -f r/.git/config extensions.partialClone origin");
	assert_opens(p, "r");
	shell(p, "git config -f r/.git/config extensions.quantum true");
	assert_refused(p, "r", "quantum");
}

static void
relative_worktrees_are_allowed(void **state)
{
	struct place *p = *state;

	commits(p, 2);
	shell(p,
	    "git -C r worktree add -q --detach ../w; "
	    "echo 'gitdir: ../r/.git/worktrees/w' >w/.git; "
	    "echo ../../../../w/.git >r/.git/worktrees/w/gitdir; "
	    "git config -f r/.git/config core.repositoryformatversion 1; "
	    "git config -f r/.git/config extensions.relativeWorktrees true");
	assert_opens(p, "w");
	assert_string_equal(repo_root(p->repo), output(p, "cd w; pwd -P"));
}

static void
what_libgit2_cannot_read_is_named(void **state)
{
	struct place *p = *state;

	shell(p, "git init -q --object-format=sha256 h");
	assert_refused(p, "h", "sha256");
	shell(p, "git config -f r/.git/config core.repositoryformatversion 1");
	shell(p, "git config -f r/.git/config extensions.refStorage reftable");
	assert_refused(p, "r", "git refs migrate --ref-format=files");
	shell(p, "git config -f r/.git/config --unset extensions.refStorage");
	shell(p, "git config -f r/.git/config core.repositoryformatversion 99");
	assert_refused(p, "r", "format version 99");
}

static void
the_environments_repository_comes_first(void **state)
{
	struct place *p = *state;
	struct repo_options options = {0};

	commits(p, 2);
	options.git_dir = arena_printf(p->arena, "%s/r/.git", p->dir);
	assert_int_equal(try_open(p, ".", &options), 0);
	assert_string_equal(repo_root(p->repo), output(p, "cd r; pwd -P"));
	shell(p, "mkdir w");
	options.work_tree = arena_printf(p->arena, "%s/w", p->dir);
	assert_int_equal(try_open(p, ".", &options), 0);
	assert_string_equal(repo_root(p->repo), output(p, "cd w; pwd -P"));
	options.git_dir = arena_printf(p->arena, "%s/nothing", p->dir);
	assert_int_equal(try_open(p, ".", &options), -1);
	assert_says(&p->e, ERROR_ENVIRONMENT, "nothing");
}

/* --------------------------------------------------------------- owner -- */

static void
config_safe(struct place *p, const char *lines)
{
	shell(p, "printf '[safe]\n%s' >.gitconfig", lines);
}

/* Whatever git takes for trust is trust, and nothing else. */
static void
a_foreign_owner_is_trusted_where_git_trusts(void **state)
{
	static const char *const lines[] = {"directory = /elsewhere\\n",
	    "directory = /elsewhere/*\\n", "directory = *\\n",
	    "directory = *\\n directory =\\n",
	    "directory =\\n directory = *\\n", "directory = ~/r\\n",
	    "directory = ~/r/\\n", "directory = ~/r/.git\\n",
	    "directory = ~/r/*\\n", "directory = ~/*\\n",
	    /* libgit2 1.5 does not survive it. */
	    "directory\\n", "directory = *\\n directory\\n"};
	struct repo_options trust = {.trust_owner = true};
	struct place *p = *state;
	size_t i;

	if (getuid() != 0)
		skip();
	commits(p, 2);
	shell(p,
	    "chown -R 12345:12345 r; git config -f r/.git/config safe.directory '*'");
	setenv("GIT_CONFIG_GLOBAL",
	    arena_printf(p->arena, "%s/.gitconfig", p->dir), 1);
	assert_refused(p, "r", "git config --global --add safe.directory ");
	assert_int_equal(try_open(p, "r", &trust), 0);
	/* Trust once given does not last. */
	assert_refused(p, "r", "another user");
	for (i = 0; i < COUNT(lines); i++) {
		config_safe(p, lines[i]);
		if (*output(p, "git -C r rev-parse HEAD 2>&-; :"))
			assert_int_equal(try_open(p, "r", NULL), 0);
		else
			assert_refused(p, "r", "another user");
	}
	/* The mend works. */
	shell(p, "rm .gitconfig");
	assert_int_equal(try_open(p, "r", NULL), -1);
	shell(p, "%s", strstr(p->e.items[0].text, "git config"));
	p->e.nitems = 0;
	assert_int_equal(try_open(p, "r", NULL), 0);
	setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
}

/* ------------------------------------------------------------- commits -- */

static void
commits_are_read_as_they_lie(void **state)
{
	struct place *p = *state;
	struct commit c;
	enum commit_state state_of;

	commits(p, 2);
	shell(p,
	    "cd r; git checkout -q -b side HEAD~1; echo >g; git add g; "
	    "git commit -q -m side; git checkout -q main; "
	    "GIT_COMMITTER_NAME='a> 5' "
	    "git -c i18n.commitEncoding=latin1 merge -q --no-ff "
	    "-m \"$(printf 'caf\\351 \\302\\251')\" "
	    "-m 'parent x' side 2>/dev/null");
	place_open(p, "r");
	state_of = repo_commit(p->repo, commit_id(p, "HEAD"), &c, &p->e);
	assert_int_equal(state_of, COMMIT_FOUND);
	assert_int_equal(c.nparents, 2);
	assert_string_equal(c.parents[0], commit_id(p, "HEAD^1"));
	assert_string_equal(c.parents[1], commit_id(p, "HEAD^2"));
	assert_string_equal(
	    c.tree, output(p, "git -C r rev-parse 'HEAD^{tree}'"));
	assert_int_equal(c.time, 1767323045);
	assert_string_equal(c.subject, "caf\xef\xbf\xbd \xc2\xa9");
	assert_int_equal(
	    repo_commit(p->repo, c.tree, &c, &p->e), COMMIT_BROKEN);
	assert_int_equal(
	    repo_commit(
		p->repo, "1234567890123456789012345678901234567890", &c, &p->e),
	    COMMIT_MISSING);
	assert_int_equal(
	    repo_commit(p->repo, "HEAD", &c, &p->e), COMMIT_BROKEN);
}

static void
revisions_are_resolved(void **state)
{
	struct place *p = *state;
	const char *id;

	place_open(p, "r");
	assert_string_equal(repo_branch(p->repo), "main");
	assert_int_equal(repo_resolve(p->repo, "HEAD", &id, &p->e), -1);
	assert_says(&p->e, ERROR_ENVIRONMENT, "there is no commit yet");
	commits(p, 3);
	shell(p, "git -C r tag -a -m t v1 HEAD~1");
	assert_int_equal(repo_resolve(p->repo, "v1", &id, &p->e), 0);
	assert_string_equal(id, commit_id(p, "HEAD~1"));
	assert_int_equal(repo_resolve(p->repo, "HEAD~2", &id, &p->e), 0);
	assert_string_equal(id, commit_id(p, "HEAD~2"));
	assert_int_equal(repo_resolve(p->repo, "HEAD~3", &id, &p->e), -1);
	assert_says(&p->e, ERROR_INPUT, "'HEAD~3'");
	assert_int_equal(repo_resolve(p->repo, "HEAD:f", &id, &p->e), -1);
	shell(p, "git clone -q --depth 1 \"file://$PWD/r\" s");
	place_open(p, "s");
	assert_int_equal(repo_resolve(p->repo, "HEAD~1", &id, &p->e), -1);
	assert_says(&p->e, ERROR_NO_VERDICT, "shallow");
}

static void
kinship_is_told(void **state)
{
	struct place *p = *state;
	const char *head, *side;

	commits(p, 3);
	shell(p,
	    "cd r; git checkout -q -b side HEAD~1; echo >g; git add g; "
	    "git commit -q -m side");
	place_open(p, "r");
	head = commit_id(p, "main");
	side = commit_id(p, "side");
	assert_string_equal(
	    repo_merge_base(p->repo, head, side), commit_id(p, "main~1"));
	assert_true(repo_descends(p->repo, head, head));
	assert_true(repo_descends(p->repo, head, commit_id(p, "main~2")));
	assert_false(repo_descends(p->repo, head, side));
	assert_false(repo_descends(
	    p->repo, "1234567890123456789012345678901234567890", head));
	assert_string_equal(repo_branch(p->repo), "side");
	shell(p,
	    "git clone -q --no-single-branch --depth 2 "
	    "\"file://$PWD/r\" s");
	place_open(p, "s");
	assert_string_equal(
	    repo_merge_base(p->repo, head, side), commit_id(p, "main~1"));
	assert_true(repo_descends(p->repo, side, commit_id(p, "main~2")));
	assert_false(repo_descends(p->repo, side, head));
	place_open(p, "r");
	shell(p, "git -C r checkout -q --detach");
	assert_null(repo_branch(p->repo));
}

/* --------------------------------------------------------------- dirty -- */

static bool
dirty_but_for(struct place *p, const char *except)
{
	const char *list[] = {except};
	bool dirty = false;

	assert_int_equal(
	    repo_dirty(p->repo, list, except ? 1 : 0, &dirty, &p->e), 0);
	return dirty;
}

static void
changed_tracked_files_are_dirt(void **state)
{
	struct place *p = *state;
	const char *file = arena_printf(p->arena, "%s/r/f", p->dir);

	commits(p, 2);
	shell(p, "echo >r/untracked");
	place_open(p, "r");
	assert_false(dirty_but_for(p, NULL));
	shell(p, "echo changed >r/f");
	assert_true(dirty_but_for(p, NULL));
	assert_false(dirty_but_for(p, file));
	shell(p, "git -C r add f");
	assert_true(dirty_but_for(p, NULL));
	assert_false(dirty_but_for(p, file));
	shell(p, "git -C r reset -q --hard; rm r/f");
	assert_true(dirty_but_for(p, NULL));
	shell(p, "git -C r reset -q --hard; cd r; echo >n; git add n");
	assert_true(dirty_but_for(p, file));
	shell(p, "git clone -q --bare r b");
	place_open(p, "b");
	assert_false(dirty_but_for(p, NULL));
}

static void
git_is_asked_where_libgit2_cannot_tell(void **state)
{
	struct place *p = *state;

	commits(p, 2);
	shell(p, "git -C r update-index --split-index");
	place_open(p, "r");
	assert_false(dirty_but_for(p, NULL));
	shell(p, "echo changed >r/f");
	assert_true(dirty_but_for(p, NULL));
	assert_false(
	    dirty_but_for(p, arena_printf(p->arena, "%s/r/f", p->dir)));
	/* What a filter smudged is not dirt. */
	shell(p,
	    "cd r; git update-index --no-split-index; "
	    "git config filter.up.clean 'tr A-Z a-z'; "
	    "git config filter.up.smudge 'tr a-z A-Z'; "
	    "echo 'f filter=up' >.gitattributes; echo abc >f; "
	    "git add -A; git commit -q -m lfs; rm f; git checkout -q f; "
	    "grep -q ABC f; touch -d '1 hour' f");
	place_open(p, "r");
	assert_false(dirty_but_for(p, NULL));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    place_test(a_repository_is_found_from_below),
	    place_test(extensions_that_change_nothing_are_allowed),
	    place_test(relative_worktrees_are_allowed),
	    place_test(what_libgit2_cannot_read_is_named),
	    place_test(the_environments_repository_comes_first),
	    place_test(a_foreign_owner_is_trusted_where_git_trusts),
	    place_test(commits_are_read_as_they_lie),
	    place_test(revisions_are_resolved),
	    place_test(kinship_is_told),
	    place_test(changed_tracked_files_are_dirt),
	    place_test(git_is_asked_where_libgit2_cannot_tell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
