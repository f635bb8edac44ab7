// Rigid bodies on triangle meshes: sliding without bumps, true triangles on static and kinematic bodies.
#include "physics/rigid_floors.h"

#define STEP (1.0f / 60.0f)

static void frames(pl_world *w, int count)
{
    for (int i = 0; i < count; i++)
        good(pl_world_step(w, STEP));
}

// A body that slides without friction over a flat floor of triangles keeps its velocity, whatever the triangles.
static void sliding_feels_no_edges(void **unused)
{
    (void)unused;
    uint64_t seed = 11;
    for (int sort = 0; sort < FLOOR_SORTS; sort++)
        for (int kind = 0; kind < PL_RIGID_MESH; kind++)
        {
            double lift = 0.0, loss = 0.0, turn = 0.0;
            for (int n = 0; n < 4; n++)
            {
                pl_world *w = make_world(4, 1);
                slippery(w);
                add_floor(w, floor_make(sort));
                double a = 3.14159265 * (double)dice(&seed), speed = 2.5;
                pl_vec3 v = {(float)(speed * cos(a)), 0.0f, (float)(speed * sin(a))};
                pl_id id =
                    add_slider(w, kind, (pl_vec3){-0.5f * v.x, 0.1f, -0.5f * v.z}, v, 3.14159265 * (double)dice(&seed));
                for (int f = 0; f < 50; f++)
                {
                    frames(w, 1);
                    pl_rigid_state s = state_of(w, id);
                    lift = fmax(lift, fabs((double)s.velocity.y));
                    loss = fmax(loss, hypot((double)s.velocity.x - v.x, (double)s.velocity.z - v.z));
                    turn = fmax(turn, hypot((double)s.spin.x, (double)s.spin.z));
                }
                pl_world_destroy(w);
            }
            if (!(lift < 1e-3 && loss < 1e-5 && turn < 1e-2)) // a flat cylinder changes the points on its rim
                fail_msg("shape %d on floor %d: rises by %g m/s, loses %g m/s, tips by %g rad/s", kind, sort, lift,
                         loss, turn);
        }
}

// ---- triangles -----------------------------------------------------------------------------------------------------

// A trough along z: two slopes of 45 degrees that meet at the origin, 2 m long and wide, closed below.
static const float trough[24] = {-1, 1, -1, 1, 1, -1, 1, -1, -1, -1, -1, -1, -1, 1, 1, 1, 1, 1, 1, -1, 1, -1, -1, 1};

static pl_id add_mesh(pl_world *w, const float *x, int vertices, const int32_t *t, int triangles, pl_rigid_def d,
                      bool two_sided)
{
    pl_rigid_shape s = pl_default_rigid_shape();
    pl_id id;
    s.kind = PL_RIGID_MESH, s.two_sided = two_sided;
    s.vertices = x, s.vertex_count = vertices, s.triangles = t, s.triangle_count = triangles;
    d.shapes = &s, d.shape_count = 1;
    good(pl_add_rigid(w, &d, &id));
    return id;
}

static pl_id add_trough(pl_world *w, pl_rigid_def d)
{
    // The vertices 8 and 9 are the bottom of the notch.
    static const int32_t t[] = {0, 4, 9, 0, 9, 8, 8, 9, 5, 8, 5, 1, 3, 2, 6, 3, 6, 7, 0, 3, 7, 0, 7, 4,
                                1, 5, 6, 1, 6, 2, 0, 8, 3, 8, 2, 3, 8, 1, 2, 4, 7, 9, 9, 7, 6, 9, 6, 5};
    float x[30];
    memcpy(x, trough, sizeof trough);
    memcpy(x + 24, (float[6]){0, 0, -1, 0, 0, 1}, 6 * sizeof(float));
    return add_mesh(w, x, 10, t, 16, d, false);
}

// A ball in a trough touches both slopes; on the hull of the trough it would lie at the height 1 + r.
static void notches_are_felt(void **unused)
{
    (void)unused;
    for (int type = PL_RIGID_KINEMATIC; type <= PL_RIGID_STATIC; type++)
    {
        pl_world *w = make_world(8, 1);
        pl_rigid_def d = pl_default_rigid_def();
        d.type = (pl_rigid_type)type;
        add_trough(w, d);
        pl_id ball = add_slider(w, PL_RIGID_SPHERE, (pl_vec3){0.05f, 0.5f, 0.1f}, (pl_vec3){0}, 0.0);
        frames(w, 180);
        pl_rigid_state s = state_of(w, ball);
        near_to("height", (double)s.position.y, 0.1 * sqrt(2.0), 1e-3);
        near_to("place", (double)s.position.x, 0.0, 1e-3);
        pl_world_destroy(w);
    }
}

