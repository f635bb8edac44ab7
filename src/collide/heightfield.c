// heightfield.c: checks and copies the heights of a height field.
#include "collide/heightfield.h"

#include <math.h>
#include <string.h>

static pl_result check(const heightfield_def *d)
{
    if (!d->height)
        return fail(PL_ERROR_ARGUMENT, "%s: the height field's heights are NULL; give columns x rows of them", d->name);
    if (d->columns < 2 || d->rows < 2)
        return fail(PL_ERROR_ARGUMENT, "%s: the height field has %lld x %lld heights; give at least 2 x 2", d->name,
                    (long long)d->columns, (long long)d->rows);
    if (d->columns > 1 << 24 || d->rows > 1 << 24 || d->columns * d->rows > INT32_MAX / 2)
        return fail(PL_ERROR_ARGUMENT, "%s: the height field has %lld x %lld heights; at most %d", d->name,
                    (long long)d->columns, (long long)d->rows, INT32_MAX / 2);
    for (int k = 0; k < 2; k++)
    {
        if (!isfinite(d->spacing[k]) || !(d->spacing[k] > 0.0f))
            return fail(PL_ERROR_ARGUMENT, "%s: the height field's spacing along %c is %g m; give a positive number",
                        d->name, "xz"[k], (double)d -> spacing[k]);
        double end = (double)d->origin[k] + (double)d->spacing[k] * (double)(k ? d->rows : d->columns);
        if (!(fabs((double)d->origin[k]) <= (double)MESH_FARTHEST) || !(end <= (double)MESH_FARTHEST))
            return fail(PL_ERROR_ARGUMENT, "%s: the height field reaches from %g to %g m along %c; keep within %g m",
                        d->name, (double)d->origin[k], end, "xz"[k], (double)MESH_FARTHEST);
    }
    for (int64_t i = 0; i < d->columns * d->rows; i++)
        if (!isfinite(d->height[i]) || fabsf(d->height[i]) > MESH_FARTHEST)
            return fail(PL_ERROR_ARGUMENT,
                        "%s: the height in column %lld, row %lld is %g; give a finite number within %g m", d->name,
                        (long long)(i % d->columns), (long long)(i / d->columns), (double)d->height[i],
                        (double)MESH_FARTHEST);
    return PL_OK;
}

pl_result heightfield_build(memory *m, const heightfield_def *def, heightfield *out)
{
    *out = (heightfield){0};
    pl_result result = check(def);
    if (result != PL_OK)
        return result;
    void *block = NULL;
    int64_t count = def->columns * def->rows;
    result = memory_resize(m, &block, 0, (size_t)count * sizeof(float));
    if (result != PL_OK)
        return result;
    memcpy(block, def->height, (size_t)count * sizeof(float));
    *out = (heightfield){block,
                         {(int32_t)def->columns, (int32_t)def->rows},
                         {def->origin[0], def->origin[1]},
                         {def->spacing[0], def->spacing[1]},
                         def->height[0],
                         def->height[0]};
    for (int64_t i = 1; i < count; i++)
    {
        out->low = least(out->low, def->height[i]);
        out->high = most(out->high, def->height[i]);
    }
    return PL_OK;
}

void heightfield_free(memory *m, heightfield *f)
{
    memory_free(m, f->height, (size_t)f->size[0] * (size_t)f->size[1] * sizeof *f->height);
    *f = (heightfield){0};
}
