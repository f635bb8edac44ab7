// surface.c: see surface.h.
#include "surface.h"

#include "message.h"

#include <stdlib.h>
#include <string.h>

bool surface_open(struct surface *s, const struct model *m)
{
    size_t vertices = (size_t)m->vertices, indices = 3 * (size_t)m->faces, path = 1;
    *s = (struct surface){0};
    for (int c = 0; c < m->chains; c++)
    {
        int v, i, p;
        tube_size(&m->chain[c], &v, &i, &p);
        vertices += (size_t)v;
        indices += (size_t)i;
        path = (size_t)p > path ? (size_t)p : path;
    }
    int v, i;
    ellipsoid_size(&v, &i);
    vertices += (size_t)m->ellipsoids * (size_t)v;
    indices += (size_t)m->ellipsoids * (size_t)i;
    s->vertex = malloc((vertices + 1) * sizeof *s->vertex);
    s->index = malloc((indices + 1) * sizeof *s->index);
    s->ball = malloc(((size_t)m->spheres + (size_t)m->bodies.shapes + (size_t)m->froth_most + 1) * sizeof *s->ball);
    s->values = malloc(((size_t)m->particles + 1) * sizeof *s->values);
    s->path = malloc(path * sizeof *s->path);
    if (!s->vertex || !s->index || !s->ball || !s->values || !s->path || vertices > UINT32_MAX || indices > INT32_MAX)
    {
        surface_free(s);
        return trouble("no memory to draw %zu vertices; use a smaller scene", vertices);
    }
    return true;
}

void surface_free(struct surface *s)
{
    free(s->vertex);
    free(s->index);
    free(s->ball);
    free(s->values);
    free(s->path);
    *s = (struct surface){0};
}

// ---- what colours tell ---------------------------------------------------------------------------------------------

// The values become 0 to 1 along the range.
static void spread(struct surface *s, int count, const struct value_range *r)
{
    for (int p = 0; p < count; p++)
    {
        s->values[p] = clampf((s->values[p] - r->low) / fmaxf(r->high - r->low, 1e-12f), 0.0f, 1.0f);
    }
    s->low = r->low;
    s->high = r->high;
    s->most = r->most;
}

static void fill_speeds(struct surface *s, const struct model *m, const struct frame *f)
{
    struct value_range r;
    for (int p = 0; p < m->particles; p++)
    {
        s->values[p] = length(v3_at(f->velocity + 3 * (size_t)p));
    }
    value_range(s->values, f->active, m->particles, false, &r);
    r.high = fmaxf(r.high, 1e-6f);
    spread(s, m->particles, &r);
}

// Each particle shows the largest strain of its links and elements; 0.5 is none. Links that only pull show nothing while they hang loose.
static void fill_strains(struct surface *s, const struct model *m, const struct frame *f)
{
    struct value_range r;
    bool told = f->told && f->has.colour_by == COLOUR_STRAIN; // of elements
    for (int p = 0; p < m->particles; p++)
    {
        s->values[p] = told ? f->told[p] : 0.0f;
    }
    for (int i = 0; i < m->links; i++)
    {
        const int32_t *l = m->link + 2 * (size_t)i;
        vec3 d = sub(v3_at(f->position + 3 * (size_t)l[0]), v3_at(f->position + 3 * (size_t)l[1]));
        float strain = m->link_rest[i] > 0.0f ? length(d) / m->link_rest[i] - 1.0f : 0.0f;
        bool loose = (m->link_kind[i] == PL_KIND_DISTANCE_MAX && strain < 0.0f) ||
                     (m->link_kind[i] == PL_KIND_DISTANCE_MIN && strain > 0.0f) || m->link_kind[i] == PL_KIND_TETHER;
        for (int k = 0; k < 2 && !loose; k++)
        {
            float *v = &s->values[l[k]];
            *v = fabsf(strain) > fabsf(*v) ? strain : *v;
        }
    }
    value_range(s->values, f->active, m->particles, true, &r);
    r.high = fmaxf(fmaxf(r.high, -r.low), 1e-4f);
    r.low = -r.high;
    spread(s, m->particles, &r);
}

