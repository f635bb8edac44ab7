// pick.c: what lies below the mouse.
#include "pick.h"

// How far from a particle one may point, as a part of the scene's radius; a far one costs depth.
#define SLACK 0.05f
#define DEPTH_OF_SLACK 8.0f

struct ray
{
    vec3 origin, direction;
};

// How far along the ray a triangle is, from either side; below 0: it is missed.
static float meets(const struct ray *r, const vec3 corner[3])
{
    vec3 u = sub(corner[1], corner[0]), v = sub(corner[2], corner[0]), from = sub(r->origin, corner[0]);
    vec3 p = cross(r->direction, v), q = cross(from, u);
    float size = dot(u, p);
    if (size == 0.0f)
    {
        return -1.0f;
    }
    float a = dot(from, p) / size, b = dot(r->direction, q) / size;
    return a >= 0.0f && b >= 0.0f && a + b <= 1.0f ? dot(v, q) / size : -1.0f;
}

static int nearest_corner(const vec3 corner[3], vec3 point)
{
    int near = 0;
    for (int c = 1; c < 3; c++)
    {
        if (length(sub(corner[c], point)) < length(sub(corner[near], point)))
        {
            near = c;
        }
    }
    return near;
}

int pick_particle(const struct model *m, const struct frame *f, vec3 origin, vec3 direction)
{
    struct ray ray = {origin, direction};
    float first = 1e30f, slack = SLACK * bounds_radius(&m->start);
    int found = -1;
    // While a scene changes, the model may be of another world than the frame.
    bool together = f->particles == m->particles && f->points == m->points;
    for (int p = 0; p < f->particles; p++)
    {
        if (together && m->in_body[p] == BODY_SHAPES)
        {
            continue;
        }
        vec3 d = sub(v3_at(f->position + 3 * (size_t)p), origin);
        float along = dot(d, direction), off = length(sub(d, scale(direction, along)));
        if (along > 0.0f && off < slack && along + DEPTH_OF_SLACK * off < first)
        {
            first = along + DEPTH_OF_SLACK * off;
            found = p;
        }
    }
    for (int i = 0; together && i < m->faces; i++)
    {
        const int32_t *point = m->face + 3 * (size_t)i;
        vec3 corner[3];
        for (int c = 0; c < 3; c++)
        {
            corner[c] = v3_at(f->position + 3 * (size_t)point[c]);
        }
        float along = meets(&ray, corner);
        if (along >= 0.0f && along < first)
        {
            int near = point[nearest_corner(corner, add(origin, scale(direction, along)))];
            found = near < m->particles ? near : m->like[near - m->particles];
            first = along;
        }
    }
    return found;
}

// ---- bodies --------------------------------------------------------------------------------------------------------

// How far along the ray a shape is; below 0: it is missed. The ray is in the axes of the shape.
static float meets_shape(const struct bodies *all, const struct body_shape *s, const struct ray *r)
{
    const struct body_mesh *m = &all->mesh[s->mesh];
    vec3 low = m->corner.min, high = m->corner.max;
    vec3 most = v3(fmaxf(fabsf(low.x), fabsf(high.x)) * s->half.x, fmaxf(fabsf(low.y), fabsf(high.y)) * s->half.y,
                   fmaxf(fabsf(low.z), fabsf(high.z)) * s->half.z);
    float reach = length(most) + s->radius, nearest = -1.0f; // no vertex is farther from the origin of the shape
    vec3 past = sub(r->origin, scale(r->direction, dot(r->origin, r->direction)));
    for (int i = 0; i < m->indices && length(past) <= reach; i += 3)
    {
        vec3 corner[3];
        for (int k = 0; k < 3; k++)
        {
            corner[k] = body_vertex_at(&all->vertex[m->first_vertex + (int)all->index[m->first_index + i + k]], s);
        }
        float along = meets(r, corner);
        nearest = along >= 0.0f && (nearest < 0.0f || along < nearest) ? along : nearest;
    }
    return nearest;
}

int pick_body(const struct model *m, const struct frame *f, vec3 origin, vec3 direction, float *along)
{
    const struct bodies *all = &m->bodies;
    int found = -1;
    for (int i = 0; i < all->shapes && f->bodies.count == all->count; i++)
    {
        const struct body_shape *s = &all->shape[i];
        vec3 position;
        pl_quat q;
        if (all->body[s->body].ground || s->glass)
        {
            continue;
        }
        body_shape_pose(s, &f->bodies.state[s->body], &position, &q);
        pl_quat back = {-q.x, -q.y, -q.z, q.w};
        struct ray ray = {turned(back, sub(origin, position)), turned(back, direction)};
        float now = meets_shape(all, s, &ray);
        if (now >= 0.0f && (found < 0 || now < *along))
        {
            found = s->body;
            *along = now;
        }
    }
    return found;
}
