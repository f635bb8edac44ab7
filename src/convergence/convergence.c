// convergence.c: measures how well the forces have converged, by trials: copies of the world compute the next substep
// with the iterations of the settings and with more.
//
// Gauss-Seidel reduces the smooth part of the error slowly, so that neither the residual C + a lambda nor the change by
// the last iteration shows the error: it is 1/(1 - rho) times as large, and rho is close to 1. A trial with enough
// iterations needs no such estimate. The iterations are enough if four times as many change the forces little.
#include "edit/add.h"
#include "query/recommend.h"

#include <math.h>
#include <string.h>

#define SETTLED_PART 0.1      // the forces have settled when four times the iterations change this part of the error
#define SETTLED_ERROR 0.002   // ... or this part of the forces
#define MOST_SOLVES 300000000 // rows x iterations of one trial: some seconds

enum
{
    FACTOR = 4,
    MOST_FACTOR = 1024,
    MOST_ITERATIONS = 10000,
    STRETCH = 256, // rows measured at a time
};

typedef struct trials
{
    const pl_world *w;
    memory m;
    float *weight; // the elastic energy of each row that has a compliance, kind by kind
    int64_t rows, weights;
    float *lambda[3]; // of all parts of these rows: with the iterations of the settings, in the last trial, in this one
    int64_t parts, lambdas[3];
    void *saved;
    size_t size;
} trials;

static bool is_soft(const rows *r, int64_t row) { return r->soft[row].compliance > 0.0f && !row_broken(r, row); }

// Counts the rows that have a compliance, and all rows.
static int64_t count_rows(trials *t)
{
    int64_t all = 0;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        const rows *r = &t->w->rows[kind];
        all += r->count;
        for (int64_t i = 0; i < r->count; i++)
            if (is_soft(r, i))
            {
                t->rows++;
                t->parts += facts_of(kind)->info.parts;
            }
    }
    return all;
}

// Computes the weights of the rows, and the mean strain of the rigid ones.
static void weigh_rows(trials *t, pl_convergence *out)
{
    float value[STRETCH], *weight = t->weight;
    double strain = 0.0;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        const rows *r = &t->w->rows[kind];
        const kind_facts *k = facts_of(kind);
        for (int64_t i = 0; i < r->count; i++)
        {
            if (i % STRETCH == 0)
                rows_measure(t->w, kind, i, r->count - i < STRETCH ? (int32_t)(r->count - i) : STRETCH, value);
            double c = row_violation(k, value[i % STRETCH]), compliance = (double)r->soft[i].compliance;
            if (is_soft(r, i))
            {
                *weight = (float)(0.5 * c * c / compliance);
                out->count += *weight++ > 0.0f;
            }
            else if (k->scale && !row_broken(r, i))
            {
                strain += fabs(c) / (double)r->param[i * k->info.params];
                out->rigid_count++;
            }
        }
    }
    out->rigid_strain = out->rigid_count ? strain / (double)out->rigid_count : 0.0;
}

// Computes the next substep of a copy of the world.
static pl_result try_iterations(const trials *t, int iterations, float *lambda)
{
    const pl_world *w = t->w;
    pl_world *copy = NULL;
    pl_world_def def = pl_default_world_def();
    def.allocator = w->memory.hook;
    def.tasks = w->cpu.tasks;
    pl_world_workers(w, &def.threads, NULL);
    pl_result result = pl_world_load_memory(&def, t->saved, t->size, &copy);
    if (result != PL_OK)
        return result;
    copy->settings.substeps = 1;
    copy->settings.iterations = iterations;
    copy->last_dt = w->last_dt / (float)w->settings.substeps; // the same substep, so that BDF2 keeps its history
    result = pl_world_step(copy, copy->last_dt);
    for (int kind = 0; result == PL_OK && kind < PL_KIND_COUNT; kind++)
        for (int64_t i = 0; i < w->rows[kind].count; i++)
            for (int part = 0; is_soft(&w->rows[kind], i) && part < facts_of(kind)->info.parts; part++)
                *lambda++ = row_lambda(copy, kind, i, part);
    pl_world_destroy(copy);
    return result;
}

