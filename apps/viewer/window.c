// window.c: see window.h. This file draws and decides; input.c turns mouse and keys into wishes.
#include "window_parts.h"

#include "message.h"
#include "png_file.h"

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
    static const char *const names[] = {"play", "step",   "reset", "speed", "settings", "compliance",
                                        "load", "reload", "pick",  NULL,    "drop",     "back"};
    if (names[wish->kind])
    {
        window_log(w, "ask %s %d %g %s", names[wish->kind], wish->on, (double)wish->value, wish->text);
    }
    if (wish->kind == WISH_LOAD)
    {
        snprintf(w->watched, sizeof w->watched, "%s", wish->text);
        w->changed = 0;
    }
    session_ask(w->session, wish);
}

float window_aspect(const struct window *w) { return (float)w->width / (float)(w->height > 0 ? w->height : 1); }

void window_fit(struct window *w)
{
    w->camera.fov = 35.0f;
    struct bounds b = bounds_of(w->frame.position, w->frame.particles);
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
        snprintf(w->panels.note, sizeof w->panels.note, "%.200s has changed: read anew", w->watched);
    }
    w->changed = changed;
}

// ---- pictures and films --------------------------------------------------------------------------------------------

// A name that is not taken yet: flag_001.png.
static void free_name(const struct window *w, const char *ending, char *out, size_t size)
{
    struct stat info;
    int n = 1;
    do
    {
        snprintf(out, size, "%s_%03d.%s", w->panels.state.name, n++, ending);
    }
    while (stat(out, &info) == 0 && n < 10000);
}

static uint8_t *picture(struct window *w)
{
    uint8_t *rgb = malloc(3 * (size_t)w->width * (size_t)w->height);
    if (rgb)
    {
        renderer_picture(w->renderer, &w->camera, &w->panels.look, rgb);
    }
    return rgb;
}

static void note(struct window *w, const char *before, const char *text)
{
    snprintf(w->panels.note, sizeof w->panels.note, "%s%.220s", before, text);
    window_log(w, "note %s", w->panels.note);
}

static void take_screenshot(struct window *w)
{
    char name[200];
    free_name(w, "png", name, sizeof name);
    uint8_t *rgb = picture(w);
    bool good = rgb && png_write(name, rgb, w->width, w->height);
    note(w, good ? "wrote " : "no picture: ", good ? name : viewer_message());
    free(rgb);
}

static void end_film(struct window *w)
{
    bool good = film_close(w->film);
    w->film = NULL;
    note(w, good ? "wrote " : "no film: ", good ? w->film_name : viewer_message());
}

static void toggle_film(struct window *w)
{
    if (w->film)
    {
        end_film(w);
        return;
    }
    free_name(w, "mp4", w->film_name, sizeof w->film_name);
    w->film_width = w->width;
    w->film_height = w->height;
    w->film_next = w->frame.time;
    if (w->width % 2 || w->height % 2)
    {
        note(w, "no film: ", "the window's width and height must be even; make it a pixel larger");
    }
    else if (!film_ready() || !film_open(&w->film, w->film_name, w->width, w->height, 30))
    {
        note(w, "no film: ", viewer_message());
    }
    else
    {
        note(w, "filming ", w->film_name);
    }
}

// A film runs in the simulation's time, however fast pictures come.
static void feed_film(struct window *w)
{
    if (w->film && (w->width != w->film_width || w->height != w->film_height))
    {
        end_film(w);
    }
    for (int n = 0; w->film && w->frame.time >= w->film_next - 1e-6 && n < 300; n++)
    {
        uint8_t *rgb = picture(w);
        if (!rgb || !film_frame(w->film, rgb))
        {
            note(w, "no film: ", rgb ? viewer_message() : "no memory");
            film_abort(w->film);
            w->film = NULL;
        }
        free(rgb);
        w->film_next += 1.0 / 30.0;
    }
}

// ---- the loop ------------------------------------------------------------------------------------------------------

