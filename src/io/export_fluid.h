// export_fluid.h: the surface of fluids for exports: a mesh that is made again in every frame.
#ifndef PLIANT_IO_EXPORT_FLUID_H
#define PLIANT_IO_EXPORT_FLUID_H

#include <pliant/pliant.h>

struct exporter;

// Makes the surface of all fluids at their present positions. A failure leaves none.
pl_result fluid_surface_make(pl_fluid_surface *surface, const pl_world *world);
// Fills in what the exporter has of the surface: the corners of its triangles; positions, velocities, temperatures.
void fluid_surface_faces(struct exporter *e);
void fluid_surface_points(struct exporter *e);

#endif
