// diffuse.c: advances the diffuse particles of a world by a frame: checks what is asked for, removes those that are gone, and
// adds the new ones; query/diffuse/ has the other steps.
#include "core/rounding.h"
#include "query/diffuse/diffuse_work.h"

#include <string.h>

enum
{
    CAPACITY_MOST = 1 << 24,
    AT_ONCE = 64, // a particle of the fluid makes at most this many in a frame
};

pl_diffuse_def pl_default_diffuse_def(void)
{
    return (pl_diffuse_def){.capacity = 100000,
                            .trapped_air = 1000.0f,
                            .wave_crest = 1000.0f,
                            .air_speed = {5.0f, 20.0f},
                            .crest_curvature = {0.5f, 2.0f},
                            .speed = {0.5f, 2.0f},
                            .lifetime = {1.0f, 3.0f},
                            .buoyancy = 2.0f,
                            .drag = 20.0f,
                            .air_drag = 0.3f};
}

// ---- checks --------------------------------------------------------------------------------------------------------

static pl_result check_range(const char *what, float value, float least, float most)
{
    if (value >= least && value <= most)
        return PL_OK;
    return fail(PL_ERROR_ARGUMENT, "diffuse: %s is %g; it must be from %g to %g", what, (double)value, (double)least,
                (double)most);
}

static pl_result check_pair(const char *what, const float pair[2])
{
    if (pair[0] >= 0.0f && pair[1] > pair[0] && pair[1] <= 1e9f)
        return PL_OK;
    return fail(PL_ERROR_ARGUMENT, "diffuse: %s is from %g to %g; the first must be at least 0, the second larger",
                what, (double)pair[0], (double)pair[1]);
}

static pl_result check_def(const pl_diffuse_def *d)
{
    if (d->capacity < 1 || d->capacity > CAPACITY_MOST)
        return fail(PL_ERROR_ARGUMENT, "diffuse: capacity is %d; it must be from 1 to %d", d->capacity, CAPACITY_MOST);
    const struct
    {
        const char *name;
        float value, most;
    } values[] = {{"trapped_air", d->trapped_air, 1e6f},
                  {"wave_crest", d->wave_crest, 1e6f},
                  {"buoyancy", d->buoyancy, 100.0f},
                  {"drag", d->drag, 1e4f},
                  {"air_drag", d->air_drag, 1e4f}};
    pl_result result = PL_OK;
    for (size_t i = 0; i < sizeof values / sizeof *values && result == PL_OK; i++)
        result = check_range(values[i].name, values[i].value, 0.0f, values[i].most);
    if (result == PL_OK)
        result = check_pair("air_speed", d->air_speed);
    if (result == PL_OK)
        result = check_pair("crest_curvature", d->crest_curvature);
    if (result == PL_OK)
        result = check_pair("speed", d->speed);
    return result == PL_OK ? check_pair("lifetime", d->lifetime) : result;
}

// ---- making --------------------------------------------------------------------------------------------------------

static pl_result make_room(pl_diffuse *d)
{
    const int64_t n = d->def.capacity;
    pl_result result = array_reserve(&d->m, &d->x, &d->room[0], 3 * n, sizeof *d->x);
    if (result == PL_OK)
        result = array_reserve(&d->m, &d->v, &d->room[1], 3 * n, sizeof *d->v);
    if (result == PL_OK)
        result = array_reserve(&d->m, &d->life, &d->room[2], n, sizeof *d->life);
    if (result == PL_OK)
        result = array_reserve(&d->m, &d->air, &d->room[3], n, sizeof *d->air);
    if (result == PL_OK)
        result = array_reserve(&d->m, &d->kind, &d->room[4], n, sizeof *d->kind);
    return result == PL_OK ? array_reserve(&d->m, &d->gone, &d->room[5], n, sizeof *d->gone) : result;
}

pl_result pl_diffuse_create(const pl_world *w, const pl_diffuse_def *def, pl_diffuse **out)
{
    NEED(w);
    NEED(def);
    NEED(out);
    memory m;
    void *block = NULL;
    *out = NULL;
    pl_result result = check_def(def);
    memory_open(&m, &w->memory.hook);
    if (result == PL_OK)
        result = memory_resize(&m, &block, 0, sizeof(pl_diffuse));
    if (result != PL_OK)
        return result;
    pl_diffuse *d = block;
    d->m = m;
    d->def = *def;
    result = make_room(d);
    if (result == PL_OK)
        *out = d;
    else
        pl_diffuse_destroy(d);
    return result;
}

