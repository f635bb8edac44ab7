// session.c: see session.h.
#include "session.h"

#include "history.h"
#include "message.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
    WISHES = 64,
};

struct session
{
    pthread_t thread;
    pthread_mutex_t lock; // guards what follows, up to the next remark
    pthread_cond_t asked;
    struct wish wishes[WISHES];
    int wish_count;
    bool leave;
    struct session_state state;
    struct frame ready;
    bool frame_new;
    struct model model;
    bool model_new;

    // of the simulation's thread alone
    char scene_name[SESSION_TEXT];
    const char **sets;
    int set_count;
    pl_world_def def;
    pl_scene *scene;
    pl_world *world;
    pl_id drag;
    bool dragging;
    struct past past;
    struct frame frame;
    struct session_state now; // what `state` becomes next
    int steps;                // to take while paused
    float pick_radius;        // m, how far from a ray a particle may be
    double due;               // s, when the next step is due
};

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// ---- making known --------------------------------------------------------------------------------------------------

static void measure(struct session *s)
{
    struct session_state *n = &s->now;
    n->frame = pl_world_frame(s->world);
    n->time = pl_world_time(s->world);
    n->timing = pl_world_timing(s->world);
    n->energy = pl_world_energy(s->world);
    n->residual = pl_world_residual(s->world);
    n->settings = pl_world_settings(s->world);
    n->oldest = past_oldest(&s->past, n->time);
}

// fresh: a model that the window has not seen yet, or NULL.
static void publish(struct session *s, struct model *fresh)
{
    measure(s);
    bool framed = frame_take(&s->frame, s->world);
    pthread_mutex_lock(&s->lock);
    s->state = s->now;
    if (framed)
    {
        struct frame t = s->ready;
        s->ready = s->frame;
        s->frame = t;
        s->frame_new = true;
    }
    if (fresh)
    {
        if (s->model_new)
        {
            model_free(&s->model);
        }
        s->model = *fresh;
        s->model_new = true;
    }
    pthread_mutex_unlock(&s->lock);
}

static void complain(struct session *s, const char *why) { snprintf(s->now.trouble, sizeof s->now.trouble, "%s", why); }

// ---- worlds --------------------------------------------------------------------------------------------------------

static pl_result load_scene(struct session *s, const char *name, pl_scene **scene)
{
    size_t length;
    const char *text = pl_builtin_scene(name, &length);
    return text ? pl_scene_parse(text, length, name, s->sets, s->set_count, scene)
                : pl_scene_load(name, s->sets, s->set_count, scene);
}

static float first_compliance(const pl_world *world)
{
    pl_id ids[64];
    int count = pl_world_blocks(world, ids, 64);
    for (int i = 0; i < count && i < 64; i++)
    {
        pl_kind kind;
        int rows;
        float c;
        if (pl_block_info(world, ids[i], &kind, &rows) == PL_OK && kind == PL_KIND_DISTANCE && rows > 0 &&
            pl_get_rows(world, ids[i], PL_ROW_COMPLIANCE, 0, 1, &c) == PL_OK)
        {
            return c;
        }
    }
    return 0.0f;
}

static void end_drag(struct session *s)
{
    if (s->dragging)
    {
        pl_drag_end(s->world, s->drag);
    }
    s->dragging = false;
    s->now.dragged = -1;
}

// Puts a scene's fresh world in the place of the present one. Where that fails, the present one stays.
static bool begin(struct session *s, pl_scene *scene)
{
    pl_world *world;
    struct model model;
    if (pl_scene_world(scene, &s->def, &world) != PL_OK)
    {
        return trouble("%s", pl_error_message());
    }
    if (!model_take(&model, world))
    {
        pl_world_destroy(world);
        return false;
    }
    pl_scene_info info = pl_scene_describe(scene);
    model_set_scene(&model, &info);
    pl_world_destroy(s->world);
    if (s->scene != scene)
    {
        pl_scene_free(s->scene);
    }
    s->world = world;
    s->scene = scene;
    s->pick_radius = 0.04f * bounds_radius(&model.start);
    s->dragging = false;
    past_free(&s->past);
    snprintf(s->now.name, sizeof s->now.name, "%s", info.name);
    snprintf(s->now.about, sizeof s->now.about, "%s", info.about);
    s->now.trouble[0] = 0;
    s->now.camera = info.camera;
    s->now.dt = info.dt;
    s->now.original = pl_world_settings(world);
    s->now.compliance = first_compliance(world);
    s->now.dragged = -1;
    s->now.world_number++;
    s->now.ms = 0.0;
    past_keep(&s->past, world, HISTORY_SECONDS);
    publish(s, &model);
    return true;
}

