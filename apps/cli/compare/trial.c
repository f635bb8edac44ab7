// trial.c: see trial.h.
#include "trial.h"

#include "blades.h"
#include "cli.h"
#include "newton.h"
#include "pictures.h"
#include "query/row_forces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool trial_give_up(struct trial *t, enum trial_state state, const char *why)
{
    t->state = state;
    snprintf(t->why, sizeof t->why, "%s", why);
    return false;
}

static bool check(struct trial *t, enum trial_state state, pl_result result)
{
    return result == PL_OK || trial_give_up(t, state, pl_error_message());
}

float *trial_sample(struct trial *t, const struct trial_def *def, double time)
{
    if (t->samples == 0)
    {
        return NULL;
    }
    double number = time / def->apart, nearest = floor(number + 0.5);
    bool there = fabs(number - nearest) * def->apart <= 1e-3 * t->dt && nearest < t->samples;
    return there ? t->path + 3 * (size_t)t->particle_end * (size_t)nearest : NULL;
}

static void keep_positions(struct trial *t, const struct trial_def *def, const pl_world *world, double time)
{
    float *to = trial_sample(t, def, time);
    if (to && (pl_particle_end(world) != t->particle_end ||
               pl_get(world, PL_ATTRIBUTE_POSITION, 0, t->particle_end, to) != PL_OK))
    {
        to[0] = NAN;
    }
}

static bool make_room(struct trial *t, const struct trial_def *def)
{
    bool room = history_open(&t->history, t->frames, true, &t->probes);
    if (room && def->apart > 0.0)
    {
        size_t floats = 3 * (size_t)t->particle_end;
        t->samples = (int)(t->frames * t->dt / def->apart + 1e-3) + 1;
        t->path = malloc(((size_t)t->samples * floats + 1) * sizeof *t->path);
        room = t->path != NULL;
        for (int i = 0; room && i < t->samples; i++)
        {
            t->path[(size_t)i * floats] = NAN;
        }
    }
    return room || trial_give_up(t, TRIAL_REFUSED, "no memory for what is measured; use fewer frames");
}

static double total_energy(const pl_world *world)
{
    pl_energy e = pl_world_energy(world);
    return e.kinetic + e.potential + e.elastic;
}

static bool step_frames(struct trial *t, const struct trial_def *def, const pl_scene *scene, pl_world *world)
{
    struct blades blades = {0};
    bool good = true;
    t->energy_first = total_energy(world);
    history_sample(&t->history, world, 0.0);
    keep_positions(t, def, world, 0.0);
    for (int f = 1; f <= t->frames && good; f++)
    {
        pl_result result = blades_before_step(&blades, scene, world);
        double began = milliseconds_now();
        result = result == PL_OK ? pl_world_step(world, (float)t->dt) : result;
        double ms = milliseconds_now() - began;
        good = check(t, TRIAL_DIVERGED, result);
        if (good)
        {
            history_frame(&t->history, world, ms);
            keep_positions(t, def, world, f * t->dt);
        }
        if (def->frame)
        {
            def->frame(def->user);
        }
    }
    blades_free(&blades);
    return good;
}

static void measure_end(struct trial *t, const pl_world *world)
{
    double angular[3];
    t->ms = history_summary(&t->history);
    t->residual = pl_world_residual(world);
    t->penetration = pl_world_penetration(world);
    t->energy_last = total_energy(world);
    pl_world_momentum(world, t->momentum, angular);
    t->convergence = pl_world_convergence(world);
    t->hash = pl_world_hash(world);
    if (t->settings.solver != PL_SOLVER_PBD)
    {
        t->forces = row_forces(world, NULL, 0);
        t->force = malloc(((size_t)t->forces + 1) * sizeof *t->force);
        t->forces = t->force ? row_forces(world, t->force, t->forces) : 0;
    }
}

static void take_picture(struct trial *t, const struct trial_def *def, const pl_scene_info *info, const pl_world *world)
{
    const char *files[] = {def->picture};
    struct options o = {.pictures = files, .picture_count = 1, .width = 640, .height = 360, .quiet = true};
    struct recorder *recorder = NULL;
    if (pictures_open(&recorder, &o, info, world) != EXIT_GOOD || !pictures_frame(recorder, world) ||
        !pictures_close(recorder, world))
    {
        snprintf(t->why, sizeof t->why, "no picture was made");
    }
}

static void describe(struct trial *t, const struct trial_def *def, const pl_scene_info *info, const pl_world *world)
{
    t->settings = pl_world_settings(world);
    t->dt = (double)info->dt;
    t->frames = (int)floor(def->seconds / t->dt + 0.5);
    t->particles = pl_particle_count(world);
    t->particle_end = pl_particle_end(world);
    for (int k = 0; k < PL_KIND_COUNT; k++)
    {
        t->constraints += pl_constraint_count(world, (pl_kind)k);
    }
}

