// test_solvers.c: the solvers beside coloured Gauss-Seidel. Run long, each comes to the answer of the judge; each keeps
// momentum, gives the same bits on any lanes, threads and after a snapshot, and stays stable with contacts.
// long: too
#include "support/long.h"
#include "judged.h"

// A solver with its settings.
typedef struct way
{
    const char *name;
    pl_solver solver;
    int colour_cap;
    float relaxation, spectral_radius;
    bool averaged;
} way;

static const way ways[] = {
    {"jacobi", PL_SOLVER_JACOBI, -1, 1.0f, 0.9f, false},
    {"jacobi, averaged", PL_SOLVER_JACOBI, -1, 1.5f, 0.9f, true},
    {"hybrid", PL_SOLVER_HYBRID, 3, 1.0f, 0.9f, false},
    {"chebyshev", PL_SOLVER_CHEBYSHEV, -1, 1.0f, 0.9f, false},
    {"chebyshev over jacobi", PL_SOLVER_CHEBYSHEV, 0, 1.0f, 0.99f, false},
    {"hierarchy", PL_SOLVER_HIERARCHY, -1, 1.0f, 0.9f, false},
    {"direct", PL_SOLVER_DIRECT, -1, 1.0f, 0.9f, false},
};

enum
{
    WAYS = sizeof ways / sizeof *ways,
};

static pl_settings with(pl_settings s, const way *way)
{
    s.solver = way->solver, s.colour_cap = way->colour_cap, s.relaxation = way->relaxation;
    s.spectral_radius = way->spectral_radius, s.averaged = way->averaged;
    return s;
}

// ---- the judge's answer ------------------------------------------------------------------------------------------------

static pl_id make_rope(pl_world *world)
{
    pl_rope_def def = pl_default_rope_def();
    def.segments = 12;
    def.to = (pl_vec3){0.6f, 0.0f, 0.0f};
    def.mass = 0.2f;
    def.stretch = (pl_softness){.compliance = 1e-4f, .stiffness = 1.0f};
    def.pin_first = true;
    pl_id id;
    good(pl_add_rope(world, &def, &id));
    return id;
}

static void reach(const scene *s, const way *way)
{
    const int frames = is_long() ? 12 : 3;
    const bool direct = way->solver == PL_SOLVER_DIRECT; // one iteration against four of xpbd
    pl_settings few = judged_settings(8, 4), many = judged_settings(8, direct ? 1 : 500);
    verdict first = judged(s, direct ? few : with(few, way), frames), last = judged(s, with(many, way), frames);
    print_message("%s, %s: %.2e -> %.2e\n", s->name, way->name, first.position, last.position);
    below("positions, relative to the motion", last.position, 1e-3);
    below("positions, more iterations", last.position, 0.5 * first.position);
}

static void all_reach_the_judge(void **state)
{
    (void)state;
    static const scene scenes[] = {{"cloth", make_cloth}, {"rope", make_rope}, {"cantilever", make_beam}};
    for (int i = 0; i < WAYS; i++)
        for (int k = 0; k < (int)(sizeof scenes / sizeof *scenes); k++)
            reach(&scenes[k], &ways[i]);
}

// ---- momentum ----------------------------------------------------------------------------------------------------------

// A free cloth whose particles fly apart in all directions.
static void momentum_stays(void **state)
{
    (void)state;
    for (int i = 0; i < WAYS; i++)
    {
        pl_world *world = make_world(4, 8);
        weightless(world);
        pl_settings settings = with(pl_world_settings(world), &ways[i]);
        good(pl_world_set_settings(world, &settings));
        add_cloth(world, PL_BENDING_LINKS, 1e-3f);
        float mass[81], velocity[243];
        uint32_t seed = 5;
        good(pl_get(world, PL_ATTRIBUTE_MASS, 0, 81, mass));
        mass[0] = mass[8] = mass[40];
        for (int k = 0; k < 243; k++)
            velocity[k] = (float)((seed = seed * 1664525u + 1013904223u) >> 8) / 8388608.0f - 1.0f;
        good(pl_set(world, PL_ATTRIBUTE_MASS, 0, 81, mass));
        good(pl_set(world, PL_ATTRIBUTE_VELOCITY, 0, 81, velocity));
        double before[6], after[6];
        pl_world_momentum(world, before, before + 3);
        steps(world, 20, 1.0 / 60.0);
        pl_world_momentum(world, after, after + 3);
        for (int k = 0; k < 6; k++)
            near(k < 3 ? "linear momentum" : "angular momentum", after[k], before[k], 1e-6);
        pl_world_destroy(world);
    }
}

// ---- contacts, tearing and edits ---------------------------------------------------------------------------------------

// A cloth that falls over a ball on the floor.
static pl_world *make_falling(const way *way, int threads, int lanes)
{
    pl_world_def def = pl_default_world_def();
    def.threads = threads, def.lanes = lanes;
    def.settings.substeps = 2, def.settings.iterations = 12;
    def.settings = with(def.settings, way);
    pl_world *world;
    good(pl_world_create(&def, &world));
    pl_shape_def ball = pl_default_shape_def();
    ball.kind = PL_SHAPE_SPHERE;
    ball.radius = 0.3f;
    good(pl_add_shape(world, &ball, NULL));
    pl_cloth_def cloth = pl_default_cloth_def();
    cloth.columns = cloth.rows = 24;
    cloth.origin = (pl_vec3){-0.5f, 0.4f, -0.5f};
    cloth.u = (pl_vec3){1.0f, 0.0f, 0.0f};
    cloth.v = (pl_vec3){0.0f, 0.02f, 1.0f};
    cloth.stretch.compliance = cloth.shear.compliance = 1e-7f;
    good(pl_add_cloth(world, &cloth, NULL));
    return world;
}

