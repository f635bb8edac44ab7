// test_bodies.c: rigid bodies are drawn as their shapes: the size and the volume of the meshes, sharp edges, one mesh for all
// shapes that may share it, colours, the ground, and glass.
// labels: viewer
// needs: viewer
#include "support/support.h"

#include "rigid_world.h"
#include "studio.h"

static const float octahedron[18] = {0.6f, 0, 0, -0.6f, 0, 0, 0, 0.5f, 0, 0, -0.5f, 0, 0, 0, 0.4f, 0, 0, -0.4f};

// ---- meshes --------------------------------------------------------------------------------------------------------

// The volume of all shapes in the axes of their bodies, with normals of length 1 that lean outwards.
static double volume_of(const struct bodies *b)
{
    double volume = 0.0;
    for (int i = 0; i < b->shapes; i++)
    {
        const struct body_shape *s = &b->shape[i];
        const struct body_mesh *m = &b->mesh[s->mesh];
        for (int k = 0; k < m->indices; k += 3)
        {
            vec3 x[3], n = v3(0.0f, 0.0f, 0.0f);
            for (int c = 0; c < 3; c++)
            {
                assert_true((int)b->index[m->first_index + k + c] < m->vertices);
                const struct body_vertex *v = &b->vertex[m->first_vertex + (int)b->index[m->first_index + k + c]];
                assert_true(fabsf(length(v3_at(v->normal)) - 1.0f) < 1e-5f);
                x[c] = body_vertex_at(v, s);
                n = add(n, v3_at(v->normal));
            }
            vec3 across_it = cross(sub(x[1], x[0]), sub(x[2], x[0]));
            assert_true(dot(across_it, n) > 0.0f);
            volume += (double)dot(x[0], cross(x[1], x[2])) / 6.0;
        }
    }
    return volume;
}

static void every_kind_has_its_size(void **state)
{
    (void)state;
    for (int kind = 0; kind < PL_RIGID_SHAPE_KIND_COUNT; kind++)
    {
        pl_world *world = make_world(1, 1);
        pl_rigid_shape s = shape_of((pl_rigid_shape_kind)kind);
        int32_t triangles[24];
        int vertices, count;
        pl_rigid_shape hull = shape_of(PL_RIGID_HULL);
        s.vertices = hull.vertices = octahedron, s.vertex_count = hull.vertex_count = 6;
        float sorted[18];
        good(pl_rigid_shape_mesh(&hull, 8, sorted, &vertices, triangles, &count));
        assert_int_equal(count, 8);
        s.triangles = triangles, s.triangle_count = 8;
        s.vertices = kind == PL_RIGID_MESH ? sorted : octahedron;
        add_body(world, PL_RIGID_DYNAMIC, &s, 1, (pl_vec3){1.0f, 2.0f, 3.0f});
        pl_mass_properties mass;
        good(pl_rigid_mass(&s, 1, &mass));
        struct bodies b;
        sure(bodies_take(&b, world));
        print_message("%d: %d vertices\n", kind, b.vertices);
        near_to("volume", volume_of(&b) / (double)mass.mass * 1000.0, 1.0, kind == PL_RIGID_BOX ? 1e-5 : 8e-3);
        // Three vertices at each corner of a box; a flat side has its own, a round one shares them.
        assert_true(kind != PL_RIGID_BOX || b.vertices == 24);
        assert_true(kind != PL_RIGID_HULL || b.vertices == 24);
        assert_true(kind != PL_RIGID_CYLINDER || b.vertices == 4 * 48 + 2);
        assert_true(kind != PL_RIGID_SPHERE || b.vertices == 48 * 23 + 2);
        bodies_free(&b);
        pl_world_destroy(world);
    }
}

