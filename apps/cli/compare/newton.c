// newton.c: see newton.h.
#include "newton.h"

#include "io/scene.h"
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>

static void keep_positions(struct trial *t, const struct trial_def *def, const judge *j, double time)
{
    float *to = trial_sample(t, def, time);
    for (int i = 0; to && i < 3 * t->particle_end; i++)
    {
        to[i] = (float)j->x[i];
    }
}

static void keep_forces(struct trial *t, const judge *j)
{
    t->force = malloc((JUDGE_MAX_PARTS * (size_t)j->rows + 1) * sizeof *t->force);
    for (int r = 0; t->force && r < j->rows; r++)
    {
        if (j->row[r].compliance > 0.0)
        {
            t->forces += judge_forces(&j->row[r], t->force + t->forces);
        }
    }
}

static bool step_frame(struct trial *t, judge *j, int frame)
{
    char why[160];
    judge_report report;
    for (int s = 0; s < t->settings.substeps; s++)
    {
        if (!judge_step(j, t->dt / t->settings.substeps, &report))
        {
            snprintf(why, sizeof why, "Newton's method did not converge in frame %d; use more substeps", frame);
            return trial_give_up(t, TRIAL_DIVERGED, why);
        }
    }
    return true;
}

void newton_run(struct trial *t, const struct trial_def *def, const pl_scene *scene, pl_world *world)
{
    bool moved = scene->script.count > 0 || scene->cut.count > 0;
    judge *j = moved ? NULL : judge_whole_world(world);
    if (!j)
    {
        trial_give_up(t, TRIAL_REFUSED,
                      moved ? "the reference solver does not cover scripts and cuts" : pl_error_message());
        return;
    }
    keep_positions(t, def, j, 0.0);
    for (int f = 1; f <= t->frames && step_frame(t, j, f); f++)
    {
        keep_positions(t, def, j, f * t->dt);
        if (def->frame)
        {
            def->frame(def->user);
        }
    }
    keep_forces(t, j);
    judge_destroy(j);
}
