// cast_targets.c: finds where a ray or a moving ball first touches a shape, a particle or a face.
//
// A ball of radius r moves along x(t) = o + t d, |d| = 1, and touches a target where the distance D(x(t)) is r. Against
// convex targets D(x(t)) is a convex function of t, so that Newton's steps from the left,
//   t <- t + (D - r)/(-n . d)
// never pass the first touch, converge in a few steps, and stop at once where the ball moves away (n . d >= 0). Against
// other targets a step of D - r is safe (sphere tracing, Hart 1996). Balls against particles have a closed form.
// Distances come from the kernels that contacts use, in float32; t is kept in double.
#include "collide/simplex.h"
#include "query/cast.h"

#include <math.h>
#include <string.h>

enum
{
    NEWTON_STEPS = 64,
    TRACE_MOST = 4096,
};

// ---- first touch ---------------------------------------------------------------------------------------------------

// A target with a distance function, in the target's frame.
typedef struct target
{
    surface_distance (*probe)(const struct target *t, vec x);
    bool convex;
    const pl_world *w;
    solid solid;
    vec corner[3];
    double from[3], way[3]; // the cast in that frame
    double begin, end;      // the interval of t in which a touch may be
    double radius;
} target;

// Searches a tenth of the shape's size at a time: a larger search radius costs meshes and height fields more than the
// steps that it saves.
static surface_distance probe_shape(const target *t, vec x)
{
    return probe_solid(t->w->state.shape_data, &t->solid, x, (float)t->radius + 0.1f * t->solid.reach);
}

static surface_distance probe_face(const target *t, vec x)
{
    closest c = point_triangle(x, t->corner[0], t->corner[1], t->corner[2]);
    surface_distance s;
    s.normal = direction(c.between, vec_of(0.0f, 1.0f, 0.0f), &s.distance);
    return s;
}

static vec place_at(const target *t, double time)
{
    return vec_of((float)(t->from[0] + time * t->way[0]), (float)(t->from[1] + time * t->way[1]),
                  (float)(t->from[2] + time * t->way[2]));
}

// Finds the first touch, if there is one: its time, and the surface there.
static bool first_contact_of(const target *t, double *time, surface_distance *there)
{
    double now = t->begin;
    for (int i = 0; i < (t->convex ? NEWTON_STEPS : TRACE_MOST); i++)
    {
        vec x = place_at(t, now);
        surface_distance s = t->probe(t, x);
        double gap = (double)s.distance - t->radius;
        double fine = 4e-7 * ((double)reach_of(x) + t->radius);
        double slope = (double)s.normal.x * t->way[0] + (double)s.normal.y * t->way[1] + (double)s.normal.z * t->way[2];
        if (gap <= fine)
        {
            if (gap > 0.0 && slope >= 0.0 && t->convex)
                return false; // passes by within rounding
            *time = now;
            *there = s;
            return true;
        }
        if (t->convex && slope >= -1e-7)
            return false;
        now += t->convex ? gap / -slope : (double)TRACE_SHARE * gap;
        if (now > t->end)
            return false;
    }
    return false;
}

// Limits the interval to the part of the cast within a ball about `centre` (in the target's frame). Returns false if it
// is empty.
static bool within_ball(target *t, const double centre[3], double reach)
{
    double b = 0.0, c = -reach * reach;
    for (int k = 0; k < 3; k++)
    {
        double d = t->from[k] - centre[k];
        b += d * t->way[k];
        c += d * d;
    }
    double under = b * b - c;
    if (under < 0.0)
        return false;
    double root = sqrt(under);
    t->begin = -b - root > t->begin ? -b - root : t->begin;
    t->end = -b + root < t->end ? -b + root : t->end;
    return t->begin <= t->end;
}

static target target_of(const cast_state *f)
{
    target t = {.w = f->w, .end = reach_of_cast(f), .radius = f->radius};
    memcpy(t.from, f->from, sizeof t.from);
    memcpy(t.way, f->way, sizeof t.way);
    return t;
}

static pl_vec3 vec3_of(vec v) { return (pl_vec3){v.x, v.y, v.z}; }

// ---- shapes --------------------------------------------------------------------------------------------------------

