// contact_forces.c: measures the force of each contact over the substeps of a frame, for events.c.
#include "model/world.h"
#include "neighbours/contact/events.h"
#include "neighbours/contact/oriented_overlap.h"
#include "neighbours/surface/surfaces.h"

#include <string.h>

// ---- sources of contacts -------------------------------------------------------------------------------------------

static int64_t pair_count(const pl_world *w) { return w->contacts.listed ? w->contacts.neighbours.pairs : 0; }

// Replaces normal, point and push of a reading where one of the particles is oriented.
static void meet_as_ellipsoids(const pl_world *w, size_t row, int32_t a, int32_t b, reading *r)
{
    meeting_now m = meet_now(w, a, b);
    memcpy(r->normal, &m.normal, sizeof r->normal);
    memcpy(r->point, &m.point, sizeof r->point);
    for (int k = 0; k < 3; k++)
        r->push[k] = r->lambda * r->normal[k] + w->state.pairs.lambda[1 + k][row];
}

static reading read_pair(const pl_world *w, int64_t i)
{
    const contacts *t = &w->contacts;
    const packed_pairs *p = &w->state.pairs;
    const neighbour_list *g = &t->neighbours;
    size_t row = (size_t)t->row[i], a = 4 * (size_t)g->sorted.value[g->owner[i]],
           b = 4 * (size_t)g->sorted.value[g->neighbour[i]];
    reading r = {.lambda = pressed_with(p->lambda[0][row]), .other = -1};
    if (r.lambda == 0.0f)
        return r;
    const float *x = w->state.slot[SLOT_X] + a, *y = w->state.slot[SLOT_X] + b,
                *collision = w->state.slot[SLOT_COLLISION];
    float d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
    float len = __builtin_sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    float middle = 0.5f * ((collision[a] - collision[b]) + len); // distance from x to the middle of the overlap lens
    for (int k = 0; k < 3; k++)
    {
        r.normal[k] = len > 0.0f ? d[k] / len : k == 1 ? 1.0f : 0.0f;
        r.push[k] = r.lambda * r.normal[k] + p->lambda[1 + k][row];
        r.point[k] = x[k] - middle * r.normal[k];
    }
    if (has_orientation(w, (int32_t)(a / 4)) || has_orientation(w, (int32_t)(b / 4)))
        meet_as_ellipsoids(w, row, (int32_t)(a / 4), (int32_t)(b / 4), &r);
    return r;
}

static contact_name name_pair(const pl_world *w, int64_t i)
{
    const neighbour_list *g = &w->contacts.neighbours;
    return (contact_name){PL_CONTACT_PARTICLES, w->number_of[g->sorted.value[g->owner[i]]],
                          w->number_of[g->sorted.value[g->neighbour[i]]]};
}

static int64_t shape_contact_count(const pl_world *w) { return w->contacts.listed ? w->contacts.shape_contacts : 0; }

// A particle may have several contacts with one shape (planes of a mesh), which follow each other in the list. The
// first reports the sum of all.
static void add_parts(const pl_world *w, int64_t i, reading *r)
{
    const contacts *t = &w->contacts;
    const packed_shape_contacts *p = &w->state.shape_contacts;
    float whole[3];
    for (int k = 0; k < 3; k++)
        whole[k] = r->lambda * r->normal[k];
    while (++i < t->shape_contacts && p->part[t->near_row[i]] > 0)
        for (int k = 0; k < 3; k++)
        {
            float part = pressed_with(p->lambda[0][t->near_row[i]]) * p->plane[k][t->near_row[i]];
            whole[k] += part;
            r->push[k] += part + p->lambda[1 + k][t->near_row[i]];
        }
    r->lambda = __builtin_sqrtf(whole[0] * whole[0] + whole[1] * whole[1] + whole[2] * whole[2]);
    for (int k = 0; k < 3; k++)
        r->normal[k] = r->lambda > 0.0f ? whole[k] / r->lambda : r->normal[k];
}

