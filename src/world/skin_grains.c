// skin_grains.c: particles that are of no skin against the triangles of skins.
//
// A grain is a vertex without a triangle: it is listed with the triangles that it may meet until the horizon and visited like any
// vertex (constraints/skin.h), within its radius and half the thickness. So a cloth catches what is smaller than its meshes.
//
// Grains in a pile leave their straight paths all the time, and most are far from any skin. So each may be off its path by as
// many leeways as lie between it and the box of all skins, and one more; only those that may meet that box are looked at.
#include "world/skin_hunt.h"

#include <string.h>

enum
{
    GRAINS = 256, // that one hand takes at a time
};

#define HORIZON_OF 4.0f // radii or thicknesses that the fastest goes

typedef struct flock
{
    hunt q; // its rule's `near` is the grains'
    skin_box all;
    float leeway;
} flock;

static float near_of(const pl_world *w)
{
    float touch = w->contacts.radius + 0.5f * w->skin.thickness, thick = w->skin.thickness;
    return (touch > thick ? touch : thick) + w->skin.margin;
}

static flock flock_of(pl_world *w)
{
    const skin *k = &w->skin;
    float *const *slot = w->state.slot;
    near_rule rule = {slot[SLOT_SKIN], slot[SLOT_SKIN_V], slot[SLOT_REST], slot[SLOT_GRAIN], near_of(w), k->horizon};
    flock f = {.q = {w, &w->skin, rule, slot[SLOT_X], false}, .leeway = skin_leeway(k)};
    box_open(&f.all);
    for (int32_t i = 0; i < k->vertices; i++)
    {
        skin_box one = box_of(&f.q, k->vertex[i]);
        box_join(&f.all, &one);
    }
    return f;
}

// How far a grain stays from the box of all skins until the horizon, along some axis.
static float clear_of(const flock *f, int32_t slot)
{
    const four zero = {0};
    float horizon = f->q.rule.horizon, most = -1e30f;
    skin_box own = box_of(&f->q, slot);
    const skin_box *all = &f->all;
    four up = all->low - own.high - horizon * greater(own.fast - all->slow, zero);
    four down = own.low - all->high - horizon * greater(all->fast - own.slow, zero);
    for (int c = 0; c < 3; c++)
    {
        float far = up[c] > down[c] ? up[c] : down[c];
        most = far > most ? far : most;
    }
    return most;
}

// The greatest speed of a grain that may meet a skin, as the skins' box sees it.
static float greatest_rush(const flock *f)
{
    const contacts *t = &f->q.w->contacts;
    float most = 0.0f;
    for (int32_t i = 0; i < t->colliders; i++)
    {
        if (clear_of(f, t->collider[i]) > f->q.rule.near)
            continue;
        four v = four_at(f->q.rule.v + 4 * (size_t)t->collider[i]);
        four d = greater(v - f->all.slow, f->all.fast - v);
        float square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        most = square > most ? square : most;
    }
    return __builtin_sqrtf(most);
}

static void mark_some(void *arg, int64_t begin, int64_t end)
{
    const flock *f = arg;
    const contacts *t = &f->q.w->contacts;
    for (int64_t i = begin; i < end; i++)
    {
        float spare = (clear_of(f, t->collider[i]) - f->q.rule.near) / f->leeway;
        f->q.w->state.slot[SLOT_SKIN][4 * (size_t)t->collider[i] + 3] = spare > 0.0f ? 1.0f + spare : 1.0f;
    }
}

void skin_mark_grains(pl_world *w, const crew *hands)
{
    const contacts *t = &w->contacts;
    skin *k = &w->skin;
    state *s = &w->state;
    if (!t->colliders)
        return;
    for (int32_t i = 0; i < t->colliders; i++)
    {
        size_t at = 4 * (size_t)t->collider[i];
        memcpy(s->slot[SLOT_SKIN] + at, s->slot[SLOT_X] + at, 12);
        memcpy(s->slot[SLOT_SKIN_V] + at, s->slot[SLOT_V] + at, 12);
    }
    flock f = flock_of(w);
    float rush = greatest_rush(&f), wide = t->radius > k->thickness ? t->radius : k->thickness;
    float horizon = rush > 0.0f ? HORIZON_OF * wide / rush : k->horizon;
    horizon = horizon < s->h ? s->h : horizon;
    k->horizon = f.q.rule.horizon = horizon < k->horizon ? horizon : k->horizon;
    crew_run(hands, mark_some, &f, t->colliders, GRAINS);
}

pl_result skin_list_grains(pl_world *w)
{
    const contacts *t = &w->contacts;
    skin *k = &w->skin;
    pl_result r = array_reserve(&w->memory, &k->grain, &k->grain_capacity, t->colliders, sizeof *k->grain);
    k->grains = 0;
    for (int32_t i = 0; r == PL_OK && i < t->colliders; i++)
        if (w->state.slot[SLOT_SKIN][4 * (size_t)t->collider[i] + 3] == 1.0f)
            k->grain[k->grains++] = t->collider[i];
    return r;
}

// ---- the search ----------------------------------------------------------------------------------------------------

int64_t skin_grain_parts(const skin *k) { return (k->grains + GRAINS - 1) / GRAINS; }

static void try_grain(part *p, int32_t slot)
{
    const skin *k = p->q->k;
    skin_box own = box_of(p->q, slot);
    int32_t stack[BVH_DEPTH], top = 0;
    stack[top++] = 0;
    while (top)
    {
        int32_t at = stack[--top];
        const bvh_node *n = k->tree->node + at;
        if (!boxes_meet(p->q, &own, &k->node_box[at]))
            continue;
        if (n->count == 0)
        {
            stack[top++] = n->next;
            stack[top++] = at + 1;
            continue;
        }
        for (int32_t r = n->next; r < n->next + n->count; r++)
            if (skin_may_meet(p->q->w, slot, k->triangle[3 * (size_t)k->tree->id[r]]))
                try_vertex(p, slot, k->tree->id[r], &k->box[r]);
    }
}

void try_grains(void *arg, int64_t begin, int64_t end)
{
    const hunt *of = arg;
    skin *k = of->k;
    hunt q = *of;
    q.rule.near = near_of(q.w);
    for (int64_t number = begin; number < end; number++)
    {
        part p = {.q = &q, .number = of->parts + number};
        for (int64_t i = number * GRAINS; i < (number + 1) * GRAINS && i < k->grains; i++)
            try_grain(&p, k->grain[i]);
        look_at(&p, FIND_VERTICES);
        for (int i = 0; i < FINDS; i++)
            k->found[i].count[p.number] = p.count[i];
    }
}
