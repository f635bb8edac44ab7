// Robots from MJCF texts against analytic answers: default classes, angles, masses from geoms, forward kinematics with
// several joints of a body, springs, gears, sites, equalities, gravity, contacts.
#include "physics/robots.h"

static const char walker[] =
    "<mujoco model='walker'><compiler angle='degree' eulerseq='xyz'/><option gravity='0 0 -3.7' timestep='0.002'/>"
    "<default><joint damping='0.5' limited='false'/><geom density='500'/>"
    "<default class='leg'><geom type='capsule' size='0.05'/><joint axis='0 1 0' range='-100 10' limited='true'/>"
    "<default class='foot'><geom type='box' size='0.1 0.05 0.02' density='2000'/></default></default></default>"
    "<worldbody><geom type='plane' size='5 5 1' pos='0 0 -1'/>"
    "<body name='torso' pos='0 0 1.4' euler='0 0 30'><freejoint name='root'/><geom type='box' size='0.1 0.2 0.3'/>"
    "<site name='imu' pos='0.1 0 0.2' euler='90 0 0'/>"
    "<body name='thigh' childclass='leg' pos='0 -0.1 -0.3'><joint name='hip_x' axis='1 0 0' pos='0 0 0.02' "
    "range='-30 30'/><joint name='hip_y'/><geom fromto='0 0 0 0 0 -0.4'/>"
    "<body name='shin' pos='0 0 -0.4'><joint name='knee' range='-140 0' stiffness='3' springref='-20'/>"
    "<geom fromto='0 0 0 0 0 -0.4' mass='1.5'/><geom class='foot' pos='0.05 0 -0.42'/>"
    "<geom type='sphere' size='0.1' contype='0' conaffinity='0' mass='0.25'/>"
    "<body name='toe' pos='0.2 0 -0.4' quat='0.5 0.5 0.5 0.5'><geom class='foot' type='sphere' size='0.02'/></body>"
    "</body></body></body></worldbody>"
    "<actuator><motor name='hip' joint='hip_y' gear='20' ctrlrange='-1 1'/>"
    "<position joint='knee' kp='50' kv='2'/></actuator>"
    "<sensor><gyro site='imu' name='gyro'/><accelerometer site='imu' name='acc'/><jointpos joint='knee' name='knee_q'/>"
    "<framepos objtype='site' objname='imu' name='place'/><framequat objtype='body' objname='toe' "
    "name='turn'/></sensor>"
    "</mujoco>";

static void masses_come_from_geoms(void **state)
{
    (void)state;
    pl_world *w = make_world(20, 4);
    pl_robot_def def = pl_default_robot_def();
    pl_mass_properties p;
    def.gravity = true;
    pl_robot *r = add_text(w, walker, &def);
    near_to("gravity", (double)pl_world_settings(w).gravity.y, -3.7, 1e-6);
    near_to("timestep", (double)pl_robot_timestep(r), 0.002, 1e-9);
    assert_int_equal(pl_robot_links(r), 6); // with the world, and one for the second joint of the hip
    assert_int_equal(pl_world_rigids(w, NULL, 0), 5);
    assert_int_equal(pl_shape_count(w), 1);
    good(pl_get_rigid_mass(w, pl_robot_link_at(r, pl_robot_find_link(r, "torso")).body, &p));
    near_to("torso", (double)p.mass, 500.0 * 0.2 * 0.4 * 0.6, 1e-4);
    near_to("torso xx", (double)p.inertia[0], 24.0 / 12.0 * (0.16 + 0.36), 1e-5);
    // The thigh: a capsule of 0.4 m and 0.05 m, of which the other joint's body has 5 %.
    double capsule = 500.0 * (pi * 0.05 * 0.05 * 0.4 + 4.0 / 3.0 * pi * 0.05 * 0.05 * 0.05);
    int thigh = pl_robot_find_link(r, "thigh");
    good(pl_get_rigid_mass(w, pl_robot_link_at(r, thigh).body, &p));
    near_to("thigh", (double)p.mass, 0.95 * capsule, 1e-5);
    good(pl_get_rigid_mass(w, pl_robot_link_at(r, pl_robot_link_at(r, thigh).parent).body, &p));
    near_to("hip", (double)p.mass, 0.05 * capsule, 1e-6);
    // The shin with its foot, the ball that is only weighed, and the toe, which no joint moves.
    pl_id shin = pl_robot_link_at(r, pl_robot_find_link(r, "shin")).body;
    good(pl_get_rigid_mass(w, shin, &p));
    double foot = 2000.0 * 0.2 * 0.1 * 0.04, toe = 2000.0 * 4.0 / 3.0 * pi * 8e-6;
    near_to("shin", (double)p.mass, 1.5 + foot + 0.25 + toe, 1e-5);
    assert_int_equal(pl_rigid_shape_count(w, shin), 3);
    assert_true(pl_robot_link_at(r, pl_robot_find_link(r, "toe")).body.index == shin.index);
    assert_true(warns_of(r, "several joints"));
    assert_false(warns_of(r, "damping"));
    pl_robot_free(r);
    pl_world_destroy(w);
}

