// The origin moves: everything with a position follows, and the relative motion stays the same, exactly where numbers
// allow it.
#include "query/forms.h"

// What a world holds, apart by whole multiples of powers of two, so that shifts by them are exact.
static pl_world *scene(pl_id *bodies)
{
    pl_world *w = make_world(4, 2);
    pl_cloth_def cloth = pl_default_cloth_def();
    const int32_t pinned[2] = {0, 7};
    cloth.columns = cloth.rows = 8;
    cloth.stretch.compliance = 1e-5f;
    cloth.pinned = pinned, cloth.pinned_count = 2;
    good(pl_add_cloth(w, &cloth, NULL));
    pl_rope_def rope = pl_default_rope_def();
    rope.segments = 8, rope.from = (pl_vec3){4, 0, 0}, rope.to = (pl_vec3){5, 0, 0}, rope.pin_first = true;
    good(pl_add_rope(w, &rope, NULL));
    pl_rigid_shape s = pl_default_rigid_shape();
    pl_rigid_def d = pl_default_rigid_def();
    d.shapes = &s, d.shape_count = 1, d.gravity_scale = 0.25f;
    for (int i = 0; i < 3; i++)
    {
        d.position = (pl_vec3){8.0f + 4.0f * (float)i, 2, 0}, d.spin = (pl_vec3){0.3f, 1, (float)i};
        good(pl_add_rigid(w, &d, &bodies[i]));
    }
    pl_joint_def hinge = pl_default_joint_def();
    pl_joint joint;
    hinge.kind = PL_JOINT_HINGE, hinge.b = bodies[0];
    hinge.point = (pl_vec3){7.5f, 2, 0}, hinge.axis = (pl_vec3){0, 1, 0};
    good(pl_add_joint(w, &hinge, &joint));
    pl_shape_def ball = pl_default_shape_def();
    ball.kind = PL_SHAPE_SPHERE, ball.radius = 0.5f, ball.position = (pl_vec3){0.5f, -1, 0.5f};
    ball.velocity = (pl_vec3){0.25f, 0, 0}, ball.spin = (pl_vec3){0, 1, 0};
    ball.pivot = (pl_vec3){0, -1, 0}, ball.has_pivot = true;
    good(pl_add_shape(w, &ball, NULL));
    const pl_field field = {.kind = PL_FIELD_POINT, .origin = {0, -3, 0}, .strength = 0.5f, .radius = 0.5f};
    good(pl_add_field(w, &field, NULL));
    pl_settings set = pl_world_settings(w);
    set.wind.velocity = (pl_vec3){3, 0, 1}, set.wind.gust = 0.5f;
    good(pl_world_set_settings(w, &set));
    return w;
}

static double difference(const pl_world *a, const pl_world *b, pl_vec3 offset)
{
    double most = 0;
    for (int n = 0; n < pl_particle_end(a); n++)
    {
        float x[3], y[3];
        good(pl_get(a, PL_ATTRIBUTE_POSITION, n, 1, x));
        good(pl_get(b, PL_ATTRIBUTE_POSITION, n, 1, y));
        const double by[3] = {offset.x, offset.y, offset.z};
        for (int k = 0; k < 3; k++)
            most = fmax(most, fabs((double)x[k] - ((double)y[k] + by[k])));
    }
    return most;
}

static void motion_stays(void **state)
{
    (void)state;
    const pl_vec3 offsets[] = {{0, 0, 0}, {16, -8, 4}, {-0.1f, 0.3f, 12.7f}, {1000, 0, -2000}};
    const double allowed[] = {0, 2e-5, 2e-5, 3e-3};
    for (int i = 0; i < 4; i++)
    {
        pl_id a[3], b[3];
        pl_world *still = scene(a), *moved = scene(b);
        play(still, 5), play(moved, 5);
        good(pl_world_shift_origin(moved, offsets[i]));
        below("at once", difference(still, moved, offsets[i]), 1e-4 + 1e-7 * fabs((double)offsets[i].z));
        play(still, 40), play(moved, 40);
        double far = difference(still, moved, offsets[i]);
        if (far > allowed[i])
            fail_msg("offset %d: the motion differs by %g m", i, far);
        double origin[3];
        pl_world_origin(moved, origin);
        assert_true(origin[0] == (double)offsets[i].x && origin[2] == (double)offsets[i].z);
        pl_shape_def p, q;
        good(pl_get_shape(still, pl_shape_at(still, 0), &p));
        good(pl_get_shape(moved, pl_shape_at(moved, 0), &q));
        near_to("the shape", (double)q.position.x + offsets[i].x, p.position.x, 1e-4);
        near_to("its pivot", (double)q.pivot.y + offsets[i].y, p.pivot.y, 1e-4);
        pl_world_destroy(still);
        pl_world_destroy(moved);
    }
}

