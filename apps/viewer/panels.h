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
    MARKS = 96,
};

struct panel_mark
{
    char name[64];
    int x, y; // its middle, in the units of the mouse
};

// The picture of a scene.
struct thumbnail
{
    unsigned texture; // 0: not made yet
};

// The last so many values, the newest last.
struct plots
{
    float energy[PLOT_LENGTH], residual[PLOT_LENGTH], ms[PLOT_LENGTH];
    int64_t frame; // of the newest
};

struct panels
{
    bool shown, help, picker; // picker: the pictures of all scenes
    float scale;              // of everything that is written; 1: 96 dots per inch
    struct look look;
    struct session_state state; // as of this picture; edits are made in `wishes`
    struct plots plots;
    double fps;
    const struct surface *surface; // for the legend
    struct parameters parameters;
    bool all_fields; // also those that the scene leaves at their defaults
    bool filming, beside;
    char note[256];                     // one line at the bottom
    char under[320];                    // what is under the mouse; empty: nothing
    const struct thumbnail *thumbnails; // as far as they are made; NULL: none yet
    int thumbnail_count;

    struct panel_mark marks[MARKS]; // where things to click on are, for the tests
    int mark_count;

    struct wish wishes[8]; // what was asked for in this picture
    int wish_count;
    bool fit, screenshot, film, save_scene, save_state, set_beside; // asked for
};

// Tells where the last item of the panel is.
void panels_mark(struct panels *p, const char *name);
// panels_more.cpp: the pictures of the scenes, the keys, what is under the mouse.
void panel_picker(struct panels *p);
void panel_help(struct panels *p);
void panel_under(struct panels *p);
void panel_hint(struct panels *p);
// Adds a wish, of which the caller fills in the rest.
struct wish *panels_ask(struct panels *p, enum wish_kind kind);
// panel_fields.cpp: every field of the scene.
void panel_fields(struct panels *p);

// window: a GLFWwindow, whose callbacks are set already. Returns whether it could be done.
bool panels_open(void *window, float scale);
// Other sizes for everything that is written; returns the file of the font, or NULL where there is none and the letters are plain.
const char *panels_rescale(float scale);
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
