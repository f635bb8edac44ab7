// The contacts of rigid bodies that a user reads: forces that carry weights, points, normals, names, and the statistics.
#include "physics/rigid_world.h"

enum
{
    MOST = 256,
};

static pl_rigid_contact found[MOST];

static int contacts_of(const pl_world *w, pl_id body)
{
    int count = pl_get_rigid_contacts(w, body, found, MOST);
    assert_true(count <= MOST);
    return count;
}

// The sum of the forces of the contacts of a body with another one, or with the world if other is {0, 0}.
static pl_vec3 force_between(const pl_world *w, pl_id body, pl_id other)
{
    pl_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int i = 0, n = contacts_of(w, body); i < n; i++)
    {
        const pl_rigid_contact *c = &found[i];
        if (c->bodies[1].index != other.index)
            continue;
        assert_int_equal(c->bodies[0].index, body.index);
        sum.x += c->normal_force * c->normal.x + c->friction.x;
        sum.y += c->normal_force * c->normal.y + c->friction.y;
        sum.z += c->normal_force * c->normal.z + c->friction.z;
    }
    return sum;
}

// A box of 5 kg on a plane: four points that carry its weight.
static void a_box_is_carried(void **unused)
{
    (void)unused;
    const float heights[3] = {0.0f, 1000.0f, -3.0f};
    for (int k = 0; k < 3; k++)
    {
        pl_world *w = open_world(8);
        pl_shape_def ground = pl_default_shape_def();
        ground.position.y = heights[k];
        pl_id plane, box = add_box(w, (pl_vec3){0.5f, 0.25f, 0.5f}, (pl_vec3){3.0f, heights[k] + 0.25f, 0.0f}, 5.0f);
        good(pl_add_shape(w, &ground, &plane));
        good(pl_set_user_data(w, plane, 77));
        good(pl_set_user_data(w, box, 1234567890123u));
        frames(w, 60);
        int count = contacts_of(w, (pl_id){0, 0});
        assert_int_equal(count, 1);
        const pl_rigid_contact *c = &found[0];
        assert_int_equal(c->bodies[0].index, box.index);
        assert_int_equal(c->bodies[1].index, 0);
        assert_int_equal(c->shape.index, plane.index);
        assert_int_equal(c->parts[0], 0);
        assert_int_equal(c->parts[1], -1);
        assert_true(c->user_data[0] == 1234567890123u && c->user_data[1] == 77);
        assert_int_equal(c->count, 4);
        near_to("weight", c->normal_force, 5.0 * GRAVITY, 0.01 * 5.0 * GRAVITY);
        near_to("normal", c->normal.y, 1.0, 1e-6);
        near_to("friction", hypot((double)c->friction.x, (double)c->friction.z), 0.0, 0.05);
        double sum = 0.0;
        for (int i = 0; i < 4; i++)
        {
            sum += (double)c->points[i].force;
            near_to("x", fabs((double)c->points[i].position.x - 3.0), 0.5, 1e-3);
            near_to("y", c->points[i].position.y, heights[k], 1e-3);
            near_to("z", fabs((double)c->points[i].position.z), 0.5, 1e-3);
            below("separation", fabs((double)c->points[i].separation), 1e-3);
        }
        near_to("sum", sum, c->normal_force, 1e-4);
        pl_world_destroy(w);
    }
}

// A stack of five: each interface carries what is above it.
static void a_stack_is_carried(void **unused)
{
    (void)unused;
    pl_world *w = open_world(20);
    pl_id box[5];
    double above = 0.0;
    add_plane(w, 0.0);
    for (int i = 0; i < 5; i++)
        box[i] = add_box(w, (pl_vec3){0.5f, 0.5f, 0.5f}, (pl_vec3){0.0f, 0.5f + (float)i, 0.0f}, 1.0f + (float)i);
    frames(w, 240);
    for (int i = 4; i >= 0; i--)
    {
        above += (1.0 + i) * GRAVITY;
        near_to("weight above", force_between(w, box[i], i ? box[i - 1] : (pl_id){0, 0}).y, above, 0.01 * above);
        if (i)
            near_to("reaction", force_between(w, box[i - 1], box[i]).y, -above, 0.01 * above);
    }
    pl_penetration p = pl_world_penetration(w);
    assert_true(p.measured);
    assert_int_equal(p.rigid_contacts, 5);
    assert_true(p.rigid_depth > 1e-5 && p.rigid_depth < 0.01);
    assert_int_equal(p.contacts, 0);
    pl_world_destroy(w);
}

