// window_parts.h: what the files of the window share: window_open.c opens it, window.c draws, input.c turns mouse and keys into
// wishes, window_film.c makes pictures and films.
#ifndef PLIANT_VIEWER_WINDOW_PARTS_H
#define PLIANT_VIEWER_WINDOW_PARTS_H

#include "beside.h"
#include "film.h"
#include "panels.h"
#include "thumbnails.h"
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
    int view_width; // of the scene: half of it where there are two
    struct session_def session_def;
    struct beside *beside;
    struct thumbnails *thumbnails;
    double pointed_at; // s, when it was last looked what is under the mouse
    int pointed;       // the particle there, or that of a body; -1: none
    int64_t saved_number;
    struct panel_mark marks[MARKS]; // as they were told
    int mark_count;
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

// window_more.c
void window_scale(struct window *w, float scale); // of letters
float window_best_scale(struct window *w, float asked);
void window_point(struct window *w, double now);
void window_thumbnails(struct window *w);
void window_tell_marks(struct window *w);
void window_beside(struct window *w); // opens or closes it
bool window_draw_beside(struct window *w, const struct camera *c);
void window_save(struct window *w, bool state);
void window_follow_saves(struct window *w);

// window_film.c: a name that is not taken yet, such as flag_001.png
void window_free_name(const struct window *w, const char *ending, char *out, size_t size);

// input.c
// The ray through the mouse; false: it is not over the scene, or over that beside it.
bool input_ray(const struct window *w, vec3 *origin, vec3 *direction);
void input_connect(struct window *w);

#endif
