// overlay_joints.c: joints as lines: from the centres of both ends to the point of the joint, which is marked, and its axes. What
// may rotate has a ring around its axis; what may slide has arrows along it.
#include "overlay.h"

static const uint8_t bone[4] = {236, 236, 240, 255}, mark[4] = {250, 196, 40, 255}, turns[4] = {226, 60, 150, 255},
                     slides[4] = {40, 170, 230, 255};

static bool put_ring(struct overlay *o, vec3 centre, vec3 axis, float radius, const uint8_t colour[4])
{
    enum
    {
        SIDES = 16
    };
    vec3 u = across(axis), v = cross(axis, u), from = add(centre, scale(u, radius));
    bool good = true;
    for (int i = 1; i <= SIDES && good; i++)
    {
        float a = 2.0f * (float)M_PI * (float)i / SIDES;
        vec3 to = add(centre, add(scale(u, radius * cosf(a)), scale(v, radius * sinf(a))));
        good = overlay_line(o, from, to, colour);
        from = to;
    }
    return good;
}

static bool put_hinge(struct overlay *o, vec3 at, vec3 axis, float size)
{
    vec3 d = scale(axis, size);
    return overlay_line(o, sub(at, d), add(at, d), turns) && put_ring(o, at, axis, 0.55f * size, turns);
}

static bool put_slide(struct overlay *o, vec3 at, vec3 axis, float size)
{
    vec3 d = scale(axis, 1.4f * size);
    return overlay_arrow(o, at, d, slides) && overlay_arrow(o, at, scale(d, -1.0f), slides);
}

static bool put_cross(struct overlay *o, vec3 at, float size)
{
    vec3 x = v3(size, 0.0f, 0.0f), y = v3(0.0f, size, 0.0f), z = v3(0.0f, 0.0f, size);
    return overlay_line(o, sub(at, x), add(at, x), mark) && overlay_line(o, sub(at, y), add(at, y), mark) &&
           overlay_line(o, sub(at, z), add(at, z), mark);
}

static bool put_axes(struct overlay *o, const struct joint_mark *j, float size)
{
    switch (j->kind)
    {
    case PL_KIND_BALL_JOINT:
        return put_ring(o, j->point[0], v3(0.0f, 0.0f, 1.0f), 0.4f * size, mark);
    case PL_KIND_HINGE_JOINT:
        return put_hinge(o, j->point[0], j->axis[0], size);
    case PL_KIND_SLIDER_JOINT:
        return put_slide(o, j->point[1], j->axis[0], size);
    case PL_KIND_CYLINDRICAL_JOINT:
        return put_slide(o, j->point[1], j->axis[0], size) && put_hinge(o, j->point[1], j->axis[0], size);
    case PL_KIND_UNIVERSAL_JOINT:
        return put_hinge(o, j->point[0], j->axis[0], size) && put_hinge(o, j->point[1], j->second[1], size);
    case PL_KIND_WHEEL_JOINT:
        return put_slide(o, j->point[1], j->second[0], size) && put_hinge(o, j->point[1], j->axis[0], size);
    default:
        return true;
    }
}

// As large as the joint is far from the centres of its ends, within limits of the scene.
static float size_of(const struct joint_mark *j, float scene)
{
    float near = fmaxf(length(sub(j->centre[0], j->point[0])), length(sub(j->centre[1], j->point[1])));
    return clampf(0.5f * near, 0.012f * scene, 0.06f * scene);
}

bool overlay_joints(struct overlay *o, const struct model *m, const struct frame *f)
{
    float scene = bounds_radius(&m->start);
    bool good = true;
    for (int i = 0, every = 1 + f->joints.count / 20000; i < f->joints.count && good; i += every)
    {
        const struct joint_mark *j = &f->joints.mark[i];
        float size = size_of(j, scene);
        good = overlay_line(o, j->centre[0], j->point[0], bone) && overlay_line(o, j->centre[1], j->point[1], bone) &&
               overlay_line(o, j->point[0], j->point[1], mark) && put_axes(o, j, size) &&
               put_cross(o, j->point[0], 0.25f * size);
    }
    return good;
}
