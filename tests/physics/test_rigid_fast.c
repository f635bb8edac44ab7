// Fast and thin rigid bodies: nothing passes through anything, and what only passes by is not deflected.
#include "physics/rigid_floors.h"

static const int step_counts[] = {1, 4, 8};

static pl_world *open_fast(int substeps, float restitution)
{
    pl_world *w = make_world(substeps, 1);
    pl_material m = pl_default_material();
    m.static_friction = m.kinetic_friction = 0.3f, m.restitution = restitution;
    good(pl_set_material(w, 0, &m));
    no_gravity(w);
    return w;
}

static pl_id add_body(pl_world *w, pl_rigid_shape s, pl_rigid_type type, pl_vec3 at, pl_vec3 velocity, pl_vec3 spin)
{
    pl_rigid_def d = pl_default_rigid_def();
    pl_id id;
    d.type = type, d.shapes = &s, d.shape_count = 1, d.position = at, d.velocity = velocity, d.spin = spin;
    good(pl_add_rigid(w, &d, &id));
    return id;
}

static pl_rigid_shape box_of(float x, float y, float z)
{
    pl_rigid_shape s = pl_default_rigid_shape();
    s.half = (pl_vec3){x, y, z};
    return s;
}

static pl_rigid_shape round_of(pl_rigid_shape_kind kind, float radius, float length)
{
    pl_rigid_shape s = pl_default_rigid_shape();
    s.kind = kind, s.radius = radius, s.length = length;
    return s;
}

static const pl_vec3 none = {0.0f, 0.0f, 0.0f};

// What a ball is shot at, at x = 0: a static plate of 1 cm, one of the world, a thin mesh, a closed mesh, a height field
// (on its side), a distance field.
enum
{
    TARGETS = 6
};

static void add_target(pl_world *w, int target)
{
    static const float corners[24] = {-.005f, -1, -1, .005f, -1, -1, .005f, -1, 1, -.005f, -1, 1,
                                      -.005f, 1,  -1, .005f, 1,  -1, .005f, 1,  1, -.005f, 1,  1};
    static const int32_t sides[36] = {0, 1, 2, 0, 2, 3, 4, 6, 5, 4, 7, 6, 0, 4, 5, 0, 5, 1,
                                      1, 5, 6, 1, 6, 2, 2, 6, 7, 2, 7, 3, 3, 7, 4, 3, 4, 0};
    static const float flat[81];
    pl_shape_def d = pl_default_shape_def();
    pl_rigid_shape s = box_of(0.005f, 1.0f, 1.0f);
    if (target == 0)
        add_body(w, s, PL_RIGID_STATIC, none, none, none);
    s.kind = PL_RIGID_MESH, s.vertices = corners, s.vertex_count = 8, s.triangles = sides, s.triangle_count = 12;
    if (target == 3)
        add_body(w, s, PL_RIGID_STATIC, none, none, none);
    d.kind = PL_SHAPE_BOX, d.half = s.half;
    if (target == 1)
        good(pl_add_shape(w, &d, NULL));
    d.kind = PL_SHAPE_SDF, d.vertices = corners, d.vertex_count = 8, d.triangles = sides, d.triangle_count = 12;
    float thick[24];
    for (int i = 0; i < 24; i++) // not thinner than the spacing
        thick[i] = i % 3 ? corners[i] : 4.0f * corners[i];
    d.vertices = thick, d.spacing = 0.02f;
    if (target == 5)
        good(pl_add_shape(w, &d, NULL));
    d = pl_default_shape_def();
    d.kind = PL_SHAPE_HEIGHTFIELD, d.heights = flat, d.columns = d.rows = 9, d.spacing = 0.25f;
    d.rotation = (pl_quat){0.0f, 0.0f, 0.70710678f, 0.70710678f}; // up is -x
    if (target == 4)
        good(pl_add_shape(w, &d, NULL));
    if (target == 2)
    {
        pl_rigid_def b = pl_default_rigid_def();
        const floor_mesh *f = floor_make(FLOOR_RANDOM);
        pl_rigid_shape t = pl_default_rigid_shape();
        t.kind = PL_RIGID_MESH, t.two_sided = true;
        t.vertices = f->x, t.vertex_count = f->vertices, t.triangles = f->t, t.triangle_count = f->triangles;
        b.type = PL_RIGID_STATIC, b.shapes = &t, b.shape_count = 1, b.rotation = d.rotation;
        good(pl_add_rigid(w, &b, NULL));
    }
}

