// test_scene.c: what a scene's text may say, what is refused and in which words, and that the world becomes what it says.
#include "io/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static pl_result parse(const char *text, const char *set, pl_scene **scene)
{
    *scene = NULL;
    return pl_scene_parse(text, strlen(text), "s.json", &set, set ? 1 : 0, scene);
}

static const struct
{
    const char *text, *words; // what the message must hold
} wrong[] = {
    {"[]", "s.json:1:1: error: the scene is an array"},
    {"{\"clots\": {}}", "s.json:1:2: error: unknown key \"clots\" in the scene; did you mean \"cloth\"?"},
    {"{\"frmaes\": 3}", "did you mean \"frames\"?"},
    {"{\"xyzzyxyzzy\": 3}", "known are: $schema, name"},
    {"{\n \"cloth\": {\"size\": [10]}}", "s.json:2:20: error: \"size\" is not 2 numbers; expected [columns, rows]"},
    {"{\"cloth\": {\"size\": [10, 1]}}", "\"size\" is 1; 2 to 16384 is allowed"},
    {"{\"cloth\": {\"size\": [10, 2.5]}}", "a whole number"},
    {"{\"cloth\": {\"mass\": -1}}", "\"mass\" is -1; 1e-12 to"},
    {"{\"cloth\": {\"mass\": 0}}", "\"mass\" is 0"},
    {"{\"cloth\": {\"mass\": 1e39}}", "is allowed"},
    {"{\"cloth\": {\"mass\": \"heavy\"}}", "\"mass\" is a string; expected a number"},
    {"{\"cloth\": {\"origin\": [0, 0]}}", "\"origin\" has 2 numbers; expected [x, y, z]"},
    {"{\"cloth\": {\"stretch\": {\"compliance\": -1}}}", "\"compliance\" is -1"},
    {"{\"cloth\": {\"bending\": \"stiff\"}}", "one of \"none\", \"links\", \"dihedral\", \"isometric\""},
    {"{\"cloth\": {\"tethers\": 1}}", "\"tethers\" is a number; expected true or false"},
    {"{\"cloth\": {\"width\": 1, \"u\": [1, 0, 0]}}", "one of each pair"},
    {"{\"cloth\": {\"pinned\": \"lef\"}}", "\"lef\" is no part of a cloth; expected left, right"},
    {"{\"cloth\": {\"size\": [4, 4], \"pinned\": [16]}}", "no such particle; 0 to 15"},
    {"{\"cloth\": {\"size\": [4, 4], \"pinned\": [-17]}}", "no such particle"},
    {"{\"cloth\": {\"size\": [4, 4], \"pinned\": [[4, 0]]}}", "no such column; 0 to 3"},
    {"{\"cloth\": {\"pinned\": {\"edge\": \"top\", \"every\": 0}}}", "\"every\" counts particles"},
    {"{\"cloth\": {\"pinned\": {\"box\": [0, 1]}}}", "not a box"},
    {"{\"cloth\": {\"pinned\": {\"ege\": \"top\"}}}", "unknown form"},
    {"{\"cloth\": {\"pinned\": true}}", "is no selector"},
    {"{\"cloth\": {\"mesh\": \"missing.obj\"}}", "cannot read it"},
    {"{\"cloth\": {\"mesh\": \".\"}}", "not a regular file"},
    {"{\"cloth\": {\"mesh\": \"/dev/zero\"}}",
     "\"/dev/zero\" is outside the scene's folder; put the file beside the scene"},
    {"{\"cloth\": {\"mesh\": \"a/../../b.obj\"}}", "is outside the scene's folder"},
    {"{\"name\": \"\\u001b[31m\"}", "\"name\" holds the control character 0x1b; leave it out"},
    {"{\"name\": \"\\u009b\"}", "holds the control character"},
    {"{\"cloth\": {\"vertices\": [[0,0,0],[1,0,0],[0,1,0]], \"triangles\": [[0,1,3]]}}",
     "corner 3; there are 3 vertices"},
    {"{\"cloth\": {\"vertices\": [[0,0,0],[1,0,0],[0,1,0]]}}", "3 vertices and 0 triangles"},
    {"{\"cloth\": {\"vertices\": [[0,0,0],[1,0,0],[0,1,0]], \"triangles\": [[0,1,2]], \"pinned\": \"left\"}}",
     "this cloth is a mesh"},
    {"{\"cloth\": {\"size\": [16384, 16384]}}", "GB of memory, with this object; at most"},
    {"{\"rope\": {\"segments\": 0}}", "\"segments\" is 0; 1 to"},
    {"{\"rope\": {\"points\": [[0,0,0]]}}", "1 points; a rope needs one more"},
    {"{\"rope\": {\"points\": [[0,0,0],[1,0,0]], \"segments\": 5}}", "2 points"},
    {"{\"bar\": {\"cells\": [1, 0, 1]}}", "\"cells\" is 0"},
    {"{\"bar\": {\"model\": \"rubber\"}}", "one of \"links\", \"stvk\", \"corotated\", \"neo_hookean\", \"strain\""},
    {"{\"bar\": {\"elastic\": {\"young\": 0}}}", "\"young\" is 0; 1e-12 to"},
    {"{\"bar\": {\"elastic\": {\"poisson\": 0.5}}}", "\"poisson\" is 0.5; 0 to 0.499 is allowed"},
    {"{\"cloth\": {\"model\": \"corotated\"}}", "one of \"links\", \"stvk\", \"strain\""},
    {"{\"cloth\": {\"fabric\": {\"weft\": 1}}}", "unknown key \"weft\" in fabric"},
    {"{\"particles\": {}}", "particles without \"position\"; it is needed"},
    {"{\"particles\": {\"position\": []}}", "; "},
    {"{\"particles\": {\"position\": [[0,0,0],[1,0,0]], \"mass\": [1,2,3]}}", "\"mass\" has 3 for 2 particles"},
    {"{\"particles\": {\"position\": [0,0,0], \"mass\": -2}}", "\"mass\" is -2; 0 to"},
    {"{\"field\": {}}", "field without \"kind\""},
    {"{\"rope\": [{\"name\": \"a\"}, {\"name\": \"a\"}]}", "a second object called \"a\""},
    {"{\"rope\": {\"name\": \"a[0]\"}}", "is no name"},
    {"{\"rope\": {\"name\": \"r\"}, \"constraints\": {\"kind\": \"distance\", \"particles\": [\"r[0]\", \"r[51]\"]}}",
     "no particle \"r[51]\"; \"r[0]\" to \"r[50]\" exist"},
    {"{\"rope\": {\"name\": \"r\"}, \"constraints\": {\"kind\": \"distance\", \"particles\": [\"r[0]\", \"q\"]}}",
     "no object called \"q\""},
    {"{\"rope\": {\"name\": \"r\"}, \"constraints\": {\"kind\": \"distance\", \"particles\": [\"r[0]\", \"r\"]}}",
     "has 51 particles; say which"},
    {"{\"rope\": {}, \"constraints\": {\"kind\": \"distance\", \"particles\": [0, 51]}}",
     "no particle 51; 0 to 50 exist"},
    {"{\"rope\": {}, \"constraints\": {\"kind\": \"distance\", \"particles\": [0, 1, 2]}}",
     "3 particles; a constraint of kind distance has 2"},
    {"{\"rope\": {}, \"constraints\": {\"kind\": \"distance\", \"particles\": [0, 1], \"params\": [1, 2]}}",
     "2 params; a constraint of kind distance has 1"},
    {"{\"rope\": {}, \"constraints\": {\"kind\": \"distence\", \"particles\": [0, 1]}}", "one of \"distance\""},
    {"{\"script\": {\"keys\": [{\"time\": 0, \"offset\": [0,0,0]}]}}", "moves \"pin\" or \"particles\""},
    {"{\"script\": {\"pin\": \"p\", \"keys\": []}}", "without keys"},
    {"{\"script\": {\"pin\": \"p\", \"keys\": [{\"time\": 1, \"offset\": [0,0,0]}, {\"time\": 1, \"offset\": "
     "[0,0,0]}]}}",
     "times must grow"},
    {"{\"script\": {\"pin\": \"p\", \"keys\": {\"time\": 1, \"offset\": [0,0,0]}}}", "no constraints called \"p\""},
    {"{\"expect\": {\"residual\": {\"mean\": [1, 0]}}}", "not a range; expected [least, most]"},
    {"{\"expect\": {\"at\": {\"of\": \"q\", \"x\": [0, 1]}}}", "no object called \"q\""},
    {"{\"rope\": {\"name\": \"r\"}, \"heat\": {\"of\": \"q\"}}", "no object called \"q\""},
    {"{\"rope\": {\"name\": \"r\"}, \"heat\": {\"of\": \"r\", \"latent\": 1}}", "without \"melting\""},
    {"{\"rope\": {\"name\": \"r\"}, \"heat\": {\"of\": \"r\", \"melting\": 1, \"freezing\": 2}}",
     "must be at most \"melting\""},
    {"{\"rope\": {\"name\": \"r\"}, \"heat\": [{\"of\": \"r\"}, {\"of\": \"r\"}]}", "\"r\" has \"heat\" already"},
    {"{\"shape\": {\"kind\": \"plane\", \"heat\": {\"time\": 1}}}", "heat without \"temperature\"; it is needed"},
    {"{\"shape\": {\"kind\": \"plane\", \"heat\": {\"temprature\": 1}}}", "unknown key \"temprature\" in heat; did"},
    {"{\"expect\": {\"heat\": {\"totl\": [0, 1]}}}", "unknown key \"totl\" in heat; did you mean \"total\""},
    {"{\"rope\": {}, \"cut\": {\"time\": 2, \"until\": 1, \"from\": [0,0,0], \"to\": [1,0,0], \"sweep\": [0,1,0]}}",
     "\"until\" is 1, before \"time\", which is 2"},
    {"{\"oriented\": {\"points\": [[0,0,0], [0,1,0]]}}", "add \"form\": \"points\" to use them"},
    {"{\"oriented\": {\"size\": [1, 5]}}", "size is 1, 5; the first must be from 2"},
    {"{\"oriented\": {\"form\": \"sheet\", \"size\": [5, 1]}}", "size is 5, 1; each must be from 2"},
    {"{\"body\": {\"kind\": \"jelly\", \"match\": {\"mode\": \"linear\", \"beta\": 1}}}",
     "\"beta\" is 1; 0 to 0.95 is allowed"},
    {"{\"rope\": {\"name\": \"r\"}, \"attach\": {\"what\": \"r\"}}", "an attachment without \"what\" and \"to\"; "},
    {"{\"rope\": {\"name\": \"r\"}, \"attach\": {\"what\": \"r[7:5]\", \"to\": \"r\"}}", "\"r[0:51]\" is all of them"},
    {"{\"rope\": {\"name\": \"r\"}, \"attach\": {\"what\": \"r[:52]\", \"to\": \"r\"}}", "no particles \"r[:52]\""},
    {"{\"rope\": {\"name\": \"r\"}, \"attach\": {\"what\": \"r\", \"to\": \"arm\"}}", "no object called \"arm\""},
    {"{\"rope\": {\"name\": \"r\"}, \"attach\": {\"what\": {\"of\": \"r\", \"box\": [[0,0,0]]}, \"to\": \"r[0]\"}}",
     "not a box; expected"},
    {"{\"solver\": \"xpdb\"}", "one of \"xpbd\", \"pbd\""},
    {"{\"dt\": 0}", "\"dt\" is 0; 1e-06 to 1"},
    {"{\"substeps\": 0}", "\"substeps\" is 0"},
};

