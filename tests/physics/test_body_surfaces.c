// test_body_surfaces.c: contacts between rigid bodies and the faces and edges of surfaces: bodies that are smaller than the
// mesh of a cloth are carried, corners and needles do not pierce it, momentum, equal bits.
#include "physics/body_particles.h"

enum
{
    SIDE = 7 // particles along a side of the cloth: its mesh is 1/3 m
};

// A coarse cloth of 2 m; held: its edge is pinned.
static pl_id add_net(pl_world *w, float mass, float thickness, bool held)
{
    pl_cloth_def def = pl_default_cloth_def();
    int32_t pinned[4 * SIDE];
    int count = 0;
    pl_id id;
    for (int i = 0; i < SIDE * SIDE; i++)
        if (i < SIDE || i >= SIDE * (SIDE - 1) || i % SIDE == 0 || i % SIDE == SIDE - 1)
            pinned[count++] = i;
    def.columns = def.rows = SIDE, def.mass = mass;
    def.origin = (pl_vec3){-1.0f, 0.0f, -1.0f}, def.u = (pl_vec3){2.0f, 0.0f, 0.0f};
    def.v = (pl_vec3){0.0f, 0.0f, 2.0f};
    def.stretch.compliance = def.shear.compliance = 1e-4f;
    def.thickness = thickness;
    def.drag = def.lift = 0.0f;
    def.pinned = pinned, def.pinned_count = held ? count : 0;
    good(pl_add_cloth(w, &def, &id));
    return id;
}

static pl_id add_form(pl_world *w, pl_rigid_shape shape, pl_vec3 at, pl_quat turn, float mass)
{
    pl_rigid_def def = pl_default_rigid_def();
    pl_id id;
    def.shapes = &shape, def.shape_count = 1, def.position = at, def.rotation = turn, def.mass = mass;
    good(pl_add_rigid(w, &def, &id));
    return id;
}

static pl_rigid_shape form(pl_rigid_shape_kind kind, float half, float radius, float length)
{
    pl_rigid_shape s = pl_default_rigid_shape();
    s.kind = kind, s.half = (pl_vec3){half, half, half}, s.radius = radius, s.length = length;
    return s;
}

static const pl_quat upright = {0.0f, 0.0f, 0.0f, 1.0f};

static void calm(pl_world *w, float damping)
{
    pl_settings set = pl_world_settings(w);
    set.damping = damping;
    good(pl_world_set_settings(w, &set));
}

// ---- what is smaller than the mesh is carried ----------------------------------------------------------------------

// A ball of a quarter of the mesh, over a face, an edge and a corner of the mesh.
static void small_balls_are_carried(void **unused)
{
    (void)unused;
    const pl_vec3 over[] = {{0.09f, 0.12f, 0.09f}, {0.15f, 0.12f, 0.0f}, {0.0f, 0.12f, 0.0f}, {0.16f, 0.6f, 0.17f}};
    const float masses[] = {0.5f, 0.5f, 0.5f, 5.0f};
    double off = 0.0, lowest = 1.0;
    for (int k = 0; k < 4; k++)
    {
        pl_world *w = make_world(8, 1);
        calm(w, 1.0f);
        set_friction(w, 0.5f, 0.0f);
        add_net(w, 1.0f, 0.02f, true);
        pl_id ball = add_form(w, form(PL_RIGID_SPHERE, 0.0f, 0.083f, 0.0f), over[k], upright, masses[k]);
        double force = 0.0, deepest = 0.0;
        play(w, 240);
        for (int i = 0; i < 120; i++)
        {
            play(w, 1);
            force += force_on_bodies(w, &deepest) / (120.0 * (double)masses[k] * GRAVITY);
        }
        pl_rigid_state s = state_of(w, ball);
        print_message("ball over %g %g: force %.4f of the weight, at %.3f %.3f %.3f, overlap %.2g m, speed %.2g m/s\n",
                      (double)over[k].x, (double)over[k].z, force, (double)s.position.x, (double)s.position.y,
                      (double)s.position.z, deepest, size_of(s.velocity));
        off = fmax(off, fabs(force - 1.0)), lowest = fmin(lowest, (double)s.position.y);
        pl_world_destroy(w);
    }
    below("the force less the weight, over the weight", off, 0.01);
    assert_true(lowest > -0.6);
}

