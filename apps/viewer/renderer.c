// renderer.c: see renderer.h. A picture is made in five passes: what the sun sees (the shadow map), the scene with several
// samples a pixel, the samples resolved, the shade of contacts out of the depths, and all put together.
#include "renderer.h"

#include "graphics.h"
#include "message.h"
#include "overlay.h"
#include "shaders.h"
#include "solids.h"
#include "specks.h"

#include <stdlib.h>
#include <string.h>

enum program
{
    PROGRAM_MESH,
    PROGRAM_GLASS,
    PROGRAM_BALL,
    PROGRAM_MESH_SHADE,
    PROGRAM_BALL_SHADE,
    PROGRAM_SPECK,
    PROGRAM_SPECK_SHADE,
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
    [PROGRAM_BALL] = {"ball",
                      {glsl_head, glsl_ball_vertex},
                      {glsl_head, glsl_ball_geometry},
                      {glsl_head, glsl_light, glsl_ball_fragment}},
    [PROGRAM_MESH_SHADE] = {"mesh shade", {glsl_head, glsl_shade_vertex}, {NULL}, {glsl_head, glsl_shade_fragment}},
    [PROGRAM_BALL_SHADE] = {"ball shade",
                            {glsl_head, glsl_ball_vertex},
                            {glsl_head, glsl_ball_geometry},
                            {glsl_head, glsl_ball_shade_fragment}},
    [PROGRAM_SPECK] = {"speck", {glsl_head, glsl_speck_vertex}, {NULL}, {glsl_head, glsl_light, glsl_speck_fragment}},
    [PROGRAM_SPECK_SHADE] = {"speck shade", {glsl_head, glsl_speck_vertex}, {NULL}, {glsl_head, glsl_shade_fragment}},
    [PROGRAM_FLOOR] = {"floor", {glsl_head, glsl_floor_vertex}, {NULL}, {glsl_head, glsl_light, glsl_floor_fragment}},
    [PROGRAM_SKY] = {"sky", {glsl_head, glsl_screen_vertex}, {NULL}, {glsl_head, glsl_light, glsl_sky_fragment}},
    [PROGRAM_CONTACT] = {"contact", {glsl_head, glsl_screen_vertex}, {NULL}, {glsl_head, glsl_contact_fragment}},
    [PROGRAM_FINAL] = {"final", {glsl_head, glsl_screen_vertex}, {NULL}, {glsl_head, glsl_final_fragment}},
    [PROGRAM_LINE] = {"line", {glsl_head, glsl_line_vertex}, {NULL}, {glsl_head, glsl_line_fragment}},
};

// The block `scene` of the shaders.
struct scene_block
{
    mat4 clip_from_world, world_from_clip, shadow_from_world;
    float eye[4], forward[4], sun[4], screen[4], ground[4], middle[4];
};

enum
{
    SHADOW_SIZE = 2048, // pixels each way
    SPECK_SHADOW_SIZE = 1024,
    MANY_BALLS = 20000, // from here on they are drawn as specks
};

struct renderer
{
    GLuint programs[PROGRAM_COUNT];
    GLint contact_on;
    GLuint mesh_array, solid_array, ball_array, line_array, empty_array, scene_buffer;
    struct stream vertices, indices, solid_vertices, solid_indices, balls, lines;
    struct target samples, picture, shadow, contact, final;
    int width, height;
    const struct model *model;
    struct surface surface;
    struct overlay overlay;
    struct specks specks;
    struct solids solids;
    struct stream orders;
};

struct look default_look(void) { return (struct look){.shadows = true, .contact = true, .floor = true}; }

// ---- making --------------------------------------------------------------------------------------------------------

static void attribute(GLuint number, int count, GLenum type, size_t stride, size_t offset)
{
    glEnableVertexAttribArray(number);
    glVertexAttribPointer(number, count, type, type == GL_UNSIGNED_BYTE, (GLsizei)stride, (const void *)offset);
}

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

    glGenVertexArrays(1, &r->ball_array);
    glBindVertexArray(r->ball_array);
    stream_fill(&r->balls, GL_ARRAY_BUFFER, NULL, 4);
    attribute(0, 4, GL_FLOAT, sizeof(struct ball), 0); // centre and radius
    attribute(1, 4, GL_UNSIGNED_BYTE, sizeof(struct ball), offsetof(struct ball, colour));

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
    bool good = true;
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
    const GLuint buffers[] = {r->vertices.buffer, r->indices.buffer,        r->balls.buffer,        r->lines.buffer,
                              r->scene_buffer,    r->solid_vertices.buffer, r->solid_indices.buffer};
    const GLuint arrays[] = {r->mesh_array, r->solid_array, r->ball_array, r->line_array, r->empty_array};
    glDeleteBuffers(7, buffers);
    glDeleteVertexArrays(5, arrays);
    free_targets(r);
    target_free(&r->shadow);
    surface_free(&r->surface);
    overlay_free(&r->overlay);
    glDeleteBuffers(1, &r->orders.buffer);
    specks_free(&r->specks);
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
    stream_fill(&r->balls, GL_ARRAY_BUFFER, s->ball, (size_t)s->balls * sizeof *s->ball);
    stream_fill(&r->lines, GL_ARRAY_BUFFER, r->overlay.point, (size_t)r->overlay.count * sizeof *r->overlay.point);
}

