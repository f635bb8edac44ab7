// export_rigids.h: the surfaces of rigid bodies for exports: the triangles of all of their shapes, at their present poses.
#ifndef PLIANT_IO_EXPORT_RIGIDS_H
#define PLIANT_IO_EXPORT_RIGIDS_H

#include <pliant/pliant.h>

struct rigid_surfaces
{
    int count, vertices, triangles; // bodies; of all of them
    pl_id *id;
    pl_vec3 *centre;        // of mass, in the axes of each body
    int *vertex, *triangle; // count + 1: where the vertices and triangles of each body begin
    float *local;           // 3 for each vertex, in the axes of its body
    int32_t *corner;        // 3 vertices for each triangle, counted over all bodies
};

// Makes the surfaces again if the bodies have changed since the last call. A failure leaves none.
pl_result rigid_surfaces_update(struct rigid_surfaces *r, const pl_world *world);
// Stores positions and velocities of all vertices, 3 floats for each.
pl_result rigid_surfaces_place(const struct rigid_surfaces *r, const pl_world *world, float *position, float *velocity);
void rigid_surfaces_free(struct rigid_surfaces *r);

#endif
