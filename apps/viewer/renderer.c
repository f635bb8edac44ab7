// renderer.c: see renderer.h. A picture is made in five passes: what the sun sees (the shadow map), the scene with several
// samples a pixel, the samples resolved, the shade of contacts out of the depths, and all put together.
#include "renderer.h"

#include "graphics.h"
#include "message.h"
#include "overlay.h"
#include "shaders.h"
#include "solids.h"
#include "views.h"

#include <stdlib.h>
#include <string.h>

enum program
{
    PROGRAM_MESH,
    PROGRAM_GLASS,
    PROGRAM_MESH_SHADE,
    PROGRAM_FLOOR,
    PROGRAM_SKY,
    PROGRAM_CONTACT,
    PROGRAM_FINAL,
    PROGRAM_LINE,
    PROGRAM_COUNT
};

static const struct program_text texts[PROGRAM_COUNT] = {
    [PROGRAM_MESH] = {"mesh", {glsl_head, glsl_mesh_vertex}, {NULL}, {glsl_head, glsl_light, glsl_mesh_fragment}},
    [PROGRAM_GLASS] = {"glass", {glsl_head, glsl_mesh_vertex}, {NULL}, {glsl_head, glsl_light, glsl_glass_fragment}},
    [PROGRAM_MESH_SHADE] = {"mesh shade", {glsl_head, glsl_shade_vertex}, {NULL}, {glsl_head, glsl_shade_fragment}},
    [PROGRAM_FLOOR] = {"floor", {glsl_head, glsl_floor_vertex}, {NULL}, {glsl_head, glsl_light, glsl_floor_fragment}},
    [PROGRAM_SKY] = {"sky", {glsl_head, glsl_screen_vertex}, {NULL}, {glsl_head, glsl_light, glsl_sky_fragment}},
    [PROGRAM_CONTACT] = {"contact", {glsl_head, glsl_screen_vertex}, {NULL}, {glsl_head, glsl_contact_fragment}},
    [PROGRAM_FINAL] = {"final", {glsl_head, glsl_screen_vertex}, {NULL}, {glsl_head, glsl_final_fragment}},
    [PROGRAM_LINE] = {"line", {glsl_head, glsl_line_vertex}, {NULL}, {glsl_head, glsl_line_fragment}},
};

enum
{
    SHADOW_SIZE = 2048, // pixels each way
    SPECK_SHADOW_SIZE = 1024,
};

struct renderer
{
    GLuint programs[PROGRAM_COUNT];
    GLint contact_on;
    GLuint mesh_array, solid_array, line_array, empty_array, scene_buffer;
    struct stream vertices, indices, solid_vertices, solid_indices, lines;
    struct target samples, picture, shadow, contact, final;
    int width, height;
    const struct model *model;
    struct surface surface;
    struct overlay overlay;
    struct solids solids;
    bool shadow_drawn;             // of what was uploaded last
    const struct painter *painter; // of particles
    void *paint;                   // its own
};

struct wants look_wants(const struct look *look)
{
    return (struct wants){
        .colour_by = look->colour_by, .contacts = look->contacts, .cells = look->cells, .boxes = look->boxes};
}

struct look default_look(void) { return (struct look){.shadows = true, .contact = true, .floor = true}; }

// ---- making --------------------------------------------------------------------------------------------------------

static void describe_mesh(GLuint *array, struct stream *vertices, struct stream *indices)
{
    glGenVertexArrays(1, array);
    glBindVertexArray(*array);
    stream_fill(indices, GL_ELEMENT_ARRAY_BUFFER, NULL, 4);
    stream_fill(vertices, GL_ARRAY_BUFFER, NULL, 4);
    attribute(0, 3, GL_FLOAT, sizeof(struct vertex), offsetof(struct vertex, position));
    attribute(1, 3, GL_FLOAT, sizeof(struct vertex), offsetof(struct vertex, normal));
    attribute(2, 4, GL_UNSIGNED_BYTE, sizeof(struct vertex), offsetof(struct vertex, front));
    attribute(3, 4, GL_UNSIGNED_BYTE, sizeof(struct vertex), offsetof(struct vertex, back));
}

static void describe_arrays(struct renderer *r)
{
    describe_mesh(&r->mesh_array, &r->vertices, &r->indices);
    describe_mesh(&r->solid_array, &r->solid_vertices, &r->solid_indices);

    glGenVertexArrays(1, &r->line_array);
    glBindVertexArray(r->line_array);
    stream_fill(&r->lines, GL_ARRAY_BUFFER, NULL, 4);
    attribute(0, 3, GL_FLOAT, sizeof(struct line_point), 0);
    attribute(1, 4, GL_UNSIGNED_BYTE, sizeof(struct line_point), offsetof(struct line_point, colour));

    glGenVertexArrays(1, &r->empty_array);
    glGenBuffers(1, &r->scene_buffer);
}

