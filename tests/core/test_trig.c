// Sine and arc tangent against libm: the errors that the head of trig.h states.
#include "support/support.h"

#include "core/trig.h"

static void sine_is_close(void **state)
{
    (void)state;
    double most_error = 0.0;
    for (int i = -2000000; i <= 2000000; i++)
    {
        float t = (float)i * 1.7e-6f;
        most_error = fmax(most_error, fabs((double)sine_of_turns(t) - sin(6.283185307179586 * (double)t)));
        most_error = fmax(most_error, fabs((double)cosine_of_turns(t) - sin(6.283185307179586 * (double)(t + 0.25f))));
    }
    print_message("sine_turn: %.3g\n", most_error);
    below("the error of sine_turn", most_error, 2.5e-7);
}

static void sine_of_many_turns(void **state)
{
    (void)state;
    uint64_t seed = 1;
    double most_error = 0.0;
    for (int i = 0; i < 200000; i++)
    {
        float t = dice(&seed) * 4194303.0f;
        double part = (double)t - floor((double)t);
        most_error = fmax(most_error, fabs((double)sine_of_turns(t) - sin(6.283185307179586 * part)));
    }
    below("the error of sine_turn far out", most_error, 2.5e-7);
    assert_true(sine_of_turns(0.0f) == 0.0f);
    near_to("a quarter", (double)sine_of_turns(0.25f), 1.0, 1.2e-7);
    near_to("three quarters", (double)sine_of_turns(-0.25f), -1.0, 1.2e-7);
}

static void angles_are_close(void **state)
{
    (void)state;
    uint64_t seed = 2;
    double most_error = 0.0;
    for (int i = 0; i < 2000000; i++)
    {
        float y = dice(&seed), x = dice(&seed);
        if (i % 4 == 1)
            y *= 1e-4f;
        if (i % 4 == 2)
            x *= 1e-20f;
        most_error = fmax(most_error, fabs((double)angle_of(y, x) - atan2((double)y, (double)x)));
    }
    print_message("angle_of: %.3g\n", most_error);
    below("the error of angle_of", most_error, 4e-7);
}

static void angles_on_the_axes(void **state)
{
    (void)state;
    const double pi = 3.141592653589793;
    assert_true(angle_of(0.0f, 0.0f) == 0.0f);
    assert_true(angle_of(0.0f, 1.0f) == 0.0f);
    near_to("up", (double)angle_of(1.0f, 0.0f), pi / 2, 2e-7);
    near_to("down", (double)angle_of(-2.0f, 0.0f), -pi / 2, 2e-7);
    near_to("left", (double)angle_of(0.0f, -3.0f), pi, 2e-7);
    near_to("just below left", (double)angle_of(-1e-20f, -1.0f), -pi, 2e-7);
    near_to("diagonal", (double)angle_of(1.0f, 1.0f), pi / 4, 2e-7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sine_is_close),
        cmocka_unit_test(sine_of_many_turns),
        cmocka_unit_test(angles_are_close),
        cmocka_unit_test(angles_on_the_axes),
    };
    return cmocka_run_group_tests_name("trig", tests, NULL, NULL);
}
