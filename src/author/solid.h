// solid.h: declares what the files that turn meshes into solids share: a mesh as a signed distance field, arrays of
// exact size, small vectors in double.
#pragma once
#include "collide/bvh.h"

// ---- vectors in double ---------------------------------------------------------------------------------------------

static inline double dot3(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static inline void sub3(const double *a, const double *b, double *out)
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

static inline void cross3(const double *a, const double *b, double *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void widen(const float *x, double *out)
{
    for (int k = 0; k < 3; k++)
        out[k] = (double)x[k];
}

// Returns (b - a) . ((c - a) x (d - a)): six times the volume of a tetrahedron.
static inline double box_product(const double *a, const double *b, const double *c, const double *d)
{
    double u[3], v[3], w[3], n[3];
    sub3(b, a, u);
    sub3(c, a, v);
    sub3(d, a, w);
    cross3(v, w, n);
    return dot3(u, n);
}

// ---- arrays --------------------------------------------------------------------------------------------------------

memory plain_memory(void); // memory that belongs to no world

// Allocates an array of exactly `count` zeroed items, and frees it.
pl_result take_items(memory *m, void *data, int64_t count, size_t item);
void drop_items(memory *m, void *data, int64_t count, size_t item);
// Shrinks a grown array to its `count` used items, so that drop_items can free it.
pl_result trim_items(memory *m, void *data, int64_t *capacity, int64_t count, size_t item);

// ---- meshes --------------------------------------------------------------------------------------------------------

static inline mesh_view view_of(const pl_mesh *mesh, const char *name)
{
    return (mesh_view){name, mesh->vertices, mesh->triangles, mesh->vertex_count, mesh->triangle_count};
}

double mesh_volume(const mesh_view *mesh);
void mesh_box(const mesh_view *mesh, double low[3], double high[3]);
void mesh_drop(memory *m, pl_mesh *mesh);

// ---- solids as distance functions ----------------------------------------------------------------------------------

// Negative inside. |value| must nowhere be more than the distance to the surface: searches step by it.
typedef struct solid_field
{
    double (*value)(void *user, const double x[3]);
    void *user;
    double low[3], high[3]; // a box around the solid
} solid_field;

// The exact signed distance of a solid mesh. A query near the last one is cheap.
typedef struct mesh_field
{
    bvh tree;
    float x[3], distance; // the last query and its result
} mesh_field;

pl_result mesh_field_open(memory *m, const mesh_view *mesh, mesh_field *out);
surface_distance mesh_field_probe(mesh_field *f, const float x[3]);
solid_field mesh_field_solid(mesh_field *f, const mesh_view *mesh);
void mesh_field_close(memory *m, mesh_field *f);
