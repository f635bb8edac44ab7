// test_plastic.c: metal. A rod pulled past its yield keeps what is beyond it; a beam bent past its yield springs back by as much as
// the theory of elastic, perfectly plastic beams says; an elastic one comes back whole.
#include "physics.h"

#include <pthread.h>

// ---- along one axis ------------------------------------------------------------------------------------------------

static pl_plastic metal(double yield, double limit, double hardening)
{
    pl_plastic p = pl_default_plastic();
    p.yield = (float)yield, p.limit = (float)limit, p.hardening = (float)hardening;
    return p;
}

// A link from a held particle to a second held one that is pulled away and then let go. Returns the rest length.
static double pulled_link(pl_plastic plastic, double strain)
{
    pl_world *w = make_world(10, 1);
    weightless(w);
    add_particles(w, 2, (float[]){0, 0, 0, 1, 0, 0}, (float[]){0, 0});
    pl_id link = add_rows(w, PL_KIND_DISTANCE, 1, (int32_t[]){0, 1}, NULL, 1e-6, 1.0);
    good(pl_set_plastic(w, link, 0, 1, &plastic));
    good(pl_set(w, PL_ATTRIBUTE_POSITION, 1, 1, (float[]){(float)(1.0 + strain), 0, 0}));
    steps(w, 2, 1.0 / 60.0);
    float rest;
    good(pl_get_rows(w, link, PL_ROW_PARAM, 0, 1, &rest));
    pl_world_destroy(w);
    return (double)rest;
}

static void a_link_keeps_what_is_beyond_its_yield(void **state)
{
    (void)state;
    near("below the yield", pulled_link(metal(0.1, 0, 0), 0.09), 1.0, 0.0);
    // (1.3 - rest)/rest = 0.1
    near("pulled", pulled_link(metal(0.1, 0, 0), 0.3), 1.3 / 1.1, 1e-5);
    near("pressed", pulled_link(metal(0.1, 0, 0), -0.3), 0.7 / 0.9, 1e-5);
    near("with a limit", pulled_link(metal(0.1, 0.05, 0), 0.3), 1.3 / 1.25, 1e-5);
    // With hardening H the strain that is left is yield (1 + H p), p being what has flown: rest = 1 + p for small p.
    double rest = pulled_link(metal(0.001, 0, 100.0), 0.004), p = rest - 1.0;
    near("hardened", 1.004 / rest - 1.0, 0.001 * (1.0 + 100.0 * p), 2e-5);
    assert_true(rest < 1.004 / 1.001);
}

// ---- a tetrahedron -------------------------------------------------------------------------------------------------

