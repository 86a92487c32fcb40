/* Which records a run is compared with, and how it is said when none is. */
#include "test_history.h"

/* Stores a record of a commit with this verdict. */
static void
put(struct place *p, const char *revision, int minute,
    enum record_verdict verdict)
{
	struct record r = some_record(p, revision, minute, minute + 1);

	r.verdict = verdict;
	assert_int_equal(store(p, &r), STORE_ADDED);
}

static struct baseline
find_with(struct place *p, const char *judged, const char *start,
    struct baseline_policy policy)
{
	struct baseline b;

	if (baseline_find(p->arena, p->repo, load(p), judged, start, 1, &policy,
		&b, &p->e) < 0) {
		print_errors(&p->e);
		fail_msg("no baseline can be sought");
	}
	return b;
}

/* As `check` does for HEAD: from its first parent. */
static struct baseline
find(struct place *p)
{
	struct baseline_policy policy = {.max_distance = 100};

	return find_with(
	    p, commit_id(p, "HEAD"), commit_id(p, "HEAD^1"), policy);
}

static void
assert_reference(struct place *p, const struct reference *r,
    const char *revision, size_t distance)
{
	assert_non_null(r);
	assert_string_equal(r->record->commit, commit_id(p, revision));
	assert_int_equal(r->distance, distance);
}

static bool
noticed(const struct baseline *b, const char *text)
{
	size_t i;

	for (i = 0; i < b->nnotices; i++)
		if (strstr(b->notices[i], text))
			return true;
	return false;
}

/* ------------------------------------------------------------ the chain -- */

static void
the_nearest_ancestor_serves(void **state)
{
	struct place *p = *state;
	struct baseline b;

	commits(p, 6);
	place_open(p, "r");
	put(p, "HEAD~5", 0, RECORD_PASS);
	put(p, "HEAD~3", 1, RECORD_PASS);
	put(p, "HEAD", 2, RECORD_FAIL); /* its own: never */
	b = find(p);
	assert_int_equal(b.outcome, BASELINE_FOUND);
	assert_reference(p, b.before, "HEAD~3", 3);
	assert_ptr_equal(b.good, b.before);
	assert_true(b.good_accepted);
	assert_int_equal(b.nunrecorded, 2);
	assert_string_equal(b.unrecorded[0], commit_id(p, "HEAD~1"));
	assert_string_equal(b.unrecorded[1], commit_id(p, "HEAD~2"));
	assert_string_equal(b.before->subject, "change 3");
	assert_int_equal(b.before->time, 1767323045);
	assert_non_null(b.reason);
	assert_int_equal(b.nnotices, 0);
}

static void
good_is_the_nearest_that_passed(void **state)
{
	struct place *p = *state;
	struct baseline b;
	struct baseline_policy any = {.accept_any = true, .max_distance = 100};

	commits(p, 5);
	place_open(p, "r");
	put(p, "HEAD~4", 0, RECORD_PASS);
	put(p, "HEAD~3", 1, RECORD_PASS);
	put(p, "HEAD~3", 2, RECORD_FAIL); /* it passed once: that counts */
	put(p, "HEAD~2", 3, RECORD_NONE);
	put(p, "HEAD~1", 4, RECORD_FAIL);
	b = find(p);
	assert_reference(p, b.before, "HEAD~1", 1);
	assert_reference(p, b.good, "HEAD~3", 3);
	assert_int_equal(b.good->record->verdict, RECORD_PASS);
	assert_true(b.good_accepted);
	b = find_with(p, commit_id(p, "HEAD"), commit_id(p, "HEAD~1"), any);
	assert_reference(p, b.before, "HEAD~1", 1);
	assert_ptr_equal(b.good, b.before);
}

static void
before_is_the_newest_run_of_its_commit(void **state)
{
	struct place *p = *state;
	struct baseline b;

	commits(p, 2);
	place_open(p, "r");
	put(p, "HEAD~1", 7, RECORD_FAIL);
	put(p, "HEAD~1", 3, RECORD_PASS);
	b = find(p);
	assert_int_equal(b.before->record->ranks[0], 8);
	assert_int_equal(b.good->record->ranks[0], 4);
	assert_true(b.good_accepted);
}

