/*
 * What an analyzer, which sees one file at a time, can't know: these add an
 * error and return -1, always.  Included before each file by ci/analyze.
 */
#include "evalgate/base.h"

#define fail(...) (fail(__VA_ARGS__), -1)
#define fail_at(...) (fail_at(__VA_ARGS__), -1)
#define fail_environment(...) (fail_environment(__VA_ARGS__), -1)
#define fail_no_verdict(...) (fail_no_verdict(__VA_ARGS__), -1)
