// test_elements.c: finite elements against the theory of elasticity, and a cantilever before the judge.
// labels: slow
// long: too
#include "support/long.h"
#include "elements.h"

#include "reference.h"

// ---- Poisson's ratio -----------------------------------------------------------------------------------------------

static int bar_at(int x, int y, int z) { return (z * 3 + y) * 11 + x; }

static double apart(const float *x, int a, int b)
{
    double sum = 0.0;
    for (int c = 0; c < 3; ++c)
    {
        sum += pow((double)x[3 * a + c] - (double)x[3 * b + c], 2);
    }
    return sqrt(sum);
}

// A free bar pulled at both ends until it is longer by 1 %: it narrows by nu times as much, and the force is E A times the strain.
static void a_stretched_bar_narrows(void **state)
{
    (void)state;
    const pl_solid_model models[] = {PL_SOLID_STVK, PL_SOLID_COROTATED, PL_SOLID_NEO_HOOKEAN};
    const double young = 1e5, nu = 0.35, strain = 0.01, length = 1.0, width = 0.2;
    for (int m = 0; m < 3; ++m)
    {
        pl_world *world = make_world(10, 20);
        weightless(world);
        pl_bar_def def = pl_default_bar_def();
        def.cells[0] = 10;
        def.cells[1] = def.cells[2] = 2;
        def.origin = (pl_vec3){-0.5f, -0.1f, -0.1f};
        def.size = (pl_vec3){(float)length, (float)width, (float)width};
        def.mass = 20.0f;
        def.model = models[m];
        def.elastic = (pl_elastic){.young = (float)young, .poisson = (float)nu};
        pl_id id;
        good(pl_add_bar(world, &def, &id));
        // The load of each end face, a third of each of its triangles to each corner.
        int count = pl_particle_end(world), faces = pl_face_count(world);
        float *force = calloc((size_t)count * 3, sizeof *force), *x = malloc((size_t)count * 3 * sizeof *x);
        int32_t *t = malloc((size_t)faces * 3 * sizeof *t);
        good(pl_get(world, PL_ATTRIBUTE_POSITION, 0, count, x));
        good(pl_get_faces(world, 0, faces, t));
        double pull = young * strain * width * width, share = pull / (2 * 2 * 2) / 3.0; // four squares of two triangles
        for (int i = 0; i < faces; ++i)
        {
            float end = x[3 * t[3 * i]];
            bool face = fabsf(end) > 0.499f && x[3 * t[3 * i + 1]] == end && x[3 * t[3 * i + 2]] == end;
            for (int k = 0; k < 3 && face; ++k)
            {
                force[3 * t[3 * i + k]] += (float)(end > 0.0f ? share : -share);
            }
        }
        good(pl_set(world, PL_ATTRIBUTE_FORCE, 0, count, force));
        settle(world, 240, 10.0);
        good(pl_get(world, PL_ATTRIBUTE_POSITION, 0, count, x));
        // Between the middles of the ends, and across the middle of the bar: it may have turned a little.
        double longer = apart(x, bar_at(0, 1, 1), bar_at(10, 1, 1)) / length - 1.0;
        double narrower = 1.0 - apart(x, bar_at(5, 0, 1), bar_at(5, 2, 1)) / width;
        print_message("model %d: longer by %.5f, narrower by %.5f: Poisson's ratio %.4f\n", (int)models[m], longer,
                      narrower, narrower / longer);
        near("Poisson's ratio", narrower / longer, nu, 0.02 * nu);
        near("strain", longer, strain, 0.03 * strain); // the materials differ from Hooke at the second order
        free(force);
        free(x);
        free(t);
        pl_world_destroy(world);
    }
}

// ---- cantilever ----------------------------------------------------------------------------------------------------

typedef struct beam
{
    int cells[3];
    double size[3], mass;
    pl_solid_model model;
} beam;

static pl_world *make_beam(const beam *b, int substeps, int iterations, pl_id *id)
{
    pl_world *world = make_world(substeps, iterations);
    pl_bar_def def = pl_default_bar_def();
    memcpy(def.cells, b->cells, sizeof def.cells);
    def.size = (pl_vec3){(float)b->size[0], (float)b->size[1], (float)b->size[2]};
    def.origin = (pl_vec3){(float)(-0.5 * b->size[0]), 0.0f, 0.0f}; // near the origin: positions have more digits there
    def.mass = (float)b->mass;
    def.model = b->model;
    def.elastic = (pl_elastic){.young = 1e5f, .poisson = 0.3f};
    def.pin_start = true;
    good(pl_add_bar(world, &def, id));
    return world;
}

// Statics: implicit steps so long that inertia means nothing, from rest each time.
static judge *judge_at_rest(const pl_world *world, pl_id id, double first, int count)
{
    judge *j = judge_from_world(world);
    assert_non_null(j);
    assert_int_equal(judge_add_object(j, world, id), PL_OK);
    for (int n = 0; n < count; ++n)
    {
        judge_report report;
        assert_true(judge_step(j, first * (1 << n), &report));
        memset(j->v, 0, 3 * (size_t)j->particles * sizeof *j->v);
    }
    return j;
}

