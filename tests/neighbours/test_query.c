// test_query.c: neighbour lists, half and full, against a search of all pairs: random, clustered and degenerate sets,
// several reaches and filters, far from the origin, empty, growing, on 1, 2 and 3 threads.
#include "neighbours/list.h" // before cmocka, which has a fail() of its own

#include "core/pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
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

// ---- particles -----------------------------------------------------------------------------------------------------

typedef struct scene
{
    int count;
    float *x, *collision, *rest;
    int32_t *slot;
    neighbour_query query; // a half list of contacts
} scene;

// Every other slot holds a particle that nobody asks for.
static scene make_scene(int count, float radius, float margin)
{
    scene s = {.count = count};
    size_t slots = 2 * (size_t)count + 1;
    s.x = calloc(slots, 16);
    s.collision = calloc(slots, 16);
    s.rest = calloc(slots, 16);
    s.slot = calloc((size_t)count + 1, 4);
    for (int i = 0; i < 2 * count; i++)
    {
        s.x[4 * i + 3] = 1.0f;
        s.collision[4 * i] = radius;
        s.collision[4 * i + 1] = float_of((uint32_t)(i / 2) % 7u | PHASE_SELF | 1u << PHASE_MASK_AT);
        s.slot[i / 2] = i - i % 2;
    }
    s.query = (neighbour_query){.x = s.x,
                                .mass = s.x,
                                .collision = s.collision,
                                .rest = s.rest,
                                .slot = s.slot,
                                .count = count,
                                .scale = 1.0f,
                                .reach = radius,
                                .margin = margin,
                                .filter = NEIGHBOURS_CONTACT};
    return s;
}

static float *place_of(scene *s, int i) { return s->x + 4 * s->slot[i]; }

static void free_scene(scene *s)
{
    free(s->x);
    free(s->collision);
    free(s->rest);
    free(s->slot);
}

static void scatter_points(scene *s, float size)
{
    for (int i = 0; i < s->count; i++)
        for (int c = 0; c < 3; c++)
            place_of(s, i)[c] = size * (chance() - 0.5f);
}

// ---- threads -------------------------------------------------------------------------------------------------------

typedef struct shared_work
{
    parallel_fn *fn;
    void *arg;
    int64_t count, collision;
    int workers;
} shared_work;

static void take_share(void *arg, int worker)
{
    const shared_work *w = arg;
    int64_t parts = (w->count + w->collision - 1) / w->collision, from = parts * worker / w->workers,
            to = parts * (worker + 1) / w->workers, end = to * w->collision < w->count ? to * w->collision : w->count;
    if (from < to)
        w->fn(w->arg, from * w->collision, end);
}

static void run_pool(void *self, parallel_fn *fn, void *arg, int64_t count, int64_t collision)
{
    shared_work w = {fn, arg, count, collision, pool_threads(self)};
    pool_run(self, take_share, NULL, &w);
}

// One part after the other, the last one first.
static void run_backwards(void *self, parallel_fn *fn, void *arg, int64_t count, int64_t collision)
{
    (void)self;
    for (int64_t end = (count + collision - 1) / collision; end > 0; end--)
        fn(arg, (end - 1) * collision, end * collision < count ? end * collision : count);
}

// ---- brute force ---------------------------------------------------------------------------------------------------

static bool are_neighbours(const neighbour_query *q, int32_t a, int32_t b)
{
    const float *p = q->x + 4 * a, *r = q->x + 4 * b;
    float x = p[0] - r[0], y = p[1] - r[1], z = p[2] - r[2];
    float far = q->scale * q->collision[4 * a] + q->margin + q->scale * q->collision[4 * b];
    return x * x + y * y + z * z < far * far && neighbours_allowed(q, a, b);
}

// Sorted by (cell, slot), every slot of the query once.
static void check_order(const neighbour_query *q, const neighbour_list *l, const char *name)
{
    assert_int_equal(l->count, q->count);
    for (int32_t i = 1; i < l->count; i++)
    {
        const uint64_t *key = l->sorted.key + i;
        if (key[-1] > key[0] || (key[-1] == key[0] && l->sorted.value[i - 1] >= l->sorted.value[i]))
            fail_msg("%s: place %d is out of order", name, i);
    }
    int64_t sum = 0, wanted = 0;
    for (int32_t i = 0; i < l->count; i++)
    {
        sum += l->sorted.value[i];
        wanted += q->slot[i];
    }
    assert_true(sum == wanted);
}

