// sensors.c: keeps the lists of what is inside sensors. query/sensors.c finds it.
#include "model/world.h"

static int type_of(const pl_world *w, int32_t entry)
{
    return entry > 0 && entry < w->entry_count ? (int)w->entries[entry].type : ID_FREE;
}

static bool is_there(const pl_world *w, const sensor_visit *v)
{
    int sensor = type_of(w, v->sensor);
    return (v->part < 0 ? sensor == ID_SHAPE : sensor == ID_OBJECT) && type_of(w, v->visitor) == ID_OBJECT;
}

void sensors_lost(pl_world *w)
{
    visit_list *l = &w->sensors.inside;
    int64_t left = 0;
    for (int64_t i = 0; i < l->count; i++)
        if (is_there(w, &l->items[i]))
            l->items[left++] = l->items[i];
    l->count = left;
    w->sensors.counted = false;
}

bool sensors_fit(const pl_world *w)
{
    const visit_list *l = &w->sensors.inside;
    for (int64_t i = 0; i < l->count; i++)
        if (l->items[i].part < -1 || l->items[i].particles < 0 || !is_there(w, &l->items[i]) ||
            (i && compare_visits(&l->items[i - 1], &l->items[i]) >= 0))
            return false;
    return true;
}

bool sensors_exist(pl_world *w)
{
    sensors *s = &w->sensors;
    if (s->counted && s->items == w->item_changes)
        return s->some;
    s->some = false;
    for (int32_t i = 0; i < w->contacts.shape_count && !s->some; i++)
        s->some = w->contacts.shapes[i].def.sensor;
    for (int64_t i = 0; i < w->rigids.part_count && !s->some; i++)
        s->some = part_is_sensor(&w->rigids.part[i]);
    s->counted = true;
    s->items = w->item_changes;
    return s->some;
}

void sensors_free(pl_world *w)
{
    sensors *s = &w->sensors;
    array_free(&w->memory, &s->inside.items, &s->inside.capacity, sizeof *s->inside.items);
    array_free(&w->memory, &s->next.items, &s->next.capacity, sizeof *s->next.items);
    array_free(&w->memory, &s->reported, &s->reported_capacity, sizeof *s->reported);
}
