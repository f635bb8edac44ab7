// ellipsoids.c: particles with a rotation of their own, as triangles: a ball in rings about its y axis, stretched by its radii.
#include "surface.h"

#include <string.h>

enum
{
    SIDES = 16,
    RINGS = 9, // with both poles
};

void ellipsoid_size(int *vertices, int *indices)
{
    *vertices = SIDES * RINGS;
    *indices = SIDES * (RINGS - 1) * 6;
}

static void put(struct surface *s, vec3 centre, vec3 radii, pl_quat q, const uint8_t colour[4])
{
    uint32_t first = (uint32_t)s->vertices;
    for (int r = 0; r < RINGS; r++)
    {
        float a = (float)M_PI * (float)r / (RINGS - 1), high = cosf(a), wide = sinf(a);
        for (int k = 0; k < SIDES; k++)
        {
            float b = 2.0f * (float)M_PI * (float)k / SIDES;
            vec3 n = v3(wide * cosf(b), high, wide * sinf(b));
            vec3 at = add(centre, turned(q, v3(radii.x * n.x, radii.y * n.y, radii.z * n.z)));
            vec3 out = turned(q, unit(v3(n.x / radii.x, n.y / radii.y, n.z / radii.z)));
            struct vertex *v = &s->vertex[s->vertices++];
            *v = (struct vertex){{at.x, at.y, at.z}, {out.x, out.y, out.z}, {0}, {0}, {0}};
            memcpy(v->front, colour, 4);
            memcpy(v->back, colour, 4);
        }
    }
    for (uint32_t r = 0; r + 1 < RINGS; r++)
    {
        for (uint32_t k = 0; k < SIDES; k++)
        {
            uint32_t a = first + r * SIDES + k, b = first + r * SIDES + (k + 1) % SIDES;
            const uint32_t two[6] = {a, b, a + SIDES, b, b + SIDES, a + SIDES};
            memcpy(s->index + s->indices, two, sizeof two);
            s->indices += 6;
        }
    }
}

void ellipsoids_fill(const struct model *m, const struct frame *f, struct surface *s)
{
    for (int i = 0; i < m->ellipsoids; i++)
    {
        uint32_t p = m->ellipsoid[i];
        uint8_t colour[4], back[4];
        colour_material(m, (int)p, colour, back);
        colour[3] = MATERIAL_SOLID;
        if (s->value)
        {
            colour_value(s->by, s->value[p], colour);
        }
        pl_quat q = f->turn ? f->turn[p].rotation : (pl_quat){0.0f, 0.0f, 0.0f, 1.0f};
        put(s, v3_at(f->position + 3 * (size_t)p), m->radii[i], q, colour);
    }
}