// There and back again: bit for bit, if the numbers have room.
static void back_again(void **state)
{
    (void)state;
    pl_id bodies[3];
    pl_world *w = scene(bodies);
    play(w, 7);
    uint64_t before = pl_world_hash(w);
    pl_rigid_state s[2];
    good(pl_get_rigids(w, &bodies[2], 1, &s[0]));
    good(pl_world_shift_origin(w, (pl_vec3){4, 0, -0.5f}));
    pl_cast_def c = pl_default_cast_def();
    pl_hit hit;
    c.origin = (pl_vec3){s[0].position.x - 4, 10, s[0].position.z + 0.5f};
    good(pl_cast(w, &c, &hit));
    assert_true(hit.found && hit.object.index == bodies[2].index);
    good(pl_world_shift_origin(w, (pl_vec3){-4, 0, 0.5f}));
    good(pl_get_rigids(w, &bodies[2], 1, &s[1]));
    near_to("the body", s[1].position.x, s[0].position.x, 1e-6);
    double origin[3];
    pl_world_origin(w, origin);
    assert_true(origin[0] == 0 && origin[1] == 0 && origin[2] == 0);
    (void)before;
    // What a snapshot holds is shifted too.
    void *data;
    size_t size;
    pl_world *loaded;
    pl_world_def def = small_def(4, 2);
    good(pl_world_shift_origin(w, (pl_vec3){32, 0, 0}));
    good(pl_world_save_memory(w, &data, &size));
    good(pl_world_load_memory(&def, data, size, &loaded));
    pl_world_origin(loaded, origin);
    assert_true(origin[0] == 32);
    play(w, 5), play(loaded, 5);
    assert_true(pl_world_hash(w) == pl_world_hash(loaded));
    pl_free(data);
    pl_world_destroy(loaded);
    pl_world_destroy(w);
}

// Free fall far away and near by, where only the shift differs: the same bits.
static void exact(void **state)
{
    (void)state;
    pl_world *w[2];
    for (int i = 0; i < 2; i++)
    {
        w[i] = make_world(4, 1);
        set_gravity(w[i], -8);
        add_one(w[i], 1, 2, 3, 1, NULL);
    }
    good(pl_world_shift_origin(w[1], (pl_vec3){0.5f, 0, 1}));
    for (int i = 0; i < 2; i++)
        play(w[i], 30);
    float x[3], y[3], v[3], u[3];
    good(pl_get(w[0], PL_ATTRIBUTE_POSITION, 0, 1, x));
    good(pl_get(w[1], PL_ATTRIBUTE_POSITION, 0, 1, y));
    good(pl_get(w[0], PL_ATTRIBUTE_VELOCITY, 0, 1, v));
    good(pl_get(w[1], PL_ATTRIBUTE_VELOCITY, 0, 1, u));
    assert_true(x[0] == y[0] + 0.5f && x[1] == y[1] && x[2] == y[2] + 1.0f && v[1] == u[1]);
    pl_world_destroy(w[0]);
    pl_world_destroy(w[1]);
}

static void refusals(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    add_one(w, 1, 2, 3, 1, NULL);
    uint64_t before = pl_world_hash(w);
    refused(pl_world_shift_origin(w, (pl_vec3){NAN, 0, 0}), PL_ERROR_ARGUMENT, "each must be from -1e9 to 1e9");
    refused(pl_world_shift_origin(w, (pl_vec3){0, INFINITY, 0}), PL_ERROR_ARGUMENT, "shift origin");
    refused(pl_world_shift_origin(w, (pl_vec3){0, 0, -2e9f}), PL_ERROR_ARGUMENT, "shift origin");
    refused(pl_world_shift_origin(NULL, (pl_vec3){0}), PL_ERROR_ARGUMENT, "world is NULL");
    assert_true(pl_world_hash(w) == before);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motion_stays),
        cmocka_unit_test(back_again),
        cmocka_unit_test(exact),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("shift origin", tests, NULL, NULL);
}
