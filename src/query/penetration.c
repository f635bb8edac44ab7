// penetration.c: measures how deep particles penetrate each other and shapes at their present positions.
#include "model/world.h"
#include "neighbours/contact/oriented_overlap.h"
#include "neighbours/surface/surfaces.h"

#include <math.h>

typedef struct depth
{
    double sum, most;
    int64_t count;
} depth;

static void add_depth(depth *d, double overlap, double radius)
{
    if (overlap <= 0.0)
        return;
    double relative = radius > 0.0 ? overlap / radius : overlap;
    d->sum += relative;
    d->most = relative > d->most ? relative : d->most;
    d->count++;
}

static void add_pairs(const pl_world *w, depth *d, int64_t *pressing)
{
    const contacts *t = &w->contacts;
    const neighbour_list *g = &t->neighbours;
    for (int64_t p = 0; p < g->pairs; p++)
    {
        int32_t a = g->sorted.value[g->owner[p]], b = g->sorted.value[g->neighbour[p]];
        const float *x = w->state.slot[SLOT_X] + 4 * (size_t)a, *y = w->state.slot[SLOT_X] + 4 * (size_t)b;
        double dx = (double)x[0] - y[0], dy = (double)x[1] - y[1], dz = (double)x[2] - y[2];
        double reach = w->state.pairs.reach[t->place[p]], overlap = reach - sqrt(dx * dx + dy * dy + dz * dz);
        if (overlap > 0.0 && (turns_itself(w, a) || turns_itself(w, b)))
        {
            meeting_now m = meet_now(w, a, b);
            reach = m.reach, overlap = m.overlap;
        }
        add_depth(d, overlap, 0.5 * reach);
        *pressing += w->state.pairs.lambda[0][t->place[p]] != 0.0f;
    }
}

static void add_shape_contacts(const pl_world *w, depth *d, int64_t *pressing)
{
    const contacts *t = &w->contacts;
    for (int32_t slot = 0; t->shape_contacts && slot < w->state.particles; slot++)
        for (int32_t i = t->near_first[slot]; i < t->near_first[slot + 1]; i++)
        {
            const float *x = w->state.slot[SLOT_X] + 4 * (size_t)slot;
            // Uses the placement of the shapes at the end of the last substep.
            const placement *p =
                w->state.placements + ((size_t)t->near_shape[i] + 1) * (size_t)w->state.placement_step - 1;
            float radius = w->state.slot[SLOT_COLLISION][4 * (size_t)slot];
            vec at = into_frame(p, vec_of(x[0], x[1], x[2]));
            surface f = probe_solid(w->state.shape_data, &w->state.solids[t->near_shape[i]], at, radius);
            float far = f.distance;
            vec n = turned(p, f.normal);
            if (turns_itself(w, slot))
                radius = reach_towards(w, slot, (pl_vec3){n.x, n.y, n.z}).far;
            if (w->state.shape_contacts.part[t->near_place[i]] == 0)
                add_depth(d, (double)radius - (double)far, (double)radius);
            *pressing += w->state.shape_contacts.lambda[0][t->near_place[i]] != 0.0f;
        }
}

static void add_surface(const pl_world *w, pl_penetration *p)
{
    const surfaces *k = &w->surfaces;
    p->crossings = surface_crossings((pl_world *)w); // rebuilds bounding boxes, which is not visible outside
    for (int64_t i = 0; k->listed && i < k->pairs.count; i++)
        p->contacts += w->state.surfaces.lambda[0][k->place[i]] != 0.0f;
    p->candidates += k->listed ? k->pairs.count : 0;
}

pl_penetration pl_world_penetration(const pl_world *w)
{
    depth d = {0};
    pl_penetration p = {0};
    if (!w || pull(w, ARRAY_BIT(ARRAY_CONTACTS) | ARRAY_BIT(ARRAY_CLUSTERS) | ARRAY_BIT(SLOT_X) |
                          ARRAY_BIT(SLOT_COLLISION)) != PL_OK)
        return p;
    add_surface(w, &p);
    if (!w->contacts.listed)
        return p;
    const contacts *t = &w->contacts;
    add_pairs(w, &d, &p.contacts);
    add_shape_contacts(w, &d, &p.contacts);
    p.mean = d.count ? d.sum / (double)d.count : 0.0;
    p.max = d.most;
    p.candidates += t->neighbours.pairs + t->shape_contacts;
    return p;
}
