/* The environment and the clock: read here and nowhere else. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli.h"

#define TIMEOUT_MAX 86400 /* seconds: a day */

/* An environment variable that is set and not empty. */
static const char *
env(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

/* What other systems call our events. */
static const struct {
	const char *variable;
	const char *value;
	const char *event;
} events[] = {
    {"GITHUB_EVENT_NAME", "push", "push"},
    {"GITHUB_EVENT_NAME", "pull_request", "pull_request"},
    {"GITHUB_EVENT_NAME", "pull_request_target", "pull_request"},
    {"GITHUB_EVENT_NAME", "merge_group", "merge_group"},
    {"GITHUB_EVENT_NAME", "schedule", "schedule"},
    {"GITHUB_EVENT_NAME", "workflow_dispatch", "manual"},
    {"CI_PIPELINE_SOURCE", "push", "push"},
    {"CI_PIPELINE_SOURCE", "merge_request_event", "pull_request"},
    {"CI_PIPELINE_SOURCE", "schedule", "schedule"},
    {"CI_PIPELINE_SOURCE", "web", "manual"},
    {"CI_PIPELINE_SOURCE", "api", "manual"},
    {"CI_PIPELINE_SOURCE", "trigger", "manual"},
};

static const char *
find_event(void)
{
	const char *value, *event = NULL;
	size_t i;

	for (i = 0; i < COUNT(events); i++) {
		value = env(events[i].variable);
		if (value && strcmp(value, events[i].value) == 0)
			return events[i].event;
		/* An event of no rule of ours, but no pull request. */
		if (value)
			event = "local";
	}
	return event;
}

/* A text deep in the event file: pull_request, base, sha (or NULL). */
static const char *
event_text(const struct value *event, const char *one, const char *two,
    const char *three)
{
	const struct value *v = value_get(value_get(event, one), two);

	if (three)
		v = value_get(v, three);
	return v && v->type == VALUE_STRING && *v->text ? v->text : NULL;
}

/* The full name of the repository that a side of the request is in. */
static const char *
repository_of(const struct value *event, const char *side)
{
	const struct value *v = value_get(
	    value_get(
		value_get(value_get(event, "pull_request"), side), "repo"),
	    "full_name");

	return v && v->type == VALUE_STRING ? v->text : NULL;
}

/* A fork that was deleted since has no repository any more. */
static const char *
fork_of(const struct value *event)
{
	const char *theirs = repository_of(event, "head");
	const char *ours = repository_of(event, "base");

	if (theirs && ours && strcmp(theirs, ours) == 0)
		return NULL;
	return theirs ? "the pull request comes from a fork"
		      : "the pull request may come from a fork: the event "
			"does not say from where";
}

/* What an event file says of a pull request. */
static void
read_request(const struct value *event, struct surroundings *around)
{
	around->base = event_text(event, "pull_request", "base", "sha");
	around->head = event_text(event, "pull_request", "head", "sha");
	around->merge =
	    event_text(event, "pull_request", "merge_commit_sha", NULL);
	if (!around->target)
		around->target =
		    event_text(event, "pull_request", "base", "ref");
	around->fork = fork_of(event);
}

/* Other events that act for a pull request, and for a stranger's perhaps. */
static const char *
stranger_of(const struct value *event)
{
	const char *theirs =
	    event_text(event, "workflow_run", "head_repository", "full_name");
	const char *ours = event_text(event, "repository", "full_name", NULL);

	if (value_get(event, "workflow_run"))
		return theirs && ours && strcmp(theirs, ours) == 0
		    ? NULL
		    : "the workflow that it follows may be of a fork";
	if (value_get(value_get(event, "issue"), "pull_request"))
		return "the pull request may come from a fork: an event of "
		       "its comments does not say from where";
	return NULL;
}

static bool
is_request(const struct surroundings *around)
{
	return around->event && strcmp(around->event, "pull_request") == 0;
}

/* GitHub's event file. */
static void
read_event_file(struct arena *arena, struct surroundings *around)
{
	const char *path = env("GITHUB_EVENT_PATH");
	struct error ignored = {.arena = arena};
	const struct value *event = NULL;
	struct source source;
	struct buf buf;

	if (!path)
		return;
	buf_init(&buf);
	if (file_read(path, &buf, &ignored) == 0) {
		source = (struct source){path, 1, buf.data, buf.len};
		event = json_read(arena, &source, &ignored);
	}
	if (value_get(event, "pull_request"))
		read_request(event, around);
	else if (is_request(around))
		around->fork = "the pull request may come from a fork: its "
			       "event file can't be read";
	else
		around->fork = stranger_of(event);
	buf_free(&buf);
}

/* Where the event is of no file: the ref that was checked out. */
static void
read_github(struct arena *arena, struct surroundings *around)
{
	const char *ref = env("GITHUB_REF"), *sha = env("GITHUB_SHA");
	size_t len = ref ? strlen(ref) : 0;

	around->target = env("GITHUB_BASE_REF");
	read_event_file(arena, around);
	if (!sha || len < 6 || strncmp(ref, "refs/pull/", 10) != 0)
		return;
	if (!around->merge && strcmp(ref + len - 6, "/merge") == 0)
		around->merge = sha;
	if (!around->head && strcmp(ref + len - 5, "/head") == 0)
		around->head = sha;
}

/* A merge request's own head is what is checked out, unless it says merge. */
static void
read_gitlab(struct surroundings *around)
{
	const char *type = env("CI_MERGE_REQUEST_EVENT_TYPE");
	const char *theirs = env("CI_MERGE_REQUEST_SOURCE_PROJECT_ID");
	const char *ours = env("CI_MERGE_REQUEST_PROJECT_ID");
	const char *source = env("CI_PIPELINE_SOURCE");

	/* Pipelines that a merge request's began have its variables, too. */
	if (ours && (!theirs || strcmp(theirs, ours) != 0))
		around->fork = "the merge request comes from a fork";
	theirs = env("CI_EXTERNAL_PULL_REQUEST_SOURCE_REPOSITORY");
	ours = env("CI_EXTERNAL_PULL_REQUEST_TARGET_REPOSITORY");
	if (source && strcmp(source, "external_pull_request_event") == 0 &&
	    (!theirs || !ours || strcmp(theirs, ours) != 0))
		around->fork = "the pull request may come from a fork";
	if (!source || strcmp(source, "merge_request_event") != 0)
		return;
	around->target = env("CI_MERGE_REQUEST_TARGET_BRANCH_NAME");
	around->merge_base = env("CI_MERGE_REQUEST_DIFF_BASE_SHA");
	if (type && strcmp(type, "detached") != 0)
		around->merge = env("CI_COMMIT_SHA");
	else if (type || !env("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA"))
		around->head = env("CI_COMMIT_SHA");
	else
		around->head = env("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA");
}

/* Which reader of runs: all say the same, so only tests have a choice. */
static enum run_reader
find_reader(void)
{
	static const struct {
		const char *name;
		enum run_reader reader;
	} readers[] = {{"slow", READER_SLOW}, {"scalar", READER_SCALAR},
	    {"vector", READER_VECTOR}};
	const char *name = env("EVALGATE_READER");
	size_t i;

	for (i = 0; name && i < COUNT(readers); i++)
		if (strcmp(name, readers[i].name) == 0)
			return readers[i].reader;
	return READER_BEST;
}

void
surroundings_read(struct arena *arena, struct surroundings *around)
{
	const char *attempt = env("GITHUB_RUN_ATTEMPT");
	const char *trust = env("EVALGATE_TRUST_OWNER");
	const char *timeout = env("EVALGATE_TIMEOUT");
	int64_t n = 0;

	*around = (struct surroundings){.event = find_event()};
	read_github(arena, around);
	read_gitlab(around);
	around->run = env("GITHUB_RUN_ID");
	if (!around->run)
		around->run = env("CI_PIPELINE_ID");
	if (attempt && integer_parse(attempt, strlen(attempt), &n) == 0)
		around->attempt = n > 0 ? n : 0;
	around->branch = env("GITHUB_HEAD_REF");
	if (!around->branch)
		around->branch = env("GITHUB_REF_NAME");
	if (!around->branch)
		around->branch = env("CI_COMMIT_REF_NAME");
	around->repo.git_dir = env("GIT_DIR");
	around->repo.work_tree = env("GIT_WORK_TREE");
	around->repo.trust_owner = trust && strcmp(trust, "1") == 0;
	if (timeout && integer_parse(timeout, strlen(timeout), &n) == 0 &&
	    n > 0 && n <= TIMEOUT_MAX)
		around->repo.timeout = n;
	around->no_color = env("NO_COLOR") != NULL;
	around->annotations = env("GITHUB_ACTIONS") != NULL;
	around->summary = env("GITHUB_STEP_SUMMARY");
	around->outputs = env("GITHUB_OUTPUT");
	around->reader = find_reader();
}

int
now_read(const char *option, int64_t *now, struct error *e)
{
	if (!option) {
		*now = (int64_t)time(NULL);
		return 0;
	}
	if (time_parse(option, now) < 0)
		return fail(e,
		    "--now is '%s'; write YYYY-MM-DDThh:mm:ssZ, in UTC",
		    option);
	return 0;
}
