// test_piles.c: many contacts: piles come to rest and stay, their slope follows friction, and their bits do not depend on who
// computes them or on whether they were saved on the way.
// long: too
#include "support/long.h"
#include "contact.h"

static void pile_rests(void **state)
{
    (void)state;
    pl_world *w = make_world(8, 1);
    frictions(w, 0.6, 0.4, 0, 1);
    fill_box(w, 16, 10, 0.1, NULL);
    steps(w, 300, 1.0 / 60);
    int count = pl_particle_end(w);
    float *before = malloc((size_t)count * 3 * sizeof *before), *after = malloc((size_t)count * 3 * sizeof *after);
    good(pl_get(w, PL_ATTRIBUTE_POSITION, 0, count, before));
    double most = 0.0;
    for (int second = 0; second < 10; second++)
    {
        steps(w, 60, 1.0 / 60);
        below("kinetic energy at rest, J/kg", kinetic_per_mass(w), 1e-6);
    }
    good(pl_get(w, PL_ATTRIBUTE_POSITION, 0, count, after));
    for (int i = 0; i < count; i++)
    {
        double x = after[3 * i] - before[3 * i], y = after[3 * i + 1] - before[3 * i + 1],
               z = after[3 * i + 2] - before[3 * i + 2];
        double far = sqrt(x * x + y * y + z * z);
        most = far > most ? far : most;
    }
    below("creep in 10 s, radii", most / 0.1, 0.02);
    pl_penetration p = pl_world_penetration(w);
    below("mean overlap", p.mean, 0.005);
    below("greatest overlap", p.max, 0.06);
    assert_true(p.contacts > count);
    free(before);
    free(after);
    pl_world_destroy(w);
}

static void light_and_heavy(void **state)
{
    (void)state;
    pl_world *w = make_world(10, 2);
    frictions(w, 0.6, 0.4, 0, 0);
    enum
    {
        COUNT = 12 * 12 * 10,
    };
    float mass[COUNT];
    for (int i = 0; i < COUNT; i++)
    {
        mass[i] = scramble((uint32_t)i) & 1 ? 50.0f : 1.0f;
    }
    fill_box(w, 12, 10, 0.1, mass);
    steps(w, 300, 1.0 / 60);
    pl_penetration p = pl_world_penetration(w);
    below("mean overlap of masses 1:50", p.mean, 0.02);
    below("greatest", p.max, 0.3);
    below("kinetic energy, J/kg", kinetic_per_mass(w), 1e-4);
    pl_world_destroy(w);
}

// The slope of a heap, as it is measured in a laboratory: grains settle in a smooth tube, which is then taken away. The slope is
// fitted to the heap's height over the distance from the axis, between a fifth and four fifths of its foot.
static double repose(double mu, double rolling)
{
    enum
    {
        SIDE = 12,
        HIGH = 21,
        COUNT = SIDE * SIDE * HIGH,
    };
    static float x[3 * COUNT];
    const double r = 0.05;
    pl_world *w = make_world(8, 1);
    frictions(w, mu, mu * 2 / 3, 0, rolling);
    int smooth;
    const pl_material none = {.static_friction = 0.0f};
    good(pl_add_material(w, &none, &smooth));
    good(pl_set_material_pair(w, 0, smooth, &none));
    pl_shape_def tube = pl_default_shape_def();
    tube.kind = PL_SHAPE_CAPSULE;
    tube.inside = true;
    tube.radius = 0.8f;
    tube.length = 10.0f;
    tube.material = smooth;
    pl_id lifted;
    good(pl_add_shape(w, &tube, &lifted));
    int count = 0;
    for (int i = 0; i < COUNT; i++)
    {
        int layer = i / (SIDE * SIDE), in = i % (SIDE * SIDE);
        double shift = layer % 2 ? 0.6 * r : -0.6 * r;
        double px = 2.5 * r * (in % SIDE - 0.5 * SIDE + 0.5) + shift + 0.4 * r * jitter(i, 0);
        double pz = 2.5 * r * (in / SIDE - 0.5 * SIDE + 0.5) + shift + 0.4 * r * jitter(i, 2);
        if (px * px + pz * pz > 0.7 * 0.7)
            continue;
        x[3 * count] = (float)px, x[3 * count + 2] = (float)pz;
        x[3 * count + 1] = (float)(1.2 * r + 2.5 * r * layer + 0.4 * r * jitter(i, 1));
        count++;
    }
    add_grains(w, count, x, NULL, r);
    for (int i = 0; i < count; i++) // stirred, or layer would come to lie on layer as in a crystal
    {
        set_velocity(w, i, 4.0 * jitter(i, 3), 4.0 * jitter(i, 4), 4.0 * jitter(i, 5));
    }
    add_plane(w, (pl_vec3){0, 0, 0}, 0, 1, 0);
    steps(w, 90, 1.0 / 60);
    good(pl_remove(w, lifted));
    steps(w, 510, 1.0 / 60);
    good(pl_get(w, PL_ATTRIBUTE_POSITION, 0, count, x));
    // The height over the distance from the axis: the highest grain of each of eight sectors of a ring, averaged.
    enum
    {
        RINGS = 64,
        SECTORS = 8,
    };
    double peak[RINGS][SECTORS] = {{0}}, top[RINGS] = {0}, width = 2.5 * r;
    for (int i = 0; i < count; i++)
    {
        double far = sqrt((double)x[3 * i] * x[3 * i] + (double)x[3 * i + 2] * x[3 * i + 2]);
        int ring = (int)(far / width);
        int sector = (x[3 * i] > 0) + 2 * (x[3 * i + 2] > 0) + 4 * (fabsf(x[3 * i]) > fabsf(x[3 * i + 2]));
        if (ring < RINGS && x[3 * i + 1] > peak[ring][sector])
        {
            peak[ring][sector] = x[3 * i + 1];
        }
    }
    for (int i = 0; i < RINGS * SECTORS; i++)
    {
        top[i / SECTORS] += peak[i / SECTORS][i % SECTORS] / SECTORS;
    }
    int foot = 0;
    while (foot < RINGS - 1 && top[foot] > 1.5 * r)
    {
        foot++;
    }
    int from = foot / 5, to = foot - foot / 5;
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int k = from; k < to; k++)
    {
        double d = (k + 0.5) * width;
        n++, sx += d, sy += top[k], sxx += d * d, sxy += d * top[k];
    }
    double slope = n > 1 ? -(n * sxy - sx * sy) / (n * sxx - sx * sx) : 0.0;
    double angle = atan(slope) * 180.0 / 3.14159265358979;
    printf("mu %.2f rolling %.2f: %.1f degrees, foot %d rings, top %.2f, %d grains, kinetic %.2g J/kg\n", mu, rolling,
           angle, foot, top[0], count, kinetic_per_mass(w));
    pl_world_destroy(w);
    return foot < 3 ? 0.0 : angle;
}