static void rotate_into(const placement *p, const double v[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = (double)p->rotation[k] * v[0] + (double)p->rotation[3 + k] * v[1] + (double)p->rotation[6 + k] * v[2];
}

void cast_at_shape(cast_state *f, int32_t number)
{
    placement now;
    target t = target_of(f);
    t.probe = probe_shape;
    t.solid = shape_solid(f->w, number, &now);
    uint32_t id_entry = f->w->contacts.shapes[number].id_entry;
    if (id_entry == f->ignore_shape || !((uint32_t)t.solid.mask & f->mask))
        return;
    const double away[3] = {f->from[0] - (double)now.at[0], f->from[1] - (double)now.at[1],
                            f->from[2] - (double)now.at[2]};
    rotate_into(&now, away, t.from);
    rotate_into(&now, f->way, t.way);
    bool hollow = t.solid.flags & SOLID_INSIDE;
    t.convex = t.solid.kind <= SOLID_HULL && !hollow;
    const double middle[3] = {0.0, 0.0, 0.0};
    if (t.solid.reach > 0.0f && !hollow && !within_ball(&t, middle, 1.001 * (double)t.solid.reach + f->radius))
        return;
    double time;
    surface_distance s;
    if (!first_contact_of(&t, &time, &s))
        return;
    vec foot = sub(place_at(&t, time), times(s.distance, s.normal));
    pl_hit hit = {
        .found = true, .face = -1, .particle = -1, .distance = (float)time, .shape = id_of_entry(f->w, id_entry)};
    hit.point = vec3_of(out_of_frame(&now, foot));
    hit.normal = vec3_of(rotated(&now, s.normal));
    add_hit(f, &hit);
}

// ---- particles -----------------------------------------------------------------------------------------------------

void cast_at_particle(cast_state *f, int32_t slot)
{
    const float *x = f->w->state.slot[SLOT_X] + 4 * (size_t)slot;
    double own = f->w->state.slot[SLOT_COLLISION][4 * (size_t)slot], reach = own + f->radius;
    double d[3], b = 0.0, c = -reach * reach;
    for (int k = 0; k < 3; k++)
    {
        d[k] = f->from[k] - (double)x[k];
        b += d[k] * f->way[k];
        c += d[k] * d[k];
    }
    double under = b * b - c;
    if (reach <= 0.0 || under < 0.0 || (c > 0.0 && b > 0.0))
        return;
    double time = c <= 0.0 ? 0.0 : -b - sqrt(under), size = 0.0;
    int32_t number = f->w->number_of[slot];
    if (time > reach_of_cast(f) || (number >= f->ignore_first && number < f->ignore_end))
        return;
    for (int k = 0; k < 3; k++)
    {
        d[k] += time * f->way[k];
        size += d[k] * d[k];
    }
    size = sqrt(size);
    for (int k = 0; k < 3; k++)
        d[k] = size > 0.0 ? d[k] / size : -f->way[k];
    pl_hit hit = {.found = true, .face = -1, .particle = number, .distance = (float)time};
    hit.normal = (pl_vec3){(float)d[0], (float)d[1], (float)d[2]};
    hit.point = (pl_vec3){(float)((double)x[0] + own * d[0]), (float)((double)x[1] + own * d[1]),
                          (float)((double)x[2] + own * d[2])};
    add_hit(f, &hit);
}

// ---- faces ---------------------------------------------------------------------------------------------------------

// Moeller and Trumbore 1997; both sides of a face are hit.
static bool ray_meets_face(const target *t, double *time, surface_distance *there)
{
    double a[3], b[3], s[3], p[3], q[3], det = 0.0, u = 0.0, v = 0.0, at = 0.0;
    const vec *c = t->corner;
    const double from[3] = {(double)c[0].x, (double)c[0].y, (double)c[0].z};
    const double one[3] = {(double)c[1].x, (double)c[1].y, (double)c[1].z};
    const double two[3] = {(double)c[2].x, (double)c[2].y, (double)c[2].z};
    for (int k = 0; k < 3; k++)
        a[k] = one[k] - from[k], b[k] = two[k] - from[k], s[k] = t->from[k] - from[k];
    for (int k = 0; k < 3; k++)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        p[k] = t->way[i] * b[j] - t->way[j] * b[i];
        q[k] = s[i] * a[j] - s[j] * a[i];
    }
    for (int k = 0; k < 3; k++)
        det += a[k] * p[k], u += s[k] * p[k], v += t->way[k] * q[k], at += b[k] * q[k];
    if (det == 0.0)
        return false;
    u /= det, v /= det, *time = at / det;
    if (!(u >= 0.0 && v >= 0.0 && u + v <= 1.0 && *time >= 0.0 && *time <= t->end))
        return false;
    vec n = cross(sub(c[1], c[0]), sub(c[2], c[0])), way = vec_of((float)t->way[0], (float)t->way[1], (float)t->way[2]);
    there->normal = direction(dot(n, way) > 0.0f ? negative(n) : n, negative(way), &there->distance);
    there->distance = 0.0f;
    return true;
}

void cast_at_face(cast_state *f, int64_t face)
{
    const pl_world *w = f->w;
    const int32_t *number = w->faces.index + 3 * face;
    if ((number[0] >= f->ignore_first && number[0] < f->ignore_end) ||
        !(phase_of(w->state.slot[SLOT_COLLISION], w->numbers.slot_of[number[0]]) >> PHASE_MASK_AT & f->mask))
        return;
    target t = target_of(f);
    t.probe = probe_face;
    t.convex = true;
    double middle[3] = {0}, reach = 0.0, time;
    for (int c = 0; c < 3; c++)
    {
        const float *x = w->state.slot[SLOT_X] + 4 * (size_t)w->numbers.slot_of[number[c]];
        t.corner[c] = vec_of(x[0], x[1], x[2]);
        for (int k = 0; k < 3; k++)
            middle[k] += (double)x[k] / 3.0;
    }
    for (int c = 0; c < 3; c++)
    {
        double x = (double)t.corner[c].x - middle[0], y = (double)t.corner[c].y - middle[1],
               z = (double)t.corner[c].z - middle[2], far = sqrt(x * x + y * y + z * z);
        reach = far > reach ? far : reach;
    }
    surface_distance s;
    if (!within_ball(&t, middle, 1.001 * reach + f->radius))
        return;
    if (!(f->radius > 0.0 ? first_contact_of(&t, &time, &s) : ray_meets_face(&t, &time, &s)))
        return;
    vec foot = sub(place_at(&t, time), times(s.distance, s.normal));
    pl_hit hit = {.found = true, .face = (int)face, .particle = -1, .distance = (float)time};
    hit.point = vec3_of(foot);
    hit.normal = vec3_of(s.normal);
    float nearest = 0.0f;
    for (int c = 0; c < 3; c++)
    {
        float d = square(sub(t.corner[c], foot));
        if (c == 0 || d < nearest)
            nearest = d, hit.particle = number[c];
    }
    add_hit(f, &hit);
}
