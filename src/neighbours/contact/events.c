// events.c: reports which contacts begin and end.
//
//   after each substep          events_note      records the load of every contact, by list position (contact_forces.c)
//   when the lists are renewed  events_flush     stores the loads so far by particle numbers
//   after the frame             events_publish   sorts by name, merges, and compares with the frame before
//
// A contact exists in a frame when its multiplier is not 0 at the end of one of its substeps. Its force is (lambda n +
// lambda_t)/h^2, its impulse the sum of the force times h over the substeps.
#include "model/world.h"
#include "neighbours/contact/events.h"

#include <string.h>

// ---- publishing a frame --------------------------------------------------------------------------------------------

static int compare_names(contact_name a, contact_name b)
{
    if (a.kind != b.kind)
        return a.kind < b.kind ? -1 : 1;
    if (a.a != b.a)
        return a.a < b.a ? -1 : 1;
    return a.b < b.b ? -1 : a.b > b.b;
}

static pl_result sort_seen(pl_world *w)
{
    events *e = &w->events;
    int64_t n = e->seen_count;
    pl_result r = sortable_reserve(&w->memory, &e->sorted, e->sorted_capacity, n);
    if (r != PL_OK)
        return r;
    enum
    {
        KIND_BITS = 3,
    };
    int a_bits = cell_bits(w->numbers.end), b_bits = cell_bits(w->entry_count);
    b_bits = a_bits > b_bits ? a_bits : b_bits;
    for (int64_t i = 0; i < n; i++)
    {
        contact_name s = e->seen[i].name;
        e->sorted.key[i] = ((uint64_t)s.kind << a_bits | (uint64_t)s.a) << b_bits | (uint64_t)s.b;
        e->sorted.value[i] = (int32_t)i;
    }
    parallel threads = cpu_parallel(&w->cpu);
    radix_sort(&e->sorted, n, n ? a_bits + b_bits + KIND_BITS : 0, &threads);
    return PL_OK;
}

static pl_vec3 vec3_of(const float *v) { return (pl_vec3){v[0], v[1], v[2]}; }

static uint64_t data_of(const pl_world *w, pl_id id)
{
    const id_entry *t = id.index ? &w->entries[id.index] : NULL;
    return t ? t->user[0] | (uint64_t)t->user[1] << 32 : 0;
}

// The ids of what touches. Those of bodies get their user data from the bodies (groups/rigid_events.c).
static void tell(pl_world *w, pl_contact_phase phase, contact_name n, const press *p)
{
    const pl_id none = {0, 0}, first = id_of_entry(w, object_at(w, n.a)),
                second = id_of_entry(w, contact_has_two(n.kind) ? object_at(w, n.b) : n.b);
    const bool bodies = contact_of_bodies(n.kind);
    w->events.reported[w->events.reported_count++] =
        (pl_contact_event){.phase = phase,
                           .kind = (pl_contact_kind)n.kind,
                           .a = n.a,
                           .b = contact_has_two(n.kind) ? n.b : p->other,
                           .shape = contact_has_shape(n.kind) ? second : none,
                           .object = contact_has_object(n.kind) ? second : none,
                           .force = vec3_of(p->force),
                           .impulse = vec3_of(p->impulse),
                           .point = vec3_of(p->point),
                           .normal = vec3_of(p->normal),
                           .normal_force = p->most,
                           .approach = p->approach,
                           .bodies = {bodies ? first : none, n.kind == PL_CONTACT_BODIES ? second : none},
                           .user_data = {data_of(w, first), data_of(w, second)}};
}

static void tell_end(pl_world *w, const held_contact *h)
{
    press p = {.other = h->other};
    memcpy(p.normal, h->normal, sizeof p.normal);
    memcpy(p.point, h->point, sizeof p.point);
    tell(w, PL_CONTACT_END, h->name, &p);
    w->events.counts.ended++;
}

