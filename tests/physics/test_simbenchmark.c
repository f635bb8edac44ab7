// test_simbenchmark.c: short forms of the cases of SimBenchmark (J. Hwangbo and D. Kang, 2018), each against its analytic
// answer.
// long: too
#include "physics/rigid.h"
#include "support/long.h"

#define GRAVITY 9.81

static pl_id add_ball(pl_world *w, float radius, pl_vec3 at, int material)
{
    pl_rigid_shape s = pl_default_rigid_shape();
    pl_rigid_def d = pl_default_rigid_def();
    pl_id id;
    s.kind = PL_RIGID_SPHERE, s.radius = radius, s.material = material;
    d.shapes = &s, d.shape_count = 1, d.mass = 1.0f, d.position = at;
    good(pl_add_rigid(w, &d, &id));
    return id;
}

static void add_floor(pl_world *w)
{
    pl_shape_def floor = pl_default_shape_def();
    good(pl_add_shape(w, &floor, NULL));
}

static void rub(pl_world *w, int a, int b, float friction, float restitution)
{
    pl_material m = pl_default_material();
    m.static_friction = m.kinetic_friction = friction;
    m.restitution = restitution;
    good(pl_set_material_pair(w, a, b, &m));
}

// ---- rolling -------------------------------------------------------------------------------------------------------

// 25 balls of 1 kg on a box of 10 kg, which 150 N push diagonally over the ground. A ball that rolls on an accelerated
// plate has 2/7 of its acceleration: M a = F - mu (M + 25 m) g - 25 m 2/7 a.
static void balls_roll_on_a_pushed_box(void **unused)
{
    (void)unused;
    const double mu = 0.4, a = (150.0 - mu * 35.0 * GRAVITY) / (10.0 + 25.0 * 2.0 / 7.0), seconds = 2.0;
    const float share = 150.0f * 0.70710678f;
    for (int substeps = 4; substeps <= 20; substeps += 16)
    {
        pl_world *w = make_world(substeps, 1);
        pl_material m = pl_default_material();
        pl_rigid_shape s;
        pl_rigid_def d = box_def(&s, (pl_vec3){10.0f, 0.5f, 10.0f}, (pl_vec3){0.0f, 0.5f, 0.0f}, 10.0f);
        pl_id box, ball[25];
        int plate, round;
        good(pl_add_material(w, &m, &plate));
        good(pl_add_material(w, &m, &round));
        rub(w, 0, plate, (float)mu, 0.0f);
        rub(w, plate, round, 0.8f, 0.0f);
        add_floor(w);
        s.material = plate;
        good(pl_add_rigid(w, &d, &box));
        for (int i = 0; i < 25; i++)
            ball[i] =
                add_ball(w, 0.5f, (pl_vec3){2.0f * (float)(i % 5) - 4.0f, 1.5f, 2.0f * (float)(i / 5) - 4.0f}, round);
        play(w, 10); // they settle, at rest
        good(pl_set_rigid_force(w, box, (pl_vec3){share, 0.0f, share}, (pl_vec3){0.0f, 0.0f, 0.0f}));
        play(w, (int)(60.0 * seconds));
        pl_rigid_state b = state_of(w, box);
        double speed = sqrt(0.5) * ((double)b.velocity.x + (double)b.velocity.z), worst = 0.0;
        for (int i = 0; i < 25; i++)
        {
            pl_rigid_state r = state_of(w, ball[i]);
            double v = sqrt(0.5) * ((double)r.velocity.x + (double)r.velocity.z);
            worst = fmax(worst, fabs(v / (2.0 / 7.0 * a * seconds) - 1.0));
            worst = fmax(worst, fabs((double)r.velocity.x - (double)r.velocity.z));
        }
        print_message("rolling, %d substeps: box %.4f m/s where %.4f is exact, balls off by %.2g\n", substeps, speed,
                      a * seconds, worst);
        near_to("the box over the exact speed", speed / (a * seconds), 1.0, 0.01);
        below("balls off the exact speed", worst, 0.01);
        pl_world_destroy(w);
    }
}

// ---- bouncing ------------------------------------------------------------------------------------------------------

