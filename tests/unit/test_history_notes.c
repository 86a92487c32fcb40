/* Notes: stored so that nothing is lost, read whoever wrote them. */
#include <sys/stat.h>

#include "test_history.h"

/* The records of a commit of r, which must be readable. */
static size_t
records_of(struct place *p, const char *revision, struct record **records,
    size_t *nforeign)
{
	struct skipped skipped;
	size_t n;

	if (notes_records(load(p), commit_id(p, revision), NULL, records, &n,
		&skipped, &p->e) < 0) {
		print_errors(&p->e);
		fail_msg("records can't be read");
	}
	*nforeign = skipped.nforeign;
	for (size_t i = 0; i < n; i++)
		record_ranks(p->arena, &(*records)[i]);
	return n;
}

/* ------------------------------------------------------------- storing -- */

static void
a_record_is_a_git_note(void **state)
{
	struct place *p = *state;
	struct record r, *records;
	struct qset qset;
	size_t nforeign;
	struct notes *notes;
	struct buf line;

	commits(p, 2);
	place_open(p, "r");
	r = some_record(p, "HEAD", 0, 5);
	assert_int_equal(store(p, &r), STORE_ADDED);
	assert_int_equal(records_of(p, "HEAD", &records, &nforeign), 1);
	assert_int_equal(nforeign, 0);
	assert_int_equal(records[0].ranks[0], 5);
	buf_init(&line);
	record_write(&line, &records[0]);
	line.data[line.len - 1] = '\0'; /* output drops the LF, too */
	assert_string_equal(
	    output(p, "git -C r notes --ref=evalgate/default show HEAD"),
	    line.data);
	buf_free(&line);
	assert_string_equal(
	    output(p, "git -C r log -1 --format='%%s|%%an <%%ae>|%%ct' " REF),
	    arena_printf(p->arena,
		"evalgate: record %.7s|evalgate "
		"<evalgate@localhost>|1767323045",
		r.commit));
	notes = load(p);
	assert_int_equal(notes_count(notes), 1);
	assert_string_equal(notes_commit(notes, 0), r.commit);
	assert_true(notes_has(notes, r.commit));
	assert_false(notes_has(notes, commit_id(p, "HEAD^")));
	assert_int_equal(notes_qset(notes, r.qset, &qset, &p->e), 0);
	assert_string_equal(qset.id, r.qset);
	/* The question set annotates itself. */
	assert_string_equal(
	    output(p, "git -C r notes --ref=evalgate/default list %s", r.qset),
	    r.qset);
	assert_sound(p);
}

static void
the_same_again_changes_nothing(void **state)
{
	struct place *p = *state;
	struct record r;
	const char *before;

	commits(p, 1);
	place_open(p, "r");
	r = some_record(p, "HEAD", 0, 5);
	assert_int_equal(store(p, &r), STORE_ADDED);
	before = tip(p);
	assert_int_equal(store(p, &r), STORE_UNCHANGED);
	r.at = "2026-02-02T00:00:00Z";
	r.run = "99";
	r.attempt = 3;
	assert_int_equal(store(p, &r), STORE_UNCHANGED);
	assert_string_equal(tip(p), before);
	r.tool = "evalgate 0.2.0";
	assert_int_equal(store(p, &r), STORE_ADDED);
	assert_string_not_equal(tip(p), before);
}

static void
runs_of_a_commit_are_newest_first(void **state)
{
	struct place *p = *state;
	struct record r, *records;
	size_t nforeign;

	commits(p, 1);
	place_open(p, "r");
	r = some_record(p, "HEAD", 20, 1);
	assert_int_equal(store(p, &r), STORE_ADDED);
	r = some_record(p, "HEAD", 30, 2);
	r.attempt = 2;
	assert_int_equal(store(p, &r), STORE_ADDED);
	r = some_record(p, "HEAD", 30, 3);
	r.attempt = 10;
	assert_int_equal(store(p, &r), STORE_ADDED);
	assert_int_equal(records_of(p, "HEAD", &records, &nforeign), 3);
	assert_int_equal(records[0].ranks[0], 3);
	assert_int_equal(records[1].ranks[0], 2);
	assert_int_equal(records[2].ranks[0], 1);
	assert_sound(p);
}

