// viewer.c: pliant_bench_viewer, what a picture costs, at 1280 x 720 with one sample a pixel, as the window draws it in software.
//
// A block of grains is drawn with and without its parts, and a sheet of as many spheres side by side, none behind another: what a
// pixel of a sphere costs. Processor time is that of all threads of the program; wall time means little on a busy machine.
#include "message.h"
#include "offscreen.h"
#include "renderer.h"

#include <epoxy/gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum
{
    WIDTH = 1280,
    HEIGHT = 720,
    ROUNDS = 15,
};

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(bool good)
{
    if (!good)
    {
        fprintf(stderr, "pliant_bench_viewer: %s\n", viewer_message());
        exit(1);
    }
}

static pl_world *world_of(int nx, int ny, int nz)
{
    int count = nx * ny * nz;
    float *position = malloc(3 * (size_t)count * sizeof *position), *radius = malloc((size_t)count * sizeof *radius);
    pl_world_def def = pl_default_world_def();
    pl_particles_def grains = pl_default_particles_def();
    pl_world *world = NULL;
    pl_id id;
    for (int i = 0; position && radius && i < count; i++)
    {
        position[3 * i] = 0.02f * ((float)(i % nx) - 0.5f * (float)nx);
        position[3 * i + 1] = 0.01f + 0.02f * (float)(i / nx % ny);
        position[3 * i + 2] = 0.02f * ((float)(i / nx / ny) - 0.5f * (float)nz);
        radius[i] = 0.01f;
    }
    grains.count = count;
    grains.position = position;
    def.threads = 1;
    must(position && radius && pl_world_create(&def, &world) == PL_OK &&
         pl_add_particles(world, &grains, &id) == PL_OK &&
         pl_set(world, PL_ATTRIBUTE_RADIUS, 0, count, radius) == PL_OK);
    free(position);
    free(radius);
    return world;
}

struct cost
{
    double processor, wall; // ms, the least of all rounds
};

struct studio
{
    struct renderer *renderer;
    struct model model;
    struct frame frame;
    struct camera camera;
};

static struct cost measure(struct studio *s, const struct look *look, bool upload)
{
    struct cost best = {1e30, 1e30};
    for (int i = 0; i < ROUNDS; i++)
    {
        double processor = seconds(CLOCK_PROCESS_CPUTIME_ID), wall = seconds(CLOCK_MONOTONIC);
        if (upload)
        {
            renderer_upload(s->renderer, &s->frame, look);
        }
        renderer_draw(s->renderer, &s->camera, look, 0);
        glFinish();
        processor = 1e3 * (seconds(CLOCK_PROCESS_CPUTIME_ID) - processor);
        wall = 1e3 * (seconds(CLOCK_MONOTONIC) - wall);
        best.processor = processor < best.processor ? processor : best.processor;
        best.wall = wall < best.wall ? wall : best.wall;
    }
    return best;
}

static void put(const char *what, struct cost c) { printf("| %-58s | %9.1f | %7.1f |\n", what, c.processor, c.wall); }

static void open_studio(struct studio *s, const pl_world *world)
{
    *s = (struct studio){0};
    must(renderer_create(&s->renderer) && renderer_resize(s->renderer, WIDTH, HEIGHT, 1) &&
         model_take(&s->model, world) && renderer_set_model(s->renderer, &s->model) &&
         frame_take(&s->frame, world, NULL));
    s->camera = model_camera(&s->model, &(pl_camera){0}, (float)WIDTH / HEIGHT);
}

static void close_studio(struct studio *s)
{
    renderer_destroy(s->renderer);
    model_free(&s->model);
    frame_free(&s->frame);
}

int main(void)
{
    struct offscreen screen;
    struct studio s;
    struct look all = default_look(), plain = {.floor = false};
    must(offscreen_open(&screen));
    all.contact = false; // as the window has it in software
    all.quick = plain.quick = true;
    printf("%s, %d x %d, one sample a pixel, the least of %d rounds\n\n", (const char *)glGetString(GL_RENDERER), WIDTH,
           HEIGHT, ROUNDS);
    printf("| %-58s | processor | wall ms |\n| --- | --- | --- |\n", "what is drawn");
    pl_world *world = world_of(47, 46, 47);
    open_studio(&s, world);
    struct look bare = all;
    bare.shadows = false;
    struct cost whole = measure(&s, &all, true), shown = measure(&s, &bare, false);
    struct cost spheres = measure(&s, &plain, false);
    put("101,614 spheres in a block, floor, sky, shadows, upload", whole);
    put("... without shadows, and without the upload", shown);
    put("... the spheres and the sky alone", spheres);
    int balls = s.model.spheres;
    s.model.spheres = 0;
    renderer_upload(s.renderer, &s.frame, &all);
    struct cost empty = measure(&s, &all, false), sky = measure(&s, &plain, false);
    put("no spheres: floor, sky, an empty shadow map", empty);
    put("no spheres: the sky", sky);
    s.model.spheres = balls;
    close_studio(&s);
    pl_world_destroy(world);

    // 400 x 250 spheres that fill the picture: 9 pixels in 10 are a sphere's.
    world = world_of(400, 250, 1);
    open_studio(&s, world);
    s.camera = (struct camera){.eye = v3(0.0f, 2.5f, 7.0f), .target = v3(0.0f, 2.5f, 0.0f), .fov = 35.0f};
    renderer_upload(s.renderer, &s.frame, &plain);
    struct cost sheet = measure(&s, &plain, false);
    put("100,000 spheres side by side, none hidden, no shadows", sheet);
    printf("\nA block's spheres with their shadows cost %.1f ms of processor time more than the same picture without "
           "them.\n"
           "Filling the picture with spheres costs %.1f ns a pixel; filling it with sky, %.1f ns.\n",
           whole.processor - empty.processor, 1e6 * sheet.processor / (WIDTH * HEIGHT),
           1e6 * sky.processor / (WIDTH * HEIGHT));
    close_studio(&s);
    pl_world_destroy(world);
    offscreen_close(&screen);
    return 0;
}
