// panels.h: the window's panels. Plain C on the outside; inside, panels.cpp speaks to Dear ImGui, and nothing else does.
#ifndef PLIANT_VIEWER_PANELS_H
#define PLIANT_VIEWER_PANELS_H

#include "renderer.h"
#include "session.h"

#ifdef __cplusplus
extern "C" {
#endif

enum
{
    PLOT_LENGTH = 240,
};

// The last so many values, the newest last.
struct plots
{
    float energy[PLOT_LENGTH], residual[PLOT_LENGTH], ms[PLOT_LENGTH];
    int64_t frame; // of the newest
};

struct panels
{
    bool shown, help;
    struct look look;
    struct session_state state; // as of this picture; edits are made in `wishes`
    struct plots plots;
    double fps;
    const struct surface *surface; // for the legend
    struct parameters parameters;
    bool all_fields; // also those that the scene leaves at their defaults
    bool filming;
    char note[256]; // one line at the bottom

    struct wish wishes[8]; // what was asked for in this picture
    int wish_count;
    bool fit, screenshot, film; // asked for
};

// Adds a wish, of which the caller fills in the rest.
struct wish *panels_ask(struct panels *p, enum wish_kind kind);
// panel_fields.cpp: every field of the scene.
void panel_fields(struct panels *p);

bool panels_open(void *window); // a GLFWwindow, whose callbacks are set already
void panels_close(void);
// Lays the panels out; to be called once for each picture.
void panels_frame(struct panels *p);
// Draws them over what is there.
void panels_draw(void);
// Whether the mouse or the keyboard are theirs just now.
bool panels_want_mouse(void);
bool panels_want_keys(void);

#ifdef __cplusplus
}
#endif
#endif
