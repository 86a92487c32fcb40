/* Rows without a reference, or with one that can not serve. */
#ifndef VERDICTS_BASELINE_H
#define VERDICTS_BASELINE_H

#include "test_verdict.h"

static const struct row baseline_rows[] = {
    /* no reference */
    {"a first run", ONE, .now = "a=5", .want = "pass pass"},
    {"a first run, on a pull request", ONE, .event = "pull_request",
	.now = "a=5", .want = "pass pass"},
    {"a first run, a record is required", ONE, .now = "a=5", .required = true,
	.want = "none none: baseline default untellable error"},
    {"a first run, a floor is missed", HIT("min: 0.5"),
	.now = "a=1 b=2 c=2 d=2",
	.want = "fail fail: min hit@1 below-limit error"},
    {"a first run, a floor is missed, a record is required", HIT("min: 0.5"),
	.now = "a=1 b=2 c=2 d=2", .required = true,
	.want =
	    "fail fail: baseline default untellable error; min hit@1 below-limit error"},
    {"a first run, a drop is not judged", HIT("max_drop: 0"),
	.now = "a=1 b=2 c=2 d=2", .want = "pass pass"},
    {"lost", ONE, .now = "a=5", .outcome = BASELINE_LOST,
	.want = "none none: baseline default untellable error"},
    {"lost, on a pull request", ONE, .event = "pull_request", .now = "a=5",
	.outcome = BASELINE_LOST,
	.want = "none none: baseline default untellable error"},
    {"lost, max_rank is missed", ONE_WITH("max_rank: 3"), .now = "a=5",
	.outcome = BASELINE_LOST,
	.want =
	    "fail fail: baseline default untellable error; max_rank a below-limit error"},
    {"cut", ONE, .now = "a=5", .outcome = BASELINE_CUT,
	.want = "none none: baseline default untellable error"},
    {"cut, on a schedule", ONE, .event = "schedule", .now = "a=5",
	.outcome = BASELINE_CUT,
	.want = "none none: baseline default untellable error"},
    {"found, a record is required", ONE, .before = "a=5", .now = "a=5",
	.required = true, .want = "pass pass"},
    /* the way back ended before a good one */
    {"before failed, good was not met", ONE, .before = "a=5 ^fail",
	.now = "a=5", .good_cut = "shallow",
	.want = "none none: baseline default untellable error"},
    {"before failed, good was not met, on a pull request", ONE,
	.event = "pull_request", .before = "a=5 ^fail", .now = "a=5",
	.good_cut = "shallow",
	.want = "pass none: baseline default untellable warn"},
    {"before failed, good was not met, and worse", ONE, .event = "pull_request",
	.before = "a=5 ^fail", .now = "a=6", .good_cut = "shallow",
	.want =
	    "fail fail: baseline default untellable warn; tracked a new-regression error"},
    /* other rules of reading runs */
    {"other rules, as good", ONE, .before = "a=5 rules:2", .now = "a=5",
	.want = "none none: baseline default untellable error"},
    {"other rules, ranks say nothing", ONE, .before = "a=5 rules:2",
	.now = "a=6", .want = "none none: baseline default untellable error"},
    {"other rules, means say nothing", HIT("max_drop: 0"),
	.before = "a=1 b=1 c=1 d=1 rules:2", .now = "a=1 b=1 c=2 d=2",
	.want = "none none: baseline default untellable error"},
    {"other rules at the last good record", ONE, .good = "a=5 rules:2",
	.before = "a=5 ^none", .now = "a=5",
	.want = "none none: baseline default untellable error"},
    {"other rules, what is held is carried on", ONE,
	.before = "a=9 rules:2 held:question/a=5", .now = "a=5",
	.want = "none none: baseline default untellable error | question/a=5"},
    {"other rules, a floor is missed", HIT("min: 0.5"),
	.before = "a=1 b=1 c=1 d=1 rules:2", .now = "a=1 b=2 c=2 d=2",
	.want =
	    "fail fail: baseline default untellable error; min hit@1 below-limit error"},
};

#endif
