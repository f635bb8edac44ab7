// fuzz_scene.c: any text as a scene: parsed, made into a world, stepped once. Small limits, so that a run stays short.
#include "io/scene.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Solids that are functions take many seconds to be laid out under sanitizers: balls take their places.
static size_t tame(const uint8_t *data, size_t size, char *out)
{
    static const char *const names[] = {"octopus", "teapot"};
    size_t length = 0;
    for (size_t i = 0; i < size;)
    {
        size_t skip = 0;
        for (int k = 0; k < 2; k++)
            if (size - i >= strlen(names[k]) && memcmp(data + i, names[k], strlen(names[k])) == 0)
                skip = strlen(names[k]);
        if (skip)
            memcpy(out + length, "sphere", 6);
        else
            out[length] = (char)data[i];
        length += skip ? 6 : 1;
        i += skip ? skip : 1;
    }
    return length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pl_scene *scene = NULL;
    pl_world *world = NULL;
    pl_world_def def = pl_default_world_def();
    def.threads = 1;
    def.memory_limit = 256 << 20;
    def.lanes = 1;
    // The first byte decides whether the text is a scene, or a change of one.
    static const char base[] =
        "{\"cloth\": {\"size\": [3, 3]}, \"rope\": [{\"segments\": 2}], \"gravity\": [0, -9, 0], \"shape\": ["
        "{\"kind\": \"hull\", \"vertices\": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]},"
        "{\"kind\": \"mesh\", \"form\": {\"kind\": \"torus\", \"size\": [1, 0.3, 0], \"cells\": [6, 4]}},"
        "{\"kind\": \"mesh\", \"two_sided\": true, \"vertices\": [[0,0,0],[1,0,0],[0,0,1]], \"triangles\": [[0,2,1]]},"
        "{\"kind\": \"sdf\", \"spacing\": 0.2, \"form\": {\"kind\": \"bowl\", \"thickness\": 0.1, \"cells\": [6, 3]}},"
        "{\"kind\": \"heightfield\", \"grid\": [3, 2], \"spacing\": 1, \"heights\": [0, 1, 0, 1, 0, 1],"
        " \"keys\": [{\"time\": 0}, {\"time\": 1, \"position\": [0, 1, 0], \"rotation\": [0, 90, 0]}]}]}";
    char set[512];
    bool change = size > 1 && data[0] == 0;
    if (change)
    {
        size_t most = size - 1 < sizeof set - 1 ? size - 1 : sizeof set - 1;
        memcpy(set, data + 1, most);
        set[most] = 0;
    }
    const char *sets[] = {set};
    char *text = malloc(size + 1);
    if (!text)
    {
        return 0;
    }
    size_t length = tame(data, size, text);
    const pl_scene_source source = {.text = change ? base : text,
                                    .length = change ? sizeof base - 1 : length,
                                    .file = "text",
                                    .sets = sets,
                                    .set_count = change ? 1 : 0};
    pl_result result = scene_parse(&source, 4 << 20, &scene);
    if (result != PL_OK)
    {
        free(text);
        return 0;
    }
    if (pl_scene_world(scene, &def, &world) == PL_OK)
    {
        pl_settings settings = pl_world_settings(world);
        settings.substeps = settings.substeps < 4 ? settings.substeps : 4;
        settings.iterations = settings.iterations < 4 ? settings.iterations : 4;
        // Grains so large that each touches each are a fair scene, and a slow one.
        if (pl_particle_count(world) <= 1000 && pl_world_set_settings(world, &settings) == PL_OK &&
            pl_scene_before_step(scene, world) == PL_OK && pl_world_step(world, pl_scene_describe(scene).dt) == PL_OK)
        {
            char report[256];
            int checked, failed;
            pl_scene_expect(scene, world, report, sizeof report, &checked, &failed);
        }
        pl_world_destroy(world);
    }
    pl_scene_free(scene);
    free(text);
    return 0;
}
