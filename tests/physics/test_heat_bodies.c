// test_heat_bodies.c: bodies that melt in part, who may and who may not, and what is kept of them: phases, ids, rules.
#include "physics.h"

#define RADIUS 0.05f

static pl_heat_def wax(void)
{
    pl_heat_def d = pl_default_heat_def();
    d.conductivity = 0.0f, d.capacity = 10.0f;
    d.melts = true, d.melting = 60.0f, d.freezing = 50.0f, d.latent = 100.0f;
    return d;
}

// A row of particles that touch, along x from `from` on.
static pl_id add_row(pl_world *w, int count, float from)
{
    float *x = malloc(4 * (size_t)count * sizeof *x), *mass = x + 3 * count;
    for (int i = 0; i < count; i++)
        x[3 * i] = from + 2.0f * RADIUS * (float)i, x[3 * i + 1] = x[3 * i + 2] = 0.0f, mass[i] = 1.0f;
    pl_id id = add_particles(w, count, x, mass);
    int first;
    good(pl_object_range(w, id, &first, &count));
    for (int i = 0; i < count; i++)
        mass[i] = RADIUS;
    good(pl_set(w, PL_ATTRIBUTE_RADIUS, first, count, mass));
    free(x);
    return id;
}

static pl_result add_cluster(pl_world *w, int count, const int32_t *members)
{
    const int32_t start[2] = {0, count};
    pl_clusters_def def = pl_default_clusters_def();
    def.count = 1, def.start = start, def.particles = members;
    return pl_add_clusters(w, &def, NULL);
}

static void add_body(pl_world *w, int first, int count)
{
    int32_t *members = malloc((size_t)count * sizeof *members);
    for (int i = 0; i < count; i++)
        members[i] = first + i;
    good(add_cluster(w, count, members));
    free(members);
}

static void make_hot(pl_world *w, int particle, float temperature)
{
    good(pl_set_temperature(w, particle, 1, &temperature));
}

static int pieces(pl_world *w)
{
    int count;
    good(pl_count_pieces(w, (pl_id){0, 0}, &count));
    return count;
}

static pl_world *still_world(void)
{
    pl_world *w = make_world(2, 1);
    weightless(w);
    return w;
}

// Two grains of wax, each in one body with everybody of a second object that has no temperature.
static void bodies_that_share_what_is_cold_stay_whole(void **state)
{
    (void)state;
    enum
    {
        SHARED = 300
    };
    pl_world *w = still_world();
    int32_t members[SHARED + 1];
    pl_id two = add_row(w, 2, -0.5f);
    add_row(w, SHARED, 0.0f);
    for (int i = 0; i < SHARED; i++)
        members[i + 1] = 2 + i;
    for (int k = 0; k < 2; k++)
    {
        members[0] = k;
        good(add_cluster(w, SHARED + 1, members));
    }
    pl_heat_def d = wax();
    good(pl_set_heat(w, two, &d));
    assert_int_equal(pieces(w), 1);
    make_hot(w, 0, 100.0f);
    make_hot(w, 1, 100.0f);
    steps(w, 1, 0.01);
    assert_int_equal(pl_world_heat(w).melted, 2);
    assert_int_equal(pieces(w), 3);
    w = saved_and_loaded(w);
    steps(w, 1, 0.01);
    pl_world_destroy(w);
}

// Ten of wax and five that have no temperature: one melts in the middle, the others stay one body; and what freezes to it joins it.
static void what_has_no_temperature_stays_in_its_body(void **state)
{
    (void)state;
    pl_world *w = still_world();
    pl_heat_def d = wax();
    pl_id warm = add_row(w, 10, 0.0f);
    add_row(w, 5, 1.0f);
    add_body(w, 0, 15);
    good(pl_set_heat(w, warm, &d));
    make_hot(w, 4, 100.0f);
    steps(w, 1, 0.01);
    assert_int_equal(pieces(w), 2);
    make_hot(w, 4, 20.0f);
    steps(w, 1, 0.01);
    assert_int_equal(pl_world_heat(w).frozen, 1);
    assert_int_equal(pieces(w), 1);
    pl_world_destroy(w);
}

// The piece that comes off is in a block of the same object's.
static void pieces_belong_to_their_object(void **state)
{
    (void)state;
    pl_world *w = still_world();
    pl_heat_def d = wax();
    pl_id row = add_row(w, 9, 0.0f), block[4];
    add_body(w, 0, 9);
    good(pl_set_heat(w, row, &d));
    assert_int_equal(pl_object_blocks(w, row, block, 4), 0);
    make_hot(w, 4, 100.0f);
    steps(w, 1, 0.01);
    int count = 0;
    assert_int_equal(pl_object_blocks(w, row, block, 4), 1);
    good(pl_cluster_count(w, block[0], &count));
    assert_int_equal(count, 1);
    pl_world_destroy(w);
}

