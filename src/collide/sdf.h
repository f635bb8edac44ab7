// sdf.h: a signed distance field: a solid mesh as signed distances on a regular grid, interpolated trilinearly.
//   value(i, j, k): the exact signed distance at origin + spacing (i, j, k) [m]; i runs fastest
//   the normal: the gradient of the interpolation, normalised; +y where it vanishes (the centre of a sphere)
// The error of the interpolation is at most spacing^2 sqrt(3)/8 times the surface's curvature; edges and corners are
// rounded by up to a spacing. For a point x outside the grid's box, c is the nearest point of the box. The surface is
// taken to be at c - value normal, and the distance is measured from there, so it grows correctly with x and is
// continuous at the box.
#pragma once
#include "collide/bvh.h"

#define SDF_LIMIT ((int64_t)1 << 30) // bytes, the default

typedef struct sdf
{
    float *value;
    float origin[3], spacing;
    int32_t size[3]; // nodes along x, y, z; at least 2
} sdf;

typedef struct sdf_def
{
    float spacing; // [m]
    float margin;  // how far the grid extends beyond the mesh [m]; at least one spacing is used
    int64_t limit; // bytes; 0: SDF_LIMIT
} sdf_def;

// The mesh must be a solid. A grid above the limit is refused before it is allocated. On failure `out` is empty.
pl_result sdf_build(memory *m, const mesh_view *mesh, const sdf_def *def, sdf *out);
void sdf_free(memory *m, sdf *s);

#if LANES == 1 && !defined(LANE_DOUBLE)

// Returns the cell that contains x along one axis, and the fraction of the cell, 0 to 1.
PL_FN int64_t sdf_cell(float x, float origin, float spacing, int32_t size, float *part)
{
    float a = clamp((x - origin) / spacing, 0.0f, (float)(size - 1));
    int32_t i = (int32_t)a;
    i = i > size - 2 ? size - 2 : i;
    *part = clamp(a - (float)i, 0.0f, 1.0f);
    return i;
}

PL_FN float mix(float a, float b, float t) { return a + t * (b - a); }

// Inside the box: computes value and gradient of the trilinear interpolation.
PL_FN float sdf_sample(const sdf *s, vec x, vec *gradient)
{
    float u, v, w;
    int64_t i = sdf_cell(x.x, s->origin[0], s->spacing, s->size[0], &u);
    int64_t j = sdf_cell(x.y, s->origin[1], s->spacing, s->size[1], &v);
    int64_t k = sdf_cell(x.z, s->origin[2], s->spacing, s->size[2], &w);
    int64_t row = s->size[0], sheet = row * s->size[1];
    const float *p = s->value + i + row * j + sheet * k, *q = p + sheet;

    float x00 = mix(p[0], p[1], u), x10 = mix(p[row], p[row + 1], u);
    float x01 = mix(q[0], q[1], u), x11 = mix(q[row], q[row + 1], u);
    float dx0 = mix(p[1] - p[0], p[row + 1] - p[row], v), dx1 = mix(q[1] - q[0], q[row + 1] - q[row], v);
    float y0 = mix(x00, x10, v), y1 = mix(x01, x11, v);
    gradient->x = mix(dx0, dx1, w) / s->spacing;
    gradient->y = mix(x10 - x00, x11 - x01, w) / s->spacing;
    gradient->z = (y1 - y0) / s->spacing;
    return mix(y0, y1, w);
}

PL_FN surface_distance sdf_probe(const sdf *s, vec x)
{
    float h = s->spacing, len;
    vec c = vec_of(clamp(x.x, s->origin[0], s->origin[0] + h * (float)(s->size[0] - 1)),
                   clamp(x.y, s->origin[1], s->origin[1] + h * (float)(s->size[1] - 1)),
                   clamp(x.z, s->origin[2], s->origin[2] + h * (float)(s->size[2] - 1)));
    surface_distance r;
    vec gradient, beyond = sub(x, c);
    r.distance = sdf_sample(s, c, &gradient);
    r.normal = direction(gradient, vec_of(0.0f, 1.0f, 0.0f), &len);
    if (reach_of(beyond) > 0.0f)
        r.normal = direction(add(beyond, times(r.distance, r.normal)), r.normal, &r.distance);
    return r;
}

#endif
