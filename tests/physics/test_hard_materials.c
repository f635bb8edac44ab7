// test_hard_materials.c: nearly incompressible solids with averaged volumes, and neo-Hookean ones whose sound crosses elements in less than
// a substep.
// labels: slow
#include "elements.h"

#include "reference.h"

typedef struct block_def
{
    int cells[3];
    double young, nu;
    bool averaged, pinned;
    pl_solid_model model;
} block_def;

// Cells of 0.1 m, 1000 kg/m^3.
static pl_world *make_block(const block_def *b, int substeps, int iterations, pl_id *id)
{
    pl_world *world = make_world(substeps, iterations);
    pl_bar_def def = pl_default_bar_def();
    memcpy(def.cells, b->cells, sizeof def.cells);
    def.size = (pl_vec3){0.1f * (float)b->cells[0], 0.1f * (float)b->cells[1], 0.1f * (float)b->cells[2]};
    def.mass = (float)(b->cells[0] * b->cells[1] * b->cells[2]);
    def.model = b->model;
    def.elastic = (pl_elastic){.young = (float)b->young, .poisson = (float)b->nu, .average_volume = b->averaged};
    def.pin_start = b->pinned;
    weightless(world);
    good(pl_add_bar(world, &def, id));
    return world;
}

// ---- averaged volumes ----------------------------------------------------------------------------------------------

// The surface of a block is moved by F and held; the inside follows, and the pressure is that of F.
static void even_strain(const char *what, pl_solid_model model, const double f[3][3], double determinant)
{
    const double young = 1e5, nu = 0.49;
    pl_id id, blocks[4];
    pl_world *world = make_block(&(block_def){{3, 3, 3}, young, nu, true, false, model}, 40, 8, &id);
    int count = pl_particle_end(world);
    float *x = malloc((size_t)count * 3 * sizeof *x), *y = malloc((size_t)count * 3 * sizeof *y), none = 0.0f;
    good(pl_get(world, PL_ATTRIBUTE_POSITION, 0, count, x));
    for (int i = 0; i < count; ++i)
    {
        bool outside = false;
        for (int c = 0; c < 3; ++c)
        {
            outside |= x[3 * i + c] < 0.01f || x[3 * i + c] > 0.29f;
            y[3 * i + c] = 0.0f;
            for (int k = 0; k < 3; ++k)
            {
                y[3 * i + c] += (float)(f[c][k] * (double)x[3 * i + k]);
            }
        }
        if (outside)
        {
            good(pl_set(world, PL_ATTRIBUTE_MASS, i, 1, &none));
            good(pl_set(world, PL_ATTRIBUTE_POSITION, i, 1, y + 3 * i));
        }
    }
    settle(world, 60, 10.0);
    good(pl_get(world, PL_ATTRIBUTE_POSITION, 0, count, x));
    double off = 0.0;
    for (int i = 0; i < 3 * count; ++i)
    {
        off = fmax(off, fabs((double)x[i] - (double)y[i]));
    }
    pl_object_blocks(world, id, blocks, 4);
    float *force = read_rows(world, blocks[0], PL_ROW_FORCE, 27, 1);
    const pl_elastic elastic = {.young = (float)young, .poisson = (float)nu};
    double wanted = -sqrt(1e-3) * (determinant - 1.0) / (double)pl_divide_elastic(&elastic).patches.compliance;
    print_message("%s: off by %.1e m; force of a patch %.4f, wanted %.4f\n", what, off, (double)force[13], wanted);
    below("distance from the even strain", off, 3e-5); // of 6 and 30 mm
    for (int i = 0; i < 27; ++i)
    {
        near("force of a patch", (double)force[i], wanted, 0.002 * fabs(wanted) + 0.05);
    }
    free(force);
    free(x);
    free(y);
    pl_world_destroy(world);
}

static void the_patch_test(void **state)
{
    (void)state;
    const double squeezed[3][3] = {{0.98, 0, 0}, {0, 0.98, 0}, {0, 0, 0.98}};
    const double sheared[3][3] = {{1, 0.1, 0}, {0, 1, 0}, {0, 0, 1}};
    even_strain("compression", PL_SOLID_COROTATED, squeezed, 0.98 * 0.98 * 0.98);
    even_strain("shear", PL_SOLID_COROTATED, sheared, 1.0);
    even_strain("neo-Hookean compression", PL_SOLID_NEO_HOOKEAN, squeezed, 0.98 * 0.98 * 0.98);
}