static double fastest(const pl_world *world)
{
    float v[24 * 24 * 3];
    double most = 0.0;
    good(pl_get(world, PL_ATTRIBUTE_VELOCITY, 0, 24 * 24, v));
    for (int i = 0; i < 24 * 24 * 3; i++)
        most = fmax(most, fabs((double)v[i]));
    return most;
}

// Accelerated far more than is good for it, it is no faster than free fall, and stretches less than without.
static void contacts_do_not_diverge(void **state)
{
    (void)state;
    static const way eager[] = {{"chebyshev, 0.9999", PL_SOLVER_CHEBYSHEV, -1, 1.0f, 0.9999f, false},
                                {"over jacobi, 0.9999", PL_SOLVER_CHEBYSHEV, 0, 1.0f, 0.9999f, false},
                                {"over jacobi, 1.9", PL_SOLVER_CHEBYSHEV, 0, 1.9f, 0.9999f, true}};
    for (int i = 0; i < 3; i++)
    {
        pl_world *world = make_falling(&eager[i], 1, 0);
        for (int frame = 0; frame < 60; frame++)
        {
            steps(world, 1, 1.0 / 60.0);
            below("speed", fastest(world), GRAVITY * (frame + 1) / 60.0 + 1.0);
        }
        pl_residual r = pl_world_residual(world);
        print_message("%s: mean residual %.2e\n", eager[i].name, (double)r.mean);
        below("mean residual", (double)r.mean, 0.05);
        pl_world_destroy(world);
    }
}

static void equal_on_all_workers(void **state)
{
    (void)state;
    for (int i = 0; i < WAYS; i++)
    {
        uint64_t wanted = 0;
        for (int k = 0; pl_lane_widths()[k]; k++)
        {
            pl_world *world = make_falling(&ways[i], 1 + k % 3, pl_lane_widths()[k]);
            steps(world, 8, 1.0 / 60.0);
            if (k % 2)
                world = saved_and_loaded(world);
            steps(world, 8, 1.0 / 60.0);
            uint64_t hash = pl_world_hash(world);
            wanted = wanted ? wanted : hash;
            if (hash != wanted)
                fail_msg("%s: %d lanes give another result", ways[i].name, pl_lane_widths()[k]);
            pl_world_destroy(world);
        }
    }
}

// A cloth under a load tears; particles and constraints come and go; the solver changes while it runs.
static void edits(void **state)
{
    (void)state;
    for (int i = 0; i < WAYS; i++)
    {
        pl_world *world = make_falling(&ways[i], 2, 0);
        steps(world, 6, 1.0 / 60.0);
        pl_id rope;
        pl_rope_def def = pl_default_rope_def();
        def.segments = 8, def.pin_first = true, def.from = (pl_vec3){2.0f, 0.0f, 0.0f};
        def.to = (pl_vec3){2.8f, 0.0f, 0.0f};
        good(pl_add_rope(world, &def, &rope));
        steps(world, 4, 1.0 / 60.0);
        pl_settings settings = pl_world_settings(world);
        for (int k = 0; k < WAYS; k++)
        {
            settings = with(settings, &ways[(i + k) % WAYS]);
            good(pl_world_set_settings(world, &settings));
            steps(world, 2, 1.0 / 60.0);
        }
        good(pl_remove(world, rope));
        settings.solver = PL_SOLVER_XPBD;
        good(pl_world_set_settings(world, &settings));
        steps(world, 2, 1.0 / 60.0);
        print_message("%s: %.3g m/s after edits\n", ways[i].name, fastest(world));
        below("speed", fastest(world), GRAVITY);
        pl_world_destroy(world);
    }
}

static void refused_settings(void **state)
{
    (void)state;
    pl_world *world = make_world(1, 1);
    const pl_settings was = pl_world_settings(world);
    pl_settings bad[4] = {was, was, was, was};
    static const char *const words[] = {"colour_cap is 65", "relaxation is 2", "spectral_radius is 1", "solver is 99"};
    bad[0].colour_cap = 65, bad[1].relaxation = 2.0f, bad[2].spectral_radius = 1.0f, bad[3].solver = (pl_solver)99;
    for (int i = 0; i < 4; i++)
    {
        assert_int_equal(pl_world_set_settings(world, &bad[i]), PL_ERROR_ARGUMENT);
        if (!strstr(pl_error_message(), words[i]))
            fail_msg("\"%s\" should hold \"%s\"", pl_error_message(), words[i]);
        const pl_settings now = pl_world_settings(world);
        assert_memory_equal(&now, &was, sizeof now);
    }
    pl_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_reach_the_judge),
        cmocka_unit_test(momentum_stays),
        cmocka_unit_test(contacts_do_not_diverge),
        cmocka_unit_test(equal_on_all_workers),
        cmocka_unit_test(edits),
        cmocka_unit_test(refused_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
