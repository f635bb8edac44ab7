// settings.c: checks the settings of a world.
#include "model/world.h"

bool all_finite(const float *values, int64_t count, int64_t *where)
{
    for (int64_t i = 0; i < count; i++)
        if (!CHECK_FINITE(values[i]))
        {
            *where = i;
            return false;
        }
    return true;
}

static pl_result check_range(const char *name, float value, float low, float high)
{
    if (value >= low && value <= high)
        return PL_OK;
    return fail(PL_ERROR_ARGUMENT, "%s is %g; it must be from %g to %g", name, (double)value, (double)low,
                (double)high);
}

static pl_result check_count(const char *name, int value, int low, int high)
{
    if (value >= low && value <= high)
        return PL_OK;
    return fail(PL_ERROR_ARGUMENT, "%s is %d; it must be from %d to %d", name, value, low, high);
}

static pl_result check_vector(const char *name, pl_vec3 v)
{
    if (CHECK_FINITE(v.x) && CHECK_FINITE(v.y) && CHECK_FINITE(v.z))
        return PL_OK;
    return fail(PL_ERROR_ARGUMENT, "%s is (%g, %g, %g); it must be finite", name, (double)v.x, (double)v.y,
                (double)v.z);
}

static pl_result check_solver(const pl_settings *s)
{
    pl_result r = PL_OK;
    if ((unsigned)s->solver > PL_SOLVER_DIRECT)
        r = fail(PL_ERROR_ARGUMENT, "solver is %d; it must be from PL_SOLVER_XPBD to PL_SOLVER_DIRECT", (int)s->solver);
    if (r == PL_OK)
        r = check_count("colour_cap", s->colour_cap, -1, COLOUR_CAP);
    if (r == PL_OK)
        r = check_range("relaxation", s->relaxation, 0.1f, 1.9f);
    if (r == PL_OK)
        r = check_range("spectral_radius", s->spectral_radius, 0, 0.99999f);
    return r;
}

// Returns how many colours the rows of a kind may have; the others are solved by Jacobi iteration.
int colour_cap(const pl_settings *s)
{
    enum
    {
        HYBRID_CAP = 4, // of 8 of a cloth, 12 with links for bending
    };
    if (s->solver == PL_SOLVER_JACOBI)
        return 0;
    if (s->solver == PL_SOLVER_HYBRID)
        return s->colour_cap < 0 ? HYBRID_CAP : s->colour_cap;
    return s->solver == PL_SOLVER_CHEBYSHEV && s->colour_cap >= 0 ? s->colour_cap : COLOUR_CAP;
}

bool solver_relaxes(const pl_settings *s)
{
    return s->solver == PL_SOLVER_JACOBI || s->solver == PL_SOLVER_HYBRID || s->solver == PL_SOLVER_CHEBYSHEV;
}

bool solver_has_memory(const pl_settings *s)
{
    return s->solver == PL_SOLVER_CHEBYSHEV || s->solver == PL_SOLVER_HIERARCHY || s->solver == PL_SOLVER_DIRECT;
}

bool is_solved_apart(const pl_settings *s, int kind)
{
    return s->solver == PL_SOLVER_DIRECT && !facts_of(kind)->frames;
}

pl_result check_solver_backend(const pl_settings *s, pl_backend which)
{
    if (s->solver == PL_SOLVER_DIRECT && which != PL_BACKEND_CPU)
        return fail(PL_ERROR_UNSUPPORTED, "the solver direct runs on the CPU alone; use PL_BACKEND_CPU, or the solver "
                                          "hierarchy for stiff cloth and ropes on a GPU");
    return PL_OK;
}

pl_result check_settings(const pl_settings *s)
{
    pl_result r = check_vector("gravity", s->gravity);
    if (r == PL_OK)
        r = check_vector("wind.velocity", s->wind.velocity);
    if (r == PL_OK)
        r = check_count("substeps", s->substeps, 1, 10000);
    if (r == PL_OK)
        r = check_count("iterations", s->iterations, 1, 10000);
    if (r == PL_OK)
        r = check_count("stabilise", s->stabilise, 0, 100);
    if (r == PL_OK)
        r = check_count("contact_sweeps", s->contact_sweeps, 0, 1000);
    if (r == PL_OK && (int64_t)s->substeps * s->iterations > 100000)
        r = fail(PL_ERROR_ARGUMENT, "substeps x iterations is %lld; it must be at most 100000",
                 (long long)s->substeps * s->iterations);
    if (r == PL_OK)
        r = check_range("damping", s->damping, 0, 1e6f);
    if (r == PL_OK)
        r = check_range("internal_damping", s->internal_damping, 0, 1e6f);
    if (r == PL_OK)
        r = check_range("wind.gust", s->wind.gust, 0, 10);
    if (r == PL_OK)
        r = check_range("wind.gust_size", s->wind.gust_size, 1e-3f, 1e6f);
    if (r == PL_OK)
        r = check_range("wind.density", s->wind.density, 0, 1e5f);
    if (r == PL_OK)
        r = check_range("sleep_speed", s->sleep_speed, 1e-9f, 1e6f);
    if (r == PL_OK)
        r = check_range("sleep_time", s->sleep_time, 0.01f, 1e6f);
    if (r == PL_OK)
        r = check_solver(s);
    if (r == PL_OK && (unsigned)s->integrator > PL_INTEGRATOR_BDF2)
        r = fail(PL_ERROR_ARGUMENT, "integrator is %d; it must be PL_INTEGRATOR_BDF1 or PL_INTEGRATOR_BDF2",
                 (int)s->integrator);
    return r;
}
