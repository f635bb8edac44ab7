// diffuse_fluid.c: finds how many diffuse particles each particle of the fluid makes (Ihmsen et al. 2012). Of a particle i,
// with x_ij = x_i - x_j, v_ij = v_i - v_j, unit vectors ^ and W = 1 - |x_ij|/h:
//   trapped air   sum |v_ij| (1 - ^v_ij . ^x_ij) W                      neighbours that come nearer
//   wave crest    sum (1 - ^n_i . ^n_j) W over the j with ^x_ji . ^n_i < 0, where ^v_i . ^n_i > 0.6     convex, and moving out
//   energy        v_i^2
// Each becomes a potential from 0 to 1 between two limits. ^n is the direction in which the fluid ends.
#include "model/fluid.h"
#include "query/diffuse/diffuse_work.h"

#include <math.h>

enum
{
    GRAIN = 64,
};

#define CREST_FORWARD 0.6f // cosine of the angle in which a crest moves out
#define NORMAL_LEAST 0.8f  // of the sum of ^x_ij W, below which a particle has no normal: a flat surface has 1.6

// ---- the fluid -----------------------------------------------------------------------------------------------------

static bool is_taken(const pl_world *w, int32_t slot)
{
    return slot >= 0 && is_fluid(w, slot) && !is_gas(w, slot) && !is_inactive(w->state.slot[SLOT_COLLISION], slot) &&
           inverse_mass(w, slot) > 0.0f;
}

// The depth in spacings at which fluid at rest has the pressure of the particle; 0 without gravity.
static float depth_of(const pl_diffuse *d, int32_t slot)
{
    const pl_world *w = d->w;
    const pl_vec3 g = w->settings.gravity;
    double pull_of = sqrt((double)g.x * (double)g.x + (double)g.y * (double)g.y + (double)g.z * (double)g.z);
    double push = -(double)w->state.slot[SLOT_PRESSURE][4 * (size_t)slot] * (double)w->state.fluid.kernel.gauge *
                  (double)w->force_scale * (double)inverse_mass(w, slot);
    return pull_of > 0.0 ? (float)(push / (pull_of * (double)d->spacing)) : 0.0f;
}

static void gather_range(void *arg, int64_t begin, int64_t end)
{
    pl_diffuse *d = arg;
    for (int64_t i = begin; i < end; i++)
    {
        int32_t slot = d->list.sorted.value[i];
        const float *x = d->w->state.slot[SLOT_X] + 4 * (size_t)slot, *v = d->w->state.slot[SLOT_V] + 4 * (size_t)slot;
        d->fluid[i] = (diffuse_fluid){.x = {x[0], x[1], x[2]},
                                      .v = {v[0], v[1], v[2]},
                                      .number = d->w->number_of[slot],
                                      .depth = depth_of(d, slot)};
    }
}

pl_result diffuse_find_fluid(pl_diffuse *d)
{
    const pl_world *w = d->w;
    int32_t count = 0;
    d->spacing = 0.0f;
    pl_result result =
        pull(w, ARRAY_BIT(SLOT_X) | ARRAY_BIT(SLOT_V) | ARRAY_BIT(SLOT_COLLISION) | ARRAY_BIT(SLOT_PRESSURE));
    if (result == PL_OK)
        result = array_reserve(&d->m, &d->slot, &d->slot_capacity, w->numbers.end, sizeof *d->slot);
    for (int32_t n = 0; n < w->numbers.end && result == PL_OK; n++)
        if (is_taken(w, w->numbers.slot_of[n]))
            d->slot[count++] = w->numbers.slot_of[n];
    d->list.count = count;
    if (result != PL_OK || count == 0)
        return result;
    d->spacing = w->state.slot[SLOT_FLUID][4 * (size_t)d->slot[0]];
    d->reach = DIFFUSE_REACH * d->spacing;
    neighbour_query q = {.x = w->state.slot[SLOT_X],
                         .collision = w->state.slot[SLOT_COLLISION],
                         .slot = d->slot,
                         .count = count,
                         .reach = 0.5f * d->reach};
    result = neighbours_sort(&d->list, &d->m, &q, &d->threads);
    if (result == PL_OK)
        result = array_reserve(&d->m, &d->fluid, &d->fluid_capacity, count, sizeof *d->fluid);
    if (result == PL_OK)
        parallel_for(&d->threads, gather_range, d, count, GRAIN);
    return result;
}

