// sensors.c: finds what is inside sensors after each step, on the host and one sensor after the other: so the events are
// the same for any number of threads and any backend. A world without sensors pays nothing.
#include "query/sensors.h"
#include "groups/rigids.h"
#include "query/cast.h"

#include <stdlib.h>
#include <string.h>

typedef struct sensor_search
{
    pl_world *w;
    int32_t sensor, part;
    pl_result result;
} sensor_search;

static void found(cast_state *f, const pl_hit *hit)
{
    sensor_search *s = f->user;
    visit_list *l = &s->w->sensors.next;
    if (s->result == PL_OK)
        s->result = array_reserve(&s->w->memory, &l->items, &l->capacity, l->count + 1, sizeof *l->items);
    if (s->result == PL_OK)
        l->items[l->count++] = (sensor_visit){s->sensor, s->part, (int32_t)hit->object.index, hit->part < 0};
}

// ---- the form of a sensor ------------------------------------------------------------------------------------------

// Gathers the vertices of a hull of a body, which lie in runs behind it.
static int gather_vertices(const pl_world *w, const query_part *p, float *out)
{
    const rigids *r = &w->rigids;
    int32_t at = p->part;
    const rigid_part *from = r->part + r->start[p->body];
    while (!(from->kind < RIGID_PART_NONE && at-- == 0))
        from++;
    int count = 0, all = from->shape.vertices;
    for (const rigid_part *run = from + 1; count < all && count + run->count <= PL_CAST_VERTICES; run++)
    {
        memcpy(out + 3 * count, run->vertex, 12 * (size_t)run->count);
        count += run->count;
    }
    return count;
}

static void set_form(const pl_world *w, const query_part *p, float *vertices, pl_cast_def *d)
{
    const float *size = p->solid.size;
    d->radius = size[3];
    if (p->cylinder) // its box, for now
        d->form = PL_CAST_BOX, d->half = (pl_vec3){size[3], 0.5f * size[0], size[3]}, d->radius = 0.0f;
    else if (p->solid.kind == SOLID_CAPSULE)
        d->form = PL_CAST_CAPSULE, d->length = size[0];
    else if (p->solid.kind == SOLID_BOX)
        d->form = PL_CAST_BOX, d->half = (pl_vec3){size[0], size[1], size[2]};
    else if (p->solid.kind == SOLID_HULL)
    {
        const pl_shape_def *own = p->body < 0 ? &w->contacts.shapes[p->part].def : NULL;
        d->form = PL_CAST_HULL;
        d->vertices = own ? own->vertices : vertices;
        d->vertex_count = own ? own->vertex_count : gather_vertices(w, p, vertices);
    }
}

// Turns and moves the form to where the sensor is.
static void place_form(cast_state *f, const query_part *p)
{
    const float *r = p->at.rotation;
    for (int k = 0; k < 3; k++)
    {
        f->from[k] = (double)p->at.at[k] + (double)p->at.low[k];
        f->turn.c[k] = vec_of(r[k], r[3 + k], r[6 + k]);
    }
    if (p->cylinder)
    {
        vec half = vec_of(p->solid.size[3], 0.5f * p->solid.size[0], p->solid.size[3]);
        f->shape = convex_of(CONVEX_CYLINDER, half, p->solid.size[3]);
    }
    if (f->form != PL_CAST_BALL)
        cast_measure(f);
}

static pl_result search_sensor(pl_world *w, const query_part *p)
{
    float vertices[3 * PL_CAST_VERTICES];
    sensor_search s = {w, (int32_t)p->entry, p->body < 0 ? -1 : p->part, PL_OK};
    pl_hit spare[2];
    cast_state f = {.w = w, .hits = spare, .capacity = 2, .found = found, .user = &s};
    pl_cast_def d = pl_default_cast_def();
    set_form(w, p, vertices, &d);
    d.distance = 0.0f;
    d.targets = PL_CAST_BODIES | (w->live > w->rigids.count ? PL_CAST_PARTICLES : 0);
    if (p->body < 0)
        d.mask = w->contacts.shapes[p->part].def.mask, d.filter.category = (uint64_t)d.mask;
    else
        d.filter = (pl_query_filter){p->category, p->mask};
    pl_result result = cast_open(&f, &d, "sensor");
    if (result != PL_OK)
        return result;
    f.ignore_entry = p->entry;
    place_form(&f, p);
    result = cast_run(&f);
    return result == PL_OK ? s.result : result;
}

