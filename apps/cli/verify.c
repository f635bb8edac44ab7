// verify.c: `pliant verify`: checks this machine, and prints a table.
#include "cli.h"

#include "world/verify.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: pliant verify\n\n"
    "Checks this machine: every constraint's gradient against finite differences, the momentum of a\n"
    "free spinning cloth, and that scenes give the same bits on every lane width and thread count.\n"
    "Exit code 1 if anything differs.\n";

static int failures;

static void print_row(const char *what, const char *measured, bool good)
{
    printf("%-44s %-36s %s\n", what, measured, good ? "ok" : "FAILED");
    fflush(stdout);
    failures += !good;
}

// ---- gradients -----------------------------------------------------------------------------------------------------

// Each kind's kernel, compiled with double as the lane, over random shapes.
static void verify_kinds(void)
{
    enum
    {
        SAMPLES = 1000
    };
    for (int k = 0; k < PL_KIND_COUNT; k++)
    {
        kind_check check = verify_kind((pl_kind)k, SAMPLES);
        const double parts[] = {check.gradient, check.weight, check.force, check.torque, check.rest};
        char what[64], measured[64];
        bool good = true;
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        {
            good &= parts[i] <= 1e-6; // a NaN fails
        }
        snprintf(what, sizeof what, "gradient of %s", pl_kind_describe((pl_kind)k)->name);
        snprintf(measured, sizeof measured, "%.1e from finite differences", check.gradient);
        print_row(what, measured, good);
    }
}

// ---- momentum ------------------------------------------------------------------------------------------------------

static const char spinning[] =
    "{\"gravity\": [0, 0, 0], \"substeps\": 20, \"iterations\": 1, \"frames\": 300,"
    " \"cloth\": {\"size\": [70, 70], \"u\": [0.7, 0, 0], \"v\": [0, 0, 0.7], \"mass\": 1, \"drag\": 0,"
    " \"velocity\": [1, 0, 0], \"spin\": [0, 2, 0]}}";

static double change(const double before[3], const double after[3])
{
    double difference = 0.0, size = 0.0;
    for (int i = 0; i < 3; i++)
    {
        difference += (after[i] - before[i]) * (after[i] - before[i]);
        size += before[i] * before[i];
    }
    return sqrt(difference / size);
}

static void verify_momentum(void)
{
    pl_scene *scene = NULL;
    pl_world *world = NULL;
    double linear[2][3], angular[2][3];
    char measured[64];
    pl_result result = pl_scene_parse(spinning, strlen(spinning), "spinning cloth", NULL, 0, &scene);
    result = result == PL_OK ? pl_scene_world(scene, NULL, &world) : result;
    if (result == PL_OK)
    {
        pl_world_momentum(world, linear[0], angular[0]);
    }
    for (int i = 0; i < 300 && result == PL_OK; i++)
    {
        result = pl_world_step(world, pl_scene_describe(scene).dt);
    }
    if (result == PL_OK)
    {
        pl_world_momentum(world, linear[1], angular[1]);
        double lost = change(linear[0], linear[1]), turned = change(angular[0], angular[1]);
        snprintf(measured, sizeof measured, "%.1e in 300 frames", lost);
        print_row("linear momentum of a free spinning cloth", measured, lost <= 1e-3);
        snprintf(measured, sizeof measured, "%.1e in 300 frames", turned);
        print_row("angular momentum of a free spinning cloth", measured, turned <= 1e-2);
    }
    else
    {
        print_row("momentum of a free spinning cloth", pl_error_message(), false);
    }
    pl_world_destroy(world);
    pl_scene_free(scene);
}

// ---- the same bits -------------------------------------------------------------------------------------------------

static const struct
{
    const char *scene;
    int frames;
} scenes[] = {{"flag", 20}, {"rope", 20}, {"soft_bar", 20}, {"paper_plane", 20}, {"damping", 20}, {"curtain", 2}};

static pl_result hash_of(const pl_scene *scene, int frames, int threads, int lanes, uint64_t *hash)
{
    pl_world_def def = pl_default_world_def();
    pl_world *world = NULL;
    def.threads = threads;
    def.lanes = lanes;
    pl_result result = pl_scene_world(scene, &def, &world);
    for (int i = 0; i < frames && result == PL_OK; i++)
    {
        result = pl_scene_before_step(scene, world);
        result = result == PL_OK ? pl_world_step(world, pl_scene_describe(scene).dt) : result;
    }
    *hash = result == PL_OK ? pl_world_hash(world) : 0;
    pl_world_destroy(world);
    return result;
}

static void verify_bits(const char *name, int frames)
{
    static const int threads[] = {1, 2, 3, 8};
    pl_scene *scene;
    uint64_t first = 0;
    int runs = 0, different = 0;
    char what[64], measured[64];
    size_t length;
    const char *text = pl_builtin_scene(name, &length);
    snprintf(what, sizeof what, "%s, %d frames, lanes x threads", name, frames);
    if (!text || pl_scene_parse(text, length, name, NULL, 0, &scene) != PL_OK)
    {
        print_row(what, text ? pl_error_message() : "not built in", false);
        return;
    }
    for (const int *lanes = pl_lane_widths(); *lanes; lanes++)
    {
        for (size_t i = 0; i < sizeof threads / sizeof *threads; i++)
        {
            uint64_t hash;
            if (hash_of(scene, frames, threads[i], *lanes, &hash) != PL_OK || (runs && hash != first))
            {
                printf("  %s on %d lanes and %d threads: %016" PRIx64 "\n", name, *lanes, threads[i], hash);
                different++;
            }
            first = runs++ ? first : hash;
        }
    }
    snprintf(measured, sizeof measured, "%016" PRIx64 " in %d of %d runs", first, runs - different, runs);
    print_row(what, measured, different == 0);
    pl_scene_free(scene);
}

int command_verify(int count, char **arguments)
{
    if (count > 0)
    {
        if (asks_for_help(arguments[0]))
        {
            fputs(help, stdout);
            return EXIT_GOOD;
        }
        return bad_usage("`pliant verify` takes no arguments; \"%s\" is one too many", arguments[0]);
    }
    printf("pliant %s, lanes", pl_version());
    for (const int *lanes = pl_lane_widths(); *lanes; lanes++)
    {
        printf(" %d", *lanes);
    }
    printf("\n\n");
    verify_kinds();
    verify_momentum();
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
    {
        verify_bits(scenes[i].scene, scenes[i].frames);
    }
    printf("\n%s\n", failures ? "something differs: see FAILED above" : "all is well");
    return failures ? EXIT_FAILED : EXIT_GOOD;
}
