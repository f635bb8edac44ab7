// forms.h: worlds with a box, in every form that a target can have, for the tests of casts.
#ifndef PLIANT_TESTS_FORMS_H
#define PLIANT_TESTS_FORMS_H

#include "query/rays.h"

static inline void box_corners(pl_vec3 half, float *x)
{
    for (int i = 0; i < 8; i++)
    {
        x[3 * i] = i & 1 ? half.x : -half.x;
        x[3 * i + 1] = i & 2 ? half.y : -half.y;
        x[3 * i + 2] = i & 4 ? half.z : -half.z;
    }
}

static const int32_t box_triangles[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                          2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};

enum box_form
{
    AS_BOX,
    AS_HULL,
    AS_MESH,
    AS_BODY_BOX,
    AS_BODY_HULL,
    AS_BODY_MESH,
    BOX_FORMS
};

// Adds a box as one of the forms. A body's shape is offset in the body. Returns the id of the shape or the body.
static inline pl_id add_box_as(pl_world *w, int form, pl_vec3 half, pl_vec3 position, pl_quat rotation)
{
    float x[24];
    pl_id id;
    box_corners(half, x);
    if (form < AS_BODY_BOX)
    {
        const pl_shape_kind kinds[] = {PL_SHAPE_BOX, PL_SHAPE_HULL, PL_SHAPE_MESH};
        pl_shape_def s = pl_default_shape_def();
        s.kind = kinds[form], s.half = half, s.position = position, s.rotation = rotation;
        s.vertices = x, s.vertex_count = 8;
        if (form == AS_MESH)
            s.triangles = box_triangles, s.triangle_count = 12;
        good(pl_add_shape(w, &s, &id));
        return id;
    }
    const pl_rigid_shape_kind kinds[] = {PL_RIGID_BOX, PL_RIGID_HULL, PL_RIGID_MESH};
    pl_rigid_shape s = pl_default_rigid_shape();
    s.kind = kinds[form - AS_BODY_BOX], s.half = half;
    s.vertices = x, s.vertex_count = 8;
    if (form == AS_BODY_MESH)
        s.triangles = box_triangles, s.triangle_count = 12;
    pl_rigid_def d = pl_default_rigid_def();
    d.type = PL_RIGID_STATIC;
    d.shapes = &s, d.shape_count = 1, d.position = position, d.rotation = rotation, d.user_data = 77;
    good(pl_add_rigid(w, &d, &id));
    return id;
}

#endif
