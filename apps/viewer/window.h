// window.h: `pliant view`: the interactive window.
#ifndef PLIANT_VIEWER_WINDOW_H
#define PLIANT_VIEWER_WINDOW_H

#include "session.h"

struct window_def
{
    struct session_def session;
    int width, height; // 0: 1280 x 720
    float scale;       // of letters; 0: as the screen has it
    const char *log;   // a file that gets a line for everything a person does, or NULL
};

// Returns when the window is closed. False: it could not be opened; viewer_message() tells why.
bool window_run(const struct window_def *def);

#endif
