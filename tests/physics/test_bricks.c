// Bricks made of particles have flat faces, come out of each other by the short way, stand upon each other, and fall when struck.
#include "physics/bricks.h"

// Without friction, a quarter of a spacing off the bumps of the one below: it lies there and goes nowhere.
static void a_face_is_flat(void **state)
{
    (void)state;
    brick_yard y = open_yard(20, 0.0f);
    const pl_vec3 at[2] = {{0.0f, 0.1f, 0.0f}, {0.0125f, 0.3f, 0.0125f}};
    pl_id ids[2];
    lay(&y, (pl_vec3){0.4f, 0.2f, 0.4f}, 1, at, ids);
    lay(&y, (pl_vec3){0.3f, 0.2f, 0.3f}, 1, at + 1, ids + 1);
    steps(y.world, 60, 1.0 / 60.0);
    float *before = all_positions(y.world);
    steps(y.world, 120, 1.0 / 60.0);
    double moved = farthest_from(y.world, before);
    print_message("in two seconds it went %.4f mm\n", 1e3 * moved);
    below("the way, m", moved, 1e-4);
    free(before);
    pl_world_destroy(y.world);
}

// A small one, two spacings and a half inside a large one.
static void they_part_by_the_short_way(void **state)
{
    (void)state;
    brick_yard y = open_yard(20, 0.0f);
    weightless(y.world);
    const pl_vec3 at[2] = {{-0.2f, 1.0f, 0.0f}, {0.025f, 1.01f, 0.01f}};
    pl_id ids[2];
    lay(&y, (pl_vec3){0.4f, 0.4f, 0.4f}, 1, at, ids);
    lay(&y, (pl_vec3){0.3f, 0.2f, 0.2f}, 1, at + 1, ids + 1);
    steps(y.world, 240, 1.0 / 60.0);
    float *x = all_positions(y.world);
    int first, count;
    double right_of_one = -1e9, left_of_other = 1e9, speed = sqrt(2.0 * pl_world_energy(y.world).kinetic / 9.6);
    good(pl_object_range(y.world, ids[1], &first, &count));
    for (int i = 0; i < first; i++)
        right_of_one = fmax(right_of_one, (double)x[3 * i]);
    for (int i = first; i < first + count; i++)
        left_of_other = fmin(left_of_other, (double)x[3 * i]);
    print_message("between the outermost particles: %.4f m, at about %.2f m/s\n", left_of_other - right_of_one, speed);
    below("overlap", right_of_one - left_of_other, -0.045);
    below("speed", speed, 1.5); // an overlap goes by half a metre a second
    free(x);
    pl_world_destroy(y.world);
}

// A plate of one layer, and a grain thrown at either side of it: both stay where they are thrown from.
static void a_plate_has_two_sides(void **state)
{
    (void)state;
    brick_yard y = open_yard(20, 0.0f);
    weightless(y.world);
    const pl_vec3 at = {0.0f, 1.0f, 0.0f};
    pl_id plate;
    lay(&y, (pl_vec3){0.5f, 0.05f, 0.5f}, 1, &at, &plate);
    int first = pl_particle_count(y.world);
    const float x[6] = {0.01f, 1.2f, 0.02f, 0.01f, 0.8f, 0.02f}, mass[2] = {0.1f, 0.1f};
    add_particles(y.world, 2, x, mass);
    good(pl_set(y.world, PL_ATTRIBUTE_RADIUS, first, 2, (float[]){0.025f, 0.025f}));
    good(pl_set(y.world, PL_ATTRIBUTE_VELOCITY, first, 2, (float[]){0, -1, 0, 0, 1, 0}));
    double above = 1.0, beneath = 1.0; // the least, m
    for (int f = 0; f < 60; f++)
    {
        steps(y.world, 1, 1.0 / 60.0);
        float now[6], middle[3];
        good(pl_get(y.world, PL_ATTRIBUTE_POSITION, first, 2, now));
        good(pl_get(y.world, PL_ATTRIBUTE_POSITION, first / 2, 1, middle));
        above = fmin(above, (double)now[1] - (double)middle[1]);
        beneath = fmin(beneath, (double)middle[1] - (double)now[4]);
    }
    print_message("the upper one came to %.4f m above the plate, the lower one to %.4f m below\n", above, beneath);
    below("how near the upper one came", 0.03 - above, 0.0); // in a hollow, 0.035
    below("how near the lower one came", 0.03 - beneath, 0.0);
    pl_world_destroy(y.world);
}

