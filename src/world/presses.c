// presses.c: how hard each contact presses over the substeps of a frame, for events.c.
#include "world/world.h"

#include <string.h>

// ---- where contacts are read from: one line for each pl_contact_kind ------------------------------------------------

typedef struct source
{
    int64_t (*count)(const pl_world *w);
    // The normal multiplier of the i-th contact, with its tangential one, normal and point.
    float (*read)(const pl_world *w, int64_t i, float tangent[3], float normal[3], float point[3]);
    contact_name (*name)(const pl_world *w, int64_t i);
} source;

static int64_t pair_count(const pl_world *w) { return w->contacts.listed ? w->contacts.grid.pairs : 0; }

static float read_pair(const pl_world *w, int64_t i, float tangent[3], float normal[3], float point[3])
{
    const contacts *t = &w->contacts;
    const packed_pairs *p = &w->state.pairs;
    const grid *g = &t->grid;
    size_t row = (size_t)t->place[i], a = 4 * (size_t)g->sorted.value[g->one[i]],
           b = 4 * (size_t)g->sorted.value[g->other[i]];
    if (p->lambda[0][row] == 0.0f)
        return 0.0f;
    const float *x = w->state.slot[SLOT_X] + a, *y = w->state.slot[SLOT_X] + b, *grain = w->state.slot[SLOT_GRAIN];
    float d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
    float len = __builtin_sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    float middle = 0.5f * ((grain[a] - grain[b]) + len); // of the lens in which they overlap
    for (int k = 0; k < 3; k++)
    {
        normal[k] = len > 0.0f ? d[k] / len : k == 1 ? 1.0f : 0.0f;
        tangent[k] = p->lambda[1 + k][row];
        point[k] = x[k] - middle * normal[k];
    }
    return p->lambda[0][row];
}

static contact_name name_pair(const pl_world *w, int64_t i)
{
    const grid *g = &w->contacts.grid;
    return (contact_name){PL_CONTACT_PARTICLES, w->number_of[g->sorted.value[g->one[i]]],
                          w->number_of[g->sorted.value[g->other[i]]]};
}

static int64_t touch_count(const pl_world *w) { return w->contacts.listed ? w->contacts.touches : 0; }

// A shape may press with several parts (planes of a mesh), which lie one after the other: the first speaks for all.
static float add_parts(const pl_world *w, int64_t i, float tangent[3], float normal[3])
{
    const contacts *t = &w->contacts;
    const packed_touches *p = &w->state.touches;
    float whole[3], push[3];
    for (int k = 0; k < 3; k++)
    {
        whole[k] = p->lambda[0][t->near_place[i]] * normal[k];
        push[k] = whole[k] + tangent[k];
    }
    while (++i < t->touches && p->part[t->near_place[i]] > 0)
        for (int k = 0; k < 3; k++)
        {
            float part = p->lambda[0][t->near_place[i]] * p->plane[k][t->near_place[i]];
            whole[k] += part;
            push[k] += part + p->lambda[1 + k][t->near_place[i]];
        }
    float size = __builtin_sqrtf(whole[0] * whole[0] + whole[1] * whole[1] + whole[2] * whole[2]);
    for (int k = 0; k < 3; k++)
    {
        normal[k] = size > 0.0f ? whole[k] / size : normal[k];
        tangent[k] = push[k] - size * normal[k];
    }
    return size;
}

static float read_touch(const pl_world *w, int64_t i, float tangent[3], float normal[3], float point[3])
{
    const packed_touches *p = &w->state.touches;
    size_t row = (size_t)w->contacts.near_place[i], slot = p->index[row];
    float lambda = p->lambda[0][row];
    if (p->part[row] > 0)
        return 0.0f;
    for (int k = 0; k < 3; k++)
    {
        normal[k] = p->plane[k][row];
        tangent[k] = p->lambda[1 + k][row];
    }
    if (solid_parts(&w->state.solids[p->shape[row]]) > 1)
        lambda = add_parts(w, i, tangent, normal);
    for (int k = 0; k < 3; k++)
        point[k] = w->state.slot[SLOT_X][slot + (size_t)k] - w->state.slot[SLOT_GRAIN][slot] * normal[k];
    return lambda;
}

static contact_name name_touch(const pl_world *w, int64_t i)
{
    const contacts *t = &w->contacts;
    int32_t slot = (int32_t)(w->state.touches.index[t->near_place[i]] / 4);
    return (contact_name){PL_CONTACT_SHAPE, w->number_of[slot], (int32_t)t->shapes[t->near_shape[i]].thing};
}

static const source sources[PL_CONTACT_KIND_COUNT] = {
    {pair_count, read_pair, name_pair},
    {touch_count, read_touch, name_touch},
};

// ---- substep by substep --------------------------------------------------------------------------------------------

