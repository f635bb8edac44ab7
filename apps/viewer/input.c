// input.c: mouse, keys and dropped files, as wishes.
#include "pick.h"
#include "window_parts.h"

#include <string.h>

// ---- the mouse -----------------------------------------------------------------------------------------------------

bool input_ray(const struct window *w, vec3 *origin, vec3 *direction)
{
    int width, height;
    glfwGetWindowSize(w->glfw, &width, &height); // the mouse counts in these, not in pixels
    float wide = (float)width * (float)w->view_width / (float)(w->width > 0 ? w->width : 1);
    float x = 2.0f * (float)w->mouse_x / wide - 1.0f, y = 1.0f - 2.0f * (float)w->mouse_y / (float)height;
    camera_ray(&w->camera, window_aspect(w), x, y, origin, direction);
    return fabsf(x) <= 1.0f && fabsf(y) <= 1.0f;
}

static void take_hold(struct window *w)
{
    vec3 origin, direction;
    bool over = input_ray(w, &origin, &direction);
    int p = over ? pick_particle(&w->model, &w->frame, origin, direction) : -1;
    vec3 at = p >= 0 ? v3_at(w->frame.position + 3 * (size_t)p) : v3(0.0f, 0.0f, 0.0f);
    struct wish wish = {.kind = WISH_PICK, .particle = p};
    float along;
    int body = over ? pick_body(&w->model, &w->frame, origin, direction, &along) : -1;
    if (body >= 0 && (p < 0 || along < dot(sub(at, origin), direction)))
    {
        at = add(origin, scale(direction, along));
        p = w->model.bodies.body[body].type == PL_RIGID_DYNAMIC ? w->model.bodies.body[body].particle : -1;
        wish = (struct wish){.kind = WISH_PICK_BODY, .body = w->frame.bodies.id[body], .origin = at};
    }
    if (p < 0)
    {
        w->hand = HAND_TURN;
        return;
    }
    w->hand = HAND_HOLD;
    w->hold_distance = dot(sub(at, w->camera.eye), unit(sub(w->camera.target, w->camera.eye)));
    window_ask(w, &wish);
}

static void on_button(GLFWwindow *glfw, int button, int action, int mods)
{
    struct window *w = glfwGetWindowUserPointer(glfw);
    if (action == GLFW_RELEASE)
    {
        if (w->hand == HAND_HOLD)
        {
            if (w->dragged >= 0 && w->dragged < w->frame.particles)
            {
                const float *x = w->frame.position + 3 * (size_t)w->dragged;
                window_log(w, "dropped %d at %g %g %g", w->dragged, (double)x[0], (double)x[1], (double)x[2]);
            }
            window_ask(w, &(struct wish){.kind = WISH_DROP});
        }
        w->hand = HAND_FREE;
        return;
    }
    if (panels_want_mouse())
    {
        return;
    }
    if (button == GLFW_MOUSE_BUTTON_LEFT && !(mods & GLFW_MOD_SHIFT))
    {
        take_hold(w);
    }
    else
    {
        w->hand = HAND_MOVE;
    }
}

static void on_move(GLFWwindow *glfw, double x, double y)
{
    struct window *w = glfwGetWindowUserPointer(glfw);
    int width, height;
    glfwGetWindowSize(glfw, &width, &height);
    float dx = (float)(x - w->mouse_x), dy = (float)(y - w->mouse_y);
    w->mouse_x = x;
    w->mouse_y = y;
    if (w->hand == HAND_TURN)
    {
        camera_orbit(&w->camera, -0.006f * dx, 0.006f * dy);
    }
    else if (w->hand == HAND_MOVE)
    {
        camera_pan(&w->camera, -dx / (float)height, dy / (float)height);
    }
    else if (w->hand == HAND_HOLD)
    {
        // In the plane that the particle was in when it was taken.
        struct wish wish = {.kind = WISH_DRAG};
        vec3 origin, direction;
        input_ray(w, &origin, &direction);
        float along = dot(direction, unit(sub(w->camera.target, w->camera.eye)));
        wish.origin = add(origin, scale(direction, w->hold_distance / fmaxf(along, 0.1f)));
        window_ask(w, &wish);
    }
}

static void on_wheel(GLFWwindow *glfw, double x, double y)
{
    struct window *w = glfwGetWindowUserPointer(glfw);
    (void)x;
    if (!panels_want_mouse())
    {
        camera_zoom(&w->camera, powf(0.9f, (float)y));
    }
}

