// solver_trials.c: finds the solver and the settings that reach a wanted error with the least work, by trials: copies of the
// world run some frames, and are compared with a fine run.
//
// The work is counted, not measured, so that the choice is the same on every machine. The model, in ns of one thread of a
// processor of 2020 (docs/solvers.md): a sweep takes arity x parts for each constraint; the other solvers a factor of it; a
// factorisation its multiplications, and the rows in double precision.
#include "core/rounding.h"
#include "direct/direct.h"
#include "direct/direct_rows.h"
#include "edit/add.h"
#include "layout/compile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_TRIALS = 256,
    SUBSTEPS_LAST = 64,
    ITERATIONS_LAST = 32,
    REFERENCE_SUBSTEPS = 128,
    REFERENCE_ITERATIONS = 32,
};

#define PARTICLE_WORK 8.0 // of a substep
#define CONTACT_WORK 10.0 // of an entry of the contact lists in an iteration, and in a substep
#define BUDGET 20e9
#define DIRECT_PART_WORK 250.0 // of a number of C and its gradient, twice: at the start and where the line search ends

// What the trials of a world share.
typedef struct trials
{
    const pl_world *w;
    const pl_solver_trials_def *def;
    void *saved;
    size_t size;
    int32_t numbers; // particles
    float *start, *truth, *x;
    double size_of_world; // m
    double sweep;         // work of a sweep over the rows between particles, and over all others
    double others, links, parts, contacts;
    double factor; // multiplications of a factorisation and a solution; 0: there is none
    double left;   // of the budget
} trials;

pl_solver_trials_def pl_default_solver_trials_def(void)
{
    return (pl_solver_trials_def){.dt = 1.0f / 60.0f, .frames = 12, .error = 0.005};
}

// ---- the work ------------------------------------------------------------------------------------------------------

static double work_of(const trials *t, const pl_solver_trial *s)
{
    double rows = t->sweep;
    if (s->solver == PL_SOLVER_CHEBYSHEV)
        rows = 1.3 * t->sweep + 2.0 * t->numbers;
    if (s->solver == PL_SOLVER_HIERARCHY)
        rows = t->sweep + 1.2 * 2.0 * t->links;
    if (s->solver == PL_SOLVER_DIRECT)
        rows = t->factor + DIRECT_PART_WORK * t->parts;
    return s->substeps * (PARTICLE_WORK * t->numbers + CONTACT_WORK * t->contacts +
                          s->iterations * (rows + t->others + CONTACT_WORK * t->contacts));
}

static void count_rows(trials *t)
{
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        const kind_facts *f = facts_of(kind);
        double rows = (double)t->w->rows[kind].count, work = rows * f->info.arity * f->info.parts;
        t->sweep += f->frames ? 0.0 : work;
        t->others += f->frames ? 20.0 * work : 0.0;
        t->parts += f->frames ? 0.0 : rows * direct_parts(kind);
        t->links += kind == PL_KIND_DISTANCE || kind == PL_KIND_DISTANCE_MAX ? rows : 0.0;
    }
}

// ---- a trial -------------------------------------------------------------------------------------------------------

static pl_result copy_world(const trials *t, const pl_solver_trial *s, pl_integrator integrator, pl_world **copy)
{
    pl_world_def def = pl_default_world_def();
    def.allocator = t->w->memory.hook;
    def.tasks = t->w->cpu.tasks;
    pl_world_workers(t->w, &def.threads, NULL);
    pl_result result = pl_world_load_memory(&def, t->saved, t->size, copy);
    if (result != PL_OK)
        return result;
    pl_settings set = pl_world_settings(*copy);
    set.solver = s->solver, set.substeps = s->substeps, set.iterations = s->iterations, set.integrator = integrator;
    result = pl_world_set_settings(*copy, &set);
    if (result != PL_OK)
    {
        pl_world_destroy(*copy);
        *copy = NULL;
    }
    return result;
}

// Runs a trial. Writes where the particles are then; the error is infinite if it diverged.
static pl_result run_trial(trials *t, pl_solver_trial *s, pl_integrator integrator, float *x)
{
    pl_world *copy = NULL;
    pl_result result = copy_world(t, s, integrator, &copy);
    t->left -= s->work * t->def->frames;
    for (int frame = 0; frame < t->def->frames && result == PL_OK; frame++)
        result = pl_world_step(copy, t->def->dt);
    if (result == PL_OK && pl_particle_end(copy) == t->numbers)
        result = pl_get(copy, PL_ATTRIBUTE_POSITION, 0, t->numbers, x);
    s->error = result == PL_OK && copy && pl_particle_end(copy) == t->numbers ? 0.0 : INFINITY;
    pl_world_destroy(copy);
    return result == PL_ERROR_DIVERGED ? PL_OK : result;
}

