// worlds.h: small worlds that together hold everything that a world can hold: tests/worlds/*.json. For tests of what must be
// true of every world: saving, failing allocations, hostile snapshots.
#ifndef PLIANT_TESTS_WORLDS_H
#define PLIANT_TESTS_WORLDS_H

#include "pliant/pliant.h"

#include <stdio.h>

enum
{
    SMALL_WORLDS = 5
};

static const char *const small_worlds[SMALL_WORLDS] = {"sheets", "solids", "bodies", "fluids", "strands"};

static inline pl_result small_world_scene(int which, pl_scene **scene)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/worlds/%s.json", PLIANT_SOURCE_DIR, small_worlds[which]);
    return pl_scene_load(path, NULL, 0, scene);
}

// Steps on, with the cuts and the motion of the scene.
static inline pl_result small_world_play(const pl_scene *scene, pl_world *world, int frames)
{
    pl_result result = PL_OK;
    for (int i = 0; i < frames && result == PL_OK; i++)
    {
        result = pl_scene_before_step(scene, world);
        if (result == PL_OK)
            result = pl_world_step(world, pl_scene_describe(scene).dt);
    }
    return result;
}

// Makes a world, watches its contacts and steps.
static inline pl_result small_world_make(const pl_scene *scene, const pl_world_def *def, int frames, pl_world **world)
{
    pl_watch_def watch = pl_default_watch_def();
    pl_result result = pl_scene_world(scene, def, world);
    if (result == PL_OK)
        result = pl_watch_contacts(*world, &watch);
    return result == PL_OK ? small_world_play(scene, *world, frames) : result;
}

#endif
