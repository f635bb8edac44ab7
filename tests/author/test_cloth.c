// Cloth out of a grid and out of a mesh.
#include "author/author.h"

static void the_flag(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    pl_cloth_def cloth = pl_default_cloth_def();
    pl_id id;
    cloth.columns = cloth.rows = 70;
    cloth.mass = 0.3f;
    good(pl_add_cloth(w, &cloth, &id));
    assert_int_equal(pl_particle_count(w), 4900);
    assert_int_equal(pl_face_count(w), 2 * 69 * 69);
    // 2 x 69 x 70 along the edges, 2 x 69^2 across, 2 x 68 x 70 over one
    assert_int_equal(pl_constraint_count(w, PL_KIND_DISTANCE), 9660 + 9522 + 9520);
    near_to("mass", total_mass(w), 0.3, 1e-5);
    at_rest(w, id);
    pl_world_destroy(w);
}

static void corners_and_order(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    pl_cloth_def cloth = pl_default_cloth_def();
    cloth.columns = 4, cloth.rows = 3;
    cloth.origin = (pl_vec3){1, 2, 3};
    cloth.u = (pl_vec3){6, 0, 0};
    cloth.v = (pl_vec3){0, -4, 0};
    good(pl_add_cloth(w, &cloth, NULL));
    float *x = positions(w);
    assert_true(x[0] == 1.0f && x[1] == 2.0f && x[2] == 3.0f);
    near_to("right", (double)x[3 * 3], 7.0, 1e-6);
    near_to("below", (double)x[3 * 8 + 1], -2.0, 1e-6);
    near_to("last", (double)x[3 * 11], 7.0, 1e-6);
    free(x);
    pl_world_destroy(w);
}

// A particle has the mass of its area: inside that of a cell, on an edge half, at a corner a quarter.
static void mass_of_area(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    pl_cloth_def cloth = pl_default_cloth_def();
    float mass[12];
    cloth.columns = 4, cloth.rows = 3;
    cloth.mass = 0.6f; // 6 cells of 0.1 kg
    good(pl_add_cloth(w, &cloth, NULL));
    good(pl_get(w, PL_ATTRIBUTE_MASS, 0, 12, mass));
    for (int i = 0; i < 12; i++)
    {
        bool side = i % 4 == 0 || i % 4 == 3, end = i / 4 != 1;
        near_to("mass", (double)mass[i], 0.1 * (side ? 0.5 : 1.0) * (end ? 0.5 : 1.0), 1e-8);
    }
    pl_world_destroy(w);
}

// Under its weight, a strip as wide as a cell is stretched by compliance m g n^2/2, m the mass of a cell, n cells long: as a
// continuous one is, because the last particle has half the mass.
static void hangs_as_a_strip_does(void **state)
{
    (void)state;
    pl_world *w = make_world(20, 20);
    pl_settings s = pl_world_settings(w);
    s.damping = 8.0f;
    good(pl_world_set_settings(w, &s));
    pl_cloth_def cloth = pl_default_cloth_def();
    const int32_t pinned[5] = {0, 1, 2, 3, 4};
    cloth.columns = 5, cloth.rows = 11;
    cloth.v = (pl_vec3){0, -1, 0};
    cloth.mass = 0.4f; // 40 cells of 10 g
    cloth.stretch.compliance = 2e-3f;
    cloth.shear.compliance = 1e9f;
    cloth.bending = PL_BENDING_NONE;
    cloth.pinned = pinned;
    cloth.pinned_count = 5;
    good(pl_add_cloth(w, &cloth, NULL));
    play(w, 200);
    float *x = positions(w);
    for (int column = 1; column < 4; column++)
        near_to("sag", -1.0 - (double)x[3 * (50 + column) + 1], 2e-3 * 0.01 * 9.81 * 100 / 2, 2e-5);
    free(x);
    pl_world_destroy(w);
}

