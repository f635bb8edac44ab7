// history.h: what a run remembers of its frames, for the statistics and the plot.
#ifndef PLIANT_CLI_HISTORY_H
#define PLIANT_CLI_HISTORY_H

#include "advice/slow_frame.h"
#include "probes.h"

struct history
{
    double *ms; // for each frame
    int frames, capacity;
    pl_timing stages;           // summed up
    struct slow_frame slow;     // the slowest frame but the first
    pl_convergence convergence; // at the end, once history_convergence was called
    bool convergence_known;

    // Only when a plot was asked for, since they cost time: one sample before the first step and one after each.
    bool plotted;
    double *time, *kinetic, *potential, *elastic, *total, *residual_mean, *residual_max, *step_ms;
    double *probed; // of each probe, one after the other
    int samples;
    const struct probes *probes;
};

bool history_open(struct history *h, int frames, bool plotted, const struct probes *probes);
void history_free(struct history *h);
void history_sample(struct history *h, const pl_world *world, double ms);
void history_frame(struct history *h, const pl_world *world, double ms);

struct ms_summary
{
    double mean, median, p99;
};
// Measures how well the world has converged. It takes a while, so it does so once.
pl_convergence history_convergence(struct history *h, const pl_world *world);
struct ms_summary history_summary(const struct history *h);

#endif
