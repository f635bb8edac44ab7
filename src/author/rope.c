// rope.c: builds a rope: particles in a row. Links keep the length (or only pull, as those of a real rope do); links
// over one particle to the next resist bending.
#include "author/build.h"

#include <math.h>

pl_rope_def pl_default_rope_def(void)
{
    const pl_softness firm = {.stiffness = 1.0f};
    return (pl_rope_def){.segments = 50, .to = {1.0f, 0.0f, 0.0f}, .mass = 0.1f, .stretch = firm, .bend = firm};
}

static pl_result check_rope(const pl_rope_def *d)
{
    if (d->segments < 1 || d->segments > INT32_MAX / 32)
        return fail(PL_ERROR_ARGUMENT, "rope: segments is %d; it must be from 1 to %d", d->segments, INT32_MAX / 32);
    if (!(d->mass > 0.0f && CHECK_FINITE(d->mass)))
        return fail(PL_ERROR_ARGUMENT, "rope: mass is %g kg; it must be above 0", (double)d->mass);
    if (!(d->length >= 0.0f && CHECK_FINITE(d->length)))
        return fail(PL_ERROR_ARGUMENT, "rope: length is %g m; it must be above 0, or 0 for as laid out",
                    (double)d->length);
    return PL_OK;
}

static void fill_rope(const pl_rope_def *d, float *x, float *mass)
{
    for (int i = 0; i <= d->segments; i++)
    {
        float t = (float)i / (float)d->segments;
        for (int c = 0; c < 3; c++)
            if (d->points)
                x[3 * i + c] = d->points[3 * i + c];
        if (!d->points)
        {
            x[3 * i] = d->from.x + t * (d->to.x - d->from.x);
            x[3 * i + 1] = d->from.y + t * (d->to.y - d->from.y);
            x[3 * i + 2] = d->from.z + t * (d->to.z - d->from.z);
        }
        // An end has half a segment's mass, an inner particle a whole one's.
        float share = i == 0 || i == d->segments ? 0.5f : 1.0f;
        bool pinned = (i == 0 && d->pin_first) || (i == d->segments && d->pin_last);
        mass[i] = pinned ? 0.0f : d->mass * share / (float)d->segments;
    }
}

static void build_links(build *b, const pl_rope_def *d, int reach, pl_kind kind, pl_softness soft)
{
    for (int i = 0; i + reach <= d->segments; i++)
    {
        build_index(b, 2, (int32_t[]){i, i + reach});
        if (d->length > 0.0f)
            build_param(b, d->length * (float)reach / (float)d->segments);
    }
    build_rows(b, kind, soft);
}

pl_result pl_add_rope(pl_world *w, const pl_rope_def *def, pl_id *object)
{
    NEED(w);
    NEED(def);
    PLAIN_ROUNDING;
    pl_result result = check_rope(def);
    if (result != PL_OK)
        return result;
    float *x = NULL;
    int64_t capacity = 0, count = (int64_t)def->segments + 1;
    result = array_reserve(&w->memory, &x, &capacity, 4 * count, sizeof *x);
    if (result != PL_OK)
        return result;
    float *mass = x + 3 * count;
    fill_rope(def, x, mass);
    build b = {.w = w};
    build_particles(&b, &(pl_particles_def){.count = (int)count, .position = x, .mass = mass});
    build_links(&b, def, 1, def->pull_only ? PL_KIND_DISTANCE_MAX : PL_KIND_DISTANCE, def->stretch);
    build_strength(&b, def->strength);
    if (def->bending)
        build_links(&b, def, 2, PL_KIND_DISTANCE, def->bend);
    array_free(&w->memory, &x, &capacity, sizeof *x);
    return build_end(&b, object);
}
