// fuzz_snapshot.c: any bytes as a snapshot. A true one is taken first and the input written over a part of it, since
// random bytes alone would never get past the head.
#include <pliant/pliant.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum
{
    HEAD = 8, // bytes before the checksum
};

static void *snapshot;
static size_t snapshot_size;

static void make_snapshot(const pl_world_def *def)
{
    // Everything that a snapshot can hold, in small.
    static const char text[] =
        "{\"cloth\": [{\"size\": [4, 3], \"bending\": \"dihedral\", \"pinned\": \"corners\", \"tethers\": true},"
        " {\"size\": [4, 4], \"u\": [1, 0, 0], \"v\": [0, 0, 1], \"origin\": [0, 0.51, 0], \"thickness\": 0.05},"
        " {\"size\": [4, 4], \"u\": [1, 0, 0], \"v\": [0, 0.02, 1], \"origin\": [0.1, 0.54, 0], \"thickness\": 0.05}],"
        " \"bar\": [{\"cells\": [1, 1, 1]}, {\"cells\": [1, 1, 1], \"model\": \"stvk\"}],"
        " \"body\": [{\"kind\": \"jelly\", \"form\": \"box\", \"size\": [0.3, 0.3, 0.3], \"spacing\": 0.1, "
        "\"position\": [2, 0.15, 0]},"
        " {\"kind\": \"balloon\", \"form\": \"box\", \"size\": [0.3, 0.3, 0.3], \"position\": [3, 1, 0]}],"
        " \"grains\": {\"size\": [2, 2, 2], \"origin\": [2, 0.5, 0]},"
        " \"shape\": [{\"kind\": \"plane\"}, {\"kind\": \"hull\", \"form\": {\"kind\": \"ball\", \"cells\": [4, 3]}},"
        " {\"kind\": \"mesh\", \"form\": {\"kind\": \"ball\", \"cells\": [4, 3]}, \"position\": [2, 0, 0]},"
        " {\"kind\": \"sdf\", \"spacing\": 0.5, \"form\": {\"kind\": \"ball\", \"cells\": [4, 3]}, \"position\": [3, "
        "0, 0]},"
        " {\"kind\": \"heightfield\", \"grid\": [3, 3], \"spacing\": 1, \"waves\": {\"height\": 0.1, \"length\": 2}}],"
        " \"rope\": {\"segments\": 3}, \"field\": {\"kind\": \"point\", \"strength\": 1}, "
        "\"constraints\": {\"kind\": \"pin\", \"particles\": 13}}";
    pl_watch_def watch = pl_default_watch_def();
    pl_scene *scene = NULL;
    pl_world *world = NULL;
    if (pl_scene_parse(text, sizeof text - 1, "base", NULL, 0, &scene) != PL_OK ||
        pl_scene_world(scene, def, &world) != PL_OK || pl_watch_contacts(world, &watch) != PL_OK ||
        pl_world_step(world, 0.01f) != PL_OK || pl_world_step(world, 0.01f) != PL_OK ||
        pl_world_save_memory(world, &snapshot, &snapshot_size) != PL_OK)
    {
        abort();
    }
    pl_world_destroy(world);
    pl_scene_free(scene);
}

static void load_and_step(const pl_world_def *def, const void *bytes, size_t size)
{
    pl_world *world = NULL;
    if (pl_world_load_memory(def, bytes, size, &world) == PL_OK)
    {
        pl_settings settings = pl_world_settings(world);
        settings.substeps = settings.substeps < 2 ? settings.substeps : 2;
        settings.iterations = settings.iterations < 2 ? settings.iterations : 2;
        if (pl_world_set_settings(world, &settings) == PL_OK)
        {
            pl_world_step(world, 0.01f);
        }
        pl_world_destroy(world);
    }
}

// The checksum made right, or it would keep every damaged byte from the checks behind it (FNV-1a; snapshot/snapshot.c).
static void mend_sum(char *bytes, size_t size)
{
    uint64_t sum = 14695981039346656037u;
    for (size_t i = HEAD + sizeof sum; i < size; i++)
    {
        sum = (sum ^ (unsigned char)bytes[i]) * 1099511628211u;
    }
    if (size >= HEAD + sizeof sum)
    {
        memcpy(bytes + HEAD, &sum, sizeof sum);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pl_world_def def = pl_default_world_def();
    def.threads = 1;
    def.lanes = 1;
    if (!snapshot)
    {
        make_snapshot(&def);
    }
    load_and_step(&def, data, size);
    if (size > 3)
    {
        size_t at = ((size_t)data[0] << 8 | data[1]) % snapshot_size, cut = data[2] ? snapshot_size : at;
        char *copy = malloc(snapshot_size + size);
        memcpy(copy, snapshot, snapshot_size);
        memcpy(copy + at, data + 3, size - 3);
        mend_sum(copy, cut);
        load_and_step(&def, copy, cut);
        free(copy);
    }
    return 0;
}
