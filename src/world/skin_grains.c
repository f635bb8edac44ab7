// skin_grains.c: particles that are of no skin against the triangles of skins.
//
// A grain is a vertex without a triangle: it is listed with the triangles that it may meet until the horizon and visited like any
// vertex (constraints/skin.h), within its radius and half the thickness. So a cloth catches what is smaller than its meshes.
#include "collide/skin_flock.h"
#include "stages/skin_list.h"
#include "world/world.h"

#include <string.h>

enum
{
    GRAINS = 4096, // that one hand takes at a time
};

typedef struct herd
{
    pl_world *w;
    flock f;
} herd;

static herd herd_of(pl_world *w)
{
    const skin *k = &w->skin;
    herd h = {w, {.x = w->state.slot[SLOT_SKIN], .v = w->state.slot[SLOT_SKIN_V], .horizon = k->horizon}};
    h.f.near = flock_near(w->contacts.radius, k->thickness, k->margin);
    h.f.leeway = skin_leeway(k->margin, k->thickness);
    box_open(&h.f.all);
    for (int32_t i = 0; i < k->vertices; i++)
    {
        four x = four_at(h.f.x + 4 * (size_t)k->vertex[i]), v = four_at(h.f.v + 4 * (size_t)k->vertex[i]);
        skin_box one = {x, x, v, v};
        box_join(&h.f.all, &one);
    }
    return h;
}

static void mark_some(void *arg, int64_t begin, int64_t end)
{
    const herd *h = arg;
    const contacts *t = &h->w->contacts;
    for (int64_t i = begin; i < end; i++)
        h->w->state.slot[SLOT_SKIN][4 * (size_t)t->collider[i] + 3] = flock_leeways(&h->f, t->collider[i]);
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
    herd h = herd_of(w);
    float most = 0.0f, wide = t->radius > k->thickness ? t->radius : k->thickness;
    for (int32_t i = 0; i < t->colliders; i++)
    {
        float rush = flock_rush(&h.f, t->collider[i]);
        most = rush > most ? rush : most;
    }
    k->horizon = h.f.horizon = flock_horizon(most, wide, s->h, k->horizon);
    crew_run(hands, mark_some, &h, t->colliders, GRAINS);
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