static void
suites_have_histories_of_their_own(void **state)
{
	struct place *p = *state;
	struct notes *notes;
	struct record r;

	commits(p, 1);
	place_open(p, "r");
	r = some_record(p, "HEAD", 0, 1);
	r.suite = "cpu-north";
	assert_int_equal(store(p, &r), STORE_ADDED);
	assert_int_equal(notes_count(load(p)), 0);
	assert_int_equal(
	    notes_load(p->arena, p->repo, "cpu-north", &notes, &p->e), 0);
	assert_int_equal(notes_count(notes), 1);
	assert_int_equal(
	    notes_load(p->arena, p->repo, "../x", &notes, &p->e), -1);
	assert_says(&p->e, ERROR_INPUT, "'../x' is no name of a suite");
}

static void
names_of_suites_are_plain(void **state)
{
	static const char *const good[] = {
	    "a", "0", "default", "cpu-north", "a.b_c-d", "lock"};
	static const char *const bad[] = {"", ".", "-a", "_a", "A", "a/b",
	    "a..b", "a.", "a.lock", "\xc3\xa4", "a b", "a\n",
	    "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffggggg"};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(good); i++)
		assert_true(suite_name_valid(good[i]));
	for (i = 0; i < COUNT(bad); i++)
		assert_false(suite_name_valid(bad[i]));
}

/* --------------------------------------------------------- concurrency -- */

#define WRITERS 8
#define EACH 25

static void
write_many(struct place *p, struct record r, int writer)
{
	int i;

	p->repo = NULL; /* the parent's; ours is opened anew */
	place_open(p, "r");
	for (i = 0; i < EACH; i++) {
		r.run = arena_printf(p->arena, "%d.%d", writer, i);
		r.tool = r.run; /* what makes it another record */
		if (store(p, &r) != STORE_ADDED) {
			print_errors(&p->e);
			_exit(1);
		}
	}
	_exit(0);
}

static void
no_writer_loses_a_record(void **state)
{
	struct place *p = *state;
	struct record r[4], *records;
	size_t nforeign, n = 0;
	int i, status, bad = 0;
	const char *revision;

	commits(p, 4);
	for (i = 0; i < 4; i++) {
		revision = arena_printf(p->arena, "HEAD~%d", i);
		r[i] = some_record(p, revision, 0, 1);
	}
	/* Pairs of writers share a commit; the first write is raced, too. */
	for (i = 0; i < WRITERS; i++)
		if (fork() == 0)
			write_many(p, r[i % 4], i);
	for (i = 0; i < WRITERS; i++)
		bad += wait(&status) < 0 || status != 0;
	assert_int_equal(bad, 0);
	place_open(p, "r");
	for (i = 0; i < 4; i++) {
		revision = arena_printf(p->arena, "HEAD~%d", i);
		n += records_of(p, revision, &records, &nforeign);
	}
	assert_int_equal(n, WRITERS * EACH);
	assert_string_equal(output(p, "git -C r rev-list --count " REF), "200");
	assert_sound(p);
}