static void each_bending(void **state)
{
    (void)state;
    static const pl_kind kinds[] = {PL_KIND_COUNT, PL_KIND_DISTANCE, PL_KIND_DIHEDRAL, PL_KIND_ISOMETRIC};
    for (int bending = PL_BENDING_NONE; bending <= PL_BENDING_ISOMETRIC; bending++)
    {
        pl_world *w = make_world(2, 2);
        pl_cloth_def cloth = pl_default_cloth_def();
        const int32_t pinned[2] = {0, 9};
        pl_id id;
        cloth.columns = cloth.rows = 10;
        cloth.bending = (pl_bending)bending;
        cloth.bend.compliance = 1e-2f;
        cloth.pinned = pinned;
        cloth.pinned_count = 2;
        good(pl_add_cloth(w, &cloth, &id));
        at_rest(w, id);
        int64_t hinges = 3 * 81 + 18 - 36; // edges (2 x 90 + 81) less the border's
        if (bending >= PL_BENDING_DIHEDRAL)
            assert_int_equal(pl_constraint_count(w, kinds[bending]), hinges);
        else
            assert_int_equal(pl_constraint_count(w, PL_KIND_DISTANCE), 2 * 90 + 2 * 81 + (bending ? 2 * 80 : 0));
        play(w, 60);
        below("stretch", pl_world_residual(w).max, 0.5);
        near_to("mass", total_mass(w), 0.2 * (1.0 - 0.5 / 81), 1e-5); // two corners are held
        pl_world_destroy(w);
    }
}

// A tether is as long as the way to its pin, and a little more; never shorter than the straight way.
static void tethers(void **state)
{
    (void)state;
    for (int mesh = 0; mesh < 2; mesh++)
    {
        pl_world *w = make_world(1, 1);
        pl_cloth_def cloth = pl_default_cloth_def();
        const int32_t pinned[2] = {0, 6};
        pl_id id, blocks[8];
        float vertices[3 * 49];
        int32_t triangles[3 * 72], n = 0;
        for (int i = 0; i < 49; i++) // a roof: not flat
        {
            vertices[3 * i] = (float)(i % 7);
            vertices[3 * i + 1] = -fabsf((float)(i % 7) - 3.0f);
            vertices[3 * i + 2] = (float)(i / 7);
            if (i % 7 < 6 && i / 7 < 6)
            {
                const int32_t t[6] = {i, i + 7, i + 1, i + 1, i + 7, i + 8};
                for (int k = 0; k < 6; k++)
                    triangles[n++] = t[k];
            }
        }
        cloth.columns = cloth.rows = 7;
        cloth.pinned = pinned;
        cloth.pinned_count = 2;
        cloth.tethers = true;
        cloth.tether_slack = 0.01f;
        if (mesh)
        {
            cloth.vertices = vertices, cloth.vertex_count = 49;
            cloth.triangles = triangles, cloth.triangle_count = 72;
        }
        good(pl_add_cloth(w, &cloth, &id));
        assert_int_equal(pl_constraint_count(w, PL_KIND_TETHER), 47);
        float *x = positions(w);
        int count = pl_object_blocks(w, id, blocks, 8), seen = 0;
        for (int b = 0; b < count; b++)
        {
            pl_kind kind;
            int rows;
            if (pl_block_info(w, blocks[b], &kind, &rows) != PL_OK || kind != PL_KIND_TETHER)
                continue;
            for (int i = 0; i < rows; i++, seen++)
            {
                int32_t p[2];
                float rest;
                good(pl_get_row_particles(w, blocks[b], i, 1, p));
                good(pl_get_rows(w, blocks[b], PL_ROW_PARAM, i, 1, &rest));
                double straight = 0.0;
                for (int c = 0; c < 3; c++)
                    straight += pow((double)x[3 * p[0] + c] - (double)x[3 * p[1] + c], 2.0);
                straight = sqrt(straight);
                assert_true(p[1] == 0 || p[1] == 6);
                assert_true((double)rest >= straight * 1.00999);
                assert_true((double)rest <= straight * (mesh ? 2.0 : 1.0101));
            }
        }
        assert_int_equal(seen, 47);
        at_rest(w, id);
        free(x);
        pl_world_destroy(w);
    }
}

