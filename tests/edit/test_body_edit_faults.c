// test_body_edit_faults.c: faults that random edits have found (test_body_edits.c), each with as few edits as show it.
#include "physics/joint_world.h"

static pl_id add_ball(pl_world *w, pl_vec3 at, int material)
{
    pl_rigid_shape s = pl_default_rigid_shape();
    pl_rigid_def d = pl_default_rigid_def();
    pl_id id;
    s.kind = PL_RIGID_SPHERE, s.material = material;
    d.shapes = &s, d.shape_count = 1, d.mass = 1.0f, d.position = at, d.velocity = (pl_vec3){1.0f, 0.0f, 0.0f};
    good(pl_add_rigid(w, &d, &id));
    return id;
}

// Positions for which lists were built are not finite after a frame that has diverged; snapshots had them.
static void a_diverged_world_saves(void **unused)
{
    (void)unused;
    pl_world *w = make_world(1, 1);
    pl_shape_def floor = pl_default_shape_def();
    const float huge[3] = {1e19f, 0.0f, 0.0f};
    good(pl_add_shape(w, &floor, NULL));
    int particle = add_one(w, 0.0f, 1.0f, 0.0f, 1e-12f, NULL);
    const float radius = 0.1f;
    good(pl_set(w, PL_ATTRIBUTE_RADIUS, particle, 1, &radius));
    play(w, 1);
    good(pl_set(w, PL_ATTRIBUTE_FORCE, particle, 1, huge));
    refused(pl_world_step(w, 1.0f / 60.0f), PL_ERROR_DIVERGED, "diverged");
    save_and_load(&w, 1, 1);
    pl_world_destroy(w);
}

// The torque of a rolling resistance that an edit has ended acted on, unless a neighbour in the lanes still had one.
static void rolling_resistance_ends(void **unused)
{
    (void)unused;
    uint64_t hash[2];
    double speed[2];
    const int widths[2] = {1, pl_lane_widths()[0]};
    for (int i = 0; i < 2; i++)
    {
        pl_world *w = make_world(8, 1);
        pl_material m = pl_default_material();
        pl_shape_def floor = pl_default_shape_def();
        int other;
        good(pl_world_set_workers(w, 1, widths[i]));
        m.rolling_friction = 0.02f;
        good(pl_set_material(w, 0, &m));
        good(pl_add_material(w, &m, &other));
        good(pl_add_shape(w, &floor, NULL));
        pl_id ball = add_ball(w, (pl_vec3){0.0f, 0.5f, 0.0f}, other);
        add_ball(w, (pl_vec3){0.0f, 0.5f, 3.0f}, 0);
        play(w, 30);
        m.rolling_friction = 0.0f;
        good(pl_set_material_pair(w, 0, other, &m));
        play(w, 1);
        double before = (double)state_of(w, ball).velocity.x;
        play(w, 60);
        speed[i] = (double)state_of(w, ball).velocity.x - before;
        hash[i] = pl_world_hash(w);
        pl_world_destroy(w);
    }
    assert_true(hash[0] == hash[1]);
    near_to("the change of the speed of a ball that rolls freely", speed[0], 0.0, 1e-5);
}

// Padding rows of a soft pulley have multipliers. BDF2 took them for an event in a loaded world.
static void padding_rows_are_no_events(void **unused)
{
    (void)unused;
    pl_world *a = make_world(4, 1);
    pl_settings s = pl_world_settings(a);
    s.integrator = PL_INTEGRATOR_BDF2;
    good(pl_world_set_settings(a, &s));
    pl_id body = add_part(a, (pl_vec3){0.1f, 0.1f, 0.1f}, (pl_vec3){1.0f, 0.0f, 0.0f}, 1.0f);
    pl_joint_def d =
        joint_def(PL_JOINT_PULLEY, world_end, body, (pl_vec3){-1.0f, 0.0f, 0.0f}, (pl_vec3){1.0f, 0.0f, 0.0f});
    d.point_b = (pl_vec3){1.0f, 0.0f, 0.0f}, d.soft.compliance = 1e-3f;
    d.pulleys[0] = (pl_vec3){-1.0f, 2.0f, 0.0f}, d.pulleys[1] = (pl_vec3){1.0f, 2.0f, 0.0f};
    add_joint(a, &d);
    play(a, 5);
    picture p = picture_of(a);
    pl_world_def def = small_def(4, 1);
    pl_world *b;
    good(pl_world_load_memory(&def, p.data, p.size, &b));
    pl_free(p.data);
    play(a, 3);
    play(b, 3);
    assert_true(pl_world_hash(a) == pl_world_hash(b));
    pl_world_destroy(a);
    pl_world_destroy(b);
}

