// window.c: what a window does for each picture: follows the session, draws, and hands on what the panels ask for.
#include "window_parts.h"

#include "message.h"

#include <epoxy/gl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void window_log(struct window *w, const char *format, ...)
{
    if (w->log)
    {
        va_list arguments;
        va_start(arguments, format);
        vfprintf(w->log, format, arguments);
        va_end(arguments);
        fputc('\n', w->log);
        fflush(w->log);
    }
}

void window_ask(struct window *w, const struct wish *wish)
{
    static const char *const names[] = {[WISH_PLAY] = "play",
                                        [WISH_STEP] = "step",
                                        [WISH_RESET] = "reset",
                                        [WISH_SPEED] = "speed",
                                        [WISH_SET] = "set",
                                        [WISH_UNSET] = "unset",
                                        [WISH_LOAD] = "load",
                                        [WISH_RELOAD] = "reload",
                                        [WISH_PICK] = "pick",
                                        [WISH_PICK_BODY] = "pick body",
                                        [WISH_DROP] = "drop",
                                        [WISH_BACK] = "back",
                                        [WISH_DRAG] = NULL,
                                        [WISH_WATCH] = NULL,
                                        [WISH_SAVE_SCENE] = "save scene",
                                        [WISH_SAVE_STATE] = "save state",
                                        [WISH_NAME] = NULL};
    if (names[wish->kind])
    {
        window_log(w, "ask %s %d %g %s", names[wish->kind], wish->on, (double)wish->value, wish->text);
    }
    if (wish->kind == WISH_LOAD)
    {
        snprintf(w->watched, sizeof w->watched, "%s", wish->text);
        w->changed = 0;
    }
    if (w->beside && (wish->kind == WISH_LOAD || wish->kind == WISH_RELOAD))
    {
        window_beside(w);
    }
    session_ask(w->session, wish);
    if (w->beside)
    {
        beside_ask(w->beside, wish);
    }
}

float window_aspect(const struct window *w) { return (float)w->view_width / (float)(w->height > 0 ? w->height : 1); }

void window_fit(struct window *w)
{
    w->camera.fov = 35.0f;
    struct bounds b = bounds_of(w->frame.position, w->frame.particles);
    bounds_add_bodies(&b, w->frame.particles > 0, &w->model.bodies, &w->frame.bodies);
    camera_frame(&w->camera, &b, window_aspect(w));
}

// ---- following the session -----------------------------------------------------------------------------------------

static bool take_model(struct window *w)
{
    struct model fresh;
    if (!session_take_model(w->session, &fresh))
    {
        return true;
    }
    bool same = w->has_model && strcmp(w->shown_scene, w->panels.state.name) == 0;
    struct model old = w->model;
    if (same)
    {
        model_keep_rest(&fresh, &old);
    }
    w->model = fresh;
    w->has_model = true;
    bool good = renderer_set_model(w->renderer, &w->model);
    model_free(&old);
    session_take_frame(w->session, &w->frame);
    if (!same) // a reset keeps the view that one has chosen
    {
        w->camera = model_camera(&w->model, &w->panels.state.camera, window_aspect(w));
    }
    snprintf(w->shown_scene, sizeof w->shown_scene, "%s", w->panels.state.name);
    w->panels.plots = (struct plots){.frame = -1};
    w->look_changed = true;
    window_log(w, "scene %s particles %d", w->shown_scene, w->model.particles);
    return good;
}

static void push(float *values, float value)
{
    memmove(values, values + 1, (PLOT_LENGTH - 1) * sizeof *values);
    values[PLOT_LENGTH - 1] = value;
}

static void follow_numbers(struct window *w)
{
    const struct session_state *s = &w->panels.state;
    struct plots *p = &w->panels.plots;
    if (s->frame != p->frame)
    {
        if (!s->playing)
        {
            window_log(w, "frame %lld", (long long)s->frame);
        }
        push(p->energy, (float)(s->energy.kinetic + s->energy.potential + s->energy.elastic));
        push(p->residual, (float)(100.0 * s->residual.mean));
        push(p->ms, (float)s->ms);
        p->frame = s->frame;
    }
    if (s->dragged != w->dragged)
    {
        if (s->dragged >= 0)
        {
            window_log(w, "hold %d at %g %g %g", s->dragged, (double)s->drag_point.x, (double)s->drag_point.y,
                       (double)s->drag_point.z);
        }
        w->dragged = s->dragged;
    }
    if (s->playing != w->playing || s->settings.iterations != w->iterations || s->settings.substeps != w->substeps)
    {
        window_log(w, "state playing %d substeps %d iterations %d", s->playing, s->settings.substeps,
                   s->settings.iterations);
        w->playing = s->playing;
        w->iterations = s->settings.iterations;
        w->substeps = s->settings.substeps;
    }
}

