// offscreen.h: an OpenGL context without a screen: through EGL's surfaceless platform (Mesa's), or on a device of EGL's (a GPU's driver).
#ifndef PLIANT_VIEWER_OFFSCREEN_H
#define PLIANT_VIEWER_OFFSCREEN_H

#include <stdbool.h>

struct offscreen
{
    void *display, *context; // EGL's
};

// Makes the context current in this thread.
bool offscreen_open(struct offscreen *o);
// The same on the GPU that CUDA counts first: only there can a world share buffers with it.
bool offscreen_open_on_gpu(struct offscreen *o);
void offscreen_close(struct offscreen *o);

#endif
