// measure.c: times engines against each other. They take turns within a run, a block of steps each, so that whatever
// else the machine does hits all of them; a step's time is the median over all steps of all rounds.
#include "clock.h"

#include <math.h>

#include "body_scene.h"

enum
{
    LINK_BYTES = 76, // two indices, a length, two particles read and written
    TURN = 10,       // steps in a row: long enough to warm the caches, short against the machine's moods
};

// Joints are looked at after every turn, since they open when bodies meet; places at the end.
static void note_bodies(const scene *s, const engine *from, void *state, body_errors *so_far)
{
    float *poses = malloc((size_t)s->particles * POSE_FLOATS * sizeof *poses);
    if (poses != NULL)
    {
        from->poses(state, poses);
        body_errors e = find_body_errors(s->bodies, poses);
        e.gap_max = fmax(e.gap_max, so_far->gap_max);
        e.gap_mean = fmax(e.gap_mean, so_far->gap_mean);
        *so_far = e;
    }
    free(poses);
}

// Figures of one engine after a round.
typedef struct left
{
    double error;
    int inverted;
    body_errors bodies;
} left;

static void note_particles(const scene *s, const engine *from, void *state, float *x, left *out)
{
    if (s->bodies != NULL)
    {
        out->error = s->bodies->joints > 0 ? out->bodies.gap_mean : out->bodies.drift_mean;
        return;
    }
    if (s->spacing > 0.0f)
    {
        out->error = from->compression(state);
        return;
    }
    from->positions(state, x);
    out->inverted = tets_inverted(s, x);
    out->error = s->radius > 0.0f ? grains_overlap(s, x) : s->told != NULL ? 0.0 : scene_stretch(s, x);
}

static bool run_round(const scene *s, const engine *engines, int count, int steps, double **times, left *errors)
{
    void *state[MAX_ENGINES] = {0};
    bool good = true;
    for (int e = 0; e < count; ++e)
    {
        state[e] = engines[e].create(s, engines[e].threads, engines[e].lanes);
        good = good && state[e] != NULL;
    }
    for (int e = 0; e < count; ++e)
    {
        // A GPU takes its memory and writes its plan down in its first frames.
        int before = engines[e].ms != NULL && s->settle < 5 ? 5 : s->settle;
        for (int n = 0; n < before && good; ++n)
        {
            good = engines[e].step(state[e]);
        }
    }
    for (int from = 0; from < steps && good; from += TURN)
    {
        for (int e = 0; e < count; ++e)
        {
            for (int n = from; n < from + TURN && n < steps && good; ++n)
            {
                double start = now();
                good = engines[e].step(state[e]);
                times[e][n] = engines[e].ms != NULL ? engines[e].ms(state[e]) : now() - start;
            }
            if (good && s->bodies != NULL)
            {
                note_bodies(s, &engines[e], state[e], &errors[e].bodies);
            }
        }
    }
    float *x = malloc((size_t)s->particles * 3 * sizeof *x);
    for (int e = 0; e < count; ++e)
    {
        if (good && x != NULL)
        {
            note_particles(s, &engines[e], state[e], x, &errors[e]);
        }
        if (state[e] != NULL)
        {
            engines[e].destroy(state[e]);
        }
    }
    free(x);
    return good && x != NULL;
}

bool measure(const scene *s, const engine *engines, int count, int rounds, int steps, result *out)
{
    double *times[MAX_ENGINES];
    left errors[MAX_ENGINES] = {0};
    size_t total = (size_t)rounds * (size_t)steps;
    double *memory = malloc((size_t)count * total * sizeof *memory);
    bool good = memory != NULL;
    for (int round = 0; round < rounds && good; ++round)
    {
        for (int e = 0; e < count; ++e)
        {
            times[e] = memory + (size_t)e * total + (size_t)round * (size_t)steps;
        }
        good = run_round(s, engines, count, steps, times, errors);
    }
    double bullet = 0.0;
    for (int e = 0; e < count && good; ++e)
    {
        double *all = memory + (size_t)e * total;
        qsort(all, total, sizeof *all, compare_times);
        bool elements = engines[e].volumes && s->young > 0.0f;
        double rows = s->radius > 0.0f || s->spacing > 0.0f || s->told != NULL || s->body_size > 0 || s->bodies != NULL
                          ? s->particles
                      : elements ? s->tets
                                 : s->links + (engines[e].volumes ? s->tets : 0);
        double ms = 0.5 * (all[total / 2] + all[(total - 1) / 2]);
        out[e] = (result){.bench = s->name,
                          .from = engines[e],
                          .particles = s->particles,
                          .ms = ms,
                          .ms_min = all[0],
                          .work_per_s = rows * s->substeps * s->iterations / ms * 1e3,
                          .error = errors[e].error,
                          .tets = elements ? s->tets : 0,
                          .inverted = errors[e].inverted,
                          .bodies = s->bodies != NULL ? s->bodies->bodies : 0,
                          .drift_mean = errors[e].bodies.drift_mean,
                          .drift_max = errors[e].bodies.drift_max,
                          .gap_mean = errors[e].bodies.gap_mean,
                          .gap_max = errors[e].bodies.gap_max,
                          .bytes_per_s = engines[e].copy_rate > 0.0 && s->links > 0 && s->tets == 0 && s->bodies == NULL
                                             ? LINK_BYTES * rows * s->substeps * s->iterations / ms * 1e3
                                             : 0.0};
        bullet = engines[e].name[0] == 'b' ? ms : bullet;
    }
    for (int e = 0; e < count && good; ++e)
    {
        out[e].ratio = bullet / out[e].ms;
    }
    free(memory);
    return good;
}