static void load(struct session *s, const char *name)
{
    pl_scene *scene;
    if (load_scene(s, name, &scene) != PL_OK)
    {
        complain(s, pl_error_message());
        return;
    }
    if (!begin(s, scene))
    {
        complain(s, viewer_message());
        pl_scene_free(scene);
        return;
    }
    snprintf(s->scene_name, sizeof s->scene_name, "%s", name);
}

static void go_back(struct session *s, double time)
{
    size_t size;
    const void *data = past_find(&s->past, time, &size);
    pl_world *world;
    if (!data)
    {
        return;
    }
    if (pl_world_load_memory(&s->def, data, size, &world) != PL_OK)
    {
        complain(s, pl_error_message());
        return;
    }
    s->dragging = false; // its pin may not have been there then
    s->now.dragged = -1;
    pl_world_destroy(s->world);
    s->world = world;
    s->now.playing = false;
}

static void set_compliance(struct session *s, float value)
{
    int count = pl_world_blocks(s->world, NULL, 0);
    pl_id *ids = malloc((size_t)(count + 1) * sizeof *ids);
    for (int i = 0, total = ids ? pl_world_blocks(s->world, ids, count) : 0; i < total; i++)
    {
        pl_kind kind;
        int rows;
        float *all = NULL;
        if (pl_block_info(s->world, ids[i], &kind, &rows) == PL_OK && kind == PL_KIND_DISTANCE &&
            (all = malloc(((size_t)rows + 1) * sizeof *all)))
        {
            for (int k = 0; k < rows; k++)
            {
                all[k] = value;
            }
            pl_set_rows(s->world, ids[i], PL_ROW_COMPLIANCE, 0, rows, all);
        }
        free(all);
    }
    free(ids);
    s->now.compliance = value;
}

static void pick(struct session *s, pl_vec3 origin, pl_vec3 direction)
{
    pl_hit hit, near;
    float radius = s->pick_radius;
    end_drag(s);
    if (pl_ray_cast(s->world, origin, direction, 1e6f, &hit) != PL_OK ||
        pl_pick_particle(s->world, origin, direction, radius, &near) != PL_OK)
    {
        complain(s, pl_error_message());
        return;
    }
    if (!hit.found || (near.found && near.distance < hit.distance))
    {
        hit = near;
    }
    if (hit.found && pl_drag_begin(s->world, hit.particle, 1e-5f, &s->drag) == PL_OK)
    {
        float p[3];
        pl_get(s->world, PL_POSITION, hit.particle, 1, p);
        s->dragging = true;
        s->now.dragged = hit.particle;
        s->now.drag_point = v3_at(p);
    }
}

// ---- the thread ----------------------------------------------------------------------------------------------------

static void grant(struct session *s, const struct wish *w)
{
    switch (w->kind)
    {
    case WISH_PLAY:
        s->now.playing = w->on;
        s->due = seconds_now();
        break;
    case WISH_STEP:
        s->now.playing = false;
        s->steps++;
        break;
    case WISH_SPEED:
        s->now.speed = clampf(w->value, 0.01f, 10.0f);
        break;
    case WISH_SETTINGS:
        if (pl_world_set_settings(s->world, &w->settings) != PL_OK)
        {
            complain(s, pl_error_message());
        }
        break;
    case WISH_COMPLIANCE:
        set_compliance(s, w->value);
        break;
    case WISH_RESET:
        if (!begin(s, s->scene))
        {
            complain(s, viewer_message());
        }
        break;
    case WISH_LOAD:
        load(s, w->text);
        break;
    case WISH_RELOAD:
        load(s, s->scene_name);
        break;
    case WISH_PICK:
        pick(s, w->origin, w->direction);
        break;
    case WISH_DRAG:
        if (s->dragging)
        {
            pl_drag_move(s->world, s->drag, w->origin);
        }
        break;
    case WISH_DROP:
        end_drag(s);
        break;
    case WISH_BACK:
        go_back(s, (double)w->value);
        break;
    }
}

static void step(struct session *s)
{
    past_cut(&s->past, pl_world_time(s->world));
    double began = seconds_now();
    pl_result result = pl_scene_before_step(s->scene, s->world);
    result = result == PL_OK ? pl_world_step(s->world, s->now.dt) : result;
    s->now.ms = (seconds_now() - began) * 1e3;
    if (result != PL_OK)
    {
        complain(s, pl_error_message());
        s->now.playing = false;
    }
    s->steps -= s->steps > 0;
    past_keep(&s->past, s->world, HISTORY_SECONDS);
    // In time, or as fast as it goes; what was missed is not made up for.
    double now = seconds_now();
    s->due += (double)s->now.dt / (double)s->now.speed;
    s->due = s->due < now ? now : s->due;
}

