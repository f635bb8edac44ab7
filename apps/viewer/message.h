// message.h: what went wrong in the viewer, kept for whoever asked for a picture. Each says what would be right.
#ifndef PLIANT_VIEWER_MESSAGE_H
#define PLIANT_VIEWER_MESSAGE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// Keeps the message for this thread and returns false, so that a function can end with `return trouble(...)`.
bool trouble(const char *format, ...) __attribute__((format(printf, 1, 2)));
// The same, of what happens often: nothing is left to allocate; the library says why not.
bool no_memory(void);
bool library_trouble(void);
// The last message of this thread. Never NULL.
const char *viewer_message(void);

#ifdef __cplusplus
}
#endif
#endif
