// Positions as x + d, with a low part.
#include "support/support.h"

#include "kernels/displacement.h"

static double step_at(float a) { return (double)nextafterf(fabsf(a), INFINITY) - (double)fabsf(a); }

static double axis(vec a, int k) { return (double)(k == 0 ? a.x : k == 1 ? a.y : a.z); }

// x + low after a displacement is what x + d is, to a 1024th of the spacing of float32 there: near the origin and far from it,
// for displacements much smaller than x, of its size, and larger.
static void keeps_the_rest(void **state)
{
    (void)state;
    uint64_t seed = 2;
    int stays = 0;
    for (int sample = 0; sample < 100000; sample++)
    {
        float size = ldexpf(1.0f, sample % 40 - 20), way = size * ldexpf(1.0f, 3 - sample % 30);
        point x = {size * dice(&seed), size * dice(&seed), size * dice(&seed), 0.0f};
        vec d = {way * dice(&seed), way * dice(&seed), way * dice(&seed)};
        point to = moved_to(x, d);
        vec low = low_part(to);
        stays += to.x == x.x;
        for (int k = 0; k < 3; k++)
        {
            double meant = axis(at(x), k) + axis(d, k), got = axis(at(to), k) + axis(low, k);
            below("off", fabs(got - meant), step_at((float)axis(at(to), k)) / 1023.0);
        }
        assert_true(bits_of(to.w) >> 30 == 0); // no processor may take the bits for a NaN and change them
    }
    assert_true(stays > 1000);
}

// A particle that moves by less than half a step of its position at a time arrives all the same.
static void creeps(void **state)
{
    (void)state;
    for (int far = 0; far < 4; far++)
    {
        float at = ldexpf(1.0f, 3 * far);
        float way = (float)step_at(at) / 37.0f;
        point x = {at, -at, at, 0.0f};
        for (int i = 0; i < 100000; i++)
        {
            vec d = {way, -way, 0.0f};
            x = moved_to(x, add(low_part(x), d));
        }
        near_to("x", (double)x.x + axis(low_part(x), 0), (double)at + 1e5 * (double)way, 0.02e5 * (double)way);
        near_to("y", (double)x.y + axis(low_part(x), 1), -(double)at - 1e5 * (double)way, 0.02e5 * (double)way);
        assert_true(x.z == at && axis(low_part(x), 2) == 0.0);
    }
}

// Numbers without a low part: zero, tiny and huge ones.
static void ends_of_the_range(void **state)
{
    (void)state;
    const float some[] = {0.0f, -0.0f, 1e-45f, 1e-38f, 3e-20f, 1e30f, 1e38f};
    for (int i = 0; i < 7; i++)
        for (int k = 0; k < 7; k++)
        {
            point x = {some[i], -some[i], some[i], 0.0f}, to = moved_to(x, vec_of(some[k], some[k], -some[k]));
            vec low = low_part(to);
            assert_true(low.x == low.x && low.y == low.y && low.z == low.z && bits_of(to.w) >> 30 == 0);
            if (some[k] == 0.0f)
                assert_true(low.x == 0.0f && to.x == x.x);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_the_rest),
        cmocka_unit_test(creeps),
        cmocka_unit_test(ends_of_the_range),
    };
    return cmocka_run_group_tests_name("displacement", tests, NULL, NULL);
}
