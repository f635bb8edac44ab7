// views.c: see views.h.
#include "views.h"

static void set4(float out[4], vec3 v, float w)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
    out[3] = w;
}

// The angle over which the light of the sun comes, rad: a large lamp's, for soft shadows.
#define SUN_SIZE 0.09f

// The sun's own view: parallel rays through a box around the scene. It moves in whole texels and grows in steps, so that
// shadows do not crawl from frame to frame.
static void sun_view(const struct setting *s, vec3 sun, struct scene_block *b)
{
    const struct bounds *all = s->bounds;
    float radius = exp2f(ceilf(log2f(1.05f * bounds_radius(all)) * 4.0f) / 4.0f);
    float texel = 2.0f * radius / (float)s->shadow_size;
    mat4 turn = mat4_look(v3(0.0f, 0.0f, 0.0f), scale(sun, -1.0f), v3(0.0f, 1.0f, 0.0f)), back;
    mat4_invert(&turn, &back);
    vec3 c = mat4_project(&turn, bounds_centre(all));
    c.x = floorf(c.x / texel) * texel;
    c.y = floorf(c.y / texel) * texel;
    vec3 centre = mat4_project(&back, c);
    float drop = fmaxf((centre.y + radius - s->model->floor) / sun.y, 0.0f);
    mat4 view = mat4_look(add(centre, scale(sun, radius)), centre, v3(0.0f, 1.0f, 0.0f));
    mat4 projection = mat4_orthographic(radius, radius, 0.0f, 2.0f * radius + drop);
    b->clip_from_world = mat4_multiply(&projection, &view);
    mat4_invert(&b->clip_from_world, &b->world_from_clip);
    set4(b->eye, add(centre, scale(sun, radius)), 0.0f);
    set4(b->forward, scale(sun, -1.0f), 4.0f * radius);
    b->screen[3] = SUN_SIZE * (2.0f * radius + drop) / (2.0f * radius);
    const mat4 half = {{0.5f, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0, 0.5f, 0, 0.5f, 0.5f, 0.5f, 1.0f}};
    b->shadow_from_world = mat4_multiply(&half, &b->clip_from_world);
}

mat4 views_clip(const struct setting *s, const struct camera *c)
{
    // Enclose where it is and where it was: a scene may travel.
    struct bounds b = *s->bounds;
    float aspect = (float)s->width / (float)s->height;
    return camera_clip_from_world(c, aspect, bounds_centre(&b),
                                  fmaxf(bounds_radius(&b), bounds_radius(&s->model->start)));
}

struct pass views_camera(const struct setting *s, const struct camera *c, struct scene_block *b)
{
    b->clip_from_world = views_clip(s, c);
    mat4_invert(&b->clip_from_world, &b->world_from_clip);
    set4(b->eye, c->eye, 1.0f);
    set4(b->forward, unit(sub(c->target, c->eye)), 0.0f);
    return (struct pass){.perspective = true,
                         .clip_from_world = b->clip_from_world,
                         .view = camera_view(c),
                         .eye = c->eye,
                         .pixels = 0.5f * (float)s->height / tanf(c->fov * (float)M_PI / 360.0f),
                         .width = s->width,
                         .height = s->height,
                         .samples = s->samples,
                         .bounds = s->bounds};
}

// A cell of 1, 2 or 5 times a power of ten metres, several of them under the scene.
static float grid_cell(float radius)
{
    float step = powf(10.0f, floorf(log10f(0.45f * radius))), left = 0.45f * radius / step;
    return step * (left >= 5.0f ? 5.0f : left >= 2.0f ? 2.0f : 1.0f);
}

static void common_block(const struct setting *s, const struct camera *c, vec3 sun, const struct look *look,
                         struct scene_block *b)
{
    float radius = bounds_radius(&s->model->start);
    float fade = fmaxf(45.0f * radius, 12.0f * (c->eye.y - s->model->floor));
    set4(b->sun, sun, 0.0045f);
    set4(b->screen, v3((float)s->width, (float)s->height, look->quick ? 5.0f : 24.0f), 0.0f);
    set4(b->ground, v3(s->model->floor, grid_cell(fade / 45.0f), fade), look->shadows ? 1.0f : 0.0f);
    set4(b->middle, bounds_centre(s->bounds), radius);
}

vec3 views_to_sun(void) { return unit(v3(-0.60f, 0.72f, 0.38f)); }

struct pass views_sun(const struct setting *s, const struct camera *c, const struct look *look, struct scene_block *b)
{
    vec3 sun = views_to_sun();
    common_block(s, c, sun, look, b);
    sun_view(s, sun, b);
    const float *m = b->clip_from_world.m;
    // A metre takes as many pixels as the matrix' first row is long; squares have the area of the discs that they stand for.
    float pixels = 0.886f * 0.5f * (float)s->shadow_size * length(v3(m[0], m[4], m[8]));
    vec3 eye = v3_at(b->eye);
    return (struct pass){.shadow = true,
                         .clip_from_world = b->clip_from_world,
                         .view = mat4_look(eye, add(eye, v3_at(b->forward)), v3(0.0f, 1.0f, 0.0f)),
                         .eye = eye,
                         .pixels = pixels,
                         .width = s->shadow_size,
                         .height = s->shadow_size,
                         .samples = 1,
                         .bounds = s->bounds};
}
