// test_tear.c: what comes apart: rows at their strength, cloth and solids along the edges and faces of their meshes. The mesh stays
// clean, no mass is lost, and a world that is packed in place, packed anew, or loaded goes on with the same bits.
#include "edit/tearing.h"

// ---- strength ------------------------------------------------------------------------------------------------------

// A string of particles of 1 kg hangs by its first: link i carries what hangs below it.
static int hanging_chain(double strength)
{
    enum
    {
        N = 6
    };
    pl_world *w = make_world(20, 4);
    change(w, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 20.0);
    float x[3 * N] = {0}, mass[N];
    int32_t index[2 * (N - 1)];
    for (int i = 0; i < N; i++)
    {
        x[3 * i + 1] = -0.1f * (float)i;
        mass[i] = i ? 1.0f : 0.0f;
        if (i)
            index[2 * i - 2] = i - 1, index[2 * i - 1] = i;
    }
    add_particles(w, N, x, mass);
    pl_id links = add_rows(w, PL_KIND_DISTANCE, N - 1, index, NULL, 1e-5, 1.0);
    steps(w, 60, 1.0 / 60.0);
    good(pl_set_strength(w, links, 0, N - 1, (float)strength));
    steps(w, 2, 1.0 / 60.0);
    int broken = -1;
    pl_damage damage[N - 1];
    good(pl_get_damage(w, links, 0, N - 1, damage));
    for (int i = 0; i < N - 1; i++)
        if (damage[i].broken)
            broken = broken < 0 ? i : 100;
    if (broken < 0)
        for (int i = 0; i < N - 1; i++)
            near("load", (double)damage[i].load, (N - 1 - i) * GRAVITY / strength, 0.02);
    pl_world_destroy(w);
    return broken;
}

static void a_link_breaks_at_its_strength(void **state)
{
    (void)state;
    assert_int_equal(hanging_chain(5.05 * GRAVITY), -1);
    assert_int_equal(hanging_chain(4.95 * GRAVITY), 0); // and the others hang on nothing then
}

// A bar that hangs: at the top the stress is density g length, half of it in the middle.
static void stress_is_what_hangs_below(void **state)
{
    (void)state;
    for (int model = PL_SOLID_STVK; model <= PL_SOLID_NEO_HOOKEAN; model++)
    {
        pl_world *w = make_world(20, 4);
        pl_settings set = pl_world_settings(w);
        set.gravity = (pl_vec3){9.81f, 0, 0}; // along the bar
        set.damping = 10.0f;
        good(pl_world_set_settings(w, &set));
        pl_bar_def bar = pl_default_bar_def();
        bar.cells[0] = 8, bar.cells[1] = bar.cells[2] = 2;
        bar.size = (pl_vec3){0.8f, 0.1f, 0.1f};
        bar.mass = 8.0f;
        bar.model = (pl_solid_model)model;
        bar.elastic = (pl_elastic){.young = 1e6f, .poisson = 0.0f, .viscosity = 500.0f};
        bar.pin_start = true;
        bar.strength = 1e5f;
        good(pl_add_bar(w, &bar, NULL));
        steps(w, 90, 1.0 / 60.0);
        pl_id block;
        pl_world_blocks(w, &block, 1);
        pl_damage damage[160];
        good(pl_get_damage(w, block, 0, 160, damage));
        double middle = 0.0;
        int count = 0;
        for (int i = 0; i < 160; i++) // cells come along x first: those at a half of the length
            if (i / 5 % 8 == 3 || i / 5 % 8 == 4)
                middle += (double)damage[i].load, count++;
        near("stress in the middle", middle / count * 1e5, 1000.0 * GRAVITY * 0.4, 0.04 * 1000.0 * GRAVITY * 0.4);
        pl_world_destroy(w);
    }
}

// ---- ripping -------------------------------------------------------------------------------------------------------