diffuse_rows diffuse_rows_near(const pl_diffuse *d, const float x[3])
{
    const neighbour_list *l = &d->list;
    const double inverse = 1.0 / (double)l->cell;
    diffuse_rows r = {.count = 0};
    int64_t cell[3], most[3];
    for (int c = 0; c < 3 && d->spacing > 0.0f; c++)
    {
        int32_t at = cell_at(x[c], inverse);
        cell[c] = (int64_t)at - l->low[c], most[c] = ((int64_t)1 << l->bits[c]) - 1;
        if (at == CELL_MOST || cell[c] < -1 || cell[c] > most[c] + 1)
            return r;
    }
    for (int k = 0; k < 9 && d->spacing > 0.0f; k++)
    {
        int64_t y = cell[1] + k % 3 - 1, z = cell[2] + k / 3 - 1;
        if (y < 0 || y > most[1] || z < 0 || z > most[2])
            continue;
        int32_t first[3] = {(int32_t)(cell[0] > 0 ? cell[0] - 1 : 0), (int32_t)y, (int32_t)z}, last[3];
        last[0] = (int32_t)(cell[0] < most[0] ? cell[0] + 1 : most[0]), last[1] = first[1], last[2] = first[2];
        const uint64_t *key = l->sorted.key;
        int32_t from = first_key(key, 0, l->count, key_of_cell(first, l->bits)), to = from;
        for (uint64_t end = key_of_cell(last, l->bits); to < l->count && key[to] <= end;)
            to++;
        r.from[r.count] = from, r.to[r.count] = to;
        r.count += to > from;
    }
    return r;
}

// ---- potentials ----------------------------------------------------------------------------------------------------

// The direction out of the fluid: away from its neighbours.
static void find_normals(void *arg, int64_t begin, int64_t end)
{
    pl_diffuse *d = arg;
    for (int64_t i = begin; i < end; i++)
    {
        diffuse_fluid *me = &d->fluid[i];
        diffuse_rows rows = diffuse_rows_near(d, me->x);
        vec sum = vec_of(0.0f, 0.0f, 0.0f);
        for (int k = 0; k < rows.count; k++)
            for (int32_t j = rows.from[k]; j < rows.to[k]; j++)
            {
                vec r = sub(diffuse_vec(me->x), diffuse_vec(d->fluid[j].x));
                float far = root(square(r));
                if (far < d->reach && far > 0.0f)
                    sum = add(sum, times((1.0f - far / d->reach) / far, r));
            }
        float size = root(square(sum));
        diffuse_put(me->normal, size > NORMAL_LEAST ? times(1.0f / size, sum) : vec_of(0.0f, 0.0f, 0.0f));
    }
}

static float potential(float value, const float limit[2])
{
    return clamp((value - limit[0]) / (limit[1] - limit[0]), 0.0f, 1.0f);
}

typedef struct diffuse_sums
{
    float air, crest;
} diffuse_sums;

static void add_neighbour(const pl_diffuse *d, const diffuse_fluid *me, const diffuse_fluid *you, diffuse_sums *sums)
{
    vec r = sub(diffuse_vec(me->x), diffuse_vec(you->x)), v = sub(diffuse_vec(me->v), diffuse_vec(you->v));
    float far = root(square(r)), fast = root(square(v));
    if (!(far < d->reach && far > 0.0f))
        return;
    float weight = 1.0f - far / d->reach;
    if (fast > 0.0f)
        sums->air += weight * (fast - dot(v, r) / far);
    vec n = diffuse_vec(me->normal);
    if (dot(r, n) > 0.0f && square(diffuse_vec(you->normal)) > 0.0f)
        sums->crest += weight * (1.0f - dot(n, diffuse_vec(you->normal)));
}

static void find_rates(void *arg, int64_t begin, int64_t end)
{
    pl_diffuse *d = arg;
    const pl_diffuse_def *def = &d->def;
    const float energy[2] = {def->speed[0] * def->speed[0], def->speed[1] * def->speed[1]};
    for (int64_t i = begin; i < end; i++)
    {
        diffuse_fluid *me = &d->fluid[i];
        diffuse_sums sums = {0.0f, 0.0f};
        vec v = diffuse_vec(me->v), n = diffuse_vec(me->normal);
        float moves = potential(square(v), energy);
        me->rate = 0.0f;
        if (moves == 0.0f)
            continue;
        diffuse_rows rows = diffuse_rows_near(d, me->x);
        for (int k = 0; k < rows.count; k++)
            for (int32_t j = rows.from[k]; j < rows.to[k]; j++)
                add_neighbour(d, me, &d->fluid[j], &sums);
        bool out = square(n) > 0.0f && dot(v, n) > CREST_FORWARD * root(square(v));
        me->rate = moves * (def->trapped_air * potential(sums.air, def->air_speed) +
                            (out ? def->wave_crest * potential(sums.crest, def->crest_curvature) : 0.0f));
    }
}

void diffuse_find_rates(pl_diffuse *d)
{
    parallel_for(&d->threads, find_normals, d, d->list.count, GRAIN);
    parallel_for(&d->threads, find_rates, d, d->list.count, GRAIN);
}
