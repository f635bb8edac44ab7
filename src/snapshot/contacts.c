// contacts.c: saves and loads contacts: materials, shapes, multipliers with the data needed to rebuild the same lists,
// and the touching pairs of contact events. See snapshot.c.
#include "collide/geometry.h"
#include "neighbours/contact/contacts.h"
#include "neighbours/surface/surfaces.h"
#include "snapshot/snapshot.h"

// Saves or loads the user's arrays of a shape; the geometry built from them is rebuilt. When loading, they use the
// world's memory.
static void walk_shape_arrays(stream *s, pl_world *w, pl_shape_def *d)
{
    pl_shape_def read = *d;
    read.vertices = read.heights = NULL;
    read.triangles = NULL;
    stream_number32(s, &read.vertex_count, 0, INT32_MAX, "a shape's vertices");
    stream_number32(s, &read.triangle_count, 0, INT32_MAX, "a shape's triangles");
    stream_number32(s, &read.columns, 0, 1 << 24, "a shape's columns");
    stream_number32(s, &read.rows, 0, 1 << 24, "a shape's rows");
    stream_bytes(s, &read.spacing, sizeof read.spacing);
    stream_number64(s, &read.memory_limit, 0, INT64_MAX, "a shape's memory limit");
    size_t size = geometry_bytes(&read);
    if (s->saving)
    {
        stream_bytes(s, geometry_first(d), size);
        return;
    }
    if (s->result == PL_OK && size > s->size - s->at)
        stream_ends(s);
    if (s->result == PL_OK)
        s->result = geometry_take(&w->memory, &read);
    if (s->result != PL_OK)
        return;
    stream_bytes(s, geometry_first(&read), size);
    *d = read;
}

static void walk_shape(stream *s, pl_world *w, shape *p)
{
    pl_shape_def *d = &p->def;
    int32_t kind = (int32_t)d->kind, id_entry = (int32_t)p->id_entry;
    stream_number32(s, &kind, 0, PL_SHAPE_KIND_COUNT - 1, "a shape's kind");
    d->kind = (pl_shape_kind)kind;
    pl_vec3 *const vectors[] = {&d->position, &d->half, &d->velocity, &d->spin, &d->pivot, &d->belt};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        stream_bytes(s, vectors[i], sizeof(pl_vec3));
    stream_bytes(s, &d->rotation, sizeof d->rotation);
    stream_bytes(s, &d->radius, sizeof d->radius);
    stream_bytes(s, &d->length, sizeof d->length);
    stream_flag(s, &d->two_sided, "two_sided");
    stream_flag(s, &d->inside, "inside");
    stream_flag(s, &d->has_pivot, "has_pivot");
    stream_flag(s, &d->sensor, "sensor");
    stream_number32(s, &d->material, 0, PL_MAX_MATERIALS - 1, "a shape's material");
    stream_number32(s, &d->mask, 0, 255, "a shape's mask");
    double *const numbers[] = {p->at, p->rotation, p->pivot, p->goal_at, p->goal_rotation};
    static const size_t sizes[] = {3, 4, 3, 3, 4};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        stream_bytes(s, numbers[i], sizes[i] * sizeof(double));
    stream_number32(s, &id_entry, 1, INT32_MAX / 8, "a shape's id");
    p->id_entry = (uint32_t)id_entry;
    stream_number32(s, &p->travels, 0, 1, "a shape's travel");
    stream_flag(s, &p->hot, "a shape's heat");
    stream_bytes(s, &p->temperature, sizeof p->temperature);
    walk_shape_arrays(s, w, d);
}

static void walk_kept(stream *s, pl_world *w, kept_list *list, const char *what)
{
    stream_number64(s, &list->count, 0, INT32_MAX / 8, what);
    stream_items(s, &w->memory, &list->items, &list->capacity, list->count, sizeof *list->items);
}

