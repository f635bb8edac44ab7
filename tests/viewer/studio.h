// studio.h: what the tests that draw share: a context without a screen, a renderer with a world before it, and the pixels.
#ifndef PLIANT_TESTS_STUDIO_H
#define PLIANT_TESTS_STUDIO_H

#include "support/support.h"

#include "message.h"
#include "offscreen.h"
#include "renderer.h"
#include "views.h"

enum
{
    WIDTH = 320,
    HEIGHT = 180,
};

// The graphics driver leaks a little of its own, in a library that is gone by the time it is told.
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0"; }

struct studio
{
    struct renderer *renderer;
    struct model model;
    struct frame frame;
    struct camera camera;
    struct look look;
    uint8_t rgb[3 * WIDTH * HEIGHT];
};

static inline void sure(bool well)
{
    if (!well)
    {
        fail_msg("%s", viewer_message());
    }
}

static inline void open_studio(struct studio *s, const pl_world *world)
{
    *s = (struct studio){.look = default_look()};
    sure(renderer_create(&s->renderer));
    sure(renderer_resize(s->renderer, WIDTH, HEIGHT, renderer_max_samples() < 4 ? renderer_max_samples() : 4));
    sure(model_take(&s->model, world));
    sure(renderer_set_model(s->renderer, &s->model));
    s->camera = model_camera(&s->model, &(pl_camera){0}, (float)WIDTH / HEIGHT);
}

static inline void draw(struct studio *s, const pl_world *world)
{
    struct wants wants = look_wants(&s->look);
    sure(frame_take(&s->frame, world, &wants));
    renderer_upload(s->renderer, &s->frame, &s->look);
    renderer_picture(s->renderer, &s->camera, &s->look, s->rgb);
}

static inline void close_studio(struct studio *s)
{
    renderer_destroy(s->renderer);
    model_free(&s->model);
    frame_free(&s->frame);
}

static inline const uint8_t *pixel(const struct studio *s, vec3 point)
{
    float x, y;
    assert_true(renderer_project(s->renderer, &s->camera, point, &x, &y));
    assert_true(x >= 0 && x < WIDTH && y >= 0 && y < HEIGHT);
    return s->rgb + 3 * ((size_t)y * WIDTH + (size_t)x);
}

// Which of the three is by far the largest: 0, 1, 2, or -1: none, it is a grey.
static inline int main_channel(const uint8_t *p)
{
    for (int k = 0; k < 3; k++)
    {
        if (p[k] > 40 + p[(k + 1) % 3] && p[k] > 40 + p[(k + 2) % 3])
        {
            return k;
        }
    }
    return -1;
}

static inline int brightness(const uint8_t *p) { return p[0] + p[1] + p[2]; }

// Runs the tests with a context, or says why they cannot run.
static inline int run_in_studio(const struct CMUnitTest *tests, size_t count)
{
    struct offscreen screen;
    if (!offscreen_open(&screen))
    {
        printf("skipped: %s\n", viewer_message());
        return 77;
    }
    int failed = _cmocka_run_group_tests("viewer", tests, count, NULL, NULL);
    offscreen_close(&screen);
    return failed;
}

// 9 x 9 points of cloth.
static inline pl_world *world_with_sheet(bool upright)
{
    pl_world *world = make_world(1, 1);
    pl_cloth_def def = pl_default_cloth_def();
    pl_id id;
    def.columns = def.rows = 9;
    def.origin = upright ? (pl_vec3){-0.5f, 1.5f, 0.0f} : (pl_vec3){-0.5f, 0.5f, -0.5f};
    def.u = (pl_vec3){1.0f, 0.0f, 0.0f};
    def.v = upright ? (pl_vec3){0.0f, -1.0f, 0.0f} : (pl_vec3){0.0f, 0.0f, 1.0f};
    def.mass = 1.0f;
    good(pl_add_cloth(world, &def, &id));
    return world;
}

#endif
