// session.h: a simulation that runs beside whoever looks at it. One thread owns the world; the other asks for things, and takes the
// newest frame when it likes, so that a slow scene never holds up the window.
#ifndef PLIANT_VIEWER_SESSION_H
#define PLIANT_VIEWER_SESSION_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

struct session;

enum
{
    SESSION_TEXT = 512,
    HISTORY_SECONDS = 10, // how far back one can go
};

struct session_def
{
    const char *scene; // a built-in name or a path
    const char *const *sets;
    int set_count;
    int threads, lanes;
    bool paused;
};

// What there is to know, as of the last step.
struct session_state
{
    char name[128], about[SESSION_TEXT], trouble[SESSION_TEXT]; // trouble: empty when all is well
    pl_camera camera;
    float dt;
    bool playing;
    float speed; // 1: real time
    int64_t frame;
    double time;
    double ms; // of a step
    pl_timing timing;
    pl_energy energy;
    pl_residual residual;
    pl_settings settings, original; // original: as the scene has them
    float compliance;               // of the distance links
    double oldest;                  // s, how far back the history reaches
    int dragged;                    // a particle, or -1
    pl_vec3 drag_point;
    int64_t world_number; // counts scenes loaded and resets
};

enum wish_kind
{
    WISH_PLAY,       // on
    WISH_STEP,       // one frame
    WISH_RESET,      // the scene from its start, with its own parameters
    WISH_SPEED,      // value
    WISH_SETTINGS,   // settings
    WISH_COMPLIANCE, // value
    WISH_LOAD,       // text: a built-in name or a path
    WISH_RELOAD,     // the same file anew
    WISH_PICK,       // origin, direction
    WISH_DRAG,       // origin: where to
    WISH_DROP,
    WISH_BACK, // value: a time in the past, s
};

struct wish
{
    enum wish_kind kind;
    bool on;
    float value;
    pl_settings settings;
    pl_vec3 origin, direction;
    char text[SESSION_TEXT];
};

// Fails with a message where the scene is bad; later troubles are told in the state.
bool session_open(struct session **s, const struct session_def *def);
void session_close(struct session *s);
void session_ask(struct session *s, const struct wish *wish);
void session_look(struct session *s, struct session_state *state);
// Exchanges *f for a newer frame; false: there is none.
bool session_take_frame(struct session *s, struct frame *f);
// Hands over the model of a world that is new since the last call; free it with model_free.
bool session_take_model(struct session *s, struct model *m);

#ifdef __cplusplus
}
#endif
#endif
