// test_joint_impacts.c: jointed bodies that hit the ground: no energy comes from nothing, and joints stay closed. A light
// foot below a heavy body is the hard case: the force that stops it acts on the foot alone.
#include "physics/joint_world.h"

typedef struct fall
{
    double gap, energy; // the largest; energy: less that of the start
} fall;

static fall drop(pl_joint_kind kind, float mass, int substeps, bool direct, bool limited)
{
    pl_world *w = make_world(substeps, 1);
    pl_shape_def floor = pl_default_shape_def();
    good(pl_add_shape(w, &floor, NULL));
    pl_id foot = add_box(w, (pl_vec3){0.05f, 0.03f, 0.12f}, (pl_vec3){0.0f, 1.03f, 0.05f}, 1.0f);
    pl_id top = add_box(w, (pl_vec3){0.05f, 0.2f, 0.05f}, (pl_vec3){0.0f, 1.3f, 0.0f}, mass);
    pl_joint_def d = joint_def(kind, top, foot, (pl_vec3){0.0f, 1.06f, 0.0f}, (pl_vec3){1.0f, 0.0f, 0.0f});
    d.direct = direct;
    d.twist.limited = limited, d.twist.low = -0.4f, d.twist.high = 0.8f;
    pl_joint j = add_joint(w, &d);
    pl_energy start = pl_world_energy(w);
    fall f = {0.0, -1e30};
    for (int i = 0; i < 120; i++)
    {
        play(w, 1);
        pl_energy e = pl_world_energy(w);
        f.gap = fmax(f.gap, fabs(gap_of(w, &j)));
        f.energy = fmax(f.energy, (e.kinetic + e.potential) - (start.kinetic + start.potential));
    }
    pl_world_destroy(w);
    return f;
}

static void feet_carry_bodies(void **unused)
{
    (void)unused;
    const float masses[] = {1.0f, 10.0f, 70.0f};
    const pl_joint_kind kinds[] = {PL_JOINT_BALL, PL_JOINT_HINGE};
    for (int m = 0; m < 3; m++)
        for (int k = 0; k < 2; k++)
            for (int n = 0; n < 8; n++)
            {
                int substeps = n & 1 ? 20 : 8;
                fall f = drop(kinds[k], masses[m], substeps, (n & 2) != 0, (n & 4) != 0);
                below("the energy gained", f.energy, 1e-3);
                below("the gap of the joint", f.gap, substeps == 8 ? 0.004 : 0.002);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(feet_carry_bodies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
