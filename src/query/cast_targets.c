// cast_targets.c: finds where a ray or a moving ball first touches a shape, a particle or a face.
//
// A ball of radius r moves along x(t) = o + t d, |d| = 1, and touches a target where the distance D(x(t)) is r. Against
// convex targets D(x(t)) is a convex function of t, so that Newton's steps from the left,
//   t <- t + (D - r)/(-n . d)
// never pass the first touch, converge in a few steps, and stop at once where the ball moves away (n . d >= 0). Against
// other targets a step of D - r is safe (sphere tracing, Hart 1996). Balls against particles have a closed form.
// Distances come from the kernels that contacts use, in float32; t is kept in double.
#include "query/cast.h"

#include <math.h>
#include <string.h>

enum
{
    NEWTON_STEPS = 64,
    TRACE_MOST = 4096,
};

// ---- first touch ---------------------------------------------------------------------------------------------------

// Searches a tenth of the shape's size at a time: a larger search radius costs meshes and height fields more than the
// steps that it saves.
surface_distance probe_part(const target *t, vec x)
{
    return part_probe(t->part, x, (float)t->radius + 0.1f * t->part->solid.reach);
}

static surface_distance probe_face(const target *t, vec x)
{
    closest c = point_triangle(x, t->corner[0], t->corner[1], t->corner[2]);
    surface_distance s;
    s.normal = direction(c.between, vec_of(0.0f, 1.0f, 0.0f), &s.distance);
    return s;
}

vec place_at(const target *t, double time)
{
    return vec_of((float)(t->from[0] + time * t->way[0]), (float)(t->from[1] + time * t->way[1]),
                  (float)(t->from[2] + time * t->way[2]));
}

bool first_contact_of(const target *t, double *time, surface_distance *there)
{
    double now = t->begin;
    for (int i = 0; i < (t->is_convex ? NEWTON_STEPS : TRACE_MOST); i++)
    {
        vec x = place_at(t, now);
        surface_distance s = t->probe(t, x);
        double gap = (double)s.distance - t->radius;
        double fine = 4e-7 * ((double)reach_of(x) + t->radius);
        double slope = (double)s.normal.x * t->way[0] + (double)s.normal.y * t->way[1] + (double)s.normal.z * t->way[2];
        if (gap <= fine)
        {
            if (gap > 0.0 && slope >= 0.0 && t->is_convex)
                return false; // passes by within rounding
            *time = now;
            *there = s;
            return true;
        }
        if (t->is_convex && slope >= -1e-7)
            return false;
        now += t->is_convex ? gap / -slope : (double)TRACE_SHARE * gap;
        if (now > t->end || now > t->limit)
            return false;
    }
    return false;
}

// Limits the interval to the part of the cast within a ball about `centre` (in the target's frame). Returns false if it
// is empty.
bool within_ball(target *t, const double centre[3], double reach)
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
    return t->begin <= t->end && t->begin <= t->limit;
}

target target_of(const cast_state *f)
{
    target t = {.end = f->distance, .limit = reach_of_cast(f), .radius = f->radius};
    memcpy(t.from, f->from, sizeof t.from);
    memcpy(t.way, f->way, sizeof t.way);
    return t;
}

// ---- shapes --------------------------------------------------------------------------------------------------------

