// Colours: no two rows of a run touch each other; what is beyond the cap is solved the Jacobi way.
#include "support/support.h"

#include "layout/colour.h"
#include "model/world.h"

// Every run of a compiled world, by brute force: a moved slot belongs to one row of the run, and nobody else reads it.
static void check_run(const pl_world *w, run r)
{
    const kind_facts *k = facts_of(r.kind);
    const packed_rows *p = &w->state.rows[r.kind];
    int32_t *mover = malloc((size_t)w->live * sizeof *mover);
    for (int32_t i = 0; i < w->live; i++)
        mover[i] = -1;
    for (int pass = 0; pass < 2; pass++)
        for (int32_t row = r.begin; row < r.end; row++)
            for (int i = 0; i < k->info.arity; i++)
            {
                int32_t slot = (int32_t)(p->index[i][row] / 4);
                if (slot >= w->live)
                    continue; // padding
                if (pass == 0 && i < k->writes)
                {
                    assert_true(mover[slot] == -1 || mover[slot] == row);
                    mover[slot] = row;
                }
                if (pass == 1)
                    assert_true(mover[slot] == -1 || mover[slot] == row);
            }
    free(mover);
    assert_int_equal(r.begin % PAD, 0);
    assert_int_equal(r.end % PAD, 0);
}

static void runs_share_nothing(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    fill_world(w, 25);
    // Tethers whose anchors move: reads against writes.
    int32_t index[80];
    for (int i = 0; i < 40; i++)
        index[2 * i] = 100 + i, index[2 * i + 1] = 100 + (i * 7 + 3) % 40;
    float rest[40];
    for (int i = 0; i < 40; i++)
        rest[i] = 1.0f;
    add_rows(w, PL_KIND_TETHER, 40, index, rest, 0.0f);
    pl_order_info info = pl_world_order(w);
    assert_int_equal(info.colours, w->run_count);
    assert_int_equal(info.tiles, 0);
    assert_int_equal(info.jacobi, 0);
    int64_t rows = 0;
    for (int64_t i = 0; i < w->run_count; i++)
    {
        check_run(w, w->runs[i]);
        for (int32_t k = w->runs[i].begin; k < w->runs[i].end; k++)
            rows += w->state.rows[w->runs[i].kind].index[0][k] < 4 * (uint32_t)w->live;
    }
    int64_t all_rows = 0;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
        all_rows += pl_constraint_count(w, (pl_kind)kind);
    assert_int_equal(rows, all_rows); // each row is in one run
    pl_world_destroy(w);
}

static void lowest_free_colour(void **state)
{
    (void)state;
    uint64_t moved[8] = {0}, read[8] = {0};
    colour_masks m = {moved, read};
    assert_int_equal(colour_row((int32_t[]){0, 1}, 2, 2, COLOUR_CAP, m), 0);
    assert_int_equal(colour_row((int32_t[]){1, 2}, 2, 2, COLOUR_CAP, m), 1);
    assert_int_equal(colour_row((int32_t[]){2, 3}, 2, 2, COLOUR_CAP, m), 0);
    assert_int_equal(colour_row((int32_t[]){4, 5}, 2, 1, COLOUR_CAP, m), 0); // reads 5
    assert_int_equal(colour_row((int32_t[]){6, 5}, 2, 1, COLOUR_CAP, m), 0); // so may this
    assert_int_equal(colour_row((int32_t[]){5, 7}, 2, 2, COLOUR_CAP, m), 1); // but who moves it may not
    moved[0] = UINT64_MAX;
    assert_int_equal(colour_row((int32_t[]){0, 3}, 2, 2, COLOUR_CAP, m), COLOUR_CAP);
    moved[0] = 7;
    assert_int_equal(colour_row((int32_t[]){0, 3}, 2, 2, 4, m), 3);
    assert_int_equal(colour_row((int32_t[]){0, 3}, 2, 2, 3, m), COLOUR_CAP); // each of the first three is taken
}

