// Particles out of solids: how many, how far apart, how deep, and which way is out.
#include "solids.h"

#include "author/sampler.h"

static pl_samples sample(memory *m, const pl_mesh *mesh, pl_sample_def d)
{
    mesh_view v = view_of(mesh, "solid");
    pl_samples s;
    good(sample_particles(m, &v, &d, &s));
    return s;
}

static double apart(const float *a, const float *b)
{
    double x[3], y[3], d[3];
    widen(a, x);
    widen(b, y);
    sub3(x, y, d);
    return sqrt(dot3(d, d));
}

static double nearest_pair(const pl_samples *s)
{
    double best = 1e30;
    for (int i = 0; i < s->count; i++)
        for (int k = 0; k < i; k++)
            best = fmin(best, apart(s->positions + 3 * i, s->positions + 3 * k));
    return best;
}

// A box of 10 x 7 x 9 spacings holds 10 x 7 x 9 spheres.
static void spheres_in_a_box(void **state)
{
    (void)state;
    memory m = open_memory();
    pl_mesh mesh = make_shape(&m, "box", 0.0f);
    pl_sample_def d = pl_default_sample_def();
    d.spacing = 0.1f;
    pl_samples s = sample(&m, &mesh, d);
    assert_int_equal(s.count, 630);
    near_to("the nearest two", nearest_pair(&s), 0.1, 1e-6);
    const double half[3] = {0.5, 0.35, 0.45};
    for (int i = 0; i < s.count; i++)
    {
        double wanted = 1.0, x[3];
        widen(s.positions + 3 * i, x);
        for (int k = 0; k < 3; k++)
            wanted = fmin(wanted, half[k] - fabs(x[k]));
        near_to("the distance", (double)s.distances[i], -wanted, 1e-6);
        int out = -1; // the way out: along the axis of the nearest side
        for (int k = 0; k < 3; k++)
            if (half[k] - fabs(x[k]) < wanted + 1e-6 && fabs(fabs((double)s.normals[3 * i + k]) - 1.0) < 1e-6)
                out = k;
        assert_true(out >= 0);
        if (fabs(x[out]) > 1e-6)
            assert_true((double)s.normals[3 * i + out] * x[out] > 0.0);
    }
    samples_drop(&m, &s);
    d.inset = 0.0f; // also on the surface itself: one more along each axis
    s = sample(&m, &mesh, d);
    assert_int_equal(s.count, 11 * 8 * 10);
    samples_drop(&m, &s);
    mesh_drop(&m, &mesh);
    assert_int_equal(m.bytes, 0);
}

// The densest packing holds sqrt(2) times as many as the cubic one, and its particles keep the spacing.
static void hexagonal(void **state)
{
    (void)state;
    memory m = open_memory();
    pl_mesh mesh = make_shape(&m, "sphere", 0.05f);
    mesh_view v = view_of(&mesh, "sphere");
    pl_sample_def d = pl_default_sample_def();
    d.spacing = 0.05f;
    d.inset = 0.0f;
    d.packing = PL_PACKING_HEXAGONAL;
    pl_samples s = sample(&m, &mesh, d);
    near_to("the nearest two", nearest_pair(&s), 0.05, 1e-6);
    double each = 0.05 * 0.05 * 0.05 / sqrt(2.0);
    near_to("how many", (double)s.count * each / mesh_volume(&v), 1.0, 0.03);
    int neighbours = 0; // twelve, in the middle
    for (int i = 0; i < s.count; i++)
        if (s.distances[i] < -0.45f)
        {
            int touching = 0;
            for (int k = 0; k < s.count; k++)
                touching += k != i && apart(s.positions + 3 * i, s.positions + 3 * k) < 0.0501;
            assert_int_equal(touching, 12);
            neighbours++;
        }
    assert_true(neighbours > 0);
    samples_drop(&m, &s);
    mesh_drop(&m, &mesh);
}