static void balls_do_not_pass_plates(void **unused)
{
    (void)unused;
    uint64_t seed = 3;
    for (int target = 0; target < TARGETS; target++)
        for (int n = 0; n < 3; n++)
            for (int shot = 0; shot < 8; shot++)
            {
                const bool spins = shot > 3;
                pl_world *w = open_fast(step_counts[n], 0.5f);
                add_target(w, target);
                pl_rigid_shape s = shot % 4 == 0   ? round_of(PL_RIGID_SPHERE, 0.01f, 0.0f)
                                   : shot % 4 == 1 ? round_of(PL_RIGID_CAPSULE, 0.01f, 0.03f)
                                   : shot % 4 == 2 ? round_of(PL_RIGID_CYLINDER, 0.01f, 0.03f)
                                                   : box_of(0.01f, 0.01f, 0.02f);
                pl_id ball =
                    add_body(w, s, PL_RIGID_DYNAMIC, (pl_vec3){-1.3f + 0.7f * dice(&seed), 0.2f * dice(&seed), 0},
                             (pl_vec3){200.0f, 20.0f * dice(&seed), 20.0f * dice(&seed)},
                             spins ? (pl_vec3){50.0f, 0.0f, 80.0f * dice(&seed)} : none);
                for (int f = 0; f < 6; f++)
                    good(pl_world_step(w, 1.0f / 60.0f));
                pl_rigid_state at = state_of(w, ball);
                if (!(at.position.x < 0.0f && (spins || at.velocity.x < 1.0f)))
                    fail_msg("target %d, %d substeps, shot %d: at %g, %g m/s", target, step_counts[n], shot,
                             (double)at.position.x, (double)at.velocity.x);
                if (target < 2 && shot % 4 == 0)
                    near_to("speed after the impact", (double)at.velocity.x, -100.0, 2.0);
                pl_world_destroy(w);
            }
}

// The next three kinds of near misses: past the edge of a box, over a mesh, between two plates.
static void near_misses_are_not_deflected(void **unused)
{
    (void)unused;
    uint64_t seed = 9;
    for (int n = 0; n < 3; n++)
        for (int shot = 0; shot < 30; shot++)
        {
            pl_world *w = open_fast(step_counts[n], 0.0f);
            const float speed = shot % 3 == 0 ? 200.0f : shot % 3 == 1 ? 20.0f : 60.0f, gap = shot % 2 ? 1e-3f : 3e-4f;
            add_body(w, box_of(0.5f, 0.5f, 0.5f), PL_RIGID_STATIC, none, none, none);
            add_body(w, box_of(0.5f, 0.5f, 0.5f), PL_RIGID_STATIC, (pl_vec3){0.0f, 1.02f + 2.0f * gap, 0.0f}, none,
                     none);
            pl_rigid_shape s = shot < 20 ? round_of(PL_RIGID_SPHERE, 0.01f, 0.0f) : box_of(0.01f, 0.01f, 0.01f);
            pl_id ball =
                add_body(w, s, PL_RIGID_DYNAMIC, (pl_vec3){-1.5f + 0.9f * dice(&seed), 0.51f + gap, 0.1f * dice(&seed)},
                         (pl_vec3){speed, 0.0f, 0.0f}, none);
            pl_rigid_state from = state_of(w, ball);
            for (int f = 0; f < 400 / (int)speed; f++)
                good(pl_world_step(w, 1.0f / 60.0f));
            pl_rigid_state at = state_of(w, ball);
            if (!(fabs((double)at.velocity.x - (double)speed) < 1e-4 * (double)speed &&
                  fabs((double)at.velocity.y) < 1e-5 * (double)speed &&
                  fabs((double)(at.position.y - from.position.y)) < 1e-6))
                fail_msg("%d substeps, shot %d at %g m/s, %g m beside: velocity (%g, %g, %g)", step_counts[n], shot,
                         (double)speed, (double)gap, (double)at.velocity.x, (double)at.velocity.y,
                         (double)at.velocity.z);
            pl_world_destroy(w);
        }
}

