// simulation.c: the simulation's side of a session: worlds, what is wished of them, and steps.
#include "session_parts.h"

#include "message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void complain(struct session *s, const char *why) { snprintf(s->now.trouble, sizeof s->now.trouble, "%s", why); }

static void end_drag(struct session *s)
{
    if (s->dragging)
    {
        pl_drag_end(s->world, s->drag);
    }
    s->dragging = s->body_drag.on = false;
    s->now.dragged = -1;
}

static void note_folder(struct session *s)
{
    size_t length;
    const char *end = pl_builtin_scene(s->scene_name, &length) ? NULL : strrchr(s->scene_name, '/');
    snprintf(s->now.folder, sizeof s->now.folder, "%.*s", end ? (int)(end + 1 - s->scene_name) : 0, s->scene_name);
}

// Puts a scene's fresh world in the place of the present one. Where that fails, the present one stays.
bool simulation_begin(struct session *s, pl_scene *scene)
{
    pl_world *world;
    struct model model;
    if (pl_scene_world(scene, &s->def, &world) != PL_OK)
    {
        return library_trouble();
    }
    if (!model_take(&model, world))
    {
        pl_world_destroy(world);
        return false;
    }
    pl_scene_info info = pl_scene_describe(scene);
    model_set_scene(&model, &info);
    froth_set_scene(&s->froth, &info);
    pl_world_destroy(s->world);
    if (s->scene != scene)
    {
        pl_scene_free(s->scene);
    }
    s->world = world;
    s->scene = scene;
    s->torn = model.torn;
    s->dragging = s->body_drag.on = false;
    past_free(&s->past);
    snprintf(s->now.name, sizeof s->now.name, "%s", info.name);
    snprintf(s->now.about, sizeof s->now.about, "%s", info.about);
    s->now.trouble[0] = 0;
    s->now.camera = info.camera;
    s->now.dt = info.dt;
    s->now.from_mesh = is_mesh_file(s->scene_name);
    note_folder(s);
    s->now.named = -1;
    s->now.dragged = -1;
    s->now.world_number++;
    s->now.ms = 0.0;
    past_keep(&s->past, world, HISTORY_SECONDS);
    session_advise_start(s);
    session_publish(s, &model);
    session_publish_parameters(s);
    return true;
}

static void load(struct session *s, const char *name)
{
    pl_scene *scene;
    struct edits kept = s->edits;
    char before[SESSION_TEXT];
    snprintf(before, sizeof before, "%s", s->scene_name);
    s->edits.count = 0; // another file, or the file anew, comes with its own parameters
    bool good = edits_load(&s->edits, name, &scene) == PL_OK;
    if (!good)
    {
        complain(s, pl_error_message());
    }
    snprintf(s->scene_name, sizeof s->scene_name, "%s", name);
    if (good && !simulation_begin(s, scene))
    {
        complain(s, viewer_message());
        pl_scene_free(scene);
        good = false;
    }
    if (good)
    {
        edits_clear(&kept);
        return;
    }
    s->edits = kept;
    snprintf(s->scene_name, sizeof s->scene_name, "%s", before);
}

// The scene with its changes in the place of the present one, while what moves goes on; where it has other particles or
// constraints than before, from the start.
static bool change(struct session *s)
{
    pl_scene *scene;
    pl_world *other;
    pl_world_def def = s->def;
    bool fits = false;
    def.threads = 1; // it is never stepped
    if (edits_load(&s->edits, s->scene_name, &scene) != PL_OK)
    {
        return library_trouble();
    }
    pl_result result = pl_scene_world(scene, &def, &other);
    if (result == PL_OK)
    {
        result = pl_world_copy_parameters(s->world, other, &fits);
        pl_world_destroy(other);
    }
    bool good = result == PL_OK ? true : library_trouble();
    if (good && !fits)
    {
        good = simulation_begin(s, scene);
    }
    else if (good)
    {
        pl_scene_free(s->scene);
        s->scene = scene;
        s->now.dt = pl_scene_describe(scene).dt;
        s->now.trouble[0] = 0;
        session_publish_parameters(s);
    }
    if (!good)
    {
        pl_scene_free(scene);
    }
    return good;
}

