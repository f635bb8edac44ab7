// test_ragdoll.c: human figures: masses, names, poses, joints that hold, refusals that change nothing.
#include "physics/joint_world.h"
#include "support/faulty.h"

static pl_ragdoll add_doll(pl_world *w, float height)
{
    pl_ragdoll_def d = pl_default_ragdoll_def();
    pl_ragdoll doll;
    d.height = height;
    d.position.y = height;
    good(pl_add_ragdoll(w, &d, &doll));
    return doll;
}

static void add_floor(pl_world *w)
{
    pl_shape_def floor = pl_default_shape_def();
    good(pl_add_shape(w, &floor, NULL));
}

static double largest_gap(const pl_world *w, const pl_ragdoll *doll)
{
    double most = 0.0;
    for (int i = 1; i < PL_RAGDOLL_PARTS; i++)
        most = fmax(most, fabs(gap_of(w, &doll->joint[i])));
    return most;
}

static void parts_have_names_and_masses(void **unused)
{
    (void)unused;
    pl_world *w = make_world(8, 1);
    pl_ragdoll doll = add_doll(w, 1.75f);
    double mass = 0.0;
    for (int i = 0; i < PL_RAGDOLL_PARTS; i++)
    {
        pl_mass_properties m;
        good(pl_get_rigid_mass(w, doll.body[i], &m));
        mass += (double)m.mass;
        assert_non_null(pl_ragdoll_part_name((pl_ragdoll_part)i));
        assert_true(number_of(w, doll.body[i]) == number_of(w, doll.body[0]) + i);
    }
    near_to("the mass", mass, 75.0, 1e-4);
    assert_string_equal(pl_ragdoll_part_name(PL_RAGDOLL_LEFT_THIGH), "left_thigh");
    assert_null(pl_ragdoll_part_name(PL_RAGDOLL_PARTS));
    // It stands upright at its place, mirrored left and right.
    pl_rigid_state head = state_of(w, doll.body[PL_RAGDOLL_HEAD]), left = state_of(w, doll.body[PL_RAGDOLL_LEFT_FOOT]),
                   right = state_of(w, doll.body[PL_RAGDOLL_RIGHT_FOOT]);
    near_to("the head", (double)head.position.y, 1.75 * 1.925, 1e-4);
    near_to("the feet", (double)(left.position.x + right.position.x), 0.0, 1e-6);
    below("a foot above the ground", fabs((double)left.position.y - 1.75 * 1.022), 1e-4);
    pl_world_destroy(w);
}

// The default pose is within the limits: without gravity nothing moves.
static void the_default_pose_rests(void **unused)
{
    (void)unused;
    pl_world *w = make_world(8, 2);
    no_gravity(w);
    pl_ragdoll doll = add_doll(w, 1.75f);
    below("a gap at the start", largest_gap(w, &doll), 1e-5);
    play(w, 30);
    below("the kinetic energy", pl_world_energy(w).kinetic, 1e-8);
    pl_world_destroy(w);
}

// Dropped on the floor, small, human and huge, its joints stay closed and it comes to rest.
static void joints_hold(void **unused)
{
    (void)unused;
    const float heights[] = {0.3f, 1.75f, 20.0f};
    for (int i = 0; i < 3; i++)
        for (int substeps = 4; substeps <= 20; substeps += 8)
        {
            pl_world *w = make_world(substeps, 2);
            double most = 0.0;
            set_gravity(w, -9.81f * heights[i] / 1.75f);
            add_floor(w);
            pl_ragdoll doll = add_doll(w, heights[i]);
            for (int f = 0; f < 180; f++)
            {
                play(w, 1);
                most = fmax(most, largest_gap(w, &doll));
            }
            double gap = most / fmax(1.0, (double)heights[i] / 1.75); // it has angles, too, which do not grow with it
            below("the largest gap", gap, substeps == 4 ? 0.02 : substeps == 12 ? 5e-3 : 1e-3);
            below("the head above the floor", (double)state_of(w, doll.body[PL_RAGDOLL_HEAD]).position.y,
                  0.5 * heights[i]);
            pl_world_destroy(w);
        }
}

