// Rigid bodies that begin in each other part slowly; a heavy one stays up on a light one.
#include "physics/bricks.h"

// How fast the second of two moves seen from the first, and how near their particles are.
static double leaves(const brick_yard *y, int first, int all, double *nearest)
{
    double v[3] = {0.0, 0.0, 0.0};
    float *x = all_positions(y->world);
    *nearest = 1e9;
    for (int i = 0; i < all; i++)
    {
        float speed[3];
        good(pl_get(y->world, PL_VELOCITY, i, 1, speed));
        for (int c = 0; c < 3; c++)
            v[c] += (double)speed[c] / (i < first ? -first : all - first);
    }
    for (int i = 0; i < first; i++)
        for (int k = first; k < all; k++)
            *nearest = fmin(
                *nearest, hypot(hypot((double)x[3 * i] - (double)x[3 * k], (double)x[3 * i + 1] - (double)x[3 * k + 1]),
                                (double)x[3 * i + 2] - (double)x[3 * k + 2]));
    free(x);
    return hypot(hypot(v[0], v[1]), v[2]);
}

static void part(pl_vec3 size, double depth, int substeps)
{
    brick_yard y = open_yard(substeps, 0.0f);
    weightless(y.world);
    const pl_vec3 at[2] = {{-0.2f, 1.0f, 0.0f}, {(0.5f - (float)depth) * size.x, 1.013f, 0.013f}};
    pl_id ids[2];
    lay(&y, (pl_vec3){0.4f, 0.4f, 0.4f}, 1, at, ids);
    lay(&y, size, 1, at + 1, ids + 1);
    int first, count;
    good(pl_object_range(y.world, ids[1], &first, &count));
    double fastest = 0.0, nearest = 0.0;
    int frame = 0;
    for (; frame < 180 && nearest < 0.045; frame++)
    {
        steps(y.world, 1, 1.0 / 60.0);
        fastest = fmax(fastest, leaves(&y, first, first + count, &nearest));
    }
    print_message("%.1f m, %.1f of it inside, %2d substeps: %.2f m/s at the most, apart after %.2f s\n", (double)size.x,
                  depth, substeps, fastest, frame / 60.0);
    below("speed of parting", fastest, 2.5);
    below("0.045 m over how near they are", 0.045 / nearest, 1.0);
    pl_world_destroy(y.world);
}

static void bodies_in_each_other_part_slowly(void **state)
{
    (void)state;
    static const int substeps[3] = {5, 20, 40};
    for (int i = 0; i < 3; i++)
        for (int tenths = 1; tenths <= 9; tenths += 4)
            part((pl_vec3){0.3f, 0.2f, 0.2f}, 0.1 * tenths, substeps[i]);
    part((pl_vec3){0.4f, 0.4f, 0.4f}, 0.5, 20);
    part((pl_vec3){0.4f, 0.4f, 0.4f}, 0.9, 20);
}

// A thousand times as dense as what it lies upon.
static void a_heavy_one_stays_up(void **state)
{
    (void)state;
    brick_yard y = open_yard(40, 0.6f);
    const pl_vec3 at[2] = {{0.0f, 0.2f, 0.0f}, {0.013f, 0.51f, 0.017f}};
    pl_id ids[2];
    lay(&y, (pl_vec3){0.4f, 0.4f, 0.4f}, 1, at, ids);
    lay(&y, (pl_vec3){0.3f, 0.2f, 0.2f}, 1, at + 1, ids + 1);
    int first, count;
    good(pl_object_range(y.world, ids[1], &first, &count));
    for (int i = first; i < first + count; i++)
    {
        float mass;
        good(pl_get(y.world, PL_MASS, i, 1, &mass));
        mass *= 1000.0f;
        good(pl_set(y.world, PL_MASS, i, 1, &mass));
    }
    steps(y.world, 180, 1.0 / 60.0);
    double top = -1e9, bottom = 1e9;
    for (int i = 0; i < first + count; i++)
    {
        double height = (double)where(y.world, i).y;
        top = i < first ? fmax(top, height) : top;
        bottom = i < first ? bottom : fmin(bottom, height);
    }
    print_message("it has sunk by %.1f mm\n", 1e3 * (top + 0.05 - bottom));
    below("how far it has sunk, m", top + 0.05 - bottom, 0.03);
    pl_world_destroy(y.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_in_each_other_part_slowly),
        cmocka_unit_test(a_heavy_one_stays_up),
    };
    return cmocka_run_group_tests_name("parting", tests, NULL, NULL);
}
