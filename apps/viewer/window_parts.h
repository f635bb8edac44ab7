// window_parts.h: what window.c and input.c share.
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
// input.c
void input_connect(struct window *w);

#endif
