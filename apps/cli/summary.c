// summary.c: see summary.h.
#include "summary.h"

#include "cli.h"
#include "convergence.h"

#include <inttypes.h>
#include <stdio.h>

void print_summary(const char *title, const pl_world *world, struct history *h)
{
    char particles[64], constraints[64], workers[64], width[64], who[160];
    long long total = 0;
    struct ms_summary ms = history_summary(h);
    pl_residual residual = pl_world_residual(world);
    for (int k = 0; k < PL_KIND_COUNT; k++)
    {
        total += pl_constraint_count(world, (pl_kind)k);
    }
    fprintf(stderr, "%s: %s, %s, frame %lld\n", title, counted(pl_particle_count(world), "particle", particles),
            counted(total, "constraint", constraints), (long long)pl_world_frame(world));
    int threads, lanes;
    pl_world_workers(world, &threads, &lanes);
    snprintf(who, sizeof who, "%s, %s", counted(threads, "thread", workers), counted(lanes, "lane", width));
    if (pl_world_backend(world) != PL_BACKEND_CPU)
    {
        snprintf(who, sizeof who, "%s", pl_world_device(world));
    }
    char off[96] = ""; // where nothing is constrained, nothing is off
    if (residual.count)
    {
        snprintf(off, sizeof off, ", residual %.3g %% mean, %.3g %% largest", 100.0 * residual.mean,
                 100.0 * residual.max);
    }
    else if (total)
    {
        snprintf(off, sizeof off, ", residual not measured: there are no distance constraints");
    }
    char converged[96];
    pl_convergence convergence = history_convergence(h, world);
    tell_convergence(&convergence, converged, sizeof converged);
    fprintf(stderr, "%.3f ms per frame (median; %s)%s%s\n", ms.median, who, off, converged);
    fprintf(stderr, "hash %016" PRIx64 "\n", pl_world_hash(world));
}

void warn_of_run(const pl_scene *scene, const pl_world *world, struct history *h)
{
    char text[512];
    float dt = pl_scene_describe(scene).dt;
    pl_convergence convergence = history_convergence(h, world);
    warn(scene, world, PL_ADVICE_STATE, 0, &convergence, stderr, "pliant: ");
    if (slow_frame_tell(&h->slow, history_summary(h).median, dt, text, sizeof text))
    {
        fprintf(stderr, "pliant: warning: %s\n", text);
    }
}