static void
none_with_a_verdict_leaves_the_nearest(void **state)
{
	struct place *p = *state;
	struct baseline b;

	commits(p, 3);
	place_open(p, "r");
	put(p, "HEAD~2", 0, RECORD_NONE);
	put(p, "HEAD~1", 1, RECORD_NONE);
	b = find(p);
	assert_int_equal(b.outcome, BASELINE_FOUND);
	assert_reference(p, b.before, "HEAD~1", 1);
	assert_ptr_equal(b.good, b.before);
	assert_false(b.good_accepted);
	assert_true(noticed(&b, "no record in reach has passed"));
}

static void
none_acceptable_leaves_the_nearest(void **state)
{
	struct place *p = *state;
	struct baseline b;

	commits(p, 3);
	place_open(p, "r");
	put(p, "HEAD~2", 0, RECORD_FAIL);
	put(p, "HEAD~1", 1, RECORD_NONE);
	b = find(p);
	assert_int_equal(b.outcome, BASELINE_FOUND);
	assert_reference(p, b.before, "HEAD~1", 1);
	/* A record that could not tell is no standard. */
	assert_reference(p, b.good, "HEAD~2", 2);
	assert_false(b.good_accepted);
	assert_null(b.good_cut);
	assert_true(noticed(&b, "no record in reach has passed"));
}

static void
only_first_parents_are_followed(void **state)
{
	struct place *p = *state;
	struct baseline b;

	commits(p, 2);
	shell(p,
	    "cd r; git checkout -q -b side; echo x >g; git add g; "
	    "git commit -q -m side; git checkout -q main");
	commits(p, 1);
	shell(p, "cd r; git merge -q --no-ff -m merge side");
	place_open(p, "r");
	put(p, "side", 1, RECORD_PASS);
	put(p, "HEAD~2", 0, RECORD_PASS);
	b = find(p);
	assert_reference(p, b.before, "HEAD~2", 2);
	assert_int_equal(b.nunrecorded, 1);
}

static void
dirty_records_never_serve(void **state)
{
	struct place *p = *state;
	struct baseline b;
	struct record r;

	commits(p, 3);
	place_open(p, "r");
	put(p, "HEAD~2", 0, RECORD_PASS);
	r = some_record(p, "HEAD~1", 1, 1);
	r.dirty = true;
	assert_int_equal(store(p, &r), STORE_ADDED);
	b = find(p);
	assert_reference(p, b.before, "HEAD~2", 2);
	assert_int_equal(b.nunrecorded, 1);
}

static void
records_carried_elsewhere_are_ignored(void **state)
{
	struct place *p = *state;
	struct baseline b;
	struct record r;

	commits(p, 4);
	place_open(p, "r");
	put(p, "HEAD~3", 0, RECORD_PASS);
	put(p, "HEAD~2", 1, RECORD_PASS);
	shell(p, "git -C r notes --ref=evalgate/default copy HEAD~3 HEAD~1");
	shell(p, "git -C r notes --ref=evalgate/default remove HEAD~2");
	r = some_record(p, "HEAD~2", 2, 1);
	r.tree = commit_id(p, "HEAD"); /* no tree of this commit */
	assert_int_equal(store(p, &r), STORE_ADDED);
	b = find(p);
	assert_reference(p, b.before, "HEAD~3", 3);
	assert_true(noticed(&b, "2 records are about another commit or tree"));
}

static void
a_new_start_ends_the_walk(void **state)
{
	struct place *p = *state;
	struct baseline b;
	struct record r;

	commits(p, 4);
	place_open(p, "r");
	put(p, "HEAD~3", 0, RECORD_PASS);
	put(p, "HEAD~2", 1, RECORD_PASS); /* before the start: forgotten */
	r = some_record(p, "HEAD~2", 2, 3);
	r.start = "new index";
	r.verdict = RECORD_FAIL;
	assert_int_equal(store(p, &r), STORE_ADDED);
	put(p, "HEAD~1", 4, RECORD_FAIL);
	b = find(p);
	assert_reference(p, b.before, "HEAD~1", 1);
	assert_reference(p, b.good, "HEAD~2", 2);
	assert_string_equal(b.good->record->start, "new index");
	assert_true(b.good_accepted);
	assert_true(noticed(&b, "new start"));
	/* A later run of the same commit that passed is the better standard. */
	put(p, "HEAD~2", 9, RECORD_PASS);
	b = find(p);
	assert_reference(p, b.good, "HEAD~2", 2);
	assert_null(b.good->record->start);
}

