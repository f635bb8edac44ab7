// renderer.c: see renderer.h. What a picture is made of: programs, targets, and what a frame sends to the GPU. renderer_draw.c draws.
#include "renderer_parts.h"

#include "message.h"
#include "shaders.h"

#include <stdlib.h>
#include <string.h>

static const struct program_text texts[PROGRAM_COUNT] = {
    [PROGRAM_MESH] = {"mesh",
                      {glsl_head, glsl_mesh_vertex},
                      {NULL},
                      {glsl_head, glsl_light, glsl_lit, glsl_mesh_fragment}},
    [PROGRAM_GLASS] = {"glass",
                       {glsl_head, glsl_mesh_vertex},
                       {NULL},
                       {glsl_head, glsl_light, glsl_lit, glsl_glass_fragment}},
    [PROGRAM_MESH_SHADE] = {"mesh shade", {glsl_head, glsl_shade_vertex}, {NULL}, {glsl_head, glsl_shade_fragment}},
    [PROGRAM_FLOOR] = {"floor",
                       {glsl_head, glsl_floor_vertex},
                       {NULL},
                       {glsl_head, glsl_light, glsl_lit, glsl_floor_fragment}},
    [PROGRAM_SKY] = {"sky", {glsl_head, glsl_screen_vertex}, {NULL}, {glsl_head, glsl_light, glsl_sky_fragment}},
    [PROGRAM_BLOCKERS] = {"blockers", {glsl_head, glsl_screen_vertex}, {NULL}, {glsl_head, glsl_blockers_fragment}},
    [PROGRAM_CONTACT] = {"contact", {glsl_head, glsl_screen_vertex}, {NULL}, {glsl_head, glsl_contact_fragment}},
    [PROGRAM_FINAL] = {"final", {glsl_head, glsl_screen_vertex}, {NULL}, {glsl_head, glsl_final_fragment}},
    [PROGRAM_WIDE_LINE] = {"wide line",
                           {glsl_head, glsl_line_vertex},
                           {glsl_head, glsl_wide_line_geometry},
                           {glsl_head, glsl_wide_line_fragment}},
    [PROGRAM_LINE] = {"line", {glsl_head, glsl_line_vertex}, {NULL}, {glsl_head, glsl_line_fragment}},
};

enum
{
    SHADOW_SIZE = 2048, // pixels each way
    SPECK_SHADOW_SIZE = 1024,
    BLOCK = 8, // texels of the shadow map each way for one of the blockers; as in glsl_blockers_fragment
};

struct wants look_wants(const struct look *look)
{
    return (struct wants){.colour_by = look->colour_by,
                          .contacts = look->contacts,
                          .cells = look->cells,
                          .boxes = look->boxes,
                          .joints = look->joints,
                          .fluid = look->colour_by == COLOUR_MATERIAL && !look->particles,
                          .wax = !look->particles};
}

struct look default_look(void) { return (struct look){.shadows = true, .contact = true, .floor = true}; }

// ---- making --------------------------------------------------------------------------------------------------------

void describe_mesh(GLuint *array, struct stream *vertices, struct stream *indices)
{
    glGenVertexArrays(1, array);
    glBindVertexArray(*array);
    stream_fill(indices, GL_ELEMENT_ARRAY_BUFFER, NULL, 4);
    stream_fill(vertices, GL_ARRAY_BUFFER, NULL, 4);
    attribute(0, 3, GL_FLOAT, sizeof(struct vertex), offsetof(struct vertex, position));
    attribute(1, 3, GL_FLOAT, sizeof(struct vertex), offsetof(struct vertex, normal));
    attribute(2, 4, GL_UNSIGNED_BYTE, sizeof(struct vertex), offsetof(struct vertex, front));
    attribute(3, 4, GL_UNSIGNED_BYTE, sizeof(struct vertex), offsetof(struct vertex, back));
    attribute(4, 3, GL_FLOAT, sizeof(struct vertex), offsetof(struct vertex, rest));
}

