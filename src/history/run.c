/* Running git: the network is its, with its credentials, proxies, headers. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "internal.h"

/* What would point git at another repository than ours, as in a hook. */
static const char *const unset[] = {"GIT_DIR", "GIT_WORK_TREE",
    "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_PREFIX",
    "GIT_QUARANTINE_PATH", "GIT_COMMON_DIR"};

/* In the child: no terminal, no prompt, plain messages. */
static void
become_git(const char *const *words, int out, int err)
{
	int nothing = open("/dev/null", O_RDONLY);
	char *argv[GIT_WORDS + 1];
	size_t i;

	if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 ||
	    dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0)
		_exit(126);
	/* Without a controlling terminal nothing can ask on it. */
	setsid();
	for (i = 0; i < COUNT(unset); i++)
		unsetenv(unset[i]);
	setenv("GIT_TERMINAL_PROMPT", "0", 1);
	setenv("SSH_ASKPASS_REQUIRE", "never", 1);
	setenv("LC_ALL", "C", 1);
	for (i = 0; i < GIT_WORDS && words[i]; i++)
		argv[i] = strdup(words[i]);
	argv[i] = NULL;
	execvp("git", argv);
	_exit(errno == ENOENT ? 127 : 126);
}

/* Reads both pipes to their ends, so that neither fills up. */
static void
drain(int out, int err, struct git_run *run)
{
	struct pollfd fds[2] = {
	    {.fd = out, .events = POLLIN}, {.fd = err, .events = POLLIN}};
	struct buf *to[2] = {&run->out, &run->err};
	char chunk[4096];
	int open_fds = 2, i;
	ssize_t n;

	while (open_fds) {
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return;
		for (i = 0; i < 2; i++) {
			if (fds[i].fd < 0 || !fds[i].revents)
				continue;
			n = read(fds[i].fd, chunk, sizeof(chunk));
			if (n > 0) {
				buf_add(to[i], chunk, (size_t)n);
			} else if (n == 0 || errno != EINTR) {
				fds[i].fd = -1;
				open_fds--;
			}
		}
	}
}

int
git_run(const char *const *words, struct git_run *run, struct error *e)
{
	int out[2], err[2] = {-1, -1}, status = 0;
	pid_t pid;

	buf_init(&run->out);
	buf_init(&run->err);
	if (pipe(out) < 0)
		return fail_environment(
		    e, "cannot run git: %s", strerror(errno));
	if (pipe(err) < 0 || (pid = fork()) < 0) {
		fail_environment(e, "cannot run git: %s", strerror(errno));
		close(out[0]);
		close(out[1]);
		if (err[0] >= 0) {
			close(err[0]);
			close(err[1]);
		}
		return -1;
	}
	if (pid == 0)
		become_git(words, out[1], err[1]);
	close(out[1]);
	close(err[1]);
	drain(out[0], err[0], run);
	close(out[0]);
	close(err[0]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	run->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
	if (run->status != 127)
		return 0;
	git_run_free(run);
	return fail_environment(
	    e, "git is not installed; it is what talks to the remote");
}

void
git_run_free(struct git_run *run)
{
	buf_free(&run->out);
	buf_free(&run->err);
}

/* The last line that says something, without "fatal: ". */
const char *
git_run_says(struct arena *arena, const struct git_run *run)
{
	const char *p = run->err.data, *best = "it does not say why", *end;
	size_t len = strlen(best);

	for (; *p; p = *end ? end + 1 : end) {
		end = p + strcspn(p, "\n");
		if (end == p || strncmp(p, "hint:", 5) == 0)
			continue;
		best = p;
		len = (size_t)(end - p);
		if (strncmp(p, "fatal: ", 7) == 0 ||
		    strncmp(p, "error: ", 7) == 0) {
			best += 7;
			len -= 7;
		}
		if (strncmp(p, "fatal: ", 7) == 0)
			break;
	}
	return arena_strndup(arena, best, len);
}