// The mean displacement of the far end under a shear force.
static double bent(const block_def *b, double *exact)
{
    pl_id id;
    pl_world *world = make_block(b, 40, 4, &id);
    int count = pl_particle_end(world), ends = 0, wide = b->cells[0] + 1;
    float force[3] = {0.0f, 4.0f, 0.0f}, x[3];
    for (int i = wide - 1; i < count; i += wide)
    {
        good(pl_set(world, PL_ATTRIBUTE_FORCE, i, 1, force));
        ends++;
    }
    judge *j = judge_from_world(world);
    assert_non_null(j);
    assert_int_equal(judge_add_object(j, world, id), PL_OK);
    double start[3] = {0}, judged = 0.0, now = 0.0;
    for (int i = wide - 1; i < count; i += wide)
    {
        start[1] += j->x[3 * i + 1];
    }
    for (int n = 0; n < 40;
         ++n) // statics: implicit steps, from rest each time; longer ones would take patches as rigid
    {
        judge_report report;
        assert_true(judge_step(j, 0.05, &report));
        memset(j->v, 0, 3 * (size_t)j->particles * sizeof *j->v);
    }
    settle(world, 150, 8.0);
    for (int i = wide - 1; i < count; i += wide)
    {
        judged += j->x[3 * i + 1];
        good(pl_get(world, PL_ATTRIBUTE_POSITION, i, 1, x));
        now += (double)x[1];
    }
    judge_destroy(j);
    pl_world_destroy(world);
    *exact = (judged - start[1]) / ends;
    return (now - start[1]) / ends;
}

// The engine is where the judge is, and averaged volumes bend by more than a fifth more than tetrahedra that lock.
static void averaged_volumes_do_not_lock(void **state)
{
    (void)state;
    double judged[2], found[2];
    for (int averaged = 0; averaged < 2; ++averaged)
    {
        found[averaged] =
            bent(&(block_def){{5, 4, 2}, 2e5, 0.49, averaged, true, PL_SOLID_COROTATED}, &judged[averaged]);
        print_message("averaged %d: bent by %.6f m, the judge: %.6f\n", averaged, found[averaged], judged[averaged]);
    }
    near("averaged", found[1], judged[1], 0.01 * judged[1]);
    assert_true(judged[1] > 1.2 * judged[0]);
}

// ---- neo-Hookean at long substeps ----------------------------------------------------------------------------------

// The kinetic energy of a bar that starts to swing, after some frames, as a share of that at the start.
static double energy_left(double sound, double nu, int iterations, int frames)
{
    double c = sound * 0.1 * 1200.0; // c h/l = sound at 20 substeps
    pl_id id;
    const block_def b = {{6, 2, 2}, 1000.0 * c * c, nu, false, true, PL_SOLID_NEO_HOOKEAN};
    pl_world *world = make_block(&b, 20, iterations, &id);
    int count = pl_particle_end(world);
    float *x = malloc((size_t)count * 3 * sizeof *x), *v = calloc((size_t)count * 3, sizeof *v);
    good(pl_get(world, PL_ATTRIBUTE_POSITION, 0, count, x));
    for (int i = 0; i < count; ++i)
    {
        v[3 * i + 1] = (float)(0.02 * c * (double)(x[3 * i] * x[3 * i]) / 0.36);
    }
    good(pl_set(world, PL_ATTRIBUTE_VELOCITY, 0, count, v));
    double start = pl_world_energy(world).kinetic;
    steps(world, frames, 1.0 / 60.0);
    double left = pl_world_energy(world).kinetic / start;
    free(x);
    free(v);
    pl_world_destroy(world);
    return left;
}

static void neo_hookean_gains_nothing(void **state)
{
    (void)state;
    const double sound[] = {1.0, 2.0, 5.0, 10.0}, nu[] = {0.0, 0.3, 0.45, 0.49};
    for (int n = 0; n < 4; ++n)
    {
        for (int s = 0; s < 4; ++s)
        {
            double left[2] = {energy_left(sound[s], nu[n], 1, 40), energy_left(sound[s], nu[n], 4, 40)};
            print_message("nu %g, c h/l %g: %.1e of the energy left after 40 frames, %.1e at 4 iterations\n", nu[n],
                          sound[s], left[0], left[1]);
            below("energy left", fmax(left[0], left[1]), 0.2);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_patch_test),
        cmocka_unit_test(averaged_volumes_do_not_lock),
        cmocka_unit_test(neo_hookean_gains_nothing),
    };
    return cmocka_run_group_tests_name("hard materials", tests, NULL, NULL);
}