// What the frame has been told of the inside. Counts and residuals go from 0 to the largest, temperatures and densities of fluids from the least on, numbers
// stay numbers.
static void fill_told(struct surface *s, const struct model *m, const struct frame *f, enum colour_by by)
{
    struct value_range r;
    bool from_least = by == COLOUR_HEAT || (by == COLOUR_DENSITY && f->of_fluid);
    bool there = f->told && f->has.colour_by == by;
    for (int p = 0; p < m->particles; p++)
    {
        s->values[p] = there ? f->told[p] : 0.0f;
    }
    value_range(s->values, f->active, m->particles, from_least, &r);
    if (colour_by_number(by))
    {
        s->low = 0.0f;
        s->high = s->most = r.most;
        return;
    }
    r.high = fmaxf(r.high, by == COLOUR_DENSITY && !f->of_fluid ? 1.0f : r.low + (from_least ? 1e-3f : 1e-6f));
    spread(s, m->particles, &r);
}

// ---- shapes --------------------------------------------------------------------------------------------------------

// A vertex' normal is the mean of its faces', weighed by their areas.
static void fill_mesh(struct surface *s, const struct model *m, const struct frame *f)
{
    for (int v = 0; v < m->vertices; v++)
    {
        struct vertex *to = &s->vertex[v];
        int point = m->vertex[v], p = point < m->particles ? point : m->like[point - m->particles];
        memcpy(to->position, f->position + 3 * (size_t)point, sizeof to->position);
        memcpy(to->rest, m->rest + 3 * (size_t)point, sizeof to->rest);
        memset(to->normal, 0, sizeof to->normal);
        colour_material(m, p, to->front, to->back);
        if (s->value)
        {
            colour_value(s->by, s->value[p], to->front);
            memcpy(to->back, to->front, 4);
        }
    }
    for (int t = 0; t < m->faces; t++)
    {
        const uint32_t *c = m->corner + 3 * (size_t)t;
        vec3 a = v3_at(s->vertex[c[0]].position);
        vec3 n = cross(sub(v3_at(s->vertex[c[1]].position), a), sub(v3_at(s->vertex[c[2]].position), a));
        for (int k = 0; k < 3; k++)
        {
            float *to = s->vertex[c[k]].normal;
            to[0] += n.x;
            to[1] += n.y;
            to[2] += n.z;
        }
    }
    for (int v = 0; v < m->vertices; v++)
    {
        vec3 n = unit(v3_at(s->vertex[v].normal));
        memcpy(s->vertex[v].normal, &n, sizeof s->vertex[v].normal);
    }
    memcpy(s->index, m->corner, 3 * (size_t)m->faces * sizeof *s->index);
    s->vertices = m->vertices;
    s->indices = 3 * m->faces;
}

// Of many alike each is a little lighter or darker than the next, so that a heap does not look like one thing.
enum
{
    MANY_ALIKE = 200,
};

static void vary(uint8_t colour[4], uint32_t number)
{
    uint32_t dice = (number + 1) * 2654435761u;
    float light = 0.86f + 0.28f * (float)(dice >> 16) / 65536.0f;
    for (int k = 0; k < 3; k++)
    {
        colour[k] = (uint8_t)clampf((float)colour[k] * light, 0.0f, 255.0f);
    }
}

static void fill_balls(struct surface *s, const struct model *m, const struct frame *f)
{
    static const uint8_t iron[4] = {64, 66, 72, MATERIAL_METAL};
    bool surface = f->fluid.triangle_count > 0; // of fluids: it is drawn instead of their particles
    s->balls = 0;
    for (int i = 0; i < m->spheres; i++)
    {
        uint32_t p = m->sphere[i];
        struct ball *b = &s->ball[s->balls];
        uint8_t back[4];
        if (!f->active[p] || (surface && m->fluid[p]) || (f->waxed && f->waxed[p]))
        {
            continue;
        }
        s->balls++;
        memcpy(b->position, f->position + 3 * (size_t)p, sizeof b->position);
        b->radius = m->radius[p];
        colour_material(m, (int)p, b->colour, back);
        if (m->fluid[p])
        {
            colour_fluid(m, f, (int)p, b->colour);
        }
        b->colour[3] = MATERIAL_SOLID;
        if (m->spheres > MANY_ALIKE && !s->value)
        {
            vary(b->colour, p);
        }
        if (m->held[p])
        {
            memcpy(b->colour, iron, 4);
        }
        else if (s->value)
        {
            colour_value(s->by, s->value[p], b->colour);
        }
    }
}

