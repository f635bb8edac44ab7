// test_rigid_touches.c: the contacts of rigid bodies with particles and triangles that a user reads: forces that carry
// weights, points on the surfaces, names, order, edits, equal bytes.
#include "physics/body_particles.h"

enum
{
    MOST = 1024,
    SIDE = 7 // particles along a side of the cloth
};

static pl_rigid_contact found[MOST];

static int contacts_of(const pl_world *w, pl_id body)
{
    int count = pl_get_rigid_contacts(w, body, found, MOST);
    assert_true(count <= MOST);
    return count;
}

static pl_vec3 total(int count)
{
    pl_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < count; i++)
    {
        const pl_rigid_contact *c = &found[i];
        sum.x += c->normal_force * c->normal.x + c->friction.x;
        sum.y += c->normal_force * c->normal.y + c->friction.y;
        sum.z += c->normal_force * c->normal.z + c->friction.z;
    }
    return sum;
}

// A coarse cloth of 2 m with a thickness, held at its edge.
static pl_id add_net(pl_world *w, float mass, float thickness)
{
    pl_cloth_def def = pl_default_cloth_def();
    int32_t pinned[4 * SIDE];
    int count = 0;
    pl_id id;
    for (int i = 0; i < SIDE * SIDE; i++)
        if (i < SIDE || i >= SIDE * (SIDE - 1) || i % SIDE == 0 || i % SIDE == SIDE - 1)
            pinned[count++] = i;
    def.columns = def.rows = SIDE, def.mass = mass, def.thickness = thickness;
    def.origin = (pl_vec3){-1.0f, 0.0f, -1.0f}, def.u = (pl_vec3){2.0f, 0.0f, 0.0f};
    def.v = (pl_vec3){0.0f, 0.0f, 2.0f};
    def.stretch.compliance = def.shear.compliance = 1e-4f;
    def.pinned = pinned, def.pinned_count = count;
    good(pl_add_cloth(w, &def, &id));
    return id;
}

// A box of two shapes on a bed of balls. Its second shape carries nothing.
static pl_world *box_on_a_bed(pl_id *box, pl_id *bed, int threads, int lanes)
{
    const float radius = 0.05f;
    pl_world_def def = pl_default_world_def();
    pl_rigid_shape shape[2];
    pl_rigid_def body = box_def(shape, (pl_vec3){0.2f, 0.1f, 0.2f}, (pl_vec3){0.0f, 6.0f * radius + 0.11f, 0.0f}, 2.0f);
    pl_world *w;
    def.threads = threads, def.lanes = lanes;
    def.settings.substeps = 8, def.settings.iterations = 1;
    good(pl_world_create(&def, &w));
    set_friction(w, 0.5f, 0.0f);
    add_tray(w, 8.0f * radius);
    *bed = pl_object_of_particle(w, add_bed(w, 8, 3, radius, 0.5f));
    shape[1] = shape[0];
    shape[1].position.y = 0.2f;
    body.shape_count = 2;
    good(pl_add_rigid(w, &body, box));
    good(pl_set_user_data(w, *box, 7));
    good(pl_set_user_data(w, *bed, 11));
    play(w, 120);
    return w;
}

static void grains_carry_a_box(void **unused)
{
    (void)unused;
    pl_id box, bed;
    pl_world *w = box_on_a_bed(&box, &bed, 1, 0);
    int count = contacts_of(w, box), all = contacts_of(w, (pl_id){0, 0});
    double deep = 0.0, off = 0.0;
    assert_int_equal(count, all); // nothing else is a body
    assert_true(count > 8);
    near_to("the weight", total(count).y, 2.0 * GRAVITY, 0.01);
    near_to("aside", hypot((double)total(count).x, (double)total(count).z), 0.0, 0.01);
    near_to("what the stages say", total(count).y, force_on_bodies(w, NULL), 1e-4);
    float bottom = state_of(w, box).position.y - 0.1f;
    for (int i = 0; i < count; i++)
    {
        const pl_rigid_contact *c = &found[i];
        const pl_rigid_contact_point *p = &c->points[0];
        pl_vec3 at = value_of(w, PL_ATTRIBUTE_POSITION, c->particles[0]);
        assert_true(c->bodies[0].index == box.index && c->bodies[1].index == 0 && c->shape.index == 0);
        assert_true(c->object.index == bed.index && c->user_data[0] == 7 && c->user_data[1] == 11);
        assert_true(c->parts[0] == 0 && c->parts[1] == -1 && c->count == 1);
        assert_true(c->particles[1] == -1 && c->particles[2] == -1 && c->weights[0] == 1.0f);
        assert_true(i == 0 || c->particles[0] > found[i - 1].particles[0]);
        assert_true(p->force == c->normal_force && c->normal_force > 0.0f);
        // From the analytic box: the top of the ball, its distance from the face.
        double gap = (double)bottom - (double)at.y - 0.05;
        off = fmax(off, fabs((double)p->separation - gap));
        off = fmax(off, fabs((double)p->position.y - 0.5 * ((double)bottom + (double)at.y + 0.05)));
        deep = fmax(deep, -(double)p->separation);
        near_to("x", p->position.x, at.x, 1e-4);
        near_to("normal", c->normal.y, 1.0, 1e-5);
    }
    print_message("%d contacts, %.4f N, %.2g m deep, off by %.2g m\n", count, (double)total(count).y, deep, off);
    below("separations and points", off, 2e-6);
    good(pl_remove(w, bed));
    assert_int_equal(contacts_of(w, box), 0); // not known until the next step
    play(w, 5);
    assert_int_equal(contacts_of(w, box), 0);
    play(w, 60);
    assert_true(contacts_of(w, box) == 1 && found[0].shape.index); // the floor
    assert_true(found[0].object.index == 0 && found[0].particles[0] == -1);
    pl_world_destroy(w);
}

