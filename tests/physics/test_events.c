// test_events.c: contacts begin, press as hard as mechanics says, and end; the same stream whoever computes it.
#include "events.h"

static void refused(pl_result result, pl_result wanted, const char *words)
{
    assert_int_equal(result, wanted);
    assert_non_null(strstr(pl_error_message(), words));
}

// A grain falls, lands and lies: what the floor gave it is its weight over the time and the momentum it lost.
static void a_fall(void **state)
{
    (void)state;
    pl_world *w = make_world(10, 2);
    const float x[3] = {0.3f, 1.0f, -0.2f}, mass[1] = {2.5f};
    add_grains(w, 1, x, mass, 0.1);
    pl_id floor = add_plane(w, (pl_vec3){0, 0, 0}, 0, 1, 0);
    frictions(w, 0.5, 0.4, 0, 0);
    watch(w, true);
    int begun = 0, ended = 0;
    double impulse = 0.0, last = 0.0;
    for (int f = 0; f < 120; f++)
    {
        steps(w, 1, 1.0 / 60);
        for (int i = 0; i < events_of(w); i++)
        {
            const pl_contact_event *e = &told[i];
            begun += e->phase == PL_CONTACT_BEGIN;
            ended += e->phase == PL_CONTACT_END;
            impulse += e->impulse.y;
            last = e->force.y;
            assert_int_equal(e->kind, PL_CONTACT_SHAPE);
            assert_true(e->a == 0 && e->b == -1 && e->shape.index == floor.index);
            near("normal", e->normal.y, 1.0, 1e-6);
            near("point", e->point.y, 0.0, 5e-3);
            near("point", e->point.x, 0.3, 1e-4);
        }
    }
    assert_int_equal(begun, 1);
    assert_int_equal(ended, 0);
    assert_int_equal(pl_world_contact_counts(w).touching, 1);
    near("weight", last, 2.5 * GRAVITY, 2.5 * GRAVITY * 1e-3);
    near("impulse", impulse, 2.5 * GRAVITY * 2.0, 2.5 * GRAVITY * 2.0 * 2e-3); // at rest before and after
    pl_vec3 force;
    good(pl_shape_force(w, floor, &force, NULL));
    near("force on the floor", force.y, -last, 1e-3);
    pl_world_destroy(w);
}

// A bounce is over within a substep, and no step misses it.
static void bounces(void **state)
{
    (void)state;
    pl_world *w = make_world(20, 1);
    const float x[3] = {0, 1.1f, 0};
    add_grains(w, 1, x, NULL, 0.1);
    add_plane(w, (pl_vec3){0, 0, 0}, 0, 1, 0);
    frictions(w, 0.5, 0.4, 0.9, 0);
    watch(w, false);
    int begun = 0, ended = 0, turns = 0;
    double before = 0.0;
    for (int f = 0; f < 110; f++)
    {
        steps(w, 1, 1.0 / 60);
        double now = velocity_of(w, 0).y;
        turns += now > before + 0.5;
        before = now;
        for (int i = 0; i < events_of(w); i++)
        {
            begun += told[i].phase == PL_CONTACT_BEGIN;
            ended += told[i].phase == PL_CONTACT_END;
            if (told[i].phase == PL_CONTACT_BEGIN)
            {
                assert_true(told[i].force.y > 100.0f);
            }
            else
            {
                assert_true(told[i].force.y == 0.0f && told[i].impulse.y == 0.0f && told[i].normal.y == 1.0f);
            }
        }
    }
    assert_true(turns == 2 && begun == turns && ended == turns);
    assert_int_equal(pl_world_contact_counts(w).all_begun, begun);
    pl_world_destroy(w);
}

// Two grains meet: the impulse is what the first one's momentum gained.
static void a_collision(void **state)
{
    (void)state;
    pl_world *w = make_world(10, 2);
    weightless(w);
    frictions(w, 0, 0, 0, 0);
    const float mass[2] = {0.7f, 1.3f}, x[6] = {0.5f, 0, 0, -0.5f, 0, 0};
    add_grains(w, 2, x, mass, 0.25);
    set_velocity(w, 0, -3, 0, 0);
    set_velocity(w, 1, 2, 0, 0);
    watch(w, true);
    double impulse = 0.0;
    int begun = 0;
    for (int f = 0; f < 30; f++)
    {
        steps(w, 1, 1.0 / 60);
        for (int i = 0; i < events_of(w); i++)
        {
            assert_true(told[i].a == 0 && told[i].b == 1 && told[i].shape.index == 0);
            near("normal", told[i].normal.x, 1.0, 1e-5);
            impulse += told[i].impulse.x;
            begun += told[i].phase == PL_CONTACT_BEGIN;
        }
    }
    assert_int_equal(begun, 1);
    near("impulse", impulse, 0.7 * (velocity_of(w, 0).x + 3.0), 2e-3);
    assert_true(impulse > 1.0);
    pl_world_destroy(w);
}

