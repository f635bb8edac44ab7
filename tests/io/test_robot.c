// Robots: what is refused, with which words, and that the world is unchanged then; what is warned about, and where; meshes;
// files.
#include "io/robot_files.h"
#include "physics/robots.h"
#include "support/faulty.h"

// ---- refusals ------------------------------------------------------------------------------------------------------

static void is_refused(pl_world *w, const char *text, const char *words)
{
    pl_robot *r = (pl_robot *)(void *)w;
    picture before = picture_of(w);
    refused(pl_add_robot(w, text, strlen(text), "t.xml", NULL, &r), PL_ERROR_FORMAT, words);
    assert_ptr_equal(r, w);
    same_picture(&before, w, words);
    pl_free(before.data);
}

#define TWO "<link name='a'/><link name='b'/>"
#define J(type, more)                                                                                                  \
    "<robot>" TWO "<joint name='j' type='" type "'><parent link='a'/><child link='b'/>" more "</joint></robot>"

static void urdf_is_refused(void **state)
{
    (void)state;
    pl_world *w = make_world(20, 1);
    add_one(w, 0, 0, 0, 1, NULL);
    is_refused(w, "", "t.xml:1:1: error: no element");
    is_refused(w, "<sdf/>", "t.xml:1:1: error: <sdf> is no robot; a URDF file begins with <robot>");
    is_refused(w, "<robot/>", "no links in it");
    is_refused(w, "<robot><link/></robot>", "t.xml:1:8: error: a link without \"name\"");
    is_refused(w, "<robot>" TWO "</robot>", "a second link without a parent");
    is_refused(w, "<robot>" TWO "<link name='a'/></robot>", "a second link without a parent");
    is_refused(w, "<robot>" TWO "<joint type='fixed'/></robot>", "a joint without <parent link=");
    is_refused(w, "<robot>" TWO "<joint type='fixed'><parent link='x'/></joint></robot>",
               "t.xml:1:74: error: no link called \"x\"");
    is_refused(w, "<robot>" TWO "<joint type='fixed'><parent link='a'/><child link='a'/></joint></robot>", "a tree");
    is_refused(w,
               "<robot>" TWO "<joint type='fixed'><parent link='a'/><child link='b'/></joint>"
               "<joint type='fixed'><parent link='b'/><child link='a'/></joint></robot>",
               "every link has a parent");
    is_refused(w,
               "<robot><link name='c'/>" TWO "<joint type='fixed'><parent link='a'/><child link='b'/></joint>"
               "<joint type='fixed'><parent link='b'/><child link='a'/></joint></robot>",
               "their own parents");
    is_refused(w, J("screw", ""), "a joint of type \"screw\"; known: fixed revolute");
    is_refused(w, J("revolute", ""), "a joint without <limit>");
    is_refused(w, J("revolute", "<limit lower='2' upper='1'/>"), "limits from 2 to 1");
    is_refused(w, J("revolute", "<limit effort='-1'/>"), "\"effort\" is -1; expected 0 to 1e+12");
    is_refused(w, J("continuous", "<axis xyz='0 0 0'/>"), "an axis without a direction");
    is_refused(w, J("continuous", "<axis xyz='0 0'/>"), "\"xyz\" has 2 numbers; expected 3");
    is_refused(w, J("continuous", "<axis xyz='0 0 ${x}'/>"), "\"${x}\" is not a number");
    is_refused(w, J("continuous", "<axis xyz='0 0 1e999'/>"), "is not a number from -1e12 to 1e12");
    is_refused(w, J("continuous", "<axis xyz='0 0 nan'/>"), "\"nan\" is not a number");
    is_refused(w, J("fixed", "<origin rpy='1e9 0 0'/>"), "an angle of 1e+09 rad");
    is_refused(w, "<robot><link name='a'><inertial/></link></robot>", "an <inertial> without <mass>");
    is_refused(w, "<robot><link name='a'><inertial><mass/></inertial></link></robot>", "a <mass> without \"value\"");
    is_refused(w, "<robot><link name='a'><collision/></link></robot>", "a <collision> without <geometry>");
    is_refused(w, "<robot><link name='a'><collision><geometry><cone/></geometry></collision></link></robot>",
               "no geometry <cone>; known: box sphere");
    is_refused(w,
               "<robot><link name='a'><collision><geometry><box size='1 0 1'/></geometry></collision></link></robot>",
               "a <box> without a \"size\" above 0");
    is_refused(w, "<robot><link name='a'><collision><geometry><sphere/></geometry></collision></link></robot>",
               "a <sphere> without \"radius\"");
    is_refused(
        w, "<robot><link name='a'><collision><geometry><mesh filename='no.stl'/></geometry></collision></link></robot>",
        "\"no.stl\" cannot be used");
    // The engine refuses the third of the bodies: no such inertia exists.
    is_refused(w,
               "<robot>" TWO
               "<link name='c'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='9'/></inertial></link>"
               "<joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint>"
               "<joint name='k' type='continuous'><parent link='b'/><child link='c'/></joint></robot>",
               "the link \"c\": rigid:");
    pl_world_destroy(w);
}

