// cook.c: Cook's membrane, settled by the engine, against linear elasticity of the same mesh and of a fine one.
#include "cook.h"
#include "accuracy.h"

#include <stdio.h>
#include <stdlib.h>

static const double young = 1e6, density = 1000.0, force = 5.0; // Pa, kg/m^3, N: the edge moves by 0.7 mm

static pl_world *slab_world(const slab *s, const pl_patches *patches, double nu, pl_kind kind, int substeps,
                            int iterations)
{
    pl_world *w = make_world(substeps, iterations, 1);
    float *x = calloc(7 * (size_t)s->vertices, sizeof *x), *mass = x + 3 * (size_t)s->vertices;
    float *push = mass + s->vertices;
    for (int i = 0; i < 3 * s->vertices; i++)
        x[i] = (float)s->x[i];
    for (int t = 0; t < s->tets; t++)
        for (int i = 0; i < 4; i++)
        {
            const double *a = s->x + 3 * s->tet[4 * t], *b = s->x + 3 * s->tet[4 * t + 1];
            const double *c = s->x + 3 * s->tet[4 * t + 2], *d = s->x + 3 * s->tet[4 * t + 3];
            double volume = 0.0;
            for (int k = 0; k < 3; k++)
            {
                int l = (k + 1) % 3, m = (k + 2) % 3;
                volume += (b[k] - a[k]) * ((c[l] - a[l]) * (d[m] - a[m]) - (c[m] - a[m]) * (d[l] - a[l])) / 6.0;
            }
            mass[s->tet[4 * t + i]] += (float)(0.25 * density * volume);
        }
    for (int v = 0; v < s->vertices; v++)
    {
        mass[v] = s->x[3 * v] > 0.0 ? mass[v] : 0.0f;
        push[3 * v + 1] = (float)(force * s->load[v]);
    }
    pl_settings set = pl_world_settings(w);
    set.damping = 8.0f;
    set.gravity = (pl_vec3){0.0f, 0.0f, 0.0f};
    good(pl_world_set_settings(w, &set));
    good(pl_add_particles(w, &(pl_particles_def){.count = s->vertices, .position = x, .mass = mass}, NULL));
    good(pl_set(w, PL_ATTRIBUTE_FORCE, 0, s->vertices, push));
    pl_constraints_def rows = pl_default_constraints_def();
    const pl_elastic elastic = {.young = (float)young, .poisson = (float)nu};
    const pl_softness whole = {.compliance = 1.0f / elastic.young, .stiffness = 1.0f};
    pl_patch_material share = {.poisson = elastic.poisson, .tets = whole};
    if (patches)
    {
        share = pl_divide_elastic(&elastic);
        rows.kind = PL_KIND_PATCH_VOLUME, rows.count = patches->count, rows.index = patches->index;
        rows.param = patches->param;
        rows.soft = share.patches;
        good(pl_add_constraints(w, &rows, NULL));
    }
    pl_id tets;
    float *poisson = calloc((size_t)s->tets * 11, sizeof *poisson);
    rows.kind = kind, rows.count = s->tets, rows.index = s->tet, rows.param = NULL;
    rows.soft = share.tets;
    good(pl_add_constraints(w, &rows, &tets));
    good(pl_get_rows(w, tets, PL_ROW_PARAM, 0, s->tets, poisson));
    for (int t = 0; t < s->tets; t++)
        poisson[11 * t + 10] = share.poisson;
    good(pl_set_rows(w, tets, PL_ROW_PARAM, 0, s->tets, poisson));
    free(poisson);
    free(x);
    return w;
}

// The displacement along y, weighted by the load, times E/force.
static double settled(const slab *s, const pl_patches *patches, double nu, pl_kind kind, int substeps, int iterations)
{
    pl_world *w = slab_world(s, patches, nu, kind, substeps, iterations);
    float *x = calloc(3 * (size_t)s->vertices, sizeof *x);
    double sum = 0.0;
    step_frames(w, 150);
    good(pl_get(w, PL_ATTRIBUTE_POSITION, 0, s->vertices, x));
    for (int v = 0; v < s->vertices; v++)
        sum += s->load[v] * ((double)x[3 * v + 1] - (double)(float)s->x[3 * v + 1]);
    free(x);
    pl_world_destroy(w);
    return sum * young / force;
}

// Richardson extrapolation from two meshes of hexahedra.
static double fine(double nu)
{
    slab a = make_slab(12), b = make_slab(24);
    double coarse = linear_deflection(&a, COOK_HEXES, NULL, nu), half = linear_deflection(&b, COOK_HEXES, NULL, nu);
    free_slab(&a);
    free_slab(&b);
    return half + (half - coarse) / 3.0;
}

void check_cook(bool brief)
{
    static const int effort[][2] = {{20, 1}, {40, 1}, {80, 1}, {20, 4}, {40, 4}};
    const int efforts = sizeof effort / sizeof *effort;
    printf("| Cook's membrane: deflection off by [%%] | linear, fine mesh |");
    for (int i = 0; i < efforts; i++)
        printf(" %d x %d |", effort[i][0], effort[i][1]);
    printf("\n| --- | --- |");
    for (int i = 0; i < efforts; i++)
        printf(" --- |");
    printf("\n");
    for (int nus = 0; nus < 3; nus++)
    {
        double nu = (const double[]){0.4, 0.45, 0.49}[nus], truth = fine(nu);
        for (int cells = 6; cells <= (brief ? 6 : 12); cells += 6)
        {
            slab s = make_slab(cells);
            pl_patches patches;
            float *x = calloc(3 * (size_t)s.vertices, sizeof *x);
            for (int i = 0; i < 3 * s.vertices; i++)
                x[i] = (float)s.x[i];
            good(pl_find_patches(x, s.vertices, s.tet, s.tets, &patches));
            for (int averaged = 0; averaged < 2; averaged++)
            {
                const pl_patches *p = averaged ? &patches : NULL;
                double own = linear_deflection(&s, averaged ? COOK_PATCHES : COOK_TETS, p, nu);
                printf("| nu %g, %d cells, %s | %+.1f |", nu, cells, averaged ? "average_volume" : "each tetrahedron",
                       100.0 * (own / truth - 1.0));
                for (int i = 0; i < efforts; i++)
                    printf(" %+.1f |",
                           100.0 * (settled(&s, p, nu, PL_KIND_COROTATED_TET, effort[i][0], effort[i][1]) / own - 1.0));
                printf("\n");
                fflush(stdout);
            }
            pl_patches_free(&patches);
            free(x);
            free_slab(&s);
        }
    }
    printf("\n");
}