// A dynamic body still collides as its hull.
static void dynamic_meshes_are_hulls(void **unused)
{
    (void)unused;
    pl_world *w = make_world(8, 1);
    pl_rigid_def d = pl_default_rigid_def();
    pl_shape_def plane = pl_default_shape_def();
    good(pl_add_shape(w, &plane, NULL));
    d.position.y = 1.0f;
    pl_id body = add_trough(w, d);
    pl_id ball = add_slider(w, PL_RIGID_SPHERE, (pl_vec3){0.0f, 2.2f, 0.0f}, (pl_vec3){0}, 0.0);
    frames(w, 60);
    near_to("trough", (double)state_of(w, body).position.y, 1.0, 2e-3);
    near_to("ball", (double)state_of(w, ball).position.y, 2.1, 3e-3);
    pl_world_destroy(w);
}

// Kinematic meshes carry what lies on them: up at 0.5 m/s, and around at 1 rad/s.
static void kinematic_meshes_carry(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < PL_RIGID_MESH; kind++)
    {
        pl_world *w = make_world(8, 1);
        pl_material m = pl_default_material();
        pl_rigid_def d = pl_default_rigid_def();
        const floor_mesh *f = floor_make(FLOOR_RANDOM);
        m.static_friction = m.kinetic_friction = 1.0f, m.rolling_friction = 0.05f;
        good(pl_set_material(w, 0, &m));
        d.type = PL_RIGID_KINEMATIC, d.velocity.y = 0.5f, d.spin.y = 1.0f, d.position.y = -5e-4f;
        add_mesh(w, f->x, f->vertices, f->t, f->triangles, d, true);
        pl_id id = add_slider(w, kind, (pl_vec3){0.5f, 0.1f, 0.0f}, (pl_vec3){0.0f, 0.5f, -0.5f}, 0.0);
        pl_rigid_state s = state_of(w, id);
        s.spin.y = 1.0f;
        good(pl_set_rigids(w, &id, 1, &s));
        frames(w, 120);
        s = state_of(w, id);
        near_to("height", (double)s.position.y, 1.1, 1e-3);
        near_to("radius", hypot((double)s.position.x, (double)s.position.z), 0.5, kind == PL_RIGID_SPHERE ? 0.1 : 5e-3);
        pl_world_destroy(w);
    }
}

static void bad_shapes_are_refused(void **unused)
{
    (void)unused;
    pl_world *w = make_world(4, 1);
    pl_rigid_shape s = pl_default_rigid_shape();
    pl_rigid_def d = pl_default_rigid_def();
    static const int32_t one[3] = {0, 1, 2};
    d.shapes = &s, d.shape_count = 1;
    s.hollow = true;
    refused(pl_add_rigid(w, &d, NULL), PL_ERROR_ARGUMENT, "only static and kinematic bodies");
    d.type = PL_RIGID_STATIC, s.hollow = false, s.two_sided = true;
    refused(pl_add_rigid(w, &d, NULL), PL_ERROR_ARGUMENT, "only a mesh may have it");
    d.type = PL_RIGID_DYNAMIC;
    s.kind = PL_RIGID_MESH, s.vertices = trough, s.vertex_count = 8, s.triangles = one, s.triangle_count = 1;
    refused(pl_add_rigid(w, &d, NULL), PL_ERROR_ARGUMENT, "only static and kinematic bodies");
    d.type = PL_RIGID_STATIC, s.vertex_count = 2;
    refused(pl_add_rigid(w, &d, NULL), PL_ERROR_ARGUMENT, "give at least 3");
    s.vertex_count = 8, s.hollow = true;
    refused(pl_add_rigid(w, &d, NULL), PL_ERROR_ARGUMENT, "use a mesh with two_sided");
    s.hollow = s.two_sided = false, s.triangle_count = 1;
    refused(pl_add_rigid(w, &d, NULL), PL_ERROR_ARGUMENT, "at least 4");
    assert_int_equal(pl_world_rigids(w, NULL, 0), 0);
    pl_world_destroy(w);
}

