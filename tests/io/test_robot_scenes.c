// Robots in scenes: refusals, controls over time, snapshots, expectations, and files of robots as scenes.
#include "io/robot_files.h"
#include "physics/robots.h"

// ---- scenes --------------------------------------------------------------------------------------------------------

static pl_scene *scene_of(const char *text)
{
    pl_scene *s = NULL;
    good(pl_scene_parse(text, strlen(text), path_of("s.json"), NULL, 0, &s));
    return s;
}

static void scene_refused(const char *text, const char *words)
{
    pl_scene *s = NULL;
    refused(pl_scene_parse(text, strlen(text), path_of("s.json"), NULL, 0, &s), PL_ERROR_FORMAT, words);
}

#define ONE                                                                                                            \
    "\"<robot><link name='a'/><link name='b'/><joint name='j' type='continuous'><parent link='a'/>\","                 \
    "\"<child link='b'/></joint></robot>\""

static void scenes_are_refused(void **state)
{
    (void)state;
    scene_refused("{\"robot\": {}}", "a robot has a \"file\" or an \"xml\"");
    scene_refused("{\"robot\": {\"xml\": [1]}}", "a number in \"xml\"");
    scene_refused("{\"robot\": {\"xml\": \"<robot>\"}}", "xml:1:1: error: <robot> is never closed");
    scene_refused("{\"robot\": {\"xml\": [" ONE "], \"controls\": {\"time\": 0, \"values\": [1, 2]}}}",
                  "2 values; the robot has 1 actuators");
    scene_refused("{\"robot\": {\"xml\": [" ONE "], \"controls\": [{\"time\": 1, \"values\": 0}, {\"time\": 1, "
                  "\"values\": 0}]}}",
                  "times must grow");
    scene_refused("{\"robot\": {\"name\": \"r\", \"xml\": [" ONE
                  "]}, \"expect\": {\"robot\": {\"of\": \"r\", \"link\": "
                  "\"b\"}}}",
                  "no robot with \"controls\" called \"r\"");
    scene_refused("{\"robot\": {\"name\": \"r\", \"xml\": [" ONE "], \"controls\": {\"time\": 0, \"values\": 0}}, "
                  "\"expect\": {\"robot\": {\"of\": \"r\", \"link\": \"x\"}}}",
                  "the robot has no link \"x\"");
}

static void run_scene(const pl_scene *s, pl_world *w, int frames)
{
    for (int i = 0; i < frames; i++)
    {
        good(pl_scene_before_step(s, w));
        good(pl_world_step(w, pl_scene_describe(s).dt));
    }
}

// Controls move the joints of two robots behind another object; a world from a snapshot goes on with the same bits.
static void scenes_move_robots(void **state)
{
    (void)state;
    static const char text[] =
        "{\"gravity\": [0, 0, 0], \"iterations\": 4, \"rope\": {\"segments\": 3, \"pin_first\": true}, \"robot\": ["
        "{\"name\": \"one\", \"xml\": [" ONE "]},"
        "{\"name\": \"two\", \"position\": [3, 0, 0], \"control\": \"position\", \"xml\": [" ONE
        "], \"controls\": [{\"time\": 0, \"values\": 0}, {\"time\": 0.2, \"values\": 0.5}]}],"
        "\"expect\": {\"robot\": {\"of\": \"two\", \"link\": \"b\"}}}";
    pl_scene *s = scene_of(text);
    pl_world *w, *again;
    pl_world_def def = small_def(1, 1);
    pl_robot *r;
    void *data;
    size_t size;
    int checked, failed;
    good(pl_scene_world(s, &def, &w));
    good(pl_scene_robot(s, w, "two", &r));
    run_scene(s, w, 20);
    near_to("driven", position_of(r, w, "j"), 0.5, 1e-3);
    near_to("x", (double)link_state(r, w, "b").position.x, 3.0, 1e-6);
    refused(pl_scene_robot(s, w, "three", &r), PL_ERROR_ARGUMENT, "the scene has 2 robots, none called \"three\"");
    refused(pl_scene_robot(s, w, NULL, &r), PL_ERROR_ARGUMENT, "2 robots");
    good(pl_world_save_memory(w, &data, &size));
    good(pl_world_load_memory(&def, data, size, &again));
    run_scene(s, w, 20), run_scene(s, again, 20);
    assert_true(pl_world_hash(w) == pl_world_hash(again));
    good(pl_scene_expect(s, again, NULL, 0, &checked, &failed));
    assert_int_equal(failed, 0);
    assert_int_equal(checked, 3);
    pl_free(data);
    pl_robot_free(r);
    pl_world_destroy(again);
    pl_world_destroy(w);
    pl_world *other = make_world(20, 1);
    refused(pl_scene_robot(s, other, "two", &r), PL_ERROR_ARGUMENT, "use the scene that made it");
    pl_world_destroy(other);
    pl_scene_free(s);
}

static void robot_files_are_scenes(void **state)
{
    (void)state;
    pl_scene *s;
    pl_world *w;
    write_text("a \"b\".xml", "<mujoco><option gravity='0 0 -2'/><worldbody><body><joint/><geom size='1'/></body>"
                              "</worldbody></mujoco>");
    good(pl_scene_load(path_of("a \"b\".xml"), NULL, 0, &s));
    good(pl_scene_world(s, NULL, &w));
    near_to("gravity", (double)pl_world_settings(w).gravity.y, -2.0, 1e-6);
    assert_int_equal(pl_world_rigids(w, NULL, 0), 2);
    pl_world_destroy(w);
    pl_scene_free(s);
    refused(pl_scene_load(path_of("none.urdf"), NULL, 0, &s), PL_ERROR_FILE, "none.urdf");
}

static int end(void **state)
{
    (void)state;
    static const char *const names[] = {"a \"b\".xml"};
    return remove_folder(names, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_are_refused),
        cmocka_unit_test(scenes_move_robots),
        cmocka_unit_test(robot_files_are_scenes),
    };
    return cmocka_run_group_tests(tests, make_folder, end);
}
