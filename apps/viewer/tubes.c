// tubes.c: a row of particles as a smooth tube along a Catmull-Rom spline (Catmull, Rom 1974). The rings' frames are
// carried along without twist; the ends are round. Strands of hair are many: their tubes have three sides and no ends.
#include "surface.h"

#include <string.h>

enum
{
    SIDES = 12,
    SIDES_OF_HAIR = 3,
    SIDES_OF_HEM = 6,
    CAP = 3, // rings of a round end
};

static int sides_of(const struct chain *c)
{
    return c->style == CHAIN_HAIR ? SIDES_OF_HAIR : c->style == CHAIN_HEM ? SIDES_OF_HEM : SIDES;
}

// Whether its ends are round.
static bool has_caps(const struct chain *c) { return !c->closed && c->style != CHAIN_HAIR && c->style != CHAIN_HEM; }

static int steps_of(const struct chain *c)
{
    return c->style == CHAIN_ROPE && c->count < 4000 ? 4 : c->style == CHAIN_HAIR ? 2 : 1;
}

static int path_points(const struct chain *c) { return (c->closed ? c->count : c->count - 1) * steps_of(c) + 1; }

void tube_size(const struct chain *c, int *vertices, int *indices, int *path)
{
    int rings = path_points(c) + (has_caps(c) ? 2 * CAP : 0), sides = sides_of(c);
    *vertices = rings * sides;
    *indices = (rings - 1) * sides * 6;
    *path = path_points(c);
}

static vec3 spline(vec3 a, vec3 b, vec3 c, vec3 d, float t)
{
    float t2 = t * t, t3 = t2 * t;
    vec3 r = scale(a, -0.5f * t + t2 - 0.5f * t3);
    r = add(r, scale(b, 1.0f - 2.5f * t2 + 1.5f * t3));
    r = add(r, scale(c, 0.5f * t + 2.0f * t2 - 1.5f * t3));
    return add(r, scale(d, -0.5f * t2 + 0.5f * t3));
}

static vec3 point_of(const struct model *m, const struct frame *f, const struct chain *c, int i)
{
    // Before its first and after its last point, an open row goes on as it began.
    if (!c->closed && (i < 0 || i >= c->count))
    {
        int end = i < 0 ? 0 : c->count - 1, in = i < 0 ? 1 : c->count - 2;
        vec3 p = point_of(m, f, c, end);
        return sub(scale(p, 2.0f), point_of(m, f, c, in));
    }
    int at = (i + c->count) % c->count;
    return v3_at(f->position + 3 * (size_t)m->chain_particle[c->first + at]);
}

// A pole that stands upright stands on the ground, and reaches a little beyond what it holds.
static void ground_pole(const struct model *m, const struct chain *c, vec3 *path, int points)
{
    vec3 *low = path, *high = path + points - 1;
    if (low->y > high->y)
    {
        vec3 *t = low;
        low = high;
        high = t;
    }
    vec3 d = sub(*high, *low);
    if (d.y > 0.95f * length(d) && low->y > m->floor)
    {
        low->y = m->floor;
        high->y += 4.0f * c->radius;
    }
}

static int fill_path(const struct model *m, const struct frame *f, const struct chain *c, vec3 *path)
{
    int steps = steps_of(c), points = path_points(c);
    for (int i = 0; i < points; i++)
    {
        int k = i / steps;
        float t = (float)(i % steps) / (float)steps;
        path[i] = spline(point_of(m, f, c, k - 1), point_of(m, f, c, k), point_of(m, f, c, k + 1),
                         point_of(m, f, c, k + 2), t);
    }
    if (c->style == CHAIN_POLE)
    {
        ground_pole(m, c, path, points);
    }
    return points;
}

struct ring
{
    vec3 centre, across, along; // unit vectors
    float radius, tilt;         // tilt: how much the normal leans along
    int sides;
};