const struct surface *renderer_surface(const struct renderer *r) { return &r->surface; }

// ---- where everything is -------------------------------------------------------------------------------------------

static void set4(float out[4], vec3 v, float w)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
    out[3] = w;
}

// The sun's own view: parallel rays through a box around the scene. It moves in whole texels and grows in steps, so that
// shadows do not crawl from frame to frame.
static void sun_view(const struct renderer *r, vec3 sun, struct scene_block *b)
{
    const struct bounds *all = &r->surface.bounds;
    float radius = exp2f(ceilf(log2f(1.05f * bounds_radius(all)) * 4.0f) / 4.0f);
    float texel = 2.0f * radius / (float)r->shadow.width;
    mat4 turn = mat4_look(v3(0.0f, 0.0f, 0.0f), scale(sun, -1.0f), v3(0.0f, 1.0f, 0.0f)), back;
    mat4_invert(&turn, &back);
    vec3 c = mat4_project(&turn, bounds_centre(all));
    c.x = floorf(c.x / texel) * texel;
    c.y = floorf(c.y / texel) * texel;
    vec3 centre = mat4_project(&back, c);
    float drop = fmaxf((centre.y + radius - r->model->floor) / sun.y, 0.0f);
    mat4 view = mat4_look(add(centre, scale(sun, radius)), centre, v3(0.0f, 1.0f, 0.0f));
    mat4 projection = mat4_orthographic(radius, radius, 0.0f, 2.0f * radius + drop);
    b->clip_from_world = mat4_multiply(&projection, &view);
    mat4_invert(&b->clip_from_world, &b->world_from_clip);
    set4(b->eye, add(centre, scale(sun, radius)), 0.0f);
    set4(b->forward, scale(sun, -1.0f), 4.0f * radius);
    const mat4 half = {{0.5f, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0, 0.5f, 0, 0.5f, 0.5f, 0.5f, 1.0f}};
    b->shadow_from_world = mat4_multiply(&half, &b->clip_from_world);
}

static mat4 clip_of(const struct renderer *r, const struct camera *c)
{
    // Enclose where it is and where it was: a scene may travel.
    struct bounds b = r->surface.bounds;
    float aspect = (float)r->width / (float)r->height;
    return camera_clip_from_world(c, aspect, bounds_centre(&b),
                                  fmaxf(bounds_radius(&b), bounds_radius(&r->model->start)));
}

static void camera_view_block(const struct renderer *r, const struct camera *c, struct scene_block *b)
{
    b->clip_from_world = clip_of(r, c);
    mat4_invert(&b->clip_from_world, &b->world_from_clip);
    set4(b->eye, c->eye, 1.0f);
    set4(b->forward, unit(sub(c->target, c->eye)), 0.0f);
}

// A cell of 1, 2 or 5 times a power of ten metres, several of them under the scene.
static float grid_cell(float radius)
{
    float step = powf(10.0f, floorf(log10f(0.45f * radius))), left = 0.45f * radius / step;
    return step * (left >= 5.0f ? 5.0f : left >= 2.0f ? 2.0f : 1.0f);
}

static void common_block(const struct renderer *r, const struct camera *c, vec3 sun, const struct look *look,
                         struct scene_block *b)
{
    float radius = bounds_radius(&r->model->start);
    float fade = fmaxf(45.0f * radius, 12.0f * (c->eye.y - r->model->floor));
    set4(b->sun, sun, 0.0045f);
    set4(b->screen, v3((float)r->width, (float)r->height, 0.0f), 0.0f);
    set4(b->ground, v3(r->model->floor, grid_cell(fade / 45.0f), fade), look->shadows ? 1.0f : 0.0f);
    set4(b->middle, bounds_centre(&r->surface.bounds), radius);
}

static void use_block(struct renderer *r, const struct scene_block *b)
{
    glBindBuffer(GL_UNIFORM_BUFFER, r->scene_buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof *b, b, GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, r->scene_buffer);
}

// ---- the passes ----------------------------------------------------------------------------------------------------

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

// Over everything else, the far sides first; it hides nothing and casts no shadow.
static void draw_glass(struct renderer *r)
{
    int count = r->solids.indices - r->solids.seen;
    if (count == 0)
    {
        return;
    }
    glUseProgram(r->programs[PROGRAM_GLASS]);
    glBindVertexArray(r->solid_array);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glEnable(GL_CULL_FACE);
    for (int near = 0; near < 2; near++)
    {
        glCullFace(near ? GL_BACK : GL_FRONT);
        glDrawElements(GL_TRIANGLES, count, GL_UNSIGNED_INT, (const void *)((size_t)r->solids.seen * sizeof(uint32_t)));
    }
    glDisable(GL_CULL_FACE);
    glDisable(GL_BLEND);
}

static void draw_balls(struct renderer *r, enum program program)
{
    if (r->surface.balls > 0)
    {
        glUseProgram(r->programs[program]);
        glBindVertexArray(r->ball_array);
        glDrawArrays(GL_POINTS, 0, r->surface.balls);
    }
}

