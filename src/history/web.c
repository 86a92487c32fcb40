/* Where a remote shows its commits to people: links for a page. */
#include <string.h>

#include "internal.h"

/* Hosts that are known, and what stands before a commit's id there. */
static const struct {
	const char *host; /* ends in '.': any host that begins so */
	const char *path;
} hosts[] = {
    {"github.com", "/commit/"},
    {"gitlab.com", "/-/commit/"},
    {"bitbucket.org", "/commits/"},
    {"codeberg.org", "/commit/"},
    {"gitea.com", "/commit/"},
    {"git.sr.ht", "/commit/"},
    {"salsa.debian.org", "/-/commit/"},
    {"github.", "/commit/"},
    {"gitlab.", "/-/commit/"},
    {"gitea.", "/commit/"},
    {"forgejo.", "/commit/"},
};

#define WORD \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._~-"

static const char *
path_of_host(const char *host)
{
	size_t i, n;

	for (i = 0; i < COUNT(hosts); i++) {
		n = strlen(hosts[i].host);
		if (hosts[i].host[n - 1] == '.'
			? strncmp(host, hosts[i].host, n) == 0 && host[n]
			: strcmp(host, hosts[i].host) == 0)
			return hosts[i].path;
	}
	return NULL;
}

/* "owner/name", of two words or more, without what ends it. */
static const char *
read_path(struct arena *arena, const char *path)
{
	size_t n;

	while (*path == '/')
		path++;
	n = strlen(path);
	while (n && path[n - 1] == '/')
		n--;
	if (n > 4 && strncmp(path + n - 4, ".git", 4) == 0)
		n -= 4;
	path = arena_strndup(arena, path, n);
	/* Nothing that a link could be led astray by. */
	if (strspn(path, WORD "/") != n || !strchr(path, '/') ||
	    strstr(path, "//") || strstr(path, ".."))
		return NULL;
	return path;
}

const char *
history_web_of(struct arena *arena, const char *url)
{
	static const char *const schemes[] = {
	    "https://", "http://", "ssh://", "git://"};
	const char *rest = url, *at, *end, *host, *path;
	size_t i;

	for (i = 0; i < COUNT(schemes); i++)
		if (strncmp(url, schemes[i], strlen(schemes[i])) == 0)
			break;
	if (i < COUNT(schemes))
		rest = url + strlen(schemes[i]);
	/* git@host:path is what scp takes. */
	end = strpbrk(rest, i < COUNT(schemes) ? "/" : ":/");
	if (!end || (i == COUNT(schemes) && *end == '/'))
		return NULL;
	path = read_path(arena, end + 1);
	host = arena_strndup(arena, rest, (size_t)(end - rest));
	/* Neither a user, with a password perhaps, nor a port gets further. */
	at = strrchr(host, '@');
	if (at)
		host = at + 1;
	host = arena_strndup(arena, host, strcspn(host, ":"));
	if (!path || strspn(host, WORD) != strlen(host) || !path_of_host(host))
		return NULL;
	return arena_printf(
	    arena, "https://%s/%s%s", host, path, path_of_host(host));
}

const char *
repo_web(struct arena *arena, struct repo *repo, const char *remote)
{
	git_remote *found = NULL;
	const char *url = remote, *web = NULL;

	if (!strpbrk(remote, "/:"))
		url = git_remote_lookup(&found, repo->git, remote) == 0
		    ? git_remote_url(found)
		    : NULL;
	if (url)
		web = history_web_of(arena, url);
	git_remote_free(found);
	return web;
}
