// test_body_loads.c: rigid bodies that particles carry: beds of grains and cloth, at masses of 1,000:1 both ways.
#include "physics/body_particles.h"

typedef struct rest
{
    double sunk, force, deepest, speed;
} rest;

// A box of this mass on a bed of balls of this mass, after some seconds.
static rest box_on_a_bed(int substeps, float mass, float grain, int frames)
{
    const float radius = 0.05f;
    pl_world *w = make_world(substeps, 1);
    rest r;
    set_friction(w, 0.5f, 0.0f);
    add_tray(w, 8.0f * radius);
    add_bed(w, 8, 3, radius, grain);
    float top = 6.0f * radius + 0.1f;
    pl_id box = add_box(w, (pl_vec3){0.2f, 0.1f, 0.2f}, (pl_vec3){0.0f, top + 0.01f, 0.0f}, mass);
    play(w, frames);
    pl_rigid_state s = state_of(w, box);
    r.force = force_on_bodies(w, &r.deepest) / ((double)mass * GRAVITY);
    r.sunk = (double)(top - s.position.y);
    r.speed = size_of(s.velocity);
    pl_world_destroy(w);
    return r;
}

static void boxes_rest_on_grains(void **unused)
{
    (void)unused;
    const struct
    {
        int substeps;
        float box, grain;
    } cases[] = {{8, 1.0f, 0.5f}, {8, 50.0f, 0.5f}, {8, 100.0f, 0.1f}, {20, 100.0f, 0.1f}, {8, 0.01f, 10.0f}};
    double off = 0.0, sunk = 0.0, speed = 0.0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        rest r = box_on_a_bed(cases[i].substeps, cases[i].box, cases[i].grain, 120);
        print_message("%g kg on grains of %g kg, %d substeps: force %.4f of the weight, sunk %.2g m, overlap %.2g m, "
                      "speed %.2g m/s\n",
                      (double)cases[i].box, (double)cases[i].grain, cases[i].substeps, r.force, r.sunk, r.deepest,
                      r.speed);
        off = fmax(off, fabs(r.force - 1.0)), sunk = fmax(sunk, r.sunk), speed = fmax(speed, r.speed);
    }
    below("the force less the weight, over the weight", off, 0.02);
    below("how far the box has sunk", sunk, 0.05);
    below("the speed of the box", speed, 0.01);
}

// A trampoline: a cloth that is held at its edges carries a box.
static void boxes_rest_on_cloth(void **unused)
{
    (void)unused;
    const float masses[] = {1.0f, 10.0f, 100.0f, 0.01f};
    double off = 0.0, speed = 0.0;
    for (int k = 0; k < 4; k++)
    {
        enum
        {
            SIDE = 21
        };
        pl_world *w = make_world(20, 1);
        pl_settings set = pl_world_settings(w);
        pl_cloth_def def = pl_default_cloth_def();
        int32_t pinned[4 * SIDE];
        int count = 0;
        for (int i = 0; i < SIDE * SIDE; i++)
            if (i < SIDE || i >= SIDE * (SIDE - 1) || i % SIDE == 0 || i % SIDE == SIDE - 1)
                pinned[count++] = i;
        set.damping = 1.0f;
        good(pl_world_set_settings(w, &set));
        def.columns = def.rows = SIDE, def.mass = 2.0f;
        def.origin = (pl_vec3){-1.0f, 0.0f, -1.0f}, def.u = (pl_vec3){2.0f, 0.0f, 0.0f};
        def.v = (pl_vec3){0.0f, 0.0f, 2.0f};
        def.stretch.compliance = def.shear.compliance = 1e-4f;
        def.pinned = pinned, def.pinned_count = count;
        good(pl_add_cloth(w, &def, NULL));
        pl_id box = add_box(w, (pl_vec3){0.3f, 0.1f, 0.3f}, (pl_vec3){0.0f, 0.105f, 0.0f}, masses[k]);
        double deepest = 0.0, force = 0.0;
        play(w, 180);
        for (int i = 0; i < 120; i++) // it still bounces a little: the mean force
        {
            play(w, 1);
            force += force_on_bodies(w, &deepest) / (120.0 * (double)masses[k] * GRAVITY);
        }
        pl_rigid_state s = state_of(w, box);
        print_message("%g kg on a cloth of 2 kg: force %.4f of the weight, at %.3f m, overlap %.2g m, speed %.2g m/s\n",
                      (double)masses[k], force, (double)s.position.y, deepest, size_of(s.velocity));
        off = fmax(off, fabs(force - 1.0)), speed = fmax(speed, size_of(s.velocity));
        pl_world_destroy(w);
    }
    below("the force less the weight, over the weight", off, 0.02);
    below("the speed of the box", speed, 0.05);
}

