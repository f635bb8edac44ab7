// body_bounds.c: where the bodies of a frame are (bodies.h), for the view and the shadows, and what of them is ground or glass.
#include "model.h"

#include <stdlib.h>
#include <string.h>

// ---- bounds --------------------------------------------------------------------------------------------------------

static float reach_along(const vec3 axis[3], vec3 half, int k)
{
    const float x[3] = {axis[0].x, axis[0].y, axis[0].z}, y[3] = {axis[1].x, axis[1].y, axis[1].z},
                z[3] = {axis[2].x, axis[2].y, axis[2].z};
    return fabsf(x[k]) * half.x + fabsf(y[k]) * half.y + fabsf(z[k]) * half.z;
}

static struct bounds shape_in_world(const struct bodies *all, const struct body_shape *s, const pl_rigid_state *pose)
{
    const struct body_mesh *m = &all->mesh[s->mesh];
    vec3 position, low = m->corner.min, high = m->corner.max;
    pl_quat q;
    body_shape_pose(s, pose, &position, &q);
    low = v3(low.x * s->half.x, low.y * s->half.y, low.z * s->half.z);
    high = v3(high.x * s->half.x, high.y * s->half.y, high.z * s->half.z);
    const vec3 axis[3] = {turned(q, v3(1.0f, 0.0f, 0.0f)), turned(q, v3(0.0f, 1.0f, 0.0f)),
                          turned(q, v3(0.0f, 0.0f, 1.0f))};
    vec3 half = scale(sub(high, low), 0.5f), centre = add(position, turned(q, scale(add(low, high), 0.5f)));
    vec3 reach = v3(reach_along(axis, half, 0) + s->radius, reach_along(axis, half, 1) + s->radius,
                    reach_along(axis, half, 2) + s->radius);
    return (struct bounds){sub(centre, reach), add(centre, reach)};
}

// What is left of a box within another one, which is grown by its own radius.
static struct bounds near_part(const struct bounds *a, const struct bounds *b)
{
    float r = bounds_radius(b);
    return (struct bounds){
        v3(clampf(a->min.x, b->min.x - r, b->max.x + r), clampf(a->min.y, b->min.y - r, b->max.y + r),
           clampf(a->min.z, b->min.z - r, b->max.z + r)),
        v3(clampf(a->max.x, b->min.x - r, b->max.x + r), clampf(a->max.y, b->min.y - r, b->max.y + r),
           clampf(a->max.z, b->min.z - r, b->max.z + r))};
}

enum
{
    MOST_SAMPLES = 512,
};

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// Around the median of the bodies that move, four times as far as three quarters of them are. What is farther off, such as a
// body that has fallen off a table, does not make the shadows of all others coarse.
struct crowd
{
    vec3 middle;
    float reach;
};

static struct crowd crowd_of(const struct bodies *all, const struct body_poses *p)
{
    float x[3][MOST_SAMPLES], sorted[MOST_SAMPLES];
    int count = 0, step = 1 + all->count / MOST_SAMPLES;
    for (int i = 0; i < all->count; i += step)
    {
        if (all->body[i].type != PL_RIGID_STATIC && all->body[i].shapes > 0)
        {
            x[0][count] = p->state[i].position.x;
            x[1][count] = p->state[i].position.y;
            x[2][count++] = p->state[i].position.z;
        }
    }
    if (count < 8)
    {
        return (struct crowd){.reach = 1e30f};
    }
    float middle[3];
    for (int c = 0; c < 3; c++)
    {
        memcpy(sorted, x[c], sizeof sorted);
        qsort(sorted, (size_t)count, sizeof *sorted, compare_floats);
        middle[c] = sorted[count / 2];
    }
    for (int i = 0; i < count; i++)
    {
        sorted[i] = length(sub(v3(x[0][i], x[1][i], x[2][i]), v3_at(middle)));
    }
    qsort(sorted, (size_t)count, sizeof *sorted, compare_floats);
    return (struct crowd){v3_at(middle), 4.0f * sorted[3 * count / 4]};
}

