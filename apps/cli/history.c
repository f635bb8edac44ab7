// history.c: see history.h.
#include "history.h"

#include "cli.h"
#include "io/plot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SERIES = 8,
};

bool history_open(struct history *h, int frames, bool plotted)
{
    size_t samples = (size_t)frames + 1;
    *h = (struct history){.capacity = frames, .plotted = plotted};
    h->ms = calloc(samples, sizeof *h->ms);
    if (plotted)
    {
        double **series[SERIES] = {&h->time,  &h->kinetic,       &h->potential,    &h->elastic,
                                   &h->total, &h->residual_mean, &h->residual_max, &h->step_ms};
        double *all = calloc(samples * SERIES, sizeof *all);
        for (size_t i = 0; all && i < SERIES; i++)
        {
            *series[i] = all + i * samples;
        }
    }
    return h->ms && (!plotted || h->time);
}

void history_free(struct history *h)
{
    free(h->ms);
    free(h->time); // the block of all series
}

void history_sample(struct history *h, const pl_world *world, double ms)
{
    if (!h->plotted || h->samples > h->capacity)
    {
        return;
    }
    int i = h->samples++;
    pl_energy energy = pl_world_energy(world);
    pl_residual residual = pl_world_residual(world);
    h->time[i] = pl_world_time(world);
    h->kinetic[i] = energy.kinetic;
    h->potential[i] = energy.potential;
    h->elastic[i] = energy.elastic;
    h->total[i] = energy.kinetic + energy.potential + energy.elastic;
    h->residual_mean[i] = residual.mean;
    h->residual_max[i] = residual.max;
    h->step_ms[i] = ms;
    if (i == 1)
    {
        h->step_ms[0] = ms; // no step led to the first sample; the line starts level
    }
}

void history_frame(struct history *h, const pl_world *world, double ms)
{
    pl_timing timing = pl_world_timing(world);
    h->ms[h->frames++] = ms;
    h->stages.total += timing.total;
    for (int i = 0; i < PL_STAGE_GROUP_COUNT; i++)
    {
        h->stages.stage[i] += timing.stage[i];
    }
    history_sample(h, world, ms);
}

pl_convergence history_convergence(struct history *h, const pl_world *world)
{
    if (!h->convergence_known)
    {
        h->convergence = pl_world_convergence(world);
        h->convergence_known = true;
    }
    return h->convergence;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct ms_summary history_summary(const struct history *h)
{
    struct ms_summary s = {0.0, 0.0, 0.0};
    double *sorted = h->frames ? malloc((size_t)h->frames * sizeof *sorted) : NULL;
    if (!sorted)
    {
        return s;
    }
    memcpy(sorted, h->ms, (size_t)h->frames * sizeof *sorted);
    qsort(sorted, (size_t)h->frames, sizeof *sorted, compare);
    for (int i = 0; i < h->frames; i++)
    {
        s.mean += sorted[i];
    }
    s.mean /= h->frames;
    int n = h->frames, rank = (99 * n + 99) / 100; // the nearest rank
    s.median = n % 2 ? sorted[n / 2] : 0.5 * (sorted[n / 2 - 1] + sorted[n / 2]);
    s.p99 = sorted[rank - 1];
    free(sorted);
    return s;
}

pl_result history_plot(const struct history *h, const pl_world *world, const char *scene, const char *path)
{
    const struct plot_panel panels[] = {
        {.title = "energy",
         .unit = "J",
         .count = 4,
         .lines = {{"kinetic", h->kinetic}, {"potential", h->potential}, {"elastic", h->elastic}, {"total", h->total}}},
        {.title = "residual",
         .unit = "% of the rest length",
         .scale = 100.0,
         .from_zero = true,
         .count = 2,
         .lines = {{"mean", h->residual_mean}, {"largest", h->residual_max}}},
        {.title = "time per frame", .unit = "ms", .from_zero = true, .count = 1, .lines = {{"step", h->step_ms}}},
    };
    char subtitle[240], particles[64], constraints[64];
    pl_settings s = pl_world_settings(world);
    long long total = 0;
    for (int k = 0; k < PL_KIND_COUNT; k++)
    {
        total += pl_constraint_count(world, (pl_kind)k);
    }
    snprintf(subtitle, sizeof subtitle, "%s, %s, %d × %d (substeps × iterations), %s",
             counted(pl_particle_count(world), "particle", particles), counted(total, "constraint", constraints),
             s.substeps, s.iterations, s.integrator == PL_INTEGRATOR_BDF2 ? "BDF2" : "BDF1");
    struct plot plot = {.title = scene,
                        .subtitle = subtitle,
                        .x_title = "time, s",
                        .x = h->time,
                        .samples = h->samples,
                        .panels = panels,
                        .panel_count = 3};
    return plot_write(path, &plot);
}
