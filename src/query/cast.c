// cast.c: casts rays and balls against shapes, particles and faces: the public calls and the sorted list of hits. The
// intersection tests are in cast_targets.c.
#include "query/cast.h"

#include <math.h>
#include <string.h>

// ---- the list of hits ----------------------------------------------------------------------------------------------

static int rank_of(const pl_hit *h) { return h->shape.index ? 0 : h->face < 0 ? 1 : 2; }

static bool comes_before(const pl_hit *a, const pl_hit *b)
{
    if (a->distance != b->distance)
        return a->distance < b->distance;
    int p = rank_of(a), q = rank_of(b);
    if (p != q)
        return p < q;
    return p == 0 ? a->shape.index < b->shape.index : p == 1 ? a->particle < b->particle : a->face < b->face;
}

void add_hit(cast_state *f, const pl_hit *hit)
{
    f->all++;
    int at = f->count;
    while (at > 0 && comes_before(hit, &f->hits[at - 1]))
        at--;
    if (at >= f->capacity)
        return;
    int last = f->count < f->capacity ? f->count : f->capacity - 1;
    memmove(f->hits + at + 1, f->hits + at, (size_t)(last - at) * sizeof *f->hits);
    f->hits[at] = *hit;
    f->count = last + 1;
}

// ---- public calls --------------------------------------------------------------------------------------------------

pl_cast_def pl_default_cast_def(void)
{
    return (pl_cast_def){.direction = {0.0f, -1.0f, 0.0f}, .distance = 1000.0f, .targets = PL_CAST_ALL, .mask = 255};
}

static pl_result set_ignored(cast_state *f, pl_id id)
{
    if (!id.index)
        return PL_OK;
    const id_entry *t = id_find(f->w, id, ID_FREE, "cast");
    if (!t)
        return PL_ERROR_ARGUMENT;
    if (t->type == ID_SHAPE)
        f->ignore_shape = id.index;
    else if (t->type == ID_OBJECT)
        f->ignore_first = t->first, f->ignore_end = t->first + t->count;
    else
        return fail(PL_ERROR_ARGUMENT, "cast: ignore must name an object or a shape");
    return PL_OK;
}

static pl_result set_cast(cast_state *f, const pl_cast_def *d)
{
    const pl_vec3 v = d->direction;
    double size = sqrt((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z);
    if (!finite3(d->origin) || !finite3(v) || !(size > 0.0))
        return fail(PL_ERROR_ARGUMENT, "cast: origin and direction must be finite, and the direction not 0");
    if (!(d->distance >= 0.0f && CHECK_FINITE(d->distance)))
        return fail(PL_ERROR_ARGUMENT, "cast: distance is %g; it must be 0 or above, and finite", (double)d->distance);
    if (!(d->radius >= 0.0f && CHECK_FINITE(d->radius)))
        return fail(PL_ERROR_ARGUMENT, "cast: radius is %g; it must be 0 or above, and finite", (double)d->radius);
    if (d->targets < 1 || d->targets > PL_CAST_ALL)
        return fail(PL_ERROR_ARGUMENT, "cast: targets is %d; it must be a sum of pl_cast_target, 1 to %d", d->targets,
                    PL_CAST_ALL);
    if (d->mask < 0 || d->mask > 255)
        return fail(PL_ERROR_ARGUMENT, "cast: mask is %d; it must be from 0 to 255", d->mask);
    f->from[0] = d->origin.x, f->from[1] = d->origin.y, f->from[2] = d->origin.z;
    f->way[0] = v.x / size, f->way[1] = v.y / size, f->way[2] = v.z / size;
    f->distance = d->distance, f->radius = d->radius;
    f->mask = (uint32_t)d->mask;
    return set_ignored(f, d->ignore);
}

static pl_result cast_at_targets(cast_state *f, const pl_cast_def *d)
{
    const pl_world *w = f->w;
    pl_result result = set_cast(f, d);
    if (result == PL_OK)
        result = pull(w, ARRAY_BIT(SLOT_X));
    if (result != PL_OK)
        return result;
    for (int32_t i = 0; d->targets & PL_CAST_SHAPES && i < w->contacts.shape_count; i++)
        cast_at_shape(f, i);
    for (int32_t slot = 0; d->targets & PL_CAST_PARTICLES && slot < w->used; slot++)
        if (w->number_of[slot] >= 0 && phase_of(w->state.slot[SLOT_COLLISION], slot) >> PHASE_MASK_AT & f->mask)
            cast_at_particle(f, slot);
    for (int64_t i = 0; d->targets & PL_CAST_FACES && i < w->faces.count; i++)
        cast_at_face(f, i);
    return PL_OK;
}

pl_result pl_cast(const pl_world *w, const pl_cast_def *def, pl_hit *hit)
{
    NEED(w);
    NEED(def);
    NEED(hit);
    PLAIN_ROUNDING;
    pl_hit nearest = {.face = -1, .particle = -1, .distance = def->distance};
    cast_state f = {.w = w, .hits = &nearest, .capacity = 1};
    pl_result result = cast_at_targets(&f, def);
    if (result == PL_OK)
        *hit = nearest;
    return result;
}

pl_result pl_cast_all(const pl_world *w, const pl_cast_def *def, pl_hit *out, int capacity, int *count)
{
    NEED(w);
    NEED(def);
    NEED(count);
    if (capacity < 0 || (capacity > 0 && !out))
        return fail(PL_ERROR_ARGUMENT, "cast: capacity is %d with out %s; give room for as many hits", capacity,
                    out ? "given" : "NULL");
    PLAIN_ROUNDING;
    pl_hit spare[2];
    cast_state f = {.w = w, .hits = capacity > 1 ? out : spare, .capacity = capacity > 1 ? capacity : 2};
    pl_result result = cast_at_targets(&f, def);
    if (result != PL_OK)
        return result;
    if (capacity == 1 && f.count)
        out[0] = spare[0];
    *count = f.all < INT32_MAX ? (int)f.all : INT32_MAX;
    return PL_OK;
}
