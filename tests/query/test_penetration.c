// What overlaps and presses is measured whether there are contact lists or not: after an edit, a tear or a load there
// are none until the next step. A number that is not measured is not 0, and fails what is expected of it.
#include "edit/objects.h"

// Grains, a surface, a rigid body and an oriented chain on a floor and a ball.
static pl_world *make_heap(void)
{
    enum
    {
        GRAINS = 40
    };
    pl_world *w = make_world(4, 2);
    pl_shape_def floor = pl_default_shape_def(), ball = pl_default_shape_def();
    pl_particles_def d = pl_default_particles_def();
    float x[3 * GRAINS], radius[GRAINS];
    int first, count;
    pl_id id;
    floor.kind = PL_SHAPE_PLANE;
    ball.kind = PL_SHAPE_SPHERE, ball.radius = 0.2f, ball.position = (pl_vec3){0.2f, -0.1f, 0.1f};
    good(pl_add_shape(w, &floor, NULL));
    good(pl_add_shape(w, &ball, NULL));
    for (int i = 0; i < GRAINS; i++)
    {
        x[3 * i] = 0.05f * (float)(i % 4), x[3 * i + 1] = 0.2f + 0.05f * (float)(i / 16);
        x[3 * i + 2] = 0.05f * (float)(i / 4 % 4);
        radius[i] = 0.026f;
    }
    d.count = GRAINS, d.position = x, d.mass_each = 0.02f;
    good(pl_add_particles(w, &d, &id));
    good(pl_object_range(w, id, &first, &count));
    good(pl_set(w, PL_ATTRIBUTE_RADIUS, first, count, radius));
    good(make_object(w, OBJECT_CLOTH_SKIN, (pl_vec3){0.0f, 0.12f, 0.0f}, NULL));
    good(make_object(w, OBJECT_RIGID, (pl_vec3){0.5f, 0.3f, 0.5f}, NULL));
    good(make_object(w, OBJECT_CHAIN, (pl_vec3){-0.4f, 0.1f, 0.0f}, NULL));
    return w;
}

static pl_world *copy_of(const pl_world *w)
{
    void *data;
    size_t size;
    pl_world_def def = small_def(4, 2);
    pl_world *copy;
    good(pl_world_save_memory(w, &data, &size));
    good(pl_world_load_memory(&def, data, size, &copy));
    pl_free(data);
    return copy;
}

static void check_same(const char *what, pl_penetration p, pl_penetration q)
{
    assert_true(p.measured && q.measured);
    if (p.contacts != q.contacts || p.crossings != q.crossings)
        fail_msg("%s: %lld contacts and %lld crossings; %lld and %lld were wanted", what, (long long)q.contacts,
                 (long long)q.crossings, (long long)p.contacts, (long long)p.crossings);
    near_to(what, q.mean, p.mean, 1e-6 * p.mean);
    near_to(what, q.max, p.max, 1e-6 * p.max);
}

static void measured_without_lists(void **state)
{
    (void)state;
    pl_world *w = make_heap();
    for (int f = 0; f < 30; f++)
    {
        good(pl_world_step(w, 1.0f / 60.0f));
        if (f % 10 != 9)
            continue;
        pl_penetration p = pl_world_penetration(w);
        assert_true(p.contacts > 10 && p.max > 0.0 && p.candidates > p.contacts);
        pl_world *copy = copy_of(w), *asked = copy_of(w);
        check_same("loaded", p, pl_world_penetration(asked));
        good(make_object(copy, OBJECT_ROPE, (pl_vec3){5.0f, 5.0f, 5.0f}, NULL));
        good(make_object(asked, OBJECT_ROPE, (pl_vec3){5.0f, 5.0f, 5.0f}, NULL));
        check_same("edited", p, pl_world_penetration(asked));
        good(pl_world_step(copy, 1.0f / 60.0f));
        good(pl_world_step(asked, 1.0f / 60.0f));
        assert_true(pl_world_hash(copy) == pl_world_hash(asked)); // to ask changes nothing
        pl_world_destroy(copy);
        pl_world_destroy(asked);
    }
    pl_world_destroy(w);
}

static void measured_in_frames_that_tear(void **state)
{
    (void)state;
    size_t length;
    const char *text = pl_builtin_scene("tear", &length);
    pl_world_def def = pl_default_world_def();
    pl_scene *scene;
    pl_world *w;
    good(pl_scene_parse(text, length, "tear", NULL, 0, &scene));
    good(pl_scene_world(scene, &def, &w));
    int64_t before = 0;
    int tears = 0;
    for (int f = 0; f < 54; f++) // the ball is through at frame 55, and its last contacts end there
    {
        good(pl_scene_before_step(scene, w));
        int64_t cut = pl_world_tears(w).splits;
        good(pl_world_step(w, pl_scene_describe(scene).dt));
        pl_penetration p = pl_world_penetration(w);
        bool tore = pl_world_tears(w).splits > cut;
        assert_true(p.measured);
        if (tore && before > 10)
        {
            tears++;
            if (p.contacts < before / 4)
                fail_msg("frame %d tears, and has %lld contacts after %lld", f, (long long)p.contacts,
                         (long long)before);
        }
        before = p.contacts;
    }
    assert_true(tears > 3);
    pl_world_destroy(w);
    pl_scene_free(scene);
}

static void what_is_not_measured_fails(void **state)
{
    (void)state;
    static const char text[] = "{\"particles\": {\"position\": [0, 0, 0]},"
                               " \"expect\": {\"residual\": {\"mean\": [0, 1]}, \"penetration\": {\"max\": [0, 1]}}}";
    pl_world_def def = pl_default_world_def();
    pl_scene *scene;
    pl_world *w;
    char report[512] = "";
    int failed = 0;
    good(pl_scene_parse(text, sizeof text - 1, "text", NULL, 0, &scene));
    good(pl_scene_world(scene, &def, &w));
    good(pl_scene_expect(scene, w, report, sizeof report, NULL, &failed));
    assert_int_equal(failed, 1);
    assert_string_equal(report, "residual.mean was not measured; 0 to 1 was expected\n");
    pl_world_destroy(w);
    pl_scene_free(scene);
    assert_false(pl_world_penetration(NULL).measured);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measured_without_lists),
        cmocka_unit_test(measured_in_frames_that_tear),
        cmocka_unit_test(what_is_not_measured_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