static void a_mesh_weighs_by_area(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    const float x[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, -3, 0, 0};
    const int32_t t[6] = {0, 1, 2, 0, 2, 3}; // areas 0.5 and 1.5
    pl_cloth_def cloth = pl_default_cloth_def();
    pl_id id;
    cloth.vertices = x, cloth.vertex_count = 4;
    cloth.triangles = t, cloth.triangle_count = 2;
    cloth.mass = 6.0f;
    good(pl_add_cloth(w, &cloth, &id));
    float mass[4];
    good(pl_get(w, PL_ATTRIBUTE_MASS, 0, 4, mass));
    near_to("shared", (double)mass[0], 2.0, 1e-5);
    near_to("small", (double)mass[1], 0.5, 1e-5);
    near_to("shared", (double)mass[2], 2.0, 1e-5);
    near_to("large", (double)mass[3], 1.5, 1e-5);
    assert_int_equal(pl_constraint_count(w, PL_KIND_DISTANCE), 5 + 1); // edges, and one link across
    assert_int_equal(pl_face_count(w), 2);
    at_rest(w, id);
    pl_world_destroy(w);
}

// Triangles of fabric in place of links. F is the unit matrix in the coordinates of warp and weft, whichever way the cloth lies:
// stretched along u, only the warp is strained.
static void fabric(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++)
    {
        pl_world *w = make_world(1, 1);
        pl_cloth_def def = pl_default_cloth_def();
        pl_id id, blocks[8];
        def.columns = 5, def.rows = 4;
        def.u = (pl_vec3){0.6f, 0.0f, 0.8f}, def.v = (pl_vec3){0.0f, 1.0f, 0.0f};
        def.model = k ? PL_CLOTH_STRAIN : PL_CLOTH_STVK;
        def.fabric = (pl_fabric){2e6f, 1e6f, 5e5f, 0.3f, 1e-3f, 4.0f};
        def.bending = PL_BENDING_NONE;
        good(pl_add_cloth(w, &def, &id));
        pl_kind kind = k ? PL_KIND_STRAIN_TRIANGLE : PL_KIND_STVK_TRIANGLE;
        assert_int_equal(pl_constraint_count(w, kind), 24);
        assert_int_equal(pl_constraint_count(w, PL_KIND_DISTANCE), 0);
        assert_int_equal(pl_object_blocks(w, id, blocks, 8), 2);
        at_rest(w, id);
        float param[24][8], *x = positions(w), soft;
        double volume = 0.0;
        int32_t t[24][3];
        good(pl_get_rows(w, blocks[0], PL_ROW_PARAM, 0, 24, &param[0][0]));
        good(pl_get_row_particles(w, blocks[0], 0, 24, &t[0][0]));
        good(pl_get_rows(w, blocks[0], PL_ROW_COMPLIANCE, 3, 1, &soft));
        near_to("1/young_warp", (double)soft, 5e-7, 1e-13);
        for (int i = 0; i < 24; i++)
        {
            volume += (double)param[i][4];
            near_to("weft", (double)param[i][6], 0.5, 1e-7);
            near_to("shear", (double)param[i][7], 0.25, 1e-7);
            for (int c = 0; c < 2; c++) // column c of F, in the world: u, then v or its opposite
            {
                double f[3] = {0};
                for (int a = 0; a < 3; a++)
                    for (int e = 0; e < 2; e++)
                        f[a] += (double)param[i][2 * e + c] * (double)(x[3 * t[i][e + 1] + a] - x[3 * t[i][0] + a]);
                near_to("warp along u", fabs(0.6 * f[0] + 0.8 * f[2]), c ? 0.0 : 1.0, 1e-5);
                near_to("weft along v", fabs(f[1]), c ? 1.0 : 0.0, 1e-5);
            }
        }
        near_to("volume", volume, 1e-3, 1e-8);
        free(x);
        def.fabric.thickness = 0.0f;
        refused(pl_add_cloth(w, &def, &id), PL_ERROR_ARGUMENT, "cloth: thickness is 0; it must be above 0");
        def.fabric.thickness = 1e-3f;
        def.fabric.poisson = 1.5f;
        refused(pl_add_cloth(w, &def, &id), PL_ERROR_ARGUMENT, "cloth: poisson is 1.5");
        assert_int_equal(pl_particle_count(w), 20);
        pl_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fabric),
        cmocka_unit_test(the_flag),
        cmocka_unit_test(corners_and_order),
        cmocka_unit_test(mass_of_area),
        cmocka_unit_test(hangs_as_a_strip_does),
        cmocka_unit_test(each_bending),
        cmocka_unit_test(tethers),
        cmocka_unit_test(a_mesh_weighs_by_area),
    };
    return cmocka_run_group_tests_name("cloth", tests, NULL, NULL);
}