static void check_rows(const neighbour_query *q, const neighbour_list *l, const char *name)
{
    assert_int_equal(l->start[0], 0);
    for (int32_t i = 0; i < l->count; i++)
    {
        int32_t at = l->start[i];
        for (int32_t j = q->full ? 0 : i + 1; j < l->count; j++)
        {
            if (i == j || !are_neighbours(q, l->sorted.value[i], l->sorted.value[j]))
                continue;
            if (at >= l->start[i + 1] || l->neighbour[at] != j)
                fail_msg("%s: place %d has not found %d", name, i, j);
            if (!q->full)
                assert_int_equal(l->owner[at], i);
            at++;
        }
        if (at != l->start[i + 1])
            fail_msg("%s: place %d has found %d too many", name, i, l->start[i + 1] - at);
    }
    assert_int_equal(l->start[l->count], l->pairs);
}

static void same_lists(const neighbour_list *a, const neighbour_list *b)
{
    size_t n = (size_t)a->count;
    assert_int_equal(a->pairs, b->pairs);
    assert_memory_equal(a->start, b->start, (n + 1) * sizeof *a->start);
    if (n)
        assert_memory_equal(a->sorted.value, b->sorted.value, n * sizeof(int32_t));
    if (a->pairs)
        assert_memory_equal(a->neighbour, b->neighbour, (size_t)a->pairs * sizeof(int32_t));
}

static void check_query(const neighbour_query *q, const char *name)
{
    memory m;
    neighbour_list l = {0}, other = {0};
    memory_open(&m, &(pl_allocator){0});
    if (neighbours_build(&l, &m, q, NULL) != PL_OK)
        fail_msg("%s: %s", name, pl_error_message());
    check_order(q, &l, name);
    check_rows(q, &l, name);
    parallel backwards = {run_backwards, NULL};
    assert_int_equal(neighbours_build(&other, &m, q, &backwards), PL_OK);
    same_lists(&l, &other);
    for (int threads = 2; threads <= 3; threads++)
    {
        pool *p;
        assert_int_equal(pool_open(&m, threads, &p), PL_OK);
        parallel shared = {run_pool, p};
        assert_int_equal(neighbours_build(&other, &m, q, &shared), PL_OK);
        same_lists(&l, &other);
        pool_close(&m, p);
    }
    neighbours_free(&l, &m);
    neighbours_free(&other, &m);
    assert_int_equal(m.bytes, 0);
}

// Half and full, with each filter.
static void check_scene(const scene *s, const char *name)
{
    neighbour_query q = s->query;
    for (q.full = 0; q.full < 2; q.full++)
        for (q.filter = NEIGHBOURS_ALL; q.filter <= NEIGHBOURS_CONTACT; q.filter++)
            check_query(&q, name);
}

// ---- sets ----------------------------------------------------------------------------------------------------------

static void random_sets(void **state)
{
    (void)state;
    for (int k = 0; k < 8; k++)
    {
        seed = 1234567u + (uint32_t)k;
        scene s = make_scene(300 + 350 * k, 0.05f, 0.02f * (float)k);
        scatter_points(&s, 1.0f + 0.5f * (float)k);
        s.query.scale = 1.0f + 0.1f * (float)(k % 3);
        s.query.reach = s.query.scale * 0.05f;
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
        s.collision[4 * s.slot[i]] = 0.01f + 0.09f * chance();
    check_scene(&s, "radii");
    free_scene(&s);
}

// All of one phase, as grains are: the search then asks the filter of contacts about several pairs at a time, or not at
// all. Positions at rest are shuffled neighbours of the present ones, in two objects.
static void one_phase(void **state)
{
    (void)state;
    static const uint32_t phases[] = {PHASE_SELF | PHASE_FILTER, PHASE_SELF, PHASE_FILTER, PHASE_SELF | PHASE_FLUID};
    for (int k = 0; k < 8; k++)
    {
        seed = 4711u + (uint32_t)k;
        scene s = make_scene(900, 0.1f, 0.03f);
        scatter_points(&s, 1.6f);
        for (int i = 0; i < s.count; i++)
        {
            float *rest = s.rest + 4 * s.slot[i];
            for (int c = 0; c < 3; c++)
                rest[c] = place_of(&s, i)[c] + 0.3f * (chance() - 0.5f);
            rest[3] = float_of(dice() % 2);
            s.collision[4 * s.slot[i]] = 0.02f + 0.08f * chance();
            s.collision[4 * s.slot[i] + 1] = float_of(phases[k % 4] | 1u << PHASE_MASK_AT);
        }
        if (k > 3) // all but one, which is fixed, or a corner, or of another phase
        {
            int odd = 4 * s.slot[s.count / 2];
            s.x[odd + 3] = k % 2 ? 0.0f : 1.0f;
            s.collision[odd + 3] = k == 4 ? 1.0f : 0.0f;
            s.collision[odd + 1] = float_of(k == 6 ? 3u | 1u << PHASE_MASK_AT : bits_of(s.collision[odd + 1]));
        }
        check_scene(&s, "one phase");
        free_scene(&s);
    }
}

static void clusters(void **state)
{
    (void)state;
    seed = 7;
    scene s = make_scene(2500, 0.05f, 0.03f);
    for (int i = 0; i < s.count; i++)
        for (int c = 0; c < 3; c++)
            place_of(&s, i)[c] = (float)(i % 5) * (c == 1 ? 31.0f : -17.0f) + 0.4f * chance() * chance();
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
            place_of(&s, i)[c] = 12.5f * (float)(i % 2) - 3.0f;
    check_scene(&s, "at two points");
    free_scene(&s);
}

static void empty(void **state)
{
    (void)state;
    for (int count = 0; count < 3; count++)
    {
        scene s = make_scene(count, 0.1f, 0.0f);
        check_scene(&s, "few");
        free_scene(&s);
    }
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
            place_of(&s, i)[c] = i < 500 ? 2.0f * edge * (chance() - 0.5f) : end + 0.6f * (chance() - 0.5f);
        }
    check_scene(&s, "large domain");
    free_scene(&s);
}

