// strain.c: what is stretched beyond measure: the sign of a run that is about to diverge, or of a load that is too large.
#include "advice.h"

#include <math.h>
#include <stdlib.h>

#define RUNAWAY 1.0        // strain: twice its length at rest
#define RUNAWAY_RUBBER 4.0 // of neo-Hookean elements, which are made for large strains

struct runaway
{
    int64_t count; // constraints beyond the limit
    double most;
    int particle; // of the worst
    double compliance;
};

// The largest principal stretch of F = [edges] B: the 16th root of the trace of (F^T F)^8, at most 7 % too large.
static double largest_stretch(const float *x, const int32_t *index, const float *inverse, int axes)
{
    double f[3][3] = {{0}}, m[3][3];
    for (int i = 0; i < axes; i++)
        for (int k = 0; k < axes; k++)
            for (int c = 0; c < 3; c++)
            {
                double edge = (double)x[3 * index[k + 1] + c] - (double)x[3 * index[0] + c];
                f[i][c] += edge * (double)inverse[axes * k + i];
            }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            m[i][j] = f[i][0] * f[j][0] + f[i][1] * f[j][1] + f[i][2] * f[j][2];
    for (int power = 0; power < 3; power++)
    {
        double square[3][3];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                square[i][j] = m[i][0] * m[0][j] + m[i][1] * m[1][j] + m[i][2] * m[2][j];
        for (int i = 0; i < 9; i++)
            m[i / 3][i % 3] = square[i / 3][i % 3];
    }
    return pow(m[0][0] + m[1][1] + m[2][2], 1.0 / 16.0);
}

static void look_at_block(struct runaway *r, const struct advice *a, pl_id block, const float *x)
{
    pl_kind kind;
    int count;
    if (pl_block_info(a->world, block, &kind, &count) != PL_OK || count == 0)
        return;
    const pl_kind_info *info = pl_kind_describe(kind);
    bool element = info->parts > 1 && info->arity > 2;
    if (!element && kind != PL_KIND_DISTANCE && kind != PL_KIND_DISTANCE_MAX && kind != PL_KIND_TETHER)
        return;
    size_t rows = (size_t)count;
    int32_t *index = malloc(rows * (size_t)info->arity * sizeof *index);
    float *param = malloc(rows * (size_t)info->params * sizeof *param);
    float *soft = malloc(rows * sizeof *soft);
    pl_row_info *told = malloc(rows * sizeof *told);
    pl_damage *damage = malloc(rows * sizeof *damage);
    bool known = index && param && soft && told && damage &&
                 pl_get_row_particles(a->world, block, 0, count, index) == PL_OK &&
                 pl_get_rows(a->world, block, PL_ROW_PARAM, 0, count, param) == PL_OK &&
                 pl_get_rows(a->world, block, PL_ROW_COMPLIANCE, 0, count, soft) == PL_OK &&
                 pl_get_row_info(a->world, block, 0, count, told) == PL_OK &&
                 pl_get_damage(a->world, block, 0, count, damage) == PL_OK;
    for (int i = 0; known && i < count; i++)
    {
        const int32_t *of = index + (size_t)i * (size_t)info->arity;
        double strain = element
                            ? largest_stretch(x, of, param + (size_t)i * (size_t)info->params, info->arity - 1) - 1.0
                            : (double)told[i].residual;
        if (damage[i].broken || !(strain > (kind == PL_KIND_NEO_HOOKEAN ? RUNAWAY_RUBBER : RUNAWAY)))
            continue;
        r->count++;
        if (strain > r->most)
        {
            r->most = strain;
            r->particle = of[0];
            r->compliance = element ? 1.0 : (double)soft[i];
        }
    }
    free(index);
    free(param);
    free(soft);
    free(told);
    free(damage);
}

void advise_strain(struct advice *a)
{
    struct runaway r = {.particle = -1};
    int blocks = pl_world_blocks(a->world, NULL, 0), end = pl_particle_end(a->world);
    pl_id *ids = malloc(((size_t)blocks + 1) * sizeof *ids);
    float *x = malloc(((size_t)end + 1) * 3 * sizeof *x);
    bool known = ids && x && pl_get(a->world, PL_ATTRIBUTE_POSITION, 0, end, x) == PL_OK;
    blocks = known ? pl_world_blocks(a->world, ids, blocks) : 0;
    for (int i = 0; i < blocks; i++)
        look_at_block(&r, a, ids[i], x);
    free(ids);
    free(x);
    if (r.count)
    {
        char label[OBJECT_LABEL];
        particle_label(a, r.particle, label);
        advise(a, "%lld constraints are stretched to more than twice their length, in %s by %.0f %%; %s",
               (long long)r.count, label, 100.0 * r.most,
               r.compliance > 0.0
                   ? "use a stiffer material (a smaller compliance) or a smaller load, and more substeps if it grows"
                   : "use more substeps, or more mass for what hangs on it or pulls it: a light particle between heavy "
                     "ones needs many");
    }
}
