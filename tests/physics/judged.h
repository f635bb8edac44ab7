// judged.h: small scenes that run beside the judge (reference/): how far the engine is from the exact implicit steps.
#ifndef PLIANT_TESTS_JUDGED_H
#define PLIANT_TESTS_JUDGED_H

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
static inline pl_id add_cloth(pl_world *world, pl_bending bending, float bend)
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

static inline pl_id make_cloth(pl_world *world) { return add_cloth(world, PL_BENDING_DIHEDRAL, 2.0f); }

static inline pl_id make_isometric(pl_world *world) { return add_cloth(world, PL_BENDING_ISOMETRIC, 100.0f); }

// A bar held at one end: lengths and volumes. Soft edges on purpose: with a tenth of this compliance and 4 substeps the
// converged sweeps stay 4e-3 from the judge, in double precision too. What XPBD leaves falls off only once compliance/h^2
// outweighs the inverse masses.
static inline pl_id make_bar(pl_world *world)
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

// A beam of St. Venant-Kirchhoff elements, held at one end.
static inline pl_id make_beam(pl_world *world)
{
    pl_bar_def def = pl_default_bar_def();
    def.model = PL_SOLID_STVK;
    def.cells[0] = 6, def.cells[1] = def.cells[2] = 2;
    def.size = (pl_vec3){1.0f, 0.25f, 0.2f};
    def.mass = 2.0f;
    def.pin_start = true;
    pl_id id;
    good(pl_add_bar(world, &def, &id));
    return id;
}

static inline judge *make_judge(pl_world *world, pl_id object)
{
    judge *j = judge_from_world(world);
    assert_non_null(j);
    assert_int_equal(judge_add_object(j, world, object), PL_OK);
    assert_true(j->rows > 0);
    return j;
}

static inline double position_error(const pl_world *world, const judge *j, const double *start)
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
static inline double block_error(const pl_world *world, const judge *j, pl_id block, int row, int rows)
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

static inline double force_error(const pl_world *world, const judge *j, pl_id object)
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
            // Finite elements are energies to the judge: they have stresses, not multipliers.
            double here = pl_kind_describe(kind)->parts == 1 ? block_error(world, j, blocks[b], row, rows) : 0.0;
            worst = fmax(worst, here);
            row += rows;
        }
    }
    assert_int_equal(row, j->rows);
    return worst;
}

// Engine and judge run side by side for `frames` of 1/60 s, each from its own last state.
static inline verdict judged(const scene *s, pl_settings settings, int frames)
{
    const int substeps = settings.substeps;
    pl_world *world = make_world(substeps, settings.iterations);
    good(pl_world_set_settings(world, &settings));
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
    print_message("%s: solver %d, %d substeps x %d iterations: positions %.2e, forces %.2e\n", s->name,
                  (int)settings.solver, substeps, settings.iterations, v.position, v.force);
    free(start);
    judge_destroy(j);
    pl_world_destroy(world);
    return v;
}

// Those of make_world.
static inline pl_settings judged_settings(int substeps, int iterations)
{
    pl_world *world = make_world(substeps, iterations);
    pl_settings settings = pl_world_settings(world);
    pl_world_destroy(world);
    return settings;
}

#endif