static reading read_shape_contact(const pl_world *w, int64_t i)
{
    const packed_shape_contacts *p = &w->state.shape_contacts;
    size_t row = (size_t)w->contacts.near_row[i], slot = p->index[row];
    reading r = {.other = -1};
    if (p->part[row] > 0)
        return r;
    r.lambda = pressed_with(p->lambda[0][row]);
    for (int k = 0; k < 3; k++)
    {
        r.normal[k] = p->plane[k][row];
        r.push[k] = r.lambda * r.normal[k] + p->lambda[1 + k][row];
    }
    if (solid_parts(&w->state.solids[p->shape[row]]) > 1)
        add_parts(w, i, &r);
    for (int k = 0; k < 3; k++)
        r.point[k] = w->state.slot[SLOT_X][slot + (size_t)k] - w->state.slot[SLOT_COLLISION][slot] * r.normal[k];
    if (has_orientation(w, (int32_t)(slot / 4)))
    {
        pl_vec3 tip = reach_towards(w, (int32_t)(slot / 4), (pl_vec3){r.normal[0], r.normal[1], r.normal[2]}).tip;
        const float *x = w->state.slot[SLOT_X] + slot;
        r.point[0] = x[0] - tip.x, r.point[1] = x[1] - tip.y, r.point[2] = x[2] - tip.z;
    }
    return r;
}

static contact_name name_shape_contact(const pl_world *w, int64_t i)
{
    const contacts *t = &w->contacts;
    int32_t slot = (int32_t)(w->state.shape_contacts.index[t->near_row[i]] / 4);
    return (contact_name){PL_CONTACT_SHAPE, w->number_of[slot], (int32_t)t->shapes[t->near_shape[i]].id_entry};
}

static const press_source pair_presses = {NULL, pair_count, read_pair, name_pair};
static const press_source shape_contact_presses = {NULL, shape_contact_count, read_shape_contact, name_shape_contact};
static const press_source *const sources[PARTICLE_CONTACT_KINDS] = {&pair_presses, &shape_contact_presses,
                                                                    &surface_presses};

// ---- recording substeps --------------------------------------------------------------------------------------------

typedef struct noting
{
    const pl_world *w;
    const press_source *from;
    press *to;
    float scale, h;
} noting;

// Adds the readings of this substep to the loads: impulses are summed, the strongest substep gives the rest.
static void note_some(void *arg, int64_t begin, int64_t end)
{
    const noting *n = arg;
    for (int64_t i = begin; i < end; i++)
    {
        reading r = n->from->read(n->w, i);
        if (r.lambda == 0.0f)
            continue;
        press *p = &n->to[i];
        bool stronger = n->scale * r.lambda > p->most;
        for (int k = 0; k < 3; k++)
        {
            float force = n->scale * r.push[k];
            p->impulse[k] += n->h * force;
            if (stronger)
                p->force[k] = force, p->normal[k] = r.normal[k], p->point[k] = r.point[k];
        }
        p->other = stronger ? r.other : p->other;
        p->most = stronger ? n->scale * r.lambda : p->most;
    }
}

// Does the user watch contacts of this kind? A watch for one shape excludes all other kinds.
static bool watches(const events *e, int kind)
{
    const pl_watch_def *d = &e->watch;
    const bool wanted[PARTICLE_CONTACT_KINDS] = {d->particles, d->shapes, d->surfaces};
    return wanted[kind] && (kind == PL_CONTACT_SHAPE || !d->shape.index);
}

// Clears the loads and sizes them for the current lists.
static pl_result open_lists(pl_world *w)
{
    events *e = &w->events;
    for (int kind = 0; kind < PARTICLE_CONTACT_KINDS; kind++)
    {
        pl_result result = watches(e, kind) && sources[kind]->open ? sources[kind]->open(w) : PL_OK;
        int64_t count = watches(e, kind) && result == PL_OK ? sources[kind]->count(w) : 0;
        if (result == PL_OK)
            result = array_reserve(&w->memory, &e->lasting[kind], &e->lasting_capacity[kind], count, sizeof(press));
        if (result != PL_OK)
            return result;
        if (count)
            memset(e->lasting[kind], 0, (size_t)count * sizeof(press));
    }
    e->open = true;
    return PL_OK;
}

pl_result events_note(pl_world *w)
{
    events *e = &w->events;
    pl_result result = e->open ? PL_OK : open_lists(w);
    if (result == PL_OK)
        result = pull(w, ARRAY_BIT(SLOT_X) | ARRAY_BIT(ARRAY_MULTIPLIERS) |
                             (w->oriented.count ? ARRAY_BIT(ARRAY_CLUSTERS) : 0));
    if (result != PL_OK)
        return result;
    parallel threads = cpu_parallel(&w->cpu);
    for (int kind = 0; kind < PARTICLE_CONTACT_KINDS; kind++)
        if (watches(e, kind))
        {
            noting n = {w, sources[kind], e->lasting[kind], multiplier_force(w), w->state.h};
            parallel_for(&threads, note_some, &n, sources[kind]->count(w), 4096);
        }
    return PL_OK;
}