// ---- what came and what left ---------------------------------------------------------------------------------------

static int compare(const void *a, const void *b) { return compare_visits(a, b); }

// Sorts the visits, and merges those of several particles or shapes of one visitor.
static void merge(visit_list *l)
{
    int64_t left = 0;
    if (l->count)
        qsort(l->items, (size_t)l->count, sizeof *l->items, compare);
    for (int64_t i = 0; i < l->count; i++)
        if (left && compare(&l->items[left - 1], &l->items[i]) == 0)
            l->items[left - 1].particles += l->items[i].particles;
        else
            l->items[left++] = l->items[i];
    l->count = left;
}

static void tell(pl_world *w, pl_contact_phase phase, const sensor_visit *v)
{
    const pl_id sensor = id_of_entry(w, v->sensor), visitor = id_of_entry(w, v->visitor);
    w->sensors.reported[w->sensors.reported_count++] =
        (pl_sensor_event){.phase = phase,
                          .sensor = sensor,
                          .part = v->part,
                          .visitor = visitor,
                          .user_data = {pl_get_user_data(w, sensor), pl_get_user_data(w, visitor)}};
}

static pl_result publish(pl_world *w)
{
    sensors *s = &w->sensors;
    const int64_t most = s->inside.count + s->next.count;
    pl_result result = array_reserve(&w->memory, &s->reported, &s->reported_capacity, most, sizeof *s->reported);
    if (result != PL_OK)
        return result;
    for (int64_t i = 0, k = 0; i < s->inside.count || k < s->next.count;)
    {
        int order = i == s->inside.count ? 1
                    : k == s->next.count ? -1
                                         : compare(&s->inside.items[i], &s->next.items[k]);
        if (order < 0)
            tell(w, PL_CONTACT_END, &s->inside.items[i]);
        if (order > 0)
            tell(w, PL_CONTACT_BEGIN, &s->next.items[k]);
        i += order <= 0, k += order >= 0;
    }
    visit_list last = s->inside;
    s->inside = s->next;
    s->next = last;
    return PL_OK;
}

pl_result sensors_update(pl_world *w)
{
    sensors *s = &w->sensors;
    unsigned trees;
    s->reported_count = 0;
    if (!sensors_exist(w))
        return PL_OK;
    s->next.count = 0;
    pl_result result = query_prepare(w, PL_CAST_SHAPES | PL_CAST_BODIES, &trees);
    for (int64_t i = 0; i < w->queries.part_count && result == PL_OK; i++)
        if (w->queries.part[i].sensor)
            result = search_sensor(w, &w->queries.part[i]);
    if (result != PL_OK)
        return result;
    merge(&s->next);
    return publish(w);
}

// ---- public functions ----------------------------------------------------------------------------------------------

int pl_sensor_events(const pl_world *w, pl_sensor_event *out, int capacity)
{
    if (!w)
        return 0;
    int64_t count = w->sensors.reported_count, some = count < capacity ? count : capacity;
    if (out && some > 0)
        memcpy(out, w->sensors.reported, (size_t)some * sizeof *out);
    return (int)count;
}

int pl_sensor_visits(const pl_world *w, pl_id sensor, pl_sensor_visit *out, int capacity)
{
    const id_entry *t = w ? id_find(w, sensor, ID_FREE, "sensor visits") : NULL;
    int count = 0;
    for (int64_t i = 0; t && i < w->sensors.inside.count; i++)
    {
        const sensor_visit *v = &w->sensors.inside.items[i];
        if (v->sensor != (int32_t)sensor.index)
            continue;
        const pl_id visitor = id_of_entry(w, v->visitor);
        if (out && count < capacity)
            out[count] = (pl_sensor_visit){v->part, visitor, v->particles, pl_get_user_data(w, visitor)};
        count++;
    }
    return count;
}