bool renderer_create(struct renderer **out)
{
    struct renderer *r = calloc(1, sizeof *r);
    if (!r)
    {
        return trouble("no memory for a renderer; free some");
    }
    r->painter = &impostors;
    bool good = r->painter->open(&r->paint);
    for (int i = 0; i < PROGRAM_COUNT && good; i++)
    {
        good = program_make(&texts[i], &r->programs[i]);
    }
    if (good)
    {
        r->contact_on = glGetUniformLocation(r->programs[PROGRAM_FINAL], "contact_on");
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
    r->painter->close(r->paint);
    free_targets(r);
    target_free(&r->shadow);
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
        return trouble("the graphics driver takes at most %d samples a pixel, not %d; --samples %d is right",
                       renderer_max_samples(), samples, renderer_max_samples());
    }
    return (samples == 1 || target_make(&r->samples, width, height, samples, TARGET_COLOUR | TARGET_DEPTH)) &&
           target_make(&r->picture, width, height, 1, TARGET_COLOUR | TARGET_DEPTH) &&
           target_make(&r->contact, (width + 1) / 2, (height + 1) / 2, 1, TARGET_FLOATS) &&
           target_make(&r->final, width, height, 1, TARGET_COLOUR);
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
        if (!target_make(&r->shadow, size, size, 1, TARGET_SHADOW))
        {
            return false;
        }
    }
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
    r->painter->upload(r->paint, s->ball, s->balls);
    stream_fill(&r->lines, GL_ARRAY_BUFFER, r->overlay.point, (size_t)r->overlay.count * sizeof *r->overlay.point);
}

const struct surface *renderer_surface(const struct renderer *r) { return &r->surface; }

// ---- the passes ----------------------------------------------------------------------------------------------------

static struct setting setting_of(const struct renderer *r)
{
    return (struct setting){.model = r->model,
                            .bounds = &r->surface.bounds,
                            .width = r->width,
                            .height = r->height,
                            .samples = r->samples.framebuffer ? r->samples.samples : 1,
                            .shadow_size = r->shadow.width};
}

static void use_block(struct renderer *r, const struct scene_block *b)
{
    glBindBuffer(GL_UNIFORM_BUFFER, r->scene_buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof *b, b, GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, r->scene_buffer);
}

static void draw_mesh(struct renderer *r, enum program program)
{
    if (r->surface.indices > 0)
    {
        glUseProgram(r->programs[program]);
        glBindVertexArray(r->mesh_array);
        glDrawElements(GL_TRIANGLES, r->surface.indices, GL_UNSIGNED_INT, NULL);
    }
    if (r->solids.seen > 0)
    {
        glUseProgram(r->programs[program]);
        glBindVertexArray(r->solid_array);
        glDrawElements(GL_TRIANGLES, r->solids.seen, GL_UNSIGNED_INT, NULL);
    }
}

// Over everything else, from the farthest to the nearest, and of each the far sides first; it hides nothing and casts no shadow.
static void draw_glass(struct renderer *r, vec3 eye)
{
    if (r->solids.panes == 0)
    {
        return;
    }
    solids_sort(&r->solids, eye);
    glUseProgram(r->programs[PROGRAM_GLASS]);
    glBindVertexArray(r->solid_array);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glEnable(GL_CULL_FACE);
    for (int i = 0; i < 2 * r->solids.panes; i++)
    {
        const struct pane *p = &r->solids.pane[i / 2];
        glCullFace(i % 2 ? GL_BACK : GL_FRONT);
        glDrawElements(GL_TRIANGLES, p->count, GL_UNSIGNED_INT, (const void *)((size_t)p->first * sizeof(uint32_t)));
    }
    glDisable(GL_CULL_FACE);
    glDisable(GL_BLEND);
}