// ---- conversion to particle numbers --------------------------------------------------------------------------------

typedef struct filter
{
    int32_t object, shape; // index of the id; 0: any, -1: it was removed, so nothing passes
    uint32_t mask;
} filter;

static int32_t index_of(const pl_world *w, pl_id id, int type)
{
    const id_entry *t = &w->entries[id.index];
    return id.index && (t->generation != id.generation || t->type != type) ? -1 : (int32_t)id.index;
}

static filter filter_of(const pl_world *w)
{
    const pl_watch_def *d = &w->events.watch;
    return (filter){index_of(w, d->object, ID_OBJECT), index_of(w, d->shape, ID_SHAPE), (uint32_t)d->mask};
}

// Does the contact match the object, shape and mask of the watch?
static bool passes(const pl_world *w, const filter *f, const seen_contact *s)
{
    contact_name n = s->name;
    int32_t b = contact_has_two(n.kind) ? n.b : s->press.other;
    const float *collision = w->state.slot[SLOT_COLLISION];
    bool of_object = object_at(w, n.a) == f->object || (b >= 0 && object_at(w, b) == f->object) ||
                     (contact_has_object(n.kind) && n.b == f->object);
    if ((f->object && !of_object) || (f->shape && (!contact_has_shape(n.kind) || n.b != f->shape)))
        return false;
    if (contact_of_bodies(n.kind)) // their centres are on no channel
        return true;
    uint32_t channels = phase_of(collision, w->numbers.slot_of[n.a]) >> PHASE_MASK_AT;
    if (b >= 0)
        channels |= phase_of(collision, w->numbers.slot_of[b]) >> PHASE_MASK_AT;
    return channels & f->mask;
}

// Swaps the two particles of a contact, so that the one with the smaller number comes first.
static void swap_ends(seen_contact *s)
{
    int32_t a = s->name.a;
    s->name.a = s->name.b;
    s->name.b = a;
    for (int k = 0; k < 3; k++)
    {
        s->press.force[k] = -s->press.force[k];
        s->press.normal[k] = -s->press.normal[k];
        s->press.impulse[k] = -s->press.impulse[k];
    }
}

static pl_result flush_kind(pl_world *w, int kind, const filter *f)
{
    events *e = &w->events;
    int64_t count = sources[kind]->count(w), added = 0;
    for (int64_t i = 0; i < count; i++)
        added += e->lasting[kind][i].most > 0.0f;
    pl_result result = array_reserve(&w->memory, &e->seen, &e->seen_capacity, e->seen_count + added, sizeof *e->seen);
    for (int64_t i = 0; result == PL_OK && i < count; i++)
    {
        if (!(e->lasting[kind][i].most > 0.0f))
            continue;
        seen_contact s = {sources[kind]->name(w, i), e->lasting[kind][i]};
        s.press.other = s.press.other >= 0 ? w->number_of[s.press.other] : -1;
        if (!passes(w, f, &s))
            continue;
        if (kind == PL_CONTACT_PARTICLES && s.name.a > s.name.b)
            swap_ends(&s);
        e->seen[e->seen_count++] = s;
    }
    return result;
}

pl_result events_see(pl_world *w, const seen_contact *contact)
{
    events *e = &w->events;
    filter f = filter_of(w);
    seen_contact s = *contact;
    if (contact_has_two(s.name.kind) && s.name.a > s.name.b)
        swap_ends(&s);
    if (!passes(w, &f, &s))
        return PL_OK;
    pl_result result = array_reserve(&w->memory, &e->seen, &e->seen_capacity, e->seen_count + 1, sizeof *e->seen);
    if (result == PL_OK)
        e->seen[e->seen_count++] = s;
    return result;
}

pl_result events_flush(pl_world *w)
{
    events *e = &w->events;
    filter f = e->open ? filter_of(w) : (filter){0};
    pl_result result = PL_OK;
    for (int kind = 0; e->open && result == PL_OK && kind < PARTICLE_CONTACT_KINDS; kind++)
        if (watches(e, kind))
            result = flush_kind(w, kind, &f);
    e->open = false;
    return result;
}