static void refuses_and_says_why(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    {
        pl_scene *scene;
        pl_result result = parse(wrong[i].text, NULL, &scene);
        const char *message = pl_error_message();
        if (result == PL_OK || scene || !strstr(message, wrong[i].words) || strncmp(message, "s.json:", 7) != 0 ||
            !strchr(message, ';'))
        {
            fail_msg("%s\n  gave %s", wrong[i].text, result == PL_OK ? "no error" : message);
        }
    }
}

// What only the engine can see is told with the object's place.
static void engine_errors_have_a_place(void **state)
{
    (void)state;
    pl_scene *scene;
    pl_world *world = NULL;
    assert_int_equal(parse("{\n\"bar\": {\"size\": [0, 1, 1]}}", NULL, &scene), PL_OK);
    assert_int_not_equal(pl_scene_world(scene, NULL, &world), PL_OK);
    assert_null(world);
    assert_non_null(strstr(pl_error_message(), "s.json:2:8: error: "));
    pl_scene_free(scene);
    assert_int_equal(parse("{\"body\": {\"name\": \"s\", \"kind\": \"soft\", \"size\": [1, 1, 1], \"spacing\": 0.5},\n"
                           " \"heat\": {\"of\": \"s\"}}",
                           NULL, &scene),
                     PL_OK);
    assert_int_not_equal(pl_scene_world(scene, NULL, &world), PL_OK);
    assert_non_null(strstr(pl_error_message(), "s.json:2:17: error: the particles of \"s\" have no radius"));
    assert_non_null(strstr(pl_error_message(), "give it a \"thickness\""));
    pl_scene_free(scene);
}