// ---- the keys ------------------------------------------------------------------------------------------------------

static void ask_value(struct window *w, enum wish_kind kind, double value)
{
    window_ask(w, &(struct wish){.kind = kind, .value = (float)value});
}

// What is shown beside the scene, and what is saved.
static void panel_key(struct window *w, unsigned key)
{
    switch (key)
    {
    case 'h':
        w->panels.shown = !w->panels.shown;
        break;
    case '?':
        w->panels.help = !w->panels.help;
        break;
    case 'p':
        w->want_picture = true;
        break;
    case 'm':
        w->want_film = true;
        break;
    case 'o':
        w->panels.picker = !w->panels.picker;
        break;
    case 'd':
        window_beside(w);
        break;
    case 's':
    case 't':
        window_save(w, key == 't');
        break;
    case '+':
    case '=':
        window_scale(w, 1.125f * w->panels.scale);
        break;
    case '-':
        window_scale(w, w->panels.scale / 1.125f);
        break;
    default:
        break;
    }
}

static void look_key(struct window *w, unsigned key)
{
    struct look *look = &w->panels.look;
    switch (key)
    {
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
        look->colour_by = (enum colour_by)(key - '1');
        break;
    case 'c':
        look->constraints = !look->constraints;
        break;
    case 'v':
        look->velocities = !look->velocities;
        break;
    case 'w':
        look->wind = !look->wind;
        break;
    case 'x':
        look->contacts = !look->contacts;
        break;
    case 'g':
        look->cells = !look->cells;
        break;
    case 'j':
        look->joints = !look->joints;
        break;
    case 'b':
        look->boxes = !look->boxes;
        break;
    case 'l':
        look->particles = !look->particles;
        break;
    default:
        panel_key(w, key);
    }
}

// Letters come as characters, so that ? and [ are where a person's keyboard has them.
static void on_character(GLFWwindow *glfw, unsigned c)
{
    struct window *w = glfwGetWindowUserPointer(glfw);
    const struct session_state *s = &w->panels.state;
    unsigned key = c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
    if (panels_want_keys())
    {
        return;
    }
    switch (key)
    {
    case ' ':
        window_ask(w, &(struct wish){.kind = WISH_PLAY, .on = !s->playing});
        break;
    case '.':
        ask_value(w, WISH_STEP, 0.0);
        break;
    case 'r':
        ask_value(w, WISH_RESET, 0.0);
        break;
    case '[':
        ask_value(w, WISH_SPEED, 0.5 * (double)s->speed);
        break;
    case ']':
        ask_value(w, WISH_SPEED, 2.0 * (double)s->speed);
        break;
    case 'f':
        window_fit(w);
        break;
    case 'q':
        glfwSetWindowShouldClose(glfw, GLFW_TRUE);
        break;
    default:
        look_key(w, key);
    }
    window_log(w, "key %c frame %lld", c < 128 ? (int)c : '?', (long long)s->frame);
}

static void on_key(GLFWwindow *glfw, int key, int scancode, int action, int mods)
{
    struct window *w = glfwGetWindowUserPointer(glfw);
    (void)scancode;
    (void)mods;
    if (action == GLFW_RELEASE || panels_want_keys())
    {
        return;
    }
    if (key == GLFW_KEY_LEFT || key == GLFW_KEY_RIGHT)
    {
        ask_value(w, WISH_BACK, w->panels.state.time + (key == GLFW_KEY_LEFT ? -0.1 : 0.1));
    }
    if (key == GLFW_KEY_ESCAPE && w->panels.help)
    {
        w->panels.help = false;
    }
}

static void on_drop(GLFWwindow *glfw, int count, const char **paths)
{
    struct window *w = glfwGetWindowUserPointer(glfw);
    struct wish wish = {.kind = WISH_LOAD};
    if (count > 0)
    {
        snprintf(wish.text, sizeof wish.text, "%s", paths[0]);
        window_ask(w, &wish);
    }
}

void input_connect(struct window *w)
{
    glfwSetWindowUserPointer(w->glfw, w);
    glfwSetMouseButtonCallback(w->glfw, on_button);
    glfwSetCursorPosCallback(w->glfw, on_move);
    glfwSetScrollCallback(w->glfw, on_wheel);
    glfwSetCharCallback(w->glfw, on_character);
    glfwSetKeyCallback(w->glfw, on_key);
    glfwSetDropCallback(w->glfw, on_drop);
}