static void alike_share_a_mesh(void **state)
{
    (void)state;
    pl_world *world = make_world(1, 1);
    pl_rigid_shape parts[3] = {shape_of(PL_RIGID_BOX), shape_of(PL_RIGID_CAPSULE), shape_of(PL_RIGID_HULL)};
    float other[18];
    memcpy(other, octahedron, sizeof other);
    other[0] = 0.7f;
    parts[2].vertices = octahedron, parts[2].vertex_count = 6;
    for (int i = 0; i < 5; i++)
    {
        parts[0].half.x = 0.1f * (float)(i + 1);
        parts[1].length = 0.2f * (float)i;
        add_body(world, PL_RIGID_DYNAMIC, parts, 3, (pl_vec3){(float)i, 0.0f, 0.0f});
    }
    parts[2].vertices = other;
    add_body(world, PL_RIGID_DYNAMIC, parts + 2, 1, (pl_vec3){9.0f, 0.0f, 0.0f});
    struct bodies b;
    sure(bodies_take(&b, world));
    assert_int_equal(b.count, 6);
    assert_int_equal(b.shapes, 16);
    assert_int_equal(b.meshes, 4);
    int seen = 0;
    for (int i = 0; i < b.meshes; i++)
    {
        assert_int_equal(b.mesh[i].first_shape, seen);
        seen += b.mesh[i].shapes;
    }
    assert_int_equal(seen, 16);
    bodies_free(&b);
    pl_world_destroy(world);
}

// ---- pictures ------------------------------------------------------------------------------------------------------

// A box fills its corners; the ellipsoid of its inertia would not.
static void a_box_has_corners(void **state)
{
    (void)state;
    pl_world *world = make_world(1, 1);
    add_shaped(world, PL_RIGID_BOX, 0.0f, 1.0f, 0.0f);
    static struct studio s;
    open_studio(&s, world);
    s.camera = (struct camera){.eye = v3(0.0f, 1.0f, 4.0f), .target = v3(0.0f, 1.0f, 0.0f), .fov = 35.0f};
    draw(&s, world);
    assert_int_equal(s.model.ellipsoids, 0);
    assert_int_equal(s.model.spheres, 0);
    for (int i = 0; i < 4; i++)
    {
        float x = i & 1 ? 1.0f : -1.0f, y = i & 2 ? 1.0f : -1.0f;
        assert_int_equal(main_channel(pixel(&s, v3(0.48f * x, 1.0f + 0.38f * y, 0.3f))), 0);
        assert_int_equal(main_channel(pixel(&s, v3(0.53f * x, 1.0f + 0.38f * y, 0.3f))), -1);
        assert_int_equal(main_channel(pixel(&s, v3(0.48f * x, 1.0f + 0.43f * y, 0.3f))), -1);
    }
    close_studio(&s);
    pl_world_destroy(world);
}

// The picture follows the pose, and a body casts a shadow.
static void it_is_where_its_pose_is(void **state)
{
    (void)state;
    pl_world *world = make_world(1, 1);
    pl_rigid_shape long_one = shape_of(PL_RIGID_CYLINDER);
    long_one.radius = 0.1f, long_one.length = 2.0f;
    pl_id id = add_body(world, PL_RIGID_DYNAMIC, &long_one, 1, (pl_vec3){0.0f, 1.2f, 0.0f});
    static struct studio s;
    open_studio(&s, world);
    s.camera = (struct camera){.eye = v3(0.0f, 2.0f, 6.0f), .target = v3(0.0f, 1.0f, 0.0f), .fov = 35.0f};
    draw(&s, world);
    assert_int_equal(main_channel(pixel(&s, v3(0.0f, 2.1f, 0.0f))), 0);
    assert_int_equal(main_channel(pixel(&s, v3(0.9f, 1.2f, 0.0f))), -1);
    turn_body(world, id, (pl_quat){0.0f, 0.0f, 0.70710678f, 0.70710678f});
    draw(&s, world);
    assert_int_equal(main_channel(pixel(&s, v3(0.0f, 2.1f, 0.0f))), -1);
    assert_int_equal(main_channel(pixel(&s, v3(0.9f, 1.2f, 0.0f))), 0);
    vec3 sun = views_to_sun(); // below the middle, along the sun
    vec3 shaded = add(v3(0.0f, 1.2f, 0.0f), scale(sun, (s.model.floor - 1.2f) / sun.y));
    float x, y;
    assert_true(renderer_project(s.renderer, &s.camera, shaded, &x, &y));
    if (x >= 0.0f && x < WIDTH && y >= 0.0f && y < HEIGHT)
    {
        int dark = brightness(pixel(&s, shaded));
        s.look.shadows = false;
        draw(&s, world);
        assert_true(dark + 60 < brightness(pixel(&s, shaded)));
    }
    close_studio(&s);
    pl_world_destroy(world);
}

