// test_heightfield.c: ground against looking at every triangle, in double; deep below, beside, fast through; refusals.
#include "collide.h"
#include "collide/heightfield.h"

enum
{
    COLUMNS = 24,
    ROWS = 17,
};

static heightfield ground(memory *m, float rough, float spacing)
{
    static float h[COLUMNS * ROWS];
    for (int i = 0; i < COLUMNS * ROWS; i++)
        h[i] = uniform(-rough, rough);
    heightfield_def def = {"shape 'ground'", h, COLUMNS, ROWS, {-1.0f, 2.0f}, {spacing, 1.3f * spacing}};
    heightfield f;
    good(heightfield_build(m, &def, &f));
    return f;
}

static double nearest_of_all(const heightfield *f, dvec x)
{
    double best = 1e300;
    for (int j = 0; j + 1 < f->size[1]; j++)
        for (int i = 0; i + 1 < f->size[0]; i++)
            for (int half = 0; half < 2; half++)
            {
                vec t[3];
                dvec on;
                field_triangle(f, i, j, half, t);
                best = fmin(best, twin_point_triangle(x, d_of(t[0]), d_of(t[1]), d_of(t[2]), &on));
            }
    return best;
}

static vec over(const heightfield *f, float part)
{
    float x = uniform(-part, 1.0f + part), z = uniform(-part, 1.0f + part);
    return vec_of(f->origin[0] + x * f->spacing[0] * (float)(COLUMNS - 1), uniform(-1.5f, 1.5f),
                  f->origin[1] + z * f->spacing[1] * (float)(ROWS - 1));
}

static void probes(void **state)
{
    (void)state;
    memory m = open_memory();
    for (int n = 0; n < 6; n++)
    {
        heightfield f = ground(&m, n % 2 ? 1.0f : 0.1f, n < 3 ? 0.1f : 1.0f);
        int found, below = 0;
        for (int k = 0; k < 1500; k++)
        {
            vec x = over(&f, k % 5 ? 0.0f : 0.2f), normal;
            if (k % 11 == 0)
                x = field_corner(&f, one_of(COLUMNS), one_of(ROWS));
            surface_distance s = field_probe(&f, x, 100.0f, &found);
            double exact = nearest_of_all(&f, d_of(x));
            int inside = field_covers(&f, x) && x.y < field_height(&f, x, &normal);
            check(found, "nothing found");
            check(fabs((double)fabsf(s.distance) - exact) < 4e-6, "%g, exact %g", (double)s.distance, exact);
            check(exact < 1e-5 || (s.distance < 0.0f) == inside, "the side is wrong at %g", (double)s.distance);
            check(fabsf(square(s.normal) - 1.0f) < 1e-5f, "a normal of length %g", (double)length(s.normal));
            dvec on = d_sub(d_of(x), d_times((double)s.distance, d_of(s.normal)));
            check(nearest_of_all(&f, on) < 1e-5, "the surface is not where it is told to be");
            below += inside;
            surface_distance near_by = field_probe(&f, x, 0.05f, &found); // a short reach
            if (inside)
                check(found && near_by.distance <= 0.0f, "lost below the ground");
            else if (exact > 0.0501)
                check(!found && near_by.distance == 0.05f, "found %d at %g", found, (double)near_by.distance);
            else if (exact < 0.0499)
                check(found && fabs((double)near_by.distance - exact) < 4e-6, "%g, exact %g", (double)near_by.distance,
                      exact);
        }
        check(below > 300, "only %d below", below);
        vec deep = vec_of(f.origin[0] + f.spacing[0], -500.0f, f.origin[1] + f.spacing[1]);
        surface_distance s = field_probe(&f, deep, 0.1f, &found); // however deep: up
        check(found && s.distance < -490.0f && s.normal.y == 1.0f, "deep below: %g", (double)s.distance);
        heightfield_free(&m, &f);
    }
    assert_int_equal(m.bytes, 0);
}

