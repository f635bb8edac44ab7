// renderer_draw.c: a picture, made in six passes: what the sun sees (the shadow map), the scene with several samples a pixel, the
// samples resolved, the shade of contacts out of the depths, the surface of fluids over it, and all put together.
#include "renderer_parts.h"

#include "views.h"

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
    glUseProgram(r->programs[program]);
    wax_painter_draw(&r->wax);
    body_painter_draw(&r->bodies, program == PROGRAM_MESH_SHADE);
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

// Out of the shadow map; its own comparison is off meanwhile.
static void draw_blockers(struct renderer *r)
{
    glBindFramebuffer(GL_FRAMEBUFFER, r->blockers.framebuffer);
    glViewport(0, 0, r->blockers.width, r->blockers.height);
    glDisable(GL_DEPTH_TEST);
    bind_texture(1, r->shadow.depth);
    glBindSampler(1, r->plain_depths);
    draw_screen(r, PROGRAM_BLOCKERS);
    glBindSampler(1, 0);
    bind_texture(1, 0);
    glEnable(GL_DEPTH_TEST);
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
    draw_blockers(r);
    fluid_painter_shade(&r->fluids);
}

static void pass_scene(struct renderer *r, const struct pass *pass, const struct look *look)
{
    bool many = r->samples.framebuffer != 0;
    bind_texture(0, r->shadow.depth);
    bind_texture(1, 0);
    bind_texture(2, 0);
    bind_texture(5, r->blockers.colour);
    glBindFramebuffer(GL_FRAMEBUFFER, many ? r->samples.framebuffer : r->picture.framebuffer);
    glViewport(0, 0, r->width, r->height);
    glClear(GL_DEPTH_BUFFER_BIT | GL_COLOR_BUFFER_BIT);
    draw_mesh(r, PROGRAM_MESH);
    r->painter->draw(r->paint, pass);
    if (look->floor && pass->eye.y > r->model->floor)
    {
        bool shade = r->fluids.count > 0 && r->fluids.shade.framebuffer;
        glUseProgram(r->programs[PROGRAM_FLOOR]);
        bind_texture(4, shade ? r->fluids.shade.colour : 0);
        glUniform1f(r->floor_clear, shade ? r->fluids.clear : 0.0f);
        glBindVertexArray(r->empty_array);
        glEnable(GL_POLYGON_OFFSET_FILL); // what lies on the ground is before it, however coarse depths are
        glPolygonOffset(1.0f, 16.0f);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        glDisable(GL_POLYGON_OFFSET_FILL);
    }
    if (r->overlay.count > 0)
    {
        glUseProgram(r->programs[PROGRAM_LINE]);
        glBindVertexArray(r->line_array);
        glDrawArrays(GL_LINES, 0, r->overlay.plain);
        glDisable(GL_DEPTH_TEST); // what is inside is to be seen
        glUseProgram(r->programs[PROGRAM_WIDE_LINE]);
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
    glViewport(0, 0, r->width, r->height);
    glEnable(GL_DEPTH_TEST);
    fluid_painter_draw(&r->fluids, &r->samples, &r->picture, r->shadow.depth);
    glDisable(GL_DEPTH_TEST);
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

void renderer_show(struct renderer *r, const struct camera *c, const struct look *look, int x)
{
    renderer_draw(r, c, look, r->final.framebuffer);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, r->final.framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, r->width, r->height, x, 0, x + r->width, r->height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
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