static void forward_kinematics(void **state)
{
    (void)state;
    pl_world *w = make_world(20, 4);
    pl_robot *r = add_text(w, walker, NULL);
    const double q[4] = {0.0, 0.3, -0.8, -1.2}; // root, hip_x, hip_y, knee
    matrix t = times(upright(), times(moved(0, 0, 1.4), turned(2, pi / 6.0)));
    matrix imu = times(t, times(moved(0.1, 0, 0.2), turned(0, pi / 2.0)));
    t = times(t, times(moved(0, -0.1, -0.3), times(moved(0, 0, 0.02), times(turned(0, q[1]), moved(0, 0, -0.02)))));
    t = times(times(t, turned(1, q[2])), times(moved(0, 0, -0.4), turned(1, q[3])));
    t = times(t, times(moved(0.2, 0, -0.4), times(turned(0, pi / 2.0), turned(1, pi / 2.0))));
    good(pl_robot_set_pose(r, w, q));
    below("toe", differs(link_state(r, w, "toe"), t), 1e-6);
    near_to("hip_x", position_of(r, w, "hip_x"), q[1], 1e-6);
    near_to("hip_y", position_of(r, w, "hip_y"), q[2], 1e-6);
    double v[4];
    near_to("knee", sensed(r, w, "knee_q", v), q[3], 1e-6);
    sensed(r, w, "place", v);
    for (int c = 0; c < 3; c++)
        near_to("imu", v[c], imu.m[c][3], 1e-6);
    sensed(r, w, "turn", v);
    pl_rigid_state s = {.position = {0}, .rotation = {(float)v[0], (float)v[1], (float)v[2], (float)v[3]}};
    for (int c = 0; c < 3; c++)
        t.m[c][3] = 0.0;
    below("turn", differs(s, t), 1e-6);
    pl_robot_free(r);
    pl_world_destroy(w);
}

// A torso in free fall feels nothing, and one that spins feels its spin in the axes of the site.
static void sensors_of_sites(void **state)
{
    (void)state;
    static const char text[] =
        "<mujoco><worldbody><body name='b' euler='0 0 90'><freejoint/><geom type='box' size='1 1 1' density='1'/>"
        "<site name='s' euler='90 0 0'/></body><body name='held' pos='3 0 0' euler='90 0 0'><site name='t'/>"
        "<geom size='1'/></body></worldbody><sensor><gyro site='s' name='gyro'/><accelerometer site='s' name='acc'/>"
        "<accelerometer site='t' name='rest'/></sensor></mujoco>";
    pl_world *w = make_world(20, 1);
    pl_robot *r = add_text(w, text, NULL);
    pl_id body = pl_robot_link_at(r, pl_robot_find_link(r, "b")).body;
    pl_rigid_state state_now;
    double v[4];
    good(pl_get_rigids(w, &body, 1, &state_now));
    state_now.spin = (pl_vec3){0.3f, 0.0f, 0.0f}; // the file's x; the body's -y; the site's -z
    good(pl_set_rigids(w, &body, 1, &state_now));
    near_to("rest", sensed(r, w, "rest", v), 0.0, 1e-6);
    near_to("rest", v[1], 9.81, 1e-5); // the site's y is the file's z: up
    play(w, 1);
    sensed(r, w, "acc", v);
    for (int c = 0; c < 3; c++)
        near_to("free fall", v[c], 0.0, 2e-3);
    sensed(r, w, "gyro", v);
    // About the body's -y; the site is turned by 90 degrees about its x, so that the site's z is the body's -y.
    near_to("gyro x", v[0], 0.0, 1e-4);
    near_to("gyro y", v[1], 0.0, 1e-4);
    near_to("gyro z", v[2], 0.3, 1e-4);
    pl_robot_free(r);
    pl_world_destroy(w);
}

