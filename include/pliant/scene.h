// scene.h: scenes, from their text to a world.
#ifndef PLIANT_SCENE_H
#define PLIANT_SCENE_H

#include <pliant/world.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- scenes --------------------------------------------------------------------------------------------------------

// A scene is a JSON text: docs/scenes.md. Loading makes a world and keeps the rest (frames, name, expectations).
typedef struct pl_scene pl_scene;

// How a scene wants to be looked at. It has no part in the physics.
typedef struct pl_camera
{
    bool given;          // false: the scene says nothing, and whoever shows it fits a view of its own
    pl_vec3 eye, target; // m
    float fov;           // degrees, from the picture's lower to its upper edge
    bool follow;         // the target is the mean of all particles, and the eye travels with it
    bool has_floor;
    float floor; // m, the height at which the ground is drawn
} pl_camera;

typedef struct pl_scene_info
{
    const char *name;
    const char *about;
    int frames;
    float dt;
    pl_camera camera;
} pl_scene_info;

// Parses text; `file` names it in messages. sets: "path=value" changes made before the scene is read.
PL_API pl_result pl_scene_parse(const char *text, size_t length, const char *file, const char *const *sets,
                                int set_count, pl_scene **scene);
PL_API pl_result pl_scene_load(const char *path, const char *const *sets, int set_count, pl_scene **scene);
PL_API void pl_scene_free(pl_scene *scene);
PL_API pl_scene_info pl_scene_describe(const pl_scene *scene);
// Makes the scene's world; def gives hooks, workers and backend.
PL_API pl_result pl_scene_world(const pl_scene *scene, const pl_world_def *def, pl_world **world);
// Applies what the scene scripts for the step about to be taken (moving pins and the like).
PL_API pl_result pl_scene_before_step(const pl_scene *scene, pl_world *world);
// Checks the scene's expect block against a world that has run its frames. Each failed line is written to `report`.
PL_API pl_result pl_scene_expect(const pl_scene *scene, const pl_world *world, char *report, size_t report_size,
                                 int *checked, int *failed);

// ---- the fields of a scene -----------------------------------------------------------------------------------------

typedef enum pl_value_type
{
    PL_VALUE_NUMBER,
    PL_VALUE_INT,
    PL_VALUE_BOOL,
    PL_VALUE_CHOICE, // value[0]: which of the words
} pl_value_type;

// A field with one, two or three numbers, and what the scene has there.
typedef struct pl_scene_field
{
    char path[96]; // as pl_scene_parse's sets and `--set` take it: "cloth[0].stretch.compliance"
    const char *about;
    pl_value_type type;
    int count; // of numbers
    double value[3];
    double min, max;            // of each
    const char *const *choices; // NULL-terminated
    bool given;                 // the text sets it; or it is a default
    const char *
        only_for; // NULL; or the words of a kind (or model, or form) that it is for, where this object is of another: it does nothing
} pl_scene_field;

// All fields that numbers and words can change, in the order of the scene's tables. Returns how many there are, and fills at
// most capacity. Texts, lists and what a scene expects are left out. They live as long as the scene.
PL_API int pl_scene_fields(const pl_scene *scene, pl_scene_field *out, int capacity);

// The scenes compiled into the library. NULL when there is no such name or number.
PL_API const char *pl_builtin_scene(const char *name, size_t *length);
PL_API const char *pl_builtin_scene_name(int number);

#ifdef __cplusplus
}
#endif
#endif
