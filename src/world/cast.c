// cast.c: rays and flying balls against shapes, particles and faces; particles in a region.
//
// A ball of radius r flies along x(t) = o + t d, |d| = 1, and touches where the distance D(x(t)) to something is r. Against convex
// things D(x(t)) is a convex function of t, so that Newton's steps from the left,
//   t <- t + (D - r)/(-n . d)
// never pass the first touch, arrive in a few, and end at once where the ball flies away (n . d >= 0). Against the rest a step
// of D - r is safe (sphere tracing, Hart 1996). Balls against particles have a formula. Distances come from the kernels
// that contacts use, in float32; t is kept in double.
#include "collide/simplex.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

enum
{
    NEWTON_STEPS = 64,
    TRACE_MOST = 4096,
};

typedef struct flight
{
    const pl_world *w;
    double from[3], way[3]; // way: unit
    double distance, radius;
    uint32_t mask;
    int32_t ignore_first, ignore_end; // particle numbers
    uint32_t ignore_shape;
    // what was met, nearest first
    pl_hit *hits;
    int capacity, count; // count: of those written
    int64_t all;
} flight;

// ---- the list of hits ----------------------------------------------------------------------------------------------

static int rank_of(const pl_hit *h) { return h->shape.index ? 0 : h->face < 0 ? 1 : 2; }

static bool comes_before(const pl_hit *a, const pl_hit *b)
{
    if (a->distance != b->distance)
        return a->distance < b->distance;
    int p = rank_of(a), q = rank_of(b);
    if (p != q)
        return p < q;
    return p == 0 ? a->shape.index < b->shape.index : p == 1 ? a->particle < b->particle : a->face < b->face;
}

static void meet(flight *f, const pl_hit *hit)
{
    f->all++;
    int at = f->count;
    while (at > 0 && comes_before(hit, &f->hits[at - 1]))
        at--;
    if (at >= f->capacity)
        return;
    int last = f->count < f->capacity ? f->count : f->capacity - 1;
    memmove(f->hits + at + 1, f->hits + at, (size_t)(last - at) * sizeof *f->hits);
    f->hits[at] = *hit;
    f->count = last + 1;
}

// With room for one hit, what is farther than it need not be looked at.
static double reach_of_flight(const flight *f)
{
    return f->capacity == 1 && f->count ? (double)f->hits[0].distance : f->distance;
}

// ---- touching ------------------------------------------------------------------------------------------------------

// Something that tells how far it is, in a frame of its own.
typedef struct target
{
    surface (*probe)(const struct target *t, vec x);
    bool convex;
    const pl_world *w;
    solid solid;
    vec corner[3];
    double from[3], way[3]; // the flight in that frame
    double begin, end;      // where along it a touch may be
    double radius;
} target;

// A tenth of the shape at a time: looking farther costs meshes and height fields more than the steps that it saves.
static surface probe_shape(const target *t, vec x)
{
    return probe_solid(t->w->state.shape_data, &t->solid, x, (float)t->radius + 0.1f * t->solid.reach);
}

static surface probe_face(const target *t, vec x)
{
    closest c = point_triangle(x, t->corner[0], t->corner[1], t->corner[2]);
    surface s;
    s.normal = direction(c.between, vec_of(0.0f, 1.0f, 0.0f), &s.distance);
    return s;
}

static vec place_at(const target *t, double time)
{
    return vec_of((float)(t->from[0] + time * t->way[0]), (float)(t->from[1] + time * t->way[1]),
                  (float)(t->from[2] + time * t->way[2]));
}

