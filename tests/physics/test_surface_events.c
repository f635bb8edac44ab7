// test_surface_events.c: who presses on whose skin: begins, presses as hard as mechanics says, and ends; the same
// stream whoever computes it.
#include "crossings.h"
#include "events.h"

#define THICK 0.01f
#define RADIUS 0.02

static int first_of(const pl_world *w, pl_id id)
{
    int first, count;
    good(pl_object_range(w, id, &first, &count));
    return first;
}

static bool is_of(const pl_world *w, pl_id id, int particle)
{
    int first, count;
    good(pl_object_range(w, id, &first, &count));
    return particle >= first && particle < first + count;
}

// A level sheet of n x n particles, 1 m wide, held at its corners or everywhere.
static pl_id add_level(pl_world *w, int n, double y, bool held)
{
    pl_id id = add_sheet(w, n, (pl_vec3){-0.5f, (float)y, -0.5f}, (pl_vec3){1.0f, 0.0f, 0.0f},
                         (pl_vec3){0.0f, 0.0f, 1.0f}, THICK);
    const float none = 0.0f;
    int first = first_of(w, id);
    for (int i = 0; i < n * n; i++)
        if (held || i == 0 || i == n - 1 || i == n * (n - 1) || i == n * n - 1)
            good(pl_set(w, PL_ATTRIBUTE_MASS, first + i, 1, &none));
    return id;
}

// ---- forces --------------------------------------------------------------------------------------------------------

// Three grains come to rest in a hammock: what its triangles give them is their weight, each told once.
static void a_hammock_carries(void **state)
{
    (void)state;
    pl_world *w = make_world(20, 2);
    change(w, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 4.0);
    frictions(w, 0.8, 0.7, 0.0, 1.0);
    pl_id cloth = add_level(w, 9, 0.0, false);
    const float x[9] = {0.0f, 0.05f, 0.0f, 0.21f, 0.05f, 0.03f, -0.17f, 0.05f, 0.11f}, mass[3] = {0.05f, 0.03f, 0.04f};
    int first = first_of(w, add_grains(w, 3, x, mass, RADIUS));
    watch(w, true);
    steps(w, 240, 1.0 / 60);
    double force[3] = {0}, impulse[3] = {0}, on_all = 0.0;
    int seen = 0;
    for (int f = 0; f < 60; f++)
    {
        steps(w, 1, 1.0 / 60);
        for (int i = 0; i < events_of(w); i++)
        {
            const pl_contact_event *e = &told[i];
            if (e->kind != PL_CONTACT_SURFACE)
                continue;
            assert_true(e->phase == PL_CONTACT_STAY && e->a >= first && e->a < first + 3);
            assert_true(e->object.index == cloth.index && e->object.generation == cloth.generation);
            assert_true(e->shape.index == 0 && is_of(w, cloth, e->b));
            pl_vec3 particle = where(w, e->a), corner = where(w, e->b);
            near("from the grain to the point", particle.y - e->point.y, RADIUS * (double)e->normal.y, 1e-4);
            below("from the point to the nearest corner", hypot(corner.x - e->point.x, corner.z - e->point.z), 0.09);
            force[e->a - first] = e->force.y;
            impulse[e->a - first] += e->impulse.y;
            seen++;
        }
    }
    assert_int_equal(seen, 3 * 60);
    for (int i = 0; i < 3; i++)
    {
        near("force on a grain", force[i], mass[i] * GRAVITY, 0.02 * mass[i] * GRAVITY);
        near("impulse in a second", impulse[i], mass[i] * GRAVITY, 0.01 * mass[i] * GRAVITY);
        on_all += force[i];
    }
    near("force on all", on_all, 0.12 * GRAVITY, 0.0012 * GRAVITY);
    pl_world_destroy(w);
}