static void slope_follows_friction(void **state)
{
    (void)state;
    double low = repose(0.3, 0.5), high = repose(0.6, 0.5);
    assert_true(high > low + 2.0 && high > 22.0 && high < 40.0);
    if (!is_long())
        return;
    double flat = repose(0.0, 0.5), middle = repose(0.45, 0.5);
    below("the slope without friction", flat, 3.0);
    assert_true(low > flat + 2.0 && middle > low && high > middle);
    assert_true(repose(0.6, 0.0) < repose(0.6, 1.0));
}

static uint64_t run_box(int threads, int lanes, int frames)
{
    pl_world *w = make_world(8, 1);
    frictions(w, 0.6, 0.4, 0.2, 0);
    fill_box(w, 10, 10, 0.1, NULL);
    good(pl_world_set_workers(w, threads, lanes));
    steps(w, frames, 1.0 / 60);
    uint64_t hash = pl_world_hash(w);
    pl_world_destroy(w);
    return hash;
}

static void same_bits(void **state)
{
    (void)state;
    uint64_t hash = run_box(1, 1, 40);
    for (const int *lanes = pl_lane_widths(); *lanes; lanes++)
    {
        static const int threads[] = {1, 2, 3, 8};
        for (int t = 0; t < 4; t++)
        {
            assert_int_equal(run_box(threads[t], *lanes, 40), hash);
        }
    }
}

// Saved in flight, while lists are made in almost every substep, and at rest, when none is made.
static void resumes(void **state)
{
    (void)state;
    static const int when[] = {3, 17, 40, 200};
    for (int k = 0; k < 4; k++)
    {
        pl_world *w = make_world(8, 1), *again;
        frictions(w, 0.6, 0.4, 0.2, 0);
        fill_box(w, 10, 10, 0.1, NULL);
        pl_shape_def drum = pl_default_shape_def();
        drum.kind = PL_SHAPE_CAPSULE;
        drum.radius = 0.2f;
        drum.position = (pl_vec3){0, 0.5f, 0};
        drum.spin = (pl_vec3){0.3f, 0, 1};
        good(pl_add_shape(w, &drum, NULL));
        steps(w, when[k], 1.0 / 60);
        void *data;
        size_t size;
        good(pl_world_save_memory(w, &data, &size));
        pl_world_def def = pl_default_world_def();
        def.threads = 2;
        good(pl_world_load_memory(&def, data, size, &again));
        assert_int_equal(pl_world_hash(again), pl_world_hash(w));
        for (int f = 0; f < 20; f++)
        {
            steps(w, 1, 1.0 / 60);
            steps(again, 1, 1.0 / 60);
            assert_int_equal(pl_world_hash(again), pl_world_hash(w));
        }
        pl_free(data);
        pl_world_destroy(w);
        pl_world_destroy(again);
    }
}

// New particles and removed ones do not disturb those that rest.
static void edits_keep_contacts(void **state)
{
    (void)state;
    pl_world *w = make_world(8, 1);
    frictions(w, 0.6, 0.4, 0, 0);
    fill_box(w, 10, 8, 0.1, NULL);
    steps(w, 300, 1.0 / 60);
    const float far[3] = {0, 50, 0};
    pl_id id = add_grains(w, 1, far, NULL, 0.1);
    steps(w, 1, 1.0 / 60);
    good(pl_remove(w, id));
    steps(w, 2, 1.0 / 60);
    below("kinetic energy after an edit, J/kg", kinetic_per_mass(w), 1e-6);
    assert_true(pl_world_penetration(w).contacts > 800);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pile_rests), cmocka_unit_test(light_and_heavy), cmocka_unit_test(slope_follows_friction),
        cmocka_unit_test(same_bits),  cmocka_unit_test(resumes),         cmocka_unit_test(edits_keep_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
