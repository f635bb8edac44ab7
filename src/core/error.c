// error.c: keeps the message of each thread's last failure, and names result codes and the version.
#include "core/error.h"
#include "core/printable.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char message[1024] = "no error";

pl_result fail(pl_result code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    make_printable(message);
    return code;
}

const char *pl_error_message(void) { return message; }

const char *pl_result_name(pl_result result)
{
    static const char *const names[] = {"ok",     "argument", "memory",      "file",
                                        "format", "diverged", "unsupported", "device"};
    return (unsigned)result < sizeof names / sizeof *names ? names[result] : "unknown";
}

#define TEXT(x) #x
#define JOINED(a, b, c) TEXT(a) "." TEXT(b) "." TEXT(c)

const char *pl_version(void) { return JOINED(PL_VERSION_MAJOR, PL_VERSION_MINOR, PL_VERSION_PATCH); }