#define BODY(inside) "<mujoco><worldbody><body name='b'>" inside "</body></worldbody></mujoco>"
#define BALL "<geom size='1'/>"

static void mjcf_is_refused(void **state)
{
    (void)state;
    pl_world *w = make_world(20, 1);
    add_one(w, 0, 0, 0, 1, NULL);
    is_refused(w, "<mujoco/>", "no <worldbody>");
    is_refused(w, "<mujoco><include file='x.xml'/><worldbody/></mujoco>", "<include> is not supported");
    is_refused(w, "<mujoco><compiler coordinate='global'/><worldbody/></mujoco>", "only local is supported");
    is_refused(w, "<mujoco><compiler angle='turns'/><worldbody/></mujoco>", "expected radian or degree");
    is_refused(w, "<mujoco><compiler eulerseq='xyq'/><worldbody/></mujoco>", "three of x y z X Y Z");
    is_refused(w, "<mujoco><option gravity='0 0 1e9'/><worldbody/></mujoco>", "a gravity of 1e+09");
    is_refused(w, "<mujoco><worldbody><frame/></worldbody></mujoco>", "<frame> is not supported");
    is_refused(w, BODY("<joint/>"), "the body \"b\" moves and has no mass");
    is_refused(w, BODY("<joint type='screw'/>" BALL), "known: hinge slide ball free");
    is_refused(w, BODY("<joint axis='0 0 0'/>" BALL), "an axis without a direction");
    is_refused(w, BODY("<joint limited='true'/>" BALL), "without a \"range\" from low to high");
    is_refused(w, BODY("<joint limited='maybe'/>" BALL), "expected true or false");
    is_refused(w, BODY("<joint class='x'/>" BALL), "no default class \"x\"");
    is_refused(w, BODY("<joint/><joint/><joint/><joint/><joint/><joint/><joint/>" BALL), "more than 6 joints");
    is_refused(w, BODY("<joint name='j'/><joint name='j'/>" BALL), "a second joint called \"j\"");
    is_refused(w, BODY("<joint/><freejoint/>" BALL), "a free joint here");
    is_refused(w, BODY("<geom/>"), "a sphere with 0 sizes; it needs 1");
    is_refused(w, BODY("<geom type='box' size='1 1'/>"), "a box with 2 sizes; it needs 3");
    is_refused(w, BODY("<geom type='capsule' size='1' fromto='1 2 3 1 2 3'/>"), "\"fromto\" with equal ends");
    is_refused(w, BODY("<geom type='mesh' mesh='m'/>"), "no mesh \"m\" in <asset>");
    is_refused(w, BODY("<geom type='plane'/>"), "planes belong to the worldbody");
    is_refused(w, BODY("<geom size='1' quat='0 0 0 0'/>"), "a rotation without a direction");
    is_refused(w, BODY("<inertial mass='1'/>"), "without \"diaginertia\" or \"fullinertia\"");
    is_refused(w, BODY("<body name='b'/>"), "a second link called \"b\"");
    is_refused(w, "<mujoco><worldbody/><actuator><motor joint='x'/></actuator></mujoco>", "no joint called \"x\"");
    is_refused(w, "<mujoco><worldbody/><sensor><gyro site='x'/></sensor></mujoco>", "no site called \"x\"");
    is_refused(w, "<mujoco><worldbody/><equality><weld body1='x'/></equality></mujoco>", "without two bodies");
    pl_world_destroy(w);
}