// Distance and normal of a ball are known.
static void ball(void **state)
{
    (void)state;
    memory m = open_memory();
    pl_mesh mesh = make_shape(&m, "sphere", 0.02f);
    pl_sample_def d = pl_default_sample_def();
    d.spacing = 0.06f;
    pl_samples s = sample(&m, &mesh, d);
    for (int i = 0; i < s.count; i++)
    {
        double x[3], n[3];
        widen(s.positions + 3 * i, x);
        widen(s.normals + 3 * i, n);
        double r = sqrt(dot3(x, x));
        near_to("the distance", (double)s.distances[i], r - 0.5, 5e-4);
        assert_true(s.distances[i] <= -0.03f + 1e-5f);
        near_to("a normal's length", dot3(n, n), 1.0, 1e-5);
        if (r > 0.1)
            near_to("the way out", dot3(x, n) / r, 1.0, 0.02);
    }
    samples_drop(&m, &s);
    mesh_drop(&m, &mesh);
}

static void snapped(void **state)
{
    (void)state;
    static const char *const shapes[] = {"sphere", "torus", "box", "teapot"};
    for (int i = 0; i < 4; i++)
    {
        memory m = open_memory();
        pl_mesh mesh = make_shape(&m, shapes[i], 0.0f);
        pl_sample_def d = pl_default_sample_def();
        d.spacing = 0.06f;
        d.snap = true;
        pl_samples s = sample(&m, &mesh, d);
        int rim = 0;
        for (int k = 0; k < s.count; k++)
        {
            double off = (double)s.distances[k] + 0.03;
            if (fabs(off) < 0.0013)
                rim++;
            else
                assert_true(off <= -0.029);
        }
        assert_true(nearest_pair(&s) > 0.7 * 0.06 - 1e-6);
        assert_true(rim > s.count / 8);
        samples_drop(&m, &s);
        mesh_drop(&m, &mesh);
        assert_int_equal(m.bytes, 0);
    }
}

// Nobody near, nobody far: every vertex of a fine mesh has a particle close by.
static void on_the_surface(void **state)
{
    (void)state;
    static const char *const shapes[] = {"sphere", "torus", "capsule", "octopus"};
    for (int i = 0; i < 4; i++)
    {
        memory m = open_memory();
        pl_mesh mesh = make_shape(&m, shapes[i], 0.04f);
        pl_sample_def d = pl_default_sample_def();
        d.spacing = 0.07f;
        d.inset = 0.0f;
        d.surface_only = true;
        pl_samples s = sample(&m, &mesh, d);
        assert_true(nearest_pair(&s) > 0.85 * 0.07 - 1e-6);
        for (int k = 0; k < s.count; k++)
            near_to("the distance", (double)s.distances[k], 0.0, 1e-5);
        for (int v = 0; v < mesh.vertex_count; v++)
        {
            double best = 1e30;
            for (int k = 0; k < s.count; k++)
                best = fmin(best, apart(mesh.vertices + 3 * v, s.positions + 3 * k));
            below("from a vertex to the nearest particle", best, 1.1 * 0.07);
        }
        samples_drop(&m, &s);
        d.inset = 0.02f;
        s = sample(&m, &mesh, d);
        for (int k = 0; k < s.count; k++)
            near_to("the distance", (double)s.distances[k], -0.02, 0.0015);
        samples_drop(&m, &s);
        mesh_drop(&m, &mesh);
        assert_int_equal(m.bytes, 0);
    }
}

static void bits(void **state)
{
    (void)state;
    static const uint64_t wanted[4] = {0x57fba011e79aafff, 0x5975e481ee196da3, 0xf8b1f1edf4a1fb46, 0xe833c470c2ac3355};
    memory m = open_memory();
    pl_mesh mesh = make_shape(&m, "teapot", 0.0f);
    int wrong = 0;
    for (int i = 0; i < 4; i++)
    {
        pl_sample_def d = pl_default_sample_def();
        d.spacing = 0.06f;
        d.packing = i == 1 ? PL_PACKING_HEXAGONAL : PL_PACKING_CUBIC;
        d.snap = i == 2;
        d.surface_only = i == 3;
        pl_samples s = sample(&m, &mesh, d);
        uint64_t h = hash_bytes(HASH_START, s.positions, 12 * (size_t)s.count);
        h = hash_bytes(h, s.distances, 4 * (size_t)s.count);
        wrong += other_hash("teapot", hash_bytes(h, s.normals, 12 * (size_t)s.count), wanted[i]);
        samples_drop(&m, &s);
    }
    mesh_drop(&m, &mesh);
    assert_int_equal(wrong, 0);
}