// A bullet against a thin plate that is free: momentum stays, the bullet does not pass, and the plate turns the right way.
static void bullets_push_plates(void **unused)
{
    (void)unused;
    for (int n = 0; n < 3; n++)
        for (int off = 0; off < 2; off++)
        {
            pl_world *w = open_fast(step_counts[n], 0.0f);
            pl_id plate = add_body(w, box_of(0.005f, 0.3f, 0.3f), PL_RIGID_DYNAMIC, none, none, none);
            pl_id ball = add_body(w, round_of(PL_RIGID_SPHERE, 0.01f, 0.0f), PL_RIGID_DYNAMIC,
                                  (pl_vec3){-1.37f, off ? 0.2f : 0.0f, 0.0f}, (pl_vec3){200.0f, 0.0f, 0.0f}, none);
            const double mb = 1000.0 * 4.0 / 3.0 * 3.14159265 * 1e-6, mp = 1000.0 * 0.01 * 0.36;
            for (int f = 0; f < 4; f++)
                good(pl_world_step(w, 1.0f / 60.0f));
            pl_rigid_state b = state_of(w, ball), p = state_of(w, plate);
            near_to("momentum", mb * (double)b.velocity.x + mp * (double)p.velocity.x, mb * 200.0, 1e-5 * mb * 200.0);
            if (off) // -p r/(m r^2 + I) of a point mass that stays at r
            {
                double inertia = mp * (0.36 + 1e-4) / 12.0, impulse = 200.0 / (1.0 / mb + 1.0 / mp + 0.04 / inertia);
                near_to("spin", (double)p.spin.z, -0.2 * impulse / inertia, 0.02);
                near_to("speed", (double)p.velocity.x, impulse / mp, 0.01);
            }
            else
                near_to("speed", (double)p.velocity.x, mb * 200.0 / (mb + mp), 2e-3);
            const double from[3] = {(double)b.position.x - p.position.x, (double)b.position.y - p.position.y, 0.0};
            double in_plate[3];
            turn_point((pl_quat){-p.rotation.x, -p.rotation.y, -p.rotation.z, p.rotation.w}, from, in_plate);
            below("the ball relative to the plate", in_plate[0], -0.014);
            pl_world_destroy(w);
        }
}

// A rod and a plate that spin at 100 rad/s and move at 30 m/s do not pass a plate of 1 cm.
static void spinning_bodies_do_not_pass(void **unused)
{
    (void)unused;
    for (int n = 0; n < 3; n++)
        for (int kind = 0; kind < 4; kind++)
        {
            pl_world *w = open_fast(step_counts[n], 0.0f);
            pl_rigid_shape s = kind % 2 ? box_of(0.004f, 0.25f, 0.15f) : round_of(PL_RIGID_CAPSULE, 0.01f, 0.5f);
            add_body(w, box_of(0.005f, 2.0f, 2.0f), PL_RIGID_STATIC, none, none, none);
            pl_id id = add_body(w, s, PL_RIGID_DYNAMIC, (pl_vec3){-0.5f, 0.0f, 0.0f}, (pl_vec3){30.0f, 0.0f, 0.0f},
                                kind < 2 ? (pl_vec3){0.0f, 0.0f, 100.0f} : (pl_vec3){0.0f, 60.0f, 60.0f});
            double farthest = -1.0;
            for (int f = 0; f < 40; f++)
            {
                good(pl_world_step(w, 1.0f / 60.0f));
                farthest = fmax(farthest, (double)state_of(w, id).position.x);
            }
            if (!(farthest < 0.0))
                fail_msg("kind %d, %d substeps: its middle came to %g", kind, step_counts[n], farthest);
            pl_world_destroy(w);
        }
}