static void
lines_of_others_are_counted(void **state)
{
	struct place *p = *state;
	struct baseline b;

	commits(p, 3);
	place_open(p, "r");
	put(p, "HEAD~2", 0, RECORD_PASS);
	shell(p, "git -C r notes --ref=evalgate/default add -m hello HEAD~1");
	b = find(p);
	assert_reference(p, b.before, "HEAD~2", 2);
	assert_true(noticed(&b, "1 line in the notes is no record"));
}

/* --------------------------------------------------- none in reach, why -- */

static void
the_first_run_is_told_apart(void **state)
{
	struct place *p = *state;
	struct baseline_policy policy = {.max_distance = 100};
	struct baseline b;
	const char *root;

	commits(p, 4);
	place_open(p, "r");
	assert_int_equal(find(p).outcome, BASELINE_FIRST);
	put(p, "HEAD", 0, RECORD_PASS); /* an earlier attempt's */
	assert_int_equal(find(p).outcome, BASELINE_FIRST);
	/* Older results, recorded later: records stand on descendants only. */
	b = find_with(
	    p, commit_id(p, "HEAD~2"), commit_id(p, "HEAD~3"), policy);
	assert_int_equal(b.outcome, BASELINE_FIRST);
	assert_null(b.before);
	assert_null(b.cut);
	root = commit_id(p, "HEAD~3");
	b = find_with(p, root, NULL, policy);
	assert_int_equal(b.outcome, BASELINE_FIRST);
}

static void
lost_by_a_rewrite(struct place *p, enum record_verdict verdict)
{
	struct baseline b;

	commits(p, 3);
	place_open(p, "r");
	put(p, "HEAD", 0, verdict);
	shell(p,
	    "cd r; git checkout -q HEAD~2; echo y >h; git add h; "
	    "git commit -q -m other");
	commits(p, 1);
	b = find(p);
	assert_int_equal(b.outcome, BASELINE_LOST);
	assert_null(b.good);
	assert_int_equal(b.nunrecorded, 0);
}

static void
history_lost_by_a_rewrite_is_told(void **state)
{
	lost_by_a_rewrite(*state, RECORD_PASS);
}

static void
history_without_a_verdict_is_lost_as_well(void **state)
{
	lost_by_a_rewrite(*state, RECORD_NONE);
}

static void
dirty_records_elsewhere_are_no_history(void **state)
{
	struct place *p = *state;
	struct record r;

	commits(p, 3);
	place_open(p, "r");
	r = some_record(p, "HEAD", 0, 1);
	r.dirty = true;
	assert_int_equal(store(p, &r), STORE_ADDED);
	shell(p,
	    "cd r; git checkout -q HEAD~2; echo y >h; git add h; "
	    "git commit -q -m other");
	assert_int_equal(find(p).outcome, BASELINE_FIRST);
}

static void
the_walk_has_a_budget(void **state)
{
	struct place *p = *state;
	struct baseline_policy policy = {.max_distance = 3};
	const char *judged, *start;
	struct baseline b;

	commits(p, 6);
	place_open(p, "r");
	put(p, "HEAD~4", 0, RECORD_PASS);
	judged = commit_id(p, "HEAD");
	start = commit_id(p, "HEAD^");
	b = find_with(p, judged, start, policy);
	assert_int_equal(b.outcome, BASELINE_CUT);
	assert_string_equal(b.cut,
	    "max_distance is 3 commits; raise `baseline: "
	    "{max_distance: ...}`, or record a nearer commit");
	policy.max_distance = 4;
	b = find_with(p, judged, start, policy);
	assert_reference(p, b.before, "HEAD~4", 4);
	/* A record within, the acceptable one beyond. */
	put(p, "HEAD~2", 1, RECORD_FAIL);
	policy.max_distance = 3;
	b = find_with(p, judged, start, policy);
	assert_int_equal(b.outcome, BASELINE_FOUND);
	assert_ptr_equal(b.good, b.before);
	assert_false(b.good_accepted);
	assert_null(b.good_cut);
	assert_true(noticed(&b, "no record in reach has passed"));
}

/* --------------------------------------------------------------- clones -- */

