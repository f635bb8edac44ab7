// stacks.c: what stands, and how still: a pyramid of boxes, a heavy box on light ones, a chain with a heavy end.
#include "accuracy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void add_floor(pl_world *w)
{
    pl_shape_def floor = pl_default_shape_def();
    good(pl_add_shape(w, &floor, NULL));
}

static pl_id add_box(pl_world *w, pl_vec3 half, pl_vec3 at, float mass)
{
    pl_rigid_shape s = pl_default_rigid_shape();
    pl_rigid_def d = pl_default_rigid_def();
    pl_id id;
    s.half = half;
    d.shapes = &s, d.shape_count = 1, d.position = at, d.mass = mass;
    good(pl_add_rigid(w, &d, &id));
    return id;
}

static pl_rigid_state *states_of(const pl_world *w, int *count)
{
    *count = pl_world_rigids(w, NULL, 0);
    pl_id *ids = malloc((size_t)*count * sizeof *ids);
    pl_rigid_state *s = malloc((size_t)*count * sizeof *s);
    pl_world_rigids(w, ids, *count);
    good(pl_get_rigids(w, ids, *count, s));
    free(ids);
    return s;
}

static double distance(pl_vec3 a, pl_vec3 b)
{
    const double d[3] = {(double)a.x - (double)b.x, (double)a.y - (double)b.y, (double)a.z - (double)b.z};
    return length3(d);
}

// Steps the world and returns how far the body that moves farthest is from its place before, m.
static double creep_of(pl_world *w, int frames)
{
    int count;
    double most = 0.0;
    pl_rigid_state *from = states_of(w, &count);
    step_frames(w, frames);
    pl_rigid_state *to = states_of(w, &count);
    for (int i = 0; i < count; i++)
        most = fmax(most, distance(from[i].position, to[i].position));
    free(from);
    free(to);
    return most;
}

// ---- pyramid -------------------------------------------------------------------------------------------------------

static void put_to_sleep(pl_world *w)
{
    pl_settings s = pl_world_settings(w);
    s.sleep = true;
    good(pl_world_set_settings(w, &s));
}

static void build_pyramid(pl_world *w, int base)
{
    add_floor(w);
    for (int row = 0; row < base; row++)
        for (int i = 0; i < base - row; i++)
            add_box(w, (pl_vec3){0.5f, 0.5f, 0.5f},
                    (pl_vec3){1.05f * ((float)i - 0.5f * (float)(base - row - 1)), 0.5f + (float)row, 0.0f}, 1.0f);
}

static void check_pyramids(bool brief)
{
    printf("| pyramid of boxes of 1 m and 1 kg, 8 x 1 | creep from 10 to 20 s [mm] | from 50 to 60 s [mm] | kinetic "
           "energy "
           "after 60 s [J/kg] | then asleep after [s] |\n| --- | --- | --- | --- | --- |\n");
    for (int base = 20; base <= (brief ? 20 : 100); base *= 5)
    {
        pl_world *w = make_world(8, 1, 1);
        build_pyramid(w, base);
        int boxes = pl_world_rigids(w, NULL, 0), waited = 0;
        step_frames(w, 600);
        double early = creep_of(w, 600);
        step_frames(w, 1800);
        double late = creep_of(w, 600), kinetic = pl_world_energy(w).kinetic / (double)boxes;
        put_to_sleep(w);
        while (pl_sleeping_rigids(w) < boxes && waited++ < 600)
            step_frames(w, 1);
        printf("| %d boxes | %.4f | %.5f | %.1e | ", boxes, 1e3 * early, 1e3 * late, kinetic);
        printf(waited <= 600 ? "%.2f |\n" : "more than %.0f |\n", fmin(waited, 600) / 60.0);
        fflush(stdout);
        pl_world_destroy(w);
    }
}

// ---- loads ---------------------------------------------------------------------------------------------------------

static void check_loads(bool brief)
{
    printf("\n| 300 kg on seven boxes of 1 m and 1 kg, %d s | sinks by [mm] | aside [mm] | kinetic energy [J] |\n"
           "| --- | --- | --- | --- |\n",
           brief ? 15 : 60);
    for (int substeps = 8; substeps <= 20; substeps += 12)
    {
        pl_world *w = make_world(substeps, 1, 1);
        pl_id top = {0, 0};
        pl_rigid_state s;
        add_floor(w);
        for (int i = 0; i < 8; i++)
            top =
                add_box(w, (pl_vec3){0.5f, 0.5f, 0.5f}, (pl_vec3){0.0f, 0.5f + (float)i, 0.0f}, i < 7 ? 1.0f : 300.0f);
        step_frames(w, brief ? 900 : 3600);
        good(pl_get_rigids(w, &top, 1, &s));
        printf("| %d x 1 | %.1f | %.3f | %.1e |\n", substeps, 1e3 * (7.5 - (double)s.position.y),
               1e3 * hypot((double)s.position.x, (double)s.position.z), pl_world_energy(w).kinetic);
        pl_world_destroy(w);
    }
}

