// fluid_surface.h: closed triangle meshes around the particles of fluids, for exports and pictures.
//
// The mesh is made from the positions of the moment, and nothing of the world changes. The same particles give the same
// bits on every thread count and machine. docs/fluids.md describes the method.
#ifndef PLIANT_FLUID_SURFACE_H
#define PLIANT_FLUID_SURFACE_H

#include <pliant/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Describes the surface that is wanted.
typedef struct pl_fluid_surface_def
{
    /// The fluid. {0, 0}, the default: all fluids of the world as one.
    pl_id object;
    /// The edge of a cell of the grid, in spacings of the fluid, from 0.2 to 2. The default is 0.5. A triangle is about as
    /// large as a cell; the time and the number of triangles grow with 1/cell^3 and 1/cell^2.
    float cell;
    /// How far the kernels follow the shape of the fluid around them, from 0 (balls) to 1 (ellipsoids that are as flat as
    /// the fluid there). The default is 0.5. Balls show every particle of a flat surface as a bump; with 1 thin sheets are
    /// thinner and closed, and small drops about 7 % too large.
    float anisotropy;
    /// How far the centre of a kernel moves to the mean of its neighbours, from 0 to 1, the default. More of it makes
    /// flat surfaces smoother and edges rounder; the volume stays.
    float smoothing;
    /// Wraps the particles of an object that is no fluid, such as a body that melts, each of which must have a radius; the
    /// spacing is the largest diameter. Needs `object`. The default is false.
    bool solid;
} pl_fluid_surface_def;

/// Returns the defaults named above.
PL_API pl_fluid_surface_def pl_default_fluid_surface_def(void);

/// The surface of a fluid: a closed mesh in which every edge has exactly two triangles. It is empty without fluid.
typedef struct pl_fluid_surface
{
    /// Number of vertices.
    int vertex_count;
    /// Number of triangles.
    int triangle_count;
    /// Positions, 3 floats for each vertex, m.
    float *vertices;
    /// Unit vectors out of the fluid, 3 floats for each vertex.
    float *normals;
    /// Velocities of the fluid there, 3 floats for each vertex, m/s.
    float *velocities;
    /// For each vertex the number of the particle that it belongs to most, for everything else that is wanted there, such
    /// as the temperature or the object.
    int32_t *particles;
    /// Vertices of the triangles, 3 for each, counter-clockwise seen from outside.
    int32_t *triangles;
    /// The volume that the mesh encloses, m^3.
    double volume;
    /// The area of the mesh, m^2.
    double area;
    /// The allocator of the arrays: that of the world.
    pl_allocator allocator;
} pl_fluid_surface;

/// Makes the surface of a fluid. Free it with pl_free_fluid_surface. Fails with PL_ERROR_ARGUMENT if a value is out of
/// range or the object has no fluid, with PL_ERROR_MEMORY without memory; the surface is then empty.
PL_API pl_result pl_make_fluid_surface(const pl_world *world, const pl_fluid_surface_def *def,
                                       pl_fluid_surface *surface);

/// Frees the arrays of a surface and empties it; its world may be gone. NULL is allowed.
PL_API void pl_free_fluid_surface(pl_fluid_surface *surface);

#ifdef __cplusplus
}
#endif

#endif
