// recommend.c: predicts the convergence of a world from its masses and compliances, and recommends substeps and
// iterations.
//
// Gauss-Seidel reduces smooth errors slowly. In a smooth error every row has about the same strain C, and one iteration
// corrects the part W/(W + a) of its multiplier's error, less what the neighbouring rows undo: the part rho = q/(1 + q)
// with q = 1/2 W/a remains (with damping, q = 1/2 (1 + gamma) W/a). W = sum w |grad C|^2, a = compliance/h^2. 1/2 W/a =
// (c h/l)^2, where c is the speed of sound along a chain of such rows and l their length.
// The factor 1/2 was measured: 0.43 to 0.54 for hanging cloths of 20 to 80 particles across, a balloon, woven cloth and
// a beam of tetrahedra.
//
// A rigid row acts as if 1/2 W h^2 were its compliance. Under the load m g n of the n particles that hang on it, it is
// stretched by g n h^2; in an object of the size L with rows of the length l, n is L/(2 l) on average.
#include "query/recommend.h"

#include <math.h>

enum
{
    LEAST_ROWS = 2, // blocks with fewer rows are left out: a single row converges at once
    LEAST_SUBSTEPS = 20,
    MOST_SPENT = 200,   // largest substeps x iterations that pl_recommend_settings recommends
    MOST_REFINED = 16,  // largest number of iterations that is recommended, unless more are set already
    MOST_ASKED = 10000, // largest number of substeps that is recommended
};

// ---- the model -----------------------------------------------------------------------------------------------------

static double power(double x, int n)
{
    double y = 1.0;
    for (; n; n /= 2, x *= x)
        y = n % 2 ? y * x : y;
    return y;
}

// The n-th root of a number from 0 to 1, by bisection: libm's pow has other bits elsewhere.
static double nth_root(double x, int n)
{
    double low = 0.0, high = 1.0;
    for (int i = 0; i < 60; i++)
    {
        double middle = 0.5 * (low + high);
        if (power(middle, n) < x)
            low = middle;
        else
            high = middle;
    }
    return high;
}

double force_error_of(double q, int iterations) { return power(q / (1.0 + q), iterations); }

double q_of_force_error(double error, int iterations)
{
    double rho = nth_root(error < 0.9999 ? error : 0.9999, iterations);
    return rho / (1.0 - rho);
}

double counted_step(const pl_world *w, double dt)
{
    return w->settings.integrator == PL_INTEGRATOR_BDF2 ? 2.0 / 3.0 * dt : dt;
}

// The largest h with elastic h^2 + viscous h <= q.
static double step_for(row_rates r, double q)
{
    return 2.0 * q / (r.viscous + sqrt(r.viscous * r.viscous + 4.0 * r.elastic * q));
}

// Finds the substeps and iterations, not fewer than given, with the least product that bring q down. With elasticity
// alone that is two iterations, substeps x iterations = 3.7 sqrt(q) against 4.4 with one and 4.0 with four; with much
// damping, more.
static void refine(pl_convergence *c, row_rates rates, double dt, int substeps, int iterations)
{
    double least = INFINITY;
    for (int n = iterations; n <= MOST_REFINED || n == iterations; n *= 2)
    {
        double s = ceil(dt / step_for(rates, q_of_force_error(GOOD_FORCE_ERROR, n)) - 1e-6);
        s = s < substeps ? substeps : s < MOST_ASKED ? s : MOST_ASKED;
        if (s * n < least)
        {
            least = s * n;
            c->substeps = (int)s;
            c->iterations = n;
        }
    }
}

void recommend(pl_convergence *c, row_rates rates, double dt, int substeps, int iterations)
{
    c->substeps = substeps;
    c->iterations = iterations;
    if (c->force_error > GOOD_FORCE_ERROR)
        refine(c, rates, dt, substeps, iterations);
    if (c->rigid_strain > GOOD_RIGID_STRAIN)
    {
        double enough = ceil(substeps * sqrt(c->rigid_strain / GOOD_RIGID_STRAIN * iterations / c->iterations) - 1e-6);
        enough = enough < MOST_ASKED ? enough : MOST_ASKED;
        c->substeps = enough > c->substeps ? (int)enough : c->substeps;
    }
}

// ---- the world -----------------------------------------------------------------------------------------------------

// Half of the mean rates over the rows of a block that have a compliance.
static row_rates block_rates(const pl_world *w, const id_entry *t)
{
    row_rates sum = {0};
    int64_t some = 0;
    for (int32_t i = 0; i < t->count; i++)
    {
        row_rates r = rates_of_row(w, t->kind, (int64_t)t->first + i);
        sum.elastic += r.elastic;
        sum.viscous += r.viscous;
        some += r.elastic > 0.0;
    }
    double share = some >= LEAST_ROWS ? 0.5 / (double)some : 0.0;
    return (row_rates){share * sum.elastic, share * sum.viscous};
}