// A ball on a face of the cloth that turns with a spin of its own: the corners share the force by the weights.
static void a_cloth_carries_a_ball(void **unused)
{
    (void)unused;
    const float radius = 0.08f, thickness = 0.02f;
    pl_world *w = make_world(20, 1);
    pl_settings set = pl_world_settings(w);
    pl_rigid_shape shape = pl_default_rigid_shape();
    pl_rigid_def def = pl_default_rigid_def();
    pl_id ball, net;
    double force = 0.0, off = 0.0;
    set.damping = 1.0f;
    good(pl_world_set_settings(w, &set));
    net = add_net(w, 1.0f, thickness);
    shape.kind = PL_RIGID_SPHERE, shape.radius = radius;
    def.shapes = &shape, def.shape_count = 1, def.mass = 0.5f, def.position = (pl_vec3){0.1f, 0.2f, 0.07f};
    good(pl_add_rigid(w, &def, &ball));
    play(w, 240);
    for (int i = 0; i < 60; i++)
    {
        play(w, 1);
        int count = contacts_of(w, ball);
        assert_true(count >= 1);
        force += (double)total(count).y / 60.0;
        for (int k = 0; k < count; k++)
        {
            const pl_rigid_contact *c = &found[k];
            const pl_vec3 middle = state_of(w, ball).position;
            pl_vec3 at = {0.0f, 0.0f, 0.0f};
            double weights = 0.0, d[3];
            assert_true(c->object.index == net.index);
            for (int n = 0; n < 3 && c->particles[n] >= 0; n++)
            {
                pl_vec3 x = value_of(w, PL_ATTRIBUTE_POSITION, c->particles[n]);
                at.x += c->weights[n] * x.x, at.y += c->weights[n] * x.y, at.z += c->weights[n] * x.z;
                weights += (double)c->weights[n];
            }
            d[0] = (double)(middle.x - at.x), d[1] = (double)(middle.y - at.y), d[2] = (double)(middle.z - at.z);
            near_to("the sum of the weights", weights, 1.0, 1e-5);
            double apart = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            off = fmax(off, fabs(apart - (double)radius - 0.5 * (double)thickness - (double)c->points[0].separation));
            const double n[3] = {(double)c->normal.x, (double)c->normal.y, (double)c->normal.z};
            near_to("the normal", (d[0] * n[0] + d[1] * n[1] + d[2] * n[2]) / apart, 1.0, 1e-3);
        }
    }
    print_message("the cloth carries %.4f N of %.4f, separations off by %.2g m\n", force, 0.5 * GRAVITY, off);
    near_to("the weight", force, 0.5 * GRAVITY, 0.005 * 0.5 * GRAVITY);
    below("separations", off, 1e-4);
    pl_world_destroy(w);
}

static void bytes_are_equal(void **unused)
{
    (void)unused;
    static pl_rigid_contact first[MOST];
    static const int how[4][2] = {{1, 1}, {1, 0}, {3, 1}, {4, 0}};
    int count = 0;
    for (int k = 0; k < 4; k++)
    {
        pl_id box, bed;
        pl_world *w = box_on_a_bed(&box, &bed, how[k][0], how[k][1]);
        int now = contacts_of(w, (pl_id){0, 0});
        if (k == 0)
            memcpy(first, found, sizeof found), count = now;
        assert_int_equal(now, count);
        assert_memory_equal(first, found, (size_t)count * sizeof *found);
        if (k == 3) // from a snapshot: none until the next step, then those of the world that goes on
        {
            void *data;
            size_t size;
            pl_world *other;
            pl_world_def def = pl_default_world_def();
            good(pl_world_save_memory(w, &data, &size));
            good(pl_world_load_memory(&def, data, size, &other));
            pl_free(data);
            assert_int_equal(contacts_of(other, (pl_id){0, 0}), 0);
            play(w, 1);
            play(other, 1);
            count = contacts_of(w, (pl_id){0, 0});
            memcpy(first, found, sizeof found);
            assert_int_equal(contacts_of(other, (pl_id){0, 0}), count);
            assert_memory_equal(first, found, (size_t)count * sizeof *found);
            pl_world_destroy(other);
        }
        pl_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grains_carry_a_box),
        cmocka_unit_test(a_cloth_carries_a_ball),
        cmocka_unit_test(bytes_are_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
