// scenes.c: the benchmark scenes.
//   clothN   N x N particles, 10 cm apart, 1 g each; edges, both diagonals and skip-one links; two corners held
//   bar      30 x 10 x 10 cells of 10 cm in five tetrahedra each: 20,150 edges and 15,000 volumes; one end held
//   bar_fem  the same as 15,000 neo-Hookean elements of 1 MPa
//   tetsN    bars of N of those
//   bodies   270 rigid bodies of 16 particles, tumbling, 20 iterations
//   wall and what follows it: body_scenes.c
#include "body_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    GLASS = -1,
    STACK = -2,
    COVER = -3,
    TRAMPOLINE = -4,
    BODIES = -5,
    TETS = -6,
    MANY_TETS = -7,
    RIGID = -8, // with Bullet beside it
    RIGID_ALONE = -9,
    RIGID_GPU = -10, // for GPUs only
    TANK = -11,
    TANK_100K = -12,
    TANK_1M = -13, // for GPUs only, as the next two
    TANK_10M = -14,
    TANK_100M = -15,
    HAIR = -16,
};

static const struct
{
    const char *name, *about;
    int size, substeps, iterations; // size 0: the bar; below 0: so many grains; GLASS and the like: scenes
    float young;
} table[] = {
    {"cloth70", "4,900 particles, 20 iterations", 70, 1, 20, 0.0f},
    {"cloth200", "40,000 particles, 20 iterations", 200, 1, 20, 0.0f},
    {"cloth70s", "4,900 particles, 20 substeps", 70, 20, 1, 0.0f},
    {"cloth200s", "40,000 particles, 20 substeps", 200, 20, 1, 0.0f},
    {"bar", "15,000 tetrahedra, 20 substeps", 0, 20, 1, 0.0f},
    {"bar_fem", "15,000 neo-Hookean tetrahedra, 20 substeps", 0, 20, 1, 1e6f},
    {"spheres", "5,000 spheres settled in a box, 8 substeps", -5000, 8, 1, 0.0f},
    {"glass", "the scene, 5,000 grains settled in a glass, 12 substeps", GLASS, 12, 1, 0.0f},
    {"stack", "the scene, a wall of 8,000 particles in 45 rigid bricks, settled, 20 substeps", STACK, 20, 1, 0.0f},
    {"cover", "the scene, a cloth of 40,000 particles over rigid boxes of 64,000, 20 substeps", COVER, 20, 1, 0.0f},
    {"trampoline", "the scene, a cloth of 1,200 particles and a rigid box of 216, 20 substeps", TRAMPOLINE, 20, 1,
     0.0f},
    {"bodies270", "270 rigid bodies of 16 particles, 20 iterations", BODIES, 1, 20, 0.0f},
    {"tets20k", "20,000 neo-Hookean tetrahedra, 20 substeps", TETS, 20, 1, 1e6f},
    {"wall", "a standing wall of 1,012 rigid boxes, 8 substeps; drift after 5 s", RIGID, 8, 1, 0.0f},
    {"ragdolls", "50 figures of 11 bodies with hinges and motors, on the floor, 8 substeps", RIGID, 8, 1, 0.0f},
    {"pyramid", "a pyramid of 5,050 boxes, 4 substeps", RIGID_ALONE, 4, 1, 0.0f},
    {"boxes", "196 pyramids of 55 boxes, 4 substeps", RIGID_ALONE, 4, 1, 0.0f},
    {"joints", "a net of 10,000 bodies with 19,800 ball joints, 4 substeps", RIGID_ALONE, 4, 1, 0.0f},
    {"hair", "the scene, 10,000 strands of 32 points on a head, 1 substep", HAIR, 1, 1, 0.0f},
    {"fluid", "a tank of 4,500 particles of water, 4 substeps of 2 iterations", TANK, 4, 2, 0.0f},
    {"fluid2", "the same, 10 substeps of 2 iterations", TANK, 10, 2, 0.0f},
    {"sand10k", "10,000 grains, settled, 8 substeps", -10000, 8, 1, 0.0f},
    {"sand100k", "100,000 grains, settled, 8 substeps", -100000, 8, 1, 0.0f},
    {"cloth1000s", "1,000,000 particles, 20 substeps; GPUs only", 1000, 20, 1, 0.0f},
    {"tets1m10", "1,000,000 neo-Hookean tetrahedra, 10 substeps; GPUs only", MANY_TETS, 10, 1, 1e6f},
    {"tets1m", "1,000,000 neo-Hookean tetrahedra, 20 substeps; GPUs only", MANY_TETS, 20, 1, 1e6f},
    {"bricks110k", "110 walls of 1,000 bricks, 8 substeps; GPUs only", RIGID_GPU, 8, 1, 0.0f},
    {"bricks510k", "510 walls of 1,000 bricks, 8 substeps; GPUs only", RIGID_GPU, 8, 1, 0.0f},
    {"joints72k", "a net of 36,100 bodies with 71,820 ball joints, 4 substeps; GPUs only", RIGID_GPU, 4, 1, 0.0f},
    {"fluid100k", "100,000 particles of water, 10 substeps of 2 iterations", TANK_100K, 10, 2, 0.0f},
    {"fluid1m", "1,000,000 particles of water, 10 substeps of 2 iterations; GPUs only", TANK_1M, 10, 2, 0.0f},
    {"fluid1m4", "the same, 4 substeps of 1 iteration; GPUs only", TANK_1M, 4, 1, 0.0f},
    {"fluid10m", "10,000,000 particles of water, 10 substeps of 2 iterations; GPUs only", TANK_10M, 10, 2, 0.0f},
    {"fluid10m4", "the same, 4 substeps of 1 iteration; GPUs only", TANK_10M, 4, 1, 0.0f},
    {"fluid100m", "100,000,000 particles of water, 4 substeps of 1 iteration; GPUs only", TANK_100M, 4, 1, 0.0f},
    {"sand1m", "1,000,000 grains, settled, 8 substeps", -1000000, 8, 1, 0.0f},
};

