// test_grid.c: neighbours equal brute force, on random, clustered and degenerate sets, over any number of hands.
#include "collide/grid.h" // before cmocka, which has a fail() of its own

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t seed;
static uint32_t dice(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed;
}
static float chance(void) { return (float)(dice() >> 8) * (1.0f / 16777216.0f); }

typedef struct scene
{
    int count;
    float *x, *grain, *rest;
    int32_t *slot;
    crowd crowd;
} scene;

static scene make_scene(int count, float radius, float margin)
{
    scene s = {.count = count};
    s.x = calloc((size_t)count, 16);
    s.grain = calloc((size_t)count, 16);
    s.rest = calloc((size_t)count, 16);
    s.slot = calloc((size_t)count, 4);
    for (int i = 0; i < count; i++)
    {
        s.x[4 * i + 3] = 1.0f;
        s.grain[4 * i] = radius;
        s.grain[4 * i + 1] = float_of((uint32_t)i % 7u | PHASE_SELF | 1u << PHASE_MASK_AT);
        s.slot[i] = i;
    }
    s.crowd = (crowd){s.x, s.grain, s.rest, s.slot, count, radius, margin};
    return s;
}

static void free_scene(scene *s)
{
    free(s->x);
    free(s->grain);
    free(s->rest);
    free(s->slot);
}

// Hands that take the parts backwards: whoever does it, the outcome must be the same.
static void backwards(void *self, crew_fn *fn, void *arg, int64_t count, int64_t grain)
{
    (void)self;
    for (int64_t end = (count + grain - 1) / grain; end > 0; end--)
        fn(arg, (end - 1) * grain, end * grain < count ? end * grain : count);
}

static int by_pair(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static int64_t pair_of(int32_t a, int32_t b) { return a < b ? (int64_t)a << 32 | b : (int64_t)b << 32 | a; }

// A whole grid has for each particle everybody around it, in the sorted order; of a crowd without rest nobody is left out.
static void check_whole(const scene *s, const char *name, bool all, const crew *hands)
{
    memory m;
    grid g = {.whole = true};
    crowd c = s->crowd;
    c.rest = all ? NULL : c.rest;
    memory_open(&m, &(pl_allocator){0});
    assert_int_equal(grid_build(&g, &m, &c, hands), PL_OK);
    for (int32_t i = 0; i < g.count; i++)
    {
        int32_t at = g.first[i];
        for (int32_t j = 0; j < g.count; j++)
        {
            const float *p = g.spot + 4 * i, *q = g.spot + 4 * j;
            float x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2], far = p[3] + c.margin + q[3];
            if (i == j || !(x * x + y * y + z * z < far * far))
                continue;
            if (!all && !may_touch(&s->crowd, g.sorted.value[i], g.sorted.value[j]))
                continue;
            if (at >= g.first[i + 1] || g.other[at] != j || g.one[at] != i)
                fail_msg("%s: %d has not found %d", name, i, j);
            at++;
        }
        assert_int_equal(at, g.first[i + 1]);
    }
    assert_int_equal(g.first[g.count], g.pairs);
    grid_free(&g, &m);
    assert_int_equal(m.bytes, 0);
}

static void check_scene(scene *s, const char *name)
{
    memory m;
    grid g = {0}, other = {0};
    crew hands = {backwards, NULL};
    memory_open(&m, &(pl_allocator){0});
    if (grid_build(&g, &m, &s->crowd, NULL) != PL_OK)
        fail_msg("%s: %s", name, pl_error_message());
    int64_t capacity = 1024, found = 0;
    int64_t *brute = malloc((size_t)capacity * sizeof *brute), *mine = malloc((size_t)g.pairs * sizeof *mine + 8);
    for (int i = 0; i < s->count; i++)
        for (int j = i + 1; j < s->count; j++)
        {
            const float *p = s->x + 4 * i, *q = s->x + 4 * j;
            float x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2];
            float far = s->grain[4 * i] + s->crowd.margin + s->grain[4 * j];
            if (x * x + y * y + z * z < far * far && may_touch(&s->crowd, i, j))
            {
                if (found == capacity)
                    brute = realloc(brute, (size_t)(capacity *= 2) * sizeof *brute);
                brute[found++] = pair_of(i, j);
            }
        }
    if (found != g.pairs)
        fail_msg("%s: %lld pairs were found; brute force finds %lld", name, (long long)g.pairs, (long long)found);
    for (int64_t p = 0; p < g.pairs; p++)
    {
        assert_true(g.one[p] < g.other[p]);
        mine[p] = pair_of(g.sorted.value[g.one[p]], g.sorted.value[g.other[p]]);
    }
    qsort(mine, (size_t)found, sizeof *mine, by_pair);
    qsort(brute, (size_t)found, sizeof *brute, by_pair);
    assert_int_equal(memcmp(mine, brute, (size_t)found * sizeof *mine), 0);

    // The order, too, does not depend on the hands.
    assert_int_equal(grid_build(&other, &m, &s->crowd, &hands), PL_OK);
    assert_int_equal(other.pairs, g.pairs);
    assert_memory_equal(other.sorted.value, g.sorted.value, (size_t)s->count * sizeof(int32_t));
    if (g.pairs)
        assert_memory_equal(other.other, g.other, (size_t)g.pairs * sizeof(int32_t));
    free(brute);
    free(mine);
    grid_free(&g, &m);
    grid_free(&other, &m);
    assert_int_equal(m.bytes, 0);
    check_whole(s, name, false, NULL);
    check_whole(s, name, true, &hands);
}

