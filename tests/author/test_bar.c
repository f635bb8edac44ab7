// Bars: counts, volumes, masses, and a skin that is closed and faces outward.
#include "author/author.h"

static void counts(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    pl_bar_def bar = pl_default_bar_def();
    pl_id id, blocks[4];
    bar.cells[0] = 30, bar.cells[1] = bar.cells[2] = 10;
    bar.size = (pl_vec3){3, 1, 1};
    bar.mass = 7.0f;
    good(pl_add_bar(w, &bar, &id));
    assert_int_equal(pl_particle_count(w), 31 * 11 * 11);
    assert_int_equal(pl_constraint_count(w, PL_KIND_TET_VOLUME), 15000);
    assert_int_equal(pl_constraint_count(w, PL_KIND_DISTANCE), 20150);
    near_to("mass", total_mass(w), 7.0, 1e-3);
    at_rest(w, id);
    int count = pl_object_blocks(w, id, blocks, 4);
    assert_int_equal(count, 3);
    static float volume[15000];
    double sum = 0.0;
    good(pl_get_rows(w, blocks[1], PL_ROW_PARAM, 0, 15000, volume));
    for (int i = 0; i < 15000; i++)
    {
        assert_true(volume[i] > 0.0f);
        sum += (double)volume[i];
    }
    near_to("volume", sum, 3.0, 1e-4);
    pl_world_destroy(w);
}

// Each edge of the skin is walked once in each direction, the skin holds the bar's volume, and its edges are links.
static void the_skin(void **state)
{
    (void)state;
    for (int odd = 0; odd < 2; odd++)
    {
        pl_world *w = make_world(1, 1);
        pl_bar_def bar = pl_default_bar_def();
        bar.cells[0] = 4 + odd, bar.cells[1] = 3, bar.cells[2] = 2;
        bar.size = (pl_vec3){2, 1.5f, 1};
        pl_id id, blocks[4];
        good(pl_add_bar(w, &bar, &id));
        int faces = pl_face_count(w), end = pl_particle_end(w);
        assert_int_equal(faces, 4 * (bar.cells[0] * 3 + bar.cells[0] * 2 + 6));
        int32_t *t = malloc(3 * (size_t)faces * sizeof *t);
        char *edge = calloc((size_t)end * (size_t)end, 1), *link = calloc((size_t)end * (size_t)end, 1);
        float *x = positions(w);
        good(pl_get_faces(w, 0, faces, t));
        assert_int_equal(pl_object_blocks(w, id, blocks, 4), 3);
        int rows = (int)pl_constraint_count(w, PL_KIND_DISTANCE);
        for (int i = 0; i < rows; i++)
        {
            int32_t p[2];
            good(pl_get_row_particles(w, blocks[0], i, 1, p));
            link[p[0] * end + p[1]] = link[p[1] * end + p[0]] = 1;
        }
        double volume = 0.0;
        for (int i = 0; i < faces; i++)
        {
            double a[3][3];
            for (int k = 0; k < 3; k++)
            {
                int from = t[3 * i + k], to = t[3 * i + (k + 1) % 3];
                assert_false(edge[from * end + to]);
                edge[from * end + to] = 1;
                assert_true(link[from * end + to]);
                for (int c = 0; c < 3; c++)
                    a[k][c] = x[3 * from + c];
            }
            for (int c = 0; c < 3; c++)
                volume +=
                    a[0][c] * (a[1][(c + 1) % 3] * a[2][(c + 2) % 3] - a[1][(c + 2) % 3] * a[2][(c + 1) % 3]) / 6.0;
        }
        for (int i = 0; i < end; i++)
            for (int k = 0; k < end; k++)
                assert_true(edge[i * end + k] == edge[k * end + i]);
        near_to("enclosed volume", volume, 3.0, 1e-4);
        free(t), free(edge), free(link), free(x);
        pl_world_destroy(w);
    }
}