// A star: one free particle in the middle, linked to 200 others.
static pl_world *star(float compliance, int lanes, int substeps, int iterations)
{
    enum
    {
        ARMS = 200
    };
    pl_world_def def = small_def(substeps, iterations);
    def.lanes = lanes;
    def.settings.gravity = (pl_vec3){0};
    pl_world *w;
    good(pl_world_create(&def, &w));
    static float x[3 * (ARMS + 1)], rest[ARMS];
    static int32_t index[2 * ARMS];
    uint64_t seed = 5;
    for (int i = 0; i < ARMS; i++)
    {
        float d[3] = {dice(&seed), dice(&seed), dice(&seed)}, size = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        for (int c = 0; c < 3; c++)
            x[3 * (i + 1) + c] = 1.2f * d[c] / size; // 20 % too long
        index[2 * i] = i + 1, index[2 * i + 1] = 0;
        rest[i] = 1.0f;
    }
    pl_particles_def particles = pl_default_particles_def();
    particles.count = ARMS + 1;
    particles.position = x;
    good(pl_add_particles(w, &particles, NULL));
    add_rows(w, PL_KIND_DISTANCE, ARMS, index, rest, compliance);
    return w;
}

static void a_star_beyond_the_cap(void **state)
{
    (void)state;
    uint64_t hash = 0;
    for (const int *lanes = pl_lane_widths(); *lanes; lanes++)
    {
        // Mass splitting is exact but slow: each of the 200 rows sees 1/201 of what it has to do.
        pl_world *w = star(0.0f, *lanes, 1, 2000);
        assert_int_equal(pl_world_order(w).jacobi, 200); // all spokes of a hub
        good(pl_world_step(w, 1.0f / 60.0f));
        below("residual", pl_world_residual(w).max, 1e-3);
        double linear[3], angular[3], size = sqrt(2.0 * 201.0 * pl_world_energy(w).kinetic);
        pl_world_momentum(w, linear, angular);
        for (int c = 0; c < 3; c++)
        {
            below("momentum", fabs(linear[c]) / size, 1e-4);
            below("angular momentum", fabs(angular[c]) / size, 1e-4);
        }
        assert_true(hash == 0 || hash == pl_world_hash(w));
        hash = pl_world_hash(w);
        pl_world_destroy(w);
    }
}

// Soft and converged, the Jacobi rows hold the same force as the coloured ones: C = -compliance force.
static void a_soft_star(void **state)
{
    (void)state;
    pl_world *w = star(1e-3f, 0, 1, 2000);
    pl_settings s = pl_world_settings(w);
    good(pl_world_set_settings(w, &s));
    good(pl_world_step(w, 1.0f / 60.0f));
    float force[200], value[200];
    pl_id block = {2, 1};
    good(pl_get_rows(w, block, PL_ROW_FORCE, 0, 200, force));
    good(pl_get_rows(w, block, PL_ROW_VALUE, 0, 200, value));
    for (int i = 0; i < 200; i++)
        near_to("C + compliance force", (double)(value[i] + 1e-3f * force[i]), 0.0, 1e-4);
    pl_world_destroy(w);
}

