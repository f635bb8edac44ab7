// penetration.c: measures how deep particles penetrate each other and shapes at their present positions.
//
// Where the contact lists are valid, they say what to measure. After an edit, a tear or a load there are none until the
// next step: then the particles are searched, and the kept multipliers say what pressed.
#include "layout/compile.h"
#include "model/world.h"
#include "neighbours/contact/contacts.h"
#include "neighbours/contact/oriented_overlap.h"
#include "neighbours/surface/surfaces.h"
#include "query/penetration.h"
#include "query/rigid_contacts.h"

#include <math.h>

typedef struct depth
{
    double sum, most;
    int64_t count;
    deepest_overlap deepest; // its particles are slots
} depth;

// b: a slot, or -1 - the number of a shape.
static void add_depth(depth *d, double overlap, double radius, int32_t a, int32_t b)
{
    if (overlap <= 0.0)
        return;
    double relative = radius > 0.0 ? overlap / radius : overlap;
    d->sum += relative;
    if (relative > d->most)
    {
        d->most = relative;
        d->deepest = (deepest_overlap){overlap, relative, a, b < 0 ? -1 : b, b < 0 ? -1 - b : -1, 0};
    }
    d->count++;
}

static void add_pair(const pl_world *w, depth *d, int32_t a, int32_t b, double reach)
{
    const float *x = w->state.slot[SLOT_X] + 4 * (size_t)a, *y = w->state.slot[SLOT_X] + 4 * (size_t)b;
    double dx = (double)x[0] - y[0], dy = (double)x[1] - y[1], dz = (double)x[2] - y[2];
    double overlap = reach - sqrt(dx * dx + dy * dy + dz * dz);
    if (overlap > 0.0 && (has_orientation(w, a) || has_orientation(w, b)))
    {
        meeting_now m = meet_now(w, a, b);
        reach = m.reach, overlap = m.overlap;
    }
    add_depth(d, overlap, 0.5 * reach, a, b);
}

static void add_shape_contact(const pl_world *w, depth *d, int32_t slot, int32_t shape, const solid *solid,
                              const placement *p)
{
    const float *x = w->state.slot[SLOT_X] + 4 * (size_t)slot;
    float radius = w->state.slot[SLOT_COLLISION][4 * (size_t)slot];
    vec at = into_frame(p, vec_of(x[0], x[1], x[2]));
    surface_distance f = probe_solid(w->state.shape_data, solid, at, radius);
    vec n = rotated(p, f.normal);
    if (has_orientation(w, slot))
        radius = reach_towards(w, slot, (pl_vec3){n.x, n.y, n.z}).far;
    add_depth(d, (double)radius - (double)f.distance, (double)radius, slot, -1 - shape);
}

// ---- by the lists --------------------------------------------------------------------------------------------------

static void read_pairs(const pl_world *w, depth *d, int64_t *pressing)
{
    const contacts *t = &w->contacts;
    const neighbour_list *g = &t->neighbours;
    for (int64_t p = 0; p < g->pairs; p++)
    {
        add_pair(w, d, g->sorted.value[g->owner[p]], g->sorted.value[g->neighbour[p]],
                 (double)w->state.pairs.reach[t->row[p]]);
        *pressing += w->state.pairs.lambda[0][t->row[p]] != 0.0f;
    }
}

static void read_shape_contacts(const pl_world *w, depth *d, int64_t *pressing)
{
    const contacts *t = &w->contacts;
    for (int32_t slot = 0; t->shape_contacts && slot < w->state.particles; slot++)
        for (int32_t i = t->near_first[slot]; i < t->near_first[slot + 1]; i++)
        {
            // Uses the placement of the shapes at the end of the last substep.
            const placement *p =
                w->state.placements + ((size_t)t->near_shape[i] + 1) * (size_t)w->state.placement_step - 1;
            if (w->state.shape_contacts.part[t->near_row[i]] == 0)
                add_shape_contact(w, d, slot, t->near_shape[i], &w->state.solids[t->near_shape[i]], p);
            *pressing += w->state.shape_contacts.lambda[0][t->near_row[i]] != 0.0f;
        }
}

// ---- without lists -------------------------------------------------------------------------------------------------

