// message.c: see message.h.
#include "message.h"

#include <pliant/pliant.h>

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char text[1024];

bool trouble(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return false;
}

bool no_memory(void) { return trouble("no memory to show the scene; use a smaller one"); }

bool library_trouble(void) { return trouble("%s", pl_error_message()); }

const char *viewer_message(void) { return text; }
