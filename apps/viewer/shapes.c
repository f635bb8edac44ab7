// shapes.c: what a viewer wants to know of the shapes that particles collide with.
#include "message.h"
#include "model.h"

#include <stdlib.h>

bool shape_is_ground(const pl_shape_def *d)
{
    return d->kind == PL_SHAPE_PLANE && turned(d->rotation, v3(0.0f, 1.0f, 0.0f)).y > 0.999f;
}

// A box that is much thinner than it is wide and high, and stands: nobody wants it before what it holds.
static bool is_wall(const pl_shape_def *d)
{
    const float half[3] = {d->half.x, d->half.y, d->half.z};
    int thin = half[0] <= half[1] && half[0] <= half[2] ? 0 : half[1] <= half[2] ? 1 : 2;
    float other = fminf(half[(thin + 1) % 3], half[(thin + 2) % 3]);
    vec3 across_it = turned(d->rotation, v3(thin == 0 ? 1.0f : 0.0f, thin == 1 ? 1.0f : 0.0f, thin == 2 ? 1.0f : 0.0f));
    return 3.0f * (half[thin] + d->radius) < other + d->radius && fabsf(across_it.y) < 0.5f;
}

bool shape_is_glass(const pl_shape_def *d)
{
    return d->inside || d->sensor || (d->kind == PL_SHAPE_BOX && is_wall(d)) ||
           (d->kind == PL_SHAPE_PLANE && fabsf(turned(d->rotation, v3(0.0f, 1.0f, 0.0f)).y) < 0.5f);
}

// What is made of triangles: as far as its farthest point, to every side; for a height field, its rim.
static struct bounds triangles_bounds(const pl_shape_def *d)
{
    float far = 0.0f;
    for (int i = 0; i < d->vertex_count; i++)
    {
        const float *v = d->vertices + 3 * (size_t)i;
        far = fmaxf(far, v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
    float half = 0.5f * d->spacing * (float)(d->columns > d->rows ? d->columns : d->rows);
    vec3 reach = d->kind == PL_SHAPE_HEIGHTFIELD ? v3(half, 0.0f, half) : v3(sqrtf(far), sqrtf(far), sqrtf(far));
    return (struct bounds){sub(d->position, reach), add(d->position, reach)};
}

struct bounds shape_bounds(const pl_shape_def *d)
{
    if (d->kind >= PL_SHAPE_HULL)
    {
        return triangles_bounds(d);
    }
    vec3 half = d->kind == PL_SHAPE_BOX       ? d->half
                : d->kind == PL_SHAPE_CAPSULE ? v3(0.0f, 0.5f * d->length, 0.0f)
                                              : v3(0.0f, 0.0f, 0.0f);
    vec3 x = turned(d->rotation, v3(half.x, 0.0f, 0.0f)), y = turned(d->rotation, v3(0.0f, half.y, 0.0f));
    vec3 z = turned(d->rotation, v3(0.0f, 0.0f, half.z));
    vec3 reach = v3(fabsf(x.x) + fabsf(y.x) + fabsf(z.x) + d->radius, fabsf(x.y) + fabsf(y.y) + fabsf(z.y) + d->radius,
                    fabsf(x.z) + fabsf(y.z) + fabsf(z.z) + d->radius);
    return (struct bounds){sub(d->position, reach), add(d->position, reach)};
}

void bounds_add_shapes(struct bounds *b, bool any, const pl_shape_def *shape, int count)
{
    for (int i = 0; i < count; i++)
    {
        if (shape[i].kind == PL_SHAPE_PLANE)
        {
            continue; // it has no end
        }
        struct bounds s = shape_bounds(&shape[i]);
        *b = any ? bounds_join(b, &s) : s;
        any = true;
    }
}

bool shapes_take(const pl_world *world, pl_shape_def **shape, int *count)
{
    int n = pl_shape_count(world);
    if (n != *count || !*shape)
    {
        free(*shape);
        *count = 0;
        *shape = malloc(((size_t)n + 1) * sizeof **shape);
        if (!*shape)
        {
            return trouble("no memory for %d shapes; use a smaller scene", n);
        }
        *count = n;
    }
    for (int i = 0; i < n; i++)
    {
        if (pl_get_shape(world, pl_shape_at(world, i), *shape + i) != PL_OK)
        {
            return library_trouble();
        }
    }
    return true;
}

bool shapes_take_triangles(const pl_world *world, struct shape_triangles **triangles, int *count)
{
    int n = pl_shape_count(world);
    struct shape_triangles *t = calloc((size_t)n + 1, sizeof *t);
    *triangles = t;
    *count = t ? n : 0;
    for (int i = 0; t && i < n; i++)
    {
        int64_t all = 0;
        pl_id id = pl_shape_at(world, i);
        if (pl_shape_triangles(world, id, NULL, &all) != PL_OK)
        {
            return library_trouble();
        }
        t[i].corners = all > 0 && all < INT32_MAX / 9 ? malloc((size_t)all * 9 * sizeof(float)) : NULL;
        if (all > 0 && !t[i].corners)
        {
            return trouble("no memory to draw a shape of %lld triangles; use a smaller one", (long long)all);
        }
        t[i].count = (int)all;
        pl_shape_triangles(world, id, t[i].corners, &all);
    }
    return t != NULL;
}

void shapes_free_triangles(struct shape_triangles *triangles, int count)
{
    for (int i = 0; i < count; i++)
    {
        free(triangles[i].corners);
    }
    free(triangles);
}