// Adds those that move, or those that stand still.
static void add_some(struct bounds *b, bool *any, const struct bodies *all, const struct body_poses *p, bool still)
{
    struct bounds before = *b;
    struct crowd crowd = crowd_of(all, p);
    bool near_only = still && *any;
    for (int i = 0; i < all->shapes; i++)
    {
        const struct body *body = &all->body[all->shape[i].body];
        vec3 at = p->state[all->shape[i].body].position;
        bool lost = !still && length(sub(at, crowd.middle)) > crowd.reach;
        if ((body->type == PL_RIGID_STATIC) == still && !body->ground && !lost)
        {
            struct bounds s = shape_in_world(all, &all->shape[i], &p->state[all->shape[i].body]);
            s = near_only ? near_part(&s, &before) : s;
            *b = *any ? bounds_join(b, &s) : s;
            *any = true;
        }
    }
}

void bounds_add_bodies(struct bounds *b, bool any, const struct bodies *all, const struct body_poses *p)
{
    if (p->count == all->count)
    {
        add_some(b, &any, all, p, false);
        add_some(b, &any, all, p, true);
    }
}

// ---- the ground ----------------------------------------------------------------------------------------------------

// The top of boxes that reach far around everything else.
static void find_ground(struct bodies *all, const struct body_poses *p, const struct bounds *moving)
{
    float wide = 2.5f * bounds_radius(moving);
    vec3 middle = bounds_centre(moving);
    for (int i = 0; i < all->shapes; i++)
    {
        const struct body_shape *s = &all->shape[i];
        struct body *body = &all->body[s->body];
        vec3 position;
        pl_quat q;
        body_shape_pose(s, &p->state[s->body], &position, &q);
        float narrow = fminf(s->half.x, s->half.z), top = position.y + s->half.y;
        bool level = turned(q, v3(0.0f, 1.0f, 0.0f)).y > 0.999f;
        bool below = fabsf(position.x - middle.x) + wide < narrow && fabsf(position.z - middle.z) + wide < narrow;
        if (body->type == PL_RIGID_STATIC && body->shapes == 1 && all->mesh[s->mesh].kind == PL_RIGID_BOX && level &&
            below)
        {
            all->floor = all->has_floor ? fmaxf(all->floor, top) : top;
            all->has_floor = body->ground = true;
        }
    }
}

static void find_foot(struct bodies *all, const struct body_poses *p, const struct bounds *b)
{
    float lowest = 1e30f;
    for (int i = 0; i < all->shapes; i++)
    {
        const struct body_shape *s = &all->shape[i];
        if (all->body[s->body].type == PL_RIGID_STATIC)
        {
            lowest = fminf(lowest, shape_in_world(all, s, &p->state[s->body]).min.y);
        }
    }
    all->has_floor = lowest <= b->min.y + 0.05f * bounds_radius(b);
    all->floor = lowest;
}

// A static box as one of the shapes that particles collide with, which are drawn by the same rules.
pl_shape_def body_shape_def(const struct body_shape *s, const pl_rigid_state *pose)
{
    pl_shape_def d = pl_default_shape_def();
    d.kind = PL_SHAPE_BOX;
    d.radius = 0.0f;
    d.half = s->half;
    body_shape_pose(s, pose, &d.position, &d.rotation);
    return d;
}

enum
{
    MOST_GLASS = 100, // more of them are no walls; and what is of glass is sorted for each picture
};

static void find_glass(struct bodies *all, const struct body_poses *p)
{
    int count = 0;
    for (int i = 0; i < all->shapes; i++)
    {
        struct body_shape *s = &all->shape[i];
        pl_shape_def d = body_shape_def(s, &p->state[s->body]);
        s->glass =
            all->body[s->body].type == PL_RIGID_STATIC && all->mesh[s->mesh].kind == PL_RIGID_BOX && shape_is_glass(&d);
        count += s->glass;
    }
    for (int i = 0; count > MOST_GLASS && i < all->shapes; i++)
    {
        all->shape[i].glass = false;
    }
}

void bodies_settle(struct bodies *all, const struct body_poses *p, struct bounds *b, bool any)
{
    struct bounds moving = *b;
    if (p->count != all->count)
    {
        return;
    }
    add_some(&moving, &any, all, p, false);
    find_ground(all, p, &moving);
    find_glass(all, p);
    bounds_add_bodies(b, any, all, p);
    if (!all->has_floor)
    {
        find_foot(all, p, b);
    }
}
