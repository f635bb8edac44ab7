// test_lanes.c: the geometry gives the same bits with 1, 4, 8 and 16 lanes, on random, degenerate and extreme numbers; and
// the bits that all compilers and machines have given so far.
#include "collide.h"
#include "lanes_kernel.h"
#include "backend/cpu/lanes.h"

enum
{
    ITEMS = 1 << 13,
};

typedef void kernel(const hull *h, const float *in, float *out, int64_t count);
kernel lanes_kernel_1, lanes_kernel_4, lanes_kernel_8, lanes_kernel_8_vl, lanes_kernel_16;

static float in[LANE_INPUTS * ITEMS], first[LANE_OUTPUTS * ITEMS], out[LANE_OUTPUTS * ITEMS];

static void draw(void)
{
    for (int i = 0; i < ITEMS; i++)
    {
        float scale = i % 5 ? 1.0f : i % 2 ? 1e-5f : 1e5f;
        vec n = on_sphere(), p[8];
        p[0] = n;
        for (int k = 1; k < 8; k++)
            p[k] = times(scale, in_cube(1.0f));
        if (i % 7 == 0) // coincident
        {
            int a = 1 + one_of(7);
            p[a] = p[1 + one_of(7)];
        }
        if (i % 11 == 0) // on a lattice
            for (int k = 1; k < 8; k++)
            {
                int corner = one_of(8);
                p[k] = vec_of((float)(corner & 1), (float)(corner >> 1 & 1), (float)(corner >> 2));
            }
        for (int k = 0; k < 8; k++)
        {
            in[(3 * k) * ITEMS + i] = p[k].x;
            in[(3 * k + 1) * ITEMS + i] = p[k].y;
            in[(3 * k + 2) * ITEMS + i] = p[k].z;
        }
        in[24 * ITEMS + i] = scale * uniform(-0.5f, 0.5f);
        in[25 * ITEMS + i] = scale * uniform(0.0f, 0.1f);
        in[26 * ITEMS + i] = scale * uniform(0.0f, 1.0f);
    }
}

static uint64_t hash_of(const float *a, size_t count)
{
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < count; i++)
    {
        uint32_t bits;
        memcpy(&bits, a + i, sizeof bits);
        h = (h ^ bits) * 1099511628211u;
    }
    return h;
}

static void compare(const hull *h, kernel *other, int lanes)
{
    if (!lanes_of(lanes))
    {
        print_message("this processor has no %d lanes\n", lanes);
        return;
    }
    memset(out, 0, sizeof out);
    other(h, in, out, ITEMS);
    for (int64_t i = 0; i < (int64_t)LANE_OUTPUTS * ITEMS; i++)
        check(memcmp(first + i, out + i, sizeof *out) == 0, "number %d of item %d: %.9g on 1 lane, %.9g on %d",
              (int)(i / ITEMS), (int)(i % ITEMS), (double)first[i], (double)out[i], lanes);
}

static void same_bits(void **state)
{
    (void)state;
    memory m = open_memory();
    float points[90];
    for (int i = 0; i < 30; i++)
    {
        vec p = on_sphere();
        points[3 * i] = p.x;
        points[3 * i + 1] = 0.5f * p.y;
        points[3 * i + 2] = p.z;
    }
    hull h;
    good(hull_build(&m, "hull", points, 30, &h));
    draw();
    lanes_kernel_1(&h, in, first, ITEMS);
    int hits = 0;
    for (int i = 0; i < ITEMS; i++)
        hits += first[45 * ITEMS + i] != 0.0f;
    check(hits > ITEMS / 100, "only %d of the vertices hit", hits);
#if defined(PL_LANES_4)
    compare(&h, lanes_kernel_4, 4);
#endif
#if defined(PL_LANES_8)
    compare(&h, lanes_kernel_8, 8);
#endif
#if defined(PL_LANES_8_vl)
    if (lanes_of(16))
        compare(&h, lanes_kernel_8_vl, 8);
#endif
#if defined(PL_LANES_16)
    compare(&h, lanes_kernel_16, 16);
#endif
    uint64_t hash = hash_of(first, sizeof first / sizeof *first);
    check(hash == 0x4850a0833096e377u, "the hash is %016llx", (unsigned long long)hash);
    hull_free(&m, &h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