static void hold_on(held_list *list, const seen_contact *s)
{
    held_contact *h = &list->items[list->count++];
    h->name = s->name;
    h->other = s->press.other;
    memcpy(h->normal, s->press.normal, sizeof h->normal);
    memcpy(h->point, s->press.point, sizeof h->point);
}

// A contact is flushed once for each list that it was in during the frame: the strongest load is kept, and impulses are
// added.
static seen_contact merge_from(const events *e, int64_t *at)
{
    seen_contact s = e->seen[e->sorted.value[*at]];
    while (++*at < e->seen_count && compare_names(e->seen[e->sorted.value[*at]].name, s.name) == 0)
    {
        const press *p = &e->seen[e->sorted.value[*at]].press;
        float impulse[3], approach = p->approach > s.press.approach ? p->approach : s.press.approach;
        for (int k = 0; k < 3; k++)
            impulse[k] = s.press.impulse[k] + p->impulse[k];
        if (p->most > s.press.most)
            s.press = *p;
        memcpy(s.press.impulse, impulse, sizeof impulse);
        s.press.approach = approach;
    }
    return s;
}

// Compares the contacts of this frame with those of the frame before, both sorted by name, and reports begin, stay and
// end.
static void hold_against(pl_world *w)
{
    events *e = &w->events;
    int64_t old = 0;
    for (int64_t at = 0; at < e->seen_count;)
    {
        seen_contact s = merge_from(e, &at);
        while (old < e->held.count && compare_names(e->held.items[old].name, s.name) < 0)
            tell_end(w, &e->held.items[old++]);
        bool stays = old < e->held.count && compare_names(e->held.items[old].name, s.name) == 0;
        old += stays;
        e->counts.begun += !stays;
        if (!stays || e->watch.stay)
            tell(w, stays ? PL_CONTACT_STAY : PL_CONTACT_BEGIN, s.name, &s.press);
        if (contact_of_bodies(s.name.kind) && s.press.approach > e->watch.hit_speed)
        {
            tell(w, PL_CONTACT_HIT, s.name, &s.press);
            e->counts.hits++;
        }
        hold_on(&e->next, &s);
    }
    while (old < e->held.count)
        tell_end(w, &e->held.items[old++]);
}

pl_result events_publish(pl_world *w)
{
    events *e = &w->events;
    if (!e->on)
        return PL_OK;
    pl_result result = events_flush(w);
    if (result == PL_OK)
        result = sort_seen(w);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &e->next.items, &e->next.capacity, e->seen_count, sizeof *e->next.items);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &e->reported, &e->reported_capacity, 2 * e->seen_count + e->held.count,
                               sizeof *e->reported);
    if (result != PL_OK)
        return result;
    e->counts.begun = e->counts.ended = e->counts.hits = e->reported_count = e->next.count = 0;
    hold_against(w);
    held_list last = e->held;
    e->held = e->next;
    e->next = last;
    e->seen_count = 0;
    e->counts.touching = e->held.count;
    e->counts.all_begun += e->counts.begun;
    e->counts.all_ended += e->counts.ended;
    e->counts.all_hits += e->counts.hits;
    return PL_OK;
}

void events_drop(pl_world *w)
{
    w->events.open = false;
    w->events.seen_count = w->events.reported_count = 0;
    w->events.counts.begun = w->events.counts.ended = w->events.counts.hits = 0;
}

static bool is_there(const pl_world *w, contact_name n)
{
    if (slot_of(w, n.a) < 0)
        return false;
    if (contact_has_two(n.kind))
        return slot_of(w, n.b) >= 0;
    int type = contact_has_shape(n.kind) ? ID_SHAPE : ID_OBJECT;
    return n.b > 0 && n.b < w->entry_count && w->entries[n.b].type == type;
}

void events_lost(pl_world *w)
{
    held_list *h = &w->events.held;
    int64_t left = 0;
    for (int64_t i = 0; i < h->count; i++)
        if (is_there(w, h->items[i].name))
        {
            h->items[left] = h->items[i];
            h->items[left].other = slot_of(w, h->items[i].other) >= 0 ? h->items[i].other : -1;
            left++;
        }
    h->count = w->events.counts.touching = left;
}

