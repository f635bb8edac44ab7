// heightfield.h: a height field: heights over a regular grid, y up, in the shape's frame; solid below.
//   height(i, j) at x = origin[0] + spacing[0] i, z = origin[1] + spacing[1] j; i runs fastest [m]
// Each cell is two triangles, cut from (i + 1, j) to (i, j + 1). A point below the surface is inside, at any depth.
// There is no ground beside the grid: its boundary is a thin sheet.
#pragma once
#include "collide/bvh.h"

typedef struct heightfield
{
    float *height;
    int32_t size[2]; // columns (x), rows (z); at least 2
    float origin[2], spacing[2];
    float low, high; // the lowest and the highest height
} heightfield;

typedef struct heightfield_def
{
    const char *name; // for messages
    const float *height;
    int64_t columns, rows;
    float origin[2], spacing[2];
} heightfield_def;

// Copies the heights. On failure `out` is empty.
pl_result heightfield_build(memory *m, const heightfield_def *def, heightfield *out);
void heightfield_free(memory *m, heightfield *f);

#if LANES == 1 && !defined(LANE_DOUBLE)

PL_FN vec field_corner(const heightfield *f, int32_t i, int32_t j)
{
    return vec_of(f->origin[0] + f->spacing[0] * (float)i, f->height[i + (int64_t)f->size[0] * j],
                  f->origin[1] + f->spacing[1] * (float)j);
}

// Triangle 0 or 1 of a cell; the normals of both point up.
PL_FN void field_triangle(const heightfield *f, int32_t i, int32_t j, int half, vec *t)
{
    t[0] = half ? field_corner(f, i + 1, j + 1) : field_corner(f, i, j);
    t[1] = half ? field_corner(f, i + 1, j) : field_corner(f, i, j + 1);
    t[2] = half ? field_corner(f, i, j + 1) : field_corner(f, i + 1, j);
}

// The cell of a coordinate along an axis, clamped to the outermost cells.
PL_FN int32_t field_cell(const heightfield *f, int axis, float x)
{
    return (int32_t)clamp((x - f->origin[axis]) / f->spacing[axis], 0.0f, (float)(f->size[axis] - 2));
}

PL_FN int field_covers(const heightfield *f, vec x)
{
    return x.x >= f->origin[0] && x.x <= f->origin[0] + f->spacing[0] * (float)(f->size[0] - 1) &&
           x.z >= f->origin[1] && x.z <= f->origin[1] + f->spacing[1] * (float)(f->size[1] - 1);
}

// The height of the ground at x, and its normal there.
PL_FN float field_height(const heightfield *f, vec x, vec *normal)
{
    int32_t i = field_cell(f, 0, x.x), j = field_cell(f, 1, x.z);
    vec t[3], o = field_corner(f, i, j);
    float u = clamp((x.x - o.x) / f->spacing[0], 0.0f, 1.0f), v = clamp((x.z - o.z) / f->spacing[1], 0.0f, 1.0f), len;
    int half = u + v > 1.0f;
    field_triangle(f, i, j, half, t);
    *normal = direction(cross(sub(t[1], t[0]), sub(t[2], t[0])), vec_of(0.0f, 1.0f, 0.0f), &len);
    return half ? t[0].y + (1.0f - u) * (t[2].y - t[0].y) + (1.0f - v) * (t[1].y - t[0].y)
                : t[0].y + u * (t[2].y - t[0].y) + v * (t[1].y - t[0].y);
}

PL_FN bvh_node field_box(const heightfield *f, int32_t i, int32_t j)
{
    vec a = field_corner(f, i, j), d = field_corner(f, i + 1, j + 1);
    float b = field_corner(f, i + 1, j).y, c = field_corner(f, i, j + 1).y;
    bvh_node n = {{a.x, least(least(a.y, b), least(c, d.y)), a.z}, 0, {d.x, most(most(a.y, b), most(c, d.y)), d.z}, 2};
    return n;
}

