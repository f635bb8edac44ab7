// Finite elements in a world: multipliers of several parts survive snapshots, edits and removals; elements beyond the cap on
// colours; the same bits on every width.
#include "support/support.h"

// Bars of every model and a cloth of every fabric, all hanging.
static void add_elements(pl_world *w, pl_id *bars)
{
    for (int model = PL_SOLID_STVK; model <= PL_SOLID_STRAIN; model++)
    {
        pl_bar_def b = pl_default_bar_def();
        b.cells[0] = 5, b.cells[1] = 2, b.cells[2] = 3;
        b.origin = (pl_vec3){0.0f, 0.0f, (float)model};
        b.model = (pl_solid_model)model;
        b.elastic = (pl_elastic){.young = 5e4f, .poisson = 0.35f, .viscosity = model == PL_SOLID_STVK ? 20.0f : 0.0f};
        b.pin_start = true;
        good(pl_add_bar(w, &b, &bars[model - PL_SOLID_STVK]));
    }
    const int32_t held[2] = {0, 8};
    for (int model = PL_CLOTH_STVK; model <= PL_CLOTH_STRAIN; model++)
    {
        pl_cloth_def c = pl_default_cloth_def();
        c.columns = c.rows = 9;
        c.origin = (pl_vec3){0.0f, (float)model, 0.0f};
        c.model = (pl_cloth_model)model;
        c.pinned = held;
        c.pinned_count = 2;
        good(pl_add_cloth(w, &c, NULL));
    }
}

enum
{
    MOST = 4096,
};

// All forces of an object's elements; returns how many numbers.
static int forces_of(const pl_world *w, pl_id object, float *out)
{
    pl_id blocks[4];
    pl_kind kind;
    int rows;
    assert_true(pl_object_blocks(w, object, blocks, 4) > 0);
    good(pl_block_info(w, blocks[0], &kind, &rows));
    int count = rows * pl_kind_describe(kind)->parts;
    assert_true(count > 0 && count <= MOST);
    good(pl_get_rows(w, blocks[0], PL_ROW_FORCE, 0, rows, out));
    return count;
}

static void same_forces(const pl_world *a, const pl_world *b, const pl_id *bars, int first)
{
    static float fa[MOST], fb[MOST];
    for (int i = first; i < 4; i++)
    {
        int count = forces_of(a, bars[i], fa);
        assert_int_equal(forces_of(b, bars[i], fb), count);
        assert_memory_equal(fa, fb, (size_t)count * sizeof *fa);
        assert_true(fa[0] != 0.0f && fa[1] != 0.0f);
    }
}

static void step_both(pl_world *a, pl_world *b, int frames)
{
    for (int i = 0; i < frames; i++)
    {
        good(pl_world_step(a, 1.0f / 60.0f));
        good(pl_world_step(b, 1.0f / 60.0f));
        if (pl_world_hash(a) != pl_world_hash(b))
            fail_msg("the runs part at frame %d", i);
    }
}

static void snapshots(void **state)
{
    (void)state;
    for (int integrator = PL_INTEGRATOR_BDF1; integrator <= PL_INTEGRATOR_BDF2; integrator++)
    {
        pl_world *a = make_world(5, 2), *b;
        pl_id bars[4];
        pl_settings s = pl_world_settings(a);
        s.integrator = (pl_integrator)integrator;
        good(pl_world_set_settings(a, &s));
        add_elements(a, bars);
        for (int i = 0; i < 20; i++)
            good(pl_world_step(a, 1.0f / 60.0f));
        picture p = picture_of(a);
        pl_world_def def = small_def(1, 1);
        def.lanes = 1;
        def.threads = 2;
        good(pl_world_load_memory(&def, p.data, p.size, &b));
        same_forces(a, b, bars, 0);
        step_both(a, b, 20);
        same_forces(a, b, bars, 0);
        pl_free(p.data);
        pl_world_destroy(a);
        pl_world_destroy(b);
    }
}

