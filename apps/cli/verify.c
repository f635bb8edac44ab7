// verify.c: `pliant verify`: checks this machine, and prints a table.
#include "cli.h"

#include "query/verify_kinds.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden_rows.h" // made by the build; needs the types above

static const char help[] =
    "usage: pliant verify [SCENE...]\n\n"
    "Checks this machine: every constraint's gradient against finite differences, the momentum of a\n"
    "free spinning cloth, and that every built-in scene gives its golden hash, the one it has on every\n"
    "machine, on every lane width and thread count, and on the GPU where there is one.\n"
    "With names of built-in scenes, the hashes of those alone.\n"
    "Exit code 1 if anything differs.\n";

// What may be off, relative to the whole: of gradients, which are checked in double; of momenta, summed over single
// floats.
#define GRADIENT_LIMIT 1e-6
#define LINEAR_LIMIT 1e-3
#define ANGULAR_LIMIT 1e-2

static int failures;

static void print_row(const char *what, const char *measured, bool good)
{
    printf("%-46s %-42s %s\n", what, measured, good ? "ok" : "FAILED");
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
            good &= parts[i] <= GRADIENT_LIMIT; // a NaN fails
        }
        snprintf(what, sizeof what, "gradient of %s", pl_kind_describe((pl_kind)k)->name);
        snprintf(measured, sizeof measured, "%.0e off, relative; at most %.0e", check.gradient, GRADIENT_LIMIT);
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
        snprintf(measured, sizeof measured, "%.0e of it gained or lost; at most %.0e", lost, LINEAR_LIMIT);
        print_row("linear momentum of a free cloth, 300 frames", measured, lost <= LINEAR_LIMIT);
        snprintf(measured, sizeof measured, "%.0e of it gained or lost; at most %.0e", turned, ANGULAR_LIMIT);
        print_row("angular momentum of a free cloth, 300 frames", measured, turned <= ANGULAR_LIMIT);
    }
    else
    {
        print_row("momentum of a free spinning cloth", pl_error_message(), false);
    }
    pl_world_destroy(world);
    pl_scene_free(scene);
}

// ---- the same bits -------------------------------------------------------------------------------------------------

static pl_result hash_of(const pl_scene *scene, int frames, const pl_world_def *def, uint64_t *hash)
{
    pl_world *world = NULL;
    pl_result result = pl_scene_world(scene, def, &world);
    for (int i = 0; i < frames && result == PL_OK; i++)
    {
        result = pl_scene_before_step(scene, world);
        result = result == PL_OK ? pl_world_step(world, pl_scene_describe(scene).dt) : result;
    }
    *hash = result == PL_OK ? pl_world_hash(world) : 0;
    pl_world_destroy(world);
    return result;
}

// How many runs of a row were made, and how many of them gave another hash than the golden one.
struct tally
{
    int runs, different;
};

static void compare(const pl_scene *scene, const struct golden_row *row, const pl_world_def *def, struct tally *tally)
{
    uint64_t hash;
    pl_result result = hash_of(scene, row->frames, def, &hash);
    tally->runs++;
    if (result == PL_OK && hash == row->hash)
    {
        return;
    }
    tally->different++;
    printf("  %s, %d frames, %s, %d lanes, %d threads: ", row->scene, row->frames,
           def->backend == PL_BACKEND_CUDA ? "cuda" : "cpu", def->lanes, def->threads);
    printf(result == PL_OK ? "%016" PRIx64 "\n" : "failed\n", hash);
}

static void compare_cpu(const pl_scene *scene, const struct golden_row *row, struct tally *tally)
{
    static const int threads[] = {1, 2, 3, 8};
    pl_world_def def = pl_default_world_def();
    for (const int *lanes = pl_lane_widths(); *lanes; lanes++)
    {
        for (size_t i = 0; i < sizeof threads / sizeof *threads; i++)
        {
            // More threads than cores are slow, and a few frames show what they do.
            if (row->frames <= 5 || threads[i] == 1)
            {
                def.lanes = *lanes;
                def.threads = threads[i];
                compare(scene, row, &def, tally);
            }
        }
    }
}

// The scenes that were asked for; none: all of them.
struct choice
{
    char **names;
    int count;
};

static bool chosen(const struct choice *choice, const char *scene)
{
    for (int i = 0; i < choice->count; i++)
    {
        if (strcmp(choice->names[i], scene) == 0)
        {
            return true;
        }
    }
    return choice->count == 0;
}

static void verify_row(const struct golden_row *row, bool cuda)
{
    pl_scene *scene = NULL;
    struct tally tally = {0, 0};
    char what[64], measured[64];
    snprintf(what, sizeof what, "%s, %d frames, %s", row->scene, row->frames, cuda ? "cuda" : "lanes x threads");
    if (find_scene(row->scene, NULL, 0, &scene) != PL_OK)
    {
        print_row(what, "the scene cannot be read", false);
        return;
    }
    if (cuda)
    {
        pl_world_def def = pl_default_world_def();
        def.backend = PL_BACKEND_CUDA;
        compare(scene, row, &def, &tally);
    }
    else
    {
        compare_cpu(scene, row, &tally);
    }
    snprintf(measured, sizeof measured, "%016" PRIx64 " in %d of %d", row->hash, tally.runs - tally.different,
             tally.runs);
    print_row(what, measured, tally.runs > 0 && tally.different == 0);
    pl_scene_free(scene);
}

// Every backend against the hashes that were found when this program was made, on other machines.
static void verify_rows(const struct choice *choice, bool cuda)
{
    for (const struct golden_row *row = golden_rows; row->scene; row++)
    {
        if (chosen(choice, row->scene))
        {
            verify_row(row, cuda);
        }
    }
}

static void verify_bits(const struct choice *choice)
{
    verify_rows(choice, false);
    if (!golden_rows[0].scene)
    {
        print_row("golden hashes", "none in this program", false);
    }
    pl_world_def def = pl_default_world_def();
    pl_world *world = NULL;
    def.backend = PL_BACKEND_CUDA;
    if (pl_world_create(&def, &world) != PL_OK)
    {
        const char *why = pl_error_message();
        printf("%-46s skipped: no GPU (%.*s)\n", "cuda", (int)strcspn(why, ";"), why);
        return;
    }
    printf("%-46s %s\n", "cuda", pl_world_device(world));
    pl_world_destroy(world);
    verify_rows(choice, true);
}

int command_verify(int count, char **arguments)
{
    for (int i = 0; i < count; i++)
    {
        if (asks_for_help(arguments[i]))
        {
            fputs(help, stdout);
            return EXIT_GOOD;
        }
        if (!pl_builtin_scene(arguments[i], NULL))
        {
            return bad_usage("no built-in scene \"%s\"; `pliant list` lists those that `pliant verify` can check",
                             arguments[i]);
        }
    }
    printf("pliant %s, lanes", pl_version());
    for (const int *lanes = pl_lane_widths(); *lanes; lanes++)
    {
        printf(" %d", *lanes);
    }
    printf("\n\n");
    verify_kinds();
    verify_momentum();
    verify_bits(&(struct choice){arguments, count});
    printf("\n%s\n", failures ? "at least one check failed: see FAILED above" : "all is well");
    return failures ? EXIT_FAILED : EXIT_GOOD;
}