// Stretched by (1 + e) along x and 1/sqrt(1 + e) across, which keeps the volume: all of it is deviator, |D| = sqrt(3/2) e for small e.
static double kept_stretch(pl_kind kind, double e, double yield, double nu)
{
    pl_world *w = make_world(4, 1);
    weightless(w);
    float x[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, param[11], after[11];
    add_particles(w, 4, x, (float[]){0, 0, 0, 0});
    pl_id tet = add_rows(w, kind, 1, (int32_t[]){0, 1, 2, 3}, NULL, 1e-5, 1.0);
    good(pl_get_rows(w, tet, PL_ROW_PARAM, 0, 1, param));
    param[10] = (float)nu;
    good(pl_set_rows(w, tet, PL_ROW_PARAM, 0, 1, param));
    pl_plastic p = metal(yield, 0, 0);
    good(pl_set_plastic(w, tet, 0, 1, &p));
    double side = 1.0 / sqrt(1.0 + e);
    for (int i = 0; i < 12; i++)
        x[i] *= (float)(i % 3 == 0 ? 1.0 + e : side);
    good(pl_set(w, PL_ATTRIBUTE_POSITION, 0, 4, x));
    steps(w, 4, 1.0 / 60.0);
    good(pl_get_rows(w, tet, PL_ROW_PARAM, 0, 1, after));
    double det = (double)after[0] * after[4] * after[8];
    near("the volume of the shape at rest", (double)after[9] * det, 1.0 / 6.0, 1e-6);
    near("across, too", (double)after[4], (double)after[8], 1e-6);
    pl_world_destroy(w);
    return 1.0 / (double)after[0] - 1.0; // how much longer it is at rest
}

static void a_tetrahedron_flows_to_its_yield(void **state)
{
    (void)state;
    static const pl_kind kinds[] = {PL_KIND_STVK_TET, PL_KIND_COROTATED_TET, PL_KIND_NEO_HOOKEAN, PL_KIND_STRAIN_TET};
    for (int k = 0; k < 4; k++)
        for (int n = 0; n < 2; n++)
        {
            double nu = n ? 0.3 : 0.0, yield = 0.002, e = 0.02;
            near("below the yield", kept_stretch(kinds[k], 0.5 * yield, yield, nu), 0.0, 0.0);
            // Left of it is q = yield: sqrt(3/2) sqrt(3/2) e/(1 + nu) = yield, so e = 2/3 (1 + nu) yield.
            near("kept", kept_stretch(kinds[k], e, yield, nu), e - 2.0 / 3.0 * (1.0 + nu) * yield, 0.02 * e);
        }
}

// ---- a beam --------------------------------------------------------------------------------------------------------

enum
{
    MOST = 12, // cells over the height
    COUNT = 2 * (5 * MOST / 2 + 1) * (MOST + 1),
};

static const double L = 0.5, T = 0.2, YIELD = 0.004; // m; strain

// The middle line's turn from a fifth to four fifths of its length.
static double turned(const pl_world *w, int high)
{
    pl_vec3 at[4];
    int length = 5 * high / 2, middle = high / 2 * (length + 1);
    const int column[4] = {length / 5 - 1, length / 5 + 1, 4 * length / 5 - 1, 4 * length / 5 + 1};
    for (int i = 0; i < 4; i++)
        at[i] = where(w, middle + column[i]);
    double first = atan2((double)(at[1].y - at[0].y), (double)(at[1].x - at[0].x));
    double last = atan2((double)(at[3].y - at[2].y), (double)(at[3].x - at[2].x));
    return last - first;
}

// The whole bar is bent to the curvature k, plane sections staying plane, and all but its left end let go. Returns the curvature that is
// left.
static double bend_and_let_go(double k, int high, bool plastic)
{
    pl_world *w = make_world(20, 4); // what has not converged flows where it should not
    weightless(w);
    int length = 5 * high / 2, count = 2 * (length + 1) * (high + 1);
    pl_bar_def def = pl_default_bar_def();
    def.cells[0] = length, def.cells[1] = high, def.cells[2] = 1;
    def.origin = (pl_vec3){(float)(-0.5 * L), (float)(-0.5 * T), 0.0f};
    def.size = (pl_vec3){(float)L, (float)T, (float)(T / high)};
    def.mass = (float)(20.0 / high);
    def.model = PL_SOLID_COROTATED;
    def.elastic = (pl_elastic){.young = 2e5f, .poisson = 0.0f, .viscosity = 2e2f};
    if (plastic)
        def.plastic = metal(YIELD, 0, 0);
    good(pl_add_bar(w, &def, NULL));
    float mass[COUNT], x[3 * COUNT], none[3 * COUNT] = {0};
    good(pl_get(w, PL_ATTRIBUTE_MASS, 0, count, mass));
    good(pl_get(w, PL_ATTRIBUTE_POSITION, 0, count, x));
    for (int n = 0; n < count; n++)
    {
        double a = (double)x[3 * n] * k, h = 1.0 / k - (double)x[3 * n + 1];
        x[3 * n] = (float)(h * sin(a));
        x[3 * n + 1] = (float)(1.0 / k - h * cos(a));
    }
    good(pl_set(w, PL_ATTRIBUTE_MASS, 0, count, none));
    good(pl_set(w, PL_ATTRIBUTE_POSITION, 0, count, x));
    steps(w, 2, 1.0 / 60.0);
    for (int n = 0; n < count; n++)
        mass[n] = n % (length + 1) > 0 ? mass[n] : 0.0f;
    good(pl_set(w, PL_ATTRIBUTE_MASS, 0, count, mass));
    change(w, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 20.0);
    steps(w, 60, 1.0 / 60.0);
    double left = turned(w, high) / (0.6 * L);
    pl_world_destroy(w);
    return left;
}

typedef struct bending
{
    double k, left;
    int high;
    bool plastic;
} bending;

static void *bend(void *arg)
{
    bending *b = arg;
    b->left = bend_and_let_go(b->k, b->high, b->plastic);
    return NULL;
}

// Elastic up to |y| = yield/k, beyond it the stress is E yield: the moment is E I k_y 3/2 (1 - (k_y/k)^2/3) with k_y = 2 yield/T, and
// springs back elastically when it is taken away (Timoshenko, Strength of Materials; the code knows nothing of it). Elements of constant
// strain err by the square of their size: two meshes tell where the third, of size 0, would end.
static void a_beam_springs_back_as_theory_says(void **state)
{
    (void)state;
    double ky = 2.0 * YIELD / T, k = 5.0 * ky, ratio = ky / k;
    double left = k - 1.5 * ky * (1.0 - ratio * ratio / 3.0);
    bending b[3] = {{k, 0, 4, true}, {k, 0, 8, true}, {k, 0, 4, false}};
    pthread_t thread[3];
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, bend, &b[i]), 0);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    double fine = b[1].left + (b[1].left - b[0].left) / 3.0;
    print_message("bent to %.4f 1/m: %.4f and %.4f left, %.4f in the end, %.4f predicted; elastic: %.5f left\n", k,
                  b[0].left, b[1].left, fine, left, b[2].left);
    near("what is left of the curvature", fine, left, 0.03 * left);
    near("what is left of an elastic beam's", b[2].left, 0.0, 0.01 * k);
}

