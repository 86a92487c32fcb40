/*
 * Runs programs in turns and prints the table of what must be fast.
 *   measure DIR EVALGATE PROGRAMS
 * DIR holds what tests/bench/run made, PROGRAMS what make bench compiled.  Processor time is compared, of one
 * thread, so that other work on the machine counts for little; what is
 * compared is run in turns, and medians are taken.  Exits with 1 when a must
 * is missed by more than half.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define TURNS_MAX 31

extern char **environ;

struct sample {
	double seconds;
	long peak; /* KiB */
	int status;
};

/* A shell's words; $D, $E and $P are set. */
struct program {
	const char *name;
	const char *needs; /* a program on PATH, NULL: nothing */
	const char *command;
	int exit; /* the status that is right */
	bool there;
	double median;
	long peak;
	double times[TURNS_MAX];
};

/* What is compared with one another, in turns. */
struct group {
	unsigned turns;
	size_t nprograms;
	struct program programs[3];
};

/* Seen from the history's repository, whose config names no questions. */
#define RECORD "-q --questions ../small.qrels ../small.trec"
#define SCORE "exec \"$E\" score --questions "

static struct group groups[] = {
    {11, 3,
	{{.name = "wc run", .command = "exec wc -l $D/run.trec"},
	    {.name = "run", .command = SCORE "$D/qrels.trec $D/run.trec"},
	    {.name = "shuffled",
		.command = SCORE "$D/qrels.trec $D/shuffled.trec"}}},
    {11, 2,
	{{.name = "wc jsonl", .command = "exec wc -l $D/run.jsonl"},
	    {.name = "jsonl", .command = SCORE "$D/qrels.trec $D/run.jsonl"}}},
    {11, 3,
	{{.name = "wc many", .command = "exec wc -l $D/many.trec"},
	    {.name = "many", .command = SCORE "$D/many.qrels $D/many.trec"},
	    {.name = "half", .command = SCORE "$D/half.qrels $D/half.trec"}}},
    {31, 2,
	{{.name = "nothing", .command = "exec $P/nothing"},
	    {.name = "small",
		.command = SCORE "$D/small.qrels $D/small.trec"}}},
    {3, 2,
	{{.name = "many jsonl", .command = SCORE "$D/many.qrels $D/many.jsonl"},
	    {.name = "one line",
		.command = SCORE "$D/small.qrels $D/line.jsonl 2>/dev/null",
		.exit = 2}}},
    {11, 1, {{.name = "permutation", .command = "exec $P/permutation"}}},
    {11, 2,
	{{.name = "git log",
	     .command = "cd $D/history && exec git log "
			"--notes=evalgate/default --format=%N"},
	    {.name = "history",
		.command = "cd $D/history && exec \"$E\" history --question "
			   "q000500"}}},
    {11, 2,
	{{.name = "check",
	     .command = "cd $D/history && exec \"$E\" check " RECORD},
	    {.name = "record",
		.command = "cd $D/history && exec \"$E\" record --label "
			   "turn=$$ " RECORD}}},
    {1, 3,
	{{.name = "trec_eval",
	     .needs = "trec_eval",
	     .command = "exec trec_eval -c -m recall.5 -m recip_rank "
			"-m ndcg_cut.10 $D/qrels.trec $D/run.trec"},
	    {.name = "mawk",
		.needs = "mawk",
		.command = "exec mawk '{ s += $5 } END { print s }' "
			   "$D/run.trec"},
	    {.name = "jq",
		.needs = "jq",
		.command = "exec jq -r '.results | length' $D/run.jsonl"}}},
};

struct must {
	const char *what;
	const char *program, *than; /* than NULL: PEAK and TIME have none */
	enum { RATIO, FASTER, PEAK, EXTRA, TIME } kind;
	double must; /* 0: for reading only */
};

static const struct must musts[] = {
    {"TREC run / wc -l", "run", "wc run", RATIO, 4},
    {"the same, times faster than trec_eval", "run", "trec_eval", FASTER, 45},
    {"the same, times faster than mawk's sum", "run", "mawk", FASTER, 0},
    {"JSONL lists / wc -l", "jsonl", "wc jsonl", RATIO, 6},
    {"the same, times faster than jq's lengths", "jsonl", "jq", FASTER, 0},
    {"worst line order / wc -l", "shuffled", "wc run", RATIO, 6},
    {"100,000 questions x 10 / wc -l", "many", "wc many", RATIO, 10},
    {"the same / half of it (linear: 2)", "many", "half", RATIO, 2.5},
    {"peak of the TREC run, MiB", "run", NULL, PEAK, 16},
    {"peak of JSONL lists, MiB", "jsonl", NULL, PEAK, 16},
    {"peak of the worst line order, MiB", "shuffled", NULL, PEAK, 16},
    {"peak of 100,000 questions, MiB", "many", NULL, PEAK, 16},
    {"peak of 100,000 questions as JSONL, MiB", "many jsonl", NULL, PEAK, 16},
    {"peak of one line of 1 GiB, refused, MiB", "one line", NULL, PEAK, 16},
    {"15,000 lines less a program that does nothing, ms", "small", "nothing",
	EXTRA, 3},
    {"history of a question, 10,000 x 1,000, ms", "history", NULL, TIME, 1000},
    {"the same / git log --notes of it", "history", "git log", RATIO, 2},
    {"the 10,001st record less its check, ms", "record", "check", EXTRA, 50},
    {"permutation test, 10,000 x 6,980, ms", "permutation", NULL, TIME, 60},
};