// 7 x 7 balls from 5 m, each column with a restitution of its own: after the first bounce they rise to e^2 of the height.
static void balls_bounce(void **unused)
{
    (void)unused;
    const float radius = 0.25f;
    for (int substeps = 8; substeps <= 20; substeps += 12)
    {
        pl_world *w = make_world(substeps, 1);
        pl_id ball[49];
        double top[49] = {0.0}, worst = 0.0;
        bool rose[49] = {false};
        add_floor(w);
        for (int e = 0; e < 7; e++)
        {
            pl_material m = pl_default_material();
            int number;
            good(pl_add_material(w, &m, &number));
            rub(w, 0, number, 0.0f, 0.4f + 0.1f * (float)e);
            for (int i = 0; i < 7; i++)
                ball[7 * e + i] =
                    add_ball(w, radius, (pl_vec3){2.0f * (float)e, 5.0f + radius, 2.0f * (float)i}, number);
        }
        for (int f = 0; f < 170; f++) // the fall takes 1.01 s, the highest rise as long
        {
            play(w, 1);
            for (int i = 0; i < 49; i++)
            {
                pl_rigid_state s = state_of(w, ball[i]);
                rose[i] |= f > 55 && s.velocity.y > 0.1f;
                bool second =
                    rose[i] && f > 62 && s.velocity.y < 0.0f && (double)s.position.y < (double)radius + 0.3 * top[i];
                top[i] = rose[i] && !second ? fmax(top[i], (double)s.position.y - (double)radius) : top[i];
            }
        }
        for (int i = 0; i < 49; i++)
        {
            double e = 0.4 + 0.1 * (i / 7), off = sqrt(top[i] / 5.0) - e;
            worst = fmax(worst, fabs(off));
        }
        print_message("bouncing, %d substeps: restitution off by %.4f\n", substeps, worst);
        below("the restitution is off by", worst, 0.02);
        pl_world_destroy(w);
    }
}

// ---- 666 -----------------------------------------------------------------------------------------------------------

static double total(const pl_world *w)
{
    pl_energy e = pl_world_energy(w);
    return e.kinetic + e.potential + e.elastic;
}

static pl_world *drop_666(int substeps, float friction, float restitution, float height)
{
    pl_world *w = make_world(substeps, 2);
    uint64_t seed = 666;
    add_floor(w);
    rub(w, 0, 0, friction, restitution);
    for (int i = 0; i < 216; i++)
    {
        pl_vec3 at = {0.45f * (float)(i % 6), height + 0.45f * (float)(i / 36), 0.45f * (float)(i / 6 % 6)};
        at.x += 0.01f * dice(&seed), at.z += 0.01f * dice(&seed);
        add_ball(w, 0.2f, at, 0);
    }
    return w;
}

// 6 x 6 x 6 balls fall on each other on ground without friction: their momentum along the ground stays 0, and energy
// never grows.
static void a_pile_of_balls_falls(void **unused)
{
    (void)unused;
    for (int substeps = 4; substeps <= 20; substeps += 16)
    {
        pl_world *w = drop_666(substeps, 0.0f, 0.0f, 1.0f);
        double start = total(w), last = start, gained = 0.0, aside = 0.0;
        for (int f = 0; f < 150; f++)
        {
            double p[3], l[3];
            play(w, 1);
            pl_world_momentum(w, p, l);
            aside = fmax(aside, hypot(p[0], p[2]));
            gained = fmax(gained, total(w) - last);
            last = fmin(last, total(w));
        }
        print_message("666, %d substeps: %.3g N s along the ground, energy grows by %.3g J of %.0f\n", substeps, aside,
                      gained, start);
        below("momentum along the ground", aside, 5e-3);
        below("growth of the energy over that of the start", gained / start, 2e-3);
        pl_world_destroy(w);
    }
}

// The same with a restitution of 1: energy stays.
static void elastic_balls_keep_their_energy(void **unused)
{
    (void)unused;
    for (int substeps = 20; substeps <= (is_long() ? 60 : 20); substeps += 40)
    {
        pl_world *w = drop_666(substeps, 0.0f, 1.0f, 2.0f);
        double start = total(w), most = 0.0, least = start;
        for (int f = 0; f < 120; f++)
        {
            play(w, 1);
            most = fmax(most, total(w)), least = fmin(least, total(w));
        }
        print_message("elastic 666, %d substeps: energy from %.4f to %.4f of the start\n", substeps, least / start,
                      most / start);
        near_to("the least energy over that of the start", least / start, 1.0, 0.1);
        below("the largest energy over that of the start", most / start, 1.01);
        pl_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_roll_on_a_pushed_box),
        cmocka_unit_test(balls_bounce),
        cmocka_unit_test(a_pile_of_balls_falls),
        cmocka_unit_test(elastic_balls_keep_their_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