// Waits for a wish, or until the next step is due. Returns whether to go on.
static bool wait(struct session *s, struct wish *out, int *count)
{
    pthread_mutex_lock(&s->lock);
    while (!s->leave && s->wish_count == 0 && s->steps == 0)
    {
        if (!s->now.playing)
        {
            pthread_cond_wait(&s->asked, &s->lock);
            continue;
        }
        double left = s->due - seconds_now();
        if (left <= 0.0)
        {
            break;
        }
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        long long ns = (long long)until.tv_nsec + (long long)(left * 1e9);
        until.tv_sec += (time_t)(ns / 1000000000);
        until.tv_nsec = (long)(ns % 1000000000);
        pthread_cond_timedwait(&s->asked, &s->lock, &until);
    }
    memcpy(out, s->wishes, (size_t)s->wish_count * sizeof *out);
    *count = s->wish_count;
    s->wish_count = 0;
    bool on = !s->leave;
    pthread_mutex_unlock(&s->lock);
    return on;
}

static void *live(void *arg)
{
    struct session *s = arg;
    struct wish *wishes = malloc(WISHES * sizeof *wishes);
    int count;
    s->due = seconds_now();
    while (wishes && wait(s, wishes, &count))
    {
        for (int i = 0; i < count; i++)
        {
            grant(s, &wishes[i]);
        }
        if (s->steps > 0 || (s->now.playing && seconds_now() >= s->due))
        {
            step(s);
        }
        publish(s, NULL);
    }
    free(wishes);
    return NULL;
}

// ---- the window's side ---------------------------------------------------------------------------------------------

bool session_open(struct session **out, const struct session_def *def)
{
    struct session *s = calloc(1, sizeof *s);
    pl_scene *scene = NULL;
    if (!s)
    {
        return trouble("no memory for a session; free some");
    }
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->asked, NULL);
    s->def = pl_default_world_def();
    s->def.threads = def->threads;
    s->def.lanes = def->lanes;
    s->sets = (const char **)(uintptr_t)def->sets;
    s->set_count = def->set_count;
    s->now.speed = 1.0f;
    s->now.playing = !def->paused;
    snprintf(s->scene_name, sizeof s->scene_name, "%s", def->scene);
    bool good = load_scene(s, def->scene, &scene) == PL_OK || trouble("%s", pl_error_message());
    if (good && !begin(s, scene))
    {
        pl_scene_free(scene);
        good = false;
    }
    if (good && pthread_create(&s->thread, NULL, live, s) != 0)
    {
        good = trouble("no thread for the simulation; end some programs");
    }
    if (!good)
    {
        pl_world_destroy(s->world);
        pl_scene_free(s->scene);
        free(s);
        return false;
    }
    *out = s;
    return true;
}

void session_close(struct session *s)
{
    pthread_mutex_lock(&s->lock);
    s->leave = true;
    pthread_cond_signal(&s->asked);
    pthread_mutex_unlock(&s->lock);
    pthread_join(s->thread, NULL);
    past_free(&s->past);
    pl_world_destroy(s->world);
    pl_scene_free(s->scene);
    frame_free(&s->frame);
    frame_free(&s->ready);
    model_free(&s->model);
    pthread_cond_destroy(&s->asked);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

void session_ask(struct session *s, const struct wish *wish)
{
    pthread_mutex_lock(&s->lock);
    struct wish *last = s->wish_count > 0 ? &s->wishes[s->wish_count - 1] : NULL;
    bool again = last && last->kind == wish->kind &&
                 (wish->kind == WISH_DRAG || wish->kind == WISH_SETTINGS || wish->kind == WISH_BACK ||
                  wish->kind == WISH_COMPLIANCE); // only the last of these counts
    if (again)
    {
        *last = *wish;
    }
    else if (s->wish_count < WISHES)
    {
        s->wishes[s->wish_count++] = *wish;
    }
    pthread_cond_signal(&s->asked);
    pthread_mutex_unlock(&s->lock);
}

void session_look(struct session *s, struct session_state *state)
{
    pthread_mutex_lock(&s->lock);
    *state = s->state;
    pthread_mutex_unlock(&s->lock);
}

bool session_take_frame(struct session *s, struct frame *f)
{
    pthread_mutex_lock(&s->lock);
    bool fresh = s->frame_new && !s->model_new; // never a frame of a model that has not been taken yet
    if (fresh)
    {
        struct frame t = *f;
        *f = s->ready;
        s->ready = t;
        s->frame_new = false;
    }
    pthread_mutex_unlock(&s->lock);
    return fresh;
}

bool session_take_model(struct session *s, struct model *m)
{
    pthread_mutex_lock(&s->lock);
    bool fresh = s->model_new;
    if (fresh)
    {
        *m = s->model;
        s->model = (struct model){0};
        s->model_new = false;
    }
    pthread_mutex_unlock(&s->lock);
    return fresh;
}