static void describe_arrays(struct renderer *r)
{
    describe_mesh(&r->mesh_array, &r->vertices, &r->indices);
    describe_mesh(&r->solid_array, &r->solid_vertices, &r->solid_indices);

    wax_painter_open(&r->wax);

    glGenVertexArrays(1, &r->line_array);
    glBindVertexArray(r->line_array);
    stream_fill(&r->lines, GL_ARRAY_BUFFER, NULL, 4);
    attribute(0, 3, GL_FLOAT, sizeof(struct line_point), 0);
    attribute(1, 4, GL_UNSIGNED_BYTE, sizeof(struct line_point), offsetof(struct line_point, colour));

    glGenVertexArrays(1, &r->empty_array);
    glGenBuffers(1, &r->scene_buffer);
    glGenSamplers(1, &r->plain_depths);
    glSamplerParameteri(r->plain_depths, GL_TEXTURE_COMPARE_MODE, GL_NONE);
    glSamplerParameteri(r->plain_depths, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glSamplerParameteri(r->plain_depths, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

bool renderer_create(struct renderer **out)
{
    struct renderer *r = calloc(1, sizeof *r);
    if (!r)
    {
        return trouble("no memory for a renderer; free some memory");
    }
    r->painter = &impostors;
    bool good = r->painter->open(&r->paint) && body_painter_open(&r->bodies) && fluid_painter_open(&r->fluids);
    for (int i = 0; i < PROGRAM_COUNT && good; i++)
    {
        good = program_make(&texts[i], &r->programs[i]);
    }
    if (good)
    {
        r->contact_on = glGetUniformLocation(r->programs[PROGRAM_FINAL], "contact_on");
        r->floor_clear = glGetUniformLocation(r->programs[PROGRAM_FLOOR], "clear");
        describe_arrays(r);
    }
    if (!good)
    {
        renderer_destroy(r);
        return false;
    }
    *out = r;
    return true;
}

static void free_targets(struct renderer *r)
{
    target_free(&r->samples);
    target_free(&r->picture);
    target_free(&r->contact);
    target_free(&r->final);
}

void renderer_destroy(struct renderer *r)
{
    if (!r)
    {
        return;
    }
    for (int i = 0; i < PROGRAM_COUNT; i++)
    {
        glDeleteProgram(r->programs[i]);
    }
    const GLuint buffers[] = {r->vertices.buffer, r->indices.buffer,        r->lines.buffer,
                              r->scene_buffer,    r->solid_vertices.buffer, r->solid_indices.buffer};
    const GLuint arrays[] = {r->mesh_array, r->solid_array, r->line_array, r->empty_array};
    glDeleteBuffers(6, buffers);
    glDeleteVertexArrays(4, arrays);
    glDeleteSamplers(1, &r->plain_depths);
    r->painter->close(r->paint);
    body_painter_close(&r->bodies);
    fluid_painter_close(&r->fluids);
    wax_painter_close(&r->wax);
    free_targets(r);
    target_free(&r->shadow);
    target_free(&r->blockers);
    surface_free(&r->surface);
    overlay_free(&r->overlay);
    solids_free(&r->solids);
    free(r);
}

int renderer_max_samples(void)
{
    GLint most = 1;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    return most > 1 ? most : 1;
}

bool renderer_resize(struct renderer *r, int width, int height, int samples)
{
    free_targets(r);
    r->width = width;
    r->height = height;
    if (samples > renderer_max_samples())
    {
        return trouble("the graphics driver supports at most %d samples for each pixel, not %d; use --samples %d",
                       renderer_max_samples(), samples, renderer_max_samples());
    }
    return (samples == 1 || target_make(&r->samples, width, height, samples, TARGET_COLOUR | TARGET_DEPTH)) &&
           target_make(&r->picture, width, height, 1, TARGET_COLOUR | TARGET_DEPTH) &&
           target_make(&r->contact, (width + 1) / 2, (height + 1) / 2, 1, TARGET_FLOATS) &&
           target_make(&r->final, width, height, 1, TARGET_COLOUR) &&
           fluid_painter_resize(&r->fluids, width, height, samples);
}

bool renderer_set_model(struct renderer *r, const struct model *m)
{
    int size = m->spheres >= MANY_BALLS ? SPECK_SHADOW_SIZE : SHADOW_SIZE; // theirs are soft anyway
    surface_free(&r->surface);
    r->indices.size = 0;
    r->model = m;
    if (r->shadow.width != size)
    {
        target_free(&r->shadow);
        target_free(&r->blockers);
        if (!target_make(&r->shadow, size, size, 1, TARGET_SHADOW) ||
            !target_make(&r->blockers, size / BLOCK, size / BLOCK, 1, TARGET_FLOATS))
        {
            return false;
        }
    }
    body_painter_set(&r->bodies, &m->bodies);
    return surface_open(&r->surface, m);
}

static void upload_solids(struct renderer *r, const struct frame *f)
{
    struct solids *s = &r->solids;
    solids_fill(s, r->model, f);
    glBindVertexArray(r->solid_array);
    stream_fill(&r->solid_vertices, GL_ARRAY_BUFFER, s->vertex, (size_t)s->vertices * sizeof *s->vertex);
    stream_fill(&r->solid_indices, GL_ELEMENT_ARRAY_BUFFER, s->index, (size_t)s->indices * sizeof *s->index);
}

void renderer_upload(struct renderer *r, const struct frame *f, const struct look *look)
{
    struct surface *s = &r->surface;
    r->shadow_drawn = false;
    surface_fill(s, r->model, f, look->colour_by);
    overlay_fill(&r->overlay, r->model, f, look);
    glBindVertexArray(r->mesh_array);
    stream_fill(&r->vertices, GL_ARRAY_BUFFER, s->vertex, (size_t)s->vertices * sizeof *s->vertex);
    if (r->indices.size !=
        (size_t)s->indices * sizeof *s->index) // which triangles there are never changes within a model
    {
        stream_fill(&r->indices, GL_ELEMENT_ARRAY_BUFFER, s->index, (size_t)s->indices * sizeof *s->index);
    }
    upload_solids(r, f);
    body_painter_upload(&r->bodies, r->model, f, s);
    fluid_painter_upload(&r->fluids, r->model, f);
    wax_painter_upload(&r->wax, r->model, f, s);
    r->painter->upload(r->paint, s->ball, s->balls);
    stream_fill(&r->lines, GL_ARRAY_BUFFER, r->overlay.point, (size_t)r->overlay.count * sizeof *r->overlay.point);
}

const struct surface *renderer_surface(const struct renderer *r) { return &r->surface; }
