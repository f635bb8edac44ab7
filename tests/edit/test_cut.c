// Blades: what they part, and what they spare.
#include "edit/tearing.h"

static void a_blade_parts_a_cloth(void **state)
{
    (void)state;
    static const pl_bending bendings[] = {PL_BENDING_LINKS, PL_BENDING_DIHEDRAL, PL_BENDING_ISOMETRIC};
    for (int model = PL_CLOTH_LINKS; model <= PL_CLOTH_STVK; model++)
        for (int b = 0; b < 3; b++)
        {
            pl_world *w = quiet_world(1, 0);
            pl_id id = cloth(w, 21, (pl_cloth_model)model, bendings[b], 0.0);
            double mass = total_mass(w);
            int cuts = 0;
            if (b) // before the first step, and after
                steps(w, 3, 1.0 / 60.0);
            good(pl_cut(w, id, &across, &cuts));
            assert_true(cuts > 20);
            assert_int_equal(pieces(w), 2);
            near("the mass", total_mass(w), mass, 1e-6 * mass);
            mesh_is_clean(w, false);
            assert_int_equal(pl_particle_end(w), 21 * 21 + 21); // each row of the grid is cut once
            steps(w, 30, 1.0 / 60.0);
            assert_true(all_finite(w));
            good(pl_cut(w, id, &across, &cuts)); // nothing is left there
            pl_world_destroy(w);
        }
}

static void a_slit_leaves_one_piece(void **state)
{
    (void)state;
    pl_world *w = quiet_world(1, 0);
    pl_id id = cloth(w, 21, PL_CLOTH_LINKS, PL_BENDING_LINKS, 0.0);
    const pl_blade slit = {{0.52f, -1.0f, 0.3f}, {0.0f, 2.0f, 0.0f}, {0.0f, 0.0f, 0.4f}};
    steps(w, 1, 1.0 / 60.0);
    good(pl_cut(w, id, &slit, NULL));
    assert_int_equal(pieces(w), 1);
    assert_true(pl_particle_end(w) > 21 * 21 + 3);
    mesh_is_clean(w, false);
    steps(w, 10, 1.0 / 60.0);
    assert_true(all_finite(w));
    pl_world_destroy(w);
}

static void a_blade_parts_a_solid_and_closes_it(void **state)
{
    (void)state;
    for (int model = PL_SOLID_LINKS; model <= PL_SOLID_NEO_HOOKEAN; model++)
    {
        pl_world *w = quiet_world(1, 0);
        weightless(w);
        pl_bar_def bar = pl_default_bar_def();
        bar.model = (pl_solid_model)model;
        pl_id id;
        good(pl_add_bar(w, &bar, &id));
        double mass = total_mass(w);
        int faces = pl_face_count(w);
        const pl_blade blade = {{0.45f, -1.0f, -1.0f}, {0.0f, 3.0f, 0.0f}, {0.0f, 0.0f, 3.0f}};
        steps(w, 1, 1.0 / 60.0);
        good(pl_cut(w, id, &blade, NULL));
        assert_int_equal(pieces(w), 2);
        assert_true(pl_face_count(w) > faces + 30);
        near("the mass", total_mass(w), mass, 1e-6 * mass);
        mesh_is_clean(w, true);
        steps(w, 10, 1.0 / 60.0);
        assert_true(all_finite(w));
        pl_world_destroy(w);
    }
}

static void a_blade_parts_a_rope_and_spares_the_next(void **state)
{
    (void)state;
    pl_world *w = quiet_world(1, 0);
    pl_rope_def r = pl_default_rope_def();
    pl_id first, second;
    r.from = (pl_vec3){0, 0, 0}, r.to = (pl_vec3){1, 0, 0};
    good(pl_add_rope(w, &r, &first));
    good(pl_add_rope(w, &r, &second));
    int count;
    good(pl_cut(w, first, &across, NULL));
    good(pl_count_pieces(w, first, &count));
    assert_int_equal(count, 2);
    good(pl_count_pieces(w, second, &count));
    assert_int_equal(count, 1);
    pl_world_destroy(w);
}

// A hanging cloth that keeps a distance from itself, cut right across: both sides of the cut lie on each other, and yet the lower part falls.
static void a_thick_cloth_falls_from_its_cut(void **state)
{
    (void)state;
    const pl_blade level = {{-0.5f, 1.55f, -1.0f}, {2.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 2.0f}};
    for (int tilted = 0; tilted < 2; tilted++) // its plane, where all motion lies in it, and out of it
    {
        pl_world *w = quiet_world(1, 0);
        pl_cloth_def c = pl_default_cloth_def();
        int32_t top[11];
        pl_id id;
        for (int i = 0; i < 11; i++)
            top[i] = i;
        c.columns = c.rows = 11;
        c.u = (pl_vec3){1.0f, 0.0f, tilted ? 0.2f : 0.0f};
        c.v = (pl_vec3){0.0f, -1.0f, tilted ? 0.1f : 0.0f};
        c.origin = (pl_vec3){0.0f, 2.0f, 0.0f};
        c.thickness = 0.01f;
        c.pinned = top, c.pinned_count = 11;
        good(pl_add_cloth(w, &c, &id));
        steps(w, 10, 1.0 / 60.0);
        good(pl_cut(w, id, &level, NULL));
        assert_int_equal(pieces(w), 2);
        steps(w, 30, 1.0 / 60.0);
        float lowest = 2.0f, *x = malloc(sizeof *x * 3 * (size_t)pl_particle_end(w));
        good(pl_get(w, PL_ATTRIBUTE_POSITION, 0, pl_particle_end(w), x));
        for (int i = 0; i < pl_particle_end(w); i++)
            lowest = x[3 * i + 1] < lowest ? x[3 * i + 1] : lowest;
        free(x);
        print_message("the lowest particle is at %.3f m\n", (double)lowest);
        below("the height of the lowest particle", (double)lowest,
              1.0 - 0.8 * 0.5 * 9.81 * 0.25); // of half a second of free fall
        assert_int_equal(pl_world_penetration(w).crossings, 0);
        pl_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_blade_parts_a_cloth),
        cmocka_unit_test(a_slit_leaves_one_piece),
        cmocka_unit_test(a_blade_parts_a_solid_and_closes_it),
        cmocka_unit_test(a_blade_parts_a_rope_and_spares_the_next),
        cmocka_unit_test(a_thick_cloth_falls_from_its_cut),
    };
    return cmocka_run_group_tests_name("cut", tests, NULL, NULL);
}