// A mass of 2 kg on a vertical slide with a spring of 100 N/m sinks by m g/k; a motor with a gear lifts it.
static void springs_and_gears(void **state)
{
    (void)state;
    static const char text[] =
        "<mujoco><worldbody><body name='b'><joint name='s' type='slide' axis='0 0 1' stiffness='100' damping='30' "
        "springref='0.1' ref='0.5'/><inertial pos='0 0 0' mass='2' diaginertia='1 1 1'/></body></worldbody>"
        "<actuator><motor name='m' joint='s' gear='-10' forcerange='-3 3'/>"
        "<position name='p' joint='s' gear='2' kp='50' ctrlrange='-1 1'/>"
        "<velocity name='v' joint='s' gear='2' kv='10'/></actuator></mujoco>";
    pl_world *w = make_world(20, 8);
    pl_robot *r = add_text(w, text, NULL);
    near_to("start", position_of(r, w, "s"), 0.5, 1e-6);
    control(r, w, "p", 0.0f);
    play(w, 600);
    // 100 (0.1 - x) + 4 x 50 (0 - x) = m g
    near_to("sunk", position_of(r, w, "s"), (10.0 - 2.0 * 9.81) / 300.0, 1e-5);
    control(r, w, "m", -1.0f);
    play(w, 600);
    near_to("lifted", position_of(r, w, "s"), (10.0 + 10.0 - 2.0 * 9.81) / 300.0, 1e-5);
    control(r, w, "m", -9.0f); // clamped to 3
    control(r, w, "p", 5.0f);  // clamped to 1
    play(w, 600);
    near_to("lifted", position_of(r, w, "s"), (10.0 + 30.0 + 100.0 - 2.0 * 9.81) / 300.0, 1e-5);
    control(r, w, "m", 0.0f);
    control(r, w, "p", 0.0f);
    control(r, w, "v", 0.2f); // 2 x 10 x 0.2 N at rest
    play(w, 600);
    near_to("driven", position_of(r, w, "s"), (10.0 + 4.0 - 2.0 * 9.81) / 300.0, 1e-5);
    pl_robot_free(r);
    pl_world_destroy(w);
}

// Two bars that hang side by side, tied at their ends: they swing as one. A weld holds a free body in the air.
static void equalities_hold(void **state)
{
    (void)state;
    static const char text[] =
        "<mujoco><default><geom type='capsule' size='0.02' fromto='0 0 0 0 0 -1' mass='1'/></default><worldbody>"
        "<body name='a'><joint name='ja' axis='0 1 0'/><geom/></body>"
        "<body name='b' pos='0 0 -1'><freejoint/><geom fromto='0 0 0 0.5 0 0'/></body>"
        "<body name='c' pos='5 0 0'><freejoint/><geom/></body></worldbody>"
        "<equality><connect body1='a' body2='b' anchor='0 0 -1'/><weld body1='c'/>"
        "<connect body1='a' body2='c' active='false'/></equality></mujoco>";
    pl_world *w = make_world(20, 8);
    pl_robot *r = add_text(w, text, NULL);
    play(w, 120);
    pl_rigid_state a = link_state(r, w, "a"), b = link_state(r, w, "b"), c = link_state(r, w, "c");
    double q = position_of(r, w, "ja");
    near_to("tied x", (double)b.position.x, -sin(q), 1e-3);
    near_to("tied y", (double)b.position.y, -cos(q), 1e-3);
    near_to("c", (double)c.position.y, 0.0, 1e-4);
    assert_true(a.position.y < 0.001f);
    pl_robot_free(r);
    pl_world_destroy(w);
}