/* A shallow clone `s` of r with its notes. */
static void
clone_shallow(struct place *p, int depth)
{
	shell(p,
	    "rm -rf s; git clone -q --depth %d \"file://$PWD/r\" s; "
	    "git -C s fetch -q origin '+refs/notes/*:refs/notes/*'",
	    depth);
	place_open(p, "s");
	assert_true(repo_shallow(p->repo));
}

static void
depth_one_is_enough(void **state)
{
	struct place *p = *state;
	struct baseline b;
	struct commit commit;

	commits(p, 4);
	place_open(p, "r");
	put(p, "HEAD~2", 0, RECORD_PASS);
	put(p, "HEAD~1", 1, RECORD_FAIL);
	clone_shallow(p, 1);
	assert_int_equal(
	    repo_commit(p->repo, commit_id(p, "HEAD"), &commit, &p->e),
	    COMMIT_SHALLOW);
	assert_int_equal(commit.nparents, 1);
	b = find(p);
	assert_int_equal(b.outcome, BASELINE_FOUND);
	assert_reference(p, b.before, "HEAD~1", 1);
	assert_reference(p, b.good, "HEAD~2", 2);
	assert_null(b.before->subject);
	assert_true(noticed(&b, "known by records alone"));
}

static void
records_name_the_one_before_across_a_gap(void **state)
{
	struct place *p = *state;
	struct baseline b;
	struct record r;

	commits(p, 6);
	place_open(p, "r");
	put(p, "HEAD~4", 0, RECORD_PASS);
	r = some_record(p, "HEAD~1", 1, 1);
	r.verdict = RECORD_FAIL;
	r.prev = commit_id(p, "HEAD~4");
	assert_int_equal(store(p, &r), STORE_ADDED);
	clone_shallow(p, 1);
	b = find(p);
	assert_reference(p, b.before, "HEAD~1", 1);
	assert_string_equal(b.good->record->commit, commit_id(p, "HEAD~4"));
	assert_true(b.good_accepted);
	assert_true(noticed(&b, "distances are at least"));
}

static void
a_clone_too_shallow_is_told(void **state)
{
	struct place *p = *state;
	struct baseline b;

	commits(p, 6);
	place_open(p, "r");
	put(p, "HEAD~5", 0, RECORD_PASS);
	clone_shallow(p, 1);
	b = find(p);
	assert_int_equal(b.outcome, BASELINE_CUT);
	assert_non_null(strstr(b.cut, "shallow"));
	clone_shallow(p, 3);
	assert_int_equal(find(p).outcome, BASELINE_CUT);
	shell(p, "git -C s worktree add -q --detach ../sw");
	place_open(p, "sw");
	assert_true(repo_shallow(p->repo));
	assert_int_equal(find(p).outcome, BASELINE_CUT);
	clone_shallow(p, 5);
	b = find(p);
	assert_int_equal(b.outcome, BASELINE_FOUND);
	assert_reference(p, b.before, "HEAD~5", 5);
}

static void
a_pull_request_at_depth_one(void **state)
{
	struct place *p = *state;
	struct baseline b;

	commits(p, 3);
	shell(p,
	    "cd r; git checkout -q -b pr; echo x >g; git add g; "
	    "git commit -q -m pr; git checkout -q main; "
	    "git checkout -q --detach; git merge -q --no-ff -m m pr; "
	    "git update-ref refs/pull/1/merge HEAD");
	place_open(p, "r");
	put(p, "main", 0, RECORD_PASS);
	shell(p,
	    "git init -q s; cd s; "
	    "git fetch -q --depth 1 \"file://$PWD/../r\" "
	    "refs/pull/1/merge; git checkout -q FETCH_HEAD; "
	    "git fetch -q \"file://$PWD/../r\" "
	    "'+refs/notes/*:refs/notes/*'");
	place_open(p, "s");
	assert_null(repo_branch(p->repo));
	b = find(p);
	assert_int_equal(b.outcome, BASELINE_FOUND);
	assert_reference(p, b.before, "main", 1);
}

