// Lift and drag on a triangle: size, direction, still air, and that no wind throws a cloth back.
#include "support/support.h"

#include "backend/cpu/lanes.h"

static void drag_by_hand(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    pl_settings s = pl_world_settings(w);
    s.gravity = (pl_vec3){0};
    s.wind.velocity = (pl_vec3){0, 0, 10};
    s.wind.density = 1.2f;
    good(pl_world_set_settings(w, &s));
    const float x[9] = {0, 0, 0, 2, 0, 0, 0, 1, 0}; // area 1, across the wind
    pl_particles_def def = pl_default_particles_def();
    def.count = 3;
    def.position = x;
    def.mass_each = 1000.0f; // heavy: the air can hardly move it
    good(pl_add_particles(w, &def, NULL));
    const int32_t index[3] = {0, 1, 2};
    good(pl_add_faces(w, &(pl_faces_def){1, index, 0.9f, 0.0f}, NULL));
    good(pl_world_step(w, 0.01f));
    double linear[3], angular[3];
    pl_world_momentum(w, linear, angular);
    near_to("drag", linear[2] / 0.01, 0.5 * 1.2 * 0.9 * 1.0 * 100.0, 0.1); // 54 N
    near_to("aside", linear[0], 0.0, 1e-6);
    pl_world_destroy(w);
}

// A plate at 45 degrees: lift is at right angles to the flow, drag along it.
static void lift_is_across(void **state)
{
    (void)state;
    double along[2], across[2];
    for (int lift = 0; lift < 2; lift++)
    {
        pl_world *w = make_world(1, 1);
        pl_settings s = pl_world_settings(w);
        s.gravity = (pl_vec3){0};
        s.wind.velocity = (pl_vec3){0, 0, 10};
        good(pl_world_set_settings(w, &s));
        const float x[9] = {0, 0, 0, 1, 0, 0, 0, 1, 1};
        pl_particles_def def = pl_default_particles_def();
        def.count = 3;
        def.position = x;
        def.mass_each = 10.0f; // lighter loses to the air, heavier to float32's resolution of a displacement
        good(pl_add_particles(w, &def, NULL));
        const int32_t index[3] = {0, 1, 2};
        good(pl_add_faces(w, &(pl_faces_def){1, index, lift ? 0.0f : 1.0f, lift ? 1.0f : 0.0f}, NULL));
        good(pl_world_step(w, 0.01f));
        double linear[3], angular[3];
        pl_world_momentum(w, linear, angular);
        along[lift] = linear[2] / 0.01;
        across[lift] = linear[1] / 0.01;
        near_to("along the edge", linear[0], 0.0, 1e-3);
        pl_world_destroy(w);
    }
    double area = sqrt(2.0) / 2.0, c = sqrt(0.5), q = 0.5 * 1.2 * area * 100.0;
    near_to("drag along", along[0], q * c, 0.1);
    near_to("drag across", across[0], 0.0, 1e-2);
    near_to("lift along", along[1], 0.0, 1e-2);
    near_to("lift across", fabs(across[1]), q * c * c, 0.1); // cos (n - cos u): of length cos sin
}

static pl_id sheet(pl_world *w, int size, float mass)
{
    pl_cloth_def cloth = pl_default_cloth_def();
    pl_id id;
    cloth.columns = cloth.rows = size;
    cloth.mass = mass;
    cloth.drag = 1.0f;
    cloth.lift = 1.0f;
    good(pl_add_cloth(w, &cloth, &id));
    return id;
}

// Without wind a cloth that moves with the air feels nothing, and one at rest stays there.
static void no_acceleration_out_of_itself(void **state)
{
    (void)state;
    pl_world *w = make_world(4, 1);
    pl_settings s = pl_world_settings(w);
    s.gravity = (pl_vec3){0};
    good(pl_world_set_settings(w, &s));
    sheet(w, 10, 0.1f);
    play(w, 30);
    below("energy at rest", pl_world_energy(w).kinetic, 1e-20);
    s.wind.velocity = (pl_vec3){1, 2, 3};
    good(pl_world_set_settings(w, &s));
    float v[300];
    for (int i = 0; i < 100; i++)
        v[3 * i] = 1, v[3 * i + 1] = 2, v[3 * i + 2] = 3;
    good(pl_set(w, PL_ATTRIBUTE_VELOCITY, 0, 100, v));
    double before = pl_world_energy(w).kinetic;
    play(w, 30);
    near_to("energy along with the wind", pl_world_energy(w).kinetic / before, 1.0, 1e-4);
    pl_world_destroy(w);
}

// However light the cloth and however strong the wind: each particle ends between its own velocity and the wind's.
static void cannot_throw_back(void **state)
{
    (void)state;
    for (float mass = 1.0f; mass > 1e-6f; mass *= 0.1f)
        for (float speed = 1.0f; speed < 200.0f; speed *= 7.0f)
        {
            pl_world *w = make_world(1, 1);
            pl_settings s = pl_world_settings(w);
            s.gravity = (pl_vec3){0};
            s.wind.velocity = (pl_vec3){0, speed, 0};
            good(pl_world_set_settings(w, &s));
            sheet(w, 8, mass);
            good(pl_world_step(w, 1.0f / 60.0f));
            float v[3 * 64];
            good(pl_get(w, PL_ATTRIBUTE_VELOCITY, 0, 64, v));
            for (int i = 0; i < 64; i++)
                if (!(v[3 * i + 1] >= -1e-3f * speed && v[3 * i + 1] <= 1.001f * speed))
                    fail_msg("mass %g, wind %g: particle %d goes at %g", (double)mass, (double)speed, i,
                             (double)v[3 * i + 1]);
            pl_world_destroy(w);
        }
}

