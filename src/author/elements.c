// elements.c: adds the finite elements of an authored object.
#include "author/elements.h"
#include "author/patches.h"
#include "backend/cpu/cpu.h"
#include "elements/fem.h"
#include "elements/patch_volume.h"

#include <math.h>
#include <string.h>

pl_result check_elastic(const char *what, pl_solid_model model, const pl_elastic *e)
{
    if ((unsigned)model > PL_SOLID_STRAIN)
        return fail(PL_ERROR_ARGUMENT, "%s: model is %d; it must be one of pl_solid_model", what, (int)model);
    if (model == PL_SOLID_LINKS)
        return PL_OK;
    if (!(e->young > 0.0f && CHECK_FINITE(e->young) && CHECK_FINITE(1.0f / e->young)))
        return fail(PL_ERROR_ARGUMENT, "%s: young is %g Pa; it must be above 0", what, (double)e->young);
    if (e->average_volume && model == PL_SOLID_STRAIN)
        return fail(PL_ERROR_ARGUMENT,
                    "%s: average_volume needs a model with a volume: stvk, corotated or neo_hookean, not strain", what);
    if (!(e->poisson >= 0.0f && e->poisson <= (e->average_volume ? 0.499f : 0.495f)))
        return fail(PL_ERROR_ARGUMENT, "%s: poisson is %g; it must be from 0 to 0.495, or to 0.499 with average_volume",
                    what, (double)e->poisson);
    if (!(e->viscosity >= 0.0f && CHECK_FINITE(e->viscosity)))
        return fail(PL_ERROR_ARGUMENT, "%s: viscosity is %g Pa s; it must be 0 or above", what, (double)e->viscosity);
    return PL_OK;
}

pl_result check_fabric(const char *what, pl_cloth_model model, const pl_fabric *f)
{
    const struct
    {
        const char *name;
        float value;
    } above[] = {
        {"young_warp", f->young_warp}, {"young_weft", f->young_weft}, {"shear", f->shear}, {"thickness", f->thickness}};
    if ((unsigned)model > PL_CLOTH_STRAIN)
        return fail(PL_ERROR_ARGUMENT, "%s: model is %d; it must be one of pl_cloth_model", what, (int)model);
    if (model == PL_CLOTH_LINKS)
        return PL_OK;
    for (int i = 0; i < 4; i++)
        if (!(above[i].value > 0.0f && CHECK_FINITE(above[i].value) && CHECK_FINITE(1.0f / above[i].value)))
            return fail(PL_ERROR_ARGUMENT, "%s: %s is %g; it must be above 0", what, above[i].name,
                        (double)above[i].value);
    float weft = f->young_weft / f->young_warp;
    if (!(f->poisson >= 0.0f && f->poisson * f->poisson * weft <= 0.98f))
        return fail(PL_ERROR_ARGUMENT,
                    "%s: poisson is %g; it must be 0 or above, and its square times young_weft/young_warp below 0.98",
                    what, (double)f->poisson);
    if (!(f->viscosity >= 0.0f && CHECK_FINITE(f->viscosity)))
        return fail(PL_ERROR_ARGUMENT, "%s: viscosity is %g Pa s; it must be 0 or above", what, (double)f->viscosity);
    return PL_OK;
}

pl_patch_material pl_divide_elastic(const pl_elastic *e)
{
    if (!e)
        return (pl_patch_material){0};
    double young = (double)e->young, nu = (double)e->poisson, kept = nu < 0.3 ? nu : 0.3;
    double shear = young / (1.0 + nu); // 2 mu
    double lambda = shear * (nu / (1.0 - 2.0 * nu) - kept / (1.0 - 2.0 * kept)), own = shear * (1.0 + kept);
    double delay = (double)e->viscosity / young; // the time of relaxation
    pl_patch_material m = {.poisson = (float)kept,
                           .tets = {(float)(1.0 / own), (float)(delay * own), 1.0f},
                           .patches = {0.0f, (float)(delay * lambda), 1.0f}};
    if (lambda > 0.0)
        m.patches.compliance = (float)(1.0 / lambda);
    return m;
}

// Adds the patches of a solid.
static void build_patches(build *b, pl_softness soft, const float *x, int32_t vertices, const int32_t *tets,
                          int64_t count)
{
    pl_patches patches = {0};
    if (b->result != PL_OK)
        return;
    b->result = find_patches(&b->w->memory, x, vertices, tets, count, &patches);
    for (int i = 0; b->result == PL_OK && i < patches.count; i++)
    {
        build_index(b, PATCH_POINTS, patches.index + (size_t)PATCH_POINTS * (size_t)i);
        for (int k = 0; k < PATCH_PARAMS; k++)
            build_param(b, patches.param[(size_t)PATCH_PARAMS * (size_t)i + (size_t)k]);
    }
    build_rows(b, PL_KIND_PATCH_VOLUME, soft);
    patches_drop(&b->w->memory, &patches);
}

