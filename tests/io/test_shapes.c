// test_shapes.c: shapes in scenes: what they are made of, how keys move them, and what is refused where.
#include "support/support.h"

#include <unistd.h>

static pl_result make(const char *text, pl_scene **scene, pl_world **world)
{
    *scene = NULL;
    *world = NULL;
    pl_result result = pl_scene_parse(text, strlen(text), "s.json", NULL, 0, scene);
    return result == PL_OK ? pl_scene_world(*scene, NULL, world) : result;
}

#define CUBE "\"vertices\": [[-1,-1,-1],[1,-1,-1],[-1,1,-1],[1,1,-1],[-1,-1,1],[1,-1,1],[-1,1,1],[1,1,1]]"
#define FACES "[0,2,1],[1,2,3],[4,5,6],[5,7,6],[0,1,4],[1,5,4],[2,6,3],[3,6,7],[0,4,2],[2,4,6],[1,3,5]"
#define SHAPE(kind, rest) "{\n\"shape\": {\"name\": \"it\", \"kind\": \"" kind "\", " rest "}}"

static const struct
{
    const char *text, *words;
} wrong[] = {
    {SHAPE("mesh", CUBE ", \"triangles\": [" FACES "]"),
     "s.json:2:10: error: shape 'it': the mesh is open: the edge from"},
    {SHAPE("sdf", CUBE ", \"triangles\": [" FACES "]"), "shape 'it': the mesh is open"},
    {SHAPE("mesh", CUBE ", \"triangles\": [" FACES ",[3,5,7]]"), "both run along their edge"},
    {SHAPE("mesh", CUBE ", \"triangles\": [[0,1,2],[0,0,1]]"), "shape 'it': triangle 1 (vertices 0, 0, 1) has no area"},
    {SHAPE("mesh", CUBE ", \"triangles\": [[0,1,8]]"), "shape 'it': triangle 0 names vertex 8; there are 8"},
    {SHAPE("mesh", CUBE ", \"triangles\": [[0,1,-8]]"), "\"triangles\" is -8"},
    {SHAPE("mesh", "\"vertices\": [[0,0,0],[1,0,0],[0,0,1e11]], \"triangles\": [[0,1,2]], \"two_sided\": true"),
     "shape 'it': vertex 2 has the z coordinate 1e+11"},
    {SHAPE("mesh", "\"vertices\": [[0,0,0],[1,0,0],[0,0,null]], \"triangles\": [[0,1,2]]"), "\"vertices\" is null"},
    {SHAPE("mesh", "\"two_sided\": true"), "needs one of \"mesh\", \"vertices\" and \"form\""},
    {SHAPE("mesh", "\"mesh\": \"a.obj\", \"form\": {\"kind\": \"ball\"}"), "needs one of"},
    {SHAPE("mesh", "\"mesh\": \"missing.obj\""), "cannot read it"},
    {SHAPE("mesh", "\"form\": {\"kind\": \"cow\"}"), "one of \"sheet\", \"ball\", \"torus\", \"bowl\""},
    {SHAPE("mesh", "\"form\": {\"kind\": \"sheet\"}"), "shape 'it': the mesh is open"},
    {SHAPE("mesh", "\"form\": {\"kind\": \"ball\", \"size\": [0, 0, 0]}"), "shape 'it': "},
    {SHAPE("hull", "\"vertices\": [[0,0,0],[1,0,0],[0,0,1],[1,0,1]]"),
     "shape 'it': all 4 points of the hull lie in one plane"},
    {SHAPE("sdf", "\"spacing\": 0.0004, \"form\": {\"kind\": \"ball\", \"size\": [1, 1, 1]}"), "GB, the limit is 1.0"},
    {SHAPE("sdf", "\"spacing\": 0.01, \"memory\": 1, \"form\": {\"kind\": \"ball\"}"), "the limit is 0.001 GB"},
    {SHAPE("heightfield", "\"spacing\": 1"), "needs one of \"heights\", \"height_file\" and \"waves\""},
    {SHAPE("heightfield", "\"spacing\": 1, \"grid\": [2, 2], \"heights\": [0, 1, 2]"), "3 heights; expected 2 x 2"},
    {SHAPE("heightfield", "\"spacing\": 1, \"grid\": [2, 2], \"heights\": [0, 1, 2, 1e11]"),
     "shape 'it': the height in column 1, row 1 is 1e+11"},
    {SHAPE("heightfield", "\"waves\": {}"), "shape 'it': the height field's spacing along x is 0 m"},
    {SHAPE("mesh", "\"form\": {\"kind\": \"bowl\", \"size\": [1, 1, 1], \"thickness\": 0.6}"), "has a radius of 0.5 m"},
    {SHAPE("sphere", "\"radius\": 1, \"keys\": [{\"time\": 1}, {\"time\": 1}]"), "times must grow"},
    {SHAPE("sphere", "\"radius\": 1, \"copies\": 2, \"keys\": [{\"time\": 1}]"), "\"keys\" and \"copies\""},
};

