// info.c: `pliant info SCENE`: what a scene consists of, and what looks like a mistake.
#include "cli.h"
#include "io/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] = "usage: pliant info SCENE [--set PATH=VALUE]...\n\n"
                           "Particles, constraints of each kind, colours, tiles, memory, and warnings.\n";

static void print_warnings(const pl_world *world, const pl_scene *scene)
{
    if (!warn(scene, world, PL_ADVICE_SCENE | PL_ADVICE_START, 0, NULL, stdout, ""))
    {
        printf("warnings        none\n");
    }
}

// Rigid bodies are listed apart from the other clusters.
static void print_groups(const pl_world *world)
{
    char number[32];
    long long rigid = pl_world_groups(world).rigid;
    pl_group_count kinds[GROUP_KINDS_MOST];
    int count = pl_group_counts(world, kinds, GROUP_KINDS_MOST);
    if (rigid)
    {
        printf("%-16s%s\n", "rigid bodies", grouped(rigid, number));
    }
    for (int i = 0; i < count && i < GROUP_KINDS_MOST; i++)
    {
        long long rest = kinds[i].count - (strcmp(kinds[i].key, "clusters") == 0 ? rigid : 0);
        if (rest)
        {
            printf("%-16s%s\n", kinds[i].key, grouped(rest, number));
        }
    }
}

static void print_info(pl_world *world, const pl_scene_info *scene, const char *name)
{
    char number[64];
    pl_settings s = pl_world_settings(world);
    pl_order_info order = pl_world_order(world);
    printf("scene           %s\n", name);
    if (scene->about[0])
    {
        printf("about           %s\n", scene->about);
    }
    printf("frames          %d of %.6g s\n", scene->frames, (double)scene->dt);
    printf("solver          %s, %s, %d x %d (substeps x iterations)\n", scene_solver_word(s.solver),
           s.integrator == PL_INTEGRATOR_BDF2 ? "bdf2" : "bdf1", s.substeps, s.iterations);
    printf("particles       %s\n", grouped(pl_particle_count(world), number));
    long long total = 0;
    for (int k = 0; k < PL_KIND_COUNT; k++)
    {
        total += pl_constraint_count(world, (pl_kind)k);
    }
    printf("constraints     %s\n", grouped(total, number));
    for (int k = 0; k < PL_KIND_COUNT; k++)
    {
        long long rows = pl_constraint_count(world, (pl_kind)k);
        const pl_kind_info *kind = pl_kind_describe((pl_kind)k);
        if (rows)
        {
            printf("  %-14s%s: %s\n", kind->name, grouped(rows, number), kind->about);
        }
    }
    print_groups(world);
    printf("faces           %s\n", grouped(pl_face_count(world), number));
    printf("colours         %d\n", order.colours);
    printf("tiles           %d", order.tiles);
    printf(order.tiles ? ", %s across them\n" : "%s\n", order.tiles ? counted(order.seams, "constraint", number) : "");
    if (order.jacobi)
    {
        printf("jacobi          %s beyond the limit of colours\n", counted(order.jacobi, "constraint", number));
    }
    printf("memory          %.1f MB\n", (double)pl_world_memory(world) / 1e6);
}

int command_info(int count, char **arguments)
{
    const char *name = NULL;
    const char **sets = calloc((size_t)count + 1, sizeof *sets);
    int set_count = 0, code = EXIT_GOOD;
    pl_scene *scene = NULL;
    pl_world *world = NULL;
    for (int i = 0; i < count && sets && code == EXIT_GOOD; i++)
    {
        if (asks_for_help(arguments[i]))
        {
            fputs(help, stdout);
            free(sets);
            return EXIT_GOOD;
        }
        if (strcmp(arguments[i], "--set") == 0 && i + 1 < count)
        {
            sets[set_count++] = arguments[++i];
        }
        else if (arguments[i][0] == '-' || name)
        {
            code = bad_usage("`pliant info` has no option \"%s\"; use `pliant info SCENE`", arguments[i]);
        }
        else
        {
            name = arguments[i];
        }
    }
    if (code == EXIT_GOOD && !name)
    {
        code = bad_usage("no scene is given; use `pliant info SCENE`, and `pliant list` for the names of the scenes");
    }
    if (code == EXIT_GOOD && load_scene(name, sets, set_count, &scene) != PL_OK)
    {
        code = EXIT_USAGE;
    }
    if (code == EXIT_GOOD && pl_scene_world(scene, NULL, &world) != PL_OK)
    {
        code = report_failure(EXIT_USAGE);
    }
    if (code == EXIT_GOOD)
    {
        pl_scene_info info = pl_scene_describe(scene);
        print_info(world, &info, name);
        print_warnings(world, scene);
    }
    pl_world_destroy(world);
    pl_scene_free(scene);
    free(sets);
    return code;
}