static void a_wall_stands_until_it_is_struck(void **state)
{
    (void)state;
    brick_yard y = open_yard(20, 0.6f);
    pl_id ids[64];
    int count = lay_wall(&y, 3, 5, ids);
    steps(y.world, 60, 1.0 / 60.0);
    float *before = all_positions(y.world);
    steps(y.world, 240, 1.0 / 60.0);
    double creep = farthest_from(y.world, before);
    throw_object(y.world, ids[count / 2], 0.0f, 0.0f, 4.0f);
    steps(y.world, 60, 1.0 / 60.0);
    double fall = farthest_from(y.world, before);
    print_message("%d bricks crept by %.4f mm in 4 s; struck, one went %.2f m\n", count, 1e3 * creep, fall);
    below("creep, m", creep, 2e-4);
    below("0.3 m over the fall", 0.3 / fall, 1.0);
    free(before);
    pl_world_destroy(y.world);
}

// Somebody else's clusters that overlap, and a rotation of its own that a particle has somewhere, are none of the wall's business.
static void a_wall_stands_beside_a_tree(void **state)
{
    (void)state;
    brick_yard y = open_yard(20, 0.6f);
    pl_id ids[64];
    int bricks = lay_wall(&y, 3, 4, ids), count = pl_particle_count(y.world);
    pl_oriented_form_def tree = pl_default_oriented_form_def();
    pl_cluster_material match = pl_default_cluster_material();
    tree.form = PL_ORIENTED_CHAIN;
    tree.origin = (pl_vec3){6.0f, 1.0f, 0.0f};
    tree.u = (pl_vec3){0.0f, 1.0f, 0.0f};
    tree.size[0] = 6;
    tree.hold = true;
    good(pl_add_oriented_form(y.world, &tree, &match, 0.0f, NULL));
    steps(y.world, 60, 1.0 / 60.0);
    float *before = all_positions(y.world);
    steps(y.world, 180, 1.0 / 60.0);
    double creep = farthest_of(y.world, before, count);
    print_message("%d bricks beside a tree crept by %.4f mm in 3 s\n", bricks, 1e3 * creep);
    below("creep, m", creep, 2e-4);
    free(before);
    pl_world_destroy(y.world);
}

// The fields of bodies are saved, and turn with them.
static void a_saved_wall_goes_on_bit_for_bit(void **state)
{
    (void)state;
    brick_yard y = open_yard(8, 0.6f);
    pl_world_def def = pl_default_world_def();
    pl_world *second = NULL;
    void *data = NULL;
    size_t size = 0;
    pl_id ids[64];
    int count = lay_wall(&y, 2, 3, ids);
    throw_object(y.world, ids[count - 1], 1.0f, 0.0f, 3.0f);
    steps(y.world, 10, 1.0 / 60.0);
    good(pl_world_save_memory(y.world, &data, &size));
    def.threads = 2;
    good(pl_world_load_memory(&def, data, size, &second));
    steps(y.world, 20, 1.0 / 60.0);
    steps(second, 20, 1.0 / 60.0);
    assert_true(pl_world_hash(y.world) == pl_world_hash(second));
    pl_free(data);
    pl_world_destroy(second);
    pl_world_destroy(y.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_face_is_flat),
        cmocka_unit_test(they_part_by_the_short_way),
        cmocka_unit_test(a_plate_has_two_sides),
        cmocka_unit_test(a_wall_stands_until_it_is_struck),
        cmocka_unit_test(a_wall_stands_beside_a_tree),
        cmocka_unit_test(a_saved_wall_goes_on_bit_for_bit),
    };
    return cmocka_run_group_tests_name("bricks", tests, NULL, NULL);
}
