// thumbnails.h: pictures of all built-in scenes for the picker. A thread makes the worlds, one after the other, and runs each for
// a moment; the window draws what is ready, one in each of its pictures.
#ifndef PLIANT_VIEWER_THUMBNAILS_H
#define PLIANT_VIEWER_THUMBNAILS_H

#include "panels.h"

struct thumbnails;

// Starts the thread. NULL: it could not be started.
struct thumbnails *thumbnails_open(void);
void thumbnails_close(struct thumbnails *t);
// Draws the next one if its world is ready; to be called with the window's context. Returns how many are made.
int thumbnails_draw(struct thumbnails *t);
const struct thumbnail *thumbnails_list(const struct thumbnails *t, int *count);

#endif