// A box falls on a cloth that is held at its corners, and stays on it.
static void a_box_stays_on_a_hammock(void **unused)
{
    (void)unused;
    enum
    {
        SIDE = 21
    };
    const int32_t corners[] = {0, SIDE - 1, SIDE * (SIDE - 1), SIDE * SIDE - 1};
    pl_world *w = make_world(20, 1);
    pl_cloth_def def = pl_default_cloth_def();
    set_friction(w, 0.5f, 0.0f);
    def.columns = def.rows = SIDE, def.mass = 1.0f;
    def.origin = (pl_vec3){-1.0f, 0.0f, -1.0f}, def.u = (pl_vec3){2.0f, 0.0f, 0.0f},
    def.v = (pl_vec3){0.0f, 0.0f, 2.0f};
    def.pinned = corners, def.pinned_count = 4;
    def.stretch.compliance = def.shear.compliance = 1e-3f;
    good(pl_add_cloth(w, &def, NULL));
    pl_id box = add_box(w, (pl_vec3){0.25f, 0.15f, 0.25f}, (pl_vec3){0.05f, 0.7f, 0.0f}, 5.0f);
    play(w, 300);
    pl_rigid_state s = state_of(w, box);
    print_message("the box is at %.3f %.3f %.3f, speed %.2g\n", (double)s.position.x, (double)s.position.y,
                  (double)s.position.z, size_of(s.velocity));
    assert_true(s.position.y > -1.2f && s.position.y < 0.5f);
    pl_world_destroy(w);
}

// ---- every object on a body ----------------------------------------------------------------------------------------

static pl_id add_object(pl_world *w, int kind, float mass)
{
    pl_id id;
    if (kind < PL_BODY_LATTICE + 1)
    {
        pl_mesh_def form = pl_default_mesh_def();
        pl_body_def def = pl_default_body_def();
        pl_mesh mesh = {0};
        form.shape = "box", form.size = (pl_vec3){0.4f, 0.3f, 0.4f};
        good(pl_mesh_make(&form, &mesh));
        def.mesh = &mesh, def.kind = (pl_body_kind)kind, def.mass = mass, def.spacing = 0.1f, def.thickness = 0.02f;
        def.position = (pl_vec3){0.0f, 0.4f, 0.0f}, def.elastic.young = 2e4f;
        good(pl_add_body(w, &def, &id));
        pl_mesh_free(&mesh);
        return id;
    }
    pl_rope_def rope = pl_default_rope_def();
    rope.from = (pl_vec3){-0.4f, 0.3f, 0.0f}, rope.to = (pl_vec3){0.4f, 0.35f, 0.1f}, rope.mass = mass;
    good(pl_add_rope(w, &rope, &id));
    return id;
}

// A free plate on the floor carries bodies of particles, tetrahedra, lattices, balloons and ropes.
static void every_object_rests_on_a_plate(void **unused)
{
    (void)unused;
    double off = 0.0;
    for (int kind = 0; kind < PL_BODY_LATTICE + 2; kind++)
    {
        pl_world *w = make_world(20, 1);
        pl_shape_def floor = pl_default_shape_def();
        int first, count;
        double force = 0.0, lowest = 1.0, fastest = 0.0;
        set_friction(w, 0.5f, 0.0f);
        good(pl_add_shape(w, &floor, NULL));
        pl_id plate = add_box(w, (pl_vec3){1.0f, 0.1f, 1.0f}, (pl_vec3){0.0f, 0.1f, 0.0f}, 3.0f);
        good(pl_object_range(w, add_object(w, kind, 2.0f), &first, &count));
        play(w, 120);
        for (int i = 0; i < 60; i++)
        {
            play(w, 1);
            force -= force_on_bodies(w, NULL) / (60.0 * 2.0 * GRAVITY);
        }
        for (int i = first; i < first + count; i++)
        {
            lowest = fmin(lowest, (double)value_of(w, PL_ATTRIBUTE_POSITION, i).y - 0.2);
            fastest = fmax(fastest, size_of(value_of(w, PL_ATTRIBUTE_VELOCITY, i)));
        }
        print_message(
            "kind %d: %d particles, force %.4f of the weight, lowest %.2g m above the plate, fastest %.2g m/s, "
            "the plate at %.2g m/s\n",
            kind, count, force, lowest, fastest, size_of(state_of(w, plate).velocity));
        off = fmax(off, fabs(force - 1.0));
        below("how deep the object is in the plate", -lowest, 1e-3);
        below("the speed of the object", fastest, 0.2);
        pl_world_destroy(w);
    }
    below("the force less the weight, over the weight", off, 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_rest_on_grains),
        cmocka_unit_test(boxes_rest_on_cloth),
        cmocka_unit_test(a_box_stays_on_a_hammock),
        cmocka_unit_test(every_object_rests_on_a_plate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
