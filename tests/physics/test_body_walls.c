// test_body_walls.c: particles against the triangle meshes and hollow shapes of static and kinematic bodies.
#include "physics/body_particles.h"

static pl_id add_wall(pl_world *w, const pl_rigid_shape *shape, pl_quat turn, pl_rigid_type type)
{
    pl_rigid_def def = pl_default_rigid_def();
    pl_id id;
    def.shapes = shape, def.shape_count = 1, def.rotation = turn, def.type = type;
    good(pl_add_rigid(w, &def, &id));
    return id;
}

// A box of triangles.
static pl_id add_mesh_box(pl_world *w, pl_vec3 size, pl_quat turn, pl_rigid_type type)
{
    pl_mesh_def form = pl_default_mesh_def();
    pl_rigid_shape shape = pl_default_rigid_shape();
    pl_mesh mesh = {0};
    form.shape = "box", form.size = size;
    good(pl_mesh_make(&form, &mesh));
    shape.kind = PL_RIGID_MESH, shape.vertices = mesh.vertices, shape.vertex_count = mesh.vertex_count;
    shape.triangles = mesh.triangles, shape.triangle_count = mesh.triangle_count;
    pl_id id = add_wall(w, &shape, turn, type);
    pl_mesh_free(&mesh);
    return id;
}

static const pl_quat upright = {0.0f, 0.0f, 0.0f, 1.0f};

// ---- meshes --------------------------------------------------------------------------------------------------------

static void meshes_carry_and_rub(void **unused)
{
    (void)unused;
    const double degree = 3.14159265358979 / 180.0, hold = atan(0.5), off[] = {-1.0, 10.0};
    for (int i = 0; i < 4; i++)
    {
        double a = hold + off[i % 2] * degree;
        pl_world *w = make_world(8, 1);
        set_friction(w, 0.5f, 0.0f);
        add_mesh_box(w, (pl_vec3){40.0f, 1.0f, 2.0f}, about_z(-a), i < 2 ? PL_RIGID_STATIC : PL_RIGID_KINEMATIC);
        int n = add_ball(w, (pl_vec3){(float)(0.6 * sin(a)), (float)(0.6 * cos(a)), 0.03f}, (pl_vec3){0}, 0.3f, 0.1f);
        play(w, 20);
        pl_vec3 from = value_of(w, PL_ATTRIBUTE_VELOCITY, n), at = value_of(w, PL_ATTRIBUTE_POSITION, n);
        play(w, 60);
        pl_vec3 to = value_of(w, PL_ATTRIBUTE_VELOCITY, n), there = value_of(w, PL_ATTRIBUTE_POSITION, n);
        double exact = GRAVITY * (sin(a) - 0.5 * cos(a)), gain = size_of(to) - size_of(from);
        if (off[i % 2] < 0.0)
            below("how far it slips", size_of((pl_vec3){there.x - at.x, there.y - at.y, there.z - at.z}), 1e-5);
        else
            near_to("the acceleration", gain, exact, 2e-3 * exact);
        pl_world_destroy(w);
    }
}

// A plate of triangles rises: what lies on it rises at its speed. A fast ball does not pass.
static void meshes_move(void **unused)
{
    (void)unused;
    pl_world *w = make_world(8, 1);
    pl_id plate = add_mesh_box(w, (pl_vec3){2.0f, 0.1f, 2.0f}, upright, PL_RIGID_KINEMATIC);
    int n = add_ball(w, (pl_vec3){0.2f, 0.15f, 0.1f}, (pl_vec3){0}, 1.0f, 0.1f);
    int fast = add_ball(w, (pl_vec3){-0.5f, 1.0f, 0.1f}, (pl_vec3){0.0f, -80.0f, 0.0f}, 0.1f, 0.02f);
    pl_rigid_state s = state_of(w, plate);
    s.velocity.y = 0.5f;
    good(pl_set_rigids(w, &plate, 1, &s));
    play(w, 60);
    near_to("the height of the ball over the plate",
            (double)(value_of(w, PL_ATTRIBUTE_POSITION, n).y - state_of(w, plate).position.y), 0.15, 1e-3);
    near_to("its speed", (double)value_of(w, PL_ATTRIBUTE_VELOCITY, n).y, 0.5, 1e-3);
    assert_true(value_of(w, PL_ATTRIBUTE_POSITION, fast).y > state_of(w, plate).position.y);
    pl_world_destroy(w);
}

// ---- hollow shapes -------------------------------------------------------------------------------------------------

