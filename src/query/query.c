// query.c: casts a ray against faces, finds the nearest particles, and drags particles. Casts against everything are in
// cast.c.
#include "query/cache.h"

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

// ---- searches ------------------------------------------------------------------------------------------------------

typedef struct line_search
{
    const pl_world *w;
    pl_vec3 origin, direction;
    float radius;
    pl_hit *hit;
} line_search;

static pl_hit hit_of_particle(const pl_world *w, int32_t number, float distance)
{
    pl_id object = id_of_entry(w, object_at(w, number));
    return (pl_hit){.found = true,
                    .face = -1,
                    .particle = number,
                    .part = -1,
                    .distance = distance,
                    .point = position(w, number),
                    .object = object,
                    .user_data = pl_get_user_data(w, object)};
}

// Runs a search through the tree, or item by item. half: how far beside the ray items are of interest.
static pl_result search_items(line_search *f, bool line, int targets, int kind, int64_t items, double until,
                              double half, tree_visit *visit)
{
    unsigned trees;
    pl_result result = query_prepare(f->w, targets, &trees);
    if (result != PL_OK)
        return result;
    const pl_vec3 o = f->origin, d = f->direction;
    tree_line l = {
        {(double)o.x, (double)o.y, (double)o.z}, {(double)d.x, (double)d.y, (double)d.z}, {half, half, half}};
    const query_tree *tree = &f->w->queries.tree[kind];
    if (trees >> kind & 1 && line)
        tree_cast(tree, &l, until, visit, f);
    else if (trees >> kind & 1)
        tree_near(tree, l.from, until, visit, f);
    else
        for (int64_t i = 0; i < items; i++)
            visit(f, (int32_t)i);
    return PL_OK;
}

// What rounds to the same distance is still of interest.
static double bound_of(const pl_hit *hit) { return (double)hit->distance * (1.0 + 1e-5) + 1e-30; }

static double visit_face(void *arg, int32_t i)
{
    line_search *f = arg;
    const pl_world *w = f->w;
    const int32_t *n = w->faces.index + 3 * (size_t)i;
    pl_hit *hit = f->hit;
    pl_vec3 corner[3] = {position(w, n[0]), position(w, n[1]), position(w, n[2])};
    float t;
    if (!ray_meets(f->origin, f->direction, corner[0], corner[1], corner[2], &t) || t > hit->distance ||
        (hit->found && t == hit->distance && i > hit->face))
        return bound_of(hit);
    pl_vec3 normal = normal_of(minus(corner[1], corner[0]), minus(corner[2], corner[0])),
            point = along(f->origin, t, f->direction);
    float size = sqrtf(product(normal, normal)), nearest = 0.0f;
    *hit = (pl_hit){.found = true,
                    .face = i,
                    .particle = -1,
                    .part = -1,
                    .distance = t,
                    .point = point,
                    .normal = {normal.x / size, normal.y / size, normal.z / size}};
    for (int c = 0; c < 3; c++)
    {
        pl_vec3 d = minus(corner[c], point);
        if (c == 0 || product(d, d) < nearest)
        {
            nearest = product(d, d);
            hit->particle = n[c];
        }
    }
    hit->object = id_of_entry(w, object_at(w, hit->particle));
    hit->user_data = pl_get_user_data(w, hit->object);
    return bound_of(hit);
}

pl_result pl_ray_cast(const pl_world *w, pl_vec3 origin, pl_vec3 direction, float max_distance, pl_hit *hit)
{
    NEED(w);
    NEED(hit);
    PLAIN_ROUNDING;
    pl_result result = unit_ray("ray cast", origin, &direction, max_distance);
    if (result != PL_OK)
        return result;
    pl_hit nearest = {.face = -1, .particle = -1, .part = -1, .distance = max_distance};
    line_search f = {.w = w, .origin = origin, .direction = direction, .hit = &nearest};
    result = search_items(&f, true, PL_CAST_FACES, QUERY_FACES, w->faces.count, bound_of(&nearest), 0.0, visit_face);
    if (result != PL_OK)
        return result;
    nearest.fraction = max_distance > 0.0f && nearest.found ? nearest.distance / max_distance : 0.0f;
    *hit = nearest;
    return PL_OK;
}

static double visit_near(void *arg, int32_t n)
{
    line_search *f = arg;
    pl_hit *hit = f->hit;
    double bound = hit->found ? bound_of(hit) : bound_of(&(pl_hit){.distance = f->radius});
    if (f->w->numbers.slot_of[n] < 0)
        return bound;
    pl_vec3 d = minus(position(f->w, n), f->origin);
    float distance = sqrtf(product(d, d));
    if (!(distance <= f->radius) ||
        (hit->found && (distance > hit->distance || (distance == hit->distance && n > hit->particle))))
        return bound;
    *hit = hit_of_particle(f->w, n, distance);
    return bound_of(hit);
}

pl_result pl_closest_particle(const pl_world *w, pl_vec3 point, float max_distance, pl_hit *hit)
{
    NEED(w);
    NEED(hit);
    PLAIN_ROUNDING;
    if (!finite3(point) || !(max_distance >= 0.0f))
        return fail(PL_ERROR_ARGUMENT, "closest particle: the point must be finite and the distance 0 or above");
    pl_hit nearest = {.face = -1, .particle = -1, .part = -1};
    line_search f = {.w = w, .origin = point, .radius = max_distance, .hit = &nearest};
    pl_result result = search_items(&f, false, PL_CAST_PARTICLES, QUERY_PARTICLES, w->numbers.end,
                                    bound_of(&(pl_hit){.distance = max_distance}), 0.0, visit_near);
    if (result == PL_OK)
        *hit = nearest;
    return result;
}

static double visit_beside(void *arg, int32_t n)
{
    line_search *f = arg;
    pl_hit *hit = f->hit;
    double bound = hit->found ? bound_of(hit) : INFINITY;
    if (f->w->numbers.slot_of[n] < 0)
        return bound;
    pl_vec3 d = minus(position(f->w, n), f->origin);
    float t = product(d, f->direction);
    pl_vec3 aside = minus(d, along((pl_vec3){0}, t, f->direction));
    if (!(t >= 0.0f && product(aside, aside) <= f->radius * f->radius) ||
        (hit->found && (t > hit->distance || (t == hit->distance && n > hit->particle))))
        return bound;
    *hit = hit_of_particle(f->w, n, t);
    return bound_of(hit);
}

pl_result pl_pick_particle(const pl_world *w, pl_vec3 origin, pl_vec3 direction, float radius, pl_hit *hit)
{
    NEED(w);
    NEED(hit);
    PLAIN_ROUNDING;
    pl_result result = unit_ray("pick particle", origin, &direction, radius);
    if (result != PL_OK)
        return result;
    pl_hit nearest = {.face = -1, .particle = -1, .part = -1};
    line_search f = {.w = w, .origin = origin, .direction = direction, .radius = radius, .hit = &nearest};
    result = search_items(&f, true, PL_CAST_PARTICLES, QUERY_PARTICLES, w->numbers.end, INFINITY, (double)radius,
                          visit_beside);
    if (result == PL_OK)
        *hit = nearest;
    return result;
}

// ---- dragging ------------------------------------------------------------------------------------------------------

pl_result pl_drag_begin(pl_world *w, int particle, float compliance, pl_id *drag)
{
    NEED(w);
    PLAIN_ROUNDING;
    int32_t index = particle;
    if (particle < 0 || particle >= w->numbers.end || w->numbers.slot_of[particle] < 0)
        return fail(PL_ERROR_ARGUMENT, "drag: particle %d does not exist; use a number below pl_particle_end",
                    particle);
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
