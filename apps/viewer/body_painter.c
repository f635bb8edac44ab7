// body_painter.c: see body_painter.h.
#include "body_painter.h"

#include "message.h"
#include "shaders.h"

#include <stdlib.h>
#include <string.h>

static const struct program_text picture_text = {"bodies",
                                                 {glsl_head, glsl_body_place, glsl_body_vertex},
                                                 {NULL},
                                                 {glsl_head, glsl_light, glsl_lit, glsl_body_fragment}};
static const struct program_text shade_text = {
    "bodies shade", {glsl_head, glsl_body_place, glsl_body_shade_vertex}, {NULL}, {glsl_head, glsl_shade_fragment}};

bool body_painter_open(struct body_painter *p)
{
    *p = (struct body_painter){0};
    if (!program_make(&picture_text, &p->picture) || !program_make(&shade_text, &p->shade))
    {
        return false;
    }
    glGenVertexArrays(1, &p->array);
    glBindVertexArray(p->array);
    stream_fill(&p->instances, GL_ARRAY_BUFFER, NULL, 4);
    stream_fill(&p->indices, GL_ELEMENT_ARRAY_BUFFER, NULL, 4);
    stream_fill(&p->vertices, GL_ARRAY_BUFFER, NULL, 4);
    attribute(0, 3, GL_FLOAT, sizeof(struct body_vertex), offsetof(struct body_vertex, corner));
    attribute(1, 3, GL_FLOAT, sizeof(struct body_vertex), offsetof(struct body_vertex, direction));
    attribute(2, 3, GL_FLOAT, sizeof(struct body_vertex), offsetof(struct body_vertex, normal));
    return true;
}

void body_painter_close(struct body_painter *p)
{
    const GLuint buffers[] = {p->vertices.buffer, p->indices.buffer, p->instances.buffer};
    glDeleteProgram(p->picture);
    glDeleteProgram(p->shade);
    glDeleteBuffers(3, buffers);
    glDeleteVertexArrays(1, &p->array);
    free(p->instance);
    *p = (struct body_painter){0};
}

void body_painter_set(struct body_painter *p, const struct bodies *b)
{
    p->bodies = b;
    p->count = 0;
    glBindVertexArray(p->array);
    stream_fill(&p->vertices, GL_ARRAY_BUFFER, b->vertex, (size_t)b->vertices * sizeof *b->vertex);
    stream_fill(&p->indices, GL_ELEMENT_ARRAY_BUFFER, b->index, (size_t)b->indices * sizeof *b->index);
}

// ---- a frame -------------------------------------------------------------------------------------------------------

bool body_painter_upload(struct body_painter *p, const struct model *m, const struct frame *f, const struct surface *s)
{
    const struct bodies *all = &m->bodies;
    p->count = 0;
    if (all->shapes > p->room)
    {
        struct body_instance *grown = realloc(p->instance, (size_t)all->shapes * sizeof *grown);
        if (!grown)
        {
            return no_memory();
        }
        p->instance = grown;
        p->room = all->shapes;
    }
    if (f->bodies.count != all->count) // a frame of another world
    {
        return true;
    }
    for (int i = 0; i < all->shapes; i++)
    {
        const struct body_shape *shape = &all->shape[i];
        const struct body *b = &all->body[shape->body];
        struct body_instance *to = &p->instance[i];
        vec3 position;
        pl_quat q;
        body_shape_pose(shape, &f->bodies.state[shape->body], &position, &q);
        *to = (struct body_instance){.position = {position.x, position.y, position.z},
                                     .rotation = {q.x, q.y, q.z, q.w},
                                     .half = {shape->half.x, shape->half.y, shape->half.z},
                                     .radius = shape->radius};
        colour_body(m, s, b, f->bodies.awake[shape->body], to->colour);
        if (b->ground || shape->glass) // drawn elsewhere: of no size here
        {
            memset(to->half, 0, sizeof to->half);
        }
    }
    p->count = all->shapes;
    glBindVertexArray(p->array);
    stream_fill(&p->instances, GL_ARRAY_BUFFER, p->instance, (size_t)p->count * sizeof *p->instance);
    return true;
}

enum
{
    MANY_BODIES = 200, // from here on many hide others
};

// ---- drawing -------------------------------------------------------------------------------------------------------

// OpenGL 3.3 cannot start at a later instance, so the attributes do.
static void start_at(int shape)
{
    static const struct
    {
        int count;
        GLenum type;
        size_t offset;
    } parts[] = {{3, GL_FLOAT, offsetof(struct body_instance, position)},
                 {4, GL_FLOAT, offsetof(struct body_instance, rotation)},
                 {4, GL_FLOAT, offsetof(struct body_instance, half)}, // and the radius
                 {4, GL_UNSIGNED_BYTE, offsetof(struct body_instance, colour)}};
    for (GLuint i = 0; i < 4; i++)
    {
        attribute(3 + i, parts[i].count, parts[i].type, sizeof(struct body_instance),
                  (size_t)shape * sizeof(struct body_instance) + parts[i].offset);
        glVertexAttribDivisor(3 + i, 1);
    }
}

static void draw_meshes(const struct body_painter *p, bool shadow)
{
    glUseProgram(shadow ? p->shade : p->picture);
    glBindVertexArray(p->array);
    glBindBuffer(GL_ARRAY_BUFFER, p->instances.buffer);
    GLint round = glGetUniformLocation(p->picture, "striped");
    for (int i = 0; i < p->bodies->meshes; i++)
    {
        const struct body_mesh *m = &p->bodies->mesh[i];
        if (m->balls)
        {
            continue;
        }
        start_at(m->first_shape);
        if (!shadow)
        {
            glUniform1f(round, m->kind == PL_RIGID_SPHERE || m->kind == PL_RIGID_CYLINDER ? 1.0f : 0.0f);
        }
        glDrawElementsInstancedBaseVertex(GL_TRIANGLES, m->indices, GL_UNSIGNED_INT,
                                          (const void *)((size_t)m->first_index * sizeof(uint32_t)), m->shapes,
                                          m->first_vertex);
    }
}

// Depths pass where they are equal (renderer_draw.c).
void body_painter_draw(const struct body_painter *p, bool shadow)
{
    if (p->count == 0)
    {
        return;
    }
    glEnable(GL_CULL_FACE); // all meshes are closed
    glCullFace(GL_BACK);
    if (!shadow && p->count >= MANY_BODIES) // depths first, so that only what is seen is lit
    {
        glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
        draw_meshes(p, true);
        glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    }
    draw_meshes(p, shadow);
    glDisable(GL_CULL_FACE);
}
