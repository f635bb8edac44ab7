// beside.c: see beside.h.
#include "beside.h"

#include "message.h"

#include <epoxy/gl.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_STEPS = 8, // that are asked for at once
};

struct beside
{
    int64_t expected; // the frame that the steps asked for lead to
    struct session *session;
    struct renderer *renderer;
    struct model model;
    struct frame frame;
    struct look look;
    bool has_model;
    int width, height, samples;
    char **sets; // the command line's are at the front, and are not ours
    int set_count, own;
};

static bool take_changes(struct beside *b, const struct session_def *def, const struct parameters *p)
{
    b->sets = calloc((size_t)def->set_count + (size_t)p->count + 1, sizeof *b->sets);
    if (!b->sets)
    {
        return trouble("no memory for a second view; free some memory");
    }
    for (int i = 0; i < def->set_count; i++)
    {
        b->sets[b->set_count++] = (char *)def->sets[i];
    }
    b->own = b->set_count;
    for (int i = 0; i < p->count; i++)
    {
        if (memcmp(p->now[i].value, p->original[i].value, sizeof p->now[i].value) != 0)
        {
            char text[SESSION_TEXT];
            change_text(&p->now[i], p->now[i].value, text, sizeof text);
            b->sets[b->set_count] = strdup(text);
            b->set_count += b->sets[b->set_count] != NULL;
        }
    }
    return true;
}

struct beside *beside_open(const struct session_def *def, const char *scene, const struct parameters *parameters)
{
    struct beside *b = calloc(1, sizeof *b);
    struct session_def own = *def;
    if (!b || !take_changes(b, def, parameters))
    {
        free(b);
        return NULL;
    }
    own.scene = scene;
    own.sets = (const char *const *)b->sets;
    own.set_count = b->set_count;
    own.paused = true;
    if (!renderer_create(&b->renderer) || !session_open(&b->session, &own))
    {
        beside_close(b);
        return NULL;
    }
    return b;
}

void beside_close(struct beside *b)
{
    if (!b)
    {
        return;
    }
    if (b->session)
    {
        session_close(b->session);
    }
    renderer_destroy(b->renderer);
    model_free(&b->model);
    frame_free(&b->frame);
    for (int i = b->own; i < b->set_count; i++)
    {
        free(b->sets[i]);
    }
    free(b->sets);
    free(b);
}

void beside_ask(struct beside *b, const struct wish *wish)
{
    switch (wish->kind)
    {
    case WISH_RESET:
    case WISH_BACK:
        b->expected = 0;
        session_ask(b->session, wish);
        break;
    case WISH_WATCH:
        session_ask(b->session, wish);
        break;
    default:
        break;
    }
}

void beside_follow(struct beside *b, int64_t frame)
{
    struct session_state state;
    session_look(b->session, &state);
    if (state.frame < b->expected) // it has steps to take still
    {
        return;
    }
    for (b->expected = state.frame; b->expected < frame && b->expected < state.frame + MOST_STEPS; b->expected++)
    {
        session_ask(b->session, &(struct wish){.kind = WISH_STEP});
    }
}

static bool follow(struct beside *b, const struct look *look)
{
    struct model fresh;
    bool good = true, again = memcmp(&b->look, look, sizeof *look) != 0;
    if (session_take_model(b->session, &fresh))
    {
        struct model old = b->model;
        b->model = fresh;
        b->has_model = again = true;
        good = renderer_set_model(b->renderer, &b->model);
        model_free(&old);
    }
    again |= session_take_frame(b->session, &b->frame);
    if (good && again && b->frame.particles == b->model.particles && b->frame.points == b->model.points)
    {
        renderer_upload(b->renderer, &b->frame, look);
        b->look = *look;
    }
    return good;
}

bool beside_draw(struct beside *b, const struct camera *c, const struct look *look, int x, int width, int height,
                 int samples)
{
    if (width != b->width || height != b->height || samples != b->samples)
    {
        b->width = width;
        b->height = height;
        b->samples = samples;
        if (!renderer_resize(b->renderer, width, height, samples))
        {
            return false;
        }
    }
    if (!follow(b, look))
    {
        return false;
    }
    if (b->has_model)
    {
        renderer_show(b->renderer, c, look, x);
    }
    return true;
}

void beside_picture(struct beside *b, const struct camera *c, const struct look *look, uint8_t *rgb)
{
    if (b->has_model && b->width > 0)
    {
        renderer_picture(b->renderer, c, look, rgb);
    }
}