// On an incline friction carries the weight along it; a sliding box feels mu times the normal force.
static void friction_is_read(void **unused)
{
    (void)unused;
    const double slope = 20.0 * 3.14159265358979 / 180.0, weight = 2.0 * GRAVITY;
    for (int slides = 0; slides < 2; slides++)
    {
        pl_world *w = open_world(8);
        pl_rigid_shape shape;
        pl_rigid_def def = box_def(&shape, (pl_vec3){0.5f, 0.5f, 0.5f},
                                   (pl_vec3){(float)(0.5 * sin(slope)), (float)(0.5 * cos(slope)), 0.0f}, 2.0f);
        pl_id box;
        double friction = slides ? 0.2 : 0.6;
        def.rotation = about_z(-slope);
        add_plane(w, slope);
        rub(w, (float)friction, 0.0f);
        good(pl_add_rigid(w, &def, &box));
        frames(w, 60);
        assert_int_equal(contacts_of(w, box), 1);
        const pl_rigid_contact *c = &found[0];
        double down = cos(slope) * (double)c->friction.x - sin(slope) * (double)c->friction.y;
        double wanted = slides ? friction * weight * cos(slope) : weight * sin(slope);
        near_to("normal force", c->normal_force, weight * cos(slope), 0.01 * weight);
        near_to("friction", down, -wanted, 0.01 * weight);
        pl_world_destroy(w);
    }
}

// What is not there: nothing in flight, nothing after an edit, an id that names no body.
static void nothing_is_made_up(void **unused)
{
    (void)unused;
    pl_world *w = open_world(8);
    pl_id box = add_box(w, (pl_vec3){0.5f, 0.5f, 0.5f}, (pl_vec3){0.0f, 2.0f, 0.0f}, 1.0f), shape;
    assert_int_equal(contacts_of(w, box), 0);
    pl_shape_def ground = pl_default_shape_def();
    good(pl_add_shape(w, &ground, &shape));
    frames(w, 5);
    assert_int_equal(contacts_of(w, box), 0);
    frames(w, 80);
    assert_int_equal(contacts_of(w, box), 1);
    assert_int_equal(pl_get_rigid_contacts(w, box, NULL, 0), 1);
    assert_int_equal(pl_get_rigid_contacts(NULL, box, found, MOST), 0);
    assert_int_equal(contacts_of(w, shape), 0);
    assert_non_null(strstr(pl_error_message(), "rigid contacts"));
    good(pl_set_rigid_force(w, box, (pl_vec3){0.0f, 1.0f, 0.0f}, (pl_vec3){0.0f, 0.0f, 0.0f}));
    assert_int_equal(contacts_of(w, box), 1); // a force changes no contact
    pl_id other = add_box(w, (pl_vec3){0.5f, 0.5f, 0.5f}, (pl_vec3){5.0f, 2.0f, 0.0f}, 1.0f);
    assert_int_equal(contacts_of(w, box), 0); // not known until the next step
    frames(w, 1);
    assert_int_equal(contacts_of(w, box), 1);
    good(pl_remove(w, box));
    assert_int_equal(contacts_of(w, (pl_id){0, 0}), 0);
    assert_int_equal(contacts_of(w, box), 0);
    frames(w, 90);
    assert_int_equal(contacts_of(w, other), 1);
    pl_world_destroy(w);
}

// The same bytes on any threads and lanes.
static void bytes_are_equal(void **unused)
{
    (void)unused;
    static pl_rigid_contact first[MOST];
    int count = 0;
    for (int how = 0; how < 4; how++)
    {
        pl_world *w = open_world(6);
        add_plane(w, 0.0);
        pile_up(w, 30);
        good(pl_world_set_workers(w, 1 + how % 2, how < 2 ? 1 : 0));
        frames(w, 70);
        int n = contacts_of(w, (pl_id){0, 0});
        if (how == 0)
            count = n, memcpy(first, found, sizeof first);
        assert_true(n > 8 && n == count);
        assert_memory_equal(first, found, (size_t)n * sizeof *found);
        pl_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_is_carried),   cmocka_unit_test(a_stack_is_carried), cmocka_unit_test(friction_is_read),
        cmocka_unit_test(nothing_is_made_up), cmocka_unit_test(bytes_are_equal),
    };
    return cmocka_run_group_tests_name("rigid forces", tests, NULL, NULL);
}