static int spread(const uint8_t c[4])
{
    int low = c[0], high = c[0];
    for (int k = 1; k < 3; k++)
    {
        low = c[k] < low ? c[k] : low;
        high = c[k] > high ? c[k] : high;
    }
    return high - low;
}

static void colours_tell_bodies_apart(void **state)
{
    (void)state;
    pl_world *world = make_world(1, 1);
    pl_rigid_shape box = shape_of(PL_RIGID_BOX);
    add_body(world, PL_RIGID_STATIC, &box, 1, (pl_vec3){0.0f, 0.0f, 0.0f});
    for (int i = 0; i < 3; i++)
    {
        add_shaped(world, PL_RIGID_BOX, 2.0f, (float)i, 0.0f);
    }
    add_shaped(world, PL_RIGID_SPHERE, 4.0f, 0.0f, 0.0f);
    struct model m;
    sure(model_take(&m, world));
    uint8_t colour[5][4];
    const struct surface plain = {.by = COLOUR_MATERIAL};
    for (int i = 0; i < 5; i++)
    {
        colour_body(&m, &plain, &m.bodies.body[i], true, colour[i]);
        for (int k = 0; k < i; k++)
        {
            assert_memory_not_equal(colour[i], colour[k], 3);
        }
    }
    assert_true(spread(colour[0]) < 40 && spread(colour[1]) > 60 && spread(colour[4]) > 60);
    assert_int_equal(m.bodies.body[2].shade, 1);
    assert_int_equal(m.bodies.body[4].merged, 2); // the three boxes are one as far as colours go
    model_free(&m);
    pl_world_destroy(world);
}

// A large level box that stands still is the ground; a smaller one stands on it. What holds a joint is a mark.
static void the_ground(void **state)
{
    (void)state;
    for (int large = 0; large < 2; large++)
    {
        pl_world *world = make_world(1, 1);
        pl_rigid_shape slab = shape_of(PL_RIGID_BOX);
        slab.half = large ? (pl_vec3){50.0f, 1.0f, 50.0f} : (pl_vec3){1.5f, 0.2f, 1.5f};
        add_body(world, PL_RIGID_STATIC, &slab, 1, (pl_vec3){0.0f, large ? 2.0f : 2.8f, 0.0f});
        pl_id box = add_shaped(world, PL_RIGID_BOX, 0.0f, 3.4f, 0.0f);
        struct model m;
        sure(model_take(&m, world));
        near_to("floor", (double)m.floor, large ? 3.0 : 2.6, 1e-5);
        assert_int_equal(m.bodies.body[0].ground, large);
        assert_true(bounds_radius(&m.start) < 4.0f);
        model_free(&m);
        pl_joint_def hinge = pl_default_joint_def();
        hinge.kind = PL_JOINT_HINGE, hinge.b = box, hinge.point = (pl_vec3){0.5f, 3.4f, 0.0f};
        good(pl_add_joint(world, &hinge, NULL));
        sure(model_take(&m, world));
        assert_int_equal(m.spheres, 1);
        assert_int_equal(m.ellipsoids, 0);
        model_free(&m);
        pl_world_destroy(world);
    }
}