// A direct distance joint whose limits an edit moves apart is swept from then on; a loaded world knew it, a live one not.
static void direct_distances_may_get_limits(void **unused)
{
    (void)unused;
    pl_world *a = make_world(4, 1);
    pl_id body = add_part(a, (pl_vec3){0.1f, 0.1f, 0.1f}, (pl_vec3){0.0f, 0.0f, 0.0f}, 1.0f);
    pl_joint_def d =
        joint_def(PL_JOINT_DISTANCE, world_end, body, (pl_vec3){0.0f, 1.0f, 0.0f}, (pl_vec3){1.0f, 0.0f, 0.0f});
    d.point_b = (pl_vec3){0.1f, 0.1f, 0.0f}, d.direct = true;
    pl_joint j = add_joint(a, &d);
    play(a, 2);
    float param[PL_MAX_PARAMS];
    good(pl_get_rows(a, j.rows[PL_JOINT_BASE], PL_ROW_PARAM, 0, 1, param));
    param[7] += 0.5f;
    good(pl_set_rows(a, j.rows[PL_JOINT_BASE], PL_ROW_PARAM, 0, 1, param));
    picture p = picture_of(a);
    pl_world_def def = small_def(4, 1);
    pl_world *b;
    good(pl_world_load_memory(&def, p.data, p.size, &b));
    pl_free(p.data);
    play(a, 10);
    play(b, 10);
    assert_true(pl_world_hash(a) == pl_world_hash(b));
    assert_true(state_of(a, body).position.y < -0.05f); // it falls: the rope is slack
    pl_world_destroy(a);
    pl_world_destroy(b);
}

// A static body that gets a mass moves. Contacts that shared it had one colour, and were solved at once.
static void a_static_body_gets_a_mass(void **unused)
{
    (void)unused;
    uint64_t hash[2];
    const int widths[2] = {1, pl_lane_widths()[0]};
    for (int i = 0; i < 2; i++)
    {
        pl_world *w = make_world(8, 1);
        pl_rigid_shape s;
        good(pl_world_set_workers(w, 1, widths[i]));
        pl_rigid_def d = box_def(&s, (pl_vec3){2.0f, 0.1f, 2.0f}, (pl_vec3){0.0f, 0.0f, 0.0f}, 2.0f);
        pl_id table;
        d.type = PL_RIGID_STATIC;
        good(pl_add_rigid(w, &d, &table));
        for (int k = 0; k < 6; k++)
            add_box(w, (pl_vec3){0.1f, 0.1f, 0.1f}, (pl_vec3){0.5f * (float)k - 1.0f, 0.2f, 0.3f * (float)k}, 1.0f);
        play(w, 3);
        const float mass = 5.0f;
        good(pl_set(w, PL_ATTRIBUTE_MASS, number_of(w, table), 1, &mass));
        play(w, 20);
        assert_true(state_of(w, table).position.y < -0.01f);
        hash[i] = pl_world_hash(w);
        pl_world_destroy(w);
    }
    assert_true(hash[0] == hash[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_diverged_world_saves), cmocka_unit_test(rolling_resistance_ends),
        cmocka_unit_test(padding_rows_are_no_events), cmocka_unit_test(direct_distances_may_get_limits),
        cmocka_unit_test(a_static_body_gets_a_mass)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