// The first touch, if there is one: when, and the surface there.
static bool first_touch_of(const target *t, double *time, surface *there)
{
    double now = t->begin;
    for (int i = 0; i < (t->convex ? NEWTON_STEPS : TRACE_MOST); i++)
    {
        vec x = place_at(t, now);
        surface s = t->probe(t, x);
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

// Only the part of the flight within a ball about `centre` (in the target's frame) can touch. false: none of it.
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

static target target_of(const flight *f)
{
    target t = {.w = f->w, .end = reach_of_flight(f), .radius = f->radius};
    memcpy(t.from, f->from, sizeof t.from);
    memcpy(t.way, f->way, sizeof t.way);
    return t;
}

static pl_vec3 vec3_of(vec v) { return (pl_vec3){v.x, v.y, v.z}; }

// ---- shapes --------------------------------------------------------------------------------------------------------

static void turn_into(const placement *p, const double v[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = (double)p->turn[k] * v[0] + (double)p->turn[3 + k] * v[1] + (double)p->turn[6 + k] * v[2];
}

static void cast_at_shape(flight *f, int32_t number)
{
    placement now;
    target t = target_of(f);
    t.probe = probe_shape;
    t.solid = shape_solid(f->w, number, &now);
    uint32_t thing = f->w->contacts.shapes[number].thing;
    if (thing == f->ignore_shape || !((uint32_t)t.solid.mask & f->mask))
        return;
    const double away[3] = {f->from[0] - (double)now.at[0], f->from[1] - (double)now.at[1],
                            f->from[2] - (double)now.at[2]};
    turn_into(&now, away, t.from);
    turn_into(&now, f->way, t.way);
    bool hollow = t.solid.flags & SOLID_INSIDE;
    t.convex = t.solid.kind <= SOLID_HULL && !hollow;
    const double middle[3] = {0.0, 0.0, 0.0};
    if (t.solid.reach > 0.0f && !hollow && !within_ball(&t, middle, 1.001 * (double)t.solid.reach + f->radius))
        return;
    double time;
    surface s;
    if (!first_touch_of(&t, &time, &s))
        return;
    vec foot = sub(place_at(&t, time), times(s.distance, s.normal));
    pl_hit hit = {.found = true, .face = -1, .particle = -1, .distance = (float)time, .shape = thing_id(f->w, thing)};
    hit.point = vec3_of(out_of_frame(&now, foot));
    hit.normal = vec3_of(turned(&now, s.normal));
    meet(f, &hit);
}

// ---- particles -----------------------------------------------------------------------------------------------------

static void cast_at_particle(flight *f, int32_t slot)
{
    const float *x = f->w->state.slot[SLOT_X] + 4 * (size_t)slot;
    double own = f->w->state.slot[SLOT_GRAIN][4 * (size_t)slot], reach = own + f->radius;
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
    if (time > reach_of_flight(f) || (number >= f->ignore_first && number < f->ignore_end))
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
    meet(f, &hit);
}

// ---- faces ---------------------------------------------------------------------------------------------------------

// Moeller and Trumbore 1997, both sides.
static bool ray_meets_face(const target *t, double *time, surface *there)
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

static void cast_at_face(flight *f, int64_t face)
{
    const pl_world *w = f->w;
    const int32_t *number = w->faces.index + 3 * face;
    if ((number[0] >= f->ignore_first && number[0] < f->ignore_end) ||
        !(phase_of(w->state.slot[SLOT_GRAIN], w->numbers.slot_of[number[0]]) >> PHASE_MASK_AT & f->mask))
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
    surface s;
    if (!within_ball(&t, middle, 1.001 * reach + f->radius))
        return;
    if (!(f->radius > 0.0 ? first_touch_of(&t, &time, &s) : ray_meets_face(&t, &time, &s)))
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
    meet(f, &hit);
}

// ---- the calls -----------------------------------------------------------------------------------------------------

pl_cast_def pl_default_cast_def(void)
{
    return (pl_cast_def){.direction = {0.0f, -1.0f, 0.0f}, .distance = 1000.0f, .targets = PL_CAST_ALL, .mask = 255};
}

static pl_result set_ignored(flight *f, pl_id id)
{
    if (!id.index)
        return PL_OK;
    const thing *t = thing_of(f->w, id, THING_FREE, "cast");
    if (!t)
        return PL_ERROR_ARGUMENT;
    if (t->type == THING_SHAPE)
        f->ignore_shape = id.index;
    else if (t->type == THING_OBJECT)
        f->ignore_first = t->first, f->ignore_end = t->first + t->count;
    else
        return fail(PL_ERROR_ARGUMENT, "cast: ignore must name an object or a shape");
    return PL_OK;
}

static pl_result set_flight(flight *f, const pl_cast_def *d)
{
    const pl_vec3 v = d->direction;
    double size = sqrt((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z);
    if (!finite3(d->origin) || !finite3(v) || !(size > 0.0))
        return fail(PL_ERROR_ARGUMENT, "cast: origin and direction must be finite, and the direction not 0");
    if (!(d->distance >= 0.0f && CHECK_FINITE(d->distance)))
        return fail(PL_ERROR_ARGUMENT, "cast: distance is %g; it must be 0 or above, and finite", (double)d->distance);
    if (!(d->radius >= 0.0f && CHECK_FINITE(d->radius)))
        return fail(PL_ERROR_ARGUMENT, "cast: radius is %g; it must be 0 or above, and finite", (double)d->radius);
    if (d->targets < 1 || d->targets > PL_CAST_ALL)
        return fail(PL_ERROR_ARGUMENT, "cast: targets is %d; it must be a sum of pl_cast_target, 1 to %d", d->targets,
                    PL_CAST_ALL);
    if (d->mask < 0 || d->mask > 255)
        return fail(PL_ERROR_ARGUMENT, "cast: mask is %d; it must be from 0 to 255", d->mask);
    f->from[0] = d->origin.x, f->from[1] = d->origin.y, f->from[2] = d->origin.z;
    f->way[0] = v.x / size, f->way[1] = v.y / size, f->way[2] = v.z / size;
    f->distance = d->distance, f->radius = d->radius;
    f->mask = (uint32_t)d->mask;
    return set_ignored(f, d->ignore);
}

static pl_result fly(flight *f, const pl_cast_def *d)
{
    const pl_world *w = f->w;
    pl_result result = set_flight(f, d);
    if (result == PL_OK)
        result = pull(w, ARRAY_BIT(SLOT_X));
    if (result != PL_OK)
        return result;
    for (int32_t i = 0; d->targets & PL_CAST_SHAPES && i < w->contacts.shape_count; i++)
        cast_at_shape(f, i);
    for (int32_t slot = 0; d->targets & PL_CAST_PARTICLES && slot < w->used; slot++)
        if (w->number_of[slot] >= 0 && phase_of(w->state.slot[SLOT_GRAIN], slot) >> PHASE_MASK_AT & f->mask)
            cast_at_particle(f, slot);
    for (int64_t i = 0; d->targets & PL_CAST_FACES && i < w->faces.count; i++)
        cast_at_face(f, i);
    return PL_OK;
}

pl_result pl_cast(const pl_world *w, const pl_cast_def *def, pl_hit *hit)
{
    NEED(w);
    NEED(def);
    NEED(hit);
    PLAIN_ROUNDING;
    pl_hit nearest = {.face = -1, .particle = -1, .distance = def->distance};
    flight f = {.w = w, .hits = &nearest, .capacity = 1};
    pl_result result = fly(&f, def);
    if (result == PL_OK)
        *hit = nearest;
    return result;
}

pl_result pl_cast_all(const pl_world *w, const pl_cast_def *def, pl_hit *out, int capacity, int *count)
{
    NEED(w);
    NEED(def);
    NEED(count);
    if (capacity < 0 || (capacity > 0 && !out))
        return fail(PL_ERROR_ARGUMENT, "cast: capacity is %d with out %s; give room for as many hits", capacity,
                    out ? "given" : "NULL");
    PLAIN_ROUNDING;
    pl_hit spare[2];
    flight f = {.w = w, .hits = capacity > 1 ? out : spare, .capacity = capacity > 1 ? capacity : 2};
    pl_result result = fly(&f, def);
    if (result != PL_OK)
        return result;
    if (capacity == 1 && f.count)
        out[0] = spare[0];
    *count = f.all < INT32_MAX ? (int)f.all : INT32_MAX;
    return PL_OK;
}
