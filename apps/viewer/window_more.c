// window_more.c: what a window shows beside its scene: letters of the right size, what is under the mouse, pictures of all scenes,
// a second view, and what it saves.
#include "window_parts.h"

#include "message.h"
#include "pick.h"

#include <stdlib.h>
#include <string.h>

// ---- letters -----------------------------------------------------------------------------------------------------------

// A screen says how much larger than usual things are to be; where it does not, it has 1,080 lines for each usual size.
float window_best_scale(struct window *w, float asked)
{
    float x = 1.0f, y = 1.0f;
    glfwGetWindowContentScale(w->glfw, &x, &y);
    GLFWmonitor *monitor = glfwGetPrimaryMonitor();
    const GLFWvidmode *mode = monitor ? glfwGetVideoMode(monitor) : NULL;
    float lines = mode ? floorf((float)mode->height / 1080.0f * 4.0f) / 4.0f : 1.0f;
    float best = fmaxf(fmaxf(x, y), lines);
    return clampf(asked > 0.0f ? asked : best, 0.5f, 4.0f);
}

void window_scale(struct window *w, float scale)
{
    w->panels.scale = clampf(scale, 0.5f, 4.0f);
    const char *font = panels_rescale(w->panels.scale);
    window_log(w, "letters %.2f %s", (double)w->panels.scale, font ? font : "plain");
}

// ---- what is under the mouse -------------------------------------------------------------------------------------------

static int find_pointed(const struct window *w)
{
    vec3 origin, direction;
    float along;
    if (w->hand != HAND_FREE || panels_want_mouse() || !input_ray(w, &origin, &direction))
    {
        return -1;
    }
    int p = pick_particle(&w->model, &w->frame, origin, direction);
    int body = pick_body(&w->model, &w->frame, origin, direction, &along);
    if (body >= 0 && (p < 0 || along < dot(sub(v3_at(w->frame.position + 3 * (size_t)p), origin), direction)))
    {
        p = w->model.bodies.body[body].particle;
    }
    return p < w->frame.particles ? p : -1;
}

void window_point(struct window *w, double now)
{
    const struct session_state *s = &w->panels.state;
    char value[80];
    if (now - w->pointed_at >= 0.1 && w->frame.particles == w->model.particles)
    {
        int p = find_pointed(w);
        w->pointed_at = now;
        if (p >= 0 && p != s->named)
        {
            window_ask(w, &(struct wish){.kind = WISH_NAME, .particle = p});
        }
        w->pointed = p;
    }
    bool known = w->pointed >= 0 && w->pointed == s->named && w->pointed < w->frame.particles;
    if (!known)
    {
        if (w->pointed < 0) // otherwise the name of another particle is on its way
        {
            w->panels.under[0] = 0;
        }
        return;
    }
    const float *x = w->frame.position + 3 * (size_t)w->pointed, *v = w->frame.velocity + 3 * (size_t)w->pointed;
    bool told = w->panels.under[0];
    legend_value(renderer_surface(w->renderer), w->pointed, value, sizeof value);
    snprintf(w->panels.under, sizeof w->panels.under, "%s\nat %.3f, %.3f, %.3f m\n%.3g m/s%s%s", s->name_of,
             (double)x[0], (double)x[1], (double)x[2], (double)length(v3_at(v)), value[0] ? "\n" : "", value);
    if (!told)
    {
        window_log(w, "under %s at %.3f %.3f %.3f", s->name_of, (double)x[0], (double)x[1], (double)x[2]);
    }
}

// ---- pictures of all scenes --------------------------------------------------------------------------------------------

void window_thumbnails(struct window *w)
{
    if (!w->panels.picker)
    {
        return;
    }
    if (!w->thumbnails && !(w->thumbnails = thumbnails_open()))
    {
        window_note(w, "no pictures of scenes: ", viewer_message());
        w->panels.picker = false;
        return;
    }
    int before = w->panels.thumbnail_count;
    thumbnails_draw(w->thumbnails);
    w->panels.thumbnails = thumbnails_list(w->thumbnails, &w->panels.thumbnail_count);
    if (before != w->panels.thumbnail_count)
    {
        window_log(w, "thumbnail %d %s %s", before, pl_builtin_scene_name(before),
                   w->panels.thumbnails[before].texture ? "drawn" : "none");
    }
}

// Where things to click on have come to be.
void window_tell_marks(struct window *w)
{
    for (int i = 0; w->log && i < w->panels.mark_count; i++)
    {
        const struct panel_mark *m = &w->panels.marks[i];
        if (i >= w->mark_count || memcmp(m, &w->marks[i], sizeof *m) != 0)
        {
            window_log(w, "mark %d %d %s", m->x, m->y, m->name);
        }
    }
    memcpy(w->marks, w->panels.marks, sizeof w->marks);
    w->mark_count = w->panels.mark_count;
}

// ---- two views -----------------------------------------------------------------------------------------------------------

void window_beside(struct window *w)
{
    if (w->film)
    {
        window_end_film(w); // its pictures have another size
    }
    if (w->beside)
    {
        beside_close(w->beside);
        w->beside = NULL;
        window_log(w, "one view");
        return;
    }
    w->beside = beside_open(&w->session_def, w->watched, &w->panels.parameters);
    if (!w->beside)
    {
        window_note(w, "no second view: ", viewer_message());
        return;
    }
    // Both start again, and together.
    beside_ask(w->beside, &(struct wish){.kind = WISH_WATCH, .wants = look_wants(&w->panels.look)});
    window_ask(w, &(struct wish){.kind = WISH_RESET});
    window_log(w, "two views");
}

bool window_draw_beside(struct window *w, const struct camera *c)
{
    int x = w->view_width + (w->width - 2 * w->view_width);
    if (w->beside)
    {
        beside_follow(w->beside, w->panels.state.frame);
    }
    return !w->beside || beside_draw(w->beside, c, &w->panels.look, x, w->view_width, w->height, w->samples);
}

// ---- saving ------------------------------------------------------------------------------------------------------------

void window_save(struct window *w, bool state)
{
    struct wish wish = {.kind = state ? WISH_SAVE_STATE : WISH_SAVE_SCENE};
    char name[200];
    if (!state && w->panels.state.from_mesh)
    {
        window_note(w, "not saved: ", "a mesh has no scene file; write one with \"cloth\": {\"mesh\": ...}");
        return;
    }
    window_free_name(w, state ? "snap" : "json", name, sizeof name);
    snprintf(wish.text, sizeof wish.text, "%s", name);
    window_ask(w, &wish);
}

void window_follow_saves(struct window *w)
{
    if (w->panels.state.saved_number != w->saved_number)
    {
        w->saved_number = w->panels.state.saved_number;
        window_note(w, "", w->panels.state.saved);
    }
}
