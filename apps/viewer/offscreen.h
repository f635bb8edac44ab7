// offscreen.h: an OpenGL context without a screen, through EGL's surfaceless platform.
#ifndef PLIANT_VIEWER_OFFSCREEN_H
#define PLIANT_VIEWER_OFFSCREEN_H

#include <stdbool.h>

struct offscreen
{
    void *display, *context; // EGL's
};

// Makes the context current in this thread.
bool offscreen_open(struct offscreen *o);
void offscreen_close(struct offscreen *o);

#endif