// The signed distance. Above ground it is exact within `reach` (beyond: `reach`, found 0). Below ground there always is
// one: the vertical distance where no surface is within `reach`.
PL_WALK surface_distance field_probe(const heightfield *f, vec x, float reach, int *found)
{
    vec up = vec_of(0.0f, 1.0f, 0.0f), ground = up;
    surface_distance s = {reach, up};
    *found = 0;
    if (x.y - f->high > reach)
        return s;
    int covered = field_covers(f, x);
    float over = x.y - field_height(f, x, &ground), best = covered ? least(magnitude(over), reach) : reach;
    int below = covered && over < 0.0f;
    closest near_by;
    near_by.square = best * best * 1.00001f;
    near_by.between = vec_of(0.0f, over, 0.0f);
    *found = covered && magnitude(over) <= reach;
    // The vertical distance bounds the search.
    int32_t i0 = field_cell(f, 0, x.x - best), i1 = field_cell(f, 0, x.x + best);
    int32_t j0 = field_cell(f, 1, x.z - best), j1 = field_cell(f, 1, x.z + best);
    for (int32_t j = j0; j <= j1; j++)
        for (int32_t i = i0; i <= i1; i++)
        {
            bvh_node box = field_box(f, i, j);
            if (bvh_box_square(&box, x) > near_by.square)
                continue;
            for (int half = 0; half < 2; half++)
            {
                vec t[3];
                field_triangle(f, i, j, half, t);
                closest c = point_triangle(x, t[0], t[1], t[2]);
                if (c.square > near_by.square)
                    continue;
                near_by = c;
                *found = 1;
            }
        }
    if (!*found && !below)
        return s;
    *found = 1;
    float len;
    vec d = direction(near_by.between, ground, &len);
    s.distance = below ? -len : len;
    s.normal = len <= 0x1p-22f * (reach_of(x) + f->spacing[0]) ? ground : below ? negative(d) : d;
    return s;
}

// ---- rays and swept spheres ----------------------------------------------------------------------------------------

PL_FN void field_line_cell(const heightfield *f, int32_t i, int32_t j, vec from, vec to, float radius, bvh_hit *r)
{
    for (int half = 0; half < 2; half++)
    {
        vec t[3];
        float time, w[3], len;
        int32_t slot = 2 * (i + (f->size[0] - 1) * j) + half;
        field_triangle(f, i, j, half, t);
        vec n = direction(cross(sub(t[1], t[0]), sub(t[2], t[0])), r->normal, &len);
        if (radius < 0.0f)
        {
            if (!ray_triangle(from, sub(to, from), t[0], t[1], t[2], &time, w))
                continue;
        }
        else
        {
            impact p = sphere_triangle_ccd(from, to, radius, t[0], t[1], t[2]);
            if (!p.hit)
                continue;
            time = p.time;
            n = p.normal;
            for (int k = 0; k < 3; k++)
                w[k] = p.weight[k];
        }
        if (time > r->time || (r->slot >= 0 && time == r->time && slot > r->slot))
            continue;
        r->slot = slot;
        r->time = time;
        r->normal = n;
        for (int k = 0; k < 3; k++)
            r->weight[k] = w[k];
    }
}

// Clips the times [*enter, *leave] to those at which the coordinate is within [low, high]; returns 0 if none are left.
PL_FN int field_stay(float from, float way, float low, float high, float *enter, float *leave)
{
    float a = low - from, b = high - from;
    if (magnitude(way) * 0x1p60f <= magnitude(a) + magnitude(b))
        return a <= 0.0f && b >= 0.0f;
    *enter = most(*enter, least(a / way, b / way));
    *leave = least(*leave, most(a / way, b / way));
    return *enter <= *leave;
}

// Finds the first hit of a ray (radius < 0) or a sphere that moves from `from` to `to`, with the surface from both
// sides. For each row of cells, the part of the segment above the row determines which cells are tested.
PL_FN bvh_hit field_line(const heightfield *f, vec from, vec to, float radius)
{
    bvh_hit r = {-1, 1.0f, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    vec way = sub(to, from), first = field_corner(f, 0, 0), last = field_corner(f, f->size[0] - 1, f->size[1] - 1);
    first.y = f->low;
    last.y = f->high;
    float size = most(most(reach_of(sub(first, from)), reach_of(sub(last, from))), reach_of(way)) + most(radius, 0.0f);
    float grow = most(radius, 0.0f) + 4.0f * CCD_SLACK * size;
    int32_t j0 = field_cell(f, 1, least(from.z, to.z) - grow), j1 = field_cell(f, 1, most(from.z, to.z) + grow);
    for (int32_t j = j0; j <= j1; j++)
    {
        float enter = 0.0f, leave = r.time, z = f->origin[1] + f->spacing[1] * (float)j;
        if (!field_stay(from.z, way.z, z - grow, z + f->spacing[1] + grow, &enter, &leave) ||
            !field_stay(from.y, way.y, f->low - grow, f->high + grow, &enter, &leave))
            continue;
        float x0 = from.x + enter * way.x, x1 = from.x + leave * way.x;
        int32_t i0 = field_cell(f, 0, least(x0, x1) - grow), i1 = field_cell(f, 0, most(x0, x1) + grow);
        for (int32_t i = i0; i <= i1; i++)
        {
            bvh_node box = field_box(f, i, j);
            if (bvh_box_time(&box, from, way, grow, r.time) <= r.time)
                field_line_cell(f, i, j, from, to, radius, &r);
        }
    }
    return r;
}

PL_FN bvh_hit field_ray(const heightfield *f, vec from, vec to) { return field_line(f, from, to, -1.0f); }
PL_WALK bvh_hit field_sweep(const heightfield *f, vec from, vec to, float radius)
{
    return field_line(f, from, to, radius);
}

#endif
