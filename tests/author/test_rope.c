// Ropes: evenly, along points, longer than laid out, pulling only.
#include "author/author.h"

static void evenly(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    pl_rope_def rope = pl_default_rope_def();
    pl_id id;
    rope.segments = 8;
    rope.from = (pl_vec3){1, 1, 1};
    rope.to = (pl_vec3){1, 1, 5};
    rope.mass = 0.8f;
    rope.bending = true;
    good(pl_add_rope(w, &rope, &id));
    assert_int_equal(pl_particle_count(w), 9);
    assert_int_equal(pl_constraint_count(w, PL_KIND_DISTANCE), 8 + 7);
    near_to("mass", total_mass(w), 0.8, 1e-6);
    float mass[9];
    good(pl_get(w, PL_ATTRIBUTE_MASS, 0, 9, mass));
    near_to("an end", (double)mass[0], 0.05, 1e-6);
    near_to("inside", (double)mass[4], 0.1, 1e-6);
    float *x = positions(w);
    near_to("the middle", (double)x[3 * 4 + 2], 3.0, 1e-6);
    free(x);
    at_rest(w, id);
    pl_world_destroy(w);
}

static void longer_than_laid_out(void **state)
{
    (void)state;
    pl_world *w = make_world(20, 5);
    pl_rope_def rope = pl_default_rope_def();
    pl_id id, blocks[4];
    rope.segments = 10;
    rope.length = 1.5f;
    rope.pull_only = rope.pin_first = rope.pin_last = true;
    good(pl_add_rope(w, &rope, &id));
    assert_int_equal(pl_constraint_count(w, PL_KIND_DISTANCE_MAX), 10);
    assert_int_equal(pl_constraint_count(w, PL_KIND_DISTANCE), 0);
    assert_int_equal(pl_object_blocks(w, id, blocks, 4), 1);
    float rest;
    good(pl_get_rows(w, blocks[0], PL_ROW_PARAM, 9, 1, &rest));
    near_to("rest", (double)rest, 0.15, 1e-6);
    near_to("mass", total_mass(w), 0.1 * 9 / 10, 1e-6);
    pl_settings s = pl_world_settings(w);
    s.damping = 3.0f;
    good(pl_world_set_settings(w, &s));
    play(w, 240);
    float *x = positions(w);
    near_to("sag", (double)x[3 * 5 + 1], -0.5, 0.1);
    assert_true(x[0] == 0.0f && x[30] == 1.0f);
    free(x);
    below("stretch", pl_world_residual(w).max, 0.01);
    pl_world_destroy(w);
}

static void along_points(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    const float points[12] = {0, 0, 0, 1, 0, 0, 1, 2, 0, 1, 2, 3};
    pl_rope_def rope = pl_default_rope_def();
    pl_id id;
    rope.segments = 3;
    rope.points = points;
    good(pl_add_rope(w, &rope, &id));
    float *x = positions(w);
    assert_memory_equal(x, points, sizeof points);
    free(x);
    at_rest(w, id);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evenly),
        cmocka_unit_test(longer_than_laid_out),
        cmocka_unit_test(along_points),
    };
    return cmocka_run_group_tests_name("rope", tests, NULL, NULL);
}
