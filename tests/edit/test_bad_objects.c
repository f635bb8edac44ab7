// Objects that are refused, with which words, and that nothing changed.
#include "edit/refusals.h"

static void objects(void **state)
{
    (void)state;
    pl_id id = {0};
#define CLOTH(words, ...)                                                                                              \
    do                                                                                                                 \
    {                                                                                                                  \
        pl_cloth_def d = pl_default_cloth_def();                                                                       \
        __VA_ARGS__;                                                                                                   \
        REFUSED(pl_add_cloth(w, &d, &id), words);                                                                      \
    }                                                                                                                  \
    while (0)
    const int32_t wrong = 400, three[9] = {0, 1, 2, 0, 1, 3, 0, 1, 4}, out[3] = {0, 1, 9}, twice[3] = {0, 1, 1};
    const float points[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1}, line[9] = {0, 0, 0, 1, 0, 0, 2, 0, 0};
    const float hole[9] = {0, 0, 0, 1, 0, 0, 0, NAN, 0};
    CLOTH("the grid is 1 x 20", d.columns = 1);
    CLOTH("the grid is 100000 x 100000", d.columns = d.rows = 100000);
    CLOTH("mass is 0", d.mass = 0);
    CLOTH("mass is", d.mass = NAN);
    CLOTH("pinned particle 400", d.pinned = &wrong; d.pinned_count = 1);
    CLOTH("pinned_count is 2", d.pinned_count = 2);
    CLOTH("pinned_count is -1", d.pinned_count = -1; d.tethers = true);
    CLOTH("tether_slack is", d.tether_slack = NAN);
    CLOTH("bending is 9", d.bending = (pl_bending)9);
    CLOTH("which span no area", d.u = (pl_vec3){0});
    CLOTH("u is (2, 4, 6) and v is (1, 2, 3), which span no area", d.u = (pl_vec3){2, 4, 6}; d.v = (pl_vec3){1, 2, 3});
    CLOTH("triangles are NULL", d.vertices = points; d.vertex_count = 5; d.triangle_count = 3);
    CLOTH("position of particle", d.origin.x = NAN);
    CLOTH("compliance is -1", d.bend.compliance = -1); // found late: the links are in already
    CLOTH("drag is -1", d.drag = -1);
    CLOTH("0 vertices", d.vertices = points; d.triangles = three);
    CLOTH("triangle 0 names vertex 9", d.vertices = points; d.vertex_count = 5; d.triangles = out;
          d.triangle_count = 1);
    CLOTH("belongs to 3 triangles", d.vertices = points; d.vertex_count = 5; d.triangles = three; d.triangle_count = 3);
    CLOTH("no area", d.vertices = line; d.vertex_count = 3; d.triangles = three; d.triangle_count = 1);
    CLOTH("triangle 0", d.vertices = points; d.vertex_count = 5; d.triangles = twice; d.triangle_count = 1);
    CLOTH("triangle 0", d.vertices = hole; d.vertex_count = 3; d.triangles = three; d.triangle_count = 1);
#undef CLOTH
#define ROPE(words, ...)                                                                                               \
    do                                                                                                                 \
    {                                                                                                                  \
        pl_rope_def d = pl_default_rope_def();                                                                         \
        __VA_ARGS__;                                                                                                   \
        REFUSED(pl_add_rope(w, &d, &id), words);                                                                       \
    }                                                                                                                  \
    while (0)
    ROPE("segments is 0", d.segments = 0);
    ROPE("segments is 2147483647", d.segments = INT32_MAX);
    ROPE("mass is -1", d.mass = -1);
    ROPE("length is", d.length = NAN);
    ROPE("rest is 0", d.to = d.from);
    ROPE("not finite", d.to.x = INFINITY);
    ROPE("damping is", d.bending = true; d.bend.damping = NAN);
#undef ROPE
#define BAR(words, ...)                                                                                                \
    do                                                                                                                 \
    {                                                                                                                  \
        pl_bar_def d = pl_default_bar_def();                                                                           \
        __VA_ARGS__;                                                                                                   \
        REFUSED(pl_add_bar(w, &d, &id), words);                                                                        \
    }                                                                                                                  \
    while (0)
    BAR("cells are 0 x", d.cells[0] = 0);
    BAR("cells are", d.cells[0] = d.cells[1] = d.cells[2] = 100000);
    BAR("size is", d.size.y = 0);
    BAR("size is", d.size.z = NAN);
    BAR("mass is", d.mass = INFINITY);
    BAR("stiffness is 2", d.volume.stiffness = 2);
    BAR("rest is", d.size = ((pl_vec3){1e-20f, 1e-20f, 1e-20f})); // no volume in float32
#undef BAR
    assert_int_equal(id.index, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(objects, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("bad objects", tests, NULL, NULL);
}
