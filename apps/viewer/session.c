// session.c: see session.h. What two threads hand each other; what the simulation does with it is in simulation.c.
#include "session_parts.h"

#include "message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// ---- making known -----------------------------------------------------------------------------------------------------

enum
{
    CONVERGENCE_FRAMES = 120,     // from one measurement to the next: it takes as long as a few frames
    CONVERGENCE_ROWS = 100 * 1000 // of larger worlds it is measured only while they stand still: it takes a second
};

// Measures the convergence now and then, and after every single step.
static void measure_convergence(struct session *s, int64_t before)
{
    struct session_state *n = &s->now;
    int64_t rows = 0;
    for (int k = 0; k < PL_KIND_COUNT; k++)
    {
        rows += pl_constraint_count(s->world, (pl_kind)k);
    }
    bool due = n->playing ? rows <= CONVERGENCE_ROWS && n->frame % CONVERGENCE_FRAMES == 0 : n->frame != before;
    if (n->frame == 0)
    {
        n->convergence = pl_world_expected_convergence(s->world, n->dt);
    }
    else if (due)
    {
        n->convergence = pl_world_convergence(s->world);
        session_advise(s);
    }
}

static void measure(struct session *s)
{
    struct session_state *n = &s->now;
    int64_t before = n->frame;
    n->frame = pl_world_frame(s->world);
    n->time = pl_world_time(s->world);
    n->timing = pl_world_timing(s->world);
    n->energy = pl_world_energy(s->world);
    n->residual = pl_world_residual(s->world);
    n->settings = pl_world_settings(s->world);
    n->oldest = past_oldest(&s->past, n->time);
    measure_convergence(s, before);
}

// Of fluids with more particles than this a surface would take longer than a person waits: they are drawn as particles.
enum
{
    FLUID_MOST = 100000,
};

void session_publish(struct session *s, struct model *fresh)
{
    struct wants wants = s->wants;
    measure(s);
    wants.fluid = wants.fluid && pl_world_fluid(s->world).particles <= FLUID_MOST;
    bool framed = frame_take(&s->frame, s->world, &wants) && froth_follow(&s->froth, s->world) &&
                  froth_copy(&s->froth, &s->frame);
    s->frame.drag = simulation_drag(s);
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

// Choices and descriptions are of the tables, which outlive the scene.
void session_publish_parameters(struct session *s)
{
    struct parameters fresh;
    if (!edits_fields(&s->edits, s->scene_name, s->scene, &fresh))
    {
        return;
    }
    pthread_mutex_lock(&s->lock);
    struct parameters old = s->parameters;
    s->parameters = fresh;
    s->parameters_new = true;
    pthread_mutex_unlock(&s->lock);
    parameters_free(&old);
}

// ---- the thread -------------------------------------------------------------------------------------------------------

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
            simulation_grant(s, &wishes[i]);
        }
        if (s->steps > 0 || (s->now.playing && seconds_now() >= s->due))
        {
            simulation_step(s);
        }
        struct model fresh;
        session_publish(s, simulation_tore(s, &fresh) ? &fresh : NULL);
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
        return trouble("no memory for a session; free some memory");
    }
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->asked, NULL);
    s->def = pl_default_world_def();
    s->def.threads = def->threads;
    s->def.lanes = def->lanes;
    s->edits.sets = def->sets;
    s->edits.set_count = def->set_count;
    s->edits.allow_paths = def->allow_paths;
    s->now.speed = 1.0f;
    s->wants.fluid = s->wants.wax = true; // as the default look wants them
    s->now.playing = !def->paused;
    snprintf(s->scene_name, sizeof s->scene_name, "%s", def->scene);
    bool good = edits_load(&s->edits, def->scene, &scene) == PL_OK || library_trouble();
    if (good && !simulation_begin(s, scene))
    {
        pl_scene_free(scene);
        good = false;
    }
    if (good && pthread_create(&s->thread, NULL, live, s) != 0)
    {
        good = trouble("cannot start a thread for the simulation; close some programs");
    }
    if (!good)
    {
        pl_world_destroy(s->world);
        pl_scene_free(s->scene);
        parameters_free(&s->parameters);
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
    froth_close(&s->froth);
    frame_free(&s->frame);
    frame_free(&s->ready);
    model_free(&s->model);
    parameters_free(&s->parameters);
    edits_clear(&s->edits);
    pthread_cond_destroy(&s->asked);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

static bool same_field(const char *a, const char *b)
{
    size_t length = strcspn(a, "=");
    return strncmp(a, b, length + 1) == 0;
}

void session_ask(struct session *s, const struct wish *wish)
{
    pthread_mutex_lock(&s->lock);
    struct wish *last = s->wish_count > 0 ? &s->wishes[s->wish_count - 1] : NULL;
    bool again =
        last && last->kind == wish->kind &&
        (wish->kind == WISH_DRAG || wish->kind == WISH_BACK || wish->kind == WISH_WATCH || wish->kind == WISH_NAME ||
         (wish->kind == WISH_SET && same_field(last->text, wish->text))); // only the last of these counts
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

bool session_take_parameters(struct session *s, struct parameters *p)
{
    pthread_mutex_lock(&s->lock);
    bool fresh = s->parameters_new;
    if (fresh)
    {
        struct parameters t = *p;
        *p = s->parameters;
        s->parameters = t;
        s->parameters_new = false;
    }
    pthread_mutex_unlock(&s->lock);
    return fresh;
}