// pixels: see the shader.
static void draw_specks(struct renderer *r, enum program program, vec3 eye, const mat4 *view, float pixels)
{
    GLuint p = r->programs[program];
    vec3 forward = v3(-view->m[2], -view->m[6], -view->m[10]);
    bool sorted = specks_sort(&r->specks, &r->surface, eye, forward);
    glUseProgram(p);
    glUniform1f(glGetUniformLocation(p, "pixels"), pixels);
    glUniform3f(glGetUniformLocation(p, "picture_right"), view->m[0], view->m[4], view->m[8]);
    glUniform3f(glGetUniformLocation(p, "picture_up"), view->m[1], view->m[5], view->m[9]);
    glBindVertexArray(r->ball_array);
    glEnable(GL_PROGRAM_POINT_SIZE);
    if (sorted)
    {
        stream_fill(&r->orders, GL_ELEMENT_ARRAY_BUFFER, r->specks.order, (size_t)r->surface.balls * sizeof(uint32_t));
        glDrawElements(GL_POINTS, r->surface.balls, GL_UNSIGNED_INT, NULL);
    }
    else
    {
        glDrawArrays(GL_POINTS, 0, r->surface.balls);
    }
    glDisable(GL_PROGRAM_POINT_SIZE);
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

// How many pixels of the shadow map a metre takes: the length of the matrix' first row.
static float shadow_pixels(const struct renderer *r, const struct scene_block *b)
{
    const float *m = b->clip_from_world.m;
    return 0.5f * (float)r->shadow.width * length(v3(m[0], m[4], m[8]));
}

static void pass_shadow(struct renderer *r, const struct scene_block *b)
{
    bind_texture(0, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, r->shadow.framebuffer);
    glViewport(0, 0, r->shadow.width, r->shadow.height);
    glClear(GL_DEPTH_BUFFER_BIT);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.5f, 3.0f);
    draw_mesh(r, PROGRAM_MESH_SHADE);
    if (r->surface.balls >= MANY_BALLS)
    {
        // A metre's share of the map; squares of the same area as the discs.
        float pixels = 0.886f * shadow_pixels(r, b);
        mat4 view = mat4_look(v3_at(b->eye), add(v3_at(b->eye), v3_at(b->forward)), v3(0.0f, 1.0f, 0.0f));
        draw_specks(r, PROGRAM_SPECK_SHADE, v3_at(b->eye), &view, pixels);
    }
    else
    {
        draw_balls(r, PROGRAM_BALL_SHADE);
    }
    glDisable(GL_POLYGON_OFFSET_FILL);
}

static void pass_scene(struct renderer *r, const struct camera *c, const struct look *look)
{
    bool many = r->samples.framebuffer != 0;
    bind_texture(0, r->shadow.depth);
    bind_texture(1, 0);
    bind_texture(2, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, many ? r->samples.framebuffer : r->picture.framebuffer);
    glViewport(0, 0, r->width, r->height);
    glClear(GL_DEPTH_BUFFER_BIT | GL_COLOR_BUFFER_BIT);
    draw_mesh(r, PROGRAM_MESH);
    if (r->surface.balls >= MANY_BALLS)
    {
        mat4 view = camera_view(c);
        draw_specks(r, PROGRAM_SPECK, c->eye, &view, 0.5f * (float)r->height / tanf(c->fov * (float)M_PI / 360.0f));
    }
    else
    {
        (many ? glEnable : glDisable)(GL_SAMPLE_ALPHA_TO_COVERAGE); // soft silhouettes
        draw_balls(r, PROGRAM_BALL);
        glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    }
    if (look->floor && c->eye.y > r->model->floor)
    {
        glUseProgram(r->programs[PROGRAM_FLOOR]);
        glBindVertexArray(r->empty_array);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    if (r->overlay.count > 0)
    {
        glUseProgram(r->programs[PROGRAM_LINE]);
        glBindVertexArray(r->line_array);
        glDrawArrays(GL_LINES, 0, r->overlay.count);
    }
    glDepthMask(GL_FALSE); // the sky is behind everything, and is drawn last, where nothing else is
    draw_screen(r, PROGRAM_SKY);
    draw_glass(r);
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
    vec3 sun = unit(v3(0.48f, 0.80f, 0.52f));
    common_block(r, c, sun, look, &block);
    sun_view(r, sun, &block);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glDisable(GL_BLEND);
    glDisable(GL_CULL_FACE);
    glDisable(GL_SCISSOR_TEST);
    glEnable(GL_MULTISAMPLE);
    use_block(r, &block);
    if (look->shadows)
    {
        pass_shadow(r, &block);
    }
    camera_view_block(r, c, &block);
    use_block(r, &block);
    pass_scene(r, c, look);
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
    mat4 clip = clip_of(r, c);
    vec3 p = mat4_project(&clip, point);
    *x = (0.5f + 0.5f * p.x) * (float)r->width;
    *y = (0.5f - 0.5f * p.y) * (float)r->height;
    return dot(sub(point, c->eye), sub(c->target, c->eye)) > 0.0f;
}