void rotate_into(const placement *p, const double v[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = (double)p->rotation[k] * v[0] + (double)p->rotation[3 + k] * v[1] + (double)p->rotation[6 + k] * v[2];
}

static bool ball_hits_part(const query_part *p, target *t, convex_hit *out)
{
    surface_distance s;
    t->probe = probe_part;
    t->is_convex = p->solid.kind <= SOLID_HULL && !(p->solid.flags & SOLID_INSIDE);
    if (!first_contact_of(t, &out->time, &s))
        return false;
    out->point = sub(place_at(t, out->time), times(s.distance, s.normal));
    out->normal = s.normal;
    return true;
}

pl_hit part_hit(const cast_state *f, const query_part *p, double time)
{
    pl_id id = id_of_entry(f->w, p->entry);
    pl_hit hit = {.found = true, .face = -1, .particle = -1, .part = -1, .distance = (float)time};
    if (p->body < 0)
        hit.shape = id;
    else
    {
        const rigids *r = &f->w->rigids;
        const uint32_t *user = r->form[p->body].user;
        hit.object = id, hit.part = p->part, hit.particle = r->member[r->start[p->body]];
        hit.user_data = user[0] | (uint64_t)user[1] << 32;
    }
    return hit;
}

void cast_at_part(cast_state *f, const query_part *p)
{
    target t = target_of(f);
    const double middle[3] = {0.0, 0.0, 0.0};
    double away[3];
    convex_hit found;
    t.part = p;
    for (int k = 0; k < 3; k++)
        away[k] = f->from[k] - (double)p->at.at[k] - (double)p->at.low[k];
    rotate_into(&p->at, away, t.from);
    rotate_into(&p->at, f->way, t.way);
    if (!p->unbounded && !within_ball(&t, middle, 1.001 * p->reach + f->reach))
        return;
    if (!(f->form == PL_CAST_BALL ? ball_hits_part(p, &t, &found) : convex_hits_part(f, p, &t, &found)))
        return;
    vec normal = rotated(&p->at, found.normal);
    if (f->leaves && found.time == 0.0 &&
        (double)normal.x * f->way[0] + (double)normal.y * f->way[1] + (double)normal.z * f->way[2] > 0.0)
        return;
    pl_hit hit = part_hit(f, p, found.time);
    hit.point = vec3_of(out_of_frame(&p->at, found.point));
    hit.normal = vec3_of(normal);
    add_hit(f, &hit);
}

// ---- particles -----------------------------------------------------------------------------------------------------

// The touch of a ball: hit->normal and hit->point are in the axes of the world.
static bool ball_hits_particle(const cast_state *f, const float *x, double own, pl_hit *hit)
{
    double reach = own + f->radius, d[3], b = 0.0, c = -reach * reach;
    for (int k = 0; k < 3; k++)
    {
        d[k] = f->from[k] - (double)x[k];
        b += d[k] * f->way[k];
        c += d[k] * d[k];
    }
    double under = b * b - c;
    if (reach <= 0.0 || under < 0.0 || (c > 0.0 && b > 0.0))
        return false;
    double time = c <= 0.0 ? 0.0 : -b - sqrt(under), size = 0.0;
    if (time > reach_of_cast(f))
        return false;
    for (int k = 0; k < 3; k++)
    {
        d[k] += time * f->way[k];
        size += d[k] * d[k];
    }
    size = sqrt(size);
    for (int k = 0; k < 3; k++)
        d[k] = size > 0.0 ? d[k] / size : -f->way[k];
    hit->distance = (float)time;
    hit->normal = (pl_vec3){(float)d[0], (float)d[1], (float)d[2]};
    hit->point = (pl_vec3){(float)((double)x[0] + own * d[0]), (float)((double)x[1] + own * d[1]),
                           (float)((double)x[2] + own * d[2])};
    return true;
}

void cast_at_particle(cast_state *f, int32_t number)
{
    int32_t slot = f->w->numbers.slot_of[number];
    if (slot < 0 || (number >= f->ignore_first && number < f->ignore_end) ||
        !(phase_of(f->w->state.slot[SLOT_COLLISION], slot) >> PHASE_MASK_AT & f->mask))
        return;
    const float *x = f->w->state.slot[SLOT_X] + 4 * (size_t)slot,
                own = f->w->state.slot[SLOT_COLLISION][4 * (size_t)slot];
    convex_hit found;
    pl_hit hit = {.found = true, .face = -1, .particle = number, .part = -1};
    if (f->form != PL_CAST_BALL)
    {
        if (!convex_hits_ball(f, x, own, &found))
            return;
        hit.distance = (float)found.time;
        hit.point = vec3_of(found.point), hit.normal = vec3_of(found.normal);
    }
    else if (!ball_hits_particle(f, x, own, &hit))
        return;
    hit.object = id_of_entry(f->w, object_at(f->w, number));
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
    if (!(u >= 0.0 && v >= 0.0 && u + v <= 1.0 && *time >= 0.0 && *time <= t->end && *time <= t->limit))
        return false;
    vec n = cross(sub(c[1], c[0]), sub(c[2], c[0])), way = vec_of((float)t->way[0], (float)t->way[1], (float)t->way[2]);
    there->normal = direction(dot(n, way) > 0.0f ? negative(n) : n, negative(way), &there->distance);
    there->distance = 0.0f;
    return true;
}

static bool ball_hits_face(const cast_state *f, target *t, convex_hit *out)
{
    surface_distance s;
    t->probe = probe_face;
    t->is_convex = true;
    if (!(f->radius > 0.0 ? first_contact_of(t, &out->time, &s) : ray_meets_face(t, &out->time, &s)))
        return false;
    out->point = sub(place_at(t, out->time), times(s.distance, s.normal));
    out->normal = s.normal;
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
    double middle[3] = {0}, reach = 0.0;
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
    if (!within_ball(&t, middle, 1.001 * reach + f->reach))
        return;
    convex_hit found;
    if (!(f->form == PL_CAST_BALL ? ball_hits_face(f, &t, &found) : convex_hits_triangle(f, &t, &found)))
        return;
    pl_hit hit = {.found = true, .face = (int)face, .particle = -1, .part = -1, .distance = (float)found.time};
    hit.point = vec3_of(found.point);
    hit.normal = vec3_of(found.normal);
    hit.object = id_of_entry(w, object_at(w, number[0]));
    float nearest = 0.0f;
    for (int c = 0; c < 3; c++)
    {
        float d = square(sub(t.corner[c], found.point));
        if (c == 0 || d < nearest)
            nearest = d, hit.particle = number[c];
    }
    add_hit(f, &hit);
}
