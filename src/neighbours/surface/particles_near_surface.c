// particles_near_surface.c: finds the free particles that may touch the triangles of collision surfaces.
//
// A free particle is treated as a vertex without a triangle: it is listed with the triangles that it may touch until
// the horizon and solved like any vertex (kernels/surface_contact.h). Its distance to keep is its radius plus half the
// thickness. So a cloth catches particles that are smaller than its triangles.
#include "model/world.h"
#include "neighbours/surface/particles_near_surface.h"
#include "neighbours/surface/surfaces.h"
#include "stages/surface_list_validity.h"

#include <string.h>

enum
{
    GRAINS = 4096, // particles that a thread processes at a time
};

typedef struct particle_search
{
    pl_world *w;
    free_particles f;
} particle_search;

static particle_search particle_search_of(pl_world *w)
{
    const surfaces *k = &w->surfaces;
    particle_search h = {w,
                         {.x = w->state.slot[SLOT_SURFACE], .v = w->state.slot[SLOT_SURFACE_V], .horizon = k->horizon}};
    h.f.near = particle_search_distance(w->contacts.radius, k->thickness, k->margin);
    h.f.leeway = surface_leeway(k->margin, k->thickness);
    box_open(&h.f.all);
    for (int32_t i = 0; i < k->vertices; i++)
    {
        four x = four_at(h.f.x + 4 * (size_t)k->vertex[i]), v = four_at(h.f.v + 4 * (size_t)k->vertex[i]);
        surface_box one = {x, x, v, v};
        box_join(&h.f.all, &one);
    }
    return h;
}

static void mark_some(void *arg, int64_t begin, int64_t end)
{
    const particle_search *h = arg;
    const contacts *t = &h->w->contacts;
    for (int64_t i = begin; i < end; i++)
        h->w->state.slot[SLOT_SURFACE][4 * (size_t)t->collider[i] + 3] = particle_leeway_count(&h->f, t->collider[i]);
}

void surface_mark_particles(pl_world *w, const parallel *threads)
{
    const contacts *t = &w->contacts;
    surfaces *k = &w->surfaces;
    state *s = &w->state;
    if (!t->colliders)
        return;
    for (int32_t i = 0; i < t->colliders; i++)
    {
        size_t at = 4 * (size_t)t->collider[i];
        memcpy(s->slot[SLOT_SURFACE] + at, s->slot[SLOT_X] + at, 12);
        memcpy(s->slot[SLOT_SURFACE_V] + at, s->slot[SLOT_V] + at, 12);
    }
    particle_search h = particle_search_of(w);
    float most = 0.0f, wide = t->radius > k->thickness ? t->radius : k->thickness;
    for (int32_t i = 0; i < t->colliders; i++)
    {
        float closing_speed = particles_closing_speed(&h.f, t->collider[i]);
        most = closing_speed > most ? closing_speed : most;
    }
    k->horizon = h.f.horizon = particles_horizon(most, wide, s->h, k->horizon);
    parallel_for(threads, mark_some, &h, t->colliders, GRAINS);
}

pl_result surface_list_particles(pl_world *w)
{
    const contacts *t = &w->contacts;
    surfaces *k = &w->surfaces;
    pl_result r = array_reserve(&w->memory, &k->particle, &k->particle_capacity, t->colliders, sizeof *k->particle);
    k->particles = 0;
    for (int32_t i = 0; r == PL_OK && i < t->colliders; i++)
        if (w->state.slot[SLOT_SURFACE][4 * (size_t)t->collider[i] + 3] == 1.0f)
            k->particle[k->particles++] = t->collider[i];
    return r;
}
