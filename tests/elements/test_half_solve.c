// The small solver of constraints that come as a vector, against Gauss in double.
#define UNROLL // how many parts there are is not known when this is compiled
#include "elements/gauss.h"

#include "elements/kinds.h"

static void half_solve_against_gauss(void **state)
{
    (void)state;
    uint64_t seed = 1;
    double worst = 0.0;
    for (int sample = 0; sample < 60000; sample++)
    {
        int n = 2 + sample % 5;
        float a[6][6], half[VECTOR_HALF], x[6];
        double full[6][6], b[6], size = 0.0;
        for (int k = 0; k < 36; k++)
            a[k / 6][k % 6] = dice(&seed);
        for (int i = 0; i < n; i++)
        {
            x[i] = dice(&seed);
            b[i] = (double)x[i];
            for (int j = 0; j <= i; j++)
            {
                float sum = i == j ? 0.3f : 0.0f; // a a^T + 0.3: no worse than 60 : 1
                for (int k = 0; k < n; k++)
                    sum += a[i][k] * a[j][k];
                half[HALF_AT(i, j)] = sum;
                full[i][j] = full[j][i] = (double)sum;
            }
        }
        half_solve(half, x, n);
        gauss(full, b, n);
        for (int i = 0; i < n; i++)
            size = fmax(size, fabs(b[i]));
        for (int i = 0; i < n; i++)
            worst = fmax(worst, fabs((double)x[i] - b[i]) / size);
    }
    print_message("half_solve: %.1e\n", worst);
    below("the error of half_solve", worst, 5e-6);
}

// A part that nothing can change stays 0, and the others are solved as if it were not there.
static void a_dead_part_stays(void **state)
{
    (void)state;
    float m[VECTOR_HALF] = {4.0f, 0.0f, 0.0f, 1.0f, 0.0f, 3.0f}, b[3] = {9.0f, 5.0f, -6.0f};
    half_solve(m, b, 3);
    near_to("x0", (double)b[0], (9.0 * 3.0 + 6.0) / 11.0, 1e-6);
    assert_true(b[1] == 0.0f);
    near_to("x2", (double)b[2], (-6.0 * 4.0 - 9.0) / 11.0, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_solve_against_gauss),
        cmocka_unit_test(a_dead_part_stays),
    };
    return cmocka_run_group_tests_name("half solve", tests, NULL, NULL);
}
