// session_parts.h: what session.c (two threads and what they hand each other) and simulation.c (the world) share.
#ifndef PLIANT_VIEWER_SESSION_PARTS_H
#define PLIANT_VIEWER_SESSION_PARTS_H

#include "froth.h"
#include "body_drag.h"
#include "edits.h"
#include "history.h"
#include "session.h"

#include "advice/slow_frame.h"

#include <pthread.h>

enum
{
    WISHES = 64,
    RECENT_FRAMES = 120, // of which the median time is taken
};

struct session
{
    pthread_t thread;
    pthread_mutex_t lock; // guards what follows, up to the next remark
    pthread_cond_t asked;
    struct wish wishes[WISHES];
    int wish_count;
    bool leave;
    struct session_state state;
    struct frame ready;
    bool frame_new;
    struct model model;
    bool model_new;
    struct parameters parameters;
    bool parameters_new;

    // of the simulation's thread alone
    char scene_name[SESSION_TEXT];
    struct edits edits;
    pl_world_def def;
    pl_scene *scene;
    pl_world *world;
    pl_id drag; // of a particle
    bool dragging;
    vec3 drag_goal;
    struct body_drag body_drag;
    struct past past;
    struct frame frame;
    struct wants wants;
    struct froth froth;
    char scene_advice[ADVICE_TEXT]; // what was wrong before the first step
    struct slow_frame slow;
    double recent[RECENT_FRAMES]; // ms
    int64_t stepped;              // since the world was made
    struct session_state now;     // what `state` becomes next
    int steps;                    // to take while paused
    double due;                   // s, when the next step is due
    int64_t torn;                 // what had come apart in the model that was last published
};

// session.c
double seconds_now(void);
// fresh: a model that the window has not seen yet, or NULL.
void session_publish(struct session *s, struct model *fresh);
void session_publish_parameters(struct session *s);

// session_advice.c: warnings, as of the scene, after a step, and whenever the convergence was measured.
void session_advise_start(struct session *s);
void session_note_time(struct session *s);
void session_advise(struct session *s);

// simulation.c: of the simulation's thread. Troubles are told in `now`.
bool simulation_begin(struct session *s, pl_scene *scene);
void simulation_grant(struct session *s, const struct wish *w);
void simulation_step(struct session *s);
// session_save.c: writes the scene with its changes, or the state of the world, and tells of it in `now`.
void simulation_save(struct session *s, bool state, const char *path);
// The line from what is dragged to the mouse.
struct drag_line simulation_drag(const struct session *s);
// Whether something has come apart since the last model; then this is the next one.
bool simulation_tore(struct session *s, struct model *fresh);

#endif
