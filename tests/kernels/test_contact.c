// Which way the contact of two particles of bodies points: the cases worked out by hand, and the same seen from the other side.
#include "kernels/contact.h"
#include "support/support.h"

static point field(float x, float y, float z, float depth) { return (point){x, y, z, depth}; }

static const point loose = {0.0f, 0.0f, 0.0f, 0.0f};
static const float reach = 0.1f; // radii of 0.05: the outermost particles lie that deep

static void points(vec n, double x, double y, double z)
{
    if (!(fabs((double)n.x - x) < 1e-6 && fabs((double)n.y - y) < 1e-6 && fabs((double)n.z - z) < 1e-6))
        fail_msg("the normal is %g %g %g; %g %g %g was wanted", (double)n.x, (double)n.y, (double)n.z, x, y, z);
}

static void loose_particles_are_spheres(void **state)
{
    (void)state;
    points(body_facing(vec_of(0.6f, 0.8f, 0.0f), loose, loose, reach).normal, 0.6, 0.8, 0.0);
}

// a, loose, lies on top of b, to the side of its middle: the face counts, not the bump.
static void faces_are_flat(void **state)
{
    (void)state;
    points(body_facing(vec_of(0.6f, 0.8f, 0.0f), loose, field(0, 1, 0, 0.05f), reach).normal, 0.0, 1.0, 0.0);
}

// Beside the face of an edge's particle the spheres meet.
static void edges_are_spheres(void **state)
{
    (void)state;
    points(body_facing(vec_of(0.96f, 0.28f, 0.0f), loose, field(0, 1, 0, 0.05f), reach).normal, 0.96, 0.28, 0.0);
}

static void the_nearer_surface_counts(void **state)
{
    (void)state;
    vec x = vec_of(0.6f, 0.8f, 0.0f);
    points(body_facing(x, field(-1, 0, 0, 0.05f), field(0, 1, 0, 0.15f), reach).normal, 1.0, 0.0, 0.0);
    points(body_facing(x, field(-1, 0, 0, 0.15f), field(0, 1, 0, 0.05f), reach).normal, 0.0, 1.0, 0.0);
}

// Both at the surface, but b at an edge, where it looks sideways.
static void of_two_as_near_the_one_that_faces_the_other(void **state)
{
    (void)state;
    vec x = vec_of(0.0f, 1.0f, 0.0f);
    points(body_facing(x, field(0, -1, 0, 0.05f), field(1, 0, 0, 0.0501f), reach).normal, 0.0, 1.0, 0.0);
    points(body_facing(x, field(1, 0, 0, 0.05f), field(0, 1, 0, 0.0501f), reach).normal, 0.0, 1.0, 0.0);
}

// One-sided: a has come behind b's face. Near the surface x is mirrored there, deep inside the way out is taken.
static void out_and_not_through(void **state)
{
    (void)state;
    vec x = vec_of(0.6f, -0.8f, 0.0f);
    points(body_facing(x, loose, field(0, 1, 0, 0.05f), reach).normal, 0.6, 0.8, 0.0);
    points(body_facing(x, loose, field(0, 1, 0, 0.15f), reach).normal, 0.0, 1.0, 0.0);
}

// On the way out from behind a face the gap grows all the way, so that nothing is pushed harder for obeying.
static void the_gap_grows_on_the_way_out(void **state)
{
    (void)state;
    for (int side = 0; side <= 4; side++)
    {
        float last = -1.0f;
        for (int i = -100; i <= 100; i++)
        {
            vec d = vec_of(0.01f * (float)side, 0.001f * (float)i, 0.0f);
            float gap = contact_gap(d, length(d), vec_of(0.0f, 1.0f, 0.0f), reach);
            if (!(gap > last))
                fail_msg("at %d mm, %d mm aside, the gap is %g after %g", i, 10 * side, (double)gap, (double)last);
            last = i < 0 || side == 0 ? gap : -1.0f; // before the face a sphere is a sphere
        }
    }
}

// Seen from the other particle it is the opposite, whatever they are.
static void both_agree(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (int i = 0; i < 20000; i++)
    {
        float r[8];
        for (int k = 0; k < 8; k++)
        {
            seed = seed * 1664525u + 1013904223u;
            r[k] = (float)(seed >> 8) / 8388608.0f - 1.0f;
        }
        vec x = contact_normal(vec_of(r[0], r[1], r[2]), length(vec_of(r[0], r[1], r[2])));
        vec g = contact_normal(vec_of(r[3], r[4], r[5]), length(vec_of(r[3], r[4], r[5])));
        point a = field(g.x, g.y, g.z, 0.05f + 0.1f * (float)(i % 2)), b = field(g.y, g.z, g.x, 0.06f + 0.02f * r[6]);
        vec n = body_facing(x, a, b, reach).normal, m = body_facing(times(-1.0f, x), b, a, reach).normal;
        points(m, -(double)n.x, -(double)n.y, -(double)n.z);
        assert_true(fabs((double)length(n) - 1.0) < 1e-5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loose_particles_are_spheres),
        cmocka_unit_test(faces_are_flat),
        cmocka_unit_test(edges_are_spheres),
        cmocka_unit_test(the_nearer_surface_counts),
        cmocka_unit_test(of_two_as_near_the_one_that_faces_the_other),
        cmocka_unit_test(out_and_not_through),
        cmocka_unit_test(the_gap_grows_on_the_way_out),
        cmocka_unit_test(both_agree),
    };
    return cmocka_run_group_tests_name("contact", tests, NULL, NULL);
}