static void set(struct session *s, const char *text)
{
    // A change that is refused leaves the others as they were.
    struct edits before = {.count = s->edits.count};
    for (int i = 0; i < before.count; i++)
    {
        before.change[i] = strdup(s->edits.change[i]);
    }
    if (edits_put(&s->edits, text) && change(s))
    {
        edits_clear(&before);
        return;
    }
    complain(s, viewer_message());
    edits_clear(&s->edits);
    memcpy(s->edits.change, before.change, sizeof before.change);
    s->edits.count = before.count;
    session_publish_parameters(s);
}

static void unset(struct session *s)
{
    edits_clear(&s->edits);
    if (!change(s))
    {
        complain(s, viewer_message());
    }
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
    s->dragging = s->body_drag.on = false; // its pin may not have been there then
    s->now.dragged = -1;
    pl_world_destroy(s->world);
    s->world = world;
    s->now.playing = false;
}

static void pick(struct session *s, int particle)
{
    float p[3];
    end_drag(s);
    if (pl_get(s->world, PL_ATTRIBUTE_POSITION, particle, 1, p) != PL_OK ||
        pl_drag_begin(s->world, particle, 1e-5f, &s->drag) != PL_OK)
    {
        complain(s, pl_error_message());
        return;
    }
    s->dragging = true;
    s->now.dragged = particle;
    s->now.drag_point = s->drag_goal = v3_at(p);
}

static void pick_body_up(struct session *s, pl_id body, vec3 point)
{
    int first, count;
    end_drag(s);
    if (!body_drag_begin(&s->body_drag, s->world, body, point) ||
        pl_object_range(s->world, body, &first, &count) != PL_OK)
    {
        complain(s, viewer_message());
        return;
    }
    s->now.dragged = first;
    s->now.drag_point = point;
}

struct drag_line simulation_drag(const struct session *s)
{
    struct drag_line line = {.to = s->body_drag.on ? s->body_drag.goal : s->drag_goal};
    if (s->body_drag.on)
    {
        line.on = body_drag_point(&s->body_drag, s->world, &line.from);
    }
    else if (s->dragging && s->now.dragged < s->frame.particles)
    {
        line.on = true;
        line.from = v3_at(s->frame.position + 3 * (size_t)s->now.dragged);
    }
    return line;
}

static void drag_to(struct session *s, vec3 goal)
{
    if (s->dragging)
    {
        pl_drag_move(s->world, s->drag, goal);
    }
    s->drag_goal = s->body_drag.goal = goal;
}

static void tell_name(struct session *s, int particle)
{
    s->now.named = particle;
    pl_scene_particle_name(s->scene, particle, s->now.name_of, sizeof s->now.name_of);
}

// ---- wishes and steps -------------------------------------------------------------------------------------------------

void simulation_grant(struct session *s, const struct wish *w)
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
    case WISH_SET:
        set(s, w->text);
        break;
    case WISH_UNSET:
        unset(s);
        break;
    case WISH_WATCH:
        s->wants = w->wants;
        break;
    case WISH_RESET:
        if (!simulation_begin(s, s->scene))
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
        pick(s, w->particle);
        break;
    case WISH_PICK_BODY:
        pick_body_up(s, w->body, w->origin);
        break;
    case WISH_DRAG:
        drag_to(s, w->origin);
        break;
    case WISH_DROP:
        end_drag(s);
        break;
    case WISH_BACK:
        go_back(s, (double)w->value);
        break;
    case WISH_NAME:
        tell_name(s, w->particle);
        break;
    case WISH_SAVE_SCENE:
    case WISH_SAVE_STATE:
        simulation_save(s, w->kind == WISH_SAVE_STATE, w->text);
        break;
    }
}

void simulation_step(struct session *s)
{
    past_cut(&s->past, pl_world_time(s->world));
    double began = seconds_now();
    pl_result result = pl_scene_before_step(s->scene, s->world);
    if (s->body_drag.on && !body_drag_pull(&s->body_drag, s->world, s->now.dt))
    {
        end_drag(s);
    }
    result = result == PL_OK ? pl_world_step(s->world, s->now.dt) : result;
    s->now.ms = (seconds_now() - began) * 1e3;
    session_note_time(s);
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

bool simulation_tore(struct session *s, struct model *fresh)
{
    pl_tear_counts torn = pl_world_tears(s->world);
    if (torn.splits + torn.broken == s->torn || !model_take(fresh, s->world))
    {
        return false;
    }
    pl_scene_info info = pl_scene_describe(s->scene);
    model_set_scene(fresh, &info);
    s->torn = fresh->torn;
    return true;
}