// ---- many ----------------------------------------------------------------------------------------------------------

static pl_world *box_of_grains(int threads, int lanes)
{
    pl_world_def def = pl_default_world_def();
    pl_world *w;
    def.threads = threads;
    def.lanes = lanes;
    def.settings.substeps = 4;
    def.settings.iterations = 2;
    good(pl_world_create(&def, &w));
    fill_box(w, 6, 6, 0.05, NULL);
    return w;
}

static bool in_order(const pl_contact_event *a, const pl_contact_event *b)
{
    if (a->kind != b->kind)
    {
        return a->kind < b->kind;
    }
    if (a->a != b->a)
    {
        return a->a < b->a;
    }
    return a->kind == PL_CONTACT_PARTICLES ? a->b < b->b : a->shape.index < b->shape.index;
}

static uint64_t add_hash(uint64_t h, const void *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
    {
        h = (h ^ ((const unsigned char *)data)[i]) * 1099511628211u;
    }
    return h;
}

// Plays and hashes the events; every one is checked against a plain set of who touches.
static uint64_t play_events(pl_world *w, int frames, uint8_t *touching)
{
    uint64_t h = 14695981039346656037u;
    for (int f = 0; f < frames; f++)
    {
        steps(w, 1, 1.0 / 60);
        int count = events_of(w), begun = 0, ended = 0;
        for (int i = 0; i < count; i++)
        {
            const pl_contact_event *e = &told[i];
            assert_true(i == 0 || in_order(e - 1, e));
            int other = e->kind == PL_CONTACT_PARTICLES ? e->b : 256 + (int)e->shape.index;
            uint8_t *was = &touching[e->a * 512 + other];
            assert_int_equal(*was, e->phase != PL_CONTACT_BEGIN);
            *was = e->phase != PL_CONTACT_END;
            begun += e->phase == PL_CONTACT_BEGIN;
            ended += e->phase == PL_CONTACT_END;
            double size = sqrt((double)e->normal.x * e->normal.x + (double)e->normal.y * e->normal.y +
                               (double)e->normal.z * e->normal.z);
            near("length of the normal", size, 1.0, 1e-5);
            h = add_hash(h, &e->phase, sizeof e->phase);
            h = add_hash(h, &e->a, sizeof e->a);
            h = add_hash(h, &other, sizeof other);
            h = add_hash(h, &e->force, 4 * sizeof e->force);
        }
        pl_contact_counts c = pl_world_contact_counts(w);
        assert_true(c.begun == begun && c.ended == ended && c.touching == c.all_begun - c.all_ended);
    }
    return h;
}

static void same_stream(void **state)
{
    (void)state;
    uint64_t first = 0;
    for (const int *lanes = pl_lane_widths(); *lanes; lanes++)
        for (int threads = 1; threads <= 3; threads += 2)
        {
            static uint8_t touching[216 * 512];
            memset(touching, 0, sizeof touching);
            pl_world *w = box_of_grains(threads, *lanes);
            watch(w, true);
            uint64_t h = play_events(w, 60, touching);
            assert_true(pl_world_contact_counts(w).all_ended > 100);
            first = first ? first : h;
            assert_true(h == first);
            pl_world_destroy(w);
        }
}

// Watching changes nothing, and what touches at the end is what lies within reach.
static void only_looks(void **state)
{
    (void)state;
    pl_world *w = box_of_grains(1, 4), *plain = box_of_grains(1, 4);
    watch(w, false);
    static uint8_t touching[216 * 512];
    memset(touching, 0, sizeof touching);
    play_events(w, 150, touching);
    steps(plain, 150, 1.0 / 60);
    assert_true(pl_world_hash(w) == pl_world_hash(plain));
    assert_int_equal(pl_contact_events(plain, told, MOST), 0);
    assert_int_equal(pl_world_contact_counts(w).touching, pl_world_penetration(w).contacts);
    int found = 0;
    for (int a = 0; a < 216; a++)
        for (int b = a + 1; b < 216; b++)
        {
            pl_vec3 p = where(w, a), q = where(w, b);
            double x = p.x - q.x, y = p.y - q.y, z = p.z - q.z, far = sqrt(x * x + y * y + z * z) / 0.1;
            if (touching[a * 512 + b])
            {
                below("distance of two that touch, in reaches", far, 1.001);
                found++;
            }
            else
            {
                below("overlap of two that do not, in reaches", 1.0 - far, 1e-3);
            }
        }
    assert_true(found > 200);
    pl_world_destroy(w);
    pl_world_destroy(plain);
}