static void scatter_points(scene *s, float size)
{
    for (int i = 0; i < s->count; i++)
        for (int c = 0; c < 3; c++)
            s->x[4 * i + c] = size * (chance() - 0.5f);
}

static void random_sets(void **state)
{
    (void)state;
    for (int k = 0; k < 8; k++)
    {
        seed = 1234567u + (uint32_t)k;
        scene s = make_scene(300 + 500 * k, 0.05f, 0.02f * (float)k);
        scatter_points(&s, 1.0f + 0.5f * (float)k);
        check_scene(&s, "random");
        free_scene(&s);
    }
}

static void many_radii(void **state)
{
    (void)state;
    seed = 99;
    scene s = make_scene(2000, 0.1f, 0.05f);
    scatter_points(&s, 2.0f);
    for (int i = 0; i < s.count; i++)
        s.grain[4 * i] = 0.01f + 0.09f * chance();
    check_scene(&s, "radii");
    free_scene(&s);
}

static void clusters(void **state)
{
    (void)state;
    seed = 7;
    scene s = make_scene(2500, 0.05f, 0.03f);
    for (int i = 0; i < s.count; i++)
        for (int c = 0; c < 3; c++)
            s.x[4 * i + c] = (float)(i % 5) * (c == 1 ? 31.0f : -17.0f) + 0.4f * chance() * chance();
    check_scene(&s, "clusters");
    free_scene(&s);
}

static void one_cell(void **state)
{
    (void)state;
    seed = 3;
    scene s = make_scene(400, 1.0f, 0.5f);
    scatter_points(&s, 0.5f);
    check_scene(&s, "one cell");
    free_scene(&s);
}

static void coincident(void **state)
{
    (void)state;
    scene s = make_scene(300, 0.1f, 0.05f);
    check_scene(&s, "all at the origin");
    for (int i = 0; i < s.count; i++)
        for (int c = 0; c < 3; c++)
            s.x[4 * i + c] = 12.5f * (float)(i % 2) - 3.0f;
    check_scene(&s, "at two points");
    free_scene(&s);
}

// A million cells a side, with neighbours at its ends, where float32 is coarse.
static void large_domain(void **state)
{
    (void)state;
    seed = 11;
    scene s = make_scene(1500, 0.1f, 0.05f);
    float cell = 0.25f, edge = cell * 500000.0f;
    for (int i = 0; i < s.count; i++)
        for (int c = 0; c < 3; c++)
        {
            float end = i / 100 % 2 ? edge : -edge;
            s.x[4 * i + c] = i < 500 ? 2.0f * edge * (chance() - 0.5f) : end + 0.6f * (chance() - 0.5f);
        }
    check_scene(&s, "large domain");
    free_scene(&s);
}

static void out_of_bounds(void **state)
{
    (void)state;
    scene s = make_scene(10, 0.1f, 0.05f);
    memory m;
    grid g = {0};
    memory_open(&m, &(pl_allocator){0});
    s.x[4 * 7 + 1] = 1e6f;
    assert_int_equal(grid_build(&g, &m, &s.crowd, NULL), PL_ERROR_DIVERGED);
    assert_non_null(strstr(pl_error_message(), "from the origin"));
    grid_free(&g, &m);
    free_scene(&s);
}

// Who may touch: groups, self, masks, fluid, the held ones, and those near each other at rest.
static void phases(void **state)
{
    (void)state;
    scene s = make_scene(2, 0.1f, 0.0f);
    float *p = &s.grain[1], *q = &s.grain[5];
    const uint32_t mask = 1u << PHASE_MASK_AT;
    *p = float_of(1 | mask), *q = float_of(2 | mask);
    assert_true(may_touch(&s.crowd, 0, 1));
    *q = float_of(1 | mask);
    assert_false(may_touch(&s.crowd, 0, 1));
    *p = float_of(1 | mask | PHASE_SELF), *q = float_of(1 | mask | PHASE_SELF);
    assert_true(may_touch(&s.crowd, 0, 1));
    *p = float_of(1 | mask | PHASE_SELF | PHASE_FILTER);
    assert_false(may_touch(&s.crowd, 0, 1));
    s.rest[0] = 0.31f;
    assert_true(may_touch(&s.crowd, 0, 1));
    s.rest[0] = 0.29f;
    assert_false(may_touch(&s.crowd, 0, 1));
    s.rest[3] = float_of(1); // of another object
    assert_true(may_touch(&s.crowd, 0, 1));
    *p = float_of(1 | mask << 1), *q = float_of(2 | mask);
    assert_false(may_touch(&s.crowd, 0, 1));
    *p = float_of(1 | mask | PHASE_FLUID), *q = float_of(2 | mask | PHASE_FLUID);
    assert_false(may_touch(&s.crowd, 0, 1));
    *q = float_of(2 | mask);
    assert_true(may_touch(&s.crowd, 0, 1));
    s.x[3] = s.x[7] = 0.0f;
    assert_false(may_touch(&s.crowd, 0, 1));
    free_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sets),   cmocka_unit_test(many_radii), cmocka_unit_test(clusters),
        cmocka_unit_test(one_cell),      cmocka_unit_test(coincident), cmocka_unit_test(large_domain),
        cmocka_unit_test(out_of_bounds), cmocka_unit_test(phases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