// The multipliers of an element without strain: a neo-Hookean one has two that cancel, and they would hide the others.
static void rest_forces(const judge_row *row, double *out)
{
    double volume = row->param[9], mu = 1.0 / row->compliance / (2.0 * (1.0 + row->param[10]));
    memset(out, 0, JUDGE_MAX_PARTS * sizeof *out);
    if (row->kind == PL_KIND_NEO_HOOKEAN)
    {
        out[0] = -sqrt(3.0) * mu * volume;
        out[1] = mu * volume;
    }
}

static double force_error(const pl_world *world, const judge *j, pl_id id)
{
    pl_id blocks[4];
    pl_object_blocks(world, id, blocks, 4);
    double off = 0.0, size = 0.0, wanted[JUDGE_MAX_PARTS];
    int parts = judge_forces(&j->row[0], wanted);
    float *force = read_rows(world, blocks[0], PL_ROW_FORCE, j->rows, parts);
    for (int r = 0; r < j->rows; ++r)
    {
        double rest[JUDGE_MAX_PARTS];
        rest_forces(&j->row[r], rest);
        judge_forces(&j->row[r], wanted);
        for (int k = 0; k < parts; ++k)
        {
            double d = (double)force[parts * r + k] - wanted[k];
            off += d * d;
            size += (wanted[k] - rest[k]) * (wanted[k] - rest[k]);
        }
    }
    free(force);
    return sqrt(off / size);
}

// The tip sinks to where the judge finds it, with multipliers that are its stresses; more iterations change nothing.
static void cantilever_before_the_judge(void **state)
{
    (void)state;
    const pl_solid_model models[] = {PL_SOLID_STVK, PL_SOLID_COROTATED, PL_SOLID_NEO_HOOKEAN, PL_SOLID_STRAIN};
    const int iterations[] = {4, 16};
    for (int m = 0; m < 4; ++m)
    {
        double last = 0.0;
        judge *j = NULL;
        for (int n = 0; n < (m == 0 ? 2 : 1); ++n)
        {
            beam b = {{12, 3, 2}, {1.0, 0.25, 0.2}, 2.0, models[m]};
            pl_id id;
            pl_world *world = make_beam(&b, models[m] == PL_SOLID_NEO_HOOKEAN ? 60 : 20, iterations[n], &id);
            j = j ? j : judge_at_rest(world, id, 0.05, 12);
            double start = (double)where(world, 12).y, exact = start - j->x[3 * 12 + 1];
            settle(world, 240, 8.0);
            double tip = start - (double)where(world, 12).y, forces = force_error(world, j, id);
            print_message("model %d, %d iterations: the tip sinks by %.5f m (the judge: %.5f), forces to %.2e\n",
                          (int)models[m], iterations[n], tip, exact, forces);
            assert_true(exact > 0.05);
            // A neo-Hookean element at rest has two multipliers that cancel: what XPBD leaves is larger.
            near("the tip", tip, exact, (models[m] == PL_SOLID_NEO_HOOKEAN ? 0.015 : 0.01) * exact);
            below("multipliers", forces, 0.02);
            if (n > 0)
            {
                near("the tip, with more iterations", tip, last, 0.003 * exact);
            }
            last = tip;
            pl_world_destroy(world);
        }
        judge_destroy(j);
    }
}

// Elements whose strain is constant are too stiff in bending, by a share that falls with the square of their size: the finest of
// three beams is within 3 % of Euler and Bernoulli, and what two of them extrapolate to is within 1 % of Timoshenko.
static void a_slender_beam_bends_as_theory_says(void **state)
{
    (void)state;
    const double length = 1.0, height = 0.1, width = 0.02, young = 1e5, nu = 0.3;
    const double theory = 1e-3, shear = 2.0 * (1.0 + nu) / (5.0 / 6.0) * height * height / (3.0 * length * length);
    // A weight per length q gives q L^4/(8 E I), I = width height^3/12.
    const double q = theory * 8.0 * young * width * pow(height, 3) / 12.0 / pow(length, 4);
    double share[3];
    const int sizes = is_long() ? 3 : 2;
    for (int n = 0; n < sizes; ++n)
    {
        beam b = {{20 << n, 2 << n, 1}, {length, height, width}, q * length / GRAVITY, PL_SOLID_STVK};
        pl_id id;
        pl_world *world = make_beam(&b, 1, 1, &id);
        judge *j = judge_at_rest(world, id, 1000.0, 1);
        int end = b.cells[0];
        share[n] = ((double)where(world, end).y - j->x[3 * end + 1]) / theory;
        print_message("%d x %d cells: %.4f of Euler and Bernoulli's deflection\n", b.cells[0], b.cells[1], share[n]);
        judge_destroy(j);
        pl_world_destroy(world);
    }
    double limit = (4.0 * share[sizes - 1] - share[sizes - 2]) / 3.0;
    print_message("extrapolated: %.4f; Timoshenko: %.4f\n", limit, 1.0 + shear);
    if (sizes == 3)
        near("the finest beam", share[2], 1.0, 0.03);
    near("the limit", limit, 1.0 + shear, sizes == 3 ? 0.01 : 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stretched_bar_narrows),
        cmocka_unit_test(cantilever_before_the_judge),
        cmocka_unit_test(a_slender_beam_bends_as_theory_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
