// wax_painter.c: see wax_painter.h.
#include "wax_painter.h"

#include <stdlib.h>
#include <string.h>

void wax_painter_open(struct wax_painter *p)
{
    *p = (struct wax_painter){0};
    describe_mesh(&p->array, &p->vertices, &p->indices);
}

void wax_painter_close(struct wax_painter *p)
{
    const GLuint buffers[] = {p->vertices.buffer, p->indices.buffer};
    glDeleteBuffers(2, buffers);
    glDeleteVertexArrays(1, &p->array);
    free(p->vertex);
    free(p->index);
    *p = (struct wax_painter){0};
}

static void put(struct wax_painter *p, const struct model *m, const struct surface *s, const pl_fluid_surface *from,
                uint32_t first)
{
    for (int i = 0; i < from->vertex_count; i++)
    {
        struct vertex *v = &p->vertex[first + (uint32_t)i];
        *v = (struct vertex){0};
        memcpy(v->position, from->vertices + 3 * (size_t)i, sizeof v->position);
        memcpy(v->normal, from->normals + 3 * (size_t)i, sizeof v->normal);
        colour_material(m, from->particles[i], v->front, v->back);
        if (s->value)
        {
            colour_value(s->by, s->value[from->particles[i]], v->front);
        }
        v->front[3] = MATERIAL_WAX;
        memcpy(v->back, v->front, sizeof v->back);
    }
    for (int i = 0; i < 3 * from->triangle_count; i++)
    {
        p->index[p->count++] = first + (uint32_t)from->triangles[i];
    }
}

bool wax_painter_upload(struct wax_painter *p, const struct model *m, const struct frame *f, const struct surface *s)
{
    int vertices = 0, indices = 0;
    p->count = 0;
    for (int i = 0; i < f->waxes; i++)
    {
        vertices += f->wax[i].vertex_count;
        indices += 3 * f->wax[i].triangle_count;
    }
    if (indices == 0)
    {
        return true;
    }
    if (!room_for((void **)&p->vertex, &p->room, vertices, sizeof *p->vertex) ||
        !room_for((void **)&p->index, &p->index_room, indices, sizeof *p->index))
    {
        return false;
    }
    for (int i = 0, first = 0; i < f->waxes; first += f->wax[i++].vertex_count)
    {
        put(p, m, s, &f->wax[i], (uint32_t)first);
    }
    glBindVertexArray(p->array);
    stream_fill(&p->vertices, GL_ARRAY_BUFFER, p->vertex, (size_t)vertices * sizeof *p->vertex);
    stream_fill(&p->indices, GL_ELEMENT_ARRAY_BUFFER, p->index, (size_t)p->count * sizeof *p->index);
    return true;
}

void wax_painter_draw(const struct wax_painter *p)
{
    if (p->count > 0)
    {
        glBindVertexArray(p->array);
        glDrawElements(GL_TRIANGLES, p->count, GL_UNSIGNED_INT, NULL);
    }
}