// What frames must bring depends on what is to be seen.
static void follow_look(struct window *w)
{
    struct wants now = look_wants(&w->panels.look), before = look_wants(&w->shown_look);
    if (now.colour_by != before.colour_by || now.contacts != before.contacts || now.cells != before.cells ||
        now.boxes != before.boxes || now.joints != before.joints || now.fluid != before.fluid || now.wax != before.wax)
    {
        window_ask(w, &(struct wish){.kind = WISH_WATCH, .wants = now});
        window_log(w, "look colour %s contacts %d cells %d joints %d", colour_by_name(now.colour_by), now.contacts,
                   now.cells, now.joints);
    }
    w->look_changed |= memcmp(&w->shown_look, &w->panels.look, sizeof w->shown_look) != 0;
    w->shown_look = w->panels.look;
}

// A scene file that changes on disk is read anew.
static void watch(struct window *w, double now)
{
    struct stat info;
    if (now - w->watched_at < 0.5 || stat(w->watched, &info) != 0)
    {
        return;
    }
    w->watched_at = now;
    long long changed = (long long)info.st_mtim.tv_sec * 1000000000 + info.st_mtim.tv_nsec;
    if (w->changed && changed != w->changed)
    {
        window_ask(w, &(struct wish){.kind = WISH_RELOAD});
        snprintf(w->panels.note, sizeof w->panels.note, "%.200s has changed: reloaded", w->watched);
    }
    w->changed = changed;
}

// ---- the loop ------------------------------------------------------------------------------------------------------

static bool resize(struct window *w)
{
    int width, height;
    glfwGetFramebufferSize(w->glfw, &width, &height);
    int view_width = w->beside ? width / 2 : width;
    if (width <= 0 || height <= 0 || (width == w->width && height == w->height && view_width == w->view_width))
    {
        return true;
    }
    w->width = width;
    w->height = height;
    w->view_width = view_width > 0 ? view_width : 1;
    window_log(w, "size %d %d", width, height);
    w->look_changed = true;
    return renderer_resize(w->renderer, w->view_width, height, w->samples);
}

static void title(struct window *w, double now)
{
    char text[300];
    w->pictures++;
    if (now - w->titled < 0.5)
    {
        return;
    }
    w->panels.fps = w->pictures / (now - w->titled);
    w->pictures = 0;
    w->titled = now;
    snprintf(text, sizeof text, "%s - Pliant - %.0f fps, step %.2f ms%s", w->panels.state.name, w->panels.fps,
             w->panels.state.ms, w->panels.state.playing ? "" : " (paused)");
    glfwSetWindowTitle(w->glfw, text);
}

// What was asked for by a button or a key.
static void grant_panels(struct window *w)
{
    if (w->panels.screenshot || w->want_picture)
    {
        window_picture(w);
    }
    if (w->panels.film || w->want_film)
    {
        window_film(w);
    }
    if (w->panels.fit)
    {
        window_fit(w);
    }
    if (w->panels.save_scene || w->panels.save_state)
    {
        window_save(w, w->panels.save_state);
    }
    if (w->panels.set_beside)
    {
        window_beside(w);
    }
    w->want_picture = w->want_film = false;
}

bool window_draw(struct window *w)
{
    double now = glfwGetTime();
    struct camera camera;
    session_look(w->session, &w->panels.state);
    if (!resize(w) || !take_model(w)) // a view is fitted to the size
    {
        return false;
    }
    bool fresh = session_take_frame(w->session, &w->frame);
    session_take_parameters(w->session, &w->panels.parameters);
    follow_numbers(w);
    follow_look(w);
    watch(w, now);
    camera = w->camera;
    if (w->panels.state.camera.follow)
    {
        frame_follow(&w->frame, &w->camera);
        camera = w->camera;
    }
    // A frame may still be of the world before its model.
    bool together = w->frame.particles == w->model.particles && w->frame.points == w->model.points;
    if (together && (fresh || w->look_changed)) // what is on the card already need not go there again
    {
        renderer_upload(w->renderer, &w->frame, &w->panels.look);
        w->look_changed = false;
    }
    w->panels.surface = renderer_surface(w->renderer);
    w->panels.filming = w->film != NULL;
    w->panels.beside = w->beside != NULL;
    window_feed_film(w);
    window_point(w, now);
    window_thumbnails(w);
    window_follow_saves(w);
    panels_frame(&w->panels);
    window_tell_marks(w);
    for (int i = 0; i < w->panels.wish_count; i++)
    {
        window_ask(w, &w->panels.wishes[i]);
    }
    renderer_draw(w->renderer, &camera, &w->panels.look, 0);
    if (!window_draw_beside(w, &camera))
    {
        return false;
    }
    grant_panels(w);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, w->width, w->height);
    panels_draw();
    glfwSwapBuffers(w->glfw);
    title(w, now);
    return true;
}