static void compare(const trials *t, pl_solver_trial *s)
{
    double sum = 0.0;
    for (int64_t u = 0; u < 3 * (int64_t)t->numbers; u++)
    {
        double d = (double)t->x[u] - (double)t->truth[u];
        sum += d * d;
    }
    s->error = s->error > 0.0 ? s->error : sqrt(sum / t->numbers) / t->size_of_world;
}

static double diagonal(const float *x, int32_t count)
{
    double square = 0.0;
    for (int a = 0; a < 3; a++)
    {
        float low = x[a], high = x[a];
        for (int64_t i = 0; i < count; i++)
        {
            low = x[3 * i + a] < low ? x[3 * i + a] : low;
            high = x[3 * i + a] > high ? x[3 * i + a] : high;
        }
        square += ((double)high - (double)low) * ((double)high - (double)low);
    }
    return sqrt(square);
}

// ---- all trials ----------------------------------------------------------------------------------------------------

// Lists all settings to try, those with the least work first; of equal work, in the order of the solvers.
static int list_trials(const trials *t, pl_solver_trial *list)
{
    static const pl_solver solvers[] = {PL_SOLVER_XPBD, PL_SOLVER_HIERARCHY, PL_SOLVER_CHEBYSHEV, PL_SOLVER_DIRECT};
    const pl_solver_trials_def *def = t->def;
    int count = 0;
    for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++)
        for (int n = def->substeps ? def->substeps : 1; n <= SUBSTEPS_LAST || n == def->substeps; n *= 2)
        {
            for (int i = def->iterations ? def->iterations : 1; i <= ITERATIONS_LAST || i == def->iterations; i *= 2)
            {
                pl_solver_trial s = {.solver = solvers[k], .substeps = n, .iterations = i};
                bool useful = (s.solver != PL_SOLVER_CHEBYSHEV || i > 2) &&
                              (s.solver != PL_SOLVER_HIERARCHY || t->links > 0.0) &&
                              (s.solver != PL_SOLVER_DIRECT || (t->factor > 0.0 && !def->portable));
                s.work = work_of(t, &s);
                int at = count;
                for (; useful && at > 0 && list[at - 1].work > s.work; at--)
                    list[at] = list[at - 1];
                if (useful)
                    list[at] = s, count++;
                if (def->iterations)
                    break;
            }
            if (def->substeps)
                break;
        }
    return count;
}

// Runs the reference: direct where it is not too much work, else by sweeps.
static pl_result run_reference(trials *t, pl_solver_advice *advice)
{
    pl_solver_trial fine = {.solver = PL_SOLVER_DIRECT, .substeps = REFERENCE_SUBSTEPS, .iterations = 2};
    pl_solver_trial swept = {
        .solver = PL_SOLVER_XPBD, .substeps = REFERENCE_SUBSTEPS, .iterations = REFERENCE_ITERATIONS};
    fine.work = work_of(t, &fine), swept.work = work_of(t, &swept);
    advice->reference = t->factor > 0.0 && fine.work <= 4.0 * swept.work ? fine : swept;
    if (advice->reference.work * t->def->frames > 0.5 * t->left)
        return fail(PL_ERROR_UNSUPPORTED,
                    "trials of this world would take too long: %.3g of the work of %.3g for the reference alone; use a "
                    "smaller version of the scene, fewer frames, or a larger budget",
                    advice->reference.work * t->def->frames, t->left);
    pl_result result = run_trial(t, &advice->reference, PL_INTEGRATOR_BDF2, t->truth);
    return result == PL_OK && advice->reference.error > 0.0
               ? fail(PL_ERROR_UNSUPPORTED,
                      "trials need a reference, and it diverged; see `pliant info` for what may be "
                      "wrong, or use fewer frames")
               : result;
}

