// cast_convex.c: finds where a moving capsule, box or hull first touches a shape, a particle or a face.
//
// Against convex shapes and triangles: conservative advancement on the distance of the cores (collide/gjk.h), in the
// frame of the target and relative to the place where the bounding balls meet, so that the length of the cast costs no
// accuracy. Planes have a closed form. The space around a hollow shape is met first by a vertex of the core, because the
// distance from its surface is a convex function: so each vertex is cast as a ball. Distance fields are probed at
// points of the core.
#include "collide/ground_cast.h"
#include "query/cast.h"

#include <math.h>
#include <string.h>

static vec vec_at(const double v[3]) { return vec_of((float)v[0], (float)v[1], (float)v[2]); }

// The rotation of the cast form in the frame of a placement.
static mat3 turn_in(const placement *p, const mat3 *turn)
{
    mat3 m;
    for (int c = 0; c < 3; c++)
        m.c[c] = turned_back(p, turn->c[c]);
    return m;
}

// ---- planes --------------------------------------------------------------------------------------------------------

// side: 1 from above, -1 from below; `low`: the point of the core that meets the plane first.
static bool meets_plane(const target *t, vec low, double height, int side, convex_hit *out)
{
    double fall = -side * t->way[1];
    out->time = height <= 0.0 ? 0.0 : fall > 0.0 ? height / fall : 2e30;
    if (!(out->time <= t->end && out->time <= t->limit))
        return false;
    out->normal = vec_of(0.0f, (float)side, 0.0f);
    out->point = add(place_at(t, out->time), low);
    return true;
}

static bool hits_plane(const cast_state *f, const query_part *p, const target *t, const mat3 *turn, convex_hit *out)
{
    vec up = transposed_times(turn, vec_of(0.0f, 1.0f, 0.0f));
    vec low = mat_times(turn, convex_support(&f->shape, negative(up))),
        high = mat_times(turn, convex_support(&f->shape, up));
    double round = (double)f->shape.radius, half = p->solid.flags & SOLID_TWO_SIDED ? (double)p->solid.size[3] : 0.0;
    double bottom = t->from[1] + (double)low.y - round, top = t->from[1] + (double)high.y + round;
    double middle = t->from[1] + 0.5 * ((double)low.y + (double)high.y);
    bool below = p->solid.flags & SOLID_TWO_SIDED && middle < 0.0;
    if (!meets_plane(t, below ? high : low, below ? -half - top : bottom - half, below ? -1 : 1, out))
        return false;
    out->point.y = below ? (float)-half : (float)half;
    return true;
}

// ---- hollow shapes -------------------------------------------------------------------------------------------------

static int core_vertices(const convex *c)
{
    return c->kind == CONVEX_HULL ? c->hull.vertices : c->kind == CONVEX_BOX ? 8 : 2;
}

static vec core_vertex(const convex *c, int i)
{
    if (c->kind == CONVEX_HULL)
        return poly_vertex(&c->hull, i);
    return vec_of(i & 2 ? -c->half.x : c->half.x, i & 1 ? -c->half.y : c->half.y, i & 4 ? -c->half.z : c->half.z);
}

static bool hits_hollow(const cast_state *f, const target *t, const mat3 *turn, convex_hit *out)
{
    bool found = false;
    for (int i = 0; i < core_vertices(&f->shape); i++)
    {
        vec v = mat_times(turn, core_vertex(&f->shape, i));
        target one = *t;
        surface_distance s;
        double time;
        one.probe = probe_part;
        one.is_convex = false;
        one.radius = (double)f->shape.radius;
        one.from[0] += (double)v.x, one.from[1] += (double)v.y, one.from[2] += (double)v.z;
        one.limit = found && out->time < t->limit ? out->time : t->limit;
        if (!first_contact_of(&one, &time, &s) || (found && time >= out->time))
            continue;
        found = true;
        out->time = time;
        out->point = sub(place_at(&one, time), times(s.distance, s.normal));
        out->normal = s.normal;
    }
    return found;
}

// ---- distance fields -----------------------------------------------------------------------------------------------

enum
{
    SAMPLES = 520,
    SIDE = 8,          // parts of a side of a box
    PAIRED = 31,       // of a hull with at most so many vertices, the middles of all pairs are probed
    SAMPLE_STEPS = 512 // the most steps of a cast
};

