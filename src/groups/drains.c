// drains.c: adds, reads and changes the regions that take particles of fluids out of a world (groups/emission.c).
#include "groups/group.h"
#include "model/world.h"

#include <math.h>

extern const group_kind drains_kind;

pl_drain_def pl_default_drain_def(void)
{
    return (pl_drain_def){.size = {0.2f, 0.2f, 0.2f}, .normal = {0.0f, 1.0f, 0.0f}};
}

// ---- checks --------------------------------------------------------------------------------------------------------

static pl_result check_rate(float rate)
{
    if (rate >= 0.0f && rate <= 1e9f)
        return PL_OK;
    return fail(PL_ERROR_ARGUMENT, "drain: rate is %g m^3/s; it must be above 0, or 0 for all that is inside",
                (double)rate);
}

static pl_result check_drain(const pl_drain_def *d)
{
    const float size[3] = {d->size.x, d->size.y, d->size.z};
    int sizes = d->form == PL_DRAIN_BOX ? 3 : d->form == PL_DRAIN_SPHERE ? 1 : 0;
    float square = d->normal.x * d->normal.x + d->normal.y * d->normal.y + d->normal.z * d->normal.z;
    if (d->form < PL_DRAIN_BOX || d->form > PL_DRAIN_PLANE)
        return fail(PL_ERROR_ARGUMENT, "drain: form is %d; it must be a pl_drain_form", (int)d->form);
    if (!finite3(d->position))
        return fail(PL_ERROR_ARGUMENT, "drain: position must be finite");
    for (int c = 0; c < sizes; c++)
        if (!(size[c] > 0.0f && size[c] <= 1e6f))
            return fail(PL_ERROR_ARGUMENT, "drain: size.%c is %g m; it must be above 0 and at most 1e6", 'x' + c,
                        (double)size[c]);
    if (d->form == PL_DRAIN_PLANE && !(square > 1e-12f && square < 1e12f))
        return fail(PL_ERROR_ARGUMENT, "drain: normal is (%g, %g, %g); it needs a length from 1e-6 to 1e6",
                    (double)d->normal.x, (double)d->normal.y, (double)d->normal.z);
    return check_rate(d->rate);
}

// ---- adding, reading and changing ----------------------------------------------------------------------------------

pl_result pl_add_drain(pl_world *w, const pl_drain_def *def, pl_id *id)
{
    NEED(w);
    NEED(def);
    PLAIN_ROUNDING;
    pl_result result = check_drain(def);
    if (result == PL_OK)
        result = columns_reserve(w, PER_DRAINS_GROUP, 0, w->drains.count + 1);
    if (result == PL_OK)
        result = id_reserve(w, 1);
    if (result != PL_OK)
        return result;
    const pl_vec3 n = def->normal;
    double length = sqrt((double)n.x * (double)n.x + (double)n.y * (double)n.y + (double)n.z * (double)n.z);
    float scale = length > 0.0 ? (float)(1.0 / length) : 0.0f;
    w->drains.drain[w->drains.count++] = (drain){.position = {def->position.x, def->position.y, def->position.z},
                                                 .size = {def->size.x, def->size.y, def->size.z},
                                                 .normal = {scale * n.x, scale * n.y, scale * n.z},
                                                 .rate = def->rate,
                                                 .form = (int32_t)def->form,
                                                 .on = 1};
    id_entry t = {.type = ID_DRAIN, .first = (int32_t)w->drains.count - 1, .count = 1};
    return id_add(w, t, id);
}

pl_result pl_set_drain(pl_world *w, pl_id id, float rate, bool on)
{
    NEED(w);
    const id_entry *t = id_find(w, id, ID_DRAIN, "set drain");
    pl_result result = t ? check_rate(rate) : PL_ERROR_ARGUMENT;
    if (result != PL_OK)
        return result;
    w->drains.drain[t->first].rate = rate;
    w->drains.drain[t->first].on = on;
    return PL_OK;
}

pl_result pl_get_drain(const pl_world *w, pl_id id, int64_t *particles, double *volume)
{
    NEED(w);
    const id_entry *t = id_find(w, id, ID_DRAIN, "get drain");
    if (!t)
        return PL_ERROR_ARGUMENT;
    if (particles)
        *particles = w->drains.drain[t->first].taken;
    if (volume)
        *volume = w->drains.drain[t->first].volume;
    return PL_OK;
}

// ---- the description of the kind -----------------------------------------------------------------------------------

static pl_result drains_check(pl_world *w)
{
    for (int64_t i = 0; i < w->drains.count; i++)
    {
        const drain *d = &w->drains.drain[i];
        int64_t bad;
        if ((unsigned)d->form > PL_DRAIN_PLANE || (unsigned)d->on > 1 || !all_finite(d->position, 9, &bad) ||
            !CHECK_FINITE(d->allowed) || !CHECK_FINITE(d->volume) || check_rate(d->rate) != PL_OK)
            return PL_ERROR_FORMAT;
    }
    return PL_OK;
}

static void copy_parameters(pl_world *w, const pl_world *from)
{
    for (int64_t i = 0; i < w->drains.count && i < from->drains.count; i++)
    {
        w->drains.drain[i].rate = from->drains.drain[i].rate;
        w->drains.drain[i].on = from->drains.drain[i].on;
    }
}

const group_kind drains_kind = {
    .words = "drains",
    .id_entry = ID_DRAIN,
    GROUP_COLUMNS_WITHOUT_STARTS(DRAINS),
    .count = offsetof(pl_world, drains.count),
    .members = offsetof(pl_world, drains.count),
    .most = INT32_MAX / 64,
    .single = true,
    .check = drains_check,
    .alone = true,
    .copy_parameters = copy_parameters,
};
