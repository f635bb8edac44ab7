// query.c: casts a ray against faces, finds the nearest particles, and drags particles. Casts against everything are in
// cast.c.
#include "model/world.h"

#include <math.h>
#include <string.h>

static pl_vec3 minus(pl_vec3 a, pl_vec3 b) { return (pl_vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static pl_vec3 along(pl_vec3 a, float t, pl_vec3 d) { return (pl_vec3){a.x + t * d.x, a.y + t * d.y, a.z + t * d.z}; }
static float product(pl_vec3 a, pl_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static pl_vec3 normal_of(pl_vec3 a, pl_vec3 b)
{
    return (pl_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static pl_vec3 position(const pl_world *w, int32_t number)
{
    const float *x = w->state.slot[SLOT_X] + 4 * (size_t)w->numbers.slot_of[number];
    return (pl_vec3){x[0], x[1], x[2]};
}

// Normalizes the direction of a ray, or fails.
static pl_result unit_ray(const char *what, pl_vec3 origin, pl_vec3 *direction, float reach)
{
    float size = sqrtf(product(*direction, *direction));
    if (!finite3(origin) || !finite3(*direction) || !(size > 0.0f) || !CHECK_FINITE(size))
        return fail(PL_ERROR_ARGUMENT, "%s: origin and direction must be finite, and the direction not 0", what);
    if (!(reach >= 0.0f))
        return fail(PL_ERROR_ARGUMENT, "%s: the distance is %g; it must be 0 or above", what, (double)reach);
    *direction = (pl_vec3){direction->x / size, direction->y / size, direction->z / size};
    return PL_OK;
}

// Moeller and Trumbore 1997; both sides of a face are hit.
static bool ray_meets(pl_vec3 o, pl_vec3 d, pl_vec3 a, pl_vec3 b, pl_vec3 c, float *t)
{
    pl_vec3 ab = minus(b, a), ac = minus(c, a), p = normal_of(d, ac), s = minus(o, a), q = normal_of(s, ab);
    float det = product(ab, p);
    if (det == 0.0f)
        return false;
    float u = product(s, p) / det, v = product(d, q) / det;
    *t = product(ac, q) / det;
    return u >= 0.0f && v >= 0.0f && u + v <= 1.0f && *t >= 0.0f;
}

pl_result pl_ray_cast(const pl_world *w, pl_vec3 origin, pl_vec3 direction, float max_distance, pl_hit *hit)
{
    NEED(w);
    NEED(hit);
    PLAIN_ROUNDING;
    pl_result result = unit_ray("ray cast", origin, &direction, max_distance);
    if (result != PL_OK)
        return result;
    result = pull(w, ARRAY_BIT(SLOT_X));
    if (result != PL_OK)
        return result;
    *hit = (pl_hit){.face = -1, .particle = -1, .distance = max_distance};
    for (int64_t i = 0; i < w->faces.count; i++)
    {
        const int32_t *f = w->faces.index + 3 * i;
        pl_vec3 corner[3] = {position(w, f[0]), position(w, f[1]), position(w, f[2])};
        float t;
        if (!ray_meets(origin, direction, corner[0], corner[1], corner[2], &t) || t > hit->distance ||
            (hit->found && t == hit->distance))
            continue;
        pl_vec3 n = normal_of(minus(corner[1], corner[0]), minus(corner[2], corner[0])),
                point = along(origin, t, direction);
        float size = sqrtf(product(n, n)), nearest = 0.0f;
        *hit = (pl_hit){.found = true,
                        .face = (int)i,
                        .particle = -1,
                        .distance = t,
                        .point = point,
                        .normal = {n.x / size, n.y / size, n.z / size}};
        for (int c = 0; c < 3; c++)
        {
            pl_vec3 d = minus(corner[c], point);
            if (c == 0 || product(d, d) < nearest)
            {
                nearest = product(d, d);
                hit->particle = f[c];
            }
        }
    }
    return PL_OK;
}

pl_result pl_closest_particle(const pl_world *w, pl_vec3 point, float max_distance, pl_hit *hit)
{
    NEED(w);
    NEED(hit);
    PLAIN_ROUNDING;
    if (!finite3(point) || !(max_distance >= 0.0f))
        return fail(PL_ERROR_ARGUMENT, "closest particle: the point must be finite and the distance 0 or above");
    pl_result result = pull(w, ARRAY_BIT(SLOT_X));
    if (result != PL_OK)
        return result;
    *hit = (pl_hit){.face = -1, .particle = -1};
    for (int32_t n = 0; n < w->numbers.end; n++)
    {
        if (w->numbers.slot_of[n] < 0)
            continue;
        pl_vec3 x = position(w, n), d = minus(x, point);
        float distance = sqrtf(product(d, d));
        if (distance <= max_distance && (!hit->found || distance < hit->distance))
            *hit = (pl_hit){.found = true, .face = -1, .particle = n, .distance = distance, .point = x};
    }
    return PL_OK;
}

pl_result pl_pick_particle(const pl_world *w, pl_vec3 origin, pl_vec3 direction, float radius, pl_hit *hit)
{
    NEED(w);
    NEED(hit);
    PLAIN_ROUNDING;
    pl_result result = unit_ray("pick particle", origin, &direction, radius);
    if (result != PL_OK)
        return result;
    result = pull(w, ARRAY_BIT(SLOT_X));
    if (result != PL_OK)
        return result;
    *hit = (pl_hit){.face = -1, .particle = -1};
    for (int32_t n = 0; n < w->numbers.end; n++)
    {
        if (w->numbers.slot_of[n] < 0)
            continue;
        pl_vec3 x = position(w, n), d = minus(x, origin);
        float t = product(d, direction);
        pl_vec3 aside = minus(d, along((pl_vec3){0}, t, direction));
        if (t >= 0.0f && product(aside, aside) <= radius * radius && (!hit->found || t < hit->distance))
            *hit = (pl_hit){.found = true, .face = -1, .particle = n, .distance = t, .point = x};
    }
    return PL_OK;
}

pl_result pl_drag_begin(pl_world *w, int particle, float compliance, pl_id *drag)
{
    NEED(w);
    PLAIN_ROUNDING;
    int32_t index = particle;
    if (particle < 0 || particle >= w->numbers.end || w->numbers.slot_of[particle] < 0)
        return fail(PL_ERROR_ARGUMENT, "drag: particle %d does not exist", particle);
    pl_constraints_def def = pl_default_constraints_def();
    def.kind = PL_KIND_PIN;
    def.count = 1;
    def.index = &index;
    def.soft.compliance = compliance;
    return pl_add_constraints(w, &def, drag);
}

pl_result pl_drag_move(pl_world *w, pl_id drag, pl_vec3 target)
{
    NEED(w);
    PLAIN_ROUNDING;
    const float to[3] = {target.x, target.y, target.z};
    return id_find(w, drag, ID_ROWS, "drag move") ? pl_move_pins(w, drag, 0, 1, to) : PL_ERROR_ARGUMENT;
}

pl_result pl_drag_end(pl_world *w, pl_id drag)
{
    NEED(w);
    return id_find(w, drag, ID_ROWS, "drag end") ? pl_remove(w, drag) : PL_ERROR_ARGUMENT;
}