static void draw_screen(struct renderer *r, enum program program)
{
    glUseProgram(r->programs[program]);
    glBindVertexArray(r->empty_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void bind_texture(int unit_number, GLuint texture)
{
    glActiveTexture((GLenum)(GL_TEXTURE0 + unit_number));
    glBindTexture(GL_TEXTURE_2D, texture);
}

static void pass_shadow(struct renderer *r, const struct pass *pass)
{
    bind_texture(0, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, r->shadow.framebuffer);
    glViewport(0, 0, r->shadow.width, r->shadow.height);
    glClear(GL_DEPTH_BUFFER_BIT);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.5f, 3.0f);
    draw_mesh(r, PROGRAM_MESH_SHADE);
    r->painter->draw(r->paint, pass);
    glDisable(GL_POLYGON_OFFSET_FILL);
}

static void pass_scene(struct renderer *r, const struct pass *pass, const struct look *look)
{
    bool many = r->samples.framebuffer != 0;
    bind_texture(0, r->shadow.depth);
    bind_texture(1, 0);
    bind_texture(2, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, many ? r->samples.framebuffer : r->picture.framebuffer);
    glViewport(0, 0, r->width, r->height);
    glClear(GL_DEPTH_BUFFER_BIT | GL_COLOR_BUFFER_BIT);
    draw_mesh(r, PROGRAM_MESH);
    r->painter->draw(r->paint, pass);
    if (look->floor && pass->eye.y > r->model->floor)
    {
        glUseProgram(r->programs[PROGRAM_FLOOR]);
        glBindVertexArray(r->empty_array);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    if (r->overlay.count > 0)
    {
        glUseProgram(r->programs[PROGRAM_LINE]);
        glBindVertexArray(r->line_array);
        glDrawArrays(GL_LINES, 0, r->overlay.plain);
        glDisable(GL_DEPTH_TEST); // what is inside is to be seen
        glDrawArrays(GL_LINES, r->overlay.plain, r->overlay.count - r->overlay.plain);
        glEnable(GL_DEPTH_TEST);
    }
    glDepthMask(GL_FALSE); // the sky is behind everything, and is drawn last, where nothing else is
    draw_screen(r, PROGRAM_SKY);
    draw_glass(r, pass->eye);
    glDepthMask(GL_TRUE);
    if (many)
    {
        glBindFramebuffer(GL_READ_FRAMEBUFFER, r->samples.framebuffer);
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, r->picture.framebuffer);
        glBlitFramebuffer(0, 0, r->width, r->height, 0, 0, r->width, r->height,
                          GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT, GL_NEAREST);
    }
}

static void pass_contact(struct renderer *r)
{
    glBindFramebuffer(GL_FRAMEBUFFER, r->contact.framebuffer);
    glViewport(0, 0, r->contact.width, r->contact.height);
    bind_texture(1, r->picture.depth);
    draw_screen(r, PROGRAM_CONTACT);
}

void renderer_draw(struct renderer *r, const struct camera *c, const struct look *look, unsigned framebuffer)
{
    struct scene_block block = {0};
    struct setting setting = setting_of(r);
    struct pass pass = views_sun(&setting, c, look, &block);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glDisable(GL_BLEND);
    glDisable(GL_CULL_FACE);
    glDisable(GL_SCISSOR_TEST);
    glEnable(GL_MULTISAMPLE);
    use_block(r, &block);
    if (look->shadows && !r->shadow_drawn) // what the sun sees does not depend on the camera
    {
        pass_shadow(r, &pass);
        r->shadow_drawn = true;
    }
    pass = views_camera(&setting, c, &block);
    use_block(r, &block);
    pass_scene(r, &pass, look);
    glDisable(GL_DEPTH_TEST);
    if (look->contact)
    {
        pass_contact(r);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, r->width, r->height);
    bind_texture(1, 0);
    bind_texture(2, r->picture.colour);
    bind_texture(3, r->contact.colour);
    glUseProgram(r->programs[PROGRAM_FINAL]);
    glUniform1f(r->contact_on, look->contact ? 1.0f : 0.0f);
    draw_screen(r, PROGRAM_FINAL);
    bind_texture(3, 0);
}

void renderer_picture(struct renderer *r, const struct camera *c, const struct look *look, uint8_t *rgb)
{
    size_t row = 3 * (size_t)r->width;
    renderer_draw(r, c, look, r->final.framebuffer);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, r->final.framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, r->width, r->height, GL_RGB, GL_UNSIGNED_BYTE, rgb);
    for (size_t top = 0, bottom = (size_t)r->height - 1; top < bottom; top++, bottom--) // OpenGL begins at the bottom
    {
        uint8_t *a = rgb + top * row, *b = rgb + bottom * row;
        for (size_t i = 0; i < row; i++)
        {
            uint8_t t = a[i];
            a[i] = b[i];
            b[i] = t;
        }
    }
}

bool renderer_project(const struct renderer *r, const struct camera *c, vec3 point, float *x, float *y)
{
    struct setting setting = setting_of(r);
    mat4 clip = views_clip(&setting, c);
    vec3 p = mat4_project(&clip, point);
    *x = (0.5f + 0.5f * p.x) * (float)r->width;
    *y = (0.5f - 0.5f * p.y) * (float)r->height;
    return dot(sub(point, c->eye), sub(c->target, c->eye)) > 0.0f;
}
