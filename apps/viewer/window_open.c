// window_open.c: a window from its opening to its end.
#include "window_parts.h"

#include "message.h"

#include <epoxy/gl.h>
#include <stdlib.h>
#include <string.h>

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
        return trouble("cannot write the log %s; use a folder that can be written to", def->log);
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
    w->panels.scale = window_best_scale(w, def->scale);
    w->pointed = -1;
    w->session_def = def->session;
    w->has_panels = panels_open(w->glfw, w->panels.scale);
    if (w->has_panels)
    {
        window_scale(w, w->panels.scale);
    }
    return w->has_panels ? true : trouble("the panels cannot start; they need an OpenGL 3.3 driver");
}

static void close_window(struct window *w)
{
    if (w->film)
    {
        window_end_film(w);
    }
    if (w->has_panels)
    {
        panels_close();
    }
    beside_close(w->beside);
    thumbnails_close(w->thumbnails);
    if (w->session)
    {
        session_close(w->session);
    }
    renderer_destroy(w->renderer);
    model_free(&w->model);
    frame_free(&w->frame);
    parameters_free(&w->panels.parameters);
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
    bool good = w ? open_window(w, def) : trouble("no memory for a window; free some memory");
    while (good && !glfwWindowShouldClose(w->glfw))
    {
        glfwPollEvents();
        good = window_draw(w);
    }
    if (w)
    {
        close_window(w);
    }
    return good;
}
