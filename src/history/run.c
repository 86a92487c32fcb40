/*
 * Running git: the network is its, with its credentials, proxies, headers.
 * It never asks, it has so much time, and whoever ends us ends it alone.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "internal.h"

#define TICK_MS 200 /* between looks at whether it is time */
#define SAYS_MAX 500 /* bytes of what a server says */
#define MERCY 100 /* ticks of 20 ms from SIGTERM to SIGKILL */

/* What would point git at another repository than ours, as in a hook. */
static const char *const unset[] = {"GIT_DIR", "GIT_WORK_TREE",
    "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_PREFIX",
    "GIT_QUARANTINE_PATH", "GIT_COMMON_DIR"};

/*
 * What would ask somebody: an empty GIT_ASKPASS stands before core.askPass
 * and SSH_ASKPASS.  Helpers that know an answer are left alone.
 */
static const char *const set[][2] = {{"GIT_TERMINAL_PROMPT", "0"},
    {"GIT_ASKPASS", ""}, {"SSH_ASKPASS", "false"},
    {"SSH_ASKPASS_REQUIRE", "never"}, {"GCM_INTERACTIVE", "never"},
    {"LC_ALL", "C"}};

/* ------------------------------------------------------------- signals -- */

static const int ending[SIGNALS] = {SIGINT, SIGTERM, SIGHUP};
static volatile sig_atomic_t interrupted;

static void
interrupt(int number)
{
	interrupted = number;
}

/* A signal ends the talk and not the program, which has more to say. */
void
signals_hold(struct sigaction was[SIGNALS])
{
	struct sigaction ours = {.sa_handler = interrupt};
	size_t i;

	sigemptyset(&ours.sa_mask);
	for (i = 0; i < COUNT(ending); i++) {
		sigaction(ending[i], NULL, &was[i]);
		if (was[i].sa_handler != SIG_IGN)
			sigaction(ending[i], &ours, NULL);
	}
}

void
signals_release(const struct sigaction was[SIGNALS])
{
	size_t i;

	for (i = 0; i < COUNT(ending); i++)
		sigaction(ending[i], &was[i], NULL);
}

/* --------------------------------------------------------------- child -- */

/* In the child: no terminal, no prompt, plain messages. */
static void
become_git(
    const char *const *words, const struct sigaction *was, int out, int err)
{
	int nothing = open("/dev/null", O_RDONLY);
	char *argv[GIT_WORDS + 1];
	size_t i;

	if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 ||
	    dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0)
		_exit(126);
	/* Without a controlling terminal nothing can ask on it. */
	setsid();
	if (was)
		signals_release(was);
	for (i = 0; i < COUNT(unset); i++)
		unsetenv(unset[i]);
	for (i = 0; i < COUNT(set); i++)
		setenv(set[i][0], set[i][1], 1);
	for (i = 0; i < GIT_WORDS && words[i]; i++)
		argv[i] = strdup(words[i]);
	argv[i] = NULL;
	execvp("git", argv);
	_exit(errno == ENOENT ? 127 : 126);
}

/* git and our ends of its pipes. */
struct child {
	int out, err;
	pid_t pid;
	bool gone; /* status is its own */
	int status;
};

static int
child_start(struct child *child, const char *const *words,
    const struct sigaction *was, struct error *e)
{
	int out[2], err[2] = {-1, -1}, i;

	*child = (struct child){.gone = false};
	if (pipe(out) < 0)
		return fail_environment(
		    e, "cannot run git: %s", strerror(errno));
	if (pipe(err) < 0 || (child->pid = fork()) < 0) {
		fail_environment(e, "cannot run git: %s", strerror(errno));
		for (i = 0; i < 2; i++) {
			close(out[i]);
			if (err[i] >= 0)
				close(err[i]);
		}
		return -1;
	}
	if (child->pid == 0)
		become_git(words, was, out[1], err[1]);
	close(out[1]);
	close(err[1]);
	child->out = out[0];
	child->err = err[0];
	return 0;
}

static bool
child_gone(struct child *child)
{
	if (!child->gone)
		child->gone =
		    waitpid(child->pid, &child->status, WNOHANG) == child->pid;
	return child->gone;
}

/* What git started is in its group; asked first, it takes its locks along. */
static void
child_stop(struct child *child)
{
	struct timespec pause = {.tv_nsec = 20000000};
	int i;

	kill(-child->pid, SIGTERM);
	for (i = 0; i < MERCY && !child_gone(child); i++)
		nanosleep(&pause, NULL);
	kill(-child->pid, SIGKILL);
}