// A cloth between two held sides that are drawn apart.
static pl_world *drawn(int threads, int lanes, pl_cloth_model model)
{
    pl_world *w = quiet_world(threads, lanes);
    pl_cloth_def c = pl_default_cloth_def();
    int32_t sides[40];
    for (int i = 0; i < 20; i++)
        sides[2 * i] = 20 * i, sides[2 * i + 1] = 20 * i + 19;
    c.model = model;
    c.stretch.compliance = c.shear.compliance = 1e-4f;
    c.fabric.young_warp = c.fabric.young_weft = 1e5f;
    c.fabric.shear = 4e4f;
    c.bend.compliance = 1e-2f;
    c.strength = model == PL_CLOTH_LINKS ? 8.0f : 5e4f;
    c.pinned = sides, c.pinned_count = 40;
    good(pl_add_cloth(w, &c, NULL));
    const float left[3] = {-0.4f, 0, 0}, right[3] = {0.4f, 0, 0};
    for (int i = 0; i < 20; i++)
    {
        good(pl_set(w, PL_ATTRIBUTE_VELOCITY, 20 * i, 1, left));
        good(pl_set(w, PL_ATTRIBUTE_VELOCITY, 20 * i + 19, 1, right));
    }
    return w;
}

static int compare_pairs(const void *p, const void *q) { return memcmp(p, q, 2 * sizeof(int32_t)); }

// Both lips of a rip: every edge of every face has a link of its own.
static void edges_have_links(const pl_world *w)
{
    int32_t(*pair)[2] = malloc((size_t)pl_constraint_count(w, PL_KIND_DISTANCE) * sizeof *pair);
    int64_t count = 0;
    pl_id blocks[4096];
    int block_count = pl_world_blocks(w, blocks, 4096);
    assert_true(block_count <= 4096);
    for (int b = 0; b < block_count; b++)
    {
        pl_kind kind;
        int rows;
        good(pl_block_info(w, blocks[b], &kind, &rows));
        for (int i = 0; kind == PL_KIND_DISTANCE && i < rows; i++)
        {
            int32_t end[2];
            pl_damage worn;
            good(pl_get_row_particles(w, blocks[b], i, 1, end));
            good(pl_get_damage(w, blocks[b], i, 1, &worn));
            pair[count][0] = end[0] < end[1] ? end[0] : end[1];
            pair[count][1] = end[0] < end[1] ? end[1] : end[0];
            count += !worn.broken;
        }
    }
    qsort(pair, (size_t)count, sizeof *pair, compare_pairs);
    for (int64_t i = 1; i < count; i++)
        if (!memcmp(pair[i], pair[i - 1], sizeof *pair))
            fail_msg("%d and %d have two links", pair[i][0], pair[i][1]);
    for (int i = 0; i < 3 * pl_face_count(w); i++)
    {
        int32_t corner[3];
        good(pl_get_faces(w, i / 3, 1, corner));
        int32_t a = corner[i % 3], b = corner[(i + 1) % 3];
        int32_t edge[2] = {a < b ? a : b, a < b ? b : a};
        if (!bsearch(edge, pair, (size_t)count, sizeof *pair, compare_pairs))
            fail_msg("the edge from %d to %d has no link", a, b);
    }
    free(pair);
}

static void a_cloth_rips_and_every_world_rips_alike(void **state)
{
    (void)state;
    for (int model = PL_CLOTH_LINKS; model <= PL_CLOTH_STVK; model++)
    {
        pl_world *a = drawn(1, 1, (pl_cloth_model)model), *b = drawn(2, 0, (pl_cloth_model)model), *c;
        double mass = total_mass(a);
        int before = orderings, torn = 0;
        for (int f = 0; f < 90; f++)
        {
            steps(a, 1, 1.0 / 60.0);
            steps(b, 1, 1.0 / 60.0);
            assert_true(pl_world_hash(a) == pl_world_hash(b));
            torn += pl_world_tears(a).splits > 0;
            if (f % 9 == 8) // one that is packed anew goes on in b's place
            {
                void *data;
                size_t size;
                pl_world_def def = pl_default_world_def();
                good(pl_world_save_memory(b, &data, &size));
                good(pl_world_load_memory(&def, data, size, &c));
                pl_free(data);
                pl_world_destroy(b);
                b = c;
            }
        }
        assert_true(torn > 5);
        assert_true(pl_world_tears(a).splits > 10);
        assert_true(orderings - before <= 6); // a was packed once, or when the room was used up; b is new at times
        if (model == PL_CLOTH_LINKS)
            edges_have_links(a);
        assert_true(pieces(a) > 1);
        near("the mass", total_mass(a), mass, 1e-5 * mass);
        mesh_is_clean(a, false);
        assert_true(all_finite(a));
        pl_world_destroy(a);
        pl_world_destroy(b);
    }
}