static void calls_are_refused(void **state)
{
    (void)state;
    static const char text[] = J("continuous", "");
    pl_world *w = make_world(20, 1);
    pl_robot_def def = pl_default_robot_def();
    const double far[1] = {1e9};
    pl_rigid_state states[2];
    refused(pl_add_robot(NULL, text, 1, NULL, NULL, NULL), PL_ERROR_ARGUMENT, "without a world");
    refused(pl_add_robot(w, NULL, 1, NULL, NULL, NULL), PL_ERROR_ARGUMENT, "without a world");
    refused(pl_add_robot_file(w, "/nowhere/x.urdf", NULL, NULL), PL_ERROR_FILE, "/nowhere/x.urdf");
    def.rotation.w = 2.0f;
    refused(pl_add_robot(w, text, strlen(text), NULL, &def, NULL), PL_ERROR_ARGUMENT, "the rotation");
    def = pl_default_robot_def(), def.kp = 0.0f;
    refused(pl_add_robot(w, text, strlen(text), NULL, &def, NULL), PL_ERROR_ARGUMENT, "kp is 0");
    def = pl_default_robot_def(), def.dt = 0.0f;
    refused(pl_add_robot(w, text, strlen(text), NULL, &def, NULL), PL_ERROR_ARGUMENT, "dt is 0 s");
    assert_int_equal(pl_particle_count(w), 0);
    pl_robot *r = add_text(w, text, NULL);
    refused(pl_robot_set_control(r, w, 1, 0.0f), PL_ERROR_ARGUMENT, "no actuator 1; it has 1");
    refused(pl_robot_set_control(r, w, 0, NAN), PL_ERROR_ARGUMENT, "not finite");
    refused(pl_robot_link_state(r, w, -1, states), PL_ERROR_ARGUMENT, "no link -1; it has 2");
    refused(pl_robot_joint_state(r, w, 7, NULL, NULL), PL_ERROR_ARGUMENT, "no joint 7; it has 1");
    refused(pl_robot_forward(r, far, states), PL_ERROR_ARGUMENT, "the position of joint 0 is 1e+09");
    refused(pl_robot_sense(r, w, NULL), PL_ERROR_ARGUMENT, "is missing");
    assert_null(pl_robot_link_at(r, 2).name);
    assert_null(pl_robot_warning(r, 99));
    good(pl_add_robot(w, text, strlen(text), NULL, NULL, NULL)); // without a handle
    pl_robot_free(r);
    pl_robot_free(NULL);
    pl_world_destroy(w);
}

// Whichever allocation of the world fails, the world is as it was.
static void failed_allocations_change_nothing(void **state)
{
    (void)state;
    static const char text[] =
        "<mujoco><worldbody><geom type='plane'/><geom size='1' friction='0.2'/><body name='a'><joint name='j' "
        "damping='1' range='-9 "
        "9' "
        "frictionloss='1'/>" BALL "<body name='b'><joint name='k' type='slide'/><geom type='box' size='1 1 1'/></body>"
        "</body><body name='c' pos='0 0 3'><freejoint/>" BALL "</body></worldbody><actuator><motor joint='j'/>"
        "<position joint='k'/></actuator><equality><weld body1='c' body2='b'/></equality></mujoco>";
    faulty f = {0};
    pl_world_def def = small_def(20, 1);
    pl_world *w;
    pl_result result = PL_ERROR_MEMORY;
    int failures = 0;
    def.allocator = (pl_allocator){.resize = faulty_resize, .user = &f};
    for (int64_t nth = 1; result == PL_ERROR_MEMORY; nth++)
    {
        f = (faulty){0};
        good(pl_world_create(&def, &w));
        add_one(w, 0, 0, 0, 1, NULL);
        picture before = picture_of(w);
        f.fail_at = f.calls + nth;
        result = pl_add_robot(w, text, strlen(text), "t.xml", NULL, NULL);
        f.fail_at = 0;
        if (result != PL_OK)
            same_picture(&before, w, "a failed allocation");
        failures += result != PL_OK;
        play(w, 1);
        pl_free(before.data);
        pl_world_destroy(w);
        assert_true(f.blocks == 0 && f.bytes == 0);
    }
    good(result);
    print_message("%d allocations failed\n", failures);
    assert_true(failures > 10);
}