static void held_ends(void **state)
{
    (void)state;
    pl_world *w = make_world(4, 2);
    pl_bar_def bar = pl_default_bar_def();
    bar.pin_start = bar.pin_end = true;
    bar.edges.compliance = 1e-5f;
    good(pl_add_bar(w, &bar, NULL));
    float *x = positions(w), *y;
    play(w, 30);
    y = positions(w);
    int held = 0;
    for (int i = 0; i < pl_particle_count(w); i++)
        if (x[3 * i] == 0.0f || x[3 * i] == 1.0f)
        {
            assert_memory_equal(x + 3 * i, y + 3 * i, 3 * sizeof(float));
            held++;
        }
        else
            assert_true(y[3 * i + 1] < x[3 * i + 1]);
    assert_int_equal(held, 32);
    free(x), free(y);
    pl_world_destroy(w);
}

// Elements take the place of edges and volumes; each knows its volume and the material.
static void elements(void **state)
{
    (void)state;
    const pl_kind kinds[] = {PL_KIND_STVK_TET, PL_KIND_COROTATED_TET, PL_KIND_NEO_HOOKEAN, PL_KIND_STRAIN_TET};
    for (int k = 0; k < 4; k++)
    {
        pl_world *w = make_world(1, 1);
        pl_bar_def bar = pl_default_bar_def();
        pl_id id, blocks[4];
        bar.cells[0] = 5, bar.cells[1] = 3, bar.cells[2] = 2;
        bar.size = (pl_vec3){2, 1, 1};
        bar.model = (pl_solid_model)(PL_SOLID_STVK + k);
        bar.elastic = (pl_elastic){.young = 2e5f, .poisson = 0.4f, .viscosity = 3.0f};
        good(pl_add_bar(w, &bar, &id));
        assert_int_equal(pl_constraint_count(w, kinds[k]), 150);
        assert_int_equal(pl_constraint_count(w, PL_KIND_DISTANCE), 0);
        assert_int_equal(pl_object_blocks(w, id, blocks, 4), 2); // and the skin
        float param[150][11], soft[150];
        double volume = 0.0;
        good(pl_get_rows(w, blocks[0], PL_ROW_PARAM, 0, 150, &param[0][0]));
        for (int i = 0; i < 150; i++)
        {
            volume += (double)param[i][9];
            near_to("poisson", (double)param[i][10], (double)0.4f, 0.0);
        }
        near_to("volume", volume, 2.0, 1e-5);
        good(pl_get_rows(w, blocks[0], PL_ROW_COMPLIANCE, 0, 150, soft));
        near_to("1/young", (double)soft[149], 5e-6, 1e-12);
        good(pl_get_rows(w, blocks[0], PL_ROW_DAMPING, 0, 150, soft));
        near_to("viscosity", (double)soft[0], 3.0, 0.0);
        at_rest(w, id);
        pl_world_destroy(w);
    }
}

static void bad_materials(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    pl_bar_def bar = pl_default_bar_def();
    pl_id id;
    bar.model = PL_SOLID_NEO_HOOKEAN;
    bar.elastic.young = 0.0f;
    refused(pl_add_bar(w, &bar, &id), PL_ERROR_ARGUMENT, "bar: young is 0 Pa; it must be above 0");
    bar.elastic.young = 1e5f;
    bar.elastic.poisson = 0.5f;
    refused(pl_add_bar(w, &bar, &id), PL_ERROR_ARGUMENT, "bar: poisson is 0.5; it must be from 0 to 0.495");
    bar.elastic.poisson = 0.3f;
    bar.elastic.viscosity = -1.0f;
    refused(pl_add_bar(w, &bar, &id), PL_ERROR_ARGUMENT, "bar: viscosity is -1 Pa s");
    bar.model = (pl_solid_model)9;
    refused(pl_add_bar(w, &bar, &id), PL_ERROR_ARGUMENT, "bar: model is 9");
    assert_int_equal(pl_particle_count(w), 0);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(elements), cmocka_unit_test(bad_materials),
                                       cmocka_unit_test(counts), cmocka_unit_test(the_skin),
                                       cmocka_unit_test(held_ends)};
    return cmocka_run_group_tests_name("bar", tests, NULL, NULL);
}