// ---- hollow shapes and sheets --------------------------------------------------------------------------------------

static pl_id add_hollow(pl_world *w, int kind, pl_vec3 spin)
{
    pl_rigid_shape s = pl_default_rigid_shape();
    pl_rigid_def d = pl_default_rigid_def();
    pl_id id;
    s.kind = (pl_rigid_shape_kind)kind, s.hollow = true;
    s.radius = 0.6f, s.length = 0.8f, s.half = (pl_vec3){0.6f, 0.5f, 0.7f};
    if (kind == PL_RIGID_CYLINDER) // its axis is horizontal: a drum
        s.rotation = (pl_quat){0.0f, 0.0f, 0.70710678f, 0.70710678f};
    d.type = PL_RIGID_KINEMATIC, d.shapes = &s, d.shape_count = 1, d.spin = spin;
    good(pl_add_rigid(w, &d, &id));
    return id;
}

// How far the farthest point of the corners of a cube of 0.2 m, or of a ball, is outside.
static double outside(int wall, int kind, pl_rigid_state s)
{
    double worst = -1e9;
    for (int i = 0; i < 8; i++)
    {
        const double half = kind == PL_RIGID_SPHERE ? 0.0 : kind == PL_RIGID_BOX || kind == PL_RIGID_HULL ? 0.1 : 0.0;
        const double corner[3] = {i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half};
        double x[3], out;
        turn_point(s.rotation, corner, x);
        x[0] += (double)s.position.x, x[1] += (double)s.position.y, x[2] += (double)s.position.z;
        double y = fmax(fabs(x[1]) - 0.4, 0.0), side = hypot(x[1], x[2]) - 0.6, end = fabs(x[0]) - 0.4;
        out = wall == PL_RIGID_SPHERE    ? sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) - 0.6
              : wall == PL_RIGID_CAPSULE ? sqrt(x[0] * x[0] + y * y + x[2] * x[2]) - 0.6
              : wall == PL_RIGID_BOX     ? fmax(fmax(fabs(x[0]) - 0.6, fabs(x[1]) - 0.5), fabs(x[2]) - 0.7)
                                         : fmax(side, end);
        worst = fmax(worst, out + (half > 0.0 ? 0.0 : 0.1));
    }
    return worst;
}

static void bodies_stay_inside(void **unused)
{
    (void)unused;
    uint64_t seed = 5;
    for (int wall = 0; wall < PL_RIGID_HULL; wall++)
        for (int kind = 0; kind < PL_RIGID_MESH; kind++)
        {
            pl_world *w = make_world(4, 1);
            double worst = -1.0;
            add_hollow(w, wall, (pl_vec3){0});
            pl_id id = add_slider(w, kind, (pl_vec3){0.05f, 0.0f, 0.03f},
                                  (pl_vec3){8.0f * dice(&seed), 8.0f * dice(&seed), 8.0f * dice(&seed)}, 0.3);
            for (int f = 0; f < 150; f++)
            {
                frames(w, 1);
                worst = fmax(worst, outside(wall, kind, state_of(w, id)));
            }
            if (!(worst < 0.01))
                fail_msg("shape %d is %g m outside of the hollow shape %d", kind, worst, wall);

            pl_world_destroy(w);
        }
}

// Balls in a drum that rotates are lifted on one side and stay inside; a ball beside the drum is left alone.
static void drums_tumble(void **unused)
{
    (void)unused;
    pl_world *w = make_world(8, 1);
    pl_material m = pl_default_material();
    pl_id id[12];
    m.static_friction = m.kinetic_friction = 0.8f, m.rolling_friction = 0.02f;
    good(pl_set_material(w, 0, &m));
    add_hollow(w, PL_RIGID_CYLINDER, (pl_vec3){2.0f, 0.0f, 0.0f});
    for (int i = 0; i < 12; i++)
        id[i] = add_slider(w, PL_RIGID_SPHERE,
                           (pl_vec3){-0.25f + 0.25f * (float)(i % 3), -0.25f + 0.25f * (float)(i / 6),
                                     -0.12f + 0.24f * (float)(i / 3 % 2)},
                           (pl_vec3){0}, 0.0);
    frames(w, 180);
    double middle = 0.0;
    for (int i = 0; i < 12; i++)
    {
        pl_rigid_state s = state_of(w, id[i]);
        middle += (double)s.position.z / 12.0;
        below("the way out of the drum", outside(PL_RIGID_CYLINDER, PL_RIGID_SPHERE, s), 5e-3);
    }
    assert_true(middle < -0.03); // the wall moves towards -z at the bottom
    pl_world_destroy(w);
}