// The mean relative difference of the forces of two trials.
static double difference(const trials *t, const float *a, const float *b)
{
    const float *weight = t->weight;
    double sum = 0.0, all = 0.0;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
        for (int64_t i = 0; i < t->w->rows[kind].count; i++)
        {
            if (!is_soft(&t->w->rows[kind], i))
                continue;
            double apart = 0.0, one = 0.0, other = 0.0;
            for (int part = 0; part < facts_of(kind)->info.parts; part++, a++, b++)
            {
                apart += fabs((double)*a - (double)*b);
                one += fabs((double)*a);
                other += fabs((double)*b);
            }
            double most = one > other ? one : other;
            sum += most > 0.0 ? (double)*weight * apart / most : 0.0;
            all += (double)*weight++;
        }
    double mean = all > 0.0 ? sum / all : 0.0;
    return mean < 1.0 ? mean : 1.0;
}

// Runs trials with more and more iterations until the forces do not change any more.
static pl_result run_trials(trials *t, int64_t rows, pl_convergence *out)
{
    const int least = t->w->settings.iterations;
    pl_result result = try_iterations(t, least, t->lambda[0]);
    if (result == PL_OK)
        memcpy(t->lambda[1], t->lambda[0], (size_t)t->parts * sizeof(float));
    for (int factor = FACTOR; result == PL_OK && !out->settled; factor *= FACTOR)
    {
        int64_t iterations = (int64_t)least * factor;
        if (factor > MOST_FACTOR || iterations > MOST_ITERATIONS ||
            (factor > FACTOR && rows * iterations > MOST_SOLVES))
            break;
        result = try_iterations(t, (int)iterations, t->lambda[2]);
        if (result != PL_OK)
            break;
        double change = difference(t, t->lambda[1], t->lambda[2]);
        out->force_error = difference(t, t->lambda[0], t->lambda[2]);
        out->settled = change <= SETTLED_ERROR || change <= SETTLED_PART * out->force_error;
        memcpy(t->lambda[1], t->lambda[2], (size_t)t->parts * sizeof(float));
    }
    return result;
}

static pl_result measure(trials *t, pl_convergence *out)
{
    int64_t rows = count_rows(t);
    pl_result result = pull(t->w, ARRAY_BIT(SLOT_X));
    if (result == PL_OK)
        result = array_reserve(&t->m, &t->weight, &t->weights, t->rows + 1, sizeof *t->weight);
    for (int i = 0; i < 3 && result == PL_OK; i++)
        result = array_reserve(&t->m, &t->lambda[i], &t->lambdas[i], t->parts + 1, sizeof *t->lambda[i]);
    if (result == PL_OK)
        weigh_rows(t, out);
    out->settled = result == PL_OK && out->count == 0;
    if (result == PL_OK && out->count)
        result = pl_world_save_memory(t->w, &t->saved, &t->size);
    if (result == PL_OK && out->count)
        result = run_trials(t, rows, out);
    pl_free(t->saved);
    array_free(&t->m, &t->weight, &t->weights, sizeof *t->weight);
    for (int i = 0; i < 3; i++)
        array_free(&t->m, &t->lambda[i], &t->lambdas[i], sizeof *t->lambda[i]);
    return result;
}

pl_convergence pl_world_convergence(const pl_world *w)
{
    pl_convergence out = {0};
    if (!w)
        return out;
    PLAIN_ROUNDING;
    if (w->settings.solver == PL_SOLVER_PBD || !(w->last_dt > 0.0f))
    {
        fail(PL_ERROR_UNSUPPORTED,
             w->last_dt > 0.0f
                 ? "convergence: the solver is pbd, whose stiffness depends on the iterations; use the solver xpbd"
                 : "convergence: no step has been made yet");
        return out;
    }
    trials t = {.w = w};
    memory_open(&t.m, &w->memory.hook);
    if (measure(&t, &out) != PL_OK)
        return (pl_convergence){0};
    // The rates of the model are scaled so that they give the measured error.
    double frame = counted_step(w, (double)w->last_dt), h = frame / w->settings.substeps,
           q = q_of_force_error(out.force_error, w->settings.iterations);
    row_rates rates = stiffest_rates(w);
    double expected = rates.elastic * h * h + rates.viscous * h, times = expected > 0.0 ? q / expected : 0.0;
    rates = times > 0.0 ? (row_rates){times * rates.elastic, times * rates.viscous} : (row_rates){q / (h * h), 0.0};
    out.measured = true;
    recommend(&out, rates, frame, w->settings.substeps, w->settings.iterations);
    return out;
}