// ---- overlaps ------------------------------------------------------------------------------------------------------

static void check_overlaps(bool brief)
{
    static const double depths[] = {0.01, 0.1, 0.2, 0.5, 0.9};
    printf(
        "\n| two boxes of 1 m that begin inside each other, no gravity, 2 s: depth [m] | fastest at 8 substeps [m/s] | "
        "they part at | at 20: fastest | they part at |\n| --- | --- | --- | --- | --- |\n");
    for (int i = brief ? 2 : 0; i < (brief ? 3 : 5); i++)
    {
        printf("| %.2f |", depths[i]);
        for (int substeps = 8; substeps <= 20; substeps += 12)
        {
            pl_world *w = make_world(substeps, 1, 1);
            pl_settings settings = pl_world_settings(w);
            pl_rigid_state s;
            double most = 0.0, last = 0.0;
            settings.gravity = (pl_vec3){0.0f, 0.0f, 0.0f};
            good(pl_world_set_settings(w, &settings));
            add_box(w, (pl_vec3){0.5f, 0.5f, 0.5f}, (pl_vec3){0.0f, 0.0f, 0.0f}, 1.0f);
            pl_id b = add_box(w, (pl_vec3){0.5f, 0.5f, 0.5f}, (pl_vec3){0.0f, 1.0f - (float)depths[i], 0.0f}, 1.0f);
            for (int f = 0; f < 120; f++)
            {
                step_frames(w, 1);
                good(pl_get_rigids(w, &b, 1, &s));
                last = distance(s.velocity, (pl_vec3){0.0f, 0.0f, 0.0f});
                most = fmax(most, last);
            }
            printf(" %.4f | %.4f |", most, last);
            pl_world_destroy(w);
        }
        printf("\n");
    }
}

// ---- chain ---------------------------------------------------------------------------------------------------------

enum
{
    LINKS = 100
};

// The end of a link at x along it, in the world.
static pl_vec3 end_of(const pl_rigid_state *s, float x)
{
    const pl_quat q = s->rotation;
    return (pl_vec3){s->position.x + x * (1.0f - 2.0f * (q.y * q.y + q.z * q.z)),
                     s->position.y + x * 2.0f * (q.x * q.y + q.z * q.w),
                     s->position.z + x * 2.0f * (q.x * q.z - q.y * q.w)};
}

// A chain of boxes of 0.1 m along x, let go from horizontal: the mass of the last one is `ratio` times that of a link.
// Returns the largest sum of the gaps of its joints over its length.
static double stretch_of(int substeps, bool direct, float ratio, int frames)
{
    pl_world *w = make_world(substeps, 1, 1);
    pl_id link[LINKS];
    double most = 0.0;
    for (int i = 0; i < LINKS; i++)
    {
        pl_joint_def j = pl_default_joint_def();
        pl_joint joint;
        link[i] = add_box(w, (pl_vec3){0.05f, 0.02f, 0.02f}, (pl_vec3){0.05f + 0.1f * (float)i, 0.0f, 0.0f},
                          i == LINKS - 1 ? ratio : 1.0f);
        j.kind = PL_JOINT_BALL, j.direct = direct, j.a = i ? link[i - 1] : (pl_id){0, 0}, j.b = link[i];
        j.point = (pl_vec3){0.1f * (float)i, 0.0f, 0.0f};
        good(pl_add_joint(w, &j, &joint));
    }
    for (int f = 0; f < frames; f++)
    {
        pl_rigid_state s[LINKS];
        pl_vec3 last = {0.0f, 0.0f, 0.0f};
        double gaps = 0.0;
        step_frames(w, 1);
        good(pl_get_rigids(w, link, LINKS, s));
        for (int i = 0; i < LINKS; i++)
        {
            gaps += distance(last, end_of(&s[i], -0.05f));
            last = end_of(&s[i], 0.05f);
        }
        most = fmax(most, gaps / (0.1 * LINKS));
    }
    pl_world_destroy(w);
    return most;
}

static void check_chains(bool brief)
{
    static const struct
    {
        int substeps;
        bool direct;
    } runs[] = {{8, true}, {20, true}, {20, false}, {60, false}};
    printf("\n| chain of 100 links, let go from horizontal, %d s: stretch [%%] | end of 1 link's mass | 100 | 1,000 |\n"
           "| --- | --- | --- | --- |\n",
           brief ? 3 : 10);
    for (int i = 0; i < 4; i++)
    {
        printf("| %s, %d x 1 |", runs[i].direct ? "direct" : "swept", runs[i].substeps);
        for (float ratio = 1.0f; ratio <= 1000.0f; ratio *= ratio < 10.0f ? 100.0f : 10.0f)
            printf(" %.5f |", 100.0 * stretch_of(runs[i].substeps, runs[i].direct, ratio, brief ? 180 : 600));
        printf("\n");
    }
}

void check_stacks(bool brief)
{
    check_pyramids(brief);
    check_loads(brief);
    check_overlaps(brief);
    check_chains(brief);
    printf("\n");
}