static void refusals(void **state)
{
    (void)state;
    memory m = open_memory();
    pl_mesh mesh = make_shape(&m, "box", 0.0f);
    pl_sample_def d = pl_default_sample_def();
    pl_samples s = {.count = 3};
    d.spacing = 0.0f;
    refused(pl_sample_particles(&mesh, &d, &s), PL_ERROR_ARGUMENT, "the spacing of the particles is 0 m");
    assert_true(s.count == 0 && !s.positions);
    d.spacing = NAN;
    refused(pl_sample_particles(&mesh, &d, &s), PL_ERROR_ARGUMENT, "the spacing of the particles is nan m");
    d.spacing = 2.0f;
    refused(pl_sample_particles(&mesh, &d, &s), PL_ERROR_ARGUMENT, "no particle fits");
    d.spacing = 1e-5f;
    refused(pl_sample_particles(&mesh, &d, &s), PL_ERROR_ARGUMENT, "use a larger spacing");
    d.surface_only = true;
    refused(pl_sample_particles(&mesh, &d, &s), PL_ERROR_ARGUMENT, "use a larger spacing");
    d.spacing = 0.1f;
    d.inset = NAN;
    refused(pl_sample_particles(&mesh, &d, &s), PL_ERROR_ARGUMENT, "the inset of the particles is nan m");
    d.inset = -1.0f;
    d.packing = (pl_packing)7;
    refused(pl_sample_particles(&mesh, &d, &s), PL_ERROR_ARGUMENT, "there is no packing 7");
    d.packing = PL_PACKING_CUBIC;
    refused(pl_sample_particles(NULL, &d, &s), PL_ERROR_ARGUMENT, "mesh");
    refused(pl_sample_particles(&mesh, NULL, &s), PL_ERROR_ARGUMENT, "def");
    refused(pl_sample_particles(&mesh, &d, NULL), PL_ERROR_ARGUMENT, "out");
    mesh.triangle_count--;
    refused(pl_sample_particles(&mesh, &d, &s), PL_ERROR_ARGUMENT, "the mesh is open");
    mesh.triangle_count++;
    good(pl_sample_particles(&mesh, &d, &s));
    pl_samples_free(&s);
    pl_samples_free(NULL);
    mesh_drop(&m, &mesh);
}

static pl_result sample_a_torus(memory *m)
{
    pl_mesh_def d = shape_def("torus", 0.3f);
    pl_mesh mesh;
    pl_samples s = {0};
    pl_result result = shape_mesh(m, &d, &mesh);
    mesh_view v = view_of(&mesh, "torus");
    for (int i = 0; result == PL_OK && i < 2; i++)
    {
        pl_sample_def how = {.spacing = 0.2f, .inset = -1.0f, .snap = i == 0, .surface_only = i == 1};
        result = sample_particles(m, &v, &how, &s);
        samples_drop(m, &s);
    }
    mesh_drop(m, &mesh);
    return result;
}

static void out_of_memory(void **state)
{
    (void)state;
    fails_cleanly(sample_a_torus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_in_a_box), cmocka_unit_test(hexagonal),    cmocka_unit_test(ball),
        cmocka_unit_test(snapped),          cmocka_unit_test(bits),         cmocka_unit_test(on_the_surface),
        cmocka_unit_test(refusals),         cmocka_unit_test(out_of_memory)};
    return cmocka_run_group_tests_name("sampler", tests, NULL, NULL);
}