row_rates stiffest_rates(const pl_world *w)
{
    row_rates most = {0};
    for (int64_t i = 1; i < w->entry_count; i++)
    {
        row_rates r = w->entries[i].type == ID_ROWS ? block_rates(w, &w->entries[i]) : most;
        most = r.elastic > most.elastic ? r : most;
    }
    return most;
}

static bool has_tethers(const pl_world *w, uint32_t object)
{
    for (int64_t i = 1; w->rows[PL_KIND_TETHER].count && i < w->entry_count; i++)
        if (w->entries[i].type == ID_ROWS && w->entries[i].kind == PL_KIND_TETHER && w->entries[i].owner == object)
            return true;
    return false;
}

// The longest side of the box around an object.
static double object_size(const pl_world *w, const id_entry *object)
{
    double size = 0.0;
    for (int c = 0; c < 3; c++)
    {
        double low = INFINITY, high = -INFINITY;
        for (int32_t n = object->first; n < object->first + object->count; n++)
        {
            int32_t slot = slot_of(w, n);
            double x = slot < 0 ? low : (double)w->state.slot[SLOT_X][4 * (size_t)slot + (size_t)c];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        size = high - low > size ? high - low : size;
    }
    return size;
}

// Returns the strain of the rigid distances of a block under the weight of their object, for h = 1 and one iteration.
// Adds the block's rows with and without a compliance to the counts of *c.
static double block_strain(const pl_world *w, const id_entry *t, pl_convergence *c)
{
    const kind_facts *k = facts_of(t->kind);
    const rows *r = &w->rows[t->kind];
    const pl_vec3 g = w->settings.gravity;
    double length = 0.0, weight = sqrt((double)g.x * g.x + (double)g.y * g.y + (double)g.z * g.z);
    int64_t some = 0;
    for (int32_t i = 0; i < t->count; i++)
    {
        int64_t row = (int64_t)t->first + i;
        bool soft = r->soft[row].compliance > 0.0f;
        c->count += soft && !row_broken(r, row);
        if (soft || row_broken(r, row) || !k->scale || t->kind == PL_KIND_TETHER)
            continue;
        length += (double)r->param[row * k->info.params];
        some++;
    }
    c->rigid_count += some;
    if (some < LEAST_ROWS || !t->owner || w->entries[t->owner].type != ID_OBJECT || has_tethers(w, t->owner))
        return 0.0;
    length /= (double)some;
    return length > 0.0 ? 0.5 * weight * object_size(w, &w->entries[t->owner]) / (length * length) : 0.0;
}

static pl_convergence predict_convergence(const pl_world *w, float dt, int substeps, int iterations)
{
    pl_convergence c = {.settled = true};
    double strain = 0.0, frame = counted_step(w, (double)dt), h = frame / substeps;
    if (!(dt > 0.0f) || w->settings.solver == PL_SOLVER_PBD || pull(w, ARRAY_BIT(SLOT_X)) != PL_OK)
        return (pl_convergence){0};
    for (int64_t i = 1; i < w->entry_count; i++)
    {
        double s = w->entries[i].type == ID_ROWS ? block_strain(w, &w->entries[i], &c) : 0.0;
        strain = s > strain ? s : strain;
    }
    const bool direct = w->settings.solver == PL_SOLVER_DIRECT; // it converges in an iteration
    row_rates rates = direct ? (row_rates){0} : stiffest_rates(w);
    strain = direct ? 0.0 : strain;
    c.force_error = force_error_of(rates.elastic * h * h + rates.viscous * h, iterations);
    c.rigid_strain = strain * h * h / iterations;
    c.measured = true;
    recommend(&c, rates, frame, substeps, iterations);
    return c;
}

pl_convergence pl_world_expected_convergence(const pl_world *w, float dt)
{
    PLAIN_ROUNDING;
    return w ? predict_convergence(w, dt, w->settings.substeps, w->settings.iterations) : (pl_convergence){0};
}

pl_result pl_recommend_settings(const pl_world *w, float dt, pl_settings *settings)
{
    NEED(w);
    NEED(settings);
    PLAIN_ROUNDING;
    if (!(dt > 0.0f && dt <= 100.0f))
        return fail(PL_ERROR_ARGUMENT, "dt is %g; it must be above 0 and at most 100 seconds", (double)dt);
    pl_convergence c = predict_convergence(w, dt, LEAST_SUBSTEPS, 1);
    settings->substeps = LEAST_SUBSTEPS;
    settings->iterations = 1;
    if (c.measured)
    {
        int most = MOST_SPENT / c.iterations;
        settings->substeps = c.substeps < most ? c.substeps : most;
        settings->iterations = c.iterations;
    }
    return PL_OK;
}
