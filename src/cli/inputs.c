/*
 * What decides on the results: the paths that `inputs` names, the config and
 * the question files, as paths of the repository.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

/* A file's path from the work tree's root; NULL when it lies outside. */
static const char *
path_in_tree(struct session *s, const char *file)
{
	const char *root = repo_root(s->repo), *slash = strrchr(file, '/');
	const char *base = slash ? slash + 1 : file, *path;
	char *directory;

	/* The file itself may be gone; its directory is still known. */
	directory = realpath(slash
		? arena_strndup(s->arena, file, (size_t)(slash - file) + 1)
		: ".",
	    NULL);
	if (!directory || !root)
		return NULL;
	path = arena_printf(s->arena, "%s/%s", directory, base);
	free(directory);
	if (strncmp(path, root, strlen(root)) != 0 || path[strlen(root)] != '/')
		return NULL;
	return path + strlen(root) + 1;
}

static void
add(struct session *s, struct words *to, const char *file)
{
	size_t len = strlen(file);
	const char *path;

	while (len > 1 && file[len - 1] == '/')
		len--;
	path = path_in_tree(s, arena_strndup(s->arena, file, len));
	if (!path)
		return;
	words_add(s->arena, to, path);
}

void
inputs_say(struct session *s)
{
	const struct words *named = &s->config.inputs;
	size_t i;

	for (i = 0; i < named->n; i++)
		if (access(named->items[i], F_OK) != 0)
			session_notice(s,
			    arena_printf(s->arena,
				"`inputs` names '%s', which is not there",
				named->items[i]));
}

void
inputs_find(struct session *s, struct gating *g)
{
	const struct words *named = &s->config.inputs;
	const struct words *questions = s->options.questions.n
	    ? &s->options.questions
	    : &s->config.questions;
	struct words paths = {.n = 0};
	size_t i;

	if (!named->n)
		return;
	for (i = 0; i < named->n; i++)
		add(s, &paths, named->items[i]);
	for (i = 0; i < questions->n; i++)
		add(s, &paths, questions->items[i]);
	if (s->config.file)
		add(s, &paths, s->config.file);
	if (!paths.n)
		return;
	qsort(paths.items, paths.n, sizeof(*paths.items), compare_text);
	s->config.policy.inputs = paths.items;
	s->config.policy.ninputs = paths.n;
	g->inputs = repo_inputs(s->repo, g->commit.tree, paths.items, paths.n);
}
