// test_rebound.c: rigid bodies out of particles part as fast as their restitution says, from a floor and from each other: to a twentieth of
// the speed at which they met in the mean, and a third at the worst, for a body follows its contacts over several substeps, and parts in whole ones.
#include "physics/bricks.h"

static double mean_speed(pl_world *w, pl_id id, int axis)
{
    int first, count;
    good(pl_object_range(w, id, &first, &count));
    float *v = malloc(3 * (size_t)count * sizeof *v);
    double sum = 0.0;
    good(pl_get(w, PL_VELOCITY, first, count, v));
    for (int i = 0; i < count; i++)
        sum += (double)v[3 * i + axis] / count;
    free(v);
    return sum;
}

static void set_off(pl_world *w, pl_id id, int axis, float speed)
{
    int first, count;
    good(pl_object_range(w, id, &first, &count));
    float *v = calloc((size_t)count, 3 * sizeof *v);
    for (int i = 0; i < count; i++)
        v[3 * i + axis] = speed;
    good(pl_set(w, PL_VELOCITY, first, count, v));
    free(v);
}

static brick_yard bouncy_yard(int substeps, int iterations, float restitution)
{
    brick_yard y = {.world = make_world(substeps, iterations)};
    pl_material m = pl_default_material();
    m.restitution = restitution;
    good(pl_add_material(y.world, &m, &y.material));
    weightless(y.world);
    return y;
}

// A box that flies flat against a plane.
static double from_floor(int substeps, float speed, float restitution)
{
    brick_yard y = bouncy_yard(substeps, 1, restitution);
    pl_shape_def floor = pl_default_shape_def();
    floor.material = y.material;
    good(pl_add_shape(y.world, &floor, NULL));
    const pl_vec3 at = {0.0f, 0.4f, 0.0f};
    pl_id id;
    lay(&y, (pl_vec3){0.3f, 0.3f, 0.3f}, 1, &at, &id);
    set_off(y.world, id, 1, -speed);
    steps(y.world, (int)(60.0f / speed), 1.0 / 60.0);
    double up = mean_speed(y.world, id, 1);
    pl_world_destroy(y.world);
    return up / (double)speed;
}

// A box that strikes another, twice as heavy and not quite in its way.
static double from_each_other(int substeps, int iterations, float speed, float restitution)
{
    brick_yard y = bouncy_yard(substeps, iterations, restitution);
    const pl_vec3 at[2] = {{-0.3f, 0.0f, 0.0f}, {0.3f, 0.03f, 0.02f}};
    pl_id ids[2];
    lay(&y, (pl_vec3){0.3f, 0.3f, 0.3f}, 1, at, ids);
    lay(&y, (pl_vec3){0.4f, 0.3f, 0.4f}, 1, at + 1, ids + 1);
    set_off(y.world, ids[0], 0, speed);
    double before[3], after[3], spin[3];
    pl_world_momentum(y.world, before, spin);
    steps(y.world, (int)(90.0f / speed), 1.0 / 60.0);
    pl_world_momentum(y.world, after, spin);
    near("momentum", after[0] / before[0], 1.0, 2e-3);
    double parts = mean_speed(y.world, ids[1], 0) - mean_speed(y.world, ids[0], 0);
    pl_world_destroy(y.world);
    return parts / (double)speed;
}

static void as_restitution_says(void **state)
{
    (void)state;
    double off = 0.0;
    int count = 0;
    for (float e = 0.0f; e <= 1.0f; e += 0.25f)
        for (int substeps = 10; substeps <= 40; substeps *= 2)
            for (float speed = 1.0f; speed <= 8.0f; speed *= 2.0f)
            {
                double floor = from_floor(substeps, speed, e), one = from_each_other(substeps, 1, speed, e),
                       four = from_each_other(substeps, 4, speed, e);
                print_message("restitution %.2f, %d substeps, %g m/s: floor %.2f, each other %.2f and %.2f\n",
                              (double)e, substeps, (double)speed, floor, one, four);
                near("from the floor", floor, (double)e, 0.35);
                near("from each other", one, (double)e, 0.35);
                near("from each other, four iterations", four, (double)e, 0.35);
                off += fabs(floor - (double)e) + fabs(one - (double)e) + fabs(four - (double)e);
                count += 3;
            }
    print_message("off by %.3f in the mean\n", off / count);
    below("in the mean", off / count, 0.08);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_restitution_says)};
    return cmocka_run_group_tests_name("rebound", tests, NULL, NULL);
}