// ---- bad input -----------------------------------------------------------------------------------------------------

static void nonsense_is_refused(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    add_particles(w, 4, (float[]){0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, NULL);
    pl_id link = add_rows(w, PL_KIND_DISTANCE, 1, (int32_t[]){0, 1}, NULL, 0, 1);
    pl_id area = add_rows(w, PL_KIND_AREA, 1, (int32_t[]){0, 1, 2}, NULL, 0, 1);
    pl_plastic p = metal(-0.1, 0, 0);
    assert_int_equal(pl_set_plastic(w, link, 0, 1, &p), PL_ERROR_ARGUMENT);
    assert_non_null(strstr(pl_error_message(), "yield is -0.1"));
    p = metal(0.1, 0, (double)NAN);
    assert_int_equal(pl_set_plastic(w, link, 0, 1, &p), PL_ERROR_ARGUMENT);
    assert_non_null(strstr(pl_error_message(), "hardening is"));
    p = metal(0.1, 0, 0);
    assert_int_equal(pl_set_plastic(w, area, 0, 1, &p), PL_ERROR_ARGUMENT);
    assert_non_null(strstr(pl_error_message(), "area"));
    assert_int_equal(pl_set_plastic(w, link, 0, 2, &p), PL_ERROR_ARGUMENT);
    assert_int_equal(pl_set_strength(w, link, 0, 1, NAN), PL_ERROR_ARGUMENT);
    assert_non_null(strstr(pl_error_message(), "strength of distance"));
    assert_int_equal(pl_set_strength(w, area, 0, 1, 1.0f), PL_ERROR_ARGUMENT);
    pl_cloth_def cloth = pl_default_cloth_def();
    cloth.plastic.yield = 0.1f;
    assert_int_equal(pl_add_cloth(w, &cloth, NULL), PL_ERROR_ARGUMENT);
    assert_non_null(strstr(pl_error_message(), "dihedral"));
    pl_damage damage;
    good(pl_get_damage(w, link, 0, 1, &damage));
    assert_true(damage.flowed == 0.0f && damage.strength == 0.0f && !damage.broken);
    pl_world_destroy(w);
}

// ---- one answer ----------------------------------------------------------------------------------------------------

static pl_world *crumpling(int threads, int lanes)
{
    pl_world_def def = pl_default_world_def();
    def.threads = threads, def.lanes = lanes;
    def.settings.substeps = 10;
    pl_world *w;
    good(pl_world_create(&def, &w));
    pl_bar_def bar = pl_default_bar_def();
    bar.model = PL_SOLID_COROTATED;
    bar.pin_start = true;
    bar.plastic = metal(0.01, 0.5, 1.0);
    good(pl_add_bar(w, &bar, NULL));
    pl_cloth_def cloth = pl_default_cloth_def();
    cloth.bending = PL_BENDING_DIHEDRAL;
    cloth.plastic = metal(0.05, 0, 0);
    cloth.bend.compliance = 1e-3f;
    cloth.origin = (pl_vec3){0, 1, 0};
    cloth.pinned = (int32_t[]){0, 19};
    cloth.pinned_count = 2;
    good(pl_add_cloth(w, &cloth, NULL));
    return w;
}

static void flow_is_the_same_everywhere_and_after_a_snapshot(void **state)
{
    (void)state;
    pl_world *a = crumpling(1, 1), *b = crumpling(2, 0), *c;
    steps(a, 10, 1.0 / 60.0);
    steps(b, 10, 1.0 / 60.0);
    void *data;
    size_t size;
    good(pl_world_save_memory(b, &data, &size));
    pl_world_def def = pl_default_world_def();
    good(pl_world_load_memory(&def, data, size, &c));
    pl_free(data);
    steps(a, 10, 1.0 / 60.0);
    steps(b, 10, 1.0 / 60.0);
    steps(c, 10, 1.0 / 60.0);
    assert_true(pl_world_hash(a) == pl_world_hash(b));
    assert_true(pl_world_hash(a) == pl_world_hash(c));
    // An edit of something else loses nothing of what has flown.
    pl_id id = {0};
    pl_world_blocks(b, &id, 1);
    good(pl_set_rows(b, id, PL_ROW_DAMPING, 0, 1, (float[]){0.0f}));
    add_particles(b, 1, (float[]){100, 0, 0}, NULL);
    steps(a, 5, 1.0 / 60.0);
    steps(b, 5, 1.0 / 60.0);
    pl_vec3 x = where(a, 50), y = where(b, 50);
    near("x", (double)x.x, (double)y.x, 1e-3);
    near("y", (double)x.y, (double)y.y, 1e-3);
    pl_world_destroy(a);
    pl_world_destroy(b);
    pl_world_destroy(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_link_keeps_what_is_beyond_its_yield),
        cmocka_unit_test(a_tetrahedron_flows_to_its_yield),
        cmocka_unit_test(a_beam_springs_back_as_theory_says),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(flow_is_the_same_everywhere_and_after_a_snapshot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