const char *scene_name(int number)
{
    return number >= 0 && number < (int)(sizeof table / sizeof *table) ? table[number].name : NULL;
}

bool scene_reserve(scene *s, int particles, int links, int tets)
{
    s->particles = particles;
    s->position = malloc((size_t)particles * 3 * sizeof *s->position);
    s->mass = malloc((size_t)particles * sizeof *s->mass);
    s->link = malloc((size_t)links * 2 * sizeof *s->link);
    s->tet = malloc(((size_t)tets * 4 + 1) * sizeof *s->tet);
    return s->position && s->mass && s->link && s->tet;
}

void scene_add_link(scene *s, int a, int b)
{
    s->link[2 * s->links] = a;
    s->link[2 * s->links + 1] = b;
    ++s->links;
}

static bool make_cloth(scene *s, int n)
{
    static const int step[6][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}, {2, 0}, {0, 2}};
    if (!scene_reserve(s, n * n, 6 * n * n, 0))
    {
        return false;
    }
    for (int i = 0; i < n * n; ++i)
    {
        s->position[3 * i] = 0.1f * (float)(i % n);
        s->position[3 * i + 1] = 0.0f;
        s->position[3 * i + 2] = 0.1f * (float)(i / n);
        s->mass[i] = i == 0 || i == n - 1 ? 0.0f : 0.001f;
    }
    // Direction by direction: an order that is stable with one sweep a substep in every engine.
    for (int k = 0; k < 6; ++k)
    {
        for (int y = 0; y < n; ++y)
        {
            for (int x = 0; x < n; ++x)
            {
                int u = x + step[k][0], v = y + step[k][1];
                if (u < n && v >= 0 && v < n)
                {
                    scene_add_link(s, y * n + x, v * n + u);
                }
            }
        }
    }
    return true;
}

// Scenes with rigid bodies, at their published sizes.
static bool tell_bodies(scene *s, int which)
{
    static const char *const large[] = {"cloth.size=[200,200]", "cloth.radius=0.01", "cloth.stretch.compliance=1e-7",
                                        "body.spacing=0.02", "substeps=20"};
    s->told = s->name;
    s->particles = which == STACK ? 8000 : which == COVER ? 104000 : 1416;
    s->settle = 30;
    if (which == COVER)
    {
        s->sets = large;
        s->set_count = 5;
    }
    return true;
}

