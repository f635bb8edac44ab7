// power.h: exp, log and power in double, computed with + - * / alone, so that every machine gets the same bits; and
// the stiffness of one iteration, which needs a power.
#pragma once
#include <stdint.h>
#include <string.h>

// ln(a) for a normal a > 0: a = 2^e m, m in [sqrt(1/2), sqrt(2)), ln m = 2 artanh((m - 1)/(m + 1)) as a series.
static inline double natural_log(double a)
{
    uint64_t bits;
    memcpy(&bits, &a, sizeof bits);
    int e = (int)(bits >> 52 & 0x7ff) - 1022;
    bits = (bits & 0x000fffffffffffffu) | 0x3fe0000000000000u; // [0.5, 1)
    double m;
    memcpy(&m, &bits, sizeof m);
    if (m < 0.70710678118654752)
    {
        m *= 2.0;
        e--;
    }
    double z = (m - 1.0) / (m + 1.0), zz = z * z, sum = 0.0;
    for (int k = 23; k >= 1; k -= 2) // |z| < 0.172: z^25 is below 1e-19
        sum = sum * zz + 1.0 / k;
    return 2.0 * z * sum + e * 0.69314718055994531;
}

// e^a for |a| < 700: a = n ln 2 + r, |r| < 0.35, e^r as a series.
static inline double exponential(double a)
{
    double scaled = a * 1.4426950408889634;
    int n = (int)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
    double r = a - n * 0.69314718055994531, sum = 1.0;
    for (int k = 16; k >= 1; k--)
        sum = 1.0 + sum * r / k;
    uint64_t bits = (uint64_t)(n + 1023) << 52;
    double power_of_two;
    memcpy(&power_of_two, &bits, sizeof power_of_two);
    return sum * power_of_two;
}

// base^exponent for a normal base > 0.
static inline double power(double base, double exponent) { return exponential(exponent * natural_log(base)); }

// k' = 1 - (1 - k)^(1/n), so that n iterations together correct the share k (Mueller and others 2006).
static inline float per_iteration(float k, int iterations)
{
    if (k >= 1.0f || iterations == 1)
        return k;
    return (float)(1.0 - power(1.0 - (double)k, 1.0 / iterations));
}
