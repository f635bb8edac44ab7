// Slots are a permutation of the particles; tiles cut it; users never notice.
#include "support/support.h"

#include "model/world.h"

static void check_permutation(const pl_world *w)
{
    assert_int_equal(w->used, w->live);
    for (int32_t slot = 0; slot < w->live; slot++)
    {
        int32_t number = w->number_of[slot];
        assert_true(number >= 0 && number < w->numbers.end);
        assert_int_equal(w->numbers.slot_of[number], slot);
    }
}

static void a_permutation_that_users_do_not_see(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    enum
    {
        COUNT = 1000
    };
    static float x[3 * COUNT], v[3 * COUNT], got[3 * COUNT], mass[COUNT];
    uint64_t seed = 9;
    for (int i = 0; i < 3 * COUNT; i++)
        x[i] = dice(&seed), v[i] = 0.0f;
    for (int i = 0; i < COUNT; i++)
        mass[i] = (float)(1 << i % 5);
    pl_particles_def def = {COUNT, x, v, mass, 0.0f};
    good(pl_add_particles(w, &def, NULL));
    pl_world_order(w);
    check_permutation(w);
    int moved = 0;
    for (int i = 0; i < COUNT; i++)
        moved += w->numbers.slot_of[i] != i;
    assert_true(moved > COUNT / 2); // it does reorder
    good(pl_get(w, PL_ATTRIBUTE_POSITION, 0, COUNT, got));
    assert_memory_equal(got, x, sizeof x);
    good(pl_get(w, PL_ATTRIBUTE_MASS, 0, COUNT, got));
    assert_memory_equal(got, mass, sizeof mass);
    pl_world_destroy(w);
}

// Near in slots means near in space, at least along the strips' axis: the mean step from slot to slot is below that of the
// users' order.
static void neighbours_lie_together(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    enum
    {
        COUNT = 4096
    };
    static float x[3 * COUNT];
    uint64_t seed = 10;
    for (int i = 0; i < 3 * COUNT; i++)
        x[i] = dice(&seed);
    pl_particles_def def = {COUNT, x, NULL, NULL, 1.0f};
    good(pl_add_particles(w, &def, NULL));
    pl_world_order(w);
    double sum[2] = {0};
    for (int i = 0; i + 1 < COUNT; i++)
        for (int c = 0; c < 3; c++)
        {
            sum[0] += fabs((double)x[3 * (i + 1) + c] - (double)x[3 * i + c]);
            sum[1] += fabs((double)w->state.slot[SLOT_X][4 * (i + 1) + c] - (double)w->state.slot[SLOT_X][4 * i + c]);
        }
    below("slot order over users' order", sum[1] / sum[0], 0.75);
    pl_world_destroy(w);
}

static pl_world *large(int lanes)
{
    pl_world_def def = small_def(2, 1);
    def.lanes = lanes;
    pl_world *w;
    good(pl_world_create(&def, &w));
    pl_cloth_def cloth = pl_default_cloth_def();
    const int32_t pinned[2] = {0, 259};
    cloth.columns = cloth.rows = 260; // 67,600
    cloth.bending = PL_BENDING_NONE;
    cloth.pinned = pinned;
    cloth.pinned_count = 2;
    good(pl_add_cloth(w, &cloth, NULL));
    return w;
}

static void tiles_of_a_large_scene(void **state)
{
    (void)state;
    pl_world *w = large(0);
    pl_order_info info = pl_world_order(w);
    check_permutation(w);
    assert_true(info.tiles >= 67600 / 1280 && info.tiles < 100);
    const int32_t *first = w->order.tile_first;
    assert_int_equal(first[0], 0);
    assert_int_equal(first[info.tiles], 67600);
    for (int t = 0; t < info.tiles; t++)
        assert_true(first[t + 1] - first[t] > 600 && first[t + 1] - first[t] <= 1280);
    int64_t inside = 0;
    for (int32_t t = 0; t < info.tiles; t++)
        for (int32_t i = w->state.tile_start[t]; i < w->state.tile_start[t + 1]; i++)
        {
            run r = w->state.tile_run[i];
            uint8_t seen[1280] = {0};
            for (int32_t row = r.begin; row < r.end; row++)
                for (int p = 0; p < facts_of(r.kind)->info.arity; p++)
                {
                    int32_t slot = (int32_t)(w->state.rows[r.kind].index[p][row] / 4);
                    if (slot >= w->live)
                    {
                        assert_int_equal(slot, w->live + t); // its own dummy
                        continue;
                    }
                    assert_true(slot >= first[t] && slot < first[t + 1]);
                    assert_false(seen[slot - first[t]]); // one colour: no particle twice
                    seen[slot - first[t]] = 1;
                    inside += p == 0;
                }
        }
    int64_t rows = pl_constraint_count(w, PL_KIND_DISTANCE);
    assert_int_equal(inside + info.seams, rows);
    below("seams", (double)info.seams, 0.1 * (double)rows);
    pl_world_destroy(w);
}

// Saved in the middle of a tiled run, resumed with other lanes and threads.
static void tiled_snapshot(void **state)
{
    (void)state;
    pl_world *a = large(0), *b;
    play(a, 2);
    picture p = picture_of(a);
    pl_world_def def = small_def(1, 1);
    def.lanes = 1;
    def.threads = 3;
    good(pl_world_load_memory(&def, p.data, p.size, &b));
    play(a, 2);
    play(b, 2);
    assert_true(pl_world_hash(a) == pl_world_hash(b));
    assert_int_equal(pl_world_order(a).tiles, pl_world_order(b).tiles);
    pl_free(p.data);
    pl_world_destroy(a);
    pl_world_destroy(b);
}

static void an_emptied_world(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    play(w, 1);
    pl_id id;
    int p = add_one(w, 0, 0, 0, 1, &id);
    const float v[3] = {1e14f, 0, 0};
    good(pl_set(w, PL_ATTRIBUTE_VELOCITY, p, 1, v));
    play(w, 1);
    good(pl_remove(w, id));
    for (int i = 0; i < 2000; i++) // nothing of it may fly on
        play(w, 1);
    assert_int_equal(pl_particle_count(w), 0);
    assert_int_equal(pl_particle_end(w), 0);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_permutation_that_users_do_not_see),
        cmocka_unit_test(neighbours_lie_together),
        cmocka_unit_test(tiles_of_a_large_scene),
        cmocka_unit_test(tiled_snapshot),
        cmocka_unit_test(an_emptied_world),
    };
    return cmocka_run_group_tests_name("order", tests, NULL, NULL);
}