// A loose sheet comes to rest on one that is held: each of the two tells its own side, and the sides are equal.
static void a_sheet_lies_on_a_sheet(void **state)
{
    (void)state;
    pl_world *w = make_world(20, 2);
    change(w, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 4.0);
    frictions(w, 0.8, 0.7, 0.0, 1.0);
    pl_id lower = add_level(w, 5, 0.0, true);
    pl_id upper = add_sheet(w, 8, (pl_vec3){-0.33f, 0.02f, -0.31f}, (pl_vec3){0.61f, 0.0f, 0.02f},
                            (pl_vec3){-0.02f, 0.0f, 0.63f}, THICK);
    float mass[64];
    double weight = 0.0, up = 0.0, down = 0.0;
    good(pl_get(w, PL_ATTRIBUTE_MASS, first_of(w, upper), 64, mass));
    for (int i = 0; i < 64; i++)
        weight += (double)mass[i] * GRAVITY;
    watch(w, true);
    steps(w, 180, 1.0 / 60);
    for (int f = 0; f < 30; f++)
    {
        steps(w, 1, 1.0 / 60);
        for (int i = 0; i < events_of(w); i++)
        {
            bool above = is_of(w, upper, told[i].a);
            assert_true(told[i].kind == PL_CONTACT_SURFACE && told[i].object.index == (above ? lower : upper).index);
            assert_true(is_of(w, above ? lower : upper, told[i].b));
            *(above ? &up : &down) += told[i].impulse.y / (30.0 / 60.0);
            assert_true((above ? told[i].normal.y : -told[i].normal.y) > 0.9f);
        }
    }
    near("force on the sheet above", up, weight, 0.01 * weight);
    near("force on the sheet below", down, -up, 1e-3 * weight);
    pl_world_destroy(w);
}

// ---- begin and end -------------------------------------------------------------------------------------------------

// Over a corner of the mesh, where eight triangles meet: a bounce begins once and ends once.
static void bounces_begin_and_end_once(void **state)
{
    (void)state;
    pl_world *w = make_world(20, 1);
    frictions(w, 0.5, 0.4, 0.7, 1.0);
    pl_id cloth = add_level(w, 5, 0.0, true);
    const float x[6] = {0.0f, 0.6f, 0.0f, 0.13f, 0.8f, 0.1f};
    int first = first_of(w, add_grains(w, 2, x, NULL, RADIUS));
    watch(w, false);
    int begun[2] = {0}, ended[2] = {0}, turns[2] = {0};
    double before[2] = {0};
    for (int f = 0; f < 85; f++)
    {
        steps(w, 1, 1.0 / 60);
        for (int g = 0; g < 2; g++)
        {
            double now = velocity_of(w, first + g).y;
            turns[g] += now > before[g] + 0.5;
            before[g] = now;
        }
        for (int i = 0; i < events_of(w); i++)
        {
            const pl_contact_event *e = &told[i];
            assert_true(e->kind == PL_CONTACT_SURFACE && e->object.index == cloth.index && e->a >= first);
            assert_true(e->phase == PL_CONTACT_BEGIN ? e->force.y > 10.0f : e->force.y == 0.0f);
            near("normal", e->normal.y, 1.0, 1e-4);
            assert_true(is_of(w, cloth, e->b));
            begun[e->a - first] += e->phase == PL_CONTACT_BEGIN;
            ended[e->a - first] += e->phase == PL_CONTACT_END;
        }
    }
    for (int g = 0; g < 2; g++)
        assert_true(turns[g] >= 3 && begun[g] == turns[g] && ended[g] == turns[g]);
    pl_world_destroy(w);
}

// Plays, and holds every event against a plain set of who touches: nothing begins twice.
static uint64_t play_events(pl_world *w, int frames, uint8_t *touching)
{
    uint64_t h = 14695981039346656037u;
    for (int f = 0; f < frames; f++)
    {
        steps(w, 1, 1.0 / 60);
        int count = events_of(w);
        for (int i = 0; i < count; i++)
        {
            const pl_contact_event *e = &told[i];
            int other = (int)(e->kind == PL_CONTACT_SURFACE ? e->object.index : e->shape.index),
                key[4] = {e->kind, e->a, e->b, other};
            if (e->kind != PL_CONTACT_PARTICLES)
            {
                uint8_t *was = &touching[(2 * e->a + (e->kind == PL_CONTACT_SURFACE)) * 16 + other];
                assert_int_equal(*was, e->phase != PL_CONTACT_BEGIN);
                *was = e->phase != PL_CONTACT_END;
            }
            if (i && e[-1].kind == e->kind)
                assert_true(e[-1].a <= e->a);
            const unsigned char *bytes = (const unsigned char *)&e->force;
            for (size_t k = 0; k < sizeof key; k++)
                h = (h ^ ((const unsigned char *)key)[k]) * 1099511628211u;
            for (size_t k = 0; k < 4 * sizeof e->force; k++)
                h = (h ^ bytes[k]) * 1099511628211u;
        }
        pl_contact_counts c = pl_world_contact_counts(w);
        assert_int_equal(c.touching, c.all_begun - c.all_ended);
    }
    return h;
}

