// Patches of tetrahedra: all of the volume is in them once, as few as vertices, their gradients are those of a linear
// field, and bad meshes are refused.
#include "author/author.h"

enum
{
    POINTS = 8,
    PARAMS = 22,
};

// F = sum x_k b_k^T is 1 at rest, and no particle appears twice in a patch.
static void check_patches(const char *what, const pl_patches *p, const float *x, double volume)
{
    double sum = 0.0, off = 0.0;
    for (int i = 0; i < p->count; i++)
    {
        const int32_t *index = p->index + POINTS * i;
        const float *param = p->param + PARAMS * i;
        sum += (double)param[PARAMS - 1];
        for (int c = 0; c < 9; c++)
        {
            double f = c % 4 ? 0.0 : -1.0;
            for (int k = 1; k < POINTS; k++)
                f += ((double)x[3 * index[k] + c / 3] - (double)x[3 * index[0] + c / 3]) *
                     (double)param[3 * (k - 1) + c % 3];
            off = fmax(off, fabs(f));
        }
        for (int k = 0; k < POINTS; k++)
            for (int l = 0; l < k; l++)
                assert_int_not_equal(index[k], index[l]);
    }
    print_message("%s: %d patches\n", what, p->count);
    near_to("volume", sum, volume, 1e-5 * volume);
    below("F at rest", off, 1e-5);
}

static void a_bar_has_its_cells(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    pl_bar_def bar = pl_default_bar_def();
    pl_id id, blocks[4];
    bar.cells[0] = 5, bar.cells[1] = 4, bar.cells[2] = 3;
    bar.model = PL_SOLID_COROTATED;
    bar.elastic = (pl_elastic){.young = 1e5f, .poisson = 0.49f, .average_volume = true};
    good(pl_add_bar(w, &bar, &id));
    pl_patches p = {.count = (int)pl_constraint_count(w, PL_KIND_PATCH_VOLUME)};
    assert_int_equal(p.count, 60);
    assert_int_equal(pl_constraint_count(w, PL_KIND_COROTATED_TET), 300);
    assert_int_equal(pl_object_blocks(w, id, blocks, 4), 3);
    p.index = malloc((size_t)p.count * POINTS * sizeof *p.index);
    p.param = malloc((size_t)p.count * PARAMS * sizeof *p.param);
    good(pl_get_row_particles(w, blocks[0], 0, p.count, p.index));
    good(pl_get_rows(w, blocks[0], PL_ROW_PARAM, 0, p.count, p.param));
    float *x = positions(w);
    check_patches("bar", &p, x, 0.3 * 0.3);
    at_rest(w, id);
    free(x);
    free(p.index);
    free(p.param);
    pl_world_destroy(w);
}

static void a_lattice_has_as_many_as_vertices(void **state)
{
    (void)state;
    pl_mesh_def def = pl_default_mesh_def();
    pl_mesh mesh;
    pl_tets tets;
    pl_patches p;
    def.shape = "sphere";
    def.radius = 0.5f;
    good(pl_mesh_make(&def, &mesh));
    good(pl_tetrahedralise(&mesh, 0.1f, &tets));
    good(pl_find_patches(tets.vertices, tets.vertex_count, tets.tets, tets.tet_count, &p));
    double volume = 0.0;
    for (int t = 0; t < tets.tet_count; t++)
    {
        double e[3][3];
        for (int k = 0; k < 9; k++)
            e[k / 3][k % 3] = (double)tets.vertices[3 * tets.tets[4 * t + 1 + k / 3] + k % 3] -
                              (double)tets.vertices[3 * tets.tets[4 * t] + k % 3];
        for (int c = 0; c < 3; c++)
            volume += e[0][c] * (e[1][(c + 1) % 3] * e[2][(c + 2) % 3] - e[1][(c + 2) % 3] * e[2][(c + 1) % 3]) / 6.0;
    }
    check_patches("sphere", &p, tets.vertices, volume);
    print_message("%d tetrahedra, %d vertices\n", tets.tet_count, tets.vertex_count);
    below("patches for each vertex", (double)p.count / tets.vertex_count, 1.0);
    below("tetrahedra for each patch", (double)tets.tet_count / p.count, 8.0);
    pl_patches_free(&p);
    pl_tets_free(&tets);
    pl_mesh_free(&mesh);
}

// Two tetrahedra that share a face, and a third one elsewhere: patches of five and four vertices are filled up.
static void few_are_filled_up(void **state)
{
    (void)state;
    const float x[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 5, 0, 0, 6, 0, 0, 5, 1, 0, 5, 0, 1};
    const int32_t tets[] = {0, 1, 2, 3, 4, 2, 1, 3, 5, 6, 7, 8};
    pl_patches p;
    good(pl_find_patches(x, 9, tets, 3, &p));
    assert_int_equal(p.count, 2);
    check_patches("three", &p, x, 1.0 / 6.0 + 1.0 / 3.0 + 1.0 / 6.0);
    pl_patches_free(&p);
    pl_patches_free(NULL);
}

static void bad_meshes_are_refused(void **state)
{
    (void)state;
    float x[24];
    int32_t tets[] = {0, 1, 2, 4};
    pl_patches p;
    for (int i = 0; i < 24; i++)
        x[i] = (float)(i / 3 >> i % 3 & 1);
    refused(pl_find_patches(x, 7, tets, 1, &p), PL_ERROR_ARGUMENT, "there are 7 vertices");
    refused(pl_find_patches(x, 8, tets, 0, &p), PL_ERROR_ARGUMENT, "tet_count is 0");
    tets[3] = 8;
    refused(pl_find_patches(x, 8, tets, 1, &p), PL_ERROR_ARGUMENT, "vertex 8 of tetrahedron 0 does not exist");
    tets[3] = 3;
    refused(pl_find_patches(x, 8, tets, 1, &p), PL_ERROR_ARGUMENT, "tetrahedron 0 has a volume of 0");
    pl_world *w = make_world(1, 1);
    pl_bar_def bar = pl_default_bar_def();
    bar.model = PL_SOLID_STRAIN;
    bar.elastic.average_volume = true;
    refused(pl_add_bar(w, &bar, NULL), PL_ERROR_ARGUMENT, "average_volume needs a model with a volume");
    bar.model = PL_SOLID_COROTATED;
    bar.elastic = (pl_elastic){.young = 1e5f, .poisson = 0.498f};
    refused(pl_add_bar(w, &bar, NULL), PL_ERROR_ARGUMENT,
            "it must be from 0 to 0.495, or to 0.499 with average_volume");
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_bar_has_its_cells),
                                       cmocka_unit_test(a_lattice_has_as_many_as_vertices),
                                       cmocka_unit_test(few_are_filled_up), cmocka_unit_test(bad_meshes_are_refused)};
    return cmocka_run_group_tests_name("patches", tests, NULL, NULL);
}
