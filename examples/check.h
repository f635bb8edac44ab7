// check.h: ends an example with the library's message when a call fails.
#ifndef CHECK_H
#define CHECK_H

#include <pliant/pliant.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                                                    \
    do                                                                                                                 \
    {                                                                                                                  \
        if ((call) != PL_OK)                                                                                           \
        {                                                                                                              \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, pl_error_message());                                    \
            exit(1);                                                                                                   \
        }                                                                                                              \
    }                                                                                                                  \
    while (0)

#endif