// A strip like a hairpin: the upper leg is thrown onto the lower, and taken off again.
static void a_fold_begins_and_ends(void **state)
{
    (void)state;
    enum
    {
        LONG = 24,
        WIDE = 4,
        LEG = 10,
    };
    pl_world *w = make_world(10, 2);
    weightless(w);
    frictions(w, 0.2, 0.2, 0.0, 0.0);
    pl_cloth_def def = pl_default_cloth_def();
    pl_id id;
    def.columns = LONG;
    def.rows = WIDE;
    def.u = (pl_vec3){0.02f * (LONG - 1), 0.0f, 0.0f};
    def.v = (pl_vec3){0.0f, 0.0f, 0.06f};
    def.mass = 0.1f;
    def.thickness = THICK;
    good(pl_add_cloth(w, &def, &id));
    float x[3 * LONG * WIDE], v[3 * LONG * WIDE] = {0};
    int first = first_of(w, id);
    good(pl_get(w, PL_ATTRIBUTE_POSITION, first, LONG * WIDE, x));
    const double turn = 3.14159265358979 / (LONG - 2 * LEG + 1), r = 0.02 / turn;
    for (int i = 0; i < LONG * WIDE; i++)
    {
        int at = i % LONG;
        double angle = turn * (at - LEG + 1);
        bool below = at < LEG, above = at >= LONG - LEG;
        x[3 * i] = (float)(below ? 0.02 * at : above ? 0.02 * (LONG - 1 - at) : 0.02 * (LEG - 1) + r * sin(angle));
        x[3 * i + 1] = (float)(below ? 0.0 : above ? 2.0 * r : r - r * cos(angle));
        v[3 * i + 1] = above ? -0.3f : 0.0f;
    }
    good(pl_set(w, PL_ATTRIBUTE_POSITION, first, LONG * WIDE, x));
    good(pl_set(w, PL_ATTRIBUTE_VELOCITY, first, LONG * WIDE, v));
    watch(w, false);
    static uint8_t touching[2 * LONG * WIDE * 16];
    memset(touching, 0, sizeof touching);
    int most = 0;
    for (int f = 0; f < 30; f++)
    {
        play_events(w, 1, touching);
        most = pl_world_contact_counts(w).touching > most ? (int)pl_world_contact_counts(w).touching : most;
        for (int i = 0; i < events_of(w); i++)
            assert_true(told[i].object.index == id.index && is_of(w, id, told[i].a) && is_of(w, id, told[i].b));
    }
    assert_true(most > 10);
    for (int i = 0; i < LONG * WIDE; i++)
        v[3 * i + 1] = i % LONG >= LONG - LEG ? 0.5f : 0.0f;
    good(pl_set(w, PL_ATTRIBUTE_VELOCITY, first, LONG * WIDE, v));
    for (int f = 0; f < 60 && pl_world_contact_counts(w).touching > 0; f++)
        play_events(w, 1, touching);
    pl_contact_counts c = pl_world_contact_counts(w);
    assert_true(c.touching == 0 && c.all_begun == c.all_ended && c.all_begun >= most);
    assert_int_equal(count_crossings(w), 0);
    pl_world_destroy(w);
}

// ---- bits ----------------------------------------------------------------------------------------------------------

enum
{
    GRAINS = 12,
    ALL = 2 * 100 + GRAINS,
};

// Two sheets fall upon each other and the floor, and grains upon both.
static pl_world *heap(int threads, int lanes)
{
    pl_world_def def = pl_default_world_def();
    pl_world *w;
    def.threads = threads;
    def.lanes = lanes;
    def.settings.substeps = 6;
    good(pl_world_create(&def, &w));
    for (int i = 0; i < 2; i++)
        add_sheet(w, 10, (pl_vec3){-0.3f, 0.06f + 0.05f * (float)i, -0.3f}, (pl_vec3){0.6f, 0.02f, 0.0f},
                  (pl_vec3){0.01f, 0.0f, 0.6f}, THICK);
    float x[3 * GRAINS];
    for (int i = 0; i < GRAINS; i++)
        x[3 * i] = 0.05f * (float)(i % 4) - 0.1f, x[3 * i + 1] = 0.2f, x[3 * i + 2] = 0.06f * (float)(i / 4) - 0.05f;
    add_grains(w, GRAINS, x, NULL, RADIUS);
    add_plane(w, (pl_vec3){0, 0, 0}, 0, 1, 0);
    watch(w, true);
    return w;
}