static int samples_of(const convex *c, vec *out)
{
    int count = 0;
    if (c->kind == CONVEX_CAPSULE)
        for (int i = 0; i <= 64; i++)
            out[count++] = vec_of(0.0f, c->half.y * ((float)i / 32.0f - 1.0f), 0.0f);
    else if (c->kind == CONVEX_BOX)
    {
        for (int i = 0; i < (SIDE + 1) * (SIDE + 1) * (SIDE + 1); i++)
        {
            int x = i % (SIDE + 1), y = i / (SIDE + 1) % (SIDE + 1), z = i / (SIDE + 1) / (SIDE + 1);
            if (x % SIDE && y % SIDE && z % SIDE)
                continue; // inside
            const float unit = 2.0f / SIDE;
            out[count++] = vec_of(c->half.x * (unit * (float)x - 1.0f), c->half.y * (unit * (float)y - 1.0f),
                                  c->half.z * (unit * (float)z - 1.0f));
        }
    }
    else
        for (int i = 0; i < c->hull.vertices; i++)
        {
            out[count++] = poly_vertex(&c->hull, i);
            for (int k = 0; k < i && c->hull.vertices <= PAIRED; k++)
                out[count++] = times(0.5f, add(poly_vertex(&c->hull, i), poly_vertex(&c->hull, k)));
        }
    out[count++] = c->middle;
    return count;
}

static bool hits_distance_field(const cast_state *f, const target *t, const mat3 *turn, convex_hit *out)
{
    vec sample[SAMPLES];
    int count = samples_of(&f->shape, sample);
    float round = f->shape.radius;
    double now = t->begin;
    for (int i = 0; i < count; i++)
        sample[i] = mat_times(turn, sample[i]);
    for (int step = 0; step < SAMPLE_STEPS && now <= t->end && now <= t->limit; step++)
    {
        vec at = place_at(t, now);
        surface_distance best = {SOLID_FAR, vec_of(0.0f, 1.0f, 0.0f)};
        int deepest = 0;
        for (int i = 0; i < count; i++)
        {
            surface_distance s = part_probe(t->part, add(at, sample[i]), SOLID_FAR);
            if (s.distance < best.distance)
                best = s, deepest = i;
        }
        double gap = (double)(best.distance - round);
        if (gap <= 4e-7 * ((double)reach_of(at) + f->reach))
        {
            out->time = now;
            out->normal = best.normal;
            out->point = sub(add(at, sample[deepest]), times(best.distance, best.normal));
            return true;
        }
        now += (double)TRACE_SHARE * gap;
    }
    return false;
}

// ---- convex shapes, meshes, height fields --------------------------------------------------------------------------

static convex convex_of_part(const query_part *p)
{
    const solid *s = &p->solid;
    float half = 0.5f * s->size[0];
    if (p->cylinder)
        return convex_cylinder(half, s->size[3]);
    if (s->kind == SOLID_SPHERE)
        return convex_sphere(s->size[3]);
    if (s->kind == SOLID_CAPSULE)
        return convex_capsule(half, s->size[3]);
    if (s->kind == SOLID_BOX)
        return convex_box(vec_of(s->size[0], s->size[1], s->size[2]), s->size[3]);
    hull h = hull_of(geometry_of(p->data, s));
    convex c = convex_of(CONVEX_HULL, vec_of(0.0f, 0.0f, 0.0f), s->size[3]);
    c.hull.vertex = h.vertex;
    c.hull.vertices = (int32_t)h.vertices;
    for (int i = 0; i < c.hull.vertices; i++)
        c.middle = add(c.middle, times(1.0f / (float)c.hull.vertices, poly_vertex(&c.hull, i)));
    c.reach = s->reach;
    return c;
}

// A form inside a closed mesh, or below a height field, touches no triangle but overlaps.
static bool is_inside(const query_part *p, vec middle, convex_hit *out)
{
    surface_distance s = part_probe(p, middle, p->solid.reach);
    if (s.distance > 0.0f)
        return false;
    out->time = 0.0;
    out->normal = s.normal;
    out->point = sub(middle, times(s.distance, s.normal));
    return true;
}

static bool hits_triangles(const query_part *p, const convex *c, const pose *start, vec way, cast_hit *hit)
{
    const geometry *g = geometry_of(p->data, &p->solid);
    if (p->solid.kind == SOLID_MESH)
    {
        bvh b = mesh_of(g);
        *hit = cast_at_mesh(c, start, way, &b, p->solid.size[3]).hit;
    }
    else
    {
        heightfield h = field_of(g);
        *hit = cast_at_field(c, start, way, &h, p->solid.size[3]).hit;
    }
    return hit->hit;
}

