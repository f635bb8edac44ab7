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
    ADVICE_TEXT = 2048,
    HISTORY_SECONDS = 10, // how far back one can go
};

struct session_def
{
    const char *scene; // a built-in name or a path
    const char *const *sets;
    int set_count;
    bool allow_paths; // pl_scene_source
    int threads, lanes;
    bool paused;
};

// What there is to know, as of the last step.
struct session_state
{
    char name[128], about[SESSION_TEXT], trouble[SESSION_TEXT]; // trouble: empty when all is well
    char advice[ADVICE_TEXT];                                   // a line for each thing that looks like a mistake
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
    pl_convergence convergence; // of some frames ago: see session.c
    pl_settings settings;
    double oldest; // s, how far back the history reaches
    int dragged;   // a particle, or that of a body; -1: none
    pl_vec3 drag_point;
    int64_t world_number;      // counts scenes loaded and resets
    bool from_mesh;            // it was made around a mesh file
    char folder[SESSION_TEXT]; // of the scene's file, with a / at the end; empty: it has none
    int named;                 // the particle of the last WISH_NAME
    char name_of[160];         // its name, as scenes have it
    int64_t saved_number;      // counts what was saved, or could not be
    char saved[SESSION_TEXT];  // a line about the last of it
};

// The fields of the scene that can be changed while it runs.
struct parameters
{
    pl_scene_field *now, *original; // original: as the file has them
    int count;
};

enum wish_kind
{
    WISH_PLAY,  // on
    WISH_STEP,  // one frame
    WISH_RESET, // the scene from its start, with the parameters as they are
    WISH_SPEED, // value
    WISH_SET,   // text: "path=value", as --set takes it; acts at once, or from the start where it changes what there is
    WISH_UNSET, // all parameters as the file has them
    WISH_WATCH, // wants: what frames are to bring from now on
    WISH_LOAD,  // text: a built-in name or a path, of a scene or an OBJ mesh
    WISH_RELOAD,    // the same file again
    WISH_PICK,      // particle
    WISH_PICK_BODY, // body, origin: by which point of it
    WISH_DRAG,      // origin: where to
    WISH_DROP,
    WISH_BACK,       // value: a time in the past, s
    WISH_NAME,       // particle: its name is wanted
    WISH_SAVE_SCENE, // text: a file for the scene with its changes
    WISH_SAVE_STATE, // text: a file for the snapshot of the world
};

struct wish
{
    enum wish_kind kind;
    bool on;
    float value;
    struct wants wants;
    int particle;
    pl_id body;
    pl_vec3 origin;
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
// Exchanges *p for newer parameters; false: there are none. They live until the session is closed or they are exchanged.
bool session_take_parameters(struct session *s, struct parameters *p);
void parameters_free(struct parameters *p);
// edits.c: a field with these values as --set and WISH_SET take it: "path=value".
void change_text(const pl_scene_field *f, const double *value, char *out, size_t size);

#ifdef __cplusplus
}
#endif
#endif