typedef struct noting
{
    const pl_world *w;
    const source *from;
    press *to;
    float scale, h;
} noting;

static void note_some(void *arg, int64_t begin, int64_t end)
{
    const noting *n = arg;
    for (int64_t i = begin; i < end; i++)
    {
        float tangent[3], normal[3], point[3], lambda = n->from->read(n->w, i, tangent, normal, point);
        if (lambda == 0.0f)
            continue;
        press *p = &n->to[i];
        bool stronger = n->scale * lambda > p->most;
        for (int k = 0; k < 3; k++)
        {
            float force = n->scale * (lambda * normal[k] + tangent[k]);
            p->impulse[k] += n->h * force;
            if (stronger)
                p->force[k] = force, p->normal[k] = normal[k], p->point[k] = point[k];
        }
        p->most = stronger ? n->scale * lambda : p->most;
    }
}

static bool watches(const events *e, int kind)
{
    return kind == PL_CONTACT_PARTICLES ? e->watch.particles && !e->watch.shape.index : e->watch.shapes;
}

static pl_result open_lists(pl_world *w)
{
    events *e = &w->events;
    for (int kind = 0; kind < PL_CONTACT_KIND_COUNT; kind++)
    {
        int64_t count = watches(e, kind) ? sources[kind].count(w) : 0;
        pl_result result =
            array_reserve(&w->memory, &e->lasting[kind], &e->lasting_capacity[kind], count, sizeof(press));
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
        result = pull(w, ARRAY_BIT(SLOT_X) | ARRAY_BIT(ARRAY_MULTIPLIERS));
    if (result != PL_OK)
        return result;
    crew hands = cpu_crew(&w->cpu);
    for (int kind = 0; kind < PL_CONTACT_KIND_COUNT; kind++)
        if (watches(e, kind))
        {
            noting n = {w, &sources[kind], e->lasting[kind], multiplier_force(w), w->state.h};
            crew_run(&hands, note_some, &n, sources[kind].count(w), 4096);
        }
    return PL_OK;
}

// ---- by particle numbers -------------------------------------------------------------------------------------------

typedef struct filter
{
    int32_t first, end; // particle numbers of the object
    int32_t shape;      // 0: any
    uint32_t mask;
} filter;

static filter filter_of(const pl_world *w)
{
    const pl_watch_def *d = &w->events.watch;
    filter f = {0, INT32_MAX, (int32_t)d->shape.index, (uint32_t)d->mask};
    if (d->object.index)
    {
        const thing *t = &w->things[d->object.index];
        bool there = t->generation == d->object.generation && t->type == THING_OBJECT;
        f.first = there ? t->first : 0;
        f.end = there ? t->first + t->count : 0;
    }
    if (d->shape.index && w->things[d->shape.index].generation != d->shape.generation)
        f.end = 0; // the shape is gone: nothing passes
    return f;
}

static bool passes(const pl_world *w, const filter *f, contact_name n)
{
    bool pair = n.kind == PL_CONTACT_PARTICLES;
    const float *grain = w->state.slot[SLOT_GRAIN];
    if (!((n.a >= f->first && n.a < f->end) || (pair && n.b >= f->first && n.b < f->end)))
        return false;
    if (!pair && f->shape && n.b != f->shape)
        return false;
    uint32_t channels = phase_of(grain, w->numbers.slot_of[n.a]) >> PHASE_MASK_AT;
    if (pair)
        channels |= phase_of(grain, w->numbers.slot_of[n.b]) >> PHASE_MASK_AT;
    return channels & f->mask;
}

// The partner with the smaller number comes first.
static void turn_round(seen_contact *s)
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
    int64_t count = sources[kind].count(w), touched = 0;
    for (int64_t i = 0; i < count; i++)
        touched += e->lasting[kind][i].most > 0.0f;
    pl_result result = array_reserve(&w->memory, &e->seen, &e->seen_capacity, e->seen_count + touched, sizeof *e->seen);
    for (int64_t i = 0; result == PL_OK && i < count; i++)
    {
        if (!(e->lasting[kind][i].most > 0.0f))
            continue;
        seen_contact s = {sources[kind].name(w, i), e->lasting[kind][i]};
        if (!passes(w, f, s.name))
            continue;
        if (kind == PL_CONTACT_PARTICLES && s.name.a > s.name.b)
            turn_round(&s);
        e->seen[e->seen_count++] = s;
    }
    return result;
}

pl_result events_flush(pl_world *w)
{
    events *e = &w->events;
    filter f = e->open ? filter_of(w) : (filter){0};
    pl_result result = PL_OK;
    for (int kind = 0; e->open && result == PL_OK && kind < PL_CONTACT_KIND_COUNT; kind++)
        if (watches(e, kind))
            result = flush_kind(w, kind, &f);
    e->open = false;
    return result;
}