// ---- edits ---------------------------------------------------------------------------------------------------------

static void what_tore_off_goes_with_its_object(void **state)
{
    (void)state;
    pl_world *w = quiet_world(1, 0);
    pl_id id = cloth(w, 11, PL_CLOTH_LINKS, PL_BENDING_DIHEDRAL, 0.0);
    pl_id other = add_particles(w, 2, (float[]){9, 0, 0, 9, 1, 0}, NULL);
    steps(w, 1, 1.0 / 60.0);
    good(pl_cut(w, id, &across, NULL));
    steps(w, 1, 1.0 / 60.0);
    assert_true(pl_particle_count(w) > 123);
    good(pl_remove(w, id));
    assert_int_equal(pl_particle_count(w), 2);
    assert_int_equal(pl_face_count(w), 0);
    id = cloth(w, 11, PL_CLOTH_LINKS, PL_BENDING_DIHEDRAL, 0.0);
    steps(w, 5, 1.0 / 60.0);
    assert_int_equal(pieces(w), 3);
    assert_true(all_finite(w));
    (void)other;
    pl_world_destroy(w);
}

static void a_burst_balloon_holds_nothing(void **state)
{
    (void)state;
    pl_world *w = quiet_world(1, 0);
    weightless(w);
    pl_mesh_def def = pl_default_mesh_def();
    def.shape = "sphere";
    pl_mesh mesh;
    good(pl_mesh_make(&def, &mesh));
    pl_body_def body = pl_default_body_def();
    body.kind = PL_BODY_BALLOON;
    body.mesh = &mesh;
    body.pressure = 1.5f;
    pl_id id, blocks[8];
    good(pl_add_body(w, &body, &id));
    pl_mesh_free(&mesh);
    steps(w, 20, 1.0 / 60.0);
    int had = pl_object_blocks(w, id, blocks, 8);
    const pl_blade needle = {{-0.1f, 0.0f, -0.1f}, {0.2f, 0, 0.05f}, {0, 3, 0}};
    good(pl_cut(w, id, &needle, NULL));
    assert_true(pl_world_tears(w).splits > 0);
    assert_true(pl_object_blocks(w, id, blocks, 8) <= had); // the volume has gone; a fringe has come
    steps(w, 30, 1.0 / 60.0);
    assert_true(all_finite(w));
    pl_world_destroy(w);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    pl_world *w = quiet_world(1, 0);
    pl_id id = cloth(w, 5, PL_CLOTH_LINKS, PL_BENDING_LINKS, 0.0);
    const pl_blade flat = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, none = {{0, NAN, 0}, {1, 0, 0}, {0, 1, 0}};
    assert_int_equal(pl_cut(w, id, &flat, NULL), PL_ERROR_ARGUMENT);
    assert_non_null(strstr(pl_error_message(), "no area"));
    assert_int_equal(pl_cut(w, id, &none, NULL), PL_ERROR_ARGUMENT);
    assert_int_equal(pl_cut(w, (pl_id){77, 1}, &across, NULL), PL_ERROR_ARGUMENT);
    assert_non_null(strstr(pl_error_message(), "cut"));
    assert_int_equal(pl_cut(NULL, id, &across, NULL), PL_ERROR_ARGUMENT);
    assert_int_equal(pl_cut(w, id, NULL, NULL), PL_ERROR_ARGUMENT);
    int count;
    assert_int_equal(pl_count_pieces(w, (pl_id){77, 1}, &count), PL_ERROR_ARGUMENT);
    pl_cloth_def c = pl_default_cloth_def();
    c.strength = -1.0f;
    assert_int_equal(pl_add_cloth(w, &c, NULL), PL_ERROR_ARGUMENT);
    assert_non_null(strstr(pl_error_message(), "strength"));
    assert_int_equal(pl_particle_count(w), 25);
    assert_true(pl_world_tears(NULL).splits == 0);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_link_breaks_at_its_strength),           cmocka_unit_test(stress_is_what_hangs_below),
        cmocka_unit_test(a_cloth_rips_and_every_world_rips_alike), cmocka_unit_test(what_tore_off_goes_with_its_object),
        cmocka_unit_test(a_burst_balloon_holds_nothing),           cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