void pl_diffuse_destroy(pl_diffuse *d)
{
    if (!d)
        return;
    memory m = d->m;
    array_free(&m, &d->slot, &d->slot_capacity, sizeof *d->slot);
    array_free(&m, &d->fluid, &d->fluid_capacity, sizeof *d->fluid);
    neighbours_free(&d->list, &m);
    array_free(&m, &d->x, &d->room[0], sizeof *d->x);
    array_free(&m, &d->v, &d->room[1], sizeof *d->v);
    array_free(&m, &d->life, &d->room[2], sizeof *d->life);
    array_free(&m, &d->air, &d->room[3], sizeof *d->air);
    array_free(&m, &d->kind, &d->room[4], sizeof *d->kind);
    array_free(&m, &d->gone, &d->room[5], sizeof *d->gone);
    memory_free(&m, d, sizeof *d);
}

// ---- a step --------------------------------------------------------------------------------------------------------

static void remove_gone(pl_diffuse *d)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < d->count; i++)
    {
        if (d->gone[i])
            continue;
        memmove(d->x + 3 * (size_t)kept, d->x + 3 * (size_t)i, 3 * sizeof *d->x);
        memmove(d->v + 3 * (size_t)kept, d->v + 3 * (size_t)i, 3 * sizeof *d->v);
        d->life[kept] = d->life[i], d->air[kept] = d->air[i], d->kind[kept] = d->kind[i];
        kept++;
    }
    d->count = kept;
}

// Adds the k-th particle that a particle of the fluid makes in this frame: near the way that it has come.
static void add_one(pl_diffuse *d, const diffuse_fluid *from, uint32_t k)
{
    const float *life = d->def.lifetime;
    float offset[3], way = d->dt * diffuse_chance(d, from->number, 8 * k + 4);
    int32_t at = d->count++;
    for (uint32_t c = 0; c < 3; c++)
        offset[c] = 2.0f * diffuse_chance(d, from->number, 8 * k + c + 1) - 1.0f;
    vec v = diffuse_vec(from->v), off = diffuse_vec(offset);
    float speed = root(square(v));
    diffuse_put(d->x + 3 * (size_t)at,
                add(sub(diffuse_vec(from->x), times(way, v)), times(DIFFUSE_OFFSET / 1.7320508f * d->spacing, off)));
    diffuse_put(d->v + 3 * (size_t)at, add(v, times(DIFFUSE_SPREAD * speed, off)));
    d->life[at] = life[0] + (life[1] - life[0]) * diffuse_chance(d, from->number, 8 * k + 5);
    d->air[at] = 0.0f;
    d->kind[at] = PL_DIFFUSE_FOAM;
}

static void add_new(pl_diffuse *d)
{
    for (int32_t i = 0; i < d->list.count; i++)
    {
        const diffuse_fluid *from = &d->fluid[i];
        float wanted = least(from->rate * d->dt, (float)AT_ONCE);
        if (!(wanted > 0.0f))
            continue;
        int32_t whole = (int32_t)wanted;
        whole += diffuse_chance(d, from->number, 0) < wanted - (float)whole;
        for (int32_t k = 0; k < whole && d->count < d->def.capacity; k++)
            add_one(d, from, (uint32_t)k);
    }
}

pl_result pl_diffuse_step(pl_diffuse *d, const pl_world *w, float dt)
{
    NEED(d);
    NEED(w);
    PLAIN_ROUNDING;
    if (!(dt > 0.0f && CHECK_FINITE(dt)))
        return fail(PL_ERROR_ARGUMENT, "diffuse: dt is %g s; it must be above 0", (double)dt);
    d->w = w;
    d->dt = dt;
    d->threads = cpu_parallel((cpu *)&w->cpu);
    pl_result result = diffuse_find_fluid(d);
    if (result != PL_OK)
        return result;
    d->frame++;
    diffuse_move(d);
    remove_gone(d);
    diffuse_find_rates(d);
    add_new(d);
    return PL_OK;
}

pl_diffuse_points pl_diffuse_get(const pl_diffuse *d)
{
    return d ? (pl_diffuse_points){d->count, d->x, d->v, d->life, d->kind} : (pl_diffuse_points){0};
}