static void run_engine(struct trial *t, const struct trial_def *def, const pl_scene *scene, pl_world *world)
{
    pl_scene_info info = pl_scene_describe(scene);
    if (step_frames(t, def, scene, world))
    {
        measure_end(t, world);
    }
    if (def->picture)
    {
        take_picture(t, def, &info, world);
    }
}

void trial_run(struct trial *t, const struct trial_def *def)
{
    pl_scene *scene = NULL;
    pl_world *world = NULL;
    pl_world_def world_def = pl_default_world_def();
    world_def.threads = def->threads;
    world_def.lanes = def->lanes;
    world_def.backend = def->backend && strcmp(def->backend, "cuda") == 0 ? PL_BACKEND_CUDA : PL_BACKEND_CPU;
    *t = (struct trial){0};
    if (check(t, TRIAL_REFUSED, find_scene(def->scene, def->sets, def->set_count, &scene)) &&
        check(t, TRIAL_REFUSED, pl_scene_world(scene, &world_def, &world)))
    {
        pl_scene_info info = pl_scene_describe(scene);
        describe(t, def, &info, world);
        if (probes_open(&t->probes, scene, def->probes, def->probe_count) != EXIT_GOOD)
        {
            trial_give_up(t, TRIAL_REFUSED, "a probe names particles that this trial does not have");
        }
        else if (make_room(t, def))
        {
            (def->newton ? newton_run : run_engine)(t, def, scene, world);
        }
    }
    pl_world_destroy(world);
    pl_scene_free(scene);
}

void trial_forget_path(struct trial *t)
{
    free(t->path);
    free(t->force);
    t->path = NULL;
    t->force = NULL;
    t->samples = 0;
}

void trial_free(struct trial *t)
{
    trial_forget_path(t);
    history_free(&t->history);
    probes_free(&t->probes);
}

// ---- comparing -----------------------------------------------------------------------------------------------------

// Sums of one sample.
struct apart
{
    double square;    // of the distances of all particles
    double centre[3]; // sum of the differences
};

static struct apart sample_apart(const float *a, const float *b, int particles)
{
    struct apart sum = {0};
    for (int i = 0; i < 3 * particles; i++)
    {
        double d = (double)a[i] - (double)b[i];
        sum.square += d * d;
        sum.centre[i % 3] += d;
    }
    return sum;
}

static double diagonal(const float *x, int particles)
{
    double square = 0.0;
    for (int c = 0; c < 3; c++)
    {
        float low = x[c], high = x[c];
        for (int i = 1; i < particles; i++)
        {
            low = fminf(low, x[3 * i + c]);
            high = fmaxf(high, x[3 * i + c]);
        }
        square += ((double)high - (double)low) * ((double)high - (double)low);
    }
    return sqrt(square);
}

static void compare_forces(const struct trial *t, const struct trial *reference, struct trial_error *error)
{
    double apart = 0.0, all = 0.0;
    error->force_measured = t->force && reference->force && t->forces == reference->forces && t->forces > 0;
    for (int64_t i = 0; error->force_measured && i < t->forces; i++)
    {
        double d = t->force[i] - reference->force[i];
        apart += d * d;
        all += reference->force[i] * reference->force[i];
    }
    error->force_measured &= all > 0.0;
    error->force = error->force_measured ? sqrt(apart / all) : 0.0;
}

struct trial_error trial_compare(const struct trial *t, const struct trial *reference)
{
    struct trial_error error = {0};
    int n = t->particle_end, samples = t->samples < reference->samples ? t->samples : reference->samples, counted = 0;
    if (n == 0 || n != reference->particle_end || t->state != TRIAL_DONE || reference->state != TRIAL_DONE)
    {
        return error;
    }
    for (int i = 0; i < samples; i++)
    {
        const float *a = t->path + 3 * (size_t)n * (size_t)i, *b = reference->path + 3 * (size_t)n * (size_t)i;
        if (isnan(a[0]) || isnan(b[0]))
        {
            continue;
        }
        struct apart sum = sample_apart(a, b, n);
        error.position += sum.square / n;
        error.end = sqrt(sum.square / n);
        for (int c = 0; c < 3; c++)
        {
            error.centre += sum.centre[c] * sum.centre[c] / ((double)n * n);
        }
        counted++;
    }
    error.measured = counted > 1; // one sample is the start
    error.size = samples > 0 ? diagonal(reference->path, n) : 0.0;
    if (error.measured)
    {
        error.position = sqrt(error.position / counted);
        error.centre = sqrt(error.centre / counted);
    }
    compare_forces(t, reference, &error);
    return error;
}