static void motion_and_pose(void **unused)
{
    (void)unused;
    pl_world *w = make_world(8, 1);
    no_gravity(w);
    pl_ragdoll_def d = pl_default_ragdoll_def();
    pl_ragdoll doll;
    d.velocity.x = 2.0f, d.spin.y = 1.0f;
    d.pose[PL_RAGDOLL_LEFT_SHIN] = (pl_vec3){1.0f, 0.0f, 0.0f};
    d.category = 4, d.mask = 3, d.user_data = 77;
    good(pl_add_ragdoll(w, &d, &doll));
    pl_rigid_state pelvis = state_of(w, doll.body[0]), hand = state_of(w, doll.body[PL_RAGDOLL_LEFT_HAND]);
    near_to("the pelvis", (double)pelvis.velocity.x, 2.0, 1e-6);
    near_to("the hand", (double)hand.velocity.z, -(double)(hand.position.x - pelvis.position.x), 1e-5);
    float twist;
    good(pl_joint_position(w, &doll.joint[PL_RAGDOLL_LEFT_SHIN], NULL, &twist));
    near_to("the knee", (double)twist, 1.0, 1e-4);
    pl_rigid_def body;
    good(pl_get_rigid(w, doll.body[5], &body));
    assert_true(body.category == 4 && body.mask == 3 && body.user_data == 77);
    pl_world_destroy(w);
}

static void wrong_figures_are_refused(void **unused)
{
    (void)unused;
    pl_world *w = make_world(8, 1);
    add_floor(w);
    add_doll(w, 1.0f);
    play(w, 2);
    picture before = picture_of(w);
    pl_ragdoll_def d = pl_default_ragdoll_def();
    d.height = 0.0f;
    refused(pl_add_ragdoll(w, &d, NULL), PL_ERROR_ARGUMENT, "height is 0 m; it must be from 0.01 to 1000");
    d = pl_default_ragdoll_def(), d.mass = -1.0f;
    refused(pl_add_ragdoll(w, &d, NULL), PL_ERROR_ARGUMENT, "mass is -1 kg");
    d = pl_default_ragdoll_def(), d.friction = -1.0f;
    refused(pl_add_ragdoll(w, &d, NULL), PL_ERROR_ARGUMENT, "friction is -1 N m");
    d = pl_default_ragdoll_def(), d.pose[3].x = NAN;
    refused(pl_add_ragdoll(w, &d, NULL), PL_ERROR_ARGUMENT, "the pose of the head");
    d = pl_default_ragdoll_def(), d.damping = -1.0f;
    refused(pl_add_ragdoll(w, &d, NULL), PL_ERROR_ARGUMENT, "damping");
    d = pl_default_ragdoll_def(), d.material = 9;
    refused(pl_add_ragdoll(w, &d, NULL), PL_ERROR_ARGUMENT, "material");
    refused(pl_add_ragdoll(w, NULL, NULL), PL_ERROR_ARGUMENT, "def is NULL");
    same_picture(&before, w, "a refused figure");
    pl_free(before.data);
    pl_world_destroy(w);
}

// Every allocation that a figure needs fails once: the world is as it was, and runs on with the same bits.
static void lack_of_memory_changes_nothing(void **unused)
{
    (void)unused;
    faulty f = {0};
    pl_world_def def = small_def(4, 1);
    pl_world *w, *twin = make_world(4, 1);
    def.allocator = (pl_allocator){faulty_resize, &f};
    good(pl_world_create(&def, &w));
    pl_world *both[2] = {w, twin};
    for (int i = 0; i < 2; i++)
    {
        add_floor(both[i]);
        add_doll(both[i], 1.0f);
        play(both[i], 3);
    }
    pl_ragdoll_def d = pl_default_ragdoll_def();
    d.position.x = 3.0f;
    int failures = 0;
    pl_result result = PL_ERROR_MEMORY;
    for (int64_t n = 1; n < 1000 && result == PL_ERROR_MEMORY; n++)
    {
        picture before = picture_of(w);
        f.fail_at = f.calls + n;
        result = pl_add_ragdoll(w, &d, NULL);
        f.fail_at = 0;
        if (result == PL_ERROR_MEMORY)
            failures++, same_picture(&before, w, "a figure without memory");
        pl_free(before.data);
    }
    good(result);
    assert_true(failures > 0);
    good(pl_add_ragdoll(twin, &d, NULL));
    play(w, 5);
    play(twin, 5);
    assert_true(pl_world_hash(w) == pl_world_hash(twin));
    pl_world_destroy(w);
    pl_world_destroy(twin);
    assert_int_equal(f.blocks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_have_names_and_masses),
        cmocka_unit_test(the_default_pose_rests),
        cmocka_unit_test(joints_hold),
        cmocka_unit_test(motion_and_pose),
        cmocka_unit_test(wrong_figures_are_refused),
        cmocka_unit_test(lack_of_memory_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
