// fluid_painter.c: see fluid_painter.h.
#include "fluid_painter.h"

#include "message.h"
#include "shaders.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SHADE_SIZE = 1024, // pixels each way
};

static const struct program_text thickness_text = {
    "fluid thickness", {glsl_head, glsl_mesh_vertex}, {NULL}, {glsl_head, glsl_thickness_fragment}};
static const struct program_text shade_text = {
    "fluid shade", {glsl_head, glsl_mesh_vertex}, {NULL}, {glsl_head, glsl_fluid_shade_fragment}};
static const struct program_text surface_text = {
    "fluid surface", {glsl_head, glsl_mesh_vertex}, {NULL}, {glsl_head, glsl_light, glsl_lit, glsl_fluid_fragment}};

bool fluid_painter_open(struct fluid_painter *p)
{
    *p = (struct fluid_painter){0};
    if (!program_make(&thickness_text, &p->thickness_program) || !program_make(&shade_text, &p->shade_program) ||
        !program_make(&surface_text, &p->surface_program))
    {
        return false;
    }
    p->clear_at = glGetUniformLocation(p->surface_program, "clear");
    glGenVertexArrays(1, &p->array);
    glBindVertexArray(p->array);
    stream_fill(&p->indices, GL_ELEMENT_ARRAY_BUFFER, NULL, 4);
    stream_fill(&p->vertices, GL_ARRAY_BUFFER, NULL, 4);
    attribute(0, 3, GL_FLOAT, sizeof(struct vertex), offsetof(struct vertex, position));
    attribute(1, 3, GL_FLOAT, sizeof(struct vertex), offsetof(struct vertex, normal));
    attribute(2, 4, GL_UNSIGNED_BYTE, sizeof(struct vertex), offsetof(struct vertex, front));
    attribute(3, 4, GL_UNSIGNED_BYTE, sizeof(struct vertex), offsetof(struct vertex, back));
    return true;
}

void fluid_painter_close(struct fluid_painter *p)
{
    const GLuint buffers[] = {p->vertices.buffer, p->indices.buffer};
    glDeleteProgram(p->thickness_program);
    glDeleteProgram(p->shade_program);
    glDeleteProgram(p->surface_program);
    glDeleteBuffers(2, buffers);
    glDeleteVertexArrays(1, &p->array);
    target_free(&p->thickness);
    target_free(&p->shade);
    target_free(&p->behind);
    free(p->vertex);
    *p = (struct fluid_painter){0};
}

bool fluid_painter_resize(struct fluid_painter *p, int width, int height, int samples)
{
    target_free(&p->thickness);
    target_free(&p->behind);
    return target_make(&p->thickness, width, height, 1, TARGET_FLOATS) &&
           (samples > 1 || target_make(&p->behind, width, height, 1, TARGET_COLOUR | TARGET_DEPTH));
}

bool fluid_painter_upload(struct fluid_painter *p, const struct model *m, const struct frame *f)
{
    const pl_fluid_surface *s = &f->fluid;
    p->count = 0;
    if (s->triangle_count == 0)
    {
        return true;
    }
    if (!room_for((void **)&p->vertex, &p->room, s->vertex_count, sizeof *p->vertex))
    {
        return false;
    }
    for (int i = 0; i < s->vertex_count; i++)
    {
        struct vertex *v = &p->vertex[i];
        memcpy(v->position, s->vertices + 3 * (size_t)i, sizeof v->position);
        memcpy(v->normal, s->normals + 3 * (size_t)i, sizeof v->normal);
        colour_fluid(m, f, s->particles[i], v->front);
        memcpy(v->back, v->front, sizeof v->back);
    }
    p->count = 3 * s->triangle_count;
    p->clear = 1.2f * cbrtf((float)s->volume);
    glBindVertexArray(p->array);
    stream_fill(&p->vertices, GL_ARRAY_BUFFER, p->vertex, (size_t)s->vertex_count * sizeof *p->vertex);
    stream_fill(&p->indices, GL_ELEMENT_ARRAY_BUFFER, s->triangles, (size_t)p->count * sizeof *s->triangles);
    return true;
}

static void bind_texture(int unit_number, GLuint texture)
{
    glActiveTexture((GLenum)(GL_TEXTURE0 + unit_number));
    glBindTexture(GL_TEXTURE_2D, texture);
}

// Every front adds its distance with the sign -, every back with +.
static void draw_thickness(struct fluid_painter *p, GLuint program, const struct target *t)
{
    glBindFramebuffer(GL_FRAMEBUFFER, t->framebuffer);
    glViewport(0, 0, t->width, t->height);
    glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    glUseProgram(program);
    glBindVertexArray(p->array);
    glDrawElements(GL_TRIANGLES, p->count, GL_UNSIGNED_INT, NULL);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
}

bool fluid_painter_shade(struct fluid_painter *p)
{
    if (p->count > 0 && (p->shade.framebuffer || target_make(&p->shade, SHADE_SIZE, SHADE_SIZE, 1, TARGET_FLOATS)))
    {
        draw_thickness(p, p->shade_program, &p->shade);
    }
    return p->shade.framebuffer != 0;
}

static void copy(GLuint from, GLuint to, const struct target *size)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
    glBlitFramebuffer(0, 0, size->width, size->height, 0, 0, size->width, size->height,
                      GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT, GL_NEAREST);
}

void fluid_painter_draw(struct fluid_painter *p, const struct target *samples, const struct target *picture,
                        GLuint shadow_map)
{
    bool many = samples->framebuffer != 0;
    if (p->count == 0)
    {
        return;
    }
    if (!many)
    {
        copy(picture->framebuffer, p->behind.framebuffer, picture);
    }
    const struct target *behind = many ? picture : &p->behind;
    bind_texture(0, shadow_map);
    bind_texture(1, behind->depth);
    bind_texture(2, behind->colour);
    bind_texture(4, 0);
    glBindVertexArray(p->array);
    draw_thickness(p, p->thickness_program, &p->thickness);
    bind_texture(4, p->thickness.colour);
    glBindFramebuffer(GL_FRAMEBUFFER, many ? samples->framebuffer : picture->framebuffer);
    glUseProgram(p->surface_program);
    glUniform1f(p->clear_at, p->clear);
    glEnable(GL_CULL_FACE);
    glCullFace(GL_BACK);
    glDrawElements(GL_TRIANGLES, p->count, GL_UNSIGNED_INT, NULL);
    glDisable(GL_CULL_FACE);
    bind_texture(4, 0);
    bind_texture(1, 0);
    bind_texture(2, 0);
    if (many)
    {
        copy(samples->framebuffer, picture->framebuffer, picture);
    }
}