// Edits between steps: multipliers are unpacked, moved up when rows before them go, and packed again.
static void edits(void **state)
{
    (void)state;
    pl_world *a = make_world(5, 2), *b = make_world(5, 2);
    pl_id bars[4], other[4], one;
    add_elements(a, bars);
    add_elements(b, other);
    assert_memory_equal(bars, other, sizeof bars);
    step_both(a, b, 10);
    add_one(a, 5.0f, 5.0f, 5.0f, 1.0f, &one); // the order is stale now in a
    same_forces(a, b, bars, 0);
    good(pl_world_step(a, 1.0f / 60.0f));
    good(pl_world_step(b, 1.0f / 60.0f));
    same_forces(a, b, bars, 0);
    pl_bar_def extra = pl_default_bar_def(); // two bars of a model: the first goes, the other must not notice
    pl_id first, second;
    extra.model = PL_SOLID_STVK;
    extra.pin_start = true;
    good(pl_add_bar(a, &extra, &first));
    extra.origin.z = 9.0f;
    good(pl_add_bar(a, &extra, &second));
    good(pl_world_step(a, 1.0f / 60.0f));
    static float before[MOST], after[MOST];
    int count = forces_of(a, second, before);
    good(pl_remove(a, first));
    assert_int_equal(forces_of(a, second, after), count);
    assert_memory_equal(before, after, (size_t)count * sizeof *before);
    good(pl_world_step(a, 1.0f / 60.0f));
    assert_int_equal(forces_of(a, second, after), count);
    pl_world_destroy(a);
    pl_world_destroy(b);
}

// A hub that 300 tetrahedra share: more than there are colours. They pull it nowhere, and it comes to rest.
static void a_hub(void **state)
{
    (void)state;
    enum
    {
        SPOKES = 300
    };
    const pl_kind kinds[] = {PL_KIND_STVK_TET, PL_KIND_COROTATED_TET, PL_KIND_NEO_HOOKEAN, PL_KIND_STRAIN_TET};
    for (int k = 0; k < 4; k++)
    {
        uint64_t hash[2], seed = 3;
        static float x[3 * (3 * SPOKES + 1)];
        static int32_t index[4 * SPOKES];
        for (int i = 0; i < SPOKES; i++)
        {
            static const float tip[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
            for (int c = 0; c < 9; c++)
                x[3 + 9 * i + c] = tip[c / 3][c % 3] + 0.2f * dice(&seed);
            for (int c = 0; c < 4; c++)
                index[4 * i + c] = c ? 3 * i + c : 0;
        }
        for (int wide = 0; wide < 2; wide++)
        {
            pl_world_def def = small_def(20, 2);
            def.lanes = wide ? 0 : 1;
            def.threads = wide ? 2 : 1;
            def.settings.damping = 1.0f;
            def.settings.gravity = (pl_vec3){0.0f, 0.0f, 0.0f};
            pl_world *w;
            pl_particles_def p = pl_default_particles_def();
            pl_constraints_def d = pl_default_constraints_def();
            pl_id id;
            good(pl_world_create(&def, &w));
            p.count = 3 * SPOKES + 1;
            p.position = x;
            good(pl_add_particles(w, &p, &id));
            d.kind = kinds[k];
            d.count = SPOKES;
            d.index = index;
            d.soft.compliance = 1e-4f;
            good(pl_add_constraints(w, &d, &id));
            static float moved[3 * (3 * SPOKES + 1)];
            memcpy(moved, x, sizeof moved);
            moved[0] = 0.1f, moved[1] = -0.05f; // the hub alone
            good(pl_set(w, PL_ATTRIBUTE_POSITION, 0, p.count, moved));
            good(pl_world_step(w, 1.0f / 60.0f));
            double sum[3] = {
                0}; // of all ways; what is slower than a digit a substep would be lost to rounding later on
            static float now[3 * (3 * SPOKES + 1)];
            good(pl_get(w, PL_ATTRIBUTE_POSITION, 0, p.count, now));
            for (int i = 0; i < 3 * p.count; i++)
                sum[i % 3] += (double)now[i] - (double)moved[i];
            for (int i = 0; i < 3; i++)
                near_to("the centre", sum[i], 0.0, 5e-4); // where the hub moves by 0.1
            for (int f = 0; f < 120; f++)
                good(pl_world_step(w, 1.0f / 60.0f));
            hash[wide] = pl_world_hash(w);
            static float c[SPOKES];
            good(pl_get_rows(w, id, PL_ROW_VALUE, 0, SPOKES, c));
            double energy = 0.0;
            for (int i = 0; i < SPOKES; i++)
                energy += 0.5 * (double)c[i] * (double)c[i];
            below(pl_kind_describe(kinds[k])->name, energy / SPOKES, 1e-6); // about 1e-3 at the start
            pl_world_destroy(w);
        }
        assert_true(hash[0] == hash[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(snapshots),
        cmocka_unit_test(edits),
        cmocka_unit_test(a_hub),
    };
    return cmocka_run_group_tests_name("elements", tests, NULL, NULL);
}