static void refusals(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    {
        pl_scene *scene;
        pl_world *world;
        pl_result result = make(wrong[i].text, &scene, &world);
        if (result == PL_OK || !strstr(pl_error_message(), wrong[i].words))
            fail_msg("%s\ngave: %s\nnot:  %s", wrong[i].text, pl_error_message(), wrong[i].words);
        assert_null(world);
        pl_scene_free(scene);
    }
}

static void keys_move(void **state)
{
    (void)state;
    pl_scene *scene;
    pl_world *w;
    good(make(
        "{\"dt\": 0.1, \"shape\": [{\"kind\": \"plane\"}, {\"kind\": \"box\", \"copies\": 2}, {\"kind\": \"mesh\", "
        "\"position\": [1, 2, 3], \"form\": {\"kind\": \"ball\"}, \"keys\": [{\"time\": 0.2}, {\"time\": 0.6, "
        "\"position\": [1, 4, 3], \"rotation\": [0, 90, 0]}]}]}",
        &scene, &w));
    static const float y[] = {2, 2, 2.5f, 3, 3.5f, 4, 4}; // after each of the frames
    for (int i = 0; i < 7; i++)
    {
        pl_shape_def d;
        good(pl_scene_before_step(scene, w));
        good(pl_world_step(w, 0.1f));
        good(pl_get_shape(w, pl_shape_at(w, 3), &d));
        assert_float_equal(d.position.y, y[i], 1e-5f);
        if (i == 3)
            assert_float_equal(d.rotation.y, sin(3.14159265358979 / 8), 1e-5f);
        if (i == 6)
            assert_float_equal(d.rotation.y, sin(3.14159265358979 / 4), 1e-5f);
    }
    pl_world_destroy(w);
    pl_scene_free(scene);
}

// 270 degrees are not -90, and 720 are two turns; around different axes, the shorter way.
static void keys_turn_by_their_angles(void **state)
{
    (void)state;
    static const struct
    {
        const char *from, *to;
        double axis[3], degrees; // half-way
    } turns[] = {
        {"[0, 0, 0]", "[0, 0, 270]", {0, 0, 1}, 135},      {"[0, 0, 270]", "[0, 0, -90]", {0, 0, 1}, 90},
        {"[0, 0, 0]", "[0, 720, 0]", {0, 1, 0}, 360},      {"[0, 30, 0]", "[0, 150, 0]", {0, 1, 0}, 90},
        {"[-100, 0, 0]", "[-300, 0, 0]", {-1, 0, 0}, 200}, {"[90, 0, 0]", "[0, 90, 0]", {1, 1, 0}, 70.528779366}};
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++)
    {
        char text[256];
        pl_scene *scene;
        pl_world *w;
        snprintf(
            text, sizeof text,
            "{\"dt\": 0.1, \"shape\": {\"kind\": \"box\", \"rotation\": %s, \"keys\": [{\"time\": 0}, {\"time\": 1, "
            "\"rotation\": %s}]}}",
            turns[i].from, turns[i].to);
        good(make(text, &scene, &w));
        for (int n = 0; n < 5; n++)
        {
            good(pl_scene_before_step(scene, w));
            good(pl_world_step(w, 0.1f));
        }
        pl_shape_def d;
        good(pl_get_shape(w, pl_shape_at(w, 0), &d));
        double half = turns[i].degrees * 3.14159265358979 / 360.0, size = 0.0, same = (double)d.rotation.w * cos(half);
        const float q[3] = {d.rotation.x, d.rotation.y, d.rotation.z};
        for (int k = 0; k < 3; k++)
            size += turns[i].axis[k] * turns[i].axis[k];
        for (int k = 0; k < 3; k++)
            same += (double)q[k] * sin(half) * turns[i].axis[k] / sqrt(size);
        assert_true(fabs(same) > 1.0 - 1e-6); // q and -q are one rotation
        pl_world_destroy(w);
        pl_scene_free(scene);
    }
}