// A two-sided plane carries from above, and stops from below.
static void sheets_have_two_sides(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < PL_RIGID_MESH; kind++)
        for (int below_it = 0; below_it < 2; below_it++)
        {
            pl_world *w = make_world(8, 1);
            pl_shape_def sheet = pl_default_shape_def();
            sheet.two_sided = true, sheet.radius = 0.01f;
            good(pl_add_shape(w, &sheet, NULL));
            if (below_it)
                set_gravity(w, 9.81f);
            pl_id id = add_slider(w, kind, (pl_vec3){0.0f, below_it ? -0.4f : 0.4f, 0.0f}, (pl_vec3){0}, 0.0);
            frames(w, 90);
            near_to("height", (double)state_of(w, id).position.y, below_it ? -0.11 : 0.11, 1e-3);
            pl_world_destroy(w);
        }
}

// A hollow sphere of the world.
static void hollow_world_shapes(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < 2; kind++)
    {
        pl_world *w = make_world(8, 1);
        pl_shape_def room = pl_default_shape_def();
        room.kind = kind ? PL_SHAPE_CAPSULE : PL_SHAPE_SPHERE, room.radius = 0.6f, room.length = 0.8f,
        room.inside = true;
        good(pl_add_shape(w, &room, NULL));
        pl_id id = add_slider(w, PL_RIGID_SPHERE, (pl_vec3){0.1f, 0.0f, 0.0f}, (pl_vec3){3.0f, 0.0f, 1.0f}, 0.0);
        frames(w, 120);
        pl_rigid_state s = state_of(w, id);
        below("the way out", outside(kind, PL_RIGID_SPHERE, s), 2e-3);
        pl_world_destroy(w);
    }
}

// ---- bits ----------------------------------------------------------------------------------------------------------

// The same bits on other lanes and threads, and after snapshots.
static void bits_are_equal(void **unused)
{
    (void)unused;
    uint64_t hash = 0;
    for (int how = 0; how < 4; how++)
    {
        pl_world *w = make_world(4, 1);
        pl_rigid_def d = pl_default_rigid_def();
        add_floor(w, floor_make(FLOOR_JUNCTIONS));
        d.type = PL_RIGID_KINEMATIC, d.spin.y = 0.7f, d.position.y = 1.1f;
        for (int i = 0; i < 10; i++)
            add_slider(w, i % PL_RIGID_MESH, (pl_vec3){0.2f * (float)(i % 3) - 0.2f, 1.6f + 0.3f * (float)i, 0.1f},
                       (pl_vec3){0}, 0.3 * i);
        add_trough(w, d);
        add_hollow(w, PL_RIGID_CYLINDER, (pl_vec3){1.0f, 0.0f, 0.0f});
        good(pl_world_set_workers(w, 1 + how % 2, how < 2 ? 1 : 0));
        for (int f = 0; f < 60; f++)
        {
            frames(w, 1);
            if (how == 3 && f % 7 == 3)
            {
                void *data;
                size_t size;
                pl_world_def def = pl_default_world_def();
                good(pl_world_save_memory(w, &data, &size));
                pl_world_destroy(w);
                good(pl_world_load_memory(&def, data, size, &w));
                pl_free(data);
            }
        }
        if (how == 0)
            hash = pl_world_hash(w);
        assert_true(pl_world_hash(w) == hash);
        pl_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sliding_feels_no_edges),
        cmocka_unit_test(notches_are_felt),
        cmocka_unit_test(dynamic_meshes_are_hulls),
        cmocka_unit_test(kinematic_meshes_carry),
        cmocka_unit_test(bad_shapes_are_refused),
        cmocka_unit_test(bodies_stay_inside),
        cmocka_unit_test(drums_tumble),
        cmocka_unit_test(sheets_have_two_sides),
        cmocka_unit_test(hollow_world_shapes),
        cmocka_unit_test(bits_are_equal),
    };
    return cmocka_run_group_tests_name("rigid meshes", tests, NULL, NULL);
}