static void lines(void **state)
{
    (void)state;
    memory m = open_memory();
    int hits = 0;
    for (int n = 0; n < 6; n++)
    {
        heightfield f = ground(&m, n % 2 ? 1.0f : 0.1f, n < 3 ? 0.1f : 1.0f);
        for (int k = 0; k < 1000; k++)
        {
            vec from = over(&f, 0.2f), to = over(&f, 0.2f);
            if (k % 3 == 0)
                to = vec_of(from.x, -from.y, from.z);
            float radius = k % 2 ? -1.0f : uniform(0.0f, 0.2f);
            bvh_hit a = field_line(&f, from, to, radius),
                    all_of_it = {-1, 1.0f, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
            for (int j = 0; j + 1 < ROWS; j++)
                for (int i = 0; i + 1 < COLUMNS; i++)
                    field_line_cell(&f, i, j, from, to, radius, &all_of_it);
            check(a.slot == all_of_it.slot && a.time == all_of_it.time, "told %d at %g, all tell %d at %g", a.slot,
                  (double)a.time, all_of_it.slot, (double)all_of_it.time);
            hits += a.slot >= 0;
        }
        heightfield_free(&m, &f);
    }
    check(hits > 1000, "only %d hits", hits);
}

// From well above to well below, at 10 to 1000 m/s, on the ground: none passes.
static void nothing_passes(void **state)
{
    (void)state;
    memory m = open_memory();
    heightfield f = ground(&m, 0.2f, 0.3f);
    int shot = 0;
    for (int k = 0; k < 10000; k++)
    {
        float speed = 10.0f * (float)pow(100.0, k / 9999.0), half = 0.5f * speed / 60.0f + 0.25f;
        vec x = over(&f, 0.0f), d = on_sphere();
        d = vec_of(0.2f * d.x, -1.0f, 0.2f * d.z);
        x.y = 0.0f;
        if (k % 4 == 0)
            x = field_corner(&f, one_of(COLUMNS - 2) + 1, one_of(ROWS - 2) + 1);
        vec from = sub(x, times(half, d)), to = add(x, times(half, d)), normal;
        bvh_hit r = field_sweep(&f, from, to, k % 3 ? 0.005f : 0.0f);
        vec at = add(from, times(r.time, sub(to, from)));
        vec aside = vec_of(0.1f, 0.0f, 0.1f); // it meets the ground this near to x
        if (!field_covers(&f, add(x, aside)) || !field_covers(&f, sub(x, aside)))
            continue; // over the rim
        shot++;
        check(r.slot >= 0, "particle %d at %g m/s passes", k, (double)speed);
        check(at.y > field_height(&f, at, &normal) - 1e-5f, "particle %d is stopped below", k);
    }
    check(shot > 8000, "only %d shot", shot);
    heightfield_free(&m, &f);
}

static void refusals(void **state)
{
    (void)state;
    memory m = open_memory();
    float h[9] = {0};
    heightfield f;
    heightfield_def def = {"shape 'ground'", h, 1, 9, {0.0f, 0.0f}, {1.0f, 1.0f}};
    refused(heightfield_build(&m, &def, &f), "shape 'ground': the height field has 1 x 9 heights; give at least 2 x 2");
    def.columns = def.rows = 3;
    h[5] = NAN;
    refused(heightfield_build(&m, &def, &f), "the height in column 2, row 1 is nan");
    h[5] = 0.0f;
    def.spacing[1] = -1.0f;
    refused(heightfield_build(&m, &def, &f), "spacing along z is -1 m");
    def.spacing[1] = 1.0f;
    def.origin[0] = NAN;
    refused(heightfield_build(&m, &def, &f), "keep within");
    def.columns = def.rows = 1 << 20;
    refused(heightfield_build(&m, &def, &f), "at most");
    assert_int_equal(m.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(probes), cmocka_unit_test(lines),
                                       cmocka_unit_test(nothing_passes), cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