// Boxes of 4 x 2 x 2 particles side by side, each turning its own way.
static bool make_bodies(scene *s, int bodies)
{
    int each = 16, particles = bodies * each;
    s->velocity = malloc((size_t)particles * 3 * sizeof *s->velocity);
    if (!scene_reserve(s, particles, 0, 0) || s->velocity == NULL)
    {
        return false;
    }
    s->body_size = each;
    for (int i = 0; i < particles; ++i)
    {
        int body = i / each, in = i % each;
        float *x = s->position + 3 * (size_t)i, *v = s->velocity + 3 * (size_t)i, turn = (float)(body % 7 - 3);
        float from[3] = {0.1f * ((float)(in % 4) - 1.5f), 0.1f * ((float)(in / 4 % 2) - 0.5f),
                         0.1f * ((float)(in / 8) - 0.5f)};
        x[0] = from[0] + 0.6f * (float)(body % 18);
        x[1] = from[1];
        x[2] = from[2] + 0.6f * (float)(body / 18);
        v[0] = turn * (from[1] - 0.5f * from[2]), v[1] = -turn * from[0], v[2] = 0.5f * turn * from[0];
        s->mass[i] = 1.0f;
    }
    return true;
}

bool scene_make(const char *name, scene *out)
{
    static const int bar[3] = {30, 10, 10}, long_bar[3] = {40, 10, 10}, block[3] = {80, 50, 50};
    static const int tanks[][2] = {{15, 15}, {70, 72}, {224, 224}, {707, 708}, {2236, 2237}};
    for (int i = 0; scene_name(i) != NULL; ++i)
    {
        if (strcmp(name, table[i].name) != 0)
        {
            continue;
        }
        *out = (scene){.name = table[i].name,
                       .about = table[i].about,
                       .substeps = table[i].substeps,
                       .iterations = table[i].iterations,
                       .young = table[i].young,
                       .for_gpu = table[i].size >= 1000 || table[i].size == MANY_TETS || table[i].size == RIGID_GPU ||
                                  (table[i].size <= TANK_1M && table[i].size >= TANK_100M),
                       .alone = table[i].size == RIGID_ALONE || table[i].size == RIGID_GPU || table[i].size <= TANK,
                       .dt = 1.0f / 60.0f};
        if (table[i].size <= TANK && table[i].size >= TANK_100M)
        {
            return make_tank(out, tanks[TANK - table[i].size][0], tanks[TANK - table[i].size][1]);
        }
        if (table[i].size == HAIR)
        {
            out->told = out->name;
            out->particles = 320001; // with the body that follows the head
            out->settle = 60;
            return true;
        }
        if (table[i].size == GLASS)
        {
            tell_glass(out);
            return true;
        }
        if (table[i].size <= RIGID && table[i].size >= RIGID_GPU)
        {
            out->settle = 180; // with 120 steps: 5 s
            return make_body_scene(out, name);
        }
        if (table[i].size == BODIES)
        {
            return make_bodies(out, 270);
        }
        if (table[i].size == TETS || table[i].size == MANY_TETS)
        {
            return make_bar(out, table[i].size == TETS ? long_bar : block);
        }
        if (table[i].size < GLASS && table[i].size >= TRAMPOLINE)
        {
            return tell_bodies(out, table[i].size);
        }
        return table[i].size > 0   ? make_cloth(out, table[i].size)
               : table[i].size < 0 ? make_grains(out, -table[i].size)
                                   : make_bar(out, bar);
    }
    return false;
}

void scene_free(scene *s)
{
    free(s->position);
    free(s->mass);
    free(s->velocity);
    free(s->link);
    free(s->tet);
    free_bodies(s->bodies);
}

static double link_length(const float *position, const int32_t *link)
{
    double sum = 0.0;
    for (int k = 0; k < 3; ++k)
    {
        double d = (double)position[3 * link[0] + k] - (double)position[3 * link[1] + k];
        sum += d * d;
    }
    return sqrt(sum);
}

double scene_stretch(const scene *s, const float *position)
{
    double sum = 0.0;
    for (int k = 0; k < s->links; ++k)
    {
        double rest = link_length(s->position, s->link + 2 * k);
        sum += fabs(link_length(position, s->link + 2 * k) - rest) / rest;
    }
    return s->links > 0 ? sum / s->links : 0.0;
}
