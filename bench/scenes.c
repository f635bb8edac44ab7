// scenes.c: the benchmark scenes.
//   clothN   N x N particles, 10 cm apart, 1 g each; edges, both diagonals and skip-one links; two corners held
//   bar      30 x 10 x 10 cells of 10 cm in five tetrahedra each: 20,150 edges and 15,000 volumes; one end held
//   bar_fem  the same as 15,000 neo-Hookean elements of 1 MPa
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    GLASS = -1,
    STACK = -2,
    COVER = -3,
    TRAMPOLINE = -4,
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
    {"sand10k", "10,000 grains, settled, 8 substeps", -10000, 8, 1, 0.0f},
    {"sand100k", "100,000 grains, settled, 8 substeps", -100000, 8, 1, 0.0f},
    {"cloth1000s", "1,000,000 particles, 20 substeps; GPUs only", 1000, 20, 1, 0.0f},
    {"sand1m", "1,000,000 grains, settled, 8 substeps", -1000000, 8, 1, 0.0f},
};

const char *scene_name(int number)
{
    return number >= 0 && number < (int)(sizeof table / sizeof *table) ? table[number].name : NULL;
}

static bool reserve(scene *s, int particles, int links, int tets)
{
    s->particles = particles;
    s->position = malloc((size_t)particles * 3 * sizeof *s->position);
    s->mass = malloc((size_t)particles * sizeof *s->mass);
    s->link = malloc((size_t)links * 2 * sizeof *s->link);
    s->tet = malloc(((size_t)tets * 4 + 1) * sizeof *s->tet);
    return s->position && s->mass && s->link && s->tet;
}

static void add_link(scene *s, int a, int b)
{
    s->link[2 * s->links] = a;
    s->link[2 * s->links + 1] = b;
    ++s->links;
}

static bool make_cloth(scene *s, int n)
{
    static const int step[6][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}, {2, 0}, {0, 2}};
    if (!reserve(s, n * n, 6 * n * n, 0))
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
                    add_link(s, y * n + x, v * n + u);
                }
            }
        }
    }
    return true;
}

enum
{
    BAR_X = 30,
    BAR_Y = 10,
    BAR_Z = 10,
};

static int bar_node(int x, int y, int z) { return (x * (BAR_Y + 1) + y) * (BAR_Z + 1) + z; }

// A cell's five tetrahedra; cells alternate, so that the diagonals of neighbours meet.
static void add_cell(scene *s, int x, int y, int z)
{
    static const int even[5][4] = {{0, 1, 2, 4}, {3, 1, 7, 2}, {5, 1, 4, 7}, {6, 2, 7, 4}, {1, 2, 4, 7}};
    for (int t = 0; t < 5; ++t)
    {
        for (int c = 0; c < 4; ++c)
        {
            int flip = (x + y + z) & 1; // mirrored along x in odd cells, and so the other way round
            int corner = even[t][flip && c > 1 ? 5 - c : c];
            int cx = (corner & 1) ^ flip, cy = corner >> 1 & 1, cz = corner >> 2 & 1;
            s->tet[4 * s->tets + c] = bar_node(x + cx, y + cy, z + cz);
        }
        ++s->tets;
    }
}

// Of the orders tried, the one with which Bullet is fastest and leaves the least error.
static int compare_links(const void *a, const void *b)
{
    const int32_t *p = a, *q = b;
    return p[0] != q[0] ? (p[0] < q[0] ? -1 : 1) : p[1] != q[1] ? (p[1] < q[1] ? -1 : 1) : 0;
}

static bool make_bar(scene *s)
{
    int particles = (BAR_X + 1) * (BAR_Y + 1) * (BAR_Z + 1), cells = BAR_X * BAR_Y * BAR_Z;
    if (!reserve(s, particles, cells * 5 * 6, cells * 5))
    {
        return false;
    }
    for (int i = 0; i < particles; ++i)
    {
        s->position[3 * i] = 0.1f * (float)(i / ((BAR_Y + 1) * (BAR_Z + 1)));
        s->position[3 * i + 1] = 0.1f * (float)(i / (BAR_Z + 1) % (BAR_Y + 1));
        s->position[3 * i + 2] = 0.1f * (float)(i % (BAR_Z + 1));
        s->mass[i] = i < (BAR_Y + 1) * (BAR_Z + 1) ? 0.0f : 0.1f;
    }
    for (int i = 0; i < cells; ++i)
    {
        add_cell(s, i / (BAR_Y * BAR_Z), i / BAR_Z % BAR_Y, i % BAR_Z);
    }
    for (int t = 0; t < s->tets; ++t)
    {
        for (int e = 0; e < 6; ++e)
        {
            static const int pair[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
            int a = s->tet[4 * t + pair[e][0]], b = s->tet[4 * t + pair[e][1]];
            add_link(s, a < b ? a : b, a < b ? b : a);
        }
    }
    qsort(s->link, (size_t)s->links, 2 * sizeof *s->link, compare_links);
    int kept = 0;
    for (int k = 0; k < s->links; ++k)
    {
        if (kept == 0 || compare_links(s->link + 2 * k, s->link + 2 * (kept - 1)) != 0)
        {
            memmove(s->link + 2 * kept++, s->link + 2 * k, 2 * sizeof *s->link);
        }
    }
    s->links = kept;
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

bool scene_make(const char *name, scene *out)
{
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
                       .for_gpu = table[i].size >= 1000,
                       .dt = 1.0f / 60.0f};
        if (table[i].size == GLASS)
        {
            tell_glass(out);
            return true;
        }
        if (table[i].size < GLASS && table[i].size >= TRAMPOLINE)
        {
            return tell_bodies(out, table[i].size);
        }
        return table[i].size > 0   ? make_cloth(out, table[i].size)
               : table[i].size < 0 ? make_grains(out, -table[i].size)
                                   : make_bar(out);
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
    return sum / s->links;
}
