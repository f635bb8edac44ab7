// window_parts.h: what the files of the window share: window_open.c opens it, window.c draws, input.c turns mouse and keys into
// wishes, window_film.c makes pictures and films.
#ifndef PLIANT_VIEWER_WINDOW_PARTS_H
#define PLIANT_VIEWER_WINDOW_PARTS_H

#include "film.h"
#include "panels.h"
#include "window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <stdio.h>

enum hand
{
    HAND_FREE,
    HAND_HOLD, // a particle
    HAND_TURN,
    HAND_MOVE,
};

struct window
{
    GLFWwindow *glfw;
    struct session *session;
    struct renderer *renderer;
    struct panels panels;
    bool has_panels;
    int width, height, samples;
    struct model model;
    bool has_model;
    struct frame frame;
    struct camera camera;
    char shown_scene[128];
    struct look shown_look;
    bool look_changed; // since the last upload

    enum hand hand;
    double mouse_x, mouse_y;
    float hold_distance; // from the eye, along the view
    bool want_picture, want_film;

    char watched[SESSION_TEXT]; // a file
    double watched_at;
    long long changed; // ns; 0: not known yet

    struct film *film;
    char film_name[200];
    int film_width, film_height;
    double film_next; // s

    FILE *log;
    int dragged, iterations, substeps;
    bool playing;
    double titled;
    int pictures;
};

void window_log(struct window *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
void window_ask(struct window *w, const struct wish *wish);
float window_aspect(const struct window *w);
// The view goes back until everything is in it.
void window_fit(struct window *w);
// One picture; false: it cannot go on.
bool window_draw(struct window *w);

// window_film.c
void window_note(struct window *w, const char *before, const char *text);
void window_picture(struct window *w);
void window_film(struct window *w); // begins or ends one
void window_feed_film(struct window *w);
void window_end_film(struct window *w);

// input.c
void input_connect(struct window *w);

#endif
