// golden.h: the rows of golden.txt, and a scene run for some frames.
#ifndef TESTS_SCENES_GOLDEN_H
#define TESTS_SCENES_GOLDEN_H

#include <inttypes.h>
#include <pliant/pliant.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct golden_row
{
    char scene[64];
    int frames;
    uint64_t hash;
};

enum
{
    GOLDEN_MAX = 512,
};

static inline int golden_read(struct golden_row rows[GOLDEN_MAX])
{
    FILE *file = fopen(PLIANT_SOURCE_DIR "/tests/scenes/golden.txt", "r");
    char line[256];
    int count = 0;
    if (!file)
    {
        puts("tests/scenes/golden.txt cannot be read");
        exit(1);
    }
    while (count < GOLDEN_MAX && fgets(line, sizeof line, file))
    {
        struct golden_row *row = &rows[count];
        count += line[0] != '#' && sscanf(line, "%63s %d %" SCNx64, row->scene, &row->frames, &row->hash) == 3;
    }
    fclose(file);
    return count;
}

static inline pl_scene *golden_scene(const char *name)
{
    size_t length = 0;
    pl_scene *scene = NULL;
    const char *text = pl_builtin_scene(name, &length);
    if (!text || pl_scene_parse(text, length, name, NULL, 0, &scene) != PL_OK)
    {
        fail_msg("%s: %s", name, text ? pl_error_message() : "not built in");
    }
    return scene;
}

static inline void golden_good(pl_result result)
{
    if (result != PL_OK)
    {
        fail_msg("%s", pl_error_message());
    }
}

static inline void golden_step(const pl_scene *scene, pl_world *world, int frames)
{
    for (int i = 0; i < frames; i++)
    {
        golden_good(pl_scene_before_step(scene, world));
        golden_good(pl_world_step(world, pl_scene_describe(scene).dt));
    }
}

static inline pl_world *golden_run(const pl_scene *scene, int frames, int threads, int lanes)
{
    pl_world_def def = pl_default_world_def();
    pl_world *world = NULL;
    def.threads = threads;
    def.lanes = lanes;
    golden_good(pl_scene_world(scene, &def, &world));
    golden_step(scene, world, frames);
    return world;
}

#endif