static void resumes(void **state)
{
    (void)state;
    static uint8_t touching[216 * 512], again[216 * 512];
    memset(touching, 0, sizeof touching);
    pl_world *w = box_of_grains(1, 8), *loaded;
    pl_world_def def = pl_default_world_def();
    def.threads = 2;
    def.lanes = 4;
    watch(w, true);
    for (int part = 0; part < 3; part++)
    {
        play_events(w, 17, touching);
        void *data;
        size_t size;
        good(pl_world_save_memory(w, &data, &size));
        good(pl_world_load_memory(&def, data, size, &loaded));
        pl_free(data);
        assert_int_equal(pl_contact_events(loaded, told, MOST), 0);
        memcpy(again, touching, sizeof touching);
        uint64_t there = play_events(loaded, 10, again), here = play_events(w, 10, touching);
        assert_true(there == here);
        assert_memory_equal(again, touching, sizeof touching);
        assert_int_equal(pl_world_contact_counts(loaded).all_begun, pl_world_contact_counts(w).all_begun);
        pl_world_destroy(loaded);
    }
    pl_world_destroy(w);
}

// ---- filters and edits ---------------------------------------------------------------------------------------------

// Three towers of two grains, each an object: two on a floor, the third on a block that rises a little out of it.
static void filters(void **state)
{
    (void)state;
    pl_world *w = make_world(10, 2);
    pl_id tower[3], floor[2];
    for (int i = 0; i < 3; i++)
    {
        const float x[6] = {(float)i, 0.101f, 0, (float)i, 0.3009f, 0};
        tower[i] = add_grains(w, 2, x, NULL, 0.1);
    }
    floor[0] = add_plane(w, (pl_vec3){0, 0, 0}, 0, 1, 0);
    pl_shape_def box = pl_default_shape_def();
    box.kind = PL_SHAPE_BOX;
    box.position = (pl_vec3){2, -0.499f, 0};
    box.half = (pl_vec3){0.4f, 0.5f, 0.4f};
    good(pl_add_shape(w, &box, &floor[1]));
    pl_phase phase = pl_default_phase();
    phase.group = 7;
    phase.mask = 6;
    good(pl_set_phase(w, 2, 2, &phase));
    steps(w, 30, 1.0 / 60);

    pl_watch_def def = pl_default_watch_def();
#define TOUCHING(count)                                                                                                \
    do                                                                                                                 \
    {                                                                                                                  \
        good(pl_watch_contacts(w, &def));                                                                              \
        steps(w, 1, 1.0 / 60);                                                                                         \
        assert_int_equal(pl_world_contact_counts(w).touching, count);                                                  \
        assert_int_equal(events_of(w), count);                                                                         \
    }                                                                                                                  \
    while (0)
    TOUCHING(3 + 3);
    def.shapes = false;
    TOUCHING(3);
    def.shapes = true, def.particles = false;
    TOUCHING(3);
    def.particles = true, def.object = tower[1];
    TOUCHING(2);
    def.shape = floor[1];
    TOUCHING(0);
    def.object = tower[2];
    TOUCHING(1);
    assert_true(told[0].a == 4 && told[0].shape.index == floor[1].index);
    def = pl_default_watch_def();
    def.mask = 1; // the second tower is on other channels
    TOUCHING(4);
    def.mask = 2;
    TOUCHING(6);

    // What is removed ends without a word; the rest goes on.
    good(pl_remove(w, tower[0]));
    good(pl_remove(w, floor[1]));
    assert_int_equal(pl_world_contact_counts(w).touching, 3);
    steps(w, 1, 1.0 / 60);
    for (int i = 0; i < events_of(w); i++)
        assert_true(told[i].a >= 4); // the second tower stands as before
    int64_t ended = pl_world_contact_counts(w).all_ended;
    // The floor goes down: the second tower leaves it.
    good(pl_set_shape_pose(w, floor[0], (pl_vec3){0, -1, 0}, (pl_quat){0, 0, 0, 1}));
    steps(w, 2, 1.0 / 60);
    assert_true(pl_world_contact_counts(w).all_ended > ended);

    pl_contact_counts now = pl_world_contact_counts(w);
    def.mask = 256;
    refused(pl_watch_contacts(w, &def), PL_ERROR_ARGUMENT, "mask is 256; it must be from 0 to 255");
    def.mask = 255, def.object = tower[0];
    refused(pl_watch_contacts(w, &def), PL_ERROR_ARGUMENT, "names nothing");
    def.object = floor[0];
    refused(pl_watch_contacts(w, &def), PL_ERROR_ARGUMENT, "it must name an object");
    refused(pl_watch_contacts(NULL, &def), PL_ERROR_ARGUMENT, "world is NULL");
    assert_int_equal(pl_world_contact_counts(w).all_begun, now.all_begun);
    good(pl_watch_contacts(w, NULL));
    steps(w, 1, 1.0 / 60);
    assert_int_equal(events_of(w), 0);
    assert_int_equal(pl_contact_events(NULL, told, MOST), 0);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fall),      cmocka_unit_test(bounces),    cmocka_unit_test(a_collision),
        cmocka_unit_test(same_stream), cmocka_unit_test(only_looks), cmocka_unit_test(resumes),
        cmocka_unit_test(filters),
    };
    return cmocka_run_group_tests_name("events", tests, NULL, NULL);
}
