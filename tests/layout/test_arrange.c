// Grains that wander get slots by their cells again; what is held stays; users, lists and snapshots do not notice.
#include "support/support.h"

#include "model/world.h"

enum
{
    ACROSS = 12,
    GRAINS = ACROSS * ACROSS * ACROSS,
};

// Where grain i lies when the grid of grains is filled in a scattered order: 5 and GRAINS have no common divisor.
static void spot_of(int i, int scatter, float *x)
{
    int at = (int)((int64_t)i * scatter % GRAINS);
    x[0] = 0.2f * (float)(at % ACROSS);
    x[1] = 0.1f + 0.2f * (float)(at / ACROSS % ACROSS);
    x[2] = 0.2f * (float)(at / ACROSS / ACROSS);
}

static pl_world *make_grains(int scatter)
{
    static float x[3 * GRAINS], radius[GRAINS];
    pl_world *w = make_world(1, 2);
    pl_settings set = pl_world_settings(w);
    set.gravity = (pl_vec3){0.0f, 0.0f, 0.0f};
    good(pl_world_set_settings(w, &set));
    for (int i = 0; i < GRAINS; i++)
    {
        spot_of(i, scatter, x + 3 * i);
        radius[i] = 0.1f;
    }
    pl_particles_def def = {GRAINS, x, NULL, NULL, 1.0f};
    good(pl_add_particles(w, &def, NULL));
    good(pl_set(w, PL_ATTRIBUTE_RADIUS, 0, GRAINS, radius));
    return w;
}

static void scatter_again(pl_world *w, int scatter)
{
    static float x[3 * GRAINS];
    for (int i = 0; i < GRAINS; i++)
        spot_of(i, scatter, x + 3 * i);
    good(pl_set(w, PL_ATTRIBUTE_POSITION, 0, GRAINS, x));
}

// How many neighbours in memory are more than three grains apart.
static int strangers(const pl_world *w)
{
    int found = 0;
    for (int32_t slot = 1; slot < GRAINS; slot++)
    {
        const float *a = w->state.slot[SLOT_X] + 4 * (size_t)slot, *b = a - 4;
        float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
        found += x * x + y * y + z * z > 0.6f * 0.6f;
    }
    return found;
}

static void slots_follow_cells(void **state)
{
    (void)state;
    pl_world *w = make_grains(5);
    good(pl_world_step(w, 0.01f));
    assert_true(strangers(w) < GRAINS / 8); // the ends of rows
    scatter_again(w, 7);
    assert_true(strangers(w) > GRAINS / 2);
    while (w->frame < 65)
        good(pl_world_step(w, 0.01f));
    assert_true(strangers(w) < GRAINS / 8);
    for (int i = 0; i < GRAINS; i++)
    {
        float wanted[3], got[3];
        spot_of(i, 7, wanted);
        good(pl_get(w, PL_ATTRIBUTE_POSITION, i, 1, got));
        for (int c = 0; c < 3; c++)
            assert_true(got[c] - wanted[c] < 0.05f && wanted[c] - got[c] < 0.05f);
    }
    pl_world_destroy(w);
}

// A link holds two of them where they are.
static void what_is_held_stays(void **state)
{
    (void)state;
    pl_world *w = make_grains(5);
    pl_constraints_def link = pl_default_constraints_def();
    const int32_t ends[2] = {11, 12};
    link.kind = PL_KIND_DISTANCE;
    link.count = 1;
    link.index = ends;
    good(pl_add_constraints(w, &link, NULL));
    good(pl_world_step(w, 0.01f));
    int32_t a = w->numbers.slot_of[11], b = w->numbers.slot_of[12], moved = 0;
    static int32_t before[GRAINS];
    memcpy(before, w->numbers.slot_of, sizeof before);
    scatter_again(w, 7);
    while (w->frame < 65)
        good(pl_world_step(w, 0.01f));
    assert_int_equal(w->numbers.slot_of[11], a);
    assert_int_equal(w->numbers.slot_of[12], b);
    for (int i = 0; i < GRAINS; i++)
        moved += w->numbers.slot_of[i] != before[i];
    assert_true(moved > GRAINS / 2);
    pl_world_destroy(w);
}

static void snapshots_go_on(void **state)
{
    (void)state;
    static const int when[] = {63, 64, 65};
    for (int k = 0; k < 3; k++)
    {
        pl_world *w = make_grains(5), *again;
        pl_world_def def = pl_default_world_def();
        void *data;
        size_t size;
        good(pl_world_step(w, 0.01f));
        scatter_again(w, 7);
        while (w->frame < when[k])
            good(pl_world_step(w, 0.01f));
        good(pl_world_save_memory(w, &data, &size));
        good(pl_world_load_memory(&def, data, size, &again));
        while (w->frame < 70)
        {
            good(pl_world_step(w, 0.01f));
            good(pl_world_step(again, 0.01f));
            assert_int_equal(pl_world_hash(w), pl_world_hash(again));
            assert_memory_equal(w->number_of, again->number_of, GRAINS * sizeof(int32_t));
        }
        assert_true(strangers(w) < GRAINS / 8);
        pl_free(data);
        pl_world_destroy(w);
        pl_world_destroy(again);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots_follow_cells),
        cmocka_unit_test(what_is_held_stays),
        cmocka_unit_test(snapshots_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
