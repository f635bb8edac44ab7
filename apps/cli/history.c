// history.c: see history.h.
#include "history.h"

#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SERIES = 8,
};

bool history_open(struct history *h, int frames, bool plotted, const struct probes *probes)
{
    size_t samples = (size_t)frames + 1;
    *h = (struct history){.capacity = frames, .plotted = plotted, .probes = probes};
    h->ms = calloc(samples, sizeof *h->ms);
    if (plotted)
    {
        double **series[SERIES] = {&h->time,  &h->kinetic,       &h->potential,    &h->elastic,
                                   &h->total, &h->residual_mean, &h->residual_max, &h->step_ms};
        double *all = calloc(samples * (SERIES + (size_t)probes->count), sizeof *all);
        for (size_t i = 0; all && i < SERIES; i++)
        {
            *series[i] = all + i * samples;
        }
        h->probed = all ? all + SERIES * samples : NULL;
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
    for (int k = 0; k < h->probes->count; k++)
    {
        h->probed[(size_t)k * ((size_t)h->capacity + 1) + (size_t)i] = probe_value(&h->probes->items[k], world);
    }
    if (i == 1)
    {
        h->step_ms[0] = ms; // no step led to the first sample; the line starts level
    }
}

void history_frame(struct history *h, const pl_world *world, double ms)
{
    pl_timing timing = pl_world_timing(world);
    h->ms[h->frames++] = ms;
    if (h->frames > 1)
    {
        slow_frame_note(&h->slow, pl_world_frame(world), &timing);
    }
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