static bool resize(struct window *w)
{
    int width, height;
    glfwGetFramebufferSize(w->glfw, &width, &height);
    if (width <= 0 || height <= 0 || (width == w->width && height == w->height))
    {
        return true;
    }
    w->width = width;
    w->height = height;
    window_log(w, "size %d %d", width, height);
    return renderer_resize(w->renderer, width, height, w->samples);
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

static bool one_picture(struct window *w)
{
    double now = glfwGetTime();
    struct camera camera;
    session_look(w->session, &w->panels.state);
    if (!take_model(w) || !resize(w))
    {
        return false;
    }
    session_take_frame(w->session, &w->frame);
    follow_numbers(w);
    watch(w, now);
    camera = w->camera;
    if (w->panels.state.camera.follow)
    {
        frame_follow(&w->frame, &w->camera);
        camera = w->camera;
    }
    renderer_upload(w->renderer, &w->frame, &w->panels.look);
    w->panels.surface = renderer_surface(w->renderer);
    w->panels.filming = w->film != NULL;
    feed_film(w);
    panels_frame(&w->panels);
    for (int i = 0; i < w->panels.wish_count; i++)
    {
        window_ask(w, &w->panels.wishes[i]);
    }
    renderer_draw(w->renderer, &camera, &w->panels.look, 0);
    if (w->panels.screenshot || w->want_picture)
    {
        take_screenshot(w);
    }
    if (w->panels.film || w->want_film)
    {
        toggle_film(w);
    }
    if (w->panels.fit)
    {
        window_fit(w);
    }
    w->want_picture = w->want_film = false;
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    panels_draw();
    glfwSwapBuffers(w->glfw);
    title(w, now);
    return true;
}

// ---- opening -------------------------------------------------------------------------------------------------------

static bool open_glfw(struct window *w, const struct window_def *def)
{
    const char *why = NULL;
    if (!glfwInit())
    {
        glfwGetError(&why);
        return trouble(
            "no window can be opened here (%s); `pliant run SCENE --out x.mp4` makes a film without a screen",
            why ? why : "no display");
    }
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    w->glfw = glfwCreateWindow(def->width ? def->width : 1280, def->height ? def->height : 720, "Pliant", NULL, NULL);
    if (!w->glfw)
    {
        glfwGetError(&why);
        return trouble("no OpenGL 3.3 window here (%s); `pliant run SCENE --out x.mp4` makes a film without one",
                       why ? why : "no reason given");
    }
    glfwMakeContextCurrent(w->glfw);
    glfwSwapInterval(1);
    return true;
}

// A software renderer gets the cheaper picture, so that the window stays lively.
static void suit_driver(struct window *w)
{
    const char *name = (const char *)glGetString(GL_RENDERER);
    bool software = name && (strstr(name, "llvmpipe") || strstr(name, "softpipe") || strstr(name, "SWR"));
    int most = renderer_max_samples();
    w->panels.look = default_look();
    w->panels.look.contact = !software;
    w->panels.look.quick = software;
    w->samples = software ? 1 : most < 4 ? most : 4;
    window_log(w, "driver %s", name ? name : "?");
}

static bool open_window(struct window *w, const struct window_def *def)
{
    if (def->log && !(w->log = fopen(def->log, "w")))
    {
        return trouble("cannot write the log %s; a folder that can be written to is right", def->log);
    }
    if (!open_glfw(w, def))
    {
        return false;
    }
    suit_driver(w);
    if (!renderer_create(&w->renderer) || !session_open(&w->session, &def->session))
    {
        return false;
    }
    snprintf(w->watched, sizeof w->watched, "%s", def->session.scene);
    input_connect(w); // before the panels, which hand on to what was there
    w->panels.shown = true;
    w->dragged = -1;
    w->has_panels = panels_open(w->glfw);
    return w->has_panels ? true : trouble("the panels do not start; an OpenGL 3.3 driver is right");
}

static void close_window(struct window *w)
{
    if (w->film)
    {
        end_film(w);
    }
    if (w->has_panels)
    {
        panels_close();
    }
    if (w->session)
    {
        session_close(w->session);
    }
    renderer_destroy(w->renderer);
    model_free(&w->model);
    frame_free(&w->frame);
    if (w->glfw)
    {
        glfwDestroyWindow(w->glfw);
    }
    glfwTerminate();
    if (w->log)
    {
        fclose(w->log);
    }
    free(w);
}

bool window_run(const struct window_def *def)
{
    struct window *w = calloc(1, sizeof *w);
    bool good = w ? open_window(w, def) : trouble("no memory for a window; free some");
    while (good && !glfwWindowShouldClose(w->glfw))
    {
        glfwPollEvents();
        good = one_picture(w);
    }
    if (w)
    {
        close_window(w);
    }
    return good;
}