// What a fixed joint transmits: a sensor between a post and what stands on it.
static void force_through_a_fixed_joint(void **state)
{
    (void)state;
    static const char text[] =
        "<mujoco><worldbody><body name='post'><geom size='0.1'/><body name='load' pos='0 0 0.5'>"
        "<geom type='box' size='0.1 0.1 0.1' mass='3' pos='0.2 0 0'/><site name='s'/></body></body></worldbody>"
        "<sensor><force site='s' name='f'/><torque site='s' name='t'/></sensor></mujoco>";
    pl_world *w = make_world(20, 8);
    pl_robot *r = add_text(w, text, NULL);
    double v[4];
    play(w, 60);
    sensed(r, w, "f", v);
    near_to("force", v[2], 3.0 * 9.81, 0.1);
    sensed(r, w, "t", v);
    near_to("torque", v[1], -3.0 * 9.81 * 0.2, 0.05); // it keeps the load, at +x, from tipping
    pl_robot_free(r);
    pl_world_destroy(w);
}

// A box rests on a plane; two boxes inside each other stay so if the file excludes them, or the robot's mask does; the
// thigh of the walker, whose hip has two joints, overlaps the torso in peace.
static void contacts_and_exclusions(void **state)
{
    (void)state;
    static const char text[] =
        "<mujoco><default><geom type='box' size='0.1 0.1 0.1' friction='0.3'/></default><worldbody>"
        "<geom type='plane' friction='0.7'/><body name='a' pos='0 0 0.1'><freejoint/><geom/></body>"
        "<body name='b' pos='0.03 0 0.1'><freejoint/><geom/></body><body name='c' pos='1 0 0.15'><freejoint/><geom/>"
        "</body></worldbody><contact><exclude body1='a' body2='b'/></contact></mujoco>";
    pl_world *w = make_world(20, 4);
    pl_material pair;
    pl_robot *r = add_text(w, text, NULL);
    good(pl_get_material_pair(w, 1, 2, &pair)); // one for each coefficient
    near_to("friction", (double)pair.static_friction, sqrt(0.3 * 0.7), 1e-6);
    refused(pl_get_material_pair(w, 1, 3, &pair), PL_ERROR_ARGUMENT, "");
    near_to("friction", (double)pl_robot_link_at(r, pl_robot_find_link(r, "a")).friction, 0.3, 1e-6);
    play(w, 90);
    near_to("a", (double)link_state(r, w, "a").position.y, 0.1, 2e-3);
    near_to("c", (double)link_state(r, w, "c").position.y, 0.1, 2e-3);
    double gap = (double)(link_state(r, w, "b").position.x - link_state(r, w, "a").position.x);
    near_to("b is in a", gap, 0.03, 2e-3);
    assert_false(warns_of(r, "exclude"));
    pl_robot_free(r);
    pl_world_destroy(w);
    pl_robot_def def = pl_default_robot_def();
    for (int apart = 0; apart < 2; apart++)
    {
        w = make_world(20, 8);
        set_gravity(w, 0.0f);
        def.category = 2, def.mask = apart ? ~(uint64_t)2 : UINT64_MAX;
        r = add_text(w, walker, &def);
        play(w, 60);
        double speed = 0.0; // the knee's spring moves it a little
        pl_rigid_state s = link_state(r, w, "torso");
        speed = fabs((double)s.velocity.x) + fabs((double)s.velocity.y) + fabs((double)s.velocity.z);
        below("speed", speed, 0.2);
        pl_robot_free(r);
        pl_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masses_come_from_geoms),  cmocka_unit_test(forward_kinematics),
        cmocka_unit_test(sensors_of_sites),        cmocka_unit_test(springs_and_gears),
        cmocka_unit_test(equalities_hold),         cmocka_unit_test(force_through_a_fixed_joint),
        cmocka_unit_test(contacts_and_exclusions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