// Everyone linked to everyone: no hub, but more colours than there are.
static void a_clique_beyond_the_cap(void **state)
{
    (void)state;
    enum
    {
        COUNT = 80,
        LINKS = COUNT * (COUNT - 1) / 2
    };
    static float x[3 * COUNT];
    static int32_t index[2 * LINKS];
    uint64_t seed = 6, hash = 0;
    int n = 0;
    for (int i = 0; i < 3 * COUNT; i++)
        x[i] = dice(&seed);
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < i; k++)
            index[n++] = i, index[n++] = k;
    for (const int *lanes = pl_lane_widths(); *lanes; lanes++)
    {
        pl_world_def def = small_def(1, 200);
        def.lanes = *lanes;
        def.settings.gravity = (pl_vec3){0};
        pl_world *w;
        good(pl_world_create(&def, &w));
        pl_particles_def particles = {COUNT, x, NULL, NULL, 1.0f};
        good(pl_add_particles(w, &particles, NULL));
        add_rows(w, PL_KIND_DISTANCE, LINKS, index, NULL, 0.0f);
        float apart[3 * COUNT];
        for (int i = 0; i < 3 * COUNT; i++)
            apart[i] = 1.05f * x[i];
        good(pl_set(w, PL_ATTRIBUTE_POSITION, 0, COUNT, apart));
        pl_order_info info = pl_world_order(w);
        assert_int_equal(info.colours, COLOUR_CAP);
        assert_true(info.jacobi > 0 && info.jacobi < LINKS / 2);
        for (int64_t i = 0; i < w->run_count; i++)
            check_run(w, w->runs[i]);
        good(pl_world_step(w, 1.0f / 60.0f));
        below("residual", pl_world_residual(w).mean, 1e-3);
        double linear[3], angular[3], size = sqrt(2.0 * COUNT * pl_world_energy(w).kinetic);
        pl_world_momentum(w, linear, angular);
        for (int c = 0; c < 3; c++)
            below("momentum", fabs(linear[c]) / size, 1e-4);
        assert_true(hash == 0 || hash == pl_world_hash(w));
        hash = pl_world_hash(w);
        pl_world_destroy(w);
    }
}

// Rows of a kind that were removed while all rows waited to be coloured again leave nothing behind: those that are added
// later have the lowest colours.
static void removed_rows_free_their_colours(void **state)
{
    (void)state;
    enum
    {
        ROPE = 6,
        STAR = 20,
    };
    pl_world *w = make_world(1, 1);
    float x[3 * (ROPE + STAR)], rest[STAR];
    int32_t rope[2 * (ROPE - 1)], star[2 * (STAR - 1)];
    for (int i = 0; i < ROPE + STAR; i++)
        x[3 * i] = (float)i, x[3 * i + 1] = x[3 * i + 2] = 0.0f;
    for (int i = 0; i < ROPE - 1; i++)
        rope[2 * i] = i, rope[2 * i + 1] = i + 1;
    for (int i = 0; i < STAR - 1; i++)
        star[2 * i] = ROPE, star[2 * i + 1] = ROPE + 1 + i;
    for (int i = 0; i < STAR; i++)
        rest[i] = 1.0f;
    pl_particles_def def = pl_default_particles_def();
    def.count = ROPE + STAR, def.position = x;
    good(pl_add_particles(w, &def, NULL));
    pl_id some = add_rows(w, PL_KIND_DISTANCE, ROPE - 1, rope, rest, 0.0f);
    play(w, 1);
    pl_id more = add_rows(w, PL_KIND_DISTANCE, ROPE - 1, rope, rest, 0.0f); // builds the masks
    add_rows(w, PL_KIND_DISTANCE_MAX, STAR - 1, star, rest, 0.0f);          // a hub: all are coloured again
    assert_false(keeps_order(w));
    good(pl_remove(w, more));
    good(pl_remove(w, some));
    assert_int_equal(w->rows[PL_KIND_DISTANCE].count, 0);
    play(w, 1);
    add_rows(w, PL_KIND_DISTANCE, ROPE - 1, rope, rest, 0.0f);
    for (int i = 0; i < ROPE - 1; i++)
        assert_int_equal(w->rows[PL_KIND_DISTANCE].colour[i], COLOUR_PLAIN + i % 2);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_share_nothing),      cmocka_unit_test(lowest_free_colour),
        cmocka_unit_test(a_star_beyond_the_cap),   cmocka_unit_test(a_soft_star),
        cmocka_unit_test(a_clique_beyond_the_cap), cmocka_unit_test(removed_rows_free_their_colours),
    };
    return cmocka_run_group_tests_name("colour", tests, NULL, NULL);
}