static void
a_pull_requests_record_is_no_lost_history(void **state)
{
	struct place *p = *state;
	struct baseline_policy policy = {.max_distance = 100};
	const char *base;
	struct baseline b;

	commits(p, 2);
	base = commit_id(p, "HEAD");
	shell(p,
	    "cd r; git checkout -q -b pr; echo x >g; git add g; "
	    "git commit -q -m pr; git checkout -q --detach main; "
	    "git merge -q --no-ff -m m pr");
	place_open(p, "r");
	put(p, "HEAD", 0, RECORD_PASS);
	/* A clone has the note, and not the pull request's merge commit. */
	shell(p,
	    "git clone -q -b main \"file://$PWD/r\" c; "
	    "git -C c fetch -q origin '+refs/notes/*:refs/notes/*'");
	place_open(p, "c");
	b = find_with(p, NULL, base, policy);
	assert_int_equal(b.outcome, BASELINE_FIRST);
}

static void
records_in_a_circle_end(void **state)
{
	struct place *p = *state;
	struct baseline_policy policy = {.max_distance = INT64_MAX};
	const char *one, *two, *const *parents;
	struct baseline b;
	struct record r;

	commits(p, 2);
	place_open(p, "r");
	one = output(p, "git -C r rev-parse HEAD:f");
	two = output(p, "git -C r rev-parse HEAD^:f");
	shell(p, "git init -q --bare e");
	r = some_record(p, "HEAD", 0, 1);
	r.verdict = RECORD_FAIL;
	place_open(p, "e");
	parents = &two;
	r.commit = one, r.parents = parents, r.nparents = 1, r.prev = two;
	assert_int_equal(store(p, &r), STORE_ADDED);
	parents = &one;
	r.commit = two, r.parents = parents, r.prev = one;
	assert_int_equal(store(p, &r), STORE_ADDED);
	b = find_with(p, NULL, one, policy);
	assert_int_equal(b.outcome, BASELINE_FOUND);
	assert_false(b.good_accepted);
}

/* ----------------------------------------------------------------- walk -- */

static void
the_chain_has_every_commit(void **state)
{
	struct place *p = *state;
	struct chain_link *links;
	const char *cut;
	size_t n;

	commits(p, 5);
	place_open(p, "r");
	put(p, "HEAD~2", 0, RECORD_PASS);
	put(p, "HEAD~2", 1, RECORD_FAIL);
	assert_int_equal(
	    chain_walk(p->arena, p->repo, load(p), commit_id(p, "HEAD"),
		SIZE_MAX, &links, &n, &cut, &p->e),
	    0);
	assert_int_equal(n, 5);
	assert_null(cut);
	assert_int_equal(links[2].nrecords, 2);
	assert_int_equal(links[2].records[0].verdict, RECORD_FAIL);
	assert_int_equal(links[4].commit.nparents, 0);
	assert_true(links[4].known);
	assert_int_equal(chain_walk(p->arena, p->repo, load(p),
			     commit_id(p, "HEAD"), 2, &links, &n, &cut, &p->e),
	    0);
	assert_int_equal(n, 2);
	clone_shallow(p, 2);
	assert_int_equal(
	    chain_walk(p->arena, p->repo, load(p), commit_id(p, "HEAD"),
		SIZE_MAX, &links, &n, &cut, &p->e),
	    0);
	/* Two are here, and the record knows the one beyond. */
	assert_int_equal(n, 3);
	assert_false(links[2].known);
	assert_non_null(cut);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    place_test(the_nearest_ancestor_serves),
	    place_test(good_is_the_nearest_that_passed),
	    place_test(before_is_the_newest_run_of_its_commit),
	    place_test(none_with_a_verdict_leaves_the_nearest),
	    place_test(none_acceptable_leaves_the_nearest),
	    place_test(only_first_parents_are_followed),
	    place_test(dirty_records_never_serve),
	    place_test(records_carried_elsewhere_are_ignored),
	    place_test(a_new_start_ends_the_walk),
	    place_test(lines_of_others_are_counted),
	    place_test(the_first_run_is_told_apart),
	    place_test(history_lost_by_a_rewrite_is_told),
	    place_test(history_without_a_verdict_is_lost_as_well),
	    place_test(dirty_records_elsewhere_are_no_history),
	    place_test(the_walk_has_a_budget),
	    place_test(depth_one_is_enough),
	    place_test(records_name_the_one_before_across_a_gap),
	    place_test(a_clone_too_shallow_is_told),
	    place_test(a_pull_request_at_depth_one),
	    place_test(a_pull_requests_record_is_no_lost_history),
	    place_test(records_in_a_circle_end),
	    place_test(the_chain_has_every_commit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
