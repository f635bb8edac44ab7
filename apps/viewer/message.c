// message.c: see message.h.
#include "message.h"

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

const char *viewer_message(void) { return text; }
