// test_solids.c: particles on hulls, meshes, distance fields and ground: they slide as on a plane, rest where they should, are carried,
// and go on after a snapshot as if nothing had been.
#include "solids.h"

static const form ball = {FORM_BALL, {2, 2, 2}, 0, {48, 32}, NULL, 0},
                  bowl = {FORM_BOWL, {2, 2, 2}, 0.2f, {32, 16}, NULL, 0};

// A finely cut mesh, level ground and a plane are the same to what slides over them.
static void slides_as_on_a_plane(void **state)
{
    (void)state;
    double end[3], height[3];
    for (int k = 0; k < 3; k++)
    {
        pl_world *w = make_world(8, 2);
        frictions(w, 0.3, 0.2, 0, 0);
        made m = k == 1 ? make_form(PL_SHAPE_MESH, (form){FORM_SHEET, {8, 0, 8}, 0, {163, 171}, NULL, 0})
                        : make_waves(160, 0.05, 0.0);
        m.def.two_sided = k == 1;
        if (k == 0)
            add_plane(w, (pl_vec3){0, 0, 0}, 0, 1, 0);
        else
            add_made(w, &m);
        if (k == 0)
            forget(&m);
        double lift = k == 1 ? 5e-4 : 0.0; // half the sheet's thickness
        const float x[3] = {-2, (float)(0.1 + lift), 0.013f};
        add_grains(w, 1, x, NULL, 0.1);
        set_velocity(w, 0, 3, 0, 0.4);
        steps(w, 60, 1.0 / 60);
        float at[3];
        good(pl_get(w, PL_ATTRIBUTE_POSITION, 0, 1, at));
        end[k] = (double)at[0];
        height[k] = (double)at[1] - lift;
        pl_world_destroy(w);
    }
    near("on a mesh", end[1], end[0], 1e-4);
    near("on ground", end[2], end[0], 1e-4);
    near("height on a mesh", height[1], height[0], 2e-6);
    near("height on ground", height[2], height[0], 2e-6);
    assert_true(end[0] > -0.5);
}

// On top of each kind of ball a grain rests, and the ball feels its weight.
static void rests_on_top(void **state)
{
    (void)state;
    static const pl_shape_kind kinds[] = {PL_SHAPE_HULL, PL_SHAPE_MESH, PL_SHAPE_SDF};
    for (int k = 0; k < 3; k++)
    {
        pl_world *w = make_world(10, 2);
        frictions(w, 0.9, 0.9, 0, 0);
        made m = make_form(kinds[k], ball);
        m.def.spacing = 0.04f;
        pl_id id = add_made(w, &m);
        const float x[3] = {0.001f, 1.15f, 0}, mass[1] = {2};
        add_grains(w, 1, x, mass, 0.1);
        steps(w, 120, 1.0 / 60);
        float at[3];
        good(pl_get(w, PL_ATTRIBUTE_POSITION, 0, 1, at));
        near("height", (double)at[1], 1.1, 0.005); // a pole is a corner; its distance field is blunt by a spacing
        double weight = 0.0; // in each substep it is a whole number of steps of 1.1 m, each 0.09 N: 2 kg 1.2e-7 m/h^2
        for (int frame = 0; frame < 60; frame++)
        {
            pl_vec3 force, torque;
            steps(w, 1, 1.0 / 60);
            good(pl_shape_force(w, id, &force, &torque));
            weight += (double)force.y / 60.0;
        }
        near("weight", weight, -2 * 9.81, 0.03);
        pl_world_destroy(w);
    }
}

// In a groove of two walls a grain lies still on both, and each carries its share.
static void lies_in_a_groove(void **state)
{
    (void)state;
    const float corners[] = {-1, 1, -1, -1, 1, 1, 0, 0, -1, 0, 0, 1, 1, 1, -1, 1, 1, 1};
    const int32_t faces[] = {0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5};
    for (int substeps = 2; substeps <= 16; substeps *= 2)
    {
        pl_world *w = make_world(substeps, 2);
        frictions(w, 0, 0, 0, 0);
        pl_shape_def def = pl_default_shape_def();
        def.kind = PL_SHAPE_MESH;
        def.two_sided = true;
        def.vertices = corners, def.vertex_count = 6;
        def.triangles = faces, def.triangle_count = 4;
        pl_id id;
        good(pl_add_shape(w, &def, &id));
        const float x[3] = {0.05f, 0.3f, 0};
        add_grains(w, 1, x, NULL, 0.1);
        steps(w, 240, 1.0 / 60);
        double height = (0.1 + 5e-4) * sqrt(2.0);
        float at[3];
        good(pl_get(w, PL_ATTRIBUTE_POSITION, 0, 1, at));
        near("middle", (double)at[0], 0.0, 1e-3);
        near("height", (double)at[1], height, 1e-3);
        pl_vec3 v = velocity_of(w, 0), force, torque;
        assert_true(fabsf(v.x) < 1e-3f && fabsf(v.y) < 1e-3f);
        good(pl_shape_force(w, id, &force, &torque));
        near("weight", (double)force.y, -9.81, 0.05);
        near("side", (double)force.x, 0.0, 0.05);
        pl_world_destroy(w);
    }
}