// Air that has been taken away must not go on pushing.
static void no_air_no_force(void **state)
{
    (void)state;
    pl_world *w = make_world(2, 1);
    pl_settings s = pl_world_settings(w);
    s.gravity = (pl_vec3){0};
    s.wind.velocity = (pl_vec3){0, 5, 0};
    good(pl_world_set_settings(w, &s));
    sheet(w, 6, 1.0f);
    play(w, 3);
    s.wind.density = 0.0f;
    good(pl_world_set_settings(w, &s));
    double before[3], after[3], angular[3];
    pl_world_momentum(w, before, angular);
    assert_true(before[1] > 0.0);
    play(w, 10);
    pl_world_momentum(w, after, angular);
    near_to("momentum without air", after[1] / before[1], 1.0, 1e-4);
    pl_world_destroy(w);
}

static void gusts_swing_about_the_mean(void **state)
{
    (void)state;
    air wind = {.velocity = {10, 0, 0}, .gust = 0.5f, .swing = 5.0f, .inverse_size = 1.0f};
    uint64_t seed = 3;
    double sum[3] = {0}, most_swing = 0.0;
    const int samples = 20000;
    for (int i = 0; i < samples; i++)
    {
        vec u = wind_at(&wind, wind.phase, vec_of(50 * dice(&seed), 50 * dice(&seed), 50 * dice(&seed)));
        sum[0] += (double)u.x, sum[1] += (double)u.y, sum[2] += (double)u.z;
        most_swing = fmax(most_swing, fabs((double)u.x - 10.0));
    }
    near_to("mean along", sum[0] / samples, 10.0, 0.2);
    near_to("mean across", sum[1] / samples, 0.0, 0.1);
    near_to("mean across", sum[2] / samples, 0.0, 0.1);
    assert_true(most_swing > 3.0 && most_swing < 7.1);
}

// The momentum that gusts give a heavy triangle at rest in a frame, against the wind taken anew in every substep.
static void sampled_gusts_are_the_gusts(void **state)
{
    (void)state;
    static const float waves[GUST_WAVES][4] = GUST_TABLE;
    const float x[9] = {0.1f, 0.2f, 0.3f, 0.4f, 0.3f, 0.2f, 0.1f, 0.6f, 0.4f}, dt = 1.0f / 60.0f;
    const float sizes[] = {0.05f, 0.3f, 1.2f, 20.0f}; // intervals in a frame: 20, 9, 3, 1
    for (int k = 0; k < 4; k++)
    {
        pl_world *w = make_world(8, 1);
        pl_settings s = pl_world_settings(w);
        s.gravity = (pl_vec3){0};
        s.substeps = 20;
        s.wind = (pl_wind){.velocity = {7, 1, 2}, .gust = 0.5f, .gust_size = sizes[k], .density = 1.2f};
        good(pl_world_set_settings(w, &s));
        pl_particles_def def = pl_default_particles_def();
        def.count = 3;
        def.position = x;
        def.mass_each = 1000.0f;
        good(pl_add_particles(w, &def, NULL));
        const int32_t index[3] = {0, 1, 2};
        good(pl_add_faces(w, &(pl_faces_def){1, index, 0.9f, 0.4f}, NULL));
        double speed = sqrt(7.0 * 7.0 + 1.0 + 4.0), linear[3], angular[3];
        air wind = {.velocity = {7, 1, 2},
                    .gust = 0.5f,
                    .swing = 0.5f * (float)speed,
                    .half_density = 0.6f,
                    .inverse_size = 1.0f / sizes[k]};
        point corner[3], still[3];
        memset(still, 0, sizeof still);
        for (int c = 0; c < 3; c++)
            corner[c] = (point){x[3 * c], x[3 * c + 1], x[3 * c + 2], 0.0f};
        for (int frame = 0; frame < 5; frame++)
        {
            double before[3], sum[3] = {0};
            pl_world_momentum(w, before, angular);
            good(pl_world_step(w, dt));
            pl_world_momentum(w, linear, angular);
            for (int i = 1; i <= 20; i++)
            {
                float phase[GUST_WAVES];
                for (int n = 0; n < GUST_WAVES; n++)
                {
                    double turns = (frame + i / 20.0) * (double)dt * speed / (double)sizes[k] * (double)waves[n][3];
                    phase[n] = (float)(turns - floor(turns));
                }
                point f = wind_on_face(&wind, wind_at(&wind, phase, face_mean(corner)), corner, still, 0.9f, 0.4f);
                sum[0] += 3.0 * (double)f.x, sum[1] += 3.0 * (double)f.y, sum[2] += 3.0 * (double)f.z;
            }
            double size = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
            for (int c = 0; c < 3; c++)
                near_to("force of gusts", (linear[c] - before[c]) / (double)dt * 20.0 / size, sum[c] / size,
                        k == 0 ? 0.002 : 0.02);
        }
        pl_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drag_by_hand),
        cmocka_unit_test(lift_is_across),
        cmocka_unit_test(no_acceleration_out_of_itself),
        cmocka_unit_test(cannot_throw_back),
        cmocka_unit_test(no_air_no_force),
        cmocka_unit_test(gusts_swing_about_the_mean),
        cmocka_unit_test(sampled_gusts_are_the_gusts),
    };
    return cmocka_run_group_tests_name("wind", tests, NULL, NULL);
}