static void put_ring(struct surface *s, const struct ring *r, const uint8_t colour[4])
{
    vec3 third = cross(r->along, r->across);
    for (int k = 0; k < r->sides; k++)
    {
        float a = 2.0f * (float)M_PI * (float)k / (float)r->sides;
        vec3 out = add(scale(r->across, cosf(a)), scale(third, sinf(a)));
        vec3 n = unit(add(scale(out, 1.0f - fabsf(r->tilt)), scale(r->along, r->tilt)));
        vec3 p = add(r->centre, scale(out, r->radius));
        struct vertex *v = &s->vertex[s->vertices++];
        *v = (struct vertex){{p.x, p.y, p.z}, {n.x, n.y, n.z}, {0}, {0}, {0}};
        memcpy(v->front, colour, 4);
        memcpy(v->back, colour, 4);
    }
}

static void put_cap(struct surface *s, struct ring r, bool start, const uint8_t colour[4])
{
    float radius = r.radius;
    vec3 end = r.centre;
    for (int i = 0; i < CAP; i++)
    {
        float a = 0.5f * (float)M_PI * (float)(start ? CAP - i : i + 1) / CAP, side = start ? -1.0f : 1.0f;
        r.centre = add(end, scale(r.along, side * radius * sinf(a)));
        r.radius = radius * cosf(a);
        r.tilt = side * a * 2.0f / (float)M_PI;
        put_ring(s, &r, colour);
    }
}

static void put_triangles(struct surface *s, int first, int rings, int sides)
{
    uint32_t up = (uint32_t)sides;
    for (int r = 0; r + 1 < rings; r++)
    {
        for (int k = 0; k < sides; k++)
        {
            uint32_t a = (uint32_t)(first + r * sides + k), b = (uint32_t)(first + r * sides + (k + 1) % sides);
            const uint32_t two[6] = {a, b, a + up, b, b + up, a + up};
            memcpy(s->index + s->indices, two, sizeof two);
            s->indices += 6;
        }
    }
}

static void tube_colour(const struct model *m, const struct chain *c, const struct surface *s, int point, int steps,
                        uint8_t out[4])
{
    static const uint8_t steel[4] = {88, 92, 100, MATERIAL_METAL};
    uint8_t back[4];
    int at = point / steps < c->count ? point / steps : 0;
    int p = m->chain_particle[c->first + at];
    if (c->style == CHAIN_HEM)
    {
        colour_material(m, p, out, back);
    }
    else if (c->style != CHAIN_ROPE && c->style != CHAIN_HAIR)
    {
        memcpy(out, steel, 4);
    }
    else
    {
        colour_material(m, p, out, back);
        out[3] = MATERIAL_SOLID;
        for (int k = 0; k < 3 && c->style == CHAIN_HAIR; k++) // so that strands can be told apart
        {
            out[k] = (uint8_t)((float)out[k] * (0.55f + 0.05f * (float)(m->chain_particle[c->first] * 7 % 10)));
        }
    }
    if (s->value && c->style != CHAIN_POLE)
    {
        colour_value(s->by, s->value[p], out);
    }
}

void tube_fill(const struct model *m, const struct frame *f, const struct chain *c, struct surface *s)
{
    int points = fill_path(m, f, c, s->path), first = s->vertices, rings = points + (has_caps(c) ? 2 * CAP : 0);
    struct ring r = {.radius = c->radius, .sides = sides_of(c)};
    uint8_t colour[4];
    for (int i = 0; i < points; i++)
    {
        int before = i > 0 ? i - 1 : c->closed ? points - 2 : 0, after = i + 1 < points ? i + 1 : c->closed ? 1 : i;
        vec3 along = unit_or(sub(s->path[after], s->path[before]), i > 0 ? r.along : v3(0.0f, 1.0f, 0.0f));
        vec3 side = sub(r.across, scale(along, dot(r.across, along)));
        r.across = i > 0 && length(side) > 1e-3f ? unit(side) : across(along);
        r.along = along;
        r.centre = s->path[i];
        tube_colour(m, c, s, i, steps_of(c), colour);
        if (i == 0 && has_caps(c))
        {
            put_cap(s, r, true, colour);
        }
        put_ring(s, &r, colour);
        if (i == points - 1 && has_caps(c))
        {
            put_cap(s, r, false, colour);
        }
    }
    put_triangles(s, first, rings, r.sides);
}