static void out_of_bounds(void **state)
{
    (void)state;
    scene s = make_scene(10, 0.1f, 0.05f);
    memory m;
    neighbour_list l = {0};
    memory_open(&m, &(pl_allocator){0});
    place_of(&s, 7)[1] = 1e6f;
    assert_int_equal(neighbours_build(&l, &m, &s.query, NULL), PL_ERROR_DIVERGED);
    assert_non_null(strstr(pl_error_message(), "from the origin"));
    neighbours_free(&l, &m);
    assert_int_equal(m.bytes, 0);
    free_scene(&s);
}

// One list that is used again and again: what it holds grows from a few entries to several times its first room, and
// back.
static void growth(void **state)
{
    (void)state;
    memory m;
    neighbour_list l = {0};
    memory_open(&m, &(pl_allocator){0});
    for (int k = 0; k < 6; k++)
    {
        seed = 5;
        scene s = make_scene(1500, 0.02f * (float)(1 + (k < 4 ? k : 6 - k)), 0.0f);
        scatter_points(&s, 0.5f);
        neighbour_query q = s.query;
        q.full = k % 2;
        assert_int_equal(neighbours_build(&l, &m, &q, NULL), PL_OK);
        check_rows(&q, &l, "growth");
        free_scene(&s);
    }
    assert_true(l.found_capacity > 16 * 1024);
    neighbours_free(&l, &m);
    assert_int_equal(m.bytes, 0);
}

// More particles than are searched at a time: a lattice, each with up to six neighbours.
static void several_batches(void **state)
{
    (void)state;
    const int side = 103;
    scene s = make_scene(side * side * side, 0.055f, 0.0f);
    for (int i = 0; i < s.count; i++)
    {
        const int at[3] = {i % side, i / side % side, i / side / side};
        for (int c = 0; c < 3; c++)
            place_of(&s, i)[c] = 0.1f * (float)at[c];
    }
    memory m;
    neighbour_list l = {0};
    memory_open(&m, &(pl_allocator){0});
    neighbour_query q = s.query;
    q.filter = NEIGHBOURS_ALL;
    for (q.full = 0; q.full < 2; q.full++)
    {
        assert_int_equal(neighbours_build(&l, &m, &q, NULL), PL_OK);
        assert_int_equal(l.pairs, (q.full ? 6 : 3) * side * side * (side - 1));
        assert_int_equal(l.start[l.count], l.pairs);
        for (int32_t i = 0; i < l.count; i++)
            for (int32_t k = l.start[i]; k < l.start[i + 1]; k++)
            {
                assert_true(k == l.start[i] || l.neighbour[k - 1] < l.neighbour[k]);
                assert_true(are_neighbours(&q, l.sorted.value[i], l.sorted.value[l.neighbour[k]]));
                assert_true(q.full || (l.owner[k] == i && l.neighbour[k] > i));
            }
    }
    neighbours_free(&l, &m);
    assert_int_equal(m.bytes, 0);
    free_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sets), cmocka_unit_test(many_radii),      cmocka_unit_test(one_phase),
        cmocka_unit_test(clusters),    cmocka_unit_test(one_cell),        cmocka_unit_test(coincident),
        cmocka_unit_test(empty),       cmocka_unit_test(large_domain),    cmocka_unit_test(out_of_bounds),
        cmocka_unit_test(growth),      cmocka_unit_test(several_batches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
