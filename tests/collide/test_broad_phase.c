// test_broad_phase.c: the pairs equal those of trying all, in the same order; mixed sizes; hostile boxes.
#include "collide.h"
#include "collide/broad_phase.h"

#include <time.h>

static broad_box draw_box(int form, float world)
{
    // Sides from 1 cm to 1 km, most of them small.
    float side = form == 0    ? uniform(0.5f, 1.0f)
                 : form == 1  ? (float)pow(10.0, uniform(-2.0f, 1.0f))
                 : one_of(50) ? uniform(0.01f, 0.05f)
                              : 1000.0f;
    vec c = in_cube(world),
        h = vec_of(side * uniform(0.1f, 0.5f), side * uniform(0.1f, 0.5f), side * uniform(0.1f, 0.5f));
    return (broad_box){
        {c.x - h.x, c.y - h.y, c.z - h.z}, one_of(3) > 0, {c.x + h.x, c.y + h.y, c.z + h.z}, one_of(40) == 0};
}

static void compare(memory *m, broad_phase *b, const broad_box *box, int count, const char *what)
{
    good(broad_phase_find(m, b, box, count, NULL));
    int64_t at = 0;
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++)
        {
            if (box[i].skip || box[j].skip || !(box[i].moves || box[j].moves) || !boxes_overlap(&box[i], &box[j]))
                continue;
            check(at < b->pairs && b->pair[2 * at] == i && b->pair[2 * at + 1] == j, "%s: pair %lld is not (%d, %d)",
                  what, (long long)at, i, j);
            at++;
        }
    check(at == b->pairs, "%s: %lld pairs, not %lld", what, (long long)b->pairs, (long long)at);
}

static void all_pairs(void **state)
{
    (void)state;
    enum
    {
        MOST = 1500
    };
    static broad_box box[MOST];
    memory m = open_memory();
    broad_phase b = {0};
    int64_t found = 0;
    for (int n = 0; n < 120; n++)
    {
        int count = n < 20 ? n : 20 + one_of(n % 10 ? 300 : MOST - 20), form = n % 3;
        for (int i = 0; i < count; i++)
            box[i] = draw_box(form, n % 4 == 0 ? 500.0f : 3.0f);
        for (int i = 0; n % 5 == 0 && i < count; i++) // a lattice whose boxes touch exactly
            box[i] = (broad_box){{(float)(i % 7), (float)(i / 7 % 7), (float)(i / 49)},
                                 1,
                                 {(float)(i % 7 + 1), (float)(i / 7 % 7 + 1), (float)(i / 49 + 1)},
                                 0};
        if (count > 5) // ground, an unbounded plane, a point
        {
            box[count / 2] = (broad_box){{-1000.0f, -1.0f, -1000.0f}, 0, {1000.0f, 0.0f, 1000.0f}, 0};
            box[count / 3] = (broad_box){{-INFINITY, -INFINITY, -INFINITY}, 0, {INFINITY, 0.0f, INFINITY}, 0};
            box[2] = (broad_box){{0.5f, 0.5f, 0.5f}, 1, {0.5f, 0.5f, 0.5f}, 0};
        }
        if (n % 6 == 1 && count > 9)
            box[7].low[1] = NAN, box[8].high[0] = NAN, box[9].low[2] = 1.0f, box[9].high[2] = -1.0f;
        compare(&m, &b, box, count, "random");
        found += b.pairs;
    }
    check(found > 10000, "only %lld pairs", (long long)found);
    // All in one place: every pair, with rows longer than are kept.
    for (int i = 0; i < 200; i++)
        box[i] = (broad_box){{0.0f, 0.0f, 0.0f}, i % 2, {1.0f, 1.0f, 1.0f}, 0};
    compare(&m, &b, box, 200, "one place");
    size_t bytes = m.bytes;
    compare(&m, &b, box, 200, "again");
    check(m.bytes == bytes, "it allocates again");
    broad_phase_free(&m, &b);
    assert_int_equal(m.bytes, 0);
}

static int count_it(void *arg, int32_t body)
{
    (void)body;
    return ++*(int *)arg < 1000000;
}

// Ten thousand small boxes on one ground, in a pile: how long it takes, and that a search for one box is as complete.
static void many(void **state)
{
    (void)state;
    enum
    {
        COUNT = 10001
    };
    static broad_box box[COUNT];
    memory m = open_memory();
    broad_phase b = {0};
    box[0] = (broad_box){{-1000.0f, -1.0f, -1000.0f}, 0, {1000.0f, 0.01f, 1000.0f}, 0};
    for (int i = 1; i < COUNT; i++)
    {
        float x = (float)(i % 22) * 1.02f, y = (float)(i / 22 % 22) * 1.0f, z = (float)(i / 484) * 1.02f;
        box[i] = (broad_box){{x, y, z}, 1, {x + 1.01f, y + 1.01f, z + 1.01f}, 0};
    }
    good(broad_phase_find(&m, &b, box, COUNT, NULL));
    clock_t start = clock();
    good(broad_phase_find(&m, &b, box, COUNT, NULL));
    print_message("%d boxes: %lld pairs in %.2f ms\n", COUNT, (long long)b.pairs,
                  1e3 * (double)(clock() - start) / CLOCKS_PER_SEC);
    for (int n = 0; n < 50; n++)
    {
        vec c = in_cube(20.0f);
        broad_box with = {{c.x, c.y, c.z}, 1, {c.x + 2.0f, c.y + 3.0f, c.z + 1.0f}, 0};
        int found = 0, there = 0;
        broad_phase_query(&b, &with, count_it, &found);
        for (int i = 0; i < COUNT; i++)
            there += boxes_overlap(&box[i], &with);
        assert_int_equal(found, there);
    }
    broad_phase_free(&m, &b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_pairs), cmocka_unit_test(many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
