// sdf.c: computes the signed distances of a solid mesh at the nodes of a grid. Each node queries the bounding volume
// hierarchy; the triangle nearest to the previous node bounds the search. Every value is exact, so the only error is
// that of the interpolation.
#include "collide/sdf.h"

#include <math.h>

static pl_result check_def(const mesh_view *mesh, const sdf_def *def)
{
    if (!isfinite(def->spacing) || !(def->spacing > 0.0f))
        return fail(PL_ERROR_ARGUMENT, "%s: the distance field's spacing is %g m; give a positive number", mesh->name,
                    (double)def->spacing);
    if (!isfinite(def->margin) || def->margin < 0.0f)
        return fail(PL_ERROR_ARGUMENT, "%s: the distance field's margin is %g m; give 0 or more", mesh->name,
                    (double)def->margin);
    return PL_OK;
}

// Lays out the grid that covers the box of the mesh; returns its size in bytes as a double, because it may exceed every
// integer.
static double lay_out(const bvh *b, const sdf_def *def, sdf *out, double nodes[3])
{
    double h = (double)def->spacing, margin = def->margin > def->spacing ? (double)def->margin : h,
           bytes = sizeof(float);
    out->spacing = def->spacing;
    for (int k = 0; k < 3; k++)
    {
        double low = (double)b->node->low[k] - margin, high = (double)b->node->high[k] + margin;
        out->origin[k] = (float)low;
        nodes[k] = floor((high - (double)out->origin[k]) / h) + 2.0; // at least one node at or beyond the far end
        bytes *= nodes[k];
    }
    return bytes;
}

static pl_result check_size(const mesh_view *mesh, const sdf_def *def, double bytes, const double nodes[3])
{
    double limit = (double)(def->limit > 0 ? def->limit : SDF_LIMIT);
    if (bytes <= limit && nodes[0] < 2e9 && nodes[1] < 2e9 && nodes[2] < 2e9)
        return PL_OK;
    // Finds a spacing that fits, a little on the safe side.
    double spacing = (double)def->spacing, fits = bytes;
    while (fits > limit)
    {
        spacing *= 1.25;
        fits /= 1.953125;
    }
    return fail(PL_ERROR_ARGUMENT,
                "%s: a distance field of %.0f x %.0f x %.0f nodes would need %.4g GB, the limit is %.4g GB; use a "
                "spacing of %.2g m instead of %g m",
                mesh->name, nodes[0], nodes[1], nodes[2], bytes * 1e-9, limit * 1e-9, spacing, (double)def->spacing);
}

// The distance from x to triangle `slot`, plus a margin for rounding: a triangle farther away cannot be the nearest.
static float bound_by(const bvh *b, vec x, int32_t slot)
{
    vec p = bvh_corner(b, slot, 0);
    closest c = point_triangle(x, p, bvh_corner(b, slot, 1), bvh_corner(b, slot, 2));
    return 1.00001f * root(c.square) + 1e-6f * reach_of(sub(p, x)) + 1e-18f;
}

static void fill(const bvh *b, sdf *s)
{
    float *value = s->value;
    int32_t last = 0; // the triangle nearest to the previous node
    for (int32_t k = 0; k < s->size[2]; k++)
        for (int32_t j = 0; j < s->size[1]; j++)
            for (int32_t i = 0; i < s->size[0]; i++)
            {
                vec x = vec_of(s->origin[0] + s->spacing * (float)i, s->origin[1] + s->spacing * (float)j,
                               s->origin[2] + s->spacing * (float)k);
                bvh_near r = bvh_nearest(b, x, bound_by(b, x, last));
                last = r.slot; // always found: at least the last triangle itself is within the bound
                *value++ = bvh_side(b, x, &r).distance;
            }
}

pl_result sdf_build(memory *m, const mesh_view *mesh, const sdf_def *def, sdf *out)
{
    *out = (sdf){0};
    bvh tree = {0};
    pl_result result = check_def(mesh, def);
    if (result == PL_OK)
        result = bvh_build(m, mesh, 1, &tree);
    if (result != PL_OK)
        return result;
    double nodes[3], bytes = lay_out(&tree, def, out, nodes);
    result = check_size(mesh, def, bytes, nodes);
    for (int k = 0; result == PL_OK && k < 3; k++)
        out->size[k] = (int32_t)nodes[k];
    void *block = NULL;
    if (result == PL_OK)
        result = memory_resize(m, &block, 0, (size_t)bytes);
    out->value = block;
    if (result == PL_OK)
        fill(&tree, out);
    else
        *out = (sdf){0};
    bvh_free(m, &tree);
    return result;
}

void sdf_free(memory *m, sdf *s)
{
    memory_free(m, s->value, (size_t)s->size[0] * (size_t)s->size[1] * (size_t)s->size[2] * sizeof *s->value);
    *s = (sdf){0};
}