bool events_fit(const pl_world *w)
{
    const events *e = &w->events;
    int64_t where;
    for (int64_t i = 0; i < e->held.count; i++)
    {
        const held_contact *h = &e->held.items[i];
        if ((unsigned)h->name.kind >= PL_CONTACT_KIND_COUNT || !is_there(w, h->name) ||
            (h->other != -1 && (!contact_has_object(h->name.kind) || slot_of(w, h->other) < 0)) ||
            (i > 0 && compare_names(h[-1].name, h->name) >= 0) || !all_finite(h->normal, 6, &where))
            return false;
    }
    const uint32_t object = e->watch.object.index, shape = e->watch.shape.index;
    return e->watch.hit_speed >= 0.0f && (object == 0 || object < w->entry_count) &&
           (shape == 0 || shape < w->entry_count);
}

void events_free(pl_world *w)
{
    events *e = &w->events;
    memory *m = &w->memory;
    array_free(m, &e->held.items, &e->held.capacity, sizeof *e->held.items);
    array_free(m, &e->next.items, &e->next.capacity, sizeof *e->next.items);
    array_free(m, &e->reported, &e->reported_capacity, sizeof *e->reported);
    for (int kind = 0; kind < PARTICLE_CONTACT_KINDS; kind++)
        array_free(m, &e->lasting[kind], &e->lasting_capacity[kind], sizeof(press));
    array_free(m, &e->seen, &e->seen_capacity, sizeof *e->seen);
    sortable_free(m, &e->sorted, e->sorted_capacity);
    sortable_free(m, &e->marks.sorted, e->marks.sorted_capacity);
    array_free(m, &e->marks.start, &e->marks.start_capacity, sizeof(int32_t));
}

// ---- public functions ----------------------------------------------------------------------------------------------

pl_watch_def pl_default_watch_def(void)
{
    return (pl_watch_def){
        .particles = true, .shapes = true, .surfaces = true, .bodies = true, .mask = 255, .hit_speed = 1.0f};
}

pl_result pl_watch_contacts(pl_world *w, const pl_watch_def *def)
{
    NEED(w);
    events *e = &w->events;
    if (def && (def->mask < 0 || def->mask > 255))
        return fail(PL_ERROR_ARGUMENT, "watch contacts: mask is %d; it must be from 0 to 255", def->mask);
    if (def && !(def->hit_speed >= 0.0f))
        return fail(PL_ERROR_ARGUMENT, "watch contacts: hit_speed is %g m/s; it must be 0 or above",
                    (double)def->hit_speed);
    if (def && def->object.index && !id_find(w, def->object, ID_OBJECT, "watch contacts"))
        return PL_ERROR_ARGUMENT;
    if (def && def->shape.index && !id_find(w, def->shape, ID_SHAPE, "watch contacts"))
        return PL_ERROR_ARGUMENT;
    events_drop(w);
    e->on = def != NULL;
    e->watch = def ? *def : (pl_watch_def){0};
    e->held.count = 0;
    e->counts = (pl_contact_counts){0};
    return PL_OK;
}

bool events_need_substeps(const pl_world *w)
{
    const pl_watch_def *d = &w->events.watch;
    return w->events.on && has_contacts(w) && (d->particles || d->shapes || d->surfaces);
}

bool pl_world_watches(const pl_world *w) { return w && w->events.on; }

int pl_contact_events(const pl_world *w, pl_contact_event *out, int capacity)
{
    if (!w)
        return 0;
    int64_t count = w->events.reported_count, some = count < capacity ? count : capacity;
    if (out && some > 0)
        memcpy(out, w->events.reported, (size_t)some * sizeof *out);
    return (int)count;
}

pl_contact_counts pl_world_contact_counts(const pl_world *w) { return w ? w->events.counts : (pl_contact_counts){0}; }