static const char everything[] =
    "{\"frames\": 7, \"dt\": 0.01, \"substeps\": 3, \"gravity\": [0, -1, 0], \"wind\": {\"gust\": 0.25},"
    " \"cloth\": {\"name\": \"c\", \"size\": [3, 2], \"width\": 2, \"height\": 1, \"pinned\": [\"top_left\", [-1, 0], "
    "4], \"velocity\": [1, 2, 3]},"
    " \"particles\": {\"name\": \"p\", \"position\": [[5, 5, 5], [6, 5, 5]], \"mass\": [0, 2], \"charge\": 3, "
    "\"force\": [0, 0, 1], \"velocity\": [1, 0, 0]},"
    " \"constraints\": [{\"kind\": \"distance\", \"particles\": [[\"p[0]\", \"p[-1]\"], [\"c[5]\", 7]], \"params\": "
    "[0.5], \"compliance\": 2},"
    "   {\"name\": \"held\", \"kind\": \"pin\", \"particles\": \"p[1]\"}],"
    " \"rope\": {\"segments\": 2}, \"bar\": {\"cells\": [1, 1, 1]}, \"field\": {\"kind\": \"electric\", \"vector\": "
    "[1, 0, 0]}}";

static void makes_what_it_says(void **state)
{
    (void)state;
    pl_scene *scene;
    pl_world *world;
    float mass[6], v[18], p[6], charge[2];
    assert_int_equal(parse(everything, NULL, &scene), PL_OK);
    assert_int_equal(pl_scene_describe(scene).frames, 7);
    assert_int_equal(pl_scene_world(scene, NULL, &world), PL_OK);
    // In the order of the text: cloth 6, particles 2, rope 3, bar 8.
    assert_int_equal(pl_particle_count(world), 19);
    assert_int_equal(pl_world_settings(world).substeps, 3);
    assert_true(pl_world_settings(world).wind.gust == 0.25f);
    assert_int_equal(pl_get(world, PL_ATTRIBUTE_MASS, 0, 6, mass), PL_OK);
    assert_true(mass[0] == 0.0f && mass[1] > 0.0f && mass[2] == 0.0f && mass[3] > 0.0f && mass[4] == 0.0f &&
                mass[5] > 0.0f);
    assert_int_equal(pl_get(world, PL_ATTRIBUTE_VELOCITY, 0, 6, v), PL_OK);
    assert_true(v[0] == 0.0f && v[3] == 1.0f && v[4] == 2.0f && v[5] == 3.0f);
    assert_int_equal(pl_get(world, PL_ATTRIBUTE_POSITION, 6, 2, p), PL_OK);
    assert_true(p[0] == 5.0f && p[3] == 6.0f);
    assert_int_equal(pl_get(world, PL_ATTRIBUTE_CHARGE, 6, 2, charge), PL_OK);
    assert_true(charge[0] == 3.0f && charge[1] == 3.0f);
    assert_int_equal(pl_constraint_count(world, PL_KIND_PIN), 1);
    assert_int_equal(pl_constraint_count(world, PL_KIND_TET_VOLUME), 5);
    pl_world_destroy(world);
    pl_scene_free(scene);
}