// A turning mesh takes along what lies on it: v = spin x r.
static void is_carried(void **state)
{
    (void)state;
    pl_world *w = make_world(10, 2);
    frictions(w, 1, 1, 0, 0);
    made m = make_form(PL_SHAPE_MESH, (form){FORM_SHEET, {4, 0, 4}, 0, {31, 29}, NULL, 0});
    m.def.two_sided = true;
    m.def.spin = (pl_vec3){0, 1, 0};
    add_made(w, &m);
    const float x[3] = {0.5f, 0.1005f, 0};
    add_grains(w, 1, x, NULL, 0.1);
    set_velocity(w, 0, 0, 0, -0.5);
    steps(w, 60, 1.0 / 60);
    float at[3];
    good(pl_get(w, PL_ATTRIBUTE_POSITION, 0, 1, at));
    near("x", (double)at[0], 0.5 * cos(1.0), 5e-3);
    near("z", (double)at[2], -0.5 * sin(1.0), 5e-3);
    pl_world_destroy(w);
}

// A wall of any kind that comes along pushes at its own speed.
static void is_pushed(void **state)
{
    (void)state;
    static const pl_shape_kind kinds[] = {PL_SHAPE_HULL, PL_SHAPE_MESH, PL_SHAPE_SDF};
    for (int k = 0; k < 3; k++)
    {
        pl_world *w = make_world(8, 1);
        weightless(w);
        made m = make_form(kinds[k], ball);
        m.def.spacing = 0.05f;
        m.def.velocity = (pl_vec3){2, 0, 0};
        add_made(w, &m);
        const float x[3] = {1.3f, 0, 0};
        add_grains(w, 1, x, NULL, 0.1);
        steps(w, 60, 1.0 / 60);
        near("speed", (double)velocity_of(w, 0).x, 2.0, 0.02);
        pl_world_destroy(w);
    }
}

static pl_world *busy(int threads, int lanes)
{
    pl_world_def def = pl_default_world_def();
    def.threads = threads;
    def.lanes = lanes;
    def.settings.substeps = 4;
    pl_world *w;
    good(pl_world_create(&def, &w));
    frictions(w, 0.5, 0.4, 0.2, 0);
    float x[3 * 150];
    for (int i = 0; i < 150; i++)
    {
        x[3 * i] = 1.2f * jitter(i, 0), x[3 * i + 1] = 0.8f + 2.0f * (jitter(i, 1) + 0.5f),
              x[3 * i + 2] = 1.2f * jitter(i, 2);
    }
    add_grains(w, 150, x, NULL, 0.06);
    made m = make_form(PL_SHAPE_MESH, bowl);
    m.def.position.y = 1.0f;
    add_made(w, &m);
    m = make_waves(40, 0.2, 0.2);
    m.def.position.y = -1.0f;
    add_made(w, &m);
    m = make_form(PL_SHAPE_SDF, (form){FORM_TORUS, {1, 0.3f, 0}, 0, {20, 10}, NULL, 0});
    m.def.position = (pl_vec3){0.3f, 0.6f, 0};
    m.def.spin = (pl_vec3){0, 0, 3};
    m.def.spacing = 0.04f;
    add_made(w, &m);
    m = make_form(PL_SHAPE_HULL, (form){FORM_BALL, {0.4f, 0.4f, 0.4f}, 0, {5, 4}, NULL, 0});
    m.def.position = (pl_vec3){-0.3f, 0.4f, 0.2f};
    add_made(w, &m);
    return w;
}

static void same_everywhere(void **state)
{
    (void)state;
    pl_world *one = busy(1, 1);
    steps(one, 60, 1.0 / 60);
    for (int k = 0; k < 3; k++)
    {
        pl_world *w = busy(k + 1, k == 0 ? 4 : k == 1 ? 8 : 1);
        steps(w, 60, 1.0 / 60);
        assert_true(pl_world_hash(w) == pl_world_hash(one));
        pl_world_destroy(w);
    }
    pl_world_destroy(one);
}

static void resumes(void **state)
{
    (void)state;
    for (int frames = 5; frames <= 65; frames += 30)
    {
        pl_world *w = busy(1, 0), *again;
        steps(w, frames, 1.0 / 60);
        void *data;
        size_t size;
        good(pl_world_save_memory(w, &data, &size));
        pl_world_def def = pl_default_world_def();
        good(pl_world_load_memory(&def, data, size, &again));
        pl_free(data);
        steps(w, 40, 1.0 / 60);
        steps(again, 40, 1.0 / 60);
        assert_true(pl_world_hash(w) == pl_world_hash(again));
        pl_world_destroy(w);
        pl_world_destroy(again);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(slides_as_on_a_plane),
                                       cmocka_unit_test(rests_on_top),
                                       cmocka_unit_test(lies_in_a_groove),
                                       cmocka_unit_test(is_carried),
                                       cmocka_unit_test(is_pushed),
                                       cmocka_unit_test(same_everywhere),
                                       cmocka_unit_test(resumes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