// ---- corners and needles do not pierce -----------------------------------------------------------------------------

typedef struct dropped
{
    const char *what;
    pl_rigid_shape shape;
    pl_quat turn;
    float mass, high, speed;
} dropped;

// Each falls, or is thrown, at a coarse cloth that is held at its edge: over a face, and beside an edge of the mesh.
static void nothing_pierces(void **unused)
{
    (void)unused;
    static const float spike[] = {0.0f, -0.15f, 0.0f, 0.04f, 0.1f, 0.0f, -0.03f, 0.1f, 0.03f, -0.03f, 0.1f, -0.03f};
    // A corner of the box points down: from (1, 1, 1) to -y.
    const pl_quat corner_down = {0.8227f, 0.0f, -0.3408f, 0.4553f}, lying = about_z(1.5707963), tilted = about_z(0.5);
    pl_rigid_shape hull = form(PL_RIGID_HULL, 0.0f, 0.0f, 0.0f);
    hull.vertices = spike, hull.vertex_count = 4;
    const dropped cases[] = {
        {"a box on its corner", form(PL_RIGID_BOX, 0.06f, 0.0f, 0.0f), corner_down, 1.0f, 0.15f, 0.0f},
        {"a box on its edge", form(PL_RIGID_BOX, 0.06f, 0.0f, 0.0f), about_z(0.785398), 1.0f, 0.15f, 2.0f},
        {"a flat box", form(PL_RIGID_BOX, 0.06f, 0.0f, 0.0f), upright, 1.0f, 0.1f, 0.0f},
        {"a needle", form(PL_RIGID_CAPSULE, 0.0f, 0.01f, 0.3f), upright, 0.3f, 0.25f, 0.0f},
        {"a needle that is thrown", form(PL_RIGID_CAPSULE, 0.0f, 0.01f, 0.3f), tilted, 0.1f, 0.25f, 8.0f},
        {"a needle that lies", form(PL_RIGID_CAPSULE, 0.0f, 0.01f, 0.12f), lying, 0.3f, 0.1f, 0.0f},
        {"a cylinder", form(PL_RIGID_CYLINDER, 0.0f, 0.05f, 0.1f), tilted, 1.0f, 0.15f, 1.0f},
        {"a spike", hull, upright, 0.5f, 0.25f, 0.0f},
        {"a pellet", form(PL_RIGID_SPHERE, 0.0f, 0.01f, 0.0f), upright, 0.01f, 0.1f, 60.0f},
    };
    double worst = 1.0;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int place = 0; place < 2; place++)
        {
            pl_world *w = make_world(8, 1);
            set_friction(w, 0.5f, 0.0f);
            int first, count;
            calm(w, 0.5f);
            good(pl_object_range(w, add_net(w, 1.0f, 0.02f, true), &first, &count));
            pl_vec3 at = place ? (pl_vec3){0.16f, cases[k].high, 0.17f} : (pl_vec3){0.1f, cases[k].high, 0.08f};
            pl_id id = add_form(w, cases[k].shape, at, cases[k].turn, cases[k].mass);
            good(pl_push_rigid(w, id, (pl_vec3){0.0f, -cases[k].speed * cases[k].mass, 0.0f}, at));
            double lowest = 1.0;
            for (int i = 0; i < 150; i++)
            {
                play(w, 1);
                lowest = fmin(lowest, (double)state_of(w, id).position.y);
            }
            pl_rigid_state s = state_of(w, id);
            double sag = 0.0;
            for (int i = first; i < first + count; i++)
                sag = fmin(sag, (double)value_of(w, PL_ATTRIBUTE_POSITION, i).y);
            bool beside = fabsf(s.position.x) > 0.95f || fabsf(s.position.z) > 0.95f; // it rolled or bounced off
            print_message("%s: at %.3f %.3f %.3f, lowest %.3f, the cloth %.3f, speed %.2g m/s\n", cases[k].what,
                          (double)s.position.x, (double)s.position.y, (double)s.position.z, lowest, sag,
                          size_of(s.velocity));
            if (!beside)
                worst = fmin(worst, (double)s.position.y - sag);
            pl_world_destroy(w);
        }
    assert_true(worst > 0.0); // the middle of each is above the lowest particle
}

