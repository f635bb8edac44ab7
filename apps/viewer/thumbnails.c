// thumbnails.c: see thumbnails.h.
#include "thumbnails.h"

#include "session_parts.h"

#include <epoxy/gl.h>
#include <stdlib.h>
#include <string.h>

enum
{
    WIDTH = 240, // pixels
    HEIGHT = 135,
};

#define MOMENT 0.4 // s of computing that a scene may take for its picture

struct thumbnails
{
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t taken;
    bool leave, ready; // ready: model, frame and camera are of the scene `next`
    int next, count;
    struct model model;
    struct frame frame;
    struct camera camera;
    bool empty; // the scene could not be made

    // of the window alone
    struct renderer *renderer;
    struct thumbnail *list;
    uint8_t rgb[3 * WIDTH * HEIGHT];
};

// ---- the thread -------------------------------------------------------------------------------------------------------

static bool leaving(struct thumbnails *t)
{
    pthread_mutex_lock(&t->lock);
    bool leave = t->leave;
    pthread_mutex_unlock(&t->lock);
    return leave;
}

static void run_a_moment(struct thumbnails *t, pl_scene *scene, pl_world *world, const pl_scene_info *info)
{
    double began = seconds_now();
    for (int i = 0; i < info->frames / 2 && seconds_now() - began < MOMENT && !leaving(t); i++)
    {
        if (pl_scene_before_step(scene, world) != PL_OK || pl_world_step(world, info->dt) != PL_OK)
        {
            return;
        }
    }
}

static bool make(struct thumbnails *t, const char *name)
{
    size_t length;
    const char *text = pl_builtin_scene(name, &length);
    pl_world_def def = pl_default_world_def();
    pl_scene *scene = NULL;
    pl_world *world = NULL;
    struct wants wants = {.fluid = true, .wax = true};
    def.threads = 1;
    bool good = text && pl_scene_parse(text, length, name, NULL, 0, &scene) == PL_OK &&
                pl_scene_world(scene, &def, &world) == PL_OK;
    if (good)
    {
        pl_scene_info info = pl_scene_describe(scene);
        struct model fresh = {0};
        good = model_take(&fresh, world);
        if (good)
        {
            model_set_scene(&fresh, &info);
            t->model = fresh;
            t->camera = model_camera(&t->model, &info.camera, (float)WIDTH / HEIGHT);
            run_a_moment(t, scene, world, &info);
            pl_tear_counts torn = pl_world_tears(world);
            good = torn.splits + torn.broken == t->model.torn && frame_take(&t->frame, world, &wants);
        }
    }
    pl_world_destroy(world);
    pl_scene_free(scene);
    return good;
}

static void *work(void *user)
{
    struct thumbnails *t = user;
    for (int i = 0; i < t->count && !leaving(t); i++)
    {
        bool good = make(t, pl_builtin_scene_name(i));
        pthread_mutex_lock(&t->lock);
        t->empty = !good;
        t->ready = true;
        while (t->ready && !t->leave)
        {
            pthread_cond_wait(&t->taken, &t->lock);
        }
        pthread_mutex_unlock(&t->lock);
    }
    return NULL;
}

// ---- the window -------------------------------------------------------------------------------------------------------

struct thumbnails *thumbnails_open(void)
{
    struct thumbnails *t = calloc(1, sizeof *t);
    if (!t)
    {
        return NULL;
    }
    while (pl_builtin_scene_name(t->count))
    {
        t->count++;
    }
    t->list = calloc((size_t)t->count + 1, sizeof *t->list);
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->taken, NULL);
    if (!t->list || !renderer_create(&t->renderer) || !renderer_resize(t->renderer, WIDTH, HEIGHT, 1) ||
        pthread_create(&t->thread, NULL, work, t) != 0)
    {
        renderer_destroy(t->renderer);
        free(t->list);
        free(t);
        return NULL;
    }
    return t;
}

void thumbnails_close(struct thumbnails *t)
{
    if (!t)
    {
        return;
    }
    pthread_mutex_lock(&t->lock);
    t->leave = true;
    pthread_cond_signal(&t->taken);
    pthread_mutex_unlock(&t->lock);
    pthread_join(t->thread, NULL);
    renderer_destroy(t->renderer);
    model_free(&t->model);
    frame_free(&t->frame);
    for (int i = 0; i < t->count; i++)
    {
        glDeleteTextures(1, &t->list[i].texture);
    }
    pthread_cond_destroy(&t->taken);
    pthread_mutex_destroy(&t->lock);
    free(t->list);
    free(t);
}

static void draw(struct thumbnails *t)
{
    struct look look = default_look();
    look.quick = true;
    GLuint *texture = &t->list[t->next].texture;
    if (!renderer_set_model(t->renderer, &t->model))
    {
        return;
    }
    renderer_upload(t->renderer, &t->frame, &look);
    renderer_picture(t->renderer, &t->camera, &look, t->rgb);
    glGenTextures(1, texture);
    glBindTexture(GL_TEXTURE_2D, *texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, WIDTH, HEIGHT, 0, GL_RGB, GL_UNSIGNED_BYTE, t->rgb);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
}

int thumbnails_draw(struct thumbnails *t)
{
    pthread_mutex_lock(&t->lock);
    bool ready = t->ready;
    pthread_mutex_unlock(&t->lock);
    if (ready)
    {
        if (!t->empty)
        {
            draw(t);
        }
        model_free(&t->model); // the renderer looks at it no more before it gets the next one
        frame_free(&t->frame);
        t->next++;
        pthread_mutex_lock(&t->lock);
        t->ready = false;
        pthread_cond_signal(&t->taken);
        pthread_mutex_unlock(&t->lock);
    }
    return t->next;
}

const struct thumbnail *thumbnails_list(const struct thumbnails *t, int *count)
{
    *count = t->next;
    return t->list;
}