void walk_contacts(stream *s, pl_world *w)
{
    contacts *t = &w->contacts;
    if (s->saving && s->result == PL_OK)
        s->result = contacts_keep(w);
    stream_number32(s, &t->materials, 1, PL_MAX_MATERIALS, "materials");
    stream_items(s, &w->memory, &t->material, &t->material_capacity, t->materials, sizeof *t->material);
    stream_number64(s, &t->between_count, 0, INT32_MAX / 64, "pairs of materials");
    stream_items(s, &w->memory, &t->between, &t->between_capacity, t->between_count, sizeof *t->between);
    stream_number32(s, &t->shape_count, 0, INT32_MAX / 1024, "shapes");
    if (!s->saving && s->result == PL_OK && (size_t)t->shape_count > (s->size - s->at) / 64)
        stream_ends(s);
    if (!s->saving && s->result == PL_OK)
        s->result = array_reserve(&w->memory, &t->shapes, &t->shape_capacity, t->shape_count, sizeof *t->shapes);
    for (int32_t i = 0; s->result == PL_OK && i < t->shape_count; i++)
        walk_shape(s, w, &t->shapes[i]);
    walk_kept(s, w, &t->kept, "contacts");
    walk_kept(s, w, &t->kept_shape_contacts, "shape contacts");
    bool listed = t->listed || t->resume; // a loaded list may still wait to be rebuilt
    stream_flag(s, &listed, "lists");
    stream_flag(s, &t->stale, "stale lists");
    stream_flag(s, &t->sparse, "sparse lists");
    float *const floats[] = {&t->margin, &t->shape_contact_margin, &w->flow.far_h};
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
        stream_bytes(s, floats[i], sizeof(float));
    stream_bytes(s, w->flow.far, sizeof w->flow.far);
    int64_t built = listed && !t->stale ? t->shape_count : 0;
    stream_items(s, &w->memory, &t->built, &t->built_capacity, built, sizeof *t->built);
    if (!s->saving)
        t->resume = listed && !t->stale; // stale lists are rebuilt from the kept multipliers
}

void walk_surface(stream *s, pl_world *w)
{
    surfaces *k = &w->surfaces;
    if (s->saving && s->result == PL_OK)
        s->result = surface_keep(w);
    stream_number64(s, &k->kept.count, 0, INT32_MAX / 8, "surface contacts");
    stream_items(s, &w->memory, &k->kept.items, &k->kept.capacity, k->kept.count, sizeof *k->kept.items);
    bool listed = k->listed || k->resume;
    stream_flag(s, &listed, "surface contact lists");
    float *const floats[] = {&k->margin, &k->horizon, &w->flow.surface_age, &w->flow.drifted};
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
        stream_bytes(s, floats[i], sizeof(float));
    if (!s->saving)
        k->resume = listed && !w->contacts.stale;
}

// Saves the touching pairs and what is inside sensors, so that nothing begins twice after loading. The events of the last step are not saved.
void walk_events(stream *s, pl_world *w)
{
    events *e = &w->events;
    pl_watch_def *d = &e->watch;
    stream_flag(s, &e->on, "the watch on contacts");
    stream_flag(s, &d->particles, "the watch on particles");
    stream_flag(s, &d->shapes, "the watch on shapes");
    stream_flag(s, &d->surfaces, "the watch on surfaces");
    stream_flag(s, &d->bodies, "the watch on bodies");
    stream_flag(s, &d->stay, "the watch on what stays");
    stream_bytes(s, &d->object, sizeof d->object);
    stream_bytes(s, &d->shape, sizeof d->shape);
    stream_number32(s, &d->mask, 0, 255, "the watch's mask");
    stream_bytes(s, &d->hit_speed, sizeof d->hit_speed);
    int64_t *const counts[] = {&e->counts.begun,     &e->counts.ended, &e->counts.touching, &e->counts.all_begun,
                               &e->counts.all_ended, &e->counts.hits,  &e->counts.all_hits};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        stream_number64(s, counts[i], 0, INT64_MAX, "a count of contacts");
    stream_number64(s, &e->held.count, 0, INT32_MAX / 8, "what touches");
    stream_items(s, &w->memory, &e->held.items, &e->held.capacity, e->held.count, sizeof *e->held.items);
    visit_list *inside = &w->sensors.inside;
    stream_number64(s, &inside->count, 0, INT32_MAX / 8, "what is inside sensors");
    stream_items(s, &w->memory, &inside->items, &inside->capacity, inside->count, sizeof *inside->items);
    w->sensors.counted &= s->saving;
}