static void
packing_refs_and_objects_loses_nothing(void **state)
{
	struct place *p = *state;
	struct record r, *records;
	size_t nforeign;
	int i, status;

	commits(p, 1);
	r = some_record(p, "HEAD", 0, 1);
	shell(p,
	    "(while test ! -e stop; do git -C r pack-refs --all --prune; "
	    "git -C r repack -q -d; done; touch stopped) & :");
	for (i = 0; i < 2; i++)
		if (fork() == 0)
			write_many(p, r, i);
	for (i = 0; i < 2; i++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	/* What looks at a repository while it is packed may find it unsound. */
	shell(p, "touch stop; while test ! -e stopped; do sleep 0.1; done");
	place_open(p, "r");
	assert_int_equal(records_of(p, "HEAD", &records, &nforeign), 2 * EACH);
	assert_sound(p);
}

/* ------------------------------------------------------ other writers -- */

static void
git_may_flatten_the_tree(void **state)
{
	struct place *p = *state;
	struct record r, *records;
	const char *before;
	size_t nforeign;

	commits(p, 2);
	place_open(p, "r");
	r = some_record(p, "HEAD", 0, 1);
	assert_int_equal(store(p, &r), STORE_ADDED);
	shell(p, "git -C r notes --ref=evalgate/default add -m hello HEAD^");
	assert_string_equal(
	    output(p, "git -C r ls-tree " REF " | grep -c tree"), "0");
	before = tip(p);
	assert_int_equal(store(p, &r), STORE_UNCHANGED);
	assert_string_equal(tip(p), before);
	r = some_record(p, "HEAD", 9, 2);
	assert_int_equal(store(p, &r), STORE_ADDED);
	assert_int_equal(records_of(p, "HEAD", &records, &nforeign), 2);
	assert_int_equal(notes_count(load(p)), 2);
	/* Ours has moved into its directory and stands nowhere else. */
	assert_string_equal(
	    output(p,
		"git -C r ls-tree -r --name-only " REF " | tr -d / | "
		"grep -c %s",
		r.commit),
	    "1");
	assert_string_equal(
	    output(p, "git -C r notes --ref=evalgate/default show HEAD^"),
	    "hello");
	assert_int_equal(records_of(p, "HEAD^", &records, &nforeign), 0);
	assert_int_equal(nforeign, 1);
	assert_sound(p);
}

/*
 * Makes the tree of the ref by hand: lines of "path TAB text" in a file
 * `tree`, each text a blob.
 */
static void
make_tree(struct place *p)
{
	shell(p,
	    "cd r; rm -f ../index; export GIT_INDEX_FILE=../index; "
	    "while IFS='	' read -r path text; do "
	    "b=$(printf '%%b' \"$text\" | git hash-object -w --stdin); "
	    "git update-index --add --cacheinfo 100644,$b,\"$path\"; "
	    "done <../tree; "
	    "git update-ref " REF " $(git commit-tree -m t $(git write-tree))");
}

static void
every_fanout_is_read(void **state)
{
	struct place *p = *state;
	const char *id[4];
	struct record *records;
	struct record r;
	const char *revision;
	size_t nforeign;
	int i;

	commits(p, 4);
	for (i = 0; i < 4; i++) {
		revision = arena_printf(p->arena, "HEAD~%d", i);
		id[i] = commit_id(p, revision);
	}
	/* The same key at three depths: its lines are one set. */
	shell(p,
	    "exec >tree; printf '%%s\\tzero\\\\n\\n' %s; "
	    "printf '%%.2s/%%s\\tone\\\\n\\n' %s %s; "
	    "printf '%%.2s/%%.2s/%%s\\ttwo\\\\n\\n' %s %s %s; "
	    "printf '%%s\\tflat\\\\ntwo\\\\n\\n' %s; "
	    "printf '%%.2s/%%s\\tfan\\\\n\\n' %s %s; "
	    "printf '%%.2s/%%.2s/%%s\\ttwo\\\\n\\n' %s %s %s; "
	    "printf 'README\\tread me\\n'; "
	    "printf 'ab/notes.txt\\tmine\\n'",
	    id[0], id[1], id[1] + 2, id[2], id[2] + 2, id[2] + 4, id[3], id[3],
	    id[3] + 2, id[3], id[3] + 2, id[3] + 4);
	make_tree(p);
	place_open(p, "r");
	assert_int_equal(notes_count(load(p)), 4);
	for (i = 0; i < 4; i++) {
		revision = arena_printf(p->arena, "HEAD~%d", i);
		assert_int_equal(
		    records_of(p, revision, &records, &nforeign), 0);
		assert_int_equal(nforeign, i < 3 ? 1 : 3);
	}
	r = some_record(p, "HEAD~3", 0, 1);
	assert_int_equal(store(p, &r), STORE_ADDED);
	assert_int_equal(records_of(p, "HEAD~3", &records, &nforeign), 1);
	assert_int_equal(nforeign, 3);
	assert_string_equal(
	    output(p,
		"git -C r ls-tree -r --name-only " REF " | tr -d / | "
		"grep -c %s",
		id[3]),
	    "1");
	assert_string_equal(
	    output(p, "git -C r cat-file blob " REF ":README"), "read me");
	assert_string_equal(
	    output(p, "git -C r cat-file blob " REF ":ab/notes.txt"), "mine");
	r = some_record(p, "HEAD~2", 0, 1);
	assert_int_equal(store(p, &r), STORE_ADDED);
	assert_int_equal(records_of(p, "HEAD~2", &records, &nforeign), 1);
	assert_int_equal(nforeign, 1);
	assert_int_equal(notes_count(load(p)), 4);
	assert_sound(p);
}

static void
a_file_in_the_place_of_our_directory_is_kept(void **state)
{
	struct place *p = *state;
	struct record r, *records;
	size_t nforeign;

	commits(p, 1);
	r = some_record(p, "HEAD", 0, 1);
	shell(p, "printf '%%.2s\\tmine\\n' %s >tree", r.commit);
	make_tree(p);
	place_open(p, "r");
	assert_int_equal(store(p, &r), STORE_ADDED);
	assert_int_equal(records_of(p, "HEAD", &records, &nforeign), 1);
	assert_string_equal(
	    output(p, "git -C r cat-file blob " REF ":%.2s", r.commit), "mine");
	assert_sound(p);
}

static void
foreign_lines_are_kept_byte_for_byte(void **state)
{
	static const char later[] = "{\"evalgate\":2,\"what\": \"the future\"}";
	struct place *p = *state;
	struct record r, *records;
	size_t nforeign;

	commits(p, 1);
	r = some_record(p, "HEAD", 0, 1);
	shell(p,
	    "printf '%%s\\nsome \\377\\000words\\r\\n\\n' '%s' >note; "
	    "git -C r notes --ref=evalgate/default add -C "
	    "$(git -C r hash-object -w ../note) HEAD",
	    later);
	place_open(p, "r");
	assert_int_equal(records_of(p, "HEAD", &records, &nforeign), 0);
	assert_int_equal(nforeign, 2);
	assert_int_equal(store(p, &r), STORE_ADDED);
	assert_int_equal(records_of(p, "HEAD", &records, &nforeign), 1);
	assert_int_equal(nforeign, 2);
	shell(p,
	    "git -C r cat-file blob $(git -C r notes "
	    "--ref=evalgate/default list HEAD) >after; "
	    "grep -v '^$' note | cat - after | LC_ALL=C sort -u -o all; "
	    "cmp all after");
}

static void
the_union_merge_of_git_is_ours(void **state)
{
	struct place *p = *state;
	struct record r, *records;
	size_t nforeign;

	commits(p, 2);
	place_open(p, "r");
	r = some_record(p, "HEAD", 0, 1);
	assert_int_equal(store(p, &r), STORE_ADDED);
	shell(p, "git -C r update-ref refs/notes/other " REF);
	r = some_record(p, "HEAD", 1, 2);
	assert_int_equal(store(p, &r), STORE_ADDED);
	shell(p,
	    "git -C r update-ref refs/notes/mine " REF
	    "; git -C r update-ref " REF " refs/notes/other");
	r = some_record(p, "HEAD", 2, 3);
	assert_int_equal(store(p, &r), STORE_ADDED);
	r = some_record(p, "HEAD^", 2, 3);
	assert_int_equal(store(p, &r), STORE_ADDED);
	shell(p,
	    "git -C r notes --ref=evalgate/default merge -q "
	    "-s cat_sort_uniq refs/notes/mine");
	assert_int_equal(records_of(p, "HEAD", &records, &nforeign), 3);
	assert_int_equal(nforeign, 0);
	assert_int_equal(records_of(p, "HEAD^", &records, &nforeign), 1);
	shell(p, "git -C r gc -q --prune=now");
	place_open(p, "r");
	assert_int_equal(notes_count(load(p)), 2);
	assert_sound(p);
}

/* -------------------------------------------------------------- damage -- */

/* Loading and storing must fail, say so, and leave the ref alone. */
static void
assert_refused(struct place *p, const char *says)
{
	const char *before = output(p, "cat r/.git/" REF);
	struct record r = some_record(p, "HEAD", 0, 1);
	struct notes *notes;

	place_open(p, "r");
	assert_int_equal(
	    notes_load(p->arena, p->repo, "default", &notes, &p->e), -1);
	assert_says(&p->e, ERROR_ENVIRONMENT, says);
	assert_int_equal(store(p, &r), STORE_FAILED);
	assert_says(&p->e, ERROR_ENVIRONMENT, says);
	assert_string_equal(output(p, "cat r/.git/" REF), before);
}

static void
a_damaged_ref_is_left_as_it_is(void **state)
{
	struct place *p = *state;
	static const char says[] = "names no commit";

	commits(p, 1);
	shell(p, "mkdir -p r/.git/refs/notes/evalgate");
	shell(p, "echo 1234567890123456789012345678901234567890 >r/.git/" REF);
	assert_refused(p, says);
	shell(p, "git -C r rev-parse HEAD^{tree} >r/.git/" REF);
	assert_refused(p, says);
	shell(p, "git -C r rev-parse HEAD:f >r/.git/" REF);
	assert_refused(p, says);
	shell(p, "git -C r tag -a -m t t; git -C r rev-parse t >r/.git/" REF);
	assert_refused(p, says);
	shell(p, "echo rubbish >r/.git/" REF);
	assert_refused(p, REF);
}

static void
a_missing_tree_is_told(void **state)
{
	struct place *p = *state;
	struct record r;
	const char *tree;

	commits(p, 1);
	place_open(p, "r");
	r = some_record(p, "HEAD", 0, 1);
	assert_int_equal(store(p, &r), STORE_ADDED);
	tree = output(p, "git -C r rev-parse " REF "^{tree}");
	shell(p, "rm -f r/.git/objects/%.2s/%s", tree, tree + 2);
	assert_refused(p, "damaged");
}

static void
a_missing_blob_is_told(void **state)
{
	struct place *p = *state;
	struct record r, *records;
	const char *blob, *before;
	struct skipped skipped;
	struct qset qset;
	size_t n;

	commits(p, 1);
	place_open(p, "r");
	r = some_record(p, "HEAD", 0, 1);
	assert_int_equal(store(p, &r), STORE_ADDED);
	before = tip(p);
	blob = output(p, "git -C r notes --ref=evalgate/default list HEAD");
	shell(p, "rm -f r/.git/objects/%.2s/%s", blob, blob + 2);
	shell(p, "rm -f r/.git/objects/%.2s/%s", r.qset, r.qset + 2);
	place_open(p, "r");
	assert_int_equal(notes_records(load(p), r.commit, NULL, &records, &n,
			     &skipped, &p->e),
	    -1);
	assert_says(&p->e, ERROR_ENVIRONMENT, "`evalgate sync --fetch`");
	assert_int_equal(notes_qset(load(p), r.qset, &qset, &p->e), -1);
	assert_says(&p->e, ERROR_ENVIRONMENT, "`evalgate sync --fetch`");
	r = some_record(p, "HEAD", 0, 2);
	assert_int_equal(store(p, &r), STORE_FAILED);
	assert_string_equal(tip(p), before);
}

/* A record of questions that are none: said with the mend, never read. */
static void
a_question_set_that_is_none_is_told(void **state)
{
	static const char *const objects[][2] = {
	    {"rev-parse HEAD", "is no text but a commit"},
	    {"rev-parse HEAD^{tree}", "is no text but a tree"},
	    {"hash-object -w r/.git/config", "of an unknown format"}};
	struct place *p = *state;
	struct qset qset;
	size_t i;

	commits(p, 1);
	place_open(p, "r");
	for (i = 0; i < COUNT(objects); i++) {
		p->e.nitems = 0;
		assert_int_equal(
		    notes_qset(load(p),
			output(p, "git --git-dir=r/.git %s", objects[i][0]),
			&qset, &p->e),
		    -1);
		assert_says(&p->e, ERROR_ENVIRONMENT, objects[i][1]);
	}
}

static void
a_note_beyond_the_limit_is_not_read(void **state)
{
	struct place *p = *state;
	struct record *records;
	struct skipped skipped;
	size_t n;

	commits(p, 1);
	shell(p,
	    "head -c 34000000 /dev/zero >big; "
	    "git -C r notes --ref=evalgate/default add -C "
	    "$(git -C r hash-object -w ../big) HEAD");
	place_open(p, "r");
	assert_int_equal(notes_records(load(p), commit_id(p, "HEAD"), NULL,
			     &records, &n, &skipped, &p->e),
	    -1);
	assert_says(&p->e, ERROR_ENVIRONMENT, "34000000 bytes");
}

static void
a_ref_in_the_way_is_told(void **state)
{
	struct place *p = *state;
	struct record r;

	commits(p, 1);
	shell(p, "git -C r update-ref refs/notes/evalgate HEAD");
	place_open(p, "r");
	r = some_record(p, "HEAD", 0, 1);
	assert_int_equal(store(p, &r), STORE_FAILED);
	assert_says(&p->e, ERROR_ENVIRONMENT, REF);
	shell(p, "git -C r rev-parse -q --verify refs/notes/evalgate");
}

static void
a_forgotten_lock_is_named(void **state)
{
	struct place *p = *state;
	struct record r;

	commits(p, 1);
	place_open(p, "r");
	r = some_record(p, "HEAD", 0, 1);
	assert_int_equal(store(p, &r), STORE_ADDED);
	shell(p, "touch -d '2 hours ago' r/.git/" REF ".lock");
	r = some_record(p, "HEAD", 0, 2);
	assert_int_equal(store(p, &r), STORE_FAILED);
	assert_says(&p->e, ERROR_ENVIRONMENT, REF ".lock'");
	assert_says(&p->e, ERROR_ENVIRONMENT, " seconds old");
	shell(p, "rm r/.git/" REF ".lock");
	assert_int_equal(store(p, &r), STORE_ADDED);
}

/* As another user, for root may write anywhere. */
static void
what_may_not_be_written_is_told_at_once(void **state)
{
	struct place *p = *state;
	struct record r;
	int status;

	commits(p, 1);
	r = some_record(p, "HEAD", 0, 1);
	shell(p, "chmod 755 . ; chmod -R a+rX,a-w r/.git");
	if (fork() == 0) {
		const struct repo_options options = {.trust_owner = true};

		if (getuid() == 0 && setuid(65534) < 0)
			_exit(9);
		p->repo = NULL;
		if (repo_open(
			p->arena, p->repo_dir, &options, &p->repo, &p->e) < 0 ||
		    store(p, &r) != STORE_FAILED)
			_exit(2);
		print_errors(&p->e);
		_exit(strstr(p->e.items[0].text, "ermission denied") ? 0 : 3);
	}
	assert_true(wait(&status) > 0);
	shell(p, "chmod -R u+w r/.git");
	assert_int_equal(status, 0);
	assert_string_equal(tip(p), "");
	assert_string_equal(
	    output(p, "find r/.git -name '*.lock' -o -name 'tmp_object*'"), "");
}

static void
a_full_disk_is_told_at_once(void **state)
{
	struct place *p = *state;
	struct record r;
	const char *before;

	commits(p, 1);
	shell(p, "mkdir t");
	if (try_shell(p, "mount -t tmpfs -o size=400k,mode=755 none t"))
		skip();
	shell(p, "cp -r r/.git t/.git; git -C t config core.bare true");
	place_open(p, "t/.git");
	r = some_record(p, "HEAD", 0, 1);
	assert_int_equal(store(p, &r), STORE_ADDED);
	before = output(p, "git -C t/.git rev-parse " REF);
	try_shell(p, "cat /dev/zero >t/filler");
	r = some_record(p, "HEAD", 0, 2);
	assert_int_equal(store(p, &r), STORE_FAILED);
	assert_says(&p->e, ERROR_ENVIRONMENT, "No space left");
	assert_string_equal(output(p, "git -C t/.git rev-parse " REF), before);
	assert_string_equal(
	    output(p, "git -C t/.git fsck --no-dangling 2>&1"), "");
	shell(p, "rm t/filler");
	assert_int_equal(store(p, &r), STORE_ADDED);
	repo_close(p->repo);
	p->repo = NULL;
	shell(p, "umount t");
}

/* -------------------------------------------------------- repositories -- */

static void
assert_stores(struct place *p, const char *name)
{
	struct record r, *records;
	size_t nforeign;

	place_open(p, name);
	r = some_record(p, "HEAD", 0, 1);
	assert_int_equal(store(p, &r), STORE_ADDED);
	assert_int_equal(records_of(p, "HEAD", &records, &nforeign), 1);
}

static void
any_kind_of_repository_will_do(void **state)
{
	struct place *p = *state;

	commits(p, 3);
	shell(p, "git -C r worktree add -q ../w HEAD~1");
	assert_stores(p, "w");
	/* The notes are shared with the main work tree. */
	assert_true(strlen(tip(p)) == 40);
	shell(p, "git -C r update-ref -d " REF "; git clone -q --bare r b");
	place_open(p, "b");
	{
		struct record r = some_record(p, "HEAD", 0, 1);

		assert_null(repo_root(p->repo));
		assert_int_equal(store(p, &r), STORE_ADDED);
		assert_int_equal(notes_count(load(p)), 1);
	}
	shell(p, "git -C r checkout -q --detach");
	assert_stores(p, "r");
	assert_sound(p);
}

static void
nobody_need_have_a_name(void **state)
{
	struct place *p = *state;
	struct signature s = {.time = 7};
	struct record r;

	commits(p, 1);
	place_open(p, "r");
	r = some_record(p, "HEAD", 0, 1);
	repo_signature(p->arena, p->repo, &s);
	assert_string_equal(s.name, "evalgate");
	assert_string_equal(s.email, "evalgate@localhost");
	assert_int_equal(s.time, 7);
	s.name = "<>\n";
	s.email = "a>b\n";
	assert_int_equal(
	    notes_store(p->arena, p->repo, &r, some_qset(p), &s, &p->e),
	    STORE_ADDED);
	assert_string_equal(
	    output(p, "git -C r log -1 --format='%%an|%%ae' " REF),
	    "evalgate|ab");
	shell(p,
	    "git -C r config user.name Jo; "
	    "git -C r config user.email jo@x");
	repo_signature(p->arena, p->repo, &s);
	assert_string_equal(s.name, "Jo");
	assert_string_equal(s.email, "jo@x");
	assert_sound(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    place_test(a_record_is_a_git_note),
	    place_test(the_same_again_changes_nothing),
	    place_test(runs_of_a_commit_are_newest_first),
	    place_test(suites_have_histories_of_their_own),
	    cmocka_unit_test(names_of_suites_are_plain),
	    place_test(no_writer_loses_a_record),
	    place_test(packing_refs_and_objects_loses_nothing),
	    place_test(git_may_flatten_the_tree),
	    place_test(every_fanout_is_read),
	    place_test(a_file_in_the_place_of_our_directory_is_kept),
	    place_test(foreign_lines_are_kept_byte_for_byte),
	    place_test(the_union_merge_of_git_is_ours),
	    place_test(a_damaged_ref_is_left_as_it_is),
	    place_test(a_missing_tree_is_told),
	    place_test(a_missing_blob_is_told),
	    place_test(a_question_set_that_is_none_is_told),
	    place_test(a_note_beyond_the_limit_is_not_read),
	    place_test(a_ref_in_the_way_is_told),
	    place_test(a_forgotten_lock_is_named),
	    place_test(what_may_not_be_written_is_told_at_once),
	    place_test(a_full_disk_is_told_at_once),
	    place_test(any_kind_of_repository_will_do),
	    place_test(nobody_need_have_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