// ---- warnings ------------------------------------------------------------------------------------------------------

static int count_of(const pl_robot *r, const char *words)
{
    int count = 0;
    for (int i = 0; pl_robot_warning(r, i); i++)
        count += strstr(pl_robot_warning(r, i), words) != NULL;
    return count;
}

static void ignored_things_are_told_once(void **state)
{
    (void)state;
    pl_world *w = make_world(20, 1);
    pl_robot *r = add_text(w,
                           "<robot name='r'>\n<link name='a'><visual><geometry/></visual><collision><geometry>"
                           "<mesh filename='a.dae'/></geometry></collision></link>\n<link name='b'/><link name='c'/>\n"
                           "<joint name='j' type='planar'><parent link='a'/><child link='b'/></joint>\n"
                           "<joint name='k' type='continuous'><parent link='b'/><child link='c'/><mimic joint='j'/>"
                           "<axis xyz='1 0 0' colour='red'/></joint>\n<gazebo/><gazebo/><transmission/>\n</robot>",
                           NULL);
    assert_int_equal(count_of(r, "t.xml:4:1: warning: planar joints"), 1);
    assert_int_equal(count_of(r, "t.xml:5:70: warning: <mimic> in <joint> is ignored"), 1);
    assert_int_equal(count_of(r, "\"colour\" of <axis> is ignored"), 1);
    assert_int_equal(count_of(r, "t.xml:6:1: warning: <gazebo> in <robot> is ignored"), 1);
    assert_int_equal(count_of(r, "<transmission>"), 1);
    assert_int_equal(count_of(r, "\"c\" moves and has neither mass nor shape"), 1);
    assert_int_equal(count_of(r, "t.xml:2:81: warning: \"a.dae\" is left out"), 1);
    assert_int_equal(count_of(r, ""), 7);
    pl_robot_free(r);
    r = add_text(w,
                 "<mujoco><compiler boundmass='1'/><option integrator='RK4'/><default><joint armature='1'/></default>"
                 "<worldbody><light/><body><joint name='j'/><joint/><geom size='1' rgba='1 0 0 1' condim='3'/>"
                 "<geom type='ellipsoid' size='1 1 1'/></body></worldbody><actuator><general joint='j'/></actuator>"
                 "<tendon/><keyframe/><sensor><touch/></sensor></mujoco>",
                 NULL);
    assert_int_equal(count_of(r, "\"boundmass\" of <compiler>"), 1);
    assert_int_equal(count_of(r, "\"integrator\" of <option>"), 1);
    assert_int_equal(count_of(r, "t.xml:1:86: warning: \"armature\" of <joint> is ignored"), 1);
    assert_int_equal(count_of(r, "\"condim\" of <geom>"), 1);
    assert_int_equal(count_of(r, "\"ellipsoid\" are ignored"), 1);
    assert_int_equal(count_of(r, "<general> in <actuator>"), 1);
    assert_int_equal(count_of(r, "<tendon>") + count_of(r, "<keyframe>") + count_of(r, "<touch>"), 3);
    assert_int_equal(count_of(r, "several joints"), 1);
    assert_int_equal(count_of(r, "light") + count_of(r, "rgba"), 0);
    pl_robot_free(r);
    pl_world_destroy(w);
}

// ---- meshes and files ----------------------------------------------------------------------------------------------