static void same_stream(void **state)
{
    (void)state;
    uint64_t first = 0;
    for (const int *lanes = pl_lane_widths(); *lanes; lanes++)
        for (int threads = 1; threads <= 3; threads += 2)
        {
            static uint8_t touching[2 * ALL * 16];
            memset(touching, 0, sizeof touching);
            pl_world *w = heap(threads, *lanes);
            uint64_t h = play_events(w, 40, touching);
            assert_true(pl_world_contact_counts(w).all_ended > 100);
            first = first ? first : h;
            assert_true(h == first);
            pl_world_destroy(w);
        }
}

// Saved while sheets and grains press, and gone on with: the same events; and watching changes no bits.
static void resumes(void **state)
{
    (void)state;
    static uint8_t touching[2 * ALL * 16], again[2 * ALL * 16];
    memset(touching, 0, sizeof touching);
    pl_world *w = heap(1, 0), *plain = heap(1, 0);
    good(pl_watch_contacts(plain, NULL));
    for (int part = 0; part < 3; part++)
    {
        play_events(w, 9, touching);
        void *data;
        size_t size;
        pl_world *loaded;
        pl_world_def def = pl_default_world_def();
        def.threads = 2;
        def.lanes = 1;
        good(pl_world_save_memory(w, &data, &size));
        good(pl_world_load_memory(&def, data, size, &loaded));
        pl_free(data);
        memcpy(again, touching, sizeof touching);
        uint64_t there = play_events(loaded, 8, again), here = play_events(w, 8, touching);
        assert_true(there == here);
        assert_memory_equal(again, touching, sizeof touching);
        pl_world_destroy(loaded);
    }
    steps(plain, 3 * 17, 1.0 / 60);
    assert_true(pl_world_hash(w) == pl_world_hash(plain));
    pl_world_destroy(w);
    pl_world_destroy(plain);
}

// ---- filters and edits ---------------------------------------------------------------------------------------------

static int64_t touching_with(pl_world *w, const pl_watch_def *def)
{
    good(pl_watch_contacts(w, def));
    steps(w, 1, 1.0 / 60);
    return pl_world_contact_counts(w).touching;
}

static void filters(void **state)
{
    (void)state;
    pl_world *w = make_world(10, 2);
    pl_id cloth[2], grains[2];
    for (int i = 0; i < 2; i++)
    {
        cloth[i] = add_level(w, 4, 0.5 * i, true);
        const float x[6] = {-0.2f, 0.5f * (float)i + 0.0249f, 0.1f, 0.2f, 0.5f * (float)i + 0.0249f, 0.1f};
        grains[i] = add_grains(w, 2, x, NULL, RADIUS);
    }
    pl_phase phase = pl_default_phase();
    phase.group = 9;
    phase.mask = 6;
    good(pl_set_phase(w, first_of(w, grains[1]), 2, &phase));
    pl_id floor = add_plane(w, (pl_vec3){0, -1, 0}, 0, 1, 0);
    steps(w, 30, 1.0 / 60);
    pl_watch_def def = pl_default_watch_def();
    assert_int_equal(touching_with(w, &def), 4);
    def.surfaces = false;
    assert_int_equal(touching_with(w, &def), 0);
    def.surfaces = true, def.object = cloth[1];
    assert_int_equal(touching_with(w, &def), 2);
    def.object = grains[0];
    assert_int_equal(touching_with(w, &def), 2);
    def.object = (pl_id){0, 0}, def.shape = floor;
    assert_int_equal(touching_with(w, &def), 0);
    def = pl_default_watch_def();
    def.mask = 0;
    assert_int_equal(touching_with(w, &def), 0);

    // What is removed ends without a word; the rest goes on.
    def.mask = 255;
    assert_int_equal(touching_with(w, &def), 4);
    good(pl_remove(w, cloth[1]));
    assert_int_equal(pl_world_contact_counts(w).touching, 2);
    steps(w, 5, 1.0 / 60);
    assert_true(pl_world_contact_counts(w).touching == 2 && pl_world_contact_counts(w).all_ended == 0);
    // Lifted off, a grain parts.
    set_velocity(w, first_of(w, grains[0]), 0.0, 2.0, 0.0);
    steps(w, 2, 1.0 / 60);
    assert_true(pl_world_contact_counts(w).touching == 1 && pl_world_contact_counts(w).all_ended == 1);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hammock_carries),
        cmocka_unit_test(a_sheet_lies_on_a_sheet),
        cmocka_unit_test(bounces_begin_and_end_once),
        cmocka_unit_test(a_fold_begins_and_ends),
        cmocka_unit_test(same_stream),
        cmocka_unit_test(resumes),
        cmocka_unit_test(filters),
    };
    return cmocka_run_group_tests_name("skin events", tests, NULL, NULL);
}
