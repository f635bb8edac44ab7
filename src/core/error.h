// error.h: records a failure for pl_error_message.
#pragma once
#include "pliant/pliant.h"

// Stores the message for this thread and returns the code, so that a function can end with `return fail(...)`.
pl_result fail(pl_result code, const char *format, ...) __attribute__((format(printf, 2, 3)));