// ---- momentum ------------------------------------------------------------------------------------------------------

static void momentum_stays(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < 4; kind++)
        for (int bouncy = 0; bouncy < 2; bouncy++)
        {
            const pl_rigid_shape shapes[] = {
                form(PL_RIGID_SPHERE, 0.0f, 0.08f, 0.0f), form(PL_RIGID_BOX, 0.07f, 0.0f, 0.0f),
                form(PL_RIGID_CAPSULE, 0.0f, 0.03f, 0.3f), form(PL_RIGID_CYLINDER, 0.0f, 0.08f, 0.1f)};
            pl_world *w = make_world(8, 1);
            double p0[3], l0[3], p[3], l[3], dp = 0.0, dl = 0.0, size_p = 0.0, size_l = 0.0, pressed = 0.0;
            no_gravity(w);
            set_friction(w, 0.5f, bouncy ? 0.5f : 0.0f);
            add_net(w, 1.0f, 0.02f, false);
            pl_id id = add_form(w, shapes[kind], (pl_vec3){0.1f, 0.4f, 0.12f}, about_z(0.4), 0.5f);
            good(pl_push_rigid(w, id, (pl_vec3){0.3f, -1.5f, 0.2f}, (pl_vec3){0.13f, 0.4f, 0.12f}));
            pl_world_momentum(w, p0, l0);
            for (int i = 0; i < 120; i++)
            {
                play(w, 1);
                pressed = fmax(pressed, force_on_bodies(w, NULL));
            }
            pl_world_momentum(w, p, l);
            for (int c = 0; c < 3; c++)
            {
                dp += (p[c] - p0[c]) * (p[c] - p0[c]), size_p += p0[c] * p0[c];
                dl += (l[c] - l0[c]) * (l[c] - l0[c]), size_l += l0[c] * l0[c];
            }
            print_message("kind %d, bouncy %d: momentum %.2g, angular momentum %.2g, force %.3g N\n", kind, bouncy,
                          sqrt(dp / size_p), sqrt(dl / size_l), pressed);
            assert_true(state_of(w, id).velocity.y > -2.0f); // it was slowed down
            below("change of momentum", sqrt(dp / size_p), 1e-5);
            below("change of angular momentum", sqrt(dl / size_l), 1e-4);
            pl_world_destroy(w);
        }
}

// ---- equal bits ----------------------------------------------------------------------------------------------------

static int faces_that_press(const pl_world *w)
{
    const packed_body_particles *b = &w->state.body_particles;
    int rows = 0;
    for (int32_t i = 0; b->row_room && i < b->range[BODY_RANGE_ROWS + 1]; i++)
        rows += b->row[i].corners == BODY_CORNERS && b->kept[4 * (size_t)i] != 0.0f;
    return rows;
}