static struct sample
run(const char *command)
{
	char shell[] = "sh", flag[] = "-c", *copy = strdup(command);
	char *argv[] = {shell, flag, copy, NULL};
	posix_spawn_file_actions_t actions;
	struct sample sample = {0};
	struct rusage usage;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(
	    &actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	sample.status = -1;
	if (posix_spawn(&pid, "/bin/sh", &actions, NULL, argv, environ) == 0 &&
	    wait4(pid, &sample.status, 0, &usage) == pid) {
		sample.seconds = (double)usage.ru_utime.tv_sec +
		    (double)usage.ru_stime.tv_sec +
		    (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) /
			1e6;
		sample.peak = usage.ru_maxrss;
	}
	posix_spawn_file_actions_destroy(&actions);
	free(copy);
	return sample;
}

static bool
on_path(const char *name)
{
	char command[128];

	snprintf(command, sizeof(command), "command -v %s >/dev/null", name);
	return run(command).status == 0;
}

static int
compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int
measure(struct group *group)
{
	struct program *p;
	struct sample sample;
	unsigned turn;

	for (p = group->programs; p < group->programs + group->nprograms; p++)
		p->there = !p->needs || on_path(p->needs);
	for (turn = 0; turn < group->turns; turn++)
		for (p = group->programs;
		     p < group->programs + group->nprograms; p++) {
			if (!p->there)
				continue;
			sample = run(p->command);
			if (sample.status != p->exit << 8) {
				fprintf(
				    stderr, "bench: failed: %s\n", p->command);
				return -1;
			}
			p->times[turn] = sample.seconds;
			if (sample.peak > p->peak)
				p->peak = sample.peak;
		}
	for (p = group->programs; p < group->programs + group->nprograms; p++) {
		qsort(p->times, group->turns, sizeof(*p->times), compare);
		p->median = p->times[group->turns / 2];
		if (p->there)
			fprintf(stderr, "%-10s %8.1f ms %8.1f MiB\n", p->name,
			    p->median * 1e3, (double)p->peak / 1024);
	}
	return 0;
}

static const struct program *
find(const char *name)
{
	const struct program *p;
	size_t i;

	for (i = 0; i < COUNT(groups); i++)
		for (p = groups[i].programs;
		     p < groups[i].programs + groups[i].nprograms; p++)
			if (strcmp(p->name, name) == 0)
				return p;
	return NULL;
}

/* False when it is missed by more than half. */
static bool
print_must(const struct must *m)
{
	const struct program *p = find(m->program);
	const struct program *than = m->than ? find(m->than) : NULL;
	double value = (double)p->peak / 1024;
	bool met, near;

	if (than && !than->there)
		return true;
	if (m->kind == RATIO)
		value = p->median / than->median;
	else if (m->kind == FASTER)
		value = than->median / p->median;
	else if (m->kind == EXTRA)
		value = (p->median - than->median) * 1e3;
	else if (m->kind == TIME)
		value = p->median * 1e3;
	met = m->kind == FASTER ? value >= m->must : value <= m->must;
	near =
	    m->kind == FASTER ? value >= m->must / 1.5 : value <= m->must * 1.5;
	if (m->must > 0)
		printf("%-50s %s %6.1f %8.2f  %s\n", m->what,
		    m->kind == FASTER ? ">=" : "<=", m->must, value,
		    met ? "" : "missed");
	else
		printf("%-50s           %8.2f\n", m->what, value);
	return m->must <= 0 || near;
}

int
main(int argc, char **argv)
{
	bool ok = true;
	size_t i;

	if (argc != 4) {
		fprintf(stderr, "usage: measure DIR EVALGATE PROGRAMS\n");
		return 2;
	}
	setenv("D", argv[1], 1);
	setenv("E", argv[2], 1);
	setenv("P", argv[3], 1);
	for (i = 0; i < COUNT(groups); i++)
		if (measure(&groups[i]) < 0)
			return 2;
	printf("%-50s %9s %8s\n", "what", "must", "measured");
	for (i = 0; i < COUNT(musts); i++)
		ok &= print_must(&musts[i]);
	return ok ? 0 : 1;
}