bool convex_hits_part(const cast_state *f, const query_part *p, target *t, convex_hit *out)
{
    const convex *c = &f->shape;
    int kind = p->solid.kind;
    mat3 turn = turn_in(&p->at, &f->turn);
    if (kind == SOLID_PLANE)
        return hits_plane(f, p, t, &turn, out);
    if (p->solid.flags & SOLID_INSIDE)
        return hits_hollow(f, t, &turn, out);
    if (kind == SOLID_SDF)
        return hits_distance_field(f, t, &turn, out);
    double begin = t->begin, span = t->end - begin, at[3], by[3];
    for (int k = 0; k < 3; k++)
        at[k] = t->from[k] + begin * t->way[k], by[k] = span * t->way[k];
    pose start = {turn, vec_at(at)};
    cast_hit hit;
    if (kind >= SOLID_MESH)
    {
        if (begin == 0.0 && is_inside(p, pose_out(&start, c->middle), out))
            return true;
        if (!hits_triangles(p, c, &start, vec_at(by), &hit))
            return false;
    }
    else
    {
        convex b = convex_of_part(p);
        hit = convex_cast(c, &start, vec_at(by), &b);
        if (!hit.hit)
            return false;
    }
    out->time = begin + (double)hit.time * span;
    out->normal = hit.normal;
    out->point = hit.at;
    return true;
}

// ---- particles and faces -------------------------------------------------------------------------------------------

static surface_distance probe_caster(const target *t, vec x) { return convex_probe(t->caster, x); }

// The ball moves against the form, in the frame of the form.
bool convex_hits_ball(const cast_state *f, const float *x, float radius, convex_hit *out)
{
    target t = target_of(f);
    const double middle[3] = {0.0, 0.0, 0.0};
    for (int c = 0; c < 3; c++)
    {
        const vec axis = f->turn.c[c];
        t.from[c] = ((double)x[0] - f->from[0]) * (double)axis.x + ((double)x[1] - f->from[1]) * (double)axis.y +
                    ((double)x[2] - f->from[2]) * (double)axis.z;
        t.way[c] = -(f->way[0] * (double)axis.x + f->way[1] * (double)axis.y + f->way[2] * (double)axis.z);
    }
    t.radius = (double)radius;
    if (!within_ball(&t, middle, 1.001 * f->reach + (double)radius))
        return false;
    vec normal;
    if (f->form == PL_CAST_HULL)
    {
        double at[3], by[3], span = t.end - t.begin;
        for (int k = 0; k < 3; k++)
            at[k] = t.from[k] + t.begin * t.way[k], by[k] = span * t.way[k];
        pose start = {mat_unit(), vec_at(at)};
        convex ball = convex_sphere(radius);
        cast_hit hit = convex_cast(&ball, &start, vec_at(by), &f->shape);
        if (!hit.hit)
            return false;
        out->time = t.begin + (double)hit.time * span;
        normal = hit.normal;
    }
    else
    {
        surface_distance s;
        t.probe = probe_caster;
        t.caster = &f->shape;
        t.is_convex = true;
        if (!first_contact_of(&t, &out->time, &s))
            return false;
        normal = s.normal;
    }
    out->normal = negative(mat_times(&f->turn, normal));
    out->point = add(vec_of(x[0], x[1], x[2]), times(radius, out->normal));
    return true;
}

bool convex_hits_triangle(const cast_state *f, target *t, convex_hit *out)
{
    double at[3], by[3], span = t->end - t->begin;
    float x[9];
    for (int k = 0; k < 3; k++)
        at[k] = t->from[k] + t->begin * t->way[k], by[k] = span * t->way[k];
    vec origin = vec_at(at);
    convex tri = convex_triangle(t->corner, origin, 0.0f, x);
    pose start = {f->turn, vec_of(0.0f, 0.0f, 0.0f)};
    cast_hit hit = convex_cast(&f->shape, &start, vec_at(by), &tri);
    if (!hit.hit)
        return false;
    out->time = t->begin + (double)hit.time * span;
    out->normal = hit.normal;
    out->point = add(hit.at, origin);
    return true;
}