static pl_result search_pairs(pl_world *w, depth *d)
{
    parallel threads = cpu_parallel(&w->cpu);
    const float *collision = w->state.slot[SLOT_COLLISION];
    neighbour_query q = pairs_query(w, w->state.slot[SLOT_X], 0.0f);
    neighbour_list g = {0};
    pl_result r = q.count ? neighbours_build(&g, &w->memory, &q, &threads) : PL_OK;
    for (int64_t p = 0; r == PL_OK && p < g.pairs; p++)
    {
        int32_t a = g.sorted.value[g.owner[p]], b = g.sorted.value[g.neighbour[p]];
        add_pair(w, d, a, b, (double)collision[4 * (size_t)a] + (double)collision[4 * (size_t)b]);
    }
    neighbours_free(&g, &w->memory);
    return r;
}

static void search_shapes(const pl_world *w, depth *d)
{
    for (int32_t i = 0; i < w->contacts.shape_count; i++)
    {
        placement now;
        solid solid = shape_solid(w, i, &now);
        for (int32_t slot = 0; slot < w->state.particles; slot++)
            if (w->number_of[slot] >= 0 && inverse_mass(w, slot) != 0.0f &&
                phase_of(w->state.slot[SLOT_COLLISION], slot) >> PHASE_MASK_AT & (uint32_t)solid.mask)
                add_shape_contact(w, d, slot, i, &solid, &now);
    }
}

static int64_t kept_pressing(const pl_world *w)
{
    const contacts *t = &w->contacts;
    int64_t pressing = 0;
    for (int64_t i = 0; i < t->kept.count; i++)
        pressing += t->kept.items[i].lambda[0] != 0.0f;
    for (int64_t i = 0; i < t->kept_shape_contacts.count; i++)
    {
        const kept *k = &t->kept_shape_contacts.items[i];
        pressing += k->lambda[0] != 0.0f && !shape_contact_key_normal(k->b);
    }
    return pressing;
}

// ---- all -----------------------------------------------------------------------------------------------------------

static pl_result measure_surfaces(pl_world *w, pl_penetration *p)
{
    const surfaces *k = &w->surfaces;
    for (int64_t i = 0; k->listed && i < k->pairs.count; i++)
        p->contacts += w->state.surfaces.lambda[0][k->row[i]] != 0.0f;
    p->contacts += k->listed ? 0 : k->kept.count;
    p->candidates += k->listed ? k->pairs.count : 0;
    return surface_crossings(w, &p->crossings);
}

static pl_result measure_rigids(const pl_world *w, pl_penetration *p)
{
    rigid_depth d;
    pl_result result = rigid_depth_measure(w, &d);
    p->rigid_contacts = d.contacts;
    p->rigid_depth = d.most;
    return result;
}

static pl_result measure(pl_world *w, depth *d, pl_penetration *p)
{
    const contacts *t = &w->contacts;
    bool current = t->listed && !w->surfaces.stale && !w->particles_stale;
    pl_result r = current ? PL_OK : compile(w);
    if (r == PL_OK)
        r = pull(w, ARRAY_BIT(ARRAY_CONTACTS) | ARRAY_BIT(ARRAY_CLUSTERS) | ARRAY_BIT(SLOT_X) |
                        ARRAY_BIT(SLOT_COLLISION) | ARRAY_BIT(SLOT_REST));
    if (r == PL_OK)
        r = measure_surfaces(w, p);
    if (r == PL_OK)
        r = measure_rigids(w, p);
    if (r == PL_OK && t->listed)
    {
        read_pairs(w, d, &p->contacts);
        read_shape_contacts(w, d, &p->contacts);
        p->candidates += t->neighbours.pairs + t->shape_contacts;
    }
    else if (r == PL_OK)
    {
        p->contacts += kept_pressing(w);
        search_shapes(w, d);
        r = search_pairs(w, d);
    }
    return r;
}

pl_penetration pl_world_penetration(const pl_world *w)
{
    depth d = {0};
    pl_penetration p = {0};
    // Brings up to date what the next step would, and boxes of surfaces; neither is visible outside.
    if (!w || measure((pl_world *)w, &d, &p) != PL_OK)
        return (pl_penetration){0};
    p.mean = d.count ? d.sum / (double)d.count : 0.0;
    p.max = d.most;
    p.measured = true;
    return p;
}

bool penetration_deepest(const pl_world *w, deepest_overlap *out)
{
    depth d = {.deepest = {0.0, 0.0, -1, -1, -1, 0}};
    pl_penetration p = {0};
    bool measured = measure((pl_world *)w, &d, &p) == PL_OK;
    *out = d.deepest;
    for (int i = 0; i < 2; i++)
    {
        int *particle = i ? &out->b : &out->a;
        *particle = *particle < 0 ? -1 : w->number_of[*particle];
    }
    out->crossings = p.crossings;
    return measured && (d.count > 0 || p.crossings > 0);
}
