// test_judge.c: the engine before the judge. With growing iterations XPBD comes near the exact implicit step, positions and
// forces, on a cloth and on a bar; what remains once the sweeps have converged shrinks with the step.
// long: too
#include "support/long.h"
#include "physics.h"

#include "reference.h"

typedef struct scene
{
    const char *name;
    pl_id (*make)(pl_world *world);
} scene;

typedef struct verdict
{
    double position; // RMS distance over RMS motion
    double force;    // RMS difference over RMS force
} verdict;

// A cloth held at two corners, let go level: it stretches, shears and bends.
static pl_id add_cloth(pl_world *world, pl_bending bending, float bend)
{
    pl_cloth_def def = pl_default_cloth_def();
    def.columns = def.rows = 9;
    def.u = (pl_vec3){0.8f, 0.0f, 0.0f};
    def.v = (pl_vec3){0.0f, 0.0f, 0.8f};
    def.mass = 0.4f;
    def.stretch = def.shear = (pl_softness){.compliance = 2e-4f, .stiffness = 1.0f};
    def.bend = (pl_softness){.compliance = bend, .stiffness = 1.0f};
    def.bending = bending;
    def.drag = def.lift = 0.0f;
    def.pinned = (int32_t[]){0, 8};
    def.pinned_count = 2;
    pl_id id;
    good(pl_add_cloth(world, &def, &id));
    return id;
}

static pl_id make_cloth(pl_world *world) { return add_cloth(world, PL_BENDING_DIHEDRAL, 2.0f); }

static pl_id make_isometric(pl_world *world) { return add_cloth(world, PL_BENDING_ISOMETRIC, 100.0f); }

// A bar held at one end: lengths and volumes. Soft edges on purpose: with a tenth of this compliance and 4 substeps the
// converged sweeps stay 4e-3 from the judge, in double precision too. What XPBD leaves falls off only once compliance/h^2
// outweighs the inverse masses.
static pl_id make_bar(pl_world *world)
{
    pl_bar_def def = pl_default_bar_def();
    def.cells[0] = 6;
    def.cells[1] = def.cells[2] = 2;
    def.size = (pl_vec3){0.6f, 0.2f, 0.2f};
    def.mass = 2.0f;
    def.edges = (pl_softness){.compliance = 2e-3f, .stiffness = 1.0f};
    def.volume = (pl_softness){.compliance = 1e-7f, .stiffness = 1.0f};
    def.pin_start = true;
    pl_id id;
    good(pl_add_bar(world, &def, &id));
    return id;
}

static judge *make_judge(pl_world *world, pl_id object)
{
    judge *j = judge_from_world(world);
    assert_non_null(j);
    assert_int_equal(judge_add_object(j, world, object), PL_OK);
    assert_true(j->rows > 0);
    return j;
}

static double position_error(const pl_world *world, const judge *j, const double *start)
{
    float *x = malloc((size_t)j->particles * 3 * sizeof *x);
    assert_non_null(x);
    good(pl_get(world, PL_ATTRIBUTE_POSITION, 0, j->particles, x));
    double off = 0.0, motion = 0.0;
    for (int u = 0; u < 3 * j->particles; ++u)
    {
        off += ((double)x[u] - j->x[u]) * ((double)x[u] - j->x[u]);
        motion += (j->x[u] - start[u]) * (j->x[u] - start[u]);
    }
    free(x);
    return sqrt(off / motion);
}

// One block's forces; its rows are j->row[row] and on. Blocks stand apart: forces, moments and pressures have no common unit.
static double block_error(const pl_world *world, const judge *j, pl_id block, int row, int rows)
{
    float *force = malloc((size_t)rows * sizeof *force);
    assert_non_null(force);
    good(pl_get_rows(world, block, PL_ROW_FORCE, 0, rows, force));
    double off = 0.0, size = 0.0;
    for (int r = 0; r < rows; ++r)
    {
        double wanted = judge_force(&j->row[row + r]), d = (double)force[r] - wanted;
        off += d * d;
        size += wanted * wanted;
    }
    free(force);
    assert_true(size > 0.0); // a block at rest would prove nothing
    return sqrt(off / size);
}

static double force_error(const pl_world *world, const judge *j, pl_id object)
{
    pl_id blocks[16];
    int count = pl_object_blocks(world, object, blocks, 16), row = 0;
    double worst = 0.0;
    for (int b = 0; b < count; ++b)
    {
        pl_kind kind;
        int rows;
        if (pl_block_info(world, blocks[b], &kind, &rows) == PL_OK) // a block of faces has none
        {
            worst = fmax(worst, block_error(world, j, blocks[b], row, rows));
            row += rows;
        }
    }
    assert_int_equal(row, j->rows);
    return worst;
}

