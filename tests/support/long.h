// long.h: whether a test does all that it can, as ./dev test-long asks, or what shows the same in less time.
#ifndef PLIANT_TESTS_LONG_H
#define PLIANT_TESTS_LONG_H

#include <stdbool.h>
#include <stdlib.h>

static inline bool is_long(void) { return getenv("PLIANT_LONG") != NULL; }

#endif