// Bodies of every shape fall on a coarse cloth.
static uint64_t hash_of(int threads, int lanes, int saved)
{
    pl_world_def def = small_def(8, 1);
    pl_world *w = NULL;
    uint64_t seed = 5;
    def.threads = threads, def.lanes = lanes;
    good(pl_world_create(&def, &w));
    set_friction(w, 0.4f, 0.2f);
    add_net(w, 1.0f, 0.02f, true);
    for (int i = 0; i < 12; i++)
    {
        const pl_rigid_shape_kind kinds[] = {PL_RIGID_SPHERE, PL_RIGID_BOX, PL_RIGID_CAPSULE, PL_RIGID_CYLINDER};
        pl_vec3 at = {0.6f * dice(&seed), 0.15f + 0.03f * (float)i, 0.6f * dice(&seed)};
        add_form(w, form(kinds[i % 4], 0.06f, 0.05f, 0.15f), at, about_z((double)i), 0.2f);
    }
    for (int i = 0; i < 40; i++)
    {
        play(w, 1);
        if (i % 10 == 4 && saved)
        {
            void *bytes = NULL;
            size_t size = 0;
            good(pl_world_save_memory(w, &bytes, &size));
            if (saved == 1)
            {
                pl_world_destroy(w);
                good(pl_world_load_memory(&def, bytes, size, &w));
            }
            else
            {
                play(w, 3);
                good(pl_world_restore(w, bytes, size));
            }
            pl_free(bytes);
        }
    }
    assert_true(faces_that_press(w) > 0);
    uint64_t hash = pl_world_hash(w);
    pl_world_destroy(w);
    return hash;
}

static void the_same_bits(void **unused)
{
    (void)unused;
    uint64_t wanted = hash_of(1, 1, 0);
    assert_true(hash_of(1, 1, 1) == wanted);
    assert_true(hash_of(1, 1, 2) == wanted);
    assert_true(hash_of(2, 1, 0) == wanted);
    for (const int *lanes = pl_lane_widths(); *lanes; lanes++)
        assert_true(hash_of(3, *lanes, 0) == wanted);
}

// ---- edits, ties, cost ---------------------------------------------------------------------------------------------

static int face_rows(const pl_world *w)
{
    const packed_body_particles *b = &w->state.body_particles;
    int rows = 0;
    for (int32_t i = 0; b->row_room && i < b->range[BODY_RANGE_ROWS + 1]; i++)
        rows += b->row[i].corners == BODY_CORNERS;
    return rows;
}

// Far from the body, and without a thickness, triangles have no rows; a thickness that is set while the world runs
// gives them some, and takes them again.
static void only_surfaces_nearby_cost(void **unused)
{
    (void)unused;
    pl_world *w = make_world(8, 1);
    int first, count;
    float thickness[SIDE * SIDE];
    good(pl_object_range(w, add_net(w, 1.0f, 0.0f, true), &first, &count));
    pl_id ball = add_form(w, form(PL_RIGID_SPHERE, 0.0f, 0.08f, 0.0f), (pl_vec3){0.1f, 5.0f, 0.1f}, upright, 0.5f);
    for (int i = 0; i < count; i++)
        thickness[i] = 0.02f;
    play(w, 2);
    assert_int_equal(face_rows(w), 0);
    good(pl_set(w, PL_ATTRIBUTE_THICKNESS, first, count, thickness));
    play(w, 2);
    assert_int_equal(face_rows(w), 0);
    pl_rigid_state s = state_of(w, ball);
    s.position.y = 0.12f, s.velocity = (pl_vec3){0.0f, 0.0f, 0.0f};
    good(pl_set_rigids(w, &ball, 1, &s));
    play(w, 60);
    assert_true(face_rows(w) > 0);
    assert_true(state_of(w, ball).position.y > -0.3f);
    memset(thickness, 0, sizeof thickness);
    good(pl_set(w, PL_ATTRIBUTE_THICKNESS, first, count, thickness));
    play(w, 60);
    assert_int_equal(face_rows(w), 0);
    assert_true(state_of(w, ball).position.y < -0.5f); // it fell between the particles
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_balls_are_carried),
        cmocka_unit_test(nothing_pierces),
        cmocka_unit_test(momentum_stays),
        cmocka_unit_test(the_same_bits),
        cmocka_unit_test(only_surfaces_nearby_cost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