void build_solid(build *b, pl_solid_model model, const pl_elastic *e, const float *x, int32_t vertices,
                 const int32_t *tets, int64_t count)
{
    static const pl_kind kinds[] = {[PL_SOLID_STVK] = PL_KIND_STVK_TET,
                                    [PL_SOLID_COROTATED] = PL_KIND_COROTATED_TET,
                                    [PL_SOLID_NEO_HOOKEAN] = PL_KIND_NEO_HOOKEAN,
                                    [PL_SOLID_STRAIN] = PL_KIND_STRAIN_TET};
    if (model == PL_SOLID_LINKS)
        return;
    pl_patch_material m = {.poisson = e->poisson, .tets = {1.0f / e->young, e->viscosity, 1.0f}};
    if (e->average_volume && e->poisson > 0.3f && vertices >= PATCH_POINTS)
    {
        m = pl_divide_elastic(e);
        build_patches(b, m.patches, x, vertices, tets, count);
    }
    for (int64_t t = 0; t < count; t++)
    {
        float points[16] = {0}, param[PL_MAX_PARAMS];
        for (int i = 0; i < 4; i++)
            memcpy(points + 4 * i, x + 3 * tets[4 * t + i], 3 * sizeof *x);
        lanes_of(1)->rest[kinds[model]](points, param);
        param[TET_POISSON_AT] = m.poisson;
        build_index(b, 4, tets + 4 * t);
        for (int i = 0; i < TET_PARAMS; i++)
            build_param(b, param[i]);
    }
    build_rows(b, kinds[model], m.tets);
}

static double dot3(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void cross3(const double *a, const double *b, double *out)
{
    for (int c = 0; c < 3; c++)
        out[c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
}

// Finds the unit warp direction in the plane with normal n: `along` projected onto it, or the edge if `along` is
// perpendicular to the plane.
static void lay_warp(const double *n, const double *edge, const double *along, double *warp)
{
    double lift = dot3(along, n) / dot3(n, n);
    for (int c = 0; c < 3; c++)
        warp[c] = along[c] - lift * n[c];
    if (!(dot3(warp, warp) > 1e-6 * dot3(along, along)))
        memcpy(warp, edge, 3 * sizeof *warp);
    double size = sqrt(dot3(warp, warp));
    for (int c = 0; c < 3; c++)
        warp[c] /= size;
}

// Computes B of fem.h: the inverse of the edges in coordinates along warp and weft. Returns the area.
static double lay_triangle(double edge[2][3], const double *along, float *param)
{
    double n[3], warp[3], weft[3], at[2][2];
    cross3(edge[0], edge[1], n);
    lay_warp(n, edge[0], along, warp);
    cross3(n, warp, weft);
    double det = sqrt(dot3(n, n)); // twice the area
    for (int k = 0; k < 2; k++)
    {
        at[k][0] = dot3(edge[k], warp);
        at[k][1] = dot3(edge[k], weft) / det;
    }
    param[0] = (float)(at[1][1] / det);
    param[1] = (float)(-at[1][0] / det);
    param[2] = (float)(-at[0][1] / det);
    param[3] = (float)(at[0][0] / det);
    return 0.5 * det;
}

void build_fabric(build *b, pl_cloth_model model, const pl_fabric *f, pl_vec3 warp, const float *x,
                  const int32_t *triangles, int64_t count)
{
    const double along[3] = {(double)warp.x, (double)warp.y, (double)warp.z};
    if (model == PL_CLOTH_LINKS)
        return;
    for (int64_t t = 0; t < count; t++)
    {
        const int32_t *at = triangles + 3 * t;
        float param[TRI_PARAMS];
        double edge[2][3];
        for (int k = 0; k < 6; k++)
            edge[k / 3][k % 3] = (double)x[3 * at[1 + k / 3] + k % 3] - (double)x[3 * at[0] + k % 3];
        param[TRI_VOLUME_AT] = (float)(lay_triangle(edge, along, param) * (double)f->thickness);
        param[TRI_POISSON_AT] = f->poisson;
        param[TRI_WEFT_AT] = f->young_weft / f->young_warp;
        param[TRI_SHEAR_AT] = f->shear / f->young_warp;
        build_index(b, 3, at);
        for (int i = 0; i < TRI_PARAMS; i++)
            build_param(b, param[i]);
    }
    build_rows(b, model == PL_CLOTH_STVK ? PL_KIND_STVK_TRIANGLE : PL_KIND_STRAIN_TRIANGLE,
               (pl_softness){1.0f / f->young_warp, f->viscosity, 1.0f});
}
