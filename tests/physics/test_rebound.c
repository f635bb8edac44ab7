// test_rebound.c: rigid bodies out of particles part as fast as their restitution says, from a floor and from each other, to a tenth of the
// speed at which they met at one iteration, and a third less at eight: a body follows its contacts over several substeps, in which the memory of how fast they met fades.
#include "physics/bricks.h"

static double mean_speed(pl_world *w, pl_id id, int axis)
{
    int first, count;
    good(pl_object_range(w, id, &first, &count));
    float *v = malloc(3 * (size_t)count * sizeof *v);
    double sum = 0.0;
    good(pl_get(w, PL_ATTRIBUTE_VELOCITY, first, count, v));
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
    good(pl_set(w, PL_ATTRIBUTE_VELOCITY, first, count, v));
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
static double from_floor(int substeps, int iterations, float speed, float restitution)
{
    brick_yard y = bouncy_yard(substeps, iterations, restitution);
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
    for (float e = 0.0f; e <= 1.0f; e += 0.25f)
        for (int substeps = 10; substeps <= 40; substeps *= 4)
            for (float speed = 1.0f; speed <= 4.0f; speed *= 2.0f)
                for (int iterations = 1; iterations <= 8; iterations *= 8)
                {
                    double floor = from_floor(substeps, iterations, speed, e),
                           other = from_each_other(substeps, iterations, speed, e);
                    print_message("restitution %.2f, %d substeps, %d iterations, %g m/s: floor %.2f, each other %.2f\n",
                                  (double)e, substeps, iterations, (double)speed, floor, other);
                    double low = iterations > 1 ? 0.35 * (double)e
                                                : 0.12; // more iterations stop it sooner, and then it is soon forgotten
                    double high = e > 0.0f ? 0.12 : 0.2; // without one it is not looked at how much is too much
                    near("from the floor", floor, (double)e + 0.5 * (high - low), 0.5 * (high + low));
                    near("from each other", other, (double)e + 0.5 * (high - low), 0.5 * (high + low));
                }
}

// What a body rests against while it strikes something else has not been struck: it is not thrown off a wall that it slides down.
static void a_wall_is_no_floor(void **state)
{
    (void)state;
    for (float e = 0.0f; e <= 1.0f; e += 0.5f)
    {
        brick_yard y = bouncy_yard(20, 1, e);
        pl_settings set = pl_world_settings(y.world);
        set.gravity = (pl_vec3){-1.0f, -9.81f, 0.0f};
        good(pl_world_set_settings(y.world, &set));
        pl_shape_def side = pl_default_shape_def();
        side.material = y.material;
        good(pl_add_shape(y.world, &side, NULL));
        side.kind = PL_SHAPE_BOX;
        side.half = (pl_vec3){0.5f, 2.0f, 0.5f};
        side.position = (pl_vec3){-0.5f, 1.9f, 0.0f};
        good(pl_add_shape(y.world, &side, NULL));
        const pl_vec3 at = {0.151f, 1.0f, 0.0f};
        pl_id id;
        double away = 0.0;
        lay(&y, (pl_vec3){0.3f, 0.3f, 0.3f}, 1, &at, &id);
        for (int frame = 0; frame < 60; frame++)
        {
            steps(y.world, 1, 1.0 / 60.0);
            away = fmax(away, mean_speed(y.world, id, 0));
        }
        print_message("restitution %.1f: away from the wall at %.3f m/s\n", (double)e, away);
        below("away from the wall", away, 0.3); // it is tipped a little when it lands
        pl_world_destroy(y.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_restitution_says), cmocka_unit_test(a_wall_is_no_floor)};
    return cmocka_run_group_tests_name("rebound", tests, NULL, NULL);
}