// A fast box into a wall of boxes in a closed room: it pushes them, and nothing leaves the room.
static void boxes_stay_in_a_room(void **unused)
{
    (void)unused;
    for (int n = 0; n < 3; n++)
    {
        pl_world *w = open_fast(step_counts[n], 0.0f);
        pl_id id[37];
        set_gravity(w, -9.81f);
        for (int side = 0; side < 6; side++)
        {
            float at = side % 2 ? 1.01f : -1.01f;
            add_body(w, box_of(side / 2 ? 1.5f : 0.01f, side / 2 == 1 ? 0.01f : 1.5f, side / 2 == 2 ? 0.01f : 1.5f),
                     PL_RIGID_STATIC,
                     (pl_vec3){side / 2 == 0 ? at : 0.0f, side / 2 == 1 ? at : 0.0f, side / 2 == 2 ? at : 0.0f}, none,
                     none);
        }
        for (int i = 0; i < 36; i++)
            id[i] = add_body(w, box_of(0.1f, 0.1f, 0.1f), PL_RIGID_DYNAMIC,
                             (pl_vec3){0.3f, -0.9f + 0.2f * (float)(i / 6), -0.5f + 0.2f * (float)(i % 6)}, none, none);
        id[36] = add_body(w, box_of(0.1f, 0.1f, 0.1f), PL_RIGID_DYNAMIC, (pl_vec3){-0.8f, -0.45f, 0.07f},
                          (pl_vec3){150.0f, 10.0f, 3.0f}, (pl_vec3){5.0f, 3.0f, 1.0f});
        for (int f = 0; f < 60; f++)
            good(pl_world_step(w, 1.0f / 60.0f));
        for (int i = 0; i < 37; i++)
        {
            pl_rigid_state s = state_of(w, id[i]);
            double far = fmax(fmax(fabs((double)s.position.x), fabs((double)s.position.y)), fabs((double)s.position.z));
            if (!(far < 1.0))
                fail_msg("%d substeps: box %d is at (%g, %g, %g)", step_counts[n], i, (double)s.position.x,
                         (double)s.position.y, (double)s.position.z);
        }
        pl_world_destroy(w);
    }
}

// Balls at 60 m/s in hollow shapes of 1.2 m stay inside.
static void balls_stay_in_hollow_shapes(void **unused)
{
    (void)unused;
    for (int n = 0; n < 3; n++)
        for (int wall = 0; wall < PL_RIGID_HULL; wall++)
        {
            pl_world *w = open_fast(step_counts[n], 1.0f);
            pl_rigid_shape s = round_of((pl_rigid_shape_kind)wall, 0.6f, 1.0f);
            s.hollow = true, s.half = (pl_vec3){0.6f, 0.6f, 0.6f};
            add_body(w, s, PL_RIGID_STATIC, none, none, none);
            pl_id ball = add_body(w, round_of(PL_RIGID_SPHERE, 0.02f, 0.0f), PL_RIGID_DYNAMIC,
                                  (pl_vec3){0.01f, 0.02f, 0.03f}, (pl_vec3){50.0f, 17.0f, -25.0f}, none);
            for (int f = 0; f < 60; f++)
            {
                good(pl_world_step(w, 1.0f / 60.0f));
                pl_rigid_state b = state_of(w, ball);
                double x = fabs((double)b.position.x), y = fabs((double)b.position.y), z = fabs((double)b.position.z);
                double up = wall == PL_RIGID_SPHERE ? y : fmax(y - 0.5, 0.0), out = hypot(hypot(x, z), up) - 0.6;
                if (wall == PL_RIGID_BOX)
                    out = fmax(fmax(x, y), z) - 0.6;
                if (wall == PL_RIGID_CYLINDER)
                    out = fmax(hypot(x, z) - 0.6, y - 0.5);
                if (!(out < 0.0))
                    fail_msg("wall %d, %d substeps, frame %d: %g m outside", wall, step_counts[n], f, out);
            }
            pl_world_destroy(w);
        }
}