static pl_result run_all(trials *t, pl_solver_advice *advice, pl_solver_trial *out, int room)
{
    pl_solver_trial list[MOST_TRIALS];
    const int count = list_trials(t, list);
    pl_result result = run_reference(t, advice);
    for (int i = 0; i < count && result == PL_OK && !advice->reached && list[i].work * t->def->frames <= t->left; i++)
    {
        result = run_trial(t, &list[i], t->w->settings.integrator, t->x);
        if (result != PL_OK)
            break;
        compare(t, &list[i]);
        if (out && i < room)
            out[i] = list[i];
        if (i == 0 || list[i].error < advice->best.error)
            advice->best = list[i];
        advice->reached = list[i].error <= t->def->error;
        advice->trials++;
    }
    if (result == PL_OK && (advice->trials == 0 || !(advice->best.error < INFINITY)))
        result =
            fail(PL_ERROR_UNSUPPORTED, "no trial succeeded; use a smaller version of the scene or a larger budget");
    return result;
}

// Counts what the work consists of. A copy of the world makes the matrix of the solver direct, unless that is too large.
static pl_result count_work(trials *t)
{
    const pl_solver_trial probe = {.solver = PL_SOLVER_DIRECT, .substeps = 1, .iterations = 1};
    pl_world *copy = NULL;
    count_rows(t);
    t->contacts = (double)pl_world_penetration(t->w).candidates;
    pl_result result = copy_world(t, &probe, t->w->settings.integrator, &copy);
    if (result == PL_OK)
        result = compile(copy);
    if (result == PL_OK)
        t->factor = direct_multiplications(copy->direct);
    pl_world_destroy(copy);
    return result == PL_ERROR_MEMORY ? PL_OK : result;
}

static pl_result check_def(const pl_world *w, const pl_solver_trials_def *def)
{
    if (!(def->dt > 0.0f && def->dt <= 100.0f) || def->frames < 1 || def->frames > 1000)
        return fail(PL_ERROR_ARGUMENT,
                    "dt is %g and frames is %d; they must be above 0 and at most 100 s, and from 1 to 1000",
                    (double)def->dt, def->frames);
    if (!(def->error > 0.0 && def->error <= 1.0))
        return fail(PL_ERROR_ARGUMENT, "error is %g; it must be above 0 and at most 1", def->error);
    if (def->substeps < 0 || def->substeps > 10000 || def->iterations < 0 || def->iterations > 10000)
        return fail(PL_ERROR_ARGUMENT,
                    "substeps is %d and iterations is %d; they must be from 1 to 10000, or 0 (tried)", def->substeps,
                    def->iterations);
    if (w->settings.solver == PL_SOLVER_PBD)
        return fail(PL_ERROR_UNSUPPORTED, "the solver is pbd, whose stiffness depends on the iterations; trials need a "
                                          "solver with compliance, such as xpbd");
    int64_t rows = 0;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
        rows += w->rows[kind].count;
    return rows ? PL_OK : fail(PL_ERROR_UNSUPPORTED, "there are no constraints, so all solvers are the same; use xpbd");
}

pl_result pl_try_solvers(const pl_world *world, const pl_solver_trials_def *def, pl_solver_advice *advice,
                         pl_solver_trial *out, int room)
{
    NEED(world);
    NEED(def);
    NEED(advice);
    PLAIN_ROUNDING;
    *advice = (pl_solver_advice){0};
    pl_result result = check_def(world, def);
    if (result != PL_OK)
        return result;
    trials t = {
        .w = world, .def = def, .numbers = pl_particle_end(world), .left = def->budget > 0.0 ? def->budget : BUDGET};
    memory m;
    int64_t capacity = 0, numbers = 3 * ((int64_t)t.numbers + 1);
    memory_open(&m, &world->memory.hook);
    result = array_reserve(&m, &t.start, &capacity, 3 * numbers, sizeof *t.start);
    if (result == PL_OK)
        result = pl_get(world, PL_ATTRIBUTE_POSITION, 0, t.numbers, t.start);
    if (result == PL_OK)
        result = pl_world_save_memory(world, &t.saved, &t.size);
    if (result == PL_OK)
        result = count_work(&t);
    if (result == PL_OK)
    {
        t.truth = t.start + numbers, t.x = t.truth + numbers;
        t.size_of_world = diagonal(t.start, t.numbers);
        t.size_of_world = t.size_of_world > 0.0 ? t.size_of_world : 1.0;
        result = run_all(&t, advice, out, room);
    }
    pl_free(t.saved);
    array_free(&m, &t.start, &capacity, sizeof *t.start);
    return result;
}
