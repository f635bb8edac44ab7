// shape_data.c: manages the large arrays of shapes: the user's own, kept with the shape, and the geometry built from
// them, packed in state.shape_data.
#include "collide/geometry.h"
#include "model/world.h"

#include <stdio.h>
#include <string.h>

static pl_result append(pl_world *w, const void *bytes, size_t size, int64_t *at)
{
    contacts *t = &w->contacts;
    size_t old = (size_t)t->data_capacity, wanted = (size_t)w->state.shape_data_size + size;
    if (wanted > old)
    {
        void *block = w->state.shape_data;
        pl_result result = memory_resize(&w->memory, &block, old, wanted);
        if (result != PL_OK)
            return result;
        w->state.shape_data = block;
        t->data_capacity = (int64_t)wanted;
    }
    memcpy(w->state.shape_data + w->state.shape_data_size, bytes, size);
    *at = w->state.shape_data_size;
    w->state.shape_data_size = (int64_t)wanted;
    w->state.shape_data_change++;
    return PL_OK;
}

pl_result shape_build(pl_world *w, const pl_shape_def *def, int64_t *data, float *reach)
{
    char name[80];
    void *bytes;
    size_t size;
    if (def->name)
        snprintf(name, sizeof name, "shape '%.60s'", def->name);
    else
        snprintf(name, sizeof name, "%s", shape_kind_name(def->kind));
    *data = -1;
    pl_result result = geometry_build(&w->memory, name, def, &bytes, &size);
    if (result == PL_OK && size)
        result = append(w, bytes, size, data);
    *reach = result == PL_OK && size ? geometry_reach(bytes, def) : 0.0f;
    memory_free(&w->memory, bytes, size);
    return result;
}

// Removes a shape's geometry and moves the data behind it up.
void shape_drop(pl_world *w, int64_t data)
{
    if (data < 0)
        return;
    char *from = w->state.shape_data + data;
    int64_t size = ((const geometry *)(const void *)from)->size;
    memmove(from, from + size, (size_t)(w->state.shape_data_size - data - size));
    w->state.shape_data_size -= size;
    w->state.shape_data_change++;
    for (int32_t i = 0; i < w->contacts.shape_count; i++)
        if (w->contacts.shapes[i].data > data)
            w->contacts.shapes[i].data -= size;
}

void shapes_free(pl_world *w)
{
    contacts *t = &w->contacts;
    for (int32_t i = 0; i < t->shape_count && i < t->shape_capacity; i++) // a damaged snapshot may hold any count
        geometry_forget(&w->memory, &t->shapes[i].def);
    array_free(&w->memory, &t->shapes, &t->shape_capacity, sizeof *t->shapes);
    array_free(&w->memory, &w->state.shape_data, &t->data_capacity, 1);
}

pl_result pl_shape_triangles(const pl_world *w, pl_id id, float *corners, int64_t *count)
{
    NEED(w);
    NEED(count);
    const id_entry *t = id_find(w, id, ID_SHAPE, "shape triangles");
    if (!t)
        return PL_ERROR_ARGUMENT;
    const shape *s = &w->contacts.shapes[t->first];
    const void *bytes = s->data < 0 ? NULL : w->state.shape_data + s->data;
    *count = geometry_triangles(bytes, &s->def, corners);
    return PL_OK;
}