// A ball comes to rest at the bottom of each, as deep as its form says; one outside falls past.
static void hollow_shapes_hold(void **unused)
{
    (void)unused;
    const struct
    {
        pl_rigid_shape_kind kind;
        double bottom;
    } cases[] = {{PL_RIGID_SPHERE, -0.5}, {PL_RIGID_CAPSULE, -0.8}, {PL_RIGID_BOX, -0.4}, {PL_RIGID_CYLINDER, -0.3}};
    for (int i = 0; i < 8; i++)
    {
        pl_world *w = make_world(8, 1);
        pl_rigid_shape shape = pl_default_rigid_shape();
        shape.kind = cases[i % 4].kind, shape.hollow = true, shape.radius = 0.5f, shape.length = 0.6f;
        shape.half = (pl_vec3){0.5f, 0.4f, 0.5f};
        set_friction(w, 0.1f, 0.0f);
        add_wall(w, &shape, upright, i < 4 ? PL_RIGID_STATIC : PL_RIGID_KINEMATIC);
        int n = add_ball(w, (pl_vec3){0.0f, 0.1f, 0.0f}, (pl_vec3){0.0f, -20.0f, 0.0f}, 0.3f, 0.05f);
        int out = add_ball(w, (pl_vec3){0.65f, 0.1f, 0.0f}, (pl_vec3){0}, 0.3f, 0.05f);
        play(w, 120);
        near_to("the height of the ball", (double)value_of(w, PL_ATTRIBUTE_POSITION, n).y, cases[i % 4].bottom + 0.05,
                2e-3);
        below("the height of the ball outside", (double)value_of(w, PL_ATTRIBUTE_POSITION, out).y, -5.0);
        pl_world_destroy(w);
    }
}

// A drum with grains in it turns for a while: all of them stay in it.
static uint64_t drum(int threads, int lanes, bool saved, double *farthest)
{
    pl_world_def def = small_def(8, 1);
    pl_world *w = NULL;
    pl_rigid_shape shape = pl_default_rigid_shape();
    def.threads = threads, def.lanes = lanes;
    good(pl_world_create(&def, &w));
    shape.kind = PL_RIGID_CYLINDER, shape.hollow = true, shape.radius = 0.6f, shape.length = 0.5f;
    pl_id id = add_wall(w, &shape, (pl_quat){0.70710678f, 0.0f, 0.0f, 0.70710678f}, PL_RIGID_KINEMATIC);
    pl_rigid_state s = state_of(w, id);
    s.spin.z = 3.0f;
    good(pl_set_rigids(w, &id, 1, &s));
    set_friction(w, 0.5f, 0.2f);
    add_mesh_box(w, (pl_vec3){0.2f, 0.2f, 0.2f}, upright, PL_RIGID_STATIC);
    int first = add_bed(w, 4, 3, 0.05f, 0.1f);
    for (int i = first; i < first + 48; i++)
    {
        pl_vec3 x = value_of(w, PL_ATTRIBUTE_POSITION, i);
        x.x += 0.3f;
        good(pl_set(w, PL_ATTRIBUTE_POSITION, i, 1, &x.x));
    }
    for (int frame = 0; frame < 60; frame++)
    {
        play(w, 1);
        if (saved && frame % 20 == 15)
        {
            void *bytes = NULL;
            size_t size = 0;
            good(pl_world_save_memory(w, &bytes, &size));
            pl_world_destroy(w);
            good(pl_world_load_memory(&def, bytes, size, &w));
            pl_free(bytes);
        }
    }
    for (int i = first; i < first + 48; i++)
    {
        pl_vec3 x = value_of(w, PL_ATTRIBUTE_POSITION, i);
        *farthest = fmax(*farthest, fmax(hypot((double)x.x, (double)x.y) / 0.55, fabs((double)x.z) / 0.2));
    }
    uint64_t hash = pl_world_hash(w);
    pl_world_destroy(w);
    return hash;
}

static void a_drum_keeps_its_grains(void **unused)
{
    (void)unused;
    double farthest = 0.0;
    uint64_t wanted = drum(1, 1, false, &farthest);
    print_message("grains are at most at %.4f of the wall\n", farthest);
    below("the farthest grain, over the wall", farthest, 1.02);
    assert_true(drum(1, 1, true, &farthest) == wanted);
    for (const int *lanes = pl_lane_widths(); *lanes; lanes++)
        assert_true(drum(2, *lanes, false, &farthest) == wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_carry_and_rub),
        cmocka_unit_test(meshes_move),
        cmocka_unit_test(hollow_shapes_hold),
        cmocka_unit_test(a_drum_keeps_its_grains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