static void from_files(void **state)
{
    (void)state;
    char folder[] = "/tmp/pliant_shapes_XXXXXX", path[3][64];
    assert_non_null(mkdtemp(folder));
    static const char *const names[] = {"s.json", "hill.txt", "tet.obj"};
    static const char *const texts[] = {
        "{\"shape\": [{\"kind\": \"heightfield\", \"grid\": [3, 2], \"spacing\": 1, \"height_file\": \"hill.txt\"},"
        "{\"kind\": \"mesh\", \"mesh\": \"tet.obj\", \"scale\": 2}]}",
        "0 0.5\t1\n1 .5 0\n", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"};
    for (int i = 0; i < 3; i++)
    {
        snprintf(path[i], sizeof path[i], "%s/%s", folder, names[i]);
        FILE *f = fopen(path[i], "w");
        fputs(texts[i], f);
        fclose(f);
    }
    pl_scene *scene;
    pl_world *w;
    good(pl_scene_load(path[0], NULL, 0, &scene));
    good(pl_scene_world(scene, NULL, &w));
    pl_shape_def d;
    good(pl_get_shape(w, pl_shape_at(w, 0), &d));
    assert_true(d.heights[1] == 0.5f && d.heights[2] == 1.0f && d.heights[5] == 0.0f);
    good(pl_get_shape(w, pl_shape_at(w, 1), &d));
    assert_true(d.vertex_count == 4 && d.vertices[3] == 2.0f);
    pl_world_destroy(w);
    pl_scene_free(scene);
    FILE *f = fopen(path[1], "w");
    fputs("0 1 2 hill", f);
    fclose(f);
    refused(pl_scene_load(path[0], NULL, 0, &scene), PL_ERROR_FORMAT, "value 3 of the file is \"hill\"");
    f = fopen(path[1], "w");
    fputs("0 1 2", f);
    fclose(f);
    refused(pl_scene_load(path[0], NULL, 0, &scene), PL_ERROR_FORMAT, "the file has 3 numbers; expected 3 x 2 heights");
    for (int i = 0; i < 3; i++)
        remove(path[i]);
    rmdir(folder);
}

// "every" is told of the worst, and a mean does not hide it.
static void every_one(void **state)
{
    (void)state;
    pl_scene *scene;
    pl_world *w;
    char report[512];
    int checked, failed;
    good(make("{\"gravity\": [0, 0, 0], \"particles\": {\"name\": \"p\", \"position\": [[0, 1, 0], [0, 5, 0], [0, -1, "
              "0]]}, \"expect\": "
              "{\"at\": [{\"of\": \"p\", \"y\": [0, 2]}, {\"of\": \"p\", \"every\": true, \"y\": [0, 9]}, "
              "{\"of\": \"p\", \"every\": true, \"y\": [-1, 5]}]}}",
              &scene, &w));
    good(pl_scene_expect(scene, w, report, sizeof report, &checked, &failed));
    assert_int_equal(failed, 1);
    assert_non_null(strstr(report, "at p: y of the worst is -1; 0 to 9 was expected"));
    pl_world_destroy(w);
    w = make_world(1, 1); // of another scene: nothing was checked, and nothing of before is left
    refused(pl_scene_expect(scene, w, report, sizeof report, &checked, &failed), PL_ERROR_ARGUMENT, "particles");
    assert_true(checked == 0 && failed == 0 && report[0] == 0);
    pl_world_destroy(w);
    pl_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(refusals), cmocka_unit_test(keys_move),
                                       cmocka_unit_test(keys_turn_by_their_angles), cmocka_unit_test(from_files),
                                       cmocka_unit_test(every_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