// Surface and group come back when what is molten is to melt no more.
static void phases_come_back(void **state)
{
    (void)state;
    pl_world *w = still_world();
    pl_heat_def d = wax();
    pl_material wet = {.static_friction = 0.02f, .kinetic_friction = 0.01f},
                rough = {.static_friction = 0.9f, .kinetic_friction = 0.8f};
    pl_phase phase = pl_default_phase(), now;
    good(pl_add_material(w, &wet, &d.molten));
    good(pl_add_material(w, &rough, &phase.material));
    phase.group = 77, phase.mask = 5;
    pl_id one = add_row(w, 1, 0.0f);
    good(pl_set_heat(w, one, &d));
    good(pl_set_phase(w, 0, 1, &phase)); // after the heat: what it is when it melts counts
    make_hot(w, 0, 100.0f);
    steps(w, 1, 0.01);
    good(pl_get_phase(w, 0, &now));
    assert_int_equal(now.material, d.molten);
    assert_int_equal(now.mask, 5);
    assert_true(now.group >= 32768);
    d.melts = false;
    d.molten = -1; // which means nothing now, and must not be kept
    good(pl_set_heat(w, one, &d));
    good(pl_get_phase(w, 0, &now));
    assert_int_equal(now.material, phase.material);
    assert_int_equal(now.group, 77);
    assert_int_equal(pl_world_heat(w).molten, 0);
    w = saved_and_loaded(w);
    pl_world_destroy(w);
}

static void without_a_radius_nothing_flows(void **state)
{
    (void)state;
    pl_world *w = still_world();
    pl_heat_def d = wax();
    d.conductivity = 100.0f;
    good(pl_set_heat(w, add_row(w, 3, 0.0f), &d));
    make_hot(w, 0, 55.0f);
    const float none[3] = {0.0f, 0.0f, 0.0f};
    good(pl_set(w, PL_ATTRIBUTE_RADIUS, 0, 1, none));
    float t[4];
    steps(w, 5, 0.01);
    good(pl_set(w, PL_ATTRIBUTE_RADIUS, 0, 3, none));
    steps(w, 5, 0.01);
    good(pl_get_temperature(w, 0, 3, t));
    near("the one without", (double)t[0], 55.0, 1e-4);
    near("its neighbour", (double)t[1], 20.0, 1e-4);
    add_row(w, 1, 3.0f);
    good(pl_get_temperature(w, 0, 4, t)); // one that has none among those that have
    assert_true(isnan(t[3]) && !isnan(t[2]));
    pl_world_destroy(w);
}

// However often heat is given anew: a world holds the rules that somebody has.
static void rules_are_used_again(void **state)
{
    (void)state;
    pl_world *w = still_world();
    pl_id row = add_row(w, 2, 0.0f);
    size_t size[2];
    for (int k = 0; k < 50; k++)
    {
        pl_heat_def d = wax();
        d.conductivity = (float)k;
        good(pl_set_heat(w, row, &d));
        void *data;
        good(pl_world_save_memory(w, &data, &size[k > 1]));
        pl_free(data);
    }
    assert_int_equal(size[0], size[1]);
    pl_world_destroy(w);
}

// What holds a particle in another way cannot be added to what melts either; pins can.
static void what_melts_is_held_by_nothing_else(void **state)
{
    (void)state;
    pl_world *w = still_world();
    pl_heat_def d = wax();
    const int32_t pair[2] = {0, 1}, triangles[12] = {4, 6, 5, 4, 5, 7, 5, 6, 7, 4, 7, 6};
    pl_id row = add_row(w, 4, 0.0f);
    add_body(w, 0, 2);
    good(pl_set_heat(w, row, &d));
    pl_constraints_def link = pl_default_constraints_def();
    link.kind = PL_KIND_DISTANCE, link.count = 1, link.index = pair;
    refused_for(pl_add_constraints(w, &link, NULL), "melts");
    add_rows(w, PL_KIND_PIN, 1, pair, NULL, 0.0, 1.0);
    pl_faces_def face = pl_default_faces_def();
    const int32_t corners[3] = {0, 1, 2};
    face.count = 1, face.index = corners;
    refused_for(pl_add_faces(w, &face, NULL), "melts");
    refused_for(add_cluster(w, 2, pair), "two clusters");
    make_hot(w, 3, 100.0f);
    steps(w, 1, 0.01);
    const int32_t others[2] = {2, 3};
    refused_for(add_cluster(w, 2, others), "molten");
    // a volume that is there already
    const float corner[12] = {0, 1, 0, 1, 1, 0, 0, 2, 0, 0, 1, 1}, mass[4] = {1, 1, 1, 1},
                radius[4] = {RADIUS, RADIUS, RADIUS, RADIUS};
    pl_id four = add_particles(w, 4, corner, mass);
    good(pl_set(w, PL_ATTRIBUTE_RADIUS, 4, 4, radius));
    pl_volume_def volume = pl_default_volume_def();
    volume.triangles = triangles, volume.triangle_count = 4;
    good(pl_add_volume(w, &volume, NULL));
    refused_for(pl_set_heat(w, four, &d), "volume");
    w = saved_and_loaded(w);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_that_share_what_is_cold_stay_whole),
        cmocka_unit_test(what_has_no_temperature_stays_in_its_body),
        cmocka_unit_test(pieces_belong_to_their_object),
        cmocka_unit_test(phases_come_back),
        cmocka_unit_test(without_a_radius_nothing_flows),
        cmocka_unit_test(rules_are_used_again),
        cmocka_unit_test(what_melts_is_held_by_nothing_else),
    };
    return cmocka_run_group_tests_name("heat_bodies", tests, NULL, NULL);
}