// A tetrahedron with three right angles and edges of 1 m as STL, binary and text, and OBJ: its volume is 1/6 m^3.
static void write_meshes(void)
{
    static const float corners[4][3][3] = {{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}},
                                           {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}},
                                           {{0, 0, 0}, {0, 0, 1}, {0, 1, 0}},
                                           {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    unsigned char binary[84 + 4 * 50] = "solid by name, binary by size";
    char text[2048] = "solid t\n";
    binary[80] = 4;
    for (int t = 0; t < 4; t++)
    {
        memcpy(binary + 84 + 50 * t + 12, corners[t],
               sizeof corners[t]); // little-endian machines only, as the tests run
        strcat(text, "facet normal 0 0 0\n outer loop\n");
        for (int c = 0; c < 3; c++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "  vertex %g %g %ge0\n", (double)corners[t][c][0],
                     (double)corners[t][c][1], (double)corners[t][c][2]);
        strcat(text, " endloop\nendfacet\n");
    }
    write_bytes("b.STL", binary, sizeof binary);
    write_bytes("short.stl", binary, sizeof binary - 1);
    write_text("t.stl", text);
    write_text("o.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
}

static void meshes_become_hulls(void **state)
{
    (void)state;
    static const char *const files[] = {"b.STL", "package://some_arm/t.stl", "o.obj", "file://%s/o.obj"};
    write_meshes();
    for (int i = 0; i < 4; i++)
    {
        pl_world *w = make_world(20, 1);
        pl_robot *r;
        pl_robot_def def = pl_default_robot_def();
        pl_mass_properties p;
        char text[512], name[200];
        def.fixed = false;
        def.allow_paths = i == 3; // an absolute path
        snprintf(name, sizeof name, i == 3 ? "file://%s/o.obj" : "%s", i == 3 ? folder : files[i]);
        snprintf(text, sizeof text,
                 "<robot><link name='a'><collision><geometry><mesh filename='%s' scale='2 1 1'/></geometry></collision>"
                 "</link></robot>",
                 name);
        write_text("r.urdf", text);
        good(pl_add_robot_file(w, path_of("r.urdf"), &def, &r));
        good(pl_get_rigid_mass(w, pl_robot_link_at(r, 0).body, &p));
        near_to("mass", (double)p.mass, 1000.0 / 3.0, 1e-3);
        near_to("centre", (double)p.centre.x, 0.5, 1e-5);
        assert_true(warns_of(r, "1,000 kg/m^3 is taken"));
        pl_robot_free(r);
        pl_world_destroy(w);
    }
    pl_world *w = make_world(20, 1);
    write_text("r.urdf",
               "<robot><link name='a'><collision><geometry><mesh filename='short.stl'/></geometry></collision>"
               "</link></robot>");
    refused(pl_add_robot_file(w, path_of("r.urdf"), NULL, NULL), PL_ERROR_FORMAT, "no vertices in it");
    write_text("m.xml", "<mujoco><compiler meshdir='.'/><asset><mesh file='o.obj' scale='1 1 3'/></asset><worldbody>"
                        "<body name='b'><freejoint/><geom type='mesh' mesh='o'/></body></worldbody></mujoco>");
    pl_robot *r;
    pl_mass_properties p;
    good(pl_add_robot_file(w, path_of("m.xml"), NULL, &r));
    good(pl_get_rigid_mass(w, pl_robot_link_at(r, 1).body, &p));
    near_to("mass", (double)p.mass, 500.0, 1e-3);
    pl_robot_free(r);
    pl_world_destroy(w);
}

static int end(void **state)
{
    (void)state;
    static const char *const names[] = {"b.STL", "short.stl", "t.stl", "o.obj", "r.urdf", "m.xml"};
    return remove_folder(names, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(urdf_is_refused),
        cmocka_unit_test(mjcf_is_refused),
        cmocka_unit_test(calls_are_refused),
        cmocka_unit_test(failed_allocations_change_nothing),
        cmocka_unit_test(ignored_things_are_told_once),
        cmocka_unit_test(meshes_become_hulls),
    };
    return cmocka_run_group_tests(tests, make_folder, end);
}