// Elements by their material; a bar may begin squashed, and is not at rest then.
static void makes_elements(void **state)
{
    (void)state;
    pl_scene *scene;
    pl_world *world;
    pl_id blocks[4];
    float p[3 * 8], value[5], soft;
    assert_int_equal(parse("{\"bar\": {\"cells\": [1, 1, 1], \"origin\": [0, 1, 0], \"size\": [1, 1, 1], \"model\": "
                           "\"neo_hookean\", \"elastic\": {\"young\": 2e5, \"viscosity\": 7}, \"squash\": [1, 0, 1]},"
                           " \"cloth\": {\"size\": [3, 3], \"model\": \"strain\", \"fabric\": {\"young_warp\": 4e6}}}",
                           NULL, &scene),
                     PL_OK);
    assert_int_equal(pl_scene_world(scene, NULL, &world), PL_OK);
    assert_int_equal(pl_constraint_count(world, PL_KIND_NEO_HOOKEAN), 5);
    assert_int_equal(pl_constraint_count(world, PL_KIND_STRAIN_TRIANGLE), 8);
    assert_int_equal(pl_get(world, PL_ATTRIBUTE_POSITION, 0, 8, p), PL_OK);
    for (int i = 0; i < 8; i++)
    {
        assert_true(p[3 * i + 1] == 1.5f);
        assert_true(p[3 * i] == 0.0f || p[3 * i] == 1.0f);
    }
    assert_true(pl_world_blocks(world, blocks, 4) >= 2);
    assert_int_equal(pl_get_rows(world, blocks[0], PL_ROW_VALUE, 0, 5, value), PL_OK);
    assert_true(value[0] > 0.1f);
    assert_int_equal(pl_get_rows(world, blocks[0], PL_ROW_COMPLIANCE, 0, 1, &soft), PL_OK);
    assert_true(soft == 1.0f / 2e5f);
    assert_int_equal(pl_get_rows(world, blocks[0], PL_ROW_DAMPING, 0, 1, &soft), PL_OK);
    assert_true(soft == 7.0f);
    pl_world_destroy(world);
    pl_scene_free(scene);
}

