/* What the files of base share and nobody else sees. */
#ifndef BASE_INTERNAL_H
#define BASE_INTERNAL_H

#include <stdarg.h>

#include "evalgate/base.h"

/* Says so and exits with 4. */
void out_of_memory(void) __attribute__((noreturn));
/* realloc that does not return without memory. */
void *checked_realloc(void *old, size_t size);
/* Bytes of the sequence that p begins with, 0 when it is none. */
size_t utf8_sequence(const unsigned char *p, size_t len);
char *arena_vprintf(struct arena *arena, const char *fmt, va_list args)
    PRINTF_LIKE(2, 0);

#endif
