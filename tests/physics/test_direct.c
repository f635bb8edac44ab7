// test_direct.c: the solver direct: a single constraint of each kind is solved as by sweeps; many converge as Newton's method
// does, rigid ones too, whatever their number; tears and edits; what is refused. tests/physics/test_solvers.c has the rest.
#include "judged.h"

enum
{
    LINKS = 100,
};

static double dice(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

static void use(pl_world *world, pl_solver solver)
{
    pl_settings s = pl_world_settings(world);
    s.solver = solver;
    good(pl_world_set_settings(world, &s));
}

// ---- one constraint ------------------------------------------------------------------------------------------------

// A single constraint, at rest at the start, whose points fly apart. Writes the positions after a step, and its force.
static void run_single(pl_kind kind, pl_softness soft, pl_solver solver, int count, float *x, float *force)
{
    static const float corner[4][3] = {{0, 0, 0}, {1, 0.1f, 0}, {0.3f, 1, 0.1f}, {0.5f, -0.9f, 0.2f}};
    float v[24], mass[8], start[24];
    int32_t index[8];
    uint32_t seed = 7u + (uint32_t)kind;
    pl_world *world = make_world(1, 30);
    use(world, solver);
    for (int i = 0; i < count; i++)
    {
        index[i] = i;
        mass[i] = (float)(1.0 + 0.5 * dice(&seed));
        for (int a = 0; a < 3; a++)
        {
            start[3 * i + a] = count > 4 ? (float)(i >> a & 1) : corner[i][a];
            v[3 * i + a] = (float)(6.0 * dice(&seed));
        }
    }
    if (kind == PL_KIND_ISOMETRIC) // flat at rest
        for (int i = 0; i < count; i++)
            start[3 * i + 2] = 0.0f;
    add_particles(world, count, start, mass);
    good(pl_set(world, PL_ATTRIBUTE_VELOCITY, 0, count, v));
    pl_constraints_def def = pl_default_constraints_def();
    pl_id id;
    def.kind = kind, def.count = 1, def.index = index, def.soft = soft;
    good(pl_add_constraints(world, &def, &id));
    steps(world, 1, 1.0 / 60.0);
    good(pl_get(world, PL_ATTRIBUTE_POSITION, 0, count, x));
    good(pl_get_rows(world, id, PL_ROW_FORCE, 0, 1, force));
    pl_world_destroy(world);
}

static void single_as_by_sweeps(void **state)
{
    (void)state;
    static const pl_softness softness[] = {{.compliance = 0.0f, .stiffness = 1.0f},
                                           {.compliance = 3e-4f, .stiffness = 1.0f},
                                           {.compliance = 3e-4f, .damping = 80.0f, .stiffness = 1.0f}};
    int kinds = 0;
    for (int k = 0; k < PL_KIND_BALL_JOINT; k++)
        for (int i = 0; i < 3; i++)
        {
            const pl_kind_info *info = pl_kind_describe((pl_kind)k);
            float swept[24], solved[24], force[2][8] = {{0}};
            double off = 0.0, moved = 0.0;
            run_single((pl_kind)k, softness[i], PL_SOLVER_XPBD, info->arity, swept, force[0]);
            run_single((pl_kind)k, softness[i], PL_SOLVER_DIRECT, info->arity, solved, force[1]);
            for (int u = 0; u < 3 * info->arity; u++)
            {
                off = fmax(off, fabs((double)swept[u] - (double)solved[u]));
                moved = fmax(moved, fabs((double)swept[u]));
            }
            double pull = 0.0, apart = 0.0;
            for (int part = 0; part < info->parts; part++)
            {
                pull = fmax(pull, fabs((double)force[0][part]));
                apart = fmax(apart, fabs((double)force[0][part] - (double)force[1][part]));
            }
            print_message("%s, %d: %.1e m, force %.1e of %.1e\n", info->name, i, off, apart, pull);
            // An iteration may leave a thousandth of C, which 0.1 m of motion in the step have made.
            below(info->name, off, 1e-4);
            below(info->name, apart, 5e-3 * pull + 5e-4); // 1e-7 m of a position are 4e-4 N
            kinds++;
        }
    assert_true(kinds >= 45);
}

// ---- many ----------------------------------------------------------------------------------------------------------

static double stretch(const pl_world *world, int points, double length)
{
    float x[3 * (LINKS + 1)];
    double most = 0.0;
    good(pl_get(world, PL_ATTRIBUTE_POSITION, 0, points, x));
    for (int i = 1; i < points; i++)
    {
        double dx = (double)x[3 * i] - (double)x[3 * i - 3], dy = (double)x[3 * i + 1] - (double)x[3 * i - 2],
               dz = (double)x[3 * i + 2] - (double)x[3 * i - 1];
        most = fmax(most, fabs(sqrt(dx * dx + dy * dy + dz * dz) / length - 1.0));
    }
    return most;
}

// A rope of rigid links, let go level from one end: four substeps hold it, which sweeps do not.
static void rigid_rope(void **state)
{
    (void)state;
    double most[2] = {0.0, 0.0};
    for (int i = 0; i < 2; i++)
    {
        pl_world *world = make_world(4, 1);
        use(world, i ? PL_SOLVER_DIRECT : PL_SOLVER_XPBD);
        pl_rope_def def = pl_default_rope_def();
        def.segments = LINKS, def.pin_first = true;
        def.to = (pl_vec3){3.0f, 0.0f, 0.0f};
        def.stretch = (pl_softness){.compliance = 0.0f, .stiffness = 1.0f};
        def.bend = (pl_softness){.compliance = 1e3f, .stiffness = 1.0f};
        good(pl_add_rope(world, &def, NULL));
        for (int frame = 0; frame < 40; frame++)
        {
            steps(world, 1, 1.0 / 60.0);
            most[i] = fmax(most[i], stretch(world, LINKS + 1, 3.0 / LINKS));
        }
        pl_world_destroy(world);
    }
    print_message("stretch: %.2e (sweeps: %.2e)\n", most[1], most[0]);
    below("stretch", most[1], 1e-4);
    assert_true(most[0] > 0.1);
}

// The beam of finite elements, one substep of a twentieth of a second: an iteration does what 3,000 sweeps do.
static int beam_after(pl_solver solver, int iterations, float *x)
{
    pl_world *world = make_world(1, iterations);
    use(world, solver);
    make_beam(world);
    steps(world, 1, 1.0 / 20.0);
    int count = pl_particle_count(world);
    good(pl_get(world, PL_ATTRIBUTE_POSITION, 0, count, x));
    pl_world_destroy(world);
    return 3 * count;
}

static double most_apart(const float *a, const float *b, int numbers)
{
    double most = 0.0;
    for (int u = 0; u < numbers; u++)
        most = fmax(most, fabs((double)a[u] - (double)b[u]));
    return most;
}

static void one_iteration_does(void **state)
{
    (void)state;
    float truth[600], once[600], few[600], many[600];
    int numbers = beam_after(PL_SOLVER_DIRECT, 10, truth);
    assert_true(numbers <= 600);
    beam_after(PL_SOLVER_DIRECT, 1, once);
    beam_after(PL_SOLVER_XPBD, 30, few);
    beam_after(PL_SOLVER_XPBD, 3000, many);
    double one = most_apart(once, truth, numbers), some = most_apart(few, truth, numbers),
           swept = most_apart(many, truth, numbers);
    print_message("one iteration: %.1e m; 30 sweeps: %.1e m, 3000: %.1e m\n", one, some, swept);
    below("one iteration", one, 1e-5);
    below("3000 sweeps", swept, 2e-3); // another sum along gradients that turn (docs/reference.md)
    assert_true(some > 5.0 * swept);
}

// ---- edits ---------------------------------------------------------------------------------------------------------

// A sheet that is torn by its own weight, loses its pins, and gets a rope: the matrix follows.
static uint64_t torn(int threads, int lanes, bool saved)
{
    pl_world_def def = pl_default_world_def();
    def.threads = threads, def.lanes = lanes;
    def.settings.solver = PL_SOLVER_DIRECT, def.settings.substeps = 2, def.settings.iterations = 2;
    pl_world *world;
    good(pl_world_create(&def, &world));
    pl_cloth_def cloth = pl_default_cloth_def();
    cloth.columns = cloth.rows = 12;
    cloth.mass = 2.0f;
    cloth.pinned = (int32_t[]){0, 11};
    cloth.pinned_count = 2;
    cloth.stretch.compliance = cloth.shear.compliance = 1e-6f;
    cloth.strength = 25.0f;
    pl_id id;
    good(pl_add_cloth(world, &cloth, &id));
    steps(world, 20, 1.0 / 60.0);
    if (saved)
    {
        void *data;
        size_t size;
        good(pl_world_save_memory(world, &data, &size));
        steps(world, 3, 1.0 / 60.0);
        good(pl_world_restore(world, data, size));
        pl_free(data);
    }
    float mass = 0.01f;
    good(pl_set(world, PL_ATTRIBUTE_MASS, 0, 1, &mass));
    pl_rope_def rope = pl_default_rope_def();
    rope.segments = 5;
    good(pl_add_rope(world, &rope, NULL));
    steps(world, 10, 1.0 / 60.0);
    uint64_t hash = pl_world_hash(world);
    pl_world_destroy(world);
    return hash;
}

static void tears_and_edits(void **state)
{
    (void)state;
    const uint64_t wanted = torn(1, 1, false);
    for (int k = 0; pl_lane_widths()[k]; k++)
        assert_true(torn(1 + k % 3, pl_lane_widths()[k], k % 2 == 0) == wanted);
}

static void refused_on_a_gpu(void **state)
{
    (void)state;
    pl_world_def def = pl_default_world_def();
    pl_world *world = NULL;
    def.settings.solver = PL_SOLVER_DIRECT;
    def.backend = PL_BACKEND_CUDA;
    assert_int_equal(pl_world_create(&def, &world), PL_ERROR_UNSUPPORTED);
    assert_null(world);
    assert_non_null(strstr(pl_error_message(), "direct"));
    def.backend = PL_BACKEND_CPU;
    good(pl_world_create(&def, &world));
    assert_int_equal(pl_world_set_backend(world, PL_BACKEND_CUDA), PL_ERROR_UNSUPPORTED);
    assert_non_null(strstr(pl_error_message(), "direct"));
    steps(world, 1, 1.0 / 60.0); // with nothing in it
    pl_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_as_by_sweeps), cmocka_unit_test(rigid_rope),       cmocka_unit_test(one_iteration_does),
        cmocka_unit_test(tears_and_edits),     cmocka_unit_test(refused_on_a_gpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