// Fast bodies have the same bits on other lanes and threads, with BDF2 too.
static void bits_are_equal(void **unused)
{
    (void)unused;
    for (int second = 0; second < 2; second++)
    {
        uint64_t hash = 0;
        for (int how = 0; how < 4; how++)
        {
            pl_world *w = open_fast(3, 0.4f);
            pl_settings set = pl_world_settings(w);
            set.integrator = second ? PL_INTEGRATOR_BDF2 : PL_INTEGRATOR_BDF1;
            good(pl_world_set_settings(w, &set));
            for (int i = 0; i < TARGETS; i++)
                add_target(w, i);
            for (int i = 0; i < 24; i++)
                add_body(w, i % 2 ? box_of(0.02f, 0.03f, 0.04f) : round_of(PL_RIGID_SPHERE, 0.02f, 0.0f),
                         PL_RIGID_DYNAMIC,
                         (pl_vec3){-0.6f - 0.1f * (float)(i / 6), -0.5f + 0.2f * (float)(i % 6), 0.02f * (float)i},
                         (pl_vec3){30.0f + 7.0f * (float)i, (float)i - 12.0f, 3.0f}, (pl_vec3){0.0f, 10.0f, (float)i});
            good(pl_world_set_workers(w, 1 + how % 2, how < 2 ? 1 : 0));
            for (int f = 0; f < 12; f++)
                good(pl_world_step(w, 1.0f / 60.0f));
            if (how == 0)
                hash = pl_world_hash(w);
            assert_true(pl_world_hash(w) == hash);
            pl_world_destroy(w);
        }
    }
}

// A body at rest is pushed, or put near a plate with a velocity, between two frames: the next frame sees what is ahead.
static void pushed_bodies_do_not_pass(void **unused)
{
    (void)unused;
    for (int put = 0; put < 2; put++)
        for (int n = 0; n < 3; n++)
        {
            pl_world *w = open_fast(step_counts[n], 0.0f);
            add_target(w, 0);
            pl_id ball = add_body(w, round_of(PL_RIGID_SPHERE, 0.01f, 0.0f), PL_RIGID_DYNAMIC,
                                  (pl_vec3){-1.0f, put ? 5.0f : 0.0f, 0.0f}, none, none);
            play(w, 3);
            pl_rigid_state s = state_of(w, ball);
            pl_mass_properties m;
            good(pl_get_rigid_mass(w, ball, &m));
            if (put)
            {
                s.position.y = 0.0f, s.velocity.x = 120.0f;
                good(pl_set_rigids(w, &ball, 1, &s));
            }
            else
                good(pl_push_rigid(w, ball, (pl_vec3){120.0f * m.mass, 0.0f, 0.0f}, s.position));
            play(w, 3);
            if (!(state_of(w, ball).position.x < 0.0f))
                fail_msg("%s at %d substeps: the ball is at %g m", put ? "put" : "pushed", step_counts[n],
                         (double)state_of(w, ball).position.x);
            pl_world_destroy(w);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_do_not_pass_plates), cmocka_unit_test(near_misses_are_not_deflected),
        cmocka_unit_test(bullets_push_plates),      cmocka_unit_test(spinning_bodies_do_not_pass),
        cmocka_unit_test(boxes_stay_in_a_room),     cmocka_unit_test(balls_stay_in_hollow_shapes),
        cmocka_unit_test(bits_are_equal),           cmocka_unit_test(pushed_bodies_do_not_pass),
    };
    return cmocka_run_group_tests_name("fast rigid bodies", tests, NULL, NULL);
}
