// exp, log and power against libm.
#include "support/support.h"

#include "core/power.h"

static double relative(double value, double wanted) { return fabs(value - wanted) / fmax(fabs(wanted), 1e-300); }

static void logarithm(void **state)
{
    (void)state;
    uint64_t seed = 1;
    double most = 0.0;
    for (int i = 0; i < 200000; i++)
    {
        double a = exp(300.0 * (double)dice(&seed));
        most = fmax(most, fabs(natural_log(a) - log(a)) / fmax(fabs(log(a)), 1.0));
        double b = 1.0 + 0.4 * (double)dice(&seed);
        most = fmax(most, b == 1.0 ? 0.0 : relative(natural_log(b), log(b)));
    }
    below("the error of natural_log", most, 1e-14);
    assert_true(natural_log(1.0) == 0.0);
}

static void exponentials(void **state)
{
    (void)state;
    uint64_t seed = 2;
    double near_zero = 0.0, far = 0.0;
    for (int i = 0; i < 200000; i++)
    {
        double a = 10.0 * (double)dice(&seed), b = 690.0 * (double)dice(&seed);
        near_zero = fmax(near_zero, relative(exponential(a), exp(a)));
        far = fmax(far, relative(exponential(b), exp(b)));
    }
    below("the error of exponential", near_zero, 1e-14);
    below("the error of exponential far out", far, 1e-13);
    assert_true(exponential(0.0) == 1.0);
}

// As pack_rows.c uses it: (1 - k)^(1/n).
static void powers(void **state)
{
    (void)state;
    uint64_t seed = 3;
    double most = 0.0;
    for (int i = 0; i < 200000; i++)
    {
        double base = 0.5 + 0.4999999 * (double)dice(&seed), exponent = 1.0 / (1 + i % 200);
        most = fmax(most, relative(power(base, exponent), pow(base, exponent)));
    }
    below("the error of power", most, 1e-14);
    near_to("4^0.5", power(4.0, 0.5), 2.0, 1e-14);
    near_to("the last bit of 1", power(5.9604645e-08, 0.25), pow(5.9604645e-08, 0.25), 1e-16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logarithm),
        cmocka_unit_test(exponentials),
        cmocka_unit_test(powers),
    };
    return cmocka_run_group_tests_name("power", tests, NULL, NULL);
}
