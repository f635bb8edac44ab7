// costs.c: see costs.h.
#define _POSIX_C_SOURCE 200112L
#include "costs.h"
#include "worlds.h"

#include <stdio.h>
#include <time.h>

static pl_world *open_scene(const char *name, const char *const *sets, int count, pl_backend backend, pl_scene **scene)
{
    size_t length;
    const char *text = pl_builtin_scene(name, &length);
    pl_world_def def = pl_default_world_def();
    pl_world *w;
    def.backend = backend;
    must(pl_scene_parse(text, length, name, sets, count, scene));
    must(pl_scene_world(*scene, &def, &w));
    return w;
}

// ms by the clock on the wall
static double time_steps(pl_world *w, float dt, int count)
{
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (int i = 0; i < count; i++)
        must(pl_world_step(w, dt));
    clock_gettime(CLOCK_MONOTONIC, &b);
    return 1e3 * (double)(b.tv_sec - a.tv_sec) + 1e-6 * (double)(b.tv_nsec - a.tv_nsec);
}

// What an edit costs: the step after it, which sends what has changed, beside a step without one.
static void time_scene_edits(const char *name, const char *const *sets, int count, pl_backend backend)
{
    pl_scene *scene;
    pl_world *w = open_scene(name, sets, count, backend, &scene);
    double best[4] = {1e30, 1e30, 1e30, 1e30};
    for (int f = 0; f < 24; f++)
    {
        int what = f < 6 ? 0 : f % 4;
        pl_particles_def p = pl_default_particles_def();
        const float x[3] = {0.0f, 50.0f, 0.0f}, v[3] = {0.0f, 1.0f, 0.0f};
        p.count = 1;
        p.position = x;
        if (what == 1)
            must(pl_add_particles(w, &p, NULL));
        if (what == 2)
            must(pl_set(w, PL_ATTRIBUTE_VELOCITY, 7, 1, v));
        double ms = time_steps(w, pl_scene_describe(scene).dt, 1);
        best[what] = f >= 6 && ms < best[what] ? ms : best[what];
    }
    printf("%-10s %-4s %8d particles  plain step %8.3f ms, after an added particle %8.3f, after a set velocity %8.3f\n",
           name, backend == PL_BACKEND_CUDA ? "cuda" : "cpu", pl_particle_count(w), best[0], best[1], best[2]);
    fflush(stdout);
    pl_world_destroy(w);
    pl_scene_free(scene);
}

int time_edits(void)
{
    static const char *const large[] = {"grains.size=[100,100,100]"};
    for (int b = 0; b < 2; b++)
    {
        pl_backend backend = b ? PL_BACKEND_CUDA : PL_BACKEND_CPU;
        time_scene_edits("flag", NULL, 0, backend);
        time_scene_edits("curtain", NULL, 0, backend);
        time_scene_edits("sandpile", NULL, 0, backend);
        time_scene_edits("sandpile", large, 1, backend);
    }
    return 0;
}

// What a frame takes by the clock on the wall: with --no-copies, without copies on their way home.
static void time_frames(const char *name, const char *set)
{
    const char *const sets[1] = {set};
    pl_scene *scene;
    pl_world *w = open_scene(name, sets, set ? 1 : 0, PL_BACKEND_CUDA, &scene);
    double best = 1e30, device = 0.0;
    for (int round = 0; round < 9; round++)
    {
        double ms = time_steps(w, pl_scene_describe(scene).dt, 20) / 20.0;
        if (round > 0 && ms < best)
            best = ms, device = pl_world_timing(w).total;
    }
    printf("%-10s %8d particles  %8.4f ms a frame, %8.4f by the device's clock\n", name, pl_particle_count(w), best,
           device);
    fflush(stdout);
    pl_world_destroy(w);
    pl_scene_free(scene);
}

int time_copies(void)
{
    time_frames("flag", NULL);
    time_frames("curtain", "cloth.size=[200,200]");
    time_frames("curtain", "cloth.size=[1000,1000]");
    time_frames("sandpile", NULL);
    time_frames("sandpile", "grains.size=[46,46,47]");
    time_frames("sandpile", "grains.size=[100,100,100]");
    return 0;
}