// One of many that falls far does not make the scene large, as far as shadows go; of a few it does.
static void what_has_fallen_off(void **state)
{
    (void)state;
    for (int many = 0; many < 2; many++)
    {
        pl_world *world = make_world(1, 1);
        for (int i = 0; i < (many ? 20 : 3); i++)
        {
            add_shaped(world, PL_RIGID_BOX, (float)(i % 5), (float)(i / 5), 0.0f);
        }
        add_shaped(world, PL_RIGID_BOX, 0.0f, -1000.0f, 0.0f);
        struct bodies all;
        struct body_poses poses = {0};
        struct bounds b = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
        sure(bodies_take(&all, world) && body_poses_take(&poses, world));
        bounds_add_bodies(&b, false, &all, &poses);
        near_to("the lowest point", (double)b.min.y, many ? -0.4 : -1000.4, 1e-3);
        near_to("the left side", (double)b.min.x, -0.5, 1e-5);
        body_poses_free(&poses);
        bodies_free(&all);
        pl_world_destroy(world);
    }
}

// Thin static boxes that stand upright let what is behind them be seen; one that can move does not.
static void static_walls_are_glass(void **state)
{
    (void)state;
    static struct studio s;
    for (int moves = 0; moves < 2; moves++)
    {
        pl_world *world = make_world(1, 1);
        pl_rigid_shape wall = shape_of(PL_RIGID_BOX), ball = shape_of(PL_RIGID_SPHERE);
        wall.half = (pl_vec3){1.0f, 1.0f, 0.05f};
        add_body(world, PL_RIGID_DYNAMIC, &ball, 1, (pl_vec3){0.0f, 1.0f, 0.0f});
        add_body(world, moves ? PL_RIGID_KINEMATIC : PL_RIGID_STATIC, &wall, 1, (pl_vec3){0.0f, 1.0f, 1.0f});
        open_studio(&s, world);
        s.camera = (struct camera){.eye = v3(0.0f, 1.0f, 6.0f), .target = v3(0.0f, 1.0f, 0.0f), .fov = 35.0f};
        draw(&s, world);
        const uint8_t *p = pixel(&s, v3(0.05f, 1.05f, 0.0f)); // the ball is red
        assert_int_equal(p[0] > p[1] + 20 && p[0] > p[2] + 20, !moves);
        close_studio(&s);
        pl_world_destroy(world);
    }
}

// Very many spheres are drawn as particles are: in the same places, with the same colours.
static void many_spheres_are_balls(void **state)
{
    (void)state;
    static struct studio s;
    pl_world *world = make_world(1, 1);
    pl_rigid_shape ball = shape_of(PL_RIGID_SPHERE);
    for (int i = 0; i < 500; i++)
    {
        add_body(world, PL_RIGID_DYNAMIC, &ball, 1, (pl_vec3){(float)(i % 25), (float)(i / 25), 0.0f});
    }
    open_studio(&s, world);
    s.camera = (struct camera){.eye = v3(12.0f, 10.0f, 40.0f), .target = v3(12.0f, 10.0f, 0.0f), .fov = 35.0f};
    draw(&s, world);
    assert_int_equal(renderer_surface(s.renderer)->balls, 500);
    int shown = 0;
    for (int i = 0; i < 500; i++)
    {
        shown += main_channel(pixel(&s, v3((float)(i % 25), (float)(i / 25), 0.4f))) == 0;
    }
    assert_true(shown > 300); // the pale shades are no clear red
    close_studio(&s);
    pl_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_has_its_size),   cmocka_unit_test(alike_share_a_mesh),
        cmocka_unit_test(a_box_has_corners),         cmocka_unit_test(it_is_where_its_pose_is),
        cmocka_unit_test(colours_tell_bodies_apart), cmocka_unit_test(the_ground),
        cmocka_unit_test(what_has_fallen_off),       cmocka_unit_test(static_walls_are_glass),
        cmocka_unit_test(many_spheres_are_balls),
    };
    return run_in_studio(tests, sizeof tests / sizeof *tests);
}
