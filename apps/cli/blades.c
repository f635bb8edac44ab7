// blades.c: see blades.h. Of blades that pass in the same step all are taken to have cut where one did: the world counts, and does not
// say whose.
#include "blades.h"

#include "io/scene.h"

#include <stdio.h>
#include <stdlib.h>

pl_result blades_before_step(struct blades *b, const pl_scene *scene, pl_world *world)
{
    size_t count = (size_t)scene->cut.count;
    double time = (double)pl_world_frame(world) * (double)scene->dt;
    pl_tear_counts before = pl_world_tears(world);
    pl_result result = pl_scene_before_step(scene, world);
    pl_tear_counts after = pl_world_tears(world);
    if (count && !b->cut)
    {
        b->cut = calloc(2 * count, sizeof *b->cut);
        b->passed = b->cut ? b->cut + count : NULL;
    }
    const struct scene_cut *c = scene->cut.items;
    for (size_t i = 0; b->cut && i < count; i++)
    {
        bool passes = scene_cut_passes(scene, &c[i], time);
        b->passed[i] |= passes;
        b->cut[i] |= passes && (after.splits != before.splits || after.broken != before.broken);
    }
    return result;
}

void blades_tell(const struct blades *b, const pl_scene *scene, const pl_world *world)
{
    const struct scene_cut *c = scene->cut.items;
    for (int i = 0; b->cut && i < scene->cut.count; i++)
    {
        if (b->passed[i] && !b->cut[i] && scene_can_be_cut(&c[i]) && (double)c[i].until <= pl_world_time(world))
        {
            fprintf(stderr, "pliant: warning: cut[%d] cut nothing; check its from, to and sweep\n", i);
        }
    }
}

void blades_free(struct blades *b)
{
    free(b->cut);
    *b = (struct blades){0};
}