/* Whether there is no more to be waited for, and why. */
static bool
is_over(const struct talk *talk, struct git_run *run)
{
	if (!talk)
		return false;
	if (interrupted)
		run->end = GIT_INTERRUPTED;
	else if (now_ms(CLOCK_MONOTONIC) >= talk->until)
		run->end = GIT_LATE;
	return run->end != GIT_ENDED;
}

/*
 * Reads both pipes to their ends, so that neither fills up; or until git is
 * gone, since what it left running may hold them open.
 */
static void
drain(struct child *child, const struct talk *talk, struct git_run *run)
{
	struct pollfd fds[2] = {{.fd = child->out, .events = POLLIN},
	    {.fd = child->err, .events = POLLIN}};
	struct buf *to[2] = {&run->out, &run->err};
	char chunk[4096];
	int open_fds = 2, i, ready;
	ssize_t n;

	while (open_fds && !is_over(talk, run)) {
		ready = poll(fds, 2, TICK_MS);
		if (ready == 0 && child_gone(child))
			return;
		for (i = 0; ready > 0 && i < 2; i++) {
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
git_run(const char *const *words, const struct talk *talk, struct git_run *run,
    struct error *e)
{
	struct child child;

	*run = (struct git_run){.allowed = talk ? talk->allowed : 0};
	buf_init(&run->out);
	buf_init(&run->err);
	if (child_start(&child, words, talk ? talk->was : NULL, e) < 0)
		return -1;
	drain(&child, talk, run);
	if (run->end != GIT_ENDED)
		child_stop(&child);
	close(child.out);
	close(child.err);
	while (!child.gone && waitpid(child.pid, &child.status, 0) < 0 &&
	    errno == EINTR)
		;
	run->status = run->end == GIT_ENDED && WIFEXITED(child.status)
	    ? WEXITSTATUS(child.status)
	    : 128;
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
static const char *
last_words(struct arena *arena, const struct git_run *run)
{
	const char *p = run->err.data, *best = "it does not say why", *end;
	size_t len = strlen(best);
	bool said = false;

	for (; *p; p = *end ? end + 1 : end) {
		end = p + strcspn(p, "\n");
		if (end == p || strncmp(p, "hint:", 5) == 0)
			continue;
		/* What ssh says stands before it, and says more. */
		if (len > 0 && said &&
		    strncmp(p, "fatal: Could not read from remote", 33) == 0)
			break;
		said = true;
		best = p;
		len = (size_t)(end - p);
		if (strncmp(p, "fatal: ", 7) == 0 ||
		    strncmp(p, "error: ", 7) == 0) {
			best += 7;
			len -= 7;
		}
		/* "unable to connect to X:", and why on the next line. */
		if (strncmp(p, "fatal: ", 7) == 0 && end[-1] == ':' && *end)
			len += 1 + strcspn(end + 1, "\n");
		if (strncmp(p, "fatal: ", 7) == 0)
			break;
	}
	return remote_shown(arena, arena_strndup(arena, best, len));
}

const char *
git_run_says(struct arena *arena, const struct git_run *run)
{
	switch (run->end) {
	case GIT_LATE:
		return arena_printf(arena,
		    "no answer within %lld seconds; does the server hang? "
		    "EVALGATE_TIMEOUT=SECONDS allows more",
		    (long long)run->allowed);
	case GIT_INTERRUPTED:
		return "interrupted";
	default:
		return last_words(arena, run);
	}
}

/* The lines that came from the other side begin with "remote:". */
const char *
git_server_says(struct arena *arena, const struct git_run *run)
{
	const char *p = run->err.data, *end, *says = "";
	size_t len;

	for (; *p && strlen(says) < SAYS_MAX; p = *end ? end + 1 : end) {
		end = p + strcspn(p, "\n");
		if (strncmp(p, "remote:", 7) != 0)
			continue;
		for (p += 7; p < end && *p == ' '; p++)
			;
		for (len = (size_t)(end - p); len > 0 && p[len - 1] == ' ';)
			len--;
		if (len)
			says = arena_printf(arena, "%s%s%.*s", says,
			    *says ? " / " : "; it says: ", (int)len, p);
	}
	return remote_shown(arena, says);
}