// Spheres of bodies, if there are very many.
static void fill_body_balls(struct surface *s, const struct model *m, const struct frame *f)
{
    const struct bodies *all = &m->bodies;
    for (int i = 0; i < all->shapes && f->bodies.count == all->count; i++)
    {
        const struct body_shape *shape = &all->shape[i];
        vec3 at;
        pl_quat q;
        if (all->mesh[shape->mesh].balls)
        {
            struct ball *b = &s->ball[s->balls++];
            body_shape_pose(shape, &f->bodies.state[shape->body], &at, &q);
            *b = (struct ball){.position = {at.x, at.y, at.z}, .radius = shape->radius};
            colour_body(m, s, &all->body[shape->body], f->bodies.awake[shape->body], b->colour);
        }
    }
}

// Spray, foam and bubbles: small and white.
static void fill_froth(struct surface *s, const struct model *m, const struct frame *f)
{
    static const uint8_t white[4] = {240, 245, 248, MATERIAL_SOLID};
    for (int i = 0; i < f->froths && i < m->froth_most; i++)
    {
        struct ball *b = &s->ball[s->balls++];
        const float *from = f->froth + 4 * (size_t)i;
        memcpy(b->position, from, sizeof b->position);
        b->radius = (from[3] == (float)PL_DIFFUSE_FOAM ? 0.2f : 0.14f) * m->fluid_radius;
        memcpy(b->colour, white, sizeof white);
    }
}

static void find_bounds(struct surface *s, const struct model *m, const struct frame *f)
{
    float most = 0.0f;
    struct bounds b = bounds_of(f->position, m->bodies.count ? 0 : f->particles);
    bool any = !m->bodies.count && f->particles > 0;
    for (int p = 0; m->bodies.count && p < f->particles; p++)
    {
        vec3 at = v3_at(f->position + 3 * (size_t)p);
        if (m->in_body[p] != BODY_SHAPES) // bodies follow
        {
            struct bounds one = {at, at};
            b = any ? bounds_join(&b, &one) : one;
            any = true;
        }
    }
    for (int i = 0; i < m->spheres; i++)
    {
        most = fmaxf(most, m->radius[m->sphere[i]]);
    }
    for (int i = 0; i < m->ellipsoids; i++)
    {
        most = fmaxf(most, fmaxf(m->radii[i].x, fmaxf(m->radii[i].y, m->radii[i].z)));
    }
    b.min = sub(b.min, v3(most, most, most));
    b.max = add(b.max, v3(most, most, most));
    bounds_add_bodies(&b, any, &m->bodies, &f->bodies);
    bounds_add_shapes(&b, f->particles > 0, f->shape, f->shapes);
    s->bounds = b;
}

void surface_fill(struct surface *s, const struct model *m, const struct frame *f, enum colour_by by)
{
    s->by = by;
    s->of_fluid = f->of_fluid;
    s->value = by == COLOUR_MATERIAL ? NULL : s->values;
    if (by == COLOUR_SPEED)
    {
        fill_speeds(s, m, f);
    }
    else if (by == COLOUR_STRAIN)
    {
        fill_strains(s, m, f);
    }
    else if (s->value)
    {
        fill_told(s, m, f, by);
    }
    fill_mesh(s, m, f);
    for (int c = 0; c < m->chains; c++)
    {
        tube_fill(m, f, &m->chain[c], s);
    }
    ellipsoids_fill(m, f, s);
    fill_balls(s, m, f);
    fill_body_balls(s, m, f);
    fill_froth(s, m, f);
    find_bounds(s, m, f);
}