// Engine and judge run side by side for `frames` of 1/60 s, each from its own last state.
static verdict run(const scene *s, pl_integrator integrator, int frames, int substeps, int iterations)
{
    pl_world *world = make_world(substeps, iterations);
    change(world, PL_SOLVER_XPBD, integrator, 0.0);
    pl_id object = s->make(world);
    judge *j = make_judge(world, object);
    double *start = malloc((size_t)j->particles * 3 * sizeof *start);
    assert_non_null(start);
    memcpy(start, j->x, (size_t)j->particles * 3 * sizeof *start);
    for (int n = 0; n < frames * substeps; ++n)
    {
        judge_report report;
        assert_true(judge_step(j, 1.0 / 60.0 / substeps, &report));
        below("the judge's own residual of momentum", report.momentum, 1e-8);
        below("the judge's own residual of the constraints", report.constraint, 1e-10);
    }
    steps(world, frames, 1.0 / 60.0);
    verdict v = {position_error(world, j, start), force_error(world, j, object)};
    print_message("%s: %d substeps x %d iterations: positions %.2e, forces %.2e\n", s->name, substeps, iterations,
                  v.position, v.force);
    free(start);
    judge_destroy(j);
    pl_world_destroy(world);
    return v;
}

static const scene cloth = {"cloth", make_cloth}, isometric = {"isometric cloth", make_isometric},
                   bar = {"bar", make_bar};

static void iterations_bring_it_near(const scene *s)
{
    const int frames = is_long() ? 12 : 6;
    verdict few = run(s, PL_INTEGRATOR_BDF1, frames, 8, 1), more = run(s, PL_INTEGRATOR_BDF1, frames, 8, 8);
    verdict many = run(s, PL_INTEGRATOR_BDF1, frames, 8, 400), second = run(s, PL_INTEGRATOR_BDF2, frames, 8, 400);
    below("positions, more iterations", more.position, 0.5 * few.position);
    below("forces, more iterations", more.force, 0.5 * few.force);
    below("positions, many iterations", many.position, 1e-3);
    below("forces, many iterations", many.force, 1e-2);
    below("positions, BDF2", second.position, 1e-3);
    below("forces, BDF2", second.force, 1e-2);
}

static void a_shorter_step_leaves_less(const scene *s)
{
    verdict last = {1.0, 1.0};
    for (int substeps = 2; substeps <= 8; substeps *= 2)
    {
        verdict v = run(s, PL_INTEGRATOR_BDF1, is_long() ? 12 : 6, substeps, 1000);
        below("positions, converged, shorter step", v.position, 0.75 * last.position);
        last = v;
    }
}

// The kinds that neither cloth nor bar has, each alone on a row of nine particles whose first is held.
static void alone(pl_kind kind, int count, const int32_t *index, const float *param, double compliance, int frames)
{
    float x[27], mass[9];
    for (int i = 0; i < 9; ++i)
    {
        x[3 * i] = 0.09f * (float)i;
        x[3 * i + 1] = 0.0f;
        x[3 * i + 2] = 0.01f * (float)(i % 2);
        mass[i] = i == 0 ? 0.0f : 0.05f;
    }
    pl_world *world = make_world(8, 400);
    add_particles(world, 9, x, mass);
    pl_id block = add_rows(world, kind, count, index, param, compliance, 1.0);
    judge *j = judge_from_world(world);
    assert_non_null(j);
    assert_int_equal(judge_add_block(j, world, block), PL_OK);
    double start[27];
    memcpy(start, j->x, sizeof start);
    for (int n = 0; n < frames * 8; ++n)
    {
        assert_true(judge_step(j, 1.0 / 480.0, NULL));
    }
    steps(world, frames, 1.0 / 60.0);
    verdict v = {position_error(world, j, start), block_error(world, j, block, 0, count)};
    print_message("%s: positions %.2e, forces %.2e\n", pl_kind_describe(kind)->name, v.position, v.force);
    below("positions", v.position, 1e-3);
    below("forces", v.force, 1e-2);
    judge_destroy(j);
    pl_world_destroy(world);
}

static void one_sided_kinds(void **state)
{
    (void)state;
    const int32_t chain[16] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8};
    const float longer[8] = {0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f}; // slack at first, taut as it falls
    alone(PL_KIND_DISTANCE_MAX, 8, chain, longer, 1e-3, 12);
    alone(PL_KIND_DISTANCE_MIN, 8, chain, longer, 1e-2, 1); // pushes while they are too near
    alone(PL_KIND_TETHER, 2, (int32_t[]){8, 0, 6, 0}, (float[]){0.6f, 0.5f}, 1e-2, 1);
    alone(PL_KIND_PIN, 1, (int32_t[]){4}, (float[]){0.3f, 0.2f, 0.1f, 0.0f, 0.0f, 0.0f}, 0.02, 12);
}

static void cloth_near(void **state)
{
    (void)state;
    iterations_bring_it_near(&cloth);
}

static void isometric_near(void **state)
{
    (void)state;
    iterations_bring_it_near(&isometric);
}

static void bar_near(void **state)
{
    (void)state;
    iterations_bring_it_near(&bar);
}

static void cloth_shrinks(void **state)
{
    (void)state;
    a_shorter_step_leaves_less(&cloth);
}

static void bar_shrinks(void **state)
{
    (void)state;
    a_shorter_step_leaves_less(&bar);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cloth_near),      cmocka_unit_test(isometric_near), cmocka_unit_test(bar_near),
        cmocka_unit_test(one_sided_kinds), cmocka_unit_test(cloth_shrinks),  cmocka_unit_test(bar_shrinks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
