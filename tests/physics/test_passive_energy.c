// test_passive_energy.c: joints, contacts and bodies without motors never gain energy: every kind of joint with random
// anchors between random bodies, with and without gravity, with and without a floor.
// long: too
#include "physics/joint_world.h"
#include "support/long.h"

enum
{
    BODIES = 6,
};

static pl_joint_def any_joint(uint64_t *seed, pl_joint_kind kind, pl_id a, pl_id b, pl_vec3 point)
{
    pl_joint_def d = joint_def(kind, a, b, point, (pl_vec3){dice(seed), dice(seed), 0.2f + dice(seed) * dice(seed)});
    d.point_b = (pl_vec3){point.x + 0.3f * dice(seed), point.y + 0.3f, point.z + 0.3f * dice(seed)};
    d.second = (pl_vec3){dice(seed), 1.0f, dice(seed)};
    d.pulleys[0] = (pl_vec3){point.x, point.y + 3.0f, point.z},
    d.pulleys[1] = (pl_vec3){point.x + 1.0f, point.y + 3.0f, 0.0f};
    d.radius = 0.2f, d.teeth[0] = 10, d.teeth[1] = 17;
    if (kind == PL_JOINT_SLIDER || kind == PL_JOINT_CYLINDRICAL || kind == PL_JOINT_WHEEL) // else it falls without end
        d.slide.limited = true, d.slide.low = -0.2f, d.slide.high = 0.2f;
    if (kind == PL_JOINT_SPRING)
        d.soft.compliance = 2e-3f;
    if (kind == PL_JOINT_CONE_TWIST)
        d.swing = 0.5f, d.twist.limited = true, d.twist.low = -0.4f, d.twist.high = 0.4f;
    return d;
}

// A chain of bodies with joints of one kind; the first of them is held by the world. Gears and racks need bearings.
static pl_world *make_system(pl_joint_kind kind, uint64_t seed, int substeps, bool gravity, bool floor, bool direct)
{
    pl_world *w = make_world(substeps, 1);
    pl_id last = world_end;
    if (!gravity)
        no_gravity(w);
    if (floor)
    {
        pl_shape_def ground = pl_default_shape_def();
        ground.position.y = -1.0f;
        good(pl_add_shape(w, &ground, NULL));
    }
    for (int i = 0; i < BODIES; i++)
    {
        pl_vec3 at = {0.5f * (float)i, 0.2f * dice(&seed), 0.2f * dice(&seed)};
        pl_vec3 half = {0.12f + 0.05f * dice(&seed), 0.1f + 0.04f * dice(&seed), 0.1f + 0.04f * dice(&seed)};
        pl_id id =
            floor ? add_box(w, half, at, 1.0f + 0.8f * dice(&seed)) : add_part(w, half, at, 1.0f + 0.8f * dice(&seed));
        pl_rigid_state s = state_of(w, id);
        s.velocity = (pl_vec3){dice(&seed), dice(&seed), dice(&seed)};
        s.spin = (pl_vec3){3.0f * dice(&seed), 3.0f * dice(&seed), 3.0f * dice(&seed)};
        good(pl_set_rigids(w, &id, 1, &s));
        pl_vec3 point = {at.x - 0.25f, at.y + 0.1f * dice(&seed), at.z + 0.1f * dice(&seed)};
        pl_joint_def d = any_joint(&seed, kind, last, id, point);
        if (kind == PL_JOINT_GEAR || kind == PL_JOINT_RACK)
        {
            pl_joint_def bearing =
                joint_def(kind == PL_JOINT_RACK && i % 2 ? PL_JOINT_SLIDER : PL_JOINT_HINGE, world_end, id, at, d.axis);
            d.axis = bearing.axis = (pl_vec3){0.0f, 0.0f, 1.0f};
            d.second = (pl_vec3){1.0f, 0.0f, 0.0f}, d.axis_b = d.axis;
            if (bearing.kind == PL_JOINT_SLIDER)
                bearing.axis = d.second;
            add_joint(w, &bearing);
        }
        d.direct = direct && kind != PL_JOINT_PULLEY;
        bool joins = (kind != PL_JOINT_GEAR && kind != PL_JOINT_RACK) || (i > 0 && (kind == PL_JOINT_GEAR || i % 2));
        if (joins)
            add_joint(w, &d);
        last = id;
    }
    return w;
}

// Returns by how much the energy exceeds the least before, over the scale of the system's energies; -1: it diverged.
static double growth(pl_world *w, int frames, double *whole)
{
    double start = 0.0, least = 1e30, most = 0.0, scale = BODIES * 9.81 * 0.5;
    for (int f = 0; f <= frames; f++)
    {
        pl_energy e = pl_world_energy(w);
        double total = e.kinetic + e.potential + e.elastic;
        start = f ? start : total;
        least = fmin(least, total);
        most = fmax(most, total - least);
        *whole = fmax(f ? *whole : 0.0, total - start);
        if (f < frames && pl_world_step(w, 1.0f / 60.0f) != PL_OK)
            return -1.0;
    }
    *whole /= scale;
    return most / scale;
}

static void nothing_gains_energy(void **unused)
{
    (void)unused;
    const int all[] = {8, 20}; // at 4 three of 112 chains of six bodies diverge within 60 s (docs/rigid.md)
    int gains = 0;
    for (int kind = 0; kind < PL_JOINT_KIND_COUNT; kind++)
        for (int n = 0; n < (is_long() ? 2 : 1); n++)
            for (int c = 0; c < 8; c++)
                for (int seed = 1; seed <= (is_long() ? 3 : 1); seed++)
                {
                    pl_world *w =
                        make_system((pl_joint_kind)kind, (uint64_t)(seed + 100 * kind), all[n], c & 1, c & 2, c & 4);
                    double whole = 0.0, by = growth(w, is_long() ? 3600 : 120, &whole);
                    if (by < 0.0 || whole > 0.02)
                    {
                        gains++;
                        print_error(
                            "kind %d, %d substeps, gravity %d, floor %d, direct %d, seed %d: grows by %.3g from the "
                            "least, %.3g over the start%s\n",
                            kind, all[n], c & 1, (c & 2) / 2, (c & 4) / 4, seed, by, whole,
                            by < 0.0 ? ", diverged" : "");
                    }
                    pl_world_destroy(w);
                }
    if (gains)
        fail_msg("%d systems gain energy", gains);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_gains_energy)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