static void every_pin_form(void **state)
{
    (void)state;
    static const struct
    {
        const char *pinned, *held;
    } forms[] = {
        {"\"left\"", "100100100"},
        {"\"right\"", "001001001"},
        {"\"top\"", "111000000"},
        {"\"bottom\"", "000000111"},
        {"\"corners\"", "101000101"},
        {"\"bottom_left\"", "000000100"},
        {"[0, -1]", "100000001"},
        {"[[1, 1]]", "000010000"},
        {"[[-1, -1], \"top_left\"]", "100000001"},
        {"{\"edge\": \"top\", \"every\": 2}", "101000000"},
        {"{\"box\": [[-1, -9, -1], [0.1, 9, 1]]}", "100100100"},
        {"[]", "000000000"},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    {
        char text[256], held[10] = "";
        pl_scene *scene;
        pl_world *world;
        float mass[9];
        snprintf(text, sizeof text, "{\"cloth\": {\"size\": [3, 3], \"width\": 2, \"height\": 2, \"pinned\": %s}}",
                 forms[i].pinned);
        assert_int_equal(parse(text, NULL, &scene), PL_OK);
        assert_int_equal(pl_scene_world(scene, NULL, &world), PL_OK);
        assert_int_equal(pl_get(world, PL_ATTRIBUTE_MASS, 0, 9, mass), PL_OK);
        for (int k = 0; k < 9; k++)
        {
            held[k] = mass[k] == 0.0f ? '1' : '0';
        }
        assert_string_equal(held, forms[i].held);
        pl_world_destroy(world);
        pl_scene_free(scene);
    }
}

static void changes(void **state)
{
    (void)state;
    static const char text[] =
        "{\"cloth\": {\"size\": [3, 3]}, \"rope\": [{\"segments\": 1}, {\"segments\": 2}], \"gravity\": [0, 1, 0]}";
    static const struct
    {
        const char *set;
        int particles;
        float gravity;
        const char *words; // NULL: taken
    } sets[] = {
        {"cloth.size=[4,5]", 25, 1, NULL},
        {"cloth[0].size=[4,5]", 25, 1, NULL},
        {"cloth.size[1]=4", 17, 1, NULL},
        {"cloth.size.1=4", 17, 1, NULL},
        {"rope[1].segments=4", 16, 1, NULL},
        {"rope.0.segments=4", 17, 1, NULL},
        {"rope={\"segments\": 9}", 19, 1, NULL},
        {"bar.cells=[1,1,1]", 22, 1, NULL},
        {"gravity.1=-2", 14, -2, NULL},
        {"solver=pbd", 14, 1, NULL},
        {"solver=\"pbd\"", 14, 1, NULL},
        {"name=a name", 14, 1, NULL},
        {"wind.gust=0.5", 14, 1, NULL},
        {"cloth.siz=[4,5]", 0, 0,
         "--set cloth.siz=[4,5]:1:7: error: unknown key \"siz\" in cloth; did you mean \"size\"?"},
        {"cloht.size=[4,5]", 0, 0, "--set cloht.size=[4,5]:1:1: error: unknown key \"cloht\""},
        {"rope.segments=3", 0, 0, "this is a list of 2; select one with [0] to [1]"},
        {"rope[2].segments=3", 0, 0, "no element 2; the list has 2"},
        {"cloth.size=[4,", 0, 0, "--set cloth.size=[4,:1:15: error: the text ends too early"},
        {"cloth.size=[4,1]", 0, 0, "--set cloth.size=[4,1]:1:15: error: \"size\" is 1"},
        {"cloth.u[0]=1", 0, 0, "set the whole value"},
        {"cloth", 0, 0, "bad path"},
        {"=1", 0, 0, "bad path"},
        {"cloth[=1", 0, 0, "bad path"},
        {"cloth[x]=1", 0, 0, "\"x\" is no index"},
        {"cloth..size=1", 0, 0, "bad path"},
    };
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
    {
        pl_scene *scene;
        pl_world *world;
        pl_result result = parse(text, sets[i].set, &scene);
        if ((result == PL_OK) != (sets[i].words == NULL) ||
            (sets[i].words && !strstr(pl_error_message(), sets[i].words)))
        {
            fail_msg("%s gave %s", sets[i].set, result == PL_OK ? "no error" : pl_error_message());
        }
        if (result == PL_OK)
        {
            assert_int_equal(pl_scene_world(scene, NULL, &world), PL_OK);
            assert_int_equal(pl_particle_count(world), sets[i].particles);
            assert_true(pl_world_settings(world).gravity.y == sets[i].gravity);
            pl_world_destroy(world);
            pl_scene_free(scene);
        }
    }
}

// Moving pins and moving held particles both follow the keys, and a snapshot goes on where it was.
static void follows_the_script(void **state)
{
    (void)state;
    static const char text[] =
        "{\"gravity\": [0,0,0], \"dt\": 0.1, \"substeps\": 4, \"iterations\": 4,"
        " \"particles\": [{\"name\": \"a\", \"position\": [0,0,0], \"mass\": 0}, {\"name\": \"b\", \"position\": "
        "[0,1,0], \"mass\": 1}],"
        " \"constraints\": {\"name\": \"pin\", \"kind\": \"pin\", \"particles\": \"b\"},"
        " \"script\": [{\"particles\": \"a\", \"keys\": [{\"time\": 0, \"offset\": [0,0,0]}, {\"time\": 1, \"offset\": "
        "[2,0,0]}]},"
        "  {\"pin\": \"pin\", \"keys\": [{\"time\": 0.5, \"offset\": [0,0,0]}, {\"time\": 1, \"offset\": [0,0,1]}]}]}";
    pl_scene *scene;
    pl_world *world, *other;
    pl_world_def def = pl_default_world_def();
    float x[6];
    void *data;
    size_t size;
    def.threads = 1;
    assert_int_equal(parse(text, NULL, &scene), PL_OK);
    assert_int_equal(pl_scene_world(scene, &def, &world), PL_OK);
    for (int i = 0; i < 7; i++)
    {
        assert_int_equal(pl_scene_before_step(scene, world), PL_OK);
        assert_int_equal(pl_world_step(world, 0.1f), PL_OK);
    }
    assert_int_equal(pl_get(world, PL_ATTRIBUTE_POSITION, 0, 2, x), PL_OK);
    assert_true(x[0] > 1.3999f && x[0] < 1.4001f);
    assert_true(x[5] > 0.38f && x[5] < 0.41f);
    assert_int_equal(pl_world_save_memory(world, &data, &size), PL_OK);
    assert_int_equal(pl_world_load_memory(&def, data, size, &other), PL_OK);
    pl_free(data);
    for (int i = 0; i < 5; i++)
    {
        assert_int_equal(pl_scene_before_step(scene, world), PL_OK);
        assert_int_equal(pl_world_step(world, 0.1f), PL_OK);
        assert_int_equal(pl_scene_before_step(scene, other), PL_OK);
        assert_int_equal(pl_world_step(other, 0.1f), PL_OK);
    }
    assert_int_equal(pl_world_hash(world), pl_world_hash(other));
    assert_int_equal(pl_get(world, PL_ATTRIBUTE_POSITION, 0, 2, x), PL_OK);
    assert_true(x[0] > 1.9999f && x[0] < 2.0001f); // and stands still after the last key
    assert_true(x[5] > 0.99f && x[5] < 1.01f);
    pl_world_destroy(world);
    pl_world_destroy(other);
    pl_scene_free(scene);
}

static void a_free_particle_has_no_script(void **state)
{
    (void)state;
    pl_scene *scene;
    pl_world *world;
    assert_int_equal(parse("{\"particles\": {\"name\": \"a\", \"position\": [0,0,0], \"mass\": 1},"
                           " \"script\": {\"particles\": \"a\", \"keys\": {\"time\": 0, \"offset\": [0,0,0]}}}",
                           NULL, &scene),
                     PL_OK);
    assert_int_equal(pl_scene_world(scene, NULL, &world), PL_ERROR_ARGUMENT); // told before the first step
    assert_non_null(strstr(pl_error_message(), "moves freely"));
    pl_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_and_says_why), cmocka_unit_test(engine_errors_have_a_place),
        cmocka_unit_test(makes_what_it_says),   cmocka_unit_test(makes_elements),
        cmocka_unit_test(every_pin_form),       cmocka_unit_test(changes),
        cmocka_unit_test(follows_the_script),   cmocka_unit_test(a_free_particle_has_no_script),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
