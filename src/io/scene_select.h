// scene_select.h: declares selectors, the one grammar by which scenes, the command line and programs name particles:
// pinned ones, those of scripts, attachments, expectations and probes. docs/scenes.md, Selectors, lists the forms.
#ifndef PLIANT_IO_SCENE_SELECT_H
#define PLIANT_IO_SCENE_SELECT_H

#include "scene.h"

// Stores the initial position of a particle, for boxes and spheres.
typedef pl_result scene_place_function(void *context, int particle, double at[3]);

// What a selector chooses from.
struct select_from
{
    const pl_scene *scene;
    const struct scene_object *own; // plain numbers, words and [column, row] are of this object; NULL: of the scene
    scene_place_function *place;    // NULL: boxes and spheres are checked, and choose everything
    void *context;
};

// Particle numbers over the whole scene, each once, in the order in which the selector names them.
struct selection
{
    int32_t *numbers;
    int count, capacity;
    char *taken; // a flag for each particle of the scene
};

// Finds the particles that the selector names, at least one. Free them with selection_free, also after a failure.
pl_result scene_select(const struct select_from *from, const struct json *node, struct selection *out);
// Stores the numbers in the scene's memory.
pl_result scene_select_stored(pl_scene *scene, const struct select_from *from, const struct json *node,
                              int32_t **numbers, int *count);
// Reads a selector from a text: "cloth[3]", "cloth.top", or JSON. called: what messages call the text.
pl_result scene_select_text(const struct select_from *from, const char *called, const char *text,
                            struct selection *out);
// Writes a selector as it is in the text, at most size bytes.
void scene_select_name(const struct json *node, char *out, size_t size);
void selection_free(struct selection *selection);

// Places at the start of the scene. A world is made when the first one is needed. Free it with scene_start_free.
struct scene_start
{
    const pl_scene *scene;
    float *x;
};
scene_place_function scene_place_at_start;
// Places in a world; `context` is a const pl_world.
scene_place_function scene_place_in_world;
void scene_start_free(struct scene_start *start);

#endif
